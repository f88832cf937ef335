// A section: what is cut away, and the cut material, filled. The stencil buffer counts the surfaces behind the plane: more
// backs than fronts, and the plane is inside the part there.
(function (viewer) {
    "use strict";

    const count = 0x3f, inFirst = 0x80, inSecond = 0x40;

    function counting(shared, side, operation) {
        const material = viewer.partMaterial("solid", shared);
        Object.assign(material, {
            side, colorWrite: false, depthWrite: false, depthTest: false, polygonOffset: false, stencilWrite: true,
            stencilFunc: THREE.AlwaysStencilFunc, stencilWriteMask: count,
            stencilFail: operation, stencilZFail: operation, stencilZPass: operation
        });
        return material;
    }

    function plane(point, normal, size) {
        const n = new THREE.Vector3(...normal).normalize(), centre = new THREE.Vector3(...point);
        const helper = Math.abs(n.z) < 0.9 ? new THREE.Vector3(0, 0, 1) : new THREE.Vector3(1, 0, 0);
        const u = new THREE.Vector3().crossVectors(n, helper).normalize().multiplyScalar(size);
        const v = new THREE.Vector3().crossVectors(n, u);
        const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([a, b]) =>
            centre.clone().addScaledVector(u, a).addScaledVector(v, b));
        const geometry = new THREE.BufferGeometry();
        geometry.setAttribute("position",
            new THREE.BufferAttribute(Float32Array.from(corners.flatMap((p) => [p.x, p.y, p.z])), 3));
        geometry.setIndex([0, 1, 2, 0, 2, 3]);
        return geometry;
    }

    function filling(options) {
        return new THREE.ShaderMaterial({
            vertexShader: viewer.shaders.fillVertex,
            fragmentShader: viewer.shaders.fillFragment,
            uniforms: {
                colour: { value: new THREE.Color(options.colour || 0) }, stripe: { value: new THREE.Color(options.stripe || 0) },
                pattern: { value: options.pattern || 1 }
            },
            side: THREE.DoubleSide, stencilWrite: true, ...options.stencil
        });
    }

    // What has to be drawn, in order, to fill the sections of one or two parts.
    viewer.makeSection = function (parts, numbers, { point, normal }, size, colours) {
        const group = new THREE.Group(), geometry = plane(point, normal, size);
        let order = 10;
        const add = (mesh) => {
            mesh.renderOrder = order++;
            mesh.frustumCulled = false;
            group.add(mesh);
        };
        const silent = { colorWrite: false, depthWrite: false, depthTest: false };
        const bits = [inFirst, inSecond];
        numbers.slice(0, 2).forEach((number, which) => {
            if (!parts.models[parts.parts[number].model].closed) {
                return;
            }
            add(parts.alone(number, counting(parts.shared, THREE.BackSide, THREE.IncrementWrapStencilOp)));
            add(parts.alone(number, counting(parts.shared, THREE.FrontSide, THREE.DecrementWrapStencilOp)));
            const marked = filling({ stencil: { stencilFunc: THREE.NotEqualStencilFunc, stencilRef: 0, stencilFuncMask: count,
                stencilWriteMask: bits[which], stencilZPass: THREE.InvertStencilOp } });
            Object.assign(marked, silent);
            add(new THREE.Mesh(geometry, marked));
            const cleared = filling({ stencil: { stencilFunc: THREE.AlwaysStencilFunc, stencilWriteMask: count,
                stencilFail: THREE.ZeroStencilOp, stencilZFail: THREE.ZeroStencilOp, stencilZPass: THREE.ZeroStencilOp } });
            Object.assign(cleared, silent);
            add(new THREE.Mesh(geometry, cleared));
        });
        [[inFirst, 1, colours.first], [inSecond, 2, colours.second], [inFirst | inSecond, 3, colours.both]]
            .forEach(([bit, pattern, { colour, stripe }]) => add(new THREE.Mesh(geometry, filling({ colour, stripe, pattern,
                stencil: { stencilFunc: THREE.EqualStencilFunc, stencilRef: bit, stencilFuncMask: inFirst | inSecond,
                    stencilWriteMask: 0 } }))));
        return group;
    };
})(globalThis.TumbleViewer = globalThis.TumbleViewer || {});

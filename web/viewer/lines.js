// Lines as thick as they are asked to be, and the creases of a model.
(function (viewer) {
    "use strict";

    const corners = Float32Array.of(0, -1, 0, 1, 1, -1, 1, 1);

    viewer.makeLines = function (segments, { colour, width = 3, alpha = 1, hidden = true }, pixels) {
        const geometry = new THREE.InstancedBufferGeometry();
        const ends = new THREE.InstancedInterleavedBuffer(segments, 6, 1);
        geometry.setIndex([0, 2, 1, 1, 2, 3]);
        geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(12), 3));
        geometry.setAttribute("corner", new THREE.BufferAttribute(corners, 2));
        geometry.setAttribute("start", new THREE.InterleavedBufferAttribute(ends, 3, 0));
        geometry.setAttribute("finish", new THREE.InterleavedBufferAttribute(ends, 3, 3));
        geometry.maxInstancedCount = segments.length / 6;
        const group = new THREE.Group();
        // What is behind something is drawn too, fainter: a curve must not get lost inside the parts.
        for (const behind of hidden ? [true, false] : [false]) {
            const mesh = new THREE.Mesh(geometry, new THREE.ShaderMaterial({
                vertexShader: viewer.shaders.lineVertex,
                fragmentShader: viewer.shaders.lineFragment,
                uniforms: {
                    colour: { value: new THREE.Color(colour) }, pixels, width: { value: width },
                    alpha: { value: behind ? alpha * 0.45 : alpha }
                },
                side: THREE.DoubleSide, transparent: true, depthWrite: false, depthTest: !behind
            }));
            mesh.frustumCulled = false;
            mesh.renderOrder = behind ? 90 : 91;
            group.add(mesh);
        }
        return group;
    };

    // The edges of a model where its faces turn by more than 30 degrees, or end: six numbers a segment.
    viewer.creases = function (points, indices) {
        const numbers = new Map(), same = new Uint32Array(points.length / 3);
        for (let i = 0; i < same.length; i++) {
            const key = `${points[3 * i]},${points[3 * i + 1]},${points[3 * i + 2]}`;
            if (!numbers.has(key)) {
                numbers.set(key, i);
            }
            same[i] = numbers.get(key);
        }
        const edges = new Map(), found = [];
        const normal = (at) => {
            const p = [0, 1, 2].map((k) => 3 * indices[at + k]);
            const u = [0, 1, 2].map((axis) => points[p[1] + axis] - points[p[0] + axis]);
            const v = [0, 1, 2].map((axis) => points[p[2] + axis] - points[p[0] + axis]);
            const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
            const length = Math.hypot(...n) || 1;
            return n.map((value) => value / length);
        };
        for (let at = 0; at < indices.length; at += 3) {
            const n = normal(at);
            for (let k = 0; k < 3; k++) {
                const a = same[indices[at + k]], b = same[indices[at + (k + 1) % 3]];
                const key = a < b ? a * same.length + b : b * same.length + a;
                const other = edges.get(key);
                if (other === undefined) {
                    edges.set(key, { n, a, b, sharp: true });
                } else {
                    other.sharp = other.n[0] * n[0] + other.n[1] * n[1] + other.n[2] * n[2] < 0.866;
                }
            }
        }
        for (const { a, b, sharp } of edges.values()) {
            if (sharp) {
                found.push(...points.slice(3 * a, 3 * a + 3), ...points.slice(3 * b, 3 * b + 3));
            }
        }
        return Float32Array.from(found);
    };
})(globalThis.TumbleViewer = globalThis.TumbleViewer || {});

// Parts: each model's geometry once, and where it stands how often.
(function (viewer) {
    "use strict";

    viewer.modes = { hidden: 0, solid: 1, ghost: 2 };
    const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
    const names = ["row0", "row1", "row2"];

    function setColour(array, at, colour) {
        array[at] = (colour >> 16 & 255) / 255;
        array[at + 1] = (colour >> 8 & 255) / 255;
        array[at + 2] = (colour & 255) / 255;
    }

    function boxOf(points) {
        const box = { lower: [Infinity, Infinity, Infinity], upper: [-Infinity, -Infinity, -Infinity] };
        for (let i = 0; i < points.length; i++) {
            const axis = i % 3, value = points[i];
            if (value < box.lower[axis]) box.lower[axis] = value;
            if (value > box.upper[axis]) box.upper[axis] = value;
        }
        return box;
    }

    // The box of a box that is moved.
    function moveBox(box, pose) {
        const moved = { lower: [], upper: [] };
        for (let row = 0; row < 3; row++) {
            let lower = pose[4 * row + 3], upper = lower;
            for (let axis = 0; axis < 3; axis++) {
                const factor = pose[4 * row + axis];
                lower += factor * (factor > 0 ? box.lower : box.upper)[axis];
                upper += factor * (factor > 0 ? box.upper : box.lower)[axis];
            }
            moved.lower.push(lower);
            moved.upper.push(upper);
        }
        return moved;
    }

    // The material of one pass over all parts: "solid", "ghost" or "pick".
    viewer.partMaterial = function (kind, shared) {
        const ghost = kind === "ghost";
        return new THREE.ShaderMaterial({
            vertexShader: viewer.shaders.partVertex,
            fragmentShader: viewer.shaders.partFragment,
            defines: kind === "pick" ? { PICK: 1 } : ghost ? { GHOST: 1 } : {},
            uniforms: {
                pass: { value: ghost ? viewer.modes.ghost : viewer.modes.solid },
                plane: shared.plane, fade: shared.fade, alpha: shared.alpha, ground: shared.ground
            },
            extensions: { derivatives: true },
            side: THREE.DoubleSide,
            transparent: ghost,
            blending: ghost ? THREE.CustomBlending : THREE.NoBlending,
            blendEquation: THREE.MinEquation, blendSrc: THREE.OneFactor, blendDst: THREE.OneFactor,
            depthWrite: !ghost,
            polygonOffset: !ghost, polygonOffsetFactor: 1, polygonOffsetUnits: 1
        });
    };

    viewer.Parts = class {
        constructor(origin, shared) {
            this.origin = origin;
            this.shared = shared;
            this.models = [];
            this.parts = [];
            this.group = new THREE.Group();
            this.materials = { solid: viewer.partMaterial("solid", shared), ghost: viewer.partMaterial("ghost", shared) };
        }

        addModel({ points, indices, closed = true }) {
            const position = new THREE.BufferAttribute(points instanceof Float32Array ? points : Float32Array.from(points), 3);
            const small = points.length / 3 < 65536;
            const index = new THREE.BufferAttribute(small ? Uint16Array.from(indices) : Uint32Array.from(indices), 1);
            this.models.push({ position, index, closed, box: boxOf(points), parts: [], meshes: null, edges: null });
            return this.models.length - 1;
        }

        addParts(list) {
            const first = this.parts.length;
            for (const { model, pose = identity, colour = 0x9aa5b1 } of list) {
                const slot = this.models[model].parts.length;
                this.models[model].parts.push(this.parts.length);
                this.parts.push({ model, slot, pose, colour, mode: viewer.modes.solid });
            }
            for (const model of new Set(list.map((part) => part.model))) {
                this.build(this.models[model]);
            }
            return first;
        }

        // The arrays of a model's instances, anew.
        build(model) {
            this.drop(model);
            const count = model.parts.length;
            const instanced = (size) => new THREE.InstancedBufferAttribute(new Float32Array(count * size), size);
            const geometry = new THREE.InstancedBufferGeometry();
            geometry.setIndex(model.index);
            geometry.setAttribute("position", model.position);
            for (const name of names) {
                geometry.setAttribute(name, instanced(4).setUsage(THREE.DynamicDrawUsage));
            }
            geometry.setAttribute("paint", instanced(4).setUsage(THREE.DynamicDrawUsage));
            geometry.setAttribute("number", instanced(1));
            geometry.maxInstancedCount = count;
            model.geometry = geometry;
            model.counts = [0, 0, 0];
            model.meshes = [];
            for (const [order, kind] of ["solid", "ghost"].entries()) {
                const mesh = new THREE.Mesh(geometry, this.materials[kind]);
                mesh.frustumCulled = false;
                mesh.matrixAutoUpdate = false;
                mesh.renderOrder = order * 50;
                model.meshes.push(mesh);
                this.group.add(mesh);
            }
            for (const number of model.parts) {
                const part = this.parts[number];
                geometry.attributes.number.array[part.slot] = number;
                model.counts[part.mode]++;
                this.writePose(part);
                this.writePaint(part);
            }
            this.show(model);
        }

        drop(model) {
            if (model.meshes) {
                this.group.remove(...model.meshes);
                model.geometry.dispose();
            }
        }

        show(model) {
            model.meshes[0].visible = model.counts[viewer.modes.solid] > 0;
            model.meshes[1].visible = model.counts[viewer.modes.ghost] > 0;
        }

        setOrigin(origin) {
            this.origin = origin;
            for (const part of this.parts) {
                this.writePose(part);
            }
        }

        // Relative to the origin.
        placed(part) {
            const pose = Array.from(part.pose);
            for (let row = 0; row < 3; row++) {
                pose[4 * row + 3] -= this.origin[row];
            }
            return pose;
        }

        writePose(part) {
            const pose = this.placed(part);
            const { attributes } = this.models[part.model].geometry;
            names.forEach((name, row) => {
                attributes[name].array.set(pose.slice(4 * row, 4 * row + 4), 4 * part.slot);
                attributes[name].needsUpdate = true;
            });
        }

        writePaint(part) {
            const { paint } = this.models[part.model].geometry.attributes;
            setColour(paint.array, 4 * part.slot, part.colour);
            paint.array[4 * part.slot + 3] = part.mode;
            paint.needsUpdate = true;
        }

        setPose(number, pose) {
            const part = this.parts[number];
            part.pose = pose;
            this.writePose(part);
        }

        paint(number, { mode, colour }) {
            const part = this.parts[number], model = this.models[part.model];
            if (mode !== undefined) {
                model.counts[part.mode]--;
                part.mode = viewer.modes[mode];
                model.counts[part.mode]++;
                this.show(model);
            }
            if (colour !== undefined) {
                part.colour = colour;
            }
            this.writePaint(part);
        }

        // In the frame of the poses.
        box(number) {
            const part = this.parts[number];
            return moveBox(this.models[part.model].box, part.pose);
        }

        // Of all parts that are not hidden; null when there are none.
        bounds() {
            const all = { lower: [Infinity, Infinity, Infinity], upper: [-Infinity, -Infinity, -Infinity] };
            this.parts.forEach((part, number) => {
                if (part.mode !== viewer.modes.hidden) {
                    const box = this.box(number);
                    for (let axis = 0; axis < 3; axis++) {
                        all.lower[axis] = Math.min(all.lower[axis], box.lower[axis]);
                        all.upper[axis] = Math.max(all.upper[axis], box.upper[axis]);
                    }
                }
            });
            return all.lower[0] <= all.upper[0] ? all : null;
        }

        // One part by itself, with arrays that are shared with all others.
        alone(number, material) {
            const part = this.parts[number], model = this.models[part.model], pose = this.placed(part);
            const geometry = new THREE.InstancedBufferGeometry();
            geometry.setIndex(model.index);
            geometry.setAttribute("position", model.position);
            names.forEach((name, row) => geometry.setAttribute(name,
                new THREE.InstancedBufferAttribute(Float32Array.from(pose.slice(4 * row, 4 * row + 4)), 4)));
            geometry.setAttribute("paint", new THREE.InstancedBufferAttribute(Float32Array.of(0, 0, 0, viewer.modes.solid), 4));
            geometry.setAttribute("number", new THREE.InstancedBufferAttribute(Float32Array.of(number), 1));
            geometry.maxInstancedCount = 1;
            const mesh = new THREE.Mesh(geometry, material);
            mesh.frustumCulled = false;
            mesh.matrixAutoUpdate = false;
            return mesh;
        }
    };
})(globalThis.TumbleViewer = globalThis.TumbleViewer || {});

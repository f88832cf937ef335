// The viewer: README.md has its interface.
(function (viewer) {
    "use strict";

    const looks = {
        light: { ground: 0xf6f7f8, fade: 0x4d5b6a, alpha: 0.16, crease: 0x1d2733 },
        dark: { ground: 0x14181d, fade: 0xb7c4d2, alpha: 0.2, crease: 0xe8edf2 }
    };
    const nothing = [0, 0, 0, 1e30];
    const mostCreased = 200000;

    function graphics(canvas) {
        const options = { antialias: true, stencil: true, preserveDrawingBuffer: true, powerPreference: "high-performance" };
        return canvas.getContext("webgl2", options) || canvas.getContext("webgl", options);
    }

    class View {
        constructor(element, options, canvas, context) {
            this.element = element;
            this.canvas = canvas;
            this.options = options;
            this.origin = options.origin || [0, 0, 0];
            this.shared = {
                plane: { value: new THREE.Vector4(...nothing) }, fade: { value: new THREE.Color() },
                ground: { value: new THREE.Color() }, alpha: { value: 0.1 },
                pixels: { value: new THREE.Vector2(1, 1) }
            };
            this.renderer = new THREE.WebGLRenderer({ canvas, context, antialias: true, stencil: true });
            this.renderer.autoClear = false;
            this.scene = new THREE.Scene();
            this.scene.autoUpdate = true;
            this.view = new viewer.Camera(options.up || "z");
            this.parts = new viewer.Parts(this.origin, this.shared);
            this.scene.add(this.parts.group);
            this.layers = new Map();
            this.kept = new Map();
            this.labels = new Map();
            this.focused = [];
            this.cut = null;
            this.drawn = 0;
            this.asked = 0;
            viewer.listen(this, canvas, {
                onPick: options.onPick,
                onHover: options.onHover ? (x, y, event) => this.hover(x, y, event) : null
            });
            this.observer = new ResizeObserver(() => this.resize());
            this.observer.observe(element);
            this.theme(options.dark === true);
            this.resize();
        }

        ask() {
            if (!this.asked) {
                this.asked = requestAnimationFrame((now) => {
                    this.asked = 0;
                    const more = this.view.step(now);
                    this.render();
                    if (more) {
                        this.ask();
                    }
                });
            }
        }

        // Another origin: for a look at small things in coordinates far from the old one.
        setOrigin(origin) {
            const shift = origin.map((value, axis) => value - this.origin[axis]);
            const move = (point) => point.map((value, axis) => value - shift[axis]);
            this.origin = Array.from(origin);
            this.parts.setOrigin(this.origin);
            this.view.state.target = move(this.view.state.target);
            if (this.view.flight) {
                this.view.flight.from.target = move(this.view.flight.from.target);
                this.view.flight.to.target = move(this.view.flight.to.target);
            }
            this.view.scene.centre = move(this.view.scene.centre);
            for (const label of this.labels.values()) {
                label.point = move(label.point);
            }
            for (const [name, { segments, options: look }] of [...this.kept]) {
                this.lines(name, segments, look);
            }
            if (this.cut) {
                this.section({ point: this.cut.point.map((value, axis) => value - shift[axis] + this.origin[axis]),
                    normal: this.cut.normal });
            }
            this.refocus();
        }

        relative(point) {
            return Array.from(point, (value, axis) => value - this.origin[axis]);
        }

        addModel(model) { return this.parts.addModel(model); }

        addParts(list) {
            const first = this.parts.addParts(list);
            this.measure();
            this.ask();
            return first;
        }

        setPose(part, pose) {
            this.parts.setPose(part, pose);
            if (this.focused.includes(part)) {
                this.refocus();
            }
            this.measure();
            this.ask();
        }

        paint(part, look) {
            this.parts.paint(part, look);
            this.ask();
        }

        paintAll(look) {
            for (let part = 0; part < this.parts.parts.length; part++) {
                this.parts.paint(part, look);
            }
            this.ask();
        }

        box(part) { return this.parts.box(part); }

        measure() {
            const box = this.parts.bounds();
            if (box) {
                const lower = this.relative(box.lower), upper = this.relative(box.upper);
                this.view.scene = {
                    centre: lower.map((value, axis) => (value + upper[axis]) / 2),
                    radius: Math.hypot(...lower.map((value, axis) => upper[axis] - value)) / 2 || 1
                };
            }
        }

        // Drawn behind the scenes until it is replaced.
        layer(name, group) {
            const old = this.layers.get(name);
            if (old) {
                this.scene.remove(old);
                old.traverse((node) => {
                    if (node.geometry) {
                        node.geometry.dispose();
                        node.material.dispose();
                    }
                });
            }
            this.layers.delete(name);
            if (group) {
                this.layers.set(name, group);
                this.scene.add(group);
            }
            this.ask();
        }

        lines(name, segments, options = {}) {
            this.kept.delete(name);
            if (!segments || !segments.length) {
                this.layer(`lines ${name}`, null);
                return;
            }
            this.kept.set(name, { segments, options });
            const local = Float32Array.from(segments, (value, i) => value - this.origin[i % 3]);
            this.layer(`lines ${name}`, viewer.makeLines(local, { colour: 0xb40032, ...options }, this.shared.pixels));
        }

        label(name, point, text, kind = "") {
            const old = this.labels.get(name);
            if (!text) {
                if (old) {
                    old.element.remove();
                    this.labels.delete(name);
                }
                return;
            }
            const element = old ? old.element : document.createElement("div");
            element.className = `tumble-label ${kind}`;
            element.textContent = text;
            if (!old) {
                this.element.append(element);
            }
            this.labels.set(name, { element, point: this.relative(point) });
            this.ask();
        }

        focus(numbers) {
            this.focused = Array.from(new Set(numbers));
            this.refocus();
        }

        refocus() {
            const group = new THREE.Group();
            for (const number of this.focused) {
                const part = this.parts.parts[number], model = this.parts.models[part.model];
                if (model.index.count > 3 * mostCreased) {
                    continue;
                }
                model.edges = model.edges || viewer.creases(model.position.array, model.index.array);
                const p = this.parts.placed(part), moved = new Float32Array(model.edges.length);
                for (let i = 0; i < moved.length; i += 3) {
                    for (let row = 0; row < 3; row++) {
                        moved[i + row] = p[4 * row] * model.edges[i] + p[4 * row + 1] * model.edges[i + 1] +
                            p[4 * row + 2] * model.edges[i + 2] + p[4 * row + 3];
                    }
                }
                if (moved.length) {
                    const lines = viewer.makeLines(moved, { colour: this.look.crease, width: 1.2, alpha: 0.7, hidden: false },
                        this.shared.pixels);
                    lines.userData.crease = true;
                    group.add(lines);
                }
            }
            this.layer("creases", group.children.length ? group : null);
            this.fill();
        }

        section(cut) {
            this.cut = cut ? { point: this.relative(cut.point), normal: Array.from(cut.normal) } : null;
            if (this.cut) {
                const n = new THREE.Vector3(...this.cut.normal).normalize();
                this.shared.plane.value.set(n.x, n.y, n.z, n.dot(new THREE.Vector3(...this.cut.point)));
            } else {
                this.shared.plane.value.set(...nothing);
            }
            this.fill();
        }

        fill() {
            let group = null;
            if (this.cut && this.focused.length) {
                const colours = this.focused.slice(0, 2).map((part) => this.parts.parts[part].colour);
                const stripe = 0x1d2733;
                group = viewer.makeSection(this.parts, this.focused, this.cut, this.view.scene.radius * 4, {
                    first: { colour: colours[0], stripe }, second: { colour: colours[1], stripe },
                    both: { colour: 0xd4145a, stripe: 0xffffff }
                });
            }
            // The outlines of what is cut away would hang in the air.
            this.layer("section", group);
            const creases = this.layers.get("creases");
            if (creases) {
                creases.visible = !this.cut;
            }
        }

        home(seconds) {
            this.measure();
            const { centre, radius } = this.view.scene;
            this.go({ ...this.view.state, target: centre, distance: this.view.distanceOf(radius) }, seconds);
        }

        fly({ centre, radius, toward, seconds }) {
            const angles = toward ? this.view.angles(toward) : {};
            this.go({ ...this.view.state, ...angles, target: this.relative(centre), distance: this.view.distanceOf(radius) },
                seconds);
        }

        go(state, seconds = 0.45) {
            const still = globalThis.matchMedia && matchMedia("(prefers-reduced-motion: reduce)").matches;
            this.view.fly(state, still ? 0 : seconds);
            this.ask();
        }

        camera() {
            const { target, ...rest } = this.view.state;
            return { ...rest, target: target.map((value, axis) => value + this.origin[axis]) };
        }

        setCamera(state) { this.go({ ...this.view.state, ...state, target: this.relative(state.target) }, 0); }
        toward() { return this.view.toward(); }
        orbit(x, y) { this.view.orbit(x, y); this.ask(); }
        pan(x, y) { this.view.pan(x, y, this.canvas.clientHeight); this.ask(); }
        zoom(factor) { this.view.zoom(factor); this.ask(); }

        theme(dark) {
            this.look = dark ? looks.dark : looks.light;
            this.shared.fade.value.setHex(this.look.fade);
            this.shared.ground.value.setHex(this.look.ground);
            this.shared.alpha.value = this.look.alpha;
            this.parts.materials.ghost.blendEquation = dark ? THREE.MaxEquation : THREE.MinEquation;
            this.renderer.setClearColor(this.look.ground, 1);
            if (this.focused.length) {
                this.refocus();
            }
            this.ask();
        }

        resize() {
            const width = Math.max(1, this.element.clientWidth), height = Math.max(1, this.element.clientHeight);
            this.renderer.setPixelRatio(Math.min(2, globalThis.devicePixelRatio || 1));
            this.renderer.setSize(width, height, false);
            this.shared.pixels.value.set(width, height);
            this.view.eye.aspect = width / height;
            this.ask();
        }

        clear() {
            this.renderer.state.buffers.stencil.setMask(0xff);
            this.renderer.clear(true, true, true);
        }

        render() {
            this.view.apply();
            this.clear();
            this.renderer.render(this.scene, this.view.eye);
            this.drawn++;
            const width = this.element.clientWidth, height = this.element.clientHeight, at = new THREE.Vector3();
            for (const { element, point } of this.labels.values()) {
                at.set(...point).project(this.view.eye);
                element.style.display = at.z < 1 && Math.abs(at.x) < 1 && Math.abs(at.y) < 1 ? "" : "none";
                element.style.transform = `translate(${((at.x + 1) / 2 * width).toFixed(1)}px, ` +
                    `${((1 - at.y) / 2 * height).toFixed(1)}px)`;
            }
        }

        // Draws numbers instead of colours, into one pixel.
        pick(x, y) {
            const width = Math.max(1, this.element.clientWidth), height = Math.max(1, this.element.clientHeight);
            this.picking = this.picking || {
                target: new THREE.WebGLRenderTarget(1, 1),
                material: viewer.partMaterial("pick", this.shared)
            };
            const { target, material } = this.picking, { eye } = this.view;
            this.view.apply();
            eye.setViewOffset(width, height, Math.floor(x), Math.floor(y), 1, 1);
            const shown = this.parts.models.filter((model) => model.meshes), pixel = new Uint8Array(4);
            this.renderer.setClearColor(0, 0);
            let number = -1;
            for (const mode of [viewer.modes.solid, viewer.modes.ghost]) {
                const group = new THREE.Scene();
                for (const model of shown.filter(({ counts }) => counts[mode])) {
                    const mesh = new THREE.Mesh(model.geometry, material);
                    mesh.frustumCulled = false;
                    group.add(mesh);
                }
                material.uniforms.pass.value = mode;
                this.renderer.setRenderTarget(target);
                this.clear();
                this.renderer.render(group, eye);
                this.renderer.readRenderTargetPixels(target, 0, 0, 1, 1, pixel);
                number = pixel[0] + 256 * pixel[1] + 65536 * pixel[2] - 1;
                if (number >= 0) {
                    break;
                }
            }
            this.renderer.setRenderTarget(null);
            this.renderer.setClearColor(this.look.ground, 1);
            eye.clearViewOffset();
            return number;
        }

        hover(x, y, event) {
            this.hoverAt = [x, y, event];
            if (!this.hoverTimer) {
                this.hoverTimer = setTimeout(() => {
                    this.hoverTimer = 0;
                    const [x2, y2, last] = this.hoverAt;
                    this.options.onHover(this.pick(x2, y2), last);
                }, 80);
            }
        }

        image() {
            this.render();
            return this.canvas.toDataURL("image/png");
        }

        dispose() {
            cancelAnimationFrame(this.asked);
            clearTimeout(this.hoverTimer);
            this.observer.disconnect();
            this.renderer.dispose();
            this.canvas.remove();
            for (const { element } of this.labels.values()) {
                element.remove();
            }
        }
    }

    viewer.create = function (element, options = {}) {
        if (typeof THREE === "undefined") {
            return null;
        }
        const canvas = document.createElement("canvas");
        canvas.className = "tumble-canvas";
        const context = graphics(canvas);
        if (!context) {
            return null;
        }
        element.append(canvas);
        return new View(element, options, canvas, context);
    };
})(globalThis.TumbleViewer = globalThis.TumbleViewer || {});

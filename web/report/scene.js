// What the view shows: all parts, a clash with its two parts, or how many clashes each part has.
(function (report) {
    "use strict";

    const base = [0x93a1af, 0xa7a08f, 0x8fa596, 0xa596a5, 0x9d9c93, 0x8c9cae];
    const sides = { light: { a: 0x2f6fb5, b: 0xe08a1e }, dark: { a: 0x5f9fe3, b: 0xf0a542 } };
    const heats = { light: [[0xc3, 0xd2, 0xe0], [0x7a, 0x0f, 0x3c]], dark: [[0x3a, 0x4a, 0x5c], [0xff, 0xd8, 0x80]] };
    const sub = (a, b) => a.map((value, axis) => value - b[axis]);
    const along = (a, b, t) => a.map((value, axis) => value + t * b[axis]);
    const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    const unit = (a) => { const size = Math.hypot(...a); return size ? a.map((value) => value / size) : [0, 0, 0]; };
    const half = (box) => Math.hypot(...sub(box.upper, box.lower)) / 2;
    const middle = (box) => box.lower.map((value, axis) => (value + box.upper[axis]) / 2);

    // A script of data/, which hands over its text by calling a function of the report's.
    function load(file) {
        return new Promise((resolve, reject) => {
            const script = document.createElement("script");
            script.src = `data/${file}.js`;
            script.onload = () => { script.remove(); resolve(); };
            script.onerror = () => reject(new Error(`data/${file}.js is missing`));
            document.head.append(script);
        });
    }

    report.planes = ["facing", "x", "y", "z", "across"];
    report.rests = { ghost: "faint", hidden: "hidden", solid: "solid" };

    report.Scene = class {
        constructor(element, { dark, onPick }) {
            const { parts } = report, origin = [0, 1, 2].map((axis) => {
                let sum = 0;
                for (let part = 0; part < parts.count; part++) {
                    sum += parts.pose[12 * part + 4 * axis + 3];
                }
                return parts.count ? sum / parts.count : 0;
            });
            this.up = report.data.up || "z";
            this.viewer = globalThis.TumbleViewer.create(element, { up: this.up, dark, origin,
                onPick: (number) => onPick(number < 0 ? -1 : this.partOf[number]) });
            this.dark = dark;
            this.numberOf = new Int32Array(parts.count).fill(-1);
            this.partOf = [];
            this.curves = new Map();
            this.clash = -1;
            this.part = -1;
            this.heat = null;
            this.rest = "ghost";
            this.measured = true;
            this.plane = null;
            this.offset = 0;
            this.flip = 1;
        }

        // ---- Geometry ----

        async load(progress) {
            const files = report.data.model_files, waiting = new Map();
            for (let part = 0; part < report.parts.count; part++) {
                const model = report.parts.model[part];
                waiting.set(model, [...(waiting.get(model) || []), part]);
            }
            for (let file = 0; file < files; file++) {
                let text = "";
                report.models = (number, found) => { text = found; };
                await load(`models-${file}`);
                this.addModels(report.bytes(text), waiting);
                if (file === 0) {
                    this.viewer.home(0);
                }
                progress(file + 1, files);
            }
            if (this.clash < 0) {
                this.viewer.home(0);
            }
        }

        // Number, points, triangles, closed; points; corners.
        addModels(bytes, waiting) {
            const list = [];
            for (let at = 0; at < bytes.length;) {
                const [model, points, triangles, closed] = new Uint32Array(bytes.buffer, at, 4);
                const number = this.viewer.addModel({
                    points: new Float32Array(bytes.buffer, at + 16, 3 * points),
                    indices: new Uint32Array(bytes.buffer, at + 16 + 12 * points, 3 * triangles), closed: closed === 1
                });
                at += 16 + 12 * (points + triangles);
                for (const part of waiting.get(model) || []) {
                    list.push({ model: number, pose: report.row(report.parts.pose, part), part });
                }
            }
            const first = this.viewer.addParts(list);
            list.forEach(({ part }, k) => {
                this.numberOf[part] = first + k;
                this.partOf[first + k] = part;
            });
            list.forEach(({ part }) => this.paint(part));
            if (this.clash >= 0 && report.partsOf(this.clash).some((part) => list.some((entry) => entry.part === part))) {
                this.showClash(this.clash);
            }
        }

        box(part) {
            return part !== report.none && this.numberOf[part] >= 0 ? this.viewer.box(this.numberOf[part]) : null;
        }

        // ---- Colours ----

        colourOf(part) {
            const word = report.parts.class[part] || report.parts.file[part];
            let hash = 0;
            for (let i = 0; i < word.length; i++) {
                hash = (hash * 31 + word.charCodeAt(i)) >>> 0;
            }
            return base[hash % base.length];
        }

        heatColour(share) {
            const [cold, hot] = heats[this.dark ? "dark" : "light"];
            return cold.reduce((colour, value, k) => colour * 256 + Math.round(value + (hot[k] - value) * share), 0);
        }

        shareOf(part) {
            return Math.log1p(this.heat.counts[part]) / Math.log1p(Math.max(1, this.heat.most));
        }

        look(part) {
            if (this.clash >= 0) {
                const side = report.clashes.a[this.clash] === part ? "a" : report.clashes.b[this.clash] === part ? "b" : "";
                if (side) {
                    const colour = sides[this.dark ? "dark" : "light"][side];
                    return { mode: this.isAround(side) && !this.plane ? "ghost" : "solid", colour };
                }
                return { mode: this.rest, colour: this.colourOf(part) };
            }
            if (this.part >= 0) {
                return part === this.part ? { mode: "solid", colour: sides[this.dark ? "dark" : "light"].a } :
                    { mode: this.rest, colour: this.colourOf(part) };
            }
            if (this.heat) {
                return this.heat.counts[part] ? { mode: "solid", colour: this.heatColour(this.shareOf(part)) } :
                    { mode: "ghost", colour: this.colourOf(part) };
            }
            return { mode: "solid", colour: this.colourOf(part) };
        }

        // What contains the other part is faint, or the other could not be seen.
        isAround(side) {
            return report.clashes.inside[this.clash] === (side === "a" ? 2 : 1);
        }

        paint(part) {
            if (part !== report.none && this.numberOf[part] >= 0) {
                this.viewer.paint(this.numberOf[part], this.look(part));
            }
        }

        paintAll() {
            for (let part = 0; part < report.parts.count; part++) {
                this.paint(part);
            }
        }

        // ---- What is shown ----

        showAll(fly = true) {
            this.leave();
            this.paintAll();
            if (fly) {
                this.viewer.home();
            }
        }

        leave() {
            this.clash = -1;
            this.part = -1;
            this.viewer.focus([]);
            this.viewer.section(null);
            for (const name of ["contact", "measure", "point"]) {
                this.viewer.lines(name, null);
            }
            for (const name of ["measure", "a", "b"]) {
                this.viewer.label(name, [0, 0, 0], "");
            }
        }

        showPart(part) {
            this.leave();
            this.part = part;
            this.paintAll();
            const box = this.box(part);
            if (box) {
                this.viewer.focus([this.numberOf[part]]);
                this.viewer.fly({ centre: middle(box), radius: half(box) * 1.6 || 1 });
            }
        }

        showClash(i) {
            const before = this.clash >= 0 ? report.partsOf(this.clash) : null;
            this.leave();
            this.clash = i;
            const parts = report.partsOf(i);
            if (before) {
                [...before, ...parts].forEach((part) => this.paint(part));
            } else {
                this.paintAll();
            }
            this.viewer.focus(parts.filter((part) => this.numberOf[part] >= 0).map((part) => this.numberOf[part]));
            this.place = this.placeOf(i);
            const { centre, radius } = this.place;
            // Single precision holds for a million times the size of what is looked at.
            if (Math.hypot(...sub(centre, this.viewer.origin)) > 1e4 * radius) {
                this.viewer.setOrigin(centre);
            }
            this.fly();
            this.drawCurve(i);
            this.drawMeasure(i);
            this.drawSection();
        }

        fly() {
            this.viewer.fly({ centre: this.place.centre, radius: this.place.radius, toward: this.towardOf(this.clash) });
        }

        // Where to look, and how closely: at the clash, but not so closely that the parts are lost.
        placeOf(i) {
            const box = report.boxOf(i);
            const sizes = report.partsOf(i).map((part) => this.box(part)).filter(Boolean).map(half).filter((size) => size > 0);
            const small = sizes.length ? Math.min(...sizes) : half(box) || 1;
            return { centre: middle(box), radius: Math.max(half(box) * 1.5, Math.min(small * 1.2, Math.max(small * 0.25, half(box) * 4))) || 1 };
        }

        // Across the direction in which the parts leave each other, and from above.
        towardOf(i) {
            const n = Array.from(report.row(report.clashes.normal, i)), now = this.viewer.toward();
            const axis = "xyz".indexOf(this.up.slice(-1)), up = [0, 0, 0];
            up[axis] = this.up[0] === "-" ? -1 : 1;
            const level = unit(along(now, up, -dot(now, up)));
            let side = unit(cross(n, up));
            if (!dot(side, side)) {
                side = level;
            }
            if (dot(side, now) < 0) {
                side = side.map((value) => -value);
            }
            // What lies above the other would hide it from above.
            const flat = along(n, up, -dot(n, up)), tilt = 0.2 + 0.3 * (1 - Math.abs(dot(n, up)));
            return unit([0, 1, 2].map((k) => side[k] + tilt * up[k] + 0.35 * (dot(flat, now) < 0 ? -flat[k] : flat[k])));
        }

        // ---- Lines, labels, sections ----

        async drawCurve(i) {
            const point = Array.from(report.row(report.clashes.point, i));
            this.viewer.lines("point", [...point, ...point], { colour: this.dark ? 0xff5f87 : 0xb40032, width: 9 });
            const offsets = await this.curveOf(i);
            if (this.clash === i && offsets) {
                this.viewer.lines("contact", Float64Array.from(offsets, (value, k) => value + point[k % 3]),
                    { colour: this.dark ? 0xff5f87 : 0xb40032, width: 4 });
            }
        }

        // Ends of its segments relative to its point, or undefined.
        async curveOf(i) {
            const firsts = report.data.curve_firsts;
            const file = firsts.filter((first) => first <= i).length - 1;
            if (file < 0) {
                return undefined;
            }
            if (!this.curves.has(file)) {
                this.curves.set(file, (async () => {
                    let text = "";
                    report.curves = (number, found) => { text = found; };
                    await load(`curves-${file}`);
                    const bytes = report.bytes(text), found = new Map();
                    for (let at = 0; at < bytes.length;) {
                        const [clash, count] = new Uint32Array(bytes.buffer, at, 2);
                        found.set(clash, new Float32Array(bytes.buffer, at + 8, 6 * count));
                        at += 8 + 24 * count;
                    }
                    return found;
                })());
            }
            return (await this.curves.get(file)).get(i);
        }

        drawMeasure(i) {
            const { viewer } = this, point = Array.from(report.row(report.clashes.point, i)), depth = report.depthOf(i);
            const near = report.row(report.clashes.nearest, i), n = Array.from(report.row(report.clashes.normal, i));
            const ends = [0, 3].map((k) => point.map((value, axis) => value + near[k + axis]));
            const ink = this.dark ? 0xffffff : 0x111820, distance = report.clashes.distance[i];
            viewer.lines("measure", null);
            viewer.label("measure", point, "");
            if (this.measured && distance > 0) {
                viewer.lines("measure", [...ends[0], ...ends[1]], { colour: ink, width: 3 });
                viewer.label("measure", middle({ lower: ends[0], upper: ends[1] }), report.length(distance));
            } else if (this.measured && depth && depth[1] > 0 && dot(n, n)) {
                const end = along(point, n, depth[1]);
                viewer.lines("measure", [...point, ...end], { colour: ink, width: 3 });
                viewer.label("measure", end, report.range(depth));
            }
            for (const side of ["a", "b"]) {
                const box = this.box(report.clashes[side][i]);
                if (box) {
                    const way = sub(middle(box), this.place.centre), size = Math.hypot(...way) || 1;
                    const at = this.isAround(side) ? middle(box).map((value, axis) =>
                        "xyz"[axis] === this.up.slice(-1) ? box[this.up[0] === "-" ? "lower" : "upper"][axis] : value) :
                        along(this.place.centre, way, Math.min(1, 0.7 * this.place.radius / size));
                    viewer.label(side, at, `${side.toUpperCase()}: ${report.sideName(i, side)}`, side);
                }
            }
        }

        normal() {
            const n = Array.from(report.row(report.clashes.normal, this.clash)), now = this.viewer.toward();
            const axis = ["x", "y", "z"].indexOf(this.plane);
            if (axis >= 0) {
                const straight = [0, 0, 0];
                straight[axis] = now[axis] < 0 ? -1 : 1;
                return straight;
            }
            if (this.plane === "across" && dot(n, n)) {
                return dot(n, now) < 0 ? n.map((value) => -value) : n;
            }
            const facing = unit(along(now, n, -dot(now, n)));
            return dot(facing, facing) ? facing : now;
        }

        drawSection() {
            if (this.clash >= 0) {
                report.partsOf(this.clash).forEach((part) => this.paint(part));
            }
            if (!this.plane || this.clash < 0) {
                this.viewer.section(null);
                return;
            }
            const normal = this.normal();
            this.viewer.section({ normal, point: along(this.place.centre, normal, this.offset * this.place.radius / 100) });
        }

        theme(dark) {
            this.dark = dark;
            this.viewer.theme(dark);
            this.paintAll();
            if (this.clash >= 0) {
                this.drawCurve(this.clash);
                this.drawMeasure(this.clash);
            }
        }
    };
})(globalThis.TumbleReport);

// Arrows and rings about B, which move and turn it along an axis, and B itself, which is dragged in the plane of the view.
(function (page) {
    "use strict";

    const colours = [0xd23b3b, 0x2f9a4a, 0x3b6fe0], names = ["x", "y", "z"];
    const ringSteps = 64;
    const dot = (u, v) => u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
    const minus = (u, v) => u.map((value, i) => value - v[i]);
    const plus = (u, v, factor = 1) => u.map((value, i) => value + factor * v[i]);

    page.Gizmo = class {
        // `target`: {pose(), setPose(pose), centre(), radius(), part}; centre and radius of B where it is.
        constructor(view, element, target) {
            Object.assign(this, { view, element, target, held: null });
            element.addEventListener("pointerdown", (event) => this.press(event), true);
            element.addEventListener("pointermove", (event) => this.move(event), true);
            for (const name of ["pointerup", "pointercancel"]) {
                element.addEventListener(name, (event) => this.release(event), true);
            }
        }

        // The segments of each handle, in the coordinates of the poses.
        handles() {
            const centre = this.target.centre(), size = this.target.radius() * 0.8, list = [];
            for (let axis = 0; axis < 3; axis++) {
                const direction = [0, 1, 2].map((k) => k === axis ? 1 : 0);
                const u = [0, 1, 2].map((k) => k === (axis + 1) % 3 ? 1 : 0), v = [0, 1, 2].map((k) => k === (axis + 2) % 3 ? 1 : 0);
                const tip = plus(centre, direction, 1.25 * size), barb = plus(centre, direction, 1.14 * size);
                const arrow = [...plus(centre, direction, 0.15 * size), ...tip];
                for (const side of [u, v]) {
                    for (const sign of [-0.05, 0.05]) {
                        arrow.push(...tip, ...plus(barb, side, sign * size));
                    }
                }
                list.push({ kind: "arrow", axis, direction, u, v, segments: arrow });
                const ring = [];
                for (let i = 0; i < ringSteps; i++) {
                    for (const k of [i, i + 1]) {
                        const angle = 2 * Math.PI * k / ringSteps;
                        ring.push(...plus(plus(centre, u, size * Math.cos(angle)), v, size * Math.sin(angle)));
                    }
                }
                list.push({ kind: "ring", axis, direction, u, v, segments: ring });
            }
            return list;
        }

        draw() {
            for (const { kind, axis, segments } of this.handles()) {
                const held = this.held && this.held.kind === kind && this.held.axis === axis;
                this.view.lines(`${kind} ${names[axis]}`, segments,
                    { colour: colours[axis], width: held ? 6 : kind === "arrow" ? 4 : 2, alpha: held ? 1 : kind === "arrow" ? 0.9 : 0.5 });
            }
        }

        place(event) {
            const box = this.element.getBoundingClientRect();
            return [event.clientX - box.left, event.clientY - box.top];
        }

        // Where a point is seen, in pixels; null behind the eye.
        seen(point) {
            const at = new THREE.Vector3(...this.view.relative(point)).project(this.view.view.eye);
            return at.z < 1 ? [(at.x + 1) / 2 * this.element.clientWidth, (1 - at.y) / 2 * this.element.clientHeight] : null;
        }

        // The ray through a pixel: {from, along} in the coordinates of the poses.
        ray([x, y]) {
            const eye = this.view.view.eye, origin = this.view.origin;
            const far = new THREE.Vector3(2 * x / this.element.clientWidth - 1, 1 - 2 * y / this.element.clientHeight, 0.5).unproject(eye);
            const from = [eye.position.x, eye.position.y, eye.position.z], along = minus([far.x, far.y, far.z], from);
            const length = Math.hypot(...along);
            return { from: plus(from, origin), along: along.map((value) => value / length) };
        }

        // The handle within a few pixels, arrows before rings.
        find([x, y], reach) {
            let best = null, least = reach;
            for (const handle of this.handles()) {
                const extra = handle.kind === "ring" ? reach * 0.4 : 0;
                for (let i = 0; i < handle.segments.length; i += 6) {
                    const p = this.seen(handle.segments.slice(i, i + 3)), q = this.seen(handle.segments.slice(i + 3, i + 6));
                    if (!p || !q) {
                        continue;
                    }
                    const dx = q[0] - p[0], dy = q[1] - p[1], along = dx * dx + dy * dy;
                    const t = along > 0 ? Math.max(0, Math.min(1, ((x - p[0]) * dx + (y - p[1]) * dy) / along)) : 0;
                    const away = Math.hypot(p[0] + t * dx - x, p[1] + t * dy - y) + extra;
                    if (away < least) {
                        [best, least] = [handle, away];
                    }
                }
            }
            return best;
        }

        press(event) {
            if (this.held || event.button !== 0 || event.shiftKey || this.fingers(event) > 1) {
                return;
            }
            this.view.view.apply();
            const at = this.place(event), handle = this.find(at, event.pointerType === "touch" ? 26 : 10);
            if (!handle && this.view.pick(...at) !== this.target.part) {
                return;
            }
            event.stopPropagation();
            event.preventDefault();
            this.element.setPointerCapture(event.pointerId);
            const centre = this.target.centre();
            this.held = {
                ...(handle || { kind: "body", direction: this.view.toward() }), pointer: event.pointerId, centre,
                pose: this.target.pose(), at
            };
            this.held.first = this.grasp(at);
            this.draw();
        }

        // Second fingers are the view's.
        fingers(event) {
            return event.isPrimary ? 1 : 2;
        }

        // What the pointer holds: a place along an arrow, an angle of a ring, a point of the view's plane.
        grasp(at) {
            const { kind, direction, centre, u, v } = this.held, { from, along } = this.ray(at);
            if (kind === "arrow") {
                const b = dot(direction, along), apart = minus(centre, from), bottom = 1 - b * b;
                return bottom < 1e-6 ? null : (b * dot(apart, along) - dot(apart, direction)) / bottom;
            }
            const slope = dot(direction, along);
            if (kind === "ring" && Math.abs(slope) < 0.12) {
                // Seen from the side: the pointer's way along the ring counts.
                const p = this.seen(centre);
                return p ? { side: at[0] - p[0] + at[1] - p[1] } : null;
            }
            const hit = plus(from, along, dot(direction, minus(centre, from)) / slope);
            return kind === "ring" ? { angle: Math.atan2(dot(minus(hit, centre), v), dot(minus(hit, centre), u)) } : hit;
        }

        move(event) {
            if (!this.held) {
                if (event.pointerType === "mouse" && event.buttons === 0) {
                    this.view.view.apply();
                    this.element.classList.toggle("over", Boolean(this.find(this.place(event), 10)));
                }
                return;
            }
            if (event.pointerId !== this.held.pointer) {
                return;
            }
            event.stopPropagation();
            const { kind, direction, pose, centre, first } = this.held, now = this.grasp(this.place(event));
            if (first === null || now === null) {
                return;
            }
            if (kind === "arrow") {
                this.target.setPose(page.pose.moved(pose, direction.map((value) => value * (now - first))));
            } else if (kind === "body") {
                this.target.setPose(page.pose.moved(pose, minus(now, first)));
            } else {
                const angle = "side" in now && "side" in first ? (now.side - first.side) * 0.01
                    : "angle" in now && "angle" in first ? now.angle - first.angle : 0;
                this.target.setPose(page.pose.turned(pose, direction, angle, centre));
            }
        }

        release(event) {
            if (this.held && event.pointerId === this.held.pointer) {
                event.stopPropagation();
                this.held = null;
                this.draw();
            }
        }
    };
})(globalThis.TumblePage = globalThis.TumblePage || {});

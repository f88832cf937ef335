// Runs in the worker: bodies fall into a bowl and come to rest. A move is made only if the library says that the body
// then touches nothing, so no two bodies ever intersect, however odd their shapes.
(function () {
    "use strict";

    const gravity = 9, tries = 6, patience = 30, dropped = 0.002, pushed = 0.02;

    // Random numbers that are the same every time.
    function random(seed) {
        let state = seed;
        return () => {
            state = (state + 0x6d2b79f5) | 0;
            let t = Math.imul(state ^ state >>> 15, 1 | state);
            t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
            return ((t ^ t >>> 14) >>> 0) / 4294967296;
        };
    }

    const turn = (axis, angle) => {
        const length = Math.hypot(...axis) || 1, [x, y, z] = axis.map((value) => value / length);
        const c = Math.cos(angle), s = Math.sin(angle), d = 1 - c;
        return [c + x * x * d, x * y * d - z * s, x * z * d + y * s, y * x * d + z * s, c + y * y * d, y * z * d - x * s,
            z * x * d - y * s, z * y * d + x * s, c + z * z * d];
    };

    // A rotation, a pose's rotation after it, made a rotation again, at a place.
    function posed(rotation, pose, place) {
        const r = [];
        for (let row = 0; row < 3; row++) {
            for (let column = 0; column < 3; column++) {
                r.push(rotation[3 * row] * pose[column] + rotation[3 * row + 1] * pose[4 + column] +
                    rotation[3 * row + 2] * pose[8 + column]);
            }
        }
        const l = Math.hypot(r[0], r[1], r[2]), x = [r[0] / l, r[1] / l, r[2] / l];
        const along = r[3] * x[0] + r[4] * x[1] + r[5] * x[2];
        let y = [r[3] - along * x[0], r[4] - along * x[1], r[5] - along * x[2]];
        const m = Math.hypot(...y);
        y = y.map((value) => value / m);
        return [...x, place[0], ...y, place[1], x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2],
            x[0] * y[1] - x[1] * y[0], place[2]];
    }

    class Heap {
        // shapes: {model, radius}; the bodies take turns.
        constructor(library, bowl, shapes, count, seed) {
            Object.assign(this, { library, bowl, steps: 0, checks: 0, checking: 0 });
            this.random = random(seed);
            // Three on each floor, with room between them.
            const largest = Math.max(...shapes.map((shape) => shape.radius));
            this.poses = new Float64Array(12 * count);
            this.bodies = Array.from({ length: count }, (_, i) => {
                const angle = 2.4 * Math.floor(i / 3) + i % 3 * 2 * Math.PI / 3, far = 1.3 * largest;
                const shape = shapes[i % shapes.length];
                const body = {
                    number: i, shape, place: [far * Math.cos(angle), far * Math.sin(angle), 1.2 + 2.1 * largest * Math.floor(i / 3)],
                    speed: 0, spin: [this.random() - 0.5, this.random() - 0.5, this.random() - 0.5], failed: 0, asleep: false
                };
                body.pose = posed(turn([this.random() - 0.5, this.random() - 0.5, this.random()], 6 * this.random()),
                    [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0], body.place);
                return body;
            });
        }

        near(body, place) {
            const found = [];
            for (const other of this.bodies) {
                const reach = body.shape.radius + other.shape.radius, dx = other.place[0] - place[0];
                const dy = other.place[1] - place[1], dz = other.place[2] - place[2];
                if (other !== body && dx * dx + dy * dy + dz * dz < reach * reach) {
                    found.push(other);
                }
            }
            return found;
        }

        // Does the body touch nothing there?
        free(body, pose, place) {
            this.checks++;
            if (this.library.collide(this.bowl, body.shape.model, null, pose)) {
                return false;
            }
            for (const other of this.near(body, place)) {
                this.checks++;
                if (this.library.collide(other.shape.model, body.shape.model, other.pose, pose)) {
                    return false;
                }
            }
            return true;
        }

        accept(body, pose, place) {
            const moved = Math.hypot(...place.map((value, i) => value - body.place[i]));
            body.pose = pose;
            body.place = place;
            if (moved > pushed) {
                // What leaned on it may fall on.
                for (const other of this.near(body, place)) {
                    if (other.place[2] > place[2] - body.shape.radius) {
                        other.failed = Math.min(other.failed, patience - 2);
                        other.asleep = false;
                    }
                }
            }
        }

        fall(body, seconds) {
            body.speed = Math.min(6, body.speed + gravity * seconds);
            const place = [body.place[0], body.place[1], body.place[2] - body.speed * seconds];
            const pose = posed(turn(body.spin, 2 * seconds), body.pose, place);
            if (this.free(body, pose, place)) {
                this.accept(body, pose, place);
                body.failed = 0;
                return;
            }
            // It rests on something: it slides, rolls and drops as far as there is room.
            body.speed *= 0.5;
            for (let i = 0; i < tries; i++) {
                // Far moves first, then ever nearer ones.
                const shift = 0.5 * body.shape.radius * Math.pow(0.4, i + this.random()), r = this.random;
                const other = [body.place[0] + 2 * shift * (r() - 0.5), body.place[1] + 2 * shift * (r() - 0.5),
                    body.place[2] - shift * r() * 0.5];
                const turned = posed(turn([r() - 0.5, r() - 0.5, r() - 0.5], 2 * shift * (r() - 0.5) / body.shape.radius),
                    body.pose, other);
                if (this.free(body, turned, other)) {
                    body.failed = body.place[2] - other[2] > dropped ? 0 : body.failed + 1;
                    body.asleep = body.failed > patience;
                    this.accept(body, turned, other);
                    return;
                }
            }
            body.failed++;
            body.asleep = body.failed > patience;
        }

        step(seconds) {
            const start = performance.now();
            for (const body of this.bodies) {
                if (!body.asleep) {
                    this.fall(body, seconds);
                    if (body.place[2] < -6) {
                        body.asleep = true; // it fell off the rim
                    }
                }
            }
            this.steps++;
            this.checking += performance.now() - start;
        }

        answer() {
            this.bodies.forEach((body, i) => this.poses.set(body.pose, 12 * i));
            return {
                poses: this.poses.slice(), asleep: this.bodies.filter((body) => body.asleep).length, count: this.bodies.length,
                checks: this.checks, milliseconds: this.checking, steps: this.steps
            };
        }

        // All pairs, as it stands: there is none that intersects.
        intersecting() {
            let found = 0;
            for (const body of this.bodies) {
                for (const other of this.near(body, body.place)) {
                    found += other.number > body.number &&
                        this.library.collide(body.shape.model, other.shape.model, body.pose, other.pose);
                }
                found += this.library.collide(this.bowl, body.shape.model, null, body.pose);
            }
            return found;
        }
    }

    globalThis.TumbleHeap = Heap;
})();

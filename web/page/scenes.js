// The built-in scenes: meshes from formulas, and paths of B, which take a time of 0 to 1.
(function (page) {
    "use strict";

    const { turn, compose, moved, identity } = page.pose;
    const full = 2 * Math.PI;

    // A grid of points that closes in u, and in v too unless it ends in caps: fans about the middle of a row.
    function grid(nu, nv, at, { caps = false } = {}) {
        const position = [], index = [];
        for (let v = 0; v < nv; v++) {
            for (let u = 0; u < nu; u++) {
                position.push(...at(u / nu, caps ? v / (nv - 1) : v / nv));
            }
        }
        const rows = caps ? nv - 1 : nv;
        for (let v = 0; v < rows; v++) {
            for (let u = 0; u < nu; u++) {
                const a = v * nu + u, b = v * nu + (u + 1) % nu, next = (v + 1) % nv;
                const c = next * nu + u, d = next * nu + (u + 1) % nu;
                index.push(a, b, d, a, d, c);
            }
        }
        for (const row of caps ? [0, nv - 1] : []) {
            const middle = [0, 0, 0];
            for (let i = 0; i < 3 * nu; i++) {
                middle[i % 3] += position[3 * nu * row + i] / nu;
            }
            const hub = position.push(...middle) / 3 - 1;
            for (let u = 0; u < nu; u++) {
                const a = row * nu + u, b = row * nu + (u + 1) % nu;
                index.push(...row === 0 ? [a, hub, b] : [a, b, hub]);
            }
        }
        return outward({ position: Float64Array.from(position), index: Uint32Array.from(index) });
    }

    // Triangles whose volume is negative are turned round.
    function outward(mesh) {
        const { position: p, index } = mesh;
        let volume = 0;
        for (let i = 0; i < index.length; i += 3) {
            const [a, b, c] = [3 * index[i], 3 * index[i + 1], 3 * index[i + 2]];
            volume += p[a] * (p[b + 1] * p[c + 2] - p[b + 2] * p[c + 1]) + p[a + 1] * (p[b + 2] * p[c] - p[b] * p[c + 2]) +
                p[a + 2] * (p[b] * p[c + 1] - p[b + 1] * p[c]);
        }
        if (volume < 0) {
            for (let i = 0; i < index.length; i += 3) {
                [index[i], index[i + 1]] = [index[i + 1], index[i]];
            }
        }
        return mesh;
    }

    function torus(large, small, nu, nv) {
        return grid(nu, nv, (u, v) => {
            const r = large + small * Math.cos(full * v);
            return [r * Math.cos(full * u), r * Math.sin(full * u), small * Math.sin(full * v)];
        });
    }

    // A tube along a closed curve. Its frame is turned so that one axis is across `aside`, which is never along the curve.
    function tube(curve, radius, nu, nv, aside = (p) => p) {
        return grid(nu, nv, (u, v) => {
            const t = full * u, e = 1e-4, p = curve(t), q = curve(t + e);
            const d = p.map((value, i) => q[i] - value), length = Math.hypot(...d), along = d.map((value) => value / length);
            const a = aside(p);
            let side = [a[1] * along[2] - a[2] * along[1], a[2] * along[0] - a[0] * along[2], a[0] * along[1] - a[1] * along[0]];
            side = side.map((value) => value / Math.hypot(...side));
            const up = [along[1] * side[2] - along[2] * side[1], along[2] * side[0] - along[0] * side[2],
                along[0] * side[1] - along[1] * side[0]];
            const c = radius * Math.cos(full * v), s = radius * Math.sin(full * v);
            return p.map((value, i) => value + c * side[i] + s * up[i]);
        });
    }

    const trefoil = (t) => [Math.sin(t) + 2 * Math.sin(2 * t), Math.cos(t) - 2 * Math.cos(2 * t), -Math.sin(3 * t)]
        .map((value) => 0.5 * value);

    // A curve that crosses itself.
    const eight = (t) => [1.4 * Math.sin(t), 1.1 * Math.sin(2 * t), 0.05 * Math.cos(t)];

    function sphere(radius, n) {
        return grid(2 * n, n, (u, v) => {
            const height = Math.PI * (0.001 + 0.998 * v), r = radius * Math.sin(height);
            return [r * Math.cos(full * u), r * Math.sin(full * u), -radius * Math.cos(height)];
        }, { caps: true });
    }

    // Threads: a triangle wave that climbs one pitch a turn.
    const pitch = 0.25, depth = 0.13;
    const thread = (u, z) => {
        const place = z / pitch - u, within = place - Math.floor(place);
        return depth * (1 - Math.abs(2 * within - 1));
    };

    function bolt(steps = 150, around = 96) {
        const low = -1.3, high = 1.2, head = 0.45;
        const hexagon = (u) => 0.75 / Math.cos((u * 6 - Math.floor(u * 6) - 0.5) * full / 6);
        const rows = [];
        for (let i = 0; i <= steps; i++) {
            const z = low + (high - low) * i / steps, fade = Math.min(1, (z - low) / 0.25);
            rows.push([z, (u) => 0.38 + fade * thread(u, z)]);
        }
        rows.push([high, hexagon], [high + head, hexagon]);
        return grid(around, rows.length, (u, v) => {
            const [z, radius] = rows[Math.round(v * (rows.length - 1))], r = radius(u);
            return [r * Math.cos(full * u), r * Math.sin(full * u), z];
        }, { caps: true });
    }

    function nut() {
        const half = 0.4, steps = 60, rows = [];
        for (let i = 0; i <= steps; i++) {
            const z = -half + 2 * half * i / steps;
            rows.push([z, (u) => 0.38 + 0.015 + thread(u, z)]);
        }
        const hexagon = (u) => 0.85 / Math.cos((u * 6 - Math.floor(u * 6) - 0.5) * full / 6);
        rows.push([half, hexagon], [-half, hexagon]);
        return grid(96, rows.length, (u, v) => {
            const [z, radius] = rows[Math.round(v * rows.length) % rows.length], r = radius(u);
            return [r * Math.cos(full * u), r * Math.sin(full * u), z];
        });
    }

    const teeth = 20;
    function gear() {
        const flank = [0.9, 0.9, 0.93, 1.02, 1.09, 1.09, 1.02, 0.93], n = flank.length;
        const rows = [[-0.2, 0.3], [-0.2, 1], [0.2, 1], [0.2, 0.3]];
        return grid(teeth * n, rows.length, (u, v) => {
            const [z, part] = rows[Math.round(v * rows.length) % rows.length];
            const r = part === 1 ? flank[Math.round(u * teeth * n) % n] : part;
            return [r * Math.cos(full * u), r * Math.sin(full * u), z];
        });
    }

    // One gear rolls about the other: it turns twice as fast as it goes round.
    const rolling = (t) => {
        const round = full * t, far = 2.005, place = [far * Math.cos(round), far * Math.sin(round), 0];
        return moved(turn([0, 0, 1], 2 * round + full * 0.375 / teeth), place);
    };

    const screw = (t) => moved(turn([0, 0, 1], full * 6 * t), [0, 0, pitch * 6 * t]);

    // A bowl: walls of some thickness, open above.
    function bowl() {
        const rows = [];
        for (let i = 0; i <= 16; i++) {
            const angle = full / 4 * (0.002 + 0.998 * i / 16);
            rows.push([1.9 * Math.sin(angle), -1.5 * Math.cos(angle)]);
        }
        rows.push([2.05, 0.35], [2.25, 0.35]);
        for (let i = 16; i >= 0; i--) {
            const angle = full / 4 * (0.002 + 0.998 * i / 16);
            rows.push([2.05 * Math.sin(angle), -1.65 * Math.cos(angle)]);
        }
        return grid(64, rows.length, (u, v) => {
            const [r, z] = rows[Math.round(v * rows.length) % rows.length];
            return [r * Math.cos(full * u), r * Math.sin(full * u), z];
        });
    }

    const scaled = (mesh, factor) => ({ position: mesh.position.map((value) => value * factor), index: mesh.index });

    page.heap = () => ({
        shapes: [bowl(), torus(0.2, 0.07, 32, 12), scaled(tube(trefoil, 0.28, 90, 10), 0.2), scaled(gear(), 0.25),
            scaled(bolt(50, 24), 0.2)],
        colours: [0xa9b4bf, 0xe08a1e, 0x5b8fc9, 0x3fa37b, 0xb667c4], count: 120, seed: 1
    });

    page.scenes = [
        {
            key: "knot", name: "A knot and a ring", a: () => tube(trefoil, 0.28, 400, 25), b: () => torus(1, 0.3, 200, 50),
            pose: compose(moved(identity, [0.55, -0.5, 0]), turn([1, 0.3, 0], 1.1)),
            path: (t) => compose(moved(identity, [2.2 * Math.cos(full * t) - 0.4, 0.6 * Math.sin(2 * full * t), 0.4 * Math.sin(full * t)]),
                turn([1, 0.3, 0.5], 1.1 + full * t))
        },
        { key: "bolt", name: "A bolt and its nut", a: () => bolt(), b: nut, pose: screw(0.02), path: (t) => screw(0.9 * t - 0.35) },
        { key: "gears", name: "Two gears", a: gear, b: gear, pose: rolling(0), path: rolling },
        {
            key: "tube", name: "A tube through itself", a: () => tube(eight, 0.25, 400, 25, () => [0, 0, 1]), b: () => torus(0.5, 0.15, 120, 30),
            pose: moved(identity, [0.9, -1.3, 0.9]),
            path: (t) => compose(moved(identity, [1.4 * Math.sin(full * t), 0.5 * Math.sin(2 * full * t), 0.5 * Math.cos(full * t)]),
                turn([1, 0, 0], full * t))
        },
        {
            key: "ball", name: "Through a wall", a: () => sphere(1, 60), b: () => sphere(0.4, 50), pose: moved(identity, [0.3, 0.1, 0.05]),
            path: (t) => moved(identity, [2 * t, 0, 0.3 * Math.sin(full * t)])
        }
    ];
})(globalThis.TumblePage = globalThis.TumblePage || {});

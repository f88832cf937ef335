// Poses: 12 numbers, the three rows of a rotation and a translation.
(function (page) {
    "use strict";

    const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

    function turn(axis, angle) {
        const length = Math.hypot(...axis), [x, y, z] = axis.map((value) => value / length);
        const c = Math.cos(angle), s = Math.sin(angle), d = 1 - c;
        return [c + x * x * d, x * y * d - z * s, x * z * d + y * s, 0, y * x * d + z * s, c + y * y * d, y * z * d - x * s, 0,
            z * x * d - y * s, z * y * d + x * s, c + z * z * d, 0];
    }

    // First inner, then outer.
    function compose(outer, inner) {
        const result = [];
        for (let row = 0; row < 3; row++) {
            for (let column = 0; column < 4; column++) {
                let sum = column === 3 ? outer[4 * row + 3] : 0;
                for (let k = 0; k < 3; k++) {
                    sum += outer[4 * row + k] * inner[4 * k + column];
                }
                result.push(sum);
            }
        }
        return result;
    }

    // The nearest rotation: many small turns would add up to something else.
    function tidy(pose) {
        const row = (i) => pose.slice(4 * i, 4 * i + 3), dot = (u, v) => u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
        const unit = (u) => u.map((value) => value / Math.hypot(...u));
        const x = unit(row(0)), y1 = row(1), along = dot(x, y1), y = unit(y1.map((value, i) => value - along * x[i]));
        const z = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]];
        return [...x, pose[3], ...y, pose[7], ...z, pose[11]];
    }

    function moved(pose, by) {
        return pose.map((value, i) => i % 4 === 3 ? value + by[(i - 3) / 4] : value);
    }

    // Turned about a point, by an axis of the world.
    function turned(pose, axis, angle, about) {
        const there = moved(pose, about.map((value) => -value));
        return tidy(moved(compose(turn(axis, angle), there), about));
    }

    function apply(pose, [x, y, z]) {
        return [0, 4, 8].map((i) => pose[i] * x + pose[i + 1] * y + pose[i + 2] * z + pose[i + 3]);
    }

    page.pose = { identity, turn, compose, moved, turned, apply };
})(globalThis.TumblePage = globalThis.TumblePage || {});

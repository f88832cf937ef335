// Questions about one model: itself, rays, points, boxes and balls.
import { contactsOf } from "./contacts.mjs";
import { refuse } from "./error.mjs";
import { numbersOf } from "./memory.mjs";
import { Model } from "./model.mjs";
import { numberOf } from "./pairs.mjs";

const none = 0xffffffff, sides = ["edge-on", "front", "back"], rules = { parity: 0, winding: 1 };

// Three numbers for each point.
function pointsOf(value, name) {
    const points = numbersOf(value, name, [Float64Array], Float64Array);
    return points.length % 3 === 0 ? points : refuse(`${name}: ${points.length} numbers are no multiple of 3`);
}

export function pointOf(value, name) {
    const points = pointsOf(value, name);
    return points.length === 3 ? points : refuse(`${name}: expected three numbers`);
}

export const rangeOf = (options) => [numberOf(options?.t0, 0, "t0"), numberOf(options?.t1, Infinity, "t1")];

export function selfCollide(memory, model, options) {
    const address = Model.addressOf(model, memory, "model"), wanted = options?.contacts ? 1 : 0;
    const clearance = numberOf(options?.clearance, 0, "clearance"), rings = numberOf(options?.rings, 1, "rings");
    memory.check(memory.c.web_self(address, clearance, rings, options?.soup ? 1 : 0, wanted));
    const count = memory.result(1), items = memory.copy(Uint32Array, memory.result(0), 3 * count);
    const result = { count, polygons: new Uint32Array(2 * count), kinds: new Array(count) };
    const names = Array.from({ length: 7 }, (_, kind) => memory.text(memory.c.web_self_kind_name(kind)));
    for (let i = 0; i < count; i++) {
        result.polygons.set([items[3 * i], items[3 * i + 1]], 2 * i);
        result.kinds[i] = names[items[3 * i + 2]];
    }
    if (wanted) {
        result.contacts = contactsOf(memory, memory.result(2), memory.result(3));
    }
    return result;
}

// ---- Rays. A hit is 40 bytes: polygon, side, t, point.

function hitAt(memory, address) {
    const word = address >>> 2, double = (address >>> 3) + 1, { u32, f64 } = memory;
    return {
        polygon: u32[word], side: sides[u32[word + 1]], t: f64[double],
        point: [f64[double + 1], f64[double + 2], f64[double + 3]]
    };
}

export function rays(memory, model, origins, directions, pose, options) {
    const address = Model.addressOf(model, memory, "model"), [t0, t1] = rangeOf(options);
    const from = pointsOf(origins, "origins"), along = pointsOf(directions, "directions"), count = from.length / 3;
    if (along.length !== from.length) {
        refuse(`directions: ${along.length} numbers for ${from.length} of the origins`);
    }
    const hits = memory.allocate(40 * count);
    try {
        return memory.with([from, along], (o, d) => {
            memory.check(memory.c.web_rays(address, memory.pose(pose, 0), count, o, d, t0, t1, hits));
            const result = { polygons: new Int32Array(count), t: new Float64Array(count),
                points: new Float64Array(3 * count) };
            for (let i = 0; i < count; i++) {
                const hit = hitAt(memory, hits + 40 * i), isHit = hit.polygon !== none;
                result.polygons[i] = isHit ? hit.polygon : -1;
                result.t[i] = isHit ? hit.t : Infinity;
                result.points.set(isHit ? hit.point : [NaN, NaN, NaN], 3 * i);
            }
            return result;
        });
    } finally {
        memory.c.web_release(hits);
    }
}

export function ray(memory, model, origin, direction, pose, options) {
    const address = Model.addressOf(model, memory, "model"), [t0, t1] = rangeOf(options);
    const from = pointOf(origin, "origin"), along = pointOf(direction, "direction"), hits = memory.allocate(40);
    try {
        return memory.with([from, along], (o, d) => {
            memory.check(memory.c.web_rays(address, memory.pose(pose, 0), 1, o, d, t0, t1, hits));
            const hit = hitAt(memory, hits);
            return hit.polygon === none ? null : hit;
        });
    } finally {
        memory.c.web_release(hits);
    }
}

export function rayAll(memory, model, origin, direction, pose, options) {
    const address = Model.addressOf(model, memory, "model"), [t0, t1] = rangeOf(options);
    const line = Float64Array.of(...pointOf(origin, "origin"), ...pointOf(direction, "direction"));
    return memory.with([line], (both) => {
        memory.check(memory.c.web_ray_all(address, memory.pose(pose, 0), both, t0, t1));
        const first = memory.result(0);
        return Array.from({ length: memory.result(1) }, (_, i) => hitAt(memory, first + 40 * i));
    });
}

// ---- Points

export function inside(memory, model, points, pose, options) {
    const address = Model.addressOf(model, memory, "model"), given = pointsOf(points, "points");
    const rule = rules[options?.rule ?? "parity"] ?? refuse(`rule: "${options.rule}" is neither parity nor winding`);
    const count = given.length / 3, answers = memory.allocate(12 * count);
    try {
        return memory.with([given], (p) => {
            memory.check(memory.c.web_inside(address, memory.pose(pose, 0), p, count, rule, answers));
            const names = [0, 1, 2, 3].map((place) => memory.text(memory.c.web_place_name(place)));
            return Array.from({ length: count }, (_, i) => names[memory.u32[(answers >>> 2) + 3 * i]]);
        });
    } finally {
        memory.c.web_release(answers);
    }
}

// One is 56 bytes: polygon, distance, its two bounds, point.
export function closestPoints(memory, model, points, pose, options) {
    const address = Model.addressOf(model, memory, "model"), given = pointsOf(points, "points");
    const within = numberOf(options?.within, Infinity, "within"), count = given.length / 3;
    return memory.with([given], (p) => {
        memory.check(memory.c.web_closest(address, memory.pose(pose, 0), p, count, within, options?.signed ? 1 : 0));
        const first = memory.result(0), { u32, f64 } = memory;
        const result = { polygons: new Int32Array(count), distances: new Float64Array(count).fill(Infinity),
            points: new Float64Array(3 * count).fill(NaN) };
        for (let i = 0; i < count; i++) {
            const word = (first >>> 2) + 14 * i, double = (first >>> 3) + 7 * i;
            const found = first !== 0 && u32[word] !== none;
            result.polygons[i] = found ? u32[word] : -1;
            if (found) {
                result.distances[i] = f64[double + 1];
                result.points.set([f64[double + 4], f64[double + 5], f64[double + 6]], 3 * i);
            }
        }
        return result;
    });
}

export function closestPoint(memory, model, point, pose, options) {
    const { polygons, distances, points } = closestPoints(memory, model, pointOf(point, "point"), pose, options);
    return { polygon: polygons[0], distance: distances[0], point: polygons[0] < 0 ? null : [...points] };
}

// ---- Boxes and balls: the polygons that meet them

const overlap = (memory) => memory.copy(Uint32Array, memory.result(0), memory.result(1));

export function overlapBox(memory, model, halfExtents, boxPose, pose) {
    const address = Model.addressOf(model, memory, "model"), half = pointOf(halfExtents, "halfExtents");
    memory.check(memory.c.web_overlap_box(address, memory.pose(pose, 0) | memory.pose(boxPose, 1), ...half));
    return overlap(memory);
}

export function overlapSphere(memory, model, centre, radius, pose) {
    const address = Model.addressOf(model, memory, "model"), at = pointOf(centre, "centre");
    memory.check(memory.c.web_overlap_sphere(address, memory.pose(pose, 0), ...at, numberOf(radius, 0, "radius")));
    return overlap(memory);
}

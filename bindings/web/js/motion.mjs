// Models in motion, and moves that part them. A motion is { pose, translation, axis, point, angle }: see docs/motion.md; all may be left out.
import { refuse } from "./error.mjs";
import { Model } from "./model.mjs";
import { numberOf } from "./pairs.mjs";
import { pointOf } from "./single.mjs";

const answers = ["no", "yes", "maybe"], numbers = 22;

const columns = (f64, at) => Float64Array.from({ length: 16 }, (_, i) =>
    i % 4 === 3 ? Number(i === 15) : f64[at + 4 * (i % 4) + (i >> 2)]);

// Writes a motion and tells that it is there.
function write(memory, motion, which) {
    if (motion === undefined || motion === null) {
        return 0;
    }
    if (typeof motion !== "object") {
        refuse(`motion of ${"AB"[which]}: expected an object such as { pose, translation }`);
    }
    const given = memory.pose(motion.pose, which), to = (memory.c.web_motions() >>> 3) + numbers * which;
    const from = given ? memory.f64.slice(memory.poses + 12 * which, memory.poses + 12 * which + 12)
        : [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
    const three = (value, otherwise, name) => (value ? pointOf(value, name) : otherwise);
    memory.f64.set([...from, ...three(motion.translation, [0, 0, 0], "translation"),
        ...three(motion.axis, [0, 0, 1], "axis"), ...three(motion.point, [0, 0, 0], "point"),
        numberOf(motion.angle, 0, "angle")], to);
    return 1 << which;
}

export function motionBetween(memory, from, to, centre = [0, 0, 0]) {
    const at = pointOf(centre, "centre");
    memory.check(memory.c.web_motion_between(memory.pose(from, 0) | memory.pose(to, 1), ...at));
    const first = memory.c.web_motions() >>> 3, f64 = memory.f64, three = (i) => [...f64.slice(first + i, first + i + 3)];
    return { pose: columns(f64, first), translation: three(12), axis: three(15), point: three(18), angle: f64[first + 21] };
}

// Where a motion is at a time from 0 to 1: 16 numbers, column by column.
export function motionPose(memory, motion, time) {
    if (!(time >= 0 && time <= 1)) {
        refuse(`time: ${time} is not from 0 to 1`);
    }
    write(memory, motion ?? {}, 0);
    memory.check(memory.c.web_motion_pose(time));
    return columns(memory.f64, memory.poses);
}

function ask(memory, a, b, motionA, motionB, call) {
    const first = Model.addressOf(a, memory, "model A"), second = Model.addressOf(b, memory, "model B");
    memory.check(call(first, second, write(memory, motionA, 0) | write(memory, motionB, 1)));
}

export function firstContact(memory, a, b, motionA, motionB, options) {
    const clearance = numberOf(options?.clearance, 0, "clearance"), begin = numberOf(options?.begin, 0, "begin");
    const end = numberOf(options?.end, 1, "end"), tolerance = numberOf(options?.tolerance, 1e-6, "tolerance");
    ask(memory, a, b, motionA, motionB, (first, second, given) =>
        memory.c.web_first_contact(first, second, given, clearance, begin, end, tolerance));
    const found = memory.result(0) === 1;
    return {
        answer: answers[memory.result(0)], freeUntil: memory.result(1), touchingAt: memory.result(2),
        error: memory.result(3), polygonA: found ? memory.result(4) : -1, polygonB: found ? memory.result(5) : -1,
        pointA: found ? memory.point(6) : null, pointB: found ? memory.point(9) : null
    };
}

// One is 40 bytes: four times, two polygons.
export function contactIntervals(memory, a, b, motionA, motionB, options) {
    const clearance = numberOf(options?.clearance, 0, "clearance");
    const tolerance = numberOf(options?.tolerance, 1e-3, "tolerance");
    ask(memory, a, b, motionA, motionB, (first, second, given) =>
        memory.c.web_contact_intervals(first, second, given, clearance, tolerance));
    const at = memory.result(0);
    return Array.from({ length: memory.result(1) }, (_, i) => {
        const t = (at >>> 3) + 5 * i, word = (at >>> 2) + 10 * i + 8, { f64, u32 } = memory;
        return { freeUntil: f64[t], touchingAt: f64[t + 1], touchingUntil: f64[t + 2], freeFrom: f64[t + 3],
            polygonA: u32[word], polygonB: u32[word + 1] };
    });
}

// The shortest move of B that parts two models.
export function separate(memory, a, b, poseA, poseB, options) {
    const first = Model.addressOf(a, memory, "model A"), second = Model.addressOf(b, memory, "model B");
    const way = options?.direction ? pointOf(options.direction, "direction") : [0, 0, 0];
    const within = numberOf(options?.within, Infinity, "within"), enough = numberOf(options?.enough, 0, "enough");
    const directions = numberOf(options?.directions, 0, "directions");
    memory.check(memory.c.web_separate(first, second, memory.pose(poseA, 0) | memory.pose(poseB, 1), ...way,
        options?.touching ? 1 : 0, within, enough, directions));
    const lower = memory.result(2), upper = memory.result(3), touched = memory.result(10) >= 0;
    const relation = memory.text(memory.c.web_relation_name(memory.result(1))), deep = !options?.direction && lower > 0;
    return {
        answer: answers[memory.result(0)], relation, lower, upper,
        translation: upper < Infinity ? memory.point(4) : null,
        pose: upper < Infinity ? columns(memory.f64, memory.poses) : null,
        normal: touched ? memory.point(7) : null, polygonA: memory.result(10), polygonB: memory.result(11),
        deepest: deep ? memory.point(12) : null, depthA: deep ? memory.result(15) : null,
        depthB: deep ? memory.result(16) : null
    };
}

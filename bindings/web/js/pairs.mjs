// Questions about two models.
import { contactsOf } from "./contacts.mjs";
import { refuse } from "./error.mjs";
import { numbersOf } from "./memory.mjs";
import { Model } from "./model.mjs";

const all = 3, count = 2;

export function numberOf(value, otherwise, name) {
    if (value === undefined) {
        return otherwise;
    }
    return typeof value === "number" ? value : refuse(`${name}: expected a number`);
}

const clearanceOf = (options) => (options === undefined ? 0 : numberOf(options?.clearance, 0, "clearance"));

// Calls `call` with the addresses of two models, and which poses there are.
function ask(memory, a, b, poseA, poseB, call) {
    const first = Model.addressOf(a, memory, "model A"), second = Model.addressOf(b, memory, "model B");
    memory.check(call(memory.c, first, second, memory.pose(poseA, 0) | memory.pose(poseB, 1)));
}

export function collide(memory, a, b, poseA, poseB, options) {
    const first = Model.addressOf(a, memory, "model A"), second = Model.addressOf(b, memory, "model B");
    const result = memory.c.web_test(first, second, memory.pose(poseA, 0) | memory.pose(poseB, 1), clearanceOf(options));
    if (result < 0) {
        memory.check(-result);
    }
    return result === 1;
}

export function collideMany(memory, a, b, posesB, poseA, options) {
    const poses = numbersOf(posesB, "poses", [Float64Array], Float64Array);
    if (poses.length % 12 !== 0) {
        refuse(`poses: ${poses.length} numbers are no multiple of 12`);
    }
    const number = poses.length / 12, answers = memory.allocate(number);
    try {
        return memory.with([poses], (address) => {
            ask(memory, a, b, poseA, null, (c, first, second, given) =>
                c.web_test_many(first, second, given, address, number, clearanceOf(options), answers));
            return memory.copy(Uint8Array, answers, number);
        });
    } finally {
        memory.c.web_release(answers);
    }
}

function collideAll(memory, a, b, poseA, poseB, options, mode, contacts) {
    const clearance = clearanceOf(options);
    ask(memory, a, b, poseA, poseB, (c, first, second, given) =>
        c.web_collide(first, second, given, mode, clearance, contacts));
}

export function countPairs(memory, a, b, poseA, poseB, options) {
    collideAll(memory, a, b, poseA, poseB, options, count, 0);
    return memory.result(4);
}

export function pairs(memory, a, b, poseA, poseB, options) {
    collideAll(memory, a, b, poseA, poseB, options, all, 0);
    return memory.copy(Uint32Array, memory.result(3), 2 * memory.result(4));
}

export function contacts(memory, a, b, poseA, poseB, options) {
    collideAll(memory, a, b, poseA, poseB, options, all, 1);
    return contactsOf(memory, memory.result(5), memory.result(6));
}

export function distance(memory, a, b, poseA, poseB, options) {
    const within = numberOf(options?.within, Infinity, "within");
    const relative = numberOf(options?.relativeError, 0, "relativeError");
    const absolute = numberOf(options?.absoluteError, 0, "absoluteError");
    ask(memory, a, b, poseA, poseB, (c, first, second, given) =>
        c.web_distance(first, second, given, within, relative, absolute));
    if (memory.result(0) === 0) {
        return { distance: Infinity, pointA: null, pointB: null, polygonA: -1, polygonB: -1 };
    }
    return {
        distance: memory.result(1), pointA: memory.point(4), pointB: memory.point(7), polygonA: memory.result(2),
        polygonB: memory.result(3)
    };
}

export function relation(memory, a, b, poseA, poseB) {
    ask(memory, a, b, poseA, poseB, (c, first, second, given) => c.web_relate(first, second, given));
    return memory.text(memory.c.web_relation_name(memory.result(0)));
}

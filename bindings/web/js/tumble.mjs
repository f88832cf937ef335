// The library: what load() gives. Methods are one line each, so that a file holds one kind of question.
import { TumbleError } from "./error.mjs";
import { Memory } from "./memory.mjs";
import { createModel, modelFromBlock, readMesh } from "./model.mjs";
import { contactIntervals, firstContact, motionBetween, motionPose, separate } from "./motion.mjs";
import { collide, collideMany, contacts, countPairs, distance, pairs, relation } from "./pairs.mjs";
import { Scene } from "./scene.mjs";
import {
    closestPoint, closestPoints, inside, overlapBox, overlapSphere, ray, rayAll, rays, selfCollide
} from "./single.mjs";

export class Tumble {
    #memory;

    constructor(instance) {
        this.#memory = new Memory(instance);
    }

    // For start(): the module calls it when its memory grows.
    static memoryOf(tumble) {
        return tumble.#memory;
    }

    get version() {
        return this.#memory.text(this.#memory.c.web_version());
    }

    // Bytes of the module's memory, which never shrinks.
    get memoryBytes() {
        return this.#memory.u8.byteLength;
    }

    model(position, index, options) {
        return createModel(this.#memory, position, index, options);
    }

    modelFromBlock(bytes) {
        return modelFromBlock(this.#memory, bytes);
    }

    readMesh(bytes, format) {
        return readMesh(this.#memory, bytes, format);
    }

    scene() {
        return new Scene(this.#memory);
    }

    // Do two models intersect?
    collide(a, b, poseA, poseB, options) {
        return collide(this.#memory, a, b, poseA, poseB, options);
    }

    // ... at each of many poses of B, 12 numbers each, row by row: 1 or 0 for each.
    collideMany(a, b, posesB, poseA, options) {
        return collideMany(this.#memory, a, b, posesB, poseA, options);
    }

    // How many pairs of polygons intersect.
    count(a, b, poseA, poseB, options) {
        return countPairs(this.#memory, a, b, poseA, poseB, options);
    }

    // Which ones: two numbers a pair, in order.
    pairs(a, b, poseA, poseB, options) {
        return pairs(this.#memory, a, b, poseA, poseB, options);
    }

    // Where they meet.
    contacts(a, b, poseA, poseB, options) {
        return contacts(this.#memory, a, b, poseA, poseB, options);
    }

    distance(a, b, poseA, poseB, options) {
        return distance(this.#memory, a, b, poseA, poseB, options);
    }

    // "apart", "touching", "crossing", "a-in-b", "b-in-a" or "undefined".
    relation(a, b, poseA, poseB) {
        return relation(this.#memory, a, b, poseA, poseB);
    }

    // Which polygons of a model intersect each other.
    selfCollide(model, options) {
        return selfCollide(this.#memory, model, options);
    }

    // The closest hit of a ray, or null.
    ray(model, origin, direction, pose, options) {
        return ray(this.#memory, model, origin, direction, pose, options);
    }

    rayAll(model, origin, direction, pose, options) {
        return rayAll(this.#memory, model, origin, direction, pose, options);
    }

    rays(model, origins, directions, pose, options) {
        return rays(this.#memory, model, origins, directions, pose, options);
    }

    // Where points are: "outside", "inside", "on-surface" or "undefined" for each.
    inside(model, points, pose, options) {
        return inside(this.#memory, model, points, pose, options);
    }

    closestPoint(model, point, pose, options) {
        return closestPoint(this.#memory, model, point, pose, options);
    }

    closestPoints(model, points, pose, options) {
        return closestPoints(this.#memory, model, points, pose, options);
    }

    // Which polygons meet a solid box, or a solid ball.
    overlapBox(model, halfExtents, boxPose, pose) {
        return overlapBox(this.#memory, model, halfExtents, boxPose, pose);
    }

    overlapSphere(model, centre, radius, pose) {
        return overlapSphere(this.#memory, model, centre, radius, pose);
    }

    motionBetween(from, to, centre) {
        return motionBetween(this.#memory, from, to, centre);
    }

    motionPose(motion, time) {
        return motionPose(this.#memory, motion, time);
    }

    // When two models in motion are in contact for the first time.
    firstContact(a, b, motionA, motionB, options) {
        return firstContact(this.#memory, a, b, motionA, motionB, options);
    }

    contactIntervals(a, b, motionA, motionB, options) {
        return contactIntervals(this.#memory, a, b, motionA, motionB, options);
    }

    // The shortest move of B that parts two models.
    separate(a, b, poseA, poseB, options) {
        return separate(this.#memory, a, b, poseA, poseB, options);
    }
}

// What the module asks of its surroundings: a clock, and to be told when its memory has grown.
export function importsFor(state) {
    return {
        wasi_snapshot_preview1: {
            clock_time_get(id, precision, address) {
                const time = id === 0 ? Date.now() : performance.now();
                new DataView(state.memory.c.memory.buffer).setBigUint64(address >>> 0, BigInt(Math.round(time * 1e6)), true);
                return 0;
            }
        },
        env: {
            emscripten_notify_memory_growth() {
                state.memory.refresh();
            }
        }
    };
}

// The library from a compiled module.
export async function start(module) {
    const state = {};
    const tumble = new Tumble(await WebAssembly.instantiate(module, importsFor(state)));
    state.memory = Tumble.memoryOf(tumble);
    state.memory.start();
    return tumble;
}

// What an address gives.
export async function fetched(address) {
    try {
        return await fetch(address);
    } catch (error) {
        throw new TumbleError("TUMBLE_ERROR_FILE", `${address}: ${error.message}` +
            (/^file:/.test(address) ? "; a page that is opened from a file needs tumble.classic.js" : ""));
    }
}

// Compiles what a server sends while it arrives, unless it does not say that it is WebAssembly.
async function compileResponse(response) {
    if (!response.ok) {
        throw new TumbleError("TUMBLE_ERROR_FILE", `${response.url}: ${response.status} ${response.statusText}`);
    }
    return /^application\/wasm/.test(response.headers.get("content-type")) ? WebAssembly.compileStreaming(response)
        : WebAssembly.compile(await response.arrayBuffer());
}

// Why a module could not be compiled. Many servers send a page where they have no file.
function explained({ message }, source) {
    if (/magic|doesn't start with|too short|is empty/i.test(message)) {
        return new TumbleError("TUMBLE_ERROR_FORMAT", `${source.url || "wasm"}: this is no WebAssembly module; is tumble.wasm ` +
            `there? ${message}`);
    }
    return new TumbleError("TUMBLE_ERROR_UNSUPPORTED", /Content Security Policy|CSP/.test(message)
        ? `the page's content security policy must allow 'wasm-unsafe-eval': ${message}`
        : `tumble.wasm needs WebAssembly with SIMD (browsers since 2021, Safari since 16.4): ${message}`);
}

// Compiles bytes or a Response, or takes a module as it is.
export async function compile(source) {
    if (typeof WebAssembly !== "object") {
        throw new TumbleError("TUMBLE_ERROR_UNSUPPORTED", "there is no WebAssembly here");
    }
    if (source instanceof WebAssembly.Module) {
        return source;
    }
    try {
        return await (typeof Response === "function" && source instanceof Response ? compileResponse(source)
            : WebAssembly.compile(source));
    } catch (error) {
        throw error instanceof WebAssembly.CompileError ? explained(error, source) : error;
    }
}

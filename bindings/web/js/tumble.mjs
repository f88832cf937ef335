// The library: what load() gives.
import { refuse, TumbleError } from "./error.mjs";
import { Memory } from "./memory.mjs";
import { createModel, Model, modelFromBlock, readMesh } from "./model.mjs";
import { contactsOf } from "./contacts.mjs";

const all = 3, count = 2;

const number = (value, otherwise, name) => {
    if (value === undefined) {
        return otherwise;
    }
    return typeof value === "number" ? value : refuse(`${name}: expected a number`);
};

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

    // Calls `call` with the addresses of two models, and which poses there are.
    #ask(a, b, poseA, poseB, call) {
        const memory = this.#memory;
        const first = Model.addressOf(a, memory, "model A"), second = Model.addressOf(b, memory, "model B");
        return call(memory.c, first, second, memory.pose(poseA, 0) | memory.pose(poseB, 1));
    }

    // Do two models intersect?
    collide(a, b, poseA, poseB, options) {
        const memory = this.#memory;
        const first = Model.addressOf(a, memory, "model A"), second = Model.addressOf(b, memory, "model B");
        const result = memory.c.web_test(first, second, memory.pose(poseA, 0) | memory.pose(poseB, 1),
            options === undefined ? 0 : number(options.clearance, 0, "clearance"));
        if (result < 0) {
            memory.check(-result);
        }
        return result === 1;
    }

    #collide(a, b, poseA, poseB, options, mode, contacts) {
        const clearance = number(options?.clearance, 0, "clearance");
        this.#memory.check(this.#ask(a, b, poseA, poseB,
            (c, first, second, given) => c.web_collide(first, second, given, mode, clearance, contacts)));
    }

    // How many pairs of polygons intersect.
    count(a, b, poseA, poseB, options) {
        this.#collide(a, b, poseA, poseB, options, count, 0);
        return this.#memory.result(4);
    }

    // Which ones: two numbers a pair, in order.
    pairs(a, b, poseA, poseB, options) {
        this.#collide(a, b, poseA, poseB, options, all, 0);
        return this.#memory.copy(Uint32Array, this.#memory.result(3), 2 * this.#memory.result(4));
    }

    // Where they meet.
    contacts(a, b, poseA, poseB, options) {
        this.#collide(a, b, poseA, poseB, options, all, 1);
        return contactsOf(this.#memory, this.#memory.result(5), this.#memory.result(6));
    }

    distance(a, b, poseA, poseB, options) {
        const memory = this.#memory;
        const within = number(options?.within, Infinity, "within");
        const relative = number(options?.relativeError, 0, "relativeError");
        const absolute = number(options?.absoluteError, 0, "absoluteError");
        memory.check(this.#ask(a, b, poseA, poseB,
            (c, first, second, given) => c.web_distance(first, second, given, within, relative, absolute)));
        if (memory.result(0) === 0) {
            return { distance: Infinity, pointA: null, pointB: null, polygonA: -1, polygonB: -1 };
        }
        return {
            distance: memory.result(1), pointA: memory.point(4), pointB: memory.point(7), polygonA: memory.result(2),
            polygonB: memory.result(3)
        };
    }

    // "apart", "touching", "crossing", "a-in-b", "b-in-a" or "undefined".
    relation(a, b, poseA, poseB) {
        const memory = this.#memory;
        memory.check(this.#ask(a, b, poseA, poseB, (c, first, second, given) => c.web_relate(first, second, given)));
        return memory.text(memory.c.web_relation_name(memory.result(0)));
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

// Compiles what a server sends while it arrives, unless it does not say that it is WebAssembly.
async function compileResponse(response) {
    if (!response.ok) {
        throw new TumbleError("TUMBLE_ERROR_FILE", `${response.url}: ${response.status} ${response.statusText}`);
    }
    return /^application\/wasm/.test(response.headers.get("content-type")) ? WebAssembly.compileStreaming(response)
        : WebAssembly.compile(await response.arrayBuffer());
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
        if (error instanceof WebAssembly.CompileError) {
            throw new TumbleError("TUMBLE_ERROR_UNSUPPORTED",
                `tumble.wasm needs WebAssembly with SIMD (browsers since 2021, Safari since 16.4): ${error.message}`);
        }
        throw error;
    }
}

// The program's side of the worker: the same questions, of which each answer is a promise.
import { asError, mapped } from "./calls.mjs";
import { refuse, TumbleError } from "./error.mjs";

const forgotten = new FinalizationRegistry(({ link, number }) => link.post("forget", [number]));

// Messages to the worker and back.
class Link {
    #port;
    #waiting = new Map();
    #id = 0;
    #end = null;

    constructor(port) {
        this.#port = port;
        port.hear(({ id, result, error }) => {
            const call = this.#waiting.get(id);
            this.#waiting.delete(id);
            this.#rest();
            if (error) {
                call?.reject(asError(error));
            } else {
                call?.resolve(result);
            }
        }, (message) => this.fail(`the worker has stopped: ${message}`));
    }

    #rest() {
        this.#port.busy?.(this.#waiting.size > 0);
    }

    fail(message) {
        this.#end ??= new TumbleError("TUMBLE_ERROR_DEVICE", message);
        for (const call of this.#waiting.values()) {
            call.reject(this.#end);
        }
        this.#waiting.clear();
        this.#rest();
    }

    ask(target, name, values, buffers = []) {
        return new Promise((resolve, reject) => {
            if (this.#end) {
                reject(this.#end);
                return;
            }
            this.#waiting.set(++this.#id, { resolve, reject });
            this.#rest();
            this.#port.post({ id: this.#id, target, name, values }, buffers);
        });
    }

    // Without waiting.
    post(name, values) {
        if (!this.#end) {
            this.ask(0, name, values).catch(() => {});
        }
    }

    end() {
        this.fail("the worker was ended");
        this.#port.end();
    }
}

// What stands for something that is in the worker.
class Remote {
    #link;
    #number;

    constructor(link, number) {
        this.#link = link;
        this.#number = number;
    }

    static given(link, value, name) {
        if (value.#link !== link) {
            refuse(`${name}: it belongs to another worker`);
        }
        if (value.#number === 0) {
            refuse(`${name}: it was disposed of`);
        }
        return { $: value.#number };
    }

    static isRemote(value) {
        return value instanceof Remote;
    }

    get disposed() {
        return this.#number === 0;
    }

    ask(name, values, buffers) {
        if (this.#number === 0) {
            return Promise.reject(new TumbleError("TUMBLE_ERROR_ARGUMENT", `${name}: it was disposed of`));
        }
        return ask(this.#link, this.#number, name, values, buffers);
    }

    // The answer is a promise, which need not be waited for.
    dispose() {
        const number = this.#number;
        if (number === 0) {
            return Promise.resolve();
        }
        const done = this.ask("dispose", []);
        this.#number = 0;
        forgotten.unregister(this);
        return done;
    }
}

export class WorkerModel extends Remote {
    constructor(link, number, info) {
        super(link, number);
        this.info = Object.freeze(info);
        forgotten.register(this, { link, number }, this);
    }

    block() {
        return this.ask("block", []);
    }

    triangles() {
        return this.ask("triangles", []);
    }
}

export class WorkerObject extends Remote {
    constructor(link, number, scene, model, user) {
        super(link, number);
        this.scene = scene;
        this.model = model;
        this.user = user;
    }
}

export class WorkerScene extends Remote {
    #objects = new Map();
    #link;

    constructor(link, number) {
        super(link, number);
        this.#link = link;
        forgotten.register(this, { link, number }, this);
    }

    get size() {
        return this.#objects.size;
    }

    [Symbol.iterator]() {
        return this.#objects.values();
    }

    async add(model, pose, { user, ...options } = {}) {
        const { $ } = await this.ask("add", [model, pose, options]), object = new WorkerObject(this.#link, $, this, model, user);
        this.#objects.set($, object);
        return object;
    }

    async remove(object) {
        const { $ } = Remote.given(this.#link, object, "object");
        await this.ask("remove", [object]);
        this.#objects.delete($);
    }

    // Meetings, with the program's own objects.
    async #met(name, values) {
        const known = (thing) => (thing.$ === undefined ? undefined : this.#objects.get(thing.$));
        return mapped(await this.ask(name, values), known);
    }

    touching(options) {
        return this.#met("touching", [options]);
    }

    contacts(options) {
        return this.#met("contacts", [options]);
    }

    relations() {
        return this.#met("relations", []);
    }

    distances(options) {
        return this.#met("distances", [options]);
    }

    nearest(options) {
        return this.#met("nearest", [options]);
    }

    ray(origin, direction, options) {
        return this.#met("ray", [origin, direction, options]);
    }

    dispose() {
        this.#objects.clear();
        return super.dispose();
    }
}
for (const name of ["move", "moveAll", "ignore"]) {
    WorkerScene.prototype[name] = function (...values) {
        return this.ask(name, values);
    };
}

// Matrices become their elements; what cannot be sent is refused with its name.
function ask(link, target, name, values, buffers) {
    try {
        const sent = values.map((value, i) => mapped(value, (thing) =>
            (Remote.isRemote(thing) ? Remote.given(link, thing, `${name}: argument ${i + 1}`)
                : thing.elements !== undefined ? Float64Array.from(thing.elements) : undefined)));
        return link.ask(target, name, sent, buffers);
    } catch (error) {
        return Promise.reject(error);
    }
}

export class TumbleWorker {
    #link;

    static async start(port, wasm) {
        const tumble = new TumbleWorker();
        tumble.#link = new Link(port);
        try {
            tumble.version = (await tumble.#link.ask(0, "start", [wasm === undefined ? {} : { wasm }])).version;
        } catch (error) {
            tumble.dispose();
            throw error;
        }
        return tumble;
    }

    ask(name, ...values) {
        return ask(this.#link, 0, name, values);
    }

    #model = ({ $, info }) => new WorkerModel(this.#link, $, info);

    async model(position, index, options) {
        return this.#model(await this.ask("model", position, index, options));
    }

    // The block's memory moves to the worker, so it is empty here afterwards.
    async modelFromBlock(block) {
        const buffer = ArrayBuffer.isView(block) ? block.buffer : block;
        if (!(buffer instanceof ArrayBuffer)) {
            refuse("block: expected an ArrayBuffer or a typed array");
        }
        // Other arrays may lie in the same memory.
        const own = buffer.byteLength === block.byteLength ? buffer : Uint8Array.from(block).buffer;
        return this.#model(await this.#link.ask(0, "modelFromBlock", [own], [own]));
    }

    async scene() {
        return new WorkerScene(this.#link, (await this.ask("scene")).$);
    }

    memoryBytes() {
        return this.ask("memoryBytes");
    }

    // Ends the worker, with all that is in it; calls that wait are rejected.
    dispose() {
        this.#link.end();
    }
}

const questions = ["readMesh", "collide", "count", "pairs", "contacts", "distance", "relation", "collideMany", "selfCollide",
    "ray", "rayAll", "rays", "inside", "closestPoint", "closestPoints", "overlapBox", "overlapSphere", "motionBetween",
    "motionPose", "firstContact", "contactIntervals", "separate"];
for (const name of questions) {
    TumbleWorker.prototype[name] = function (...values) {
        return this.ask(name, ...values);
    };
}

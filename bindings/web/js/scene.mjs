// Scenes: many objects that move.
import { contactsOf } from "./contacts.mjs";
import { refuse } from "./error.mjs";
import { numbersOf } from "./memory.mjs";
import { Model } from "./model.mjs";
import { numberOf } from "./pairs.mjs";
import { pointOf, rangeOf } from "./single.mjs";

const modes = { pairs: 1, count: 2, all: 3, relate: 4, distance: 5, nearest: 6 };
const events = ["began", "continues", "ended"], row = 18, everything = 0xffffffff;
const forgotten = new FinalizationRegistry(({ memory, address }) => memory.c.web_scene_destroy(address));

// An object of a scene. What a program wants to keep with it goes into `user`.
export class SceneObject {
    #ids;

    constructor(scene, model, ids, user) {
        this.scene = scene;
        this.model = model;
        this.user = user;
        this.#ids = ids;
    }

    static idsOf(object, scene, name) {
        if (!(object instanceof SceneObject) || object.scene !== scene) {
            refuse(`${name}: expected an object of this scene`);
        }
        return object.#ids;
    }
}

export class Scene {
    #memory;
    #address;
    #objects = new Map();

    // Scenes are made by Tumble.scene().
    constructor(memory) {
        memory.check(memory.c.web_scene());
        this.#memory = memory;
        this.#address = memory.result(0);
        forgotten.register(this, { memory, address: this.#address }, this);
    }

    #live() {
        return this.#address === 0 ? refuse("scene: it was disposed of") : this.#address;
    }

    get size() {
        return this.#objects.size;
    }

    [Symbol.iterator]() {
        return this.#objects.values();
    }

    add(model, pose, { group = 1, mask = everything, clearance = 0, radius = 0, active = true, user } = {}) {
        const memory = this.#memory, address = Model.addressOf(model, memory, "model");
        memory.check(memory.c.web_scene_add(this.#live(), address, memory.pose(pose, 0), group, mask,
            numberOf(clearance, 0, "clearance"), numberOf(radius, 0, "radius"), active ? 0 : 1));
        const object = new SceneObject(this, model, [memory.result(0), memory.result(1)], user);
        this.#objects.set(memory.result(0), object);
        return object;
    }

    remove(object) {
        const [index, generation] = SceneObject.idsOf(object, this, "object");
        this.#memory.check(this.#memory.c.web_scene_remove(this.#live(), index, generation));
        this.#objects.delete(index);
    }

    move(object, pose) {
        const memory = this.#memory, [index, generation] = SceneObject.idsOf(object, this, "object");
        memory.check(memory.c.web_scene_move_one(this.#live(), index, generation, memory.pose(pose, 0)));
    }

    // Many at once: 12 numbers for each, row by row.
    moveAll(objects, poses) {
        const memory = this.#memory, address = this.#live(), numbers = numbersOf(poses, "poses", [Float64Array], Float64Array);
        const ids = Uint32Array.from(objects.flatMap((object, i) => SceneObject.idsOf(object, this, `objects[${i}]`)));
        if (numbers.length !== 12 * objects.length) {
            refuse(`poses: ${numbers.length} numbers for ${objects.length} objects, of 12 each`);
        }
        memory.with([ids, numbers], (i, p) => memory.check(memory.c.web_scene_move(address, i, p, objects.length)));
    }

    // The pair is not compared, or is again.
    ignore(a, b, ignored = true) {
        const first = SceneObject.idsOf(a, this, "object A"), second = SceneObject.idsOf(b, this, "object B");
        this.#memory.check(this.#memory.c.web_scene_ignore(this.#live(), ...first, ...second, ignored ? 1 : 0));
    }

    #ask(mode, options, contacts = 0) {
        const clearance = numberOf(options?.clearance, 0, "clearance");
        const within = numberOf(options?.within, Infinity, "within");
        this.#memory.check(this.#memory.c.web_scene_ask(this.#live(), modes[mode], clearance, within, contacts));
    }

    // Rows of numbers as meetings; `more` adds what was asked for, given how to read a row.
    #meetings(more) {
        const memory = this.#memory, first = memory.result(3) >>> 3;
        return Array.from({ length: memory.result(2) }, (_, i) => {
            const n = (k) => memory.f64[first + row * i + k];
            return { a: this.#objects.get(n(0)), b: this.#objects.get(n(1)), event: events[n(2)], ...more(n) };
        });
    }

    // Which objects touch: { a, b, event } for each pair.
    touching(options) {
        this.#ask("pairs", options);
        return this.#meetings(() => ({}));
    }

    // ... in which polygons, and where.
    contacts(options) {
        this.#ask("all", options, 1);
        const memory = this.#memory;
        return this.#meetings((n) => ({
            pairs: memory.copy(Uint32Array, n(5), 2 * n(4)), contacts: contactsOf(memory, n(6), n(7))
        }));
    }

    relations() {
        this.#ask("relate");
        return this.#meetings((n) => ({ relation: this.#memory.text(this.#memory.c.web_relation_name(n(3))) }));
    }

    #near(n) {
        return { distance: n(8), polygonA: n(9), polygonB: n(10), pointA: [n(11), n(12), n(13)],
            pointB: [n(14), n(15), n(16)] };
    }

    // The distances of all pairs, or of those within `within`.
    distances(options) {
        this.#ask("distance", options);
        return this.#meetings((n) => this.#near(n));
    }

    // The nearest pair, or null.
    nearest(options) {
        this.#ask("nearest", options);
        return this.#meetings((n) => this.#near(n))[0] ?? null;
    }

    // The closest hit of a ray: { object, polygon, t, point }, or null.
    ray(origin, direction, options) {
        const memory = this.#memory, address = this.#live(), [t0, t1] = rangeOf(options);
        const line = Float64Array.of(...pointOf(origin, "origin"), ...pointOf(direction, "direction"));
        memory.with([line], (both) =>
            memory.check(memory.c.web_scene_ray(address, both, t0, t1, options?.groups ?? everything)));
        return memory.result(0) === 0 ? null : { object: this.#objects.get(memory.result(1)), polygon: memory.result(2),
            t: memory.result(4), point: memory.point(5) };
    }

    // All objects go with it; their models stay.
    dispose() {
        if (this.#address !== 0) {
            this.#memory.c.web_scene_destroy(this.#address);
            forgotten.unregister(this);
            this.#address = 0;
            this.#objects.clear();
        }
    }
}
if (Symbol.dispose) {
    Scene.prototype[Symbol.dispose] = Scene.prototype.dispose;
}

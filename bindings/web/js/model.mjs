// Models: polygons with a tree of boxes over them, in the module's memory.
import { refuse } from "./error.mjs";
import { numbersOf } from "./memory.mjs";

export const hierarchies = { auto: 0, brute: 1, boxtree: 2, wide: 3, kdop: 4, rtree: 5 };
const floats = 1, deformable = 2;

// What is called when nobody holds a model any more: a safety net for programs that forget dispose().
const forgotten = new FinalizationRegistry(({ memory, address }) => memory.c.web_model_destroy(address));

export class Model {
    #memory;
    #address;
    #info = null;

    // Models are made by Tumble.model() and Tumble.modelFromBlock().
    constructor(memory, address) {
        this.#memory = memory;
        this.#address = address;
        forgotten.register(this, { memory, address }, this);
    }

    // The address for a call with the module `memory`.
    static addressOf(model, memory, name) {
        if (!(model instanceof Model)) {
            refuse(`${name}: expected a Model`);
        }
        if (model.#memory !== memory) {
            refuse(`${name}: the model belongs to another instance of the library`);
        }
        if (model.#address === 0) {
            refuse(`${name}: the model was disposed of`);
        }
        return model.#address;
    }

    get info() {
        if (this.#info === null) {
            const memory = this.#memory;
            memory.check(memory.c.web_model_info(Model.addressOf(this, memory, "model")));
            const n = (i) => memory.result(i);
            this.#info = Object.freeze({
                polygonCount: n(0), triangleCount: n(1), pointCount: n(2), surfaceCount: n(3), degenerateCount: n(4),
                closed: n(5) !== 0, radius: n(6), lower: memory.point(7), upper: memory.point(10),
                hierarchy: Object.keys(hierarchies).find((name) => hierarchies[name] === n(13)),
                nodeCount: n(14), depth: n(15), bytes: n(16)
            });
        }
        return this.#info;
    }

    // A copy of the model's bytes: the same on every machine, and what a saved model file holds.
    block() {
        const memory = this.#memory;
        memory.check(memory.c.web_model_block(Model.addressOf(this, memory, "model")));
        return memory.copy(Uint8Array, memory.result(0), memory.result(1));
    }

    // The model's triangles, in its own order: nine coordinates of each, and of which polygon it is a part.
    triangles() {
        const memory = this.#memory, address = Model.addressOf(this, memory, "model"), count = this.info.triangleCount;
        const corners = memory.allocate(72 * count), polygons = memory.allocate(4 * count);
        try {
            memory.check(memory.c.web_model_triangles(address, count, corners, polygons));
            return {
                position: memory.copy(Float64Array, corners, 9 * count),
                polygons: memory.copy(Uint32Array, polygons, count)
            };
        } finally {
            memory.c.web_release(corners);
            memory.c.web_release(polygons);
        }
    }

    get disposed() {
        return this.#address === 0;
    }

    // Frees the memory. A model that is in a scene stays until the scene is gone.
    dispose() {
        if (this.#address !== 0) {
            const memory = this.#memory;
            memory.check(memory.c.web_model_destroy(this.#address));
            forgotten.unregister(this);
            this.#address = 0;
        }
    }
}
if (Symbol.dispose) {
    Model.prototype[Symbol.dispose] = Model.prototype.dispose;
}

const optional = (value, name, types, otherwise) =>
    value === undefined || value === null ? null : numbersOf(value, name, types, otherwise);

function sameLength(array, name, count) {
    if (array && array.length !== count) {
        refuse(`${name}: has ${array.length} items, but there are ${count} polygons`);
    }
}

// The polygons' corners as numbers of points; without an index each three points are a triangle.
function cornersOf(index, pointCount) {
    if (index === undefined || index === null) {
        return Uint32Array.from({ length: pointCount }, (_, i) => i);
    }
    const corners = numbersOf(index, "index", [Uint32Array, Uint16Array], Uint32Array);
    return corners instanceof Uint32Array ? corners : Uint32Array.from(corners);
}

export function createModel(memory, position, index, options = {}) {
    const points = numbersOf(position, "position", [Float32Array, Float64Array], Float64Array);
    const stride = options.stride ?? 3;
    if (!Number.isInteger(stride) || stride < 3) {
        refuse(`stride: ${stride} is not a whole number of at least 3`);
    }
    if (points.length % stride !== 0) {
        refuse(`position: ${points.length} numbers are no multiple of ${stride}`);
    }
    const hierarchy = hierarchies[options.hierarchy ?? "auto"];
    if (hierarchy === undefined) {
        refuse(`hierarchy: "${options.hierarchy}" is none of ${Object.keys(hierarchies).join(", ")}`);
    }
    const count = points.length / stride, corners = cornersOf(index, count);
    const sizes = optional(options.sizes, "sizes", [Uint32Array], Uint32Array);
    if (!sizes && corners.length % 3 !== 0) {
        refuse(`${index === undefined || index === null ? "position" : "index"}: ${corners.length} corners are no ` +
            "multiple of 3; give the polygons' sizes");
    }
    const polygons = sizes ? sizes.length : corners.length / 3;
    const surfaces = optional(options.surfaces, "surfaces", [Uint32Array], Uint32Array);
    const radii = optional(options.radii, "radii", [Float64Array], Float64Array);
    sameLength(surfaces, "surfaces", polygons);
    sameLength(radii, "radii", polygons);
    const flags = (points instanceof Float32Array ? floats : 0) | (options.deformable ? deformable : 0);
    return memory.with([points, corners, sizes, surfaces, radii], (p, c, s, u, r) => {
        memory.check(memory.c.web_model(p, count, stride * points.BYTES_PER_ELEMENT, c, corners.length, s, polygons, u,
            r, hierarchy, flags, options.radius ?? 0));
        return new Model(memory, memory.result(0));
    });
}

export function modelFromBlock(memory, bytes) {
    const block = bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes;
    if (!ArrayBuffer.isView(block)) {
        refuse("block: expected an ArrayBuffer or a typed array");
    }
    return memory.with([block], (address) => {
        memory.check(memory.c.web_model_from_block(address, block.byteLength));
        return new Model(memory, memory.result(0));
    });
}

const formats = { auto: 0, obj: 1, off: 2, stl: 3, ply: 5 };

// Polygons of a mesh file; what model() takes as position, index and options.
export function readMesh(memory, bytes, format = "auto") {
    const number = formats[format];
    if (number === undefined) {
        refuse(`format: "${format}" is none of ${Object.keys(formats).join(", ")}`);
    }
    const data = bytes instanceof ArrayBuffer ? new Uint8Array(bytes)
        : typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes;
    if (!ArrayBuffer.isView(data)) {
        refuse("mesh file: expected an ArrayBuffer, a typed array or a string");
    }
    return memory.with([data], (address) => {
        memory.check(memory.c.web_mesh_read(address, data.byteLength, number));
        const r = Array.from({ length: 8 }, (_, i) => memory.result(i));
        try {
            const surfaces = r[7] ? memory.copy(Uint32Array, r[7], r[6]) : null, names = new Map();
            for (const surface of new Set(surfaces ?? [])) {
                names.set(surface, memory.text(memory.c.web_mesh_surface_name(r[0], surface)));
            }
            return {
                position: memory.copy(Float64Array, r[1], 3 * r[2]), index: memory.copy(Uint32Array, r[3], r[4]),
                sizes: r[5] ? memory.copy(Uint32Array, r[5], r[6]) : null, surfaces, surfaceNames: names,
                warning: memory.text(memory.c.web_mesh_warning(r[0]))
            };
        } finally {
            memory.c.web_mesh_release(r[0]);
        }
    });
}


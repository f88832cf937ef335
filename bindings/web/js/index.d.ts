// Tumble: exact collision detection and distances between polygon models. See docs/javascript.md.

/** Numbers that are copied into the library. */
export type Numbers = Float32Array | Float64Array | readonly number[];
export type Wholes = Uint32Array | Uint16Array | readonly number[];

/**
 * Where a model is: 16 numbers, column by column, such as the elements of a three.js matrix, or the matrix itself, or 12
 * numbers, row by row (3 x 4). A rotation, a uniform scale and a translation. None: the identity.
 */
export type Pose = ArrayLike<number> | { readonly elements: ArrayLike<number> } | null | undefined;

export type Point = [number, number, number];
export type Hierarchy = "auto" | "wide" | "boxtree" | "kdop" | "rtree" | "brute";
export type Relation = "apart" | "touching" | "crossing" | "a-in-b" | "b-in-a" | "undefined";

export interface ModelOptions {
    /** Numbers from one point to the next in `position`; default: 3. */
    stride?: number;
    /** Corners of each polygon in `index`; default: all are triangles. */
    sizes?: Wholes | null;
    /** A surface id for each polygon. */
    surfaces?: Wholes | null;
    /** Thickens all polygons, or each by its own radius. */
    radius?: number;
    radii?: Numbers | null;
    hierarchy?: Hierarchy;
    deformable?: boolean;
}

export interface ModelInfo {
    readonly polygonCount: number;
    readonly triangleCount: number;
    readonly pointCount: number;
    readonly surfaceCount: number;
    readonly degenerateCount: number;
    /** Every edge has exactly two triangles, in opposite directions. */
    readonly closed: boolean;
    readonly radius: number;
    readonly lower: Point;
    readonly upper: Point;
    readonly hierarchy: Hierarchy;
    readonly nodeCount: number;
    readonly depth: number;
    readonly bytes: number;
}

/** Polygons with a tree of boxes over them, in the memory of WebAssembly: dispose of it when you are done. */
export class Model {
    private constructor();
    readonly info: ModelInfo;
    readonly disposed: boolean;
    /** A copy of the model's bytes, the same on every machine: for modelFromBlock(), also of another instance. */
    block(): Uint8Array;
    /** The triangles in the model's order: nine coordinates of each, and the number of its polygon. */
    triangles(): { position: Float64Array; polygons: Uint32Array };
    dispose(): void;
}

export interface CollideOptions {
    /** Polygons within this distance count as intersecting; default: 0. */
    clearance?: number;
}

export interface Contacts {
    count: number;
    /** Two polygons for each contact. */
    polygons: Uint32Array;
    /** Six coordinates: the ends of the segment in which two triangles meet. */
    points: Float64Array;
    /** 1: the triangles are in one plane, and the points are one common point. */
    coplanar: Uint8Array;
    /** 1: the triangles do not meet, but are within the clearance; the points are the closest ones. */
    apart: Uint8Array;
}

export interface DistanceOptions {
    /** Ignore what is farther apart; default: Infinity. */
    within?: number;
    /** The distance may exceed the minimum: minimum * (1 + relativeError) + absoluteError. */
    relativeError?: number;
    absoluteError?: number;
}

/** `distance` is Infinity, the points are null and the polygons -1 if nothing is `within`. */
export interface Distance {
    distance: number;
    pointA: Point | null;
    pointB: Point | null;
    polygonA: number;
    polygonB: number;
}

/** What model() takes: `model(mesh.position, mesh.index, mesh)`. */
export interface Mesh {
    position: Float64Array;
    index: Uint32Array;
    sizes: Uint32Array | null;
    surfaces: Uint32Array | null;
    surfaceNames: Map<number, string>;
    /** What the reader stepped over, or "". */
    warning: string;
}

export class Tumble {
    private constructor();
    readonly version: string;
    readonly memoryBytes: number;
    /** Polygons become a model. Without an index each three points are a triangle. */
    model(position: Numbers, index?: Wholes | null, options?: ModelOptions): Model;
    modelFromBlock(block: ArrayBuffer | ArrayBufferView): Model;
    /** Reads an OBJ, OFF, STL or PLY file. */
    readMesh(file: ArrayBuffer | ArrayBufferView | string, format?: "auto" | "obj" | "off" | "stl" | "ply"): Mesh;
    /** Do two models intersect? */
    collide(a: Model, b: Model, poseA?: Pose, poseB?: Pose, options?: CollideOptions): boolean;
    /** How many pairs of polygons intersect? */
    count(a: Model, b: Model, poseA?: Pose, poseB?: Pose, options?: CollideOptions): number;
    /** Which ones? Two numbers for each pair, in order. */
    pairs(a: Model, b: Model, poseA?: Pose, poseB?: Pose, options?: CollideOptions): Uint32Array;
    /** Where do they meet? */
    contacts(a: Model, b: Model, poseA?: Pose, poseB?: Pose, options?: CollideOptions): Contacts;
    /** How far are the surfaces of two models from each other, and where? */
    distance(a: Model, b: Model, poseA?: Pose, poseB?: Pose, options?: DistanceOptions): Distance;
    /** How do two solids lie to each other? */
    relation(a: Model, b: Model, poseA?: Pose, poseB?: Pose): Relation;
}

/** What every failure throws: the message says what is wrong with which item. */
export class TumbleError extends Error {
    constructor(status: string, message: string);
    /** Such as "TUMBLE_ERROR_INDEX". */
    readonly status: string;
}

export interface LoadOptions {
    /** Where tumble.wasm is, if not beside the script. */
    wasm?: string | URL | Response | Promise<Response> | BufferSource | WebAssembly.Module;
}

export function load(options?: LoadOptions): Promise<Tumble>;

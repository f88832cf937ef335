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
export type Hierarchy = "auto" | "wide" | "brute";
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

export interface SelfPairs {
    count: number;
    polygons: Uint32Array;
    /** How the two polygons of each pair meet. */
    kinds: ("duplicate" | "crossing" | "overlapping" | "touching" | "degenerate" | "near")[];
    contacts?: Contacts;
}

export interface RayHit {
    polygon: number;
    side: "front" | "back" | "edge-on";
    t: number;
    point: Point;
}

export interface RayOptions {
    /** The range of t; default: 0 and Infinity. */
    t0?: number;
    t1?: number;
}

export type Place = "outside" | "inside" | "on-surface" | "undefined";

export interface ClosestOptions {
    within?: number;
    /** Distances are negative inside a closed model. */
    signed?: boolean;
}

/** During the time from 0 to 1, from `pose` on: a turn by `angle` about an axis, and a translation. See docs/motion.md. */
export interface Motion {
    pose?: Pose;
    translation?: ArrayLike<number>;
    axis?: ArrayLike<number>;
    point?: ArrayLike<number>;
    angle?: number;
}

export interface SeparateOptions {
    /** Along this direction only, exactly; default: in any, for which both models must be closed. */
    direction?: Numbers;
    /** The models may touch after the move. */
    touching?: boolean;
    /** Longer moves do not count; default: Infinity. */
    within?: number;
    /** A move that is not longer is good enough; default: 0. */
    enough?: number;
    /** How many directions are tried; default: 40. */
    directions?: number;
}

/** The shortest move is proven to be from `lower` to `upper` long. What is not known is null, or -1. */
export interface Separation {
    /** "yes": at `pose` the models are apart; "no": every such move is longer than `within`; "maybe": neither is known. */
    answer: "no" | "yes" | "maybe";
    /** Before the move. */
    relation: Relation;
    lower: number;
    upper: number;
    /** The move of B, and B's pose after it. */
    translation: Point | null;
    pose: Float64Array | null;
    /** Of the plane in which the polygons touch last, away from A. */
    normal: Point | null;
    polygonA: number;
    polygonB: number;
    /** The point that proves `lower`, and how far inside of each model it is. */
    deepest: Point | null;
    depthA: number | null;
    depthB: number | null;
}

export interface FirstContactOptions extends CollideOptions {
    begin?: number;
    end?: number;
    tolerance?: number;
}

/** Before `freeUntil` the models are proven not to touch; at `touchingAt` they do. */
export interface FirstContact {
    answer: "yes" | "no" | "maybe";
    freeUntil: number;
    touchingAt: number;
    error: number;
    polygonA: number;
    polygonB: number;
    pointA: Point | null;
    pointB: Point | null;
}

export interface ContactInterval {
    freeUntil: number;
    touchingAt: number;
    touchingUntil: number;
    freeFrom: number;
    polygonA: number;
    polygonB: number;
}

export interface ObjectOptions {
    /** Objects are compared if a bit of each one's group is in the other one's mask. */
    group?: number;
    mask?: number;
    clearance?: number;
    radius?: number;
    active?: boolean;
    user?: unknown;
}

export class SceneObject {
    private constructor();
    readonly scene: Scene;
    readonly model: Model;
    /** The caller's. */
    user: any;
}

export interface Meeting {
    a: SceneObject;
    b: SceneObject;
    event: "began" | "continues" | "ended";
}
export type ContactMeeting = Meeting & { pairs: Uint32Array; contacts: Contacts };
export type NearMeeting = Meeting & {
    distance: number; polygonA: number; polygonB: number; pointA: Point; pointB: Point;
};

/** Many objects that move. See docs/scenes.md. */
export class Scene {
    private constructor();
    readonly size: number;
    [Symbol.iterator](): IterableIterator<SceneObject>;
    add(model: Model, pose?: Pose, options?: ObjectOptions): SceneObject;
    remove(object: SceneObject): void;
    move(object: SceneObject, pose?: Pose): void;
    /** Twelve numbers for each, row by row. */
    moveAll(objects: readonly SceneObject[], poses: Float64Array | readonly number[]): void;
    ignore(a: SceneObject, b: SceneObject, ignored?: boolean): void;
    touching(options?: CollideOptions): Meeting[];
    contacts(options?: CollideOptions): ContactMeeting[];
    relations(): (Meeting & { relation: Relation })[];
    distances(options?: { within?: number }): NearMeeting[];
    nearest(options?: { within?: number }): NearMeeting | null;
    ray(origin: Numbers, direction: Numbers, options?: RayOptions & { groups?: number }):
        { object: SceneObject; polygon: number; t: number; point: Point } | null;
    dispose(): void;
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
    /** Do they intersect at each pose of B (twelve numbers each, row by row)? 1 or 0 for each. */
    collideMany(a: Model, b: Model, posesB: Numbers, poseA?: Pose, options?: CollideOptions): Uint8Array;
    /** Which polygons of a model intersect each other? */
    selfCollide(model: Model, options?: { clearance?: number; rings?: number; soup?: boolean; contacts?: boolean }): SelfPairs;
    /** The closest hit of the points origin + t * direction. */
    ray(model: Model, origin: Numbers, direction: Numbers, pose?: Pose, options?: RayOptions): RayHit | null;
    rayAll(model: Model, origin: Numbers, direction: Numbers, pose?: Pose, options?: RayOptions): RayHit[];
    /** Of each ray: the polygon or -1, t or Infinity, the point or NaN. */
    rays(model: Model, origins: Numbers, directions: Numbers, pose?: Pose, options?: RayOptions):
        { polygons: Int32Array; t: Float64Array; points: Float64Array };
    /** Where is each point (three numbers)? */
    inside(model: Model, points: Numbers, pose?: Pose, options?: { rule?: "parity" | "winding" }): Place[];
    closestPoint(model: Model, point: Numbers, pose?: Pose, options?: ClosestOptions):
        { polygon: number; distance: number; point: Point | null };
    closestPoints(model: Model, points: Numbers, pose?: Pose, options?: ClosestOptions):
        { polygons: Int32Array; distances: Float64Array; points: Float64Array };
    /** Which polygons meet a solid box, given by half of its extents and its pose, or a solid ball? */
    overlapBox(model: Model, halfExtents: Numbers, boxPose?: Pose, pose?: Pose): Uint32Array;
    overlapSphere(model: Model, centre: Numbers, radius: number, pose?: Pose): Uint32Array;
    /** From one pose to another: `centre`, a point of the model, moves on a straight line. */
    motionBetween(from?: Pose, to?: Pose, centre?: Numbers): Required<Motion>;
    motionPose(motion: Motion | null | undefined, time: number): Float64Array;
    /** When do two moving models touch for the first time? */
    firstContact(a: Model, b: Model, motionA?: Motion | null, motionB?: Motion | null, options?: FirstContactOptions):
        FirstContact;
    contactIntervals(a: Model, b: Model, motionA?: Motion | null, motionB?: Motion | null,
        options?: CollideOptions & { tolerance?: number }): ContactInterval[];
    /** How far must B be moved to part it from A, and where to? */
    separate(a: Model, b: Model, poseA?: Pose, poseB?: Pose, options?: SeparateOptions): Separation;
    scene(): Scene;
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

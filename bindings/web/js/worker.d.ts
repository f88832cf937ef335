// tumble-collision/worker: the library in a worker. The questions are those of load(); each answer is a promise. Calls are
// answered in their order, so none must be waited for before the next.
import type {
    CollideOptions, ContactMeeting, LoadOptions, Meeting, Mesh, Model, ModelInfo, ModelOptions, NearMeeting, Numbers,
    ObjectOptions, Pose, RayOptions, Relation, Scene, SceneObject, Tumble, Wholes
} from "./index.js";

export { TumbleError } from "./index.js";

type Given<Values extends unknown[]> = { [I in keyof Values]: Values[I] extends Model ? WorkerModel : Values[I] };
type Asynchronous<T> = {
    [Name in keyof T]: T[Name] extends (...values: infer Values) => infer Result
        ? (...values: Given<Values>) => Promise<Result> : never
};
type Questions = Asynchronous<Pick<Tumble, "readMesh" | "collide" | "count" | "pairs" | "contacts" | "distance" | "relation" |
    "collideMany" | "selfCollide" | "ray" | "rayAll" | "rays" | "inside" | "closestPoint" | "closestPoints" | "overlapBox" |
    "overlapSphere" | "motionBetween" | "motionPose" | "firstContact" | "contactIntervals" | "separate">>;

/** A model in the worker's memory. */
export class WorkerModel {
    private constructor();
    readonly info: ModelInfo;
    readonly disposed: boolean;
    /** Its bytes: for modelFromBlock(), also of load(). */
    block(): Promise<Uint8Array>;
    triangles(): Promise<ReturnType<Model["triangles"]>>;
    /** The answer need not be waited for. */
    dispose(): Promise<void>;
}

export class WorkerObject {
    private constructor();
    readonly scene: WorkerScene;
    readonly model: WorkerModel;
    user: any;
}

/** As M, with the objects of a WorkerScene. */
export type Met<M> = Omit<M, "a" | "b"> & { a: WorkerObject; b: WorkerObject };

export class WorkerScene {
    private constructor();
    readonly size: number;
    readonly disposed: boolean;
    [Symbol.iterator](): IterableIterator<WorkerObject>;
    add(model: WorkerModel, pose?: Pose, options?: ObjectOptions): Promise<WorkerObject>;
    remove(object: WorkerObject): Promise<void>;
    move(object: WorkerObject, pose?: Pose): Promise<void>;
    moveAll(objects: readonly WorkerObject[], poses: Float64Array | readonly number[]): Promise<void>;
    ignore(a: WorkerObject, b: WorkerObject, ignored?: boolean): Promise<void>;
    touching(options?: CollideOptions): Promise<Met<Meeting>[]>;
    contacts(options?: CollideOptions): Promise<Met<ContactMeeting>[]>;
    relations(): Promise<(Met<Meeting> & { relation: Relation })[]>;
    distances(options?: { within?: number }): Promise<Met<NearMeeting>[]>;
    nearest(options?: { within?: number }): Promise<Met<NearMeeting> | null>;
    ray(origin: Numbers, direction: Numbers, options?: RayOptions & { groups?: number }):
        Promise<{ object: WorkerObject; polygon: number; t: number; point: [number, number, number] } | null>;
    dispose(): Promise<void>;
}

export interface TumbleWorker extends Questions {}
export class TumbleWorker {
    private constructor();
    readonly version: string;
    memoryBytes(): Promise<number>;
    model(position: Numbers, index?: Wholes | null, options?: ModelOptions): Promise<WorkerModel>;
    /** The block's memory moves to the worker: its array is empty afterwards. */
    modelFromBlock(block: ArrayBuffer | ArrayBufferView): Promise<WorkerModel>;
    scene(): Promise<WorkerScene>;
    /** Ends the worker, with all that is in it. Calls that wait are rejected. */
    dispose(): void;
}

export interface WorkerOptions {
    /** Where tumble.wasm is, if not beside the script. */
    wasm?: string | URL | BufferSource | WebAssembly.Module;
    /** A worker that runs worker-main.mjs, if a bundler has put it elsewhere. */
    worker?: Worker;
}

export function loadWorker(options?: WorkerOptions): Promise<TumbleWorker>;

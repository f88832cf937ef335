// tumble-collision/three: models from geometries and objects of three.js, and lines that show contacts.
import type { BufferGeometry, LineSegments, Material, Matrix4, Object3D } from "three";
import type { Contacts, Distance, Model, ModelOptions, Tumble } from "./index.js";
import type { TumbleWorker, WorkerModel } from "./worker.js";

export interface SourceOptions {
    /**
     * The scale that an object has now goes into the points: needed if it differs from axis to axis, or mirrors. Give it to
     * poseOf(), too.
     */
    scaled?: boolean;
}

/**
 * The triangles of a geometry, or of all meshes below an object in that object's own frame. Each mesh is one surface. Bones
 * and morph targets are not looked at.
 */
export function meshOf(source: BufferGeometry | Object3D, options?: SourceOptions):
    { position: Float32Array | Float64Array; index: Uint32Array | Uint16Array; surfaces?: Uint32Array };

/** Their model. */
export function modelOf(tumble: Tumble, source: BufferGeometry | Object3D, options?: ModelOptions & SourceOptions): Model;
export function modelOf(tumble: TumbleWorker, source: BufferGeometry | Object3D, options?: ModelOptions & SourceOptions):
    Promise<WorkerModel>;

/** Where an object is in the world now, for every call that takes a pose. */
export function poseOf(object: Object3D, options?: SourceOptions): Matrix4;

/** Segments in which models meet, or between their nearest points: `scene.add(lines)`, then `lines.show(found)`. */
export class ContactLines extends LineSegments {
    constructor(material?: Material);
    show(found: Contacts | Distance | ArrayLike<number> | null): this;
    dispose(): void;
}

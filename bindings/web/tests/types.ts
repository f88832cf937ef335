// A program that uses the types of all entries; it is compiled, not run.
import { load, Model, TumbleError, type Contacts, type Distance, type Meeting, type Relation } from "tumble-collision";
import { loadWorker, type WorkerModel } from "tumble-collision/worker";
import { ContactLines, meshOf, modelOf, poseOf } from "tumble-collision/three";
import { BoxGeometry, LineBasicMaterial, Mesh, Scene } from "three";

async function here(): Promise<void> {
    const tumble = await load({ wasm: new URL("https://example.org/tumble.wasm") });
    const position = new Float32Array(9), a: Model = tumble.model(position, null, { surfaces: [7], hierarchy: "wide" });
    const b = tumble.modelFromBlock(a.block()), matrix = new Mesh().matrixWorld;
    const touches: boolean = tumble.collide(a, b, null, matrix, { clearance: 0.1 });
    const pairs: Uint32Array = tumble.pairs(a, b, undefined, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);
    const contacts: Contacts = tumble.contacts(a, b), distance: Distance = tumble.distance(a, b, matrix, matrix, { within: 1 });
    const relation: Relation = tumble.relation(a, b);
    if (distance.pointA) {
        const [x, y, z]: [number, number, number] = distance.pointA;
        console.log(touches, pairs, contacts.points, relation, x + y + z);
    }
    const hit = tumble.ray(a, [0, 0, 0], [1, 0, 0]);
    console.log(hit?.side === "front", tumble.firstContact(a, b, null, { translation: [1, 0, 0] }).freeUntil);
    const scene = tumble.scene(), object = scene.add(a, matrix, { group: 2, user: { name: "a" } });
    const meetings: Meeting[] = scene.touching();
    console.log(meetings.map(({ event }) => event), object.user.name, [...scene].length);
    scene.dispose();
    a.dispose();
}

async function there(): Promise<void> {
    const tumble = await loadWorker(), a: WorkerModel = await tumble.model(new Float64Array(9)), { info } = a;
    const b = await tumble.modelFromBlock(await a.block());
    const touches: boolean = await tumble.collide(a, b, null, null, { clearance: 1 });
    const { distance }: Distance = await tumble.distance(a, b);
    const scene = await tumble.scene(), object = await scene.add(a);
    const [meeting] = await scene.contacts();
    console.log(info.closed, touches, distance, object.user, meeting?.a === object, meeting?.contacts.points);
    await a.dispose();
    tumble.dispose();
}

async function drawn(): Promise<void> {
    const tumble = await load(), worker = await loadWorker(), mesh = new Mesh(new BoxGeometry());
    const a = modelOf(tumble, mesh, { hierarchy: "auto" }), b: Promise<WorkerModel> = modelOf(worker, mesh.geometry);
    const lines = new ContactLines(new LineBasicMaterial());
    new Scene().add(lines.show(tumble.contacts(a, a, poseOf(mesh), null)), mesh);
    console.log(await b, meshOf(mesh, { scaled: true }).index.length);
}

here().catch((error: unknown) => console.log(error instanceof TumbleError ? error.status : error));
void there().then(drawn);

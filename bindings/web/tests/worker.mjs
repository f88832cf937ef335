// Tests of tumble-collision/worker beside the package itself, in Node.js and in browsers alike.
import { box, Checker, translation } from "./interface.mjs";

const plain = (value) => JSON.stringify(value, (_, v) => ArrayBuffer.isView(v) ? [...v] : v instanceof Map ? [...v]
    : v === Infinity ? "Infinity" : Number.isNaN(v) ? "NaN" : v);

async function rejects(t, promise, words) {
    t.checks++;
    const error = await promise.then(() => null, (reason) => reason);
    if (!error || error.name !== "TumbleError" || !error.message.includes(words)) {
        t.failures.push(`rejected with ${error?.name}: ${error?.message}, expected ${words}`);
    }
}

// Every question, with both.
async function compareQuestions(t, here, there) {
    const [p, i] = box([-1, -1, -1], [1, 1, 1]), [q, j] = box([0, 0, 0], [0.5, 3, 0.5]);
    const a = here.model(p, i), b = here.model(q, j, { surfaces: Uint32Array.from({ length: 12 }, (_, k) => k) });
    const [x, y] = await Promise.all([there.model(p, i), there.modelFromBlock(b.block())]);
    t.equal(plain(x.info), plain(a.info), "info");
    t.equal(plain(await y.triangles()), plain(b.triangles()), "triangles");
    t.equal(await y.block(), b.block(), "block");
    const pose = translation(0.25, 0.5, 0), matrix = { elements: translation(3, 0.5, 0.125), isMatrix4: true };
    const poses = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 5, 0, 1, 0, 0, 0, 0, 1, 0);
    const off = "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", points = [0, 0, 0, 4, 0, 0];
    const questions = {
        readMesh: [off], collide: [a, b, null, pose], count: [a, b, pose, matrix, { clearance: 8 }],
        pairs: [a, b, null, pose], contacts: [a, b, null, pose], distance: [a, b, pose, matrix], relation: [a, b, pose],
        collideMany: [a, b, poses], selfCollide: [a, { contacts: true }], ray: [a, [-5, 0, 0], [1, 0, 0]],
        rayAll: [a, [-5, 0.25, 0], [1, 0, 0]], rays: [a, points, [1, 0, 0, 1, 0, 0]], inside: [a, points],
        closestPoint: [a, [3, 0, 0]], closestPoints: [a, points, pose, { signed: true }],
        overlapBox: [a, [0.5, 0.5, 3], pose], overlapSphere: [a, [1, 1, 1], 0.5], motionBetween: [pose, matrix],
        motionPose: [{ translation: [4, 0, 0] }, 0.5],
        firstContact: [a, b, null, { pose: translation(5, 0, 0), translation: [-5, 0, 0] }],
        contactIntervals: [a, b, null, { pose: translation(5, 0, 0), translation: [-20, 0, 0] }],
        separate: [a, b, null, pose]
    };
    const known = new Map([[a, x], [b, y]]);
    const answers = await Promise.all(Object.entries(questions).map(([name, values]) =>
        there[name](...values.map((value) => known.get(value) ?? value))));
    Object.entries(questions).forEach(([name, values], k) => {
        t.equal(plain(answers[k]), plain(here[name](...values)), name);
    });
    const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(here));
    t.equal(methods.filter((name) => typeof there[name] !== "function" && !["version", "constructor"].includes(name)), [],
        "methods that the worker lacks");
    return [x, y];
}

async function testScene(t, there, model) {
    const scene = await there.scene(), wall = await scene.add(model, null, { user: "wall" });
    const crate = await scene.add(model, translation(1.5, 0, 0), { user: "crate" });
    t.equal([scene.size, [...scene].map(({ user }) => user)], [2, ["wall", "crate"]], "objects");
    const [meeting] = await scene.touching();
    t.equal([meeting.a === wall, meeting.b === crate, meeting.event], [true, true, "began"], "objects that touch");
    await scene.move(crate, translation(4, 0, 0));
    t.equal((await scene.nearest()).distance, 2, "the nearest");
    scene.moveAll([wall, crate], Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0));
    t.equal((await scene.contacts())[0].contacts.count > 0, true, "contacts of objects");
    t.equal((await scene.ray([-9, 0.25, 0.125], [1, 0, 0])).object === wall, true, "what a ray hits");
    await scene.remove(crate);
    t.equal([scene.size, await scene.touching()], [1, [{ a: meeting.a, b: undefined, event: "ended" }].slice(1)], "removed");
    await rejects(t, scene.move(model), "expected an object of this scene");
    await scene.dispose();
    await rejects(t, scene.touching(), "disposed");
}

export async function testWorker({ load }, { loadWorker }) {
    const t = new Checker(), here = await load(), there = await loadWorker();
    t.equal(there.version, here.version, "version");
    const [x, y] = await compareQuestions(t, here, there);
    await testScene(t, there, x);

    const block = await x.block(), length = block.length;
    const again = await there.modelFromBlock(block);
    t.equal([length > 0, block.length], [true, 0], "a block moves");
    await again.dispose();
    t.equal(again.disposed, true, "disposed");
    await rejects(t, there.collide(again, x), "disposed");
    await rejects(t, there.model([0, 0, 0, 0, 0, NaN, 1, 1, 1]), "point 1");
    await rejects(t, there.collide(x, y, null, [1, 2]), "pose of B");
    const other = await loadWorker(), stranger = await other.model(...box([0, 0, 0], [1, 1, 1]));
    await rejects(t, there.collide(x, stranger), "another worker");
    const bytes = await there.memoryBytes();
    await Promise.all(Array.from({ length: 20 }, async () => (await there.model(...box([0, 0, 0], [1, 1, 1]))).dispose()));
    t.equal(await there.memoryBytes(), bytes, "memory is used again");
    const late = other.collide(stranger, stranger);
    other.dispose();
    await rejects(t, late, "ended");
    await rejects(t, other.collide(stranger, stranger), "ended");
    there.dispose();
    return t;
}

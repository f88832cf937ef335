// Tests of the package's functions with models whose answers are known, in Node.js and in browsers alike.

// The box from `lower` to `upper`: 12 triangles.
export function box(lower, upper) {
    const position = [];
    for (let i = 0; i < 8; i++) {
        position.push(i & 1 ? upper[0] : lower[0], i & 2 ? upper[1] : lower[1], i & 4 ? upper[2] : lower[2]);
    }
    const index = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]].flatMap(
        ([a, b, c, d]) => [a, b, c, a, c, d]);
    return [new Float32Array(position), new Uint16Array(index)];
}

export const translation = (x, y, z) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1];

export class Checker {
    constructor() {
        this.checks = 0;
        this.failures = [];
    }

    equal(found, expected, what) {
        this.checks++;
        const [f, e] = [found, expected].map((value) => JSON.stringify(value, (_, v) =>
            ArrayBuffer.isView(v) ? [...v] : v === Infinity ? "Infinity" : v));
        if (f !== e) {
            this.failures.push(`${what}: ${f}, expected ${e}`);
        }
    }

    refuses(call, type, status, words) {
        this.checks++;
        try {
            call();
        } catch (error) {
            if (!(error instanceof type) || error.status !== status || !error.message.includes(words)) {
                this.failures.push(`refused with ${error.status}: ${error.message}, expected ${status}: ${words}`);
            }
            return;
        }
        this.failures.push(`not refused: ${words}`);
    }
}

const cube = (tumble) => tumble.model(...box([-1, -1, -1], [1, 1, 1]));

function testModels(t, { load, Model, TumbleError }, tumble) {
    const [position, index] = box([-1, -2, -3], [1, 2, 3]), model = tumble.model(position, index);
    t.equal(model instanceof Model, true, "class");
    const { polygonCount, triangleCount, pointCount, closed, lower, upper, hierarchy } = model.info;
    t.equal({ polygonCount, triangleCount, pointCount, closed, lower, upper, hierarchy }, { polygonCount: 12,
        triangleCount: 12, pointCount: 8, closed: true, lower: [-1, -2, -3], upper: [1, 2, 3], hierarchy: "wide" },
        "info");
    const same = (other, what) => {
        t.equal(other.block(), model.block(), what);
        other.dispose();
    };
    same(tumble.model([...position], [...index]), "arrays of numbers");
    same(tumble.model(new Float64Array(position), new Uint32Array(index)), "doubles that are floats");
    same(tumble.modelFromBlock(model.block()), "block");
    const wide = new Float32Array(40);
    for (let i = 0; i < 8; i++) {
        wide.set(position.subarray(3 * i, 3 * i + 3), 5 * i);
    }
    same(tumble.model(wide, index, { stride: 5 }), "stride");
    const corners = Float32Array.from([...index].flatMap((i) => [...position.subarray(3 * i, 3 * i + 3)]));
    const soup = tumble.model(corners);
    t.equal([soup.info.triangleCount, soup.info.closed], [12, true], "without an index");
    const quads = tumble.model(position, [0, 2, 3, 1, 4, 5, 7, 6], { sizes: [4, 4], surfaces: [7, 9] });
    t.equal([quads.info.polygonCount, quads.info.triangleCount, quads.info.surfaceCount], [2, 4, 2], "quads");
    const triangles = quads.triangles();
    t.equal([triangles.position.length, [...triangles.polygons].sort()], [36, [0, 0, 1, 1]], "triangles");
    t.equal(tumble.model([], []).info.polygonCount, 0, "an empty model");

    const refused = (call, status, words) => t.refuses(call, TumbleError, `TUMBLE_ERROR_${status}`, words);
    refused(() => tumble.model(position, [0, 1, 8]), "INDEX", "8");
    refused(() => tumble.model([0, 0, 0, 0, NaN, 0, 1, 1, 1]), "NOT_FINITE", "point 1");
    refused(() => tumble.model(position, [0, 1]), "ARGUMENT", "multiple of 3");
    refused(() => tumble.model(position, [0, 1, -1]), "ARGUMENT", "index[2]: -1");
    refused(() => tumble.model(position, [0, 1, 1.5]), "ARGUMENT", "index[2]: 1.5");
    refused(() => tumble.model("text"), "ARGUMENT", "position: expected");
    refused(() => tumble.model([1, 2, "3"]), "ARGUMENT", "position[2]");
    refused(() => tumble.model(position, index, { stride: 2 }), "ARGUMENT", "stride");
    refused(() => tumble.model([1, 2, 3, 4]), "ARGUMENT", "no multiple");
    refused(() => tumble.model(position, index, { hierarchy: "oak" }), "ARGUMENT", "oak");
    refused(() => tumble.model(position, index, { surfaces: [1] }), "ARGUMENT", "surfaces: has 1");
    refused(() => tumble.model(position, [0, 1, 2], { sizes: [2] }), "POLYGON", "polygon 0");
    refused(() => tumble.modelFromBlock(model.block().subarray(0, 100)), "FORMAT", "");
    refused(() => tumble.modelFromBlock("text"), "ARGUMENT", "block: expected");
    model.dispose();
    model.dispose();
    t.equal(model.disposed, true, "disposed");
    refused(() => model.block(), "ARGUMENT", "disposed");
    refused(() => tumble.collide(model, soup), "ARGUMENT", "model A: the model was disposed of");
}

async function testInstances(t, { load, TumbleError }, tumble) {
    const other = await load(), [mine, theirs] = [cube(tumble), cube(other)];
    t.refuses(() => tumble.collide(mine, theirs), TumbleError, "TUMBLE_ERROR_ARGUMENT", "model B: the model belongs");
    t.equal(tumble.collide(mine, tumble.modelFromBlock(theirs.block())), true, "a model by its block");
}

function testPairs(t, { TumbleError }, tumble) {
    const a = cube(tumble), b = cube(tumble), at = (x, y = 0, z = 0) => translation(x, y, z);
    t.equal([0, 1.5, 2, 2.0000001].map((x) => tumble.collide(a, b, null, at(x))), [true, true, true, false],
        "cubes that move away");
    t.equal(tumble.collide(a, b, at(5), at(8), { clearance: 1 }), true, "a clearance");
    t.equal(tumble.collide(a, b, at(5), at(8), { clearance: 0.999 }), false, "a smaller clearance");
    const rows = [1, 0, 0, 1.5, 0, 1, 0, 0.25, 0, 0, 1, 0.125], elements = at(1.5, 0.25, 0.125);
    const pairs = tumble.pairs(a, b, null, rows);
    t.equal(pairs.length > 0 && pairs instanceof Uint32Array, true, "pairs");
    t.equal(tumble.pairs(a, b, null, { elements }), pairs, "the two forms of a pose");
    t.equal(tumble.pairs(a, b, null, new Float32Array(elements)), pairs, "a pose of floats");
    t.equal(tumble.count(a, b, null, rows), pairs.length / 2, "count");
    const contacts = tumble.contacts(a, b, null, rows);
    t.equal([contacts.count, contacts.polygons], [pairs.length / 2, pairs], "contacts");
    const inside = (value, low, high) => value >= low && value <= high;
    t.equal([...contacts.points].every((value, i) => inside(value, [0.5, -0.75, -0.875][i % 3], 1)), true,
        "where the cubes meet");
    t.equal(tumble.distance(a, b, null, at(5, 0, 0)).distance, 3, "distance");
    t.equal(tumble.distance(a, b, null, at(4, 5, 1)).distance, Math.sqrt(13), "distance of edges");
    t.equal(tumble.distance(a, b, null, at(5), { within: 2 }), { distance: Infinity, pointA: null, pointB: null,
        polygonA: -1, polygonB: -1 }, "nothing within");
    const small = tumble.model(...box([-0.1, -0.1, -0.1], [0.1, 0.1, 0.1]));
    t.equal([at(9), at(2), at(1.5), at(0)].map((pose) => tumble.relation(a, b, null, pose)),
        ["apart", "touching", "crossing", "crossing"], "relations");
    t.equal([tumble.relation(a, small), tumble.relation(small, a)], ["b-in-a", "a-in-b"], "inside");

    const refused = (call, status, words) => t.refuses(call, TumbleError, `TUMBLE_ERROR_${status}`, words);
    refused(() => tumble.collide(a, b, null, [1, 2, 3]), "ARGUMENT", "pose of B: expected 16");
    refused(() => tumble.collide(a, b, [1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]), "ARGUMENT", "pose of A");
    refused(() => tumble.collide(a, b, [2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]), "POSE", "pose");
    refused(() => tumble.pairs(a, b, null, at(NaN)), "NOT_FINITE", "");
    refused(() => tumble.collide(a, {}), "ARGUMENT", "model B: expected a Model");
    refused(() => tumble.collide(a, b, null, null, { clearance: -1 }), "ARGUMENT", "clearance");
    refused(() => tumble.distance(a, b, null, null, { within: "far" }), "ARGUMENT", "within");
}

function testMany(t, { TumbleError }, tumble) {
    const a = cube(tumble), b = cube(tumble), poses = new Float64Array(36);
    [0, 1.5, 3].forEach((x, i) => poses.set([1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, 0], 12 * i));
    t.equal(tumble.collideMany(a, b, poses), [1, 1, 0], "three poses");
    t.equal(tumble.collideMany(a, b, poses, translation(2, 0, 0)), [1, 1, 1], "... with A at a pose");
    t.equal(tumble.collideMany(a, b, []), [], "no pose");
    t.refuses(() => tumble.collideMany(a, b, [1, 2]), TumbleError, "TUMBLE_ERROR_ARGUMENT", "multiple of 12");
}

function testSingle(t, { TumbleError }, tumble) {
    const a = cube(tumble), refused = (call, words) => t.refuses(call, TumbleError, "TUMBLE_ERROR_ARGUMENT", words);
    t.equal(tumble.selfCollide(a).count, 0, "a cube does not intersect itself");
    const crossed = tumble.model([-1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0.5, -1, 0, 0.5, 1, 0, 2, 0]);
    const self = tumble.selfCollide(crossed, { contacts: true });
    t.equal([self.count, self.polygons, self.kinds, self.contacts.count], [1, [0, 1], ["crossing"], 1], "crossed triangles");
    t.equal([...self.contacts.points].filter((_, i) => i % 3 !== 1), [0, 0, 0, 0], "they meet above the origin");

    const hit = tumble.ray(a, [5, 0.25, 0.5], [-2, 0, 0]);
    t.equal([hit.t, hit.point, hit.side], [2, [1, 0.25, 0.5], "front"], "a ray");
    t.equal(tumble.ray(a, [5, 0.25, 0.5], [-2, 0, 0], null, { t1: 1.9 }), null, "a ray that ends before");
    t.equal(tumble.ray(a, [5, 0.25, 0.5], [-1, 0, 0], translation(1, 0, 0)).t, 3, "a ray at a pose");
    t.equal(tumble.rayAll(a, [5, 0.25, 0.5], [-1, 0, 0]).map((h) => [h.t, h.side]), [[4, "front"], [6, "back"]], "all hits");
    const many = tumble.rays(a, [5, 0.25, 0.5, 5, 9, 0], [-1, 0, 0, -1, 0, 0]);
    t.equal([many.polygons[0] >= 0, many.polygons[1], many.t], [true, -1, [4, Infinity]].map((v) =>
        Array.isArray(v) ? Float64Array.from(v) : v), "two rays");
    refused(() => tumble.ray(a, [0, 0, 0], [0, 0, 0]), "");
    refused(() => tumble.ray(a, [0, 0], [0, 0, 1]), "origin");
    refused(() => tumble.rays(a, [0, 0, 0], [0, 0, 1, 0, 0, 1]), "directions: 6");

    t.equal(tumble.inside(a, [0, 0, 0, 1, 0, 0, 2, 0, 0]), ["inside", "on-surface", "outside"], "points");
    t.equal(tumble.inside(a, [0, 0, 0], null, { rule: "winding" }), ["inside"], "by the winding number");
    refused(() => tumble.inside(a, [0, 0, 0], null, { rule: "odd" }), "odd");
    const closest = tumble.closestPoint(a, [3, 0.5, 0.25]);
    t.equal([closest.distance, closest.point], [2, [1, 0.5, 0.25]], "closest point");
    t.equal(tumble.closestPoint(a, [0.5, 0, 0], null, { signed: true }).distance, -0.5, "inside");
    t.equal(tumble.closestPoint(a, [3, 0, 0], null, { within: 1 }), { polygon: -1, distance: Infinity, point: null },
        "nothing within");
    t.equal(tumble.overlapSphere(a, [0, 0, 0], 0.99), [], "a ball inside the surface");
    t.equal(tumble.overlapSphere(a, [0, 0, 0], 1).length, 12, "a ball that touches all sides");
    t.equal(tumble.overlapBox(a, [0.25, 0.5, 0.5], translation(1.25, 0, 0)).length, 2, "a box that touches one side");
}

function testMotion(t, { TumbleError }, tumble) {
    const a = cube(tumble), b = cube(tumble), path = { pose: translation(6, 0, 0), translation: [-8, 0, 0] };
    const contact = tumble.firstContact(a, b, null, path);
    t.equal([contact.answer, contact.freeUntil <= 0.5, contact.touchingAt >= 0.5, contact.touchingAt - contact.freeUntil <=
        1e-6], ["yes", true, true, true], "first contact");
    t.equal(tumble.firstContact(a, b, null, { ...path, translation: [0, 9, 0] }).answer, "no", "no contact");
    const intervals = tumble.contactIntervals(a, b, null, { ...path, translation: [-16, 0, 0] });
    t.equal([intervals.length, Math.abs(intervals[0].touchingAt - 0.25) < 2e-3, Math.abs(intervals[0].freeFrom - 0.5) < 2e-3],
        [1, true, true], "in and out");
    const between = tumble.motionBetween(null, translation(4, 0, 0));
    t.equal([between.translation, between.angle], [[4, 0, 0], 0], "between two poses");
    t.equal(tumble.motionPose(between, 0.25), translation(1, 0, 0), "a pose on the way");
    t.refuses(() => tumble.motionPose(between, 2), TumbleError, "TUMBLE_ERROR_ARGUMENT", "time");
    t.refuses(() => tumble.firstContact(a, b, 7), TumbleError, "TUMBLE_ERROR_ARGUMENT", "motion of A");
}

function testSeparate(t, { TumbleError }, tumble) {
    const a = cube(tumble), b = cube(tumble), at = translation(1.5, 0.25, 0);
    const move = tumble.separate(a, b, null, at);
    t.equal([move.answer, move.relation, move.normal, move.translation.map((x) => Math.abs(x) < 1e-9)],
        ["yes", "crossing", [1, 0, 0], [false, true, true]], "the shortest move");
    t.equal([move.lower <= 0.5, move.upper >= 0.5, move.upper < 0.5 + 1e-9, move.lower > 0.5 - 1e-9],
        [true, true, true, true], "the depth");
    t.equal(tumble.relation(a, b, null, move.pose), "apart", "after the move");
    t.equal([move.depthA + move.depthB, move.deepest.length], [move.depthA + move.depthB, 3], "the deepest point");
    const up = tumble.separate(a, b, null, at, { direction: [0, 0, -3], touching: true });
    t.equal([up.translation, Math.abs(up.upper - 2) < 1e-14, up.deepest], [[0, 0, -2], true, null], "along a direction");
    const far = tumble.separate(a, b, null, at, { within: 0.25 });
    t.equal([far.answer, far.translation, far.polygonA], ["no", null, -1], "nothing within");
    t.equal(tumble.separate(a, b, null, translation(5, 0, 0)).upper, 0, "apart");
    t.refuses(() => tumble.separate(a, b, null, at, { direction: [1, 2] }), TumbleError, "TUMBLE_ERROR_ARGUMENT",
        "direction");
    const open = tumble.model([0, 0, 0, 9, 0, 0, 0, 9, 0]);
    t.refuses(() => tumble.separate(a, open), TumbleError, "TUMBLE_ERROR_UNSUPPORTED", "open");
}

function testScene(t, { TumbleError }, tumble) {
    const model = cube(tumble), scene = tumble.scene();
    const objects = [0, 1.5, 3, 9].map((x, i) => scene.add(model, translation(x, 0, 0), { user: i }));
    const numbers = (list) => list.map(({ a, b }) => [a.user, b.user]);
    t.equal([scene.size, numbers(scene.touching())], [4, [[0, 1], [1, 2]]], "which objects touch");
    t.equal(scene.touching().map((meeting) => meeting.event), ["continues", "continues"], "events");
    const [first] = scene.contacts();
    t.equal([first.pairs, first.contacts.count], [tumble.pairs(model, model, null, translation(1.5, 0, 0)),
        first.pairs.length / 2], "contacts");
    t.equal(scene.relations().map((meeting) => meeting.relation), ["crossing", "crossing"], "relations");
    t.equal(scene.distances({ within: 2 }).map((meeting) => meeting.distance), [0, 1, 0], "distances");
    t.equal(numbers(scene.touching({ clearance: 1 })), [[0, 1], [0, 2], [1, 2]], "with a clearance");
    scene.ignore(objects[0], objects[1]);
    scene.move(objects[3], translation(4, 0, 0));
    t.equal(numbers(scene.touching()), [[1, 2], [2, 3]], "after a move");
    t.equal(scene.ray([20, 0, 0], [-1, 0, 0]).object.user, 3, "a ray");
    scene.moveAll([objects[1], objects[2]], [1, 0, 0, 30, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 60, 0, 1, 0, 0, 0, 0, 1, 0]);
    t.equal(scene.touching(), [], "after many moves");
    t.equal([scene.nearest().distance, scene.nearest({ within: 1 })], [2, null], "the nearest pair");
    t.refuses(() => model.dispose(), TumbleError, "TUMBLE_ERROR_BUSY", "");
    scene.remove(objects[3]);
    t.equal([scene.size, scene.ray([20, 0, 0], [1, 0, 0], { t1: 5 })], [3, null], "removed");
    t.refuses(() => scene.move(objects[3]), TumbleError, "TUMBLE_ERROR_INDEX", "");
    t.refuses(() => tumble.scene().remove(objects[0]), TumbleError, "TUMBLE_ERROR_ARGUMENT", "object of this scene");
    scene.dispose();
    scene.dispose();
    t.refuses(() => scene.touching(), TumbleError, "TUMBLE_ERROR_ARGUMENT", "disposed");
    model.dispose();
}

function testFiles(t, { TumbleError }, tumble) {
    const obj = "o left\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\no right\nv 0 0 1\nf 1 2 5\n";
    const mesh = tumble.readMesh(obj);
    t.equal([mesh.position.length, mesh.index, mesh.sizes, [...mesh.surfaceNames.values()]],
        [15, [0, 1, 2, 3, 0, 1, 4], [4, 3], ["left", "right"]], "an OBJ file");
    t.equal(tumble.model(mesh.position, mesh.index, mesh).info.surfaceCount, 2, "its model");
    t.equal(tumble.readMesh(new TextEncoder().encode(obj).buffer, "obj").index, mesh.index, "the same as bytes");
    t.refuses(() => tumble.readMesh("v 0 0 0\nf 1 2 3\n"), TumbleError, "TUMBLE_ERROR_FORMAT", "2");
    t.refuses(() => tumble.readMesh(new Uint8Array([1, 2, 3])), TumbleError, "TUMBLE_ERROR_UNSUPPORTED", "");
    t.refuses(() => tumble.readMesh(obj, "docx"), TumbleError, "TUMBLE_ERROR_ARGUMENT", "docx");
}

// A grid of n x n squares, with waves.
function grid(n) {
    const position = new Float32Array(3 * (n + 1) * (n + 1)), index = new Uint32Array(6 * n * n);
    for (let i = 0, k = 0; i <= n; i++) {
        for (let j = 0; j <= n; j++) {
            position.set([i / n, j / n, 0.1 * Math.sin(20 * i / n) * Math.sin(20 * j / n)], 3 * k++);
        }
    }
    for (let i = 0, k = 0; i < n; i++) {
        for (let j = 0; j < n; j++, k += 6) {
            const a = i * (n + 1) + j, b = a + n + 1;
            index.set([a, b, b + 1, a, b + 1, a + 1], k);
        }
    }
    return [position, index];
}

// The memory grows while earlier results are kept.
function testGrowth(t, library, tumble) {
    const a = cube(tumble), b = cube(tumble), pose = translation(1.5, 0.25, 0.125);
    const before = tumble.memoryBytes, pairs = tumble.pairs(a, b, null, pose), kept = [...pairs];
    const large = tumble.model(...grid(450));
    t.equal(tumble.memoryBytes > before, true, "the memory has grown");
    t.equal([pairs, tumble.pairs(a, b, null, pose)], [kept, kept], "pairs before and after");
    t.equal(tumble.collide(large, large, null, translation(0.1, 0, 0)), true, "a large model");
    large.dispose();
    const after = tumble.memoryBytes;
    for (let i = 0; i < 5; i++) {
        tumble.model(...grid(450)).dispose();
    }
    t.equal(tumble.memoryBytes, after, "disposed memory is used again");
}

// `library`: what the package exports.
// What is no module: a page that a server sends instead, nothing, and an address at which there is none.
async function testLoad(t, { load, TumbleError }) {
    const refused = async (wasm, status, words) => {
        t.checks++;
        const error = await load({ wasm }).then(() => null, (reason) => reason);
        if (!(error instanceof TumbleError) || error.status !== status || !error.message.includes(words)) {
            t.failures.push(`loading ended with ${error?.status}: ${error?.message}, expected ${status}: ${words}`);
        }
    };
    await refused(new TextEncoder().encode("<!doctype html>"), "TUMBLE_ERROR_FORMAT", "is tumble.wasm there?");
    await refused(new Uint8Array(0), "TUMBLE_ERROR_FORMAT", "no WebAssembly module");
}

export async function testAll(library) {
    const t = new Checker(), tumble = await library.load();
    t.equal(/^\d+\.\d+\.\d+$/.test(tumble.version), true, "version");
    for (const test of [testModels, testInstances, testPairs, testMany, testSingle, testMotion, testSeparate, testScene,
        testFiles, testGrowth, testLoad]) {
        await test(t, library, tumble);
    }
    return t;
}

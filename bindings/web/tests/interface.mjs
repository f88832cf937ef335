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

class Checker {
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
export async function testAll(library) {
    const t = new Checker(), tumble = await library.load();
    t.equal(/^\d+\.\d+\.\d+$/.test(tumble.version), true, "version");
    for (const test of [testModels, testInstances, testPairs, testFiles, testGrowth]) {
        await test(t, library, tumble);
    }
    return t;
}

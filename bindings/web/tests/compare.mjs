// Asks the module what the native library was asked (answers.c), in Node.js and in browsers alike.

class Reader {
    constructor(bytes) {
        this.bytes = bytes;
        this.at = 0;
    }

    array(type, count) {
        const size = count * type.BYTES_PER_ELEMENT;
        this.at += size;
        return new type(this.bytes.slice(this.at - size, this.at).buffer);
    }

    whole() {
        return this.array(Uint32Array, 1)[0];
    }

    number() {
        return this.array(Float64Array, 1)[0];
    }
}

export function hashOf(bytes) {
    let a = 2166136261, b = 0x9747b28c;
    for (let i = 0; i < bytes.length; i++) {
        a = Math.imul(a ^ bytes[i], 16777619);
        b = Math.imul(b ^ bytes[i], 0x01000197);
    }
    return [bytes.length, a >>> 0, b >>> 0];
}

const hierarchies = ["auto", "brute", "boxtree", "wide", "kdop", "rtree"];
const relations = ["apart", "touching", "crossing", "a-in-b", "b-in-a", "undefined"];
const bytesOf = (array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

// As they are in C.
function bytesOfContacts({ count, polygons, points, coplanar, apart }) {
    const words = new Uint32Array(16 * count), doubles = new Float64Array(words.buffer);
    for (let i = 0; i < count; i++) {
        words.set([polygons[2 * i], polygons[2 * i + 1], coplanar[i], apart[i]], 16 * i);
        doubles.set(points.subarray(6 * i, 6 * i + 6), 8 * i + 2);
    }
    return bytesOf(words);
}

// 16 numbers by columns, as three.js has them.
const columns = (m) => [m[0], m[4], m[8], 0, m[1], m[5], m[9], 0, m[2], m[6], m[10], 0, m[3], m[7], m[11], 1];

export function compare(tumble, bytes) {
    const reader = new Reader(bytes), failures = [], counts = { scenes: 0, poses: 0, checks: 0, pairs: 0 };
    let place = "";
    const same = (found, expected, what) => {
        counts.checks++;
        const [f, e] = [[...found], [...expected]];
        if (f.length !== e.length || f.some((value, i) => !Object.is(value, e[i]))) {
            failures.push(`${place}: ${what}: ${f.slice(0, 12)}, native ${e.slice(0, 12)}`);
        }
    };

    const readModel = () => {
        const hierarchy = hierarchies[reader.whole()];
        const points = reader.whole(), corners = reader.whole(), polygons = reader.whole();
        const position = reader.array(Float64Array, 3 * points), index = reader.array(Uint32Array, corners);
        const sizes = polygons > 0 ? reader.array(Uint32Array, polygons) : undefined;
        const surfaces = reader.array(Uint32Array, sizes ? polygons : corners / 3);
        const model = tumble.model(position, index, { hierarchy, sizes, surfaces });
        const block = model.block();
        same(hashOf(block), reader.array(Uint32Array, 3), `bytes of a ${hierarchy} model of ${corners} corners`);
        const again = tumble.modelFromBlock(block);
        same(hashOf(again.block()), hashOf(block), "bytes of the model of a block");
        again.dispose();
        return model;
    };

    const ask = (a, b) => {
        const poseA = reader.array(Float64Array, 12), poseB = reader.array(Float64Array, 12);
        const clearance = reader.number(), options = { clearance };
        const pairs = tumble.pairs(a, b, poseA, poseB, options);
        counts.pairs += pairs.length / 2;
        same(hashOf(bytesOf(pairs)), reader.array(Uint32Array, 3), "pairs");
        same([tumble.collide(a, b, columns(poseA), columns(poseB), options)], [pairs.length > 0], "collide");
        same([tumble.count(a, b, poseA, poseB, options)], [pairs.length / 2], "count");
        const contacts = bytesOfContacts(tumble.contacts(a, b, poseA, poseB, options));
        same(hashOf(contacts), reader.array(Uint32Array, 3), "contacts");
        const answer = reader.whole(), polygons = reader.array(Uint32Array, 2);
        const near = tumble.distance(a, b, poseA, poseB);
        const expected = reader.array(Float64Array, 7);
        if (answer === 0) {
            same([near.distance], [Infinity], "distance");
        } else {
            same([near.distance, ...near.pointA, ...near.pointB], expected, "distance");
            same([near.polygonA, near.polygonB], polygons, "nearest polygons");
        }
        same([tumble.relation(a, b, poseA, poseB)], [relations[reader.whole()]], "relation");
        counts.poses++;
    };

    const kinds = ["", "duplicate", "crossing", "overlapping", "touching", "degenerate", "near"];
    const places = ["outside", "inside", "on-surface", "undefined"];

    const askOne = (model) => {
        const self = tumble.selfCollide(model), words = new Uint32Array(3 * self.count);
        self.kinds.forEach((kind, i) => words.set([...self.polygons.subarray(2 * i, 2 * i + 2), kinds.indexOf(kind)], 3 * i));
        same(hashOf(bytesOf(words)), reader.array(Uint32Array, 3), "pairs of one model");

        const pose = reader.array(Float64Array, 12), count = 12;
        const origins = reader.array(Float64Array, 3 * count), directions = reader.array(Float64Array, 3 * count);
        const hits = tumble.rays(model, origins, directions, pose);
        const point = (array, i) => [...array.subarray(3 * i, 3 * i + 3)];
        for (let i = 0; i < count; i++) {
            const polygon = reader.array(Int32Array, 1)[0], expected = reader.array(Float64Array, 4);
            same([hits.polygons[i]], [polygon], "polygon that a ray hits");
            if (polygon !== -1) {
                same([hits.t[i], ...point(hits.points, i)], expected, "hit of a ray");
            }
            const hit = tumble.ray(model, point(origins, i), point(directions, i), pose);
            same([hit === null ? -1 : hit.polygon], [polygon], "a single ray");
        }
        const inside = tumble.inside(model, origins, pose);
        const closest = tumble.closestPoints(model, origins, pose, { signed: true });
        for (let i = 0; i < count; i++) {
            same([inside[i]], [places[reader.whole()]], "place of a point");
            same([closest.polygons[i]], [reader.array(Int32Array, 1)[0]], "closest polygon");
            same([closest.distances[i], ...point(closest.points, i)], reader.array(Float64Array, 4), "closest point");
        }
    };

    const askMotion = (a, b) => {
        const from = reader.array(Float64Array, 12), to = reader.array(Float64Array, 12);
        const contact = tumble.firstContact(a, b, null, tumble.motionBetween(from, to));
        same([contact.answer], [["no", "yes", "maybe"][reader.whole()]], "is there a contact");
        // Turns take sines from the C library of each, so only what both prove must agree.
        const [free, touching] = reader.array(Float64Array, 2);
        counts.checks++;
        if (!(contact.freeUntil <= touching && free <= contact.touchingAt)) {
            failures.push(`${place}: contact in ${contact.freeUntil} to ${contact.touchingAt}, native ${free} to ${touching}`);
        }
    };

    const askSeparation = (a, b) => {
        const move = tumble.separate(a, b, null, reader.array(Float64Array, 12), { direction: [1, 2, -3] });
        same([move.relation], [relations[reader.whole()]], "relation before a move");
        same([move.lower, move.upper, ...(move.translation ?? [0, 0, 0])], reader.array(Float64Array, 5), "move");
    };

    const askScene = (a, b) => {
        const scene = tumble.scene();
        for (let i = 0; i < 12; i++) {
            scene.add(i % 2 === 0 ? a : b, reader.array(Float64Array, 12), { user: i });
        }
        const near = scene.distances({ within: 1 }), count = reader.whole();
        same([near.length], [count], "pairs of objects");
        for (let i = 0; i < count; i++) {
            const objects = reader.array(Uint32Array, 2), distance = reader.number();
            same([near[i]?.a.user, near[i]?.b.user, near[i]?.distance], [...objects, distance], "objects that are near");
        }
        scene.dispose();
    };

    const scenes = reader.whole(), poses = reader.whole();
    for (let s = 0; s < scenes; s++) {
        place = `scene ${s}`;
        const a = readModel(), b = readModel();
        for (let p = 0; p < poses; p++) {
            place = `scene ${s}, pose ${p}`;
            ask(a, b);
        }
        place = `scene ${s}`;
        askOne(a);
        askMotion(a, b);
        askSeparation(a, b);
        askScene(a, b);
        a.dispose();
        b.dispose();
        counts.scenes++;
    }
    same([reader.at], [bytes.length], "end of the file");
    return { ...counts, failures };
}

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

    const scenes = reader.whole(), poses = reader.whole();
    for (let s = 0; s < scenes; s++) {
        place = `scene ${s}`;
        const a = readModel(), b = readModel();
        for (let p = 0; p < poses; p++) {
            place = `scene ${s}, pose ${p}`;
            ask(a, b);
        }
        a.dispose();
        b.dispose();
        counts.scenes++;
    }
    same([reader.at], [bytes.length], "end of the file");
    return { ...counts, failures };
}

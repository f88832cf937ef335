// The same questions to tumble-collision and to three-mesh-bvh, about the same float triangles at the same poses, in
// Node.js and in browsers alike.

// `rings` times `sides` points of a torus about z.
function torus(THREE, radius, pipe, rings, sides) {
    const position = new Float32Array(3 * rings * sides), index = new Uint32Array(6 * rings * sides);
    for (let i = 0, k = 0; i < rings; i++) {
        for (let j = 0; j < sides; j++) {
            const u = 2 * Math.PI * i / rings, v = 2 * Math.PI * j / sides, far = radius + pipe * Math.cos(v);
            position.set([far * Math.cos(u), far * Math.sin(u), pipe * Math.sin(v)], 3 * (i * sides + j));
            const a = i * sides, b = (i + 1) % rings * sides, next = (j + 1) % sides;
            index.set([a + j, b + j, b + next, a + j, b + next, a + next], k);
            k += 6;
        }
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(position, 3));
    geometry.setIndex(new THREE.BufferAttribute(index, 1));
    return geometry;
}

// Where B is: all matrices of three.js.
function places(THREE) {
    const place = (x, y, z, ...turns) => new THREE.Matrix4().makeRotationFromEuler(new THREE.Euler(...turns)).setPosition(x, y, z);
    return { crossing: place(0.7, 0.1, 0.05, 1.2, 0.3, 0.1), linked: place(1, 0, 0, Math.PI / 2, 0, 0), far: place(5, 0, 0, 0.3, 0.2, 0.1),
        near: place(2.81, 0, 0, 0.1, 0.01, 0.3) };
}

// Microseconds of a call: the best of some rounds, each of at least `least` milliseconds.
function timed(call, rounds, least) {
    const times = [];
    for (let round = -1; round < rounds; round++) {
        const start = performance.now();
        let count = 0, now = start;
        do {
            call();
            count++;
            now = performance.now();
        } while (now - start < (round < 0 ? 10 * least : least));
        if (round >= 0) { // the first lets the browser compile for speed
            times.push((now - start) * 1000 / count);
        }
    }
    return Math.min(...times);
}

// Rows of { question, answers, own, peer }: microseconds of each.
export function measure(tumble, THREE, MeshBVH, { triangles = 20000, rounds = 5, least = 60 } = {}) {
    const sides = Math.round(Math.sqrt(triangles / 8)), shape = () => torus(THREE, 1, 0.4, 4 * sides, sides);
    const [first, second] = [shape(), shape()], array = (geometry) => geometry.attributes.position.array;
    const own = (geometry) => tumble.model(array(geometry), geometry.index.array);
    const a = own(first), b = own(second), at = places(THREE), rows = [];
    const copied = () => new MeshBVH(first.clone());
    const bvh = new MeshBVH(first), other = new MeshBVH(second);
    second.boundsTree = other;
    const add = (question, ask, peer, agree) => {
        const answers = [ask(), peer()];
        rows.push({ question, answers, agree: agree(...answers), own: timed(ask, rounds, least), peer: timed(peer, rounds, least) });
    };
    const same = (x, y) => x === y, close = (x, y) => Math.abs(x - y) <= 1e-5 * Math.max(1, Math.abs(y));

    for (const name of ["crossing", "linked", "far"]) {
        add(`yes or no, ${name}`, () => tumble.collide(a, b, null, at[name]), () => bvh.intersectsGeometry(second, at[name]), same);
    }
    const pairs = () => {
        const found = [];
        bvh.bvhcast(other, at.crossing, { intersectsTriangles: (s, t, i, j) => {
            if (s.intersectsTriangle(t)) {
                found.push(i, j);
            }
            return false;
        } });
        return found.length / 2;
    };
    // Triangles that only nearly meet may be told otherwise in plain doubles.
    add("all pairs", () => tumble.pairs(a, b, null, at.crossing).length / 2, pairs, (x, y) => Math.abs(x - y) <= 0.01 * y);
    for (const name of ["near", "far", "linked"]) {
        add(`distance, ${name}`, () => tumble.distance(a, b, null, at[name]).distance, () =>
            bvh.closestPointToGeometry(second, at[name], {}, {}).distance, close);
    }
    add("build", () => {
        const model = own(first), count = model.info.triangleCount;
        model.dispose();
        return count;
    }, () => copied().geometry.index.count / 3, same);
    return { triangles: first.index.count / 3, rows };
}

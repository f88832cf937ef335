// Runs in a worker, after the library: holds both models and answers questions about them.
(function () {
    "use strict";

    const models = { a: null, b: null };
    let library = null, heap = null;

    // How long a call takes: browsers' clocks are coarse, so short calls are repeated.
    function timed(call, least = 1.5) {
        const start = performance.now();
        let result = call(), count = 1, now = performance.now();
        while (now - start < least && count < 200) {
            result = call();
            count++;
            now = performance.now();
        }
        return { result, microseconds: (now - start) * 1000 / count };
    }

    // What is drawn: coordinates about the box's centre, in single precision.
    function shown(model) {
        const { info } = model, { position } = model.triangles();
        const centre = info.lower.map((value, axis) => info.triangleCount ? (value + info.upper[axis]) / 2 : 0);
        const points = new Float32Array(position.length), indices = new Uint32Array(position.length / 3);
        for (let i = 0; i < points.length; i++) {
            points[i] = position[i] - centre[i % 3];
        }
        for (let i = 0; i < indices.length; i++) {
            indices[i] = i;
        }
        return { points, indices, centre, closed: info.closed };
    }

    function keep(which, model) {
        if (models[which]) {
            models[which].dispose();
        }
        models[which] = model;
        const { polygonCount, triangleCount, closed, lower, upper } = model.info;
        const drawn = shown(model);
        return { result: { polygonCount, triangleCount, closed, lower, upper, drawn },
            transfer: [drawn.points.buffer, drawn.indices.buffer] };
    }

    const calls = {
        async start() {
            library = await globalThis.Tumble.load();
            const has = (name) => typeof library[name] === "function";
            return { result: { version: library.version, features: { self: has("selfCollide"), until: has("firstContact") } } };
        },

        mesh({ which, position, index }) {
            return keep(which, library.model(position, index));
        },

        file({ which, bytes }) {
            const start = performance.now();
            const mesh = library.readMesh(bytes);
            if (mesh.sizes ? mesh.sizes.length === 0 : mesh.index.length === 0) {
                throw new Error("the file has no polygons");
            }
            const model = library.model(mesh.position, mesh.index, mesh.sizes ? { sizes: mesh.sizes } : {});
            const answer = keep(which, model);
            answer.result.milliseconds = performance.now() - start;
            answer.result.warning = mesh.warning;
            return answer;
        },

        // Which triangles of one model intersect each other, and where, in its own frame.
        self({ which }) {
            const start = performance.now(), found = library.selfCollide(models[which], { contacts: true });
            const kinds = {};
            for (const kind of found.kinds) {
                kinds[kind] = (kinds[kind] || 0) + 1;
            }
            return { result: { count: found.count, kinds, segments: found.contacts.points,
                microseconds: (performance.now() - start) * 1000 }, transfer: [found.contacts.points.buffer] };
        },

        // How far B may be moved by a translation until it touches: proven to be free at every time before.
        until({ poseB, translation }) {
            const start = performance.now();
            const motion = { pose: poseB, translation };
            const found = library.firstContact(models.a, models.b, null, motion, { tolerance: 1e-9 });
            return { result: { answer: found.answer, freeUntil: found.freeUntil, milliseconds: performance.now() - start } };
        },

        // shapes: meshes, the bowl first; the bodies' points are about their middles.
        heap({ shapes, count, seed }) {
            const all = shapes.map(({ position, index }) => library.model(position, index)), [bowl, ...rest] = all;
            heap = new globalThis.TumbleHeap(library, bowl, rest.map((model) => ({
                model, radius: Math.hypot(...model.info.upper.map((value, i) => Math.max(value, -model.info.lower[i])))
            })), count, seed);
            const drawn = all.map(shown);
            return { result: { drawn, ...heap.answer() },
                transfer: drawn.flatMap(({ points, indices }) => [points.buffer, indices.buffer]) };
        },

        // As many steps of `seconds` as fit into a frame, one at least.
        fall({ seconds, milliseconds, most }) {
            const start = performance.now();
            for (let i = 0; i < most && (i === 0 || performance.now() - start < milliseconds); i++) {
                heap.step(seconds);
            }
            const result = heap.answer();
            return { result, transfer: [result.poses.buffer] };
        },

        intersecting() {
            return { result: heap.intersecting() };
        },

        ask({ poseA, poseB }) {
            const { a, b } = models;
            const collide = timed(() => library.collide(a, b, poseA, poseB));
            const relation = timed(() => library.relation(a, b, poseA, poseB));
            const contacts = collide.result ? timed(() => library.contacts(a, b, poseA, poseB)) : null;
            const pairs = collide.result ? timed(() => library.count(a, b, poseA, poseB)) : null;
            const distance = timed(() => library.distance(a, b, poseA, poseB));
            const segments = contacts ? contacts.result.points : new Float64Array(0);
            return {
                result: {
                    collide: collide.result, collideTime: collide.microseconds,
                    relation: relation.result, relationTime: relation.microseconds,
                    pairs: pairs ? pairs.result : 0, pairsTime: pairs ? pairs.microseconds : collide.microseconds,
                    distance: distance.result, distanceTime: distance.microseconds, segments
                },
                transfer: [segments.buffer]
            };
        }
    };

    globalThis.onmessage = async ({ data }) => {
        const { number, name, argument } = data;
        try {
            const { result, transfer = [] } = await calls[name](argument || {});
            globalThis.postMessage({ number, result }, transfer);
        } catch (error) {
            globalThis.postMessage({ number, error: error.message || String(error) });
        }
    };
})();

// The page: both models, what is asked about them, and the panel.
(function (page) {
    "use strict";

    const $ = (id) => document.getElementById(id);
    const { identity, moved, turned, compose, apply } = page.pose;
    const colours = { light: { a: 0x5b8fc9, b: 0xe08a1e, line: 0xb40032, gap: 0x17202a },
        dark: { a: 0x5b8fc9, b: 0xe08a1e, line: 0xff6b8b, gap: 0xe8edf2 } };

    const state = { scene: "knot", up: "z", pose: identity, start: identity, t: 0, playing: false, dark: false, faint: false, cut: null };
    const models = { a: null, b: null };
    let engine = null, heap = null, itself = null, view = null, gizmo = null, path = null, asking = false, again = false, settling = 0;

    function say(text) {
        $("message").textContent = text;
        $("message").hidden = !text;
    }

    // ---- Drawing ----

    const boxCentre = (model) => model.lower.map((value, i) => (value + model.upper[i]) / 2);
    const boxRadius = (model) => Math.hypot(...model.lower.map((value, i) => model.upper[i] - value)) / 2 || 1;
    const drawnAt = (pose, model) => compose(pose, moved(identity, model.drawn.centre));

    function newView(origin) {
        const made = globalThis.TumbleViewer ? TumbleViewer.create($("view"), { up: state.up, dark: state.dark, origin }) : null;
        if (!made && !document.querySelector(".no-view")) {
            $("view").insertAdjacentHTML("beforeend", '<p class="no-view">This browser shows no WebGL, so the models are ' +
                "not drawn. Switch on hardware acceleration, or use another browser. The numbers are right all the same.</p>");
        }
        return made;
    }

    function makeView(keep = false) {
        const camera = view && view.camera();
        if (view) {
            view.dispose();
        }
        view = newView(models.a ? boxCentre(models.a) : [0, 0, 0]);
        if (!view) {
            return;
        }
        const look = colours[state.dark ? "dark" : "light"];
        view.addParts(["a", "b"].map((which) => ({
            model: view.addModel({ points: models[which].drawn.points, indices: models[which].drawn.indices, closed: models[which].closed }),
            pose: drawnAt(which === "a" ? identity : state.pose, models[which]), colour: look[which]
        })));
        view.focus([0, 1]);
        view.home(0);
        if (camera && keep) {
            view.setCamera(camera);
        }
        gizmo = new page.Gizmo(view, $("view"), {
            part: 1, pose: () => state.pose, setPose: (pose) => { stop(); setPose(pose); },
            centre: () => apply(state.pose, boxCentre(models.b)), radius: () => boxRadius(models.b)
        });
        page.view = view;
        page.gizmo = gizmo;
        gizmo.draw();
        itself = null;
        drawSelf();
        paint();
        setCut(state.cut);
    }

    function paint() {
        if (view) {
            view.paintAll({ mode: state.faint ? "ghost" : "solid" });
        }
        $("faint").setAttribute("aria-pressed", String(state.faint));
    }

    // at: -1 to 1 across the box of A.
    function setCut(cut) {
        state.cut = cut;
        $("axis").value = cut ? cut.axis : "";
        $("cut").disabled = !cut;
        if (cut) {
            $("cut").value = cut.at;
        }
        if (!view || !models.a) {
            return;
        }
        if (!cut) {
            view.section(null);
            return;
        }
        const k = "xyz".indexOf(cut.axis), centre = boxCentre(models.a), half = (models.a.upper[k] - models.a.lower[k]) / 2;
        // What is cut away is the half toward the eye.
        const side = view.toward()[k] < 0 ? -1 : 1;
        view.section({ point: centre.map((value, i) => i === k ? value + cut.at * half * 1.02 : value),
            normal: [0, 1, 2].map((i) => i === k ? side : 0) });
    }

    function drawAnswer(answer) {
        if (!view) {
            return;
        }
        const look = colours[state.dark ? "dark" : "light"], { distance } = answer;
        view.lines("contacts", answer.segments, { colour: look.line, width: 4 });
        const apart = !answer.collide && distance.pointA;
        view.lines("distance", apart ? [...distance.pointA, ...distance.pointB] : null, { colour: look.gap, width: 2.5 });
        view.label("distance", apart ? distance.pointA.map((value, i) => (value + distance.pointB[i]) / 2) : [0, 0, 0],
            apart ? short(distance.distance) : "");
    }

    // ---- Numbers ----

    const short = (value) => value === 0 ? "0" : Math.abs(value) >= 1e-4 && Math.abs(value) < 1e7 ? Number(value.toPrecision(6)).toString()
        : value.toExponential(3);
    const time = (microseconds) => microseconds < 10 ? `${microseconds.toFixed(1)} µs`
        : microseconds < 1000 ? `${Math.round(microseconds)} µs` : `${(microseconds / 1000).toFixed(1)} ms`;

    const relations = {
        "apart": "apart", "touching": "touching", "crossing": "crossing", "a-in-b": "A is inside of B",
        "b-in-a": "B is inside of A", "undefined": "not known: an open surface has no inside"
    };

    function headline(answer) {
        if (answer.collide) {
            return answer.relation === "touching" ? "They touch" : "They intersect";
        }
        const gap = short(answer.distance.distance);
        return answer.relation === "b-in-a" || answer.relation === "a-in-b"
            ? `${relations[answer.relation]}, ${gap} from its surface` : `Apart by ${gap}`;
    }

    function showNumbers(answer) {
        const rows = {
            collide: answer.collide ? "yes" : "no", pairs: answer.pairs.toLocaleString("en"),
            distance: short(answer.distance.distance), relation: relations[answer.relation]
        };
        for (const [name, text] of Object.entries(rows)) {
            $(name).textContent = text;
            $(`${name}-time`).textContent = time(answer[`${name}Time`]);
        }
        const text = headline(answer);
        if ($("answer").textContent !== text) {
            $("answer").textContent = text;
        }
        $("answer").classList.toggle("hit", answer.collide);
    }

    // ---- Asking: one question at a time; a pose that came meanwhile is asked about next ----

    async function ask() {
        if (asking) {
            again = true;
            return;
        }
        if (!models.a || !models.b) {
            return;
        }
        asking = true;
        const pose = state.pose;
        try {
            const answer = await engine.call("ask", { poseA: identity, poseB: pose });
            page.answer = { ...answer, pose, repeats: 0 };
            showNumbers(answer);
            drawAnswer(answer);
        } catch (error) {
            say(error.message);
        }
        asking = false;
        page.asked = (page.asked || 0) + 1;
        if (again) {
            again = false;
            ask();
        } else {
            clearTimeout(settling);
            settling = setTimeout(settle, 150);
        }
    }

    // While nothing moves, the same is asked some times more: the first call is not the fastest.
    async function settle() {
        const answer = page.answer;
        if (asking || !answer || answer.pose !== state.pose || answer.repeats >= 4) {
            return;
        }
        asking = true;
        const other = await engine.call("ask", { poseA: identity, poseB: answer.pose }).catch(() => null);
        asking = false;
        if (other) {
            for (const name of ["collideTime", "pairsTime", "distanceTime", "relationTime"]) {
                answer[name] = Math.min(answer[name], other[name]);
            }
            answer.repeats++;
            showNumbers(answer);
        }
        if (again) {
            again = false;
            ask();
        } else {
            settling = setTimeout(settle, 60);
        }
    }

    function setPose(pose) {
        state.pose = pose;
        if (view) {
            view.setPose(1, drawnAt(pose, models.b));
            gizmo.draw();
        }
        if (itself) {
            drawSelf();
        }
        ask();
    }

    // ---- One model with itself; B until it touches ----

    function drawSelf() {
        for (const which of ["a", "b"]) {
            const own = itself && itself[which], segments = [];
            for (let i = 0; own && i < own.length; i += 3) {
                segments.push(...which === "a" ? own.subarray(i, i + 3) : apply(state.pose, own.subarray(i, i + 3)));
            }
            if (view) {
                view.lines(`self ${which}`, segments, { colour: 0xd43bd4, width: 4 });
            }
        }
        $("self").setAttribute("aria-pressed", String(Boolean(itself)));
    }

    async function showSelf() {
        if (!page.features.self || heap || !models.b) {
            return;
        }
        if (itself) {
            itself = null;
            drawSelf();
            say("");
            return;
        }
        const texts = [], lines = {};
        for (const which of ["a", "b"]) {
            const found = await engine.call("self", { which });
            lines[which] = found.segments;
            const kinds = Object.entries(found.kinds).map(([kind, count]) => `${count.toLocaleString("en")} ${kind}`).join(", ");
            texts.push(`${which.toUpperCase()} ${found.count ? `intersects itself in ${found.count.toLocaleString("en")} pairs of ` +
                `triangles (${kinds})` : "does not intersect itself"}: ${time(found.microseconds)}.`);
        }
        itself = lines;
        page.itself = itself;
        drawSelf();
        say(texts.join(" "));
    }

    async function untilTouch() {
        if (!page.features.until || heap || !models.b) {
            return;
        }
        stop();
        const pose = state.pose, from = apply(pose, boxCentre(models.b)), to = boxCentre(models.a);
        const translation = to.map((value, i) => value - from[i]);
        const found = await engine.call("until", { poseB: pose, translation });
        page.until = { ...found, translation, pose };
        if (found.answer !== "yes") {
            say("On the straight way to A they do not touch.");
        } else if (found.freeUntil === 0) {
            say("They touch already.");
        } else {
            setPose(moved(pose, translation.map((value) => value * found.freeUntil)));
            say(`B touches after ${short(found.freeUntil * Math.hypot(...translation))}; found in ${found.milliseconds.toFixed(1)} ms.`);
        }
    }

    // ---- Models ----

    function facts(which, name) {
        const model = models[which];
        $(`facts-${which}`).textContent = `${name ? `${name}: ` : ""}${model.triangleCount.toLocaleString("en")} triangles` +
            `${model.closed ? "" : ", open"}`;
        $(`facts-${which}`).title = $(`facts-${which}`).textContent;
    }

    function setPath(next) {
        path = next;
        stop();
        state.t = 0;
        $("path").value = 0;
        $("path-line").hidden = !path;
    }

    // What belongs to two models only, or to the heap only.
    function setHeap(on) {
        if (heap) {
            heap.close();
            heap = null;
        }
        for (const id of ["numbers", "files", "cut-line", "reset", "faint", "until", "self", "hint"]) {
            $(id).hidden = on || page.features[id] === false;
        }
        $("heap-numbers").hidden = !on;
        $("path").hidden = on;
        measureSheet();
    }

    async function openHeap() {
        stop();
        setHeap(true);
        state.scene = "heap";
        $("scene").value = "heap";
        $("path-line").hidden = false;
        models.a = models.b = page.answer = path = null;
        say("");
        heap = new page.Heap(engine, null, time);
        page.falling = heap;
        await heap.open(() => {
            if (view) {
                view.dispose();
            }
            gizmo = null;
            view = newView([0, 0, 0]);
            page.view = view;
            return view;
        });
        play();
    }

    async function openScene(key, pose) {
        if (key === "heap") {
            await openHeap();
            return;
        }
        setHeap(false);
        const scene = page.scenes.find((one) => one.key === key) || page.scenes[0];
        page.answer = null;
        state.up = "z";
        state.scene = scene.key;
        $("scene").value = scene.key;
        for (const which of ["a", "b"]) {
            models[which] = await engine.call("mesh", { which, ...scene[which]() });
            facts(which, "");
        }
        setPath(scene.path);
        state.start = scene.pose;
        state.pose = pose || scene.pose;
        say("");
        makeView();
        await ask();
    }

    async function openFile(which, file) {
        const before = $("answer").textContent;
        $("answer").textContent = `Reading ${file.name} …`;
        try {
            const bytes = await file.arrayBuffer();
            const isGltf = /\.(glb|gltf)$/i.test(file.name);
            const model = isGltf ? await engine.call("mesh", { which, ...await page.readGltf(bytes) })
                : await engine.call("file", { which, bytes: new Uint8Array(bytes) }, [bytes]);
            if (which === "a") {
                state.up = isGltf ? "y" : "z";
            }
            models[which] = model;
            page.answer = null;
            facts(which, file.name);
            say(model.warning ? `${file.name}: ${model.warning}` : "");
        } catch (error) {
            $("answer").textContent = before;
            say(`${file.name}: ${error.message}`);
            return false;
        }
        setHeap(false);
        state.scene = "";
        $("scene").value = "";
        return true;
    }

    // One file becomes B, two become A and B, unless a button says otherwise.
    async function openFiles(files, which) {
        const list = Array.from(files).slice(0, 2);
        let opened = false;
        for (const [i, file] of list.entries()) {
            opened = await openFile(which || (list.length > 1 ? "ab"[i] : "b"), file) || opened;
        }
        if (opened) {
            setPath(null);
            state.start = identity;
            state.pose = identity;
            if (view) {
                view.dispose();
                view = null;
            }
            makeView();
            await ask();
        }
    }

    // ---- The path ----

    function stop() {
        state.playing = false;
        if (heap) {
            heap.stop();
        }
        $("play").setAttribute("aria-pressed", "false");
        $("play").textContent = "▶";
    }

    function step(now) {
        if (!state.playing) {
            return;
        }
        state.t = (state.t + Math.min(0.1, (now - state.before) / 1000) / 12) % 1;
        state.before = now;
        $("path").value = state.t;
        setPose(path(state.t));
        requestAnimationFrame(step);
    }

    function play() {
        if (state.playing || !path && !heap) {
            stop();
            return;
        }
        state.playing = true;
        $("play").setAttribute("aria-pressed", "true");
        $("play").textContent = "❚❚";
        if (heap && heap.last.asleep === heap.last.count) {
            openHeap();
            return;
        }
        if (heap) {
            heap.run().then(stop, (error) => say(error.message));
            return;
        }
        state.before = performance.now();
        requestAnimationFrame(step);
    }

    // ---- Links, looks, keys ----

    async function share() {
        if (!state.scene) {
            say("Files stay on this computer, so a link cannot show them. Links show the built-in scenes.");
            return;
        }
        history.replaceState(null, "", `#${page.writeLink({ ...state, camera: view && view.camera() })}`);
        try {
            await navigator.clipboard.writeText(location.href);
            say("The link is in the clipboard and in the address line.");
        } catch {
            say("The link is in the address line.");
        }
    }

    function setDark(dark) {
        state.dark = dark;
        document.documentElement.toggleAttribute("data-dark", dark);
        if (view) {
            view.theme(dark);
            ask();
        }
    }

    function arrow(event) {
        const size = models.b ? boxRadius(models.b) * (event.shiftKey ? 0.002 : 0.03) : 0;
        const moves = { ArrowLeft: [-1, 0, 0], ArrowRight: [1, 0, 0], ArrowUp: [0, 1, 0], ArrowDown: [0, -1, 0], ",": [0, 0, -1],
            ".": [0, 0, 1], "<": [0, 0, -1], ">": [0, 0, 1] };
        const way = moves[event.key];
        if (!way || !models.b) {
            return false;
        }
        stop();
        setPose(event.altKey ? turned(state.pose, way.map(Math.abs), way.reduce((a, b) => a + b) * (event.shiftKey ? 0.005 : 0.05),
            apply(state.pose, boxCentre(models.b))) : moved(state.pose, way.map((value) => value * size)));
        return true;
    }

    const keys = {
        " ": play, c: () => { if (!heap) { setCut(state.cut ? null : { axis: "y", at: 0 }); } }, f: () => view && view.home(), d: () => setDark(!state.dark),
        r: () => { if (models.b) { stop(); setPose(state.start); } }, g: () => { if (!heap) { state.faint = !state.faint; paint(); } }, s: share, x: showSelf, t: untilTouch,
        "?": () => { const open = $("keys").hidden; $("keys").hidden = !open; $("help").setAttribute("aria-expanded", String(open)); }
    };

    function listen() {
        addEventListener("keydown", (event) => {
            const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
            if (typing || event.ctrlKey || event.metaKey || (event.key === " " && event.target.tagName === "BUTTON")) {
                return;
            }
            if (arrow(event)) {
                event.preventDefault();
            } else if (keys[event.key] && !event.altKey) {
                event.preventDefault();
                keys[event.key]();
            }
        });
        for (const [id, key] of Object.entries({ play: " ", home: "f", theme: "d", reset: "r", faint: "g", share: "s", help: "?", self: "x", until: "t" })) {
            $(id).addEventListener("click", keys[key]);
        }
        $("scene").addEventListener("change", () => openScene($("scene").value));
        $("path").addEventListener("input", () => { stop(); state.t = Number($("path").value); setPose(path(state.t)); });
        $("axis").addEventListener("change", () => setCut($("axis").value ? { axis: $("axis").value, at: Number($("cut").value) } : null));
        $("cut").addEventListener("input", () => setCut({ axis: state.cut.axis, at: Number($("cut").value) }));
        for (const which of ["a", "b"]) {
            $(`open-${which}`).addEventListener("click", () => $(`file-${which}`).click());
            $(`file-${which}`).addEventListener("change", (event) => {
                openFiles(event.target.files, which);
            });
        }
        $("fold").addEventListener("click", () => {
            const folded = $("panel").classList.toggle("folded");
            $("fold").setAttribute("aria-expanded", String(!folded));
            measureSheet();
        });
        addEventListener("dragover", (event) => { event.preventDefault(); $("view").classList.add("dropping"); });
        addEventListener("dragleave", (event) => { if (!event.relatedTarget) $("view").classList.remove("dropping"); });
        addEventListener("drop", (event) => {
            event.preventDefault();
            $("view").classList.remove("dropping");
            openFiles(event.dataTransfer.files);
        });
        addEventListener("hashchange", () => follow(page.readLink(location.hash)));
        addEventListener("resize", measureSheet);
    }

    // On a phone the view ends where the sheet begins.
    function measureSheet() {
        document.documentElement.style.setProperty("--sheet", `${$("panel").offsetHeight - 12}px`);
    }

    async function follow(link) {
        if (link.dark !== undefined) {
            setDark(link.dark);
        }
        state.faint = link.faint === true;
        state.cut = link.cut || null;
        await openScene(link.scene || state.scene, link.pose);
        if (link.camera && view) {
            view.setCamera(link.camera);
        }
    }

    async function start() {
        for (const { key, name } of [...page.scenes, { key: "heap", name: "A heap" }, { key: "", name: "your files" }]) {
            const option = document.createElement("option");
            option.value = key;
            option.textContent = name;
            option.hidden = key === "";
            $("scene").append(option);
        }
        if (matchMedia("(max-width: 640px)").matches) {
            $("panel").classList.add("folded");
            $("fold").setAttribute("aria-expanded", "false");
        }
        setDark(matchMedia("(prefers-color-scheme: dark)").matches);
        listen();
        measureSheet();
        if (typeof WebAssembly !== "object") {
            $("answer").textContent = "This browser has no WebAssembly";
            say("WebAssembly may be switched off, for example in a locked-down mode; Tumble needs it. Any browser since 2021 has it.");
            return;
        }
        engine = new page.Engine(page.workerSource);
        page.engine = engine;
        try {
            const { version, features } = await engine.call("start");
            page.features = features;
            for (const id of ["self", "until"]) {
                $(id).hidden = !features[id];
            }
            document.querySelector("h1").title = `version ${version}`;
            await follow(page.readLink(location.hash));
            page.ready = true;
            performance.mark("ready");
        } catch (error) {
            $("answer").textContent = "The library does not start";
            say(error.message);
        }
        measureSheet();
    }

    page.state = state;
    page.models = models;
    start();
})(globalThis.TumblePage = globalThis.TumblePage || {});

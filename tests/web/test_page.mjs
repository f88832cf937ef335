// The page where models are tried: the scenes, files, dragging, links; its numbers are those of the native command.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

// The native command's answer about two files and a pose of B, or about one file with itself.
function native(t, a, b, pose) {
    const tumble = join(t.root, "build", "release", "tumble");
    const run = (...words) => {
        try {
            return JSON.parse(execFileSync(tumble, [...words, "--json"], { encoding: "utf8", maxBuffer: 1 << 28 }));
        } catch (error) {
            if (error.status !== 1) {
                throw error;
            }
            return JSON.parse(error.stdout);
        }
    };
    if (!b) {
        return { pairs: run("check", a, "--self", "--count").pair_count };
    }
    const where = [a, b, "--pose-b", pose.join(" ")];
    return { count: run("check", ...where, "--count").pair_count, relation: run("check", ...where, "--relation").relation,
        distance: run("distance", ...where).distance };
}

const make = (t, file, ...words) => {
    const path = join(t.out, file);
    execFileSync(join(t.root, "build", "release", "tumble"), ["make", ...words, "-o", path]);
    return path;
};

const answer = (page) => page.evaluate(() => {
    const { pose, collide, pairs, relation, distance, segments } = TumblePage.answer;
    return { pose, collide, pairs, relation, distance: distance.distance, segments: segments.length / 6,
        finite: segments.every(Number.isFinite) };
});

// Until the answer is about the pose that is shown.
const settled = (t, page) => t.until(page, "TumblePage.answer && TumblePage.answer.pose === TumblePage.state.pose");

// What the commands and the page call the same.
const words = { "a-in-b": /inside|in b/i, "b-in-a": /inside|in a/i, "apart": /apart|disjoint/i, "touching": /touch/i,
    "crossing": /cross/i };

async function compare(t, page, a, b, what) {
    await settled(t, page);
    const here = await answer(page), there = native(t, a, b, here.pose);
    t.equal([here.pairs, here.distance, here.collide], [there.count, there.distance, there.count > 0], what);
    t.check(words[here.relation].test(JSON.stringify(there.relation)), `${what}: ${here.relation}, ${JSON.stringify(there.relation)}`);
    t.check(here.finite && here.segments >= here.pairs, `${what}: ${here.segments} segments of ${here.pairs} pairs`);
    return here;
}

async function drop(page, files) {
    const data = files.map((path) => [path.split("/").pop(), readFileSync(path).toString("base64")]);
    await page.evaluate((list) => {
        const transfer = new DataTransfer();
        for (const [name, text] of list) {
            transfer.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name));
        }
        window.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
    }, data);
}

// A tetrahedron as a binary glTF file.
function wedge() {
    const points = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1), corners = Uint16Array.of(0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3);
    const data = Buffer.concat([Buffer.from(points.buffer), Buffer.from(corners.buffer)]);
    const json = Buffer.from(JSON.stringify({
        asset: { version: "2.0" }, scene: 0, scenes: [{ nodes: [0] }], nodes: [{ mesh: 0, translation: [0.5, 0.25, -0.125] }],
        meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1, material: 0 }] }],
        materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }], textures: [{ source: 0 }],
        images: [{ uri: "http://127.0.0.1:9/nowhere.png" }],
        accessors: [{ bufferView: 0, componentType: 5126, count: 4, type: "VEC3", min: [0, 0, 0], max: [1, 1, 1] },
            { bufferView: 1, componentType: 5123, count: 12, type: "SCALAR" }],
        bufferViews: [{ buffer: 0, byteLength: 48 }, { buffer: 0, byteOffset: 48, byteLength: 24 }],
        buffers: [{ byteLength: 72 }]
    }).padEnd(1200));
    const head = Buffer.alloc(20), middle = Buffer.alloc(8);
    [0x46546c67, 2, 28 + json.length + data.length, json.length, 0x4e4f534a].forEach((value, i) => head.writeUInt32LE(value, 4 * i));
    middle.writeUInt32LE(data.length, 0);
    middle.writeUInt32LE(0x004e4942, 4);
    return Buffer.concat([head, json, middle, data]);
}

// What the page's thread has worked since it was opened, in milliseconds of the processor.
async function threadTime(page) {
    const client = await page.createCDPSession();
    await client.send("Performance.enable", { timeDomain: "threadTicks" });
    return async () => (await client.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration").value * 1000;
}

// ... for each frame while B is moved: asking, showing the answer, drawing.
async function frameWork(page, frames) {
    const worked = await threadTime(page), before = await worked();
    await page.evaluate(async (count) => {
        for (let i = 0; i < count; i++) {
            window.dispatchEvent(new KeyboardEvent("keydown", { key: i % 2 ? "ArrowLeft" : "ArrowRight" }));
            await new Promise((resolve) => requestAnimationFrame(resolve));
        }
    }, frames);
    return (await worked() - before) / frames;
}

async function scenes(t, address) {
    const page = await t.page({ width: 1100, height: 760 });
    const worked = await threadTime(page);
    await page.goto(address, { waitUntil: "domcontentloaded" });
    const work = await worked();
    t.check(work < 500, `${Math.round(work)} ms of work before the page can be painted`);
    await t.until(page, "globalThis.TumblePage?.ready");
    const paint = await page.evaluate(() => ["first-contentful-paint", "ready"].map((name) =>
        performance.getEntriesByName(name)[0].startTime));
    t.check(paint[0] < paint[1], `painted after ${paint[0]} ms, before the first answer at ${paint[1]} ms`);
    for (const key of await page.evaluate(() => TumblePage.scenes.map((scene) => scene.key))) {
        await page.select("#scene", key);
        await t.until(page, `TumblePage.state.scene === "${key}" && TumblePage.models.b && TumblePage.answer && TumblePage.answer.pose === TumblePage.state.pose`);
        t.check(await page.evaluate(() => TumblePage.models.a.closed && TumblePage.models.b.closed), `${key}: both are closed`);
        await t.screenshot(page, `scene-${key}`);
    }
    // The gears turn without touching, and so does the nut.
    for (const key of ["gears", "bolt"]) {
        await page.select("#scene", key);
        await t.until(page, `TumblePage.state.scene === "${key}" && TumblePage.answer`);
        for (const place of [0.13, 0.5, 0.77]) {
            await page.$eval("#path", (slider, value) => { slider.value = value; slider.dispatchEvent(new Event("input")); }, place);
            await settled(t, page);
            const found = await answer(page);
            t.check(!found.collide && found.distance > 0.003 && found.distance < 0.02, `${key} at ${place}: ${found.distance}`);
        }
    }
    return page;
}

async function files(t, page) {
    const gear = make(t, "gear.stl", "gear"), torus = make(t, "torus.ply", "torus"), box = make(t, "box.obj", "box");
    await drop(page, [gear, torus]);
    await t.until(page, 'TumblePage.state.scene === "" && document.querySelector("#facts-b").textContent.includes("torus.ply")');
    let found = await compare(t, page, gear, torus, "dropped files");
    t.check(found.collide, "they cross");
    for (const [key, count] of [["ArrowRight", 7], ["ArrowUp", 2], [".", 3]]) {
        for (let i = 0; i < count; i++) {
            await page.keyboard.press(key);
        }
    }
    await compare(t, page, gear, torus, "moved by keys");
    await page.keyboard.down("Alt");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.up("Alt");
    found = await compare(t, page, gear, torus, "turned by keys");
    t.check(Math.abs(found.pose[0] - 1) + Math.abs(found.pose[5] - 1) > 1e-4, "it has turned");
    await (await page.$("#file-b")).uploadFile(box);
    await t.until(page, 'document.querySelector("#facts-b").textContent.includes("box.obj")');
    await compare(t, page, gear, box, "an opened file");

    // glTF, with a node that moves its mesh.
    const glb = join(t.out, "wedge.glb");
    writeFileSync(glb, wedge());
    await (await page.$("#file-b")).uploadFile(glb);
    await t.until(page, 'document.querySelector("#facts-b").textContent.includes("wedge.glb")');
    found = await compare(t, page, gear, glb, "a glTF file");
    t.check(found.pairs > 0, "the wedge is in the gear");

    // Broken files: a message that names the place, and what was there stays.
    const before = await answer(page);
    for (const [name, text, message] of [["bad.obj", "v 0 0 0\nv 1 0 0\nf 1 2 9\n", /line 3.*9|9.*line 3|3:.*9/],
        ["not.stl", "this is no mesh", /./], ["points.obj", "v 0 0 0\n", /no polygons/],
        ["nan.off", "OFF\n3 1 0\n0 0 0\n1 nan 0\n0 1 0\n3 0 1 2\n", /nan|finite|number/i], ["empty.ply", "", /./],
        ["bad.glb", "glTF, but not really", /./]]) {
        writeFileSync(join(t.out, name), text);
        await page.evaluate(() => { document.querySelector("#message").hidden = true; });
        await drop(page, [join(t.out, name)]);
        await t.until(page, '!document.querySelector("#message").hidden');
        const said = await page.$eval("#message", (element) => element.textContent);
        t.check(said.startsWith(`${name}: `) && message.test(said), `${name}: ${said}`);
    }
    const after = await answer(page);
    t.equal([after.pairs, after.distance], [before.pairs, before.distance], "the models before a broken file stay");
    return gear;
}

// One model with itself, and B until it touches.
async function more(t, page) {
    const soup = make(t, "soup.ply", "soup", "--detail", "600", "--size", "0.2"), torus = join(t.out, "torus.ply");
    await drop(page, [soup, torus]);
    await t.until(page, 'document.querySelector("#facts-b").textContent.includes("torus.ply") && TumblePage.answer');
    const features = await page.evaluate(() => ({ ...TumblePage.features }));
    for (const id of ["self", "until"]) {
        t.equal(await page.$eval(`#${id}`, (button) => button.offsetHeight > 0), features[id], `${id} is offered if the library has it`);
    }
    if (!features.self || !features.until) {
        return;
    }
    await page.keyboard.press("x");
    await t.until(page, "TumblePage.itself");
    const found = await page.evaluate(() => [TumblePage.itself.a.length / 6, TumblePage.itself.b.length / 6]);
    const expected = [soup, torus].map((file) => native(t, file).pairs);
    t.check(expected[0] > 20 && found[0] >= expected[0] && found[1] === 0, `self-intersections: ${found}, ${expected}`);
    const said = (await page.$eval("#message", (element) => element.textContent)).replace(/,/g, "");
    t.check(said.includes(`A intersects itself in ${expected[0]} pairs`) && said.includes("B does not"), said);
    await page.keyboard.press("x");

    await page.select("#scene", "tube");
    await t.until(page, 'TumblePage.state.scene === "tube" && TumblePage.answer');
    await page.keyboard.press("t");
    await t.until(page, "TumblePage.until && TumblePage.until.freeUntil > 0 && TumblePage.answer.pose !== TumblePage.until.pose");
    await settled(t, page);
    const there = await answer(page);
    const way = await page.evaluate(() => Math.hypot(...TumblePage.until.translation));
    t.check(!there.collide && there.distance < 1e-6 * way, `it stops short of touching: ${there.distance} of ${way}`);
    const beyond = await page.evaluate(async () => {
        const { pose, translation, freeUntil } = TumblePage.until;
        const poseB = TumblePage.pose.moved(pose, translation.map((value) => value * (freeUntil + 2e-6)));
        return (await TumblePage.engine.call("ask", { poseA: TumblePage.pose.identity, poseB })).collide;
    });
    t.check(beyond, "a little farther it touches");
}

// A big file is read in the worker, so that the page stays alive.
async function huge(t, page, gear) {
    const big = make(t, "big.stl", "sphere", "--detail", "220");
    await (await page.$("#file-b")).uploadFile(big);
    const longest = await page.evaluate(async () => {
        let last = performance.now(), worst = 0;
        while (!document.querySelector("#facts-b").textContent.includes("big.stl")) {
            await new Promise((resolve) => setTimeout(resolve, 10));
            worst = Math.max(worst, performance.now() - last);
            last = performance.now();
        }
        return worst;
    });
    const triangles = await page.evaluate(() => TumblePage.models.b.triangleCount);
    t.check(triangles >= 900000, `${triangles} triangles`);
    t.check(longest < 2500, `the page was deaf for ${Math.round(longest)} ms at most while ${triangles} triangles were read`);
    await compare(t, page, gear, big, "a big file");
    const work = await frameWork(page, 8);
    t.check(work < 16, `a frame with a big file: ${work.toFixed(1)} ms of the page's thread`);
    await settled(t, page);
}

async function dragging(t, address) {
    const page = await t.page({ width: 800, height: 480 });
    await page.goto(`${address}#scene=knot`);
    await t.until(page, "globalThis.TumblePage?.ready");
    await settled(t, page);
    // The tip of each arrow, then of a ring, in pixels.
    const place = (kind, axis) => page.evaluate(([wanted, k]) => {
        const { view } = TumblePage, box = document.querySelector("#view").getBoundingClientRect();
        const handle = TumblePage.gizmo.handles().find((one) => one.kind === wanted && one.axis === k);
        view.view.apply();
        const seen = TumblePage.gizmo.seen(handle.segments.slice(3, 6));
        return [seen[0] + box.left, seen[1] + box.top];
    }, [kind, axis]);
    const pull = async ([x, y], dx, dy) => {
        const before = (await answer(page)).pose, camera = await page.evaluate(() => JSON.stringify(TumblePage.view.camera()));
        await page.mouse.move(x, y);
        await page.mouse.down();
        await page.mouse.move(x + dx / 2, y + dy / 2);
        await page.mouse.move(x + dx, y + dy);
        await page.mouse.up();
        await settled(t, page);
        t.equal(await page.evaluate(() => JSON.stringify(TumblePage.view.camera())), camera, "the view stays while B is dragged");
        return (await answer(page)).pose.map((value, i) => value - before[i]);
    };
    const up = await pull(await place("arrow", 2), 0, -60);
    t.check(up[11] > 0.2 && up.every((value, i) => i === 11 || Math.abs(value) < 1e-12), `the z arrow moves along z: ${up}`);
    const ring = await pull(await place("ring", 2), 40, 0);
    t.check(Math.abs(ring[10]) < 1e-9 && Math.abs(ring[4]) > 0.05, `the z ring turns about z: ${ring}`);
    const middle = await page.evaluate(() => {
        const box = document.querySelector("#view").getBoundingClientRect();
        for (let y = 60; y < 450; y += 30) {
            for (let x = 60; x < 400; x += 20) {
                if (TumblePage.view.pick(x, y) === 1 && !TumblePage.gizmo.find([x, y], 14)) {
                    return [x + box.left, y + box.top];
                }
            }
        }
        return null;
    });
    const body = await pull(middle, 30, 10);
    t.check(Math.hypot(body[3], body[7], body[11]) > 0.05 && Math.abs(body[0]) < 1e-12, `a drag of B moves it: ${body}`);

    // Elsewhere the view turns.
    const azimuth = await page.evaluate(() => TumblePage.view.camera().azimuth), kept = (await answer(page)).pose;
    await page.mouse.move(12, 12);
    await page.mouse.down();
    await page.mouse.move(60, 12);
    await page.mouse.up();
    t.check(await page.evaluate((old) => TumblePage.view.camera().azimuth !== old, azimuth), "a drag elsewhere turns the view");
    t.equal((await answer(page)).pose, kept, "and not B");

    const work = await frameWork(page, 40);
    t.check(work < 16, `a frame with twice 20,000 triangles: ${work.toFixed(1)} ms of the page's thread`);
    await settled(t, page);

    // A link brings all of it back.
    await page.select("#axis", "x");
    await page.$eval("#cut", (slider) => { slider.value = 0.25; slider.dispatchEvent(new Event("input")); });
    await page.keyboard.press("Escape");
    await page.$eval("#share", (button) => button.click());
    await t.until(page, 'location.hash.includes("pose=")');
    const link = await page.evaluate(() => location.href), first = await answer(page);
    const other = await t.page({ width: 800, height: 480 });
    await other.goto(link);
    await t.until(other, "globalThis.TumblePage?.ready");
    await settled(t, other);
    t.equal(await answer(other), first, "the answer of a link");
    t.equal(await other.evaluate(() => TumblePage.state.cut), { axis: "x", at: 0.25 }, "its section");
    await t.screenshot(other, "link");

    // Playing asks about new poses all the time.
    const asked = await page.evaluate(() => TumblePage.asked);
    await page.click("#play");
    await t.until(page, `TumblePage.asked > ${asked} + 5`);
    await page.click("#play");
    t.equal(await page.$eval("#play", (button) => button.getAttribute("aria-pressed")), "false", "it stops");
}

async function looks(t, address) {
    const dark = await t.page({ width: 1100, height: 760, dark: true });
    await dark.goto(`${address}#scene=bolt&cut=y,0`);
    await t.until(dark, "globalThis.TumblePage?.ready");
    await settled(t, dark);
    t.check(await dark.evaluate(() => document.documentElement.hasAttribute("data-dark")), "dark, as the system is");
    await t.screenshot(dark, "dark");

    const phone = await t.page({ width: 390, height: 780, phone: true });
    await phone.goto(`${address}#scene=knot`);
    await t.until(phone, "globalThis.TumblePage?.ready");
    await settled(t, phone);
    t.check(await phone.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "a phone needs no sideways scrolling");
    await t.screenshot(phone, "phone");
    await phone.tap("#fold");
    t.check(await phone.$eval("#more", (element) => element.offsetHeight > 100), "the sheet opens");
    await t.screenshot(phone, "phone-open");
    // Fingers: one turns the view.
    await phone.tap("#fold");
    const azimuth = await phone.evaluate(() => TumblePage.view.camera().azimuth);
    await phone.touchscreen.touchStart(20, 40);
    await phone.touchscreen.touchMove(90, 60);
    await phone.touchscreen.touchEnd();
    t.check(await phone.evaluate((old) => TumblePage.view.camera().azimuth !== old, azimuth), "a finger turns the view");
    const before = (await answer(phone)).pose, [x, y] = await phone.evaluate(() => {
        TumblePage.view.view.apply();
        return TumblePage.gizmo.seen(TumblePage.gizmo.handles().find((one) => one.kind === "arrow" && one.axis === 2).segments.slice(3, 6));
    });
    await phone.touchscreen.touchStart(x + 8, y);
    await phone.touchscreen.touchMove(x + 8, y - 30);
    await phone.touchscreen.touchEnd();
    await settled(t, phone);
    const lift = (await answer(phone)).pose.map((value, i) => value - before[i]);
    t.check(lift[11] > 0.1 && lift.every((value, i) => i === 11 || Math.abs(value) < 1e-12), `a finger on an arrow: ${lift}`);
}

// Bodies fall, come to rest and do not intersect.
async function heap(t, address) {
    const page = await t.page({ width: 1100, height: 760 });
    await page.goto(`${address}#scene=heap`);
    await t.until(page, "globalThis.TumblePage?.ready");
    const seen = await page.evaluate(async () => {
        const { falling } = TumblePage, height = (answer) => answer.poses.filter((_, i) => i % 12 === 11);
        const first = height(falling.last);
        await new Promise((resolve) => {
            const look = () => falling.last.steps >= 10 ? resolve() : setTimeout(look, 10);
            look();
        });
        const lower = height(falling.last).filter((value, i) => value < first[i]).length;
        falling.stop();
        // The rest without drawing.
        let answer = falling.last;
        while (answer.asleep < answer.count && answer.steps < 5000) {
            answer = await falling.engine.call("fall", { seconds: 0.012, milliseconds: 1000, most: 300 });
        }
        falling.show(answer);
        return { lower, answer, wrong: await falling.engine.call("intersecting"), inside: height(answer).filter((value) => value > -1.6).length };
    });
    t.check(seen.lower > 100, `${seen.lower} of 120 have fallen while the page was drawn`);
    t.equal([seen.answer.asleep, seen.wrong], [120, 0], "all at rest, and none intersects another");
    t.check(seen.inside > 100, `${seen.inside} are in the bowl`);
    await page.evaluate(() => TumblePage.view.render());
    await t.screenshot(page, "heap");
    await page.select("#scene", "ball");
    await t.until(page, 'TumblePage.state.scene === "ball" && TumblePage.answer');
    t.check(await page.$eval("#numbers", (table) => table.offsetHeight > 20), "two models again");
}

// Without WebGL there are still numbers; without WebAssembly there is a message.
async function missing(t, address) {
    const blind = await t.page();
    await blind.evaluateOnNewDocument(() => { HTMLCanvasElement.prototype.getContext = () => null; });
    await blind.goto(address);
    await t.until(blind, "globalThis.TumblePage?.ready");
    t.check(/WebGL/.test(await blind.$eval(".no-view", (element) => element.textContent)), "what to do without WebGL");
    t.check((await answer(blind)).pairs > 0, "the numbers are there without WebGL");
    await t.screenshot(blind, "no-webgl");

    const bare = await t.page();
    await bare.evaluateOnNewDocument(() => { delete globalThis.WebAssembly; });
    await bare.goto(address);
    await t.until(bare, '/WebAssembly/.test(document.querySelector("#message").textContent)');
}

export async function run(t) {
    mkdirSync(t.out, { recursive: true });
    const folder = join(t.root, "build", "web", "page"), file = pathToFileURL(join(folder, "index.html")).href;
    const page = await scenes(t, file);
    await page.setViewport({ width: 700, height: 400 }); // pictures are kept; without a graphics processor small ones are faster
    const gear = await files(t, page);
    await huge(t, page, gear);
    await more(t, page);
    await dragging(t, await t.serve(folder));
    await looks(t, file);
    await heap(t, file);
    await missing(t, file);
}

// The viewer by itself: parts, paint, picking, sections, lines, the camera.
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const body = `
    // A tube along z with square walls, and a box.
    const box = (l, u, flip) => ({
        points: [0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) => [i & 1 ? u[0] : l[0], i & 2 ? u[1] : l[1], i & 4 ? u[2] : l[2]]),
        indices: [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]].flatMap(
            ([a, b, c, d]) => flip ? [a, c, b, a, d, c] : [a, b, c, a, c, d])
    });
    const outer = box([-1, -1, -1], [1, 1, 1]), inner = box([-0.8, -0.8, -0.8], [0.8, 0.8, 0.8], true);
    const hollow = { points: [...outer.points, ...inner.points], indices: [...outer.indices, ...inner.indices.map((i) => i + 8)] };
    const far = [1e6, -2e6, 5e5];
    const at = (x, y, z, s = 1) => [s, 0, 0, far[0] + x, 0, s, 0, far[1] + y, 0, 0, s, far[2] + z];
    window.picked = [];
    const view = window.view = TumbleViewer.create(document.querySelector("#view"),
        { origin: far, dark: window.matchMedia("(prefers-color-scheme: dark)").matches, onPick: (part) => picked.push(part) });
    const a = view.addModel(hollow), b = view.addModel(box([-0.5, -0.5, -0.5], [0.5, 0.5, 0.5]));
    view.addParts([{ model: a, pose: at(0, 0, 0), colour: 0x2f6fb5 }, { model: b, pose: at(0.8, 0, 0), colour: 0xe08a1e }]);
    const others = [];
    for (let i = 0; i < 400; i++) others.push({ model: b, pose: at(3 + 1.5 * (i % 20), 1.5 * Math.floor(i / 20), 0), colour: 0x9aa5b1 });
    view.addParts(others);
    window.at = at; window.far = far;
`;

const centre = (t, page, x = 400, y = 300) => page.evaluate(([i, j]) => {
    view.render();
    const gl = view.canvas.getContext("webgl2"), pixel = new Uint8Array(4);
    gl.readPixels(i, gl.drawingBufferHeight - 1 - j, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    return Array.from(pixel.slice(0, 3));
}, [x, y]);

const near = (a, b) => a.every((value, i) => Math.abs(value - b[i]) <= 6);

export async function run(t) {
    const folder = join(t.root, "web", "viewer");
    const scripts = readdirSync(folder).filter((name) => name.endsWith(".js")).sort();
    t.check(scripts.length >= 6, "the viewer's files are there");
    const file = join(t.out, "viewer.html");
    writeFileSync(file, `<!doctype html><meta charset="utf-8"><title>viewer</title>
<style>body { margin: 0 } #view { position: relative; width: 800px; height: 600px }
canvas { width: 100%; height: 100%; display: block } .tumble-label { position: absolute; left: 0; top: 0 }</style>
<div id="view"></div><script src="file:///usr/share/javascript/three/three.min.js"></script>
${scripts.map((name) => `<script src="${pathToFileURL(join(folder, name))}"></script>`).join("\n")}
<script>"use strict";${body}</script>`);
    const page = await t.page({ width: 800, height: 600 });
    await page.goto(pathToFileURL(file).href);
    t.check(await page.evaluate(() => Boolean(window.view)), "the viewer starts");

    await page.evaluate(() => { view.home(); view.render(); });
    const calls = await page.evaluate(() => view.renderer.info.render.calls);
    t.check(calls <= 3, `402 parts of two models take at most three draws: ${calls}`);
    await t.screenshot(page, "all");

    // Straight on A: its front face.
    await page.evaluate(() => { view.fly({ centre: far, radius: 2, toward: [0, -1, 0.01] }); view.render(); });
    t.equal(await page.evaluate(() => [view.pick(400, 300), view.pick(2, 2)]), [0, -1], "what is at the middle and the corner");
    await page.mouse.click(400, 300);
    t.equal(await page.evaluate(() => picked), [0], "a click picks");
    await page.evaluate(() => view.paint(0, { mode: "hidden" }));
    t.equal(await page.evaluate(() => view.pick(400, 300)), -1, "a hidden part is not picked");
    await page.evaluate(() => view.paint(0, { mode: "ghost" }));
    t.equal(await page.evaluate(() => view.pick(400, 300)), 0, "a ghost is");
    const ghost = await centre(t, page);
    t.check(ghost.every((value) => value > 150), `a ghost is faint: ${ghost}`);

    // The section through both: hollow A, solid B, and where B is in A's wall.
    await page.evaluate(() => {
        view.paintAll({ mode: "ghost" });
        view.paint(0, { mode: "solid" });
        view.paint(1, { mode: "solid" });
        view.focus([0, 1]);
        view.section({ point: far, normal: [0, -1, 0] });
        view.lines("contact", [...at(0, 0, 0).filter((v, i) => i % 4 === 3), ...at(1, 0, 1).filter((v, i) => i % 4 === 3)]);
        view.label("depth", far, "0.3 m", "depth");
        view.fly({ centre: far, radius: 1.6, toward: [0, -1, 0] });
    });
    const pixels = await page.evaluate(() => {
        view.render();
        const gl = view.canvas.getContext("webgl2"), data = new Uint8Array(4 * 800 * 600), counts = {};
        gl.readPixels(0, 0, 800, 600, gl.RGBA, gl.UNSIGNED_BYTE, data);
        for (let i = 0; i < data.length; i += 4) {
            const key = [data[i], data[i + 1], data[i + 2]].join();
            counts[key] = (counts[key] || 0) + 1;
        }
        return counts;
    });
    const perMetre = await page.evaluate(() => 600 / (2 * view.camera().distance * Math.tan(35 * Math.PI / 360)));
    const areaOf = (colour) => (pixels[colour] || 0) / perMetre ** 2 / 0.82;
    const both = ((pixels["212,20,90"] || 0)) / perMetre ** 2;
    t.check(Math.abs(areaOf("47,111,181") - (4 - 2.56 - 0.2)) < 0.15, `A's cut material: ${areaOf("47,111,181")} of 1.24`);
    t.check(Math.abs(areaOf("224,138,30") - 0.8) < 0.12, `B's cut material: ${areaOf("224,138,30")} of 0.8`);
    t.check(both > 0.08 && both < 0.2, `what is in both: ${both} of 0.2, stripes apart`);
    await t.screenshot(page, "section");
    t.equal(await page.evaluate(() => document.querySelector(".tumble-label").textContent), "0.3 m", "the label");
    t.check((await page.evaluate(() => view.image())).startsWith("data:image/png;base64,"), "an image");

    await page.evaluate(() => { view.section(null); view.focus([0, 1]); view.theme(true); view.orbit(60, 40); });
    const dark = await centre(t, page, 3, 3);
    t.check(near(dark, [0x14, 0x18, 0x1d]) || dark.every((value) => value < 60), `dark: ${dark}`);
    await t.screenshot(page, "dark");
    const state = await page.evaluate(() => {
        const before = view.camera();
        view.home();
        view.setCamera(before);
        const after = view.camera();
        return [before.distance === after.distance, before.target.every((v, i) => Math.abs(v - after.target[i]) < 1e-6), after];
    });
    t.equal(state.slice(0, 2), [true, true], "a viewpoint can be kept");

    // Another origin shows the same.
    const same = await page.evaluate(() => {
        view.render();
        const before = [view.pick(400, 300), view.pick(300, 200)], seen = view.image();
        view.setOrigin([far[0] + 1, far[1] + 2, far[2] + 3]);
        return [view.camera().target.every((v, i) => Math.abs(v - far[i]) < 1e-3),
            JSON.stringify(before) === JSON.stringify([view.pick(400, 300), view.pick(300, 200)]), seen.length > 1000];
    });
    t.equal(same, [true, true, true], "another origin");
    await t.screenshot(page, "origin");

    await page.mouse.move(300, 300);
    await page.mouse.down();
    await page.mouse.move(360, 320, { steps: 3 });
    await page.mouse.up();
    await page.mouse.wheel({ deltaY: -300 });
    const turned = await page.evaluate(() => view.camera());
    const kept = state[2];
    t.check(turned.distance < kept.distance * 0.9, "the wheel zooms");
    t.check(turned.azimuth !== kept.azimuth && turned.height !== kept.height, "a drag turns");
    t.equal(await page.evaluate(() => picked.length), 1, "a drag picks nothing");
}

// The browser and the tester themselves: WebGL 2 draws with Debian's three.js, and errors and requests are noticed.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const drawing = `<!doctype html><meta charset="utf-8"><title>browser</title><canvas width="64" height="64"></canvas>
<script src="file:///usr/share/javascript/three/three.min.js"></script><script>
const canvas = document.querySelector("canvas");
const renderer = new THREE.WebGLRenderer({ canvas, context: canvas.getContext("webgl2") });
const scene = new THREE.Scene(), camera = new THREE.OrthographicCamera(-1, 1, 1, -1, -1, 1);
scene.add(new THREE.Mesh(new THREE.PlaneBufferGeometry(2, 2), new THREE.MeshBasicMaterial({ color: 0x00ff00 })));
renderer.render(scene, camera);
const pixel = new Uint8Array(4);
renderer.getContext().readPixels(32, 32, 1, 1, WebGL2RenderingContext.RGBA, WebGL2RenderingContext.UNSIGNED_BYTE, pixel);
window.pixel = [...pixel];
</script>`;

export async function run(t) {
    const file = join(t.out, "browser.html");
    writeFileSync(file, drawing);
    const page = await t.page({ width: 100, height: 100 });
    await page.goto(pathToFileURL(file).href);
    t.equal(await page.evaluate("window.pixel"), [0, 255, 0, 255], "the colour of a drawn pixel");
    t.equal(t.failures, [], "failures so far");

    await page.evaluate(() => { console.error("on purpose"); });
    await page.evaluate(() => fetch("http://127.0.0.1:9/").catch(() => 0));
    const noticed = t.failures.splice(0).join("\n");
    t.check(/console: on purpose/.test(noticed), "an error in the console is noticed");
    t.check(/network request: http:..127.0.0.1:9/.test(noticed), "a request is noticed");
}

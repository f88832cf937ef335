// tumble-collision beside three-mesh-bvh, in Node.js and in a headless Chromium: node bench/web/run.mjs [TRIANGLES]
// Prints a table, which is also in out/bench-web/table.md. Ends with 1 if a ratio of yes or no (models that are not
// plainly apart), all pairs or distance is below 20, or if the two disagree.
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Tester } from "../../tests/web/tester.mjs";
import { measure } from "./measure.mjs";

const here = dirname(fileURLToPath(import.meta.url)), root = join(here, "..", ".."), out = join(root, "out", "bench-web");
const modules = join(root, "build", "web-tests"), installed = join(modules, "node_modules"), least = 20;
const options = { triangles: Number(process.argv[2] ?? 20000) };
mkdirSync(out, { recursive: true });

async function inNode() {
    const { load } = await import(pathToFileURL(join(root, "build", "web", "package", "node.mjs")));
    const three = await import(pathToFileURL(join(installed, "three", "build", "three.module.js")));
    const { MeshBVH } = await import(pathToFileURL(join(installed, "three-mesh-bvh", "src", "index.js")));
    return measure(await load(), three, MeshBVH, options);
}

// One folder with both, as a program would serve it.
async function inChromium() {
    const folder = join(root, "build", "web", "bench");
    rmSync(folder, { recursive: true, force: true });
    for (const [from, name] of [[join(root, "build", "web", "package"), "tumble"], [join(installed, "three", "build"), "three"],
        [join(installed, "three-mesh-bvh", "src"), "bvh"], [join(here, "measure.mjs"), "measure.mjs"]]) {
        cpSync(from, join(folder, name), { recursive: true });
    }
    writeFileSync(join(folder, "index.html"), `<!doctype html><meta charset="utf-8"><title>bench</title>
<script type="importmap">{ "imports": { "three": "./three/three.module.js" } }</script>`);
    const puppeteer = createRequire(join(modules, "x.js"))("puppeteer-core");
    const browser = await puppeteer.launch({ executablePath: process.env.TUMBLE_CHROMIUM || "/usr/bin/chromium", headless: true,
        protocolTimeout: 600000, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
    const tester = new Tester("bench", { browser, root, out, modules });
    try {
        const page = await tester.page();
        await page.goto(await tester.serve(folder));
        return await page.evaluate(async (chosen) => {
            const { load } = await import("./tumble/index.mjs"), { measure: ask } = await import("./measure.mjs");
            const { MeshBVH } = await import("./bvh/index.js");
            return ask(await load(), await import("three"), MeshBVH, chosen);
        }, options);
    } finally {
        await tester.close();
        await browser.close();
    }
}

const number = (value) => (typeof value === "number" ? String(Number(value.toPrecision(7))) : value ? "yes" : "no");
const time = (value) => value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString("en");
const lines = [], failures = [];
for (const [place, ask] of [["Node.js", inNode], ["Chromium", inChromium]]) {
    const { triangles, rows } = await ask();
    lines.push(`${place}, ${triangles.toLocaleString("en")} triangles each; microseconds`, "",
        "| question | tumble-collision | three-mesh-bvh | times | answer |", "|---|--:|--:|--:|---|");
    for (const { question, answers: [own, peer], agree, own: ours, peer: theirs } of rows) {
        const ratio = theirs / ours, said = number(own) === number(peer) ? number(own) : `${number(own)}; ${number(peer)}`;
        lines.push(`| ${question} | ${time(ours)} | ${time(theirs)} | ${ratio.toFixed(1)} | ${said} |`);
        if (!agree) {
            failures.push(`${place}: ${question}: ${number(own)}, three-mesh-bvh ${number(peer)}`);
        }
        if (ratio < least && !/^build|^yes or no, far/.test(question)) {
            failures.push(`${place}: ${question}: ${ratio.toFixed(1)} times as fast, ${least} expected`);
        }
    }
    lines.push("");
}
console.log(lines.join("\n"));
writeFileSync(join(out, "table.md"), lines.join("\n"));
for (const failure of failures) {
    console.log(failure);
}
process.exit(failures.length > 0 ? 1 : 0);

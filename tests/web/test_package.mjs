// The npm package tumble-collision in a browser: the same answers as the native library, as a module from a server and as
// a classic script from a file. scripts/wasm.sh builds it.
import { copyFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export async function run(t) {
    const built = join(t.root, "build", "web"), tests = join(t.root, "bindings", "web", "tests");
    const folder = join(t.out, "package");
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const name of ["compare.mjs", "interface.mjs", "three.mjs", "worker.mjs"]) {
        copyFileSync(join(tests, name), join(folder, name));
    }
    for (const name of ["three.module.js", "three.core.js"]) {
        copyFileSync(join(t.modules, "node_modules", "three", "build", name), join(folder, name));
    }
    // A page starts workers from its own server alone.
    cpSync(join(built, "package"), join(folder, "own"), { recursive: true });
    writeFileSync(join(folder, "index.html"), `<!doctype html><meta charset="utf-8"><title>package</title>
<script type="importmap">{ "imports": { "three": "./three.module.js" } }</script>`);
    const [pages, files] = [await t.serve(folder), await t.serve(built, { "access-control-allow-origin": "*" })];

    const page = await t.page();
    await page.goto(pages);
    const result = await page.evaluate(async (from) => {
        const library = await import(`${from}package/index.mjs`);
        const { compare } = await import("./compare.mjs"), { testAll } = await import("./interface.mjs");
        const answers = new Uint8Array(await (await fetch(`${from}answers.bin`)).arrayBuffer());
        const compared = compare(await library.load(), answers), tested = await testAll(library);
        return { poses: compared.poses, checks: compared.checks + tested.checks,
            failures: [...compared.failures, ...tested.failures] };
    }, files);
    t.equal(result.failures.slice(0, 20), [], "differences from the native library");
    t.check(result.poses >= 500 && result.checks > result.poses, "some hundred poses were compared");
    t.count += result.checks;

    const parts = await page.evaluate(async () => {
        const library = await import("./own/index.mjs"), three = await import("three");
        const { testWorker } = await import("./worker.mjs"), { testThree } = await import("./three.mjs");
        const tested = [await testWorker(library, await import("./own/worker.mjs")),
            await testThree(library, await import("./own/three.mjs"), three)];
        return { failures: tested.flatMap(({ failures }) => failures), checks: tested.map(({ checks }) => checks) };
    });
    t.equal(parts.failures, [], "the worker, and three.js");
    t.check(parts.checks.every((count) => count > 20), `checks of the worker and of three.js: ${parts.checks}`);

    // From a file there are no modules, so the page's own script asks.
    const classic = join(folder, "classic.html");
    writeFileSync(classic, `<!doctype html><meta charset="utf-8"><title>classic</title>
<script src="${pathToFileURL(join(built, "package", "tumble.classic.js"))}"></script>
<script>window.answer = Tumble.load().then((tumble) => {
    const triangle = tumble.model([0, 0, 0, 1, 0, 0, 0, 1, 0]), other = tumble.model([0.2, 0.2, -1, 0.2, 0.2, 1, 1, 1, 0]);
    return [tumble.version, tumble.collide(triangle, other), [...tumble.pairs(triangle, other)]];
});</script>`);
    await page.goto(pathToFileURL(classic).href);
    const [version, collide, pairs] = await page.evaluate("window.answer");
    t.check(/^\d+\.\d+/.test(version), "the version");
    t.equal([collide, pairs], [true, [0, 0]], "triangles that cross, from a file");
}

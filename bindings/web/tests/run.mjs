// Tests of the built package in Node.js: node bindings/web/tests/run.mjs
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext, runInThisContext } from "node:vm";
import { compare } from "./compare.mjs";
import { Checker, testAll } from "./interface.mjs";
import { testPackage } from "./package.mjs";
import { testThree } from "./three.mjs";
import { testWorker } from "./worker.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");
const modules = createRequire(join(root, "build", "web-tests", "x.js")), build = join(root, "build", "web");
const answers = new Uint8Array(readFileSync(join(build, "answers.bin")));

const failures = [];
let checks = 0;

function report(name, result) {
    console.log(`${name}: ${result.checks} checks, ${result.failures.length} failed`);
    checks += result.checks;
    failures.push(...result.failures.map((text) => `${name}: ${text}`));
}

// Models that nobody disposes of are freed by the garbage collector.
async function testForgotten({ load }) {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc"), t = new Checker(), tumble = await load(), count = 120;
    const corners = Float32Array.from({ length: 90000 }, (_, i) => Math.sin(i * i));
    const { bytes } = tumble.model(corners).info;
    for (let i = 0; i < count; i++) {
        tumble.model(corners);
        if (i % 4 === 0) {
            collect();
            await new Promise((resolve) => setTimeout(resolve, 5));
        }
    }
    t.equal(tumble.memoryBytes < 0.5 * count * bytes + 16777216, true, `memory of forgotten models: ${tumble.memoryBytes} bytes`);
    return t;
}

// The packed package, installed as a program would: its names are those of package.json.
const { result, from } = testPackage(root, modules);
report("package", result);
const library = await from("tumble-collision"), worker = await from("tumble-collision/worker");
const tumble = await library.load();
const compared = compare(tumble, answers);
console.log(`${compared.scenes} scenes, ${compared.poses} poses, ${compared.pairs} pairs`);
report("native", compared);
report("interface", await testAll(library));
report("forgotten models", await testForgotten(library));
report("worker", await testWorker(library, worker));
const three = await import(pathToFileURL(modules.resolve("three").replace("three.cjs", "three.module.js")));
report("three.js", await testThree(library, await from("tumble-collision/three"), three));

runInThisContext(readFileSync(join(build, "package", "tumble.classic.js"), "utf8"), { filename: "tumble.classic.js" });
report("classic script", await testAll(globalThis.Tumble));

for (const failure of failures.slice(0, 30)) {
    console.log(`   ${failure}`);
}
console.log(`${checks} checks, ${failures.length} failed`);
process.exit(failures.length > 0 || checks === 0 ? 1 : 0);

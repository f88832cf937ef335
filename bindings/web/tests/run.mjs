// Tests of the built package in Node.js: node bindings/web/tests/run.mjs
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { runInThisContext } from "node:vm";
import { compare } from "./compare.mjs";
import { testAll } from "./interface.mjs";

const build = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..", "build", "web");
const answers = new Uint8Array(readFileSync(join(build, "answers.bin")));
const entry = (name) => pathToFileURL(join(build, "package", name));

const failures = [];
let checks = 0;

function report(name, result) {
    console.log(`${name}: ${result.checks} checks, ${result.failures.length} failed`);
    checks += result.checks;
    failures.push(...result.failures.map((text) => `${name}: ${text}`));
}

const library = await import(entry("node.mjs"));
const tumble = await library.load();
const compared = compare(tumble, answers);
console.log(`${compared.scenes} scenes, ${compared.poses} poses, ${compared.pairs} pairs`);
report("native", compared);
report("interface", await testAll(library));

runInThisContext(readFileSync(join(build, "package", "tumble.classic.js"), "utf8"), { filename: "tumble.classic.js" });
report("classic script", await testAll(globalThis.Tumble));

for (const failure of failures.slice(0, 30)) {
    console.log(`   ${failure}`);
}
console.log(`${checks} checks, ${failures.length} failed`);
process.exit(failures.length > 0 || checks === 0 ? 1 : 0);

// Runs the tests named on the command line, or all, in one headless Chromium:
//     node tests/web/run.mjs [NAME...]
// tests/web/test_NAME.mjs exports `async function run(t)`; NAME.mjs is a test that runs only when it is named, after what
// it needs has been built. Screenshots go to build/web-tests/screenshots/.
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Tester } from "./tester.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "..", "..");
const modules = join(root, "build", "web-tests");
const puppeteer = createRequire(join(modules, "x.js"))("puppeteer-core");

const all = readdirSync(here).filter((file) => /^test_.*\.mjs$/.test(file)).map((file) => file.slice(5, -4)).sort();
const names = process.argv.length > 2 ? process.argv.slice(2) : all;
const out = join(modules, "screenshots");
mkdirSync(out, { recursive: true });

const browser = await puppeteer.launch({
    executablePath: process.env.TUMBLE_CHROMIUM || "/usr/bin/chromium",
    headless: true,
    protocolTimeout: 600000,
    args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-dev-shm-usage",
        "--hide-scrollbars", "--force-color-profile=srgb"]
});

let failures = 0;
for (const name of names) {
    const start = performance.now();
    const tester = new Tester(name, { browser, root, out, modules });
    console.log(`-- check web ${name}`);
    try {
        const file = join(here, `test_${name}.mjs`);
        const test = await import(pathToFileURL(existsSync(file) ? file : join(here, `${name}.mjs`)));
        await test.run(tester);
    } catch (error) {
        tester.failures.push(error.stack);
    }
    await tester.close();
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    for (const failure of tester.failures) {
        console.log(`   ${name}: ${failure}`);
    }
    console.log(`-- check web ${name} ${tester.failures.length ? "FAILED after" : "passed in"} ${seconds} s, ` +
        `${tester.count} checks`);
    failures += tester.failures.length;
}
await browser.close();
process.exit(failures ? 1 : 0);

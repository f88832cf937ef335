// Runs the documentation: node bindings/web/tests/documentation.mjs
// In README.md, docs/*.md and bindings/web/README.md a block ```js whose first line is `// example: NAME` is run as a
// program with the built package; a block ```text right after it is its output, in which `...` stands for anything.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");
const folder = join(root, "build", "web", "documentation");
const blocks = /^```js\n\/\/ example: (\S+)\n(.*?)^```\n(?:\s*^```text\n(.*?)^```\n)?/gms;

rmSync(folder, { recursive: true, force: true });
mkdirSync(join(folder, "node_modules"), { recursive: true });
symlinkSync(join(root, "build", "web", "package"), join(folder, "node_modules", "tumble-collision"));

const pages = ["README.md", "bindings/web/README.md",
    ...readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md")).map((name) => `docs/${name}`)];
let count = 0, failures = 0;
for (const page of pages) {
    for (const [, name, source, expected] of readFileSync(join(root, page), "utf8").matchAll(blocks)) {
        const file = join(folder, `${name}.mjs`);
        writeFileSync(file, source);
        count++;
        try {
            const output = execFileSync(process.execPath, [file], { cwd: folder, encoding: "utf8" });
            const pattern = expected?.split("...").map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join(".*");
            if (pattern !== undefined && !new RegExp(`^${pattern}$`, "s").test(output)) {
                console.log(`${page}, ${name}: printed\n${output}`);
                failures++;
            }
        } catch (error) {
            console.log(`${page}, ${name}: ${error.message}`);
            failures++;
        }
    }
}
console.log(`documentation: ${count} programs, ${failures} failed`);
process.exit(failures > 0 || count === 0 ? 1 : 0);

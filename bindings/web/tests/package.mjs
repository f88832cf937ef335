// The package as npm packs it: what is in it, how it is imported, what a bundler keeps of it, and its types.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { Checker } from "./interface.mjs";

const tests = dirname(fileURLToPath(import.meta.url));

function packed(t, built, folder) {
    const npm = (...words) => execFileSync("npm", [...words, "--loglevel=error"], { cwd: folder, encoding: "utf8" });
    const [{ filename, files }] = JSON.parse(npm("pack", built, "--json"));
    const names = files.map(({ path }) => path).sort();
    t.equal(names, readdirSync(built).sort(), "files of the package");
    t.equal(["LICENSE", "README.md", "index.d.ts", "three.d.ts", "tumble.wasm", "worker.d.ts"].filter((name) =>
        !names.includes(name)), [], "files that must be there");
    const size = statSync(join(folder, filename)).size;
    t.equal(size < 1000000, true, `the packed package has ${size} bytes`);
    execFileSync("tar", ["-xzf", join(folder, filename), "-C", folder]);
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(join(folder, "package"), join(folder, "node_modules", "tumble-collision"));
}

// What esbuild makes of a program, minified.
function bundled(t, esbuild, folder) {
    const size = (source) => {
        const { outputFiles, warnings } = esbuild.buildSync({ stdin: { contents: source, resolveDir: folder }, bundle: true,
            minify: true, format: "esm", platform: "browser", write: false, logLevel: "error", external: ["three"] });
        t.equal(warnings.map(({ text }) => text), [], "warnings of esbuild");
        return [outputFiles[0].text, gzipSync(outputFiles[0].text).length];
    };
    t.equal(size('import * as a from "tumble-collision"; import * as b from "tumble-collision/worker"; ' +
        'import * as c from "tumble-collision/three";')[0].trim(), "",
        "what is not used costs nothing");
    const error = size('import { TumbleError } from "tumble-collision"; console.log(TumbleError);');
    t.equal(error[1] < 400, true, `a class alone: ${error[1]} bytes`);
    const whole = size('import { load } from "tumble-collision"; load();'), worker = size('import { loadWorker } from ' +
        '"tumble-collision/worker"; loadWorker();');
    t.equal([/worker/i.test(whole[0]), /node:/.test(whole[0])], [false, false], "a page without a worker has no code for it");
    t.equal([whole[1] < 12000, worker[1] < 4000], [true, true], `bytes of scripts: ${whole[1]}, in a worker ${worker[1]}`);
    const pose = size('import { poseOf } from "tumble-collision/three"; console.log(poseOf);');
    t.equal(/LineSegments/.test(pose[0]) && /class/.test(pose[0]), false, "poseOf alone has no lines");
    console.log(`gzipped: ${whole[1]} bytes of scripts, with a worker ${worker[1]}, ` +
        `tumble.wasm ${gzipSync(readFileSync(join(folder, "package", "tumble.wasm")), { level: 9 }).length}`);
}

// A program with types, and one with mistakes of which each must be noticed.
function typed(t, installed, folder) {
    for (const name of ["types.ts", "mistakes.ts"]) {
        copyFileSync(join(tests, name), join(folder, name));
    }
    const scope = join(folder, "node_modules", "@types");
    mkdirSync(scope);
    symlinkSync(join(installed, "@types", "three"), join(scope, "three"));
    for (const [module, moduleResolution] of [["nodenext", "nodenext"], ["esnext", "bundler"]]) {
        writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ files: ["types.ts", "mistakes.ts"], compilerOptions: {
            strict: true, noEmit: true, skipLibCheck: true, target: "es2022", lib: ["es2022", "dom", "esnext.disposable"],
            types: [], preserveSymlinks: true, module, moduleResolution } }));
        try {
            t.checks++;
            execFileSync(process.execPath, [join(installed, "typescript", "bin", "tsc"), "-p", "."], { cwd: folder, encoding: "utf8" });
        } catch (error) {
            t.failures.push(`types with ${moduleResolution}: ${error.stdout}`);
        }
    }
}

// Its result, and how it is imported.
export function testPackage(root, modules) {
    const installed = join(root, "build", "web-tests", "node_modules"), t = new Checker();
    const built = join(root, "build", "web", "package"), folder = join(root, "build", "web", "packed");
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
    packed(t, built, folder);
    bundled(t, modules("esbuild"), folder);
    typed(t, installed, folder);
    symlinkSync(join(installed, "three"), join(folder, "node_modules", "three"));
    writeFileSync(join(folder, "from.mjs"), "export const from = (name) => import(name);\n");
    const from = async (name) => (await import(pathToFileURL(join(folder, "from.mjs")))).from(name);
    return { result: t, from };
}

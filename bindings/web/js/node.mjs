// tumble-collision, for Node.js.
import { readFile } from "node:fs/promises";
import { compile, fetched, start } from "./tumble.mjs";

export { TumbleError } from "./error.mjs";
export { Model } from "./model.mjs";
export { Scene, SceneObject } from "./scene.mjs";
export { Tumble } from "./tumble.mjs";

// `wasm`: where the module is, if not beside this file: a file or an address, a Response, its bytes, or a
// WebAssembly.Module.
export async function load({ wasm = new URL("tumble.wasm", import.meta.url) } = {}) {
    if (/^https?:/.test(String(wasm))) {
        return start(await compile(await fetched(wasm)));
    }
    const isFile = typeof wasm === "string" || wasm instanceof URL;
    return start(await compile(isFile ? await readFile(wasm) : await wasm));
}

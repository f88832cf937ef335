// tumble-collision, for browsers: exact collision detection and distances between polygon models.
import { compile, fetched, start } from "./tumble.mjs";

export { TumbleError } from "./error.mjs";
export { Model } from "./model.mjs";
export { Scene, SceneObject } from "./scene.mjs";
export { Tumble } from "./tumble.mjs";

// `wasm`: where the module is, if not beside this file: an address, a Response, its bytes, or a WebAssembly.Module.
export async function load({ wasm = new URL("tumble.wasm", import.meta.url) } = {}) {
    const isAddress = typeof wasm === "string" || wasm instanceof URL;
    return start(await compile(isAddress ? await fetched(wasm) : await wasm));
}

    // The module is a part of this file.
    const embedded = () => Uint8Array.from(atob(wasmText), (character) => character.charCodeAt(0));

    async function load({ wasm = embedded() } = {}) {
        const isAddress = typeof wasm === "string" || wasm instanceof URL;
        return start(await compile(isAddress ? await fetched(wasm) : await wasm));
    }

    globalThis.Tumble = Object.freeze({ load, Model, Scene, SceneObject, TumbleError });

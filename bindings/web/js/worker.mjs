// tumble-collision/worker, for browsers: the library in a worker.
import { TumbleWorker } from "./proxy.mjs";

export { TumbleError } from "./error.mjs";
export { TumbleWorker, WorkerModel, WorkerObject, WorkerScene } from "./proxy.mjs";

// `wasm`: an address, bytes, or a compiled module, if it is not beside this file; `worker`: one whose program is that of
// worker-main.mjs, if a bundler has put it elsewhere.
export function loadWorker({ wasm, worker } = {}) {
    const thread = worker ?? new Worker(new URL("./worker-main.mjs", import.meta.url), { type: "module" });
    const address = typeof wasm === "string" || wasm instanceof URL ? new URL(wasm, globalThis.location?.href).href : wasm;
    return TumbleWorker.start({
        post: (message, buffers) => thread.postMessage(message, buffers),
        end: () => thread.terminate(),
        hear(receive, fail) {
            thread.onmessage = ({ data }) => receive(data);
            thread.onerror = (event) => fail(event.message || "the worker could not be loaded");
        }
    }, address);
}

// tumble-collision/worker, for Node.js: the library in a worker thread.
import { Worker } from "node:worker_threads";
import { TumbleWorker } from "./proxy.mjs";

export { TumbleError } from "./error.mjs";
export { TumbleWorker, WorkerModel, WorkerObject, WorkerScene } from "./proxy.mjs";

// `wasm`: a file or an address, bytes, or a compiled module, if it is not beside this file. The thread does not keep the
// program alive while it has nothing to do.
export function loadWorker({ wasm, worker } = {}) {
    const thread = worker ?? new Worker(new URL("./worker-main-node.mjs", import.meta.url));
    return TumbleWorker.start({
        post: (message, buffers) => thread.postMessage(message, buffers),
        end: () => thread.terminate(),
        busy: (isBusy) => (isBusy ? thread.ref() : thread.unref()),
        hear(receive, fail) {
            thread.on("message", receive);
            thread.on("error", (error) => fail(error.message));
            thread.unref();
        }
    }, wasm instanceof URL ? wasm.href : wasm);
}

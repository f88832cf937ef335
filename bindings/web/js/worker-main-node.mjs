// The program of the worker, in Node.js.
import { parentPort } from "node:worker_threads";
import { load } from "./node.mjs";
import { serve } from "./serve.mjs";

const receive = serve(load, (message, buffers) => parentPort.postMessage(message, buffers));
parentPort.on("message", receive);

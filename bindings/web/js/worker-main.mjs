// The program of the worker, in browsers.
import { load } from "./index.mjs";
import { serve } from "./serve.mjs";

const receive = serve(load, (message, buffers) => globalThis.postMessage(message, buffers));
globalThis.onmessage = ({ data }) => receive(data);

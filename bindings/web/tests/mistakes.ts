// Mistakes that the types must notice.
import { load, Model } from "tumble-collision";
import { loadWorker } from "tumble-collision/worker";

const tumble = await load(), worker = await loadWorker(), a = tumble.model([]), b = await worker.model([]);
// @ts-expect-error: models are made by model()
new Model();
// @ts-expect-error: a model of a worker is not here
tumble.collide(a, b);
// @ts-expect-error: a model that is here is not in the worker
worker.collide(a, b);
// @ts-expect-error: the answer is a promise
const touches: boolean = worker.collide(b, b);
// @ts-expect-error: no such option
tumble.collide(a, a, null, null, { clearence: 1 });
// @ts-expect-error: no such hierarchy
tumble.model([], null, { hierarchy: "octree" });
// @ts-expect-error: facts cannot be changed
a.info.closed = true;
console.log(touches);

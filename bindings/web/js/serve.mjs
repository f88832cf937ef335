// The worker's side: it has the library, and answers calls in their order.
import { buffersOf, errorOf, mapped } from "./calls.mjs";
import { Model } from "./model.mjs";
import { Scene, SceneObject } from "./scene.mjs";

// `load` is that of the library; `send(message, buffers)` posts to the program. Returns what receives its messages.
export function serve(load, send) {
    const things = new Map(), numbers = new WeakMap();
    let library = null, number = 0, before = Promise.resolve();

    function keep(thing) {
        if (!numbers.has(thing)) {
            things.set(++number, thing);
            numbers.set(thing, number);
        }
        return numbers.get(thing);
    }

    const given = (value) => mapped(value, (thing) => (thing.$ === undefined ? undefined : things.get(thing.$)));
    const facts = (thing) => (thing instanceof Model ? thing.info : undefined);
    const told = (value) => mapped(value, (thing) =>
        (thing instanceof Model || thing instanceof Scene || thing instanceof SceneObject
            ? { $: keep(thing), info: facts(thing) } : undefined));

    const own = {
        async start(options) {
            library = await load(options);
            return { version: library.version };
        },
        memoryBytes: () => library.memoryBytes,
        forget(thing) {
            things.get(thing)?.dispose?.();
            things.delete(thing);
        }
    };

    async function answer({ id, target, name, values }) {
        try {
            const call = target === 0 && own[name] ? own[name] : null, thing = target === 0 ? library : things.get(target);
            const found = call ? await call(...values) : thing[name](...given(values));
            if (name === "remove") {
                things.delete(values[0].$);
            }
            if (name === "dispose") {
                things.delete(target);
            }
            const result = told(found);
            send({ id, result }, [...buffersOf(result)]);
        } catch (error) {
            send({ id, error: errorOf(error) }, []);
        }
    }

    return (message) => {
        before = before.then(() => answer(message));
    };
}

// Makes the search work on pages that are opened from a file, where browsers load neither JSON nor workers: the index is
// a script, and the worker's program runs in a hidden frame.
(function () {
    "use strict";

    if (location.protocol !== "file:") {
        return;
    }
    const own = document.currentScript.src, folder = own.slice(0, own.lastIndexOf("/") + 1);
    globalThis.__search = {
        index: new Promise((resolve) => {
            globalThis.__searchIndex = resolve;
            const script = document.createElement("script");
            script.src = `${folder}search_index.js`;
            document.head.append(script);
        })
    };
    globalThis.Worker = class extends EventTarget {
        constructor(address) {
            super();
            const frame = document.createElement("iframe");
            frame.hidden = true;
            this.ready = new Promise((resolve) => { frame.onload = resolve; }).then(() => {
                const inside = frame.contentWindow, script = inside.document.createElement("script");
                inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
                script.src = address;
                return new Promise((resolve) => {
                    script.onload = () => resolve(inside);
                    inside.document.head.append(script);
                });
            });
            document.documentElement.append(frame);
        }

        postMessage(data) {
            this.ready.then((inside) => inside.dispatchEvent(new MessageEvent("message", { data })));
        }

        terminate() {}
    };
})();

// The page's side of the worker in which the library runs: calls become messages, answers promises.
(function (page) {
    "use strict";

    page.Engine = class {
        // `source`: the worker's program as text, so that it also starts from a file.
        constructor(source) {
            this.waiting = new Map();
            this.number = 0;
            const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
            this.worker = new Worker(address);
            URL.revokeObjectURL(address);
            this.worker.onmessage = ({ data }) => {
                const call = this.waiting.get(data.number);
                this.waiting.delete(data.number);
                if (data.error) {
                    call.reject(new Error(data.error));
                } else {
                    call.resolve(data.result);
                }
            };
            this.worker.onerror = (event) => {
                for (const call of this.waiting.values()) {
                    call.reject(new Error(event.message || "the worker has stopped"));
                }
                this.waiting.clear();
            };
        }

        call(name, argument, transfer = []) {
            return new Promise((resolve, reject) => {
                const number = ++this.number;
                this.waiting.set(number, { resolve, reject });
                this.worker.postMessage({ number, name, argument }, transfer);
            });
        }
    };
})(globalThis.TumblePage = globalThis.TumblePage || {});

// A heap: bodies that fall into a bowl, drawn as the worker moves them.
(function (page) {
    "use strict";

    const $ = (id) => document.getElementById(id);

    page.Heap = class {
        constructor(engine, view, time) {
            Object.assign(this, { engine, view, time, running: false, over: false });
        }

        // `makeView(origin)` gives a viewer, or null.
        async open(makeView) {
            const { shapes, colours, count, seed } = page.heap();
            const answer = await this.engine.call("heap", { shapes, count, seed });
            this.drawn = answer.drawn;
            this.kinds = shapes.length - 1;
            this.view = makeView();
            if (this.view) {
                const models = answer.drawn.map(({ points, indices, closed }) => this.view.addModel({ points, indices, closed }));
                const parts = [{ model: models[0], pose: this.at(page.pose.identity, 0), colour: colours[0] }];
                for (let i = 0; i < count; i++) {
                    const kind = 1 + i % this.kinds;
                    parts.push({ model: models[kind], pose: this.at(answer.poses.slice(12 * i, 12 * i + 12), kind), colour: colours[kind] });
                }
                this.view.addParts(parts);
                this.view.paint(0, { mode: "ghost" });
                this.view.fly({ centre: [0, 0, 0.1], radius: 3, toward: [0.35, -1, 0.55], seconds: 0 });
            }
            this.show(answer);
        }

        at(pose, kind) {
            return page.pose.compose(Array.from(pose), page.pose.moved(page.pose.identity, this.drawn[kind].centre));
        }

        show(answer) {
            this.last = answer;
            if (this.view) {
                for (let i = 0; i < answer.count; i++) {
                    this.view.parts.setPose(i + 1, this.at(answer.poses.subarray(12 * i, 12 * i + 12), 1 + i % this.kinds));
                }
                this.view.measure();
                this.view.ask();
            }
            $("answer").classList.remove("hit");
            const text = answer.asleep === answer.count ? "All at rest" : "Falling …";
            if ($("answer").textContent !== text) {
                $("answer").textContent = text;
            }
            $("heap-rest").textContent = `${answer.asleep} of ${answer.count}`;
            $("heap-checks").textContent = `${answer.checks.toLocaleString("en")} times`;
            $("heap-time").textContent = answer.checks ? this.time(answer.milliseconds * 1000 / answer.checks) : "";
        }

        async run() {
            if (this.running) {
                return;
            }
            this.running = true;
            while (this.running && this.last.asleep < this.last.count) {
                this.show(await this.engine.call("fall", { seconds: 0.012, milliseconds: 12, most: 2 }));
                $("heap-wrong").textContent = "";
                await new Promise((resolve) => requestAnimationFrame(resolve));
            }
            if (!this.over) {
                $("heap-wrong").textContent = String(await this.engine.call("intersecting"));
            }
            this.running = false;
        }

        stop() {
            this.running = false;
        }

        close() {
            this.over = true;
            this.running = false;
        }
    };
})(globalThis.TumblePage = globalThis.TumblePage || {});

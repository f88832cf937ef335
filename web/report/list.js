// A list of any length: only the rows that can be seen exist.
(function (report) {
    "use strict";

    const height = 50, spare = 6;

    report.List = class {
        // `draw(index)` gives a row's inside as HTML, `label(index)` what it is called.
        constructor(element, { draw, onChoose }) {
            this.element = element;
            this.draw = draw;
            this.count = 0;
            this.chosen = -1;
            this.space = document.createElement("div");
            this.space.className = "space";
            this.space.setAttribute("role", "presentation");
            element.append(this.space);
            element.addEventListener("scroll", () => this.show(), { passive: true });
            element.addEventListener("click", (event) => {
                const row = event.target.closest(".row");
                if (row) {
                    onChoose(Number(row.dataset.index), event);
                }
            });
            new ResizeObserver(() => this.show(true)).observe(element);
        }

        reset(count, chosen = -1) {
            this.count = count;
            this.chosen = chosen;
            this.space.style.height = `${count * height}px`;
            this.show(true);
        }

        // Only what has come into sight since, unless all of it is to be new.
        show(all = false) {
            const first = Math.max(0, Math.floor(this.element.scrollTop / height) - spare);
            const last = Math.min(this.count, Math.ceil((this.element.scrollTop + this.element.clientHeight) / height) + spare);
            if (all) {
                this.space.textContent = "";
                this.rows = new Map();
            }
            for (const [index, row] of this.rows) {
                if (index < first || index >= last) {
                    row.remove();
                    this.rows.delete(index);
                }
            }
            for (let index = first; index < last; index++) {
                if (!this.rows.has(index)) {
                    const row = document.createElement("div");
                    row.className = "row";
                    row.id = `row-${index}`;
                    row.dataset.index = index;
                    row.style.top = `${index * height}px`;
                    row.setAttribute("role", "option");
                    row.setAttribute("aria-posinset", index + 1);
                    row.setAttribute("aria-setsize", this.count);
                    row.setAttribute("aria-selected", index === this.chosen);
                    row.innerHTML = this.draw(index);
                    this.space.append(row);
                    this.rows.set(index, row);
                }
            }
        }

        choose(index) {
            const mark = (at, is) => this.rows.get(at)?.setAttribute("aria-selected", is);
            mark(this.chosen, false);
            this.chosen = index;
            if (index >= 0) {
                const top = index * height, { scrollTop, clientHeight } = this.element;
                if (top < scrollTop) {
                    this.element.scrollTop = top;
                } else if (top + height > scrollTop + clientHeight) {
                    this.element.scrollTop = top + height - clientHeight;
                }
                this.show();
                mark(index, true);
                this.element.setAttribute("aria-activedescendant", `row-${index}`);
            }
        }

        redraw(index) {
            const row = this.rows.get(index);
            if (row) {
                row.innerHTML = this.draw(index);
            }
        }
    };
})(globalThis.TumbleReport);

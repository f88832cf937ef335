// What people say: statuses and comments. Kept by the browser until they are saved as clashes.json, which the next run
// reads (--before).
(function (report) {
    "use strict";

    const usual = ["active", "reviewed", "approved", "ignored"];

    report.Reviews = class {
        constructor() {
            this.edits = new Map(); // clash: {review, comment}
            this.unsaved = false;
            this.key = `tumble-report-${report.data.fingerprint}`;
            this.words = [...report.changes];
            const add = (word) => {
                if (word && !this.words.includes(word)) {
                    this.words.push(word);
                }
            };
            usual.forEach(add);
            Object.values(report.clashes.review).forEach(add);
            this.changeCount = report.changes.length;
            this.numbers = new Uint16Array(report.clashes.count);
            this.remembered();
            for (let i = 0; i < report.clashes.count; i++) {
                this.numbers[i] = this.words.indexOf(this.status(i));
            }
        }

        review(i) {
            const edit = this.edits.get(i);
            return edit ? edit.review : report.clashes.review[i] || "";
        }

        comment(i) {
            const edit = this.edits.get(i);
            return edit ? edit.comment : report.clashes.comment[i] || "";
        }

        // A person's word stands while the clash is what it was; one that got worse or went away says so again.
        status(i) {
            const change = report.changes[report.clashes.change[i]];
            const stands = this.edits.has(i) || change === "new" || change === "persistent";
            return stands && this.review(i) || change;
        }

        set(i, { review = this.review(i), comment = this.comment(i) }) {
            if (review && !this.words.includes(review)) {
                this.words.push(review);
            }
            this.edits.set(i, { review, comment });
            this.numbers[i] = this.words.indexOf(this.status(i));
            this.unsaved = true;
            this.remember();
        }

        remember() {
            clearTimeout(this.timer);
            this.timer = setTimeout(() => this.rememberNow(), 300);
        }

        rememberNow() {
            clearTimeout(this.timer);
            const edits = {};
            for (const [i, edit] of this.edits) {
                edits[report.idOf(i)] = edit;
            }
            try {
                localStorage.setItem(this.key, JSON.stringify(edits));
            } catch (error) {
                // A browser without storage, or with a full one: saving still works.
            }
        }

        remembered() {
            try {
                const edits = JSON.parse(localStorage.getItem(this.key) || "{}");
                for (const [id, { review, comment }] of Object.entries(edits)) {
                    const i = report.clashOf(id);
                    if (i >= 0) {
                        this.edits.set(i, { review, comment });
                        if (review && !this.words.includes(review)) {
                            this.words.push(review);
                        }
                    }
                }
            } catch (error) {
                this.edits.clear();
            }
        }

        // Statuses and comments of another clashes.json, for the clashes that are here, too. Returns how many it had.
        take(text) {
            const found = JSON.parse(text);
            if (!Array.isArray(found.clashes)) {
                throw new Error("no list of clashes");
            }
            let count = 0;
            for (const { id, review, comment, status } of found.clashes) {
                const i = report.clashOf(id);
                const word = review || (report.changes.includes(status) ? "" : status) || "";
                if (i >= 0 && (word !== this.review(i) || (comment || "") !== this.comment(i))) {
                    this.set(i, { review: word, comment: comment || "" });
                    count++;
                }
            }
            return count;
        }

        // clashes.json with what was said. It is kept compressed, and read when it is wanted.
        async text() {
            const packed = await new Promise((resolve, reject) => {
                report.saved = resolve;
                const script = document.createElement("script");
                script.src = "data/saved.js";
                script.onerror = () => reject(new Error("data/saved.js is missing"));
                document.head.append(script);
                script.onload = () => script.remove();
            });
            const stream = new Blob([report.bytes(packed)]).stream().pipeThrough(new DecompressionStream("deflate"));
            const all = JSON.parse(await new Response(stream).text());
            for (const clash of all.clashes) {
                const i = report.clashOf(clash.id);
                if (i >= 0 && this.edits.has(i)) {
                    Object.assign(clash, { review: this.review(i), comment: this.comment(i), status: this.status(i) });
                }
            }
            // One clash a line: differences can be read.
            const { clashes, ...rest } = all;
            return `${JSON.stringify(rest).slice(0, -1)},\n"clashes":[\n${clashes.map((c) => JSON.stringify(c)).join(",\n")}\n]}\n`;
        }
    };
})(globalThis.TumbleReport);

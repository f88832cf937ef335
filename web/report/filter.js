// Which clashes are listed, and in which order.
(function (report) {
    "use strict";

    const severe = (a, b) => report.clashes.severity[b] - report.clashes.severity[a] || a - b;
    const upper = (i) => report.clashes.depth[2 * i + 1];
    const orders = {
        severity: severe,
        depth: (a, b) => upper(b) - upper(a) || a - b,
        distance: (a, b) => report.clashes.distance[a] - report.clashes.distance[b] || a - b,
        contacts: (a, b) => report.clashes.contacts[b] - report.clashes.contacts[a] || a - b
    };

    report.Filter = class {
        constructor(reviews) {
            this.reviews = reviews;
            this.text = "";
            this.kinds = new Set();
            this.severities = new Set();
            this.status = "";
            this.rule = -1;
            this.group = -1;
            this.part = -1;
            this.sort = "order";
            const { name, path, file, guid, class: classes, material } = report.parts;
            this.words = Array.from({ length: report.parts.count }, (unused, i) =>
                `${name[i]}\n${path[i]}\n${file[i]}\n${guid[i]}\n${classes[i]}\n${material[i]}`.toLowerCase());
        }

        // One byte a part, or null when every part has the text.
        matches(text) {
            const found = new Uint8Array(this.words.length);
            this.words.forEach((words, part) => { found[part] = words.includes(text) ? 1 : 0; });
            return found;
        }

        said(i, text) {
            const { key_a: a, key_b: b, reason } = report.clashes;
            return [this.reviews.comment(i), a[i], b[i], reason[i]].some((words) => words && words.toLowerCase().includes(text));
        }

        // Every word that was typed has to be in one of the parts, the comment or the id.
        texts() {
            const words = this.text.toLowerCase().split(/\s+/).filter(Boolean);
            const parts = words.map((word) => this.matches(word));
            const hex = words.map((word) => /^[0-9a-f]{4,32}$/.test(word));
            const { a, b } = report.clashes, none = report.none;
            const said = new Set([...this.reviews.edits.keys(), ...["comment", "key_a", "key_b", "reason"].flatMap((name) =>
                Object.keys(report.clashes[name]).map(Number))]);
            return (i) => words.every((word, k) => a[i] !== none && parts[k][a[i]] || b[i] !== none && parts[k][b[i]] ||
                said.has(i) && this.said(i, word) || hex[k] && report.idOf(i).startsWith(word));
        }

        // Sets `rows` and how many each choice would leave: `kindCounts`, `severityCounts`, `statusCounts`.
        apply() {
            const { clashes } = report, rows = [];
            this.kindCounts = new Uint32Array(report.kinds.length);
            this.severityCounts = new Uint32Array(report.severities.length);
            this.statusCounts = new Uint32Array(this.reviews.words.length);
            this.groupCounts = new Uint32Array(report.groups.length);
            this.partCounts = new Uint32Array(report.parts.count);
            const status = this.reviews.words.indexOf(this.status), text = this.text.trim() ? this.texts() : null;
            for (let i = 0; i < clashes.count; i++) {
                if (this.rule >= 0 && clashes.rule[i] !== this.rule || text && !text(i)) {
                    continue;
                }
                const a = clashes.a[i], b = clashes.b[i];
                const kind = !this.kinds.size || this.kinds.has(clashes.kind[i]);
                const severity = !this.severities.size || this.severities.has(clashes.severity[i]);
                const state = !this.status || this.reviews.numbers[i] === status;
                const group = this.group < 0 || clashes.group[i] === this.group;
                const part = this.part < 0 || a === this.part || b === this.part;
                if (!group || !part) {
                    if (kind && severity && state && part && clashes.group[i] !== report.none) {
                        this.groupCounts[clashes.group[i]]++;
                    }
                    if (kind && severity && state && group) {
                        this.countParts(a, b);
                    }
                    continue;
                }
                this.kindCounts[clashes.kind[i]] += severity && state ? 1 : 0;
                this.severityCounts[clashes.severity[i]] += kind && state ? 1 : 0;
                this.statusCounts[this.reviews.numbers[i]] += kind && severity ? 1 : 0;
                if (kind && severity && state) {
                    rows.push(i);
                    this.countParts(a, b);
                    if (clashes.group[i] !== report.none) {
                        this.groupCounts[clashes.group[i]]++;
                    }
                }
            }
            if (orders[this.sort]) {
                rows.sort(orders[this.sort]);
            }
            this.rows = Uint32Array.from(rows);
            this.groupRows = Array.from(report.groups.keys()).filter((group) => this.groupCounts[group] > 0);
            this.partRows = Array.from(this.partCounts.keys()).filter((part) => this.partCounts[part] > 0)
                .sort((a, b) => this.partCounts[b] - this.partCounts[a] || a - b);
        }

        countParts(a, b) {
            if (a !== report.none) {
                this.partCounts[a]++;
            }
            if (b !== report.none) {
                this.partCounts[b]++;
            }
        }

        isAll() {
            return !this.text && !this.kinds.size && !this.severities.size && !this.status && this.rule < 0 &&
                this.group < 0 && this.part < 0;
        }
    };
})(globalThis.TumbleReport);

// The report's data: what the files in data/ hand over, as columns. README.md describes them.
globalThis.TumbleReport = globalThis.TumbleReport || {};
(function (report) {
    "use strict";

    report.none = 0xffffffff;

    report.bytes = function (text) {
        if (Uint8Array.fromBase64) {
            return Uint8Array.fromBase64(text);
        }
        const raw = atob(text), bytes = new Uint8Array(raw.length);
        for (let i = 0; i < bytes.length; i++) {
            bytes[i] = raw.charCodeAt(i);
        }
        return bytes;
    };

    const arrays = { d: Float64Array, f: Float32Array, u: Uint32Array, b: Uint8Array };

    // "d3:AAAA…": three doubles a row.
    function column(text) {
        const colon = text.indexOf(":"), width = Number(text.slice(1, colon));
        const values = new arrays[text[0]](report.bytes(text.slice(colon + 1)).buffer);
        values.width = width;
        return values;
    }

    function decode(table) {
        for (const [name, value] of Object.entries(table)) {
            if (typeof value === "string") {
                table[name] = column(value);
            }
        }
        return table;
    }

    report.tables = function (data) {
        report.data = data;
        report.parts = decode(data.parts);
        report.clashes = decode(data.clashes);
        report.groups = data.groups;
        report.rules = data.rules;
        report.kinds = data.kinds;
        report.severities = data.severities;
        report.changes = data.changes;
    };

    report.row = function (values, i) {
        return values.subarray(i * values.width, (i + 1) * values.width);
    };

    report.idOf = function (i) {
        return Array.from(report.row(report.clashes.id, i), (byte) => byte.toString(16).padStart(2, "0")).join("");
    };

    // -1: there is none.
    report.clashOf = function (id) {
        if (!report.numbers) {
            report.numbers = new Map();
            for (let i = 0; i < report.clashes.count; i++) {
                report.numbers.set(report.idOf(i), i);
            }
        }
        const found = report.numbers.get(id);
        return found === undefined ? -1 : found;
    };

    // The numbers of a clash's parts that still exist.
    report.partsOf = function (i) {
        return [report.clashes.a[i], report.clashes.b[i]].filter((part) => part !== report.none);
    };

    report.nameOf = function (part) {
        const { name, path, key } = report.parts;
        return name[part] || path[part].split("/").pop() || key[part];
    };

    // Of side "a" or "b", also when that part is gone.
    report.sideName = function (i, side) {
        const part = report.clashes[side][i];
        return part === report.none ? report.clashes[`key_${side}`][i] || "(gone)" : report.nameOf(part);
    };

    report.depthOf = function (i) {
        const lower = report.clashes.depth[2 * i];
        return lower < 0 ? null : [lower, report.clashes.depth[2 * i + 1]];
    };

    // The box of all that meets.
    report.boxOf = function (i) {
        const point = report.row(report.clashes.point, i), box = report.row(report.clashes.box, i);
        return {
            lower: [0, 1, 2].map((axis) => point[axis] + box[axis]),
            upper: [0, 1, 2].map((axis) => point[axis] + box[3 + axis])
        };
    };

    // ---- Words ----

    report.marks = { critical: "■", major: "▲", minor: "◆", info: "●" };

    function digits(value) {
        return value === 0 ? "0" : Number(value.toPrecision(4)).toString();
    }

    // "12.3 mm"; without a known unit a bare number.
    report.length = function (value) {
        const metres = report.data.unit_metres;
        if (!metres) {
            return digits(value);
        }
        const size = Math.abs(value * metres);
        return size === 0 ? "0 mm" : size < 1e-3 ? `${digits(value * metres * 1e6)} µm` :
            size < 1 ? `${digits(value * metres * 1e3)} mm` : `${digits(value * metres)} m`;
    };

    report.range = function ([lower, upper]) {
        return lower === upper ? report.length(upper) : `${report.length(lower)} to ${report.length(upper)}`;
    };

    // What a list says of a clash: how deep, how far, or nothing.
    report.sizeOf = function (i) {
        const kind = report.kinds[report.clashes.kind[i]], depth = report.depthOf(i);
        if (kind === "clearance") {
            return `gap ${report.length(report.clashes.distance[i])}`;
        }
        return depth && depth[1] > 0 ? `depth ${report.length(depth[1])}` : "";
    };

    report.escape = function (text) {
        return String(text).replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
    };

    report.count = (number) => number.toLocaleString("en").replace(/,/g, "\u202f");
})(globalThis.TumbleReport);

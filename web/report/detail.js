// The panel on the right: one clash, or the whole run.
(function (report) {
    "use strict";

    const { escape } = report;
    const line = (name, value) => value === "" || value === null || value === undefined ? "" :
        `<tr><th scope="row">${name}</th><td>${value}</td></tr>`;
    const point = (values) => Array.from(values, (value) => Number(value.toPrecision(9))).join(", ");

    function part(i, side) {
        const number = report.clashes[side][i];
        if (number === report.none) {
            return `<div class="part ${side}"><b>${side.toUpperCase()}: ${escape(report.sideName(i, side))}</b>
                <small>not in this run</small></div>`;
        }
        const { path, file, guid, class: classes, material } = report.parts;
        const inside = report.clashes.inside[i] === (side === "a" ? 1 : 2) ? `, inside ${side === "a" ? "B" : "A"}` : "";
        const rest = [classes[number], material[number], guid[number], file[number]].filter(Boolean).map(escape).join(" · ");
        return `<div class="part ${side}"><b>${side.toUpperCase()}: ${escape(report.nameOf(number))}</b>${inside}
            <small>${escape(path[number])}</small><small>${rest}</small>
            <span class="links"><button data-do="part" data-part="${number}">its clashes</button>
            <button data-do="look" data-part="${number}">look at it</button></span></div>`;
    }

    report.statusOptions = function (reviews, chosen) {
        const words = ["", ...reviews.words.slice(reviews.changeCount)];
        return words.map((word) => `<option value="${escape(word)}"${word === chosen ? " selected" : ""}>` +
            `${word ? escape(word) : "(no status)"}</option>`).join("");
    };

    report.showDetail = function (element, i, reviews) {
        const c = report.clashes, kind = report.kinds[c.kind[i]], severity = report.severities[c.severity[i]];
        const change = report.changes[c.change[i]], depth = report.depthOf(i);
        const rule = c.rule[i] === report.none ? "" : escape(report.rules[c.rule[i]].name);
        const group = c.group[i] === report.none ? "" :
            `<button class="small" data-do="group" data-group="${c.group[i]}">${escape(report.groups[c.group[i]].name)}</button>`;
        element.innerHTML = `
            <div class="steps"><button data-do="previous" title="k or ↑">◀</button><button data-do="next" title="j or ↓">▶</button>
            <button data-do="fly" title="Enter">Fly there</button><button data-do="link" title="l">Copy link</button>
            <button data-do="close" title="Escape">Close</button></div>
            <h2><span class="${severity}">${report.marks[severity]}</span> ${kind}, ${severity}</h2>
            <p>${escape(report.data.kind_texts[c.kind[i]])}</p>
            ${part(i, "a")}${part(i, "b")}
            <table>
            ${line("depth", depth ? report.range(depth) : "")}
            ${line("distance", c.distance[i] > 0 ? report.length(c.distance[i]) : "")}
            ${line("contacts", c.contacts[i] ? `${report.count(c.contacts[i])} pairs of triangles` : "")}
            ${line("point", point(report.row(c.point, i)))}
            ${line("rule", rule)}${line("group", group)}
            ${line("since the last run", `${change}: ${escape(report.data.change_texts[c.change[i]])}`)}
            ${line("reason", escape(c.reason[i] || ""))}
            ${line("id", report.idOf(i))}
            </table>
            <h3><label for="status">Status</label></h3>
            <select id="status">${report.statusOptions(reviews, reviews.review(i))}<option value="+">other…</option></select>
            <h3><label for="comment">Comment</label></h3>
            <textarea id="comment"></textarea>`;
        element.querySelector("#comment").value = reviews.comment(i);
    };

    function counts(filter) {
        const table = report.kinds.map(() => new Uint32Array(report.severities.length));
        for (const i of filter.rows) {
            table[report.clashes.kind[i]][report.clashes.severity[i]]++;
        }
        const order = [...report.severities.keys()].reverse();
        const head = order.map((s) => `<th scope="col" class="number ${report.severities[s]}" ` +
            `title="${report.severities[s]}" aria-label="${report.severities[s]}">${report.marks[report.severities[s]]}</th>`).join("");
        const rows = report.kinds.map((kind, k) => table[k].some(Boolean) ? `<tr><th scope="row">${kind}</th>` +
            `${order.map((s) => `<td class="number">${table[k][s] ? report.count(table[k][s]) : ""}</td>`).join("")}</tr>` : "");
        return `<table><tr><th></th>${head}</tr>${rows.join("")}</table>`;
    }

    function rules() {
        return report.rules.map((rule) => `<p><b>${escape(rule.name)}</b> (${rule.severity}): ` +
            `${report.count(rule.clashes)} of ${report.count(rule.pairs)} pairs` +
            `${rule.clearance > 0 ? `, clearance ${report.length(rule.clearance)}` : ""}` +
            `${rule.touch > 0 ? `, touching up to ${report.length(rule.touch)}` : ""}</p>`).join("");
    }

    report.showOverview = function (element, filter, reviews) {
        const { data } = report, broken = Object.entries(report.parts.broken);
        const largest = report.groups.map((group, number) => [group, number]).slice(0, 8);
        element.innerHTML = `
            <h2>${filter.rows.length ? `${report.count(filter.rows.length)} clashes${filter.isAll() ? "" : " listed"}` : "No clashes"}</h2>
            ${counts(filter)}
            <p>${report.count(data.all_parts)} parts of ${report.count(data.models)} models,
            ${report.count(data.pairs)} pairs near enough to compare.</p>
            ${filter.rows.length ? `<h3>Set the status of all that is listed</h3>
            <select id="bulk" aria-label="Status for all that is listed">${report.statusOptions(reviews, "")}</select>
            <button data-do="bulk">Set ${report.count(filter.rows.length)}</button>` : ""}
            ${largest.length ? `<h3>Largest groups</h3>${largest.map(([group, number]) =>
                `<p><button class="small" data-do="group" data-group="${number}">${escape(group.name)}</button> ` +
                `${report.count(group.clashes)}</p>`).join("")}` : ""}
            <h3>Rules</h3>${rules()}
            ${broken.length ? `<h3>Parts that could not be compared</h3><table>${broken.slice(0, 200).map(([number, why]) =>
                line(escape(report.nameOf(number)), escape(why))).join("")}</table>` : ""}`;
    };
})(globalThis.TumbleReport);

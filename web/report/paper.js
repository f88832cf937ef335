// What is printed: the counts, the view, and a table of what is listed.
(function (report) {
    "use strict";

    const most = 1000;

    report.fillPaper = function (element, { filter, reviews, image, facts }) {
        const { escape } = report, rows = Array.from(filter.rows.slice(0, most));
        const shown = rows.map((i, k) => `<tr><td>${k + 1}</td><td>${report.kinds[report.clashes.kind[i]]}<br>` +
            `${report.severities[report.clashes.severity[i]]}</td>` +
            `<td>A: ${escape(report.sideName(i, "a"))}<br>B: ${escape(report.sideName(i, "b"))}</td>` +
            `<td>${report.sizeOf(i)}</td><td>${escape(reviews.status(i))}</td><td>${escape(reviews.comment(i))}</td>` +
            `<td>${report.idOf(i).slice(0, 8)}</td></tr>`).join("");
        element.innerHTML = `<h1>${escape(report.data.title)}</h1><p>${facts}</p>
            ${report.data.complete ? "" : "<p><b>Incomplete: the run was stopped before all pairs were compared.</b></p>"}
            ${image ? `<img src="${image}" alt="The view">` : ""}
            <table><thead><tr><th>#</th><th>Kind</th><th>Parts</th><th>Size</th><th>Status</th><th>Comment</th><th>Id</th></tr></thead>
            <tbody>${shown}</tbody></table>
            ${filter.rows.length > most ? `<p>The first ${report.count(most)} of ${report.count(filter.rows.length)}.</p>` : ""}`;
    };
})(globalThis.TumbleReport);

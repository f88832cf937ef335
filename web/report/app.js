// The page: lists, filters, keys, and what they do.
(function (report) {
    "use strict";

    const $ = (id) => document.getElementById(id);
    const keys = [["j ↓, k ↑", "next, previous"], ["Enter", "fly there"], ["f", "the whole assembly"], ["h", "heat map"],
        ["g", "other parts: faint, hidden, solid"], ["s", "section"], ["x", "another plane"], ["[ ]", "move the section"],
        ["m", "depth or gap"], ["1 to 9, 0", "set a status, remove it"], ["c", "comment"], ["l", "copy a link"],
        ["/", "search"], ["d", "light or dark"], ["Ctrl+S", "save"], ["Escape", "close"], ["?", "these keys"]];
    let filter, reviews, scene = null, list, tab = "clashes", chosen = -1, timer = 0;

    // ---- Rows ----

    function clashRow(i) {
        const { escape } = report, severity = report.severities[report.clashes.severity[i]], status = reviews.status(i);
        return `<div class="first"><span class="mark ${severity}" title="${severity}">${report.marks[severity]}</span>
            <span class="name">${escape(report.sideName(i, "a"))}</span>×<span class="name">${escape(report.sideName(i, "b"))}</span></div>
            <div class="second"><span>${report.kinds[report.clashes.kind[i]]}</span>
            <span class="status${report.changes.includes(status) ? "" : " set"}">${escape(status)}</span>
            ${reviews.comment(i) ? '<span title="has a comment">✎</span>' : ""}<span class="value">${report.sizeOf(i)}</span></div>`;
    }

    function countRow(name, second, count, most) {
        return `<div class="first"><span class="name">${report.escape(name)}</span></div>
            <div class="second"><span class="name">${report.escape(second)}</span><span class="value">${report.count(count)}</span></div>
            <div class="bar" style="width:${100 * count / most}%"></div>`;
    }

    function draw(index) {
        if (tab === "clashes") {
            return clashRow(filter.rows[index]);
        }
        if (tab === "groups") {
            const group = filter.groupRows[index], { name, severity } = report.groups[group];
            return countRow(name, severity, filter.groupCounts[group], filter.mostInGroup);
        }
        const part = filter.partRows[index];
        return countRow(report.nameOf(part), report.parts.path[part], filter.partCounts[part], filter.partCounts[filter.partRows[0]]);
    }

    const rowsOf = () => ({ clashes: filter.rows, groups: filter.groupRows, parts: filter.partRows })[tab];

    function chooseRow(index) {
        const number = rowsOf()[index];
        if (tab === "clashes") {
            choose(number);
        } else if (tab === "groups") {
            filter.group = filter.group === number ? -1 : number;
            showTab("clashes");
            refresh();
        } else {
            pick(number);
            list.choose(index);
            if (scene) {
                chosen = -1;
                scene.showPart(number);
                overview();
            }
        }
    }

    // ---- Filters ----

    function chips(element, words, counts, set, marks) {
        element.innerHTML = words.map((word, k) => counts[k] || set.has(k) ? `<button data-value="${k}" aria-pressed="${set.has(k)}">` +
            `${marks ? `<span class="${word}">${marks[word]}</span> ` : ""}${word} ${report.count(counts[k])}</button>` : "").join("");
    }

    function chosenChips() {
        const all = [];
        if (filter.group >= 0) {
            all.push(["group", `group: ${report.groups[filter.group].name}`]);
        }
        if (filter.part >= 0) {
            all.push(["part", `part: ${report.nameOf(filter.part)}`]);
        }
        if (!filter.isAll()) {
            all.push(["all", "show all"]);
        }
        $("chosen").innerHTML = all.map(([what, text]) => `<button data-clear="${what}" title="Remove">` +
            `${report.escape(text)} ✕</button>`).join("");
    }

    function statusFilter() {
        $("status-filter").innerHTML = `<option value="">any status</option>${reviews.words.map((word, k) => filter.statusCounts[k] ||
            word === filter.status ? `<option value="${report.escape(word)}"${word === filter.status ? " selected" : ""}>` +
            `${report.escape(word)} ${report.count(filter.statusCounts[k])}</option>` : "").join("")}`;
    }

    function refresh() {
        filter.apply();
        filter.mostInGroup = filter.groupRows.reduce((most, group) => Math.max(most, filter.groupCounts[group]), 1);
        chips($("kinds"), report.kinds, filter.kindCounts, filter.kinds);
        chips($("severities"), report.severities, filter.severityCounts, filter.severities, report.marks);
        chosenChips();
        statusFilter();
        const sizes = { clashes: filter.rows.length, groups: filter.groupRows.length, parts: filter.partRows.length };
        for (const button of document.querySelectorAll("#tabs button")) {
            button.querySelector("b").textContent = report.count(sizes[button.dataset.tab]);
            button.setAttribute("aria-selected", button.dataset.tab === tab);
        }
        list.reset(rowsOf().length, tab === "clashes" ? filter.rows.indexOf(chosen) : -1);
        if (chosen < 0) {
            overview();
        }
        if (scene && scene.heat) {
            heat(true);
        }
    }

    function showTab(name) {
        tab = name;
        $("list").scrollTop = 0;
        refresh();
    }

    // ---- The chosen clash ----

    function overview() {
        report.showOverview($("right"), filter, reviews);
    }

    function link(i) {
        const url = new URL(location.href);
        url.hash = i < 0 ? "" : `clash=${report.idOf(i)}`;
        return url.href;
    }

    function choose(i) {
        chosen = i;
        $("picked").hidden = true;
        if (i < 0) {
            list.choose(-1);
            history.replaceState(null, "", link(-1));
            overview();
            if (scene) {
                scene.showAll();
            }
            return;
        }
        history.replaceState(null, "", link(i));
        if (tab === "clashes") {
            list.choose(filter.rows.indexOf(i));
        }
        report.showDetail($("right"), i, reviews);
        if (scene) {
            scene.showClash(i);
        }
    }

    function fromLink() {
        const found = /clash=([0-9a-f]{32})/.exec(location.hash);
        const i = found ? report.clashOf(found[1]) : -1;
        if (i >= 0 && i !== chosen) {
            if (filter.rows.indexOf(i) < 0) {
                clear("all");
            }
            choose(i);
        } else if (found && i < 0) {
            tell("The clash of this link is not in this report.");
        }
    }

    function step(by) {
        if (tab !== "clashes") {
            showTab("clashes");
        }
        const at = filter.rows.indexOf(chosen);
        const next = at < 0 ? (by > 0 ? 0 : filter.rows.length - 1) : at + by;
        if (next >= 0 && next < filter.rows.length) {
            choose(filter.rows[next]);
        }
    }

    function changed() {
        $("unsaved").textContent = reviews.unsaved ? "not saved yet" : "";
        const index = filter.rows.indexOf(chosen);
        if (tab === "clashes" && index >= 0) {
            list.redraw(index);
        }
    }

    function setStatus(word) {
        if (chosen >= 0) {
            reviews.set(chosen, { review: word });
            report.showDetail($("right"), chosen, reviews);
            changed();
        }
    }

    function askStatus(word) {
        return word === "+" ? (prompt("Status:") || "").trim() : word;
    }

    function setAll(word) {
        const rows = Array.from(filter.rows);
        if (confirm(`Set the status of ${report.count(rows.length)} clashes to "${word || "no status"}"?`)) {
            rows.forEach((i) => reviews.set(i, { review: word }));
            changed();
            refresh();
        }
    }

    function pick(part) {
        $("picked").hidden = part < 0;
        if (part >= 0) {
            $("picked").innerHTML = `<b>${report.escape(report.nameOf(part))}</b> ${report.escape(report.parts.path[part])}<br>` +
                `${report.count(filter.partCounts[part])} clashes <button class="small" data-do="part" data-part="${part}">list them</button>`;
        }
    }

    async function copyLink() {
        const text = link(chosen);
        try {
            await navigator.clipboard.writeText(text);
            tell("The link is on the clipboard.");
        } catch (error) {
            prompt("The link:", text);
        }
    }

    function tell(text) {
        $("loading").textContent = text;
        clearTimeout(timer);
        timer = setTimeout(() => { $("loading").textContent = ""; }, 4000);
    }

    // ---- Files ----

    async function save() {
        try {
            reviews.rememberNow();
            const blob = new Blob([await reviews.text()], { type: "application/json" });
            const anchor = document.createElement("a");
            anchor.href = URL.createObjectURL(blob);
            anchor.download = "clashes.json";
            anchor.click();
            setTimeout(() => URL.revokeObjectURL(anchor.href), 60000);
            reviews.unsaved = false;
            changed();
        } catch (error) {
            tell(`Not saved: ${error.message}`);
        }
    }

    async function open(file) {
        try {
            const count = reviews.take(await file.text());
            tell(`Statuses and comments taken: ${report.count(count)}`);
            refresh();
            if (chosen >= 0) {
                report.showDetail($("right"), chosen, reviews);
            }
        } catch (error) {
            tell(`${file.name}: not a saved clashes.json (${error.message})`);
        }
    }

    // ---- The view's buttons ----

    function press(id, on) {
        $(id).setAttribute("aria-pressed", on);
    }

    function heat(on) {
        press("heat", on);
        scene.heat = on ? { counts: filter.partCounts, most: filter.partCounts[filter.partRows[0]] || 1 } : null;
        const hex = (share) => `#${scene.heatColour(share).toString(16).padStart(6, "0")}`;
        $("legend").innerHTML = on ? `<span class="scale">1<span class="ramp" style="background:linear-gradient(90deg,${hex(0)},` +
            `${hex(1)})"></span>${report.count(scene.heat.most)} clashes of a part</span>` : "";
        if (scene.clash < 0 && scene.part < 0) {
            scene.paintAll();
        }
    }

    const tools = {
        fit: () => { choose(-1); },
        heat: () => {
            if (chosen >= 0 || scene.part >= 0) {
                choose(-1);
            }
            heat(!scene.heat);
        },
        rest: () => {
            const words = Object.keys(report.rests);
            scene.rest = words[(words.indexOf(scene.rest) + 1) % words.length];
            $("rest").textContent = `Others: ${report.rests[scene.rest]}`;
            scene.paintAll();
        },
        cut: () => {
            scene.plane = scene.plane ? null : $("plane").textContent;
            press("cut", Boolean(scene.plane));
            scene.drawSection();
        },
        plane: () => {
            const next = report.planes[(report.planes.indexOf($("plane").textContent) + 1) % report.planes.length];
            $("plane").textContent = next;
            scene.plane = next;
            press("cut", true);
            scene.drawSection();
        },
        offset: () => {
            scene.offset = Number($("offset").value);
            scene.drawSection();
        },
        measure: () => {
            scene.measured = !scene.measured;
            press("measure", scene.measured);
            if (scene.clash >= 0) {
                scene.drawMeasure(scene.clash);
            }
        }
    };

    function move(by) {
        $("offset").value = Number($("offset").value) + by;
        tools.offset();
    }

    function setTheme(dark) {
        document.documentElement.dataset.theme = dark ? "dark" : "light";
        document.documentElement.style.colorScheme = dark ? "dark" : "light";
        if (scene) {
            scene.theme(dark);
            if (scene.heat) {
                heat(true);
            }
        }
    }

    const isDark = () => document.documentElement.dataset.theme === "dark";

    // ---- Events ----

    function onKey(event) {
        const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) && event.target.type !== "range";
        if ((event.ctrlKey || event.metaKey) && event.key === "s") {
            event.preventDefault();
            save();
        } else if (event.key === "Escape") {
            if (typing) {
                event.target.blur();
            } else if (!$("help").open) {
                choose(-1);
            }
        } else if (!typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
            const known = keyOf(event.key);
            if (known && !(event.key === "Enter" && event.target.tagName === "BUTTON")) {
                event.preventDefault();
                known();
            }
        }
    }

    function keyOf(key) {
        const word = /^[0-9]$/.test(key) ? (key === "0" ? "" : reviews.words[reviews.changeCount + Number(key) - 1]) : undefined;
        if (word !== undefined) {
            return () => setStatus(word);
        }
        const views = { f: tools.fit, h: tools.heat, g: tools.rest, s: tools.cut, x: tools.plane, m: tools.measure,
            "[": () => move(-5), "]": () => move(5), Enter: () => { if (scene.clash >= 0) scene.fly(); } };
        return { j: () => step(1), ArrowDown: () => step(1), k: () => step(-1), ArrowUp: () => step(-1),
            c: () => $("comment")?.focus(), l: copyLink, "/": () => $("search").focus(), d: () => setTheme(!isDark()),
            "?": () => $("help").showModal() }[key] || (scene ? views[key] : undefined);
    }

    function clear(what) {
        if (what === "group" || what === "all") {
            filter.group = -1;
        }
        if (what === "part" || what === "all") {
            filter.part = -1;
        }
        if (what === "all") {
            Object.assign(filter, { text: "", status: "", rule: -1 });
            filter.kinds.clear();
            filter.severities.clear();
            $("search").value = $("rule-filter").value = "";
        }
        refresh();
    }

    function toggle(set, event) {
        const button = event.target.closest("button");
        if (button) {
            const value = Number(button.dataset.value);
            set[set.has(value) ? "delete" : "add"](value);
            refresh();
        }
    }

    const actions = {
        previous: () => step(-1), next: () => step(1), link: copyLink, close: () => choose(-1),
        fly: () => { if (scene) scene.fly(); },
        part: ({ part }) => { filter.part = Number(part); showTab("clashes"); },
        group: ({ group }) => { filter.group = Number(group); showTab("clashes"); },
        look: ({ part }) => { if (scene) { choose(-1); scene.showPart(Number(part)); pick(Number(part)); } },
        bulk: () => setAll(askStatus($("bulk").value))
    };

    function act(event) {
        const button = event.target.closest("[data-do]");
        if (button) {
            actions[button.dataset.do](button.dataset);
        }
    }

    function listen() {
        $("search").addEventListener("input", () => {
            clearTimeout(listen.timer);
            listen.timer = setTimeout(() => { filter.text = $("search").value; refresh(); }, 120);
        });
        $("sort").addEventListener("change", () => { filter.sort = $("sort").value; refresh(); });
        $("kinds").addEventListener("click", (event) => toggle(filter.kinds, event));
        $("severities").addEventListener("click", (event) => toggle(filter.severities, event));
        $("status-filter").addEventListener("change", () => { filter.status = $("status-filter").value; refresh(); });
        $("rule-filter").addEventListener("change", () => {
            filter.rule = $("rule-filter").value === "" ? -1 : Number($("rule-filter").value);
            refresh();
        });
        $("chosen").addEventListener("click", (event) => {
            const button = event.target.closest("button");
            if (button) {
                clear(button.dataset.clear);
            }
        });
        $("tabs").addEventListener("click", (event) => {
            const button = event.target.closest("button");
            if (button) {
                showTab(button.dataset.tab);
            }
        });
        $("right").addEventListener("click", act);
        $("picked").addEventListener("click", act);
        $("right").addEventListener("change", (event) => {
            if (event.target.id === "status") {
                setStatus(askStatus(event.target.value));
            }
        });
        $("right").addEventListener("input", (event) => {
            if (event.target.id === "comment" && chosen >= 0) {
                reviews.set(chosen, { comment: event.target.value });
                changed();
            }
        });
        for (const [id, run] of Object.entries(tools)) {
            $(id).addEventListener(id === "offset" ? "input" : "click", () => { if (scene) run(); });
        }
        $("save").addEventListener("click", save);
        $("open").addEventListener("click", () => $("open-file").click());
        $("open-file").addEventListener("change", () => { open($("open-file").files[0]); $("open-file").value = ""; });
        $("print").addEventListener("click", () => print());
        $("theme").addEventListener("click", () => setTheme(!isDark()));
        $("help-button").addEventListener("click", () => $("help").showModal());
        $("help").addEventListener("click", () => $("help").close());
        addEventListener("keydown", onKey);
        addEventListener("hashchange", fromLink);
        addEventListener("pagehide", () => { if (reviews.unsaved) reviews.rememberNow(); });
        addEventListener("beforeprint", () => report.fillPaper($("paper"), { filter, reviews, facts: $("facts").textContent,
            image: scene ? scene.viewer.image() : "" }));
    }

    // ---- Start ----

    function startView() {
        const dark = isDark();
        if (!globalThis.THREE) {
            $("no-view").textContent = "No 3D view: the program was built without three.js.";
        } else {
            scene = new report.Scene($("view"), { dark, onPick: pick });
            if (!scene.viewer) {
                scene = null;
                $("no-view").textContent = "No 3D view: this browser has no WebGL.";
            }
        }
        $("no-view").hidden = Boolean(scene);
        $("tools").hidden = !scene;
        $("tools").style.display = scene ? "" : "none";
    }

    report.run = function () {
        if (!report.data) {
            $("facts").textContent = "data/report.js is missing: keep this page in its folder.";
            return;
        }
        const { data } = report;
        document.title = data.title;
        $("title").textContent = data.title;
        const clashes = data.all_clashes > report.clashes.count ?
            `the first ${report.count(report.clashes.count)} of ${report.count(data.all_clashes)}` : report.count(data.all_clashes);
        $("facts").textContent = `${clashes} clashes, ${report.count(data.all_parts)} parts` +
            `${data.all_parts > report.parts.count ? `, ${report.count(report.parts.count)} of them shown: those that clash` : ""}`;
        $("incomplete").hidden = data.complete;
        $("rule-filter").innerHTML = `<option value="">any rule</option>${report.rules.map((rule, k) =>
            `<option value="${k}">${report.escape(rule.name)}</option>`).join("")}`;
        $("rule-filter").hidden = report.rules.length < 2;
        $("help").innerHTML = `<table>${keys.map(([key, what]) => `<tr><td><kbd>${key}</kbd></td><td>${what}</td></tr>`).join("")}</table>`;
        reviews = report.reviews = new report.Reviews();
        filter = report.filter = new report.Filter(reviews);
        list = report.list = new report.List($("list"), { draw, onChoose: chooseRow });
        setTheme(matchMedia("(prefers-color-scheme: dark)").matches);
        listen();
        refresh();
        changed();
        startView();
        report.scene = scene;
        report.ready = true;
        fromLink();
        if (scene) {
            scene.load((done, all) => { $("loading").textContent = done < all ? `Models: ${done} of ${all} files` : ""; })
                .then(() => { report.loaded = true; })
                .catch((error) => tell(error.message));
        }
    };
})(globalThis.TumbleReport);

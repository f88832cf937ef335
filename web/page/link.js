// The state as a link: what stands behind the #.
(function (page) {
    "use strict";

    const numbers = (list) => Array.from(list, (value) => String(value)).join(",");

    function numbersOf(text, count) {
        const list = (text || "").split(",").map(Number);
        return list.length === count && list.every(Number.isFinite) ? list : null;
    }

    // state: {scene, pose, camera: {target, distance, azimuth, height}, cut: {axis, at}, dark, faint}
    page.writeLink = function (state) {
        const query = new URLSearchParams();
        query.set("scene", state.scene);
        query.set("pose", numbers(state.pose));
        if (state.camera) {
            const { target, distance, azimuth, height } = state.camera;
            query.set("camera", numbers([...target, distance, azimuth, height].map((value) => Number(value.toPrecision(7)))));
        }
        if (state.cut) {
            query.set("cut", `${state.cut.axis},${state.cut.at}`);
        }
        for (const flag of ["dark", "faint"]) {
            if (state[flag]) {
                query.set(flag, "1");
            }
        }
        return query.toString().replace(/%2C/g, ",");
    };

    // What a link does not tell, or tells wrongly, is left out.
    page.readLink = function (text) {
        const query = new URLSearchParams(text.replace(/^#/, "")), state = {};
        if (query.has("scene")) {
            state.scene = query.get("scene");
        }
        const pose = numbersOf(query.get("pose"), 12), camera = numbersOf(query.get("camera"), 6);
        if (pose) {
            state.pose = pose;
        }
        if (camera && camera[3] > 0) {
            state.camera = { target: camera.slice(0, 3), distance: camera[3], azimuth: camera[4], height: camera[5] };
        }
        const cut = /^([xyz]),(-?[0-9.e-]+)$/.exec(query.get("cut") || "");
        if (cut && Math.abs(Number(cut[2])) <= 1) {
            state.cut = { axis: cut[1], at: Number(cut[2]) };
        }
        if (query.has("dark")) {
            state.dark = query.get("dark") === "1";
        }
        if (query.has("faint")) {
            state.faint = query.get("faint") === "1";
        }
        return state;
    };
})(globalThis.TumblePage = globalThis.TumblePage || {});

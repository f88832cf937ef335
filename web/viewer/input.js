// Mouse, wheel and fingers.
(function (viewer) {
    "use strict";

    viewer.listen = function (view, canvas, { onPick, onHover }) {
        const fingers = new Map();
        let moved = 0, last = null;

        const middle = () => {
            const all = [...fingers.values()];
            const x = all.reduce((sum, p) => sum + p.x, 0) / all.length;
            const y = all.reduce((sum, p) => sum + p.y, 0) / all.length;
            return { x, y, spread: all.length > 1 ? Math.hypot(all[0].x - all[1].x, all[0].y - all[1].y) : 0 };
        };
        const place = (event) => {
            const box = canvas.getBoundingClientRect();
            return [event.clientX - box.left, event.clientY - box.top];
        };

        canvas.addEventListener("pointerdown", (event) => {
            canvas.setPointerCapture(event.pointerId);
            fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
            last = middle();
            if (fingers.size === 1) {
                moved = 0;
            }
        });
        canvas.addEventListener("pointermove", (event) => {
            if (!fingers.has(event.pointerId)) {
                if (onHover) {
                    onHover(...place(event), event);
                }
                return;
            }
            fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
            const now = middle(), x = now.x - last.x, y = now.y - last.y;
            moved += Math.abs(x) + Math.abs(y);
            if (fingers.size > 1) {
                view.pan(x, y);
                if (now.spread > 0 && last.spread > 0) {
                    view.zoom(last.spread / now.spread);
                }
            } else if (event.shiftKey || event.buttons & 6) {
                view.pan(x, y);
            } else {
                view.orbit(x, y);
            }
            last = now;
        });
        const end = (event) => {
            const click = fingers.size === 1 && moved < 5 && event.type === "pointerup" && event.button === 0;
            fingers.delete(event.pointerId);
            last = fingers.size ? middle() : null;
            if (click && onPick) {
                onPick(view.pick(...place(event)), event);
            }
        };
        canvas.addEventListener("pointerup", end);
        canvas.addEventListener("pointercancel", end);
        canvas.addEventListener("contextmenu", (event) => event.preventDefault());
        canvas.addEventListener("wheel", (event) => {
            event.preventDefault();
            const unit = event.deltaMode === 1 ? 30 : event.deltaMode === 2 ? 400 : 1;
            view.zoom(Math.exp(Math.max(-400, Math.min(400, event.deltaY * unit)) * 0.0015));
        }, { passive: false });
    };
})(globalThis.TumbleViewer = globalThis.TumbleViewer || {});

// The camera: turns about a target, and flies.
(function (viewer) {
    "use strict";

    const angle = 35 * Math.PI / 180;
    const steepest = Math.PI / 2 - 0.001;

    // Axes whose third is up: "x", "y", "z", or one of them with a minus.
    const frames = {
        x: [[0, 1, 0], [0, 0, 1], [1, 0, 0]], y: [[1, 0, 0], [0, 0, -1], [0, 1, 0]], z: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    };

    function frameOf(up) {
        const [first, second, third] = frames[up.slice(-1)] || frames.z;
        const sign = up[0] === "-" ? -1 : 1;
        return [first, second.map((value) => sign * value), third.map((value) => sign * value)];
    }

    viewer.Camera = class {
        constructor(up) {
            this.frame = frameOf(up);
            this.eye = new THREE.PerspectiveCamera(35, 1, 0.1, 1000);
            this.eye.up.set(...this.frame[2]);
            this.state = { target: [0, 0, 0], distance: 10, azimuth: -0.9, height: 0.5 };
            this.scene = { centre: [0, 0, 0], radius: 1 };
            this.flight = null;
        }

        // From the target to the eye.
        toward(state = this.state) {
            const across = Math.cos(state.height);
            const seen = [across * Math.cos(state.azimuth), across * Math.sin(state.azimuth), Math.sin(state.height)];
            return [0, 1, 2].map((axis) => seen.reduce((sum, value, k) => sum + value * this.frame[k][axis], 0));
        }

        angles(toward) {
            const [x, y, z] = this.frame.map((direction) =>
                direction.reduce((sum, value, axis) => sum + value * toward[axis], 0));
            const length = Math.hypot(x, y, z) || 1;
            return { azimuth: Math.atan2(y, x), height: Math.max(-steepest, Math.min(steepest, Math.asin(z / length))) };
        }

        // The distance from which a ball fills most of the view.
        distanceOf(radius) {
            const narrow = Math.min(1, this.eye.aspect);
            return radius / Math.sin(Math.atan(Math.tan(angle / 2) * narrow)) * 1.02;
        }

        apply() {
            const { target, distance } = this.state;
            const toward = this.toward();
            this.eye.position.set(...target.map((value, axis) => value + distance * toward[axis]));
            this.eye.lookAt(...target);
            // As tight as the scene allows.
            const { centre, radius } = this.scene;
            const along = toward.reduce((sum, value, axis) =>
                sum + value * (this.eye.position.getComponent(axis) - centre[axis]), 0);
            const far = Math.max(along + radius * 1.05, distance * 2);
            this.eye.near = Math.max(along - radius * 1.05, Math.min(distance / 50, far / 1000), far * 1e-5);
            this.eye.far = far;
            this.eye.updateProjectionMatrix();
            this.eye.updateMatrixWorld(true);
        }

        fly(state, seconds) {
            if (seconds <= 0) {
                this.state = state;
                this.flight = null;
                return;
            }
            const from = { ...this.state };
            // The shorter way round.
            const turn = (state.azimuth - from.azimuth) % (2 * Math.PI);
            const azimuth = from.azimuth + turn - (turn > Math.PI ? 2 * Math.PI : turn < -Math.PI ? -2 * Math.PI : 0);
            this.flight = { from, to: { ...state, azimuth }, start: performance.now(), milliseconds: seconds * 1000 };
        }

        // Whether there is more to come.
        step(now) {
            if (!this.flight) {
                return false;
            }
            const { from, to, start, milliseconds } = this.flight;
            const part = Math.max(0, Math.min(1, (now - start) / milliseconds));
            const eased = part * part * (3 - 2 * part);
            const mix = (a, b) => a + (b - a) * eased;
            this.state = {
                target: from.target.map((value, axis) => mix(value, to.target[axis])),
                distance: Math.exp(mix(Math.log(from.distance), Math.log(to.distance))),
                azimuth: mix(from.azimuth, to.azimuth),
                height: mix(from.height, to.height)
            };
            if (part === 1) {
                this.state = to;
                this.flight = null;
            }
            return true;
        }

        orbit(x, y) {
            this.flight = null;
            this.state.azimuth -= x * 0.008;
            this.state.height = Math.max(-steepest, Math.min(steepest, this.state.height + y * 0.008));
        }

        pan(x, y, height) {
            this.flight = null;
            const step = 2 * this.state.distance * Math.tan(angle / 2) / Math.max(1, height);
            const axes = this.eye.matrixWorld.elements;
            this.state.target = this.state.target.map((value, axis) =>
                value - axes[axis] * x * step + axes[4 + axis] * y * step);
        }

        zoom(factor) {
            this.flight = null;
            const { radius } = this.scene;
            this.state.distance = Math.max(radius * 1e-5, Math.min(radius * 50, this.state.distance * factor));
        }
    };
})(globalThis.TumbleViewer = globalThis.TumbleViewer || {});

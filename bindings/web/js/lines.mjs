// Lines of three.js that show what was found.
import { BufferAttribute, BufferGeometry, LineSegments } from "three";

// Segments as an object of the scene: where two models meet, or how they are nearest to each other.
export class ContactLines extends LineSegments {
    constructor(material) {
        super(new BufferGeometry(), material);
        this.frustumCulled = false;
    }

    // contacts() or distance() of the library, or six numbers for each segment.
    show(found) {
        const points = found?.points ?? (found?.pointA ? [...found.pointA, ...found.pointB] : found?.length ? found : []);
        const count = points.length / 3, { geometry } = this;
        let attribute = geometry.getAttribute("position");
        if (!attribute || attribute.count < count) {
            geometry.dispose(); // its buffers are too small
            attribute = new BufferAttribute(new Float32Array(3 * Math.max(64, 2 * count)), 3);
            geometry.setAttribute("position", attribute);
        }
        attribute.array.set(points);
        attribute.needsUpdate = true;
        geometry.setDrawRange(0, count);
        this.visible = count > 0;
        return this;
    }

    dispose() {
        this.geometry.dispose();
    }
}

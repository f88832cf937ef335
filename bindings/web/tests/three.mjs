// Tests of tumble-collision/three with three.js itself.
import { Checker } from "./interface.mjs";

function testMeshes(t, THREE, tumble, { meshOf, modelOf, poseOf }) {
    const geometry = new THREE.BoxGeometry(2, 2, 2), mesh = new THREE.Mesh(geometry);
    const info = (model) => [model.info.triangleCount, model.info.closed, model.info.lower, model.info.upper];
    const unit = [12, true, [-1, -1, -1], [1, 1, 1]];
    t.equal(info(modelOf(tumble, geometry)), unit, "a geometry");
    t.equal(info(modelOf(tumble, geometry.toNonIndexed())), unit, "without an index");
    mesh.position.set(5, 6, 7);
    mesh.rotation.set(0.1, 0.2, 0.3);
    mesh.scale.setScalar(1.5);
    t.equal(info(modelOf(tumble, mesh)), unit, "a mesh is in its own frame");
    t.equal(meshOf(mesh).position === geometry.attributes.position.array, true, "its positions are not copied");
    const centre = tumble.closestPoint(modelOf(tumble, mesh), [5, 6, 7], poseOf(mesh));
    t.equal(Math.abs(centre.distance - 1.5) < 1e-12, true, "its pose");

    const group = new THREE.Group(), left = new THREE.Mesh(geometry), right = new THREE.Mesh(new THREE.BoxGeometry(2, 2, 2));
    group.position.set(100, 0, 0);
    left.position.x = -3;
    right.scale.set(1, 1, -2);
    right.position.x = 3;
    group.add(left, new THREE.Group().add(right));
    const both = modelOf(tumble, group);
    t.equal(info(both), [24, true, [-4, -1, -2], [4, 1, 2]], "a group, with a mirror image");
    t.equal([both.info.surfaceCount, tumble.inside(both, [3, 0, 1.5], null, { rule: "winding" })[0]], [2, "inside"], "its sides");
    const many = new THREE.InstancedMesh(geometry, undefined, 3);
    [0, 1, 2].forEach((i) => many.setMatrixAt(i, new THREE.Matrix4().makeTranslation(10 * i, 0, 0)));
    t.equal(info(modelOf(tumble, many)), [36, true, [-1, -1, -1], [21, 1, 1]], "instances");

    const interleaved = new THREE.BufferGeometry();
    const buffer = new THREE.InterleavedBuffer(Float32Array.of(0, 0, 0, 9, 9, 1, 0, 0, 9, 9, 0, 1, 0, 9, 9), 5);
    interleaved.setAttribute("position", new THREE.InterleavedBufferAttribute(buffer, 3, 0));
    t.equal(meshOf(interleaved).position, [0, 0, 0, 1, 0, 0, 0, 1, 0], "interleaved");
    const small = new THREE.BufferGeometry();
    small.setAttribute("position", new THREE.BufferAttribute(Int16Array.of(0, 0, 0, 32767, 0, 0, 0, -32767, 0), 3, true));
    t.equal(meshOf(small).position, [0, 0, 0, 1, 0, 0, 0, -1, 0], "whole numbers that mean fractions");
    geometry.setDrawRange(6, 12);
    t.equal(modelOf(tumble, geometry).info.triangleCount, 4, "a range");
    geometry.setDrawRange(0, Infinity);
}

function testScale(t, THREE, tumble, { modelOf, poseOf }, TumbleError) {
    const mesh = new THREE.Mesh(new THREE.BoxGeometry(2, 2, 2)), parent = new THREE.Group().add(mesh);
    mesh.name = "door";
    mesh.scale.set(1, 3, 1);
    mesh.rotation.z = Math.PI / 4;
    parent.scale.set(2, 1, 1);
    parent.position.set(0, 0, 10);
    t.refuses(() => poseOf(mesh), TumbleError, "TUMBLE_ERROR_ARGUMENT", "door: it is scaled by");
    const model = modelOf(tumble, mesh, { scaled: true }), pose = poseOf(mesh, { scaled: true });
    // The box's corner (1, 1, 1), in the world.
    const corner = new THREE.Vector3(1, 1, 1).applyMatrix4(mesh.matrixWorld);
    t.equal(tumble.closestPoint(model, corner.toArray(), pose).distance < 1e-12, true, "a scaled mesh");
    t.refuses(() => modelOf(tumble, new THREE.Group()), TumbleError, "TUMBLE_ERROR_ARGUMENT", "no mesh");
    t.refuses(() => modelOf(tumble, {}), TumbleError, "TUMBLE_ERROR_ARGUMENT", "BufferGeometry");
    t.refuses(() => modelOf(tumble, new THREE.BufferGeometry()), TumbleError, "TUMBLE_ERROR_ARGUMENT", "no positions");
}

function testLines(t, THREE, tumble, { ContactLines, modelOf, poseOf }) {
    const a = new THREE.Mesh(new THREE.TorusKnotGeometry(1, 0.3, 100, 16)), b = new THREE.Mesh(new THREE.BoxGeometry(1, 1, 1));
    const [x, y] = [a, b].map((mesh) => modelOf(tumble, mesh)), lines = new ContactLines(new THREE.LineBasicMaterial());
    b.position.x = 1;
    const contacts = tumble.contacts(x, y, poseOf(a), poseOf(b));
    lines.show(contacts);
    const shown = () => lines.geometry.drawRange.count;
    t.equal([contacts.count > 20, shown(), lines.visible], [true, 2 * contacts.count, true], "contacts as lines");
    t.equal([...lines.geometry.attributes.position.array.subarray(0, 6)], [...Float32Array.from(contacts.points.subarray(0, 6))],
        "their ends");
    b.position.x = 8;
    t.equal([lines.show(tumble.contacts(x, y, poseOf(a), poseOf(b))).visible, shown()], [false, 0], "no contacts");
    t.equal([lines.show(tumble.distance(x, y, poseOf(a), poseOf(b))).visible, shown()], [true, 2], "a distance");
    t.equal(lines.show(null).visible, false, "nothing");
    lines.dispose();
}

export async function testThree({ load, TumbleError }, package_, THREE) {
    const t = new Checker(), tumble = await load();
    testMeshes(t, THREE, tumble, package_);
    testScale(t, THREE, tumble, package_, TumbleError);
    testLines(t, THREE, tumble, package_);
    return t;
}

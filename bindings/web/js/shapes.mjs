// Models from geometries and objects of three.js.
import { Matrix4, Vector3 } from "three";
import { refuse } from "./error.mjs";

const isIdentity = (matrix) => matrix.elements.every((value, i) => value === Number(i % 5 === 0));

// ---- Triangles

// What a geometry draws: its range, without and with an index.
function cornersOf(geometry, count) {
    const { start, count: most } = geometry.drawRange, index = geometry.index;
    const end = Math.min(start + most, index ? index.count : count), whole = Math.max(0, end - start - (end - start) % 3);
    if (index && !index.isInterleavedBufferAttribute && start === 0 && whole === index.count) {
        return index.array instanceof Uint8Array ? Uint32Array.from(index.array) : index.array;
    }
    return Uint32Array.from({ length: whole }, (_, i) => (index ? index.getX(start + i) : start + i));
}

// Points as they are in memory where that is how the library reads them, else one by one: interleaved, or whole numbers.
function pointsOf(attribute, matrix) {
    const { array, count, itemSize } = attribute;
    const plain = !attribute.isInterleavedBufferAttribute && itemSize === 3 && !attribute.normalized &&
        (array instanceof Float32Array || array instanceof Float64Array);
    if (plain && matrix === null) {
        return array.length === 3 * count ? array : array.subarray(0, 3 * count);
    }
    const points = new Float64Array(3 * count), point = new Vector3();
    for (let i = 0; i < count; i++) {
        point.fromBufferAttribute(attribute, i);
        if (matrix !== null) {
            point.applyMatrix4(matrix);
        }
        point.toArray(points, 3 * i);
    }
    return points;
}

// A mirror turns triangles over.
function turnedOver(index) {
    const turned = index.slice();
    for (let i = 0; i < turned.length; i += 3) {
        [turned[i], turned[i + 1]] = [turned[i + 1], turned[i]];
    }
    return turned;
}

function partOf(geometry, matrix) {
    const attribute = geometry.attributes?.position;
    if (!attribute) {
        refuse("geometry: it has no positions");
    }
    const place = matrix === null || isIdentity(matrix) ? null : matrix, index = cornersOf(geometry, attribute.count);
    return { position: pointsOf(attribute, place), index: place !== null && place.determinant() < 0 ? turnedOver(index) : index };
}

// All meshes from a node downward; `matrix` leads from the node's frame to that of the model.
function addParts(parts, node, matrix) {
    if (node.isInstancedMesh) {
        const instance = new Matrix4();
        for (let i = 0; i < node.count; i++) {
            node.getMatrixAt(i, instance);
            parts.push(partOf(node.geometry, matrix.clone().multiply(instance)));
        }
    } else if (node.isMesh) {
        parts.push(partOf(node.geometry, matrix));
    }
    for (const child of node.children) {
        if (child.matrixAutoUpdate) {
            child.updateMatrix();
        }
        addParts(parts, child, matrix.clone().multiply(child.matrix));
    }
    return parts;
}

function joined(parts) {
    if (parts.length === 1) {
        return parts[0];
    }
    const sum = (name) => parts.reduce((total, part) => total + part[name].length, 0);
    const position = new Float64Array(sum("position")), index = new Uint32Array(sum("index"));
    const surfaces = new Uint32Array(index.length / 3);
    let points = 0, corners = 0;
    parts.forEach((part, number) => {
        position.set(part.position, 3 * points);
        surfaces.fill(number, corners / 3, (corners + part.index.length) / 3);
        for (const corner of part.index) {
            index[corners++] = points + corner;
        }
        points += part.position.length / 3;
    });
    return { position, index, surfaces };
}

// The rotation and the place of an object, without its scale: its first axis, and its second as far as they are at right
// angles.
function unscaled(object) {
    const [x, y, z] = [new Vector3(), new Vector3(), new Vector3()], { matrixWorld } = object;
    matrixWorld.extractBasis(x, y, z);
    x.normalize();
    y.addScaledVector(x, -x.dot(y)).normalize();
    return new Matrix4().makeBasis(x, y, z.crossVectors(x, y)).copyPosition(matrixWorld);
}

// What is left of an object's matrix without them.
function scaleOf(object) {
    const rest = unscaled(object).setPosition(0, 0, 0).transpose(), world = object.matrixWorld.clone();
    return rest.multiply(world.setPosition(0, 0, 0));
}

// What model() takes: of a geometry as it is, of an object with all meshes below it in the object's own frame. With
// { scaled: true }, the scale that the object has now goes into the points, as it must if it differs from axis to axis.
export function meshOf(source, { scaled = false } = {}) {
    if (source?.isBufferGeometry) {
        return partOf(source, null);
    }
    if (!source?.isObject3D) {
        refuse("source: expected a BufferGeometry or an Object3D of three.js");
    }
    source.updateWorldMatrix(true, false);
    const parts = addParts([], source, scaled ? scaleOf(source) : new Matrix4());
    return parts.length > 0 ? joined(parts) : refuse(`${source.name || source.type}: there is no mesh in it`);
}

// A model of load(), or the promise of one of loadWorker().
export function modelOf(tumble, source, { scaled, ...options } = {}) {
    const { position, index, surfaces } = meshOf(source, { scaled });
    return tumble.model(position, index, { surfaces, ...options });
}

// Where an object is in the world, for every call that takes a pose.
export function poseOf(object, { scaled = false } = {}) {
    object.updateWorldMatrix(true, false);
    if (scaled) {
        return unscaled(object);
    }
    const [x, y, z] = [0, 4, 8].map((i) => Math.hypot(...object.matrixWorld.elements.slice(i, i + 3)));
    if (Math.max(Math.abs(x - y), Math.abs(x - z)) > 1e-6 * x || object.matrixWorld.determinant() < 0) {
        refuse(`${object.name || object.type}: it is scaled by ${x}, ${y}, ${z}${object.matrixWorld.determinant() < 0 ?
            ", and mirrored" : ""}; make its model with modelOf(tumble, object, { scaled: true }), and its pose with ` +
            "poseOf(object, { scaled: true })");
    }
    return object.matrixWorld;
}

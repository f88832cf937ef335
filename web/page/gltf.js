// glTF files, by three.js: the triangles of the scene, as they stand, without materials.
(function (page) {
    "use strict";

    const magic = 0x46546c67, jsonChunk = 0x4e4f534a;

    // Pictures are not needed, and would be loaded from wherever the file says.
    function plain(json) {
        for (const name of ["materials", "textures", "images", "samplers", "animations"]) {
            delete json[name];
        }
        for (const mesh of json.meshes || []) {
            for (const primitive of mesh.primitives || []) {
                delete primitive.material;
            }
        }
        for (const buffer of json.buffers || []) {
            if (buffer.uri && !buffer.uri.startsWith("data:")) {
                throw new Error(`its data are in another file, ${buffer.uri}: save it as one .glb file`);
            }
        }
        return JSON.stringify(json);
    }

    function rewritten(bytes) {
        const view = new DataView(bytes);
        if (bytes.byteLength < 20 || view.getUint32(0, true) !== magic) {
            return plain(JSON.parse(new TextDecoder().decode(bytes)));
        }
        const length = view.getUint32(12, true);
        if (view.getUint32(16, true) !== jsonChunk || 20 + length > bytes.byteLength) {
            throw new Error("damaged: it does not begin with its description");
        }
        const text = plain(JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 20, length))));
        const json = new TextEncoder().encode(text.padEnd(Math.ceil(text.length / 4) * 4 + 4));
        const size = json.length - json.length % 4, rest = new Uint8Array(bytes, 20 + length);
        const result = new Uint8Array(20 + size + rest.length), head = new DataView(result.buffer);
        [magic, 2, result.length, size, jsonChunk].forEach((value, i) => head.setUint32(4 * i, value, true));
        result.set(json.subarray(0, size), 20);
        result.set(rest, 20 + size);
        return result.buffer;
    }

    // {position, index}, in the coordinates of the scene.
    page.readGltf = function (bytes) {
        return new Promise((resolve, reject) => {
            const fail = (error) => reject(new Error(error.message || String(error)));
            try {
                new THREE.GLTFLoader().parse(rewritten(bytes), "", ({ scene }) => {
                    const position = [], index = [], point = new THREE.Vector3();
                    scene.updateMatrixWorld(true);
                    scene.traverse((node) => {
                        if (!node.isMesh || node.drawMode) {
                            return;
                        }
                        const { position: points } = node.geometry.attributes, first = position.length / 3;
                        for (let i = 0; i < points.count; i++) {
                            point.fromBufferAttribute(points, i).applyMatrix4(node.matrixWorld);
                            position.push(point.x, point.y, point.z);
                        }
                        const corners = node.geometry.index, count = corners ? corners.count : points.count;
                        for (let i = 0; i < count - count % 3; i++) {
                            index.push(first + (corners ? corners.getX(i) : i));
                        }
                    });
                    if (index.length) {
                        resolve({ position: Float64Array.from(position), index: Uint32Array.from(index) });
                    } else {
                        fail("the file has no triangles");
                    }
                }, fail);
            } catch (error) {
                fail(error);
            }
        });
    };
})(globalThis.TumblePage = globalThis.TumblePage || {});

// Products of an IFC file with their geometry, names and places, by the npm package web-ifc. The command pipes this
// program into node; the answer goes to descriptor 3, as import_reply.c and import_parts.c take it. Exit status: 0 there
// is an answer, 126 there is no web-ifc.

import fs from 'node:fs';
import {createRequire} from 'node:module';
import os from 'node:os';
import path from 'node:path';

const REPLY_MAGIC = 0x31796c7065724d54n;
const STATUS = {ok: 0, format: 0}; // numbers of tumble_status: the command gives those that are needed
const [file, formatStatus] = process.argv.slice(2);
STATUS.format = Number(formatStatus);

for (const name of ['log', 'warn', 'error', 'info', 'debug']) {
    console[name] = () => {};
}

// ---- The package ----

// Beside the command, in the folder it runs in and those above, in what node searches, and where npm -g puts packages.
function findPackage() {
    const places = [process.cwd(), process.env.TUMBLE_PREFIX && path.join(process.env.TUMBLE_PREFIX, 'lib', 'tumble'),
        path.join(path.dirname(process.execPath), '..', 'lib'), '/usr/local/lib', '/usr/lib', '/usr/share/nodejs',
        os.homedir()];
    const named = process.env.TUMBLE_WEB_IFC;
    if (named) {
        for (const folder of [named, path.join(named, 'web-ifc'), path.join(named, 'node_modules', 'web-ifc')]) {
            if (fs.existsSync(path.join(folder, 'web-ifc-api-node.js'))) {
                return createRequire(path.join(path.resolve(folder), 'x'))('./web-ifc-api-node.js');
            }
        }
        process.exit(126);
    }
    for (const place of places) {
        try {
            return createRequire(path.join(path.resolve(place ?? '.'), 'x'))('web-ifc');
        } catch {
            // the next place
        }
    }
    return process.exit(126);
}

// ---- Relations ----

const refs = (value) => (Array.isArray(value) ? value : value ? [value] : []).map((item) => item.value)
    .filter((id) => typeof id === 'number');
const text = (value) => (value && typeof value.value === 'string' ? value.value : '').replaceAll('\0', '');

class Building {
    constructor(web, api, model) {
        Object.assign(this, {web, api, model});
        this.lines = new Map();
        this.parents = new Map();
        this.materials = new Map();
        this.openings = new Map();  // of openings: what they are in
        this.hosts = new Map();     // of what fills an opening: what that is in
        this.relate(web.IFCRELAGGREGATES, 'RelatingObject', 'RelatedObjects', this.parents);
        this.relate(web.IFCRELNESTS, 'RelatingObject', 'RelatedObjects', this.parents);
        this.relate(web.IFCRELCONTAINEDINSPATIALSTRUCTURE, 'RelatingStructure', 'RelatedElements', this.parents);
        this.relate(web.IFCRELASSOCIATESMATERIAL, 'RelatingMaterial', 'RelatedObjects', this.materials);
        this.relate(web.IFCRELVOIDSELEMENT, 'RelatingBuildingElement', 'RelatedOpeningElement', this.openings);
        this.relate(web.IFCRELFILLSELEMENT, 'RelatingOpeningElement', 'RelatedBuildingElement', this.hosts);
    }

    line(id) {
        if (!this.lines.has(id)) {
            let line = null;
            try {
                line = this.api.GetLine(this.model, id);
            } catch {
                // a line that its schema does not know
            }
            this.lines.set(id, line);
        }
        return this.lines.get(id);
    }

    // Each of `below` gets what is above it; the first one counts.
    relate(type, above, below, map) {
        for (const id of this.ids(type, false)) {
            const line = this.line(id);
            const [one] = refs(line?.[above]);
            for (const other of refs(line?.[below])) {
                if (one !== undefined && !map.has(other)) {
                    map.set(other, one);
                }
            }
        }
    }

    ids(type, inherited) {
        const found = this.api.GetLineIDsWithType(this.model, type, inherited);
        return Array.from({length: found.size()}, (_, i) => found.get(i));
    }

    className(line) {
        return line ? this.api.GetNameFromTypeCode(line.type) : '';
    }

    name(id) {
        const line = this.line(id);
        return text(line?.Name) || this.className(line);
    }

    // Names from the project down, each after a slash.
    path(id) {
        const names = [];
        for (let at = id; at !== undefined && names.length < 64; at = this.parents.get(at) ?? this.hosts.get(at)) {
            names.unshift(this.name(at).replaceAll('/', '_'));
        }
        return names.map((name) => `/${name}`).join('');
    }

    // The first name of a material, of its layers or of what it consists of.
    material(id, depth = 0) {
        const line = id === undefined || depth > 4 ? null : this.line(id);
        if (!line) {
            return '';
        }
        const inner = ['ForLayerSet', 'MaterialLayers', 'Material', 'Materials', 'ForProfileSet', 'MaterialProfiles',
            'MaterialConstituents'].flatMap((key) => refs(line[key]));
        for (const next of inner) {
            const name = this.material(next, depth + 1);
            if (name) {
                return name;
            }
        }
        return text(line.Name) || text(line.LayerSetName);
    }

    addAbove(id, seen) {
        for (let at = this.parents.get(id); at !== undefined && !seen.has(at); at = this.parents.get(at)) {
            seen.add(at);
        }
    }

    host(id) {
        return this.openings.get(this.hosts.get(id));
    }
}

// ---- Geometry ----

// Columns of four, y up, to rows of four, z up.
function toRows(m) {
    const row = (i, sign) => [0, 1, 2, 3].map((j) => sign * m[4 * j + i] + 0);
    return [...row(0, 1), ...row(2, -1), ...row(1, 1)];
}

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
const LAST = 0xffffffff;

class Geometry {
    constructor(api, model) {
        Object.assign(this, {api, model, points: [], corners: [], surfaces: [], pointCount: 0, surfaceCount: 0});
        this.surfaceOf = new Map();  // of geometries
        this.lists = [];             // surfaces of each geometry of parts
        this.listOf = new Map();
    }

    // Adds the triangles of a geometry, moved by `rows` if these are given. Returns how many there are.
    add(id, rows, surface) {
        const shape = this.api.GetGeometry(this.model, id);
        const vertices = this.api.GetVertexArray(shape.GetVertexData(), shape.GetVertexDataSize());
        const corners = this.api.GetIndexArray(shape.GetIndexData(), shape.GetIndexDataSize());
        const count = vertices.length / 6, points = new Float64Array(3 * count);
        for (let i = 0; i < count; i++) {
            for (let j = 0; j < 3; j++) {
                points[3 * i + j] = rows
                    ? rows[4 * j] * vertices[6 * i] + rows[4 * j + 1] * vertices[6 * i + 1] +
                        rows[4 * j + 2] * vertices[6 * i + 2] + rows[4 * j + 3]
                    : vertices[6 * i + j];
            }
        }
        const whole = corners.length - corners.length % 3;
        if (!points.every(Number.isFinite) || !corners.every((corner) => corner < count)) {
            return 0; // a damaged product is listed as broken
        }
        this.points.push(points);
        this.corners.push(corners.slice(0, whole).map((corner) => corner + this.pointCount));
        this.surfaces.push(new Uint32Array(whole / 3).fill(surface));
        this.pointCount += count;
        shape.delete?.();
        return whole / 3;
    }

    listNumber(surfaces) {
        const key = surfaces.join();
        if (!this.listOf.has(key)) {
            this.listOf.set(key, this.lists.length);
            this.lists.push(surfaces);
        }
        return this.listOf.get(key);
    }

    // What a product consists of: the number of a list of surfaces, LAST if there is nothing, and where it is.
    product(mesh) {
        const placed = Array.from({length: mesh.geometries.size()}, (_, i) => mesh.geometries.get(i));
        if (placed.length === 1) {
            const id = placed[0].geometryExpressID;
            if (!this.surfaceOf.has(id)) {
                this.surfaceOf.set(id, this.add(id, null, this.surfaceCount) ? this.surfaceCount++ : LAST);
            }
            const surface = this.surfaceOf.get(id);
            return {list: surface === LAST ? LAST : this.listNumber([surface]), rows: toRows(placed[0].flatTransformation)};
        }
        const surface = this.surfaceCount;
        let count = 0;
        for (const one of placed) {
            count += this.add(one.geometryExpressID, toRows(one.flatTransformation), surface);
        }
        if (count === 0) {
            return {list: LAST, rows: IDENTITY};
        }
        this.surfaceCount++;
        return {list: this.listNumber([surface]), rows: IDENTITY};
    }
}

// ---- Parts ----

const NO_PARTS = new Set(['IfcSpace', 'IfcOpeningElement', 'IfcOpeningStandardCase', 'IfcAnnotation', 'IfcGrid',
    'IfcSite', 'IfcVirtualElement', 'IfcDistributionPort', 'IfcProject', 'IfcBuilding', 'IfcBuildingStorey',
    'IfcSpatialZone', 'IfcVoidingFeature']);

function readParts(web, api, model) {
    const building = new Building(web, api, model), geometry = new Geometry(api, model), parts = [], seen = new Set();
    api.StreamAllMeshes(model, (mesh) => {
        const className = building.className(building.line(mesh.expressID));
        if (NO_PARTS.has(className)) {
            return;
        }
        seen.add(mesh.expressID);
        parts.push({id: mesh.expressID, className, ...geometry.product(mesh)});
    }, false); // in the file's unit
    for (const id of [...seen]) { // what is above a product consists of it, and needs no polygons
        building.addAbove(id, seen);
    }
    for (const id of building.ids(web.IFCPRODUCT, true)) {
        const line = building.line(id), className = building.className(line);
        if (!seen.has(id) && line?.Representation && !NO_PARTS.has(className)) {
            parts.push({id, className, list: LAST, rows: IDENTITY});
        }
    }
    const numbers = new Map(parts.map((part, i) => [part.id, i]));
    for (const part of parts) {
        part.guid = text(building.line(part.id)?.GlobalId);
        part.name = building.name(part.id);
        part.path = building.path(part.id);
        part.material = building.material(building.materials.get(part.id));
        part.host = numbers.get(building.host(part.id)) ?? LAST;
    }
    return {geometry, parts};
}

// ---- The answer ----

function bytesOf(array) {
    return Buffer.from(array.buffer, array.byteOffset, array.byteLength);
}

function head(fields, message = '', advice = '') {
    const out = Buffer.alloc(856);
    out.writeBigUInt64LE(REPLY_MAGIC, 0);
    [fields.points, fields.corners, fields.polygons, 0, 0, fields.surfaces, fields.partBytes].forEach((count, i) => {
        out.writeBigUInt64LE(BigInt(count ?? 0), 8 + 8 * i);
    });
    [fields.status, 0, fields.surfaces ? 1 : 0, 3].forEach((number, i) => out.writeInt32LE(number, 64 + 4 * i));
    out.writeDoubleLE(0, 80); // the command knows the unit
    out.write(message.slice(0, 160), 88);
    out.write(advice.slice(0, 80), 600);
    return out;
}

function partBytes(geometry, parts) {
    const lists = geometry.lists.flatMap((list) => [list.length, ...list]), out = [];
    out.push(bytesOf(Uint32Array.from([geometry.lists.length, parts.length, ...lists])));
    for (const part of parts) {
        out.push(bytesOf(Uint32Array.of(part.list)), bytesOf(Uint32Array.of(part.host)),
            bytesOf(Float64Array.from(part.rows)),
            Buffer.from([part.name, part.path, part.material, part.className, part.guid].map((t) => `${t}\0`).join('')));
    }
    return Buffer.concat(out);
}

function send(...buffers) {
    for (const buffer of buffers) {
        for (let at = 0; at < buffer.length;) {
            try {
                at += fs.writeSync(3, buffer, at, Math.min(buffer.length - at, 1 << 20));
            } catch (error) {
                if (error.code !== 'EAGAIN') {
                    throw error;
                }
            }
        }
    }
}

function sendParts(geometry, parts) {
    const bytes = partBytes(geometry, parts), surfaces = geometry.surfaceCount;
    const polygons = geometry.surfaces.reduce((sum, array) => sum + array.length, 0);
    send(head({status: STATUS.ok, points: geometry.pointCount, corners: 3 * polygons, polygons, surfaces,
        partBytes: bytes.length}), ...geometry.points.map(bytesOf), ...geometry.corners.map(bytesOf),
    ...geometry.surfaces.map(bytesOf), Buffer.alloc(12 * surfaces), bytes);
}

async function main() {
    const web = findPackage(), api = new web.IfcAPI();
    await api.Init(undefined, true);
    api.SetLogLevel(web.LogLevel?.LOG_LEVEL_OFF ?? 6);
    let model = -1;
    try {
        model = api.OpenModel(new Uint8Array(fs.readFileSync(file)));
    } catch {
        // told below
    }
    if (model < 0) {
        send(head({status: STATUS.format}, `${file}: web-ifc cannot read it`,
            'export it as IFC2x3 or IFC4, or convert it to glTF'));
        return;
    }
    const {geometry, parts} = readParts(web, api, model);
    sendParts(geometry, parts);
}

await main();
process.exit(0);

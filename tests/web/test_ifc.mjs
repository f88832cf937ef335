// IFC files through web-ifc: an IFC4 and an IFC2x3 building that this test writes, and what is said without the package.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

// Statements with references to each other.
class Writer {
    constructor() {
        this.lines = [];
        this.count = 0;
    }

    add(text) {
        this.lines.push(`#${this.lines.length + 1}=${text};`);
        return `#${this.lines.length}`;
    }

    // 22 characters, the same ones in every run.
    guid() {
        return `'0Tumble${String(++this.count).padStart(15, "0")}'`;
    }

    point(x, y, z) {
        return this.add(`IFCCARTESIANPOINT((${x}.,${y}.,${z}.))`);
    }

    place(above, x, y, z) {
        return this.add(`IFCLOCALPLACEMENT(${above},${this.add(`IFCAXIS2PLACEMENT3D(${this.point(x, y, z)},$,$)`)})`);
    }

    // A box from (0, 0, 0), as a solid.
    solid(dx, dy, dz) {
        const corner = this.add(`IFCAXIS2PLACEMENT2D(${this.add(`IFCCARTESIANPOINT((${dx / 2}.,${dy / 2}.))`)},$)`);
        const profile = this.add(`IFCRECTANGLEPROFILEDEF(.AREA.,$,${corner},${dx}.,${dy}.)`);
        const base = this.add(`IFCAXIS2PLACEMENT3D(${this.point(0, 0, 0)},$,$)`);
        return this.add(`IFCEXTRUDEDAREASOLID(${profile},${base},${this.add("IFCDIRECTION((0.,0.,1.))")},${dz}.)`);
    }

    representation(kind, item) {
        return this.add(`IFCSHAPEREPRESENTATION(${this.context},'Body','${kind}',(${item}))`);
    }

    shape(representation) {
        return this.add(`IFCPRODUCTDEFINITIONSHAPE($,$,(${representation}))`);
    }

    box(dx, dy, dz) {
        return this.shape(this.representation("SweptSolid", this.solid(dx, dy, dz)));
    }

    // Another use of one representation.
    mapped(map) {
        const origin = this.point(0, 0, 0), target = this.add(`IFCCARTESIANTRANSFORMATIONOPERATOR3D($,$,${origin},1.,$)`);
        return this.shape(this.representation("MappedRepresentation", this.add(`IFCMAPPEDITEM(${map},${target})`)));
    }

    text(schema) {
        return ["ISO-10303-21;", "HEADER;", "FILE_DESCRIPTION(('ViewDefinition [CoordinationView]'),'2;1');",
            "FILE_NAME('','',(''),(''),'','','');", `FILE_SCHEMA(('${schema}'));`, "ENDSEC;", "DATA;", ...this.lines,
            "ENDSEC;", "END-ISO-10303-21;", ""].join("\n");
    }
}

// A wall with a door in its opening, a beam through the wall, two equal columns, and a space that is no part.
function building(schema) {
    const w = new Writer(), four = schema === "IFC4";
    const units = w.add(`IFCUNITASSIGNMENT((${w.add("IFCSIUNIT(*,.LENGTHUNIT.,.MILLI.,.METRE.)")}))`);
    const world = w.add(`IFCAXIS2PLACEMENT3D(${w.point(0, 0, 0)},$,$)`);
    w.context = w.add(`IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,1.E-05,${world},$)`);
    const person = w.add("IFCPERSON($,'x',$,$,$,$,$,$)"), maker = w.add("IFCORGANIZATION($,'x',$,$,$)");
    const owner = w.add(`IFCOWNERHISTORY(${w.add(`IFCPERSONANDORGANIZATION(${person},${maker},$)`)},` +
        `${w.add(`IFCAPPLICATION(${maker},'1','x','x')`)},$,.ADDED.,$,$,$,0)`);
    const root = (name) => `${w.guid()},${owner},${name ? `'${name}'` : "$"},$`;
    const project = w.add(`IFCPROJECT(${root("Tower")},$,$,$,(${w.context}),${units})`);
    const ground = w.place("$", 0, 0, 0);
    const hall = w.add(`IFCBUILDING(${root("Hall")},$,${ground},$,$,.ELEMENT.,$,$,$)`);
    const storey = w.add(`IFCBUILDINGSTOREY(${root("Level / 1")},$,${w.place(ground, 0, 0, 100)},$,$,.ELEMENT.,0.)`);
    const level = w.place(ground, 0, 0, 100);
    const product = (type, name, place, shape, more) =>
        w.add(`${type}(${root(name)},$,${place},${shape},$${more})`);
    const wallPlace = w.place(level, 0, 0, 0);
    const wall = product("IFCWALL", "wall", wallPlace, w.box(4000, 300, 3000), four ? ",$" : "");
    const openingPlace = w.place(wallPlace, 1000, 0, 0);
    const opening = product("IFCOPENINGELEMENT", "hole", openingPlace, w.box(1000, 300, 2000), four ? ",$" : "");
    const door = product("IFCDOOR", "door", w.place(openingPlace, 0, 100, 0), w.box(1100, 100, 2000),
        four ? ",$,$,$,$,$" : ",$,$");
    const beam = product("IFCBEAM", "", w.place(level, 3000, 0, 1000), w.box(200, 2000, 200), four ? ",$" : "");
    const flat = w.representation("SweptSolid", w.solid(200, 200, 3000));
    const map = w.add(`IFCREPRESENTATIONMAP(${w.add(`IFCAXIS2PLACEMENT3D(${w.point(0, 0, 0)},$,$)`)},${flat})`);
    const columns = [0, 1].map((i) => product("IFCCOLUMN", `column ${i}`, w.place(level, 9000, 9000 * i, 0),
        w.mapped(map), four ? ",$" : ""));
    const space = product("IFCSPACE", "room", level, w.box(9000, 9000, 3000), four ? ",.ELEMENT.,$,$" : ",.ELEMENT.,.INTERNAL.,$");
    const steel = w.add(four ? "IFCMATERIAL('steel',$,$)" : "IFCMATERIAL('steel')");
    w.add(`IFCRELAGGREGATES(${root("")},${project},(${hall}))`);
    w.add(`IFCRELAGGREGATES(${root("")},${hall},(${storey}))`);
    w.add(`IFCRELAGGREGATES(${root("")},${storey},(${space}))`);
    w.add(`IFCRELCONTAINEDINSPATIALSTRUCTURE(${root("")},(${[wall, door, beam, ...columns]}),${storey})`);
    w.add(`IFCRELVOIDSELEMENT(${root("")},${wall},${opening})`);
    w.add(`IFCRELFILLSELEMENT(${root("")},${opening},${door})`);
    w.add(`IFCRELASSOCIATESMATERIAL(${root("")},(${[beam, columns[0]]}),${steel})`);
    return w.text(schema);
}

function clash(t, folder, name, environment = {}) {
    const tumble = process.env.TUMBLE || join(t.root, "build", "release", "tumble");
    return spawnSync(tumble, ["clash", name, "-o", "out"], {
        cwd: folder, encoding: "utf8", env: { ...process.env, TUMBLE_WEB_IFC: join(t.modules, "node_modules"), ...environment }
    });
}

function checkBuilding(t, folder, schema) {
    writeFileSync(join(folder, "hall.ifc"), building(schema));
    const result = clash(t, folder, "hall.ifc");
    t.equal([result.status, result.stderr], [1, ""], `${schema}: status and messages`);
    const report = JSON.parse(readFileSync(join(folder, "out", "clashes.json"), "utf8"));
    t.equal([report.unit_metres, report.up], [0.001, "z"], `${schema}: unit and axis`);
    const parts = report.parts.map((p) => `${p.class} ${p.path} ${p.guid.slice(0, 7)} ${p.material}`).sort();
    t.equal(parts, ["IfcBeam hall/Tower/Hall/Level _ 1/IfcBeam 0Tumble steel",
        "IfcColumn hall/Tower/Hall/Level _ 1/column 0 0Tumble steel", "IfcColumn hall/Tower/Hall/Level _ 1/column 1 0Tumble ",
        "IfcDoor hall/Tower/Hall/Level _ 1/door 0Tumble ", "IfcWall hall/Tower/Hall/Level _ 1/wall 0Tumble "],
    `${schema}: parts`);
    const columns = report.parts.filter((p) => p.class === "IfcColumn");
    t.check(columns[0].model === columns[1].model, `${schema}: equal columns are one model`);
    t.equal(columns.map((p) => [p.pose[3], p.pose[7], p.pose[11]]).sort(), [[9100, 100, 1600], [9100, 9100, 1600]],
        `${schema}: places`);
    const found = report.clashes.map((c) => `${c.kind} ${[c.a, c.b].map((i) => report.parts[i].class).sort().join(" ")}`);
    t.equal(found.sort(), ["crossing IfcBeam IfcWall", "crossing IfcDoor IfcWall"], `${schema}: clashes`);
}

export async function run(t) {
    const folder = join(t.modules, "ifc");
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    t.check(existsSync(join(t.modules, "node_modules", "web-ifc")), "web-ifc is installed");
    checkBuilding(t, folder, "IFC4");
    checkBuilding(t, folder, "IFC2X3");
    const fallback = clash(t, folder, "hall.ifc", { TUMBLE_WEB_IFC: folder });
    t.check(/npm install web-ifc/.test(fallback.stderr), "without the package it is said what to install");
    t.equal(fallback.status, 1, "IFC2x3 is read without it");
    const bare = clash(t, folder, "hall.ifc", { TUMBLE_NODE: "no-such-node" });
    t.check(/npm install web-ifc/.test(bare.stderr), "and so it is without Node.js");
    writeFileSync(join(folder, "hall.ifc"), "ISO-10303-21;\nnothing");
    const broken = clash(t, folder, "hall.ifc");
    t.equal(broken.status, 2, "a file that is no building is an error");
    t.check(/hall.ifc/.test(broken.stderr), "which names it");
}

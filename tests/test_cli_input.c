/* Files that are not what they seem, units and up axes, and the process that runs assimp, from end to end. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli_run.h"
#include "support.h"

static const char cube[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                           "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 1 5 8 4\nf 2 3 7 6\n";

/* A triangle with corners (1, 2, 3), (1.5, 2, 3) and (1, 2, 4); %s: what the asset says of its unit and up axis. */
static const char collada[] =
    "<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\">"
    "<asset>%s</asset><library_geometries><geometry id=\"g\" name=\"plate\"><mesh>"
    "<source id=\"p\"><float_array id=\"a\" count=\"9\">1 2 3 1.5 2 3 1 2 4</float_array><technique_common>"
    "<accessor source=\"#a\" count=\"3\" stride=\"3\"><param name=\"X\" type=\"float\"/><param name=\"Y\" "
    "type=\"float\"/><param name=\"Z\" type=\"float\"/></accessor></technique_common></source>"
    "<vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices>"
    "<triangles count=\"1\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>0 1 2</p></triangles>"
    "</mesh></geometry></library_geometries><library_visual_scenes><visual_scene id=\"s\"><node id=\"n\" "
    "name=\"part\"><instance_geometry url=\"#g\"/></node></visual_scene></library_visual_scenes>"
    "<scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>\n";

static int has_assimp;

static void write_collada(const char *name, const char *asset)
{
    char text[4096];
    snprintf(text, sizeof text, collada, asset);
    cli_write_file(name, text);
}

static int setup(void **state)
{
    cli_setup(state);
    cli_write_file("cube.obj", cube);
    write_collada("plain.dae", "");
    has_assimp = !strstr(cli_run("tumble info plain.dae").err, "built without assimp");
    return 0;
}

static void need_assimp(void)
{
    if (!has_assimp) {
        skip();
    }
}

/* ---- models without faces ---- */

static void test_no_faces(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text, *words;
    } files[] = {{"text.obj", "hello world\n", "line 1: not an OBJ file: 'hello' is no OBJ statement"},
                 {"lfs.obj", "version https://git-lfs.github.com/spec/v1\noid sha256:12\nsize 3\n", "git lfs pull"},
                 {"lfs.glb", "version https://git-lfs.github.com/spec/v1\noid sha256:12\nsize 3\n", "git lfs pull"},
                 {"empty.obj", "", "it has no faces: give a mesh, or --allow-empty"},
                 {"comment.obj", "# nothing\n", "it has no faces"},
                 {"cloud.obj", "v 0 0 0\nv 1 0 0\n", "it has no faces, only 2 points"},
                 {"empty.off", "OFF\n0 0 0\n", "it has no faces"},
                 {"cloud.off", "OFF\n1 0 0\n1 2 3\n", "it has no faces, only 1 point:"},
                 {"cloud.ply",
                  "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\n"
                  "end_header\n1 2 3\n",
                  "it has no faces, only 1 point:"},
                 {"empty.stl", "solid\nendsolid\n", "it has no faces"}};
    static const char *const lines[] = {"tumble info %s",
                                        "tumble info %s --json --surfaces",
                                        "tumble build %s -o x.tumble",
                                        "tumble check %s cube.obj",
                                        "tumble check cube.obj %s --device cpu",
                                        "tumble check cube.obj %s --relation",
                                        "tumble distance cube.obj %s",
                                        "tumble distance %s cube.obj --within 1",
                                        "tumble make poses cube.obj %s -o x.txt"};
    enum {
        COMMANDS = sizeof lines / sizeof *lines
    };
    const size_t before = cli_count_files();
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        cli_write_file(files[i].name, files[i].text);
        for (size_t j = 0; j < COMMANDS; j++) { /* each file with some, each command with some */
            char line[256];
            snprintf(line, sizeof line, lines[j], files[i].name);
            if ((i + j) % 3 == 0) {
                cli_expect_error(line, files[i].name, files[i].words, NULL);
            }
        }
        if (strstr(files[i].words, "no faces")) {
            cli_expect(0, "tumble info %s --allow-empty", files[i].name);
            cli_expect(0, "tumble check %s cube.obj --allow-empty", files[i].name);
            cli_expect(0, "tumble distance cube.obj %s --allow-empty", files[i].name);
        }
    }
    assert_int_equal(cli_count_files(), before + sizeof files / sizeof *files); /* no output was written */
    cli_expect_error("tumble info text.obj --allow-empty", "not an OBJ file", NULL);
    cli_expect(0, "tumble build empty.off -o empty.tumble --allow-empty");
    cli_expect_error("tumble check empty.tumble cube.obj", "empty.tumble: it has no faces", NULL);
    cli_expect(0, "tumble check empty.tumble cube.obj --allow-empty");
}

/* ---- wrong advice ---- */

static void test_advice(void **state)
{
    (void)state;
    static const char step[] = "ISO-10303-21;\nHEADER;\nFILE_SCHEMA(('AUTOMOTIVE_DESIGN'));\nENDSEC;\n";
    cli_write_file("part.step", step);
    cli_write_file("part.STP", step);
    cli_write_file("part.txt", step);
    cli_expect_error("tumble info part.step", "part.step: STEP files are not supported", "export the model as STL",
                     NULL);
    cli_expect_error("tumble check part.STP cube.obj", "part.STP: STEP files are not supported", NULL);
    cli_expect_error("tumble info part.txt", "part.txt: STEP files are not supported", NULL);
    assert_null(strstr(cli_run("tumble info part.step").err, "damaged"));
    cli_write_file("part.igs", "anything\n");
    cli_expect_error("tumble info part.igs", "part.igs: IGES files are not supported", NULL);
    cli_expect_error("tumble info missing.step", "missing.step", "No such file", NULL);
    cli_write_file("what.unknown", "nothing that is known\n");
    cli_expect_error("tumble info what.unknown", "what.unknown: it is not OBJ, OFF, STL or PLY", "ends with .unknown",
                     "convert it", NULL);
    cli_expect_error("tumble info - <what.unknown", "standard input: it is not OBJ, OFF, STL or PLY",
                     "told by the ending of a file's name", "give a file", NULL);
    cli_expect_error("tumble info - </dev/null", "standard input: it is empty: give a mesh", NULL);
}

/* The advice fits what failed: reading needs no room on the disk, writing does. */
static void test_advice_about_files(void **state)
{
    (void)state;
    cli_expect_error("tumble info none.obj", "none.obj: cannot open it", "check the name and the permissions", NULL);
    assert_null(strstr(cli_run("tumble info none.obj").err, "room"));
    cli_expect_error("tumble make box -o none/box.obj", "none/box.obj: cannot write it",
                     "a folder that exists, is writable and has room", NULL);
}

/* The folder of a drawing is looked for before the work, and the message names the option. */
static void test_drawing_folder(void **state)
{
    (void)state;
    cli_write_file("path.txt", "1 0 0 5 0 1 0 0 0 0 1 0\n1 0 0 4 0 1 0 0 0 0 1 0\n");
    cli_expect_error("tumble distance cube.obj cube.obj --poses path.txt --plot none/plot.svg",
                     "--plot 'none/plot.svg' cannot be written (No such file or directory)", NULL);
    cli_expect_error("tumble distance cube.obj cube.obj --picture none/a.png", "--picture 'none/a.png'", NULL);
    cli_expect(0, "mkdir there && tumble distance cube.obj cube.obj --poses path.txt --plot there/plot.svg");
    free(cli_read_file("there/plot.svg", NULL));
}

/* NFF has statements like those of OBJ; assimp reads it. */
static void test_nff(void **state)
{
    (void)state;
    need_assimp();
    cli_write_file("two.nff", "v\nfrom 0 0 -5\nat 0 0 0\nup 0 1 0\nangle 40\nhither 1\nresolution 512 512\n"
                              "f 1 0 0 1 0 0 0 0\np 3\n0 0 0\n1 0 0\n0 1 0\np 4\n0 0 1\n1 0 1\n1 1 1\n0 1 1\n");
    cJSON *json = cli_json_line(cli_expect(0, "tumble info two.nff --json").out, 0);
    assert_true(cli_number(json, "polygons") == 2 && cli_number(json, "points") == 7);
    cJSON_Delete(json);
}

static void test_ply_warning(void **state)
{
    (void)state;
    cli_write_file("stray.ply", "ply\nformat ascii 1.0\nCreated by hand\nelement vertex 3\nproperty float x\nproperty "
                                "float y\nproperty float z\nelement face 1\nproperty list uchar int vertex_indices\n"
                                "end_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
    const cli_result result = cli_run("tumble info stray.ply --json");
    assert_int_equal(result.status, 0);
    assert_string_equal(result.err, "tumble: warning: stray.ply: line 3: 'Created' does not belong in a PLY header; it "
                                    "was skipped\n");
    cJSON *json = cli_json_line(result.out, 0);
    assert_true(cli_number(json, "polygons") == 1);
    cJSON_Delete(json);
}

/* ---- units and up axes ---- */

/* The corners of the bounds, and what is said of the frame; null: nothing. */
static void expect_frame(const char *line, const double bounds[6], const char *unit, double metres, const char *up)
{
    cJSON *json = cli_json_line(cli_expect(0, "tumble info %s --json", line).out, 0);
    const cJSON *box = cli_object(json, "bounds");
    for (int i = 0; i < 6; i++) {
        const double value = cJSON_GetArrayItem(cli_array(box, i < 3 ? "lower" : "upper"), i % 3)->valuedouble;
        if (value != bounds[i]) {
            fail_msg("%s: bound %d is %.17g instead of %.17g", line, i, value, bounds[i]);
        }
    }
    assert_int_equal(unit == NULL, cJSON_GetObjectItem(json, "unit") == NULL);
    assert_int_equal(up == NULL, cJSON_GetObjectItem(json, "up") == NULL);
    if (unit) {
        assert_string_equal(cli_string(json, "unit"), unit);
        assert_true(cli_number(json, "unit_metres") == metres);
    }
    if (up) {
        assert_string_equal(cli_string(json, "up"), up);
    }
    cJSON_Delete(json);
}

static const double as_in_file[6] = {1, 2, 3, 1.5, 2, 4};

static void test_collada(void **state)
{
    (void)state;
    need_assimp();
    write_collada("cm.dae", "<unit meter=\"0.01\" name=\"centimeter\"/><up_axis>Z_UP</up_axis>");
    write_collada("inch.dae", "<unit meter=\"0.0254\"/><up_axis>X_UP</up_axis>");
    write_collada("odd.dae", "<unit meter=\"0.03\"/><up_axis>Y_UP</up_axis>");
    expect_frame("plain.dae", as_in_file, "m", 1, "y");
    expect_frame("cm.dae", as_in_file, "cm", 0.01, "z");
    expect_frame("inch.dae", as_in_file, "in", 0.0254, "x");
    expect_frame("odd.dae", as_in_file, "0.03 m", 0.03, "y");
    assert_non_null(strstr(cli_expect(0, "tumble info cm.dae").out, "  unit              cm\n"));
    assert_non_null(strstr(cli_expect(0, "tumble info cm.dae").out, "  up                z\n"));
    expect_frame("cm.dae --units mm", (double[6]){10, 20, 30, 15, 20, 40}, "mm", 0.001, "z");
    expect_frame("cm.dae --units m", (double[6]){0.01, 0.02, 0.03, 0.015, 0.02, 0.04}, "m", 1, "z");
    expect_frame("inch.dae --units mm", (double[6]){25.4, 50.8, 76.2, 38.1, 50.8, 101.6}, "mm", 0.001, "x");
    expect_frame("odd.dae --units m", (double[6]){1 * 0.03, 2 * 0.03, 3 * 0.03, 1.5 * 0.03, 2 * 0.03, 4 * 0.03}, "m", 1,
                 "y");
}

static void test_up(void **state)
{
    (void)state;
    need_assimp();
    write_collada("x.dae", "<up_axis>X_UP</up_axis>");
    write_collada("z.dae", "<up_axis>Z_UP</up_axis>");
    expect_frame("plain.dae --up y", as_in_file, "m", 1, "y");
    expect_frame("z.dae --up y", (double[6]){1, 3, -2, 1.5, 4, -2}, "m", 1, "y");
    expect_frame("plain.dae --up z", (double[6]){1, -4, 2, 1.5, -3, 2}, "m", 1, "z");
    expect_frame("x.dae --up y", (double[6]){-2, 1, 3, -2, 1.5, 4}, "m", 1, "y");
    expect_frame("x.dae --up z", (double[6]){-4, 2, 1, -3, 2, 1.5}, "m", 1, "z");
    expect_frame("z.dae --up x", (double[6]){3, 2, -1.5, 4, 2, -1}, "m", 1, "x");
    expect_frame("z.dae --up y --units cm", (double[6]){100, 300, -200, 150, 400, -200}, "cm", 0.01, "y");
}

/* Left-handed formats come mirrored from assimp, and others turned. */
static void test_other_formats(void **state)
{
    (void)state;
    need_assimp();
    cli_write_file("part.x", "xof 0303txt 0032\nMesh m {\n3;\n1;2;3;,\n1.5;2;3;,\n1;2;4;;\n1;\n3;0,1,2;;\n}\n");
    expect_frame("part.x", as_in_file, NULL, 0, NULL);
    cli_write_file("part.dxf",
                   "0\nSECTION\n2\nENTITIES\n0\n3DFACE\n8\n0\n10\n1\n20\n2\n30\n3\n11\n1.5\n21\n2\n31\n3\n12\n"
                   "1\n22\n2\n32\n4\n13\n1\n23\n2\n33\n4\n0\nENDSEC\n0\nEOF\n");
    expect_frame("part.dxf", as_in_file, NULL, 0, NULL);
    cli_write_file("part.amf", "<?xml version=\"1.0\"?><amf unit=\"inch\"><object id=\"1\"><mesh><vertices>"
                               "<vertex><coordinates><x>1</x><y>2</y><z>3</z></coordinates></vertex>"
                               "<vertex><coordinates><x>1.5</x><y>2</y><z>3</z></coordinates></vertex>"
                               "<vertex><coordinates><x>1</x><y>2</y><z>4</z></coordinates></vertex></vertices><volume>"
                               "<triangle><v1>0</v1><v2>1</v2><v3>2</v3></triangle></volume></mesh></object></amf>\n");
    expect_frame("part.amf", as_in_file, "in", 0.0254, NULL);
}

static void test_files_without_units(void **state)
{
    (void)state;
    expect_frame("cube.obj", (double[6]){0, 0, 0, 1, 1, 1}, NULL, 0, NULL);
    assert_non_null(
        strstr(cli_expect(0, "tumble info cube.obj").out, "  unit              none     the file states none\n"));
    cli_expect_error("tumble info cube.obj --units mm", "cube.obj: it states no unit", "--assume-units", NULL);
    cli_expect_error("tumble info cube.obj --up z", "cube.obj: it states no up axis", "--assume-up", NULL);
    expect_frame("cube.obj --units mm --assume-units in", (double[6]){0, 0, 0, 25.4, 25.4, 25.4}, "mm", 0.001, NULL);
    expect_frame("cube.obj --units mm --assume-units um", (double[6]){0, 0, 0, 0.001, 0.001, 0.001}, "mm", 0.001, NULL);
    expect_frame("cube.obj --up y --assume-up z", (double[6]){0, 0, -1, 1, 1, 0}, NULL, 0, "y");
    cli_expect_error("tumble info cube.obj --units yard", "--units", "um, mm, cm, m, in, ft", NULL);
    cli_write_file("huge.obj", "v 1e308 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    cli_expect_error("tumble info huge.obj --units mm --assume-units m", "huge.obj: point 0 is too large", NULL);
    cli_expect(0, "tumble build cube.obj -o mm.tumble --units mm --assume-units m");
    expect_frame("mm.tumble", (double[6]){0, 0, 0, 1000, 1000, 1000}, NULL, 0, NULL);
    cli_expect_error("tumble info mm.tumble --units m", "mm.tumble: a saved model keeps its coordinates", NULL);
    cli_expect_error("tumble info mm.tumble --up z", "mm.tumble: a saved model keeps its coordinates", NULL);
    expect_frame("mm.tumble --units mm --assume-units mm", (double[6]){0, 0, 0, 1000, 1000, 1000}, "mm", 0.001, NULL);
}

static void expect_warning(const char *line, const char *words)
{
    const cli_result result = cli_run("%s", line);
    assert_true(result.status == 0 || result.status == 1);
    if (!strstr(result.err, "tumble: warning: ") || !strstr(result.err, words)) {
        fail_msg("%s: '%s' is missing in: %s", line, words, result.err);
    }
    assert_int_equal(cli_count_lines(result.err), 1);
}

static void test_units_that_differ(void **state)
{
    (void)state;
    need_assimp();
    write_collada("cm.dae", "<unit meter=\"0.01\"/>");
    write_collada("mm.dae", "<unit meter=\"0.001\"/>");
    write_collada("z.dae", "<up_axis>Z_UP</up_axis>");
    expect_warning("tumble check cm.dae mm.dae", "the unit of cm.dae is cm and that of mm.dae is mm");
    expect_warning("tumble distance mm.dae cm.dae", "--units mm converts both");
    expect_warning("tumble check cm.dae mm.dae --device cpu", "--units cm converts both");
    expect_warning("tumble check plain.dae z.dae", "in plain.dae y is up and in z.dae z");
    expect_warning("tumble check mm.dae cube.obj --assume-units m", "that of cube.obj is m");
    cli_expect(1, "tumble check cm.dae cm.dae --test");
    cli_expect(0, "tumble check cm.dae mm.dae --units mm --test");
    cli_expect(0, "tumble check plain.dae z.dae --up z --test");
    cli_expect(0, "tumble check mm.dae cube.obj --test"); /* one that states nothing differs from none */
}

/* A bar along z of a placed and mapped product, in millimetres; assimp alone would make it metres and y up. */
static const char building[] =
    "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\nFILE_NAME('','',(''),(''),'','','');\n"
    "FILE_SCHEMA(('%s'));\nENDSEC;\nDATA;\n"
    "#1=IFCPROJECT('0YvctVUKr0kugbFTf53O9L',#9,'p',$,$,$,$,(#10),#3);\n"
    "#2=IFCSIUNIT(*,.LENGTHUNIT.,.MILLI.,.METRE.);\n"
    "#3=IFCUNITASSIGNMENT((#4,%s));\n#4=IFCSIUNIT(*,.PLANEANGLEUNIT.,$,.RADIAN.);\n"
    "#5=IFCDIMENSIONALEXPONENTS(1,0,0,0,0,0,0);\n#6=IFCSIUNIT(*,.LENGTHUNIT.,$,.METRE.);\n"
    "#7=IFCMEASUREWITHUNIT(IFCLENGTHMEASURE(0.3048),#6);\n"
    "#8=IFCCONVERSIONBASEDUNIT(#5,.LENGTHUNIT.,'FOOT',#7);\n"
    "#9=IFCOWNERHISTORY(#15,#18,$,.NOCHANGE.,$,$,$,0);\n#15=IFCPERSONANDORGANIZATION(#16,#17,$);\n"
    "#16=IFCPERSON($,'a',$,$,$,$,$,$);\n#17=IFCORGANIZATION($,'b',$,$,$);\n"
    "#18=IFCAPPLICATION(#17,'1','c','d');\n"
    "#10=IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,1.E-5,#11,$);\n"
    "#11=IFCAXIS2PLACEMENT3D(#12,$,$);\n#12=IFCCARTESIANPOINT((0.,0.,0.));\n"
    "#20=IFCLOCALPLACEMENT($,#11);\n"
    "#21=IFCSITE('1YvctVUKr0kugbFTf53O9L',#9,'site',$,$,#20,$,$,.ELEMENT.,$,$,0.,$,$);\n"
    "#22=IFCRELAGGREGATES('2YvctVUKr0kugbFTf53O9L',#9,$,$,#1,(#21));\n"
    "#23=IFCRELCONTAINEDINSPATIALSTRUCTURE('3YvctVUKr0kugbFTf53O9L',#9,$,$,(#30,#40),#21);\n"
    "#30=IFCCOLUMN('4YvctVUKr0kugbFTf53O_$',#9,'north_post',$,$,#31,#50,$);\n"
    "#31=IFCLOCALPLACEMENT(#20,#32);\n#32=IFCAXIS2PLACEMENT3D(#33,$,$);\n#33=IFCCARTESIANPOINT((1000.,2000.,0.));\n"
    "#40=IFCBEAM('5YvctVUKr0kugbFTf53O9L',#9,$,$,$,#20,#50,$);\n"
    "#50=IFCPRODUCTDEFINITIONSHAPE($,$,(#51));\n#51=IFCSHAPEREPRESENTATION(#10,'Body','MappedRepresentation',(#52));\n"
    "#52=IFCMAPPEDITEM(#53,#54);\n#53=IFCREPRESENTATIONMAP(#11,#60);\n"
    "#54=IFCCARTESIANTRANSFORMATIONOPERATOR3D($,$,#12,$,$);\n"
    "#60=IFCSHAPEREPRESENTATION(#10,'Body','SweptSolid',(#61));\n#61=IFCEXTRUDEDAREASOLID(#62,#11,#65,3000.);\n"
    "#62=IFCRECTANGLEPROFILEDEF(.AREA.,$,#63,200.,400.);\n#63=IFCAXIS2PLACEMENT2D(#64,$);\n"
    "#64=IFCCARTESIANPOINT((0.,0.));\n#65=IFCDIRECTION((0.,0.,1.));\nENDSEC;\nEND-ISO-10303-21;\n";

static void write_building(const char *name, const char *schema, const char *unit)
{
    char text[8192];
    snprintf(text, sizeof text, building, schema, unit);
    cli_write_file(name, text);
}

static void test_ifc(void **state)
{
    (void)state;
    need_assimp();
    write_building("posts.ifc", "IFC2X3", "#2");
    write_building("feet.ifc", "IFC2X3", "#8");
    const double bounds[6] = {-100, -200, 0, 1100, 2200, 3000};
    expect_frame("posts.ifc", bounds, "mm", 0.001, "z");
    expect_frame("feet.ifc", bounds, "ft", 0.3048, "z");
    expect_frame("posts.ifc --units m --up y", (double[6]){-0.1, 0, -2.2, 1.1, 3, 0.2}, "m", 1, "y");
    cJSON *json = cli_json_line(cli_expect(0, "tumble info posts.ifc --json --surfaces").out, 0);
    const cJSON *list = cli_array(json, "surface_list");
    assert_int_equal(cJSON_GetArraySize(list), 2);
    assert_string_equal(cli_string(cJSON_GetArrayItem(list, 0), "name"), "IfcColumn/north_post/4YvctVUKr0kugbFTf53O_$");
    assert_string_equal(cli_string(cJSON_GetArrayItem(list, 1), "name"), "IfcBeam/5YvctVUKr0kugbFTf53O9L");
    assert_true(cli_number(cJSON_GetArrayItem(list, 0), "polygons") == 6);
    cJSON_Delete(json);
    cli_write_file("later.ifc", "ISO-10303-21;\nHEADER;\nFILE_SCHEMA(('IFC4'));\nENDSEC;\nDATA;\nENDSEC;\n");
    cli_expect_error("tumble info later.ifc", "later.ifc: its schema is IFC4", "IFC2x3", NULL);
}

/* ---- assimp's process ---- */

/* A triangle, whose points are in the file `uri`. */
static void write_gltf(const char *name, const char *uri, const char *bytes)
{
    char text[2048];
    snprintf(text, sizeof text,
             "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0,"
             "\"name\":\"part\"}],\"meshes\":[{\"name\":\"plate\",\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
             "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],\"bufferViews\":"
             "[{\"buffer\":0,\"byteLength\":36}],\"buffers\":[{\"uri\":\"%s\",\"byteLength\":%s}]}\n",
             uri, bytes);
    cli_write_file(name, text);
}

static const float triangle[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};

static void test_gltf(void **state)
{
    (void)state;
    need_assimp();
    write_gltf("part.gltf", "part.bin", "36");
    cli_expect_error("tumble info part.gltf", "part.gltf: the file part.bin, which it refers to, cannot be opened",
                     NULL);
    cli_write_bytes("part.bin", triangle, sizeof triangle);
    expect_frame("part.gltf", (double[6]){0, 0, 0, 1, 1, 0}, "m", 1, "y");
    const cli_result result = cli_expect(0, "tumble info part.gltf --json --surfaces --surfaces-from groups");
    cJSON *json = cli_json_line(result.out, 0);
    const cJSON *first = cJSON_GetArrayItem(cli_array(json, "surface_list"), 0);
    assert_string_equal(cli_string(first, "name"), "part/plate");
    cJSON_Delete(json);
}

/* A pipe that nobody writes into: assimp waits for ever. */
static void test_hang(void **state)
{
    (void)state;
    need_assimp();
    write_gltf("hang.gltf", "hang.bin", "36");
    assert_int_equal(cli_run("mkfifo hang.bin").status, 0);
    cli_expect_error("timeout 60 tumble info hang.gltf --import-seconds 0.3",
                     "hang.gltf: assimp took longer than 0.3 s", "--import-seconds", NULL);
    cli_expect_error("timeout 60 tumble check cube.obj hang.gltf --import-seconds 0.3", "hang.gltf", NULL);
    assert_string_equal(cli_expect(0, "tumble info cube.obj --import-seconds 0.001 | head -1").out, "cube.obj\n");
}

/* How many processes run the command on for-ever.gltf; the pattern does not match itself. */
static int count_processes(void)
{
    return atoi(cli_run("cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' '\\n' | grep -cx 'for-ever[.]gltf'").out);
}

/* Whoever ends the command ends assimp's process as well. */
static void test_interrupt(void **state)
{
    (void)state;
    need_assimp();
    static const char *const signals[] = {"INT", "TERM", "KILL"};
    write_gltf("for-ever.gltf", "wait.bin", "36");
    assert_int_equal(cli_run("mkfifo wait.bin").status, 0);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        cli_run("timeout -s %s 0.5 tumble info for-ever.gltf", signals[i]);
        int left = 1;
        for (int turn = 0; turn < 100 && (left = count_processes()) > 0; turn++) {
            nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
        }
        assert_int_equal(left, 0);
    }
}

/* Half a million brackets in each other, closed or not. */
static void write_brackets(const char *name, const char *start, int are_closed)
{
    enum {
        COUNT = 500000
    };
    const size_t length = strlen(start);
    char *text = malloc(length + 2 * COUNT + 2);
    assert_non_null(text);
    memcpy(text, start, length);
    memset(text + length, '[', COUNT);
    memset(text + length + COUNT, ']', COUNT);
    memcpy(text + length + 2 * COUNT, "}", 2);
    text[length + (are_closed ? 2 * COUNT + 1 : COUNT)] = '\0';
    cli_write_file(name, text);
    free(text);
}

/* Groups and brackets in each other: assimp's own stack overflows. Nothing is left behind. */
static void test_crash(void **state)
{
    (void)state;
    need_assimp();
    write_brackets("closed.gltf", "{\"asset\":{\"version\":\"2.0\"},\"extras\":", 1);
    write_brackets("open.gltf", "", 0);
    const size_t files = cli_count_files();
    cli_expect_error("tumble info closed.gltf", "closed.gltf: assimp crashed while it read the file", "convert it to",
                     NULL);
    cli_expect_error("tumble check open.gltf cube.obj", "open.gltf: assimp crashed", "convert it to", NULL);
    assert_int_equal(cli_count_files(), files);
    cli_expect(0, "{ printf 'AC3Db\\n'; yes 'OBJECT group\nkids 1' | head -n 800000; } >deep.ac");
    cli_expect_error("tumble info deep.ac", "deep.ac: assimp crashed while it read the file", "convert it to", NULL);
    cli_expect_error("tumble check cube.obj deep.ac", "deep.ac: assimp crashed", NULL);
}

/* Assimp's process is killed from outside. */
static void test_killed(void **state)
{
    (void)state;
    need_assimp();
    write_gltf("killed.gltf", "killed.bin", "36");
    assert_int_equal(cli_run("mkfifo killed.bin").status, 0);
    const cli_result result = cli_run("tumble info killed.gltf & parent=$!; child=; "
                                      "while test -z \"$child\" && kill -0 $parent; do sleep 0.02; "
                                      "for stat in /proc/[0-9]*/stat; do "
                                      "{ read -r pid name state above rest <$stat; } 2>/dev/null || continue; "
                                      "test \"$above\" != $parent || child=$pid; done; done; "
                                      "kill -KILL $child; wait $parent");
    assert_int_equal(result.status, 2);
    assert_string_equal(result.out, "");
    assert_non_null(strstr(result.err, "tumble: error: killed.gltf: assimp crashed while it read the file (Killed)"));
}

static void test_memory_limit(void **state)
{
    (void)state;
    need_assimp();
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    skip();
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    skip();
#endif
#endif
    write_gltf("large.gltf", "large.bin", "1000000000");
    assert_int_equal(cli_run("truncate -s 1000000000 large.bin").status, 0); /* takes no space on the disk */
    cli_expect_error("tumble info large.gltf --import-memory 200", "large.gltf", "200 MiB", "--import-memory", NULL);
    cli_expect_error("tumble info large.gltf --import-memory 1", "out of range", NULL);
}

/* Assimp 5.2 leaves null children behind, which were once looked at. */
static void test_raw(void **state)
{
    (void)state;
    need_assimp();
    cli_write_file("two.raw", "1 0 0 0 0 0 1 0 0 0 1 0\n1 0 0 0 0 1 1 0 1 0 1 1\n0 1 0 0 0 2 1 0 2 0 1 2\n");
    cJSON *json = cli_json_line(cli_expect(0, "tumble info two.raw --json").out, 0);
    assert_true(cli_number(json, "triangles") == 3);
    cJSON_Delete(json);
}

/* Rows that are too long, too short, no numbers, or without an end: read as far as assimp does, or an error. */
static void test_hostile_raw(void **state)
{
    (void)state;
    need_assimp();
    test_random random = {3};
    static const char *const pieces[] = {"0 0 0 1 0 0 0 1 0",
                                         "1 2 3 4 5 6 7 8 9 10 11 12",
                                         " ",
                                         "\n",
                                         "\"",
                                         "name\n",
                                         "1e999 ",
                                         "nan inf -0 ",
                                         "0x1p4 ",
                                         "\xff\xfe",
                                         "1 0 0 0 0 0 1 0 0 0 1 0 \"t\"\n"};
    for (int i = 0; i < 12; i++) {
        char text[4000] = "";
        const int count = test_random_whole(&random, 1, 60);
        for (int k = 0; k < count; k++) {
            strcat(text, pieces[test_random_whole(&random, 0, 10)]);
        }
        cli_write_bytes("hostile.raw", text, strlen(text) + (size_t)test_random_whole(&random, 0, 3));
        const cli_result result = cli_run("tumble info hostile.raw");
        assert_true(result.status == 0 || (result.status == 2 && strstr(result.err, "tumble: error: hostile.raw: ")));
    }
}

/* Damaged files of formats that are read elsewhere: an error, whatever assimp does. */
static void test_damaged(void **state)
{
    (void)state;
    need_assimp();
    static const char *const names[] = {"a.fbx", "a.3ds", "a.blend", "a.glb", "a.lwo", "a.mdl", "a.x",  "a.ms3d",
                                        "a.dae", "a.ifc", "a.3mf",   "a.b3d", "a.md2", "a.iqm", "a.m3d"};
    static const char rubbish[] = "Kaydara FBX Binary  \0\x1a\0PK\3\4 xof 0302txt 0064 glTF\2\0\0\0 <a><b> FORM MM";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        cli_write_bytes(names[i], rubbish, sizeof rubbish);
        char line[64];
        snprintf(line, sizeof line, "tumble info %s", names[i]);
        cli_expect_error(line, names[i], NULL);
        cli_write_bytes(names[i], "", 0);
        cli_expect_error(line, names[i], NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_no_faces),
                                       cmocka_unit_test(test_advice),
                                       cmocka_unit_test(test_advice_about_files),
                                       cmocka_unit_test(test_drawing_folder),
                                       cmocka_unit_test(test_nff),
                                       cmocka_unit_test(test_ply_warning),
                                       cmocka_unit_test(test_collada),
                                       cmocka_unit_test(test_up),
                                       cmocka_unit_test(test_other_formats),
                                       cmocka_unit_test(test_files_without_units),
                                       cmocka_unit_test(test_units_that_differ),
                                       cmocka_unit_test(test_ifc),
                                       cmocka_unit_test(test_gltf),
                                       cmocka_unit_test(test_hang),
                                       cmocka_unit_test(test_interrupt),
                                       cmocka_unit_test(test_crash),
                                       cmocka_unit_test(test_killed),
                                       cmocka_unit_test(test_memory_limit),
                                       cmocka_unit_test(test_raw),
                                       cmocka_unit_test(test_hostile_raw),
                                       cmocka_unit_test(test_damaged)};
    return cmocka_run_group_tests(tests, setup, cli_teardown);
}

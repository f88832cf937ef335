/* Poses on the command line and in files: every form in which they can be written, and the errors of others. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli_run.h"
#include "support.h"

/* The unit cube as six quads. */
static const char cube[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                           "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 1 5 8 4\nf 2 3 7 6\n";

/* A triangle that pierces the top of the cube, number 1, and nothing else. */
static const char needle[] = "OFF\n3 1 0\n0.25 0.25 0.5\n0.5 0.25 0.5\n0.375 0.25 1.5\n3 0 1 2\n";

/* One corner at the origin is where the pose puts it; the other two are so small that they do not matter. */
static const char speck[] = "OFF\n3 1 0\n3 1 0\n3 1 1e-9\n3 1.000000001 0\n3 0 1 2\n";

static int setup(void **state)
{
    cli_setup(state);
    cli_write_file("cube.obj", cube);
    cli_write_file("needle.off", needle);
    cli_write_file("speck.off", speck);
    return 0;
}

/* ---- where a pose puts the point (3, 1, 0) ---- */

static void get_place(const char *line, size_t step, double out[3])
{
    const cli_result result = cli_run("%s", line);
    if (result.status != 0) {
        fail_msg("%s: status %d, %s", line, result.status, result.err);
    }
    cJSON *json = cli_json_line(result.out, step);
    const cJSON *point = cli_array(json, "point_b");
    for (int i = 0; i < 3; i++) {
        out[i] = cJSON_GetArrayItem(point, i)->valuedouble;
    }
    cJSON_Delete(json);
}

static void expect_place(const char *options, double x, double y, double z)
{
    char line[1024];
    double place[3];
    snprintf(line, sizeof line, "tumble distance cube.obj speck.off --json %s", options);
    get_place(line, 0, place);
    if (!(fabs(place[0] - x) < 1e-6 && fabs(place[1] - y) < 1e-6 && fabs(place[2] - z) < 1e-6)) {
        fail_msg("%s: (%g, %g, %g)", options, place[0], place[1], place[2]);
    }
}

/* ---- one pose, many forms ---- */

/* A quarter turn about z, then 5 along x: (3, 1, 0) comes to (4, 3, 0). */
static const char *const forms[] = {
    "0 -1 0 5  1 0 0 0  0 0 1 0",
    "0,-1,0,5,1,0,0,0,0,0,1,0",
    "0 -1 0 5; 1 0 0 0; 0 0 1 0",
    "[0, -1, 0, 5, 1, 0, 0, 0, 0, 0, 1, 0]",
    "[0 -1 0 5; 1 0 0 0; 0 0 1 0]",
    "[[0, -1, 0, 5], [1, 0, 0, 0], [0, 0, 1, 0]]",
    "[[0,-1,0,5],[1,0,0,0],[0,0,1,0],[0,0,0,1]]",
    "[0,-1,0,5],[1,0,0,0],[0,0,1,0]",
    "0 -1 0 5 1 0 0 0 0 0 1 0 0 0 0 1",
    "[0 -1 0 5 1 0 0 0 0 0 1 0 0 0 0 1]",
    "[[[0,-1,0,5],[1,0,0,0],[0,0,1,0],[0,0,0,1]]]",
    "0 -1 0 5\n1 0 0 0\n0 0 1 0",
    "0 -1 0 5\n1 0 0 0\n0 0 1 0\n0 0 0 1\n",
    "[[0 -1 0 5]\n [1 0 0 0]\n [0 0 1 0]\n [0 0 0 1]]",
    "\xef\xbb\xbf 0 -1 0 5  1 0 0 0  0 0 1 0",
    "quaternion 0.70710678 0 0 0.70710678  5 0 0",
    "[quaternion 0.707107 0 0 0.707107 5 0 0]",
    "quaternion-xyzw 0 0 0.707107 0.707107  5 0 0",
};
enum {
    FORM_COUNT = sizeof forms / sizeof forms[0]
};

static void test_forms_of_an_option(void **state)
{
    (void)state;
    for (size_t i = 0; i < FORM_COUNT; i++) {
        char options[512];
        snprintf(options, sizeof options, "--pose-b '%s'", forms[i]);
        expect_place(options, 4, 3, 0);
    }
    expect_place("--pose-b 0 -1 0 5  1 0 0 0  0 0 1 0", 4, 3, 0);
    expect_place("--pose-b 0 -1 0 5  1 0 0 0  0 0 1 0  0 0 0 1", 4, 3, 0);
    expect_place("--pose-b quaternion 0.707107 0 0 0.707107 5 0 0", 4, 3, 0);
    expect_place("--pose-b 'quaternion 1 0 0 0'", 3, 1, 0);
}

/* A file with one pose in this form, and one with that of all forms behind each other. */
static void test_forms_of_a_file(void **state)
{
    (void)state;
    char all[FORM_COUNT * 128], *at = all;
    for (size_t i = 0; i < FORM_COUNT; i++) {
        cli_write_file("one.txt", forms[i]);
        expect_place("--poses one.txt", 4, 3, 0);
        at += sprintf(at, "# form %zu\n%s\n", i, forms[i] + (forms[i][0] == '\xef' ? 3 : 0));
    }
    cli_write_file("all.txt", all);
    for (size_t i = 0; i < FORM_COUNT; i++) {
        double place[3];
        get_place("tumble distance cube.obj speck.off --json --poses all.txt", i, place);
        assert_true(fabs(place[0] - 4) < 1e-6 && fabs(place[1] - 3) < 1e-6 && fabs(place[2]) < 1e-6);
    }
    assert_int_equal(cli_count_lines(cli_expect(0, "tumble distance cube.obj speck.off --json --poses all.txt").out),
                     FORM_COUNT);
}

/* What other programs write: a list of matrices, over as many lines as they please. */
static void test_list_of_matrices(void **state)
{
    (void)state;
    cli_write_file("list.json", "[\n  [[1, 0, 0, 2],\n   [0, 1, 0, 0],\n   [0, 0, 1, 0],\n   [0, 0, 0, 1]],\n"
                                "  [[1, 0, 0, 3], [0, 1, 0, 0],\n   [0, 0, 1, 0], [0, 0, 0, 1]]\n]\n");
    cli_write_file("flat.json", "[[1,0,0,2,0,1,0,0,0,0,1,0],\n[1,0,0,3,0,1,0,0,0,0,1,0]]");
    cli_write_file("rows.txt", "# one\n1 0 0 2\n0 1 0 0\n0 0 1 0\n# two\n1 0 0 3\n0 1 0 0\n0 0 1 0\n");
    static const char *const files[] = {"list.json", "flat.json", "rows.txt"};
    for (size_t i = 0; i < 3; i++) {
        char line[128];
        snprintf(line, sizeof line, "tumble distance cube.obj speck.off --json --poses %s", files[i]);
        for (size_t step = 0; step < 2; step++) {
            double place[3];
            get_place(line, step, place);
            assert_true(fabs(place[0] - (double)(5 + step)) < 1e-6);
        }
        assert_int_equal(cli_count_lines(cli_expect(0, "%s", line).out), 2);
    }
}

/* ---- moves and turns ---- */

static void test_moves_and_turns(void **state)
{
    (void)state;
    expect_place("--move-b '5 0 -1'", 8, 1, -1);
    expect_place("--move-b 5 0 -1", 8, 1, -1);
    expect_place("--move-b=5,0,-1", 8, 1, -1);
    expect_place("--move-b -9 0 0", -6, 1, 0);
    expect_place("--turn-b 'x 90'", 3, 0, 1);
    expect_place("--turn-b y -90", 0, 1, 3);
    expect_place("--turn-b 'z 450'", -1, 3, 0);
    expect_place("--turn-b '0 0 -2 270'", -1, 3, 0);
    expect_place("--turn-b 1 1 1 120", 0, 3, 1);
    expect_place("--turn-b 'z 60'", 1.5 - sqrt(0.75), 3 * sqrt(0.75) + 0.5, 0);
    /* in the order of the command line, after the pose, wherever that stands */
    expect_place("--turn-b 'z 90' --move-b '5 0 0'", 4, 3, 0);
    expect_place("--move-b '5 0 0' --turn-b 'z 90'", -1, 8, 0);
    expect_place("--move-b '5 0 0' --turn-b 'z 90' --pose-b '1 0 0 0 0 1 0 1 0 0 1 0'", -2, 8, 0);
    expect_place("--turn-b 'z 90' --turn-b 'x 90' --move-b '0 -5 0' --move-b '0 1 0'", -1, -4, 3);
    /* and after every pose of a file */
    cli_write_file("moved.txt", "1 0 0 0 0 1 0 1 0 0 1 0\n");
    expect_place("--poses moved.txt --turn-b 'z 90' --move-b '0 0 2'", -2, 3, 2);
}

/* A turn by right angles has no rounding: faces that lie on each other still do. */
static void test_right_angles_are_exact(void **state)
{
    (void)state;
    static const char *const turns[] = {"x 90", "y 180", "z 270", "z -450", "1 0 0 90"};
    for (size_t i = 0; i < 5; i++) {
        cJSON *json =
            cli_json_line(cli_expect(1, "tumble check cube.obj cube.obj --json --relation --turn-a '%s' --turn-b '%s'",
                                     turns[i], turns[i])
                              .out,
                          0);
        assert_true(cli_bool(json, "collide"));
        cJSON_Delete(json);
    }
    cJSON *json = cli_json_line(
        cli_expect(1, "tumble check cube.obj cube.obj --json --relation --turn-b 'z 90' --move-b '2 0 0'").out, 0);
    assert_string_equal(cli_string(json, "relation"), "touching"); /* x from 1 to 2: face on face */
    cJSON_Delete(json);
}

static void test_model_a(void **state)
{
    (void)state;
    expect_place("--move-a '0 0 100'", 3, 1, 0);
    cJSON *json = cli_json_line(
        cli_expect(0, "tumble distance cube.obj speck.off --json --turn-a 'z 180' --move-a 0 0 2").out, 0);
    assert_true(fabs(cli_number(json, "distance") - sqrt(3 * 3 + 1 * 1 + 2 * 2)) < 1e-6);
    cJSON_Delete(json);
}

static void test_move_errors(void **state)
{
    (void)state;
    cli_expect_error("tumble check cube.obj needle.off --move-b '1 2'", "--move-b '1 2'", "three numbers", NULL);
    cli_expect_error("tumble check cube.obj needle.off --move-a '1 2 x'", "--move-a", "three numbers", NULL);
    cli_expect_error("tumble check cube.obj needle.off --move-a '1 2 inf'", "--move-a", "three numbers", NULL);
    cli_expect_error("tumble check cube.obj needle.off --turn-b 90", "--turn-b '90'", "\"z 90\"", NULL);
    cli_expect_error("tumble check cube.obj needle.off --turn-b 'w 90'", "--turn-b", "degrees", NULL);
    cli_expect_error("tumble check cube.obj needle.off --turn-b '0 0 0 90'", "--turn-b", "no direction", NULL);
    cli_expect_error("tumble check cube.obj needle.off --turn-b", "--turn-b needs a value", NULL);
    cli_expect_error("tumble check cube.obj needle.off --move-b '1e308 0 0' --move-b '1e308 0 0'", "moves and turns",
                     NULL);
}

/* ---- matrices with too few digits ---- */

static void test_few_digits(void **state)
{
    (void)state;
    /* 30 degrees about x with four digits, alone and with a scale of 1.5 */
    static const char rough[] = "1 0 0 0  0 0.8660 -0.5 0  0 0.5 0.8660 0";
    cli_expect_error("tumble distance cube.obj speck.off --pose-b '1 0 0 0  0 0.8660 -0.5 0  0 0.5 0.8660 0'",
                     "--pose-b: column 2 is 0.999978 times as long as column 1", "within 1e-5", "seven digits",
                     "--orthonormalise", NULL);
    char options[256];
    snprintf(options, sizeof options, "--pose-b '%s' --orthonormalise", rough);
    expect_place(options, 3, cos(atan2(0.5, 0.866)), sin(atan2(0.5, 0.866)));
    expect_place("--pose-b '1.5 0 0 0  0 1.2990 -0.75 0  0 0.75 1.2990 0' --orthonormalise", 3 * 1.499978,
                 1.499978 * cos(atan2(0.75, 1.299)), 1.499978 * sin(atan2(0.75, 1.299)));
    cli_expect_error("tumble distance cube.obj speck.off --pose-b '1 0.0001 0 0  0 1 0 0  0 0 1 0'",
                     "columns 1 and 2 is 0.0001", "within 1e-5", "--orthonormalise", NULL);
    cli_write_file("rough.txt", "1 0 0 0  0 1 0 0  0 0 1 0\n\n1 0 0 0  0 1 0 0  0 0 1.0001 0\n");
    cli_expect_error("tumble distance cube.obj speck.off --poses rough.txt",
                     "rough.txt: line 3, step 1: column 3 is 1.0001", "within 1e-5", "--orthonormalise", NULL);
    cli_expect(0, "tumble distance cube.obj speck.off --poses rough.txt --orthonormalise");
}

/* The nearest rotation, and the scale: what is exact stays as it is, what is far off is refused all the same. */
static void test_orthonormalise(void **state)
{
    (void)state;
    expect_place("--orthonormalise --pose-b '0 -2 0 5  2 0 0 0  0 0 2 0'", 3, 6, 0);
    expect_place("--orthonormalise --pose-b '1 0 0 0  0 1 0 0  0 0 1 0'", 3, 1, 0);
    expect_place("--orthonormalise --pose-b '1.5 0 0 0  0 1.5 0 0  0 0 1.5 0'", 4.5, 1.5, 0);
    const double angle = atan(0.001);
    expect_place("--orthonormalise --pose-b '1 0.001 0 0  -0.001 1 0 0  0 0 1 0'", 3 * cos(angle) + sin(angle),
                 cos(angle) - 3 * sin(angle), 0);
    expect_place("--orthonormalise --pose-b 'quaternion 3 0 0 3'", -1, 3, 0);
    cli_expect_error("tumble check cube.obj needle.off --orthonormalise --pose-b '1 0 0 0 0 1.1 0 0 0 0 1 0'",
                     "column 2 is 1.1 times", "not a rotation", NULL);
    cli_expect_error("tumble check cube.obj needle.off --orthonormalise --pose-b '-1 0 0 0 0 1 0 0 0 0 1 0'", "mirror",
                     NULL);
    cli_expect_error("tumble check cube.obj needle.off --orthonormalise --pose-b '0 0 0 0 0 0 0 0 0 0 0 0'",
                     "column 1 is 0", NULL);
    cli_expect_error("tumble check cube.obj needle.off --orthonormalise", "give one of these", NULL);
    cli_expect_error("tumble check cube.obj needle.off --orthonormalise --move-b '1 2 3'", "give one of these", NULL);
    cli_expect_error("tumble check cube.obj needle.off --pose-b 'quaternion 3 0 0 3'", "length 4.24",
                     "--orthonormalise", NULL);
    cli_expect_error("tumble check cube.obj needle.off --pose-b 'quaternion 0 0 0 0'", "length 0", NULL);
}

static void pose_error(const char *text, const char *fact, const char *way_out)
{
    char line[256];
    snprintf(line, sizeof line, "tumble check cube.obj needle.off --pose-b '%s'", text);
    cli_expect_error(line, "--pose-b", fact, way_out, NULL);
}

static void test_malformed(void **state)
{
    (void)state;
    pose_error("1 0 0 0  0 1 0 0  0 0 1 0  0 0 0 2", "fourth row is 0 0 0 2", "0 0 0 1");
    pose_error("1 0 0 0  0 1 0 0  0 0 1 0  5 6 7 1", "fourth row is 5 6 7 1", "last column");
    pose_error("[[1,0,0,0],[0,1,0,0],[0,0,1,0]", "bracket is not closed", "]");
    pose_error("1,0,0,0],[0,1,0,0],[0,0,1,0]]", "without '['", "12 numbers");
    pose_error("[[1,0,0,0],[0,1,0,0]]", "2 rows", "3 or 4");
    pose_error("[[1,0,0],[0,1,0],[0,0,1]]", "3 numbers", "12 or 16");
    pose_error("[1 2 3 4 [5 6 7 8]]", "after numbers", "12 numbers");
    pose_error("[[[[[[[[1 2 3 4]]]]]]]]", "too many brackets", "12 numbers");
    pose_error("[[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1],[0,0,0,1]]", "more than 4 rows", "brackets");
    pose_error("quaternion 1 0 0", "3 numbers", "four");
    pose_error("quaternoin 1 0 0 0", "'quaternoin' is not a number", "quaternion w x y z");
    pose_error("1 0 0 0 0 1 0 0 0 0 1 0\n1 0 0 0 0 1 0 0 0 0 1 0", "2 poses", "give one");
    pose_error("0.7 0 0 0.7  5 0 0", "7 numbers", "quaternion w x y z");
}

/* ---- files and arguments ---- */

static void test_poses_file(void **state)
{
    (void)state;
    cli_write_file("path.txt", "# far, near, turned by a quarter about x\r\n"
                               "1 0 0 10  0 1 0 0  0 0 1 0\r\n"
                               "\n   \t\n"
                               "1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 # near\n"
                               "1 0 0 10 0 0 -1 0 0 1 0 0"); /* no line break at the end */
    const cli_result result = cli_expect(1, "tumble check cube.obj needle.off --poses path.txt --json");
    assert_int_equal(cli_count_lines(result.out), 3);
    for (size_t step = 0; step < 3; step++) {
        cJSON *json = cli_json_line(result.out, step);
        assert_true(cli_number(json, "step") == (double)step);
        assert_int_equal(cli_bool(json, "collide"), step == 1);
        assert_true(cli_number(json, "pair_count") == (step == 1));
        assert_int_equal(cJSON_GetArraySize(cli_array(json, "pairs")), step == 1);
        assert_string_equal(cli_string(json, "hierarchy"), "wide");
        cJSON_Delete(json);
    }
    cli_write_file("free.txt", "1 0 0 10 0 1 0 0 0 0 1 0\n1 0 0 -10 0 1 0 0 0 0 1 0\n");
    cli_expect(0, "tumble check cube.obj needle.off --poses free.txt --json");
    assert_non_null(strstr(cli_expect(1, "tumble check cube.obj needle.off --poses path.txt").out, "at 1 of 3 poses"));
    assert_non_null(
        strstr(cli_expect(0, "tumble check cube.obj needle.off --poses free.txt --stats").out, "at 0 of 2 poses"));
}

static void pose_file_error(const char *text, const char *line, const char *word)
{
    cli_write_file("bad.txt", text);
    cli_expect_error("tumble check cube.obj needle.off --poses bad.txt --json", "bad.txt", line, word, NULL);
}

static void test_poses_file_errors(void **state)
{
    (void)state;
    pose_file_error("1 0 0 0 0 1 0 0 0 0 1 0\n# two\n1 0 0 0 0 1 0 0 0 0 1\n", "line 3", "11 numbers");
    pose_file_error("1 0 0 0 0 1 0 0 0 0 1 0 7\n", "line 1", "13 numbers");
    pose_file_error("\n1 0 0 zero 0 1 0 0 0 0 1 0\n", "line 2", "'zero' is not a number");
    pose_file_error("1 0 0 0x 0 1 0 0 0 0 1 0\n", "line 1", "is not a number");
    pose_file_error("1 0 0 nan 0 1 0 0 0 0 1 0\n", "line 1", "nan");
    pose_file_error("1 0 0 1e999 0 1 0 0 0 0 1 0\n", "line 1", "finite");
    pose_file_error("1 0 0 0 0 2 0 0 0 0 1 0\n", "line 1", "scale");
    pose_file_error("1 0 0 0 0 1 0 0 0 0 -1 0\n", "line 1", "mirror");
    pose_file_error("# nothing\n\n", "bad.txt", "no poses");
    pose_file_error("", "bad.txt", "no poses");
    cli_expect_error("tumble check cube.obj needle.off --poses missing.txt", "missing.txt", "cannot be opened", NULL);
    cli_expect_error("tumble check cube.obj needle.off --poses .", "cannot be read", NULL);
    cli_expect_error("tumble check cube.obj needle.off --poses bad.txt --pose-b '1 0 0 0 0 1 0 0 0 0 1 0'", "--poses",
                     "--pose-b", "leave one of them out", NULL);
}

static void test_pose_arguments(void **state)
{
    (void)state;
    cli_expect(0, "tumble check cube.obj needle.off --pose-b 1 0 0 10 0 1 0 0 0 0 1 0");
    cli_expect(0, "tumble check --pose-b 1 0 0 -10 0 1 0 0 0 0 1 0 cube.obj needle.off");
    cli_expect(0, "tumble check cube.obj needle.off --pose-b=1,0,0,10,0,1,0,0,0,0,1,0");
    cli_expect(1, "tumble check cube.obj needle.off --pose-b '2 0 0 0  0 2 0 0  0 0 2 -0.5'"); /* scaled */
    cli_expect_error("tumble check cube.obj needle.off --pose-b '1 0 0'", "--pose-b", "3 numbers", NULL);
    cli_expect_error("tumble check cube.obj needle.off --pose-a '1 0 0 a 0 1 0 0 0 0 1 0'", "--pose-a", "not a number",
                     NULL);
    cli_expect_error("tumble check cube.obj needle.off --pose-b '1 0 0 0 0 1 0 0 0 0 nan 0'", "--pose-b", "nan", NULL);
    cli_expect_error("tumble check cube.obj needle.off --pose-a '1 0.5 0 0 0 1 0 0 0 0 1 0'", "--pose-a", "rotation",
                     NULL);
    cli_expect_error("tumble check cube.obj needle.off --pose-b ''", "--pose-b is empty", NULL);
    cli_expect_error("tumble check cube.obj needle.off --pose-b 1 0 0 10 0 1 0 0 0 0 1", "--pose-b", "11 numbers",
                     NULL);
}

/* ---- standard input ---- */

static void test_standard_input(void **state)
{
    (void)state;
    const cli_result result = cli_expect(1, "printf '1 0 0 9 0 1 0 0 0 0 1 0\\n1 0 0 0 0 1 0 0 0 0 1 0\\n' | "
                                            "tumble check cube.obj needle.off --poses - --json");
    assert_int_equal(cli_count_lines(result.out), 2);
    cli_expect_error("echo nonsense | tumble check cube.obj needle.off --poses -", "standard input: line 1, step 0",
                     "'nonsense'", NULL);
    cli_expect_error("tumble check cube.obj needle.off --poses - </dev/null", "standard input: has no poses", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_poses_file),      cmocka_unit_test(test_poses_file_errors),
        cmocka_unit_test(test_pose_arguments),  cmocka_unit_test(test_forms_of_an_option),
        cmocka_unit_test(test_forms_of_a_file), cmocka_unit_test(test_list_of_matrices),
        cmocka_unit_test(test_moves_and_turns), cmocka_unit_test(test_right_angles_are_exact),
        cmocka_unit_test(test_model_a),         cmocka_unit_test(test_move_errors),
        cmocka_unit_test(test_few_digits),      cmocka_unit_test(test_orthonormalise),
        cmocka_unit_test(test_malformed),       cmocka_unit_test(test_standard_input),
    };
    return cmocka_run_group_tests(tests, setup, cli_teardown);
}

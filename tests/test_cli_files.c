/* The files that a command line names: no output over an input, no two outputs in one file, standard input; and what an
 * interrupt leaves on the terminal. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli_run.h"
#include "support.h"

/* The unit cube as six quads. */
static const char cube[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                           "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 1 5 8 4\nf 2 3 7 6\n";
static const char path[] = "1 0 0 3 0 1 0 0 0 0 1 0\n1 0 0 4 0 1 0 0 0 0 1 0\n";

static int setup(void **state)
{
    cli_setup(state);
    cli_write_file("a.obj", cube);
    cli_write_file("b.obj", cube);
    cli_write_file("path.txt", path);
    cli_run("mkdir folder && ln -s a.obj link.obj && ln b.obj hard.obj && ln -s . here");
    return 0;
}

/* ---- outputs over inputs ---- */

static void expect_untouched(void)
{
    static const char *const names[] = {"a.obj", "b.obj", "path.txt"};
    for (size_t i = 0; i < 3; i++) {
        char *text = cli_read_file(names[i], NULL);
        assert_string_equal(text, i < 2 ? cube : path);
        free(text);
    }
}

static void expect_refused(const char *line, const char *output, const char *input)
{
    const size_t files = cli_count_files();
    cli_expect_error(line, output, "would overwrite", input, "another name", NULL);
    assert_int_equal(cli_count_files(), files);
    expect_untouched();
}

/* Whatever the command, whatever the option, and however the file is named. */
static void test_no_output_over_an_input(void **state)
{
    (void)state;
    expect_refused("tumble check a.obj b.obj -o a.obj", "a.obj: --output", "model A");
    expect_refused("tumble check a.obj b.obj --json -o b.obj", "b.obj: --output", "model B");
    expect_refused("tumble check a.obj b.obj -o ./a.obj", "./a.obj: --output", "model A");
    expect_refused("tumble check a.obj b.obj -o folder/../a.obj", "--output", "model A");
    expect_refused("tumble check a.obj b.obj -o here/a.obj", "here/a.obj: --output", "model A");
    expect_refused("tumble check a.obj b.obj -o link.obj", "link.obj: --output", "model A");
    expect_refused("tumble check link.obj b.obj -o a.obj", "a.obj: --output", "model A");
    expect_refused("tumble check a.obj b.obj -o hard.obj", "hard.obj: --output", "model B");
    expect_refused("tumble check a.obj b.obj --poses path.txt -o path.txt", "path.txt: --output", "--poses");
    expect_refused("tumble distance a.obj b.obj -o b.obj", "b.obj: --output", "model B");
    expect_refused("tumble distance a.obj b.obj --poses path.txt -o here/path.txt", "--output", "--poses");
    expect_refused("tumble info a.obj -o a.obj", "a.obj: --output", "the model");
    expect_refused("tumble build a.obj -o a.obj", "a.obj: --output", "the model");
    expect_refused("tumble build a.obj -o link.obj", "link.obj: --output", "the model");
    expect_refused("tumble make poses a.obj b.obj -o b.obj", "b.obj: --output", "model B");
}

/* A drawing too: its name ends in .svg, but so may a link. */
static void test_no_drawing_over_an_input(void **state)
{
    (void)state;
    cli_run("ln -s b.obj drawing.svg && ln path.txt drawn.svg");
    expect_refused("tumble distance a.obj b.obj --picture drawing.svg", "drawing.svg: --picture", "model B");
    expect_refused("tumble distance a.obj b.obj --poses path.txt --plot drawn.svg", "drawn.svg: --plot", "--poses");
}

static void test_outputs_in_one_file(void **state)
{
    (void)state;
    static const char *const options[] = {"-o x.svg --picture x.svg", "-o x.svg --plot ./x.svg",
                                          "--plot x.svg --picture x.svg",
                                          "--plot here/x.svg --picture folder/../x.svg"};
    const size_t files = cli_count_files();
    for (size_t i = 0; i < 4; i++) {
        char line[256];
        snprintf(line, sizeof line, "tumble distance a.obj b.obj --poses path.txt %s", options[i]);
        cli_expect_error(line, "x.svg", "would both write", "two names", NULL);
    }
    assert_int_equal(cli_count_files(), files);
    cli_expect(0, "tumble distance a.obj b.obj --poses path.txt --plot x.svg --picture y.svg -o z.txt");
    cli_expect(0, "tumble distance a.obj b.obj --poses path.txt --plot x.svg --picture y.svg -o z.txt"); /* again */
    cli_expect(0, "tumble distance a.obj b.obj --poses path.txt -o /dev/null");
}

/* ---- standard input and output ---- */

static void test_model_from_standard_input(void **state)
{
    (void)state;
    char *expected = strdup(cli_expect(1, "tumble check a.obj b.obj --count").out);
    const char *out = cli_expect(1, "tumble check - b.obj --count <a.obj").out;
    assert_string_equal(strchr(out, ' '), " input and b.obj intersect: 30 pairs of polygons.\n");
    assert_non_null(strstr(expected, "30 pairs"));
    free(expected);
    out = cli_expect(1, "cat b.obj | tumble check a.obj - --count").out;
    assert_string_equal(out, "a.obj and standard input intersect: 30 pairs of polygons.\n");
    cJSON *json = cli_json_line(cli_expect(0, "cat a.obj | tumble distance - b.obj --move-b '3 0 0' --json").out, 0);
    assert_string_equal(cli_string(cli_object(json, "a"), "file"), "-");
    assert_true(cli_number(json, "distance") == 2);
    cJSON_Delete(json);
    assert_true(strncmp(cli_expect(0, "cat a.obj | tumble info -").out, "standard input\n", 15) == 0);
    cli_expect(0, "cat a.obj | tumble build - -o a.tumble");
    cli_expect(1, "cat a.tumble | tumble check - b.obj"); /* a saved model comes the same way */
    cli_expect(0, "cat a.obj | tumble make poses - b.obj --count 5 -o poses.txt");
    cli_expect(1, "cat path.txt a.obj >/dev/null; tumble check a.obj b.obj --poses - <poses.txt");
}

/* JSON of every command tells what it is about. */
static void test_json_names_files(void **state)
{
    (void)state;
    cJSON *json = cli_json_line(cli_expect(0, "tumble info ./a.obj --json").out, 0);
    assert_string_equal(cli_string(json, "file"), "./a.obj");
    cJSON_Delete(json);
    json = cli_json_line(cli_expect(0, "tumble build a.obj -o named.tumble --json").out, 0);
    assert_string_equal(cli_string(json, "file"), "named.tumble");
    assert_string_equal(cli_string(json, "from"), "a.obj");
    cJSON_Delete(json);
    json = cli_json_line(cli_expect(0, "tumble make poses a.obj b.obj --count 3 -o named.txt --json").out, 0);
    assert_string_equal(cli_string(json, "file"), "named.txt");
    assert_string_equal(cli_string(cli_object(json, "a"), "file"), "a.obj");
    assert_true(cli_number(cli_object(json, "b"), "polygons") == 6);
    cJSON_Delete(json);
}

static void test_standard_input_once(void **state)
{
    (void)state;
    cli_expect_error("tumble check - - <a.obj", "model A and model B are both '-'", "only once", "as a file", NULL);
    cli_expect_error("tumble check a.obj - --poses - <a.obj", "model B and --poses are both '-'", "as a file", NULL);
    cli_expect_error("tumble make poses - - -o p.txt <a.obj", "model A and model B", NULL);
    cli_expect_error("echo nonsense | tumble info -", "standard input: ", NULL);
    assert_null(strstr(cli_run("echo nonsense | tumble info -").err, "/dev/fd"));
    assert_null(strstr(cli_run("printf 'v 0 0 0\\nf 1 2 3\\n' | tumble info -").err, "/dev/fd"));
}

static void test_standard_output(void **state)
{
    (void)state;
    const size_t files = cli_count_files();
    char *expected = strdup(cli_expect(1, "tumble check a.obj b.obj").out);
    assert_string_equal(cli_expect(1, "tumble check a.obj b.obj -o -").out, expected);
    free(expected);
    cli_expect_error("tumble build a.obj -o -", "standard output", "name of a file", NULL);
    cli_expect_error("tumble make box -o -", "standard output", "name of a file", NULL);
    cli_expect_error("tumble make poses a.obj b.obj -o -", "standard output", "name of a file", NULL);
    assert_int_equal(cli_count_files(), files);
    cli_write_file("./-", cube); /* a file that is really called so */
    cli_expect(1, "tumble check ./- b.obj </dev/null");
}

/* ---- the progress bar ---- */

/* The command with a terminal of its own as stderr; reads what it shows into `screen`. */
typedef struct watched {
    pid_t child;
    int terminal;
    char screen[1 << 16];
    size_t size;
} watched;

static void start_watching(watched *w)
{
    w->terminal = posix_openpt(O_RDWR | O_NOCTTY);
    assert_true(w->terminal >= 0 && grantpt(w->terminal) == 0 && unlockpt(w->terminal) == 0);
    const char *name = ptsname(w->terminal);
    w->child = fork();
    if (w->child == 0) {
        const int screen = open(name, O_RDWR | O_NOCTTY), null = open("/dev/null", O_WRONLY);
        if (chdir(cli_folder()) != 0 || dup2(null, 1) < 0 || dup2(screen, 2) < 0) {
            _exit(99);
        }
        execlp("tumble", "tumble", "check", "knot.obj", "knot.obj", "--hierarchy", "brute", (char *)NULL);
        _exit(99);
    }
}

/* Reads for so long, or until `word` has been seen; 0: the command has ended. */
static int watch(watched *w, const char *word, int milliseconds)
{
    while (!word || !strstr(w->screen, word)) {
        struct pollfd ready = {w->terminal, POLLIN, 0};
        const int got = poll(&ready, 1, milliseconds);
        const ssize_t size = got > 0 ? read(w->terminal, w->screen + w->size, sizeof w->screen - 1 - w->size) : -1;
        if (size <= 0) {
            return 0;
        }
        w->size += (size_t)size;
        w->screen[w->size] = '\0';
    }
    return 1;
}

/* Ctrl-C ends the command with a clean line: the last thing that it shows is that it clears the bar. */
static void test_interrupt_clears_progress(void **state)
{
    (void)state;
    cli_expect(0, "tumble make knot --triangles 60000 -o knot.obj"); /* 3.6e9 pairs of triangles: minutes */
    watched w = {.size = 0};
    start_watching(&w);
    assert_true(watch(&w, "checking", 60000));
    assert_int_equal(kill(w.child, SIGINT), 0);
    int status;
    assert_int_equal(waitpid(w.child, &status, 0), w.child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
    watch(&w, NULL, 200);
    static const char clear[] = "\r\033[K";
    assert_true(w.size > 4);
    assert_string_equal(w.screen + w.size - (sizeof clear - 1), clear);
    close(w.terminal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_output_over_an_input), cmocka_unit_test(test_no_drawing_over_an_input),
        cmocka_unit_test(test_outputs_in_one_file),     cmocka_unit_test(test_model_from_standard_input),
        cmocka_unit_test(test_json_names_files),        cmocka_unit_test(test_standard_input_once),
        cmocka_unit_test(test_standard_output),         cmocka_unit_test(test_interrupt_clears_progress),
    };
    return cmocka_run_group_tests(tests, setup, cli_teardown);
}

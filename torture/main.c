/* tumble_torture: options. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "run.h"

static const char help[] =
    "tumble_torture: asks the library questions at random and compares every answer with rational arithmetic.\n"
    "\n"
    "    tumble_torture                   on all processors, until interrupted (Ctrl-C ends it with a summary)\n"
    "    tumble_torture --hours 0.5       for half an hour\n"
    "    tumble_torture --from 1 --cases 200   the same 200 cases each time\n"
    "    tumble_torture --seed 0x2a       one case again\n"
    "\n"
    "A case is made from its seed alone: two small models (points on lattices, neighbouring doubles, shared edges,\n"
    "degenerate, subnormal, huge, mixed), some poses, models of these shapes with random hierarchies, options and\n"
    "histories (deformed, edited, saved), and some 300 questions, each with a random instruction set: collisions in "
    "all\n"
    "modes, clearances, distances, limits, budgets, near lists, coherent paths, relations, facts, batches on devices.\n"
    "\n"
    "A case that gives a wrong answer, crashes or hangs is shrunk: fewer triangles, simpler numbers, default options. "
    "Two\n"
    "files tell of it: SEED.txt, and test_torture_SEED.c, a test that is ready for tests/.\n"
    "\n"
    "    --hours N, --seconds N   end after this time\n"
    "    --cases N                end after so many cases\n"
    "    --from SEED              the first case's seed; default: from the clock\n"
    "    --seed SEED              ask this case only\n"
    "    --jobs N                 worker processes; default: one per processor\n"
    "    --out FOLDER             where failures are written; default: out/torture\n"
    "    --reports N              shrink at most N failures, three of a kind; default: 20\n"
    "    --shrink-seconds N       for each of them; default: 60\n"
    "    --patience N             seconds after which a case hangs; default: 300\n"
    "    --no-opencl              leave OpenCL devices out\n"
    "    --scene NAME             only cases of this kind: soup, combs, stairs, balls or sets\n"
    "    --slip NAME              falsify some answers, to see that torture notices: pair, distance, relation, edit,\n"
    "                             crash or hang\n"
    "\n"
    "The exit status is 0 if all answers were right, 1 if one was not, 2 for wrong options.\n";

static int usage(const char *what, const char *argument)
{
    fprintf(stderr, "tumble_torture: %s '%s'; --help tells more\n", what, argument);
    return 2;
}

static int read_number(const char *text, double most, double *out)
{
    char *end;
    errno = 0;
    *out = strtod(text, &end);
    return end != text && *end == 0 && errno == 0 && *out >= 0 && *out <= most;
}

static int read_seed(const char *text, uint64_t *out)
{
    char *end;
    errno = 0;
    *out = strtoull(text, &end, 0);
    return end != text && *end == 0 && errno == 0 && text[0] != '-';
}

static int read_slip(const char *text, torture_slip *out)
{
#define NAME(name, word) word,
    static const char *const names[] = {TORTURE_SLIP_LIST(NAME)};
#undef NAME
    for (int i = 0; i < TORTURE_SLIPS; i++) {
        if (strcmp(text, names[i]) == 0) {
            *out = (torture_slip)i;
            return 1;
        }
    }
    return 0;
}

static int read_scene(const char *text, int *out)
{
#define NAME(name, word) word,
    static const char *const names[] = {TORTURE_SCENE_LIST(NAME)};
#undef NAME
    for (int i = 0; i < TORTURE_SCENES; i++) {
        if (strcmp(text, names[i]) == 0) {
            *out = i;
            return 1;
        }
    }
    return 0;
}

typedef struct command {
    torture_options options;
    int has_seed;
    uint64_t seed;
} command;

/* One option with a value; 0: unknown or wrong. */
static int read_option(command *c, const char *name, const char *value)
{
    torture_options *o = &c->options;
    double number = 0;
    const struct {
        const char *name;
        double *target, factor;
    } numbers[] = {{"--hours", &o->seconds, 3600},
                   {"--seconds", &o->seconds, 1},
                   {"--shrink-seconds", &o->shrink_seconds, 1},
                   {"--patience", &o->patience, 1}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (strcmp(name, numbers[i].name) == 0) {
            const int good = read_number(value, 1e9, &number);
            *numbers[i].target = numbers[i].factor * number;
            return good;
        }
    }
    if (strcmp(name, "--jobs") == 0 || strcmp(name, "--reports") == 0) {
        const int good = read_number(value, 256, &number);
        *(strcmp(name, "--jobs") == 0 ? &o->jobs : &o->reports) = (uint32_t)number;
        return good && (number >= 1 || strcmp(name, "--reports") == 0);
    }
    if (strcmp(name, "--seed") == 0) {
        c->has_seed = 1;
        return read_seed(value, &c->seed);
    }
    if (strcmp(name, "--out") == 0) {
        o->folder = value;
        return 1;
    }
    return strcmp(name, "--cases") == 0   ? read_seed(value, &o->cases)
           : strcmp(name, "--from") == 0  ? read_seed(value, &o->from)
           : strcmp(name, "--slip") == 0  ? read_slip(value, &o->slip)
           : strcmp(name, "--scene") == 0 ? read_scene(value, &o->scene)
                                          : 0;
}

static torture_options defaults(void)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return (torture_options){.seconds = INFINITY,
                             .cases = UINT64_MAX,
                             .from = (uint64_t)time(NULL) * 0x10000,
                             .jobs = processors > 0 && processors < 256 ? (uint32_t)processors : 1,
                             .with_opencl = 1,
                             .patience = 300,
                             .shrink_seconds = 60,
                             .reports = 20,
                             .scene = -1,
                             .folder = "out/torture"};
}

int main(int argc, char **argv)
{
    command c = {.options = defaults()};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            fputs(help, stdout);
            return 0;
        }
        if (strcmp(argv[i], "--no-opencl") == 0) {
            c.options.with_opencl = 0;
        } else if (i + 1 == argc) {
            return usage("an unknown option, or one without its value:", argv[i]);
        } else if (!read_option(&c, argv[i], argv[i + 1])) {
            return usage("not understood:", argv[i]);
        } else {
            i++;
        }
    }
    if (c.has_seed) {
        return torture_replay(&c.options, c.seed);
    }
    printf("the first seed is 0x%llx; %u processes\n", (unsigned long long)c.options.from, c.options.jobs);
    return torture_run(&c.options);
}

/* What failed, in words and as a test. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "run.h"
#include "write.h"

/* All folders on the way. */
static void make_folder(const char *path)
{
    char part[512];
    for (const char *at = path; at; at = strchr(at + 1, '/')) {
        snprintf(part, sizeof part, "%.*s", (int)(at - path), path);
        if (part[0]) {
            (void)mkdir(part, 0777);
        }
    }
    (void)mkdir(path, 0777);
}

static void describe_recipe(FILE *out, const torture_recipe *recipe, char side)
{
    fprintf(out, "%c: %s, %s%s", side, tumble_hierarchy_name(recipe->hierarchy), torture_life_name(recipe->life),
            recipe->tuned ? ", tuned" : "");
}

static void describe(FILE *out, const torture_case *c, const torture_failure *failure)
{
    static const char *const levels[] = {"scalar", "AVX2", "AVX-512"};
    const torture_question *q = &c->questions[failure->question];
    fprintf(out, "    %zu x %zu polygons, %zu question%s; the last: %s, %s; ", c->shapes[0].polygon_count,
            c->shapes[1].polygon_count, failure->question + 1, failure->question ? "s" : "",
            torture_kind_name(failure->kind), levels[q->level]);
    describe_recipe(out, &c->recipes[0][q->recipe[0]], 'A');
    fputs("; ", out);
    describe_recipe(out, &c->recipes[1][q->recipe[1]], 'B');
    fputs("\n", out);
}

static void write_text(const char *path, const torture_options *options, const torture_case *c, uint64_t seed,
                       const torture_verdict *first, const torture_verdict *last, size_t steps)
{
    FILE *out = fopen(path, "w");
    if (!out) {
        fprintf(stderr, "torture: %s: %s\n", path, strerror(errno));
        return;
    }
    fprintf(out, "replay: tumble_torture --seed 0x%llx%s\n", (unsigned long long)seed,
            options->with_opencl ? "" : " --no-opencl");
    fprintf(out, "found:  %s\nshrunk: %s (%zu steps)\n", first->failure.text, last->failure.text, steps);
    describe(out, c, &last->failure);
    fclose(out);
}

int torture_report(const torture_options *options, uint64_t seed, const torture_verdict *seen)
{
    static torture_case c;
    char path[512];
    torture_make_case(&c, seed, options->with_opencl);
    const double patience = seen && seen->end == TORTURE_END_HANG ? options->patience / 2 : options->patience;
    const torture_verdict first = torture_try(&c, options->slip, options->with_opencl, patience, 0);
    if (first.end == TORTURE_END_RIGHT) {
        if (seen) {
            printf("seed 0x%llx failed once and not again: %s\n", (unsigned long long)seed, seen->failure.text);
        }
        return 0;
    }
    torture_verdict last = first;
    const size_t steps = torture_shrink(&c, &last, options->slip, options->with_opencl, options->shrink_seconds);
    make_folder(options->folder);
    snprintf(path, sizeof path, "%s/%llx.txt", options->folder, (unsigned long long)seed);
    write_text(path, options, &c, seed, &first, &last, steps);
    snprintf(path, sizeof path, "%s/test_torture_%llx.c", options->folder, (unsigned long long)seed);
    if (!torture_write_test(&c, &last.failure, path)) {
        fprintf(stderr, "torture: %s: %s\n", path, strerror(errno));
    }
    printf("FAILURE seed 0x%llx: %s: %s\n", (unsigned long long)seed, torture_kind_name(last.failure.kind),
           last.failure.text);
    describe(stdout, &c, &last.failure);
    printf("    %s\n", path);
    fflush(stdout);
    return 1;
}

void torture_print_table(const torture_tally *tally)
{
    static const char *const columns[] = {"wide", "boxtree", "kdop", "rtree", "brute", "mixed"};
    uint64_t sums[TORTURE_COLUMNS + 1] = {0};
    printf("%-10s", "checks");
    for (int i = 0; i < TORTURE_COLUMNS; i++) {
        printf("%12s", columns[i]);
    }
    printf("%13s%8s\n", "all", "us");
    for (int kind = 0; kind < TORTURE_KINDS; kind++) {
        uint64_t row = 0;
        printf("%-10s", torture_kind_name((torture_kind)kind));
        for (int i = 0; i < TORTURE_COLUMNS; i++) {
            printf("%12llu", (unsigned long long)tally->checks[kind][i]);
            row += tally->checks[kind][i];
            sums[i] += tally->checks[kind][i];
        }
        printf("%13llu%8.0f\n", (unsigned long long)row, row ? 1e6 * tally->seconds[kind] / (double)row : 0);
        sums[TORTURE_COLUMNS] += row;
    }
    printf("%-10s", "all");
    for (int i = 0; i < TORTURE_COLUMNS; i++) {
        printf("%12llu", (unsigned long long)sums[i]);
    }
    printf("%13llu\n%llu of them are errors that have to be\n", (unsigned long long)sums[TORTURE_COLUMNS],
           (unsigned long long)tally->errors);
}

/* tumble_tower: clash runs of a tower of any size, in which clashes of every kind were planted. A row for each size:
 * what was found, what was missed, time and memory. See docs/clash.md. tumble_tower [--threads N] [--shapes N]
 * [--triangles N] PARTS... */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "clash_tower.h"
#include "tumble/clash.h"

typedef struct settings {
    models_tower_options tower;
    uint32_t threads;
} settings;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double peak_megabytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

static tumble_status assemble(tumble_context *context, const models_tower *tower, tumble_assembly **out)
{
    tumble_status status = tumble_assembly_create(context, out);
    for (size_t i = 0; i < tower->shape_count && status == TUMBLE_OK; i++) {
        const tumble_mesh mesh = models_view(&tower->shapes[i]);
        uint32_t model;
        status = tumble_assembly_add_mesh(*out, &mesh, &model);
    }
    for (size_t i = 0; i < tower->part_count && status == TUMBLE_OK; i++) {
        const models_tower_part *part = &tower->parts[i];
        const tumble_assembly_item item = {.name = part->name,
                                           .class_name = part->class_name,
                                           .file = "tower",
                                           .model = part->shape,
                                           .transform = part->transform};
        status = tumble_assembly_add(*out, &item);
    }
    return status;
}

/* Planted clashes that were not found so, and found ones that were not planted. */
static size_t count_wrong(const models_tower *tower, const tumble_clash_result *result)
{
    size_t right = 0, at = 0;
    for (size_t i = 0; i < tower->clash_count; i++) {
        const models_tower_clash *planted = &tower->clashes[i];
        const tumble_clash *found = result->clashes;
        while (at < result->clash_count &&
               (found[at].a < planted->a || (found[at].a == planted->a && found[at].b < planted->b))) {
            at++;
        }
        right += at < result->clash_count && found[at].a == planted->a && found[at].b == planted->b &&
                 found[at].kind == planted->kind;
    }
    return tower->clash_count - right + (size_t)result->clash_count - right;
}

/* The seconds that a run takes after one part was moved, with what the run before found; negative: it failed, or says
 * that something else has changed. */
static double run_again(tumble_context *context, models_tower *tower, const tumble_clash_options *options,
                        const tumble_clash_result *first)
{
    char path[] = "/tmp/tumble-tower-XXXXXX";
    const int descriptor = mkstemp(path);
    tumble_assembly *assembly = NULL;
    tumble_clash_before *before = NULL;
    tumble_clashes *clashes = NULL;
    tumble_clash_options asked = *options;
    double seconds = -1;
    tower->parts[0].transform[11] += 0.25;
    tumble_status status = descriptor < 0 ? TUMBLE_ERROR_FILE : assemble(context, tower, &assembly);
    if (status == TUMBLE_OK) {
        status = tumble_clash_write_json(context, first, path);
    }
    const double start = now();
    if (status == TUMBLE_OK) {
        status = tumble_clash_before_read(context, path, &before);
    }
    if (status == TUMBLE_OK) {
        asked.before = before;
        status = tumble_clash_run(assembly, &asked, &clashes);
    }
    if (status == TUMBLE_OK) {
        const tumble_clash_result *r = tumble_clashes_result(clashes);
        int is_same = r->clash_count == first->clash_count;
        for (size_t i = 0; i < r->clash_count; i++) {
            is_same = is_same && r->clashes[i].change == TUMBLE_CHANGE_PERSISTENT;
        }
        seconds = is_same ? now() - start : -1;
    }
    if (descriptor >= 0) {
        close(descriptor);
        remove(path);
    }
    tumble_clashes_destroy(clashes);
    tumble_clash_before_destroy(before);
    tumble_assembly_destroy(assembly);
    return seconds;
}

/* Whether all was right. */
static int measure(const settings *s, size_t parts)
{
    models_tower tower;
    models_tower_options options = s->tower;
    tumble_context *context = NULL;
    tumble_assembly *assembly = NULL;
    tumble_clashes *clashes = NULL;
    size_t wrong = 1;
    options.parts = parts;
    if (!models_make_tower(&tower, &options)) {
        fputs("no memory for the tower\n", stderr);
        return 0;
    }
    const double start = now();
    tumble_status status = tumble_context_create(NULL, &context);
    if (status == TUMBLE_OK) {
        status = assemble(context, &tower, &assembly);
    }
    const double built = now();
    tumble_clash_options asked = tumble_default_clash_options();
    asked.clearance = MODELS_TOWER_CLEARANCE;
    asked.thread_count = s->threads;
    asked.segment_limit = 0;
    if (status == TUMBLE_OK) {
        status = tumble_clash_run(assembly, &asked, &clashes);
    }
    if (status == TUMBLE_OK) {
        const tumble_clash_result *r = tumble_clashes_result(clashes);
        const double seconds = now() - built;
        const double peak = peak_megabytes(), again = run_again(context, &tower, &asked, r);
        wrong = count_wrong(&tower, r) + (again < 0);
        printf("%9zu %11zu %9" PRIu64 " %9" PRIu64 " %8zu %6zu %8.2f %8.2f %8.1f %8.0f %8.2f\n", r->part_count,
               tower.triangle_count, r->pair_count, r->question_count, r->clash_count, wrong, built - start, seconds,
               1e6 * seconds / (double)r->pair_count, peak, again);
        fflush(stdout);
    } else {
        fprintf(stderr, "%s\n", tumble_status_text(status));
    }
    tumble_clashes_destroy(clashes);
    tumble_assembly_destroy(assembly);
    tumble_context_destroy(context);
    models_free_tower(&tower);
    return status == TUMBLE_OK && wrong == 0;
}

int main(int argc, char **argv)
{
    settings s = {.tower = {.shapes = 1000, .triangles = 1000, .seed = 1}};
    int is_right = 1, at = 1;
    for (; at + 1 < argc && argv[at][0] == '-'; at += 2) {
        const size_t number = (size_t)strtoull(argv[at + 1], NULL, 10);
        if (strcmp(argv[at], "--threads") == 0) {
            s.threads = (uint32_t)number;
        } else if (strcmp(argv[at], "--shapes") == 0) {
            s.tower.shapes = number;
        } else if (strcmp(argv[at], "--triangles") == 0) {
            s.tower.triangles = number;
        } else {
            break;
        }
    }
    if (at >= argc || argv[at][0] == '-') {
        fputs("usage: tumble_tower [--threads N] [--shapes N] [--triangles N] PARTS...\n", stderr);
        return 2;
    }
    puts("    parts   triangles     pairs questions  clashes  wrong  build s  clash s  us/pair  peak MB  again s");
    for (; at < argc; at++) {
        is_right = measure(&s, (size_t)strtoull(argv[at], NULL, 10)) && is_right;
    }
    return is_right ? 0 : 1;
}

/* Scenes of many objects: broad phases, heaps, robots. */
#include <stdlib.h>

#include "bodies_contest.h"
#include "broad_contest.h"
#include "failure.h"
#include "scenes.h"

static void add_library(text_table *out, const char *name, const char *version, const char *method)
{
    table_cell(out, "%s", name);
    table_cell(out, "%s", version);
    table_cell(out, "%s", method);
    table_end_row(out);
}

static void print_libraries(const experiment *e)
{
    const broad_contest boxes = broad_contest_open(&e->options->peers, 0);
    const bodies_contest bodies = bodies_contest_open(&e->options->peers, 1);
    text_table *out = bench_allocate(1, sizeof *out);
    add_library(out, "library", "version", "what is called");
    for (size_t i = 0; i < boxes.count; i++) {
        add_library(out, boxes.items[i]->name, boxes.items[i]->version, boxes.items[i]->method);
    }
    for (size_t i = 0; i < bodies.count; i++) {
        add_library(out, bodies.items[i]->name, bodies.items[i]->version, bodies.items[i]->method);
    }
    table_print(out, "Scenes: boxes first, then meshes");
    free(out);
}

void mode_scene(experiment *e)
{
    static const struct part {
        const char *name;
        void (*run)(experiment *e);
    } parts[] = {{"broad", scene_broad},
                 {"drift", scene_drift},
                 {"movers", scene_movers},
                 {"heap", scene_heap},
                 {"robot", scene_robot},
                 {"apart", scene_apart},
                 {NULL, NULL}};
    print_libraries(e);
    bench_words_check(&e->options->scenes, parts, sizeof *parts);
    for (const struct part *part = parts; part->name; part++) {
        if (bench_words_have(&e->options->scenes, part->name)) {
            part->run(e);
        }
    }
}

/* Experiments on scenes: the command, and the table. */
#include "scene.h"

#include <math.h>
#include <stddef.h>

#include "commands.h"

static const struct experiment {
    const char *name, *title;
    void (*run)(bench_series *series);
} experiments[] = {{"broad", "all candidate pairs while every object moves", scene_broad},
                   {"drift", "later steps beside the first", scene_drift},
                   {"movers", "steps in which few objects move", scene_movers},
                   {"memory", "bytes per object", scene_memory},
                   {"states", "configurations of an arm per second", scene_states},
                   {"worlds", "steps of a heap, a machine hall and a robot cell, with all contacts", scene_worlds},
                   {"coherence", "answers that use what the one before has left", scene_coherence},
                   {NULL, NULL, NULL}};

#define COLUMN(name, kind)                                    \
    {                                                         \
#name, BENCH_COLUMN_##kind, offsetof(scene_row, name) \
    }

static const bench_column columns[] = {COLUMN(law, TEXT),
                                       COLUMN(method, TEXT),
                                       COLUMN(objects, SIZE),
                                       COLUMN(threads, WORD),
                                       COLUMN(movers, NUMBER),
                                       COLUMN(speed, NUMBER),
                                       COLUMN(step, SIZE),
                                       COLUMN(pairs, COUNT),
                                       COLUMN(move_ms, NUMBER),
                                       COLUMN(update_ms, NUMBER),
                                       COLUMN(list_ms, NUMBER),
                                       COLUMN(answer_ms, NUMBER),
                                       COLUMN(ns_per_object, NUMBER),
                                       COLUMN(kilostates, NUMBER),
                                       COLUMN(relative, NUMBER),
                                       COLUMN(tree_bytes, NUMBER),
                                       COLUMN(box_bytes, NUMBER),
                                       COLUMN(pair_bytes, NUMBER),
                                       COLUMN(object_bytes, NUMBER),
                                       COLUMN(peak_bytes, NUMBER),
                                       {NULL, BENCH_COLUMN_TEXT, 0}};

const char *scene_method_name(tumble_broad method)
{
    static const char *const names[] = {
#define METHOD_NAME(name, number, word, text) word,
        TUMBLE_BROAD_LIST(METHOD_NAME)
#undef METHOD_NAME
    };
    return names[method];
}

scene_row scene_row_empty(void)
{
    scene_row row = {.law = "", .method = "tree", .threads = 1};
    bench_columns_clear(columns, &row);
    return row;
}

void scene_write(bench_series *series, const scene_row *row)
{
    bench_csv_text(&series->csv, "experiment", series->experiment);
    bench_csv_columns(&series->csv, columns, row);
    bench_csv_end_row(&series->csv);
}

int bench_run_scene(const bench_settings *settings)
{
    bench_series series = {0};
    bench_series_open(&series, settings, experiments, sizeof *experiments);
    bench_series_set_origin(&series);
    for (const struct experiment *e = experiments; e->name; e++) {
        if (bench_series_wants(&series, e->name, e->title)) {
            e->run(&series);
        }
    }
    return bench_series_close(&series);
}

/* Scenes of many objects: broad phases, heaps, robots. */
#include "scenes.h"

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
    bench_words_check(&e->options->scenes, parts, sizeof *parts);
    for (const struct part *part = parts; part->name; part++) {
        if (bench_words_have(&e->options->scenes, part->name)) {
            part->run(e);
        }
    }
}

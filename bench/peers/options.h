/* What the command line says. */
#ifndef TUMBLE_BENCH_PEERS_OPTIONS_H
#define TUMBLE_BENCH_PEERS_OPTIONS_H

#include "settings.h"

typedef struct peers_files {
    const char *items[BENCH_MOST_ITEMS];
    size_t count;
} peers_files;

typedef struct peers_options {
    bench_words modes;
    bench_words meshes;      /* shapes, each in all sizes; the only item "none": none */
    bench_numbers triangles; /* sizes */
    peers_files files;       /* meshes of their own size */
    bench_words peers;       /* the first item "all": all that were found */
    double check_triangles, nested_triangles;
    bench_numbers shares; /* distances, as shares of the touching distance */
    bench_numbers gaps;   /* between nested spheres */
    bench_numbers separations, clearances;
    double gap;   /* just missing, just touching */
    double poses; /* a multiple of 4: then no half step is a quarter turn */
    double distance_poses;
    /* Scenes of many objects. */
    bench_words scenes;
    bench_numbers boxes;
    double drift_boxes, mover_boxes, bodies, body_triangles, states;
    bench_numbers links, link_triangles;
    int quick; /* as small as it can be */
    double repetitions, patience, limit, seed;
    const char *goals; /* a file, see goals.h */
    const char *out, *commit;
} peers_options;

/* Returns 0 when help was asked for. */
int peers_options_parse(peers_options *options, int argc, char **argv);
void peers_options_help(void);

#endif

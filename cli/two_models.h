/* Two models and where they stand: what all commands need that compare models. */
#ifndef TUMBLE_CLI_TWO_MODELS_H
#define TUMBLE_CLI_TWO_MODELS_H

#include "load.h"
#include "output_options.h"
#include "poses.h"

typedef struct cli_two_options {
    cli_load_options load;
    cli_placement a, b;
    double radius_a, radius_b; /* 0: as the models have it */
    const char *poses;         /* a file, or NULL */
    int orthonormalise;
    int coherence; /* 0: not given; else tumble_coherence + 1 */
} cli_two_options;

/* "Poses": --pose-a, --move-a, --turn-a, --radius-a, the same for B, --poses, --orthonormalise, --coherence. */
cli_section cli_pose_section(cli_two_options *options);

/* What the queries of a path keep for the next one; those of a single pose nothing. */
tumble_coherence cli_coherence(const cli_two_options *options, tumble_coherence by_default);

#define CLI_MODEL_DESCRIPTION                                                                                    \
    "A and B are mesh files (OBJ, OFF, STL, PLY; others such as glTF or 3MF through assimp) or models saved by " \
    "'tumble "                                                                                                   \
    "build'; - is standard input. "

typedef struct cli_two_models {
    tumble_context *context;
    const char *files[2], *names[2]; /* as given, and for texts */
    tumble_model *models[2];         /* A and B, which may be one */
    tumble_model *copy;              /* B, if it is a copy of A with another radius */
    cli_surfaces surfaces[2];
    uint64_t polygon_counts[2];
    tumble_pose pose_a;
    cli_path path;      /* of B; one pose without a file */
    char hierarchy[64]; /* its name, for JSON; two names when saved models have different ones */
} cli_two_models;

/* Reads the poses and both models; `sections` are those of cli_load_sections. Start with a zeroed struct, and close it
 * also after an error. Returns 0 or an exit status after reporting the error. */
int cli_two_open(cli_two_models *two, const char *const files[2], const cli_two_options *options,
                 const cli_section *sections);
void cli_two_close(cli_two_models *two);

#endif

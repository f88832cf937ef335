/* Files of 'tumble scene': a line per object, a line per motion, a line per pair that is not compared. */
#ifndef TUMBLE_CLI_SCENE_FILE_H
#define TUMBLE_CLI_SCENE_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "tumble/math.h"

/* "arm  meshes/arm.stl  1 0 0 0  0 1 0 0  0 0 1 0" */
typedef struct cli_scene_object {
    char *name, *mesh; /* the mesh's path, from where the command runs */
    tumble_pose pose;
    size_t line;
    size_t moved; /* the line of its last motion; 0: none */
    uint64_t moved_step;
} cli_scene_object;

/* "7 arm  1 0 0 0  0 1 0 0  0 0 1 2.5" */
typedef struct cli_scene_motion {
    uint64_t step;
    size_t object; /* its number */
    tumble_pose pose;
} cli_scene_motion;

/* "arm table" */
typedef struct cli_scene_pair {
    size_t a, b; /* numbers of objects */
} cli_scene_pair;

/* Start with zeros; free also after an error. */
typedef struct cli_scene_file {
    cli_scene_object *objects; /* in the order of the file */
    size_t object_count, object_capacity;
    size_t *by_name;           /* their numbers, in the order of their names */
    cli_scene_motion *motions; /* in the order of the steps */
    size_t motion_count, motion_capacity;
    cli_scene_pair *ignored;
    size_t ignored_count, ignored_capacity;
} cli_scene_file;

/* They return 0 or an exit status after reporting the error, which names the file and the line. Words are separated by
 * blanks; those that contain blanks or start with # stand in double quotes, in which \ takes the next character as it
 * is. # at the start of a word begins a comment. Paths of meshes are relative to the scene's file. Poses are in any
 * form of pose_text.h. */
int cli_scene_read(tumble_context *context, const char *path, int orthonormalise, cli_scene_file *out);
int cli_scene_read_motions(tumble_context *context, const char *path, int orthonormalise, cli_scene_file *scene);
int cli_scene_read_ignored(tumble_context *context, const char *path, cli_scene_file *scene);
void cli_scene_free(cli_scene_file *scene);

#endif

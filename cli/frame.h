/* The unit and the up axis of a model's coordinates. */
#ifndef TUMBLE_CLI_FRAME_H
#define TUMBLE_CLI_FRAME_H

#include "json.h"
#include "options.h"
#include "tumble/io.h"

/* As far as the file states them, or its format does. */
typedef struct cli_frame {
    double metres; /* length of the unit; 0: not stated */
    int up;        /* 1, 2 or 3 for x, y or z; -1, -2 or -3 when up is the negative axis; 0: not stated */
} cli_frame;

/* What is asked for; values of the choices below, 0: not given. */
typedef struct cli_frame_options {
    int units, up;
    int assumed_units, assumed_up; /* of files that state none */
} cli_frame_options;

extern const cli_choice cli_units[];
extern const cli_choice cli_axes[];

/* Scales and turns the points as asked. *frame becomes that of the converted points. Returns 0 or an exit status after
 * reporting the error. */
int cli_convert_frame(const char *path, const cli_frame_options *options, cli_frame *frame, tumble_mesh_buffer *buffer);

/* The same as a transform: three rows of four numbers. *frame becomes that of the moved points. */
int cli_frame_transform(const char *path, const cli_frame_options *options, cli_frame *frame, double transform[12]);

/* Whether two units are the same as far as files tell them. */
int cli_same_unit(double metres_a, double metres_b);

/* A saved model cannot be converted any more, and states nothing. */
int cli_convert_saved_frame(const char *path, const cli_frame_options *options, cli_frame *frame);

/* Warns when two models state different units or up axes. */
void cli_warn_of_frames(const char *const paths[2], const cli_frame frames[2]);

/* "mm", "0.03 m" or "none"; "z" or "none". */
typedef struct cli_frame_word {
    char text[32];
} cli_frame_word;
cli_frame_word cli_unit_word(const cli_frame *frame);
cli_frame_word cli_up_word(const cli_frame *frame);

/* "unit", "unit_metres" and "up", as far as they are known. */
void cli_json_frame(cli_json *json, const cli_frame *frame);

#endif

/* Where the parts of a picture are, and the words around it. */
#ifndef TUMBLE_CLI_PICTURE_LAYOUT_H
#define TUMBLE_CLI_PICTURE_LAYOUT_H

#include "picture_scene.h"

/* The models on the left; on the right an enlargement, beside what it shows, and the key. */
typedef struct picture_layout {
    picture_window whole, detail;
    int has_detail;
    double key_top;
    picture_window
        close_ups[2]; /* of models that are too small in the whole to be seen, when there is no enlargement */
    int has_close_up[2];
} picture_layout;

/* Uses the faces of the scene. */
picture_layout picture_lay_out(const picture_scene *scene);

void picture_write_head(FILE *out, const cli_picture *picture);

/* A ring and a letter where a model is too small to be found, and the frame of its close-up. */
void picture_mark_small_body(FILE *out, const picture_layout *layout, int body);

/* The line from the place of contact to the enlargement, which covers its end; then what frames the enlargement. */
void picture_write_leader(FILE *out, const picture_layout *layout);
void picture_write_callout(FILE *out, const cli_picture *picture, const picture_layout *layout);

/* The arrow, if there is one. Returns how many times longer than the move it is drawn, so that it can be seen. */
double picture_write_move(FILE *out, const picture_scene *scene, const picture_window *window);

/* The key and the caption. `hidden`: parts of the contacts are hidden, and paler. */
void picture_write_key(FILE *out, const cli_picture *picture, const picture_scene *scene, const picture_layout *layout,
                       int hidden);

#endif

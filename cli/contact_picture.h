/* The picture of where two models meet at one pose. */
#ifndef TUMBLE_CLI_CONTACT_PICTURE_H
#define TUMBLE_CLI_CONTACT_PICTURE_H

#include "picture.h"
#include "two_models.h"

typedef struct cli_contact_picture {
    const cli_two_models *two;
    size_t step; /* which pose of B */
    int along_path;
    double clearance;
    cli_picture_view view;
    const char *title, *caption; /* instead of the usual ones, or NULL */
    const double *move;          /* see cli_picture; `distance` is its length, in words */
    const char *distance;
} cli_contact_picture;

/* Queries all contacts, independently of the command's own question, and draws them. Returns 0 or an exit status after
 * reporting the error. */
int cli_contact_picture_write(FILE *file, const cli_contact_picture *contact_picture);

/* For callers that have the contacts: fills in models, poses and names, and writes the picture. */
int cli_two_picture_write(FILE *file, const cli_contact_picture *contact_picture, cli_picture *picture);

#endif

/* A writer of JSON into a file of the library: numbers read back as the same doubles, in every locale. */
#ifndef TUMBLE_SRC_CLASH_JSON_H
#define TUMBLE_SRC_CLASH_JSON_H

#include "io/file.h"

/* Start with {output}. `key` is NULL for items of arrays and for the outermost value. */
typedef struct tmb_json {
    tmb_output *output;
    int has_items; /* in what was opened last */
} tmb_json;

void tmb_json_open(tmb_json *json, const char *key, char bracket);     /* '{' or '[' */
void tmb_json_close(tmb_json *json, char bracket);                     /* '}' or ']' */
void tmb_json_line(tmb_json *json);                                    /* the next item starts a line */
void tmb_json_text(tmb_json *json, const char *key, const char *text); /* bytes that are no UTF-8 become U+FFFD */
void tmb_json_whole(tmb_json *json, const char *key, uint64_t number);
void tmb_json_real(tmb_json *json, const char *key, double number); /* NaN and infinity: null */
void tmb_json_reals(tmb_json *json, const char *key, const double *numbers, size_t count);
void tmb_json_word(tmb_json *json, const char *key, const char *word); /* true, false, null */

#endif

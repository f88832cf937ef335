/* A reader of JSON that holds no more than one name and one text at a time. As strict as RFC 8259.
 *
 *     tmb_json_enter(&json, '{');
 *     for (const char *key; (key = tmb_json_key(&json)) != NULL;) {
 *         if (strcmp(key, "size") == 0) {
 *             size = tmb_json_read_number(&json);
 *         } else {
 *             tmb_json_skip(&json);
 *         }
 *     }
 *     status = tmb_json_end(&json);
 *
 * After a failure, which names the line, every function returns at once and there are no more keys and items. */
#ifndef TUMBLE_SRC_IO_JSON_READ_H
#define TUMBLE_SRC_IO_JSON_READ_H

#include "io/text.h"

#define TMB_JSON_DEPTH 64

typedef struct tmb_json_reader {
    const tmb_source *source;
    const char *at, *end;
    tumble_status status;
    int depth;
    char brackets[TMB_JSON_DEPTH];
    int has_items[TMB_JSON_DEPTH];
    tmb_buffer key, text;
} tmb_json_reader;

void tmb_json_begin(tmb_json_reader *json, const tmb_source *source);

/* Nothing but space may follow. Releases the memory, also after a failure, and returns what went wrong. */
tumble_status tmb_json_end(tmb_json_reader *json);

/* What comes next: '{', '[', '"', '0' for a number, 't', 'f', 'n'; 0: nothing, or a failure. */
char tmb_json_next(tmb_json_reader *json);

/* Enters an object or an array, which must be there. */
void tmb_json_enter(tmb_json_reader *json, char bracket);

/* The name of the next member, valid until the next call; NULL: the object is over, and left. */
const char *tmb_json_key(tmb_json_reader *json);

/* Whether there is another item; 0: the array is over, and left. */
int tmb_json_item(tmb_json_reader *json);

/* Values. A text is valid until the next call, "" after a failure; it has no zero inside. */
const char *tmb_json_read_text(tmb_json_reader *json);
double tmb_json_read_number(tmb_json_reader *json);
int tmb_json_read_truth(tmb_json_reader *json);
void tmb_json_skip(tmb_json_reader *json);

/* Exactly `count` numbers in brackets. */
void tmb_json_read_numbers(tmb_json_reader *json, double *out, size_t count);

/* A whole number from 0 to `most`. */
uint64_t tmb_json_read_whole(tmb_json_reader *json, uint64_t most);

/* Records what is wrong with the value that was read last, unless something failed before. */
void tmb_json_fail(tmb_json_reader *json, tumble_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif

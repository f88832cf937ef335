/* The last error of each thread. */
#ifndef TUMBLE_SRC_BASE_ERRORS_H
#define TUMBLE_SRC_BASE_ERRORS_H

#include <pthread.h>
#include <stddef.h>

#include "tumble/base.h"

typedef struct tmb_error {
    tumble_status status;
    char text[512];
} tmb_error;

/* Copies at most `capacity` bytes of the text, always terminated, and returns the status. */
tumble_status tmb_error_tell(const tmb_error *error, char *text, size_t capacity);

/* A thread's record, in a list of all that have failed: the latest failure comes first. */
typedef struct tmb_error_record {
    struct tmb_error_record *next;
    pthread_t thread;
    tmb_error error;
} tmb_error_record;

#define TMB_ERROR_RECORDS 1024 /* then the record of the oldest failure is used again */

typedef struct tmb_errors {
    pthread_mutex_t lock; /* guards all below */
    tmb_error_record *records;
    size_t count;
    tmb_error_record spare; /* for a thread that there was no memory for */
} tmb_errors;

int tmb_errors_begin(tmb_errors *errors);
void tmb_errors_end(tumble_context *context);

/* The last error of the calling thread; its status is TUMBLE_OK if there was none. */
tmb_error tmb_last_error(const tumble_context *context);

#endif

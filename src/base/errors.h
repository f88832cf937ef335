/* The last error of each thread. */
#ifndef TUMBLE_SRC_BASE_ERRORS_H
#define TUMBLE_SRC_BASE_ERRORS_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "tumble/base.h"

typedef struct tmb_error {
    tumble_status status;
    char text[512];
} tmb_error;

/* Copies at most `capacity` bytes of the text, always terminated, and returns the status. */
tumble_status tmb_error_tell(const tmb_error *error, char *text, size_t capacity);

/* The error of a thread. */
typedef struct tmb_error_record {
    uint64_t thread; /* its number: those of the system are used again when a thread has ended */
    uint64_t order;  /* later errors have larger numbers; 0: not in use */
    tmb_error error;
} tmb_error_record;

#define TMB_ERROR_RECORDS 64 /* of the threads that failed last: a failure must not need memory */

typedef struct tmb_errors {
    pthread_mutex_t lock; /* guards all below */
    uint64_t count;       /* of all errors */
    tmb_error_record records[TMB_ERROR_RECORDS];
} tmb_errors;

int tmb_errors_begin(tmb_errors *errors);
void tmb_errors_end(tmb_errors *errors);

/* The last error of the calling thread; its status is TUMBLE_OK if there was none. */
tmb_error tmb_last_error(const tumble_context *context);

#endif

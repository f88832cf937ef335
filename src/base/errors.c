/* Error messages. A context keeps the last one of each thread, so that threads never see each other's. */
#include "base/errors.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/context.h"

int tmb_errors_begin(tmb_errors *errors)
{
    return pthread_mutex_init(&errors->lock, NULL) == 0;
}

void tmb_errors_end(tmb_errors *errors)
{
    pthread_mutex_destroy(&errors->lock);
}

/* Every thread has a number of its own, from 1. */
static uint64_t this_thread(void)
{
    static atomic_uint_least64_t count;
    static _Thread_local uint64_t number;
    if (!number) {
        number = atomic_fetch_add(&count, 1) + 1;
    }
    return number;
}

/* A thread's record; NULL if it has none. */
static tmb_error_record *find_record(tmb_errors *errors, uint64_t thread)
{
    for (size_t i = 0; i < TMB_ERROR_RECORDS; i++) {
        tmb_error_record *record = &errors->records[i];
        if (record->thread == thread) {
            return record;
        }
    }
    return NULL;
}

/* An unused record, or else that of the oldest error. */
static tmb_error_record *oldest_record(tmb_errors *errors)
{
    tmb_error_record *oldest = &errors->records[0];
    for (size_t i = 1; i < TMB_ERROR_RECORDS; i++) {
        oldest = errors->records[i].order < oldest->order ? &errors->records[i] : oldest;
    }
    return oldest;
}

static void record_error(tmb_errors *errors, const tmb_error *error)
{
    const uint64_t thread = this_thread();
    pthread_mutex_lock(&errors->lock);
    tmb_error_record *record = find_record(errors, thread);
    record = record ? record : oldest_record(errors);
    *record = (tmb_error_record){thread, ++errors->count, *error};
    pthread_mutex_unlock(&errors->lock);
}

tumble_status(tmb_fail)(tumble_context *context, tumble_status status, const char *format, ...)
{
    tmb_error error = {.status = status};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error.text, sizeof error.text, format, arguments);
    va_end(arguments);
    record_error(&context->errors, &error);
    if (context->log) {
        context->log(context->log_user, status, error.text);
    }
    return status;
}

tumble_status(tmb_fail_memory)(tumble_context *context, const char *what)
{
    return tmb_fail(context, TUMBLE_ERROR_MEMORY, "out of memory for %s", what);
}

tmb_error tmb_last_error(const tumble_context *context)
{
    tmb_errors *errors = (tmb_errors *)&context->errors; /* the lock is no part of the context's value */
    tmb_error error = {.status = TUMBLE_OK};
    pthread_mutex_lock(&errors->lock);
    const tmb_error_record *record = find_record(errors, this_thread());
    if (record) {
        error = record->error;
    }
    pthread_mutex_unlock(&errors->lock);
    return error;
}

tumble_status tmb_error_tell(const tmb_error *error, char *text, size_t capacity)
{
    if (text && capacity) {
        snprintf(text, capacity, "%s", error->text);
    }
    return error->status;
}

tumble_status tumble_last_error(const tumble_context *context, char *text, size_t capacity)
{
    const tmb_error error = context ? tmb_last_error(context) : (tmb_error){.status = TUMBLE_ERROR_ARGUMENT};
    return tmb_error_tell(&error, text, capacity);
}

/* Error messages. A context keeps the last one of each thread, so that threads never see each other's. */
#include "base/errors.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/context.h"

int tmb_errors_begin(tmb_errors *errors)
{
    return pthread_mutex_init(&errors->lock, NULL) == 0;
}

void tmb_errors_end(tumble_context *context)
{
    for (tmb_error_record *record = context->errors.records, *next; record; record = next) {
        next = record->next;
        if (record != &context->errors.spare) {
            tmb_release(context, record);
        }
    }
    pthread_mutex_destroy(&context->errors.lock);
}

/* Where the link to a thread's record is; *link is null if it has none. */
static tmb_error_record **find_record(tmb_errors *errors, pthread_t thread)
{
    tmb_error_record **link = &errors->records;
    while (*link && !pthread_equal((*link)->thread, thread)) {
        link = &(*link)->next;
    }
    return link;
}

static tmb_error_record *unlink_record(tmb_error_record **link)
{
    tmb_error_record *record = *link;
    *link = record->next;
    return record;
}

static tmb_error_record *unlink_last(tmb_errors *errors)
{
    tmb_error_record **link = &errors->records;
    while ((*link)->next) {
        link = &(*link)->next;
    }
    return unlink_record(link);
}

static tmb_error_record *new_record(tumble_context *context)
{
    tmb_errors *errors = &context->errors;
    if (errors->count == TMB_ERROR_RECORDS) {
        return unlink_last(errors);
    }
    tmb_error_record *record = tmb_allocate(context, 1, sizeof *record);
    if (record) {
        errors->count++;
        return record;
    }
    tmb_error_record **link = &errors->records;
    while (*link && *link != &errors->spare) {
        link = &(*link)->next;
    }
    return *link ? unlink_record(link) : &errors->spare;
}

static void record_error(tumble_context *context, const tmb_error *error)
{
    tmb_errors *errors = &context->errors;
    const pthread_t thread = pthread_self();
    pthread_mutex_lock(&errors->lock);
    tmb_error_record **link = find_record(errors, thread);
    tmb_error_record *record = *link ? unlink_record(link) : new_record(context);
    record->thread = thread;
    record->error = *error;
    record->next = errors->records;
    errors->records = record;
    pthread_mutex_unlock(&errors->lock);
}

tumble_status tmb_fail(tumble_context *context, tumble_status status, const char *format, ...)
{
    tmb_error error = {.status = status};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error.text, sizeof error.text, format, arguments);
    va_end(arguments);
    record_error(context, &error);
    if (context->log) {
        context->log(context->log_user, status, error.text);
    }
    return status;
}

tumble_status tmb_fail_memory(tumble_context *context, const char *what)
{
    return tmb_fail(context, TUMBLE_ERROR_MEMORY, "out of memory for %s", what);
}

tmb_error tmb_last_error(const tumble_context *context)
{
    tmb_errors *errors = (tmb_errors *)&context->errors; /* the lock is no part of the context's value */
    tmb_error error = {.status = TUMBLE_OK};
    pthread_mutex_lock(&errors->lock);
    const tmb_error_record *record = *find_record(errors, pthread_self());
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

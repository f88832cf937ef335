/* The patent's interface: checks, from colCheck to colWait. Each is a batch of one; the device runs those together that
 * wait at the same time. Its callback takes the ticket, so unfetched results do not fill the queue. */
#include <math.h>
#include <string.h>

#include "device/col/internal.h"
#include "device/internal.h"

void tmb_col_free_check(colContext *context, tmb_col_check *check)
{
    tmb_release(context->tumble, check->contacts);
    tmb_release(context->tumble, check);
}

/* ---- The matrix ---- */

/* OpenGL's columns to our rows. */
static tumble_status read_matrix(colContext *context, const double matrix[16], tumble_pose *pose)
{
    if (!matrix) {
        *pose = tumble_pose_identity();
        return TUMBLE_OK;
    }
    for (size_t i = 0; i < 3; i++) {
        for (size_t j = 0; j < 4; j++) {
            pose->m[i][j] = matrix[4 * j + i];
        }
    }
    const tumble_status status = tumble_pose_check(context->tumble, pose);
    if (status != TUMBLE_OK) {
        return tmb_col_failed(context, status);
    }
    if (matrix[3] != 0 || matrix[7] != 0 || matrix[11] != 0 || matrix[15] != 1) {
        return tmb_col_fail(context, TUMBLE_ERROR_POSE,
                            "colCheck: the matrix has %g %g %g %g as its last row, not 0 0 0 1", matrix[3], matrix[7],
                            matrix[11], matrix[15]);
    }
    return TUMBLE_OK;
}

/* ---- Starting ---- */

static void use_objects(tmb_col_check *check, int sign)
{
    tmb_col_object *both[] = {check->a, check->b};
    for (size_t i = 0; i < 2; i++) {
        both[i]->use_count = sign > 0 ? both[i]->use_count + 1 : both[i]->use_count - 1;
    }
}

/* Contacts, in the form that the patent has for them. */
static void store_contacts(const tmb_col_check *check)
{
    const uint64_t stored = check->contact_count < check->capacity ? check->contact_count : check->capacity;
    for (size_t i = 0; i < stored; i++) {
        const tumble_contact *contact = &check->contacts[i];
        if (check->indices) {
            check->indices[2 * i] = contact->polygon_a;
            check->indices[2 * i + 1] = contact->polygon_b;
        }
        for (size_t k = 0; k < 2; k++) {
            const double *p = contact->points[k];
            check->points[2 * i + k] = (colVec){p[0], p[1], p[2]};
        }
    }
}

/* The device calls this in the order in which checks were started: they leave it as they leave the patent's FIFO. */
static void end_check(void *user, tumble_ticket ticket, const tumble_ticket_report *report)
{
    (void)ticket;
    tmb_col_check *check = user;
    colContext *context = check->context;
    check->status = report->status;
    memcpy(check->message, report->message, sizeof check->message);
    if (check->contacts && report->status == TUMBLE_OK) {
        store_contacts(check);
    }
    tmb_release(context->tumble, check->contacts);
    check->contacts = NULL;
    pthread_mutex_lock(&context->lock);
    check->is_done = 1;
    context->done_count++;
    use_objects(check, -1);
    pthread_cond_broadcast(&context->changed);
    pthread_mutex_unlock(&context->lock);
}

static tumble_status submit(colContext *context, tmb_col_check *check, tumble_ticket *ticket)
{
    tumble_batch batch = tumble_default_batch();
    batch.mode = check->indices || check->points ? TUMBLE_ALL : TUMBLE_FIRST;
    batch.check_count = 1;
    batch.pairs = &check->pair;
    batch.pair_count = 1;
    batch.poses_b = &check->pose;
    batch.pose_b_count = 1;
    batch.answers = &check->answer;
    batch.tuning = &context->tuning;
    if (check->points) {
        batch.contacts = check->contacts;
        batch.contact_capacity = check->capacity;
        batch.contact_counts = &check->contact_count;
    } else if (check->indices) {
        batch.found = (tumble_pair *)check->indices; /* which is two of them */
        batch.found_capacity = check->capacity;
    }
    batch.callback = end_check;
    batch.callback_user = check;
    return tumble_device_submit(context->device, &batch, INFINITY, ticket);
}

/* Finds the objects and registers the check; *missing is 0, or the id of an object that does not exist. */
static int enter(colContext *context, colObject a, colObject b, tmb_col_check *check, colObject *missing)
{
    *missing = 0;
    pthread_mutex_lock(&context->lock);
    check->a = tmb_col_find(&context->objects, a);
    check->b = tmb_col_find(&context->objects, b);
    check->id = ++context->last_id;
    int entered = 0;
    if (!check->a || !check->b) {
        *missing = check->a ? b : a;
    } else {
        check->pair = (tumble_model_pair){check->a->uploaded, check->b->uploaded};
        entered = tmb_col_add(context, &context->checks, check->id, check);
        if (entered) {
            use_objects(check, 1);
        }
    }
    pthread_mutex_unlock(&context->lock);
    return entered;
}

static void leave(colContext *context, tmb_col_check *check)
{
    pthread_mutex_lock(&context->lock);
    tmb_col_remove(&context->checks, check->id);
    use_objects(check, -1);
    pthread_cond_broadcast(&context->changed);
    pthread_mutex_unlock(&context->lock);
    tmb_col_free_check(context, check);
}

static colPending start(colContext *context, colObject a, colObject b, tmb_col_check *check)
{
    colObject missing;
    if (!enter(context, a, b, check, &missing)) {
        tmb_col_free_check(context, check);
        if (missing || !a || !b) {
            (void)tmb_col_fail(context, TUMBLE_ERROR_ARGUMENT, "colCheck: there is no object %llu that is ended",
                               (unsigned long long)missing);
        } else {
            (void)tmb_col_fail(context, TUMBLE_ERROR_MEMORY, "out of memory for the list of checks");
        }
        return 0;
    }
    const colPending id = check->id;
    tumble_ticket ticket = 0;
    const tumble_status status = submit(context, check, &ticket);
    if (status != TUMBLE_OK) {
        (void)tmb_col_failed(context, status);
        leave(context, check);
        return 0;
    }
    pthread_mutex_lock(&context->lock);
    check->ticket = ticket;
    check->is_started = 1;
    pthread_mutex_unlock(&context->lock);
    return id;
}

colPending colCheck(colContext *context, colObject a, colObject b, const double matrix[16], uint32_t *indices,
                    colVec *points, size_t capacity)
{
    tumble_pose pose;
    if (!context || read_matrix(context, matrix, &pose) != TUMBLE_OK) {
        return 0;
    }
    tmb_col_check *check = tmb_allocate(context->tumble, 1, sizeof *check);
    if (!check) {
        (void)tmb_col_fail(context, TUMBLE_ERROR_MEMORY, "out of memory for a check");
        return 0;
    }
    *check =
        (tmb_col_check){.context = context, .pose = pose, .indices = indices, .points = points, .capacity = capacity};
    if (points && capacity) {
        check->contacts = tmb_allocate(context->tumble, capacity, sizeof *check->contacts);
        if (!check->contacts) {
            (void)tmb_col_fail(context, TUMBLE_ERROR_MEMORY, "out of memory for %zu intersections", capacity);
            tmb_col_free_check(context, check);
            return 0;
        }
    }
    return start(context, a, b, check);
}

colPending colCheckf(colContext *context, colObject a, colObject b, const float matrix[16], uint32_t *indices,
                     colVec *points, size_t capacity)
{
    double doubles[16];
    for (size_t i = 0; matrix && i < 16; i++) {
        doubles[i] = (double)matrix[i];
    }
    return colCheck(context, a, b, matrix ? doubles : NULL, indices, points, capacity);
}

/* ---- Results ---- */

/* NULL when there is none, or its colCheck has not returned. Under the lock. */
static tmb_col_check *find_check(const colContext *context, colPending id)
{
    tmb_col_check *check = tmb_col_find(&context->checks, id);
    return check && check->is_started ? check : NULL;
}

bool colPoll(colContext *context, colPending id)
{
    if (!context) {
        return true;
    }
    pthread_mutex_lock(&context->lock);
    const tmb_col_check *check = find_check(context, id);
    const bool done = !check || check->is_done;
    pthread_mutex_unlock(&context->lock);
    return done;
}

/* Waits for a check, and takes it off the table when it is done; else it is NULL, and whether it exists in *exists.
 * Another thread may take it meanwhile, so it is searched for each time. */
static tmb_col_check *take(colContext *context, colPending id, double seconds, int *exists)
{
    tmb_patience patience = tmb_patience_of(seconds, TMB_LOOK_FOR_RESULT);
    pthread_mutex_lock(&context->lock);
    tmb_col_check *check = find_check(context, id);
    while (check && !check->is_done && !patience.is_over) {
        tmb_await(&patience, &context->lock, &context->changed, &context->done_count, context->done_count + 1);
        check = find_check(context, id);
    }
    *exists = check != NULL;
    if (check && check->is_done) {
        tmb_col_remove(&context->checks, id);
    } else {
        check = NULL;
    }
    pthread_mutex_unlock(&context->lock);
    return check;
}

static void fill_result(const tmb_col_check *check, colResult *result)
{
    *result = (colResult){.collide = false};
    if (check->status != TUMBLE_OK) {
        return;
    }
    const tumble_check_answer *answer = &check->answer;
    result->collide = (int)answer->collide;
    result->first[0] = answer->first.polygon_a;
    result->first[1] = answer->first.polygon_b;
    result->pair_count = answer->pair_count;
    if (check->indices || check->points) {
        result->count = check->points ? check->contact_count : answer->pair_count;
        result->stored = result->count < check->capacity ? result->count : check->capacity;
    }
}

tumble_status colWait(colContext *context, colPending id, double seconds, colResult *result)
{
    if (!context) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    int exists;
    tmb_col_check *check = take(context, id, seconds, &exists);
    if (!check) {
        return exists ? TUMBLE_ERROR_TIMEOUT
                      : tmb_col_fail(context, TUMBLE_ERROR_ARGUMENT, "colWait: there is no check %llu",
                                     (unsigned long long)id);
    }
    if (result) {
        fill_result(check, result);
    }
    tumble_status status = check->status;
    if (status != TUMBLE_OK) {
        status = tmb_col_fail(context, status, "%s", check->message);
    }
    tmb_col_free_check(context, check);
    return status;
}

tumble_status colCancel(colContext *context, colPending id)
{
    if (!context) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    pthread_mutex_lock(&context->lock);
    const tmb_col_check *check = find_check(context, id);
    const tumble_ticket ticket = check ? check->ticket : 0;
    const int is_done = check && check->is_done;
    pthread_mutex_unlock(&context->lock);
    if (!check) {
        return tmb_col_fail(context, TUMBLE_ERROR_ARGUMENT, "colCancel: there is no check %llu",
                            (unsigned long long)id);
    }
    if (!is_done) {
        (void)tumble_device_cancel(context->device, ticket); /* by now it may be done, and unknown there */
    }
    return TUMBLE_OK;
}

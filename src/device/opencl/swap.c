/* Swapping: which models are in the device's memory when not all of them fit.
 *
 * A model that is out keeps its number in the tables and its handle; it comes back when a check names it. The checks
 * that go through the kernels together are a piece, and its models are in use: they stay until it ends. Of the others,
 * the least recently used one goes first.
 *
 * Two locks. `adding` is held through everything that takes long: uploads, and whatever moves models. The tables' lock
 * guards what is known of each model. Only the thread that runs pieces, or one that finds none running, moves models
 * within the memory; offsets in the tables change then, and the tables are sent anew. */
#include "base/assert.h"
#include "device/opencl/batch.h"

/* ---- Under the tables' lock ---- */

static int is_in_use(const tmb_swap *swap, const tmb_uploaded_model *model)
{
    return swap->is_running && model->piece == swap->piece;
}

/* Bytes of the models that are there: of all, or of those in use. */
static uint64_t resident_bytes(const tmb_swap *swap, int in_use)
{
    uint64_t sum = 0;
    for (const tmb_uploaded_model *m = swap->first; m; m = m->next) {
        sum += m->is_resident && (!in_use || is_in_use(swap, m)) ? m->bytes : 0;
    }
    return sum;
}

static void count_out(tmb_swap *swap, tmb_uploaded_model *model)
{
    model->is_resident = 0;
    swap->out_count++;
    swap->out_bytes += model->bytes;
}

/* What was used least recently, and may go: NULL if there is none. */
static tmb_uploaded_model *find_oldest(const tmb_swap *swap)
{
    tmb_uploaded_model *oldest = NULL;
    for (tmb_uploaded_model *m = swap->first; m; m = m->next) {
        if (m->is_resident && !is_in_use(swap, m) && (!oldest || m->last_use < oldest->last_use)) {
            oldest = m;
        }
    }
    return oldest;
}

/* ---- With `adding` held ---- */

static uint64_t ask_bytes(tmb_opencl_backend *backend, int in_use)
{
    pthread_mutex_lock(&backend->tables.lock);
    const uint64_t bytes = resident_bytes(&backend->swap, in_use);
    pthread_mutex_unlock(&backend->tables.lock);
    return bytes;
}

static int may_move(tmb_opencl_backend *backend)
{
    pthread_mutex_lock(&backend->tables.lock);
    const int may = backend->swap.is_mover || !backend->swap.is_running;
    pthread_mutex_unlock(&backend->tables.lock);
    return may;
}

/* Moves one model out; 0 if all that are there are in use. */
static int evict_oldest(tmb_opencl_backend *backend)
{
    pthread_mutex_lock(&backend->tables.lock);
    tmb_uploaded_model *oldest = find_oldest(&backend->swap);
    if (oldest) {
        count_out(&backend->swap, oldest);
        tmb_opencl_memory_remove(backend->opencl, oldest->offset);
    }
    pthread_mutex_unlock(&backend->tables.lock);
    return oldest != NULL;
}

static tumble_status upload(tmb_opencl_backend *backend, tmb_uploaded_model *model)
{
    tmb_cl_model entry = {0};
    const tumble_status status = tmb_model_upload(backend, model, &entry);
    if (status == TUMBLE_OK) {
        pthread_mutex_lock(&backend->tables.lock);
        backend->tables.models[model->number] = entry;
        backend->tables.is_new = 1;
        model->is_resident = 1;
        pthread_mutex_unlock(&backend->tables.lock);
    }
    return status;
}

/* Says of all that are there that they are not, and remembers them. 0 if some must not move. */
static int lift(tmb_opencl_backend *backend)
{
    tmb_swap *swap = &backend->swap;
    pthread_mutex_lock(&backend->tables.lock);
    const int may = swap->is_mover || !swap->is_running;
    for (tmb_uploaded_model *m = swap->first; m && may; m = m->next) {
        m->is_lifted |= m->is_resident;
        m->is_resident = 0;
    }
    swap->has_moved |= may;
    pthread_mutex_unlock(&backend->tables.lock);
    return may;
}

static uint64_t lifted_bytes(const tmb_opencl_backend *backend)
{
    uint64_t sum = 0;
    for (const tmb_uploaded_model *m = backend->swap.first; m; m = m->next) {
        sum += m->is_lifted ? m->bytes : 0;
    }
    return sum;
}

/* Puts what was lifted into a new buffer of this size, side by side from its beginning. */
static tumble_status put_down(tmb_opencl_backend *backend, uint64_t size)
{
    tumble_status status = tmb_opencl_memory_reset(backend->opencl, size);
    backend->swap.is_putting = 1;
    for (tmb_uploaded_model *m = backend->swap.first; m && status == TUMBLE_OK; m = m->next) {
        if (m->is_lifted) {
            status = upload(backend, m);
            m->is_lifted = status != TUMBLE_OK;
        }
    }
    backend->swap.is_putting = 0;
    return status;
}

/* Of what was lifted, the least recently used one is out; 0 if all are in use. */
static int drop_oldest(tmb_opencl_backend *backend)
{
    tmb_uploaded_model *oldest = NULL;
    pthread_mutex_lock(&backend->tables.lock);
    for (tmb_uploaded_model *m = backend->swap.first; m; m = m->next) {
        if (m->is_lifted && !is_in_use(&backend->swap, m) && (!oldest || m->last_use < oldest->last_use)) {
            oldest = m;
        }
    }
    if (oldest) {
        oldest->is_lifted = 0;
        count_out(&backend->swap, oldest);
    }
    pthread_mutex_unlock(&backend->tables.lock);
    return oldest != NULL;
}

/* What could not be put down is out. */
static void drop_all(tmb_opencl_backend *backend)
{
    pthread_mutex_lock(&backend->tables.lock);
    for (tmb_uploaded_model *m = backend->swap.first; m; m = m->next) {
        if (m->is_lifted) {
            m->is_lifted = 0;
            count_out(&backend->swap, m);
        }
    }
    pthread_mutex_unlock(&backend->tables.lock);
}

/* Leaves no gaps between models, and room for `more` bytes behind them. Where the device has no memory for that, though
 * the limit allows it, models go until it has. Whether there is room now, and all that is in use is there. */
static int gather_models(tmb_opencl_backend *backend, uint64_t more)
{
    tmb_opencl *o = backend->opencl;
    const uint64_t in_use = ask_bytes(backend, 1);
    if (!lift(backend)) {
        return 0;
    }
    (void)o->api.clFinish(o->queue); /* the old buffer goes when nothing reads it */
    const uint64_t budget = tmb_opencl_memory_budget(o), wanted = lifted_bytes(backend) + more;
    const uint64_t generous = more && wanted + wanted / 2 <= budget ? wanted + wanted / 2 : wanted;
    tumble_status status = put_down(backend, generous);
    int is_exact = generous == wanted;
    while (status == TUMBLE_ERROR_MEMORY) {
        (void)lift(backend);
        if (is_exact && !drop_oldest(backend)) {
            break;
        }
        is_exact = 1;
        status = put_down(backend, lifted_bytes(backend) + more);
    }
    drop_all(backend);
    return status == TUMBLE_OK && ask_bytes(backend, 1) == in_use;
}

/* What memory.c calls when a model finds no place. */
static int make_room(void *keeper, uint64_t size)
{
    tmb_opencl_backend *backend = keeper;
    const uint64_t budget = tmb_opencl_memory_budget(backend->opencl);
    const uint64_t in_use = ask_bytes(backend, 1);
    if (backend->swap.is_putting || in_use > budget || size > budget - in_use) {
        return 0;
    }
    const uint64_t all = ask_bytes(backend, 0);
    const int is_enough = all <= budget && size <= budget - all;
    if (is_enough && !may_move(backend)) {
        return 0; /* later, when no piece runs or a check names it */
    }
    if (is_enough && all && !tmb_opencl_memory_has_gap(backend->opencl, size)) {
        return gather_models(backend, size);
    }
    return evict_oldest(backend);
}

/* ---- Models ---- */

void tmb_swap_begin(tmb_opencl_backend *backend)
{
    backend->opencl->keeper = backend;
    backend->opencl->make_room = make_room;
}

tumble_status tmb_swap_add(tmb_opencl_backend *backend, tmb_uploaded_model *model)
{
    tmb_swap *swap = &backend->swap;
    const uint64_t refused = atomic_load(&backend->opencl->refused_count);
    tumble_status status = upload(backend, model);
    if (status == TUMBLE_ERROR_MEMORY && atomic_load(&backend->opencl->refused_count) != refused &&
        model->bytes <= backend->opencl->largest_buffer) {
        status = TUMBLE_OK; /* the limit has no room for it now */
    }
    if (status != TUMBLE_OK) {
        return status;
    }
    pthread_mutex_lock(&backend->tables.lock);
    model->last_use = ++swap->clock;
    model->next = swap->first;
    if (model->next) {
        model->next->previous = model;
    }
    swap->first = model;
    pthread_mutex_unlock(&backend->tables.lock);
    return TUMBLE_OK;
}

void tmb_swap_remove(tmb_opencl_backend *backend, tmb_uploaded_model *model)
{
    tmb_swap *swap = &backend->swap;
    pthread_mutex_lock(&backend->tables.lock);
    TMB_ASSERT(!is_in_use(swap, model));
    *(model->previous ? &model->previous->next : &swap->first) = model->next;
    if (model->next) {
        model->next->previous = model->previous;
    }
    if (model->is_resident) {
        tmb_opencl_memory_remove(backend->opencl, model->offset);
    }
    pthread_mutex_unlock(&backend->tables.lock);
}

void tmb_opencl_get_memory(void *self, tumble_device_memory *out)
{
    tmb_opencl_backend *backend = self;
    const tmb_swap *swap = &backend->swap;
    (void)tmb_opencl_memory_lock(backend->opencl);
    const uint64_t buffer_bytes = backend->opencl->models_size;
    tmb_opencl_memory_unlock(backend->opencl);
    pthread_mutex_lock(&backend->tables.lock);
    *out = (tumble_device_memory){.limit_bytes = backend->opencl->memory_bytes,
                                  .used_bytes = atomic_load(&backend->opencl->used_bytes),
                                  .buffer_bytes = buffer_bytes,
                                  .swapped_out_count = swap->out_count,
                                  .swapped_out_bytes = swap->out_bytes,
                                  .swapped_in_count = swap->in_count,
                                  .swapped_in_bytes = swap->in_bytes};
    for (const tmb_uploaded_model *m = swap->first; m; m = m->next) {
        out->model_count++;
        out->model_bytes += m->bytes;
        out->resident_count += m->is_resident ? 1 : 0;
        out->resident_bytes += m->is_resident ? m->bytes : 0;
    }
    pthread_mutex_unlock(&backend->tables.lock);
}

/* ---- Pieces ---- */

/* A piece that is being chosen. */
typedef struct choice {
    tmb_swap *swap;
    uint64_t budget, bytes;
    size_t count, most;
    int has_missing;
} choice;

static uint64_t extra_bytes(const choice *c, const tmb_uploaded_model *a, const tmb_uploaded_model *b)
{
    return (a->piece != c->swap->piece ? a->bytes : 0) + (b != a && b->piece != c->swap->piece ? b->bytes : 0);
}

static void use(choice *c, tmb_uploaded_model *model)
{
    model->piece = c->swap->piece;
    model->last_use = ++c->swap->clock;
    c->has_missing |= !model->is_resident;
}

/* Adds checks of these models; 0 if they do not fit. The first ones are always taken. */
static int take(choice *c, const tumble_model_pair *pair, size_t count)
{
    tmb_uploaded_model *a = tmb_uploaded(pair->a), *b = tmb_uploaded(pair->b);
    if (a->piece != c->swap->piece || b->piece != c->swap->piece) {
        const uint64_t extra = extra_bytes(c, a, b);
        if (c->count && (c->bytes > c->budget || extra > c->budget - c->bytes)) {
            return 0;
        }
        c->bytes += extra;
        use(c, a);
        use(c, b);
    }
    c->count += count;
    return 1;
}

/* The checks of a part; 0 if not all of them are taken. */
static int take_part(choice *c, const tmb_chunk_part *part)
{
    size_t pair_count;
    const tumble_model_pair *pairs = tmb_part_pairs(part, &pair_count);
    const size_t room = c->most - c->count, count = part->count < room ? part->count : room;
    if (count == 0) {
        return 0;
    }
    if (pair_count == 1) {
        return take(c, pairs, count) && count == part->count;
    }
    for (size_t i = 0; i < count; i++) {
        if (!take(c, &pairs[i], 1)) {
            return 0;
        }
    }
    return count == part->count;
}

size_t tmb_swap_begin_piece(tmb_opencl_backend *backend, const tmb_chunk *chunk, size_t most)
{
    TMB_ASSERT(chunk->part_count > 0 && most > 0);
    tmb_swap *swap = &backend->swap;
    choice c = {.swap = swap, .budget = tmb_opencl_memory_budget(backend->opencl), .most = most};
    pthread_mutex_lock(&backend->tables.lock);
    swap->piece++;
    swap->is_running = 1;
    for (size_t p = 0; p < chunk->part_count && take_part(&c, &chunk->parts[p]); p++) {
    }
    swap->has_missing = c.has_missing;
    pthread_mutex_unlock(&backend->tables.lock);
    return c.count;
}

void tmb_swap_end_piece(tmb_opencl_backend *backend)
{
    pthread_mutex_lock(&backend->tables.lock);
    backend->swap.is_running = 0;
    pthread_mutex_unlock(&backend->tables.lock);
}

/* The thread that runs pieces may now move what they use. */
static void begin_moves(tmb_opencl_backend *backend)
{
    pthread_mutex_lock(&backend->opencl->adding);
    pthread_mutex_lock(&backend->tables.lock);
    backend->swap.is_mover = 1;
    pthread_mutex_unlock(&backend->tables.lock);
}

static void end_moves(tmb_opencl_backend *backend)
{
    pthread_mutex_lock(&backend->tables.lock);
    backend->swap.is_mover = 0;
    pthread_mutex_unlock(&backend->tables.lock);
    pthread_mutex_unlock(&backend->opencl->adding);
}

/* The next model that the piece uses and that is not there. */
static tmb_uploaded_model *find_missing(tmb_opencl_backend *backend)
{
    pthread_mutex_lock(&backend->tables.lock);
    tmb_uploaded_model *m = backend->swap.first;
    while (m && (m->is_resident || !is_in_use(&backend->swap, m))) {
        m = m->next;
    }
    pthread_mutex_unlock(&backend->tables.lock);
    return m;
}

tumble_status tmb_swap_bring(tmb_opencl_backend *backend)
{
    tmb_swap *swap = &backend->swap;
    tumble_status status = TUMBLE_OK;
    tmb_uploaded_model *missing;
    if (!swap->has_missing) {
        return TUMBLE_OK;
    }
    begin_moves(backend);
    while (status == TUMBLE_OK && (missing = find_missing(backend)) != NULL) {
        status = upload(backend, missing);
        pthread_mutex_lock(&backend->tables.lock);
        swap->in_count += status == TUMBLE_OK;
        swap->in_bytes += status == TUMBLE_OK ? missing->bytes : 0;
        pthread_mutex_unlock(&backend->tables.lock);
    }
    end_moves(backend);
    swap->has_missing = status != TUMBLE_OK;
    return status;
}

/* How many bytes the models may keep, so that there is room of `size` bytes for something else. If the limit is not
 * what is in the way, the device itself is short of memory: then one model less than now, or no room behind them. */
static uint64_t rest_for_models(tmb_opencl_backend *backend, uint64_t size, uint64_t all)
{
    tmb_opencl *o = backend->opencl;
    const uint64_t used = atomic_load(&o->used_bytes), models = o->models_size, limit = o->memory_bytes;
    const uint64_t others = used - models;
    if (others <= limit && size <= limit - others && models <= limit - others - size) {
        return models > all ? all : all - 1;
    }
    return others <= limit && size <= limit - others ? limit - others - size : 0;
}

int tmb_swap_yield(tmb_opencl_backend *backend, uint64_t size)
{
    int is_done = 0;
    begin_moves(backend);
    uint64_t all = ask_bytes(backend, 0);
    if (size <= backend->opencl->largest_buffer && backend->opencl->models) {
        const uint64_t rest = rest_for_models(backend, size, all);
        const int is_possible = ask_bytes(backend, 1) <= rest;
        while (is_possible && all > rest && evict_oldest(backend)) {
            all = ask_bytes(backend, 0);
        }
        is_done = is_possible && gather_models(backend, 0);
    }
    end_moves(backend);
    return is_done;
}

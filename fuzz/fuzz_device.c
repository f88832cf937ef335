/* A stream of commands to a device, from bytes: models come and go, batches are submitted, cancelled, polled, waited
 * for too shortly, taken by hand or by callbacks, and the device is closed with work in flight. What is answered must
 * be what tumble_collide says. Devices are kept for some inputs, as they take their time to open. With FUZZ_OPENCL the
 * device is an OpenCL one, which takes a millisecond for what a pool does in some microseconds. */
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>

#include "fuzz_scene.h"

enum {
    MODELS = 3,
    HANDLES = 4,
    SLOTS = 6,
    CHECKS_MOST = 6,
    ROOM_MOST = 5,
    CONTACTS_MOST = 3,
#ifdef FUZZ_OPENCL
    USES_OPENCL = 1,
    COMMANDS_MOST = 6,
#else
    USES_OPENCL = 0,
    COMMANDS_MOST = 20,
#endif
    COPIES_OF_FIRST = 7,
    KEPT = 4,
    INPUTS_PER_DEVICE = 1000,
    LIMIT_SECONDS = 15
};

/* PoCL and the compiler in it keep memory until the program ends. */
/* NOLINTBEGIN(bugprone-reserved-identifier, cert-dcl37-c, cert-dcl51-cpp): the sanitizer wants this name */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
/* NOLINTEND(bugprone-reserved-identifier, cert-dcl37-c, cert-dcl51-cpp) */
{
    return "leak:libpocl\nleak:libLLVM\nleak:libOpenCL\nleak:libclang\nleak:libstdc++\n";
}

static void require(int condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "not so: %s\n", what);
        abort();
    }
}

/* A batch with all its arrays. */
typedef struct slot {
    int is_open; /* submitted and not taken */
    int is_cancelled;
    tumble_ticket ticket;
    unsigned number; /* in the order of submission */
    tumble_batch batch;
    tumble_model_pair pairs[CHECKS_MOST];
    size_t models[CHECKS_MOST][2]; /* what they stand for */
    tumble_pose poses[2][CHECKS_MOST];
    tumble_check_answer answers[CHECKS_MOST];
    tumble_pair found[CHECKS_MOST * ROOM_MOST];
    tumble_contact contacts[CHECKS_MOST * CONTACTS_MOST];
    uint64_t contact_counts[CHECKS_MOST];
    atomic_int called; /* how often the callback was */
    tumble_status called_status;
    struct machine *machine;
} slot;

typedef struct machine {
    bytes in;
    struct kept_device *kept;
    tumble_context *context; /* its */
    tumble_device *device;   /* likewise */
    tumble_query *query;
    tumble_model *models[MODELS];
    tumble_device_model *handles[HANDLES];
    size_t handle_models[HANDLES];
    slot slots[SLOTS];
    unsigned submitted;
    unsigned last_called; /* by callback: they come in the order of submission */
    int is_hard;          /* numbers of all sizes: exact arithmetic takes its time on these */
} machine;

/* ---- What is right ---- */

static tumble_status ask(machine *m, const slot *s, size_t check, tumble_collide_options options,
                         tumble_collide_result *result)
{
    const tumble_batch *batch = &s->batch;
    const size_t *models = s->models[batch->pair_count == 1 ? 0 : check];
    const tumble_pose *pose_a = batch->pose_a_count ? &s->poses[0][batch->pose_a_count == 1 ? 0 : check] : NULL;
    const tumble_pose *pose_b = batch->pose_b_count ? &s->poses[1][batch->pose_b_count == 1 ? 0 : check] : NULL;
    return tumble_collide(m->query, m->models[models[0]], pose_a, m->models[models[1]], pose_b, &options, result);
}

/* Whether a pair is among all that intersect. */
static int is_pair(machine *m, const slot *s, size_t check, tumble_pair pair)
{
    tumble_collide_result result;
    if (ask(m, s, check, tumble_default_collide_options(), &result) != TUMBLE_OK) {
        return 1;
    }
    for (size_t i = 0; i < result.pair_count; i++) {
        if (memcmp(&result.pairs[i], &pair, sizeof pair) == 0) {
            return 1;
        }
    }
    return 0;
}

/* Returns what the check's status must be. */
static tumble_status check_answer(machine *m, const slot *s, size_t check)
{
    const tumble_batch *batch = &s->batch;
    const tumble_check_answer *answer = &s->answers[check];
    tumble_pair found[ROOM_MOST];
    tumble_contact contacts[CONTACTS_MOST];
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result result;
    options.mode = batch->mode == TUMBLE_FIRST ? TUMBLE_TEST : batch->mode;
    if (batch->mode == TUMBLE_ALL) {
        options.pairs = found;
        options.pair_capacity = batch->found_capacity;
        options.contacts = contacts;
        options.contact_capacity = batch->contact_capacity;
        options.want_contacts = batch->contact_counts != NULL;
    }
    const tumble_status status = ask(m, s, check, options, &result);
    if (s->is_cancelled && answer->status == TUMBLE_ERROR_CANCELLED) {
        return status;
    }
    require(answer->status == status, "the check's status");
    if (status != TUMBLE_OK) {
        return status;
    }
    require(answer->collide == result.collide, "collide");
    require(answer->pair_count == result.pair_count, "the number of pairs");
    if (batch->mode == TUMBLE_ALL) {
        const size_t room = batch->found_capacity, listed = result.pair_count < room ? (size_t)result.pair_count : room;
        const size_t most = batch->contact_capacity;
        const size_t shown = result.contact_count < most ? (size_t)result.contact_count : most;
        require(memcmp(s->found + check * room, found, listed * sizeof *found) == 0, "the pairs");
        require(memcmp(s->contacts + check * most, contacts, shown * sizeof *contacts) == 0, "the contacts");
        require(!batch->contact_counts || s->contact_counts[check] == result.contact_count, "the number of contacts");
    }
    if ((batch->mode == TUMBLE_ALL || batch->mode == TUMBLE_FIRST) && result.collide) {
        require(is_pair(m, s, check, answer->first), "the first pair");
    }
    return status;
}

/* A ticket that was taken. */
static void check_taken(machine *m, slot *s, tumble_status status)
{
    tumble_status expected = TUMBLE_OK;
    for (size_t i = 0; i < s->batch.check_count; i++) {
        const tumble_status one = check_answer(m, s, i);
        expected = expected == TUMBLE_OK ? one : expected;
    }
    require(status == expected || (status == TUMBLE_ERROR_CANCELLED && s->is_cancelled), "the batch's status");
    s->is_open = 0;
}

static void check_report(const slot *s, const tumble_ticket_report *report, int is_done)
{
    require(report->is_done == is_done || !is_done, "is_done");
    require(report->check_count == s->batch.check_count, "check_count");
    require(report->done_count <= report->check_count, "done_count");
    require(!report->is_done || report->status == TUMBLE_OK || report->message[0], "a message");
}

/* ---- Commands ---- */

static void on_done(void *user, tumble_ticket ticket, const tumble_ticket_report *report)
{
    slot *s = user;
    require(ticket && report->is_done && s->number > s->machine->last_called, "callbacks in order");
    s->machine->last_called = s->number;
    s->called_status = report->status;
    atomic_fetch_add(&s->called, 1);
}

static slot *next_slot(machine *m)
{
    return &m->slots[next(&m->in) % SLOTS];
}

static double next_seconds(machine *m)
{
    static const double seconds[] = {0, 0, 1e-6, 1e-5, 1e-4, LIMIT_SECONDS};
    return seconds[next(&m->in) % (sizeof seconds / sizeof *seconds)];
}

static void take_called(machine *m, slot *s)
{
    if (s->is_open && s->batch.callback && atomic_load(&s->called)) {
        check_taken(m, s, s->called_status);
    }
}

static void wait_for(machine *m, slot *s, double seconds)
{
    tumble_ticket_report report;
    if (!s->is_open || s->batch.callback) {
        return;
    }
    const tumble_status status = tumble_device_wait(m->device, s->ticket, seconds, &report);
    if (status == TUMBLE_ERROR_TIMEOUT) {
        require(seconds < LIMIT_SECONDS, "an end in time");
        return;
    }
    check_report(s, &report, 1);
    check_taken(m, s, status);
}

static void take_next(machine *m, double seconds)
{
    tumble_ticket_report report;
    tumble_ticket ticket = 0;
    const tumble_status status = tumble_device_next(m->device, seconds, &ticket, &report);
    slot *oldest = NULL;
    for (size_t i = 0; i < SLOTS; i++) {
        slot *s = &m->slots[i];
        if (s->is_open && !s->batch.callback && (!oldest || s->number < oldest->number)) {
            oldest = s;
        }
    }
    if (!oldest) {
        require(status == TUMBLE_OK && ticket == 0, "no next ticket");
    } else if (status == TUMBLE_ERROR_TIMEOUT) {
        require(seconds < LIMIT_SECONDS, "a next ticket in time");
    } else {
        require(ticket == oldest->ticket, "first in, first out");
        check_report(oldest, &report, 1);
        check_taken(m, oldest, status);
    }
}

/* Gives a slot up for something new. */
static void free_slot(machine *m, slot *s)
{
    if (s->is_open && s->batch.callback) {
        require(tumble_device_finish(m->device, LIMIT_SECONDS) == TUMBLE_OK, "an end in time");
        for (int i = 0; i < 1000 && !atomic_load(&s->called); i++) {
            (void)tumble_device_finish(m->device, 0.01); /* done, and its callback under way */
        }
        require(atomic_load(&s->called) == 1, "one callback");
        take_called(m, s);
    }
    wait_for(m, s, LIMIT_SECONDS);
}

/* Whether exact arithmetic on such numbers is quick. */
static int is_moderate(double x)
{
    return x == 0 || (fabs(x) > 0x1p-120 && fabs(x) < 0x1p120);
}

/* Any pose where there are few triangles. */
static tumble_pose next_easy_pose(machine *m)
{
    const tumble_pose pose = next_pose(&m->in, m->context);
    int all = 1;
    for (int i = 0; i < 12; i++) {
        all &= is_moderate(pose.m[i / 4][i % 4]);
    }
    return all || m->is_hard ? pose : tumble_pose_identity();
}

static int next_pairs(machine *m, slot *s)
{
    for (size_t i = 0; i < s->batch.pair_count; i++) {
        const unsigned which = next(&m->in);
        const size_t a = which % HANDLES, b = which / HANDLES % HANDLES;
        if (!m->handles[a] || !m->handles[b]) {
            return 0;
        }
        s->pairs[i] = (tumble_model_pair){m->handles[a], m->handles[b]};
        s->models[i][0] = m->handle_models[a];
        s->models[i][1] = m->handle_models[b];
    }
    return 1;
}

static void next_batch(machine *m, slot *s)
{
    const unsigned choice = next(&m->in), counts = next(&m->in), rooms = next(&m->in);
    const size_t checks = counts % (CHECKS_MOST + 1);
    s->batch = tumble_default_batch();
    s->batch.mode = (tumble_mode)(choice & 3);
    s->batch.check_count = checks;
    s->batch.pair_count = choice & 4 ? checks : 1;
    s->batch.pose_a_count = choice & 8 ? (choice & 16 ? checks : 1) : 0;
    s->batch.pose_b_count = choice & 32 ? checks : 1;
    s->batch.callback = choice & 64 ? on_done : NULL;
    s->batch.callback_user = s;
    s->batch.on_cpu = (choice & 128) != 0 && counts & 128;
    s->batch.found_capacity = s->batch.mode == TUMBLE_ALL ? rooms % (ROOM_MOST + 1) : 0;
    s->batch.contact_capacity = s->batch.mode == TUMBLE_ALL ? rooms / 8 % (CONTACTS_MOST + 1) : 0;
    s->batch.contact_counts = s->batch.mode == TUMBLE_ALL && rooms & 128 ? s->contact_counts : NULL;
    s->batch.pairs = s->pairs;
    s->batch.poses_a = s->poses[0];
    s->batch.poses_b = s->poses[1];
    s->batch.answers = s->answers;
    s->batch.found = s->found;
    s->batch.contacts = s->contacts;
    for (size_t i = 0; i < checks; i++) {
        s->poses[0][i] = next_easy_pose(m);
        s->poses[1][i] = next_easy_pose(m);
    }
}

static size_t open_slots(const machine *m)
{
    size_t count = 0;
    for (size_t i = 0; i < SLOTS; i++) {
        count += (size_t)m->slots[i].is_open;
    }
    return count;
}

static void submit(machine *m)
{
    slot *s = next_slot(m);
    free_slot(m, s);
    next_batch(m, s);
    if (!next_pairs(m, s)) {
        return;
    }
    memset(s->answers, 0xa5, sizeof s->answers);
    atomic_store(&s->called, 0);
    s->is_cancelled = 0;
    s->machine = m;
    s->number = ++m->submitted;
    s->is_open = 1;                                     /* before the callback can come */
    const double seconds = fmin(next_seconds(m), 1e-4); /* the queue may be full of what only this thread takes */
    const tumble_status status = tumble_device_submit(m->device, &s->batch, seconds, &s->ticket);
    if (status != TUMBLE_OK) {
        s->is_open = 0;
        require(status == TUMBLE_ERROR_BUSY && open_slots(m) > 0, "a queue that is full");
    }
}

static void cancel(machine *m)
{
    slot *s = next_slot(m);
    if (s->is_open) {
        s->is_cancelled = 1;
        const tumble_status status = tumble_device_cancel(m->device, s->ticket);
        require(status == TUMBLE_OK || s->batch.callback, "cancelling");
    }
}

static void poll(machine *m)
{
    slot *s = next_slot(m);
    tumble_ticket_report report;
    if (s->is_open && tumble_device_poll(m->device, s->ticket, &report) == TUMBLE_OK) {
        check_report(s, &report, 0);
    } else {
        require(!s->is_open || s->batch.callback, "a ticket that can be polled");
    }
}

static void add_model(machine *m)
{
    const unsigned which = next(&m->in);
    const size_t handle = which % HANDLES;
    tumble_device_remove_model(m->handles[handle]); /* waits for its batches, or is NULL */
    m->handles[handle] = NULL;
    m->handle_models[handle] = which / HANDLES % MODELS;
    require(tumble_device_add_model(m->device, m->models[m->handle_models[handle]], &m->handles[handle]) == TUMBLE_OK,
            "adding a model");
}

static void remove_model(machine *m)
{
    const size_t handle = next(&m->in) % HANDLES;
    tumble_device_remove_model(m->handles[handle]);
    m->handles[handle] = NULL;
}

/* What nobody should do. */
static void misuse(machine *m)
{
    slot *s = next_slot(m);
    tumble_ticket_report report;
    tumble_batch batch = tumble_default_batch();
    tumble_ticket ticket = 0;
    const unsigned what = next(&m->in) % 6;
    batch.check_count = what == 5 ? SIZE_MAX : 1;
    batch.answers = s->answers;
    if (what >= 3) {
        require(tumble_device_submit(m->device, &batch, 0, &ticket) == TUMBLE_ERROR_ARGUMENT, "no pairs");
    } else if (!s->is_open) { /* its ticket is taken, or never was */
        const tumble_status status = what == 0   ? tumble_device_wait(m->device, s->ticket, 0, &report)
                                     : what == 1 ? tumble_device_poll(m->device, s->ticket, &report)
                                                 : tumble_device_cancel(m->device, s->ticket);
        require(status == TUMBLE_ERROR_ARGUMENT, "a ticket that is none");
    }
}

static void obey(machine *m)
{
    switch (next(&m->in) % 12) {
    case 0: cancel(m); break;
    case 1: poll(m); break;
    case 2: wait_for(m, next_slot(m), next_seconds(m)); break;
    case 3: take_next(m, next_seconds(m)); break;
    case 4: add_model(m); break;
    case 5: remove_model(m); break;
    case 6: (void)tumble_device_finish(m->device, next_seconds(m)); break;
    case 7: misuse(m); break;
    default: submit(m); break;
    }
    for (size_t i = 0; i < SLOTS; i++) {
        take_called(m, &m->slots[i]);
    }
}

/* ---- Beginning and end ---- */

/* What is kept from input to input: pools of one to three threads with short and long queues, or OpenCL devices with
 * and without doubles. */
typedef struct kept_device {
    tumble_context *context;
    tumble_device *device;
    unsigned uses;
} kept_device;

static kept_device kept[KEPT];

static tumble_context *make_context(void)
{
    tumble_context_options options = tumble_default_context_options();
    tumble_context *context = NULL;
    options.thread_count = 1;
    require(tumble_context_create(&options, &context) == TUMBLE_OK, "a context");
    return context;
}

static void close_kept(kept_device *old)
{
    tumble_device_close(old->device);
    tumble_context_destroy(old->context);
    memset(old, 0, sizeof *old);
}

static kept_device *open_kept(unsigned choice)
{
    const unsigned which = choice % (USES_OPENCL ? 2 : KEPT);
    kept_device *chosen = &kept[which];
    if (chosen->device && chosen->uses++ > INPUTS_PER_DEVICE) {
        close_kept(chosen);
    }
    if (!chosen->device) {
        tumble_device_options options = tumble_default_device_options();
        options.without_doubles = USES_OPENCL && which == 1;
        options.thread_count = USES_OPENCL ? 0 : 1 + which % 3;
        options.queue_capacity = USES_OPENCL ? SLOTS - 2 : 1 + 2 * which;
        chosen->context = make_context();
        require(tumble_device_open(chosen->context, USES_OPENCL, &options, &chosen->device) == TUMBLE_OK, "a device");
    }
    return chosen;
}

/* Few triangles where numbers are of all sizes. */
static void next_easy_mesh(machine *m, unsigned copies, small_mesh *out)
{
    next_mesh(&m->in, out);
    int all = !m->is_hard;
    for (size_t i = 0; i < 3 * out->mesh.point_count; i++) {
        all &= is_moderate(out->points[i]);
    }
    if (all) {
        next_copies(&m->in, copies, out);
    } else if (out->mesh.polygon_count > 1) {
        out->mesh.polygon_count = 1;
        out->mesh.index_count = out->sizes[0];
    }
}

static void begin(machine *m, unsigned choice)
{
    small_mesh mesh;
    m->kept = open_kept(choice);
    m->context = m->kept->context;
    m->device = m->kept->device;
    require(tumble_query_create(m->context, &m->query) == TUMBLE_OK, "a query");
    m->is_hard = next(&m->in) % 16 == 1;
    for (size_t i = 0; i < MODELS; i++) {
        next_easy_mesh(m, i ? COPIES_FEW : COPIES_OF_FIRST, &mesh);
        m->models[i] = make(m->context, &mesh, NULL);
    }
    for (size_t i = 0; i < HANDLES - 1; i++) {
        m->handle_models[i] = i % MODELS;
        require(tumble_device_add_model(m->device, m->models[i % MODELS], &m->handles[i]) == TUMBLE_OK, "a model");
    }
}

/* Closes with work in flight, or takes what is open and gives the device back as it was. */
static void finish(machine *m, int closes)
{
    for (size_t i = 0; i < SLOTS && !closes; i++) {
        free_slot(m, &m->slots[i]);
    }
    for (size_t i = 0; i < HANDLES && !closes; i++) {
        tumble_device_remove_model(m->handles[i]);
    }
    if (closes) {
        tumble_device_close(m->device);
        m->kept->device = NULL;
    }
    for (size_t i = 0; i < SLOTS; i++) {
        slot *s = &m->slots[i];
        require(!s->is_open || !s->batch.callback || atomic_load(&s->called) == 1, "one callback before the end");
        s->is_cancelled = 1;
        take_called(m, s);
    }
    for (size_t i = 0; i < MODELS; i++) {
        tumble_model_destroy(m->models[i]);
    }
    tumble_query_destroy(m->query);
    if (closes) {
        close_kept(m->kept);
    }
}

/* Kernels are compiled when they are first used, which takes longer than an input may. */
static void warm_up(unsigned choice)
{
    static const uint8_t triangle[] = {1, 2, 1, 100, 100, 128, 160, 100, 128, 128, 160, 128, 0, 1, 2};
    bytes in = {triangle, sizeof triangle};
    small_mesh mesh;
    tumble_device_model *handle = NULL;
    tumble_check_answer answer;
    tumble_ticket ticket;
    tumble_batch batch = tumble_default_batch();
    const kept_device *opened = open_kept(choice);
    next_mesh(&in, &mesh);
    tumble_model *model = make(opened->context, &mesh, NULL);
    require(tumble_device_add_model(opened->device, model, &handle) == TUMBLE_OK, "a model");
    const tumble_model_pair pair = {handle, handle};
    batch.mode = TUMBLE_COUNT;
    batch.check_count = batch.pair_count = 1;
    batch.pairs = &pair;
    batch.answers = &answer;
    require(tumble_device_submit(opened->device, &batch, 0, &ticket) == TUMBLE_OK, "a first batch");
    require(tumble_device_wait(opened->device, ticket, INFINITY, NULL) == TUMBLE_OK, "a first answer");
    tumble_device_remove_model(handle);
    tumble_model_destroy(model);
}

int LLVMFuzzerInitialize(int *count, char ***arguments);
int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    (void)count;
    (void)arguments;
    for (unsigned choice = 0; choice < 2 && USES_OPENCL; choice++) {
        warm_up(choice);
        signal(SIGABRT, SIG_DFL); /* or the compiler in PoCL would take it, and the fuzzer not write its input */
    }
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    machine *m = calloc(1, sizeof *m);
    require(m != NULL, "memory");
    m->in = (bytes){data, size};
    const unsigned choice = next(&m->in);
    begin(m, choice);
    for (int i = 0; i < COMMANDS_MOST && m->in.size; i++) {
        obey(m);
    }
    finish(m, choice >= (USES_OPENCL ? 254 : 240)); /* seldom, as a device must then be opened */
    free(m);
    return 0;
}

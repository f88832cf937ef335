/* The interface of the patent's device, from bytes: objects are sent point by point, rightly and wrongly, checked,
 * waited for, cancelled and deleted, with ids that exist and ids that do not. Nothing may do harm, and what a check
 * says must fit together. */
#include <stdio.h>

#include "fuzz_scene.h"
#include "tumble/col.h"

enum {
    OBJECTS = 4,
    CHECKS = 6,
    ROOM = 8,
    COMMANDS_MOST = 24,
    TRIANGLES_MOST = 8, /* of an object */
    LIMIT_SECONDS = 15
};

static void require(int condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "not so: %s\n", what);
        abort();
    }
}

typedef struct check {
    colPending id;
    int has_indices, has_points;
    size_t capacity;
    uint32_t indices[2 * ROOM];
    colVec points[2 * ROOM];
} check;

typedef struct machine {
    bytes in;
    colContext *context;
    colObject objects[OBJECTS];
    check checks[CHECKS];
    number_kind kind;
    int sent; /* triangles of the object that is being made */
} machine;

static double next_coordinate(machine *m)
{
    return next_number(&m->in, &m->kind);
}

/* Numbers that exact arithmetic is quick with: others are the fuzzer of queries' business. */
static number_kind next_easy_kind(machine *m)
{
    number_kind kind = next_kind(&m->in);
    kind.kind = (kind.kind & 7) == 7 ? 1 : kind.kind;
    kind.scale = 1;
    kind.shift = 0;
    return kind;
}

static void new_object(machine *m)
{
    const unsigned slot = next(&m->in) % OBJECTS;
    const colObject made = colNewObject(m->context);
    if (made) {
        m->kind = next_easy_kind(m);
        m->sent = 0;
        m->objects[slot] = made; /* what was there is forgotten, until the end */
    }
}

static void send_points(machine *m)
{
    for (unsigned i = next(&m->in) % 6; i > 0; i--) {
        const double x = next_coordinate(m), y = next_coordinate(m);
        (void)colVertex(m->context, x, y, next(&m->in) == 99 ? NAN : next_coordinate(m));
    }
}

static void send_corners(machine *m)
{
    for (unsigned i = next(&m->in) % 7; i > 0 && m->sent < TRIANGLES_MOST; i--, m->sent++) {
        for (int k = 0; k < 3; k++) {
            (void)colIndex(m->context, next(&m->in) % 8);
        }
    }
}

static void send_polygon(machine *m)
{
    (void)colBeginPolygon(m->context);
    for (unsigned i = next(&m->in) % 6; i > 0 && m->sent < TRIANGLES_MOST; i--, m->sent++) {
        (void)colIndex(m->context, next(&m->in) % 8);
    }
    if (next(&m->in) % 8) {
        (void)colEndPolygon(m->context);
    }
}

static void send_triangles(machine *m)
{
    colVec points[6];
    colVecf floats[6];
    const size_t count = next(&m->in) % 3;
    for (size_t i = 0; i < 3 * count; i++) {
        points[i].x = next_coordinate(m), points[i].y = next_coordinate(m), points[i].z = next_coordinate(m);
        floats[i] = (colVecf){(float)(points[i].x / 3), (float)(points[i].y / 3), (float)(points[i].z / 3)};
    }
    m->sent += (int)count;
    (void)(next(&m->in) & 1 ? colTriangles(m->context, points, count) : colTrianglesf(m->context, floats, count));
}

static void delete_object(machine *m)
{
    (void)colDeleteObject(m->context, m->objects[next(&m->in) % OBJECTS] + (next(&m->in) == 9));
}

static void wait_for(machine *m, check *c, double seconds)
{
    colResult result;
    const tumble_status status = colWait(m->context, c->id, seconds, &result);
    if (status == TUMBLE_ERROR_TIMEOUT) {
        require(seconds < LIMIT_SECONDS, "an end in time");
        return;
    }
    if (status == TUMBLE_OK) {
        require(c->id != 0, "a check that there is");
        require(result.collide == (result.pair_count > 0), "collide");
        require(result.stored <= c->capacity && result.stored <= result.count, "what is stored");
        require(result.stored == (result.count < c->capacity ? result.count : c->capacity), "as much as there is room");
        require(!c->has_indices || !result.stored || result.collide, "stored pairs collide");
    }
    c->id = 0;
}

static void start_check(machine *m)
{
    check *c = &m->checks[next(&m->in) % CHECKS];
    const unsigned choice = next(&m->in);
    double matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    float floats[16];
    wait_for(m, c, LIMIT_SECONDS); /* its memory must be free */
    for (int i = 0; i < 3; i++) {
        matrix[12 + i] = next_signed(&m->in) / 16.0;
    }
    matrix[choice % 16] += choice >= 240 ? next_signed(&m->in) : 0;
    for (int i = 0; i < 16; i++) {
        floats[i] = (float)matrix[i];
    }
    c->has_indices = choice & 1;
    c->has_points = choice >> 1 & 1;
    c->capacity = c->has_indices || c->has_points ? next(&m->in) % (ROOM + 1) : 0;
    const colObject a = m->objects[choice >> 2 & 3], b = m->objects[choice >> 4 & 3];
    uint32_t *indices = c->has_indices ? c->indices : NULL;
    colVec *points = c->has_points ? c->points : NULL;
    c->id = choice & 64 ? colCheck(m->context, a, b, choice & 128 ? NULL : matrix, indices, points, c->capacity)
                        : colCheckf(m->context, a, b, floats, indices, points, c->capacity);
}

static void obey(machine *m)
{
    check *c = &m->checks[next(&m->in) % CHECKS];
    switch (next(&m->in) % 12) {
    case 0: new_object(m); break;
    case 1: send_points(m); break;
    case 2: send_corners(m); break;
    case 3: send_polygon(m); break;
    case 4: send_triangles(m); break;
    case 5: (void)colEndObject(m->context); break;
    case 6: delete_object(m); break;
    case 7: wait_for(m, c, next(&m->in) & 1 ? LIMIT_SECONDS : 1e-6); break;
    case 8: (void)colCancel(m->context, c->id); break;
    case 9: (void)colPoll(m->context, c->id + (next(&m->in) == 9)); break;
    default: start_check(m); break;
    }
}

/* ---- One input ---- */

static colContext *kept_col(void)
{
    static colContext *context;
    if (!context) {
        colOptions options = colDefaultOptions();
        options.thread_count = 1;
        options.queue_capacity = 4;
        context = colInit(&options);
        require(context != NULL, "a context");
    }
    return context;
}

/* Two objects to begin with. */
static void begin(machine *m)
{
    m->kind = next_easy_kind(m);
    for (int i = 0; i < 2; i++) {
        m->objects[i] = colNewObject(m->context);
        m->sent = 0;
        send_points(m);
        send_corners(m);
        send_triangles(m);
        (void)colEndObject(m->context);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static machine m;
    char text[64];
    memset(&m, 0, sizeof m);
    m.in = (bytes){data, size};
    m.context = kept_col();
    begin(&m);
    for (int i = 0; i < COMMANDS_MOST && m.in.size; i++) {
        obey(&m);
    }
    (void)colEndObject(m.context);
    for (size_t i = 0; i < CHECKS; i++) {
        wait_for(&m, &m.checks[i], LIMIT_SECONDS);
        require(m.checks[i].id == 0, "an end");
    }
    for (size_t i = 0; i < OBJECTS; i++) {
        (void)colDeleteObject(m.context, m.objects[i]);
    }
    const tumble_status status = colError(m.context, text, sizeof text);
    require((status == TUMBLE_OK) == (text[0] == '\0'), "a message for an error");
    require(colError(m.context, NULL, 0) == TUMBLE_OK, "an error is told once");
    return 0;
}

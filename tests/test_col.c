/* The patent's interface: it finds what tumble_collide finds, and wrong calls are harmless. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scenes.h"
#include "tumble/col.h"

enum {
    ROOM = 8000,
    SHAPES = 3,
    POSES = 12
};

#define FOREVER 300.0 /* seconds; no test waits longer */

/* ---- What the tests share ---- */

/* A context whose memory is the world's. */
static colContext *begin_col_with(test_world *w, colOptions options)
{
    options.context = w->context;
    options.thread_count = 2;
    colContext *context = colInit(&options);
    assert_non_null(context);
    return context;
}

static colContext *begin_col(test_world *w, uint32_t queue_capacity)
{
    colOptions options = colDefaultOptions();
    options.queue_capacity = queue_capacity;
    return begin_col_with(w, options);
}

static void assert_no_error(colContext *context)
{
    char text[256];
    if (colError(context, text, sizeof text) != TUMBLE_OK) {
        fail_msg("%s", text);
    }
}

/* The error that is kept; it is not any more. */
static void assert_error(colContext *context, tumble_status expected, const char *words)
{
    char text[256] = "";
    const tumble_status status = colError(context, text, sizeof text);
    if (status != expected || !strstr(text, words)) {
        fail_msg("%s (%s) instead of %s (%s)", tumble_status_name(status), text, tumble_status_name(expected), words);
    }
    assert_int_equal(colError(context, text, sizeof text), TUMBLE_OK);
    assert_string_equal(text, "");
}

static void send_points(colContext *context, const models_mesh *mesh)
{
    for (size_t i = 0; i < mesh->point_count; i++) {
        const double *p = &mesh->points[3 * i];
        assert_int_equal(colVertex(context, p[0], p[1], p[2]), TUMBLE_OK);
    }
}

static void send_polygons(colContext *context, const models_mesh *mesh)
{
    const uint32_t *corner = mesh->indices;
    for (size_t i = 0; i < mesh->polygon_count; i++) {
        const uint32_t size = mesh->polygon_sizes[i];
        const int as_polygon = size != 3 || i % 5 == 0;
        if (as_polygon) {
            assert_int_equal(colBeginPolygon(context), TUMBLE_OK);
        }
        for (uint32_t k = 0; k < size; k++) {
            assert_int_equal(colIndex(context, *corner++), TUMBLE_OK);
        }
        if (as_polygon) {
            assert_int_equal(colEndPolygon(context), TUMBLE_OK);
        }
    }
}

static colObject send_mesh(colContext *context, const models_mesh *mesh)
{
    const colObject id = colNewObject(context);
    assert_int_not_equal(id, 0);
    if (id % 2) {
        send_points(context, mesh);
        send_polygons(context, mesh);
    } else {
        send_polygons(context, mesh);
        send_points(context, mesh);
    }
    assert_int_equal(colEndObject(context), TUMBLE_OK);
    return id;
}

static void columns_of(const tumble_pose *pose, double matrix[16])
{
    for (size_t i = 0; i < 3; i++) {
        for (size_t j = 0; j < 4; j++) {
            matrix[4 * j + i] = pose->m[i][j];
        }
        matrix[4 * i + 3] = 0;
    }
    matrix[15] = 1;
}

/* A tetrahedron, which meets itself. */
static colObject send_small(colContext *context)
{
    static const double points[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const uint32_t corners[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    const colObject id = colNewObject(context);
    for (size_t i = 0; i < 4; i++) {
        colVertex(context, points[i][0], points[i][1], points[i][2]);
    }
    for (size_t i = 0; i < 12; i++) {
        colIndex(context, corners[i]);
    }
    return colEndObject(context) == TUMBLE_OK ? id : 0;
}

/* ---- The same answers ---- */

/* What tumble_collide says, with and without contacts. */
typedef struct expected {
    tumble_collide_result result;
    tumble_pair pairs[ROOM];
    tumble_contact contacts[ROOM];
} expected;

static void ask(test_world *w, const tumble_model *a, const tumble_model *b, const tumble_pose *pose, expected *out)
{
    tumble_collide_options options = tumble_default_collide_options();
    options.pairs = out->pairs;
    options.contacts = out->contacts;
    options.pair_capacity = options.contact_capacity = ROOM;
    out->result = (tumble_collide_result){0};
    assert_int_equal(tumble_collide(w->query, a, NULL, b, pose, &options, &out->result), TUMBLE_OK);
    assert_in_range(out->result.contact_count, 0, ROOM);
}

static int has_pair(const expected *e, const uint32_t pair[2])
{
    const test_pairs pairs = {(tumble_pair *)e->pairs, (size_t)e->result.pair_count, 0};
    return test_has_pair(&pairs, (tumble_pair){pair[0], pair[1]});
}

static void assert_indices(const expected *e, const uint32_t *indices, size_t count, int by_contacts)
{
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(indices[2 * i], by_contacts ? e->contacts[i].polygon_a : e->pairs[i].polygon_a);
        assert_int_equal(indices[2 * i + 1], by_contacts ? e->contacts[i].polygon_b : e->pairs[i].polygon_b);
    }
    assert_int_equal(indices[2 * count], UINT32_MAX); /* nothing is written behind them */
}

static void assert_points(const expected *e, const colVec *points, size_t count)
{
    for (size_t i = 0; i < 2 * count; i++) {
        const double *p = e->contacts[i / 2].points[i % 2];
        assert_true(points[i].x == p[0] && points[i].y == p[1] && points[i].z == p[2]);
    }
    assert_true(isnan(points[2 * count].x));
}

/* One check with or without memory for indices and points, of so much room. */
static void compare(colContext *context, const colObject id[2], const double matrix[16], const expected *e,
                    int with_indices, int with_points, size_t room)
{
    static uint32_t indices[2 * ROOM + 1];
    static colVec points[2 * ROOM + 1];
    memset(indices, 0xff, sizeof indices);
    memset(points, 0xff, sizeof points); /* NaN */
    const colPending check =
        colCheck(context, id[0], id[1], matrix, with_indices ? indices : NULL, with_points ? points : NULL, room);
    assert_int_not_equal(check, 0);
    colResult result;
    assert_int_equal(colWait(context, check, FOREVER, &result), TUMBLE_OK);
    assert_int_equal(result.collide, e->result.collide);
    if (result.collide) {
        assert_true(has_pair(e, result.first));
    }
    if (!with_indices && !with_points) {
        assert_int_equal(result.pair_count, result.collide);
        assert_int_equal(result.count, 0);
        assert_int_equal(result.stored, 0);
        return;
    }
    assert_int_equal(result.pair_count, e->result.pair_count);
    assert_int_equal(result.count, with_points ? e->result.contact_count : e->result.pair_count);
    assert_int_equal(result.stored, result.count < room ? result.count : room);
    assert_indices(e, indices, with_indices ? (size_t)result.stored : 0, with_points);
    assert_points(e, points, with_points ? (size_t)result.stored : 0);
}

/* Ends the context. */
static void compare_shapes(test_world *w, colContext *context)
{
    static const char *const names[SHAPES] = {"prism", "torus", "soup"};
    static expected e;
    tumble_model *models[SHAPES];
    colObject ids[SHAPES];
    size_t hits = 0, many = 0;
    for (size_t i = 0; i < SHAPES; i++) {
        models_mesh mesh;
        assert_true(models_make_sized(&mesh, names[i], 500));
        models[i] = test_model(w->context, &mesh, NULL);
        ids[i] = send_mesh(context, &mesh);
        models_free(&mesh);
    }
    for (size_t i = 0; i < SHAPES * POSES; i++) {
        const size_t a = i % SHAPES, b = i / SHAPES % SHAPES;
        const tumble_pose pose = models_tumbling_pose(i, SHAPES * POSES, 0.3 + 0.06 * (double)i);
        double matrix[16];
        columns_of(&pose, matrix);
        ask(w, models[a], models[b], &pose, &e);
        hits += (size_t)e.result.collide;
        many += e.result.contact_count > e.result.pair_count;
        for (int k = 0; k < 4; k++) {
            const colObject id[2] = {ids[a], ids[b]};
            compare(context, id, matrix, &e, k & 1, k >> 1, i % 3 ? ROOM : 7 * (i % 2));
        }
    }
    assert_in_range(hits, 5, SHAPES * POSES - 5);
    assert_true(many > 0); /* polygons whose pairs have several contacts */
    assert_no_error(context);
    for (size_t i = 0; i < SHAPES; i++) {
        tumble_model_destroy(models[i]);
    }
    colShutdown(context);
}

static void test_same_answers(void **state)
{
    compare_shapes(*state, begin_col(*state, 0));
}

/* Objects with the hierarchy of the patent, and others. */
static void test_hierarchies(void **state)
{
    colOptions options = colDefaultOptions();
    tumble_tuning tuning = tumble_default_tuning();
    options.tuning = &tuning;
    options.hierarchy = TUMBLE_HIERARCHY_BOXTREE;
    tuning.boxtree.layout = TUMBLE_BOXTREE_TWO_PLANES;
    tuning.boxtree_walk.overlap = TUMBLE_OVERLAP_AXES;
    compare_shapes(*state, begin_col_with(*state, options));
    options.hierarchy = TUMBLE_HIERARCHY_KDOP;
    compare_shapes(*state, begin_col_with(*state, options));
}

static void test_wrong_tuning(void **state)
{
    test_world *w = *state;
    colOptions options = colDefaultOptions();
    tumble_tuning tuning = tumble_default_tuning();
    options.context = w->context;
    options.tuning = &tuning;
    for (int i = 0; i < 3; i++) {
        tuning.boxtree_walk.direction = (tumble_direction)(i == 0 ? 9 : 0);
        tuning.kdop.k = i == 1 ? 5 : 18;
        options.hierarchy = i == 2 ? (tumble_hierarchy)77 : TUMBLE_HIERARCHY_AUTO;
        assert_null(colInit(&options));
        assert_int_equal(tumble_last_error(w->context, NULL, 0), TUMBLE_ERROR_ARGUMENT);
    }
}

/* Triangles one by one, at once, and at once in float; and the matrix in float. */
static void test_bulk(void **state)
{
    test_world *w = *state;
    colContext *context = begin_col(w, 0);
    models_mesh mesh;
    static colVec points[3 * 1000];
    static colVecf floats[3 * 1000];
    static uint32_t indices[4][2 * ROOM];
    assert_true(models_make_sized(&mesh, "gear", 800));
    models_fit(&mesh, 2, 1);
    assert_in_range(mesh.index_count, 3, 3 * 1000);
    for (size_t i = 0; i < mesh.index_count; i++) {
        const double *p = &mesh.points[(size_t)3 * mesh.indices[i]];
        points[i] = (colVec){p[0], p[1], p[2]};
        floats[i] = (colVecf){(float)p[0], (float)p[1], (float)p[2]};
    }
    colObject ids[3] = {send_mesh(context, &mesh)};
    ids[1] = colNewObject(context);
    assert_int_equal(colTriangles(context, points, 0), TUMBLE_OK); /* also before there is any memory */
    assert_int_equal(colTriangles(context, points, 10), TUMBLE_OK);
    assert_int_equal(colTriangles(context, points + 30, mesh.polygon_count - 10), TUMBLE_OK);
    assert_int_equal(colTriangles(context, NULL, 0), TUMBLE_OK);
    assert_int_equal(colEndObject(context), TUMBLE_OK);
    ids[2] = colNewObject(context);
    assert_int_equal(colTrianglesf(context, floats, mesh.polygon_count), TUMBLE_OK);
    assert_int_equal(colEndObject(context), TUMBLE_OK);
    const tumble_pose pose = models_tumbling_pose(3, 20, 0.9);
    double matrix[16];
    float matrix_float[16];
    columns_of(&pose, matrix);
    for (size_t i = 0; i < 16; i++) {
        matrix_float[i] = (float)matrix[i];
        matrix[i] = (double)matrix_float[i];
    }
    for (size_t i = 0; i < 4; i++) {
        colResult result;
        const colPending check = i < 3 ? colCheck(context, ids[i], ids[(i + 1) % 3], matrix, indices[i], NULL, ROOM)
                                       : colCheckf(context, ids[0], ids[1], matrix_float, indices[i], NULL, ROOM);
        assert_int_equal(colWait(context, check, FOREVER, &result), TUMBLE_OK);
        assert_in_range(result.count, 1, ROOM);
        assert_memory_equal(indices[i], indices[0], sizeof indices[0]);
    }
    const colPending same = colCheckf(context, ids[0], ids[0], NULL, NULL, NULL, 0);
    colResult result;
    assert_int_equal(colWait(context, same, FOREVER, &result), TUMBLE_OK);
    assert_true(result.collide);
    assert_no_error(context);
    models_free(&mesh);
    colShutdown(context);
}

/* An object without polygons collides with nothing. */
static void test_empty(void **state)
{
    colContext *context = begin_col(*state, 0);
    const colObject small = send_small(context), empty = colNewObject(context);
    assert_int_equal(colEndObject(context), TUMBLE_OK);
    uint32_t indices[2];
    colResult result = {.collide = 1};
    assert_int_equal(colWait(context, colCheck(context, small, empty, NULL, indices, NULL, 1), FOREVER, &result),
                     TUMBLE_OK);
    assert_int_equal(result.collide, 0);
    assert_int_equal(result.count, 0);
    assert_no_error(context);
    colShutdown(context);
}

/* ---- Wrong calls ---- */

/* Ends the object, which must not be created. */
static void assert_refused(colContext *context, colObject id, tumble_status status, const char *words)
{
    assert_int_not_equal(id, 0);
    assert_int_equal(colEndObject(context), status);
    assert_error(context, status, words);
    assert_int_equal(colCheck(context, id, id, NULL, NULL, NULL, 0), 0);
    assert_error(context, TUMBLE_ERROR_ARGUMENT, "there is no object");
    assert_int_equal(colDeleteObject(context, id), TUMBLE_ERROR_ARGUMENT);
    assert_error(context, TUMBLE_ERROR_ARGUMENT, "there is no object");
}

static colObject begin_triangle(colContext *context)
{
    const colObject id = colNewObject(context);
    colVertex(context, 0, 0, 0), colVertex(context, 1, 0, 0), colVertex(context, 0, 1, 0);
    return id;
}

static void send_indices(colContext *context, const uint32_t *indices, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        colIndex(context, indices[i]);
    }
}

static void test_wrong_objects(void **state)
{
    colContext *context = begin_col(*state, 0);
    const colVec point = {0, 0, 0};
    colObject id = begin_triangle(context);
    send_indices(context, (const uint32_t[]){0, 1, 3}, 3);
    assert_refused(context, id, TUMBLE_ERROR_INDEX, "polygon 0, corner 2: there is no point 3");
    id = begin_triangle(context);
    colVertex(context, 0, NAN, 0);
    assert_refused(context, id, TUMBLE_ERROR_NOT_FINITE, "point 3: its y");
    id = begin_triangle(context);
    send_indices(context, (const uint32_t[]){0, 1}, 2);
    assert_refused(context, id, TUMBLE_ERROR_POLYGON, "fewer than three corners");
    id = begin_triangle(context);
    colBeginPolygon(context);
    send_indices(context, (const uint32_t[]){0, 1, 2}, 3);
    assert_refused(context, id, TUMBLE_ERROR_ARGUMENT, "the last polygon is not ended");
    id = begin_triangle(context);
    colBeginPolygon(context);
    send_indices(context, (const uint32_t[]){0, 1}, 2);
    assert_int_equal(colEndPolygon(context), TUMBLE_ERROR_POLYGON);
    assert_refused(context, id, TUMBLE_ERROR_POLYGON, "fewer than three corners");
    id = begin_triangle(context);
    colBeginPolygon(context);
    assert_int_equal(colBeginPolygon(context), TUMBLE_ERROR_ARGUMENT);
    send_indices(context, (const uint32_t[]){0, 1, 2}, 3);
    assert_int_equal(colEndPolygon(context), TUMBLE_OK);
    assert_refused(context, id, TUMBLE_ERROR_ARGUMENT, "the previous polygon is not ended");
    id = begin_triangle(context);
    colIndex(context, 0);
    assert_int_equal(colBeginPolygon(context), TUMBLE_ERROR_ARGUMENT);
    send_indices(context, (const uint32_t[]){1, 2}, 2);
    assert_refused(context, id, TUMBLE_ERROR_ARGUMENT, "the previous triangle");
    id = begin_triangle(context);
    assert_int_equal(colEndPolygon(context), TUMBLE_ERROR_ARGUMENT);
    assert_refused(context, id, TUMBLE_ERROR_ARGUMENT, "no polygon was begun");
    id = begin_triangle(context);
    colIndex(context, 0);
    assert_int_equal(colTriangles(context, &point, 1), TUMBLE_ERROR_ARGUMENT);
    send_indices(context, (const uint32_t[]){1, 2}, 2);
    assert_refused(context, id, TUMBLE_ERROR_ARGUMENT, "colTriangles: object");
    id = begin_triangle(context);
    assert_int_equal(colTrianglesf(context, NULL, 1), TUMBLE_ERROR_ARGUMENT);
    assert_refused(context, id, TUMBLE_ERROR_ARGUMENT, "colTrianglesf: object");
    id = begin_triangle(context);
    assert_int_equal(colTriangles(context, &point, UINT32_MAX), TUMBLE_ERROR_TOO_LARGE);
    assert_int_equal(colTriangles(context, &point, SIZE_MAX), TUMBLE_ERROR_TOO_LARGE);
    assert_refused(context, id, TUMBLE_ERROR_TOO_LARGE, "2^32");
    colShutdown(context);
}

/* Calls in an order that makes no sense. */
static void test_wrong_order(void **state)
{
    colContext *context = begin_col(*state, 0);
    tumble_status (*const calls[])(colContext *) = {colBeginPolygon, colEndPolygon, colEndObject};
    const colVec points[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(calls[i](context), TUMBLE_ERROR_ARGUMENT);
        assert_error(context, TUMBLE_ERROR_ARGUMENT, "this thread has begun no object");
    }
    assert_int_equal(colVertex(context, 0, 0, 0), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(colIndex(context, 0), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(colTriangles(context, points, 1), TUMBLE_ERROR_ARGUMENT);
    assert_error(context, TUMBLE_ERROR_ARGUMENT, "colVertex"); /* the first is kept */

    /* A second object in the middle of one is refused, and the one goes on. */
    const colObject first = colNewObject(context);
    assert_int_equal(colNewObject(context), 0);
    assert_error(context, TUMBLE_ERROR_ARGUMENT, "is not ended");
    assert_int_equal(colCheck(context, first, first, NULL, NULL, NULL, 0), 0);
    assert_error(context, TUMBLE_ERROR_ARGUMENT, "that is ended");
    assert_int_equal(colTriangles(context, points, 1), TUMBLE_OK);
    assert_int_equal(colEndObject(context), TUMBLE_OK);

    /* One is given up, and the next is made. */
    const colObject given_up = begin_triangle(context);
    assert_int_equal(colDeleteObject(context, given_up), TUMBLE_OK);
    assert_int_equal(colVertex(context, 0, 0, 0), TUMBLE_ERROR_ARGUMENT);
    assert_error(context, TUMBLE_ERROR_ARGUMENT, "this thread has begun no object");
    const colObject second = send_small(context);
    assert_true(second > given_up && given_up > first);
    (void)begin_triangle(context); /* left to colShutdown */
    assert_int_equal(colWait(context, colCheck(context, first, second, NULL, NULL, NULL, 0), FOREVER, NULL), TUMBLE_OK);
    assert_no_error(context);
    colShutdown(context);
}

/* A matrix that is none: number `place` of the identity is `value`. */
static void check_matrix(colContext *context, colObject id, size_t place, double value, tumble_status status)
{
    double matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    float floats[16];
    matrix[place] = value;
    for (size_t i = 0; i < 16; i++) {
        floats[i] = (float)matrix[i];
    }
    assert_int_equal(colCheck(context, id, id, matrix, NULL, NULL, 0), 0);
    assert_error(context, status, "");
    assert_int_equal(colCheckf(context, id, id, floats, NULL, NULL, 0), 0);
    assert_error(context, status, "");
}

static void test_wrong_checks(void **state)
{
    colContext *context = begin_col(*state, 0);
    const colObject id = send_small(context);
    const colObject wrong[] = {0, id + 1, id + 1000, UINT64_MAX};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(colCheck(context, id, wrong[i], NULL, NULL, NULL, 0), 0);
        assert_error(context, TUMBLE_ERROR_ARGUMENT, "there is no object");
        assert_int_equal(colCheck(context, wrong[i], id, NULL, NULL, NULL, 0), 0);
        assert_error(context, TUMBLE_ERROR_ARGUMENT, "there is no object");
        assert_int_equal(colDeleteObject(context, wrong[i]), TUMBLE_ERROR_ARGUMENT);
        assert_error(context, TUMBLE_ERROR_ARGUMENT, "colDeleteObject: there is no object");
        assert_int_equal(colPoll(context, wrong[i]), 1);
        assert_no_error(context);
        assert_int_equal(colWait(context, wrong[i], FOREVER, NULL), TUMBLE_ERROR_ARGUMENT);
        assert_error(context, TUMBLE_ERROR_ARGUMENT, "colWait: there is no check");
        assert_int_equal(colCancel(context, wrong[i]), TUMBLE_ERROR_ARGUMENT);
        assert_error(context, TUMBLE_ERROR_ARGUMENT, "colCancel: there is no check");
    }
    assert_int_equal(colPoll(context, id), 1); /* an object is no check */
    for (size_t i = 0; i < 16; i++) {
        check_matrix(context, id, i, NAN, i % 4 == 3 ? TUMBLE_ERROR_POSE : TUMBLE_ERROR_NOT_FINITE);
    }
    check_matrix(context, id, 12, INFINITY, TUMBLE_ERROR_NOT_FINITE);
    check_matrix(context, id, 0, -1, TUMBLE_ERROR_POSE);
    check_matrix(context, id, 4, 0.5, TUMBLE_ERROR_POSE);
    check_matrix(context, id, 3, 1, TUMBLE_ERROR_POSE); /* a shift where row-major matrices have it */
    check_matrix(context, id, 15, 2, TUMBLE_ERROR_POSE);
    colVec points[2];
    assert_int_equal(colCheck(context, id, id, NULL, NULL, points, SIZE_MAX), 0);
    assert_error(context, TUMBLE_ERROR_MEMORY, "out of memory for");

    /* A result is taken once. */
    const colPending check = colCheck(context, id, id, NULL, NULL, NULL, 0);
    colResult result;
    assert_int_equal(colWait(context, check, INFINITY, &result), TUMBLE_OK);
    assert_true(result.collide);
    assert_int_equal(colPoll(context, check), 1);
    assert_int_equal(colCancel(context, check), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(colWait(context, check, FOREVER, NULL), TUMBLE_ERROR_ARGUMENT);
    assert_error(context, TUMBLE_ERROR_ARGUMENT, "colCancel");

    /* What only the check itself can find out: the moved points would leave the doubles. */
    const double far_away[16] = {1e300, 0, 0, 0, 0, 1e300, 0, 0, 0, 0, 1e300, 0, 1.7e308, 1.7e308, 1.7e308, 1};
    const colObject large = colNewObject(context);
    const colVec corners[3] = {{1e10, 0, 0}, {0, 1e10, 0}, {0, 0, 1e10}};
    colTriangles(context, corners, 1);
    assert_int_equal(colEndObject(context), TUMBLE_OK);
    const colPending overflow = colCheck(context, id, large, far_away, NULL, NULL, 0);
    assert_int_not_equal(overflow, 0);
    assert_int_equal(colWait(context, overflow, FOREVER, &result), TUMBLE_ERROR_NOT_FINITE);
    assert_int_equal(result.collide, 0);
    assert_error(context, TUMBLE_ERROR_NOT_FINITE, "");
    colShutdown(context);
}

static void test_no_context(void **state)
{
    (void)state;
    char text[8] = "text";
    const colVec point = {0, 0, 0};
    assert_int_equal(colNewObject(NULL), 0);
    assert_int_equal(colVertex(NULL, 0, 0, 0), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(colIndex(NULL, 0), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(colBeginPolygon(NULL), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(colEndPolygon(NULL), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(colTriangles(NULL, &point, 1), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(colTrianglesf(NULL, NULL, 1), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(colEndObject(NULL), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(colDeleteObject(NULL, 1), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(colCheck(NULL, 1, 1, NULL, NULL, NULL, 0), 0);
    assert_int_equal(colCheckf(NULL, 1, 1, NULL, NULL, NULL, 0), 0);
    assert_int_equal(colPoll(NULL, 1), 1);
    assert_int_equal(colWait(NULL, 1, 0, NULL), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(colCancel(NULL, 1), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(colError(NULL, text, sizeof text), TUMBLE_ERROR_ARGUMENT);
    assert_string_equal(text, "");
    colShutdown(NULL);
}

static void test_options(void **state)
{
    test_world *w = *state;
    colOptions options = colDefaultOptions();
    options.context = w->context;
    options.device = 1000000;
    assert_null(colInit(&options));
    assert_int_equal(tumble_last_error(w->context, NULL, 0), TUMBLE_ERROR_ARGUMENT);
    colContext *context = colInit(NULL); /* with a tumble_context of its own */
    assert_non_null(context);
    const colObject id = send_small(context);
    colResult result;
    assert_int_equal(colWait(context, colCheck(context, id, id, NULL, NULL, NULL, 0), FOREVER, &result), TUMBLE_OK);
    assert_true(result.collide);
    char text[4];
    (void)colIndex(context, 0);
    assert_int_equal(colError(context, text, sizeof text), TUMBLE_ERROR_ARGUMENT);
    assert_string_equal(text, "col");
    (void)colIndex(context, 0);
    assert_int_equal(colError(context, NULL, 0), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(colError(context, NULL, 0), TUMBLE_OK);
    colShutdown(context);
}

/* ---- Checks in flight ---- */

/* Far more checks than the queue holds, none of which is asked for until all are started. */
static void test_many(void **state)
{
    enum {
        MANY = 150
    };
    colContext *context = begin_col(*state, 3);
    const colObject id = send_small(context);
    colPending checks[MANY];
    static uint32_t indices[MANY][2 * 16];
    for (size_t i = 0; i < MANY; i++) {
        const double matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, (double)(i % 3), 0, 0, 1};
        checks[i] = colCheck(context, id, id, matrix, indices[i], NULL, 16);
        assert_true(checks[i] > (i ? checks[i - 1] : 0));
    }
    for (size_t k = 0; k < MANY; k++) {
        const size_t i = (k * 7 + 5) % MANY; /* in any order */
        colResult result;
        while (!colPoll(context, checks[i])) {
        }
        for (size_t j = 0; j < i; j++) {
            assert_int_equal(colPoll(context, checks[j]), 1); /* those before it are done */
        }
        assert_int_equal(colWait(context, checks[i], 0, &result), TUMBLE_OK);
        assert_int_equal(result.collide, i % 3 != 2);
        assert_int_equal(indices[i][0] == 0 && result.count > 0, i % 3 != 2);
    }
    assert_no_error(context);
    colShutdown(context);
}

/* Something that takes a while: two balls of fine triangles, one on the other. */
static colObject send_large(colContext *context)
{
    models_mesh mesh;
    assert_true(models_make_sized(&mesh, "sphere", test_count(20000) + 1000));
    const colObject id = send_mesh(context, &mesh);
    models_free(&mesh);
    return id;
}

/* Deleting waits for the checks that use an object. The first check keeps the device busy. */
static void test_delete(void **state)
{
    colContext *context = begin_col(*state, 0);
    const colObject large = send_large(context), a = send_small(context), b = send_small(context);
    uint32_t indices[2], more[2];
    const colPending busy = colCheck(context, large, large, NULL, indices, NULL, 1);
    const colPending check = colCheck(context, a, b, NULL, more, NULL, 1),
                     other = colCheck(context, a, a, NULL, NULL, NULL, 0);
    assert_int_equal(colDeleteObject(context, b), TUMBLE_OK);
    assert_int_equal(colPoll(context, check), 1);
    assert_int_equal(colCheck(context, a, b, NULL, NULL, NULL, 0), 0);
    assert_error(context, TUMBLE_ERROR_ARGUMENT, "there is no object");
    assert_int_equal(colDeleteObject(context, a), TUMBLE_OK);
    const colPending all[] = {busy, check, other};
    for (size_t i = 0; i < 3; i++) {
        colResult result;
        assert_int_equal(colWait(context, all[i], FOREVER, &result), TUMBLE_OK);
        assert_true(result.collide);
    }
    assert_int_equal(colDeleteObject(context, b), TUMBLE_ERROR_ARGUMENT);
    assert_error(context, TUMBLE_ERROR_ARGUMENT, "there is no object");
    colShutdown(context);
}

/* A check that is not done in time goes on; one that is cancelled says so; the rest is left to colShutdown. */
static void test_time_out(void **state)
{
    colContext *context = begin_col(*state, 0);
    const colObject large = send_large(context), small = send_small(context);
    uint32_t indices[2];
    colPending checks[20];
    for (size_t i = 0; i < 20; i++) {
        checks[i] = colCheck(context, large, large, NULL, indices, NULL, 1);
    }
    const colPending last = colCheck(context, small, small, NULL, NULL, NULL, 0);
    size_t late = 0;
    late += colWait(context, last, 0, NULL) == TUMBLE_ERROR_TIMEOUT;
    late += colWait(context, last, 0.0001, NULL) == TUMBLE_ERROR_TIMEOUT;
    late += colWait(context, last, -1, NULL) == TUMBLE_ERROR_TIMEOUT;
    late += colWait(context, last, NAN, NULL) == TUMBLE_ERROR_TIMEOUT;
    assert_int_equal(late, 4);
    assert_no_error(context);
    for (size_t i = 0; i < 20; i++) {
        assert_int_equal(colCancel(context, checks[i]), TUMBLE_OK);
    }
    colResult result;
    assert_int_equal(colWait(context, last, FOREVER, &result), TUMBLE_OK);
    assert_true(result.collide);
    size_t cancelled = 0;
    for (size_t i = 0; i < 20; i++) {
        assert_int_equal(colPoll(context, checks[i]), 1);
        cancelled += colWait(context, checks[i], 0, NULL) == TUMBLE_ERROR_CANCELLED;
    }
    assert_true(cancelled > 0);
    assert_error(context, TUMBLE_ERROR_CANCELLED, "");
    for (size_t i = 0; i < 20; i++) {
        assert_int_not_equal(colCheck(context, large, large, NULL, indices, NULL, 1), 0);
    }
    colShutdown(context);
}

/* ---- Several threads ---- */

enum {
    THREADS = 4
};

/* cmocka's assertions must not be used outside the main thread: workers count what is wrong. */
typedef struct worker {
    pthread_t thread;
    colContext *context;
    colObject shared;
    size_t done, wrong;
} worker;

/* Makes objects of its own, checks them with one of all, deletes them, and does something wrong now and then. */
static void *work(void *argument)
{
    worker *w = argument;
    for (size_t i = 0; i < test_count(20); i++) {
        const double matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, (double)(i % 3), 0, 0, 1};
        const colObject own = send_small(w->context);
        uint32_t indices[2 * 16];
        colVec points[2 * 16];
        colPending checks[5];
        for (size_t k = 0; k < 5; k++) {
            checks[k] = colCheck(w->context, k % 2 ? own : w->shared, k % 2 ? w->shared : own, matrix,
                                 k == 4 ? indices : NULL, k == 4 ? points : NULL, 16);
        }
        w->wrong += colDeleteObject(w->context, own) != TUMBLE_OK || !own;
        w->wrong += colDeleteObject(w->context, own) != TUMBLE_ERROR_ARGUMENT;
        for (size_t k = 0; k < 5; k++) {
            colResult result;
            w->wrong += colWait(w->context, checks[k], FOREVER, &result) != TUMBLE_OK;
            w->wrong += result.collide != (i % 3 != 2);
            w->wrong += k == 4 && i % 3 == 1 && (points[0].x != 1 || points[0].y != 0 || points[0].z != 0);
        }
        w->done++;
    }
    return NULL;
}

static void test_threads(void **state)
{
    colContext *context = begin_col(*state, 8);
    worker workers[THREADS];
    const colObject shared = send_small(context);
    const colObject making = begin_triangle(context); /* while the others make theirs */
    for (size_t i = 0; i < THREADS; i++) {
        workers[i] = (worker){.context = context, .shared = shared};
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
        assert_int_equal(workers[i].wrong, 0);
        assert_true(workers[i].done > 0);
    }
    assert_error(context, TUMBLE_ERROR_ARGUMENT, "colDeleteObject: there is no object");
    send_indices(context, (const uint32_t[]){0, 1, 2}, 3);
    assert_int_equal(colEndObject(context), TUMBLE_OK);
    colResult result;
    assert_int_equal(colWait(context, colCheck(context, making, shared, NULL, NULL, NULL, 0), FOREVER, &result),
                     TUMBLE_OK);
    assert_true(result.collide);
    colShutdown(context);
}

/* ---- Memory ---- */

/* Everything once; whatever fails, and the first failure that was kept. */
static tumble_status use_all(test_world *w, void *user)
{
    (void)user;
    static const colVec points[3] = {{0, 0, 0.1}, {1, 0, 0.1}, {0, 1, 0.1}};
    colOptions options = colDefaultOptions();
    options.context = w->context;
    options.thread_count = 1;
    colContext *context = colInit(&options);
    if (!context) {
        return tumble_last_error(w->context, NULL, 0);
    }
    const colObject a = send_small(context), b = colNewObject(context);
    colTriangles(context, points, 1);
    colVertex(context, 0, 0, 0.2), colVertex(context, 1, 0, 0.2), colVertex(context, 1, 1, 0.2);
    colVertex(context, 0, 1, 0.2);
    colBeginPolygon(context);
    send_indices(context, (const uint32_t[]){3, 4, 5, 6}, 4);
    colEndPolygon(context);
    colEndObject(context);
    uint32_t indices[2 * 8];
    colVec contacts[2 * 8];
    colResult result;
    const colPending check = colCheck(context, a, b, NULL, indices, contacts, 8);
    if (colWait(context, check, FOREVER, &result) == TUMBLE_OK) {
        assert_int_equal(result.pair_count, 6);
        assert_true(result.count > 6); /* the square is two triangles */
    }
    colDeleteObject(context, a);
    const tumble_status status = colError(context, NULL, 0);
    colShutdown(context);
    return status;
}

static void test_memory(void **state)
{
    test_world *w = *state;
    assert_int_equal(use_all(w, NULL), TUMBLE_OK);
    const size_t places = test_fail_each(w, TEST_FAIL_TAKING_TURNS, use_all, NULL, NULL);
    assert_true(places > 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_same_answers),  TEST_IN_WORLD(test_bulk),         TEST_IN_WORLD(test_empty),
        TEST_IN_WORLD(test_wrong_objects), TEST_IN_WORLD(test_wrong_order),  TEST_IN_WORLD(test_wrong_checks),
        TEST_IN_WORLD(test_options),       TEST_IN_WORLD(test_many),         TEST_IN_WORLD(test_delete),
        TEST_IN_WORLD(test_time_out),      TEST_IN_WORLD(test_threads),      TEST_IN_WORLD(test_memory),
        TEST_IN_WORLD(test_hierarchies),   TEST_IN_WORLD(test_wrong_tuning), cmocka_unit_test(test_no_context),
    };
    return cmocka_run_group_tests_name("col", tests, NULL, NULL);
}

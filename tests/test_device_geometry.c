/* The triangle tests of the OpenCL kernels: in floats they decide what the processor's lanes decide, in doubles what
 * its filter decides, no more and no less; and measured errors of heights stay within the bounds. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "device/opencl/opencl.h"
#include "device_cases.h"
#include "lanes_batch.h"
#include "prim/triangle.h"
#include "prim/triangle_parts.h"

enum {
    MISS,
    HIT,
    UNKNOWN
};

enum {
    ROOM = 16384,
    HEIGHTS = 8 /* floats for each pair: of A's corners and of B's, the bounds of both */
};

static const char *const text =
    "kernel void test_floats(global const float *corners, global const float *reaches, global int *verdicts,\n"
    "                        global float *heights)\n"
    "{\n"
    "    const size_t i = get_global_id(0);\n"
    "    vector a[4], b[4];\n"
    "    for (int k = 0; k < 3; k++) {\n"
    "        global const float *p = corners + 18 * i + 3 * k, *q = p + 9;\n"
    "        a[k].x = p[0], a[k].y = p[1], a[k].z = p[2];\n"
    "        b[k].x = q[0], b[k].y = q[1], b[k].z = q[2];\n"
    "    }\n"
    "    const facing t = face(a, b, reaches[i]);\n"
    "    for (int k = 0; k < 3; k++) {\n"
    "        heights[8 * i + k] = t.of_a.corner[k];\n"
    "        heights[8 * i + 3 + k] = t.of_b.corner[k];\n"
    "    }\n"
    "    heights[8 * i + 6] = t.bound_b;\n"
    "    heights[8 * i + 7] = t.bound_a;\n"
    "    verdicts[i] = triangles_intersect(a, b, reaches[i]);\n"
    "}\n"
    "#if TUMBLE_DOUBLES\n"
    "kernel void test_doubles(global const double *corners, global int *verdicts)\n"
    "{\n"
    "    const size_t i = get_global_id(0);\n"
    "    point a[3], b[3];\n"
    "    for (int k = 0; k < 3; k++) {\n"
    "        global const double *p = corners + 18 * i + 3 * k, *q = p + 9;\n"
    "        a[k].x = p[0], a[k].y = p[1], a[k].z = p[2];\n"
    "        b[k].x = q[0], b[k].y = q[1], b[k].z = q[2];\n"
    "    }\n"
    "    verdicts[i] = triangles_intersect_doubles(a, b);\n"
    "}\n"
    "#endif\n";

/* A device with that program, and pairs of triangles on their way to it. */
typedef struct geometry_bench {
    test_allocator memory;
    tumble_context *context;
    tmb_opencl *opencl;
    cl_program program;
    cl_kernel floats, doubles;
    size_t count;
    test_pair pairs[ROOM];
    float corners[ROOM][18], reaches[ROOM], heights[ROOM][HEIGHTS];
    int expected[ROOM], verdicts[ROOM];
    size_t decided[3];
    double worst;
} geometry_bench;

static cl_kernel kernel_of(const geometry_bench *g, const char *name)
{
    cl_int code;
    cl_kernel kernel = g->opencl->api.clCreateKernel(g->program, name, &code);
    assert_int_equal(code, CL_SUCCESS);
    return kernel;
}

/* The kernels' texts, up to geometry.cl: what follows takes long to compile. */
static cl_uint count_texts(void)
{
    static const char name[] = "#line 1 \"geometry.cl\"";
    cl_uint i = 0;
    while (i < tmb_opencl_text_count && memcmp(tmb_opencl_texts[i], name, sizeof name - 1) != 0) {
        i++;
    }
    assert_true(i < tmb_opencl_text_count);
    return i + 1;
}

static int begin(void **state)
{
    geometry_bench *g = *state = calloc(1, sizeof *g);
    const tumble_device_options options = tumble_default_device_options();
    assert_non_null(g);
    test_allocator_begin(&g->memory);
    g->context = test_context(&g->memory, 1, TUMBLE_SIMD_AUTO);
    test_assert_status(g->context, tmb_opencl_start(g->context, 0, &options, &g->opencl), TUMBLE_OK, "");
    const char *texts[32];
    size_t sizes[32];
    const cl_uint count = count_texts();
    assert_true(count < 32 && g->opencl->doubles);
    memcpy(texts, tmb_opencl_texts, count * sizeof *texts);
    memcpy(sizes, tmb_opencl_text_sizes, count * sizeof *sizes);
    texts[count] = text;
    sizes[count] = strlen(text);
    test_assert_status(g->context, tmb_opencl_build(g->opencl, texts, sizes, count + 1, 1, &g->program), TUMBLE_OK, "");
    g->floats = kernel_of(g, "test_floats");
    g->doubles = kernel_of(g, "test_doubles");
    return 0;
}

static int end(void **state)
{
    geometry_bench *g = *state;
    g->opencl->api.clReleaseKernel(g->floats);
    g->opencl->api.clReleaseKernel(g->doubles);
    g->opencl->api.clReleaseProgram(g->program);
    tmb_opencl_stop(g->opencl);
    tumble_context_destroy(g->context);
    test_allocator_end(&g->memory);
    free(g);
    return 0;
}

/* ---- Running ---- */

typedef struct argument {
    void *bytes;
    size_t size;
    int is_result;
} argument;

static void run(const geometry_bench *g, cl_kernel kernel, const argument *arguments, cl_uint count)
{
    const tmb_opencl_api *api = &g->opencl->api;
    cl_mem buffers[4];
    cl_int code = CL_SUCCESS;
    for (cl_uint i = 0; i < count; i++) {
        buffers[i] = api->clCreateBuffer(g->opencl->cl, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, arguments[i].size,
                                         arguments[i].bytes, &code);
        assert_int_equal(code, CL_SUCCESS);
        assert_int_equal(api->clSetKernelArg(kernel, i, sizeof buffers[i], &buffers[i]), CL_SUCCESS);
    }
    code = api->clEnqueueNDRangeKernel(g->opencl->queue, kernel, 1, NULL, &g->count, NULL, 0, NULL, NULL);
    assert_int_equal(code, CL_SUCCESS);
    for (cl_uint i = 0; i < count; i++) {
        if (arguments[i].is_result) {
            code = api->clEnqueueReadBuffer(g->opencl->queue, buffers[i], CL_TRUE, 0, arguments[i].size,
                                            arguments[i].bytes, 0, NULL, NULL);
            assert_int_equal(code, CL_SUCCESS);
        }
        api->clReleaseMemObject(buffers[i]);
    }
}

static void compare_verdicts(geometry_bench *g, const char *name)
{
    for (size_t i = 0; i < g->count; i++) {
        if (g->verdicts[i] != g->expected[i]) {
            test_print_pair(name, "the kernel says otherwise", &g->pairs[i]);
            fail_msg("%s: %d instead of %d", name, g->verdicts[i], g->expected[i]);
        }
        g->decided[g->verdicts[i]]++;
    }
}

/* ---- Floats ---- */

/* The height of a corner, as geometry.cl defines it: normal . (a_i - b_j). What it is off by is far below what floats
 * are. */
static long double true_height(const double n[3][3], const double from[3], const double to[3])
{
    long double u[3], v[3], w[3];
    for (int k = 0; k < 3; k++) {
        u[k] = (long double)n[1][k] - (long double)n[0][k];
        v[k] = (long double)n[0][k] - (long double)n[2][k];
        w[k] = (long double)to[k] - (long double)from[k];
    }
    return (u[1] * v[2] - u[2] * v[1]) * w[0] + (u[2] * v[0] - u[0] * v[2]) * w[1] + (u[0] * v[1] - u[1] * v[0]) * w[2];
}

/* A bound is one where the height is larger. */
static void measure_heights(geometry_bench *g, size_t i)
{
    const double(*a)[3] = (const double(*)[3])g->pairs[i].a, (*b)[3] = (const double(*)[3])g->pairs[i].b;
    if (!(g->reaches[i] <= TMB_TRIANGLES_MOST_REACH)) {
        return;
    }
    for (int k = 0; k < 6; k++) {
        const long double truth = k < 3 ? true_height(b, b[0], a[k]) : true_height(a, b[k - 3], a[0]);
        const double found = (double)g->heights[i][k], bound = (double)g->heights[i][k < 3 ? 6 : 7];
        const double share = fabs((double)(truth - (long double)found)) / bound;
        g->worst = fabs(found) > bound && share > g->worst ? share : g->worst;
    }
}

static void flush_floats(geometry_bench *g, const char *name)
{
    const argument arguments[] = {{g->corners, g->count * sizeof *g->corners, 0},
                                  {g->reaches, g->count * sizeof *g->reaches, 0},
                                  {g->verdicts, g->count * sizeof *g->verdicts, 1},
                                  {g->heights, g->count * sizeof *g->heights, 1}};
    if (g->count) {
        run(g, g->floats, arguments, 4);
        compare_verdicts(g, name);
        for (size_t i = 0; i < g->count; i++) {
            measure_heights(g, i);
        }
    }
    g->count = 0;
}

/* Its lanes that are used, with what the processor says. */
static void add_batch(geometry_bench *g, const lanes_batch *batch, const char *name)
{
    unsigned hit, miss;
    lanes_kernel_plain.triangles(batch->a, batch->b, batch->reach, batch->lanes, &hit, &miss);
    for (int lane = 0; lane < 8; lane++) {
        if (!(batch->lanes >> lane & 1)) {
            continue;
        }
        g->pairs[g->count] = batch->pairs[lane];
        for (int i = 0; i < 9; i++) {
            g->corners[g->count][i] = batch->a[i % 3][i / 3][lane];
            g->corners[g->count][9 + i] = batch->b[i % 3][i / 3][lane];
        }
        g->reaches[g->count] = batch->reach;
        g->expected[g->count++] = hit >> lane & 1 ? HIT : miss >> lane & 1 ? MISS : UNKNOWN;
    }
    if (g->count > ROOM - 8) {
        flush_floats(g, name);
    }
}

/* Moves floats off by more than rounding did, but not by more than the bounds allow: 2^-23 of the reach in all. */
static void loosen(test_random *random, lanes_batch *batch)
{
    int exponent;
    (void)frexpf(batch->reach, &exponent);
    const float step = batch->reach > 0 ? ldexpf(1, exponent - 25) : 0, most = ldexpf(1, exponent - 1);
    for (int i = 0; i < 72; i++) {
        float *x = &batch->a[i / 24][i / 8 % 3][i % 8], *y = &batch->b[i / 24][i / 8 % 3][i % 8];
        *x += fabsf(*x) < most ? (float)test_random_whole(random, -1, 1) * step : 0;
        *y += fabsf(*y) < most ? (float)test_random_whole(random, -1, 1) * step : 0;
    }
}

static void add_pairs(geometry_bench *g, const char *name, uint64_t seed,
                      void (*make)(test_random *random, test_pair *pair), size_t count, int fits)
{
    test_random random = {seed};
    for (size_t n = test_count(count); n > 0; n--) {
        test_pair pair;
        lanes_batch batch;
        make(&random, &pair);
        const int exponent = lanes_random_exponent(&random) - (fits ? lanes_exponent_of(&pair) : 0);
        lanes_spread_pair(&random, &pair, !fits && test_random_chance(&random, 0.5) ? 0 : exponent, &batch);
        add_batch(g, &batch, name);
        loosen(&random, &batch);
        add_batch(g, &batch, name);
    }
    flush_floats(g, name);
}

static void test_floats(void **state)
{
    geometry_bench *g = *state;
    memset(g->decided, 0, sizeof g->decided);
    for (const test_generator *generator = test_generators(); generator->name != 0; generator++) {
        add_pairs(g, generator->name, 13000, generator->make, 100, 1);
    }
    add_pairs(g, "near", 13001, lanes_make_near_pair, 4000, 0);
    add_pairs(g, "layers", 13002, lanes_make_layers, 1000, 0);
    add_pairs(g, "tiny", 13003, lanes_make_tiny_pair, 1000, 0);
    print_message("floats: %zu misses, %zu hits, %zu undecided; heights are off by up to %.3f of the bound\n",
                  g->decided[MISS], g->decided[HIT], g->decided[UNKNOWN], g->worst);
    assert_true(g->decided[MISS] > 100 && g->decided[HIT] > 100 && g->decided[UNKNOWN] > 100);
    assert_true(g->worst <= 1 && g->worst > 0.02);
}

/* ---- Doubles ---- */

/* The processor's filter: what it does not decide it decides exactly. */
static int expected_in_doubles(const double a[3][3], const double b[3][3])
{
    const tmb_sides sides_b = tmb_filter_sides(a, b), sides_a = tmb_filter_sides(b, a);
    if (tmb_on_one_side(sides_b) || tmb_on_one_side(sides_a)) {
        return MISS;
    }
    if (((sides_a | sides_a >> 3) & 7) != 7 || ((sides_b | sides_b >> 3) & 7) != 7) {
        return UNKNOWN;
    }
    const tmb_arrangement k = tmb_arrange(sides_a, sides_b);
    const int order_q = tmb_orient3d_filter(a[k.q1], b[k.p2], b[k.q2], a[k.p1]);
    const int order_r = tmb_orient3d_filter(a[k.r1], b[k.p2], b[k.r2], a[k.p1]);
    return order_q > 0 || order_r < 0 ? MISS : order_q != 0 && order_r != 0 ? HIT : UNKNOWN;
}

static void flush_doubles(geometry_bench *g, const char *name)
{
    const argument arguments[] = {{g->pairs, g->count * sizeof *g->pairs, 0},
                                  {g->verdicts, g->count * sizeof *g->verdicts, 1}};
    if (g->count) {
        run(g, g->doubles, arguments, 2);
        compare_verdicts(g, name);
    }
    g->count = 0;
}

/* As they are, and times a power of two at which products over- or underflow. */
static void test_doubles(void **state)
{
    geometry_bench *g = *state;
    test_random random = {13100};
    memset(g->decided, 0, sizeof g->decided);
    for (const test_generator *generator = test_generators(); generator->name != 0; generator++) {
        for (size_t n = test_count(1500); n > 0; n--) {
            test_pair *pair = &g->pairs[g->count];
            generator->make(&random, pair);
            if (n % 4 == 0) {
                lanes_scale_pair(pair, test_random_whole(&random, -400, 400));
            }
            const double(*a)[3] = (const double(*)[3])pair->a, (*b)[3] = (const double(*)[3])pair->b;
            const int verdict = g->expected[g->count++] = expected_in_doubles(a, b);
            assert_true(verdict == UNKNOWN || verdict == tmb_triangles_intersect(a, b, NULL));
            if (g->count == ROOM) {
                flush_doubles(g, generator->name);
            }
        }
        flush_doubles(g, generator->name);
    }
    print_message("doubles: %zu misses, %zu hits, %zu undecided\n", g->decided[MISS], g->decided[HIT],
                  g->decided[UNKNOWN]);
    assert_true(g->decided[MISS] > 100 && g->decided[HIT] > 100 && g->decided[UNKNOWN] > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_floats),
        cmocka_unit_test(test_doubles),
    };
    return DEVICE_RUN(tests, begin, end);
}

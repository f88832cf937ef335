/* Does a device compute as this machine does? The answer of a check depends on the last bit of the moved vertices, so a
 * device that joins a product and a sum into one rounding, flushes denormal numbers to 0, or keeps extra digits, must
 * be detected. Each kernel of arithmetic.cl is compared with the same operations here. */
#include "device/opencl/opencl.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define RANDOM_COUNT 448
#define RESULT_COUNT 8

static const char *const result_names[RESULT_COUNT] = {
    "a + b", "a - b", "a * b", "a * b + c", "a * b - c", "((a * b + b * c) + c * a) + a", "the order of a and b", NULL,
};

/* The ends of the ranges of normal and denormal numbers, of both types; factors of denormal products; neighbours of 1;
 * ties of the conversion to float, and their neighbours. */
static const double special_doubles[] = {
    0.0,
    -0.0,
    1.0,
    -1.0,
    1.0 + 0x1p-52,
    -(1.0 - 0x1p-53),
    3.0,
    1.0 / 3.0,
    0.1,
    0x1p-1074,
    -0x1p-1022,
    0x1p-1022 - 0x1p-1074,
    0x1.8p-537,
    -0x1.4p-530,
    -0x1p-150,
    0x1.8p-150,
    0x1p-126 - 0x1p-150,
    1.0 + 0x1p-24,
    1.0 + 0x3p-24,
    1.0 + 0x1p-24 + 0x1p-52,
    0x1.fffffefp127,
    -0x1.ffffffp127,
    0x1p53 + 2.0,
    DBL_MAX,
};
static const float special_floats[] = {
    0.0F,       -0.0F,        1.0F,        -1.0F,      1.0F + 0x1p-23F,      -(1.0F - 0x1p-24F),
    3.0F,       1.0F / 3.0F,  0.1F,        0x1p-149F,  -0x1p-126F,           0x1p-126F - 0x1p-149F,
    0x1.8p-75F, -0x1.4p-70F,  0x1.5p-130F, 0x1p-148F,  0x1.000002p-63F,      -0x1.fffffep-64F,
    7.0F,       -1.0F / 7.0F, 0x1p24F,     16777215.F, 0x1.234568p0F * 3.0F, FLT_MAX,
};
#define SPECIAL_COUNT (sizeof special_doubles / sizeof *special_doubles)
_Static_assert(sizeof special_floats / sizeof *special_floats == SPECIAL_COUNT, "both are used in the same way");
#define ITEM_COUNT (SPECIAL_COUNT * SPECIAL_COUNT + RANDOM_COUNT)

/* Numbers between 1/8 and 16, of any sign. This is splitmix64. */
static double next_random(uint64_t *state)
{
    uint64_t bits = *state += UINT64_C(0x9e3779b97f4a7c15);
    bits = (bits ^ (bits >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    bits = (bits ^ (bits >> 27)) * UINT64_C(0x94d049bb133111eb);
    bits ^= bits >> 31;
    const double magnitude = ldexp(1.0 + ldexp((double)(bits >> 12), -52), (int)(bits >> 1 & 7) - 3);
    return bits & 1 ? -magnitude : magnitude;
}

/* Three numbers for each item: all pairs of special ones, and random ones, of which every other has c = -ab, rounded:
 * there a joined product and sum would leave the rounding error. */
static void make_doubles(double *numbers)
{
    uint64_t state = 1;
    for (size_t i = 0; i < SPECIAL_COUNT * SPECIAL_COUNT; i++, numbers += 3) {
        numbers[0] = special_doubles[i / SPECIAL_COUNT];
        numbers[1] = special_doubles[i % SPECIAL_COUNT];
        numbers[2] = special_doubles[5 * i % SPECIAL_COUNT];
    }
    for (size_t i = 0; i < RANDOM_COUNT; i++, numbers += 3) {
        numbers[0] = next_random(&state);
        numbers[1] = next_random(&state);
        numbers[2] = i % 2 ? -(numbers[0] * numbers[1]) : next_random(&state);
    }
}

static void make_floats(float *numbers)
{
    uint64_t state = 1;
    for (size_t i = 0; i < SPECIAL_COUNT * SPECIAL_COUNT; i++, numbers += 3) {
        numbers[0] = special_floats[i / SPECIAL_COUNT];
        numbers[1] = special_floats[i % SPECIAL_COUNT];
        numbers[2] = special_floats[5 * i % SPECIAL_COUNT];
    }
    for (size_t i = 0; i < RANDOM_COUNT; i++, numbers += 3) {
        numbers[0] = (float)next_random(&state);
        numbers[1] = (float)next_random(&state);
        numbers[2] = i % 2 ? -(numbers[0] * numbers[1]) : (float)next_random(&state);
    }
}

static void compute_double(const double *numbers, double *out)
{
    const double a = numbers[0], b = numbers[1], c = numbers[2];
    out[0] = a + b;
    out[1] = a - b;
    out[2] = a * b;
    out[3] = a * b + c;
    out[4] = a * b - c;
    out[5] = ((a * b + b * c) + c * a) + a;
    out[6] = (a < b ? 1.0 : 0.0) + (a == b ? 2.0 : 0.0) + (a < 0.0 ? 4.0 : 0.0) + (a == 0.0 ? 8.0 : 0.0);
    out[7] = (double)(float)a;
}

static void compute_float(const float *numbers, float *out)
{
    const float a = numbers[0], b = numbers[1], c = numbers[2];
    out[0] = a + b;
    out[1] = a - b;
    out[2] = a * b;
    out[3] = a * b + c;
    out[4] = a * b - c;
    out[5] = ((a * b + b * c) + c * a) + a;
    out[6] = (a < b ? 1.0F : 0.0F) + (a == b ? 2.0F : 0.0F) + (a < 0.0F ? 4.0F : 0.0F) + (a == 0.0F ? 8.0F : 0.0F);
    out[7] = fminf(fabsf(a), fabsf(b)) * 0.5F;
}

/* Bit by bit, except that all NaNs are equal. */
static int is_same_double(double a, double b)
{
    return (a == b && !signbit(a) == !signbit(b)) || (isnan(a) && isnan(b));
}

static int is_same_float(float a, float b)
{
    return (a == b && !signbit(a) == !signbit(b)) || (isnan(a) && isnan(b));
}

static void tell(const tmb_opencl *opencl, const char *type, size_t result, const double *abc, double want, double got,
                 char *reason, size_t capacity)
{
    const char *name = result_names[result];
    if (!name) {
        name = strcmp(type, "double") == 0 ? "the conversion of a to float" : "half the lesser of |a| and |b|";
    }
    snprintf(reason, capacity,
             "OpenCL device %.64s does not compute in %s as this machine does: %s is %a instead of %a for a = %a, "
             "b = %a, c = %a",
             opencl->name, type, name, got, want, abc[0], abc[1], abc[2]);
}

static int compare_doubles(const tmb_opencl *opencl, const double *numbers, const double *results, char *reason,
                           size_t capacity)
{
    for (size_t i = 0; i < ITEM_COUNT; i++, numbers += 3, results += RESULT_COUNT) {
        double expected[RESULT_COUNT];
        compute_double(numbers, expected);
        for (size_t j = 0; j < RESULT_COUNT; j++) {
            if (!is_same_double(expected[j], results[j])) {
                tell(opencl, "double", j, numbers, expected[j], results[j], reason, capacity);
                return 0;
            }
        }
    }
    return 1;
}

static int compare_floats(const tmb_opencl *opencl, const float *numbers, const float *results, char *reason,
                          size_t capacity)
{
    for (size_t i = 0; i < ITEM_COUNT; i++, numbers += 3, results += RESULT_COUNT) {
        const double abc[3] = {(double)numbers[0], (double)numbers[1], (double)numbers[2]};
        float expected[RESULT_COUNT];
        compute_float(numbers, expected);
        for (size_t j = 0; j < RESULT_COUNT; j++) {
            if (!is_same_float(expected[j], results[j])) {
                tell(opencl, "float", j, abc, (double)expected[j], (double)results[j], reason, capacity);
                return 0;
            }
        }
    }
    return 1;
}

/* Runs the kernel over all items. */
static cl_int run(tmb_opencl *opencl, cl_kernel kernel, cl_mem in, cl_mem out, const void *numbers, size_t numbers_size,
                  void *results, size_t results_size)
{
    const tmb_opencl_api *api = &opencl->api;
    const size_t count = ITEM_COUNT;
    cl_int code = api->clSetKernelArg(kernel, 0, sizeof in, &in);
    if (code == CL_SUCCESS) {
        code = api->clSetKernelArg(kernel, 1, sizeof out, &out);
    }
    if (code == CL_SUCCESS) {
        code = api->clEnqueueWriteBuffer(opencl->queue, in, CL_TRUE, 0, numbers_size, numbers, 0, NULL, NULL);
    }
    if (code == CL_SUCCESS) {
        code = api->clEnqueueNDRangeKernel(opencl->queue, kernel, 1, NULL, &count, NULL, 0, NULL, NULL);
    }
    if (code == CL_SUCCESS) {
        code = api->clEnqueueReadBuffer(opencl->queue, out, CL_TRUE, 0, results_size, results, 0, NULL, NULL);
    }
    return code;
}

static tumble_status run_on_device(tmb_opencl *opencl, cl_program program, const char *name, const void *numbers,
                                   size_t numbers_size, void *results, size_t results_size)
{
    cl_int code = CL_SUCCESS;
    cl_mem in = NULL, out = NULL;
    cl_kernel kernel = opencl->api.clCreateKernel(program, name, &code);
    tumble_status status = tmb_opencl_error(opencl, code, "make the kernel that checks the arithmetic");
    if (status != TUMBLE_OK) {
        return status;
    }
    status = tmb_opencl_buffer(opencl, CL_MEM_READ_ONLY, numbers_size, "a check of the arithmetic", &in);
    if (status == TUMBLE_OK) {
        status = tmb_opencl_buffer(opencl, CL_MEM_WRITE_ONLY, results_size, "a check of the arithmetic", &out);
    }
    if (status == TUMBLE_OK) {
        code = run(opencl, kernel, in, out, numbers, numbers_size, results, results_size);
        status = tmb_opencl_error(opencl, code, "check the arithmetic");
    }
    tmb_opencl_release_buffer(opencl, in);
    tmb_opencl_release_buffer(opencl, out);
    opencl->api.clReleaseKernel(kernel);
    return status;
}

static tumble_status check_doubles(tmb_opencl *opencl, cl_program program, double *numbers, int *same, char *reason,
                                   size_t capacity)
{
    double *results = numbers + 3 * ITEM_COUNT;
    make_doubles(numbers);
    const tumble_status status =
        run_on_device(opencl, program, "tmb_check_doubles", numbers, 3 * ITEM_COUNT * sizeof *numbers, results,
                      RESULT_COUNT * ITEM_COUNT * sizeof *results);
    *same = status == TUMBLE_OK && compare_doubles(opencl, numbers, results, reason, capacity);
    return status;
}

static tumble_status check_floats(tmb_opencl *opencl, cl_program program, float *numbers, int *same, char *reason,
                                  size_t capacity)
{
    float *results = numbers + 3 * ITEM_COUNT;
    make_floats(numbers);
    const tumble_status status =
        run_on_device(opencl, program, "tmb_check_floats", numbers, 3 * ITEM_COUNT * sizeof *numbers, results,
                      RESULT_COUNT * ITEM_COUNT * sizeof *results);
    *same = status == TUMBLE_OK && compare_floats(opencl, numbers, results, reason, capacity);
    return status;
}

tumble_status tmb_opencl_try_arithmetic(tmb_opencl *opencl, cl_program program, int doubles, int *same, char *reason,
                                        size_t capacity)
{
    const size_t count = (3 + RESULT_COUNT) * ITEM_COUNT;
    void *numbers = tmb_allocate(opencl->context, count, doubles ? sizeof(double) : sizeof(float));
    *same = 0;
    if (!numbers) {
        return tmb_fail_memory(opencl->context, "a check of a device's arithmetic");
    }
    const tumble_status status = doubles ? check_doubles(opencl, program, numbers, same, reason, capacity)
                                         : check_floats(opencl, program, numbers, same, reason, capacity);
    tmb_release(opencl->context, numbers);
    return status;
}

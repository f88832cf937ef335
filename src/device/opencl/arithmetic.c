/* Does a device compute as this machine does? The answer of a check depends on the last bit of the moved vertices, so a
 * device that joins a product and a sum into one rounding, flushes denormal numbers to 0, or keeps extra digits, must
 * be detected. Each kernel of arithmetic.cl is compared with the same operations here. */
#include "device/opencl/opencl.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

#define RANDOM_COUNT 448
#define RESULT_COUNT 8

static const char *const result_names[RESULT_COUNT] = {
    "a + b", "a - b", "a * b", "a * b + c", "a * b - c", "((a * b + b * c) + c * a) + a", "the order of a and b", NULL,
};

/* The ends of the ranges of normal and denormal numbers, of both types; factors of denormal products; neighbours of 1;
 * ties of the conversion to float, and their neighbours. */
static const double special_double[] = {
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
static const float special_float[] = {
    0.0F,       -0.0F,        1.0F,        -1.0F,      1.0F + 0x1p-23F,      -(1.0F - 0x1p-24F),
    3.0F,       1.0F / 3.0F,  0.1F,        0x1p-149F,  -0x1p-126F,           0x1p-126F - 0x1p-149F,
    0x1.8p-75F, -0x1.4p-70F,  0x1.5p-130F, 0x1p-148F,  0x1.000002p-63F,      -0x1.fffffep-64F,
    7.0F,       -1.0F / 7.0F, 0x1p24F,     16777215.F, 0x1.234568p0F * 3.0F, FLT_MAX,
};
#define SPECIAL_COUNT (sizeof special_double / sizeof *special_double)
_Static_assert(sizeof special_float / sizeof *special_float == SPECIAL_COUNT, "both are used in the same way");
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

/* What each type has in addition. */
static double last_double(double a, double b)
{
    (void)b;
    return (double)(float)a;
}

static float last_float(float a, float b)
{
    return fminf(fabsf(a), fabsf(b)) * 0.5F;
}

static void tell(const tmb_opencl *opencl, int is_double, size_t result, const double *abc, double want, double got,
                 char *reason, size_t capacity)
{
    const char *name = result_names[result];
    if (!name) {
        name = is_double ? "the conversion of a to float" : "half the lesser of |a| and |b|";
    }
    snprintf(reason, capacity,
             "OpenCL device %.64s does not compute in %s as this machine does: %s is %a instead of %a for a = %a, "
             "b = %a, c = %a",
             opencl->name, is_double ? "double" : "float", name, got, want, abc[0], abc[1], abc[2]);
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
    tmb_opencl_release_buffer(opencl, in, numbers_size);
    tmb_opencl_release_buffer(opencl, out, results_size);
    opencl->api.clReleaseKernel(kernel);
    return status;
}

#define REAL double
#define REAL_IS_DOUBLE 1
#define NAMED(base) base##_double
#include "device/opencl/arithmetic_body.h"
#define REAL float
#define REAL_IS_DOUBLE 0
#define NAMED(base) base##_float
#include "device/opencl/arithmetic_body.h"

tumble_status tmb_opencl_try_arithmetic(tmb_opencl *opencl, cl_program program, int doubles, int *same, char *reason,
                                        size_t capacity)
{
    const size_t count = (3 + RESULT_COUNT) * ITEM_COUNT;
    void *numbers = tmb_allocate(opencl->context, count, doubles ? sizeof(double) : sizeof(float));
    *same = 0;
    if (!numbers) {
        return tmb_fail_memory(opencl->context, "a check of a device's arithmetic");
    }
    const tumble_status status = doubles ? check_double(opencl, program, numbers, same, reason, capacity)
                                         : check_float(opencl, program, numbers, same, reason, capacity);
    tmb_release(opencl->context, numbers);
    return status;
}

/* Arithmetic that is the same on the device and on the machine that it serves: every operation is rounded on its own.
 * This file comes first, so the pragma holds for all that follow. */
#pragma OPENCL FP_CONTRACT OFF

#if TUMBLE_DOUBLES
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

/* One coordinate of a point that is moved by a row of a matrix. This is the order of operations that decides where
 * vertices are. */
static inline float tmb_move_float(float m0, float m1, float m2, float m3, float x, float y, float z)
{
    return ((m0 * x + m1 * y) + m2 * z) + m3;
}

#if TUMBLE_DOUBLES
static inline double tmb_move(double m0, double m1, double m2, double m3, double x, double y, double z)
{
    return ((m0 * x + m1 * y) + m2 * z) + m3;
}
#endif

/* For the comparison in arithmetic.c, which computes the same: each work-item takes three numbers and makes
 * TMB_RESULTS. */
#define TMB_RESULTS 8

__kernel void tmb_check_floats(__global const float *numbers, __global float *results)
{
    const size_t i = get_global_id(0);
    const float a = numbers[3 * i], b = numbers[3 * i + 1], c = numbers[3 * i + 2];
    __global float *out = results + TMB_RESULTS * i;
    out[0] = a + b;
    out[1] = a - b;
    out[2] = a * b;
    out[3] = a * b + c;
    out[4] = a * b - c;
    out[5] = tmb_move_float(a, b, c, a, b, c, a);
    out[6] = (a < b ? 1.0f : 0.0f) + (a == b ? 2.0f : 0.0f) + (a < 0.0f ? 4.0f : 0.0f) + (a == 0.0f ? 8.0f : 0.0f);
    out[7] = fmin(fabs(a), fabs(b)) * 0.5f;
}

#if TUMBLE_DOUBLES
__kernel void tmb_check_doubles(__global const double *numbers, __global double *results)
{
    const size_t i = get_global_id(0);
    const double a = numbers[3 * i], b = numbers[3 * i + 1], c = numbers[3 * i + 2];
    __global double *out = results + TMB_RESULTS * i;
    out[0] = a + b;
    out[1] = a - b;
    out[2] = a * b;
    out[3] = a * b + c;
    out[4] = a * b - c;
    out[5] = tmb_move(a, b, c, a, b, c, a);
    out[6] = (a < b ? 1.0 : 0.0) + (a == b ? 2.0 : 0.0) + (a < 0.0 ? 4.0 : 0.0) + (a == 0.0 ? 8.0 : 0.0);
    out[7] = (double)(float)a;
}
#endif

/* Arithmetic that is the same on the device and on the machine that it serves: every operation is rounded on its own.
 * This file comes first, so the pragma holds for all that follow. */
#pragma OPENCL FP_CONTRACT OFF

#if TUMBLE_DOUBLES
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

/* For the comparison in arithmetic.c, which computes the same: each work-item takes three numbers and makes
 * TMB_RESULTS. The sixth is one coordinate of a point that is moved by a row of a matrix: the order of operations that
 * decides where vertices are. */
#define TMB_RESULTS 8
#define TMB_CHECK(name, type, last)                                                                        \
    __kernel void name(__global const type *numbers, __global type *results)                              \
    {                                                                                                      \
        const size_t i = get_global_id(0);                                                                 \
        const type a = numbers[3 * i], b = numbers[3 * i + 1], c = numbers[3 * i + 2];                     \
        __global type *out = results + TMB_RESULTS * i;                                                    \
        out[0] = a + b;                                                                                    \
        out[1] = a - b;                                                                                    \
        out[2] = a * b;                                                                                    \
        out[3] = a * b + c;                                                                                \
        out[4] = a * b - c;                                                                                \
        out[5] = ((a * b + b * c) + c * a) + a;                                                            \
        out[6] = (type)((a < b ? 1 : 0) + (a == b ? 2 : 0) + (a < 0 ? 4 : 0) + (a == 0 ? 8 : 0));          \
        out[7] = last;                                                                                     \
    }

TMB_CHECK(tmb_check_floats, float, fmin(fabs(a), fabs(b)) * 0.5f)
#if TUMBLE_DOUBLES
TMB_CHECK(tmb_check_doubles, double, (double)(float)a)
#endif

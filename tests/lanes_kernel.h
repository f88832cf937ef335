/* What the test of lanes has done at each SIMD level: every function of math/lanes.h once, and pairs of triangles. */
#ifndef TUMBLE_TESTS_LANES_KERNEL_H
#define TUMBLE_TESTS_LANES_KERNEL_H

#include <stdint.h>

typedef struct lanes_input {
    float a[8], b[8], table[16];
    double d[8];
    int32_t k[8], index[8]; /* index: 0 to 15 */
    uint8_t u8[8];
    int8_t s8[8];
    uint16_t u16[8];
    int16_t s16[8];
    uint32_t word;
    unsigned bits[2];
    int shift;
} lanes_input;

#define LANES_FLOATS(X)                                                                                              \
    X(ADD), X(SUB), X(MUL), X(SQRT), X(LOAD), X(SET), X(ZERO), X(MIN), X(MAX), X(MAX_ABS), X(ABS), X(NEG), X(SIGN),  \
        X(SELECT), X(FROM_U8), X(FROM_S8), X(FROM_U16), X(FROM_S16), X(FROM_F64), X(FROM_I8), X(LOOKUP), X(PERMUTE), \
        X(MAX_OF)
#define LANES_INTS(X)                                                                                            \
    X(INT_LOAD), X(INT_SET), X(INT_U8), X(INT_S8), X(INT_U16), X(INT_S16), X(NIBBLES), X(INT_AND), X(INT_SHIFT), \
        X(INT_BITS)
#define LANES_MASKS(X) X(LESS), X(LESS_EQUAL), X(AND), X(OR), X(XOR), X(ANDNOT), X(NONE), X(NONE_OF_NONE)

#define LANES_ENUM(name) LANES_##name
enum {
    LANES_FLOATS(LANES_ENUM),
    LANES_FLOAT_COUNT
};
enum {
    LANES_INTS(LANES_ENUM),
    LANES_INT_COUNT
};
enum {
    LANES_MASKS(LANES_ENUM),
    LANES_MASK_COUNT
};
#undef LANES_ENUM

typedef struct lanes_output {
    float floats[LANES_FLOAT_COUNT][8];
    int32_t ints[LANES_INT_COUNT][8];
    unsigned masks[LANES_MASK_COUNT];
} lanes_output;

/* Eight triangles: coordinate `axis` of corner `i` in lane `t` is at [axis][i][t]. */
typedef float lanes_triangles[3][3][8];

/* Bounds of their distances; `alone` is the lower one computed by itself, `gap` is another. */
typedef struct lanes_distances {
    float lower[8], upper[8], alone[8], gap[8];
} lanes_distances;

typedef struct lanes_kernel {
    void (*operations)(const lanes_input *input, lanes_output *output);
    void (*triangles)(const lanes_triangles a, const lanes_triangles b, float reach, unsigned lanes, unsigned *hit,
                      unsigned *miss);
    void (*distances)(const lanes_triangles a, const lanes_triangles b, float reach, lanes_distances *out);
} lanes_kernel;

/* Of the plain C version, and of those of the kernel build. */
extern const lanes_kernel lanes_kernel_plain, lanes_kernel_scalar, lanes_kernel_avx2, lanes_kernel_avx512;

#endif

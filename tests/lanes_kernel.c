/* Compiled once for each SIMD level, and once more as plain C. */
#include <string.h>

#include "lanes_kernel.h"
#include "math/lanes.h"
#include "prim/triangle_distance_lanes.h"
#include "prim/triangle_lanes.h"

static void float_operations(const lanes_input *in, lanes_output *out)
{
    const tmb_f8 a = tmb_f8_loadu(in->a), b = tmb_f8_loadu(in->b),
                 table[2] = {tmb_f8_loadu(in->table), tmb_f8_loadu(in->table + 8)};
    tmb_f8_storeu(out->floats[LANES_ADD], tmb_f8_add(a, b));
    tmb_f8_storeu(out->floats[LANES_SUB], tmb_f8_sub(a, b));
    tmb_f8_storeu(out->floats[LANES_MUL], tmb_f8_mul(a, b));
    tmb_f8_storeu(out->floats[LANES_SQRT], tmb_f8_sqrt(a));
    tmb_f8_storeu(out->floats[LANES_SET], tmb_f8_set(in->a[0]));
    tmb_f8_storeu(out->floats[LANES_ZERO], tmb_f8_zero());
    tmb_f8_storeu(out->floats[LANES_MIN], tmb_f8_min(a, b));
    tmb_f8_storeu(out->floats[LANES_MAX], tmb_f8_max(a, b));
    tmb_f8_storeu(out->floats[LANES_MAX_ABS], tmb_f8_max_abs(a, b));
    tmb_f8_storeu(out->floats[LANES_ABS], tmb_f8_abs(a));
    tmb_f8_storeu(out->floats[LANES_NEG], tmb_f8_neg(a));
    tmb_f8_storeu(out->floats[LANES_SIGN], tmb_f8_with_sign_of(a, b));
    tmb_f8_storeu(out->floats[LANES_SELECT], tmb_f8_select(tmb_b8_from_bits(in->bits[0]), a, b));
    tmb_f8_storeu(out->floats[LANES_FROM_U8], tmb_f8_from_u8(in->u8));
    tmb_f8_storeu(out->floats[LANES_FROM_S8], tmb_f8_from_s8(in->s8));
    tmb_f8_storeu(out->floats[LANES_FROM_U16], tmb_f8_from_u16(in->u16));
    tmb_f8_storeu(out->floats[LANES_FROM_S16], tmb_f8_from_s16(in->s16));
    tmb_f8_storeu(out->floats[LANES_FROM_F64], tmb_f8_from_f64(in->d));
    tmb_f8_storeu(out->floats[LANES_FROM_I8], tmb_f8_from_i8(tmb_i8_loadu(in->k)));
    tmb_f8_storeu(out->floats[LANES_LOOKUP], tmb_f8_lookup(table, tmb_i8_loadu(in->index)));
    tmb_f8_storeu(out->floats[LANES_PERMUTE], tmb_f8_permute(a, tmb_i8_and(tmb_i8_loadu(in->index), tmb_i8_set(7))));
    tmb_f8_storeu(out->floats[LANES_MAX_OF], tmb_f8_set(tmb_f8_max_of(a)));
}

static void integer_operations(const lanes_input *in, lanes_output *out)
{
    const tmb_i8 k = tmb_i8_loadu(in->k), index = tmb_i8_loadu(in->index);
    tmb_i8_storeu(out->ints[LANES_INT_SET], tmb_i8_set(in->k[0]));
    tmb_i8_storeu(out->ints[LANES_INT_U8], tmb_i8_from_u8(in->u8));
    tmb_i8_storeu(out->ints[LANES_INT_S8], tmb_i8_from_s8(in->s8));
    tmb_i8_storeu(out->ints[LANES_INT_U16], tmb_i8_from_u16(in->u16));
    tmb_i8_storeu(out->ints[LANES_INT_S16], tmb_i8_from_s16(in->s16));
    tmb_i8_storeu(out->ints[LANES_NIBBLES], tmb_i8_nibbles(in->word));
    tmb_i8_storeu(out->ints[LANES_INT_AND], tmb_i8_and(k, index));
    tmb_i8_storeu(out->ints[LANES_INT_SHIFT], tmb_i8_shift_right(k, in->shift));
    tmb_i8_storeu(out->ints[LANES_INT_BITS], tmb_i8_bits_of(tmb_f8_loadu(in->a)));
}

static void mask_operations(const lanes_input *in, lanes_output *out)
{
    const tmb_f8 a = tmb_f8_loadu(in->a), b = tmb_f8_loadu(in->b);
    const tmb_b8 m = tmb_b8_from_bits(in->bits[0]), n = tmb_b8_from_bits(in->bits[1]);
    out->masks[LANES_LESS] = tmb_b8_bits(tmb_f8_less(a, b));
    out->masks[LANES_LESS_EQUAL] = tmb_b8_bits(tmb_f8_less_equal(a, b));
    out->masks[LANES_AND] = tmb_b8_bits(tmb_b8_and(m, n));
    out->masks[LANES_OR] = tmb_b8_bits(tmb_b8_or(m, n));
    out->masks[LANES_XOR] = tmb_b8_bits(tmb_b8_xor(m, n));
    out->masks[LANES_ANDNOT] = tmb_b8_bits(tmb_b8_andnot(m, n));
    out->masks[LANES_NONE] = (unsigned)tmb_b8_none_set(m);
    out->masks[LANES_NONE_OF_NONE] = (unsigned)tmb_b8_none_set(tmb_b8_from_bits(0));
}

/* At aligned addresses and at others. */
static void memory_operations(const lanes_input *in, lanes_output *out)
{
    _Alignas(32) float floats[16];
    _Alignas(32) int32_t ints[16];
    memcpy(floats, in->a, sizeof in->a);
    memcpy(ints, in->k, sizeof in->k);
    tmb_f8_storeu(floats + 5, tmb_f8_load(floats));
    tmb_f8_store(floats, tmb_f8_loadu(floats + 5));
    memcpy(out->floats[LANES_LOAD], floats, sizeof in->a);
    tmb_i8_storeu(ints + 3, tmb_i8_load(ints));
    memcpy(out->ints[LANES_INT_LOAD], ints + 3, sizeof in->k);
}

static void operations(const lanes_input *input, lanes_output *output)
{
    float_operations(input, output);
    integer_operations(input, output);
    mask_operations(input, output);
    memory_operations(input, output);
}

static tmb_triangle8 load_triangles(const lanes_triangles t)
{
    tmb_triangle8 result;
    for (int i = 0; i < 3; i++) {
        result.x[i] = tmb_f8_loadu(t[0][i]);
        result.y[i] = tmb_f8_loadu(t[1][i]);
        result.z[i] = tmb_f8_loadu(t[2][i]);
    }
    return result;
}

static void triangles(const lanes_triangles a, const lanes_triangles b, float reach, unsigned lanes, unsigned *hit,
                      unsigned *miss)
{
    const tmb_triangle8 a8 = load_triangles(a), b8 = load_triangles(b);
    const tmb_verdict8 verdict = tmb_triangles_intersect8(&a8, &b8, reach, lanes);
    *hit = verdict.hit;
    *miss = verdict.miss;
}

static void distances(const lanes_triangles a, const lanes_triangles b, float reach, lanes_distances *out)
{
    const tmb_triangle8 a8 = load_triangles(a), b8 = load_triangles(b);
    const tmb_distance8 distance = tmb_triangles_distance8(&a8, &b8, reach);
    tmb_f8_storeu(out->lower, distance.lower);
    tmb_f8_storeu(out->upper, distance.upper);
    tmb_f8_storeu(out->alone, tmb_triangles_distance8_lower(&a8, &b8, reach));
    tmb_f8_storeu(out->gap, tmb_triangles_gap8(&a8, &b8, reach));
}

#define LANES_JOIN(name, level) name##level
#define LANES_NAME(name, level) LANES_JOIN(name, level)
const lanes_kernel LANES_NAME(lanes_kernel_, TMB_KERNEL) = {operations, triangles, distances};

/* Makes a cluster of each run of triangles. Compiled once for each instruction set. */
#include <string.h>

#include "base/assert.h"
#include "tree/wide/build.h"

#if defined(TMB_KERNEL_AVX512) || defined(TMB_KERNEL_AVX2)
#include <immintrin.h>
#endif

#if defined(TMB_KERNEL_AVX512) || defined(TMB_KERNEL_AVX2)
/* The corners found so far, in registers. */
typedef struct corner_set {
#if defined(TMB_KERNEL_AVX512)
    __m512i points;
#else
    __m256i points[2];
#endif
    unsigned count;
} corner_set;

static inline unsigned find_corner(const corner_set *set, uint32_t point)
{
    TMB_ASSERT(set->count <= TMB_CLUSTER_CORNERS);
#if defined(TMB_KERNEL_AVX512)
    const unsigned equal = _mm512_cmpeq_epi32_mask(set->points, _mm512_set1_epi32((int)point));
#else
    const __m256i wanted = _mm256_set1_epi32((int)point);
    const int low = _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(set->points[0], wanted)));
    const int high = _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(set->points[1], wanted)));
    const unsigned equal = (unsigned)low | (unsigned)high << 8;
#endif
    return equal & ((1u << set->count) - 1);
}

static inline void put_corner(corner_set *set, unsigned at, uint32_t point)
{
#if defined(TMB_KERNEL_AVX512)
    set->points = _mm512_mask_set1_epi32(set->points, (__mmask16)at, (int)point);
#else
    const __m256i own = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128), value = _mm256_set1_epi32((int)point);
    for (int half = 0; half < 2; half++) {
        const __m256i bits = _mm256_and_si256(_mm256_set1_epi32((int)(at >> 8 * half)), own);
        set->points[half] = _mm256_blendv_epi8(set->points[half], value, _mm256_cmpeq_epi32(bits, own));
    }
#endif
}

/* Number of a point among the corners; `equal` says where it was found. A new one gets the next number. */
static inline unsigned number_corner(corner_set *set, unsigned equal, uint32_t point)
{
    const unsigned next = equal ? 0 : 1u << set->count, number = (unsigned)__builtin_ctz(equal | next);
    put_corner(set, next, point);
    set->count += !equal;
    return number;
}

static int add_triangle(corner_set *set, const uint32_t t[3], unsigned slot, uint32_t words[3])
{
    const unsigned found[3] = {find_corner(set, t[0]), find_corner(set, t[1]), find_corner(set, t[2])};
    if (set->count + !found[0] + !found[1] + !found[2] > TMB_CLUSTER_CORNERS) {
        return 0;
    }
    const unsigned first = number_corner(set, found[0], t[0]);
    const unsigned second = number_corner(set, t[1] == t[0] ? 1u << first : found[1], t[1]);
    const unsigned equal = t[2] == t[0] ? 1u << first : t[2] == t[1] ? 1u << second : found[2];
    const unsigned third = number_corner(set, equal, t[2]);
    words[0] |= first << 4 * slot, words[1] |= second << 4 * slot, words[2] |= third << 4 * slot;
    return 1;
}

int TMB_KERNEL_NAME(tmb_wide_draft)(const uint32_t *corners, const uint32_t *triangles, uint32_t count,
                                    tmb_cluster_draft *draft)
{
    corner_set set;
    memset(&set, 0, sizeof set);
    uint32_t words[3] = {0};
    for (uint32_t i = 0; i < count; i++) {
        if (!add_triangle(&set, corners + 3 * (size_t)triangles[i], i, words)) {
            return 0;
        }
    }
    memcpy(draft->words, words, sizeof words);
    draft->triangle_count = count;
    draft->corner_count = set.count;
    memcpy(draft->points, &set.points, sizeof draft->points);
    return 1;
}

#else
int TMB_KERNEL_NAME(tmb_wide_draft)(const uint32_t *corners, const uint32_t *triangles, uint32_t count,
                                    tmb_cluster_draft *draft)
{
    memset(draft, 0, sizeof *draft);
    for (uint32_t i = 0; i < count; i++) {
        if (!tmb_cluster_add(draft, corners + 3 * (size_t)triangles[i])) {
            return 0;
        }
    }
    return 1;
}
#endif

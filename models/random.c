/* Pseudo-random numbers that are the same on every machine. */
#include <math.h>

#include "models.h"

/* SplitMix64: G. L. Steele, D. Lea, C. H. Flood, Fast splittable pseudorandom number generators, OOPSLA 2014. */
uint64_t models_random_bits(models_random *random)
{
    uint64_t bits = random->state += 0x9e3779b97f4a7c15u;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    return bits ^ (bits >> 31);
}

double models_random_unit(models_random *random)
{
    return (double)(models_random_bits(random) >> 11) * 0x1p-53;
}

double models_random_range(models_random *random, double least, double most)
{
    return least + (most - least) * models_random_unit(random);
}

/* A point of the unit disk that is not its centre; returns its squared distance from it. */
static double random_in_disk(models_random *random, double *x, double *y)
{
    double square;
    do {
        *x = models_random_range(random, -1, 1);
        *y = models_random_range(random, -1, 1);
        square = *x * *x + *y * *y;
    } while (square >= 1 || square < 1e-12);
    return square;
}

/* A uniform quaternion from two points of the disk: G. Marsaglia, Choosing a point from the surface of a sphere, Ann.
 * Math. Stat. 43 (1972). Square roots are exact to the last bit everywhere, sines are not. */
tumble_pose models_random_rotation(models_random *random)
{
    double w, x, y, z;
    const double first = random_in_disk(random, &w, &x), second = random_in_disk(random, &y, &z);
    const double stretch = sqrt((1 - first) / second);
    y *= stretch;
    z *= stretch;
    const tumble_pose pose = {{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), 0},
                               {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), 0},
                               {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y), 0}}};
    return pose;
}

#include "support.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double test_effort(void)
{
    const char *text = getenv("TUMBLE_TEST_EFFORT");
    if (!text || !*text)
        return 1;
    char *end;
    double effort = strtod(text, &end);
    if (*end || !(effort > 0) || !isfinite(effort)) {
        fprintf(stderr, "TUMBLE_TEST_EFFORT must be a positive number, but is \"%s\"\n", text);
        exit(2);
    }
    return effort;
}

size_t test_count(size_t count)
{
    double scaled = (double)count * test_effort();
    return scaled < 1 ? 1 : (size_t)scaled;
}

/* Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014. */
uint64_t test_random_bits(test_random *random)
{
    uint64_t bits = (random->state += 0x9e3779b97f4a7c15u);
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    return bits ^ (bits >> 31);
}

double test_random_unit(test_random *random)
{
    return (double)(test_random_bits(random) >> 11) * 0x1p-53;
}

double test_random_range(test_random *random, double least, double most)
{
    double unit = test_random_unit(random);
    return fmin(fmax(least * (1 - unit) + most * unit, least), most);
}

int test_random_whole(test_random *random, int least, int most)
{
    uint64_t span = (uint64_t)((int64_t)most - least) + 1;
    return (int)(least + (int64_t)(test_random_bits(random) % span));
}

int test_random_chance(test_random *random, double probability)
{
    return test_random_unit(random) < probability;
}

/* Doubles of one sign are ordered like their bits; counting from zero makes that one scale over both signs. */
static int64_t rank_of(double value)
{
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits >= 0 ? bits : -(bits & INT64_MAX);
}

double test_step_ulps(double value, int64_t steps)
{
    int64_t last = rank_of(DBL_MAX), rank = rank_of(value);
    if (steps > 0)
        rank = rank > last - steps ? last : rank + steps;
    else
        rank = rank < -last - steps ? -last : rank + steps;
    int64_t bits = rank >= 0 ? rank : -rank;
    double result;
    memcpy(&result, &bits, sizeof result);
    return rank >= 0 ? result : -result;
}

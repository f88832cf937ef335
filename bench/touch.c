/* Where two models that approach each other first touch. */
#include "touch.h"

double bench_first_touch(bench_touches *touches, void *user, double stride, double precision)
{
    double apart = BENCH_FURTHEST;
    while (apart > stride && !touches(user, apart - stride)) {
        apart -= stride;
    }
    double touching = apart - stride;
    while (apart - touching > precision) {
        const double middle = 0.5 * (apart + touching);
        *(touches(user, middle) ? &touching : &apart) = middle;
    }
    return apart;
}

/* Positive numbers of 53 digits whose exponents doubles lack: distances and limits on their way from one frame to
 * another. */
#ifndef TUMBLE_SRC_MATH_SCALED_H
#define TUMBLE_SRC_MATH_SCALED_H

/* digits * 2^exponent, digits >= 0 and finite. A plain double has exponent 0; others have digits in [1/2, 1). */
typedef struct tmb_scaled {
    double digits;
    int exponent;
} tmb_scaled;

/* digits * 2^exponent for any finite digits >= 0, with exponent 0 where a double holds it with all its digits. */
tmb_scaled tmb_scaled_of(double digits, int exponent);

/* a / b and a * b, rounded once. b > 0. */
tmb_scaled tmb_scaled_quotient(double a, double b);
tmb_scaled tmb_scaled_product(tmb_scaled a, double b);

/* Negative, 0 or positive, like a - b. */
int tmb_scaled_compare(tmb_scaled a, tmb_scaled b);

/* The double that is nearest (may be infinite), the largest that is not larger (finite), the least that is not less
 * (may be infinite). */
double tmb_scaled_nearest(tmb_scaled a);
double tmb_scaled_below(tmb_scaled a);
double tmb_scaled_above(tmb_scaled a);

/* Bounds of lengths that change their unit: length * unit, rounded to nearest in the range in which that loses 2^-53 of
 * it, else down or up. A negative length is a depth. An infinite length is one above DBL_MAX. */
double tmb_length_below(double length, double unit);
double tmb_length_above(double length, double unit);

/* A limit of distances in another unit. */
typedef struct tmb_limit {
    double below, above; /* the doubles around it: equal if it is one. Infinite if there is no limit */
    tmb_scaled exact;    /* unless it is infinite */
} tmb_limit;

tmb_limit tmb_limit_at(tmb_scaled exact);

/* length / unit, rounded to 53 digits as if there were no least and no largest double. length >= 0, unit > 0. */
tmb_limit tmb_limit_of(double length, double unit);

#endif

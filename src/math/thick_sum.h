/* The sum of a length and products of lengths with scales, rounded once. */
#ifndef TUMBLE_SRC_MATH_THICK_SUM_H
#define TUMBLE_SRC_MATH_THICK_SUM_H

#define TMB_THICK_FACTORS 4 /* products at most */

/* length + the sum of factors[i][0] * factors[i][1], to the nearest double, ties to even; infinite above DBL_MAX. All
 * numbers are finite and not negative. */
double tmb_thick_sum(double length, const double factors[][2], int count);

#endif

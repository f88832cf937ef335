/* The truth about a triangle and a cylinder with flat ends, in rational arithmetic (GMP), written to be obvious rather
 * than quick: the triangle is cut at the end planes, and what is left is searched for the point that is nearest to the
 * axis, by the gradient of the squared distance. */
#ifndef TUMBLE_TESTS_CYLINDER_ORACLE_H
#define TUMBLE_TESTS_CYLINDER_ORACLE_H

/* Whether they have a common point. The radius is digits * 2^exponent. Equal ends are those of a ball. */
int cylinder_truth(const double triangle[3][3], const double from[3], const double to[3], double digits, int exponent);

#endif

/* The truth about a triangle and a cylinder with flat ends, in rational arithmetic (GMP), written to be obvious rather
 * than quick: the triangle is cut at the end planes, and what is left is searched for the point that is nearest to the
 * axis, by the gradient of the squared distance. */
#ifndef TUMBLE_TESTS_CYLINDER_ORACLE_H
#define TUMBLE_TESTS_CYLINDER_ORACLE_H

/* Whether they have a common point. The radius is digits * 2^exponent. Equal ends are those of a ball. */
int cylinder_truth(const double triangle[3][3], const double from[3], const double to[3], double digits, int exponent);

/* Whether the ball with this centre and radius meets the cylinder with this radius, whose ends differ: by their
 * distance in floats of 4,096 bits. What differs by less than 2^-1500 of the numbers that it comes from is equal, as
 * coordinates of tests have too few digits for anything else. */
int cylinder_ball_truth(const double centre[3], double ball, const double from[3], const double to[3], double radius);

#endif

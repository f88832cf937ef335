/* Decimal numbers to doubles and back: correctly rounded, fast, and the same in every locale. */
#ifndef TUMBLE_SRC_IO_NUMBER_H
#define TUMBLE_SRC_IO_NUMBER_H

#include <stddef.h>
#include <stdint.h>

/* Reads the longest number at `at`, without leading blanks: what strtod accepts in the C locale, except hexadecimal
 * numbers. Returns where it ends, or NULL if there is none. A number that is too large gives infinity; "inf" and "nan"
 * are accepted. */
const char *tmb_parse_double(const char *at, const char *end, double *out);

/* The double nearest to digits * 10^exponent, where `digits` is not 0. For numbers with more digits, and for the few
 * where *certain comes back 0, it may be a neighbour of the right one. */
uint64_t tmb_round_decimal(uint64_t digits, int64_t exponent, int *certain);

/* The exact answer, from a guess that is off by few units in the last place, for the digits (with at most one point
 * among them) from `first` to `last` times 10^exponent, where the point counts as not there. Numbers are given as bits
 * of positive doubles. */
uint64_t tmb_round_exactly(const char *first, const char *last, int64_t exponent, uint64_t guess);

/* Reads an optional sign and digits. Returns where they end, or NULL if there are no digits. A number beyond
 * INT64_MAX or -INT64_MAX saturates. */
const char *tmb_parse_integer(const char *at, const char *end, int64_t *out);

#define TMB_NUMBER_TEXT 32

/* Writes the shortest decimal number that reads back as `value`, of several the nearest; not terminated. `value` must
 * be finite. Returns the length. */
size_t tmb_format_double(double value, char text[TMB_NUMBER_TEXT]);

size_t tmb_format_unsigned(uint64_t value, char text[TMB_NUMBER_TEXT]);

#endif

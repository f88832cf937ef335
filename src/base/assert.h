/* Assertions: what functions of the library promise each other.
 *
 * TMB_ASSERT states what a caller has seen to; it is never about what the user passes, which is checked and reported by
 * tmb_fail. A promise that is broken prints the expression with its place and aborts. The CMake option TUMBLE_ASSERTS
 * switches that on, for tests; without it the library never prints and never aborts, and nothing of an assertion is
 * evaluated. TMB_ASSERT_SLOW is for what takes longer than the function itself, such as a look at a whole array, and is
 * switched on by TUMBLE_ASSERTS_SLOW. */
#ifndef TUMBLE_SRC_BASE_ASSERT_H
#define TUMBLE_SRC_BASE_ASSERT_H

#if defined(TMB_ASSERTS)

#include <stdio.h>
#include <stdlib.h>

static __attribute__((cold, noinline, noreturn, unused)) void tmb_assert_failed(const char *expression,
                                                                                const char *file, int line)
{
    (void)fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, expression);
    abort();
}

#define TMB_ASSERT(expression) ((expression) ? (void)0 : tmb_assert_failed(#expression, __FILE__, __LINE__))
#else
/* Not evaluated, but compiled: what only assertions need is not unused. */
#define TMB_ASSERT(expression) ((void)sizeof((expression) ? 1 : 0))
#endif

#if defined(TMB_ASSERTS) && defined(TMB_ASSERTS_SLOW)
#define TMB_ASSERT_SLOW(expression) TMB_ASSERT(expression)
#else
#define TMB_ASSERT_SLOW(expression) ((void)sizeof((expression) ? 1 : 0))
#endif

#endif

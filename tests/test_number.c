/* Decimal numbers to doubles and back, against the C library and against big integers. */
#include "support.h"

#include <float.h>
#include <gmp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/number.h"
#include "io/powers.h"

#define LONGEST 1600

static double from_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t to_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* 10^e has its 128 leading bits in the table: cut off, or rounded up for -27 <= e <= -1. */
static void test_powers(void **state)
{
    (void)state;
    mpz_t power, leading, entry;
    mpz_inits(power, leading, entry, NULL);
    for (int e = TMB_POWER_LEAST; e <= TMB_POWER_MOST; e++) {
        mpz_ui_pow_ui(power, 10, (unsigned long)abs(e));
        const long bits = (long)mpz_sizeinbase(power, 2);
        const int log2 = tmb_floor_log2_of_power(e);
        if (e >= 0) {
            assert_int_equal(log2, bits - 1);
            if (bits <= 128) {
                mpz_mul_2exp(leading, power, (mp_bitcnt_t)(128 - bits));
            } else {
                mpz_fdiv_q_2exp(leading, power, (mp_bitcnt_t)(bits - 128));
            }
        } else {
            assert_int_equal(log2, -bits);
            mpz_set_ui(leading, 0);
            mpz_setbit(leading, (mp_bitcnt_t)(127 + bits));
            mpz_fdiv_q(leading, leading, power);
            mpz_add_ui(leading, leading, e >= -27 ? 1 : 0);
        }
        const uint64_t *words = tmb_powers_of_ten[e - TMB_POWER_LEAST];
        mpz_import(entry, 2, 1, sizeof words[0], 0, 0, words);
        assert_int_equal(mpz_cmp(leading, entry), 0);
    }
    mpz_clears(power, leading, entry, NULL);
}

/* In a block of exactly the text's size, so that the address sanitizer sees a step too far. */
static const char *parse_exact_size(const char *text, size_t length, double *value, ptrdiff_t *used)
{
    char *copy = malloc(length ? length : 1);
    assert_non_null(copy);
    memcpy(copy, text, length);
    const char *after = tmb_parse_double(copy, copy + length, value);
    *used = after ? after - copy : 0;
    free(copy);
    return after;
}

/* What comes after the end does not count. */
static void check_end(const char *text, double value, ptrdiff_t used)
{
    const size_t length = strlen(text);
    char *longer = malloc(length + 1);
    assert_non_null(longer);
    memcpy(longer, text, length);
    for (const char *more = ")05.eny"; *more; more++) {
        double again = 0;
        longer[length] = *more;
        const char *after = tmb_parse_double(longer, longer + length, &again);
        assert_int_equal(after ? after - longer : 0, used);
        assert_true(!after || to_bits(again) == to_bits(value) || isnan(value));
    }
    free(longer);
}

static void check_like_strtod(const char *text)
{
    char *end;
    const double expected = strtod(text, &end);
    double value = 0;
    ptrdiff_t used;
    const char *after = parse_exact_size(text, strlen(text), &value, &used);
    if (used != end - text || (after && to_bits(value) != to_bits(expected) && !(isnan(value) && isnan(expected)))) {
        fail_msg("'%s' gives %a, %td characters, but should give %a, %td characters", text, value, used, expected,
                 end - text);
    }
    check_end(text, value, used);
}

static void test_texts(void **state)
{
    (void)state;
    static const char *const texts[] = {"0",
                                        "-0",
                                        "+0",
                                        "0.0",
                                        "-.0",
                                        ".",
                                        "-",
                                        "+",
                                        "",
                                        "e5",
                                        ".e5",
                                        "1",
                                        "1.",
                                        ".5",
                                        "-.5",
                                        "+.5",
                                        "1e",
                                        "1e+",
                                        "1e-",
                                        "1e5",
                                        "1E5",
                                        "1e+5",
                                        "1e-5",
                                        "1e0005",
                                        "1.5e3x",
                                        "12abc",
                                        "1..2",
                                        "1.2.3",
                                        "--1",
                                        "+-1",
                                        "1 2",
                                        "1,5",
                                        "inf",
                                        "INF",
                                        "-inf",
                                        "+Infinity",
                                        "infinit",
                                        "INFINITYx",
                                        "nan",
                                        "NaN",
                                        "-nan",
                                        "nan(ind)",
                                        "nan(",
                                        "nan(x y)",
                                        "nan()",
                                        "na",
                                        "in",
                                        "1e308",
                                        "1e309",
                                        "-1e309",
                                        "1.7976931348623157e308",
                                        "1.7976931348623158e308",
                                        "1.7976931348623159e308",
                                        "179769313486231570814527423731704356798070567525844996598917476803157260780028"
                                        "538760589558632766878171540458953514"
                                        "382464234321326889464182768467546703537516986049910576551282076245490090389328"
                                        "944075868508455133942304583236903222"
                                        "948165808559332123347747979999999999999999999999999999999999999999999999999999"
                                        "999999999999999999999999999999999999",
                                        "4.9406564584124654e-324",
                                        "2.4703282292062327e-324",
                                        "2.4703282292062328e-324",
                                        "1e-323",
                                        "1e-324",
                                        "1e-400",
                                        "2.2250738585072014e-308",
                                        "2.2250738585072011e-308",
                                        "2.225073858507201e-308",
                                        "9007199254740993",
                                        "9007199254740992",
                                        "9007199254740991",
                                        "9007199254740993.0000000000000000000000000000000000000000000000001",
                                        "0.1",
                                        "0.2",
                                        "0.3",
                                        "123456789012345678",
                                        "1234567890123456789",
                                        "12345678901234567890",
                                        "18446744073709551615",
                                        "18446744073709551616",
                                        "99999999999999999999",
                                        "0.000000000000000000000000000000000000000000000123",
                                        "1e22",
                                        "1e23",
                                        "8.5e22",
                                        "9e22",
                                        "1.0e999999999999999999999",
                                        "1.0e-999999999999999999999",
                                        "0e999999999999999999999",
                                        "00000000000000000000000000000000000000000001",
                                        "1.00000000000000000000000000000000000000000",
                                        "5e-1",
                                        "12345678",
                                        "1234567.8",
                                        ".12345678",
                                        "12345678.87654321",
                                        "1234567812345678",
                                        "1234567812345678.1234567812345678"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        check_like_strtod(texts[i]);
    }
    double value;
    const char *hexadecimal = "0x10"; /* the one thing that strtod reads and we do not */
    assert_ptr_equal(tmb_parse_double(hexadecimal, hexadecimal + 4, &value), hexadecimal + 1);
}

/* A digit that is not 0 may come later than all that are kept, with zeros before it and behind it. */
static void test_late_digits(void **state)
{
    (void)state;
    static const char *const starts[] = {"9007199254740993.", "-9007199254740993", "0.00009007199254740993",
                                         "4503599627370497.5"};
    static const char *const ends[] = {"1", "1000", "10", "0001", "0", "0900"};
    char text[2000];
    for (size_t i = 0; i < 4 * 6 * 5; i++) {
        const size_t zeros = (size_t[]){0, 700, 751, 752, 800}[i / 24];
        const size_t length = strlen(starts[i % 4]);
        memcpy(text, starts[i % 4], length);
        memset(text + length, '0', zeros);
        (void)snprintf(text + length + zeros, sizeof text - length - zeros, "%se-3", ends[i / 4 % 6]);
        check_like_strtod(text);
        text[strlen(text) - 3] = '\0'; /* without the exponent */
        check_like_strtod(text);
    }
}

/* A number cut anywhere must be read like the shorter text, never beyond it. */
static void test_prefixes(void **state)
{
    (void)state;
    const char *text = "-1234567890123.45678901234567890123e-12";
    char prefix[64];
    for (size_t length = 0; length <= strlen(text); length++) {
        memcpy(prefix, text, length);
        prefix[length] = '\0';
        check_like_strtod(prefix);
    }
}

/* Digits in all lengths, a point anywhere, an exponent or none. */
static void make_random_text(test_random *random, char *text)
{
    const int digits = test_random_whole(random, 1, test_random_chance(random, 0.1) ? 60 : 20);
    const int point = test_random_whole(random, -2, digits);
    size_t length = 0;
    if (test_random_chance(random, 0.3)) {
        text[length++] = test_random_chance(random, 0.8) ? '-' : '+';
    }
    for (int i = 0; i < digits; i++) {
        if (i == point) {
            text[length++] = '.';
        }
        const int zero = test_random_chance(random, 0.1);
        text[length++] = zero ? '0' : (char)('0' + test_random_whole(random, 0, 9));
    }
    const int kind = test_random_whole(random, 0, 3);
    const int exponent = kind == 0 ? test_random_whole(random, -345, 310) : test_random_whole(random, -30, 30);
    if (kind < 2) {
        length += (size_t)sprintf(text + length, "e%d", exponent);
    }
    text[length] = '\0';
}

static double random_finite(test_random *random)
{
    double value;
    do {
        value = from_bits(test_random_bits(random));
    } while (!isfinite(value));
    return value;
}

/* Doubles as programs print them. */
static void make_printed_text(test_random *random, char *text)
{
    const double any = random_finite(random), usual = test_random_range(random, -1000, 1000);
    switch (test_random_whole(random, 0, 5)) {
    case 0: sprintf(text, "%.17g", any); break;
    case 1: sprintf(text, "%.*g", test_random_whole(random, 1, 20), any); break;
    case 2: sprintf(text, "%.6f", usual); break;
    case 3: sprintf(text, "%.9g", (double)(float)usual); break;
    case 4: sprintf(text, "%.*e", test_random_whole(random, 0, 30), usual); break;
    default: sprintf(text, "%.17g", from_bits(test_random_bits(random) >> test_random_whole(random, 11, 63))); break;
    }
}

/* The middle between a double and the next one, in all its digits; a nudge makes it a little more or less. */
static void make_middle_text(test_random *random, char *text)
{
    const uint64_t bits = to_bits(fabs(random_finite(random)));
    const uint64_t fraction = bits & 0xfffffffffffff;
    const int biased = (int)(bits >> 52), binary = (biased ? biased : 1) - 1076;
    mpz_t middle, factor;
    mpz_inits(middle, factor, NULL);
    const uint64_t mantissa = 2 * (biased ? fraction | (uint64_t)1 << 52 : fraction) + 1;
    mpz_import(middle, 1, 1, sizeof mantissa, 0, 0, &mantissa);
    if (binary >= 0) {
        mpz_mul_2exp(middle, middle, (mp_bitcnt_t)binary);
    } else {
        mpz_ui_pow_ui(factor, 5, (unsigned long)-binary);
        mpz_mul(middle, middle, factor);
    }
    const int nudge = test_random_whole(random, -1, 1), places = test_random_whole(random, 1, 100);
    mpz_ui_pow_ui(factor, 10, (unsigned long)places);
    mpz_mul(middle, middle, factor);
    if (nudge > 0) {
        mpz_add_ui(middle, middle, 1);
    } else if (nudge < 0) {
        mpz_sub_ui(middle, middle, 1);
    }
    char *digits = mpz_get_str(NULL, 10, middle);
    sprintf(text, "%se%d", digits, (binary < 0 ? binary : 0) - places);
    free(digits);
    mpz_clears(middle, factor, NULL);
}

/* The middle between two neighbouring doubles where it has at most 19 digits, written as digits and a power of ten. */
static void make_short_middle_text(test_random *random, char *text)
{
    const int exponent = test_random_whole(random, -4, 23);
    uint64_t power_of_five = 1;
    for (int i = 0; i < abs(exponent); i++) {
        power_of_five *= 5;
    }
    uint64_t digits; /* times 10^exponent: an odd number of 54 bits times a power of two */
    if (exponent > 0) {
        const uint64_t least = ((uint64_t)1 << 53) / power_of_five + 1,
                       most = (((uint64_t)1 << 54) - 1) / power_of_five;
        digits = (least + test_random_bits(random) % (most - least + 1)) | 1;
    } else {
        digits = ((uint64_t)1 << 53 | test_random_bits(random) >> 11 | 1) * power_of_five;
    }
    sprintf(text, "%llue%d", (unsigned long long)digits, exponent);
}

/* Whether 19 digits leave two possible answers, so that the rest must decide. */
static int needs_all_digits(const char *text)
{
    uint64_t digits = 0;
    int count = 0, exponent = 0;
    for (; *text >= '0' && *text <= '9'; text++) {
        if (count < 19) {
            digits = digits * 10 + (uint64_t)(*text - '0');
            count++;
        } else {
            exponent++;
        }
    }
    exponent += *text == 'e' ? atoi(text + 1) : 0;
    int certain;
    return digits && count == 19 &&
           tmb_round_decimal(digits, exponent, &certain) != tmb_round_decimal(digits + 1, exponent, &certain);
}

static void test_random_texts(void **state)
{
    (void)state;
    test_random random = {1};
    char text[LONGEST];
    size_t hard = 0;
    for (size_t i = 0; i < test_count(700000); i++) {
        make_random_text(&random, text);
        check_like_strtod(text);
    }
    for (size_t i = 0; i < test_count(500000); i++) {
        make_printed_text(&random, text);
        check_like_strtod(text);
    }
    for (size_t i = 0; i < test_count(30000); i++) {
        make_short_middle_text(&random, text);
        check_like_strtod(text);
    }
    for (size_t i = 0; i < test_count(30000); i++) {
        make_middle_text(&random, text);
        hard += (size_t)needs_all_digits(text);
        check_like_strtod(text);
    }
    assert_true(hard > test_count(30000) / 4);
}

/* Big integers find the answer from any guess near it, on both sides. */
static void test_guesses(void **state)
{
    (void)state;
    test_random random = {5};
    char text[LONGEST];
    for (size_t i = 0; i < test_count(2000); i++) {
        make_middle_text(&random, text);
        const char *end = strchr(text, 'e');
        const uint64_t expected = to_bits(strtod(text, NULL)), infinity = to_bits(HUGE_VAL);
        for (int offset = -3; offset <= 3; offset++) {
            const uint64_t guess = expected + (uint64_t)(int64_t)offset;
            if (guess <= infinity) { /* not below 0, which wraps around */
                assert_true(tmb_round_exactly(text, end, atoi(end + 1), guess) == expected);
            }
        }
    }
}

static void test_integers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int used;
        int64_t value;
    } cases[] = {{"0", 1, 0},
                 {"7x", 1, 7},
                 {"-12 ", 3, -12},
                 {"+5", 2, 5},
                 {"x", 0, 0},
                 {"-", 0, 0},
                 {"", 0, 0},
                 {"007", 3, 7},
                 {"9223372036854775807", 19, INT64_MAX},
                 {"9223372036854775808", 19, INT64_MAX},
                 {"-99999999999999999999", 21, -INT64_MAX}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int64_t value = 0;
        const char *after = tmb_parse_integer(cases[i].text, cases[i].text + strlen(cases[i].text), &value);
        assert_int_equal(after ? after - cases[i].text : 0, cases[i].used);
        assert_true(value == cases[i].value);
    }
}

static size_t format(double value, char text[TMB_NUMBER_TEXT + 1])
{
    const size_t length = tmb_format_double(value, text);
    assert_in_range(length, 1, TMB_NUMBER_TEXT);
    text[length] = '\0';
    return length;
}

static void test_formatted_texts(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0.0, "0"},
                 {-0.0, "-0"},
                 {1, "1"},
                 {-1, "-1"},
                 {10, "10"},
                 {0.1, "0.1"},
                 {100.25, "100.25"},
                 {1e-5, "0.00001"},
                 {1e-6, "1e-6"},
                 {1.5e-7, "1.5e-7"},
                 {123456789, "123456789"},
                 {1e16, "10000000000000000"},
                 {1e17, "1e17"},
                 {1e22, "1e22"},
                 {1e23, "1e23"},
                 {5e-324, "5e-324"},
                 {DBL_MAX, "1.7976931348623157e308"},
                 {DBL_MIN, "2.2250738585072014e-308"},
                 {9007199254740993.0, "9007199254740992"},
                 {0.3, "0.3"},
                 {1.0 / 3, "0.3333333333333333"},
                 {2.0 / 3, "0.6666666666666666"},
                 {(double)0.1f, "0.10000000149011612"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[TMB_NUMBER_TEXT + 1];
        format(cases[i].value, text);
        assert_string_equal(text, cases[i].text);
    }
}

/* The digits from the first to the last that is not 0, terminated; returns how many there are. */
static int significant_digits(const char *text, char digits[40])
{
    int count = 0, used = 0;
    for (; *text && *text != 'e'; text++) {
        if ((*text > '0' && *text <= '9') || (*text == '0' && count)) {
            digits[count++] = *text;
            used = *text != '0' ? count : used;
        }
    }
    digits[used] = '\0';
    return used;
}

/* Reads back the same; no shorter number does; and of those with this length it is the one that the C library chooses,
 * which is the nearest. Where the interval of numbers that round to the value is lopsided, at a power of two, ours may
 * be shorter: the nearest number with so few digits may lie outside on the short side, and another one inside. */
static void check_format(double value)
{
    char text[TMB_NUMBER_TEXT + 1], shortest[40], digits[40], shortest_digits[40];
    const size_t length = format(value, text);
    double back;
    assert_ptr_equal(tmb_parse_double(text, text + length, &back), text + length);
    assert_true(to_bits(back) == to_bits(value) && to_bits(strtod(text, NULL)) == to_bits(value));
    for (int precision = 0; precision < 17; precision++) {
        sprintf(shortest, "%.*e", precision, value);
        if (strtod(shortest, NULL) == value) {
            break;
        }
    }
    const int ours = significant_digits(text, digits), least = significant_digits(shortest, shortest_digits);
    if (ours > least || (ours == least && strcmp(digits, shortest_digits) != 0)) {
        fail_msg("%a is written as %s, but should be %s", value, text, shortest);
    }
}

static void test_format(void **state)
{
    (void)state;
    test_random random = {2};
    for (size_t i = 0; i < test_count(50000); i++) {
        check_format(random_finite(&random));
        check_format(test_random_range(&random, -10, 10));
        check_format((double)(float)test_random_range(&random, -1000, 1000));
        check_format(test_random_whole(&random, -100000, 100000) / 1000.0);
        check_format((double)(test_random_bits(&random) >> test_random_whole(&random, 0, 63)));
    }
    for (int exponent = -1074; exponent < 1024; exponent++) {
        const double power = ldexp(1, exponent);
        check_format(power);
        check_format(test_step_ulps(power, 1));
        check_format(test_step_ulps(power, -1));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_powers),      cmocka_unit_test(test_texts),           cmocka_unit_test(test_prefixes),
        cmocka_unit_test(test_late_digits), cmocka_unit_test(test_random_texts),    cmocka_unit_test(test_guesses),
        cmocka_unit_test(test_integers),    cmocka_unit_test(test_formatted_texts), cmocka_unit_test(test_format),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

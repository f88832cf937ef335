/* Numbers in texts: the reader must agree with strtod to the last bit, the writer must write what reads back, and no
 * shorter text may do. */
#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "io/number.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int truth)
{
    if (!truth) {
        abort();
    }
}

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static int is_same(double a, double b)
{
    return bits_of(a) == bits_of(b) || (isnan(a) && isnan(b));
}

/* strtod also reads hexadecimal numbers, and leaves blanks out. */
static void check_read(const char *text, const char *end)
{
    char *after;
    double found;
    const char *stop = tmb_parse_double(text, end, &found);
    const double expected = strtod(text, &after);
    const char *digits = text + (*text == '-' || *text == '+');
    if (strchr(" \t\n\v\f\r", *text) || (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X'))) {
        return;
    }
    require((stop == NULL) == (after == text));
    if (stop) {
        require(is_same(found, expected) && (stop == after || isnan(found)));
    }
}

static void check_write(double value)
{
    char text[TMB_NUMBER_TEXT + 1];
    double again;
    const size_t length = tmb_format_double(value, text);
    require(length <= TMB_NUMBER_TEXT);
    text[length] = '\0';
    require(tmb_parse_double(text, text + length, &again) == text + length && is_same(again, value));
    require(is_same(strtod(text, NULL), value));
}

static void check_integer(const char *text, const char *end)
{
    int64_t found;
    char *after;
    const char *stop = tmb_parse_integer(text, end, &found);
    const long long expected = strtoll(text, &after, 10);
    if (!strchr(" \t\n\v\f\r", *text)) {
        require(stop ? stop == after && found == (expected < -INT64_MAX ? -INT64_MAX : expected) : after == text);
    }
}

/* The text at every place, and its last bytes as a double. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    double value;
    char *text = malloc(size + 1);
    require(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    if (size && !memchr(text, 0, size)) {
        check_read(text, text + size);
        check_integer(text, text + size);
    }
    if (size >= sizeof value) {
        memcpy(&value, data + size - sizeof value, sizeof value);
        if (isfinite(value)) {
            check_write(value);
        }
    }
    free(text);
    return 0;
}

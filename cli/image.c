/* PNG (ISO/IEC 15948) in memory. */
#include "image.h"

#include <stdlib.h>
#include <string.h>

#include "deflate.h"

enum {
    CHANNELS = 3,
    FILTER_LEFT = 1, /* three of the five filters of PNG */
    FILTER_UP = 2,
    FILTER_PAETH = 4
};

/* ---- rows ---- */

static int distance_to(int a, int b)
{
    return a > b ? a - b : b - a;
}

/* The one of left, above and corner that is closest to left + above - corner. */
static int paeth(int left, int above, int corner)
{
    const int guess = left + above - corner;
    const int to_left = distance_to(guess, left), to_above = distance_to(guess, above);
    const int to_corner = distance_to(guess, corner);
    return to_left <= to_above && to_left <= to_corner ? left : to_above <= to_corner ? above : corner;
}

/* A row as differences from what a filter expects of its neighbours: left, above, above left. `above` is NULL for the
 * first row. Returns how large they are in sum. */
static uint64_t filter_row(int filter, const uint8_t *row, const uint8_t *above, size_t size, uint8_t *out)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < size; i++) {
        const int left = i >= CHANNELS ? row[i - CHANNELS] : 0, up = above ? above[i] : 0;
        const int corner = i >= CHANNELS && above ? above[i - CHANNELS] : 0;
        const int expected = filter == FILTER_LEFT ? left : filter == FILTER_UP ? up : paeth(left, up, corner);
        out[i] = (uint8_t)(row[i] - expected);
        sum += out[i] < 128 ? out[i] : 256u - out[i];
    }
    return sum;
}

/* Picks the filter with the smallest residual. A row equal to the one above needs no trial. */
static void filter_best(const uint8_t *row, const uint8_t *above, size_t size, uint8_t *out, uint8_t *trial)
{
    uint64_t least = UINT64_MAX;
    if (above && memcmp(row, above, size) == 0) {
        out[0] = FILTER_UP;
        memset(out + 1, 0, size);
        return;
    }
    for (int filter = FILTER_LEFT; filter <= FILTER_PAETH; filter += filter) {
        const uint64_t sum = filter_row(filter, row, above, size, trial);
        if (sum < least) {
            least = sum;
            out[0] = (uint8_t)filter;
            memcpy(out + 1, trial, size);
        }
    }
}

/* The rows, each after the number of its filter. */
static uint8_t *filter_image(const cli_image *image)
{
    const size_t size = (size_t)CHANNELS * image->width;
    uint8_t *filtered = malloc(image->height * (size + 1) + 1), *trial = malloc(size + 1);
    for (uint32_t y = 0; y < image->height && filtered && trial; y++) {
        const uint8_t *row = image->pixels + y * size, *above = y ? row - size : NULL;
        filter_best(row, above, size, filtered + y * (size + 1), trial);
    }
    free(trial);
    return filtered;
}

/* ---- base 64 ---- */

typedef struct base64 {
    FILE *file;
    uint32_t bits;
    unsigned count; /* pending bytes */
    uint32_t check; /* of the chunk */
} base64;

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void put(base64 *b, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        b->check ^= bytes[i];
        for (int k = 0; k < 8; k++) {
            b->check = b->check >> 1 ^ (b->check & 1 ? 0xedb88320u : 0);
        }
        b->bits = b->bits << 8 | bytes[i];
        if (++b->count == 3) {
            for (int shift = 18; shift >= 0; shift -= 6) {
                fputc(digits[b->bits >> shift & 63], b->file);
            }
            b->bits = b->count = 0;
        }
    }
}

static void finish(base64 *b)
{
    if (b->count) {
        const uint32_t bits = b->bits << (8 * (3 - b->count));
        for (unsigned i = 0; i < 4; i++) {
            fputc(i <= b->count ? digits[bits >> (18 - 6 * i) & 63] : '=', b->file);
        }
    }
}

/* ---- chunks ---- */

static void to_bytes(uint32_t number, uint8_t out[4])
{
    for (int i = 0; i < 4; i++) {
        out[i] = (uint8_t)(number >> (24 - 8 * i));
    }
}

static void put_chunk(base64 *b, const char *type, const uint8_t *bytes, size_t size)
{
    uint8_t number[4];
    to_bytes((uint32_t)size, number);
    put(b, number, 4);
    b->check = UINT32_MAX;
    put(b, (const uint8_t *)type, 4);
    put(b, bytes, size);
    to_bytes(~b->check, number);
    put(b, number, 4);
}

int cli_image_write_base64(FILE *file, const cli_image *image)
{
    static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    uint8_t head[13] = {[8] = 8, [9] = 2}; /* eight bits per channel, RGB */
    to_bytes(image->width, head);
    to_bytes(image->height, head + 4);
    uint8_t *filtered = filter_image(image);
    size_t size = 0;
    uint8_t *compressed =
        filtered ? cli_deflate(filtered, image->height * ((size_t)CHANNELS * image->width + 1), &size) : NULL;
    if (compressed) {
        base64 b = {.file = file};
        put(&b, signature, sizeof signature);
        put_chunk(&b, "IHDR", head, sizeof head);
        put_chunk(&b, "IDAT", compressed, size);
        put_chunk(&b, "IEND", NULL, 0);
        finish(&b);
    }
    free(filtered);
    free(compressed);
    return compressed != NULL;
}

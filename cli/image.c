/* PNG (ISO/IEC 15948) in memory. */
#include "image.h"

#include <stdlib.h>
#include <string.h>

#include "base64.h"
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

/* ---- chunks ---- */

typedef struct sink {
    uint8_t *bytes;
    size_t size;
} sink;

static void put(sink *s, const void *bytes, size_t size)
{
    if (size > 0) {
        memcpy(s->bytes + s->size, bytes, size);
        s->size += size;
    }
}

static void put_number(sink *s, uint32_t number)
{
    for (int i = 0; i < 4; i++) {
        s->bytes[s->size++] = (uint8_t)(number >> (24 - 8 * i));
    }
}

/* The check of ISO 3309. */
static uint32_t check_of(const uint8_t *bytes, size_t size)
{
    uint32_t check = UINT32_MAX;
    for (size_t i = 0; i < size; i++) {
        check ^= bytes[i];
        for (int k = 0; k < 8; k++) {
            check = check >> 1 ^ (check & 1 ? 0xedb88320u : 0);
        }
    }
    return ~check;
}

static void put_chunk(sink *s, const char *type, const void *bytes, size_t size)
{
    put_number(s, (uint32_t)size);
    const size_t start = s->size;
    put(s, type, 4);
    put(s, bytes, size);
    put_number(s, check_of(s->bytes + start, s->size - start));
}

uint8_t *cli_image_png(const cli_image *image, size_t *size)
{
    static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    static const uint8_t kind[5] = {8, 2}; /* eight bits per channel, RGB */
    uint8_t *filtered = filter_image(image);
    size_t packed_size = 0;
    uint8_t *packed =
        filtered ? cli_deflate(filtered, image->height * ((size_t)CHANNELS * image->width + 1), &packed_size) : NULL;
    sink head = {.bytes = (uint8_t[13]){0}}, out = {.bytes = packed ? malloc(packed_size + 100) : NULL};
    if (out.bytes) {
        put_number(&head, image->width);
        put_number(&head, image->height);
        put(&head, kind, sizeof kind);
        put(&out, signature, sizeof signature);
        put_chunk(&out, "IHDR", head.bytes, head.size);
        put_chunk(&out, "IDAT", packed, packed_size);
        put_chunk(&out, "IEND", NULL, 0);
    }
    free(filtered);
    free(packed);
    *size = out.size;
    return out.bytes;
}

int cli_image_write_base64(FILE *file, const cli_image *image)
{
    size_t size;
    uint8_t *png = cli_image_png(image, &size);
    const int written = png != NULL;
    if (png) {
        base64_stream stream = {.file = file};
        base64_put(&stream, png, size);
        base64_finish(&stream);
    }
    free(png);
    return written;
}

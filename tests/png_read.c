/* Reading PNG images. */
#include "png_read.h"

#include <stdlib.h>
#include <string.h>

#include "support.h"
#include "zip_text.h"

static uint32_t adler32(const uint8_t *bytes, size_t size)
{
    uint32_t low = 1, high = 0;
    for (size_t i = 0; i < size; i++) {
        low = (low + bytes[i]) % 65521;
        high = (high + low) % 65521;
    }
    return high << 16 | low;
}

static uint32_t number_at(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

void inflate_bytes(const uint8_t *bytes, size_t count, uint8_t *out, size_t size)
{
    assert_true(count > 6);
    assert_int_equal(bytes[0] & 15, 8);
    assert_int_equal((bytes[0] * 256 + bytes[1]) % 31, 0);
    uint8_t *room = malloc(size + 1); /* to see whether there is more */
    assert_int_equal(cli_inflate(bytes + 2, count - 6, room, size + 1), size);
    memcpy(out, room, size);
    free(room);
    assert_int_equal(number_at(bytes + count - 4), adler32(out, size));
}

/* ---- PNG ---- */

static uint32_t crc32_of(const uint8_t *bytes, size_t size)
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

static int expected_byte(int filter, int left, int up, int corner)
{
    const int guess = left + up - corner;
    const int to_left = abs(guess - left), to_up = abs(guess - up), to_corner = abs(guess - corner);
    switch (filter) {
    case 0: return 0;
    case 1: return left;
    case 2: return up;
    case 3: return (left + up) / 2;
    default: return to_left <= to_up && to_left <= to_corner ? left : to_up <= to_corner ? up : corner;
    }
}

static void undo_filters(png_image *image, const uint8_t *filtered)
{
    const size_t channels = image->channels, row_size = channels * image->width;
    for (uint32_t y = 0; y < image->height; y++) {
        const uint8_t *from = filtered + y * (row_size + 1);
        uint8_t *row = image->pixels + y * row_size;
        assert_true(from[0] < 5);
        for (size_t i = 0; i < row_size; i++) {
            const int left = i >= channels ? row[i - channels] : 0, up = y ? row[i - row_size] : 0;
            const int corner = i >= channels && y ? row[i - row_size - channels] : 0;
            row[i] = (uint8_t)(from[i + 1] + expected_byte(from[0], left, up, corner));
        }
    }
}

static void read_head(png_image *image, const uint8_t *data)
{
    image->width = number_at(data);
    image->height = number_at(data + 4);
    assert_int_equal(data[8], 8);
    assert_true(data[9] == 2 || data[9] == 6);
    assert_int_equal(data[12], 0);
    image->channels = data[9] == 2 ? 3 : 4;
}

png_image png_read(const uint8_t *bytes, size_t size)
{
    assert_true(size > 8 && memcmp(bytes, "\x89PNG\r\n\x1a\n", 8) == 0);
    png_image image = {0};
    uint8_t *packed = malloc(size);
    size_t packed_size = 0;
    for (size_t place = 8; place < size;) {
        assert_true(place + 12 <= size && number_at(bytes + place) <= size - place - 12);
        const size_t length = number_at(bytes + place);
        const uint8_t *data = bytes + place + 8;
        assert_int_equal(number_at(data + length), crc32_of(data - 4, length + 4));
        if (memcmp(data - 4, "IHDR", 4) == 0) {
            read_head(&image, data);
        } else if (memcmp(data - 4, "IDAT", 4) == 0) {
            memcpy(packed + packed_size, data, length);
            packed_size += length;
        }
        place += length + 12;
    }
    const size_t row_size = (size_t)image.channels * image.width;
    uint8_t *filtered = malloc(image.height * (row_size + 1));
    inflate_bytes(packed, packed_size, filtered, image.height * (row_size + 1));
    image.pixels = malloc(image.height * row_size);
    undo_filters(&image, filtered);
    free(filtered);
    free(packed);
    return image;
}

/* ---- base 64 ---- */

static int digit_value(char digit)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *found = digit ? strchr(digits, digit) : NULL;
    return found ? (int)(found - digits) : -1;
}

png_image png_read_from_svg(const char *svg, size_t number)
{
    static const char start[] = "data:image/png;base64,";
    const char *text = strstr(svg, start);
    for (; number && text; number--) {
        text = strstr(text + 1, start);
    }
    assert_non_null(text);
    text += strlen(start);
    const size_t length = strcspn(text, "\"");
    assert_int_equal(length % 4, 0);
    uint8_t *bytes = malloc(length);
    size_t size = 0;
    uint32_t bits = 0;
    for (size_t i = 0; i < length && text[i] != '='; i++) {
        assert_true(digit_value(text[i]) >= 0);
        bits = bits << 6 | (uint32_t)digit_value(text[i]);
        if (i % 4) {
            bytes[size++] = (uint8_t)(bits >> (6 - 2 * (i % 4)));
        }
    }
    const png_image image = png_read(bytes, size);
    free(bytes);
    return image;
}

uint32_t png_pixel(const png_image *image, uint32_t x, uint32_t y)
{
    assert_true(x < image->width && y < image->height);
    const uint8_t *p = image->pixels + ((size_t)y * image->width + x) * image->channels;
    return (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
}

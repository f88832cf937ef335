/* Reading PNG images. */
#include "png_read.h"

#include <stdlib.h>
#include <string.h>

#include "support.h"

/* ---- inflate (RFC 1951) ---- */

typedef struct bit_reader {
    const uint8_t *bytes;
    size_t count, place;
    uint32_t hold;
    unsigned held;
} bit_reader;

static uint32_t take_bits(bit_reader *r, unsigned count)
{
    while (r->held < count) {
        assert_true(r->place < r->count);
        r->hold |= (uint32_t)r->bytes[r->place++] << r->held;
        r->held += 8;
    }
    const uint32_t bits = r->hold & ((1u << count) - 1);
    r->hold >>= count;
    r->held -= count;
    return bits;
}

/* How many codes there are of each length, and their symbols in order. */
typedef struct huffman {
    uint16_t counts[16], symbols[320];
} huffman;

static void make_huffman(huffman *h, const uint8_t *lengths, unsigned count)
{
    memset(h, 0, sizeof *h);
    unsigned next = 0;
    for (unsigned length = 1; length < 16; length++) {
        for (unsigned i = 0; i < count; i++) {
            if (lengths[i] == length) {
                h->counts[length]++;
                h->symbols[next++] = (uint16_t)i;
            }
        }
    }
    int left = 1;
    for (unsigned length = 1; length < 16; length++) {
        left = 2 * left - h->counts[length];
        assert_true(left >= 0); /* more codes than there are */
    }
}

static unsigned take_symbol(bit_reader *r, const huffman *h)
{
    int code = 0, first = 0, index = 0;
    for (unsigned length = 1; length < 16; length++) {
        code |= (int)take_bits(r, 1);
        const int count = h->counts[length];
        if (code - count < first) {
            return h->symbols[index + (code - first)];
        }
        index += count;
        first = (first + count) << 1;
        code <<= 1;
    }
    fail_msg("a code that stands for nothing");
    return 0;
}

static void read_fixed(huffman codes[2])
{
    uint8_t lengths[320];
    for (unsigned i = 0; i < 288; i++) {
        lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    }
    make_huffman(&codes[0], lengths, 288);
    memset(lengths, 5, 30);
    make_huffman(&codes[1], lengths, 30);
}

static void read_dynamic(bit_reader *r, huffman codes[2])
{
    static const uint8_t order[19] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    uint8_t lengths[320] = {0};
    const unsigned lengths_count = take_bits(r, 5) + 257, distance_count = take_bits(r, 5) + 1;
    const unsigned order_count = take_bits(r, 4) + 4;
    for (unsigned i = 0; i < order_count; i++) {
        lengths[order[i]] = (uint8_t)take_bits(r, 3);
    }
    huffman orders;
    make_huffman(&orders, lengths, 19);
    for (unsigned i = 0; i < lengths_count + distance_count;) {
        const unsigned symbol = take_symbol(r, &orders);
        const uint8_t last = symbol == 16 ? lengths[i - 1] : 0;
        unsigned repeat = symbol < 16    ? 1
                          : symbol == 16 ? 3 + take_bits(r, 2)
                          : symbol == 17 ? 3 + take_bits(r, 3)
                                         : 11 + take_bits(r, 7);
        assert_true(i + repeat <= lengths_count + distance_count);
        for (; repeat; repeat--) {
            lengths[i++] = symbol < 16 ? (uint8_t)symbol : last;
        }
    }
    make_huffman(&codes[0], lengths, lengths_count);
    make_huffman(&codes[1], lengths + lengths_count, distance_count);
}

static size_t copy_block(bit_reader *r, const huffman codes[2], uint8_t *out, size_t place, size_t size)
{
    for (;;) {
        const unsigned symbol = take_symbol(r, &codes[0]);
        if (symbol == 256) {
            return place;
        }
        if (symbol < 256) {
            assert_true(place < size);
            out[place++] = (uint8_t)symbol;
            continue;
        }
        const unsigned length_bits = symbol < 265 || symbol == 285 ? 0 : (symbol - 261) / 4;
        const unsigned base = symbol == 285  ? 258
                              : symbol < 265 ? symbol - 254
                                             : (((symbol - 261) % 4 + 4) << length_bits) + 3;
        const unsigned length = base + take_bits(r, length_bits);
        const unsigned code = take_symbol(r, &codes[1]), distance_bits = code < 4 ? 0 : code / 2 - 1;
        const unsigned far =
            (code < 4 ? code + 1 : ((code % 2 + 2) << distance_bits) + 1) + take_bits(r, distance_bits);
        assert_true(far <= place && place + length <= size);
        for (unsigned i = 0; i < length; i++, place++) {
            out[place] = out[place - far];
        }
    }
}

static size_t copy_stored(bit_reader *r, uint8_t *out, size_t place, size_t size)
{
    take_bits(r, r->held % 8);
    const uint32_t length = take_bits(r, 16);
    assert_int_equal(take_bits(r, 16), length ^ 0xffff);
    assert_true(place + length <= size);
    for (uint32_t i = 0; i < length; i++) {
        out[place++] = (uint8_t)take_bits(r, 8);
    }
    return place;
}

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
    bit_reader r = {.bytes = bytes, .count = count - 4, .place = 2};
    size_t place = 0;
    for (uint32_t last = 0; !last;) {
        last = take_bits(&r, 1);
        const uint32_t kind = take_bits(&r, 2);
        huffman codes[2];
        assert_true(kind < 3);
        if (kind == 0) {
            place = copy_stored(&r, out, place, size);
            continue;
        }
        if (kind == 1) {
            read_fixed(codes);
        } else {
            read_dynamic(&r, codes);
        }
        place = copy_block(&r, codes, out, place, size);
    }
    assert_int_equal(place, size);
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

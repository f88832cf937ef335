/* Bytes as text, in base 64. */
#include "base64.h"

#include <string.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void base64_put(base64_stream *stream, const void *bytes, size_t size)
{
    const uint8_t *next = bytes;
    for (size_t i = 0; i < size; i++) {
        stream->bits = stream->bits << 8 | next[i];
        if (++stream->count == 3) {
            const uint32_t bits = stream->bits;
            const char four[4] = {digits[bits >> 18 & 63], digits[bits >> 12 & 63], digits[bits >> 6 & 63],
                                  digits[bits & 63]};
            fwrite(four, 1, 4, stream->file);
            stream->bits = stream->count = 0;
        }
    }
}

void base64_finish(base64_stream *stream)
{
    if (stream->count) {
        const uint32_t bits = stream->bits << (8 * (3 - stream->count));
        for (unsigned i = 0; i < 4; i++) {
            fputc(i <= stream->count ? digits[bits >> (18 - 6 * i) & 63] : '=', stream->file);
        }
    }
    stream->bits = stream->count = 0;
}

static void put_number(base64_stream *stream, uint64_t bits, int size)
{
    uint8_t bytes[8];
    for (int i = 0; i < size; i++) {
        bytes[i] = (uint8_t)(bits >> (8 * i));
    }
    base64_put(stream, bytes, (size_t)size);
}

void base64_put_u32(base64_stream *stream, uint32_t number)
{
    put_number(stream, number, 4);
}

void base64_put_float(base64_stream *stream, float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    put_number(stream, bits, 4);
}

void base64_put_double(base64_stream *stream, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    put_number(stream, bits, 8);
}

/* Bytes as text, in base 64 (RFC 4648). */
#ifndef TUMBLE_CLI_BASE64_H
#define TUMBLE_CLI_BASE64_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Start with {file}. */
typedef struct base64_stream {
    FILE *file;
    uint32_t bits;
    unsigned count; /* pending bytes */
} base64_stream;

void base64_put(base64_stream *stream, const void *bytes, size_t size);
void base64_finish(base64_stream *stream);

/* Numbers as little-endian bytes, whatever the machine. */
void base64_put_u32(base64_stream *stream, uint32_t number);
void base64_put_float(base64_stream *stream, float number);
void base64_put_double(base64_stream *stream, double number);

#endif

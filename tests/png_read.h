/* Reading PNG images, for tests of pictures: eight bits per channel, RGB or RGBA, not interlaced. */
#ifndef TUMBLE_TESTS_PNG_READ_H
#define TUMBLE_TESTS_PNG_READ_H

#include <stddef.h>
#include <stdint.h>

typedef struct png_image {
    uint32_t width, height, channels;
    uint8_t *pixels; /* to be freed */
} png_image;

/* Everything fails the test that is wrong with the bytes. */
png_image png_read(const uint8_t *bytes, size_t size);

/* The image of this number in an SVG, from its data. */
png_image png_read_from_svg(const char *svg, size_t number);

/* 0xRRGGBB. */
uint32_t png_pixel(const png_image *image, uint32_t x, uint32_t y);

/* Expands the format of RFC 1950; fails the test when the bytes are wrong or are not `size` in the end. */
void inflate_bytes(const uint8_t *bytes, size_t count, uint8_t *out, size_t size);

#endif

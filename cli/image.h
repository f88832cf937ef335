/* Pixels, and PNG files of them in memory. */
#ifndef TUMBLE_CLI_IMAGE_H
#define TUMBLE_CLI_IMAGE_H

#include <stdint.h>
#include <stdio.h>

typedef struct cli_image {
    uint32_t width, height;
    uint8_t *pixels; /* red, green, blue; row by row from the top */
} cli_image;

/* The image as a PNG file, to be freed; NULL if memory runs out. */
uint8_t *cli_image_png(const cli_image *image, size_t *size);

/* Writes the image as PNG in base 64: what follows "data:image/png;base64," in SVG. 0 if memory runs out. */
int cli_image_write_base64(FILE *file, const cli_image *image);

#endif

/* Lossless compression: the format of RFC 1951 in the wrapping of RFC 1950 ("zlib"), as PNG wants it. */
#ifndef TUMBLE_CLI_DEFLATE_H
#define TUMBLE_CLI_DEFLATE_H

#include <stddef.h>
#include <stdint.h>

/* The compressed bytes, to be freed; NULL if memory runs out. */
uint8_t *cli_deflate(const uint8_t *bytes, size_t size, size_t *compressed_size);

#endif

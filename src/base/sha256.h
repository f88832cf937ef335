/* SHA-256 (FIPS 180-4): for names that must be the same in every run and on every machine, and for telling that two
 * pieces of data are equal without keeping both. */
#ifndef TUMBLE_SRC_BASE_SHA256_H
#define TUMBLE_SRC_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define TMB_SHA256_BYTES 32

typedef struct tmb_sha256 {
    uint32_t state[8];
    uint64_t length; /* bytes so far */
    unsigned char block[64];
} tmb_sha256;

void tmb_sha256_begin(tmb_sha256 *hash);
void tmb_sha256_add(tmb_sha256 *hash, const void *data, size_t size);
void tmb_sha256_end(tmb_sha256 *hash, unsigned char out[TMB_SHA256_BYTES]);

/* A text with the 0 that ends it, so that texts one after the other cannot be cut in another way. */
void tmb_sha256_add_text(tmb_sha256 *hash, const char *text);

/* The first 16 bytes of the hash as 32 hexadecimal digits and a 0. */
void tmb_sha256_end_text(tmb_sha256 *hash, char out[33]);

#endif

/* SHA-256, as FIPS 180-4 has it. */
#include "base/sha256.h"

#include <string.h>

static const uint32_t round_words[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turn(uint32_t word, int count)
{
    return word >> count | word << (32 - count);
}

static void expand(const unsigned char *block, uint32_t w[64])
{
    for (int i = 0; i < 16; i++) {
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 |
               block[4 * i + 3];
    }
    for (int i = 16; i < 64; i++) {
        const uint32_t s0 = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ w[i - 15] >> 3;
        const uint32_t s1 = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
}

static void take_block(tmb_sha256 *hash, const unsigned char *block)
{
    uint32_t w[64], v[8];
    expand(block, w);
    memcpy(v, hash->state, sizeof v);
    for (int i = 0; i < 64; i++) {
        const uint32_t s1 = turn(v[4], 6) ^ turn(v[4], 11) ^ turn(v[4], 25);
        const uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
        const uint32_t t1 = v[7] + s1 + choice + round_words[i] + w[i];
        const uint32_t s0 = turn(v[0], 2) ^ turn(v[0], 13) ^ turn(v[0], 22);
        const uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += t1;
        v[0] = t1 + s0 + majority;
    }
    for (int i = 0; i < 8; i++) {
        hash->state[i] += v[i];
    }
}

void tmb_sha256_begin(tmb_sha256 *hash)
{
    static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memset(hash, 0, sizeof *hash);
    memcpy(hash->state, start, sizeof start);
}

void tmb_sha256_add(tmb_sha256 *hash, const void *data, size_t size)
{
    const unsigned char *at = data;
    while (size > 0) {
        const size_t used = hash->length % 64, room = 64 - used, some = size < room ? size : room;
        if (some == 64) {
            take_block(hash, at);
        } else {
            memcpy(hash->block + used, at, some);
        }
        hash->length += some;
        at += some;
        size -= some;
        if (some < 64 && used + some == 64) {
            take_block(hash, hash->block);
        }
    }
}

void tmb_sha256_end(tmb_sha256 *hash, unsigned char out[TMB_SHA256_BYTES])
{
    static const unsigned char padding[64] = {0x80};
    const uint64_t bits = hash->length * 8;
    const size_t used = hash->length % 64;
    unsigned char length[8];
    for (int i = 0; i < 8; i++) {
        length[i] = (unsigned char)(bits >> (56 - 8 * i));
    }
    tmb_sha256_add(hash, padding, used < 56 ? 56 - used : 120 - used);
    tmb_sha256_add(hash, length, sizeof length);
    for (int i = 0; i < TMB_SHA256_BYTES; i++) {
        out[i] = (unsigned char)(hash->state[i / 4] >> (24 - 8 * (i % 4)));
    }
}

void tmb_sha256_add_text(tmb_sha256 *hash, const char *text)
{
    tmb_sha256_add(hash, text, strlen(text) + 1);
}

void tmb_sha256_end_text(tmb_sha256 *hash, char out[33])
{
    static const char digits[] = "0123456789abcdef";
    unsigned char bytes[TMB_SHA256_BYTES];
    tmb_sha256_end(hash, bytes);
    for (int i = 0; i < 16; i++) {
        out[2 * i] = digits[bytes[i] >> 4];
        out[2 * i + 1] = digits[bytes[i] & 15];
    }
    out[32] = '\0';
}

/* Ids of clashes: the same in every run. */
#include <string.h>

#include "clash/clashes.h"

void tmb_clash_identify(const char *rule, const char *key_a, const char *key_b, uint32_t ordinal, char out[33])
{
    const int is_swapped = strcmp(key_a, key_b) > 0;
    const unsigned char number[4] = {(unsigned char)ordinal, (unsigned char)(ordinal >> 8),
                                     (unsigned char)(ordinal >> 16), (unsigned char)(ordinal >> 24)};
    tmb_sha256 hash;
    tmb_sha256_begin(&hash);
    tmb_sha256_add_text(&hash, "tumble clash");
    tmb_sha256_add_text(&hash, rule);
    tmb_sha256_add_text(&hash, is_swapped ? key_b : key_a);
    tmb_sha256_add_text(&hash, is_swapped ? key_a : key_b);
    tmb_sha256_add(&hash, number, sizeof number);
    tmb_sha256_end_text(&hash, out);
}

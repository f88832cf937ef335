/* Lossless compression: repeated strings by hash chains, then a Huffman code for each block (RFC 1951). */
#include "deflate.h"

#include <stdlib.h>
#include <string.h>

enum {
    WINDOW = 32768, /* how far back a repetition may lie */
    SHORTEST = 3,   /* repetition */
    LONGEST = 258,
    ENTERED = 16, /* places at either end of a repetition that others may refer to */
    CHAIN = 32,   /* places that are tried for a repetition */
    HASH_BITS = 15,
    BLOCK = 1 << 15, /* tokens */
    END = 256,       /* the symbol that ends a block */
    LENGTHS = 286,   /* symbols: bytes, the end, lengths of repetitions */
    DISTANCES = 30,
    ORDERS = 19 /* symbols that tell the lengths of codes */
};

/* ---- bits ---- */

typedef struct bit_writer {
    uint8_t *bytes;
    size_t count, capacity;
    uint64_t hold;
    unsigned held;
    int failed;
} bit_writer;

static void put_byte(bit_writer *w, uint8_t byte)
{
    if (w->count == w->capacity) {
        const size_t wanted = w->capacity ? 2 * w->capacity : 65536;
        uint8_t *grown = realloc(w->bytes, wanted);
        if (!grown) {
            w->failed = 1;
            return;
        }
        w->bytes = grown;
        w->capacity = wanted;
    }
    w->bytes[w->count++] = byte;
}

/* The lowest bit first. */
static void put_bits(bit_writer *w, uint32_t bits, unsigned count)
{
    w->hold |= (uint64_t)bits << w->held;
    for (w->held += count; w->held >= 8; w->held -= 8, w->hold >>= 8) {
        put_byte(w, (uint8_t)w->hold);
    }
}

/* ---- Huffman codes ---- */

typedef struct code {
    uint32_t count;
    uint32_t frequencies[LENGTHS];
    uint8_t lengths[LENGTHS];
    uint16_t bits[LENGTHS]; /* the highest bit of the code is the lowest here */
} code;

/* Joins the two rarest groups until one is left; every symbol of a joined group gets a bit longer. Returns the longest.
 */
static unsigned find_lengths(code *c, const uint32_t *weights)
{
    uint32_t weight[LENGTHS], group[LENGTHS], used = 0;
    unsigned longest = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        weight[i] = weights[i];
        group[i] = i;
        used += weights[i] > 0;
        c->lengths[i] = 0;
    }
    for (; used > 1; used--) {
        uint32_t least[2] = {LENGTHS, LENGTHS};
        for (uint32_t i = 0; i < c->count; i++) {
            if (weight[i] && (least[0] == LENGTHS || weight[i] < weight[least[0]])) {
                least[1] = least[0];
                least[0] = i;
            } else if (weight[i] && (least[1] == LENGTHS || weight[i] < weight[least[1]])) {
                least[1] = i;
            }
        }
        weight[least[0]] += weight[least[1]];
        weight[least[1]] = 0;
        for (uint32_t i = 0; i < c->count; i++) {
            if (weights[i] && (group[i] == least[0] || group[i] == least[1])) {
                group[i] = least[0];
                c->lengths[i]++;
                longest = c->lengths[i] > longest ? c->lengths[i] : longest;
            }
        }
    }
    return longest;
}

/* Codes of equal length follow each other. */
static void number_codes(code *c)
{
    uint32_t next = 0;
    for (unsigned length = 1; length <= 15; length++, next <<= 1) {
        for (uint32_t i = 0; i < c->count; i++) {
            if (c->lengths[i] == length) {
                uint32_t turned = 0;
                for (unsigned k = 0; k < length; k++) {
                    turned |= (next >> k & 1) << (length - 1 - k);
                }
                c->bits[i] = (uint16_t)turned;
                next++;
            }
        }
    }
}

/* Limits code lengths to `most` by levelling the frequencies until they fit. */
static void make_code(code *c, unsigned most)
{
    uint32_t weights[LENGTHS], used = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        used += c->frequencies[i] > 0;
    }
    for (uint32_t i = 0; i < c->count && used < 2; i++) { /* a code has two symbols or more */
        if (!c->frequencies[i]) {
            c->frequencies[i] = 1;
            used++;
        }
    }
    memcpy(weights, c->frequencies, sizeof weights);
    while (find_lengths(c, weights) > most) {
        for (uint32_t i = 0; i < c->count; i++) {
            weights[i] = weights[i] ? weights[i] / 2 + 1 : 0;
        }
    }
    number_codes(c);
}

static void put_symbol(bit_writer *w, const code *c, uint32_t symbol)
{
    put_bits(w, c->bits[symbol], c->lengths[symbol]);
}

/* ---- tokens ---- */

/* A literal byte (distance 0), or a match: `length` bytes from `distance` back. */
typedef struct token {
    uint16_t length, distance;
} token;

/* A length or distance as a symbol plus extra bits. */
typedef struct extended {
    uint32_t symbol, bits;
    unsigned count;
} extended;

static extended length_symbol(uint32_t length)
{
    if (length == LONGEST) {
        return (extended){LENGTHS - 1, 0, 0};
    }
    uint32_t value = length - SHORTEST;
    unsigned count = 0;
    while (value >> count >= 8) {
        count++;
    }
    return (extended){END + 1 + 4 * count + (value >> count), value & ((1u << count) - 1), count};
}

static extended distance_symbol(uint32_t distance)
{
    const uint32_t value = distance - 1;
    unsigned count = 0;
    while (value >> count >= 4) {
        count++;
    }
    return (extended){2 * count + (value >> count), value & ((1u << count) - 1), count};
}

typedef struct block {
    token tokens[BLOCK];
    uint32_t count;
    code lengths, distances, orders;
} block;

static void count_symbols(block *b)
{
    memset(&b->lengths, 0, sizeof b->lengths);
    memset(&b->distances, 0, sizeof b->distances);
    b->lengths.count = LENGTHS;
    b->distances.count = DISTANCES;
    for (uint32_t i = 0; i < b->count; i++) {
        const token *t = &b->tokens[i];
        if (t->distance) {
            b->lengths.frequencies[length_symbol(t->length).symbol]++;
            b->distances.frequencies[distance_symbol(t->distance).symbol]++;
        } else {
            b->lengths.frequencies[t->length]++;
        }
    }
    b->lengths.frequencies[END]++;
    make_code(&b->lengths, 15);
    make_code(&b->distances, 15);
}

/* The lengths of both codes, each as a symbol of a third code. */
static void put_codes(bit_writer *w, block *b)
{
    static const uint8_t order[ORDERS] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    const code *codes[2] = {&b->lengths, &b->distances};
    memset(&b->orders, 0, sizeof b->orders);
    b->orders.count = ORDERS;
    for (int k = 0; k < 2; k++) {
        for (uint32_t i = 0; i < codes[k]->count; i++) {
            b->orders.frequencies[codes[k]->lengths[i]]++;
        }
    }
    make_code(&b->orders, 7);
    put_bits(w, LENGTHS - 257, 5);
    put_bits(w, DISTANCES - 1, 5);
    put_bits(w, ORDERS - 4, 4);
    for (int i = 0; i < ORDERS; i++) {
        put_bits(w, b->orders.lengths[order[i]], 3);
    }
    for (int k = 0; k < 2; k++) {
        for (uint32_t i = 0; i < codes[k]->count; i++) {
            put_symbol(w, &b->orders, codes[k]->lengths[i]);
        }
    }
}

static void put_token(bit_writer *w, const block *b, const token *t)
{
    if (!t->distance) {
        put_symbol(w, &b->lengths, t->length);
        return;
    }
    const extended length = length_symbol(t->length), distance = distance_symbol(t->distance);
    put_symbol(w, &b->lengths, length.symbol);
    put_bits(w, length.bits, length.count);
    put_symbol(w, &b->distances, distance.symbol);
    put_bits(w, distance.bits, distance.count);
}

static void put_block(bit_writer *w, block *b, int last)
{
    count_symbols(b);
    put_bits(w, last ? 1 : 0, 1);
    put_bits(w, 2, 2);
    put_codes(w, b);
    for (uint32_t i = 0; i < b->count; i++) {
        put_token(w, b, &b->tokens[i]);
    }
    put_symbol(w, &b->lengths, END);
    b->count = 0;
}

/* ---- repetitions ---- */

typedef struct finder {
    const uint8_t *bytes;
    size_t size;
    size_t first[1 << HASH_BITS]; /* the last place with a hash, plus one */
    size_t before[WINDOW];        /* the place before it with the same hash, plus one; by place modulo the window */
} finder;

static uint32_t hash_at(const finder *f, size_t place)
{
    const uint32_t three = f->bytes[place] | (uint32_t)f->bytes[place + 1] << 8 | (uint32_t)f->bytes[place + 2] << 16;
    return three * 2654435761u >> (32 - HASH_BITS);
}

static void enter(finder *f, size_t place)
{
    if (place + SHORTEST <= f->size) {
        const uint32_t hash = hash_at(f, place);
        f->before[place % WINDOW] = f->first[hash];
        f->first[hash] = place + 1;
    }
}

static uint32_t common(const finder *f, size_t a, size_t b)
{
    const size_t most = f->size - b < LONGEST ? f->size - b : LONGEST;
    uint32_t length = 0;
    while (length < most && f->bytes[a + length] == f->bytes[b + length]) {
        length++;
    }
    return length;
}

static token find(const finder *f, size_t place)
{
    token best = {f->bytes[place], 0};
    if (place + SHORTEST > f->size) {
        return best;
    }
    uint32_t longest = SHORTEST - 1;
    size_t from = f->first[hash_at(f, place)];
    for (int i = 0; i < CHAIN && from && place - (from - 1) < WINDOW && longest < LONGEST; i++) {
        const uint32_t length = common(f, from - 1, place);
        if (length > longest) {
            longest = length;
            best = (token){(uint16_t)length, (uint16_t)(place - (from - 1))};
        }
        from = f->before[(from - 1) % WINDOW];
    }
    return best;
}

static void compress(bit_writer *w, finder *f, block *b)
{
    for (size_t place = 0; place < f->size;) {
        const token t = find(f, place);
        const size_t length = t.distance ? t.length : 1;
        for (size_t i = 0; i < length; i++) {
            i = i == ENTERED && length > 2 * ENTERED ? length - ENTERED
                                                     : i; /* the middle of a long match adds little */
            enter(f, place + i);
        }
        place += length;
        b->tokens[b->count++] = t;
        if (b->count == BLOCK) {
            put_block(w, b, 0);
        }
    }
    put_block(w, b, 1);
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

uint8_t *cli_deflate(const uint8_t *bytes, size_t size, size_t *compressed_size)
{
    bit_writer w = {.bytes = NULL};
    finder *f = calloc(1, sizeof *f);
    block *b = calloc(1, sizeof *b);
    w.failed = !f || !b;
    if (!w.failed) {
        f->bytes = bytes;
        f->size = size;
        put_bits(&w, 0x9c78, 16); /* deflate, a window of 32 KiB */
        compress(&w, f, b);
        put_bits(&w, 0, (8 - w.held) % 8);
        const uint32_t sum = adler32(bytes, size);
        for (int shift = 24; shift >= 0; shift -= 8) {
            put_byte(&w, (uint8_t)(sum >> shift));
        }
    }
    free(f);
    free(b);
    if (w.failed) {
        free(w.bytes);
        return NULL;
    }
    *compressed_size = w.count;
    return w.bytes;
}

/* DEFLATE (RFC 1951), as far as the output has room. The canonical codes are decoded bit by bit, by the counts of their
 * lengths: slow and short, for the first bytes of a file. */
#include <string.h>

#include "zip_text.h"

enum {
    LONGEST_CODE = 15,
    LITERALS = 288,
    DISTANCES = 32
};

typedef struct stream {
    const unsigned char *at, *end;
    unsigned bits, count; /* that were taken out of the bytes and not used */
    unsigned char *out;
    size_t used, capacity;
    int failed; /* damaged, or at an end */
} stream;

/* How many codes have each length, and the symbols in the order of their codes. */
typedef struct code {
    unsigned short counts[LONGEST_CODE + 1], symbols[LITERALS];
} code;

static unsigned take_bits(stream *in, unsigned count)
{
    while (in->count < count) {
        if (in->at == in->end) {
            in->failed = 1;
            return 0;
        }
        in->bits |= (unsigned)*in->at++ << in->count;
        in->count += 8;
    }
    const unsigned value = in->bits & ((1u << count) - 1);
    in->bits >>= count;
    in->count -= count;
    return value;
}

static void make_code(code *made, const unsigned char *lengths, unsigned count)
{
    unsigned short first[LONGEST_CODE + 2] = {0};
    memset(made, 0, sizeof *made);
    for (unsigned i = 0; i < count; i++) {
        made->counts[lengths[i]]++;
    }
    made->counts[0] = 0;
    for (unsigned i = 1; i <= LONGEST_CODE; i++) {
        first[i + 1] = (unsigned short)(first[i] + made->counts[i]);
    }
    for (unsigned i = 0; i < count; i++) {
        if (lengths[i]) {
            made->symbols[first[lengths[i]]++] = (unsigned short)i;
        }
    }
}

static unsigned take_symbol(stream *in, const code *from)
{
    int value = 0, first = 0, index = 0;
    for (int length = 1; length <= LONGEST_CODE && !in->failed; length++) {
        const int count = from->counts[length];
        value |= (int)take_bits(in, 1);
        if (value - first < count) {
            return from->symbols[index + value - first];
        }
        index += count;
        first = (first + count) << 1;
        value <<= 1;
    }
    in->failed = 1;
    return 0;
}

static void put(stream *in, unsigned char byte)
{
    if (in->used < in->capacity) {
        in->out[in->used++] = byte;
    }
    in->failed |= in->used == in->capacity;
}

static void copy_stored(stream *in)
{
    in->bits = in->count = 0; /* up to the end of the byte */
    unsigned length = take_bits(in, 16);
    in->bits = in->count = 0;
    take_bits(in, 16);
    for (; length > 0 && !in->failed; length--) {
        put(in, (unsigned char)take_bits(in, 8));
    }
}

static void copy_back(stream *in, unsigned symbol, const code *distances)
{
    static const unsigned short lengths[] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                             31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
    static const unsigned short starts[] = {1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                            33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                            1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
    static const unsigned char length_bits[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                                2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
    const unsigned number = symbol - 257;
    unsigned length = number < 29 ? lengths[number] + take_bits(in, length_bits[number]) : 0;
    const unsigned place = take_symbol(in, distances);
    const unsigned distance = place < 30 ? starts[place] + take_bits(in, place < 2 ? 0 : place / 2 - 1) : 0;
    in->failed |= length == 0 || distance == 0 || distance > in->used;
    for (; length > 0 && !in->failed; length--) {
        put(in, in->out[in->used - distance]);
    }
}

static void take_block(stream *in, const code *literals, const code *distances)
{
    while (!in->failed) {
        const unsigned symbol = take_symbol(in, literals);
        if (symbol == 256) {
            return;
        }
        if (in->failed) {
            return;
        }
        if (symbol < 256) {
            put(in, (unsigned char)symbol);
        } else {
            copy_back(in, symbol, distances);
        }
    }
}

static void take_fixed(stream *in)
{
    unsigned char lengths[LITERALS + DISTANCES];
    code literals, distances;
    memset(lengths, 8, 144);
    memset(lengths + 144, 9, 112);
    memset(lengths + 256, 7, 24);
    memset(lengths + 280, 8, 8);
    memset(lengths + LITERALS, 5, DISTANCES);
    make_code(&literals, lengths, LITERALS);
    make_code(&distances, lengths + LITERALS, DISTANCES);
    take_block(in, &literals, &distances);
}

/* The lengths of both codes, themselves coded. 0: they make no sense. */
static int take_lengths(stream *in, const code *from, unsigned char *lengths, unsigned count)
{
    for (unsigned done = 0; done < count && !in->failed;) {
        const unsigned symbol = take_symbol(in, from);
        const unsigned char before = done ? lengths[done - 1] : 0;
        unsigned times = symbol < 16    ? 1
                         : symbol == 16 ? 3 + take_bits(in, 2)
                         : symbol == 17 ? 3 + take_bits(in, 3)
                                        : 11 + take_bits(in, 7);
        if (done + times > count) {
            return 0;
        }
        while (times-- > 0) {
            lengths[done++] = symbol < 16 ? (unsigned char)symbol : symbol == 16 ? before : 0;
        }
    }
    return !in->failed;
}

static void take_dynamic(stream *in)
{
    static const unsigned char order[] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    unsigned char lengths[LITERALS + DISTANCES] = {0}, first[19] = {0};
    code literals, distances;
    const unsigned literal_count = 257 + take_bits(in, 5), distance_count = 1 + take_bits(in, 5),
                   first_count = 4 + take_bits(in, 4);
    for (unsigned i = 0; i < first_count; i++) {
        first[order[i]] = (unsigned char)take_bits(in, 3);
    }
    make_code(&literals, first, sizeof first);
    if (literal_count > 286 || !take_lengths(in, &literals, lengths, literal_count + distance_count)) {
        in->failed = 1;
        return;
    }
    make_code(&literals, lengths, literal_count);
    make_code(&distances, lengths + literal_count, distance_count);
    take_block(in, &literals, &distances);
}

size_t cli_inflate(const unsigned char *data, size_t size, unsigned char *out, size_t capacity)
{
    stream in = {.at = data, .end = data + size, .out = out, .capacity = capacity};
    int last = 0;
    while (!in.failed && !last) {
        last = (int)take_bits(&in, 1);
        switch (take_bits(&in, 2)) {
        case 0: copy_stored(&in); break;
        case 1: take_fixed(&in); break;
        case 2: take_dynamic(&in); break;
        default: in.failed = 1; break;
        }
    }
    return in.used;
}

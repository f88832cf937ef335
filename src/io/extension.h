/* The format that a file's name suggests. */
#ifndef TUMBLE_SRC_IO_EXTENSION_H
#define TUMBLE_SRC_IO_EXTENSION_H

#include <string.h>

#include "tumble/io.h"

/* The format of .obj, .off, .stl or .ply, whatever the case of the letters; TUMBLE_FORMAT_AUTO for any other name. */
static inline tumble_format tmb_format_of_name(const char *path)
{
    static const struct {
        char word[4];
        tumble_format format;
    } extensions[] = {
        {"obj", TUMBLE_FORMAT_OBJ}, {"off", TUMBLE_FORMAT_OFF}, {"stl", TUMBLE_FORMAT_STL}, {"ply", TUMBLE_FORMAT_PLY}};
    const size_t length = strlen(path);
    for (size_t i = 0; i < sizeof extensions / sizeof extensions[0] && length >= 4; i++) {
        const char *tail = path + length - 4, *word = extensions[i].word;
        if (tail[0] == '.' && (tail[1] | 0x20) == word[0] && (tail[2] | 0x20) == word[1] &&
            (tail[3] | 0x20) == word[2]) {
            return extensions[i].format;
        }
    }
    return TUMBLE_FORMAT_AUTO;
}

/* Whether the name is that of another text format whose statements look like those of OBJ: Haines' NFF has v and f. */
static inline int tmb_is_foreign_name(const char *path)
{
    static const char *const endings[] = {".nff", ".enff"};
    const size_t length = strlen(path);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        const size_t size = strlen(endings[i]);
        size_t same = 0;
        while (same < size && length >= size && (path[length - size + same] | 0x20) == (endings[i][same] | 0x20)) {
            same++;
        }
        if (same == size) {
            return 1;
        }
    }
    return 0;
}

#endif

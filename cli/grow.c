#include "grow.h"

#include <stdlib.h>

void *cli_grow(void *array, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity) {
        return array;
    }
    const size_t wanted = *capacity ? 2 * *capacity : 64;
    void *larger = realloc(array, wanted * size);
    *capacity = larger ? wanted : *capacity;
    return larger;
}

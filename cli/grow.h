/* Arrays that grow by an item at a time. */
#ifndef TUMBLE_CLI_GROW_H
#define TUMBLE_CLI_GROW_H

#include <stddef.h>

/* The array of `count` items of this size, with room for one more. NULL: memory ran out, and the array is as it was. */
void *cli_grow(void *array, size_t count, size_t *capacity, size_t size);

#endif

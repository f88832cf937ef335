/* The reader of OFF files. */
#include "fuzz_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_read(data, size, TUMBLE_FORMAT_OFF);
}

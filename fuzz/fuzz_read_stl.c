/* The reader of STL files. */
#include "fuzz_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_read(data, size, TUMBLE_FORMAT_STL);
}

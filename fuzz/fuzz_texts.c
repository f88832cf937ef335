/* What the command reads beside meshes: units and names in IFC texts, the units of 3MF and AMF files, ZIP archives and
 * compressed streams. Nothing may be read or written out of bounds, and what was compressed must come out again. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "deflate.h"
#include "ifc_text.h"
#include "zip_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define UNPACKED_MOST 8192
#define WRAPPING 2 /* bytes of RFC 1950 before the stream */

static void require(int truth)
{
    if (!truth) {
        abort();
    }
}

static void check_zip(const uint8_t *data, size_t size)
{
    unsigned char *out = malloc(UNPACKED_MOST);
    require(out != NULL);
    require(cli_zip_start(data, size, ".model", out, UNPACKED_MOST) <= UNPACKED_MOST);
    require(cli_zip_start(data, size, ".amf", out, 100) <= 100);
    free(out);
}

static void check_inflate(const uint8_t *data, size_t size)
{
    unsigned char *out = malloc(UNPACKED_MOST);
    require(out != NULL);
    require(cli_inflate(data, size, out, UNPACKED_MOST) <= UNPACKED_MOST);
    free(out);
}

static void check_deflate(const uint8_t *data, size_t size)
{
    size_t packed_size;
    uint8_t *packed = cli_deflate(data, size, &packed_size);
    unsigned char *out = malloc(size + 1);
    require(packed && out && packed_size > WRAPPING);
    require(cli_inflate(packed + WRAPPING, packed_size - WRAPPING, out, size + 1) == size);
    require(memcmp(out, data, size) == 0);
    free(packed);
    free(out);
}

static void check_ifc(const uint8_t *data, size_t size)
{
    cli_ifc_name name;
    char *text = malloc(size + 1);
    require(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    const double unit = cli_ifc_unit_of_text(text, size);
    require(isfinite(unit) && unit >= 0);
    if (cli_ifc_split_name(text, &name)) {
        require(strncmp(name.class_name, "Ifc", 3) == 0 && strlen(name.guid) == 22);
    }
    free(text);
}

/* The units of archives and plain texts, as a file in memory. */
static void check_units(const uint8_t *data, size_t size)
{
    const double units[] = {cli_3mf_unit_of_data(data, size), cli_amf_unit_of_data(data, size)};
    require(units[0] >= 0 && units[0] <= 1 && units[1] >= 0 && units[1] <= 1);
}

/* The first byte says what the others are. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    typedef void check(const uint8_t *data, size_t size);
    static check *const checks[] = {check_zip, check_inflate, check_deflate, check_ifc, check_units};
    if (size > 0) {
        uint8_t *copy = malloc(size); /* of the exact size, so that nothing is read after it unnoticed */
        require(copy != NULL);
        memcpy(copy, data + 1, size - 1);
        checks[data[0] % (sizeof checks / sizeof *checks)](copy, size - 1);
        free(copy);
    }
    return 0;
}

/* Names and texts of the status codes, and the version. */
#include "tumble/base.h"

const char *tumble_status_name(tumble_status status)
{
    switch (status) {
#define CASE(name, number, text) \
    case TUMBLE_##name: return "TUMBLE_" #name;
        TUMBLE_STATUS_LIST(CASE)
#undef CASE
    }
    return "TUMBLE_UNKNOWN";
}

const char *tumble_status_text(tumble_status status)
{
    switch (status) {
#define CASE(name, number, text) \
    case TUMBLE_##name: return text;
        TUMBLE_STATUS_LIST(CASE)
#undef CASE
    }
    return "unknown status";
}

const char *tumble_version(void)
{
    return TUMBLE_VERSION;
}

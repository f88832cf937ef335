/* Words for the kinds, severities and changes of clashes. */
#include "tumble/clash.h"

static const char unknown[] = "unknown";

const char *tumble_clash_kind_name(tumble_clash_kind kind)
{
    static const char *const words[] = {
#define KIND_WORD(name, number, word, text) [number] = word,
        TUMBLE_CLASH_KIND_LIST(KIND_WORD)
#undef KIND_WORD
    };
    return (size_t)kind < sizeof words / sizeof *words ? words[kind] : unknown;
}

const char *tumble_severity_name(tumble_severity severity)
{
    static const char *const words[] = {
#define SEVERITY_WORD(name, number, word) [number] = word,
        TUMBLE_SEVERITY_LIST(SEVERITY_WORD)
#undef SEVERITY_WORD
    };
    return (size_t)severity < sizeof words / sizeof *words ? words[severity] : unknown;
}

const char *tumble_change_name(tumble_change change)
{
    static const char *const words[] = {
#define CHANGE_WORD(name, number, word, text) [number] = word,
        TUMBLE_CHANGE_LIST(CHANGE_WORD)
#undef CHANGE_WORD
    };
    return (size_t)change < sizeof words / sizeof *words ? words[change] : unknown;
}

/* The words of reports. */
#include "report_words.h"

#include <math.h>
#include <string.h>

const char *report_status(const tumble_clash *clash)
{
    return *clash->review && clash->change == TUMBLE_CHANGE_PERSISTENT ? clash->review
                                                                       : tumble_change_name(clash->change);
}

const tumble_assembly_part *report_side(const tumble_clash_result *result, const tumble_clash *clash, int side)
{
    const uint32_t part = side ? clash->b : clash->a;
    return part == UINT32_MAX ? NULL : &result->parts[part];
}

const char *report_side_name(const tumble_clash_result *result, const tumble_clash *clash, int side)
{
    const tumble_assembly_part *part = report_side(result, clash, side);
    if (!part) {
        return side ? clash->key_b : clash->key_a;
    }
    if (*part->name) {
        return part->name;
    }
    const char *last = strrchr(part->path, '/');
    return last && last[1] ? last + 1 : *part->path ? part->path : part->key;
}

report_length report_length_of(const tumble_clash_result *result, double length)
{
    static const struct {
        double metres;
        const char *name;
    } units[] = {{1, "m"}, {1e-3, "mm"}, {1e-6, "µm"}};
    report_length out;
    const double metres = length * result->metres;
    if (!(result->metres > 0)) {
        snprintf(out.text, sizeof out.text, "%.4g", length);
        return out;
    }
    const int unit = fabs(metres) >= 1 ? 0 : fabs(metres) >= 1e-3 || metres == 0 ? 1 : 2;
    snprintf(out.text, sizeof out.text, "%.4g %s", metres / units[unit].metres, units[unit].name);
    return out;
}

report_length report_size_of(const tumble_clash_result *result, const tumble_clash *clash)
{
    report_length out = {""};
    if (clash->kind == TUMBLE_CLASH_CLEARANCE) {
        snprintf(out.text, sizeof out.text, "gap %.30s", report_length_of(result, clash->distance).text);
    } else if (clash->has_depth && clash->depth[1] > 0) {
        snprintf(out.text, sizeof out.text, "depth %.30s", report_length_of(result, clash->depth[1]).text);
    }
    return out;
}

/* The length of the UTF-8 character at `text`, 0 if XML has no such character. */
static size_t character_length(const unsigned char *text)
{
    if (*text < 0x80) {
        return *text >= 0x20 || *text == '\t' || *text == '\n' ? 1 : 0;
    }
    const size_t length = *text >= 0xf0 ? 4 : *text >= 0xe0 ? 3 : 2;
    uint32_t code = *text & (0xffU >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80) {
            return 0;
        }
        code = code << 6 | (text[i] & 0x3f);
    }
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const int surrogate = code >= 0xd800 && code <= 0xdfff, last = code == 0xfffe || code == 0xffff;
    return *text < 0xc0 || *text > 0xf7 || code < least[length] || code > 0x10ffff || surrogate || last ? 0 : length;
}

void report_write_xml(FILE *file, const char *text)
{
    const unsigned char *next = (const unsigned char *)text;
    while (*next) {
        const size_t length = character_length(next);
        if (length == 0) {
            fputs("\xef\xbf\xbd", file);
        } else if (*next == '&') {
            fputs("&amp;", file);
        } else if (*next == '<') {
            fputs("&lt;", file);
        } else if (*next == '>') {
            fputs("&gt;", file);
        } else if (*next == '"') {
            fputs("&quot;", file);
        } else {
            fwrite(next, 1, length, file);
        }
        next += length ? length : 1;
    }
}

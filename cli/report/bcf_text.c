/* The XML files of a topic. Lengths are metres, if the assembly's unit is known. Elements are in the schemas' order. */
#include <stdlib.h>
#include <string.h>

#include "bcf.h"
#include "json.h"
#include "report_words.h"

static const char head[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

static tumble_status open_text(FILE **file, bcf_text *out)
{
    *out = (bcf_text){0};
    *file = open_memstream(&out->bytes, &out->size);
    return *file ? TUMBLE_OK : TUMBLE_ERROR_MEMORY;
}

static tumble_status close_text(FILE *file, bcf_text *out)
{
    const int failed = ferror(file);
    if (fclose(file) || failed) {
        free(out->bytes);
        *out = (bcf_text){0};
        return TUMBLE_ERROR_MEMORY;
    }
    return TUMBLE_OK;
}

/* Never empty. */
static void write_element(FILE *file, const char *name, const char *text)
{
    fprintf(file, "<%s>", name);
    report_write_xml(file, *text ? text : "-");
    fprintf(file, "</%s>\n", name);
}

/* ---- markup.bcf ---- */

static const char *const external[2] = {"isExternal", "IsExternal"};

/* Each file once, as far as the components tell. */
static void write_files(FILE *file, const bcf_topic *topic, bcf_version version)
{
    const tumble_assembly_part *parts = topic->report->result->parts;
    fputs(version == BCF_3_0 ? "<Header>\n<Files>\n" : "<Header>\n", file);
    for (size_t i = 0; i < topic->part_count; i++) {
        const char *name = parts[topic->parts[i]].file;
        size_t k = 0;
        while (k < i && strcmp(parts[topic->parts[k]].file, name) != 0) {
            k++;
        }
        if (k == i) {
            fprintf(file, "<File %s=\"true\">\n", external[version]);
            write_element(file, "Filename", name);
            fputs("</File>\n", file);
        }
    }
    fputs(version == BCF_3_0 ? "</Files>\n</Header>\n" : "</Header>\n", file);
}

static void write_labels(FILE *file, const bcf_topic *topic, bcf_version version)
{
    unsigned kinds = 0;
    for (size_t i = 0; i < topic->group->clash_count; i++) {
        kinds |= 1U << topic->report->result->clashes[topic->group->clashes[i]].kind;
    }
    fputs(version == BCF_3_0 ? "<Labels>\n" : "", file);
    for (int kind = 0; kind < 6; kind++) {
        if (kinds >> kind & 1) {
            write_element(file, version == BCF_3_0 ? "Label" : "Labels",
                          tumble_clash_kind_name((tumble_clash_kind)kind));
        }
    }
    fputs(version == BCF_3_0 ? "</Labels>\n" : "", file);
}

static void write_description(FILE *file, const bcf_topic *topic)
{
    const tumble_clash_result *result = topic->report->result;
    const size_t count = topic->group->clash_count, most = 50;
    fputs("<Description>", file);
    for (size_t i = 0; i < count && i < most; i++) {
        const tumble_clash *clash = &result->clashes[topic->group->clashes[i]];
        const report_length size = report_size_of(result, clash);
        fprintf(file, "%s%s: ", i ? "\n" : "", tumble_clash_kind_name(clash->kind));
        report_write_xml(file, report_side_name(result, clash, 0));
        fputs(" × ", file);
        report_write_xml(file, report_side_name(result, clash, 1));
        fprintf(file, "%s%s (%s)", *size.text ? ", " : "", size.text, clash->id);
    }
    if (count > most) {
        fprintf(file, "\n... and %zu more", count - most);
    }
    fputs("</Description>\n", file);
}

/* What was said of clashes; the comment's GUID is the clash's id. */
static void write_comments(FILE *file, const bcf_topic *topic, bcf_version version)
{
    int first = 1;
    for (size_t i = 0; i < topic->group->clash_count; i++) {
        const tumble_clash *clash = &topic->report->result->clashes[topic->group->clashes[i]];
        if (!*clash->comment) {
            continue;
        }
        fputs(first && version == BCF_3_0 ? "<Comments>\n" : "", file);
        first = 0;
        fprintf(file, "<Comment Guid=\"%s\">\n", bcf_guid_of(clash->id).text);
        write_element(file, "Date", topic->date);
        write_element(file, "Author", "tumble");
        write_element(file, "Comment", clash->comment);
        fprintf(file, "<Viewpoint Guid=\"%s\"/>\n</Comment>\n", topic->viewpoint.text);
    }
    fputs(!first && version == BCF_3_0 ? "</Comments>\n" : "", file);
}

static void write_viewpoints(FILE *file, const bcf_topic *topic, bcf_version version)
{
    const char *name = version == BCF_3_0 ? "ViewPoint" : "Viewpoints";
    fputs(version == BCF_3_0 ? "<Viewpoints>\n" : "", file);
    fprintf(file, "<%s Guid=\"%s\">\n<Viewpoint>viewpoint.bcfv</Viewpoint>\n", name, topic->viewpoint.text);
    fputs(topic->has_snapshot ? "<Snapshot>snapshot.png</Snapshot>\n" : "", file);
    fprintf(file, "</%s>\n%s", name, version == BCF_3_0 ? "</Viewpoints>\n" : "");
}

tumble_status bcf_write_markup(const bcf_topic *topic, bcf_version version, bcf_text *out)
{
    const tumble_clash_group *group = topic->group;
    FILE *file;
    if (open_text(&file, out) != TUMBLE_OK) {
        return TUMBLE_ERROR_MEMORY;
    }
    fprintf(file, "%s<Markup>\n", head);
    write_files(file, topic, version);
    fprintf(file, "<Topic Guid=\"%s\" TopicType=\"Clash\" TopicStatus=\"", topic->guid.text);
    report_write_xml(file, bcf_status(topic->report, group));
    fputs("\">\n<Title>", file);
    report_write_xml(file, group->name);
    fprintf(file, ": %zu %s</Title>\n", group->clash_count, group->clash_count == 1 ? "clash" : "clashes");
    write_element(file, "Priority", tumble_severity_name(group->severity));
    fprintf(file, "<Index>%zu</Index>\n", (size_t)(group - topic->report->result->groups));
    write_labels(file, topic, version);
    write_element(file, "CreationDate", topic->date);
    write_element(file, "CreationAuthor", "tumble");
    write_description(file, topic);
    if (version == BCF_3_0) {
        write_comments(file, topic, version);
        write_viewpoints(file, topic, version);
    }
    fputs("</Topic>\n", file);
    if (version == BCF_2_1) {
        write_comments(file, topic, version);
        write_viewpoints(file, topic, version);
    }
    fputs("</Markup>\n", file);
    return close_text(file, out);
}

/* ---- viewpoint.bcfv ---- */

static void write_vector(FILE *file, const char *name, const double v[3], double scale)
{
    static const char axes[] = "XYZ";
    fprintf(file, "<%s>", name);
    for (int i = 0; i < 3; i++) {
        char number[40];
        cli_format_real(number, sizeof number, v[i] * scale);
        fprintf(file, "<%c>%s</%c>", axes[i], number, axes[i]);
    }
    fprintf(file, "</%s>\n", name);
}

static int is_guid(const char *guid)
{
    return strlen(guid) == 22 && strspn(guid, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_$") == 22;
}

static void write_component(FILE *file, const tumble_assembly_part *part)
{
    if (is_guid(part->guid)) {
        fprintf(file, "<Component IfcGuid=\"%s\"/>\n", part->guid);
        return;
    }
    fputs("<Component>\n", file);
    write_element(file, "OriginatingSystem", part->file);
    write_element(file, "AuthoringToolId", part->key);
    fputs("</Component>\n", file);
}

static void write_components(FILE *file, const bcf_topic *topic, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        write_component(file, &topic->report->result->parts[topic->parts[i]]);
    }
}

static void write_colour(FILE *file, const bcf_topic *topic, bcf_version version, const char *colour, size_t first,
                         size_t end)
{
    if (first < end) {
        fprintf(file, "<Color Color=\"%s\">\n%s", colour, version == BCF_3_0 ? "<Components>\n" : "");
        write_components(file, topic, first, end);
        fprintf(file, "%s</Color>\n", version == BCF_3_0 ? "</Components>\n" : "");
    }
}

static int is_point(const tumble_clash_segment *segment)
{
    const double *a = segment->points[0], *b = segment->points[1];
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static void write_lines(FILE *file, const bcf_topic *topic, double scale)
{
    size_t count = 0;
    for (size_t i = 0; i < topic->group->clash_count; i++) {
        const tumble_clash *clash = &topic->report->result->clashes[topic->group->clashes[i]];
        for (size_t k = 0; k < clash->segment_count && count < BCF_LINES; k++) {
            const tumble_clash_segment *segment = &clash->segments[k];
            if (!is_point(segment)) {
                fputs(count++ ? "" : "<Lines>\n", file);
                fputs("<Line>\n", file);
                write_vector(file, "StartPoint", segment->points[0], scale);
                write_vector(file, "EndPoint", segment->points[1], scale);
                fputs("</Line>\n", file);
            }
        }
    }
    fputs(count ? "</Lines>\n" : "", file);
}

tumble_status bcf_write_viewpoint(const bcf_topic *topic, bcf_version version, bcf_text *out)
{
    const double scale = topic->report->result->metres > 0 ? topic->report->result->metres : 1;
    FILE *file;
    if (open_text(&file, out) != TUMBLE_OK) {
        return TUMBLE_ERROR_MEMORY;
    }
    fprintf(file, "%s<VisualizationInfo Guid=\"%s\">\n<Components>\n<Selection>\n", head, topic->viewpoint.text);
    write_components(file, topic, 0, topic->part_count);
    fputs("</Selection>\n<Visibility DefaultVisibility=\"true\"/>\n<Coloring>\n", file);
    write_colour(file, topic, version, "FF2F6FB5", 0, topic->first_count);
    write_colour(file, topic, version, "FFE08A1E", topic->first_count, topic->part_count);
    fputs("</Coloring>\n</Components>\n<PerspectiveCamera>\n", file);
    write_vector(file, "CameraViewPoint", topic->camera.eye, scale);
    write_vector(file, "CameraDirection", topic->camera.direction, 1);
    write_vector(file, "CameraUpVector", topic->camera.up, 1);
    fprintf(file, "<FieldOfView>%g</FieldOfView>\n", topic->camera.field);
    if (version == BCF_3_0) {
        fprintf(file, "<AspectRatio>%.15g</AspectRatio>\n", (double)BCF_WIDTH / BCF_HEIGHT);
    }
    fputs("</PerspectiveCamera>\n", file);
    write_lines(file, topic, scale);
    fputs("</VisualizationInfo>\n", file);
    return close_text(file, out);
}

/* The archive of BCF topics. */
#include "bcf.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "report_words.h"
#include "zip_write.h"

static const char head[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

/* When the newest of the files was changed, so that the same files give the same bytes; SOURCE_DATE_EPOCH is stronger.
 */
static void set_date(const tumble_clash_result *result, char date[32])
{
    const char *epoch = getenv("SOURCE_DATE_EPOCH"), *last = "";
    time_t newest = epoch ? (time_t)strtoll(epoch, NULL, 10) : 0;
    for (size_t i = 0; i < result->part_count && !epoch; i++) {
        struct stat found;
        if (strcmp(result->parts[i].file, last) != 0 && stat(result->parts[i].file, &found) == 0 &&
            found.st_mtime > newest) {
            newest = found.st_mtime;
        }
        last = result->parts[i].file;
    }
    struct tm parts;
    if (!gmtime_r(&newest, &parts) || strftime(date, 32, "%Y-%m-%dT%H:%M:%SZ", &parts) == 0) {
        snprintf(date, 32, "1970-01-01T00:00:00Z");
    }
}

static tumble_status add(zip_writer *zip, const char *name, const void *bytes, size_t size)
{
    return zip_add(zip, name, bytes, size) ? TUMBLE_OK : TUMBLE_ERROR_MEMORY;
}

static tumble_status add_named(zip_writer *zip, const bcf_topic *topic, const char *name, const bcf_text *text)
{
    char path[64];
    snprintf(path, sizeof path, "%s/%s", topic->guid.text, name);
    return add(zip, path, text->bytes, text->size);
}

/* The same, and frees the text. */
static tumble_status add_file(zip_writer *zip, const bcf_topic *topic, const char *name, bcf_text *text)
{
    const tumble_status status = add_named(zip, topic, name, text);
    free(text->bytes);
    text->bytes = NULL;
    return status;
}

/* Of both versions; the picture is the same. */
static tumble_status add_topic(zip_writer zips[2], const bcf_topic *topic)
{
    bcf_text text = {0}, picture = {0};
    tumble_status status = topic->has_snapshot ? bcf_draw(topic, &picture) : TUMBLE_OK;
    for (int version = BCF_2_1; version <= BCF_3_0 && status == TUMBLE_OK; version++) {
        zip_writer *zip = &zips[version];
        status = add_file(zip, topic, "", &(bcf_text){NULL, 0});
        if (status == TUMBLE_OK) {
            status = bcf_write_markup(topic, (bcf_version)version, &text);
        }
        if (status == TUMBLE_OK) {
            status = add_file(zip, topic, "markup.bcf", &text);
        }
        if (status == TUMBLE_OK) {
            status = bcf_write_viewpoint(topic, (bcf_version)version, &text);
        }
        if (status == TUMBLE_OK) {
            status = add_file(zip, topic, "viewpoint.bcfv", &text);
        }
        if (status == TUMBLE_OK && topic->has_snapshot) {
            status = add_named(zip, topic, "snapshot.png", &picture);
        }
    }
    free(picture.bytes);
    return status;
}

static tumble_status add_topics(zip_writer zips[2], clash_report *report)
{
    char date[32];
    tumble_status status = TUMBLE_OK;
    set_date(report->result, date);
    for (uint32_t i = 0; i < report->result->group_count && i < BCF_TOPICS && status == TUMBLE_OK; i++) {
        bcf_topic topic;
        status = bcf_topic_make(report, i, date, &topic);
        if (status == TUMBLE_OK) {
            status = add_topic(zips, &topic);
        }
        bcf_topic_release(&topic);
    }
    return status;
}

static tumble_status add_version(zip_writer *zip, bcf_version version)
{
    char text[200];
    snprintf(text, sizeof text,
             version == BCF_3_0 ? "%s<Version VersionId=\"3.0\"/>\n"
                                : "%s<Version VersionId=\"2.1\">\n"
                                  "<DetailedVersion>2.1</DetailedVersion>\n</Version>\n",
             head);
    return add(zip, "bcf.version", text, strlen(text));
}

/* ---- extensions.xml: the words that topics use ---- */

static void write_statuses(FILE *file, const clash_report *report)
{
    const tumble_clash_result *result = report->result;
    fputs("<TopicStatuses>\n<TopicStatus>Open</TopicStatus>\n", file);
    for (size_t i = 0; i < result->group_count && i < BCF_TOPICS; i++) {
        const char *status = bcf_status(report, &result->groups[i]);
        int known = strcmp(status, "Open") == 0;
        for (size_t k = 0; k < i && !known; k++) {
            known = strcmp(status, bcf_status(report, &result->groups[k])) == 0;
        }
        if (!known) {
            fputs("<TopicStatus>", file);
            report_write_xml(file, status);
            fputs("</TopicStatus>\n", file);
        }
    }
    fputs("</TopicStatuses>\n", file);
}

static tumble_status add_extensions(zip_writer *zip, const clash_report *report)
{
    bcf_text text = {0};
    FILE *file = open_memstream(&text.bytes, &text.size);
    if (!file) {
        return TUMBLE_ERROR_MEMORY;
    }
    fprintf(file, "%s<Extensions>\n<TopicTypes>\n<TopicType>Clash</TopicType>\n</TopicTypes>\n", head);
    write_statuses(file, report);
    fputs("<Priorities>\n", file);
    for (int severity = 0; severity < 4; severity++) {
        fprintf(file, "<Priority>%s</Priority>\n", tumble_severity_name((tumble_severity)severity));
    }
    fputs("</Priorities>\n<TopicLabels>\n", file);
    for (int kind = 0; kind < 6; kind++) {
        fprintf(file, "<TopicLabel>%s</TopicLabel>\n", tumble_clash_kind_name((tumble_clash_kind)kind));
    }
    fputs("</TopicLabels>\n<Users>\n<User>tumble</User>\n</Users>\n</Extensions>\n", file);
    tumble_status status = fclose(file) == 0 ? TUMBLE_OK : TUMBLE_ERROR_MEMORY;
    if (status == TUMBLE_OK) {
        status = add(zip, "extensions.xml", text.bytes, text.size);
    }
    free(text.bytes);
    return status;
}

tumble_status clash_report_write_bcf(clash_report *report)
{
    static const char *const names[2] = {"clashes-2.1.bcf", "clashes-3.0.bcf"};
    report_file files[2];
    tumble_status status = report_file_open(report, names[0], &files[0]);
    if (status != TUMBLE_OK) {
        return status;
    }
    status = report_file_open(report, names[1], &files[1]);
    if (status != TUMBLE_OK) {
        return report_file_close(report, &files[0], status);
    }
    zip_writer zips[2] = {{.file = files[0].file}, {.file = files[1].file}};
    for (int version = 0; version < 2 && status == TUMBLE_OK; version++) {
        status = add_version(&zips[version], (bcf_version)version);
    }
    if (status == TUMBLE_OK) {
        status = add_extensions(&zips[BCF_3_0], report);
    }
    if (status == TUMBLE_OK) {
        status = add_topics(zips, report);
    }
    for (int version = 0; version < 2; version++) {
        if (!zip_finish(&zips[version]) && status == TUMBLE_OK) {
            status = TUMBLE_ERROR_TOO_LARGE;
        }
    }
    status = report_file_close(report, &files[0], status);
    return report_file_close(report, &files[1], status);
}

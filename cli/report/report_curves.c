/* The contact curves of a report, in files that the page loads when it wants them. Ends are told from the clash's
 * point, so that floats are enough far away from the origin, too. */
#include <stdlib.h>

#include "base64.h"
#include "report_data.h"

typedef struct curves_writer {
    clash_report *report;
    report_file file;
    base64_stream stream;
    size_t bytes;
    report_files *files;
} curves_writer;

static tumble_status begin_file(curves_writer *writer, uint32_t first)
{
    report_files *files = writer->files;
    uint32_t *firsts = realloc(files->curve_firsts, (files->curve_count + (size_t)1) * sizeof *firsts);
    if (!firsts) {
        return TUMBLE_ERROR_MEMORY;
    }
    files->curve_firsts = firsts;
    char name[64];
    snprintf(name, sizeof name, "data/curves-%u.js", (unsigned)files->curve_count);
    const tumble_status status = report_file_open(writer->report, name, &writer->file);
    if (status == TUMBLE_OK) {
        fprintf(writer->file.file, "TumbleReport.curves(%u,\"", (unsigned)files->curve_count);
        writer->stream = (base64_stream){writer->file.file, 0, 0};
        writer->bytes = 0;
        firsts[files->curve_count++] = first;
    }
    return status;
}

static tumble_status end_file(curves_writer *writer, tumble_status status)
{
    if (!writer->file.file) {
        return status;
    }
    base64_finish(&writer->stream);
    fputs("\");\n", writer->file.file);
    return report_file_close(writer->report, &writer->file, status);
}

/* The clash's number, how many segments, their ends. */
static void put_curve(curves_writer *writer, uint32_t number)
{
    const tumble_clash *clash = &writer->report->result->clashes[number];
    base64_put_u32(&writer->stream, number);
    base64_put_u32(&writer->stream, (uint32_t)clash->segment_count);
    for (size_t i = 0; i < clash->segment_count; i++) {
        for (int k = 0; k < 6; k++) {
            const double offset = clash->segments[i].points[k / 3][k % 3] - clash->point[k % 3];
            base64_put_float(&writer->stream, (float)offset);
        }
    }
    writer->bytes += 8 + 24 * clash->segment_count;
}

tumble_status report_write_curves(clash_report *report, report_files *files)
{
    curves_writer writer = {.report = report, .files = files};
    tumble_status status = TUMBLE_OK;
    for (uint32_t i = 0; i < report->result->clash_count && status == TUMBLE_OK; i++) {
        if (report->result->clashes[i].segment_count == 0) {
            continue;
        }
        if (!writer.file.file) {
            status = begin_file(&writer, i);
        }
        if (status == TUMBLE_OK) {
            put_curve(&writer, i);
        }
        if (status == TUMBLE_OK && writer.bytes >= REPORT_FILE_BYTES / 4) {
            status = end_file(&writer, status);
        }
    }
    return end_file(&writer, status);
}

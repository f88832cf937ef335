/* Files of a report's folder: written under another name, then renamed. */
#include "report_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char *join(const char *folder, const char *name, const char *ending)
{
    const size_t size = strlen(folder) + strlen(name) + strlen(ending) + 2;
    char *path = malloc(size);
    if (path) {
        snprintf(path, size, "%s/%s%s", folder, name, ending);
    }
    return path;
}

static void release(report_file *file)
{
    free(file->path);
    free(file->temporary);
    *file = (report_file){0};
}

tumble_status report_file_error(clash_report *report, const char *path, const char *what)
{
    snprintf(report->error, sizeof report->error, "%s: %s: %s", path, what, strerror(errno));
    return TUMBLE_ERROR_FILE;
}

tumble_status report_file_open(clash_report *report, const char *name, report_file *out)
{
    *out = (report_file){.path = join(report->folder, name, ""), .temporary = join(report->folder, name, ".new")};
    if (!out->path || !out->temporary) {
        release(out);
        return TUMBLE_ERROR_MEMORY;
    }
    out->file = fopen(out->temporary, "wb");
    if (!out->file) {
        const tumble_status status = report_file_error(report, out->path, "cannot be written");
        release(out);
        return status;
    }
    return TUMBLE_OK;
}

tumble_status report_file_close(clash_report *report, report_file *file, tumble_status status)
{
    const int failed = ferror(file->file);
    if ((fclose(file->file) || failed) && status == TUMBLE_OK) {
        status = report_file_error(report, file->path, "cannot be written");
    }
    if (status == TUMBLE_OK && rename(file->temporary, file->path)) {
        status = report_file_error(report, file->path, "cannot be written");
    }
    if (status != TUMBLE_OK) {
        remove(file->temporary);
    }
    release(file);
    return status;
}

tumble_status report_make_folder(clash_report *report, const char *name)
{
    char *path = join(report->folder, name, "");
    if (!path) {
        return TUMBLE_ERROR_MEMORY;
    }
    struct stat found;
    tumble_status status = TUMBLE_OK;
    if (mkdir(path, 0777) && !(errno == EEXIST && stat(path, &found) == 0 && S_ISDIR(found.st_mode))) {
        status = report_file_error(report, path, "no folder can be made");
    }
    free(path);
    return status;
}

static tumble_status read_all(FILE *file, unsigned char **bytes, size_t *size)
{
    size_t room = 1 << 16;
    *size = 0;
    *bytes = malloc(room);
    while (*bytes) {
        *size += fread(*bytes + *size, 1, room - *size, file);
        if (*size < room) {
            return TUMBLE_OK;
        }
        unsigned char *more = realloc(*bytes, room *= 2);
        if (!more) {
            free(*bytes);
        }
        *bytes = more;
    }
    return TUMBLE_ERROR_MEMORY;
}

tumble_status report_read_file(clash_report *report, const char *name, unsigned char **bytes, size_t *size)
{
    char *path = join(report->folder, name, "");
    if (!path) {
        return TUMBLE_ERROR_MEMORY;
    }
    FILE *file = fopen(path, "rb");
    tumble_status status = file ? read_all(file, bytes, size) : report_file_error(report, path, "cannot be read");
    if (file) {
        if (status == TUMBLE_OK && ferror(file)) {
            status = report_file_error(report, path, "cannot be read");
            free(*bytes);
        }
        fclose(file);
    }
    free(path);
    return status;
}

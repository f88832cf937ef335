/* Files: see file.h. */
#undef _POSIX_C_SOURCE
#define _XOPEN_SOURCE 700 /* realpath */
#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/assert.h"

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif

#define OUTPUT_BYTES ((size_t)1 << 18)
#define MOST_BYTES_A_CALL ((size_t)1 << 30) /* some systems reject more */

tumble_status tmb_fail_file(tumble_context *context, const char *action, const char *path, int error)
{
    char reason[128];
    if (strerror_r(error, reason, sizeof reason) != 0) {
        snprintf(reason, sizeof reason, "error %d", error);
    }
    return tmb_fail(context, TUMBLE_ERROR_FILE, "%.300s: cannot %s it: %s", path, action, reason);
}

/* Reads until `capacity` bytes are there or the file ends; -1 for an error. */
static ssize_t read_fully(int descriptor, char *data, size_t capacity)
{
    size_t size = 0;
    while (size < capacity) {
        const size_t room = capacity - size;
        const ssize_t count = read(descriptor, data + size, room < MOST_BYTES_A_CALL ? room : MOST_BYTES_A_CALL);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            return -1;
        }
        if (count == 0) {
            break;
        }
        size += (size_t)count;
    }
    return (ssize_t)size;
}

/* The reported size is only a first guess: pipes have none, and files change. */
static tumble_status read_descriptor(tumble_context *context, const char *path, int descriptor, tmb_buffer *data,
                                     size_t *size)
{
    struct stat status;
    if (fstat(descriptor, &status) != 0) {
        return tmb_fail_file(context, "read", path, errno);
    }
    size_t guess = 1 << 16;
    if (S_ISREG(status.st_mode) && status.st_size > 0) {
        guess = (size_t)status.st_size + 1; /* the one byte more shows the end */
    }
    *size = 0;
    for (;;) {
        const size_t wanted = *size < guess ? guess : *size + guess;
        if (!tmb_buffer_reserve(context, data, wanted, 1, *size)) {
            return tmb_fail(context, TUMBLE_ERROR_MEMORY, "%.300s: out of memory for the file", path);
        }
        const ssize_t count = read_fully(descriptor, (char *)data->data + *size, data->capacity - *size);
        if (count < 0) {
            return tmb_fail_file(context, "read", path, errno);
        }
        *size += (size_t)count;
        if (*size < data->capacity) {
            return TUMBLE_OK;
        }
    }
}

static int open_for_reading(const char *path)
{
    int descriptor;
    do {
        descriptor = open(path, O_RDONLY | O_CLOEXEC);
    } while (descriptor < 0 && errno == EINTR);
    return descriptor;
}

tumble_status tmb_file_read(tumble_context *context, const char *path, tmb_buffer *data, size_t *size)
{
    const int descriptor = open_for_reading(path);
    if (descriptor < 0) {
        return tmb_fail_file(context, "open", path, errno);
    }
    const tumble_status status = read_descriptor(context, path, descriptor, data, size);
    close(descriptor);
    return status;
}

tumble_status tmb_file_read_start(tumble_context *context, const char *path, void *data, size_t capacity, size_t *size)
{
    const int descriptor = open_for_reading(path);
    if (descriptor < 0) {
        return tmb_fail_file(context, "open", path, errno);
    }
    struct stat status;
    const int is_pipe = fstat(descriptor, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
    const ssize_t count = is_pipe ? 0 : read_fully(descriptor, data, capacity);
    const int error = errno;
    close(descriptor);
    if (count < 0) {
        return tmb_fail_file(context, "read", path, error);
    }
    *size = (size_t)count;
    return TUMBLE_OK;
}

tumble_status tmb_file_map(tumble_context *context, const char *path, void **mapping, size_t *size)
{
    *mapping = NULL;
    *size = 0;
    const int descriptor = open_for_reading(path);
    if (descriptor < 0) {
        return tmb_fail_file(context, "open", path, errno);
    }
    struct stat status;
    int error = 0;
    if (fstat(descriptor, &status) != 0) {
        error = errno;
    } else if (S_ISREG(status.st_mode) && status.st_size > 0) {
        void *place = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
        if (place != MAP_FAILED) {
            *mapping = place;
            *size = (size_t)status.st_size;
        }
    }
    close(descriptor);
    return error ? tmb_fail_file(context, "read", path, error) : TUMBLE_OK;
}

void tmb_file_unmap(void *mapping, size_t size)
{
    munmap(mapping, size);
}

static void release_output(tmb_output *output)
{
    tmb_release(output->context, output->target);
    tmb_release(output->context, output->temporary);
    tmb_release(output->context, output->data);
    output->target = output->temporary = output->data = NULL;
}

/* Permissions are those of the replaced file, or follow the umask for a new one. */
static int open_temporary(tmb_output *output, const struct stat *replaced)
{
    const char *slash = strrchr(output->target, '/');
    const size_t folder = slash ? (size_t)(slash - output->target) + 1 : 0, capacity = folder + 64;
    output->temporary = tmb_allocate(output->context, capacity, 1);
    if (!output->temporary) {
        return ENOMEM;
    }
    memcpy(output->temporary, output->target, folder);
    for (unsigned attempt = 0; attempt < 1000; attempt++) {
        snprintf(output->temporary + folder, capacity - folder, ".tumble-%ld-%u.tmp", (long)getpid(), attempt);
        output->descriptor = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (output->descriptor >= 0) {
            if (replaced) {
                (void)fchmod(output->descriptor, replaced->st_mode & 0777);
            }
            return 0;
        }
        if (errno != EEXIST && errno != EINTR) {
            return errno;
        }
    }
    return EEXIST;
}

static int open_descriptor(tmb_output *output)
{
    struct stat status;
    const int exists = stat(output->target, &status) == 0;
    if (!exists && errno != ENOENT) {
        return errno;
    }
    if (exists && S_ISDIR(status.st_mode)) {
        return EISDIR;
    }
    if (!exists || S_ISREG(status.st_mode)) {
        return open_temporary(output, exists ? &status : NULL);
    }
    output->descriptor = open(output->target, O_WRONLY | O_CLOEXEC);
    return output->descriptor < 0 ? errno : 0;
}

tumble_status tmb_output_open(tumble_context *context, const char *path, tmb_output *output)
{
    TMB_ASSERT(path && output);
    *output = (tmb_output){.context = context, .path = path, .descriptor = -1};
    char resolved[PATH_MAX];
    const char *target = realpath(path, resolved) ? resolved : path;
    const size_t length = strlen(target) + 1;
    output->target = tmb_allocate(context, length, 1);
    output->data = tmb_allocate(context, OUTPUT_BYTES, 1);
    int error = ENOMEM;
    if (output->target && output->data) {
        memcpy(output->target, target, length);
        error = open_descriptor(output);
    }
    if (error) {
        release_output(output);
        return error == ENOMEM ? tmb_fail_memory(context, "writing a file")
                               : tmb_fail_file(context, "write", path, error);
    }
    return TUMBLE_OK;
}

static void write_out(tmb_output *output, const char *data, size_t size)
{
    while (size && !output->error) {
        const ssize_t count = write(output->descriptor, data, size < MOST_BYTES_A_CALL ? size : MOST_BYTES_A_CALL);
        if (count < 0 && errno != EINTR) {
            output->error = errno;
        } else if (count > 0) {
            data += count;
            size -= (size_t)count;
        }
    }
}

static void flush(tmb_output *output)
{
    write_out(output, output->data, output->used);
    output->used = 0;
}

char *tmb_output_room(tmb_output *output)
{
    if (OUTPUT_BYTES - output->used < TMB_OUTPUT_ROOM) {
        flush(output);
    }
    return output->data + output->used;
}

void tmb_output_advance(tmb_output *output, size_t size)
{
    TMB_ASSERT(size <= TMB_OUTPUT_ROOM);
    TMB_ASSERT(output->used + size <= OUTPUT_BYTES);
    output->used += size;
}

void tmb_output_write(tmb_output *output, const void *data, size_t size)
{
    if (size > OUTPUT_BYTES - output->used) {
        flush(output);
    }
    if (size >= OUTPUT_BYTES) {
        write_out(output, data, size);
    } else if (size) {
        memcpy(output->data + output->used, data, size);
        output->used += size;
    }
}

/* Devices and pipes cannot be synchronised. */
static int synchronise(int descriptor)
{
    return fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS ? 0 : errno;
}

tumble_status tmb_output_commit(tmb_output *output)
{
    flush(output);
    if (!output->error && output->temporary) {
        output->error = synchronise(output->descriptor);
    }
    if (close(output->descriptor) != 0 && !output->error && errno != EINTR) {
        output->error = errno;
    }
    if (!output->error && output->temporary && rename(output->temporary, output->target) != 0) {
        output->error = errno;
    }
    if (output->error && output->temporary) {
        unlink(output->temporary);
    }
    release_output(output);
    return output->error ? tmb_fail_file(output->context, "write", output->path, output->error) : TUMBLE_OK;
}

/* Files of answers. */
#include "clash/job.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/file.h"

#define JOB_MAGIC UINT64_C(0x31736e61626d7554)

static const char ending[] = ".answers";

typedef struct answers_head {
    uint64_t magic;
    uint64_t record_bytes; /* of a record without segments: builds that differ in it do not share files */
    unsigned char fingerprint[TMB_SHA256_BYTES];
} answers_head;

/* Segments follow. The check is of all other bytes of the record. */
typedef struct answer_record {
    uint64_t check;
    uint64_t question;
    tmb_clash_answer answer; /* without its pointer */
} answer_record;

/* ---- what a job is about ---- */

static void take_fingerprint(tmb_clash_job *job)
{
    const tumble_clashes *clashes = job->clashes;
    const tumble_clash_result *result = &clashes->result;
    const uint64_t numbers[] = {clashes->question_count, clashes->options.segment_limit, result->model_count};
    tmb_sha256 hash;
    tmb_sha256_begin(&hash);
    tmb_sha256_add_text(&hash, "tumble clash job");
    tmb_sha256_add_text(&hash, tumble_version());
    tmb_sha256_add_text(&hash, result->basis);
    tmb_sha256_add(&hash, numbers, sizeof numbers);
    for (size_t i = 0; i < result->rule_count; i++) {
        tmb_sha256_add_text(&hash, result->rules[i].hash);
    }
    tmb_sha256_add(&hash, clashes->hashes, result->model_count * sizeof *clashes->hashes);
    tmb_sha256_add(&hash, clashes->questions.data, clashes->question_count * sizeof(tmb_clash_question));
    tmb_sha256_end(&hash, job->fingerprint);
}

static uint64_t check_of(const answer_record *record, const void *segments, size_t size)
{
    const unsigned char *parts[2] = {(const unsigned char *)record + sizeof record->check, segments};
    const size_t sizes[2] = {sizeof *record - sizeof record->check, size};
    uint64_t hash = 0xcbf29ce484222325u;
    for (int i = 0; i < 2; i++) {
        for (size_t j = 0; j < sizes[i]; j++) {
            hash = (hash ^ parts[i][j]) * 0x100000001b3u;
        }
    }
    return hash;
}

int tmb_clash_job_wants(const tumble_clashes *clashes, size_t question)
{
    const tmb_clash_job *job = clashes->job;
    return !job || ((job->part_count == 0 || question / TMB_CLASH_CHUNK % job->part_count + 1 == job->part) &&
                    !clashes->is_answered[question]);
}

/* ---- reading ---- */

/* Takes one record; its size, 0 if it is not whole. Memory that runs out is noted. */
static size_t take_record(tmb_clash_job *job, const char *at, size_t left)
{
    tumble_clashes *clashes = job->clashes;
    answer_record record;
    if (left < sizeof record) {
        return 0;
    }
    memcpy(&record, at, sizeof record);
    const size_t count = record.answer.segment_count, size = count * sizeof(tumble_clash_segment);
    if (count > clashes->options.segment_limit || left - sizeof record < size ||
        record.question >= clashes->question_count || check_of(&record, at + sizeof record, size) != record.check) {
        return 0;
    }
    if (clashes->is_answered[record.question]) {
        return sizeof record + size;
    }
    record.answer.segments = count ? tmb_allocate(job->clashes->context, count, sizeof(tumble_clash_segment)) : NULL;
    if (count && !record.answer.segments) {
        job->error = ENOMEM;
        return 0;
    }
    if (count) {
        memcpy(record.answer.segments, at + sizeof record, size);
    }
    ((tmb_clash_answer *)clashes->answers.data)[record.question] = record.answer;
    clashes->is_answered[record.question] = 1;
    job->known_count++;
    return sizeof record + size;
}

/* How long a file is, and how much of it is whole; 0: not even its head is. */
typedef struct file_size {
    size_t all, good;
} file_size;

static tumble_status take_file(tmb_clash_job *job, const char *path, file_size *out)
{
    tumble_context *context = job->clashes->context;
    tmb_buffer data = {0};
    size_t size = 0, *good = &out->good;
    answers_head head;
    tumble_status status = tmb_file_read(context, path, &data, &size);
    *out = (file_size){size, 0};
    if (status == TUMBLE_OK && size >= sizeof head) {
        memcpy(&head, data.data, sizeof head);
        if (head.magic != JOB_MAGIC || head.record_bytes != sizeof(answer_record) ||
            memcmp(head.fingerprint, job->fingerprint, sizeof head.fingerprint) != 0) {
            status = tmb_fail(context, TUMBLE_ERROR_FORMAT,
                              "%.300s: these are answers about other parts, or with other options: remove the file, or "
                              "name another folder",
                              path);
        } else {
            *good = sizeof head;
        }
    }
    for (size_t taken = 1; status == TUMBLE_OK && *good > 0 && taken > 0; *good += taken) {
        taken = take_record(job, (const char *)data.data + *good, size - *good);
    }
    tmb_buffer_release(context, &data);
    return status == TUMBLE_OK && job->error ? tmb_fail_memory(context, "answers") : status;
}

static int is_answers(const struct dirent *entry)
{
    const size_t length = strlen(entry->d_name), own = sizeof ending - 1;
    return length > own && strcmp(entry->d_name + length - own, ending) == 0;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* "folder/name"; the caller releases it. */
static char *path_in(const tmb_clash_job *job, const char *name)
{
    const size_t room = strlen(job->folder) + strlen(name) + 2;
    char *path = tmb_allocate(job->clashes->context, room, 1);
    if (path) {
        snprintf(path, room, "%s/%s", job->folder, name);
    }
    return path;
}

/* All files; *own is that of our own. */
static tumble_status take_files(tmb_clash_job *job, file_size *own)
{
    tumble_context *context = job->clashes->context;
    struct dirent **entries;
    const int count = scandir(job->folder, &entries, is_answers, by_name);
    tumble_status status = count < 0 ? tmb_fail_file(context, "read", job->folder, errno) : TUMBLE_OK;
    *own = (file_size){0, 0};
    for (int i = 0; i < count; i++) {
        char *path = status == TUMBLE_OK ? path_in(job, entries[i]->d_name) : NULL;
        file_size size = {0, 0};
        if (status == TUMBLE_OK) {
            status = path ? take_file(job, path, &size) : tmb_fail_memory(context, "answers");
        }
        *own = path && strcmp(path, job->path) == 0 ? size : *own;
        tmb_release(context, path);
        free(entries[i]);
    }
    if (count >= 0) {
        free(entries);
    }
    return status;
}

/* ---- writing ---- */

static void write_bytes(tmb_clash_job *job, const char *data, size_t size)
{
    while (size > 0 && !job->error) {
        const ssize_t written = write(job->descriptor, data, size);
        if (written < 0 && errno != EINTR) {
            job->error = errno;
        }
        data += written > 0 ? written : 0;
        size -= written > 0 ? (size_t)written : 0;
    }
}

/* One process at a time. A lock ends as soon as the process closes the file once, so it was read before. */
static tumble_status open_file(tmb_clash_job *job, size_t size)
{
    tumble_context *context = job->clashes->context;
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    struct stat file;
    job->descriptor = open(job->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (job->descriptor < 0) {
        return tmb_fail_file(context, "write", job->path, errno);
    }
    if (fcntl(job->descriptor, F_SETLK, &lock) != 0 || fstat(job->descriptor, &file) != 0 ||
        (size_t)file.st_size != size) {
        return tmb_fail(context, TUMBLE_ERROR_FILE, "%.300s: another process is writing it", job->path);
    }
    return TUMBLE_OK;
}

/* What is not whole is cut off. */
static tumble_status go_on(tmb_clash_job *job, size_t good)
{
    answers_head head = {.magic = JOB_MAGIC, .record_bytes = sizeof(answer_record)};
    memcpy(head.fingerprint, job->fingerprint, sizeof head.fingerprint);
    if (ftruncate(job->descriptor, (off_t)good) != 0 || lseek(job->descriptor, (off_t)good, SEEK_SET) < 0) {
        job->error = errno;
    }
    if (good == 0) {
        write_bytes(job, (const char *)&head, sizeof head);
    }
    return job->error ? tmb_fail_file(job->clashes->context, "write", job->path, job->error) : TUMBLE_OK;
}

static tumble_status count_missing(const tmb_clash_job *job)
{
    const tumble_clashes *clashes = job->clashes;
    const uint64_t missing = clashes->question_count - job->known_count;
    return missing == 0
               ? TUMBLE_OK
               : tmb_fail(clashes->context, TUMBLE_ERROR_FORMAT,
                          "%.300s: %llu of %llu answers are missing: run the parts that are not finished", job->folder,
                          (unsigned long long)missing, (unsigned long long)clashes->question_count);
}

tumble_status tmb_clash_job_begin(tumble_clashes *clashes)
{
    tmb_clash_job *job = clashes->job;
    file_size own = {0, 0};
    char name[64] = "all.answers";
    if (!job) {
        return TUMBLE_OK;
    }
    job->clashes = clashes;
    job->known_count = job->answer_count = 0;
    job->question_count = clashes->question_count;
    take_fingerprint(job);
    if (job->part_count > 0) {
        snprintf(name, sizeof name, "part-%u-of-%u%s", (unsigned)job->part, (unsigned)job->part_count, ending);
    }
    job->path = path_in(job, name);
    tumble_status status = job->path ? take_files(job, &own) : tmb_fail_memory(clashes->context, "answers");
    if (status == TUMBLE_OK && job->must_be_complete) {
        return count_missing(job);
    }
    if (status == TUMBLE_OK) {
        status = open_file(job, own.all);
    }
    return status == TUMBLE_OK ? go_on(job, own.good) : status;
}

void tmb_clash_job_keep(tumble_clashes *clashes, size_t question)
{
    tmb_clash_job *job = clashes->job;
    if (!job) {
        return;
    }
    answer_record record;
    memset(&record, 0, sizeof record);
    record.question = question;
    memcpy(&record.answer, (const tmb_clash_answer *)clashes->answers.data + question, sizeof record.answer);
    const tumble_clash_segment *segments = record.answer.segments;
    const size_t size = record.answer.segment_count * sizeof *segments;
    record.answer.segments = NULL;
    record.check = check_of(&record, segments, size);
    if (!tmb_buffer_append(clashes->context, &job->pending, &job->pending_bytes, &record, sizeof record, 1) ||
        !tmb_buffer_append(clashes->context, &job->pending, &job->pending_bytes, segments, size, 1)) {
        job->error = job->error ? job->error : ENOMEM;
    }
}

void tmb_clash_job_flush(tumble_clashes *clashes)
{
    tmb_clash_job *job = clashes->job;
    if (job && job->pending_bytes > 0) {
        write_bytes(job, job->pending.data, job->pending_bytes);
        job->pending_bytes = 0;
    }
}

tumble_status tmb_clash_job_end(tumble_clashes *clashes)
{
    tmb_clash_job *job = clashes->job;
    if (!job) {
        return TUMBLE_OK;
    }
    const int error = job->error;
    if (job->descriptor >= 0) {
        close(job->descriptor);
    }
    tumble_status status = TUMBLE_OK;
    if (error == ENOMEM) {
        status = tmb_fail_memory(clashes->context, "answers");
    } else if (error) {
        status = tmb_fail_file(clashes->context, "write", job->path, error);
    }
    for (size_t i = 0; i < clashes->question_count; i++) {
        job->answer_count += clashes->is_answered && clashes->is_answered[i];
    }
    tmb_buffer_release(clashes->context, &job->pending);
    tmb_release(clashes->context, job->path);
    clashes->job = NULL;
    return status;
}

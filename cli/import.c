/* Assimp, or Node.js with web-ifc, in a process of its own. The child gets limits of memory and time, sends what it has
 * read through a pipe and ends. It never returns into the rest of the program, and it dies with its parent. */
#include "import.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "base/context.h"
#include "ifc_text.h"
#include "import_parts.h"
#include "import_reply.h"
#include "message.h"
#include "output.h"
#include "progress.h"
#include "read_assimp.h"
#include "web_ifc.h"

#define MIB 1048576.0

/* The sanitizers reserve more addresses than any limit allows. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LIMITS_ADDRESSES 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define LIMITS_ADDRESSES 0
#endif
#endif
#ifndef LIMITS_ADDRESSES
#define LIMITS_ADDRESSES 1
#endif

typedef struct import_job {
    tumble_context *context;
    const char *path;
    const char *reader; /* its name */
    int as_parts, by_web_ifc;
    double seconds, bytes; /* the limits */
    pid_t parent, child;
    int descriptor; /* of the pipe: the end that this process has */
    char *data;     /* what has come through it */
    size_t size, capacity;
} import_job;

static double default_memory(void)
{
    const double pages = (double)sysconf(_SC_PHYS_PAGES), size = (double)sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? pages * size / 2 : 2048 * MIB;
}

/* ---- the child ---- */

/* The addresses that the child has from its parent, which do not count. */
static double inherited_bytes(void)
{
    char text[64] = "";
    const int file = open("/proc/self/statm", O_RDONLY);
    if (file >= 0) {
        const ssize_t size = read(file, text, sizeof text - 1);
        text[size > 0 ? size : 0] = '\0';
        close(file);
    }
    return strtod(text, NULL) * (double)sysconf(_SC_PAGESIZE);
}

static void set_limit(int resource, double value)
{
    struct rlimit limit;
    if (getrlimit(resource, &limit) == 0) {
        const double most = limit.rlim_max == RLIM_INFINITY ? INFINITY : (double)limit.rlim_max;
        limit.rlim_cur = value < most ? (rlim_t)value : limit.rlim_max;
        setrlimit(resource, &limit);
    }
}

/* The alarm is for the case that nobody is there any more to end this process. */
static void take_limits(const import_job *job)
{
    if (LIMITS_ADDRESSES) {
        set_limit(RLIMIT_AS, inherited_bytes() + job->bytes);
    }
    set_limit(RLIMIT_CORE, 0);
    alarm((unsigned)(job->seconds < 1e6 ? job->seconds : 1e6) + 2);
}

static void become_harmless(const import_job *job)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGALRM};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        signal(signals[i], SIG_DFL);
    }
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != job->parent) {
        _exit(1);
    }
    const int nothing = open("/dev/null", O_RDWR); /* assimp prints */
    for (int stream = STDIN_FILENO; nothing >= 0 && stream <= STDERR_FILENO; stream++) {
        dup2(nothing, stream);
    }
}

static void be_child(const import_job *job, int descriptor)
{
    cli_import_reply reply = {.status = TUMBLE_OK};
    become_harmless(job);
    cli_release_interrupts();
    if (job->by_web_ifc) {
        alarm((unsigned)(job->seconds < 1e6 ? job->seconds : 1e6) + 2);
        cli_web_ifc_exec(job->path, descriptor);
    }
    take_limits(job);
    (job->as_parts ? cli_read_assimp_parts : cli_read_assimp)(job->context, job->path, &reply);
    _exit(cli_reply_send(descriptor, &reply) ? 0 : 1);
}

/* ---- the parent ---- */

static int start_child(import_job *job)
{
    int ends[2];
    if (pipe(ends) != 0) {
        return cli_error("%s: it cannot be read, because no pipe can be made (%s): close some programs", job->path,
                         strerror(errno));
    }
    job->parent = getpid();
    cli_hold_interrupts(); /* until the child has forgotten what they mean to its parent */
    job->child = fork();
    if (job->child == 0) {
        close(ends[0]);
        be_child(job, ends[1]);
    }
    const int reason = errno;
    cli_release_interrupts();
    close(ends[1]);
    job->descriptor = ends[0];
    if (job->child < 0) {
        close(ends[0]);
        return cli_error("%s: it cannot be read, because no process can be started (%s): close some programs",
                         job->path, strerror(reason));
    }
    return 0;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int make_room(import_job *job)
{
    if (job->capacity - job->size >= 1 << 16) {
        return 1;
    }
    const size_t capacity = job->capacity ? 2 * job->capacity : 1 << 18;
    char *data = realloc(job->data, capacity);
    if (data) {
        job->data = data;
        job->capacity = capacity;
    }
    return data != NULL;
}

enum {
    IMPORT_MISSING = -1 /* no exit status: the program that should read the file is not installed */
};

typedef enum ending {
    ENDED,
    TOO_LONG,
    TOO_MUCH
} ending;

/* Takes what comes until the pipe is closed or a limit is reached. */
static ending receive(import_job *job)
{
    const double deadline = now() + job->seconds;
    for (;;) {
        const double left = deadline - now();
        struct pollfd wait = {.fd = job->descriptor, .events = POLLIN};
        if (left <= 0) {
            return TOO_LONG;
        }
        if (poll(&wait, 1, left < 1000 ? (int)ceil(1e3 * left) : 1000000) <= 0) {
            continue;
        }
        if ((double)job->size > job->bytes || !make_room(job)) {
            return TOO_MUCH;
        }
        const ssize_t size = read(job->descriptor, job->data + job->size, job->capacity - job->size);
        if (size == 0 || (size < 0 && errno != EINTR && errno != EAGAIN)) {
            return ENDED;
        }
        job->size += size > 0 ? (size_t)size : 0;
    }
}

static int end_child(const import_job *job, ending how)
{
    int status = 0;
    if (how != ENDED) {
        kill(job->child, SIGKILL);
    }
    close(job->descriptor);
    while (waitpid(job->child, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

/* ---- the answer ---- */

static int memory_error(const import_job *job)
{
    return cli_error("%s: %s needs more than %.0f MiB of memory to read it: raise --import-memory, or convert it "
                     "to OBJ, OFF, STL or PLY",
                     job->path, job->reader, job->bytes / MIB);
}

static int crash_error(const import_job *job, int status)
{
    if (WIFSIGNALED(status)) {
        return cli_error("%s: %s crashed while it read the file (%s): convert it to OBJ, OFF, STL or PLY, or, if "
                         "it is large, raise --import-memory (now %.0f MiB)",
                         job->path, job->reader, strsignal(WTERMSIG(status)), job->bytes / MIB);
    }
    return cli_error("%s: %s crashed while it read the file: convert it to OBJ, OFF, STL or PLY", job->path,
                     job->reader);
}

static int take_reply(const import_job *job, cli_import_reply *out)
{
    cli_import_reply reply;
    tumble_status status = cli_reply_receive(job->context, job->data, job->size, &reply);
    if (status == TUMBLE_OK && reply.status == TUMBLE_ERROR_MEMORY) {
        return memory_error(job);
    }
    if (status == TUMBLE_OK && reply.status != TUMBLE_OK) {
        return cli_error("%s: %s", reply.message, reply.advice);
    }
    if (status == TUMBLE_OK) {
        status = tmb_mesh_buffer_finish(reply.buffer);
    }
    if (status != TUMBLE_OK) {
        tumble_mesh_buffer_destroy(reply.buffer);
        tmb_buffer_release(job->context, &reply.parts);
        return cli_library_error(job->context, status, job->path);
    }
    *out = reply;
    return 0;
}

static int run(import_job *job, cli_import_reply *out)
{
    const int error = start_child(job);
    if (error) {
        return error;
    }
    cli_progress *progress = cli_progress_begin("reading");
    const ending how = receive(job);
    const int status = end_child(job, how);
    cli_progress_end(progress);
    if (how == TOO_LONG) {
        return cli_error("%s: %s took longer than %g s to read it: raise --import-seconds, or convert it to OBJ, "
                         "OFF, STL or PLY",
                         job->path, job->reader, job->seconds);
    }
    if (how == TOO_MUCH) {
        return memory_error(job);
    }
    if (job->by_web_ifc && cli_web_ifc_is_missing(status)) {
        return IMPORT_MISSING;
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        return crash_error(job, status);
    }
    return take_reply(job, out);
}

static import_job make_job(tumble_context *context, const char *path, const cli_input_options *options)
{
    import_job job = {.context = context, .path = path, .reader = "assimp", .seconds = options->seconds};
    job.bytes = isfinite(options->memory) ? options->memory * MIB : default_memory();
    return job;
}

/* IFC files by web-ifc if it is there, everything else by assimp. */
static int run_best(import_job *job, cli_import_reply *out)
{
    job->by_web_ifc = cli_web_ifc_reads(job->path);
    job->reader = job->by_web_ifc ? "web-ifc" : "assimp";
    const int error = run(job, out);
    if (!error && job->by_web_ifc) {
        out->frame.metres = cli_ifc_unit(job->context, job->path);
    }
    if (error != IMPORT_MISSING) {
        return error;
    }
    cli_web_ifc_advise(job->path);
    job->by_web_ifc = 0;
    job->reader = "assimp";
    job->size = 0;
    return run(job, out);
}

int cli_import(tumble_context *context, const char *path, const cli_input_options *options, tumble_mesh_buffer **out,
               cli_frame *frame)
{
    import_job job = make_job(context, path, options);
    cli_import_reply reply = {.buffer = NULL};
    const int error = run(&job, &reply);
    *out = error ? NULL : reply.buffer;
    *frame = reply.frame;
    free(job.data);
    tmb_buffer_release(context, &reply.parts);
    return error;
}

int cli_import_assembly(tumble_context *context, const char *path, const cli_input_options *options,
                        cli_import_place *place, void *user, tumble_assembly *assembly)
{
    import_job job = make_job(context, path, options);
    cli_import_reply reply = {.buffer = NULL};
    double transform[12];
    job.as_parts = 1;
    int error = run_best(&job, &reply);
    free(job.data);
    if (error) {
        return error;
    }
    error = place(user, &reply.frame, transform);
    if (!error) {
        const tumble_status status = cli_add_import_parts(assembly, path, &reply, transform);
        error = status == TUMBLE_OK ? 0 : cli_library_error(context, status, path);
    }
    tumble_mesh_buffer_destroy(reply.buffer);
    tmb_buffer_release(context, &reply.parts);
    return error;
}

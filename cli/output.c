/* Output files and interrupts. */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"
#include "progress.h"

/* A signal handler has nothing else to go by: the file that it has to remove. NULL when there is none. */
static const char *volatile unfinished;

/* Likewise: whether signals are to be noted only, and the one that was. */
static volatile sig_atomic_t only_note, noted;

static void remove_unfinished(int signal_number)
{
    if (only_note && !noted) {
        noted = signal_number;
        return;
    }
    cli_progress_clear_on_signal();
    const char *path = unfinished;
    if (path) {
        unlink(path);
    }
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static const int deadly_signals[] = {SIGINT, SIGTERM, SIGHUP};
enum {
    DEADLY_SIGNAL_COUNT = sizeof deadly_signals / sizeof deadly_signals[0]
};

/* With a standard stream closed, the next file to be opened would take its place and get what is meant for the stream.
 */
static void occupy_closed_streams(void)
{
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++) {
        if (fcntl(stream, F_GETFD) == -1 && errno == EBADF) {
            const int flags = stream == STDIN_FILENO ? O_WRONLY : O_RDONLY; /* using it stays an error */
            if (open("/dev/null", flags) != stream) {
                _exit(CLI_EXIT_ERROR);
            }
        }
    }
}

void cli_output_prepare(void)
{
    occupy_closed_streams();
    signal(SIGPIPE, SIG_IGN);
    for (size_t i = 0; i < DEADLY_SIGNAL_COUNT; i++) {
        struct sigaction old;
        if (sigaction(deadly_signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN) {
            struct sigaction action = {0};
            action.sa_handler = remove_unfinished;
            sigfillset(&action.sa_mask);
            sigaction(deadly_signals[i], &action, NULL);
        }
    }
}

static void change_mask(int how)
{
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < DEADLY_SIGNAL_COUNT; i++) {
        sigaddset(&set, deadly_signals[i]);
    }
    pthread_sigmask(how, &set, NULL);
}

void cli_hold_interrupts(void)
{
    change_mask(SIG_BLOCK);
}

void cli_release_interrupts(void)
{
    change_mask(SIG_UNBLOCK);
}

void cli_note_interrupts(void)
{
    only_note = 1;
}

int cli_interrupted(void)
{
    return noted != 0;
}

void cli_obey_interrupts(void)
{
    only_note = 0;
    if (noted) {
        raise((int)noted);
    }
}

static int is_special(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

/* mkstemp makes private files; a result is as readable as the user's umask wants it. */
static void give_usual_mode(int descriptor)
{
    const mode_t mask = umask(0);
    umask(mask);
    (void)fchmod(descriptor, (mode_t)(0666 & ~mask));
}

static int opening_error(const char *path, int reason)
{
    return cli_error("%s: cannot be written (%s): choose another name with -o", path, strerror(reason));
}

static int open_temporary(cli_output *output)
{
    static const char suffix[] = ".XXXXXX";
    const size_t length = strlen(output->path);
    output->temporary = malloc(length + sizeof suffix);
    if (!output->temporary) {
        return cli_memory_error("a file name");
    }
    memcpy(output->temporary, output->path, length);
    memcpy(output->temporary + length, suffix, sizeof suffix);
    cli_hold_interrupts();
    const int descriptor = mkstemp(output->temporary);
    const int reason = errno;
    if (descriptor >= 0) {
        unfinished = output->temporary;
        give_usual_mode(descriptor);
        output->file = fdopen(descriptor, "w");
    }
    cli_release_interrupts();
    if (!output->file) {
        const int error = opening_error(output->path, reason);
        if (descriptor < 0) {
            free(output->temporary); /* there is no such file, or it is not ours */
            output->temporary = NULL;
        }
        cli_output_discard(output);
        return error;
    }
    return 0;
}

int cli_output_open(cli_output *output, const char *path)
{
    const int to_stdout = !path || strcmp(path, "-") == 0;
    *output = (cli_output){stdout, to_stdout ? NULL : path, NULL};
    if (to_stdout) {
        return 0;
    }
    output->file = NULL;
    if (!is_special(path)) {
        return open_temporary(output);
    }
    output->file = fopen(path, "w"); /* a device or a pipe has no complete state to protect */
    if (!output->file) {
        return opening_error(path, errno);
    }
    return 0;
}

void cli_output_discard(cli_output *output)
{
    if (output->file && output->file != stdout) {
        fclose(output->file);
    }
    if (output->temporary) {
        cli_hold_interrupts();
        unlink(output->temporary);
        unfinished = NULL;
        cli_release_interrupts();
        free(output->temporary);
    }
    *output = (cli_output){NULL, NULL, NULL};
}

static int write_error(const char *name, int reason)
{
    if (reason == EPIPE) {
        return CLI_EXIT_ERROR;
    }
    return cli_error("%s: cannot be written (%s): make room on the disk or choose another place", name,
                     strerror(reason));
}

/* Why an earlier write failed is not known any more; with a pipe there is only one reason. */
static int probable_reason(FILE *file)
{
    struct stat status;
    const int is_pipe = fstat(fileno(file), &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode));
    return is_pipe ? EPIPE : EIO;
}

/* 0 when all is on its way to the disk, else the reason as errno has it. */
static int finish(FILE *file)
{
    const int failed = ferror(file), reason = failed ? probable_reason(file) : EIO;
    errno = 0;
    const int flushed = file == stdout ? fflush(file) : fclose(file);
    return failed || flushed != 0 ? (errno ? errno : reason) : 0;
}

int cli_output_finish(void)
{
    const int reason = finish(stdout);
    return reason ? write_error("the output", reason) : 0;
}

static int publish(cli_output *output)
{
    int error = 0;
    cli_hold_interrupts();
    if (rename(output->temporary, output->path) != 0) {
        error = write_error(output->path, errno);
        unlink(output->temporary);
    }
    unfinished = NULL;
    cli_release_interrupts();
    return error;
}

int cli_output_close(cli_output *output)
{
    int error = 0;
    if (output->file != stdout) {
        const int reason = finish(output->file);
        output->file = NULL;
        if (reason) {
            error = write_error(output->path, reason);
            cli_output_discard(output);
            return error;
        }
        error = output->temporary ? publish(output) : 0;
        free(output->temporary);
    }
    *output = (cli_output){NULL, NULL, NULL};
    return error;
}

/* A device at work for a command. */
#include "device_work.h"

#include <math.h>
#include <time.h>

#include "json.h"
#include "message.h"
#include "output.h"
#include "report.h"

/* How often the progress bar and interrupts are polled. */
static const double look_seconds = 0.05;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* ---- errors ---- */

/* What to do when it is the device that failed, and not what it was asked. */
static const char *advice_of(const cli_device *device, tumble_status status)
{
    const int failed = status == TUMBLE_ERROR_DEVICE || status == TUMBLE_ERROR_MEMORY;
    if (device->number == 0 || !failed) {
        return status == TUMBLE_ERROR_UNSUPPORTED ? "use --device cpu, or --hierarchy wide or boxtree"
                                                  : cli_advice(status);
    }
    return device->retry ? "use --device cpu" : "use --device cpu, or --retry to let threads answer what it does not";
}

static int device_error(const cli_device *device, tumble_status status, const char *message)
{
    return cli_error("device %s: %s: %s", cli_name_device(device->number).text, message, advice_of(device, status));
}

static int library_error(const cli_device *device, tumble_status status)
{
    char text[1024] = "";
    if (tumble_last_error(device->context, text, sizeof text) != status || text[0] == '\0') {
        snprintf(text, sizeof text, "%s", tumble_status_text(status));
    }
    return device_error(device, status, text);
}

/* ---- opening ---- */

static tumble_status try_open(cli_device *device, uint32_t number, const tumble_device_options *options,
                              tumble_model *const models[2])
{
    const double start = now();
    tumble_status status = tumble_device_open(device->context, number, options, &device->device);
    const double opened = now();
    if (status == TUMBLE_OK) {
        status = tumble_device_add_model(device->device, models[0], &device->models[0]);
        device->models[1] = device->models[0];
    }
    if (status == TUMBLE_OK && models[1] != models[0]) {
        status = tumble_device_add_model(device->device, models[1], &device->models[1]);
    }
    device->sums = (cli_device_sums){.open_seconds = opened - start, .model_seconds = now() - opened};
    device->pair = (tumble_model_pair){device->models[0], device->models[1]};
    return status;
}

static void release(cli_device *device)
{
    tumble_device_close(device->device);
    device->device = NULL;
    device->models[0] = device->models[1] = NULL;
}

/* The message of a failure is the context's last one: it has to be told before the next call. */
static int open_with_models(cli_device *device, const tumble_device_options *options, tumble_model *const models[2])
{
    tumble_status status = try_open(device, device->number, options, models);
    if (status != TUMBLE_OK && device->number > 0 && device->retry) {
        char text[1024] = "";
        tumble_last_error(device->context, text, sizeof text);
        cli_warning("device %s: %s; threads of this machine are used instead", cli_name_device(device->number).text,
                    text[0] ? text : tumble_status_text(status));
        release(device);
        device->number = 0;
        status = try_open(device, 0, options, models);
    }
    return status == TUMBLE_OK ? 0 : library_error(device, status);
}

int cli_device_open(cli_device *device, tumble_context *context, const cli_device_options *options,
                    uint32_t thread_count, tumble_model *const models[2])
{
    tumble_device_options wanted = tumble_default_device_options();
    wanted.thread_count = thread_count;
    device->retry = options->retry;
    wanted.retry_on_cpu = options->retry != 0;
    device->context = context;
    cli_note_interrupts();
    cli_progress *progress = cli_progress_begin("opening the device");
    int error = open_with_models(device, &wanted, models);
    cli_progress_end(progress);
    if (!error) {
        device->info = (tumble_device_info){0};
        const tumble_status status = tumble_device_get_info(device->device, &device->info);
        error = status == TUMBLE_OK ? 0 : library_error(device, status);
    }
    return error;
}

void cli_device_close(cli_device *device)
{
    release(device);
}

/* ---- batches ---- */

int cli_device_submit(cli_device *device, const tumble_batch *batch, tumble_ticket *ticket)
{
    const tumble_status status = tumble_device_submit(device->device, batch, INFINITY, ticket);
    return status == TUMBLE_OK ? 0 : library_error(device, status);
}

static void show_progress(const cli_device *device, tumble_ticket ticket)
{
    tumble_ticket_report report;
    if (device->all_count > 1 && tumble_device_poll(device->device, ticket, &report) == TUMBLE_OK) {
        cli_progress_set(device->progress,
                         (double)(device->done_count + report.done_count) / (double)device->all_count);
    }
}

static void add_up(cli_device_sums *sums, const tumble_ticket_report *report)
{
    sums->check_count += report->check_count;
    sums->retried_count += report->retried_count;
    sums->exact_count += report->exact_count;
    sums->waiting_seconds += report->waiting_seconds;
    sums->upload_seconds += report->upload_seconds;
    sums->run_seconds += report->run_seconds;
    sums->result_seconds += report->result_seconds;
}

/* If a check itself is at fault, the message names its number; else the device. */
static int batch_error(const cli_device *device, const tumble_batch *batch, tumble_status status, size_t first_step,
                       const char *message)
{
    const char *text = message[0] ? message : tumble_status_text(status);
    const int failed = status == TUMBLE_ERROR_DEVICE || status == TUMBLE_ERROR_MEMORY;
    for (size_t i = 0; i < batch->check_count && !failed; i++) {
        if (batch->answers[i].status == (uint32_t)status) {
            return cli_error("step %zu: %s: %s", first_step + i, text, cli_advice(status));
        }
    }
    return device_error(device, status, text);
}

int cli_device_wait(cli_device *device, const tumble_batch *batch, tumble_ticket ticket, size_t first_step)
{
    tumble_ticket_report report;
    tumble_status status;
    do {
        if (cli_interrupted()) {
            return CLI_EXIT_ERROR;
        }
        status = tumble_device_wait(device->device, ticket, look_seconds, &report);
        if (status == TUMBLE_ERROR_TIMEOUT) {
            show_progress(device, ticket);
        }
    } while (status == TUMBLE_ERROR_TIMEOUT);
    if (status != TUMBLE_OK) {
        return batch_error(device, batch, status, first_step, report.message);
    }
    add_up(&device->sums, &report);
    return 0;
}

void cli_device_note_retries(const cli_device *device)
{
    if (device->sums.retried_count > 0) {
        cli_note("device %s failed to answer %s; threads of this machine did", cli_name_device(device->number).text,
                 cli_format_number_of(device->sums.retried_count, "check", "checks").text);
    }
}

/* ---- what it took ---- */

static double work_seconds(const cli_device_sums *sums)
{
    return sums->upload_seconds + sums->run_seconds + sums->result_seconds;
}

static double checks_per_second(const cli_device_sums *sums)
{
    const double seconds = work_seconds(sums);
    return seconds > 0 ? (double)sums->check_count / seconds : 0;
}

/* "80,013", "2.71" */
static cli_word format_rate(double rate)
{
    cli_word word;
    if (rate >= 1000) {
        return cli_format_count((uint64_t)rate);
    }
    snprintf(word.text, sizeof word.text, "%.3g", rate);
    return word;
}

static void add_time(cli_table *table, const char *name, double seconds, const char *meaning)
{
    cli_table_add(table, "%s", name);
    cli_table_add(table, "%s", cli_format_duration(seconds).text);
    cli_table_add(table, "%s", meaning);
}

static void add_count(cli_table *table, const char *name, uint64_t count, const char *meaning)
{
    cli_table_add(table, "%s", name);
    cli_table_add(table, "%s", cli_format_count(count).text);
    cli_table_add(table, "%s", meaning);
}

int cli_device_text(FILE *file, const cli_device *device, int with_times)
{
    const cli_device_sums *sums = &device->sums;
    const int is_pool = device->info.kind == TUMBLE_DEVICE_CPU;
    fprintf(file, "\n%s in %s on %s (%s): %s per second\n",
            cli_format_number_of(sums->check_count, "check", "checks").text,
            cli_format_duration(work_seconds(sums)).text, cli_name_device(device->number).text, device->info.name,
            format_rate(checks_per_second(sums)).text);
    if (!with_times) {
        return 0;
    }
    cli_table table = {.alignments = "lrl"};
    add_time(&table, "opening", sums->open_seconds, is_pool ? "starting the threads" : "compiling the kernels, mostly");
    if (!is_pool) {
        add_time(&table, "models", sums->model_seconds, "until they were on the device");
    }
    add_time(&table, "waiting", sums->waiting_seconds, "until the checks were taken up");
    if (!is_pool) {
        add_time(&table, "upload", sums->upload_seconds, "until the poses were there");
    }
    add_time(&table, "run", sums->run_seconds, is_pool ? "of the threads" : "of the kernels");
    if (!is_pool) {
        add_time(&table, "result", sums->result_seconds, "until the answers were back and settled");
        add_count(&table, "retried", sums->retried_count, "checks that threads answered instead of the device");
        add_count(&table, "exact", sums->exact_count, "pairs of triangles that were left to exact arithmetic");
    }
    return cli_table_print(&table, file, 2);
}

static void json_time(cli_json *json, const char *key, double seconds)
{
    cli_json_real(json, key, cli_round_time(1e6 * seconds));
}

void cli_device_json(FILE *file, const cli_device *device)
{
    const cli_device_sums *sums = &device->sums;
    cli_json json = {.file = file};
    cli_json_open_object(&json, NULL);
    cli_json_text(&json, "device", cli_name_device(device->number).text);
    cli_json_text(&json, "name", device->info.name);
    cli_json_whole(&json, "checks", sums->check_count);
    cli_json_real(&json, "checks_per_second", cli_round_time(checks_per_second(sums)));
    cli_json_whole(&json, "retried", sums->retried_count);
    cli_json_whole(&json, "exact", sums->exact_count);
    cli_json_open_object(&json, "microseconds");
    json_time(&json, "opening", sums->open_seconds);
    json_time(&json, "models", sums->model_seconds);
    json_time(&json, "waiting", sums->waiting_seconds);
    json_time(&json, "upload", sums->upload_seconds);
    json_time(&json, "run", sums->run_seconds);
    json_time(&json, "result", sums->result_seconds);
    cli_json_close_object(&json);
    cli_json_close_object(&json);
}

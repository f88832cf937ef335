/* What the questions of compare.py cost in C: compare.py saves its models and poses and runs this.
 *     tumble_python_baseline MODEL_A MODEL_B POSES SINGLE [cpu]
 * POSES holds rows of 12 doubles. Prints the nanoseconds of one yes/no query at each of the first SINGLE poses, then
 * the seconds of a batch of all the others on the pool of threads: the least of several rounds, and the median;
 * with "cpu", of processor time. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <tumble/tumble.h>

enum {
    rounds = 15
};

static clockid_t used_clock = CLOCK_MONOTONIC;

static double now(void)
{
    struct timespec time;
    clock_gettime(used_clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void fail(const char *what)
{
    fprintf(stderr, "baseline: %s failed\n", what);
    exit(1);
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_times(const char *name, double times[rounds], double factor)
{
    qsort(times, rounds, sizeof *times, compare);
    printf("%s %.9g %.9g\n", name, factor * times[0], factor * times[rounds / 2]);
}

static tumble_pose *read_poses(const char *path, size_t *count)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) {
        fail(path);
    }
    *count = (size_t)ftell(file) / sizeof(tumble_pose);
    rewind(file);
    tumble_pose *poses = malloc(*count * sizeof *poses);
    if (!poses || fread(poses, sizeof *poses, *count, file) != *count) {
        fail(path);
    }
    fclose(file);
    return poses;
}

static void time_calls(tumble_context *context, const tumble_model *a, const tumble_model *b, const tumble_pose *pose)
{
    tumble_query *query;
    if (tumble_query_create(context, &query) != TUMBLE_OK) {
        fail("the query");
    }
    tumble_collide_options options = tumble_default_collide_options();
    options.mode = TUMBLE_TEST;
    double times[rounds];
    for (int round = 0; round < rounds; round++) {
        const double start = now();
        for (int i = 0; i < 2000; i++) {
            tumble_collide_result result;
            if (tumble_collide(query, a, NULL, b, pose, &options, &result) != TUMBLE_OK) {
                fail("a query");
            }
        }
        times[round] = (now() - start) / 2000;
    }
    print_times("call", times, 1e9);
    tumble_query_destroy(query);
}

static void time_batch(tumble_context *context, const tumble_model *a, const tumble_model *b, const tumble_pose *poses,
                       size_t count)
{
    tumble_device *device;
    tumble_model_pair pair;
    tumble_check_answer *answers = calloc(count, sizeof *answers);
    if (!answers || tumble_device_open(context, 0, NULL, &device) != TUMBLE_OK ||
        tumble_device_add_model(device, a, &pair.a) != TUMBLE_OK ||
        tumble_device_add_model(device, b, &pair.b) != TUMBLE_OK) {
        fail("the device");
    }
    tumble_batch batch = tumble_default_batch();
    batch.check_count = count, batch.pairs = &pair, batch.pair_count = 1;
    batch.poses_b = poses, batch.pose_b_count = count, batch.answers = answers;
    double times[rounds];
    for (int round = 0; round < rounds; round++) {
        const double start = now();
        tumble_ticket ticket;
        if (tumble_device_submit(device, &batch, INFINITY, &ticket) != TUMBLE_OK ||
            tumble_device_wait(device, ticket, INFINITY, NULL) != TUMBLE_OK) {
            fail("the batch");
        }
        times[round] = now() - start;
    }
    print_times("batch", times, 1);
    tumble_device_close(device);
    free(answers);
}

int main(int argc, char **argv)
{
    tumble_context *context;
    tumble_model *a, *b;
    size_t count = 0;
    used_clock = argc == 6 && strcmp(argv[5], "cpu") == 0 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC;
    if (argc < 5 || tumble_context_create(NULL, &context) != TUMBLE_OK ||
        tumble_model_load(context, argv[1], &a) != TUMBLE_OK || tumble_model_load(context, argv[2], &b) != TUMBLE_OK) {
        fail("loading");
    }
    tumble_pose *poses = read_poses(argv[3], &count);
    const size_t single = strtoul(argv[4], NULL, 10);
    for (size_t i = 0; i < single && i < count; i++) {
        time_calls(context, a, b, &poses[i]);
    }
    if (count > single) {
        time_batch(context, a, b, poses + single, count - single);
    }
    free(poses);
    tumble_model_destroy(a);
    tumble_model_destroy(b);
    tumble_context_destroy(context);
}

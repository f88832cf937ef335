#include "world.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void require(tumble_status status, const char *what)
{
    if (status != TUMBLE_OK) {
        fprintf(stderr, "torture: %s: %s\n", what, tumble_status_name(status));
        abort();
    }
}

void torture_world_begin(torture_world *world, torture_slip slip, int with_opencl)
{
    static const tumble_simd levels[TORTURE_LEVELS] = {TUMBLE_SIMD_SCALAR, TUMBLE_SIMD_AVX2, TUMBLE_SIMD_AVX512};
    memset(world, 0, sizeof *world);
    world->slip = slip;
    world->with_opencl = with_opencl;
    for (int i = 0; i < TORTURE_LEVELS; i++) {
        tumble_context_options options = tumble_default_context_options();
        options.simd = levels[i];
        options.thread_count = 1;
        require(tumble_context_create(&options, &world->contexts[i]), "a context");
    }
    world->oracle = oracle_create();
    world->rays = ray_oracle_create();
}

void torture_world_clean(torture_world *world)
{
    DIR *folder = world->folder[0] ? opendir(world->folder) : NULL;
    if (!folder) {
        return;
    }
    const struct dirent *entry;
    while ((entry = readdir(folder)) != NULL) {
        char path[400];
        snprintf(path, sizeof path, "%s/%s", world->folder, entry->d_name);
        (void)unlink(path);
    }
    closedir(folder);
    (void)rmdir(world->folder);
    world->folder[0] = 0;
}

void torture_world_end(torture_world *world)
{
    tumble_device_close(world->pool);
    tumble_device_close(world->opencl[0]);
    tumble_device_close(world->opencl[1]);
    for (int i = 0; i < TORTURE_LEVELS; i++) {
        tumble_context_destroy(world->contexts[i]);
    }
    oracle_destroy(world->oracle);
    ray_oracle_destroy(world->rays);
    torture_world_clean(world);
}

tumble_device *torture_pool(torture_world *world)
{
    if (!world->pool) {
        tumble_device_options options = tumble_default_device_options();
        options.thread_count = 4;
        require(tumble_device_open(world->contexts[2], 0, &options, &world->pool), "the pool");
    }
    return world->pool;
}

tumble_device *torture_opencl(torture_world *world, int without_doubles)
{
    uint32_t count = 0;
    if (!world->with_opencl || tumble_device_count(world->contexts[2], &count) != TUMBLE_OK || count < 2) {
        return NULL;
    }
    tumble_device **device = &world->opencl[without_doubles != 0];
    if (!*device) {
        tumble_device_options options = tumble_default_device_options();
        options.without_doubles = without_doubles;
        require(tumble_device_open(world->contexts[2], 1, &options, device), "the OpenCL device");
    }
    return *device;
}

tumble_device *torture_tight_opencl(torture_world *world, int without_doubles)
{
    tumble_device_options options = tumble_default_device_options();
    tumble_device *device = NULL;
    tumble_device_memory need;
    require(tumble_device_get_memory(torture_opencl(world, without_doubles), &need), "the memory of a device");
    options.without_doubles = without_doubles;
    options.memory_limit = need.used_bytes - need.buffer_bytes + 3 * need.model_bytes / need.model_count;
    world->tight_limit = options.memory_limit;
    require(tumble_device_open(world->contexts[2], 1, &options, &device), "the OpenCL device");
    return device;
}

const char *torture_folder(torture_world *world)
{
    if (!world->folder[0]) {
        const char *parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
        snprintf(world->folder, sizeof world->folder, "%s/tumble-torture-XXXXXX", parent);
        if (!mkdtemp(world->folder)) {
            perror("torture: a folder for files");
            abort();
        }
    }
    return world->folder;
}

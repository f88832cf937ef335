#include "tuning.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct kept_tuning {
    struct kept_tuning *next;
    tumble_tuning tuning;
} kept_tuning;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
enum {
    BUCKETS = 4096
};
static kept_tuning *kept[BUCKETS];

/* Some tests draw thousands of tunings by lot. */
static size_t bucket_of(const tumble_tuning *tuning)
{
    const unsigned char *bytes = (const unsigned char *)tuning;
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < sizeof *tuning; i++) {
        hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
    }
    return (size_t)((hash ^ hash >> 32) % BUCKETS);
}

const tumble_tuning *test_keep_tuning(const tumble_tuning *tuning)
{
    kept_tuning **bucket = &kept[bucket_of(tuning)];
    pthread_mutex_lock(&lock);
    kept_tuning *found = *bucket;
    while (found && memcmp(&found->tuning, tuning, sizeof *tuning) != 0) {
        found = found->next;
    }
    if (!found) {
        found = malloc(sizeof *found);
        if (!found) {
            abort();
        }
        memcpy(&found->tuning, tuning, sizeof *tuning);
        found->next = *bucket;
        *bucket = found;
    }
    pthread_mutex_unlock(&lock);
    return &found->tuning;
}

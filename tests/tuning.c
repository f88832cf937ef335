#include "tuning.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct kept_tuning {
    struct kept_tuning *next;
    tumble_tuning tuning;
} kept_tuning;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static kept_tuning *kept;

const tumble_tuning *test_keep_tuning(const tumble_tuning *tuning)
{
    pthread_mutex_lock(&lock);
    kept_tuning *found = kept;
    while (found && memcmp(&found->tuning, tuning, sizeof *tuning) != 0) {
        found = found->next;
    }
    if (!found) {
        found = malloc(sizeof *found);
        if (!found) {
            abort();
        }
        memcpy(&found->tuning, tuning, sizeof *tuning);
        found->next = kept;
        kept = found;
    }
    pthread_mutex_unlock(&lock);
    return &found->tuning;
}

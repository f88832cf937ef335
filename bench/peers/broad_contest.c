/* The same boxes to all broad phases. */
#include "broad_contest.h"

#include <stdlib.h>

#include "failure.h"
#include "machine.h"

static const broad_peer *(*const libraries[])(void) = {
    broad_tumble,
#ifdef TUMBLE_PEER_FCL
    broad_fcl,
#endif
#ifdef TUMBLE_PEER_CGAL
    broad_cgal,
#endif
#ifdef TUMBLE_PEER_EMBREE
    broad_embree,
#endif
#ifdef TUMBLE_PEER_BULLET
    broad_bullet,
#endif
#ifdef TUMBLE_PEER_ODE
    broad_ode,
#endif
};

static int wanted(const bench_words *words, const broad_peer *peer, size_t box_count)
{
    return peer->is_tumble || (bench_words_have(words, peer->name) && (peer->most == 0 || box_count <= peer->most));
}

broad_contest broad_contest_open(const bench_words *peers, size_t box_count)
{
    broad_contest contest = {.count = 0};
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        for (const broad_peer *peer = libraries[i](); peer->name; peer++) {
            if (wanted(peers, peer, box_count) && contest.count < BROAD_MOST) {
                contest.items[contest.count++] = peer;
            }
        }
    }
    return contest;
}

static int overlap(const broad_box *a, const broad_box *b)
{
    for (int k = 0; k < 3; k++) {
        if (a->low[k] > b->high[k] || b->low[k] > a->high[k]) {
            return 0;
        }
    }
    return 1;
}

/* Sums of these do not depend on the order, and notice what is there twice. */
static uint64_t mixed(tumble_pair pair)
{
    const uint64_t low = pair.polygon_a < pair.polygon_b ? pair.polygon_a : pair.polygon_b;
    uint64_t bits = low << 32 | (pair.polygon_a ^ pair.polygon_b ^ low);
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
    return bits ^ bits >> 31;
}

broad_answer broad_judge(const broad_peer *peer, void *world, size_t reported, const broad_box *boxes)
{
    broad_answer answer = {.reported = reported};
    tumble_pair *pairs = bench_allocate(reported + 1, sizeof *pairs);
    peer->pairs(world, pairs);
    for (size_t i = 0; i < reported; i++) {
        if (overlap(&boxes[pairs[i].polygon_a], &boxes[pairs[i].polygon_b])) {
            answer.exact++;
            answer.hash += mixed(pairs[i]);
        }
    }
    free(pairs);
    return answer;
}

double broad_time_step(const broad_peer *peer, void *world, size_t *reported)
{
    const double start = bench_process_microseconds();
    *reported = peer->step(world);
    return bench_process_microseconds() - start;
}

double broad_time_some(const broad_peer *peer, void *world, size_t *reported)
{
    const double start = bench_process_microseconds();
    *reported = peer->step_some ? peer->step_some(world) : peer->step(world);
    return bench_process_microseconds() - start;
}

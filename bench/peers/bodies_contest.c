/* Who takes part in scenes of meshes. */
#include "bodies_contest.h"

#include <string.h>

static const bodies_peer *(*const libraries[])(void) = {
    bodies_tumble,
#ifdef TUMBLE_PEER_FCL
    bodies_fcl,
#endif
};

bodies_contest bodies_contest_open(const bench_words *peers, int of_states)
{
    bodies_contest contest = {.count = 0};
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        for (const bodies_peer *peer = libraries[i](); peer->name; peer++) {
            const int is_named = strcmp(peer->name, "tumble") == 0 || bench_words_have(peers, peer->name);
            if (is_named && (of_states || peer->all) && contest.count < BODIES_MOST) {
                contest.items[contest.count++] = peer;
            }
        }
    }
    return contest;
}

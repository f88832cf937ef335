/* Ways of tumbling a k-DOP of B that look at more than three of its bounds. */
#include <math.h>

#include "query/kdop_walk.h"

void tmb_kdop_tumble_hull(tmb_kdop_state *s, float *apart)
{
    (void)s;
    (void)apart;
}

void tmb_kdop_tumble_lookup(tmb_kdop_state *s, uint32_t node, float *apart)
{
    (void)s;
    (void)node;
    (void)apart;
}

/* Ways of tumbling a k-DOP of B that look at more than three of its bounds. */
#include <math.h>

#include "query/kdop_walk.h"

void tmb_kdop_tumble_hull(tmb_kdop_state *s, float *apart)
{
    (void)s;
    (void)apart;
}

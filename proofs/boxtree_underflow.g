# statement: what underflows in the gaps is less than what is added for it
# place: src/collide/boxtree/setup.c, start_gaps; docs/boxtree.md, Why no pair is lost
# constant: TMB_GAP_UNDERFLOW
#
# Numbers are scaled to about 1. Each product loses at most half of the least double: fewer than 64 at the root, and
# four on each of fewer than 512 levels of both trees, each times factors of at most 4.
{ |l| <= 0x1p-1075 -> 4 * (64 + 4 * 512) * l - @TMB_GAP_UNDERFLOW@ <= 0 }

/* Boxes of moving models over a span of time. */
#include "motion/sweep.h"

tmb_descent tmb_descent_of(tmb_first *first, const tmb_first_pair *pair, double from, double to)
{
    tmb_descent way = {.first = first, .pair = pair};
    for (int side = 0; side < 2; side++) {
        way.at[side][0] = tmb_placed_at(&first->moving[side], from);
        way.at[side][1] = tmb_placed_at(&first->moving[side], to);
    }
    return way;
}

tmb_swept tmb_sweep_node(const tmb_descent *way, int side, const tmb_box_node *node)
{
    tmb_swept out = {.lower = {{0}}};
    for (int end = 0; end < 2; end++) {
        tmb_placed_box(&way->at[side][end], node->lower, node->upper, out.lower[end], out.upper[end]);
    }
    return out;
}

double tmb_node_bend(const tmb_first *f, int side, const tmb_box_node *node, double span)
{
    const tmb_moving *moving = &f->moving[side];
    return moving->angle == 0 ? 0 : tmb_moving_bend(moving, tmb_moving_arm(moving, node->lower, node->upper), span);
}

double tmb_node_size(const tmb_first *f, int side, const tmb_box_node *node)
{
    double size = 0;
    for (int k = 0; k < 3; k++) {
        const double half = 0.5 * node->upper[k] - 0.5 * node->lower[k];
        size = half > size ? half : size;
    }
    return 2 * size * f->moving[side].stretch;
}

static void widen(tmb_swept *box, int end, const double point[3])
{
    for (int k = 0; k < 3; k++) {
        box->lower[end][k] = point[k] < box->lower[end][k] ? point[k] : box->lower[end][k];
        box->upper[end][k] = point[k] > box->upper[end][k] ? point[k] : box->upper[end][k];
    }
}

void tmb_sweep_leaf(const tmb_descent *way, int side, const tmb_box_node *node, tmb_swept_leaf *out)
{
    const tumble_model *model = way->first->moving[side].model;
    uint32_t address = node->reference;
    out->count = node->triangle_count;
    for (uint32_t i = 0; i < out->count; i++) {
        address = i ? tmb_box_next_triangle(model, address) : address;
        out->addresses[i] = address;
        for (int end = 0; end < 2; end++) {
            double(*corners)[3] = out->corners[i][end];
            tmb_first_corners(way->first, side, address, &way->at[side][end], corners);
            for (int k = 0; k < 3; k++) {
                out->boxes[i].lower[end][k] = out->boxes[i].upper[end][k] = corners[0][k];
            }
            widen(&out->boxes[i], end, corners[1]);
            widen(&out->boxes[i], end, corners[2]);
        }
    }
}

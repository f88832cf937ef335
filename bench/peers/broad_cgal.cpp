/* CGAL: box_self_intersection_d, from nothing each step. Its time depends on a cutoff below which it sweeps; the best
 * one for the first boxes is searched. */
#include <CGAL/box_intersection_d.h>
#include <CGAL/version.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "broad.h"

namespace
{

using boxed =
    CGAL::Box_intersection_d::Box_with_handle_d<float, 3, const broad_box *, CGAL::Box_intersection_d::ID_FROM_HANDLE>;

struct cgal_world {
    std::vector<broad_box> given;
    std::vector<boxed> boxes;
    std::vector<tumble_pair> pairs;
    std::ptrdiff_t cutoff;
};

void place(void *pointer, const broad_box *boxes)
{
    auto *world = static_cast<cgal_world *>(pointer);
    std::copy_n(boxes, world->given.size(), world->given.begin());
    world->boxes.clear();
    for (const broad_box &box : world->given) {
        float low[3], high[3];
        std::copy_n(box.low, 3, low);
        std::copy_n(box.high, 3, high);
        world->boxes.emplace_back(low, high, &box);
    }
}

size_t step(void *pointer)
{
    auto *world = static_cast<cgal_world *>(pointer);
    const broad_box *first = world->given.data();
    world->pairs.clear();
    const auto keep = [world, first](const boxed &a, const boxed &b) {
        world->pairs.push_back({static_cast<uint32_t>(a.handle() - first), static_cast<uint32_t>(b.handle() - first)});
    };
    CGAL::box_self_intersection_d(world->boxes.begin(), world->boxes.end(), keep, world->cutoff,
                                  CGAL::Box_intersection_d::CLOSED);
    return world->pairs.size();
}

double time_with(cgal_world *world, const std::vector<broad_box> &boxes, std::ptrdiff_t cutoff)
{
    world->cutoff = cutoff;
    place(world, boxes.data());
    const auto start = std::chrono::steady_clock::now();
    step(world);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/* From 100 upward in doublings until that is slower twice. */
std::ptrdiff_t best_cutoff(cgal_world *world, const std::vector<broad_box> &boxes)
{
    std::ptrdiff_t best = 100;
    double least = time_with(world, boxes, best);
    int worse = 0;
    for (std::ptrdiff_t cutoff = 2 * best; worse < 2; cutoff *= 2) {
        const double time = time_with(world, boxes, cutoff);
        worse = time < least ? 0 : worse + 1;
        if (time < least) {
            least = time;
            best = cutoff;
        }
    }
    return best;
}

void *create(const broad_box *boxes, size_t count)
{
    auto *world = new cgal_world;
    const std::vector<broad_box> copy(boxes, boxes + count);
    world->given = copy;
    world->cutoff = best_cutoff(world, copy);
    return world;
}

void destroy(void *pointer)
{
    delete static_cast<cgal_world *>(pointer);
}

void pairs(void *pointer, tumble_pair *out)
{
    auto *world = static_cast<cgal_world *>(pointer);
    std::copy(world->pairs.begin(), world->pairs.end(), out);
}

} // namespace

const broad_peer *broad_cgal(void)
{
    static const broad_peer list[] = {{"cgal", CGAL_VERSION_STR, "box_self_intersection_d, best cutoff", 0, create,
                                       destroy, place, nullptr, step, nullptr, pairs},
                                      {}};
    return list;
}

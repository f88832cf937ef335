/* ODE's spaces: the sweep and prune and the hashed grids. Its geoms are boxes with a position. */
#include <ode/ode.h>

#include <algorithm>
#include <vector>

#include "broad.h"

namespace
{

struct ode_world {
    dSpaceID space;
    std::vector<dGeomID> geoms;
    std::vector<broad_box> boxes;
    std::vector<tumble_pair> pairs;
};

uint32_t number_of(dGeomID geom)
{
    return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(dGeomGetData(geom)));
}

void keep(void *user, dGeomID a, dGeomID b)
{
    static_cast<ode_world *>(user)->pairs.push_back({number_of(a), number_of(b)});
}

double middle(const broad_box &box, int axis)
{
    return 0.5 * (static_cast<double>(box.low[axis]) + static_cast<double>(box.high[axis]));
}

double side(const broad_box &box, int axis)
{
    return static_cast<double>(box.high[axis]) - static_cast<double>(box.low[axis]);
}

void *create(dSpaceID space, const broad_box *boxes, size_t count)
{
    auto *world = new ode_world;
    world->space = space;
    for (size_t i = 0; i < count; i++) {
        world->geoms.push_back(dCreateBox(space, static_cast<dReal>(side(boxes[i], 0)),
                                          static_cast<dReal>(side(boxes[i], 1)),
                                          static_cast<dReal>(side(boxes[i], 2))));
        dGeomSetData(world->geoms[i], reinterpret_cast<void *>(i));
        dGeomSetPosition(world->geoms[i], static_cast<dReal>(middle(boxes[i], 0)),
                         static_cast<dReal>(middle(boxes[i], 1)), static_cast<dReal>(middle(boxes[i], 2)));
    }
    world->boxes.assign(boxes, boxes + count);
    return world;
}

void start_once()
{
    static const bool started = dInitODE2(0) && dAllocateODEDataForThread(dAllocateMaskAll);
    (void)started;
}

void *create_sweep(const broad_box *boxes, size_t count)
{
    start_once();
    return create(dSweepAndPruneSpaceCreate(nullptr, dSAP_AXES_XZY), boxes, count);
}

void *create_hash(const broad_box *boxes, size_t count)
{
    start_once();
    return create(dHashSpaceCreate(nullptr), boxes, count);
}

void destroy(void *pointer)
{
    auto *world = static_cast<ode_world *>(pointer);
    dSpaceDestroy(world->space);
    delete world;
}

void place(void *pointer, const broad_box *boxes)
{
    auto *world = static_cast<ode_world *>(pointer);
    world->boxes.assign(boxes, boxes + world->boxes.size());
}

size_t step(void *pointer)
{
    auto *world = static_cast<ode_world *>(pointer);
    for (size_t i = 0; i < world->geoms.size(); i++) {
        const broad_box &box = world->boxes[i];
        dGeomSetPosition(world->geoms[i], static_cast<dReal>(middle(box, 0)), static_cast<dReal>(middle(box, 1)),
                         static_cast<dReal>(middle(box, 2)));
    }
    world->pairs.clear();
    dSpaceCollide(world->space, world, keep);
    return world->pairs.size();
}

void pairs(void *pointer, tumble_pair *out)
{
    auto *world = static_cast<ode_world *>(pointer);
    std::copy(world->pairs.begin(), world->pairs.end(), out);
}

} // namespace

const broad_peer *broad_ode(void)
{
    static const broad_peer list[] = {{"ode-sweep", "0.16.2", "sweep and prune space: dSpaceCollide", 100000,
                                       create_sweep, destroy, place, nullptr, step, nullptr, pairs},
                                      {"ode-hash", "0.16.2", "hash space: dSpaceCollide", 30000, create_hash, destroy,
                                       place, nullptr, step, nullptr, pairs},
                                      {}};
    return list;
}

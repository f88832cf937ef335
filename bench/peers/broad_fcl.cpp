/* FCL's broad phases: the dynamic tree of boxes, as pointers and as an array, and the sweep along one axis. Boxes are
 * handed over as they are. update() fits the tree to its boxes again. */
#include <fcl/broadphase/broadphase_SSaP.h>
#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/broadphase/broadphase_dynamic_AABB_tree_array.h>
#include <fcl/config.h>
#include <fcl/geometry/shape/box.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "broad.h"

namespace
{

struct box_object : fcl::CollisionObjectd {
    explicit box_object(const std::shared_ptr<fcl::CollisionGeometryd> &shape) : fcl::CollisionObjectd(shape)
    {
    }

    void set(const broad_box &box)
    {
        for (int k = 0; k < 3; k++) {
            aabb.min_[k] = box.low[k];
            aabb.max_[k] = box.high[k];
        }
    }
};

template <class Manager> struct fcl_world {
    std::vector<std::unique_ptr<box_object>> objects;
    std::vector<fcl::CollisionObjectd *> moved;
    std::vector<tumble_pair> pairs;
    Manager manager;
};

uint32_t number_of(const fcl::CollisionObjectd *object)
{
    return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(object->getUserData()));
}

/* The trees report only pairs whose boxes overlap. */
bool keep(fcl::CollisionObjectd *a, fcl::CollisionObjectd *b, void *user)
{
    static_cast<std::vector<tumble_pair> *>(user)->push_back({number_of(a), number_of(b)});
    return false;
}

template <class Manager> void *create(const broad_box *boxes, size_t count)
{
    auto *world = new fcl_world<Manager>;
    std::vector<fcl::CollisionObjectd *> all;
    const auto shape = std::make_shared<fcl::Boxd>(1, 1, 1);
    for (size_t i = 0; i < count; i++) {
        world->objects.push_back(std::make_unique<box_object>(shape));
        world->objects[i]->set(boxes[i]);
        world->objects[i]->setUserData(reinterpret_cast<void *>(i));
        all.push_back(world->objects[i].get());
    }
    world->manager.registerObjects(all);
    world->manager.setup();
    return world;
}

template <class Manager> void destroy(void *world)
{
    delete static_cast<fcl_world<Manager> *>(world);
}

template <class Manager> void place(void *pointer, const broad_box *boxes)
{
    auto *world = static_cast<fcl_world<Manager> *>(pointer);
    for (size_t i = 0; i < world->objects.size(); i++) {
        world->objects[i]->set(boxes[i]);
    }
}

template <class Manager> void place_some(void *pointer, const broad_box *boxes, const uint32_t *which, size_t count)
{
    auto *world = static_cast<fcl_world<Manager> *>(pointer);
    world->moved.clear();
    for (size_t i = 0; i < count; i++) {
        world->objects[which[i]]->set(boxes[which[i]]);
        world->moved.push_back(world->objects[which[i]].get());
    }
}

template <class Manager> size_t find(fcl_world<Manager> *world)
{
    world->pairs.clear();
    world->manager.collide(&world->pairs, keep);
    return world->pairs.size();
}

template <class Manager> size_t step(void *pointer)
{
    auto *world = static_cast<fcl_world<Manager> *>(pointer);
    world->manager.update();
    return find(world);
}

template <class Manager> size_t step_some(void *pointer)
{
    auto *world = static_cast<fcl_world<Manager> *>(pointer);
    if (!world->moved.empty()) {
        static_cast<fcl::BroadPhaseCollisionManagerd &>(world->manager).update(world->moved);
    }
    return find(world);
}

template <class Manager> void pairs(void *pointer, tumble_pair *out)
{
    auto *world = static_cast<fcl_world<Manager> *>(pointer);
    std::copy(world->pairs.begin(), world->pairs.end(), out);
}

template <class Manager> broad_peer described(const char *name, const char *method, size_t most)
{
    return {name,
            FCL_VERSION,
            method,
            most,
            create<Manager>,
            destroy<Manager>,
            place<Manager>,
            place_some<Manager>,
            step<Manager>,
            step_some<Manager>,
            pairs<Manager>};
}

} // namespace

const broad_peer *broad_fcl(void)
{
    static const broad_peer list[] = {
        described<fcl::DynamicAABBTreeCollisionManagerd>("fcl", "dynamic tree: update, collide", 0),
        described<fcl::DynamicAABBTreeCollisionManager_Arrayd>("fcl-array", "the same in an array", 0),
        described<fcl::SSaPCollisionManagerd>("fcl-sweep", "SSaP: update, collide", 30000),
        {}};
    return list;
}

/* Bullet's broad phases. The dynamic trees, with collisions deferred to the end of a step, which is faster when all
 * move, or found box by box, which is faster when few do; they report boxes enlarged by a margin, and pairs that have
 * parted stay for some steps. And the sweep along three axes. */
#include <btBulletCollisionCommon.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "broad.h"

namespace
{

struct coordinates {
    btVector3 low, high;
};

struct bullet_world {
    std::unique_ptr<btBroadphaseInterface> broad;
    btDbvtBroadphase *tree = nullptr; /* the same, if it is one */
    std::vector<btBroadphaseProxy *> proxies;
    std::vector<coordinates> boxes; /* of those that move */
    std::vector<uint32_t> moved;
};

coordinates coordinates_of(const broad_box &box)
{
    return {btVector3(box.low[0], box.low[1], box.low[2]), btVector3(box.high[0], box.high[1], box.high[2])};
}

void *add_boxes(bullet_world *world, const broad_box *boxes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const coordinates box = coordinates_of(boxes[i]);
        world->proxies.push_back(world->broad->createProxy(box.low, box.high, BOX_SHAPE_PROXYTYPE,
                                                           reinterpret_cast<void *>(i), 1, -1, nullptr));
    }
    world->broad->calculateOverlappingPairs(nullptr);
    return world;
}

void *create_tree(const broad_box *boxes, size_t count)
{
    auto *world = new bullet_world;
    world->tree = new btDbvtBroadphase;
    world->tree->m_deferedcollide = true;
    world->broad.reset(world->tree);
    return add_boxes(world, boxes, count);
}

void *create_sweep(const broad_box *boxes, size_t count)
{
    auto *world = new bullet_world;
    btVector3 low(1e30f, 1e30f, 1e30f), high = -low;
    for (size_t i = 0; i < count; i++) {
        const coordinates box = coordinates_of(boxes[i]);
        low.setMin(box.low);
        high.setMax(box.high);
    }
    const btVector3 margin = (high - low) * btScalar(0.01);
    world->broad.reset(new bt32BitAxisSweep3(low - margin, high + margin, static_cast<unsigned>(count) + 1));
    return add_boxes(world, boxes, count);
}

void destroy(void *pointer)
{
    auto *world = static_cast<bullet_world *>(pointer);
    for (btBroadphaseProxy *proxy : world->proxies) {
        if (world->tree) { /* the pairs go with the whole */
            break;
        }
        world->broad->destroyProxy(proxy, nullptr);
    }
    delete world;
}

void place(void *pointer, const broad_box *boxes)
{
    auto *world = static_cast<bullet_world *>(pointer);
    world->boxes.resize(world->proxies.size());
    world->moved.resize(world->proxies.size());
    for (size_t i = 0; i < world->proxies.size(); i++) {
        world->boxes[i] = coordinates_of(boxes[i]);
        world->moved[i] = static_cast<uint32_t>(i);
    }
}

void place_some(void *pointer, const broad_box *boxes, const uint32_t *which, size_t count)
{
    auto *world = static_cast<bullet_world *>(pointer);
    world->boxes.resize(count);
    world->moved.assign(which, which + count);
    for (size_t i = 0; i < count; i++) {
        world->boxes[i] = coordinates_of(boxes[which[i]]);
    }
}

size_t move_and_find(bullet_world *world)
{
    for (size_t i = 0; i < world->moved.size(); i++) {
        world->broad->setAabb(world->proxies[world->moved[i]], world->boxes[i].low, world->boxes[i].high, nullptr);
    }
    world->broad->calculateOverlappingPairs(nullptr);
    return static_cast<size_t>(world->broad->getOverlappingPairCache()->getNumOverlappingPairs());
}

size_t step(void *pointer)
{
    auto *world = static_cast<bullet_world *>(pointer);
    if (world->tree) {
        world->tree->m_deferedcollide = true;
    }
    return move_and_find(world);
}

size_t step_some(void *pointer)
{
    auto *world = static_cast<bullet_world *>(pointer);
    world->tree->m_deferedcollide = false;
    return move_and_find(world);
}

uint32_t number_of(const btBroadphaseProxy *proxy)
{
    return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(proxy->m_clientObject));
}

void pairs(void *pointer, tumble_pair *out)
{
    btOverlappingPairCache *cache = static_cast<bullet_world *>(pointer)->broad->getOverlappingPairCache();
    const int count = cache->getNumOverlappingPairs();
    for (int i = 0; i < count; i++) {
        const btBroadphasePair &pair = cache->getOverlappingPairArrayPtr()[i];
        out[i] = {number_of(pair.m_pProxy0), number_of(pair.m_pProxy1)};
    }
}

} // namespace

const broad_peer *broad_bullet(void)
{
    static const std::string version =
        std::to_string(btGetVersion() / 100) + "." + std::to_string(btGetVersion() % 100);
    static const broad_peer list[] = {{"bullet", version.c_str(), "btDbvtBroadphase, deferred", 0, create_tree, destroy,
                                       place, place_some, step, step_some, pairs},
                                      {"bullet-sweep", version.c_str(), "bt32BitAxisSweep3", 30000, create_sweep,
                                       destroy, place, nullptr, step, nullptr, pairs},
                                      {}};
    return list;
}

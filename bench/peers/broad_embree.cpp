/* Embree: rtcCollide of a scene with itself. It reports all pairs of the leaves whose boxes overlap, in both orders and
 * without looking at the boxes inside: the callback does that. The tree is built anew each step, in whichever quality
 * is faster for the first boxes. */
#include <embree3/rtcore.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "broad.h"

namespace
{

struct embree_world {
    RTCDevice device = nullptr;
    RTCScene scene = nullptr;
    RTCGeometry geometry = nullptr;
    std::vector<broad_box> boxes;
    std::vector<tumble_pair> pairs;
};

void bound(const RTCBoundsFunctionArguments *arguments)
{
    const broad_box &box = static_cast<const embree_world *>(arguments->geometryUserPtr)->boxes[arguments->primID];
    RTCBounds *out = arguments->bounds_o;
    out->lower_x = box.low[0], out->lower_y = box.low[1], out->lower_z = box.low[2];
    out->upper_x = box.high[0], out->upper_y = box.high[1], out->upper_z = box.high[2];
}

bool overlap(const broad_box &a, const broad_box &b)
{
    return a.low[0] <= b.high[0] && b.low[0] <= a.high[0] && a.low[1] <= b.high[1] && b.low[1] <= a.high[1] &&
           a.low[2] <= b.high[2] && b.low[2] <= a.high[2];
}

void keep(void *user, RTCCollision *found, unsigned count)
{
    auto *world = static_cast<embree_world *>(user);
    for (unsigned i = 0; i < count; i++) {
        const unsigned a = found[i].primID0, b = found[i].primID1;
        if (a < b && overlap(world->boxes[a], world->boxes[b])) {
            world->pairs.push_back({a, b});
        }
    }
}

void make_scene(embree_world *world, RTCBuildQuality quality)
{
    world->scene = rtcNewScene(world->device);
    rtcSetSceneFlags(world->scene, RTC_SCENE_FLAG_DYNAMIC);
    rtcSetSceneBuildQuality(world->scene, quality);
    world->geometry = rtcNewGeometry(world->device, RTC_GEOMETRY_TYPE_USER);
    rtcSetGeometryUserPrimitiveCount(world->geometry, static_cast<unsigned>(world->boxes.size()));
    rtcSetGeometryBuildQuality(world->geometry, quality);
    rtcSetGeometryUserData(world->geometry, world);
    rtcSetGeometryBoundsFunction(world->geometry, bound, nullptr);
    rtcCommitGeometry(world->geometry);
    rtcAttachGeometryByID(world->scene, world->geometry, 0);
    rtcCommitScene(world->scene);
}

void free_scene(embree_world *world)
{
    rtcReleaseGeometry(world->geometry);
    rtcReleaseScene(world->scene);
}

size_t step(void *pointer)
{
    auto *world = static_cast<embree_world *>(pointer);
    world->pairs.clear();
    rtcCommitGeometry(world->geometry);
    rtcCommitScene(world->scene);
    rtcCollide(world->scene, world->scene, keep, world);
    return world->pairs.size();
}

double time_with(embree_world *world, RTCBuildQuality quality)
{
    make_scene(world, quality);
    const auto start = std::chrono::steady_clock::now();
    step(world);
    const double time = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    free_scene(world);
    return time;
}

void *create(const broad_box *boxes, size_t count)
{
    auto *world = new embree_world;
    world->boxes.assign(boxes, boxes + count);
    world->device = rtcNewDevice("threads=1,set_affinity=0");
    const double low = time_with(world, RTC_BUILD_QUALITY_LOW), medium = time_with(world, RTC_BUILD_QUALITY_MEDIUM);
    make_scene(world, low < medium ? RTC_BUILD_QUALITY_LOW : RTC_BUILD_QUALITY_MEDIUM);
    return world;
}

void destroy(void *pointer)
{
    auto *world = static_cast<embree_world *>(pointer);
    free_scene(world);
    rtcReleaseDevice(world->device);
    delete world;
}

void place(void *pointer, const broad_box *boxes)
{
    auto *world = static_cast<embree_world *>(pointer);
    world->boxes.assign(boxes, boxes + world->boxes.size());
}

void pairs(void *pointer, tumble_pair *out)
{
    auto *world = static_cast<embree_world *>(pointer);
    std::copy(world->pairs.begin(), world->pairs.end(), out);
}

} // namespace

const broad_peer *broad_embree(void)
{
    static const broad_peer list[] = {{"embree", RTC_VERSION_STRING, "rtcCommitScene, rtcCollide with itself", 0,
                                       create, destroy, place, nullptr, step, nullptr, pairs},
                                      {}};
    return list;
}

/* Embree's rays, as they are and with the flag for robust intersections. Single rays: rtcIntersect1; batches of
 * coherent rays: packets of 16 or 8, whichever the processor takes natively; of others: rtcIntersect1M. All hits: a
 * filter that notes and refuses each. */
#include <embree3/rtcore.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "rays.h"

namespace
{

struct embree_world {
    RTCDevice device;
    RTCScene scene;
    std::vector<RTCRayHit> single;
    std::vector<RTCRayHit16> packets;
    bool in_packets = false;
};

struct collecting {
    RTCIntersectContext context; /* first: the filter gets its address */
    uint32_t *out;
    size_t count, capacity;
};

void collect(const RTCFilterFunctionNArguments *arguments)
{
    auto *all = reinterpret_cast<collecting *>(arguments->context);
    if (!all->out) {
        return;
    }
    if (all->count < all->capacity) {
        all->out[all->count] = RTCHitN_primID(arguments->hit, arguments->N, 0);
    }
    all->count++;
    arguments->valid[0] = 0;
}

void *build_with(const peer_mesh *mesh, RTCSceneFlags flags, bool filters)
{
    auto *w = new embree_world;
    w->device = rtcNewDevice("threads=1,set_affinity=0");
    w->scene = rtcNewScene(w->device);
    rtcSetSceneFlags(w->scene, flags);
    rtcSetSceneBuildQuality(w->scene, RTC_BUILD_QUALITY_MEDIUM);
    RTCGeometry geometry = rtcNewGeometry(w->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    auto *points = static_cast<float *>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                                                3 * sizeof(float), mesh->point_count));
    for (size_t i = 0; i < 3 * mesh->point_count; i++) {
        points[i] = static_cast<float>(mesh->points[i]);
    }
    auto *indices = static_cast<uint32_t *>(rtcSetNewGeometryBuffer(
        geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(uint32_t), mesh->triangle_count));
    std::copy_n(mesh->indices, 3 * mesh->triangle_count, indices);
    if (filters) {
        rtcSetGeometryIntersectFilterFunction(geometry, collect);
    }
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(w->scene, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(w->scene);
    return w;
}

void *build(const peer_mesh *mesh)
{
    return build_with(mesh, RTC_SCENE_FLAG_NONE, false);
}

void *build_robust(const peer_mesh *mesh)
{
    return build_with(mesh, RTC_SCENE_FLAG_ROBUST, false);
}

void *build_filtered(const peer_mesh *mesh)
{
    return build_with(mesh, RTC_SCENE_FLAG_CONTEXT_FILTER_FUNCTION, true);
}

void *build_robust_filtered(const peer_mesh *mesh)
{
    const int flags = RTC_SCENE_FLAG_CONTEXT_FILTER_FUNCTION | RTC_SCENE_FLAG_ROBUST;
    return build_with(mesh, static_cast<RTCSceneFlags>(flags), true);
}

void destroy(void *pointer)
{
    auto *w = static_cast<embree_world *>(pointer);
    rtcReleaseScene(w->scene);
    rtcReleaseDevice(w->device);
    delete w;
}

RTCRayHit make(const ray_set *rays, size_t i)
{
    RTCRayHit r = {};
    const double *o = rays->origins + 3 * i, *d = rays->directions + 3 * i;
    r.ray.org_x = static_cast<float>(o[0]), r.ray.org_y = static_cast<float>(o[1]);
    r.ray.org_z = static_cast<float>(o[2]);
    r.ray.dir_x = static_cast<float>(d[0]), r.ray.dir_y = static_cast<float>(d[1]);
    r.ray.dir_z = static_cast<float>(d[2]);
    r.ray.tfar = std::numeric_limits<float>::infinity();
    r.ray.mask = ~0u;
    r.hit.geomID = r.hit.primID = RTC_INVALID_GEOMETRY_ID;
    return r;
}

void put(RTCRayHit16 *to, size_t k, const RTCRayHit &r)
{
    to->ray.org_x[k] = r.ray.org_x, to->ray.org_y[k] = r.ray.org_y, to->ray.org_z[k] = r.ray.org_z;
    to->ray.dir_x[k] = r.ray.dir_x, to->ray.dir_y[k] = r.ray.dir_y, to->ray.dir_z[k] = r.ray.dir_z;
    to->ray.tnear[k] = 0, to->ray.tfar[k] = r.ray.tfar, to->ray.time[k] = 0, to->ray.mask[k] = ~0u;
    to->hit.geomID[k] = to->hit.primID[k] = RTC_INVALID_GEOMETRY_ID;
}

/* A cast changes the rays, so they are made anew for each. */
void take(void *pointer, const ray_set *rays)
{
    auto *w = static_cast<embree_world *>(pointer);
    w->single.resize(rays->count);
    w->packets.assign((rays->count + 15) / 16, RTCRayHit16{});
    for (size_t i = 0; i < rays->count; i++) {
        w->single[i] = make(rays, i);
        put(&w->packets[i / 16], i % 16, w->single[i]);
    }
    for (size_t i = rays->count; i % 16; i++) { /* the rest of the last packet */
        put(&w->packets[i / 16], i % 16, w->single[rays->count - 1]);
    }
}

void cast(void *pointer, const ray_set *rays, int is_batch)
{
    auto *w = static_cast<embree_world *>(pointer);
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    w->in_packets = is_batch && rays->is_coherent;
    if (!is_batch) {
        for (size_t i = 0; i < rays->count; i++) {
            rtcIntersect1(w->scene, &context, &w->single[i]);
        }
    } else if (rays->is_coherent) {
        alignas(64) static const int valid[16] = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
        context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
        for (RTCRayHit16 &packet : w->packets) {
            rtcIntersect16(valid, w->scene, &context, &packet);
        }
    } else {
        rtcIntersect1M(w->scene, &context, w->single.data(), static_cast<unsigned>(rays->count), sizeof(RTCRayHit));
    }
}

void answers(void *pointer, const ray_set *rays, ray_answer *out)
{
    auto *w = static_cast<embree_world *>(pointer);
    for (size_t i = 0; i < rays->count; i++) {
        const unsigned polygon = w->in_packets ? w->packets[i / 16].hit.primID[i % 16] : w->single[i].hit.primID;
        const float t = w->in_packets ? w->packets[i / 16].ray.tfar[i % 16] : w->single[i].ray.tfar;
        out[i] = {polygon == RTC_INVALID_GEOMETRY_ID ? std::numeric_limits<double>::infinity() : t, polygon};
    }
}

size_t all(void *pointer, const ray_set *rays, size_t i, uint32_t *out, size_t capacity)
{
    auto *w = static_cast<embree_world *>(pointer);
    collecting every = {};
    rtcInitIntersectContext(&every.context);
    every.out = out, every.capacity = capacity;
    RTCRayHit r = make(rays, i);
    rtcIntersect1(w->scene, &every.context, &r);
    return every.count;
}

} // namespace

/* The last two are for all hits: a filter costs time. */
const ray_peer *rays_embree(void)
{
    static const ray_peer list[] = {
        {"embree", RTC_VERSION_STRING, "rtcIntersect1, 16, 1M", build, destroy, take, cast, answers, nullptr, 0},
        {"embree-robust", RTC_VERSION_STRING, "the same with RTC_SCENE_FLAG_ROBUST", build_robust, destroy, take, cast,
         answers, nullptr, 0},
        {"embree", RTC_VERSION_STRING, "a filter function", build_filtered, destroy, nullptr, nullptr, nullptr, all, 0},
        {"embree-robust", RTC_VERSION_STRING, "a filter function", build_robust_filtered, destroy, nullptr, nullptr,
         nullptr, all, 0},
        {}};
    return list;
}

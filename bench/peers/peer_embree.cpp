/* Embree: rtcCollide finds the pairs of primitives of two scenes whose boxes overlap; their triangles are its caller's
 * business, here triangle_pair.h. It takes no poses: `prepare` moves B's points and refits B's scene. It cannot be
 * stopped either: after the first hit the rest is skipped as it is reported. */
#include <embree3/rtcore.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "move.h"
#include "peer.h"
#include "triangle_pair.h"

namespace
{

using triangle_pair::vector;

struct embree_model {
    std::vector<float> points;
    std::vector<uint32_t> indices;
    RTCScene still = nullptr;  /* at the identity, built for good queries */
    RTCScene moving = nullptr; /* made by the first `prepare`, refitted by the others */
    RTCGeometry moving_geometry = nullptr;
    std::vector<vector> moved;
    long bytes = 0;
};

/* What is asked, and the answer. */
struct question {
    const embree_model *a, *b;
    bool only_first;
    std::vector<tumble_pair> found;
};

question &last_question()
{
    static question q;
    return q;
}

long &device_bytes()
{
    static long bytes = 0;
    return bytes;
}

bool count_bytes(void *, ssize_t bytes, bool)
{
    device_bytes() += bytes;
    return true;
}

RTCDevice device()
{
    static const RTCDevice the_device = [] {
        const RTCDevice created = rtcNewDevice("threads=1,set_affinity=0");
        rtcSetDeviceMemoryMonitorFunction(created, count_bytes, nullptr);
        return created;
    }();
    return the_device;
}

vector still_point(const embree_model *model, uint32_t i)
{
    return {model->points[3 * i], model->points[3 * i + 1], model->points[3 * i + 2]};
}

/* Rounded outward by more than the conversion to float may take away. */
void set_bounds(float *lower, float *upper, double a, double b, double c)
{
    const float least = static_cast<float>(std::min(a, std::min(b, c)));
    const float most = static_cast<float>(std::max(a, std::max(b, c)));
    *lower = least - std::fabs(least) * 1.2e-7f;
    *upper = most + std::fabs(most) * 1.2e-7f;
}

void bound(RTCBounds *out, const vector &a, const vector &b, const vector &c)
{
    set_bounds(&out->lower_x, &out->upper_x, a.x, b.x, c.x);
    set_bounds(&out->lower_y, &out->upper_y, a.y, b.y, c.y);
    set_bounds(&out->lower_z, &out->upper_z, a.z, b.z, c.z);
}

void bound_still(const RTCBoundsFunctionArguments *arguments)
{
    const auto *model = static_cast<const embree_model *>(arguments->geometryUserPtr);
    const uint32_t *t = &model->indices[3 * static_cast<size_t>(arguments->primID)];
    bound(arguments->bounds_o, still_point(model, t[0]), still_point(model, t[1]), still_point(model, t[2]));
}

void bound_moved(const RTCBoundsFunctionArguments *arguments)
{
    const auto *model = static_cast<const embree_model *>(arguments->geometryUserPtr);
    const uint32_t *t = &model->indices[3 * static_cast<size_t>(arguments->primID)];
    bound(arguments->bounds_o, model->moved[t[0]], model->moved[t[1]], model->moved[t[2]]);
}

/* The geometry is returned with a reference that the caller owns. */
RTCScene make_scene(embree_model *model, RTCBoundsFunction bounds, RTCSceneFlags flags, RTCBuildQuality scene_quality,
                    RTCBuildQuality geometry_quality, RTCGeometry *geometry)
{
    RTCScene scene = rtcNewScene(device());
    rtcSetSceneFlags(scene, flags);
    rtcSetSceneBuildQuality(scene, scene_quality);
    *geometry = rtcNewGeometry(device(), RTC_GEOMETRY_TYPE_USER);
    rtcSetGeometryUserPrimitiveCount(*geometry, static_cast<unsigned>(model->indices.size() / 3));
    rtcSetGeometryBuildQuality(*geometry, geometry_quality);
    rtcSetGeometryUserData(*geometry, model);
    rtcSetGeometryBoundsFunction(*geometry, bounds, nullptr);
    rtcCommitGeometry(*geometry);
    rtcAttachGeometryByID(scene, *geometry, 0);
    rtcCommitScene(scene);
    return scene;
}

void *build(const peer_mesh *mesh)
{
    RTCGeometry geometry;
    device();
    const long before = device_bytes();
    auto *model = new embree_model;
    model->points.reserve(3 * mesh->point_count);
    for (size_t i = 0; i < 3 * mesh->point_count; i++) {
        model->points.push_back(static_cast<float>(mesh->points[i]));
    }
    model->indices.assign(mesh->indices, mesh->indices + 3 * mesh->triangle_count);
    model->still = make_scene(model, bound_still, RTC_SCENE_FLAG_NONE, RTC_BUILD_QUALITY_MEDIUM,
                              RTC_BUILD_QUALITY_MEDIUM, &geometry);
    rtcReleaseGeometry(geometry);
    model->bytes = device_bytes() - before;
    return model;
}

void destroy(void *pointer)
{
    auto *model = static_cast<embree_model *>(pointer);
    rtcReleaseScene(model->still);
    if (model->moving) {
        rtcReleaseGeometry(model->moving_geometry);
        rtcReleaseScene(model->moving);
    }
    delete model;
}

/* Embree takes memory past malloc, and says how much; the adapter's own arrays come on top. */
size_t bytes(const void *pointer)
{
    const auto *model = static_cast<const embree_model *>(pointer);
    return static_cast<size_t>(model->bytes) + model->points.capacity() * sizeof(float) +
           model->indices.capacity() * sizeof(uint32_t) + sizeof *model;
}

void prepare(void *, void *b, const tumble_pose *pose)
{
    auto *model = static_cast<embree_model *>(b);
    const size_t count = model->points.size() / 3;
    model->moved.resize(count);
    for (size_t i = 0; i < count; i++) {
        const double x = model->points[3 * i], y = model->points[3 * i + 1], z = model->points[3 * i + 2];
        model->moved[i] = {move_coordinate(pose->m[0], x, y, z), move_coordinate(pose->m[1], x, y, z),
                           move_coordinate(pose->m[2], x, y, z)};
    }
    if (model->moving) {
        rtcCommitGeometry(model->moving_geometry);
        rtcCommitScene(model->moving);
    } else {
        model->moving = make_scene(model, bound_moved, RTC_SCENE_FLAG_DYNAMIC, RTC_BUILD_QUALITY_LOW,
                                   RTC_BUILD_QUALITY_REFIT, &model->moving_geometry);
    }
}

void test_pairs(void *user, RTCCollision *collisions, unsigned count)
{
    auto *q = static_cast<question *>(user);
    for (unsigned i = 0; i < count && !(q->only_first && !q->found.empty()); i++) {
        const uint32_t *s = &q->a->indices[3 * static_cast<size_t>(collisions[i].primID0)];
        const uint32_t *t = &q->b->indices[3 * static_cast<size_t>(collisions[i].primID1)];
        const vector a[3] = {still_point(q->a, s[0]), still_point(q->a, s[1]), still_point(q->a, s[2])};
        const vector b[3] = {q->b->moved[t[0]], q->b->moved[t[1]], q->b->moved[t[2]]};
        if (triangle_pair::touch(a, b)) {
            q->found.push_back({collisions[i].primID0, collisions[i].primID1});
        }
    }
}

size_t ask(void *a, void *b, bool only_first)
{
    question &q = last_question();
    q.a = static_cast<const embree_model *>(a);
    q.b = static_cast<const embree_model *>(b);
    q.only_first = only_first;
    q.found.clear();
    rtcCollide(q.a->still, q.b->moving, test_pairs, &q);
    return q.found.size();
}

int first(void *a, void *b, const tumble_pose *)
{
    return ask(a, b, true) > 0;
}

size_t all(void *a, void *b, const tumble_pose *)
{
    return ask(a, b, false);
}

size_t pairs(void *, void *, tumble_pair *out, size_t capacity)
{
    const std::vector<tumble_pair> &found = last_question().found;
    const size_t count = std::min(capacity, found.size());
    std::copy_n(found.begin(), count, out);
    return count;
}

} // namespace

const peer_library *peer_embree(void)
{
    static const peer_library list[] = {{"embree", RTC_VERSION_STRING, "points moved, scene refitted, rtcCollide",
                                         build, destroy, bytes, prepare, first, all, pairs},
                                        {}};
    return list;
}

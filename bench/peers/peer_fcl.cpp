/* FCL, the Flexible Collision Library: trees of oriented boxes (OBB), and of those with swept spheres (OBBRSS, its
 * usual choice). Its trees of aligned boxes are copied and refitted for every question, which takes milliseconds, and
 * are left out. */
#include <fcl/fcl.h>

#include <cmath>
#include <limits>
#include <vector>

#include "peer.h"

namespace
{

template <class Volume> fcl::BVHModel<Volume> *model_of(void *model)
{
    return static_cast<fcl::BVHModel<Volume> *>(model);
}

fcl::CollisionResultd &last_result()
{
    static fcl::CollisionResultd result;
    return result;
}

template <class Volume> void *build(const peer_mesh *mesh)
{
    std::vector<fcl::Vector3d> points(mesh->point_count);
    std::vector<fcl::Triangle> triangles(mesh->triangle_count);
    for (size_t i = 0; i < mesh->point_count; i++) {
        const double *p = mesh->points + 3 * i;
        points[i] = fcl::Vector3d(p[0], p[1], p[2]);
    }
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t *t = mesh->indices + 3 * i;
        triangles[i].set(t[0], t[1], t[2]);
    }
    auto *model = new fcl::BVHModel<Volume>;
    model->beginModel(static_cast<int>(mesh->triangle_count), static_cast<int>(mesh->point_count));
    model->addSubModel(points, triangles);
    model->endModel();
    model->computeLocalAABB();
    return model;
}

template <class Volume> void destroy(void *model)
{
    delete model_of<Volume>(model);
}

fcl::Transform3d transform_of(const tumble_pose *pose)
{
    fcl::Transform3d transform = fcl::Transform3d::Identity();
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            transform.linear()(i, k) = pose->m[i][k];
        }
        transform.translation()[i] = pose->m[i][3];
    }
    return transform;
}

template <class Volume>
size_t ask(void *a, void *b, const tumble_pose *pose, size_t most, fcl::CollisionResultd *result)
{
    const fcl::CollisionRequestd request(most, false);
    result->clear();
    return fcl::collide(model_of<Volume>(a), fcl::Transform3d::Identity(), model_of<Volume>(b), transform_of(pose),
                        request, *result);
}

template <class Volume> int first(void *a, void *b, const tumble_pose *pose)
{
    fcl::CollisionResultd result;
    return ask<Volume>(a, b, pose, 1, &result) > 0;
}

template <class Volume> size_t all(void *a, void *b, const tumble_pose *pose)
{
    return ask<Volume>(a, b, pose, std::numeric_limits<int>::max(), &last_result());
}

size_t pairs(void *, void *, tumble_pair *out, size_t capacity)
{
    const fcl::CollisionResultd &result = last_result();
    size_t count = 0;
    for (; count < capacity && count < result.numContacts(); count++) {
        out[count].polygon_a = static_cast<uint32_t>(result.getContact(count).b1);
        out[count].polygon_b = static_cast<uint32_t>(result.getContact(count).b2);
    }
    return count;
}

/* Without the points: it is the distance that is compared. The search drops what is not closer than what the result
 * starts with. */
double ask_distance(void *a, void *b, const tumble_pose *pose, double start)
{
    const fcl::DistanceRequestd request(false);
    fcl::DistanceResultd result(start);
    fcl::distance(model_of<fcl::OBBRSSd>(a), fcl::Transform3d::Identity(), model_of<fcl::OBBRSSd>(b),
                  transform_of(pose), request, result);
    return result.min_distance;
}

double distance(void *a, void *b, const tumble_pose *pose)
{
    return ask_distance(a, b, pose, std::numeric_limits<double>::max());
}

int within(void *a, void *b, const tumble_pose *pose, double clearance)
{
    return ask_distance(a, b, pose, std::nextafter(clearance, std::numeric_limits<double>::max())) <= clearance;
}

void *build_solid(double radius, double length, int has_flat_ends)
{
    fcl::CollisionGeometryd *solid = nullptr;
    if (has_flat_ends) {
        solid = new fcl::Cylinderd(radius, length);
    } else if (length > 0) {
        solid = new fcl::Capsuled(radius, length);
    } else {
        solid = new fcl::Sphered(radius);
    }
    solid->computeLocalAABB();
    return solid;
}

void destroy_solid(void *solid)
{
    delete static_cast<fcl::CollisionGeometryd *>(solid);
}

int solid_touches(void *model, void *solid, const tumble_pose *pose)
{
    const fcl::CollisionRequestd request(1, false);
    fcl::CollisionResultd result;
    const fcl::CollisionGeometryd *mesh = model_of<fcl::OBBRSSd>(model);
    return fcl::collide(mesh, fcl::Transform3d::Identity(), static_cast<fcl::CollisionGeometryd *>(solid),
                        transform_of(pose), request, result) > 0;
}

template <class Volume> peer_library described(const char *name, const char *method)
{
    peer_library p = {};
    p.name = name;
    p.version = FCL_VERSION;
    p.method = method;
    p.build = build<Volume>;
    p.destroy = destroy<Volume>;
    p.first = first<Volume>;
    p.all = all<Volume>;
    p.pairs = pairs;
    return p;
}

} // namespace

const peer_library *peer_fcl(void)
{
    static peer_library list[] = {
        described<fcl::OBBd>("fcl-obb", "fcl::collide, BVHModel<OBB>"),
        described<fcl::OBBRSSd>("fcl-obbrss", "fcl::collide and fcl::distance, BVHModel<OBBRSS>"),
        {}};
    list[1].distance = distance;
    list[1].within = within;
    list[1].build_solid = build_solid;
    list[1].destroy_solid = destroy_solid;
    list[1].solid_touches = solid_touches;
    return list;
}

/* FCL's continuous collision: conservative advancement, which is its way for meshes that also turn, and samples as
 * densely as the tolerance. */
#include <fcl/fcl.h>

#include <limits>
#include <memory>
#include <vector>

#include "motions.h"

namespace
{

using Model = fcl::BVHModel<fcl::OBBRSSd>;

void *build(const peer_mesh *mesh)
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
    auto *model = new Model;
    model->beginModel(static_cast<int>(mesh->triangle_count), static_cast<int>(mesh->point_count));
    model->addSubModel(points, triangles);
    model->endModel();
    model->computeLocalAABB();
    return model;
}

void destroy(void *world)
{
    delete static_cast<Model *>(world);
}

fcl::Transform3d transform_of(const tumble_pose &pose)
{
    fcl::Transform3d transform = fcl::Transform3d::Identity();
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            transform.linear()(i, k) = pose.m[i][k];
        }
        transform.translation()[i] = pose.m[i][3];
    }
    return transform;
}

double ask(void *world, const tumble_motion *motion, double tolerance, fcl::CCDSolverType solver)
{
    const auto *model = static_cast<const Model *>(world);
    const fcl::Transform3d identity = fcl::Transform3d::Identity();
    const fcl::TranslationMotiond still(identity, identity);
    const fcl::InterpMotion<double> moving(transform_of(tumble_motion_pose(motion, 0)),
                                           transform_of(tumble_motion_pose(motion, 1)));
    const fcl::ContinuousCollisionRequestd request(1000000, tolerance, fcl::CCDM_LINEAR, fcl::GST_LIBCCD, solver);
    fcl::ContinuousCollisionResultd result;
    fcl::continuousCollide(static_cast<const fcl::CollisionGeometryd *>(model),
                           static_cast<const fcl::MotionBased *>(&still),
                           static_cast<const fcl::CollisionGeometryd *>(model),
                           static_cast<const fcl::MotionBased *>(&moving), request, result);
    return result.is_collide ? result.time_of_contact : std::numeric_limits<double>::infinity();
}

double advance(void *world, const tumble_motion *motion, double tolerance)
{
    return ask(world, motion, tolerance, fcl::CCDC_CONSERVATIVE_ADVANCEMENT);
}

double sample(void *world, const tumble_motion *motion, double tolerance)
{
    return ask(world, motion, tolerance, fcl::CCDC_NAIVE);
}

} // namespace

const motion_peer *motions_fcl(void)
{
    static const motion_peer list[] = {
        {"fcl", FCL_VERSION, "continuousCollide, conservative advancement", build, destroy, advance},
        {"fcl-samples", FCL_VERSION, "continuousCollide, naive", build, destroy, sample},
        {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}};
    return list;
}

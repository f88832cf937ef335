/* CGAL's rays: AABB_tree::first_intersection and all_intersected_primitives, with exact predicates and constructions in
 * doubles. */
#include <CGAL/AABB_face_graph_triangle_primitive.h>
#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/AABB_triangle_primitive.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/version.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "rays.h"

namespace
{

using kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using iterator = std::vector<kernel::Triangle_3>::iterator;
using primitive = CGAL::AABB_triangle_primitive<kernel, iterator>;
using tree = CGAL::AABB_tree<CGAL::AABB_traits<kernel, primitive>>;

struct cgal_world {
    std::vector<kernel::Triangle_3> triangles;
    tree boxes;
    std::vector<kernel::Ray_3> rays;
    std::vector<ray_answer> found;
};

kernel::Point_3 point(const double *p)
{
    return {p[0], p[1], p[2]};
}

void *build(const peer_mesh *mesh)
{
    auto *w = new cgal_world;
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t *t = mesh->indices + 3 * i;
        w->triangles.emplace_back(point(mesh->points + 3 * static_cast<size_t>(t[0])),
                                  point(mesh->points + 3 * static_cast<size_t>(t[1])),
                                  point(mesh->points + 3 * static_cast<size_t>(t[2])));
    }
    w->boxes.insert(w->triangles.begin(), w->triangles.end());
    w->boxes.build();
    return w;
}

void destroy(void *pointer)
{
    delete static_cast<cgal_world *>(pointer);
}

void take(void *pointer, const ray_set *rays)
{
    auto *w = static_cast<cgal_world *>(pointer);
    w->rays.clear();
    w->found.resize(rays->count);
    for (size_t i = 0; i < rays->count; i++) {
        const double *d = rays->directions + 3 * i;
        w->rays.emplace_back(point(rays->origins + 3 * i), kernel::Vector_3(d[0], d[1], d[2]));
    }
}

void cast(void *pointer, const ray_set *rays, int)
{
    auto *w = static_cast<cgal_world *>(pointer);
    for (size_t i = 0; i < rays->count; i++) {
        const auto hit = w->boxes.first_intersection(w->rays[i]);
        w->found[i] = {std::numeric_limits<double>::infinity(), UINT32_MAX};
        if (hit) {
            w->found[i].polygon = static_cast<uint32_t>(hit->second - w->triangles.begin());
            if (const auto *p = boost::get<kernel::Point_3>(&hit->first)) {
                const kernel::Vector_3 d = w->rays[i].to_vector();
                w->found[i].t = ((*p - w->rays[i].source()) * d) / d.squared_length();
            }
        }
    }
}

void answers(void *pointer, const ray_set *rays, ray_answer *out)
{
    const auto *w = static_cast<cgal_world *>(pointer);
    std::copy_n(w->found.begin(), rays->count, out);
}

size_t all(void *pointer, const ray_set *rays, size_t i, uint32_t *out, size_t capacity)
{
    auto *w = static_cast<cgal_world *>(pointer);
    const double *d = rays->directions + 3 * i;
    const kernel::Ray_3 ray(point(rays->origins + 3 * i), kernel::Vector_3(d[0], d[1], d[2]));
    std::vector<iterator> hits;
    w->boxes.all_intersected_primitives(ray, std::back_inserter(hits));
    for (size_t k = 0; k < hits.size() && k < capacity; k++) {
        out[k] = static_cast<uint32_t>(hits[k] - w->triangles.begin());
    }
    return hits.size();
}

} // namespace

const ray_peer *rays_cgal(void)
{
    static const ray_peer list[] = {
        {"cgal", CGAL_VERSION_STR, "AABB_tree::first_intersection", build, destroy, take, cast, answers, all, 0}, {}};
    return list;
}

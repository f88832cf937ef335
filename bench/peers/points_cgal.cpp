/* CGAL's closest points: AABB_tree::closest_point, with exact predicates and constructions in doubles, and with plain
 * doubles alone. Both have the tree of points that CGAL makes to start from. */
#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/AABB_triangle_primitive.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Simple_cartesian.h>
#include <CGAL/version.h>

#include <cmath>
#include <vector>

#include "points.h"

namespace
{

template <class kernel> struct world {
    using triangle = typename kernel::Triangle_3;
    using iterator = typename std::vector<triangle>::iterator;
    using primitive = CGAL::AABB_triangle_primitive<kernel, iterator>;
    using tree = CGAL::AABB_tree<CGAL::AABB_traits<kernel, primitive>>;

    std::vector<triangle> triangles;
    tree boxes;

    static typename kernel::Point_3 point(const double *p)
    {
        return {p[0], p[1], p[2]};
    }

    static void *build(const peer_mesh *mesh)
    {
        auto *w = new world;
        for (size_t i = 0; i < mesh->triangle_count; i++) {
            const uint32_t *t = mesh->indices + 3 * i;
            w->triangles.emplace_back(point(mesh->points + 3 * static_cast<size_t>(t[0])),
                                      point(mesh->points + 3 * static_cast<size_t>(t[1])),
                                      point(mesh->points + 3 * static_cast<size_t>(t[2])));
        }
        w->boxes.insert(w->triangles.begin(), w->triangles.end());
        w->boxes.build();
        w->boxes.accelerate_distance_queries();
        return w;
    }

    static void destroy(void *model)
    {
        delete static_cast<world *>(model);
    }

    static void closest(void *model, const double *points, size_t count, int, double *distances)
    {
        auto *w = static_cast<world *>(model);
        for (size_t i = 0; i < count; i++) {
            const typename kernel::Point_3 query = point(points + 3 * i);
            distances[i] = std::sqrt(CGAL::squared_distance(query, w->boxes.closest_point(query)));
        }
    }
};

using exact = world<CGAL::Exact_predicates_inexact_constructions_kernel>;
using plain = world<CGAL::Simple_cartesian<double>>;

} // namespace

const point_peer *points_cgal(void)
{
    static const point_peer list[] = {
        {"cgal", CGAL_VERSION_STR, "AABB_tree::closest_point", exact::build, exact::destroy, exact::closest},
        {"cgal-plain", CGAL_VERSION_STR, "the same in plain doubles", plain::build, plain::destroy, plain::closest},
        {}};
    return list;
}

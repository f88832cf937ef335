/* Uses an installed Tumble the way a stranger would: two triangles that cross, and two that do not. */
#include <stdio.h>
#include <string.h>
#include <tumble/tumble.h>

static tumble_status make_triangle(tumble_context *context, const double points[9], tumble_model **out)
{
    static const uint32_t indices[3] = {0, 1, 2};
    tumble_mesh mesh = tumble_default_mesh();
    mesh.points = points;
    mesh.point_count = 3;
    mesh.indices = indices;
    mesh.index_count = 3;
    return tumble_model_create(context, &mesh, NULL, out);
}

static int collides(tumble_query *query, const tumble_model *a, const tumble_model *b, double shift)
{
    tumble_pose pose = tumble_pose_identity();
    pose.m[2][3] = shift;
    tumble_collide_result result = {0};
    return tumble_collide(query, a, NULL, b, &pose, NULL, &result) == TUMBLE_OK ? result.collide : -1;
}

int main(void)
{
    static const double flat[9] = {0, 0, 0, 4, 0, 0, 0, 4, 0};
    static const double upright[9] = {1, 1, -1, 1, 1, 1, 2, 1, 0};
    tumble_context *context = NULL;
    tumble_model *a = NULL, *b = NULL;
    tumble_query *query = NULL;
    int failed = 1;
    if (tumble_context_create(NULL, &context) == TUMBLE_OK && make_triangle(context, flat, &a) == TUMBLE_OK &&
        make_triangle(context, upright, &b) == TUMBLE_OK && tumble_query_create(context, &query) == TUMBLE_OK) {
        const int touching = collides(query, a, b, 1.0);
        const int apart = collides(query, a, b, 1.5);
        failed = touching != 1 || apart != 0 || strcmp(tumble_version(), TUMBLE_VERSION) != 0;
        printf("tumble %s: touching %d, apart %d\n", tumble_version(), touching, apart);
    }
    tumble_query_destroy(query);
    tumble_model_destroy(b);
    tumble_model_destroy(a);
    tumble_context_destroy(context);
    return failed;
}

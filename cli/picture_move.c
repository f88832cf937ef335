/* The arrow of a picture: where B is moved to. */
#include <math.h>

#include "picture_layout.h"

static const double least_length = 46, head_length = 20, head_width = 8; /* in units of the drawing */

/* The arrow's ends in the drawing. A move too short to be seen is drawn longer; one toward the viewer has no length.
 * Returns how much longer. */
static double arrow_ends(const picture_scene *scene, const picture_window *window, double ends[2][2])
{
    double seen[2][3], far[3], tip[2];
    for (int k = 0; k < 2; k++) {
        picture_look(&scene->camera, scene->move[k], seen[k]);
        picture_to_window(window, seen[k], ends[k]);
    }
    picture_look(&scene->camera, scene->move_way, far);
    const double across = hypot(far[0], far[1]), length = hypot(ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]);
    tip[0] = ends[0][0] + (across > 0 ? far[0] / across * least_length : 0);
    tip[1] = ends[0][1] - (across > 0 ? far[1] / across * least_length : 0);
    const int longer = across > 0.05 && length < least_length;
    for (int c = 0; c < 2; c++) {
        const double corner = c == 0 ? window->left : window->top;
        ends[1][c] = (longer ? tip[c] : ends[1][c]) + corner;
        ends[0][c] += corner;
    }
    return longer ? least_length / length : 1;
}

/* A dot in a ring: an arrow seen from its tip. */
static void write_ring(FILE *out, const double at[2])
{
    for (int rim = 1; rim >= 0; rim--) {
        fprintf(out,
                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"12\" fill=\"none\" stroke=\"#%06x\" stroke-width=\"%d\"/>\n"
                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%d\" fill=\"#%06x\"/>\n",
                at[0], at[1], rim ? 0xffffff : PICTURE_MOVE, rim ? 8 : 4, at[0], at[1], rim ? 6 : 4,
                rim ? 0xffffff : PICTURE_MOVE);
    }
}

static void write_arrow(FILE *out, const double ends[2][2], double length)
{
    const double x = (ends[1][0] - ends[0][0]) / length, y = (ends[1][1] - ends[0][1]) / length;
    const double neck[2] = {ends[1][0] - head_length * x, ends[1][1] - head_length * y};
    for (int rim = 1; rim >= 0; rim--) {
        fprintf(out,
                "<path class=\"move\" fill=\"#%06x\" stroke=\"#%06x\" stroke-width=\"%d\" stroke-linejoin=\"round\" "
                "d=\"M%.1f %.1fL%.1f %.1fM%.1f %.1fL%.1f %.1fL%.1f %.1fZ\"/>\n",
                rim ? 0xffffff : PICTURE_MOVE, rim ? 0xffffff : PICTURE_MOVE, rim ? 9 : 4, ends[0][0], ends[0][1],
                neck[0], neck[1], ends[1][0], ends[1][1], neck[0] - head_width * y, neck[1] + head_width * x,
                neck[0] + head_width * y, neck[1] - head_width * x);
    }
}

double picture_write_move(FILE *out, const picture_scene *scene, const picture_window *window)
{
    double ends[2][2];
    if (!scene->has_move) {
        return 1;
    }
    const double longer = arrow_ends(scene, window, ends);
    const double length = hypot(ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]);
    if (length < 2) {
        write_ring(out, ends[0]);
    } else {
        write_arrow(out, (const double(*)[2])ends, length);
    }
    return longer;
}

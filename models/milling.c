/* A milled die, a ball-end mill and its path, of lines and arcs. */
#include "milling.h"

#include <math.h>
#include <stdlib.h>

#include "build.h"

#define HALF_TURN (0.5 * MODELS_FULL_TURN)

enum {
    CELLS = 160, /* of the die's top, along each side */
    LINES = 80,  /* of a row */
    SIDES = 48,  /* of the tool */
    ROUND = 12   /* rings of its ball */
};

static const double half_side = 50, bottom = -10, radius = 3, shank = 20, holder = 8, above = 4, allowance = 0.1;
static const double first_row = -36, last_row = 46, too_deep = 0.6;

/* ---- The die ---- */

static double height(double x, double y)
{
    return 8 + 2.5 * cos(x / 9) * cos(y / 11) + 1.5 * sin(x / 17 + y / 23);
}

static double place(int i)
{
    return half_side * (2.0 * i / CELLS - 1);
}

static uint32_t top(int i, int j)
{
    return (uint32_t)(j * (CELLS + 1) + i);
}

/* A wall from the top's rim down to the bottom, turned outward if the rim runs so that the die is on the left. */
static void add_wall(models_mesh *mesh, int i, int j, int to_i, int to_j, const uint32_t *below)
{
    models_quad(mesh, top(to_i, to_j), top(i, j), below[top(i, j)], below[top(to_i, to_j)]);
}

static void make_die(models_mesh *mesh)
{
    uint32_t *below = models_allocate(mesh, (size_t)(CELLS + 1) * (CELLS + 1), sizeof *below);
    if (!below) {
        return;
    }
    for (int j = 0; j <= CELLS; j++) {
        for (int i = 0; i <= CELLS; i++) {
            models_point(mesh, place(i), place(j), height(place(i), place(j)));
        }
    }
    for (int j = 0; j <= CELLS; j++) {
        for (int i = 0; i <= CELLS; i++) {
            if (i == 0 || j == 0 || i == CELLS || j == CELLS) {
                below[top(i, j)] = models_point(mesh, place(i), place(j), bottom);
            }
        }
    }
    const uint32_t middle = models_point(mesh, 0, 0, bottom);
    for (int j = 0; j < CELLS; j++) {
        for (int i = 0; i < CELLS; i++) {
            models_triangle(mesh, top(i, j), top(i + 1, j), top(i + 1, j + 1));
            models_triangle(mesh, top(i, j), top(i + 1, j + 1), top(i, j + 1));
        }
    }
    for (int i = 0; i < CELLS; i++) {
        const int rims[4][4] = {{i, 0, i + 1, 0},
                                {CELLS, i, CELLS, i + 1},
                                {CELLS - i, CELLS, CELLS - i - 1, CELLS},
                                {0, CELLS - i, 0, CELLS - i - 1}};
        for (int k = 0; k < 4; k++) {
            const int *rim = rims[k];
            add_wall(mesh, rim[0], rim[1], rim[2], rim[3], below);
            models_triangle(mesh, below[top(rim[2], rim[3])], below[top(rim[0], rim[1])], middle);
        }
    }
    free(below);
}

static void make_part(models_mesh *mesh)
{
    const double lower[3] = {40, -50, bottom}, upper[3] = {50, -42, 38};
    make_die(mesh);
    models_add_aligned_box(mesh, lower, upper); /* the clamp */
}

/* ---- The mill ---- */

static void make_tool(models_mesh *mesh)
{
    double outline[ROUND + 5][2], (*circle)[2] = models_circle(mesh, SIDES);
    const double centre[3] = {0, 0, 0}, up[3] = {0, 0, 1};
    uint32_t count = 0;
    for (int i = 0; i <= ROUND; i++) {
        const double angle = 0.25 * MODELS_FULL_TURN * i / ROUND;
        outline[count][0] = -radius * cos(angle);
        outline[count++][1] = i ? radius * sin(angle) : 0;
    }
    const double rest[4][2] = {{shank, radius}, {shank, holder}, {2 * shank, holder}, {2 * shank, 0}};
    for (int i = 0; i < 4; i++, count++) {
        outline[count][0] = rest[i][0];
        outline[count][1] = rest[i][1];
    }
    if (circle) {
        models_turned(mesh, circle, SIDES, centre, up, (const double(*)[2])outline, count);
    }
    free(circle);
}

/* ---- The path ---- */

/* How high the ball's centre must be to stay above the waves by the allowance. */
static double centre_height(double x, double y)
{
    enum {
        STEPS = 24
    };
    const double reach = radius + allowance;
    double most = 0;
    for (int j = -STEPS; j <= STEPS; j++) {
        for (int i = -STEPS; i <= STEPS; i++) {
            const double dx = reach * i / STEPS, dy = reach * j / STEPS, square = reach * reach - dx * dx - dy * dy;
            const double needed = square > 0 ? height(x + dx, y + dy) + sqrt(square) : 0;
            most = needed > most ? needed : most;
        }
    }
    return most + 0.02; /* for what lies between these points, and under the chords of the path */
}

static double row_x(size_t row, size_t i)
{
    const double x = (half_side + above) * (2.0 * (double)i / LINES - 1);
    return row % 2 ? -x : x;
}

/* Where the tool is: every other row it is turned by half a turn, as each arc turns it along. */
static tumble_pose tool_pose(size_t row, double x, double y, double z)
{
    const double c = row % 2 ? -1 : 1;
    return (tumble_pose){{{c, 0, 0, x}, {0, c, 0, y}, {0, 0, 1, z}}};
}

typedef struct path {
    models_milling *milling;
    double (*heights)[LINES + 1];
    double spacing;
    size_t rows;
} path;

static double row_y(const path *p, size_t row)
{
    return first_row + p->spacing * (double)row;
}

static void plan_heights(path *p)
{
    const size_t deep = p->rows / 2;
    for (size_t row = 0; row < p->rows; row++) {
        for (size_t i = 0; i <= LINES; i++) {
            p->heights[row][i] = centre_height(row_x(row, i), row_y(p, row));
        }
    }
    for (size_t i = 30; i <= 36; i++) {
        p->heights[deep][i] -= too_deep;
    }
    p->milling->first_deep = deep * (LINES + 1) + 29;
    p->milling->last_deep = deep * (LINES + 1) + 36;
}

static void add_line(path *p, size_t row, size_t i)
{
    const double *z = p->heights[row], y = row_y(p, row);
    const tumble_pose pose = tool_pose(row, row_x(row, i), y, z[i]);
    tumble_motion *move = &p->milling->moves[p->milling->move_count++];
    *move = tumble_motion_still(&pose);
    move->translation[0] = row_x(row, i + 1) - row_x(row, i);
    move->translation[2] = z[i + 1] - z[i];
}

/* A half circle to the next row, which also changes the height: a part of a screw. */
static void add_arc(path *p, size_t row)
{
    const double x = row_x(row, LINES), y = row_y(p, row), z = p->heights[row][LINES];
    const tumble_pose pose = tool_pose(row, x, y, z);
    tumble_motion *move = &p->milling->moves[p->milling->move_count++];
    *move = tumble_motion_still(&pose);
    move->translation[2] = p->heights[row + 1][0] - z;
    move->axis[2] = row % 2 ? -1 : 1;
    move->angle = HALF_TURN;
    move->point[0] = x;
    move->point[1] = y + 0.5 * p->spacing;
}

static int make_path(models_milling *milling, size_t rows)
{
    path p = {.milling = milling, .rows = rows, .spacing = (last_row - first_row) / (double)(rows > 1 ? rows - 1 : 1)};
    p.heights = calloc(rows, sizeof *p.heights);
    milling->moves = calloc(rows * (LINES + 1), sizeof *milling->moves);
    if (p.heights && milling->moves) {
        plan_heights(&p);
        for (size_t row = 0; row < rows; row++) {
            for (size_t i = 0; i < LINES; i++) {
                add_line(&p, row, i);
            }
            if (row + 1 < rows) {
                add_arc(&p, row);
            }
        }
    }
    free(p.heights);
    return milling->move_count > 0;
}

int models_make_milling(models_milling *milling, size_t rows)
{
    *milling = (models_milling){.radius = radius, .shank = shank, .allowance = allowance};
    make_part(&milling->part);
    make_tool(&milling->tool);
    if (milling->part.failed || milling->tool.failed || !make_path(milling, rows)) {
        models_free_milling(milling);
        return 0;
    }
    return 1;
}

void models_free_milling(models_milling *milling)
{
    models_free(&milling->part);
    models_free(&milling->tool);
    free(milling->moves);
    milling->moves = NULL;
    milling->move_count = 0;
}

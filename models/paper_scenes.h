/* Scenes of the literature: an environment and an object that flies in it.
 *
 * J. T. Klosowski, M. Held, J. S. B. Mitchell, H. Sowizral, K. Zikan, Efficient collision detection using bounding
 * volume hierarchies of k-DOPs, IEEE TVCG 4 (1998), section 5; C. Fuenfzig, D. W. Fellner, Easy realignment of k-DOP
 * bounding volumes, Graphics Interface 2003, section 6. The papers' own models are not public: these are generated,
 * with the same numbers of triangles and the same kind of shape and motion. Coordinates are rounded to float. */
#ifndef TUMBLE_MODELS_PAPER_SCENES_H
#define TUMBLE_MODELS_PAPER_SCENES_H

#include "models.h"

/* What happens at a contact, after a step back. Klosowski et al. "simply reverse the trajectory", which can mean either
 * of the last two. */
typedef enum models_bounce {
    MODELS_BOUNCE_ASIDE,  /* on in a random direction of the other half of space, with another spin */
    MODELS_BOUNCE_BACK,   /* in the opposite direction, with another spin */
    MODELS_BOUNCE_RETRACE /* the way back, turning the other way */
} models_bounce;

/* How an object flies about: straight on with a constant spin, until it touches something (the billiard paths of
 * Klosowski et al.). */
typedef struct models_billiard {
    double lower[3], upper[3]; /* the origin of its frame stays in this box */
    double stride;             /* length of a step */
    double spin;               /* turn of a step, in radians */
    uint64_t seed;
    models_bounce bounce;
} models_billiard;

typedef struct models_scene {
    const char *name; /* "pipes" */
    const char *help;
    models_mesh environment, flyer;
    models_billiard billiard; /* a stride of 0: the scene comes with its path */
    size_t steps;             /* of the paper */
    tumble_pose *path;        /* of the flyer; NULL before models_fly */
    size_t path_length;
} models_scene;

/* The scenes of Klosowski et al., table 2, in its order: pipes, torus, airliner, swept, interior; NULL ends them. */
const char *const *models_scene_names(void);

/* One more is not listed: "swept-hull", in which tetrahedra keep clear of all of the bars' convex hull. 0 when the name
 * is unknown or memory ran out: then the scene is empty. */
int models_make_scene(models_scene *scene, const char *name);
void models_free_scene(models_scene *scene);

/* Whether the flyer at this pose touches the environment. */
typedef int models_touches(void *user, const tumble_pose *pose);

/* Makes the path, of the paper's number of steps, where the scene has none: the answers of `touches` steer it. 0 when
 * no place was found at which the flyer is free, or memory ran out. */
int models_fly(models_scene *scene, models_touches *touches, void *user);

/* Where a flyer goes next, for paths that are made step by step. `touched` is the answer for the pose before. */
typedef struct models_flight {
    const models_billiard *billiard;
    models_random random;
    double direction[3], turn[4];
    double position[3], orientation[4];           /* now */
    double free_position[3], free_orientation[4]; /* when it last touched nothing */
} models_flight;

models_flight models_start_flight(const models_billiard *billiard);
tumble_pose models_random_place(models_flight *flight); /* anywhere in the box, to search for a start */
tumble_pose models_next_place(models_flight *flight, int touched);

/* Nested spheres: one of radius 1 with exactly so many triangles, where that is 20 n^2, 8 n^2 or 4 n^2, else with edges
 * cut in half until it has. */
int models_make_facets(models_mesh *mesh, size_t triangles);

/* Moves every point by at most `amount` along each axis. */
void models_perturb(models_mesh *mesh, double amount, uint64_t seed);

/* Two animals as closed, smooth surfaces with exactly so many (an even number of) triangles; of one piece from about
 * 20,000 on. */
typedef enum models_beast {
    MODELS_HORSE,
    MODELS_DINOSAUR
} models_beast;
int models_make_beast(models_mesh *mesh, models_beast beast, size_t triangles);

#endif

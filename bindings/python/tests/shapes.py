"""Random shapes and poses for hypothesis, and fixed ones for everything else."""
import itertools
import math

import numpy as np
from hypothesis import strategies as st

from oracle import IDENTITY, Shape, quaternion_pose


# ---- Fixed shapes ----


def box(lower, upper):
    """A closed box of 12 triangles: points and faces."""
    points = np.array(list(itertools.product(*zip(lower, upper))), float)
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    faces = [t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))]
    return points, np.array(faces)


def two_boxes():
    """Two unit boxes, the second one moved by a half along x."""
    points, faces = box((0, 0, 0), (1, 1, 1))
    return np.concatenate([points, points + [0.5, 0, 0]]), np.concatenate([faces, faces + len(points)])


def box_quads(lower, upper):
    """The same box of six quadrilaterals."""
    points, _ = box(lower, upper)
    return points, np.array([(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)])


def torus(count, radius=1.0, thickness=0.3):
    """A closed torus of 2 * count * count triangles."""
    u, v = np.meshgrid(*2 * [np.arange(count) * (2 * np.pi / count)], indexing="ij")
    ring = radius + thickness * np.cos(v)
    points = np.stack([ring * np.cos(u), ring * np.sin(u), thickness * np.sin(v)], axis=-1).reshape(-1, 3)
    i, j = np.meshgrid(np.arange(count), np.arange(count), indexing="ij")
    k, l = (i + 1) % count, (j + 1) % count
    a, b, c, d = (x * count + y for x, y in ((i, j), (k, j), (k, l), (i, l)))
    faces = np.concatenate([np.stack([a, b, c], -1).reshape(-1, 3), np.stack([a, c, d], -1).reshape(-1, 3)])
    return points, faces


def translation(*offset):
    pose = IDENTITY.copy()
    pose[:, 3] = offset
    return pose


def turned(angle, *offset):
    """About the x axis."""
    pose = translation(*offset)
    pose[1:, 1:3] = [[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]]
    return pose


def lattice_rotations():
    """The 24 rotations of a cube, exact in floating point."""
    for order in itertools.permutations(range(3)):
        for signs in itertools.product((1.0, -1.0), repeat=3):
            m = np.zeros((3, 3))
            for row, column in enumerate(order):
                m[row, column] = signs[row]
            if np.linalg.det(m) > 0:
                yield m


ROTATIONS = list(lattice_rotations())


# ---- Coordinates ----

lattice = st.integers(-4, 4).map(float)
# Half of the cases that break geometry code: neighbours of round numbers.
neighbours = st.builds(lambda c, k: c + k * math.ulp(c or 1.0), lattice, st.integers(-2, 2))
rough = st.floats(-4, 4, allow_nan=False, width=32)
huge = st.builds(lambda c, e: math.ldexp(c, e), lattice, st.integers(-600, 600))
coordinates = st.sampled_from([lattice, neighbours, rough])


@st.composite
def soups(draw, kind=None, least=0, most=5):
    """Triangles between few points, so that they share corners and edges, and some are degenerate."""
    coordinate = draw(coordinates) if kind is None else kind
    points = draw(st.lists(st.tuples(coordinate, coordinate, coordinate), min_size=3, max_size=8))
    corner = st.integers(0, len(points) - 1)
    triangles = draw(st.lists(st.tuples(corner, corner, corner), min_size=least, max_size=most))
    surfaces = draw(st.none() | st.lists(st.integers(0, 3), min_size=len(triangles), max_size=len(triangles)))
    return Shape(points, triangles, surfaces)


def half_hull(points):
    hull = []
    for p in points:
        while len(hull) > 1 and (hull[-1][0] - hull[-2][0]) * (p[1] - hull[-2][1]) <= (hull[-1][1] - hull[-2][1]) * (
            p[0] - hull[-2][0]
        ):
            hull.pop()
        hull.append(p)
    return hull[:-1]


def convex_polygon(points):
    """The corners of the convex hull of points in the plane, counter-clockwise; fewer than three if they are in line."""
    points = sorted(set(points))
    return half_hull(points) + half_hull(points[::-1])


small = st.integers(-2, 2)


@st.composite
def convex_polygons(draw):
    """A convex polygon in a plane of the lattice."""
    flat = draw(st.lists(st.tuples(small, small), min_size=3, max_size=9))
    corners = convex_polygon(flat)
    if len(corners) < 3:
        corners = [(0, 0), (1, 0), (0, 1)]
    origin, u, v = (draw(st.tuples(small, small, small)) for _ in range(3))
    return [tuple(o + a * x + b * y for o, x, y in zip(origin, u, v)) for a, b in corners]


@st.composite
def polygon_soups(draw):
    """Polygons of mixed sizes."""
    polygons = draw(st.lists(convex_polygons(), min_size=1, max_size=3))
    sizes = [len(p) for p in polygons]
    starts = np.concatenate([[0], np.cumsum(sizes)])
    return Shape([p for q in polygons for p in q], [range(a, b) for a, b in zip(starts, starts[1:])])


@st.composite
def boxes(draw):
    lower = draw(st.tuples(small, small, small))
    size = draw(st.tuples(*3 * [st.integers(1, 3)]))
    return box(lower, [a + b for a, b in zip(lower, size)])


@st.composite
def tetrahedra(draw):
    """Points with integer coordinates and a volume."""
    while True:
        points = [draw(st.tuples(small, small, small)) for _ in range(4)]
        if abs(np.linalg.det(np.subtract(points[1:], points[0]))) > 0.5:
            return np.array(points, float), np.array([(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)])


# ---- Poses ----


@st.composite
def lattice_poses(draw):
    pose = translation(*(draw(st.integers(-3, 3)) for _ in range(3)))
    pose[:, :3] = draw(st.sampled_from(ROTATIONS))
    return pose


quaternions = st.tuples(*4 * [st.integers(-4, 4)]).filter(any)


@st.composite
def rigid_poses(draw):
    offset = draw(st.tuples(rough, rough, rough))
    return quaternion_pose(offset, draw(quaternions))


poses = st.just(IDENTITY) | lattice_poses() | rigid_poses()

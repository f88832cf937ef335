"""What the answers must be: brute force in exact arithmetic.

Doubles are integers times a power of two, so every question about triangles is answered with Python's integers, without
rounding. Only the moves by poses are rounded, in the order of operations that the library documents.
"""
import math
from fractions import Fraction

import numpy as np

IDENTITY = np.array([[1.0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]])


# ---- Poses, rounded as the library does it ----


def cofactors(m):
    def entry(i, j):
        i1, i2, j1, j2 = (i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3
        return m[i1][j1] * m[i2][j2] - m[i1][j2] * m[i2][j1]

    return [[entry(i, j) for j in range(3)] for i in range(3)]


def inverse_linear(pose):
    exponent = math.frexp(max(abs(pose[i][j]) for i in range(3) for j in range(3)))[1]
    linear = [[math.ldexp(pose[i][j], -exponent) for j in range(3)] for i in range(3)]
    c = cofactors(linear)
    det = linear[0][0] * c[0][0] + linear[0][1] * c[0][1] + linear[0][2] * c[0][2]
    return [[math.ldexp(c[j][i] / det, -exponent) for j in range(3)] for i in range(3)]


def relative_pose(pose_a, pose_b):
    """Inverse of A's pose after B's: B in A's frame."""
    a, b = np.asarray(pose_a, float)[:3].tolist(), np.asarray(pose_b, float)[:3].tolist()
    if a == IDENTITY.tolist():
        return b
    turned = inverse_linear(a)
    shifted = [[*row[:3], row[3] - a[i][3]] for i, row in enumerate(b)]
    return [[(o[0] * shifted[0][j] + o[1] * shifted[1][j]) + o[2] * shifted[2][j] for j in range(4)] for o in turned]


def pose_scale(pose):
    linear = np.asarray(pose, float)[:3, :3]
    return math.sqrt(sum(float(x) * float(x) for x in linear.ravel()) / 3)


def move(pose, point):
    x, y, z = point
    return tuple(((r[0] * x + r[1] * y) + r[2] * z) + r[3] for r in pose)


def quaternion_pose(position, quaternion):
    """A pose from (x, y, z) and (w, x, y, z), as tumble_pose_from_quaternion makes it."""
    largest = max(abs(float(v)) for v in quaternion)
    w, x, y, z = (float(v) / largest for v in quaternion)
    s = 2 / (((w * w + x * x) + y * y) + z * z)
    rotation = [
        [1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)],
        [s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)],
        [s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)],
    ]
    return np.array([row + [float(t)] for row, t in zip(rotation, position)])


# ---- Integers ----


def to_integers(points):
    """Points as integers, and the exponent: point = integer / 2**exponent."""
    ratios = [[float(c).as_integer_ratio() for c in p] for p in points]
    exponent = max((d.bit_length() - 1 for p in ratios for _, d in p), default=0)
    return [tuple(n << (exponent - d.bit_length() + 1) for n, d in p) for p in ratios], exponent


def sub(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def sign(x):
    return (x > 0) - (x < 0)


ZERO = (0, 0, 0)


# ---- Do they intersect? ----


def segments_meet(p, q, r, s):
    u, v, w = sub(q, p), sub(s, r), sub(r, p)
    n = cross(u, v)
    if n != ZERO:
        if dot(n, w):
            return False
        length = dot(n, n)
        return 0 <= dot(cross(w, v), n) <= length and 0 <= dot(cross(w, u), n) <= length
    axis = u if u != ZERO else v
    if axis == ZERO:
        return p == r
    if cross(axis, w) != ZERO:
        return False
    a, b, c, d = (dot(axis, x) for x in (p, q, r, s))
    return max(min(a, b), min(c, d)) <= min(max(a, b), max(c, d))


def longest_edge(t):
    edges = [(t[i], t[(i + 1) % 3]) for i in range(3)]
    return max(edges, key=lambda e: dot(sub(*e), sub(*e)))


def segment_meets_triangle(p, q, t):
    n = cross(sub(t[1], t[0]), sub(t[2], t[0]))
    if n == ZERO:
        return segments_meet(p, q, *longest_edge(t))
    d0, d1 = dot(n, sub(p, t[0])), dot(n, sub(q, t[0]))
    if d0 * d1 > 0:
        return False
    if d0 == 0 and d1 == 0:
        return any(point_in_triangle(x, t, n) for x in (p, q)) or any(
            segments_meet(p, q, t[i], t[(i + 1) % 3]) for i in range(3)
        )
    w = d1 - d0
    x = tuple(a * d1 - b * d0 for a, b in zip(p, q))
    return all(
        sign(w) * dot(n, cross(sub(t[(i + 1) % 3], t[i]), tuple(a - w * b for a, b in zip(x, t[i])))) >= 0
        for i in range(3)
    )


def point_in_triangle(p, t, n):
    """A point of the triangle's plane."""
    return all(dot(n, cross(sub(t[(i + 1) % 3], t[i]), sub(p, t[i]))) >= 0 for i in range(3))


def boxes_disjoint(s, t):
    return any(
        max(p[k] for p in s) < min(p[k] for p in t) or max(p[k] for p in t) < min(p[k] for p in s) for k in range(3)
    )


def triangles_meet(s, t):
    """Of two closed triangles, degenerate ones included: an edge of one meets the other."""
    return not boxes_disjoint(s, t) and any(
        segment_meets_triangle(x[i], x[(i + 1) % 3], y) for x, y in ((s, t), (t, s)) for i in range(3)
    )


# ---- How far apart are they? Squares of distances, as fractions ----


def point_segment_square(p, a, b):
    u, w = sub(b, a), sub(p, a)
    along, length = dot(w, u), dot(u, u)
    if length == 0 or along <= 0:
        return Fraction(dot(w, w))
    if along >= length:
        return Fraction(dot(sub(p, b), sub(p, b)))
    return dot(w, w) - Fraction(along * along, length)


def segment_segment_square(p, q, r, s):
    least = min(
        point_segment_square(p, r, s),
        point_segment_square(q, r, s),
        point_segment_square(r, p, q),
        point_segment_square(s, p, q),
    )
    u, v, w = sub(q, p), sub(s, r), sub(r, p)
    n = cross(u, v)
    length = dot(n, n)
    if length and 0 <= dot(cross(w, v), n) <= length and 0 <= dot(cross(w, u), n) <= length:
        least = min(least, Fraction(dot(n, w) ** 2, length))
    return least


def point_triangle_square(p, t):
    """The distance to the plane where the foot is inside, else None: then an edge is nearest."""
    n = cross(sub(t[1], t[0]), sub(t[2], t[0]))
    if n == ZERO or not point_in_triangle(p, t, n):
        return None
    return Fraction(dot(n, sub(p, t[0])) ** 2, dot(n, n))


def triangles_square(s, t):
    if triangles_meet(s, t):
        return Fraction(0)
    candidates = [
        segment_segment_square(s[i], s[(i + 1) % 3], t[j], t[(j + 1) % 3]) for i in range(3) for j in range(3)
    ]
    candidates += [point_triangle_square(p, y) for x, y in ((s, t), (t, s)) for p in x]
    return min(c for c in candidates if c is not None)


def square_root(square):
    """The root of a fraction as the nearest double or its neighbour."""
    if square == 0:
        return 0.0
    shift = 2 * max(0, 120 - (square.numerator.bit_length() - square.denominator.bit_length()) // 2)
    scaled = (square.numerator << shift) // square.denominator
    return float(Fraction(math.isqrt(scaled), 1 << (shift // 2)))


# ---- Models ----


class Shape:
    """Points and polygons. A polygon is a list of point numbers; those with more than three corners must be convex and
    planar, so that every triangulation covers the same points."""

    def __init__(self, points, polygons, surfaces=None):
        self.points = [tuple(float(c) for c in p) for p in points]
        self.polygons = [list(map(int, p)) for p in polygons]
        self.surfaces = surfaces

    def __repr__(self):
        return f"Shape({self.points}, {self.polygons}, {self.surfaces})"

    def triangles(self, polygon):
        corners = self.polygons[polygon]
        return [(corners[0], corners[i], corners[i + 1]) for i in range(1, len(corners) - 1)]


class Scene:
    """Shape A, and shape B moved into A's frame, in integers."""

    def __init__(self, a, b, pose_a=IDENTITY, pose_b=IDENTITY):
        pose = relative_pose(pose_a, pose_b)
        self.a, self.b = a, b
        self.scale = pose_scale(pose_a)
        moved = [move(pose, p) for p in b.points]
        integers, self.exponent = to_integers(a.points + moved)
        self.points_a, self.points_b = integers[: len(a.points)], integers[len(a.points) :]
        self._squares = {}

    def _triangle_pairs(self, i, j):
        for s in self.a.triangles(i):
            for t in self.b.triangles(j):
                yield [self.points_a[k] for k in s], [self.points_b[k] for k in t]

    def _all(self):
        return ((i, j) for i in range(len(self.a.polygons)) for j in range(len(self.b.polygons)))

    def meet(self, i, j):
        return any(triangles_meet(s, t) for s, t in self._triangle_pairs(i, j))

    def square(self, i, j):
        """The square of the distance of two polygons, in A's frame."""
        if (i, j) not in self._squares:
            self._squares[i, j] = min(triangles_square(s, t) for s, t in self._triangle_pairs(i, j))
        return self._squares[i, j] / (1 << 2 * self.exponent)

    def pairs(self):
        return [(i, j) for i, j in self._all() if self.meet(i, j)]

    def near(self, clearance):
        """The pairs within a clearance, for poses of A whose scale is 1."""
        limit = Fraction(clearance) ** 2
        return [(i, j) for i, j in self._all() if self.square(i, j) <= limit]

    def triangle_pair_count(self):
        return sum(triangles_meet(s, t) for i, j in self._all() for s, t in self._triangle_pairs(i, j))

    def surface_pairs(self):
        surfaces = [x.surfaces if x.surfaces is not None else [0] * len(x.polygons) for x in (self.a, self.b)]
        return sorted({(int(surfaces[0][i]), int(surfaces[1][j])) for i, j in self.pairs()})

    def least_square(self):
        return min((self.square(i, j) for i, j in self._all()), default=None)

    def distance(self):
        square = self.least_square()
        return math.inf if square is None else square_root(square) * self.scale


# ---- Solids: the relation of convex ones ----


def convex_relation(points_a, faces_a, points_b, faces_b):
    """Of two convex solids with integer points: "apart", "touching", "crossing", "a-in-b" or "b-in-a"."""

    def outward(points, faces):
        for f in faces:
            n = cross(sub(points[f[1]], points[f[0]]), sub(points[f[2]], points[f[0]]))
            distances = [dot(n, sub(p, points[f[0]])) for p in points]
            yield (n, points[f[0]]) if max(distances) <= 0 else (tuple(-c for c in n), points[f[0]])

    def directions(points, faces):
        return {sub(points[f[i]], points[f[(i + 1) % len(f)]]) for f in faces for i in range(len(f))}

    axes = [n for n, _ in outward(points_a, faces_a)] + [n for n, _ in outward(points_b, faces_b)]
    axes += [cross(u, v) for u in directions(points_a, faces_a) for v in directions(points_b, faces_b)]
    gap = None
    for n in axes:
        if n != ZERO:
            pa, pb = [dot(n, p) for p in points_a], [dot(n, p) for p in points_b]
            here = max(min(pa) - max(pb), min(pb) - max(pa))
            gap = here if gap is None else max(sign(gap), sign(here))
    if gap > 0:
        return "apart"
    if gap == 0:
        return "touching"
    for name, points, planes in (
        ("a-in-b", points_a, list(outward(points_b, faces_b))),
        ("b-in-a", points_b, list(outward(points_a, faces_a))),
    ):
        if all(dot(n, sub(p, origin)) < 0 for p in points for n, origin in planes):
            return name
    return "crossing"

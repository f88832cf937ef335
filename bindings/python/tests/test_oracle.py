"""The oracle itself: two ways to the same answer."""
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

import oracle
import shapes

point = st.tuples(*3 * [st.integers(-3, 3)])
triangle = st.tuples(point, point, point)


def separated_by_a_plane(s, t):
    """Over all directions that can part two triangles, also flat and degenerate ones."""
    edges = [oracle.sub(x[i], x[(i + 1) % 3]) for x in (s, t) for i in range(3)] + [oracle.sub(p, q) for p in s for q in t]
    axes = edges + [oracle.cross(u, v) for u in edges for v in edges]
    axes += [oracle.cross(u, n) for u in edges for n in [oracle.cross(a, b) for a in edges[:6] for b in edges[:6]]]
    for n in axes:
        a, b = [oracle.dot(n, p) for p in s], [oracle.dot(n, p) for p in t]
        if max(a) < min(b) or max(b) < min(a):
            return True
    return False


@given(triangle, triangle)
def test_meeting_is_not_being_parted(s, t):
    assert oracle.triangles_meet(s, t) != separated_by_a_plane(s, t)


@given(triangle, triangle, st.lists(st.integers(0, 6), min_size=4, max_size=4))
def test_no_points_are_closer_than_the_distance(s, t, weights):
    square = oracle.triangles_square(s, t)
    assert (square == 0) == oracle.triangles_meet(s, t)
    assert square <= min(Fraction(oracle.dot(oracle.sub(p, q), oracle.sub(p, q))) for p in s for q in t)
    a, b, c, d = (Fraction(w, 12) for w in weights)
    p = [x + a * (y - x) + b * (z - x) for x, y, z in zip(*s)]
    q = [x + c * (y - x) + d * (z - x) for x, y, z in zip(*t)]
    assert sum((x - y) ** 2 for x, y in zip(p, q)) >= square


def test_relation_of_boxes():
    def relation(a, b):
        (pa, fa), (pb, fb) = shapes.box(*a), shapes.box(*b)
        return oracle.convex_relation(pa.astype(int).tolist(), fa, pb.astype(int).tolist(), fb)

    unit = ((0, 0, 0), (1, 1, 1))
    assert relation(unit, ((2, 0, 0), (3, 1, 1))) == "apart"
    assert relation(unit, ((1, 0, 0), (2, 1, 1))) == "touching"
    assert relation(unit, ((1, 1, 1), (2, 2, 2))) == "touching"
    assert relation(unit, unit) == "crossing"
    assert relation(unit, ((-1, -1, -1), (2, 2, 2))) == "a-in-b"
    assert relation(((-1, -1, -1), (2, 2, 2)), unit) == "b-in-a"
    assert relation(unit, ((0, 0, 0), (2, 2, 2))) == "crossing"

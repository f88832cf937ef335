"""Rays and points against what is obvious of boxes."""
import numpy as np
import pytest

import shapes
import tumble


def box():
    return tumble.Model(*shapes.box((0, 0, 0), (1, 1, 1)))


def slabs(origins, directions):
    """Where rays enter the unit cube, by its planes; inf: they miss it."""
    with np.errstate(divide="ignore", invalid="ignore"):
        near, far = (0 - origins) / directions, (1 - origins) / directions
    first, last = np.minimum(near, far).max(axis=1), np.maximum(near, far).min(axis=1)
    return np.where((first <= last) & (first >= 0), first, np.inf)


def test_closest_hits():
    random = np.random.default_rng(1)
    origins = random.uniform(-3, -1, (500, 3))
    directions = random.uniform(0.5, 1.5, (500, 3))
    hits = tumble.rays(box(), origins, directions, threads=2)
    expected = slabs(origins, directions)
    assert np.array_equal(np.isinf(hits.t), np.isinf(expected))
    found = np.isfinite(expected)
    assert 10 < found.sum() < 490
    assert np.allclose(hits.t[found], expected[found], rtol=1e-15)
    assert np.array_equal(hits.polygons >= 0, found)
    assert np.all(hits.sides[found] == tumble.Side.FRONT)
    assert np.array_equal(hits.points[found], (origins + hits.t[:, None] * directions)[found])
    assert np.all(np.isnan(hits.points[~found]))


def test_range_and_pose():
    down = [[0, 0, -1]]
    assert tumble.rays(box(), [[0.5, 0.25, 3]], down).t.tolist() == [2]
    assert tumble.rays(box(), [[0.5, 0.25, 3]], down, t1=1.5).t.tolist() == [np.inf]
    assert tumble.rays(box(), [[0.5, 0.25, 3]], down, t0=2.5).t.tolist() == [3]
    assert tumble.rays(box(), [0.5, 0.25, 3], [0, 0, -1], tumble.pose((0, 0, 1))).t.tolist() == [1]


def test_every_hit():
    """The cube is entered and left: the first of all hits is the closest one, and the last its far side."""
    random = np.random.default_rng(2)
    origins, directions = random.uniform(-3, -1, (300, 3)), random.uniform(0.5, 1.5, (300, 3))
    first = tumble.rays(box(), origins, directions)
    starts, hits = tumble.rays(box(), origins, directions, mode="all", threads=2)
    counts = tumble.rays(box(), origins, directions, mode="count")
    assert np.array_equal(np.diff(starts), counts) and starts[0] == 0 and starts[-1] == len(hits.t)
    assert np.array_equal(tumble.rays(box(), origins, directions, mode="test"), counts > 0)
    assert np.array_equal(counts > 0, first.polygons >= 0) and 3 < (counts > 0).sum() < 300
    for i in np.flatnonzero(counts):
        of = slice(starts[i], starts[i + 1])
        assert counts[i] == 2 and hits.sides[of].tolist() == [tumble.Side.FRONT, tumble.Side.BACK]
        assert (hits.t[of][0], hits.polygons[of][0]) == (first.t[i], first.polygons[i])
        assert hits.t[of][1] == tumble.rays(box(), origins[i], directions[i], t0=np.nextafter(first.t[i], 9)).t[0]


def test_many_blocks():
    """Far more rays and points than are handed over at once; messages name the right one."""
    count = 200000
    origins = np.zeros((count, 3))
    origins[:, :2] = np.random.default_rng(3).uniform(-1, 2, (count, 2))
    within = ((origins[:, :2] >= 0) & (origins[:, :2] <= 1)).all(axis=1)
    up = np.broadcast_to([0.0, 0.0, 1.0], (count, 3))
    assert np.array_equal(tumble.rays(box(), origins - [0, 0, 1], up, mode="test"), within)
    assert np.array_equal(tumble.inside(box(), origins + [0, 0, 0.5]) == tumble.Place.INSIDE, within)
    assert np.array_equal(tumble.closest(box(), origins + [0, 0, 3]).distances == 2, within)
    origins[count - 7, 2] = np.inf
    with pytest.raises(tumble.NotFiniteError, match=f"ray {count - 7}: "):
        tumble.rays(box(), origins, up)
    with pytest.raises(tumble.NotFiniteError, match=f"point {count - 7}, "):
        tumble.closest(box(), origins)


def test_locate():
    twice = tumble.Model(*shapes.two_boxes())
    found = tumble.locate(twice, [[0.75, 0.5, 0.5], [0.25, 0.5, 0.5], [0, 0.5, 0.25], [5, 5, 5]], rule="winding")
    assert found.windings.tolist() == [2, 1, 0, 0]
    assert found.places.tolist() == [tumble.Place.INSIDE] * 2 + [tumble.Place.ON_SURFACE, tumble.Place.OUTSIDE]
    assert found.polygons.tolist() == [-1, -1, 1, -1]
    assert tumble.inside(twice, [0.75, 0.5, 0.5]).tolist() == [tumble.Place.OUTSIDE]  # by parity


def test_inside():
    points = [[0.5, 0.5, 0.5], [0.5, 0.5, 1], [0.5, 0.5, 1.5]]
    places = [tumble.Place.INSIDE, tumble.Place.ON_SURFACE, tumble.Place.OUTSIDE]
    assert tumble.inside(box(), points).tolist() == places
    assert tumble.inside(box(), points, rule="winding", threads=0).tolist() == places
    assert tumble.inside(box(), points, tumble.pose((5, 0, 0))).tolist() == [tumble.Place.OUTSIDE] * 3
    vertices, faces = shapes.box((0, 0, 0), (1, 1, 1))
    assert tumble.inside(tumble.Model(vertices, faces[1:]), points[:1]).tolist() == [tumble.Place.UNDEFINED]


def test_radius():
    vertices, faces = shapes.box((0, 0, 0), (1, 1, 1))
    padded = tumble.Model(vertices, faces, radius=0.5)
    hits = tumble.rays(padded, [[0.5, 0.25, 3], [0.5, 0.25, 1.25]], [[0, 0, -1], [0, 0, -1]])
    assert hits.t.tolist() == [1.5, 0]
    assert hits.sides.tolist() == [tumble.Side.FRONT, tumble.Side.BACK]
    ball = tumble.Model([[0, 0, 0]], [[0, 0, 0]], radius=1)
    random = np.random.default_rng(2)
    origins, directions = random.uniform(-3, 3, (300, 3)), random.uniform(-1, 1, (300, 3))
    a, b = (directions**2).sum(axis=1), (directions * origins).sum(axis=1)
    square = b**2 - a * ((origins**2).sum(axis=1) - 1)
    root = np.sqrt(np.maximum(square, 0))
    entered = np.maximum((-b - root) / a, 0)
    expected = np.where((square >= 0) & (-b + root >= 0), entered, np.inf)
    found = np.isfinite(expected)
    assert 10 < found.sum() < 290
    t = tumble.rays(ball, origins, directions).t
    assert np.array_equal(np.isfinite(t), found)
    assert np.allclose(t[found], expected[found], rtol=1e-9)
    assert tumble.inside(padded, [[0.5, 0.5, 1.25], [0.5, 0.5, 1.5], [0.5, 0.5, 2]]).tolist() == [
        tumble.Place.INSIDE,
        tumble.Place.ON_SURFACE,
        tumble.Place.OUTSIDE,
    ]


def test_errors():
    with pytest.raises(ValueError, match="direction is 0"):
        tumble.rays(box(), [0, 0, 0], [0, 0, 0])
    with pytest.raises(ValueError, match="2 origins, but 1 directions"):
        tumble.rays(box(), [[0, 0, 0], [1, 1, 1]], [[1, 0, 0]])
    with pytest.raises(ValueError, match="origins"):
        tumble.rays(box(), [0, 0], [1, 0])
    with pytest.raises(tumble.NotFiniteError, match="ray 1"):
        tumble.rays(box(), [[0, 0, 0], [np.nan, 0, 0]], [[1, 0, 0], [1, 0, 0]])
    with pytest.raises(tumble.NotFiniteError, match="point 0"):
        tumble.inside(box(), [np.inf, 0, 0])
    with pytest.raises(ValueError, match="rule"):
        tumble.inside(box(), [0, 0, 0], rule="odd")

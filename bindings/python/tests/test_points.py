"""Closest points and overlaps against distances in numpy and rational arithmetic."""
from fractions import Fraction

import numpy as np
import pytest

import shapes
import tumble


def box():
    return tumble.Model(*shapes.box((0, 0, 0), (1, 1, 1)))


def test_distances_from_a_box():
    points = np.random.default_rng(1).uniform(-2, 3, (500, 3))
    outside = points - points.clip(0, 1)
    depth = np.minimum(points, 1 - points).min(axis=1)
    expected = np.where(depth > 0, -depth, np.linalg.norm(outside, axis=1))
    assert 3 < (depth > 0).sum() < 100
    found = tumble.closest(box(), points, signed=True, threads=2)
    assert np.allclose(found.distances, expected, rtol=1e-14, atol=1e-15)
    assert np.all((found.lower <= found.distances) & (found.distances <= found.upper))
    assert np.allclose(np.linalg.norm(points - found.points, axis=1), np.abs(expected), rtol=1e-13)
    assert np.array_equal(tumble.closest(box(), points).distances, np.abs(found.distances))


def test_bounds_are_exact():
    model = tumble.Model([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    for point in np.random.default_rng(2).uniform(1, 3, (50, 3)):
        found = tumble.closest(model, point)
        x, y, z = map(Fraction, point)
        along = min(max((x - y + 1) / 2, Fraction(0)), Fraction(1))  # on the edge from (0, 1, 0) to (1, 0, 0)
        square = (x - along) ** 2 + (y - 1 + along) ** 2 + z ** 2
        assert Fraction(found.lower[0]) ** 2 <= square <= Fraction(found.upper[0]) ** 2


def test_several_and_limits():
    found = tumble.closest(box(), [[0.5, 0.25, 3], [9, 9, 9]], count=3, within=2.5)
    assert found.distances.shape == found.polygons.shape == (2, 3) and found.points.shape == (2, 3, 3)
    assert found.distances[0, 0] == 2 and np.all(np.diff(found.distances[0]) >= 0)
    assert len(set(found.polygons[0].tolist())) == 3
    assert found.polygons[1].tolist() == [-1] * 3 and np.isinf(found.distances[1]).all()
    assert np.isnan(found.points[1]).all()
    all_of_them = tumble.closest(box(), [0.5, 0.25, 3], count=100)
    assert sorted(all_of_them.polygons[0, :len(box())].tolist()) == list(range(len(box())))
    assert tumble.closest(box(), [0.5, 0.25, 3], tumble.pose((0, 0, 1))).distances.tolist() == [1]


def test_radius():
    ball = tumble.Model([[0, 0, 0]], [[0, 0, 0]], radius=1)
    points = np.random.default_rng(4).uniform(-2, 2, (200, 3))
    lengths = np.linalg.norm(points, axis=1)
    outside = lengths > 1
    assert 10 < outside.sum() < 190
    found = tumble.closest(ball, points, signed=True)
    assert np.allclose(found.distances, lengths - 1, rtol=1e-13, atol=1e-15)
    assert np.array_equal(found.distances > 0, outside)
    assert np.allclose(np.linalg.norm(found.points, axis=1), 1)
    found = tumble.closest(ball, points)
    assert np.allclose(found.distances, np.maximum(lengths - 1, 0), rtol=1e-13, atol=1e-15)
    assert np.array_equal(found.points[~outside], points[~outside])
    padded = tumble.Model(*shapes.box((0, 0, 0), (1, 1, 1)), radius=0.5)
    assert tumble.overlap_sphere(padded, (0.5, 0.25, 2.5), 1).size > 0
    assert tumble.overlap_sphere(padded, (0.5, 0.25, 2.5), 0.999).size == 0
    assert tumble.overlap_box(padded, (0.25, 0.25, 0.25), tumble.pose((0.5, 0.5, 1.75))).size > 0
    assert tumble.overlap_box(padded, (0.25, 0.25, 0.24), tumble.pose((0.5, 0.5, 1.75))).size == 0


def test_overlaps():
    model = box()
    assert tumble.overlap_sphere(model, (0.5, 0.5, 0.5), 0.4).tolist() == []
    assert tumble.overlap_sphere(model, (0.5, 0.5, 0.5), 9).tolist() == list(range(len(model)))
    touched = tumble.overlap_sphere(model, (0.5, 0.25, 2), 1)
    assert touched.tolist() == tumble.closest(model, [0.5, 0.25, 2], within=1).polygons.tolist()
    assert tumble.overlap_box(model, (0.25, 0.25, 0.25), tumble.pose((0.5, 0.5, 0.5))).tolist() == []
    assert tumble.overlap_box(model, (0.5, 0.5, 0.5), tumble.pose((0.5, 0.5, 0.5))).tolist() == list(range(len(model)))
    assert tumble.overlap_box(model, (1, 1, 1), pose=tumble.pose((5, 0, 0))).tolist() == []
    corners = model.triangles()[0]
    for centre in np.random.default_rng(3).uniform(-1, 2, (30, 3)):
        radius = 0.75
        near = tumble.closest(model, centre, count=len(corners), within=radius)
        assert tumble.overlap_sphere(model, centre, radius).tolist() == sorted(near.polygons[near.polygons >= 0].tolist())


def test_modes_of_overlaps():
    model = box()
    for centre in np.random.default_rng(4).uniform(-1, 2, (30, 3)):
        whole = tumble.overlap_sphere(model, centre, 0.75).tolist()
        assert tumble.overlap_sphere(model, centre, 0.75, mode="count") == len(whole)
        assert tumble.overlap_sphere(model, centre, 0.75, mode="test") is (len(whole) > 0)
        first = tumble.overlap_sphere(model, centre, 0.75, mode="first")
        assert first in whole if whole else first is None
        whole = tumble.overlap_box(model, (0.5, 0.25, 1), tumble.pose(centre)).tolist()
        assert tumble.overlap_box(model, (0.5, 0.25, 1), tumble.pose(centre), mode="count") == len(whole)
        assert tumble.overlap_box(model, (0.5, 0.25, 1), tumble.pose(centre), mode="test") is (len(whole) > 0)


def test_errors():
    with pytest.raises(ValueError, match="count"):
        tumble.closest(box(), [0, 0, 0], count=0)
    with pytest.raises(ValueError, match="points"):
        tumble.closest(box(), [0, 0])
    with pytest.raises(tumble.NotFiniteError, match="point 1"):
        tumble.closest(box(), [[0, 0, 0], [np.nan, 0, 0]])
    with pytest.raises(MemoryError):
        tumble.closest(box(), [0, 0, 0], count=2 ** 63)
    with pytest.raises(ValueError, match="centre"):
        tumble.overlap_sphere(box(), [0, 0], 1)
    with pytest.raises(ValueError, match="radius"):
        tumble.overlap_sphere(box(), [0, 0, 0], -1)
    with pytest.raises(ValueError, match="extent"):
        tumble.overlap_box(box(), [-1, 0, 0])

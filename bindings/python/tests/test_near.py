"""Distances and relations against exact arithmetic."""
import math

import pytest
from hypothesis import given

import oracle
import shapes
import tumble as tb
from oracle import Scene
from test_answers import any_shape, assert_on_polygon, hierarchies, model


@given(any_shape, any_shape, shapes.poses, shapes.poses, hierarchies)
def test_distance(a, b, pose_a, pose_b, hierarchy):
    scene = Scene(a, b, pose_a, pose_b)
    found = tb.distance(model(a, hierarchy), model(b), pose_a, pose_b)
    expected = scene.distance()
    assert found.value == pytest.approx(expected, rel=1e-13, abs=0)
    if math.isinf(expected):
        return
    assert math.dist(*found.points) == pytest.approx(expected, rel=1e-9, abs=1e-9)
    for point, shape, pose, polygon in zip(found.points, (a, b), (pose_a, pose_b), found.polygons):
        assert_on_polygon(point, shape, pose, polygon)
    assert scene.square(*map(int, found.polygons)) == pytest.approx(scene.least_square(), rel=1e-12)


solids = shapes.boxes() | shapes.tetrahedra()


@given(solids, solids, shapes.lattice_poses(), hierarchies)
def test_relation_of_convex_solids(a, b, pose, hierarchy):
    moved = (b[0] @ pose[:, :3].T + pose[:, 3]).astype(int).tolist()
    expected = oracle.convex_relation(a[0].astype(int).tolist(), a[1], moved, b[1])
    found = tb.relation(tb.Model(*a, hierarchy=hierarchy), tb.Model(*b), pose_b=pose)
    assert found.name == expected.upper().replace("-", "_")

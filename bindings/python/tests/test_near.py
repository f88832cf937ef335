"""Distances and relations against exact arithmetic."""
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracle
import shapes
import tumble as tb
from oracle import Scene
from test_answers import any_shape, as_tuples, assert_on_polygon, hierarchies, model


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


limits = st.sampled_from([0.0, 0.5, 1.0, 2.0, 3.0, 5.0, math.inf])
lattice_soups = shapes.soups(shapes.lattice)


@given(lattice_soups, lattice_soups, shapes.lattice_poses(), limits)
def test_within_is_decided_exactly(a, b, pose, within):
    scene = Scene(a, b, oracle.IDENTITY, pose)
    found = tb.distance(model(a), model(b), pose_b=pose, within=within)
    is_near = scene.least_square() is not None and (math.isinf(within) or scene.least_square() <= Fraction(within) ** 2)
    assert found.answer is (tb.Answer.YES if is_near else tb.Answer.NO)
    assert found.complete is True and found.pairs is None
    if is_near:
        assert found.value == pytest.approx(scene.distance(), rel=1e-13, abs=0)
    else:
        assert found.points is None and found.polygons is None and found.value == math.inf


@given(lattice_soups, lattice_soups, shapes.lattice_poses(), st.integers(1, 20))
def test_a_budget_leaves_proven_bounds(a, b, pose, tests):
    scene = Scene(a, b, oracle.IDENTITY, pose)
    found = tb.distance(model(a, "kdop"), model(b, "kdop"), pose_b=pose, budget_tests=tests)
    assert found.lower * (1 - 1e-13) <= scene.distance() <= found.upper * (1 + 1e-13)
    assert found.complete or found.answer is not tb.Answer.NO


@given(lattice_soups, lattice_soups, shapes.lattice_poses())
def test_all_nearest_pairs(a, b, pose):
    scene = Scene(a, b, oracle.IDENTITY, pose)
    found = tb.distance(model(a), model(b), pose_b=pose, pairs=True)
    least = scene.least_square()
    expected = [(i, j) for i in range(len(a.polygons)) for j in range(len(b.polygons)) if scene.square(i, j) == least]
    assert [(int(p["polygon_a"]), int(p["polygon_b"])) for p in found.pairs] == expected


@given(any_shape, any_shape, st.lists(shapes.poses, min_size=1, max_size=5), st.sampled_from(["none", "pair", "front", "all"]))
def test_a_query_that_remembers_answers_the_same(a, b, path, coherence):
    query = tb.Query(coherence)
    ma, mb = model(a), model(b)
    for pose in path:
        assert query.collide(ma, mb, None, pose) == tb.collide(ma, mb, None, pose)
        assert query.pairs(ma, mb, None, pose).tolist() == tb.pairs(ma, mb, None, pose).tolist()
        assert query.distance(ma, mb, None, pose).value == tb.distance(ma, mb, None, pose).value
        assert query.count(mb, ma, pose) == tb.count(mb, ma, pose)
        assert query.relation(ma, mb, None, pose) is tb.relation(ma, mb, None, pose)


@given(lattice_soups, lattice_soups, shapes.lattice_poses(), hierarchies, st.data())
def test_edited_models_answer_as_new_ones(a, b, pose, hierarchy, data):
    kept = [i for i in range(len(a.polygons)) if data.draw(st.booleans())]
    query = tb.Query()
    edited, other = model(a, hierarchy).editable(), model(b, hierarchy)
    query.pairs(edited, other, None, pose)
    edited.remove([i for i in range(len(a.polygons)) if i not in kept])
    expected = [p for p in Scene(a, b, oracle.IDENTITY, pose).pairs() if p[0] in kept]
    assert as_tuples(query.pairs(edited, other, None, pose)) == expected
    first = edited.insert(np.array(b.points, float).reshape(-1, 3), np.array(b.polygons, int).reshape(-1, 3))
    assert first == len(a.polygons)
    expected += [(i + first, j) for i, j in Scene(b, b, oracle.IDENTITY, pose).pairs()]
    assert as_tuples(query.pairs(edited, other, None, pose)) == expected
    assert as_tuples(tb.pairs(edited.frozen(), other, None, pose)) == expected

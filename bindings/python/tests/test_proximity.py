"""Distances, relations, queries that remember, and arithmetic of poses."""

import dataclasses
import math
import pickle

import numpy as np
import pytest

import tumble as tb
from conftest import shift


def test_distance(cube):
    found = tb.distance(cube, cube, None, shift(3, 0.5, 0.5))
    assert found.value == 2 == float(found) and found.complete and found.answer is tb.Answer.YES
    assert found.points.shape == (2, 3) and np.linalg.norm(found.points[1] - found.points[0]) == 2
    assert found.polygons[1] == 0 and found.lower <= 2 <= found.upper and found.pairs is None
    assert tb.distance(cube, cube).value == 0
    assert dataclasses.asdict(found)["value"] == 2 and "value=2.0" in repr(found)
    with pytest.raises(AttributeError):
        found.value = 3
    copy = pickle.loads(pickle.dumps(found))
    assert repr(copy) == repr(found) and type(copy) is tb.Distance and dataclasses.is_dataclass(copy)
    with pytest.raises(ValueError):
        tb.Distance(1.0, [1, 2], (0, 0), 0.0, 0.0, 1, 0.0, 0, True, None)


def test_distance_within(cube):
    far = tb.distance(cube, cube, None, shift(3), within=1.5)
    assert far.answer is tb.Answer.NO and far.value == math.inf and far.points is None and far.polygons is None
    assert tb.distance(cube, cube, None, shift(3), within=2.5, enough=2.5).answer is tb.Answer.YES


def test_distance_pairs(cube):
    found = tb.distance(cube, cube, None, shift(3), pairs=True)
    assert found.pairs.dtype == tb.near_dtype() and (1, 0) in set(zip(found.pairs["polygon_a"], found.pairs["polygon_b"]))
    assert (found.pairs["distance"] == 2).all()


def test_distance_budget(ring):
    pose = tb.pose((0.2, 0, 0.6), axis=(1, 0, 0), angle=0.3)
    whole = tb.distance(ring, ring, None, pose)
    part = tb.distance(ring, ring, None, pose, budget_tests=40)
    assert not part.complete and part.undecided_count > 0
    assert part.lower <= whole.value <= part.upper
    assert tb.distance(ring, ring, None, pose, budget=60.0).value == whole.value


@pytest.mark.parametrize(
    "pose, expected",
    [
        (shift(3), tb.Relation.APART),
        (shift(1), tb.Relation.TOUCHING),
        (shift(0.5, 0.25, 0.25), tb.Relation.CROSSING),
        (tb.pose((0.3, 0.3, 0.3), scale=0.2), tb.Relation.B_IN_A),
        (tb.pose((-1, -1, -1), scale=4), tb.Relation.A_IN_B),
    ],
)
def test_relation(cube, pose, expected):
    assert tb.relation(cube, cube, None, pose) is expected
    found = tb.relate(cube, cube, None, pose)
    assert found.relation is expected and found.closed_a and found.closed_b
    assert (found.pair is not None) == found.surfaces_meet
    assert tb.relation_many(cube, cube, poses_b=np.array([pose, pose])).tolist() == [expected, expected]


def test_relation_of_open_models():
    sheet = tb.Model([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    corner = tb.Model([[0.9, 0.9, 0], [1, 0.9, 0], [0.9, 1, 0]], [[0, 1, 2]])
    assert tb.relation(sheet, sheet) is tb.Relation.TOUCHING
    assert tb.relation(sheet, corner) is tb.Relation.UNDEFINED


@pytest.mark.parametrize("coherence", ["none", "pair", "front", "all"])
def test_query_remembers_and_agrees(ring, coherence):
    query = tb.Query(coherence)
    assert query.coherence == coherence
    for x in np.linspace(0, 3, 40):
        pose = shift(x, 0.01)
        assert query.collide(ring, ring, None, pose) == tb.collide(ring, ring, None, pose)
        assert np.array_equal(query.pairs(ring, ring, None, pose), tb.pairs(ring, ring, None, pose))
        assert query.distance(ring, ring, None, pose).value == tb.distance(ring, ring, None, pose).value
        assert query.count(ring, ring, None, pose) == tb.count(ring, ring, None, pose)
    assert query.counters.box_tests > 0
    assert query.count(ring, ring, None, shift(0.01)) > 0 and query.counters.seconds > 0


def test_query_outlives_its_models():
    query = tb.Query()
    points = np.random.default_rng(1).random((30, 3))
    for i in range(50):
        model = tb.Model(points + i, np.arange(30).reshape(10, 3))
        assert query.collide(model, model) is True


def test_pose():
    turned = tb.pose((1, 2, 3), axis=(0, 0, 5), angle=math.pi / 2, scale=2)
    assert np.allclose(turned, [[0, -2, 0, 1], [2, 0, 0, 2], [0, 0, 2, 3]])
    assert np.allclose(tb.pose((1, 2, 3), (1, 0, 0, 1), scale=2), turned)
    assert tb.scale_of(turned) == pytest.approx(2)
    assert np.allclose(tb.compose(tb.inverse(turned), turned), np.eye(4)[:3])
    assert np.allclose(tb.relative(turned, turned), np.eye(4)[:3])
    assert np.allclose(tb.apply(turned, [[1, 0, 0], [0, 0, 1]]), [[1, 4, 3], [1, 2, 5]])
    assert tb.apply(turned, np.zeros((2, 4, 3))).shape == (2, 4, 3)
    with pytest.raises(tb.PoseError):
        tb.inverse(np.zeros((3, 4)))
    with pytest.raises(ValueError, match="not both"):
        tb.pose(quaternion=(1, 0, 0, 0), axis=(0, 0, 1))
    with pytest.raises(ValueError, match="position"):
        tb.pose((1, 2))

"""Balls, capsules, boxes, cables and padded models against formulas."""
import pickle

import numpy as np
import pytest

import shapes
import tumble as tb


def test_balls_and_capsules():
    ball, capsule = tb.Model.ball((0, 0, 0), 1), tb.Model.capsule((0, 0, 0), (0, 0, 4), 0.5)
    assert tb.distance(ball, ball, pose_b=tb.pose((3, 4, 0))).value == 3
    assert tb.distance(ball, capsule, pose_b=tb.pose((3, 0, -2))).value == 1.5
    assert tb.collide(ball, capsule, pose_b=tb.pose((1.5, 0, 0)))
    assert not tb.collide(ball, capsule, pose_b=tb.pose((np.nextafter(1.5, 2), 0, 0)))
    assert repr(capsule) == "<tumble.Model: 1 polygon, open, wide, [0 0 0] to [0 0 4], radius 0.5>"


def test_many_balls():
    random = np.random.default_rng(1)
    centres, radii = random.uniform(0, 10, (200, 3)), random.uniform(0.1, 1, 200)
    model, probe = tb.Model.balls(centres, radii), tb.Model.ball((0, 0, 0), 0.5)
    found = 0
    for place in random.uniform(0, 10, (50, 3)):
        gaps = np.linalg.norm(centres - place, axis=1) - radii - 0.5
        expected = np.flatnonzero(gaps <= 0)
        assert tb.pairs(model, probe, pose_b=tb.pose(place))[:, 0].tolist() == expected.tolist()
        assert np.isclose(tb.distance(model, probe, pose_b=tb.pose(place)).value, max(gaps.min(), 0), atol=1e-14)
        found += len(expected)
    assert found > 10
    assert [model.radius_of(i) for i in range(200)] == radii.tolist()
    assert model.radius == radii.max() and model.info.has_radii and "radii up to" in repr(model)
    assert pickle.loads(pickle.dumps(model)) == model and model.hierarchy == "wide"


def test_boxes_and_cables():
    box = tb.Model.box((0, 0, 0), (1, 2, 3))
    assert box.closed and box.bounds.tolist() == [[0, 0, 0], [1, 2, 3]] and len(box) == 12 and box.radius == 0
    assert tb.distance(tb.Model.box((0, 0, 0), (1, 1, 1), 0.25), box, pose_b=tb.pose((2, 0, 0))).value == 0.75
    cable = tb.Model.polyline([[0, 0, 0], [4, 0, 0], [4, 3, 0]], 0.25, hierarchy="boxtree")
    assert len(cable) == 2 and cable.hierarchy == "boxtree"
    near = tb.distance(cable, tb.Model.ball((2, 2, 0), 0.5))
    assert near.value == 1.25


def test_radius_of_meshes(tmp_path):
    points, faces = shapes.box((0, 0, 0), (1, 1, 1))
    equal, each = tb.Model(points, faces, radius=0.5), tb.Model(points, faces, radius=np.full(12, 0.5))
    assert equal.radius == each.radius == 0.5 and not equal.info.has_radii
    for model in (equal, each):
        assert tb.distance(model, model, pose_b=tb.pose((3, 0, 0))).value == 1
    tb.write_mesh(tmp_path / "box.off", points, faces)
    assert tb.read(tmp_path / "box.off", radius=0.5) == equal
    assert tb.parse((tmp_path / "box.off").read_bytes(), radius=0.5).radius == 0.5
    assert "0.5" in equal._repr_html_() and "radius" not in tb.Model(points, faces)._repr_html_()


def test_radius_of_edited_models():
    model = tb.EditableModel(*shapes.box((0, 0, 0), (1, 1, 1)), hierarchy="rtree")
    assert len(model) == 12 and model.radius == 0
    model.set_radius(0.25)
    assert model.radius == 0.25 and model.radius_of(3) == 0.25
    first = model.insert([[5, 0, 0], [6, 0, 0]], [[0, 0, 0], [1, 1, 1]], radius=[1, 2])
    assert [model.radius_of(first + i) for i in range(2)] == [1, 2] and len(model) == 14
    assert model.radius_of(model.insert([[9, 0, 0]], [[0, 0, 0]], radius=3)) == 3
    assert model.radius_of(model.insert([[9, 0, 0]], [[0, 0, 0]], radius=0)) == 0
    assert model.bounds[1].tolist() == [9, 1, 1]
    model.remove([first, first + 1])
    assert len(model) == 14


def test_errors():
    with pytest.raises(ValueError, match="radius"):
        tb.Model.ball((0, 0, 0), -1)
    with pytest.raises(ValueError, match="centre: give three numbers"):
        tb.Model.ball((0, 0), 1)
    with pytest.raises(ValueError, match="radii: expected an array of 2"):
        tb.Model.balls([[0, 0, 0], [1, 0, 0]], [1])
    with pytest.raises(ValueError, match="polygon 1: its radius"):
        tb.Model.balls([[0, 0, 0], [1, 0, 0]], [1, -1])
    with pytest.raises(ValueError, match="radius: expected a number, or an array of 12"):
        tb.Model(*shapes.box((0, 0, 0), (1, 1, 1)), radius=[1, 2])
    with pytest.raises(tb.NotFiniteError):
        tb.Model.capsule((0, 0, 0), (np.inf, 0, 0), 1)
    with pytest.raises(IndexError):
        tb.Model.ball((0, 0, 0), 1).radius_of(1)
    with pytest.raises(IndexError):
        tb.Model.ball((0, 0, 0), 1).surface_of(2**40)


def test_cylinders():
    """A segment with a radius and flat ends touches a face at its cap, its side and its rim, exactly."""
    tool = tb.Model.cylinder((0, 0, 0), (0, 0, 10), 5)
    assert tool.flat_ends and tool.radius == 5 and not tb.Model.ball((0, 0, 0), 1).flat_ends
    part = tb.Model([[3, 4, 10], [9, 4, 10], [3, 9, 10]], [[0, 1, 2]])
    assert tb.collide(tool, part)
    for shift in [(0, 0, 2.0**-49), (2.0**-50, 0, 0), (0, 2.0**-49, 0)]:
        assert not tb.collide(tool, part, pose_b=tb.pose(shift))
    assert pickle.loads(pickle.dumps(tool)).flat_ends
    stepped = tb.Model.cylinders([[[0, 0, 0], [0, 0, 4]], [[0, 0, 4], [0, 0, 9]]], [1, 2])
    plate = tb.Model.box((-9, -9, 0), (9, 9, 2))
    assert {int(a) for a, _ in tb.pairs(stepped, plate)} == {0}
    assert {int(a) for a, _ in tb.pairs(stepped, plate, pose_a=tb.pose((0, 0, -2)))} == {0, 1}
    hits = tb.rays(tool, [[1, 2, 30], [9, 0, 5], [5.1, 0, 30]], [[0, 0, -2], [-1, 0, 0], [0, 0, -1]])
    assert hits.t.tolist() == [10, 4, np.inf]
    assert tb.inside(tool, [[3, 4, 5], [0, 0, 5], [0, 0, 10], [0, 0, 11]]).tolist() == [2, 1, 2, 0]  # Place
    assert tb.overlap_sphere(tool, (8, 0, 14), 5).tolist() == [0]
    assert tb.overlap_sphere(tool, (8, 0, 14), 4.99).tolist() == []
    assert tb.overlap_box(tool, (1, 1, 1), tb.pose((0, 0, 11))).tolist() == [0]
    near = tb.distance(tool, tool, pose_b=tb.pose((13, 0, 0)))
    assert abs(near.value - 3) < 1e-12 and np.allclose(near.points[:, 0], [5, 8], atol=1e-12)
    assert tb.collide(tool, tool, pose_b=tb.pose((9, 0, 9)))
    assert tb.collide(tool, part, pose_b=tb.pose((0, 0, 2)), clearance=2.5)
    assert not tb.collide(tool, part, pose_b=tb.pose((0, 0, 2)), clearance=1.5)
    assert tb.relation(tool, tb.Model.box((-9, -9, -9), (9, 9, 20))) == tb.Relation.A_IN_B
    near = tb.closest(tool, [[8, 0, 5], [8, 0, 14], [1, 0, 8]], signed=True)
    assert np.allclose(near.distances, [3, 5, -2]) and np.allclose(near.points, [[5, 0, 5], [5, 0, 10], [1, 0, 10]])
    with pytest.raises(ValueError, match="no axis"):
        tb.Model.cylinder((1, 2, 3), (1, 2, 3), 1)
    with pytest.raises(ValueError, match="expected an array of shape"):
        tb.Model.cylinders([[0, 0, 0]], [1])
    with pytest.raises(ValueError, match="one per cylinder"):
        tb.Model.cylinders([[[0, 0, 0], [0, 0, 4]]], [1, 2])

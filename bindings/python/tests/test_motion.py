"""Models in motion."""
import math

import numpy as np
import pytest

import shapes
import tumble as tb


def cube():
    return tb.Model(*shapes.box((0, 0, 0), (1, 1, 1)))


def test_first_contact():
    found = tb.first_contact(cube(), cube(), None, tb.Motion(shapes.translation(3, 0, 0), (-3, 0, 0)))
    assert found.answer is tb.Answer.YES and found.complete and found.error == 0
    assert found.free_until <= 2 / 3 <= found.touching_at <= found.free_until + 1e-6
    assert found.points.shape == (2, 3) and len(found.pair) == 2
    away = tb.first_contact(cube(), cube(), None, tb.Motion(shapes.translation(3, 0, 0), (3, 0, 0), 5.0))
    assert away.answer is tb.Answer.NO and away.free_until == 1 and away.touching_at == math.inf
    assert away.pair is None and away.points is None
    assert tb.first_contact(cube(), cube()).touching_at == 0


def test_options():
    path = tb.Motion(shapes.translation(3, 0, 0), (-6, 0, 0))
    late = tb.first_contact(cube(), cube(), None, path, begin=0.1, end=0.2, clearance=0.1)
    assert late.answer is tb.Answer.NO and late.free_until == 0.2
    near = tb.first_contact(cube(), cube(), None, path, clearance=0.5, tolerance=0)
    assert abs(near.touching_at - 0.25) < 1e-9 and near.error > 0
    maybe = tb.first_contact(cube(), cube(), None, path, budget_tests=1)
    assert maybe.answer is tb.Answer.MAYBE and not maybe.complete and maybe.free_until < 1 / 3


def test_contact_intervals():
    hand = tb.Model([[0, 0, 0], [2, 0, 0], [1, 0, 1]], [[0, 1, 2]])
    pin = tb.Model([[-1, 0, 0.25], [-1, 0, 0.5], [-1.25, 0, 0.25]], [[0, 1, 2]])
    found = tb.contact_intervals(hand, pin, tb.Motion(angle=4 * math.pi), tolerance=1e-4)
    assert found.times.shape == (2, 4) and found.pairs.tolist() == [[0, 0], [0, 0]]
    assert np.allclose(found.times, np.array([[0.25], [0.75]]), atol=2e-4)
    assert (np.diff(found.times, axis=1) >= 0).all() and 0 < found.error < 1e-9
    assert tb.contact_intervals(hand, pin).times.shape == (0, 4)


def test_motions():
    start, end = shapes.translation(1, 2, 3), shapes.turned(0.6, 0.8, 0, 0)
    motion = tb.motion_between(start, end, centre=(1, 1, 1))
    assert np.array_equal(tb.motion_pose(motion, 0), np.asarray(start)[:3])
    assert np.allclose(tb.motion_pose(motion, 1), np.asarray(end)[:3], atol=1e-14)
    assert tb.motion_pose(None, 0.5).tolist() == np.eye(3, 4).tolist()
    with pytest.raises(ValueError, match="time"):
        tb.motion_pose(motion, 1.5)
    with pytest.raises(tb.PoseError):
        tb.motion_between(start, 2 * np.eye(4))


def test_misuse():
    with pytest.raises(TypeError, match="tumble.Motion"):
        tb.first_contact(cube(), cube(), 3)
    with pytest.raises(tb.ArgumentError, match="axis"):
        tb.first_contact(cube(), cube(), tb.Motion(angle=1.0, axis=(0, 0, 0)))
    with pytest.raises(tb.TooLargeError):
        tb.motion_pose(tb.Motion(angle=1e9), 0.5)
    with pytest.raises(ValueError, match="translation"):
        tb.first_contact(cube(), cube(), tb.Motion(translation=(1, 2)))
    with pytest.raises((ValueError, tb.ArgumentError)):
        tb.contact_intervals(cube(), cube(), tolerance=0)


def flight():
    """Past a cube at a distance of 0.5, then through it."""
    past = tb.Motion(shapes.translation(3, 1.5, 0), (-6, 0, 0))
    across = tb.Motion(shapes.translation(-3, 1.5, 0), (0, -1.5, 0))
    through = tb.Motion(shapes.translation(-3, 0, 0), (6, 0, 0))
    return tb.Path([past, across, through], [0.0, 2.0, 3.0, 9.0])


def test_clearance_along():
    near = tb.clearance_along(cube(), cube(), None, flight().pieces[0])
    assert near.complete and near.lower <= 0.5 <= near.upper <= 0.5000011 and 1 / 3 <= near.time <= 2 / 3
    assert np.isclose(abs(near.points[1] - near.points[0]).sum(), 0.5) and len(near.pair) == 2
    part = tb.clearance_along(cube(), cube(), None, flight().pieces[0], begin=0, end=0.25, absolute_error=1e-3)
    assert part.time == 0.25 and abs(part.upper - math.sqrt(0.25 + 0.25)) < 1e-3
    far = tb.clearance_along(cube(), cube(), None, flight().pieces[0], within=0.25)
    assert far.complete and far.lower > 0.2499
    soon = tb.clearance_along(cube(), cube(), None, flight().pieces[0], enough=100)
    assert soon.upper <= 100
    assert not tb.clearance_along(cube(), cube(), None, flight().pieces[0], budget_tests=1).complete
    empty = tb.Model(np.zeros((0, 3)), np.zeros((0, 3), dtype=int))
    none = tb.clearance_along(empty, cube())
    assert none.upper == math.inf and none.pair is None and none.points is None


def test_paths():
    path = flight()
    first = tb.first_contact(cube(), cube(), None, path)
    assert first.answer is tb.Answer.YES and first.free_until <= 5 <= first.touching_at <= 5.000001
    found = tb.contact_intervals(cube(), cube(), None, path, tolerance=0.01)
    assert found.complete and found.decided_until == 9 and len(found.times) == 1
    assert np.allclose(found.times[0], [5, 5, 7, 7], atol=0.0201)
    part = tb.contact_intervals(cube(), cube(), None, path, tolerance=0.01, budget_tests=1)
    assert not part.complete and part.decided_until < 9
    near = tb.clearance_along(cube(), cube(), None, tb.Path(path.pieces[:2]))
    assert near.complete and near.lower <= 0.5 <= near.upper and 0 <= near.time <= 2
    both = tb.first_contact(cube(), cube(), path, path)
    assert both.touching_at == 0
    aside = tb.Motion(shapes.translation(0, 50, 0))
    assert tb.first_contact(cube(), cube(), aside, path).answer is tb.Answer.NO
    assert np.allclose(tb.motion_pose(path, 1.0), np.asarray(shapes.translation(0, 1.5, 0))[:3])


def test_paths_misused():
    path = flight()
    with pytest.raises(ValueError, match="3 pieces need 4 times"):
        tb.first_contact(cube(), cube(), None, tb.Path(path.pieces, [0, 1]))
    with pytest.raises(tb.ArgumentError, match="not after"):
        tb.first_contact(cube(), cube(), None, tb.Path(path.pieces, [0, 1, 1, 2]))
    with pytest.raises(tb.ArgumentError, match="no pieces"):
        tb.clearance_along(cube(), cube(), None, tb.Path([]))
    with pytest.raises(TypeError, match="piece 1"):
        tb.contact_intervals(cube(), cube(), None, tb.Path([path.pieces[0], 3]))
    with pytest.raises(TypeError):
        tb.contact_intervals(cube(), cube(), None, tb.Path(5))
    with pytest.raises(ValueError, match="begin, end"):
        tb.first_contact(cube(), cube(), None, path, end=0.5)
    with pytest.raises(ValueError, match="one of the path"):
        tb.motion_pose(path, 9.5)
    with pytest.raises(tb.ArgumentError):
        tb.clearance_along(cube(), cube(), relative_error=-1)

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

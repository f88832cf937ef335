"""Collisions of two models."""

import numpy as np
import pytest

import tumble as tb
from conftest import shift


def test_collide(cube):
    assert tb.collide(cube, cube) is True
    assert tb.collide(cube, cube, None, shift(2)) is False
    assert tb.collide(cube, cube, shift(2), shift(2)) is True
    assert tb.collide(cube, cube, pose_b=shift(2), clearance=1.0) is True
    assert tb.collide(cube, cube, pose_b=shift(2), clearance=0.999) is False


def test_pairs_and_count_agree(ring):
    found = tb.pairs(ring, ring, None, shift(0.3))
    assert found.shape == (tb.count(ring, ring, None, shift(0.3)), 2) and found.dtype == np.uint32
    assert len(found) > 100
    assert np.array_equal(found, np.unique(found, axis=0))
    assert tb.pairs(ring, ring, None, shift(9)).shape == (0, 2)


def test_first(cube):
    assert tb.first(cube, cube, None, shift(2)) is None
    assert tb.first(cube, cube, None, shift(0.5)) in {tuple(p) for p in tb.pairs(cube, cube, None, shift(0.5)).tolist()}


def test_contacts(cube):
    found = tb.contacts(cube, cube, None, shift(0.5, 0.5, 0.5))
    assert found.dtype == tb.contact_dtype() and len(found) > 0
    assert not found["apart"].any()
    assert (found["points"] >= 0.5 - 1e-12).all() and (found["points"] <= 1 + 1e-12).all()


def test_surfaces(cube):
    points = np.array([[0.5, 0.5, -1], [0.6, 0.5, -1], [0.5, 0.5, 2]])
    needle = tb.Model(points, [[0, 1, 2]], surfaces=[7])
    found = tb.surfaces(cube, needle)
    assert found["surface_a"].tolist() == [0] and found["surface_b"].tolist() == [7]


def test_poses_of_every_kind_agree(ring):
    pose = shift(0.3, 0.1)
    whole = np.vstack([pose, [0, 0, 0, 1]])
    expected = tb.pairs(ring, ring, None, pose)
    for other in (whole, pose.tolist(), np.asfortranarray(pose), (pose[:, 3], [1, 0, 0, 0]), pose.astype(">f8")):
        assert np.array_equal(tb.pairs(ring, ring, None, other), expected)


@pytest.mark.parametrize("pose", [np.eye(3), np.zeros(12), np.eye(4)[None], "x", [1, [2]], 3.0])
def test_wrong_poses(cube, pose):
    with pytest.raises((ValueError, TypeError), match="pose_b"):
        tb.collide(cube, cube, None, pose)


def test_pose_errors(cube):
    with pytest.raises(tb.PoseError, match="uniform scale") as error:
        tb.collide(cube, cube, None, np.diag([1.0, 1, 2, 1])[:3])
    assert isinstance(error.value, ValueError) and isinstance(error.value, tb.Error) and error.value.status == 7
    with pytest.raises(tb.PoseError, match="last row"):
        tb.collide(cube, cube, None, np.eye(4) * 2)
    with pytest.raises(tb.NotFiniteError):
        tb.collide(cube, cube, None, shift(np.nan))


def test_wrong_arguments(cube):
    with pytest.raises(TypeError, match="expected a tumble.Model"):
        tb.collide(cube, 3)
    with pytest.raises(TypeError, match="missing"):
        tb.collide(cube)
    with pytest.raises(TypeError, match="unexpected keyword"):
        tb.collide(cube, cube, wrong=1)
    with pytest.raises(TypeError, match="multiple values"):
        tb.collide(cube, cube, a=cube)
    with pytest.raises(TypeError, match="clearance"):
        tb.collide(cube, cube, clearance="1")
    with pytest.raises(ValueError, match="NaN"):
        tb.collide(cube, cube, clearance=float("nan"))

"""Errors say which argument, and which item of it, is wrong, and what was expected."""
import numpy as np
import pytest

import tumble as tb
from conftest import shift

BAD = shift(np.nan)
POSES = np.array([shift(), shift(), BAD, shift()])
SHEAR = np.array([[1, 0.1, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]], float)
SQUARES = np.tile(np.eye(4), (3, 1, 1))
SQUARES[1, 3, 2] = 1
NO_TURN = ([0, 0, 0], [0, 0, 0, 0])
NO_TURNS = ([[0, 0, 0]] * 2, [[1, 0, 0, 0], [0, 0, 0, 0]])

CASES = [
    (lambda c: tb.collide(c, c, BAD), tb.NotFiniteError, "pose_a: the number in row 1, column 4 is nan"),
    (lambda c: tb.pairs(c, c, None, BAD), tb.NotFiniteError, "pose_b: the number in row 1, column 4 is nan"),
    (lambda c: tb.distance(c, c, shift(), SHEAR), tb.PoseError, "pose_b: column 2 has length"),
    (lambda c: tb.relation(c, c, SHEAR, SHEAR), tb.PoseError, "pose_a: column 2 has length"),
    (lambda c: tb.Query().count(c, c, None, SHEAR), tb.PoseError, "pose_b: column 2 has length"),
    (lambda c: tb.collide(c, c, NO_TURN), tb.PoseError, "pose_a: the quaternion or the axis is 0"),
    (lambda c: tb.collide_many(c, c, None, NO_TURNS), tb.PoseError, "poses_b: number 1: the quaternion"),
    (lambda c: tb.collide_many(c, c, SQUARES), tb.PoseError, "poses_a: the last row of 4x4 matrix 1"),
    (lambda c: tb.collide_many(c, c, None, POSES), tb.NotFiniteError, "check 2: pose: the number in row 1"),
    (lambda c: tb.collide_many(c, c, POSES, threads=2), tb.NotFiniteError, "check 2: pose: the number in row 1"),
    (lambda c: tb.collide_many(c, c, POSES, mode="pairs"), tb.NotFiniteError, "check 2: pose: the number in row 1"),
    (lambda c: tb.Device(threads=1).submit(c, c, POSES).result(), tb.NotFiniteError, "check 2: pose: the number"),
    (lambda c: tb.distance_many(c, c, POSES), tb.NotFiniteError, "check 2: pose: the number in row 1"),
    (lambda c: tb.collide_many(c, c, shift(), threads=-1), ValueError, "threads: expected a non-negative integer"),
    (lambda c: tb.Device(2**70), ValueError, "number: expected a non-negative integer"),
    (lambda c: tb.Model(np.zeros((3, 3), complex), [[0, 1, 2]]), TypeError, "vertices: .* real numbers, not of complex"),
    (lambda c: tb.Model(np.zeros((3, 3), object), [[0, 1, 2]]), TypeError, "vertices: .* not of object"),
    (lambda c: tb.Model(np.zeros((3, 3)), np.zeros((1, 3), "c8")), TypeError, "faces: .* integers, not of complex"),
    (lambda c: tb.Model.parse("v 0 0 0", "obj"), TypeError, "data: expected bytes, not <class 'str'>"),
]


@pytest.mark.parametrize("call, error, message", CASES, ids=range(len(CASES)))
def test_messages(cube, call, error, message):
    with pytest.raises(error, match="^" + message):
        call(cube)


def test_a_missing_file_is_named_once(tmp_path):
    path = str(tmp_path / "none.stl")
    with pytest.raises(FileNotFoundError) as caught:
        tb.read(path)
    assert caught.value.filename == path and str(caught.value).count(path) == 1

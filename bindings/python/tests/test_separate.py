"""How far two models must be moved to part them."""
import math

import numpy as np
import pytest

import shapes
import tumble as tb


def cube():
    return tb.Model(*shapes.box((0, 0, 0), (1, 1, 1)))


AT = shapes.translation(0.75, 0.125, 0)


def test_any_direction():
    found = tb.separate(cube(), cube(), None, AT)
    assert found.answer is tb.Answer.YES and found.complete and found.relation is tb.Relation.CROSSING
    assert found.lower <= 0.25 <= found.upper <= 0.25 + 1e-12 and found.lower > 0.25 - 1e-9
    assert np.array_equal(found.normal, [1, 0, 0]) and len(found.pair) == 2
    assert np.allclose(found.translation, [0.25, 0, 0], atol=1e-12)
    assert found.pose_b.shape == (3, 4)
    assert tb.relation(cube(), cube(), None, found.pose_b) is tb.Relation.APART
    assert abs(found.depth_a + found.depth_b - found.lower) < 1e-9 and found.deepest.shape == (3,)
    assert found.lower_along is None and found.upper_along is None and found.tight is None
    assert 0 < found.directions <= 40
    assert tb.separate(cube(), cube(), None, AT, directions=1).directions == 1


def test_along():
    found = tb.separate(cube(), cube(), None, AT, direction=(0, 0, 0.5), touching=True)
    assert found.tight and found.lower_along == found.upper_along == 2
    assert found.translation.tolist() == [0, 0, 1] and abs(found.upper - 1) < 1e-14
    assert found.deepest is None and found.depth_a is None and found.depth_b is None
    assert tb.relation(cube(), cube(), None, found.pose_b) is tb.Relation.TOUCHING


def test_nothing_to_do():
    found = tb.separate(cube(), cube(), None, shapes.translation(5, 0, 0))
    assert found.answer is tb.Answer.YES and found.lower == found.upper == 0
    assert found.translation.tolist() == [0, 0, 0] and found.pair is None and found.normal is None


def test_limits():
    far = tb.separate(cube(), cube(), None, AT, within=0.125)
    assert far.answer is tb.Answer.NO and far.upper == math.inf and far.lower > 0.125
    assert far.translation is None and far.pose_b is None
    soon = tb.separate(cube(), cube(), None, AT, enough=10)
    assert soon.answer is tb.Answer.YES and soon.directions == 1
    assert not tb.separate(cube(), cube(), None, AT, budget_tests=1).complete


def test_errors():
    sheet = tb.Model([[0, 0, 0.5], [9, 0, 0.5], [0, 9, 0.5]], [[0, 1, 2]])
    with pytest.raises(tb.UnsupportedError, match="model B is open"):
        tb.separate(cube(), sheet)
    assert tb.separate(cube(), sheet, direction=(0, 0, 1)).tight
    with pytest.raises(ValueError, match="direction"):
        tb.separate(cube(), cube(), direction=(1, 2))
    with pytest.raises(ValueError, match="negative"):
        tb.separate(cube(), cube(), within=-1)

"""Along which curves two models meet."""
import numpy as np
import pytest

import shapes
import tumble as tb


def cube():
    return tb.Model(*shapes.box((0, 0, 0), (1, 1, 1)))


def test_one_curve():
    found = tb.regions(cube(), cube(), None, shapes.translation(0.5, 0.25, 0.125))
    assert len(found) == 1 and found[0].coplanar == 0 and found[0].contacts == len(found[0].curves[0].points)
    curve = found[0].curves[0]
    assert curve.closed and curve.sides_known and curve.points.shape == (len(curve.pairs), 3)
    steps = np.roll(curve.points, -1, axis=0) - curve.points
    assert np.isclose(np.linalg.norm(steps, axis=1).sum(), curve.length) and curve.length == found[0].length
    assert np.isclose(curve.length, 2 * (0.5 + 0.75 + 0.875))
    assert found[0].bounds.tolist() == [[0.5, 0.25, 0.125], [1, 1, 1]]
    assert np.isclose(np.linalg.norm(found[0].normal_a), 1) and found[0].normal_b.shape == (3,)
    segments = {tuple(sorted(map(tuple, s.round(9).tolist()))) for s in tb.contacts(cube(), cube(), None,
                shapes.translation(0.5, 0.25, 0.125))["points"]}
    joined = zip(curve.points, np.roll(curve.points, -1, axis=0))
    assert segments == {tuple(sorted((tuple(p.round(9).tolist()), tuple(q.round(9).tolist())))) for p, q in joined}


def test_kinds():
    on_top = tb.regions(cube(), cube(), None, shapes.translation(0.25, 0.25, 1))
    assert on_top[0].coplanar > 0 and on_top[0].curves[0].closed and not on_top[0].curves[0].sides_known
    corner = tb.regions(cube(), cube(), None, shapes.translation(1, 1, 1))
    assert corner[0].curves == [] and corner[0].bounds.tolist() == [[1, 1, 1], [1, 1, 1]]
    sheet = tb.Model([[-1, -1, 0.5], [0.5, -1, 0.5], [0.5, 3, 0.5], [-1, 3, 0.5]], [[0, 1, 2], [0, 2, 3]])
    curve = tb.regions(cube(), sheet)[0].curves[0]
    assert not curve.closed and not curve.sides_known and len(curve.pairs) == len(curve.points) - 1
    assert tb.regions(cube(), cube(), None, shapes.translation(5, 0, 0)) == []


def test_errors():
    with pytest.raises(tb.UnsupportedError, match="model B has a radius"):
        tb.regions(cube(), tb.Model.ball((0, 0, 0), 1))

"""A model against itself."""
import numpy as np
import pytest

import shapes
import tumble as tb


def test_clean():
    cube = tb.Model(*shapes.box((0, 0, 0), (1, 1, 1)))
    assert tb.self_collide(cube) is False
    assert tb.self_pairs(cube).shape == (0, 3)
    assert tb.self_collide(cube, soup=True)


def test_pairs():
    vertices, faces = shapes.box((0, 0, 0), (1, 1, 1))
    count = len(faces)
    needle = np.array([[0.25, 0.25, 0.5], [0.5, 0.25, 0.5], [0.375, 0.25, 1.5]])
    both = tb.Model(np.vstack([vertices, needle]), np.vstack([faces, [[len(vertices) + k for k in range(3)]]]))
    found = tb.self_pairs(both)
    assert found.dtype == np.uint32
    assert len(found) >= 1 and (found[:, 1] == count).all() and (found[:, 2] == 2).all()
    assert tb.self_collide(both)


def test_all_ways_to_ask():
    """Two boxes that overlap: every way gives the pairs of the two as models of their own."""
    points, faces = shapes.two_boxes()
    both, one = tb.Model(points, faces), tb.Model(*shapes.box((0, 0, 0), (1, 1, 1)))
    expected = tb.pairs(one, one, pose_b=tb.pose((0.5, 0, 0))) + np.array([0, 12])
    found = tb.self_pairs(both)
    assert np.array_equal(found[:, :2], expected) and len(expected) > 10
    assert tb.self_count(both) == len(found) and np.array_equal(tb.self_pairs(both, threads=2), found)
    first = tb.self_first(both)
    assert list(first) in found.tolist() and isinstance(first[2], tb.SelfKind)
    contacts = tb.self_contacts(both)
    assert {(c["polygon_a"], c["polygon_b"]) for c in contacts} == set(map(tuple, expected.tolist()))
    assert tb.self_first(one) is None and tb.self_count(one) == 0 and len(tb.self_contacts(one)) == 0


def test_near():
    cube = tb.Model(*shapes.box((0, 0, 0), (1, 1, 1)))
    near = tb.self_pairs(cube, clearance=1.0)
    assert len(near) and (near[:, 2] == 6).all()
    assert len(tb.self_pairs(cube, clearance=1.0, rings=3)) == 0


def test_bad_arguments():
    cube = tb.Model(*shapes.box((0, 0, 0), (1, 1, 1)))
    with pytest.raises((ValueError, tb.ArgumentError)):
        tb.self_pairs(cube, clearance=-1.0)
    with pytest.raises(TypeError):
        tb.self_pairs(3)


def test_radius():
    path = [[0, 0, 0], [4, 0, 0], [4, 3, 0], [0, 3, 0]]  # a bent tube
    segments = [[0, 1, 1], [1, 2, 2], [2, 3, 3]]
    assert not tb.self_collide(tb.Model(path, segments, radius=1.25))
    assert tb.self_collide(tb.Model(path, segments, radius=1.5))
    assert tb.self_collide(tb.Model(path, segments, radius=1.25), clearance=0.5)

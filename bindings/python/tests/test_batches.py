"""Batches against single calls and exact arithmetic; poses in all forms; numbers of all types and strides."""
import ctypes
import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import calls
import shapes
import tumble as tb
from conftest import few
from oracle import IDENTITY, Scene, quaternion_pose
from test_answers import any_shape, hierarchies, model

some_poses = st.lists(shapes.poses, min_size=0, max_size=6)
few_poses = st.lists(shapes.poses, min_size=3, max_size=3)


def stack(poses):
    return np.array(poses, float).reshape(-1, 3, 4)


@few
@given(any_shape, any_shape, some_poses, shapes.lattice_poses(), hierarchies)
def test_every_mode_against_single_calls(a, b, poses, pose_a, hierarchy):
    ma, mb, n = model(a, hierarchy), model(b), len(poses)
    expected = [tb.pairs(ma, mb, pose_a, p) for p in poses]
    every = stack(poses)
    for threads in (0, 2):
        asked = {"poses_a": pose_a, "poses_b": every, "threads": threads}
        assert tb.collide_many(ma, mb, **asked).tolist() == [len(e) > 0 for e in expected]
        assert tb.collide_many(ma, mb, mode="count", **asked).tolist() == [len(e) for e in expected]
        first = tb.collide_many(ma, mb, mode="first", **asked)
        assert first.shape == (n, 2) and first.dtype == np.int64
        assert all((f.tolist() in e.tolist()) if len(e) else f.tolist() == [-1, -1] for f, e in zip(first, expected))
        starts, pairs = tb.collide_many(ma, mb, mode="pairs", **asked)
        assert [pairs[i:j].tolist() for i, j in zip(starts, starts[1:])] == [e.tolist() for e in expected]
        starts, contacts = tb.collide_many(ma, mb, mode="contacts", **asked)
        single = [tb.contacts(ma, mb, pose_a, p) for p in poses]
        assert [contacts[i:j].tobytes() for i, j in zip(starts, starts[1:])] == [s.tobytes() for s in single]


@few
@given(any_shape, any_shape, few_poses, few_poses)
def test_distances_and_relations(a, b, poses_a, poses_b):
    ma, mb = model(a), model(b)
    asked = {"poses_a": stack(poses_a), "poses_b": stack(poses_b)}
    both = list(zip(poses_a, poses_b))
    assert tb.distance_many(ma, mb, **asked).tolist() == [tb.distance(ma, mb, *p).value for p in both]
    assert tb.relation_many(ma, mb, **asked).tolist() == [tb.relation(ma, mb, *p) for p in both]
    assert tb.collide_many(ma, mb, clearance=0.5, **asked).tolist() == [tb.collide(ma, mb, *p, 0.5) for p in both]


@few
@given(st.lists(any_shape, min_size=2, max_size=4), st.data())
def test_a_model_for_each_check(every, data):
    models = [model(s) for s in every]
    poses = stack([data.draw(shapes.lattice_poses()) for _ in models])
    expected = [Scene(every[0], s, IDENTITY, p).pairs() for s, p in zip(every, poses)]
    assert tb.collide_many(models[0], models, poses_b=poses, mode="count").tolist() == [len(e) for e in expected]
    job = tb.Device().submit(models[0], models, poses_b=poses, mode="pairs", capacity=200)
    starts, pairs = job.result()
    assert [[tuple(p) for p in pairs[i:j].tolist()] for i, j in zip(starts, starts[1:])] == expected


def random_poses(generator, count):
    quaternions = generator.normal(size=(count, 4))
    return np.array([quaternion_pose(p, q) for p, q in zip(generator.uniform(-1.5, 1.5, (count, 3)), quaternions)])


def test_ten_thousand_scenes_single_and_in_batches(effort):
    generator = np.random.default_rng(5)
    shape = [tb.Model(generator.uniform(-1, 1, (9, 3)), generator.integers(0, 9, (6, 3))) for _ in range(40)]
    count = int(10000 * min(effort, 1))
    poses = random_poses(generator, count)
    chosen = generator.integers(0, len(shape), (count, 2))
    a, b = ([shape[i] for i in column] for column in chosen.T)
    single = [tb.count(x, y, None, p) for x, y, p in zip(a, b, poses)]
    assert 0.1 < np.mean(np.array(single) > 0) < 0.9
    assert tb.collide_many(a, b, poses_b=poses, mode="count").tolist() == single
    assert tb.collide_many(a, b, poses_b=poses, mode="count", threads=2).tolist() == single
    assert tb.collide_many(a, b, poses_b=poses).tolist() == [s > 0 for s in single]
    answers = tb.collide_many(a, b, poses_b=poses, mode="answers")
    assert answers["pair_count"].tolist() == single and not answers["status"].any()


# ---- Forms of poses ----


def forms_of(pose):
    """One pose, in every form that is the same pose to the bit."""
    square = np.vstack([pose, [0, 0, 0, 1]])
    wide = np.zeros((6, 8))
    wide[::2, ::2] = pose
    yield from (pose, square, pose.tolist(), square.tolist(), np.asfortranarray(pose), pose.astype(">f8"), wide[::2, ::2])
    yield from (pose[::-1].copy()[::-1], memoryview(pose), (ctypes.c_double * 4 * 3)(*map(tuple, pose)))
    if np.array_equal(pose, pose.astype(np.float32)):
        yield from (pose.astype("f4"), square.astype("f4"))
    if np.array_equal(pose, pose.astype(int)):
        yield from (pose.astype("i1"), pose.astype(">i8"), square.astype("u1") if (pose >= 0).all() else pose.astype("i4"))


@given(shapes.poses)
def test_forms_of_one_pose(pose):
    cube = calls.cube()
    expected = tb.contacts(cube, cube, None, pose)
    for form in forms_of(pose):
        assert np.array_equal(tb.contacts(cube, cube, None, form), expected)


@given(some_poses)
def test_forms_of_many_poses(poses):
    cube, every = calls.cube(), stack(poses)
    squares = np.concatenate([every, np.tile([[[0.0, 0, 0, 1]]], (len(every), 1, 1))], axis=1)
    wide = np.repeat(every, 2, axis=0)
    expected = tb.collide_many(cube, cube, poses_b=every, mode="count").tolist()
    forms = [squares, every.astype(">f8"), np.asfortranarray(every), wide[::2], wide[::-2][::-1], memoryview(every)]
    for form in forms if len(every) else forms[:4]:
        assert tb.collide_many(cube, cube, poses_b=form, mode="count").tolist() == expected


@given(st.lists(st.tuples(st.tuples(*3 * [shapes.rough]), shapes.quaternions), min_size=1, max_size=4))
def test_positions_and_quaternions(given_poses):
    cube = calls.cube()
    positions, quaternions = np.array([p for p, _ in given_poses]), np.array([q for _, q in given_poses])
    expected = np.array([quaternion_pose(p, q) for p, q in given_poses])
    for position, quaternion, pose in zip(positions, quaternions, expected):
        assert np.array_equal(tb.pose(position, quaternion), pose)
        assert tb.count(cube, cube, None, (position, quaternion)) == tb.count(cube, cube, None, pose)
    both = (positions.astype("f4"), quaternions.astype("i2"))
    counts = tb.collide_many(cube, cube, poses_b=expected, mode="count").tolist()
    assert tb.collide_many(cube, cube, poses_b=both, mode="count").tolist() == counts


# ---- Numbers of all types ----

FLOATS = ["f2", "f4", "f8", "g", ">f4", ">f8"]
INTEGERS = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", ">i2", ">i4", ">i8", ">u4", "?"]


def layouts(array):
    """The same numbers with other strides."""
    padded = np.zeros((2 * array.shape[0], 3 * array.shape[1]), array.dtype)
    padded[::2, 1::3] = array
    apart = np.zeros(array.nbytes + 1, np.uint8)[1:].view(array.dtype).reshape(array.shape)
    apart[...] = array
    yield from (array, np.asfortranarray(array), padded[::2, 1::3], array[::-1].copy()[::-1], apart)


@pytest.mark.parametrize("points_type", FLOATS + INTEGERS[:-1])
def test_every_type_and_stride_of_points(points_type):
    points, faces = shapes.box((0, 0, 0), (1, 1, 1))
    expected = tb.Model(points, faces)
    for form in layouts(points.astype(points_type)):
        assert tb.Model(form, faces) == expected
    assert tb.Model(points.tolist(), faces) == expected


@pytest.mark.parametrize("faces_type", INTEGERS[:-1])
def test_every_type_and_stride_of_faces(faces_type):
    points, faces = shapes.box((0, 0, 0), (1, 1, 1))
    expected = tb.Model(points, faces)
    for form in layouts(faces.astype(faces_type)):
        assert tb.Model(points, form) == expected
        assert tb.Model(points, form.ravel(), sizes=np.full(12, 3, faces_type)) == expected
    assert tb.Model(points, faces, np.arange(12).astype(faces_type)) == tb.Model(points, faces, range(12))


def test_polygons_in_every_form():
    points, quads = shapes.box_quads((0, 0, 0), (1, 1, 1))
    mixed = [q.tolist() for q in quads[:3]] + [t for q in quads[3:].tolist() for t in ([*q[:3]], [q[0], *q[2:]])]
    padded = np.full((9, 5), -1)
    for row, polygon in zip(padded, mixed):
        row[: len(polygon)] = polygon
    flat, sizes = list(itertools.chain(*mixed)), [len(p) for p in mixed]
    models = [tb.Model(points, form) for form in (mixed, tuple(map(tuple, mixed)), [np.array(p) for p in mixed], padded)]
    models.append(tb.Model(points, flat, sizes=sizes))
    assert len(models[0]) == 9 and all(m == models[0] for m in models)


@pytest.mark.parametrize("faces", [[[0, 1, 8]], [[0, 1, -2]], [[0, 1]], [[0, 1, 2**32]], [[0, 1, -1]], [[0, -1, 1, 2]]])
def test_wrong_faces(faces):
    points, _ = shapes.box((0, 0, 0), (1, 1, 1))
    for form in (faces, np.array(faces)):
        with pytest.raises(ValueError):
            tb.Model(points, form)


# ---- Outputs ----

OUTPUTS = {"test": (np.bool_, ()), "count": (np.uint64, ()), "first": (np.int64, (2,)), "answers": (None, ())}


@pytest.mark.parametrize("mode", OUTPUTS)
def test_outputs(mode):
    kind, width = OUTPUTS[mode]
    cube, kind = calls.cube(), tb.answer_dtype() if kind is None else kind
    expected = tb.collide_many(cube, cube, poses_b=calls.POSES, mode=mode)
    out = np.zeros((3, *width), kind)
    assert tb.collide_many(cube, cube, poses_b=calls.POSES, mode=mode, out=out) is out
    assert np.array_equal(out, expected)
    locked = np.zeros_like(out)
    locked.flags.writeable = False
    wrong = [locked, np.zeros((6, *width), kind)[::2], np.zeros((2, *width), kind), np.zeros((3, 3), kind), b"x" * 72]
    for bad in wrong + [np.zeros((3, *width), "f4"), np.zeros((3, *width), object), 5, [0, 0, 0]]:
        with pytest.raises((TypeError, ValueError)):
            tb.collide_many(cube, cube, poses_b=calls.POSES, mode=mode, out=bad)


@pytest.mark.parametrize("begin", [0, 7, 5000, 18000 - 1500])
@pytest.mark.parametrize("ask", [
    lambda *models, **more: tb.collide_many(*models, mode="count", **more),
    lambda *models, **more: tb.collide_many(*models, mode="count", threads=2, **more),
    tb.distance_many,
])  # fmt: skip
def test_output_over_the_poses(ask, begin):
    """As if they were apart: poses are read before answers are written over them."""
    cube, poses = calls.cube(), np.tile(calls.POSES, (500, 1, 1))
    expected = ask(cube, cube, poses_b=poses)
    out = poses.reshape(-1)[begin:begin + 1500].view(expected.dtype)
    assert np.array_equal(ask(cube, cube, poses_b=poses, out=out), expected)

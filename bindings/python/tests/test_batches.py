"""Many checks in one call, devices and jobs."""

import asyncio

import numpy as np
import pytest

import tumble as tb
from conftest import CUBE_POINTS, CUBE_QUADS, shift


@pytest.fixture
def poses():
    return np.array([shift(x, 0.01, 0.02) for x in np.linspace(0, 3, 101)])


@pytest.fixture(params=[{}, {"threads": 1}, {"threads": 3}, "device"])
def way(request):
    if request.param != "device":
        yield request.param
        return
    with tb.Device(threads=2) as device:
        yield {"device": device}


def test_modes_agree_with_single_calls(ring, poses, way):
    test = tb.collide_many(ring, ring, poses_b=poses, **way)
    assert test.dtype == bool and test.tolist() == [tb.collide(ring, ring, None, pose) for pose in poses]
    counts = tb.collide_many(ring, ring, poses_b=poses, mode="count", **way)
    assert counts.dtype == np.uint64 and counts.tolist() == [tb.count(ring, ring, None, pose) for pose in poses]
    first = tb.collide_many(ring, ring, poses_b=poses, mode="first", **way)
    assert first.shape == (101, 2) and ((first >= 0).all(axis=1) == test).all() and (first[~test] == -1).all()


def test_lists_agree_with_single_calls(ring, poses):
    starts, pairs = tb.collide_many(ring, ring, poses_b=poses, mode="pairs")
    contact_starts, contacts = tb.collide_many(ring, ring, poses_b=poses, mode="contacts", threads=2)
    assert starts.shape == contact_starts.shape == (102,) and starts[-1] == len(pairs)
    for i in range(0, 101, 7):
        assert np.array_equal(pairs[starts[i] : starts[i + 1]], tb.pairs(ring, ring, None, poses[i]))
        found = contacts[contact_starts[i] : contact_starts[i + 1]]
        assert np.array_equal(found, tb.contacts(ring, ring, None, poses[i]))


def test_poses_of_every_kind_agree(cube, poses):
    whole = np.zeros((101, 4, 4))
    whole[:, :3], whole[:, 3, 3] = poses, 1
    expected = tb.collide_many(cube, cube, poses_b=poses)
    assert expected.any() and not expected.all()
    for other in (whole, poses.tolist(), np.asfortranarray(poses), (poses[:, :, 3], [[1, 0, 0, 0]] * 101), poses.astype("f4")):
        assert (tb.collide_many(cube, cube, poses_b=other) == expected).all()
    assert (tb.collide_many(cube, cube, poses_a=poses, poses_b=np.eye(4)[:3]) == expected).all()
    assert tb.collide_many(cube, cube, poses, poses).all()
    assert tb.collide_many(cube, cube).tolist() == [True]
    assert tb.collide_many(cube, cube, poses_b=np.zeros((0, 3, 4))).shape == (0,)


def test_out(cube, poses):
    out = np.empty(101, bool)
    assert tb.collide_many(cube, cube, poses_b=poses, out=out) is out
    assert (out == tb.collide_many(cube, cube, poses_b=poses, threads=1)).all()
    answers = np.empty(101, tb.answer_dtype())
    assert tb.collide_many(cube, cube, poses_b=poses, mode="answers", out=answers) is answers
    assert (answers["collide"] == out).all() and (answers["status"] == 0).all()
    distances = np.empty(101)
    assert tb.distance_many(cube, cube, poses_b=poses, out=distances) is distances
    for wrong in (np.empty(100, bool), np.empty(101, np.int32), np.empty((101, 1), bool), np.empty(202, bool)[::2], "x", b"x" * 101):
        with pytest.raises((ValueError, TypeError), match="out"):
            tb.collide_many(cube, cube, poses_b=poses, out=wrong)


def test_clearance(cube, poses):
    found = tb.collide_many(cube, cube, poses_b=poses, clearance=0.5)
    assert found.tolist() == [tb.collide(cube, cube, None, pose, 0.5) for pose in poses]
    assert found.sum() > tb.collide_many(cube, cube, poses_b=poses).sum()


def test_distances(cube, poses):
    found = tb.distance_many(cube, cube, poses_b=poses)
    assert found.tolist() == [tb.distance(cube, cube, None, pose).value for pose in poses]
    assert np.isinf(tb.distance_many(cube, cube, poses_b=poses, within=0.5)[-1])


def test_many_models(cube):
    large = tb.Model(CUBE_POINTS * 3, CUBE_QUADS)
    assert tb.collide_many([cube, large], cube, poses_b=shift(2)).tolist() == [False, True]
    assert tb.collide_many([cube, large], (cube, cube), poses_b=shift(2), threads=1).tolist() == [False, True]
    with pytest.raises(ValueError, match="one or 2"):
        tb.collide_many([cube, large], [cube] * 3)
    with pytest.raises(TypeError, match="tumble.Model"):
        tb.collide_many([cube, 3], cube)


def test_errors_name_the_check(cube, poses, way):
    poses[17, 0, 0] = 2
    with pytest.raises(tb.PoseError):
        tb.collide_many(cube, cube, poses_b=poses, **way)
    if "threads" in way:
        with pytest.raises(tb.PoseError, match="check 17: "):
            tb.collide_many(cube, cube, poses_b=poses, **way)


def test_answers_have_a_status(cube, poses):
    poses[17, 0, 0] = 2
    answers = tb.collide_many(cube, cube, poses_b=poses, mode="answers")
    assert np.flatnonzero(answers["status"]).tolist() == [17] and answers["status"][17] == tb.PoseError.status


# ---- Devices and jobs ----


def test_devices():
    found = tb.devices()
    assert found[0].kind is tb.DeviceKind.CPU and found[0].unit_count >= 1
    with tb.Device() as device:
        assert device.info.kind is tb.DeviceKind.CPU and device.memory.model_count == 0 and not device.closed
    assert device.closed and "closed" in repr(device)
    device.close()
    with pytest.raises(tb.DeviceError, match="closed"):
        device.finish()
    with pytest.raises(ValueError):
        tb.Device(1000)


def test_job(cube, poses):
    with tb.Device() as device:
        job = device.submit(cube, cube, poses_b=poses)
        found = job.result(timeout=60)
        assert job.done() and job.report.done_count == 101 and job.result() is found
        assert (found == tb.collide_many(cube, cube, poses_b=poses)).all()
        assert job.cancel() is False
        device.finish()
        assert device.memory.model_count == 0


def test_jobs_keep_what_they_need(ring, poses):
    with tb.Device() as device:
        jobs = [device.submit(tb.Model.from_block(bytes(ring)), ring, poses_b=poses.copy(), mode="count") for _ in range(20)]
        expected = tb.collide_many(ring, ring, poses_b=poses, mode="count")
        assert all((job.result() == expected).all() for job in jobs)


def test_jobs_that_nobody_waits_for(ring, poses):
    with tb.Device() as device:
        for _ in range(200):
            device.submit(ring, ring, poses_b=poses)
        device.finish(60)
        assert device.memory.model_count == 0


def test_lists_of_jobs(ring, poses):
    with tb.Device() as device:
        starts, pairs = device.submit(ring, ring, poses_b=poses[1:], mode="pairs", capacity=20000).result()
        expected = tb.collide_many(ring, ring, poses_b=poses[1:], mode="pairs")
        assert (starts == expected[0]).all() and (pairs == expected[1]).all()
        with pytest.raises(tb.TooLargeError, match="capacity"):
            device.submit(ring, ring, poses_b=poses, mode="contacts", capacity=2).result()


def test_cancel_and_timeout(ring):
    poses = np.repeat(shift(0.001)[None], 20000, axis=0)
    with tb.Device(threads=1) as device:
        job = device.submit(ring, ring, poses_b=poses, mode="count")
        with pytest.raises(TimeoutError):
            job.result(timeout=0.001)
        assert job.cancel() is True
        with pytest.raises(tb.CancelledError):
            job.result(timeout=60)
        left = device.submit(ring, ring, poses_b=poses, mode="count")
    with pytest.raises(tb.CancelledError):
        left.result()


def test_await(ring, poses):
    async def both(device):
        jobs = [device.submit(ring, ring, poses_b=poses, mode=mode) for mode in ("test", "count")]
        return await asyncio.gather(*[asyncio.ensure_future(wait(job)) for job in jobs + jobs])

    async def wait(job):
        return await job

    with tb.Device() as device:
        test, counts, again, _ = asyncio.run(both(device))
    assert again is test and ((counts > 0) == test).all()

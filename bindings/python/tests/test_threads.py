"""Threads: models shared by many, the GIL free, buffers that change meanwhile, code that runs in the midst of a call."""
import asyncio
import gc
import threading
import time

import numpy as np
import pytest

import calls
import hostile
import shapes
import tumble as tb

TORUS = shapes.torus(60)


@pytest.fixture(scope="module")
def torus():
    return tb.Model(*TORUS)


def run_together(functions):
    """Runs functions at the same time; raises what the first failed with."""
    errors = []

    def guarded(function):
        try:
            function()
        except BaseException as error:  # noqa: BLE001
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(f,)) for f in functions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def test_many_threads_ask_about_one_model(torus):
    poses = [shapes.turned(0.1 * i, 0.4 + 0.02 * i, 0, 0.1) for i in range(16)]
    expected = [tb.count(torus, torus, None, p) for p in poses]
    distances = [tb.distance(torus, torus, None, p).value for p in poses]

    def ask():
        for _ in range(5):
            assert [tb.count(torus, torus, None, p) for p in poses] == expected
            assert [tb.distance(torus, torus, None, p).value for p in poses] == distances
            assert tb.collide_many(torus, torus, poses_b=np.array(poses), mode="count").tolist() == expected

    run_together([ask] * 8)


LONG = {
    "build": lambda model: tb.Model(*shapes.torus(250), hierarchy="boxtree", threads=1),
    "pairs": lambda model: tb.count(model, model, None, shapes.turned(0.01, 1e-3, 0, 0), tuning=None),
    "batch": lambda model: tb.collide_many(model, model, poses_b=np.tile(shapes.turned(1.5, 1, 0, 0), (20000, 1, 1))),
    "threads": lambda model: tb.distance_many(model, model, poses_b=np.tile(shapes.turned(1.5, 1, 0, 0), (100, 1, 1))),
}


@pytest.mark.parametrize("name", LONG)
def test_other_threads_run_meanwhile(torus, name):
    """A thread that held the GIL for the whole call would let this one wake up once."""
    done = threading.Event()
    model = tb.Model(*shapes.torus(30), hierarchy="brute") if name == "pairs" else torus

    def work():
        LONG[name](model)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    begin, wakes = time.monotonic(), 0
    while not done.is_set():
        time.sleep(0.001)
        wakes += 1
    seconds = time.monotonic() - begin
    thread.join()
    assert wakes > 5 + 20 * seconds or seconds < 0.02


def test_a_query_and_an_edit_are_for_one_thread(torus):
    query, edited = tb.Query(), tb.Model(*shapes.torus(12)).editable()
    points, faces = shapes.box((0, 0, 0), (1, 1, 1))

    def ask():
        for i in range(60):
            try:
                query.pairs(edited, torus, None, shapes.translation(0.01 * i, 0, 0))
                tb.distance(edited, torus)
            except tb.BusyError:
                pass

    def edit():
        for _ in range(60):
            try:
                first = edited.insert(points, faces)
                edited.remove(range(first, first + 12))
            except tb.BusyError:
                pass

    run_together([ask, ask, edit, edit])
    assert tb.count(edited.frozen(), torus) == tb.count(edited, torus)


# ---- Buffers that change ----


def spoil(stop, change):
    while not stop.is_set():
        change()


def hammer(change, ask):
    """Asks while another thread changes what is asked about; any answer and any refusal will do."""
    stop = threading.Event()
    thread = threading.Thread(target=spoil, args=(stop, change))
    thread.start()
    try:
        for _ in range(60):
            try:
                ask()
            except (ValueError, IndexError):
                pass
    finally:
        stop.set()
        thread.join()


def test_arrays_that_change_while_a_model_is_built():
    points, faces = (a.copy() for a in shapes.torus(20))
    faces = faces.astype(np.uint32)
    good = points.copy(), faces.copy()

    def change():
        points[::7] = np.nan
        faces[::5] = 2**31
        points[...], faces[...] = good

    hammer(change, lambda: tb.Model(points, faces))
    assert tb.Model(points, faces) == tb.Model(*good)


@pytest.mark.parametrize("threads", [0, 2])
def test_poses_that_change_during_a_batch(torus, threads):
    poses = np.tile(shapes.turned(1.5, 1, 0, 0), (300, 1, 1))
    good = poses.copy()

    def change():
        poses[::3] = np.nan
        poses[1::3] = 1e308
        poses[2::3, 0] = 0
        poses[...] = good

    hammer(change, lambda: tb.collide_many(torus, torus, poses_b=poses, mode="count", threads=threads))


def test_poses_that_change_during_states(torus):
    scene = tb.Scene()
    handles = scene.add_many(torus, np.tile(shapes.turned(1.5, 1, 0, 0), (2, 1, 1)))
    poses = np.tile(shapes.turned(1.5, 1, 0, 0), (100, 2, 1, 1))
    good = poses.copy()

    def change():
        poses[::3] = np.nan
        poses[1::3] = 1e308
        poses[...] = good

    hammer(change, lambda: scene.states(handles, poses))


def test_a_buffer_in_use_cannot_be_resized():
    data = bytearray(calls.POSES.tobytes() * 2000)
    view = memoryview(data).cast("d", (6000, 3, 4))
    device = tb.Device(threads=1)
    model = tb.Model(*TORUS)
    job = device.submit(model, model, poses_b=view)
    for change in (view.release, lambda: data.append(0)):
        with pytest.raises(BufferError):
            change()
    assert len(job.result()) == 6000
    view.release()
    del view
    data.append(0)


# ---- Code that runs in the midst of a call ----


def test_methods_of_arguments_that_use_what_is_asked_about():
    cube, query, scene, device = calls.cube(), tb.Query(), calls.scene(), tb.Device(threads=1)
    handles = scene.candidates().ravel()

    def disturb():
        query.pairs(cube, cube)
        for risky in (scene.close, device.close, lambda: scene.remove(handles[:1]), lambda: scene.add(cube)):
            try:
                risky()
            except (RuntimeError, ValueError, IndexError):
                pass
        gc.collect()

    pose = hostile.Collects(calls.POSE, disturb)
    many = hostile.Collects(calls.POSES, disturb)
    number = hostile.Collects(1, disturb)
    attempts = [
        lambda: query.pairs(cube, cube, pose, pose),
        lambda: query.distance(cube, cube, pose, budget_tests=number),
        lambda: tb.collide_many(cube, cube, many, many, device=device),
        lambda: device.submit(cube, cube, many, many, timeout=number, capacity=number).result(),
        lambda: scene.set(handles, pose=pose, group=number),
        lambda: scene.move(handles[:3], many),
        lambda: scene.add(cube, pose),
        lambda: scene.ask(part=(cube, pose)),
        lambda: scene.states(handles[:2], hostile.Collects(np.stack([calls.POSES[:2]]), disturb)),
        lambda: device.finish(timeout=number),
        lambda: tb.Model(hostile.Collects(TORUS[0], disturb), hostile.Collects(TORUS[1], disturb)),
        lambda: cube.editable().remove(hostile.Collects([1, 2], disturb)),
    ]
    for attempt in attempts:
        try:
            attempt()
        except (RuntimeError, ValueError, IndexError):
            pass
    assert tb.count(cube, cube) > 0


def test_a_callback_may_not_use_its_scene():
    scene = calls.scene()
    seen = []

    def callback(meetings):
        with pytest.raises(RuntimeError):
            scene.pairs()
        seen.append(meetings)

    scene.ask(callback=callback)
    assert seen and len(scene.pairs()) > 0

    def fail(meetings):
        raise ZeroDivisionError

    for ask in (lambda: scene.ask(callback=fail), lambda: scene.stream(fail)):
        with pytest.raises(ZeroDivisionError):
            ask()


def test_a_class_derived_from_model_that_asks_when_it_dies():
    query = tb.Query()

    class Part(tb.Model):
        def __del__(self):
            try:
                query.pairs(self, self)
            except tb.BusyError:
                pass

    for _ in range(20):
        part = Part(*shapes.box((0, 0, 0), (1, 1, 1)))
        part.itself = part
        query.pairs(part, part)
        del part
        gc.collect()
    assert query.count(calls.cube(), calls.cube()) > 0


# ---- Jobs ----


def slow_job(device, torus, count=20000, **options):
    return device.submit(torus, torus, poses_b=np.tile(shapes.turned(1.5, 1, 0, 0), (count, 1, 1)), **options)


def test_jobs_that_are_dropped_cancelled_or_closed(torus):
    device = tb.Device(threads=1)
    for _ in range(3):
        slow_job(device, torus)  # dropped
    job = slow_job(device, torus)
    assert job.cancel() and not job.done() or job.done()
    with pytest.raises(tb.CancelledError):
        job.result()
    with pytest.raises(tb.TimeoutError):
        slow_job(device, torus).result(timeout=0)
    late = slow_job(device, torus)
    device.close()
    with pytest.raises(tb.Error):
        late.result()
    with pytest.raises(tb.DeviceError):
        slow_job(device, torus)
    device.close()
    assert device.closed and late.done() and not late.cancel()


def test_one_result_for_many_threads(torus):
    device = tb.Device(threads=2)
    for mode in ("count", "pairs", "contacts", "answers"):
        job = slow_job(device, torus, 200, mode=mode, capacity=2000)
        results = []
        run_together([lambda: results.append(job.result())] * 6)
        assert all(r is results[0] for r in results)


def test_awaiting(torus):
    async def ask():
        device = tb.Device(threads=1)
        jobs = [slow_job(device, torus, 2000) for _ in range(3)]
        ticks = 0

        async def tick():
            nonlocal ticks
            while not all(j.done() for j in jobs):
                ticks += 1
                await asyncio.sleep(0)

        async def wait(job):
            return (await job).sum()

        task = asyncio.create_task(wait(slow_job(device, torus, 50000)))
        found = await asyncio.gather(*map(wait, jobs), tick())
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert len({int(f) for f in found[:3]}) == 1
        return ticks

    assert asyncio.run(ask()) > 0

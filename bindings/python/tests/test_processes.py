"""Other processes: Ctrl-C, fork, pickle, the end of the interpreter, files that are mapped."""
import copy
import multiprocessing
import os
import pickle
import signal

import numpy as np
import pytest

import calls
import children
import shapes
import tumble as tb

PREPARE = """
    import numpy as np, shapes, tumble as tb
    pose = shapes.turned(0.01, 1e-3, 0, 0)

    def interrupted(work):
        print("ready", flush=True)
        try:
            work()
        except KeyboardInterrupt:
            print("interrupted", flush=True)
"""

# Each takes far longer than the pause before the signal.
LONG_WORK = {
    "build": "big = shapes.torus(700); work = lambda: [tb.Model(*big, hierarchy='kdop', threads=1) for _ in range(50)]",
    "batch": """
m = tb.Model(*shapes.torus(60)); poses = np.tile(shapes.turned(1.5, 1, 0, 0), (800000, 1, 1))
work = lambda: tb.collide_many(m, m, poses_b=poses)""",
    "threads": """
m = tb.Model(*shapes.torus(60)); poses = np.tile(shapes.turned(1.5, 1, 0, 0), (300000, 1, 1))
work = lambda: tb.distance_many(m, m, poses_b=poses)""",
    "job": """
m = tb.Model(*shapes.torus(60)); poses = np.tile(shapes.turned(1.5, 1, 0, 0), (800000, 1, 1))
job = tb.Device().submit(m, m, poses_b=poses)
work = job.result""",
    "finish": """
m = tb.Model(*shapes.torus(60)); poses = np.tile(shapes.turned(1.5, 1, 0, 0), (800000, 1, 1))
device = tb.Device(); job = device.submit(m, m, poses_b=poses)
work = device.finish""",
    "scene": """
m = tb.Model(*shapes.torus(60)); scene = tb.Scene(threads=1)
scene.add_many(m, np.array([shapes.turned(0.1 * i, 0.01 * i, 0, 0) for i in range(400)]))
work = lambda: scene.ask('all')""",
    "states": """
m = tb.Model(*shapes.torus(60)); scene = tb.Scene(threads=1)
scene.add(m); h = scene.add(m)
poses = np.tile(shapes.turned(1.5, 1, 0, 0), (600000, 1, 1, 1))
work = lambda: scene.states([h], poses)""",
}
QUERY = "m = tb.Model(*shapes.torus(130), hierarchy='brute')\nwork = lambda: {}"
LONG_WORK["pairs"] = QUERY.format("tb.pairs(m, m, None, pose)")
LONG_WORK["collide"] = QUERY.format("tb.collide(m, m, None, shapes.translation(0, 0, 0.6 + 1e-9))")
LONG_WORK["count"] = QUERY.format("tb.count(m, m, None, pose)")
LONG_WORK["distance"] = """
m, n = tb.Model(*shapes.torus(500)), tb.Model(*shapes.torus(501, 1.0, 0.2))
work = lambda: [tb.distance(m, n) for _ in range(9)]"""


@pytest.mark.parametrize("name", LONG_WORK)
def test_interrupts(name):
    code = PREPARE.replace("\n    ", "\n") + LONG_WORK[name] + "\ninterrupted(work)\n"
    seconds, status, output = children.interrupt(code)
    assert status == 0 and output.startswith("interrupted"), output
    # Much less on a quiet machine, the end of the process included: calls look for signals every 30 to 50 ms.
    assert seconds < 2, (seconds, output)


# ---- The end of the interpreter ----


@pytest.mark.parametrize("end", ["", "sys.exit(0)", "device.close()", "del job", "job.cancel()", "del device, job, model"])
def test_exit_while_a_job_runs(end):
    children.run(
        f"""
        import sys, numpy as np, shapes, tumble as tb
        model = tb.Model(*shapes.torus(60))
        device = tb.Device()
        job = device.submit(model, model, poses_b=np.tile(shapes.turned(1.5, 1, 0, 0), (200000, 1, 1)))
        {end}
        """
    )


def test_exit_while_daemon_threads_work():
    children.run(
        """
        import threading, time, numpy as np, shapes, tumble as tb
        big, model = shapes.torus(300), tb.Model(*shapes.torus(60))
        poses = np.tile(shapes.turned(1.5, 1, 0, 0), (100000, 1, 1))
        def forever(work):
            while True:
                work()
        for work in (lambda: tb.Model(*big), lambda: tb.distance_many(model, model, poses_b=poses[:500]),
                     lambda: tb.collide_many(model, model, poses_b=poses), lambda: tb.collide(model, model)):
            threading.Thread(target=forever, args=(work,), daemon=True).start()
        time.sleep(0.3)
        """
    )


# ---- Fork ----


def ask_everything():
    model = tb.Model(*shapes.torus(20))
    poses = np.tile(shapes.turned(1.5, 1, 0, 0), (50, 1, 1))
    with tb.Device() as device:
        job = device.submit(model, model, poses_b=poses)
        return [
            tb.count(model, model, None, poses[0]),
            tb.collide_many(model, model, poses_b=poses, mode="count").tolist(),
            tb.distance_many(model, model, poses_b=poses).tolist(),
            job.result().tolist(),
            calls.scene().pairs().shape,
        ]


def test_fork_with_the_pool_open():
    expected = ask_everything()
    device = tb.Device(threads=2)
    model = tb.Model(*shapes.torus(60))
    poses = np.tile(shapes.turned(1.5, 1, 0, 0), (20000, 1, 1))
    running = device.submit(model, model, poses_b=poses)
    child = os.fork()
    if child == 0:
        status = 1
        try:
            signal.alarm(60)
            assert ask_everything() == expected
            assert running.done()
            with pytest.raises(tb.DeviceError):
                running.result()
            assert len(device.submit(model, model, poses_b=poses[:20]).result()) == 20
            device.close()
            status = 0
        finally:
            os._exit(status)
    assert os.waitpid(child, 0)[1] == 0
    assert len(running.result()) == 20000 and ask_everything() == expected


def count_at(model, pose):
    return tb.count(model, model, None, pose), hash(model)


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_multiprocessing(method):
    model = tb.Model(*shapes.torus(20))
    poses = [shapes.turned(1.5, 0.1 * i, 0, 0) for i in range(4)]
    with multiprocessing.get_context(method).Pool(2) as pool:
        found = pool.starmap(count_at, [(model, p) for p in poses])
    assert [f[0] for f in found] == [tb.count(model, model, None, p) for p in poses]


def test_joblib():
    joblib = pytest.importorskip("joblib")
    model = tb.Model(*shapes.torus(20))
    poses = [shapes.turned(1.5, 0.1 * i, 0, 0) for i in range(4)]
    found = joblib.Parallel(n_jobs=2)(joblib.delayed(tb.count)(model, model, None, p) for p in poses)
    assert found == [tb.count(model, model, None, p) for p in poses]


# ---- Copies and files ----


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickle(protocol):
    for model in (calls.cube(), calls.deformable(), tb.Model(np.zeros((0, 3)), np.zeros((0, 3), int))):
        copied = pickle.loads(pickle.dumps(model, protocol))
        assert copied == model and hash(copied) == hash(model) and bytes(copied) == bytes(model)
    buffers = []
    data = pickle.dumps(calls.cube(), 5, buffer_callback=buffers.append)
    assert len(data) < 300 and pickle.loads(data, buffers=buffers) == calls.cube()
    assert copy.copy(calls.cube()) == copy.deepcopy(calls.cube()) == calls.cube()
    for thing in (tb.Query(), tb.Device(threads=1), calls.scene(), calls.job()):
        with pytest.raises(TypeError):
            pickle.loads(pickle.dumps(thing, protocol))


class Part(tb.Model):
    pass


def test_copies_of_a_derived_class_keep_its_attributes():
    part = Part(*shapes.box((0, 0, 0), (1, 1, 1)))
    part.name = "bolt"
    for copied in (pickle.loads(pickle.dumps(part)), copy.copy(part), copy.deepcopy(part)):
        assert type(copied) is Part and copied == part and copied.name == "bolt"


def test_damaged_blocks(effort):
    block = bytearray(bytes(calls.cube()))
    generator = np.random.default_rng(3)
    for _ in range(int(300 * effort)):
        damaged = bytearray(block)
        for place in generator.integers(0, len(block), 3):
            damaged[place] = generator.integers(0, 256)
        try:
            model = tb.Model.from_block(damaged)
        except tb.Error:
            continue
        tb.distance(model, model)
        tb.relation(model, model)
    for length in (0, 1, 63, len(block) - 1):
        with pytest.raises(tb.FormatError):
            tb.Model.from_block(block[:length])


def test_mapped_files(tmp_path):
    path = tmp_path / "model.tumble"
    model = tb.Model(*shapes.torus(100))
    model.save(path)
    loaded = tb.Model.load(path)
    os.unlink(path)
    assert loaded == model and loaded.info.build_seconds == 0
    view = memoryview(loaded)
    del loaded
    assert bytes(view) == bytes(model)
    with pytest.raises(TypeError):
        view[0] = 0
    with pytest.raises(FileNotFoundError):
        tb.Model.load(path)
    with pytest.raises(FileNotFoundError):
        tb.Model.read(os.fsencode(tmp_path) + b"/\xff.stl")
    with pytest.raises(OSError):
        model.save(tmp_path)
    (tmp_path / "x.stl").write_bytes(b"solid\nfacet")
    with pytest.raises(tb.FormatError):
        tb.read(tmp_path / "x.stl")

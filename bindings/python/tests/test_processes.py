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
    import signal, sys, time, threading
    import numpy as np, shapes, tumble as tb
    pose = shapes.turned(0.01, 1e-3, 0, 0)

    def interrupted(work):
        # The handler notes the time, so that a busy machine's delay in sending the signal does not count.
        told = []
        def handler(number, frame):
            told.append(time.monotonic())
            raise KeyboardInterrupt
        signal.signal(signal.SIGINT, handler)
        begin = time.monotonic()
        print("ready", flush=True)
        try:
            work()
        except KeyboardInterrupt:
            print(f"interrupted {time.monotonic() - told[0]:.3f}", flush=True)
        else:
            print(f"finished in {time.monotonic() - begin:.3f}", flush=True)
"""

# Each takes far longer than the pause before the signal.
LONG_WORK = {
    "build": "big = shapes.torus(700); work = lambda: [tb.Model(*big, hierarchy='kdop', threads=1) for _ in range(50)]",
    "batch": """
m = tb.Model(*shapes.torus(60)); poses = np.tile(shapes.turned(1.5, 1, 0, 0), (3000000, 1, 1))
work = lambda: tb.collide_many(m, m, poses_b=poses)""",
    "threads": """
m = tb.Model(*shapes.torus(60)); poses = np.tile(shapes.turned(1.5, 1, 0, 0), (300000, 1, 1))
work = lambda: tb.distance_many(m, m, poses_b=poses)""",
    "job": """
m = tb.Model(*shapes.torus(60)); poses = np.tile(shapes.turned(1.5, 1, 0, 0), (3000000, 1, 1))
job = tb.Device().submit(m, m, poses_b=poses)
work = job.result""",
    "finish": """
m = tb.Model(*shapes.torus(60)); poses = np.tile(shapes.turned(1.5, 1, 0, 0), (3000000, 1, 1))
device = tb.Device(); job = device.submit(m, m, poses_b=poses)
work = device.finish""",
    "scene": """
m = tb.Model(*shapes.torus(60)); scene = tb.Scene(threads=1)
scene.add_many(m, np.array([shapes.turned(0.1 * i, 0.01 * i, 0, 0) for i in range(400)]))
work = lambda: scene.ask('all')""",
    "states": """
m = tb.Model(*shapes.torus(60)); scene = tb.Scene(threads=1)
scene.add(m); h = scene.add(m)
poses = np.tile(shapes.turned(1.5, 1, 0, 0), (2000000, 1, 1, 1))
work = lambda: scene.states([h], poses)""",
}
QUERY = "m = tb.Model(*shapes.torus(130), hierarchy='brute')\nwork = lambda: {}"
LONG_WORK["pairs"] = QUERY.format("tb.pairs(m, m, None, pose)")
LONG_WORK["collide"] = QUERY.format("tb.collide(m, m, None, shapes.translation(0, 0, 0.6 + 1e-9))")
LONG_WORK["count"] = QUERY.format("tb.count(m, m, None, pose)")
LONG_WORK["distance"] = QUERY.format("tb.distance(m, m, None, shapes.translation(0, 0, 0.7))")


@pytest.mark.parametrize("name", LONG_WORK)
def test_interrupts(name):
    code = PREPARE.replace("\n    ", "\n") + LONG_WORK[name] + "\ninterrupted(work)\n"
    seconds, status, output = children.interrupt(code)
    word, *rest = output.split()[-2:] if output.split() else ("", "")
    assert status == 0 and "interrupted" in output, output
    # The interpreter runs the handler within the call, so little follows; a loaded machine takes longer for both.
    assert seconds < 3 and float(rest[0]) < 1, (seconds, output)

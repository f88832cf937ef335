"""Models that the tests share, and how many random cases hypothesis tries.

The cases are the same in every run, unless TUMBLE_TEST_EFFORT asks for more of them: then they are new each time.
"""

import os
import signal

import hypothesis
import numpy as np
import pytest

import tumble as tb

os.environ.setdefault("OCL_ICD_VENDORS", "/nonexistent")  # device 0 alone: compiling OpenCL kernels takes seconds

signal.signal(signal.SIGINT, signal.default_int_handler)  # which Python does not set if it was started in the background

EFFORT = float(os.environ.get("TUMBLE_TEST_EFFORT", "1"))

hypothesis.settings.register_profile(
    "tumble",
    max_examples=max(5, int(60 * EFFORT)),
    deadline=None,
    database=None,
    derandomize=EFFORT <= 1,
    print_blob=True,
    suppress_health_check=list(hypothesis.HealthCheck),
)
hypothesis.settings.load_profile("tumble")
#: for tests whose cases are large
few = hypothesis.settings(max_examples=max(5, int(20 * EFFORT)))

CUBE_POINTS = np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)])
CUBE_QUADS = np.array([[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]])


def torus(large=1.0, small=0.25, rings=60, sides=30):
    """Points and triangles of a torus about the z axis."""
    u = np.arange(rings) * 2 * np.pi / rings
    v = np.arange(sides) * 2 * np.pi / sides
    u, v = (g.ravel() for g in np.meshgrid(u, v, indexing="ij"))
    reach = large + small * np.cos(v)
    points = np.stack([reach * np.cos(u), reach * np.sin(u), small * np.sin(v)], axis=1)
    i, j = (g.ravel() for g in np.meshgrid(np.arange(rings), np.arange(sides), indexing="ij"))
    a, b = i * sides + j, (i + 1) % rings * sides + j
    c, d = (i + 1) % rings * sides + (j + 1) % sides, i * sides + (j + 1) % sides
    return points, np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])


def shift(x=0.0, y=0.0, z=0.0):
    """A pose that moves."""
    pose = np.eye(4)[:3]
    pose[:, 3] = x, y, z
    return pose


@pytest.fixture
def cube():
    return tb.Model(CUBE_POINTS, CUBE_QUADS)


@pytest.fixture
def ring():
    return tb.Model(*torus())


@pytest.fixture
def effort():
    """How many times the usual number of cases."""
    return EFFORT

"""Configurations of a robot that are checked per second of processor time, on one thread: in one call, and in a loop.

    python robots.py [ROBOT.urdf [ROBOT.srdf]] [--packages FOLDER...] [--states N]

Without a file, an arm of seven joints is made. Pairs that always or never touch are ignored unless there is an SRDF."""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from tumble import urdf


def make_arm(folder: Path) -> Path:
    """Seven capsules in a row on a base, which turn about z and y by turns."""
    base = '<link name="l0"><collision><geometry><box size="0.4 0.4 0.1"/></geometry></collision></link>'
    shape = '<collision><origin xyz="0 0 0.15"/><geometry><capsule radius="0.05" length="0.2"/></geometry></collision>'
    parts = [base]
    for i in range(7):
        axis = "0 1 0" if i % 2 else "0 0 1"
        parts.append(
            f'<link name="l{i + 1}">{shape}</link><joint name="j{i}" type="revolute"><parent link="l{i}"/>'
            f'<child link="l{i + 1}"/><origin xyz="0 0 {0.3 if i else 0.1}"/><axis xyz="{axis}"/>'
            '<limit lower="-2.5" upper="2.5"/></joint>'
        )
    path = folder / "arm.urdf"
    path.write_text(f'<robot name="arm">{"".join(parts)}</robot>')
    return path


def rate(count: int, work: Callable[[], object], runs: int = 5) -> float:
    """Configurations per second: the median of some runs."""
    seconds = []
    work()
    for _ in range(runs):
        start = time.thread_time()
        work()
        seconds.append(time.thread_time() - start)
    return count / statistics.median(seconds)


def measure(robot: urdf.Robot, count: int) -> None:
    q = robot.random(count, seed=1)
    few = q[: max(count // 200, 1)]
    rates = {
        "collide_states(q)": rate(count, lambda: robot.collide_states(q)),
        "  kinematics of it": rate(count, lambda: robot.shape_poses(q)),
        'ask_states(q, "nearest")': rate(len(few), lambda: robot.ask_states(few, "nearest")),
        "loop of pairs(q[i])": rate(len(few), lambda: [robot.pairs(row) for row in few]),
        "loop of collide_states(q[i])": rate(len(few), lambda: [robot.collide_states(row) for row in few]),
    }
    touch = robot.collide_states(q)
    same = np.array_equal(touch[: len(few)], [bool(robot.pairs(row)) for row in few])
    print(f"{robot}: {touch.mean():.1%} collide, the loop {'agrees' if same else 'DISAGREES'}")
    for name, value in rates.items():
        print(f"  {name:30} {value:12,.0f} per second")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("urdf", nargs="?")
    parser.add_argument("srdf", nargs="?")
    parser.add_argument("--packages", nargs="*", help="folders that hold packages")
    parser.add_argument("--states", type=int, default=20000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = options.urdf or make_arm(Path(folder))
        robot = urdf.load(path, options.srdf, packages=options.packages, threads=1)
    if options.srdf is None:
        robot.ignore(robot.propose(1000).pairs())
    measure(robot, options.states)


if __name__ == "__main__":
    main()

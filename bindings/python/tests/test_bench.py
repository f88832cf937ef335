"""The benchmark runs. What it measures is not looked at."""

import subprocess
import sys
from pathlib import Path

COMPARE = Path(__file__).resolve().parents[1] / "bench/compare.py"


def test_comparison_prints_every_table() -> None:
    done = subprocess.run([sys.executable, COMPARE, "--quick"], capture_output=True, text=True, check=True)
    for title in ("building", "yes/no", "all pairs", "distance", "one of 1000 poses"):
        assert f"\n| {title} | tumble |" in done.stdout
    assert "disagree" not in done.stdout

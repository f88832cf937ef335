"""The command line that comes with the package."""

import os
import subprocess
import sys
from pathlib import Path

import tumble

MODULE = [sys.executable, "-m", "tumble"]
SCRIPT = [str(Path(sys.executable).with_name("tumble"))]


def run(*words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, cwd=cwd, capture_output=True, text=True, check=False)


def test_module_and_script_are_the_same_command() -> None:
    for command in (MODULE, SCRIPT):
        done = run(*command, "--version")
        assert (done.returncode, done.stderr) == (0, "")
        assert tumble.__version__ in done.stdout


def test_exit_status_is_the_answer(tmp_path: Path) -> None:
    assert run(*MODULE, "make", "torus", "-o", "torus.stl", cwd=tmp_path).returncode == 0
    assert run(*MODULE, "check", "torus.stl", "torus.stl", "--move-b", "0.5 0 0", cwd=tmp_path).returncode == 1
    assert run(*MODULE, "check", "torus.stl", "torus.stl", "--move-b", "50 0 0", cwd=tmp_path).returncode == 0
    missing = run(*MODULE, "check", "torus.stl", "nothing.stl", cwd=tmp_path)
    assert missing.returncode == 2 and "nothing.stl" in missing.stderr


def test_the_script_does_not_import_numpy(tmp_path: Path) -> None:
    """It starts fast: a numpy that cannot be imported is not noticed."""
    (tmp_path / "numpy.py").write_text("raise SystemExit('numpy was imported')\n")
    done = subprocess.run([*SCRIPT, "--version"], env={**os.environ, "PYTHONPATH": str(tmp_path)}, check=False)
    assert done.returncode == 0
def test_files_are_those_of_the_package(tmp_path: Path) -> None:
    run(*SCRIPT, "make", "torus", "-o", "torus.stl", cwd=tmp_path)
    told = run(*SCRIPT, "info", "torus.stl", "--json", cwd=tmp_path).stdout
    assert str(len(tumble.Model.read(tmp_path / "torus.stl"))) in told



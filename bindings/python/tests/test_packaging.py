"""The wheel and the sdist. scripts/python.sh names the wheel in TUMBLE_WHEEL."""

import base64
import csv
import hashlib
import io
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

HERE = Path(__file__).resolve().parents[1]
ROOT = HERE.parents[1]
VERSION = (ROOT / "VERSION").read_text().strip()


@pytest.fixture(scope="module")
def wheel() -> zipfile.ZipFile:
    return zipfile.ZipFile(os.environ["TUMBLE_WHEEL"])


@pytest.fixture
def backend(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(HERE)
    monkeypatch.chdir(HERE)
    sys.modules.pop("backend", None)
    import backend

    return backend


def test_installs_from_the_root(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """`pip install .` there finds this backend and names the same package."""
    monkeypatch.chdir(ROOT)
    system = tomllib.loads(Path("pyproject.toml").read_text())["build-system"]
    assert system["requires"] == [] and system["build-backend"] == "backend"
    command = [sys.executable, "-c", "import backend, sys; print(backend.prepare_metadata_for_build_wheel(sys.argv[1]))"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(system["backend-path"])}
    done = subprocess.run([*command, str(tmp_path)], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == f"tumble-{VERSION}.dist-info\n"
    assert f"Name: tumble\nVersion: {VERSION}\n" in (tmp_path / done.stdout.strip() / "METADATA").read_text()


def test_record_lists_every_file(wheel: zipfile.ZipFile) -> None:
    rows = list(csv.reader(io.StringIO(wheel.read(f"tumble-{VERSION}.dist-info/RECORD").decode())))
    assert sorted(row[0] for row in rows) == sorted(wheel.namelist())
    for name, digest, size in rows[:-1]:
        data = wheel.read(name)
        expected = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        assert (digest, size) == (f"sha256={expected}", str(len(data)))


def test_package_is_whole(wheel: zipfile.ZipFile) -> None:
    sources = {f"tumble/{path.relative_to(HERE / 'tumble')}" for path in (HERE / "tumble").rglob("*.py*")
               if "__pycache__" not in path.parts}
    assert sources <= set(wheel.namelist())
    more = {"tumble/py.typed", "tumble/_tumble.pyi", "tumble/_tumble.abi3.so", "tumble/bin/tumble"}
    assert more <= set(wheel.namelist())
    assert wheel.getinfo("tumble/bin/tumble").external_attr >> 16 & 0o111


def test_tag_is_that_of_the_newest_symbol(wheel: zipfile.ZipFile, tmp_path: Path) -> None:
    """As binutils sees it; the backend has a reader of its own."""
    newest = 17
    for name in ("tumble/_tumble.abi3.so", "tumble/bin/tumble"):
        file = wheel.extract(name, tmp_path)
        symbols = subprocess.run(["objdump", "-T", file], check=True, capture_output=True, text=True).stdout
        newest = max([newest, *(int(minor) for minor in re.findall(r"GLIBC_2\.(\d+)", symbols))])
    machine = os.uname().machine
    assert Path(os.environ["TUMBLE_WHEEL"]).name == f"tumble-{VERSION}-cp311-abi3-manylinux_2_{newest}_{machine}.whl"


def test_extension_exports_its_entry_alone(wheel: zipfile.ZipFile, tmp_path: Path) -> None:
    file = wheel.extract("tumble/_tumble.abi3.so", tmp_path)
    listed = subprocess.run(["nm", "-D", "--defined-only", file], check=True, capture_output=True, text=True).stdout
    assert [line.split()[-1] for line in listed.splitlines()] == ["PyInit__tumble"]


def test_sdist_configures_alone(backend: ModuleType, tmp_path: Path) -> None:
    """Every file that CMake names is there. Two are equal byte for byte."""
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir(), second.mkdir()
    name = backend.build_sdist(str(first))
    assert name == backend.build_sdist(str(second)) == f"tumble-{VERSION}.tar.gz"
    assert (first / name).read_bytes() == (second / name).read_bytes()
    with tarfile.open(first / name) as archive:
        archive.extractall(tmp_path)
    source = tmp_path / f"tumble-{VERSION}"
    assert 'backend-path = ["bindings/python"]' in (source / "pyproject.toml").read_text()
    assert f"\nVersion: {VERSION}\n" in (source / "PKG-INFO").read_text()
    subprocess.run(["cmake", "-S", source, "-B", tmp_path / "build", *backend.cmake_arguments({})], check=True,
                   stdout=subprocess.DEVNULL)


def test_metadata_can_be_prepared(backend: ModuleType, tmp_path: Path) -> None:
    folder = backend.prepare_metadata_for_build_wheel(str(tmp_path))
    assert f"Version: {VERSION}\n" in (tmp_path / folder / "METADATA").read_text()

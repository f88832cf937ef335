"""The build backend of the package (PEP 517 and 660): it calls CMake and writes the archives itself.

Build requirements: a C compiler, CMake 3.25, and the headers of the Python that runs this; no Python package. Ninja,
ccache and OpenCL's C header are used if they are found. Settings (pip: --config-settings build-dir=...):

    build-dir   where CMake builds; kept, so that the next build is short. Default: a temporary folder.
    cmake-args  more arguments for CMake, after those of the environment variable CMAKE_ARGS.

The library's sources are two folders up, in a checkout and in an sdist alike.
"""

import base64
import contextlib
import gzip
import hashlib
import io
import os
import re
import shlex
import shutil
import struct
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import tomllib
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PACKAGE = HERE / "tumble"
EXTENSION = "_tumble.abi3.so"
PYTHON_TAG = "cp311-abi3"

# What an sdist needs beside this folder.
LIBRARY = ["CMakeLists.txt", "VERSION", "LICENSE", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "cmake", "include",
           "src", "models", "cli", "docs/tumble.1", "docs/python.md"]
LEFT_OUT = {"__pycache__", ".pytest_cache", ".mypy_cache", ".hypothesis", "build", "dist", EXTENSION, "bin"}

# Libraries that every Linux with this glibc has (PEP 600).
SYSTEM_LIBRARIES = {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1", "ld-linux-x86-64.so.2",
                    "ld-linux-aarch64.so.1"}
MACHINES = {62: "x86_64", 183: "aarch64", 243: "riscv64", 21: "ppc64le", 22: "s390x"}

# The command starts without importing the package, and with it numpy.
SCRIPT = """#!python
import importlib.util
import os
import sys

spec = importlib.util.find_spec("tumble")
os.execv(os.path.join(spec.submodule_search_locations[0], "bin", "tumble"), sys.argv)
"""


# ---- Metadata ----

def project():
    with open(HERE / "pyproject.toml", "rb") as file:
        return tomllib.load(file)["project"]


def version():
    return (ROOT / "VERSION").read_text().strip()


def stem():
    return f"{project()['name']}-{version()}"


def metadata():
    facts = project()
    lines = ["Metadata-Version: 2.1", f"Name: {facts['name']}", f"Version: {version()}",
             f"Summary: {facts['description']}", f"Keywords: {','.join(facts['keywords'])}",
             f"License: {facts['license']['text']}", f"Requires-Python: {facts['requires-python']}"]
    lines += [f"Classifier: {classifier}" for classifier in facts["classifiers"]]
    lines += [f"Requires-Dist: {dependency}" for dependency in facts["dependencies"]]
    lines += ["Description-Content-Type: text/markdown", "", (HERE / "README.md").read_text()]
    return "\n".join(lines)


def wheel_file(tag):
    return f"Wheel-Version: 1.0\nGenerator: tumble-backend\nRoot-Is-Purelib: false\nTag: {tag}\n"


# ---- Compilation ----

def has_header(name):
    """Whether the C compiler finds a header."""
    compiler = shlex.split(os.environ.get("CC", "cc"))
    with contextlib.suppress(OSError):
        done = subprocess.run([*compiler, "-E", "-x", "c", "-", "-o", os.devnull], text=True, capture_output=True,
                              input=f"#define CL_TARGET_OPENCL_VERSION 120\n#include <{name}>\n", check=False)
        return done.returncode == 0
    return False


def cmake_arguments(settings):
    arguments = ["-DCMAKE_BUILD_TYPE=Release", "-DTUMBLE_BUILD_PYTHON=ON", "-DTUMBLE_BUILD_CLI=ON",
                 "-DTUMBLE_BUILD_EXAMPLES=OFF", "-DTUMBLE_ASSIMP=OFF", "-DTUMBLE_PYTHON_WHEEL=ON",
                 f"-DTUMBLE_PYTHON={sys.executable}"]
    if shutil.which("ninja"):
        arguments += ["-G", "Ninja"]
    if not has_header("CL/cl.h"):
        print("tumble: CL/cl.h was not found, so the package is built without OpenCL devices", flush=True)
        arguments.append("-DTUMBLE_OPENCL=OFF")
    for more in (os.environ.get("CMAKE_ARGS", ""), settings.get("cmake-args", "")):
        arguments += shlex.split(more)
    return arguments


def run(*command):
    """Runs a command; what it prints goes where pip shows it if it fails."""
    sys.stdout.flush()
    try:
        subprocess.run(command, check=True)
    except FileNotFoundError:
        raise SystemExit(f"tumble: {command[0]} was not found: install CMake 3.25 or later and a C compiler") from None
    except subprocess.CalledProcessError as error:
        raise SystemExit(f"tumble: {shlex.join(command)} failed with status {error.returncode}; see above") from None


def compile_in(build, settings):
    """Builds the extension and the command in the folder `build`."""
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        raise SystemExit("tumble: free-threaded Pythons have no stable ABI yet: use an ordinary Python")
    run("cmake", "-S", str(ROOT), "-B", str(build), *cmake_arguments(settings))
    run("cmake", "--build", str(build), "--target", "tumble_python", "tumble-cli", "--parallel",
        os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count() or 1)))
    strip = re.search(r"^CMAKE_STRIP:\w+=(.+)$", (build / "CMakeCache.txt").read_text(), re.MULTILINE)
    products = {f"tumble/{EXTENSION}": build / "bindings/python/tumble" / EXTENSION,
                "tumble/bin/tumble": build / "tumble"}
    stripped = {}
    for name, path in products.items():
        stripped[name] = build / "stripped" / path.name
        stripped[name].parent.mkdir(exist_ok=True)
        shutil.copy(path, stripped[name])
        if strip and not strip[1].endswith("NOTFOUND"):
            run(strip[1], "--strip-unneeded", str(stripped[name]))
    return stripped


@contextlib.contextmanager
def products_of(settings):
    """The compiled files by their names in a wheel, while the folder they lie in exists."""
    settings = settings or {}
    with contextlib.ExitStack() as stack:
        build = settings.get("build-dir") or stack.enter_context(tempfile.TemporaryDirectory(prefix="tumble-"))
        build = Path(build).resolve()
        build.mkdir(parents=True, exist_ok=True)
        yield compile_in(build, settings)


# ---- The platform tag ----

class Elf:
    """The parts of a 64-bit ELF file that say what it needs from the system."""

    def __init__(self, path):
        self.data = Path(path).read_bytes()
        if self.data[:5] != b"\x7fELF\x02":
            raise SystemExit(f"tumble: {path} is no 64-bit ELF file")
        self.order = "<" if self.data[5] == 1 else ">"
        self.machine = MACHINES.get(self.unpack("H", 18)[0], "unknown")
        start, = self.unpack("Q", 40)
        size, count = self.unpack("HH", 58)
        self.sections = [self.unpack("IIQQQQIIQQ", start + size * i) for i in range(count)]

    def unpack(self, form, offset):
        return struct.unpack_from(self.order + form, self.data, offset)

    def of_type(self, kind):
        """(offset, size, number of entries, offset of the strings) of the sections of a type."""
        return [(s[4], s[5], s[7], self.sections[s[6]][4]) for s in self.sections if s[1] == kind]

    def text(self, offset):
        return self.data[offset:self.data.index(b"\0", offset)].decode()

    def libraries(self):
        """DT_NEEDED of the dynamic section."""
        found = []
        for offset, size, _, strings in self.of_type(6):
            entries = [self.unpack("QQ", at) for at in range(offset, offset + size, 16)]
            found += [self.text(strings + value) for tag, value in entries if tag == 1]
        return found

    def versions(self):
        """The versions of symbols that it needs, such as GLIBC_2.34 (SHT_GNU_verneed)."""
        found = []
        for offset, _, count, strings in self.of_type(0x6ffffffe):
            for _ in range(count):
                _, parts, _, first, following = self.unpack("HHIII", offset)
                at = offset + first
                for _ in range(parts):
                    name, step = self.unpack("IHHII", at)[3:]
                    found.append(self.text(strings + name))
                    at += step
                offset += following
        return found


def platform_tag(paths):
    """manylinux_2_N_MACHINE, N from the newest symbol of glibc; linux_MACHINE if other libraries are needed."""
    files = [Elf(path) for path in paths]
    machine = files[0].machine
    others = sorted({name for file in files for name in file.libraries()} - SYSTEM_LIBRARIES)
    minors = [int(found[1]) for file in files for name in file.versions()
              if (found := re.fullmatch(r"GLIBC_2\.(\d+)(?:\.\d+)?", name))]
    if others or not minors:
        reason = f"needs {', '.join(others)}" if others else "does not use glibc"
        print(f"tumble: {reason}: the wheel is for this system only", flush=True)
        return f"linux_{machine}"
    return f"manylinux_2_{max(max(minors), 17)}_{machine}"


# ---- Archives ----

def files_of(folder):
    """The files below a folder, sorted, without what is made by running them."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not LEFT_OUT.intersection(path.relative_to(folder).parts):
            yield path


class Wheel:
    """A wheel as it is written: the same input gives the same bytes."""

    def __init__(self, path):
        self.archive = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self.record = []

    def add(self, name, data, executable=False):
        information = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
        information.compress_type = zipfile.ZIP_DEFLATED
        information.external_attr = (0o100755 if executable else 0o100644) << 16
        self.archive.writestr(information, data)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self.record.append(f"{name},sha256={digest},{len(data)}")

    def close(self, tag):
        folder = f"{stem()}.dist-info"
        self.add(f"{folder}/METADATA", metadata().encode())
        self.add(f"{folder}/WHEEL", wheel_file(tag).encode())
        self.add(f"{folder}/LICENSE", (ROOT / "LICENSE").read_bytes())
        self.record.append(f"{folder}/RECORD,,")
        information = zipfile.ZipInfo(f"{folder}/RECORD", (1980, 1, 1, 0, 0, 0))
        information.external_attr = 0o100644 << 16
        self.archive.writestr(information, "\n".join(self.record) + "\n")
        self.archive.close()


def write_wheel(directory, tag, contents):
    name = f"{stem()}-{tag}.whl"
    wheel = Wheel(Path(directory) / name)
    for inside, (data, executable) in contents.items():
        wheel.add(inside, data, executable)
    wheel.add(f"{stem()}.data/scripts/tumble", SCRIPT.encode(), executable=True)
    wheel.close(tag)
    return name


# ---- Hooks ----

def get_requires_for_build_wheel(config_settings=None):
    return []


get_requires_for_build_sdist = get_requires_for_build_editable = get_requires_for_build_wheel


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    folder = Path(metadata_directory) / f"{stem()}.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(metadata())
    (folder / "WHEEL").write_text(wheel_file(f"{PYTHON_TAG}-any"))
    return folder.name


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    contents = {f"tumble/{path.relative_to(PACKAGE)}": (path.read_bytes(), False) for path in files_of(PACKAGE)}
    with products_of(config_settings) as products:
        tag = f"{PYTHON_TAG}-{platform_tag(products.values())}"
        contents |= {name: (path.read_bytes(), True) for name, path in products.items()}
    return write_wheel(wheel_directory, tag, contents)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """A wheel that points here; the compiled files are put into the package's folder."""
    with products_of(config_settings) as products:
        tag = f"{PYTHON_TAG}-{platform_tag(products.values())}"
        for name, path in products.items():
            (HERE / name).parent.mkdir(exist_ok=True)
            shutil.copy(path, HERE / name)
    return write_wheel(wheel_directory, tag, {"__editable__.tumble.pth": (f"{HERE}\n".encode(), False)})


def build_sdist(sdist_directory, config_settings=None):
    """The sources of the library and of this package, in the folders of the repository."""
    name = f"{stem()}.tar.gz"
    with gzip.GzipFile(Path(sdist_directory) / name, "wb", mtime=0) as packed, \
            tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path in [path for item in LIBRARY for path in _expanded(ROOT / item)] + list(files_of(HERE)):
            _add(archive, path.relative_to(ROOT).as_posix(), path.read_bytes(), os.access(path, os.X_OK))
        text = (HERE / "pyproject.toml").read_text()
        text = text.replace('backend-path = ["."]', 'backend-path = ["bindings/python"]')
        _add(archive, "pyproject.toml", text.encode())
        _add(archive, "PKG-INFO", metadata().encode())
    return name


def _expanded(path):
    return list(files_of(path)) if path.is_dir() else [path]


def _add(archive, name, data, executable=False):
    information = tarfile.TarInfo(f"{stem()}/{name}")
    information.size = len(data)
    information.mode = 0o755 if executable else 0o644
    archive.addfile(information, io.BytesIO(data))

"""The documentation runs: recipes of docs/python.md, the notebooks, and the examples in docstrings.

In docs/python.md a block ```python that starts with `# example: NAME` is run; a block ```text right after it is its
output, in which `...` stands for anything. The blocks ```sh that start with `# run` make the files that they read."""

import doctest
import inspect
import io
import os
import re
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, Iterator

import notebooks
import pytest

import tumble

ROOT = Path(__file__).resolve().parents[3]
PAGES = [ROOT / "docs/python.md", ROOT / "docs/index.md", ROOT / "docs/questions.md", ROOT / "README.md"]
NOTEBOOKS = sorted((ROOT / "bindings/python/examples").glob("*.ipynb"))
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```\n(?:\s*^```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)


def blocks(language: str, first: str, pages: list[Path]) -> list[Any]:
    """(source, expected output or None) of the blocks of a language whose first line starts with `first`."""
    found = []
    for page in pages:
        for match in BLOCK.finditer(page.read_text()):
            if match[1] == language and match[2].startswith(first):
                name = match[2].splitlines()[0].removeprefix(first).strip() or page.stem
                found.append(pytest.param(match[2], match[3], id=name))
    return found


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which the shell blocks of docs/python.md were run."""
    folder = tmp_path_factory.mktemp("files")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    for block in blocks("sh", "# run", PAGES[:1]):
        subprocess.run(["bash", "-e", "-c", block.values[0]], cwd=folder, check=True, env={**os.environ, "PATH": path})
    return folder


def matches(expected: str, output: str) -> bool:
    pattern = ".*".join(re.escape(part) for part in expected.split("..."))
    return re.fullmatch(pattern, output) is not None


@pytest.mark.parametrize(("source", "expected"), blocks("python", "# example:", PAGES))
def test_recipe(source: str, expected: str | None, files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(files)
    output = io.StringIO()
    with redirect_stdout(output):
        exec(compile(source, "docs/python.md", "exec"), {"__name__": "__main__"})
    notebooks.figures()  # closes them
    assert expected is None or matches(expected, output.getvalue()), output.getvalue()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
def test_notebook(path: Path, files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs, and says what is kept in the file; to keep new outputs, run tests/notebooks.py on it."""
    import json

    monkeypatch.chdir(files)
    assert notebooks.texts(notebooks.run(path)) == notebooks.texts(json.loads(path.read_text()))


def documented(name: str, thing: Any) -> Iterator[tuple[str, str]]:
    """(name, docstring) of a public thing and, if it is a class, of its members."""
    if getattr(thing, "__doc__", None):
        yield name, thing.__doc__
    if inspect.isclass(thing):
        for member, value in vars(thing).items():
            if not member.startswith("_") and not isinstance(value, int) and isinstance(value.__doc__, str):
                yield f"{name}.{member}", value.__doc__


def docstrings() -> list[Any]:
    found = [("tumble", tumble.__doc__ or "")]
    for name in tumble.__all__:
        found += documented(name, getattr(tumble, name))
    for module in (tumble.trimesh, tumble.urdf):
        for name in module.__all__:
            found += documented(f"{module.__name__}.{name}", getattr(module, name))
    return [pytest.param(text, id=name) for name, text in found if ">>>" in text]


@pytest.mark.parametrize("text", docstrings())
def test_docstring(text: str, files: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    monkeypatch.chdir(files)
    name = request.node.callspec.id
    example = doctest.DocTestParser().get_doctest(inspect.cleandoc(text), {"tumble": tumble}, name, None, None)
    report = io.StringIO()
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    runner.run(example, out=report.write)
    assert runner.failures == 0, report.getvalue()


def test_every_public_name_is_documented() -> None:
    assert [name for name in tumble.__all__ if not getattr(getattr(tumble, name), "__doc__", "")] == []


def test_every_public_name_is_exported() -> None:
    """Type checkers see what __all__ lists."""
    found = {name for name, value in vars(tumble).items() if not name.startswith("_") and not inspect.ismodule(value)}
    assert found - set(tumble.__all__) == set()

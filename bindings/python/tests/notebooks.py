"""Runs notebooks without Jupyter: the code cells in turn, in one namespace, with what each prints and its last value.

    python bindings/python/tests/notebooks.py FILE.ipynb...      runs them and keeps the new outputs in the files
"""

import ast
import base64
import contextlib
import io
import json
import sys
from pathlib import Path
from typing import Any


def figures() -> list[str]:
    """The open figures of matplotlib as PNG in base64; closes them."""
    if "matplotlib.pyplot" not in sys.modules:
        return []
    pyplot = sys.modules["matplotlib.pyplot"]
    pictures = []
    for number in pyplot.get_fignums():
        picture = io.BytesIO()
        pyplot.figure(number).savefig(picture, dpi=80, metadata={"Software": None})
        pictures.append(base64.b64encode(picture.getvalue()).decode())
    pyplot.close("all")
    return pictures


def shown(value: Any, number: int) -> dict[str, Any]:
    data = {"text/plain": lines_of(repr(value))}
    if hasattr(value, "_repr_html_"):
        data["text/html"] = lines_of(value._repr_html_())
    return {"output_type": "execute_result", "execution_count": number, "data": data, "metadata": {}}


def lines_of(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def run_cell(source: str, namespace: dict[str, Any], number: int) -> list[dict[str, Any]]:
    """The outputs of one cell, as a notebook keeps them."""
    tree = ast.parse(source)
    last = ast.Expression(tree.body.pop().value) if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    name = f"<cell {number}>"
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, name, "exec"), namespace)
        value = eval(compile(last, name, "eval"), namespace) if last else None
    outputs = []
    if printed.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": lines_of(printed.getvalue())})
    pictures = figures()
    if value is not None and not (pictures and not hasattr(value, "_repr_html_")):
        outputs.append(shown(value, number))
    outputs += [{"output_type": "display_data", "data": {"image/png": picture}, "metadata": {}} for picture in pictures]
    return outputs


def run(path: Path) -> dict[str, Any]:
    """The notebook with new outputs."""
    notebook: dict[str, Any] = json.loads(path.read_text())
    namespace: dict[str, Any] = {"__name__": "__main__"}
    number = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            number += 1
            cell["execution_count"] = number
            cell["outputs"] = run_cell("".join(cell["source"]), namespace, number)
    return notebook


def texts(notebook: dict[str, Any]) -> list[str]:
    """What the code cells print and show as text, without pictures, which differ between versions of matplotlib."""
    found = []
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            found.append("".join(output.get("text", output.get("data", {}).get("text/plain", []))))
    return found


if __name__ == "__main__":
    for file in map(Path, sys.argv[1:]):
        file.write_text(json.dumps(run(file), indent=1, ensure_ascii=False) + "\n")

"""Writes the Python reference from the installed package: signatures and docstrings. Run by the package's Python:

    python scripts/site/python_reference.py FOLDER
"""
import enum
import inspect
import re
import sys
from pathlib import Path

import tumble
import tumble.trimesh
import tumble.urdf

KINDS = [("Functions", inspect.isroutine), ("Errors", lambda x: inspect.isclass(x) and issubclass(x, BaseException)),
         ("Classes", inspect.isclass)]


def fenced(text):
    """A docstring as Markdown: examples and indented text become code."""
    out, code = [], None
    for line in inspect.cleandoc(text).split("\n"):
        if code is None and (line.startswith(">>>") or line.startswith("    ")):
            code = "pycon" if line.startswith(">>>") else "text"
            out += ["", f"```{code}"]
        elif code == "pycon" and not line.strip() or code == "text" and line.strip() and not line.startswith("    "):
            out += ["```", ""]
            code = None
        if code:
            out.append(line)
            continue
        # A line "name: what it is" tells of an argument.
        argument = re.match(r"((?:[a-z_]+, )*[a-z_]+): (.*)$", line)
        if argument and not (out and out[-1].startswith("- `")):
            out.append("")
        text = re.sub(r"([*<\[\]])", r"\\\1", argument.group(2) if argument else line)
        names = argument and ", ".join(f"`{name}`" for name in argument.group(1).split(", "))
        out.append(f"- {names}: {text}" if argument else text)
    return "\n".join(out + (["```"] if code else [])).strip()


def signature_of(thing):
    """The signature as Python tells it, without annotations of private types; "(...)" if it is not known."""
    try:
        signature = inspect.signature(thing)
    except (TypeError, ValueError):
        return "(...)"
    plain = [one.replace(annotation=inspect.Parameter.empty) for one in signature.parameters.values()
             if one.name not in ("self", "cls", "$self")]
    return str(signature.replace(parameters=plain, return_annotation=inspect.Signature.empty))


def declaration(name, thing):
    text = name + signature_of(thing)
    if len(text) > 100:
        text = re.sub(r"\((.*)\)$", lambda m: "(\n    " + re.sub(r", (?=[\w*/])", ",\n    ", m.group(1)) + ",\n)", text, flags=re.S)
    return ["```python", text, "```", ""]


def members_of(cls):
    for base in reversed([one for one in cls.__mro__ if one.__module__.startswith("tumble")]):
        yield from ((name, value) for name, value in vars(base).items() if not name.startswith("_"))


def class_page(label, cls):
    out = []
    if issubclass(cls, enum.Enum):
        out += ["| | |", "|---|---|"] + [f"| `{one.name}` | {one.value!r} |" for one in cls] + [""]
        return out
    for name, value in dict(members_of(cls)).items():
        text = inspect.getdoc(getattr(cls, name, value)) or ""
        anchor = f"{label}.{name}"
        if isinstance(value, (staticmethod, classmethod)) or inspect.isroutine(value):
            out += [f"#### `{label}.{name}` {{#{anchor}}}", ""] + declaration(name, getattr(cls, name)) + [fenced(text), ""]
        elif inspect.isdatadescriptor(value) and text and not text.startswith("Alias for field"):
            out += [f"#### `{label}.{name}` {{#{anchor}}}", "", fenced(text), ""]
    return out


def page(module, names, title):
    out = [f"# {title}", "", fenced(module.__doc__ or ""), ""]
    left = {name: getattr(module, name) for name in names if not name.startswith("__")}
    for heading, belongs in KINDS:
        chosen = [name for name in sorted(left, key=str.lower) if belongs(left[name])]
        if chosen:
            out += [f"## {heading}", ""]
        for name in chosen:
            thing = left.pop(name)
            label = f"{module.__name__}.{name}"
            out += [f"### `{label}` {{#{label}}}", ""]
            if not inspect.isclass(thing) or not issubclass(thing, (enum.Enum, BaseException)):
                out += declaration(label, thing)
            # The words that dataclasses and named tuples make up are no documentation.
            text = inspect.getdoc(thing) or ""
            if not re.match(rf"{name}\(", text):
                out += [fenced(text), ""]
            if inspect.isclass(thing):
                fields = getattr(thing, "_fields", None) or tuple(getattr(thing, "__dataclass_fields__", ()))
                if fields:
                    out += ["Fields: " + ", ".join(f"`{one}`" for one in fields if not one.startswith("_")) + ".", ""]
                out += class_page(label, thing)
    if left:
        out += ["## Values", ""] + [f"- `{name}`: {type(value).__name__}" for name, value in sorted(left.items())]
    return "\n".join(out) + "\n"


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tumble.md").write_text(page(tumble, tumble.__all__, "tumble"))
    (folder / "urdf.md").write_text(page(tumble.urdf, tumble.urdf.__all__, "tumble.urdf"))
    (folder / "trimesh.md").write_text(page(tumble.trimesh, tumble.trimesh.__all__, "tumble.trimesh"))


main()

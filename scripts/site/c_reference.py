"""Turns the public headers into pages: their comments and declarations in the order of the file.

A header's first comment opens its page; `/* ---- Title ---- */` starts a section; a comment and the declarations right
below it are an entry, headed by the names it declares.
"""
import re

DECLARED = [
    re.compile(r"TUMBLE_API [^;{]*?\b(\w+)\("),                      # functions
    re.compile(r"^\} (\w+);", re.M),                                 # structs and enums
    re.compile(r"^typedef (?:struct|enum) \w+ (\w+);", re.M),
    re.compile(r"^typedef [^({;]*?\b(\w+)\([^;]*\);", re.M),         # types of functions
    re.compile(r"^typedef [^({;]*?\(\*(\w+)\)\([^;]*\);", re.M),
    re.compile(r"^(?:static inline )\w[\w *]*?\b(\w+)\(", re.M),
    re.compile(r"^#define (TUMBLE_\w+|COL\w+|col\w+)", re.M),
]
ENUMERATOR = re.compile(r"^\s+([A-Z]\w+)(?: = [^,/]*)?,?(?:\s*/\*.*)?$", re.M)
HELPERS = re.compile(r"TUMBLE_\w+_(ENUM|H)$|TUMBLE_API$|TUMBLE_STATIC$")


def blocks_of(text):
    """Pieces of a header between blank lines, outside of comments and braces."""
    block, depth, comment = [], 0, False
    for line in text.split("\n"):
        if not line.strip() and depth == 0 and not comment:
            if block:
                yield "\n".join(block)
            block = []
            continue
        block.append(line)
        code = re.sub(r"/\*.*?\*/", "", line)
        if "/*" in code and not comment:
            comment, code = True, code[:code.index("/*")]
        elif comment and "*/" in code:
            comment, code = False, code[code.index("*/") + 2:]
        elif comment:
            code = ""
        if not code.startswith('extern "C"') and code.strip() != "}":
            depth += code.count("{")
        depth = max(0, depth - code.count("}"))
    if block:
        yield "\n".join(block)


def split_comment(block):
    """(comment's lines without their frame, or None; the rest)"""
    if not block.startswith("/*"):
        return None, block
    end = block.index("*/")
    lines = [re.sub(r"^ \* ?", "", line) for line in block[2:end].rstrip().split("\n")]
    lines[0] = lines[0].strip()
    return lines, block[end + 2:].lstrip("\n")


def entries_of(block):
    """A block may hold several comments, each with its declarations."""
    found = []
    comment, rest = split_comment(block)
    while True:
        following = re.search(r"^/\*", rest, re.M)
        found.append((comment, rest[:following.start()].rstrip() if following else rest.rstrip()))
        if not following:
            return found
        comment, rest = split_comment(rest[following.start():])


def errors_table(lines):
    """The lines from "Errors:" on: a status, or several, and two spaces before what it means."""
    rows = []
    for line in lines:
        text = re.sub(r"^Errors:", "", line).strip()
        match = re.match(r"((?:TUMBLE_ERROR_\w+(?:, )?)+)(?:\s\s+(.*))?$", text)
        if match:
            rows.append([match.group(1).rstrip(", "), match.group(2) or ""])
        elif rows:
            rows[-1][1] += (" " if rows[-1][1] else "") + text
    if not rows:
        return lines
    out = ["", "| Error | |", "|---|---|"]
    for names, meaning in rows:
        names = ", ".join(f"`{name}`" for name in names.split(", "))
        out.append(f"| {names} | {marked(meaning).replace('|', chr(92) + '|')} |")
    return out + [""]


TERM = re.compile(r"^ {2,}(\S+) {2,}(\S.*)$")


def terms_table(lines):
    """Lines of a term, two spaces or more, and its meaning: a table."""
    out = ["", "| | |", "|---|---|"]
    for line in lines:
        match = TERM.match(line)
        if match and len(line) - len(line.lstrip()) <= 4:
            out.append(f"| `{match.group(1)}` | {marked(match.group(2))} |")
        elif line.strip():
            out[-1] = f"{out[-1][:-2]} {marked(line.strip())} |"
    return out + [""]


def marked(text):
    """Names in prose become code, which the site links; what Markdown would take for its own is escaped."""
    parts = re.split(r"(`[^`]*`)", text)
    for i in range(0, len(parts), 2):
        part = re.sub(r"([*<\\\[\]])", r"\\\1", parts[i])
        part = re.sub(r"\b((?:tumble|col)_\w+(?:\(\))?|(?:TUMBLE|COL)_\w+|col[A-Z]\w+|NULL|(?:\w+->|\w+\.)\w+_\w+|[a-z]+_[a-z_]+)",
                      r"`\1`", part)
        parts[i] = re.sub(r"\bdocs/([a-z-]+)\.md\b", r"[\1.md](../\1.md)", part).replace("\\`", "`")
    return "".join(parts)


def prose(lines):
    """Markdown of a comment: paragraphs, lists, indented code, the table of errors."""
    out, i = [], 0
    while i < len(lines):
        line = lines[i]
        if line.startswith("Errors:"):
            end = i + 1
            while end < len(lines) and lines[end].strip() and lines[end].startswith(" "):
                end += 1
            out += errors_table(lines[i:end])
            i = end
        elif TERM.match(line) and not (out and out[-1].startswith(("- ", "    "))):
            end = i + 1
            while end < len(lines) and (lines[end].startswith("  ") or not lines[end].strip() and
                                        end + 1 < len(lines) and TERM.match(lines[end + 1])):
                end += 1
            out += terms_table(lines[i:end])
            i = end
        elif line.startswith("    "):
            out += ["", "```c"]
            while i < len(lines) and (lines[i].startswith("    ") or
                                      not lines[i].strip() and i + 1 < len(lines) and lines[i + 1].startswith("    ")):
                out.append(lines[i][4:])
                i += 1
            out += ["```", ""]
        else:
            if line.startswith("- ") and out and out[-1].strip() and not out[-1].startswith(("- ", "  ")):
                out.append("")
            out.append(marked(line) if not line.startswith("  ") else "    " + marked(line.strip()))
            i += 1
    return "\n".join(out).strip()


def names_of(code):
    plain = re.sub(r"/\*.*?\*/", lambda match: re.sub(r"[^\n]", " ", match.group()), code, flags=re.S)
    found = []
    for pattern in DECLARED:
        found += [(match.start(), match.group(1)) for match in pattern.finditer(plain)]
    return [name for _, name in sorted(found) if not HELPERS.search(name)]


def cleaned(code):
    """Declarations without what only the compiler wants."""
    lines = [line for line in code.split("\n")
             if not re.match(r'#(include|ifndef|ifdef|if|endif|elif|else|undef)|extern "C"|\}$', line)
             and not re.match(r"#define \w+_H$", line)]
    text = re.sub(r"\bTUMBLE_API ", "", "\n".join(lines)).strip("\n")
    if "TUMBLE_API" in text:  # its definitions
        text = ""
    # The arguments of a declaration that goes over several lines move left with its name.
    return re.sub(r"\n {8,}(?=[^\n]*(?:,|\);)$)", "\n    ", text, flags=re.M) if "{" not in text else text


def expand_list(code, lists):
    """An enum made of an X(...) list, with its enumerators written out; notes the lists that the code defines."""
    for match in re.finditer(r"#define (\w+_LIST)\(X\)((?:.*\\\n)*.*)", code):
        lists[match.group(1)] = re.findall(r'X\((\w+), (\d+)(?:.*?)"([^"]*)"\)', match.group(2))
    match = re.search(r"#define \w+\(name.*\) (\w+_)##name.*\n\s+(\w+_LIST)\(\w+\)(?:\n#undef .*)?", code)
    if not match or match.group(2) not in lists:
        return code
    rows = [f"    {match.group(1)}{name} = {number}, /* {text} */" for name, number, text in lists[match.group(2)]]
    return code[:match.start()] + "\n".join(rows) + code[match.end():]


def page_of(name, text):
    """(Markdown, names in the order of the page, the header's first sentence)"""
    out, names, summary, lists, held = [f"# {name}", ""], [], "", {}, None
    for block in blocks_of(text):
        for comment, code in entries_of(block):
            title = comment and re.match(r"---- (.*) ----$", " ".join(comment).strip())
            if title:
                out += [f"## {title.group(1)}", ""]
                comment = None
            declared = names_of(code)
            listed = re.match(r"#define (\w+_LIST)\(X\)", code)
            if listed:  # the enum that is made of it has its comment
                expand_list(code, lists)
                held = (comment, listed.group(1))
                continue
            if held:
                comment = (held[0] or []) + (["", *comment] if comment else []) + \
                    ["", f"`{held[1]}(X)` has them as a list for the preprocessor."]
                declared.append(held[1])
                held = None
            code = cleaned(expand_list(code, lists))
            if not summary and comment:
                summary = re.sub(r"^Tumble: ", "", re.split(r"(?<=[.?]) |\n\n", "\n".join(comment))[0]).replace("\n", " ")
                summary = summary[:1].upper() + summary[1:].split("  ")[0]
                first = re.sub(r"^Tumble: ", "", comment[0])
                out += [prose([first[:1].upper() + first[1:]] + comment[1:]), "",
                        f"`#include <tumble/{name}>`", ""]
                comment = None
            if code:
                own = list(dict.fromkeys(declared))
                enumerators = ENUMERATOR.findall(re.sub(r"\{[^{}]*\bX\(", "", code)) if "enum" in code else []
                heading = own[0] if own else ""
                fresh = [one for one in own + enumerators if one not in names]
                if heading and heading in fresh:
                    title = ", ".join(f"`{one}`" for one in own[:3]) + (" …" if len(own) > 3 else "")
                    out += [f"### {title} {{#{heading}}}", ""]
                anchors = "".join(f'<a id="{one}"></a>' for one in fresh if one != heading)
                if anchors:
                    out += [anchors, ""]
                names += fresh
                out += ["```c", code, "```", ""]
            if comment:
                out += [prose(comment), ""]
    return "\n".join(out).replace("\n\n\n", "\n\n"), names, summary

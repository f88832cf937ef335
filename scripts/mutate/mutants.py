"""Mutants: the places at which a C or OpenCL source can be broken, and how.

The text is split into tokens, not parsed; clang-format's spacing tells a product from a pointer. What cannot be told
from tokens is left to the compiler: a mutant that does not compile does not count.
"""
import random
import re
from collections import defaultdict, namedtuple
from pathlib import Path

# Replaces text[start:end] of `file` by `text`; `line` and `operator` name it.
Mutant = namedtuple("Mutant", "file line operator start end text")
Token = namedtuple("Token", "kind text start end line macro")

TOKENS = re.compile(
    r"(?P<comment>/\*.*?\*/|//[^\n]*)"
    r"|(?P<string>\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*')"
    r"|(?P<number>0[xX][0-9a-fA-F]*\.?[0-9a-fA-F]*(?:[pP][+-]?\d+)?[uUlLfF]*"
    r"|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[uUlLfF]*)"
    r"|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<operator><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[-+*/%&|^!~<>=?:;,.(){}\[\]#\\])",
    re.S)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.)*", re.M | re.S)
DEFINITION = re.compile(r"[ \t]*#\s*define\s+\w+(\([^)]*\))?", re.S)

BINARY = {
    "<": [("lt-le", "<="), ("lt-ge", ">=")], "<=": [("le-lt", "<"), ("le-gt", ">")],
    ">": [("gt-ge", ">="), ("gt-le", "<=")], ">=": [("ge-gt", ">"), ("ge-lt", "<")],
    "==": [("eq-ne", "!=")], "!=": [("ne-eq", "==")], "&&": [("and-or", "||")], "||": [("or-and", "&&")],
    "+": [("plus-minus", "-")], "-": [("minus-plus", "+")], "*": [("times-over", "/")], "/": [("over-times", "*")],
    "%": [("modulo-times", "*")], "<<": [("left-right", ">>")], ">>": [("right-left", "<<")],
    "&": [("bitand-bitor", "|")], "|": [("bitor-bitand", "&")], "^": [("xor-bitand", "&")],
    "+=": [("add-subtract", "-="), ("add-set", "=")], "-=": [("subtract-add", "+="), ("subtract-set", "=")],
    "*=": [("multiply-divide", "/=")], "/=": [("divide-multiply", "*=")],
    "|=": [("unite-cut", "&="), ("unite-set", "=")], "&=": [("cut-unite", "|="), ("cut-set", "=")],
    "^=": [("flip-unite", "|=")], "<<=": [("shl-shr", ">>=")], ">>=": [("shr-shl", "<<=")],
}
UNARY = {"!": [("drop-not", "")], "~": [("drop-complement", "")], "-": [("drop-sign", "")],
         "++": [("increase-decrease", "--")], "--": [("decrease-increase", "++")]}
NAMES = {"true": [("true-false", "false")], "false": [("false-true", "true")],
         "INFINITY": [("flip-infinity", "-INFINITY")]}
CONTROL = {"if", "for", "while", "switch"}
DECLARING = set("""auto char const double else enum extern float for goto if int long register short signed sizeof
    static struct switch typedef union unsigned void volatile while do case default inline""".split())
IGNORED_CALLS = {"TMB_ASSERT", "TMB_ASSERT_SLOW", "static_assert", "_Static_assert", "__attribute__", "alignas",
                 "_Alignas", "TMB_ALIGNED", "__builtin_prefetch"}
HEXADECIMAL = re.compile(r"(0[xX][0-9a-fA-F.]+(?:[pP][+-]?\d+(?=[fFlL]*$))?)((?<=\d)[fFlL]*|[uUlL]*)")
DECIMAL = re.compile(r"([\d.]+(?:[eE][+-]?\d+)?)([uUlLfF]*)")
TABLE_NUMBERS = 48  # an initializer of a file with more numbers is a table, not code


def tokens_of(text):
    """The tokens of a source, without comments and directives; of a #define what it stands for."""
    tokens, at = [], 0
    comments = [match.span() for match in TOKENS.finditer(text) if match.lastgroup == "comment"]
    def commented(place):
        return any(start < place < end for start, end in comments)
    for directive in DIRECTIVE.finditer(text):
        if commented(directive.start()) or directive.start() < at:
            continue
        add_tokens(tokens, text, at, directive.start(), False)
        definition = DEFINITION.match(text, directive.start())
        if definition:
            add_tokens(tokens, text, definition.end(), directive.end(), True)
        at = directive.end()
    add_tokens(tokens, text, at, len(text), False)
    return tokens


def add_tokens(tokens, text, start, end, macro):
    for match in TOKENS.finditer(text, start, end):
        if match.lastgroup != "comment" and match.group() != "\\":
            line = text.count("\n", 0, match.start()) + 1
            tokens.append(Token(match.lastgroup, match.group(), match.start(), match.end(), line, macro))


class Source:
    """One file: its tokens, and what kind of place each of them is in."""

    def __init__(self, path, text, known_names):
        self.path, self.text, self.known = path, text, known_names
        self.tokens = tokens_of(text)
        self.partner, self.place = {}, [None] * len(self.tokens)
        self.starts = []  # first tokens of statements, with the number of blocks around each
        self.sizes = set()  # numbers that are lengths of declared arrays
        self.found = []
        self.read_structure()
        for i, _ in self.starts:
            self.read_sizes(i)

    # Braces are of functions, blocks, types or data; a token's place is that of the brace around it, or "call" for
    # what is not to be touched.
    def read_structure(self):
        stack, fresh = [], False
        for i, token in enumerate(self.tokens):
            if token.macro:
                self.place[i] = "macro"
                continue
            before = self.before(i)
            if token.text in "([{" and token.kind == "operator":
                stack.append((token.text, i, self.kind_of_opening(i, stack)))
            kinds = [entry[2] for entry in stack]
            self.place[i] = "ignored" if "ignored" in kinds else next((k for k in reversed(kinds) if k), "outside")
            if fresh and token.text not in "{}" and "ignored" not in kinds and self.place[i] == "code":
                self.starts.append((i, kinds.count("code")))
            if token.text in ")]}" and token.kind == "operator" and stack:
                opening = stack.pop()
                self.partner[opening[1]] = i
                self.partner[i] = opening[1]
            inside_code = not stack or (stack[-1][2] == "code" and stack[-1][0] == "{")
            fresh = inside_code and bool(stack) and self.ends_statement(i, before)

    def before(self, i):
        return self.tokens[i - 1] if i > 0 and not self.tokens[i - 1].macro else Token("operator", "", 0, 0, 0, False)

    def kind_of_opening(self, i, stack):
        before, token = self.before(i), self.tokens[i]
        if token.text != "{":
            return "ignored" if before.text in IGNORED_CALLS else None
        outer = next((entry[2] for entry in reversed(stack) if entry[2]), "outside")
        if before.text == ")":
            opener = self.before(self.partner[i - 1]).text if i - 1 in self.partner else ""
            if outer == "outside" or opener in CONTROL:
                return "code"
            return "data"
        if before.text in ("else", "do", ";", "{", "}", ":") and outer == "code":
            return "code"
        if before.text in ("=", ",", "{", "(") or outer == "data":
            return "data" if outer != "outside" or not self.is_table(i) else "ignored"
        return "ignored"  # a type

    def is_table(self, i):
        depth, numbers = 0, 0
        for token in self.tokens[i:]:
            depth += (token.text == "{") - (token.text == "}")
            numbers += token.kind == "number"
            if depth == 0:
                break
        return numbers > TABLE_NUMBERS

    def ends_statement(self, i, before):
        text = self.tokens[i].text
        if text in (";", "{", "}", "else", "do"):
            return True
        if text == ")":
            return self.before(self.partner[i]).text in CONTROL if i in self.partner else False
        return text == ":" and self.is_label(i)

    def is_label(self, i):
        j = i - 1
        while j > 0 and self.tokens[j].text not in (";", "{", "}", "?", ":"):
            if self.tokens[j].text in ("case", "default"):
                return True
            j -= 1
        return False

    def add(self, i, operator, text, last=None):
        start, end = self.tokens[i].start, self.tokens[i if last is None else last].end
        lines = "\n" * self.text.count("\n", start, end)
        self.found.append(Mutant(self.path, self.tokens[i].line, operator, start, end, text + lines))

    def spaced(self, i):
        token = self.tokens[i]
        return self.text[token.start - 1] in " \n" and self.text[token.end] in " \n\\"

    def operand_before(self, i):
        before = self.tokens[i - 1] if i > 0 else None
        return before is not None and (before.kind in ("name", "number", "string") or before.text in (")", "]")) and \
            before.text not in ("return", "case", "else")

    def mutants(self):
        self.found = []
        for i, token in enumerate(self.tokens):
            if self.place[i] in ("code", "macro", "data"):
                self.mutate_token(i, token)
        for i, depth in self.starts:
            self.mutate_statement(i, depth)
        return numbered(self.found)

    def mutate_token(self, i, token):
        if token.kind == "operator":
            self.mutate_operator(i, token)
        elif token.kind == "number" and i not in self.sizes:
            for operator, text in numbers_like(token.text):
                if operator != "one-two" or not self.is_truth(i):
                    self.add(i, operator, text)
        elif token.kind == "name":
            for operator, text in NAMES.get(token.text, []):
                self.add(i, operator, text)
            self.mutate_extreme(i, token)

    # A 1 that stands for yes as likely as for a number: a 2 in its place would say the same.
    def is_truth(self, i):
        return self.before(i).text in ("return", "=", "?", ":", "(", ",") and \
            i + 1 < len(self.tokens) and self.tokens[i + 1].text in (";", ":", ")", ",")

    def mutate_operator(self, i, token):
        if token.text in ("++", "--") or not self.operand_before(i):
            choices = UNARY.get(token.text, [])
        else:
            choices = BINARY.get(token.text, []) if self.spaced(i) else []
        for operator, text in choices:
            self.add(i, operator, text)

    # Of a declaration at i: what is in brackets, except in initial values.
    def read_sizes(self, i):
        if self.is_expression(i) or self.tokens[i].text in CONTROL | {"return", "case", "goto"}:
            return
        end, initial = self.end_of(i), False
        while end is not None and i < end:
            text = self.tokens[i].text
            initial = text == "=" or (initial and text != ",")
            if text == "[" and not initial:
                self.sizes.update(range(i, self.partner.get(i, i)))
            i = self.partner.get(i, i) + 1 if text in ("(", "[", "{") else i + 1

    def mutate_extreme(self, i, token):
        if i + 1 == len(self.tokens) or self.tokens[i + 1].text != "(":
            return
        for one, other in (("min", "max"), ("max", "min")):
            swapped = re.sub(r"(?<![a-z])(f?)%s(?=f?(_|$|\d))" % one, r"\1" + other, token.text)
            if swapped != token.text and swapped in self.known:
                self.add(i, one + "-" + other, swapped)

    def mutate_statement(self, i, depth):
        token = self.tokens[i]
        if token.text in ("if", "while"):
            self.mutate_condition(i)
        elif self.end_of(i) is None:
            return
        elif token.text in ("return", "break", "continue"):
            if depth > 1:
                self.add(i, "drop-" + token.text, ";", self.end_of(i))
        elif self.is_expression(i):
            self.add(i, "drop", ";", self.end_of(i))

    def mutate_condition(self, i):
        opening = i + 1
        closing = self.partner.get(opening)
        if closing is None:
            return
        condition = self.text[self.tokens[opening].end:self.tokens[closing].start]
        if self.tokens[i].text == "while":
            self.replace_condition(opening, closing, "while-never", "0")
            return
        self.replace_condition(opening, closing, "if-not", "!(" + condition + ")")
        self.replace_condition(opening, closing, "if-always", "1")
        self.replace_condition(opening, closing, "if-never", "0")

    def replace_condition(self, opening, closing, operator, text):
        start, end = self.tokens[opening].end, self.tokens[closing].start
        lines = "" if "\n" in text else "\n" * self.text.count("\n", start, end)
        self.found.append(Mutant(self.path, self.tokens[opening].line, operator, start, end, text + lines))

    # The semicolon of the statement that starts at i; None for what has none, such as a macro.
    def end_of(self, i):
        while i < len(self.tokens) and self.tokens[i].text not in (";", "}"):
            i = self.partner.get(i, i) + 1 if self.tokens[i].text in ("(", "[", "{") else i + 1
        return i if i < len(self.tokens) and self.tokens[i].text == ";" else None

    def is_expression(self, i):
        token, after = self.tokens[i], self.tokens[i + 1]
        if token.text in ("*", "++", "--", "("):
            return True
        if token.kind != "name" or token.text in DECLARING or token.text in IGNORED_CALLS:
            return False
        if after.text == "*":
            return self.spaced(i + 1)
        return after.kind == "operator" and after.text not in (":", ";")


def numbers_like(text):
    """Other numbers in the place of this one: [(operator, text)]."""
    match = HEXADECIMAL.fullmatch(text) or DECIMAL.fullmatch(text)
    if not match:
        return []
    digits, suffix = match.groups()
    hexadecimal = digits[:2] in ("0x", "0X")
    if hexadecimal and re.search("[pP]", digits):
        mantissa, exponent = re.split("[pP]", digits)
        return [("halve", f"{mantissa}p{int(exponent) - 1}{suffix}"),
                ("double", f"{mantissa}p{int(exponent) + 1}{suffix}")]
    if not hexadecimal and re.search("[.eE]", digits):
        if float(digits) == 0:
            return [("zero-one", "1.0" + suffix)]
        return [("halve", f"{float(digits) / 2!r}{suffix}"), ("double", f"{float(digits) * 2!r}{suffix}")]
    value = int(digits, 16) if hexadecimal else int(digits, 8 if digits[0] == "0" and digits != "0" else 10)
    if value == 0:
        return [("zero-one", "1" + suffix)]
    if value == 1:
        return [("one-zero", "0" + suffix), ("one-two", "2" + suffix)]
    form = hex if hexadecimal else str
    return [("less-one", form(value - 1) + suffix), ("more-one", form(value + 1) + suffix)]


def numbered(mutants):
    """Makes the operators of each line different: the second `drop` of a line is `drop.2`."""
    counts, result = defaultdict(int), []
    for mutant in sorted(mutants, key=lambda one: (one.line, one.start)):
        counts[mutant.line, mutant.operator] += 1
        count = counts[mutant.line, mutant.operator]
        result.append(mutant._replace(operator=mutant.operator + (f".{count}" if count > 1 else "")))
    return result


def name_of(mutant):
    return f"{mutant.file}:{mutant.line}:{mutant.operator}"


def broken(mutant, text):
    return text[:mutant.start] + mutant.text + text[mutant.end:]


def read_all(root, files):
    """The mutants of each line: {(file, line): [mutant]}."""
    texts = {file: (Path(root) / file).read_text() for file in files}
    known = set(re.findall(r"[A-Za-z_]\w*", "\n".join(texts.values()))) | {"fmin", "fmax", "fminf", "fmaxf"}
    lines = defaultdict(list)
    for file, text in sorted(texts.items()):
        for mutant in Source(file, text, known).mutants():
            lines[file, mutant.line].append(mutant)
    return lines


def draw(lines, seed):
    """All mutants without end of repetition: a random line, then a random mutant of it that was not drawn before."""
    chance = random.Random(seed)
    rest = {place: list(mutants) for place, mutants in sorted(lines.items())}
    places = list(rest)
    while places:
        which = chance.randrange(len(places))
        mutants = rest[places[which]]
        yield mutants.pop(chance.randrange(len(mutants)))
        if not mutants:
            places[which] = places[-1]
            places.pop()

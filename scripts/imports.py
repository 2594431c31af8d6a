"""Makes a graph of the files of a crate, with an edge from each file to the files whose items it names.

`use` declarations and paths in code (`crate::x::Y`, `super::Y`, `child::y()`) are read. A name is
followed through re-exports to the file that defines it, so a file that declares and re-exports
its children imports nothing by that. Tests are left out: they may name anything.
"""
import re
from pathlib import Path
from typing import NamedTuple

TOKEN = re.compile(
    r"""(?P<skip>\s+|//[^\n]*|/\*.*?\*/)
    |(?P<literal>b?r(?P<hashes>\#*)".*?"(?P=hashes)|[bc]?"(?:\\.|[^"\\])*"|b?'(?:\\.[^']*|[^'\\])')
    |(?P<word>(?:r\#)?[A-Za-z_]\w*)|(?P<lifetime>'\w+)|(?P<number>\d[\w.]*?(?=\.\.|[^\w.]|\.[a-z_]))
    |(?P<mark>::|.)""",
    re.VERBOSE | re.DOTALL,
)
ITEM = {"fn", "struct", "enum", "union", "trait", "type", "const", "static"}


class Token(NamedTuple):
    text: str
    line: int
    is_word: bool


class Use(NamedTuple):
    """One name that a `use` brings in."""

    path: tuple
    line: int
    is_public: bool


class Edge(NamedTuple):
    line: int
    name: str


def tokens(text):
    found, line = [], 1
    for match in TOKEN.finditer(text):
        if match.lastgroup in ("word", "mark", "lifetime", "number", "literal", "hashes"):
            is_word = match["word"] is not None
            found.append(Token(match[0] if is_word or match["mark"] else "", line, is_word))
        line += match[0].count("\n")
    return found


def end_of(code, at, opening, closing):
    """Returns the index after the bracket that closes the one at `at`."""
    depth = 0
    for i in range(at, len(code)):
        depth += (code[i].text == opening) - (code[i].text == closing)
        if depth == 0:
            return i + 1
    return len(code)


def end_of_item(code, at):
    """Returns the index after the item that begins at `at`: after its block or its semicolon."""
    while at < len(code) and code[at].text != ";":
        if code[at].text == "{":
            return end_of(code, at, "{", "}")
        closing = {"(": ")", "[": "]"}.get(code[at].text)
        at = end_of(code, at, code[at].text, closing) if closing else at + 1
    return at + 1


class File:
    """The declarations, imports and names of one file. `module` is its path in the crate."""

    def __init__(self, path, module, text):
        self.path, self.module = path, module
        self.defined, self.children, self.tests = set(), set(), set()
        self.uses = {}
        self.paths = []
        self.words = {}
        self.read(tokens(text), 0, ())

    def read(self, code, at, inline):
        """Reads items and expressions until the block ends, in the module `inline` of the file."""
        depth = 0
        while at < len(code):
            token, text = code[at], code[at].text
            following = code[at + 1].text if at + 1 < len(code) else ""
            if text == "#" and following in ("[", "!"):
                start = at + 1 + (following == "!")
                end = end_of(code, start, "[", "]")
                words = " ".join(token.text for token in code[start:end])
                is_test = words.startswith(("[ test ]", "[ cfg ( test", "[ cfg ( all ( test"))
                # What an attribute names is named by the file, too.
                at = self.skip_test(code, end) if is_test and following == "[" else start + 1
                continue
            if text in ("{", "}"):
                depth += 1 if text == "{" else -1
                if depth < 0:
                    return at + 1
            elif text == "mod" and code[at + 1].is_word:
                name = code[at + 1].text
                if code[at + 2].text == ";":
                    self.children.add(inline + (name,))
                    at += 3
                else:
                    self.defined.add(name)
                    at = self.read(code, at + 3, inline + (name,))
                continue
            elif text == "pub" and following == "(":
                # Where it is visible is no import: `pub(in crate::a)`.
                at = end_of(code, at + 1, "(", ")")
                continue
            elif text == "use":
                end = next(i for i in range(at, len(code)) if code[i].text == ";")
                self.read_use(code[at + 1 : end], inline, self.is_public(code, at))
                at = end + 1
                continue
            elif token.is_word and (at == 0 or code[at - 1].text not in (".", "::", "$")):
                end = at + 1
                while end + 1 < len(code) and code[end].text == "::" and code[end + 1].is_word:
                    end += 2
                path = tuple(token.text for token in code[at:end:2])
                if len(path) > 1:
                    self.paths.append((self.absolute(path, inline), token.line))
                elif at and code[at - 1].text in ITEM:
                    self.defined.add(text)
                self.words.setdefault(path[0], token.line)
                at = end
                continue
            at += 1
        return at

    def skip_test(self, code, at):
        """Skips an item of tests; records it if it is a module of its own."""
        while code[at].text == "#":
            at = end_of(code, at + 1, "[", "]")
        if code[at].text == "mod" and code[at + 2].text == ";":
            self.tests.add(code[at + 1].text)
        return end_of_item(code, at)

    @staticmethod
    def is_public(code, at):
        """Returns whether `pub`, `pub(crate)` or `pub(in a::b)` precedes the word at `at`."""
        before = " ".join(token.text for token in code[max(0, at - 12) : at])
        return re.search(r"\bpub( \( [\w: ]+ \))?$", before) is not None

    def read_use(self, code, inline, is_public, before=()):
        """Reads one tree of a `use`."""
        path, at = list(before), 0
        while at < len(code):
            token = code[at]
            if token.text == "{":
                end = end_of(code, at, "{", "}")
                start, depth = at + 1, 0
                for i in range(at + 1, end):
                    depth += (code[i].text == "{") - (code[i].text == "}")
                    if depth == 0 and code[i].text == "," or i == end - 1:
                        if i > start:
                            self.read_use(code[start:i], inline, is_public, tuple(path))
                        start = i + 1
                return
            if token.text == "as":
                break
            if token.text != "::":
                path.append(token.text)
            at += 1
        alias = code[at + 1].text if at < len(code) else path[-1]
        if path[-1] == "self":
            path.pop()
            alias = alias if alias != "self" else path[-1]
        if path:
            self.uses[alias] = Use(self.absolute(tuple(path), inline), code[0].line, is_public)

    def absolute(self, path, inline):
        """Returns the path from the crate's root, or as it is if it begins with a name that the file knows."""
        here = self.module + inline
        if path[0] == "crate":
            return path
        if path[0] not in ("self", "super"):
            return path
        rest = list(path)
        while rest and rest[0] in ("self", "super"):
            here = here[:-1] if rest.pop(0) == "super" else here
        return ("crate", *here, *rest)


class Crate:
    """The files of a crate by module, and the imports of each."""

    def __init__(self, source):
        self.source = source
        # Beside a library a program is a crate of its own, which uses the library by its name.
        programs = [source / "main.rs", *source.glob("bin/**/*.rs")]
        programs = programs if (source / "lib.rs").exists() else []
        paths = sorted(set(source.rglob("*.rs")) - set(programs))
        read = [File(path, self.module(path), path.read_text()) for path in paths]
        tests = {file.module + (name,) for file in read for name in file.tests}
        inside = lambda module: {module[:length] for length in range(1, len(module) + 1)}
        self.files = {file.module: file for file in read if not inside(file.module) & tests}
        self.edges = {module: self.imports(file) for module, file in self.files.items()}

    def by_module(self):
        """Returns the graph of the modules at the root; a module includes its file and its folder."""
        self.edges, files = {module[:1]: {} for module in self.edges if module}, self.edges
        for module, edges in files.items():
            for other, edge in edges.items():
                if module and other and module[:1] != other[:1]:
                    where = Edge(edge.line, f"{edge.name}, in {self.name(module)}")
                    self.edges[module[:1]].setdefault(other[:1], where)
        return self

    def module(self, path):
        parts = path.relative_to(self.source).with_suffix("").parts
        return parts[:-1] if parts[-1] in ("mod", "lib", "main") else parts

    def name(self, module):
        return str(self.files[module].path.relative_to(self.source))

    def resolve(self, path, seen=()):
        """Returns the module of the file that defines the item of an absolute path, if it is in this crate."""
        module = ()
        for name in path[1:]:
            if module + (name,) not in self.files:
                break
            module += (name,)
        rest = path[1 + len(module) :]
        if not rest:
            return module
        file = self.files[module]
        use = file.uses.get(rest[0])
        if use and rest[0] not in file.defined and (module, rest[0]) not in seen:
            return self.resolve_from(file, use.path + rest[1:], (*seen, (module, rest[0])))
        return module

    def resolve_from(self, file, path, seen=()):
        """Like `resolve`, for a path in a file that begins with a name that the file knows."""
        if path[0] == "crate":
            return self.resolve(path, seen)
        if file.module + (path[0],) in self.files:
            return self.resolve(("crate", *file.module, *path), seen)
        use = file.uses.get(path[0])
        if use and (file.module, path[0]) not in seen and use.path[0] != path[0]:
            return self.resolve_from(file, use.path + path[1:], (*seen, (file.module, path[0])))
        return None

    def imports(self, file):
        """Returns the modules that a file imports, each with the line and name of the first import."""
        # A re-export is an import only where the file itself uses the name.
        own = [use for name, use in file.uses.items() if not use.is_public or name in file.words]
        named = file.paths + [(use.path, use.line) for use in own]
        found = {}
        for path, line in sorted(named, key=lambda one: one[1]):
            module = self.resolve_from(file, path)
            if module is not None and module != file.module:
                found.setdefault(module, Edge(line, "::".join(path)))
        return found

    def circles(self):
        """Returns the sets of files that import each other, directly or indirectly, the largest first."""
        reached = {module: self.reach(module) for module in self.edges}
        circles = {
            frozenset(other for other in reached[module] if module in reached[other])
            for module in reached
            if module in reached[module]
        }
        return sorted(circles, key=len, reverse=True)

    def reach(self, module):
        reached, todo = set(), [module]
        while todo:
            for other in self.edges[todo.pop()]:
                if other not in reached:
                    reached.add(other)
                    todo.append(other)
        return reached

    def shortest(self, circle):
        """Returns the shortest cycle within a circle, as modules; the last imports the first."""
        return min((self.way_round(module, circle) for module in sorted(circle)), key=len)

    def way_round(self, start, circle):
        ways = [[start]]
        for way in ways:
            for other in self.edges[way[-1]]:
                if other == start:
                    return way
                if other in circle and all(other not in known for known in ways):
                    ways.append([*way, other])
        return []

    def described(self, circle):
        """Yields a line for each import within a circle."""
        for module in sorted(circle):
            for other, edge in sorted(self.edges[module].items()):
                if other in circle:
                    yield f"  {self.name(module)}:{edge.line} -> {self.name(other)}  ({edge.name})"


# What is an import and what is not: files of a crate, and the imports that they have.
CASES = [
    ({"lib": "mod a; mod b;", "a": "use crate::b::{self, B};", "b": "fn b() { crate::a::f() }"}, "a>b b>a"),
    # A parent that declares and re-exports imports nothing; the name leads to the child.
    ({"lib": "mod a;", "a": "mod c;\npub(crate) use c::C;", "a/c": "struct C;"}, ""),
    ({"lib": "mod a; mod b;", "a": "mod c;\npub use c::C;", "a/c": "pub struct C;", "b": "use crate::a::C;"}, "b>a/c"),
    # One that uses what it re-exports does, and so does a child that names its parent's item.
    ({"lib": "mod a;", "a": "mod c;\npub use c::C;\nfn f(_: C) {}", "a/c": "use super::f;"}, "a>a/c a/c>a"),
    ({"lib": "mod a;", "a": "mod c;\nfn f() { c::g() }", "a/c": "pub fn g() {}"}, "a>a/c"),
    ({"lib": "mod a;", "a": "mod c; mod d;", "a/c": "use super::d::D;", "a/d": "struct D;"}, "a/c>a/d"),
    # An alias for a module leads on; a path in an attribute counts.
    ({"lib": "mod a; mod b;", "a": "use crate::b as x;\nfn f() { x::g() }", "b": ""}, "a>b"),
    ({"lib": "mod a; mod b;", "a": "#[command(help = crate::b::HELP)]\nstruct A;", "b": ""}, "a>b"),
    # Tests, comments, strings and visibilities are no imports.
    ({"lib": "mod a; mod b;", "a": "#[cfg(test)]\nmod tests { use crate::b::B; }\nfn f() {}", "b": ""}, ""),
    ({"lib": "mod a; mod b;", "a": '// crate::b::B\nconst A: &str = "crate::b::B {";', "b": ""}, ""),
    ({"lib": "mod a; mod b;", "a": "pub(in crate::b) struct A<'b>(char);\nconst Q: char = '\\'';", "b": ""}, ""),
]


def test():
    """Fails if an import of CASES is not found, or one too many; `scripts/imports` calls it."""
    import tempfile

    for files, expected in CASES:
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = Path(folder, name).with_suffix(".rs")
                path.parent.mkdir(exist_ok=True)
                path.write_text(text)
            crate = Crate(Path(folder))
            names = {module: crate.name(module).removesuffix(".rs") for module in crate.files}
            found = {f"{names[a]}>{names[b]}" for a, edges in crate.edges.items() for b in edges}
            assert found == set(expected.split()), f"{files}: {sorted(found)}, not {expected}"

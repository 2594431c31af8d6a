"""Rows for the tests of engines, every function of columns with its arguments, the cases of
`testdata/functions`, and the parts of docs/parts.md."""

from __future__ import annotations

import json
import pathlib
import re
import tomllib
from dataclasses import dataclass
from typing import Any, NamedTuple

from locator_uri import _native, arrow

URLS = [
    "http://A.example:80/b?q=1#f", None, "", "http://b c/", "é", "http://h/é?é#é", "mailto:jan@example.com",
    "//h?", "http://www.example.co.uk/a/b.tar.gz?utm_source=x&q=a+b&q=%FF&n", "http://[::1]:99999/",
    "https://me:hunter2@example.com/", "see http://h/a.", "http://h/\x00", "http://h/" + "a" * 300,
    "HTTP://H:80/%7Ea/../b?#", None, "file:///a", "a/../b", "x", "http://bücher.example/",
    "http://h/a|b?f[]=1&q=100%", "http:\\\\h\\a", "http://good.example\\@evil.example/",
]  # fmt: skip
TEXTS = ["../c", "q", None, "x", "http://h/?", "", "é"]


class Case(NamedTuple):
    """A function with arguments after the column."""

    name: str
    arguments: list[Any]
    edition: str

    @property
    def short(self) -> str:
        return self.name.removeprefix("uri_")

    def expected(self, rows: list[str | None]) -> Any:
        """Return the answer of `locator_uri.arrow`, row by row."""
        return getattr(arrow, self.short)(rows, *self.arguments, edition=self.edition).to_pylist()


def cases() -> list[Case]:
    """Return each function of the table with the arguments of its example, in two editions, and with
    each of its optional arguments."""
    found = []
    for name, _, _, parameters, (_, arguments) in _native._functions():
        found += [Case(name, arguments, edition) for edition in ("rfc3986", "rfc3987")]
        others = {"rules": "private", "level": "syntax", "decoding": "raw", "scheme": "https"}
        if name == "uri_percent_decode":
            others["decoding"] = "form"
        optional = [others[of] for of, default, _ in parameters if default is not None]
        if optional:
            found.append(Case(name, [*arguments, *optional], "rfc3986"))
    return found


CASES = cases()
EDGES: list[list[str | None]] = [[], [None], [None, None, None], ["http://h/"]]


REPOSITORY = pathlib.Path(__file__).parents[2]


@dataclass(frozen=True)
class FunctionCase:
    """A case of `testdata/functions`: a call, and its result as JSON or the error."""

    function: str
    input: str
    arguments: tuple[str | int, ...]
    edition: str
    result: str | None
    error: str | None

    @property
    def short(self) -> str:
        return self.function.removeprefix("uri_")

    @property
    def is_call(self) -> bool:
        """Return whether all arguments are there that must be; else Python says so."""
        needed, every, _, _ = _native._signature(self.function)
        return len(needed) <= len(self.arguments) <= len(every)

    def value(self) -> Any:
        """Return the result as Python has it; a hash is bytes."""
        value = json.loads(self.result or "null")
        return bytes.fromhex(value) if self.function == "uri_hash128" else value

    def sql(self, *, fixed: bool) -> str | None:
        """Return the call in SQL. In engines in which a name has one number of arguments, it is that of
        the second name if optional ones are given; `None` if there is none."""
        needed, every, _, second = _native._signature(self.function)
        # A function that depends on no edition has no second name.
        arguments, by = list(self.arguments), self.edition != "rfc3986" and second is not None
        if fixed and len(arguments) != len(needed):
            defaults = {name: default for name, default, _ in parameters_of(self.function)}
            missing = every[len(arguments) :]
            if second is None or any(defaults[name] is None for name in missing):
                return None
            arguments, by = [*arguments, *(defaults[name] for name in missing)], True
        elif fixed and by and len(every) != len(needed):
            defaults = {name: default for name, default, _ in parameters_of(self.function)}
            arguments += [defaults[name] for name in every[len(arguments) :]]
        name = second if by else self.function
        given = [self.input, *arguments, *([self.edition] if by else [])]
        return None if name is None else f"{name}({', '.join(map(sql_literal, given))})"


def parameters_of(function: str) -> list[tuple[str, Any, str]]:
    return next(parameters for name, _, _, parameters, _ in _native._functions() if name == function)


def sql_literal(value: Any) -> str:
    return str(value) if isinstance(value, int) else "'" + value.replace("'", "''") + "'"


def function_cases() -> list[FunctionCase]:
    """Return all cases; none if the package is not in its repository."""
    files = sorted((REPOSITORY / "testdata/functions").glob("*.toml"))
    tables = [case for file in files for case in tomllib.loads(file.read_text(encoding="utf-8"))["case"]]
    return [
        FunctionCase(
            case["function"],
            case["input"],
            tuple(case.get("arguments", ())),
            case.get("edition", "rfc3986"),
            case.get("result"),
            case.get("error"),
        )
        for case in tables
    ]


class Part(NamedTuple):
    """A row of docs/parts.md."""

    name: str
    aliases: list[str]
    function: str | None
    """The name of its function in Python."""

    @property
    def example(self) -> str:
        """Return the name with a key."""
        return with_key(self.name)


def with_key(name: str) -> str:
    """Return the name of a part with a key in place of "NAME" or "N"."""
    return name.replace(":NAME", ":q").replace(":N", ":-1")


def parts() -> list[Part]:
    """Return the parts of the registry, as the page lists them; a test of Rust keeps it up to date."""
    lines = (REPOSITORY / "docs/parts.md").read_text(encoding="utf-8").splitlines()
    found = []
    for line in lines:
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if len(cells) != 6 or not cells[0].startswith("`"):
            continue
        (name,), aliases = re.findall("`(.*?)`", cells[0]), re.findall("`(.*?)`", cells[1])
        called = re.fullmatch(r"`(\w+)\(urls\)`", cells[5])
        found.append(Part(name, aliases, called[1] if called else None))
    return found

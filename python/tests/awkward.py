"""Rows for the tests of engines, and every function of columns with its arguments."""

from __future__ import annotations

from typing import Any, NamedTuple

from locator_uri import _native, arrow

URLS = [
    "http://A.example:80/b?q=1#f", None, "", "http://b c/", "é", "http://h/é?é#é", "mailto:jan@example.com",
    "//h?", "http://www.example.co.uk/a/b.tar.gz?utm_source=x&q=a+b&q=%FF&n", "http://[::1]:99999/",
    "https://me:hunter2@example.com/", "see http://h/a.", "http://h/\x00", "http://h/" + "a" * 300,
    "HTTP://H:80/%7Ea/../b?#", None, "file:///a", "a/../b", "x", "http://bücher.example/",
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

#!/usr/bin/env python3
"""Writes lib/locator_uri/arrow.py from the table of functions. A test says if it is out of date.

    target/python/venv/bin/python python/make_arrow.py
"""

from __future__ import annotations

import pathlib
import textwrap
from typing import Any

from locator_uri import _native

FILE = pathlib.Path(__file__).parent / "lib/locator_uri/arrow.py"

HEAD = '''\
"""Functions of columns of URLs, for data frames: an Arrow array in, an Arrow array out.

An array of pyarrow gives one of pyarrow, a `Series` of Polars gives a `Series`. A list of `str` and
any object with `__arrow_c_array__` or `__arrow_c_stream__` gives an object with the same methods,
`len` and `to_pylist`. Neither package is needed. Rows that are null give null, and so do texts that
are not valid URLs or references, unless a function says otherwise. The GIL is released.

>>> from locator_uri import arrow
>>> arrow.host(["http://a.example/?q=1", None, "http://b c/"]).to_pylist()
['a.example', None, None]

In Polars, use `pl.col("url").map_batches(arrow.host, return_dtype=pl.String)` in an expression.
"""

# Written by python/make_arrow.py; edit that, or the table in crates/locator-functions.

from __future__ import annotations

import importlib
from typing import Any

from . import _native

'''

TAIL = '''

def _evaluate(function: str, column: Any, arguments: list[Any], edition: str) -> Any:
    result = _native._evaluate(function, column, arguments, edition)
    package = type(column).__module__.partition(".")[0]
    if package == "pyarrow":
        pyarrow = importlib.import_module("pyarrow")
        is_chunked = isinstance(column, pyarrow.ChunkedArray)
        return pyarrow.chunked_array(result) if is_chunked else pyarrow.array(result)
    if package == "polars":
        return importlib.import_module("polars").Series(result).alias(column.name)
    return result
'''


def wrapped(text: str, indent: str = "    ") -> str:
    filled = textwrap.fill(text, 100, initial_indent=indent, subsequent_indent=indent)
    return filled.replace("\\", "\\\\")


def function(name: str, first: str, summary: str, parameters: Any, example: Any) -> str:
    short = name.removeprefix("uri_")
    given = "".join(
        f", {parameter}: Any" + ("" if default is None else f" = {default!r}")
        for parameter, default, _ in parameters
    )
    passed = ", ".join(parameter for parameter, _, _ in parameters)
    text, arguments = example
    called = "".join(f", {argument!r}" for argument in arguments)
    result = _native._evaluate(name, [text], list(arguments), "rfc3986").to_pylist()
    lines = [
        f'def {short}({first}: Any{given}, *, edition: str = "rfc3986") -> Any:',
        wrapped(f'"""Return {summary}.'),
        "",
        *(wrapped(f"`{parameter}` is {kind}.") for parameter, _, kind in parameters),
        *([""] if parameters else []),
        "    >>> from locator_uri import arrow",
        f"    >>> arrow.{short}([{text!r}]{called}).to_pylist()".replace("\\", "\\\\"),
        f"    {result!r}".replace("\\", "\\\\"),
        '    """',
        f'    return _evaluate("{name}", {first}, [{passed}], edition)',
    ]
    return "\n".join(lines) + "\n"


def module() -> str:
    functions = _native._functions()
    names = sorted(name.removeprefix("uri_") for name, *_ in functions)
    listed = "__all__ = [\n" + "".join(f'    "{name}",\n' for name in names) + "]\n"
    return HEAD + listed + "\n\n" + "\n\n".join(function(*one) for one in functions) + TAIL


if __name__ == "__main__":
    FILE.write_text(module(), encoding="utf-8")

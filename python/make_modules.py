#!/usr/bin/env python3
"""Writes the modules arrow, polars and pandas of lib/locator_uri from the table of functions. A test
says if one is out of date.

    target/python/venv/bin/python python/make_modules.py
"""

from __future__ import annotations

import pathlib
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from locator_uri import _native

FOLDER = pathlib.Path(__file__).parent / "lib/locator_uri"
WRITTEN = "# Written by python/make_modules.py; edit that, or the table in crates/locator-functions.\n"

ARROW = '''\
"""Functions of columns of URLs, for data frames: an Arrow array in, an Arrow array out.

A column is an array of pyarrow or NumPy, a list of `str`, a series of pandas, or any object with
`__arrow_c_array__` or `__arrow_c_stream__`; the result is an array of pyarrow, and of a single text a
scalar of pyarrow. A `Series` of Polars gives a `Series`. No package is needed: without pyarrow, the
result is an object with `len` and `to_pylist`. Rows that are null give null, and so do texts that are
not valid URLs or references, unless a function says otherwise. A row that is no text does not end the
call: `error` says what is wrong with it. The GIL is released.

>>> from locator_uri import arrow
>>> arrow.host(["http://a.example/?q=1", None, "http://b c/"]).to_pylist()
['a.example', None, None]

Each function is here under its name in SQL, too: `arrow.uri_host`. `locator_uri.polars` and `locator_uri.pandas` add the functions to `Expr` and `Series`.
"""

{written}
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _native
from ._columns import evaluate as _evaluate
from ._columns import uniq as _uniq

'''

ARROW_END = '''

def uniq(text: Any, *, by: str | None = None, edition: str = "rfc3986") -> int:
    """Return the number of distinct values without NULL, by their hashes.

    `by` is the name of a part, such as "key", "host" or "segment:0": the parts are counted.

    >>> from locator_uri import arrow
    >>> arrow.uniq(["http://h/", "http://h/", "HTTP://h/#top", None])
    2
    >>> arrow.uniq(["http://h/", "http://h/", "HTTP://h/#top", None], by="key")
    1
    """
    return _uniq(text, None if by is None else f"uri_{by}", edition)


def psl_version() -> str:
    """Return the version of the Public Suffix List that `registered_domain` and others use.

    >>> from locator_uri import arrow
    >>> arrow.psl_version()[:2]
    '20'
    """
    return _native.PUBLIC_SUFFIX_LIST


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        short = name.removeprefix("uri_")
        if short != name and short in __all__:
            return globals()[short]
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
'''

POLARS = '''\
"""URLs in Polars: importing this module adds the namespace `uri` to `Expr` and `Series`.

>>> import polars as pl
>>> import locator_uri.polars
>>> visits = pl.DataFrame({"url": ["http://www.example.co.uk/a", None, "http://b c/"]})
>>> visits.select(pl.col("url").uri.registered_domain()).to_series().to_list()
['example.co.uk', None, None]

The methods are the functions of `locator_uri.arrow`. They are elementwise: they run in lazy and
streaming queries, in groups and in windows, and a filter is moved before them. Rows that are null
give null, and so do texts that are not valid URLs or references, unless a method says otherwise.

Type checkers do not see namespaces: `ExprUri(pl.col("url")).host()` is the same with types.
"""

{written}
from __future__ import annotations

import polars as pl

from ._polars import of_expr, of_series

__all__ = ["ExprUri", "SeriesUri"]
'''

EXPR = '''

@pl.api.register_expr_namespace("uri")
class ExprUri:
    """The functions of an expression of URLs, as `pl.col("url").uri`.

    >>> import polars as pl
    >>> import locator_uri.polars
    >>> pl.select(pl.lit("http://h:80/").uri.port()).item()
    80
    """

    def __init__(self, expr: pl.Expr) -> None:
        self._expr = expr

    def uniq(self, *, by: str | None = None, edition: str = "rfc3986") -> pl.Expr:
        """Return the number of distinct values without NULL: an aggregation.

        `by` is the name of a part, such as "key", "host" or "segment:0": the parts are counted.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> visits = pl.DataFrame({"url": ["http://h/", "HTTP://h/#top", None]})
        >>> visits.select(pl.col("url").uri.uniq(by="key")).item()
        1
        """
        expr = self._expr if by is None else of_expr("uri_part", self._expr, [by], edition)
        return expr.drop_nulls().n_unique().cast(pl.Int64)
'''

SERIES = '''

@pl.api.register_series_namespace("uri")
class SeriesUri:
    """The functions of a series of URLs, as `frame["url"].uri`.

    >>> import polars as pl
    >>> import locator_uri.polars
    >>> pl.Series(["http://h:80/"]).uri.port().to_list()
    [80]
    """

    def __init__(self, series: pl.Series) -> None:
        self._series = series

    def uniq(self, *, by: str | None = None, edition: str = "rfc3986") -> int:
        """Return the number of distinct values without NULL.

        `by` is the name of a part, such as "key", "host" or "segment:0": the parts are counted.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(["http://h/", "HTTP://h/#top", None]).uri.uniq(by="key")
        1
        """
        series = self._series if by is None else of_series("uri_part", self._series, [by], edition)
        return int(series.drop_nulls().n_unique())
'''

PANDAS = '''\
"""URLs in pandas: importing this module adds the accessor `uri` to `Series`.

>>> import pandas as pd
>>> import locator_uri.pandas
>>> visits = pd.DataFrame({"url": ["http://www.example.co.uk/a", None, "http://b c/"]})
>>> visits["url"].uri.registered_domain().dropna().to_list()
['example.co.uk']

The methods are the functions of `locator_uri.arrow`; index and name stay. Texts have the dtype of
the column (`str` for a column of objects), integers are `Int64`, truth values `boolean`, so that
missing values do not change the type, and lists, records and hashes are Python objects. If the
column is of an `ArrowDtype`, so is every result. Rows that are missing are missing in the result,
and so are texts that are not valid URLs or references, unless a method says otherwise. pyarrow is
needed.

Type checkers do not see accessors: `SeriesUri(visits["url"]).host()` is the same with types.
"""

{written}
from __future__ import annotations

from typing import Any

import pandas as pd

from ._pandas import count, of_series, texts

__all__ = ["SeriesUri"]


@pd.api.extensions.register_series_accessor("uri")
class SeriesUri:
    """The functions of a series of URLs, as `frame["url"].uri`.

    >>> import pandas as pd
    >>> import locator_uri.pandas
    >>> pd.Series(["http://h:80/"]).uri.port().to_list()
    [80]
    """

    def __init__(self, series: Any) -> None:
        self._series = texts(series)

    def uniq(self, *, by: str | None = None, edition: str = "rfc3986") -> int:
        """Return the number of distinct values without NULL.

        `by` is the name of a part, such as "key", "host" or "segment:0": the parts are counted.

        >>> import pandas as pd
        >>> import locator_uri.pandas
        >>> pd.Series(["http://h/", "HTTP://h/#top", None]).uri.uniq(by="key")
        1
        """
        return count(self._series, None if by is None else f"uri_{by}", edition)
'''


@dataclass
class Function:
    """A function of the table."""

    name: str
    first: str
    summary: str
    parameters: list[tuple[str, str | int | None, str]]
    example: tuple[str, list[str | int]]

    @property
    def short(self) -> str:
        return self.name.removeprefix("uri_")

    def signature(self, types: dict[str, str]) -> str:
        """Return the parameters after the column; `types` are those of texts, integers, constants."""
        given = "".join(
            f", {name}: {types[kind_of(kind)]}" + ("" if default is None else f" = {default!r}")
            for name, default, kind in self.parameters
        )
        return f'{given}, *, edition: str = "rfc3986"'

    @property
    def passed(self) -> str:
        return "[" + ", ".join(name for name, _, _ in self.parameters) + "]"

    @property
    def called(self) -> str:
        return ", ".join(repr(argument) for argument in self.example[1])

    @property
    def result(self) -> list[Any]:
        text, arguments = self.example
        result: list[Any] = _native._evaluate(self.name, [text], arguments, "rfc3986").to_pylist()
        return result

    def documentation(self, example: list[str], kinds: dict[str, str], indent: str) -> str:
        """Return the docstring; `kinds` replaces words in the descriptions of parameters."""
        lines = [wrapped(f'"""Return {self.summary}.', indent), ""]
        for name, _, kind in self.parameters:
            for word, replacement in kinds.items():
                kind = kind.replace(word, replacement)
            lines.append(wrapped(f"`{name}` is {kind}.", indent))
        if self.parameters:
            lines.append("")
        lines += [(indent + line).replace("\\", "\\\\") for line in example]
        return "\n".join([*lines, f'{indent}"""'])


def functions() -> list[Function]:
    return [Function(*function) for function in _native._functions()]


def kind_of(kind: str) -> str:
    if "array of" not in kind:
        return "constant"
    return "int" if kind.startswith("an integer") else "text"


def wrapped(text: str, indent: str) -> str:
    filled = textwrap.fill(text, 100, initial_indent=indent, subsequent_indent=indent)
    return filled.replace("\\", "\\\\")


def arrow() -> Iterator[str]:
    """Return the pieces of `locator_uri.arrow`: a function for each of the table."""
    yield ARROW.replace("{written}", WRITTEN)
    names = sorted([function.short for function in functions()] + ["psl_version", "uniq"])
    yield "__all__ = [\n" + "".join(f'    "{name}",\n' for name in names) + "]\n"
    types = dict.fromkeys(("text", "int", "constant"), "Any")
    for function in functions():
        called = f", {function.called}" if function.called else ""
        example = [
            ">>> from locator_uri import arrow",
            f">>> arrow.{function.short}([{function.example[0]!r}]{called}).to_pylist()",
            repr(function.result),
        ]
        yield f"\n\ndef {function.short}({function.first}: Any{function.signature(types)}) -> Any:\n"
        yield function.documentation(example, {}, "    ") + "\n"
        yield f'    return _evaluate("{function.name}", {function.first}, {function.passed}, edition)\n'
    yield ARROW_END


def methods(
    returned: str, call: str, types: dict[str, str], kinds: dict[str, str], example: list[str]
) -> Iterator[str]:
    """Return a method for each function of the table."""
    for function in functions():
        text, name = repr(function.example[0]), f"{function.short}({function.called})"
        lines = [line.format(text=text, call=name) for line in example] + [repr(function.result)]
        yield f"\n    def {function.short}(self{function.signature(types)}) -> {returned}:\n"
        yield function.documentation(lines, kinds, " " * 8) + "\n"
        yield f'        return {call.format(name=function.name, passed=function.passed)}\n'


def polars() -> Iterator[str]:
    """Return the pieces of `locator_uri.polars`: namespaces of expressions and series."""
    yield POLARS.replace("{written}", WRITTEN)
    yield EXPR
    imported = [">>> import polars as pl", ">>> import locator_uri.polars"]
    yield from methods(
        "pl.Expr",
        'of_expr("{name}", self._expr, {passed}, edition)',
        {"text": "str | pl.Expr | None", "int": "int | pl.Expr | None", "constant": "str"},
        {"array": "expression"},
        [*imported, ">>> pl.select(pl.lit({text}).uri.{call}).to_series().to_list()"],
    )
    yield SERIES
    yield from methods(
        "pl.Series",
        'of_series("{name}", self._series, {passed}, edition)',
        {"text": "str | pl.Series | None", "int": "int | pl.Series | None", "constant": "str"},
        {"array": "series"},
        [*imported, ">>> pl.Series([{text}]).uri.{call}.to_list()"],
    )


def pandas() -> Iterator[str]:
    """Return the pieces of `locator_uri.pandas`: an accessor of series."""
    yield PANDAS.replace("{written}", WRITTEN)
    imported = [">>> import pandas as pd", ">>> import locator_uri.pandas"]
    yield from methods(
        "Any",
        'of_series("{name}", self._series, {passed}, edition)',
        {"text": "Any", "int": "Any", "constant": "str"},
        {"array": "series"},
        [*imported, ">>> pd.Series([{text}]).uri.{call}.to_list()"],
    )


def modules() -> dict[pathlib.Path, str]:
    """Return the files and their text."""
    made = {"arrow.py": arrow(), "polars.py": polars(), "pandas.py": pandas()}
    return {FOLDER / name: "".join(pieces) for name, pieces in made.items()}


if __name__ == "__main__":
    for file, text in modules().items():
        file.write_text(text, encoding="utf-8")

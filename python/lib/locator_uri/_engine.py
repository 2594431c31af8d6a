"""The functions as SQL engines call them: by position, every argument a column of pyarrow."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pyarrow as pa

from . import _native


class Registered(NamedTuple):
    """A function under a name of SQL."""

    name: str
    are_integers: list[bool]
    """For each argument whether it is an integer; else it is a text. The first is the column."""
    result: Any
    """The type of the result, of pyarrow."""
    call: Callable[..., Any]
    """Takes arrays of pyarrow of one length, and returns one."""


def functions(engine: str, text: Any = pa.string()) -> Iterator[Registered]:
    """Yield each function that an engine has; `text` is the type of its columns of texts.

    The first name takes only the arguments that must be given. The second name takes all, and then the
    edition.
    """
    absences = _native._absences(engine)
    for function, *_, (_, example) in _native._functions():
        if absences[function] is not None:
            continue
        needed, every, integers, second = _native._signature(function)
        result = pa.array(_native._evaluate(function, pa.array([], text), example, "rfc3986")).type
        are_integers = [False, *(name in integers for name in needed)]
        yield Registered(function, are_integers, result, caller(function, ["url", *needed], False))
        if second is not None:
            are_integers = [False, *(name in integers for name in every), False]
            names = ["url", *every, "edition"]
            yield Registered(second, are_integers, result, caller(function, names, True))


def caller(function: str, parameters: list[str], by: bool) -> Callable[..., Any]:
    """Return what the engine calls; DuckDB counts its parameters."""

    def call(*columns: Any) -> Any:
        return pa.array(_native._call(function, list(columns), by))

    kind = inspect.Parameter.POSITIONAL_ONLY
    signature = inspect.Signature([inspect.Parameter(name, kind) for name in parameters])
    setattr(call, "__signature__", signature)
    return call

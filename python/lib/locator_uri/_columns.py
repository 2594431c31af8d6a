"""Columns as users have them, and results as they expect them, for `locator_uri.arrow`.

Takes arrays of pyarrow and NumPy, series of Polars and pandas, lists, and single texts. Returns arrays
of pyarrow if it is installed; a series of Polars for one. No package is imported unless it is needed.
"""

from __future__ import annotations

import copyreg
import importlib
import importlib.util
import sys
from typing import Any

from . import _native


def evaluate(function: str, column: Any, arguments: list[Any], edition: str) -> Any:
    """Return the results of a function for each row of a column."""
    package = package_of(column)
    if package == "polars":
        return of_polars(function, column, arguments, edition)
    given = [argument_of(argument) for argument in arguments]
    if not is_scalar(column):
        result = _native._evaluate(function, column_of(column), given, edition)
        return array_of(result, is_chunked=package == "pyarrow" and hasattr(column, "chunks"))
    column, count = text_of(column), row_count(given)
    result = array_of(_native._evaluate(function, [column] * (count or 1), given, edition))
    return result if count is not None else scalar_of(result)


def uniq(column: Any, function: str | None, edition: str) -> int:
    """Return the number of distinct values of a column, or of the results of a function."""
    return _native._uniq(column_of(column), function, edition)


def package_of(given: Any) -> str:
    """Return the name of the package that the class of an object is from."""
    return type(given).__module__.partition(".")[0]


def is_scalar(given: Any) -> bool:
    """Return whether an object is one text: a `str`, `bytes`, a URL, or a scalar of pyarrow."""
    if isinstance(given, (str, bytes, _native.UriRef)):
        return True
    return package_of(given) == "pyarrow" and hasattr(given, "as_py")


def text_of(given: Any) -> Any:
    """Return a scalar as a `str`, as `bytes`, or as `None`."""
    if package_of(given) == "pyarrow":
        return given.as_py()
    return str(given) if isinstance(given, (str, _native.UriRef)) else given


def row_count(arguments: list[Any]) -> int | None:
    """Return the number of rows of the first argument that is a column; `None` if there is none."""
    for argument in arguments:
        if argument is not None and not isinstance(argument, (str, int)):
            return len(argument)
    return None


def column_of(given: Any) -> Any:
    """Return a column that the extension module takes: an Arrow array, or a list."""
    package = package_of(given)
    if package == "numpy":
        return list_of(given)
    if package == "pandas":
        module = importlib.import_module("locator_uri._pandas")
        return module.column_of(module.pd.Series(given))
    if package == "polars":
        return importlib.import_module("locator_uri._polars").column_of(given)
    return given


def list_of(array: Any) -> list[Any]:
    """Return the rows of an array of NumPy; `None` for what is missing, which is NaN there."""
    if array.ndim != 1:
        raise ValueError(f"expected an array of one dimension, not {array.ndim}")
    return [None if is_missing(row) else row for row in array.tolist()]


def is_missing(row: Any) -> bool:
    """Return whether a row of objects is None, NaN, or what pandas has for it."""
    is_nan = isinstance(row, float) and row != row
    return row is None or is_nan or type(row).__name__ in ("NAType", "NaTType")


def argument_of(given: Any) -> Any:
    """Return an argument: a constant, or a column."""
    if isinstance(given, (_native.UriRef, str)):
        return str(given)
    package = package_of(given)
    if package == "numpy":
        return list_of(given) if getattr(given, "ndim", 0) else given.item()
    if package == "pyarrow" and hasattr(given, "as_py"):
        return given.as_py()
    return column_of(given)


def array_of(result: Any, *, is_chunked: bool = False) -> Any:
    """Return a result as an array of pyarrow, if that is installed."""
    if not has_pyarrow():
        # Its class is that of a crate, and knows nothing of pickles.
        copyreg.pickle(result.__class__, reduced)
        return result
    pyarrow = importlib.import_module("pyarrow")
    return pyarrow.chunked_array(result) if is_chunked else pyarrow.array(result)


def reduced(array: Any) -> tuple[Any, ...]:
    """Return what a result is pickled as."""
    return _native._restore_array, _native._array_state(array)


def scalar_of(result: Any) -> Any:
    """Return the first row, as a scalar of pyarrow if that is installed, and else as it is in Python."""
    return result[0] if has_pyarrow() else result.to_pylist()[0]


def has_pyarrow() -> bool:
    """Return whether pyarrow is installed."""
    return "pyarrow" in sys.modules or importlib.util.find_spec("pyarrow") is not None


def of_polars(function: str, column: Any, arguments: list[Any], edition: str) -> Any:
    """Return the results for a series of Polars, as a series."""
    if not hasattr(column, "to_list"):
        name = function.removeprefix("uri_")
        raise TypeError(f"for an expression, import locator_uri.polars and call .uri.{name}() of it")
    module = importlib.import_module("locator_uri._polars")
    return module.of_series(function, column, arguments, edition)

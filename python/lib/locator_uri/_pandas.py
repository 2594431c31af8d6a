"""What the methods of `locator_uri.pandas` do: a function of the table for a series.

Series are `Any`: pandas has no types of its own, and its stubs are another package.
"""

from __future__ import annotations

from typing import Any

import pandas as pd
import pyarrow as pa

from . import _native


def texts(series: Any) -> Any:
    """Return a series of texts, or raise the error of an accessor."""
    dtype = series.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        own = dtype.categories.dtype
        series = series.astype(own if is_text(own) else object)
    if is_text(dtype) or pd.api.types.infer_dtype(series, skipna=True) in ("string", "empty"):
        return series
    # A row of another type is not valid, and does not end the query.
    if dtype == object and any(isinstance(value, (str, bytes)) for value in series.array):
        return series
    raise AttributeError(f"Can only use .uri accessor with texts, not {dtype}")


def is_text(dtype: Any) -> bool:
    """Return whether a dtype is one of texts only."""
    if isinstance(dtype, pd.ArrowDtype):
        return dtype.type in (str, bytes)
    return isinstance(dtype, pd.StringDtype)


def of_series(function: str, series: Any, arguments: list[Any], edition: str) -> Any:
    """Evaluate a function for each row of a series; the result has its index and name."""
    given = [argument_of(argument, series) for argument in arguments]
    result = pa.array(_native._evaluate(function, column_of(series), given, edition))
    return pd.Series(values_of(result, series.dtype), index=series.index, name=series.name)


def count(series: Any, function: str | None, edition: str) -> int:
    """Return the number of different values, or of different results of a function."""
    return _native._uniq(column_of(series), function, edition)


def column_of(series: Any) -> Any:
    """Return a series as an Arrow array, without a copy if it is one; as a list if not all are texts."""
    try:
        array = pa.array(series.array, from_pandas=True)
    except (pa.ArrowException, UnicodeError):
        missing = pd.isna(series.array)
        return [None if is_missing else value for value, is_missing in zip(series.array, missing)]
    return array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array


def argument_of(argument: Any, series: Any) -> Any:
    """Return an argument; the rows of a series are those of the same index."""
    if not isinstance(argument, pd.Series):
        return argument
    if not argument.index.equals(series.index):
        if not argument.index.is_unique:
            raise ValueError("the index of an argument is not that of the column, and not unique")
        argument = argument.reindex(series.index)
    # Integers with missing values are floats in pandas.
    if pd.api.types.is_float_dtype(argument.dtype):
        argument = argument.astype("Int64")
    return column_of(argument)


def values_of(result: Any, dtype: Any) -> Any:
    """Return the values of a series in the type that a user of pandas expects."""
    kind = result.type
    if isinstance(dtype, pd.ArrowDtype):
        return pd.ArrowDtype(kind).__from_arrow__(result)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        own = dtype if isinstance(dtype, pd.StringDtype) else pd.Series([], dtype="str").dtype
        # Before pandas 3, "str" is a dtype of objects.
        return own.__from_arrow__(result) if is_text(own) else objects(result)
    if pa.types.is_integer(kind):
        return pd.Int64Dtype().__from_arrow__(result.cast("int64"))
    if pa.types.is_boolean(kind):
        return pd.BooleanDtype().__from_arrow__(result)
    return objects(result)


def objects(result: Any) -> Any:
    """Return the values as Python objects."""
    return pd.Series(result.to_pylist(), dtype=object).array

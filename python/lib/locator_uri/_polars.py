"""What the methods of `locator_uri.polars` do: a function of the table for an expression or a series."""

from __future__ import annotations

from typing import Any, cast

import polars as pl

from . import _native
from .arrow import _evaluate


def of_series(function: str, series: pl.Series, arguments: list[Any], edition: str) -> pl.Series:
    """Evaluate a function for each row of a series."""
    given = [column_of(value) if isinstance(value, pl.Series) else value for value in arguments]
    column = column_of(series)
    if isinstance(column, pl.Series):
        return cast("pl.Series", _evaluate(function, column, given, edition))
    return pl.Series(_native._evaluate(function, column, given, edition)).alias(series.name)


def of_expr(function: str, expr: pl.Expr, arguments: list[Any], edition: str) -> pl.Expr:
    """Return the expression of a function; a wrong constant is an error here, not in the query."""
    arguments = [pl.lit(value) if isinstance(value, pl.Series) else value for value in arguments]
    is_column = [isinstance(argument, pl.Expr) for argument in arguments]
    constants = [None if column else value for column, value in zip(is_column, arguments)]
    dtype = result_type(function, constants, edition)
    if not any(is_column):
        return expr.map_batches(
            lambda series: of_series(function, series, arguments, edition),
            return_dtype=dtype,
            is_elementwise=True,
        )

    # The columns travel as one of structs, which has the name of its first field, and in which
    # literals have the length of the others.
    def of_rows(rows: pl.Series) -> pl.Series:
        first, *others = rows.struct.unnest().get_columns()
        columns = iter(others)
        given = [next(columns) if column else value for column, value in zip(is_column, arguments)]
        return of_series(function, first, given, edition).alias(rows.name)

    columns = [value for column, value in zip(is_column, arguments) if column]
    named = [column.alias(f"__locator_uri_{place}") for place, column in enumerate(columns)]
    return pl.struct(expr, *named).map_batches(of_rows, return_dtype=dtype, is_elementwise=True)


def result_type(function: str, constants: list[Any], edition: str) -> pl.DataType:
    """Return the type of a result, which an empty series has, too."""
    return of_series(function, pl.Series([], dtype=pl.String), constants, edition).dtype


def column_of(series: pl.Series) -> pl.Series | list[Any]:
    """Return a series of texts: one of categories or of nulls is converted. One of objects is a list, whose
    rows that are no texts are not valid, and do not end the query."""
    if series.dtype in (pl.Categorical, pl.Enum, pl.Null):
        return series.cast(pl.String)
    if series.dtype == pl.Object:
        return series.to_list()
    return series

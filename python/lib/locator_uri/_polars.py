"""What the methods of `locator_uri.polars` do: a function of the table for an expression or a series."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from . import _native


def of_series(function: str, series: pl.Series, arguments: list[Any], edition: str) -> pl.Series:
    """Evaluate a function for each row of a series."""
    given = [column_of(value) if isinstance(value, pl.Series) else value for value in arguments]
    return pl.Series(_native._evaluate(function, column_of(series), given, edition)).alias(series.name)


def of_expr(function: str, expr: pl.Expr, arguments: list[Any], edition: str) -> pl.Expr:
    """Return the expression of a function; a wrong constant is an error here, not in the query."""
    arguments = [pl.lit(value) if isinstance(value, pl.Series) else value for value in arguments]
    is_column = [isinstance(argument, pl.Expr) for argument in arguments]
    constants = [None if column else value for column, value in zip(is_column, arguments)]
    dtype = result_type(function, constants, edition)
    call = Call(function, constants, is_column, edition)
    columns = [value for column, value in zip(is_column, arguments) if column]
    if columns:
        named = [column.alias(f"__locator_uri_{place}") for place, column in enumerate(columns)]
        expr = pl.struct(expr, *named)
    # `Expr.map_batches` wraps the function in a closure, which only cloudpickle can pickle.
    return pl.map_batches([expr], call, return_dtype=dtype, is_elementwise=True)


@dataclass(frozen=True)
class Call:
    """What a query calls: an object of a class, so that expressions can be pickled."""

    function: str
    arguments: list[Any]
    """The constants, and `None` for each argument that is a column."""
    is_column: list[bool]
    edition: str

    def __call__(self, columns: Sequence[pl.Series]) -> pl.Series:
        (column,) = columns
        if not any(self.is_column):
            return of_series(self.function, column, self.arguments, self.edition)
        # The columns travel as one of structs, which has the name of its first field, and in which
        # literals have the length of the others.
        first, *others = column.struct.unnest().get_columns()
        rest = iter(others)
        given = [
            next(rest) if is_column else value for is_column, value in zip(self.is_column, self.arguments)
        ]
        return of_series(self.function, first, given, self.edition).alias(column.name)


def result_type(function: str, constants: list[Any], edition: str) -> pl.DataType:
    """Return the type of a result, which an empty series has, too."""
    return of_series(function, pl.Series([], dtype=pl.String), constants, edition).dtype


def column_of(series: pl.Series) -> pl.Series | list[Any]:
    """Return a series of texts: one of categories or of nulls is converted. One of objects is a list, whose
    rows that are no texts are not valid, and do not end the query."""
    if isinstance(series.dtype, (pl.Categorical, pl.Enum, pl.Null)):
        return series.cast(pl.String)
    if series.dtype == pl.Object:
        return series.to_list()
    return series

"""URLs in DuckDB: `register` adds the functions to a connection, under their names in SQL.

>>> import duckdb
>>> from locator_uri.duckdb import register
>>> connection = duckdb.connect()
>>> register(connection)
>>> connection.sql("select uri_host('http://a.example/?q=1'), uri_port('http://b c/')").fetchall()
[('a.example', None)]

A name has one number of arguments: `uri_normalize(url)` has those that must be given, and
`uri_normalize_by(url, level, edition)` has all, also the optional ones, and the edition.
"""

from __future__ import annotations

from typing import Any

import duckdb
import pyarrow as pa

from . import _engine
from .arrow import psl_version

__all__ = ["register"]


def register(connection: duckdb.DuckDBPyConnection) -> None:
    """Add the functions to a connection; those of an earlier call are replaced.

    They last as long as the connection, and nothing is written to the database. NULL gives NULL, and
    so do texts that are not valid, unless a function says otherwise. `uri_uniq` is missing, as
    DuckDB has no aggregates in Python: use `count(distinct uri_hash128(url))`.

    >>> import duckdb
    >>> from locator_uri.duckdb import register
    >>> connection = duckdb.connect()
    >>> register(connection)
    >>> connection.sql("select uri_host_by('http://h/é', 'rfc3987')").fetchall()
    [('h',)]
    """
    replace(connection, "uri_psl_version", psl_version, [], "VARCHAR", "native")
    for one in _engine.functions("duckdb"):
        types = ["BIGINT" if is_integer else "VARCHAR" for is_integer in one.are_integers]
        replace(connection, one.name, one.call, types, sql_type(one.result), "arrow")


def replace(
    connection: Any, name: str, function: Any, parameters: list[str], result: str, kind: str
) -> None:
    try:
        connection.remove_function(name)
    except duckdb.InvalidInputException:
        pass  # There is none of this name.
    connection.create_function(
        name, function, parameters, result, type=kind, null_handling="special"
    )


def sql_type(kind: Any) -> str:
    """Return DuckDB's name of an Arrow type."""
    if pa.types.is_struct(kind):
        fields = (f'"{field.name}" {sql_type(field.type)}' for field in kind)
        return f"STRUCT({', '.join(fields)})"
    if pa.types.is_list(kind):
        return f"{sql_type(kind.value_type)}[]"
    if pa.types.is_fixed_size_binary(kind):
        return "BLOB"
    return {"string": "VARCHAR", "int32": "INTEGER", "bool": "BOOLEAN"}[str(kind)]

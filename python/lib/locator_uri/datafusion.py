"""URLs in DataFusion: `register` adds the functions to a context, under their names in SQL.

>>> from datafusion import SessionContext
>>> from locator_uri.datafusion import register
>>> context = SessionContext()
>>> register(context)
>>> context.sql("select uri_host('http://a.example/?q=1') as host").to_pylist()
[{'host': 'a.example'}]

A name has one number of arguments: `uri_normalize(url)` has those that must be given, and
`uri_normalize_by(url, level, edition)` has all, also the optional ones, and the edition.
"""

from __future__ import annotations

from typing import Any

import pyarrow as pa
from datafusion import SessionContext, udf

from . import _engine
from .arrow import psl_version

__all__ = ["register"]


def register(context: SessionContext) -> None:
    """Add the functions to a context; those of an earlier call are replaced.

    NULL gives NULL, and so do texts that are not valid, unless a function says otherwise.
    `uri_uniq` is missing: use `count(distinct uri_hash128(url))`.

    >>> from datafusion import SessionContext
    >>> from locator_uri.datafusion import register
    >>> context = SessionContext()
    >>> register(context)
    >>> context.sql("select uri_host_by('http://h/é', 'rfc3987') as host").to_pylist()
    [{'host': 'h'}]
    """
    add(context, "uri_psl_version", lambda: pa.array([psl_version()]), [], pa.string())
    for one in _engine.functions("datafusion", pa.string_view()):
        # Columns of Parquet are views, and others become views without a copy of long texts.
        types = [pa.int64() if is_integer else pa.string_view() for is_integer in one.are_integers]
        add(context, one.name, one.call, types, one.result)


def add(context: SessionContext, name: str, function: Any, types: list[Any], result: Any) -> None:
    context.register_udf(udf(function, types, result, "immutable", name))

"""The cases of `testdata/functions`, which the tests of Rust and of SQL read, too: each function in each engine
that can be called from Python. `test_spark.py` has Spark. Also every part of the registry, by name."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from awkward import URLS, FunctionCase, Part, function_cases, parts, with_key

from locator_uri import _native, arrow

CASES = function_cases()
Answer = Callable[[FunctionCase], Any]
pytestmark = pytest.mark.skipif(not CASES, reason="testdata/functions is not beside the package")


def by_arrow(case: FunctionCase) -> Any:
    found = getattr(arrow, case.short)([case.input], *case.arguments, edition=case.edition)
    return found.to_pylist()[0]


def by_polars_expression(case: FunctionCase) -> Any:
    pl = pytest.importorskip("polars")
    pytest.importorskip("locator_uri.polars")
    call = getattr(pl.lit(case.input).uri, case.short)
    return pl.select(call(*case.arguments, edition=case.edition)).to_series().to_list()[0]


def by_polars_series(case: FunctionCase) -> Any:
    pl = pytest.importorskip("polars")
    pytest.importorskip("locator_uri.polars")
    call = getattr(pl.Series([case.input]).uri, case.short)
    return call(*case.arguments, edition=case.edition).to_list()[0]


def by_pandas(case: FunctionCase) -> Any:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("locator_uri.pandas")
    call = getattr(pandas.Series([case.input], dtype="str").uri, case.short)
    found = call(*case.arguments, edition=case.edition).to_list()[0]
    return None if not isinstance(found, (list, dict)) and pandas.isna(found) else found


@cache
def duckdb() -> Any:
    connection = pytest.importorskip("duckdb").connect()
    pytest.importorskip("locator_uri.duckdb").register(connection)
    return connection


def by_duckdb(case: FunctionCase) -> Any:
    ((found,),) = duckdb().execute(f"select {case.sql(fixed=True)}").fetchall()
    return found


@cache
def datafusion() -> Any:
    context = pytest.importorskip("datafusion").SessionContext()
    pytest.importorskip("locator_uri.datafusion").register(context)
    return context


def by_datafusion(case: FunctionCase) -> Any:
    return datafusion().sql(f"select {case.sql(fixed=True)} as r").to_pylist()[0]["r"]


ENGINES: dict[str, Answer] = {
    "arrow": by_arrow,
    "polars-expression": by_polars_expression,
    "polars-series": by_polars_series,
    "pandas": by_pandas,
    "duckdb": by_duckdb,
    "datafusion": by_datafusion,
}


@pytest.mark.parametrize("engine", ENGINES)
def test_every_case(engine: str) -> None:
    answer, count = ENGINES[engine], 0
    wrong: list[Any] = []
    for case in CASES:
        # In SQL by a fixed number of arguments, some calls cannot be written.
        is_sql = engine in ("duckdb", "datafusion")
        if not case.is_call or (is_sql and case.sql(fixed=True) is None):
            continue
        count += 1
        try:
            found = answer(case)
        except Exception as error:  # noqa: BLE001
            # DataFusion writes escapes in the message of a Python exception.
            if case.error is None or case.error not in str(error).replace("\\", ""):
                wrong.append((case, f"{type(error).__name__}: {error}"))
            continue
        if case.error is not None or found != case.value():
            wrong.append((case, found))
    assert not wrong, "\n".join(map(str, wrong[:20]))
    assert count > 400


def test_cases_have_no_other_function() -> None:
    listed = {name for name, *_ in _native._functions()}
    assert {case.function for case in CASES} == listed


PARTS = parts()


def cell(value: Any) -> str | None:
    """Return the text of a value, as in CSV."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.hex()
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@pytest.mark.parametrize("part", PARTS, ids=[part.name for part in PARTS])
def test_every_part(part: Part) -> None:
    named = arrow.part(URLS, part.example).to_pylist()
    if part.function is not None:
        own = getattr(arrow, part.function)(URLS).to_pylist()
        assert list(map(cell, own)) == named
    for alias in part.aliases:
        assert arrow.part(URLS, with_key(alias)).to_pylist() == named
    assert _native._part(part.example)[0].startswith("uri_")


@pytest.mark.parametrize("part", PARTS, ids=[part.name for part in PARTS])
@pytest.mark.parametrize("engine", ["duckdb", "datafusion"])
def test_every_part_in_sql(engine: str, part: Part) -> None:
    pa = pytest.importorskip("pyarrow")
    table = pa.table({"url": pa.array(URLS, pa.string()), "n": range(len(URLS))})

    def query(sql: str) -> list[Any]:
        if engine == "duckdb":
            duckdb().register("t", table)
            return [row[0] for row in duckdb().execute(f"select {sql} from t order by n").fetchall()]
        datafusion().deregister_table("t")
        datafusion().register_record_batches("t", [table.to_batches()])
        return [row["r"] for row in datafusion().sql(f"select {sql} as r from t order by n").to_pylist()]

    named = query(f"uri_part(url, '{part.example}')")
    assert named == arrow.part(URLS, part.example).to_pylist()
    if part.function is not None:
        assert list(map(cell, query(f"uri_{part.function}(url)"))) == named

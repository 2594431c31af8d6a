"""`locator_uri.duckdb` and `locator_uri.datafusion`: every function, by both of its names, equals that
of `locator_uri.arrow`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from awkward import CASES, EDGES, TEXTS, URLS, Case

from locator_uri import PUBLIC_SUFFIX_LIST, _native, arrow

pa = pytest.importorskip("pyarrow")
Query = Callable[[str, Any], list[Any]]


def duckdb() -> Query:
    """Return what evaluates the only column of a query of the table t."""
    module = pytest.importorskip("duckdb")
    from locator_uri.duckdb import register

    connection = module.connect()
    register(connection)

    def query(sql: str, t: Any) -> list[Any]:
        connection.register("t", t)
        return [value for (value,) in connection.sql(sql).fetchall()]

    return query


def datafusion() -> Query:
    """Return the same of DataFusion, in which the table is divided into batches."""
    module = pytest.importorskip("datafusion")
    from locator_uri.datafusion import register

    context = module.SessionContext()
    register(context)

    def query(sql: str, t: Any) -> list[Any]:
        context.deregister_table("t")
        context.register_record_batches("t", [t.to_batches(max_chunksize=3) or [empty(t)]])
        return [value for row in context.sql(sql).to_pylist() for value in row.values()]

    return query


def empty(t: Any) -> Any:
    return pa.record_batch([pa.array([], column.type) for column in t.schema], schema=t.schema)


ENGINES = {"duckdb": duckdb, "datafusion": datafusion}


@pytest.fixture(scope="module", params=ENGINES)
def query(request: pytest.FixtureRequest) -> Query:
    return ENGINES[request.param]()


def literal(value: str | int | None) -> str:
    return f"'{value}'" if isinstance(value, str) else str(value)


def calls(case: Case) -> list[str]:
    """Return the calls of a function with these arguments: by its first name if that takes them, and
    by its second, which takes all."""
    needed, every, _, second = _native._signature(case.name)
    given = [literal(argument) for argument in case.arguments]
    found = []
    if len(given) == len(needed) and (case.edition == "rfc3986" or second is None):
        found.append(f"{case.name}({', '.join(['url', *given])})")
    if second is not None:
        defaults = [value for function, _, _, parameters, _ in _native._functions()
                    if function == case.name for _, value, _ in parameters]  # fmt: skip
        given += [literal(value) for value in defaults[len(given) :]]
        assert len(given) == len(every)
        found.append(f"{second}({', '.join(['url', *given, literal(case.edition)])})")
    return found


@pytest.mark.parametrize("case", CASES, ids=str)
def test_same_as_arrow(query: Query, case: Case) -> None:
    assert calls(case) or len(case.arguments)
    for call in calls(case):
        for rows in [URLS, *EDGES]:
            table = pa.table({"url": pa.array(rows, pa.string())})
            assert query(f"select {call} as r from t", table) == case.expected(rows), call


def test_arguments_from_columns(query: Query) -> None:
    bases = ["http://a/b", None, "http://c/d/", "banana", "http://e/", "http://f/", "http://g/"]
    table = pa.table({"base": bases, "reference": TEXTS, "n": range(7)})
    expected = arrow.resolve(bases, TEXTS).to_pylist()
    assert query("select uri_resolve(base, reference) as r from t", table) == expected
    by = "select uri_resolve_by(base, reference, 'rfc3986') as r from t"
    assert query(by, table) == expected
    segments = query("select uri_path_segment('http://h/a/b', n) as r from t", table)
    assert segments == [None, "a", "b", None, None, None, None]


def test_a_null_argument_gives_null(query: Query) -> None:
    table = pa.table({"url": ["http://h/a", "http://i/b"], "edition": [None, "rfc3986"]})
    assert query("select uri_host_by(url, null) as r from t", table) == [None, None]
    assert query("select uri_normalize_by(url, null, 'rfc3986') as r from t", table) == [None, None]
    assert query("select uri_host_by(url, edition) as r from t", table) == [None, "i"]


def test_constants_and_aggregates(query: Query) -> None:
    table = pa.table({"url": URLS})
    version = query("select uri_psl_version() as r from t", table)
    assert version == [PUBLIC_SUFFIX_LIST] * len(URLS)
    distinct = query("select count(distinct uri_hash128(url)) as r from t", table)
    assert distinct == [arrow.uniq(URLS)]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("uri_normalize_by(url, 'all', 'rfc3986')", "uri_normalize takes as .*level.* syntax, scheme"),
        ("uri_normalize_by(url, url, 'rfc3986')", "uri_normalize takes one value for all rows"),
        ("uri_host_by(url, 'wrong')", "no edition has this name"),
        ("uri_host(url, 'rfc3986')", "(?s)uri_host.*"),
        ("uri_uniq(url)", "(?i)(invalid function|does not exist).*"),
    ],
)
def test_errors(query: Query, call: str, message: str) -> None:
    table = pa.table({"url": ["http://h/", "http://i/"]})
    with pytest.raises(Exception, match=message):
        query(f"select {call} as r from t", table)


@pytest.mark.parametrize("name", ENGINES)
def test_what_an_engine_lacks_is_marked(name: str) -> None:
    absent = [function for function, instead in _native._absences(name).items() if instead]
    assert absent == ["uri_uniq"]


def test_register_again_and_nothing_is_stored(tmp_path: Any) -> None:
    module = pytest.importorskip("duckdb")
    from locator_uri.duckdb import register

    file = str(tmp_path / "table.duckdb")
    with module.connect(file) as connection:
        register(connection)
        register(connection)
        connection.sql("create table t as select uri_host('http://h/') as host")
    with module.connect(file) as connection:
        assert connection.sql("select * from t").fetchall() == [("h",)]
        with pytest.raises(module.CatalogException):
            connection.sql("select uri_host('http://h/')")


BAD = [
    "http://h/%zz", "http://h/\x00", "http://h/\x7f\n", "\ufffd", "http://h/\U0010ffff", "\u202e", " ", "\\",
    "http://[::1", "http://h:99999999999999999999/", "h" * 70_000, "a" * 70_000 + ":", "%" * 1000, None,
]  # fmt: skip


@pytest.mark.parametrize("function", ["host", "port", "is_valid", "error", "key", "whatwg_href", "contacts"])
def test_bad_rows_do_not_end_a_query(query: Query, function: str) -> None:
    table = pa.table({"url": pa.array([*BAD, "http://h/"], pa.string())})
    found = query(f"select uri_{function}(url) as r from t", table)
    assert found == getattr(arrow, function)([*BAD, "http://h/"]).to_pylist()
    assert found[-1] is not None or function == "port" or function == "error"


def test_rows_that_are_not_utf8() -> None:
    """Bytes are no texts for DuckDB, which writes escapes for them; DataFusion takes them."""
    module = pytest.importorskip("duckdb")
    from locator_uri.duckdb import register

    connection = module.connect()
    register(connection)
    rows = "(values ('http://h/'::blob), ('\\xFF'::blob), (null)) as t(url)"
    found = connection.sql(f"select uri_is_valid(url::varchar), uri_host(url::varchar) from {rows}").fetchall()
    assert found == [(True, "h"), (False, None), (None, None)]


def test_more_rows_than_a_vector(query: Query) -> None:
    rows = (URLS * 500)[:9001]
    table = pa.table({"url": rows, "n": range(len(rows))})
    keys = query("select uri_key(url) as r from t order by n", table)
    assert keys == arrow.key(rows).to_pylist()

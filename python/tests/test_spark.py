"""`locator_uri.spark`: each function in SQL, and the helpers for whole tables.

Run by scripts/packages/spark, in a classic session and, with LOCATOR_SPARK=connect, in one of Spark Connect.
Without pyspark nothing is tested.
"""

from __future__ import annotations

import doctest
import importlib
import os
import pathlib
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from awkward import FunctionCase, function_cases

from locator_uri import _native, arrow
from locator_uri import spark as uri

pytest.importorskip("pyspark")
pa = pytest.importorskip("pyarrow")

IS_CONNECT = os.environ.get("LOCATOR_SPARK") == "connect"
URLS = [
    "http://www.Example.co.uk:80/a/../b.tar.gz?q=1&utm_source=x#f", None, "", "http://b c/", "é", "banana",
    "mailto:jan@example.com", "//h?", "http://u:secret@[::1]:99999/?a&a=b%20c+d", "see http://h/a. and http://i/",
    "https://xn--bcher-kva.example/\x00", "http://h/" + "a" * 5000, "HTTP://H:80/%7Ea/../b",
]  # fmt: skip


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    builder = importlib.import_module("pyspark.sql").SparkSession.builder
    builder = builder.remote("local[2]") if IS_CONNECT else builder.master("local[2]")
    # Small batches, so that a table has several.
    settings = {
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "5",
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    uri.register(session)
    table(session, URLS).createOrReplaceTempView("urls")
    yield session
    session.stop()


def table(spark: Any, urls: list[str | None]) -> Any:
    return spark.createDataFrame(list(enumerate(urls)), "row int, url string").repartition(2)


def literal(value: str | int) -> str:
    # In a literal of Spark's SQL a backslash begins an escape.
    return str(value) if isinstance(value, int) else "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"


def column(df: Any, name: str) -> list[Any]:
    """Collect a column in the order of the rows, as Python has it in Arrow."""
    return [plain(row[name]) for row in df.orderBy("row").select("row", name).collect()]


def plain(value: Any) -> Any:
    if isinstance(value, list):
        return [plain(one) for one in value]
    if hasattr(value, "asDict"):
        return value.asDict()
    return bytes(value) if isinstance(value, bytearray) else value


def second(name: str) -> str | None:
    """Return the name that takes an edition."""
    return _native._signature(name)[3]


def expected(name: str, urls: Sequence[str | None], arguments: list[Any]) -> Any:
    return getattr(arrow, name.removeprefix("uri_"))(pa.array(urls, "string"), *arguments).to_pylist()


def in_sql(spark: Any, by: str = "") -> dict[str, list[Any]]:
    """Call each function with the arguments of its example, in one query."""
    calls = []
    for name, _, _, _, (_, arguments) in _native._functions():
        if not by or second(name):
            given = [*map(literal, arguments), *([f"'{by}'"] if by else [])]
            calls.append(f"{name}{'_by' if by else ''}({', '.join(['url', *given])}) AS {name}")
    df = spark.sql(f"SELECT row, {', '.join(calls)} FROM urls")
    rows = df.orderBy("row").collect()
    return {name: [plain(row[name]) for row in rows] for name in df.columns[1:]}


def test_each_function_is_that_of_arrow(spark: Any) -> None:
    results = in_sql(spark)
    for name, _, _, _, (_, arguments) in _native._functions():
        assert results.pop(name) == expected(name, URLS, arguments), name
    assert results == {}


def test_editions(spark: Any) -> None:
    results = in_sql(spark, "rfc3987")
    for name, _, _, _, (_, arguments) in _native._functions():
        if name in results:
            function = getattr(arrow, name.removeprefix("uri_"))
            right = function(pa.array(URLS), *arguments, edition="rfc3987").to_pylist()
            assert results[name] == right, name
    assert results["uri_path"][4] == "é"
    row = spark.sql("SELECT uri_path_by('é', 'rfc3987'), uri_path('é'), uri_path_by('é', NULL)").collect()[0]
    assert tuple(row) == ("é", None, None)
    row = spark.sql("SELECT uri_path(url => 'é', edition => 'rfc3987')").collect()[0]
    assert tuple(row) == ("é",)


def test_names_are_those_of_the_list(spark: Any) -> None:
    names = {row.function for row in spark.sql("SHOW USER FUNCTIONS").collect()}
    names = {name.rpartition(".")[2] for name in names if "uri_" in name}
    listed = {name for name, *_ in _native._functions()}
    seconds = {name for name in map(second, listed) if name}
    assert names == listed | seconds | {"uri_psl_version"}
    absences = _native._absences("spark")
    assert {name for name, instead in absences.items() if instead is None} == listed | {"uri_psl_version"}
    assert spark.sql("SELECT uri_psl_version()").collect()[0][0] == _native.PUBLIC_SUFFIX_LIST


def test_types(spark: Any) -> None:
    query = "SELECT uri_host(url) a, uri_port(url) b, uri_is_valid(url) c, uri_hash128(url) d, uri_audit(url) e,"
    query += " uri_parse(url) f, uri_find(url) g FROM urls"
    types = dict(spark.sql(query).dtypes)
    parts = "scheme:string,userinfo:string,host:string,port:int,path:string,query:string,fragment:string"
    assert types == {
        "a": "string", "b": "int", "c": "boolean", "d": "binary", "e": "array<string>", "f": f"struct<{parts}>",
        "g": "array<struct<url:string,start:int,end:int>>",
    }  # fmt: skip


def test_arguments(spark: Any) -> None:
    query = """
        SELECT uri_normalize('HTTP://H:80/'), uri_normalize('HTTP://H:80/', 'syntax'),
            uri_normalize('HTTP://H:80/', level => 'syntax'), uri_query_param(other => 'a', url => 'b')
    """
    query = query.replace("other => 'a', url => 'b'", "name => 'q', url => 'http://h/?q=1'")
    assert tuple(spark.sql(query).collect()[0]) == ("http://h/", "http://h:80/", "http://h:80/", "1")
    bases = "VALUES ('http://h/a/b', '../c', -1), ('http://h/a/b', NULL, 1), (NULL, 'x', 1), ('http://i/j', 'k', 1)"
    query = f"SELECT b, uri_resolve(b, r), uri_path_segment(b, n) FROM {bases} AS t(b, r, n)"
    found = [tuple(row)[1:] for row in spark.sql(query).collect()]
    assert found == [("http://h/c", "b"), (None, "a"), (None, None), ("http://i/k", "j")]
    assert spark.sql("SELECT uri_host(NULL), uri_resolve('http://h/', NULL)").collect()[0] == (None, None)
    assert spark.sql("SELECT uri_host(url) FROM urls WHERE row < 0").collect() == []


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("uri_host()", r"must be uri_host\(url\)"),
        ("uri_host(url, 1)", r"must be uri_host\(url\)"),
        ("uri_normalize(url, wrong => 'x')", r"must be uri_normalize\(url, \[level\]\)"),
        ("uri_host_by(url)", r"must be uri_host_by\(url, edition\)"),
        ("uri_strip(url)", r"must be uri_strip\(url, parts\)"),
        ("uri_normalize(url, url)", 'one value for all rows as "level"'),
        ("uri_normalize(url, 'x')", "level"),
        ("uri_host(row)", "needs a column of texts"),
        ("uri_host_by(url, 'x')", "no edition has this name"),
    ],
)
def test_wrong_calls(spark: Any, call: str, message: str) -> None:
    with pytest.raises(Exception, match=message):
        spark.sql(f"SELECT {call} FROM urls").collect()


def test_group_by(spark: Any) -> None:
    urls: list[str | None] = [f"http://h{row % 7}.example/{row}" for row in range(1000)]
    table(spark, urls).createOrReplaceTempView("many")
    query = "SELECT uri_host(url) AS host, count(DISTINCT uri_hash128(url)) FROM many GROUP BY 1 ORDER BY 1"
    assert [row[1] for row in spark.sql(query).collect()] == [143] * 6 + [142]


def test_functions_in_expressions(spark: Any) -> None:
    functions = uri.register(spark)
    df = table(spark, URLS)
    assert column(df.select("row", functions["uri_host"]("url").alias("x")), "x") == expected("host", URLS, [])


def test_parse_and_columns(spark: Any) -> None:
    df = uri.parse(table(spark, URLS), "url", prefix="url_")
    records = expected("parse", URLS, [])
    for part in ("scheme", "userinfo", "host", "port", "path", "query", "fragment"):
        assert column(df, f"url_{part}") == [record and record[part] for record in records]
    df = uri.columns(table(spark, URLS), "url", "host, key,hash128,query_params")
    assert df.columns == ["row", "url", "host", "key", "hash128", "query_params"]
    for name in df.columns[2:]:
        assert column(df, name) == expected(name, URLS, [])
    df = uri.columns(table(spark, URLS), "url", {"p": "path"}, keep=["row"], edition="rfc3987")
    assert df.columns == ["row", "p"]
    assert column(df, "p")[4] == "é"


def test_resolve_audit_errors(spark: Any) -> None:
    rows = [(0, "http://h/a/b", "../c"), (1, None, "c"), (2, "http://h/", None), (3, "a", "b")]
    df = spark.createDataFrame(rows, "row int, page string, link string")
    assert column(uri.resolve(df, "page", "link"), "resolved") == ["http://h/c", None, None, None]
    df = uri.audit(table(spark, URLS), "url")
    assert column(df, "audit") == expected("audit", URLS, [])
    assert column(df, "audit_severity") == expected("audit_severity", URLS, [])
    df = uri.errors(table(spark, URLS), "url")
    infos = [info for info in expected("error_info", URLS, []) if info]
    assert column(df, "error") == infos
    assert column(df, "row") == [row for row, info in enumerate(expected("error_info", URLS, [])) if info]


def test_deduplicate(spark: Any) -> None:
    urls = ["http://h/?a=1&b=2", "HTTP://h:80/?b=2&utm_source=x&a=1#c", "http://h/", "b c", "b c", "b d", None, None]
    df = uri.deduplicate(table(spark, urls), "url")
    assert df.columns == ["row", "url"]
    rows = {row.row for row in df.collect()}
    assert [len(rows & same) for same in ({0, 1}, {2}, {3, 4}, {5}, {6, 7})] == [1] * 5
    assert uri.deduplicate(table(spark, urls), "url", by="host").count() == 4
    # Any part of the registry, also under another name; what is not a text is compared as one.
    pages: list[str | None] = ["http://h/a/b?page=1", "http://i/a/c?page=1", "http://h/d/b?page=2"]
    for by, count in (
        ("segment:0", 2), ("segment:-1", 2), ("query:page", 2), ("hostname", 2), ("port", 3),
        ("path_segments", 3), ("whatwg_host", 2), ("is_valid", 1), ("contacts", 2),
    ):  # fmt: skip
        assert uri.deduplicate(table(spark, pages), "url", by=by).count() == count, by
    with pytest.raises(ValueError, match="did you mean"):
        uri.deduplicate(table(spark, pages), "url", by="hots")


def test_bad_rows_do_not_end_a_query(spark: Any) -> None:
    """Bytes that are not UTF-8 are not valid, and not NULL."""
    rows = "VALUES (0, X'FF'), (1, CAST('http://h/' AS BINARY)), (2, X'687474703A2F2F682FFF'), (3, NULL)"
    query = "SELECT uri_is_valid(url), uri_host(url), uri_whatwg_is_valid(url), uri_error(url)"
    for cast in ("b", "CAST(b AS STRING)"):
        found = spark.sql(f"{query} FROM (SELECT row, {cast} AS url FROM {rows} AS t(row, b)) ORDER BY row")
        found = [tuple(row) for row in found.collect()]
        assert [row[:3] for row in found] == [
            (False, None, False), (True, "h", True), (False, None, False), (None, None, None),
        ], cast  # fmt: skip
        assert found[0][3] == "invalid UTF-8: byte FF"
    long: list[str | None] = ["%" * 70_000, "http://h/\x00", "\ufffd", "\u202e", "", None]
    df = uri.columns(table(spark, long), "url", "is_valid,error,whatwg_href,contacts")
    for name in df.columns[2:]:
        assert column(df, name) == expected(name, long, [])


def test_cases(spark: Any) -> None:
    """The cases of testdata/functions, many in a query."""
    cases = [case for case in function_cases() if case.error is None and is_literal(case)]
    if not cases:
        pytest.skip("testdata/functions is not beside the package")
    for start in range(0, len(cases), 100):
        chunk = cases[start : start + 100]
        calls = ", ".join(f"{spark_call(case)} AS c{place}" for place, case in enumerate(chunk))
        (row,) = spark.sql(f"SELECT {calls}").collect()
        for case, found in zip(chunk, row, strict=True):
            assert plain(found) == case.value(), case


def is_literal(case: FunctionCase) -> bool:
    """Return whether the arguments can be written in a query as they are."""
    given = [case.input, *case.arguments]
    return all("\\" not in value if isinstance(value, str) else abs(value) < 2**31 for value in given)


def spark_call(case: FunctionCase) -> str:
    by = [case.edition] if case.edition != "rfc3986" and second(case.function) else []
    name = second(case.function) if by else case.function
    return f"{name}({', '.join(map(literal, [case.input, *case.arguments, *by]))})"


def test_wrong_use(spark: Any) -> None:
    df = table(spark, URLS)
    calls: list[tuple[Callable[[], Any], str]] = [
        (lambda: uri.parse(df, "link"), "no column 'link'; it has row, url"),
        (lambda: uri.columns(uri.parse(df, "url"), "url", "HOST"), "no function .* 'HOST'"),
        (lambda: uri.parse(uri.parse(df, "url"), "url"), "has a column 'scheme' already"),
        (lambda: uri.parse(df, "url", keep=["x"]), "no column 'x'"),
        (lambda: uri.columns(df, "url", "strip"), "without arguments is named 'strip'"),
        (lambda: uri.parse(df, "url", edition="x"), "no edition is named 'x'"),
    ]
    for call, message in calls:
        with pytest.raises(ValueError, match=message):
            call()


def test_streams(spark: Any, tmp_path: pathlib.Path) -> None:
    source, out = tmp_path / "in", tmp_path / "out"
    source.mkdir()
    texts = [url for url in URLS if url and "\x00" not in url]
    for number in range(2):
        (source / f"{number}.txt").write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    stream = spark.readStream.schema("url string").text(str(source))
    rows = uri.parse(stream, "url").selectExpr("url", "host", "uri_key(url) AS key")
    checkpoint = rows.writeStream.option("checkpointLocation", str(tmp_path / "state"))
    query = checkpoint.trigger(availableNow=True).start(str(out), format="parquet")
    assert query.awaitTermination(120)
    found = sorted(tuple(row) for row in spark.read.parquet(str(out)).fillna("NULL").collect())
    listed = zip(texts, expected("host", texts, []), expected("key", texts, []), strict=True)
    filled = [tuple("NULL" if value is None else value for value in row) for row in listed]
    assert found == sorted(filled * 2)


def test_pandas(spark: Any) -> None:
    """What Spark before 4.1 gets. A record is there also where others give NULL, with NULL in it."""
    pytest.importorskip("pandas")
    uri._register(spark, uri._pandas_udf)
    try:
        results = in_sql(spark)
        for name, _, _, _, (_, arguments) in _native._functions():
            right = expected(name, URLS, arguments)
            if name in ("uri_parse", "uri_error_info"):
                fields = next(record for record in right if record)
                right = [record or dict.fromkeys(fields) for record in right]
            assert results[name] == right, name
        assert in_sql(spark, "rfc3987")["uri_path"][4] == "é"
    finally:
        uri.register(spark)


def test_documentation() -> None:
    for name in uri.__all__:
        assert getattr(uri, name).__doc__


def test_page(spark: Any) -> None:
    page = pathlib.Path(__file__).parents[2] / "docs/spark.md"
    result = doctest.testfile(str(page), module_relative=False, globs={"spark": spark})
    assert result.attempted > 8
    assert result.failed == 0

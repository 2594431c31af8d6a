"""`locator_uri.polars`: every function equals that of `locator_uri.arrow`, in every kind of query."""

from __future__ import annotations

import pickle
import sys
from typing import Any

import pytest
from awkward import CASES, EDGES, TEXTS, URLS, Case

from locator_uri import arrow

pl = pytest.importorskip("polars")
import locator_uri.polars  # noqa: E402


def expression(case: Case, column: Any = None) -> Any:
    column = pl.col("url") if column is None else column
    return getattr(column.uri, case.short)(*case.arguments, edition=case.edition)


def frame(rows: list[str | None]) -> Any:
    return pl.DataFrame({"url": pl.Series(rows, dtype=pl.String)})


@pytest.mark.parametrize("case", CASES, ids=str)
def test_same_as_arrow(case: Case) -> None:
    expected = case.expected(URLS)
    eager = frame(URLS).select(expression(case))
    assert eager["url"].to_list() == expected
    series = getattr(frame(URLS)["url"].uri, case.short)(*case.arguments, edition=case.edition)
    assert (series.name, series.dtype) == ("url", eager["url"].dtype)
    assert series.to_list() == expected
    lazy = frame(URLS).lazy().select(expression(case))
    assert lazy.collect_schema() == eager.schema
    for engine in ("in-memory", "streaming"):
        collected = lazy.collect(engine=engine)
        assert collected.schema == eager.schema
        assert collected["url"].to_list() == expected
    chunked = pl.concat([frame(URLS[:3]), frame([]), frame(URLS[3:])], rechunk=False)
    assert chunked.select(expression(case))["url"].to_list() == expected
    for rows in EDGES:
        assert frame(rows).select(expression(case))["url"].to_list() == case.expected(rows)
        assert frame(rows).select(expression(case)).schema == eager.schema


@pytest.mark.parametrize("case", CASES, ids=str)
def test_groups_and_windows(case: Case) -> None:
    groups = frame(URLS).with_row_index("row").with_columns(group=pl.col("row") % 3)
    expected = case.expected(URLS)
    grouped = groups.group_by("group", maintain_order=True).agg("row", expression(case))
    for _, rows, values in grouped.iter_rows():
        assert values == [expected[row] for row in rows]
    over = groups.select(expression(case).over("group"))
    assert over["url"].to_list() == expected


def test_arguments_from_columns() -> None:
    bases = ["http://a/b", None, "http://c/d/", "banana", "http://e/", "http://f/", "http://g/"]
    table = pl.DataFrame({"base": bases, "reference": TEXTS})
    expected = arrow.resolve(bases, TEXTS).to_pylist()
    resolved = pl.col("base").uri.resolve(pl.col("reference"))
    for engine in ("in-memory", "streaming"):
        result = table.lazy().select(resolved, "reference").collect(engine=engine)
        assert result["base"].to_list() == expected
    assert table["base"].uri.resolve(table["reference"]).to_list() == expected
    series = table.select(pl.col("base").uri.resolve(table["reference"]))
    assert series["base"].to_list() == expected
    literal = table.select(pl.lit("http://h/a/b").uri.resolve(pl.col("reference")).alias("r"))
    assert literal["r"].to_list() == arrow.resolve(["http://h/a/b"] * 7, TEXTS).to_pylist()
    assert table.select(pl.col("base").uri.resolve(None))["base"].to_list() == [None] * 7
    numbers = table.with_row_index("n").select(
        pl.lit("http://h/a/b").uri.path_segment(pl.col("n")).alias("s")
    )
    assert numbers["s"].to_list() == [None, "a", "b", None, None, None, None]


def test_literals_and_names() -> None:
    table = frame(URLS).with_columns(host=pl.lit("http://h/").uri.host())
    assert table["host"].to_list() == ["h"] * len(URLS)
    host = pl.col("url").uri.host().name.suffix("_host")
    resolved = pl.col("url").uri.resolve(pl.col("url")).name.suffix("_resolved")
    assert table.select(host, resolved).columns == ["url_host", "url_resolved"]


def test_uniq() -> None:
    rows = ["http://h/", "http://h/", "HTTP://h/#top", None, "b c"]
    table = frame(rows).with_columns(group=pl.Series([0, 0, 1, 1, 1]))
    for by in (None, "key", "host", "error"):
        expected = arrow.uniq(rows, by=by)
        assert table["url"].uri.uniq(by=by) == expected
        assert table.select(pl.col("url").uri.uniq(by=by)).rows() == [(expected,)]
        lazy = table.lazy().select(pl.col("url").uri.uniq(by=by))
        assert lazy.collect(engine="streaming").rows() == [(expected,)]
    groups = table.group_by("group", maintain_order=True).agg(pl.col("url").uri.uniq(by="key"))
    assert groups.rows() == [(0, 1), (1, 1)]


def test_filter_and_pushdown() -> None:
    query = frame(URLS).lazy().filter(pl.col("url").uri.host() == "h")
    assert query.select(pl.len()).collect().item() == arrow.host(URLS).to_pylist().count("h")


def test_other_types() -> None:
    for dtype in (pl.Categorical, pl.Enum(["http://h/", "b c"])):
        series = pl.Series("url", ["http://h/", None, "b c"], dtype=dtype)
        assert series.uri.host().to_list() == ["h", None, None]
        table = pl.DataFrame({"url": series})
        assert table.select(pl.col("url").uri.host()).schema == {"url": pl.String}
    assert pl.Series([None, None]).uri.host().to_list() == [None, None]
    assert pl.Series([b"http://h/", b"\xff"]).uri.host().to_list() == ["h", None]


def test_errors() -> None:
    with pytest.raises(ValueError, match='uri_normalize takes as "level" syntax, scheme, not'):
        pl.col("url").uri.normalize("all")
    with pytest.raises(ValueError, match="no edition"):
        pl.col("url").uri.host(edition="wrong")
    with pytest.raises(Exception, match="uri_host needs a column of texts, not Int64"):
        pl.select(pl.Series("n", [1]).uri.host())
    with pytest.raises(Exception, match="uri_host needs a column of texts"):
        pl.DataFrame({"n": [1]}).select(pl.col("n").uri.host())
    with pytest.raises(ValueError, match="unknown part"):
        pl.col("url").uri.uniq(by="wrong")


@pytest.mark.parametrize("case", CASES, ids=str)
def test_expressions_are_pickled_without_cloudpickle(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cloudpickle", None)
    loaded = pickle.loads(pickle.dumps(expression(case)))
    assert frame(URLS).select(loaded)["url"].to_list() == case.expected(URLS)
    lazy = pickle.loads(pickle.dumps(frame(URLS).lazy().select(expression(case))))
    assert lazy.collect()["url"].to_list() == case.expected(URLS)


def test_pickle_with_columns_as_arguments() -> None:
    resolved = pickle.loads(pickle.dumps(pl.col("base").uri.resolve(pl.col("reference"))))
    table = pl.DataFrame({"base": ["http://a/b"], "reference": ["c"]})
    assert table.select(resolved).item() == "http://a/c"


def test_binary_that_is_not_utf_8() -> None:
    series = pl.Series("url", [b"http://h/", b"\xff", None])
    assert series.uri.is_valid().to_list() == [True, False, None]
    assert series.uri.host().to_list() == ["h", None, None]
    assert series.uri.error().to_list() == [None, "invalid UTF-8: byte FF", None]


def test_typed_without_namespace() -> None:
    typed = locator_uri.polars.ExprUri(pl.col("url")).host()
    assert frame(["http://h/"]).select(typed).item() == "h"


def test_objects_that_are_no_texts_are_bad_rows() -> None:
    rows = ["http://h/?a=1", 3, b"x", None, object(), "\ud800"]
    series = pl.Series("url", rows, dtype=pl.Object)
    assert series.uri.host().to_list() == ["h", None, None, None, None, None]
    assert series.uri.is_valid().to_list() == [True, False, False, None, False, False]
    table = pl.DataFrame({"url": series})
    selected = table.select(pl.col("url").uri.query_params(), host=pl.col("url").uri.host())
    assert selected["url"].to_list() == [[{"name": "a", "value": "1"}], None, None, None, None, None]
    assert table.lazy().select(pl.col("url").uri.host()).collect()["url"].to_list()[:2] == ["h", None]

"""`locator_uri.pandas`: every function equals that of `locator_uri.arrow`, for every dtype of texts."""

from __future__ import annotations

from typing import Any

import pytest
from awkward import CASES, EDGES, URLS, Case

from locator_uri import arrow

pd = pytest.importorskip("pandas")
pa = pytest.importorskip("pyarrow")
import locator_uri.pandas  # noqa: E402

DTYPES = [
    "str", object, "string", "category", pd.StringDtype("python"), pd.ArrowDtype(pa.string()),
    pd.ArrowDtype(pa.large_string()),
]  # fmt: skip


def values(series: Any) -> list[Any]:
    """Return the values, with None for what is missing."""
    array = series.array
    if isinstance(series.dtype, pd.ArrowDtype):
        return list(pa.array(array).to_pylist())
    is_missing = [isinstance(value, float) or value is pd.NA for value in array]
    return [None if missing else value for missing, value in zip(is_missing, array, strict=True)]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_same_as_arrow(dtype: Any) -> None:
    index = pd.Index([f"row {row // 2}" for row in range(len(URLS))])
    series = pd.Series(URLS, index=index, name="url", dtype=dtype)
    for case in CASES:
        result = getattr(series.uri, case.short)(*case.arguments, edition=case.edition)
        assert values(result) == case.expected(URLS), case
        assert result.index is index or result.index.equals(index)
        assert result.name == "url"
        for rows in EDGES:
            edge = pd.Series(rows, dtype=dtype).uri
            edge = getattr(edge, case.short)(*case.arguments, edition=case.edition)
            assert values(edge) == case.expected(rows)
            assert edge.dtype == result.dtype


def test_dtypes() -> None:
    # Before pandas 3, "str" is a dtype of objects.
    texts = pd.Series([], dtype="str").dtype
    for dtype in (texts, "string"):
        uri = pd.Series(["http://h:80/"], dtype=dtype).uri
        assert uri.host().dtype == dtype
        assert (uri.port().dtype, uri.is_valid().dtype) == ("Int64", "boolean")
        assert (uri.parse().dtype, uri.hash128().dtype) == (object, object)
    assert pd.Series(["http://h/"], dtype=object).uri.host().dtype == texts
    uri = pd.Series(["http://h/"], dtype=pd.ArrowDtype(pa.string())).uri
    assert uri.port().dtype == pd.ArrowDtype(pa.int32())
    assert uri.hash128().dtype == pd.ArrowDtype(pa.binary(16))


def test_mask_and_chunks() -> None:
    table = pd.DataFrame({"url": URLS})
    assert len(table[table["url"].uri.is_valid()]) == arrow.is_valid(URLS).to_pylist().count(True)
    both = pd.concat([table["url"], table["url"]])
    assert values(both.uri.host()) == arrow.host(URLS).to_pylist() * 2
    hosts = table.groupby("url")["url"].transform(lambda group: group.uri.host())
    assert values(hosts) == arrow.host(URLS).to_pylist()


def test_arguments_from_series() -> None:
    bases = pd.Series(["http://a/b", "http://c/", None], index=[1, 2, 3])
    assert values(bases.uri.resolve(bases)) == ["http://a/b", "http://c/", None]
    other = pd.Series(["x", "y"], index=[2, 1])
    assert values(bases.uri.resolve(other)) == ["http://a/y", "http://c/x", None]
    numbers = pd.Series([1, -1], index=[1, 2])
    assert values(pd.Series(["http://h/a/b"] * 3, index=[1, 2, 3]).uri.path_segment(numbers)) == [
        "a", "b", None,
    ]  # fmt: skip
    with pytest.raises(ValueError, match="not unique"):
        bases.uri.resolve(pd.Series(["x", "y"], index=[1, 1]))


def test_rows_that_are_not_texts() -> None:
    rows = ["http://h/", "http://h/\ud800", 1, b"http://b/", b"\xff", None, float("nan"), 1.5, ["x"]]
    series = pd.Series(rows, dtype=object)
    assert values(series.uri.is_valid()) == [True, False, False, True, False, None, None, False, False]
    assert values(series.uri.host()) == ["h", None, None, "b", None, None, None, None, None]
    assert [text is not None for text in values(series.uri.error())] == [
        False, True, True, False, True, False, False, True, True,
    ]  # fmt: skip
    assert values(pd.Series([b"http://b/", b"\xff", None]).uri.is_valid()) == [True, False, None]
    binary = pd.Series([b"http://b/", b"\xff"], dtype=pd.ArrowDtype(pa.binary()))
    assert values(binary.uri.is_valid()) == [True, False]
    assert series.uri.uniq(by="host") == 2
    with pytest.raises(AttributeError, match="Can only use .uri accessor with texts"):
        pd.Series([1, None], dtype=object).uri


def test_uniq() -> None:
    rows = pd.Series(["http://h/", "http://h/", "HTTP://h/#top", None])
    assert rows.uri.uniq() == 2
    assert rows.uri.uniq(by="key") == 1


def test_errors() -> None:
    with pytest.raises(AttributeError, match="Can only use .uri accessor with texts, not int64"):
        pd.Series([1]).uri
    with pytest.raises(ValueError, match='uri_normalize takes as "level" syntax, scheme, not'):
        pd.Series(["http://h/"]).uri.normalize("all")
    with pytest.raises(ValueError, match="no edition"):
        pd.Series(["http://h/"]).uri.host(edition="wrong")


def test_typed_without_accessor() -> None:
    assert locator_uri.pandas.SeriesUri(pd.Series(["http://h/"])).host().to_list() == ["h"]

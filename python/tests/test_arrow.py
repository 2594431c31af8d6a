"""`locator_uri.arrow`: each function over each kind of array."""

from __future__ import annotations

import importlib.util
import pathlib
import pickle
import subprocess
import sys
from typing import Any

import pytest

import locator_uri
from locator_uri import _native, arrow

URLS = ["http://A.example:80/b?q=1#f", None, "", "http://b c/", "é", "mailto:jan@example.com", "//h?"]


def functions() -> list[Any]:
    return _native._functions()


def rows(name: str, column: Any) -> Any:
    """Evaluate a function with the arguments of its example."""
    for function, _, _, _, (_, arguments) in functions():
        if function == f"uri_{name}":
            return getattr(arrow, name)(column, *arguments)
    raise AssertionError(name)


NAMES = [name.removeprefix("uri_") for name, *_ in functions()]


def test_files_are_up_to_date() -> None:
    path = pathlib.Path(__file__).parents[1] / "make_modules.py"
    spec = importlib.util.spec_from_file_location("make_modules", path)
    assert spec and spec.loader
    made: Any = importlib.util.module_from_spec(spec)
    sys.modules["make_modules"] = made
    spec.loader.exec_module(made)
    for file, text in made.modules().items():
        assert file.read_text(encoding="utf-8") == text, "run python/make_modules.py"


def test_imports_nothing() -> None:
    assert "pyarrow" not in vars(arrow) and "polars" not in vars(arrow)
    assert sorted([*NAMES, "psl_version", "uniq"]) == sorted(arrow.__all__)


def test_same_as_the_objects() -> None:
    parsed = [None if url is None else locator_uri.parse(url) for url in URLS]
    for part in ("scheme", "authority", "userinfo", "host", "port", "port_text", "path", "query",
                 "fragment", "effective_port"):  # fmt: skip
        expected = [None if uri is None else getattr(uri, part) for uri in parsed]
        assert getattr(arrow, part)(URLS).to_pylist() == expected, part
    assert arrow.is_valid(URLS).to_pylist() == [
        None if url is None else locator_uri.is_valid(url) for url in URLS
    ]
    normal = [None if uri is None else str(uri.normalize()) for uri in parsed]
    assert arrow.normalize(URLS).to_pylist() == normal


@pytest.mark.parametrize("name", NAMES)
def test_pyarrow(name: str) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    expected = rows(name, URLS).to_pylist()
    for kind in (pyarrow.string(), pyarrow.large_string(), pyarrow.string_view()):
        array = pyarrow.array(URLS, kind)
        result = rows(name, array)
        assert isinstance(result, pyarrow.Array)
        result.validate(full=True)
        assert result.to_pylist() == expected
        assert rows(name, array[1:4]).to_pylist() == expected[1:4]
        chunked = pyarrow.chunked_array([URLS[:2], [], URLS[2:]], kind)
        result = rows(name, chunked)
        assert isinstance(result, pyarrow.ChunkedArray)
        assert result.num_chunks == 3
        assert result.to_pylist() == expected
    assert rows(name, pyarrow.chunked_array([], pyarrow.string())).to_pylist() == []
    dictionary = pyarrow.array(URLS * 2).dictionary_encode()
    assert rows(name, dictionary).to_pylist() == expected * 2


@pytest.mark.parametrize("name", NAMES)
def test_polars(name: str) -> None:
    polars = pytest.importorskip("polars")
    series = polars.Series("url", URLS)
    result = rows(name, series)
    assert isinstance(result, polars.Series)
    assert result.name == "url"
    assert len(result) == len(URLS)
    host = arrow.host(series)
    assert (host.dtype, host.to_list()) == (polars.String, arrow.host(URLS).to_pylist())
    assert rows(name, polars.concat([series, series], rechunk=False)).to_list() == result.to_list() * 2


def test_result_is_pyarrow() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    numpy = pytest.importorskip("numpy")
    rows: list[Any] = ["http://a/", None, "b c"]
    for column in (rows, tuple(rows), numpy.array(rows, dtype=object)):
        hosts = arrow.host(column)
        assert isinstance(hosts, pyarrow.Array)
        assert (hosts.type, hosts.to_pylist()) == (pyarrow.string(), ["a", None, None])
        assert pickle.loads(pickle.dumps(hosts)).equals(hosts)
    assert getattr(arrow, "uri_host") is arrow.host
    with pytest.raises(AttributeError):
        getattr(arrow, "uri_hosts")


def test_numpy() -> None:
    numpy = pytest.importorskip("numpy")
    assert arrow.port(numpy.array(["http://a:1/", "x"])).to_pylist() == [1, None]
    assert arrow.port(numpy.array([b"http://a:1/"])).to_pylist() == [1]
    mixed = numpy.array(["http://a/", float("nan"), 1, b"\xff", "\ud800", None], dtype=object)
    assert arrow.is_valid(mixed).to_pylist() == [True, None, False, False, False, None]
    assert [error is not None for error in arrow.error(mixed).to_pylist()] == [
        False, False, True, True, True, False,
    ]  # fmt: skip
    numbers = numpy.array([1, 2])
    assert arrow.path_segment(["http://h/a/b"] * 2, numbers).to_pylist() == ["a", "b"]
    assert arrow.path_segment(["http://h/a/b"], numbers[1]).to_pylist() == ["b"]
    with pytest.raises(ValueError, match="one dimension"):
        arrow.host(numpy.array([["http://a/"]]))
    assert arrow.uniq(numpy.array(["http://a/", "http://a/"])) == 1


def test_scalars() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    numpy = pytest.importorskip("numpy")
    texts = ("http://a/", b"http://a/", locator_uri.Uri("http://a/"), numpy.str_("http://a/"))
    for text in (*texts, pyarrow.scalar("http://a/")):
        host = arrow.host(text)
        assert isinstance(host, pyarrow.Scalar)
        assert host.as_py() == "a"
    assert arrow.host(pyarrow.scalar(None, pyarrow.string())).as_py() is None
    assert arrow.resolve("http://a/b", ["c", "../d"]).to_pylist() == ["http://a/c", "http://a/d"]
    assert arrow.resolve("http://a/b", pyarrow.scalar("c")).as_py() == "http://a/c"


def test_pandas_series() -> None:
    pandas = pytest.importorskip("pandas")
    series = pandas.Series(["http://a/", None, "b c"])
    assert arrow.host(series).to_pylist() == ["a", None, None]
    mixed = pandas.Series(["http://a/", 1, b"\xff", None], dtype=object)
    assert arrow.is_valid(mixed).to_pylist() == [True, False, False, None]
    assert arrow.host(series.array).to_pylist() == ["a", None, None]


def test_without_pyarrow() -> None:
    code = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "from locator_uri import _columns, arrow\n"
        "_columns.has_pyarrow = lambda: False\n"
        "assert arrow.host(['http://a/', None]).to_pylist() == ['a', None]\n"
        "assert arrow.host('http://a/') == 'a' and len(arrow.host(['x'])) == 1\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_pickles_without_pyarrow() -> None:
    code = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "import copy, pickle\n"
        "from locator_uri import _columns, _native, arrow\n"
        "_columns.has_pyarrow = lambda: False\n"
        "rows = ['http://a.example:80/' + 'b' * 40 + '?c=1&d', None, 'b c', 'http://h/']\n"
        "for name, _, _, _, (_, arguments) in _native._functions():\n"
        "    result = getattr(arrow, name.removeprefix('uri_'))(rows, *arguments)\n"
        "    for other in (pickle.loads(pickle.dumps(result)), copy.copy(result), copy.deepcopy(result)):\n"
        "        assert type(other) is type(result), name\n"
        "        assert other.to_pylist() == result.to_pylist(), name\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_pickles_of_other_types() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    rows = ["http://a.example/" + "b" * 40, None, "b c", "http://h/"] * 3
    for kind in (pyarrow.large_string(), pyarrow.string_view(), pyarrow.dictionary("int8", "string")):
        array = pyarrow.array(rows, kind)
        for column in (array, array[1:7], pyarrow.chunked_array([array[:5], array[5:]])):
            for name in ("uri_path", "uri_parse", "uri_query_params", "uri_port", "uri_hash128"):
                result = _native._evaluate(name, column, [], "rfc3986")
                state = pickle.loads(pickle.dumps(_native._array_state(result)))
                restored = _native._restore_array(*state)
                assert type(restored) is type(result)
                make = pyarrow.chunked_array if hasattr(column, "chunks") else pyarrow.array
                assert make(restored).equals(make(result)), (name, kind)
                make(restored).validate(full=True)


def test_polars_expression() -> None:
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame({"url": ["http://a/", "http://b/", "http://a/c"]})
    hosts = frame.lazy().select(pl.col("url").map_batches(arrow.host, return_dtype=pl.String))
    assert hosts.collect()["url"].to_list() == ["a", "b", "a"]


def test_arguments_as_arrays() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    bases = pyarrow.chunked_array([["http://a/b"], ["http://c/d", "http://e/"]])
    references = pyarrow.chunked_array([["x", None], ["y"]])
    assert arrow.resolve(bases, references).to_pylist() == ["http://a/x", None, "http://e/y"]
    assert arrow.resolve(["http://a/b"], ["../c"]).to_pylist() == ["http://a/c"]
    with pytest.raises(ValueError):
        arrow.resolve(bases, ["x"])


def test_result_outlives_its_input() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    results = [arrow.host(pyarrow.array([f"http://host{i}.example.org/"] * 1000)) for i in range(20)]
    assert all(result[999].as_py() == f"host{i}.example.org" for i, result in enumerate(results))


def test_rows_that_are_not_texts() -> None:
    rows: list[object] = ["http://h/", "http://h/\ud800", 1, b"http://b/", b"\xff", None]
    assert arrow.is_valid(rows).to_pylist() == [True, False, False, True, False, None]
    assert arrow.host(rows).to_pylist() == ["h", None, None, "b", None, None]
    assert arrow.error(rows).to_pylist()[4] == "invalid UTF-8: byte FF"
    pyarrow = pytest.importorskip("pyarrow")
    binary = pyarrow.array([b"http://b/", b"\xff", None])
    assert arrow.is_valid(binary).to_pylist() == [True, False, None]


def test_errors() -> None:
    with pytest.raises(TypeError, match="expected an Arrow array or a list, not int"):
        arrow.host(1)
    with pytest.raises(TypeError):
        arrow.host([1])
    with pytest.raises(ValueError, match="level|one of"):
        arrow.normalize(URLS, "wrong")
    with pytest.raises(ValueError, match="no edition"):
        arrow.host(URLS, edition="wrong")
    pyarrow = pytest.importorskip("pyarrow")
    with pytest.raises(ValueError):
        arrow.host(pyarrow.array([1, 2]))


def test_uniq() -> None:
    rows = ["http://h/", "http://h/", "HTTP://h/#top", None, "b c"]
    assert arrow.uniq(rows) == 3
    assert arrow.uniq(rows, by="key") == arrow.uniq(rows, by="host") == 1
    assert arrow.uniq(["http://h/é"], by="host") == 0
    assert arrow.uniq(["http://h/é"], by="host", edition="rfc3987") == 1
    assert arrow.uniq([]) == arrow.uniq([None]) == 0
    assert arrow.uniq(["http://h:80/", "http://g:80/a?q=1"], by="port") == 1
    assert arrow.uniq(["http://h/a", "http://g/a?q=1"], by="segment:0") == 1
    with pytest.raises(ValueError, match="unknown part"):
        arrow.uniq(rows, by="wrong")
    with pytest.raises(ValueError, match="needs a name, as in query:NAME"):
        arrow.uniq(rows, by="query_param")
    pyarrow = pytest.importorskip("pyarrow")
    chunked = pyarrow.chunked_array([rows[:2], [], rows[2:]])
    assert arrow.uniq(chunked) == arrow.uniq(chunked.dictionary_encode()) == 3
    polars = pytest.importorskip("polars")
    assert arrow.uniq(polars.Series(rows)) == 3


def test_every_engine_is_known() -> None:
    for engine in ("python", "polars", "pandas", "duckdb", "datafusion", "spark"):
        assert set(_native._absences(engine)) >= {name for name, *_ in functions()}
    assert not any(_native._absences("python").values())
    assert [name for name, instead in _native._absences("polars").items() if instead] == [
        "uri_psl_version"
    ]
    with pytest.raises(ValueError, match="no engine"):
        _native._absences("wrong")


def test_editions() -> None:
    assert arrow.path(["http://h/é"], edition="rfc3987").to_pylist() == ["/é"]
    assert arrow.path(["http://h/é"]).to_pylist() == [None]


def test_import_of_the_module_costs_no_other_package() -> None:
    assert "locator_uri.arrow" in sys.modules

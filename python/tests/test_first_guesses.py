"""What users of other packages type first: 47 small programs.

Each was written from the habits of another package, before its author looked at this one's names.
The name of a test begins with the package whose habit it is. Three are expected to fail.
"""

# mypy: ignore-errors

import copy
import json
import pickle

import pytest


# urllib.parse

def test_urllib_urlparse():
    from locator_uri.stdlib import urlparse

    parts = urlparse("https://joe:pw@Example.com:8080/a/b;v=1?x=1#top")
    assert parts.scheme == "https"
    assert parts.netloc == "joe:pw@Example.com:8080"
    assert parts.path == "/a/b"
    assert parts.params == "v=1"
    assert parts.hostname == "example.com"
    assert parts.port == 8080
    assert parts.username == "joe"
    assert parts.geturl() == "https://joe:pw@Example.com:8080/a/b;v=1?x=1#top"


def test_urllib_urlsplit_unpacks():
    from locator_uri.stdlib import urlsplit

    scheme, netloc, path, query, fragment = urlsplit("//cdn.example/lib.js?v=2")
    assert (scheme, netloc, path, query, fragment) == ("", "cdn.example", "/lib.js", "v=2", "")
    assert urlsplit("/a?b=c")._replace(query="d=e").geturl() == "/a?d=e"


def test_urllib_urljoin():
    from locator_uri.stdlib import urljoin

    assert urljoin("https://example.com/a/b", "../c") == "https://example.com/c"
    assert urljoin("https://example.com/a/b", "//other.example/") == "https://other.example/"


def test_urllib_parse_qs():
    from locator_uri.stdlib import parse_qs, parse_qsl

    assert parse_qs("a=1&a=2&b=x+y") == {"a": ["1", "2"], "b": ["x y"]}
    assert parse_qsl("a=1&b=&c=%20", keep_blank_values=True) == [("a", "1"), ("b", ""), ("c", " ")]


def test_urllib_quote():
    from locator_uri.stdlib import quote, quote_plus, unquote, unquote_plus

    assert quote("a b/ä") == "a%20b/%C3%A4"
    assert quote("a/b", safe="") == "a%2Fb"
    assert quote_plus("a b&c") == "a+b%26c"
    assert unquote("a%20b") == "a b"
    assert unquote_plus("a+b") == "a b"


def test_urllib_urlencode():
    from locator_uri.stdlib import urlencode

    assert urlencode({"q": "a b", "n": 1}) == "q=a+b&n=1"
    assert urlencode({"t": ["x", "y"]}, doseq=True) == "t=x&t=y"


def test_urllib_urlunsplit_and_urldefrag():
    from locator_uri.stdlib import urldefrag, urlunparse, urlunsplit

    assert urlunsplit(("https", "example.com", "/a", "b=c", "")) == "https://example.com/a?b=c"
    assert urlunparse(("https", "example.com", "/a", "", "b=c", "d")) == "https://example.com/a?b=c#d"
    url, fragment = urldefrag("https://example.com/#top")
    assert (url, fragment) == ("https://example.com/", "top")


# yarl

def test_yarl_parts():
    from locator_uri import Uri

    url = Uri("https://joe:pw@example.com:8080/a/b.txt?x=1#top")
    assert url.scheme == "https"
    assert url.user == "joe"
    assert url.password == "pw"
    assert url.host == "example.com"
    assert url.port == 8080
    assert url.path == "/a/b.txt"
    assert url.fragment == "top"


def test_yarl_slash():
    from locator_uri import Uri

    url = Uri("https://example.com/api") / "users" / "joe smith"
    assert str(url) == "https://example.com/api/users/joe%20smith"


def test_yarl_percent():
    from locator_uri import Uri

    url = Uri("https://example.com/search") % {"q": "a b", "page": 2}
    assert url.query_pairs() == [("q", "a b"), ("page", "2")]


def test_yarl_joinpath():
    from locator_uri import Uri

    url = Uri("https://example.com/api/").joinpath("users", "17")
    assert str(url) == "https://example.com/api/users/17"


def test_yarl_with_methods():
    from locator_uri import Uri

    url = Uri("http://example.com/a?b=c#d")
    url = url.with_scheme("https").with_host("example.org").with_port(8443)
    url = url.with_path("/x y").with_query({"k": "v"}).with_fragment(None)
    assert str(url) == "https://example.org:8443/x%20y?k=v"


def test_yarl_with_user():
    from locator_uri import Uri

    url = Uri("ftp://example.com/").with_user("joe").with_password("p@ss")
    assert str(url) == "ftp://joe:p%40ss@example.com/"
    assert str(url.with_user(None)) == "ftp://example.com/"


def test_yarl_update_query():
    from locator_uri import Uri

    url = Uri("https://example.com/?a=1&b=2").update_query({"b": "3", "c": "4"})
    assert str(url) == "https://example.com/?a=1&b=3&c=4"
    assert str(url.update_query(a=9)) == "https://example.com/?a=9&b=3&c=4"


def test_yarl_extend_query():
    from locator_uri import Uri

    url = Uri("https://example.com/?a=1").extend_query([("a", "2"), ("b", "3")])
    assert str(url) == "https://example.com/?a=1&a=2&b=3"


def test_yarl_without_query_params():
    from locator_uri import Uri

    url = Uri("https://example.com/?id=7&utm_source=x&utm_medium=y")
    assert str(url.without_query_params("utm_source", "utm_medium")) == "https://example.com/?id=7"


def test_yarl_name_parent_suffix():
    from locator_uri import Uri

    url = Uri("https://example.com/docs/guide.tar.gz?x=1")
    assert url.name == "guide.tar.gz"
    assert url.suffix == ".gz"
    assert str(url.parent) == "https://example.com/docs"
    assert str(url.with_name("other.txt")) == "https://example.com/docs/other.txt"


def test_yarl_join_and_origin():
    from locator_uri import Uri

    url = Uri("https://joe@example.com/a/b?c")
    assert str(url.join(Uri("https://example.com/x"))) == "https://example.com/x"
    assert str(url.join("../d")) == "https://joe@example.com/d"
    assert str(url.origin()) == "https://example.com"


def test_yarl_build():
    from locator_uri import Uri

    url = Uri.build(scheme="https", host="example.com", path="/a b", query={"x": "1"})
    assert str(url) == "https://example.com/a%20b?x=1"


# furl

def test_furl_query_as_mapping():
    from locator_uri import Uri

    url = Uri("https://example.com/?a=1&a=2&b=3")
    query = dict(url.query_pairs())
    assert query["b"] == "3"
    assert [value for name, value in url.query_pairs() if name == "a"] == ["1", "2"]


@pytest.mark.xfail(strict=True, reason='a space is "+" in a pair, in furl, too')
def test_furl_add_and_remove():
    from locator_uri import Uri

    url = Uri("https://example.com/?a=1").append_query("b", "x y")
    assert str(url) == "https://example.com/?a=1&b=x%20y"
    assert str(url.remove_query("a")) == "https://example.com/?b=x%20y"


def test_furl_path_segments():
    from locator_uri import Uri

    assert Uri("https://example.com/a/b%20c/d").path_segments == ["a", "b c", "d"]


def test_furl_copy():
    from locator_uri import Uri

    url = Uri("https://example.com/")
    assert copy.copy(url) == url
    assert copy.deepcopy([url]) == [url]


# w3lib

def test_w3lib_canonical():
    from locator_uri import Uri

    url = Uri("HTTP://Example.com:80/a/../b?x=1#frag")
    assert str(url.normalize()) in ("http://example.com/b?x=1#frag", "http://example.com:80/b?x=1#frag")


def test_w3lib_url_query_parameter():
    from locator_uri import Uri

    url = Uri("https://example.com/product?id=200&foo=bar")
    assert url.query_param("id") == "200"
    assert url.query_param("nothing") is None


# rfc3986

def test_rfc3986_is_valid():
    from locator_uri import is_valid

    assert is_valid("https://example.com/a")
    assert not is_valid("https://example.com/a b")


def test_rfc3986_uri_reference():
    from locator_uri import UriRef

    ref = UriRef("../a?b")
    assert ref.scheme is None
    assert ref.authority is None
    assert ref.path == "../a"
    assert ref.query == "b"
    assert not ref.is_absolute()


def test_rfc3986_resolve_with():
    from locator_uri import Uri

    assert Uri("https://example.com/a/b").join("c").path == "/a/c"
    assert str(Uri("https://example.com/a/b").join("?x")) == "https://example.com/a/b?x"


def test_rfc3986_copy_with():
    from locator_uri import Uri

    url = Uri("https://example.com/a?b").replace(path="/c", query=None)
    assert str(url) == "https://example.com/c"


def test_rfc3986_errors():
    from locator_uri import ParseError, Uri

    with pytest.raises(ParseError) as caught:
        Uri("https://example.com/a b")
    assert "space" in str(caught.value)
    assert isinstance(caught.value, ValueError)


# hyperlink

@pytest.mark.xfail(strict=True, reason="the to_text of hyperlink leaves passwords out; str(uri) does not")
def test_hyperlink_from_text_child():
    from locator_uri import Uri

    url = Uri.from_text("https://example.com/a").child("b", "c d")
    assert url.to_text() == "https://example.com/a/b/c%20d"


def test_hyperlink_add_set_get():
    from locator_uri import Uri

    url = Uri("https://example.com/?x=1").add("y", "2").set("x", "9")
    assert url.get("x") == ["9"]
    assert str(url) == "https://example.com/?x=9&y=2"


@pytest.mark.xfail(strict=True, reason="these are methods: Uri(text).to_iri()")
def test_hyperlink_to_uri_to_iri():
    from locator_uri import to_iri, to_uri

    assert str(to_uri("https://example.com/ä")) == "https://example.com/%C3%A4"
    assert str(to_iri("https://example.com/%C3%A4")) == "https://example.com/ä"


# httpx.URL

def test_httpx_copy_with():
    from locator_uri import Uri

    url = Uri("https://example.com/").copy_with(scheme="http", port=81)
    assert str(url) == "http://example.com:81/"


def test_httpx_copy_set_param():
    from locator_uri import Uri

    url = Uri("https://example.com/?a=1&a=2&b=3")
    assert str(url.copy_set_param("a", "9")) == "https://example.com/?a=9&b=3"
    assert str(url.copy_add_param("c", "4")) == "https://example.com/?a=1&a=2&b=3&c=4"
    assert str(url.copy_remove_param("a")) == "https://example.com/?b=3"
    assert str(url.copy_merge_params({"b": "5"})) == "https://example.com/?a=1&a=2&b=5"


def test_httpx_is_absolute_url():
    from locator_uri import UriRef

    assert UriRef("https://example.com/").is_absolute_url
    assert UriRef("/a").is_relative_url


def test_pickle_in_subclass():
    from locator_uri import Uri

    class Page(Uri):
        pass

    globals()["Page"] = Page
    Page.__qualname__ = "Page"
    page = Page("https://example.com/")
    assert type(pickle.loads(pickle.dumps(page))) is Page
    assert type(copy.copy(page)) is Page
    assert type(page / "a") is Page


def test_dict_key_sort_and_json():
    from locator_uri import Uri

    urls = {Uri("https://b.example/"): 1, Uri("https://a.example/"): 2}
    assert sorted(urls)[0] == Uri("https://a.example/")
    assert urls[Uri("https://b.example/")] == 1
    assert json.dumps(str(sorted(urls)[0])) == '"https://a.example/"'


def test_template():
    from locator_uri import UriTemplate

    template = UriTemplate("https://api.example/{user}{?page}")
    assert template.expand(user="joe smith", page=2) == "https://api.example/joe%20smith?page=2"
    assert template.expand({"user": "joe"}) == "https://api.example/joe"


def test_surt():
    from locator_uri import surt

    assert surt("https://www.Example.com/a?b=1") == "com,example)/a?b=1"


# pyarrow

def test_pyarrow_host():
    import pyarrow as pa
    import pyarrow.compute as pc

    from locator_uri import arrow

    hosts = arrow.uri_host(pa.array(["https://a.example/x", None, "https://b.example/"]))
    assert hosts.type in (pa.string(), pa.large_string(), pa.string_view())
    assert hosts.to_pylist() == ["a.example", None, "b.example"]
    assert pc.count_distinct(hosts).as_py() == 2


def test_pyarrow_table_column():
    import pyarrow as pa

    from locator_uri import arrow

    table = pa.table({"url": ["https://a.example/x", "https://b.example/?q=1"]})
    table = table.append_column("host", arrow.uri_host(table["url"]))
    assert table["host"].to_pylist() == ["a.example", "b.example"]


def test_pyarrow_numpy_and_scalars():
    import numpy as np

    from locator_uri import arrow

    assert arrow.uri_host(np.array(["https://a.example/"])).to_pylist() == ["a.example"]
    assert arrow.uri_host("https://a.example/").as_py() == "a.example"


# polars

def test_polars_namespace():
    import polars as pl

    import locator_uri.polars  # noqa: F401

    frame = pl.DataFrame({"url": ["https://a.example/x?q=1", "not a url"]})
    out = frame.with_columns(
        host=pl.col("url").uri.host(),
        valid=pl.col("url").uri.is_valid(),
    )
    assert out["host"].to_list()[0] == "a.example"
    assert out["valid"].to_list() == [True, False]


def test_polars_pickle():
    import polars as pl

    import locator_uri.polars  # noqa: F401

    expr = pickle.loads(pickle.dumps(pl.col("url").uri.host()))
    assert pl.DataFrame({"url": ["https://a.example/"]}).select(expr).item() == "a.example"


# pandas

def test_pandas_accessor():
    import pandas as pd

    import locator_uri.pandas  # noqa: F401

    urls = pd.Series(["https://a.example/x", None, "https://b.example/"])
    hosts = urls.uri.host()
    assert hosts[0] == "a.example"
    assert pd.isna(hosts[1])
    assert hosts.index.equals(urls.index)


def test_pandas_object_column():
    import pandas as pd

    import locator_uri.pandas  # noqa: F401

    urls = pd.Series(["https://a.example/x", 7, b"\xff", "\ud800"], dtype=object)
    assert urls.uri.is_valid().tolist()[0] is True or bool(urls.uri.is_valid()[0])
    assert urls.uri.host()[0] == "a.example"
    assert pd.isna(urls.uri.host()[1])

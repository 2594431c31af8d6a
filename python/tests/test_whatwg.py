"""`locator_uri.whatwg`: the browsers' tests of the URL Standard (web-platform-tests), and what is Python's.

The tests are read from `../shared/wpt` beside the repository, as those of Rust are; where that folder is
missing, the tests are skipped and say so.
"""

from __future__ import annotations

import copy
import json
import pathlib
import pickle
from typing import Any

import pytest

from locator_uri import ParseError, Uri, UriRef
from locator_uri.whatwg import (
    URL,
    URLSearchParams,
    ValidationError,
    domain_to_ascii,
    domain_to_unicode,
    validate,
)

WPT = pathlib.Path(__file__).parents[3] / "shared/wpt"
ATTRIBUTES = (
    "href", "origin", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search",
    "hash",
)  # fmt: skip


def data(name: str) -> Any:
    path = WPT / name
    if not path.exists():
        pytest.skip(f"{path} is missing, so nothing was compared")
    return json.loads(path.read_text(encoding="utf-8"))


def test_urltestdata() -> None:
    wrong: list[Any] = []
    count = 0
    for case in data("urltestdata.json"):
        if isinstance(case, str):
            continue
        count += 1
        text, base = case["input"], case.get("base")
        url = URL.parse(text, base)
        assert URL.can_parse(text, base) == (url is not None)
        if url is None or case.get("failure"):
            wrong += [(text, base, url)] if url is not None or not case.get("failure") else []
            continue
        found = {name: getattr(url, name) for name in ATTRIBUTES if name in case}
        wrong += [(text, base, name) for name, value in found.items() if value != case[name]]
        if "searchParams" in case and str(url.search_params) != case["searchParams"]:
            wrong.append((text, base, "searchParams"))
        assert URL(url.href) == url
    assert not wrong
    assert count > 800


def test_setters() -> None:
    wrong: list[Any] = []
    count = 0
    for name, cases in data("setters_tests.json").items():
        for case in cases if name in ATTRIBUTES else ():
            count += 1
            url = URL(case["href"])
            try:
                setattr(url, name, case["new_value"])
            except ParseError:
                assert name == "href"
            found = {name: getattr(url, name) for name in case["expected"]}
            wrong += [(case, found)] if found != case["expected"] else []
    assert not wrong
    assert count > 250


def test_toascii() -> None:
    for case in data("toascii.json"):
        if isinstance(case, str):
            continue
        text, expected = case["input"], case["output"]
        url = URL.parse(f"https://{text}/x")
        assert (url and url.host) == expected, case
        for name in ("host", "hostname"):
            url = URL("https://x/x")
            setattr(url, name, text)
            assert getattr(url, name) == (expected or "x"), case


def test_a_text_that_is_no_url() -> None:
    with pytest.raises(ParseError) as caught:
        URL("https://é.example:port/")
    error = caught.value
    assert (error.rule, error.part, error.see, error.edition) == ("port-invalid", "port", "URL Standard", "whatwg")
    assert (error.offset, error.byte_offset) == (18, 19)
    assert error.input == "https://é.example:port/"
    assert str(error) == f"{error.message}, at offset 18 (port-invalid, URL Standard)"
    assert pickle.loads(pickle.dumps(error)).args == error.args
    lines = error.report().splitlines()
    assert lines[1].index("p", 20) == lines[2].index("^") == 20
    with pytest.raises(ParseError) as caught:
        URL("https://jan:secret@a b/")
    assert "secret" not in caught.value.report() and "jan" not in caught.value.report()
    with pytest.raises(ParseError) as caught:
        URL("/a")
    assert (caught.value.rule, caught.value.part) == ("missing-scheme-non-relative-URL", "scheme")
    with pytest.raises(ParseError):
        URL("/a", "/b")
    assert URL.parse("/a", "/b") is None and not URL.can_parse("/a", "/b")
    assert URL.parse("") is None
    for wrong in (None, 1, b"http://h/", ["http://h/"]):
        with pytest.raises(TypeError, match="expected str, URL or UriRef"):
            URL(wrong)  # type: ignore[arg-type]


def test_what_is_given() -> None:
    url = URL("http://h/a")
    assert URL(url) == URL(Uri("http://h/a")) == URL("a", url) == URL(UriRef("a"), base=Uri("http://h/")) == url
    assert URL("http://h/\ud800").href == "http://h/%EF%BF%BD"
    assert URL("\ud800", "http://h/").pathname == "/%EF%BF%BD"


def test_attributes_that_do_not_fit_change_nothing() -> None:
    url = URL("https://h:8080/a?b#c")
    for name, value in (
        ("port", "none"), ("host", "a b"), ("hostname", ""), ("protocol", "mailto"), ("protocol", "1"),
    ):  # fmt: skip
        setattr(url, name, value)
        assert url.href == "https://h:8080/a?b#c", name
    url.port = 99
    assert url.host == "h:99"
    with pytest.raises(ParseError):
        url.href = "/x"
    with pytest.raises(TypeError):
        url.port = None  # type: ignore[assignment]
    with pytest.raises(TypeError):
        url.port = True
    with pytest.raises(AttributeError):
        url.origin = "x"  # type: ignore[misc]
    url.href = Uri("http://i/")
    assert url.href == "http://i/"


class Page(URL):
    """A subclass with an attribute."""

    title: str


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda url: pickle.loads(pickle.dumps(url))])
def test_copies(copied: Any) -> None:
    page = Page("https://h/a|b")
    page.title = "A"
    other = copied(page)
    assert type(other) is Page and other == page and other is not page
    assert other.title == "A"
    other.hash = "x"
    assert page.hash == ""
    params = page.search_params
    params.append("q", "1")
    other = copied(params)
    other.append("q", "2")
    assert str(params) == "q=1" and str(other) == "q=1&q=2"
    assert isinstance(Page.parse("https://h/"), Page)


def test_secrets_are_not_shown() -> None:
    url = URL("https://jan:s3cret@h/")
    assert "s3cret" not in repr(url) and repr(url).startswith("URL('https://jan:")
    assert str(url) == url.href == url.toJSON() == "https://jan:s3cret@h/"


def test_not_hashable() -> None:
    for one in (URL("http://h/"), URLSearchParams()):
        with pytest.raises(TypeError, match="unhashable"):
            hash(one)
    assert URL("http://h") == URL("http://h/") != URL("http://i/")
    assert URL("http://h/") != "http://h/"
    assert URLSearchParams("a=1") == URLSearchParams({"a": 1}) != URLSearchParams()


def test_search_params() -> None:
    for init in ("a=1&b=2&a=3", "?a=1&b=2&a=3", [("a", 1), ("b", "2"), ["a", 3.0]], URLSearchParams("a=1&b=2&a=3")):
        params = URLSearchParams(init)  # type: ignore[arg-type]
        assert (params.size, len(params), params.get("a"), params["b"]) == (3, 3, "1", "2")
        assert params.keys() == ["a", "b", "a"]
    assert URLSearchParams("??a=1").get("?a") == "1"
    params = URLSearchParams("a=1&b=2&a=3&c")
    assert params.getAll("a") == ["1", "3"] and params.get("x") is None
    with pytest.raises(KeyError):
        params["x"]
    assert "c" in params and params.has("a", "3") and not params.has("a", 2)
    params.delete("a", "3")
    params.append("é", "a b+&=%")
    assert str(params) == "a=1&b=2&c=&%C3%A9=a+b%2B%26%3D%25"
    params.sort()
    assert list(params) == params.entries() == [("a", "1"), ("b", "2"), ("c", ""), ("é", "a b+&=%")]
    assert params.values() == ["1", "2", "", "a b+&=%"]
    assert repr(URLSearchParams("a=1")) == "URLSearchParams([('a', '1')])"
    for wrong in (1, [("a",)], [1], {"a": None}, {"a": True}):
        with pytest.raises(TypeError):
            URLSearchParams(wrong)  # type: ignore[arg-type]


def test_search_params_of_a_url() -> None:
    url = URL("https://h/?a=1%20x&b#c")
    params = url.search_params
    assert params == url.searchParams
    # What is only read leaves the query as it is.
    assert params.get("a") == "1 x" and url.search == "?a=1%20x&b"
    params.set("b", 2)
    assert url.href == "https://h/?a=1+x&b=2#c"
    url.search = "d=4"
    assert list(params) == [("d", "4")]
    params.delete("d")
    assert url.href == "https://h/#c"
    opaque = URL("data:space    #x")
    opaque.search_params.append("a", "b")
    assert opaque.href == "data:space   %20?a=b#x"


def test_validate() -> None:
    errors = validate("https:\\\\é.example/a b|")
    assert errors[-1] == ValidationError(
        "invalid-URL-unit", "this is not allowed here unless it is percent-encoded", 21, 22, 22, 23, False
    )
    assert {error.name for error in errors} == {
        "special-scheme-missing-following-solidus", "invalid-URL-unit",
    }  # fmt: skip
    assert validate("https://example.com/") == []
    assert [error.name for error in validate("/a")] == ["missing-scheme-non-relative-URL"]
    assert validate("/a", "https://example.com/") == validate("/a", URL("https://example.com/")) == []
    assert pickle.loads(pickle.dumps(errors)) == errors
    with pytest.raises(ParseError):
        validate("/a", "b")


def test_domains() -> None:
    assert domain_to_ascii("EXAMPLE.com") == "example.com"
    assert domain_to_ascii("faß.example") == "xn--fa-hia.example"
    assert domain_to_ascii("a b") == domain_to_ascii("1.2.3.4.5") == ""
    assert domain_to_unicode("xn--fa-hia.example") == "faß.example"

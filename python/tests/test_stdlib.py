"""`locator_uri.stdlib` with the tests of the standard library itself, and the differences."""

from __future__ import annotations

import ast
import doctest
import pathlib
import unittest
import urllib.parse
from typing import Any

import pytest

from locator_uri import ParseError, UriError, stdlib

# What the tests of the standard library expect otherwise, by the section of RFC 3986.
DIFFERENT_JOINS = {
    # 5.4.2: "http:g" is "http:g" for strict parsers, and "http://a/b/c/g" for backward compatibility.
    ("http:g", "http://a/b/c/g"): "http:g",
    ("http:", "http://a/b/c/d"): "http:",
    ("http:?y", "http://a/b/c/d?y"): "http:?y",
    ("http:g?y", "http://a/b/c/g?y"): "http:g?y",
    ("http:g?y/./x", "http://a/b/c/g?y/./x"): "http:g?y/./x",
}

PAGE = pathlib.Path(__file__).parents[1] / "docs/stdlib.md"

# These test the module `urllib.parse` itself: what its `__all__` has, and its cache.
OF_THE_MODULE = {"test_all", "test_clear_cache_for_code_coverage"}


def test_tests_of_the_standard_library(monkeypatch: pytest.MonkeyPatch) -> None:
    tests: Any = pytest.importorskip("test.test_urlparse")
    for name in ("urldefrag", "urljoin", "urlparse", "urlsplit"):
        monkeypatch.setattr(urllib.parse, name, getattr(stdlib, name))
    different = {}

    def check_join(_case: object, base: str, relative: str, expected: str, **_more: object) -> None:
        joined = urllib.parse.urljoin(base, relative)
        assert urllib.parse.urljoin(base.encode(), relative.encode()) == joined.encode()
        if joined != expected:
            different[relative, expected] = joined

    monkeypatch.setattr(tests.UrlParseTestCase, "checkJoin", check_join)
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromModule(tests).run(result)
    failed = [case.id().split(".")[-1] for case, _ in result.failures + result.errors]
    assert set(failed) <= OF_THE_MODULE
    assert result.testsRun > 50
    assert different == DIFFERENT_JOINS


def test_page_of_differences() -> None:
    """Both sides of the table in docs/stdlib.md, and that all other functions are the same objects."""
    page = PAGE.read_text(encoding="utf-8")
    lines = [line for line in page.splitlines() if line.startswith("| `url")]
    rows = [[cell.strip(" `") for cell in line.split("|")[1:-1]] for line in lines]
    assert len(rows) >= 5
    for call, theirs, ours, _ in rows:
        assert ast.literal_eval(theirs) != ast.literal_eval(ours), call
        assert eval(call, vars(urllib.parse)) == ast.literal_eval(theirs), call
        assert eval(call, vars(stdlib)) == ast.literal_eval(ours), call
    assert doctest.testfile(str(PAGE), module_relative=False).failed == 0
    differing = {"urldefrag", "urljoin", "urlparse", "urlsplit"}
    assert set(stdlib.__all__) >= differing
    for name in set(stdlib.__all__) - differing:
        assert getattr(stdlib, name) is getattr(urllib.parse, name)
    missing = set(urllib.parse.__all__) - set(stdlib.__all__)
    assert not missing, "stdlib has every name of urllib.parse"


@pytest.mark.parametrize(
    "url",
    [
        "", "a", "//h", "http://h", "http://u:p@H:080/a;b?c?d#e#", "http://[::1]:80/", "mailto:a@b",
        "HTTP://h/ a", "http://h:x/", "x y", "http://h/?", "http://h/#", "http://é/", " http://h/",
        "ht\ntp://h/", "1a:b", "a%zz",
    ],
)  # fmt: skip
@pytest.mark.parametrize("fragments", [True, False])
def test_splits_agree(url: str, fragments: bool) -> None:
    for name in ("urlsplit", "urlparse"):
        of_theirs, of_ours = getattr(urllib.parse, name), getattr(stdlib, name)
        theirs, ours = of_theirs(url, "s", fragments), of_ours(url, "s", fragments)
        assert (ours, type(ours)) == (theirs, type(theirs))
        if url.isascii():
            theirs, ours = of_theirs(url.encode(), b"s", fragments), of_ours(url.encode(), b"s", fragments)
            assert (ours, type(ours)) == (theirs, type(theirs))


@pytest.mark.parametrize("url", ["", "a#b", "http://h/#", "//h/a?b#c", "http://h/ #x", "#", "mailto:a@b#c"])
def test_defrag_agrees(url: str) -> None:
    theirs = urllib.parse.urldefrag(url)
    assert (stdlib.urldefrag(url), type(stdlib.urldefrag(url))) == (theirs, type(theirs))
    assert stdlib.urldefrag(url.encode()) == theirs.encode()
    with pytest.raises(ParseError):
        stdlib.urldefrag("a b", errors="strict")


def test_errors_agree() -> None:
    wrong: Any
    for wrong in (("http://[::1/",), ("a", b"b"), (1,)):
        with pytest.raises(Exception) as theirs:
            urllib.parse.urlsplit(*wrong)
        with pytest.raises(type(theirs.value)):
            stdlib.urlsplit(*wrong)


def test_strict() -> None:
    assert stdlib.urlsplit("http://h/a", errors="strict").netloc == "h"
    for wrong in ("http://h/a b", "http://h:x/", " http://h/"):
        with pytest.raises(ParseError):
            stdlib.urlsplit(wrong, errors="strict")
    with pytest.raises(ParseError):
        stdlib.urljoin("http://h/", "a b", errors="strict")
    with pytest.raises(UriError):
        stdlib.urljoin("relative", "a", errors="strict")
    unknown: Any = "ignore"
    with pytest.raises(ValueError, match="errors must be"):
        stdlib.urlsplit("a", errors=unknown)

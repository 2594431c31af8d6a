"""`locator_uri.stdlib` with the tests of the standard library itself, and the differences."""

from __future__ import annotations

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

# These test the module `urllib.parse` itself: what its `__all__` has, and its cache.
OF_THE_MODULE = {"test_all", "test_clear_cache_for_code_coverage"}


def test_tests_of_the_standard_library(monkeypatch: pytest.MonkeyPatch) -> None:
    tests: Any = pytest.importorskip("test.test_urlparse")
    monkeypatch.setattr(urllib.parse, "urlsplit", stdlib.urlsplit)
    monkeypatch.setattr(urllib.parse, "urljoin", stdlib.urljoin)
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


@pytest.mark.parametrize(
    ("base", "reference", "theirs", "ours"),
    [
        # 5.2: resolution is the same for every scheme.
        ("myscheme://h/a/b", "../c", "../c", "myscheme://h/c"),
        ("git+ssh2://h/a", "b", "b", "git+ssh2://h/b"),
        # 5.2.2: an authority without a path, and a query.
        ("http://a/b", "http:", "http://a/b", "http:"),
    ],
)
def test_joins_that_differ(base: str, reference: str, theirs: str, ours: str) -> None:
    assert urllib.parse.urljoin(base, reference) == theirs
    assert stdlib.urljoin(base, reference) == ours


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
    theirs = urllib.parse.urlsplit(url, "s", fragments)
    ours = stdlib.urlsplit(url, "s", fragments)
    assert (ours, type(ours)) == (theirs, type(theirs))
    if url.isascii():
        data = urllib.parse.urlsplit(url.encode(), b"s", fragments)
        assert stdlib.urlsplit(url.encode(), b"s", fragments) == data


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

"""A program of a user, for type checkers; test_types.py runs it, too."""

from typing import assert_type

from locator_uri import Comparison, Finding, Match, ParseError, Plan, Uri, UriRef, UriTemplate, find, parse, surt
from locator_uri.stdlib import ParseResult, parse_qsl, quote, urljoin, urlparse
from locator_uri.whatwg import URL, URLSearchParams, ValidationError, validate


class Page(Uri):
    """A subclass."""


def main() -> None:
    uri = Uri("https://example.com/a?b=1")
    assert_type(uri / "c" % {"d": 2}, Uri)
    assert_type(Page("https://example.com/") / "a", Page)
    assert_type(uri.with_(host="h", encode=True), Uri)
    assert_type(uri.with_(scheme=None), UriRef)
    assert_type(uri.with_host("h").with_query(a=1).update_query({"b": [1, 2]}), Uri)
    assert_type(uri.extend_query([("a", 1), ("b", None)]).append_query("c", "d"), Uri)
    assert_type(uri.scheme, str)
    assert_type(UriRef("a").scheme, str | None)
    assert_type(uri.origin(), Uri | None)
    assert_type(uri.query_pairs(), list[tuple[str, str]])
    assert_type(uri.query_param("b", 0), str | int)
    assert_type(uri.compare("https://example.com/"), Comparison)
    assert_type(uri.audit(), list[Finding])
    assert_type(uri.plan(), Plan)
    assert_type(find("http://a/"), list[Match])
    assert_type(parse("http://a/"), UriRef | None)
    assert_type(surt("http://a/"), str | None)
    assert_type(UriTemplate("/{a}").expand(a=1), str)
    assert_type(Uri.build(scheme="https", host="h"), Uri)
    assert_type(urlparse("http://a/"), ParseResult)
    assert_type(urljoin("http://a/", "b"), str)
    assert_type(urljoin(b"http://a/", b"b"), bytes)
    url = URL("/a", base="https://example.com/")
    url.port, url.hash = 8080, "top"
    assert_type(url.port, str)
    assert_type(URL.parse("https://example.com/", uri), URL | None)
    assert_type(url.search_params.get("a"), str | None)
    assert_type(list(URLSearchParams({"a": 1})), list[tuple[str, str]])
    assert_type(validate("https://example.com/"), list[ValidationError])
    print(parse_qsl("a=1"), quote("a b"), sorted([uri, uri]), {uri: 1}, uri == uri)
    try:
        Uri("a b")
    except ParseError as error:
        print(error.offset, error.report())


main()

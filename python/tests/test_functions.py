"""The functions of the module."""

from __future__ import annotations

import pytest

from locator_uri import (
    PUBLIC_SUFFIX_LIST,
    Uri,
    audit,
    find,
    host,
    is_valid,
    parse,
    public_suffix,
    readings,
    redacted,
    registered_domain,
    subdomain,
)


def test_is_valid() -> None:
    assert is_valid("http://h/") and is_valid(b"http://h/") and is_valid(Uri("http://h/"))
    assert not is_valid("/a") and not is_valid("http://h/ ") and not is_valid("http://h/\ud800")
    assert not is_valid(b"http://h/\xff")
    assert is_valid("http://h/é", edition="rfc3987")


def test_host() -> None:
    assert host("http://Example.com:80/") == "Example.com"
    assert host("//h/") == "h"
    assert host("file:///a") == ""
    assert host("mailto:a@b") is None
    assert host("http://h/ ") is None
    assert host("http://h/\ud800") is None


def test_parse() -> None:
    assert parse("http://h/") == Uri("http://h/")
    assert parse("http://h/ ") is None
    assert parse("http://h/ ", 0) == 0
    with pytest.raises(TypeError):
        parse(None)  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="no edition"):
        parse("http://h/", edition="none")


def test_find_counts_characters() -> None:
    text = "é \ud800 http://example.com/ü, \U0001f600 <https://example.org/>"
    found = find(text)
    assert [match.kind for match in found] == ["bare", "angle"]
    assert all(text[match.start : match.end] == match.url for match in found)
    assert [match.uri and match.uri.edition for match in found] == ["rfc3987", "rfc3986"]
    data = "é http://example.com/".encode()
    assert [(match.start, match.end) for match in find(data)] == [(3, 22)]
    assert find("") == []


def test_audit() -> None:
    text = "http://é@www.example.com@10.0.0.1/"
    codes = {finding.code for finding in audit(text)}
    assert codes
    for finding in audit("http://www.example.com@10.0.0.1/"):
        assert finding.severity in ("low", "medium", "high")
        assert finding.advice and finding.see
    few, all_of_them = audit(text, least="high"), audit(text, least="info")
    assert len(few) < len(all_of_them)
    assert Uri("https://example.com/").audit() == []
    assert audit("http://h/\ud800") != []
    with pytest.raises(ValueError, match="least must be one of"):
        audit(text, least="most")  # type: ignore[arg-type]


def test_readings() -> None:
    assert readings("http://example.com/").agree
    found = readings("http://evil.example\\@good.example/")
    assert not found.agree
    assert "curl" in found.contacts[0].readers
    assert Uri("http://example.com/").readings().contacts[0].port == 80


def test_domains() -> None:
    uri = Uri("https://a.B.example.CO.UK./")
    assert registered_domain(uri) == uri.registered_domain() == "example.co.uk"
    assert public_suffix(uri) == uri.public_suffix() == "co.uk"
    assert subdomain(uri) == uri.subdomain() == "a.b"
    assert registered_domain("http://a.b.github.io/", private=True) == "b.github.io"
    assert subdomain("http://anna.github.io/") == "anna"
    assert registered_domain("http://www.bücher.de/", edition="rfc3987") == "xn--bcher-kva.de"
    for text in ("http://127.0.0.1/", "http://co.uk/", "http://x.invalid/", "/a", "http://a b/"):
        assert registered_domain(text) is None
    assert PUBLIC_SUFFIX_LIST


def test_redacted() -> None:
    assert redacted("http://jan:x y@h/") == "http://jan:(hidden)@h/"

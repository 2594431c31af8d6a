"""`ParseError`: positions in characters, and what survives a pickle."""

from __future__ import annotations

import pickle

import pytest

from locator_uri import ParseError, Uri, UriError, UriRef


def error_of(text: str | bytes, edition: str = "rfc3986") -> ParseError:
    with pytest.raises(ParseError) as caught:
        UriRef(text, edition=edition)
    return caught.value


def test_fields() -> None:
    error = error_of("http://example.com/a b")
    assert isinstance(error, UriError) and isinstance(error, ValueError)
    assert error.input == "http://example.com/a b"
    assert error.edition == "rfc3986"
    assert (error.offset, error.length) == (20, 1)
    assert (error.byte_offset, error.byte_length) == (20, 1)
    assert (error.part, error.rule, error.found) == ("path", "pchar", "a space")
    assert (error.message, error.see) == ("a space is not allowed in the path", "RFC 3986, 3.3")
    assert str(error) == "a space is not allowed in the path, at offset 20 (pchar, RFC 3986, 3.3)"
    assert repr(error) == f"ParseError({str(error)!r})"


@pytest.mark.parametrize(
    ("text", "offset", "length", "byte_offset", "byte_length"),
    [
        ("é b", 1, 1, 2, 1),
        ("\U0001f600/é\x00", 3, 1, 7, 1),
        ("http://h/\ud800", 9, 1, 9, 1),
        ("é\udfff", 1, 1, 2, 1),
        (b"\xc3\xa9 b", 2, 1, 2, 1),
        (b"a\xff", 1, 1, 1, 1),
    ],
)
def test_positions(
    text: str | bytes, offset: int, length: int, byte_offset: int, byte_length: int
) -> None:
    error = error_of(text, "rfc3987")
    assert (error.offset, error.length) == (offset, length)
    assert (error.byte_offset, error.byte_length) == (byte_offset, byte_length)
    assert error.input is text


def test_character_of_several_bytes() -> None:
    error = error_of("http://h/é")
    assert (error.offset, error.length, error.byte_length) == (9, 1, 2)


def test_lone_surrogate() -> None:
    error = error_of("http://h/\ud800")
    assert error.found == "U+D800"
    assert error.message == "U+D800, a lone surrogate, is not a character"
    assert "\ufffd" not in str(error)
    assert error_of("a b\ud800").found == "a space"


@pytest.mark.parametrize("text", ["http://a b/", "é", "x\udc80", b"\xff"])
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickle(text: str | bytes, protocol: int) -> None:
    error = error_of(text)
    loaded = pickle.loads(pickle.dumps(error, protocol))
    assert type(loaded) is ParseError
    assert vars(loaded) == vars(error)
    assert (str(loaded), loaded.args) == (str(error), error.args)


def test_pickle_of_other_errors() -> None:
    with pytest.raises(UriError) as caught:
        Uri("http://h/").to_path()
    loaded = pickle.loads(pickle.dumps(caught.value))
    assert (type(loaded), str(loaded)) == (UriError, str(caught.value))


def test_report_hides_passwords() -> None:
    error = error_of("http://jan:pass|word@h/")
    assert "pass" not in error.report()
    assert "(hidden)" in error.report()


def test_report_of_all_errors() -> None:
    for text in ("http://a b/", "é", "x\udc80", b"\xff", "1:", "http://[::z]/"):
        error = error_of(text)
        assert error.report().count("\n") >= 2, text

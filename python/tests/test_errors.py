"""`ParseError`: positions in characters, and what survives a pickle."""

from __future__ import annotations

import pathlib
import pickle
import tomllib

import pytest

from locator_uri import EDITIONS, ParseError, Uri, UriError, UriRef

CASES = pathlib.Path(__file__).parents[2] / "testdata"


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


def test_report_of_a_lone_surrogate() -> None:
    assert error_of("http://h/a\ud83d/\udcff", "rfc3987").report().splitlines() == [
        "U+D83D, a lone surrogate, is not a character",
        "  http://h/a<U+D83D>/<U+DCFF>",
        "            ^^^^^^^^ byte 10",
        "  expected an IRI or a relative reference",
        "  by IRI-reference, RFC 3987, 2.2",
        "  it is half of a pair of UTF-16; decode the text as UTF-16",
    ]
    report = error_of("http://h/\udcff").report()
    assert 'errors="surrogateescape"; pass the bytes' in report and "U+FFFD" not in report
    # The first error is another one.
    assert error_of("a b\ud800").report().splitlines()[:2] == [
        "a space is not allowed in the path",
        "  a b<U+D800>",
    ]


def test_advice_is_for_python() -> None:
    cases = tomllib.loads((CASES / "errors.toml").read_text(encoding="utf-8"))["case"]
    texts = [case["input"] for case in cases if "input" in case]
    reports = []
    for text in texts:
        for edition in EDITIONS:
            try:
                UriRef(text, edition=edition)
            except ParseError as error:
                reports.append(error.report())
                is_hidden = "a hidden character" in reports[-1]
                assert is_hidden or reports[-1].startswith(error.message), text
    assert len(reports) > 100
    assert not [report for report in reports if " --" in report or "locator" in report]
    assert any("use the edition rfc3987" in report for report in reports)


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

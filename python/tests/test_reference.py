"""`UriRef` and `Uri`: components, the object protocol, and methods that return others."""

from __future__ import annotations

import copy
import ipaddress
import pathlib
import pickle
from typing import Any

import pytest

from locator_uri import EDITIONS, ParseError, Uri, UriError, UriRef, UriTemplate, parse

FULL = "https://jan:secret@example.com:8080/a/b%20c?q=1#top"


def test_components() -> None:
    uri = Uri(FULL)
    assert uri.scheme == "https"
    assert uri.authority == "jan:secret@example.com:8080"
    assert uri.userinfo == "jan:secret"
    assert (uri.user, uri.password) == ("jan", "secret")
    assert (uri.host, uri.host_kind) == ("example.com", "name")
    assert (uri.port, uri.port_text, uri.effective_port) == (8080, "8080", 8080)
    assert uri.path == "/a/b%20c"
    assert uri.segments == ("a", "b c")
    assert (uri.query, uri.fragment) == ("q=1", "top")
    assert (uri.kind, uri.edition) == ("uri", "rfc3986")


def test_absent_is_none_and_empty_is_empty() -> None:
    absent = UriRef("")
    parts = [absent.scheme, absent.authority, absent.userinfo, absent.user, absent.password]
    parts += [absent.host, absent.host_kind, absent.port_text, absent.query, absent.fragment]
    assert parts == [None] * 10
    assert (absent.port, absent.effective_port, absent.ip, absent.path) == (None, None, None, "")
    empty = UriRef("//:@:?#")
    assert (empty.authority, empty.userinfo, empty.user, empty.password) == (":@:", ":", "", "")
    assert (empty.host, empty.port_text, empty.port) == ("", "", None)
    assert (empty.query, empty.fragment) == ("", "")


@pytest.mark.parametrize(
    ("text", "port", "effective"),
    [
        ("http://h", None, 80),
        ("http://h:0080", 80, 80),
        ("http://h:65535", 65535, 65535),
        ("http://h:65536", None, None),
        ("x://h", None, None),
    ],
)
def test_port(text: str, port: int | None, effective: int | None) -> None:
    assert Uri(text).port == port
    if port is not None or text.count(":") == 1:
        assert Uri(text).effective_port == effective


def test_ip() -> None:
    assert Uri("http://127.0.0.1/").ip == ipaddress.IPv4Address("127.0.0.1")
    assert Uri("http://[::1]/").ip == ipaddress.IPv6Address("::1")
    assert Uri("http://[::1]/").host == "[::1]"
    assert Uri("http://127.1/").ip is None


def test_keeps_the_str() -> None:
    text = "http://" + "example.com"
    assert str(Uri(text)) is text
    assert str(UriRef(Uri(text))) is text


class Text(str):
    """A subclass of `str`."""


def test_accepts_str_bytes_and_references() -> None:
    assert Uri(b"http://h/") == Uri("http://h/") == Uri(UriRef("http://h/"))
    assert Uri(Text("http://h/")).host == "h"
    assert UriRef("http://h/é".encode(), edition="rfc3987").path == "/é"
    for wrong in (None, 1, ["http://h/"], bytearray(b"http://h/")):
        with pytest.raises(TypeError, match="expected str, bytes or UriRef"):
            Uri(wrong)  # type: ignore[arg-type]


def test_editions() -> None:
    for edition in EDITIONS:
        assert Uri("http://example.com/", edition=edition).edition == edition
    with pytest.raises(ValueError, match="no edition has this name"):
        Uri("http://h/", edition="rfc1")
    with pytest.raises(ParseError):
        UriRef("/a", edition="rfc1738")
    assert UriRef("/é", edition="rfc3987").path == "/é"


def test_is_immutable() -> None:
    uri: Any = Uri("http://h/")
    with pytest.raises(AttributeError):
        uri.host = "other"
    with pytest.raises(AttributeError):
        uri.other = 1


def test_equality_hash_and_order() -> None:
    one, other = Uri("http://h/a"), UriRef("http://h/a")
    assert one == other and hash(one) == hash(other)
    assert one != Uri("http://h/b")
    text: object = "http://h/a"
    assert one != text
    assert {one, other, Uri("http://h/b")} == {one, Uri("http://h/b")}
    texts = ["http://h/b", "b", "http://h/a", "é", "\U0001f600", "\uff5e"]
    references = [UriRef(text, edition="rfc3987") for text in texts]
    assert [str(reference) for reference in sorted(references)] == sorted(texts)
    with pytest.raises(TypeError):
        one < "http://h/b"  # type: ignore[operator]


class Mine(Uri):
    """A subclass of a user."""


@pytest.mark.parametrize(
    "made",
    [Uri(FULL), UriRef("../a?q"), UriRef("//h/é", edition="rfc3987"), Mine("http://h/")],
)
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickle(made: UriRef, protocol: int) -> None:
    loaded = pickle.loads(pickle.dumps(made, protocol))
    assert type(loaded) is type(made)
    assert (loaded, loaded.edition) == (made, made.edition)


def test_copy() -> None:
    uri = Uri(FULL)
    assert copy.copy(uri) is uri
    assert copy.deepcopy([uri])[0] is uri


def test_texts() -> None:
    uri = Uri(FULL)
    assert repr(uri) == "Uri('https://jan:(hidden)@example.com:8080/a/b%20c?q=1#top')"
    assert repr(UriRef("é", edition="rfc3987")) == "UriRef('é', edition='rfc3987')"
    assert repr(Mine("http://h'/")) == "Mine(\"http://h'/\")"
    assert f"{Uri('a:b'):>5}" == "  a:b"
    assert bytes(UriRef("é", edition="rfc3987")) == "é".encode()
    assert uri.redacted() == "https://jan:(hidden)@example.com:8080/a/b%20c?q=1#top"


def test_span_counts_characters() -> None:
    iri = UriRef("http://bücher/é?ö", edition="rfc3987")
    text = str(iri)
    for part in ("scheme", "host", "path", "query"):
        span = iri.span(part)
        assert span is not None
        assert text[slice(*span)] == getattr(iri, part)
    assert iri.span("fragment") is None
    with pytest.raises(ValueError, match="unknown component"):
        iri.span("hosts")


def test_uri_needs_a_scheme() -> None:
    with pytest.raises(ParseError):
        Uri("//h/a")
    assert type(parse("//h/a")) is UriRef
    assert type(parse("http://h/a")) is Uri


@pytest.mark.parametrize(
    ("reference", "result"),
    [
        # RFC 3986, 5.4
        ("g:h", "g:h"),
        ("g", "http://a/b/c/g"),
        ("//g", "http://g"),
        ("?y", "http://a/b/c/d;p?y"),
        ("#s", "http://a/b/c/d;p?q#s"),
        ("", "http://a/b/c/d;p?q"),
        ("../../../g", "http://a/g"),
        ("g/../h", "http://a/b/c/h"),
    ],
)
def test_resolve(reference: str, result: str) -> None:
    base = Uri("http://a/b/c/d;p?q")
    assert str(base.resolve(reference)) == result
    assert str(base.resolve(UriRef(reference))) == result
    assert base.resolve(base.resolve(reference).relative_to(base)) == Uri(result)
    assert type(base.resolve(reference)) is Uri


def test_resolve_fails() -> None:
    with pytest.raises(ParseError) as caught:
        Uri("http://a/").resolve("b c")
    assert (caught.value.input, caught.value.offset) == ("b c", 1)
    with pytest.raises(UriError):
        Uri("http://a/", edition="rfc1738").resolve("http://b/")


def test_with() -> None:
    uri = Uri("http://example.com/a?q#f")
    assert str(uri.with_(scheme="https", host="h", port=1)) == "https://h:1/a?q#f"
    assert str(uri.with_(user="jan", password="x")) == "http://jan:x@example.com/a?q#f"
    assert str(uri.with_(query=None, fragment=None)) == "http://example.com/a"
    assert str(uri.with_(query="", fragment="")) == "http://example.com/a?#"
    assert type(uri.with_(scheme=None)) is UriRef
    assert str(uri.with_(path="/é", encode=True)) == "http://example.com/%C3%A9?q#f"
    assert uri.with_() == uri
    other = Uri("ftp://jan@h:21/%7E?x%20y")
    moved = uri.with_(userinfo=other.userinfo, path=other.path, query=other.query)
    assert str(moved) == "http://jan@example.com/%7E?x%20y#f"


def test_with_fails() -> None:
    uri: Any = Uri("http://h/")
    with pytest.raises(UriError) as caught:
        uri.with_(path="/a b")
    assert caught.value.part == "path"
    assert caught.value.see == "RFC 3986, 3.3"
    with pytest.raises(ValueError, match="0..=65535"):
        uri.with_(port=65536)
    with pytest.raises(TypeError, match="unexpected keyword"):
        uri.with_(hosts="h")
    with pytest.raises(TypeError):
        uri.with_(host=1)


def test_query_params() -> None:
    uri = Uri("http://h/?q=a+b&q=%C3%A9&flag&e=&bad=%FF")
    assert uri.query_params() == [
        ("q", "a b"), ("q", "é"), ("flag", None), ("e", ""), ("bad", "\ufffd"),
    ]  # fmt: skip
    assert uri.query_params(spaces="percent")[0] == ("q", "a+b")
    assert uri.query_param("q") == "a b"
    assert uri.query_param("flag") == ""
    assert uri.query_param("none") is None
    assert uri.query_param("none", 1) == 1
    assert Uri("http://h/").query_params() == []


def test_changes_of_the_query() -> None:
    uri = Uri("http://h/?a=1&b&a=2&utm_x=3")
    assert str(uri.with_query_params([("a", "x&y"), ("a", 2), ("b", None)])) == "http://h/?a=x%26y&a=2&b"
    assert str(uri.with_query_params({})) == "http://h/"
    assert str(uri.with_query_params(None)) == "http://h/"
    assert str(uri.with_query_params({"a": "b c"}, spaces="percent")) == "http://h/?a=b%20c"
    assert str(uri.set_query_params({"a": "9", "c": 1})) == "http://h/?a=9&b&utm_x=3&c=1"
    assert str(uri.set_query_params({"a": None, "c": None})) == "http://h/?a&b&utm_x=3&c"
    assert str(uri.set_query_params([("a", 7), ("a", 8)])) == "http://h/?a=7&b&utm_x=3&a=8"
    assert str(uri.without_query_params("utm_*", "b")) == "http://h/?a=1&a=2"
    assert str(uri.with_query_params({"a": 1.5})) == "http://h/?a=1.5"
    wrong: Any
    for wrong in ({"a": True}, {"a": b"x"}, {"a": {}}):
        with pytest.raises(TypeError, match="as a value, not"):
            uri.with_query_params(wrong)
    with pytest.raises(ValueError, match="nan"):
        uri.with_query_params({"a": float("nan")})


def test_segments() -> None:
    assert str(Uri("http://h/a/?q#f") / "b c" / "d/50%") == "http://h/a/b%20c/d/50%25"
    assert str(Uri("http://h/a/?q#f").append_segments("b c", "d/e")) == "http://h/a/b%20c/d%2Fe?q#f"
    for path in ("..", "b/../..", "/b"):
        with pytest.raises(ValueError):
            Uri("http://h/a") / path
    assert str(Uri("http://h").append_segments("a", "b")) == "http://h/a/b"
    with pytest.raises(UriError):
        Uri("http://h").append_segments("..")


def test_normalize_and_compare() -> None:
    uri = Uri("HTTP://Example.com:80/%7Ejan/../a")
    assert str(uri.normalize()) == "http://example.com/a"
    assert str(uri.normalize("syntax")) == "http://example.com:80/a"
    assert uri.is_equivalent("http://example.com/a")
    assert not uri.is_equivalent("http://example.com/a", level="syntax")
    assert uri.compare(uri).rung == "simple"
    found = uri.compare("http://example.com/b")
    assert found.rung is None and not found.is_equivalent
    assert [one.kind for one in found.differences][-1] == "content"
    wrong: Any = "none"
    with pytest.raises(ValueError, match="level must be"):
        uri.normalize(wrong)


def test_iri() -> None:
    iri = UriRef("http://bücher.example/é", edition="rfc3987")
    assert str(iri.to_uri()) == "http://b%C3%BCcher.example/%C3%A9"
    assert str(iri.to_uri(idna=True)) == "http://xn--bcher-kva.example/%C3%A9"
    assert iri.host_ascii == "xn--bcher-kva.example"
    assert Uri("http://xn--bcher-kva.example/").host_unicode == "bücher.example"


def test_paths() -> None:
    path = pathlib.Path("/tmp/a b%.txt").absolute()
    uri = Uri.from_path(path)
    assert type(uri) is Uri
    assert uri.path.endswith("/a%20b%25.txt")
    assert uri.to_path() == path
    assert Uri.from_path(str(path)) == uri
    with pytest.raises(UriError):
        Uri.from_path("relative")
    with pytest.raises(UriError):
        Uri("http://h/a").to_path()


def test_plan() -> None:
    plan = Uri("ftp://myname@host.dom/%2Fetc/motd", edition="rfc1738").plan()
    assert plan.octets == b"USER myname\r\nPASS \r\nCWD /etc\r\nTYPE I\r\nRETR motd\r\n"
    assert str(plan).startswith("connect to host.dom, port 21")
    with pytest.raises(UriError):
        Uri("unknown:x").plan()


class Page(Uri):
    """A subclass with an attribute."""

    title: str

    def __init__(self, text: str, title: str = "") -> None:
        self.title = title

    def __new__(cls, text: str, title: str = "") -> Page:
        return super().__new__(cls, text)


class Slotted(UriRef):
    __slots__ = ("note",)
    note: list[int]


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickle_and_copy_of_subclasses(protocol: int) -> None:
    page = Page("http://h/a", "A")
    slotted = Slotted("a?b")
    slotted.note = [1]
    for made in (page, slotted):
        for copied in (pickle.loads(pickle.dumps(made, protocol)), copy.copy(made), copy.deepcopy(made)):
            assert type(copied) is type(made) and copied == made and copied is not made
    assert pickle.loads(pickle.dumps(page, protocol)).title == copy.copy(page).title == "A"
    assert copy.copy(slotted).note is slotted.note
    assert copy.deepcopy(slotted).note == [1] and copy.deepcopy(slotted).note is not slotted.note


def test_methods_of_subclasses() -> None:
    page = Page("http://h/a?b#c", "A")
    for made in (
        page / "d", page % {"x": 1}, page.with_host("i"), page.resolve("j"), page.normalize(),
        page.without_fragment(), page.with_(path="/k"), page.parent, page.origin(),
        Page.build(scheme="http", host="h"), Page.from_path("/tmp"), Page.from_text("http://h"),
    ):  # fmt: skip
        assert type(made) is Page
    assert type(page.with_(scheme=None)) is UriRef
    # Its constructor takes no edition, so it cannot make an IRI.
    with pytest.raises(TypeError, match="edition"):
        page.to_iri()
    assert type(Slotted("a").with_query(b=1)) is Slotted
    with pytest.raises(AttributeError):
        page.host = "other"  # type: ignore[misc]


def test_with_methods_keep_escapes() -> None:
    uri = Uri("http://h/")
    assert uri.with_path(Uri("http://i/a%20b%2Fc").path).path == "/a%20b%2Fc"
    assert str(uri.with_path("/100% [x] é?#")) == "http://h/100%25%20%5Bx%5D%20%C3%A9%3F%23"
    assert str(uri.with_query("a=b c#%zz")) == "http://h/?a=b%20c%23%25zz"
    assert str(uri.with_fragment("a b#")) == "http://h/#a%20b%23"
    assert str(uri.with_user("a:b@c").with_password("d:e@f")) == "http://a%3Ab%40c:d:e%40f@h/"
    assert str(uri.with_host("[::1]")) == "http://[::1]/"
    assert str(uri.with_host("a/b@c")) == "http://a%2Fb%40c/"
    with pytest.raises(UriError):
        uri.with_host("[x")
    iri = UriRef("http://h/é", edition="rfc3987")
    assert str(iri.with_path("/ü").with_host("bücher.example")) == "http://bücher.example/ü"
    with pytest.raises(ValueError, match="0..=65535"):
        uri.with_port(65536)


def test_names_and_parents() -> None:
    assert [Uri(f"http://h{path}").name for path in ("", "/", "/a", "/a/", "/a%2Fb")] == [
        "", "", "a", "", "a/b",
    ]  # fmt: skip
    assert [UriRef(path).parent.path for path in ("a", "a/b", "/a", "/a/", "", "//h")] == [
        "", "a", "/", "/a", "", "",
    ]  # fmt: skip
    assert str(Uri("http://h/a/").with_name("b")) == "http://h/a/b"
    for wrong in ("", ".", "..", "a/b"):
        with pytest.raises(ValueError):
            Uri("http://h/a").with_name(wrong)
    for wrong in ("txt", ".", "./a"):
        with pytest.raises(ValueError):
            Uri("http://h/a").with_suffix(wrong)
    assert Uri("mailto:a@b").origin() is None


def test_template() -> None:
    template = UriTemplate("{/list*}{?map*,n,none}")
    assert template.variables == ("list", "map", "n", "none")
    made = template.expand({"list": ["a", "b c"], "n": 1}, map={"x": "y&"}, none=None)
    assert made == "/a/b%20c?x=y%26&n=1"
    assert str(template) == "{/list*}{?map*,n,none}"
    assert pickle.loads(pickle.dumps(template)) == template and hash(template)
    for wrong in ("{a", "a}", "{}", "{=a}", "a b"):
        with pytest.raises(UriError, match="RFC 6570"):
            UriTemplate(wrong)
    with pytest.raises(TypeError, match="not bool"):
        template.expand(n=True)
    with pytest.raises(TypeError, match="mapping"):
        template.expand("n")  # type: ignore[arg-type]
    with pytest.raises(UriError, match="not a URI reference"):
        UriTemplate("{a}:80").expand(a="1")

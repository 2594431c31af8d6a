"""The rows of the pages about other packages: both sides have the same value, for URLs that both read.

Where they differ, the page says so under "What changes", whose examples test_guides.py runs.
"""

from __future__ import annotations

import pathlib
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from locator_uri import Uri, UriRef, arrow, is_valid, public_suffix, registered_domain, subdomain

DOCS = pathlib.Path(__file__).parents[1] / "docs"

URLS = (
    "http://www.example.com/",
    "http://www.example.co.uk/a/b?q=1#top",
    "http://joe@example.com:8080/a/c?q=1&x=2",
    "https://blog.user.github.io/a%20b/?x=a+b&q=%C3%A9#f",
    "http://192.0.2.1/a;v=1",
    "ftp://u@ftp.example.org/pub/a.txt",
    "https://example.org/a//b?q=1&q=2",
)
# Relative references, for the example base of RFC 3986, 5.4.
LINKS = (
    "g:h",
    "g",
    "./g",
    "g/",
    "/g",
    "//g",
    "?y",
    "g?y",
    "#s",
    "g;x",
    "",
    ".",
    "./",
    "..",
    "../g",
    "../../g",
    "../../../g",
)
BASE = "http://a/b/c/d;p?q"
HOSTS = (
    "http://a.b.example.co.uk/",
    "https://EXAMPLE.com:8/x",
    "ftp://u@www.example.org/",
    "http://blog.user.github.io/",
)

Pair = tuple[Callable[[str], object], Callable[[str], object], tuple[str, ...]]


def same(theirs: Callable[[str], object], ours: Callable[[str], object], *urls: str) -> Pair:
    """Both give the same for each URL."""
    return theirs, ours, urls or URLS


def names(read: Callable[[str], Any], theirs: str, ours: str, *urls: str) -> list[Pair]:
    """The attributes of an object of theirs and of ours, name for name."""

    def pair(one: str, other: str) -> Pair:
        return same(lambda url: getattr(read(url), one), lambda url: getattr(UriRef(url), other), *urls)

    return [pair(one, other) for one, other in zip(theirs.split(), ours.split(), strict=True)]


def absent(read: Callable[[str], Any], both: str, *urls: str) -> list[Pair]:
    """Their attributes, which are "" where ours are None."""

    def pair(name: str) -> Pair:
        return same(lambda url: getattr(read(url), name), lambda url: getattr(UriRef(url), name) or "", *urls)

    return [pair(name) for name in both.split()]


def furl_rows() -> dict[str, list[Pair]]:
    furl: Any = pytest.importorskip("furl").furl

    def divided(url: str) -> str:
        changed = furl(url)
        changed.path /= "a"
        return changed.url  # type: ignore[no-any-return]

    def replaced(url: str) -> str:
        changed = furl(url)
        changed.args["q"] = 1
        return changed.url  # type: ignore[no-any-return]

    return {
        "`furl(text)`": [same(lambda url: furl(url).url, str)],
        "`.scheme`, `.username`, `.password`, `.host`": names(
            furl, "scheme username password host", "scheme user password host"
        ),
        "`.port`": names(furl, "port", "effective_port"),
        "`.netloc`, `.origin`": [
            *names(furl, "netloc", "netloc"),
            same(lambda url: furl(url).origin, lambda url: str(Uri(url).origin())),
        ],
        "`.path.segments`": [same(lambda url: tuple(furl(url).path.segments), lambda url: Uri(url).segments)],
        '`.args["q"]`, `.args.allitems()`': [
            same(lambda url: furl(url).args.get("q"), lambda url: Uri(url).query_param("q")),
            same(lambda url: furl(url).args.allitems(), lambda url: Uri(url).query_params()),
        ],
        '`.add({"q": 1})`': [
            same(
                lambda url: furl(url).add({"q": 1}).url,
                lambda url: str(Uri(url).extend_query({"q": 1})),
            )
        ],
        '`.args["q"] = 1`': [same(replaced, lambda url: str(Uri(url).update_query({"q": 1})))],
        '`.set({"q": 1})`': [
            same(
                lambda url: furl(url).set({"q": 1}).url, lambda url: str(Uri(url).with_query({"q": 1}))
            )
        ],
        '`.remove(["q"])`': [
            same(lambda url: furl(url).remove(["q"]).url, lambda url: str(Uri(url).remove_query("q")))
        ],
        '`f.path /= "a"`': [same(divided, lambda url: str(Uri(url).append_segments("a")))],
        "`.join(link)`": [
            same(
                lambda link: furl(BASE).join(link).url, lambda link: str(Uri(BASE).resolve(link)), *LINKS[1:]
            )
        ],
        "`.url`, `.tostr()`": [
            same(lambda url: furl(url).url, str),
            same(lambda url: furl(url).tostr(), str),
        ],
        "`.copy()`": [],
    }


def hyperlink_rows() -> dict[str, list[Pair]]:
    hyperlink: Any = pytest.importorskip("hyperlink")
    read = hyperlink.URL.from_text
    decoded = hyperlink.parse
    return {
        "`URL.from_text(text)`, `hyperlink.parse(text)`": [same(lambda url: read(url).to_text(), str)],
        "`.scheme`, `.host`, `.fragment`": absent(read, "scheme host fragment"),
        "`.port`": names(read, "port", "effective_port"),
        "`.userinfo`, `.user`": absent(read, "userinfo user"),
        "`.path`, a tuple": [same(lambda url: decoded(url).path, lambda url: Uri(url).segments)],
        "`.query`, a tuple of pairs": [
            same(lambda url: list(decoded(url).query), lambda url: Uri(url).query_params())
        ],
        '`.get("q")`, a list': [
            same(lambda url: list(decoded(url).get("q")), lambda url: Uri(url).get("q")),
            same(lambda url: next(iter(decoded(url).get("q")), None), lambda url: Uri(url).query_param("q")),
        ],
        '`.replace(scheme="https")`': [
            same(
                lambda url: read(url).replace(scheme="https").to_text(),
                lambda url: str(Uri(url).replace(scheme="https")),
                URLS[2],
                URLS[3],
            )
        ],
        '`.child("a", "b")`': [
            same(
                lambda url: read(url).child("a", "b").to_text(),
                lambda url: str(Uri(url).child("a", "b")),
            )
        ],
        '`.click("../b")`': [
            same(
                lambda link: read(BASE).click(link).to_text(),
                lambda link: str(Uri(BASE).click(link)),
                *LINKS[1:],
            )
        ],
        '`.add("q", "1")`': [
            same(
                lambda url: read(url).add("q", "1").to_text(),
                lambda url: str(Uri(url).add("q", "1")),
                *URLS[:3],
            )
        ],
        '`.set("q", "1")`, `.remove("q")`': [
            same(
                lambda url: read(url).set("q", "1").to_text(),
                lambda url: str(Uri(url).set("q", "1")),
            ),
            same(lambda url: read(url).remove("q").to_text(), lambda url: str(Uri(url).remove("q"))),
        ],
        "`.normalize()`": [
            same(
                lambda url: read(url).normalize().to_text(),
                lambda url: str(Uri(url).normalize()),
                *URLS,
                "HTTP://Example.com:80/a/./b/../%7Ec%2f",
                "http://example.com",
            )
        ],
        "`.to_uri()`, `.to_iri()`": [
            same(
                lambda url: read(url).to_uri().to_text(),
                lambda url: str(UriRef(url, edition="rfc3987").to_uri(idna=True)),
                "http://bücher.example/é?ü=ö#ä",
            ),
            same(
                lambda url: read(url).to_iri().to_text(),
                lambda url: str(Uri(url).to_iri()),
                "http://h/%C3%A9?%C3%BC",
            ),
        ],
        "`.to_text(with_password=True)`": [
            same(lambda url: read(url).to_text(with_password=True), str, *URLS, "http://joe:pw@h/")
        ],
        "`.to_text()`, which leaves the password out": [
            same(
                lambda url: "pw" in read(url).to_text(),
                lambda url: "pw" in Uri(url).redacted(),
                "http://joe:pw@h/",
            )
        ],
    }


def rfc3986_rows() -> dict[str, list[Pair]]:
    rfc3986: Any = pytest.importorskip("rfc3986")
    pytest.importorskip("rfc3986.builder")
    read = rfc3986.uri_reference
    parts = "scheme authority userinfo host path query fragment"
    return {
        "`uri_reference(text)`": [same(lambda url: read(url).unsplit(), str)],
        "`urlparse(text)`": [same(lambda url: rfc3986.urlparse(url).unsplit(), str)],
        "`.scheme`, `.authority`, `.userinfo`, `.host`, `.path`, `.query`, `.fragment`": names(
            read, parts, parts, *URLS, "/a", "a/b?c#d", "//h/?#"
        ),
        "`.port`, a `str`": names(read, "port", "port_text", *URLS, "http://h:080/"),
        "`is_valid_uri(text, require_scheme=True)`": [
            same(
                lambda url: rfc3986.is_valid_uri(url, require_scheme=True),
                is_valid,
                *URLS,
                "a",
                "/a",
                "//h/",
                "http://h:x/",
                "http://[::1",
            )
        ],
        "`validators.Validator()…validate(uri)`": [],
        "`.is_absolute()`": [
            same(
                lambda url: read(url).is_absolute(),
                lambda url: UriRef(url).without_fragment().is_absolute(),
                URLS[0],
                "/a",
                "//h/",
                "",
            )
        ],
        "`.resolve_with(base, strict=True)`": [
            same(
                lambda link: read(link).resolve_with(BASE, strict=True).unsplit(),
                lambda link: str(Uri(BASE).resolve(link)),
                *LINKS,
                "http:g",
            )
        ],
        "`.normalize()`, `normalize_uri(text)`": [
            same(
                theirs,
                lambda url: str(Uri(url).normalize("syntax")),
                *URLS,
                "HTTP://Example.com:80/a/./b/../c%2f",
            )
            for theirs in (lambda url: read(url).normalize().unsplit(), rfc3986.normalize_uri)
        ],
        "`.normalized_equality(other)`": [
            same(
                lambda url: read(url).normalized_equality(read("http://www.example.com/")),
                lambda url: Uri(url).is_equivalent("http://www.example.com/", "syntax"),
                *URLS,
                "HTTP://www.Example.com/a/../",
                "http://www.example.com:80/",
            )
        ],
        "`.copy_with(path=…)`": [
            same(
                lambda url: read(url).copy_with(path="/z").unsplit(),
                lambda url: str(Uri(url).copy_with(path="/z")),
            )
        ],
        "`.unsplit()`": [same(lambda url: read(url).unsplit(), str)],
        "`iri_reference(text).encode()`": [
            same(
                lambda iri: rfc3986.iri_reference(iri).encode().unsplit(),
                lambda iri: str(UriRef(iri, edition="rfc3987").to_uri(idna=True)),
                "http://bücher.example/é?ü#ö",
            )
        ],
        "`builder.URIBuilder()`": [
            same(
                lambda host: (
                    rfc3986.builder.URIBuilder(scheme="http", host=host, path="/a").finalize().unsplit()
                ),
                lambda host: str(UriRef("").with_(scheme="http", host=host).append_segments("a")),
                "example.com",
            )
        ],
    }


def tldextract_rows() -> dict[str, list[Pair]]:
    tldextract: Any = pytest.importorskip("tldextract")
    extract = tldextract.TLDExtract(suffix_list_urls=())
    private = tldextract.TLDExtract(suffix_list_urls=(), include_psl_private_domains=True)

    def lower(name: str, read: Callable[[str], Any] = extract) -> Callable[[str], object]:
        return lambda url: getattr(read(url), name).lower()

    def address(url: str) -> str:
        return extract(url).ipv4 or extract(url).ipv6  # type: ignore[no-any-return]

    return {
        "`extract(url).top_domain_under_public_suffix`": [
            same(lower("top_domain_under_public_suffix"), registered_domain, *HOSTS)
        ],
        "`extract(url).suffix`": [same(lower("suffix"), public_suffix, *HOSTS)],
        "`extract(url).subdomain`": [
            same(lower("subdomain"), lambda url: subdomain(url) or "", *HOSTS, "http://example.com/")
        ],
        "`extract(url).fqdn`": [same(lambda url: extract(url).fqdn, lambda url: Uri(url).host, *HOSTS)],
        "`extract(url).ipv4`, `.ipv6`": [
            same(address, lambda url: str(Uri(url).ip), "http://192.0.2.1/", "http://[2001:db8::1]/")
        ],
        "`TLDExtract(include_psl_private_domains=True)`": [
            same(
                lower("top_domain_under_public_suffix", private),
                lambda url: registered_domain(url, private=True),
                *HOSTS,
            ),
            same(lower("suffix", private), lambda url: public_suffix(url, private=True), *HOSTS),
        ],
        "a column: `[extract(url) for url in urls]`": [
            same(
                lower("top_domain_under_public_suffix"),
                lambda url: arrow.registered_domain([url]).to_pylist()[0],
                *HOSTS,
            )
        ],
    }


def urllib_rows() -> dict[str, list[Pair]]:
    from urllib import parse

    read = parse.urlsplit
    both = (*URLS, "//h/a", "/a", "a/b?c#d", "")
    pairs = [("a", "1"), ("b", "x y"), ("c", "é&")]
    return {
        "`urlsplit(url)`": [same(lambda url: read(url).geturl(), lambda url: str(UriRef(url)), *both)],
        "`.scheme`": absent(read, "scheme", *both),
        "`.netloc`": names(read, "netloc", "netloc", *both),
        "`.username`, `.password`": [
            *names(read, "username password", "user password", *both, "http://a%40b:c%3Ad@h/"),
            *names(read, "username", "username", *both),
        ],
        "`.hostname`": names(
            read, "hostname", "hostname", *both, "http://EXAMPLE.com/", "http://[::1]/", "file:///a"
        ),
        "`.port`": names(read, "port", "port", *both, "http://h:080/", "http://h:/"),
        "`.path`, `.query`, `.fragment`": absent(read, "path query fragment", *both),
        "`.geturl()`": [same(lambda url: read(url).geturl(), lambda url: str(UriRef(url)), *both)],
        "`._replace(path=…)`": [
            same(
                lambda url: read(url)._replace(path="/z").geturl(),
                lambda url: str(Uri(url).replace(path="/z")),
            )
        ],
        "`urljoin(base, url)`": [
            same(lambda link: parse.urljoin(BASE, link), lambda link: str(Uri(BASE).join(link)), *LINKS)
        ],
        "`parse_qsl(uri.query, keep_blank_values=True)`": [
            same(
                lambda url: parse.parse_qsl(read(url).query, keep_blank_values=True),
                lambda url: UriRef(url).query_pairs(),
                *both,
                "?a&b=&c=%E2%82%AC+x",
            )
        ],
        "`urlencode(pairs)`": [
            same(
                lambda _: parse.parse_qsl(parse.urlencode(pairs)),
                lambda _: parse.parse_qsl(UriRef("").with_query_params(pairs).query or ""),
                "",
            )
        ],
        "`urldefrag(url)`": [
            same(
                lambda url: parse.urldefrag(url).url, lambda url: str(UriRef(url).without_fragment()), *both
            ),
            same(lambda url: parse.urldefrag(url).fragment, lambda url: UriRef(url).fragment or "", *both),
        ],
        "`quote`, `unquote`": [
            same(
                parse.quote,
                lambda text: UriRef("").with_(path=text, encode=True).path,
                "a b",
                "é/ü",
                "50%",
                "a?b",
            ),
            same(parse.unquote, lambda text: UriRef(text).segments[0], "a%20b", "%C3%A9", "a%2Fb"),
        ],
    }


# What is called by the same name in yarl and here.
CHANGES: tuple[Callable[[Any], object], ...] = (
    lambda url: url.with_scheme("https").with_host("h"),
    lambda url: url.with_host("::1"),
    lambda url: url.with_host("bücher.example"),
    lambda url: url.with_port(81),
    lambda url: url.with_port(None),
    lambda url: url.with_user("a b@c"),
    lambda url: url.with_user("joe").with_password("p@/é"),
    lambda url: url.with_user("joe").with_password("pw").with_user(None),
    lambda url: url.with_path("/a b/ä"),
    lambda url: url.with_path("/a", keep_query=True, keep_fragment=True),
    lambda url: url.with_fragment("a b"),
    lambda url: url.with_fragment(None),
)
CHANGES_OF_QUERY: tuple[Callable[[Any], object], ...] = (
    lambda url: url.with_query({"q": "a b"}),
    lambda url: url.with_query(None),
    lambda url: url.with_query("a=1&b=2"),
    lambda url: url.with_query(a=1, b="x&y"),
    lambda url: url.with_query({"a": [1, 2], "b": 0.5}),
    lambda url: url.update_query({"q": "1"}),
    lambda url: url.update_query(q="1", new="2"),
    lambda url: url.update_query("q=7&new=8"),
    lambda url: url.extend_query({"q": "1"}),
    lambda url: url.extend_query([("q", "1"), ("r", "a+b")]),
)


def changed(read: Callable[[str], Any], change: Callable[[Any], object]) -> Pair:
    """Both give the same copy."""
    return same(lambda url: str(change(read(url))), lambda url: str(change(Uri(url))))


def yarl_rows() -> dict[str, list[Pair]]:
    read: Any = pytest.importorskip("yarl").URL
    return {
        "`URL(text)`": [same(lambda url: str(read(url)), str)],
        "`.scheme`, `.user`, `.password`, `.host`": names(
            read, "scheme user password host", "scheme user password host"
        ),
        "`.explicit_port`, `.port`": names(read, "explicit_port port", "port effective_port"),
        "`.raw_path`, `.path`": [
            same(lambda url: read(url).raw_path, lambda url: Uri(url).path),
            same(lambda url: read(url).path, lambda url: "/" + "/".join(Uri(url).segments)),
        ],
        "`.raw_query_string`": [
            same(lambda url: read(url).raw_query_string, lambda url: Uri(url).query or "")
        ],
        "`.query`": [
            same(lambda url: list(read(url).query.items()), lambda url: Uri(url).query_params()),
            same(lambda url: read(url).query.get("q"), lambda url: Uri(url).query_param("q")),
        ],
        '`.parts`, which begin with "/"': [
            same(lambda url: read(url).parts, lambda url: ("/", *Uri(url).segments))
        ],
        "`.fragment`": absent(read, "fragment"),
        "`.name`, `.suffix`, `.parent`, `.origin()`": [
            *names(read, "name suffix", "name suffix", *URLS, "http://h/a.tar.gz", "http://h/.a", "http://h/a."),
            same(lambda url: str(read(url).parent), lambda url: str(Uri(url).parent), *URLS[1:4], "http://h/"),
            same(lambda url: str(read(url).origin()), lambda url: str(Uri(url).origin())),
        ],
        "`.with_scheme(s)`, `.with_host(h)` …": [
            changed(read, change) for change in CHANGES
        ],
        "`.with_name(n)`, `.with_suffix(s)`": [
            same(
                lambda url: str(read(url).with_name("a b.txt").with_suffix(".md")),
                lambda url: str(Uri(url).with_name("a b.txt").with_suffix(".md")),
            )
        ],
        "`.with_query(…)`, `.update_query(…)`, `.extend_query(…)`": [
            changed(read, change) for change in CHANGES_OF_QUERY
        ],
        '`url % {"q": 1}`': [
            same(lambda url: str(read(url) % {"q": 1}), lambda url: str(Uri(url) % {"q": 1}))
        ],
        "`.without_query_params(name)`": [
            same(
                lambda url: str(read(url).without_query_params("q")),
                lambda url: str(Uri(url).without_query_params("q")),
            )
        ],
        '`url / "a"`, `.joinpath("a", "b")`': [
            same(lambda url: str(read(url) / "a"), lambda url: str(Uri(url) / "a")),
            same(lambda url: str(read(url) / "a/50% ?"), lambda url: str(Uri(url) / "a/50% ?")),
            same(lambda url: str(read(url).joinpath("a", "b")), lambda url: str(Uri(url).joinpath("a", "b"))),
        ],
        "`.join(URL(text))`": [
            same(
                lambda link: str(read(BASE).join(read(link))),
                lambda link: str(Uri(BASE).join(link)),
                *LINKS[1:],
            )
        ],
        "`URL.build(…)`": [
            same(
                lambda host: str(read.build(scheme="http", host=host, port=81, path="/a b", query={"q": "x&y"})),
                lambda host: str(Uri.build(scheme="http", host=host, port=81, path="/a b", query={"q": "x&y"})),
                "example.com",
            )
        ],
    }


PAGES: dict[str, Callable[[], dict[str, list[Pair]]]] = {
    "from-furl": furl_rows,
    "from-hyperlink": hyperlink_rows,
    "from-rfc3986": rfc3986_rows,
    "from-tldextract": tldextract_rows,
    "from-urllib": urllib_rows,
    "from-yarl": yarl_rows,
}


def test_every_page_is_compared() -> None:
    assert sorted(PAGES) == sorted(page.stem for page in DOCS.glob("from-*.md"))


@pytest.mark.parametrize("page", PAGES)
def test_rows(page: str) -> None:
    rows = PAGES[page]()
    text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    cells = [line.split("|")[1].strip() for line in text.splitlines() if line.startswith("| ")]
    assert cells[1:] == list(rows), "each row of the page is compared here"
    wrong = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        for row, pairs in rows.items():
            for theirs, ours, urls in pairs:
                found = ((url, theirs(url), ours(url)) for url in urls)
                wrong += [(row, *values) for values in found if values[1] != values[2]]
    assert not wrong, "\n".join(map(str, wrong))


def column_of(name: str, url: str) -> Any:
    """Return the column of a function, of one URL."""
    return getattr(arrow, name)([url])


def test_the_python_column_of_data() -> None:
    """The last column of the table in docs/data.md, for the same URLs; "" there is None here."""
    from urllib import parse

    tldextract: Any = pytest.importorskip("tldextract")
    extract = tldextract.TLDExtract(suffix_list_urls=())
    split = parse.urlsplit
    theirs: dict[str, Callable[[str], object]] = {
        "`uri_scheme(u)`": lambda u: split(u).scheme,
        "`uri_authority(u)`": lambda u: split(u).netloc,
        "`uri_userinfo(u)`": lambda u: split(u).username,
        "`uri_host(u)`": lambda u: split(u).hostname,
        "`uri_registered_domain(u)`": lambda u: extract(u).top_domain_under_public_suffix,
        "`uri_public_suffix(u)`": lambda u: extract(u).suffix,
        "`uri_subdomain(u)`": lambda u: extract(u).subdomain,
        "`uri_port(u)`": lambda u: split(u).port,
        "`uri_path(u)`": lambda u: split(u).path,
        "`uri_query(u)`": lambda u: split(u).query,
        "`uri_fragment(u)`": lambda u: split(u).fragment,
        "`uri_query_param(u, 'q')`": lambda u: parse.parse_qs(split(u).query).get("q", [""])[0],
        "`uri_query_params(u)`": lambda u: parse.parse_qsl(split(u).query),
        "`uri_strip(u, 'query,fragment')`": lambda u: parse.urlunsplit((*split(u)[:3], "", "")),
        "`uri_resolve(base, r)`": lambda u: parse.urljoin(BASE, u),
    }
    ours: dict[str, Callable[[str], Any]] = {
        "`uri_query_param(u, 'q')`": lambda u: arrow.query_param([u], "q"),
        "`uri_query_params(u)`": lambda u: arrow.query_params([u]),
        "`uri_strip(u, 'query,fragment')`": lambda u: arrow.strip([u], "query,fragment"),
        "`uri_resolve(base, r)`": lambda u: arrow.resolve([BASE], u),
    }
    lines = (DOCS.parents[1] / "docs/data.md").read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if line.startswith("| `uri_")]
    assert [row[0] for row in rows if row[-1]] == list(theirs), "each row with Python is compared here"
    for row, read in theirs.items():
        name = row.partition("(")[0].removeprefix("`uri_")
        column = ours.get(row) or partial(column_of, name)
        for url in URLS:
            found = column(url).to_pylist()[0]
            if row == "`uri_query_params(u)`":
                found = [(pair["name"], pair["value"]) for pair in found or []]
            assert (found or None) == (read(url) or None), (row, url)

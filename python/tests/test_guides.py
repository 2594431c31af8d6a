"""The pages about other packages: every example runs with that package."""

from __future__ import annotations

import doctest
import pathlib
import re
import urllib.parse

import pytest

from locator_uri import Uri, whatwg

DOCS = pathlib.Path(__file__).parents[1] / "docs"
PAGES = sorted(DOCS.glob("from-*.md"))


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_page(page: pathlib.Path) -> None:
    package = page.stem.removeprefix("from-")
    pytest.importorskip(package)
    result = doctest.testfile(str(page), module_relative=False)
    assert result.attempted > 3
    assert result.failed == 0


def test_page_about_the_url_standard() -> None:
    pytest.importorskip("pyarrow")
    result = doctest.testfile(str(DOCS / "whatwg.md"), module_relative=False)
    assert result.attempted > 10
    assert result.failed == 0


@pytest.mark.parametrize("page", ["data", "data-engineers"])
def test_page_about_tables(page: str) -> None:
    for package in ("polars", "pandas", "duckdb", "datafusion"):
        pytest.importorskip(package)
    result = doctest.testfile(str(DOCS.parents[1] / f"docs/{page}.md"), module_relative=False)
    assert result.attempted > 3
    assert result.failed == 0


def test_page_about_untrusted_urls() -> None:
    page = (DOCS.parents[1] / "docs/untrusted-urls.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, "untrusted-urls.md", "exec"), {})


THEIRS = {
    "from-furl": ("furl:furl",),
    "from-hyperlink": ("hyperlink:URL", "hyperlink:parse", "hyperlink:DecodedURL"),
    "from-rfc3986": ("rfc3986:URIReference", "rfc3986:IRIReference", "rfc3986"),
    "from-tldextract": ("tldextract.tldextract:ExtractResult", "tldextract"),
    "from-urllib": ("urllib.parse:SplitResult", "urllib.parse"),
    "from-yarl": ("yarl:URL",),
}


def names(cell: str) -> list[str]:
    """Return the attributes of a cell of a table: "`.host`" and "`.with_(host=h)`"."""
    return re.findall(r"(?:^|[`)(\s])\.([a-z_]\w*)", cell)


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_names_exist(page: pathlib.Path) -> None:
    rows = [line.split("|")[1:3] for line in page.read_text(encoding="utf-8").splitlines() if line[:2] == "| "]
    owners = []
    for path in THEIRS[page.stem]:
        module, _, name = path.partition(":")
        owner = pytest.importorskip(module)
        owners.append(getattr(owner, name) if name else owner)
    instances = [furl_of(owner) for owner in owners]
    count = 0
    for theirs, ours in rows[1:]:
        for name in names(theirs):
            known = any(hasattr(owner, name) for owner in owners + instances)
            fields = [getattr(owner, "__annotations__", {}) for owner in owners]
            assert known or any(name in field for field in fields), (page.stem, name)
            count += 1
        for name in names(ours):
            assert hasattr(Uri, name), (page.stem, name)
    assert count > 3


def test_table_of_the_url_standard() -> None:
    yarl = pytest.importorskip("yarl")
    page = (DOCS.parents[1] / "docs/url-standard.md").read_text(encoding="utf-8")
    section = page.split("## Coming from Python")[1].split("\n## ")[0]
    rows = [line.split("|")[1:3] for line in section.splitlines() if line[:2] == "| "][1:]
    known = (urllib.parse.SplitResult, yarl.URL)
    for theirs, ours in rows:
        for name in names(theirs):
            fields = [getattr(owner, "_fields", ()) for owner in known]
            assert any(hasattr(owner, name) for owner in known) or name in fields, name
        for name in names(ours):
            assert hasattr(whatwg.URL, name), name
    assert len(rows) > 10
    text = "https://user@h.example:8443/a/b?q=1#f"
    url, split = whatwg.URL(text), urllib.parse.urlsplit(text)
    assert (url.protocol, url.hostname, url.port) == (f"{split.scheme}:", split.hostname, str(split.port))
    assert (f"user@{url.host}", url.pathname, url.search) == (split.netloc, split.path, f"?{split.query}")
    assert list(url.search_params) == urllib.parse.parse_qsl(split.query)
    assert whatwg.URL("../c", url.href).href == urllib.parse.urljoin(text, "../c")


def furl_of(owner: object) -> object:
    """Return an object of furl, whose attributes are not those of its class."""
    return owner("http://h/") if getattr(owner, "__name__", "") == "furl" else None  # type: ignore[operator]

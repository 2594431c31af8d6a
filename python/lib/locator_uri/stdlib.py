"""The functions of `urllib.parse` with their signatures, by RFC 3986.

Replace the import, and valid URLs have the same results, but for those that `urllib.parse` gets
wrong. `errors` of `urlparse`, `urlsplit`, `urljoin` and `urldefrag` says what happens to invalid ones:

- `"stdlib"`, the default: `urllib.parse` reads them, as before;
- `"strict"`: `ParseError`.

>>> from locator_uri.stdlib import parse_qsl, quote, urljoin, urlparse, urlsplit
>>> urlparse("http://Example.com/a;v=1?q").hostname
'example.com'
>>> urljoin("myscheme://h/a/b", "../c")
'myscheme://h/c'
>>> parse_qsl("q=a+b&q=%C3%A9"), quote("a b")
([('q', 'a b'), ('q', 'é')], 'a%20b')
>>> urlsplit("http://example.com/a b").path
'/a b'
>>> urlsplit("http://example.com/a b", errors="strict")
Traceback (most recent call last):
...
locator_uri.ParseError: a space is not allowed in the path, at offset 20 (pchar, RFC 3986, 3.3)

`parse_qs`, `parse_qsl`, `quote`, `unquote`, `urlencode`, `urlunparse`, `urlunsplit` and the classes of
results are those of `urllib.parse` itself. docs/from-urllib.md has a table of all differences.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, cast, overload
from urllib.parse import (
    DefragResult,
    DefragResultBytes,
    ParseResult,
    ParseResultBytes,
    SplitResult,
    SplitResultBytes,
    parse_qs,
    parse_qsl,
    quote,
    quote_from_bytes,
    quote_plus,
    unquote,
    unquote_plus,
    unquote_to_bytes,
    urlencode,
    urlunparse,
    urlunsplit,
    uses_params,
)
from urllib.parse import urldefrag as _urldefrag
from urllib.parse import urljoin as _urljoin
from urllib.parse import urlsplit as _urlsplit

from ._errors import ParseError, UriError
from ._native import Uri, UriRef

__all__ = [
    "DefragResult",
    "DefragResultBytes",
    "ParseResult",
    "ParseResultBytes",
    "SplitResult",
    "SplitResultBytes",
    "parse_qs",
    "parse_qsl",
    "quote",
    "quote_from_bytes",
    "quote_plus",
    "unquote",
    "unquote_plus",
    "unquote_to_bytes",
    "urldefrag",
    "urlencode",
    "urljoin",
    "urlparse",
    "urlsplit",
    "urlunparse",
    "urlunsplit",
]

if TYPE_CHECKING:
    _Errors = Literal["stdlib", "strict"]


@overload
def urlsplit(
    url: str, scheme: str = "", allow_fragments: bool = True, *, errors: _Errors = "stdlib"
) -> SplitResult: ...
@overload
def urlsplit(
    url: bytes, scheme: bytes = b"", allow_fragments: bool = True, *, errors: _Errors = "stdlib"
) -> SplitResultBytes: ...
def urlsplit(
    url: str | bytes,
    scheme: str | bytes = "",
    allow_fragments: bool = True,
    *,
    errors: _Errors = "stdlib",
) -> SplitResult | SplitResultBytes:
    """Return the five parts of a URL; absent and empty are both "".

    >>> from locator_uri.stdlib import urlsplit
    >>> urlsplit("//h/a", scheme="http")
    SplitResult(scheme='http', netloc='h', path='/a', query='', fragment='')
    """
    _check(errors)
    if isinstance(url, str) and isinstance(scheme, str):
        return _split(url, scheme, allow_fragments, errors)
    if not isinstance(url, bytes) or not (isinstance(scheme, bytes) or scheme == ""):
        # It raises what urllib.parse raises for mixed and other types.
        _parse: Any = _urlsplit
        return cast(SplitResultBytes, _parse(url, scheme, allow_fragments))
    default = scheme.decode("ascii") if isinstance(scheme, bytes) else ""
    return cast(SplitResultBytes, _split(url.decode("ascii"), default, allow_fragments, errors).encode())


def _split(url: str, scheme: str, allow_fragments: bool, errors: _Errors) -> SplitResult:
    if scheme and not scheme.isalnum():
        # Spaces and control characters around it are removed.
        scheme = _urlsplit("", scheme).scheme
    try:
        found = UriRef(url)
    except ParseError:
        if errors == "strict":
            raise
        return _urlsplit(url, scheme, allow_fragments)
    query, fragment = found.query, found.fragment
    path = found.path
    if not allow_fragments and fragment is not None:
        rest = f"#{fragment}"
        query, path = (f"{query}{rest}", path) if query is not None else (query, path + rest)
        fragment = None
    return SplitResult(
        found.scheme.lower() if found.scheme else scheme, found.authority or "", path, query or "", fragment or ""
    )


@overload
def urlparse(
    url: str, scheme: str = "", allow_fragments: bool = True, *, errors: _Errors = "stdlib"
) -> ParseResult: ...
@overload
def urlparse(
    url: bytes, scheme: bytes = b"", allow_fragments: bool = True, *, errors: _Errors = "stdlib"
) -> ParseResultBytes: ...
def urlparse(
    url: str | bytes,
    scheme: str | bytes = "",
    allow_fragments: bool = True,
    *,
    errors: _Errors = "stdlib",
) -> ParseResult | ParseResultBytes:
    """Return the six parts of a URL: those of `urlsplit`, and what follows ";" in the last segment.

    >>> from locator_uri.stdlib import urlparse
    >>> urlparse("http://h/a;v=1?q")
    ParseResult(scheme='http', netloc='h', path='/a', params='v=1', query='q', fragment='')
    """
    _any: Any = urlsplit
    found = _any(url, scheme, allow_fragments, errors=errors)
    if isinstance(found, SplitResultBytes):
        texts = SplitResult(*(part.decode("ascii") for part in found))
        return cast(ParseResultBytes, ParseResult(*_with_params(texts)).encode())
    return ParseResult(*_with_params(found))


def _with_params(found: SplitResult) -> tuple[str, str, str, str, str, str]:
    scheme, netloc, path, query, fragment = found
    semicolon = path.find(";", path.rfind("/") + 1) if scheme in uses_params else -1
    path, params = (path, "") if semicolon < 0 else (path[:semicolon], path[semicolon + 1 :])
    return scheme, netloc, path, params, query, fragment


@overload
def urldefrag(url: str, *, errors: _Errors = "stdlib") -> DefragResult: ...
@overload
def urldefrag(url: bytes, *, errors: _Errors = "stdlib") -> DefragResultBytes: ...
def urldefrag(
    url: str | bytes, *, errors: _Errors = "stdlib"
) -> DefragResult | DefragResultBytes:
    """Return the text before "#", unchanged, and the fragment.

    >>> from locator_uri.stdlib import urldefrag
    >>> urldefrag("http://h/?#top")
    DefragResult(url='http://h/?', fragment='top')
    """
    _check(errors)
    if isinstance(url, str):
        return _defrag(url, errors)
    other: Any = url
    if not isinstance(other, bytes):
        return cast(DefragResultBytes, _urldefrag(other))
    return cast(DefragResultBytes, _defrag(other.decode("ascii"), errors).encode("ascii"))


def _defrag(url: str, errors: _Errors) -> DefragResult:
    try:
        found = UriRef(url)
    except ParseError:
        if errors == "strict":
            raise
        return _urldefrag(url)
    return DefragResult(str(found.without_fragment()), found.fragment or "")


@overload
def urljoin(
    base: str, url: str, allow_fragments: bool = True, *, errors: _Errors = "stdlib"
) -> str: ...
@overload
def urljoin(
    base: bytes, url: bytes, allow_fragments: bool = True, *, errors: _Errors = "stdlib"
) -> bytes: ...
def urljoin(
    base: str | bytes,
    url: str | bytes,
    allow_fragments: bool = True,
    *,
    errors: _Errors = "stdlib",
) -> str | bytes:
    """Return the URL that `url` leads to in a document at `base` (RFC 3986, 5.2).

    >>> from locator_uri.stdlib import urljoin
    >>> urljoin("http://a/b/c/d;p?q", "?y")
    'http://a/b/c/d;p?y'
    """
    _check(errors)
    if isinstance(base, str) and isinstance(url, str):
        return _join(base, url, allow_fragments, errors)
    if not (isinstance(base, bytes) and isinstance(url, bytes)):
        return _urljoin(base, url, allow_fragments)  # type: ignore[type-var]
    return _join(base.decode("ascii"), url.decode("ascii"), allow_fragments, errors).encode("ascii")


def _join(base: str, url: str, allow_fragments: bool, errors: _Errors) -> str:
    # An empty text is no base and no reference for urllib.parse, and relative bases are resolved.
    if errors == "stdlib" and (not base or not url or not allow_fragments):
        return _urljoin(base, url, allow_fragments)
    try:
        return str(Uri(base).resolve(url))
    except UriError:
        if errors == "strict":
            raise
        return _urljoin(base, url, allow_fragments)


def _check(errors: str) -> None:
    if errors not in ("stdlib", "strict"):
        raise ValueError(f"errors must be 'stdlib' or 'strict', not {errors!r}")

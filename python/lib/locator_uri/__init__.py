"""URLs by RFC 3986: parse, resolve, normalize, compare, edit, find and audit.

>>> from locator_uri import Uri
>>> uri = Uri("https://jan@example.com:8080/a/b%20c?q=1#top")
>>> uri.host, uri.port, uri.path
('example.com', 8080, '/a/b%20c')

A URL keeps its text as given. Nothing is normalized, decoded or repaired unless you ask for it, and
an invalid URL is an error that says where it is wrong and which rule it breaks:

>>> Uri("http://example.com/a b")
Traceback (most recent call last):
...
locator_uri.ParseError: a space is not allowed in the path, at offset 20 (pchar, RFC 3986, 3.3)
"""

from ._errors import ParseError, UriError
from ._native import (
    EDITIONS,
    PUBLIC_SUFFIX_LIST,
    Uri,
    UriRef,
    UriTemplate,
    __version__,
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
    surt,
)

# The module `typing`, which they need, takes as long to import as all else.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from ._records import Comparison, Contact, Difference, Finding, Match, Plan, Readings

__all__ = [
    "EDITIONS",
    "PUBLIC_SUFFIX_LIST",
    "Comparison",
    "Contact",
    "Difference",
    "Finding",
    "Match",
    "ParseError",
    "Plan",
    "Readings",
    "Uri",
    "UriError",
    "UriRef",
    "UriTemplate",
    "__version__",
    "audit",
    "find",
    "host",
    "is_valid",
    "parse",
    "public_suffix",
    "readings",
    "redacted",
    "registered_domain",
    "subdomain",
    "surt",
]


def __getattr__(name: str) -> object:
    if name in ("Comparison", "Contact", "Difference", "Finding", "Match", "Plan", "Readings"):
        from . import _records

        return getattr(_records, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

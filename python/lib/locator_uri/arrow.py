"""Functions of columns of URLs, for data frames: an Arrow array in, an Arrow array out.

A column is an array of pyarrow or NumPy, a list of `str`, a series of pandas, or any object with
`__arrow_c_array__` or `__arrow_c_stream__`; the result is an array of pyarrow, and of a single text a
scalar of pyarrow. A `Series` of Polars gives a `Series`. No package is needed: without pyarrow, the
result is an object with `len` and `to_pylist`. Rows that are null give null, and so do texts that are
not valid URLs or references, unless a function says otherwise. A row that is no text does not end the
call: `error` says what is wrong with it. The GIL is released.

>>> from locator_uri import arrow
>>> arrow.host(["http://a.example/?q=1", None, "http://b c/"]).to_pylist()
['a.example', None, None]

Each function is here under its name in SQL, too: `arrow.uri_host`. `locator_uri.polars` and `locator_uri.pandas` add the functions to `Expr` and `Series`.
"""

# Written by python/make_modules.py; edit that, or the table in crates/locator-functions.

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _native
from ._columns import evaluate as _evaluate
from ._columns import uniq as _uniq

__all__ = [
    "append_param",
    "audit",
    "audit_severity",
    "authority",
    "contacts",
    "effective_port",
    "equivalent",
    "error",
    "error_info",
    "extension",
    "file_name",
    "find",
    "fragment",
    "hash128",
    "host",
    "host_ascii",
    "host_ip",
    "host_kind",
    "host_normal",
    "host_unicode",
    "host_without_www",
    "is_private_ip",
    "is_reference",
    "is_valid",
    "keep_params",
    "key",
    "kind",
    "normalize",
    "origin",
    "parse",
    "part",
    "password",
    "path",
    "path_depth",
    "path_segment",
    "path_segments",
    "percent_decode",
    "percent_encode",
    "port",
    "port_text",
    "psl_version",
    "public_suffix",
    "query",
    "query_param",
    "query_params",
    "redact",
    "refang",
    "registered_domain",
    "registered_domain_of_host",
    "remove_param",
    "repair",
    "resolve",
    "scheme",
    "set_param",
    "sort_params",
    "strip",
    "subdomain",
    "surt",
    "uniq",
    "user",
    "userinfo",
    "whatwg_effective_port",
    "whatwg_errors",
    "whatwg_fragment",
    "whatwg_host",
    "whatwg_href",
    "whatwg_is_valid",
    "whatwg_origin",
    "whatwg_password",
    "whatwg_path",
    "whatwg_port",
    "whatwg_query",
    "whatwg_query_param",
    "whatwg_resolve",
    "whatwg_scheme",
    "whatwg_user",
    "without_params",
]


def part(text: Any, part: Any, *, edition: str = "rfc3986") -> Any:
    """Return the part with this name, such as 'host', 'query:page' or 'segment:-1', as text.

    `part` is the name of a part, such as "host" or "segment:-1".

    >>> from locator_uri import arrow
    >>> arrow.part(['http://h/a/b?page=2'], 'segment:-1').to_pylist()
    ['b']
    """
    return _evaluate("uri_part", text, [part], edition)


def scheme(url: Any, *, edition: str = "rfc3986") -> Any:
    """Return the scheme, as given.

    >>> from locator_uri import arrow
    >>> arrow.scheme(['HTTP://h/']).to_pylist()
    ['HTTP']
    """
    return _evaluate("uri_scheme", url, [], edition)


def authority(url: Any, *, edition: str = "rfc3986") -> Any:
    """Return the authority: userinfo, host and port, as given.

    >>> from locator_uri import arrow
    >>> arrow.authority(['http://u@h:80/']).to_pylist()
    ['u@h:80']
    """
    return _evaluate("uri_authority", url, [], edition)


def userinfo(url: Any, *, edition: str = "rfc3986") -> Any:
    """Return the user information, before "@" in the authority, as given.

    >>> from locator_uri import arrow
    >>> arrow.userinfo(['http://u:p@h/']).to_pylist()
    ['u:p']
    """
    return _evaluate("uri_userinfo", url, [], edition)


def user(url: Any, *, edition: str = "rfc3986") -> Any:
    """Return the user, before the first ":" of the user information, as given.

    >>> from locator_uri import arrow
    >>> arrow.user(['http://u:p@h/']).to_pylist()
    ['u']
    """
    return _evaluate("uri_user", url, [], edition)


def password(url: Any, *, edition: str = "rfc3986") -> Any:
    """Return the password, after the first ":" of the user information, as given.

    >>> from locator_uri import arrow
    >>> arrow.password(['http://u:p@h/']).to_pylist()
    ['p']
    """
    return _evaluate("uri_password", url, [], edition)


def host(url: Any, *, edition: str = "rfc3986") -> Any:
    """Return the host, as given, with the brackets of an IPv6 address.

    >>> from locator_uri import arrow
    >>> arrow.host(['http://[::1]:80/']).to_pylist()
    ['[::1]']
    """
    return _evaluate("uri_host", url, [], edition)


def host_normal(url: Any, *, edition: str = "rfc3986") -> Any:
    """Return the host in its normal form: in lower case, with only the escapes that it needs.

    >>> from locator_uri import arrow
    >>> arrow.host_normal(['http://EX%41MPLE.com/']).to_pylist()
    ['example.com']
    """
    return _evaluate("uri_host_normal", url, [], edition)


def host_kind(url: Any, *, edition: str = "rfc3986") -> Any:
    """Return the kind of host: name, ipv4, ipv6, ipvfuture or empty.

    >>> from locator_uri import arrow
    >>> arrow.host_kind(['http://127.0.0.1/']).to_pylist()
    ['ipv4']
    """
    return _evaluate("uri_host_kind", url, [], edition)


def host_ascii(url: Any, *, edition: str = "rfc3986") -> Any:
    """Return the host as DNS has it, with "xn--" for other alphabets.

    >>> from locator_uri import arrow
    >>> arrow.host_ascii(['http://b%C3%BCcher.example/']).to_pylist()
    ['xn--bcher-kva.example']
    """
    return _evaluate("uri_host_ascii", url, [], edition)


def host_unicode(url: Any, *, edition: str = "rfc3986") -> Any:
    """Return the host for people, without "xn--".

    >>> from locator_uri import arrow
    >>> arrow.host_unicode(['http://xn--bcher-kva.example/']).to_pylist()
    ['bücher.example']
    """
    return _evaluate("uri_host_unicode", url, [], edition)


def host_without_www(url: Any, *, edition: str = "rfc3986") -> Any:
    """Return the host without a first label "www".

    >>> from locator_uri import arrow
    >>> arrow.host_without_www(['http://www.example.com/']).to_pylist()
    ['example.com']
    """
    return _evaluate("uri_host_without_www", url, [], edition)


def registered_domain(url: Any, rules: Any = 'icann', *, edition: str = "rfc3986") -> Any:
    """Return the domain that somebody has registered: the public suffix and one more label.

    `rules` is one of "icann", "private".

    >>> from locator_uri import arrow
    >>> arrow.registered_domain(['http://www.Example.co.uk/']).to_pylist()
    ['example.co.uk']
    """
    return _evaluate("uri_registered_domain", url, [rules], edition)


def subdomain(url: Any, rules: Any = 'icann', *, edition: str = "rfc3986") -> Any:
    """Return the labels of the host before its registered domain; NULL if there are none.

    `rules` is one of "icann", "private".

    >>> from locator_uri import arrow
    >>> arrow.subdomain(['http://www.example.co.uk/']).to_pylist()
    ['www']
    """
    return _evaluate("uri_subdomain", url, [rules], edition)


def public_suffix(url: Any, rules: Any = 'icann', *, edition: str = "rfc3986") -> Any:
    """Return the public suffix of the host, under which anybody can register names.

    `rules` is one of "icann", "private".

    >>> from locator_uri import arrow
    >>> arrow.public_suffix(['http://www.example.co.uk/']).to_pylist()
    ['co.uk']
    """
    return _evaluate("uri_public_suffix", url, [rules], edition)


def registered_domain_of_host(host: Any, rules: Any = 'icann', *, edition: str = "rfc3986") -> Any:
    """Return the registered domain of a host that is not in a URL.

    `rules` is one of "icann", "private".

    >>> from locator_uri import arrow
    >>> arrow.registered_domain_of_host(['www.Example.co.uk']).to_pylist()
    ['example.co.uk']
    """
    return _evaluate("uri_registered_domain_of_host", host, [rules], edition)


def host_ip(text: Any, *, edition: str = "rfc3986") -> Any:
    """Return the address that browsers contact for the host, in any way to write one; NULL for
    names.

    >>> from locator_uri import arrow
    >>> arrow.host_ip(['http://0x7f.1/']).to_pylist()
    ['127.0.0.1']
    """
    return _evaluate("uri_host_ip", text, [], edition)


def is_private_ip(text: Any, *, edition: str = "rfc3986") -> Any:
    """Return whether the host is an address that is not public; false for names.

    >>> from locator_uri import arrow
    >>> arrow.is_private_ip(['http://2130706433/']).to_pylist()
    [True]
    """
    return _evaluate("uri_is_private_ip", text, [], edition)


def port(url: Any, *, edition: str = "rfc3986") -> Any:
    """Return the port as a number; NULL above 65535.

    >>> from locator_uri import arrow
    >>> arrow.port(['http://h:8080/']).to_pylist()
    [8080]
    """
    return _evaluate("uri_port", url, [], edition)


def port_text(url: Any, *, edition: str = "rfc3986") -> Any:
    """Return the port as given.

    >>> from locator_uri import arrow
    >>> arrow.port_text(['http://h:0080/']).to_pylist()
    ['0080']
    """
    return _evaluate("uri_port_text", url, [], edition)


def effective_port(url: Any, *, edition: str = "rfc3986") -> Any:
    """Return the port, or the default of the scheme.

    >>> from locator_uri import arrow
    >>> arrow.effective_port(['https://h/']).to_pylist()
    [443]
    """
    return _evaluate("uri_effective_port", url, [], edition)


def origin(url: Any, *, edition: str = "rfc3986") -> Any:
    """Return scheme, host and port in normal form, without a default port.

    >>> from locator_uri import arrow
    >>> arrow.origin(['HTTPS://Example.com:443/a']).to_pylist()
    ['https://example.com']
    """
    return _evaluate("uri_origin", url, [], edition)


def path(url: Any, *, edition: str = "rfc3986") -> Any:
    """Return the path, as given; never NULL for a valid reference.

    >>> from locator_uri import arrow
    >>> arrow.path(['http://h/a/b?c']).to_pylist()
    ['/a/b']
    """
    return _evaluate("uri_path", url, [], edition)


def path_segment(url: Any, number: Any, *, edition: str = "rfc3986") -> Any:
    """Return a segment of the path: 1 is the first, -1 the last.

    `number` is an integer, or an array of integers.

    >>> from locator_uri import arrow
    >>> arrow.path_segment(['http://h/a/b'], 2).to_pylist()
    ['b']
    """
    return _evaluate("uri_path_segment", url, [number], edition)


def path_segments(url: Any, *, edition: str = "rfc3986") -> Any:
    """Return all segments of the path, as given.

    >>> from locator_uri import arrow
    >>> arrow.path_segments(['http://h/a/b%20c/']).to_pylist()
    [['a', 'b%20c', '']]
    """
    return _evaluate("uri_path_segments", url, [], edition)


def path_depth(url: Any, *, edition: str = "rfc3986") -> Any:
    """Return the number of segments of the path that are not empty; NULL for opaque paths.

    >>> from locator_uri import arrow
    >>> arrow.path_depth(['http://h/a/b/']).to_pylist()
    [2]
    """
    return _evaluate("uri_path_depth", url, [], edition)


def file_name(url: Any, *, edition: str = "rfc3986") -> Any:
    """Return the last segment of the path; NULL if the path ends with "/".

    >>> from locator_uri import arrow
    >>> arrow.file_name(['http://h/a/b.tar.gz']).to_pylist()
    ['b.tar.gz']
    """
    return _evaluate("uri_file_name", url, [], edition)


def extension(url: Any, *, edition: str = "rfc3986") -> Any:
    """Return the text after the last "." of the file name.

    >>> from locator_uri import arrow
    >>> arrow.extension(['http://h/a/b.tar.gz']).to_pylist()
    ['gz']
    """
    return _evaluate("uri_extension", url, [], edition)


def query(url: Any, *, edition: str = "rfc3986") -> Any:
    """Return the query, as given.

    >>> from locator_uri import arrow
    >>> arrow.query(['http://h/?a=1#b']).to_pylist()
    ['a=1']
    """
    return _evaluate("uri_query", url, [], edition)


def query_param(url: Any, name: Any, decoding: Any = 'form', *, edition: str = "rfc3986") -> Any:
    """Return the value of the first parameter with this name, decoded as HTML forms are.

    `name` is a text, or an array of texts.
    `decoding` is one of "form", "percent", "raw".

    >>> from locator_uri import arrow
    >>> arrow.query_param(['http://h/?q=a+b'], 'q').to_pylist()
    ['a b']
    """
    return _evaluate("uri_query_param", url, [name, decoding], edition)


def query_params(url: Any, *, edition: str = "rfc3986") -> Any:
    """Return all parameters in order, decoded as HTML forms are; the value is NULL without "=".

    >>> from locator_uri import arrow
    >>> arrow.query_params(['http://h/?a=1&b']).to_pylist()
    [[{'name': 'a', 'value': '1'}, {'name': 'b', 'value': None}]]
    """
    return _evaluate("uri_query_params", url, [], edition)


def fragment(url: Any, *, edition: str = "rfc3986") -> Any:
    """Return the fragment, as given.

    >>> from locator_uri import arrow
    >>> arrow.fragment(['http://h/#']).to_pylist()
    ['']
    """
    return _evaluate("uri_fragment", url, [], edition)


def kind(url: Any, *, edition: str = "rfc3986") -> Any:
    """Return the kind of reference: uri, network-path, absolute-path, relative-path, query,
    fragment or empty.

    >>> from locator_uri import arrow
    >>> arrow.kind(['//h/a']).to_pylist()
    ['network-path']
    """
    return _evaluate("uri_kind", url, [], edition)


def is_valid(text: Any, *, edition: str = "rfc3986") -> Any:
    """Return whether the text is a valid URI, with a scheme.

    >>> from locator_uri import arrow
    >>> arrow.is_valid(['banana']).to_pylist()
    [False]
    """
    return _evaluate("uri_is_valid", text, [], edition)


def is_reference(text: Any, *, edition: str = "rfc3986") -> Any:
    """Return whether the text is a valid URI or relative reference.

    >>> from locator_uri import arrow
    >>> arrow.is_reference(['banana']).to_pylist()
    [True]
    """
    return _evaluate("uri_is_reference", text, [], edition)


def error(text: Any, *, edition: str = "rfc3986") -> Any:
    """Return why the text is not a valid reference, as a sentence; NULL if it is.

    >>> from locator_uri import arrow
    >>> arrow.error(['http://h/a b']).to_pylist()
    ['a space is not allowed in the path']
    """
    return _evaluate("uri_error", text, [], edition)


def error_info(text: Any, *, edition: str = "rfc3986") -> Any:
    """Return why the text is not a valid reference: position in bytes, component, rule, what was
    found; NULL if it is.

    >>> from locator_uri import arrow
    >>> arrow.error_info(['http://h/a b']).to_pylist()
    [{'offset': 10, 'length': 1, 'part': 'path', 'rule': 'pchar', 'found': 'a space', 'message': 'a space is not allowed in the path', 'see': 'RFC 3986, 3.3'}]
    """
    return _evaluate("uri_error_info", text, [], edition)


def normalize(url: Any, level: Any = 'scheme', *, edition: str = "rfc3986") -> Any:
    """Return the normal form.

    `level` is one of "syntax", "scheme".

    >>> from locator_uri import arrow
    >>> arrow.normalize(['HTTP://H:80/%7Ea/../b']).to_pylist()
    ['http://h/b']
    """
    return _evaluate("uri_normalize", url, [level], edition)


def key(url: Any, *, edition: str = "rfc3986") -> Any:
    """Return the key for joins: normal form without fragment and tracking parameters, parameters
    sorted.

    >>> from locator_uri import arrow
    >>> arrow.key(['http://h/?b=2&utm_source=x&a=1#c']).to_pylist()
    ['http://h/?a=1&b=2']
    """
    return _evaluate("uri_key", url, [], edition)


def surt(text: Any, *, edition: str = "rfc3986") -> Any:
    """Return the sort-friendly key of web archives: the host reversed, then path and query in lower
    case.

    >>> from locator_uri import arrow
    >>> arrow.surt(['http://www.Example.com/A?b=2&a=1']).to_pylist()
    ['com,example)/a?a=1&b=2']
    """
    return _evaluate("uri_surt", text, [], edition)


def resolve(base: Any, reference: Any, *, edition: str = "rfc3986") -> Any:
    """Return the URI that a reference identifies in a document with this base; NULL if the base is
    relative.

    `reference` is a text, or an array of texts.

    >>> from locator_uri import arrow
    >>> arrow.resolve(['http://h/a/b'], '../c').to_pylist()
    ['http://h/c']
    """
    return _evaluate("uri_resolve", base, [reference], edition)


def equivalent(url: Any, other: Any, level: Any = 'scheme', *, edition: str = "rfc3986") -> Any:
    """Return whether two URIs have the same normal form; NULL if one is relative.

    `other` is a text, or an array of texts.
    `level` is one of "syntax", "scheme".

    >>> from locator_uri import arrow
    >>> arrow.equivalent(['http://h:80/'], 'HTTP://H/').to_pylist()
    [True]
    """
    return _evaluate("uri_equivalent", url, [other, level], edition)


def strip(url: Any, parts: Any, *, edition: str = "rfc3986") -> Any:
    """Return the reference without these components.

    `parts` is of "scheme", "authority", "userinfo", "port", "query", "fragment", with commas
    between them.

    >>> from locator_uri import arrow
    >>> arrow.strip(['http://h/a?b#c'], 'query,fragment').to_pylist()
    ['http://h/a']
    """
    return _evaluate("uri_strip", url, [parts], edition)


def without_params(url: Any, names: Any, *, edition: str = "rfc3986") -> Any:
    """Return the reference without the parameters whose names match a pattern.

    `names` is names with commas between them; "*" is any text.

    >>> from locator_uri import arrow
    >>> arrow.without_params(['http://h/?utm_source=x&q=1'], 'utm_*,gclid').to_pylist()
    ['http://h/?q=1']
    """
    return _evaluate("uri_without_params", url, [names], edition)


def keep_params(url: Any, names: Any, *, edition: str = "rfc3986") -> Any:
    """Return the reference with only the parameters whose names match a pattern.

    `names` is names with commas between them; "*" is any text.

    >>> from locator_uri import arrow
    >>> arrow.keep_params(['http://h/?utm_source=x&q=1'], 'q').to_pylist()
    ['http://h/?q=1']
    """
    return _evaluate("uri_keep_params", url, [names], edition)


def set_param(url: Any, name: Any, value: Any, *, edition: str = "rfc3986") -> Any:
    """Return the reference with this value for the first parameter of the name, and without others
    of it.

    `name` is a text, or an array of texts.
    `value` is a text, or an array of texts.

    >>> from locator_uri import arrow
    >>> arrow.set_param(['http://h/?page=1&q=a'], 'page', '2').to_pylist()
    ['http://h/?page=2&q=a']
    """
    return _evaluate("uri_set_param", url, [name, value], edition)


def append_param(url: Any, name: Any, value: Any, *, edition: str = "rfc3986") -> Any:
    """Return the reference with one more parameter.

    `name` is a text, or an array of texts.
    `value` is a text, or an array of texts.

    >>> from locator_uri import arrow
    >>> arrow.append_param(['http://h/?q=a'], 'q', 'b c').to_pylist()
    ['http://h/?q=a&q=b%20c']
    """
    return _evaluate("uri_append_param", url, [name, value], edition)


def remove_param(url: Any, name: Any, *, edition: str = "rfc3986") -> Any:
    """Return the reference without the parameters of the name.

    `name` is a text, or an array of texts.

    >>> from locator_uri import arrow
    >>> arrow.remove_param(['http://h/?q=a&page=1'], 'page').to_pylist()
    ['http://h/?q=a']
    """
    return _evaluate("uri_remove_param", url, [name], edition)


def sort_params(url: Any, *, edition: str = "rfc3986") -> Any:
    """Return the reference with its parameters sorted by name.

    >>> from locator_uri import arrow
    >>> arrow.sort_params(['http://h/?b=2&a=1']).to_pylist()
    ['http://h/?a=1&b=2']
    """
    return _evaluate("uri_sort_params", url, [], edition)


def repair(text: Any, scheme: Any = '', *, edition: str = "rfc3986") -> Any:
    """Return the text as a valid reference, repaired as browsers do, with a scheme if given; NULL
    if it stays invalid.

    `scheme` is a scheme whose URLs have a host, or "".

    >>> from locator_uri import arrow
    >>> arrow.repair([' http://h/a b ']).to_pylist()
    ['http://h/a%20b']
    """
    return _evaluate("uri_repair", text, [scheme], edition)


def refang(text: Any, *, edition: str = "rfc3986") -> Any:
    """Return the URL, host or address that a defanged text means; any other text as it is.

    >>> from locator_uri import arrow
    >>> arrow.refang(['hxxp://evil[.]example/a']).to_pylist()
    ['http://evil.example/a']
    """
    return _evaluate("uri_refang", text, [], edition)


def percent_encode(text: Any, *, edition: str = "rfc3986") -> Any:
    """Return the text with escapes for everything but letters, digits and "-._~": data for any
    component.

    >>> from locator_uri import arrow
    >>> arrow.percent_encode(['a b/é']).to_pylist()
    ['a%20b%2F%C3%A9']
    """
    return _evaluate("uri_percent_encode", text, [], edition)


def percent_decode(text: Any, decoding: Any = 'percent', *, edition: str = "rfc3986") -> Any:
    """Return the text without escapes; NULL if the result is not UTF-8.

    `decoding` is one of "percent", "form".

    >>> from locator_uri import arrow
    >>> arrow.percent_decode(['a%20b%2F%C3%A9']).to_pylist()
    ['a b/é']
    """
    return _evaluate("uri_percent_decode", text, [decoding], edition)


def redact(text: Any, *, edition: str = "rfc3986") -> Any:
    """Return the text with passwords, tokens and keys hidden.

    >>> from locator_uri import arrow
    >>> arrow.redact(['http://u:p@h/']).to_pylist()
    ['http://u:(hidden)@h/']
    """
    return _evaluate("uri_redact", text, [], edition)


def parse(url: Any, *, edition: str = "rfc3986") -> Any:
    """Return all components as given; the port is a number.

    >>> from locator_uri import arrow
    >>> arrow.parse(['http://h:80/a?b']).to_pylist()
    [{'scheme': 'http', 'userinfo': None, 'host': 'h', 'port': 80, 'path': '/a', 'query': 'b', 'fragment': None}]
    """
    return _evaluate("uri_parse", url, [], edition)


def hash128(text: Any, *, edition: str = "rfc3986") -> Any:
    """Return the XXH3 hash of the text, 16 bytes: not a hash for security.

    >>> from locator_uri import arrow
    >>> arrow.hash128(['']).to_pylist()
    [b'\\x99\\xaa\\x06\\xd3\\x01G\\x98\\xd8`\\x01\\xc3$F\\x8dI\\x7f']
    """
    return _evaluate("uri_hash128", text, [], edition)


def audit(text: Any, *, edition: str = "rfc3986") -> Any:
    """Return the codes of the audit's findings, each once, of low severity and above.

    >>> from locator_uri import arrow
    >>> arrow.audit(['https://me:hunter2@example.com/']).to_pylist()
    [['password']]
    """
    return _evaluate("uri_audit", text, [], edition)


def audit_severity(text: Any, *, edition: str = "rfc3986") -> Any:
    """Return the highest severity of the audit's findings: low, medium or high; NULL without a
    finding.

    >>> from locator_uri import arrow
    >>> arrow.audit_severity(['http://example.com@evil.example/']).to_pylist()
    ['medium']
    """
    return _evaluate("uri_audit_severity", text, [], edition)


def find(text: Any, *, edition: str = "rfc3986") -> Any:
    """Return the URLs in running text, with their positions in bytes.

    >>> from locator_uri import arrow
    >>> arrow.find(['see http://h/a.']).to_pylist()
    [[{'url': 'http://h/a', 'start': 4, 'end': 14}]]
    """
    return _evaluate("uri_find", text, [], edition)


def whatwg_is_valid(text: Any, *, edition: str = "rfc3986") -> Any:
    """Return whether the text is a URL by the URL Standard, also if browsers repair it; a relative
    one is not.

    >>> from locator_uri import arrow
    >>> arrow.whatwg_is_valid(['http://h/a|b?f[]=100%']).to_pylist()
    [True]
    """
    return _evaluate("uri_whatwg_is_valid", text, [], edition)


def whatwg_href(text: Any, *, edition: str = "rfc3986") -> Any:
    """Return the URL as browsers write it, by the URL Standard.

    >>> from locator_uri import arrow
    >>> arrow.whatwg_href(['https:\\\\\\\\H\\\\a|b?f[]=100% c']).to_pylist()
    ['https://h/a|b?f[]=100%%20c']
    """
    return _evaluate("uri_whatwg_href", text, [], edition)


def whatwg_origin(text: Any, *, edition: str = "rfc3986") -> Any:
    """Return scheme, host and port by the URL Standard; NULL for an opaque origin, which new URL()
    calls "null".

    >>> from locator_uri import arrow
    >>> arrow.whatwg_origin(['HTTPS:\\\\\\\\Example.com:443\\\\a']).to_pylist()
    ['https://example.com']
    """
    return _evaluate("uri_whatwg_origin", text, [], edition)


def whatwg_scheme(text: Any, *, edition: str = "rfc3986") -> Any:
    """Return the scheme by the URL Standard, in lower case, without ":".

    >>> from locator_uri import arrow
    >>> arrow.whatwg_scheme([' HTTP://h/']).to_pylist()
    ['http']
    """
    return _evaluate("uri_whatwg_scheme", text, [], edition)


def whatwg_user(text: Any, *, edition: str = "rfc3986") -> Any:
    """Return the user by the URL Standard, percent-encoded; NULL if it is empty.

    >>> from locator_uri import arrow
    >>> arrow.whatwg_user(['http://a@b@h/']).to_pylist()
    ['a%40b']
    """
    return _evaluate("uri_whatwg_user", text, [], edition)


def whatwg_password(text: Any, *, edition: str = "rfc3986") -> Any:
    """Return the password by the URL Standard, percent-encoded; NULL if it is empty.

    >>> from locator_uri import arrow
    >>> arrow.whatwg_password(['http://u:p|q@h/']).to_pylist()
    ['p%7Cq']
    """
    return _evaluate("uri_whatwg_password", text, [], edition)


def whatwg_host(text: Any, *, edition: str = "rfc3986") -> Any:
    """Return the host without the port by the URL Standard: a domain in ASCII, or an address.

    >>> from locator_uri import arrow
    >>> arrow.whatwg_host(['http://0x7f.1\\\\@evil.example/']).to_pylist()
    ['127.0.0.1']
    """
    return _evaluate("uri_whatwg_host", text, [], edition)


def whatwg_port(text: Any, *, edition: str = "rfc3986") -> Any:
    """Return the port by the URL Standard; NULL if it is the default of the scheme.

    >>> from locator_uri import arrow
    >>> arrow.whatwg_port(['http://h:08080/']).to_pylist()
    [8080]
    """
    return _evaluate("uri_whatwg_port", text, [], edition)


def whatwg_effective_port(text: Any, *, edition: str = "rfc3986") -> Any:
    """Return the port by the URL Standard, or the default of the scheme.

    >>> from locator_uri import arrow
    >>> arrow.whatwg_effective_port(['https://h:443/a|b']).to_pylist()
    [443]
    """
    return _evaluate("uri_whatwg_effective_port", text, [], edition)


def whatwg_path(text: Any, *, edition: str = "rfc3986") -> Any:
    """Return the path by the URL Standard, without dot segments.

    >>> from locator_uri import arrow
    >>> arrow.whatwg_path(['http://h/a\\\\%2e%2e\\\\b c|d']).to_pylist()
    ['/b%20c|d']
    """
    return _evaluate("uri_whatwg_path", text, [], edition)


def whatwg_query(text: Any, *, edition: str = "rfc3986") -> Any:
    """Return the query by the URL Standard, without "?".

    >>> from locator_uri import arrow
    >>> arrow.whatwg_query(['http://h/?f[]=a b']).to_pylist()
    ['f[]=a%20b']
    """
    return _evaluate("uri_whatwg_query", text, [], edition)


def whatwg_query_param(text: Any, name: Any, *, edition: str = "rfc3986") -> Any:
    """Return the value of the first parameter with this name, as searchParams.get(name) returns it.

    `name` is a text, or an array of texts.

    >>> from locator_uri import arrow
    >>> arrow.whatwg_query_param(['http://h/?f[]=a+b&f[]=c'], 'f[]').to_pylist()
    ['a b']
    """
    return _evaluate("uri_whatwg_query_param", text, [name], edition)


def whatwg_fragment(text: Any, *, edition: str = "rfc3986") -> Any:
    """Return the fragment by the URL Standard, without "#".

    >>> from locator_uri import arrow
    >>> arrow.whatwg_fragment(['http://h/#a b']).to_pylist()
    ['a%20b']
    """
    return _evaluate("uri_whatwg_fragment", text, [], edition)


def whatwg_resolve(base: Any, reference: Any, *, edition: str = "rfc3986") -> Any:
    """Return the URL of a link in a page with this URL, as browsers resolve it; NULL if either is
    not valid.

    `reference` is a text, or an array of texts.

    >>> from locator_uri import arrow
    >>> arrow.whatwg_resolve(['https://h/a/b'], '/\\\\evil.example\\\\c').to_pylist()
    ['https://evil.example/c']
    """
    return _evaluate("uri_whatwg_resolve", base, [reference], edition)


def whatwg_errors(text: Any, *, edition: str = "rfc3986") -> Any:
    """Return the names of the validation errors of the URL Standard, each once; none for a valid
    URL.

    >>> from locator_uri import arrow
    >>> arrow.whatwg_errors(['http://u@h\\\\a|b']).to_pylist()
    [['invalid-credentials', 'invalid-reverse-solidus', 'invalid-URL-unit']]
    """
    return _evaluate("uri_whatwg_errors", text, [], edition)


def contacts(text: Any, *, edition: str = "rfc3986") -> Any:
    """Return the hosts that programs contact: by RFC 3986, then by the URL Standard and as others
    read it.

    >>> from locator_uri import arrow
    >>> arrow.contacts(['http://good.example\\\\@evil.example/']).to_pylist()
    [['evil.example', 'good.example']]
    """
    return _evaluate("uri_contacts", text, [], edition)


def uniq(text: Any, *, by: str | None = None, edition: str = "rfc3986") -> int:
    """Return the number of distinct values without NULL, by their hashes.

    `by` is the name of a part, such as "key", "host" or "segment:0": the parts are counted.

    >>> from locator_uri import arrow
    >>> arrow.uniq(["http://h/", "http://h/", "HTTP://h/#top", None])
    2
    >>> arrow.uniq(["http://h/", "http://h/", "HTTP://h/#top", None], by="key")
    1
    """
    return _uniq(text, None if by is None else f"uri_{by}", edition)


def psl_version() -> str:
    """Return the version of the Public Suffix List that `registered_domain` and others use.

    >>> from locator_uri import arrow
    >>> arrow.psl_version()[:2]
    '20'
    """
    return _native.PUBLIC_SUFFIX_LIST


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        short = name.removeprefix("uri_")
        if short != name and short in __all__:
            return globals()[short]
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

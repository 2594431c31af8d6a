"""URLs in Polars: importing this module adds the namespace `uri` to `Expr` and `Series`.

>>> import polars as pl
>>> import locator_uri.polars
>>> visits = pl.DataFrame({"url": ["http://www.example.co.uk/a", None, "http://b c/"]})
>>> visits.select(pl.col("url").uri.registered_domain()).to_series().to_list()
['example.co.uk', None, None]

The methods are the functions of `locator_uri.arrow`. They are elementwise: they run in lazy and
streaming queries, in groups and in windows, and a filter is moved before them. Rows that are null
give null, and so do texts that are not valid URLs or references, unless a method says otherwise.

Type checkers do not see namespaces: `ExprUri(pl.col("url")).host()` is the same with types.
"""

# Written by python/make_modules.py; edit that, or the table in crates/locator-functions.

from __future__ import annotations

import polars as pl

from ._polars import of_expr, of_series

__all__ = ["ExprUri", "SeriesUri"]


@pl.api.register_expr_namespace("uri")
class ExprUri:
    """The functions of an expression of URLs, as `pl.col("url").uri`.

    >>> import polars as pl
    >>> import locator_uri.polars
    >>> pl.select(pl.lit("http://h:80/").uri.port()).item()
    80
    """

    def __init__(self, expr: pl.Expr) -> None:
        self._expr = expr

    def uniq(self, *, by: str | None = None, edition: str = "rfc3986") -> pl.Expr:
        """Return the number of distinct values without NULL: an aggregation.

        `by` is the name of a part, such as "key", "host" or "segment:0": the parts are counted.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> visits = pl.DataFrame({"url": ["http://h/", "HTTP://h/#top", None]})
        >>> visits.select(pl.col("url").uri.uniq(by="key")).item()
        1
        """
        expr = self._expr if by is None else of_expr("uri_part", self._expr, [by], edition)
        return expr.drop_nulls().n_unique().cast(pl.Int64)

    def part(self, part: str, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the part with this name, such as 'host', 'query:page' or 'segment:-1', as text.

        `part` is the name of a part, such as "host" or "segment:-1".

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://h/a/b?page=2').uri.part('segment:-1')).to_series().to_list()
        ['b']
        """
        return of_expr("uri_part", self._expr, [part], edition)

    def scheme(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the scheme, as given.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('HTTP://h/').uri.scheme()).to_series().to_list()
        ['HTTP']
        """
        return of_expr("uri_scheme", self._expr, [], edition)

    def authority(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the authority: userinfo, host and port, as given.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://u@h:80/').uri.authority()).to_series().to_list()
        ['u@h:80']
        """
        return of_expr("uri_authority", self._expr, [], edition)

    def userinfo(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the user information, before "@" in the authority, as given.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://u:p@h/').uri.userinfo()).to_series().to_list()
        ['u:p']
        """
        return of_expr("uri_userinfo", self._expr, [], edition)

    def user(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the user, before the first ":" of the user information, as given.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://u:p@h/').uri.user()).to_series().to_list()
        ['u']
        """
        return of_expr("uri_user", self._expr, [], edition)

    def password(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the password, after the first ":" of the user information, as given.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://u:p@h/').uri.password()).to_series().to_list()
        ['p']
        """
        return of_expr("uri_password", self._expr, [], edition)

    def host(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the host, as given, with the brackets of an IPv6 address.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://[::1]:80/').uri.host()).to_series().to_list()
        ['[::1]']
        """
        return of_expr("uri_host", self._expr, [], edition)

    def host_normal(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the host in its normal form: in lower case, with only the escapes that it needs.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://EX%41MPLE.com/').uri.host_normal()).to_series().to_list()
        ['example.com']
        """
        return of_expr("uri_host_normal", self._expr, [], edition)

    def host_kind(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the kind of host: name, ipv4, ipv6, ipvfuture or empty.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://127.0.0.1/').uri.host_kind()).to_series().to_list()
        ['ipv4']
        """
        return of_expr("uri_host_kind", self._expr, [], edition)

    def host_ascii(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the host as DNS has it, with "xn--" for other alphabets.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://b%C3%BCcher.example/').uri.host_ascii()).to_series().to_list()
        ['xn--bcher-kva.example']
        """
        return of_expr("uri_host_ascii", self._expr, [], edition)

    def host_unicode(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the host for people, without "xn--".

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://xn--bcher-kva.example/').uri.host_unicode()).to_series().to_list()
        ['bücher.example']
        """
        return of_expr("uri_host_unicode", self._expr, [], edition)

    def host_without_www(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the host without a first label "www".

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://www.example.com/').uri.host_without_www()).to_series().to_list()
        ['example.com']
        """
        return of_expr("uri_host_without_www", self._expr, [], edition)

    def registered_domain(self, rules: str = 'icann', *, edition: str = "rfc3986") -> pl.Expr:
        """Return the domain that somebody has registered: the public suffix and one more label.

        `rules` is one of "icann", "private".

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://www.Example.co.uk/').uri.registered_domain()).to_series().to_list()
        ['example.co.uk']
        """
        return of_expr("uri_registered_domain", self._expr, [rules], edition)

    def subdomain(self, rules: str = 'icann', *, edition: str = "rfc3986") -> pl.Expr:
        """Return the labels of the host before its registered domain; NULL if there are none.

        `rules` is one of "icann", "private".

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://www.example.co.uk/').uri.subdomain()).to_series().to_list()
        ['www']
        """
        return of_expr("uri_subdomain", self._expr, [rules], edition)

    def public_suffix(self, rules: str = 'icann', *, edition: str = "rfc3986") -> pl.Expr:
        """Return the public suffix of the host, under which anybody can register names.

        `rules` is one of "icann", "private".

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://www.example.co.uk/').uri.public_suffix()).to_series().to_list()
        ['co.uk']
        """
        return of_expr("uri_public_suffix", self._expr, [rules], edition)

    def registered_domain_of_host(self, rules: str = 'icann', *, edition: str = "rfc3986") -> pl.Expr:
        """Return the registered domain of a host that is not in a URL.

        `rules` is one of "icann", "private".

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('www.Example.co.uk').uri.registered_domain_of_host()).to_series().to_list()
        ['example.co.uk']
        """
        return of_expr("uri_registered_domain_of_host", self._expr, [rules], edition)

    def host_ip(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the address that browsers contact for the host, in any way to write one; NULL for
        names.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://0x7f.1/').uri.host_ip()).to_series().to_list()
        ['127.0.0.1']
        """
        return of_expr("uri_host_ip", self._expr, [], edition)

    def is_private_ip(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return whether the host is an address that is not public; false for names.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://2130706433/').uri.is_private_ip()).to_series().to_list()
        [True]
        """
        return of_expr("uri_is_private_ip", self._expr, [], edition)

    def port(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the port as a number; NULL above 65535.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://h:8080/').uri.port()).to_series().to_list()
        [8080]
        """
        return of_expr("uri_port", self._expr, [], edition)

    def port_text(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the port as given.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://h:0080/').uri.port_text()).to_series().to_list()
        ['0080']
        """
        return of_expr("uri_port_text", self._expr, [], edition)

    def effective_port(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the port, or the default of the scheme.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('https://h/').uri.effective_port()).to_series().to_list()
        [443]
        """
        return of_expr("uri_effective_port", self._expr, [], edition)

    def origin(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return scheme, host and port in normal form, without a default port.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('HTTPS://Example.com:443/a').uri.origin()).to_series().to_list()
        ['https://example.com']
        """
        return of_expr("uri_origin", self._expr, [], edition)

    def path(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the path, as given; never NULL for a valid reference.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://h/a/b?c').uri.path()).to_series().to_list()
        ['/a/b']
        """
        return of_expr("uri_path", self._expr, [], edition)

    def path_segment(self, number: int | pl.Expr | None, *, edition: str = "rfc3986") -> pl.Expr:
        """Return a segment of the path: 1 is the first, -1 the last.

        `number` is an integer, or an expression of integers.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://h/a/b').uri.path_segment(2)).to_series().to_list()
        ['b']
        """
        return of_expr("uri_path_segment", self._expr, [number], edition)

    def path_segments(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return all segments of the path, as given.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://h/a/b%20c/').uri.path_segments()).to_series().to_list()
        [['a', 'b%20c', '']]
        """
        return of_expr("uri_path_segments", self._expr, [], edition)

    def path_depth(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the number of segments of the path that are not empty; NULL for opaque paths.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://h/a/b/').uri.path_depth()).to_series().to_list()
        [2]
        """
        return of_expr("uri_path_depth", self._expr, [], edition)

    def file_name(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the last segment of the path; NULL if the path ends with "/".

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://h/a/b.tar.gz').uri.file_name()).to_series().to_list()
        ['b.tar.gz']
        """
        return of_expr("uri_file_name", self._expr, [], edition)

    def extension(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the text after the last "." of the file name.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://h/a/b.tar.gz').uri.extension()).to_series().to_list()
        ['gz']
        """
        return of_expr("uri_extension", self._expr, [], edition)

    def query(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the query, as given.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://h/?a=1#b').uri.query()).to_series().to_list()
        ['a=1']
        """
        return of_expr("uri_query", self._expr, [], edition)

    def query_param(self, name: str | pl.Expr | None, decoding: str = 'form', *, edition: str = "rfc3986") -> pl.Expr:
        """Return the value of the first parameter with this name, decoded as HTML forms are.

        `name` is a text, or an expression of texts.
        `decoding` is one of "form", "percent", "raw".

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://h/?q=a+b').uri.query_param('q')).to_series().to_list()
        ['a b']
        """
        return of_expr("uri_query_param", self._expr, [name, decoding], edition)

    def query_params(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return all parameters in order, decoded as HTML forms are; the value is NULL without "=".

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://h/?a=1&b').uri.query_params()).to_series().to_list()
        [[{'name': 'a', 'value': '1'}, {'name': 'b', 'value': None}]]
        """
        return of_expr("uri_query_params", self._expr, [], edition)

    def fragment(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the fragment, as given.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://h/#').uri.fragment()).to_series().to_list()
        ['']
        """
        return of_expr("uri_fragment", self._expr, [], edition)

    def kind(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the kind of reference: uri, network-path, absolute-path, relative-path, query,
        fragment or empty.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('//h/a').uri.kind()).to_series().to_list()
        ['network-path']
        """
        return of_expr("uri_kind", self._expr, [], edition)

    def is_valid(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return whether the text is a valid URI, with a scheme.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('banana').uri.is_valid()).to_series().to_list()
        [False]
        """
        return of_expr("uri_is_valid", self._expr, [], edition)

    def is_reference(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return whether the text is a valid URI or relative reference.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('banana').uri.is_reference()).to_series().to_list()
        [True]
        """
        return of_expr("uri_is_reference", self._expr, [], edition)

    def error(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return why the text is not a valid reference, as a sentence; NULL if it is.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://h/a b').uri.error()).to_series().to_list()
        ['a space is not allowed in the path']
        """
        return of_expr("uri_error", self._expr, [], edition)

    def error_info(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return why the text is not a valid reference: position in bytes, component, rule, what
        was found; NULL if it is.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://h/a b').uri.error_info()).to_series().to_list()
        [{'offset': 10, 'length': 1, 'part': 'path', 'rule': 'pchar', 'found': 'a space', 'message': 'a space is not allowed in the path', 'see': 'RFC 3986, 3.3'}]
        """
        return of_expr("uri_error_info", self._expr, [], edition)

    def normalize(self, level: str = 'scheme', *, edition: str = "rfc3986") -> pl.Expr:
        """Return the normal form.

        `level` is one of "syntax", "scheme".

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('HTTP://H:80/%7Ea/../b').uri.normalize()).to_series().to_list()
        ['http://h/b']
        """
        return of_expr("uri_normalize", self._expr, [level], edition)

    def key(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the key for joins: normal form without fragment and tracking parameters,
        parameters sorted.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://h/?b=2&utm_source=x&a=1#c').uri.key()).to_series().to_list()
        ['http://h/?a=1&b=2']
        """
        return of_expr("uri_key", self._expr, [], edition)

    def surt(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the sort-friendly key of web archives: the host reversed, then path and query in
        lower case.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://www.Example.com/A?b=2&a=1').uri.surt()).to_series().to_list()
        ['com,example)/a?a=1&b=2']
        """
        return of_expr("uri_surt", self._expr, [], edition)

    def resolve(self, reference: str | pl.Expr | None, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the URI that a reference identifies in a document with this base; NULL if the base
        is relative.

        `reference` is a text, or an expression of texts.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://h/a/b').uri.resolve('../c')).to_series().to_list()
        ['http://h/c']
        """
        return of_expr("uri_resolve", self._expr, [reference], edition)

    def equivalent(self, other: str | pl.Expr | None, level: str = 'scheme', *, edition: str = "rfc3986") -> pl.Expr:
        """Return whether two URIs have the same normal form; NULL if one is relative.

        `other` is a text, or an expression of texts.
        `level` is one of "syntax", "scheme".

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://h:80/').uri.equivalent('HTTP://H/')).to_series().to_list()
        [True]
        """
        return of_expr("uri_equivalent", self._expr, [other, level], edition)

    def strip(self, parts: str, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the reference without these components.

        `parts` is of "scheme", "authority", "userinfo", "port", "query", "fragment", with commas
        between them.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://h/a?b#c').uri.strip('query,fragment')).to_series().to_list()
        ['http://h/a']
        """
        return of_expr("uri_strip", self._expr, [parts], edition)

    def without_params(self, names: str, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the reference without the parameters whose names match a pattern.

        `names` is names with commas between them; "*" is any text.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://h/?utm_source=x&q=1').uri.without_params('utm_*,gclid')).to_series().to_list()
        ['http://h/?q=1']
        """
        return of_expr("uri_without_params", self._expr, [names], edition)

    def keep_params(self, names: str, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the reference with only the parameters whose names match a pattern.

        `names` is names with commas between them; "*" is any text.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://h/?utm_source=x&q=1').uri.keep_params('q')).to_series().to_list()
        ['http://h/?q=1']
        """
        return of_expr("uri_keep_params", self._expr, [names], edition)

    def set_param(self, name: str | pl.Expr | None, value: str | pl.Expr | None, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the reference with this value for the first parameter of the name, and without
        others of it.

        `name` is a text, or an expression of texts.
        `value` is a text, or an expression of texts.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://h/?page=1&q=a').uri.set_param('page', '2')).to_series().to_list()
        ['http://h/?page=2&q=a']
        """
        return of_expr("uri_set_param", self._expr, [name, value], edition)

    def append_param(self, name: str | pl.Expr | None, value: str | pl.Expr | None, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the reference with one more parameter.

        `name` is a text, or an expression of texts.
        `value` is a text, or an expression of texts.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://h/?q=a').uri.append_param('q', 'b c')).to_series().to_list()
        ['http://h/?q=a&q=b%20c']
        """
        return of_expr("uri_append_param", self._expr, [name, value], edition)

    def remove_param(self, name: str | pl.Expr | None, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the reference without the parameters of the name.

        `name` is a text, or an expression of texts.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://h/?q=a&page=1').uri.remove_param('page')).to_series().to_list()
        ['http://h/?q=a']
        """
        return of_expr("uri_remove_param", self._expr, [name], edition)

    def sort_params(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the reference with its parameters sorted by name.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://h/?b=2&a=1').uri.sort_params()).to_series().to_list()
        ['http://h/?a=1&b=2']
        """
        return of_expr("uri_sort_params", self._expr, [], edition)

    def repair(self, scheme: str = '', *, edition: str = "rfc3986") -> pl.Expr:
        """Return the text as a valid reference, repaired as browsers do, with a scheme if given;
        NULL if it stays invalid.

        `scheme` is a scheme whose URLs have a host, or "".

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit(' http://h/a b ').uri.repair()).to_series().to_list()
        ['http://h/a%20b']
        """
        return of_expr("uri_repair", self._expr, [scheme], edition)

    def refang(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the URL, host or address that a defanged text means; any other text as it is.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('hxxp://evil[.]example/a').uri.refang()).to_series().to_list()
        ['http://evil.example/a']
        """
        return of_expr("uri_refang", self._expr, [], edition)

    def percent_encode(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the text with escapes for everything but letters, digits and "-._~": data for any
        component.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('a b/é').uri.percent_encode()).to_series().to_list()
        ['a%20b%2F%C3%A9']
        """
        return of_expr("uri_percent_encode", self._expr, [], edition)

    def percent_decode(self, decoding: str = 'percent', *, edition: str = "rfc3986") -> pl.Expr:
        """Return the text without escapes; NULL if the result is not UTF-8.

        `decoding` is one of "percent", "form".

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('a%20b%2F%C3%A9').uri.percent_decode()).to_series().to_list()
        ['a b/é']
        """
        return of_expr("uri_percent_decode", self._expr, [decoding], edition)

    def redact(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the text with passwords, tokens and keys hidden.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://u:p@h/').uri.redact()).to_series().to_list()
        ['http://u:(hidden)@h/']
        """
        return of_expr("uri_redact", self._expr, [], edition)

    def parse(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return all components as given; the port is a number.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://h:80/a?b').uri.parse()).to_series().to_list()
        [{'scheme': 'http', 'userinfo': None, 'host': 'h', 'port': 80, 'path': '/a', 'query': 'b', 'fragment': None}]
        """
        return of_expr("uri_parse", self._expr, [], edition)

    def hash128(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the XXH3 hash of the text, 16 bytes: not a hash for security.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('').uri.hash128()).to_series().to_list()
        [b'\\x99\\xaa\\x06\\xd3\\x01G\\x98\\xd8`\\x01\\xc3$F\\x8dI\\x7f']
        """
        return of_expr("uri_hash128", self._expr, [], edition)

    def audit(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the codes of the audit's findings, each once, of low severity and above.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('https://me:hunter2@example.com/').uri.audit()).to_series().to_list()
        [['password']]
        """
        return of_expr("uri_audit", self._expr, [], edition)

    def audit_severity(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the highest severity of the audit's findings: low, medium or high; NULL without a
        finding.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://example.com@evil.example/').uri.audit_severity()).to_series().to_list()
        ['medium']
        """
        return of_expr("uri_audit_severity", self._expr, [], edition)

    def find(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the URLs in running text, with their positions in bytes.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('see http://h/a.').uri.find()).to_series().to_list()
        [[{'url': 'http://h/a', 'start': 4, 'end': 14}]]
        """
        return of_expr("uri_find", self._expr, [], edition)

    def whatwg_is_valid(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return whether the text is a URL by the URL Standard, also if browsers repair it; a
        relative one is not.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://h/a|b?f[]=100%').uri.whatwg_is_valid()).to_series().to_list()
        [True]
        """
        return of_expr("uri_whatwg_is_valid", self._expr, [], edition)

    def whatwg_href(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the URL as browsers write it, by the URL Standard.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('https:\\\\\\\\H\\\\a|b?f[]=100% c').uri.whatwg_href()).to_series().to_list()
        ['https://h/a|b?f[]=100%%20c']
        """
        return of_expr("uri_whatwg_href", self._expr, [], edition)

    def whatwg_origin(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return scheme, host and port by the URL Standard; NULL for an opaque origin, which new
        URL() calls "null".

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('HTTPS:\\\\\\\\Example.com:443\\\\a').uri.whatwg_origin()).to_series().to_list()
        ['https://example.com']
        """
        return of_expr("uri_whatwg_origin", self._expr, [], edition)

    def whatwg_scheme(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the scheme by the URL Standard, in lower case, without ":".

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit(' HTTP://h/').uri.whatwg_scheme()).to_series().to_list()
        ['http']
        """
        return of_expr("uri_whatwg_scheme", self._expr, [], edition)

    def whatwg_user(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the user by the URL Standard, percent-encoded; NULL if it is empty.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://a@b@h/').uri.whatwg_user()).to_series().to_list()
        ['a%40b']
        """
        return of_expr("uri_whatwg_user", self._expr, [], edition)

    def whatwg_password(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the password by the URL Standard, percent-encoded; NULL if it is empty.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://u:p|q@h/').uri.whatwg_password()).to_series().to_list()
        ['p%7Cq']
        """
        return of_expr("uri_whatwg_password", self._expr, [], edition)

    def whatwg_host(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the host without the port by the URL Standard: a domain in ASCII, or an address.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://0x7f.1\\\\@evil.example/').uri.whatwg_host()).to_series().to_list()
        ['127.0.0.1']
        """
        return of_expr("uri_whatwg_host", self._expr, [], edition)

    def whatwg_port(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the port by the URL Standard; NULL if it is the default of the scheme.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://h:08080/').uri.whatwg_port()).to_series().to_list()
        [8080]
        """
        return of_expr("uri_whatwg_port", self._expr, [], edition)

    def whatwg_effective_port(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the port by the URL Standard, or the default of the scheme.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('https://h:443/a|b').uri.whatwg_effective_port()).to_series().to_list()
        [443]
        """
        return of_expr("uri_whatwg_effective_port", self._expr, [], edition)

    def whatwg_path(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the path by the URL Standard, without dot segments.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://h/a\\\\%2e%2e\\\\b c|d').uri.whatwg_path()).to_series().to_list()
        ['/b%20c|d']
        """
        return of_expr("uri_whatwg_path", self._expr, [], edition)

    def whatwg_query(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the query by the URL Standard, without "?".

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://h/?f[]=a b').uri.whatwg_query()).to_series().to_list()
        ['f[]=a%20b']
        """
        return of_expr("uri_whatwg_query", self._expr, [], edition)

    def whatwg_query_param(self, name: str | pl.Expr | None, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the value of the first parameter with this name, as searchParams.get(name) returns
        it.

        `name` is a text, or an expression of texts.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://h/?f[]=a+b&f[]=c').uri.whatwg_query_param('f[]')).to_series().to_list()
        ['a b']
        """
        return of_expr("uri_whatwg_query_param", self._expr, [name], edition)

    def whatwg_fragment(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the fragment by the URL Standard, without "#".

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://h/#a b').uri.whatwg_fragment()).to_series().to_list()
        ['a%20b']
        """
        return of_expr("uri_whatwg_fragment", self._expr, [], edition)

    def whatwg_resolve(self, reference: str | pl.Expr | None, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the URL of a link in a page with this URL, as browsers resolve it; NULL if either
        is not valid.

        `reference` is a text, or an expression of texts.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('https://h/a/b').uri.whatwg_resolve('/\\\\evil.example\\\\c')).to_series().to_list()
        ['https://evil.example/c']
        """
        return of_expr("uri_whatwg_resolve", self._expr, [reference], edition)

    def whatwg_errors(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the names of the validation errors of the URL Standard, each once; none for a
        valid URL.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://u@h\\\\a|b').uri.whatwg_errors()).to_series().to_list()
        [['invalid-credentials', 'invalid-reverse-solidus', 'invalid-URL-unit']]
        """
        return of_expr("uri_whatwg_errors", self._expr, [], edition)

    def contacts(self, *, edition: str = "rfc3986") -> pl.Expr:
        """Return the hosts that programs contact: by RFC 3986, then by the URL Standard and as
        others read it.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.select(pl.lit('http://good.example\\\\@evil.example/').uri.contacts()).to_series().to_list()
        [['evil.example', 'good.example']]
        """
        return of_expr("uri_contacts", self._expr, [], edition)


@pl.api.register_series_namespace("uri")
class SeriesUri:
    """The functions of a series of URLs, as `frame["url"].uri`.

    >>> import polars as pl
    >>> import locator_uri.polars
    >>> pl.Series(["http://h:80/"]).uri.port().to_list()
    [80]
    """

    def __init__(self, series: pl.Series) -> None:
        self._series = series

    def uniq(self, *, by: str | None = None, edition: str = "rfc3986") -> int:
        """Return the number of distinct values without NULL.

        `by` is the name of a part, such as "key", "host" or "segment:0": the parts are counted.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(["http://h/", "HTTP://h/#top", None]).uri.uniq(by="key")
        1
        """
        series = self._series if by is None else of_series("uri_part", self._series, [by], edition)
        return int(series.drop_nulls().n_unique())

    def part(self, part: str, *, edition: str = "rfc3986") -> pl.Series:
        """Return the part with this name, such as 'host', 'query:page' or 'segment:-1', as text.

        `part` is the name of a part, such as "host" or "segment:-1".

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://h/a/b?page=2']).uri.part('segment:-1').to_list()
        ['b']
        """
        return of_series("uri_part", self._series, [part], edition)

    def scheme(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return the scheme, as given.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['HTTP://h/']).uri.scheme().to_list()
        ['HTTP']
        """
        return of_series("uri_scheme", self._series, [], edition)

    def authority(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return the authority: userinfo, host and port, as given.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://u@h:80/']).uri.authority().to_list()
        ['u@h:80']
        """
        return of_series("uri_authority", self._series, [], edition)

    def userinfo(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return the user information, before "@" in the authority, as given.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://u:p@h/']).uri.userinfo().to_list()
        ['u:p']
        """
        return of_series("uri_userinfo", self._series, [], edition)

    def user(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return the user, before the first ":" of the user information, as given.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://u:p@h/']).uri.user().to_list()
        ['u']
        """
        return of_series("uri_user", self._series, [], edition)

    def password(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return the password, after the first ":" of the user information, as given.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://u:p@h/']).uri.password().to_list()
        ['p']
        """
        return of_series("uri_password", self._series, [], edition)

    def host(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return the host, as given, with the brackets of an IPv6 address.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://[::1]:80/']).uri.host().to_list()
        ['[::1]']
        """
        return of_series("uri_host", self._series, [], edition)

    def host_normal(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return the host in its normal form: in lower case, with only the escapes that it needs.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://EX%41MPLE.com/']).uri.host_normal().to_list()
        ['example.com']
        """
        return of_series("uri_host_normal", self._series, [], edition)

    def host_kind(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return the kind of host: name, ipv4, ipv6, ipvfuture or empty.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://127.0.0.1/']).uri.host_kind().to_list()
        ['ipv4']
        """
        return of_series("uri_host_kind", self._series, [], edition)

    def host_ascii(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return the host as DNS has it, with "xn--" for other alphabets.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://b%C3%BCcher.example/']).uri.host_ascii().to_list()
        ['xn--bcher-kva.example']
        """
        return of_series("uri_host_ascii", self._series, [], edition)

    def host_unicode(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return the host for people, without "xn--".

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://xn--bcher-kva.example/']).uri.host_unicode().to_list()
        ['bücher.example']
        """
        return of_series("uri_host_unicode", self._series, [], edition)

    def host_without_www(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return the host without a first label "www".

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://www.example.com/']).uri.host_without_www().to_list()
        ['example.com']
        """
        return of_series("uri_host_without_www", self._series, [], edition)

    def registered_domain(self, rules: str = 'icann', *, edition: str = "rfc3986") -> pl.Series:
        """Return the domain that somebody has registered: the public suffix and one more label.

        `rules` is one of "icann", "private".

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://www.Example.co.uk/']).uri.registered_domain().to_list()
        ['example.co.uk']
        """
        return of_series("uri_registered_domain", self._series, [rules], edition)

    def subdomain(self, rules: str = 'icann', *, edition: str = "rfc3986") -> pl.Series:
        """Return the labels of the host before its registered domain; NULL if there are none.

        `rules` is one of "icann", "private".

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://www.example.co.uk/']).uri.subdomain().to_list()
        ['www']
        """
        return of_series("uri_subdomain", self._series, [rules], edition)

    def public_suffix(self, rules: str = 'icann', *, edition: str = "rfc3986") -> pl.Series:
        """Return the public suffix of the host, under which anybody can register names.

        `rules` is one of "icann", "private".

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://www.example.co.uk/']).uri.public_suffix().to_list()
        ['co.uk']
        """
        return of_series("uri_public_suffix", self._series, [rules], edition)

    def registered_domain_of_host(self, rules: str = 'icann', *, edition: str = "rfc3986") -> pl.Series:
        """Return the registered domain of a host that is not in a URL.

        `rules` is one of "icann", "private".

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['www.Example.co.uk']).uri.registered_domain_of_host().to_list()
        ['example.co.uk']
        """
        return of_series("uri_registered_domain_of_host", self._series, [rules], edition)

    def host_ip(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return the address that browsers contact for the host, in any way to write one; NULL for
        names.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://0x7f.1/']).uri.host_ip().to_list()
        ['127.0.0.1']
        """
        return of_series("uri_host_ip", self._series, [], edition)

    def is_private_ip(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return whether the host is an address that is not public; false for names.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://2130706433/']).uri.is_private_ip().to_list()
        [True]
        """
        return of_series("uri_is_private_ip", self._series, [], edition)

    def port(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return the port as a number; NULL above 65535.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://h:8080/']).uri.port().to_list()
        [8080]
        """
        return of_series("uri_port", self._series, [], edition)

    def port_text(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return the port as given.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://h:0080/']).uri.port_text().to_list()
        ['0080']
        """
        return of_series("uri_port_text", self._series, [], edition)

    def effective_port(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return the port, or the default of the scheme.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['https://h/']).uri.effective_port().to_list()
        [443]
        """
        return of_series("uri_effective_port", self._series, [], edition)

    def origin(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return scheme, host and port in normal form, without a default port.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['HTTPS://Example.com:443/a']).uri.origin().to_list()
        ['https://example.com']
        """
        return of_series("uri_origin", self._series, [], edition)

    def path(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return the path, as given; never NULL for a valid reference.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://h/a/b?c']).uri.path().to_list()
        ['/a/b']
        """
        return of_series("uri_path", self._series, [], edition)

    def path_segment(self, number: int | pl.Series | None, *, edition: str = "rfc3986") -> pl.Series:
        """Return a segment of the path: 1 is the first, -1 the last.

        `number` is an integer, or an series of integers.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://h/a/b']).uri.path_segment(2).to_list()
        ['b']
        """
        return of_series("uri_path_segment", self._series, [number], edition)

    def path_segments(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return all segments of the path, as given.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://h/a/b%20c/']).uri.path_segments().to_list()
        [['a', 'b%20c', '']]
        """
        return of_series("uri_path_segments", self._series, [], edition)

    def path_depth(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return the number of segments of the path that are not empty; NULL for opaque paths.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://h/a/b/']).uri.path_depth().to_list()
        [2]
        """
        return of_series("uri_path_depth", self._series, [], edition)

    def file_name(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return the last segment of the path; NULL if the path ends with "/".

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://h/a/b.tar.gz']).uri.file_name().to_list()
        ['b.tar.gz']
        """
        return of_series("uri_file_name", self._series, [], edition)

    def extension(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return the text after the last "." of the file name.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://h/a/b.tar.gz']).uri.extension().to_list()
        ['gz']
        """
        return of_series("uri_extension", self._series, [], edition)

    def query(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return the query, as given.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://h/?a=1#b']).uri.query().to_list()
        ['a=1']
        """
        return of_series("uri_query", self._series, [], edition)

    def query_param(self, name: str | pl.Series | None, decoding: str = 'form', *, edition: str = "rfc3986") -> pl.Series:
        """Return the value of the first parameter with this name, decoded as HTML forms are.

        `name` is a text, or an series of texts.
        `decoding` is one of "form", "percent", "raw".

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://h/?q=a+b']).uri.query_param('q').to_list()
        ['a b']
        """
        return of_series("uri_query_param", self._series, [name, decoding], edition)

    def query_params(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return all parameters in order, decoded as HTML forms are; the value is NULL without "=".

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://h/?a=1&b']).uri.query_params().to_list()
        [[{'name': 'a', 'value': '1'}, {'name': 'b', 'value': None}]]
        """
        return of_series("uri_query_params", self._series, [], edition)

    def fragment(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return the fragment, as given.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://h/#']).uri.fragment().to_list()
        ['']
        """
        return of_series("uri_fragment", self._series, [], edition)

    def kind(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return the kind of reference: uri, network-path, absolute-path, relative-path, query,
        fragment or empty.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['//h/a']).uri.kind().to_list()
        ['network-path']
        """
        return of_series("uri_kind", self._series, [], edition)

    def is_valid(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return whether the text is a valid URI, with a scheme.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['banana']).uri.is_valid().to_list()
        [False]
        """
        return of_series("uri_is_valid", self._series, [], edition)

    def is_reference(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return whether the text is a valid URI or relative reference.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['banana']).uri.is_reference().to_list()
        [True]
        """
        return of_series("uri_is_reference", self._series, [], edition)

    def error(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return why the text is not a valid reference, as a sentence; NULL if it is.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://h/a b']).uri.error().to_list()
        ['a space is not allowed in the path']
        """
        return of_series("uri_error", self._series, [], edition)

    def error_info(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return why the text is not a valid reference: position in bytes, component, rule, what
        was found; NULL if it is.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://h/a b']).uri.error_info().to_list()
        [{'offset': 10, 'length': 1, 'part': 'path', 'rule': 'pchar', 'found': 'a space', 'message': 'a space is not allowed in the path', 'see': 'RFC 3986, 3.3'}]
        """
        return of_series("uri_error_info", self._series, [], edition)

    def normalize(self, level: str = 'scheme', *, edition: str = "rfc3986") -> pl.Series:
        """Return the normal form.

        `level` is one of "syntax", "scheme".

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['HTTP://H:80/%7Ea/../b']).uri.normalize().to_list()
        ['http://h/b']
        """
        return of_series("uri_normalize", self._series, [level], edition)

    def key(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return the key for joins: normal form without fragment and tracking parameters,
        parameters sorted.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://h/?b=2&utm_source=x&a=1#c']).uri.key().to_list()
        ['http://h/?a=1&b=2']
        """
        return of_series("uri_key", self._series, [], edition)

    def surt(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return the sort-friendly key of web archives: the host reversed, then path and query in
        lower case.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://www.Example.com/A?b=2&a=1']).uri.surt().to_list()
        ['com,example)/a?a=1&b=2']
        """
        return of_series("uri_surt", self._series, [], edition)

    def resolve(self, reference: str | pl.Series | None, *, edition: str = "rfc3986") -> pl.Series:
        """Return the URI that a reference identifies in a document with this base; NULL if the base
        is relative.

        `reference` is a text, or an series of texts.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://h/a/b']).uri.resolve('../c').to_list()
        ['http://h/c']
        """
        return of_series("uri_resolve", self._series, [reference], edition)

    def equivalent(self, other: str | pl.Series | None, level: str = 'scheme', *, edition: str = "rfc3986") -> pl.Series:
        """Return whether two URIs have the same normal form; NULL if one is relative.

        `other` is a text, or an series of texts.
        `level` is one of "syntax", "scheme".

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://h:80/']).uri.equivalent('HTTP://H/').to_list()
        [True]
        """
        return of_series("uri_equivalent", self._series, [other, level], edition)

    def strip(self, parts: str, *, edition: str = "rfc3986") -> pl.Series:
        """Return the reference without these components.

        `parts` is of "scheme", "authority", "userinfo", "port", "query", "fragment", with commas
        between them.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://h/a?b#c']).uri.strip('query,fragment').to_list()
        ['http://h/a']
        """
        return of_series("uri_strip", self._series, [parts], edition)

    def without_params(self, names: str, *, edition: str = "rfc3986") -> pl.Series:
        """Return the reference without the parameters whose names match a pattern.

        `names` is names with commas between them; "*" is any text.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://h/?utm_source=x&q=1']).uri.without_params('utm_*,gclid').to_list()
        ['http://h/?q=1']
        """
        return of_series("uri_without_params", self._series, [names], edition)

    def keep_params(self, names: str, *, edition: str = "rfc3986") -> pl.Series:
        """Return the reference with only the parameters whose names match a pattern.

        `names` is names with commas between them; "*" is any text.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://h/?utm_source=x&q=1']).uri.keep_params('q').to_list()
        ['http://h/?q=1']
        """
        return of_series("uri_keep_params", self._series, [names], edition)

    def set_param(self, name: str | pl.Series | None, value: str | pl.Series | None, *, edition: str = "rfc3986") -> pl.Series:
        """Return the reference with this value for the first parameter of the name, and without
        others of it.

        `name` is a text, or an series of texts.
        `value` is a text, or an series of texts.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://h/?page=1&q=a']).uri.set_param('page', '2').to_list()
        ['http://h/?page=2&q=a']
        """
        return of_series("uri_set_param", self._series, [name, value], edition)

    def append_param(self, name: str | pl.Series | None, value: str | pl.Series | None, *, edition: str = "rfc3986") -> pl.Series:
        """Return the reference with one more parameter.

        `name` is a text, or an series of texts.
        `value` is a text, or an series of texts.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://h/?q=a']).uri.append_param('q', 'b c').to_list()
        ['http://h/?q=a&q=b%20c']
        """
        return of_series("uri_append_param", self._series, [name, value], edition)

    def remove_param(self, name: str | pl.Series | None, *, edition: str = "rfc3986") -> pl.Series:
        """Return the reference without the parameters of the name.

        `name` is a text, or an series of texts.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://h/?q=a&page=1']).uri.remove_param('page').to_list()
        ['http://h/?q=a']
        """
        return of_series("uri_remove_param", self._series, [name], edition)

    def sort_params(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return the reference with its parameters sorted by name.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://h/?b=2&a=1']).uri.sort_params().to_list()
        ['http://h/?a=1&b=2']
        """
        return of_series("uri_sort_params", self._series, [], edition)

    def repair(self, scheme: str = '', *, edition: str = "rfc3986") -> pl.Series:
        """Return the text as a valid reference, repaired as browsers do, with a scheme if given;
        NULL if it stays invalid.

        `scheme` is a scheme whose URLs have a host, or "".

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series([' http://h/a b ']).uri.repair().to_list()
        ['http://h/a%20b']
        """
        return of_series("uri_repair", self._series, [scheme], edition)

    def refang(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return the URL, host or address that a defanged text means; any other text as it is.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['hxxp://evil[.]example/a']).uri.refang().to_list()
        ['http://evil.example/a']
        """
        return of_series("uri_refang", self._series, [], edition)

    def percent_encode(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return the text with escapes for everything but letters, digits and "-._~": data for any
        component.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['a b/é']).uri.percent_encode().to_list()
        ['a%20b%2F%C3%A9']
        """
        return of_series("uri_percent_encode", self._series, [], edition)

    def percent_decode(self, decoding: str = 'percent', *, edition: str = "rfc3986") -> pl.Series:
        """Return the text without escapes; NULL if the result is not UTF-8.

        `decoding` is one of "percent", "form".

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['a%20b%2F%C3%A9']).uri.percent_decode().to_list()
        ['a b/é']
        """
        return of_series("uri_percent_decode", self._series, [decoding], edition)

    def redact(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return the text with passwords, tokens and keys hidden.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://u:p@h/']).uri.redact().to_list()
        ['http://u:(hidden)@h/']
        """
        return of_series("uri_redact", self._series, [], edition)

    def parse(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return all components as given; the port is a number.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://h:80/a?b']).uri.parse().to_list()
        [{'scheme': 'http', 'userinfo': None, 'host': 'h', 'port': 80, 'path': '/a', 'query': 'b', 'fragment': None}]
        """
        return of_series("uri_parse", self._series, [], edition)

    def hash128(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return the XXH3 hash of the text, 16 bytes: not a hash for security.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['']).uri.hash128().to_list()
        [b'\\x99\\xaa\\x06\\xd3\\x01G\\x98\\xd8`\\x01\\xc3$F\\x8dI\\x7f']
        """
        return of_series("uri_hash128", self._series, [], edition)

    def audit(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return the codes of the audit's findings, each once, of low severity and above.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['https://me:hunter2@example.com/']).uri.audit().to_list()
        [['password']]
        """
        return of_series("uri_audit", self._series, [], edition)

    def audit_severity(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return the highest severity of the audit's findings: low, medium or high; NULL without a
        finding.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://example.com@evil.example/']).uri.audit_severity().to_list()
        ['medium']
        """
        return of_series("uri_audit_severity", self._series, [], edition)

    def find(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return the URLs in running text, with their positions in bytes.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['see http://h/a.']).uri.find().to_list()
        [[{'url': 'http://h/a', 'start': 4, 'end': 14}]]
        """
        return of_series("uri_find", self._series, [], edition)

    def whatwg_is_valid(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return whether the text is a URL by the URL Standard, also if browsers repair it; a
        relative one is not.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://h/a|b?f[]=100%']).uri.whatwg_is_valid().to_list()
        [True]
        """
        return of_series("uri_whatwg_is_valid", self._series, [], edition)

    def whatwg_href(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return the URL as browsers write it, by the URL Standard.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['https:\\\\\\\\H\\\\a|b?f[]=100% c']).uri.whatwg_href().to_list()
        ['https://h/a|b?f[]=100%%20c']
        """
        return of_series("uri_whatwg_href", self._series, [], edition)

    def whatwg_origin(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return scheme, host and port by the URL Standard; NULL for an opaque origin, which new
        URL() calls "null".

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['HTTPS:\\\\\\\\Example.com:443\\\\a']).uri.whatwg_origin().to_list()
        ['https://example.com']
        """
        return of_series("uri_whatwg_origin", self._series, [], edition)

    def whatwg_scheme(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return the scheme by the URL Standard, in lower case, without ":".

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series([' HTTP://h/']).uri.whatwg_scheme().to_list()
        ['http']
        """
        return of_series("uri_whatwg_scheme", self._series, [], edition)

    def whatwg_user(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return the user by the URL Standard, percent-encoded; NULL if it is empty.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://a@b@h/']).uri.whatwg_user().to_list()
        ['a%40b']
        """
        return of_series("uri_whatwg_user", self._series, [], edition)

    def whatwg_password(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return the password by the URL Standard, percent-encoded; NULL if it is empty.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://u:p|q@h/']).uri.whatwg_password().to_list()
        ['p%7Cq']
        """
        return of_series("uri_whatwg_password", self._series, [], edition)

    def whatwg_host(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return the host without the port by the URL Standard: a domain in ASCII, or an address.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://0x7f.1\\\\@evil.example/']).uri.whatwg_host().to_list()
        ['127.0.0.1']
        """
        return of_series("uri_whatwg_host", self._series, [], edition)

    def whatwg_port(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return the port by the URL Standard; NULL if it is the default of the scheme.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://h:08080/']).uri.whatwg_port().to_list()
        [8080]
        """
        return of_series("uri_whatwg_port", self._series, [], edition)

    def whatwg_effective_port(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return the port by the URL Standard, or the default of the scheme.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['https://h:443/a|b']).uri.whatwg_effective_port().to_list()
        [443]
        """
        return of_series("uri_whatwg_effective_port", self._series, [], edition)

    def whatwg_path(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return the path by the URL Standard, without dot segments.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://h/a\\\\%2e%2e\\\\b c|d']).uri.whatwg_path().to_list()
        ['/b%20c|d']
        """
        return of_series("uri_whatwg_path", self._series, [], edition)

    def whatwg_query(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return the query by the URL Standard, without "?".

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://h/?f[]=a b']).uri.whatwg_query().to_list()
        ['f[]=a%20b']
        """
        return of_series("uri_whatwg_query", self._series, [], edition)

    def whatwg_query_param(self, name: str | pl.Series | None, *, edition: str = "rfc3986") -> pl.Series:
        """Return the value of the first parameter with this name, as searchParams.get(name) returns
        it.

        `name` is a text, or an series of texts.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://h/?f[]=a+b&f[]=c']).uri.whatwg_query_param('f[]').to_list()
        ['a b']
        """
        return of_series("uri_whatwg_query_param", self._series, [name], edition)

    def whatwg_fragment(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return the fragment by the URL Standard, without "#".

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://h/#a b']).uri.whatwg_fragment().to_list()
        ['a%20b']
        """
        return of_series("uri_whatwg_fragment", self._series, [], edition)

    def whatwg_resolve(self, reference: str | pl.Series | None, *, edition: str = "rfc3986") -> pl.Series:
        """Return the URL of a link in a page with this URL, as browsers resolve it; NULL if either
        is not valid.

        `reference` is a text, or an series of texts.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['https://h/a/b']).uri.whatwg_resolve('/\\\\evil.example\\\\c').to_list()
        ['https://evil.example/c']
        """
        return of_series("uri_whatwg_resolve", self._series, [reference], edition)

    def whatwg_errors(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return the names of the validation errors of the URL Standard, each once; none for a
        valid URL.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://u@h\\\\a|b']).uri.whatwg_errors().to_list()
        [['invalid-credentials', 'invalid-reverse-solidus', 'invalid-URL-unit']]
        """
        return of_series("uri_whatwg_errors", self._series, [], edition)

    def contacts(self, *, edition: str = "rfc3986") -> pl.Series:
        """Return the hosts that programs contact: by RFC 3986, then by the URL Standard and as
        others read it.

        >>> import polars as pl
        >>> import locator_uri.polars
        >>> pl.Series(['http://good.example\\\\@evil.example/']).uri.contacts().to_list()
        [['evil.example', 'good.example']]
        """
        return of_series("uri_contacts", self._series, [], edition)

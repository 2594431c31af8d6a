//! The table of functions, but for `uri_part`, which is of the others.

use std::borrow::Cow;

use locator::{Component, UriRef};
use locator_domain::{DomainExt, LIST_VERSION};

use crate::calls::{
    audit, contacts, decoded, equivalent, find, normalize, param, params, parse, part, resolve, rules,
    segments, severity, stripped,
};
use crate::function::{
    Absence, ArgumentValue, Call, Example, Field, Function, Needs, Parameter, ParameterKind,
};
use crate::hash::hash128;
use crate::host::{
    effective_port, host_ascii, host_normal, host_unicode, host_without_www, ip_of_text, is_private_ip,
    origin, registered_domain_of_host,
};
use crate::path::{extension, file_name, path_depth, path_segment};
use crate::percent::percent_encode;
use crate::query::{append_param, keep_params, remove_param, set_param, sort_params, without_params};
use crate::reason;
use crate::surt::surt;
use crate::whatwg;
use crate::whole::{key, repair};

/// Returns the function of this list with a name.
pub(crate) fn function_of_url(name: &str) -> Option<&'static Function> {
    OF_URL.iter().find(|function| function.name == name)
}

/// Returns a function of references.
pub(crate) const fn of_url(
    name: &'static str,
    summary: &'static str,
    call: Call,
    input: &'static str,
    result: &'static str,
) -> Function {
    let example = Example { input, arguments: &[], result };
    let needs = Needs::Reference;
    let has_edition = true;
    Function { name, first: "url", parameters: &[], summary, example, call, needs, has_edition, absent: &[] }
}

impl Function {
    /// Adds parameters, and the arguments of the example.
    pub(crate) const fn with(
        mut self,
        parameters: &'static [Parameter],
        arguments: &'static [ArgumentValue<'static>],
    ) -> Self {
        self.parameters = parameters;
        self.example.arguments = arguments;
        self
    }

    /// Says that texts that are no valid references have a result, too.
    pub(crate) const fn of_texts(mut self, first: &'static str) -> Self {
        self.first = first;
        self.needs = Needs::Text;
        self
    }

    /// Says that the result for a text depends on whether it is a valid reference.
    pub(crate) const fn parsed(mut self) -> Self {
        self.needs = Needs::TextAndReference;
        self
    }

    /// Names the column.
    const fn first_is(mut self, first: &'static str) -> Self {
        self.first = first;
        self
    }

    /// Says that no result depends on the edition.
    const fn of_any_edition(mut self) -> Self {
        self.has_edition = false;
        self
    }

    /// Says that the function reads texts by the URL Standard, and by no edition.
    const fn whatwg(self) -> Self {
        self.of_texts("text").of_any_edition()
    }

    /// Names engines that lack the function.
    pub(crate) const fn absent_in(mut self, absent: &'static [Absence]) -> Self {
        self.absent = absent;
        self
    }
}

/// Returns a parameter that must be given.
pub(crate) const fn needed(name: &'static str, kind: ParameterKind) -> Parameter {
    Parameter { name, kind, default: None }
}

/// Returns a parameter with a default.
const fn optional(name: &'static str, kind: ParameterKind, default: &'static str) -> Parameter {
    Parameter { name, kind, default: Some(ArgumentValue::Text(default)) }
}

/// Says that `locator read --columns` lacks the function, because it needs more than a URL.
pub(crate) const fn not_a_column(instead: &'static str) -> Absence {
    Absence { engine: "command", instead }
}

/// Says that an engine takes no aggregates of ours, or none that computes parts of a table in parallel.
const fn not_an_aggregate(engine: &'static str) -> Absence {
    Absence { engine, instead: "count(distinct uri_hash128(text))" }
}

const PARTS: &[Field] = &[
    Field { name: "scheme", is_int: false },
    Field { name: "userinfo", is_int: false },
    Field { name: "host", is_int: false },
    Field { name: "port", is_int: true },
    Field { name: "path", is_int: false },
    Field { name: "query", is_int: false },
    Field { name: "fragment", is_int: false },
];

const PAIR: &[Field] = &[Field { name: "name", is_int: false }, Field { name: "value", is_int: false }];

const FOUND: &[Field] = &[
    Field { name: "url", is_int: false },
    Field { name: "start", is_int: true },
    Field { name: "end", is_int: true },
];

const RULES: ParameterKind = ParameterKind::Choice(&["icann", "private"]);
const LEVELS: ParameterKind = ParameterKind::Choice(&["syntax", "scheme"]);
const DECODINGS: ParameterKind = ParameterKind::Choice(&["form", "percent", "raw"]);
const DECODED: ParameterKind = ParameterKind::Choice(&["percent", "form"]);
const NAME_AND_VALUE: &[Parameter] =
    &[needed("name", ParameterKind::Text), needed("value", ParameterKind::Text)];
const REMOVED: ParameterKind =
    ParameterKind::Choices(&["scheme", "authority", "userinfo", "port", "query", "fragment"]);

/// Calls a function with the name and the value of a parameter.
fn pair<T>(given: &[ArgumentValue<'_>], call: impl FnOnce(&str, &str) -> Option<T>) -> Option<T> {
    let [name, value] = given else { return None };
    call(name.text(), value.text())
}

/// The functions but for `uri_part`.
static OF_URL: &[Function] = LIST;

/// The same as a constant, of which the list of all is made.
pub(crate) const LIST: &[Function] = &[
    of_url(
        "uri_scheme",
        "the scheme, as given",
        Call::Slice(|row, _| part(row, Component::Scheme)),
        "HTTP://h/",
        "\"HTTP\"",
    ),
    of_url(
        "uri_authority",
        "the authority: userinfo, host and port, as given",
        Call::Slice(|row, _| part(row, Component::Authority)),
        "http://u@h:80/",
        "\"u@h:80\"",
    ),
    of_url(
        "uri_userinfo",
        "the user information, before \"@\" in the authority, as given",
        Call::Slice(|row, _| part(row, Component::Userinfo)),
        "http://u:p@h/",
        "\"u:p\"",
    ),
    of_url(
        "uri_user",
        "the user, before the first \":\" of the user information, as given",
        Call::Slice(|row, _| Some(row.reference()?.authority()?.userinfo()?.user().as_str())),
        "http://u:p@h/",
        "\"u\"",
    ),
    of_url(
        "uri_password",
        "the password, after the first \":\" of the user information, as given",
        Call::Slice(|row, _| Some(row.reference()?.authority()?.userinfo()?.password()?.as_str())),
        "http://u:p@h/",
        "\"p\"",
    ),
    of_url(
        "uri_host",
        "the host, as given, with the brackets of an IPv6 address",
        Call::Slice(|row, _| part(row, Component::Host)),
        "http://[::1]:80/",
        "\"[::1]\"",
    ),
    of_url(
        "uri_host_normal",
        "the host in its normal form: in lower case, with only the escapes that it needs",
        Call::Text(|row, _| host_normal(row.reference()?)),
        "http://EX%41MPLE.com/",
        "\"example.com\"",
    ),
    of_url(
        "uri_host_kind",
        "the kind of host: name, ipv4, ipv6, ipvfuture or empty",
        Call::Text(|row, _| row.reference()?.host().map(|host| Cow::Borrowed(host.kind().name()))),
        "http://127.0.0.1/",
        "\"ipv4\"",
    ),
    of_url(
        "uri_host_ascii",
        "the host as DNS has it, with \"xn--\" for other alphabets",
        Call::Text(|row, _| host_ascii(row.reference()?)),
        "http://b%C3%BCcher.example/",
        "\"xn--bcher-kva.example\"",
    ),
    of_url(
        "uri_host_unicode",
        "the host for people, without \"xn--\"",
        Call::Text(|row, _| host_unicode(row.reference()?)),
        "http://xn--bcher-kva.example/",
        "\"bücher.example\"",
    ),
    of_url(
        "uri_host_without_www",
        "the host without a first label \"www\"",
        Call::Slice(|row, _| host_without_www(row.reference()?)),
        "http://www.example.com/",
        "\"example.com\"",
    ),
    of_url(
        "uri_registered_domain",
        "the domain that somebody has registered: the public suffix and one more label",
        Call::Text(|row, given| row.reference()?.registered_domain(rules(given)?)),
        "http://www.Example.co.uk/",
        "\"example.co.uk\"",
    )
    .with(&[optional("rules", RULES, "icann")], &[]),
    of_url(
        "uri_subdomain",
        "the labels of the host before its registered domain; NULL if there are none",
        Call::Text(|row, given| row.reference()?.subdomain(rules(given)?)),
        "http://www.example.co.uk/",
        "\"www\"",
    )
    .with(&[optional("rules", RULES, "icann")], &[]),
    of_url(
        "uri_public_suffix",
        "the public suffix of the host, under which anybody can register names",
        Call::Text(|row, given| row.reference()?.public_suffix(rules(given)?)),
        "http://www.example.co.uk/",
        "\"co.uk\"",
    )
    .with(&[optional("rules", RULES, "icann")], &[]),
    of_url(
        "uri_registered_domain_of_host",
        "the registered domain of a host that is not in a URL",
        Call::Text(|row, given| registered_domain_of_host(row.text()?, rules(given)?).map(Cow::Owned)),
        "www.Example.co.uk",
        "\"example.co.uk\"",
    )
    .of_texts("host")
    .of_any_edition()
    .with(&[optional("rules", RULES, "icann")], &[]),
    of_url(
        "uri_psl_version",
        "the version of the Public Suffix List that the functions above use",
        Call::Constant(|| LIST_VERSION),
        "",
        "\"2026-11-05 (psl 2.1.247)\"",
    )
    .of_texts("")
    .of_any_edition()
    .absent_in(&[
        not_a_column("locator_domain::LIST_VERSION"),
        Absence { engine: "polars", instead: "locator_uri.PUBLIC_SUFFIX_LIST" },
        Absence { engine: "pandas", instead: "locator_uri.PUBLIC_SUFFIX_LIST" },
    ]),
    of_url(
        "uri_host_ip",
        "the address that browsers contact for the host, in any way to write one; NULL for names",
        Call::Text(|row, _| Some(ip_of_text(&row.text_lossy(), row.reference())?.to_string().into())),
        "http://0x7f.1/",
        "\"127.0.0.1\"",
    )
    .of_texts("text")
    .parsed(),
    of_url(
        "uri_is_private_ip",
        "whether the host is an address that is not public; false for names",
        Call::Bool(|row, _| is_private_ip(&row.text_lossy(), row.reference())),
        "http://2130706433/",
        "true",
    )
    .of_texts("text")
    .parsed(),
    of_url(
        "uri_port",
        "the port as a number; NULL above 65535",
        Call::Int(|row, _| row.reference()?.port_u16().map(i32::from)),
        "http://h:8080/",
        "8080",
    ),
    of_url(
        "uri_port_text",
        "the port as given",
        Call::Slice(|row, _| part(row, Component::Port)),
        "http://h:0080/",
        "\"0080\"",
    ),
    of_url(
        "uri_effective_port",
        "the port, or the default of the scheme",
        Call::Int(|row, _| effective_port(row.reference()?).map(i32::from)),
        "https://h/",
        "443",
    ),
    of_url(
        "uri_origin",
        "scheme, host and port in normal form, without a default port",
        Call::Text(|row, _| origin(row.reference()?)),
        "HTTPS://Example.com:443/a",
        "\"https://example.com\"",
    ),
    of_url(
        "uri_path",
        "the path, as given; never NULL for a valid reference",
        Call::Slice(|row, _| part(row, Component::Path)),
        "http://h/a/b?c",
        "\"/a/b\"",
    ),
    of_url(
        "uri_path_segment",
        "a segment of the path: 1 is the first, -1 the last",
        Call::Slice(|row, given| path_segment(row.reference()?, given.first()?.int())),
        "http://h/a/b",
        "\"b\"",
    )
    .with(&[needed("number", ParameterKind::Int)], &[ArgumentValue::Int(2)])
    .absent_in(&[not_a_column("locator read --columns path")]),
    of_url(
        "uri_path_segments",
        "all segments of the path, as given",
        Call::Texts(segments),
        "http://h/a/b%20c/",
        r#"["a","b%20c",""]"#,
    ),
    of_url(
        "uri_path_depth",
        "the number of segments of the path that are not empty; NULL for opaque paths",
        Call::Int(|row, _| i32::try_from(path_depth(row.reference()?)?).ok()),
        "http://h/a/b/",
        "2",
    ),
    of_url(
        "uri_file_name",
        "the last segment of the path; NULL if the path ends with \"/\"",
        Call::Slice(|row, _| file_name(row.reference()?)),
        "http://h/a/b.tar.gz",
        "\"b.tar.gz\"",
    ),
    of_url(
        "uri_extension",
        "the text after the last \".\" of the file name",
        Call::Slice(|row, _| extension(row.reference()?)),
        "http://h/a/b.tar.gz",
        "\"gz\"",
    ),
    of_url(
        "uri_query",
        "the query, as given",
        Call::Slice(|row, _| part(row, Component::Query)),
        "http://h/?a=1#b",
        "\"a=1\"",
    ),
    of_url(
        "uri_query_param",
        "the value of the first parameter with this name, decoded as HTML forms are",
        Call::Text(param),
        "http://h/?q=a+b",
        "\"a b\"",
    )
    .with(
        &[needed("name", ParameterKind::Text), optional("decoding", DECODINGS, "form")],
        &[ArgumentValue::Text("q")],
    )
    .absent_in(&[not_a_column("locator read --columns query_params")]),
    of_url(
        "uri_query_params",
        "all parameters in order, decoded as HTML forms are; the value is NULL without \"=\"",
        Call::Records(PAIR, params),
        "http://h/?a=1&b",
        r#"[{"name":"a","value":"1"},{"name":"b","value":null}]"#,
    ),
    of_url(
        "uri_fragment",
        "the fragment, as given",
        Call::Slice(|row, _| part(row, Component::Fragment)),
        "http://h/#",
        "\"\"",
    ),
    of_url(
        "uri_kind",
        "the kind of reference: uri, network-path, absolute-path, relative-path, query, fragment or empty",
        Call::Text(|row, _| Some(Cow::Borrowed(row.reference()?.kind().name()))),
        "//h/a",
        "\"network-path\"",
    ),
    of_url(
        "uri_is_valid",
        "whether the text is a valid URI, with a scheme",
        Call::Bool(|row, _| Some(row.reference().is_some_and(UriRef::has_scheme))),
        "banana",
        "false",
    )
    .of_texts("text")
    .parsed(),
    of_url(
        "uri_is_reference",
        "whether the text is a valid URI or relative reference",
        Call::Bool(|row, _| Some(row.reference().is_some())),
        "banana",
        "true",
    )
    .of_texts("text")
    .parsed(),
    of_url(
        "uri_error",
        "why the text is not a valid reference, as a sentence; NULL if it is",
        Call::Text(|row, _| reason::error_of(row).map(|error| Cow::Owned(error.message().to_string()))),
        "http://h/a b",
        "\"a space is not allowed in the path\"",
    )
    .of_texts("text")
    .parsed(),
    of_url(
        "uri_error_info",
        "why the text is not a valid reference: position in bytes, component, rule, what was found; NULL if it is",
        Call::Record(reason::FIELDS, |row, _, values| reason::info(row, values)),
        "http://h/a b",
        concat!(
            r#"{"offset":10,"length":1,"part":"path","rule":"pchar","found":"a space","#,
            r#""message":"a space is not allowed in the path","see":"RFC 3986, 3.3"}"#,
        ),
    )
    .of_texts("text")
    .parsed(),
    of_url(
        "uri_normalize",
        "the normal form",
        Call::Text(normalize),
        "HTTP://H:80/%7Ea/../b",
        "\"http://h/b\"",
    )
    .with(&[optional("level", LEVELS, "scheme")], &[]),
    of_url(
        "uri_key",
        "the key for joins: normal form without fragment and tracking parameters, parameters sorted",
        Call::Text(|row, _| Some(key(row.reference()?).into_cow())),
        "http://h/?b=2&utm_source=x&a=1#c",
        "\"http://h/?a=1&b=2\"",
    ),
    of_url(
        "uri_surt",
        "the sort-friendly key of web archives: the host reversed, then path and query in lower case",
        Call::Text(|row, _| surt(row.text()?).map(Cow::Owned)),
        "http://www.Example.com/A?b=2&a=1",
        "\"com,example)/a?a=1&b=2\"",
    )
    .of_texts("text")
    .of_any_edition(),
    of_url(
        "uri_resolve",
        "the URI that a reference identifies in a document with this base; NULL if the base is relative",
        Call::Text(resolve),
        "http://h/a/b",
        "\"http://h/c\"",
    )
    .first_is("base")
    .with(&[needed("reference", ParameterKind::Text)], &[ArgumentValue::Text("../c")])
    .absent_in(&[not_a_column("locator resolve --base")]),
    of_url(
        "uri_equivalent",
        "whether two URIs have the same normal form; NULL if one is relative",
        Call::Bool(equivalent),
        "http://h:80/",
        "true",
    )
    .with(
        &[needed("other", ParameterKind::Text), optional("level", LEVELS, "scheme")],
        &[ArgumentValue::Text("HTTP://H/")],
    )
    .absent_in(&[not_a_column("locator compare")]),
    of_url(
        "uri_strip",
        "the reference without these components",
        Call::Text(stripped),
        "http://h/a?b#c",
        "\"http://h/a\"",
    )
    .with(&[needed("parts", REMOVED)], &[ArgumentValue::Text("query,fragment")])
    .absent_in(&[not_a_column("locator edit --unset")]),
    of_url(
        "uri_without_params",
        "the reference without the parameters whose names match a pattern",
        Call::Text(|row, given| without_params(row.reference()?, given.first()?.text())),
        "http://h/?utm_source=x&q=1",
        "\"http://h/?q=1\"",
    )
    .with(&[needed("names", ParameterKind::Patterns)], &[ArgumentValue::Text("utm_*,gclid")])
    .absent_in(&[not_a_column("locator edit --qtrim")]),
    of_url(
        "uri_keep_params",
        "the reference with only the parameters whose names match a pattern",
        Call::Text(|row, given| keep_params(row.reference()?, given.first()?.text())),
        "http://h/?utm_source=x&q=1",
        "\"http://h/?q=1\"",
    )
    .with(&[needed("names", ParameterKind::Patterns)], &[ArgumentValue::Text("q")])
    .absent_in(&[not_a_column("locator read --columns query_params")]),
    of_url(
        "uri_set_param",
        "the reference with this value for the first parameter of the name, and without others of it",
        Call::Text(|row, given| pair(given, |name, value| set_param(row.reference()?, name, value))),
        "http://h/?page=1&q=a",
        "\"http://h/?page=2&q=a\"",
    )
    .with(NAME_AND_VALUE, &[ArgumentValue::Text("page"), ArgumentValue::Text("2")])
    .absent_in(&[not_a_column("locator edit --replace-append")]),
    of_url(
        "uri_append_param",
        "the reference with one more parameter",
        Call::Text(|row, given| pair(given, |name, value| append_param(row.reference()?, name, value))),
        "http://h/?q=a",
        "\"http://h/?q=a&q=b%20c\"",
    )
    .with(NAME_AND_VALUE, &[ArgumentValue::Text("q"), ArgumentValue::Text("b c")])
    .absent_in(&[not_a_column("locator edit --append")]),
    of_url(
        "uri_remove_param",
        "the reference without the parameters of the name",
        Call::Text(|row, given| remove_param(row.reference()?, given.first()?.text())),
        "http://h/?q=a&page=1",
        "\"http://h/?q=a\"",
    )
    .with(&[needed("name", ParameterKind::Text)], &[ArgumentValue::Text("page")])
    .absent_in(&[not_a_column("locator edit --qtrim")]),
    of_url(
        "uri_sort_params",
        "the reference with its parameters sorted by name",
        Call::Text(|row, _| sort_params(row.reference()?)),
        "http://h/?b=2&a=1",
        "\"http://h/?a=1&b=2\"",
    ),
    of_url(
        "uri_repair",
        "the text as a valid reference, repaired as browsers do, with a scheme if given; NULL if it stays invalid",
        Call::Text(|row, given| repair(row.text()?, given.first()?.text(), row.edition())),
        " http://h/a b ",
        "\"http://h/a%20b\"",
    )
    .of_texts("text")
    .with(&[optional("scheme", ParameterKind::Scheme, "")], &[]),
    of_url(
        "uri_refang",
        "the URL, host or address that a defanged text means; any other text as it is",
        Call::Text(|row, _| Some(locator::text::refang(row.text()?))),
        "hxxp://evil[.]example/a",
        "\"http://evil.example/a\"",
    )
    .of_texts("text")
    .of_any_edition(),
    of_url(
        "uri_percent_encode",
        "the text with escapes for everything but letters, digits and \"-._~\": data for any component",
        Call::Text(|row, _| percent_encode(row.text()?).into()),
        "a b/é",
        "\"a%20b%2F%C3%A9\"",
    )
    .of_texts("text")
    .of_any_edition(),
    of_url(
        "uri_percent_decode",
        "the text without escapes; NULL if the result is not UTF-8",
        Call::Text(decoded),
        "a%20b%2F%C3%A9",
        "\"a b/é\"",
    )
    .of_texts("text")
    .of_any_edition()
    .with(&[optional("decoding", DECODED, "percent")], &[]),
    of_url(
        "uri_redact",
        "the text with passwords, tokens and keys hidden",
        Call::Text(|row, _| Some(Cow::Owned(locator_audit::redacted(&row.text_lossy()).to_string()))),
        "http://u:p@h/",
        "\"http://u:(hidden)@h/\"",
    )
    .of_texts("text")
    .of_any_edition(),
    of_url(
        "uri_parse",
        "all components as given; the port is a number",
        Call::Record(PARTS, parse),
        "http://h:80/a?b",
        r#"{"scheme":"http","userinfo":null,"host":"h","port":80,"path":"/a","query":"b","fragment":null}"#,
    ),
    of_url(
        "uri_hash128",
        "the XXH3 hash of the text, 16 bytes: not a hash for security",
        Call::Hash(|row, _| Some(hash128(row.bytes()))),
        "",
        "\"99aa06d3014798d86001c324468d497f\"",
    )
    .of_texts("text")
    .of_any_edition(),
    of_url(
        "uri_audit",
        "the codes of the audit's findings, each once, of low severity and above",
        Call::Texts(audit),
        "https://me:hunter2@example.com/",
        r#"["password"]"#,
    )
    .of_texts("text"),
    of_url(
        "uri_audit_severity",
        "the highest severity of the audit's findings: low, medium or high; NULL without a finding",
        Call::Text(severity),
        "http://example.com@evil.example/",
        "\"medium\"",
    )
    .of_texts("text"),
    of_url(
        "uri_find",
        "the URLs in running text, with their positions in bytes",
        Call::Records(FOUND, find),
        "see http://h/a.",
        r#"[{"url":"http://h/a","start":4,"end":14}]"#,
    )
    .of_texts("text"),
    of_url(
        "uri_whatwg_is_valid",
        "whether the text is a URL by the URL Standard, also if browsers repair it; a relative one is not",
        Call::Bool(|row, _| whatwg::is_valid(row)),
        "http://h/a|b?f[]=100%",
        "true",
    )
    .whatwg(),
    of_url(
        "uri_whatwg_href",
        "the URL as browsers write it, by the URL Standard",
        Call::Text(|row, _| whatwg::href(row)),
        r"https:\\H\a|b?f[]=100% c",
        "\"https://h/a|b?f[]=100%%20c\"",
    )
    .whatwg(),
    of_url(
        "uri_whatwg_origin",
        "scheme, host and port by the URL Standard; NULL for an opaque origin, which new URL() calls \"null\"",
        Call::Text(|row, _| whatwg::origin(row)),
        r"HTTPS:\\Example.com:443\a",
        "\"https://example.com\"",
    )
    .whatwg(),
    of_url(
        "uri_whatwg_scheme",
        "the scheme by the URL Standard, in lower case, without \":\"",
        Call::Text(|row, _| whatwg::part(row, |url| Some(url.scheme()))),
        " HTTP://h/",
        "\"http\"",
    )
    .whatwg(),
    of_url(
        "uri_whatwg_user",
        "the user by the URL Standard, percent-encoded; NULL if it is empty",
        Call::Text(|row, _| whatwg::part(row, |url| whatwg::not_empty(url.username()))),
        "http://a@b@h/",
        "\"a%40b\"",
    )
    .whatwg(),
    of_url(
        "uri_whatwg_password",
        "the password by the URL Standard, percent-encoded; NULL if it is empty",
        Call::Text(|row, _| whatwg::part(row, |url| url.password())),
        "http://u:p|q@h/",
        "\"p%7Cq\"",
    )
    .whatwg(),
    of_url(
        "uri_whatwg_host",
        "the host without the port by the URL Standard: a domain in ASCII, or an address",
        Call::Text(|row, _| whatwg::part(row, whatwg::host)),
        r"http://0x7f.1\@evil.example/",
        "\"127.0.0.1\"",
    )
    .whatwg(),
    of_url(
        "uri_whatwg_port",
        "the port by the URL Standard; NULL if it is the default of the scheme",
        Call::Int(|row, _| whatwg::port(row)),
        "http://h:08080/",
        "8080",
    )
    .whatwg(),
    of_url(
        "uri_whatwg_effective_port",
        "the port by the URL Standard, or the default of the scheme",
        Call::Int(|row, _| whatwg::effective_port(row)),
        "https://h:443/a|b",
        "443",
    )
    .whatwg(),
    of_url(
        "uri_whatwg_path",
        "the path by the URL Standard, without dot segments",
        Call::Text(|row, _| whatwg::part(row, |url| Some(url.path()))),
        r"http://h/a\%2e%2e\b c|d",
        "\"/b%20c|d\"",
    )
    .whatwg(),
    of_url(
        "uri_whatwg_query",
        "the query by the URL Standard, without \"?\"",
        Call::Text(|row, _| whatwg::part(row, |url| url.query())),
        "http://h/?f[]=a b",
        "\"f[]=a%20b\"",
    )
    .whatwg(),
    of_url(
        "uri_whatwg_query_param",
        "the value of the first parameter with this name, as searchParams.get(name) returns it",
        Call::Text(whatwg::query_param),
        "http://h/?f[]=a+b&f[]=c",
        "\"a b\"",
    )
    .whatwg()
    .with(&[needed("name", ParameterKind::Text)], &[ArgumentValue::Text("f[]")])
    .absent_in(&[not_a_column("locator read --columns whatwg_query")]),
    of_url(
        "uri_whatwg_fragment",
        "the fragment by the URL Standard, without \"#\"",
        Call::Text(|row, _| whatwg::part(row, |url| url.fragment())),
        "http://h/#a b",
        "\"a%20b\"",
    )
    .whatwg(),
    of_url(
        "uri_whatwg_resolve",
        "the URL of a link in a page with this URL, as browsers resolve it; NULL if either is not valid",
        Call::Text(whatwg::resolve),
        "https://h/a/b",
        "\"https://evil.example/c\"",
    )
    .whatwg()
    .first_is("base")
    .with(&[needed("reference", ParameterKind::Text)], &[ArgumentValue::Text(r"/\evil.example\c")])
    .absent_in(&[not_a_column("locator resolve -e whatwg --base")]),
    of_url(
        "uri_whatwg_errors",
        "the names of the validation errors of the URL Standard, each once; none for a valid URL",
        Call::Texts(whatwg::errors),
        r"http://u@h\a|b",
        r#"["invalid-credentials","invalid-reverse-solidus","invalid-URL-unit"]"#,
    )
    .whatwg(),
    of_url(
        "uri_contacts",
        "the hosts that programs contact: by RFC 3986, then by the URL Standard and as others read it",
        Call::Texts(contacts),
        r"http://good.example\@evil.example/",
        r#"["evil.example","good.example"]"#,
    )
    .of_texts("text")
    .of_any_edition(),
    of_url(
        "uri_uniq",
        "the number of distinct values without NULL, by their hashes: an aggregate",
        Call::Distinct,
        "",
        "1",
    )
    .of_texts("text")
    .of_any_edition()
    .absent_in(&[
        not_a_column("locator uniq"),
        Absence { engine: "arrow", instead: "locator_arrow::Uniq" },
        not_an_aggregate("duckdb"),
        not_an_aggregate("datafusion"),
        not_an_aggregate("spark"),
    ]),
];

//! Compares the parser with the automaton of each start rule of each grammar, on the whole W-method
//! test set and on random strings. There must be no difference. One octet of each class is enough for the
//! method; the thorough test takes the set a second time with others, and ten times the random strings.
//!
//! For each rule, a function of the library's API decides whether a text matches the rule. `bulk`
//! parses the same strings as rows.

use locator::bulk::Batch;
use locator::edition::{
    RFC1738, RFC2396, RFC3986, RFC3986_WITH_ZONES, RFC3987, URI_2003, URL_1993, URL_1994, URL_1997,
};
use locator::{Component, Edition, HostKind, ReferenceKind, UriRef, scheme};
use locator_dev::random::Strings;
use locator_dev::{Dfa, Representatives, edition::read_grammar, is_thorough, test_set_with};

/// The condition of a rule for a reference that the generic grammar of the edition allows.
type Question = fn(UriRef<'_>) -> bool;

/// The number of random strings for each rule, in the thorough test ten times of it.
const RANDOM_STRINGS: usize = 10_000;

fn agrees(edition: &'static Edition, rule: &str, question: Question) {
    compare(edition, rule, "", |text| read(text, edition).is_some_and(question));
}

/// Like `agrees`, for a rule of servers: the text after "//" must be the whole authority.
fn agrees_as_server(edition: &'static Edition, rule: &str) {
    agrees_after("//", edition, rule, &[HostKind::Registry]);
}

/// Like `agrees_as_server`, for an edition that requires a scheme and a host.
fn agrees_as_login(edition: &'static Edition, rule: &str) {
    agrees_after("a://", edition, rule, &[HostKind::Registry, HostKind::Empty]);
}

fn agrees_after(before: &str, edition: &'static Edition, rule: &str, no_server: &[HostKind]) {
    compare(edition, rule, "a://", |text| {
        let reference = format!("{before}{text}");
        read(&reference, edition).is_some_and(|read| {
            read.component(Component::Authority) == Some(text)
                && !no_server.contains(&read.spans().host_kind())
        })
    });
}

/// Compares the answers for every string, after `before` has made it a whole reference.
fn compare(edition: &'static Edition, rule: &str, before: &str, recognise: impl Fn(&str) -> bool) {
    let grammar = read_grammar(edition.name).expect("the grammars of the project are well formed");
    let dfa: Dfa = grammar.compile(rule).expect("the rule is one of the edition's");
    let mut differences = Vec::new();
    let mut count = 0;
    let mut many = Many::new(edition);
    let mut compare = |octets: &[u8], accepted: bool| {
        count += 1;
        many.add(before, octets);
        // Invalid UTF-8 is not a reference, and no automaton accepts it.
        let recognised = str::from_utf8(octets).is_ok_and(&recognise);
        if recognised != accepted && differences.len() < 20 {
            let text = String::from_utf8_lossy(octets).into_owned();
            differences.push(format!("{text:?}: automaton {accepted}, parser {recognised}"));
        }
    };
    test_set_with(&dfa, Representatives::Varied).for_each(&mut compare);
    let mut random_strings = RANDOM_STRINGS;
    if is_thorough() {
        test_set_with(&dfa, Representatives::First).for_each(&mut compare);
        random_strings *= 10;
    }
    for (text, accepted) in Strings::new(&dfa, 1_997).take(random_strings) {
        compare(&text, accepted);
    }
    many.read();
    assert!(differences.is_empty(), "{edition} {rule}, {count} strings:\n{}", differences.join("\n"));
    assert!(count > random_strings, "{edition} {rule}: the test set is empty");
}

/// Strings that are parsed as rows of one buffer.
struct Many {
    buffer: Vec<u8>,
    offsets: Vec<u32>,
    columns: Batch,
}

impl Many {
    fn new(edition: &'static Edition) -> Self {
        Self { buffer: Vec::new(), offsets: vec![0], columns: Batch::new_with(edition) }
    }

    fn add(&mut self, before: &str, octets: &[u8]) {
        const ROWS: usize = 1_000;
        self.buffer.extend_from_slice(before.as_bytes());
        self.buffer.extend_from_slice(octets);
        self.offsets.push(u32::try_from(self.buffer.len()).expect("a thousand strings are not long"));
        if self.offsets.len() > ROWS {
            self.read();
        }
    }

    /// Checks that each row has the result of parsing it alone.
    fn read(&mut self) {
        self.columns.read_values(&self.buffer, &self.offsets).expect("the buffer is short");
        for (row, ends) in self.offsets.windows(2).enumerate() {
            let octets = &self.buffer[ends[0] as usize..ends[1] as usize];
            let single = UriRef::parse_bytes_with(octets, self.columns.edition());
            let error = single.err().map_or(Batch::VALID, |error| error.span().start as u32);
            let text = String::from_utf8_lossy(octets);
            assert_eq!(self.columns.errors()[row], error, "{text:?}");
            assert_eq!(self.columns.spans(row), single.ok().map(UriRef::spans), "{text:?}");
        }
        self.buffer.clear();
        self.offsets.truncate(1);
    }
}

/// Parses with the fast path, the reference parser and the list of errors, which must agree.
fn read<'a>(text: &'a str, edition: &'static Edition) -> Option<UriRef<'a>> {
    let fast = UriRef::parse_with(text, edition);
    let plain = UriRef::parse_const_with(text, edition);
    match (fast, plain) {
        (Ok(fast), Ok(plain)) => {
            assert_eq!(fast.spans(), plain.spans(), "{text:?}");
            assert_eq!(fast.edit().to_string(), text);
        }
        (fast, plain) => assert_eq!(fast.err(), plain.err(), "{text:?}"),
    }
    let first = scheme::errors_with(text, edition).next();
    match (fast, first) {
        // The rule of a scheme may find an error before that of the generic grammar.
        (Err(generic), Some(first)) => {
            let is_before = first == generic || first.offset() < generic.offset();
            let is_at_it = first.offset() == generic.offset();
            let says_more = first.rule().expects.starts_with("the form ");
            assert!(is_before || is_at_it && says_more, "{text:?}");
        }
        (Err(_), None) => panic!("{text:?} has no error"),
        (Ok(reference), first) => {
            assert_eq!(first, scheme::check(reference).and_then(Result::err), "{text:?}");
        }
    }
    fast.ok()
}

fn any(_: UriRef<'_>) -> bool {
    true
}

fn has_scheme(reference: UriRef<'_>) -> bool {
    reference.scheme().is_some()
}

fn is_absolute(reference: UriRef<'_>) -> bool {
    has_scheme(reference) && reference.fragment().is_none()
}

fn is_relative(reference: UriRef<'_>) -> bool {
    !has_scheme(reference)
}

fn has_prefix(reference: UriRef<'_>) -> bool {
    reference.component(Component::Prefix).is_some()
}

fn is_known_reference(reference: UriRef<'_>) -> bool {
    scheme::check(reference).is_some_and(|result| result.is_ok())
}

fn is_known(reference: UriRef<'_>) -> bool {
    is_absolute(reference) && is_known_reference(reference)
}

#[test]
fn url_1993_known_url() {
    agrees(&URL_1993, "known-url", is_known);
}

#[test]
fn url_1993_known_reference() {
    agrees(&URL_1993, "known-reference", is_known_reference);
}

#[test]
fn url_1993_other_forms() {
    agrees(&URL_1993, "generic", is_absolute);
    agrees(&URL_1993, "other-reference", has_scheme);
    agrees(&URL_1993, "partial-reference", is_relative);
}

#[test]
fn url_1994_known_url() {
    agrees(&URL_1994, "known-url", |read| is_known(read) && !has_prefix(read));
}

#[test]
fn url_1994_prefixed_known() {
    agrees(&URL_1994, "prefixed-known", |read| is_known(read) && has_prefix(read));
}

#[test]
fn url_1994_other_forms() {
    agrees(&URL_1994, "otheraddress", |read| is_absolute(read) && !has_prefix(read));
    agrees(&URL_1994, "prefixed-other", |read| is_absolute(read) && has_prefix(read));
}

#[test]
fn rfc1738_known_url() {
    agrees(&RFC1738, "known-url", is_known);
}

#[test]
fn rfc1738_otherurl() {
    agrees(&RFC1738, "otherurl", is_absolute);
}

/// Returns the end of a login; a "?" before an "@" is part of it.
#[test]
fn rfc1738_login() {
    agrees_as_login(&RFC1738, "login");
}

#[test]
fn url_1994_login() {
    agrees_as_login(&URL_1994, "login");
}

#[test]
fn url_1997_reference() {
    agrees(&URL_1997, "URL-reference", any);
    agrees_as_server(&URL_1997, "site");
}

#[test]
fn rfc2396_reference() {
    agrees(&RFC2396, "URI-reference", any);
    agrees(&RFC2396, "absoluteURI", is_absolute);
    agrees_as_server(&RFC2396, "server");
}

#[test]
fn uri_2003_reference() {
    agrees(&URI_2003, "absolute-URI", is_absolute);
    agrees(&URI_2003, "URI-reference", any);
}

#[test]
fn uri_2003_server() {
    agrees_as_server(&URI_2003, "server");
}

#[test]
fn rfc3986_reference() {
    agrees(&RFC3986, "URI", has_scheme);
    agrees(&RFC3986, "URI-reference", any);
    agrees(&RFC3986, "absolute-URI", is_absolute);
    agrees(&RFC3986, "relative-ref", |read| read.kind() != ReferenceKind::Uri);
}

#[test]
fn rfc3986_reference_with_zones() {
    agrees(&RFC3986_WITH_ZONES, "URI-reference", any);
    agrees(&RFC3986_WITH_ZONES, "absolute-URI", is_absolute);
}

/// The automaton reads UTF-8 octet by octet, so the test set contains invalid UTF-8, too.
#[test]
fn rfc3987_reference() {
    agrees(&RFC3987, "IRI", has_scheme);
    agrees(&RFC3987, "IRI-reference", any);
    agrees(&RFC3987, "absolute-IRI", is_absolute);
    agrees(&RFC3987, "irelative-ref", |read| read.kind() != ReferenceKind::Uri);
}

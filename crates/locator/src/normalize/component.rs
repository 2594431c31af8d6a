//! Normalizes the components of a reference one by one. Takes a component's name and returns its
//! text, borrowed if it is normal. Questions about the whole reference (is it hierarchical, where
//! does its userinfo end) are answered here.
//!
//! Normalizes an IPv6 address. Takes the host and returns it as RFC 5952 writes it.
//!
//! Normalizes characters and escapes. Takes a component's text and returns it with letters, hex
//! digits and escapes in normal form. RFC 3986, sections 6.2.2.1 and 6.2.2.2; RFC 3987, section
//! 5.3.2.

use alloc::borrow::Cow;
use alloc::string::String;
use core::ops::Range;

use crate::component::Host;
use crate::compose;
use crate::edition::rfc3986::UNRESERVED;
use crate::edition::{Edition, Equivalence};
use crate::equivalence::{Basis, Equivalences};
use crate::pct::{escaped_character, escaped_octet, push_escapes};
use crate::reference::UriRef;
use crate::resolve::dots::{DotRemover, end_of_last};
use crate::simd::{AsciiSet, Class};
use crate::span::{Component, HostKind};

/// A reference whose components are normalized on demand.
#[derive(Clone, Copy)]
pub(crate) struct Normalizer<'a, 's> {
    reference: UriRef<'a>,
    /// The known schemes, and whether their rules apply.
    basis: Basis<'s>,
    /// The rules of its scheme, if they apply and the scheme is known.
    scheme: Option<&'s dyn Equivalences>,
    /// Whether all components are known to be in the normal form by syntax.
    is_normal: bool,
    /// Whether every unreserved character is decoded, also where the normal form keeps its escape.
    opens: bool,
}

impl<'a, 's> Normalizer<'a, 's> {
    pub(crate) fn new(reference: UriRef<'a>, basis: Basis<'s>) -> Self {
        let name = reference.scheme().filter(|_| basis.by_scheme);
        let scheme = name.and_then(|name| basis.schemes.equivalences(name.as_str()));
        Self { reference, basis, scheme, is_normal: false, opens: false }
    }

    /// Returns the same for a reference that is known to be in the normal form by syntax, or not.
    pub(super) const fn known_as_normal(self, is_normal: bool) -> Self {
        Self { is_normal, ..self }
    }

    /// Returns whether a reference that is known to be in the normal form by syntax is also in that of its
    /// scheme; `false` if it may not be.
    pub(super) fn is_certainly_normal(&self) -> bool {
        let (spans, reference) = (self.reference.spans(), self.reference);
        let has_port = spans.host_end < spans.path_start;
        if !self.is_normal || has_port && self.port().is_none() {
            return false;
        }
        let Some(scheme) = self.scheme else { return true };
        let is_same = |given: &str, normal: &str| core::ptr::eq(given, normal);
        let is_given = |given, normal| matches!(normal, Cow::Borrowed(normal) if is_same(given, normal));
        !reference.edition().equivalence.scheme_reserves
            && (spans.has_authority || !scheme.implies_authority(reference))
            && self.given(Component::Host).is_none_or(|host| is_same(host, scheme.normal_host(host)))
            && self
                .given(Component::Path)
                .is_none_or(|path| is_given(path, scheme.normal_path(path, reference)))
            && self
                .given(Component::Query)
                .is_none_or(|query| is_given(query, scheme.normal_query(query, reference)))
    }

    /// Returns the same for comparing: a character that the edition does not reserve is equivalent to
    /// its escape, also where the normal form keeps the escape.
    ///
    /// "URIs that differ in the replacement of an unreserved character with its corresponding
    /// percent-encoded US-ASCII octet are equivalent" (RFC 3986, 2.3).
    pub(crate) const fn opening(self) -> Self {
        Self { opens: true, ..self }
    }

    /// Returns whether opening may decode an escape that the normal form keeps.
    pub(crate) fn may_open(&self) -> bool {
        let edition = self.reference.edition();
        let undivided = || self.scheme.map_or(AsciiSet::EMPTY, |scheme| scheme.undivided(self.reference));
        self.reference.as_str().contains('%')
            && (self.keeps_escaped_dots()
                || edition.unreserved.difference(edition.equivalence.unescapes) != AsciiSet::EMPTY
                || edition.unreserved.difference(undivided()) != edition.unreserved)
    }

    /// Returns a text of a component with its escapes in normal form.
    #[inline(never)]
    fn write(&self, part: Component, text: &'a str) -> Cow<'a, str> {
        let is_normal = self.is_normal && self.unreserved(part) == AsciiSet::EMPTY;
        if is_normal { Cow::Borrowed(text) } else { self.undone(part).write(text) }
    }

    /// Returns the characters that the edition reserves and its scheme does not.
    #[inline(never)]
    fn unreserved(&self, part: Component) -> AsciiSet {
        let scheme = self.scheme.filter(|_| self.reference.edition().equivalence.scheme_reserves);
        scheme.map_or(AsciiSet::EMPTY, |scheme| scheme.unreserved(part, self.reference))
    }

    /// Returns the equivalences of its scheme, whether the rules for schemes apply or not.
    fn equivalences(&self) -> Option<&'s dyn Equivalences> {
        self.basis.schemes.equivalences(self.reference.scheme()?.as_str())
    }

    /// Returns a component in normal form.
    pub(crate) fn part(&self, part: Component) -> Option<Cow<'a, str>> {
        match part {
            Component::Reference => None,
            Component::Prefix => self.prefix().map(Cow::Borrowed),
            Component::Authority => self.authority(),
            Component::Host => self.host(),
            Component::Port => self.port().map(Cow::Borrowed),
            Component::Path => Some(self.path()),
            Component::Query => self.query(),
            Component::Fragment if self.loses_fragment() => None,
            Component::Userinfo => self.userinfo(),
            Component::Scheme | Component::Fragment => self.given(part).map(|text| self.write(part, text)),
        }
    }

    /// A "?" that the scheme does not reserve is escaped: all editions read `%3F` alike, and "?" as
    /// the end of the authority or of the path.
    fn userinfo(&self) -> Option<Cow<'a, str>> {
        let userinfo = self.write(Component::Userinfo, self.given(Component::Userinfo)?);
        let escapes = self.unreserved(Component::Userinfo).contains(b'?') && userinfo.contains('?');
        Some(if escapes { self.basis.schemes.escape_question_marks(&userinfo).into() } else { userinfo })
    }

    /// Returns the text after "?", if that belongs to the path.
    pub(crate) fn query_in_path(&self) -> Option<&'a str> {
        self.given(Component::Query).filter(|_| self.unreserved(Component::Path).contains(b'?'))
    }

    /// Returns the path with what belongs to it after the "?".
    fn whole_path(&self) -> Cow<'a, str> {
        let path = self.unescaped_path();
        let path = match self.query_in_path() {
            None => path,
            Some(rest) => {
                let undone = self.undone(Component::Path);
                let rest = self.basis.schemes.escape_question_marks(&undone.write(rest));
                // With a "?" after it, the last segment is no dot segment, and its dots are decoded.
                let (before, last) = path.split_at(path.rfind('/').map_or(0, |slash| slash + 1));
                Cow::Owned(compose::concat(&[before, &undone.write(last), "%3F", &rest]))
            }
        };
        // Without an authority, a path that begins with "//" would be one.
        match path.strip_prefix("//") {
            Some(rest) if !self.has_authority() && self.unreserved(Component::Path).contains(b'/') => {
                Cow::Owned(compose::concat(&["/%2F", rest]))
            }
            _ => path,
        }
    }

    /// Returns a component as it is given.
    fn given(&self, part: Component) -> Option<&'a str> {
        self.reference.component_out_of_line(part)
    }

    /// Whether the fragment is an empty one after the URL of an object, which means the same as no
    /// fragment.
    pub(super) fn loses_fragment(&self) -> bool {
        let is_void = self.given(Component::Fragment) == Some("") && self.reference.as_str() != "#";
        is_void && self.reference.edition().equivalence.void_fragment
    }

    /// "URL:" is not part of the URL: it stays only where the scheme would otherwise be taken for
    /// it.
    pub(super) fn prefix(&self) -> Option<&'a str> {
        let prefix = self.reference.edition().prefix?;
        let scheme = self.reference.scheme()?.as_str();
        let needed = prefix.strip_suffix(':').is_some_and(|name| name.eq_ignore_ascii_case(scheme));
        self.reference.component(Component::Prefix).filter(|_| needed).map(|_| prefix)
    }

    /// Returns the escapes and cases that normalization removes in a component.
    pub(crate) fn undone(&self, part: Component) -> PctDecodable {
        let reference = self.reference;
        let (unescapes, unescapes_in_query) = self.unescapes();
        let (set, class, lower) = match part {
            // No document defines which escapes of a scheme name may be decoded.
            Component::Scheme => (AsciiSet::EMPTY, Class::SCHEME, true),
            // Another registry defines the characters of its names.
            Component::Host if reference.spans().host_kind() == HostKind::Registry => {
                (AsciiSet::EMPTY, Class::REGISTRY, false)
            }
            Component::Host => (unescapes.difference(DIVIDES), Class::REGISTRY, true),
            Component::Userinfo => (unescapes.difference(DIVIDES), Class::USERINFO, false),
            Component::Query if self.query_may_lose_dots() => {
                (unescapes_in_query.difference(AsciiSet::of(b".")), Class::QUERY, false)
            }
            Component::Query => (unescapes_in_query, Class::QUERY, false),
            Component::Fragment => (unescapes, Class::FRAGMENT, false),
            // Without an authority these delimiters separate a scheme from its rest and a name from
            // its host, unless the scheme says that they do not.
            _ if !self.has_authority() => {
                (unescapes.difference(DIVIDES.difference(self.undivided())), Class::PATH, false)
            }
            _ => (unescapes, Class::PATH, false),
        };
        let reserved = if matches!(part, Component::Path | Component::Query) {
            self.reserved(set)
        } else {
            AsciiSet::EMPTY
        };
        // "?" is escaped instead.
        let unreserved = self.unreserved(part).difference(AsciiSet::of(b"?"));
        let set = set.difference(reserved).union(unreserved);
        PctDecodable { edition: reference.edition(), set, class, lower }
    }

    /// Returns the characters that are opened although the scheme reserves them in other editions.
    fn undivided(&self) -> AsciiSet {
        let scheme = self.scheme.filter(|_| self.opens);
        scheme.map_or(AsciiSet::EMPTY, |scheme| scheme.undivided(self.reference))
    }

    /// Returns the characters whose escapes are decoded, and those in a query.
    fn unescapes(&self) -> (AsciiSet, AsciiSet) {
        let edition = self.reference.edition();
        let Equivalence { unescapes, unescapes_in_query, .. } = edition.equivalence;
        if !self.opens {
            return (unescapes, unescapes_in_query);
        }
        // "+" divides the words of a search in the editions that do not reserve it.
        let in_query = edition.unreserved.difference(AsciiSet::of(b"+"));
        (unescapes.union(edition.unreserved), unescapes_in_query.union(in_query))
    }

    /// Removes the characters that the scheme reserves, if more may be decoded than the characters
    /// that no scheme reserves.
    fn reserved(&self, undone: AsciiSet) -> AsciiSet {
        if undone.difference(UNRESERVED) == AsciiSet::EMPTY {
            return AsciiSet::EMPTY;
        }
        match self.reference.scheme() {
            Some(_) => {
                let reserved = self.equivalences().map_or(AsciiSet::EMPTY, Equivalences::reserved);
                reserved.difference(self.undivided())
            }
            // The scheme is known only after resolving; until then any scheme may reserve the
            // character.
            None => undone.difference(UNRESERVED),
        }
    }

    /// Returns the same for a segment of the path.
    ///
    /// Where dot segments have no meaning, an escaped dot may keep a segment from being taken for
    /// "." or ".." in resolving.
    pub(crate) fn undone_in(&self, segment: &str) -> PctDecodable {
        let undone = self.undone(Component::Path);
        if is_dots(segment) && self.keeps_dots() { undone.without(b'.') } else { undone }
    }

    /// Returns the same for the zone of an IPv6 address, whose name is local to the host: its case
    /// may matter there.
    pub(crate) fn undone_in_zone(&self) -> PctDecodable {
        self.undone(Component::Host).keeping_case()
    }

    /// Returns the host and, if it has one, its zone with its delimiters: `%25eth0]`.
    pub(crate) fn host_and_zone(&self) -> Option<(&'a str, &'a str)> {
        let host = self.given(Component::Host)?;
        let zone = self.reference.authority()?.host().zone();
        Some(host.split_at(zone.map_or(host.len(), |zone| host.len() - "%25]".len() - zone.as_str().len())))
    }

    /// Whether the query is part of the path when dot segments are removed, as in `url-1997`.
    fn query_may_lose_dots(&self) -> bool {
        let rule = self.reference.edition().resolution.as_ref();
        self.reference.scheme().is_none() && rule.is_some_and(|rule| rule.query_before_dots)
    }

    fn authority(&self) -> Option<Cow<'a, str>> {
        let Some(given) = self.given(Component::Authority) else {
            return self.has_authority().then_some(Cow::Borrowed(""));
        };
        let userinfo = self.part(Component::Userinfo);
        let (host, port) = (self.host().unwrap_or_default(), self.port());
        let (userinfo, at) = userinfo.as_deref().map_or(("", ""), |userinfo| (userinfo, "@"));
        let (colon, port) = port.map_or(("", ""), |port| (":", port));
        let pieces = [userinfo, at, &host, colon, port];
        if compose::is_concat(given, &pieces) {
            return Some(Cow::Borrowed(given));
        }
        Some(Cow::Owned(compose::concat(&pieces)))
    }

    fn host(&self) -> Option<Cow<'a, str>> {
        let (host, zone) = self.host_and_zone()?;
        let opened = || opened_address(self.reference.authority()?.host());
        let host = match if self.is_normal { None } else { opened() } {
            Some(opened) => changed(host, if zone.is_empty() { opened + "]" } else { opened }),
            None => self.write(Component::Host, host),
        };
        if !zone.is_empty() {
            let zone = self.undone_in_zone().write(zone);
            return Some(Cow::Owned(compose::concat(&[&host, &zone])));
        }
        // "If, however, either the userinfo or port subcomponents are non-empty, then the host
        // should be given explicitly even if it matches the default."
        let alone = self.given(Component::Userinfo).is_none() && self.port().is_none();
        match self.scheme.filter(|_| alone) {
            None => Some(host),
            Some(scheme) => Some(match host {
                Cow::Borrowed(host) => Cow::Borrowed(scheme.normal_host(host)),
                Cow::Owned(host) => Cow::Owned(scheme.normal_host(&host).into()),
            }),
        }
    }

    fn port(&self) -> Option<&'a str> {
        let port = self.reference.authority()?.port()?;
        // "an explicit ":port", for which the port is empty or the default for the scheme, is
        // equivalent to one where the port and its ":" delimiter are elided"
        let default = || self.basis.schemes.default_port(self.reference.scheme()?.as_str());
        let is_default = || port.number().is_some_and(|number| default() == Some(number));
        let elided = self.basis.by_scheme && (port.as_str().is_empty() || is_default());
        Some(port.as_str()).filter(|_| !elided)
    }

    fn path(&self) -> Cow<'a, str> {
        let path = self.whole_path();
        let has_dots = !self.is_normal && self.has_dots(&path) && self.loses_dots();
        let path = if has_dots { without_dots(path, self.reference) } else { path };
        match (self.scheme, path) {
            (None, path) => path,
            (Some(scheme), Cow::Borrowed(path)) => scheme.normal_path(path, self.reference),
            (Some(scheme), Cow::Owned(path)) => {
                Cow::Owned(scheme.normal_path(&path, self.reference).into_owned())
            }
        }
    }

    /// Whether the normal form has an authority.
    #[inline(never)]
    fn has_authority(&self) -> bool {
        let implied = || self.scheme.is_some_and(|scheme| scheme.implies_authority(self.reference));
        self.reference.spans().has_authority || implied()
    }

    fn query(&self) -> Option<Cow<'a, str>> {
        if self.query_in_path().is_some() {
            return None;
        }
        let query = self.write(Component::Query, self.given(Component::Query)?);
        Some(match (self.scheme, query) {
            (None, query) => query,
            (Some(scheme), Cow::Borrowed(query)) => scheme.normal_query(query, self.reference),
            (Some(scheme), Cow::Owned(query)) => {
                Cow::Owned(scheme.normal_query(&query, self.reference).into_owned())
            }
        })
    }

    /// Whether a component is compared.
    pub(crate) fn is_compared(&self, part: Component) -> bool {
        self.scheme.is_none_or(|scheme| scheme.is_compared(part, self.reference))
    }

    /// The text without fragment that the reference is compared by, if that is not its normal form.
    pub(crate) fn compared_form(&self) -> Option<String> {
        self.scheme?.compared_form(self.reference)
    }

    /// Returns the path with its escapes in normal form, and with all its dot segments.
    pub(crate) fn unescaped_path(&self) -> Cow<'a, str> {
        let given = self.reference.path().as_str();
        let edition = self.reference.edition();
        let is_normal = self.is_normal && self.unreserved(Component::Path) == AsciiSet::EMPTY;
        if is_normal || !may_change(given, false, edition.is_international()) {
            return Cow::Borrowed(given);
        }
        if !self.keeps_escaped_dots() {
            return self.undone(Component::Path).write(given);
        }
        let mut path = String::with_capacity(given.len());
        for (i, segment) in given.split('/').enumerate() {
            path.push_str(if i > 0 { "/" } else { "" });
            path.push_str(&self.undone_in(segment).write(segment));
        }
        changed(given, path)
    }

    /// Whether the path may have escapes of dots that stay: its segments must be looked at one by
    /// one then.
    #[inline(never)]
    pub(super) fn keeps_escaped_dots(&self) -> bool {
        let path = self.reference.path().as_str().as_bytes();
        path.windows(3).any(|three| three.eq_ignore_ascii_case(b"%2e")) && self.keeps_dots()
    }

    /// Whether a dot segment with escaped dots keeps them. In comparing it does where "." and ".." are
    /// special but the normal form decodes no dots (2003): such a segment is a name.
    fn keeps_dots(&self) -> bool {
        let decodes = self.reference.edition().equivalence.unescapes.contains(b'.');
        if self.opens { self.dots_mean() && !decodes } else { !self.dots_mean() }
    }

    /// Whether an escaped dot segment means the same as a dot segment: in the path of a
    /// hierarchical URI, not after `urn:`, nor where the scheme says that its paths are no
    /// hierarchies. The scheme of a relative reference is not known: `%2E%2E/a` and `../a` resolve
    /// to different names where the base is a gopher URL.
    fn dots_mean(&self) -> bool {
        let hierarchical = self.reference.scheme().is_some_and(|_| {
            self.reference.path().is_absolute()
                && self.equivalences().is_none_or(Equivalences::is_hierarchical)
        });
        self.reference.edition().equivalence.dots && hierarchical
    }

    /// Whether a segment of a path is "." or "..".
    pub(super) fn has_dots(&self, path: &str) -> bool {
        end_of_last(path, &self.reference.edition().table) > 0
    }

    /// Whether they are removed: those of a relative reference stay, for its base has yet to come.
    pub(super) fn loses_dots(&self) -> bool {
        self.dots_mean()
    }
}

/// The delimiters of a userinfo and of a scheme.
const DIVIDES: AsciiSet = AsciiSet::of(b":@");

/// Whether the segment is "." or "..", escaped or not.
fn is_dots(segment: &str) -> bool {
    let mut tokens = Tokens::of(segment);
    let mut dot = || tokens.next().map(|token| token.value == Value::Character('.'));
    matches!((dot(), dot(), dot()), (Some(true), None, None) | (Some(true), Some(true), None))
}

/// "URI normalizers should remove dot-segments by applying the remove_dot_segments algorithm to the
/// path": the edition's own.
fn without_dots<'a>(path: Cow<'a, str>, reference: UriRef<'a>) -> Cow<'a, str> {
    let Some(rule) = &reference.edition().resolution else { return path };
    let mut out = String::with_capacity(path.len());
    let mut walk = DotRemover::new(&mut out, rule, rule.leftover);
    if walk.go(&path).and_then(|()| walk.end()).is_err() {
        return path;
    }
    Cow::Owned(out)
}

/// Returns the bracket and the address, up to the zone or the other bracket; `None` if the host is
/// no such address.
///
/// Section 4: no leading zeros, "::" for the longest run of zeros, the first of equals, and never
/// for one; lower case.
fn opened_address(host: Host<'_>) -> Option<String> {
    let address = host.ipv6()?;
    let pieces = address.segments();
    // Section 5: "mixed notation is recommended if … the address can be distinguished as having
    // IPv4 addresses embedded in the lower 32 bits solely from the address field through the use of
    // a well-known prefix. Such prefixes are defined in [RFC4291] and [RFC2765]".
    let is_mixed = matches!(pieces, [0, 0, 0, 0, 0, 0xFFFF, ..] | [0, 0, 0, 0, 0xFFFF, 0, ..]);
    let pieces = if is_mixed { &pieces[..6] } else { &pieces[..] };
    let zeros = longest_zeros(pieces);
    let mut out = String::with_capacity(41);
    out.push('[');
    for (index, piece) in pieces.iter().enumerate() {
        if zeros.contains(&index) {
            out.push_str(if index == zeros.start { "::" } else { "" });
            continue;
        }
        out.push_str(if index == 0 || index == zeros.end { "" } else { ":" });
        push_number(&mut out, *piece, 16);
    }
    if is_mixed {
        for (index, octet) in address.octets()[12..].iter().enumerate() {
            out.push(if index == 0 { ':' } else { '.' });
            push_number(&mut out, (*octet).into(), 10);
        }
    }
    Some(out)
}

/// Returns the first longest run of zeros, which is empty at the end if there are no two together.
fn longest_zeros(pieces: &[u16]) -> Range<usize> {
    let (mut longest, mut start) = (pieces.len()..pieces.len(), 0);
    for (index, piece) in pieces.iter().enumerate() {
        if *piece != 0 {
            start = index + 1;
        } else if index + 1 - start > longest.len().max(1) {
            longest = start..index + 1;
        }
    }
    longest
}

/// Appends a number without leading zeros. The formatting of the standard library is much more code.
#[inline(never)]
fn push_number(out: &mut String, number: u16, radix: u16) {
    let mut divisor = 1;
    while number / divisor >= radix {
        divisor *= radix;
    }
    while divisor > 0 {
        let digit = usize::from(number / divisor % radix);
        out.push(char::from(b"0123456789abcdef"[digit & 15]));
        divisor /= radix;
    }
}

/// Whether a host is in this form, if it is an IPv6 address.
pub(super) fn is_normal_address(host: Host<'_>) -> bool {
    opened_address(host).is_none_or(|normal| {
        host.as_str().strip_prefix(&*normal).is_some_and(|rest| rest.starts_with([']', '%']))
    })
}

/// The escapes and cases that normalization removes in a component.
#[derive(Clone, Copy)]
pub(crate) struct PctDecodable {
    pub(super) edition: &'static Edition,
    /// The characters whose escapes are decoded …
    pub(super) set: AsciiSet,
    /// … in this position.
    pub(super) class: Class,
    /// Whether letters are the same in both cases.
    pub(super) lower: bool,
}

impl PctDecodable {
    /// Returns the same rules, except for one octet, whose escape stays.
    pub(super) fn without(self, octet: u8) -> Self {
        Self { set: self.set.difference(AsciiSet::of(&[octet])), ..self }
    }

    /// Returns the same rules, except for the case of letters.
    pub(crate) const fn keeping_case(self) -> Self {
        Self { lower: false, ..self }
    }

    /// Returns the text in normal form.
    pub(crate) fn write<'t>(self, text: &'t str) -> Cow<'t, str> {
        if !may_change(text, self.lower, self.edition.is_international()) {
            return Cow::Borrowed(text);
        }
        let mut normal = String::with_capacity(text.len());
        self.write_to(&mut normal, text);
        changed(text, normal)
    }

    /// Appends the normal form to another text.
    fn write_to(self, normal: &mut String, text: &str) {
        let mut tokens = self.tokens(text);
        while !tokens.rest.is_empty() {
            let percent = tokens.rest.bytes().position(|octet| octet == b'%');
            let (before, rest) = tokens.rest.split_at(percent.unwrap_or(tokens.rest.len()));
            self.write_unescaped(before, normal);
            tokens.rest = rest;
            if let Some(escape) = tokens.next() {
                self.write_escape(escape, normal);
            }
        }
    }

    fn write_unescaped(self, text: &str, normal: &mut String) {
        let edition = self.edition;
        if !edition.is_international() || text.is_ascii() {
            return push_case(normal, text, self.lower);
        }
        for c in text.chars() {
            let written = if self.lower { c.to_ascii_lowercase() } else { c };
            match edition.keeps_escaped(c) {
                true => push_escapes(normal, c.encode_utf8(&mut [0; 4]).as_bytes()),
                false => push(normal, written),
            }
        }
    }

    fn write_escape(self, escape: Token<'_>, normal: &mut String) {
        match self.token(escape) {
            Token { value: Value::Character(c), escaped: false, .. } => push(normal, c),
            // "should be normalized to use uppercase letters for the digits A-F"
            Token { text, .. } => text.chars().for_each(|c| push(normal, c.to_ascii_uppercase())),
        }
    }

    /// Returns the characters and escapes of a text of the component.
    pub(crate) const fn tokens<'t>(self, text: &'t str) -> Tokens<'t> {
        Tokens { rest: text, international: self.edition.is_international() }
    }

    /// Returns one character or escape in normal form, except for the case of its hex digits.
    pub(crate) fn token(self, token: Token<'_>) -> Token<'_> {
        let Token { value: Value::Character(c), escaped, text } = token else { return token };
        // "decoding any percent-encoded octet that corresponds to an unreserved character"
        let escaped = if escaped { !self.undoes(c) } else { self.edition.keeps_escaped(c) };
        // "the scheme and host are case-insensitive and therefore should be normalized to
        // lowercase"
        let c = if self.lower && !escaped { c.to_ascii_lowercase() } else { c };
        Token { value: Value::Character(c), escaped, text }
    }

    fn undoes(self, c: char) -> bool {
        match u8::try_from(c) {
            Ok(octet) if octet.is_ascii() => self.undoes_octet(octet),
            _ => self.edition.writes(self.class, c),
        }
    }

    /// Returns whether the escape of an octet is decoded, in an edition without characters beyond ASCII.
    #[inline]
    pub(super) fn undoes_octet(self, octet: u8) -> bool {
        octet.is_ascii() && self.set.contains(octet) && self.edition.table.contains(self.class, octet)
    }
}

/// Appends a character; a function, because `push` is long where it is inlined.
#[inline(never)]
fn push(out: &mut String, c: char) {
    out.push(c);
}

/// Appends a text as it is, or in lower case.
#[inline(never)]
pub(super) fn push_case(out: &mut String, text: &str, lower: bool) {
    let start = out.len();
    out.push_str(text);
    if lower {
        out[start..].make_ascii_lowercase();
    }
}

/// Whether a text has escapes, capitals or characters that normalization may change.
#[inline(never)]
fn may_change(text: &str, lower: bool, international: bool) -> bool {
    // Without a branch, so that many octets are examined at once.
    text.bytes().fold(false, |found, octet| {
        let capital = lower & octet.is_ascii_uppercase();
        found | (octet == b'%') | capital | (international & !octet.is_ascii())
    })
}

/// Returns the normal form of a text, borrowed if it is the text itself.
#[inline(never)]
pub(super) fn changed(text: &str, normal: String) -> Cow<'_, str> {
    if normal == text { Cow::Borrowed(text) } else { Cow::Owned(normal) }
}

/// A character or an octet, literal or escaped.
#[derive(Clone, Copy)]
pub(crate) struct Token<'t> {
    pub(crate) value: Value,
    pub(crate) escaped: bool,
    /// The text as given.
    pub(crate) text: &'t str,
}

/// The value of a token.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Value {
    Character(char),
    /// An octet that is not ASCII: always escaped.
    Octet(u8),
}

/// An iterator over the characters and escapes of a parsed text.
#[derive(Clone)]
pub(crate) struct Tokens<'t> {
    rest: &'t str,
    /// Whether the escapes of one character are one token.
    international: bool,
}

impl<'t> Tokens<'t> {
    /// Returns the escapes of a text one by one.
    pub(crate) const fn of(text: &'t str) -> Self {
        Self { rest: text, international: false }
    }

    fn take(&mut self, value: Value, escaped: bool, len: usize) -> Option<Token<'t>> {
        let (text, rest) = self.rest.split_at_checked(len)?;
        self.rest = rest;
        Some(Token { value, escaped, text })
    }
}

impl<'t> Iterator for Tokens<'t> {
    type Item = Token<'t>;

    fn next(&mut self) -> Option<Token<'t>> {
        let first = self.rest.chars().next()?;
        // INVARIANT: in a parsed text "%" is followed by two hex digits.
        let Some(octet) = escaped_octet(self.rest.as_bytes()) else {
            return self.take(Value::Character(first), false, first.len_utf8());
        };
        if octet.is_ascii() {
            return self.take(Value::Character(char::from(octet)), true, 3);
        }
        match escaped_character(self.rest.as_bytes()).filter(|_| self.international) {
            Some(c) => self.take(Value::Character(c), true, 3 * c.len_utf8()),
            None => self.take(Value::Octet(octet), true, 3),
        }
    }
}

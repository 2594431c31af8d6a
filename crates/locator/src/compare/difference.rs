//! Lists the differences of two references. Takes both and returns the component, the position in
//! each text and the kind of each difference.
//!
//! Components are compared one by one. A difference that normalization removes is reported by its
//! kind, others as [`DifferenceKind::Content`] or [`DifferenceKind::Presence`].
//!
//! Lists the differences of two paths. Equal segments are paired from the left and from the right;
//! the rest differs by its dot segments or in content.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::ladder::{Ladder, Rung};
use crate::equivalence::Basis;
use crate::normalize::{Normalizer, PctDecodable, Token};
use crate::reference::UriRef;
use crate::span::{Component, Span};

/// A difference between two references, with its position in each, in octets.
///
/// ```
/// use locator::{Component, DifferenceKind, Rung, compare, uri_ref};
///
/// let found = compare(uri_ref!("http://h/%7E/a"), uri_ref!("http://h:80/~/b"))?;
/// let [port, escape, name] = found.differences[..] else { panic!() };
/// assert_eq!(
///     (port.component, port.kind),
///     (Component::Port, DifferenceKind::Port)
/// );
/// assert_eq!((port.first.range(), port.second.range()), (8..8, 9..11));
/// assert_eq!(
///     (escape.kind, escape.kind.rung()),
///     (DifferenceKind::Escape, Some(Rung::Syntax))
/// );
/// assert_eq!((escape.first.range(), escape.second.range()), (9..12, 12..13));
/// assert_eq!((name.kind, name.kind.rung()), (DifferenceKind::Content, None));
/// # Ok::<_, locator::CompareError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The component that differs.
    pub component: Component,
    /// The kind of the difference.
    pub kind: DifferenceKind,
    /// The octets of the first text; an empty span at their position if it has none.
    pub first: Span,
    /// The octets of the second text; an empty span at their position if it has none.
    pub second: Span,
}

crate::as_text::named! {
    /// The kind of a difference (RFC 3986, 6.2.2 and 6.2.3).
    ///
    /// Each kind has the [rung](Self::rung) on which it does not count; a kind without one keeps two
    /// references apart:
    ///
    /// ```
    /// use locator::{DifferenceKind, Rung, compare, uri};
    ///
    /// let kinds = |one, other| -> Result<Vec<_>, locator::CompareError> {
    ///     Ok(compare(one, other)?
    ///         .differences
    ///         .iter()
    ///         .map(|one| (one.kind, one.kind.rung()))
    ///         .collect())
    /// };
    /// assert_eq!(
    ///     kinds(uri!("http://h/%7e"), uri!("http://h/~"))?,
    ///     [(DifferenceKind::Escape, Some(Rung::Syntax))]
    /// );
    /// assert_eq!(
    ///     kinds(uri!("http://h/a"), uri!("http://h/b"))?,
    ///     [(DifferenceKind::Content, None)]
    /// );
    /// # Ok::<_, locator::CompareError>(())
    /// ```
    #[non_exhaustive]
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum DifferenceKind {
        /// One of the references begins with `URL:`.
        Prefix = "prefix",
        /// The case of letters, in a component that ignores case.
        Case = "case",
        /// The case of hex digits: `%3a`, `%3A`.
        HexCase = "hex-case",
        /// An escape that may be decoded: `%7E`, `~`.
        Escape = "escape",
        /// Dot segments, with the segments that they remove.
        Dots = "dots",
        /// The spelling of an IPv6 address: `[::1]`, `[0:0:0:0:0:0:0:1]` (RFC 5952).
        Address = "address",
        /// An empty fragment, where the edition defines it as equivalent to an absent one (`url-1993`).
        Void = "void",
        /// The scheme's default port, present or absent; or an empty port after ":".
        Port = "port",
        /// A difference that the scheme ignores in comparison: `http://h` and `http://h/`.
        Scheme = "scheme",
        /// A domain name in letters and in its ASCII form, if hosts are compared as domain names.
        Idn = "idn",
        /// The spelling of an IPv4 address, to the selected reader: `0177.0.0.1`, `127.0.0.1`.
        Number = "number",
        /// A component that only one of the references has.
        Presence = "presence",
        /// Any other difference: the component has other content.
        Content = "content",
    }

    /// Returns the name of the kind in JSON.
    pub const fn name;
}

impl DifferenceKind {
    /// Returns the first rung that ignores this difference, if there is one.
    #[must_use]
    pub const fn rung(self) -> Option<Rung> {
        match self {
            Self::Prefix
            | Self::Case
            | Self::HexCase
            | Self::Escape
            | Self::Dots
            | Self::Address
            | Self::Void => Some(Rung::Syntax),
            Self::Port | Self::Scheme => Some(Rung::Scheme),
            Self::Idn => Some(Rung::Idn),
            Self::Number => Some(Rung::Number),
            Self::Presence | Self::Content => None,
        }
    }
}

/// Returns all differences of two absolute references, from left to right.
pub(super) fn all(first: UriRef<'_>, second: UriRef<'_>, ladder: &Ladder<'_>) -> Vec<Difference> {
    let [one, other] = [first, second].map(|reference| Side::new(reference, ladder.basis));
    let [normal, normal_other] = [first, second].map(|reference| reference.normalize_by(ladder.basis));
    let host = ladder.rung_of_hosts(normal.as_uri_ref(), normal_other.as_uri_ref());
    let mut list = DifferenceList { first: one, second: other, host, differences: Vec::new() };
    list.report(Component::Prefix);
    list.report(Component::Scheme);
    if first.authority().is_some() == second.authority().is_some() {
        [Component::Userinfo, Component::Host, Component::Port]
            .into_iter()
            .for_each(|part| list.report(part));
    } else {
        let implied = one.scheme.part(Component::Authority) == other.scheme.part(Component::Authority);
        let kind = if implied { DifferenceKind::Scheme } else { DifferenceKind::Presence };
        list.push(Component::Authority, kind);
    }
    let merged = one.scheme.query_in_path().or(other.scheme.query_in_path()).is_some();
    let [path, path_of_other] = list.paths(|side| side.syntax);
    if merged && path != path_of_other {
        list.report_path_and_query();
    } else {
        list.report(Component::Path);
        list.report(Component::Query);
    }
    if !ladder.without_fragments {
        list.report(Component::Fragment);
    }
    list.differences
}

/// One of the two references, with its normal forms.
#[derive(Clone, Copy)]
struct Side<'a> {
    reference: UriRef<'a>,
    syntax: Normalizer<'a, 'a>,
    scheme: Normalizer<'a, 'a>,
}

impl<'a> Side<'a> {
    fn new(reference: UriRef<'a>, basis: Basis<'a>) -> Self {
        let [syntax, scheme] =
            [basis.by_syntax(), basis].map(|basis| Normalizer::new(reference, basis).opening());
        Self { reference, syntax, scheme }
    }

    /// Returns the span of the component, or the empty span where it would be.
    fn span(&self, part: Component) -> Span {
        let parts = self.reference.spans();
        let place = match part {
            Component::Reference | Component::Prefix | Component::Scheme => 0,
            Component::Authority | Component::Userinfo | Component::Host => parts.authority_start(),
            Component::Port => parts.host_end,
            Component::Path => parts.path_start,
            Component::Query => parts.path_end,
            Component::Fragment => parts.query_end,
        };
        parts.get(part).unwrap_or(Span { start: place, end: place })
    }
}

/// What is compared of the first and of the second reference.
#[derive(Clone, Copy)]
struct OfBoth<T> {
    first: T,
    second: T,
}

impl OfBoth<Span> {
    /// Returns the spans between two offsets of each text.
    const fn between(start: OfBoth<u32>, end: OfBoth<u32>) -> Self {
        let first = Span { start: start.first, end: end.first };
        Self { first, second: Span { start: start.second, end: end.second } }
    }
}

impl OfBoth<u32> {
    /// Returns the offsets after a number of bytes of each text.
    const fn after(self, first: usize, second: usize) -> Self {
        Self { first: self.first + first as u32, second: self.second + second as u32 }
    }
}

/// The differences that were found so far.
struct DifferenceList<'a> {
    first: Side<'a>,
    second: Side<'a>,
    /// The rung on which the hosts are equal as names or addresses, if the caller asks for it.
    host: Option<Rung>,
    differences: Vec<Difference>,
}

impl<'a> DifferenceList<'a> {
    /// Reports the differences in a component.
    fn report(&mut self, part: Component) {
        let (first, second) = (self.first, self.second);
        match (first.reference.component(part), second.reference.component(part)) {
            (one, other) if one == other => {}
            _ if !first.scheme.is_compared(part) && !second.scheme.is_compared(part) => {
                self.push(part, DifferenceKind::Scheme);
            }
            _ if part == Component::Prefix && first.syntax.part(part) == second.syntax.part(part) => {
                self.push(part, DifferenceKind::Prefix);
            }
            (Some(one), Some(other)) if first.syntax.part(part) == second.syntax.part(part) => {
                self.report_within(part, one, other);
            }
            _ if part == Component::Fragment && first.syntax.part(part) == second.syntax.part(part) => {
                self.push(part, DifferenceKind::Void);
            }
            _ if first.scheme.part(part) == second.scheme.part(part) => {
                let port = part == Component::Port;
                self.push(part, if port { DifferenceKind::Port } else { DifferenceKind::Scheme });
            }
            _ if part == Component::Host && self.host == Some(Rung::Idn) => {
                self.push(part, DifferenceKind::Idn);
            }
            _ if part == Component::Host && self.host == Some(Rung::Number) => {
                self.push(part, DifferenceKind::Number);
            }
            (Some(one), Some(other)) => self.report_within(part, one, other),
            _ => self.push(part, DifferenceKind::Presence),
        }
    }

    /// Returns the path and the query of both sides in normal form.
    fn paths(&self, form: fn(Side<'a>) -> Normalizer<'a, 'a>) -> [[Option<Cow<'a, str>>; 2]; 2] {
        let parts = |side| [Component::Path, Component::Query].map(|part| form(side).part(part));
        [self.first, self.second].map(parts)
    }

    /// Reports the difference of two paths where "?" and the text after it belong to a path.
    fn report_path_and_query(&mut self) {
        let [one, other] = [self.first, self.second].map(|side| Span {
            start: side.span(Component::Path).start,
            end: side.reference.spans().query_end,
        });
        let (first, second) = (self.first.reference.as_str(), self.second.reference.as_str());
        if first[one.range()] == second[other.range()] {
            return;
        }
        let [of_one, of_other] = self.paths(|side| side.scheme);
        let is_same = of_one == of_other;
        let kind = if is_same { DifferenceKind::Scheme } else { DifferenceKind::Content };
        self.extend(Component::Path, kind, OfBoth { first: one, second: other });
    }

    fn report_within(&mut self, part: Component, one: &'a str, other: &'a str) {
        if part == Component::Path {
            return self.report_path(one, other);
        }
        let at = OfBoth { first: self.first.span(part).start, second: self.second.span(part).start };
        let texts = OfBoth { first: one, second: other };
        let (first, second) = (self.first.syntax, self.second.syntax);
        if part == Component::Host && self.report_address(texts, at) {
            return;
        }
        let undone = OfBoth { first: first.undone(part), second: second.undone(part) };
        match (first.host_and_zone(), second.host_and_zone()) {
            (Some((host, zone)), Some((host_other, zone_other)))
                if part == Component::Host && !(zone.is_empty() || zone_other.is_empty()) =>
            {
                self.report_tokens(part, undone, OfBoth { first: host, second: host_other }, at);
                let undone = OfBoth { first: first.undone_in_zone(), second: second.undone_in_zone() };
                let at = at.after(host.len(), host_other.len());
                self.report_tokens(part, undone, OfBoth { first: zone, second: zone_other }, at);
            }
            _ => self.report_tokens(part, undone, texts, at),
        }
    }

    /// Reports the spellings of an IPv6 address, except for their case; zones are reported
    /// separately.
    fn report_address(&mut self, texts: OfBoth<&str>, at: OfBoth<u32>) -> bool {
        let address =
            |reference: UriRef<'_>| reference.authority().and_then(|authority| authority.host().ipv6());
        let end = |text: &str| text.find(['%', ']']).unwrap_or(text.len());
        let (first, zone) = texts.first.split_at(end(texts.first));
        let (second, zone_other) = texts.second.split_at(end(texts.second));
        let of_first = address(self.first.reference);
        let same = of_first.is_some() && of_first == address(self.second.reference);
        if !same || first.eq_ignore_ascii_case(second) {
            return false;
        }
        let after = at.after(first.len(), second.len());
        self.extend(Component::Host, DifferenceKind::Address, OfBoth::between(at.after(1, 1), after));
        let (first, second) = (self.first.syntax.undone_in_zone(), self.second.syntax.undone_in_zone());
        let zones = OfBoth { first: zone, second: zone_other };
        self.report_tokens(Component::Host, OfBoth { first, second }, zones, after);
        true
    }

    /// Reports the differences of two texts character by character, up to the first difference in
    /// content.
    fn report_tokens(
        &mut self,
        part: Component,
        undone: OfBoth<PctDecodable>,
        texts: OfBoth<&str>,
        mut at: OfBoth<u32>,
    ) {
        let ends = at.after(texts.first.len(), texts.second.len());
        let (mut tokens, mut others) = (undone.first.tokens(texts.first), undone.second.tokens(texts.second));
        loop {
            let (token, token_other) = match (tokens.next(), others.next()) {
                (Some(token), Some(other)) => (token, other),
                (None, None) => return,
                _ => break,
            };
            let next = at.after(token.text.len(), token_other.text.len());
            let (normal, normal_other) = (undone.first.token(token), undone.second.token(token_other));
            if (normal.value, normal.escaped) != (normal_other.value, normal_other.escaped) {
                break;
            }
            if token.text != token_other.text {
                self.extend(part, kind_of(token, token_other), OfBoth::between(at, next));
            }
            at = next;
        }
        self.extend(part, DifferenceKind::Content, OfBoth::between(at, ends));
    }

    /// Adds a difference of whole components.
    fn push(&mut self, part: Component, kind: DifferenceKind) {
        self.extend(part, kind, OfBoth { first: self.first.span(part), second: self.second.span(part) });
    }

    /// Adds a difference, or extends the last one.
    fn extend(&mut self, part: Component, kind: DifferenceKind, OfBoth { first, second }: OfBoth<Span>) {
        match self.differences.last_mut() {
            Some(last)
                if (last.component, last.kind) == (part, kind)
                    && (last.first.end, last.second.end) == (first.start, second.start) =>
            {
                (last.first.end, last.second.end) = (first.end, second.end);
            }
            _ => self.differences.push(Difference { component: part, kind, first, second }),
        }
    }
}

/// Returns the kind of difference of two octets or escapes that are equal in normal form.
fn kind_of(one: Token<'_>, other: Token<'_>) -> DifferenceKind {
    if one.escaped != other.escaped {
        DifferenceKind::Escape
    } else if one.value == other.value {
        DifferenceKind::HexCase
    } else {
        DifferenceKind::Case
    }
}

impl<'a> DifferenceList<'a> {
    /// Reports the differences of two paths.
    fn report_path(&mut self, one: &'a str, other: &'a str) {
        if one.starts_with('/') != other.starts_with('/') {
            return self.push(Component::Path, DifferenceKind::Content);
        }
        let (segments, others) = (segments(self.first, one), segments(self.second, other));
        let same = |(one, other): &(&PlacedSegment<'_>, &PlacedSegment<'_>)| {
            self.first.syntax.undone_in(one.text).write(one.text)
                == self.second.syntax.undone_in(other.text).write(other.text)
        };
        let before = segments.iter().zip(&others).take_while(same).count();
        let (rest, rest_other) = (&segments[before..], &others[before..]);
        let after = rest.iter().rev().zip(rest_other.iter().rev()).take_while(same).count();
        let (middle, tail) = rest.split_at(rest.len() - after);
        let (middle_other, tail_other) = rest_other.split_at(rest_other.len() - after);

        self.report_pairs(&segments[..before], &others[..before]);
        if !middle.is_empty() || !middle_other.is_empty() {
            let equal = self.first.syntax.part(Component::Path) == self.second.syntax.part(Component::Path);
            let kind = if equal { DifferenceKind::Dots } else { DifferenceKind::Content };
            let first = self.first.across(middle, tail);
            let spans = OfBoth { first, second: self.second.across(middle_other, tail_other) };
            let spans = with_delimiter(spans, middle.len(), middle_other.len());
            self.extend(Component::Path, kind, spans);
        }
        self.report_pairs(tail, tail_other);
    }

    fn report_pairs(&mut self, segments: &[PlacedSegment<'_>], others: &[PlacedSegment<'_>]) {
        for (one, other) in segments.iter().zip(others) {
            let first = self.first.syntax.undone_in(one.text);
            let undone = OfBoth { first, second: self.second.syntax.undone_in(other.text) };
            let texts = OfBoth { first: one.text, second: other.text };
            self.report_tokens(Component::Path, undone, texts, OfBoth { first: one.at, second: other.at });
        }
    }
}

/// An additional empty segment is shown by the "/" before it.
fn with_delimiter(spans: OfBoth<Span>, count: usize, count_other: usize) -> OfBoth<Span> {
    let OfBoth { first, second } = spans;
    let longer = |span: Span| Span { start: span.start.saturating_sub(1), end: span.end };
    match (first.is_empty() && second.is_empty(), count > count_other) {
        (false, _) => spans,
        (true, true) => OfBoth { first: longer(first), second },
        (true, false) => OfBoth { first, second: longer(second) },
    }
}

/// A segment and its offset in the whole text.
struct PlacedSegment<'a> {
    text: &'a str,
    at: u32,
}

fn segments<'a>(side: Side<'a>, path: &'a str) -> Vec<PlacedSegment<'a>> {
    let rooted = path.strip_prefix('/');
    let mut next = side.span(Component::Path).start + u32::from(rooted.is_some());
    let segment = |text: &'a str| {
        let at = next;
        next += text.len() as u32 + 1;
        PlacedSegment { text, at }
    };
    rooted.unwrap_or(path).split('/').map(segment).collect()
}

impl Side<'_> {
    /// Returns the span from the first of these segments to the last; without segments, the empty
    /// span before the segments that follow.
    fn across(&self, segments: &[PlacedSegment<'_>], following: &[PlacedSegment<'_>]) -> Span {
        let end = self.span(Component::Path).end;
        let at = following.first().map_or(end, |segment| segment.at);
        match (segments.first(), segments.last()) {
            (Some(first), Some(last)) => Span { start: first.at, end: last.at + last.text.len() as u32 },
            _ => Span { start: at, end: at },
        }
    }
}

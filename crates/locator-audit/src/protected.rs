//! Names that must not be imitated: takes a list of names, and returns which of them a host imitates, and how.
//!
//! A host imitates a name if its labels look like those of the name (`domain/look.rs`), differ in one letter, are the
//! name under another top-level domain or before another domain, or contain it beside a word such as "login". This is
//! how homographs and other look-alike hosts of phishing are found (UTS 39, 4; RFC 5890, 4.4).
//!
//! [`Protected`] is the list, a [`ProtectedNameError`] says which line of it is no domain name.
//!
//! ```
//! use locator_audit::Protected;
//!
//! let ours = Protected::from_lines("example.com\n")?;
//! // "а" is Cyrillic.
//! assert_eq!(ours.imitated_by("ex\u{430}mple.com"), Some("example.com"));
//! # Ok::<_, locator_audit::ProtectedNameError>(())
//! ```

use alloc::borrow::ToOwned;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Display, Formatter};
use core::ops::Range;

use crate::domain;
use crate::domain::brands::{Brand, BrandClass, brands, look_of_ascii};
use crate::domain::labels::{self, Label};
use crate::domain::look::look;
use crate::domain::registered::{is_free_host, suffix_labels};
use crate::finding::Severity;

/// A set of names that hosts must not imitate.
///
/// A host imitates a name if it looks like it, differs from it in one letter (names of six letters or more), has its name
/// under another top-level domain, or contains it before another domain: `paypal.com.co` is anybody's, and so may be
/// `paypal.com.au`. A name itself and its subdomains imitate no name, so list every name that is yours. A name without a
/// dot is one label: `paypal` is imitated by `paypa1.example`, but not by `paypal.example`.
///
/// ```
/// use locator_audit::{Auditor, Protected, Severity};
///
/// let protected = Protected::from_lines("# our names\npaypal.com\nmünchen.de\n")?;
/// assert_eq!(protected.imitated_by("www.paypa1.com"), Some("paypal.com"));
/// assert_eq!(
///     protected.imitated_by("paypal.com.login.example"),
///     Some("paypal.com")
/// );
/// assert_eq!(protected.imitated_by("www.paypal.com"), None);
///
/// // Letters of another script are worse than a digit for a letter.
/// let auditor = Auditor::new().protect(&protected);
/// let finding = &auditor.audit("https://xn--pypal-4ve.com/")[0];
/// assert_eq!(finding.severity(), Severity::Medium);
/// let finding = &auditor.audit("https://paypa1.com/")[0];
/// assert_eq!(finding.code().name(), "imitates-protected-name");
/// assert_eq!(finding.severity(), Severity::Low);
/// # Ok::<(), locator_audit::ProtectedNameError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Protected {
    /// The names in letters, each once, in their order.
    names: BTreeSet<String>,
    /// What they look like, with the first name that does.
    looks: BTreeMap<String, String>,
    /// How many labels the names have.
    counts: BTreeSet<usize>,
    /// The names that have a dot, with other dividers.
    divided: DividedNames,
    /// The labels that people know of the names that are registered.
    words: Vec<Word>,
}

/// The label of a name that people know: "paypal" of "paypal.com".
#[derive(Clone, Debug)]
struct Word {
    label: String,
    look: String,
    /// What follows the label, without the dot; empty for a name of one label.
    suffix: String,
    name: String,
    class: BrandClass,
}

impl Protected {
    /// Creates an empty set.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a set from a list with one name on each line.
    ///
    /// Empty lines, and text after "#", are ignored.
    ///
    /// ```
    /// use locator_audit::Protected;
    ///
    /// let names = Protected::from_lines("example.com\n# our bank\nmybank.example\n")?;
    /// assert_eq!(names.imitated_by("rnybank.example"), Some("mybank.example"));
    ///
    /// let error = Protected::from_lines("example.com\nno name\n").unwrap_err();
    /// assert_eq!(error.line(), Some(2));
    /// # Ok::<_, locator_audit::ProtectedNameError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a line has no domain name; the error has its [`line`](ProtectedNameError::line).
    pub fn from_lines(list: &str) -> Result<Self, ProtectedNameError> {
        let mut protected = Self::new();
        protected.add_lines(list)?;
        Ok(protected)
    }

    /// Adds the names of a list with one name on each line, as [`from_lines`](Self::from_lines) reads it.
    ///
    /// ```
    /// use locator_audit::Protected;
    ///
    /// let mut names = Protected::from_lines("example.com")?;
    /// names.add_lines("mybank.example # the other file\n")?;
    /// assert_eq!(names.imitated_by("mybank.com"), Some("mybank.example"));
    /// # Ok::<_, locator_audit::ProtectedNameError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a line has no domain name; the error has its [`line`](ProtectedNameError::line).
    pub fn add_lines(&mut self, list: &str) -> Result<(), ProtectedNameError> {
        for (line, number) in list.lines().zip(1..) {
            let name = line.split('#').next().unwrap_or_default().trim();
            if !name.is_empty() {
                self.add(name).map_err(|error| ProtectedNameError { line: Some(number), ..error })?;
            }
        }
        Ok(())
    }

    /// Adds a name, in letters or in its ASCII form.
    ///
    /// # Errors
    ///
    /// If it is not a domain name.
    pub fn add(&mut self, name: &str) -> Result<(), ProtectedNameError> {
        let error = || ProtectedNameError { name: name.to_owned(), line: None };
        let ascii = domain::ascii_form(name.as_bytes()).ok_or_else(error)?;
        let letters = HostLetters::new(labels::labels(&ascii));
        if letters.text.is_empty() {
            return Err(error());
        }
        self.add_letters(letters, BrandClass::Coined);
        Ok(())
    }

    /// Adds the built-in list of companies that are imitated often, with the domains that are theirs.
    ///
    /// Without this, only letters of other scripts and with marks are reported of them, whatever is protected.
    ///
    /// ```
    /// use locator_audit::Protected;
    ///
    /// let mut names = Protected::new();
    /// names.add_brands();
    /// assert_eq!(names.imitated_by("netf1ix.com"), Some("netflix.com"));
    /// assert_eq!(names.imitated_by("www.netflix.com"), None);
    /// ```
    pub fn add_brands(&mut self) {
        for brand in brands() {
            self.add_letters(HostLetters::new(labels::labels(brand.name())), brand.class);
            self.names.extend(brand.domains.iter().map(|domain| (*domain).to_owned()));
        }
    }

    fn add_letters(&mut self, letters: HostLetters, class: BrandClass) {
        let HostLetters { text, look, labels } = letters;
        self.counts.insert(labels.len());
        self.divided.add(&text);
        let suffix_count = suffix_labels(&text);
        if let (Some(label), true) = (labels.first(), labels.len() == suffix_count + 1) {
            let word = text.get(label.text.clone()).unwrap_or_default();
            self.words.push(Word {
                label: word.to_owned(),
                look: look.get(label.look.clone()).unwrap_or_default().to_owned(),
                suffix: text.get(label.text.end + 1..).unwrap_or_default().to_owned(),
                name: text.clone(),
                class,
            });
        }
        if class != BrandClass::Shared {
            self.looks.entry(look).or_insert_with(|| text.clone());
        }
        self.names.insert(text);
    }

    /// Returns the protected name that a host imitates, in letters; `None` if the host imitates no
    /// name.
    ///
    /// A name imitates another by look-alike letters, by one letter that differs, by another top-level domain, or by
    /// having the name in front of another domain. A host in a protected domain imitates nothing.
    ///
    /// ```
    /// use locator_audit::Protected;
    ///
    /// let names = Protected::from_lines("example.com")?;
    /// assert_eq!(names.imitated_by("exarnple.com"), Some("example.com"));
    /// assert_eq!(names.imitated_by("exampel.com"), Some("example.com"));
    /// assert_eq!(names.imitated_by("example.com.evil.test"), Some("example.com"));
    /// assert_eq!(names.imitated_by("www.example.com"), None);
    /// # Ok::<_, locator_audit::ProtectedNameError>(())
    /// ```
    #[must_use]
    pub fn imitated_by(&self, host: &str) -> Option<&str> {
        self.find(labels::labels(host), Severity::Low).map(|imitation| imitation.name)
    }

    /// Returns the most serious imitation in the labels of a host that is at least so severe.
    pub(super) fn find(&self, labels: impl Iterator<Item = Label>, least: Severity) -> Option<Imitation<'_>> {
        let host = HostLetters::new(labels);
        if self.is_in(&host) {
            return None;
        }
        let registered = host.registered();
        let whole = (0..host.labels.len()).find_map(|first| {
            let lasts = self.counts.iter().map(|count| first + count - 1);
            lasts
                .take_while(|last| *last < host.labels.len())
                .find_map(|last| self.imitation(&host, registered, first, last))
        });
        // Nothing of a word is worse.
        if whole.as_ref().is_some_and(|found| found.likeness.severity() >= Severity::Medium) {
            return whole;
        }
        let divided = self.divided.find(&host, registered);
        if divided.is_some() {
            return divided.filter(|found| found.likeness.severity() >= least);
        }
        let of_words = self.words.iter().filter_map(|word| word.in_host(&host, registered));
        let all = whole.into_iter().chain(of_words);
        let worst = all.reduce(|one, other| if other.likeness > one.likeness { other } else { one });
        worst.filter(|found| found.likeness.severity() >= least)
    }

    /// Returns the first word that is a part of a path, between characters that are no letters, with its position.
    pub(super) fn word_in_path(&self, path: &str) -> Option<Mention<'_>> {
        let lower = path.to_ascii_lowercase();
        let is_boundary = |octet: Option<&u8>| octet.is_none_or(|octet| !octet.is_ascii_alphanumeric());
        self.words.iter().filter(|word| word.class != BrandClass::Shared && word.label.is_ascii()).find_map(
            |word| {
                let length = word.label.len();
                let mut places = lower.match_indices(&*word.label).map(|(at, _)| at);
                let octets = lower.as_bytes();
                let at = places.find(|at| {
                    is_boundary(at.checked_sub(1).and_then(|before| octets.get(before)))
                        && is_boundary(octets.get(at + length))
                })?;
                Some(Mention { name: &word.name, span: at..at + length })
            },
        )
    }

    /// Returns whether a host is a protected name or in one.
    pub(super) fn owns(&self, labels: impl Iterator<Item = Label>) -> bool {
        self.is_in(&HostLetters::new(labels))
    }

    fn is_in(&self, host: &HostLetters) -> bool {
        (0..host.labels.len()).any(|first| self.names.contains(host.text_from(first)))
    }

    /// Returns the name that the labels from the first to the last imitate.
    fn imitation(
        &self,
        host: &HostLetters,
        registered: usize,
        first: usize,
        last: usize,
    ) -> Option<Imitation<'_>> {
        let (one, other) = (host.labels.get(first)?, host.labels.get(last)?);
        let text = host.text.get(one.text.start..other.text.end)?;
        let span = one.span.start..other.span.end;
        if let Some(name) = self.names.get(text) {
            // From the registered label on it is the same name under another top-level domain.
            let is_before = first < last && first < registered;
            let likeness = Likeness::of_whole_name(&host.text);
            return is_before.then_some(Imitation { name, label: name, span, likeness });
        }
        let look = host.look.get(one.look.start..other.look.end)?;
        let likeness = if text.is_ascii() { Likeness::Spelling } else { Likeness::Confusable };
        self.looks.get(look).map(|name| Imitation { name, label: name, span, likeness })
    }
}

/// Names with a dot as they are written where a dot would not do: `paypal-com`, and `paypalcom`.
#[derive(Clone, Debug, Default)]
struct DividedNames {
    /// The names with "." in place of "-".
    dotted: BTreeMap<String, String>,
    /// How many parts these have.
    counts: BTreeSet<usize>,
    /// The names without dots, if their first label is long.
    joined: BTreeMap<String, String>,
}

impl DividedNames {
    fn add(&mut self, name: &str) {
        let Some((label, _)) = name.split_once('.') else { return };
        let dotted = name.replace('-', ".");
        self.counts.insert(dotted.split('.').count());
        self.dotted.insert(dotted, name.to_owned());
        if label.len() >= LEAST_LENGTH {
            self.joined.insert(name.replace('.', ""), name.to_owned());
        }
    }

    /// Returns the name that is in the labels of a host up to the registered one, between dots or hyphens:
    /// `paypal.com-login.example`, `www-paypal-com.example`.
    fn find(&self, host: &HostLetters, registered: usize) -> Option<Imitation<'_>> {
        let left = host.text.get(..host.labels.get(registered)?.text.end)?;
        if self.dotted.is_empty() {
            return None;
        }
        let dotted = left.replace('-', ".");
        let mut ends: Vec<usize> = dotted.match_indices('.').map(|(at, _)| at).collect();
        ends.push(dotted.len());
        let mut start = 0;
        for (at, end) in ends.iter().enumerate() {
            let found = self.counts.iter().find_map(|count| {
                let last = *ends.get(at + count - 1)?;
                Some((self.dotted.get(dotted.get(start..last)?)?, last))
            });
            let part = dotted.get(start..*end).unwrap_or_default();
            let joined = || self.joined.get(part).or_else(|| self.joined.get(part.strip_prefix("www")?));
            if let Some((name, last)) = found.or_else(|| joined().map(|name| (name, *end))) {
                let of_name = |label: &&LabelPosition| label.text.end > start && label.text.start < last;
                let mut labels = host.labels.iter().filter(of_name);
                let first = labels.next()?;
                let span = first.span.start..labels.next_back().unwrap_or(first).span.end;
                return Some(Imitation {
                    name,
                    label: name,
                    span,
                    likeness: Likeness::of_whole_name(&host.text),
                });
            }
            start = end + 1;
        }
        None
    }
}

impl Word {
    /// Returns what in the labels of a host resembles the word most.
    fn in_host(&self, host: &HostLetters, registered: usize) -> Option<Imitation<'_>> {
        let suffix = host.text_from(registered + 1);
        // The name of a registry or of a free host is not the choice of its customers.
        let labels = || host.labels.iter().take(registered + 1);
        let found = labels().enumerate().filter_map(|(at, label)| {
            let (text, look) = (host.text_of(label), host.look_of(label));
            let likeness = match at == registered {
                true => self.in_registered(text, look, suffix),
                false => None,
            };
            let is_whole = at == registered && text == self.label;
            let likeness = likeness.or_else(|| self.in_label(text, look).filter(|_| !is_whole))?;
            Some(Imitation { name: &self.name, label: &self.label, span: label.span.clone(), likeness })
        });
        let mut worst = found.reduce(|one, other| if other.likeness > one.likeness { other } else { one })?;
        if worst.likeness == Likeness::Word {
            let mut parts = labels().flat_map(|label| host.text_of(label).split('-'));
            if let Some(lure) = parts.find_map(|part| self.lure_in(part)) {
                worst.likeness = Likeness::WordWithLure(lure);
            }
        }
        Some(worst)
    }

    /// Compares the word with the label that somebody registered.
    fn in_registered(&self, text: &str, look: &str, suffix: &str) -> Option<Likeness> {
        let is_coined = self.class != BrandClass::Shared;
        if text == self.label {
            let is_other = !self.suffix.is_empty() && !suffix.is_empty() && suffix != self.suffix;
            // A company that has its name in many countries does not need a free host.
            let is_reported = match self.class {
                BrandClass::Coined => true,
                BrandClass::International => is_free_host(suffix),
                BrandClass::Shared => false,
            };
            return (is_reported && is_other).then_some(Likeness::OtherSuffix);
        }
        if text.strip_prefix("www").is_some_and(|rest| rest.trim_start_matches('-') == self.label) {
            return is_coined.then_some(Likeness::Near);
        }
        if look == self.look {
            return match text.is_ascii() {
                true => is_coined.then_some(Likeness::Spelling),
                false => Some(Likeness::Confusable),
            };
        }
        (is_coined && is_near(text.as_bytes(), self.label.as_bytes())).then_some(Likeness::Near)
    }

    /// Looks for the word in a label.
    fn in_label(&self, text: &str, look: &str) -> Option<Likeness> {
        let has_word = text.split('-').any(|part| part == self.label);
        if !has_word && look.split('-').any(|part| part == self.look) {
            let is_coined = self.class != BrandClass::Shared && self.label.len() >= LEAST_LENGTH;
            return match text.is_ascii() {
                true => is_coined.then_some(Likeness::Spelling),
                false => Some(Likeness::Confusable),
            };
        }
        let is_part = has_word || self.label.len() >= LEAST_LENGTH && text.contains(&*self.label);
        (is_part && self.class != BrandClass::Shared).then_some(Likeness::Word)
    }

    /// Returns the word of a lure that a part of a label is, or that is joined with the name.
    fn lure_in(&self, part: &str) -> Option<&'static str> {
        let rest = part.strip_prefix(&*self.label).or(part.strip_suffix(&*self.label)).unwrap_or(part);
        LURES.iter().find(|lure| **lure == rest).copied()
    }
}

/// Names of fewer letters differ in one letter by chance.
const LEAST_LENGTH: usize = 6;

/// Returns whether a label differs from one of enough letters in one letter, which is missing, added or another, or in two
/// that are swapped.
fn is_near(one: &[u8], other: &[u8]) -> bool {
    let is_long = other.len() >= LEAST_LENGTH && one.len().abs_diff(other.len()) <= 1;
    if !is_long || !one.is_ascii() || !other.is_ascii() {
        return false;
    }
    let start = one.iter().zip(other).take_while(|(one, other)| one == other).count();
    let (one, other) = (one.get(start..).unwrap_or_default(), other.get(start..).unwrap_or_default());
    let end = one.iter().rev().zip(other.iter().rev()).take_while(|(one, other)| one == other).count();
    let [one, other] = [one, other].map(|rest| rest.get(..rest.len() - end).unwrap_or_default());
    match (one, other) {
        ([], [_]) | ([_], [] | [_]) => true,
        ([a, b], [c, d]) => a == d && b == c,
        _ => false,
    }
}

/// Words that make people give a secret away, in the names of hosts that imitate others.
static LURES: [&str; 44] = [
    "access", "account", "accounts", "alert", "alerts", "auth", "bank", "banking", "billing", "bonus",
    "card", "cards", "check", "claim", "client", "confirm", "customer", "gift", "help", "helpdesk",
    "invoice", "limited", "login", "logon", "notice", "online", "password", "pay", "payment", "recover",
    "recovery", "refund", "reset", "reward", "secure", "security", "service", "services", "signin",
    "support", "unlock", "update", "verify", "wallet",
];

/// Returns the brand of the built-in list that a label imitates with letters of another script or with marks; `None` if
/// the host is in a domain of it.
pub(super) fn imitated_brand(host: &str) -> Option<Imitation<'static>> {
    let letters = HostLetters::new(labels::labels(host));
    let known = brands().map(|brand| (look_of_ascii(brand.label()), brand)).collect::<Vec<_>>();
    let is_own =
        |brand: &Brand| brand.domains.iter().any(|domain| domain::special::is_within(&letters.text, domain));
    let labels = letters.labels.iter().take(letters.registered() + 1);
    labels.filter(|label| !letters.text_of(label).is_ascii()).find_map(|label| {
        let mut parts = letters.look_of(label).split('-');
        let brand =
            parts.find_map(|part| known.iter().find(|(look, _)| look == part).map(|(_, brand)| *brand))?;
        let (name, label, span) = (brand.name(), brand.label(), label.span.clone());
        (!is_own(brand)).then_some(Imitation { name, label, span, likeness: Likeness::Confusable })
    })
}

/// How a host resembles a name, from the least serious.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Likeness {
    /// A label contains it.
    Word,
    /// It is under another top-level domain.
    OtherSuffix,
    /// It differs in one letter.
    Near,
    /// It has digits or pairs of letters that look like its own.
    Spelling,
    /// A label contains it, and this word is in the host, too.
    WordWithLure(&'static str),
    /// It is before another domain as a whole.
    Before,
    /// It has letters of another script, or with marks, that look like its own.
    Confusable,
}

impl Likeness {
    /// Returns how a host resembles a name that it contains as a whole. Some services make their hosts of those of their
    /// customers.
    fn of_whole_name(host: &str) -> Self {
        let is_of_service = CUSTOMERS.iter().any(|service| domain::special::is_within(host, service));
        if is_of_service { Self::Word } else { Self::Before }
    }

    pub(super) const fn severity(self) -> Severity {
        match self {
            Self::Word => Severity::Info,
            Self::OtherSuffix | Self::Near | Self::Spelling => Severity::Low,
            Self::WordWithLure(_) | Self::Before | Self::Confusable => Severity::Medium,
        }
    }
}

/// Services whose hosts contain the whole name of another host, which is shown, delivered or protected there: translators
/// and caches of Google, networks of Akamai and Cloudflare, mail at Microsoft (from the documentation of these services).
static CUSTOMERS: [&str; 7] = [
    "translate.goog",
    "cdn.ampproject.org",
    "edgekey.net",
    "edgesuite.net",
    "akamaized.net",
    "cdn.cloudflare.net",
    "mail.protection.outlook.com",
];

/// A name that some labels of a host imitate.
#[derive(Debug)]
pub(super) struct Imitation<'a> {
    name: &'a str,
    /// The label of the name that people know, or the name.
    label: &'a str,
    /// The bytes of the host that imitate it.
    pub(super) span: Range<usize>,
    pub(super) likeness: Likeness,
}

impl Imitation<'_> {
    pub(super) fn message(&self) -> String {
        let Self { name, label, likeness, .. } = self;
        match likeness {
            Likeness::Before => format!("the host contains \"{name}\", but is in another domain"),
            Likeness::OtherSuffix => {
                format!("the host has the name of \"{name}\" under another top-level domain")
            }
            Likeness::Word => format!("the host contains \"{label}\", and is not in \"{name}\""),
            Likeness::WordWithLure(lure) => {
                format!("the host contains \"{label}\" and \"{lure}\", and is not in \"{name}\"")
            }
            _ => format!("the host resembles \"{name}\", but it is another host"),
        }
    }
}

/// A name that a path contains.
pub(super) struct Mention<'a> {
    name: &'a str,
    /// The bytes of the path.
    pub(super) span: Range<usize>,
}

impl<'a> Mention<'a> {
    #[cfg(feature = "public-suffix")]
    pub(super) const fn name(&self) -> &'a str {
        self.name
    }

    pub(super) fn message(&self) -> String {
        format!("the path contains the name of \"{}\", and the host is another one", self.name)
    }
}

/// The labels of a name, joined by dots: their letters, and what they look like.
#[derive(Default)]
struct HostLetters {
    text: String,
    look: String,
    labels: Vec<LabelPosition>,
}

/// Where a label is.
struct LabelPosition {
    /// The bytes of the host.
    span: Range<usize>,
    text: Range<usize>,
    look: Range<usize>,
}

impl HostLetters {
    fn new(labels: impl Iterator<Item = Label>) -> Self {
        let mut all = Self::default();
        for Label { span, letters } in labels {
            if !all.labels.is_empty() {
                all.text.push('.');
                all.look.push('.');
            }
            let (text, seen) = (all.text.len(), all.look.len());
            all.look.push_str(&look(&letters));
            all.text.push_str(&letters);
            all.labels.push(LabelPosition { span, text: text..all.text.len(), look: seen..all.look.len() });
        }
        all
    }

    /// Returns the place of the label that somebody registered: that before the suffix.
    fn registered(&self) -> usize {
        self.labels.len().saturating_sub(suffix_labels(&self.text) + 1)
    }

    fn text_of(&self, label: &LabelPosition) -> &str {
        self.text.get(label.text.clone()).unwrap_or_default()
    }

    fn look_of(&self, label: &LabelPosition) -> &str {
        self.look.get(label.look.clone()).unwrap_or_default()
    }

    /// Returns the letters from a label to the end.
    fn text_from(&self, first: usize) -> &str {
        let start = self.labels.get(first).map_or(self.text.len(), |label| label.text.start);
        self.text.get(start..).unwrap_or_default()
    }
}

/// The error of a text that is not a domain name.
///
/// ```
/// use locator_audit::Protected;
///
/// let error = Protected::from_lines("example.com\nnot a name\n").unwrap_err();
/// assert_eq!((error.line(), error.name()), (Some(2), "not a name"));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct ProtectedNameError {
    name: String,
    line: Option<usize>,
}

impl ProtectedNameError {
    /// Returns the text that is not a domain name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the line of the list, from 1; `None` if it was not in a list.
    #[must_use]
    pub const fn line(&self) -> Option<usize> {
        self.line
    }
}

impl Display for ProtectedNameError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        write!(f, "\"{}\" is not a domain name (RFC 3490, 4.1)", self.name)
    }
}

/// Shows the sentence of `Display`, for a `main` that returns the error.
impl fmt::Debug for ProtectedNameError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

impl core::error::Error for ProtectedNameError {}

#[cfg(test)]
mod tests {
    use std::string::ToString;

    use super::*;

    #[test]
    fn imitations() {
        let protected = Protected::from_lines(
            "paypal.com\nmicrosoft.com # a company\nmicrosoft.com.au\n\nbank\nxn--mnchen-3ya.de\nwww.hôtel.fr.",
        )
        .unwrap();
        for (host, expected) in [
            ("paypal.com", None),
            ("PAYPAL.com.", None),
            ("www.paypal.com", None),
            ("p%61ypal.com", None),
            ("paypa1.com.paypal.com", None),
            ("mypaypal.com", None),
            ("paypal.net", Some("paypal.com")),
            ("paypa1.net", Some("paypal.com")),
            ("paypal.github.io", Some("paypal.com")),
            ("paypl.com", Some("paypal.com")),
            ("papyal.co.uk", Some("paypal.com")),
            ("papyla.com", None),
            ("paypa1-login.example", Some("paypal.com")),
            ("paypal-login.example", Some("paypal.com")),
            ("paypalsupport.example", Some("paypal.com")),
            ("paypal.verify.example", Some("paypal.com")),
            ("paypal.example.org", None),
            ("google-com.example", None),
            ("paypal.com-redirect.example.net", Some("paypal.com")),
            ("paypal.com-login.net", Some("paypal.com")),
            ("www-paypal-com.example.net", Some("paypal.com")),
            ("secure-paypal-com.example", Some("paypal.com")),
            ("paypal-com.example", Some("paypal.com")),
            ("www.paypal-com.example", Some("paypal.com")),
            ("microsoft-com-au.example", Some("microsoft.com")),
            ("paypalcom.example", Some("paypal.com")),
            ("wwwpaypalcom.example", Some("paypal.com")),
            ("wwwpaypal.com", Some("paypal.com")),
            ("my-paypal-community.example", None),
            ("mypaypal-com.example", None),
            ("www-paypal-com.translate.goog", None),
            ("www.paypal.com.edgekey.net", None),
            ("com", None),
            ("paypa1.com", Some("paypal.com")),
            ("www.paypa1.com", Some("paypal.com")),
            ("paypaI.com", Some("paypal.com")),
            ("paypa%31.com", Some("paypal.com")),
            ("paypal.corn", Some("paypal.com")),
            ("xn--pypal-4ve.com", Some("paypal.com")),
            ("pаypal.com", Some("paypal.com")),
            ("rnicrosoft.com", Some("microsoft.com")),
            ("paypal.com.evil.example", Some("paypal.com")),
            ("paypal.com.au", Some("paypal.com")),
            ("microsoft.com.au", None),
            ("paypa1.com.evil.example", Some("paypal.com")),
            ("bank.example", None),
            ("bаnk.example", Some("bank")),
            ("münchen.de", None),
            ("munchen.de", Some("münchen.de")),
            ("hotel.fr", None),
            ("www.hotel.fr", Some("www.hôtel.fr")),
            ("", None),
            (".", None),
            ("..", None),
        ] {
            assert_eq!(protected.imitated_by(host), expected, "{host}");
        }
        assert_eq!(Protected::new().imitated_by("paypa1.com"), None);
    }

    #[test]
    fn companies() {
        let mut protected = Protected::new();
        protected.add_brands();
        for (host, expected) in [
            ("www.netflix.com", None),
            ("netf1ix.com", Some("netflix.com")),
            ("netflix.example", Some("netflix.com")),
            // The name in a country, and at a free host.
            ("google.de", None),
            ("google.pages.dev", Some("google.com")),
            // Others use the name rightly, but not the whole name before another domain.
            ("github.example", None),
            ("github-login.example", None),
            ("github.com.evil.example", Some("github.com")),
            ("g\u{ED}thub.com", Some("github.com")),
        ] {
            assert_eq!(protected.imitated_by(host), expected, "{host}");
        }
    }

    #[test]
    fn what_is_not_a_name() {
        for name in ["https://paypal.com/", "pay pal.com", "", "a..b", "-", "xn--a", &"a".repeat(300)] {
            let error = Protected::new().add(name).unwrap_err();
            assert_eq!((error.name(), error.line()), (name, None));
        }
        let error = Protected::from_lines("paypal.com\n# one\npay pal.com").unwrap_err();
        assert_eq!(error.to_string(), "line 3: \"pay pal.com\" is not a domain name (RFC 3490, 4.1)");
    }
}

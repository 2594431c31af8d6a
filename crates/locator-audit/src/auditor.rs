//! The audit of a text: takes a text, returns the [`Finding`]s of every check that may find something in it.
//!
//! [`audit()`] and [`secrets()`] ask an [`Auditor`], which has the options: the edition, the least severity, the names
//! that no host may imitate, the URL that references are relative to. A plain URL (`plain`) is answered without any
//! check. URLs within another one (`nested` after a scheme, `enclosed` in the path, query and fragment) are audited, too.
//!
//! ```
//! use locator_audit::{Auditor, Severity};
//!
//! // Only what a program must not pass on.
//! let auditor = Auditor::new().least(Severity::High);
//! assert!(auditor.audit("https://www.example.com/?session=1").is_empty());
//! assert_eq!(auditor.audit("http://0177.0.0.1/admin")[0].code().name(), "disguised-address");
//! ```

use alloc::string::String;
use alloc::vec::Vec;

use crate::checks::CHECKS;
#[cfg(feature = "public-suffix")]
use crate::checks::MISLEADING_TEXT;
use crate::checks::check::{Check, Subject};
use crate::enclosed::{self, EnclosedUrl};
use crate::finding::{Enclosure, Finding, Findings, SECRETS, Severity};
#[cfg(feature = "public-suffix")]
use crate::link_text::{Link, mismatch};
use crate::nested;
use crate::plain;
use crate::plain::ordinary::is_ordinary;
use crate::protected::Protected;
use crate::readers::Contact;
use crate::schemes;
use locator::Redacted;
use locator::edition::{self, Edition};

/// Returns the findings of a text, read by RFC 3986, of [`Severity::Low`] or more, from left to right.
///
/// [`Auditor`] takes another edition, or another severity.
///
/// ```
/// let findings = locator_audit::audit("http://0x7f.1/");
/// assert_eq!(findings[0].code().name(), "disguised-address");
/// ```
#[must_use]
pub fn audit(text: &str) -> Vec<Finding> {
    Auditor::new().audit(text)
}

/// Returns the findings of a text that are secrets ([`Code::is_secret`](crate::Code::is_secret)), from left to right.
///
/// ```
/// let text = "https://host.example/?access_token=0f8fad5bd9cb469f";
/// let found = locator_audit::secrets(text);
/// assert_eq!(&text[found[0].span()], "0f8fad5bd9cb469f");
/// ```
#[must_use]
pub fn secrets(text: &str) -> Vec<Finding> {
    Auditor::new().only(&SECRETS).audit(text)
}

/// Returns a text, valid or not, with its secrets hidden, for messages and logs.
///
/// Hidden is whatever may be a password, and the bytes of its [`secrets()`].
///
/// [`UriRef::redacted`](locator::UriRef::redacted) hides only the password of a valid reference.
///
/// ```
/// let text = locator_audit::redacted(
///     "https://u:pw@host.example/file?access_token=0f8fad5bd9cb469f",
/// );
/// assert_eq!(
///     text.to_string(),
///     "https://u:(hidden)@host.example/file?access_token=(hidden)"
/// );
/// ```
#[must_use]
pub fn redacted(text: &str) -> Redacted<'_> {
    Redacted::new(text).hide(secrets(text).iter().map(Finding::span))
}

/// An auditor of texts: the edition that divides them, the least severity that it reports, and
/// more.
///
/// ```
/// use locator_audit::{Auditor, Severity};
///
/// let auditor = Auditor::new().least(Severity::Info);
/// let finding = &auditor.audit("HTTP://host.example/")[0];
/// assert_eq!(finding.to_string(), "the URL is not in normal form");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Auditor<'a> {
    pub(crate) edition: &'static Edition,
    /// Whether the edition has rules for schemes.
    has_rules: bool,
    /// Whether no check finds anything in a plain URL, except with the codes of [`IN_PLAIN`].
    allows_plain: bool,
    /// Whether a code of [`IN_PLAIN`] is looked for.
    seeks_in_plain: bool,
    pub(crate) least: Severity,
    /// The least severity that is reported of what the checks find, if that is another.
    kept: Option<Severity>,
    /// The codes that are looked for; `None` for all.
    pub(crate) only: Option<&'a [&'a str]>,
    /// The checks that run, by their place in the list.
    checks: u32,
    /// The names that hosts must not imitate.
    protected: Option<&'a Protected>,
    /// What texts without a scheme refer to, if it was set.
    base: Option<&'a Contact>,
}

/// The codes that are looked for only if [`Severity::Info`] is asked for: most of them take long.
pub(crate) static ONLY_AT_INFO: [&str; 14] = [
    "click-tracker",
    "empty-label",
    "gateway",
    "long",
    "missing-host",
    "name-too-long",
    "near-scheme",
    "not-normal",
    "old-edition",
    "redirect-parameter",
    "scheme-form",
    "short-link",
    "trailing-dot",
    "wrapped-link",
];

/// The codes of all findings in plain URLs, which are of [`Severity::Info`].
pub(crate) static IN_PLAIN: [&str; 8] = [
    "click-tracker",
    "empty-label",
    "gateway",
    "long",
    "not-normal",
    "old-edition",
    "short-link",
    "wrapped-link",
];

/// What is known of an edition before any text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct EditionFacts {
    /// Whether it has rules for schemes.
    has_rules: bool,
    /// Whether plain URLs are valid in it, with the components of RFC 3986.
    allows_plain: bool,
}

impl EditionFacts {
    /// Finds them out, which takes as long as to audit many URLs.
    fn find(edition: &'static Edition) -> Self {
        let is_its = |rule: &locator::scheme::SchemeRule| rule.edition == edition;
        let has_rules = locator::scheme::ALL.iter().any(|scheme| scheme.rules().iter().any(is_its));
        Self { has_rules, allows_plain: !has_rules && plain::allows_plain(edition) }
    }

    /// Returns the facts of an edition, which a table has for those of the library.
    fn of(edition: &'static Edition) -> Self {
        let known = KNOWN.iter().find(|(known, _)| *known == edition);
        known.map_or_else(|| Self::find(edition), |(_, facts)| *facts)
    }
}

/// The facts of the editions of the library; a test finds them out again.
static KNOWN: [(&Edition, EditionFacts); 9] = {
    const fn facts(has_rules: bool, allows_plain: bool) -> EditionFacts {
        EditionFacts { has_rules, allows_plain }
    }
    [
        (&edition::RFC3986, facts(false, true)),
        (&edition::RFC3987, facts(false, true)),
        (&edition::RFC3986_WITH_ZONES, facts(false, true)),
        (&edition::URL_1993, facts(true, false)),
        (&edition::URL_1994, facts(true, false)),
        (&edition::RFC1738, facts(true, false)),
        (&edition::URL_1997, facts(false, false)),
        (&edition::RFC2396, facts(false, false)),
        (&edition::URI_2003, facts(false, false)),
    ]
};

impl Default for Auditor<'_> {
    fn default() -> Self {
        // RFC 3986 leaves the rules to the documents of the schemes.
        Self {
            edition: edition::DEFAULT,
            has_rules: false,
            allows_plain: true,
            seeks_in_plain: true,
            least: Severity::Low,
            kept: None,
            only: None,
            checks: u32::MAX,
            protected: None,
            base: None,
        }
    }
}

impl<'a> Auditor<'a> {
    /// Creates an auditor that reads by RFC 3986 and reports findings of [`Severity::Low`] or more.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the edition that divides texts; RFC 3986 by default.
    ///
    /// ```
    /// use locator::edition::RFC1738;
    /// use locator_audit::Auditor;
    ///
    /// // What is invalid in the edition is a finding.
    /// let auditor = Auditor::new().edition(&RFC1738);
    /// let findings = auditor.audit("http://example.com/~jan");
    /// assert_eq!(findings[0].code().name(), "invalid");
    /// ```
    #[must_use]
    pub fn edition(self, edition: &'static Edition) -> Self {
        let EditionFacts { has_rules, allows_plain } = EditionFacts::of(edition);
        Self { edition, has_rules, allows_plain, ..self }
    }

    /// Sets the least severity that is reported. [`Severity::Info`] takes longer, because the text is
    /// read by every edition.
    ///
    /// ```
    /// use locator_audit::{Auditor, Severity, audit};
    ///
    /// // "HTTP" is not in normal form, which is harmless.
    /// let text = "HTTP://www.example.com/";
    /// assert!(audit(text).is_empty());
    /// let all = Auditor::new().least(Severity::Info).audit(text);
    /// assert_eq!(all[0].severity(), Severity::Info);
    /// ```
    #[must_use]
    pub const fn least(mut self, least: Severity) -> Self {
        self.least = least;
        self
    }

    /// Sets the base of texts without a scheme. By default it has no name.
    ///
    /// With a base, a URL that leads to another server, with a scheme or without one, is a finding:
    /// an open redirect.
    ///
    /// ```
    /// use locator::Uri;
    /// use locator_audit::{Auditor, Contact};
    ///
    /// let base = Contact::from_uri(Uri::parse("https://www.example.com/login")?)
    ///     .expect("it has a host");
    /// let auditor = Auditor::new().base(&base);
    /// for url in ["//evil.example/", "https://evil.example/"] {
    ///     assert_eq!(auditor.audit(url)[0].code().name(), "leaves-base");
    /// }
    /// assert!(auditor.audit("/account").is_empty());
    /// # Ok::<(), locator::ParseError>(())
    /// ```
    #[must_use]
    pub const fn base(mut self, base: &'a Contact) -> Self {
        self.base = Some(base);
        self
    }

    /// Looks only for findings with these codes, which takes less time; unknown names are ignored.
    ///
    /// ```
    /// use locator_audit::Auditor;
    ///
    /// let auditor = Auditor::new().only(&["password"]);
    /// assert_eq!(auditor.audit("ftp://www.example.com:s3cret@h.example/").len(), 1);
    /// ```
    #[must_use]
    pub fn only(mut self, codes: &'a [&'a str]) -> Self {
        let has_one = |check: &Check| check.codes.iter().any(|code| codes.contains(&code.name));
        let asked = CHECKS.iter().enumerate().filter(|(_, (check, _))| has_one(check));
        self.checks = asked.fold(0, |checks, (at, _)| checks | 1 << at);
        self.only = Some(codes);
        self.seeks_in_plain = codes.iter().any(|code| IN_PLAIN.contains(code));
        self
    }

    /// Sets the names that hosts must not imitate; by default none are protected.
    #[must_use]
    pub const fn protect(mut self, protected: &'a Protected) -> Self {
        self.protected = Some(protected);
        self
    }

    /// Reports also the findings of less than the least severity that the checks make anyway: all but those
    /// with the codes of [`ONLY_AT_INFO`].
    pub(crate) const fn keeping_all(mut self) -> Self {
        self.kept = Some(Severity::Info);
        self
    }

    /// Returns whether this finds what [`Auditor::new`] does for a severity.
    pub(crate) fn finds_all_of(&self, least: Severity) -> bool {
        let is_of_text = self.base.is_none() && self.protected.is_none() && self.only.is_none();
        is_of_text && self.edition == Self::new().edition && self.least <= least
    }

    /// Returns the findings of a text by position, and at one position the most serious first.
    ///
    /// The text need not be valid: it is divided into components by appendix B of RFC 3986.
    #[must_use]
    pub fn audit(&self, text: &str) -> Vec<Finding> {
        if self.skips_plain() && plain::is_plain(text) {
            return Vec::new();
        }
        self.check(text)
    }

    /// Returns the finding that the text of a link names another site than the one that its URL leads to; `None` if it
    /// names the same or none.
    ///
    /// [`audit`](Self::audit) knows the URL only. With a [base](Self::base), a link without a host leads to that of the base.
    ///
    /// ```
    /// use locator_audit::{Auditor, Severity};
    ///
    /// let auditor = Auditor::new();
    /// let finding = auditor
    ///     .misleading_text("https://login.evil.net/", "https://www.paypal.com/")
    ///     .unwrap();
    /// assert_eq!(finding.severity(), Severity::Medium);
    /// assert!(auditor.misleading_text("https://paypal.com/a", "www.paypal.com").is_none());
    /// ```
    #[cfg(feature = "public-suffix")]
    #[must_use]
    pub fn misleading_text(&self, url: &str, text: &str) -> Option<Finding> {
        let is_sought = self.only.is_none_or(|codes| codes.contains(&MISLEADING_TEXT.name));
        let link = Link { url, base: self.base };
        let finding = if is_sought { mismatch(&link, text, self.protected)? } else { return None };
        (finding.severity() >= self.least).then_some(finding)
    }

    /// Returns whether nothing is reported about a plain URL. With a base, it may lead elsewhere.
    #[inline(always)]
    pub(crate) const fn skips_plain(&self) -> bool {
        if self.protected.is_some() {
            return false;
        }
        let finds_some = matches!(self.least, Severity::Info) && self.seeks_in_plain;
        self.allows_plain && self.base.is_none() && !finds_some
    }

    /// Makes every check of the text, and of the URLs within it, if there are any.
    #[inline(never)]
    fn check(&self, text: &str) -> Vec<Finding> {
        let subject = self.subject(text);
        let mut findings = self.findings_of(&subject);
        let is_usual =
            text.as_bytes().first_chunk().is_some_and(|start| schemes::after_usual_scheme(start).is_some());
        if !is_usual && let Some(span) = nested::innermost(text) {
            let inner = self.subject(text.get(span.clone()).unwrap_or_default());
            findings.add_new(self.findings_of(&inner).moved(span.start));
        }
        self.add_enclosed(&subject, &mut findings);
        let mut findings = findings.sorted(self.kept.unwrap_or(self.least));
        if let Some(codes) = self.only {
            findings.retain(|finding| codes.contains(&finding.code().name()));
        }
        findings
    }

    /// Divides a text for the checks.
    fn subject<'t>(&self, text: &'t str) -> Subject<'t>
    where
        'a: 't,
    {
        let subject = Subject::new(text, self.edition, self.has_rules, self.least);
        subject.protecting(self.protected).against(self.base)
    }

    /// Makes every check that the text has a sign of.
    fn findings_of(&self, subject: &Subject<'_>) -> Findings {
        let mut findings = Findings::default();
        for (at, (check, signs)) in CHECKS.iter().enumerate() {
            if subject.signs.has_any(*signs) && self.checks >> at & 1 == 1 {
                (check.run)(subject, &mut findings);
            }
        }
        findings
    }

    /// Adds what is found in the URLs in the path, the query and the fragment, and in those in them, each step one
    /// severity lower, except in links of services that lead to the URL in them. A program of a page is run only if the page
    /// opens it, so that it is lower by two where the parameter is not that of a redirect.
    fn add_enclosed(&self, subject: &Subject<'_>, findings: &mut Findings) {
        let urls = enclosed::urls(subject, is_ordinary).into_iter();
        let mut found: Vec<_> = urls.map(|url| Inner::new(url, None)).collect();
        let mut next = 0;
        while let Some(Inner { text, place }) = found.get(next) {
            next += 1;
            let inner = Self { least: raised(self.least, place.steps), base: None, kept: None, ..*self };
            if inner.skips_plain() && plain::is_plain(text) {
                continue;
            }
            let subject = inner.subject(text);
            findings.add_new(inner.findings_of(&subject).enclosed(place));
            if place.depth < DEEPEST {
                let urls = enclosed::urls(&subject, is_ordinary).into_iter();
                let deeper: Vec<_> = urls.map(|url| Inner::new(url, Some(place))).collect();
                found.extend(deeper);
            }
        }
    }
}

/// How many URLs are in each other at most.
const DEEPEST: usize = 2;

/// A URL in the text that is audited.
struct Inner {
    text: String,
    place: Enclosure,
}

impl Inner {
    fn new(url: EnclosedUrl<'_>, around: Option<&Enclosure>) -> Self {
        let EnclosedUrl { text, span, is_exact, is_of_redirect, is_wrapped, component } = url;
        let steps = around.map_or(0, |around| around.steps) + usize::from(!is_wrapped);
        let place = match around {
            None => Enclosure { span, is_exact, is_of_redirect, component, depth: 1, steps },
            Some(around) => Enclosure {
                span: match around.is_exact {
                    true => around.span.start + span.start..around.span.start + span.end,
                    false => around.span.clone(),
                },
                is_exact: is_exact && around.is_exact,
                is_of_redirect,
                component: around.component,
                depth: around.depth + 1,
                steps,
            },
        };
        Self { text: text.into_owned(), place }
    }
}

/// Returns the severity that is so many steps above another; the most serious has none above it.
fn raised(severity: Severity, steps: usize) -> Severity {
    let at = Severity::ALL.iter().position(|one| *one == severity).unwrap_or(0);
    Severity::ALL.get(at + steps).copied().unwrap_or(Severity::High)
}

#[cfg(test)]
mod tests {
    use std::borrow::ToOwned;
    use std::string::String;

    use super::{Auditor, EditionFacts, IN_PLAIN, KNOWN};
    use crate::finding::Severity;
    use crate::plain;
    use locator::edition::{ALL, WITH_OPTIONS};
    use proptest::prelude::*;

    #[test]
    fn facts_of_editions_are_known() {
        for edition in ALL.into_iter().chain(WITH_OPTIONS) {
            assert!(KNOWN.iter().any(|(known, _)| *known == edition), "{edition}");
            assert_eq!(EditionFacts::of(edition), EditionFacts::find(edition), "{edition}");
        }
    }

    /// Makes every check of a plain URL; the codes of what is found are in the list.
    fn assert_known_codes(text: &str) {
        if plain::is_plain(text) {
            for found in Auditor::new().least(Severity::Info).check(text) {
                let is_known = IN_PLAIN.contains(&found.code().name());
                assert!(is_known && found.severity() == Severity::Info, "{text} {found:?}");
            }
        }
    }

    fn plain_url() -> impl Strategy<Value = String> {
        let pieces = [
            "a",
            "Z",
            "9",
            "-",
            ".",
            "_",
            "~",
            "!",
            "$",
            "&",
            "'",
            "(",
            ")",
            "*",
            "+",
            ",",
            ";",
            ":",
            "@",
            "/",
            "?",
            "#",
            "=",
            "q=",
            "/./",
            "bit.ly",
            "t.co",
            "web.archive.org",
            "example",
            "index.html",
            "v1",
            ":8080",
            "//",
        ];
        let piece = prop::sample::select(pieces.to_vec());
        let host = "(https?)://([a-zA-Z0-9-]{1,9}\\.){1,3}(com|org|ly|co|EXAMPLE|io)";
        let host =
            prop_oneof![host, Just("https://bit.ly".to_owned()), Just("http://www.google.com".to_owned())];
        (host, prop::collection::vec(piece, 0..12))
            .prop_map(|(host, pieces)| [host, "/".into(), pieces.concat()].concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]

        #[test]
        fn plain_urls_have_few_codes(url in plain_url()) {
            assert_known_codes(&url);
        }
    }

    #[test]
    fn examples_that_are_plain_have_few_codes() {
        crate::codes().for_each(|code| assert_known_codes(code.example()));
    }
}

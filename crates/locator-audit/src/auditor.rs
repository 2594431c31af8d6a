//! The audit of a text: takes a text, returns the [`Finding`]s of every check that may find something in it.
//!
//! [`audit()`] and [`secrets()`] ask an [`Auditor`], which has the options: the edition, the least severity, the names
//! that no host may imitate, the URL that references are relative to. A plain URL (`plain`) is answered without any
//! check, and a URL within another one (`nested`) is audited, too.
//!
//! ```
//! use locator_audit::{Auditor, Severity};
//!
//! // Only what a program must not pass on.
//! let auditor = Auditor::new().least(Severity::High);
//! assert!(auditor.audit("https://www.example.com/?session=1").is_empty());
//! assert_eq!(auditor.audit("http://0177.0.0.1/admin")[0].code().name(), "disguised-address");
//! ```

use alloc::vec::Vec;

use crate::checks::CHECKS;
use crate::checks::check::{Check, Subject};
use crate::finding::{Finding, Findings, SECRETS, Severity};
use crate::nested;
use crate::plain;
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
    /// Whether no check finds anything in a plain URL, unless [`Severity::Info`] is asked for.
    allows_plain: bool,
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
pub(crate) static ONLY_AT_INFO: [&str; 9] = [
    "empty-label",
    "long",
    "missing-host",
    "name-too-long",
    "near-scheme",
    "not-normal",
    "old-edition",
    "scheme-form",
    "trailing-dot",
];

impl Default for Auditor<'_> {
    fn default() -> Self {
        // RFC 3986 leaves the rules to the documents of the schemes.
        Self {
            edition: edition::DEFAULT,
            has_rules: false,
            allows_plain: true,
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
        let is_its = |rule: &locator::scheme::SchemeRule| rule.edition == edition;
        let has_rules = locator::scheme::ALL.iter().any(|scheme| scheme.rules().iter().any(is_its));
        Self { edition, has_rules, allows_plain: !has_rules && plain::allows_plain(edition), ..self }
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

    /// Returns whether nothing is reported about a plain URL. With a base, it may lead elsewhere.
    #[inline(always)]
    pub(crate) const fn skips_plain(&self) -> bool {
        if self.protected.is_some() {
            return false;
        }
        self.allows_plain && self.base.is_none() && !matches!(self.least, Severity::Info)
    }

    /// Makes every check of the text, and of the URL within it, if there is one.
    #[inline(never)]
    fn check(&self, text: &str) -> Vec<Finding> {
        let mut findings = self.findings_in(text);
        let is_usual =
            text.as_bytes().first_chunk().is_some_and(|start| schemes::after_usual_scheme(start).is_some());
        if !is_usual && let Some(span) = nested::innermost(text) {
            let inner = self.findings_in(text.get(span.clone()).unwrap_or_default()).moved(span.start);
            findings.add_new(inner);
        }
        let mut findings = findings.sorted(self.kept.unwrap_or(self.least));
        if let Some(codes) = self.only {
            findings.retain(|finding| codes.contains(&finding.code().name()));
        }
        findings
    }

    /// Makes every check that the text has a sign of.
    fn findings_in(&self, text: &str) -> Findings {
        let subject = Subject::new(text, self.edition, self.has_rules, self.least);
        let subject = subject.protecting(self.protected);
        let subject = subject.against(self.base);
        let mut findings = Findings::default();
        for (at, (check, signs)) in CHECKS.iter().enumerate() {
            if subject.signs.has_any(*signs) && self.checks >> at & 1 == 1 {
                (check.run)(&subject, &mut findings);
            }
        }
        findings
    }
}

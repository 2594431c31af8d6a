//! Findings: what was found, how serious it is, and where.
//!
//! A [`Code`] is a kind of finding, with what `locator audit --explain` says of it; its name never changes. A
//! [`Finding`] is a code at a position of a text, with a [`Severity`] and a sentence. [`Findings`] collects those of
//! one text, in the order of their positions.
//!
//! ```
//! let text = "ftp://anna:secret@ftp.example/";
//! for finding in locator_audit::audit(text) {
//!     let code = finding.code();
//!     println!("{}: {finding} [{}], bytes {:?}", finding.severity().name(), code.name(), finding.span());
//! }
//! ```

use alloc::borrow::Cow;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::vec::Vec;
use core::fmt::{self, Display, Formatter};
use core::ops::Range;

use locator::Component;

/// The codes of findings whose bytes are a secret.
pub(crate) static SECRETS: [&str; 4] = ["password", "credential", "token", "webhook"];

/// A kind of finding, such as `userinfo-like-host`. Its [`name`](Self::name) never changes.
///
/// ```
/// let code = locator_audit::code("password").expect("there is one");
/// assert!(code.is_secret());
/// assert!(!code.advice().is_empty() && !code.citation().is_empty());
/// ```
#[derive(Debug)]
pub struct Code {
    pub(crate) name: &'static str,
    pub(crate) severity: Severity,
    pub(crate) precision: Precision,
    pub(crate) title: &'static str,
    pub(crate) advice: &'static str,
    pub(crate) citation: &'static str,
    pub(crate) explanation: &'static str,
    pub(crate) example: &'static str,
}

impl Code {
    /// Returns the name: `userinfo-like-host`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the usual severity; a [`Finding`] may have another.
    #[must_use]
    pub const fn severity(&self) -> Severity {
        self.severity
    }

    /// Returns how often a finding of this code is right.
    #[must_use]
    pub const fn precision(&self) -> Precision {
        self.precision
    }

    /// Returns a sentence that says what a finding of this code is.
    #[must_use]
    pub const fn title(&self) -> &'static str {
        self.title
    }

    /// Returns advice on what to do about a finding of this code.
    #[must_use]
    pub const fn advice(&self) -> &'static str {
        self.advice
    }

    /// Returns the document and section: `RFC 3986, 7.6`.
    #[must_use]
    pub const fn citation(&self) -> &'static str {
        self.citation
    }

    /// Returns whether the bytes of a finding of this code are a secret, which must not be shown.
    ///
    /// [`Redacted::hide`](locator::Redacted::hide) hides them.
    #[must_use]
    pub fn is_secret(&self) -> bool {
        SECRETS.contains(&self.name)
    }

    /// Returns a few paragraphs that explain the danger.
    #[must_use]
    pub const fn explanation(&self) -> &'static str {
        self.explanation
    }

    /// Returns an example: a URL with a finding of this code.
    #[must_use]
    pub const fn example(&self) -> &'static str {
        self.example
    }
}

impl Display for Code {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl PartialEq for Code {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Code {}

/// A danger in a text, and its position.
///
/// ```
/// use locator::Component;
///
/// let text = "http://h.example:25/";
/// let finding = &locator_audit::audit(text)[0];
/// assert_eq!(finding.component(), Component::Port);
/// assert_eq!(&text[finding.span()], "25");
/// assert_eq!(finding.to_string(), "port 25 is for smtp, not for http");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    code: &'static Code,
    severity: Severity,
    span: Range<usize>,
    component: Component,
    message: Cow<'static, str>,
    /// Document and section, where they are not those of the code.
    citation: Option<&'static str>,
    /// Whether it is about a URL in the URL.
    is_enclosed: bool,
}

impl Finding {
    /// Creates a finding with the severity and the sentence of its code.
    pub(crate) const fn new(code: &'static Code, component: Component, span: Range<usize>) -> Self {
        let message = Cow::Borrowed(code.title);
        Self { code, severity: code.severity, span, component, message, citation: None, is_enclosed: false }
    }

    /// Sets the severity, where it is not that of the code.
    #[must_use]
    pub(crate) const fn severe(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// Sets a sentence about this text. It must not quote a password.
    #[must_use]
    pub(crate) fn saying(mut self, message: impl Into<Cow<'static, str>>) -> Self {
        self.message = message.into();
        self
    }

    /// Sets the document and section, where they are not those of the code.
    #[must_use]
    pub(crate) const fn citing(mut self, citation: &'static str) -> Self {
        self.citation = Some(citation);
        self
    }

    /// Returns this finding about a URL as one about the URL that contains it; `None` if it is a secret
    /// other than a webhook, which is found in the whole text, or no longer serious.
    fn enclosed(self, around: &Enclosure) -> Option<Self> {
        let severity = match self.code.name {
            // It can be used wherever it is written. Other secrets are found in the whole text.
            "webhook" => self.severity,
            _ if self.code.is_secret() => return None,
            // A server that fetches the URL reaches what its clients do not (CWE-918).
            "metadata-address" | "metadata-name" if around.steps > 0 => {
                self.severity.max(Severity::Medium).lowered(around.steps - 1)?
            }
            "internal-address" | "local-file" if around.steps > 0 => {
                self.severity.lowered(around.steps - 1)?
            }
            // Whether a page runs a program depends on what the parameter is for.
            "code-scheme" if !around.is_of_redirect => self.severity.lowered(around.steps + 1)?,
            _ => self.severity.lowered(around.steps)?,
        };
        let span = match around.is_exact {
            true => around.span.start + self.span.start..around.span.start + self.span.end,
            false => around.span.clone(),
        };
        // The sentence may quote what is hidden in the whole text, so it is shown only of what is written there.
        let said = if around.is_exact { &*self.message } else { self.code.title };
        let message = Cow::Owned(format!("of a URL in the {}: {said}", around.component.name()));
        Some(Self { severity, span, message, component: around.component, is_enclosed: true, ..self })
    }

    /// Returns the code of this finding.
    #[must_use]
    pub const fn code(&self) -> &'static Code {
        self.code
    }

    /// Returns the severity of this finding, which may differ from that of its code.
    #[must_use]
    pub const fn severity(&self) -> Severity {
        self.severity
    }

    /// Returns the bytes of the text that the finding is about.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// Returns the component that contains these bytes.
    #[must_use]
    pub const fn component(&self) -> Component {
        self.component
    }

    /// Returns a sentence about this finding: what is dangerous in the text.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns whether the finding is about a URL in the path, the query or the fragment of the URL.
    ///
    /// ```
    /// let findings = locator_audit::audit("https://h.example.com/?next=http://0177.0.0.1/");
    /// assert!(findings.iter().all(|finding| finding.is_enclosed()));
    /// ```
    #[must_use]
    pub const fn is_enclosed(&self) -> bool {
        self.is_enclosed
    }

    /// Returns the document and section: those of the code, or of the scheme that it is about.
    #[must_use]
    pub const fn citation(&self) -> &'static str {
        match self.citation {
            Some(citation) => citation,
            None => self.code.citation,
        }
    }
}

impl Display for Finding {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// Where a URL is in the text that contains it.
#[derive(Clone, Debug)]
pub(crate) struct Enclosure {
    pub(crate) span: Range<usize>,
    /// Whether it is written there as it is read, so that its positions are those of the text.
    pub(crate) is_exact: bool,
    /// Whether it is the value of a parameter that names the target of a redirect.
    pub(crate) is_of_redirect: bool,
    pub(crate) component: Component,
    /// How many URLs are around it.
    pub(crate) depth: usize,
    /// How many of these may not lead to it: all but the links of services that redirect to what they contain.
    pub(crate) steps: usize,
}

/// The findings so far.
#[derive(Debug, Default)]
pub(crate) struct Findings(Vec<Finding>);

impl Findings {
    pub(crate) fn push(&mut self, finding: Finding) {
        self.0.push(finding);
    }

    /// Appends findings.
    pub(crate) fn extend(&mut self, findings: impl IntoIterator<Item = Finding>) {
        self.0.extend(findings);
    }

    /// Appends a finding, or extends the last one if it has the same code and ends where this begins.
    pub(crate) fn push_or_extend(&mut self, finding: Finding) {
        match self.0.last_mut() {
            Some(last) if last.code == finding.code && last.span.end == finding.span.start => {
                last.span.end = finding.span.end;
                last.severity = last.severity.max(finding.severity);
            }
            _ => self.0.push(finding),
        }
    }

    /// Returns whether there is a finding about the byte that is at least as severe.
    pub(crate) fn are_about(&self, at: usize, severity: Severity) -> bool {
        self.0.iter().any(|finding| finding.span.contains(&at) && finding.severity >= severity)
    }

    /// Returns the bytes of the findings of some codes, in the order in which these were found.
    pub(crate) fn spans_of(&self, codes: &[&Code]) -> Vec<Range<usize>> {
        self.0.iter().filter(|finding| codes.contains(&finding.code)).map(Finding::span).collect()
    }

    /// Returns the findings about a URL as findings about the text that contains it.
    pub(crate) fn enclosed(self, around: &Enclosure) -> Self {
        Self(self.0.into_iter().filter_map(|finding| finding.enclosed(around)).collect())
    }

    /// Moves the findings to the right: those of a part of a text are then those of the text.
    pub(crate) fn moved(mut self, by: usize) -> Self {
        for finding in &mut self.0 {
            finding.span = finding.span.start + by..finding.span.end + by;
        }
        self
    }

    /// Adds the findings that are not there: of another code or about other bytes.
    pub(crate) fn add_new(&mut self, others: Self) {
        let key = |finding: &Finding| (finding.code.name, finding.span.start, finding.span.end);
        let known = self.0.iter().map(key).collect::<BTreeSet<_>>();
        self.0.extend(others.0.into_iter().filter(|finding| !known.contains(&key(finding))));
    }

    /// Returns the findings from left to right; those at one place from the most serious.
    pub(crate) fn sorted(mut self, least: Severity) -> Vec<Finding> {
        self.0.retain(|finding| finding.severity >= least);
        self.0.sort_by(|one, other| (one.span.start, other.severity).cmp(&(other.span.start, one.severity)));
        self.0
    }
}

locator::named! {
    /// The severity of a finding.
    ///
    /// ```
    /// use locator_audit::Severity;
    ///
    /// assert!(Severity::Low < Severity::High);
    /// assert_eq!(Severity::Medium.name(), "medium");
    /// ```
    #[non_exhaustive]
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Severity {
        /// A matter of form: not in normal form, a leading zero in a port.
        Info = "info",
        /// Risky but usual: a password, an internal address, a port of another protocol.
        Low = "low",
        /// Made to fool a person or a list of allowed hosts: a userinfo like a host, an odd IPv4 address.
        Medium = "medium",
        /// Current programs contact different hosts, an address is disguised, code runs, or a credential
        /// is shown.
        High = "high",
    }

    /// Returns the name on the command line and in JSON: `medium`.
    pub const fn name;
}

impl Severity {
    /// All severities, from the least.
    pub const ALL: [Self; 4] = [Self::Info, Self::Low, Self::Medium, Self::High];

    /// Returns the severity that is so many steps below this; `None` if there is none.
    fn lowered(self, steps: usize) -> Option<Self> {
        let at = Self::ALL.iter().position(|one| *one == self)?;
        Self::ALL.get(at.checked_sub(steps)?).copied()
    }
}

locator::named! {
    /// How often a finding of a code is right.
    ///
    /// ```
    /// use locator_audit::Precision;
    ///
    /// let code = locator_audit::code("backslash").expect("there is one");
    /// assert!(code.precision() >= Precision::High);
    /// ```
    #[non_exhaustive]
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Precision {
        /// A guess from names or letters.
        Low = "low",
        /// Right for most URLs.
        Medium = "medium",
        /// Right for nearly every URL.
        High = "high",
        /// A fact about the text.
        VeryHigh = "very-high",
    }

    /// Returns the name in JSON and SARIF: `very-high`.
    pub const fn name;
}

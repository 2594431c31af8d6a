//! A URL with all that its sections ask of it: read once, by every edition and by every program.

use crate::report::{AllEditions, ShownContacts, secrets};
use locator::{Edition, Redacted, UriRef};
use locator_audit::{Auditor, Finding, Readings};

use alloc::vec::Vec;

/// A URL, valid or not.
pub(crate) struct Subject<'a> {
    pub(crate) text: &'a str,
    pub(crate) edition: &'static Edition,
    pub(crate) every: AllEditions<'a>,
    pub(crate) findings: Vec<Finding>,
    pub(crate) readings: Readings,
    /// The URL as `read -e all` shows it: without passwords.
    pub(crate) shown: Redacted<'a>,
    /// The URL as `audit` shows it: without any secret.
    pub(crate) redacted: Redacted<'a>,
    pub(crate) shows_secrets: bool,
}

impl<'a> Subject<'a> {
    pub(crate) fn new(text: &'a str, edition: &'static Edition, shows_secrets: bool) -> Self {
        let every = AllEditions::of(text.as_bytes());
        let findings = Auditor::new().edition(edition).audit(text);
        let spans = findings.iter().filter(|finding| finding.code().is_secret()).map(Finding::span);
        let (shown, redacted) = match shows_secrets {
            true => (Redacted::exact(text), Redacted::exact(text)),
            false => (secrets::in_every_edition(text, &every), secrets::without(text, edition, spans)),
        };
        // White space around a URL delimits it.
        let readings = Readings::new_with(text.trim_matches([' ', '\t', '\n', '\r']), edition, None);
        Self { text, edition, every, findings, readings, shown, redacted, shows_secrets }
    }

    /// Returns the reference by the edition, or by the newest one that accepts the text.
    pub(crate) fn reference(&self) -> Option<UriRef<'a>> {
        let of_edition = self.every.valid().find(|one| one.reference.edition() == self.edition);
        of_edition.or_else(|| self.every.valid().last()).map(|parsed| parsed.reference)
    }

    /// Returns the hosts without what may be a part of a password.
    pub(crate) const fn contacts(&self) -> ShownContacts<'_> {
        ShownContacts::new(&self.redacted).with_secrets(self.shows_secrets)
    }
}

//! A URL with its findings, and without its secrets: the bytes of passwords, credentials and tokens.

use locator::{Edition, Redacted};
use locator_audit::{Argued, Contact, Finding, Host, Readings, Returned, arguments};
use locator_web::report::ShownContacts;

use crate::input::located::{Located, Place};
use crate::report::findings;
use crate::terminal::secrets;

/// A URL with the findings that are reported.
pub(super) struct Audited<'a> {
    pub(super) located: &'a Located<'a>,
    /// Where the URL is: where it was found, or its line in the file that it was read from.
    pub(super) place: Option<&'a Place>,
    pub(super) edition: &'static Edition,
    /// What texts without a scheme refer to, if `--base` says so.
    pub(super) base: Option<&'a Contact>,
    pub(super) findings: &'a [Finding],
    /// The URL with its secrets hidden, whatever is shown.
    pub(super) hidden: &'a Redacted<'a>,
    /// The URL as it is shown.
    pub(super) shown: &'a Redacted<'a>,
}

impl Audited<'_> {
    pub(super) fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter()
    }

    /// Returns whether the URL is in a file that an editor can open.
    pub(super) fn is_in_file(&self) -> bool {
        self.located.file().is_some() || self.located.input.is_in_file()
    }

    /// Returns what each reader contacts. White space around the URL delimits it.
    pub(super) fn readings(&self) -> Readings {
        Readings::new_with(self.text(), self.edition, self.base)
    }

    /// Returns what programs do with the text as their argument, if it has no scheme that they know.
    pub(super) fn arguments(&self) -> Vec<Argued> {
        arguments(self.text())
    }

    fn text(&self) -> &str {
        self.located.text().trim_matches([' ', '\t', '\n', '\r'])
    }

    /// Returns a host as it is shown: hidden if it is rather a part of a password.
    pub(super) fn host(&self, host: &Host) -> String {
        self.contacts().host(host)
    }

    /// Returns a host that a reader returns as it is shown.
    pub(super) fn returned(&self, found: &Returned<'_>) -> String {
        self.contacts().returned(found)
    }

    /// Returns a contact as it is shown: `https://host:443`.
    pub(super) fn contact(&self, contact: &Contact) -> String {
        self.contacts().contact(contact)
    }

    fn contacts(&self) -> ShownContacts<'_> {
        ShownContacts::new(self.shown).with_secrets(secrets::are_shown())
    }

    /// Returns what a finding is about: the sentence, or of what is not valid the error.
    pub(super) fn fact(&self, finding: &Finding) -> String {
        findings::fact(finding, self.edition, self.shown).into_owned()
    }

    /// Returns the sentence of a finding, without hidden text.
    pub(super) fn message<'f>(&self, finding: &'f Finding) -> &'f str {
        findings::message(finding, self.shown)
    }
}

//! What a check is, and what it is given.

use core::ops::Deref;

use crate::divided::Divided;
use crate::finding::{Code, Findings, Severity};
use crate::plain::ordinary::{self, Signs};
use crate::protected::Protected;
use crate::readers::Contact;
use crate::schemes;
use locator::{Component, Edition};

/// A check, and the codes of all findings that it can make.
pub(crate) struct Check {
    pub(crate) codes: &'static [&'static Code],
    pub(crate) run: fn(&Subject<'_>, &mut Findings),
}

/// A part of the text that is audited, with its position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Excerpt<'a> {
    pub(crate) text: &'a str,
    /// Where it begins in the whole text, in bytes.
    pub(crate) start: usize,
}

/// The text that is audited, and what is asked about it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subject<'a> {
    divided: Divided<'a>,
    /// The least severity that is asked for: checks of less need not run.
    pub(crate) least: Severity,
    /// Whether the edition has rules for schemes.
    pub(crate) has_rules: bool,
    /// What the text has that checks look for.
    pub(crate) signs: Signs,
    /// The names that the host must not imitate.
    pub(crate) protected: Option<&'a Protected>,
    /// What texts without a scheme refer to, if it was set.
    pub(crate) base: Option<&'a Contact>,
}

impl<'a> Subject<'a> {
    /// Divides the text by an edition.
    pub(crate) fn new(text: &'a str, edition: &'static Edition, has_rules: bool, least: Severity) -> Self {
        let divided = Divided::new(text, edition);
        let signs = ordinary::signs(divided.text.as_bytes());
        Self { divided, least, has_rules, signs, protected: None, base: None }
    }

    /// Sets what texts without a scheme refer to.
    pub(crate) const fn against(self, base: Option<&'a Contact>) -> Self {
        Self { base, ..self }
    }

    /// Sets the names that the host must not imitate.
    pub(crate) const fn protecting(self, protected: Option<&'a Protected>) -> Self {
        Self { protected, ..self }
    }

    /// Returns the host, if it is not empty and a client of the scheme connects to
    /// it; a reference without a scheme has that of its base. The host of a file is contacted by
    /// Java, which speaks FTP with it, and by Windows.
    pub(crate) fn dialled_host(&self) -> Option<Excerpt<'a>> {
        let host = self.get(Component::Host).filter(|host| !host.is_empty())?;
        let scheme = self.scheme();
        // A word is nearly always the first directory of a path after too few slashes.
        let is_of_file = host.contains(['.', ':']);
        let is_dialled = match schemes::names_file(scheme) {
            true => is_of_file,
            false => scheme.is_empty() || schemes::connects_to_host(scheme),
        };
        is_dialled.then_some(Excerpt { text: host, start: self.span(Component::Host)?.start })
    }
}

impl<'a> Deref for Subject<'a> {
    type Target = Divided<'a>;

    fn deref(&self) -> &Divided<'a> {
        &self.divided
    }
}

//! The mail program of the user: takes the draft of a mailto URL, returns the command that shows it. The
//! program gets a mailto URL of its own as its last argument, which contains only what the draft does, so
//! that nothing of the given URL is read in another way than it was here. Follows RFC 6068, section 2.

use locator::plan::Draft;
use locator_fetch::run::FailureKind;

/// The program that mail is written with.
#[derive(Debug)]
pub(super) struct Mailer {
    /// The program and its first arguments, if the user chose them.
    words: Option<Vec<String>>,
}

/// The program that starts the one of the desktop.
const USUAL: &str = if cfg!(target_os = "macos") { "open" } else { "xdg-email" };

impl Mailer {
    pub(super) const fn new(words: Option<Vec<String>>) -> Self {
        Self { words }
    }

    /// Returns the words of the command for a draft.
    pub(super) fn command(&self, draft: &Draft) -> Result<Vec<String>, FailureKind> {
        if self.words.is_none() && has_quote(draft) {
            // For some programs xdg-email writes to='…',body='…' without escapes: a "'" in a value could
            // attach a file.
            let why = format!(
                "the draft contains a \"'\", which {USUAL} may pass on as the end of a value; choose a mail \
                 program with --program mailto=COMMAND"
            );
            return Err(FailureKind::Forbidden(why.as_str().into()));
        }
        let mut words = self.words.clone().unwrap_or_else(|| vec![USUAL.into()]);
        words.push(draft.to_url());
        Ok(words)
    }
}

fn has_quote(draft: &Draft) -> bool {
    let values = draft.fields.iter().map(|(_, value)| value);
    draft.to.iter().chain(values).chain([&draft.body]).any(|value| value.contains(&b'\''))
}

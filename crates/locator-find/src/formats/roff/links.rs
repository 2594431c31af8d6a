//! The link macros of roff. Finds the links in the arguments of a macro. Follows groff_man(7) for
//! `.UR` and `.MT`, groff_www(7) for `.URL`, `.FTP` and `.MTO`, and mdoc(7) for `.Lk`, `.Mt` and
//! `.%U`, which may also follow other macros in their line.

use locator::scheme::MailtoParts;

use super::arguments::Argument;
use super::reader::{Reader, UNKNOWN};
use crate::link::Context;
use crate::search::decoder::Text;

/// The arguments of a macro that are links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    /// The first argument is a URL.
    Url,
    /// The first argument is an e-mail address.
    Address,
    /// All arguments are e-mail addresses.
    Addresses,
}

/// The macros by name: those of man and www, which are recognised only at the start of a line, and
/// those of mdoc.
const MACROS: [(&str, Target); 8] = [
    ("UR", Target::Url),
    ("URL", Target::Url),
    ("FTP", Target::Url),
    ("MT", Target::Address),
    ("MTO", Target::Address),
    ("Lk", Target::Url),
    ("Mt", Target::Addresses),
    ("%U", Target::Url),
];

/// Appends the links and the text of a line, if its macro may make links.
pub(super) fn emit(
    reader: &mut Reader,
    name: &[u8],
    (line, at): (&[u8], usize),
    arguments: &[Argument],
    text: &mut Text,
) -> bool {
    if known(name).is_none() && !is_of_mdoc(name) {
        return false;
    }
    let mut target = known(name);
    let mut joins = true;
    for argument in arguments {
        let written = &line[argument.start..argument.end];
        if is_of_mdoc(name) && !argument.is_quoted && is_of_mdoc(written) {
            // "Ns" omits white space: the output of a macro after it, mostly a word, belongs to the
            // previous word.
            match (known(written), written) {
                (Some(other), _) => {
                    target = Some(other);
                    text.gap(at + argument.start, 0);
                    continue;
                }
                (None, b"Ns") => {
                    joins = true;
                    continue;
                }
                (None, _) if joins => {
                    text.put(UNKNOWN, at + argument.start, 0);
                    continue;
                }
                (None, _) => {}
            }
        }
        if let Some((macro_name, of)) = target {
            let is_link = link(reader, macro_name, of, (line, at), argument, text);
            if !is_link || of != Target::Addresses {
                target = None;
            }
            if is_link {
                continue;
            }
        }
        if !joins {
            text.put(b" ", at + argument.start, 0);
        }
        joins = false;
        reader.argument(line, at, argument, text);
    }
    true
}

fn known(name: &[u8]) -> Option<(&'static str, Target)> {
    MACROS.into_iter().find(|(known, _)| known.as_bytes() == name)
}

/// Returns whether a name has the form of mdoc: an upper-case and a lower-case letter.
fn is_of_mdoc(name: &[u8]) -> bool {
    name == b"%U"
        || matches!(name, [first, second] if first.is_ascii_uppercase() && second.is_ascii_lowercase())
        || name == b"Brq"
}

/// Adds the link of an argument, if it is one.
fn link(
    reader: &mut Reader,
    name: &'static str,
    target: Target,
    (line, at): (&[u8], usize),
    argument: &Argument,
    text: &mut Text,
) -> bool {
    let mut alone = Text::default();
    reader.argument(line, at, argument, &mut alone);
    let Ok(meant) = str::from_utf8(alone.octets()) else { return false };
    // Older pages have the brackets in the argument.
    let inner = meant.trim().trim_start_matches('<').trim_end_matches('>');
    let start = meant.find(inner).unwrap_or(0);
    // An unknown value makes it a template.
    if inner.is_empty() || inner.contains(['{', '\u{1F}']) {
        return false;
    }
    let url = match target {
        // Some pages have a bare address there, which is not a useful reference.
        Target::Url if !inner.contains([':', '/', '?', '#']) && inner.contains('@') => mailto(inner),
        Target::Url => Some(inner.to_owned()),
        Target::Address | Target::Addresses => mailto(inner),
    };
    let Some(url) = url else { return false };
    text.gap(at + argument.start, 0);
    text.link(alone.source_of(start..start + inner.len()), url, Context::Macro(name));
    text.gap(at + argument.end, 0);
    true
}

/// Returns the URL of an address.
fn mailto(address: &str) -> Option<String> {
    if address.get(..7).is_some_and(|scheme| scheme.eq_ignore_ascii_case("mailto:")) {
        return Some(address.to_owned());
    }
    let (local, domain) = address.rsplit_once('@')?;
    if local.is_empty() || domain.is_empty() || address.contains(char::is_whitespace) {
        return None;
    }
    let parts = MailtoParts::new(address);
    parts.build().ok().map(|url| url.as_str().to_owned())
}

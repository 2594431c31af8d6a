//! Arguments in braces, as TeX and Texinfo have them, that are URLs as a whole. Takes the octets from
//! the opening brace on and returns where the argument ends.

use locator::scheme;

/// The end of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Argument {
    /// The closing brace is at this offset.
    To(usize),
    /// It is not closed before an empty line.
    Open,
    /// More octets are needed.
    Incomplete,
}

/// The length of the longest argument.
const LONGEST: usize = 4 << 10;

/// Returns the end of the argument that begins with a brace. The octet after `escape` is no brace.
pub(crate) fn argument(octets: &[u8], escape: u8, is_all: bool) -> Argument {
    let (mut depth, mut is_empty_line) = (0_usize, false);
    let mut at = 0;
    while let Some(octet) = octets.get(at).filter(|_| at < LONGEST) {
        match *octet {
            octet if octet == escape => at += 1,
            b'{' => depth += 1,
            b'}' if depth <= 1 => return Argument::To(at),
            b'}' => depth -= 1,
            b'\n' if is_empty_line => return Argument::Open,
            _ => {}
        }
        is_empty_line = *octet == b'\n' || is_empty_line && matches!(octet, b' ' | b'\t' | b'\r');
        at += 1;
    }
    if is_all || at >= LONGEST { Argument::Open } else { Argument::Incomplete }
}

/// Returns whether a text begins with a scheme and "//", or with the name of a known scheme.
pub(crate) fn has_scheme(octets: &[u8]) -> bool {
    let octets = octets.trim_ascii_start();
    let is_name = |octet: &&u8| octet.is_ascii_alphanumeric() || b"+-.".contains(octet);
    let length = octets.iter().take(64).take_while(is_name).count();
    let name = str::from_utf8(&octets[..length]).unwrap_or_default();
    let after = &octets[length..];
    name.starts_with(|first: char| first.is_ascii_alphabetic())
        && (after.starts_with(b"://") || after.starts_with(b":") && scheme::lookup(name).is_some())
}

//! Reads names of newsgroups: takes the cursor before a name, returns the cursor after it. Follows
//! `group` of the three grammars, and RFC 5538 in later editions.

use crate::component::SpannedStr;
use crate::error::ParseError;
use crate::scheme::syntax::terminals::{BNF_1993, BNF_1994};
use crate::scheme::{Reader, Terminal};
use crate::simd::AsciiSet;
use crate::span::Span;

// group = ialpha-nodot *( "." name-part )
// ialpha-nodot = ALPHA *( ALPHA / DIGIT / "-" / "_" / "+" )
// name-part = 1*( ALPHA / DIGIT / "-" / "_" / "+" )
pub(super) fn take_group_1993(reader: &mut Reader<'_>, stops: &[u8]) -> Result<(), ParseError> {
    let end = reader.find(stops);
    take_words(reader, end, &FIRST_1993, &WORD_1993)
}

static FIRST_1993: Terminal =
    Terminal::new(AsciiSet::ALPHA, "group", BNF_1993, "a letter at the beginning of a group");

static WORD_1993: Terminal = Terminal::new(
    WORD,
    "group",
    BNF_1993,
    "words of letters, digits, \"-\", \"_\" or \"+\", divided by \".\"",
);

// group = ialpha-name *( "." name-part )
// ialpha-name = ALPHA *( ALPHA / DIGIT / "-" / "_" / "+" )
// name-part = 1*( ALPHA / DIGIT / "-" / "_" / "+" )
pub(super) fn take_group_1994(reader: &mut Reader<'_>, stops: &[u8]) -> Result<(), ParseError> {
    let end = reader.find(stops);
    take_words(reader, end, &FIRST_1994, &WORD_1994)
}

static FIRST_1994: Terminal =
    Terminal::new(AsciiSet::ALPHA, "group", BNF_1994, "a letter at the beginning of a group");

static WORD_1994: Terminal = Terminal::new(
    WORD,
    "group",
    BNF_1994,
    "words of letters, digits, \"-\", \"_\" or \"+\", divided by \".\"",
);

const WORD: AsciiSet = AsciiSet::ALPHA.union(AsciiSet::DIGIT).union(AsciiSet::of(b"-_+"));

/// Reads words up to an offset, divided by ".". No word is empty; the first begins with a letter.
fn take_words(
    reader: &mut Reader<'_>,
    end: usize,
    first: &'static Terminal,
    others: &'static Terminal,
) -> Result<(), ParseError> {
    reader.take_one(first)?;
    reader.take_to(others, end.min(reader.find(b".")))?;
    while reader.offset() < end && reader.skip(".") {
        reader.take_some_to(others, end.min(reader.find(b".")))?;
    }
    Ok(())
}

// group = ALPHA *( ALPHA / DIGIT / "-" / "." / "+" / "_" )
pub(super) fn take_group_1738(reader: &mut Reader<'_>, stops: &[u8]) -> Result<(), ParseError> {
    let end = reader.find(stops);
    reader.take_one(&FIRST_1738)?;
    reader.take_to(&GROUP_1738, end)?;
    Ok(())
}

static FIRST_1738: Terminal =
    Terminal::new(AsciiSet::ALPHA, "group", "3.6", "a letter at the beginning of a group");

static GROUP_1738: Terminal = Terminal::new(
    WORD.union(AsciiSet::of(b".")),
    "group",
    "3.6",
    "a letter, then letters, digits, \"-\", \".\", \"+\" or \"_\"",
);

// group-char = ALPHA / DIGIT / "-" / "+" / "_" / "."
pub(super) const GROUP_CHAR: AsciiSet = WORD.union(AsciiSet::of(b"."));

/// Checks a name by RFC 5538, section 2.2, in the editions that leave schemes to other documents.
/// Other characters must be escaped. The error is at the first octet that is not allowed and not in
/// `more`.
pub(super) fn is_group(name: SpannedStr<'_>, more: &str) -> Result<(), Span> {
    let is_allowed = |octet: u8| GROUP_CHAR.contains(octet) || octet == b'%' || octet >= 0x80;
    let wrong =
        name.as_str().bytes().position(|octet| !is_allowed(octet) && !more.as_bytes().contains(&octet));
    let found = wrong.and_then(|index| name.split_at(index, 0)).and_then(|(_, rest)| rest.octets().next());
    found.map_or(Ok(()), |(_, span)| Err(span))
}

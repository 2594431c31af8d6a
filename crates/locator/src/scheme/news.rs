//! news: what follows the scheme enters, the first octet that breaks the edition's rule for it
//! leaves. Follows "News" of the draft of 1993, the draft of 1994, and RFC 1738, section 3.6.

use super::group::{take_group_1738, take_group_1993, take_group_1994};
use super::piece::{BNF_1993, BNF_1994};
use super::{Piece, Reader, Scheme, SchemeRule};
use crate::edition::{RFC1738, Rule, URL_1993, URL_1994, rfc1738, url_1993, url_1994};
use crate::error::Error;
use crate::octet::Set;
use crate::plan::Form;

/// Newsgroups and articles, wherever they are held.
#[derive(Debug)]
pub(super) struct News;

impl Scheme for News {
    fn names(&self) -> &'static [&'static str] {
        &["news"]
    }

    fn object(&self) -> &'static str {
        "a newsgroup, an article, all groups"
    }

    fn form(&self) -> Form {
        Form { text: "news:[//host[:port]/](*|group|message-id)", see: "RFC 5538, 2" }
    }

    fn rules(&self) -> &'static [SchemeRule] {
        &RULES
    }
}

const FORM: &str = "the form news:*, news:group or news:article@host";

static RULES: [SchemeRule; 3] = [
    SchemeRule {
        edition: &URL_1993,
        rule: &Rule { name: "newsaddress", section: BNF_1993, expects: FORM },
        check: check_1993,
    },
    SchemeRule {
        edition: &URL_1994,
        rule: &Rule { name: "newsaddress", section: BNF_1994, expects: FORM },
        check: check_1994,
    },
    SchemeRule {
        edition: &RFC1738,
        rule: &Rule { name: "newsurl", section: "3.6", expects: FORM },
        check: check_1738,
    },
];

// newsaddress = "news:" groupart; article = 1*xalpha "@" host    ; the last "@" divides
fn check_1993(reader: &mut Reader<'_>) -> Result<(), Error> {
    check_groupart(reader, take_group_1993, (&ARTICLE_1993, reader.find_last(b'@')))
}

static ARTICLE_1993: Piece = Piece::new(
    url_1993::XALPHA,
    "article",
    BNF_1993,
    "letters, digits, escapes or any of $-_@.&!*\"'():;,, at least one",
);

// newsaddress = "news:" groupart; article = 1*xalpha "@" host    ; the last "@" divides
fn check_1994(reader: &mut Reader<'_>) -> Result<(), Error> {
    check_groupart(reader, take_group_1994, (&ARTICLE_1994, reader.find_last(b'@')))
}

static ARTICLE_1994: Piece = Piece::new(
    url_1994::XALPHA,
    "article",
    BNF_1994,
    "letters, digits, escapes or any of $-_@.&+!*\"'(),, at least one",
);

// newsurl = "news:" grouppart
// article = 1*( uchar / ";" / "/" / "?" / ":" / "&" / "=" ) "@" host
fn check_1738(reader: &mut Reader<'_>) -> Result<(), Error> {
    check_groupart(reader, take_group_1738, (&ARTICLE_1738, reader.find(b"@")))
}

static ARTICLE_1738: Piece = Piece::new(
    rfc1738::UCHAR.or(Set::of(b";/?:&=")),
    "article",
    "3.6",
    "letters, digits, escapes or any of $-_.+!*'(),;/?:&=, at least one",
);

type TakeGroup = fn(&mut Reader<'_>, &[u8]) -> Result<(), Error>;

// groupart = "*" / group / article
fn check_groupart(
    reader: &mut Reader<'_>,
    take_group: TakeGroup,
    (article, at): (&'static Piece, usize),
) -> Result<(), Error> {
    let end = reader.end();
    if at < end {
        reader.take_some_to(article, at)?;
        reader.expect("@")?;
        reader.take_host(end)?;
        return Ok(());
    }
    if reader.is_at_end() {
        return reader.expect("*");
    }
    if reader.skip("*") { Ok(()) } else { take_group(reader, b"") }
}

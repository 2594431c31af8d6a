//! mid and cid, a message and a part of one: what follows the scheme enters, the first octet
//! that breaks the rule leaves. Follows the draft of 1994; no other edition has them.

use super::piece::{BNF_1994, XALPHA_1994};
use super::{Reader, Scheme, SchemeRule};
use crate::edition::{Rule, URL_1994};
use crate::error::Error;
use crate::plan::Form;

/// Messages, by their identifiers.
#[derive(Debug)]
pub(super) struct Mid;

impl Scheme for Mid {
    fn names(&self) -> &'static [&'static str] {
        &["mid"]
    }

    fn object(&self) -> &'static str {
        "a message, or a part of one"
    }

    fn form(&self) -> Form {
        Form { text: "mid:message-id[/content-id]", see: "RFC 2392, 2" }
    }

    fn rules(&self) -> &'static [SchemeRule] {
        &MID_RULES
    }
}

/// Parts of messages, by their identifiers.
#[derive(Debug)]
pub(super) struct Cid;

impl Scheme for Cid {
    fn names(&self) -> &'static [&'static str] {
        &["cid"]
    }

    fn object(&self) -> &'static str {
        "a part of a message"
    }

    fn form(&self) -> Form {
        Form { text: "cid:content-id", see: "RFC 2392, 2" }
    }

    fn rules(&self) -> &'static [SchemeRule] {
        &CID_RULES
    }
}

// midaddress = "mid:" addr-spec
static MID_RULES: [SchemeRule; 1] = [SchemeRule {
    edition: &URL_1994,
    rule: &Rule { name: "midaddress", section: BNF_1994, expects: "the form mid:name@domain" },
    check: check_addr_spec,
}];

// cidaddress = "cid:" addr-spec
static CID_RULES: [SchemeRule; 1] = [SchemeRule {
    edition: &URL_1994,
    rule: &Rule { name: "cidaddress", section: BNF_1994, expects: "the form cid:name@domain" },
    check: check_addr_spec,
}];

// addr-spec = 1*xalpha "@" 1*xalpha    ; the last "@" divides
// "@" is in xalpha too, so an "@" that stands last belongs to the domain.
fn check_addr_spec(reader: &mut Reader<'_>) -> Result<(), Error> {
    let before_last = reader.rest().split_last().map_or(&[][..], |(_, before)| before);
    let divides = before_last.iter().rposition(|octet| *octet == b'@');
    let end = divides.map_or_else(|| reader.end(), |index| reader.offset() + index);
    reader.take_some_to(&XALPHA_1994, end)?;
    reader.expect("@")?;
    reader.take_some(&XALPHA_1994, b"")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::edition::URL_1994;
    use crate::reference::UriRef;
    use crate::scheme::check;

    #[test]
    fn an_at_sign_divides_if_something_stands_on_both_sides() {
        for (text, valid) in [("mid:a@b", true), ("mid:a@@", true), ("mid:@@a", true), ("cid:a@b@", true)]
            .into_iter()
            .chain([("mid:a@", false), ("mid:@a", false), ("mid:@@", false), ("mid:@", false)])
        {
            let reference = UriRef::parse_by(text, &URL_1994).expect(text);
            assert_eq!(check(reference).map(|result| result.is_ok()), Some(valid), "{text}");
        }
    }
}

//! The plan of a mailto URL: takes a URL, returns the draft of a message, without the header fields
//! that are not safe. Follows RFC 6068.

use alloc::vec::Vec;

use super::{MailtoUrl, Values};
use crate::component::SpannedStr;
use crate::plan::{Draft, Local, Note, Plan, PlanError, Protocol, ReplyFraming, check_count};
use crate::simd::AsciiSet;

/// The most addresses and header fields of a draft.
const MOST_VALUES: usize = 10_000;

/// The remark on "%2C" in an address: it divides two addresses in RFC 2368, 5, and is part of one
/// in RFC 6068, 2.
const ONE_ADDRESS: &str =
    "an address holds an escaped \",\" and is one by RFC 6068, 2; writers by RFC 2368 meant several";

impl<'a> MailtoUrl<'a> {
    pub(super) fn plan(&self) -> Result<Plan, PlanError> {
        check_count(self.recipients_and_names(), "addresses and header fields", MOST_VALUES)?;
        let address = |address: SpannedStr<'_>| MAIL.bytes_of("the address", address);
        let mut draft =
            Draft { to: self.addresses().map(address).collect::<Result<_, _>>()?, ..Draft::default() };
        for (name, value) in self.headers() {
            let field = FIELD_NAME.bytes_of("the name of a header field", name)?;
            let is = |known: &str| field.eq_ignore_ascii_case(known.as_bytes());
            if is("to") {
                draft.to.extend(Values::of(Some(value), ",").map(address).collect::<Result<Vec<_>, _>>()?);
            } else if is("body") {
                if !draft.body.is_empty() {
                    draft.body.extend_from_slice(b"\r\n");
                }
                draft.body.extend(MAIL.text_of("the body", value)?);
            } else if HARMLESS.iter().any(|known| is(known)) {
                let value = MAIL.bytes_of("the header field", value)?;
                draft.fields.push((field, value));
            } else {
                draft.dropped.push(field);
            }
        }
        let remark = draft.to.iter().any(|address| has_bare_comma(address)).then_some(ONE_ADDRESS);
        let plan = Plan::new().then(Local::Draft(draft));
        Ok(match remark.filter(|_| !self.one) {
            Some(text) => plan.note(Note::new("comma-in-address", text)),
            None => plan,
        })
    }

    /// Returns the addresses from all places, and the names of the header fields.
    fn recipients_and_names(&self) -> impl Iterator<Item = SpannedStr<'a>> {
        let of_field = |(name, value): (SpannedStr<'a>, _)| {
            let addresses = Some(value).filter(|_| name.decode().eq_ignore_ascii_case(b"to"));
            core::iter::once(name).chain(Values::of(addresses, ","))
        };
        self.addresses().chain(self.headers().flat_map(of_field))
    }
}

/// Returns whether an address contains a "," outside quotes, which RFC 5322 does not allow.
fn has_bare_comma(address: &[u8]) -> bool {
    let mut is_quoted = false;
    let mut octets = address.iter();
    while let Some(octet) = octets.next() {
        match octet {
            b'"' => is_quoted = !is_quoted,
            b'\\' => drop(octets.next()),
            b',' if !is_quoted => return true,
            _ => {}
        }
    }
    false
}

/// "Only a limited set of header fields such as Subject and Keywords, as well as Body, are believed
/// to be both safe and useful in the general case" (RFC 6068, 4); Cc and In-Reply-To are in its
/// examples. Fields of origin, trace fields and MIME fields "MUST be ignored" (3); a Bcc hides
/// other recipients.
const HARMLESS: [&str; 4] = ["cc", "subject", "keywords", "in-reply-to"];

static MAIL: Protocol = Protocol {
    name: "a mail program",
    delimiters: AsciiSet::EMPTY,
    line_end: b"\r\n",
    citation: "RFC 6068, 5",
    replies: ReplyFraming::None,
    meanings: &[],
};

static FIELD_NAME: Protocol = Protocol {
    name: "a mail program",
    delimiters: AsciiSet::of(b": \t"),
    line_end: b"\r\n",
    citation: "RFC 5322, 2.2",
    replies: ReplyFraming::None,
    meanings: &[],
};

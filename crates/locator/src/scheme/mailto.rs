//! The mailto scheme: takes a URL, returns the first octet that breaks the edition's rule for it,
//! or its parts; `plan` has the draft of a message. Follows the draft of 1994 and RFC 1738, section 3.5, where
//! it is one address, and RFC 6068 in the editions that leave schemes to other documents.

#[cfg(feature = "plan")]
mod plan;

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::cursor::{BNF_1994, XALPHA_1994, is_addr_spec};
use super::field::{NamedValues, Values};
use super::parts::{Field, Fields, Part, Parts, Shape, builder};
use super::{Equivalences, Reader, Scheme, SchemeRule, Terminal, if_ruled, rule_of, without_authority};
use crate::build::Value;
use crate::component::SpannedStr;
use crate::edition::{Edition, RFC1738, Rule, URL_1994, rfc1738};
use crate::error::ParseError;
use crate::form::{Syntax, SyntaxError};
#[cfg(feature = "plan")]
use crate::plan::{Options, Plan, PlanError};
use crate::reference::UriRef;
use crate::simd::AsciiSet;
use crate::span::Component;

/// Returns whether URLs of the scheme are an e-mail address after its ":".
#[cfg(feature = "text")]
pub(crate) fn names_mailbox(scheme: &str) -> bool {
    scheme.eq_ignore_ascii_case("mailto")
}

/// The scheme of addresses of electronic mail.
#[derive(Debug)]
pub(super) struct Mailto;

impl Scheme for Mailto {
    fn names(&self) -> &'static [&'static str] {
        &["mailto"]
    }

    fn object(&self) -> &'static str {
        "an address; nothing is retrieved"
    }

    fn form(&self) -> Syntax {
        Syntax { text: "mailto:[address[,address]…][?name=value[&name=value]…]", citation: "RFC 6068, 2" }
    }

    // mailtoURI = "mailto:" [ to ] [ hfields ]: the URL needs an address or a header field
    fn is_evident(&self, rest: &[u8]) -> bool {
        is_addr_spec(rest) || rest.first() == Some(&b'?') && rest.contains(&b'=')
    }

    fn rules(&self) -> &'static [SchemeRule] {
        &RULES
    }
}

impl Equivalences for Mailto {
    // "mailto:Joe@Example.COM" is equivalent to "mailto:Joe@example.com" (RFC 3986, 6.2.3).
    fn normal_path<'a>(&self, path: &'a str, reference: UriRef<'_>) -> Cow<'a, str> {
        // "," divides addresses if the edition has no rule; such a rule allows only one address.
        let divided = if rule_of(self, reference.edition()).is_some() { "\0" } else { "," };
        if !path.bytes().any(|octet| octet.is_ascii_uppercase()) || is_obscure(path) {
            return Cow::Borrowed(path);
        }
        Cow::Owned(path.split(divided).map(normal_address).collect::<Vec<_>>().join(","))
    }

    // "<hfname> is case-insensitive, but <hfvalue> in general is case-sensitive" (RFC 6068, 2).
    fn normal_query<'a>(&self, query: &'a str, reference: UriRef<'_>) -> Cow<'a, str> {
        if rule_of(self, reference.edition()).is_some() {
            return Cow::Borrowed(query);
        }
        let fields = query.split('&').map(|field| match field.split_once('=') {
            Some((name, value)) if !name.contains('%') => [&name.to_ascii_lowercase(), "=", value].concat(),
            _ => String::from(field),
        });
        Cow::Owned(fields.collect::<Vec<_>>().join("&"))
    }

    // "<mailto:addr1@an.example,addr2@an.example> is equivalent to
    // <mailto:?to=addr1@an.example,addr2@an.example> is equivalent to
    // <mailto:addr1@an.example?to=addr2@an.example>" (RFC 6068, 2). The normal form does not move
    // addresses, since "some existing clients ignore "to" <hfvalue>s".
    fn compared_form(&self, reference: UriRef<'_>) -> Option<String> {
        let url = MailtoUrl::of(reference).ok().filter(|url| !url.is_address_alone())?;
        let Headers { recipients, others } = url.compared_headers();
        let to = (!recipients.is_empty()).then(|| alloc::format!("to={}", recipients.join(",")));
        let fields: Vec<_> = to.as_deref().into_iter().chain(others).collect();
        let divider = if fields.is_empty() { "" } else { "?" };
        Some(alloc::format!("mailto:{divider}{}", fields.join("&")))
    }

    // "There are no reserved characters" (RFC 1738, 3.5).
    fn unreserved(&self, part: Component, reference: UriRef<'_>) -> AsciiSet {
        if part == Component::Path { if_ruled(self, reference, b";/?:@&=") } else { AsciiSet::EMPTY }
    }

    // "/" is an ordinary character of addresses.
    fn is_hierarchical(&self) -> bool {
        false
    }

    // "," divides addresses, "&" and "=" header fields, "@" a name from its host (RFC 6068, 2).
    fn reserved(&self) -> AsciiSet {
        AsciiSet::of(b",?&=@")
    }

    // A URL is one address, and "there are no reserved characters" (RFC 1738, 3.5). Without a rule, an
    // address is decoded as a whole, so an escaped "@" is one that divides it; "&" and "=" divide nothing
    // without header fields.
    fn undivided(&self, reference: UriRef<'_>) -> AsciiSet {
        match rule_of(self, reference.edition()) {
            Some(_) => self.reserved(),
            None if reference.as_str().contains('?') => AsciiSet::of(b":@"),
            None => AsciiSet::of(b":@&="),
        }
    }
}

impl super::Divide for Mailto {
    fn fields<'a>(&self, reference: UriRef<'a>) -> Result<Vec<Field<'a>>, SyntaxError> {
        let url = MailtoUrl::of(reference)?;
        let fields = Fields::default().many("addresses", url.addresses());
        Ok(if url.is_address_alone() { fields } else { fields.pairs("headers", url.headers()) }.end())
    }

    fn parts(&self, edition: &Edition) -> &'static [Part] {
        if rule_of(self, edition).is_some() { &PARTS[..1] } else { &PARTS }
    }
}

#[cfg(feature = "plan")]
impl super::Planner for Mailto {
    fn plan(&self, reference: UriRef<'_>, _: &Options<'_>) -> Result<Plan, PlanError> {
        MailtoUrl::of(reference)?.plan()
    }
}

/// A view of a mailto URL as addresses and header fields.
///
/// ```
/// use locator::scheme::MailtoUrl;
///
/// let url = MailtoUrl::of(locator::uri_ref!(
///     "mailto:a%25b@h.dom,c@h.dom?subject=a%20b&body=x"
/// ))
/// .unwrap();
/// let addresses: Vec<_> =
///     url.addresses().map(|address| address.decode().into_owned()).collect();
/// assert_eq!(addresses, [&b"a%b@h.dom"[..], b"c@h.dom"]);
/// let (name, value) = url.headers().next().unwrap();
/// assert_eq!((name.as_str(), value.decode().as_ref()), ("subject", &b"a b"[..]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MailtoUrl<'a> {
    url: UriRef<'a>,
    /// `to`: the addresses, divided by ",".
    pub to: SpannedStr<'a>,
    /// `hfields`: the header fields after "?".
    pub hfields: Option<SpannedStr<'a>>,
    one: bool,
}

impl<'a> MailtoUrl<'a> {
    /// Parses a reference as a URL of this scheme, like `try_from`.
    ///
    /// # Errors
    ///
    /// The reference is of another scheme, breaks the rule of its edition, or has a header field
    /// without "=".
    pub fn of(reference: UriRef<'a>) -> Result<Self, SyntaxError> {
        let rest = without_authority(&Mailto, reference)?;
        // "There are no reserved characters" if an edition has a rule: the whole text is one
        // address.
        if rule_of(&Mailto, reference.edition()).is_some() {
            return Ok(Self { url: reference, to: rest, hfields: None, one: true });
        }
        let (to, hfields) = rest.split_once("?").map_or((rest, None), |(to, fields)| (to, Some(fields)));
        let url = Self { url: reference, to, hfields, one: false };
        // hfield = hfname "=" hfvalue
        let wrong = url.hfields().find(|field| field.find("=").is_none());
        wrong.map_or(Ok(url), |field| Err(SyntaxError::Form { span: field.place(), form: Mailto.form() }))
    }

    /// Returns the addresses, without those of header fields "to".
    pub fn addresses(&self) -> Values<'a> {
        // "" divides nothing.
        Values::of(Some(self.to), if self.one { "" } else { "," })
    }

    /// Returns the header fields in order, as tuples of name and value, both still percent-encoded;
    /// "body" is the text.
    pub fn headers(&self) -> NamedValues<'a> {
        NamedValues::of(self.hfields, "&")
    }

    /// Returns whether the edition allows only addresses.
    #[must_use]
    pub const fn is_address_alone(&self) -> bool {
        self.one
    }

    fn hfields(&self) -> Values<'a> {
        Values::of(self.hfields, "&")
    }

    /// Returns what is compared. An empty address and an empty field are included.
    fn compared_headers(&self) -> Headers<'a> {
        if self.one {
            let recipients = Vec::from([Cow::Borrowed(self.to.as_str())]);
            return Headers { recipients, others: Vec::new() };
        }
        let address = |text: &'a str| match is_obscure(text) {
            true => Cow::Borrowed(text),
            false => Cow::Owned(normal_address(text)),
        };
        let path = (!self.to.is_empty()).then_some(self.to.as_str());
        let mut recipients: Vec<_> = path.into_iter().flat_map(|to| to.split(',')).map(address).collect();
        let mut others = Vec::new();
        for field in self.hfields.iter().flat_map(|fields| fields.as_str().split('&')) {
            match field.split_once('=') {
                Some((name, value)) if name.eq_ignore_ascii_case("to") => {
                    recipients.extend(value.split(',').map(address));
                }
                _ => others.push(field),
            }
        }
        Headers { recipients, others }
    }
}

/// The header fields of a message, in order.
struct Headers<'a> {
    /// The recipients from all places.
    recipients: Vec<Cow<'a, str>>,
    /// The other fields, with names and values.
    others: Vec<&'a str>,
}

/// Returns whether the host of an address cannot be determined safely, because of quotes, escapes
/// or non-ASCII characters.
fn is_obscure(addresses: &str) -> bool {
    addresses.contains(['"', '%']) || !addresses.is_ascii()
}

/// Returns an address with its host in lower case, if the host can be determined safely.
fn normal_address(address: &str) -> String {
    match address.split_once('@') {
        Some((name, host)) if !host.contains(['@', ',', '/']) => {
            [name, "@", &host.to_ascii_lowercase()].concat()
        }
        _ => String::from(address),
    }
}

/// "%", "," within an address, and the delimiters of header fields "MUST be encoded" (RFC 6068, 2).
const ADDRESS: AsciiSet = rfc1738::UCHAR.union(AsciiSet::of(b"@")).difference(AsciiSet::of(b","));
/// "Any "+" characters MAY be encoded as "%2B"" (RFC 6068, 5): in values, where they might be taken
/// for spaces.
const HEADER: AsciiSet = ADDRESS.difference(AsciiSet::of(b"+"));

static PARTS: [Part; 2] = [
    Part::new("addresses", "", ADDRESS).of(Shape::Many(',')),
    // "<hfname> is case-insensitive" (RFC 6068, 2).
    Part::new("headers", "?", HEADER).in_query().of(Shape::Pairs('&')).ignoring_case(),
];

builder! {
    /// A builder of mailto URLs from addresses and header fields.
    ///
    /// ```
    /// use locator::scheme::{MailtoParts, MailtoUrl};
    ///
    /// let parts =
    ///     MailtoParts::new("gorby%kremvax@example.com").header("subject", "A & B");
    /// let url = parts.build()?;
    /// assert_eq!(url, "mailto:gorby%25kremvax@example.com?subject=A%20%26%20B");
    /// let copied =
    ///     MailtoUrl::try_from(&url).unwrap().parts().address("b@h").build()?;
    /// assert_eq!(
    ///     copied,
    ///     "mailto:gorby%25kremvax@example.com,b@h?subject=A%20%26%20B"
    /// );
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    MailtoParts of MailtoUrl, by [Mailto];

    /// Adds an address.
    each address: "addresses";
    /// Adds a header field; "body" is the text of the message.
    pair header: "headers";
}

impl<'v> MailtoParts<'v> {
    /// Creates a builder of the URL of one address; `default()` begins a URL without an address.
    pub fn new(address: impl Into<Value<'v>>) -> Self {
        Self::default().address(address)
    }
}

impl Default for MailtoParts<'_> {
    fn default() -> Self {
        Self(Parts::new("mailto"))
    }
}

static RULES: [SchemeRule; 2] = [
    SchemeRule {
        edition: &URL_1994,
        rule: &Rule::new("mailtoaddress", BNF_1994, "the form mailto:name@hostname"),
        check: check_1994,
    },
    SchemeRule {
        edition: &RFC1738,
        rule: &Rule::new("mailtourl", "3.5", "the form mailto:address"),
        check: check_1738,
    },
];

// mailtoaddress = "mailto:" 1*xalpha "@" hostname    ; the last "@" divides
fn check_1994(reader: &mut Reader<'_>) -> Result<(), ParseError> {
    reader.take_some_to(&XALPHA_1994, reader.find_last(b'@'))?;
    reader.expect("@")?;
    reader.take_hostname(reader.end(), &HOSTNAME_1994)
}

static HOSTNAME_1994: Rule = Rule::new(
    "hostname",
    BNF_1994,
    "a domain name whose first label begins with a letter and the others with a letter or digit",
);

// mailtourl = "mailto:" encoded822addr; encoded822addr = 1*xchar
fn check_1738(reader: &mut Reader<'_>) -> Result<(), ParseError> {
    reader.take_some(&ADDRESS_1738, b"")?;
    Ok(())
}

static ADDRESS_1738: Terminal = Terminal::new(
    rfc1738::XCHAR,
    "encoded822addr",
    "3.5",
    "letters, digits, escapes or any of $-_.+!*'(),;/?:@&=, at least one",
);

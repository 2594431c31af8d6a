//! What builds a wais URL: its parts enter, as data; a URL that has them leaves. Follows RFC 1738, section 3.9, and
//! "WAIS" of the drafts, whose spellings of documents differ.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::identifier;
use crate::build::BuildError;
use crate::edition::{Edition, WaisLength, rfc1738};
use crate::escape::EscapedBuf;
use crate::octet::Set;
use crate::part::Part;
use crate::reference::UriBuf;
use crate::scheme::{LoginParts, kept};

/// What a wais URL is built of; all of it is data.
///
/// ```
/// use locator::edition::{RFC1738, URL_1994};
/// use locator::scheme::{LoginParts, WaisParts, WaisObjectParts};
///
/// let login = LoginParts { host: "h", ..LoginParts::default() };
/// let object = WaisObjectParts::Document { wtype: b"TEXT", length: None, identifier: b"\x03\x04a =b" };
/// let parts = WaisParts { login, database: b"db", object };
/// assert_eq!(parts.build(&URL_1994)?, "wais://h/db/TEXT/3=a%20%3Db;");
/// assert_eq!(parts.build(&RFC1738)?, "wais://h/db/TEXT/%03%04a%20%3Db");
/// # Ok::<_, locator::BuildError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WaisParts<'v> {
    /// The server.
    pub login: LoginParts<'v>,
    /// The database.
    pub database: &'v [u8],
    /// What of it.
    pub object: WaisObjectParts<'v>,
}

/// What a wais URL is built for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WaisObjectParts<'v> {
    /// The database itself.
    #[default]
    Database,
    /// What a search for these words, divided by spaces, finds.
    Search(&'v [u8]),
    /// A document.
    Document {
        /// Its type.
        wtype: &'v [u8],
        /// Its length in octets. Only the draft of 1993 wants one; those of 1994 have no place for it.
        length: Option<u64>,
        /// Its identifier, as the server gave it.
        identifier: &'v [u8],
    },
}

impl WaisParts<'_> {
    /// The URL. An identifier is written as fields where it has them and the edition's rule allows it.
    ///
    /// # Errors
    ///
    /// Something that cannot stand in a URL of the edition; a segment "." or "..", which other programs would
    /// take for a step.
    pub fn build(&self, edition: &'static Edition) -> Result<UriBuf, BuildError> {
        let set = kept(edition, Part::Path, rfc1738::UCHAR);
        let escaped = |octets: &[u8], set| EscapedBuf::escape(octets, set).into_string();
        let mut rest = String::from("/") + &escaped(self.database, set);
        match self.object {
            WaisObjectParts::Database => {}
            WaisObjectParts::Search(search) if edition.forms.wais_search_is_words => {
                let set = set.without(Set::of(b"+"));
                let words = search.split(|&octet| octet == b' ').map(|word| escaped(word, set));
                rest = rest + "?" + &words.collect::<Vec<_>>().join("+");
            }
            WaisObjectParts::Search(search) => rest = rest + "?" + &escaped(search, set),
            WaisObjectParts::Document { wtype, length, identifier } => {
                rest = rest + "/" + &escaped(wtype, set) + "/";
                let fields = identifier::divide(identifier).filter(|_| edition.forms.wais_fields);
                let has_length = match edition.forms.wais_length {
                    WaisLength::Required => true,
                    WaisLength::Optional => fields.is_some(),
                    WaisLength::Absent => false,
                };
                if let Some(length) = length.filter(|_| has_length) {
                    rest = rest + &length.to_string() + "/";
                }
                match fields {
                    None => rest += &escaped(identifier, set),
                    Some(fields) => {
                        let set = set.or(Set::of(b"/"));
                        for (number, value) in fields {
                            rest = rest + &number.to_string() + "=" + &escaped(value, set) + ";";
                        }
                    }
                }
            }
        }
        if rest.split(['/', '?']).any(|segment| matches!(segment, "." | "..")) {
            return Err(BuildError::DotSegment { edition });
        }
        self.login.build("wais", edition, &rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edition::{ALL, RFC1738, RFC3986, URL_1994};
    use crate::scheme::{WaisObject, WaisUrl};

    #[test]
    fn a_document_is_the_one_it_was_built_for() {
        let mut opaque = Vec::new();
        identifier::push(&mut opaque, 3, b"0 67 /a;b=c");
        identifier::push(&mut opaque, 7, &[0]);
        let login = LoginParts { host: "h", ..LoginParts::default() };
        for edition in ALL {
            let object = WaisObjectParts::Document { wtype: b"TE/XT", length: Some(67), identifier: &opaque };
            let built = WaisParts { login, database: b"a/b", object }.build(edition);
            let built = built.unwrap_or_else(|error| panic!("{}: {error}", edition.name));
            let url = WaisUrl::of(*built.as_uri()).expect("it was built");
            let WaisObject::Document(document) = url.object else { panic!("{built}") };
            assert_eq!(document.identifier().as_ref(), Ok(&opaque), "{built}");
            assert_eq!((&*url.database.octets(), &*document.wtype.octets()), (&b"a/b"[..], &b"TE/XT"[..]));
            let told = *edition != URL_1994 && *edition != RFC1738;
            assert_eq!(document.length.is_some(), told, "{built}");
        }
    }

    #[test]
    fn a_step_is_no_database() {
        let parts = WaisParts {
            login: LoginParts { host: "h", ..LoginParts::default() },
            database: b"..",
            object: WaisObjectParts::Search(b"a"),
        };
        assert_eq!(parts.build(&RFC3986), Err(BuildError::DotSegment { edition: &RFC3986 }));
    }
}

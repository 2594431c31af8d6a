//! The builder of wais URLs: takes their parts, returns a URL. Follows RFC 1738, section 3.9, and
//! "WAIS" of the drafts, whose spellings of documents differ.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{Wais, WaisObject, WaisUrl, identifier};
use crate::build::{BuildError, Value};
use crate::edition::{Edition, WaisLength, rfc1738};
use crate::reference::UriBuf;
use crate::scheme::LoginParts;
use crate::scheme::parts::{Frame, Number, check_steps, checked, raw, segment, setters, written};
use crate::simd::AsciiSet;
use crate::span::Component;

/// A builder of wais URLs from a server, a database, and a search or a document.
///
/// ```
/// use locator::edition::{RFC1738, URL_1994};
/// use locator::scheme::{WaisObjectParts, WaisParts, WaisUrl};
///
/// let parts = WaisParts::new("h", "db").document("TEXT", b"\x03\x04a =b");
/// assert_eq!(parts.build_with(&URL_1994)?, "wais://h/db/TEXT/3=a%20%3Db;");
/// assert_eq!(parts.build_with(&RFC1738)?, "wais://h/db/TEXT/%03%04a%20%3Db");
///
/// let url = WaisParts::new("h", "db").search("a b").build_with(&RFC1738)?;
/// assert_eq!(WaisUrl::try_from(&url).unwrap().parts().database("c").build_with(&RFC1738)?, "wais://h/c?a%20b");
/// # Ok::<_, locator::BuildError>(())
/// ```
#[must_use = "it builds nothing before `build`"]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaisParts<'v> {
    frame: Frame<'v>,
    /// The server.
    pub login: LoginParts<'v>,
    /// The database.
    pub database: Value<'v>,
    /// The object of the database that the URL identifies.
    pub object: WaisObjectParts<'v>,
}

/// The object that a wais URL is built for.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WaisObjectParts<'v> {
    /// The database itself.
    #[default]
    Database,
    /// The results of a search for these words; spaces divide the words.
    Search(Value<'v>),
    /// A document.
    Document {
        /// The type of the document.
        wtype: Value<'v>,
        /// The length in octets. Only the draft of 1993 requires one; those of 1994 have no place
        /// for it.
        length: Option<Number<'v>>,
        /// The identifier, as the server returned it; an encoded value is the spelling of the URL.
        identifier: Value<'v>,
    },
}

impl<'v> WaisParts<'v> {
    /// Begins a URL of a database on a server.
    pub fn new(login: impl Into<LoginParts<'v>>, database: impl Into<Value<'v>>) -> Self {
        let (login, database) = (login.into(), database.into());
        Self { frame: Frame::default(), login, database, object: WaisObjectParts::Database }
    }

    setters! {
        /// Sets the server.
        login;
        /// Sets the database.
        one database;
    }

    /// Makes it the URL of a search for these words; spaces divide the words.
    pub fn search(mut self, words: impl Into<Value<'v>>) -> Self {
        self.object = WaisObjectParts::Search(words.into());
        self
    }

    /// Makes it the URL of a document, of this type and with this identifier.
    pub fn document(mut self, wtype: impl Into<Value<'v>>, identifier: impl Into<Value<'v>>) -> Self {
        let (wtype, identifier) = (wtype.into(), identifier.into());
        self.object = WaisObjectParts::Document { wtype, length: None, identifier };
        self
    }

    /// Sets the length of the document in octets. It has no effect on other objects.
    pub const fn length(mut self, octets: u64) -> Self {
        if let WaisObjectParts::Document { length, .. } = &mut self.object {
            *length = Some(Number::Value(octets));
        }
        self
    }

    /// Builds the URL. An identifier is written as fields where it has them and the edition's rule
    /// allows it.
    ///
    /// # Errors
    ///
    /// A value that is not allowed in a URL of the edition; data with a segment "." or "..", which
    /// other programs would take for a step.
    pub fn build_with(&self, edition: &'static Edition) -> Result<UriBuf, BuildError> {
        let mut rest = String::from("/") + &segment(self.database, edition, rfc1738::UCHAR)?;
        match self.object {
            WaisObjectParts::Database => {}
            WaisObjectParts::Search(search) => rest = rest + "?" + &words(search, edition)?,
            WaisObjectParts::Document { wtype, length, identifier } => {
                rest = rest + "/" + &segment(wtype, edition, rfc1738::UCHAR)? + "/";
                rest += &document(identifier, length, edition)?;
            }
        }
        let built = self.login.build(self.frame.begin("wais", edition)?, &Wais, &rest)?;
        checked(built, &self.values(), |url| WaisUrl::of(url).map(|url| url.parts().values()))
    }

    fn values(&self) -> Vec<Value<'v>> {
        let object = match self.object {
            WaisObjectParts::Database => [None; 3],
            WaisObjectParts::Search(search) => [Some(search), None, None],
            WaisObjectParts::Document { wtype, length, identifier } => {
                [Some(wtype), length.and_then(Number::raw), Some(identifier)]
            }
        };
        self.login.values().chain([self.database]).chain(object.into_iter().flatten()).collect()
    }
}

/// Writes a search; "+" divides its words, if the edition has words.
fn words(search: Value<'_>, edition: &'static Edition) -> Result<String, BuildError> {
    let text = if search.is_decoded() && edition.forms.wais_search_is_words {
        let octets = search.encoded(edition, Component::Path)?;
        let keep = rfc1738::UCHAR.difference(AsciiSet::of(b"+"));
        let words = octets.split(|&octet| octet == b' ');
        let words = words.map(|word| written(Value::Decoded(word), edition, Component::Path, keep));
        words.collect::<Result<Vec<_>, _>>()?.join("+")
    } else {
        written(search, edition, Component::Path, rfc1738::UCHAR)?
    };
    check_steps(search, &text, edition)?;
    Ok(text)
}

/// Writes the identifier of a document, as a whole or as fields, and the length before it.
fn document(
    identifier: Value<'_>,
    length: Option<Number<'_>>,
    edition: &'static Edition,
) -> Result<String, BuildError> {
    if !identifier.is_decoded() {
        let length = length.map_or(String::new(), |length| [&length.text(), "/"].concat());
        return Ok(length + &written(identifier, edition, Component::Path, AsciiSet::EMPTY)?);
    }
    let octets = identifier.encoded(edition, Component::Path)?;
    let fields = identifier::divide(&octets).filter(|_| edition.forms.wais_fields);
    let has_length = match edition.forms.wais_length {
        WaisLength::Required => true,
        WaisLength::Optional => fields.is_some(),
        WaisLength::Absent => false,
    };
    let mut text = String::new();
    if let Some(length) = length.filter(|_| has_length) {
        text = text + &length.text() + "/";
    }
    match fields {
        None => text += &written(Value::Decoded(&octets), edition, Component::Path, rfc1738::UCHAR)?,
        Some(fields) => {
            let keep = rfc1738::UCHAR.union(AsciiSet::of(b"/"));
            for (number, value) in fields {
                let value = written(Value::Decoded(value), edition, Component::Path, keep)?;
                text = text + &number.to_string() + "=" + &value + ";";
            }
        }
    }
    check_steps(identifier, &text, edition)?;
    Ok(text)
}

impl<'a> WaisUrl<'a> {
    /// Returns the parts of this URL; building them by its edition returns the identical URL. The
    /// identifier of a document is one encoded value.
    pub fn parts(&self) -> WaisParts<'a> {
        let object = match self.object {
            WaisObject::Database => WaisObjectParts::Database,
            WaisObject::Search(search) => WaisObjectParts::Search(raw(search)),
            WaisObject::Document(document) => WaisObjectParts::Document {
                wtype: raw(document.wtype),
                length: document.length.map(|length| Number::Raw(length.as_str())),
                identifier: raw(document.wpath),
            },
        };
        let (frame, login) = (Frame::of(self.url), self.login.parts());
        WaisParts { frame, login, database: raw(self.database), object }
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
        for edition in ALL {
            let parts = WaisParts::new("h", "a/b").document("TE/XT", &opaque[..]).length(67);
            let built = parts.build_with(edition);
            let built = built.unwrap_or_else(|error| panic!("{}: {error}", edition.name));
            let url = WaisUrl::of(*built.as_uri()).expect("it was built");
            let WaisObject::Document(document) = url.object else { panic!("{built}") };
            assert_eq!(document.identifier().as_ref(), Ok(&opaque), "{built}");
            assert_eq!((&*url.database.decode(), &*document.wtype.decode()), (&b"a/b"[..], &b"TE/XT"[..]));
            let has_length = *edition != URL_1994 && *edition != RFC1738;
            assert_eq!(document.length.is_some(), has_length, "{built}");
        }
    }

    #[test]
    fn a_step_is_no_database() {
        let parts = WaisParts::new("h", "..").search("a");
        assert_eq!(parts.build(), Err(BuildError::DotSegment { edition: &RFC3986 }));
    }
}

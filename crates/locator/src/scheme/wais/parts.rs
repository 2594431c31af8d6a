//! The builder of wais URLs: takes their parts, returns a URL. Follows RFC 1738, section 3.9, and
//! "WAIS" of the drafts, whose spellings of documents differ.

use alloc::format;
use alloc::string::String;

use super::document::fields_of;
use super::{IDENTIFIER, WPATH, Wais, WaisUrl, identifier};
use crate::build::{BuildError, Value};
use crate::component::SpannedStr;
use crate::edition::{Edition, WaisLength};
use crate::scheme::LoginParts;
use crate::scheme::parts::{Parts, Piece, builder, check_steps};
use crate::span::Component;

builder! {
    /// A builder of wais URLs from a server, a database, and a search or a document.
    ///
    /// ```
    /// use locator::edition::{RFC1738, URL_1994};
    /// use locator::scheme::{WaisParts, WaisUrl};
    ///
    /// let parts = WaisParts::new("h", "db").document("TEXT", b"\x03\x04a =b");
    /// assert_eq!(parts.build_with(&URL_1994)?, "wais://h/db/TEXT/3=a%20%3Db;");
    /// assert_eq!(parts.build_with(&RFC1738)?, "wais://h/db/TEXT/%03%04a%20%3Db");
    ///
    /// let url = WaisParts::new("h", "db").search("a b").build_with(&RFC1738)?;
    /// assert_eq!(WaisUrl::try_from(&url).unwrap().parts().database("c").build_with(&RFC1738)?, "wais://h/c?a%20b");
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    WaisParts of WaisUrl, by [Wais], prepare prepared;

    /// Sets the server.
    login;
    /// Sets the database.
    one database: "database";
    /// Sets the length of a document in octets. Only the draft of 1993 requires one; those of 1994
    /// have no place for it.
    number length: "length";
}

impl<'v> WaisParts<'v> {
    /// Begins a URL of a database on a server.
    pub fn new(login: impl Into<LoginParts<'v>>, database: impl Into<Value<'v>>) -> Self {
        Self(Parts::new("wais").at(login).with("database", database))
    }

    /// Makes it the URL of a search for these words; spaces divide the words.
    pub fn search(self, words: impl Into<Value<'v>>) -> Self {
        Self(self.of_database().with("search", words))
    }

    /// Makes it the URL of a document, of this type and with this identifier, as the server returned
    /// it; an encoded value is the spelling of the URL.
    pub fn document(self, wtype: impl Into<Value<'v>>, identifier: impl Into<Value<'v>>) -> Self {
        Self(self.of_database().with("wtype", wtype).with("identifier", identifier))
    }

    fn of_database(self) -> Parts<'v> {
        let mut parts = self.0;
        for name in ["search", "wtype", "length", "wpath", "identifier"] {
            parts.remove(name);
        }
        parts.tail = "";
        parts
    }
}

/// Makes of an identifier what the edition has: the octets, or fields if its rule allows them. The
/// length is written where the edition has a place for it.
fn prepared<'v>(mut parts: Parts<'v>, edition: &'static Edition) -> Result<Parts<'v>, BuildError> {
    let [Piece::One(identifier)] = *parts.pieces("identifier") else { return Ok(parts) };
    let written = match identifier {
        Value::Encoded(text) => String::from(text),
        data => {
            let octets = data.encoded(edition, Component::Path)?;
            let fields = identifier::divide(&octets).filter(|_| edition.forms.wais_fields);
            let has_length = match edition.forms.wais_length {
                WaisLength::Required => true,
                WaisLength::Optional => fields.is_some(),
                WaisLength::Absent => false,
            };
            if !has_length {
                parts.remove("length");
            }
            let field = |(number, value)| format!("{number}={};", IDENTIFIER.escaped(value, edition));
            match fields {
                Some(fields) => fields.into_iter().map(field).collect(),
                None => WPATH.escaped(&octets, edition),
            }
        }
    };
    check_steps(identifier, &written, edition)?;
    parts.remove("identifier");
    if fields_of(SpannedStr::at(&written, 0)).is_none() {
        parts.set("wpath", Piece::Text(written));
        return Ok(parts);
    }
    // The last ";" ends a field, and does not begin another.
    let (fields, end) = written.strip_suffix(';').map_or((&*written, ""), |fields| (fields, ";"));
    parts.set("identifier", Piece::Text(fields.into()));
    parts.tail = end;
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

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

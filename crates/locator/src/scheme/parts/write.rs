//! Writes the parts of a URL one after the other, by the table of the scheme. The scheme then divides
//! the result, which must have the same parts, because an encoded value may contain a delimiter.
//! Follows RFC 3986, section 2.4.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::part::{Divide, Given, Part, Parts, Piece, Shape, join, to_base64};
use crate::build::{BuildError, Edit, Value};
use crate::component::SpannedStr;
use crate::edition::Edition;
use crate::form::SyntaxError;
use crate::reference::UriBuf;
use crate::scheme::field::FieldValue;
use crate::span::Component;

/// The delimiters between parts of a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::scheme) enum Spelling {
    /// Those that the URL has.
    Kept,
    /// Those of the table, unless the URL has them in other letters, such as `;TYPE=`.
    OfTable,
}

/// Writes parts.
pub(in crate::scheme) struct Writer<'p, 'v> {
    parts: &'p Parts<'v>,
    scheme: &'p dyn Divide,
    edition: &'static Edition,
    table: &'static [Part],
}

/// The text of a URL, and where its parts are.
pub(in crate::scheme) struct WrittenUrl {
    pub(in crate::scheme) text: String,
    parts: Vec<WrittenPart>,
}

/// The text of a part.
#[derive(Default)]
struct WrittenPart {
    name: &'static str,
    text: String,
    /// The position of the text in the URL.
    start: usize,
    /// The values of a list that were given one by one, which are the last ones.
    values: Vec<String>,
}

impl Parts<'_> {
    /// Builds the URL by the scheme that has its name.
    pub(in crate::scheme) fn build(
        &self,
        schemes: &[&dyn Divide],
        edition: &'static Edition,
    ) -> Result<UriBuf, BuildError> {
        let scheme = schemes.iter().find(|scheme| scheme.is_named(self.scheme));
        let unknown = BuildError::Misread { component: Component::Scheme, edition };
        self.build_by(*scheme.ok_or(unknown)?, edition)
    }

    /// Builds the URL. What was empty may have been written without its delimiter: "ftp://h" has no
    /// "/" before its empty name. If that spelling is read as something else, the delimiters of the
    /// table are written.
    pub(in crate::scheme) fn build_by(
        &self,
        scheme: &dyn Divide,
        edition: &'static Edition,
    ) -> Result<UriBuf, BuildError> {
        let build = |spelling| Writer::new(self, scheme, edition).write(spelling)?.read_back(scheme, edition);
        let built = build(Spelling::Kept).or_else(|_| build(Spelling::OfTable))?;
        match self.login.as_ref().is_none_or(|login| login.is_read_in(built.as_uri_ref())) {
            true => Ok(built),
            false => Err(BuildError::Misread { component: Component::Authority, edition }),
        }
    }
}

impl<'p, 'v> Writer<'p, 'v> {
    pub(in crate::scheme) fn new(
        parts: &'p Parts<'v>,
        scheme: &'p dyn Divide,
        edition: &'static Edition,
    ) -> Self {
        Self { parts, scheme, edition, table: scheme.parts(edition) }
    }

    /// Writes the URL.
    ///
    /// # Errors
    ///
    /// A value that the edition's charset does not contain, a part that the edition does not have.
    pub(in crate::scheme) fn write(&self, spelling: Spelling) -> Result<WrittenUrl, BuildError> {
        let has_no_place =
            |given: &&Given<'_>| !self.table.iter().any(|part| part.name == given.name) && !is_empty(given);
        if self.parts.given.iter().any(|given| has_no_place(&given)) {
            return Err(self.misread(Component::Path));
        }
        let mut written = WrittenUrl { text: self.text_before()?, parts: Vec::new() };
        for (i, part) in self.table.iter().enumerate().filter(|(_, part)| part.is_written()) {
            // A part in another component has this one before it only if it is given anew: a URL may
            // have the other without this one, as in "gopher://h?search" of the draft of 1993.
            let is_new = |part: &Part| self.parts.given(part.name).is_some_and(|given| given.is_new);
            let follows = |later: &&Part| later.component == part.component || is_new(later);
            let mut later = self.table[i + 1..].iter().filter(|later| self.adds_text(later));
            if self.has(part) {
                self.write_part(part, &mut written, spelling)?;
                let is_last = later.all(|later| later.component != part.component);
                if is_last && is_new(part) {
                    written.text += part.after;
                }
            } else if let (Some(default), Some(next)) = (part.default, later.find(follows)) {
                // What is before the next part may have the delimiter of this one.
                if self.spelled(next, spelling).is_none() {
                    written.text = written.text + part.before + default;
                }
            }
        }
        if spelling == Spelling::Kept {
            written.text += self.parts.tail;
        }
        if let Some(fragment) = self.parts.fragment {
            written.text = written.text + "#" + fragment;
        }
        Ok(written)
    }

    /// Writes what is before the parts: the scheme and the authority.
    fn text_before(&self) -> Result<String, BuildError> {
        let mut edit = Edit::new_with(self.edition);
        if let Some(prefix) = self.parts.prefix {
            edit.set(Component::Prefix, Value::Encoded(prefix))?;
        }
        edit.set_scheme(self.parts.scheme)?;
        if let Some(login) = &self.parts.login {
            login.set(&mut edit)?;
        }
        Ok(edit.to_string())
    }

    /// Returns whether a part is written, or one inside it.
    fn has(&self, part: &Part) -> bool {
        let has = |part: &Part| self.parts.given(part.name).is_some();
        has(part) || self.table.iter().any(|inner| inner.inside == Some(part.name) && has(inner))
    }

    /// Returns whether a part adds text. One of several parts that are each the whole text does not.
    fn adds_text(&self, part: &Part) -> bool {
        let is_written = part.is_written() && part.shape != Shape::Whole && self.has(part);
        is_written && (!part.before.is_empty() || !self.parts.given(part.name).is_some_and(is_empty))
    }

    /// Returns the text before a part in its URL, if it is not the delimiter of the table and is kept.
    fn spelled(&self, part: &Part, spelling: Spelling) -> Option<&'v str> {
        let before = self.parts.given(part.name)?.before?;
        let mut rest = before;
        while let Some(after) = self
            .table
            .iter()
            .find_map(|other| rest.strip_prefix(other.before).filter(|_| !other.before.is_empty()))
        {
            rest = after;
        }
        Some(before).filter(|_| spelling == Spelling::Kept || !rest.is_empty())
    }

    /// Writes a part after its delimiter.
    fn write_part(
        &self,
        part: &Part,
        written: &mut WrittenUrl,
        spelling: Spelling,
    ) -> Result<(), BuildError> {
        let whole = self.parts.given(part.name).map(|given| given.write(part, self.edition)).transpose()?;
        let mut has_text = whole.is_some();
        let mut whole = whole.unwrap_or(WrittenPart { name: part.name, ..WrittenPart::default() });
        for inner in self.table.iter().filter(|inner| inner.inside == Some(part.name)) {
            let Some(given) = self.parts.given(inner.name) else { continue };
            let value = given.write(inner, self.edition)?;
            let outer = has_text.then(|| SpannedStr::at(&whole.text, 0));
            let rewritten = self.scheme.rewritten(outer, inner.name, Some(&value.text));
            whole.text = rewritten.ok_or(self.misread(part.component))?;
            has_text = true;
            written.parts.push(value);
        }
        let is_alone = part.shape == Shape::Whole && self.parts.login.is_none();
        let of_table = if is_alone { "" } else { part.before };
        written.text += self.spelled(part, spelling).unwrap_or(of_table);
        whole.start = written.text.len();
        written.text += &whole.text;
        written.parts.push(whole);
        Ok(())
    }

    const fn misread(&self, component: Component) -> BuildError {
        BuildError::Misread { component, edition: self.edition }
    }
}

fn is_empty(given: &Given<'_>) -> bool {
    match given.pieces.as_slice() {
        [Piece::Whole(value) | Piece::One(value)] => value.as_bytes().is_empty(),
        [Piece::Text(text)] => text.is_empty(),
        pieces => pieces.is_empty(),
    }
}

impl WrittenUrl {
    /// Returns the position of a part in the text.
    #[cfg(feature = "plan")]
    pub(in crate::scheme) fn start_of(&self, name: &str) -> Option<usize> {
        self.parts.iter().find(|part| part.name == name).map(|part| part.start)
    }

    /// Parses the URL, which must have the parts that were written.
    ///
    /// # Errors
    ///
    /// The text is not a URL of the edition and the scheme, or has other parts.
    pub(in crate::scheme) fn read_back(
        self,
        scheme: &dyn Divide,
        edition: &'static Edition,
    ) -> Result<UriBuf, BuildError> {
        let misread = |component| BuildError::Misread { component, edition };
        let built =
            UriBuf::from_string_with(self.text, edition).map_err(|error| BuildError::Whole(error.error()))?;
        let url = built.as_uri_ref();
        let fields = scheme.fields(url).map_err(|error| match error {
            SyntaxError::Rule(error) => BuildError::Whole(error),
            _ => misread(Component::Path),
        })?;
        for part in scheme.parts(edition).iter().filter(|part| part.shape != Shape::Host) {
            let value = fields.iter().find(|field| field.name == part.name).map(|field| &field.value);
            let read = value.and_then(FieldValue::span).map(|span| &url.as_str()[span]);
            let is_same = match self.parts.iter().find(|written| written.name == part.name) {
                None if part.inside.is_some() => true,
                None => read.is_none_or(|read| read.is_empty() || Some(read) == part.default),
                Some(written) => {
                    (read.or(part.default).unwrap_or_default() == written.text
                        || written.text.is_empty() && read.is_none())
                        && value.map_or(written.values.is_empty(), |value| value.ends_with(&written.values))
                }
            };
            if !is_same {
                return Err(misread(part.component));
            }
        }
        Ok(built)
    }
}

impl Given<'_> {
    /// Writes a part, without its delimiters.
    fn write(&self, part: &Part, edition: &'static Edition) -> Result<WrittenPart, BuildError> {
        let one = |value: &Value<'_>| {
            if part.shape == Shape::Content && value.is_decoded() && self.is_base64() {
                let octets = value.to_encoded(edition, part.component)?;
                return Ok(part.escaped(to_base64(&octets).as_bytes(), edition));
            }
            part.write_one(value, edition)
        };
        let (mut texts, mut values) = (Vec::new(), Vec::new());
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => texts.push(text.clone()),
                Piece::Whole(value) if part.between().is_some() => texts.push(part.write(value, edition)?),
                Piece::Whole(value) => texts.push(one(value)?),
                Piece::One(value) => {
                    let written = one(value)?;
                    if part.refuses_steps {
                        check_steps(value, &written, edition)?;
                    }
                    texts.push(written.clone());
                    values.push(written);
                }
                Piece::Pair(name, value) => {
                    let (name, value) = (one(name)?, one(value)?);
                    texts.push([&name, "=", &value].concat());
                    values.extend([name, value]);
                }
            }
        }
        let (text, values) = match part.between() {
            Some(between) => (join(texts.into_iter(), between), values),
            None => (texts.concat(), Vec::new()),
        };
        Ok(WrittenPart { name: self.name, text, start: 0, values })
    }

    /// Returns whether the URL declares before this part that it is in base64 (RFC 2397, 3).
    fn is_base64(&self) -> bool {
        self.before.is_some_and(|before| before.ends_with(";base64,"))
    }
}

/// Checks that data has no segment "." or "..", which other programs would treat as a dot segment.
pub(in crate::scheme) fn check_steps(
    value: &Value<'_>,
    written: &str,
    edition: &'static Edition,
) -> Result<(), BuildError> {
    let has_step = || written.split('/').any(|segment| matches!(segment, "." | ".."));
    if value.is_decoded() && has_step() { Err(BuildError::DotSegment { edition }) } else { Ok(()) }
}

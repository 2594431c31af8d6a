//! The lines of an answer as records: attributes, links, and failures.

use locator::plan::Meaning;

use super::words::{AnswerLine, AnswerLines};

/// A line of an answer.
///
/// ```
/// use locator_fetch::prospero::{Record, records};
///
/// let answer =
///     b"LINK L FILE notes INTERNET-D h ASCII /pub/notes 0\nUNKNOWN line\n";
/// let found: Vec<_> = records(answer).collect();
/// assert!(
///     matches!(&found[..], [Record::Link(link), Record::Other] if link.name == b"notes")
/// );
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Record {
    /// An attribute of the object, or of the link before it.
    Attribute(Attribute),
    /// A link: an entry of a directory.
    Link(Link),
    /// The request failed.
    Failed(Failed),
    /// The object is elsewhere; the link to it.
    Forwarded(Link),
    /// A line that says nothing about the object.
    Other,
}

/// An attribute.
///
/// ```
/// let answer = b"ATTRIBUTE OBJECT INTRINSIC SIZE SEQUENCE 9' bytes'\n";
/// let size = locator_fetch::prospero::attributes(answer).unwrap().remove(0);
/// assert_eq!(
///     (size.name, size.values),
///     (b"SIZE".to_vec(), vec![b"9 bytes".to_vec()])
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// The name: `SIZE`.
    pub name: Vec<u8>,
    /// The values, in order.
    pub values: Vec<Vec<u8>>,
}

/// A link to an object.
///
/// ```
/// use locator_fetch::prospero::{Record, records};
///
/// let answer = b"LINK L DIRECTORY docs INTERNET-D h(1525) ASCII /docs 0\n";
/// let Some(Record::Link(link)) = records(answer).next() else { panic!() };
/// assert_eq!(
///     (&*link.target, &*link.host, &*link.object),
///     (&b"DIRECTORY"[..], &b"h(1525)"[..], &b"/docs"[..])
/// );
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Link {
    /// What the object is: `FILE`, `DIRECTORY`, `EXTERNAL`.
    pub target: Vec<u8>,
    /// The name of the link in its directory.
    pub name: Vec<u8>,
    /// The host, with a port in parentheses if that is not the usual one.
    pub host: Vec<u8>,
    /// The name of the object on its host.
    pub object: Vec<u8>,
    /// The version; 0 for the current one.
    pub version: u64,
}

/// A failure that a server reports.
///
/// ```
/// let failed =
///     locator_fetch::prospero::failure(b"FAILURE NOT-AUTHORIZED\n").unwrap();
/// assert_eq!(
///     (failed.means, &*failed.line),
///     (locator::plan::Meaning::Refused, &b"FAILURE NOT-AUTHORIZED"[..])
/// );
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed {
    /// What it means.
    pub means: Meaning,
    /// The line of the server.
    pub line: Vec<u8>,
}

/// Returns the records of an answer, a line each. A quotation that is not ended makes its line
/// `Other`.
///
/// ```
/// use locator_fetch::prospero::{Record, records};
///
/// let answer = b"ATTRIBUTE OBJECT INTRINSIC SIZE SEQUENCE 9' bytes'\n";
/// assert!(matches!(records(answer).next(), Some(Record::Attribute(size)) if size.has(b"9 bytes")));
/// ```
pub fn records(answer: &[u8]) -> impl Iterator<Item = Record> + '_ {
    AnswerLines::new(answer).map(|line| record(&line))
}

fn record(line: &AnswerLine<'_>) -> Record {
    if !line.is_whole {
        return Record::Other;
    }
    let words: Vec<&[u8]> = line.words.iter().map(Vec::as_slice).collect();
    match words.as_slice() {
        [b"ATTRIBUTE", _, _, name, b"SEQUENCE" | b"FILTER" | b"LINK", values @ ..]
        | [b"ATTRIBUTE", _, b"FIELD", name, values @ ..] => Record::Attribute(Attribute {
            name: name.to_vec(),
            values: values.iter().map(|value| value.to_vec()).collect(),
        }),
        [b"LINK", _, target, name, rest @ ..] => link(target, name, rest).map_or(Record::Other, Record::Link),
        [b"FORWARDED", rest @ ..] => link(b"", b"", rest).map_or(Record::Other, Record::Forwarded),
        [b"FAILURE", reason, ..] => failed(meaning(reason), line),
        [b"ERROR" | b"VERSION-NOT-SUPPORTED", ..] => failed(Meaning::NotSupported, line),
        _ => Record::Other,
    }
}

/// Reads host type, host, name type, name and version.
fn link(target: &[u8], name: &[u8], words: &[&[u8]]) -> Option<Link> {
    let &[_, host, _, object, ref rest @ ..] = words else { return None };
    let version = rest.first().and_then(|version| str::from_utf8(version).ok()?.parse().ok());
    let (target, name) = (target.into(), name.into());
    Some(Link { target, name, host: host.into(), object: object.into(), version: version.unwrap_or(0) })
}

fn failed(means: Meaning, line: &AnswerLine<'_>) -> Record {
    Record::Failed(Failed { means, line: line.octets.into() })
}

fn meaning(reason: &[u8]) -> Meaning {
    match reason {
        b"NOT-FOUND" | b"NOT-A-DIRECTORY" => Meaning::Missing,
        b"AUTHENTICATION-REQUIRED" => Meaning::NeedLogin,
        b"SERVER-FAILED" => Meaning::Busy,
        _ => Meaning::Refused,
    }
}

/// Why an answer contains no attributes.
///
/// ```
/// use locator_fetch::prospero::{Reason, attributes};
///
/// let answer = b"FORWARDED INTERNET-D other.example ASCII /a 0\n";
/// let Err(Reason::Forwarded(link)) = attributes(answer) else { panic!() };
/// assert_eq!((&*link.host, &*link.object), (&b"other.example"[..], &b"/a"[..]));
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The request failed.
    Failed(Failed),
    /// The object is elsewhere.
    Forwarded(Link),
}

/// Returns the attributes of an object.
///
/// # Errors
///
/// The request failed, or the object is elsewhere.
pub fn attributes(answer: &[u8]) -> Result<Vec<Attribute>, Reason> {
    let mut attributes = Vec::new();
    for record in records(answer) {
        match record {
            Record::Attribute(attribute) => attributes.push(attribute),
            Record::Failed(failed) => return Err(Reason::Failed(failed)),
            Record::Forwarded(link) => return Err(Reason::Forwarded(link)),
            Record::Link(_) | Record::Other => {}
        }
    }
    Ok(attributes)
}

/// Returns the first failure of an answer.
///
/// ```
/// use locator::plan::Meaning;
///
/// let failed =
///     locator_fetch::prospero::failure(b"FAILURE NOT-FOUND a\n").unwrap();
/// assert_eq!(failed.means, Meaning::Missing);
/// ```
#[must_use]
pub fn failure(answer: &[u8]) -> Option<Failed> {
    records(answer).find_map(|record| match record {
        Record::Failed(failed) => Some(failed),
        _ => None,
    })
}

/// Returns whether an answer says that there is nothing of what was asked for: `NONE-FOUND` alone.
pub(crate) fn has_nothing(answer: &[u8]) -> bool {
    let mut lines = AnswerLines::new(answer);
    let is_so = |line: AnswerLine<'_>| line.words == [b"NONE-FOUND"];
    lines.next().is_some_and(is_so) && lines.next().is_none()
}

/// Returns the octets of an object: the values after `DATA` of its attributes `CONTENTS`, in their order;
/// `None` without one, or if one has another form.
#[must_use]
pub fn contents(answer: &[u8]) -> Option<Vec<u8>> {
    let parts = records(answer).filter_map(|record| match record {
        Record::Attribute(Attribute { name, values }) if name == b"CONTENTS" => Some(values),
        _ => None,
    });
    let mut octets = None;
    for values in parts {
        let [form, part, ..] = values.as_slice() else { return None };
        if form != b"DATA" {
            return None;
        }
        octets.get_or_insert_with(Vec::new).extend_from_slice(part);
    }
    octets
}

impl Attribute {
    /// Returns whether one of the values, or all of them with spaces between, is this one.
    #[must_use]
    pub fn has(&self, value: &[u8]) -> bool {
        self.values.iter().any(|one| one == value) || self.values.join(&b' ') == value
    }
}

//! What a search of WAIS found: the body is the APDU of the answer. A document's identifier is octets
//! that only its server understands, so the URL repeats all of them as RFC 1738, 3.9 writes them.

use locator::pct::AsciiSet;
use locator::scheme::{WaisObject, WaisParts, WaisUrl};
use locator::{Edition, PctString, UriBuf, UriRef, Value, internal};

use super::entry::{Entry, EntryError, EntryKind, SearchHit};
use crate::protocols::wais;

/// Returns the documents that were found, the best first, as the server orders them.
pub(super) fn entries<'b>(
    url: UriRef<'b>,
    edition: &'static Edition,
    body: &'b [u8],
) -> Box<dyn Iterator<Item = Entry> + 'b> {
    let url = url.without_fragment();
    let Ok(answer) = wais::SearchResponse::parse(body) else {
        // An empty body is one that is not there yet.
        let entry = Entry::new(Err(EntryError::Line), b"", EntryKind::Unknown);
        return Box::new(Some(entry).filter(|_| !body.is_empty()).into_iter());
    };
    let errors = answer.diagnostics.into_iter().map(|diagnostic| {
        Entry::new(Err(EntryError::Line), diagnostic.to_string().as_bytes(), EntryKind::Error)
    });
    Box::new(answer.hits.into_iter().map(move |hit| of_hit(Search { url, edition }, &hit)).chain(errors))
}

/// The URL of a search, and the edition that writes the URLs of what it found.
#[derive(Clone, Copy)]
struct Search<'u> {
    url: UriRef<'u>,
    edition: &'static Edition,
}

fn of_hit(search: Search<'_>, hit: &wais::Hit<'_>) -> Entry {
    // The reference client takes a document without a type for a text.
    let types = if hit.types.is_empty() { &[&b"TEXT"[..]] } else { hit.types.as_slice() };
    let (first, others) = types.split_first().map_or((&b""[..], types), |(first, others)| (*first, others));
    let (kind, media_type) = kind_of(first);
    let text = |octets: &[u8]| String::from_utf8_lossy(octets).into_owned();
    let given = |octets: &[u8]| Some(text(octets)).filter(|text| !text.is_empty());
    let mut entry = Entry::new(url_of(search, hit, first), hit.headline, kind);
    entry.size = hit.size;
    entry.media_type = media_type.map(Into::into);
    entry.hit = Some(SearchHit {
        score: hit.score,
        lines: hit.lines,
        types: types.iter().map(|wtype| text(wtype)).collect(),
        other_urls: others.iter().map(|wtype| url_of(search, hit, wtype)).collect(),
        date: given(hit.date).filter(|date| date != "0"),
        source: given(hit.source),
    });
    entry
}

/// The types that servers of the time used.
fn kind_of(wtype: &[u8]) -> (EntryKind, Option<&'static str>) {
    let kind = match wtype {
        b"TEXT" | b"HTML" | b"WSRC" => EntryKind::Text,
        _ => EntryKind::Binary,
    };
    (kind, internal::wais_media_type(wtype))
}

/// The octets of an identifier that are not escaped: every edition allows them, and no other program
/// changes them.
const PLAIN: AsciiSet = AsciiSet::UNRESERVED.difference(AsciiSet::of(b"~"));

/// Returns the URL of a document: as RFC 1738 writes it, or as the drafts did if it is read by one of
/// them. Reading it must give the identifier again, octet by octet.
fn url_of(
    Search { url, edition }: Search<'_>,
    hit: &wais::Hit<'_>,
    wtype: &[u8],
) -> Result<UriBuf, EntryError> {
    if hit.identifier.is_empty() || wtype.is_empty() {
        return Err(EntryError::Line);
    }
    let searched = WaisUrl::of(url).map_err(|_| EntryError::NotExpressible)?;
    let parts = WaisParts::new(searched.login.parts(), searched.database);
    let identifier = PctString::encode(hit.identifier, PLAIN);
    let whole = parts.clone().document(wtype, Value::Encoded(identifier.as_str())).build_with(edition);
    if let Some(whole) = whole.ok().filter(|built| leads_to(built, hit.identifier, wtype)) {
        return Ok(whole);
    }
    let in_fields = parts.document(wtype, hit.identifier).length(hit.size.unwrap_or_default());
    let in_fields = in_fields.build_with(edition)?;
    if leads_to(&in_fields, hit.identifier, wtype) { Ok(in_fields) } else { Err(EntryError::NotExpressible) }
}

fn leads_to(url: &UriBuf, identifier: &[u8], wtype: &[u8]) -> bool {
    WaisUrl::of(*url.as_uri()).is_ok_and(|url| match url.object {
        WaisObject::Document(document) => {
            *document.wtype.decode() == *wtype
                && document.identifier().is_ok_and(|octets| octets == identifier)
        }
        _ => false,
    })
}

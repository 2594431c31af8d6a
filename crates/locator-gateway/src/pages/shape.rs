//! What a page of an object looks like: takes the kind that its plan states, its media type, its name and
//! its first octets.

use locator::UriRef;
use locator::plan::ObjectKind;
use locator_fetch::entries::is_list;

use locator_web::report::visible::looks_binary;

/// What a page of an object looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    List,
    Text,
    /// An article or a mail.
    Article,
    Html,
    /// An image of a type that browsers show.
    Image(&'static str),
    /// Octets that are saved to a file.
    Binary,
}

impl Shape {
    /// Returns the shape of an object; `start` is its first octets.
    pub(super) fn of(kind: ObjectKind, media_type: Option<&str>, url: UriRef<'_>, start: &[u8]) -> Self {
        let media_type = media_type.and_then(|stated| stated.split(';').next()).unwrap_or_default();
        let stated = media_type.trim().to_ascii_lowercase();
        match kind {
            _ if is_list(kind) => Self::List,
            ObjectKind::Article => Self::Article,
            _ if !stated.is_empty() && stated != "application/octet-stream" => Self::of_type(&stated, start),
            ObjectKind::Binary | ObjectKind::Unknown | ObjectKind::Text => match by_name(url, kind) {
                Some(named) => Self::of_type(named, start),
                None if kind == ObjectKind::Text => Self::Text,
                None => Self::guess(start),
            },
            _ => Self::Text,
        }
    }

    fn of_type(media_type: &str, start: &[u8]) -> Self {
        match media_type {
            "text/html" | "application/xhtml+xml" => Self::Html,
            "message/rfc822" | "message/news" => Self::Article,
            "application/json" | "application/xml" => Self::Text,
            _ if media_type.starts_with("text/") => Self::Text,
            _ => match IMAGES.iter().find(|image| **image == media_type) {
                Some(image) => Self::Image(image),
                None => Self::guess(start),
            },
        }
    }

    fn guess(start: &[u8]) -> Self {
        let image = SIGNATURES.iter().find(|(signature, _)| start.starts_with(signature));
        match image {
            Some((_, media_type)) => Self::Image(media_type),
            None if looks_binary(start) => Self::Binary,
            None => Self::Text,
        }
    }
}

/// The types of images that browsers show.
const IMAGES: [&str; 7] =
    ["image/gif", "image/jpeg", "image/png", "image/webp", "image/svg+xml", "image/bmp", "image/avif"];

const SIGNATURES: [(&[u8], &str); 4] = [
    (b"GIF8", "image/gif"),
    (b"\x89PNG\r\n\x1A\n", "image/png"),
    (b"\xFF\xD8\xFF", "image/jpeg"),
    (b"BM", "image/bmp"),
];

/// The types of names of files.
const SUFFIXES: [(&str, &str); 11] = [
    ("html", "text/html"),
    ("htm", "text/html"),
    ("gif", "image/gif"),
    ("jpg", "image/jpeg"),
    ("jpeg", "image/jpeg"),
    ("png", "image/png"),
    ("webp", "image/webp"),
    ("svg", "image/svg+xml"),
    ("avif", "image/avif"),
    ("txt", "text/plain"),
    ("eml", "message/rfc822"),
];

/// Returns the type of the last suffix of a URL's path. A text may only be HTML.
fn by_name(url: UriRef<'_>, kind: ObjectKind) -> Option<&'static str> {
    let path = url.path().as_str();
    let name = path.split(';').next()?.rsplit('/').next()?;
    let suffix = name.rsplit_once('.')?.1.to_ascii_lowercase();
    let (_, named) = SUFFIXES.iter().find(|(known, _)| *known == suffix)?;
    (kind != ObjectKind::Text || *named == "text/html").then_some(*named)
}

/// Returns the parameter "charset" of a media type.
pub(super) fn charset(media_type: &str) -> Option<String> {
    media_type.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        let is_it = name.trim().eq_ignore_ascii_case("charset");
        is_it.then(|| value.trim().trim_matches('"').to_owned()).filter(|value| !value.is_empty())
    })
}

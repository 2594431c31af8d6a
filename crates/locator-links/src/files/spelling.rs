//! References with other names of files and headings, written as the old ones were.

use locator::{AsciiSet, PctString};

use super::neighbours::Respelled;
use crate::anchors::decoded_fragment;

/// What is not escaped in a suggestion (RFC 3986, 2.3).
const KEPT: AsciiSet = AsciiSet::ALPHA.union(AsciiSet::DIGIT).union(AsciiSet::of(b"-._~"));

/// Returns a reference with another name of the file.
pub(crate) fn with_name(url: &str, name: &str) -> String {
    let end = url.find(['?', '#']).unwrap_or(url.len());
    let start = url[..end].trim_end_matches('/').rfind('/').map_or(0, |at| at + 1);
    format!("{}{}{}", &url[..start], written(&url[start..end], name), &url[end..])
}

/// Returns a name as it is written in a URL where `old` was: characters that `old` has unescaped are not
/// escaped.
pub(crate) fn written(old: &str, name: &str) -> String {
    let is_ascii = old.is_ascii();
    let keeps = |character: char| match character {
        '%' | '?' | '#' | '/' | '\\' => false,
        _ if character.is_ascii() => old.contains(character),
        _ => !is_ascii,
    };
    let mut text = String::with_capacity(name.len());
    for character in name.chars() {
        match keeps(character) {
            true => text.push(character),
            false => text.push_str(PctString::encode(character.encode_utf8(&mut [0; 4]), KEPT).as_str()),
        }
    }
    text
}

/// Returns a reference with other names in its path; `None` if it does not have the old ones as they are.
pub(crate) fn with_names(url: &str, names: &[Respelled]) -> Option<String> {
    let end = url.find(['?', '#']).unwrap_or(url.len());
    let (path, rest) = url.split_at(end);
    let stem = path.trim_end_matches('/');
    let mut segments: Vec<String> = stem.split('/').map(str::to_owned).collect();
    for Respelled { after, old, new } in names {
        let at = segments.len().checked_sub(after + 1)?;
        let is_plain = |segment: &String| !matches!(segment.as_str(), "" | "." | "..");
        if !segments.get(at..)?.iter().all(is_plain) {
            return None;
        }
        let segment = segments.get_mut(at)?;
        if decoded_fragment(segment) != *old {
            return None;
        }
        *segment = written(segment, new);
    }
    Some(format!("{}{}{rest}", segments.join("/"), &path[stem.len()..]))
}

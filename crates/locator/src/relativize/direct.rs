//! The shortest reference where it is plain to see: a base whose directory is plain and a target without
//! dot segments enter, the reference and its parts leave, by arithmetic.
//!
//! What is not of this form is `None`, and left to the search of [`super`], which tries every form that
//! there is and is the law: what both know, they answer alike.

use alloc::string::String;

use super::common_directory;
use crate::dots::end_of_last;
use crate::edition::Empty;
use crate::part::{HostKind, Parts};
use crate::reference::{Uri, UriRefBuf};
use crate::resolve::{Ground, ResolveOptions};

/// The shortest reference, if it is plain to see.
pub(super) fn direct(ground: &Ground<'_>, target: Uri<'_>, options: ResolveOptions) -> Option<UriRefBuf> {
    let (base, edition) = (ground.base.parts(), ground.edition());
    let directory_end = ground.directory_in_sight?.end;
    let plain = options == ResolveOptions::new()
        && ground.rule.empty == Empty::Base
        && ground.rule.query_keeps_path
        && !edition.colon_in_first_segment;
    let (text, parts) = (target.as_str(), target.parts());
    let path = &text[parts.path_start as usize..parts.path_end as usize];
    if !plain || parts.start > 0 || end_of_last(path, &edition.table) > 0 {
        return None;
    }
    let base_text = ground.base.as_str();
    let scheme = &base_text[..=base.scheme_end as usize];
    if base_text[..base.path_start as usize] != text[..parts.path_start as usize] {
        let same_scheme = parts.has_authority && text.starts_with(scheme);
        return Some(if same_scheme { network_path(target) } else { target.to_owned().into() });
    }
    if base_text[base.path_start as usize..base.path_end as usize] == *path {
        if base_text[base.path_end as usize..] == text[parts.path_end as usize..parts.query_end as usize] {
            return Some(written(["", "", ""], 0, target, parts.query_end));
        }
        if parts.path_end < parts.query_end {
            return Some(written(["", "", ""], 0, target, parts.path_end));
        }
    }
    if path.is_empty() {
        return Some(network_path(target));
    }
    let directory = &base_text[base.path_start as usize..directory_end];
    Some(with_path(if directory.is_empty() { "/" } else { directory }, path, target))
}

/// "../" as often as it must be, then what is left of the path; or the whole path, if that is shorter.
fn with_path(directory: &str, path: &str, target: Uri<'_>) -> UriRefBuf {
    let common = common_directory(directory, path);
    let (steps, rest) = (count_slashes(&directory[common..]), &path[common..]);
    let behind = target.parts().path_end;
    // A path that begins with "//" would be an authority.
    let shield = if path.starts_with("//") { "/." } else { "" };
    let dot = match (steps, rest) {
        (0, "") => ".",
        // An empty first segment would make it an absolute path, one with a ":" a scheme.
        (0, _) if rest.starts_with('/') || colon_in_first_segment(rest) => "./",
        _ => "",
    };
    let last_slash = usize::from(rest.is_empty() && steps > 0);
    if dot.len() + 3 * steps - last_slash + rest.len() > shield.len() + path.len() {
        return written([shield, path, ""], 0, target, behind);
    }
    match last_slash {
        0 => written([dot, "", rest], steps, target, behind),
        _ => written(["", "", ".."], steps - 1, target, behind),
    }
}

fn count_slashes(text: &str) -> usize {
    text.bytes().filter(|&octet| octet == b'/').count()
}

fn colon_in_first_segment(path: &str) -> bool {
    path.bytes().find(|octet| matches!(octet, b'/' | b':')) == Some(b':')
}

/// A reference without a scheme and an authority: two pieces of a path, steps up, another piece, and what
/// the target has from `behind` on.
fn written(pieces: [&str; 3], steps: usize, target: Uri<'_>, behind: u32) -> UriRefBuf {
    let (parts, [first, second, last]) = (target.parts(), pieces);
    let tail = &target.as_str()[behind as usize..];
    let path_end = first.len() + second.len() + 3 * steps + last.len();
    let mut text = String::with_capacity(path_end + tail.len());
    text.push_str(first);
    text.push_str(second);
    (0..steps).for_each(|_| text.push_str("../"));
    text.push_str(last);
    text.push_str(tail);
    let parts = Parts {
        scheme_end: 0,
        host_start: 0,
        host_end: 0,
        path_start: 0,
        path_end: path_end as u32,
        query_end: path_end as u32 + (parts.query_end - behind),
        len: text.len() as u32,
        start: 0,
        has_authority: false,
        host_kind: HostKind::Empty,
    };
    UriRefBuf::of_parts(text, parts, target.edition())
}

/// The target without its scheme.
fn network_path(target: Uri<'_>) -> UriRefBuf {
    let parts = target.parts();
    let from = parts.scheme_end + 1;
    let parts = Parts {
        scheme_end: 0,
        host_start: parts.host_start - from,
        host_end: parts.host_end - from,
        path_start: parts.path_start - from,
        path_end: parts.path_end - from,
        query_end: parts.query_end - from,
        len: parts.len - from,
        ..parts
    };
    UriRefBuf::of_parts(target.as_str()[from as usize..].into(), parts, target.edition())
}

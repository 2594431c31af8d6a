//! The fast path of relativizing. Takes a base with a simple directory and a target without dot
//! segments, and computes the reference and its components from offsets.
//!
//! Returns `None` for other cases. For those the search of [`super`] tries every form and is the
//! reference implementation; both give the same results.

use alloc::string::String;

use crate::edition::SameDocument;
use crate::reference::{Uri, UriRefBuf};
use crate::resolve::dots::end_of_last;
use crate::resolve::{ResolutionBase, ResolveOptions};
use crate::span::{ComponentSpans, HostKind};

/// The form of a shortest reference.
enum Form<'a> {
    /// The target from an offset: all of it, or without its scheme.
    End { from: u32 },
    /// A path, and the text of the target from an offset.
    Path { pieces: [&'a str; 2], steps: usize, last: &'a str, after: u32 },
}

/// Returns the shortest reference, if the fast path can find it.
///
/// The result is built in one place: returning component spans that were just written would copy
/// them, and a copy waits for each write.
#[inline(always)]
pub(super) fn direct(
    ground: &ResolutionBase<'_>,
    target: &Uri<'_>,
    options: ResolveOptions,
) -> Option<UriRefBuf> {
    let (text, parts) = match form(ground, target, options)? {
        Form::End { from } => {
            (target.as_str()[from as usize..].into(), without_beginning(target.spans(), from))
        }
        Form::Path { pieces, steps, last, after } => {
            let tail = &target.as_str()[after as usize..];
            let path_end = pieces[0].len() + pieces[1].len() + 3 * steps + last.len();
            let mut text = String::with_capacity(path_end + tail.len());
            text.push_str(pieces[0]);
            text.push_str(pieces[1]);
            (0..steps).for_each(|_| text.push_str("../"));
            text.push_str(last);
            text.push_str(tail);
            let query_end = path_end as u32 + (target.spans().query_end - after);
            let len = text.len() as u32;
            (text, ComponentSpans { path_end: path_end as u32, query_end, len, ..NOTHING })
        }
    };
    Some(UriRefBuf::of_parts(text, parts, target.edition()))
}

/// The component spans of an empty reference.
const NOTHING: ComponentSpans = ComponentSpans {
    scheme_end: 0,
    host_start: 0,
    host_end: 0,
    path_start: 0,
    path_end: 0,
    query_end: 0,
    len: 0,
    start: 0,
    has_authority: false,
    host_kind: HostKind::Empty,
};

/// Returns the component spans of the rest of a target: all of it, or the text after its scheme.
#[inline(always)]
fn without_beginning(parts: ComponentSpans, from: u32) -> ComponentSpans {
    ComponentSpans {
        scheme_end: if from > 0 { 0 } else { parts.scheme_end },
        host_start: parts.host_start - from,
        host_end: parts.host_end - from,
        path_start: parts.path_start - from,
        path_end: parts.path_end - from,
        query_end: parts.query_end - from,
        len: parts.len - from,
        ..parts
    }
}

/// Returns the form of the reference, if the fast path can find it.
#[inline(always)]
fn form<'a>(
    ground: &'a ResolutionBase<'_>,
    target: &'a Uri<'_>,
    options: ResolveOptions,
) -> Option<Form<'a>> {
    let (base, edition) = (ground.base.spans(), ground.edition());
    let directory_end = ground.directory_in_sight?.end;
    let plain = options == ResolveOptions::new()
        && ground.rule.empty == SameDocument::Base
        && ground.rule.query_keeps_path
        && !edition.colon_in_first_segment;
    let (text, parts) = (target.as_str(), target.spans());
    let path = &text[parts.path_start as usize..parts.path_end as usize];
    if !plain || parts.start > 0 || end_of_last(path, &edition.table) > 0 {
        return None;
    }
    let network_path = Form::End { from: parts.scheme_end + 1 };
    let base_text = ground.base.as_str();
    let scheme = &base_text[..=base.scheme_end as usize];
    if base_text[..base.path_start as usize] != text[..parts.path_start as usize] {
        let same_scheme = parts.has_authority && text.starts_with(scheme);
        return Some(if same_scheme { network_path } else { Form::End { from: 0 } });
    }
    if base_text[base.path_start as usize..base.path_end as usize] == *path {
        let no_path = |after| Some(Form::Path { pieces: ["", ""], steps: 0, last: "", after });
        if base_text[base.path_end as usize..] == text[parts.path_end as usize..parts.query_end as usize] {
            return no_path(parts.query_end);
        }
        if parts.path_end < parts.query_end {
            return no_path(parts.path_end);
        }
    }
    if path.is_empty() {
        return Some(network_path);
    }
    let directory = &base_text[base.path_start as usize..directory_end];
    Some(with_path(if directory.is_empty() { "/" } else { directory }, path, parts.path_end))
}

/// Returns as few "../" as possible and the rest of the path, or the whole path if that is shorter.
#[inline]
fn with_path<'a>(directory: &str, path: &'a str, after: u32) -> Form<'a> {
    let common = common_directory(directory, path);
    let (steps, rest) = (count_slashes(&directory[common..]), &path[common..]);
    // A path that begins with "//" would be an authority.
    let prefix = if path.starts_with("//") { "/." } else { "" };
    let dot = match (steps, rest) {
        (0, "") => ".",
        // An empty first segment would make it an absolute path, one with a ":" a scheme.
        (0, _) if rest.starts_with('/') || colon_in_first_segment(rest) => "./",
        _ => "",
    };
    let last_slash = usize::from(rest.is_empty() && steps > 0);
    if dot.len() + 3 * steps - last_slash + rest.len() > prefix.len() + path.len() {
        return Form::Path { pieces: [prefix, path], steps: 0, last: "", after };
    }
    match last_slash {
        0 => Form::Path { pieces: [dot, ""], steps, last: rest, after },
        _ => Form::Path { pieces: ["", ""], steps: steps - 1, last: "..", after },
    }
}

fn count_slashes(text: &str) -> usize {
    text.bytes().filter(|&octet| octet == b'/').count()
}

fn colon_in_first_segment(path: &str) -> bool {
    path.bytes().find(|octet| matches!(octet, b'/' | b':')) == Some(b':')
}

/// Returns the end of the segments that a directory and a path have in common.
pub(super) fn common_directory(directory: &str, path: &str) -> usize {
    let pairs = directory.bytes().zip(path.bytes());
    let same = pairs.take_while(|(ours, theirs)| ours == theirs).count();
    directory.as_bytes()[..same].iter().rposition(|octet| *octet == b'/').map_or(0, |slash| slash + 1)
}

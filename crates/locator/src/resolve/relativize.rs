//! The inverse of resolving. Takes a base and a target and returns the shortest reference that
//! resolves to exactly that target.
//!
//! The shortest reference has one of few forms: empty, a query, a relative path with as few ".." as
//! possible, an absolute path, a network path, or the target itself. Each is written and resolved;
//! a candidate that does not resolve to the target is discarded. `locator-dev` tries all other
//! forms to show that no shorter one exists.
//!
//! The fast path of relativizing. Takes a base with a simple directory and a target without dot
//! segments, and computes the reference and its components from offsets.
//!
//! Returns `None` for other cases. For those the search of [`super`] tries every form and is the
//! reference implementation; both give the same results.

use alloc::string::String;
use core::mem;

use crate::compose::{self, Components};
use crate::edition::{SameDocument, Slash};
use crate::reference::{Uri, UriRef, UriRefBuf};
use crate::resolve::directory::ResolutionBase;
use crate::resolve::dots::end_of_last;
use crate::resolve::{ResolveError, ResolveOptions};
use crate::span::{ComponentSpans, HostKind};

/// Returns the shortest reference from a base to a target.
#[inline(always)]
pub(crate) fn shortest(
    ground: &ResolutionBase<'_>,
    target: Uri<'_>,
    options: ResolveOptions,
) -> Result<UriRefBuf, ResolveError> {
    let (base, other) = (ground.edition(), target.edition());
    if base != other {
        return Err(ResolveError::EditionsDiffer { base, other });
    }
    match direct(ground, &target, options) {
        Some(reference) => Ok(reference),
        None => search(ground, target, options),
    }
}

/// Returns the shortest reference by trying all forms.
#[inline(never)]
fn search(
    ground: &ResolutionBase<'_>,
    target: Uri<'_>,
    options: ResolveOptions,
) -> Result<UriRefBuf, ResolveError> {
    let edition = ground.edition();
    let components = Components { prefix: None, ..Components::of(target) };
    let mut search = ShortestSearch {
        ground,
        options,
        target: components,
        text: target.as_str(),
        shortest: None,
        written: String::new(),
        resolved: String::new(),
    };
    search.try_all();
    match search.shortest.map(|text| UriRefBuf::from_string_with(text, edition)) {
        Some(Ok(reference)) => Ok(reference),
        _ => {
            let strict = options.same_scheme(false);
            let by_scheme = strict != options && self::search(ground, target, strict).is_ok();
            Err(ResolveError::Unreachable { edition, by_scheme })
        }
    }
}

/// The best reference so far, and a buffer to write in.
struct ShortestSearch<'s> {
    ground: &'s ResolutionBase<'s>,
    options: ResolveOptions,
    target: Components<'s>,
    text: &'s str,
    shortest: Option<String>,
    written: String,
    resolved: String,
}

impl ShortestSearch<'_> {
    /// Of two equally short references, the one that depends more on the base is tried first.
    fn try_all(&mut self) {
        let (target, base) = (self.target, Components::of(self.ground.base));
        let network_path = Components { scheme: None, ..target };
        if target.scheme == base.scheme {
            if target.authority == base.authority {
                let target = Components { authority: None, ..network_path };
                self.try_paths(target);
                if self.options.path_relative && self.shortest.is_some() {
                    return;
                }
                self.try_one(target);
            }
            self.try_one(network_path);
        }
        self.try_one(target);
    }

    /// Tries the references without a scheme, an authority and a leading "/".
    fn try_paths(&mut self, target: Components<'_>) {
        let without_path = Components { path: "", ..target };
        self.try_one(Components { query: None, ..without_path });
        self.try_one(without_path);
        let mut directory = String::new();
        if self.ground.write_directory(self.options, &mut directory) {
            self.try_relative(&directory, target.path);
            // A target without an authority may have a disambiguating prefix in its path, which the
            // merged path need not have.
            if target.path.starts_with("/.//") {
                self.try_relative(&directory, &target.path[2..]);
            }
        }
    }

    /// Tries relative paths to `path`, from a directory without dot segments.
    fn try_relative(&mut self, directory: &str, path: &str) {
        if self.ground.rule.slash == Slash::Before {
            self.try_last_element(directory, path);
        }
        let query = self.target.query;
        match query {
            // If the query is appended before dot segments are removed, its slashes belong to the
            // path.
            Some(query) if self.ground.rule.query_before_dots => {
                self.try_steps(directory, &[path, "?", query].concat(), None);
            }
            _ => self.try_steps(directory, path, query),
        }
    }

    /// Tries as few ".." as possible, then the rest of the path.
    fn try_steps(&mut self, directory: &str, path: &str, query: Option<&str>) {
        let common = common_directory(directory, path);
        let (above, rest) = (&directory[common..], &path[common..]);
        let steps = "../".repeat(above.matches('/').count());
        if rest.is_empty() {
            self.try_relative_path(steps.strip_suffix('/').unwrap_or("."), query);
            self.try_relative_path(if steps.is_empty() { "./" } else { &steps }, query);
            return;
        }
        // An empty first segment would make it an absolute path.
        let dot = if steps.is_empty() && rest.starts_with('/') { "./" } else { "" };
        self.try_relative_path(&[dot, &steps, rest].concat(), query);
    }

    /// Where dots leave no slash, they can name an element above: "..", "../..".
    fn try_last_element(&mut self, directory: &str, path: &str) {
        let Some(above) = directory.strip_prefix(path).and_then(|rest| rest.strip_prefix('/')) else {
            return;
        };
        let steps = "../".repeat(above.matches('/').count());
        self.try_relative_path(steps.strip_suffix('/').unwrap_or("."), self.target.query);
    }

    /// The path may be followed by a query.
    fn try_relative_path(&mut self, path: &str, query: Option<&str>) {
        let (path, query) = path.split_once('?').map_or((path, query), |(path, query)| (path, Some(query)));
        let (target, fragment) = (self.target, self.target.fragment);
        self.try_one(Components { scheme: None, authority: None, path, query, fragment, ..target });
    }

    /// Writes a reference, and keeps it if it is shorter and resolves to the target.
    fn try_one(&mut self, components: Components<'_>) {
        self.written.clear();
        compose::append(&mut self.written, &components.pieces());
        if self.shortest.as_ref().is_some_and(|shortest| shortest.len() <= self.written.len()) {
            return;
        }
        let Ok(reference) = UriRef::parse_with(&self.written, self.ground.edition()) else { return };
        let resolved = self.ground.write(&reference, self.options, &mut self.resolved);
        if resolved == Ok(true) && self.resolved == self.text {
            self.shortest = Some(mem::take(&mut self.written));
        }
    }
}

/// The form of a shortest reference.
enum ShortestForm<'a> {
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
fn direct(ground: &ResolutionBase<'_>, target: &Uri<'_>, options: ResolveOptions) -> Option<UriRefBuf> {
    let (text, parts) = match form(ground, target, options)? {
        ShortestForm::End { from } => {
            (target.as_str()[from as usize..].into(), without_beginning(target.spans(), from))
        }
        ShortestForm::Path { pieces, steps, last, after } => {
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
) -> Option<ShortestForm<'a>> {
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
    let network_path = ShortestForm::End { from: parts.scheme_end + 1 };
    let base_text = ground.base.as_str();
    let scheme = &base_text[..=base.scheme_end as usize];
    if base_text[..base.path_start as usize] != text[..parts.path_start as usize] {
        let same_scheme = parts.has_authority && text.starts_with(scheme);
        return Some(if same_scheme { network_path } else { ShortestForm::End { from: 0 } });
    }
    if base_text[base.path_start as usize..base.path_end as usize] == *path {
        let no_path = |after| Some(ShortestForm::Path { pieces: ["", ""], steps: 0, last: "", after });
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
fn with_path<'a>(directory: &str, path: &'a str, after: u32) -> ShortestForm<'a> {
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
        return ShortestForm::Path { pieces: [prefix, path], steps: 0, last: "", after };
    }
    match last_slash {
        0 => ShortestForm::Path { pieces: [dot, ""], steps, last: rest, after },
        _ => ShortestForm::Path { pieces: ["", ""], steps: steps - 1, last: "..", after },
    }
}

fn count_slashes(text: &str) -> usize {
    text.bytes().filter(|&octet| octet == b'/').count()
}

fn colon_in_first_segment(path: &str) -> bool {
    path.bytes().find(|octet| matches!(octet, b'/' | b':')) == Some(b':')
}

/// Returns the end of the segments that a directory and a path have in common.
fn common_directory(directory: &str, path: &str) -> usize {
    let pairs = directory.bytes().zip(path.bytes());
    let same = pairs.take_while(|(ours, theirs)| ours == theirs).count();
    directory.as_bytes()[..same].iter().rposition(|octet| *octet == b'/').map_or(0, |slash| slash + 1)
}

//! The inverse of resolving. Takes a base and a target and returns the shortest reference that
//! resolves to exactly that target.
//!
//! The shortest reference has one of few forms: empty, a query, a relative path with as few ".." as
//! possible, an absolute path, a network path, or the target itself. Each is written and resolved;
//! a candidate that does not resolve to the target is discarded. `locator-dev` tries all other
//! forms to show that no shorter one exists.

mod fast;

use alloc::string::String;
use core::mem;

use crate::compose::{self, Components};
use crate::edition::Slash;
use crate::reference::{Uri, UriRef, UriRefBuf};
use crate::resolve::{ResolutionBase, ResolveError, ResolveOptions};

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
    match fast::direct(ground, &target, options) {
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
    let mut search = Search {
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
struct Search<'s> {
    ground: &'s ResolutionBase<'s>,
    options: ResolveOptions,
    target: Components<'s>,
    text: &'s str,
    shortest: Option<String>,
    written: String,
    resolved: String,
}

impl Search<'_> {
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
        let common = fast::common_directory(directory, path);
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

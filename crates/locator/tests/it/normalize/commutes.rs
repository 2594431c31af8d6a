//! A base and a reference enter; that resolving them and normalising them may be done in either
//! order is checked, where it must hold. `fuzz/fuzz_targets/commute.rs` tells why it must hold
//! there and why not elsewhere.

use locator::scheme::{self, Equivalences};
use locator::{Base, Component, Level, Resolved, UriRef, edition};

/// Checks it on both levels of normalising.
pub(crate) fn obeys(base: UriRef<'_>, reference: UriRef<'_>) {
    for level in [Level::Syntax, Level::Scheme] {
        if must_hold(base, reference, level) {
            let [given, normal] = targets(base, reference, level);
            assert_eq!(given, normal, "{level:?} by {}: {reference} against {base}", base.edition());
        }
    }
}

/// The normal forms of the target, from both as given and from their normal forms.
pub(crate) fn targets(base: UriRef<'_>, reference: UriRef<'_>, level: Level) -> [Option<String>; 2] {
    let (one, other) = (base.normalize(level), reference.normalize(level));
    [target(base, reference, level), target(one.as_uri_ref(), other.as_uri_ref(), level)]
}

/// The normal form of the target; none if there is no target.
fn target(base: UriRef<'_>, reference: UriRef<'_>, level: Level) -> Option<String> {
    match Base::try_from(base).ok()?.resolve(reference).ok()? {
        Resolved::Uri(uri) => Some(uri.as_uri().normalize(level).into_string()),
        Resolved::CurrentDocument { .. } => None,
    }
}

/// Whether the law is about these.
pub(crate) fn must_hold(base: UriRef<'_>, reference: UriRef<'_>, level: Level) -> bool {
    let has_own_path =
        reference.scheme().is_some() || reference.authority().is_some() || reference.path().is_absolute();
    let takes_path = !has_own_path && reference.path().is_empty();
    let merges = !has_own_path && (!takes_path || reference.query().is_some());
    // 1. The last segment of a base goes before it means anything.
    if merges && base.path().segments().next_back().is_some_and(|last| is_dots(last.as_str())) {
        return false;
    }
    // 2. What is a step once its escape is undone, and a name before.
    if [&edition::RFC3986, &edition::RFC3987].contains(&base.edition()) {
        let hierarchical = base.authority().is_some() || base.path().is_absolute();
        let path = if has_own_path || takes_path { String::new() } else { directory(base) };
        let path = path + reference.path().as_str();
        let mut from_escaped = path.split('/').skip_while(|segment| !is_escaped_dots(segment)).peekable();
        let is_escaped = from_escaped.peek().is_some();
        let keeps_scheme = reference.scheme().is_none();
        let hierarchical = hierarchical && base.scheme().is_none_or(|name| is_hierarchical(name.as_str()));
        if is_escaped && (keeps_scheme && !hierarchical || from_escaped.any(|segment| segment == "..")) {
            return false;
        }
    }
    // 3. A scheme's rule is about the whole path, and this will be another one.
    let path = |level| base.normalize(level).as_uri_ref().path().as_str().to_owned();
    let is_schemes = !base.path().is_empty() && path(Level::Scheme) != path(Level::Syntax);
    if level == Level::Scheme && is_schemes && !has_own_path {
        return false;
    }
    // 6. An empty path is "/" in the normal form, but not before a "?" that is data in it, as in ftp and gopher.
    let is_asked =
        takes_path && reference.query().is_some() && base.path().is_empty() && base.query().is_none();
    if level == Level::Scheme && is_asked && path(Level::Scheme) == "/" {
        let target = target(base, reference, level);
        if target.is_some_and(|target| UriRef::parse(&target).is_ok_and(|target| target.path().is_empty())) {
            return false;
        }
    }
    // 4. The scheme implies an authority for the base. The target has a "/." that an authority makes
    //    needless, and that stays where dots are not removed.
    // 5. Or the target has no path, so the scheme does not imply one for the target.
    let gains_authority =
        base.authority().is_none() && base.normalize(level).as_uri_ref().authority().is_some();
    !gains_authority
        || !target_path(base, reference).is_some_and(|path| path.starts_with("/.//") || path.is_empty())
}

/// Returns the path of the target; `None` if there is no target.
fn target_path(base: UriRef<'_>, reference: UriRef<'_>) -> Option<String> {
    let target = Base::try_from(base).ok()?.resolve(reference).ok()?.into_uri()?;
    Some(target.as_uri().path().as_str().to_owned())
}

/// Whether the scheme's paths have steps.
fn is_hierarchical(name: &str) -> bool {
    scheme::lookup(name).is_none_or(Equivalences::is_hierarchical)
}

/// The path up to its last "/".
fn directory(base: UriRef<'_>) -> String {
    let path = base.component(Component::Path).unwrap_or_default();
    path[..path.rfind('/').map_or(0, |slash| slash + 1)].to_owned()
}

fn is_dots(segment: &str) -> bool {
    matches!(&segment.to_ascii_lowercase().replace("%2e", ".")[..], "." | "..")
}

fn is_escaped_dots(segment: &str) -> bool {
    segment.contains('%') && is_dots(segment)
}

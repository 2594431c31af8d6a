//! The base path that a configuration which is a program sets: a literal, or a value that only the program knows, such as one of
//! the environment.

use super::configuration::Value;
use super::model::{Lookup, SiteLink, SiteModel};
use super::program::Program;
use super::resolve::decoded;

/// Sets the base from a key of a program. If only the program knows it, links that begin with "/" and are not found may be of
/// what is around the site ([`beyond`]).
pub(crate) fn set(site: &mut SiteModel, program: &Program, key: &str) {
    let last = key.rsplit('.').next().unwrap_or(key);
    let text = program.text(key).or_else(|| program.literals(last).next());
    match text {
        Some(text) => site.set_base(text),
        None if *program.get(key) == Value::Computed => {
            site.names.insert(("base", "".into()), "".into());
        }
        None => {}
    }
}

/// Returns what is known of a link that begins with "/" and is not found on a site whose base is not known.
pub(crate) fn beyond(site: &SiteModel, link: &SiteLink<'_>) -> Option<Lookup> {
    let path = link.path();
    if !path.starts_with('/') || path.starts_with("//") || !site.names.contains_key(&("base", "".into())) {
        return None;
    }
    let path = decoded(path);
    let is_served = |path: &str| site.routes.served(path, site.serving).is_some();
    // With any base before it.
    let mut rests = path.match_indices('/').map(|(at, _)| &path[at..]).take(4);
    let found = rests.find(|rest| is_served(rest));
    match found {
        Some(rest) if rest == path => None,
        Some(rest) => Some(Lookup::Means(
            format!("{rest}{}", link.written.get(link.path().len()..).unwrap_or_default()).into(),
        )),
        None => Some(Lookup::Unknown("the configuration computes where the site is published".into())),
    }
}

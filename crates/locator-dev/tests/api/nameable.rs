//! Checks that a caller can name each type in the signatures that a set of features has: takes the
//! lines of a listing, returns the lines with a type that the same features do not make public.

use std::collections::BTreeSet;

/// The types and traits of the standard library in signatures, and `Sealed`, which nobody else is to name.
#[rustfmt::skip]
const STANDARD: &[&str] = &[
    "Arc", "AsRef", "Borrow", "Box", "Clone", "Copy", "Cow", "Debug", "Default", "Deref", "Display",
    "DoubleEndedIterator", "Eq", "Err", "Error", "ExactSizeIterator", "Fn", "FnMut", "FnOnce",
    "Formatter", "From", "FromStr", "Hash", "Hasher", "Index", "Into", "IntoIterator", "IpAddr",
    "Ipv4Addr", "Ipv6Addr", "Item", "Iterator", "Option", "Ord", "Ordering", "OsStr", "Output",
    "Owned", "PartialEq", "PartialOrd", "Path", "PathBuf", "Range", "Result", "Sealed", "Self",
    "Send", "Sized", "SocketAddr", "String", "Sync", "Target", "ToOwned", "TryFrom", "Vec",
];

/// Returns the lines of a listing that have a type without a public name, for the features in `on`.
pub(crate) fn without_a_name<'l>(listing: &'l [String], on: &[&str]) -> Vec<&'l str> {
    let lines: Vec<_> = listing.iter().filter_map(|line| Line::of(line)).collect();
    let is_off = |line: &&Line<'_>| line.features.iter().any(|feature| !on.contains(feature));
    let off: Vec<_> =
        lines.iter().filter(is_off).filter(|line| line.is_container()).map(|line| line.path).collect();
    let is_inside = |path: &str, outer: &&str| {
        path.strip_prefix(*outer).is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '.']))
    };
    let is_on = |line: &&Line<'_>| !is_off(line) && !off.iter().any(|outer| is_inside(line.path, outer));
    let names: BTreeSet<_> = lines.iter().filter(is_on).filter_map(Line::type_name).collect();
    let is_known = |word: &str| names.contains(word) || STANDARD.contains(&word);
    let is_hidden = |line: &&Line<'_>| line.path.starts_with("locator::internal");
    let signatures = lines.iter().filter(is_on).filter(|line| !is_hidden(line) && line.is_signature());
    signatures.filter(|line| !line.types().all(is_known)).map(|line| line.text).collect()
}

/// A line of a listing: `path: #[cfg(…)] item`.
struct Line<'l> {
    text: &'l str,
    path: &'l str,
    features: Vec<&'l str>,
    item: &'l str,
}

impl<'l> Line<'l> {
    fn of(text: &'l str) -> Option<Self> {
        let (path, mut item) = text.split_once(": ")?;
        let mut features = Vec::new();
        while let Some((attribute, rest)) = item.strip_prefix("#[").and_then(|item| item.split_once("] ")) {
            let named = attribute.split("feature = \"").skip(1).filter_map(|named| named.split('"').next());
            features.extend(named.filter(|_| attribute.starts_with("cfg")));
            item = rest;
        }
        Some(Self { text, path, features, item })
    }

    fn kind(&self) -> &'l str {
        self.item.split([' ', '<', ':']).next().unwrap_or_default()
    }

    /// Whether other lines are inside: without this one they have no path.
    fn is_container(&self) -> bool {
        matches!(self.kind(), "mod" | "struct" | "enum" | "trait" | "variant")
    }

    fn type_name(&self) -> Option<&'l str> {
        let is_type = matches!(self.kind(), "struct" | "enum" | "trait" | "type" | "use");
        let name = self.path.rsplit("::").next()?;
        (is_type && name.starts_with(|first: char| first.is_ascii_uppercase())).then_some(name)
    }

    fn is_signature(&self) -> bool {
        !matches!(self.kind(), "derive" | "use" | "mod" | "macro" | "variant")
    }

    /// Returns the words that are types; a parameter is one letter, a constant has no lower case.
    fn types(&self) -> impl Iterator<Item = &'l str> + use<'l> {
        let words = self.item.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '\'');
        words.filter(|word| {
            word.starts_with(|first: char| first.is_ascii_uppercase())
                && word.chars().any(|c| c.is_ascii_lowercase())
        })
    }
}

#[test]
fn a_type_that_another_feature_makes_public_is_found() {
    let listing = [
        "a::PlanError: #[cfg(feature = \"plan\")] enum",
        "a::View: struct",
        "a::View::read: fn read(&self) -> Result<String, PlanError>",
        "a::View::plan: #[cfg(feature = \"plan\")] fn plan(&self) -> Result<View, PlanError>",
        "a::View::part: fn part<T: Copy>(&self) -> Option<Hidden>",
    ]
    .map(String::from);
    assert_eq!(without_a_name(&listing, &[]), [&listing[2], &listing[4]]);
    assert_eq!(without_a_name(&listing, &["plan"]), [&listing[4]]);
}

//! Where lints that guard a rule may be turned off: `unsafe` in a few modules; sockets, look-ups of names
//! and exits (`disallowed-types` and `disallowed-methods` of `clippy.toml`) in a few files.
//!
//! An attribute is found wherever it is: on an item, in `cfg_attr`, and in the tokens of a macro. It turns a
//! lint off with its name, or with that of a group that contains it, such as `clippy::all`. Code that only
//! tests have may use anything.

use std::path::Path;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::visit::{self, Visit};
use toml::{Table, Value};

use super::source::{CrateSource, Violation};

/// The packages that do not forbid `unsafe`, and the modules that are allowed to contain it. All others
/// of these packages deny it.
const ALLOW_UNSAFE: [(&str, &[&str]); 6] = [
    ("locator-uri", &["simd"]),
    ("locator-arrow", &["views"]),
    // The macro `ctor!` allows it for what it generates.
    ("locator-cli", &[]),
    ("locator-python", &["substring"]),
    // What WebAssembly exports and imports, and an allocator.
    ("locator-page", &[""]),
    ("locator-page-ascii", &[""]),
];

const TYPES: &str = "disallowed_types";
const METHODS: &str = "disallowed_methods";

/// The files that may open sockets, look names up or exit, with the lints that they turn off. A folder
/// ends with "/".
const ALLOW_DISALLOWED: [(&str, &[&str]); 11] = [
    // The only module that connects: a policy judges each address there.
    ("crates/locator-fetch/src/net.rs", &[TYPES, METHODS]),
    // The listener of the gateway, which its user opens.
    ("crates/locator-cli/src/verbs/serve.rs", &[TYPES]),
    ("crates/locator-gateway/src/gateway.rs", &[TYPES]),
    ("crates/locator-gateway/src/listen.rs", &[TYPES]),
    ("crates/locator-gateway/src/connection.rs", &[TYPES]),
    // Servers for tests.
    ("crates/locator-dev/src/", &[TYPES]),
    // Exits: from the thread of signals, after another program, and from any thread of the engine.
    ("crates/locator-cli/src/run/interrupt.rs", &[METHODS]),
    ("crates/locator-cli/src/verbs/sql.rs", &[METHODS]),
    ("crates/locator-sql/src/main.rs", &[METHODS]),
    // `ToSocketAddrs` for the callers: nothing is connected.
    ("crates/locator/src/component/socket.rs", &[METHODS]),
    ("crates/locator-whatwg/src/url_ref.rs", &[METHODS]),
];

/// The groups of clippy that contain these lints, and the group of all warnings.
const GROUPS: [&str; 3] = ["all", "style", "warnings"];

/// Returns a violation if a crate does not forbid `unsafe`, and each place that allows it and must not.
/// `level` is that of the lint in the manifest.
pub(super) fn unsafe_code(package: &str, level: Option<&str>, source: &CrateSource) -> Vec<Violation> {
    let modules = ALLOW_UNSAFE.iter().find(|(name, _)| *name == package).map(|(_, modules)| *modules);
    let Some(root) = source.files.first() else { return Vec::new() };
    let mut violations = Vec::new();
    let forbids = level == Some("forbid") || root.syntax.attrs.iter().any(forbids_unsafe_code);
    if modules.is_none() && !forbids {
        let message = "lacks #![forbid(unsafe_code)]".to_owned();
        violations.push(Violation { path: root.path.clone(), line: 1, message });
    }
    for file in &source.files {
        if modules.is_some_and(|modules| modules.contains(&file.module_name().as_str())) {
            continue;
        }
        let lines = lowered(&file.syntax).into_iter().filter(|one| one.lint == "unsafe_code");
        violations.extend(lines.map(|one| Violation {
            path: file.path.clone(),
            line: one.line,
            message: "allows unsafe code outside the modules that need it".to_owned(),
        }));
    }
    violations
}

fn forbids_unsafe_code(attribute: &syn::Attribute) -> bool {
    let syn::Meta::List(list) = &attribute.meta else { return false };
    list.path.is_ident("forbid") && names_of(list.tokens.clone()).any(|name| name == "unsafe_code")
}

/// Returns each place that turns off the lints of sockets and exits, and is not in the list of those.
pub(super) fn disallowed(source: &CrateSource) -> Vec<Violation> {
    let mut violations = Vec::new();
    for file in &source.files {
        let allowed = ALLOW_DISALLOWED.iter().find(|(path, _)| is_at(path, &file.path));
        let allowed = allowed.map_or(&[][..], |(_, lints)| lints);
        for one in lowered(&file.syntax) {
            if turns_off_disallowed(&one.lint) && !allowed.contains(&one.lint.as_str()) {
                let lint = one.lint;
                violations.push(Violation {
                    path: file.path.clone(),
                    line: one.line,
                    message: format!(
                        "allows {lint}: only files in ALLOW_DISALLOWED of locator-dev (rules/allowed.rs) open \
                         sockets, look names up or exit"
                    ),
                });
            }
        }
    }
    violations
}

fn is_at(listed: &str, path: &str) -> bool {
    listed == path || listed.ends_with('/') && path.starts_with(listed)
}

fn turns_off_disallowed(lint: &str) -> bool {
    lint == TYPES || lint == METHODS || GROUPS.contains(&lint)
}

/// Returns the lints of a manifest (`[lints]`, `[workspace.lints]`) that turn off a rule: an allowed lint of
/// sockets and exits, or their group.
pub(super) fn lowered_by_manifest(lints: &Table) -> Vec<String> {
    let tools = lints.iter().filter_map(|(tool, lints)| Some((tool, lints.as_table()?)));
    let all = tools.flat_map(|(tool, lints)| lints.iter().map(move |(lint, level)| (tool, lint, level)));
    let is_off = |(_, lint, level): &(&String, &String, &Value)| {
        let level = level.get("level").unwrap_or(level);
        level.as_str() == Some("allow") && turns_off_disallowed(lint)
    };
    all.filter(is_off).map(|(tool, lint, _)| format!("{tool}.{lint}")).collect()
}

/// Returns a violation for each file of the list that is not in the repository.
pub(super) fn missing_files(repository: &Path) -> Vec<Violation> {
    let missing = ALLOW_DISALLOWED.iter().filter(|(path, _)| !repository.join(path).exists());
    let describe = |(path, _): &(&str, &[&str])| Violation {
        path: (*path).to_owned(),
        line: 1,
        message: "is not there: correct ALLOW_DISALLOWED of locator-dev (rules/allowed.rs)".to_owned(),
    };
    missing.map(describe).collect()
}

/// An attribute that lowers the level of a lint.
struct LoweredLint {
    line: usize,
    /// The name without its tool: `style` for `clippy::style`.
    lint: String,
}

fn lowered(file: &syn::File) -> Vec<LoweredLint> {
    let mut reader = Reader::default();
    reader.visit_file(file);
    reader.lowered
}

#[derive(Default)]
struct Reader {
    lowered: Vec<LoweredLint>,
}

impl Reader {
    /// Reads the content of an attribute: `allow(…)`, `cfg_attr(…, allow(…))`.
    fn read_attribute(&mut self, content: TokenStream) {
        let mut tokens = content.into_iter().peekable();
        while let Some(token) = tokens.next() {
            let TokenTree::Ident(name) = token else { continue };
            let Some(TokenTree::Group(group)) = tokens.peek() else { continue };
            if group.delimiter() == Delimiter::Parenthesis {
                self.read_list(&name, group.stream());
            }
        }
    }

    fn read_list(&mut self, name: &syn::Ident, content: TokenStream) {
        if ["allow", "expect", "warn"].iter().any(|level| name == level) {
            let line = name.span().start().line;
            self.lowered.extend(names_of(content).map(|lint| LoweredLint { line, lint }));
        } else if name == "cfg_attr" {
            self.read_attribute(content);
        }
    }

    /// Reads the attributes in the tokens of a macro.
    fn read_tokens(&mut self, tokens: TokenStream) {
        let mut is_after_pound = false;
        for token in tokens {
            match token {
                TokenTree::Group(group) if is_after_pound && group.delimiter() == Delimiter::Bracket => {
                    self.read_attribute(group.stream());
                    is_after_pound = false;
                }
                TokenTree::Group(group) => {
                    self.read_tokens(group.stream());
                    is_after_pound = false;
                }
                TokenTree::Punct(punct) => {
                    is_after_pound = punct.as_char() == '#' || is_after_pound && punct.as_char() == '!';
                }
                _ => is_after_pound = false,
            }
        }
    }
}

/// Returns the last name of each path in a list of paths: `style` for `clippy::style`. What has a value, such as
/// `reason = "…"`, is left out.
fn names_of(list: TokenStream) -> impl Iterator<Item = String> {
    let mut names = vec![Some(String::new())];
    for token in list {
        match (token, names.last_mut()) {
            (TokenTree::Punct(punct), _) if punct.as_char() == ',' => names.push(Some(String::new())),
            (TokenTree::Punct(punct), Some(last)) if punct.as_char() == '=' => *last = None,
            (TokenTree::Ident(name), Some(Some(last))) => *last = name.to_string(),
            _ => {}
        }
    }
    names.into_iter().flatten().filter(|name| !name.is_empty())
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
        if let syn::Meta::List(list) = &attribute.meta
            && let Some(name) = list.path.get_ident()
        {
            self.read_list(name, list.tokens.clone());
        }
    }

    fn visit_macro(&mut self, called: &'ast syn::Macro) {
        self.read_tokens(called.tokens.clone());
        visit::visit_macro(self, called);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A crate with a root and one module, which is the file `b.rs` or another.
    fn source_of(root: &str, module: &str, text: &str) -> CrateSource {
        let read = |path: &Path| {
            let is_root = path.ends_with("lib.rs");
            Ok((!path.ends_with("mod.rs"))
                .then(|| if is_root { format!("{root} mod {module};") } else { text.to_owned() }))
        };
        CrateSource::read("crates/a/src/lib.rs", &read).expect("valid Rust")
    }

    fn texts(violations: Vec<Violation>) -> Vec<String> {
        violations.into_iter().map(|one| one.to_string()).collect()
    }

    #[test]
    fn unsafe_is_forbidden_or_allowed_where_it_is_needed() {
        let messages = |name: &str, root: &str, module: &str, text: &str| {
            texts(unsafe_code(name, None, &source_of(root, module, text)))
        };
        let allow = "#![allow(unsafe_code, reason = \"a\")]";
        assert!(messages("a", "#![forbid(unsafe_code)]", "b", "").is_empty());
        assert_eq!(messages("a", "", "b", ""), ["crates/a/src/lib.rs:1: lacks #![forbid(unsafe_code)]"]);
        let conditional = "#![cfg_attr(not(test), forbid(unsafe_code))]";
        assert_eq!(messages("a", conditional, "b", "").len(), 1, "it must be forbidden everywhere");
        assert!(unsafe_code("a", Some("forbid"), &source_of("", "b", "")).is_empty());
        assert!(messages("locator-uri", "", "simd", allow).is_empty());
        let outside = ["crates/a/src/b.rs:2: allows unsafe code outside the modules that need it"];
        for text in [
            allow,
            "#[expect(unsafe_code)] fn f() {}",
            "#![cfg_attr(feature = \"a\", allow(unsafe_code))]",
            "#[cfg_attr(all(), cfg_attr(all(), allow(dead_code, unsafe_code)))] fn f() {}",
            "macro_rules! m { () => { #[allow(unsafe_code)] fn f() {} } }",
            "fn f() { m! { #![allow(unsafe_code)] } }",
        ] {
            assert_eq!(messages("locator-uri", "", "b", &format!("\n{text}")), outside, "{text}");
        }
        let other = "#![allow(dead_code, reason = \"allow(unsafe_code)\")] fn f() { expect(unsafe_code) }";
        assert!(messages("locator-uri", "", "b", other).is_empty());
    }

    #[test]
    fn sockets_and_exits_are_in_few_files() {
        let messages = |text: &str| texts(disallowed(&source_of("", "b", text)));
        for (text, lint) in [
            ("#![expect(clippy::disallowed_types, reason = \"a\")]", TYPES),
            ("#[allow(clippy::disallowed_methods)] fn f() {}", METHODS),
            ("fn f() { #[expect(clippy::disallowed_methods)] g(); }", METHODS),
            ("#![cfg_attr(unix, allow(clippy::disallowed_types))]", TYPES),
            ("macro_rules! m { () => { #[allow(clippy::disallowed_types)] fn f() {} } }", TYPES),
            ("#![allow(clippy::all)]", "all"),
            ("#[allow(dead_code, clippy::style)] fn f() {}", "style"),
            ("#[allow(warnings)] fn f() {}", "warnings"),
        ] {
            let begin = format!("crates/a/src/b.rs:1: allows {lint}: only files in ALLOW_DISALLOWED");
            let found = messages(text);
            assert!(found.len() == 1 && found[0].starts_with(&begin), "{text}: {found:?}");
        }
        let tests = "#[cfg(test)] mod tests { #![allow(clippy::disallowed_types)] }";
        assert!(messages(tests).is_empty(), "tests have servers of their own");
        assert!(messages("#[allow(dead_code)] fn f() { a.expect(style) }").is_empty());
    }

    #[test]
    fn a_listed_file_turns_off_its_own_lints_only() {
        let of = |path: &str, text: &str| {
            let mut source = source_of("", "b", text);
            source.files.retain(|file| file.path.ends_with("/b.rs"));
            source.files[0].path = path.to_owned();
            disallowed(&source).len()
        };
        let both = "#![expect(clippy::disallowed_types, clippy::disallowed_methods)]";
        assert_eq!(of("crates/locator-fetch/src/net.rs", both), 0);
        assert_eq!(of("crates/locator-gateway/src/connection.rs", both), 1);
        assert_eq!(of("crates/locator-dev/src/wais.rs", "#![expect(clippy::disallowed_types)]"), 0);
        assert_eq!(of("crates/locator-fetch/src/net/tls.rs", both), 2);
    }

    #[test]
    fn every_listed_file_is_there() {
        let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        assert_eq!(texts(missing_files(&repository)), [""; 0]);
        let empty = texts(missing_files(Path::new("no/such/folder")));
        assert_eq!(empty.len(), ALLOW_DISALLOWED.len());
        assert!(empty[0].starts_with("crates/locator-fetch/src/net.rs:1: is not there"), "{empty:?}");
    }

    #[test]
    fn manifests_turn_nothing_off() {
        let lints = |text: &str| lowered_by_manifest(&text.parse::<Table>().expect("valid TOML"));
        assert_eq!(lints("rust.warnings = 'allow'"), ["rust.warnings"]);
        let both = "[clippy]\ndisallowed_types = 'allow'\nall = { level = 'allow', priority = -1 }";
        assert_eq!(lints(both), ["clippy.all", "clippy.disallowed_types"]);
        assert!(
            lints("[clippy]\ndisallowed_types = 'deny'\nstyle = 'warn'\nunwrap_used = 'allow'").is_empty()
        );
    }
}

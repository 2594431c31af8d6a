//! The workspace has the lints that guard rules, every package has those of the workspace, and a
//! `clippy.toml` of its own contains that of the workspace, which it replaces.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use toml::{Table, Value};

use super::allowed::lowered_by_manifest;
use super::source::Violation;

/// The lints of the workspace that guard a rule, with their level. A higher level is as good.
const GUARDS: [(&str, &str, &str); 10] = [
    ("rust", "unsafe_code", "deny"),
    ("rust", "missing_docs", "warn"),
    ("rust", "unreachable_pub", "warn"),
    ("rust", "unsafe_op_in_unsafe_fn", "warn"),
    ("clippy", "dbg_macro", "warn"),
    ("clippy", "print_stderr", "warn"),
    ("clippy", "print_stdout", "warn"),
    ("clippy", "todo", "warn"),
    ("clippy", "unimplemented", "warn"),
    ("clippy", "unwrap_used", "warn"),
];

/// The levels of lints, in ascending order.
const LEVELS: [&str; 4] = ["allow", "warn", "deny", "forbid"];

/// The folders in `crates/` of the packages that read no clock, whose `clippy.toml` says so.
pub(super) const PURE: [&str; 8] = [
    "locator",
    "locator-arrow",
    "locator-audit",
    "locator-domain",
    "locator-find",
    "locator-functions",
    "locator-web",
    "locator-whatwg",
];

/// A package of the repository.
pub(super) struct Package {
    pub(super) name: String,
    /// The root files of what is built from it, without tests and examples.
    pub(super) roots: Vec<String>,
    /// Its folder, from the root of the repository.
    folder: String,
    manifest: Table,
    is_member: bool,
    /// Whether users have it: it is no benchmark and no fuzz target.
    pub(super) is_product: bool,
    /// The settings of clippy: its own, and those of the root of the repository.
    clippy: Option<Table>,
    shared_clippy: Table,
}

/// Returns what is wrong with the lints of the workspace whose root is a folder.
pub(super) fn workspace(repository: &Path) -> io::Result<Vec<Violation>> {
    Ok(workspace_lints(&read_table(&repository.join("Cargo.toml"))?.unwrap_or_default()))
}

fn workspace_lints(root: &Table) -> Vec<Violation> {
    let lints = root.get("workspace").and_then(|workspace| workspace.get("lints")?.as_table());
    let lints = lints.cloned().unwrap_or_default();
    let rank = |level: &str| LEVELS.iter().position(|known| *known == level);
    let level_of = |tool: &str, lint: &str| {
        let level = lints.get(tool)?.get(lint)?;
        rank(level.get("level").unwrap_or(level).as_str()?)
    };
    let low = GUARDS.iter().filter(|(tool, lint, least)| level_of(tool, lint) < rank(least));
    let low = low.map(|(tool, lint, least)| format!("{lint} in [workspace.lints.{tool}] is not \"{least}\""));
    let off = lowered_by_manifest(&lints).into_iter().map(allows);
    let violation = |message| Violation { path: "Cargo.toml".to_owned(), line: 1, message };
    low.chain(off).map(violation).collect()
}

fn allows(lint: String) -> String {
    format!("allows {lint}, which guards sockets and exits")
}

/// Returns the packages in a folder, by path.
pub(super) fn packages(repository: &Path) -> io::Result<Vec<Package>> {
    let root = read_table(&repository.join("Cargo.toml"))?.unwrap_or_default();
    let shared = read_table(&repository.join("clippy.toml"))?.unwrap_or_default();
    let excluded: BTreeSet<&str> = root
        .get("workspace")
        .and_then(|workspace| workspace.get("exclude")?.as_array())
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let mut packages = Vec::new();
    let mut todo = vec![String::new()];
    while let Some(folder) = todo.pop() {
        let path = repository.join(&folder);
        for entry in std::fs::read_dir(&path)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_source = !name.starts_with('.') && name != "target" && name != "testdata";
            if is_source && entry.file_type()?.is_dir() {
                todo.push(if folder.is_empty() { name } else { format!("{folder}/{name}") });
            }
        }
        let Some(manifest) = read_table(&path.join("Cargo.toml"))? else { continue };
        let Some(name) = text(&manifest, &["package", "name"]) else { continue };
        let is_excluded =
            Path::new(&folder).ancestors().any(|folder| excluded.contains(&*folder.to_string_lossy()));
        packages.push(Package {
            name,
            roots: roots_of(&path, &folder, &manifest)?,
            clippy: read_table(&path.join("clippy.toml"))?,
            shared_clippy: shared.clone(),
            is_product: !["bench", "fuzz"].iter().any(|name| Path::new(&folder).starts_with(name)),
            folder,
            manifest,
            is_member: !is_excluded,
        });
    }
    packages.sort_by(|a, b| a.folder.cmp(&b.folder));
    Ok(packages)
}

fn read_table(path: &Path) -> io::Result<Option<Table>> {
    match std::fs::read_to_string(path) {
        Ok(text) => text.parse().map(Some).map_err(|error| {
            io::Error::new(io::ErrorKind::InvalidData, format!("{}: {error}", path.display()))
        }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns the text at a path of keys.
fn text(table: &Table, keys: &[&str]) -> Option<String> {
    let (first, rest) = keys.split_first()?;
    let value = rest.iter().try_fold(table.get(*first)?, |value, key| value.get(key))?;
    value.as_str().map(str::to_owned)
}

/// Returns the root files of a package: those that Cargo finds, and those that its manifest names.
fn roots_of(path: &Path, folder: &str, manifest: &Table) -> io::Result<Vec<String>> {
    let mut roots = BTreeSet::new();
    let named = ["lib", "bin", "bench"].iter().filter_map(|kind| manifest.get(*kind));
    for target in named.flat_map(|value| value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice))
    {
        roots.extend(target.get("path").and_then(Value::as_str).map(str::to_owned));
    }
    roots.extend(["src/lib.rs", "src/main.rs", "build.rs"].map(str::to_owned));
    for within in ["src/bin", "benches"] {
        for entry in std::fs::read_dir(path.join(within)).into_iter().flatten() {
            let name = entry?.file_name().to_string_lossy().into_owned();
            roots.insert(format!("{within}/{name}"));
        }
    }
    let is_file = |root: &String| root.ends_with(".rs") && path.join(root).is_file();
    Ok(roots.into_iter().filter(is_file).map(|root| format!("{folder}/{root}")).collect())
}

impl Package {
    /// Returns the level of `unsafe_code` in the manifest of the package itself.
    pub(super) fn unsafe_code(&self) -> Option<String> {
        text(&self.manifest, &["lints", "rust", "unsafe_code"])
    }

    /// Returns what is wrong with the settings of the package.
    pub(super) fn violations(&self) -> Vec<Violation> {
        let mut messages = Vec::new();
        let lints = self.manifest.get("lints");
        let has_shared = lints.and_then(|lints| lints.get("workspace")?.as_bool()) == Some(true);
        let level = self.unsafe_code();
        if self.is_member && !has_shared {
            messages.push(("Cargo.toml", "lacks [lints] workspace = true".to_owned()));
        }
        if !self.is_member && !level.is_some_and(|level| level == "deny" || level == "forbid") {
            messages.push(("Cargo.toml", "lacks unsafe_code = \"deny\" in [lints.rust]".to_owned()));
        }
        let own = lints.and_then(Value::as_table).map(lowered_by_manifest).unwrap_or_default();
        messages.extend(own.into_iter().map(|lint| ("Cargo.toml", allows(lint))));
        if let Some(clippy) = &self.clippy {
            for entry in missing_entries(clippy, &self.shared_clippy) {
                messages.push(("clippy.toml", format!("lacks {entry}, of the clippy.toml that it replaces")));
            }
        }
        if self.folder.strip_prefix("crates/").is_some_and(|folder| PURE.contains(&folder)) {
            let methods = self.clippy.as_ref().and_then(|clippy| clippy.get("disallowed-methods"));
            let has_clock =
                methods.is_some_and(|methods| methods.to_string().contains("std::time::Instant::now"));
            if !has_clock {
                messages.push((
                    "clippy.toml",
                    "lacks the clocks in disallowed-methods: the crate is pure".to_owned(),
                ));
            }
        }
        messages
            .into_iter()
            .map(|(file, message)| Violation { path: format!("{}/{file}", self.folder), line: 1, message })
            .collect()
    }
}

/// Returns the entries of the shared settings that others lack.
fn missing_entries(own: &Table, shared: &Table) -> Vec<String> {
    let mut missing = Vec::new();
    for (key, value) in shared {
        match (value, own.get(key)) {
            (Value::Array(shared), Some(Value::Array(own))) => {
                let lacking = shared.iter().filter(|entry| !own.contains(entry));
                missing.extend(lacking.map(|entry| format!("{key} = {entry}")));
            }
            (shared, Some(own)) if shared == own => {}
            _ => missing.push(key.clone()),
        }
    }
    missing
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str, manifest: &str, clippy: Option<&str>) -> Package {
        let table = |text: &str| text.parse::<Table>().expect("valid TOML");
        Package {
            name: name.to_owned(),
            roots: Vec::new(),
            folder: format!("crates/{name}"),
            manifest: table(manifest),
            is_member: !name.ends_with("-alone"),
            is_product: true,
            clippy: clippy.map(table),
            shared_clippy: table(
                "allow-unwrap-in-tests = true\ndisallowed-types = [\"a::A\", { path = \"b::B\" }]",
            ),
        }
    }

    fn messages_of(name: &str, manifest: &str, clippy: Option<&str>) -> Vec<String> {
        let violations = package(name, manifest, clippy).violations();
        violations.into_iter().map(|one| one.to_string()).collect()
    }

    #[test]
    fn every_package_has_the_lints() {
        assert!(messages_of("a", "[lints]\nworkspace = true", None).is_empty());
        assert_eq!(messages_of("a", "", None), ["crates/a/Cargo.toml:1: lacks [lints] workspace = true"]);
        let missing = ["crates/a-alone/Cargo.toml:1: lacks unsafe_code = \"deny\" in [lints.rust]"];
        assert_eq!(messages_of("a-alone", "", None), missing);
        assert_eq!(messages_of("a-alone", "[lints.rust]\nunsafe_code = \"warn\"", None), missing);
        assert!(messages_of("a-alone", "[lints.rust]\nunsafe_code = \"deny\"", None).is_empty());
        let off = "[lints]\nrust.unsafe_code = \"deny\"\nclippy.disallowed_types = \"allow\"";
        assert_eq!(
            messages_of("a-alone", off, None),
            ["crates/a-alone/Cargo.toml:1: allows clippy.disallowed_types, which guards sockets and exits"]
        );
    }

    #[test]
    fn settings_of_clippy_repeat_those_that_they_replace() {
        let lints = "[lints]\nworkspace = true";
        let all =
            "disallowed-types = [\"c::C\", { path = \"b::B\" }, \"a::A\"]\nallow-unwrap-in-tests = true";
        assert!(messages_of("a", lints, Some(all)).is_empty());
        let some = "disallowed-types = [\"a::A\"]";
        assert_eq!(
            messages_of("a", lints, Some(some)),
            [
                "crates/a/clippy.toml:1: lacks allow-unwrap-in-tests, of the clippy.toml that it replaces",
                "crates/a/clippy.toml:1: lacks disallowed-types = { path = \"b::B\" }, of the clippy.toml that it replaces",
            ]
        );
        let clocks = format!("{all}\ndisallowed-methods = [\"std::time::Instant::now\"]");
        assert!(messages_of("locator-find", lints, Some(&clocks)).is_empty());
        assert_eq!(messages_of("locator-find", lints, Some(all)).len(), 1);
        assert_eq!(messages_of("locator-find", lints, None).len(), 1);
    }

    #[test]
    fn the_workspace_has_the_lints_that_guard_rules() {
        let messages = |text: &str| {
            let violations = workspace_lints(&text.parse::<Table>().expect("valid TOML"));
            violations.into_iter().map(|one| one.to_string()).collect::<Vec<_>>()
        };
        let all = |tool: &str| {
            let lints = GUARDS.iter().filter(|(of, _, _)| *of == tool);
            lints.map(|(_, lint, level)| format!("{lint} = \"{level}\"\n")).collect::<String>()
        };
        let (rust, clippy) = (all("rust"), all("clippy"));
        let lints = |rust: &str, clippy: &str| {
            messages(&format!("[workspace.lints.rust]\n{rust}[workspace.lints.clippy]\n{clippy}"))
        };
        assert!(lints(&rust, &clippy).is_empty());
        assert!(lints(&rust.replace("\"deny\"", "{ level = \"forbid\" }"), &clippy).is_empty());
        assert_eq!(
            lints(&rust.replace("deny", "warn"), &clippy),
            ["Cargo.toml:1: unsafe_code in [workspace.lints.rust] is not \"deny\""]
        );
        assert_eq!(
            lints(&rust, &clippy.replace("todo", "other")),
            ["Cargo.toml:1: todo in [workspace.lints.clippy] is not \"warn\""]
        );
        assert_eq!(
            lints(&rust, &format!("{clippy}style = \"allow\"")),
            ["Cargo.toml:1: allows clippy.style, which guards sockets and exits"]
        );
        assert_eq!(messages("").len(), GUARDS.len());
    }
}

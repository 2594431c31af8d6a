//! The rules of the source that neither the compiler nor clippy can check, on the syntax tree:
//! `locator-dev rules` prints what breaks them, and `scripts/lint` runs it.
//!
//! - `imports`: imports have no circles, between modules and between files, in every crate.
//! - `conventions`: only `edition/` compares editions, and only `scheme/` names schemes; code that is
//!   generic over the SIMD backend is inlined.
//! - `allowed`: every crate forbids `unsafe` or is one of those that need it, and the lints of sockets,
//!   look-ups and exits are turned off in a list of files only.
//! - `manifests`: the workspace has the lints that guard rules, and every crate those of the workspace.
//!
//! What the compiler and clippy can check is in `Cargo.toml` (lints) and in `clippy.toml`: sockets, exits,
//! clocks, `unsafe`. Tests of this module break each of these rules, too.

mod allowed;
mod conventions;
mod imports;
#[cfg(test)]
mod lints;
mod manifests;
mod source;

use std::io;
use std::path::Path;

use source::CrateSource;
pub use source::Violation;

/// Returns what breaks a rule in the repository whose root is a folder.
pub fn check(repository: &Path) -> io::Result<Vec<Violation>> {
    let read = |path: &Path| match std::fs::read_to_string(repository.join(path)) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    };
    let mut violations = manifests::workspace(repository)?;
    violations.extend(allowed::missing_files(repository));
    for package in manifests::packages(repository)? {
        violations.extend(package.violations());
        for root in &package.roots {
            let source = CrateSource::read(root, &read)?;
            violations.extend(allowed::unsafe_code(&package.name, package.unsafe_code().as_deref(), &source));
            violations.extend(allowed::disallowed(&source));
            violations.extend(imports::circles(&source));
            if package.is_product {
                violations.extend(conventions::violations(&source, package.name == "locator-uri"));
            }
        }
    }
    Ok(violations)
}

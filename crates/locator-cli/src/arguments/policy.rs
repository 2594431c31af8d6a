//! The option `--policy FILE`: reads the policy that says which URLs a verb takes from strangers. It is
//! the same file for every verb; `docs/policy.md` describes it. Verbs that contact servers have further
//! options for it.

#[cfg(feature = "get")]
mod contact;

#[cfg(feature = "serve")]
pub(crate) use contact::StrangerArgs;
#[cfg(feature = "get")]
pub(crate) use contact::{ContactArgs, advice};

use std::ffi::OsString;
use std::fs::File;
use std::io;

use clap::Args;
use locator_audit::Policy;

use crate::exit::{CliError, say_error};
use crate::input::files::{TomlError, in_toml};
use crate::input::whole;
use crate::terminal::visible;

/// The option that names the file.
#[derive(Args, Debug)]
pub(crate) struct PolicyArgs {
    /// Refuse what the policy in FILE refuses
    #[arg(long, value_name = "FILE")]
    policy: Option<OsString>,
}

impl PolicyArgs {
    /// Reads the policy; `None` if no file is named.
    pub(crate) fn read(&self) -> Result<Option<Policy>, CliError> {
        let Some(path) = &self.policy else { return Ok(None) };
        let name = visible(&path.to_string_lossy()).to_string();
        let file = File::open(path);
        if is_word(&name) && file.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
            say_error(&no_file(&name));
            return Err(CliError::Reported);
        }
        let text = file
            .and_then(whole)
            .and_then(|octets| String::from_utf8(octets).map_err(|_| io::Error::other("it is not UTF-8")));
        let text = text.map_err(|error| CliError::Reading { what: format!("\"{name}\""), error })?;
        parse(&text).map(Some).map_err(|error| error.report(&name))
    }
}

/// Whether a text is rather the name of a preset than that of a file.
fn is_word(text: &str) -> bool {
    text.bytes().all(|octet| octet.is_ascii_alphanumeric() || b"-_".contains(&octet))
}

/// The error for a name that is no file.
fn no_file(name: &str) -> String {
    let preset = match &*name.replace('-', "_").to_ascii_lowercase() {
        known @ ("public_network" | "typed") => known.to_owned(),
        _ => "public_web".to_owned(),
    };
    format!(
        "there is no file \"{name}\": a policy is a file, such as policy.toml with the line preset = \"{preset}\", \
         which 'locator audit --policy policy.toml' reads; docs/policy.md has the presets and the other keys"
    )
}

/// Parses a policy. An error has its line and column: `3:1`, `unknown key "host"; …`.
fn parse(text: &str) -> Result<Policy, TomlError> {
    toml::from_str(text).map_err(|error| in_toml(text, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_has_its_line_and_column() {
        for (text, expected) in [
            ("host = []", "1:1: unknown key \"host\"; did you mean \"hosts\"?"),
            ("ports = [80]\n# é\n  prots = [1]\n", "3:3: unknown key \"prots\"; did you mean \"ports\"?"),
            (
                "# é\nseverities = { pasword = \"high\" }",
                "2:16: unknown finding \"pasword\"; did you mean \"password\"?",
            ),
            ("hosts = [\"é\"]", "1:10: invalid value: "),
            ("severities = { \"é\" = \"high\" }", "1:16: unknown finding "),
            ("ports = [80", "1:12: "),
            ("preset = \"same_origin\"", "1:1: the preset \"same_origin\" needs a base"),
        ] {
            let TomlError { place, message } = parse(text).expect_err("it is wrong");
            let error = format!("{place}: {message}");
            assert!(error.starts_with(expected), "{text}: {error}");
        }
        assert!(parse("").is_ok());
        let error = parse("base = \"https://anna:s3cret99@h:0/\"").expect_err("the port is 0");
        assert!(!error.message.contains("s3cret99"), "{error:?}");
    }
}

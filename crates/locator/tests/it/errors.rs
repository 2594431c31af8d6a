//! Every kind of error has a case and a snapshot of what a person sees: `testdata/errors.toml`.
//! `UPDATE=1 cargo test -p locator-uri --all-features --test it errors` writes the snapshots anew.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::PathBuf;

use locator::{Redacted, UriRef, edition, scheme};
use serde::Deserialize;

#[derive(Deserialize)]
struct File {
    case: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    edition: String,
    input: Option<String>,
    octets: Option<Vec<u8>>,
    kind: String,
    #[serde(default)]
    drawing: String,
}

impl Case {
    /// The kind of the first error, and all of them drawn.
    fn run(&self) -> (String, String) {
        let edition = edition::from_name(&self.edition).expect("the case names an edition");
        let Some(input) = &self.input else {
            let octets = self.octets.as_deref().expect("a case has an input or octets");
            let error = UriRef::parse_bytes_with(octets, edition)
                .expect_err("octets are stated where they are no text");
            return (format!("{:?}", error.kind()), error.to_string());
        };
        let errors: Vec<_> = scheme::errors_with(input, edition).collect();
        let redacted = Redacted::new(input);
        let drawings: Vec<_> =
            redacted.report_each(errors.iter().copied()).map(|one| one.to_string()).collect();
        let first = errors.first().map(|error| format!("{:?}", error.kind()));
        (first.unwrap_or_else(|| "valid".to_owned()), drawings.join("\n\n"))
    }

    fn write(&self, file: &mut String) {
        let (kind, drawing) = self.run();
        let input = match (&self.input, &self.octets) {
            (Some(input), _) => format!("input = {}", toml::Value::String(input.clone())),
            (None, octets) => format!("octets = {:?}", octets.as_deref().unwrap_or_default()),
        };
        let edition = &self.edition;
        writeln!(
            file,
            "\n[[case]]\nedition = \"{edition}\"\n{input}\nkind = \"{kind}\"\ndrawing = '''\n{drawing}'''"
        )
        .expect("a string takes everything");
    }
}

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/errors.toml")
}

#[test]
fn errors_are_printed_as_recorded() {
    let text = std::fs::read_to_string(path()).expect("the cases are there");
    let file: File = toml::from_str(&text).expect("the cases are TOML");
    if std::env::var_os("UPDATE").is_some() {
        let mut written =
            text.lines().take_while(|line| line.starts_with('#')).collect::<Vec<_>>().join("\n");
        written.push('\n');
        file.case.iter().for_each(|case| case.write(&mut written));
        std::fs::write(path(), written).expect("the cases can be written");
        return;
    }
    for case in &file.case {
        let (kind, drawing) = case.run();
        assert_eq!((kind, drawing), (case.kind.clone(), case.drawing.clone()), "{:?}", case.input);
    }
    let kinds: BTreeSet<&str> = file.case.iter().map(|case| case.kind.as_str()).collect();
    for kind in KINDS {
        assert!(kinds.contains(kind), "no case for {kind}");
    }
}

/// Every kind but `TooLong`, whose text would have four gigabytes, and `NotInCharset`, which only
/// data has.
const KINDS: [&str; 20] = [
    "InvalidByte",
    "Escape",
    "SchemeStart",
    "SchemeMissing",
    "ColonInFirstSegment",
    "NothingAfterScheme",
    "UserEmpty",
    "PasswordEmpty",
    "LoginDelimiter",
    "HostEmpty",
    "HostName",
    "Ipv6",
    "IpvFuture",
    "Zone",
    "BracketOpen",
    "PortEmpty",
    "WordEmpty",
    "Missing",
    "NotAllowed",
    "NotUtf8",
];

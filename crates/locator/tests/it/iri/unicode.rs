//! Domain names by Unicode's own test file, `IdnaTestV2.txt`, and by Unicode's list of characters.
//!
//! The file is part of the package of the crate `idna`, so it is read from where Cargo keeps that;
//! nothing of it is kept here. Its statuses are those of UTS 46, section 8.

use std::path::PathBuf;
use std::process::Command;

use locator::edition::RFC3987;
use locator::{IdnaRule, UriRef};
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// The package of the crate `idna`.
fn package() -> PathBuf {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // Packages of other platforms need not be there.
    let rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
        .arg("-vV")
        .output()
        .unwrap();
    let rustc = String::from_utf8(rustc.stdout).unwrap();
    let host = rustc.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    cargo.args([
        "metadata",
        "--format-version",
        "1",
        "--offline",
        "--filter-platform",
        host,
        "--manifest-path",
    ]);
    let output = cargo.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut packages = metadata["packages"].as_array().unwrap().iter();
    let idna = packages.find(|package| package["name"] == "idna").unwrap();
    PathBuf::from(idna["manifest_path"].as_str().unwrap()).parent().unwrap().to_owned()
}

/// `\u0061` and `\x{61}` are characters; a surrogate is none, and what has one is left out.
fn unescape(text: &str) -> Option<String> {
    let mut characters = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        characters.push_str(&rest[..at]);
        let (digits, length) = match &rest[at + 1..] {
            braced if braced.starts_with("x{") => {
                let end = braced.find('}').unwrap();
                (&braced[2..end], end + 1)
            }
            other => (&other[1..5], 5),
        };
        characters.push(char::from_u32(u32::from_str_radix(digits, 16).unwrap())?);
        rest = &rest[at + 1 + length..];
    }
    Some(characters + rest)
}

/// A line of the file: what is converted, its ASCII form, and the statuses of errors.
struct Line {
    source: String,
    ascii: String,
    statuses: Vec<String>,
}

impl Line {
    /// `source ; toUnicode ; toUnicodeStatus ; toAsciiN ; toAsciiNStatus ; …`
    fn read(line: &str) -> Option<Self> {
        let line = line.split('#').next().unwrap_or_default();
        let columns: Vec<&str> = line.split(';').map(str::trim).collect();
        let [source, unicode, unicode_status, ascii, ascii_status, ..] = columns[..] else { return None };
        // "A blank value means the same as" the column before; `""` is the empty text.
        let text = |column: &str| if column == "\"\"" { Some(String::new()) } else { unescape(column) };
        let source = text(source)?;
        let unicode = if unicode.is_empty() { source.clone() } else { text(unicode)? };
        let ascii = if ascii.is_empty() { unicode } else { text(ascii)? };
        let status = if ascii_status.is_empty() { unicode_status } else { ascii_status };
        let statuses = status.trim_matches(['[', ']']).split(',').map(|status| status.trim().to_owned());
        Some(Self { source, ascii, statuses: statuses.filter(|status| !status.is_empty()).collect() })
    }

    /// Whether it is an error here: hyphens in the third and fourth place are allowed ("Many domain
    /// names have them"), and so is the dot of the root.
    fn is_error(&self) -> bool {
        let ends_in_root = self.ascii.ends_with('.') && !self.ascii.contains("..") && self.ascii.len() > 1;
        let ends_in_root = ends_in_root
            && !self.ascii.starts_with('.')
            && self.ascii.split('.').all(|label| label.len() <= 63);
        self.statuses.iter().any(|status| match status.as_str() {
            "V2" => false,
            "A4_2" => !ends_in_root,
            _ => true,
        })
    }
}

/// The file is that of Unicode 16.0; since then it has the ideographs of extension J (17.0) and the
/// characters of Seal (18.0).
const ASSIGNED_SINCE: fn(char) -> bool =
    |c| matches!(c, '\u{323B0}'..='\u{33479}' | '\u{3D000}'..='\u{3FC3F}');

/// The statuses that a rule may have.
fn statuses(rule: IdnaRule) -> &'static [&'static str] {
    match rule {
        IdnaRule::Empty | IdnaRule::LabelTooLong | IdnaRule::NameTooLong => &["A4_1", "A4_2", "X4_2"],
        IdnaRule::Character(_) => &["P1", "V7"],
        IdnaRule::NotLetterDigitHyphen(_) => &["U1"],
        IdnaRule::Hyphen => &["V3"],
        IdnaRule::Mark(_) => &["V6"],
        IdnaRule::Joiner(_) => &["C1", "C2"],
        IdnaRule::Direction => &["B1", "B2", "B3", "B4", "B5", "B6"],
        IdnaRule::Punycode => {
            &["P4", "A3", "V1", "V2", "V3", "V4", "V6", "V7", "U1", "C1", "C2", "B1", "B2", "B3", "B5", "B6"]
        }
        _ => &[],
    }
}

#[test]
fn unicode_s_test_file_is_passed() {
    let path = package().join("tests/IdnaTestV2.txt");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let (mut wrong, mut count, mut refused) = (Vec::new(), 0, 0);
    for (number, line) in text.lines().enumerate().filter_map(|(i, line)| Some((i + 1, Line::read(line)?))) {
        // A name of ASCII stays as it is.
        let assigned_since = line.source.contains(ASSIGNED_SINCE) && line.statuses.contains(&"V7".to_owned());
        if line.source.is_ascii() || assigned_since {
            continue;
        }
        count += 1;
        let escaped: String = line.source.bytes().map(|octet| format!("%{octet:02X}")).collect();
        let iri = format!("http://{escaped}/");
        let converted = UriRef::parse_with(&iri, &RFC3987).unwrap().to_uri_with_idna();
        match converted {
            Ok(uri) if line.is_error() => wrong.push(format!("{number}: {uri}, not {:?}", line.statuses)),
            Ok(uri) if uri != format!("http://{}/", line.ascii).as_str() => {
                wrong.push(format!("{number}: {uri}, not {}", line.ascii));
            }
            Ok(_) => {}
            Err(error) if !line.is_error() => wrong.push(format!("{number}: {error}, not {}", line.ascii)),
            Err(error) => {
                refused += 1;
                let of_rule = statuses(error.rule().expect("a rule"));
                if !line.statuses.iter().any(|status| of_rule.contains(&status.as_str())) {
                    wrong.push(format!("{number}: {error}, not {:?}", line.statuses));
                }
            }
        }
    }
    assert!(count > 3_900 && refused > 3_000, "the file is not whole: {count} lines, {refused} refused");
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}

/// "V7": no code point that Unicode has not assigned, nor one for private use, is in a domain name.
/// Which are assigned is asked of other data than those that names are converted with.
#[test]
fn what_is_unassigned_is_refused() {
    assert_eq!(unicode_properties::UNICODE_VERSION.0, 18, "the data of names are those of Unicode 18.0");
    let refused = |c: char| {
        let iri = format!("http://a{c}/");
        let read = UriRef::parse_with(&iri, &RFC3987);
        read.is_err() || read.is_ok_and(|iri| iri.to_uri_with_idna().is_err())
    };
    let is_none =
        |c: char| matches!(c.general_category(), GeneralCategory::Unassigned | GeneralCategory::PrivateUse);
    let none: Vec<char> = ('\u{80}'..=char::MAX).filter(|c| is_none(*c)).collect();
    // Of the long runs, which are planes without characters, some are enough.
    let is_asked = |c: char| {
        u32::from(c) % 499 == 0
            || (1..8).any(|i| {
                [u32::from(c) - i, u32::from(c) + i]
                    .into_iter()
                    .filter_map(char::from_u32)
                    .any(|near| !is_none(near))
            })
    };
    let taken: Vec<char> = none.iter().copied().filter(|c| is_asked(*c)).filter(|c| !refused(*c)).collect();
    assert!(taken.is_empty(), "{} are taken, from {:?} on", taken.len(), taken.first());
    // The characters of Seal, 11,328 of them, are new in Unicode 18.0.
    assert!(!refused('\u{3D000}') && !refused('\u{3FC3F}') && refused('\u{3FC40}') && refused('\u{3CFFF}'));
}

//! The verb `edit` as laws: what is not edited stays, lines stay in step, nothing harms a terminal.

use std::collections::BTreeSet;

use locator::{Edition, UriRef, edition, scheme};

use crate::runner;

/// Every reference of these pieces: valid ones and others.
fn references() -> Vec<String> {
    let schemes = ["", "http:", "HTTP:", "mailto:", "x:", "1:", "URL:ftp:"];
    let authorities = ["", "//", "//h", "//u:p@H.org:080", "//[::1]:", "//a b", "//@:"];
    let paths = ["", "/", "/a/../%7eb;c=d", "a@b", "//x", "/.//x", "a:b", "é", "/%"];
    let queries = ["", "?", "?a=1&&b=%20+", "?a|"];
    let fragments = ["", "#", "#f%0A"];
    let mut references = Vec::new();
    for scheme in schemes {
        for authority in authorities {
            for path in paths {
                for query in queries {
                    references.extend(
                        fragments.map(|fragment| [scheme, authority, path, query, fragment].concat()),
                    );
                }
            }
        }
    }
    references
}

fn is_valid(text: &str, edition: &'static Edition) -> bool {
    UriRef::parse_with(text, edition).is_ok_and(|read| !matches!(scheme::check(read), Some(Err(_))))
}

/// The lines that are printed, one for each reference, and the exit status.
fn edited(arguments: &[&str], references: &[String]) -> (Vec<String>, Option<i32>) {
    let mut stdin = references.join("\n");
    stdin.push('\n');
    let output = runner::run(&mut runner::locator(arguments), stdin.into_bytes());
    let text = String::from_utf8(output.stdout).expect("the command prints UTF-8");
    let lines: Vec<_> = text.lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), references.len(), "{arguments:?}");
    (lines, output.status.code())
}

#[test]
fn what_is_not_edited_stays_octet_by_octet() {
    let references = references();
    for edition in edition::ALL {
        let (lines, exit) = edited(&["edit", "-e", edition.name], &references);
        assert_eq!(exit, Some(1));
        let mut valid = 0;
        for (line, reference) in lines.iter().zip(&references) {
            let stated = if is_valid(reference, edition) { reference } else { "" };
            valid += usize::from(!stated.is_empty());
            assert_eq!(line, stated, "{edition}");
        }
        assert!(valid > 100, "{edition}: {valid}");
    }
}

#[test]
fn what_changes_nothing_leaves_all_as_it_was() {
    // By an edition that has empty queries and fragments.
    let references: Vec<_> =
        references().into_iter().filter(|text| is_valid(text, &edition::RFC3986)).collect();
    for arguments in [
        &["edit", "--qtrim", "nothing*"][..],
        &["edit", "--replace", "nothing=x"],
        &["edit", "--unset", "zoneid"],
        &["edit", "--keep-port"],
        &["edit", "-g", "{url}"],
    ] {
        assert_eq!(edited(arguments, &references), (references.clone(), Some(0)), "{arguments:?}");
    }
}

#[test]
fn only_the_part_that_is_set_changes() {
    let references: Vec<_> =
        references().into_iter().filter(|text| is_valid(text, &edition::RFC3986)).collect();
    let parts = "[scheme]\t[authority]\t[path]\t[query]\t[fragment]";
    let (before, _) = edited(&["edit", "-g", parts], &references);
    for (index, part) in ["scheme", "authority", "path", "query", "fragment"].iter().enumerate() {
        let (after, _) = edited(&["edit", "--set", &format!("{part}:=x"), "-g", parts], &references);
        let mut changed = 0;
        let mut refused = 0;
        for ((before, after), reference) in before.iter().zip(&after).zip(&references) {
            // A change that would be read as something else is refused, and a host for what has no
            // hierarchy.
            if after.is_empty() {
                refused += usize::from(*part == "authority" && is_rootless(reference));
                continue;
            }
            let (before, after): (Vec<_>, Vec<_>) =
                (before.split('\t').collect(), after.split('\t').collect());
            for (at, (before, after)) in before.iter().zip(&after).enumerate() {
                // A path gets a prefix where it would be read as something else, and is absolute
                // after a host.
                let trimmed = |text: &str| text.trim_start_matches("/.").trim_start_matches('/').to_owned();
                let stated = if at == index { "x" } else { before };
                assert_eq!(trimmed(after), trimmed(stated), "{part} of {reference}");
            }
            changed += 1;
        }
        let changeable = references.len() - refused;
        assert!(changed * 10 > changeable * 9, "{part}: {changed} of {changeable}");
    }
}

/// Whether it has a scheme, and neither an authority nor a path that begins with "/".
fn is_rootless(reference: &str) -> bool {
    let path = reference.split_once(':').map(|(_, rest)| rest.split(['?', '#']).next().unwrap_or_default());
    path.is_some_and(|path| !path.is_empty() && !path.starts_with('/'))
}

#[test]
fn decoded_parts_can_be_given_to_a_terminal() {
    let escapes: Vec<_> = (0..=255)
        .flat_map(|one| [format!("#%{one:02X}"), format!("#%C2%{one:02x}"), format!("#%E2%80%{one:02X}")])
        .collect();
    let (lines, exit) = edited(&["edit", "-g", "{fragment}"], &escapes);
    assert_eq!(exit, Some(0));
    let shown: BTreeSet<char> = lines.iter().flat_map(|line| line.chars()).collect();
    let harmful =
        |c: &&char| c.is_control() || matches!(c, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}');
    assert_eq!(shown.iter().find(harmful), None);
    assert!(shown.contains(&'©') && shown.contains(&'…'));
}

#[test]
fn long_lines_are_edited() {
    let long = format!("http://h/{}?q", "a".repeat(10_000_000));
    let (lines, exit) = edited(&["edit", "-s", "host=x"], &[long.clone(), "http://h/".to_owned()]);
    assert_eq!(exit, Some(0));
    assert!(lines[0] == long.replacen("//h/", "//x/", 1));
    assert_eq!(lines[1], "http://x/");
}

#[test]
fn a_file_is_read_as_standard_input_is() {
    let file = runner::testdata("urls").join("mixed.txt");
    let file = file.to_str().expect("the name is text");
    let octets = std::fs::read(file).expect("testdata/urls is there");
    let by_stream = runner::run(&mut runner::locator(&["edit", "-g", "{host}"]), octets);
    let by_name = runner::run(&mut runner::locator(&["edit", "-g", "{host}", "-f", file]), Vec::new());
    assert_eq!(by_stream, by_name);
}

#[cfg(unix)]
#[test]
fn data_need_not_be_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let set =
        |value| [OsStr::new("edit"), OsStr::new("-s"), OsStr::from_bytes(value), OsStr::new("http://h/")];
    let output = runner::run(&mut runner::locator(&set(b"path=/\xE9")), Vec::new());
    assert_eq!(output.stdout, b"http://h/%E9\n");
    let output = runner::run(&mut runner::locator(&set(b"path:=/\xE9")), Vec::new());
    assert!(String::from_utf8_lossy(&output.stderr).contains("text after \":=\" must be UTF-8"));
    assert_eq!(output.status.code(), Some(2));
}

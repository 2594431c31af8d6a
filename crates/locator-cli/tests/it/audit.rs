//! What `audit` prints for code scanning, and the list of findings.

use std::fs;

use serde_json::{Value, json};

use crate::runner;

/// Runs `find --json` on a directory with these files, and `audit` with arguments on what it prints.
fn sarif_of(files: &[(&str, &str)], more: &[&str]) -> (Value, String) {
    let folder = tempfile::tempdir().expect("there is a place for temporary files");
    for (name, content) in files {
        fs::write(folder.path().join(name), content).expect("a file can be written");
    }
    let mut find = runner::locator(&["find", "--json", "--sort", "path", "."]);
    let found = runner::run(find.current_dir(folder.path()), Vec::new());
    let arguments = [&["audit", "--sarif"], more].concat();
    let output = runner::run(runner::locator(&arguments).current_dir(folder.path()), found.stdout);
    let errors = String::from_utf8(output.stderr).expect("the command prints text");
    (serde_json::from_slice(&output.stdout).expect("it is one object"), errors)
}

const NOTES: &str = "é𝒳 http://www.example.com&a@host.example/ and\n<ftp://u:s3cret@h.example/>\n";

#[test]
fn a_result_has_a_rule_a_place_and_a_fingerprint() {
    let (log, _) = sarif_of(&[("a b.md", NOTES)], &[]);
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert_eq!(run["columnKind"], "utf16CodeUnits");
    let results = run["results"].as_array().expect("it is a list");
    let codes: Vec<_> = results.iter().map(|result| &result["ruleId"]).collect();
    assert_eq!(codes, ["userinfo-like-host", "password"], "the most severe is first");
    let places: Vec<_> = results.iter().map(|result| &result["locations"][0]["physicalLocation"]).collect();
    let file = json!({"uri": "a%20b.md", "uriBaseId": "%SRCROOT%"});
    assert_eq!(
        places,
        [
            &json!({"artifactLocation": file, "region":
                {"startLine": 1, "startColumn": 12, "endColumn": 29, "byteOffset": 14, "byteLength": 17}}),
            &json!({"artifactLocation": file, "region":
                {"startLine": 2, "startColumn": 10, "endColumn": 16, "byteOffset": 59, "byteLength": 6}}),
        ]
    );
    for result in results {
        let index = result["ruleIndex"].as_u64().expect("it is a number") as usize;
        assert_eq!(run["tool"]["driver"]["rules"][index]["id"], result["ruleId"]);
        assert_eq!(result["level"], "warning");
    }
    assert_eq!(results[1]["properties"]["redacted"], true);
    assert!(!log.to_string().contains("s3cret"), "{log}");
}

#[test]
fn every_rule_has_what_code_scanning_shows() {
    let (log, _) = sarif_of(&[], &[]);
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().expect("it is a list");
    let codes: Vec<_> = locator_audit::codes().map(|code| code.name()).collect();
    assert_eq!(rules.iter().map(|rule| rule["id"].as_str().unwrap_or_default()).collect::<Vec<_>>(), codes);
    for rule in rules {
        for text in ["/shortDescription/text", "/fullDescription/text", "/help/text", "/help/markdown"] {
            let text = rule.pointer(text).and_then(Value::as_str).unwrap_or_default();
            assert!((10..1_024).contains(&text.len()), "{rule}");
        }
        let level = rule["defaultConfiguration"]["level"].as_str().unwrap_or_default();
        let score = rule["properties"].get("security-severity").and_then(Value::as_str);
        assert!(
            matches!(
                (level, score),
                ("error", Some("8.5")) | ("warning", Some("5.5" | "2.5")) | ("note", None)
            ),
            "{rule}"
        );
    }
}

#[test]
fn a_fingerprint_stays_where_lines_are_added() {
    let prints = |text: &str| {
        let (log, _) = sarif_of(&[("a.md", text)], &[]);
        let results = log["runs"][0]["results"].as_array().expect("it is a list").clone();
        results.iter().map(|result| result["partialFingerprints"].to_string()).collect::<Vec<_>>()
    };
    let before = prints(NOTES);
    assert_eq!(prints(&format!("new\n\n{NOTES}")), before);
    // Another password is another finding; the others stay.
    let changed = prints(&NOTES.replace("s3cret", "an0ther"));
    assert!(changed[0] == before[0] && changed[1] != before[1]);
    let twice = prints(&format!("{NOTES}{NOTES}"));
    assert_eq!(twice.len(), 4);
    assert!(before.iter().all(|print| twice.contains(print)));
    assert_eq!(twice.iter().collect::<std::collections::BTreeSet<_>>().len(), 4);
}

#[test]
fn at_most_25_000_results_are_written_the_most_severe() {
    let passwords: String =
        (0..25_000).map(|number| format!("ftp://u:s3cret@h{number}.example/\n")).collect();
    let (log, errors) = sarif_of(&[("a.txt", &format!("{passwords}javascript:alert(1)\n{NOTES}"))], &[]);
    let results = log["runs"][0]["results"].as_array().expect("it is a list");
    assert_eq!(results.len(), 25_000);
    assert_eq!(results[0]["ruleId"], "userinfo-like-host");
    assert_eq!(results[24_999]["ruleId"], "password");
    let notes = &log["runs"][0]["invocations"][0]["toolExecutionNotifications"];
    assert_eq!(notes[0]["message"]["text"], "2 findings are left out, those of the least severity");
    assert!(errors.contains("2 findings are left out"), "{errors}");
}

#[test]
fn urls_of_a_list_have_its_name_and_others_that_of_the_stream() {
    let folder = tempfile::tempdir().expect("there is a place for temporary files");
    let list = "http://h.example/\nftp://u:s3cret@h.example/\n";
    fs::write(folder.path().join("urls"), list).expect("a file can be written");
    for (arguments, stdin, place) in [
        (
            &["audit", "--sarif", "-f", "urls"][..],
            "",
            json!({"artifactLocation": {"uri": "urls", "uriBaseId": "%SRCROOT%"}, "region":
                {"startLine": 2, "startColumn": 9, "endColumn": 15, "byteOffset": 26, "byteLength": 6}}),
        ),
        (
            &["audit", "--sarif"],
            list,
            json!({"artifactLocation": {"uri": "stdin"}, "region": {"startLine": 2}}),
        ),
        (
            &["audit", "--sarif", "ftp://u:s3cret@h.example/"],
            "",
            json!({"artifactLocation": {"uri": "argument"}, "region": {"startLine": 1}}),
        ),
        // What is there has changed, or the file is not there.
        (
            &["audit", "--sarif", "--places"],
            "urls:1:1:ftp://u:s3cret@h.example/\n",
            json!({"artifactLocation": {"uri": "urls", "uriBaseId": "%SRCROOT%"}, "region": {"startLine": 1}}),
        ),
        (
            &["audit", "--sarif", "--places"],
            "a/../b:1:1:ftp://u:s3cret@h.example/\n",
            json!({"artifactLocation": {"uri": "a/../b", "uriBaseId": "%SRCROOT%"}, "region": {"startLine": 1}}),
        ),
    ] {
        let mut command = runner::locator(arguments);
        let output = runner::run(command.current_dir(folder.path()), stdin.into());
        let log: Value = serde_json::from_slice(&output.stdout).expect("it is one object");
        let results = log["runs"][0]["results"].as_array().expect("it is a list");
        assert_eq!(results.len(), 1);
        assert_eq!(results[0]["locations"][0]["physicalLocation"], place);
    }
}

#[test]
fn every_finding_is_listed_and_described() {
    let list = runner::run(&mut runner::locator(&["audit", "--list", "--json"]), Vec::new());
    let list = String::from_utf8(list.stdout).expect("JSON is text");
    let lines = runner::run(&mut runner::locator(&["audit", "--list"]), Vec::new());
    let lines = String::from_utf8(lines.stdout).expect("the command prints text");
    assert_eq!(list.lines().count(), locator_audit::codes().count());
    for code in locator_audit::codes() {
        assert!(lines.contains(&format!("  {} ", code.name())), "{} is not listed", code.name());
        let output = runner::run(&mut runner::locator(&["audit", "--explain", code.name()]), Vec::new());
        let screen = String::from_utf8(output.stdout).expect("the command prints text");
        // A screen of 24 lines, and below it an attack that is documented.
        assert!(screen.lines().count() <= 32, "{screen}");
        // A title is a sentence, which a terminal may break, and an example is marked where it is.
        let text = screen.lines().skip(1).take_while(|line| *line != "Example:");
        assert!(text.into_iter().all(|line| line.chars().count() < 80), "{screen}");
        assert!(screen.contains('^'), "the example has no mark: {screen}");
    }
}

/// The findings in the first object that the command prints.
fn findings(arguments: &[&str]) -> Value {
    let output = runner::run(&mut runner::locator(arguments), Vec::new());
    let text = String::from_utf8(output.stdout).expect("JSON is text");
    let object: Value = text
        .lines()
        .next()
        .map_or(Value::Null, |line| serde_json::from_str(line).expect("each line is an object"));
    object["findings"].clone()
}

#[test]
fn every_verb_has_the_findings_of_audit() {
    for url in [
        "http://www.example.com&x=y@10.0.0.1/",
        "http://0x7f.1/",
        "http://[::ffff:127.0.0.1]/",
        "gopher://h.example/0a%0D%0Ab",
        "http://h.example:0/%252e%252e/",
        "http://h.example/",
        "http://u:p@h.example:25/",
    ] {
        let stated = findings(&["audit", "--json", "--min-severity", "medium", "--show-secrets", url]);
        let folder = tempfile::tempdir().expect("there is a place for temporary files");
        let file = folder.path().join("a.txt");
        fs::write(&file, format!("<{url}>\n")).expect("a file can be written");
        let file = file.to_str().expect("its name is text");
        for arguments in [
            &["read", "--json", url][..],
            &["plan", "--json", url],
            &["edit", "--json", url],
            &["find", "--json", file],
        ] {
            assert_eq!(findings(arguments), stated, "{arguments:?}");
        }
    }
}

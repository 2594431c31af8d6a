//! No message on standard error contains a secret, whatever goes wrong.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::runner;

/// URLs with a secret of each kind, and the secret.
const URLS: [(&str, &str); 7] = [
    ("ftp://gisle:Xy7s3cret@host.example/a", "Xy7s3cret"),
    ("http://host.example/a?b=c&access_token=7c1e9a44d2b84f03aa16", "7c1e9a44d2b84f03aa16"),
    ("http://host.example/a?X-Amz-Signature=9cb469fa1650f8fad5bd&b=c", "9cb469fa1650f8fad5bd"),
    ("http://host.example/a#id_token=469fa1650f8fad5bd9cb", "469fa1650f8fad5bd9cb"),
    (
        concat!("https://gh", "p_16C7e42F292c6912E7710c838347Ae178B4a@git.example/a.git"),
        "16C7e42F292c6912E7710c838347Ae178B4a",
    ),
    (
        concat!("https://hooks.slack.com/serv", "ices/T0A1B2C3D/B0A1B2C3D/a1b2c3d4e5f6g7h8i9j0k1l2"),
        "a1b2c3d4e5f6g7h8i9j0k1l2",
    ),
    ("http://host.example/?u=http://gisle:Xy7s3cret@other.example/", "Xy7s3cret"),
];

/// What makes of a URL one that is wrong, or that a verb cannot take; "" leaves it as it is.
const ENDS: [&str; 7] = ["", " b", "%zz", "^", "\u{1b}[31m", "é", "\\"];

/// The arguments of verbs that say something about a URL, which is "{}".
const USES: [&[&str]; 41] = [
    &["read", "{}"],
    &["read", "-e", "all", "{}"],
    &["read", "-e", "{}"],
    &["read", "--get", "{}", "http://h/"],
    &["check", "{}"],
    &["check", "--brief", "-e", "all", "{}", "{}"],
    &["check", "--lint", "{}"],
    &["resolve", "--base", "http://h/", "{}"],
    &["resolve", "--base", "{}", ":"],
    &["resolve", "-e", "rfc1738", "--base", "{}", "a"],
    &["resolve", "--base={}", "../../../a"],
    &["relative", "--base", "http://h/", "{}"],
    &["relative", "--base", "{}", "x"],
    &["normalize", "{}"],
    &["normalize", "{}", "--{}"],
    &["convert", "{}"],
    &["convert", "--idna", "{}"],
    &["compare", "{}", "x"],
    &["compare", "x", "{}"],
    &["compare", "{}"],
    &["compare", "--files", "{}", "{}"],
    &["edit", "-s", "port=x", "{}"],
    &["edit", "-s", "url={}", "http://h/"],
    &["edit", "-s", "{}", "http://h/"],
    &["edit", "--append", "query={}", "--append", "{}", "http://h/"],
    &["edit", "--redirect", "{}", "x", ":"],
    &["edit", "--redirect", ":", "{}"],
    &["edit", "-g", "{{}}", "{}"],
    &["edit", "-s", "password=Xy7s3cret|", "-s", "password=Xy7s3cret", "{}"],
    &["edit", "-s", "query=access_token=7c1e9a44d2b84f03aa16", "-s", "query=x", "{}"],
    &["file", "{}", "\0"],
    &["path", "{}"],
    &["find", "--absolute", "--base", "{}", "."],
    &["find", "{}"],
    &["find", "--broken", "--base", "x", "{}"],
    &["plan", "{}"],
    &["plan", "--proxy", "{}", "{}"],
    &["audit", "-f", "{}"],
    &["audit", "--baseline", "{}", "--ignore", "{}", "{}"],
    &["audit", "--ignore", "password:{}", "--explain", "{}"],
    &["{}"],
];

#[test]
fn no_message_contains_a_secret() {
    let mut messages = 0;
    for (url, secret) in URLS {
        for end in ENDS {
            let url = format!("{url}{end}");
            for arguments in USES {
                let given: Vec<_> = arguments.iter().map(|word| word.replace("{}", &url)).collect();
                if given.iter().any(|word| word.contains('\0')) {
                    continue;
                }
                let output = runner::run(&mut runner::locator(&given), Vec::new());
                let mut errors = String::from_utf8_lossy(&output.stderr).into_owned();
                // What `check` prints is messages.
                if arguments.first() == Some(&"check") {
                    errors.push_str(&String::from_utf8_lossy(&output.stdout));
                }
                assert!(!errors.contains(secret), "locator {given:?}\n{errors}");
                assert!(!errors.contains('\u{1b}'), "locator {given:?}\n{errors}");
                messages += u32::from(errors.contains("(hidden)"));
            }
        }
    }
    assert!(messages > 500, "{messages}: the test is about something");
}

#[test]
fn no_message_about_a_stream_contains_a_secret() {
    for (url, secret) in URLS {
        let lines: String = ENDS.iter().map(|end| format!("{url}{end}\n")).collect();
        let page: String = ENDS.iter().map(|end| format!("<a href='{url}{end}'>\n")).collect();
        for (arguments, input) in [
            (&["read"][..], &lines),
            (&["check", "--lint"], &lines),
            (&["check", "-e", "all"], &lines),
            (&["check", "-e", "rfc1738", "--brief"], &lines),
            (&["resolve", "--base", "mailto:a"], &lines),
            (&["normalize"], &lines),
            (&["convert"], &lines),
            (&["edit", "-s", "zoneid=1"], &lines),
            (&["edit", "--fix", "-s", "port=8"], &lines),
            (&["path"], &lines),
            (&["plan"], &lines),
            (&["audit"], &lines),
            (&["audit", "--brief", "--readings"], &lines),
            (&["audit", "--sarif"], &lines),
            (&["find", "-t", "html", "--absolute", "--base", "mailto:a"], &page),
            (&["find", "-t", "html", "--broken"], &page),
        ] {
            let output = runner::run(&mut runner::locator(arguments), input.clone().into_bytes());
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(!errors.contains(secret), "{arguments:?} {url}\n{errors}");
        }
    }
}

#[test]
fn audit_says_in_json_that_something_is_hidden() {
    // The last one has no finding.
    for (url, secret) in &URLS[..URLS.len() - 1] {
        for form in ["--json", "--sarif"] {
            let output = runner::run(&mut runner::locator(&["audit", form, url]), Vec::new());
            let json: Value = serde_json::from_slice(&output.stdout).expect("it is one object");
            // The rules have examples.
            let json = json.pointer("/runs/0/results").map_or_else(|| json.to_string(), ToString::to_string);
            assert!(!json.contains(*secret), "{json}");
            assert!(json.contains(r#""redacted":true"#), "{url}\n{json}");
        }
    }
}

/// The URLs with a secret of the cases of the audit and of `scripts/modules/secrets_made.py`, each with the secret.
fn made() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    let cases = fs::read_to_string(folder.join("audit/secrets.toml")).expect("the cases are there");
    let cases: toml::Table = cases.parse().expect("the cases are TOML");
    let mut found = Vec::new();
    for case in cases["case"].as_array().into_iter().flatten() {
        let input = case["input"].as_str().expect("the input is a text");
        for finding in case.get("findings").and_then(toml::Value::as_array).into_iter().flatten() {
            let words: Vec<_> = finding.as_str().expect("a finding is a text").split(' ').collect();
            let [code, _, span] = words[..] else { panic!("{words:?}") };
            let (start, end) = span.split_once("..").expect("it is a range");
            let number = |text: &str| text.parse::<usize>().expect("it is a number");
            if matches!(code, "password" | "credential" | "token" | "webhook") {
                found.push((input.to_owned(), input[number(start)..number(end)].to_owned()));
            }
        }
    }
    let lines = fs::read_to_string(folder.join("secrets/secret.txt")).expect("the list is there");
    let pairs = lines.lines().filter_map(|line| line.split_once('\t'));
    found.extend(pairs.map(|(secret, url)| (url.to_owned(), secret.to_owned())));
    // A short one may be a word of a sentence.
    found.retain(|(_, secret)| secret.len() > 9);
    found
}

#[test]
fn no_output_of_audit_contains_a_secret_that_is_made() {
    let made = made();
    assert!(made.len() > 300, "{}", made.len());
    let input: String = made.iter().flat_map(|(url, _)| [url, "\n"]).collect();
    for options in [
        &["--brief"][..],
        &[],
        &["--json"],
        &["--sarif"],
        &["--json", "--min-severity", "info"],
        &["--brief", "--min-severity", "info"],
        &["--readings"],
    ] {
        let output = runner::run(runner::locator(&["audit"]).args(options), input.clone().into_bytes());
        let mut text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        // The rules of SARIF have examples.
        if let Some(rules) = text.find("\"rules\"") {
            let results = text[rules..].find("\"results\"").map_or(text.len(), |at| rules + at);
            text.replace_range(rules..results, "");
        }
        let shown: Vec<_> = made.iter().filter(|(_, secret)| text.contains(secret)).collect();
        assert!(text.contains("(hidden)"), "{options:?}: the test is about something");
        assert!(shown.is_empty(), "{options:?}\n{shown:#?}");
    }
}

#[test]
fn output_is_what_was_given() {
    for (url, secret) in URLS {
        for arguments in [
            &["read", "--json", url][..],
            &["edit", "-s", "port=8080", url],
            &["edit", "--json", "-s", "port=8080", url],
            &["normalize", url],
        ] {
            let output = runner::run(&mut runner::locator(arguments), Vec::new());
            let text = String::from_utf8(output.stdout).expect("the command prints text");
            assert!(text.contains(secret), "{arguments:?}\n{text}");
        }
    }
}

#[test]
fn secrets_are_shown_on_request() {
    for (url, secret) in URLS {
        for arguments in [&["check"][..], &["resolve", "--base"], &["compare", "x"]] {
            let wrong = format!("{url} b");
            let given = [arguments, &[&wrong, "--show-secrets"]].concat();
            let output = runner::run(&mut runner::locator(&given), b"a\n".to_vec());
            let errors = [output.stdout, output.stderr].concat();
            let errors = String::from_utf8_lossy(&errors);
            let end = &secret[secret.len() - 8..];
            assert!(errors.contains(end), "{given:?}\n{errors}");
        }
    }
}

#[test]
fn a_configuration_is_quoted_without_secrets() {
    let folder = tempfile::tempdir().expect("there is a place for temporary files");
    fs::create_dir(folder.path().join("locator")).expect("a directory can be made");
    let config = folder.path().join("locator/config.toml");
    for (url, secret) in URLS {
        for text in [format!("proxy = \"{url}\"\n"), format!("gateway = \"{url}\n"), format!("[x{url}]\n")] {
            fs::write(&config, text).expect("a file can be written");
            let mut command = runner::locator(&["plan", "http://h/"]);
            let output = runner::run(command.env("XDG_CONFIG_HOME", folder.path()), Vec::new());
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(!errors.is_empty() && !errors.contains(secret), "{errors}");
        }
    }
}

/// A server of HTTP whose responses contain secrets.
#[cfg(feature = "get")]
fn server_of_secrets() -> locator_dev::servers::http::HttpServer {
    locator_dev::servers::http::HttpServer::new(|request| {
        let (status, more) = match request.target().contains("/next") {
            true => ("403 No", ""),
            false => ("302 Found", "Location: /next?access_token=7c1e9a44d2b84f03aa16\r\n"),
        };
        let fields = "Set-Cookie: id=Xy7s3cret; Path=/\r\nX-Auth-Token: Xy7s3cret\r\nConnection: close\r\n";
        locator_dev::servers::http::answer(status, &[more, fields].concat(), "")
    })
}

#[cfg(feature = "get")]
#[test]
fn get_shows_no_secret() {
    let server = server_of_secrets();
    let address = server.address;
    let url = format!("http://joe:Xy7s3cret@{address}/a?access_token=7c1e9a44d2b84f03aa16");
    for arguments in [&["get", "-v", &url][..], &["get", "--json", &url], &["get", "-v", "--json", &url]] {
        let output = runner::run(&mut runner::locator(arguments), Vec::new());
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains("(hidden)"), "{said}");
        for secret in ["Xy7s3cret", "7c1e9a44d2b84f03aa16"] {
            assert!(!said.contains(secret), "{arguments:?}\n{said}");
        }
        let exact = runner::run(runner::locator(arguments).arg("--show-secrets"), Vec::new());
        let said = [exact.stdout, exact.stderr].concat();
        assert!(String::from_utf8_lossy(&said).contains("7c1e9a44d2b84f03aa16"), "{arguments:?}");
    }
}

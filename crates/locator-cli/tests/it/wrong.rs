//! Arguments that are slightly wrong: what was meant is asked, and no exit status is 0.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::fs;

use tempfile::TempDir;

use crate::runner::{locator, run};

/// The exit status, standard output and standard error of a command in a directory.
fn answer(directory: &TempDir, arguments: &[&str], stdin: &str) -> (Option<i32>, String, String) {
    let output = run(locator(arguments).current_dir(directory), stdin.into());
    let text = |octets: Vec<u8>| String::from_utf8(octets).expect("text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn a_list_of_urls_is_not_a_reference() {
    let directory = tempfile::tempdir().expect("a directory");
    fs::write(directory.path().join("urls.txt"), "http://a/b c\n").expect("written");
    for verb in ["check", "audit", "read", "normalize", "get", "plan"] {
        let (status, out, errors) = answer(&directory, &[verb, "urls.txt"], "");
        assert_eq!((status, out.as_str()), (Some(2), ""), "{verb}");
        // `-f` of get is that of curl.
        let option = if verb == "get" { "--file" } else { "-f" };
        let message = format!(
            "error: \"urls.txt\" is a file; did you mean {option} urls.txt? (./urls.txt for the reference)\n"
        );
        assert_eq!(errors, message, "{verb}");
    }
    fs::write(directory.path().join("the access.log"), "[11:00] GET http://a/b\n").expect("written");
    fs::create_dir(directory.path().join("public")).expect("made");
    for (arguments, kind) in [
        (
            &["check", "public"][..],
            "\"public\" is a directory; did you mean 'locator find public | locator check -'?",
        ),
        (
            &["audit", "public/"],
            "\"public/\" is a directory; did you mean 'locator audit --documents public/'?",
        ),
        (
            &["audit", "the access.log"],
            "\"the access.log\" is a file; did you mean 'locator audit --documents 'the access.log'', or \
             -f 'the access.log' if each of its lines is a URL?",
        ),
        (&["check", "urls.txt", "urls.txt"], "\"urls.txt\" and the other arguments are files"),
    ] {
        let (status, out, errors) = answer(&directory, arguments, "");
        assert_eq!((status, out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(errors.contains(kind), "{errors}");
    }
    for arguments in [
        &["check", "--relative", "./urls.txt"][..],
        &["read", "./urls.txt"],
        &["normalize", "./urls.txt"],
        &["audit", "--base", "https://www.example.com/", "urls.txt"],
        &["check", "-r", "urls.txt", "other.txt"],
        &["check", "-r", "."],
        &["check", "-r", "/"],
    ] {
        assert_eq!(answer(&directory, arguments, "").0, Some(0), "{arguments:?}");
    }
}

#[test]
fn find_says_that_nothing_was_searched() {
    let directory = tempfile::tempdir().expect("a directory");
    for (arguments, status) in [(&["find", "."][..], 1), (&["find", "--broken", "-t", "html", "."], 0)] {
        let (got, out, errors) = answer(&directory, arguments, "");
        assert_eq!((got, out.as_str()), (Some(status), ""), "{arguments:?}");
        assert!(errors.starts_with("note: no file was searched"), "{errors}");
    }
}

#[test]
fn check_needs_a_scheme() {
    let directory = tempfile::tempdir().expect("a directory");
    let mut wrong = Vec::new();
    for text in
        ["foo", "example.com", "//h/a", "/a", "../a", "?q", "a.b:8080", "LOCALHOST:1/x", "192.0.2.7:80"]
    {
        for quiet in [
            &["check"][..],
            &["check", "-q"],
            &["check", "--json"],
            &["check", "-s"],
            &["check", "-e", "all"],
        ] {
            let as_argument = answer(&directory, &[quiet, &[text]].concat(), "");
            let in_list = answer(&directory, quiet, &format!("\n{text}\n  \nhttp://h/\n"));
            wrong.extend(
                [as_argument, in_list].into_iter().filter(|answer| answer.0 != Some(1)).map(|_| text),
            );
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
    for (arguments, lines) in [
        (&["check"][..], "\n\nhttp://h/\n \n"),
        (&["check", "-r"], "foo\n../a\n\n//h/\n"),
        (&["check", "-A"], "http://h/\n"),
        (&["check", "--relative", "-q"], "foo\n"),
    ] {
        assert_eq!(answer(&directory, arguments, lines), (Some(0), String::new(), String::new()));
    }
    assert_eq!(answer(&directory, &["check", "-r"], "a.b:80\n").0, Some(1));
    let empty = "note: standard input is empty: there is no URL in it\n";
    assert_eq!(answer(&directory, &["check"], ""), (Some(0), String::new(), empty.into()));
}

#[test]
fn a_dash_is_standard_input() {
    let directory = tempfile::tempdir().expect("a directory");
    let urls = "http://a.example/b\nhttp://a.example/c\n";
    let base = ["-b", "http://a.example/"];
    for (arguments, has_paths) in [
        (&["read", "--json"][..], true),
        (&["check", "--json", "-e", "rfc1738"], false),
        (&["resolve", base[0], base[1]], true),
        (&["relative", base[0], base[1]], true),
        (&["normalize"], true),
        (&["convert"], true),
        (&["edit", "-s", "query=q"], true),
        (&["audit", "--json", "--min-severity", "info", "--readings"], true),
        (&["plan", "--json"], true),
        (&["get", "--plan", "--json"], true),
        (&["path"], false),
        (&["file", "-p", "posix"], false),
        (&["read", "--columns", "path"], true),
        (&["edit", "--csv", "--no-headers", "--column", "1", "-s", "query=q"], true),
    ] {
        let without = answer(&directory, arguments, urls);
        let with = answer(&directory, &[arguments, &["-"]].concat(), urls);
        assert_eq!(with, without, "{arguments:?}");
        assert_eq!(
            with.1.lines().count() >= 2,
            has_paths || arguments[0] != "check",
            "{arguments:?}: {with:?}"
        );
        let (status, out, errors) = answer(&directory, &[arguments, &["-", "-"]].concat(), urls);
        assert_eq!(status, Some(2), "{arguments:?}: {out}{errors}");
    }
    let normal =
        |arguments: &[&str], stdin| answer(&directory, &[&["normalize"], arguments].concat(), stdin).1;
    assert_eq!(normal(&["http://b", "-", "http://c"], "http://a"), "http://b/\nhttp://a/\nhttp://c/\n");
    assert_eq!(normal(&["-0", "-"], "http://a\0http://b"), "http://a/\0http://b/\0");
    assert_eq!(normal(&["--", "-"], "http://a"), "-\n");
    assert_eq!(answer(&directory, &["check", "-q", "--", "-"], "").0, Some(1));
    for (arguments, stdin, status) in [
        (["-", "http://a/b"], "HTTP://a/b\n", 0),
        (["http://a/b", "-"], "http://a/c\n", 1),
        (["http://a/b", "-"], "", 2),
        (["http://a/b", "-"], "http://a/b\nhttp://a/c\n", 2),
        (["-", "-"], "http://a/b\n", 2),
    ] {
        let arguments = [&["compare"], &arguments[..]].concat();
        assert_eq!(answer(&directory, &arguments, stdin).0, Some(status), "{arguments:?}");
    }
    // Without a verb.
    assert_eq!(answer(&directory, &["-"], "http://a/b\n"), answer(&directory, &["read"], "http://a/b\n"));
    assert_eq!(answer(&directory, &[], "http://a/b\n"), answer(&directory, &["read"], "http://a/b\n"));
    let nothing = locator(&[] as &[&str]).stdin(std::process::Stdio::null()).output().expect("it is built");
    assert_eq!(nothing.status.code(), Some(2));
}

#[test]
fn lines_of_input_and_output_correspond() {
    let directory = tempfile::tempdir().expect("a directory");
    let lines = "http://a/\nhttp://b/%zz\nhttp://c/\n";
    for verb in [
        &["normalize"][..],
        &["convert"],
        &["resolve", "-b", "http://h/"],
        &["relative", "-b", "http://h/"],
        &["edit", "--unset", "fragment"],
    ] {
        let (status, out, _) = answer(&directory, verb, lines);
        assert_eq!(status, Some(1), "{verb:?}");
        let out: Vec<_> = out.lines().collect();
        assert_eq!((out.len(), out[1]), (3, ""), "{verb:?}");
    }
}

#[test]
fn a_host_as_data_has_no_delimiters() {
    let directory = tempfile::tempdir().expect("a directory");
    for (host, option) in [
        ("h:8080", "-s port=NUMBER"),
        ("u@h", "-s user=NAME"),
        ("h/a", "-s path=PATH"),
        ("h?q", "-s query=QUERY"),
        ("h#f", "-s fragment=FRAGMENT"),
        ("a]", "[::1]"),
        ("a b", "a space"),
    ] {
        let set = format!("host={host}");
        let (status, out, errors) = answer(&directory, &["edit", "-s", &set, "http://x/"], "");
        assert_eq!((status, out.as_str()), (Some(1), ""), "{host}");
        assert!(errors.contains("a host cannot contain") && errors.contains(option), "{errors}");
    }
}

#[test]
fn a_host_without_a_scheme_is_not_fetched() {
    let directory = tempfile::tempdir().expect("a directory");
    for (given, meant) in [
        ("example.com", "https://example.com/"),
        ("localhost:8080/", "http://localhost:8080/"),
        ("127.0.0.1/x", "http://127.0.0.1/x"),
    ] {
        let (status, out, errors) = answer(&directory, &["get", given], "");
        assert_eq!((status, out.as_str()), (Some(2), ""), "{given}");
        assert_eq!(errors, format!("error: no scheme; did you mean {meant} ?\n  {given}\n"));
    }
}

#[test]
fn what_delimits_a_url_is_no_part_of_it() {
    let directory = tempfile::tempdir().expect("a directory");
    let given = " <URL:http://A/b\r\n   c>\n";
    let remark = "note: repaired: http://A/bc\n";
    let expected = (Some(0), "http://a/bc\n".to_owned(), remark.to_owned());
    assert_eq!(answer(&directory, &["normalize", "--repair", given], ""), expected);
    let expected = (Some(0), String::new(), remark.to_owned());
    assert_eq!(answer(&directory, &["check", "--repair", given], ""), expected);
    let (status, out, errors) = answer(&directory, &["read", "--repair", given], "");
    assert!(status == Some(0) && out.starts_with("http://A/bc\n") && errors == remark, "{out}{errors}");
    let (_, _, errors) = answer(&directory, &["get", "--plan", "<ftp://127.0.0.1/a\n b>"], "");
    assert!(errors.starts_with("note: read as ftp://127.0.0.1/ab, "), "{errors}");
    let (status, _, errors) = answer(&directory, &["get", "ftp://127.0.0.1/a b"], "");
    assert!(status == Some(2) && errors.contains("write %20"), "{errors}");
}

#[test]
fn an_argument_is_read_without_its_delimiters() {
    let directory = tempfile::tempdir().expect("a directory");
    let base = ["-b", "http://a/"];
    for given in [
        "<http://a/b>",
        "<URL:http://a/b>",
        "\"http://a/b\"",
        "'http://a/b'",
        " http://a/b ",
        "< URL:http://a/b\n>",
    ] {
        for verb in [
            &["read"][..],
            &["normalize"],
            &["resolve", base[0], base[1]],
            &["relative", base[0], base[1]],
            &["convert"],
            &["edit"],
            &["audit"],
            &["plan"],
            &["read", "--columns", "path"],
            &["compare", "http://a/b"],
        ] {
            // Line breaks in a URL are dangerous.
            if verb[0] == "audit" && given.contains('\n') {
                continue;
            }
            let (status, out, errors) = answer(&directory, &[verb, &[given]].concat(), "");
            let plain = answer(&directory, &[verb, &["http://a/b"]].concat(), "");
            assert_eq!((status, out), (plain.0, plain.1), "{verb:?} {given:?}");
            let note = "note: read as http://a/b, without the delimiters and line breaks, which are not part of a URL\n";
            assert_eq!(errors, [note, &plain.2].concat(), "{verb:?} {given:?}");
            if verb[0] != "compare" && verb[0] != "audit" && !given.contains('\n') {
                assert_eq!(answer(&directory, verb, given).0, Some(1), "{verb:?} {given:?}, in a list");
            }
        }
        assert_eq!(answer(&directory, &["check", given], "").0, Some(1), "{given:?}");
    }
    let resolved = |given| answer(&directory, &["resolve", "-b", "http://a/b/c", given], "").1;
    assert_eq!(resolved("<../d>"), "http://a/d\n");
    assert_eq!(resolved("'d'"), "http://a/b/'d'\n");
    assert_eq!(
        answer(
            &directory,
            &["audit", "-q", "--min-severity", "medium", "--fail-on", "medium", "http://a/\nb"],
            ""
        )
        .0,
        Some(1)
    );
}

#[test]
fn the_web_is_served_on_many_ports() {
    let directory = tempfile::tempdir().expect("a directory");
    for port in [81, 444, 591, 800] {
        assert_eq!(
            answer(&directory, &["plan", "-q", &format!("http://h:{port}/")], "").0,
            Some(0),
            "{port}"
        );
        assert_eq!(
            answer(&directory, &["plan", "-q", &format!("gopher://h:{port}/")], "").0,
            Some(1),
            "{port}"
        );
    }
    assert_eq!(answer(&directory, &["plan", "-q", "http://h:25/"], "").0, Some(1));
}

#[test]
fn no_mistake_has_status_0() {
    let directory = tempfile::tempdir().expect("a directory");
    let verbs = [
        "read",
        "check",
        "resolve",
        "relative",
        "convert",
        "normalize",
        "edit",
        "audit",
        "plan",
        "get",
        "find",
        "path",
        "file",
    ];
    let base = |verb| if matches!(verb, "resolve" | "relative") { &["-b", "http://h/"][..] } else { &[] };
    let mut asked = 0;
    for verb in verbs {
        for wrong in [
            &["--no-such-option", "http://h/"][..],
            &["--jsn", "http://h/"],
            &["-f", "missing.txt"],
            &["-f", "."],
            &["-e", "rfc9999", "http://h/"],
            &["--color", "sometimes", "http://h/"],
        ] {
            let arguments = [&[verb], base(verb), wrong].concat();
            let (status, out, errors) = answer(&directory, &arguments, "");
            assert_eq!((status, out.as_str()), (Some(2), ""), "{arguments:?}: {errors}");
            assert!(!errors.is_empty(), "{arguments:?}");
            asked += 1;
        }
    }
    assert_eq!(asked, 78);
}

/// What others may write into names, URLs and answers: commands of CI services, and characters that do not show
/// themselves.
const HOSTILE: [&str; 16] = [
    "::error::x",
    "  ::error file=a::x",
    "\t::warning::x",
    ":::x",
    "\u{85}::error::x",
    "\u{2028}::error::x",
    "\u{FEFF}::error::x",
    "a\r::error::x",
    "a\n::error::x",
    "##[error]x",
    "a ##[group]x",
    "###vso[task.x]y",
    "\u{9B}31mx",
    "\u{1B}[31m::error::x",
    "x\u{202E}gpj.\u{2066}",
    "a\u{200B}b\u{AD}\u{E0001}",
];

/// Returns the first line that a CI service would obey.
fn command_in(text: &str) -> Option<&str> {
    text.split(['\n', '\r']).find(|line| {
        let words = line.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{FEFF}');
        words.starts_with("::") || line.contains("##[") || line.contains("##vso[")
    })
}

/// Returns the first character that does not show itself.
fn unseen_in(text: &str) -> Option<char> {
    text.chars().find(|c| !matches!(c, '\n') && (c.is_control() || locator_audit::does_harm(*c)))
}

fn both(output: &std::process::Output) -> [String; 2] {
    [&output.stdout, &output.stderr].map(|octets| String::from_utf8_lossy(octets).into_owned())
}

#[test]
fn no_line_for_people_is_a_command() {
    let verbs: [&[&str]; 17] = [
        &["audit"],
        &["audit", "--brief"],
        &["audit", "--readings"],
        &["check"],
        &["check", "--brief"],
        &["check", "-e", "all"],
        &["read"],
        &["read", "-e", "all"],
        &["plan"],
        &["compare", "http://h.example/"],
        &["resolve", "--base"],
        &["normalize"],
        &["find"],
        &["find", "--offline"],
        &["audit", "--since"],
        &["check", "-f"],
        &["edit", "-s"],
    ];
    for hostile in HOSTILE {
        for verb in verbs {
            for text in
                [hostile.to_owned(), format!("http://h.example/{hostile}"), format!("http://{hostile}/")]
            {
                let [out, err] = both(&run(&mut locator(&[verb, &[&*text]].concat()), Vec::new()));
                assert_eq!((command_in(&err), unseen_in(&err)), (None, None), "{verb:?} {text:?}: {err}");
                // The others write data.
                if matches!(verb[0], "audit" | "check" | "read" | "plan" | "compare") {
                    assert_eq!((command_in(&out), unseen_in(&out)), (None, None), "{verb:?} {text:?}: {out}");
                }
            }
        }
    }
}

#[cfg(all(unix, feature = "links"))]
#[test]
fn no_line_about_links_is_a_command() {
    let folder = tempfile::tempdir().unwrap();
    for (number, hostile) in HOSTILE.iter().enumerate() {
        let links = format!(
            "<a href=\"{hostile}\">x</a><a href=\"none#{hostile}\">x</a><a href=\"http://h/{hostile}\">x</a>"
        );
        fs::write(folder.path().join(format!("{hostile}.html")), &links).unwrap();
        fs::write(folder.path().join(format!("{number}.html")), links + &format!("<p id=\"{hostile}\">"))
            .unwrap();
    }
    let both_of = |arguments: &[&str]| both(&run(locator(arguments).current_dir(folder.path()), Vec::new()));
    for show in ["broken", "all"] {
        for format in ["text", "github", "junit", "sarif", "markdown", "html", "json"] {
            let arguments =
                ["links", "--offline", "--include-verbatim", "--show", show, "--format", format, "."];
            let [out, err] = both_of(&arguments);
            assert_eq!((command_in(&err), unseen_in(&err)), (None, None), "{format}: {err}");
            assert_eq!(unseen_in(&out), None, "{format}: {out}");
            let text = match format {
                "text" => &*out,
                // Between the commands that stop and resume commands.
                "github" => {
                    let (first, rest) = out.split_once('\n').unwrap();
                    let token = first.strip_prefix("::stop-commands::").unwrap();
                    rest.split_once(&format!("::{token}::")).unwrap().0
                }
                _ => "",
            };
            assert_eq!(command_in(text), None, "{format}: {text}");
        }
    }
    // Data stay as they are.
    let [out, _] = both_of(&["find", "--sort", "path", "."]);
    assert!(out.contains("::error::x") && out.contains("##[error]x"), "{out}");
}

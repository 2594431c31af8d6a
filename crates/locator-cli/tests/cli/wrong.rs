//! Arguments that are slightly wrong: what was meant is asked, and no exit status is 0.

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
    fs::create_dir(directory.path().join("public")).expect("made");
    for (arguments, kind) in [
        (&["check", "public"][..], "\"public\" is a directory; did you mean 'locator find public'?"),
        (&["audit", "public/"], "\"public/\" is a directory; did you mean 'locator find public/'?"),
        (&["check", "urls.txt", "urls.txt"], "\"urls.txt\" and the other arguments are files"),
    ] {
        let (status, out, errors) = answer(&directory, arguments, "");
        assert_eq!((status, out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(errors.contains(kind), "{errors}");
    }
    for arguments in [
        &["check", "./urls.txt"][..],
        &["read", "./urls.txt"],
        &["normalize", "./urls.txt"],
        &["audit", "--base", "https://www.example.com/", "urls.txt"],
        &["check", "urls.txt", "other.txt"],
        &["check", "."],
        &["check", "/"],
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
fn check_says_that_everything_is_relative() {
    let directory = tempfile::tempdir().expect("a directory");
    let note = "note: no input has a scheme, so each is a relative reference, as almost any text is; use \
                --absolute to require a scheme\n";
    assert_eq!(answer(&directory, &["check"], "foo\nbar\n"), (Some(0), String::new(), note.into()));
    for (arguments, lines) in
        [(&["check"][..], "foo\nhttp://h/\n"), (&["check", "-s"], "foo\n"), (&["check", "-q"], "foo\n")]
    {
        assert_eq!(answer(&directory, arguments, lines), (Some(0), String::new(), String::new()));
    }
    let empty = "note: standard input is empty: there is no URL in it\n";
    assert_eq!(answer(&directory, &["check"], ""), (Some(0), String::new(), empty.into()));
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

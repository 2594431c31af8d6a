//! `get -T` with ftp: what is sent for each option, and what is made of the replies.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use locator_dev::servers::ftp::{FtpServer, Visit};

use crate::http::{done, folder, run};

/// The commands of a visit, without those of the login and the port.
fn sent(server: &FtpServer) -> Vec<String> {
    let is_of_upload = |command: &String| !command.starts_with("USER") && command != "EPSV";
    server.commands().into_iter().filter(is_of_upload).collect()
}

#[test]
fn what_is_sent() {
    let server = FtpServer::with_visits(vec![Visit::default(); 8]);
    let folder = folder();
    std::fs::write(folder.path().join("a b"), "one\ntwo\r\n").unwrap();
    for (arguments, url, expected) in [
        (&["-T", "a b"][..], "d/x", &["CWD d", "TYPE I", "STOR x", "one\ntwo\r\n"][..]),
        // A URL that ends with "/" gets the name of the file.
        (&["-T", "a b"], "d/", &["CWD d", "TYPE I", "STOR a b", "one\ntwo\r\n"]),
        (&["-T", "a b", "--append"], "x", &["TYPE I", "APPE x", "one\ntwo\r\n"]),
        (&["-T", "-"], "x", &["TYPE I", "STOR x", "typed"]),
        // Lines of a text end in CR LF (RFC 959, 3.1.1.1).
        (&["-T", "a b"], "d/;type=a", &["CWD d", "TYPE A", "STOR a b", "one\r\ntwo\r\n"]),
        (
            &["-T", "a b", "--ftp-create-dirs"],
            "d/n/x",
            &["CWD d", "CWD n", "MKD n", "CWD n", "TYPE I", "STOR x", "one\ntwo\r\n"],
        ),
    ] {
        let url = server.url(url);
        let arguments = [arguments, &[&*url]].concat();
        assert_eq!(run(folder.path(), &arguments, &[], "typed"), done(""), "{arguments:?}");
        assert_eq!(sent(&server), expected, "{arguments:?}");
    }
}

#[test]
fn what_is_refused() {
    let folder = folder();
    std::fs::write(folder.path().join("f"), "text").unwrap();
    for (refuses, url, said) in [
        (
            Some(("STOR", "550 Permission denied.")),
            "x",
            "the server refused the request (550 Permission denied.)",
        ),
        (Some(("STOR", "552 Disk full.")), "x", "552 Disk full."),
        (
            Some(("MKD", "550 Create directory operation failed.")),
            "n/x",
            "the server refused the request (550 Create directory operation failed.)",
        ),
    ] {
        let server = FtpServer::with_visits(vec![Visit { refuses, ..Visit::default() }]);
        let (printed, status, errors) =
            run(folder.path(), &["-T", "f", "--ftp-create-dirs", &server.url(url)], &[], "");
        assert_eq!((printed.as_str(), status), ("", 1), "{errors}");
        assert!(errors.contains(said), "{errors}");
    }
    let server = FtpServer::with_visits(vec![Visit::default(); 2]);
    let (_, status, errors) = run(folder.path(), &["-T", "f", &server.url("n/x")], &[], "");
    assert_eq!(status, 1, "{errors}");
    assert!(errors.contains("550 no such directory"), "{errors}");
    for (arguments, url, said) in [
        (&["-T", "-"][..], "d/", "expected the name that the file gets on the server"),
        (&["-T", "f"], "x;type=d", "expected the type of a file"),
        (&["-T", "f", "-o", "y"], "x", "-o or -O has no effect on an upload to ftp"),
        (&["-T", "f", "--range", "0-9"], "x", "--range has no effect on an upload to ftp"),
    ] {
        let (_, status, errors) = run(folder.path(), &[arguments, &[&*server.url(url)]].concat(), &[], "");
        assert_eq!(status, 2, "{errors}");
        assert!(errors.contains(said), "{errors}");
    }
}

#[test]
fn a_plan_shows_it() {
    let folder = folder();
    std::fs::write(folder.path().join("f"), "text").unwrap();
    let arguments = ["--plan", "-T", "f", "--ftp-create-dirs", "ftp://h.example/n/"];
    let (printed, status, errors) = run(folder.path(), &arguments, &[], "");
    assert_eq!((status, errors.as_str()), (0, "note: the file of 4 bytes is not shown\n"));
    for line in ["C: CWD n\n", "C: MKD n\n", "C: STOR f\n", "send the file and close the data connection\n"] {
        assert!(printed.contains(line), "{printed}");
    }
}

/// Of many small files, asking for size and time would be half of the round trips.
#[test]
fn size_and_time_are_asked_for_where_they_are_of_use() {
    let folder = folder();
    for (arguments, is_asked) in [
        (&["-O"][..], true),
        (&["-O", "data:,x"], false),
        (&["-O", "-C", "-", "data:,x"], true),
        (&["-O", "-R", "data:,x"], true),
        (&["-O", "--retry", "1", "data:,x"], true),
        (&["-O", "--max-filesize", "1K", "data:,x"], true),
        (&["-O", "-z", "2020-01-01", "data:,x"], true),
    ] {
        let server = FtpServer::with_visits(vec![Visit {
            octets: b"abc".into(),
            modified: "20260101000000",
            ..Visit::default()
        }]);
        let url = server.url("a");
        let (_, status, errors) = run(folder.path(), &[arguments, &[&*url]].concat(), &[], "");
        assert_eq!(status, 0, "{errors}");
        let commands = server.commands();
        let asked = [commands.contains(&"SIZE a".into()), commands.contains(&"MDTM a".into())];
        assert_eq!(asked, [is_asked; 2], "{arguments:?}");
        for file in ["a", ",x"] {
            let _ = std::fs::remove_file(folder.path().join(file));
        }
    }
}

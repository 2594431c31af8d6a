//! What `get` writes to files: a page or a file, and nothing else; and never over what another fetch
//! writes.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::fs::{self, File};
use std::path::Path;

use locator_dev::servers::GopherServer;
use locator_dev::servers::ftp::{FtpServer, Visit};

use crate::http::{Server, answer, done, folder, names, ok, run};

/// Fetches into an empty directory; returns what is printed, the exit status, what is said, and the files.
fn fetch(arguments: &[&str]) -> (String, i32, String, Vec<String>) {
    let folder = folder();
    let (printed, status, errors) = run(folder.path(), arguments, &[], "");
    (printed, status, errors, names(folder.path()))
}

fn statuses() -> Server {
    Server::new(|request| match request.line.rsplit_once('/').unwrap().1 {
        "204" => b"HTTP/1.1 204 No Content\r\n\r\n".into(),
        "205" => answer("205 Reset Content", "", "xy"),
        "300" => answer("300 Multiple Choices", "", "several\n"),
        "302" => answer("302 Found", "Location: there?token=s3cretS3CRET\r\n", "moved\n"),
        "304" => b"HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\n\r\n".into(),
        name => ok(&format!("{name}\n")),
    })
}

#[test]
fn a_response_without_content_writes_nothing() {
    let server = statuses();
    let condition = ["-H", "If-None-Match: \"a\""];
    for (name, options, remark) in [
        ("204", &[][..], "the response has no content (204 No Content)"),
        ("205", &[], "the response has no content (205 Reset Content)"),
        ("304", &condition, "the file has not changed (304 Not Modified)"),
    ] {
        let (url, said) = (server.url(&format!("/{name}")), format!("note: {remark}\n"));
        for to in [&["-O"][..], &["-o", "x"], &["-o", "-"], &["-Z", "-O"], &["-C", "-", "-O"]] {
            let (printed, status, errors, files) = fetch(&[options, to, &[&url]].concat());
            assert_eq!((&*printed, status, errors, files.len()), ("", 0, said.clone(), 0), "{to:?}");
        }
        assert_eq!(fetch(&[options, &["-s", "-O", &url]].concat()).2, "");
        // A file that is there stays, with its time.
        let folder = folder();
        let file = folder.path().join("x");
        fs::write(&file, "old").unwrap();
        let before = fs::metadata(&file).unwrap().modified().unwrap();
        let arguments = [options, &["--clobber", "-o", "x", &url]].concat();
        assert_eq!(run(folder.path(), &arguments, &[], ""), (String::new(), 0, said));
        assert_eq!(fs::read(&file).unwrap(), b"old");
        assert_eq!(fs::metadata(&file).unwrap().modified().unwrap(), before);
        assert_eq!(names(folder.path()), ["x"]);
        let (printed, status, ..) = fetch(&[options, &["--json", "-O", &url]].concat());
        assert!(
            !printed.contains("\"file\"") && printed.contains(&format!("\"status\":{name}")),
            "{printed}"
        );
        assert_eq!(status, 0);
    }
    let (_, status, errors, files) = fetch(&["-O", &server.url("/304")]);
    assert_eq!(
        (status, errors.contains("to a request without a header If-"), files.len()),
        (2, true, 0),
        "{errors}"
    );
}

#[test]
fn a_redirect_that_is_not_followed_is_not_a_file() {
    let server = statuses();
    let url = server.url("/302");
    for to in [&["-O"][..], &["-i", "-O"], &["-Z", "-O"], &["-o", "x"]] {
        let (printed, status, errors, files) = fetch(&[&["--max-redirs", "0"], to, &[&url]].concat());
        assert_eq!((&*printed, status, files.len()), ("", 2, 0), "{errors}");
        let target = server.url("/there?token=(hidden)");
        let why = format!("redirect not followed: it leads to {target} (302 Found)");
        assert!(errors.contains(&why), "{errors}");
    }
    // With -I the head is what is wanted.
    let (_, status, errors, files) = fetch(&["--max-redirs", "0", "-I", "-O", &url]);
    assert_eq!((status, files), (0, vec!["302".to_owned()]), "{errors}");
    let (_, status, errors, files) = fetch(&["-O", &server.url("/300")]);
    assert_eq!((status, files.len()), (2, 0), "{errors}");
    assert!(errors.contains("the response is 300 Multiple Choices; nothing is saved"), "{errors}");
    let (printed, ..) = fetch(&["--max-redirs", "0", "--json", "-O", &url]);
    assert!(printed.contains("\"kind\":\"redirect\"") && printed.contains("\"status\":302"), "{printed}");
}

#[test]
fn a_directory_is_not_a_file() {
    let tree = folder();
    let tree = tree.path();
    fs::create_dir(tree.join("docs")).unwrap();
    fs::write(tree.join("docs/a.txt"), "a\n").unwrap();
    let directory = format!("file://{}/docs", tree.display());
    for (to, how) in [
        (&["-O"][..], "; use -o FILE {}/ to save the listing"),
        (&["-Z", "-O"], "; use -o FILE {}/ to save the listing"),
        (&["-o", "x"], "; use {}/ to save the listing"),
        (&["--urls", "-o", "x"], "; use {}/ to save the listing"),
    ] {
        let (printed, status, errors, files) = fetch(&[to, &[&directory]].concat());
        assert_eq!((&*printed, status, files.len()), ("", 2, 0), "{errors}");
        let why = format!("the URL is a directory, not a file{}", how.replace("{}", &directory));
        assert!(errors.contains(&why), "{errors}");
    }
    // A file that is there stays.
    fs::write(tree.join("x"), "old").unwrap();
    let (_, status, _) = run(tree, &["--clobber", "-o", "x", &directory], &[], "");
    assert_eq!((status, fs::read(tree.join("x")).unwrap()), (2, b"old".to_vec()));
    // Its list is a file if that is asked for, and the same in JSON.
    let list = format!("{directory}/");
    let lines = format!("{list}a.txt\ta.txt\n");
    assert_eq!(run(tree, &[&directory], &[], ""), done(&lines));
    for json in [&[][..], &["--json"]] {
        let (_, status, errors) = run(tree, &[json, &["--clobber", "-o", "list", &list]].concat(), &[], "");
        assert_eq!((status, fs::read_to_string(tree.join("list")).unwrap()), (0, lines.clone()), "{errors}");
    }
    // Files of a list are written, and its directories are not.
    fs::create_dir(tree.join("docs/more")).unwrap();
    let (urls, ..) = run(tree, &["--urls", &list], &[], "");
    let to = folder();
    let (_, status, errors) = run(to.path(), &["-O"], &[], &urls);
    assert_eq!((status, names(to.path())), (2, vec!["a.txt".to_owned()]), "{errors}");
}

#[test]
fn a_directory_of_ftp_is_not_a_file() {
    let directory = Visit { octets: b"a.txt\r\n".into(), is_directory: true, ..Visit::default() };
    let server = FtpServer::with_visits(vec![directory; 8]);
    for (url, list) in [("/pub", "/pub/"), ("/a/pub", "/a/pub/")] {
        let (printed, status, errors, files) = fetch(&["-O", &server.url(&url[1..])]);
        assert_eq!((&*printed, status, files.len()), ("", 2, 0), "{errors}");
        let list = server.url(&list[1..]);
        assert!(errors.contains(&format!("a directory, not a file; use -o FILE {list} to")), "{errors}");
    }
    for url in ["pub/", "pub;type=d"] {
        let (_, status, errors, files) = fetch(&["--urls", "-o", "list", &server.url(url)]);
        assert_eq!((status, files), (0, vec!["list".to_owned()]), "{errors}");
    }
}

/// What a URL itself says to be a list is written by -o, and -O writes files only.
#[test]
fn a_menu_is_not_a_file_with_its_name() {
    let menu = b"0A text\tdocs/a\t127.0.0.1\t70\r\n.\r\n";
    let server = GopherServer::start(menu);
    let (_, status, errors, files) = fetch(&["-O", &server.url("1/docs")]);
    assert_eq!((status, files.len()), (2, 0), "{errors}");
    assert!(errors.contains("the URL is a menu, not a file; use -o FILE to save the listing"), "{errors}");
    let (_, status, errors, files) = fetch(&["-o", "menu", &server.url("1/docs")]);
    assert_eq!((status, files), (0, vec!["menu".to_owned()]), "{errors}");
}

#[test]
fn a_file_of_another_run_is_not_replaced() {
    let server = statuses();
    let folder = folder();
    let part = folder.path().join("x.part");
    let running = File::create(&part).unwrap();
    running.lock().unwrap();
    for left in ["", "half"] {
        fs::write(&part, left).unwrap();
        for options in [&["--clobber"][..], &["-C", "-"], &[]] {
            let (_, status, errors) =
                run(folder.path(), &[options, &["-o", "x", &server.url("/a")]].concat(), &[], "");
            let is_said = errors.contains("another process is writing \"x.part\"");
            assert_eq!((status, is_said, names(folder.path()).len()), (2, true, 1), "{errors}");
            assert_eq!(fs::read_to_string(&part).unwrap(), left);
        }
    }
    drop(running);
    let (_, status, errors) = run(folder.path(), &["-o", "x", &server.url("/a")], &[], "");
    assert_eq!((status, errors.contains("an earlier download is incomplete")), (2, true), "{errors}");
    assert_eq!(run(folder.path(), &["--clobber", "-o", "x", &server.url("/a")], &[], ""), done(""));
    assert_eq!(names(folder.path()), ["x"]);
}

#[test]
fn a_run_does_not_replace_its_own_files() {
    let server = statuses();
    for options in [&["-O"][..], &["-Z", "-O"], &["-o", "x"]] {
        let folder = folder();
        let urls = [server.url("/1/x"), server.url("/404/../304"), server.url("/2/x")];
        let urls: Vec<_> = urls.iter().map(String::as_str).collect();
        let (_, status, errors) = run(folder.path(), &[&["--clobber"], options, &urls[..]].concat(), &[], "");
        assert_eq!((status, names(folder.path())), (2, vec!["x".to_owned()]), "{errors}");
        assert!(errors.contains("\"x\" is the file of another URL"), "{errors}");
    }
    // Devices are written as often as is wanted.
    let url = server.url("/1/x");
    assert_eq!(fetch(&["-o", "/dev/null", &url, &url]).1, 0);
}

#[cfg(unix)]
#[test]
fn pipes_and_standard_output_by_name() {
    let server = statuses();
    let url = server.url("/a");
    assert_eq!(run(Path::new("."), &["-o", "/dev/stdout", &url], &[], ""), done("a\n"));
    assert_eq!(run(Path::new("."), &["--clobber", "-o", "/dev/fd/1", &url], &[], ""), done("a\n"));
    let (printed, status, errors) = run(Path::new("."), &["-o", "/dev/stderr", &url], &[], "");
    assert_eq!((&*printed, status, &*errors), ("", 0, "a\n"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_of_standard_output() {
    let server = statuses();
    let url = server.url("/a");
    for options in [&[][..], &["-Z"], &["--json"]] {
        let arguments = [&["get"], options, &[&url, &url]].concat();
        let full = File::create("/dev/full").unwrap();
        let output = crate::runner::locator(&arguments).stdout(full).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(errors.starts_with("error: standard output cannot be written: "), "{errors}");
    }
}

/// Threads have several requests in flight; a long response does not keep the others waiting, and none is lost.
#[test]
fn short_and_long_files_at_once() {
    let octets = |name: &str| name.repeat(if name.ends_with(['0', '5']) { 50_000 } else { 3 });
    let server = Server::new(move |request| match request.line.rsplit('/').next() {
        Some("s13") => answer("404 Not Found", "", ""),
        name => ok(&octets(name.unwrap_or_default())),
    });
    let folder = folder();
    let files: Vec<_> = (0..100).map(|number| format!("s{number}")).collect();
    let urls: Vec<_> = files.iter().map(|name| server.url(&format!("/{name}"))).collect();
    let arguments: Vec<_> = ["-Z", "-O"].into_iter().chain(urls.iter().map(String::as_str)).collect();
    let (printed, status, errors) = run(folder.path(), &arguments, &[], "");
    assert_eq!((printed.as_str(), status), ("", 1), "{errors}");
    assert_eq!(errors.matches("error").count(), 1, "{errors}");
    for name in files {
        let found = fs::read_to_string(folder.path().join(&name)).ok();
        assert_eq!(found, Some(octets(&name)).filter(|_| name != "s13"), "{name}");
    }
}

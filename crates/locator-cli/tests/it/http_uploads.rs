//! `get` with files that are sent: `-T`, `-F`, `--data-binary`.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::path::Path;

use crate::http::{Server, answer, done, folder, get, ok, run};

/// A URL that ends with "/" gets the name of the file; standard input is sent in chunks.
#[test]
fn uploads() {
    let server = Server::new(|_| answer("201 Created", "", "made\n"));
    let folder = folder();
    std::fs::write(folder.path().join("a b"), "text").unwrap();
    for (to, expected) in [("/d/", "PUT /d/a%20b"), ("/d/x", "PUT /d/x"), ("/d/?q", "PUT /d/?q")] {
        assert_eq!(run(folder.path(), &["-T", "a b", &server.url(to)], &[], ""), done("made\n"));
        let request = server.requests().pop().unwrap();
        assert_eq!((&*request.line, &*request.body), (expected, "text"));
        assert_eq!((request.field("content-length"), request.field("content-type")), (Some("4"), None));
    }
    assert_eq!(run(folder.path(), &["-T", "-", &server.url("/d/")], &[], "typed"), done("made\n"));
    let request = server.requests().pop().unwrap();
    assert_eq!((&*request.line, &*request.body), ("PUT /d/", "typed"));
    assert_eq!(request.field("transfer-encoding"), Some("chunked"));
    for (arguments, said) in [
        (&["-T", "none", &*server.url("/")][..], "\"none\" cannot be read"),
        (&["-T", ".", &server.url("/")], "is a directory"),
        (&["-T", "a b", &server.url("/"), &server.url("/x")], "expected one URL"),
        (&["-T", "a b", "-d", "x", &server.url("/")], "--upload-file: cannot be used with --data"),
        (&["-F", "a=b", "-d", "x", &server.url("/")], "--form: cannot be used with --data"),
        (&["-I", "-T", "a b", &server.url("/")], "data cannot be sent with HEAD"),
        (&["-T", "a b", "--append", &server.url("/")], "--append is for ftp and ftps only"),
        (&["-T", "a b", "-r", &server.url("/")], "a directory cannot be uploaded"),
        (&["--ftp-create-dirs", &server.url("/")], "--upload-file"),
        (&["-T", "a b", "gopher://h.example/"], "--upload-file is for http, https, ftp and ftps only"),
    ] {
        let (printed, status, errors) = run(folder.path(), arguments, &[], "");
        assert_eq!((printed.as_str(), status), ("", 2), "{arguments:?}");
        assert!(errors.to_lowercase().contains(&said.to_lowercase()), "{arguments:?}: {errors}");
    }
    assert_eq!(server.requests().len(), 4);
}

/// A file is sent again by a login, a redirect and a retry; a pipe is not, once it was read.
#[test]
fn what_is_sent_again() {
    let server = Server::new(|request| match &*request.line {
        "PUT /login" if request.field("authorization").is_none() => {
            answer("401 Unauthorized", "WWW-Authenticate: Basic realm=a\r\n", "")
        }
        "PUT /old" => answer("307 Temporary Redirect", "Location: /new\r\n", ""),
        _ => ok("done"),
    });
    let folder = folder();
    std::fs::write(folder.path().join("f"), "text").unwrap();
    for (target, lines) in [("/login", ["PUT /login"; 2]), ("/old", ["PUT /old", "PUT /new"])] {
        let before = server.requests().len();
        let arguments = ["-s", "-u", "joe:secret", "-T", "f", &server.url(target)];
        assert_eq!(run(folder.path(), &arguments, &[], ""), done("done"));
        assert_eq!(server.lines()[before..], lines);
        assert!(server.requests()[before..].iter().all(|request| request.body == "text"));
        let arguments = ["-s", "-S", "-u", "joe:secret", "-T", "-", &server.url(target)];
        let (_, status, errors) = run(folder.path(), &arguments, &[], "typed");
        let said = "sending the data from a pipe a second time, after a login, a redirect or a failure, is not supported";
        assert_eq!((status, errors.contains(said)), (2, true), "{errors}");
    }
}

/// The body as curl and browsers write it, with the boundary as "B".
fn form_of(server: &Server) -> (String, String) {
    let request = server.requests().pop().unwrap();
    let media_type = request.field("content-type").unwrap();
    let boundary = media_type.strip_prefix("multipart/form-data; boundary=").unwrap().to_owned();
    let length = request.field("content-length").unwrap_or("unknown").to_owned();
    assert!(length == "unknown" || length == request.body.len().to_string());
    (length, request.body.replace(&boundary, "B"))
}

#[test]
fn forms() {
    let server = Server::new(|_| ok(""));
    let folder = folder();
    std::fs::write(folder.path().join("sea.png"), "png").unwrap();
    std::fs::write(folder.path().join("note"), "a note").unwrap();
    let url = server.url("/");
    let arguments = [
        "-F",
        "name=Jo;type=text/plain",
        "-F",
        "image=@sea.png",
        "-F",
        "other=@note;type=text/html;filename=\"a \\\"b\\\".htm\"",
        "--form-string",
        "raw=@a;b",
        "-F",
        "text=<note",
        &url,
    ];
    assert_eq!(run(folder.path(), &arguments, &[], ""), done(""));
    assert_eq!(server.lines(), ["POST /"]);
    let expected = "--B\r\nContent-Disposition: form-data; name=\"name\"\r\nContent-Type: text/plain\r\n\r\nJo\r\n\
        --B\r\nContent-Disposition: form-data; name=\"image\"; filename=\"sea.png\"\r\n\
        Content-Type: image/png\r\n\r\npng\r\n\
        --B\r\nContent-Disposition: form-data; name=\"other\"; filename=\"a %22b%22.htm\"\r\n\
        Content-Type: text/html\r\n\r\na note\r\n\
        --B\r\nContent-Disposition: form-data; name=\"raw\"\r\n\r\n@a;b\r\n\
        --B\r\nContent-Disposition: form-data; name=\"text\"\r\n\r\na note\r\n--B--\r\n";
    assert_eq!(form_of(&server).1, expected);
    // Standard input has no length.
    assert_eq!(run(folder.path(), &["-F", "a=@-;filename=x", &url], &[], "typed"), done(""));
    let (length, body) = form_of(&server);
    assert_eq!(
        (&*length, body.contains("filename=\"x\"") && body.contains("\r\n\r\ntyped\r\n")),
        ("unknown", true)
    );
    for (value, said) in [
        ("a", "expected NAME=VALUE"),
        ("a=b;c", "unknown attribute \"c\""),
        ("a=@none", "\"none\""),
        ("a=\"b", "a quotation mark is missing"),
    ] {
        let (_, status, errors) = run(folder.path(), &["-F", value, &url], &[], "");
        assert_eq!((status, errors.contains(said)), (2, true), "{value}: {errors}");
    }
}

/// The file of `--data-binary` is sent as it is, with others in their order.
#[test]
fn data_of_files() {
    let server = Server::new(|_| ok(""));
    let folder = folder();
    let long = "0123456789\n".repeat(200_000);
    std::fs::write(folder.path().join("long"), &long).unwrap();
    std::fs::write(folder.path().join("empty"), "").unwrap();
    let url = server.url("/");
    let arguments = ["--data-binary", "@long", "-d", "a=b", "--data-binary", "@empty", &url];
    assert_eq!(run(folder.path(), &arguments, &[], ""), done(""));
    let request = server.requests().pop().unwrap();
    assert!(request.body == format!("{long}&a=b&"));
    assert_eq!(request.field("expect"), Some("100-continue"));
    assert_eq!(run(folder.path(), &["--data-binary", "@-", &url], &[], "a\r\n"), done(""));
    assert_eq!(server.requests().pop().unwrap().body, "a\r\n");
}

/// Many URLs of one server are refused once.
#[test]
fn a_login_is_remembered() {
    let server = Server::new(|request| match request.field("authorization") {
        Some("Basic am9lOnNlY3JldA==") => ok("x"),
        _ => answer("401 Unauthorized", "WWW-Authenticate: Basic realm=a\r\n", ""),
    });
    let urls: Vec<_> = (0..200).map(|number| server.url(&format!("/a/{number}"))).collect();
    for (options, requests) in [(&["-Z"][..], 201), (&[], 201), (&["-Z", "--auth-no-challenge"], 200)] {
        let before = server.requests().len();
        let list = urls.join("\n");
        let arguments = [&["-s", "-u", "joe:secret"], options].concat();
        assert_eq!(run(Path::new("."), &arguments, &[], &list), done(&"x".repeat(200)));
        assert_eq!(server.requests().len() - before, requests, "{options:?}");
    }
    // Another directory of the server asks for itself.
    let before = server.requests().len();
    get(&["-s", "-u", "joe:secret", &server.url("/a/1"), &server.url("/b/1"), &server.url("/b/2")]);
    assert_eq!(server.requests().len() - before, 5);
}

/// Several files of a field are parts of the same name.
#[test]
fn several_files_in_a_field() {
    let server = Server::new(|_| ok(""));
    let folder = folder();
    for name in ["a", "b.txt", "c,d"] {
        std::fs::write(folder.path().join(name), name).unwrap();
    }
    let url = server.url("/");
    let value = "f=@a;type=x/y;filename=n,b.txt , \"c,d\"";
    assert_eq!(run(folder.path(), &["-F", value, &url], &[], ""), done(""));
    let part = |name: &str, media_type: &str, body: &str| {
        format!(
            "--B\r\nContent-Disposition: form-data; name=\"f\"; filename=\"{name}\"\r\n\
             Content-Type: {media_type}\r\n\r\n{body}\r\n"
        )
    };
    let parts = [
        part("n", "x/y", "a"),
        part("b.txt", "text/plain", "b.txt"),
        part("c,d", "application/octet-stream", "c,d"),
    ];
    assert_eq!(form_of(&server).1, parts.concat() + "--B--\r\n");
    for (value, said) in [
        ("f=@a;type=x,b.txt", "\"x\" is not a media type"),
        ("f=@a,none", "\"none\" cannot be read"),
        ("f=@a,b.txt;what=x", "unknown attribute \"what\""),
        ("f=@a;type=bogus", "\"bogus\" is not a media type"),
        ("f=@a;headers=x", "\";headers=\" is not supported"),
    ] {
        let (_, status, errors) = run(folder.path(), &["-F", value, &url], &[], "");
        assert_eq!((status, errors.contains(said)), (2, true), "{value}: {errors}");
    }
    assert_eq!(server.requests().len(), 1);
}

/// The user's own Content-Type gets the boundary, without which nobody can read the form.
#[test]
fn the_boundary_of_an_own_content_type() {
    let server = Server::new(|_| ok(""));
    let url = server.url("/");
    for given in ["multipart/form-data", "multipart/mixed; a=b", "Multipart/Related"] {
        let header = format!("content-type: {given}");
        assert_eq!(get(&["-F", "a=b", "-H", &header, &url]), done(""));
        let request = server.requests().pop().unwrap();
        let boundary = request.field("content-type").unwrap().strip_prefix(given).unwrap().to_owned();
        let boundary = boundary.strip_prefix("; boundary=").unwrap();
        assert!(request.body.starts_with(&format!("--{boundary}\r\n")), "{given}");
    }
    for (header, said) in [
        ("Content-Type: text/plain", "with --form the Content-Type is multipart/form-data"),
        ("Content-Type: multipart/form-data; Boundary=x", "leave out the boundary"),
    ] {
        let (_, status, errors) = get(&["-F", "a=b", "-H", header, &url]);
        assert_eq!((status, errors.contains(said)), (2, true), "{errors}");
    }
    // A header whose name begins in the same way is another one.
    assert_eq!(get(&["-F", "a=b", "-H", "Content-Type-X: y", &url]), done(""));
    assert_eq!(form_of(&server).1.matches("--B").count(), 2);
}

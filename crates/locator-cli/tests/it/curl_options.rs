//! Options of `get` that curl and wget have, too: names of files, times, addresses, certificates, and the
//! variables of `-w`.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::fs;
use std::io::Read as _;
use std::time::{Duration, UNIX_EPOCH};

use locator_dev::servers::TcpServer;
use serde_json::Value;

use crate::http::{Request, Server, answer, folder, get, names, ok, run};

const DATE: &str = "Sun, 06 Nov 1994 08:49:37 GMT";
const SECONDS: u64 = 784_111_777;

fn server() -> Server {
    Server::new(|request: &Request| {
        let dated = format!("Last-Modified: {DATE}\r\n");
        let suggested = |name: &str| format!("Content-Disposition: attachment; {name}\r\n");
        match request.line.split(' ').nth(1).unwrap() {
            "/dated" if request.field("If-Modified-Since") == Some(DATE) => {
                answer("304 Not Modified", "", "")
            }
            "/dated" | "/dated2" => answer("200 OK", &dated, "dated"),
            "/named" => answer("200 OK", &suggested("filename=\"a b.txt\""), "named"),
            "/climbs" => answer("200 OK", &suggested("filename*=UTF-8''..%2F..%2F.profile"), "named"),
            "/" => answer("200 OK", &suggested("x=y"), "named"),
            "/file" => match request.field("Range") {
                Some("bytes=4-") => answer("206 x", "Content-Range: bytes 4-4/5\r\n", "o"),
                Some(_) => answer("416 x", "Content-Range: bytes */5\r\n", ""),
                None => ok("hello"),
            },
            "/moved" => answer("302 Found", "Location: /file\r\n", ""),
            "/missing" => answer("404 Not Found", "X-A: b\r\n", "no such page"),
            path => ok(path),
        }
    })
}

#[test]
fn each_url_has_its_output() {
    let (server, folder) = (server(), folder());
    let (one, two) = (server.url("/one"), server.url("/two"));
    let (out, status, errors) = run(folder.path(), &["-o", "1", &one, "-O", &two], &[], "");
    assert_eq!((&*out, status), ("", 0), "{errors}");
    assert_eq!(names(folder.path()), ["1", "two"]);
    let (out, status, _) = run(folder.path(), &["--clobber", "-o", "1", "-o", "-", &two, &one], &[], "");
    assert_eq!((&*out, status), ("/one", 0));
    assert_eq!(fs::read(folder.path().join("1")).unwrap(), b"/two");
    for (arguments, why) in [
        (&["-o", "3", "-o", "4", &*one][..], "2 of -o and -O, but only 1 URL"),
        (&["-o", "3", "-o", "4"], "several -o need their URLs as arguments"),
    ] {
        let (_, status, errors) = run(folder.path(), arguments, &[], &one);
        assert_eq!((status, errors.contains(why)), (2, true), "{errors}");
    }
    let (_, status, errors) = run(folder.path(), &["-o", "5", "-o", "6", &one, &two, &one], &[], "");
    assert_eq!((status, errors.contains("there are only 2 -o and -O")), (2, true), "{errors}");
}

#[test]
fn folders() {
    let (server, folder) = (server(), folder());
    let url = server.url("/one");
    let wanted = ["--output-dir", "a/b", "-O", &url];
    let (_, status, errors) = run(folder.path(), &wanted, &[], "");
    assert_eq!(status, 2);
    assert!(errors.contains("the directory \"a/b\" does not exist; use --create-dirs"), "{errors}");
    assert_eq!(server.lines().len(), 0);
    let (_, status, errors) = run(folder.path(), &[&["--create-dirs"], &wanted[..]].concat(), &[], "");
    assert_eq!(status, 0, "{errors}");
    assert_eq!(fs::read(folder.path().join("a/b/one")).unwrap(), b"/one");
    let (_, status, _) = run(folder.path(), &["--create-dirs", "-o", "c/d", &url], &[], "");
    assert_eq!((status, fs::read(folder.path().join("c/d")).unwrap()), (0, b"/one".to_vec()));
}

#[test]
fn names_of_the_server() {
    let (server, folder) = (server(), folder());
    let get = |arguments: &[&str], path: &str| {
        let (out, status, errors) = run(folder.path(), &[arguments, &[&server.url(path)]].concat(), &[], "");
        assert_eq!(out, "");
        (status, errors)
    };
    assert_eq!(get(&["-OJ"], "/named"), (0, String::new()));
    assert_eq!(get(&["-OJ"], "/climbs"), (0, String::new()));
    // A response without a name: the URL has one.
    assert_eq!(get(&["-OJ"], "/plain"), (0, String::new()));
    assert_eq!(names(folder.path()), ["_profile", "a b.txt", "plain"]);
    let (status, errors) = get(&["-OJ"], "/named");
    assert_eq!(status, 2);
    assert!(errors.contains("\"a b.txt\" exists; use --clobber"), "{errors}");
    let (status, errors) = get(&["-OJ"], "/");
    assert_eq!((status, errors.contains("neither the response nor the URL has a file name")), (2, true));
    let (status, _) = get(&["-OJ"], "/missing");
    assert_eq!((status, names(folder.path()).len()), (1, 3));
    let (out, ..) = run(
        folder.path(),
        &["-OJ", "--clobber", "-w", "%{filename_effective}", &server.url("/named")],
        &[],
        "",
    );
    assert_eq!(out, "a b.txt");
}

#[test]
fn times() {
    let (server, folder) = (server(), folder());
    let url = server.url("/dated");
    let path = folder.path().join("dated");
    let condition = ["-R", "-z", "dated", "-o", "dated", &url];
    let (_, status, errors) = run(folder.path(), &condition, &[], "");
    assert_eq!((status, errors.contains("\"dated\" does not exist yet")), (0, true), "{errors}");
    let modified = fs::metadata(&path).unwrap().modified().unwrap();
    assert_eq!(modified, UNIX_EPOCH + Duration::from_secs(SECONDS));
    let (out, status, errors) = run(folder.path(), &condition, &[], "");
    assert_eq!((&*out, status), ("", 0));
    assert!(errors.contains("the file has not changed (304 Not Modified)"), "{errors}");
    // An older file is replaced, without --clobber.
    let file = fs::File::options().write(true).open(&path).unwrap();
    file.set_modified(UNIX_EPOCH + Duration::from_secs(SECONDS - 60)).unwrap();
    let (_, status, errors) = run(folder.path(), &condition, &[], "");
    assert_eq!((status, &*errors), (0, ""));
    assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), modified);
    let requests = server.requests();
    let sent: Vec<_> = requests.iter().map(|request| request.field("If-Modified-Since")).collect();
    assert_eq!(sent, [None, Some(DATE), Some("Sun, 06 Nov 1994 08:48:37 GMT")]);
    // A server that ignores the condition; nothing is printed.
    let url = server.url("/dated2");
    let (out, status, errors) = run(folder.path(), &["-z", "2026-03-01", &url], &[], "");
    assert_eq!((&*out, status), ("", 0));
    assert!(errors.contains("has not changed since the time of -z"), "{errors}");
    let (out, status, _) = run(folder.path(), &["-z", "-1 Mar 2026", &url], &[], "");
    assert_eq!((&*out, status), ("dated", 0));
    let requests = server.requests();
    assert_eq!(requests[4].field("If-Unmodified-Since"), Some("Sun, 01 Mar 2026 00:00:00 GMT"));
    // A first download, and what is neither a date nor a file.
    let (_, status, errors) = run(folder.path(), &["-z", "dated2", "-O", &url], &[], "");
    assert_eq!((status, errors.contains("\"dated2\" does not exist yet")), (0, true), "{errors}");
    let folders = ["--create-dirs", "--output-dir", "d", "-z", "d/dated2", "-O", &url];
    let (_, status, errors) = run(folder.path(), &folders, &[], "");
    assert_eq!((status, errors.contains("\"d/dated2\" does not exist yet")), (0, true), "{errors}");
    for word in ["yesterday", "-soon", "31 Feb 2026", "other"] {
        let (out, status, errors) = run(folder.path(), &["-z", word, "--clobber", "-O", &url], &[], "");
        assert_eq!((&*out, status, errors.contains("is neither a date")), ("", 2, true), "{errors}");
    }
    assert_eq!(server.requests().len(), 7);
}

#[test]
fn options_are_repeated() {
    let server = server();
    let (url, other) = (server.url("/file"), server.url("/missing"));
    let hello = || ("hello".to_owned(), 0, String::new());
    for arguments in [
        &["-s", "-s"][..],
        &["-ssL", "-LL"],
        &["-k", "-k", "-N", "-N", "-s"],
        &["--silent", "--location", "--insecure", "--no-buffer"],
        &["-A", "a", "-A", "b", "--max-redirs", "1", "--max-redirs", "2"],
        &["-m", "8", "-m", "9"],
        &["-X", "POST", "-X", "GET", "--connect-timeout", "1", "--connect-timeout", "9"],
        &["--retry", "9", "--retry", "0", "-1"],
        &["-w", "a", "-w", ""],
        &["-o", "-", "-z", "1 Jan 1990", "-z", "1 Jan 1991"],
        &["-u", "a:b", "-u", "c:d", "-s"],
        &["-6", "-4", "--http2", "--http1.1", "--http2"],
    ] {
        assert_eq!(get(&[arguments, &[&url]].concat()), hello(), "{arguments:?}");
    }
    let last = server.requests().into_iter().rev().find(|request| request.field("User-Agent") == Some("b"));
    assert!(last.is_some());
    let (_, status, errors) = get(&["-ff", "-vv", &other]);
    assert_eq!((status, errors.matches("C: GET").count()), (1, 1), "{errors}");
    let (_, status, _) = get(&["--data-ascii", "a=b", "-d", "c", &url]);
    assert_eq!((status, server.requests().last().unwrap().body.clone()), (0, "a=b&c".to_owned()));
}

#[test]
fn schemes_that_are_allowed() {
    let server = server();
    let (url, moved) = (server.url("/file"), server.url("/moved"));
    for (options, url, expected) in [
        (&["--proto", "=http"][..], &url, 0),
        (&["--proto", "-all,http"], &url, 0),
        (&["--proto", "-all,+http,sftp"], &url, 0),
        (&["--proto", "all,-ftp,-dict"], &url, 0),
        (&["--proto=-all,https"], &url, 2),
        (&["--proto", "-http"], &url, 2),
        (&["--proto", "=https", "--proto", "=http"], &url, 0),
        (&["--proto", "=httpx"], &url, 2),
        (&["--proto-redir", "-all,https"], &moved, 2),
        (&["--proto-redir", "-all,http"], &moved, 0),
        (&["--proto", "=http", "--proto-redir", "=https"], &moved, 2),
        (&["--proto", "=http", "--proto-redir", "=http,https"], &moved, 0),
    ] {
        let (_, status, errors) = get(&[options, &[url]].concat());
        assert_eq!(status, expected, "{options:?}: {errors}");
    }
}

#[test]
fn headers_that_a_request_has_once() {
    let server = server();
    let url = server.url("/file");
    for (arguments, name) in [
        (&["-H", "Host: a.example", "-H", "host: b.example"][..], "host"),
        (&["-H", "Host: a.example", "-H", "@fields"], "Host"),
        (&["-H", "Content-Type: a/b", "-H", "Content-Type: a/b", "-d", "x"], "Content-Type"),
        (&["--referer", "http://a/", "-H", "Referer: http://b/"], "Referer"),
        (&["-H", "Content-Length: 5"], "Content-Length"),
        (&["-H", "transfer-encoding: chunked"], "transfer-encoding"),
        (&["-H", "Content-Length:"], "Content-Length"),
    ] {
        let folder = folder();
        fs::write(folder.path().join("fields"), "X-A: b\nHost: b.example\n").unwrap();
        let (_, status, errors) = run(folder.path(), &[arguments, &[&url]].concat(), &[], "");
        let is_named = errors.starts_with(&format!("error: --header {name}: "));
        assert_eq!((status, is_named), (2, true), "{arguments:?}: {errors}");
    }
    assert_eq!(server.requests().len(), 0);
}

#[test]
fn a_port_of_another_protocol() {
    let server = TcpServer::start(|connection| {
        let answers = [&b"HTTP/1.1 400 Bad Request\r\n\r\n"[..], b"220 ftp.example\r\n", b""];
        let _ = connection.read(&mut [0; 4096])?;
        connection.send(answers[connection.order().number])
    });
    let address = server.address();
    let url = format!("//{address}/a?b=c");
    let (not_tls, meant) =
        ("the server does not speak TLS on this port", format!("did you mean http:{url}?"));
    for (expected, has_advice) in
        [(not_tls, true), (not_tls, true), ("it may not speak TLS on this port", false)]
    {
        let (_, status, errors) = get(&[&format!("https:{url}")]);
        assert_eq!((status, errors.contains(expected)), (2, true), "{errors}");
        assert_eq!(errors.contains(&meant), has_advice, "{errors}");
    }
    let alert = Server::new(|_| b"\x15\x03\x01\0\x02\x02\x46".to_vec());
    let (_, status, errors) = get(&[&alert.url("/a")]);
    let meant = format!("did you mean {}?", alert.url("/a").replace("http:", "https:"));
    assert_eq!((status, errors.contains("the server speaks TLS on this port")), (2, true), "{errors}");
    assert!(errors.contains(&meant), "{errors}");
}

#[test]
fn a_file_that_is_complete() {
    let (server, folder) = (server(), folder());
    let arguments = ["-C", "-", "-O", &server.url("/file")];
    for (local, status, why) in [
        (None, 0, ""),
        (None, 0, "\"file\" is complete (5 bytes)"),
        (
            Some("hell"),
            2,
            "\"file\" exists and has 4 bytes, the file on the server has 5 bytes; use --clobber",
        ),
        (Some("hello, world"), 2, "the file on the server has 5 bytes"),
    ] {
        if let Some(local) = local {
            fs::write(folder.path().join("file"), local).unwrap();
        }
        let (_, found, errors) = run(folder.path(), &arguments, &[], "");
        assert_eq!((found, errors.contains(why)), (status, true), "{errors}");
        let expected = local.unwrap_or("hello");
        assert_eq!(fs::read_to_string(folder.path().join("file")).unwrap(), expected);
        assert_eq!(names(folder.path()), ["file"]);
    }
    fs::write(folder.path().join("file"), "hello").unwrap();
    let (out, status, errors) = run(folder.path(), &[&["-D", "-"], &arguments[..]].concat(), &[], "");
    assert_eq!((out.starts_with("HTTP/1.1 ") && out.ends_with("\r\n\r\n"), status), (true, 0), "{errors}");
}

#[test]
fn variables() {
    let (server, folder) = (server(), folder());
    let print = |format: &str, url: &str| {
        let (out, _, errors) = run(folder.path(), &["-s", "-o", "/dev/null", "-w", format, url], &[], "");
        assert_eq!(errors, "");
        out
    };
    let (url, port) = (server.url("/moved"), server.address.port());
    let text = print("%{method} %{scheme} %{num_connects} %{remote_port} %{size_download}", &url);
    assert_eq!(text, format!("GET HTTP 1 {port} 5"));
    assert_eq!(print("%header{content-type} %{num_headers}", &url), "text/plain 2");
    assert_eq!(
        print("%{header_json}", &url),
        "{\"content-type\":[\"text/plain\"],\"content-length\":[\"5\"]}"
    );
    let object: Value = serde_json::from_str(&print("%{json}", &url)).unwrap();
    assert_eq!(
        (&object["num_redirects"], &object["url_effective"]),
        (&1.into(), &server.url("/file").into())
    );
    let head = "HTTP/1.1 302 Found\r\nLocation: /file\r\nContent-Length: 0\r\n\r\n".len()
        + "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\n".len();
    assert_eq!(object["size_header"], head);
    let time = |name: &str| object[name].as_f64().unwrap();
    let order = ["time_namelookup", "time_connect", "time_pretransfer", "time_starttransfer", "time_total"];
    assert!(order.is_sorted_by(|one, other| time(one) <= time(other)), "{object}");
    assert!(time("time_namelookup") > 0.0 && time("time_redirect") > 0.0, "{object}");
    assert_eq!(time("time_appconnect"), 0.0);
    // After an error.
    let url = server.url("/missing");
    let arguments = ["-w", "%{onerror}%{stderr}%{exitcode} %{errormsg}%{stdout}!", &url];
    let (out, status, errors) = run(folder.path(), &[&["-sf"], &arguments[..]].concat(), &[], "");
    assert_eq!((&*out, status), ("!", 1));
    assert!(errors.starts_with("1 ") && errors.contains("404"), "{errors}");
    // What is wrong.
    let (_, status, errors) = run(folder.path(), &["-w", "%{time_conect}", &url], &[], "");
    assert_eq!((status, errors.contains("did you mean %{time_connect}?")), (2, true), "{errors}");
    // From a file.
    fs::write(folder.path().join("format"), "%{http_code}\\n").unwrap();
    assert_eq!(print("@format", &server.url("/one")), "200\n");
    // What is sent.
    let (out, ..) = run(
        folder.path(),
        &["-d", "a=b", "-o-", "-w", " %{method} %{size_upload}", &server.url("/x")],
        &[],
        "",
    );
    assert_eq!(out, "/x POST 3");
}

#[test]
fn addresses_of_names() {
    let (server, folder) = (server(), folder());
    let port = server.address.port();
    let url = format!("http://www.example.com:{port}/one");
    let get = |entry: &str| run(folder.path(), &["--resolve", entry, &url], &[], "");
    let (out, status, errors) = get(&format!("WWW.example.com:{port}:127.0.0.1"));
    assert_eq!((&*out, status), ("/one", 0), "{errors}");
    assert_eq!(server.requests()[0].field("Host"), Some(&*format!("www.example.com:{port}")));
    assert_eq!(get(&format!("*:{port}:127.0.0.1")).1, 0);
    // The policy judges the address.
    let entry = format!("www.example.com:{port}:127.0.0.1");
    let (_, status, errors) = run(folder.path(), &["--public-only", "--resolve", &entry, &url], &[], "");
    assert_eq!((status, errors.contains("127.0.0.1")), (2, true), "{errors}");
    let (_, status, errors) = get("www.example.com:80:somewhere");
    assert_eq!((status, errors.contains("expected IP addresses")), (2, true), "{errors}");
}

#[test]
fn wrong_certificates() {
    let folder = folder();
    let get = |arguments: &[&str]| {
        let (_, status, errors) =
            run(folder.path(), &[arguments, &["https://127.0.0.1:1/"]].concat(), &[], "");
        assert_eq!(status, 2);
        errors
    };
    assert!(get(&["--cert", "none.pem"]).contains("\"none.pem\" cannot be read"));
    let certificate = "-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n";
    fs::write(folder.path().join("c.pem"), certificate).unwrap();
    let key = "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMAA=\n-----END ENCRYPTED PRIVATE KEY-----\n";
    fs::write(folder.path().join("k.pem"), key).unwrap();
    let errors = get(&["--cert", "c.pem:secret", "--key", "k.pem"]);
    assert!(errors.contains("is encrypted; decrypt it: openssl pkey -in 'k.pem' -out key.pem"), "{errors}");
    assert!(!errors.contains("secret"), "{errors}");
    let errors = get(&["--cert", "c.pem"]);
    assert!(errors.contains("use --key FILE"), "{errors}");
}

#[test]
fn what_is_accepted_and_what_has_another_name() {
    let (server, folder) = (server(), folder());
    let url = server.url("/a/../b");
    let accepted =
        ["-g", "--path-as-is", "--fail-with-body", "--no-progress-meter", "-#", "--tlsv1.2", "--anyauth"];
    let (out, status, errors) = run(folder.path(), &[&accepted[..], &[&url]].concat(), &[], "");
    assert_eq!((&*out, status, &*errors), ("/a/../b", 0, ""));
    let (_, status, errors) = run(folder.path(), &["--proto", "=https", &url], &[], "");
    assert_eq!((status, errors.contains("--proto does not allow http")), (2, true), "{errors}");
    for (options, hint) in [
        (&["--server-response"][..], "wget's -S is -i"),
        (&["--page-requisites"], "locator find --as html"),
        (&["--trace-ascii"], "use -v"),
        (&["-c"], "use -C - -O"),
        (&["-m"], "use -r --newer"),
        (&["-A", "*.iso", "-r"], "--accept '*.iso'"),
        (&["-nd"], "use -O"),
        (&["-O", "name"], "use -o name"),
        (&["-d"], "the URL was taken for it"),
        (&["-b"], "the URL was taken for it"),
    ] {
        let (_, status, errors) = run(folder.path(), &[options, &[&url]].concat(), &[], "");
        assert_eq!((status, errors.contains(hint)), (2, true), "{options:?}: {errors}");
    }
}

#[test]
fn options_of_wget() {
    let (server, folder) = (server(), folder());
    let (one, two) = (server.url("/one"), server.url("/two"));
    let out = |arguments: &[&str]| {
        let (out, status, errors) = run(folder.path(), arguments, &[], "");
        assert_eq!(status, 0, "{arguments:?}: {errors}");
        out
    };
    assert_eq!(out(&["-qO-", &one]), "/one");
    assert_eq!(out(&["--output-document=named", "--tries=3", "--no-check-certificate", &one]), "");
    assert_eq!(out(&["-P", "down/load", "--no-verbose", "-t", "2", &one, &two]), "");
    assert_eq!(out(&["--directory-prefix=down/other", "--no-clobber", &one]), "");
    assert_eq!(names(folder.path()), ["down", "named"]);
    assert_eq!(names(&folder.path().join("down/load")), ["one", "two"]);
    assert_eq!(names(&folder.path().join("down/other")), ["one"]);
    assert!(out(&["--spider", &one]).starts_with("HTTP/1.1 200"));
    assert_eq!(out(&["--method=PUT", "--body-data=x", "--header=A: b", "--timeout=9", &one]), "/one");
    assert_eq!(
        out(&["--execute", "robots=off", "--user=joe", "--password=x", "--max-redirect=0", &one]),
        "/one"
    );
    fs::write(folder.path().join("list"), format!("{one}\n{two}\n")).unwrap();
    assert_eq!(out(&["--input-file=list", "--compression=auto", "--no-proxy"]), "/one/two");
}

#[test]
fn retries_after_all_errors() {
    let tries = std::sync::atomic::AtomicU8::new(0);
    let server = Server::new(move |_| match tries.fetch_add(1, std::sync::atomic::Ordering::Relaxed) {
        0 => answer("404 Not Found", "", ""),
        _ => ok("there"),
    });
    let folder = folder();
    let arguments = ["-s", "--retry", "1", "--retry-delay", "0.01", "--retry-all-errors", &server.url("/")];
    assert_eq!(run(folder.path(), &arguments, &[], "").0, "there");
    let server = Server::new(|_| answer("503 Busy", "", ""));
    let arguments = ["--retry", "9", "--retry-delay", "60", "--retry-max-time", "30", &server.url("/")];
    assert_eq!((run(folder.path(), &arguments, &[], "").1, server.lines().len()), (1, 1));
}

/// A server that answers with the first line of the request.
fn echo() -> Server {
    Server::new(|request: &Request| {
        let field = |name| request.field(name).map(|value| format!(" {name}: {value}")).unwrap_or_default();
        let fields = ["Referer", "Content-Type", "Accept"].map(field).concat();
        ok(&format!("{}{fields} {}\n", request.line, request.body))
    })
}

#[test]
fn patterns_in_urls() {
    let (server, folder) = (echo(), folder());
    let get = |arguments: &[&str]| run(folder.path(), arguments, &[], "");
    let lines = |arguments: &[&str]| {
        let (out, status, errors) = get(arguments);
        assert_eq!(status, 0, "{errors}");
        out.lines().map(|line| line.split(' ').nth(1).unwrap().to_owned()).collect::<Vec<_>>().join(" ")
    };
    let url = |rest: &str| server.url(rest);
    assert_eq!(lines(&[&url("/{a,b}")]), "/a /b");
    assert_eq!(lines(&["-Z", &url("/[08-10]/{x,y}"), &url("/z")]), "/08/x /08/y /09/x /09/y /10/x /10/y /z");
    assert_eq!(
        lines(&["-w", "x %{urlnum}\n", &url("/a"), &url("/[1-2]"), &url("/b")]),
        "/a 0 /1 1 /2 1 /b 2"
    );
    // Only arguments are patterns, and no valid URL is one.
    let (_, status, errors) = run(folder.path(), &["-"], &[], &url("/{a,b}"));
    assert_eq!((status, errors.contains("\"{\" is not allowed")), (2, true), "{errors}");
    assert_eq!(lines(&["--", &url("/[1-2]")]), "/1 /2");
    for (arguments, why) in [
        (&["-g", "http://127.0.0.1:9/{a,b}"][..], "\"{\" is not allowed in the path"),
        (&["http://127.0.0.1:9/{id}"], "\"{\" is not allowed in the path"),
        (&["http://127.0.0.1:9/?a[]=b"], "\"[\" is not allowed in the query"),
        (&["http://127.0.0.1:9/[5-1]"], "bad range in the pattern at byte 19; with -g it is no pattern"),
        (&["http://127.0.0.1:9/{a,b"], "unmatched brace in the pattern at byte 19"),
        (&["http://127.0.0.1:9/[1-100001]"], "the patterns stand for more than 100000 URLs"),
        (&["127.0.0.1:9/[1-2]"], "no scheme; did you mean http://127.0.0.1:9/1 ?"),
    ] {
        let (out, status, errors) = get(arguments);
        assert_eq!((&*out, status, errors.contains(why)), ("", 2, true), "{errors}");
    }
    // The nth -o is for the nth argument.
    let arguments = ["-o", "#1_#2_#3", &url("/{a,b}[1-2]"), "-o", "#1", &url("/c")];
    assert_eq!(get(&arguments).1, 0);
    assert_eq!(names(folder.path()), ["#1", "a_1_#3", "a_2_#3", "b_1_#3", "b_2_#3"]);
    assert_eq!(get(&["-O", &url("/f[1-2].txt")]).1, 0);
    assert_eq!(names(folder.path())[5..], ["f1.txt", "f2.txt"]);
    let (_, status, errors) = get(&["-o", "same", &url("/{a,b}")]);
    assert_eq!((status, errors.contains("is the file of another URL")), (2, true), "{errors}");
}

#[test]
fn options_that_curl_has_otherwise() {
    let (server, folder) = (echo(), folder());
    let url = |rest: &str| server.url(rest);
    fs::write(folder.path().join("data"), "{\"a\":\n1}").unwrap();
    let one = |arguments: &[&str]| {
        let (out, status, errors) = run(folder.path(), arguments, &[], "typed");
        assert_eq!(status, 0, "{errors}");
        out
    };
    let (a, b) = (url("/a"), url("/b"));
    let json = "Content-Type: application/json Accept: application/json";
    for (arguments, expected) in [
        (&["-e", "http://from.example/", &*a][..], "GET /a Referer: http://from.example/ Accept: */* \n".to_owned()),
        (&["-se", "x;auto", &a], "GET /a Referer: x Accept: */* \n".into()),
        (&["-e", ";auto", &a], "GET /a Accept: */* \n".into()),
        (&["--url", &a, "--url", &b], "GET /a Accept: */* \nGET /b Accept: */* \n".into()),
        (&["--json", "{}", &a], format!("POST /a {json} {{}}\n")),
        (&["--json", "{\"a\":", "--json", "1}", &a], format!("POST /a {json} {{\"a\":1}}\n")),
        (&["--json=@data", &a], format!("POST /a {json} {{\"a\":\n1}}\n")),
        (&["--data-json", "@-", &a], format!("POST /a {json} typed\n")),
        (
            &["--json", "[]", "-H", "Accept: a/b", "-H", "Content-Type: c/d", "-X", "PUT", &a],
            "PUT /a Content-Type: c/d Accept: a/b []\n".into(),
        ),
        (
            &["-d", "x=y", &a, "--next", "-X", "DELETE", &b],
            "POST /a Content-Type: application/x-www-form-urlencoded Accept: */* x=y\nDELETE /b Accept: */* \n".into(),
        ),
    ] {
        assert_eq!(one(arguments), expected, "{arguments:?}");
    }
    for (arguments, why) in [
        (&["{}", "--json", &*a][..], "--json without data prints results as JSON"),
        (&["--url", "-o", &a], "invalid value '-o' for '--url <URL>'"),
        (&["-e", "rfc9999", &a], "invalid value 'rfc9999' for '--edition <NAME>'"),
        (&["-D", "-", "--json", &a], "-D -: the headers would be among the results of --json"),
        (&["--json", "@-", "-"], "standard input can be read only once"),
    ] {
        let (out, status, errors) = run(folder.path(), arguments, &[], "");
        assert_eq!((&*out, status, errors.contains(why)), ("", 2, true), "{errors}");
    }
    // The worse status of all lines.
    let (out, status, errors) = run(folder.path(), &["http://127.0.0.1:1/", "--next", &a], &[], "");
    assert_eq!((out.lines().count(), status), (1, 2), "{errors}");
    let (_, status, errors) = run(folder.path(), &["-v", &a, "--next", &b], &[], "");
    assert_eq!((status, errors.matches("C: GET").count()), (0, 2), "{errors}");
}

#[test]
fn options_in_a_file() {
    let (server, folder) = (echo(), folder());
    let url = |rest: &str| server.url(rest);
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let get = |arguments: &[&str], stdin: &str| run(folder.path(), arguments, &[], stdin);
    let all = "# a comment\nno-buffer\nreferer = \"http://h/\\\"\" # why\n-d x\nurl=";
    write("a", &format!("{all}{}\nnext\nurl {}\n", url("/a"), url("/{b,c}")));
    let (out, status, errors) = get(&["-K", "a"], "");
    let form = "Content-Type: application/x-www-form-urlencoded Accept: */*";
    let expected =
        format!("POST /a Referer: http://h/\" {form} x\nGET /b Accept: */* \nGET /c Accept: */* \n");
    assert_eq!((&*out, status), (&*expected, 0), "{errors}");
    write("b", "-sK c\n");
    write("c", "-X PUT\n");
    let (out, status, errors) = get(&["-vK", "b", &url("/")], "");
    assert_eq!((out.starts_with("PUT / "), status), (true, 0), "{errors}");
    let (out, status, errors) = get(&["-K-"], &format!("url = \"{}\"\n", url("/typed")));
    assert_eq!((out.starts_with("GET /typed "), status), (true, 0), "{errors}");
    write("loop", "config = loop\n");
    for (text, why) in [
        ("header = X: y\n", "\"wrong\", line 1: a value with white space needs quotation marks around it"),
        ("\n\nurl = \"x\n", "\"wrong\", line 3: a quotation mark is missing"),
        ("no-such-option\n", "\"wrong\", line 1: unknown option \"no-such-option\""),
        ("-K loop", "-K names more than 32 files"),
        ("-K nowhere", "-K: \"nowhere\" cannot be read"),
        ("output\n", "\"wrong\", line 1: \"output\" needs a value after it"),
    ] {
        write("wrong", text);
        let (out, status, errors) = get(&["-K", "wrong", &url("/")], "");
        assert_eq!((&*out, status, errors.contains(why)), ("", 2, true), "{errors}");
    }
    let (_, status, errors) = get(&["-K", "-", "-d", "@-", &url("/")], "");
    assert_eq!((status, errors.contains("standard input can be read only once")), (2, true), "{errors}");
}

#[test]
fn headers_in_a_file() {
    let (server, folder) = (server(), folder());
    let url = |rest: &str| server.url(rest);
    let get = |arguments: &[&str]| run(folder.path(), arguments, &[], "");
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(get(&["-D", "h", "-o", "b", &url("/moved")]).1, 0);
    let heads = read("h");
    assert!(
        heads.starts_with("HTTP/1.1 302 Found\r\n") && heads.contains("\r\n\r\nHTTP/1.1 200 OK\r\n"),
        "{heads}"
    );
    assert_eq!(read("b"), "hello");
    let (_, status, errors) = get(&["-D", "h", &url("/file")]);
    assert_eq!((status, errors.contains("\"h\" already exists; use --clobber")), (2, true), "{errors}");
    // Those of all URLs, and of an error, too.
    let (_, status, errors) = get(&["--clobber", "-sD", "h", &url("/file"), &url("/missing")]);
    assert_eq!((status, read("h").matches("HTTP/1.1").count()), (1, 2), "{errors}");
    let (out, status, errors) = get(&["-fD", "-", &url("/missing")]);
    assert_eq!(
        (out.starts_with("HTTP/1.1 404"), out.ends_with("\r\n\r\n"), status),
        (true, true, 1),
        "{errors}"
    );
    let (out, status, errors) = get(&["-D", "d", "data:,x"]);
    assert_eq!((&*out, status, errors.contains("no headers, so -D writes none")), ("x", 0, true), "{errors}");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("b", folder.path().join("link")).unwrap();
        assert_eq!(get(&["--clobber", "-D", "link", &url("/file")]).1, 0);
        assert_eq!(read("b"), "hello", "a link is replaced");
    }
}

#[test]
fn other_servers_are_connected_to() {
    let (server, folder) = (
        Server::new(|request: &Request| ok(&format!("{} {}", request.line, request.field("Host").unwrap()))),
        folder(),
    );
    let port = server.url("").rsplit(':').next().unwrap().to_owned();
    let get = |arguments: &[&str]| {
        let (out, status, errors) =
            run(folder.path(), arguments, &[("http_proxy", "http://127.0.0.1:1")], "");
        (out, status, errors)
    };
    let (rule, any) = (format!("www.example.com:80:127.0.0.1:{port}"), format!("::127.0.0.1:{port}"));
    let (out, status, errors) = get(&["--connect-to", &rule, "http://www.example.com/a"]);
    assert_eq!((&*out, status), ("GET /a www.example.com", 0), "{errors}");
    let (out, status, errors) =
        get(&["--connect-to", "b:1:c:2", "--connect-to", &any, "http://x.example:8080/a"]);
    assert_eq!((&*out, status), ("GET /a x.example:8080", 0), "{errors}");
    // Other servers are reached by the proxy.
    let (_, status, errors) = get(&["--connect-to", &rule, "http://other.example/a"]);
    assert_eq!((status, errors.contains("connecting to the proxy 127.0.0.1")), (2, true), "{errors}");
    for (arguments, why) in [
        (
            &["--public-only", "--connect-to", &*rule, "http://www.example.com/"][..],
            "does not allow the address 127.0.0.1",
        ),
        (&["--connect-to", "a:80", "http://h/"], "expected HOST1:PORT1:HOST2:PORT2"),
        (&["--connect-to", &rule, "-x", "h:1", "http://h/"], "cannot be used with"),
        (&["--socks5", "a:1", "--socks4", "b:1", "http://h/"], "cannot be used with"),
        (&["--socks5", "ftp://a", "http://h/"], "expected HOST[:PORT]; other proxies are for --proxy"),
        (&["-x", "socks6://a", "http://h/"], "use http, https, socks5, socks5h, socks4 or socks4a"),
    ] {
        let (out, status, errors) = get(arguments);
        assert_eq!((&*out, status, errors.contains(why)), ("", 2, true), "{arguments:?}: {errors}");
    }
}

#[cfg(unix)]
#[test]
fn a_unix_socket() {
    use std::io::{Read as _, Write as _};

    let folder = folder();
    let path = folder.path().join("socket");
    let listener = std::os::unix::net::UnixListener::bind(&path).unwrap();
    let serve = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = [0; 4096];
        let count = stream.read(&mut request).unwrap();
        stream.write_all(&answer("200 OK", "Connection: close\r\n", "from the socket")).unwrap();
        String::from_utf8_lossy(&request[..count]).into_owned()
    });
    let get = |arguments: &[&str]| run(folder.path(), arguments, &[], "");
    let (out, status, errors) = get(&["--public-only", "--unix-socket", "socket", "http://www.example.com/"]);
    assert_eq!(
        (&*out, status, errors.contains("the policy does not allow the host")),
        ("", 2, true),
        "{errors}"
    );
    let (out, status, errors) = get(&["--unix-socket", "socket", "http://docker/images/json"]);
    assert_eq!((&*out, status), ("from the socket", 0), "{errors}");
    let request = serve.join().unwrap();
    assert!(request.starts_with("GET /images/json HTTP/1.1\r\n") && request.contains("docker"), "{request}");
    for (arguments, why) in [
        (&["--unix-socket", "nowhere", "http://h/"][..], "nowhere"),
        (&["--unix-socket", "socket", "ftp://h/"], "--unix-socket is for http and https only"),
    ] {
        let (out, status, errors) = get(arguments);
        assert_eq!((&*out, status, errors.contains(why)), ("", 2, true), "{errors}");
    }
}

/// Only the user names a pipe, and opening one waits for another program.
#[cfg(unix)]
#[test]
fn names_that_are_not_those_of_files() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    let (server, folder) = (server(), folder());
    let url = |rest: &str| server.url(rest);
    let get = |arguments: &[&str]| run(folder.path(), arguments, &[], "");
    for name in ["one", "two.part.json"] {
        let made = std::process::Command::new("mkfifo").arg(folder.path().join(name)).status().unwrap();
        assert!(made.success());
    }
    for arguments in [&["-O"][..], &["--clobber", "-O"], &["-C", "-", "-O"]] {
        let (_, status, errors) = get(&[arguments, &[&*url("/one")]].concat());
        assert_eq!((status, errors.contains("\"one\" is not a regular file")), (2, true), "{errors}");
    }
    let (_, status, errors) = get(&["-C", "-", "-O", &url("/two")]);
    assert_eq!(status, 0, "{errors}");
    for (path, name) in [("/-rf", "%2Drf"), ("/.profile", "%2Eprofile")] {
        let (_, status, errors) = get(&["-O", &url(path)]);
        assert_eq!((status, folder.path().join(name).exists()), (0, true), "{errors}");
    }
    // A link is replaced by a new file, whose mode is that of one.
    symlink("nowhere", folder.path().join("link")).unwrap();
    assert_eq!(get(&["-o", "new", &url("/a")]).1, 0);
    assert_eq!(get(&["--clobber", "-o", "link", &url("/a")]).1, 0);
    let mode = |name: &str| fs::symlink_metadata(folder.path().join(name)).unwrap().permissions().mode();
    assert_eq!(mode("link"), mode("new"));
}

/// What limits a line limits those after it, and each hop.
#[test]
fn limits_hold_for_every_line_and_hop() {
    let (server, folder) = (server(), folder());
    let url = server.url("/one");
    for (arguments, why) in [
        (
            &["--digest", "-u", "joe:s", "--news-server", "127.0.0.1:1", "news:*"][..],
            "--digest is for http and https only",
        ),
        (&["--public-only", &url, "--next", &url], "does not allow the address 127.0.0.1"),
        (&["-d", "@-", &url, "--next", "-d", "@-", &url], "standard input can be read only once"),
        (&["-", "--next", "-d", "@-", &url], "standard input can be read only once"),
    ] {
        let (out, status, errors) = run(folder.path(), arguments, &[], "body");
        assert_eq!((&*out, status, errors.contains(why)), ("", 2, true), "{arguments:?}: {errors}");
    }
    let (out, status, errors) =
        run(folder.path(), &["--public-only", "--allow", "127.0.0.0/8", &url, "-:", &url], &[], "");
    assert_eq!((&*out, status), ("/one/one", 0), "{errors}");
    // A redirect to ftp would contact the server without the proxy.
    let proxy = Server::new(|_: &Request| answer("302 Found", "Location: ftp://127.0.0.1:1/a\r\n", ""));
    let arguments = ["--proto-redir", "+ftp", "-x", &proxy.url(""), "http://www.example.com/"];
    let (out, status, errors) = run(folder.path(), &arguments, &[], "");
    assert_eq!((&*out, status, errors.contains("refused")), ("", 2, false), "{errors}");
}

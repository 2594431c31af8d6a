//! `get` with cookies: `-b`, `-c`, `-j`.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::fs;
use std::path::Path;

use crate::http::{Server, answer, done, folder, names, run};

/// A server that sets cookies at /set, leads from /go to /set, and prints what it gets elsewhere.
fn server() -> Server {
    Server::new(|request| match &*request.line {
        "GET /set" => {
            let cookies = "Set-Cookie: session=1; Path=/; HttpOnly\r\nSet-Cookie: long=2; Max-Age=1000\r\n\
                Set-Cookie: gone=3; Max-Age=0\r\nSet-Cookie: foreign=4; Domain=example.com\r\n";
            answer("302 Found", &format!("Location: /x\r\n{cookies}"), "")
        }
        _ => answer("200 OK", "", &format!("{}\n", request.field("cookie").unwrap_or("none"))),
    })
}

fn text(folder: &Path, file: &str) -> String {
    fs::read_to_string(folder.join(file)).unwrap()
}

#[test]
fn jars() {
    let (server, other, folder) = (server(), server(), folder());
    let (set, x) = (server.url("/set"), server.url("/x"));
    let get = |arguments: &[&str]| run(folder.path(), arguments, &[], "");
    // Without an option no cookie is kept, also not across a redirect.
    assert_eq!(get(&[&set]), done("none\n"));
    assert_eq!(get(&["-b", "a=b", &set]), done("a=b\n"));
    // An empty name keeps them for this run.
    assert_eq!(get(&["-b", "", &set, &x]), done(&"session=1; long=2\n".repeat(2)));
    assert_eq!(get(&["-b", "", "-b", "a=b", &set]), done("session=1; long=2; a=b\n"));
    assert!(names(folder.path()).is_empty());
    // The first of several runs has no file yet.
    assert_eq!(get(&["-b", "jar", "-c", "jar", &set]), done("session=1; long=2\n"));
    assert_eq!(names(folder.path()), ["jar"]);
    let jar = text(folder.path(), "jar");
    let lines: Vec<_> = jar.lines().skip(3).collect();
    assert_eq!(lines[0], "#HttpOnly_127.0.0.1\tFALSE\t/\tFALSE\t0\tsession\t1");
    assert!(lines[1].starts_with("127.0.0.1\tFALSE\t/\tFALSE\t") && lines[1].ends_with("\tlong\t2"));
    assert_eq!((lines.len(), jar.lines().next()), (2, Some("# Netscape HTTP Cookie File")));
    assert_eq!(get(&["-b", "jar", &x]), done("session=1; long=2\n"));
    assert_eq!(get(&["-b", "jar", "-j", &x]), done("long=2\n"));
    assert_eq!(get(&["-b", "jar", "-H", "Cookie:", &x]), done("none\n"));
    // Another port of a host has the same cookies, another host has not.
    assert_eq!(get(&["-b", "jar", &other.url("/x")]), done("session=1; long=2\n"));
    assert_eq!(get(&["-b", "jar", &other.url("/x").replace("127.0.0.1", "localhost")]), done("none\n"));
    // Nothing is written by a plan; a file that is read only is not changed.
    let (plan, status, _) = get(&["--plan", "-b", "jar", "-c", "new", &x]);
    assert!(status == 0 && plan.contains("  C: cookie: (password)\n"), "{plan}");
    assert_eq!((names(folder.path()), text(folder.path(), "jar")), (vec!["jar".into()], jar.clone()));
    let printed = get(&["-b", "jar", "-c", "-", &x]);
    assert_eq!(printed, done(&format!("session=1; long=2\n{jar}")));
}

#[test]
fn files_that_are_no_jars() {
    let (server, folder) = (server(), folder());
    let x = server.url("/x");
    let run = |arguments: &[&str]| run(folder.path(), arguments, &[], "");
    let (printed, status, errors) = run(&["-b", "none.txt", &x]);
    assert_eq!((&*printed, status), ("none\n", 0));
    assert!(errors.contains("--cookie: \"none.txt\" does not exist"), "{errors}");
    fs::write(folder.path().join("f"), "a: b\n127.0.0.1\tFALSE\t/\tFALSE\t0\ta\tb\n").unwrap();
    let (printed, status, errors) = run(&["-b", "f", &x]);
    assert_eq!((&*printed, status), ("a=b\n", 0));
    assert!(errors.contains("1 line of \"f\" ignored: not in the Netscape cookie format"), "{errors}");
    let (printed, status, errors) = run(&["-c", "no/jar", &x]);
    assert_eq!(
        (&*printed, status, errors.contains("--cookie-jar: cannot write \"no/jar\"")),
        ("none\n", 2, true)
    );
}

/// Two servers of one run share a jar, and -Z does, too.
#[test]
fn cookies_of_parallel_transfers() {
    let (server, folder) = (server(), folder());
    let list = vec![server.url("/set"); 20].join("\n");
    assert_eq!(
        run(folder.path(), &["-s", "-Z", "-c", "jar"], &[], &list),
        done(&"session=1; long=2\n".repeat(20))
    );
    assert_eq!(text(folder.path(), "jar").lines().count(), 5);
}

/// A control character cannot be in a cookie, wherever it comes from.
#[test]
fn controls_in_cookies() {
    let set = |cookie: &str| answer("200 OK", &format!("Set-Cookie: {cookie}\r\n"), "");
    let server = Server::new(move |request| match &*request.line {
        "GET /value" => set("a=b\u{1}"),
        "GET /path" => set("a=b; Path=/\u{7f}"),
        "GET /domain" => set("a=b; Domain=127.0.0.1\tx"),
        "GET /other" => set("a=b; Comment=\u{1b}[1m"),
        _ => answer("200 OK", "", &format!("{}\n", request.field("cookie").unwrap_or("none"))),
    });
    let folder = folder();
    let x = server.url("/x");
    let run = |arguments: &[&str]| run(folder.path(), arguments, &[], "");
    for cookie in ["a=b\u{1}", "a=b\tc", "a\u{1b}=b", "a=b\u{7f}", "a=b\r\nX: y", "a=b\u{85}"] {
        let (_, status, errors) = run(&["-b", cookie, &x]);
        assert_eq!((status, errors.contains("--cookie: control characters")), (2, true), "{errors}");
    }
    let jar = "127.0.0.1\u{1}\tFALSE\t/\tFALSE\t0\ta\tb\n127.0.0.1\tFALSE\t/\u{8}\tFALSE\t0\ta\tb\n\
        127.0.0.1\tFALSE\t/\tFALSE\t0\ta\u{1b}\tb\n127.0.0.1\tFALSE\t/\tFALSE\t0\ta\tb\tc\n";
    fs::write(folder.path().join("f"), jar).unwrap();
    let (printed, _, errors) = run(&["-b", "f", &x]);
    assert_eq!((&*printed, errors.contains("4 lines of \"f\" ignored")), ("none\n", true), "{errors}");
    for path in ["/value", "/path", "/domain", "/other"] {
        let url = server.url(path);
        run(&["-c", "jar", &url]);
        assert_eq!(text(folder.path(), "jar").lines().count(), 3, "{path}");
    }
}

/// A jar is replaced as a whole; links, modes and pipes stay.
#[cfg(unix)]
#[test]
fn how_jars_are_written() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    let (server, folder) = (server(), folder());
    let (set, path) = (server.url("/set"), |name: &str| folder.path().join(name));
    let get = |jar: &str| run(folder.path(), &["-s", "-S", "-c", jar, &set], &[], "");
    let mode = |name: &str| fs::metadata(path(name)).unwrap().permissions().mode() & 0o777;
    let cookies = |name: &str| text(folder.path(), name).lines().count() - 3;
    let printed = || done("session=1; long=2\n");
    assert_eq!(get("new"), printed());
    assert_eq!((cookies("new"), mode("new")), (2, 0o600));
    fs::write(path("old"), "old").unwrap();
    fs::set_permissions(path("old"), fs::Permissions::from_mode(0o640)).unwrap();
    // What an earlier run has left is no obstacle.
    fs::write(path("old.part"), "left").unwrap();
    assert_eq!(get("old"), printed());
    assert_eq!((cookies("old"), mode("old")), (2, 0o640));
    fs::create_dir(path("d")).unwrap();
    symlink("d/target", path("link")).unwrap();
    symlink("link", path("link2")).unwrap();
    for _ in 0..2 {
        assert_eq!(get("link2"), printed());
        assert!(path("link2").is_symlink() && path("link").is_symlink());
        assert_eq!(cookies("d/target"), 2);
    }
    symlink("loop", path("loop")).unwrap();
    let (_, status, errors) = get("loop");
    assert_eq!((status, errors.contains("cannot write \"loop\"")), (2, true), "{errors}");
    let (_, status, errors) = get("d");
    assert_eq!((status, errors.contains("cannot write \"d\"")), (2, true), "{errors}");
    let (out, status, errors) = get("/dev/stdout");
    assert_eq!((out.lines().count(), status), (6, 0), "{errors}");
    assert_eq!(get("/dev/null"), printed());
    // A pipe is written to, and stays one.
    assert!(std::process::Command::new("mkfifo").arg(path("pipe")).status().unwrap().success());
    let reader = std::thread::spawn({
        let pipe = path("pipe");
        move || fs::read_to_string(pipe).unwrap()
    });
    assert_eq!(get("pipe"), printed());
    assert_eq!(reader.join().unwrap().lines().count(), 5);
    let left = names(folder.path());
    assert_eq!(left, ["d", "link", "link2", "loop", "new", "old", "old.part", "pipe"]);
}

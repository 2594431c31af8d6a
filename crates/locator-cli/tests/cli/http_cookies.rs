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

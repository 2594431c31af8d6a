//! `get`: files and directories, the rules of `-O`, and a real gopher server, which a script of the
//! repository starts.
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test that panics has failed")]

use std::path::{Path, PathBuf};
use std::process::Command;

use locator_dev::servers::ftp::{FtpServer, Visit};
use locator_dev::servers::{GopherServer, LineServer, TcpServer};
use tempfile::TempDir;

use crate::runner;

fn text(octets: Vec<u8>) -> String {
    String::from_utf8(octets).expect("the command prints UTF-8")
}

/// What is printed, the exit status, and what is said.
pub(crate) fn get(folder: &Path, arguments: &[&str]) -> (String, i32, String) {
    let arguments = [&["get"], arguments].concat();
    let output = runner::run(runner::locator(&arguments).current_dir(folder), Vec::new());
    (text(output.stdout), output.status.code().unwrap_or(-1), text(output.stderr))
}

/// The URL of what is in a folder.
fn url(folder: &Path, name: &str) -> String {
    format!("file://{}/{name}", folder.to_str().expect("a temporary folder has a name in ASCII"))
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("there is a place for temporary files")
}

/// The names in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder can be listed");
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[cfg(unix)]
#[test]
fn files_and_directories() {
    let folder = folder();
    let octets: Vec<u8> = (0..=255).cycle().take(300_000).collect();
    std::fs::write(folder.path().join("all"), &octets).unwrap();
    std::fs::write(folder.path().join("a\n%\tb"), "").unwrap();
    std::fs::create_dir(folder.path().join("sub")).unwrap();
    let output = runner::run(&mut runner::locator(&["get", &url(folder.path(), "all")]), Vec::new());
    assert_eq!((output.stdout == octets, output.status.code()), (true, Some(0)));

    let base = url(folder.path(), "");
    let lines = format!("{base}a%0A%25%09b\ta<U+000A>%<U+0009>b\n{base}all\tall\n{base}sub/\tsub\n");
    assert_eq!(get(folder.path(), &[&base]), (lines, 0, String::new()));
    let urls = format!("{base}a%0A%25%09b\n{base}all\n{base}sub/\n");
    assert_eq!(get(folder.path(), &["--urls", base.trim_end_matches('/')]).0, urls);
    // The URLs of a list lead on.
    assert_eq!(get(folder.path(), &[urls.lines().next().unwrap()]), (String::new(), 0, String::new()));
}

#[cfg(unix)]
#[test]
fn a_file_gets_its_name_when_it_is_whole() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let (source, folder) = (folder(), folder());
    std::fs::write(source.path().join("a b"), "whole").unwrap();
    let (url, path) = (url(source.path(), "a%20b"), folder.path());
    assert_eq!(get(path, &["-O", &url]), (String::new(), 0, String::new()));
    assert_eq!(
        (names(path), std::fs::read_to_string(path.join("a b")).unwrap()),
        (vec!["a b".into()], "whole".into())
    );
    let mode = std::fs::metadata(path.join("a b")).unwrap().permissions().mode();
    std::fs::write(path.join("usual"), "").unwrap();
    assert_eq!(mode, std::fs::metadata(path.join("usual")).unwrap().permissions().mode());

    // Neither a file nor what a link leads to is overwritten.
    std::fs::write(path.join("a b"), "mine").unwrap();
    symlink(path.join("a b"), path.join("link")).unwrap();
    symlink(path.join("a b"), path.join("new.part")).unwrap();
    for arguments in [["-O", &url[..]].as_slice(), &["-o", "link", &url], &["-o", "new", &url]] {
        let (_, status, errors) = get(path, arguments);
        assert_eq!((status, errors.contains("exists")), (2, true), "{errors}");
        assert_eq!(std::fs::read_to_string(path.join("a b")).unwrap(), "mine");
    }
    // The link is replaced, and not what it leads to.
    for arguments in [["--clobber", "-o", "link", &url], ["--clobber", "-o", "new", &url]] {
        assert_eq!(get(path, &arguments), (String::new(), 0, String::new()));
        assert_eq!(std::fs::read_to_string(path.join("a b")).unwrap(), "mine");
        assert!(std::fs::symlink_metadata(path.join(arguments[2])).unwrap().is_file());
    }
    assert_eq!(names(path), ["a b", "link", "new", "usual"]);
    assert_eq!(get(path, &["-o", "/dev/null", &url]), (String::new(), 0, String::new()));
    assert_eq!(get(path, &["-o", "-", &url]).0, "whole");
}

#[test]
fn what_was_not_fetched_leaves_no_file() {
    let folder = folder();
    let missing = url(folder.path(), "missing");
    assert_eq!(get(folder.path(), &["-o", "new", &missing]).1, 2);
    assert_eq!(names(folder.path()), [""; 0]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let folder = folder();
    let (_, status, errors) = get(folder.path(), &["-o", "/dev/full", "data:,x"]);
    assert_eq!((status, errors.contains("No space left on device")), (2, true), "{errors}");
}

/// In a network namespace of its own, in which no way leads to others.
#[cfg(target_os = "linux")]
#[test]
fn a_machine_without_a_network() {
    let mut shell = Command::new("unshare");
    shell.args(["-Urn", env!("CARGO_BIN_EXE_locator"), "get", "http://www.example.com/"]);
    shell.env_remove("http_proxy").env("HOME", "/nonexistent").env("XDG_CONFIG_HOME", "/nonexistent");
    let output = shell.output().unwrap();
    let said = "error: could not resolve host: www.example.com: this machine has no network\n  \
                http://www.example.com/\n";
    assert_eq!((output.status.code(), &*text(output.stderr)), (Some(2), said));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_the_beginning() {
    // To standard output.
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let mut command = runner::locator(&["get", "data:,x"]);
    let output = command.stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", text(output.stderr));
    // To a file of a small disk, and beyond the largest size of a file.
    let source = folder();
    std::fs::write(source.path().join("large"), vec![b'x'; 300_000]).unwrap();
    for (before, why) in [
        ("mount -t tmpfs -o size=64k none \"$1\" && cd \"$1\"", "No space left on device"),
        ("trap '' XFSZ && ulimit -f 64 && cd \"$1\"", "File too large"),
    ] {
        let folder = folder();
        let after = "\"$2\" get -O \"$3\"; echo $?; ls -A; head -c 4 large.part; stat -c ' %s' large.part";
        let mut shell = Command::new("unshare");
        shell.args(["-Urm", "sh", "-c", &format!("{before} && {{ {after}; }}"), "sh"]).arg(folder.path());
        shell.arg(env!("CARGO_BIN_EXE_locator")).arg(url(source.path(), "large"));
        let output = shell.output().unwrap();
        let (printed, errors) = (text(output.stdout), text(output.stderr));
        let length = printed.strip_prefix("2\nlarge.part\nxxxx ").expect("the file is there").trim_end();
        let said = format!("the first {length} bytes are in \"large.part\"");
        assert!(errors.contains(why) && errors.replace(',', "").contains(&said), "{errors}");
    }
}

#[test]
fn what_is_cut_off_stays_a_part() {
    let folder = folder();
    // Gopher+ announces ten octets.
    let server = GopherServer::start(b"+10\r\nhalf");
    let (_, status, errors) = get(folder.path(), &["-O", &server.url("9x%09%09+")]);
    assert_eq!((status, errors.contains("\"x.part\"")), (2, true), "{errors}");
    assert_eq!(std::fs::read_to_string(folder.path().join("x.part")).unwrap(), "half");
    assert_eq!(names(folder.path()), ["x.part"]);
}

#[test]
fn a_menu_of_errors_is_a_no() {
    let folder = folder();
    let server = GopherServer::start(b"3no such file\t\terror.host\t1\r\n.\r\n");
    let (printed, status, errors) = get(folder.path(), &[&server.url("")]);
    assert_eq!((&printed[..], status), ("", 1), "{errors}");
    let said = "error: not found (no such file), while reading a menu\n";
    assert!(errors.starts_with(said), "{errors}");
    let server = GopherServer::start(b"3no such file\t\terror.host\t1\r\n3ask joe\t\terror.host\t1\r\n.\r\n");
    let (printed, status, errors) = get(folder.path(), &[&server.url("")]);
    assert_eq!((&printed[..], status), ("\tno such file\n\task joe\n", 1), "{errors}");
    assert!(errors.starts_with("error: the server said: no such file\n"), "{errors}");
    let server = GopherServer::start(b"<html>\n\x1B[2J</html>");
    let (printed, status, errors) = get(folder.path(), &[&server.url("")]);
    assert_eq!((&printed[..], status), ("\t<html>\n\t<U+001B>[2J</html>\n", 2), "{errors}");
}

/// A file is written only by an object: neither by nothing, nor by an error in place of it.
#[test]
fn an_error_of_gopher_is_no_file() {
    for (sent, status, said) in [
        (&b""[..], 2, "empty reply: the server closed the connection"),
        (b"3no such file\t\terror.host\t1\r\n.\r\n", 1, "not found (no such file)"),
        (b"0'/x' does not exist!!\t\terror.host\t1\r\n", 1, "not found ('/x' does not exist!!)"),
    ] {
        for kind in ["0", "9", "I"] {
            let folder = folder();
            let server = GopherServer::start(sent);
            let (printed, found, errors) = get(folder.path(), &["-O", &server.url(&format!("{kind}x"))]);
            assert_eq!((&printed[..], found), ("", status), "{errors}");
            assert!(errors.contains(said), "{errors}");
            assert!(names(folder.path()).is_empty(), "{kind} {errors}");
        }
    }
}

/// What failed is said by the reply that says it, and the option that helps is named.
#[test]
fn a_failure_names_what_helps() {
    let folder = folder();
    let ftp = |replies| {
        let server = TcpServer::speaking(replies);
        get(folder.path(), &[&format!("ftp://{}/a", server.address())])
    };
    for replies in [
        &b"220 x\r\n331 y\r\n530 Non-anonymous sessions must use encryption.\r\n"[..],
        b"220 x\r\n550 SSL/TLS required on the control channel\r\n",
        b"220 x\r\n421 Sorry, cleartext sessions are not accepted\r\n",
    ] {
        let (_, _, errors) = ftp(replies);
        assert!(errors.contains("; use --ssl-reqd to encrypt it"), "{errors}");
    }
    let (_, _, errors) = ftp(b"220 x\r\n331 y\r\n530 Login incorrect.\r\n");
    assert!(!errors.contains("--ssl-reqd"), "{errors}");
    for url in ["http://h.example/", "https://h.example/", "ftp://h.example/a", "gopher://h.example/0a"] {
        let (_, status, errors) = get(folder.path(), &["-x", "http://127.0.0.1:1", url]);
        let said = "connection refused: 127.0.0.1:1, while connecting to the proxy 127.0.0.1 port 1";
        assert!(status == 2 && errors.contains(said), "{errors}");
    }
    let (_, _, errors) = get(folder.path(), &["http://b\u{fc}cher.example/"]);
    assert!(errors.contains("(--edition rfc3987; ") && !errors.contains(" -e "), "{errors}");
    let (_, _, errors) = get(folder.path(), &["URL:http://h/"]);
    assert!(!errors.contains(" -e "), "{errors}");
}

#[test]
fn a_dialogue_is_shown_without_the_password() {
    let folder = folder();
    let server = GopherServer::start(b"text\r\n.\r\n");
    let (printed, status, errors) = get(folder.path(), &["-v", &server.url("0x")]);
    assert_eq!((&printed[..], status), ("text\r\n", 0));
    assert!(
        errors.starts_with("connected to 127.0.0.1 (127.0.0.1:") && errors.ends_with(")\n  C: x\n"),
        "{errors}"
    );
}

#[test]
fn a_login_is_for_the_news_server_too() {
    const REPLIES: &[&str] =
        &["480 log in", "381 go on", "281 in", "211 1 7 7 a.b", "211 1 7 7 a.b\r\n7\r\n."];
    let folder = folder();
    // It replies to the commands in turn.
    let server = LineServer::start("200 ready", || {
        let mut replies = REPLIES.iter();
        move |_: &str| replies.next()
    });
    let address = server.address();
    let (printed, status, errors) = get(
        folder.path(),
        &[
            "-v",
            "-u",
            "joe:secret",
            "--low-ports",
            "--news-server",
            &address.to_string(),
            "--urls",
            "news:a.b",
        ],
    );
    assert_eq!((status, &printed[..]), (0, &format!("nntp://{address}/a.b/7\n")[..]), "{errors}");
    assert!(!errors.contains("secret"), "{errors}");
    let commands = ["GROUP a.b", "AUTHINFO USER joe", "AUTHINFO PASS secret", "GROUP a.b", "LISTGROUP"];
    assert_eq!(server.log().all()[..commands.len()], commands);
}

#[test]
fn a_dialogue_goes_on_in_another_protocol() {
    let folder = folder();
    let octets = b"hello".to_vec();
    let server = FtpServer::with_visits(vec![Visit { octets, ..Visit::default() }]);
    let link = format!("gopher://127.0.0.1/hURL:{}", server.url("x"));
    let (printed, status, errors) = get(folder.path(), &["-v", &link]);
    assert_eq!((&printed[..], status), ("hello", 0), "{errors}");
    let shown =
        ["  S: 220 ready\n", "  C: EPSV\n", "\nopened a data connection (127.0.0.1:", "  S: 226 sent\n"];
    for line in shown {
        assert!(errors.contains(line), "{line}: {errors}");
    }
}

#[test]
fn parts_of_messages() {
    let folder = folder();
    let mbox = "From a Mon\nMessage-ID: <1@h>\n\nno parts\n\nFrom b Tue\nMessage-ID: <2@h>\n\
        Content-Type: multipart/related; boundary=b\n\n--b\nContent-ID: <p@h>\n\
        Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\nw6k=\n--b--\n";
    std::fs::write(folder.path().join("mbox"), mbox).unwrap();
    let part = |url: &str| get(folder.path(), &["--messages", "mbox", url]);
    for url in ["cid:p@h", "mid:2@h/p@h"] {
        assert_eq!(part(url), ("é".into(), 0, String::new()));
    }
    for url in ["cid:q@h", "mid:1@h/p@h", "mid:3@h/p@h"] {
        let (printed, status, errors) = part(url);
        assert_eq!((&printed[..], status), ("", 2));
        assert!(errors.contains("message not found"), "{errors}");
    }
}

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Starts a server, and returns its port; `None` if servers are not to be started here.
#[cfg(target_os = "linux")]
pub(crate) fn real_server(name: &str) -> Option<u16> {
    let listed = crate::started::start(&[name])?;
    listed["servers"][name]["port"].as_u64().and_then(|port| port.try_into().ok())
}

#[cfg(target_os = "linux")]
#[test]
fn a_real_gopher_server_is_walked() {
    let Some(port) = real_server("gophernicus") else { return };
    let folder = folder();
    let top = format!("gopher://127.0.0.1:{port}/");
    let (menu, status, errors) = get(folder.path(), &[&top]);
    assert_eq!((status, &errors[..]), (0, ""));
    let docs = format!("gopher://127.0.0.1:{port}/1/docs/");
    assert!(menu.contains(&format!("\n{docs}\tdocs ")), "{menu}");

    // `find` finds the URLs of a menu, and each leads to what is on the disk.
    let menu = get(folder.path(), &[&docs]).0;
    let found = runner::run(&mut runner::locator(&["find"]), menu.into_bytes());
    let found = text(found.stdout);
    let urls = get(folder.path(), &["--urls", &docs]).0;
    assert_eq!(found, urls);
    let tree = root().join("target/servers/tree/docs");
    let mut count = 0;
    for url in urls.lines().filter(|url| url.contains("/9/docs/")) {
        let name = url.rsplit('/').next().unwrap();
        let output = runner::run(&mut runner::locator(&["get", url]), Vec::new());
        assert_eq!(output.stdout, std::fs::read(tree.join(name)).unwrap(), "{url}");
        count += 1;
    }
    assert!(count > 0, "{urls}");

    // The example of the page.
    let page = std::fs::read_to_string(root().join("docs/get.md")).unwrap();
    let example =
        page.split("$ locator get --urls gopher://127.0.0.1:7070/1/docs/\n").nth(1).expect("an example");
    let shown = example.split("```").next().unwrap_or_default();
    let printed = get(folder.path(), &["--urls", &docs]).0.replace(&format!(":{port}/"), ":7070/");
    assert_eq!(shown, printed, "docs/get.md");
}

#[test]
fn no_newsgroup_is_found_with_a_remark() {
    for (options, remark) in [(&[][..], "note: no newsgroup of the server matches\n"), (&["-s"], "")] {
        let server = TcpServer::speaking(b"200 ready\r\n215 list\r\n.\r\n205 bye\r\n");
        let url = format!("news://{}/none.*", server.address());
        let arguments = [&["get"], options, &["--low-ports", &url]].concat();
        let output = runner::run(&mut runner::locator(&arguments), Vec::new());
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), &*said), (Some(0), remark), "{options:?}");
    }
}

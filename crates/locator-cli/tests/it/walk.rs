//! Walks: a tree of a server in a folder, and nothing else on this machine, whatever a server names.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, UNIX_EPOCH};

use locator_dev::servers::ftp::{Command, FtpServer, Listings, Reply, Tree};

use crate::http::{self, answer, folder, ok, run};

/// A server of ftp with a tree, which tests change.
struct Server {
    ftp: FtpServer,
    site: Arc<Mutex<Tree>>,
}

impl Server {
    fn start(tree: Tree) -> Self {
        let site = tree.shared();
        Self { ftp: FtpServer::with_tree(Arc::clone(&site)), site }
    }

    fn url(&self, path: &str) -> String {
        self.ftp.url(path)
    }

    /// The commands since the last call that begin so.
    fn sent(&self, beginning: &str) -> Vec<String> {
        self.ftp.commands().into_iter().filter(|command| command.starts_with(beginning)).collect()
    }
}

/// The files below a directory, with their texts; a directory ends with "/".
fn tree(root: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut left = vec![root.to_owned()];
    while let Some(directory) = left.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
            if path.is_dir() && !path.is_symlink() {
                found.push(format!("{name}/"));
                left.push(path);
            } else {
                found.push(format!("{name}: {}", fs::read_to_string(&path).unwrap_or_default()));
            }
        }
    }
    found.sort();
    found
}

/// Walks in a folder; returns the status and what is said.
fn walk(folder: &Path, arguments: &[&str]) -> (i32, String) {
    let (printed, status, errors) = run(folder, arguments, &[], "");
    assert_eq!(printed, "", "{errors}");
    (status, errors)
}

fn small() -> Tree {
    Tree::new(
        &[
            ("", "type=dir; pub\r\n"),
            (
                "pub/",
                "type=cdir; .\r\ntype=pdir; ..\r\ntype=file;size=2;modify=20260301120000; a.txt\r\ntype=dir; sub\r\ntype=dir; empty\r\n",
            ),
            (
                "pub/sub/",
                "type=file;size=3;modify=20260301120000; b c\r\ntype=file;size=4;modify=20260301120000; d.iso\r\n",
            ),
            ("pub/empty/", ""),
        ],
        &[("pub/a.txt", "a\n"), ("pub/sub/b c", "bc\n"), ("pub/sub/d.iso", "iso\n")],
    )
}

#[test]
fn a_tree_is_saved_and_what_is_there_is_kept() {
    let server = Server::start(small());
    let (folder, url) = (folder(), server.url("pub/"));
    let whole =
        ["pub/", "pub/a.txt: a\n", "pub/empty/", "pub/sub/", "pub/sub/b c: bc\n", "pub/sub/d.iso: iso\n"];
    assert_eq!(walk(folder.path(), &["-r", &url]), (0, "note: 3 files saved\n".into()));
    assert_eq!(tree(folder.path()), whole);
    let time = UNIX_EPOCH + Duration::from_secs(1_772_366_400);
    assert_eq!(fs::metadata(folder.path().join("pub/a.txt")).unwrap().modified().unwrap(), time);
    // The listing has said what SIZE and MDTM would.
    assert_eq!(server.sent("SIZE"), [] as [String; 0]);
    let there = (0, "note: 0 files saved, 3 already there\n".into());
    assert_eq!(walk(folder.path(), &["-r", &url]), there);
    assert_eq!(walk(folder.path(), &["-r", "--newer", &url]), there);
    assert_eq!(server.sent("RETR"), [] as [String; 0]);
    // A newer file, and one of another size.
    let mut site = server.site.lock().unwrap();
    let listing = site.directories.get_mut("pub/").unwrap();
    *listing = listing.replace("20260301120000; a", "20260301120001; a");
    site.files.insert("pub/a.txt".into(), "A\n".into());
    site.files.insert("pub/sub/d.iso".into(), "isos\n".into());
    let listing = site.directories.get_mut("pub/sub/").unwrap();
    *listing = listing.replace("size=4", "size=5");
    drop(site);
    let (status, said) = walk(folder.path(), &["-r", &url]);
    let differs = "\"pub/sub/d.iso\" has another size than the file on the server; use --newer or --clobber to replace it";
    assert_eq!(
        (status, said.contains(differs), said.contains("2 already there, 1 skipped")),
        (0, true, true),
        "{said}"
    );
    let newer = walk(folder.path(), &["-r", "--newer", &url]);
    assert_eq!(newer, (0, "note: 2 files saved, 1 already there\n".into()));
    assert_eq!(fs::read(folder.path().join("pub/a.txt")).unwrap(), b"A\n");
}

#[test]
fn patterns_levels_folders_and_parallel_walks() {
    let server = Server::start(small());
    let url = server.url("pub");
    for (options, expected, summary) in [
        (
            &["--accept", "*.iso"][..],
            &["x/", "x/empty/", "x/sub/", "x/sub/d.iso: iso\n"][..],
            "1 file saved, 2 left out by --accept and --reject",
        ),
        (
            &["--reject", "txt,b*"],
            &["x/", "x/empty/", "x/sub/", "x/sub/d.iso: iso\n"],
            "1 file saved, 2 left out by --accept and --reject",
        ),
        (&["-l", "1"], &["x/", "x/a.txt: a\n"], "1 file saved, 2 skipped"),
        (
            &["-Z"],
            &["x/", "x/a.txt: a\n", "x/empty/", "x/sub/", "x/sub/b c: bc\n", "x/sub/d.iso: iso\n"],
            "3 files saved",
        ),
    ] {
        let folder = folder();
        let (status, said) = walk(folder.path(), &[&["-r", "-o", "x", &url], options].concat());
        assert_eq!((status, said.lines().last()), (0, Some(&*format!("note: {summary}"))), "{said}");
        assert_eq!(tree(folder.path()), expected);
    }
    let folder = folder();
    let (printed, status, _) = run(folder.path(), &["-r", "--urls", &url], &[], "");
    let urls: Vec<_> = ["pub/a.txt", "pub/sub/b%20c", "pub/sub/d.iso"].map(|path| server.url(path)).into();
    let mut found: Vec<_> = printed.lines().map(str::to_owned).collect();
    found.sort();
    assert_eq!((found, status, tree(folder.path()).len()), (urls, 0, 0));
}

#[test]
fn a_part_file_is_resumed() {
    let server = Server::start(small());
    let (folder, url) = (folder(), server.url("pub/"));
    let record = |path: &str, length: usize| {
        format!(
            "{{\"url\":\"{}\",\"last_modified\":\"20260301120000\",\"length\":{length}}}",
            server.url(path)
        )
    };
    fs::create_dir_all(folder.path().join("pub")).unwrap();
    fs::write(folder.path().join("pub/a.txt.part"), "a").unwrap();
    fs::write(folder.path().join("pub/a.txt.part.json"), record("pub/a.txt", 2)).unwrap();
    let (status, said) = walk(folder.path(), &["-r", &url]);
    assert_eq!((status, said.contains("resuming after 1 byte")), (0, true), "{said}");
    assert_eq!(server.sent("REST"), ["REST 1"]);
    assert_eq!(fs::read(folder.path().join("pub/a.txt")).unwrap(), b"a\n");
}

#[test]
fn no_name_of_a_server_leads_out_of_the_folder() {
    let names = [".bashrc", "a\\b", "x\u{1b}[2J", "NUL", "r\u{202e}l"];
    let mut listing =
        String::from("type=dir; ../../up\r\ntype=file; /etc/passwd\r\ntype=dir; .\r\ntype=dir; ..\r\n");
    for name in names {
        write!(listing, "type=file; {name}\r\n").unwrap();
    }
    listing.push_str("type=OS.unix=slink:/etc/passwd; out\r\ntype=OS.unix=slink:../x; near\r\n");
    let paths: Vec<_> = names.iter().map(|name| format!("pub/{name}")).collect();
    let files: Vec<_> = paths.iter().map(|path| (&**path, "x\n")).chain([("pub/passwd", "x\n")]).collect();
    let server = Server::start(Tree::new(&[("pub/", &listing), ("pub/up/", "")], &files));
    let folder = folder();
    let (status, said) = walk(folder.path(), &["-r", &server.url("pub/")]);
    // What could do harm in them is escaped.
    let saved =
        ["%2Ebashrc", "%4EUL", "a%5Cb", "passwd", "r%E2%80%AEl"].map(|name| format!("pub/{name}: x\n"));
    let mut expected = vec!["pub/".to_owned()];
    expected.extend(saved);
    expected.extend(["pub/up/".to_owned(), "pub/x%1B[2J: x\n".to_owned()]);
    assert_eq!(tree(folder.path()), expected, "{said}");
    let summary = "note: 6 files saved, 2 skipped";
    assert_eq!((status, said.lines().last()), (0, Some(summary)), "{said}");
    assert!(said.contains("leads out of its directory") && !said.contains('\u{1b}'), "{said}");
}

#[test]
fn a_directory_without_end_ends() {
    // Each directory has itself, and a file.
    let mut directories = BTreeMap::new();
    let mut path = String::from("pub/");
    for _ in 0..120 {
        directories.insert(path.clone(), "type=dir; pub\r\ntype=file;size=0; f\r\n".to_owned());
        path.push_str("pub/");
    }
    let server = Server::start(Tree { directories, ..Tree::default() });
    let folder = folder();
    let arguments = ["-r", "--accept", "nothing", &server.url("pub/")];
    let (status, said) = walk(folder.path(), &arguments);
    let summary = "note: 0 files saved, 100 left out by --accept and --reject, 1 skipped";
    assert_eq!((status, said.lines().last()), (0, Some(summary)), "{said}");
    assert!(said.contains("it is deeper than --level 100"), "{said}");
    // The same directory under other names.
    let facts = "type=dir;unique=1; a\r\ntype=dir;unique=1; b\r\ntype=file;size=0; f\r\n";
    let server = Server::start(Tree::new(&[("pub/", facts), ("pub/a/", facts), ("pub/b/", facts)], &[]));
    let (_, said) = walk(folder.path(), &["-r", "--accept", "nothing", &server.url("pub/")]);
    assert_eq!(said, "note: 0 files saved, 2 left out by --accept and --reject\n");
}

#[test]
fn a_large_directory() {
    let mut listing = String::new();
    for number in 0..100_000 {
        write!(listing, "type=file;size=1; {number:05}\r\n").unwrap();
    }
    let server = Server::start(Tree::new(&[("pub/", &listing)], &[("pub/00099", "x")]));
    let folder = folder();
    let (status, said) = walk(folder.path(), &["-r", "--accept", "00099", &server.url("pub/")]);
    let summary = "note: 1 file saved, 99,999 left out by --accept and --reject\n";
    assert_eq!((status, said), (0, summary.into()));
}

#[cfg(unix)]
#[test]
fn no_symbolic_link_of_this_machine_is_followed() {
    let server = Server::start(small());
    let (folder, elsewhere) = (folder(), folder());
    fs::create_dir(folder.path().join("pub")).unwrap();
    std::os::unix::fs::symlink(elsewhere.path(), folder.path().join("pub/sub")).unwrap();
    std::os::unix::fs::symlink(elsewhere.path().join("new"), folder.path().join("pub/a.txt")).unwrap();
    for options in [&[][..], &["--newer"], &["-Z"]] {
        let (status, said) = walk(folder.path(), &[&["-r", &server.url("pub/")], options].concat());
        assert_eq!(status, 2, "{said}");
        assert!(said.contains("is not a directory") && said.contains("is not a regular file"), "{said}");
        assert_eq!(tree(elsewhere.path()), [] as [String; 0]);
    }
}

#[test]
fn a_server_without_facts_and_one_that_refuses_a_file() {
    let names = "a.txt\r\nsub\r\nodd\r\nlink\r\n";
    let long = "total 3\r\n-rw-r--r-- 1 ftp ftp 2 Mar  1  2024 a.txt\r\ndrwxr-xr-x 2 ftp ftp 4096 Mar  1  2024 sub\r\n\
                lrwxrwxrwx 1 ftp ftp 6 Mar  1  2024 link -> ../../x\r\n";
    let mut site =
        Tree::new(&[("pub/", ""), ("pub/sub/", "")], &[("pub/a.txt", "a\n"), ("pub/sub/a.txt", "s\n")]);
    site.names = Some(Listings { names, lines: long });
    let server = Server::start(site);
    let folder = folder();
    let (status, said) = walk(folder.path(), &["-r", "-l", "2", &server.url("pub/")]);
    assert_eq!(tree(folder.path()), ["pub/", "pub/a.txt: a\n", "pub/sub/"]);
    let summary = "note: 1 file saved, 2 skipped, 1 failed";
    assert_eq!((status, said.lines().last()), (1, Some(summary)), "{said}");
    assert!(said.contains("its listing is that of a directory above it"), "{said}");
    // The server is asked once whether it knows MLSD.
    assert_eq!(server.sent("MLSD").len(), 1);
}

#[test]
fn pages() {
    let server = http::Server::new(|request| {
        let page = |title: &str, links: &[&str]| {
            let links: String = links.iter().map(|link| format!("<a href=\"{link}\">x</a>")).collect();
            answer("200 OK", "Content-Type: text/html\r\n", &format!("<title>{title}</title>{links}"))
        };
        let path = request.line.split(' ').nth(1).unwrap().to_owned();
        match &*path {
            "/pub" => answer("301 Moved", "Location: /pub/\r\n", ""),
            "/pub/" => page(
                "Index of /pub/",
                &[
                    "../",
                    "?C=N;O=D",
                    "a.txt",
                    "a.txt",
                    "sub/",
                    "../other/x",
                    "http://elsewhere.invalid/x",
                    "moved",
                    "away",
                    "q?x=1",
                    "%2e%2e%2fup",
                    "sub",
                ],
            ),
            "/pub/sub/" => page("Welcome", &["b.txt", "/pub/", "/"]),
            "/pub/sub" => answer("301 Moved", "Location: /pub/sub/\r\n", ""),
            "/pub/moved" => answer("302 Found", "Location: /pub/there\r\n", ""),
            "/pub/away" => answer("302 Found", "Location: /secret\r\n", ""),
            "/secret" => panic!("it is not requested"),
            _ => ok(&format!("{path}\n")),
        }
    });
    let folder = folder();
    let (status, said) = walk(folder.path(), &["-r", &server.url("/pub")]);
    let page = "<title>Welcome</title><a href=\"b.txt\">x</a><a href=\"/pub/\">x</a><a href=\"/\">x</a>";
    let expected = [
        "pub/",
        "pub/%2E.%2Fup: /pub/%2e%2e%2fup\n",
        "pub/a.txt: /pub/a.txt\n",
        "pub/sub/",
        "pub/sub/b.txt: /pub/sub/b.txt\n",
        &format!("pub/sub/index.html: {page}"),
        "pub/there: /pub/there\n",
    ];
    assert_eq!(tree(folder.path()), expected, "{said}");
    assert_eq!(status, 0, "{said}");
    for why in ["it has a query", "it redirects to", "1 link leads out of"] {
        assert!(said.contains(why), "{why}: {said}");
    }
    let (_, said) = walk(folder.path(), &["-r", "--accept", "txt", &server.url("/pub/")]);
    assert!(said.contains("2 already there"), "{said}");
}

/// `LIST` has only the day of the file, so the server is asked for its time.
#[test]
fn a_listing_that_has_only_the_day_is_not_trusted() {
    let lines = "-rw-r--r-- 1 a a 2 Mar  1  2026 a.txt\r\n";
    let names = Some(Listings { names: "a.txt\r\n", lines });
    let server = Server::start(Tree { names, ..Tree::new(&[("pub/", "")], &[("pub/a.txt", "a\n")]) });
    let (folder, url) = (folder(), server.url("pub/"));
    let file = folder.path().join("pub/a.txt");
    assert_eq!(walk(folder.path(), &["-r", &url]).0, 0);
    // The file of the server is newer, and of the same size.
    for (text, hours, expected) in [("b\n", 11, "a\n"), ("b\n", 13, "b\n"), ("b\n", 24 * 9, "b\n")] {
        fs::write(&file, text).unwrap();
        let time = UNIX_EPOCH + Duration::from_secs(1_772_323_200 + hours * 3600);
        fs::File::options().write(true).open(&file).unwrap().set_modified(time).unwrap();
        server.sent("");
        let (status, said) = walk(folder.path(), &["-r", "--newer", &url]);
        assert_eq!(
            (status, &*fs::read_to_string(&file).unwrap()),
            (0, expected),
            "{hours}: {said} {:?}",
            server.sent("")
        );
        assert_eq!(server.sent("MDTM").is_empty(), hours > 48, "{hours}");
    }
}

#[test]
fn what_has_nothing_below_it() {
    let server = Server::start(small());
    let folder = folder();
    for (url, why) in [
        (&*server.url("pub/a.txt"), "-r needs a directory, and -O saves a file"),
        ("gopher://127.0.0.1/0/a", "the URL is not a menu (type 1); use -O to save a file"),
        ("news:a.b", "-r fetches ftp, ftps, gopher, file, http and https URLs only"),
        (
            "ftp://127.0.0.1/..",
            "its file name is that of another directory; use -o FOLDER to name the folder",
        ),
    ] {
        let (status, said) = walk(folder.path(), &["-r", url]);
        assert!(status != 0 && said.contains(why), "{said}");
        assert_eq!(tree(folder.path()), [] as [String; 0]);
    }
}

/// A tree of so many files in each of three directories.
fn wide(files: usize) -> Tree {
    let mut site = Tree::new(&[("pub/", "type=dir; a\r\ntype=dir; b\r\ntype=dir; c\r\n")], &[]);
    for directory in ["pub/a/", "pub/b/", "pub/c/"] {
        let line = |number| format!("type=file;size=2;modify=20260301120000; {number:03}\r\n");
        site.directories.insert(directory.into(), (0..files).map(line).collect());
        let file = |number| (format!("{directory}{number:03}"), "x\n".to_owned());
        site.files.extend((0..files).map(file));
    }
    site
}

#[test]
fn a_walk_logs_in_once_for_each_connection() {
    let server = Server::start(wide(40));
    let saved = (0, "note: 120 files saved\n".to_owned());
    let own = folder();
    assert_eq!(walk(own.path(), &["-r", &server.url("pub/")]), saved);
    let commands = server.ftp.commands();
    let count =
        |name: &str| commands.iter().filter(|command| command.split(' ').next() == Some(name)).count();
    assert_eq!((count("USER"), count("PWD"), count("RETR"), count("QUIT")), (1, 1, 120, 1), "{commands:?}");
    // Of a directory its files are fetched one after the other, so it is entered once.
    assert!(count("CWD") < 20, "{commands:?}");
    let own = folder();
    assert_eq!(walk(own.path(), &["-r", "-Z", &server.url("pub/")]), saved);
    let logins = server.sent("USER").len();
    assert!((1..=8).contains(&logins), "{logins}");
    let own = folder();
    assert_eq!(walk(own.path(), &["-r", "-Z", "--parallel-max-host", "2", &server.url("pub/")]), saved);
    let logins = server.sent("USER").len();
    assert!((1..=2).contains(&logins), "{logins}");
}

/// Replies for a directory of 20 files that contain their names; `None` for other commands.
fn twenty(command: &Command) -> Option<Reply> {
    let facts = |number| format!("type=file;size=2;modify=20260301120000; {number:02}\r\n");
    match &*command.name {
        "PWD" => Some(Reply::Line("257 \"/\"".into())),
        "CWD" => Some(Reply::Line("250 there".into())),
        "MLSD" => Some(Reply::Data((0..20).map(facts).collect::<String>().into())),
        "RETR" => Some(Reply::Data(command.argument.clone())),
        _ => None,
    }
}

#[test]
fn a_session_that_ends_is_replaced_in_a_walk() {
    // What the server does in place of a sixth file: it says so, or says nothing.
    for end in [Reply::Last("421 Timeout".into()), Reply::End] {
        let server = FtpServer::start(move |_| {
            let (mut files, end) = (0, end.clone());
            move |command: &Command| {
                files += usize::from(command.name == "RETR");
                if files == 5 && command.name == "EPSV" { Some(end.clone()) } else { twenty(command) }
            }
        });
        for (options, logins) in [(&[][..], 4..=4), (&["-Z"], 4..=11)] {
            let folder = folder();
            let url = server.url("pub/");
            let arguments = [&["-r", "-o", "x", &url], options].concat();
            assert_eq!(walk(folder.path(), &arguments), (0, "note: 20 files saved\n".into()));
            let names: Vec<_> = (0..20).map(|number| format!("x/{number:02}: {number:02}")).collect();
            assert_eq!(tree(folder.path())[1..], names);
            let made = server.commands().iter().filter(|command| command.starts_with("USER ")).count();
            assert!(logins.contains(&made), "{made} logins");
        }
    }
}

#[test]
fn a_walk_of_a_server_that_allows_few_connections() {
    let server = FtpServer::start(|order| {
        let is_refused = order.open > 2;
        move |command: &Command| match &*command.name {
            "" if is_refused => Some(Reply::Last("421 too many connections".into())),
            _ => twenty(command),
        }
    });
    let folder = folder();
    let walked = walk(folder.path(), &["-r", "-Z", "-o", "x", &server.url("pub/")]);
    assert_eq!(walked, (0, "note: 20 files saved\n".into()));
    assert_eq!(tree(folder.path()).len(), 21);
}

#[test]
fn users_share_no_session_of_a_walk() {
    // Each user finds one file, with the password that was sent on the same connection.
    let server = FtpServer::start(|_| {
        let (mut user, mut password) = (String::new(), String::new());
        move |command: &Command| match &*command.name {
            "USER" => {
                user = command.text().into_owned();
                Some(Reply::Line("331 password".into()))
            }
            "PASS" if command.argument == b"wrong" => Some(Reply::Line("530 no".into())),
            "PASS" => {
                password = command.text().into_owned();
                None
            }
            "MLSD" => Some(Reply::Data(format!("type=file;size=1; {user}\r\n").into())),
            "RETR" if command.text() != user => Some(Reply::Line("550 not yours".into())),
            "RETR" => Some(Reply::Data(password.clone().into())),
            _ => twenty(command),
        }
    });
    let folder = folder();
    let urls = ["joe:1@", "ann:2@", "joe:3@"].map(|user| server.url_of(user, "pub/"));
    let [joe, ann, other] = urls.each_ref().map(String::as_str);
    let walked = walk(folder.path(), &["-r", "-Z", "--clobber", "-o", "x", joe, ann]);
    assert_eq!(walked, (0, "note: 1 file saved\nnote: 1 file saved\n".into()));
    assert_eq!(tree(folder.path())[1..], ["x/ann: 2", "x/joe: 1"]);
    let sent = server.commands();
    let logins = |sent: &[String]| {
        sent.iter().filter(|command| command.starts_with("PASS")).cloned().collect::<Vec<_>>()
    };
    assert_eq!(logins(&sent), ["PASS 1", "PASS 2"], "{sent:?}");
    assert_eq!(walk(folder.path(), &["-r", "--clobber", "-o", "x", other]).0, 0);
    assert_eq!(tree(folder.path())[1..], ["x/ann: 2", "x/joe: 3"]);
    assert_eq!(logins(&server.commands()), ["PASS 3"]);
    // A password that the server refuses is sent once.
    let (status, said) = walk(folder.path(), &["-r", "-Z", "-o", "y", &server.url_of("joe:wrong@", "pub/")]);
    assert!(status != 0 && said.contains("530"), "{status} {said}");
    assert_eq!(logins(&server.commands()), ["PASS wrong"]);
}

//! `get` with Prospero: on to a file of a real FTP server, directories, contents.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::path::Path;

use locator_dev::prospero::{Directory, Faults, Node, Options, start};

use crate::get::get;
#[cfg(target_os = "linux")]
use crate::get::{real_server, root};

/// What a server offers whose files are on this FTP server.
fn offered(port: u16, ftp: u16) -> Directory {
    let file = Node::file("a\tb", b"hello\n");
    Directory {
        ftp: format!("127.0.0.1({ftp})"),
        aftp: vec![
            Node::directory("etc", vec![Node::file("motd", b"")]),
            Node::directory("pub", vec![file, Node::directory("sub", Vec::new())]),
        ],
        ..Directory::new(&format!("127.0.0.1({port})"))
    }
}

/// Through more than forty packets, of which one is lost, one doubled and one late.
#[cfg(target_os = "linux")]
#[test]
fn a_file_by_ftp() {
    let Some(ftp) = real_server("pyftpdlib") else { return };
    let faults = Faults { lost: vec![7], doubled: vec![9], late: vec![3], are_reversed: false };
    let port = start(Options { packet: 8, faults, ..Options::default() }, |port| offered(port, ftp)).unwrap();
    let motd = std::fs::read_to_string(root().join("target/servers/tree/etc/motd")).unwrap();
    let url = format!("prospero://127.0.0.1:{port}/AFTP/etc/motd");
    assert_eq!(get(Path::new("."), &[&url]), (motd.clone(), 0, String::new()));
    let (object, status, _) = get(Path::new("."), &["--json", &url]);
    let object: serde_json::Value = serde_json::from_str(&object).unwrap();
    assert_eq!((status, object["text"].as_str()), (0, Some(&*motd)));
    assert_eq!(object["url"], format!("ftp://127.0.0.1:{ftp}/etc/motd;type=i"));
    assert_eq!(object["hops"][0]["url"], url);
    assert_eq!(object["hops"][0]["address"], format!("127.0.0.1:{port}"));
}

#[test]
fn a_directory() {
    let port = start(Options::default(), |port| offered(port, 2121)).unwrap();
    let url = format!("prospero://127.0.0.1:{port}/AFTP/pub");
    let lines = format!("{url}/a%09b\ta<U+0009>b\n{url}/sub\tsub\n");
    assert_eq!(get(Path::new("."), &[&url]), (lines, 0, String::new()));
    assert_eq!(get(Path::new("."), &["--urls", &url]).0, format!("{url}/a%09b\n{url}/sub\n"));
    let (object, status, _) = get(Path::new("."), &["--json", &url]);
    let object: serde_json::Value = serde_json::from_str(&object).unwrap();
    let access = "ftp://127.0.0.1:2121/pub/a%09b;type=i";
    let entries = serde_json::json!([
        {"url": format!("{url}/a%09b"), "name": "a\tb", "type": "file", "size": 6, "access": access},
        {"url": format!("{url}/sub"), "name": "sub", "type": "directory"},
    ]);
    assert_eq!((status, &object["kind"], &object["entries"]), (0, &"links".into(), &entries));
    // An empty directory.
    assert_eq!(get(Path::new("."), &[&format!("{url}/sub")]), (String::new(), 0, String::new()));
}

#[test]
fn contents() {
    let directory = |port| Directory { only_contents: true, ..offered(port, 1) };
    let port = start(Options::default(), directory).unwrap();
    let url = format!("prospero://127.0.0.1:{port}/AFTP/pub/a%09b");
    assert_eq!(get(Path::new("."), &[&url]), ("hello\n".into(), 0, String::new()));
    let (octets, status, dialogue) = get(Path::new("."), &["-v", &url]);
    assert_eq!((&*octets, status), ("hello\n", 0));
    for line in ["GET-OBJECT-INFO ACCESS-METHOD+SIZE+UNIX-MODES ASCII", "GET-OBJECT-INFO CONTENTS ASCII"] {
        assert!(dialogue.contains(line), "{dialogue}");
    }
}

#[test]
fn what_is_not_there() {
    let port = start(Options::default(), |port| offered(port, 1)).unwrap();
    let url = format!("prospero://127.0.0.1:{port}/AFTP/pub/none");
    let (octets, status, errors) = get(Path::new("."), &[&url]);
    assert_eq!((&*octets, status), ("", 1));
    assert!(errors.contains("not found (FAILURE NOT-FOUND"), "{errors}");
    let url = format!("prospero://127.0.0.1:{port}/AFTP/pub/a%09b;SIZE=7%20bytes");
    let (_, status, errors) = get(Path::new("."), &[&url]);
    assert_eq!(status, 1);
    assert!(errors.contains("SIZE is 6 bytes"), "{errors}");
}

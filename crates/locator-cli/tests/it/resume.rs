//! `get -C -`: going on with what an earlier run left.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::fs;
use std::path::Path;

use locator_dev::servers::ftp::{FtpServer, Visit};
use tempfile::TempDir;

use crate::runner;

const NEW_YEAR: &str = "20260101000000";

fn get(folder: &Path, arguments: &[&str]) -> (i32, String) {
    let arguments = [&["get"], arguments].concat();
    let output = runner::run(runner::locator(&arguments).current_dir(folder), Vec::new());
    assert_eq!(output.stdout, b"");
    (output.status.code().unwrap_or(-1), String::from_utf8(output.stderr).unwrap())
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// A file, and what is left of it after a visit that is cut off.
fn visits(next: &[Visit]) -> Vec<Visit> {
    let octets: Vec<u8> = (0..=255).cycle().take(1000).collect();
    let cut = Visit { octets, modified: NEW_YEAR, cut: Some(400), ..Visit::default() };
    [&[cut], next].concat()
}

fn whole(cut: &Visit) -> Visit {
    Visit { cut: None, ..cut.clone() }
}

/// Begins a server, and a fetch of its file that is cut off.
fn cut_off(next: impl FnOnce(&Visit) -> Vec<Visit>) -> (FtpServer, TempDir) {
    let cut = visits(&[]).remove(0);
    let server = FtpServer::with_visits(visits(&next(&cut)));
    let folder = tempfile::tempdir().unwrap();
    let (status, errors) = get(folder.path(), &["-O", &server.url("x")]);
    assert_eq!(status, 2, "{errors}");
    assert!(errors.contains("the first 400 bytes are in \"x.part\"; use -C - to resume"), "{errors}");
    assert_eq!(names(folder.path()), ["x.part", "x.part.json"]);
    drop(server.commands());
    (server, folder)
}

#[test]
fn what_is_the_same_is_gone_on_with() {
    let (server, folder) = cut_off(|cut| vec![Visit { cut: Some(700), ..cut.clone() }, whole(cut)]);
    let octets = visits(&[]).remove(0).octets;
    // A try without -C is an error.
    let (status, errors) = get(folder.path(), &["-O", &server.url("x")]);
    assert_eq!((status, errors.contains("use -C - to resume it")), (2, true), "{errors}");
    for (start, ends_with) in [(400, "use -C - to resume\n"), (700, "resuming after 700 bytes\n")] {
        let (status, errors) = get(folder.path(), &["-C", "-", "-O", &server.url("x")]);
        assert_eq!(status, if start == 400 { 2 } else { 0 }, "{errors}");
        assert!(errors.contains(&format!("resuming after {start} bytes")), "{errors}");
        assert!(errors.contains(ends_with.trim_end()), "{errors}");
        let commands = server.commands();
        let rest = commands.iter().position(|command| *command == format!("REST {start}")).unwrap();
        assert_eq!(commands[rest + 1], "RETR x", "{commands:?}");
    }
    assert_eq!(fs::read(folder.path().join("x")).unwrap(), octets);
    assert_eq!(names(folder.path()), ["x"]);
}

#[test]
fn what_has_changed_begins_anew() {
    for (octets, modified) in
        [(b"other".repeat(200), "20260102000000"), (b"longer".repeat(200), NEW_YEAR), (b"z".repeat(9), "")]
    {
        let now = Visit { octets: octets.clone(), modified, ..Visit::default() };
        let (server, folder) = cut_off(|_| vec![now]);
        let (status, errors) = get(folder.path(), &["-C", "-", "-O", &server.url("x")]);
        assert_eq!((status, errors.contains("starting over")), (0, true), "{errors}");
        assert!(!server.commands().iter().any(|command| command.starts_with("REST")));
        assert_eq!(fs::read(folder.path().join("x")).unwrap(), octets);
        assert_eq!(names(folder.path()), ["x"]);
    }
}

#[test]
fn what_has_no_proof_begins_anew() {
    // Of another URL, without a record, and with one that is not of this program.
    let spoil: [fn(&Path); 3] = [
        |record| {
            let text = fs::read_to_string(record).unwrap();
            fs::write(record, text.replace("/x\"", "/y\"")).unwrap();
        },
        |record| fs::remove_file(record).unwrap(),
        |record| fs::write(record, "[]").unwrap(),
    ];
    for spoil in spoil {
        let (server, folder) = cut_off(|cut| vec![whole(cut)]);
        spoil(&folder.path().join("x.part.json"));
        let (status, errors) = get(folder.path(), &["-C", "-", "-O", &server.url("x")]);
        assert_eq!((status, errors.contains("starting over")), (0, true), "{errors}");
        assert_eq!(fs::read(folder.path().join("x")).unwrap(), visits(&[])[0].octets);
        assert_eq!(names(folder.path()), ["x"]);
    }
}

#[test]
fn a_server_that_cannot_be_reached_leaves_what_is_there() {
    let (server, folder) = cut_off(|_| Vec::new());
    let (status, errors) = get(folder.path(), &["-C", "-", "-O", &server.url("x")]);
    assert_eq!(status, 2, "{errors}");
    assert_eq!(names(folder.path()), ["x.part", "x.part.json"]);
    assert_eq!(fs::read(folder.path().join("x.part")).unwrap().len(), 400);
}

#[cfg(unix)]
#[test]
fn other_files_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::write(path.join("mine"), "mine").unwrap();
    std::os::unix::fs::symlink(path.join("mine"), path.join("x.part")).unwrap();
    // No server is asked: port 1 has none.
    let (status, errors) = get(path, &["-C", "-", "-O", "ftp://127.0.0.1:1/x", "--low-ports"]);
    assert_eq!((status, errors.contains("is not an incomplete download")), (2, true), "{errors}");
    assert_eq!(fs::read(path.join("mine")).unwrap(), b"mine");
    // Another run is writing.
    fs::remove_file(path.join("x.part")).unwrap();
    let part = fs::File::create(path.join("x.part")).unwrap();
    part.lock().unwrap();
    let (status, errors) = get(path, &["-C", "-", "-O", "ftp://127.0.0.1:1/x", "--low-ports"]);
    assert_eq!((status, errors.contains("another process is writing")), (2, true), "{errors}");
}

#[test]
fn the_plan_shows_it() {
    let (server, folder) = cut_off(|_| Vec::new());
    let arguments = ["get", "--plan", "-C", "-", "-O", &server.url("x")];
    let output = runner::run(runner::locator(&arguments).current_dir(folder.path()), Vec::new());
    let plan = String::from_utf8(output.stdout).unwrap();
    assert!(plan.contains("\n  S: 213 1000 (its length)\n"), "{plan}");
    assert!(plan.contains(&format!("\n  S: 213 {NEW_YEAR} (the time of its last change)\n")), "{plan}");
    assert!(plan.contains("\n  C: REST 400\n"), "{plan}");
    assert_eq!(names(folder.path()), ["x.part", "x.part.json"]);
}

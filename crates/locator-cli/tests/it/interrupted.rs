//! `get` ends at once when it is interrupted, wherever it is. Each test waits until the run is there,
//! and then for its end; `scripts/measure/interrupt-get` measures how long that takes.
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test that panics has failed")]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;

use crate::runner;
#[cfg(target_os = "linux")]
use crate::terminal::Terminal;

/// A server whose connections the test has.
fn listener() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    (listener, address)
}

fn start(folder: &Path, arguments: &[&str]) -> Child {
    runner::locator(&[&["get"], arguments].concat()).current_dir(folder).spawn().unwrap()
}

fn interrupt(child: &Child) {
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
}

/// Interrupts a run, which must end and say so.
fn ends(child: Child) {
    ends_with_note(child, "");
}

/// Interrupts a run, which must end with a note after that of the interruption.
fn ends_with_note(child: Child, note: &str) {
    interrupt(&child);
    assert_ended(child, 2, &format!("note: interrupted\n{note}"));
}

fn assert_ended(child: Child, signal: i32, end: &str) {
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(runner::signal(output.status), Some(signal), "{errors}");
    assert!(errors.ends_with(end), "{errors}");
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Waits for a condition, which a run brings about; a hanging test shows that it does not.
fn until(mut condition: impl FnMut() -> bool) {
    while !condition() {
        thread::yield_now();
    }
}

#[test]
fn while_an_object_is_read() {
    let (listener, address) = listener();
    let folder = tempfile::tempdir().unwrap();
    let child = start(folder.path(), &["-O", &format!("gopher://{address}/9x")]);
    let (mut stream, _) = listener.accept().unwrap();
    stream.write_all(b"half").unwrap();
    let part = folder.path().join("x.part");
    until(|| fs::read(&part).is_ok_and(|octets| octets == b"half"));
    ends_with_note(child, "note: the first 4 bytes are in \"x.part\"; use --clobber to start over\n");
    assert_eq!(fs::read(&part).unwrap(), b"half");
    assert_eq!(names(folder.path()), ["x.part"]);
}

/// Reads the head of a request.
fn read_head(stream: &TcpStream) {
    let lines = BufReader::new(stream).lines();
    assert!(lines.map(Result::unwrap).any(|line| line.is_empty()));
}

#[test]
fn while_a_response_is_read() {
    let (listener, address) = listener();
    let folder = tempfile::tempdir().unwrap();
    let child = start(folder.path(), &["-O", &format!("http://{address}/x")]);
    let (mut stream, _) = listener.accept().unwrap();
    read_head(&stream);
    stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 99999\r\nETag: \"1\"\r\n\r\nhalf").unwrap();
    let part = folder.path().join("x.part");
    until(|| fs::read(&part).is_ok_and(|octets| octets == b"half"));
    ends_with_note(child, "note: the first 4 bytes are in \"x.part\"; use -C - to resume\n");
    assert_eq!(fs::read(&part).unwrap(), b"half");
    assert_eq!(names(folder.path()), ["x.part", "x.part.json"]);
}

/// Standard output has what has come whenever the server is silent, and after a signal all of it.
#[test]
fn while_events_come() {
    for (options, signal, number, word) in [
        (&[][..], "-INT", 2, "note: interrupted\n"),
        (&["-N"], "-TERM", 15, "note: terminated\n"),
        (&["-o", "-", "--limit-rate", "1G"], "-TERM", 15, "note: terminated\n"),
        (&["-Z"], "-TERM", 15, "note: terminated\n"),
        (&["-Z", "-i"], "-INT", 2, "note: interrupted\n"),
    ] {
        let (listener, address) = listener();
        let url = format!("http://{address}/events");
        let arguments = [options, &[&url]].concat();
        let mut child = start(Path::new("."), &arguments);
        let (mut stream, _) = listener.accept().unwrap();
        read_head(&stream);
        stream.write_all(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n").unwrap();
        let mut printed = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        if options.contains(&"-i") {
            while line != "\r\n" {
                line.clear();
                printed.read_line(&mut line).unwrap();
            }
        }
        for event in ["data: 1\n", "data: 2\n", "data: 3\n"] {
            write!(stream, "{:x}\r\n{event}\r\n", event.len()).unwrap();
            line.clear();
            printed.read_line(&mut line).unwrap();
            assert_eq!(line, event, "{options:?}");
        }
        let killed = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert!(killed.success());
        assert_ended(child, number, word);
        assert_eq!(printed.read_line(&mut line).unwrap(), 0);
    }
}

/// A line that a line protocol has sent is there before the next one comes, and so is the first of two
/// objects in JSON.
#[test]
fn while_lines_come() {
    let (listener, address) = listener();
    let mut child = start(Path::new("."), &["--json", "data:,a", &format!("gopher://{address}/0x")]);
    let (mut stream, _) = listener.accept().unwrap();
    let mut printed = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    printed.read_line(&mut line).unwrap();
    assert!(line.starts_with("{\"input\":\"data:,a\""), "{line}");
    stream.write_all(b"half\r\n").unwrap();
    ends(child);

    let mut child = start(Path::new("."), &[&format!("gopher://{address}/0x")]);
    let (mut stream, _) = listener.accept().unwrap();
    let mut printed = BufReader::new(child.stdout.take().unwrap());
    for expected in ["one\r\n", "two\r\n"] {
        stream.write_all(expected.as_bytes()).unwrap();
        line.clear();
        printed.read_line(&mut line).unwrap();
        assert_eq!(line, expected);
    }
    ends(child);
}

/// An entry of a list is there before the next one comes, and stays if the connection is lost.
#[test]
fn while_entries_come() {
    let (listener, address) = listener();
    let item = |number: u8| format!("0item {number}\t/{number}\thost\t70\r\n");
    let printed = |number: u8| format!("gopher://host/0/{number}\titem {number}\n");
    for is_interrupted in [true, false] {
        let mut child = start(Path::new("."), &[&format!("gopher://{address}/1")]);
        let (mut stream, _) = listener.accept().unwrap();
        let mut reader = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        // The line of the second item is not complete.
        stream.write_all((item(1) + &item(2)[..9]).as_bytes()).unwrap();
        reader.read_line(&mut line).unwrap();
        assert_eq!(line, printed(1));
        if is_interrupted {
            ends(child);
        } else {
            stream.write_all((item(2)[9..].to_owned() + ".\r\n").as_bytes()).unwrap();
            drop(stream);
            let output = child.wait_with_output().unwrap();
            assert_eq!((output.status.code(), &*output.stderr), (Some(0), &b""[..]));
        }
        let mut rest = String::new();
        reader.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, if is_interrupted { String::new() } else { printed(2) });
    }
}

/// What was received is written also if the server goes on to send.
#[test]
fn while_much_comes() {
    let (listener, address) = listener();
    let folder = tempfile::tempdir().unwrap();
    let printed = folder.path().join("printed");
    let mut command = runner::locator(&["get", &format!("http://{address}/x")]);
    let child = command.stdout(fs::File::create(&printed).unwrap()).spawn().unwrap();
    let (mut stream, _) = listener.accept().unwrap();
    read_head(&stream);
    stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n").unwrap();
    let sender = thread::spawn(move || while stream.write_all(&[b'x'; 10_000]).is_ok() {});
    until(|| fs::metadata(&printed).is_ok_and(|found| found.len() > 1_000_000));
    let killed = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    assert_ended(child, 15, "note: terminated\n");
    sender.join().unwrap();
}

/// The reader of a pipe has closed it: nothing is said, but not everything was delivered.
#[test]
fn while_the_reader_ends() {
    for options in [&[][..], &["-Z"]] {
        let (listener, address) = listener();
        let url = format!("http://{address}/events");
        let mut child = start(Path::new("."), &[options, &[&url]].concat());
        let (mut stream, _) = listener.accept().unwrap();
        read_head(&stream);
        stream.write_all(b"HTTP/1.1 200 OK\r\n\r\nfirst\n").unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert_eq!(line, "first\n");
        while stream.write_all(b"more\n").is_ok() {}
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr), (Some(2), Vec::new()), "{options:?}");
    }
}

#[test]
fn while_the_server_is_silent() {
    for scheme in ["ftp", "http"] {
        let (listener, address) = listener();
        let folder = tempfile::tempdir().unwrap();
        let arguments = ["-O", &format!("{scheme}://{address}/x")];
        let child = start(folder.path(), &arguments);
        let _connection = listener.accept().unwrap();
        ends(child);
        assert_eq!(names(folder.path()), ["x.part"]);
        // Nothing was received, so another run begins anew.
        let child = start(folder.path(), &arguments);
        let _connection = listener.accept().unwrap();
        ends(child);
    }
}

#[test]
fn while_nobody_reads_the_output() {
    let (listener, address) = listener();
    let folder = tempfile::tempdir().unwrap();
    let mut child = start(folder.path(), &[&format!("gopher://{address}/9x")]);
    let (mut stream, _) = listener.accept().unwrap();
    stream.set_nonblocking(true).unwrap();
    // Until the pipe, the run and the connection are full.
    until(|| stream.write(&[b'x'; 65_536]).is_err_and(|_| is_stuck(&child)));
    interrupt(&child);
    assert_eq!(runner::signal(child.wait().unwrap()), Some(2));
}

/// Returns whether a thread of a run waits for a pipe.
fn is_stuck(child: &Child) -> bool {
    let threads = fs::read_dir(format!("/proc/{}/task", child.id())).unwrap().flatten();
    threads.into_iter().any(|thread| {
        let waits = fs::read_to_string(thread.path().join("wchan")).unwrap_or_default();
        waits.contains("pipe_write")
    })
}

/// Reads the commands of a client up to one, and replies to each.
fn ask_for_password(mut stream: &TcpStream) {
    stream.write_all(b"220 ready\r\n").unwrap();
    let mut line = [0; 256];
    assert!(stream.read(&mut line).unwrap() > 0);
    stream.write_all(b"331 password\r\n").unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn while_a_password_is_asked_for() {
    // By a key, and by another program: the terminal shows what is typed again.
    for by_key in [true, false] {
        let (listener, address) = listener();
        let command = format!("trap : INT; $LOCATOR get ftp://joe@{address}/x");
        // Without the trap the shell would end by the key, too.
        let mut terminal =
            Terminal::start(&format!("trap : INT; {command}; echo status $?; stty -a; echo end"));
        let (stream, _) = listener.accept().unwrap();
        ask_for_password(&stream);
        terminal.until_shown("joe");
        terminal.until_shown(": ");
        if by_key {
            terminal.type_in("\x03");
        } else {
            let shell = fs::read_to_string(format!("/proc/{0}/task/{0}/children", terminal.script.id()));
            let shell = shell.unwrap().trim().to_owned();
            let locator = fs::read_to_string(format!("/proc/{shell}/task/{shell}/children")).unwrap();
            until(|| is_reading_a_terminal(locator.trim()));
            let killed = Command::new("kill").args(["-INT", locator.trim()]).status().unwrap();
            assert!(killed.success());
        }
        terminal.until_shown("end\r\n");
        assert!(terminal.shown.contains("interrupted\r\nstatus 130\r\n"), "{}", terminal.shown);
        assert!(
            terminal.shown.contains(" echo ") && terminal.shown.contains(" icanon "),
            "{}",
            terminal.shown
        );
        terminal.script.wait().unwrap();
    }
}

/// Returns whether a thread of a process waits for what is typed.
fn is_reading_a_terminal(process: &str) -> bool {
    let threads = fs::read_dir(format!("/proc/{process}/task")).unwrap().flatten();
    threads.into_iter().any(|thread| {
        let waits = fs::read_to_string(thread.path().join("wchan")).unwrap_or_default();
        // The kernel's name for the wait differs by version.
        waits.contains("wait_woken") || waits.contains("n_tty_read")
    })
}

/// In a network whose name server is silent: `getaddrinfo` waits for seconds, and cannot be ended.
#[cfg(target_os = "linux")]
#[test]
fn while_a_name_is_looked_up() {
    // The socket of the name server belongs to the run itself.
    const SILENT: &str = "import os, socket, sys; server = socket.socket(type=socket.SOCK_DGRAM); \
        server.bind((\"127.0.0.1\", 53)); server.set_inheritable(True); os.execv(sys.argv[1], sys.argv[1:])";
    const NETWORK: &str = "ip link set lo up && mount --bind \"$1\" /etc/resolv.conf \
        && exec python3 -c \"$2\" \"$3\" get -O gopher://slow.example/9x";
    let folder = tempfile::tempdir().unwrap();
    let servers = folder.path().join("resolv.conf");
    fs::write(&servers, "nameserver 127.0.0.1\n").unwrap();
    let mut shell = Command::new("unshare");
    shell
        .args(["-Urnm", "sh", "-c", NETWORK, "sh"])
        .arg(&servers)
        .args([SILENT, env!("CARGO_BIN_EXE_locator")]);
    shell.current_dir(folder.path()).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = shell.spawn().unwrap();
    // Until a query has been sent.
    let to_server = |line: &str| line.split_whitespace().nth(2) == Some("0100007F:0035");
    while !fs::read_to_string(format!("/proc/{}/net/udp", child.id()))
        .is_ok_and(|udp| udp.lines().any(to_server))
    {
        if let Some(status) = child.try_wait().unwrap() {
            let errors = child.wait_with_output().unwrap().stderr;
            panic!("{status}: {}", String::from_utf8_lossy(&errors));
        }
        thread::yield_now();
    }
    ends(child);
    assert_eq!(names(folder.path()), ["resolv.conf", "x.part"]);
}

//! `get` at a terminal of 40, 80 and 120 columns: progress, what is saved, and errors. The server waits
//! until the test has seen what is shown.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::io;
use std::path::Path;
use std::sync::Mutex;
use std::sync::mpsc::{self, Receiver, Sender};

use locator_dev::servers::http::Request;
use locator_dev::servers::{Connection, TcpServer};

use crate::screen::Screen;
use crate::terminal::{Terminal, WIDTHS};

/// A server with a large file, of which it sends the second half when it is told to, and a small one.
struct Server {
    server: TcpServer,
    go: Sender<()>,
}

const LARGE: usize = 2 << 20;

impl Server {
    fn start() -> Self {
        let (go, told) = mpsc::channel();
        let told = Mutex::new(told);
        Self { server: TcpServer::start(move |connection| serve(connection, &told)), go }
    }

    fn url(&self, name: &str) -> String {
        format!("http://{}/{name}", self.server.address())
    }
}

fn serve(connection: &mut Connection, told: &Mutex<Receiver<()>>) -> io::Result<()> {
    let Some(request) = Request::read(connection)? else { return Ok(()) };
    let (status, length) = match request.target() {
        "/large.iso" => ("200 OK", LARGE),
        "/small.txt" => ("200 OK", 100),
        "/cut.txt" => {
            return connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\na line\nhalf a line");
        }
        _ => ("404 Not Found", 0),
    };
    let fields = format!("ETag: \"1\"\r\nContent-Length: {length}\r\nConnection: close\r\n");
    connection.send(format!("HTTP/1.1 {status}\r\n{fields}\r\n"))?;
    let body = vec![b'x'; length];
    let (now, later) = body.split_at(if length == LARGE { LARGE / 2 } else { length });
    connection.send(now)?;
    if !later.is_empty() {
        let _ = told.lock().unwrap().recv();
    }
    connection.send(later)
}

/// Starts `get` in a terminal of so many columns.
fn get(columns: usize, folder: &Path, arguments: &str) -> Terminal {
    let environment = "unset NO_COLOR CLICOLOR COLUMNS COLORFGBG http_proxy; export TERM=xterm-256color HOME=. \
                       XDG_CONFIG_HOME=.";
    let folder = folder.display();
    Terminal::start(&format!(
        "stty cols {columns} rows 24; cd {folder}; {environment}; \"$LOCATOR\" get {arguments}; echo status $?"
    ))
}

/// Returns what is on the screen. No line is broken by the terminal, but for a word.
fn screen(terminal: &Terminal, columns: usize) -> String {
    let octets: Vec<u8> = terminal.shown.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    let mut screen = Screen::new(columns);
    screen.write(&String::from_utf8_lossy(&octets));
    assert!(screen.broken().is_empty(), "{columns}: {:?}", screen.broken());
    screen.marked()
}

#[test]
fn progress_is_shown_and_removed() {
    let bar = |full, rest| format!("{{green}}{}{{faint}}{}{{}}  ", "━".repeat(full), "─".repeat(rest));
    for (columns, bar) in WIDTHS.into_iter().zip([String::new(), bar(12, 13), bar(20, 20)]) {
        let (server, folder) = (Server::start(), tempfile::tempdir().unwrap());
        let mut terminal = get(columns, folder.path(), &format!("-O {}", server.url("large.iso")));
        terminal.until_shown(" 50%");
        terminal.until_shown("1.0 of 2.0 MiB");
        let shown = screen(&terminal, columns);
        let line = format!("large.iso  {bar} 50%  1.0 of 2.0 MiB");
        assert!(shown.trim_end().ends_with(&line), "{columns}: {shown}");
        server.go.send(()).unwrap();
        terminal.until_shown("status 0");
        let shown = screen(&terminal, columns);
        let lines: Vec<_> = shown.lines().collect();
        assert_eq!(lines.len(), 2, "{shown}");
        assert!(
            lines[0].starts_with("{green}saved{} large.iso  2.0 MiB in ") && lines[0].ends_with(" s"),
            "{shown}"
        );
        assert_eq!(lines[1], "status 0");
    }
}

/// An error is shown when it happens: here while another transfer waits.
#[test]
fn parallel_transfers_of_which_one_fails() {
    for columns in WIDTHS {
        let (server, folder) = (Server::start(), tempfile::tempdir().unwrap());
        let urls = ["large.iso", "missing", "small.txt"].map(|name| server.url(name)).join(" ");
        let mut terminal = get(columns, folder.path(), &format!("-Z -O {urls}"));
        terminal.until_shown("error:");
        terminal.until_shown("1 of 3 done, 1 failed");
        server.go.send(()).unwrap();
        terminal.until_shown("status 1");
        let shown = screen(&terminal, columns);
        assert!(shown.ends_with("\n2 of 3 saved, {bold red}1 failed{}\nstatus 1\n"), "{shown}");
        assert!(shown.contains("{bold red}error:{}") && !shown.contains("done"), "{shown}");
        assert_eq!(shown.matches("failed").count(), 1, "{shown}");
    }
}

/// Ctrl-C removes the line of progress, names what is left, and says how to go on.
#[test]
fn what_is_interrupted_can_resume() {
    for columns in WIDTHS {
        let (server, folder) = (Server::start(), tempfile::tempdir().unwrap());
        let mut terminal = get(columns, folder.path(), &format!("-O {}", server.url("large.iso")));
        terminal.until_shown("1.0 of 2.0 MiB");
        terminal.type_in("\x03");
        terminal.script.wait().unwrap();
        terminal.until_end();
        let shown = screen(&terminal, columns);
        let words = shown.split_whitespace().collect::<Vec<_>>().join(" ");
        let note = "the first 1,048,576 bytes are in \"large.iso.part\"; use -C - to resume";
        assert_eq!(words, format!("{{cyan}}note:{{}} interrupted {{cyan}}note:{{}} {note}"));
    }
}

#[test]
fn parallel_transfers_that_are_interrupted() {
    for columns in WIDTHS {
        let (server, folder) = (Server::start(), tempfile::tempdir().unwrap());
        let urls = ["large.iso", "missing", "small.txt"].map(|name| server.url(name)).join(" ");
        let mut terminal = get(columns, folder.path(), &format!("-Z -O {urls}"));
        terminal.until_shown("1 of 3 done, 1 failed");
        terminal.type_in("\x03");
        terminal.script.wait().unwrap();
        terminal.until_end();
        let shown = screen(&terminal, columns);
        assert!(shown.ends_with("\n1 of 3 saved, {bold red}1 failed{}, 1 interrupted\n"), "{shown}");
        assert!(shown.contains("large.iso.part") && !shown.contains("done"), "{shown}");
    }
}

/// An error begins a line, also after a part of one.
#[test]
fn an_error_after_half_a_line() {
    let (server, folder) = (Server::start(), tempfile::tempdir().unwrap());
    let url = server.url("cut.txt");
    for option in ["", "-o -", "-Z"] {
        let mut terminal = get(80, folder.path(), &format!("{option} {url}"));
        terminal.until_shown("status 2");
        let shown = screen(&terminal, 80);
        let expected = "a line\nhalf a line\n{bold red}error:{} {bold}the connection ended early";
        assert!(shown.starts_with(expected), "{option}: {shown}");
    }
}

/// A note about a file is a footer of its error.
#[test]
fn what_ends_early_is_said_after_the_error() {
    let (server, folder) = (Server::start(), tempfile::tempdir().unwrap());
    let url = server.url("large.iso");
    let mut terminal = get(80, folder.path(), &format!("-m 1.5 -O {url}"));
    terminal.until_shown("status 2");
    let shown = screen(&terminal, 80);
    let error = shown.find("1.5 seconds").expect("an error is shown");
    let note = shown.find("the first 1,048,576 bytes are in \"large.iso.part\"").expect("a note is shown");
    assert!(error < note && !shown.contains("50%"), "{shown}");
    // With -s nothing is shown.
    let mut terminal = get(80, folder.path(), &format!("-s -O {}", server.url("small.txt")));
    terminal.until_shown("status 0");
    assert_eq!(screen(&terminal, 80), "status 0\n");
}

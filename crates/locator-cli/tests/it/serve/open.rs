//! `locator open`: which program is started with which address, and the gateway that it finds or starts.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use locator_dev::servers::TcpServer;

use super::gateway::{Gateway, locator};

/// A place for the file of the gateway, and a browser that prints what it is given.
struct Desktop {
    directory: PathBuf,
}

impl Desktop {
    fn new(name: &str) -> Self {
        let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("open").join(name);
        let _ = fs::remove_dir_all(&directory);
        fs::create_dir_all(&directory).unwrap();
        let browser = directory.join("browser");
        fs::write(&browser, "#!/bin/sh\nprintf 'opened %s' \"$*\"\n").unwrap();
        fs::set_permissions(&browser, fs::Permissions::from_mode(0o755)).unwrap();
        Self { directory }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = locator(arguments);
        command.env("XDG_RUNTIME_DIR", &self.directory).env("BROWSER", self.directory.join("browser"));
        command
    }

    fn open(&self, arguments: &[&str]) -> Output {
        self.command(&[&["open"], arguments].concat()).output().unwrap()
    }

    /// Starts a gateway; returns it with its address.
    fn serve(&self, arguments: &[&str]) -> (Gateway, String) {
        let arguments = [&["serve", "--listen", "127.0.0.1:0"], arguments].concat();
        let mut child = self.command(&arguments).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim_end().strip_prefix("listening on ").unwrap().to_owned();
        (Gateway { child, address: address.clone() }, address)
    }
}

fn text(octets: &[u8]) -> String {
    String::from_utf8(octets.into()).unwrap()
}

#[test]
fn the_gateway_that_runs_is_used() {
    let desktop = Desktop::new("runs");
    for arguments in [&[][..], &["--logins"]] {
        let (gateway, address) = desktop.serve(arguments);
        let page = format!("{address}u/gopher%3A%2F%2Fh.example%2F1a%2520b");
        let output = desktop.open(&["--print", "gopher://h.example/1a%20b"]);
        assert_eq!(text(&output.stdout), format!("{page}\n"), "{output:?}");
        if arguments.is_empty() {
            let output = desktop.open(&["gopher://h.example/1a%20b"]);
            assert_eq!(text(&output.stdout), format!("opened {page}"), "{output:?}");
        }
        drop(gateway);
    }
    // Only the user can read the file, because it may contain the key.
    let file = desktop.directory.join("locator/serve");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
}

/// Other users of the machine see what a browser is started with. That is useless once the browser has used it.
#[test]
fn the_browser_is_not_started_with_the_key() {
    let desktop = Desktop::new("key");
    let (gateway, address) = desktop.serve(&["--logins"]);
    let output = desktop.open(&["gopher://h.example/1a%20b"]);
    let opened = text(&output.stdout);
    let once = opened.strip_prefix(&format!("opened http://{}", gateway.host())).unwrap();
    let key = gateway.root().trim_matches('/');
    assert!(once.starts_with("/once/") && !once.contains(key), "{once}");
    // Some desktops look first what an address is.
    let looks = gateway.request("HEAD", once, &[], "");
    assert_eq!((looks.status, looks.header("location")), (405, None));
    assert_eq!(gateway.get(&once[..once.len() - 1]).status, 404);
    let leads = gateway.get(once);
    let page = format!("{address}u/gopher%3A%2F%2Fh.example%2F1a%2520b");
    assert_eq!(
        (leads.status, leads.header("location")),
        (303, Some(&page["http://".len() + gateway.host().len()..]))
    );
    let again = gateway.get(once);
    assert_eq!((again.status, again.header("location")), (404, None));
    assert!(!again.text().contains(key));
    // Only who has the key gets such an address.
    assert_eq!(gateway.request("POST", "/once", &[], "url=gopher%3A%2F%2Fh%2F").status, 404);
    assert_eq!(gateway.get(&format!("{}once", gateway.root())).status, 405);
}

/// Somebody who sees the address before the browser has used it gets nothing, and the browser still does.
/// Only root can be somebody else.
#[test]
fn the_address_is_not_for_other_users() {
    if fs::metadata("/proc/self").unwrap().uid() != 0 {
        return;
    }
    let desktop = Desktop::new("others");
    let (gateway, _) = desktop.serve(&["--logins"]);
    let opened = text(&desktop.open(&["gopher://h.example/"]).stdout);
    let once = opened.strip_prefix(&format!("opened http://{}", gateway.host())).unwrap();
    let host = gateway.host();
    let script = format!(
        "exec 3<>/dev/tcp/127.0.0.1/{}; printf 'GET {once} HTTP/1.1\\r\\nHost: {host}\\r\\nConnection: close\\r\\n\\r\\n' >&3; cat <&3",
        gateway.port()
    );
    let output = Command::new("bash").args(["-c", &script]).current_dir("/").uid(65534).output().unwrap();
    assert!(text(&output.stdout).starts_with("HTTP/1.1 403 "), "{output:?}");
    assert_eq!(gateway.get(once).status, 303);
}

#[test]
fn urls_of_the_web_need_no_gateway() {
    let desktop = Desktop::new("web");
    for url in ["http://www.example.com/?a=b", "https://www.example.com/", "mailto:joe@example.com"] {
        let output = desktop.open(&[url]);
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(0), format!("opened {url}")));
    }
    let output = desktop.open(&["mailto:joe@example.com?subject=x&attach=/etc/passwd"]);
    assert_eq!(text(&output.stdout), "opened mailto:joe@example.com?subject=x");
    assert!(!desktop.directory.join("locator").exists());
}

#[test]
fn audit_shows_its_page() {
    let desktop = Desktop::new("audit");
    let (gateway, address) = desktop.serve(&[]);
    let url = "http://www.example.com@10.0.0.1/?a=b c";
    let page = format!("{address}read?url=http%3A%2F%2Fwww.example.com%4010.0.0.1%2F%3Fa%3Db%20c");
    let output = desktop.command(&["audit", "--open", url]).output().unwrap();
    // The findings are of medium severity.
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let shown = text(&output.stdout);
    assert!(shown.contains("userinfo-like-host") && shown.ends_with(&format!("opened {page}")), "{shown}");
    let path = &page[address.len() - 1..];
    let answer = gateway.get(path);
    assert!(answer.status == 200 && answer.text().contains("10.0.0.1"), "{answer:?}");
    // Without a display, and where no browser can be started, the address is printed.
    let mut command = desktop.command(&["audit", "--open", "http://h.example/"]);
    command.env_remove("BROWSER").env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
    let output = command.output().unwrap();
    let expected = format!("{address}read?url=http%3A%2F%2Fh.example%2F\n");
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(0), expected.clone()));
    let mut command = desktop.command(&["audit", "--open", "http://h.example/"]);
    let output = command.env("BROWSER", "/nonexistent").env("PATH", "/nonexistent").output().unwrap();
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(0), expected));
    assert!(text(&output.stderr).contains("no browser could be started"), "{output:?}");
    for (arguments, why) in [
        (&["http://a/", "http://b/"][..], "the page shows one URL"),
        (&["-"], "the URL is an argument"),
        (&["--json", "http://a/"], "cannot be used with"),
    ] {
        let output = desktop.command(&[&["audit", "--open"], arguments].concat()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(text(&output.stderr).contains(why), "{output:?}");
    }
}

/// Other users of the machine see what a browser is started with: another gateway is started, without a key.
#[test]
fn audit_does_not_show_the_key() {
    let desktop = Desktop::new("audit-key");
    let (gateway, address) = desktop.serve(&["--logins"]);
    let output = desktop.command(&["audit", "--open", "http://h.example/"]).output().unwrap();
    let opened = text(&output.stdout);
    let opened = opened.strip_prefix("opened ").unwrap_or_else(|| panic!("{output:?}"));
    assert!(
        !opened.starts_with(&address) && opened.ends_with("/read?url=http%3A%2F%2Fh.example%2F"),
        "{opened}"
    );
    drop(gateway);
    end(opened);
}

#[test]
fn what_is_wrong_is_said() {
    let desktop = Desktop::new("wrong");
    let output = desktop.open(&["gopher://h/a b"]);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stderr);
    assert!(said.contains("gopher://h/a b\n") && said.contains('^'), "{said}");
    let output = desktop.open(&["www.example.com"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("https://www.example.com"), "{output:?}");
    let output = desktop.open(&[]);
    assert_eq!(output.status.code(), Some(2));
    let mut command = desktop.command(&["open", "http://h/"]);
    let output = command.env("BROWSER", "/nonexistent").env("PATH", "/nonexistent").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("no browser could be started"), "{output:?}");
}

#[test]
fn a_gateway_is_started_in_the_background() {
    let desktop = Desktop::new("starts");
    // The file of a gateway that was killed, at whose port somebody else pretends to be one.
    let other = TcpServer::start(|stream| {
        stream.line()?;
        stream.send("HTTP/1.1 200 OK\r\nContent-Length: 14\r\n\r\nlocator serve\n")
    });
    let stale = format!("http://{}/", other.address());
    fs::create_dir_all(desktop.directory.join("locator")).unwrap();
    fs::set_permissions(desktop.directory.join("locator"), fs::Permissions::from_mode(0o700)).unwrap();
    fs::write(desktop.directory.join("locator/serve"), format!("{stale}\n")).unwrap();
    let output = desktop.open(&["--print", "gopher://h.example/"]);
    let first = text(&output.stdout);
    assert!(first.ends_with("/u/gopher%3A%2F%2Fh.example%2F\n"), "{output:?}");
    assert!(!first.starts_with(&stale), "{output:?}");
    let again = desktop.open(&["--print", "gopher://h.example/"]);
    assert_eq!(text(&again.stdout), first);
    end(&first);
}

#[test]
fn the_desktop_opens_links_of_schemes_that_are_fetched() {
    let entry = include_str!("../../../share/applications/locator.desktop");
    let value = |key: &str| entry.lines().find_map(|line| line.strip_prefix(key)).unwrap();
    assert_eq!(value("Exec="), "locator open %u");
    let types: Vec<_> = value("MimeType=").split_terminator(';').collect();
    let schemes: Vec<_> = types.iter().map(|name| name.strip_prefix("x-scheme-handler/").unwrap()).collect();
    assert_eq!(schemes, ["gopher", "ftp", "ftps", "news", "nntp", "wais", "prospero", "whois"]);
}

/// Ends the gateway in the background: the process that listens at the port of an address.
fn end(address: &str) {
    let port: u16 = address.split(':').nth(2).unwrap().split('/').next().unwrap().parse().unwrap();
    let socket = fs::read_to_string("/proc/net/tcp").unwrap();
    let listens = format!("0100007F:{port:04X} 00000000:0000 0A");
    let inode =
        socket.lines().find(|line| line.contains(&listens)).unwrap().split_whitespace().nth(9).unwrap();
    let wanted = format!("socket:[{inode}]");
    for process in fs::read_dir("/proc").unwrap().flatten() {
        let Ok(files) = fs::read_dir(process.path().join("fd")) else { continue };
        let has =
            files.flatten().any(|file| fs::read_link(file.path()).is_ok_and(|to| to.as_os_str() == &*wanted));
        if has {
            let id = process.file_name().into_string().unwrap();
            assert!(Command::new("kill").arg(id).status().unwrap().success());
            return;
        }
    }
    panic!("no process listens at {port}");
}

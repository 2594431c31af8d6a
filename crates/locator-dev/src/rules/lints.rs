//! Breaks each rule that the compiler and clippy guard, and expects that they report it.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The parts of tokio that clippy.toml names.
const TOKIO: &str = "pub mod net {
    pub struct TcpListener; pub struct TcpSocket; pub struct TcpStream; pub struct UdpSocket;
    pub struct UnixDatagram; pub struct UnixListener; pub struct UnixSocket; pub struct UnixStream;
    pub fn lookup_host(_: &str) {}
}";

/// The parts of socket2 that clippy.toml names.
const SOCKET2: &str = "pub struct Socket; pub struct SockRef;";

/// What breaks a rule of every crate: code, and the item that is not allowed.
const EVERYWHERE: [(&str, &str); 19] = [
    ("fn f(_: &std::net::TcpListener) {}", "std::net::TcpListener"),
    ("use std::net::TcpStream as Stream;", "std::net::TcpStream"),
    ("fn f() { let _ = <std::net::UdpSocket>::bind(\"\"); }", "std::net::UdpSocket"),
    ("use std::os::unix::net::UnixDatagram;", "std::os::unix::net::UnixDatagram"),
    ("use std::os::unix::net::UnixListener;", "std::os::unix::net::UnixListener"),
    ("use std::os::unix::net::UnixStream;", "std::os::unix::net::UnixStream"),
    ("use tokio::net::TcpListener;", "tokio::net::TcpListener"),
    ("use tokio::net::TcpSocket;", "tokio::net::TcpSocket"),
    ("use tokio::net::TcpStream;", "tokio::net::TcpStream"),
    ("use tokio::net::UdpSocket;", "tokio::net::UdpSocket"),
    ("use tokio::net::UnixDatagram;", "tokio::net::UnixDatagram"),
    ("use tokio::net::UnixListener;", "tokio::net::UnixListener"),
    ("use tokio::net::UnixSocket;", "tokio::net::UnixSocket"),
    ("use tokio::net::UnixStream;", "tokio::net::UnixStream"),
    ("use socket2::Socket;", "socket2::Socket"),
    ("fn f(_: &socket2::SockRef) {}", "socket2::SockRef"),
    (
        "use std::net::ToSocketAddrs as _; fn f() { let _ = \"h:1\".to_socket_addrs(); }",
        "std::net::ToSocketAddrs::to_socket_addrs",
    ),
    ("fn f() { std::process::exit(1) }", "std::process::exit"),
    ("fn f() { tokio::net::lookup_host(\"h:1\") }", "tokio::net::lookup_host"),
];

/// What breaks a rule of the pure crates.
const IN_PURE_CRATES: [(&str, &str); 4] = [
    ("fn f() { let _ = std::time::Instant::now(); }", "std::time::Instant::now"),
    ("fn f(since: std::time::Instant) { let _ = since.elapsed(); }", "std::time::Instant::elapsed"),
    ("fn f(since: std::time::SystemTime) { let _ = since.elapsed(); }", "std::time::SystemTime::elapsed"),
    ("const F: fn() -> std::time::SystemTime = std::time::SystemTime::now;", "std::time::SystemTime::now"),
];

/// Returns the root of the repository.
fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A folder of its own for a test, which is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("locator-dev-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("the folder can be created");
        Self(path)
    }

    /// Compiles a text, and returns the messages of the compiler.
    fn compile(&self, compiler: &mut Command, name: &str, text: &str) -> String {
        let file = format!("{name}.rs");
        std::fs::write(self.0.join(&file), text).expect("the file can be written");
        let options = ["--edition=2024", "--crate-type=lib", "--emit=metadata", "--error-format=short"];
        let output = compiler.current_dir(&self.0).args(options).arg(&file).output();
        let output = output.expect("Rust is installed with clippy: rustup component add clippy");
        String::from_utf8_lossy(&output.stderr).into_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that remains harms nobody.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Returns what clippy reports of modules with one item each, by the settings in a folder.
fn reported(name: &str, settings: &Path, items: &[(&str, &str)]) -> Vec<String> {
    let folder = Folder::new(name);
    for (library, text) in [("tokio", TOKIO), ("socket2", SOCKET2)] {
        folder.compile(&mut Command::new("rustc"), library, text);
    }
    let code: Vec<_> =
        items.iter().enumerate().map(|(index, (code, _))| format!("mod m{index} {{ {code} }}\n")).collect();
    let code = format!("#![allow(unused)] extern crate tokio; extern crate socket2;\n{}", code.concat());
    let mut clippy = Command::new("clippy-driver");
    clippy
        .env("CLIPPY_CONF_DIR", settings)
        // CI makes warnings errors by it.
        .env_remove("CLIPPY_ARGS")
        .args(["--extern=tokio=libtokio.rmeta", "--extern=socket2=libsocket2.rmeta"]);
    let messages = folder.compile(&mut clippy, "code", &code);
    let of_clippy = messages.lines().filter(|line| line.contains(": warning: ") || line.contains(": error"));
    of_clippy
        .map(|line| {
            let (place, message) = line.split_once(": ").expect("a position and a message");
            format!("{}: {message}", place.split(':').nth(1).unwrap_or(place))
        })
        .collect()
}

/// Returns the report of each item on a line of its own, after the first line.
fn reports(items: &[(&str, &str)]) -> Vec<String> {
    let report = |(index, (_, item)): (usize, &(&str, &str))| {
        let is_type = item.rsplit("::").next().is_some_and(|name| name.starts_with(char::is_uppercase));
        let kind = if is_type { "type" } else { "method" };
        format!("{}: warning: use of a disallowed {kind} `{item}`", index + 2)
    };
    items.iter().enumerate().map(report).collect()
}

#[test]
fn clippy_reports_sockets_and_exits_in_every_crate() {
    assert_eq!(reported("everywhere", &repository(), &EVERYWHERE), reports(&EVERYWHERE));
    let elsewhere = reported("elsewhere", &repository(), &IN_PURE_CRATES);
    assert!(elsewhere.is_empty(), "clocks are allowed outside the pure crates: {elsewhere:?}");
}

#[test]
fn clippy_reports_clocks_in_the_pure_crates() {
    let all: Vec<_> = EVERYWHERE.into_iter().chain(IN_PURE_CRATES).collect();
    for package in super::manifests::PURE {
        let settings = repository().join("crates").join(package);
        assert_eq!(reported(package, &settings, &all), reports(&all), "{package}");
    }
}

#[test]
fn the_compiler_reports_unsafe_code() {
    const UNSAFE: &str = "pub fn f() { unsafe { core::hint::unreachable_unchecked() } }";
    let folder = Folder::new("unsafe");
    let messages =
        |level: &str, text: &str| folder.compile(Command::new("rustc").args(["-D", level]), "code", text);
    let denied = messages("unsafe-code", UNSAFE);
    assert!(denied.contains("code.rs:1:14: error: usage of an `unsafe` block"), "{denied}");
    let allowed = format!("#[allow(unsafe_code, reason = \"a test\")] pub mod simd {{ {UNSAFE} }}");
    assert_eq!(messages("unsafe-code", &allowed), "");
    let forbidden = messages("unsafe-code", &format!("#![forbid(unsafe_code)]\n{allowed}"));
    assert!(forbidden.contains("code.rs:2:9: error[E0453]: allow(unsafe_code) incompatible"), "{forbidden}");
}

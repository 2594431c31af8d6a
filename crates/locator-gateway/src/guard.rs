//! Decides whether a request may be answered: takes its head, returns an [`Access`], or why it is refused.
//!
//! Every web page can make a browser send requests to this machine. A page of another site cannot read the
//! responses, but a request would contact servers already. So a request that a browser sends for another
//! site is refused, except if the user follows a link; that is asked about. Whose program is at the other end
//! of a connection is looked up in the tables of Linux (`/proc/net/tcp`, proc_pid_net(5)); other systems have
//! none.
//!
//! ```text
//! let form = guard::form(&head)?;
//! guard::host(&head.headers, &hosts)?;
//! match guard::access(&head, form)? {
//!     Access::Allowed => { /* the user, a page of the gateway, or a program */ }
//!     Access::Asks => { /* a link of another site */ }
//! }
//! ```

use std::net::{IpAddr, SocketAddr};

use hyper::header::{self, HeaderMap};
use hyper::http::request::Parts;
use hyper::{Method, StatusCode};

/// How a request is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// It comes from the user, from a page of the gateway, or from a program.
    Allowed,
    /// The user followed a link of another site: whatever contacts a server is asked about.
    Asks,
}

/// The form of the target of a request (RFC 9112, 3.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TargetForm {
    /// A path: the gateway itself is asked.
    Origin,
    /// A URL: the gateway is used as a proxy.
    Absolute,
}

/// Why a request is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RefusedRequest {
    pub(super) status: StatusCode,
    pub(super) why: &'static str,
}

const fn refused<T>(status: StatusCode, why: &'static str) -> Result<T, RefusedRequest> {
    Err(RefusedRequest { status, why })
}

/// The names by which the gateway is addressed.
#[derive(Debug)]
pub(super) struct OwnHosts {
    /// In lower case, with the port; empty if any may be used.
    names: Vec<String>,
}

impl OwnHosts {
    /// Returns the names of a gateway at a loopback address.
    pub(super) fn of_loopback(address: SocketAddr) -> Self {
        let ip = address.ip().to_canonical();
        let own = if let IpAddr::V6(ip) = ip { format!("[{ip}]") } else { ip.to_string() };
        let hosts = ["127.0.0.1", "localhost", "[::1]", &own];
        let mut names: Vec<_> = hosts.iter().map(|host| format!("{host}:{}", address.port())).collect();
        if address.port() == 80 {
            names.extend(hosts.map(Into::into));
        }
        Self { names }
    }

    /// Returns the names of a gateway that others reach: any, because the key protects it.
    pub(super) const fn any() -> Self {
        Self { names: Vec::new() }
    }

    fn has(&self, host: &[u8]) -> bool {
        self.names.is_empty() || self.names.iter().any(|name| host.eq_ignore_ascii_case(name.as_bytes()))
    }
}

/// Checks what every request must be. Returns the form of its target.
pub(super) fn form(head: &Parts) -> Result<TargetForm, RefusedRequest> {
    // A form of a browser has a length. So there is no request that two programs divide in two ways: with
    // both headers hyper ignores the length, and closes the connection after the response (RFC 9112, 6.1).
    if head.headers.contains_key(header::TRANSFER_ENCODING) {
        return refused(StatusCode::LENGTH_REQUIRED, "a body must have a Content-Length");
    }
    let length = head.headers.get(header::CONTENT_LENGTH);
    match head.method {
        Method::GET | Method::HEAD => {
            if length.is_some_and(|length| length.as_bytes() != b"0") {
                return refused(StatusCode::BAD_REQUEST, "a GET request has no body here");
            }
        }
        Method::POST => {}
        _ => return refused(StatusCode::METHOD_NOT_ALLOWED, "the methods are GET, HEAD and POST"),
    }
    match head.uri.path().as_bytes().first() {
        _ if head.uri.scheme().is_some() => Ok(TargetForm::Absolute),
        Some(b'/') if head.uri.authority().is_none() => Ok(TargetForm::Origin),
        _ => refused(StatusCode::BAD_REQUEST, "the request has neither a path nor a URL"),
    }
}

/// Checks the host of a request in origin form. A page whose name an attacker leads to this machine (DNS
/// rebinding) has the attacker's host.
pub(super) fn host(headers: &HeaderMap, hosts: &OwnHosts) -> Result<(), RefusedRequest> {
    let mut given = headers.get_all(header::HOST).iter();
    // "A server MUST respond with a 400 (Bad Request) status code to any HTTP/1.1 request message that lacks
    // a Host header field and to any request message that contains more than one" (RFC 9112, 3.2).
    let (Some(host), None) = (given.next(), given.next()) else {
        return refused(StatusCode::BAD_REQUEST, "the request must have one Host header");
    };
    match hosts.has(host.as_bytes()) {
        true => Ok(()),
        false => {
            refused(StatusCode::MISDIRECTED_REQUEST, "the Host header is not the address of this gateway")
        }
    }
}

/// Returns how a request is answered by what the browser says of it (Fetch Metadata), in any form.
pub(super) fn access(head: &Parts, form: TargetForm) -> Result<Access, RefusedRequest> {
    let forbidden = |why| refused(StatusCode::FORBIDDEN, why);
    let of = |name: &str| {
        let mut values = head.headers.get_all(name).iter();
        match (values.next(), values.next()) {
            (None, _) => Ok(None),
            (Some(value), None) => Ok(Some(value.as_bytes())),
            _ => Err(RefusedRequest {
                status: StatusCode::BAD_REQUEST,
                why: "a header of the browser is repeated",
            }),
        }
    };
    let (site, mode) = (of("sec-fetch-site")?, of("sec-fetch-mode")?);
    let (dest, origin) = (of("sec-fetch-dest")?, of("origin")?);
    if matches!(dest, Some(b"iframe" | b"frame" | b"fencedframe" | b"embed" | b"object")) {
        return forbidden("pages of the gateway are not shown in frames");
    }
    let is_foreign =
        origin.is_some_and(|origin| form == TargetForm::Absolute || !is_own(origin, &head.headers));
    match site {
        // With the policy no-referrer, which our pages have, the origin of their own forms is "null" (Fetch, 3.2).
        Some(b"same-origin") if !is_foreign || origin == Some(b"null") => Ok(Access::Allowed),
        Some(b"none") if !is_foreign => Ok(Access::Allowed),
        None if !is_foreign => Ok(Access::Allowed),
        None | Some(b"same-origin" | b"none") => forbidden("another web page sent this request"),
        Some(_) => {
            let is_link = mode == Some(b"navigate") && dest == Some(b"document");
            match is_link && head.method == Method::GET && form == TargetForm::Origin {
                true => Ok(Access::Asks),
                false => forbidden("another web page sent this request"),
            }
        }
    }
}

/// Returns whether an origin is that of the gateway, whose host was checked.
fn is_own(origin: &[u8], headers: &HeaderMap) -> bool {
    let host = headers.get(header::HOST).map(|host| host.as_bytes());
    origin.strip_prefix(b"http://").zip(host).is_some_and(|(origin, host)| origin.eq_ignore_ascii_case(host))
}

/// Checks that a request did not come through this gateway before. "A proxy … can use … the Via header field
/// … to … avoid request loops" (RFC 9110, 7.6.3).
pub(super) fn is_loop(headers: &HeaderMap, pseudonym: &str) -> bool {
    let has = |value: &[u8]| value.windows(pseudonym.len()).any(|part| part == pseudonym.as_bytes());
    headers.get_all(header::VIA).iter().any(|via| has(via.as_bytes()))
}

/// Returns whether the program at the other end is one of another user of this machine. One of root is not:
/// root sees everything anyway. What is not known is not another user's.
#[cfg(target_os = "linux")]
pub(super) fn is_of_another_user(peer: SocketAddr, own: SocketAddr) -> bool {
    let user = rustix::process::geteuid().as_raw();
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"].map(std::fs::read_to_string);
    let mut owners = tables.iter().flatten().filter_map(|table| owner_of_socket(table, peer, own));
    owners.any(|owner| owner != user && owner != 0)
}

/// Returns that nothing is known.
#[cfg(not(target_os = "linux"))]
pub(super) const fn is_of_another_user(_peer: SocketAddr, _own: SocketAddr) -> bool {
    false
}

/// Returns the user whose socket has these addresses: a line has a number, the local and the remote address,
/// the state, two pairs of counts, a count and the user.
#[cfg(any(target_os = "linux", test))]
fn owner_of_socket(table: &str, local: SocketAddr, remote: SocketAddr) -> Option<u32> {
    table.lines().skip(1).find_map(|line| {
        let mut words = line.split_whitespace().skip(1);
        let (one, other) = (table_address(words.next()?)?, table_address(words.next()?)?);
        let is_it = one == canonical(local) && other == canonical(remote);
        words.nth(4).filter(|_| is_it)?.parse().ok()
    })
}

/// Reads an address: its octets in hexadecimal, each 32 bits in the order of the machine, and the port.
#[cfg(any(target_os = "linux", test))]
fn table_address(word: &str) -> Option<SocketAddr> {
    let (octets, port) = word.split_once(':')?;
    let mut groups = [0_u8; 16];
    for (group, digits) in groups.chunks_mut(4).zip(octets.as_bytes().chunks(8)) {
        let number = u32::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()?;
        group.copy_from_slice(&number.to_ne_bytes());
    }
    let [a, b, c, d, ..] = groups;
    let ip = if octets.len() == 8 { IpAddr::from([a, b, c, d]) } else { IpAddr::from(groups) };
    Some(SocketAddr::new(ip.to_canonical(), u16::from_str_radix(port, 16).ok()?))
}

#[cfg(any(target_os = "linux", test))]
fn canonical(address: SocketAddr) -> SocketAddr {
    SocketAddr::new(address.ip().to_canonical(), address.port())
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::Request;

    fn head(method: &str, target: &str, headers: &[(&str, &str)]) -> Parts {
        let request = Request::builder().method(method).uri(target);
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        request.body(()).unwrap().into_parts().0
    }

    #[test]
    fn one_host_that_is_ours() {
        let hosts = OwnHosts::of_loopback("127.0.0.2:1738".parse().unwrap());
        let status = |headers: &[(&str, &str)]| {
            host(&head("GET", "/", headers).headers, &hosts)
                .map_or_else(|refused| refused.status.as_u16(), |()| 200)
        };
        for host in ["127.0.0.1:1738", "LOCALHOST:1738", "[::1]:1738", "127.0.0.2:1738"] {
            assert_eq!(status(&[("host", host)]), 200, "{host}");
        }
        for host in
            ["evil.example:1738", "127.0.0.1", "localhost:80", "localhost.:1738", "a.localhost:1738", ""]
        {
            assert_eq!(status(&[("host", host)]), 421, "{host}");
        }
        assert_eq!(status(&[]), 400);
        assert_eq!(status(&[("host", "127.0.0.1:1738"), ("host", "127.0.0.1:1738")]), 400);
    }

    /// What chromium sends, by who makes it do so.
    #[test]
    fn what_browsers_say() {
        const OWN: &str = "http://127.0.0.1:1738";
        let result = |method: &str, headers: &[(&str, &str)]| {
            let headers = [&[("host", "127.0.0.1:1738")], headers].concat();
            match access(&head(method, "/u/x", &headers), TargetForm::Origin) {
                Ok(Access::Allowed) => "allowed",
                Ok(Access::Asks) => "asks",
                Err(_) => "refused",
            }
        };
        let fetch =
            |site, mode, dest| [("sec-fetch-site", site), ("sec-fetch-mode", mode), ("sec-fetch-dest", dest)];
        // The address bar, a link and an image of our own page, a program.
        assert_eq!(result("GET", &fetch("none", "navigate", "document")), "allowed");
        assert_eq!(result("GET", &fetch("same-origin", "navigate", "document")), "allowed");
        assert_eq!(result("GET", &fetch("same-origin", "no-cors", "image")), "allowed");
        assert_eq!(result("GET", &[]), "allowed");
        assert_eq!(result("POST", &[("origin", OWN)]), "allowed");
        // Our own form.
        let own_form = [&fetch("same-origin", "navigate", "document")[..], &[("origin", "null")]].concat();
        assert_eq!(result("POST", &own_form), "allowed");
        // A link of another site, or of another port of this machine.
        for site in ["cross-site", "same-site", "new-value"] {
            assert_eq!(result("GET", &fetch(site, "navigate", "document")), "asks", "{site}");
            assert_eq!(result("HEAD", &fetch(site, "navigate", "document")), "refused", "{site}");
            assert_eq!(result("POST", &fetch(site, "navigate", "document")), "refused", "{site}");
            for (mode, dest) in [
                ("no-cors", "image"),
                ("no-cors", "script"),
                ("cors", "empty"),
                ("websocket", "empty"),
                ("navigate", "iframe"),
                ("navigate", "embed"),
            ] {
                assert_eq!(result("GET", &fetch(site, mode, dest)), "refused", "{site} {mode} {dest}");
            }
        }
        // Frames, also of our own pages.
        for dest in ["iframe", "frame", "embed", "object"] {
            assert_eq!(result("GET", &fetch("same-origin", "navigate", dest)), "refused", "{dest}");
        }
        // Browsers that say only the origin.
        for origin in ["null", "http://evil.example", "http://127.0.0.1:1739", "https://127.0.0.1:1738", ""] {
            assert_eq!(result("GET", &[("origin", origin)]), "refused", "{origin}");
            assert_eq!(result("POST", &[("origin", origin)]), "refused", "{origin}");
        }
        // Contradictions.
        let origin = [("sec-fetch-site", "same-origin"), ("origin", "http://evil.example")];
        assert_eq!(result("GET", &origin), "refused");
        assert_eq!(
            result("GET", &[("sec-fetch-site", "same-origin"), ("sec-fetch-site", "none")]),
            "refused"
        );
    }

    #[test]
    fn forms_of_requests() {
        let status = |method, target, headers: &[(&str, &str)]| match form(&head(method, target, headers)) {
            Ok(form) => format!("{form:?}"),
            Err(refused) => refused.status.as_str().to_owned(),
        };
        assert_eq!(status("GET", "/u/x", &[]), "Origin");
        assert_eq!(status("GET", "gopher://h/1", &[]), "Absolute");
        assert_eq!(status("CONNECT", "h:443", &[]), "405");
        assert_eq!(status("OPTIONS", "*", &[]), "405");
        assert_eq!(status("PUT", "/", &[]), "405");
        assert_eq!(status("GET", "h:443", &[]), "400");
        assert_eq!(status("GET", "/", &[("content-length", "0")]), "Origin");
        assert_eq!(status("GET", "/", &[("content-length", "1")]), "400");
        assert_eq!(status("GET", "/", &[("transfer-encoding", "chunked")]), "411");
        assert_eq!(
            status("POST", "/go", &[("transfer-encoding", "chunked"), ("content-length", "3")]),
            "411"
        );
    }

    #[test]
    fn a_loop_is_seen() {
        let headers = |via: &[&str]| {
            let via: Vec<_> = via.iter().map(|via| ("via", *via)).collect();
            head("GET", "/", &via).headers
        };
        assert!(is_loop(&headers(&["1.0 a, 1.1 locator-1", "1.1 b"]), "locator-1"));
        assert!(is_loop(&headers(&["1.1 b", "1.1 locator-1 (comment)"]), "locator-1"));
        assert!(!is_loop(&headers(&["1.1 locator-2"]), "locator-1"));
        assert!(!is_loop(&headers(&[]), "locator-1"));
    }

    #[cfg(target_endian = "little")]
    #[test]
    fn owners_of_sockets() {
        let table = "\
  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:06CA 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 9 1 0 100 0 0 10 0
   1: 0100007F:8AE2 0100007F:06CA 01 00000000:00000000 00:00000000 00000000  1000        0 9 1 0 20 4 30 10 -1
   2: 0000000000000000FFFF00000100007F:8AE3 0000000000000000FFFF00000100007F:06CA 01 0:0 0:0 0  1001 0 9
   3: 00000000000000000000000001000000:8AE4 00000000000000000000000001000000:06CA 01 0:0 0:0 0  1002 0 9
   4: nonsense
";
        let of = |peer: &str, own: &str| owner_of_socket(table, peer.parse().unwrap(), own.parse().unwrap());
        assert_eq!(of("127.0.0.1:35554", "127.0.0.1:1738"), Some(1000));
        assert_eq!(of("127.0.0.1:35555", "127.0.0.1:1738"), Some(1001));
        assert_eq!(of("[::1]:35556", "[::1]:1738"), Some(1002));
        // The other end is that of the gateway itself.
        assert_eq!(of("127.0.0.1:1738", "127.0.0.1:35554"), None);
        assert_eq!(of("127.0.0.1:1", "127.0.0.1:1738"), None);
    }
}

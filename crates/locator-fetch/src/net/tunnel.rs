//! Tunnels through proxies: CONNECT of HTTP (RFC 9110, 9.3.6) and SOCKS5 (RFC 1928, RFC 1929). The
//! proxy looks the host up.

use std::io;
use std::net::{IpAddr, Ipv4Addr};

use locator::plan::Message;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use super::dialer::text_of;
use super::proxy::Login;
use crate::error::failure::{Detail, FailureKind, ProxyCause};
use crate::headers::{ResponseHead, Version};

/// The octets of a proxy's answer to CONNECT, and its fields.
const HEAD: usize = 64 << 10;
const FIELDS: usize = 1_000;

/// What a proxy answered to CONNECT.
pub(crate) enum Connected {
    /// The tunnel is there.
    Yes,
    /// The proxy wants a login; the values of `Proxy-Authenticate`.
    NeedsLogin(Vec<Vec<u8>>),
}

/// Asks a proxy of HTTP for a tunnel, by the message of the plan and with a login. What it answers is added
/// to `head`.
pub(crate) async fn connect(
    stream: &mut (impl AsyncRead + AsyncWrite + Unpin),
    message: &Message,
    login: Option<&[u8]>,
    head: &mut Vec<u8>,
) -> Result<Connected, FailureKind> {
    let mut octets = message.to_bytes();
    if let Some(login) = login {
        // The head ends with an empty line.
        octets.truncate(octets.len().saturating_sub(2));
        octets.extend([b"Proxy-Authorization: ", login, b"\r\n\r\n"].concat());
    }
    stream.write_all(&octets).await.map_err(|error| lost(&error))?;
    stream.flush().await.map_err(|error| lost(&error))?;
    loop {
        let count = stream.read_buf(head).await.map_err(|error| lost(&error))?;
        if let Some(answer) = answer(head)? {
            return Ok(answer);
        }
        if count == 0 {
            return Err(proxy(ProxyCause::Closed, "it closed the connection"));
        }
        if head.len() > HEAD {
            return Err(FailureKind::TooMuch { what: "bytes in the proxy's response", limit: HEAD as u64 });
        }
    }
}

/// Reads the answer to CONNECT; `None` if it is not whole.
fn answer(octets: &[u8]) -> Result<Option<Connected>, FailureKind> {
    let mut fields = vec![httparse::EMPTY_HEADER; FIELDS];
    let mut head = httparse::Response::new(&mut fields);
    let mut config = httparse::ParserConfig::default();
    config.allow_obsolete_multiline_headers_in_responses(true);
    let length = match config.parse_response(&mut head, octets) {
        Ok(httparse::Status::Complete(length)) => length,
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(error) => return Err(proxy(ProxyCause::Protocol, format!("invalid HTTP response: {error}"))),
    };
    match head.code.unwrap_or_default() {
        // Octets before TLS begins may be anybody's.
        200..=299 if octets.len() > length => Err(FailureKind::Injected),
        200..=299 => Ok(Some(Connected::Yes)),
        407 => {
            let wanted =
                head.headers.iter().filter(|field| field.name.eq_ignore_ascii_case("proxy-authenticate"));
            Ok(Some(Connected::NeedsLogin(wanted.map(|field| field.value.to_vec()).collect())))
        }
        code => {
            let reason: String =
                head.reason.unwrap_or_default().chars().filter(|one| !one.is_control()).collect();
            Err(proxy(ProxyCause::Refused, format!("{code} {reason}").trim_end()))
        }
    }
}

/// Returns the head of an answer to CONNECT, if it is whole.
pub(crate) fn head_of(octets: &[u8]) -> Option<ResponseHead> {
    let mut fields = vec![httparse::EMPTY_HEADER; FIELDS];
    let mut head = httparse::Response::new(&mut fields);
    let Ok(httparse::Status::Complete(length)) = head.parse(octets) else { return None };
    let header = |field: &httparse::Header<'_>| (field.name.to_ascii_lowercase(), field.value.to_vec());
    Some(ResponseHead {
        version: if head.version == Some(0) { Version::Http10 } else { Version::Http11 },
        status: head.code?,
        reason: head.reason.unwrap_or_default().into(),
        headers: head.headers.iter().map(header).collect(),
        sent: octets[..length].to_vec().into(),
    })
}

/// Asks a proxy of SOCKS5 for a connection to a host; a name is looked up by the proxy.
pub(crate) async fn connect_by_socks(
    stream: &mut (impl AsyncRead + AsyncWrite + Unpin),
    (host, port): (&str, u16),
    login: Option<&Login>,
) -> Result<(), FailureKind> {
    const LOGIN: u8 = 2;
    let greeting: &[u8] = if login.is_some() { &[5, 2, 0, LOGIN] } else { &[5, 1, 0] };
    let [version, method] = ask(stream, greeting).await?;
    match (version, method, login) {
        (5, 0, _) => {}
        (5, LOGIN, Some(login)) => {
            let (user, password) = (counted(login.user.reveal())?, counted(login.password.reveal())?);
            let [_, status] = ask(stream, &[&[1], &*user, &password].concat()).await?;
            if status != 0 {
                return Err(self::login(true));
            }
        }
        (5, _, _) => return Err(proxy(ProxyCause::Login, "no supported login method")),
        _ => return Err(proxy(ProxyCause::Protocol, "not a SOCKS5 proxy")),
    }
    let address = match host.parse() {
        Ok(IpAddr::V4(address)) => [&[1][..], &address.octets()].concat(),
        Ok(IpAddr::V6(address)) => [&[4][..], &address.octets()].concat(),
        Err(_) => [&[3][..], &counted(host.as_bytes())?].concat(),
    };
    let [_, reply, _, kind] = ask(stream, &[&[5, 1, 0], &*address, &port.to_be_bytes()].concat()).await?;
    if reply != 0 {
        let (cause, text) = reply_text(reply);
        return Err(proxy(cause, text));
    }
    // The address that the proxy connects from, and its port.
    let length = match kind {
        1 => 4,
        4 => 16,
        3 => usize::from(read::<1>(stream).await?[0]),
        _ => return Err(proxy(ProxyCause::Protocol, "not a SOCKS5 proxy")),
    };
    let mut rest = vec![0; length + 2];
    stream.read_exact(&mut rest).await.map_err(|error| lost(&error))?;
    Ok(())
}

/// Asks a proxy of SOCKS4 for a connection to an address, or, with the extension 4A, to a name: the address
/// 0.0.0.1 says that one follows the user.
pub(crate) async fn connect_by_socks4(
    stream: &mut (impl AsyncRead + AsyncWrite + Unpin),
    (host, port): (Result<Ipv4Addr, &str>, u16),
    user: &[u8],
) -> Result<(), FailureKind> {
    let (address, name) = match host {
        Ok(address) => (address, None),
        Err(name) => (Ipv4Addr::new(0, 0, 0, 1), Some(name.as_bytes())),
    };
    if user.contains(&0) {
        return Err(proxy(ProxyCause::Login, "the user contains a NUL"));
    }
    let name = name.map(|name| [name, &[0]].concat()).unwrap_or_default();
    let message = [&[4, 1][..], &port.to_be_bytes(), &address.octets(), user, &[0], &name].concat();
    let [version, reply, ..]: [u8; 8] = ask(stream, &message).await?;
    match (version, reply) {
        (0, 90) => Ok(()),
        (0, 91) => Err(proxy(ProxyCause::Refused, "rejected or failed")),
        (0, 92 | 93) => Err(proxy(ProxyCause::Login, "it does not accept the user")),
        _ => Err(proxy(ProxyCause::Protocol, "not a SOCKS4 proxy")),
    }
}

/// Sends a message, and reads the first octets of its answer.
async fn ask<const N: usize>(
    stream: &mut (impl AsyncRead + AsyncWrite + Unpin),
    message: &[u8],
) -> Result<[u8; N], FailureKind> {
    stream.write_all(message).await.map_err(|error| lost(&error))?;
    stream.flush().await.map_err(|error| lost(&error))?;
    read(stream).await
}

async fn read<const N: usize>(stream: &mut (impl AsyncRead + Unpin)) -> Result<[u8; N], FailureKind> {
    let mut octets = [0; N];
    stream.read_exact(&mut octets).await.map_err(|error| lost(&error))?;
    Ok(octets)
}

/// Writes octets after their number, which has one octet.
fn counted(octets: &[u8]) -> Result<Vec<u8>, FailureKind> {
    let length = u8::try_from(octets.len());
    let length =
        length.map_err(|_| proxy(ProxyCause::TooLong, "a name or a password is longer than 255 bytes"))?;
    Ok([&[length], octets].concat())
}

/// The replies of RFC 1928, section 6.
const fn reply_text(reply: u8) -> (ProxyCause, &'static str) {
    match reply {
        1 => (ProxyCause::Other, "general failure"),
        2 => (ProxyCause::Refused, "not allowed by its rules"),
        3 => (ProxyCause::Unreachable, "network unreachable"),
        4 => (ProxyCause::Unreachable, "host unreachable"),
        5 => (ProxyCause::Unreachable, "connection refused"),
        6 => (ProxyCause::Unreachable, "the connection timed out"),
        7 => (ProxyCause::Refused, "it does not support connections"),
        8 => (ProxyCause::Refused, "it does not support this kind of address"),
        _ => (ProxyCause::Refused, "refused"),
    }
}

/// Returns the failure of a proxy.
pub(crate) fn proxy(cause: ProxyCause, text: impl Into<Box<str>>) -> FailureKind {
    FailureKind::Proxy(Detail::new(cause, text))
}

/// Returns the failure of a proxy that wants a login: none was sent, or it refused the one that was.
pub(crate) fn login(is_sent: bool) -> FailureKind {
    proxy(ProxyCause::Login, if is_sent { "wrong user or password" } else { "user and password required" })
}

fn lost(error: &io::Error) -> FailureKind {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => proxy(ProxyCause::Closed, "it closed the connection"),
        _ => proxy(ProxyCause::Other, text_of(error)),
    }
}

#[cfg(test)]
mod tests {
    use locator::plan::Secret;
    use tokio::io::duplex;

    use super::*;

    /// Has a client talk to a proxy that reads and sends in turn; returns what the client came to.
    async fn talk(
        script: &[(&[u8], &[u8])],
        login: Option<(&str, &str)>,
        host: &str,
    ) -> Result<(), FailureKind> {
        let (mut client, mut proxy) = duplex(1024);
        let login =
            login.map(|(user, password)| Login { user: Secret::new(user), password: Secret::new(password) });
        let serve = async {
            for (expected, sent) in script {
                let mut octets = vec![0; expected.len()];
                proxy.read_exact(&mut octets).await.unwrap();
                assert_eq!(octets, *expected);
                proxy.write_all(sent).await.unwrap();
            }
            drop(proxy);
        };
        tokio::join!(connect_by_socks(&mut client, (host, 443), login.as_ref()), serve).0
    }

    #[tokio::test]
    async fn socks() {
        let name = b"\x05\x01\0\x03\x09localhost\x01\xBB";
        let plain: &[u8] = b"\x05\x01\0";
        let done: &[u8] = b"\x05\0\0\x01\x7F\0\0\x01\x12\x34";
        assert_eq!(talk(&[(plain, b"\x05\0"), (name, done)], None, "localhost").await, Ok(()));
        let named = b"\x05\0\0\x03\x03abc\0\0";
        assert_eq!(
            talk(&[(plain, b"\x05\0"), (b"\x05\x01\0\x01\x7F\0\0\x01\x01\xBB", named)], None, "127.0.0.1")
                .await,
            Ok(())
        );
        let offered = (&b"\x05\x02\0\x02"[..], &b"\x05\x02"[..]);
        let login = (&b"\x01\x03joe\x06secret"[..], &b"\x01\0"[..]);
        assert_eq!(talk(&[offered, login, (name, done)], Some(("joe", "secret")), "localhost").await, Ok(()));
        let wrong = (login.0, &b"\x01\x01"[..]);
        for script in [
            &[(plain, &b"\x05\xFF"[..])][..],
            &[(plain, b"\x04\0")],
            &[(plain, b"\x05")],
            &[(plain, b"\x05\0"), (name, b"\x05\x05\0\x01\0\0\0\0\0\0")],
            &[(plain, b"\x05\0"), (name, b"\x05\0\0\x09\0\0\0\0\0\0")],
            &[(plain, b"\x05\0"), (name, b"\x05\0\0\x01\x7F")],
        ] {
            let result = talk(script, None, "localhost").await;
            assert!(matches!(result, Err(FailureKind::Proxy(_))), "{script:?}: {result:?}");
        }
        assert!(talk(&[offered, wrong], Some(("joe", "secret")), "localhost").await.is_err());
        assert!(talk(&[offered, (b"", b"")], Some((&"u".repeat(256), "")), "localhost").await.is_err());
        assert!(talk(&[(plain, b"\x05\0")], None, &"h".repeat(256)).await.is_err());
    }

    #[tokio::test]
    async fn socks4() {
        let name: Result<Ipv4Addr, &str> = Err("a.example");
        let by_name = &b"\x04\x01\x01\xBB\0\0\0\x01joe\0a.example\0"[..];
        let by_address = &b"\x04\x01\x01\xBB\x7F\0\0\x01joe\0"[..];
        for (host, sent, answer, is_done) in [
            (Ok(Ipv4Addr::LOCALHOST), by_address, &b"\0\x5A\0\0\0\0\0\0"[..], true),
            (name, by_name, b"\0\x5A\0\0\0\0\0\0", true),
            (name, by_name, b"\0\x5B\0\0\0\0\0\0", false),
            (name, by_name, b"\x05\x5A\0\0\0\0\0\0", false),
            (name, by_name, b"\0\x5A", false),
        ] {
            let (mut client, mut proxy) = duplex(1024);
            let serve = async {
                let mut octets = vec![0; sent.len()];
                proxy.read_exact(&mut octets).await.unwrap();
                assert_eq!(octets, sent);
                proxy.write_all(answer).await.unwrap();
                drop(proxy);
            };
            let result = tokio::join!(connect_by_socks4(&mut client, (host, 443), b"joe"), serve).0;
            assert_eq!(result.is_ok(), is_done, "{result:?}");
        }
    }

    #[test]
    fn answers_to_connect() {
        let yes = |text: &str| matches!(answer(text.as_bytes()), Ok(Some(Connected::Yes)));
        assert!(
            yes("HTTP/1.0 200 Connection established\r\nProxy-agent: x\r\n\r\n")
                && yes("HTTP/1.1 204\r\n\r\n")
        );
        assert!(matches!(answer(b"HTTP/1.1 200 OK\r\n\r\nHTTP"), Err(FailureKind::Injected)));
        assert!(matches!(answer(b"HTTP/1.1 200 OK\r\n"), Ok(None)));
        let wanted = b"HTTP/1.1 407 x\r\nproxy-authenticate: Basic realm=a\r\nX: y\r\n\r\nbody";
        match answer(wanted) {
            Ok(Some(Connected::NeedsLogin(values))) => assert_eq!(values, [b"Basic realm=a"]),
            _ => panic!("no login is wanted"),
        }
        for (text, expected) in
            [("HTTP/1.1 502 Bad Gateway\r\n\r\n", "502 Bad Gateway"), ("HTTP/1.1 403\r\n\r\n", "403")]
        {
            assert!(
                matches!(answer(text.as_bytes()), Err(FailureKind::Proxy(why)) if *why.text == *expected),
                "{text}"
            );
        }
        assert!(matches!(answer(b"SSH-2.0-x\r\n"), Err(FailureKind::Proxy(_))));
    }
}

//! TLS, and streams that may be secured. All connections of a run share their sessions: servers of FTP
//! demand that a data connection resumes the session of the control connection. A stream that is kept for later
//! moves to the runtime of who uses it next, and is closed with a last message.

use std::io::{self, Write as _};
use std::net::{self, SocketAddr};
use std::path::PathBuf;
use std::pin::Pin;
use std::task::{Context, Poll};

#[cfg(all(feature = "tls", feature = "http"))]
pub(crate) use secured::alert;
#[cfg(feature = "tls")]
pub(crate) use secured::{Tls, TlsSession};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
#[cfg(all(not(feature = "tls"), feature = "http"))]
pub(crate) use unsecured::alert;
#[cfg(not(feature = "tls"))]
pub(crate) use unsecured::{Tls, TlsSession};

#[cfg(feature = "tls")]
use super::certificate::CertificateDetails;
use super::certificate::TlsDetails;
use crate::error::failure::FailureKind;
use crate::run::Ending;

/// Which certificates of servers are trusted.
///
/// ```
/// use locator_fetch::{Trust, blocking::Fetcher};
///
/// let fetcher =
///     Fetcher::for_user_input().trust(Trust::File("company-ca.pem".into()));
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Trust {
    /// Those that the certificates of the system vouch for.
    #[default]
    System,
    /// Those that the certificates in this file vouch for, in PEM.
    File(PathBuf),
    /// Any. A listener cannot read the connection, but anybody may be at its other end.
    Anything,
}

/// A connection, and the address that it was made to.
pub(crate) struct DialledStream {
    pub(crate) stream: Stream,
    pub(crate) address: SocketAddr,
}

/// A connection, in the clear or secured.
pub(crate) enum Stream {
    Tcp(TcpStream),
    /// A socket of this machine.
    #[cfg(all(unix, feature = "http"))]
    Unix(tokio::net::UnixStream),
    #[cfg(feature = "tls")]
    Tls(Box<tokio_rustls::client::TlsStream<TcpStream>>),
    /// In a tunnel through a proxy whose own connection is secured.
    #[cfg(all(feature = "tls", feature = "http"))]
    TlsInTls(Box<tokio_rustls::client::TlsStream<Box<Stream>>>),
}

impl Stream {
    /// Acknowledges at once what is received from now on, where the system can, until something is sent.
    /// A server that writes an answer in two pieces sends the second one only after an acknowledgement of
    /// the first, which the system delays by 40 ms.
    pub(crate) fn acknowledge_at_once(&self) {
        #[cfg(any(target_os = "linux", target_os = "android"))]
        match self {
            // Without it the answer is late, and complete.
            Self::Tcp(stream) => drop(stream.set_quickack(true)),
            #[cfg(any(feature = "tls", feature = "http"))]
            _ => {}
        }
    }

    /// Returns what the end of this stream means.
    pub(crate) const fn ending(&self) -> Ending {
        match self {
            Self::Tcp(_) => Ending::Fin,
            #[cfg(all(unix, feature = "http"))]
            Self::Unix(_) => Ending::Fin,
            #[cfg(feature = "tls")]
            Self::Tls(_) => Ending::Notified,
            #[cfg(all(feature = "tls", feature = "http"))]
            Self::TlsInTls(_) => Ending::Notified,
        }
    }

    /// Returns what TLS agreed on, if this is secured.
    pub(crate) fn details(&self) -> Option<TlsDetails> {
        match self {
            Self::Tcp(_) => None,
            #[cfg(all(unix, feature = "http"))]
            Self::Unix(_) => None,
            #[cfg(feature = "tls")]
            Self::Tls(stream) => Some(details(stream.get_ref().1)),
            #[cfg(all(feature = "tls", feature = "http"))]
            Self::TlsInTls(stream) => Some(details(stream.get_ref().1)),
        }
    }

    /// Returns the protocol that was agreed on in TLS (RFC 7301).
    #[cfg(feature = "http")]
    pub(crate) fn agreed(&self) -> Option<&[u8]> {
        match self {
            Self::Tcp(_) => None,
            #[cfg(unix)]
            Self::Unix(_) => None,
            #[cfg(feature = "tls")]
            Self::Tls(stream) => stream.get_ref().1.alpn_protocol(),
            #[cfg(feature = "tls")]
            Self::TlsInTls(stream) => stream.get_ref().1.alpn_protocol(),
        }
    }
}

/// Returns what a connection of TLS agreed on.
#[cfg(feature = "tls")]
fn details(connection: &tokio_rustls::rustls::ClientConnection) -> TlsDetails {
    use tokio_rustls::rustls::ProtocolVersion;
    let version = match connection.protocol_version() {
        Some(ProtocolVersion::TLSv1_3) => "TLS 1.3".into(),
        Some(ProtocolVersion::TLSv1_2) => "TLS 1.2".into(),
        other => format!("{other:?}"),
    };
    let cipher = connection.negotiated_cipher_suite().and_then(|suite| suite.suite().as_str());
    let protocol = connection.alpn_protocol().map(|name| String::from_utf8_lossy(name).into_owned());
    let certificate = connection.peer_certificates().and_then(<[_]>::first);
    TlsDetails {
        version,
        // rustls marks those of TLS 1.3, which have a shorter name in the registry.
        cipher: cipher.unwrap_or_default().replace("TLS13_", "TLS_"),
        protocol,
        certificate: certificate.and_then(|one| CertificateDetails::read(one)),
    }
}

macro_rules! forward {
    ($self:ident, $stream:ident => $call:expr) => {
        match $self.get_mut() {
            Stream::Tcp(stream) => {
                let $stream = Pin::new(stream);
                $call
            }
            #[cfg(all(unix, feature = "http"))]
            Stream::Unix(stream) => {
                let $stream = Pin::new(stream);
                $call
            }
            #[cfg(feature = "tls")]
            Stream::Tls(stream) => {
                let $stream = Pin::new(&mut **stream);
                $call
            }
            #[cfg(all(feature = "tls", feature = "http"))]
            Stream::TlsInTls(stream) => {
                let $stream = Pin::new(&mut **stream);
                $call
            }
        }
    };
}

impl AsyncRead for Stream {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        forward!(self, stream => stream.poll_read(cx, buffer))
    }
}

impl AsyncWrite for Stream {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, octets: &[u8]) -> Poll<io::Result<usize>> {
        forward!(self, stream => stream.poll_write(cx, octets))
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        forward!(self, stream => stream.poll_flush(cx))
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        forward!(self, stream => stream.poll_shutdown(cx))
    }
}

#[cfg(feature = "tls")]
mod secured {
    use std::fmt;
    use std::io;
    use std::sync::{Arc, OnceLock};

    use tokio::net::TcpStream;
    use tokio_rustls::TlsConnector;
    use tokio_rustls::rustls::client::danger::{
        HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier,
    };
    use tokio_rustls::rustls::client::{Resumption, WebPkiServerVerifier};
    use tokio_rustls::rustls::crypto::{CryptoProvider, ring};
    use tokio_rustls::rustls::pki_types::pem::PemObject;
    use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
    use tokio_rustls::rustls::sign::SingleCertAndKey;
    use tokio_rustls::rustls::{
        AlertDescription, CertificateError, ClientConfig, DigitallySignedStruct, Error, InvalidMessage,
        OtherError, RootCertStore, SignatureScheme,
    };

    use super::super::identity::Identity;
    use super::{FailureKind, Stream, Trust};
    use crate::error::failure::{Detail, TlsCause};

    /// What is trusted; the certificates are loaded when they are first needed.
    #[derive(Default)]
    pub(crate) struct Tls {
        trust: Trust,
        /// The certificate of the client, if it has one.
        identity: Option<Identity>,
        config: OnceLock<Result<ClientConfig, Detail<TlsCause>>>,
        /// The sessions of HTTP, without and with HTTP/2, which all connections share.
        #[cfg(feature = "http")]
        web: [OnceLock<TlsSession>; 2],
        /// The same without the certificate of the client.
        anonymous: OnceLock<Arc<Self>>,
    }

    impl Tls {
        /// Returns the same with another choice of what is trusted.
        pub(crate) fn with_trust(&self, trust: Trust) -> Self {
            Self { trust, identity: self.identity.clone(), ..Self::default() }
        }

        /// Returns the same with a certificate of the client.
        pub(crate) fn with_identity(&self, identity: Identity) -> Self {
            Self { trust: self.trust.clone(), identity: Some(identity), ..Self::default() }
        }

        /// Returns the same without the certificate of the client: for a server that the user did not name.
        pub(crate) fn anonymous(self: &Arc<Self>) -> &Arc<Self> {
            match self.identity {
                None => self,
                Some(_) => self
                    .anonymous
                    .get_or_init(|| Self { trust: self.trust.clone(), ..Self::default() }.into()),
            }
        }

        /// Returns the TLS session of HTTP, which offers its versions.
        #[cfg(feature = "http")]
        pub(crate) fn web(&self, has_http2: bool) -> Result<&TlsSession, FailureKind> {
            let web = &self.web[usize::from(has_http2)];
            if let Some(session) = web.get() {
                return Ok(session);
            }
            let config = self.config.get_or_init(|| config(&self.trust, self.identity.as_ref()));
            let mut config = config.clone().map_err(FailureKind::NotSecured)?;
            config.resumption = Resumption::in_memory_sessions(64);
            config.alpn_protocols = [&b"h2"[..], b"http/1.1"][usize::from(!has_http2)..]
                .iter()
                .map(|name| name.to_vec())
                .collect();
            Ok(web.get_or_init(|| TlsSession(TlsConnector::from(Arc::new(config)))))
        }

        /// Begins the TLS session of a run, which its connections share.
        pub(crate) fn session(&self) -> Result<TlsSession, FailureKind> {
            let config = self.config.get_or_init(|| config(&self.trust, self.identity.as_ref()));
            let mut config = config.clone().map_err(FailureKind::NotSecured)?;
            config.resumption = Resumption::in_memory_sessions(8);
            Ok(TlsSession(TlsConnector::from(Arc::new(config))))
        }
    }

    /// The TLS session of a run.
    pub(crate) struct TlsSession(TlsConnector);

    impl TlsSession {
        /// Secures a connection; the certificate must be one of the host.
        pub(crate) async fn secure(&self, stream: Stream, host: &str) -> Result<Stream, FailureKind> {
            let Stream::Tcp(stream) = stream else {
                return Err(FailureKind::NotSecured("TLS is already active".into()));
            };
            let stream: TcpStream = stream;
            match self.0.connect(name_of(host)?, stream).await {
                Ok(stream) => Ok(Stream::Tls(Box::new(stream))),
                Err(error) => Err(not_secured(error)),
            }
        }

        /// Secures a connection of HTTP, which may be a tunnel through a proxy that is secured itself.
        #[cfg(feature = "http")]
        pub(crate) async fn secure_web(&self, stream: Stream, host: &str) -> Result<Stream, FailureKind> {
            if matches!(stream, Stream::Tcp(_)) {
                return self.secure(stream, host).await;
            }
            match self.0.connect(name_of(host)?, Box::new(stream)).await {
                Ok(stream) => Ok(Stream::TlsInTls(Box::new(stream))),
                Err(error) => Err(not_secured(error)),
            }
        }
    }

    /// Returns the failure of securing a connection.
    fn not_secured(error: io::Error) -> FailureKind {
        let cause = cause(&error);
        let text = match cause {
            TlsCause::OtherName => other_name(&error),
            TlsCause::Certificate if error.to_string().contains("UnsupportedCertVersion") => {
                "the certificate of the server is of X.509 version 1, which is not supported".into()
            }
            // rustls says "tls handshake eof".
            TlsCause::Connection if error.kind() == io::ErrorKind::UnexpectedEof => {
                "the server closed the connection; it may not speak TLS on this port".into()
            }
            TlsCause::Certificate | TlsCause::Protocol | TlsCause::Alert | TlsCause::Connection => {
                error.to_string()
            }
            _ => cause.text().into(),
        };
        FailureKind::NotSecured(Detail::new(cause, text).source(error))
    }

    fn inner(error: &io::Error) -> Option<&Error> {
        error.get_ref()?.downcast_ref()
    }

    fn cause(error: &io::Error) -> TlsCause {
        match inner(error) {
            Some(Error::InvalidCertificate(error)) => match error {
                CertificateError::Expired | CertificateError::ExpiredContext { .. } => TlsCause::Expired,
                CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
                    TlsCause::NotYetValid
                }
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
                    TlsCause::OtherName
                }
                CertificateError::Other(OtherError(other)) if other.is::<SelfSignedError>() => {
                    TlsCause::SelfSigned
                }
                CertificateError::UnknownIssuer => TlsCause::UnknownIssuer,
                CertificateError::Revoked => TlsCause::Revoked,
                _ => TlsCause::Certificate,
            },
            Some(Error::AlertReceived(alert)) => of_alert(*alert),
            Some(Error::InvalidMessage(InvalidMessage::InvalidContentType)) => TlsCause::NotTls,
            Some(_) => TlsCause::Protocol,
            None => TlsCause::Connection,
        }
    }

    /// Returns the cause of an alert (RFC 8446, 6.2). Those about a certificate are about the client's.
    const fn of_alert(alert: AlertDescription) -> TlsCause {
        use AlertDescription as Is;

        match alert {
            Is::CertificateRequired | Is::NoCertificate => TlsCause::ClientRequired,
            Is::BadCertificate | Is::UnsupportedCertificate | Is::CertificateUnknown | Is::UnknownCA => {
                TlsCause::ClientRefused
            }
            Is::CertificateExpired | Is::CertificateRevoked => TlsCause::ClientRefused,
            _ => TlsCause::Alert,
        }
    }

    /// Returns the failure of an alert that came after the handshake: in TLS 1.3 the server reads the
    /// certificate of the client only then.
    #[cfg(feature = "http")]
    pub(crate) fn alert(error: &io::Error) -> Option<FailureKind> {
        let Some(Error::AlertReceived(alert)) = inner(error) else { return None };
        let text = match of_alert(*alert) {
            TlsCause::Alert => error.to_string(),
            cause => cause.text().into(),
        };
        Some(FailureKind::NotSecured(Detail::new(of_alert(*alert), text)))
    }

    /// Returns the sentence for a certificate of another host, with the hosts that it is for.
    fn other_name(error: &io::Error) -> String {
        let presented = match inner(error) {
            Some(Error::InvalidCertificate(CertificateError::NotValidForNameContext {
                presented, ..
            })) => presented.as_slice(),
            _ => &[],
        };
        // `DnsName("www.example.org")`, `IpAddress(192.0.2.1)`
        let name = |one: &String| {
            let value = one.split_once('(').map_or(&**one, |(_, value)| value.trim_end_matches(')'));
            value.trim_matches('"').to_owned()
        };
        let names: Vec<_> = presented.iter().take(5).map(name).collect();
        match names.is_empty() {
            true => TlsCause::OtherName.text().into(),
            false => format!("the certificate is for {}, not for this host", names.join(", ")),
        }
    }

    /// "Literal IPv4 and IPv6 addresses are not permitted", and the name is "without a trailing dot" (RFC
    /// 6066, 3); a zone is not in certificates.
    fn name_of(host: &str) -> Result<ServerName<'static>, FailureKind> {
        let name = host.split('%').next().unwrap_or_default();
        let name = ServerName::try_from(name.strip_suffix('.').unwrap_or(name).to_owned());
        name.map_err(|_| {
            let text = format!("{host} cannot have a certificate");
            FailureKind::NotSecured(Detail::new(TlsCause::Host, text))
        })
    }

    fn config(trust: &Trust, identity: Option<&Identity>) -> Result<ClientConfig, Detail<TlsCause>> {
        let provider = Arc::new(ring::default_provider());
        let builder = ClientConfig::builder_with_provider(provider.clone());
        let builder = builder.with_safe_default_protocol_versions().map_err(|error| error.to_string())?;
        let by_roots = match trust {
            Trust::Anything => None,
            trust => {
                let roots = roots(trust).map_err(|text| Detail::new(TlsCause::Roots, text))?;
                let verifier = WebPkiServerVerifier::builder_with_provider(roots.into(), provider.clone());
                Some(verifier.build().map_err(|error| error.to_string())?)
            }
        };
        let verifier = Arc::new(Verifier { provider, by_roots });
        let builder = builder.dangerous().with_custom_certificate_verifier(verifier);
        Ok(match identity {
            None => builder.with_no_client_auth(),
            Some(Identity(own)) => {
                builder.with_client_cert_resolver(Arc::new(SingleCertAndKey::from(own.clone())))
            }
        })
    }

    fn roots(trust: &Trust) -> Result<RootCertStore, String> {
        let mut roots = RootCertStore::empty();
        match trust {
            Trust::File(file) => {
                let fault = |error: &dyn fmt::Display| format!("{}: {error}", file.display());
                for certificate in CertificateDer::pem_file_iter(file).map_err(|error| fault(&error))? {
                    let certificate = certificate.map_err(|error| fault(&error))?;
                    roots.add(certificate).map_err(|error| fault(&error))?;
                }
                if roots.is_empty() {
                    return Err(fault(&"no certificates in it"));
                }
            }
            _ => {
                let loaded = rustls_native_certs::load_native_certs();
                roots.add_parsable_certificates(loaded.certs);
                if roots.is_empty() {
                    return Err("no CA certificates on this system".into());
                }
            }
        }
        Ok(roots)
    }

    /// Verifies certificates by those of authorities, or accepts any. The server must always have the key of
    /// its certificate.
    #[derive(Debug)]
    struct Verifier {
        provider: Arc<CryptoProvider>,
        by_roots: Option<Arc<WebPkiServerVerifier>>,
    }

    impl ServerCertVerifier for Verifier {
        fn verify_server_cert(
            &self,
            own: &CertificateDer<'_>,
            others: &[CertificateDer<'_>],
            name: &ServerName<'_>,
            ocsp: &[u8],
            now: UnixTime,
        ) -> Result<ServerCertVerified, Error> {
            let Some(by_roots) = &self.by_roots else { return Ok(ServerCertVerified::assertion()) };
            by_roots.verify_server_cert(own, others, name, ocsp, now).map_err(|error| match error {
                // An authority's own certificate is not one of a server, either.
                Error::InvalidCertificate(CertificateError::UnknownIssuer | CertificateError::Other(_))
                    if is_self_signed(own) =>
                {
                    Error::InvalidCertificate(CertificateError::Other(OtherError(Arc::new(SelfSignedError))))
                }
                error => error,
            })
        }

        fn verify_tls12_signature(
            &self,
            message: &[u8],
            certificate: &CertificateDer<'_>,
            signed: &DigitallySignedStruct,
        ) -> Result<HandshakeSignatureValid, Error> {
            let algorithms = &self.provider.signature_verification_algorithms;
            tokio_rustls::rustls::crypto::verify_tls12_signature(message, certificate, signed, algorithms)
        }

        fn verify_tls13_signature(
            &self,
            message: &[u8],
            certificate: &CertificateDer<'_>,
            signed: &DigitallySignedStruct,
        ) -> Result<HandshakeSignatureValid, Error> {
            let algorithms = &self.provider.signature_verification_algorithms;
            tokio_rustls::rustls::crypto::verify_tls13_signature(message, certificate, signed, algorithms)
        }

        fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
            self.provider.signature_verification_algorithms.supported_schemes()
        }
    }

    /// The error of a certificate that its owner has signed.
    #[derive(Debug)]
    struct SelfSignedError;

    impl fmt::Display for SelfSignedError {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("the issuer of the certificate is its subject")
        }
    }

    impl std::error::Error for SelfSignedError {}

    /// Returns whether a certificate names its subject as its issuer (RFC 5280, 4.1): `SEQUENCE { SEQUENCE {
    /// [0] version, serialNumber, signature, issuer, validity, subject, …`.
    fn is_self_signed(certificate: &[u8]) -> bool {
        let subject_of = |certificate| -> Option<bool> {
            let (mut fields, _) = element(element(certificate)?.0)?;
            let mut next = || {
                let (_, rest) = element(fields)?;
                let whole = fields.get(..fields.len() - rest.len())?;
                fields = rest;
                Some(whole)
            };
            let first = next()?;
            let count_before_issuer = if first.first() == Some(&0xA0) { 2 } else { 1 };
            let issuer = std::iter::repeat_with(&mut next).nth(count_before_issuer)??;
            let subject = std::iter::repeat_with(&mut next).nth(1)??;
            Some(issuer == subject)
        };
        subject_of(certificate).unwrap_or(false)
    }

    /// Divides octets of DER into the content of the first element and what follows it.
    fn element(octets: &[u8]) -> Option<(&[u8], &[u8])> {
        let (&length, rest) = octets.get(1..)?.split_first()?;
        let (length, rest) = match length {
            0..=0x7F => (usize::from(length), rest),
            0x81..=0x84 => {
                let (digits, rest) = rest.split_at_checked(usize::from(length & 0x7F))?;
                (digits.iter().fold(0, |length, digit| length << 8 | usize::from(*digit)), rest)
            }
            _ => return None,
        };
        rest.split_at_checked(length)
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn sentences_of_certificates() {
            let text = |why| {
                let error = io::Error::other(Error::InvalidCertificate(why));
                let FailureKind::NotSecured(why) = not_secured(error) else { panic!() };
                why.text
            };
            let unknown = text(CertificateError::UnknownIssuer);
            assert_eq!(&*unknown, "the certificate is not signed by a trusted authority");
            let expected = ServerName::try_from("a.example").unwrap();
            let presented = vec!["DnsName(\"b.example\")".into(), "IpAddress(192.0.2.1)".into()];
            let other = text(CertificateError::NotValidForNameContext { expected, presented });
            assert_eq!(&*other, "the certificate is for b.example, 192.0.2.1, not for this host");
        }

        #[test]
        fn causes_of_certificates() {
            for (error, expected) in [
                (CertificateError::Expired, TlsCause::Expired),
                (CertificateError::NotValidForName, TlsCause::OtherName),
                (CertificateError::UnknownIssuer, TlsCause::UnknownIssuer),
                (CertificateError::BadSignature, TlsCause::Certificate),
            ] {
                assert_eq!(cause(&io::Error::other(Error::InvalidCertificate(error))), expected);
            }
            assert_eq!(cause(&io::Error::from(io::ErrorKind::UnexpectedEof)), TlsCause::Connection);
        }
    }
}

#[cfg(not(feature = "tls"))]
mod unsecured {
    use std::sync::Arc;

    use super::{FailureKind, Stream, Trust};

    /// What is trusted, by a program without TLS.
    #[derive(Default)]
    pub(crate) struct Tls;

    impl Tls {
        pub(crate) fn with_trust(&self, _: Trust) -> Self {
            Self
        }

        pub(crate) fn anonymous(self: &Arc<Self>) -> &Arc<Self> {
            self
        }

        pub(crate) fn session(&self) -> Result<TlsSession, FailureKind> {
            Err(FailureKind::NotSupported("TLS"))
        }

        #[cfg(feature = "http")]
        pub(crate) fn web(&self, _: bool) -> Result<&TlsSession, FailureKind> {
            Err(FailureKind::NotSupported("TLS"))
        }
    }

    #[cfg(feature = "http")]
    pub(crate) const fn alert(_: &std::io::Error) -> Option<FailureKind> {
        None
    }

    /// No session.
    pub(crate) enum TlsSession {}

    impl TlsSession {
        pub(crate) async fn secure(&self, _: Stream, _: &str) -> Result<Stream, FailureKind> {
            match *self {}
        }

        #[cfg(feature = "http")]
        pub(crate) async fn secure_web(&self, _: Stream, _: &str) -> Result<Stream, FailureKind> {
            match *self {}
        }
    }
}

impl Stream {
    /// Moves this connection to the present runtime. Returns whether it can be used: it is open, and without
    /// TLS the server has sent nothing that nobody asked for, such as its last words.
    pub(crate) fn renew(&mut self) -> io::Result<bool> {
        let is_plain = matches!(self, Self::Tcp(_));
        let Some(stream) = self.socket() else { return Ok(false) };
        let again = duplicate(stream)?;
        again.set_nonblocking(true)?;
        let is_usable = match again.peek(&mut [0]) {
            // What came may be a part of TLS.
            Ok(count) => count > 0 && !is_plain,
            Err(error) => error.kind() == io::ErrorKind::WouldBlock,
        };
        *stream = TcpStream::from_std(again)?;
        Ok(is_usable)
    }

    /// Sends a last message as far as that is possible without waiting; needs no runtime. Under TLS, it
    /// announces the end of the connection.
    pub(crate) fn close_with(&mut self, message: &[u8]) {
        let _ = self.send_last(message);
    }

    fn send_last(&mut self, message: &[u8]) -> io::Result<()> {
        let Some(stream) = self.socket() else { return Ok(()) };
        let mut stream = duplicate(stream)?;
        stream.set_nonblocking(true)?;
        match self {
            Self::Tcp(_) => stream.write_all(message),
            #[cfg(all(unix, feature = "http"))]
            Self::Unix(_) => Ok(()),
            #[cfg(feature = "tls")]
            Self::Tls(secured) => {
                let (_, session) = secured.get_mut();
                session.writer().write_all(message)?;
                session.send_close_notify();
                while session.wants_write() {
                    session.write_tls(&mut stream)?;
                }
                Ok(())
            }
            #[cfg(all(feature = "tls", feature = "http"))]
            Self::TlsInTls(_) => Ok(()),
        }
    }

    fn socket(&mut self) -> Option<&mut TcpStream> {
        match self {
            Self::Tcp(stream) => Some(stream),
            #[cfg(all(unix, feature = "http"))]
            Self::Unix(_) => None,
            #[cfg(feature = "tls")]
            Self::Tls(stream) => Some(stream.get_mut().0),
            #[cfg(all(feature = "tls", feature = "http"))]
            Self::TlsInTls(_) => None,
        }
    }
}

#[cfg(unix)]
fn duplicate(stream: &TcpStream) -> io::Result<net::TcpStream> {
    use std::os::fd::AsFd;

    stream.as_fd().try_clone_to_owned().map(Into::into)
}

#[cfg(windows)]
fn duplicate(stream: &TcpStream) -> io::Result<net::TcpStream> {
    use std::os::windows::io::AsSocket;

    stream.as_socket().try_clone_to_owned().map(Into::into)
}

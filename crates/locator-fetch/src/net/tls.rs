//! TLS, and streams that may be secured. All connections of a run share their sessions: servers of FTP
//! demand that a data connection resumes the session of the control connection.

use std::io;
use std::path::PathBuf;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

use crate::failure::FailureKind;
use crate::run::Ending;

/// Which certificates of servers are trusted.
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

/// A connection, in the clear or secured.
pub(crate) enum Stream {
    Tcp(TcpStream),
    #[cfg(feature = "tls")]
    Tls(Box<tokio_rustls::client::TlsStream<TcpStream>>),
    /// In a tunnel through a proxy whose own connection is secured.
    #[cfg(all(feature = "tls", feature = "http"))]
    TlsInTls(Box<tokio_rustls::client::TlsStream<Box<Stream>>>),
}

impl Stream {
    /// Returns what the end of this stream means.
    pub(crate) const fn ending(&self) -> Ending {
        match self {
            Self::Tcp(_) => Ending::Fin,
            #[cfg(feature = "tls")]
            Self::Tls(_) => Ending::Notified,
            #[cfg(all(feature = "tls", feature = "http"))]
            Self::TlsInTls(_) => Ending::Notified,
        }
    }

    /// Returns the protocol that was agreed on in TLS (RFC 7301).
    #[cfg(feature = "http")]
    pub(crate) fn agreed(&self) -> Option<&[u8]> {
        match self {
            Self::Tcp(_) => None,
            #[cfg(feature = "tls")]
            Self::Tls(stream) => stream.get_ref().1.alpn_protocol(),
            #[cfg(feature = "tls")]
            Self::TlsInTls(stream) => stream.get_ref().1.alpn_protocol(),
        }
    }
}

macro_rules! forward {
    ($self:ident, $stream:ident => $call:expr) => {
        match $self.get_mut() {
            Stream::Tcp(stream) => {
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
pub(crate) use secured::{Tls, TlsSession};
#[cfg(not(feature = "tls"))]
pub(crate) use unsecured::{Tls, TlsSession};

#[cfg(feature = "tls")]
mod secured {
    use std::io;
    use std::sync::{Arc, OnceLock};

    use tokio::net::TcpStream;
    use tokio_rustls::TlsConnector;
    use tokio_rustls::rustls::client::Resumption;
    use tokio_rustls::rustls::client::danger::{
        HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier,
    };
    use tokio_rustls::rustls::crypto::{CryptoProvider, ring};
    use tokio_rustls::rustls::pki_types::pem::PemObject;
    use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
    use tokio_rustls::rustls::{
        CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme,
    };

    use super::{FailureKind, Stream, Trust};
    use crate::failure::{Detail, TlsCause};

    /// What is trusted; the certificates are loaded when they are first needed.
    #[derive(Default)]
    pub(crate) struct Tls {
        trust: Trust,
        config: OnceLock<Result<ClientConfig, Detail<TlsCause>>>,
        /// The sessions of HTTP, without and with HTTP/2, which all connections share.
        #[cfg(feature = "http")]
        web: [OnceLock<TlsSession>; 2],
    }

    impl Tls {
        pub(crate) fn new(trust: Trust) -> Self {
            Self { trust, ..Self::default() }
        }

        /// Returns the TLS session of HTTP, which offers its versions.
        #[cfg(feature = "http")]
        pub(crate) fn web(&self, has_http2: bool) -> Result<&TlsSession, FailureKind> {
            let web = &self.web[usize::from(has_http2)];
            if let Some(session) = web.get() {
                return Ok(session);
            }
            let config = self.config.get_or_init(|| config(&self.trust));
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
            let config = self.config.get_or_init(|| config(&self.trust));
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
                return Err(FailureKind::NotSecured("it is secured already".into()));
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
        FailureKind::NotSecured(Detail::new(cause(&error), why(&error)).source(error))
    }

    fn cause(error: &io::Error) -> TlsCause {
        let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<Error>());
        match inner {
            Some(Error::InvalidCertificate(error)) => match error {
                CertificateError::Expired | CertificateError::ExpiredContext { .. } => TlsCause::Expired,
                CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
                    TlsCause::NotYetValid
                }
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
                    TlsCause::OtherName
                }
                CertificateError::UnknownIssuer => TlsCause::UnknownIssuer,
                CertificateError::Revoked => TlsCause::Revoked,
                _ => TlsCause::Certificate,
            },
            Some(Error::AlertReceived(_)) => TlsCause::Alert,
            Some(_) => TlsCause::Protocol,
            None => TlsCause::Connection,
        }
    }

    /// Returns why a connection could not be secured, in plain words for certificates that their owners
    /// signed themselves.
    fn why(error: &io::Error) -> String {
        let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<Error>());
        match inner {
            Some(Error::InvalidCertificate(CertificateError::UnknownIssuer)) => {
                "no trusted authority has signed the certificate".into()
            }
            Some(Error::InvalidCertificate(CertificateError::Other(other)))
                if other.to_string().contains("CaUsedAsEndEntity") =>
            {
                "the certificate is one of an authority, and not of a server".into()
            }
            _ => error.to_string(),
        }
    }

    /// "Literal IPv4 and IPv6 addresses are not permitted", and the name is "without a trailing dot" (RFC
    /// 6066, 3); a zone is not in certificates.
    fn name_of(host: &str) -> Result<ServerName<'static>, FailureKind> {
        let name = host.split('%').next().unwrap_or_default();
        let name = ServerName::try_from(name.strip_suffix('.').unwrap_or(name).to_owned());
        name.map_err(|_| {
            let text = format!("{host} is not a name of a certificate");
            FailureKind::NotSecured(Detail::new(TlsCause::Host, text))
        })
    }

    fn config(trust: &Trust) -> Result<ClientConfig, Detail<TlsCause>> {
        let provider = Arc::new(ring::default_provider());
        let builder = ClientConfig::builder_with_provider(provider.clone());
        let builder = builder.with_safe_default_protocol_versions().map_err(|error| error.to_string())?;
        if *trust == Trust::Anything {
            let verifier = Arc::new(Unchecked(provider));
            let builder = builder.dangerous().with_custom_certificate_verifier(verifier);
            return Ok(builder.with_no_client_auth());
        }
        let roots = roots(trust).map_err(|text| Detail::new(TlsCause::Roots, text))?;
        Ok(builder.with_root_certificates(roots).with_no_client_auth())
    }

    fn roots(trust: &Trust) -> Result<RootCertStore, String> {
        let mut roots = RootCertStore::empty();
        match trust {
            Trust::File(file) => {
                let fault = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
                for certificate in CertificateDer::pem_file_iter(file).map_err(|error| fault(&error))? {
                    let certificate = certificate.map_err(|error| fault(&error))?;
                    roots.add(certificate).map_err(|error| fault(&error))?;
                }
                if roots.is_empty() {
                    return Err(fault(&"it has no certificates"));
                }
            }
            _ => {
                let loaded = rustls_native_certs::load_native_certs();
                roots.add_parsable_certificates(loaded.certs);
                if roots.is_empty() {
                    return Err("the system has no certificates of authorities".into());
                }
            }
        }
        Ok(roots)
    }

    /// Accepts any certificate; the server must still have its key.
    #[derive(Debug)]
    struct Unchecked(Arc<CryptoProvider>);

    impl ServerCertVerifier for Unchecked {
        fn verify_server_cert(
            &self,
            _: &CertificateDer<'_>,
            _: &[CertificateDer<'_>],
            _: &ServerName<'_>,
            _: &[u8],
            _: UnixTime,
        ) -> Result<ServerCertVerified, Error> {
            Ok(ServerCertVerified::assertion())
        }

        fn verify_tls12_signature(
            &self,
            message: &[u8],
            certificate: &CertificateDer<'_>,
            signed: &DigitallySignedStruct,
        ) -> Result<HandshakeSignatureValid, Error> {
            let algorithms = &self.0.signature_verification_algorithms;
            tokio_rustls::rustls::crypto::verify_tls12_signature(message, certificate, signed, algorithms)
        }

        fn verify_tls13_signature(
            &self,
            message: &[u8],
            certificate: &CertificateDer<'_>,
            signed: &DigitallySignedStruct,
        ) -> Result<HandshakeSignatureValid, Error> {
            let algorithms = &self.0.signature_verification_algorithms;
            tokio_rustls::rustls::crypto::verify_tls13_signature(message, certificate, signed, algorithms)
        }

        fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
            self.0.signature_verification_algorithms.supported_schemes()
        }
    }

    #[cfg(test)]
    mod tests {
        use tokio_rustls::rustls::OtherError;

        use super::*;

        #[test]
        fn certificates_that_their_owners_signed() {
            let text = |why| super::why(&io::Error::other(Error::InvalidCertificate(why)));
            assert_eq!(
                text(CertificateError::UnknownIssuer),
                "no trusted authority has signed the certificate"
            );
            let of_authority = OtherError(Arc::new(io::Error::other("CaUsedAsEndEntity")));
            let expected = "the certificate is one of an authority, and not of a server";
            assert_eq!(text(CertificateError::Other(of_authority)), expected);
            assert!(text(CertificateError::Expired).contains("Expired"));
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
    use super::{FailureKind, Stream, Trust};

    /// What is trusted, by a program without TLS.
    #[derive(Default)]
    pub(crate) struct Tls;

    impl Tls {
        pub(crate) fn new(_: Trust) -> Self {
            Self
        }

        pub(crate) fn session(&self) -> Result<TlsSession, FailureKind> {
            Err(FailureKind::NotSupported("TLS"))
        }

        #[cfg(feature = "http")]
        pub(crate) fn web(&self, _: bool) -> Result<&TlsSession, FailureKind> {
            Err(FailureKind::NotSupported("TLS"))
        }
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

//! The certificate by which a client identifies itself in TLS (RFC 8446, 4.4.2), and its private key: reads
//! both from PEM (RFC 7468).

use std::fmt::{self, Debug, Display, Formatter};
use std::sync::Arc;

use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::{Error as PemError, PemObject};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::sign::CertifiedKey;
use tokio_rustls::rustls::{self, InconsistentKeys};

use crate::net::certificate::key_of_version_1;

/// The certificate of the client, and its private key. It is shown to servers that ask for one, at the
/// origin of the given URL only: not where a redirect leads to another origin, and not to a proxy.
///
/// ```no_run
/// use locator_fetch::{Identity, blocking::Fetcher};
///
/// let (certificate, key) = (std::fs::read("client.pem")?, std::fs::read("client.key")?);
/// let identity = Identity::from_pem(&certificate, &key)?;
/// let fetcher = Fetcher::for_user_input().identity(identity);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Identity(pub(crate) Arc<CertifiedKey>);

impl Identity {
    /// Reads the certificate, followed by those of its authorities if they are needed, and the private key
    /// (PKCS #8, PKCS #1 or SEC 1). Both may be in the same text.
    ///
    /// # Errors
    ///
    /// There is no certificate or no key, the key is encrypted, or it is not that of the certificate.
    pub fn from_pem(certificate: &[u8], key: &[u8]) -> Result<Self, IdentityError> {
        let certificates: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(certificate).collect();
        let certificates = certificates.map_err(|_| IdentityError::Certificate)?;
        if certificates.is_empty() {
            return Err(IdentityError::NoCertificate);
        }
        let key = match PrivateKeyDer::from_pem_slice(key) {
            _ if is_encrypted(key) => return Err(IdentityError::Encrypted),
            Ok(key) => key,
            Err(PemError::NoItemsFound) => return Err(IdentityError::NoKey),
            Err(_) => return Err(IdentityError::Key),
        };
        let provider = ring::default_provider();
        // rustls reads no certificate of version 1, which `openssl x509 -req` makes without an option, and
        // many servers accept.
        if let Some(public) = key_of_version_1(&certificates[0]) {
            let key = provider.key_provider.load_private_key(key).map_err(|_| IdentityError::Key)?;
            let is_own = key.public_key().is_some_and(|own| own.as_ref() == public);
            let own = is_own.then(|| Self(Arc::new(CertifiedKey::new(certificates, key))));
            return own.ok_or(IdentityError::OtherKey);
        }
        let own = CertifiedKey::from_der(certificates, key, &provider);
        own.map(|own| Self(Arc::new(own))).map_err(|error| match error {
            rustls::Error::InconsistentKeys(InconsistentKeys::KeyMismatch) => IdentityError::OtherKey,
            rustls::Error::InvalidCertificate(_) => IdentityError::Certificate,
            _ => IdentityError::Key,
        })
    }
}

impl Debug for Identity {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Identity").finish_non_exhaustive()
    }
}

/// Returns whether a private key is encrypted: PKCS #8 (RFC 5958, 3), or the older form of OpenSSL.
fn is_encrypted(key: &[u8]) -> bool {
    let text = String::from_utf8_lossy(key);
    text.contains("-----BEGIN ENCRYPTED PRIVATE KEY-----") || text.contains("Proc-Type: 4,ENCRYPTED")
}

/// Why a certificate and a private key cannot be used.
///
/// ```
/// use locator_fetch::{Identity, IdentityError};
///
/// let error = Identity::from_pem(b"", b"").unwrap_err();
/// assert_eq!(error, IdentityError::NoCertificate);
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum IdentityError {
    /// There is no certificate in PEM.
    NoCertificate,
    /// The certificate is not valid.
    Certificate,
    /// There is no private key in PEM.
    NoKey,
    /// The private key is encrypted.
    Encrypted,
    /// The private key is not valid, or of a kind that is not supported.
    Key,
    /// The private key is not that of the certificate.
    OtherKey,
}

impl Display for IdentityError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoCertificate => "no certificate in PEM (-----BEGIN CERTIFICATE-----)",
            Self::Certificate => "the certificate is not valid",
            Self::NoKey => "no private key in PEM (-----BEGIN PRIVATE KEY-----)",
            Self::Encrypted => "the private key is encrypted",
            Self::Key => "the private key is not valid, or of an unsupported kind",
            Self::OtherKey => "the private key is not that of the certificate",
        })
    }
}

crate::redact::error!(IdentityError);

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::prelude::BASE64_STANDARD;
    use rcgen::{CertificateParams, KeyPair};

    use super::*;

    /// Writes an element of DER.
    fn element(tag: u8, contents: &[u8]) -> Vec<u8> {
        let length = u16::try_from(contents.len()).unwrap().to_be_bytes();
        [&[tag, 0x82][..], &length, contents].concat()
    }

    /// Returns a certificate of version 1 in PEM, as which another one is written.
    fn of_version_1(key: &KeyPair) -> String {
        let names = CertificateParams::new(["a", "b"].map(|name| format!("{}.example", name.repeat(150))));
        let der = names.unwrap().self_signed(key).unwrap().der().to_vec();
        // All lengths have two octets; "A0 03 02 01 02" is the version, and extensions are the last.
        let tbs = &der[4..];
        let length = usize::from(u16::from_be_bytes([tbs[2], tbs[3]]));
        let (fields, signature) = (&tbs[4 + 5..4 + length], &tbs[4 + length..]);
        let extensions = fields.windows(2).rposition(|pair| pair == [0xA3, 0x82]).unwrap();
        let der = element(0x30, &[&element(0x30, &fields[..extensions])[..], signature].concat());
        let lines = BASE64_STANDARD.encode(der);
        format!("-----BEGIN CERTIFICATE-----\n{lines}\n-----END CERTIFICATE-----\n")
    }

    #[test]
    fn certificates_of_version_1() {
        let (key, other) = (KeyPair::generate().unwrap(), KeyPair::generate().unwrap());
        let certificate = of_version_1(&key);
        let read = |key: &KeyPair| {
            Identity::from_pem(certificate.as_bytes(), key.serialize_pem().as_bytes()).map(|_| ())
        };
        assert_eq!((read(&key), read(&other)), (Ok(()), Err(IdentityError::OtherKey)));
    }
}

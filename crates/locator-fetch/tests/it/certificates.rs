//! Certificates for servers in this process, and the authority to trust.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::sync::Arc;

use locator_fetch::Trust;
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, date_time_ymd};
use tempfile::NamedTempFile;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::danger::ClientCertVerifier;

/// An authority that certifies servers.
pub(crate) struct Authority {
    issuer: Issuer<'static, KeyPair>,
    /// Its own certificate, in PEM.
    file: NamedTempFile,
}

#[allow(dead_code, reason = "each of the tests that share this file needs some of it")]
impl Authority {
    pub(crate) fn new() -> Self {
        Self::named("an authority of the tests")
    }

    pub(crate) fn named(name: &str) -> Self {
        let key = KeyPair::generate().unwrap();
        let mut own = CertificateParams::new([]).unwrap();
        own.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        own.distinguished_name.push(DnType::CommonName, name);
        let file = NamedTempFile::new().unwrap();
        std::fs::write(file.path(), own.self_signed(&key).unwrap().pem()).unwrap();
        Self { issuer: Issuer::new(own, key), file }
    }

    /// Trusts this authority alone.
    pub(crate) fn trust(&self) -> Trust {
        Trust::File(self.file.path().into())
    }

    /// Returns the settings of a server with a certificate for a host: a name or an address.
    pub(crate) fn server(&self, host: &str) -> Arc<ServerConfig> {
        self.certified(&CertificateParams::new([host.to_owned()]).unwrap())
    }

    /// Returns the settings of a server whose certificate has expired.
    pub(crate) fn expired(&self, host: &str) -> Arc<ServerConfig> {
        let mut own = CertificateParams::new([host.to_owned()]).unwrap();
        (own.not_before, own.not_after) = (date_time_ymd(2001, 1, 1), date_time_ymd(2002, 1, 1));
        self.certified(&own)
    }

    /// Returns its own certificate.
    pub(crate) fn certificate(&self) -> CertificateDer<'static> {
        CertificateDer::from_pem_file(self.file.path()).unwrap()
    }

    /// Returns the settings of a server that asks clients for certificates.
    pub(crate) fn server_with(&self, host: &str, clients: Arc<dyn ClientCertVerifier>) -> Arc<ServerConfig> {
        let key = KeyPair::generate().unwrap();
        let own = CertificateParams::new([host.to_owned()]).unwrap();
        let certificate = own.signed_by(&key, &self.issuer).unwrap().der().clone();
        let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
        let builder = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
        let builder = builder.with_safe_default_protocol_versions().unwrap();
        let builder = builder.with_client_cert_verifier(clients);
        Arc::new(builder.with_single_cert(vec![certificate], key).unwrap())
    }

    /// Returns the certificate of a client and its key, in PEM.
    pub(crate) fn client(&self) -> (String, String) {
        let key = KeyPair::generate().unwrap();
        let own = CertificateParams::new(["client".to_owned()]).unwrap();
        (own.signed_by(&key, &self.issuer).unwrap().pem(), key.serialize_pem())
    }

    fn certified(&self, own: &CertificateParams) -> Arc<ServerConfig> {
        let key = KeyPair::generate().unwrap();
        let certificate = own.signed_by(&key, &self.issuer).unwrap();
        config(certificate.der().clone(), &key)
    }
}

/// Returns the settings of a server with this certificate.
pub(crate) fn config(certificate: CertificateDer<'static>, key: &KeyPair) -> Arc<ServerConfig> {
    let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    let builder = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let builder = builder.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
    Arc::new(builder.with_single_cert(vec![certificate], key).unwrap())
}

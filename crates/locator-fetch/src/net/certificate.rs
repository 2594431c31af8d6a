//! What TLS agreed on, for people: takes the certificate of a server in DER (X.509, RFC 5280), returns its
//! names and dates. Nothing is checked by this: rustls has verified the certificate, or the user has said
//! that nobody does.

/// What TLS agreed on for a connection.
///
/// ```no_run
/// use std::sync::Arc;
///
/// use locator_fetch::blocking::Fetcher;
/// use locator_fetch::{TlsDetails, Watcher};
///
/// struct Certificates;
///
/// impl Watcher for Certificates {
///     fn agreed(&self, tls: &TlsDetails) {
///         println!("{} {:?}", tls.version, tls.certificate);
///     }
/// }
///
/// let fetcher = Fetcher::for_user_input().watcher(Arc::new(Certificates));
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TlsDetails {
    /// The version, such as "TLS 1.3".
    pub version: String,
    /// The cipher suite by its registered name.
    pub cipher: String,
    /// The protocol that was chosen by ALPN (RFC 7301), such as "h2".
    pub protocol: Option<String>,
    /// The certificate of the server, if it can be read.
    pub certificate: Option<CertificateDetails>,
}

/// The names and dates of a certificate.
///
/// ```no_run
/// # fn f(certificate: &locator_fetch::CertificateDetails) {
/// println!("{} until {}", certificate.subject, certificate.not_after);
/// # }
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CertificateDetails {
    /// Whom it is for: "C=DE; O=Example; CN=www.example.com".
    pub subject: String,
    /// Who vouches for it.
    pub issuer: String,
    /// The host names and addresses that it is for.
    pub names: Vec<String>,
    /// When it begins to be valid: "2026-11-24 13:46:16 GMT".
    pub not_before: String,
    /// When it expires.
    pub not_after: String,
}

const SEQUENCE: u8 = 0x30;
const SET: u8 = 0x31;
const OID: u8 = 0x06;
const OCTETS: u8 = 0x04;
const VERSION: u8 = 0xA0;
const EXTENSIONS: u8 = 0xA3;

#[cfg_attr(not(feature = "tls"), allow(dead_code, reason = "there is no certificate without TLS"))]
impl CertificateDetails {
    /// Reads a certificate: "Certificate ::= SEQUENCE { tbsCertificate, signatureAlgorithm, signatureValue }"
    /// (RFC 5280, 4.1); `None` if it is not one.
    pub(crate) fn read(der: &[u8]) -> Option<Self> {
        let (certificate, _) = value(der, SEQUENCE)?;
        let (mut rest, _) = value(certificate, SEQUENCE)?;
        if let Some((_, after)) = value(rest, VERSION) {
            rest = after;
        }
        // The serial number and the algorithm of the signature.
        for _ in 0..2 {
            rest = element(rest)?.after;
        }
        let (issuer, rest) = value(rest, SEQUENCE)?;
        let (validity, rest) = value(rest, SEQUENCE)?;
        let (subject, rest) = value(rest, SEQUENCE)?;
        let Element { contents: not_before, after, .. } = element(validity)?;
        let Element { contents: not_after, .. } = element(after)?;
        let Element { after: mut rest, .. } = element(rest)?;
        let mut names = Vec::new();
        while let Some(Element { tag, contents, after }) = element(rest) {
            if tag == EXTENSIONS {
                names = alternative_names(contents).unwrap_or_default();
            }
            rest = after;
        }
        Some(Self {
            subject: distinguished_name(subject),
            issuer: distinguished_name(issuer),
            names,
            not_before: time(not_before),
            not_after: time(not_after),
        })
    }
}

/// Returns the public key of a certificate of X.509 version 1, as it is written there; `None` for one of another
/// version: "version [0] EXPLICIT Version DEFAULT v1" (RFC 5280, 4.1).
#[cfg(feature = "tls")]
pub(crate) fn key_of_version_1(der: &[u8]) -> Option<&[u8]> {
    let (certificate, _) = value(der, SEQUENCE)?;
    let (mut rest, _) = value(certificate, SEQUENCE)?;
    match value(rest, VERSION) {
        Some((version, _)) if version != [0x02, 1, 0] => return None,
        Some((_, after)) => rest = after,
        None => {}
    }
    // The serial number, the algorithm of the signature, the issuer, the dates and the subject.
    for _ in 0..5 {
        rest = element(rest)?.after;
    }
    let Element { tag, after, .. } = element(rest)?;
    (tag == SEQUENCE).then(|| &rest[..rest.len() - after.len()])
}

/// An element of DER (X.690, 8.1).
struct Element<'d> {
    tag: u8,
    contents: &'d [u8],
    /// What follows it.
    after: &'d [u8],
}

/// Takes an element.
fn element(der: &[u8]) -> Option<Element<'_>> {
    let (&tag, rest) = der.split_first()?;
    let (&first, rest) = rest.split_first()?;
    let (length, rest) = match first {
        0..=0x7F => (usize::from(first), rest),
        0x81..=0x84 => {
            let (digits, rest) = rest.split_at_checked(usize::from(first & 0x7F))?;
            let length = digits.iter().fold(0_usize, |length, digit| length << 8 | usize::from(*digit));
            (length, rest)
        }
        _ => return None,
    };
    let (contents, after) = rest.split_at_checked(length)?;
    Some(Element { tag, contents, after })
}

/// Takes an element of a tag: its contents and what follows it.
fn value(der: &[u8], tag: u8) -> Option<(&[u8], &[u8])> {
    element(der).filter(|element| element.tag == tag).map(|element| (element.contents, element.after))
}

/// Yields the elements one after the other.
fn elements(mut der: &[u8]) -> impl Iterator<Item = (u8, &[u8])> {
    std::iter::from_fn(move || {
        let Element { tag, contents, after } = element(der)?;
        der = after;
        Some((tag, contents))
    })
}

/// Writes a distinguished name: "SEQUENCE OF SET OF SEQUENCE { type, value }".
fn distinguished_name(der: &[u8]) -> String {
    let sets = elements(der).filter(|(tag, _)| *tag == SET);
    let pairs = sets.flat_map(|(_, set)| elements(set).filter(|(tag, _)| *tag == SEQUENCE));
    let written = pairs.filter_map(|(_, pair)| {
        let (kind, rest) = value(pair, OID)?;
        let Element { tag, contents: text, .. } = element(rest)?;
        Some(format!("{}={}", attribute(kind), string(tag, text)))
    });
    written.collect::<Vec<_>>().join("; ")
}

/// Returns the name of an attribute, id-at and a number (RFC 4514, 3); for others their number.
fn attribute(oid: &[u8]) -> String {
    let known = match oid {
        [0x55, 0x04, 0x03] => "CN",
        [0x55, 0x04, 0x06] => "C",
        [0x55, 0x04, 0x07] => "L",
        [0x55, 0x04, 0x08] => "ST",
        [0x55, 0x04, 0x0A] => "O",
        [0x55, 0x04, 0x0B] => "OU",
        _ => return format!("OID {}", oid.iter().map(|octet| format!("{octet:02X}")).collect::<String>()),
    };
    known.to_owned()
}

/// Reads a text: BMPString is UTF-16, TeletexString is written in Latin-1.
fn string(tag: u8, octets: &[u8]) -> String {
    match tag {
        0x1E => {
            let units = octets.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]]));
            char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
        }
        0x14 => octets.iter().map(|octet| char::from(*octet)).collect(),
        _ => String::from_utf8_lossy(octets).into_owned(),
    }
}

/// Writes a time: "YYMMDDHHMMSSZ", of 1950 to 2049, or "YYYYMMDDHHMMSSZ" (RFC 5280, 4.1.2.5).
fn time(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text).into_owned();
    let digits = text.trim_end_matches('Z');
    let full = match digits.len() {
        12 if digits < "50" => format!("20{digits}"),
        12 => format!("19{digits}"),
        _ => digits.to_owned(),
    };
    if full.len() != 14 || !full.bytes().all(|octet| octet.is_ascii_digit()) {
        return text;
    }
    let [year, month, day] = [&full[..4], &full[4..6], &full[6..8]];
    format!("{year}-{month}-{day} {}:{}:{} GMT", &full[8..10], &full[10..12], &full[12..])
}

/// Returns the names and addresses of the extension subjectAltName (RFC 5280, 4.2.1.6).
fn alternative_names(der: &[u8]) -> Option<Vec<String>> {
    const SUBJECT_ALT_NAME: &[u8] = &[0x55, 0x1D, 0x11];
    let (extensions, _) = value(der, SEQUENCE)?;
    let mut all = elements(extensions).filter(|(tag, _)| *tag == SEQUENCE);
    let (_, extension) =
        all.find(|(_, one)| value(one, OID).is_some_and(|(oid, _)| oid == SUBJECT_ALT_NAME))?;
    let (_, octets) = elements(extension).find(|(tag, _)| *tag == OCTETS)?;
    let (names, _) = value(octets, SEQUENCE)?;
    let name = |(tag, contents): (u8, &[u8])| match tag {
        0x82 => Some(String::from_utf8_lossy(contents).into_owned()),
        0x87 => match <[u8; 4]>::try_from(contents) {
            Ok(address) => Some(std::net::IpAddr::from(address).to_string()),
            Err(_) => Some(std::net::IpAddr::from(<[u8; 16]>::try_from(contents).ok()?).to_string()),
        },
        _ => None,
    };
    Some(elements(names).filter_map(name).collect())
}

#[cfg(test)]
mod tests {
    use rcgen::{CertificateParams, DnType, KeyPair};

    use super::*;

    #[test]
    fn certificates() {
        let mut params = CertificateParams::new(["a.example".to_owned(), "192.0.2.1".into()]).unwrap();
        params.distinguished_name.push(DnType::OrganizationName, "B\u{fc}cher");
        params.distinguished_name.push(DnType::CommonName, "a.example");
        params.not_before = rcgen::date_time_ymd(2026, 1, 2);
        params.not_after = rcgen::date_time_ymd(2051, 3, 4);
        let der = params.self_signed(&KeyPair::generate().unwrap()).unwrap().der().to_vec();
        let found = CertificateDetails::read(&der).unwrap();
        assert!(
            found.subject.contains("O=B\u{fc}cher") && found.subject.contains("CN=a.example"),
            "{found:?}"
        );
        assert_eq!(
            (&found.issuer, &found.names[..]),
            (&found.subject, &["a.example".into(), "192.0.2.1".to_owned()][..])
        );
        assert_eq!(
            (&*found.not_before, &*found.not_after),
            ("2026-01-02 00:00:00 GMT", "2051-03-04 00:00:00 GMT")
        );
        // Whatever is missing or changed, there is no panic.
        for length in 0..der.len() {
            let _ = CertificateDetails::read(&der[..length]);
            let mut changed = der.clone();
            changed[length] ^= 0xFF;
            let _ = CertificateDetails::read(&changed);
        }
        assert_eq!(CertificateDetails::read(b""), None);
    }
}

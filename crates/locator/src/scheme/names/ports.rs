//! Default ports of schemes without a file of their own, as data: takes a name, returns the port of
//! URLs without one, and the document that defines it. Follows the registrations in IANA's registry
//! (RFC 7595).
//!
//! Some schemes are omitted. Their documents compare a URI with the default port and one without a
//! port as different (`sip`, RFC 3261, 19.1.4; `msrp`, RFC 4975, 6.1), or disagree (`irc`: 194 and
//! 6667), or do not write the server after "//" (`stun`, `turn`, `iris.beep`).

use crate::scheme::equivalences;

/// Returns the default port of a scheme, whether it is one of [`ALL`](crate::scheme::ALL) or only
/// registered; `None` if it has no known default port.
///
/// ```
/// use locator::scheme::default_port;
///
/// assert_eq!(
///     (default_port("http"), default_port("IMAP"), default_port("urn")),
///     (Some(80), Some(143), None)
/// );
/// ```
#[must_use]
pub fn default_port(name: &str) -> Option<u16> {
    equivalences(name)
        .and_then(|scheme| scheme.port())
        .or_else(|| registered_port(name).map(|(port, _)| port))
}

/// Returns the default port of a scheme by its registration, and the document that defines it: `RFC
/// 5092`.
///
/// ```
/// assert_eq!(
///     locator::scheme::registered_port("ldap"),
///     Some((389, "RFC 4516, 2"))
/// );
/// ```
#[must_use]
pub fn registered_port(name: &str) -> Option<(u16, &'static str)> {
    let found = PORTS.iter().find(|(known, ..)| known.eq_ignore_ascii_case(name));
    found.map(|&(_, port, see)| (port, see))
}

/// Names, ports and documents, sorted by name. `news` has a file here, and without a server it
/// means the user's own.
pub(in crate::scheme) static PORTS: &[(&str, u16, &str)] = &[
    ("aaa", 3868, "RFC 6733, 4.3.1"),
    ("aaas", 5658, "RFC 6733, 4.3.1"),
    ("acap", 674, "RFC 2244"),
    ("afp", 548, "IANA's registry of service names"),
    ("coap", 5683, "RFC 7252, 6.1"),
    ("coap+tcp", 5683, "RFC 8323, 8.1"),
    ("coap+ws", 80, "RFC 8323, 8.3"),
    ("coaps", 5684, "RFC 7252, 6.2"),
    ("coaps+tcp", 5684, "RFC 8323, 8.2"),
    ("coaps+ws", 443, "RFC 8323, 8.4"),
    ("dict", 2628, "RFC 2229, 5"),
    ("dns", 53, "RFC 4501, 3"),
    ("finger", 79, "RFC 1288, 2.1"),
    ("git", 9418, "git-daemon(1)"),
    ("icap", 1344, "RFC 3507, 4.2"),
    ("imap", 143, "RFC 5092"),
    ("ipp", 631, "RFC 3510"),
    ("ipps", 631, "RFC 7472"),
    ("ldap", 389, "RFC 4516, 2"),
    ("ldaps", 636, "IANA's registry of service names"),
    ("mongodb", 27017, "IANA's registry of service names"),
    ("mqtt", 1883, "IANA's registry of service names"),
    ("mqtts", 8883, "IANA's registry of service names"),
    ("mtqp", 1038, "RFC 3887"),
    ("mupdate", 3905, "RFC 3656"),
    ("news", 119, "RFC 5538"),
    ("pop", 110, "RFC 2384"),
    ("redis", 6379, "IANA's registry of service names"),
    ("rediss", 6379, "IANA's registry of URI schemes"),
    ("rsync", 873, "RFC 5781"),
    ("rtmp", 1935, "IANA's registry of service names"),
    ("rtsp", 554, "RFC 7826, 4.2"),
    ("rtsps", 322, "RFC 7826, 4.2"),
    ("rtspu", 554, "RFC 2326, 3.2"),
    ("sftp", 22, "draft-ietf-secsh-scp-sftp-ssh-uri"),
    ("sieve", 4190, "RFC 5804, 3"),
    ("smb", 445, "IANA's registry of service names"),
    ("smtp", 25, "draft-earhart-url-smtp"),
    ("snmp", 161, "RFC 4088"),
    ("soap.beep", 605, "RFC 4227"),
    ("soap.beeps", 605, "RFC 4227"),
    ("ssh", 22, "draft-ietf-secsh-scp-sftp-ssh-uri"),
    ("svn", 3690, "IANA's registry of service names"),
    ("tftp", 69, "RFC 3617"),
    ("vemmi", 575, "RFC 2122"),
    ("vnc", 5900, "RFC 7869"),
    ("xmlrpc.beep", 602, "RFC 3529"),
    ("xmlrpc.beeps", 602, "RFC 3529"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scheme::{Scheme, lookup, status};

    #[test]
    fn every_name_is_registered_once_and_has_no_other_port() {
        assert!(PORTS.is_sorted_by(|a, b| a.0 < b.0));
        for (name, ..) in PORTS {
            assert!(status(name).is_some(), "{name} is not in IANA's registry");
            assert_eq!(lookup(name).and_then(Scheme::default_port), None, "{name}");
        }
    }
}

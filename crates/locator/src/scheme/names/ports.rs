//! Default ports of schemes without a file of their own, as data: takes a name, returns the port of
//! URLs without one, and the document that defines it. Follows the registrations in IANA's registry
//! (RFC 7595).
//!
//! Some schemes are omitted. Their documents compare a URI with the default port and one without a
//! port as different (`sip`, RFC 3261, 19.1.4; `msrp`, RFC 4975, 6.1), or disagree (`irc`: 194 and
//! 6667), or do not write the server after "//" (`stun`, `turn`, `iris.beep`).
//!
//! Where URLs of a scheme connect: takes the name of a scheme and a port, returns whether the port
//! is that of the scheme, or whose it is instead.
//!
//! "It is potentially harmful for client software to use any URL which specifies a port number other
//! than the default for the protocol, especially when it is a number within the reserved space"
//! (draft of 1994, Security considerations): a server of another protocol may execute the text that
//! the URL makes a client send.
//!
//! `SERVICES` is the table "bad port" of the Fetch Standard (commit 586cd2a of 2 July 2026), which
//! browsers and Node refuse for HTTP. `INTERNAL_SERVICES` has those that an attacker lets a server behind a
//! firewall ask, by URLs: their protocols have lines or fixed headers that the text of a request can imitate.

use core::fmt::{self, Display, Formatter};

use crate::scheme::{ALL, equivalences};

/// Returns the default port of a scheme, whether it is one of [`ALL`] or only
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
        .or_else(|| registered_port(name).map(|known| known.port))
}

/// Returns the default port of a scheme by its registration, and the document that defines it: `RFC
/// 5092`.
///
/// ```
/// assert_eq!(
///     locator::scheme::registered_port("ldap").unwrap().to_string(),
///     "389 (RFC 4516, 2)"
/// );
/// ```
#[must_use]
pub fn registered_port(name: &str) -> Option<RegisteredPort> {
    let found = PORTS.iter().find(|(known, ..)| known.eq_ignore_ascii_case(name));
    found.map(|&(_, port, citation)| RegisteredPort { port, citation })
}

/// The default port of a scheme, and the document that defines it.
///
/// ```
/// let known = locator::scheme::registered_port("imap").unwrap();
/// assert_eq!((known.port, known.citation), (143, "RFC 5092"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegisteredPort {
    /// The port.
    pub port: u16,
    /// The document and, if it has sections, the section.
    pub citation: &'static str,
}

impl Display for RegisteredPort {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.port, self.citation)
    }
}

/// Names, ports and documents, sorted by name. `news` has a file here, and without a server it
/// means the user's own.
static PORTS: &[(&str, u16, &str)] = &[
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

/// The schemes of the web.
const WEB: [&str; 2] = ["http", "https"];

/// The schemes of files by FTP.
const FTP: [&str; 2] = ["ftp", "ftps"];

/// Schemes whose answers are menus of other servers' URLs, and the further schemes of these URLs.
const MENUS: [&str; 2] = ["gopher", "prospero"];
const IN_MENUS: [&str; 3] = ["gopher", "wais", "news"];

/// Returns whether an answer by one scheme may lead a client to a URL of another: the web to itself,
/// and to FTP if that is asked for; menus to the web, to FTP and to menus and their documents; other
/// schemes only to themselves. Nothing leads from `https` to `http`, where others could read and
/// change the rest. Names are in lower case.
pub fn may_lead(from: &str, to: &str, web_to_ftp: bool) -> bool {
    let is_menu = MENUS.contains(&from);
    connects(to)
        && (from, to) != ("https", "http")
        && (from == to
            || WEB.contains(&to) && (WEB.contains(&from) || is_menu)
            || FTP.contains(&to) && (WEB.contains(&from) && web_to_ftp || is_menu)
            || IN_MENUS.contains(&to) && is_menu)
}

/// Returns whether a client of the scheme connects to the host of a URL.
pub fn connects(name: &str) -> bool {
    is_web(name) || default_port(name).is_some() || usual_ports(name).is_some()
}

/// Returns the ports of a scheme without a default port; `None` if it has one, or is not known to connect.
fn usual_ports(name: &str) -> Option<&'static [u16]> {
    USUAL_PORTS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|&(_, ports)| ports)
}

/// Returns whether browsers fetch URLs of the scheme, or did.
#[cfg(feature = "text")]
pub(crate) fn is_fetched_by_browsers(name: &str) -> bool {
    is_web(name) || FTP.iter().any(|ftp| ftp.eq_ignore_ascii_case(name))
}

/// Returns whether a scheme is one of the web.
pub(in crate::scheme) fn is_web(name: &str) -> bool {
    WEB.iter().any(|web| web.eq_ignore_ascii_case(name))
}

/// The port of another protocol, or a reserved one, in a URL of a scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForeignPort {
    /// The port of this service.
    Of(&'static str),
    /// A port below 1024, which is not the scheme's.
    Reserved,
}

impl ForeignPort {
    /// Returns the name of the service, if it is known.
    pub const fn service(self) -> Option<&'static str> {
        match self {
            Self::Of(service) => Some(service),
            Self::Reserved => None,
        }
    }
}

/// Returns what is wrong with a port in URLs of a scheme; `None` if nothing is known against it, or
/// if the scheme does not connect.
pub fn foreign_port(scheme: &str, port: u16) -> Option<ForeignPort> {
    let is_other = |(name, other): &(&str, u16)| *other == port && name.eq_ignore_ascii_case(scheme);
    let is_own = match default_port(scheme) {
        Some(own) => port == own || OTHER_PORTS.iter().any(is_other),
        None => usual_ports(scheme)?.contains(&port),
    };
    if is_own {
        return None;
    }
    let mut services = SERVICES.iter().chain(&INTERNAL_SERVICES);
    let service = services.find(|service| service.0 == port).map(|service| service.1);
    let defined = || {
        ALL.iter()
            .find(|other| other.default_port() == Some(port))
            .and_then(|other| other.names().first().copied())
    };
    let registered = || PORTS.iter().find(|(_, other, _)| *other == port).map(|(name, ..)| *name);
    match service.or_else(defined).or_else(registered) {
        Some(service) => Some(ForeignPort::Of(service)),
        None => (port < 1024).then_some(ForeignPort::Reserved),
    }
}

/// Returns what is wrong with a port in a URL that is fetched. Servers of the Web listen on any port,
/// and its clients send a request that few other servers take for commands: of these ports, only
/// those that browsers refuse are refused. For other schemes all ports count that
/// [`foreign_port`] returns.
#[cfg(feature = "plan")]
pub(crate) fn refused_port(scheme: &str, port: u16) -> Option<ForeignPort> {
    let is_bad = || SERVICES.iter().any(|(bad, _)| *bad == port);
    let speaks_http = is_web(scheme) || ["ws", "wss"].iter().any(|name| name.eq_ignore_ascii_case(scheme));
    foreign_port(scheme, port).filter(|_| !speaks_http || is_bad())
}

/// Further ports of a scheme: over TLS (IANA's registry of service names), or those that its
/// document names: 105 of CSO, to which gopher items refer, 63 of WHOIS++, to which the draft of 1993
/// refers.
static OTHER_PORTS: [(&str, u16); 13] = [
    ("ftps", 21),
    ("gopher", 105),
    ("imap", 993),
    ("ldap", 636),
    ("news", 563),
    ("nntp", 563),
    ("pop", 995),
    ("prospero", 191),
    ("smtp", 465),
    ("smtp", 587),
    ("snews", 119),
    ("telnet", 992),
    ("whois", 63),
];

/// Schemes that connect, but have no default port: their documents disagree about it, or name none, or the
/// scheme is not registered. With each are the ports of its service (IANA's registry of service names) and
/// those that servers use.
#[rustfmt::skip]
static USUAL_PORTS: [(&str, &[u16]); 21] = [
    ("amqp", &[5672]), ("amqps", &[5671]), ("cifs", &[139, 445]), ("git+ssh", &[22]), ("gophers", &[70]),
    ("imaps", &[143, 993]), ("irc", &[194, 6665, 6666, 6667, 6668, 6669]),
    ("irc6", &[194, 6665, 6666, 6667, 6668, 6669]), ("ircs", &[994, 6697]), ("memcached", &[11211]),
    ("msrp", &[2855]), ("msrps", &[2855]), ("mysql", &[3306]), ("nntps", &[119, 563]),
    ("pop3", &[110, 995]), ("postgres", &[5432]), ("postgresql", &[5432]), ("rwhois", &[4321]),
    ("smtps", &[465]), ("svn+ssh", &[22]), ("whois++", &[43, 63]),
];

/// The ports that browsers refuse, with IANA's names of the services; those without a name are
/// called by their use.
#[rustfmt::skip]
static SERVICES: [(u16, &str); 82] = [
    (1, "tcpmux"), (7, "echo"), (9, "discard"), (11, "systat"), (13, "daytime"), (15, "netstat"),
    (17, "qotd"), (19, "chargen"), (20, "ftp-data"), (21, "ftp"), (22, "ssh"), (23, "telnet"),
    (25, "smtp"), (37, "time"), (42, "name"), (43, "nicname"), (53, "domain"), (69, "tftp"),
    (77, "rje"), (79, "finger"), (87, "ttylink"), (95, "supdup"), (101, "hostname"), (102, "iso-tsap"),
    (103, "gppitnp"), (104, "acr-nema"), (109, "pop2"), (110, "pop3"), (111, "sunrpc"), (113, "auth"),
    (115, "sftp"), (117, "uucp-path"), (119, "nntp"), (123, "ntp"), (135, "epmap"), (137, "netbios-ns"),
    (139, "netbios-ssn"), (143, "imap"), (161, "snmp"), (179, "bgp"), (389, "ldap"), (427, "svrloc"),
    (465, "submissions"), (512, "exec"), (513, "login"), (514, "shell"), (515, "printer"),
    (526, "tempo"), (530, "courier"), (531, "chat"), (532, "netnews"), (540, "uucp"), (548, "afp"),
    (554, "rtsp"), (556, "remotefs"), (563, "nntps"), (587, "submission"), (601, "syslog-conn"),
    (636, "ldaps"), (989, "ftps-data"), (990, "ftps"), (993, "imaps"), (995, "pop3s"),
    (1719, "h323gatestat"), (1720, "h323hostcall"), (1723, "pptp"), (2049, "nfs"), (3659, "apple-sasl"),
    (4045, "npp"), (4190, "sieve"), (5060, "sip"), (5061, "sips"), (6000, "x11"), (6566, "sane-port"),
    (6665, "ircu"), (6666, "ircu"), (6667, "ircu"), (6668, "ircu"), (6669, "ircu"), (6679, "osaut"),
    (6697, "ircs-u"), (10080, "amanda"),
];

/// Ports of servers that are for programs of the same network, with IANA's names of the services or those of
/// their programs. Servers that speak HTTP (Elasticsearch, CouchDB) are not here.
#[rustfmt::skip]
static INTERNAL_SERVICES: [(u16, &str); 42] = [
    (1099, "rmiregistry"), (1433, "ms-sql-s"), (1521, "oracle"), (2003, "graphite"), (2004, "graphite"),
    (2181, "zookeeper"), (2375, "docker"), (2376, "docker-s"), (2379, "etcd-client"), (2380, "etcd-server"),
    (2888, "zookeeper"), (3260, "iscsi-target"), (3306, "mysql"), (3389, "ms-wbt-server"), (3888, "zookeeper"),
    (4222, "nats"), (4369, "epmd"), (4730, "gearman"), (5432, "postgresql"), (5433, "postgresql"),
    (5671, "amqps"), (5672, "amqp"), (6222, "nats"), (6380, "redis"), (7687, "bolt"),
    (8009, "ajp"), (8125, "statsd"), (9000, "fastcgi"), (9042, "cassandra"), (9092, "kafka"),
    (9100, "hp-pdl-datastr"), (10050, "zabbix-agent"), (10051, "zabbix-trapper"), (11211, "memcached"),
    (11300, "beanstalkd"), (16379, "redis"), (26257, "cockroachdb"), (26379, "redis-sentinel"),
    (27018, "mongodb"), (27019, "mongodb"), (61613, "stomp"), (61616, "openwire"),
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

    #[test]
    fn ports_of_services_are_sorted() {
        assert!(SERVICES.is_sorted_by(|one, other| one.0 < other.0));
        assert!(INTERNAL_SERVICES.is_sorted_by(|one, other| one.0 < other.0));
        assert!(!INTERNAL_SERVICES.iter().any(|(port, _)| SERVICES.iter().any(|(other, _)| other == port)));
        assert!(OTHER_PORTS.iter().all(|(name, port)| default_port(name).is_some_and(|own| own != *port)));
        assert!(USUAL_PORTS.is_sorted_by(|one, other| one.0 < other.0));
        assert!(USUAL_PORTS.iter().all(|(name, _)| default_port(name).is_none()));
    }

    #[test]
    fn answers_lead_to_few_schemes() {
        for (from, to, expected) in [
            ("http", "https", [true; 2]),
            ("https", "http", [false; 2]),
            ("https", "https", [true; 2]),
            ("http", "ftp", [false, true]),
            ("https", "ftps", [false, true]),
            ("http", "gopher", [false; 2]),
            ("http", "file", [false; 2]),
            ("http", "data", [false; 2]),
            ("http", "mailto", [false; 2]),
            ("http", "javascript", [false; 2]),
            ("http", "telnet", [false; 2]),
            ("gopher", "http", [true; 2]),
            ("gopher", "ftp", [true; 2]),
            ("gopher", "wais", [true; 2]),
            ("gopher", "news", [true; 2]),
            ("gopher", "telnet", [false; 2]),
            ("gopher", "file", [false; 2]),
            ("gopher", "prospero", [false; 2]),
            ("prospero", "prospero", [true; 2]),
            ("prospero", "gopher", [true; 2]),
            ("ftp", "ftp", [true; 2]),
            ("ftp", "http", [false; 2]),
            ("wais", "wais", [true; 2]),
            ("wais", "gopher", [false; 2]),
            ("file", "file", [false; 2]),
            ("unknown", "unknown", [false; 2]),
        ] {
            let found = [false, true].map(|web_to_ftp| may_lead(from, to, web_to_ftp));
            assert_eq!(found, expected, "{from} to {to}");
        }
    }

    #[test]
    fn foreign_ports() {
        use ForeignPort::{Of, Reserved};
        for (scheme, port, expected) in [
            ("http", 80, None),
            ("HTTP", 8080, None),
            ("http", 25, Some(Of("smtp"))),
            ("http", 443, Some(Of("https"))),
            ("http", 81, Some(Reserved)),
            ("http", 6379, Some(Of("redis"))),
            ("http", 9200, None),
            ("https", 11211, Some(Of("memcached"))),
            ("memcached", 11211, None),
            ("gopher", 9000, Some(Of("fastcgi"))),
            ("ftp", 3306, Some(Of("mysql"))),
            ("gopher", 25, Some(Of("smtp"))),
            ("gopher", 105, None),
            ("imap", 993, None),
            ("ftp", 20, Some(Of("ftp-data"))),
            ("git", 80, Some(Of("http"))),
            ("irc", 6667, None),
            ("IRC", 22, Some(Of("ssh"))),
            ("svn+ssh", 25, Some(Of("smtp"))),
            ("urn", 25, None),
            ("unknown", 25, None),
        ] {
            assert_eq!(foreign_port(scheme, port), expected, "{scheme} {port}");
        }
    }
}

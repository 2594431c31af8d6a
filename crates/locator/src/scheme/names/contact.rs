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

use super::ports::PORTS;
use crate::scheme::{ALL, default_port};

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

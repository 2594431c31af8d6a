//! Attacks that are documented, by the finding that reports them: takes the name of a code, returns what was done with such
//! a URL, and where that is described. `locator audit --explain CODE` shows it.
//!
//! ```
//! let code = locator_audit::code("looks-like-option").unwrap();
//! let attack = code.attack().unwrap();
//! assert_eq!(attack.source(), "CVE-2017-1000117");
//! assert!(attack.description().contains("git"));
//! ```

use crate::finding::Code;

/// A documented attack with URLs that have a finding.
///
/// ```
/// let with_attack = locator_audit::codes().filter(|code| code.attack().is_some()).count();
/// assert!(with_attack > 30);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attack {
    description: &'static str,
    source: &'static str,
}

impl Attack {
    /// Returns what was done, in a sentence or two.
    #[must_use]
    pub const fn description(&self) -> &'static str {
        self.description
    }

    /// Returns where it is described: an advisory, a talk or an article.
    #[must_use]
    pub const fn source(&self) -> &'static str {
        self.source
    }
}

impl Code {
    /// Returns an attack with URLs that have a finding of this code; `None` if none is known to be documented.
    #[must_use]
    pub fn attack(&self) -> Option<Attack> {
        let found = ATTACKS.iter().find(|(name, ..)| *name == self.name());
        found.map(|&(_, description, source)| Attack { description, source })
    }
}

/// The codes, with what was done and where it is described.
#[rustfmt::skip]
static ATTACKS: [(&str, &str, &str); 44] = [
    ("absolute-when-decoded",
        "Filters that look for \"javascript:\" let java&#115;cript: and javascript&colon; pass, which browsers decode in an \
        attribute.",
        "OWASP, XSS Filter Evasion Cheat Sheet"),
    ("abused-handler",
        "A document opened an ms-msdt URL, whose arguments made the diagnostic tool of Windows run PowerShell (Follina).",
        "CVE-2022-30190"),
    ("backslash",
        "A check by url-parse read http:\\/… as a relative path, and browsers a host, so that redirects left the site.",
        "CVE-2021-27515"),
    ("bidi-character",
        "Messengers drew a URL with U+202E so that its end was read backwards: gepj.xyz looked like zyx.jpeg.",
        "CVE-2020-20093"),
    ("code-scheme",
        "A profile or a comment has a link whose href is a javascript URL; whoever follows it runs it in the site (XSS).",
        "OWASP, Cross Site Scripting Prevention Cheat Sheet"),
    ("control-character",
        "urllib.parse of Python kept line breaks that browsers remove, so a check saw another URL than was opened.",
        "CVE-2022-0391"),
    ("data-document",
        "A mail opened data:text/html,https://accounts.google.com/… with a script after many spaces: the address bar showed \
        the name of Google above a form of somebody else.",
        "Wordfence, Wide Impact: Highly Effective Gmail Phishing Technique, 2017"),
    ("delimiter-by-nfkc",
        "Characters such as U+2100 become \"a/c\" by NFKC: a check saw one host, and the program contacted another.",
        "CVE-2019-9636; J. Birch, HostSplit, Black Hat USA 2019"),
    ("disguised-address",
        "A check read 0177.0.0.1 as 177.0.0.1, a public address; the program that connected read 127.0.0.1.",
        "CVE-2021-29921"),
    ("dots-above-root",
        "A server joined the path to its directory and sent a file of the system.",
        "CWE-22"),
    ("dots-with-parameter",
        "A proxy allowed /tmui/login.jsp/..;/…, because it did not see the dots; the server behind it ran the administration \
        page.",
        "CVE-2020-5902; O. Tsai, Breaking Parser Logic, Black Hat USA 2018"),
    ("double-escape",
        "A server checked the path, decoded it once more, and ran a program above its directory.",
        "CVE-2001-0333"),
    ("double-escaped-delimiter",
        "A server checked the path, decoded it once more, and ran a program above its directory.",
        "CVE-2001-0333"),
    ("escaped-dots",
        "A web server sent files from above its directory for /cgi-bin/.%2e/.",
        "CVE-2021-41773"),
    ("escaped-host-delimiter",
        "curl accepted an escaped \"/\" in a host, so that http://good.example%2Fevil.example/ passed checks for one host and \
        was sent to the other.",
        "CVE-2022-27780"),
    ("escaped-line-break",
        "A client of HTTP wrote the decoded line break, so that a URL had a second request: to Redis, mail or memcached.",
        "CVE-2016-5699; O. Tsai, A New Era of SSRF, Black Hat USA 2017"),
    ("file-with-host",
        "Outlook followed a path of a foreign server in a reminder, and sent the hash of the user's password.",
        "CVE-2023-23397"),
    ("foreign-port",
        "A page sent a request to the port of another protocol, so that the router opened a port of the network (NAT \
        slipstreaming).",
        "CVE-2020-16022"),
    ("gateway",
        "A mail linked to a page for passwords through Google Translate: the address bar showed a host of Google.",
        "L. Cashdollar, Phishing Attacks Against Facebook / Google via Google Translate, Akamai, 2019"),
    ("imitates-protected-name",
        "\"apple\" in Cyrillic letters was registered, and browsers showed it as apple.com.",
        "X. Zheng, Phishing with Unicode Domains, 2017"),
    ("internal-address",
        "A server for mail sent requests to its own backend for anybody, and was taken over (ProxyLogon).",
        "CVE-2021-26855"),
    ("leaves-base",
        "A link to a trusted site ends at another one, which asks for the password once more.",
        "CWE-601; OWASP, Unvalidated Redirects and Forwards Cheat Sheet"),
    ("local-file",
        "A list of videos made FFmpeg read a local file and send it to a server.",
        "CVE-2016-1897"),
    ("login-ends-elsewhere",
        "parse_url of PHP took the host after \"?@\" or \"#@\", so that a check saw one host; what connected took the one before it.",
        "CVE-2016-10397"),
    ("looks-like-option",
        "git passed the host to ssh: ssh://-oProxyCommand=… ran a command.",
        "CVE-2017-1000117"),
    ("metadata-address",
        "A firewall fetched the URL for a stranger: the credentials in the answer opened the data of 100 million customers.",
        "Capital One, 2019: complaint in United States v. Thompson"),
    ("misleading-text",
        "In a study, 23 % of the people looked neither at the address bar nor at the status bar, which shows where a link leads.",
        "R. Dhamija and others, Why Phishing Works, CHI 2006"),
    ("mixed-scripts",
        "A name with two Cyrillic letters was registered and looked like microsoft.com.",
        "E. Gabrilovich and A. Gontmakher, The Homograph Attack, 2002"),
    ("odd-ip-literal",
        "urlsplit of Python accepted any text in brackets as a host, which other programs read differently.",
        "CVE-2024-11168"),
    ("odd-ipv4",
        "A check by the package \"ip\" took 0x7f.1 for a public address; the request went to the machine itself.",
        "CVE-2023-42282"),
    ("overlong-utf8",
        "A server decoded %c0%af to \"/\" after it had looked for \"../\".",
        "CVE-2000-0884"),
    ("readers-disagree",
        "A check read one host in http://1.1.1.1 &@2.2.2.2# @3.3.3.3/, and the client contacted another.",
        "O. Tsai, A New Era of SSRF, Black Hat USA 2017"),
    ("redirect-parameter",
        "Services sent tokens of a login to the URL in redirect_uri, from where an open redirect passed them on.",
        "Covert Redirect, 2014; RFC 6819, 4.2.4"),
    ("short-link",
        "Short links to shared folders were found by trying all of them: some let anybody write into the folder.",
        "M. Georgiev and V. Shmatikov, Gone in Six Characters, 2016"),
    ("trailing-dot",
        "curl did not find a host with a dot at its end in its list of hosts for HTTPS only, and sent it unencrypted requests.",
        "CVE-2022-30115"),
    ("unexpected-host",
        "Sixteen libraries were compared, and read URLs with too few or too many slashes, or with backslashes, differently; \
        eight advisories followed.",
        "Claroty and Snyk, Exploiting URL Parsing Confusion, 2022"),
    ("userinfo-like-host",
        "Internet Explorer showed only what was before %01@, so that a mail could show any host.",
        "CVE-2003-1025"),
    ("white-space-around",
        "A list of forbidden schemes and hosts did not match a URL with a space before it, which was opened nevertheless.",
        "CVE-2023-24329"),
    ("whole-script-confusable",
        "\"apple\" in Cyrillic letters was registered, and browsers showed it as apple.com.",
        "X. Zheng, Phishing with Unicode Domains, 2017"),
    ("wildcard-dns-name",
        "A page changed the address of its name to 127.0.0.1, and gave commands to a program of the reader (DNS rebinding).",
        "CVE-2018-5702"),
    ("private-address-in-name",
        "A page changed the address of its name to 127.0.0.1, and gave commands to a program of the reader (DNS rebinding).",
        "CVE-2018-5702"),
    ("wrapped-link",
        "Mails came from stolen accounts whose provider wraps links, so that links to pages for passwords had its name.",
        "Cloudflare, Attackers abusing Proofpoint and Intermedia link wrapping, 2025"),
    ("credential",
        "Thousands of tokens are published in code every day, where programs find them.",
        "M. Meli and others, How Bad Can It Git?, NDSS 2019"),
    ("token",
        "A token in a URL stayed in the history of a browser, where somebody else found it.",
        "RFC 6819, 4.4.2.2"),
];

#[cfg(test)]
mod tests {
    use super::ATTACKS;

    #[test]
    fn each_attack_is_of_one_code() {
        for (at, (name, description, source)) in ATTACKS.iter().enumerate() {
            assert!(crate::code(name).is_some(), "{name}");
            assert!(!ATTACKS[..at].iter().any(|(other, ..)| other == name), "{name}");
            assert!(description.ends_with('.') && !source.is_empty(), "{name}");
        }
    }
}

//! The text of a link against where it leads: takes a URL and the text that a reader sees, returns a finding if the text
//! names a host of another registered domain. It is the oldest trick of phishing: `<a
//! href="https://evil.example/">https://www.mybank.example/</a>`.
//!
//! A text names a host if it is a URL or a host itself, or if a word of it is: a word that begins with a scheme and "//" or
//! with "www.", and in other words a host that is a name of `--protect` or of the built-in list, or in a sentence that asks
//! to log in. Other hosts in sentences are often names of programs, and worth less. The text is compared as it is drawn
//! (`as_read`), the link as browsers read it, and a link of a known service by the URL that it contains.
//!
//! ```text
//! let finding = mismatch(&Link { url: "https://evil.example.net/", base: None }, "www.example.com", None)?;
//! assert_eq!(finding.code().name(), "misleading-text");
//! ```

use alloc::borrow::{Cow, ToOwned};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::net::{IpAddr, Ipv6Addr};
use core::ops::Range;

use crate::address::Reach;
use crate::checks::MISLEADING_TEXT;
use crate::divided::Divided;
use crate::domain::brands::{BrandClass, brands};
use crate::domain::labels::{decoded, labels};
use crate::domain::look::push_ascii;
use crate::domain::special::is_within;
use crate::finding::{Finding, Severity};
use crate::protected::Protected;
use crate::readers::Contact;
use crate::schemes;
use crate::services::{ServiceKind, service};
use crate::unwrap;
use locator::{AddressReader, Component, edition, internal::ascii_form};
use locator_domain::Rules;
use locator_whatwg::Url;

/// A link of a document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link<'a> {
    pub(crate) url: &'a str,
    /// The server that the link contacts if it names none.
    pub(crate) base: Option<&'a Contact>,
}

/// Returns the finding about a link with this text; `None` if the text names no host, or the one that the link leads to.
/// Names that are protected are worth more than others.
pub(crate) fn mismatch(link: &Link<'_>, text: &str, protected: Option<&Protected>) -> Option<Finding> {
    let text = as_read(text);
    let text = Text { read: &text, protected };
    let named = text.hosts();
    let target = Target::of(link)?;
    let site = Site::of(target.reaches());
    let owns = |host: &str| protected.is_some_and(|protected| protected.owns(labels(host)));
    if owns(&site.0) || named.iter().any(|named| named.site.is(&site)) {
        return None;
    }
    let Some((named, worth)) = text.most_serious(&named, &site, &target.path_of_project(link.url, &site))
    else {
        return text.finding_of_name(&target);
    };
    let severity = match target.service {
        Some(ServiceKind::Tracker | ServiceKind::Gateway) => Severity::Info,
        Some(ServiceKind::Shortener) => worth.min(Severity::Low),
        None => worth,
    };
    let message = match target.service {
        Some(ServiceKind::Tracker) => {
            format!("the text of the link names {}, the link a service that counts clicks", named.host)
        }
        _ => format!("the text of the link names {}, the link leads to {}", named.host, target.reaches()),
    };
    Some(target.finding().severe(severity).saying(message))
}

/// Where a link leads.
struct Target<'a> {
    host: Cow<'a, str>,
    component: Component,
    span: Range<usize>,
    /// The host of the URL within the links of services.
    inner: Option<String>,
    /// What the host is known for, if the URL that it leads to is not known.
    service: Option<ServiceKind>,
}

impl<'a> Target<'a> {
    /// Returns `None` if the link leads to no host, or not by the protocol of the web.
    fn of(link: &Link<'a>) -> Option<Self> {
        let url = link.url;
        let divided = Divided::new(url, edition::DEFAULT);
        let is_web = schemes::WEB.iter().any(|scheme| scheme.eq_ignore_ascii_case(divided.scheme()));
        if !is_web && !divided.scheme().is_empty() {
            return None;
        }
        let written = divided.get(Component::Host).zip(divided.span(Component::Host));
        let (host, component, span) = match written.filter(|(host, _)| !host.is_empty()) {
            Some((host, span)) => (Cow::Borrowed(host), Component::Host, span),
            // Browsers need no slashes, and read "\\" as one.
            None if is_web => {
                (Url::parse(url).ok()?.host_str()?.to_owned().into(), Component::Path, 0..url.len())
            }
            None => (link.base?.host().to_string().into(), Component::Path, 0..url.len()),
        };
        let wrapped = innermost(url);
        let inner = wrapped.as_deref().and_then(host_of);
        let service = if wrapped.is_some() { None } else { service(&host) };
        Some(Self { host, component, span, inner, service })
    }

    /// Returns the host that is reached in the end.
    fn reaches(&self) -> &str {
        self.inner.as_deref().unwrap_or(&self.host)
    }

    /// Returns what follows the host in lower case, if the site has pages about programs of others; else nothing.
    fn path_of_project(&self, url: &str, site: &Site) -> String {
        let is_known = PROJECTS.contains(&site.0.as_str());
        let path = url.get(self.span.end..).filter(|_| is_known).unwrap_or_default();
        path.to_ascii_lowercase()
    }

    fn finding(&self) -> Finding {
        Finding::new(&MISLEADING_TEXT, self.component, self.span.clone())
    }
}

/// Sites with pages about programs, whose names may be hosts, too: "socket.io".
#[rustfmt::skip]
static PROJECTS: [&str; 17] = [
    "github.com", "gitlab.com", "bitbucket.org", "codeberg.org", "sourceforge.net", "npmjs.com", "npmjs.org",
    "pypi.org", "crates.io", "docs.rs", "packagist.org", "rubygems.org", "nuget.org", "docker.com", "wikipedia.org",
    "jsdelivr.com", "go.dev",
];

/// Returns the URL within the links of services.
fn innermost(url: &str) -> Option<String> {
    const MOST: usize = 4;
    let mut found: Option<String> = None;
    for _ in 0..MOST {
        let Some(link) = unwrap::wrapped_link(found.as_deref().unwrap_or(url)) else { break };
        let Some(target) = link.target() else { break };
        found = Some(target.to_owned());
    }
    found
}

fn host_of(url: &str) -> Option<String> {
    let host = Divided::new(url, edition::DEFAULT).get(Component::Host)?;
    (!host.is_empty()).then(|| host.to_owned())
}

/// What belongs to one owner: a registered domain in lower case, an address, or a host without either.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Site(String);

impl Site {
    fn of(host: &str) -> Self {
        if let Some(address) = address(host) {
            return Self(address.to_string());
        }
        let ascii = ascii_form(decoded(host).as_bytes());
        let name = ascii.as_deref().unwrap_or(host).trim_end_matches('.').to_ascii_lowercase();
        if name == "localhost" {
            return Self("127.0.0.1".to_owned());
        }
        Self(registered(&name).map(ToOwned::to_owned).unwrap_or(name))
    }

    /// Returns whether both have one owner.
    fn is(&self, other: &Self) -> bool {
        let alias = |site: &Self| OWNERS.iter().position(|names| names.contains(&site.0.as_str()));
        self == other || alias(self).is_some_and(|owner| alias(other) == Some(owner))
    }

    /// Returns whether both have one label under suffixes of registries: `amazon.com` and `amazon.de`.
    fn has_label_of(&self, other: &Self) -> bool {
        let label = |site: &Self| {
            let domain = locator_domain::registered_domain(&site.0, Rules::Icann)?;
            (domain == site.0).then(|| domain.split('.').next().unwrap_or_default().to_owned())
        };
        label(self).is_some_and(|one| Some(one) == label(other))
    }
}

/// Returns the address that a host is, in any form that browsers read.
fn address(host: &str) -> Option<IpAddr> {
    if let Some(literal) = host.strip_prefix('[') {
        let address = literal.strip_suffix(']').unwrap_or(literal).parse::<Ipv6Addr>().ok()?;
        return Some(IpAddr::V6(address).to_canonical());
    }
    host.as_bytes().first().filter(|octet| octet.is_ascii_digit())?;
    AddressReader::Url.read(host).map(IpAddr::V4)
}

/// Returns the registered domain of a name in lower case. Names in "github.io" are of anybody.
fn registered(name: &str) -> Option<&str> {
    locator_domain::registered_domain(name, Rules::Private)
}

/// Sites with several domains, of which texts name one and links another.
#[rustfmt::skip]
static OWNERS: [&[&str]; 12] = [
    &["youtube.com", "youtu.be"],
    &["twitter.com", "x.com", "t.co"],
    &["facebook.com", "fb.com", "fb.me"],
    &["telegram.org", "telegram.me", "t.me"],
    &["discord.com", "discord.gg", "discordapp.com"],
    &["github.com", "githubusercontent.com", "git.io"],
    &["linkedin.com", "lnkd.in"],
    &["microsoft.com", "aka.ms", "office.com", "live.com"],
    &["google.com", "goo.gl", "g.co", "forms.gle"],
    &["whatsapp.com", "wa.me"],
    &["amazon.com", "amzn.to", "a.co"],
    &["reddit.com", "redd.it"],
];

/// Returns a text as it is drawn: without characters that are not seen, with what looks like ASCII as ASCII, and with what
/// is drawn from right to left (U+202E) in the order in which it is read.
fn as_read(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let (mut read, mut backwards) = (String::with_capacity(text.len()), None);
    for c in text.chars() {
        match c {
            '\u{202E}' => backwards = backwards.or(Some(read.len())),
            '\u{202C}' | '\n' => {
                turn(&mut read, backwards.take());
                if c == '\n' {
                    read.push(c);
                }
            }
            '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202D}' | '\u{E0000}'..='\u{E0FFF}' => {}
            _ => push_ascii(c, &mut read),
        }
    }
    turn(&mut read, backwards);
    Cow::Owned(read)
}

/// Reverses a text from a position on.
fn turn(text: &mut String, from: Option<usize>) {
    if let Some(from) = from {
        let end = text.split_off(from);
        text.extend(end.chars().rev());
    }
}

/// How a text names a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Naming {
    /// As a URL, or with "www.".
    Url,
    /// The whole text is a host, with a path or without, which may also be the name of something else.
    Whole,
    /// In other words.
    Word,
}

/// A host that a text names.
struct NamedHost<'a> {
    host: &'a str,
    site: Site,
    naming: Naming,
}

/// A text of a link as it is read.
struct Text<'a> {
    read: &'a str,
    protected: Option<&'a Protected>,
}

/// How many words of a text are looked at.
const WORDS: usize = 256;

/// Characters that divide words, besides white space.
const DIVIDERS: &[char] = &[
    '<', '>', '(', ')', '"', '|', ',', ';', '\u{201C}', '\u{201D}', '\u{201E}', '\u{AB}', '\u{BB}',
    '\u{2192}',
];

/// Characters around a word that are not its own.
const AROUND: &[char] = &['[', ']', '\'', '.', '!', '*', '\u{2026}', '\u{2019}'];

impl<'a> Text<'a> {
    fn hosts(&self) -> Vec<NamedHost<'a>> {
        let words = || {
            let words = self.read.split(|c: char| c.is_whitespace() || DIVIDERS.contains(&c));
            words.filter(|word| !word.is_empty()).take(WORDS)
        };
        let is_alone = words().nth(1).is_none();
        words().filter_map(|word| self.named(word, is_alone)).collect()
    }

    /// Returns the host that a word names.
    fn named(&self, word: &'a str, is_alone: bool) -> Option<NamedHost<'a>> {
        let word = word.trim_matches(AROUND);
        let start = start_of_host(word);
        let rest = word.get(start.unwrap_or(0)..)?.trim_start_matches('/');
        let end = rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len());
        let (authority, after) = (rest.get(..end)?, rest.get(end..)?);
        let (before, login) = authority.split_once('@').unwrap_or((authority, ""));
        // An address of mail names no site. A reader takes what is before the "@" of a URL for the host.
        if !login.is_empty() && start.is_none() {
            return None;
        }
        let read = [before, login].into_iter().find_map(|host| self.host_in(host))?;
        let naming = match start {
            Some(_) => Naming::Url,
            None if is_alone => Naming::Whole,
            None => Naming::Word,
        };
        let is_name = address(read).is_none();
        let is_other = match naming {
            Naming::Url => false,
            Naming::Whole => is_name && after.len() < 2 && is_name_of_file(read),
            // A number of four parts is a version, and "end.It" a sentence whose space is missing.
            Naming::Word => !is_name || is_name_of_file(read) || has_late_capital(read),
        };
        (!is_other).then(|| NamedHost { host: read, site: Site::of(read), naming })
    }

    /// Returns the host that a text begins with, before a port and before letters that follow without a space, as in Chinese.
    fn host_in(&self, text: &'a str) -> Option<&'a str> {
        if text.starts_with('[') {
            let end = text.find(']').map_or(text.len(), |end| end + 1);
            return text.get(..end).filter(|literal| address(literal).is_some());
        }
        let host = text.split(':').next().unwrap_or_default().trim_end_matches('.');
        let ascii = host.find(|c: char| !c.is_ascii()).and_then(|end| host.get(..end));
        [Some(host), ascii.map(|host| host.trim_end_matches('.'))]
            .into_iter()
            .flatten()
            .find(|host| self.is_host(host))
    }

    fn is_host(&self, host: &str) -> bool {
        let is_quad = || host.split('.').count() == 4 && address(host).is_some();
        registered(&Site::of(host).0).is_some()
            || is_quad()
            || !host.is_empty() && self.protected.is_some_and(|protected| protected.owns(labels(host)))
    }

    /// Returns the host that misleads most, and how much.
    fn most_serious<'n>(
        &self,
        named: &'n [NamedHost<'a>],
        target: &Site,
        path: &str,
    ) -> Option<(&'n NamedHost<'a>, Severity)> {
        let with_worth = named.iter().filter_map(|named| Some((named, self.worth(named, target, path)?)));
        with_worth.reduce(|one, other| if other.1 > one.1 { other } else { one })
    }

    /// Returns how much it misleads that a text names a host, and not the site that the link leads to.
    fn worth(&self, named: &NamedHost<'_>, target: &Site, path: &str) -> Option<Severity> {
        let is_protected = self.protected.is_some_and(|protected| protected.owns(labels(named.host)));
        let class = brands()
            .find(|brand| brand.domains.iter().any(|domain| is_within(&named.site.0, domain)))
            .map(|brand| brand.class)
            .filter(|class| *class != BrandClass::Shared);
        // "socket.io" is the name of a project, too.
        let is_project = || path.contains(&named.host.to_ascii_lowercase());
        if named.site.has_label_of(target) && !is_protected && class != Some(BrandClass::Coined) {
            return Some(Severity::Low);
        }
        let is_known = is_protected || class.is_some();
        let is_internal = address(named.host).is_some_and(|address| Reach::of(address) == Reach::ThisMachine);
        match named.naming {
            _ if is_known => Some(MISLEADING_TEXT.severity),
            // The documentation of a program names the address where it runs.
            Naming::Url if is_internal => Some(Severity::Low),
            Naming::Url => Some(MISLEADING_TEXT.severity),
            Naming::Whole if is_project() || address(named.host).is_some() => Some(Severity::Low),
            // "semver.inc" is a function.
            Naming::Whole if !has_familiar_suffix(named.host) => Some(Severity::Low),
            Naming::Whole => Some(MISLEADING_TEXT.severity),
            Naming::Word if self.asks_to_log_in() => Some(MISLEADING_TEXT.severity),
            Naming::Word if is_project() => None,
            Naming::Word => Some(Severity::Low),
        }
    }

    /// Returns whether a text has words with which people are made to give a secret away.
    fn asks_to_log_in(&self) -> bool {
        let lower = self.read.to_ascii_lowercase();
        LOGIN_WORDS.iter().any(|words| lower.contains(words))
    }

    /// Returns the finding about a text that has no host, but the name of one that is protected, and asks to log in.
    fn finding_of_name(&self, target: &Target<'_>) -> Option<Finding> {
        let mention = self.protected.filter(|_| self.asks_to_log_in())?.word_in_path(self.read)?;
        if target.service.is_some() {
            return None;
        }
        let name = mention.name();
        let message =
            format!("the text of the link has the name of {name}, the link leads to {}", target.reaches());
        Some(target.finding().severe(Severity::Low).saying(message))
    }
}

/// Words of texts that ask for a secret.
static LOGIN_WORDS: [&str; 14] = [
    "log in", "login", "log on", "logon", "sign in", "sign-in", "signin", "verify", "confirm", "password",
    "account", "unlock", "banking", "wallet",
];

/// Returns where the host of a URL begins in a word: after the scheme, or at "www."; `None` without either.
fn start_of_host(word: &str) -> Option<usize> {
    let lower = word.to_ascii_lowercase();
    let before = |at: usize| lower.get(..at).unwrap_or_default();
    let is_web = |at: &usize| schemes::WEB.iter().any(|scheme| before(*at).ends_with(scheme));
    let is_first = |at: &usize| {
        !before(*at).ends_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | '@'))
    };
    let after_scheme = lower.match_indices("://").map(|(at, _)| at).find(is_web).map(|at| at + 3);
    after_scheme.or_else(|| lower.match_indices("www.").map(|(at, _)| at).find(is_first))
}

/// Returns whether the last label of a host has a capital letter, and the first has another letter.
fn has_late_capital(host: &str) -> bool {
    let has_capital = |text: &str| text.bytes().any(|octet| octet.is_ascii_uppercase());
    let (first, last) =
        (host.split('.').next().unwrap_or_default(), host.rsplit('.').next().unwrap_or_default());
    has_capital(last) && first.bytes().any(|octet| octet.is_ascii_lowercase())
}

/// Returns whether people take a name with this suffix for a host, and not for a word of a program.
fn has_familiar_suffix(host: &str) -> bool {
    let top = host.rsplit('.').next().unwrap_or_default();
    let is_one = |known: &&str| known.eq_ignore_ascii_case(top);
    top.len() == 2 || !top.is_ascii() || FAMILIAR.iter().any(is_one)
}

/// Suffixes of no country that most sites have.
static FAMILIAR: [&str; 15] = [
    "com", "net", "org", "edu", "gov", "mil", "int", "info", "biz", "bank", "shop", "store", "online",
    "site", "xyz",
];

/// Returns whether a host is rather the name of a file or of a program: `README.md`, `ASP.NET`.
fn is_name_of_file(host: &str) -> bool {
    let top = host.rsplit('.').next().unwrap_or_default();
    let is_one = |known: &&str| known.eq_ignore_ascii_case(top);
    EXTENSIONS.iter().any(is_one) || host.ends_with(".NET") || host.ends_with(".Net")
}

/// Extensions of files that are top-level domains, too.
#[rustfmt::skip]
static EXTENSIONS: [&str; 17] = [
    "md", "rs", "py", "sh", "pl", "pm", "ps", "cc", "so", "mk", "ml", "hs", "st", "vi", "zip", "mov", "cab",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn found(url: &str, text: &str, protected: Option<&Protected>) -> Option<Finding> {
        mismatch(&Link { url, base: None }, text, protected)
    }

    #[test]
    fn texts_and_targets() {
        for (url, text, expected) in [
            ("https://evil.example.net/", "https://www.paypal.com/login", Some(Severity::Medium)),
            ("https://evil.example.net/", "www.paypal.com", Some(Severity::Medium)),
            ("https://evil.example.net/", "PayPal.com", Some(Severity::Medium)),
            ("https://evil.example.net/", "paypal.com/login", Some(Severity::Medium)),
            ("https://evil.example.net/", "Log in at https://paypal.com now", Some(Severity::Medium)),
            ("https://evil.example.net/", "Log in at www.mybank.com now", Some(Severity::Medium)),
            ("https://mybank.com.evil.example.net/", "mybank.com", Some(Severity::Medium)),
            ("https://evil.example.net/mybank.com/", "mybank.com", Some(Severity::Medium)),
            ("https://paypal.com.evil.example.net/", "<https://paypal.com>", Some(Severity::Medium)),
            ("http://10.0.0.1/", "https://paypal.com", Some(Severity::Medium)),
            ("//evil.example.net/", "https://paypal.com", Some(Severity::Medium)),
            ("https://evil.github.io/", "https://good.github.io/", Some(Severity::Medium)),
            ("https://xn--pypal-4ve.com/", "https://paypal.com", Some(Severity::Medium)),
            ("https://bit.ly/abc", "https://paypal.com", Some(Severity::Low)),
            ("https://github.com/socketio/socket.io", "socket.io", Some(Severity::Low)),
            ("https://u1.ct.sendgrid.net/ls/click?a", "https://paypal.com", Some(Severity::Info)),
            (
                "https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fevil.example.net%2F",
                "https://paypal.com",
                Some(Severity::Medium),
            ),
            (
                "https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fpaypal.com%2F",
                "https://paypal.com",
                None,
            ),
            ("https://www.paypal.com/login", "https://paypal.com", None),
            ("https://paypal.com", "pay at paypal.com", None),
            ("https://evil.example.net/", "click here", None),
            ("https://evil.example.net/", "README.md", None),
            ("https://dotnet.microsoft.com/", "ASP.NET", None),
            ("https://youtu.be/abc", "https://www.youtube.com/watch?v=abc", None),
            ("https://www.b\u{fc}cher.example.com/", "https://b\u{fc}cher.example.com", None),
            ("https://www.b%C3%BCcher.com/", "https://b\u{fc}cher.com", None),
            ("mailto:anna@example.net", "https://paypal.com", None),
            ("https://evil.example.net/", "anna@paypal.com", None),
            ("/login", "https://paypal.com", None),
            ("#top", "paypal.com", None),
            ("https://evil.example.net/", "", None),
            // Browsers read these.
            ("https:evil.example.net", "https://paypal.com", Some(Severity::Medium)),
            ("https:\\\\evil.example.net", "https://paypal.com", Some(Severity::Medium)),
        ] {
            let found = found(url, text, None);
            assert_eq!(found.as_ref().map(Finding::severity), expected, "{url} {text}: {found:?}");
        }
    }

    #[test]
    fn words_of_sentences() {
        const EVIL: &str = "https://evil.test/";
        for (url, text, expected) in [
            (EVIL, "pay at paypal.com", Some(Severity::Medium)),
            (EVIL, "Log in at mybank.com now", Some(Severity::Medium)),
            (EVIL, "(see example.com)", Some(Severity::Low)),
            (EVIL, "Go to:www.example.com.", Some(Severity::Medium)),
            (EVIL, "\u{8BBF}\u{95EE}www.example.com\u{767B}\u{5F55}", Some(Severity::Medium)),
            (EVIL, "https://www.example.com@evil.example.net/", Some(Severity::Medium)),
            (EVIL, "the file main.rs of example.md", None),
            (EVIL, "It works.It does", None),
            ("https://github.com/socketio/socket.io", "the code of socket.io", None),
            ("https://github.com/nodejs/email/iojs.org/a.json", "iojs.org/a.json", Some(Severity::Low)),
            ("https://github.com/npm/node-semver", "semver.inc", Some(Severity::Low)),
            ("https://docs.rs/a", "read docs.rs", None),
        ] {
            let found = found(url, text, None);
            assert_eq!(found.as_ref().map(Finding::severity), expected, "{url} {text}: {found:?}");
        }
    }

    #[test]
    fn texts_are_compared_as_they_are_drawn() {
        for text in [
            "www.pay\u{200B}pal.com",
            "https://www.paypal\u{AD}.com/",
            "https://www.paypal.com\u{2215}login",
            "\u{FF57}\u{FF57}\u{FF57}.paypal.com",
            "Log in at www\u{3002}paypal\u{FF0E}com",
            "\u{202E}moc.lapyap.www\u{202C}",
            "https://www.p\u{430}ypal.com/",
            "https://www.paypal\u{E0061}.com/",
        ] {
            let found = found("https://evil.example.net/", text, None);
            assert_eq!(found.as_ref().map(Finding::severity), Some(Severity::Medium), "{text}");
        }
    }

    #[test]
    fn addresses() {
        const TEXT: &str = "http://198.51.100.7/";
        for (url, text, expected) in [
            ("https://evil.example.net/", TEXT, Some(Severity::Medium)),
            ("http://203.0.113.9/", TEXT, Some(Severity::Medium)),
            ("http://198.51.100.7/a", TEXT, None),
            ("http://3325256711/", TEXT, None),
            ("http://0xC6336407/", TEXT, None),
            ("http://[2001:db8::1]/", "http://[2001:DB8:0::1]:8080/", None),
            ("http://[2001:db8::2]/", "http://[2001:db8::1]/", Some(Severity::Medium)),
            ("http://198.51.100.7/", "www.example.com", Some(Severity::Medium)),
            ("https://evil.example.net/", "198.51.100.7", Some(Severity::Low)),
            ("https://evil.example.net/", "version 1.2.3.4", None),
            ("http://localhost:3000/", "http://127.0.0.1:3000/", None),
            ("https://demo.example.net/", "http://127.0.0.1:3000/", Some(Severity::Low)),
        ] {
            let found = found(url, text, None);
            assert_eq!(found.as_ref().map(Finding::severity), expected, "{url} {text}: {found:?}");
        }
    }

    #[test]
    fn one_label_under_two_suffixes() {
        let protected = Protected::from_lines("mybank.example\nmybank.com").unwrap();
        for (url, text, expected) in [
            ("https://www.amazon.de/a", "www.amazon.com", Some(Severity::Low)),
            ("https://www.google.co.uk/", "https://google.com/", Some(Severity::Low)),
            // A company that is not in many countries, and a host that anybody gets.
            ("https://netflix.xyz/", "https://netflix.com/", Some(Severity::Medium)),
            ("https://amazon.github.io/", "https://amazon.com/", Some(Severity::Medium)),
            ("https://mybank.net/", "https://mybank.com/", Some(Severity::Medium)),
            ("https://mybank.example/", "https://mybank.com/", None),
            ("https://evil.net/", "see www.mybank.example", Some(Severity::Medium)),
            ("https://evil.net/", "MyBank: verify your account", Some(Severity::Low)),
            ("https://evil.net/", "MyBank opens in Bern", None),
            ("https://www.mybank.com/", "MyBank: verify your account", None),
        ] {
            let found = found(url, text, Some(&protected));
            assert_eq!(found.as_ref().map(Finding::severity), expected, "{url} {text}: {found:?}");
        }
    }

    #[test]
    fn relative_links_lead_to_the_base() {
        let base = locator::Uri::parse("https://evil.example.net/a/").unwrap();
        let base = Contact::from_uri(base).unwrap();
        for (url, text, expected) in [
            ("login", "https://www.paypal.com/login", Some(0..5)),
            ("", "https://www.paypal.com/login", Some(0..0)),
            ("login", "https://evil.example.net/", None),
            ("https://www.paypal.com/", "https://www.paypal.com/login", None),
            ("mailto:a@b", "https://www.paypal.com/login", None),
        ] {
            let found = mismatch(&Link { url, base: Some(&base) }, text, None);
            assert_eq!(found.as_ref().map(Finding::span), expected, "{url} {text}: {found:?}");
        }
    }
}

//! The text of a link against where it leads: takes a URL and the text that a reader sees, returns a finding if the text
//! names a host of another registered domain. It is the oldest trick of phishing: `<a
//! href="https://evil.example/">https://www.mybank.example/</a>`.
//!
//! The text names a host if it is a URL or a host itself, or has a word that begins with a scheme and "//" or with "www.".
//! A link of a known service is compared with the URL that it contains.
//!
//! ```text
//! let finding = mismatch("https://evil.example.net/", "www.example.com")?;
//! assert_eq!(finding.code().name(), "misleading-text");
//! ```

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::checks::MISLEADING_TEXT;
use crate::divided::Divided;
use crate::finding::{Finding, Severity};
use crate::schemes;
use crate::services::{ServiceKind, service};
use crate::unwrap;
use locator::{Component, edition, internal::ascii_form};

/// Returns the finding about a link with this text; `None` if the text names no host, or the one that the link leads to.
pub(crate) fn mismatch(url: &str, text: &str) -> Option<Finding> {
    let named = named_in(text);
    let first = named.first()?;
    let link = Divided::new(url, edition::DEFAULT);
    let (host, span) = (link.get(Component::Host)?, link.span(Component::Host)?);
    let is_web = schemes::WEB.iter().any(|scheme| scheme.eq_ignore_ascii_case(link.scheme()));
    if host.is_empty() || !is_web && !link.scheme().is_empty() {
        return None;
    }
    let target = innermost(url);
    let host_of_target = target.as_deref().and_then(host_of);
    let shown = host_of_target.as_deref().unwrap_or(host);
    let site = Site::of(shown);
    if named.iter().any(|named| named.site.is(&site)) {
        return None;
    }
    let kind = if target.is_some() { None } else { service(host) };
    let in_path = || {
        let rest = url.get(span.end..).unwrap_or_default().to_ascii_lowercase();
        rest.contains(&first.host.to_ascii_lowercase())
    };
    let severity = match kind {
        Some(ServiceKind::Tracker | ServiceKind::Gateway) => Severity::Info,
        Some(ServiceKind::Shortener) => Severity::Low,
        // "socket.io" is the name of a project, too.
        None if first.is_bare && in_path() => Severity::Low,
        None => MISLEADING_TEXT.severity,
    };
    let message = match kind {
        Some(ServiceKind::Tracker) => {
            format!("the text of the link names {}, the link a service that counts clicks", first.host)
        }
        _ => format!("the text of the link names {}, the link leads to {shown}", first.host),
    };
    Some(Finding::new(&MISLEADING_TEXT, Component::Host, span).severe(severity).saying(message))
}

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

/// What belongs to one owner: a registered domain in lower case, or a host without one.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Site(String);

impl Site {
    fn of(host: &str) -> Self {
        let ascii = ascii_form(host.as_bytes());
        let name = ascii.as_deref().unwrap_or(host).trim_end_matches('.').to_ascii_lowercase();
        Self(registered(&name).map(ToOwned::to_owned).unwrap_or(name))
    }

    /// Returns whether both have one owner.
    fn is(&self, other: &Self) -> bool {
        let alias = |site: &Self| OWNERS.iter().position(|names| names.contains(&site.0.as_str()));
        self == other || alias(self).is_some_and(|owner| alias(other) == Some(owner))
    }
}

/// Returns the registered domain of a name in lower case. Names in "github.io" are of anybody.
fn registered(name: &str) -> Option<&str> {
    locator_domain::registered_domain(name, locator_domain::Rules::Private)
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

/// A host that a text names.
struct NamedHost {
    host: String,
    site: Site,
    /// Whether the whole text is a host, which may also be a name of something else.
    is_bare: bool,
}

/// How many words of a text are looked at.
const WORDS: usize = 64;

fn named_in(text: &str) -> Vec<NamedHost> {
    let words = || text.split_whitespace().take(WORDS);
    let is_alone = words().nth(1).is_none();
    words().filter_map(|word| named(word, is_alone)).collect()
}

/// Returns the host that a word names.
fn named(word: &str, is_alone: bool) -> Option<NamedHost> {
    const AROUND: &[char] = &[
        '<', '>', '(', ')', '[', ']', '"', '\'', '\u{201C}', '\u{201D}', '\u{201E}', '\u{AB}', '\u{BB}', '.',
        ',', ';', '!', '\u{2026}', '\u{2192}',
    ];
    let word = word.trim_matches(AROUND);
    let after_scheme = word.find("://").filter(|at| {
        let scheme = word.get(..*at).unwrap_or_default();
        schemes::WEB.iter().any(|one| one.eq_ignore_ascii_case(scheme))
    });
    let (rest, is_url) = match after_scheme {
        Some(at) => (word.get(at + 3..)?, true),
        None => (word, word.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("www."))),
    };
    let end = rest.find(['/', '?', '#', ':', '\\']).unwrap_or(rest.len());
    let (host, after) = (rest.get(..end)?, rest.get(end..)?);
    // An address of mail names no site.
    if host.contains('@') || !is_url && !is_alone {
        return None;
    }
    let site = Site::of(host);
    let has_domain = registered(&site.0).is_some();
    if !has_domain || !is_url && is_name_of_file(host) {
        return None;
    }
    Some(NamedHost { host: host.to_owned(), site, is_bare: !is_url && after.len() < 2 })
}

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

    #[test]
    fn texts_and_targets() {
        for (url, text, expected) in [
            ("https://evil.example.net/", "https://www.paypal.com/login", Some(Severity::Medium)),
            ("https://evil.example.net/", "www.paypal.com", Some(Severity::Medium)),
            ("https://evil.example.net/", "PayPal.com", Some(Severity::Medium)),
            ("https://evil.example.net/", "paypal.com/login", Some(Severity::Medium)),
            ("https://evil.example.net/", "Log in at https://paypal.com now", Some(Severity::Medium)),
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
            ("https://evil.example.net/", "pay at paypal.com", None),
            ("https://evil.example.net/", "click here", None),
            ("https://evil.example.net/", "README.md", None),
            ("https://dotnet.microsoft.com/", "ASP.NET", None),
            ("https://youtu.be/abc", "https://www.youtube.com/watch?v=abc", None),
            ("https://www.b\u{fc}cher.example.com/", "https://b\u{fc}cher.example.com", None),
            ("mailto:anna@example.net", "https://paypal.com", None),
            ("https://evil.example.net/", "anna@paypal.com", None),
            ("/login", "https://paypal.com", None),
            ("#top", "paypal.com", None),
            ("https://evil.example.net/", "", None),
        ] {
            let found = mismatch(url, text);
            assert_eq!(found.as_ref().map(Finding::severity), expected, "{url} {text}: {found:?}");
        }
    }
}

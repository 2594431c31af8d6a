//! Services that stand between a link and where it leads, as data: shorteners, trackers of clicks, the safe links of mail
//! providers, caches and translators. Takes a host or a URL, returns the service.
//!
//! A [`ServiceKind`] is what a host is known for. [`Wrapper`] is the form of a link whose target is in the link itself;
//! `unwrap` reads it, without a network.
//!
//! ```text
//! assert_eq!(service("bit.ly"), Some(ServiceKind::Shortener));
//! assert_eq!(wrappers("urldefense.com", "/v3/__http://h/__;!!x$").next()?.format, Format::ProofpointV3);
//! ```

use crate::domain::special::is_within;
use Format::{
    Amp, AmpCache, Avanan, Bing, FirstQuery, Opaque, PathUrl, ProofpointV2, ProofpointV3, Query, Segment,
    Sophos, Translated, Yahoo,
};

/// What a service does with links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ServiceKind {
    /// It redirects short links, which do not show where they lead.
    Shortener,
    /// It counts the clicks of mails, and redirects.
    Tracker,
    /// It shows pages of other hosts: a cache, a translator, an archive.
    Gateway,
}

/// Returns what the service does that a host belongs to, itself or as a subdomain.
pub(crate) fn service(host: &str) -> Option<ServiceKind> {
    let host = host.strip_suffix('.').unwrap_or(host);
    let has_host = |hosts: &[&str]| hosts.iter().any(|known| is_within(host, known));
    if has_host(&SHORTENERS) {
        Some(ServiceKind::Shortener)
    } else if has_host(&TRACKERS) {
        Some(ServiceKind::Tracker)
    } else {
        has_host(&GATEWAYS).then_some(ServiceKind::Gateway)
    }
}

/// The form of links that contain their target.
#[derive(Debug)]
pub(crate) struct Wrapper {
    /// Whose links they are: `Microsoft Safe Links`.
    pub(crate) service: &'static str,
    /// The domain of the host; "*" for any: servers of customers.
    host: &'static str,
    /// How the path begins.
    path: &'static str,
    pub(crate) format: Format,
}

/// Where the target is in a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// The value of the first of these parameters, percent-encoded.
    Query(&'static [&'static str]),
    /// All of the query.
    FirstQuery,
    /// A URL in the path, percent-encoded or not.
    PathUrl,
    /// The segment after this beginning of the path, in which the "/" are percent-encoded, with or without a scheme.
    Segment(&'static str),
    /// "-" is "%", and "_" is "/".
    ProofpointV2,
    /// Between "__" and "__;", each "*" is a character of what follows, in base64.
    ProofpointV3,
    /// Between "___".
    Avanan,
    /// The parameter "u", in base64, after "a1".
    Bing,
    /// The parameter "u", in base64.
    Sophos,
    /// After "RU=".
    Yahoo,
    /// After "/s/" the host and the path of an "https" URL, else of an "http" one.
    Amp,
    /// The same after a type of content: "/c/s/".
    AmpCache,
    /// In the host: "-" is ".", and "--" is "-".
    Translated,
    /// At the service only.
    Opaque,
}

impl Format {
    /// Returns whether the target is not written as a URL, escaped or not.
    const fn hides_target(self) -> bool {
        matches!(
            self,
            ProofpointV2 | ProofpointV3 | Avanan | Bing | Sophos | Yahoo | AmpCache | Translated | Segment(_)
        )
    }
}

/// Returns the forms that a link may have, by its host and path; the first that has a target is that of the link.
pub(crate) fn wrappers(host: &str, path: &str) -> impl Iterator<Item = &'static Wrapper> {
    let host = host.strip_suffix('.').unwrap_or(host);
    let has_path = move |wrapper: &&Wrapper| {
        path.get(..wrapper.path.len()).is_some_and(|start| start.eq_ignore_ascii_case(wrapper.path))
    };
    WRAPPERS.iter().filter(has_path).filter(move |wrapper| wrapper.has_host(host))
}

/// Returns whether links of the host may have a target that is not written as a URL.
pub(crate) fn has_hidden_target(host: &str) -> bool {
    WRAPPERS.iter().any(|wrapper| wrapper.format.hides_target() && wrapper.has_host(host))
}

/// Returns the hosts of which the target is not written as a URL, for tests of what is ordinary.
#[cfg(test)]
pub(crate) fn hosts_with_hidden_targets() -> impl Iterator<Item = std::string::String> {
    WRAPPERS.iter().filter(|wrapper| wrapper.format.hides_target()).map(|wrapper| wrapper.host.into())
}

impl Wrapper {
    fn has_host(&self, host: &str) -> bool {
        // Google, Yahoo and others have a domain in each country.
        match self.host.strip_suffix(".*") {
            Some(name) => has_country(host, name),
            None => self.host == "*" || is_within(host, self.host),
        }
    }
}

/// Returns whether a host is a name or in it, where a suffix such as "com", "de" or "co.uk" follows the name.
fn has_country(host: &str, name: &str) -> bool {
    let Some((before, top)) = host.rsplit_once('.') else { return false };
    let is_suffix = top.len() == 2 || top.eq_ignore_ascii_case("com");
    let second = before.rsplit_once('.').filter(|(_, second)| matches!(*second, "com" | "co"));
    is_suffix && (is_within(before, name) || second.is_some_and(|(before, _)| is_within(before, name)))
}

const fn row(service: &'static str, host: &'static str, path: &'static str, format: Format) -> Wrapper {
    Wrapper { service, host, path, format }
}

const URL: &[&str] = &["url"];
const U: &[&str] = &["u"];
const Q: &[&str] = &["q", "url"];
const DEREF: &[&str] = &["redirectUrl"];

/// Sources: the documentation of the services, and for Proofpoint its published decoder.
#[rustfmt::skip]
static WRAPPERS: [Wrapper; 99] = [
    row("Microsoft Safe Links", "safelinks.protection.outlook.com", "/", Query(URL)),
    row("Microsoft Safe Links", "safelinks.protection.office365.us", "/", Query(URL)),
    row("Microsoft Safe Links", "safelinks.protection.partner.outlook.cn", "/", Query(URL)),
    row("Microsoft Safe Links", "statics.teams.cdn.office.net", "/evergreen-assets/safelinks/", Query(URL)),
    row("Proofpoint URL Defense", "urldefense.proofpoint.com", "/v1/url", Query(U)),
    row("Proofpoint URL Defense", "urldefense.proofpoint.com", "/v2/url", ProofpointV2),
    row("Proofpoint URL Defense", "urldefense.com", "/v2/url", ProofpointV2),
    row("Proofpoint URL Defense", "urldefense.com", "/v3/__", ProofpointV3),
    row("Proofpoint URL Defense", "urldefense.us", "/v3/__", ProofpointV3),
    row("Proofpoint URL Defense", "urldefense.proofpoint.com", "/v3/__", ProofpointV3),
    row("Mimecast", "mimecast.com", "/s/", Opaque),
    row("Mimecast", "mimecastprotect.com", "/", Opaque),
    row("Mimecast", "protect-us.mimecast.com", "/", Opaque),
    row("Barracuda Link Protection", "linkprotect.cudasvc.com", "/url", Query(&["a"])),
    row("Cisco Secure Email", "secure-web.cisco.com", "/", PathUrl),
    row("Trend Micro Time of Click", "trendmicro.com", "/wis/clicktime/", Query(URL)),
    row("Symantec Click-time Protection", "clicktime.symantec.com", "/", Query(U)),
    row("Symantec Click-time Protection", "clicktime.cloud.postoffice.net", "/", Query(U)),
    row("Trellix URL Defense", "protect2.fireeye.com", "/", Query(U)),
    row("Check Point Avanan", "url.avanan.click", "/", Avanan),
    row("Check Point Avanan", "avanan.url-protection.com", "/v1/url", Query(&["o"])),
    row("Sophos Email", "protection.sophos.com", "/", Sophos),
    row("Google", "google.*", "/url", Query(Q)),
    row("Google", "google.*", "/amp/", Amp),
    row("Google AMP Cache", "cdn.ampproject.org", "/", AmpCache),
    row("Google Translate", "translate.goog", "/", Translated),
    row("Google Translate", "translate.google.*", "/translate", Query(U)),
    row("Bing", "bing.com", "/ck/a", Bing),
    row("Yahoo", "r.search.yahoo.com", "/", Yahoo),
    row("DuckDuckGo", "duckduckgo.com", "/l/", Query(&["uddg"])),
    row("Facebook", "l.facebook.com", "/l.php", Query(U)),
    row("Facebook", "lm.facebook.com", "/l.php", Query(U)),
    row("Facebook", "l.messenger.com", "/l.php", Query(U)),
    row("Instagram", "l.instagram.com", "/", Query(U)),
    row("Threads", "l.threads.net", "/", Query(U)),
    row("Threads", "l.threads.com", "/", Query(U)),
    row("WhatsApp", "l.wl.co", "/l", Query(U)),
    row("LinkedIn", "linkedin.com", "/redir/", Query(URL)),
    row("LinkedIn", "linkedin.com", "/safety/go", Query(URL)),
    row("YouTube", "youtube.com", "/redirect", Query(&["q"])),
    row("Slack", "slack-redir.net", "/link", Query(URL)),
    row("Reddit", "out.reddit.com", "/", Query(URL)),
    row("Pinterest", "pinterest.com", "/offsite", Query(URL)),
    row("Steam", "steamcommunity.com", "/linkfilter", Query(&["u", "url"])),
    row("VK", "vk.com", "/away.php", Query(&["to"])),
    row("Tumblr", "t.umblr.com", "/redirect", Query(&["z"])),
    row("Disqus", "disq.us", "/url", Query(URL)),
    row("DeviantArt", "deviantart.com", "/users/outgoing", FirstQuery),
    row("Disqus", "redirect.disqus.com", "/url", Query(URL)),
    row("Zendesk", "zendesk.com", "/hc/redirect", Query(URL)),
    row("Skimlinks", "go.skimresources.com", "/", Query(URL)),
    row("Viglink", "redirect.viglink.com", "/", Query(U)),
    row("Check Point", "protect.checkpoint.com", "/v2/", Avanan),
    row("Check Point", "url-protection.com", "/v1/", Query(&["o"])),
    row("Libraesva URLSand", "urlsand.esvalabs.com", "/", Query(U)),
    row("GMX", "deref-gmx.net", "/", Query(DEREF)),
    row("GMX", "deref-gmx.com", "/", Query(DEREF)),
    row("GMX", "deref-gmx.fr", "/", Query(DEREF)),
    row("GMX", "deref-gmx.es", "/", Query(DEREF)),
    row("GMX", "deref-gmx.co.uk", "/", Query(DEREF)),
    row("WEB.DE", "deref-web.de", "/", Query(DEREF)),
    row("WEB.DE", "deref-web-02.de", "/", Query(DEREF)),
    row("mail.com", "deref-mail.com", "/", Query(DEREF)),
    row("1&1", "deref-1und1.de", "/", Query(DEREF)),
    row("Outlook on the web", "*", "/owa/redir.aspx", Query(URL)),
    row("Outlook on the web", "*", "/owa/redir.aspx", Opaque),
    row("Outlook on the web", "*", "/exchweb/bin/redir.asp", Query(URL)),
    row("Trustwave", "scanmail.trustwave.com", "/", Query(U)),
    row("Trellix URL Defense", "protect.fireeye.com", "/", Query(U)),
    row("Menlo Security", "safe.menlosecurity.com", "/", PathUrl),
    row("Menlo Security", "isolate.menlosecurity.com", "/", PathUrl),
    row("Zix", "link.zixcentral.com", "/u/", Query(U)),
    row("EdgePilot", "link.edgepilot.com", "/s/", Query(U)),
    row("EdgePilot", "link.edgepilot.com", "/s/", Opaque),
    row("AppRiver", "url.emailprotection.link", "/", Opaque),
    row("Barracuda Link Protection", "linkprotect.cudasvc.com", "/url", Opaque),
    row("Symantec Click-time Protection", "clicktime.symantec.com", "/", Opaque),
    row("Cisco Secure Email", "secure-web.cisco.com", "/", Opaque),
    row("Mimecast", "mimecast.com", "/r/", Opaque),
    row("Proofpoint URL Defense", "urldefense.us", "/v2/url", ProofpointV2),
    row("Amazon SES", "awstrack.me", "/L0/", Segment("/L0/")),
    row("Reddit", "click.redditmail.com", "/CL0/", Segment("/CL0/")),
    row("Postmark", "pstmrk.it", "/3s/", Segment("/3s/")),
    row("Google Ads", "googleadservices.com", "/pagead/", Query(&["adurl"])),
    row("Google Ads", "google.*", "/aclk", Query(&["adurl"])),
    row("Bing", "bing.com", "/alink/", Query(URL)),
    row("Facebook", "facebook.com", "/l.php", Query(U)),
    row("Facebook", "facebook.com", "/flx/warn/", Query(U)),
    row("Medium", "medium.com", "/r/", Query(URL)),
    row("Zhihu", "link.zhihu.com", "/", Query(&["target"])),
    row("Juejin", "link.juejin.cn", "/", Query(&["target"])),
    row("Weibo", "weibo.cn", "/sinaurl", Query(U)),
    row("SoundCloud", "gate.sc", "/", Query(URL)),
    row("exit.sc", "exit.sc", "/", Query(URL)),
    row("href.li", "href.li", "/", FirstQuery),
    row("anonym.to", "anonym.to", "/", FirstQuery),
    row("nullrefer.com", "nullrefer.com", "/", FirstQuery),
    row("dereferer.me", "dereferer.me", "/", FirstQuery),
    row("dereferer.org", "dereferer.org", "/", FirstQuery),
];

/// Shorteners that redirect links of everybody.
#[rustfmt::skip]
static SHORTENERS: [&str; 70] = [
    "bit.ly", "bitly.com", "j.mp", "tinyurl.com", "goo.gl", "g.co", "ow.ly", "is.gd", "v.gd", "buff.ly", "t.ly",
    "rb.gy", "cutt.ly", "shorturl.at", "short.io", "rebrand.ly", "bl.ink", "tiny.cc", "tiny.one", "tinu.be", "s.id",
    "qr.ae", "adf.ly", "bc.vc", "ouo.io", "shorte.st", "linktr.ee", "lnk.to", "lnk.bio", "dub.sh", "dub.co", "kutt.it",
    "t2m.io", "u.to", "x.gd", "clck.ru", "vk.cc", "goo.su", "surl.li", "urlz.fr", "shrtco.de", "1drv.ms", "aka.ms",
    "amzn.to", "a.co", "youtu.be", "fb.me", "wa.me", "t.me", "spoti.fi", "apple.co", "ift.tt", "dlvr.it", "trib.al",
    "wp.me", "po.st", "shor.by", "snip.ly", "soo.gd", "hyperurl.co", "qrco.de", "qr-codes.io", "me-qr.com", "scnv.io",
    "page.link", "app.link", "onelink.me", "sng.link", "git.io", "forms.gle",
];

/// Services that count the clicks on links of mails and posts.
#[rustfmt::skip]
static TRACKERS: [&str; 50] = [
    "t.co", "lnkd.in", "list-manage.com", "mailchi.mp", "mandrillapp.com", "sendgrid.net", "mailgun.org", "mailgun.net",
    "awstrack.me", "hubspotlinks.com", "hubspotlinksfree.com", "hs-sites.com", "hubspotemail.net", "exacttarget.com",
    "exct.net", "sparkpostmail.com", "sparkpostmail2.com", "mktoweb.com", "marketo.com", "mlsend.com", "mlsend2.com",
    "mailerlite.com", "klclick.com", "klclick1.com", "klaviyomail.com", "cmail19.com", "cmail20.com", "createsend1.com",
    "createsend.com", "rs6.net", "constantcontact.com", "e2ma.net", "sendibt2.com", "sendibm1.com", "sendibm3.com",
    "brevo.com", "mjt.lu", "customeriomail.com", "pstmrk.it", "convertkit-mail.com", "convertkit-mail2.com",
    "activehosted.com", "emlnk.com", "getresponse.com", "aweber.com", "doubleclick.net", "googleadservices.com",
    "awin1.com", "linksynergy.com", "anrdoezrs.net",
];

/// Services that show the pages of other hosts.
static GATEWAYS: [&str; 10] = [
    "cdn.ampproject.org",
    "translate.goog",
    "web.archive.org",
    "archive.ph",
    "archive.today",
    "archive.is",
    "webcache.googleusercontent.com",
    "12ft.io",
    "r.jina.ai",
    "wayback.archive.org",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_of_services() {
        for (host, kind) in [
            ("bit.ly", Some(ServiceKind::Shortener)),
            ("BIT.LY.", Some(ServiceKind::Shortener)),
            ("acme.page.link", Some(ServiceKind::Shortener)),
            ("t.co", Some(ServiceKind::Tracker)),
            ("u123.ct.sendgrid.net", Some(ServiceKind::Tracker)),
            ("en-m-wikipedia-org.translate.goog", Some(ServiceKind::Gateway)),
            ("habit.ly", None),
            ("at.co", None),
            ("example.com", None),
        ] {
            assert_eq!(service(host), kind, "{host}");
        }
    }

    #[test]
    fn forms_of_links() {
        for (host, path, service) in [
            ("eur01.safelinks.protection.outlook.com", "/", Some("Microsoft Safe Links")),
            ("www.google.co.uk", "/url", Some("Google")),
            ("google.com", "/amp/s/h", Some("Google")),
            ("translate.google.de", "/translate", Some("Google Translate")),
            ("google.evil.com", "/url", None),
            ("www.google.com", "/search", None),
            ("l.facebook.com", "/l.php", Some("Facebook")),
            ("www.facebook.com", "/l.php", Some("Facebook")),
            ("www.facebook.com", "/login.php", None),
            ("urldefense.com", "/v3/__https://h/__;!!a!b$", Some("Proofpoint URL Defense")),
        ] {
            assert_eq!(wrappers(host, path).next().map(|found| found.service), service, "{host}{path}");
        }
    }
}

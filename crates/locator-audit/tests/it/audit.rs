//! The cases of `testdata/audit`: each code fires where it should, and not on a text near it.

use std::collections::BTreeSet;
use std::path::PathBuf;

use locator::{SimdBackend, Uri, edition};
use locator_audit::{self as audit, Auditor, Contact, Finding, Policy, Readings, Severity};
use locator_dev::cases;
use proptest::prelude::*;
use serde::Deserialize;

/// A text with its findings, each as `code severity start..end`.
#[derive(Deserialize)]
struct Case {
    title: String,
    input: String,
    /// What texts without a scheme refer to.
    base: Option<String>,
    /// The least severity that is asked for; without it `low`.
    least: Option<String>,
    #[serde(default)]
    findings: Vec<String>,
    /// The names that hosts must not imitate.
    #[serde(default)]
    protect: Vec<String>,
    /// The text of the link that has this URL.
    text: Option<String>,
}

fn written(finding: &Finding) -> String {
    let span = finding.span();
    format!("{} {} {}..{}", finding.code().name(), finding.severity(), span.start, span.end)
}

impl Case {
    fn audit(&self) -> Vec<Finding> {
        let named = |severity: &Severity| Some(severity.name()) == self.least.as_deref();
        self.audit_from(Severity::ALL.into_iter().find(named).unwrap_or(Severity::Low))
    }

    fn audit_from(&self, least: Severity) -> Vec<Finding> {
        let auditor = Auditor::new().least(least);
        let protected = protected(&self.protect);
        let auditor = if self.protect.is_empty() { auditor } else { auditor.protect(&protected) };
        let base = self.base.as_deref().map(contact);
        let auditor = base.as_ref().map_or(auditor, |base| auditor.base(base));
        match &self.text {
            Some(text) => misleading_text(&auditor, &self.input, text),
            None => auditor.audit(&self.input),
        }
    }
}

#[cfg(feature = "public-suffix")]
fn misleading_text(auditor: &Auditor, url: &str, text: &str) -> Vec<Finding> {
    auditor.misleading_text(url, text).into_iter().collect()
}

/// Without registrable domains no text misleads, and `cases` has no link with a text.
#[cfg(not(feature = "public-suffix"))]
fn misleading_text(_auditor: &Auditor, _url: &str, _text: &str) -> Vec<Finding> {
    Vec::new()
}

fn protected(names: &[impl AsRef<str>]) -> audit::Protected {
    let mut protected = audit::Protected::new();
    for name in names {
        protected.add(name.as_ref()).expect("a case protects domain names");
    }
    protected
}

fn contact(base: &str) -> Contact {
    Contact::from_uri(Uri::parse(base).expect("a URI")).expect("it has a host")
}

fn cases() -> Vec<Case> {
    let mut cases = cases::read::<Case>("audit");
    cases.retain(|case| cfg!(feature = "public-suffix") || case.text.is_none());
    cases
}

#[test]
fn findings_are_as_stated() {
    let mut wrong = Vec::new();
    for case in cases() {
        let found = case.audit().iter().map(written).collect::<Vec<_>>();
        if found != case.findings {
            wrong.push(format!("{}: {}\n  found {found:#?}", case.title, case.input));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_code_has_a_case_and_a_true_example() {
    let stated = cases().into_iter().flat_map(|case| case.findings).collect::<Vec<_>>();
    let mut names = BTreeSet::new();
    // The last is about policies, which have their own cases.
    let elsewhere: &[_] =
        if cfg!(feature = "public-suffix") { &["refused"] } else { &["refused", "misleading-text"] };
    for code in audit::codes().filter(|code| !elsewhere.contains(&code.name())) {
        let name = code.name();
        assert!(names.insert(name), "{name} is there twice");
        assert!(stated.iter().any(|stated| stated.split(' ').next() == Some(name)), "{name} has no case");
        assert!(
            !code.citation().is_empty() && !code.advice().is_empty() && !code.title().is_empty(),
            "{name}"
        );
        let base = contact("https://base.example/");
        let auditor = Auditor::new().least(Severity::Info).base(&base);
        let protected = protected(&["example.com"]);
        let auditor = auditor.protect(&protected);
        let mut findings = auditor.audit(code.example());
        findings.extend(misleading_text(&auditor, code.example(), "https://www.example.com/"));
        assert!(findings.iter().any(|finding| finding.code() == code), "{name}: {}", code.example());
    }
}

#[test]
fn findings_are_within_the_text_and_in_order() {
    for case in cases() {
        let findings = case.audit();
        assert!(findings.is_sorted_by_key(|finding| finding.span().start), "{}", case.input);
        assert!(findings.iter().all(|finding| case.input.get(finding.span()).is_some()), "{}", case.input);
    }
}

/// The first question, whether a URL is plain, has the same answer as all checks: asking for the
/// severity `info` makes them all. With every backend.
fn assert_quick_answer(text: &str) {
    for edition in [&edition::RFC3986, &edition::RFC3987, &edition::RFC3986_WITH_ZONES, &edition::RFC2396] {
        let auditor = Auditor::new().edition(edition);
        let mut all = auditor.least(Severity::Info).audit(text);
        all.retain(|finding| finding.severity() > Severity::Info);
        for backend in SimdBackend::ALL.into_iter().filter(|backend| backend.force()) {
            assert_eq!(auditor.audit(text), all, "{text:?} by {edition} on {}", backend.name());
        }
    }
}

#[test]
fn plain_urls_have_no_findings() {
    for case in cases() {
        let mut all = case.audit_from(Severity::Info);
        all.retain(|finding| finding.severity() > Severity::Info);
        assert_eq!(case.audit_from(Severity::Low), all, "{}", case.input);
        assert_quick_answer(&case.input);
    }
    audit::codes().for_each(|code| assert_quick_answer(code.example()));
}

/// The sample lists, every URL of which a fixed mutation changes, too.
#[test]
fn plain_urls_of_lists_have_no_findings() {
    let directory = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/urls");
    for list in ["web", "homepages", "mixed"] {
        let text = std::fs::read_to_string(directory.join(list).with_extension("txt")).expect("a list");
        for (i, url) in text.lines().enumerate().step_by(7) {
            assert_quick_answer(url);
            let (at, piece) = (i * 37 % (url.len() + 1), PIECES[i % PIECES.len()]);
            if let (Some(before), Some(after)) = (url.get(..at), url.get(at..)) {
                assert_quick_answer(&[before, piece, after].concat());
            }
        }
    }
}

/// What checks look for, and what is near it.
const PIECES: [&str; 92] = [
    "/",
    "//",
    "..",
    "../",
    ".",
    "?",
    "#",
    "@",
    ":",
    ":80",
    ":8080",
    ":0",
    "\\",
    "%",
    "%2f",
    "%2e%2e",
    "%0a",
    "%00",
    "=",
    "&token=",
    "?access_token=0f8fad5bd9cb",
    "&sig=12345678",
    "#pwd=abcdefgh",
    ";JWT=a.b.c.d.e",
    "jsessionid=",
    "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
    "/glpat-abcdefghij0123456789",
    "sk_live_0123456789abcdefghij",
    "SG.",
    "hf_",
    "xoxb-0123456789012345678901",
    "_",
    "-",
    "~",
    "!",
    "$",
    "'",
    "(",
    ")",
    "*",
    "+",
    ",",
    ";",
    "<",
    ">",
    "\"",
    "`",
    "{",
    "|",
    "}",
    "^",
    "[",
    "]",
    " ",
    "\t",
    "\u{0}",
    "é",
    "。",
    "user:pw@",
    "localhost",
    "127.0.0.1",
    "10.0.0.1.",
    ".nip.io",
    ".local",
    ".test",
    ".0x7f",
    "metadata.goog",
    "hooks.slack.com",
    "/services/T0A1B2C3D/B0A1B2C3D/a1b2c3d4",
    "xn--80ak6aa92e",
    "http://",
    "https://",
    "https://discord.com/api/webhooks/123456789/",
    "?url=",
    "&next=http",
    "=//evil.example",
    "javascript:",
    "data:text/html,a",
    "https://0177.0.0.1/",
    "https%3A%2F%2F0177.0.0.1%2F",
    "=aHR0cDovLzAxNzcuMC4wLjEv",
    "10-0-0-1.",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc",
    "dapi0123456789abcdef0123456789abcdef",
    "bit.ly",
    "a-0x7f-1.translate.goog",
    "urldefense.proofpoint.com",
    "/v2/url?u=http-3A__0177.0.0.1_",
    "/c/s/0177.0.0.1/",
    "a.cdn.ampproject.org",
    "hook.eu1.make.com",
    "/workflows/0f8fad5bd9cb",
];

fn url_of_pieces() -> impl Strategy<Value = String> {
    let start = prop::sample::select(vec![
        "http://",
        "https://",
        "https://www.good.com/",
        "http://a.example.org/a",
        "",
    ]);
    let piece = prop_oneof![
        prop::sample::select(&PIECES[..]).prop_map(str::to_owned),
        "[a-z0-9]{1,9}",
        prop::sample::select(vec![
            ".com", ".io", ".me", ".ca", ".goog", ".net", "www.", "a", "metadata", "ibm.com", "/"
        ])
        .prop_map(str::to_owned),
        "[a-z/]{60,64}",
    ];
    (start, prop::collection::vec(piece, 0..8))
        .prop_map(|(start, pieces)| start.to_owned() + &pieces.concat())
}

proptest::proptest! {
    #[test]
    fn plain_urls_of_pieces_have_no_findings(url in url_of_pieces()) {
        assert_quick_answer(&url);
    }
}

/// A long host is audited in time that grows with its length, whatever it consists of.
#[test]
fn long_hosts_are_linear() {
    let protected = protected(&["example.com", "paypal.a.a.a", "bank"]);
    let auditor = Auditor::new().protect(&protected);
    for piece in [
        "a",
        "a.",
        "\u{43f}",
        "\u{43f}.",
        "%D0%BF",
        "xn--",
        "xn--80ak6aa92e.",
        "\u{3002}",
        "\u{301}",
        "%",
        "vv",
        "-",
    ] {
        let url = format!("https://{}/", piece.repeat((1 << 16) / piece.len()));
        assert!(auditor.audit(&url).len() <= 1 << 16);
        let url = format!("https://xn--{}/", piece.repeat((1 << 16) / piece.len()));
        assert!(auditor.audit(&url).len() <= 1 << 16);
    }
}

proptest::proptest! {
    /// A protected name and its subdomains are never reported, and finding is about the host.
    #[test]
    fn a_protected_name_imitates_none(
        name in "[a-z0-9\u{430}-\u{44f}\u{3b1}-\u{3c9}]{1,6}(\\.[a-zmliwvcd0-1]{1,4}){0,3}",
        more in "([a-z\u{430}%.-]{0,4}\\.)?",
    ) {
        let mut protected = audit::Protected::new();
        if protected.add(&name).is_ok() {
            for host in [name.clone(), format!("{more}{name}"), format!("{more}{name}."), name.to_uppercase()] {
                proptest::prop_assert_eq!(protected.imitated_by(&host), None, "{} {}", host, name);
            }
            let longer = format!("https://{name}.{more}x");
            for finding in Auditor::new().protect(&protected).audit(&longer) {
                proptest::prop_assert!(longer.get(finding.span()).is_some());
            }
        }
    }
}

#[test]
fn debug_shows_no_password() {
    const TEXT: &str = "ftp://gisle:Xy7s3cret@host.example/a";
    let findings: Vec<Finding> = Auditor::new().audit(TEXT);
    let target = Policy::public_web().check("https://www.example.com/?a=b").unwrap();
    for shown in [
        format!("{findings:?}"),
        format!("{:?}", Readings::new(TEXT, None)),
        format!("{target:?}"),
        format!("{:?}", Policy::public_web().check("https://gisle:Xy7s3cret@10.0.0.1/")),
    ] {
        assert!(!shown.contains("Xy7s3cret"), "{shown}");
    }
}

#[test]
fn long_paths_that_are_escaped_twice_are_linear() {
    for start in ["a", "https%3A%2F%2Fhost.example%3F"] {
        let url = format!("https://www.example.com/{start}{}", "%252Fa".repeat(300_000));
        assert!(!Auditor::new().audit(&url).is_empty());
    }
}

/// What share buttons link to; `{u}` is the page, escaped, and `{t}` its title.
const SHARE_BUTTONS: [&str; 24] = [
    "https://www.facebook.com/sharer/sharer.php?u={u}",
    "https://www.facebook.com/dialog/share?app_id=1234567890&display=popup&href={u}&redirect_uri={u}",
    "https://twitter.com/intent/tweet?url={u}&text={t}&via=example",
    "https://x.com/intent/post?url={u}&text={t}",
    "https://www.linkedin.com/sharing/share-offsite/?url={u}",
    "https://www.linkedin.com/shareArticle?mini=true&url={u}&title={t}&source=LinkedIn",
    "https://www.reddit.com/submit?url={u}&title={t}",
    "https://news.ycombinator.com/submitlink?u={u}&t={t}",
    "https://pinterest.com/pin/create/button/?url={u}&media={u}%2Fcover.jpg&description={t}",
    "https://www.tumblr.com/widgets/share/tool?canonicalUrl={u}&title={t}",
    "https://t.me/share/url?url={u}&text={t}",
    "https://api.whatsapp.com/send?text={t}%20{u}",
    "https://wa.me/?text={t}%20{u}",
    "whatsapp://send?text={t}%20{u}",
    "https://telegram.me/share/url?url={u}",
    "https://vk.com/share.php?url={u}",
    "https://connect.ok.ru/offer?url={u}",
    "https://social-plugins.line.me/lineit/share?url={u}",
    "https://b.hatena.ne.jp/entry/{u}",
    "https://getpocket.com/save?url={u}",
    "https://www.xing.com/spi/shares/new?url={u}",
    "https://bsky.app/intent/compose?text={t}%20{u}",
    "https://mail.google.com/mail/?view=cm&fs=1&tf=1&su={t}&body={u}",
    "mailto:?subject={t}&body={u}",
];

/// The pages that are shared, with what pages of blogs, shops and papers have in their URLs.
const SHARED_PAGES: [&str; 10] = [
    "https://www.example.com/2026/11/28/a-title-of-words/",
    "https://blog.example.org/?p=1234",
    "http://example.net/index.php?option=com_content&view=article&id=12:title&catid=3",
    "https://shop.example.de/p/12345.html?utm_source=share&utm_medium=button&utm_campaign=a%20b",
    "https://example.co.uk/news/uk-england-12345678",
    "https://www.example.jp/%E8%A8%98%E4%BA%8B/1",
    "https://www.example.com/a#section-2",
    "https://example.com/video?v=dQw4w9WgXcQ&t=42s",
    "https://docs.example.io/en/latest/guide.html?highlight=login",
    "https://example.fr/connexion?next=%2Fcompte%2Fcommandes",
];

#[test]
fn share_buttons_are_no_danger() {
    let auditor = Auditor::new();
    let (mut count, mut low) = (0, Vec::new());
    for (button, page) in SHARE_BUTTONS.iter().flat_map(|button| SHARED_PAGES.map(|page| (button, page))) {
        let page = locator::pct::encode(page);
        let url = button.replace("{u}", page.as_str()).replace("{t}", "A%20title%3A%20login%20%26%20more");
        count += 1;
        let findings = auditor.audit(&url);
        let serious = findings.iter().find(|finding| finding.severity() >= Severity::Medium);
        assert!(serious.is_none(), "{url}: {}", serious.map_or_else(String::new, written));
        low.extend((!findings.is_empty()).then_some(url));
    }
    // At most one in 200.
    assert!(low.len() * 200 <= count, "{}", low.join("\n"));
}

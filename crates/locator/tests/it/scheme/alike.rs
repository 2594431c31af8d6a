//! What a URL's normal form identifies is what the URL does: both have the same plan, under every
//! edition.

use locator::edition::{ALL, RFC1738, RFC3986, RFC3987, URI_2003};
use locator::plan::{Local, Message, Next, Options, Server, Step};
use locator::scheme::{self, Equivalences, plan};
use locator::{Base, Edition, Level, Resolved, UriRef};
use proptest::prelude::*;

/// URLs of every scheme, of letters in both cases, escapes, what divides and what may be left out.
pub(super) fn text() -> impl Strategy<Value = String> {
    let names: Vec<&str> = scheme::ALL.iter().flat_map(|scheme| scheme.names()).copied().collect();
    let name = prop::sample::select(names).prop_map(|name| name.replace('…', "mine"));
    let host = prop_oneof![
        4 => "//[hH]\\.[dD](:|:0?(21|23|70|80|119|210|443|1525|43))?",
        2 => "//([uU]|%75|%40|a%3Ab)(:[pP])?@h\\.d",
        2 => "//(localhost|LOCALHOST)?",
        2 => "",
    ];
    let piece = prop_oneof![
        6 => "/",
        3 => "\\.|\\.\\.|%2[eE]",
        4 => "[a-cA-C019]",
        2 => "%(0[0139AaDd]|2[0-9A-Fa-f]|3[0-9A-Fa-f]|4[01]|6[1-6]|7[4Ee])",
        2 => "[@:;,+&=$!*'()~_?-]",
        1 => prop::sample::select(vec![
            ";type=", ";TYPE=A", ";t%79pe=i", ";base64,", "text/plain", ";charset=US-ASCII", "+view%091", "%09", "%00",
            "to=", "Subject=", "1=", "%31=", "67/", "?+", "?=", "ISBN:", "OBJECT-VERSION=", "URL:", "*", "%2A",
        ]).prop_map(String::from),
    ];
    let rest = prop::collection::vec(piece, 0..10).prop_map(|pieces| pieces.concat());
    (name, host, rest, "(#f)?")
        .prop_map(|(name, host, rest, fragment)| format!("{name}:{host}{rest}{fragment}"))
}

/// The plan of what a reference identifies, in a form in which names of hosts have no case.
pub(super) fn fetched(reference: UriRef<'_>, options: &Options<'_>) -> Option<Vec<String>> {
    let plan = plan(reference, options).ok()?;
    let seen = plan.session.into_iter().chain(plan.work).map(|step| match step {
        Step::Connect(to) => format!("{}:{} {}", to.host.to_lowercase(), to.port, to.transport.name()),
        Step::Secure { host } => host.to_lowercase(),
        Step::Local(Local::Start(session)) => format!("{session:#}").to_lowercase(),
        Step::GoOn(Next::Url(url)) => normal(&url, &RFC3986),
        Step::Local(Local::Data { media_type, data }) => format!("{} {data:?}", media_type.to_lowercase()),
        Step::Local(Local::Draft(draft)) => {
            let hosts = |address: &[u8]| {
                let text = String::from_utf8_lossy(address).into_owned();
                text.rsplit_once('@')
                    .map(|(name, host)| format!("{name}@{}", host.to_lowercase()))
                    .unwrap_or(text)
            };
            let to: Vec<_> = draft.to.iter().map(|one| hosts(one)).collect();
            let names = |names: Vec<Vec<u8>>| {
                names.into_iter().map(|name| name.to_ascii_lowercase()).collect::<Vec<_>>()
            };
            let (fields, values): (Vec<_>, Vec<_>) = draft.fields.into_iter().unzip();
            format!("{to:?} {:?} {values:?} {:?} {:?}", names(fields), draft.body, names(draft.dropped))
        }
        Step::Request(request) => requested(request.head(), reference.edition()),
        Step::Exchange(exchange) if exchange.send.to_bytes().starts_with(b"GET ") => {
            requested(&exchange.send, reference.edition())
        }
        other => format!("{other:#}"),
    });
    Some(seen.collect())
}

/// HTTP sends the URL itself, as it is written.
fn requested(head: &Message, edition: &'static Edition) -> String {
    let octets = head.to_bytes();
    let text = String::from_utf8_lossy(&octets);
    let lines = text.split("\r\n").map(|line| match line.strip_prefix("GET ") {
        Some(target) => normal(&format!("http://h{}", target.trim_end_matches(" HTTP/1.1")), edition),
        // What is connected to has the port.
        None if line.starts_with("Host: ") => {
            let host = line["Host: ".len()..].to_lowercase();
            host.rsplit_once(':').map_or(host.clone(), |(name, _)| name.into())
        }
        None => line.into(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn normal(url: &str, edition: &'static Edition) -> String {
    UriRef::parse_with(url, edition).map_or(url.into(), |url| url.normalize(Level::Scheme).into_string())
}

/// What a reference is once it has been resolved: the paths of hierarchies have no steps then.
fn resolved(reference: UriRef<'_>) -> Option<String> {
    match Base::try_from(reference).ok()?.resolve(reference).ok()? {
        Resolved::Uri(uri) => Some(uri.as_str().into()),
        Resolved::CurrentDocument { .. } => None,
    }
}

pub(super) fn options() -> Options<'static> {
    Options::new().news_server(Server { host: "news.dom", port: None }).low_ports(true).afs("/afs")
}

fn is_fetched_alike(given: UriRef<'_>) {
    let options = options();
    let Some(before) = fetched(given, &options) else { return };
    // An address of RFC 1738 may begin with "//", and its generic level takes it for a host, which
    // has no case.
    let has_host = !given.as_str().starts_with("mailto:") && !given.as_str().starts_with("news:");
    if *given.edition() == RFC1738 && given.authority().is_some() && !has_host {
        return;
    }
    for level in [Level::Syntax, Level::Scheme] {
        let normal = given.normalize(level);
        let after = fetched(normal.as_uri_ref(), &options);
        if after.as_ref() == Some(&before) {
            continue;
        }
        // "These dot-segments are only interpreted within the URI path hierarchy and are removed as
        // part of the resolution process" (RFC 3986, 3.3): the plan is that of what the reference
        // resolves to.
        let scheme = given.scheme().and_then(|name| scheme::lookup(name.as_str()));
        let hierarchical = scheme.is_some_and(Equivalences::is_hierarchical);
        let has_steps = [&URI_2003, &RFC3986, &RFC3987].contains(&given.edition()) && hierarchical;
        let dotless = given.normalize(Level::Syntax);
        let target = resolved(dotless.as_uri_ref()).filter(|_| has_steps);
        let target =
            target.and_then(|text| fetched(UriRef::parse_with(&text, given.edition()).ok()?, &options));
        assert_eq!(after, target, "{given} by {} became {normal}; before {before:?}", given.edition());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6_000, ..ProptestConfig::default() })]

    #[test]
    fn a_normal_form_is_fetched_as_the_url_is(text in text()) {
        for edition in ALL {
            if let Ok(reference) = UriRef::parse_with(&text, edition) {
                is_fetched_alike(reference);
            }
        }
    }
}

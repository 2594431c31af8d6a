//! Laws of the schemes' views: what a URL is built of is what its view gives back, whatever octets
//! it is, and no such octet ends a line of a plan.

use locator::edition::{ALL, RFC1738, RFC3986};
use locator::plan::Options;
use locator::scheme::{
    DataParts, DataUrl, FtpParts, FtpUrl, GopherParts, GopherPlus, GopherUrl, HttpParts, HttpUrl, LoginParts,
    MailtoParts, MailtoUrl, MidParts, MidUrl, NewsParts, NewsUrl, NntpParts, NntpUrl, WhoisParts, WhoisUrl,
    fields, plan,
};
use locator::{Edition, SpannedStr, UriBuf, UriRef, Value};
use proptest::prelude::*;

fn octets() -> impl Strategy<Value = Vec<u8>> {
    let special = prop::sample::select(&b"/;?:@&=+%#~|<>\"' \r\n\t\0"[..]);
    prop::collection::vec(prop_oneof![special, any::<u8>(), b'a'..=b'f'], 0..8)
}

fn edition() -> impl Strategy<Value = &'static Edition> {
    prop_oneof![Just(&RFC1738), Just(&RFC3986)]
}

fn given(excerpt: SpannedStr<'_>) -> Vec<u8> {
    excerpt.decode().into_owned()
}

/// A segment that no reader takes for a step.
fn is_step(octets: &[u8]) -> bool {
    matches!(octets, b"." | b"..")
}

fn login() -> LoginParts<'static> {
    LoginParts::new("h.dom").port(4242)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, ..ProptestConfig::default() })]

    #[test]
    fn ftp(edition in edition(), user in octets(), password in octets(), cwds in prop::collection::vec(octets(), 0..3), name in octets()) {
        prop_assume!(!cwds.iter().chain([&name]).any(|name| is_step(name)));
        let login = login().user(&user[..]).password(&password[..]);
        let parts = FtpParts::new(login).name(&name[..]).code("a");
        let parts = cwds.iter().fold(parts, |parts, cwd| parts.cwd(&cwd[..]));
        let built = parts.build_with(edition)?;
        let url = FtpUrl::of(built.as_uri_ref()).unwrap();
        prop_assert_eq!(url.login.user.map(given), Some(user));
        prop_assert_eq!(url.login.password.map(given), Some(password));
        prop_assert_eq!(url.cwds().map(given).collect::<Vec<_>>(), cwds);
        prop_assert_eq!((given(url.name), url.code.map(given)), (name, Some(b"a".to_vec())));
        no_line_holds_another(&built);
    }

    #[test]
    fn gopher(edition in edition(), kind: u8, selector in octets(), search in prop::option::of(octets()), plus in prop::option::of(octets())) {
        prop_assume!(!selector.contains(&b'\t') && !search.as_ref().is_some_and(|search| search.contains(&b'\t')));
        let octet = [kind];
        let mut parts = GopherParts::new(login()).kind(&octet).selector(&selector[..]);
        if let Some(search) = &search {
            parts = parts.search(&search[..]);
        }
        if let Some(plus) = &plus {
            parts = parts.plus(&plus[..]);
        }
        let built = parts.build_with(edition)?;
        let url = GopherUrl::of(built.as_uri_ref()).unwrap();
        prop_assert_eq!((url.item_type(), given(url.selector)), (char::from(kind), selector));
        prop_assert_eq!(url.plus.map(given), plus.clone().filter(|plus| !plus.is_empty()));
        prop_assert_eq!(url.search.map(given), search.or(plus.map(|_| Vec::new())));
        no_line_holds_another(&built);
    }

    #[test]
    fn gopher_plus(edition in edition(), kind in 0..4, view in octets(), language in prop::option::of(octets()), all in prop::collection::vec(octets(), 0..3)) {
        let all: Vec<&[u8]> = all.iter().map(Vec::as_slice).collect();
        let (view, language) = (view.as_slice(), language.as_deref());
        let item = GopherParts::new(login());
        let parts = match kind {
            0 | 1 => {
                let item = GopherParts::new(login()).view(view);
                let item = language.map_or(item.clone(), |language| item.language(language));
                all.iter().filter(|_| kind == 1).fold(item, |item, value| item.value(*value))
            }
            2 => item.plus("?"),
            _ => {
                let item = if view.len() > 2 { item.plus("$") } else { item.plus("!") };
                all.iter().fold(item, |item, name| item.attribute(*name))
            }
        };
        // The parts cannot contain their delimiters.
        let Ok(built) = parts.build_with(edition) else {
            let divides = |octets: &[u8]| octets.iter().any(|octet| b" \t\r\n".contains(octet)) || matches!(octets, b"." | b"");
            let parts = all.iter().copied().chain([view]).chain(language);
            prop_assert!(parts.into_iter().any(divides));
            return Ok(());
        };
        let url = GopherUrl::of(built.as_uri_ref()).unwrap();
        let found = url.gopher_plus().unwrap();
        let lists = (found.attributes().map(given).collect::<Vec<_>>(), found.values().map(given).collect::<Vec<_>>());
        match (kind, found) {
            (0 | 1, GopherPlus::View { view: v, language: l } | GopherPlus::Filled { view: v, language: l, .. }) => {
                prop_assert_eq!((given(v), l.map(given)), (view.to_vec(), language.map(<[u8]>::to_vec)));
                if kind == 1 {
                    prop_assert_eq!(lists.1, all);
                }
            }
            (2, GopherPlus::Ask) => {}
            (3, GopherPlus::Attributes { of_directory, .. }) => {
                prop_assert_eq!((of_directory, lists.0), (view.len() > 2, all.iter().map(|name| name.to_vec()).collect()));
            }
            other => panic!("{other:?}"),
        }
        no_line_holds_another(&built);
    }

    #[test]
    fn others(edition in edition(), one in octets(), two in octets(), media_type in "[a-z]{0,3}(/[a-z]{1,3})?") {
        prop_assume!(!is_step(&one));
        let built = HttpParts::new("http", "h.dom").segment(&one[..]).query(Value::Decoded(&two)).build_with(edition)?;
        let url = HttpUrl::of(built.as_uri_ref()).unwrap();
        prop_assert_eq!((given(url.path)[1..].to_vec(), url.query.map(given)), (one.clone(), Some(two.clone())));
        no_line_holds_another(&built);

        let built = WhoisParts::new(login(), &one[..]).build_with(edition)?;
        prop_assert_eq!(&given(WhoisUrl::of(built.as_uri_ref()).unwrap().handle), &one);
        no_line_holds_another(&built);

        let built = DataParts::new(&one[..]).media_type(&media_type).build_with(edition)?;
        let url = DataUrl::of(built.as_uri_ref()).unwrap();
        prop_assert_eq!((url.decode().unwrap(), given(url.media_type)), (one.clone(), media_type.into_bytes()));

        prop_assume!(!one.is_empty() && !two.is_empty());
        let built = MailtoParts::new(&one[..]).address(&two[..]).header(&one[..], &two[..]).build()?;
        let url = MailtoUrl::of(built.as_uri_ref()).unwrap();
        prop_assert_eq!(url.addresses().map(given).collect::<Vec<_>>(), [one.clone(), two.clone()]);
        let headers: Vec<_> = url.headers().map(|(name, value)| (given(name), given(value))).collect();
        prop_assert_eq!(headers, [(one.clone(), two.clone())]);

        let built = MidParts::default().message_id(&one[..]).content_id(&two[..]).build_with(edition)?;
        let url = MidUrl::of(built.as_uri_ref()).unwrap();
        prop_assert_eq!((url.message_id.map(given), url.content_id.map(given)), (Some(one.clone()), Some(two)));

        let built = NewsParts::new(&one[..]).login(login()).build()?;
        let url = NewsUrl::of(built.as_uri_ref()).unwrap();
        prop_assert!(url.login.is_some());
        no_line_holds_another(&built);

        let built = NntpParts::new(login(), &one[..]).number(7).build()?;
        prop_assert_eq!(given(NntpUrl::of(built.as_uri_ref()).unwrap().group), one);
        no_line_holds_another(&built);
    }

    /// What the schemes divide stands where it says, under every edition.
    #[test]
    fn excerpts_have_their_positions(text in "(ftp|gopher|wais|z39.50[rs]|prospero|news|nntp|mailto|urn|data|afs|whois|telnet|file):(//)?[a-c@:/;?=%09&,*.+-]{0,20}") {
        for edition in ALL {
            let Ok(reference) = UriRef::parse_with(&text, edition) else { continue };
            let Some(Ok(fields)) = fields(reference) else { continue };
            for field in fields {
                if let locator::scheme::FieldValue::One(excerpt) = field.value {
                    prop_assert_eq!(&text[excerpt.span()], excerpt.as_str());
                }
            }
        }
    }
}

/// A plan has as many lines as it was made of.
fn no_line_holds_another(url: &UriBuf) {
    let options = Options::new().low_ports(true);
    let Ok(plan) = plan(url.as_uri_ref(), &options) else { return };
    for message in plan.messages().filter(|message| message.is_lines()) {
        let octets = message.to_bytes();
        let ends = octets.windows(2).filter(|two| two == b"\r\n").count();
        let others = octets.iter().filter(|octet| matches!(octet, b'\r' | b'\n' | 0)).count();
        assert_eq!((ends, others), (message.lines(), 2 * message.lines()), "{url}: {octets:?}");
    }
}

//! Tests of the pages: forms, the pages of `testdata/serve/pages.toml` as recorded beside it (`UPDATE=1 cargo
//! test -p locator-gateway` writes them again), and that nothing of a server or a user becomes HTML of ours.
//! [`Page`] reads a page as a browser does, as far as our templates and those of `ammonia` go.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use locator::plan::ObjectKind;
use locator::{UriRef, edition};
use proptest::prelude::*;
use serde::Deserialize;

use super::links::is_shown;
use super::{
    ErrorPage, FrontPage, Links, Login, Object, ObjectPage, ask_form, ask_url, confirm_page, draft_page,
    error_page, front_page, login_page, no_fetch, readings_page, search_form, search_url, web_link_page,
};

fn gateway() -> Links {
    Links::gateway(String::new())
}

fn object<'a>(url: &'a str, kind: ObjectKind, media_type: Option<&'a str>) -> Object<'a> {
    let url = UriRef::parse(url).unwrap();
    Object { url, edition: edition::DEFAULT, kind, media_type, max_hits: 40 }
}

/// Returns the page of a body that comes in pieces of this size.
fn page_in(object: &Object<'_>, body: &[u8], size: usize, links: Links) -> String {
    let mut page = ObjectPage::new(object, &body[..body.len().min(8192)], links);
    let mut out = page.begin();
    for piece in body.chunks(size) {
        out.extend(page.push(piece));
        if page.is_complete() {
            break;
        }
    }
    out.extend(page.end());
    String::from_utf8(out).unwrap()
}

fn page(object: &Object<'_>, body: &[u8]) -> String {
    page_in(object, body, body.len().max(1), gateway())
}

/// The elements and attributes that our templates write.
pub(super) const ELEMENTS: &str = "a bdi blockquote body button caption code details div fieldset form h1 h2 head html img \
    input kbd label legend li link main mark meta nav ol option p pre script section select span strong style summary table tbody td \
    textarea th thead title tr ul";
pub(super) const ATTRIBUTES: &str = "action alt aria-current aria-describedby aria-label aria-labelledby autocapitalize \
    autocomplete charset checked class content defer for hidden href id inputmode lang method name rel required role rows \
    rowspan scope spellcheck src tabindex title type value";
/// Elements without content.
const EMPTY: &str = "br col hr img input link meta wbr";

/// The tags of a page.
#[derive(Debug, Default)]
pub(super) struct Page {
    /// The text between the tags, with references resolved.
    pub(super) text: String,
    /// The names of elements, with their attributes.
    pub(super) tags: Vec<(String, Vec<(String, String)>)>,
}

impl Page {
    /// Reads a page. Panics if tags are not nested, or if a value is not quoted.
    pub(super) fn read(html: &str) -> Self {
        let mut rest = html.strip_prefix("<!DOCTYPE html>").expect("a document type");
        let (mut page, mut open) = (Self::default(), Vec::new());
        while let Some(at) = rest.find('<') {
            page.add(&rest[..at]);
            rest = &rest[at + 1..];
            if let Some(after) = rest.strip_prefix('/') {
                let (name, after) = after.split_once('>').expect("a tag ends");
                assert_eq!(open.pop().as_deref(), Some(name), "{html}");
                rest = after;
                continue;
            }
            let end = rest.find([' ', '>']).expect("a tag ends");
            let name = rest[..end].to_owned();
            let attributes;
            (attributes, rest) = self::attributes(&rest[end..]);
            if name == "style" {
                // Its content is ours.
                rest = rest.split_once("</style>").expect("a style sheet ends").1;
            } else if !EMPTY.split(' ').any(|empty| empty == name) {
                open.push(name.clone());
            }
            page.tags.push((name, attributes));
        }
        page.add(rest);
        assert!(open.is_empty(), "{open:?} in {html}");
        page
    }

    fn add(&mut self, text: &str) {
        assert!(!text.contains('>'), "{text}");
        self.text.push_str(&resolved(text));
    }

    /// Panics if there is an element or an attribute that is not one of these, or an address that does not
    /// lead where it may.
    pub(super) fn has_only(&self, elements: &str, attributes: &str, leads: fn(&str) -> bool) {
        for (name, values) in &self.tags {
            assert!(elements.split_whitespace().any(|one| one == name), "<{name}>");
            for (attribute, value) in values {
                assert!(attributes.split_whitespace().any(|one| one == attribute), "{attribute} of <{name}>");
                let is_ours = !matches!(&**attribute, "href" | "src" | "action") || leads(value);
                assert!(is_ours, "{attribute}={value}");
            }
        }
    }

    /// Returns the values of an attribute.
    pub(super) fn values(&self, attribute: &str) -> Vec<&str> {
        let all = self.tags.iter().flat_map(|(_, values)| values);
        all.filter(|(name, _)| name == attribute).map(|(_, value)| &**value).collect()
    }
}

/// Returns whether an address leads to the gateway, to the web, or to a place in the page.
pub(super) fn leads_through_gateway(address: &str) -> bool {
    let starts = ["/", "#", "http://", "https://", "mailto:", "telnet:", "rlogin:", "tn3270:"];
    starts.iter().any(|start| address.starts_with(start)) && !address.starts_with("//")
}

/// Returns whether an address is a URL that a server may link to, or one of a local directory.
pub(super) fn is_native(address: &str) -> bool {
    let scheme = address.split(':').next().unwrap_or_default();
    scheme == "file" || is_shown(scheme)
}

/// Reads ` name="value"` and ` name` up to the end of a tag; returns what follows it.
fn attributes(text: &str) -> (Vec<(String, String)>, &str) {
    let (mut found, mut rest) = (Vec::new(), text);
    loop {
        rest = rest.trim_start_matches(' ');
        if let Some(after) = rest.strip_prefix('>') {
            return (found, after);
        }
        let end = rest.find(['=', ' ', '>']).expect("a tag ends");
        let name = rest[..end].to_owned();
        rest = &rest[end..];
        let mut value = String::new();
        if let Some(after) = rest.strip_prefix("=\"") {
            let quoted;
            (quoted, rest) = after.split_once('"').expect("a value ends");
            assert!(!quoted.contains('<'), "{quoted}");
            value = resolved(quoted);
        }
        found.push((name, value));
    }
}

/// Resolves the references that templates write. Panics if there is another one.
fn resolved(text: &str) -> String {
    for piece in text.split('&').skip(1) {
        assert!(
            ["amp;", "lt;", "gt;", "quot;", "nbsp;"].iter().any(|name| piece.starts_with(name)),
            "&{piece}"
        );
    }
    let text =
        text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&nbsp;", "\u{A0}");
    text.replace("&amp;", "&")
}

#[derive(Deserialize)]
struct Cases {
    case: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    url: String,
    kind: String,
    media_type: Option<String>,
    body: String,
}

impl Case {
    fn kind(&self) -> ObjectKind {
        use ObjectKind::{
            Article, Binary, Facts, Groups, Hits, Links, Menu, Names, Numbers, Overview, Text, Unknown,
        };
        let all =
            [Article, Binary, Facts, Groups, Hits, Links, Menu, Names, Numbers, Overview, Text, Unknown];
        *all.iter().find(|kind| kind.name() == self.kind).expect("a kind")
    }

    fn body(&self) -> Vec<u8> {
        octets(&self.body)
    }
}

/// Returns the octets that a text with escapes stands for. A line end directly after the opening quotes is
/// not part of a string of TOML; those after "\r" are.
fn octets(text: &str) -> Vec<u8> {
    let (mut octets, mut rest) = (Vec::new(), text.as_bytes());
    while let [first, after @ ..] = rest {
        rest = after;
        if *first != b'\\' {
            octets.push(*first);
            continue;
        }
        let (octet, length) = match after {
            [b'r', ..] => (b'\r', 1),
            [b'n', ..] => (b'\n', 1),
            [b't', ..] => (b'\t', 1),
            [b'x', hex @ ..] => (u8::from_str_radix(str::from_utf8(&hex[..2]).unwrap(), 16).unwrap(), 3),
            [other, ..] => (*other, 1),
            [] => panic!("an escape"),
        };
        octets.push(octet);
        rest = &after[length..];
    }
    octets
}

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/serve")
}

fn cases() -> Vec<Case> {
    toml::from_str::<Cases>(&fs::read_to_string(directory().join("pages.toml")).unwrap()).unwrap().case
}

/// A line for each element, so that a difference can be read.
fn lines(html: &str) -> String {
    let mut text = html.to_owned();
    for name in [
        "<main",
        "<nav",
        "<h1",
        "<h2",
        "<p",
        "<div",
        "<table",
        "<tbody",
        "<tr",
        "<ul",
        "<ol",
        "<li",
        "<form",
        "<label",
        "<input",
        "<section",
        "<blockquote",
        "<details",
        "</main",
    ] {
        text = text.replace(name, &format!("\n{name}"));
    }
    text + "\n"
}

pub(super) fn is_as_recorded(name: &str, html: &str) {
    let path = directory().join(name).with_extension("html");
    let text = lines(html);
    if std::env::var_os("UPDATE").is_some() {
        return fs::write(path, text).unwrap();
    }
    let recorded = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(recorded, text, "{} differs; if that is intended, run again with UPDATE=1", path.display());
}

#[test]
fn pages_are_as_recorded() {
    for case in cases() {
        let object = object(&case.url, case.kind(), case.media_type.as_deref());
        is_as_recorded(&case.name, &page_in(&object, &case.body(), usize::MAX, gateway()));
    }
}

#[test]
fn any_cut_gives_the_same_page() {
    for case in cases() {
        let (object, body) = (object(&case.url, case.kind(), case.media_type.as_deref()), case.body());
        let whole = page_in(&object, &body, usize::MAX, gateway());
        for size in [1, 2, 3, 7, 64] {
            assert_eq!(page_in(&object, &body, size, gateway()), whole, "{} by {size}", case.name);
        }
    }
}

#[test]
fn a_proxy_has_native_links_and_inline_style() {
    let menu = cases().into_iter().find(|case| case.name == "menu").unwrap();
    let html = page_in(&object(&menu.url, menu.kind(), None), &menu.body(), usize::MAX, Links::native());
    assert!(html.contains("href=\"gopher://gopher.example/1/docs\""), "{html}");
    assert!(html.contains("<style>") && !html.contains("/u/") && !html.contains("<script"));
}

fn url(text: &str) -> UriRef<'_> {
    UriRef::parse(text).unwrap()
}

fn utf8(page: Vec<u8>) -> String {
    String::from_utf8(page).unwrap()
}

#[test]
fn searches_without_words_have_a_form() {
    let links = gateway();
    for (text, words) in [
        ("gopher://h/7/find", "gopher://h/7/find%09a%20b%26%C3%A9"),
        ("gopher://h/7/find%09", "gopher://h/7/find%09a%20b%26%C3%A9"),
        ("wais://h/db", "wais://h/db?a%20b%26%C3%A9"),
        ("wais://h/db?", "wais://h/db?a%20b%26%C3%A9"),
        ("whois://h/", "whois://h/a%20b%26%C3%A9"),
    ] {
        assert!(search_form(&links, url(text)).is_some(), "{text}");
        assert_eq!(search_url(url(text), "a b&é", edition::DEFAULT).as_deref(), Ok(words), "{text}");
    }
    for text in [
        "gopher://h/7/find%09a",
        "gopher://h/1",
        "gopher://h/7/f%09%09+",
        "wais://h/db?a",
        "whois://h/a",
        "ftp://h/",
    ] {
        assert!(search_form(&links, url(text)).is_none(), "{text}");
    }
    assert!(search_url(url("ftp://h/"), "a", edition::DEFAULT).is_err());
}

/// All kinds of fields, as the server of the University of Minnesota sends them (`testdata/captures`).
const FORM: &[u8] = b"+INFO: 0Order a book\t0/order\tgopher.example\t70\t?\r\n+ADMIN:\r\n Admin: x <x@h>\r\n+ASK:\r\n \
    Note: A form\r\n Ask: What is your name?\tJoe\r\n AskP: Password:\r\n Choose: Colour\tred\tgreen\tblue\r\n \
    Select: Urgent\t1\r\n Select: Gift\t0\r\n AskL: Comments\tnone\r\n AskF: Save the receipt as\treceipt.txt\r\n \
    ChooseF: Your picture\r\n.\r\n";

const ITEM: &str = "gopher://gopher.example/00/order%09%09?";

#[test]
fn forms_of_gopher_plus_have_all_kinds_of_fields() {
    let html = utf8(ask_form(&gateway(), url(ITEM), FORM, "TOKEN"));
    is_as_recorded("form", &html);
    let page = Page::read(&html);
    assert_eq!(page.values("for"), ["a1", "p2", "a3", "s4", "s5", "l6", "l8"]);
    let html = utf8(ask_form(&gateway(), url(ITEM), b"+INFO: 0x\t0/x\th\t70\t+\r\n", "TOKEN"));
    assert!(html.contains("describes no form"));
}

fn filled(inputs: &[(&str, &str)]) -> Result<String, String> {
    let inputs: Vec<_> = inputs.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
    ask_url(url(ITEM), &inputs, edition::DEFAULT)
}

#[test]
fn answers_are_lines_of_the_url() {
    let all = [
        ("url", "x"),
        ("token", "x"),
        ("a1", "Joe Bloggs"),
        ("p2", "s%cret"),
        ("a3", "green"),
        ("s4", "0"),
        ("s4", "1"),
        ("s5", "0"),
        ("l6", "one\r\ntwo\r\n"),
        ("l8", ""),
    ];
    assert_eq!(
        filled(&all).as_deref(),
        Ok("gopher://gopher.example/00/order%09%09+%091%0D%0A+-1%0D%0AJoe%20Bloggs%0D%0As%25cret%0D%0Agreen\
            %0D%0A1%0D%0A0%0D%0A2%0D%0Aone%0D%0Atwo%0D%0A0%0D%0A.%0D%0A")
    );
    assert_eq!(
        filled(&[("a0", "a\r\nb")]).as_deref(),
        Ok("gopher://gopher.example/00/order%09%09+%091%0D%0A+-1%0D%0Aa%20%20b%0D%0A.%0D%0A")
    );
    for text in ["", "a b", "%", "é", "a/b", "..", "+", "?#"] {
        assert!(filled(&[("a0", text)]).is_ok(), "{text}: {:?}", filled(&[("a0", text)]));
    }
    assert!(filled(&[]).is_err() && filled(&[("a0", ".")]).is_err() && filled(&[("l0", "a\n.\nb")]).is_err());
}

#[test]
fn pages_of_the_gateway_are_as_recorded() {
    let links = gateway();
    is_as_recorded("search", &utf8(search_form(&links, url("gopher://gopher.example/7/find")).unwrap()));
    is_as_recorded("front", &utf8(front_page(&links, &FrontPage::default())));
    is_as_recorded(
        "draft",
        &utf8(draft_page(
            &links,
            url("mailto:joe@example.com?subject=Hi%20there&bcc=eve@example.com&body=a%0D%0Ab"),
        )),
    );
    let advice = ["Check the spelling of the path.", "Look at the parent directory."];
    let error = ErrorPage {
        status: 404,
        title: "The server has no such file",
        url: Some("ftp://ftp.example/pub/missing"),
        reply: Some("550 Failed to open file. <b>\u{1B}\u{202E}"),
        advice: &advice,
    };
    is_as_recorded("error", &utf8(error_page(&links, &error)));
}

#[test]
fn what_is_not_fetched_is_linked_only_where_that_is_safe() {
    let links = gateway();
    for (text, is_fetched, link) in [
        ("http://www.example.com/a", false, true),
        ("https://www.example.com/", false, true),
        ("telnet://h/", false, true),
        ("telnet://a-b@h-i/", false, true),
        ("telnet://-oProxyCommand=x@h/", false, false),
        ("telnet://%2DoProxyCommand=x@h/", false, false),
        ("telnet://-oProxyCommand=x@-l", false, false),
        ("rlogin://-l/", false, false),
        ("tn3270://%2dl:23/", false, false),
        ("javascript:alert(1)", false, false),
        ("ms-msdt:x", false, false),
        ("ftp://h/", true, false),
        ("mailto:a@h", true, false),
    ] {
        assert_eq!(no_fetch(url(text)), !is_fetched, "{text}");
        let html = utf8(web_link_page(&links, text));
        assert_eq!(Page::read(&html).values("href").contains(&text), link, "{text}");
    }
}

/// The kinds of objects whose pages are made of our templates.
const KINDS: [(ObjectKind, &str, Option<&str>); 11] = [
    (ObjectKind::Menu, "gopher://h.example/1", None),
    (ObjectKind::Names, "ftp://h.example/a/", None),
    (ObjectKind::Names, "file:///a/", None),
    (ObjectKind::Facts, "ftp://h.example/a/", None),
    (ObjectKind::Groups, "news://h.example/*", None),
    (ObjectKind::Numbers, "nntp://h.example/g", None),
    (ObjectKind::Overview, "nntp://h.example/g", None),
    (ObjectKind::Hits, "wais://h.example/db?a", None),
    (ObjectKind::Links, "prospero://h.example/a", None),
    (ObjectKind::Article, "nntp://h.example/g/1", None),
    (ObjectKind::Text, "gopher://h.example/0a", Some("text/plain")),
];

/// Checks that a page has only what templates write, and that all of its text shows itself.
fn is_safe(html: &str) -> Page {
    let page = Page::read(html);
    page.has_only(ELEMENTS, ATTRIBUTES, leads_through_gateway);
    let harmful = |c: &char| !matches!(c, '\n' | '\t') && !locator_web::report::visible::shows_itself(*c);
    assert_eq!(page.text.chars().find(harmful), None, "{html}");
    page
}

fn bodies_are_safe(body: &[u8]) {
    for (kind, url, media_type) in KINDS {
        let object = object(url, kind, media_type);
        is_safe(&page(&object, body));
        let native = page_in(&object, body, 5, Links::native());
        Page::read(&native).has_only(ELEMENTS, ATTRIBUTES, is_native);
    }
}

#[test]
fn every_octet_in_every_field() {
    for octet in 0..=255_u8 {
        let name = [b"a", &[octet][..], b"b"].concat();
        let fields =
            [&b"0"[..], &name, b"\t", &name, b"\th.example\t70\r\n1x\t\t", &name, b"\t70\r\n"].concat();
        bodies_are_safe(&fields);
        bodies_are_safe(&[&name[..], b"\r\n", &[octet], b"\r\n"].concat());
        bodies_are_safe(
            &[
                b"type=file;size=1; ",
                &name[..],
                b"\r\n",
                &name,
                b": c\r\nSubject: ",
                &name,
                b"\r\n\r\n> ",
                &name,
            ]
            .concat(),
        );
    }
}

/// Markup in every place where it could be taken for ours.
const MARKUP: [&str; 9] = [
    "<script>alert(1)</script>",
    "\"onload=\"x",
    "' onload='x",
    "</pre></ul></title></style><img src=x onerror=y>",
    "&lt;&#x3c;&amp;&copy",
    "<!--content-->",
    "]]><![CDATA[",
    "javascript:alert(1)//http://h/",
    "\u{202E}\u{2066}\u{200B}\u{FEFF}\u{2028}\u{E0041}",
];

#[test]
fn markup_is_text() {
    for markup in MARKUP {
        let menu = format!(
            "i{markup}\t\t\t\r\n0{markup}\t{markup}\th.example\t70\r\nhx\tURL:{markup}\th\t70\r\n3{markup}\t\t\t\r\n{markup}\r\n"
        );
        let article = format!(
            "Subject: {markup}\r\nNewsgroups: {markup},a\r\nReferences: <{markup}@x> <a@{markup}>\r\nX-{markup}: a\r\n\
             Content-Type: {markup}\r\n\r\n{markup}\r\n> {markup}\r\n-- \r\n{markup}\r\n"
        );
        bodies_are_safe(menu.as_bytes());
        bodies_are_safe(article.as_bytes());
    }
}

/// Returns all pages that are not those of objects, with a text in every field.
fn others(text: &str) -> Vec<String> {
    let links = gateway();
    let url =
        format!("gopher://h.example/7{}", locator::PctString::encode(text, locator::AsciiSet::UNRESERVED));
    let form = format!(
        "+INFO: 0{text}\t0/a\th\t70\t?\r\n+ASK:\r\n Note: {text}\r\n Ask: {text}\t{text}\r\n AskP: {text}\r\n AskL: {text}\t{text}\r\n \
         AskF: {text}\t{text}\r\n Choose: {text}\t{text}\t{text}\r\n ChooseF: {text}\r\n Select: {text}\t1\r\n \
         Select: {text}\t{text}\t{text}\r\n {text}: {text}\r\n"
    );
    let reference = UriRef::parse(&url).unwrap();
    let search = url.replace("%09", "").split("%09").next().unwrap_or_default().to_owned();
    let mailto = url.replace("gopher://h.example/7", "mailto:");
    let mailto = format!("{mailto}?subject={0}&bcc={0}&body={0}", &mailto[7..]);
    let prompt = locator::plan::Prompt::Password { user: text.into() };
    let login = Login { url: &url, prompt: &prompt, user: Some(text), was_wrong: true, token: text };
    let advice = [text];
    let error = ErrorPage { status: 404, title: text, url: Some(text), reply: Some(text), advice: &advice };
    [
        front_page(&links, &FrontPage { url: Some(text), error: Some(text) }),
        readings_page(&links, Some(text), Some(text)),
        readings_page(&links, Some(text), None),
        error_page(&links, &error),
        error_page(&Links::native(), &error),
        confirm_page(&links, text, text),
        login_page(&links, &login),
        search_form(&links, UriRef::parse(&search).unwrap()).unwrap(),
        ask_form(&links, reference, form.as_bytes(), text),
        draft_page(&links, UriRef::parse(&mailto).unwrap()),
        web_link_page(&links, text),
        web_link_page(&links, &format!("http://h.example/{text}")),
    ]
    .map(utf8)
    .into()
}

#[test]
fn forms_and_errors_escape_all_fields() {
    for text in MARKUP {
        others(text).iter().map(|html| is_safe(html)).for_each(drop);
    }
    for c in '\0'..='\u{FF}' {
        others(&format!("a{c}b")).iter().map(|html| is_safe(html)).for_each(drop);
    }
}

#[test]
fn no_control_of_a_server_is_in_an_attribute() {
    let html =
        page(&object("ftp://h.example/%1B%E2%80%AE.gif", ObjectKind::Binary, Some("image/gif")), b"GIF89a\0");
    let alt = Page::read(&html).values("alt").concat();
    assert_eq!(alt, "Image: <U+001B><U+202E>.gif");
}

/// What HTML of others may have besides.
const CLEAN: &str = "abbr acronym article aside b bdo br center cite col colgroup data dd del dfn dl dt em figcaption figure \
    footer h3 h4 h5 h6 header hgroup hr i ins q rp rt rtc ruby s samp small strike sub sup time tt u var wbr";
const CLEAN_ATTRIBUTES: &str =
    "align char charoff colspan datetime dir headers height hreflang size span start summary width";

fn html_is_safe(html: &str) -> Page {
    let found = page(&object("ftp://h.example/a.html", ObjectKind::Unknown, None), html.as_bytes());
    let page = Page::read(&found);
    page.has_only(
        &[ELEMENTS, CLEAN].join(" "),
        &[ATTRIBUTES, CLEAN_ATTRIBUTES].join(" "),
        leads_through_gateway,
    );
    // Scripts, style sheets and forms are only ours.
    let head = page.tags.iter().position(|(name, _)| name == "main").unwrap();
    for name in ["script", "style", "form", "input", "button", "link", "meta", "select", "textarea", "iframe"]
    {
        assert!(!page.tags[head..].iter().any(|(found, _)| found == name), "<{name}> in {found}");
    }
    page
}

#[test]
fn html_of_others_is_cleaned() {
    for html in [
        "<svg onload=x><script>a</script></svg>",
        "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=alert(1)&gt;\">",
        "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">",
        "<a href=\" javascript:x\">1</a><a href=\"jav\tascript:x\">2</a><a href=\"\u{1}javascript:x\">3</a>",
        "<a href='vbscript:x'>1</a><a href='data:text/html,<script>'>2</a><a href='//evil.example'>3</a>",
        "<base href='javascript:x'><a href=y>z</a><base href='http://evil.example/'>",
        "<img src='data:image/png;base64,AA'><img src='//evil.example/x'><img src='http://h.example/x'>",
        "<form action=/login><input name=a><button>b</button></form><isindex><keygen><object data=x></object><embed src=x>",
        "<plaintext><script>x</script>",
        "<title></title><textarea></textarea><xmp><img src=x onerror=y></xmp>",
        "<table><td></main></body></html><script>x</script>",
        "<div id=url class=reading style=x onclick=x><a name=main></a></div>",
    ] {
        html_is_safe(html);
        html_is_safe(&html.repeat(50));
    }
}

#[test]
fn links_of_html_are_made_absolute_by_its_base() {
    let page = html_is_safe(
        "<a href=a>1</a><base href='ftp://other.example/x/'><base href=/no/><a href=../b#c>2</a>",
    );
    let found = page.values("href");
    assert!(found.contains(&"/u/ftp%3A%2F%2Fother.example%2Fx%2Fa"), "{found:?}");
    assert!(found.contains(&"/u/ftp%3A%2F%2Fother.example%2Fb%23c"), "{found:?}");
}

#[test]
fn html_that_takes_long_to_read_is_shown_as_source() {
    let attributes: String = (0..300).map(|number| format!("a{number} ")).collect();
    let quoted: String = (0..300).map(|number| format!("a{number}=\"x\"")).collect();
    for html in [
        "<span></x>".repeat(600),
        "<span></x>".repeat(25_000),
        "</x>".repeat(600),
        "<table><tr><td></x></x></x>".repeat(600),
        format!("<p {attributes}>"),
        format!("<p {}>", attributes.replace(' ', "/")),
        format!("<p {quoted}>"),
        format!("<p {attributes}"),
        "<p a=".repeat(50_000),
        "<p a=x".repeat(40_000),
        (0..600).map(|number| format!("<div><b id={number}></div>")).collect(),
    ] {
        let html = page(&object("ftp://h/a.html", ObjectKind::Unknown, None), html.as_bytes());
        assert!(html.contains("its source is shown"), "{}", &html[..2000.min(html.len())]);
    }
    let usual = "<div class=\"a b c\" title='a b'><p>a<p>b</p></p><b><i>c</i></b><td></td></div>".repeat(520);
    let found = page(&object("ftp://h/a.html", ObjectKind::Unknown, None), usual.as_bytes());
    assert!(!found.contains("its source is shown"));
}

#[test]
fn a_menu_links_only_to_schemes_that_are_known() {
    let menu = "hx\tURL:lynxexec:id\th\t70\r\nhy\tURL:javascript:x\th\t70\r\nhf\tURL:file:///etc/passwd\th\t70\r\n\
                hq\tURL:x-mine:a\th\t70\r\nhz\tURL:telnet://h/\th\t70\r\nhw\tURL:http://w.example/\th\t70\r\n";
    for links in [Links::native(), gateway()] {
        let menu =
            page_in(&object("gopher://h.example/1", ObjectKind::Menu, None), menu.as_bytes(), 5, links);
        let page = Page::read(&menu);
        let hrefs = page.values("href").concat();
        assert!(
            !["lynxexec", "javascript", "file", "x-mine"].iter().any(|scheme| hrefs.contains(scheme)),
            "{hrefs}"
        );
        assert!(hrefs.contains("telnet") && hrefs.contains("http://w.example/"), "{hrefs}");
        assert!(menu.contains("(no link: the scheme is"), "{menu}");
        assert!(menu.contains("(no link: a server may not link to"), "{menu}");
    }
}

/// Work grows with the octets: a body that is ten times as long takes not a hundred times as long. The test
/// does not measure, it only ends.
#[test]
fn hostile_sizes_end() {
    let long = "a".repeat(10 << 20);
    let menu = object("gopher://h.example/1", ObjectKind::Menu, None);
    let html = page(&menu, format!("0x\t/x\th\t70\r\n1{long}\t/x\th\t70\r\n0y\t/y\th\t70\r\n").as_bytes());
    assert!(html.len() < 100_000 && html.contains("is not shown"), "{}", html.len());
    assert_eq!(
        Page::read(&html)
            .values("href")
            .iter()
            .filter(|href| href.ends_with("%2F0%2Fx") || href.ends_with("%2F0%2Fy"))
            .count(),
        2
    );
    let in_pieces = page_in(
        &menu,
        format!("0x\t/x\th\t70\r\n1{long}\t/x\th\t70\r\n0y\t/y\th\t70\r\n").as_bytes(),
        4096,
        gateway(),
    );
    assert_eq!(html, in_pieces);

    let endless = "1x\t/x\th\t70\r\n".repeat(200_000);
    let html = page_in(&menu, endless.as_bytes(), 65_536, gateway());
    assert!(html.contains("The first 100000 entries are shown"));

    for (kind, url, media_type) in KINDS {
        let html = page(&object(url, kind, media_type), long.as_bytes());
        assert!(html.ends_with("</html>"), "{kind:?}");
    }
    for html in
        ["<div>", "<b>", "<p>", "<table><td>", "<a href=x>", "<div><p>", "&amp;", "<!--", "<i><b></i>"]
    {
        let html = html.repeat((64 << 10) / html.len());
        page(&object("ftp://h/a.html", ObjectKind::Unknown, None), html.as_bytes());
    }
}

#[test]
#[ignore = "a measurement; run it with --release"]
fn measure_html() {
    for html in [
        "<div>",
        "<b>",
        "<p>",
        "<table><td>",
        "<a href=x>",
        "<div><p>",
        "&amp;",
        "<!--",
        "<i><b></i>",
        "</x>&",
        "<table>&<tr>&",
    ] {
        let body = html.repeat((1 << 20) / html.len());
        let start = Instant::now();
        page(&object("ftp://h/a.html", ObjectKind::Unknown, None), body.as_bytes());
        eprintln!("1 MiB of {html} in {:?}", start.elapsed());
    }
}

#[test]
#[ignore = "a measurement; run it with --release"]
fn measure_a_menu() {
    let mut menu = String::new();
    for number in 0..10_000 {
        let _ = write!(menu, "0Entry number {number}\t/docs/{number}.txt\tgopher.example\t70\r\n");
    }
    let object = object("gopher://gopher.example/1", ObjectKind::Menu, None);
    let mut best = Duration::MAX;
    for _ in 0..10 {
        let start = Instant::now();
        page_in(&object, menu.as_bytes(), 16_384, gateway());
        best = best.min(start.elapsed());
    }
    eprintln!("10,000 entries in {best:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(40) })]

    #[test]
    fn no_octets_become_html(body in proptest::collection::vec(prop_oneof![
        Just(b'<'), Just(b'>'), Just(b'"'), Just(b'\''), Just(b'&'), Just(b'\t'), Just(b'\r'), Just(b'\n'), Just(b':'),
        Just(b'.'), Just(b'0'), Just(b'1'), Just(b'i'), Just(b'h'), Just(b'@'), Just(b'/'), any::<u8>()
    ], 0..200)) {
        bodies_are_safe(&body);
    }

    #[test]
    fn no_text_in_a_form_becomes_html(text in "[ -~\\PC<>&\"'\u{0}-\u{1f}\u{202e}]{1,30}") {
        others(&text).iter().map(|html| is_safe(html)).for_each(drop);
    }

    #[test]
    fn no_html_passes_uncleaned(html in "(<(/|!|)(a|b|div|script|style|svg|math|p|table|td|img|base|noscript|template|select)( (href|src|onload|style|id|name)=(\"|'|)(javascript:|/|#|x|<|>){0,3}(\"|'|)){0,2}>|[a-z<>&\"' ]){0,30}") {
        html_is_safe(&html);
    }
}

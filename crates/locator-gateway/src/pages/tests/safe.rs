//! Nothing of a server or a user becomes HTML of ours.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use locator::UriRef;
use locator::plan::ObjectKind;
use proptest::prelude::*;

use super::super::{
    ErrorPage, Front, Links, Login, ask_form, confirm_page, draft_page, error_page, front_page,
};
use super::super::{login_page, readings_page, search_form, web_link_page};
use super::reader::{ATTRIBUTES, ELEMENTS, Page, is_native, leads_through_gateway};
use super::{gateway, object, page, page_in};

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

fn utf8(page: Vec<u8>) -> String {
    String::from_utf8(page).unwrap()
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
        front_page(&links, &Front { url: Some(text), error: Some(text) }),
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

//! Nothing of the input becomes HTML.

use locator_web::Renderer;
use proptest::prelude::*;

/// The elements and attributes that our templates write.
const ELEMENTS: &str = "a caption code details div h2 kbd li mark p pre section span strong summary table tbody td th thead tr ul";
const ATTRIBUTES: &str = "aria-label aria-labelledby class href id role rowspan scope tabindex title";

/// Reads the HTML as a browser does, as far as our templates go, and returns its text. Panics if there is
/// a tag, an attribute or a reference that they do not write, or if tags are not nested.
fn text_of(html: &str) -> String {
    let (mut text, mut rest, mut open) = (String::new(), html, Vec::new());
    while let Some(at) = rest.find('<') {
        text.push_str(&rest[..at]);
        let (tag, after) = rest[at + 1..].split_once('>').expect("a tag ends");
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name.to_owned()), "{html}");
            continue;
        }
        let (name, mut attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        assert!(ELEMENTS.split(' ').any(|one| one == name), "<{name}> in {html}");
        open.push(name.to_owned());
        while !attributes.is_empty() {
            let (name, value) = attributes.split_once("=\"").expect("a value is quoted");
            assert!(ATTRIBUTES.split(' ').any(|one| one == name), "{name} in {html}");
            attributes = value.split_once('"').expect("a value ends").1.trim_start();
        }
    }
    assert!(open.is_empty(), "{html}");
    text.push_str(rest);
    assert!(!text.contains('>'), "{html}");
    for piece in text.split('&').skip(1) {
        assert!(["amp;", "lt;", "gt;", "quot;"].iter().any(|name| piece.starts_with(name)), "&{piece}");
    }
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

/// All that can be made of a text.
fn all(text: &str) -> Vec<String> {
    let renderer = Renderer::new().links("#u=");
    [
        renderer.url(text),
        renderer.clone().show_secrets().url(text),
        renderer.comparison(text, "http://h/"),
        renderer.comparison("http://h/", text),
        renderer.found(text),
    ]
    .map(|html| html.into_string())
    .into()
}

fn is_safe(text: &str) {
    for html in all(text) {
        let text = text_of(&html);
        let harmful = text.chars().find(|c| *c != '\n' && !locator_web::report::visible::shows_itself(*c));
        assert_eq!(harmful, None, "{html}");
    }
}

#[test]
fn every_octet_in_every_component_is_escaped() {
    for c in ('\0'..='\u{FF}').chain(['\u{202E}', '\u{200B}', '\u{2028}', '\u{FEFF}', '\u{E0001}']) {
        is_safe(&format!("{c}"));
        is_safe(&format!("http://{c}:{c}@h{c}.example:{c}/{c}/..;{c}?{c}#{c}"));
        is_safe(&format!("ftp://u:p@h.example/{c};type={c}"));
    }
}

#[test]
fn markup_is_escaped() {
    for text in [
        "<script>alert(1)</script>",
        "http://<script>alert(1)</script>@h/",
        "http://h/\"onload=\"x",
        "http://h/'onload='x",
        "javascript:alert(1)//http://h/&lt;&#x3c;&amp;",
        "<http://h/\">x</a>",
        "http://u:<b>@h\\@<i>/",
        "http://a.example\\@<b>.example/",
    ] {
        is_safe(text);
    }
}

#[test]
fn passwords_are_hidden() {
    let renderer = Renderer::new();
    let urls = [
        "http://anna:tarantula@h/",
        "ftp://u:tarantula@h/%2Fx",
        "http://anna:tarantula\\@h@i/",
        "http:anna:tarantula@h/a b",
    ];
    for (number, url) in urls.into_iter().enumerate() {
        let other = url.replace("tarantula", "tarantulb");
        let mut pages = vec![renderer.url(url), renderer.comparison(url, &other)];
        if number < 2 {
            // In running text the others end before "@".
            pages.push(renderer.found(&format!("see {url} there")));
        }
        for html in pages {
            assert!(!html.as_str().contains("tarantul"), "{url}: {html}");
        }
        assert!(renderer.clone().show_secrets().url(url).as_str().contains("tarantula"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(100) })]

    #[test]
    fn no_text_becomes_html(text in "(https?:|ftp:|)(//|\\\\|)[ -~\\PC<>&\"'\\\\@:/?#\\[\\]%\u{0}-\u{1f}\u{202e}]{0,40}") {
        is_safe(&text);
    }
}

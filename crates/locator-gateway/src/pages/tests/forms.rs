//! Forms: which URLs have one, and the URLs that they lead to.

use locator::{UriRef, edition};

use super::super::{ErrorPage, Front, draft_page, error_page};
use super::super::{ask_form, ask_url, front_page, no_fetch, search_form, search_url, web_link_page};
use super::gateway;
use super::reader::Page;
use super::recorded::is_as_recorded;

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
    is_as_recorded("front", &utf8(front_page(&links, &Front::default())));
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

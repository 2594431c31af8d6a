//! Pages of what was fetched.

use std::io::Read as _;
use std::io::Write as _;

use locator_dev::servers::GopherServer;

use crate::serve::gateway::Gateway;

/// A page comes as far as its object has come, and says if the rest is missing.
#[test]
fn a_page_comes_with_its_object() {
    let gateway = Gateway::start(&[]);
    let (more, go) = std::sync::mpsc::channel::<()>();
    let go = std::sync::Mutex::new(go);
    let server = GopherServer::start_with(move |_, stream| {
        stream.write_all(b"0First\ta\th.example\t70\r\n")?;
        let _ = go.lock().unwrap().recv();
        stream.write_all(b"0Second\tb\th.example\t70\r\n.\r\n")
    });
    let path = gateway.path("u", &server.url("1/"));
    let mut stream = gateway.connect();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", gateway.host()).unwrap();
    let mut text = String::new();
    while !text.contains("First") {
        let mut octets = [0; 4096];
        let read = stream.read(&mut octets).unwrap();
        assert!(read > 0, "{text}");
        text += &String::from_utf8_lossy(&octets[..read]);
    }
    assert!(text.starts_with("HTTP/1.1 200") && !text.contains("Second"));
    more.send(()).unwrap();
    stream.read_to_string(&mut text).unwrap();
    assert!(text.contains("Second"));
}

#[test]
fn errors_are_pages_for_browsers() {
    let gateway = Gateway::start(&[]);
    let path = gateway.path("u", "gopher://10.0.0.1/");
    let response = gateway.request("GET", &path, &[("Accept", "text/html,*/*")], "");
    assert_eq!((response.status, response.header("content-type")), (403, Some("text/html; charset=utf-8")));
    assert!(response.text().contains("--allow 10.0.0.1"));
    let response = gateway.request("GET", &path, &[("Accept", "*/*")], "");
    assert_eq!((response.status, response.header("content-type")), (403, Some("text/plain; charset=utf-8")));
    let wrong = gateway.request("GET", "/u/nonsense", &[("Accept", "text/html")], "");
    assert_eq!(wrong.status, 400);
}

/// Nothing is fetched of the web, of mail, and of a search without words.
#[test]
fn pages_without_a_fetch() {
    let gateway = Gateway::start(&[]);
    let server = GopherServer::start(b"hello\n");
    for url in [
        "http://127.0.0.1:1/",
        "https://example.com/",
        "mailto:joe@example.com?subject=x",
        "telnet://127.0.0.1/",
    ] {
        let response = gateway.get(&gateway.path("u", url));
        assert_eq!(response.status, 200, "{url}: {}", response.text());
    }
    let form = gateway.get(&gateway.path("u", &server.url("7/find")));
    assert_eq!((form.status, server.connections()), (200, 0));
    assert!(form.text().contains("action=\"/search\""), "{}", form.text());
    let url = crate::serve::gateway::encoded(&server.url("7/find"));
    let found = gateway.get(&format!("/search?url={url}&words=a+b"));
    assert_eq!(found.status, 303);
    gateway.get(found.header("location").unwrap());
    assert_eq!(server.selectors(), ["/find\ta b"]);
}

/// What is entered and is not a URL is in the form again, with what is wrong with it.
#[test]
fn the_form_says_what_is_wrong() {
    let gateway = Gateway::start(&[]);
    let enter = |text: &str, accept: &str| {
        let path = format!("/?url={}", crate::serve::gateway::encoded(text));
        gateway.request("GET", &path, &[("Accept", accept)], "")
    };
    let form = enter(" gopher://h/\"a b ", "text/html");
    assert_eq!((form.status, form.header("content-type")), (400, Some("text/html; charset=utf-8")));
    let text = form.text();
    assert!(text.contains("value=\"gopher://h/&quot;a b\""), "{text}");
    assert!(text.contains("aria-describedby=\"wrong\""), "{text}");
    assert!(text.contains("\n  gopher://h/&quot;a b\n             ^ byte 11\n"), "{text}");
    for (typed, meant) in [
        ("gopher.example.com/x", "gopher://gopher.example.com/x"),
        ("Gopher.example:7070", "gopher://Gopher.example:7070/"),
        ("www.example.com", "https://www.example.com/"),
        ("example.com:70/1", "gopher://example.com:70/1"),
        ("127.0.0.1:21", "ftp://127.0.0.1:21/"),
        ("localhost:8080", "http://localhost:8080/"),
    ] {
        let text = enter(typed, "text/html").text();
        assert!(text.contains(&format!("\n  did you mean {meant} ?")), "{text}");
    }
    assert!(enter("/pub/", "text/html").text().contains("\n  begin it with one, such as gopher:"));
    // As it is pasted.
    for pasted in ["<gopher://h/>", "\"gopher://h/\"", " URL:gopher://h/\n"] {
        assert_eq!(enter(pasted, "text/html").header("location"), Some("/u/gopher%3A%2F%2Fh%2F"), "{pasted}");
    }
    // A scheme without a host.
    assert_eq!(enter("news:comp.lang.c", "text/html").status, 303);
    assert_eq!(enter("urn:123", "text/html").status, 303);
    // A password that was entered is in the form only.
    let text = enter("ftp://joe:s3cret@h/a b", "text/html").text();
    assert_eq!(text.matches("s3cret").count(), 1, "{text}");
    // Programs get a text.
    let refused = enter("gopher://h/a b", "*/*");
    assert_eq!((refused.status, refused.header("content-type")), (400, Some("text/plain; charset=utf-8")));
    assert!(refused.text().contains("\n  gopher://h/a b\n"), "{}", refused.text());
}

/// What the gateway lacks, the page says, and how it is given.
#[test]
fn what_is_missing_is_said() {
    let gateway = Gateway::start(&[]);
    let missing = gateway.get(&gateway.path("u", "news:comp.lang.c"));
    assert_eq!(missing.status, 400);
    assert!(missing.text().contains("needs a news server"), "{}", missing.text());
    assert!(missing.text().contains("locator serve --news-server HOST"), "{}", missing.text());
}

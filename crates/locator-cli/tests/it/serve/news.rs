//! Pages of newsgroups: what a server of news is asked for.

use locator_dev::servers::LineServer;

use crate::serve::gateway::Gateway;

/// Starts a server with a group.
fn start(has_overview: bool) -> LineServer {
    LineServer::start("200 ready", move || {
        move |line: &str| {
            Some(match line {
                "GROUP a.b" => "211 2 1 2 a.b",
                "OVER 1-" if has_overview => {
                    "224 here\r\n1\tFirst\tJoe <joe@h>\t12 Nov 2026 08:00 GMT\t<1@h>\t\t9\t1\r\n\
                     2\tRe: First\tAnn <ann@h>\t12 Nov 2026 09:00 GMT\t<2@h>\t<1@h>\t9\t1\r\n."
                }
                "LISTGROUP" => "211 2 1 2 a.b\r\n1\r\n2\r\n.",
                "ARTICLE 2" => "220 2 <2@h>\r\nSubject: Re: First\r\n\r\nhello\r\n.",
                _ => "500 what?",
            })
        }
    })
}

/// The articles are not asked for one by one, and one connection is enough.
#[test]
fn a_group_lists_subjects_and_authors() {
    let (gateway, server) = (Gateway::start(&[]), start(true));
    let address = server.address();
    let page = gateway.get(&gateway.path("u", &format!("news://{address}/a.b"))).text();
    for shown in ["First", "Joe", "12 Nov 2026 08:00 GMT", "Re: First", "Ann"] {
        assert!(page.contains(&format!(">{shown}</")), "{shown}: {page}");
    }
    let article = gateway.get(&gateway.path("u", &format!("nntp://{address}/a.b/2")));
    assert!(article.text().contains("hello"), "{}", article.text());
    assert_eq!(server.log().all(), ["GROUP a.b", "OVER 1-", "GROUP a.b", "ARTICLE 2"]);
    assert_eq!(server.connections(), 1);
}

#[test]
fn a_server_without_overviews_lists_numbers() {
    let (gateway, server) = (Gateway::start(&[]), start(false));
    let address = server.address();
    let page = gateway.get(&gateway.path("u", &format!("nntp://{address}/a.b")));
    assert!(page.text().contains("a.b%2F2\"><bdi>2</bdi></a>"), "{}", page.text());
    assert_eq!(server.log().all(), ["GROUP a.b", "OVER 1-", "XOVER 1-", "LISTGROUP"]);
    assert_eq!(server.connections(), 1);
    // Its octets are those of get.
    let raw = gateway.get(&gateway.path("raw", &format!("nntp://{address}/a.b")));
    assert_eq!(raw.body, b"1\r\n2\r\n");
}

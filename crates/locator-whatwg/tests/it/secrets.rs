//! No `Debug` shows the password of a URL.

use locator_whatwg::{Url, UrlRef};

const PASSWORD: &str = "c4n4ryPassw0rd";

#[test]
fn no_debug_shows_a_password() {
    let text = format!("https://joe:{PASSWORD}@h.example/a?b#c");
    let mut url = Url::parse(&text).unwrap();
    let mut shown = vec![
        format!("{url:?} {:?}", UrlRef::parse(&text).unwrap()),
        format!("{:?} {:?}", Url::options().base_url(Some(&url)), url.origin()),
        format!("{:?} {:?}", Url::parse(&format!("https://joe:{PASSWORD}@h:x/")), url.query_pairs()),
    ];
    shown.push(format!("{:?}", url.path_segments_mut().unwrap()));
    shown.push(format!("{:?}", url.query_pairs_mut()));
    for shown in shown {
        assert!(!shown.contains(PASSWORD), "{shown}");
    }
}

//! How often ordinary values are hidden, and secrets are not: `testdata/secrets`, which
//! `scripts/modules/secrets_made.py` makes, and real URLs.
//!
//! `LOCATOR_URLS=FOLDER cargo test -p locator-uri --test it hidden -- --nocapture` counts also the real URLs in the
//! lists `*.txt` of FOLDER, and prints what is hidden in them.

use std::fs;
use std::path::{Path, PathBuf};

use locator::Redacted;

fn testdata() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata")
}

fn read(path: &Path) -> String {
    String::from_utf8_lossy(&fs::read(path).expect("a list")).into_owned()
}

#[test]
fn at_most_one_of_200_ordinary_values_is_hidden() {
    let text = read(&testdata().join("secrets/ordinary.txt"));
    let wrong: Vec<_> = text.lines().filter(|url| Redacted::new(url).to_string() != **url).collect();
    println!("ordinary: {} of {} hidden: {wrong:#?}", wrong.len(), text.lines().count());
    assert!(wrong.len() * 200 <= text.lines().count(), "{wrong:#?}");
}

#[test]
fn nearly_all_secrets_are_hidden() {
    let text = read(&testdata().join("secrets/secret.txt"));
    let lines = text.lines().filter_map(|line| line.split_once('\t'));
    let missed: Vec<_> =
        lines.filter(|(secret, url)| Redacted::new(url).to_string().contains(secret)).collect();
    let count = text.lines().count();
    println!("secrets: {} of {count} hidden; not {missed:#?}", count - missed.len());
    assert!(missed.len() * 50 <= count, "{missed:#?}");
}

/// The names of sessions and tokens in the lists of real URLs, whose values are secrets.
const SECRETS: [&str; 6] =
    ["jsessionid=", "phpsessid=", "poe_session=", "cftoken=", "pdfptoken=", "sessionid="];

#[test]
fn at_most_one_of_200_real_urls_is_hidden_wrongly() {
    let lists = ["web", "homepages"].map(|list| testdata().join("urls").join(list).with_extension("txt"));
    let mut lists = lists.to_vec();
    match std::env::var_os("LOCATOR_URLS") {
        None => println!("LOCATOR_URLS is not set; only the lists of testdata/urls are counted"),
        Some(folder) => {
            let entries = fs::read_dir(folder).expect("LOCATOR_URLS is a folder");
            let paths = entries.flatten().map(|entry| entry.path());
            lists = paths.filter(|path| path.extension().is_some_and(|end| end == "txt")).collect();
        }
    }
    let text: String = lists.iter().map(|path| read(path)).collect();
    let mut urls: Vec<_> = text.lines().filter(|url| url.contains('?')).collect();
    urls.sort_unstable();
    urls.dedup();
    let is_hidden = |url: &&&str| Redacted::new(url).to_string() != ***url;
    let has_secret = |url: &str| SECRETS.iter().any(|name| url.to_ascii_lowercase().contains(name));
    let (right, wrong): (Vec<&str>, Vec<&str>) =
        urls.iter().filter(is_hidden).partition(|url| has_secret(url));
    println!("real: {} of {} hidden wrongly: {wrong:#?}; rightly {right:#?}", wrong.len(), urls.len());
    assert!(wrong.len() * 200 <= urls.len(), "{wrong:#?}");
}

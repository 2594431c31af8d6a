//! Makes the rows: five million URLs of a crawl, always the same.
//!
//! 0.2 % are NULL, 0.6 % are mail addresses, invalid or empty, 3 % have a host in capital letters, 2 % have
//! user information; there are a good million hosts, and nearly all URLs are different without their query.

use arrow_array::StringArray;
use arrow_array::builder::StringBuilder;
use locator_dev::random::Chance;

const WORDS: [&str; 32] = [
    "news", "shop", "blog", "en", "de", "article", "product", "category", "images", "static", "api", "v2",
    "user", "profile", "search", "archive", "2024", "2025", "wiki", "forum", "thread", "download", "files",
    "docs", "about", "index", "list", "item", "page", "media", "video", "story",
];
const ENDS: [&str; 8] = ["com", "org", "net", "de", "co.uk", "io", "example", "fr"];
const FILES: [&str; 6] = ["", "/", ".html", ".php", ".jpg", "/index.html"];
const KEYS: [&str; 8] = ["q", "id", "page", "utm_source", "utm_campaign", "lang", "sort", "ref"];

/// Returns so many rows of a seed.
pub fn make(count: usize, seed: u64) -> StringArray {
    let mut chance = Chance::new(seed);
    let mut builder = StringBuilder::with_capacity(count, 60 * count);
    let mut url = String::new();
    for _ in 0..count {
        if chance.below(500) == 0 {
            builder.append_null();
            continue;
        }
        url.clear();
        write(&mut url, &mut chance);
        builder.append_value(&url);
    }
    builder.finish()
}

fn write(url: &mut String, chance: &mut Chance) {
    match chance.below(500) {
        0 => return,
        1 => *url = format!("mailto:user{}@mail.example", chance.below(100_000)),
        2 => *url = format!("http://not a host {}/", chance.below(100_000)),
        _ => {
            url.push_str(if chance.below(5) == 0 { "http://" } else { "https://" });
            if chance.below(50) == 0 {
                url.push_str("user:secret@");
            }
            host(url, chance);
            path(url, chance);
            query(url, chance);
        }
    }
}

/// A host of a few that are frequent, or of a million that are rare.
fn host(url: &mut String, chance: &mut Chance) {
    let number = if chance.below(3) == 0 { chance.below(1000) } else { 1000 + chance.below(1_300_000) };
    let mut own = Chance::new(number as u64);
    let start = url.len();
    if own.below(2) == 0 {
        url.push_str("www.");
    }
    url.push_str(&format!("{}{number:x}.{}", own.pick::<&str>(&WORDS), own.pick::<&str>(&ENDS)));
    if chance.below(33) == 0 {
        url[start..].make_ascii_uppercase();
    }
    if chance.below(50) == 0 {
        url.push_str(":8080");
    }
}

fn path(url: &mut String, chance: &mut Chance) {
    for _ in 0..chance.below(3) {
        url.push('/');
        url.push_str(chance.pick::<&str>(&WORDS));
    }
    url.push_str(&format!("/{}-{}", chance.pick::<&str>(&WORDS), chance.below(10_000_000)));
    url.push_str(chance.pick::<&str>(&FILES));
}

fn query(url: &mut String, chance: &mut Chance) {
    if chance.below(3) == 0 {
        for number in 0..=chance.below(3) {
            url.push(if number == 0 { '?' } else { '&' });
            url.push_str(&format!("{}={}", chance.pick::<&str>(&KEYS), chance.pick::<&str>(&WORDS)));
        }
    }
    if chance.below(20) == 0 {
        url.push_str("#top");
    }
}

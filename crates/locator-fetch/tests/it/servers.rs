//! The engine against real servers of Debian's packages, which `scripts/servers` starts on this
//! machine: whatever is fetched equals what is on the disk.
//!
//! A server that does not start is a failure. With LOCATOR_NO_SERVERS=1 the list of what is not shown
//! is printed instead.

#![cfg(target_os = "linux")]
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a test that panics has failed")]

use std::collections::BTreeSet;

use locator::plan::{ObjectKind, Options, Tls};
use locator_fetch::entries::{EntryKind, entries};
use locator_fetch::run::{FailureKind, Whole};
use locator_fetch::{Proof, Resume, Reuse, Trust};

use crate::real::{self, Asking, Got, Server, Tree, encoded};

#[test]
fn every_file_of_every_server() {
    let Some(servers) = real::Servers::start() else { return };
    let tree = Tree::read(&servers.manifest);
    let faults: Vec<String> = std::thread::scope(|scope| {
        let asked = servers.list.iter().filter_map(|server| {
            let ask: fn(&Asking<'_>) = match server.kind.as_str() {
                "ftp" => ask_ftp,
                "gopher" => ask_gopher,
                "nntp" => ask_news,
                "whois" => ask_whois,
                "wais" => ask_wais,
                "http" => real::web::ask,
                "proxy" => real::web::ask_proxy,
                _ => return None,
            };
            let asking = Asking::new(server, &tree, &servers);
            Some(scope.spawn(move || {
                ask(&asking);
                asking.report()
            }))
        });
        let asked: Vec<_> = asked.collect();
        asked.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

fn ask_ftp(asking: &Asking<'_>) {
    let Asking { server, tree, .. } = *asking;
    let anonymous = &server.accounts[0];
    assert!(anonymous.user == "anonymous");
    for file in &tree.files {
        let url = asking.ftp("", &encoded(&file.path));
        let got = asking.get(&url);
        if server.refuses.contains(&file.path) {
            asking.refused(&url, &got);
        } else {
            asking.equals(&url, &got, |octets| file.is(octets));
            asking.is_whole(&url, &got, Whole::Confirmed);
        }
    }
    for directory in tree.directories.iter().filter(|directory| !server.refuses.contains(*directory)) {
        ask_directory(asking, directory);
    }
    for missing in ["pub/missing", "pub/missing/", "pub/missing;type=d", "missing/text.txt"] {
        let url = asking.ftp("", missing);
        let got = asking.get(&url);
        asking.failed(&url, &got, &FailureKind::Said(locator::plan::Meaning::Missing));
    }
    for account in &server.accounts {
        let login = match account.user.as_str() {
            "anonymous" => String::new(),
            user => format!("{}:{}@", datum(user), datum(&account.password)),
        };
        let relative = [account.login.as_str(), "etc/motd"].join("/");
        let relative = relative.trim_start_matches('/');
        let mut motds = vec![("etc/motd".to_owned(), relative)];
        if let Some(absolute) = &account.absolute {
            let path = [absolute.as_str(), "etc/motd"].join("/");
            motds.push((format!("%2F{}", path.trim_start_matches('/')), "etc/motd"));
        }
        for (path, file) in motds {
            let url = asking.ftp(&login, &path);
            asking.equals(&url, &asking.get(&url), |octets| tree.file(file).is(octets));
        }
    }
    ask_for_all_at_once(asking);
    ask_for_the_rest(asking);
    ask_for_trust(asking);
    // The prompter knows the password.
    let url = asking.ftp("joe@", "etc/motd");
    asking.equals(&url, &asking.get(&url), |octets| tree.files.iter().any(|file| file.is(octets)));
    let url = asking.ftp("joe:wrong@", "etc/motd");
    asking.failed(&url, &asking.get(&url), &FailureKind::Said(locator::plan::Meaning::WrongLogin));
}

/// Several threads fetch all files, from more connections than some servers allow.
fn ask_for_all_at_once(asking: &Asking<'_>) {
    let Asking { server, tree, .. } = *asking;
    let files = tree.files.iter().filter(|file| !server.refuses.contains(&file.path));
    let files: Vec<_> = files.cycle().take(80).collect();
    let fetcher = asking.fetcher.clone().reuse(Reuse::Expected).max_per_host(8);
    std::thread::scope(|scope| {
        for files in files.chunks(8) {
            let fetcher = fetcher.separate();
            scope.spawn(move || {
                for file in files {
                    let url = asking.ftp("", &encoded(&file.path));
                    let got = asking.get_by(&fetcher, &url);
                    asking.equals(&url, &got, |octets| file.is(octets));
                    asking.is_whole(&url, &got, Whole::Confirmed);
                }
            });
        }
    });
}

/// A file is gone on with if its length and time are the same: every server says them.
fn ask_for_the_rest(asking: &Asking<'_>) {
    let url = asking.ftp("", "pub/text.txt");
    let after = |proof| asking.resume(&url, Resume::new(7, proof)).unwrap_or_default();
    let (from, proof, whole) = after(Proof::default());
    let is_whole = from == 0 && asking.tree.file("pub/text.txt").is(&whole);
    let rest = after(proof.clone());
    let goes_on = rest == (7, proof.clone(), whole.get(7..).unwrap_or_default().into());
    let changed = proof.clone().last_modified("19700101000000");
    if !is_whole || !goes_on || after(changed) != (0, proof.clone(), whole) {
        asking.fault(&url, &asking.get(&url), &format!("is not gone on with: {proof:?} {rest:?}"));
    }
}

/// A certificate of an authority that is not trusted is refused, unless any is trusted.
fn ask_for_trust(asking: &Asking<'_>) {
    let url = asking.ftp("", "etc/motd");
    let is_explicit = matches!(asking.server.tls.as_deref(), Some("explicit" | "required"));
    let options = Options::new().ftp_tls(if is_explicit { Tls::Required } else { Tls::Off });
    // Some servers allow few connections, and a clone closes those that wait.
    let fetcher = |trust| asking.fetcher.clone().options(options).trust(trust);
    if asking.server.tls.is_some() {
        let got = asking.get_by(&fetcher(Trust::System), &url);
        if !matches!(&got, Err(error) if matches!(&error.failure().unwrap().kind, FailureKind::NotSecured(_)))
        {
            asking.fault(&url, &got, "is fetched without trust");
        }
        let got = asking.get_by(&fetcher(Trust::Anything), &url);
        asking.equals(&url, &got, |octets| asking.tree.file("etc/motd").is(octets));
    } else {
        // ftpd-ssl agrees to TLS and has no certificate for it.
        let is_not_secured = |got: &Got| matches!(got, Err(error) if matches!(&error.failure().unwrap().kind, FailureKind::NotSecured(_)));
        let fetcher = |tls| asking.fetcher.clone().options(Options::new().ftp_tls(tls));
        let got = asking.get_by(&fetcher(Tls::Required), &url);
        if !is_not_secured(&got) {
            asking.refused(&url, &got);
        }
        let got = asking.get_by(&fetcher(Tls::Try), &url);
        if !is_not_secured(&got) {
            asking.equals(&url, &got, |octets| asking.tree.file("etc/motd").is(octets));
        }
    }
}

/// Lists a directory in three ways.
fn ask_directory(asking: &Asking<'_>, directory: &[u8]) {
    let Asking { server, tree, .. } = *asking;
    let mut expected: BTreeSet<Vec<u8>> = tree.names_in(directory, |path| !server.omits.contains(path));
    // What is shown by another name.
    let changed =
        tree.names_in(directory, |path| server.omits.contains(path) && server.refuses.contains(path));
    expected.extend(server.adds.iter().cloned());
    let path = encoded(directory);
    let paths = if path.is_empty() {
        vec![String::new()]
    } else {
        vec![format!("{path}/"), path.clone(), format!("{path};type=d")]
    };
    for path in paths {
        let url = asking.ftp("", &path);
        let got = asking.get(&url);
        let Ok(listing) = &got else {
            asking.fault(&url, &got, "is not listed");
            continue;
        };
        if listing.kind != ObjectKind::Names {
            asking.fault(&url, &got, "is not a list of names");
        }
        let names = listing.octets.split(|&octet| octet == b'\n');
        let names = names.map(|line| line.strip_suffix(b"\r").unwrap_or(line));
        let names = names.map(|line| line.rsplit(|&octet| octet == b'/').next().unwrap().to_vec());
        // pygopherd writes its cache into the tree.
        let names = names.filter(|name| !name.is_empty() && name != b".cache.pygopherd.dir");
        let names: BTreeSet<Vec<u8>> = names.collect();
        let adds = names.difference(&expected).filter(|name| !server.adds.contains(*name)).count();
        let lacks = expected.difference(&names).filter(|name| !server.adds.contains(*name)).count();
        if lacks > 0 || adds != changed.len() {
            let shown =
                |names: &BTreeSet<Vec<u8>>| names.iter().map(|name| encoded(name)).collect::<Vec<_>>();
            asking.fault(&url, &got, &format!("lists {:?}, and not {:?}", shown(&names), shown(&expected)));
        }
    }
}

/// Percent-encodes a user or a password.
fn datum(text: &str) -> String {
    encoded(text.as_bytes()).replace('/', "%2F")
}

fn ask_gopher(asking: &Asking<'_>) {
    let Asking { server, tree, .. } = *asking;
    let is_of = |octets: &[u8], path: &[u8]| {
        tree.files.iter().find(|file| file.path == path).is_some_and(|file| server.is_text_of(octets, file))
    };
    for file in tree.files.iter().filter(|file| !file.is_program && file.path != b"maps/gophermap") {
        let url = asking.url("gopher", "", &format!("9{}", encoded(&server.selector(&file.path))));
        let got = asking.get(&url);
        let is_equal = match &got {
            // An empty file looks like a server that failed.
            Err(error) => file.is(b"") && error.failure().unwrap().kind == FailureKind::EmptyReply,
            Ok(got) => is_of(&got.octets, &file.path) && !got.octets.is_empty(),
        };
        if is_equal == server.refuses.contains(&file.path) {
            asking.fault(&url, &got, "differs, or should");
        }
    }
    let url = asking.url("gopher", "", "7/cgi-bin/search%09foo%20bar");
    asking.equals(&url, &asking.get(&url), |octets| {
        octets.windows(20).any(|found| found == b"result for [foo bar]")
    });
    // The menus lead to every file that they name, by their own URLs.
    let (mut menus, mut seen, mut count) = (vec![asking.url("gopher", "", "")], BTreeSet::new(), 0);
    while let Some(menu) = menus.pop() {
        let got = asking.get(&menu);
        let Ok(items) = &got else {
            asking.fault(&menu, &got, "is not a menu");
            continue;
        };
        let Some(items) = entries(items.kind, asking.parse(&menu), &items.octets) else {
            asking.fault(&menu, &got, "has no entries");
            continue;
        };
        let here = format!("gopher://127.0.0.1:{}/", server.port);
        for item in items {
            let Some(url) = item.url.ok().map(|url| url.to_string()) else { continue };
            let url = url.replace("//localhost:", "//127.0.0.1:");
            if !url.starts_with(&here) || url.contains("maps") || !seen.insert(url.clone()) {
                continue;
            }
            match item.kind {
                EntryKind::Menu => menus.push(url),
                EntryKind::Text | EntryKind::Binary | EntryKind::Unknown => {
                    let Some(path) = server.path_of(&url) else { continue };
                    let is_served = !server.refuses.contains(&path);
                    if !is_served || !tree.files.iter().any(|file| file.path == path && !file.is_program) {
                        continue;
                    }
                    count += 1;
                    let got = asking.get(&url);
                    // Its menus contain "%" and "?", which it decodes and cuts in what is asked for.
                    let is_lost = server.has_octal_selectors && (url.contains("%25") || url.contains("%3F"));
                    if is_lost {
                        continue;
                    }
                    // A last line "." is not of a text (RFC 1436, 3.4).
                    // Gopher+ sends its length.
                    let is_empty = tree.files.iter().any(|file| file.path == path && file.is(b""));
                    if is_empty && got.is_err() {
                        asking.failed(&url, &got, &FailureKind::EmptyReply);
                        continue;
                    }
                    let is_cut =
                        path == b"docs/dot.txt" && item.kind == EntryKind::Text && !url.ends_with("%09+");
                    asking.equals(&url, &got, |octets| {
                        if is_cut {
                            octets.starts_with(b"ends with a dot") && octets.len() < 18
                        } else {
                            is_of(octets, &path)
                        }
                    });
                }
                _ => {}
            }
        }
    }
    if count < 30 {
        asking.fault("gopher:", &asking.get(&asking.url("gopher", "", "")), &format!("{count} items only"));
    }
    if server.has_plus {
        let url = asking.url("gopher", "", "0/plus/item.txt%09%09+");
        let got = asking.get(&url);
        asking.equals(&url, &got, |octets| tree.file("plus/item.txt").is(octets));
        let url = asking.url("gopher", "", "0/plus/item.txt%09%09!");
        let got = asking.get(&url);
        asking.equals(&url, &got, |octets| octets.windows(10).any(|found| found == b"+ABSTRACT:"));
        let url = asking.url("gopher", "", "0/plus/missing%09%09+");
        asking.refused(&url, &asking.get(&url));
    }
}

fn ask_news(asking: &Asking<'_>) {
    let Asking { server, tree, .. } = *asking;
    let (news, nntp) = match server.tls.as_deref() {
        Some(_) => ("snews", None),
        None => ("news", Some("nntp")),
    };
    let body = |octets: &[u8]| {
        let text: Vec<u8> = octets.iter().copied().filter(|&octet| octet != b'\r').collect();
        let start = text.windows(2).position(|pair| pair == b"\n\n").map_or(text.len(), |at| at + 2);
        text[start..].to_vec()
    };
    let named = |name: &str| match news {
        "snews" => asking.url(news, "", name),
        _ => format!("{news}:{name}"),
    };
    for article in &tree.articles {
        let url = named(&encoded(article.id.as_bytes()).replace("%40", "@"));
        let got = asking.get(&url);
        asking.equals(&url, &got, |octets| article.body.is(&body(octets)));
        asking.is_whole(&url, &got, Whole::Framed);
    }
    let url = named("missing@test.invalid");
    asking.failed(&url, &asking.get(&url), &FailureKind::Said(locator::plan::Meaning::Missing));
    let login = if server.accounts.is_empty() { "" } else { "joe:secret@" };
    for group in nntp.iter().flat_map(|nntp| tree.groups.iter().map(move |group| (nntp, group))) {
        let (nntp, group) = group;
        let articles: Vec<_> =
            tree.articles.iter().filter(|article| article.groups.contains(group)).collect();
        let url = asking.url(nntp, login, group);
        let got = asking.get(&url);
        let count = articles.len();
        asking.equals(&url, &got, |octets| octets.split(|&octet| octet == b'\n').count() - 1 == count);
        for (i, article) in articles.iter().enumerate() {
            let url = asking.url(nntp, login, &format!("{group}/{}", server.first_number + i as u64));
            asking.equals(&url, &asking.get(&url), |octets| article.body.is(&body(octets)));
        }
        let url = asking.url(nntp, login, &format!("{group}/999"));
        asking.failed(&url, &asking.get(&url), &FailureKind::Said(locator::plan::Meaning::Missing));
    }
    let url = named("*");
    let got = asking.get(&url);
    asking.equals(&url, &got, |octets| {
        tree.groups.iter().all(|group| octets.windows(group.len()).any(|found| found == group.as_bytes()))
    });
    let url = named("no.such.group");
    asking.failed(&url, &asking.get(&url), &FailureKind::Said(locator::plan::Meaning::Missing));
}

fn ask_whois(asking: &Asking<'_>) {
    let url = asking.url("whois", "", "joe");
    let got: Got = asking.get(&url);
    asking.equals(&url, &got, |octets| octets.ends_with(b"   Test Institute\r\n   caf\xe9\r\n"));
    asking.is_whole(&url, &got, Whole::Unverified);
}

fn ask_wais(asking: &Asking<'_>) {
    for file in &asking.tree.files {
        let words: Vec<_> = file.path.split(|octet| !octet.is_ascii_alphanumeric()).map(encoded).collect();
        let url = asking.url("wais", "", &format!("tree?{}", words.join("%20")));
        let got = asking.get(&url);
        let found = got.as_ref().map_or(&[][..], |object| &object.octets);
        let mut found = entries(ObjectKind::Hits, asking.parse(&url), found).unwrap();
        let Some(hit) = found.find(|entry| entry.name == file.path) else {
            asking.fault(&url, &got, "does not find the file");
            continue;
        };
        let url = hit.url.unwrap();
        let got = asking.get(url.as_str());
        asking.equals(url.as_str(), &got, |octets| file.is(octets));
        asking.is_whole(url.as_str(), &got, Whole::Framed);
    }
    for missing in ["tree/TEXT/2=tree;3=missing;7=%00;", "trees?motd"] {
        let url = asking.url("wais", "", missing);
        asking.refused(&url, &asking.get(&url));
    }
}

impl Server {
    /// Returns the selector of a file.
    fn selector(&self, path: &[u8]) -> Vec<u8> {
        let mut selector = vec![b'/'];
        for &octet in path {
            match octet {
                b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'_' | b'/' | b'.' | b'-' => selector.push(octet),
                _ if self.has_octal_selectors => selector.extend(format!("#{octet:03o}").bytes()),
                _ => selector.push(octet),
            }
        }
        selector
    }
}

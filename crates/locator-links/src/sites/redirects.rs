//! The redirects of a site that its host makes: `_redirects` (Netlify, Cloudflare), `netlify.toml`, `vercel.json`,
//! `firebase.json`, `staticwebapp.config.json`, and the literals of configurations that are programs.
//!
//! A literal path is alive, and leads to its target. A pattern opens what it can match: the part of the site below what is
//! before its first wildcard. So does a rewrite, which is no redirect, but makes its path alive in the same way.

use super::configuration::Value;
use super::model::{Found, Output, RedirectKind, SiteModel};
use super::program::Program;
use super::redirect_pattern::RedirectPattern;
use super::tree::{joined, parent};

/// Adds the redirects of the files of hosts, in the directory of the site or above it, and in what it publishes.
pub(crate) fn add_of_hosts(site: &mut SiteModel, found: &Found<'_>) {
    if let Some(Output::Source(path)) = site.routes.output("_redirects") {
        let text = found.tree.read(path).unwrap_or_default();
        add_lines(site, &text);
    }
    // GitHub Pages has the name of the host in a file.
    if site.published.is_none()
        && let Some(Output::Source(path)) = site.routes.output("CNAME")
    {
        let name = found.tree.read(path).unwrap_or_default();
        site.set_published(&format!("https://{}", name.split_whitespace().next().unwrap_or_default()));
    }
    let mut directory = found.directory;
    loop {
        for (name, read) in FILES {
            if let Some(text) = found.tree.read(&joined(directory, name)) {
                read(site, &Value::of_file(name, &text));
            }
        }
        if directory.is_empty() {
            return;
        }
        directory = parent(directory);
    }
}

/// Adds the redirects of a file.
type Reader = fn(&mut SiteModel, &Value);

/// The files of hosts, and what reads them.
const FILES: [(&str, Reader); 4] = [
    ("netlify.toml", netlify),
    ("vercel.json", vercel),
    ("firebase.json", firebase),
    ("staticwebapp.config.json", azure),
];

/// Adds the rules of `_redirects`: the old path, the new one and a status, with spaces between them.
pub(crate) fn add_lines(site: &mut SiteModel, text: &str) {
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let mut words = line.split_whitespace();
        if let (Some(from), Some(to)) = (words.next(), words.next()) {
            // Without a status it is 301.
            let status = words.find(|word| word.starts_with(|first: char| first.is_ascii_digit()));
            let kind = status.map_or(Some(RedirectKind::Permanent), kind_of);
            if let Some(kind) = kind {
                add_of_kind(site, from, to, kind);
            }
        }
    }
}

/// Returns what a status says of a redirect, such as `301!`; `None` if it is one of an error.
fn kind_of(status: &str) -> Option<RedirectKind> {
    match status.trim_end_matches('!') {
        "404" | "410" => None,
        "200" => Some(RedirectKind::Rewrite),
        "302" | "303" | "307" => Some(RedirectKind::Temporary),
        _ => Some(RedirectKind::Permanent),
    }
}

/// Adds a redirect of the generator from a path, which may be a pattern or a URL.
pub(crate) fn add(site: &mut SiteModel, from: &str, to: &str) {
    add_of_kind(site, from, to, RedirectKind::Page);
}

/// Adds a redirect from a path, which may be a pattern or a URL.
fn add_of_kind(site: &mut SiteModel, from: &str, to: &str, kind: RedirectKind) {
    let path = from.split_once("://").map_or(from, |(_, rest)| rest.find('/').map_or("/", |at| &rest[at..]));
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let path = if path.starts_with('/') { path.to_owned() } else { format!("/{path}") };
    let inside = path
        .strip_prefix(&*site.base)
        .filter(|rest| rest.is_empty() || rest.starts_with('/'))
        .unwrap_or(&path);
    let is_pattern = inside.contains([':', '*', '(', '[', '{', '^', '$', '\\']);
    if is_pattern && let Some(pattern) = RedirectPattern::new(inside, to) {
        return site.routes.add_pattern(pattern);
    }
    match is_pattern.then(|| glob_of(inside)) {
        // A site of one page answers everything with it, and `/:path*` is served by the page of that path. Other rules for
        // all paths mostly have conditions.
        Some(glob) if glob == "**" => {
            let is_page = to.ends_with(".html") || to.starts_with("http");
            if !is_page {
                site.routes.open("/", format!("the redirect {from} can match every path"));
            }
        }
        Some(glob) => site.routes.open_pattern(&glob, format!("the redirect {from} can match it")),
        None => {
            let url = if inside.is_empty() { "/" } else { inside };
            // With and without "/" at the end they are the same to hosts, unless a rule adds or removes it.
            let other = match url.strip_suffix('/') {
                Some(without) => without.to_owned(),
                None => format!("{url}/"),
            };
            let is_other = other.is_empty() || to == other || to.strip_prefix(&*site.base) == Some(&other);
            site.routes.add_redirect_of(url, to, kind);
            if !is_other {
                site.routes.add_redirect_of(&other, to, kind);
            }
        }
    }
}

/// Returns a pattern of a host as one of paths: `:name` is a segment, `*`, `:name*` and a regular expression are any number
/// of them.
fn glob_of(pattern: &str) -> String {
    let segments = pattern.trim_matches('/').split('/').map(|segment| {
        let is_deep = segment == "*"
            || segment.starts_with("[...")
            || segment.starts_with("[[")
            || segment.starts_with(':') && segment.ends_with(['*', '+', '?'])
            || segment.contains(['(', ')', '^', '$', '\\', '|']);
        match segment.split_once(':') {
            _ if is_deep => "**".to_owned(),
            Some((before, name)) => {
                let end = name.find(|one: char| !one.is_alphanumeric() && one != '_').unwrap_or(name.len());
                format!("{before}*{}", &name[end..])
            }
            None if segment.starts_with('[') => "*".to_owned(),
            None => segment.to_owned(),
        }
    });
    segments.collect::<Vec<_>>().join("/")
}

/// Adds the `redirects` and `rewrites` that a program states as literals; others open the site.
pub(crate) fn add_of_program(site: &mut SiteModel, program: &Program) {
    for (key, kind) in RULES {
        match program.get(key) {
            Value::Map(entries) => entries.iter().for_each(|(from, to)| match from.as_str() {
                // An object whose entries are not known.
                "..." => site.routes.open("/", format!("{} computes redirects", site.configuration)),
                from => {
                    let end = to.text().or(to.get("destination").text()).unwrap_or_default();
                    add_of_kind(site, from, end, kind_of_object(to, kind));
                }
            }),
            Value::List(list) => list.iter().for_each(|one| add_object(site, one, kind)),
            Value::Null if !program.mentions(&format!("{key}(")) && !program.mentions(&format!("{key}:")) => {
            }
            _ => {
                // `redirects() { return [{ source: "/a", … }] }`
                let sources: Vec<&str> = program.literals("source").chain(program.literals("from")).collect();
                if sources.is_empty() {
                    site.routes.open("/", format!("{} computes {key}", site.configuration));
                }
                sources.iter().for_each(|from| add(site, from, ""));
            }
        }
    }
}

/// The keys of rules, and what they are if they have no status.
const RULES: [(&str, RedirectKind); 2] =
    [("redirects", RedirectKind::Permanent), ("rewrites", RedirectKind::Rewrite)];

/// Returns what a rule says of itself: `status`, `statusCode`, `type` of Firebase, `permanent` of Vercel and Next.js.
fn kind_of_object(object: &Value, default: RedirectKind) -> RedirectKind {
    let status = ["status", "statusCode", "type"].into_iter().find_map(|key| object.get(key).text());
    match (status.and_then(kind_of), object.get("permanent").bool()) {
        (Some(kind), _) => kind,
        (None, Some(false)) => RedirectKind::Temporary,
        (None, _) => default,
    }
}

/// Adds `{ source, destination }` or `{ from, to }`.
fn add_object(site: &mut SiteModel, object: &Value, default: RedirectKind) {
    let kind = kind_of_object(object, default);
    let first = |keys: [&str; 3]| {
        keys.into_iter().find_map(|key| object.get(key).texts().first().map(|text| (*text).to_owned()))
    };
    let to = first(["destination", "to", "redirect"]).unwrap_or_default();
    for key in ["source", "from", "src", "route", "regex"] {
        for from in object.get(key).texts() {
            add_of_kind(site, from, &to, kind);
        }
    }
}

fn netlify(site: &mut SiteModel, value: &Value) {
    // To this host `/a/` is `a.html`, too.
    site.serving.ignores_slash = true;
    for redirect in value.get("redirects").list() {
        if redirect.get("status").text() != Some("404") {
            add_object(site, redirect, RedirectKind::Permanent);
        }
    }
}

fn vercel(site: &mut SiteModel, value: &Value) {
    for (key, kind) in RULES.into_iter().chain([("routes", RedirectKind::Rewrite)]) {
        value.get(key).list().iter().for_each(|one| add_object(site, one, kind));
    }
}

fn firebase(site: &mut SiteModel, value: &Value) {
    let hosting = value.get("hosting");
    let all = if hosting.list().is_empty() { std::slice::from_ref(hosting) } else { hosting.list() };
    for hosting in all {
        for (key, kind) in RULES {
            hosting.get(key).list().iter().for_each(|one| add_object(site, one, kind));
        }
    }
}

fn azure(site: &mut SiteModel, value: &Value) {
    for route in value.get("routes").list() {
        if route.get("redirect").is_there() {
            // Without a status it is 302.
            add_object(site, route, RedirectKind::Temporary);
        } else if route.get("rewrite").is_there() {
            add_object(site, route, RedirectKind::Rewrite);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::model::{Generator, Serving, no_special};
    use super::super::tree::Tree;
    use super::*;

    static GENERATOR: Generator =
        Generator { name: "x", title: "X", configurations: &[], read: |_| None, special: no_special };

    fn site(read: impl FnOnce(&mut SiteModel)) -> SiteModel {
        let tree = Tree::default();
        let mut site = SiteModel::new(&GENERATOR, &Found { tree: &tree, directory: "", configuration: None });
        site.base = "/b".to_owned();
        read(&mut site);
        site
    }

    fn state(site: &SiteModel, url: &str) -> &'static str {
        match site.routes.served(url, Serving::default()) {
            Some(Output::Redirect(_)) => "redirect",
            Some(_) => "other",
            None if site.routes.redirected(url).is_some() => "pattern",
            None if site.routes.openness(url).is_some() => "open",
            None => "dead",
        }
    }

    #[test]
    fn lines_and_objects() {
        let lines = site(|site| {
            add_lines(
                site,
                "# x\n/old /new 301\n/b/base/ /c\nhttps://h/x /y\n/s/* /t/:splat\n/no /404 404\n/:lang/guide/ /:lang/g/\n/*.txt /t/\n/v2/(.*) /v3/$1\n",
            );
        });
        for (url, expected) in [
            ("/old", "redirect"),
            ("/old/", "redirect"),
            ("/base", "redirect"),
            ("/x", "redirect"),
            ("/s/a", "pattern"),
            ("/no", "dead"),
            ("/fr/guide/", "open"),
            ("/fr/guide/a", "dead"),
            ("/a.txt", "open"),
            ("/v2/x/y", "open"),
        ] {
            assert_eq!(state(&lines, url), expected, "{url}");
        }
        let text = "[[redirects]]\nfrom = \"/a\"\nto = \"/c\"\n[[redirects]]\nfrom = \"/d/:x\"\n[[redirects]]\nfrom = \"/*\"\nto = \"/index.html\"\n";
        let toml = site(|site| netlify(site, &Value::toml(text)));
        assert_eq!(["/a", "/d/y", "/z"].map(|url| state(&toml, url)), ["redirect", "open", "dead"]);
        let json = site(|site| {
            vercel(site, &Value::json(r#"{"redirects": [{"source": "/a", "destination": "/b"}]}"#));
        });
        assert_eq!(state(&json, "/a"), "redirect");
        let json =
            site(|site| firebase(site, &Value::json(r#"{"hosting": {"redirects": [{"source": "/a/**"}]}}"#)));
        assert_eq!(state(&json, "/a/b"), "open");
        let json =
            site(|site| azure(site, &Value::json(r#"{"routes": [{"route": "/a", "redirect": "/b"}]}"#)));
        assert_eq!(state(&json, "/a"), "redirect");
    }
}

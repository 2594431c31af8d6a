//! Which runs are recorded: the verbs of the command over the cases of `testdata`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use crate::golden::run::Run;

type Case = Map<String, Value>;

pub(crate) const VERBS: [&str; 19] = [
    "read",
    "check",
    "resolve",
    "relative",
    "normalize",
    "convert",
    "compare",
    "edit",
    "file",
    "path",
    "find",
    "links",
    "uniq",
    "audit",
    "plan",
    "schemes",
    "editions",
    "completions",
    "man",
];

const EDITIONS: [&str; 9] = [
    "url-1993",
    "url-1994",
    "rfc1738",
    "url-1997",
    "rfc2396",
    "uri-2003",
    "rfc3986",
    "rfc3987",
    "rfc3986+zones",
];

pub(crate) fn testdata() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata")
}

/// The runs of a verb, not yet run.
pub(crate) fn runs(verb: &str) -> Vec<Run> {
    match verb {
        "read" => read(),
        "check" => check(),
        "resolve" => resolve(),
        "relative" => relative(),
        "normalize" => normalize(),
        "convert" => convert(),
        "compare" => compare(),
        "edit" => edit(),
        "file" | "path" => paths(verb),
        "find" => find(),
        "links" => links(),
        "uniq" => uniq(),
        "audit" => audit(),
        "plan" => plan(),
        "schemes" => {
            vec![Run::new(&["schemes", "--json"]), Run::new(&["schemes", "--json", "gophr", "irc", "x"])]
        }
        "editions" => vec![Run::new(&["editions", "--json"])],
        "completions" => ["bash", "zsh", "fish"].map(|shell| Run::new(&["completions", shell])).into(),
        _ => vec![Run::new(&["man"]), Run::new(&["man", "find"]), Run::new(&["man", "nothing"])],
    }
}

/// Each case of `testdata/command` with its exit status.
pub(crate) fn exit_statuses() -> Vec<String> {
    let mut lines = Vec::new();
    for (file, cases) in folder("command") {
        for case in cases {
            let exit = case.get("exit").cloned().unwrap_or(json!(0));
            lines.push(json!({ "file": file, "arguments": case["arguments"], "exit": exit }).to_string());
        }
    }
    lines
}

fn read() -> Vec<Run> {
    let all = folder("parse").into_iter().flat_map(|(_, cases)| cases).chain(cases("errors.toml"));
    let all = texts(all, &["input"]);
    let (in_lines, items): (Vec<_>, Vec<_>) = all.into_iter().partition(|input| input.contains('\0'));
    vec![
        Run::new(&["read", "--json", "-e", "all", "-0"]).on(items),
        Run::new(&["read", "--json", "-e", "all"]).on(in_lines),
        Run::new(&["read", "--json", "-e", "all"]).on(urls(100)),
    ]
}

fn check() -> Vec<Run> {
    let mut runs = Vec::new();
    for edition in EDITIONS {
        let inputs = texts(cases(&format!("parse/{edition}.toml")), &["input"]);
        let inputs = inputs.into_iter().filter(|input| !input.contains('\0')).collect();
        runs.push(
            Run::new(&["check", "--json", "-0", "--relative", "--all", "--lint", "-e", edition]).on(inputs),
        );
    }
    runs.push(Run::new(&["check", "--json", "--lint"]).on(urls(20)));
    runs.push(Run::new(&["check", "--json", "--absolute", "-e", "all"]).on(urls(400)));
    runs
}

fn resolve() -> Vec<Run> {
    let mut groups: BTreeMap<Vec<String>, Vec<String>> = BTreeMap::new();
    for edition in &EDITIONS[..8] {
        for case in cases(&format!("resolve/{edition}.toml")) {
            let mut arguments = vec!["resolve", "--json", "-0", "-e", edition, "--base", text(&case, "base")];
            if let Some(leftover) = case.get("leftover").and_then(Value::as_str) {
                arguments.extend(["--leftover", leftover]);
            }
            if let Some(empty) = case.get("empty") {
                arguments.extend(["--empty", if empty == "base" { "base" } else { "document" }]);
            }
            arguments.extend(case.contains_key("same_scheme").then_some("--same-scheme"));
            let arguments = arguments.into_iter().map(str::to_owned).collect();
            groups.entry(arguments).or_default().push(text(&case, "reference").to_owned());
        }
    }
    in_groups(groups)
}

fn relative() -> Vec<Run> {
    let mut groups: BTreeMap<Vec<String>, Vec<String>> = BTreeMap::new();
    for edition in &EDITIONS[..8] {
        for case in cases(&format!("resolve/{edition}.toml")) {
            if let Some(result) = case.get("result").and_then(Value::as_str) {
                let arguments = ["relative", "--json", "-0", "-e", edition, "--base", text(&case, "base")];
                groups.entry(arguments.map(str::to_owned).into()).or_default().push(result.to_owned());
            }
        }
    }
    in_groups(groups)
}

fn in_groups(groups: BTreeMap<Vec<String>, Vec<String>>) -> Vec<Run> {
    groups.into_iter().map(|(arguments, inputs)| Run { arguments, inputs, ..Run::default() }).collect()
}

fn normalize() -> Vec<Run> {
    let mut runs = Vec::new();
    for edition in EDITIONS {
        let own = cases(&format!("normal/{edition}.toml"));
        let parsed = cases(&format!("parse/{edition}.toml")).into_iter().filter(|case| case["valid"] == true);
        let inputs = texts(own.into_iter().chain(parsed), &["input"]);
        let inputs: Vec<_> = inputs.into_iter().filter(|input| !input.contains('\0')).collect();
        for level in ["syntax", "scheme"] {
            let arguments = ["normalize", "--json", "-0", "--level", level, "-e", edition];
            runs.push(Run::new(&arguments).on(inputs.clone()));
        }
    }
    runs.push(Run::new(&["normalize", "--json", "--repair"]).on(urls(40)));
    runs
}

fn convert() -> Vec<Run> {
    let iris = texts(cases("iri.toml"), &["iri"]);
    vec![
        Run::new(&["convert", "--json", "-0"]).on(iris.clone()),
        Run::new(&["convert", "--json", "-0", "--idna"]).on(iris),
        Run::new(&["convert", "--json", "-0", "--to-iri"])
            .on(texts(cases("iri.toml"), &["uri", "uri_with_idna"])),
    ]
}

fn compare() -> Vec<Run> {
    let mut runs = Vec::new();
    for case in cases("compare.toml") {
        let mut arguments = vec!["compare", "--json", text(&case, "first"), text(&case, "second")];
        arguments.extend(["-e", case.get("edition").and_then(Value::as_str).unwrap_or("rfc3986")]);
        arguments.extend(case.contains_key("without_fragments").then_some("--ignore-fragment"));
        arguments.extend(case.contains_key("domain_names").then_some("--idna"));
        if let Some(reader) = case.get("addresses").and_then(Value::as_str) {
            arguments.extend(["--addresses", reader]);
        }
        for pair in case.get("redirects").and_then(Value::as_array).into_iter().flatten() {
            arguments.extend(["--redirect", pair[0].as_str().unwrap(), pair[1].as_str().unwrap()]);
        }
        runs.push(Run::new(&arguments));
    }
    runs
}

fn edit() -> Vec<Run> {
    let changes: [&[&str]; 14] = [
        &["-s", "scheme=https"],
        &["-s", "host=x.org", "-s", "port=81"],
        &["-s", "user=a b", "-s", "password=c"],
        &["-s", "path=/a b/é"],
        &["-s", "path:=//a/../b"],
        &["-s", "query=a b&c", "-s", "fragment=x y"],
        &["-a", "path=x y"],
        &["-a", "query=n=v w"],
        &["--unset", "query", "--unset", "fragment", "--unset", "userinfo"],
        &["--qtrim", "a*"],
        &["--sort-query", "--default-port"],
        &["--replace-append", "a=b"],
        &["--redirect", "../x?y"],
        &["--punycode"],
    ];
    let given = folder("edit").into_iter().flat_map(|(_, cases)| cases);
    let given: Vec<_> = texts(given, &["given"]).into_iter().filter(|text| !text.contains('\0')).collect();
    let some: Vec<_> = given.iter().step_by(9).cloned().chain(urls(400)).collect();
    let mut runs = vec![Run::new(&["edit", "--json", "-0"]).on(given)];
    for change in changes {
        runs.push(Run::new(&[&["edit", "--json", "-0"], change].concat()).on(some.clone()));
    }
    for edition in EDITIONS {
        let arguments = ["edit", "--json", "-0", "-e", edition, "-s", "host=x", "-s", "query=a b"];
        runs.push(Run::new(&arguments).on(some.iter().step_by(4).cloned().collect()));
    }
    runs
}

fn paths(verb: &str) -> Vec<Run> {
    let mut runs = Vec::new();
    for platform in ["posix", "windows"] {
        let key = if verb == "file" { "path" } else { "uri" };
        let inputs = texts(cases(&format!("file/{platform}.toml")), &[key]);
        let inputs: Vec<_> = inputs.into_iter().filter(|input| !input.contains('\0')).collect();
        let arguments = [verb, "--json", "-0", "--platform", platform];
        runs.push(Run::new(&arguments).on(inputs.clone()));
        if verb == "file" {
            runs.push(Run::new(&[&arguments[..], &["--directory"]].concat()).on(inputs));
        }
    }
    runs
}

fn plan() -> Vec<Run> {
    let mut by_edition: BTreeMap<String, Vec<Case>> = BTreeMap::new();
    let all = folder("dialog").into_iter().chain(folder("scheme")).flat_map(|(_, cases)| cases);
    for case in all.filter(|case| case.contains_key("input")) {
        let edition = case.get("edition").and_then(Value::as_str).unwrap_or("rfc3986").to_owned();
        by_edition.entry(edition).or_default().push(case);
    }
    let mut runs = Vec::new();
    for (edition, cases) in by_edition {
        let inputs = texts(cases, &["input"]);
        let plain = Run::new(&["plan", "--json", "-0", "-e", &edition]);
        runs.push(plain.on(inputs.clone()));
        if edition == "rfc3986" {
            let options =
                ["--email", "joe@h", "--news-server", "news.h:1119", "--ftp-type", "text", "--low-ports"];
            let more = ["--afs", "/afs", "--program", "telnet=xterm -e telnet {host} {port}"];
            let arguments = [&["plan", "--json", "-0"][..], &options, &more].concat();
            runs.push(Run::new(&arguments).on(inputs.clone()));
            let through = ["plan", "--json", "-0", "--proxy", "proxy:3128"];
            runs.push(Run::new(&through).on(inputs.into_iter().step_by(4).collect()));
        }
    }
    runs
}

fn audit() -> Vec<Run> {
    let all = texts(folder("audit").into_iter().flat_map(|(_, cases)| cases), &["input"]);
    let inputs: Vec<_> = all.into_iter().filter(|input| !input.contains('\0')).collect();
    vec![
        Run::new(&["audit", "--json", "-0", "--min-severity", "info"]).on(inputs.clone()),
        Run::new(&["audit", "--json", "-0", "--show-secrets", "-e", "rfc1738"]).on(inputs),
        Run::new(&["audit", "--json"]).on(urls(20)),
        Run::new(&["audit", "--json", "--list"]),
    ]
}

fn uniq() -> Vec<Run> {
    let inputs: Vec<_> = urls(40).into_iter().filter(|input| !input.contains('\0')).collect();
    let inputs = [inputs.clone(), inputs.into_iter().step_by(3).collect()].concat();
    ["text", "normal", "host"]
        .map(|by| Run::new(&["uniq", "--json", "-0", "--by", by]).on(inputs.clone()))
        .to_vec()
}

fn find() -> Vec<Run> {
    let mut documents = BTreeMap::new();
    for entry in fs::read_dir(testdata().join("find")).unwrap() {
        let format = entry.unwrap().file_name().into_string().unwrap();
        for (file, cases) in folder(&format!("find/{format}")) {
            for (at, case) in cases.iter().enumerate().filter(|(_, case)| !case.contains_key("encoding")) {
                let name = format!("{format}/{file}-{at}.{}", extension(&format));
                documents.insert(name, text(case, "document").to_owned());
            }
        }
    }
    let mut texts = BTreeMap::new();
    for (file, cases) in folder("text") {
        for (at, case) in cases.iter().enumerate().filter(|(_, case)| case.contains_key("text")) {
            texts.insert(format!("{file}-{at}.txt"), text(case, "text").replace(['⟦', '⟧'], ""));
        }
    }
    let on = |arguments: &[&str], files: &BTreeMap<String, String>| {
        let arguments =
            [&["find", "--json", "--hidden", "--no-ignore", "--sort", "path"], arguments, &["."]].concat();
        Run { files: files.clone(), ..Run::new(&arguments) }
    };
    let some = documents.iter().step_by(5).map(|(name, text)| (name.clone(), text.clone())).collect();
    vec![
        on(&["--absolute", "--base", "http://h/d/page"], &documents),
        on(&["--anchors"], &documents),
        on(&["--all", "--bases", "--base", "http://h/d/page"], &some),
        on(&["--broken"], &some),
        on(&["--strict"], &texts),
        on(&["--relaxed", "--patterns"], &texts),
        on(&["--count-by", "host"], &some),
    ]
}

/// The files of each case; no server is asked.
fn links() -> Vec<Run> {
    let mut runs = Vec::new();
    for case in cases("links/files.toml") {
        let mut arguments = vec!["links", "--offline", "--json"];
        arguments.extend(case.contains_key("root").then_some(["--root-dir", "."]).into_iter().flatten());
        arguments.extend(case.contains_key("code").then_some("--include-verbatim"));
        let files = serde_json::from_value(case["files"].clone()).unwrap();
        runs.push(Run { files, ..Run::new(&[&arguments[..], &["."]].concat()) });
    }
    runs
}

fn extension(format: &str) -> &str {
    match format {
        "icalendar" => "ics",
        "vcard" => "vcf",
        "mail" => "eml",
        "markdown" => "md",
        "roff" => "1",
        "text" => "txt",
        other => other,
    }
}

/// Every `step`th of the real URLs.
fn urls(step: usize) -> Vec<String> {
    let mut all: Vec<String> = lines("urls/mixed.txt");
    for file in ["web.txt", "files.txt", "homepages.txt", "file-urls.txt"] {
        all.extend(lines(&format!("urls/{file}")).into_iter().step_by(step));
    }
    all
}

fn lines(name: &str) -> Vec<String> {
    let text = fs::read_to_string(testdata().join(name)).unwrap();
    text.lines().map(str::to_owned).collect()
}

/// The files of a folder by name, each with its cases.
fn folder(name: &str) -> Vec<(String, Vec<Case>)> {
    let entries = fs::read_dir(testdata().join(name)).unwrap();
    let paths: BTreeSet<_> = entries.map(|entry| entry.unwrap().path()).collect();
    let files = paths.iter().filter(|path| path.extension().is_some_and(|extension| extension == "toml"));
    let stem = |path: &Path| path.file_stem().unwrap().to_str().unwrap().to_owned();
    files.map(|path| (stem(path), cases(path.to_str().unwrap()))).collect()
}

/// The cases of a file.
fn cases(name: &str) -> Vec<Case> {
    let text = fs::read_to_string(testdata().join(name)).unwrap();
    let mut file: Case = toml::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
    file.get_mut("case").map(|cases| serde_json::from_value(cases.take()).unwrap()).unwrap_or_default()
}

/// What the cases have under the keys, each once.
fn texts(cases: impl IntoIterator<Item = Case>, keys: &[&str]) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let mut texts = Vec::new();
    for case in cases {
        for value in keys.iter().filter_map(|&key| case.get(key)?.as_str()) {
            if seen.insert(value.to_owned()) {
                texts.push(value.to_owned());
            }
        }
    }
    texts
}

fn text<'a>(case: &'a Case, key: &str) -> &'a str {
    case[key].as_str().unwrap_or_else(|| panic!("{key} of {case:?}"))
}

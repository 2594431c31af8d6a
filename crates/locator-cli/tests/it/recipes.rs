//! The examples of the documents. Each command of `docs/recipes.md`, `docs/links.md`, `docs/policy.md`,
//! `docs/url-standard.md`, `docs/parts.md`, `docs/untrusted-urls.md` and of the README is run, and what it prints is
//! compared with what the document shows, also in the
//! pictures. `UPDATE=1` writes the documents and the pictures again. The verb and the options of every
//! command in all other documents are understood.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A visitor reads no more lines.
const LINES_OF_README: usize = 120;

#[test]
fn recipes_print_what_they_show() {
    prints_what_it_shows("docs/recipes.md", "docs/example");
}

#[test]
#[cfg(feature = "links")]
fn the_guide_to_links_prints_what_it_shows() {
    prints_what_it_shows("docs/links.md", "testdata/links/site");
}

#[test]
fn the_guide_to_policies_prints_what_it_shows() {
    prints_what_it_shows("docs/policy.md", "docs/example");
}

#[test]
fn the_guide_to_the_url_standard_prints_what_it_shows() {
    prints_what_it_shows("docs/url-standard.md", "docs/example");
}

#[test]
fn the_list_of_parts_prints_what_it_shows() {
    prints_what_it_shows("docs/parts.md", "docs/example");
}

#[test]
fn the_guide_to_untrusted_urls_prints_what_it_shows() {
    prints_what_it_shows("docs/untrusted-urls.md", "docs/mail");
}

/// The blocks of `sh`, in a repository with a mail, a page and a list of URLs.
#[test]
#[cfg(unix)]
fn the_scripts_of_the_guide_to_untrusted_urls_run() {
    let page = std::fs::read_to_string(root().join("docs/untrusted-urls.md")).unwrap();
    let blocks: Vec<_> =
        page.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert_eq!(blocks.len(), 2, "a new block needs what it reads");
    let folder = tempfile::tempdir().unwrap();
    let begin = "git init -q -b main && git config user.name a && git config user.email a@b.example \
                 && mkdir docs src && echo 'https://h.example.com/' > docs/a.md && cp docs/a.md src/b.txt \
                 && git add docs src && git commit -q -m a && git branch origin/main \
                 && echo 'http://0177.0.0.1/' > urls.txt && mail=$GIVEN \
                 && quarantine() { echo \"quarantined $(basename \"$1\")\"; }";
    let script = format!("{begin}\n{}", blocks.concat());
    let binary = Path::new(env!("CARGO_BIN_EXE_locator")).parent().unwrap();
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-c", &script]).current_dir(&folder).env("PATH", path).env("XDG_CONFIG_HOME", folder.path());
    let output = shell.env("GIVEN", root().join("docs/mail/mail.eml")).output().unwrap();
    let (said, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("quarantined mail.eml"), "{said}\n{errors}");
    assert!(!errors.contains("error"), "{errors}");
    let sarif = std::fs::read_to_string(folder.path().join("audit.sarif")).unwrap();
    assert!(sarif.contains("\"runs\""), "{sarif}");
    // All of the list is known.
    let known = std::fs::read_to_string(folder.path().join("known.json")).unwrap();
    assert!(known.contains("disguised-address"), "{known}");
    assert_eq!(output.status.code(), Some(0), "{said}\n{errors}");
}

/// Commands that documents show because they are refused, or that are a program of their own.
const REFUSED: [&str; 3] = ["locator sql", "locator host", "locator links --offline --fail-on dead"];

/// What each command of the documents says to `--help`, which comes after its options.
#[test]
#[cfg(all(feature = "get", feature = "links", feature = "serve"))]
fn every_command_in_the_documents_is_understood() {
    let documents = Command::new("git").args(["ls-files", "*.md"]).current_dir(root()).output().unwrap();
    let documents = String::from_utf8(documents.stdout).unwrap();
    let mut count = 0;
    let mut wrong = Vec::new();
    for name in documents.lines().filter(|name| !name.starts_with("testdata/")) {
        let text = std::fs::read_to_string(root().join(name)).unwrap();
        let mut is_fenced = false;
        for (number, line) in text.lines().enumerate() {
            is_fenced ^= line.starts_with("```");
            let line = line.replace("\\|", "|");
            let commands: Vec<_> = if is_fenced || line.starts_with("    ") {
                vec![line.trim_start().trim_start_matches("$ ")]
            } else {
                line.split('`').skip(1).step_by(2).collect()
            };
            for command in commands.into_iter().flat_map(|commands| commands.split(" | ")) {
                if !command.starts_with("locator ")
                    || REFUSED.iter().any(|refused| command.starts_with(refused))
                {
                    continue;
                }
                count += 1;
                let mut words = words(command);
                // After "--" it would be a URL.
                let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
                words.insert(end, "--help".into());
                let output = Command::new(program()).args(&words[1..]).output().unwrap();
                let errors = String::from_utf8(output.stderr).unwrap();
                // An option that is named alone, or with the name of its value.
                let is_name = errors.contains("a value is required") || command.contains("START,LENGTH");
                if !output.status.success() && !is_name {
                    wrong.push(format!("{name}:{}: {command}: {errors}", number + 1));
                }
            }
        }
    }
    assert!(count > 300, "{count} commands");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The words of a command, up to a redirection or a comment; "…" stands for more.
fn words(command: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut characters = command.replace("$http_proxy", "h:1").chars().collect::<Vec<_>>().into_iter();
    while let Some(c) = characters.next() {
        match c {
            _ if quote == Some(c) => quote = None,
            '\\' if quote != Some('\'') => word.get_or_insert_default().extend(characters.next()),
            _ if quote.is_some() => word.get_or_insert_default().push(c),
            '\'' | '"' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            ' ' => words.extend(word.take()),
            '<' | '>' | ';' | '&' | '|' => break,
            '#' if word.is_none() => break,
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words.retain(|word| word != "…");
    words
}

/// The links of this repository lead to files, headings and ids that exist.
#[test]
#[cfg(feature = "links")]
fn no_link_of_this_repository_is_broken() {
    let output = run("locator links --offline -g '!testdata' -g '!scripts/links' .", ".", None);
    let text = |octets| String::from_utf8(octets).unwrap();
    assert!(output.status.success(), "{}", text(output.stdout));
    assert!(text(output.stderr).contains(" ok"));
}

#[test]
fn the_readme_prints_what_it_shows() {
    prints_what_it_shows("README.md", ".");
    let lines = readme().lines().count();
    assert!(lines <= LINES_OF_README, "README.md has {lines} lines");
}

/// The first command in a clone shows the finding of the first sentence, and succeeds.
#[test]
fn the_first_command_of_the_readme_succeeds() {
    let readme = readme();
    let mut commands = readme.lines().filter_map(|line| line.strip_prefix("cargo run -- "));
    let output = run(&format!("locator {}", commands.next().unwrap()), ".", None);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success());
    assert_eq!(commands.next(), None);
    let at = text.find(r"http://good.example\@evil.example/").unwrap();
    assert!(text[at..].contains("readers-disagree"), "{text}");
    for path in ["scripts/test", "crates/locator-cli/Cargo.toml", "crates/locator/Cargo.toml"] {
        assert!(root().join(path).is_file(), "{path}");
        assert!(readme.contains(path.trim_end_matches("/Cargo.toml")), "{path}");
    }
}

/// The five commands of the first screen, where their user has a directory with broken URLs.
#[test]
#[cfg(feature = "get")]
fn the_five_commands_of_the_readme_run() {
    let readme = readme();
    let (verbs, commands): (Vec<_>, Vec<_>) = readme
        .lines()
        .filter(|line| line.starts_with("locator "))
        .map(|line| {
            (
                line.split(' ').nth(1).unwrap(),
                line.replace("https://example.com/large", "http://example.com/large"),
            )
        })
        .unzip();
    assert_eq!(verbs, ["audit", "check", "find", "edit", "get"]);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("notes.md"), "[a](http:/one.slash)\n").unwrap();
    // It answers for whatever host.
    let proxy = locator_dev::servers::http::HttpServer::new(|_| {
        locator_dev::servers::http::answer("200 OK", "Connection: close\r\n", "large")
    });
    let proxy_url = proxy.url("");
    let statuses: Vec<_> = commands
        .iter()
        .map(|command| {
            let output = run(command, folder.path().to_str().unwrap(), Some(&proxy_url));
            assert!(!output.stdout.is_empty() || command.starts_with("locator get"), "{command}");
            output.status.code().unwrap()
        })
        .collect();
    // A finding, an error, and a broken URL are status 1.
    assert_eq!(statuses, [1, 1, 1, 0, 0], "{commands:?}");
    assert_eq!(std::fs::read(folder.path().join("large.iso")).unwrap(), b"large");
}

/// The pictures of the README are what the command prints at a terminal.
#[test]
#[cfg(unix)]
fn the_pictures_are_what_is_printed() {
    let mut script = Command::new("python3");
    script.arg(root().join("scripts/release/pictures")).env("LOCATOR", program());
    if std::env::var_os("UPDATE").is_none() {
        script.arg("--check");
    }
    let output = script.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn readme() -> String {
    std::fs::read_to_string(root().join("README.md")).unwrap()
}

fn program() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_locator"))
}

/// Runs the commands of a document in a folder, and compares what they print.
fn prints_what_it_shows(name: &str, folder: &str) {
    let document = root().join(name);
    let shown = std::fs::read_to_string(&document).unwrap();
    let printed = with_output(&shown, folder);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&document, &printed).unwrap();
        return;
    }
    for (number, (shown, printed)) in shown.lines().zip(printed.lines()).enumerate() {
        assert_eq!(shown, printed, "{name}, line {}", number + 1);
    }
    assert_eq!(shown, printed, "{name}");
}

/// The document with the output of each command after it, in place of what is there.
fn with_output(document: &str, folder: &str) -> String {
    let mut written = String::new();
    let mut is_console = false;
    for line in document.lines() {
        let is_fence = line.starts_with("```");
        let is_command = is_console && line.starts_with("$ ");
        if is_fence || is_command || !is_console {
            written.push_str(line);
            written.push('\n');
        }
        if is_command {
            // What it prints on both streams, without spaces at the ends of lines.
            let output = run(&format!("{{ {}\n}} 2>&1", &line[2..]), folder, None);
            let text = String::from_utf8(output.stdout).unwrap();
            written.extend(text.lines().map(|line| format!("{}\n", line.trim_end())));
        }
        if is_fence {
            is_console = line == "```console";
        }
    }
    written
}

/// Runs a line of the shell in a folder of the repository.
fn run(command: &str, folder: &str, proxy: Option<&str>) -> Output {
    let path = std::env::var("PATH").unwrap();
    Command::new("sh")
        .args(["-c", command])
        .current_dir(root().join(folder))
        .env("PATH", format!("{}:{path}", program().parent().unwrap().display()))
        .env("LC_ALL", "C.UTF-8")
        .envs(proxy.map(|proxy| ("http_proxy", proxy)))
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

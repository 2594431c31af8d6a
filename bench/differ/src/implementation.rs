//! The implementations that are compared. All answer with the `href` and the `origin` of JavaScript.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::case::Case;

/// What an implementation makes of a case.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Outcome {
    /// The serialised URL; nothing if the text is not parsed.
    pub href: Option<String>,
    pub origin: String,
}

/// An implementation of the URL Standard.
pub trait Implementation {
    fn name(&self) -> &'static str;

    /// Answers every case of a list.
    fn run(&mut self, cases: &[Case]) -> Vec<Outcome>;
}

/// Returns all others; the last only with a directory.
pub fn others(whatwg_url: Option<&str>) -> Vec<Box<dyn Implementation>> {
    let mut others: Vec<Box<dyn Implementation>> = vec![Box::new(TheCrateUrl), Box::new(Ada)];
    if let Some(directory) = whatwg_url {
        others.push(Box::new(Node::start(directory)));
    }
    others
}

/// Parses with a crate that has the names of `url`, and sets attributes by its `quirks`.
macro_rules! by_names_of_url {
    ($type:ident, $name:literal, $of:ident) => {
        pub struct $type;

        impl Implementation for $type {
            fn name(&self) -> &'static str {
                $name
            }

            fn run(&mut self, cases: &[Case]) -> Vec<Outcome> {
                cases.iter().map(|case| Self::outcome(case).unwrap_or_default()).collect()
            }
        }

        impl $type {
            fn outcome(case: &Case) -> Option<Outcome> {
                use $of::{Url, quirks};
                let url = match case {
                    Case::Parse { text, base: None } => Url::parse(text).ok()?,
                    Case::Parse { text, base: Some(base) } => Url::parse(base).ok()?.join(text).ok()?,
                    Case::Set { text, attribute, value } => {
                        let mut url = Url::parse(text).ok()?;
                        // A setter that fails changes nothing, or what the standard says.
                        let _ = match *attribute {
                            "href" => quirks::set_href(&mut url, value).map_err(|_| ()),
                            "protocol" => quirks::set_protocol(&mut url, value),
                            "username" => quirks::set_username(&mut url, value),
                            "password" => quirks::set_password(&mut url, value),
                            "host" => quirks::set_host(&mut url, value),
                            "hostname" => quirks::set_hostname(&mut url, value),
                            "port" => quirks::set_port(&mut url, value),
                            "pathname" => Ok(quirks::set_pathname(&mut url, value)),
                            "search" => Ok(quirks::set_search(&mut url, value)),
                            _ => Ok(quirks::set_hash(&mut url, value)),
                        };
                        url
                    }
                };
                Some(Outcome { href: Some(url.as_str().to_owned()), origin: quirks::origin(&url) })
            }
        }
    };
}

by_names_of_url!(Ours, "locator-whatwg", locator_whatwg);
by_names_of_url!(TheCrateUrl, "url", url);

struct Ada;

impl Implementation for Ada {
    fn name(&self) -> &'static str {
        "ada-url"
    }

    fn run(&mut self, cases: &[Case]) -> Vec<Outcome> {
        cases.iter().map(|case| Self::outcome(case).unwrap_or_default()).collect()
    }
}

impl Ada {
    fn outcome(case: &Case) -> Option<Outcome> {
        let url = match case {
            Case::Parse { text, base } => ada_url::Url::parse(text, base.as_deref()).ok()?,
            Case::Set { text, attribute, value } => {
                let mut url = ada_url::Url::parse(text, None).ok()?;
                let value = value.as_str();
                match *attribute {
                    "href" => drop(url.set_href(value)),
                    "protocol" => drop(url.set_protocol(value)),
                    "username" => drop(url.set_username(Some(value))),
                    "password" => drop(url.set_password(Some(value))),
                    "host" => drop(url.set_host(Some(value))),
                    "hostname" => drop(url.set_hostname(Some(value))),
                    "port" => drop(url.set_port(Some(value))),
                    "pathname" => drop(url.set_pathname(Some(value))),
                    "search" => url.set_search(Some(value)),
                    _ => url.set_hash(Some(value)),
                }
                url
            }
        };
        Some(Outcome { href: Some(url.href().to_owned()), origin: url.origin() })
    }
}

/// `whatwg-url` in a process of Node, which answers a line of JSON for each batch.
struct Node {
    _process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

const PROGRAM: &str = r#"
const { URL } = require("whatwg-url");
const outcome = ([text, base, attribute, value]) => {
  let url;
  try { url = new URL(text, base ?? undefined); } catch { return null; }
  if (attribute) { try { url[attribute] = value; } catch { /* href */ } }
  return [url.href, url.origin];
};
const lines = require("readline").createInterface({ input: process.stdin });
lines.on("line", (line) => process.stdout.write(JSON.stringify(JSON.parse(line).map(outcome)) + "\n"));
"#;

impl Node {
    fn start(directory: &str) -> Self {
        let mut process = Command::new("node")
            .args(["-e", PROGRAM])
            .current_dir(directory)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("node is installed");
        let input = process.stdin.take().expect("a pipe");
        let output = BufReader::new(process.stdout.take().expect("a pipe"));
        Self { _process: process, input, output }
    }
}

impl Implementation for Node {
    fn name(&self) -> &'static str {
        "whatwg-url"
    }

    fn run(&mut self, cases: &[Case]) -> Vec<Outcome> {
        let asked: Vec<Value> = cases
            .iter()
            .map(|case| match case {
                Case::Parse { text, base } => json!([text, base]),
                Case::Set { text, attribute, value } => json!([text, null, attribute, value]),
            })
            .collect();
        writeln!(self.input, "{}", Value::Array(asked)).expect("node reads");
        let mut line = String::new();
        self.output.read_line(&mut line).expect("node answers");
        let answers: Vec<Option<[String; 2]>> = serde_json::from_str(&line).expect("JSON");
        answers
            .into_iter()
            .map(|answer| {
                answer.map_or_else(Outcome::default, |[href, origin]| Outcome { href: Some(href), origin })
            })
            .collect()
    }
}

//! One run of the command: arguments, inputs and files in; exit status and answers out.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// In place of a text that is prose.
const PROSE: &str = "…";

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(crate) struct Run {
    pub(crate) arguments: Vec<String>,
    /// Standard input, with a NUL or a line end after each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) inputs: Vec<String>,
    /// The directory that it runs in: names and contents.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) files: BTreeMap<String, String>,
    #[serde(default)]
    pub(crate) exit: i32,
    #[serde(skip)]
    pub(crate) answers: Vec<Value>,
}

impl Run {
    pub(crate) fn new(arguments: &[&str]) -> Self {
        Self { arguments: arguments.iter().map(|&one| one.to_owned()).collect(), ..Self::default() }
    }

    pub(crate) fn on(mut self, inputs: Vec<String>) -> Self {
        self.inputs = inputs;
        self
    }

    /// The runs of a golden file.
    pub(crate) fn read_all(text: &str) -> Vec<Self> {
        let mut runs: Vec<Self> = Vec::new();
        for line in text.lines() {
            let mut value: Value = serde_json::from_str(line).unwrap();
            match value.get_mut("run") {
                Some(run) => runs.push(serde_json::from_value(run.take()).unwrap()),
                None => runs.last_mut().unwrap().answers.push(value),
            }
        }
        runs
    }

    /// Its lines in a golden file.
    pub(crate) fn written(&self) -> String {
        let mut text = serde_json::json!({ "run": self }).to_string() + "\n";
        for answer in &self.answers {
            text += &(answer.to_string() + "\n");
        }
        text
    }

    /// The same run, with the exit status and answers of now.
    pub(crate) fn again(&self) -> Self {
        let directory = tempfile::tempdir().unwrap();
        for (name, content) in &self.files {
            let path = directory.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        let end = if self.arguments.iter().any(|one| one == "-0") { "\0" } else { "\n" };
        let stdin = tempfile::NamedTempFile::new().unwrap();
        fs::write(stdin.path(), self.inputs.iter().flat_map(|one| [one, end]).collect::<String>()).unwrap();
        let output = self.command(directory.path()).stdin(stdin.reopen().unwrap()).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        // The directory has another name in each run.
        let text = text.replace(directory.path().to_str().unwrap(), "/directory");
        let lines = text.lines().filter_map(|line| serde_json::from_str(line).ok());
        Self {
            exit: output.status.code().unwrap_or(-1),
            answers: lines.map(without_prose).collect(),
            ..self.clone()
        }
    }

    fn command(&self, directory: &Path) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_locator"));
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "NNTPSERVER"] {
            command.env_remove(name);
        }
        command.env("XDG_CONFIG_HOME", "nowhere").env("HOME", "nowhere");
        command.args(&self.arguments).current_dir(directory).stderr(Stdio::null());
        command
    }
}

/// The same answer with each prose text replaced, and with equal readings of several editions as
/// one.
fn without_prose(mut answer: Value) -> Value {
    replace_prose(&mut answer);
    if let Some(readings) = answer.get_mut("readings").and_then(Value::as_array_mut) {
        *readings = grouped(readings);
    }
    answer
}

fn replace_prose(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(replace_prose),
        Value::Object(object) => {
            let is_code = object.contains_key("explanation");
            for (key, value) in object.iter_mut() {
                let is_prose = match key.as_str() {
                    "message" | "advice" | "expected" | "description" | "object" | "until" => true,
                    "title" | "explanation" => is_code,
                    // Some are words for programs.
                    "why" | "means" | "reason" => value.as_str().is_some_and(|text| text.contains(' ')),
                    _ => false,
                };
                match value {
                    Value::String(text) if is_prose => PROSE.clone_into(text),
                    value => replace_prose(value),
                }
            }
        }
        _ => {}
    }
}

/// Readings that differ in the edition alone become one, whose `edition` names all.
fn grouped(readings: &[Value]) -> Vec<Value> {
    let mut groups: Vec<Map<String, Value>> = Vec::new();
    for reading in readings {
        let mut reading = reading.as_object().unwrap().clone();
        let edition = reading.insert("edition".to_owned(), Value::Null).unwrap();
        let edition = edition.as_str().unwrap();
        let same = |group: &&mut Map<String, Value>| {
            group.len() == reading.len()
                && group.iter().all(|(key, value)| key == "edition" || reading.get(key) == Some(value))
        };
        if let Some(group) = groups.iter_mut().find(same) {
            let names = format!("{} {edition}", group["edition"].as_str().unwrap());
            group.insert("edition".to_owned(), names.into());
        } else {
            reading.insert("edition".to_owned(), edition.into());
            groups.push(reading);
        }
    }
    groups.into_iter().map(Value::Object).collect()
}

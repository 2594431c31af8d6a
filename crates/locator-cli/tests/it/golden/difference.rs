//! What differs between a run as recorded and the same run of now: verb, input and key.

use serde_json::Value;

use crate::golden::run::Run;

/// One text for each difference.
pub(crate) fn between(verb: &str, recorded: &Run, found: &Run) -> Vec<String> {
    let name = format!("{verb}: locator {}", recorded.arguments.join(" "));
    let mut differences = Vec::new();
    if recorded.exit != found.exit {
        differences.push(format!("{name}\n  exit status: recorded {}, found {}", recorded.exit, found.exit));
    }
    if recorded.answers.len() != found.answers.len() {
        let (recorded, found) = (recorded.answers.len(), found.answers.len());
        differences.push(format!("{name}\n  answers: recorded {recorded}, found {found}"));
    }
    for (recorded, found) in recorded.answers.iter().zip(&found.answers) {
        let mut keys = Vec::new();
        compare("", recorded, found, &mut keys);
        for key in keys {
            differences.push(format!("{name}\n  of {}\n  {key}", subject(recorded)));
        }
    }
    differences
}

/// What an answer is about.
fn subject(answer: &Value) -> String {
    let keys = ["input", "reference", "first", "file", "name"];
    let known = keys.iter().find_map(|key| answer.get(key).map(|value| format!("{key} {value}")));
    let url = answer.get("url").map(|url| format!(", url {url}")).unwrap_or_default();
    known.unwrap_or_else(|| answer.to_string()) + &url
}

fn compare(key: &str, recorded: &Value, found: &Value, differences: &mut Vec<String>) {
    match (recorded, found) {
        (Value::Object(recorded), Value::Object(found)) => {
            for (name, value) in recorded {
                let key = format!("{key}.{name}");
                match found.get(name) {
                    Some(found) => compare(&key, value, found, differences),
                    None => differences.push(format!("key {key}: recorded {value}, found nothing")),
                }
            }
            for (name, value) in found.iter().filter(|(name, _)| !recorded.contains_key(*name)) {
                differences.push(format!("key {key}.{name}: recorded nothing, found {value}"));
            }
        }
        (Value::Array(recorded), Value::Array(found)) if recorded.len() == found.len() => {
            for (at, (recorded, found)) in recorded.iter().zip(found).enumerate() {
                compare(&format!("{key}[{at}]"), recorded, found, differences);
            }
        }
        (recorded, found) if recorded == found => {}
        (recorded, found) => differences.push(format!("key {key}: recorded {recorded}, found {found}")),
    }
}

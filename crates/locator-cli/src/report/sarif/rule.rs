//! The rules of a SARIF log, and the texts of its results.

use serde_json::{Value, json};

/// A rule (3.49): the kind of a result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rule {
    /// A name in lower case with hyphens.
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    pub(crate) explanation: &'static str,
    pub(crate) advice: &'static str,
    /// A text that breaks the rule, if there is one.
    pub(crate) example: Option<&'static str>,
    /// The section of a standard that says so.
    pub(crate) citation: &'static str,
    pub(crate) level: Level,
    /// How many of its results are true: `high`.
    pub(crate) precision: &'static str,
    /// The score that code scanning sorts by; `None` if it is not a matter of security.
    pub(crate) security_severity: Option<&'static str>,
}

/// The level of a result (3.27.10).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    Error,
    Warning,
    Note,
}

impl Level {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

impl Rule {
    pub(super) fn object(&self) -> Value {
        let mut rule = json!({
            "id": self.id,
            "name": pascal(self.id),
            "shortDescription": {"text": self.title},
            "fullDescription": {"text": self.explanation},
            "help": {"text": self.help(), "markdown": self.help_in_markdown()},
            "defaultConfiguration": {"level": self.level.name()},
            "properties": {"precision": self.precision, "tags": ["security", "url"]},
        });
        if let Some(address) = address(self.citation) {
            rule["helpUri"] = address.into();
        }
        match self.security_severity {
            Some(severity) => rule["properties"]["security-severity"] = severity.into(),
            None => rule["properties"]["tags"] = json!(["url"]),
        }
        rule
    }

    fn help(&self) -> String {
        let Self { explanation, advice, citation, .. } = self;
        let example = self.example.map(|example| format!("Example: {example}\n\n")).unwrap_or_default();
        format!("{explanation}\n\nWhat to do: {advice}.\n\n{example}See {citation}.")
    }

    fn help_in_markdown(&self) -> String {
        let example = self.example.map(|example| format!("```text\n{example}\n```\n\n"));
        format!(
            "{}\n\n**What to do**: {}.\n\n{}See {}.",
            markdown(self.explanation),
            markdown(self.advice),
            example.unwrap_or_default(),
            reference(self.citation)
        )
    }
}

/// `userinfo-like-host` as `UserinfoLikeHost`.
fn pascal(code: &str) -> String {
    code.split('-')
        .flat_map(|word| word[..1].chars().map(|c| c.to_ascii_uppercase()).chain(word[1..].chars()))
        .collect()
}

/// Returns the address of a section of an RFC, the first one that is cited.
fn address(citation: &str) -> Option<String> {
    let first = citation.split(';').next()?;
    let (number, section) = first.strip_prefix("RFC ")?.split_once(", ")?;
    let is_number = |word: &str, others: &str| word.chars().all(|c| c.is_ascii_digit() || others.contains(c));
    if !is_number(number, "") {
        return None;
    }
    let section = match section.strip_prefix("appendix ") {
        Some(appendix) => format!("appendix-{appendix}"),
        None => format!("section-{section}"),
    };
    let is_plain = section.chars().all(|c| c.is_ascii_alphanumeric() || ".-".contains(c));
    is_plain.then(|| format!("https://www.rfc-editor.org/rfc/rfc{number}#{section}"))
}

fn reference(citation: &str) -> String {
    address(citation).map_or_else(|| markdown(citation), |address| format!("[{citation}]({address})"))
}

/// Escapes the characters that mean something in Markdown.
fn markdown(text: &str) -> String {
    let escape = |c: char| if "\\`*_{}[]<>#|!~".contains(c) { format!("\\{c}") } else { c.to_string() };
    text.chars().map(escape).collect()
}

/// Returns a message in which nothing is a link (3.11.6).
pub(super) fn plain(text: &str) -> String {
    if text.contains("](") {
        text.replace('\\', r"\\").replace('[', r"\[").replace(']', r"\]")
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_citation_of_an_rfc_has_an_address() {
        let rfc = |rest: &str| Some(format!("https://www.rfc-editor.org/rfc/rfc{rest}"));
        assert_eq!(address("RFC 3986, 7.6"), rfc("3986#section-7.6"));
        assert_eq!(address("RFC 1738, 6; Fetch Standard, 2.9"), rfc("1738#section-6"));
        assert_eq!(address("RFC 3986, appendix A"), rfc("3986#appendix-A"));
        for other in ["URL Standard, 4.4", "RFC 3986", "RFC 3986 and 3987, 4", "RFC 3986, 4 and 5"] {
            assert_eq!(address(other), None, "{other}");
        }
    }

    #[test]
    fn no_text_becomes_a_link() {
        assert_eq!(plain("http://[::1]/"), "http://[::1]/");
        assert_eq!(plain("[a](1)"), r"\[a\](1)");
        assert_eq!(pascal("userinfo-like-host"), "UserinfoLikeHost");
    }
}

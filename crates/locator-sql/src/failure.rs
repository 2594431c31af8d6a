//! Why a query has no result, as one sentence for people.

use std::io::{self, IsTerminal, Write};

use anstyle::{AnsiColor, Style};
use datafusion::common::SchemaError;
use datafusion::error::DataFusionError;

use crate::names::{nearest, quoted};

/// An error that ends the program.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The reader of standard output does not read on.
    ClosedPipe,
    /// An error with a sentence.
    Message(String),
}

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self::Message(message.into())
    }

    /// Returns an error of writing the result.
    pub(crate) fn writing(what: &str, error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::ClosedPipe,
            _ => Self::Message(format!("{what} cannot be written: {error}")),
        }
    }
}

/// What a message about a query refers to.
pub(crate) struct Context<'a> {
    /// The names of all functions.
    pub(crate) functions: &'a [String],
    /// The limit of memory, in bytes.
    pub(crate) memory: usize,
    /// Whether the query counts by `uri_uniq`, which cannot write to files.
    pub(crate) has_uniq: bool,
}

impl Context<'_> {
    /// Refers to nothing: for errors before a query runs.
    pub(crate) const NOTHING: Self = Self { functions: &[], memory: 0, has_uniq: false };

    /// Returns the sentence for an error of the engine.
    pub(crate) fn failure(&self, error: &DataFusionError) -> Failure {
        Failure::Message(self.sentence(error.find_root()))
    }

    fn sentence(&self, error: &DataFusionError) -> String {
        match error {
            DataFusionError::SchemaError(error, _) => of_schema(error),
            DataFusionError::SQL(error, _) => of_syntax(&error.to_string()),
            DataFusionError::ResourcesExhausted(message) => self.of_memory(message),
            DataFusionError::Plan(message) => self.of_plan(message),
            DataFusionError::Collection(errors) if !errors.is_empty() => self.sentence(errors[0].find_root()),
            error => {
                let message = error.message();
                plain(of_arguments(&message).unwrap_or(&message))
            }
        }
    }

    fn of_plan(&self, message: &str) -> String {
        if let Some(ours) = of_arguments(message) {
            return plain(ours);
        }
        let name = message.strip_prefix("Invalid function '").and_then(|rest| rest.split('\'').next());
        let Some(name) = name else { return plain(message) };
        match nearest(name, self.functions.iter().map(String::as_str)) {
            Some(near) => format!("no function \"{name}\"; did you mean {near}?"),
            None => format!("no function \"{name}\""),
        }
    }

    fn of_memory(&self, message: &str) -> String {
        let size = self.memory >> 20;
        if self.has_uniq || message.contains("uri_uniq") {
            return format!(
                "uri_uniq needs more memory than --memory {size}M; this can write to disk: select count(*) \
                 from (select distinct …)"
            );
        }
        format!("the query needs more memory than --memory {size}M: {}", plain(message))
    }
}

fn of_schema(error: &SchemaError) -> String {
    match error {
        SchemaError::FieldNotFound { field, valid_fields } => {
            let known = || valid_fields.iter().map(|field| field.name.as_str());
            let name = &field.name;
            let hint = match known().find(|known| known.eq_ignore_ascii_case(name)) {
                Some(other) => format!("; write \"{other}\" in double quotes"),
                None => match nearest(name, known()) {
                    Some(near) => format!("; did you mean {}?", quoted(near)),
                    None if valid_fields.is_empty() => String::new(),
                    None => {
                        let known = known().take(12).map(quoted).collect::<Vec<_>>();
                        let more = if valid_fields.len() > known.len() { ", …" } else { "" };
                        format!("; the columns are {}{more}", known.join(", "))
                    }
                },
            };
            format!("no column \"{name}\"{hint}")
        }
        SchemaError::AmbiguousReference { field } => {
            format!("more than one table has a column \"{}\"; write the table before it", field.name)
        }
        SchemaError::DuplicateQualifiedField { name, .. }
        | SchemaError::DuplicateUnqualifiedField { name } => {
            format!("two columns have the name \"{name}\"; name one of them with \"as\"")
        }
    }
}

/// Returns what a function says about its arguments, without the words of the engine around it.
fn of_arguments(message: &str) -> Option<&str> {
    const BEFORE: &str = "user-defined coercion failed with: Error during planning: ";
    let (_, ours) = message.split_once(BEFORE)?;
    Some(ours.split_once(" No function matches").map_or(ours, |(ours, _)| ours))
}

/// Returns the sentence for an error of syntax: the parser says what it expected, found, and where.
fn of_syntax(message: &str) -> String {
    let message = message.strip_prefix("sql parser error: ").unwrap_or(message);
    let message = message.replacen("Expected: ", "expected ", 1).replacen(", found: ", ", found ", 1);
    let message = message.replacen(" at Line: ", " at line ", 1).replacen(", Column: ", ", column ", 1);
    format!("the query is not valid SQL: {}", plain(&message))
}

/// How messages of the engine begin.
const ENGINE_BEFORE: [&str; 5] =
    ["Internal error: ", "Execution error: ", "Error during planning: ", "Parser error: ", "Csv error: "];

/// Makes one line of a message, without what the engine says about itself.
fn plain(message: &str) -> String {
    const ENGINE: [&str; 4] =
        ["\n\n", "This issue was likely caused", "No function matches the given name", ", errors: Error"];
    let end = ENGINE.iter().filter_map(|words| message.find(words)).min();
    let message = &message[..end.unwrap_or(message.len())];
    let message = ENGINE_BEFORE
        .into_iter()
        .fold(message, |message, word| message.strip_prefix(word).unwrap_or(message));
    let lines = message.lines().map(str::trim).filter(|line| !line.is_empty());
    let line = lines.collect::<Vec<_>>().join(" ");
    // The number of the line is that of the record, which is always 1.
    let line = match line.strip_prefix("Json error: ").and_then(|line| line.split(" at line 1 column").next())
    {
        Some(json) => json,
        None => &line,
    };
    // A value in CSV that is not of the type of the rows before; the row itself can be long.
    if let Some((value, _)) =
        line.split_once(" Row data: ").filter(|_| line.starts_with("Error while parsing"))
    {
        return visible(&format!("{}; --all-text reads all columns as text", value.trim_end_matches('.')));
    }
    visible(line.trim_end_matches(['.', ' ']))
}

/// Writes control characters by their codes: they must not reach a terminal.
pub(crate) fn visible(text: &str) -> String {
    let is_hidden = |c: char| {
        c.is_control() || ('\u{202A}'..='\u{202E}').contains(&c) || ('\u{2066}'..='\u{2069}').contains(&c)
    };
    if !text.contains(is_hidden) {
        return text.to_owned();
    }
    let visible =
        text.chars().map(|c| if is_hidden(c) { format!("<U+{:04X}>", u32::from(c)) } else { c.to_string() });
    visible.collect()
}

/// Prints an error. A failure to do so is ignored.
pub(crate) fn say(message: &str) {
    print("error", AnsiColor::Red, message);
}

/// Prints what may be good to know.
pub(crate) fn note(message: &str) {
    print("note", AnsiColor::Cyan, message);
}

fn print(word: &str, color: AnsiColor, message: &str) {
    let style = Style::new().bold().fg_color(Some(color.into()));
    let mut out = anstream::AutoStream::auto(io::stderr());
    let end = if io::stderr().is_terminal() { "\r\x1b[K" } else { "" };
    let _ = writeln!(out, "{end}{style}{word}:{style:#} {}", visible(message));
}

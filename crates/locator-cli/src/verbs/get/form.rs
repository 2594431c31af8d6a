//! The options of forms with files, `-F` and `--form-string`, which have curl's names: takes their values,
//! returns a body of `multipart/form-data` (RFC 7578), whose files are read while it is sent.

use std::ffi::OsStr;
use std::path::Path;

use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};
use locator_fetch::http::{Multipart, RequestBody};

use super::data::{self, in_order};
use crate::exit::{CliError, say_error};

/// The options of forms.
#[derive(Clone, Debug, Default)]
pub(super) struct FormArgs {
    /// The fields in the order of the options, and whether a value is only a text.
    given: Vec<(bool, String)>,
}

const FORM: &str = "form";
const STRING: &str = "form-string";
const HELP: &str = "Send a form in a POST request, as multipart/form-data: \"NAME=TEXT\"; \"NAME=@FILE\" \
    sends a file, \"NAME=@FILE,FILE\" several, and \"NAME=<FILE\" its contents, followed by \";type=MEDIA-TYPE\" and \";filename=NAME\" if \
    needed; \"-\" is standard input";
const STRING_HELP: &str = "Like --form, but \"@\", \"<\" and \";\" have no special meaning";

impl Args for FormArgs {
    fn augment_args(command: Command) -> Command {
        let one = |name: &'static str, help: &'static str| {
            let arg = Arg::new(name).long(name).value_name("NAME=VALUE").help(help);
            arg.action(ArgAction::Append).allow_hyphen_values(true)
        };
        command.arg(one(FORM, HELP).short('F')).arg(one(STRING, STRING_HELP))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for FormArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut args = Self::default();
        args.update_from_arg_matches(matches)?;
        Ok(args)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        let given = in_order(matches, [FORM, STRING]);
        self.given = given.into_iter().map(|(index, value)| (index == 1, value)).collect();
        Ok(())
    }
}

impl FormArgs {
    /// Returns the option of forms, if one was given.
    pub(super) fn option(&self) -> Option<&'static str> {
        self.given.first().map(|&(is_text, _)| if is_text { STRING } else { FORM })
    }

    /// Returns the files that fields name.
    pub(super) fn files(&self) -> Vec<String> {
        let fields = self.given.iter().filter(|(is_text, _)| !is_text);
        fields.filter_map(|(_, value)| Field::parse(value).ok()).flat_map(Field::files).collect()
    }

    /// Opens the files of the form. Returns its media type and its body.
    pub(super) fn read(&self) -> Result<(String, RequestBody), CliError> {
        let mut form = Multipart::new();
        for (is_text, value) in &self.given {
            form = match is_text {
                true => {
                    let (name, text) = name_and_value(value).map_err(|why| wrong(STRING, why))?;
                    form.text(name, text)
                }
                false => Field::parse(value).map_err(|why| wrong(FORM, &why))?.add_to(form)?,
            };
        }
        form.finish().map_err(|error| wrong(FORM, &error.to_string()))
    }
}

fn wrong(option: &str, why: &str) -> CliError {
    say_error(&format!("--{option}: {why}"));
    CliError::Reported
}

fn name_and_value(value: &str) -> Result<(&str, &str), &'static str> {
    value.split_once('=').ok_or("expected NAME=VALUE, such as name=joe or image=@sea.png")
}

/// A field of a form: one part, or one for each of several files.
#[derive(Debug, PartialEq, Eq)]
struct Field {
    name: String,
    parts: Vec<Part>,
}

/// A text or a file, and how it is sent.
#[derive(Debug, Default, PartialEq, Eq)]
struct Part {
    content: String,
    /// Whether the content is the name of a file, and whether that is sent as a file, with a name.
    file: Option<bool>,
    media_type: Option<String>,
    file_name: Option<String>,
}

impl Field {
    /// Parses a field as curl does: a value, which may be in quotes, and attributes after ";". Several files have
    /// commas between them.
    fn parse(value: &str) -> Result<Self, String> {
        let (name, value) = name_and_value(value)?;
        let (file, mut rest) = match value.strip_prefix(['@', '<']) {
            Some(rest) => (Some(value.starts_with('@')), rest),
            None => (None, value),
        };
        if opens_group(name, value) {
            return Err("groups of parts, \"(\" and \")\", are not supported".into());
        }
        let ends: &[char] = if file == Some(true) { &[';', ','] } else { &[';'] };
        let mut parts = Vec::new();
        loop {
            let (part, after) = Part::parse(file, rest, ends)?;
            if file == Some(true) && part.content.is_empty() {
                return Err("the name of a file is missing after \"@\" or \",\"".into());
            }
            parts.push(part);
            match after.strip_prefix(',') {
                Some(next) if file == Some(true) => rest = next,
                _ if after.is_empty() => return Ok(Self { name: name.into(), parts }),
                _ => return Err(format!("expected \";\" before \"{after}\"")),
            }
        }
    }

    /// Returns the files that this field names.
    fn files(self) -> impl Iterator<Item = String> {
        self.parts.into_iter().filter(|part| part.file.is_some()).map(|part| part.content)
    }

    /// Adds this field to a form. "To match widely deployed implementations, multiple files MUST be sent by
    /// supplying each file in a separate part but all with the same "name" parameter" (RFC 7578, 4.3).
    fn add_to(self, form: Multipart) -> Result<Multipart, CliError> {
        let Self { name, parts } = self;
        parts.into_iter().try_fold(form, |form, part| part.add_to(form, &name))
    }
}

/// Returns whether a value begins or ends a group of parts in curl.
fn opens_group(name: &str, value: &str) -> bool {
    let begins = value.strip_prefix('(').is_some_and(|rest| rest.is_empty() || rest.starts_with(';'));
    begins || name.is_empty() && value == ")"
}

impl Part {
    /// Takes a part; returns it and the rest, which begins with one of the ends if it is not empty.
    fn parse<'v>(file: Option<bool>, text: &'v str, ends: &[char]) -> Result<(Self, &'v str), String> {
        let (content, mut rest) = take_word(text, ends)?;
        let mut part = Self { content, file, ..Self::default() };
        let mut is_type = false;
        while let Some(after) = rest.strip_prefix(';') {
            let attribute = after.trim_start();
            let length = attribute.find(|c| c == '=' || ends.contains(&c)).unwrap_or(attribute.len());
            let key = attribute[..length].to_ascii_lowercase();
            let value = attribute[length..].strip_prefix('=');
            match (&*key, value) {
                ("type", Some(value)) => {
                    let (media_type, after) = unquoted(value, ends);
                    part.media_type = Some(checked_media_type(media_type)?);
                    rest = after;
                }
                ("filename", Some(value)) => {
                    let (file_name, after) = take_word(value, ends)?;
                    part.file_name = Some(file_name);
                    rest = after;
                }
                // A parameter of the media type, such as "charset=utf-8".
                (_, Some(_)) if is_type => {
                    let (parameter, after) = unquoted(attribute, ends);
                    part.media_type.get_or_insert_default().push_str(&format!("; {parameter}"));
                    rest = after;
                    continue;
                }
                _ => return Err(unknown_attribute(attribute)),
            }
            is_type = key == "type";
        }
        Ok((part, rest))
    }

    /// Adds this part to a form.
    fn add_to(self, form: Multipart, name: &str) -> Result<Multipart, CliError> {
        let Self { content, file, media_type, file_name } = self;
        let Some(is_file) = file else {
            let part = form.part(name, file_name.as_deref(), media_type.as_deref(), content);
            return part.map_err(|error| wrong(FORM, &error.to_string()));
        };
        let body = data::body(OsStr::new(&content))?;
        let own = || Path::new(&content).file_name().map(|name| name.to_string_lossy().into_owned());
        let file_name = file_name.or_else(|| own().filter(|_| is_file));
        let media_type = media_type.or_else(|| is_file.then(|| media_type_of(&content).to_owned()));
        let part = form.part(name, file_name.as_deref(), media_type.as_deref(), body);
        part.map_err(|error| wrong(FORM, &error.to_string()))
    }
}

fn unknown_attribute(attribute: &str) -> String {
    let name = attribute.split('=').next().unwrap_or_default();
    match &*name.to_ascii_lowercase() {
        "headers" | "encoder" => format!("\";{name}=\" is not supported"),
        _ => format!(
            "unknown attribute \"{name}\"; a text with \";\" is written in quotes, or with --form-string"
        ),
    }
}

/// Checks a media type: "type "/" subtype", both tokens (RFC 9110, 8.3.1).
fn checked_media_type(media_type: &str) -> Result<String, String> {
    let is_token = |text: &str| {
        let is_token = |octet: u8| octet.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&octet);
        !text.is_empty() && text.bytes().all(is_token)
    };
    match media_type.split_once('/') {
        Some((main, sub)) if is_token(main) && is_token(sub) => Ok(media_type.into()),
        _ => Err(format!("\"{media_type}\" is not a media type, such as image/png")),
    }
}

/// Takes a text up to one of the ends, without the white space around it; returns it and the rest.
fn unquoted<'t>(text: &'t str, ends: &[char]) -> (&'t str, &'t str) {
    let (value, rest) = text.split_at(text.find(ends).unwrap_or(text.len()));
    (value.trim(), rest)
}

/// Takes a value up to one of the ends, or in quotes, in which "\" escapes a quotation mark and itself; returns
/// it and the rest. As in curl, white space around it is not part of it, unless that is in the quotes.
fn take_word<'t>(text: &'t str, ends: &[char]) -> Result<(String, &'t str), String> {
    let Some(quoted) = text.trim_start().strip_prefix('"') else {
        let (value, rest) = unquoted(text, ends);
        return Ok((value.into(), rest));
    };
    let (mut value, mut characters) = (String::new(), quoted.char_indices().peekable());
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return Ok((value, quoted[at + 1..].trim_start())),
            '\\' => {
                let escaped = characters.next_if(|(_, next)| matches!(next, '"' | '\\'));
                value.push(escaped.map_or('\\', |(_, escaped)| escaped));
            }
            other => value.push(other),
        }
    }
    Err("a quotation mark is missing at the end; --form-string sends any text".into())
}

/// Returns the media type for the name of a file, by curl's table.
fn media_type_of(path: &str) -> &'static str {
    let extension = path.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    match extension.as_deref() {
        Some("gif") => "image/gif",
        Some("jpg" | "jpeg") => "image/jpeg",
        Some("png") => "image/png",
        Some("svg") => "image/svg+xml",
        Some("txt") => "text/plain",
        Some("htm" | "html") => "text/html",
        Some("pdf") => "application/pdf",
        Some("xml") => "application/xml",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_parsed() {
        let part = |text: &str, file: Option<bool>, media_type: Option<&str>, name: Option<&str>| Part {
            content: text.into(),
            file,
            media_type: media_type.map(Into::into),
            file_name: name.map(Into::into),
        };
        let (text, file) = (None, Some(true));
        for (value, expected) in [
            ("a=", vec![part("", text, None, None)]),
            ("a=b=c", vec![part("b=c", text, None, None)]),
            ("a= b c ", vec![part("b c", text, None, None)]),
            ("a=b,c", vec![part("b,c", text, None, None)]),
            ("a=\" b \" ", vec![part(" b ", text, None, None)]),
            ("a=(0) 12", vec![part("(0) 12", text, None, None)]),
            ("a=b;type=text/html", vec![part("b", text, Some("text/html"), None)]),
            (
                "a=b;type=text/html; charset=utf-8 ; filename=x",
                vec![part("b", text, Some("text/html; charset=utf-8"), Some("x"))],
            ),
            ("a=\"b;c\\\"\"", vec![part("b;c\"", text, None, None)]),
            ("a=\"C:\\dir\\\\\"", vec![part("C:\\dir\\", text, None, None)]),
            ("a=@f.png", vec![part("f.png", file, None, None)]),
            ("a=@\"f;g,h\";filename=\"x;y\";type=a/b", vec![part("f;g,h", file, Some("a/b"), Some("x;y"))]),
            ("a=@f, g", vec![part("f", file, None, None), part("g", file, None, None)]),
            (
                "a=@f;type=a/b,\"g,\" ;filename=n,h",
                vec![
                    part("f", file, Some("a/b"), None),
                    part("g,", file, None, Some("n")),
                    part("h", file, None, None),
                ],
            ),
            ("a=<-", vec![part("-", Some(false), None, None)]),
            ("a=<f,g", vec![part("f,g", Some(false), None, None)]),
        ] {
            assert_eq!(Field::parse(value), Ok(Field { name: "a".into(), parts: expected }), "{value}");
        }
        for value in [
            "a",
            "a=b;c",
            "a=b;",
            "a=\"b",
            "a=\"b\"c",
            "a=@f;type",
            "a=@f,",
            "a=@,f",
            "a=@",
            "a=b;headers=X",
            "a=b;encoder=base64",
            "a=b;type=bogus",
            "a=b;type=",
            "a=b;type=/x",
            "a=b;type=a b/c",
            "a=@f;type=x,g",
            "a=b;type=text/html;charset",
            "=(;type=multipart/mixed",
            "=)",
        ] {
            assert!(Field::parse(value).is_err(), "{value}");
        }
    }
}

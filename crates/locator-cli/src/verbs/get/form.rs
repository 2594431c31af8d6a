//! The options of forms with files, `-F` and `--form-string`, which have curl's names: takes their values,
//! returns a body of `multipart/form-data` (RFC 7578), whose files are read while it is sent.

use std::ffi::OsStr;
use std::path::Path;

use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};
use locator_fetch::http::{Multipart, RequestBody};

use super::ordered::in_order;
use super::upload;
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
    sends a file and \"NAME=<FILE\" its contents, followed by \";type=MEDIA-TYPE\" and \";filename=NAME\" if \
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
        let file = |value: &str| Some(Field::parse(value).ok()?.file?.0);
        fields.filter_map(|(_, value)| file(value)).collect()
    }

    /// Opens the files of the form. Returns its media type and its body.
    pub(super) fn read(&self) -> Result<(String, RequestBody), CliError> {
        let mut form = Multipart::new();
        for (is_text, value) in &self.given {
            form = match is_text {
                true => {
                    let (name, text) = divided(value).map_err(|why| wrong(STRING, why))?;
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

fn divided(value: &str) -> Result<(&str, &str), &'static str> {
    value.split_once('=').ok_or("expected NAME=VALUE, such as name=joe or image=@sea.png")
}

/// A field of a form.
#[derive(Debug, Default, PartialEq, Eq)]
struct Field {
    name: String,
    /// The text, if it is not a file.
    text: String,
    /// The file, and whether it is sent as a file, with a name.
    file: Option<(String, bool)>,
    media_type: Option<String>,
    file_name: Option<String>,
}

impl Field {
    /// Parses a field as curl does: a value, which may be in quotes, and attributes after ";".
    fn parse(value: &str) -> Result<Self, String> {
        let (name, value) = divided(value)?;
        let mut field = Self { name: name.into(), ..Self::default() };
        let (sign, value) = match value.strip_prefix(['@', '<']) {
            Some(rest) => (value.chars().next(), rest),
            None => (None, value),
        };
        let (text, mut rest) = word(value)?;
        match sign {
            None => field.text = text,
            Some(sign) => field.file = Some((text, sign == '@')),
        }
        let mut is_type = false;
        while let Some(after) = rest.strip_prefix(';') {
            let attribute = after.trim_start();
            let key = attribute.split(['=', ';']).next().unwrap_or_default().to_ascii_lowercase();
            let (value, after) = word(attribute.get(key.len() + 1..).unwrap_or_default())?;
            match &*key {
                "type" if attribute.len() > key.len() => field.media_type = Some(value),
                "filename" if attribute.len() > key.len() => field.file_name = Some(value),
                // A parameter of the media type, such as "charset=utf-8".
                _ if is_type && !attribute.is_empty() => {
                    let (parameter, after) =
                        attribute.split_at(attribute.find(';').unwrap_or(attribute.len()));
                    field.media_type.get_or_insert_default().push_str(&format!("; {parameter}"));
                    rest = after;
                    continue;
                }
                _ => return Err(unknown(attribute)),
            }
            is_type = key == "type";
            rest = after;
        }
        match rest.is_empty() {
            true => Ok(field),
            false => Err(format!("expected \";\" before \"{rest}\"")),
        }
    }

    /// Adds this field to a form.
    fn add_to(self, form: Multipart) -> Result<Multipart, CliError> {
        let Self { name, text, file, media_type, file_name } = self;
        let Some((path, is_file)) = file else {
            let part = form.part(&name, file_name.as_deref(), media_type.as_deref(), text);
            return part.map_err(|error| wrong(FORM, &error.to_string()));
        };
        let body = upload::body(OsStr::new(&path))?;
        let own = || Path::new(&path).file_name().map(|name| name.to_string_lossy().into_owned());
        let file_name = file_name.or_else(|| own().filter(|_| is_file));
        let media_type = media_type.or_else(|| is_file.then(|| media_type_of(&path).to_owned()));
        let part = form.part(&name, file_name.as_deref(), media_type.as_deref(), body);
        part.map_err(|error| wrong(FORM, &error.to_string()))
    }
}

/// curl ignores what it does not know, and so drops the rest of a text.
fn unknown(attribute: &str) -> String {
    let name = attribute.split('=').next().unwrap_or_default();
    format!("unknown attribute \"{name}\"; a text with \";\" is written in quotes, or with --form-string")
}

/// Takes a value up to ";", or in quotes, in which "\" escapes; returns it and the rest.
fn word(text: &str) -> Result<(String, &str), String> {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find(';').unwrap_or(text.len());
        return Ok((text[..end].into(), &text[end..]));
    };
    let (mut value, mut characters) = (String::new(), quoted.char_indices());
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return Ok((value, &quoted[at + 1..])),
            '\\' => value.extend(characters.next().map(|(_, escaped)| escaped)),
            other => value.push(other),
        }
    }
    Err("a quotation mark is missing at the end".into())
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
        let field = |text: &str, file: Option<(&str, bool)>, media_type: Option<&str>, name: Option<&str>| {
            Ok(Field {
                name: "a".into(),
                text: text.into(),
                file: file.map(|(path, is_file)| (path.into(), is_file)),
                media_type: media_type.map(Into::into),
                file_name: name.map(Into::into),
            })
        };
        for (value, expected) in [
            ("a=", field("", None, None, None)),
            ("a=b=c", field("b=c", None, None, None)),
            ("a=b;type=text/html", field("b", None, Some("text/html"), None)),
            (
                "a=b;type=text/html; charset=utf-8;filename=x",
                field("b", None, Some("text/html; charset=utf-8"), Some("x")),
            ),
            ("a=\"b;c\\\"\"", field("b;c\"", None, None, None)),
            ("a=@f.png", field("", Some(("f.png", true)), None, None)),
            (
                "a=@\"f;g\";filename=\"x;y\";type=a/b",
                field("", Some(("f;g", true)), Some("a/b"), Some("x;y")),
            ),
            ("a=<-", field("", Some(("-", false)), None, None)),
        ] {
            assert_eq!(Field::parse(value), expected, "{value}");
        }
        for value in ["a", "a=b;c", "a=b;", "a=\"b", "a=\"b\"c", "a=@f;type", "a=b;headers=X"] {
            assert!(Field::parse(value).is_err(), "{value}");
        }
    }
}

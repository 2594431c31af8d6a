//! The verb `expand`: expands URI templates with values (RFC 6570).

use std::collections::BTreeSet;
use std::ffi::OsString;

use clap::Args;
use clap::builder::Resettable;
use locator::template::{TemplateValue, UriTemplate, UriTemplateError, UriTemplateErrorKind};
use locator::{Edition, edit_distance};
use serde_json::Value;

use crate::arguments::{Inputs, QUIET_NO_ANSWER, before_dashes, long_help};
use crate::exit::{CliError, Status, say, say_error};
use crate::input::files::Named;
use crate::output::Output;
use crate::report::failure::{Failure, Position, Side};
use crate::run::transform::{self, Head, Made, Make};
use crate::terminal::visible;

/// Expand URI templates (RFC 6570), such as '{user}/repos{?page}'
///
/// The first argument is the template, the others are values: NAME=VALUE. Without a template, and
/// for "-", templates are read from standard input, one per line. A name that is repeated is a list.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, after_long_help = long_help(DETAILS, EXAMPLES))]
#[command(override_usage = "locator expand [OPTIONS] [TEMPLATE] [NAME=VALUE]...")]
#[command(mut_arg("urls", |urls| urls.value_name("TEMPLATE").help(TEMPLATES)))]
#[command(mut_arg("file", |file| file.help(TEMPLATE_FILE).conflicts_with(Resettable::Reset)))]
#[command(mut_arg("quiet", |quiet| quiet.help(QUIET_NO_ANSWER)))]
pub(crate) struct ExpandArgs {
    /// Read values from FILE, an object of JSON; "-" is standard input
    ///
    /// An argument that begins with "{" is the object itself.
    /// Strings, numbers and booleans are texts, arrays are lists, objects are maps,
    /// and null is undefined. NAME=VALUE replaces a value of the file.
    #[arg(long, value_name = "FILE")]
    vars: Option<OsString>,
    #[command(flatten)]
    inputs: Inputs,
}

/// The help of the arguments.
const TEMPLATES: &str = "The template, then values: NAME=VALUE";

/// The help of `-f`.
const TEMPLATE_FILE: &str = "Read templates from FILE, one per line; all arguments are then values";

/// After the options: examples and exit status.
const EXAMPLES: &str = "\
Examples:
  locator expand 'https://api.example/{user}{?page}' user=joe page=2
  locator expand '/search{?q,tag*}' q='a b' tag=x tag=y
  locator expand '/map{?point*}' 'point[x]=1' 'point[y]=2'
  locator expand 'https://api.example{/path*}{?page}' --vars values.json
  locator expand user=joe < templates.txt

Exit status:
  0    every template is expanded
  1    a template is not valid, or its expansion is not
  2    wrong usage
  130  interrupted";

/// Before the examples in `--help`: values and output.
const DETAILS: &str = "\
Values:
  NAME=VALUE      a text, which may be empty; repeated, a list
  NAME[]=VALUE    a member of a list, also of one with a single member
  NAME[KEY]=VALUE a member of a map
  Names are those of RFC 6570, which may contain a dot: a.b=1 is the variable
  \"a.b\". Of --vars and arguments with the same name, the arguments count.

  A variable without a value is left out (RFC 6570, 2.3). A value that no
  template uses is probably mistyped: a note on standard error names it.

Expressions:
  {x}  {x,y}      text; everything but letters, digits and -._~ is encoded
  {+x}            the same, but delimiters and escapes are kept
  {#x}            a fragment      {.x}   labels of a host
  {/x}  {/x*}     path segments   {;x}   parameters of a path
  {?x,y} {?x*}    a query         {&x}   more of a query
  {x:3}           the first three characters
  {x*}            each member of a list or map by itself

Output:
  One line for each template, in the same order; an empty line for one that is
  not valid or whose expansion is not a URI, with the reason on standard error.
  With --json one object each: {\"input\":…,\"result\":…} or {\"input\":…,
  \"error\":{…}}.";

/// Values by the names of variables; a name has one value.
type Values = Vec<(String, TemplateValue<'static>)>;

/// Expands every template.
pub(crate) fn run(mut args: ExpandArgs, out: &mut Output) -> Result<Status, CliError> {
    let given = std::mem::take(&mut args.inputs.urls);
    let is_first_value = args.inputs.file.is_some()
        || given.first().is_some_and(|first| !is_template(first) && Assignment::read(first).is_some());
    let (template, assignments) = match given.split_first() {
        Some((first, others)) if !is_first_value => (Some(first.clone()), others),
        _ => (None, &*given),
    };
    let is_stdin = template.is_none() && args.inputs.file.is_none()
        || template.as_ref().is_some_and(|first| first == "-" && before_dashes(given.len()) > 0);
    let mut values = match &args.vars {
        None => Vec::new(),
        Some(file) if file == "-" && is_stdin => {
            return Err(wrong("standard input can be read only once, for the templates or for --vars"));
        }
        Some(given) if given.as_encoded_bytes().starts_with(b"{") => {
            from_json(given.as_encoded_bytes(), "--vars")?
        }
        Some(file) => {
            let file = Named(file);
            from_json(&file.read()?, &format!("--vars {}", file.shown()))?
        }
    };
    // An object of JSON is no template, and no assignment.
    let (objects, assignments): (Vec<OsString>, Vec<OsString>) =
        assignments.iter().cloned().partition(|given| given.as_encoded_bytes().starts_with(b"{\""));
    for object in &objects {
        values.extend(from_json(object.as_encoded_bytes(), "the object in the arguments")?);
    }
    set(&mut values, &assignments)?;
    args.inputs.urls = template.filter(|_| !is_stdin).into_iter().collect();
    let (is_silent, names) = (args.inputs.is_silent(), names(&values));
    let mut verb =
        Expand { values, used: BTreeSet::new(), variables: BTreeSet::new(), null: args.inputs.null };
    let status = transform::run(&args.inputs, Head::Input, &mut verb, out)?;
    if !is_silent {
        note_unused(&names, &verb);
    }
    Ok(status)
}

fn wrong(what: &str) -> CliError {
    say_error(what);
    CliError::Reported
}

/// Returns whether an argument has an expression before any value.
fn is_template(given: &OsString) -> bool {
    given == "-" || given.as_encoded_bytes().contains(&b'{')
}

fn names(values: &Values) -> Vec<String> {
    values.iter().map(|(name, _)| name.clone()).collect()
}

/// `NAME=VALUE`, `NAME[]=VALUE` or `NAME[KEY]=VALUE`.
struct Assignment<'a> {
    name: &'a str,
    key: Option<&'a str>,
    value: &'a str,
}

impl<'a> Assignment<'a> {
    fn read(given: &'a OsString) -> Option<Self> {
        let (name, value) = given.to_str()?.split_once('=')?;
        let (name, key) = match name.strip_suffix(']').and_then(|name| name.split_once('[')) {
            Some((name, key)) => (name, Some(key)),
            None => (name, None),
        };
        let is_name = |c: char| c.is_ascii_alphanumeric() || "_.%".contains(c);
        (!name.is_empty() && name.chars().all(is_name)).then_some(Self { name, key, value })
    }
}

/// Adds the values of arguments, which replace others of their names.
fn set(values: &mut Values, given: &[OsString]) -> Result<(), CliError> {
    let mut own: Values = Vec::new();
    for argument in given {
        let shown = visible(&argument.to_string_lossy()).to_string();
        let assignment = Assignment::read(argument);
        let Some(Assignment { name, key, value }) = assignment else {
            let advice = match shown.starts_with('{') {
                true => "--vars has values of JSON",
                false => "the first argument is the template, the others are values",
            };
            return Err(wrong(&format!("\"{shown}\" is not NAME=VALUE; {advice}")));
        };
        let value = value.to_owned();
        let known = own.iter_mut().find(|(known, _)| known == name).map(|(_, value)| value);
        match (known, key) {
            (None, None) => own.push((name.to_owned(), TemplateValue::from(value))),
            (None, Some("")) => own.push((name.to_owned(), TemplateValue::list([value]))),
            (None, Some(key)) => {
                own.push((name.to_owned(), TemplateValue::map([(key.to_owned(), value)])));
            }
            (Some(TemplateValue::List(members)), None | Some("")) => members.push(value.into()),
            (Some(TemplateValue::Map(members)), Some(key)) if !key.is_empty() => {
                members.push((key.to_owned().into(), value.into()));
            }
            (Some(known @ TemplateValue::Text(_)), None | Some("")) => {
                let TemplateValue::Text(first) = std::mem::replace(known, TemplateValue::Undefined) else {
                    continue;
                };
                *known = TemplateValue::List(vec![first, value.into()]);
            }
            _ => {
                return Err(wrong(&format!(
                    "\"{shown}\": \"{name}\" is given as a list and as a map; it can be only one of them"
                )));
            }
        }
    }
    values.retain(|(name, _)| own.iter().all(|(known, _)| known != name));
    values.extend(own);
    Ok(())
}

/// Reads the values of an object of JSON.
fn from_json(octets: &[u8], what: &str) -> Result<Values, CliError> {
    let refused = |why: &str| wrong(&format!("{what}: {why}"));
    let object = match serde_json::from_slice(octets) {
        Ok(Value::Object(object)) => object,
        Ok(_) => return Err(refused("expected an object, such as {\"user\": \"joe\"}")),
        Err(error) => return Err(refused(&format!("it is not JSON: {error}"))),
    };
    let text = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(value) => Some(value.to_string()),
        _ => None,
    };
    let mut values = Vec::new();
    for (name, value) in object {
        let nested = || refused(&format!("\"{}\" contains more than texts", visible(&name)));
        let value = match &value {
            Value::Null => TemplateValue::Undefined,
            // A member that is null is undefined, too (RFC 6570, 2.3).
            Value::Array(members) => {
                let members = members.iter().filter(|member| !member.is_null()).map(text);
                TemplateValue::list(members.collect::<Option<Vec<_>>>().ok_or_else(nested)?)
            }
            Value::Object(members) => {
                let members = members.iter().filter(|(_, member)| !member.is_null());
                let members = members.map(|(key, member)| Some((key.clone(), text(member)?)));
                TemplateValue::map(members.collect::<Option<Vec<_>>>().ok_or_else(nested)?)
            }
            value => TemplateValue::from(text(value)),
        };
        values.push((name, value));
    }
    Ok(values)
}

/// Prints which values no template has used.
fn note_unused(names: &[String], verb: &Expand) {
    let unused: Vec<_> = names.iter().filter(|name| !verb.used.contains(*name)).collect();
    if verb.variables.is_empty() && unused.is_empty() {
        return;
    }
    for name in unused {
        let distance = |known: &str| edit_distance(known, name, 1 + known.len() / 4);
        let near = verb.variables.iter().filter_map(|known| Some((distance(known)?, known))).min();
        let advice = match (near, name.split_once('.')) {
            (Some((_, known)), _) => format!("; did you mean \"{}\"?", visible(known)),
            (None, Some((map, key))) if verb.variables.contains(map) => {
                format!("; a member of the map \"{}\" is {0}[{}]=VALUE", visible(map), visible(key))
            }
            (None, _) if verb.variables.is_empty() => ", which has no variables".to_owned(),
            (None, _) => {
                let known: Vec<_> = verb.variables.iter().take(10).map(String::as_str).collect();
                format!("; its variables are {}", visible(&known.join(", ")))
            }
        };
        say(&format!("\"{}\" is not a variable of the template{advice}", visible(name)));
    }
}

struct Expand {
    values: Values,
    /// The names that a template has used.
    used: BTreeSet<String>,
    /// The names of the variables of all templates.
    variables: BTreeSet<String>,
    /// Whether each result ends with NUL.
    null: bool,
}

impl Make for &mut Expand {
    const TAKES_NAMES_OF_FILES: bool = true;
    const TAKES_URLS: bool = false;
    const NOUN: &'static str = "template";

    fn unwraps(&self) -> Option<&'static Edition> {
        None
    }

    fn keeps_lines(&self) -> bool {
        !self.null
    }

    fn make<'a>(&'a mut self, octets: &'a [u8]) -> Result<Made<'a>, Failure> {
        let text = std::str::from_utf8(octets).map_err(|error| {
            let start = u32::try_from(error.valid_up_to()).unwrap_or(u32::MAX);
            let message = format!("a template is UTF-8, and byte {start} is not");
            failure("utf-8", message, Some(locator::Span { start, end: start.saturating_add(1) }))
        })?;
        let template = UriTemplate::parse(text).map_err(|error| invalid(&error))?;
        for name in template.variables() {
            self.variables.insert(name.to_owned());
            if self.values.iter().any(|(known, _)| known == name) {
                self.used.insert(name.to_owned());
            }
        }
        let values = self.values.iter().map(|(name, value)| (name.as_str(), value.clone()));
        let expanded = template.expand(values).map_err(|error| invalid(&error))?.into_string();
        Ok(match self.null {
            true => Made::Octets { octets: expanded.into_bytes(), ended_by_nul: true },
            false => Made::Reference(expanded.into()),
        })
    }
}

fn failure(kind: &'static str, message: String, span: Option<locator::Span>) -> Failure {
    let place = span.map(|span| Position { of: Side::Input, part: None, span });
    Failure::Other { kind, message, see: None, place }
}

fn invalid(error: &UriTemplateError) -> Failure {
    // The positions of an expanded text are not those of the template.
    let is_of_template = !matches!(error.kind(), UriTemplateErrorKind::NotAReference(_));
    failure("template", error.to_string(), is_of_template.then(|| error.span().into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(given: &[&str]) -> Values {
        let mut values = Vec::new();
        let given: Vec<OsString> = given.iter().map(Into::into).collect();
        set(&mut values, &given).expect("values");
        values
    }

    #[test]
    fn repeated_names_are_lists() {
        let list = |members: &[&str]| TemplateValue::list(members.iter().map(|text| (*text).to_owned()));
        assert_eq!(values(&["a=1"]), [("a".to_owned(), TemplateValue::from("1"))]);
        assert_eq!(values(&["a=1", "a=", "a=3"]), [("a".to_owned(), list(&["1", "", "3"]))]);
        assert_eq!(values(&["a[]=1"]), [("a".to_owned(), list(&["1"]))]);
        let map = TemplateValue::map([("x", "1"), ("y", "=")]);
        assert_eq!(values(&["a[x]=1", "a[y]=="]), [("a".to_owned(), map)]);
    }
}

//! The verb `schemes`: lists the known schemes, or describes the given ones.

use std::io::{self, Write};

use clap::Args;
use locator::scheme::{
    self, ALL, IanaStatus as Registered, RegisteredPort, Scheme, default_port, registered_port, status,
    suggest,
};
use serde::Serialize;

use crate::exit::{CliError, Status};
use crate::output::Output;
use crate::pasted::scheme_note;
use crate::report::json;
use crate::terminal::paint::{FAINT, STRONG};
use crate::terminal::visible;

/// List the known schemes, with their default ports
///
/// With names as arguments, prints what is known about each: its status in the IANA registry, the
/// form of its URLs and its port; for an unknown name, a similar one.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SchemesArgs {
    /// Schemes to describe, known or not; if none is given, all known schemes
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
}

/// After the options: examples and exit status.
const EXAMPLES: &str = "\
Examples:
  locator schemes
  locator schemes htp gopher
  locator schemes --json | jq -r '.name'

Exit status:
  0  what is known is printed
  2  wrong usage";

/// Lists the schemes, or says what each name is.
pub(crate) fn run(args: &SchemesArgs, out: &mut Output) -> Result<Status, CliError> {
    match (args.names.as_slice(), args.json) {
        ([], true) => {
            ALL.iter().try_for_each(|scheme| write_json(out, scheme.names()[0], Some(*scheme)))?;
        }
        ([], false) => write(out)?,
        (names, true) => names.iter().try_for_each(|name| write_json(out, name, scheme::lookup(name)))?,
        (names, false) => names.iter().try_for_each(|name| write_one(out, name))?,
    }
    out.flush()?;
    Ok(Status::Valid)
}

/// Writes the schemes as a table, for a person, in 80 columns.
fn write(out: &mut Output) -> io::Result<()> {
    let paint = out.paint;
    let rows: Vec<_> = ALL.iter().map(|scheme| row(*scheme)).collect();
    let head = ["scheme", "port", "identifies", "defined in"].map(str::to_owned);
    let width = |i: usize| rows.iter().chain([&head]).map(|row| row[i].len()).max().unwrap_or(0);
    let widths = [width(0), width(1), width(2)];
    let line = |[name, port, object, see]: &[String; 4]| {
        let [a, b, c] = widths;
        format!("{name:a$}  {port:>b$}  {object:c$}  {see}")
    };
    writeln!(out, "{}", paint.with(FAINT, line(&head)))?;
    for row in &rows {
        writeln!(out, "{}", line(row))?;
    }
    writeln!(out)?;
    writeln!(out, "{} shows how a URL is fetched", paint.with(STRONG, "locator plan URL"))
}

/// Says what a name is.
fn write_one(out: &mut Output, name: &str) -> io::Result<()> {
    let paint = out.paint;
    match scheme::lookup(name) {
        Some(known) => {
            let status = status(name).map_or("not registered with IANA", Registered::name);
            writeln!(out, "{}: {} ({status})", paint.with(STRONG, visible(name)), known.object())?;
            let form = known.form();
            writeln!(out, "  {}", form.text)?;
            writeln!(out, "  {}", paint.with(FAINT, form.citation))
        }
        None => {
            writeln!(out, "{}: {}", paint.with(STRONG, visible(name)), scheme_note(name, ""))?;
            let port = registered_port(name);
            port.map_or(Ok(()), |RegisteredPort { port, citation }| {
                writeln!(out, "  default port {port} {}", paint.with(FAINT, format_args!("({citation})")))
            })
        }
    }
}

fn row(scheme: &dyn Scheme) -> [String; 4] {
    let port = scheme.default_port().map_or("-".to_owned(), |port| port.to_string());
    [scheme.names().join(", "), port, scheme.object().to_owned(), scheme.form().citation.to_owned()]
}

fn write_json(out: &mut Output, name: &str, scheme: Option<&dyn Scheme>) -> io::Result<()> {
    json::line(out, &SchemeObject::new(name, scheme))
}

/// The name of a scheme: the keys in their order.
#[derive(Serialize)]
struct SchemeObject<'a> {
    name: &'a str,
    known: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    near: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    default_port: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    object: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    form: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    see: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    editions: Option<Vec<&'static str>>,
}

impl<'a> SchemeObject<'a> {
    /// What the name is, and the editions that have a rule for it.
    fn new(name: &'a str, scheme: Option<&dyn Scheme>) -> Self {
        let form = scheme.map(Scheme::form);
        let editions = |scheme: &dyn Scheme| scheme.rules().iter().map(|rule| rule.edition.name).collect();
        Self {
            name,
            known: scheme.is_some(),
            status: status(name).map(Registered::name),
            near: suggest(name),
            default_port: default_port(name),
            object: scheme.map(Scheme::object),
            form: form.map(|form| form.text),
            see: form.map(|form| form.citation).or_else(|| registered_port(name).map(|known| known.citation)),
            editions: scheme.map(editions),
        }
    }
}

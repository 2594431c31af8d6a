//! The schemes as a table, for a person, in 80 columns.

use std::io::{self, Write};

use locator::scheme::{self, ALL, Scheme, Status};

use super::paint::{FAINT, STRONG};
use super::person::scheme_note;
use super::visible;
use crate::run::Output;

/// Writes the table.
pub(crate) fn write(out: &mut Output) -> io::Result<()> {
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
pub(crate) fn write_one(out: &mut Output, name: &str) -> io::Result<()> {
    let paint = out.paint;
    match scheme::named(name) {
        Some(known) => {
            let status = scheme::status(name).map_or("not in IANA's registry", Status::name);
            writeln!(out, "{}: {} ({status})", paint.with(STRONG, visible(name)), known.object())?;
            let form = known.form();
            writeln!(out, "  {}", form.text)?;
            writeln!(out, "  {}", paint.with(FAINT, form.see))
        }
        None => {
            writeln!(out, "{}: {}", paint.with(STRONG, visible(name)), scheme_note(name))?;
            let port = scheme::registered_port(name);
            port.map_or(Ok(()), |(port, see)| {
                writeln!(out, "  default port {port} {}", paint.with(FAINT, format_args!("({see})")))
            })
        }
    }
}

fn row(scheme: &dyn Scheme) -> [String; 4] {
    let port = scheme.default_port().map_or("-".to_owned(), |port| port.to_string());
    [scheme.names().join(", "), port, scheme.object().to_owned(), scheme.form().see.to_owned()]
}

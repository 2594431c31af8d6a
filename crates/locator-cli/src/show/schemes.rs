//! The schemes as a table, for a person, in 80 columns.

use std::io::{self, Write};

use locator::scheme::{ALL, Scheme};

use super::paint::{FAINT, STRONG};
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

fn row(scheme: &dyn Scheme) -> [String; 4] {
    let port = scheme.default_port().map_or("-".to_owned(), |port| port.to_string());
    [scheme.names().join(", "), port, scheme.object().to_owned(), scheme.form().see.to_owned()]
}

//! Prints the answers of functions as JSON, for `scripts/compare/engines`. Each line of the standard
//! input has the name of a function, a URL and other arguments, with tabs between them.

use std::io::{self, BufRead, Write};

use locator::edition::RFC3986;
use locator_functions::{ArgumentValue, Row, function};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for line in io::stdin().lock().lines() {
        let line = line?;
        let mut fields = line.split('\t');
        let name = fields.next().unwrap_or_default();
        let url = fields.next().ok_or("a line needs a function and a URL")?;
        let given: Vec<_> = fields.map(ArgumentValue::Text).collect();
        let function = function(name).ok_or_else(|| format!("there is no function {name}"))?;
        let answer = function.answer(&Row::new(url, &RFC3986), &function.arguments(&given)?);
        writeln!(io::stdout(), "{}", answer.json())?;
    }
    Ok(())
}

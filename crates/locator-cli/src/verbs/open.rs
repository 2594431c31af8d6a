//! The verb `open`: shows a URL in the browser, by a gateway of [`serve`](super::serve) that it finds or
//! starts. A URL of the web or of mail goes to the browser itself.

mod browser;
mod gateway;
pub(super) mod running;

use std::ffi::OsString;
use std::io::Write;

use clap::Args;
use locator::{AsciiSet, PctString, UriRef};

use crate::arguments::{EditionArg, before_dashes};
use crate::exit::{CliError, Status, say_error, say_help, say_unwrapped};
use crate::input::files::only_line;
use crate::input::reading;
use crate::input::{Input, Origin};
use crate::output::Output;
use crate::pasted;
use crate::report::Reports;
use crate::report::failure::Failure;

/// Open a URL of any scheme in the browser
///
/// Finds the gateway of 'locator serve', or starts one in the background, and opens its page of the
/// URL. URLs of http, https and mailto go to the browser directly.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct OpenArgs {
    /// The URL to open; "-" reads it from standard input
    #[arg(value_name = "URL", required = true)]
    url: OsString,
    /// Print the address of the page, and open nothing
    #[arg(long)]
    print: bool,
    #[command(flatten)]
    by: EditionArg,
}

/// After the options: examples and exit status.
const EXAMPLES: &str = "\
The browser is that of the environment variable BROWSER, else the one of the
desktop (xdg-open; wslview on Windows' Linux; open on macOS). A gateway that
was started in the background runs until it is ended with the session.

Examples:
  locator open gopher://gopher.example/
  locator open ftp://ftp.example/pub/
  locator open --print whois://whois.example/example.com
  BROWSER=lynx locator open gopher://gopher.example/

Exit status:
  0    the browser was started, or the address is printed
  1    the URL is not valid
  2    no browser or gateway could be started, or wrong usage";

/// Opens the URL.
pub(crate) fn run(args: &OpenArgs, out: &mut Output) -> Result<Status, CliError> {
    let is_stdin = args.url == "-" && before_dashes(1) == 1;
    let given = if is_stdin { only_line()? } else { args.url.as_encoded_bytes().to_vec() };
    let unwrapped = if is_stdin { None } else { pasted::unwrapped(&given, args.by.edition) };
    if let Some(url) = &unwrapped {
        say_unwrapped(url);
    }
    let octets = unwrapped.as_deref().map_or(&*given, str::as_bytes);
    let input = Input { octets, number: 1, origin: Origin::Argument, alone: true, list: None, column: None };
    let url = match reading::read(octets, args.by.edition) {
        Ok(parsed) => parsed.reference,
        Err(error) => {
            Reports::default().report(&mut out.errors(), input, &Failure::not_read(error, octets));
            return Ok(Status::NotValid);
        }
    };
    if url.scheme().is_none() || pasted::is_host_with_port(url.as_str()) {
        Reports::default().report(&mut out.errors(), input, &Failure::no_scheme(octets));
        return Ok(Status::NotValid);
    }
    let own = browser::own(url).transpose().map_err(failed)?;
    let gateway = if own.is_none() { gateway::find_or_start().map_err(failed)? } else { String::new() };
    if args.print {
        writeln!(out, "{}", own.unwrap_or_else(|| page(&gateway, url)))?;
        out.flush()?;
        return Ok(Status::Valid);
    }
    let address = match own {
        Some(own) => own,
        // Other users of the machine see what a program is started with.
        None if gateway::has_key(&gateway) => gateway::once(&gateway, url.as_str()).map_err(failed)?,
        None => page(&gateway, url),
    };
    browser::open(&address).map_err(|why| {
        say_error(&why);
        say_help("set the environment variable BROWSER to a browser, or use --print for the address");
        CliError::Reported
    })?;
    Ok(Status::Valid)
}

/// Returns the address of the page of a URL.
fn page(gateway: &str, url: UriRef<'_>) -> String {
    [gateway, "u/", PctString::encode(url.as_str(), AsciiSet::UNRESERVED).as_str()].concat()
}

fn failed(why: String) -> CliError {
    say_error(&why);
    CliError::Reported
}

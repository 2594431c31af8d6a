//! The command `locator-dev`, for the developers of this project: prints tables, and serves what other
//! programs do not serve any more.

#![forbid(unsafe_code)]

use std::error::Error;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use locator_dev::prospero::{self, Directory, Node, Options};
use locator_dev::{Grammar, edition, test_set, wais};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["states"] => print_states(&mut io::stdout().lock()),
        #[cfg(feature = "rules")]
        ["rules"] => check_rules(&mut io::stdout().lock()),
        ["serve-wais", port] => serve_wais(port, None),
        ["serve-wais", port, directory] => serve_wais(port, Some(Path::new(directory))),
        ["serve-prospero", ref arguments @ ..] => serve_prospero(arguments),
        _ => {
            Err(format!("usage: locator-dev rules | states | serve-wais PORT [DIRECTORY]\n       {PROSPERO}")
                .into())
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // If standard error is closed, there is nowhere left to report this.
            let _ = writeln!(io::stderr(), "locator-dev: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Serves the database "fruit", and the files of a directory as the database "tree", until the program is
/// ended. Prints the port, which is a free one if 0 is asked for.
fn serve_wais(port: &str, directory: Option<&Path>) -> Result<(), Box<dyn Error>> {
    let mut databases = vec![wais::fruit()];
    if let Some(directory) = directory {
        databases.push(wais::Database::of_directory("/srv/wais/tree", directory)?);
    }
    let port = wais::Server::new(databases).start(port.parse()?)?;
    writeln!(io::stdout(), "wais://127.0.0.1:{port}/")?;
    loop {
        std::thread::park();
    }
}

/// How the Prospero server is started.
const PROSPERO: &str = "locator-dev serve-prospero PORT TREE [--ftp=HOST(PORT)] [--packet=OCTETS] \
    [--lose=N,…] [--double=N,…] [--delay=N,…] [--reverse] [--swap] [--wait=COUNT,SECONDS] \
    [--redirect=ADDRESS:PORT] [--forward=HOST(PORT)] [--refuse] [--contents]";

/// Serves the files of a directory by Prospero, as `AFTP/…`: the anonymous FTP server of `--ftp` has
/// them. The numbers are those of packets of each answer.
fn serve_prospero(arguments: &[&str]) -> Result<(), Box<dyn Error>> {
    let [port, tree, flags @ ..] = arguments else {
        return Err(format!("usage: {PROSPERO}").into());
    };
    let mut directory = Directory::new(&format!("127.0.0.1({port})"));
    directory.aftp = Node::read(Path::new(tree))?;
    let mut options = Options::default();
    for flag in flags {
        set_option(flag, &mut directory, &mut options)
            .map_err(|why| format!("{flag}: {why}\nusage: {PROSPERO}"))?;
    }
    #[expect(clippy::disallowed_types, reason = "a server for tests")]
    let socket = std::net::UdpSocket::bind(("127.0.0.1", port.parse()?))?;
    Ok(prospero::serve(&socket, directory, options)?)
}

fn set_option(flag: &str, directory: &mut Directory, options: &mut Options) -> Result<(), Box<dyn Error>> {
    let (name, value) = flag.split_once('=').unwrap_or((flag, ""));
    let faults = &mut options.faults;
    match name {
        "--ftp" => directory.ftp = value.into(),
        "--forward" => directory.forward = Some(value.into()),
        "--contents" => directory.only_contents = true,
        "--packet" => options.packet = value.parse::<usize>()?.max(1),
        "--lose" => faults.lost = numbers(value)?,
        "--double" => faults.doubled = numbers(value)?,
        "--delay" => faults.late = numbers(value)?,
        "--reverse" => faults.are_reversed = true,
        "--swap" => options.swaps_numbers = true,
        "--refuse" => options.refuses = true,
        "--redirect" => options.redirect = Some(value.parse()?),
        "--wait" => {
            let (count, seconds) = value.split_once(',').ok_or("COUNT,SECONDS")?;
            options.waits = (count.parse()?, seconds.parse()?);
        }
        _ => return Err("there is no such option".into()),
    }
    Ok(())
}

fn numbers(text: &str) -> Result<Vec<usize>, Box<dyn Error>> {
    Ok(text.split(',').map(str::parse).collect::<Result<_, _>>()?)
}

/// Prints what breaks a rule of the source in the repository that is the working directory.
#[cfg(feature = "rules")]
fn check_rules(out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let violations = locator_dev::rules::check(Path::new("."))?;
    for violation in &violations {
        writeln!(out, "{violation}")?;
    }
    match violations.len() {
        0 => Ok(writeln!(out, "rules: no errors")?),
        count => Err(format!("{count} violations of the rules of the source").into()),
    }
}

/// Prints a row for each start rule.
fn print_states(out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    writeln!(
        out,
        "{:9} {:17} {:>6} {:>7} {:>8} {:>9} {:>10} {:>9}",
        "edition", "rule", "states", "classes", "suffixes", "strings", "compile ms", "W-set ms"
    )?;
    for (edition, rules) in edition::START_RULES {
        let grammar = edition::read_grammar(edition)?;
        for rule in *rules {
            print_row(out, edition, rule, &grammar)?;
        }
    }
    Ok(())
}

fn print_row(
    out: &mut impl Write,
    edition: &str,
    rule: &str,
    grammar: &Grammar,
) -> Result<(), Box<dyn Error>> {
    let start = Instant::now();
    let dfa = grammar.compile(rule)?;
    let compiled = start.elapsed();
    let set = test_set(&dfa);
    let made = start.elapsed() - compiled;
    writeln!(
        out,
        "{edition:9} {rule:17} {:6} {:7} {:8} {:9} {:10.1} {:9.1}",
        dfa.states(),
        dfa.classes(),
        set.suffixes(),
        set.len(),
        compiled.as_secs_f64() * 1e3,
        made.as_secs_f64() * 1e3
    )?;
    Ok(())
}

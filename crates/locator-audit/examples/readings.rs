//! Prints what every reader contacts: reads texts as hexadecimal UTF-8, one a line, and prints a JSON
//! object for each: the name of the reader and `scheme host port`, `returns HOST`, in hexadecimal, or "-"; and by the name
//! `public-web` what that policy allows.

#![allow(clippy::print_stdout, reason = "a program for a terminal")]

use std::error::Error;
use std::io;

use locator_audit::{self as audit, Outcome, Policy};

fn main() -> Result<(), Box<dyn Error>> {
    let policy = Policy::public_web();
    for line in io::stdin().lines() {
        let line = line?;
        let octets = (0..line.len()).step_by(2).map(|at| u8::from_str_radix(&line[at..at + 2], 16));
        let text = String::from_utf8(octets.collect::<Result<_, _>>()?)?;
        let readings = audit::readings(&text);
        let found =
            readings.outcomes().map(|(reader, outcome)| format!("{:?}:{:?}", reader.name(), shown(outcome)));
        let allowed = format!("\"public-web\":{:?}", allowed(&policy, &text));
        println!("{{{}}}", found.chain([allowed]).collect::<Vec<_>>().join(","));
    }
    Ok(())
}

fn shown(outcome: &Outcome) -> String {
    outcome.contact().map_or_else(
        || outcome.returned().map_or_else(|| "-".into(), |host| format!("returns {}", hexadecimal(host))),
        |contact| format!("{} {} {}", contact.scheme(), contact.host(), contact.port().unwrap_or_default()),
    )
}

fn hexadecimal(text: &str) -> String {
    text.bytes().map(|octet| format!("{octet:02x}")).collect()
}

fn allowed(policy: &Policy, text: &str) -> String {
    policy.check(text).map_or_else(
        |_| "-".into(),
        |target| format!("{} {} {}", target.scheme(), target.host().trim_matches(['[', ']']), target.port()),
    )
}

//! Prints a plan: as a dialogue in colour, which the library writes in printable ASCII, or as a
//! line of JSON.

use std::borrow::Cow;
use std::io::{self, Write};

use locator::Edition;
use locator::plan::Plan;
use locator_audit::Finding;
use serde::Serialize;
use serde_json::Value;

use super::object::plan_object;
use crate::output::Output;
use crate::report::failure::Failure;
use crate::report::json::{ErrorObject, FindingObjects, text_of};
use crate::terminal::paint::{FAINT, STRONG};
use crate::terminal::secrets;

/// Writes the bytes to send. On a terminal, bytes that are not printable ASCII are written by code,
/// and each line of the protocol on its own line.
pub(super) fn octets(out: &mut Output, octets: &[u8]) -> io::Result<()> {
    if !out.is_terminal {
        return out.write_all(octets);
    }
    for &octet in octets {
        match octet {
            b' '..=b'~' => out.write_all(&[octet])?,
            b'\n' => writeln!(out, "<0A>")?,
            octet => write!(out, "<{octet:02X}>")?,
        }
    }
    match octets.last() {
        None | Some(b'\n') => Ok(()),
        Some(_) => writeln!(out),
    }
}

/// Writes a plan.
pub(super) fn write(out: &mut Output, plan: &Plan) -> io::Result<()> {
    let paint = out.paint;
    let dialogue = if secrets::are_shown() { format!("{plan:#}") } else { plan.to_string() };
    for line in dialogue.lines() {
        if let Some(said) = line.trim_start().strip_prefix("C: ") {
            let indentation = line.len() - line.trim_start().len();
            writeln!(out, "{:indentation$}{}{}", "", paint.with(FAINT, "C: "), paint.with(STRONG, said))?;
        } else if line.starts_with(' ') {
            writeln!(out, "{}", paint.with(FAINT, line))?;
        } else {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}

/// One input, and its plan: the keys in their order.
#[derive(Serialize)]
pub(super) struct PlanObject<'a> {
    input: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_base64: Option<String>,
    edition: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<NoPlanObject<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    findings: Option<FindingObjects<'a>>,
}

/// Why there is no plan.
#[derive(Serialize)]
struct NoPlanObject<'a> {
    /// The URL whose octets it is about, if a gateway gave it.
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
    #[serde(flatten)]
    why: ErrorObject<'a>,
}

impl<'a> NoPlanObject<'a> {
    fn of(why: &'a Failure) -> Self {
        let url = if let Failure::Gateway { url, .. } = why { Some(url.as_str()) } else { None };
        Self { url, why: ErrorObject::why(why) }
    }
}

impl<'a> PlanObject<'a> {
    /// The object of an input and its plan, or of an error.
    pub(super) fn new(octets: &'a [u8], edition: &'a Edition, plan: &'a Result<Plan, Failure>) -> Self {
        let (input, input_base64) = text_of(octets);
        let object = plan.as_ref().ok().map(|plan| plan_object(plan, secrets::are_shown()));
        let error = plan.as_ref().err().map(NoPlanObject::of);
        Self { input, input_base64, edition: edition.name, plan: object, error, findings: None }
    }

    /// Adds the findings of the URL.
    pub(super) fn with_findings(self, findings: &'a [Finding]) -> Self {
        Self { findings: FindingObjects::of(findings), ..self }
    }
}

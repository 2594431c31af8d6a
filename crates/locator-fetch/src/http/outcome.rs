//! What a request came to: the object and what is known of it, a redirect, or a failure.

use std::net::SocketAddr;

use hyper::body::Incoming;
use locator::plan::{Object, Protocol};

use super::attempt::Attempt;
use super::coding::Decoder;
use super::connection::Connection;
use super::range::{self, Asked, Part};
use super::reading::{Place, Reading};
use crate::failure::{Failure, FailureKind, Reply};
use crate::response_head::{ResponseHead, Version};
use crate::resume::Proof;

/// What a request came to.
pub(crate) struct Arrived {
    pub(crate) response: ResponseHead,
    pub(crate) outcome: Outcome,
}

/// What a response means.
pub(crate) enum Outcome {
    /// The object.
    Object { object: Object, from: u64, proof: Proof, body: Option<Box<Reading>> },
    /// It is elsewhere.
    Redirect,
    /// There is no object.
    Failed(Failure),
}

impl Attempt {
    pub(super) fn outcome(
        &mut self,
        response: ResponseHead,
        connection: Connection,
        body: Incoming,
        address: SocketAddr,
    ) -> Arrived {
        let http = &self.settings.http;
        let is_rest = matches!(self.asked, Asked::Rest(_)) && response.status == 416;
        if response.status >= 400 && !http.gives_errors && !is_rest {
            let outcome = Outcome::Failed(self.refusal(&response));
            return Arrived { response, outcome };
        }
        let outcome = match self.object(&response, connection, body, address) {
            Ok(outcome) => outcome,
            Err(kind) => {
                let mut failure = Failure::new(kind, "reading the head");
                failure.reply = Some(reply(&response)).filter(|_| response.status >= 400);
                Outcome::Failed(failure)
            }
        };
        Arrived { response, outcome }
    }

    /// Returns the failure of a status that is an error.
    pub(crate) fn refusal(&self, response: &ResponseHead) -> Failure {
        let protocol: &Protocol = self.route.protocol();
        // "A client that receives a response with an invalid status code SHOULD process the response as if
        // it had a 5xx (Server Error) status code" (RFC 9110, 15).
        let status = if response.status > 599 { 500 } else { response.status };
        let mut failure =
            Failure::new(FailureKind::Said(protocol.meaning(status)), "requesting the resource");
        failure.reply = Some(reply(response));
        failure.withheld =
            self.withheld.clone().filter(|_| matches!(response.status, 401 | 403)).map(Box::new);
        failure
    }

    fn object(
        &mut self,
        response: &ResponseHead,
        connection: Connection,
        body: Incoming,
        address: SocketAddr,
    ) -> Result<Outcome, FailureKind> {
        check_transfer(response)?;
        let part = match response.status {
            400.. if response.status != 416 || self.settings.http.gives_errors => Part::default(),
            _ => self.asked.part(response)?,
        };
        let decoder = if self.may_be_compressed() { decoder(response)? } else { None };
        // A given limit of the object is for what is decompressed, and then enough.
        let decoder = match self.settings.limits.body {
            Some(_) => decoder.map(Decoder::without_ratio),
            None => decoder,
        };
        let window = match decoder.as_ref().is_some_and(Decoder::is_large) {
            true => Some(self.window.take().ok_or_else(|| {
                FailureKind::Compressed("it is compressed in a way that was not asked for".into())
            })?),
            false => None,
        };
        let proof = if decoder.is_some() { Proof::default() } else { range::proof(response, part) };
        let media_type =
            response.field("content-type").map(|value| String::from_utf8_lossy(value).into_owned());
        let mut object = self.request.object().clone();
        object.media_type = media_type.map(Into::into);
        let body = match part.is_done {
            true => None,
            false => {
                let mut reading = self.reading(connection, body, response, part, decoder, address);
                reading.window = window;
                Some(reading.into())
            }
        };
        Ok(Outcome::Object { object, from: part.from, proof, body })
    }

    pub(super) fn reading(
        &self,
        connection: Connection,
        body: Incoming,
        response: &ResponseHead,
        part: Part,
        decoder: Option<Decoder>,
        address: SocketAddr,
    ) -> Reading {
        let has_body = self.method != "HEAD" && !matches!(response.status, 204 | 304);
        let is_chunked = response.fields_named("transfer-encoding").last().is_some_and(ends_with_chunked);
        let is_framed = !has_body
            || response.version == Version::Http2
            || is_chunked
            || response.field("content-length").is_some() && response.field("transfer-encoding").is_none();
        let length = part.length.filter(|_| has_body && !is_chunked);
        let mut reading = Reading::new(connection, body, self.settings.limits, (!is_framed, length), decoder);
        reading.last = self.last();
        // What follows the head of an answer to HEAD would be taken for the next response.
        reading.place = (self.method != "HEAD").then(|| Place {
            pool: self.settings.pool.clone(),
            key: self.route.key(&self.settings, self.login.as_ref().map(|(user, _)| user.reveal().to_vec())),
            address,
        });
        reading
    }
}

/// Checks that a body is in no transfer coding but chunked, which was undone: others were not asked for,
/// and what they make is not the object (RFC 9112, 6.1).
fn check_transfer(response: &ResponseHead) -> Result<(), FailureKind> {
    let values = response.fields_named("transfer-encoding").map(String::from_utf8_lossy);
    let codings: Vec<String> = values
        .flat_map(|value| value.split(',').map(|one| one.trim().to_ascii_lowercase()).collect::<Vec<_>>())
        .filter(|coding| !coding.is_empty() && coding != "identity")
        .collect();
    match &*codings {
        [] => Ok(()),
        [coding] if coding == "chunked" => Ok(()),
        codings => {
            let codings = codings.join(", ");
            let why = format!("the transfer coding \"{}\" was not asked for", codings.escape_debug());
            Err(FailureKind::Protocol(why))
        }
    }
}

fn ends_with_chunked(value: &[u8]) -> bool {
    let last = value.rsplit(|octet| *octet == b',').next().unwrap_or_default();
    last.trim_ascii().eq_ignore_ascii_case(b"chunked")
}

/// Returns what decompresses a response, if it is compressed.
fn decoder(response: &ResponseHead) -> Result<Option<Decoder>, FailureKind> {
    let codings = response.fields_named("content-encoding").map(String::from_utf8_lossy);
    let codings: Vec<String> = codings
        .flat_map(|value| value.split(',').map(|one| one.trim().to_ascii_lowercase()).collect::<Vec<_>>())
        .filter(|coding| !coding.is_empty() && coding != "identity")
        .collect();
    match &*codings {
        [] => Ok(None),
        [coding] => match Decoder::new(coding) {
            Some(decoder) => Ok(Some(decoder)),
            None => Err(FailureKind::Compressed(format!("\"{}\" is not known", coding.escape_debug()))),
        },
        _ => Err(FailureKind::Compressed("it was compressed more than once".into())),
    }
}

fn reply(response: &ResponseHead) -> Reply {
    Reply { code: Some(response.status), text: response.reason.clone().into_bytes() }
}

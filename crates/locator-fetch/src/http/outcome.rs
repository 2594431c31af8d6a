//! What a response contains: the object and what is known of it, a redirect, or an error. Its head says
//! how the body is coded and how it ends.

use bytes::Bytes;
use hyper::body::Incoming;
use locator::plan::Object;

use super::coding::Decompressor;
use super::reading::{Reading, headers_of};
use crate::error::failure::{CodingCause, Detail, Failure, FailureKind, ProtocolCause, Reply};
use crate::headers::{ResponseHead, Version};
use crate::run::resume::Proof;

/// What a response contains.
pub(crate) enum Received {
    /// The object.
    Object { object: Object, from: u64, proof: Proof, body: Option<Box<Reading>> },
    /// Another URL leads to it.
    Redirect,
    /// There is no object.
    Failed(Failure),
}

/// Checks that a body is in no transfer coding but chunked, which was undone: others were not asked for,
/// and what they make is not the object (RFC 9112, 6.1).
pub(super) fn check_transfer(response: &ResponseHead) -> Result<(), FailureKind> {
    match &*codings(response, "transfer-encoding") {
        [] => Ok(()),
        [coding] if coding == "chunked" => Ok(()),
        codings => {
            let codings = codings.join(", ");
            let why = format!("transfer encoding \"{}\" was not requested", codings.escape_debug());
            Err(FailureKind::Protocol(Detail::new(ProtocolCause::TransferCoding, why)))
        }
    }
}

/// Returns the codings that a header lists, in lower case.
fn codings(response: &ResponseHead, name: &str) -> Vec<String> {
    let values = response.headers.get_all(name).map(|value| String::from_utf8_lossy(value).to_lowercase());
    let words =
        values.flat_map(|value| value.split(',').map(|one| one.trim().to_owned()).collect::<Vec<_>>());
    words.filter(|coding| !coding.is_empty() && coding != "identity").collect()
}

pub(super) fn ends_with_chunked(value: &[u8]) -> bool {
    let last = value.rsplit(|octet| *octet == b',').next().unwrap_or_default();
    last.trim_ascii().eq_ignore_ascii_case(b"chunked")
}

/// Returns what decompresses a response, if it is compressed.
pub(super) fn decoder(response: &ResponseHead) -> Result<Option<Decompressor>, FailureKind> {
    match &*codings(response, "content-encoding") {
        [] => Ok(None),
        [coding] => match Decompressor::new(coding) {
            Some(decoder) => Ok(Some(decoder)),
            None => {
                let why = format!("unknown encoding \"{}\"", coding.escape_debug());
                Err(FailureKind::Compressed(Detail::new(CodingCause::Unknown, why)))
            }
        },
        _ => Err(FailureKind::Compressed(Detail::new(
            CodingCause::Multiple,
            "it was compressed more than once",
        ))),
    }
}

pub(super) fn reply(response: &ResponseHead) -> Reply {
    Reply { code: Some(response.status), text: response.reason.clone().into_bytes() }
}

/// Reads the head of a response; `sent` are its octets, if they are known.
pub(super) fn read_head(
    response: hyper::Response<Incoming>,
    sent: Bytes,
) -> Result<(ResponseHead, Incoming), FailureKind> {
    let (parts, body) = response.into_parts();
    let reason = parts.extensions.get::<hyper::ext::ReasonPhrase>();
    let reason = match reason {
        Some(reason) => String::from_utf8_lossy(reason.as_bytes()).into_owned(),
        None => parts.status.canonical_reason().unwrap_or_default().to_owned(),
    };
    let version = match parts.version {
        hyper::Version::HTTP_10 => Version::Http10,
        hyper::Version::HTTP_2 => Version::Http2,
        _ => Version::Http11,
    };
    let status = parts.status.as_u16();
    if status < 200 {
        let why = format!("the final response has status {status}");
        return Err(FailureKind::Protocol(Detail::new(ProtocolCause::Status, why)));
    }
    Ok((ResponseHead { version, status, reason, headers: headers_of(&parts.headers)?, sent }, body))
}

//! Why a request has no response: a [`Refusal`] has a status (RFC 9110, 15), a sentence, what the server said, and what
//! to do. It becomes a page for browsers, and plain text for programs.
//!
//! ```text
//! let refusal = Refusal::forbidden("the page is of another site".into()).advise("Open the URL from the first page.");
//! ```

use std::error::Error as _;

use hyper::StatusCode;
use locator::ParseError;
use locator::plan::PlanError;
use locator_audit::RefusalReason;
use locator_fetch::run::{FailureKind, FileCause};
use locator_fetch::{FetchError, FetchErrorKind};

use super::guard::RefusedRequest;
use super::pages::{ErrorPage, Links, error_page};

/// Why a request is refused or has failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) status: StatusCode,
    why: String,
    reply: Option<String>,
    advice: Vec<String>,
}

impl Refusal {
    pub(super) fn new(status: StatusCode, why: impl Into<String>) -> Self {
        Self { status, why: why.into(), reply: None, advice: Vec::new() }
    }

    pub(super) fn forbidden(why: String) -> Self {
        Self::new(StatusCode::FORBIDDEN, why)
    }

    pub(super) fn not_found(why: String) -> Self {
        Self::new(StatusCode::NOT_FOUND, why)
    }

    pub(super) fn bad_request(why: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, why)
    }

    pub(super) fn no_url(error: &ParseError) -> Self {
        Self::bad_request(error.to_string())
    }

    pub(super) fn no_plan(error: &PlanError) -> Self {
        match error {
            PlanError::NotConfigured { what, option } => {
                let flag = option.replace('_', "-");
                let refusal = Self::bad_request(format!("the URL needs {what}, and none is configured"));
                refusal.advise(format!("Start the gateway with: locator serve --{flag} HOST"))
            }
            _ => Self::bad_request(error.to_string()),
        }
    }

    pub(super) fn advise(mut self, advice: impl Into<String>) -> Self {
        self.advice.push(advice.into());
        self
    }

    /// Returns why a fetch failed.
    pub(super) fn of(error: &FetchError, has_logins: bool) -> Self {
        let failure = error.failure();
        let why = failure.map_or_else(
            || error.source().map_or_else(|| error.to_string(), ToString::to_string),
            |failure| match failure.kind {
                FailureKind::NoAnswer(_) => "the server asks for a login".to_owned(),
                _ => failure.kind.to_string(),
            },
        );
        let mut refusal = Self::new(status(error), why);
        refusal.reply = failure.and_then(|failure| failure.reply.as_ref()).map(ToString::to_string);
        refusal.advice.extend(advice(error, has_logins));
        refusal
    }

    /// Returns the document that says so: HTML, or a text for programs.
    pub(super) fn document(&self, url: Option<&str>, links: Option<&Links>) -> Vec<u8> {
        let advice: Vec<_> = self.advice.iter().map(String::as_str).collect();
        let page = ErrorPage {
            status: self.status.as_u16(),
            title: &self.why,
            url,
            reply: self.reply.as_deref(),
            advice: &advice,
        };
        match links {
            Some(links) => error_page(links, &page),
            None => {
                let reply = self.reply.iter().map(|reply| format!("the server said: {reply}"));
                let lines = [self.why.clone()].into_iter().chain(reply).chain(self.advice.iter().cloned());
                lines.map(|line| line + "\n").collect::<String>().into()
            }
        }
    }
}

impl From<RefusedRequest> for Refusal {
    fn from(refused: RefusedRequest) -> Self {
        Self::new(refused.status, refused.why)
    }
}

/// Returns the status of a failed fetch.
fn status(error: &FetchError) -> StatusCode {
    match error.kind() {
        FetchErrorKind::InvalidUrl | FetchErrorKind::InvalidRequest | FetchErrorKind::NotSupported => {
            StatusCode::BAD_REQUEST
        }
        FetchErrorKind::NotFound => StatusCode::NOT_FOUND,
        FetchErrorKind::File => match error.failure().map(|failure| &failure.kind) {
            Some(FailureKind::File(why)) if why.cause == FileCause::NotFound => StatusCode::NOT_FOUND,
            _ => StatusCode::FORBIDDEN,
        },
        FetchErrorKind::Forbidden | FetchErrorKind::Login => StatusCode::FORBIDDEN,
        FetchErrorKind::TimedOut => StatusCode::GATEWAY_TIMEOUT,
        _ => StatusCode::BAD_GATEWAY,
    }
}

/// Returns what the user can do.
fn advice(error: &FetchError, has_logins: bool) -> Option<String> {
    let forbidden = error.failure().and_then(|failure| match &failure.kind {
        FailureKind::Forbidden(why) => why.refusal(),
        _ => None,
    });
    if let Some(refusal) = forbidden.filter(|refusal| !refusal.is_denied()) {
        let is_of_place = matches!(
            refusal.reason(),
            RefusalReason::Host | RefusalReason::Port | RefusalReason::Address { .. }
        );
        let value = refusal.value().filter(|_| is_of_place)?;
        return Some(format!("If it is meant, start the gateway with: locator serve --allow {value}"));
    }
    match error.kind() {
        FetchErrorKind::Login if !has_logins => {
            Some("To enter a password, start the gateway with: locator serve --logins".into())
        }
        FetchErrorKind::TimedOut | FetchErrorKind::Connect if error.may_pass() => {
            Some("Try again later.".into())
        }
        _ => None,
    }
}

//! Decides whether a response may be saved to a file: not a directory, a redirect or a response without
//! content.

use locator::plan::{Object, ObjectKind, Plan, Step};
use locator::scheme::FtpUrl;
use locator::{PctStr, UriRef};
use locator_fetch::ResponseHead;
use locator_fetch::blocking::Response;
use locator_fetch::entries::is_list;
use locator_fetch::run::{self, FailureKind};

use super::trouble::Trouble;
use crate::report::failure::Failure;

/// Returns why a response has nothing to write, if that is a success: there is no content (RFC 9110,
/// 15.3.5 and 15.3.6), or the file has not changed (15.4.5).
///
/// # Errors
///
/// The server replied 304 to a request without a condition.
pub(super) fn nothing(
    response: Option<&ResponseHead>,
    is_conditional: bool,
) -> Result<Option<&'static str>, Failure> {
    match response.map(|response| response.status) {
        Some(204) => Ok(Some("the response has no content (204 No Content)")),
        Some(205) => Ok(Some("the response has no content (205 Reset Content)")),
        Some(304) if is_conditional => Ok(Some("the file has not changed (304 Not Modified)")),
        Some(304) => {
            let why = "the server replied 304 Not Modified to a request without a header If-…";
            Err(Failure::other("protocol", why.into()))
        }
        _ => Ok(None),
    }
}

/// Returns the note on a redirect that is printed instead of followed: its body may be empty.
pub(super) fn remark_on_redirect(fetched: &Response, target: Option<&str>) -> Option<String> {
    let head = fetched.head().filter(|head| head.status / 100 == 3)?;
    let ResponseHead { status, reason, .. } = head;
    target.map(|url| format!("redirect to {url} not followed ({status} {reason})"))
}

/// Returns the error of a redirect that is not followed; `target` is where it leads.
pub(super) fn redirect(fetched: &Response, target: Option<&str>) -> Option<Trouble> {
    let head = fetched.head().filter(|head| head.status / 100 == 3)?;
    let ResponseHead { status, reason, .. } = head;
    let why = match target {
        Some(url) => format!("it leads to {url} ({status} {reason}); nothing is saved"),
        None => format!("the response is {status} {reason}; nothing is saved"),
    };
    let failure = run::Failure::new(FailureKind::Redirect(why.into()), "");
    Some(fetched.error(failure).into())
}

/// Returns whether a URL itself says that it is a listing: a directory with "/" at its end, a menu by
/// its type, a newsgroup. `plan` is its plan.
pub(super) fn names_list(url: UriRef<'_>, plan: &Plan) -> bool {
    let object = |step: &Step| match step {
        Step::Receive(object) => Some(object.kind),
        Step::Transfer(transfer) => Some(transfer.object.kind),
        Step::Slices(slices) => Some(slices.object.kind),
        _ => None,
    };
    url.path().as_str().ends_with('/') || plan.work.iter().rev().find_map(object).is_some_and(is_list)
}

/// Returns whether a plan connects to a server of FTP.
pub(super) fn is_ftp(plan: &Plan) -> bool {
    plan.steps().any(|step| matches!(step, Step::Connect(to) if to.protocol.name == "FTP"))
}

/// Returns whether a plan transfers the file of an ftp URL as lines of text.
pub(super) fn is_text_of_ftp(plan: &Plan) -> bool {
    let is_text =
        |step: &Step| matches!(step, Step::Transfer(transfer) if transfer.object.kind == ObjectKind::Text);
    plan.steps().any(is_text)
}

/// Returns the error of a listing that is not saved to a file: with `-O`, or if its URL does not say that
/// it is one.
pub(super) fn list(object: &Object, given: UriRef<'_>, by_remote_name: bool) -> Failure {
    let what = match object.kind {
        ObjectKind::Names | ObjectKind::Facts | ObjectKind::Links => "a directory",
        ObjectKind::Menu => "a menu",
        ObjectKind::Groups => "a list of newsgroups",
        ObjectKind::Numbers | ObjectKind::Overview => "a newsgroup",
        _ => "the result of a search",
    };
    let how = match (url_of_list(given), by_remote_name) {
        (Some(url), true) => format!("; use -o FILE {url} to save the listing"),
        (Some(url), false) => format!("; use {url} to save the listing"),
        (None, true) => "; use -o FILE to save the listing".into(),
        (None, false) => "; its listing is only printed to standard output".into(),
    };
    Failure::other("directory", format!("the URL is {what}, not a file{how}"))
}

/// Returns the URL with "/" that identifies a directory, of a scheme that has such URLs.
fn url_of_list(given: UriRef<'_>) -> Option<String> {
    let scheme = given.scheme()?.lowercase();
    let path = given.path().as_str();
    let path = match FtpUrl::of(given) {
        Ok(_) => path.split_once(";type=").map_or(path, |(path, _)| path),
        Err(_) if scheme == "file" => path,
        Err(_) => return None,
    };
    let path = format!("{}/", path.trim_end_matches('/'));
    let url = given.edit().set_path(PctStr::new(&path).ok()?).ok()?.finish().ok()?;
    Some(url.redacted().to_string())
}

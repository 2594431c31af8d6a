//! Decides whether what was fetched may become a file: a page or a file may, a directory, a redirect
//! and a response without content may not.

use locator::plan::{Object, ObjectKind, Plan, Step};
use locator::scheme::FtpUrl;
use locator::{PctStr, UriRef};
use locator_fetch::ResponseHead;
use locator_fetch::blocking::Response;
use locator_fetch::entries::is_list;
use locator_fetch::run::{self, FailureKind};

use super::trouble::Trouble;
use crate::failure::Failure;

/// Returns why a response has nothing to write, if that is a success: there is no content (RFC 9110,
/// 15.3.5 and 15.3.6), or the file has not changed (15.4.5).
///
/// # Errors
///
/// The server says that nothing has changed, and was not asked.
pub(super) fn nothing(
    response: Option<&ResponseHead>,
    is_conditional: bool,
) -> Result<Option<&'static str>, Failure> {
    match response.map(|response| response.status) {
        Some(204) => Ok(Some("there is no content (204 No Content)")),
        Some(205) => Ok(Some("there is no content (205 Reset Content)")),
        Some(304) if is_conditional => Ok(Some("it has not changed (304 Not Modified)")),
        Some(304) => {
            let why = "the server says that it has not changed (304 Not Modified), but was not asked that";
            Err(Failure::other("protocol", why.into()))
        }
        _ => Ok(None),
    }
}

/// Returns the remark on a redirect that is not followed and that is printed: its page may be empty.
pub(super) fn remark_on_redirect(fetched: &Response, target: Option<&str>) -> Option<String> {
    let head = fetched.head().filter(|head| head.status / 100 == 3)?;
    let ResponseHead { status, reason, .. } = head;
    target.map(|url| format!("the redirect is not followed: it leads to {url} ({status} {reason})"))
}

/// Returns the error of a redirect that is not followed; `target` is where it leads.
pub(super) fn redirect(fetched: &Response, target: Option<&str>) -> Option<Trouble> {
    let head = fetched.head().filter(|head| head.status / 100 == 3)?;
    let ResponseHead { status, reason, .. } = head;
    let why = match target {
        Some(url) => format!("it leads to {url} ({status} {reason}); nothing is written"),
        None => format!("the response is {status} {reason}; nothing is written"),
    };
    let failure = run::Failure::new(FailureKind::Redirect(why.into()), "");
    Some(fetched.error(failure).into())
}

/// Returns whether a URL itself says that it identifies a list: a directory by "/" at its end, a menu by
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

/// Returns the error of a list that is not written to a file: by `-O`, or if its URL does not say that
/// it identifies one.
pub(super) fn list(object: &Object, given: UriRef<'_>, by_remote_name: bool) -> Failure {
    let what = match object.kind {
        ObjectKind::Names | ObjectKind::Links => "a directory",
        ObjectKind::Menu => "a menu",
        ObjectKind::Groups => "a list of newsgroups",
        ObjectKind::Numbers => "a newsgroup",
        _ => "the result of a search",
    };
    let how = match (url_of_list(given), by_remote_name) {
        (Some(url), true) => format!("; use -o FILE {url} to write its list"),
        (Some(url), false) => format!("; use {url} to write its list"),
        (None, true) => "; use -o FILE to write its list".into(),
        (None, false) => "; its list is printed on standard output only".into(),
    };
    Failure::other("directory", format!("it is {what}, not a file{how}"))
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

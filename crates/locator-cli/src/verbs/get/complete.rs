//! `-C -` for a file that exists: whether it is complete.

use std::ffi::OsStr;
use std::path::Path;

use locator_fetch::FetchError;
use locator_fetch::http::ByteRange;

use super::destination::file_error;
use super::files::shown;
use super::getter::{Getter, Wanted};
use super::trouble::Trouble;
use super::written::Seen;
use crate::exit::say;
use crate::report::reports::plural;

impl Getter<'_> {
    /// Asks the server for what follows the octets of a file that exists. It is complete if nothing does.
    pub(super) fn confirm(
        &self,
        name: &OsStr,
        length: u64,
        wanted: &Wanted<'_>,
        seen: &mut Seen,
    ) -> Result<(), Trouble> {
        let rest = || self.request(None, wanted).range(ByteRange::From(length)).send();
        let total = match self.retrying(wanted, None, rest) {
            Ok(fetched) => {
                seen.fetched(&fetched);
                fetched.error_for_status_ref().map_err(FetchError::clone)?;
                fetched.content_length()
            }
            Err(error) => {
                seen.failed(&error);
                match unsatisfied(&error) {
                    Some(total) => Some(total),
                    None => return Err(error.into()),
                }
            }
        };
        let file = shown(Path::new(name));
        match total {
            Some(total) if total == length => {
                seen.is_complete = true;
                if !wanted.is_silent {
                    say(&format!("{file} is complete ({})", plural(length, "byte")));
                }
                Ok(())
            }
            total => {
                let total = total.map_or_else(
                    || "the server does not state the length of its file".to_owned(),
                    |total| format!("the file on the server has {}", plural(total, "byte")),
                );
                let length = plural(length, "byte");
                let why = format!("{file} exists and has {length}, {total}; use --clobber to fetch it again");
                Err(file_error(why).into())
            }
        }
    }
}

/// Returns the length of the file from the reply that it has no octets there: "A server generating a 416
/// response to a byte-range request SHOULD generate a Content-Range header field specifying the current
/// length of the selected representation": `bytes */47022` (RFC 9110, 15.5.17).
fn unsatisfied(error: &FetchError) -> Option<u64> {
    let head = error.head().filter(|head| head.status == 416)?;
    head.headers.get("content-range")?.trim().strip_prefix("bytes */")?.parse().ok()
}

//! Looks for a message, or a part of one, in a file: an mbox, or a single message.

use std::ffi::OsStr;
use std::fs::File;

use locator::plan::LookUp;
use locator_fetch::run::FailureKind;
use locator_find::{MessagePart, message_part};

use crate::input::whole;
use crate::terminal::visible;

/// Returns what a URL identifies.
pub(super) fn find(path: &OsStr, what: &LookUp) -> Result<Option<MessagePart>, FailureKind> {
    let fault = |error| FailureKind::File(format!("{}: {error}", visible(&path.to_string_lossy())).into());
    let octets = File::open(path).and_then(whole).map_err(fault)?;
    Ok(find_in(&octets, what))
}

fn find_in(octets: &[u8], what: &LookUp) -> Option<MessagePart> {
    let (message, part) = (what.message_id.as_deref(), what.content_id.as_deref());
    messages(octets).find_map(|octets| message_part(octets, message, part))
}

/// Returns the messages of an mbox, without the lines "From " (RFC 4155); of another file, all of it.
fn messages(octets: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(octets).filter(|octets| !octets.is_empty());
    std::iter::from_fn(move || {
        let now = rest?;
        let message = match now.strip_prefix(b"From ") {
            Some(line) => line.splitn(2, |&octet| octet == b'\n').nth(1).unwrap_or_default(),
            None => now,
        };
        // A line "From " after an empty one begins the next message.
        let next = [&b"\n\nFrom "[..], b"\n\r\nFrom "].into_iter().filter_map(|delimiter| {
            let found = memchr::memmem::find(message, delimiter)?;
            Some((found + 1, found + delimiter.len() - 5))
        });
        let next = next.min().filter(|_| now.starts_with(b"From "));
        rest = next.map(|(_, start)| &message[start..]);
        Some(next.map_or(message, |(end, _)| &message[..end]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has_id(octets: &[u8], id: &[u8]) -> bool {
        let what = LookUp { message_id: Some(id.into()), content_id: None };
        find_in(octets, &what).is_some_and(|part| part.octets == octets)
    }

    #[test]
    fn messages_of_an_mbox() {
        let mbox = b"From a Mon\nMessage-ID: <1@h>\n\nFrom here\n>From b\n\nFrom b Tue\nX: y\nmessage-id:\n <2@h>\n\nlast\n";
        let found: Vec<_> = messages(mbox).collect();
        // "From here" after an empty line begins a message: writers escape it with ">".
        assert_eq!(found.len(), 3);
        assert!(has_id(found[0], b"1@h") && has_id(found[2], b"2@h"));
        assert_eq!(found[2], b"X: y\nmessage-id:\n <2@h>\n\nlast\n");
        let single = b"Message-Id: <1@h>\r\n\r\n\r\nFrom here\r\n";
        assert_eq!(messages(single).collect::<Vec<_>>(), [single]);
        assert!(!has_id(b"A: b\n\nMessage-ID: <1@h>\n", b"1@h"));
        assert!(messages(b"").next().is_none());
    }
}

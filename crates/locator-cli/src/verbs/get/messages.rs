//! Looks for a message in a file: an mbox, or a single message.

use std::ffi::OsStr;
use std::fs::File;

use locator::plan::LookUp;
use locator_fetch::run::FailureKind;

use crate::input::whole;
use crate::terminal::visible;

/// Returns the message that a URL identifies.
pub(super) fn find(path: &OsStr, what: &LookUp) -> Result<Option<Vec<u8>>, FailureKind> {
    if what.content_id.is_some() {
        return Err(FailureKind::NotSupported("finding a part of a message"));
    }
    let Some(id) = &what.message_id else { return Ok(None) };
    let fault = |error| FailureKind::File(format!("{}: {error}", visible(&path.to_string_lossy())));
    let octets = File::open(path).and_then(whole).map_err(fault)?;
    Ok(messages(&octets).find(|message| has_id(message, id)).map(<[u8]>::to_vec))
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

/// Returns whether a message has this identifier in its header, `Message-ID: <id>` (RFC 5322, 3.6.4).
fn has_id(message: &[u8], id: &[u8]) -> bool {
    const NAME: &[u8] = b"message-id:";
    let mut is_open = false;
    for line in message.split(|&octet| octet == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.is_empty() {
            return false;
        }
        let value = match line.split_at_checked(NAME.len()) {
            Some((name, value)) if name.eq_ignore_ascii_case(NAME) => value,
            // A folded line (2.2.3).
            _ if is_open && matches!(line[0], b' ' | b'\t') => line,
            _ => {
                is_open = false;
                continue;
            }
        };
        is_open = true;
        let found = value.trim_ascii().strip_prefix(b"<").and_then(|value| value.strip_suffix(b">"));
        if found == Some(id) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

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

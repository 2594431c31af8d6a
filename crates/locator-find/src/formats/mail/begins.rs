//! Recognises messages and mailboxes by their first lines.

use memchr::memchr;

/// Recognises "From ", a sender and a time, before a message.
pub(super) fn is_mailbox(first: &[u8]) -> bool {
    let Some(end) = memchr(b'\n', first).filter(|_| first.starts_with(b"From ")) else { return false };
    let has_time = first[..end]
        .windows(3)
        .any(|octets| octets[0].is_ascii_digit() && octets[1] == b':' && octets[2].is_ascii_digit());
    has_time
        && first[end + 1..]
            .split(|octet| *octet == b'\n')
            .next()
            .is_some_and(|line| field_name(line).is_some())
}

/// Recognises header fields up to an empty line, with the first and another one that every message
/// may have.
pub(super) fn is_message(first: &[u8]) -> bool {
    let (mut known, mut first_is_known) = (0, false);
    for (number, line) in first.split_inclusive(|octet| *octet == b'\n').enumerate() {
        let line_is_whole = line.ends_with(b"\n");
        match line.trim_ascii_end() {
            b"" => break,
            [b' ' | b'\t', ..] if number > 0 => {}
            line => match field_name(line) {
                Some(name) if FIELDS.iter().any(|field| name.eq_ignore_ascii_case(field.as_bytes())) => {
                    known += 1;
                    first_is_known |= number == 0;
                }
                Some(_) => {}
                None if !line_is_whole => break,
                None => return false,
            },
        }
    }
    first_is_known && known > 1
}

fn field_name(line: &[u8]) -> Option<&[u8]> {
    let colon = memchr(b':', line)?;
    let name = &line[..colon];
    (colon > 0 && name.iter().all(u8::is_ascii_graphic)).then_some(name)
}

const FIELDS: [&str; 16] = [
    "Return-Path",
    "Received",
    "Delivered-To",
    "From",
    "Sender",
    "To",
    "Cc",
    "Date",
    "Subject",
    "Message-ID",
    "Path",
    "Newsgroups",
    "MIME-Version",
    "Content-Type",
    "Reply-To",
    "X-Original-To",
];

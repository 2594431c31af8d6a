//! Recognises roff by the first lines of a document.

/// Recognises a comment, or one of the requests with which manual pages begin.
pub(super) fn is_roff(text: &[u8]) -> bool {
    const BEGINNINGS: [&[u8]; 5] = [b".\\\"", b"'\\\"", b".TH ", b".Dd ", b".so "];
    let text = after_empty_requests(text);
    BEGINNINGS.iter().any(|beginning| text.starts_with(beginning))
}

/// Recognises any request, which suffices if the file name is that of a manual page.
pub(super) fn may_be_roff(text: &[u8]) -> bool {
    let text = after_empty_requests(text);
    let request = text.split_first().filter(|(control, _)| matches!(control, b'.' | b'\''));
    let name = request.map(|(_, name)| name.trim_ascii_start());
    name.and_then(<[u8]>::first).is_some_and(|first| first.is_ascii_alphabetic() || *first == b'\\')
}

/// Returns the text after empty lines, empty requests and comments.
fn after_empty_requests(text: &[u8]) -> &[u8] {
    let is_empty = |line: &&[u8]| matches!(line.trim_ascii(), b"" | b"." | b"'" | [b'\\', b'"', ..]);
    let length: usize =
        text.split_inclusive(|octet| *octet == b'\n').take_while(is_empty).map(<[u8]>::len).sum();
    &text[length..]
}

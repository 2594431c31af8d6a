//! Words of the directory protocol: reads and writes their quotation.

/// Writes a word: everything from its first character on that is not plain is quoted.
pub(super) fn quoted(word: &[u8]) -> Vec<u8> {
    let is_plain = |octet: &u8| octet.is_ascii_alphanumeric() || b"-._".contains(octet);
    let plain = word.iter().take_while(|octet| is_plain(octet)).count();
    let (plain, rest) = word.split_at(plain);
    let mut out = plain.to_vec();
    if !rest.is_empty() || word.is_empty() {
        out.push(b'\'');
        for &octet in rest {
            out.extend_from_slice(if octet == b'\'' { b"''" } else { std::slice::from_ref(&octet) });
        }
        out.push(b'\'');
    }
    out
}

/// Divides a request into lines, and these into words. Line ends cannot be quoted in a request.
pub(super) fn lines(request: &[u8]) -> impl Iterator<Item = Vec<Vec<u8>>> {
    request.split(|&octet| octet == b'\n').filter(|line| !line.is_empty()).map(words)
}

fn words(line: &[u8]) -> Vec<Vec<u8>> {
    let mut words: Vec<Vec<u8>> = Vec::new();
    let (mut is_quoted, mut is_word) = (false, false);
    let mut octets = line.iter().peekable();
    while let Some(&octet) = octets.next() {
        if octet == b' ' && !is_quoted {
            is_word = false;
            continue;
        }
        if !is_word {
            words.push(Vec::new());
            is_word = true;
        }
        let is_pair = is_quoted && octet == b'\'' && octets.next_if_eq(&&b'\'').is_some();
        match words.last_mut() {
            Some(word) if octet != b'\'' || is_pair => word.push(octet),
            _ => is_quoted = !is_quoted,
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_from_the_first_special_character_on() {
        for (word, expected) in [
            ("", "''"),
            ("readme.txt", "readme.txt"),
            ("9 bytes", "9' bytes'"),
            ("it's quoted", "it'''s quoted'"),
            ("AFTP/pub/it's quoted", "AFTP'/pub/it''s quoted'"),
            ("/pub/readme.txt", "'/pub/readme.txt'"),
        ] {
            assert_eq!(String::from_utf8_lossy(&quoted(word.as_bytes())), expected);
            let line = [b"LIST ", &quoted(word.as_bytes())[..]].concat();
            assert_eq!(lines(&line).collect::<Vec<_>>(), [[b"LIST".to_vec(), word.into()]]);
        }
    }
}

//! Whether a value looks random: takes the octets of a value without escapes, and returns whether it is
//! rather a token than a word, a number, a date, a code of a country or a product, or a name of a page.
//!
//! A UUID looks random. So does a value in whose letters and digits the kind (digit, small, capital) changes
//! often: random letters and digits do so at nearly every second place, and `spring-2024`, `page2` and
//! `camelCase` seldom. A number looks random from 24 digits on; no date is that long.

/// Returns whether a value looks random, and has at least so many letters and digits.
pub(super) fn looks_random(value: &[u8], least: usize) -> bool {
    if is_uuid(value) {
        return true;
    }
    if value.windows(3).any(|octets| octets == b"://") {
        return false;
    }
    let is_separator = |octet: &u8| !octet.is_ascii_alphanumeric();
    let words = value.split(is_separator);
    let (count, changes) = words.fold((0, 0), |(count, sum), word| (count + word.len(), sum + changes(word)));
    let is_long_number = |word: &[u8]| word.len() >= 24 && word.iter().all(u8::is_ascii_digit);
    let is_often = match count {
        _ if count < least => false,
        0..16 => changes * 5 >= count * 2,
        16..24 => changes * 5 >= count,
        _ => changes * 6 >= count,
    };
    is_often || value.split(is_separator).any(|word| is_long_number(word) || has_few_vowels(word))
}

/// Counts how often the kind of letter or digit changes in a word. The letter after a capital is no change,
/// and neither is a number at one end of a word: `Page2`, `10px`.
fn changes(word: &[u8]) -> usize {
    let kind = |octet: &u8| match octet {
        b'0'..=b'9' => 0,
        b'a'..=b'z' => 1,
        _ => 2,
    };
    let pairs = word.iter().map(kind).zip(word.iter().skip(1).map(kind));
    let mut numbers = 0;
    let changes = pairs.filter(|(first, second)| {
        numbers += usize::from(first != second && (*first == 0 || *second == 0));
        first != second && (*first, *second) != (2, 1)
    });
    match changes.count() {
        1 if numbers == 1 => 0,
        count => count,
    }
}

/// Returns whether a long word of letters has so few vowels that it is no word.
fn has_few_vowels(word: &[u8]) -> bool {
    let is_vowel = |octet: &&u8| b"aeiouyAEIOUY".contains(octet);
    word.len() >= 20
        && word.iter().all(u8::is_ascii_alphabetic)
        && word.iter().filter(is_vowel).count() * 5 < word.len()
}

/// Returns whether the value has the form of a UUID.
fn is_uuid(value: &[u8]) -> bool {
    let is_of_uuid = |(at, octet): (usize, &u8)| match at {
        8 | 13 | 18 | 23 => *octet == b'-',
        _ => octet.is_ascii_hexdigit(),
    };
    let value = value.strip_prefix(b"{").and_then(|value| value.strip_suffix(b"}")).unwrap_or(value);
    // Not the nil UUID.
    value.len() == 36
        && value.iter().enumerate().all(is_of_uuid)
        && value.iter().any(|octet| !b"0-".contains(octet))
}

#[cfg(test)]
mod tests {
    use super::looks_random;

    #[test]
    fn tokens_look_random() {
        for value in [
            "0f8fad5b",
            "1CE83F32EF497A20A3830FB49E2A6FD4",
            "8r53nra5m7lpph7tbivvrdvcl2",
            "aaa7LxxireKymd19UfOg",
            "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
            "550e8400-e29b-41d4-a716-446655440000",
            "ST-1856339-aA5Yuvrxzpv8Tau1cYQ7",
            "4/0AX4XfWh3kQ9b2Zt7uLpVn1sYcEoRgKd",
            "xvztbqrwkpdfghjklmnb",
            "849302849302840932845555",
        ] {
            assert!(looks_random(value.as_bytes(), 8), "{value}");
        }
    }

    #[test]
    fn words_numbers_and_dates_do_not() {
        for value in [
            "",
            "x",
            "US",
            "02/10/12/1710205",
            "2002/4/6/183820/2721",
            "20240115T101010Z",
            "2024-01-15T10:10:10.000+01:00",
            "spring-2024",
            "page2_section3_item4",
            "gettingStartedWithXUL",
            "https://h/1CE83F32EF497A20A3830FB49E2A6FD4",
            "en-US,de-DE",
            "SUMMER2024",
            "INC0012345",
            "Rechtsschutzversicherungsgesellschaften",
            "00000000-0000-0000-0000-000000000000",
            "user@mail2.example.com",
            "1920x1080",
            "978-3-16-148410-0",
        ] {
            assert!(!looks_random(value.as_bytes(), 8), "{value}");
        }
    }
}

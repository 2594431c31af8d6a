//! The values of forms: takes a query or the body of a POST request, returns names and values
//! (`application/x-www-form-urlencoded`, URL Standard, 5.1).

/// The fields of a form, in their order.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Fields(Vec<(String, String)>);

impl Fields {
    /// Parses fields. Invalid UTF-8 is replaced by U+FFFD.
    pub(super) fn parse(octets: &[u8]) -> Self {
        let pairs = octets.split(|octet| *octet == b'&').filter(|pair| !pair.is_empty());
        Self(
            pairs
                .map(|pair| {
                    let end = pair.iter().position(|octet| *octet == b'=');
                    let (name, value) = end.map_or((pair, &b""[..]), |end| (&pair[..end], &pair[end + 1..]));
                    (text(name), text(value))
                })
                .collect(),
        )
    }

    /// Returns the value of the first field of this name.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    /// Returns all fields.
    pub(super) fn all(&self) -> &[(String, String)] {
        &self.0
    }
}

fn text(octets: &[u8]) -> String {
    let octets: Vec<u8> = octets.iter().map(|octet| if *octet == b'+' { b' ' } else { *octet }).collect();
    String::from_utf8_lossy(&decoded(&octets)).into_owned()
}

/// Replaces percent-encoded octets; a "%" that begins none is left.
pub(super) fn decoded(octets: &[u8]) -> Vec<u8> {
    let digit = |octet: Option<&u8>| octet.and_then(|octet| char::from(*octet).to_digit(16));
    let (mut decoded, mut at) = (Vec::with_capacity(octets.len()), 0);
    while let Some(&octet) = octets.get(at) {
        let pair = digit(octets.get(at + 1)).zip(digit(octets.get(at + 2))).filter(|_| octet == b'%');
        let value = pair.and_then(|(high, low)| u8::try_from(high * 16 + low).ok());
        decoded.push(value.unwrap_or(octet));
        at += if value.is_some() { 3 } else { 1 };
    }
    decoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_forms() {
        let fields = Fields::parse(b"url=gopher%3A%2F%2Fh%2F&a=b+c%2B&&d&%C3%A9=%FF%2&a=second");
        assert_eq!(fields.get("url"), Some("gopher://h/"));
        assert_eq!(fields.get("a"), Some("b c+"));
        assert_eq!(fields.get("d"), Some(""));
        assert_eq!(fields.get("é"), Some("\u{FFFD}%2"));
        assert_eq!(fields.get("none"), None);
        assert_eq!(Fields::parse(b""), Fields::default());
    }
}

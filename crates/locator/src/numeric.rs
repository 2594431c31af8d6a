//! Reads hosts that some programs take for IPv4 addresses. Takes the text of a host and returns the
//! address that a kind of program derives from it. Follows RFC 3986, section 7.4, "Rare IP Address
//! Formats".
//!
//! One text can be several addresses: `0177.0.0.1` is 127.0.0.1 to `inet_aton` and to browsers,
//! 177.0.0.1 to Java, and a name in RFC 3986. So each call names a reader.

use core::net::Ipv4Addr;

crate::as_text::named! {
    /// A kind of program, by the texts it reads as IPv4 addresses.
    ///
    /// ```
    /// use locator::AddressReader;
    ///
    /// let read = |reader: AddressReader| {
    ///     reader.read("0177.0.0.1").map(|address| address.octets())
    /// };
    /// assert_eq!(read(AddressReader::Strict), None);
    /// assert_eq!(read(AddressReader::InetAton), Some([127, 0, 0, 1]));
    /// assert_eq!(read(AddressReader::Url), Some([127, 0, 0, 1]));
    /// assert_eq!(read(AddressReader::Decimal), Some([177, 0, 0, 1]));
    /// ```
    #[non_exhaustive]
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum AddressReader {
        /// RFC 3986, section 3.2.2: four decimal numbers without leading zeros. Python's `ipaddress`.
        Strict = "strict",
        /// `inet_aton`: one to four numbers, decimal, octal (`0177`) or hexadecimal (`0x7f`), of which
        /// the last fills the remaining octets. `getaddrinfo` of the C library, and with it curl, wget
        /// and most programs.
        InetAton = "inet-aton",
        /// The URL standard, section 3.5: like `inet_aton`, with a dot at the end, and `0x` for zero.
        /// Browsers, Node.
        Url = "url",
        /// One to four decimal numbers with leading zeros, of which the last fills the remaining
        /// octets. Java.
        Decimal = "decimal",
    }

    /// Returns the name of the reader on the command line.
    pub const fn name;
}

impl AddressReader {
    /// The readers that this crate knows.
    pub const ALL: [Self; 4] = [Self::Strict, Self::InetAton, Self::Url, Self::Decimal];

    /// Returns the address that the reader derives from the host; `None` if the reader takes it for
    /// a name or an error.
    ///
    /// The host must be decoded first, and a name beyond ASCII must be in its ASCII form.
    ///
    /// ```
    /// use locator::AddressReader;
    ///
    /// let read =
    ///     |host| AddressReader::Url.read(host).map(|address| address.to_string());
    /// assert_eq!(read("0x7f.1."), Some("127.0.0.1".into()));
    /// assert_eq!(read("2130706433"), Some("127.0.0.1".into()));
    /// assert_eq!(read("1.2.3.4.5"), None);
    /// ```
    #[must_use]
    pub fn read(self, host: &str) -> Option<Ipv4Addr> {
        let host = match self {
            Self::Url if host.len() > 1 => host.strip_suffix('.').unwrap_or(host),
            _ => host,
        };
        // Java reads at most 15 characters.
        if self == Self::Decimal && host.len() > 15 {
            return None;
        }
        let (mut parts, mut count) = ([0; 4], 0);
        for part in host.split('.') {
            *parts.get_mut(count)? = self.number(part)?;
            count += 1;
        }
        if self == Self::Strict && count != 4 {
            return None;
        }
        let (last, first) = parts[..count].split_last()?;
        let mut address = 0;
        for (part, shift) in first.iter().zip([24, 16, 8]) {
            address |= u32::from(u8::try_from(*part).ok()?) << shift;
        }
        // "the last part is interpreted as a … quantity and placed in the right-most … octets"
        let bits = 8 * (5 - count);
        (u64::from(*last) < 1 << bits).then(|| Ipv4Addr::from(address | last))
    }

    fn number(self, part: &str) -> Option<u32> {
        let hexadecimal = part.strip_prefix("0x").or(part.strip_prefix("0X"));
        let has_base = matches!(self, Self::InetAton | Self::Url);
        let (digits, base) = match (hexadecimal, part.strip_prefix('0')) {
            (Some(""), _) if self == Self::Url => ("0", 16),
            (Some(digits), _) if has_base => (digits, 16),
            (None, Some(digits)) if has_base && !digits.is_empty() => (digits, 8),
            (None, Some(digits)) if self == Self::Strict && !digits.is_empty() => return None,
            _ => (part, 10),
        };
        // A sign is not a digit.
        digits.bytes().all(|octet| octet.is_ascii_alphanumeric()).then_some(())?;
        u32::from_str_radix(digits, base).ok()
    }
}

#[cfg(test)]
mod tests {
    use std::string::ToString;

    use super::AddressReader::{self, Decimal, InetAton, Strict, Url};

    #[test]
    fn readers_make_of_a_text_what_they_were_seen_to() {
        for (host, expected) in [
            ("127.0.0.1", ["127.0.0.1"; 4]),
            ("0177.0.0.1", ["", "127.0.0.1", "127.0.0.1", "177.0.0.1"]),
            ("010.8.8.8", ["", "8.8.8.8", "8.8.8.8", "10.8.8.8"]),
            ("00127.0.0.1", ["", "87.0.0.1", "87.0.0.1", "127.0.0.1"]),
            ("127.0.0.1.", ["", "", "127.0.0.1", ""]),
            ("127.1", ["", "127.0.0.1", "127.0.0.1", "127.0.0.1"]),
            ("127.0.1", ["", "127.0.0.1", "127.0.0.1", "127.0.0.1"]),
            ("2130706433", ["", "127.0.0.1", "127.0.0.1", "127.0.0.1"]),
            ("0x7F.1", ["", "127.0.0.1", "127.0.0.1", ""]),
            ("0x", ["", "", "0.0.0.0", ""]),
            ("0", ["", "0.0.0.0", "0.0.0.0", "0.0.0.0"]),
            ("08", ["", "", "", "0.0.0.8"]),
            ("256.0.0.1", [""; 4]),
            ("0251.076.0251.03", ["", "169.62.169.3", "169.62.169.3", ""]),
            ("1.2.65536", [""; 4]),
            ("4294967296", [""; 4]),
            ("99999999999999999999", [""; 4]),
            ("1.2.3.4.5", [""; 4]),
            ("1..2", [""; 4]),
            (".", [""; 4]),
            ("", [""; 4]),
            ("+1.2.3.4", [""; 4]),
            ("example.com", [""; 4]),
        ] {
            let found = [Strict, InetAton, Url, Decimal]
                .map(|reader| reader.read(host).map_or_else(Default::default, |address| address.to_string()));
            assert_eq!(found, expected, "{host}");
        }
        assert_eq!(AddressReader::ALL.map(AddressReader::name), ["strict", "inet-aton", "url", "decimal"]);
    }
}

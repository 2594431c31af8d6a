//! Forms: `application/x-www-form-urlencoded` and `multipart/form-data` (RFC 7578).

use std::io;
use std::path::Path;

use super::settings::HttpError;

/// A form with files, which is sent as `multipart/form-data` (RFC 7578).
///
/// ```no_run
/// use locator_fetch::blocking::Fetcher;
/// use locator_fetch::http::Multipart;
///
/// let form =
///     Multipart::new().text("title", "Holiday").file("image", "sea.png")?;
/// Fetcher::for_user_input()
///     .request("https://example.com/upload")
///     .multipart(form)
///     .send()?;
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct Multipart {
    parts: Vec<(String, Vec<u8>)>,
}

impl Multipart {
    /// Creates a form without fields.
    #[must_use]
    pub const fn new() -> Self {
        Self { parts: Vec::new() }
    }

    /// Adds a field with a text.
    #[must_use]
    pub fn text(mut self, name: &str, text: impl Into<String>) -> Self {
        let head = format!("Content-Disposition: form-data; name=\"{}\"\r\n", quoted(name));
        self.parts.push((head, text.into().into_bytes()));
        self
    }

    /// Adds a field with the octets of a file.
    ///
    /// # Errors
    ///
    /// The media type contains a control character, which would end the line of its header.
    pub fn bytes(
        mut self,
        name: &str,
        file_name: &str,
        media_type: &str,
        octets: impl Into<Vec<u8>>,
    ) -> Result<Self, HttpError> {
        if media_type.chars().any(char::is_control) {
            return Err(HttpError::HeaderValue);
        }
        let (name, file_name) = (quoted(name), quoted(file_name));
        let head = format!(
            "Content-Disposition: form-data; name=\"{name}\"; filename=\"{file_name}\"\r\n\
             Content-Type: {media_type}\r\n"
        );
        self.parts.push((head, octets.into()));
        Ok(self)
    }

    /// Adds a field with a file, which is read now and sent with its own name and without a media type.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub fn file(self, name: &str, path: impl AsRef<Path>) -> io::Result<Self> {
        let octets = std::fs::read(&path)?;
        let file_name = path.as_ref().file_name().unwrap_or_default().to_string_lossy();
        self.bytes(name, &file_name, "application/octet-stream", octets).map_err(io::Error::other)
    }

    /// Returns the media type and the body.
    pub(crate) fn finish(&self) -> io::Result<(String, Vec<u8>)> {
        let mut random = [0; 16];
        getrandom::fill(&mut random).map_err(|_| io::Error::other("no random octets on this system"))?;
        // So random that no part contains it.
        let boundary = format!("{:032x}", u128::from_ne_bytes(random));
        let mut body = Vec::new();
        for (head, octets) in &self.parts {
            body.extend(format!("--{boundary}\r\n{head}\r\n").as_bytes());
            body.extend(octets);
            body.extend(b"\r\n");
        }
        body.extend(format!("--{boundary}--\r\n").as_bytes());
        Ok((format!("multipart/form-data; boundary={boundary}"), body))
    }
}

/// Shows no values.
impl std::fmt::Debug for Multipart {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Multipart").field("fields", &self.parts.len()).finish()
    }
}

/// Writes a name as browsers do: what would end it is percent-encoded.
fn quoted(name: &str) -> String {
    name.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A")
}

/// Writes the fields of a form as `application/x-www-form-urlencoded`.
pub(crate) fn form<K: AsRef<str>, V: AsRef<str>>(fields: &[(K, V)]) -> String {
    let mut text = String::new();
    for (index, (name, value)) in fields.iter().enumerate() {
        text.push_str(if index == 0 { "" } else { "&" });
        encode(name.as_ref(), &mut text);
        text.push('=');
        encode(value.as_ref(), &mut text);
    }
    text
}

fn encode(word: &str, text: &mut String) {
    for octet in word.bytes() {
        match octet {
            b' ' => text.push('+'),
            b'*' | b'-' | b'.' | b'_' => text.push(char::from(octet)),
            _ if octet.is_ascii_alphanumeric() => text.push(char::from(octet)),
            _ => text.push_str(&format!("%{octet:02X}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms() {
        assert_eq!(form(&[("a b", "é&="), ("c", "")]), "a+b=%C3%A9%26%3D&c=");
        assert_eq!(form::<&str, &str>(&[]), "");
        assert_eq!(form(&[("", "x")]), "=x");
    }

    #[test]
    fn a_form_with_files() {
        let form = Multipart::new().text("a\"b", "x").bytes("f", "n\r\n.txt", "text/plain", "y").unwrap();
        let wrong = Multipart::new().bytes("f", "n", "text/plain\r\nX-A: b", "y");
        assert_eq!(wrong.unwrap_err(), HttpError::HeaderValue);
        let (media_type, body) = form.finish().unwrap();
        let boundary = media_type.strip_prefix("multipart/form-data; boundary=").unwrap();
        let expected = format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"a%22b\"\r\n\r\nx\r\n\
             --{boundary}\r\nContent-Disposition: form-data; name=\"f\"; filename=\"n%0D%0A.txt\"\r\n\
             Content-Type: text/plain\r\n\r\ny\r\n--{boundary}--\r\n"
        );
        assert_eq!(String::from_utf8(body).unwrap(), expected);
    }
}

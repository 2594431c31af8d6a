//! Forms: `application/x-www-form-urlencoded` and `multipart/form-data` (RFC 7578).

use std::fs::File;
use std::io;
use std::path::Path;

use super::body::RequestBody;
use super::settings::HttpError;

/// A form with files, which is sent as `multipart/form-data` (RFC 7578). Files are read while they are sent.
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
    parts: Vec<(String, RequestBody)>,
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
        self.parts.push((head(name, None, None), text.into().into()));
        self
    }

    /// Adds a field with the octets of a file.
    ///
    /// # Errors
    ///
    /// The media type contains a control character, which would end the line of its header.
    pub fn bytes(
        self,
        name: &str,
        file_name: &str,
        media_type: &str,
        octets: impl Into<Vec<u8>>,
    ) -> Result<Self, HttpError> {
        self.part(name, Some(file_name), Some(media_type), octets.into())
    }

    /// Adds a field with a file, which is opened now and sent with its own name and as
    /// `application/octet-stream`.
    ///
    /// # Errors
    ///
    /// The file cannot be opened.
    pub fn file(self, name: &str, path: impl AsRef<Path>) -> io::Result<Self> {
        let file = File::open(&path)?;
        let file_name = path.as_ref().file_name().unwrap_or_default().to_string_lossy();
        let part = self.part(name, Some(&file_name), Some("application/octet-stream"), file);
        part.map_err(io::Error::other)
    }

    /// Adds a field with any body, such as a file or a reader; with a name it is a file.
    ///
    /// ```
    /// use locator_fetch::http::Multipart;
    ///
    /// let form = Multipart::new().part("a", None, Some("text/html"), "<p>")?;
    /// # Ok::<_, locator_fetch::http::HttpError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The media type contains a control character, which would end the line of its header.
    pub fn part(
        mut self,
        name: &str,
        file_name: Option<&str>,
        media_type: Option<&str>,
        body: impl Into<RequestBody>,
    ) -> Result<Self, HttpError> {
        if media_type.is_some_and(|media_type| media_type.chars().any(char::is_control)) {
            return Err(HttpError::HeaderValue);
        }
        self.parts.push((head(name, file_name, media_type), body.into()));
        Ok(self)
    }

    /// Returns the media type and the body.
    ///
    /// # Errors
    ///
    /// The system has no random octets for the boundary.
    pub fn finish(self) -> io::Result<(String, RequestBody)> {
        let mut random = [0; 16];
        getrandom::fill(&mut random).map_err(|_| io::Error::other("no random octets on this system"))?;
        // So random that no part contains it.
        let boundary = format!("{:032x}", u128::from_ne_bytes(random));
        let mut body = RequestBody::default();
        for (head, octets) in self.parts {
            body = body.then(format!("--{boundary}\r\n{head}\r\n")).then(octets).then("\r\n");
        }
        let body = body.then(format!("--{boundary}--\r\n"));
        Ok((format!("multipart/form-data; boundary={boundary}"), body))
    }
}

/// Returns the headers of a part.
fn head(name: &str, file_name: Option<&str>, media_type: Option<&str>) -> String {
    let mut head = format!("Content-Disposition: form-data; name=\"{}\"", quoted(name));
    if let Some(file_name) = file_name {
        head.push_str(&format!("; filename=\"{}\"", quoted(file_name)));
    }
    head.push_str("\r\n");
    if let Some(media_type) = media_type {
        head.push_str(&format!("Content-Type: {media_type}\r\n"));
    }
    head
}

/// Shows no values.
impl std::fmt::Debug for Multipart {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Multipart").field("fields", &self.parts.len()).finish()
    }
}

/// Writes a name as browsers and curl do: "0x0A bytes must be replaced by the bytes "%0A", 0x0D with "%0D" and
/// 0x22 with "%22"" (HTML, "multipart/form-data encoding algorithm").
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
        assert_eq!(body.content_length(), Some(body.octets().len() as u64));
        let boundary = media_type.strip_prefix("multipart/form-data; boundary=").unwrap();
        let expected = format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"a%22b\"\r\n\r\nx\r\n\
             --{boundary}\r\nContent-Disposition: form-data; name=\"f\"; filename=\"n%0D%0A.txt\"\r\n\
             Content-Type: text/plain\r\n\r\ny\r\n--{boundary}--\r\n"
        );
        assert_eq!(String::from_utf8(body.octets()).unwrap(), expected);
    }
}

//! The text of `-w` after a transfer, with curl's variables.

use std::net::SocketAddr;
use std::str::FromStr;
use std::time::Duration;

use locator::UriRef;
use locator_fetch::FetchError;
use locator_fetch::ResponseHead;
use locator_fetch::blocking::Response;

/// The text of `-w`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Format(Vec<Piece>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Variable(Variable),
}

/// A variable, by its name.
type Variable = &'static str;

const VARIABLES: [Variable; 12] = [
    "content_type",
    "exitcode",
    "http_code",
    "http_version",
    "num_redirects",
    "redirect_url",
    "remote_ip",
    "response_code",
    "size_download",
    "time_total",
    "url",
    "url_effective",
];

/// What is known about a transfer.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    /// The last URL.
    url: String,
    hops: usize,
    status: Option<u16>,
    /// The version of HTTP: `1.1`.
    version: Option<String>,
    /// The target of a redirect that is not followed.
    pub(super) redirect: Option<String>,
    content_type: Option<String>,
    address: Option<SocketAddr>,
    /// The number of bytes that were written.
    pub(super) octets: u64,
    pub(super) time: Duration,
    pub(super) exit: u8,
    /// Whether a file is complete.
    pub(super) is_saved: bool,
    /// What a user should know besides the error.
    pub(super) note: Option<String>,
    /// Whether the error is reported.
    pub(super) is_reported: bool,
}

impl Seen {
    pub(super) fn fetched(&mut self, fetched: &Response) {
        fetched.url().as_str().clone_into(&mut self.url);
        self.hops = fetched.hops().len();
        self.responded(fetched.url(), fetched.head());
        self.content_type = fetched.media_type().map(str::to_owned);
        self.address = fetched.remote_addr();
    }

    pub(super) fn failed(&mut self, error: &FetchError) {
        self.hops = error.hops().len();
        if let Some(url) = error.unredacted_url() {
            url.as_str().clone_into(&mut self.url);
            self.responded(url, error.head());
        }
    }

    fn responded(&mut self, url: UriRef<'_>, response: Option<&ResponseHead>) {
        self.status = response.map(|response| response.status);
        self.version = response.map(|response| response.version.name().trim_start_matches("HTTP/").into());
        let response = response.filter(|response| response.status / 100 == 3);
        self.redirect = response.and_then(|response| Some(response.redirect_target(url)?.into_string()));
    }

    fn value(&self, variable: Variable, input: &[u8]) -> String {
        match variable {
            "content_type" => self.content_type.clone().unwrap_or_default(),
            "exitcode" => self.exit.to_string(),
            "http_code" | "response_code" => format!("{:03}", self.status.unwrap_or_default()),
            "http_version" => self.version.clone().unwrap_or_else(|| "0".into()),
            "redirect_url" => self.redirect.clone().unwrap_or_default(),
            "num_redirects" => self.hops.to_string(),
            "remote_ip" => self.address.map(|address| address.ip().to_string()).unwrap_or_default(),
            "size_download" => self.octets.to_string(),
            "time_total" => format!("{:.6}", self.time.as_secs_f64()),
            "url" => String::from_utf8_lossy(input).into_owned(),
            _ => self.url.clone(),
        }
    }
}

impl FromStr for Format {
    type Err = String;

    /// Parses a text with `%{NAME}`, `%%`, `\n`, `\r`, `\t` and `\\`.
    fn from_str(text: &str) -> Result<Self, String> {
        let (mut pieces, mut plain, mut rest) = (Vec::new(), String::new(), text);
        while let Some(at) = rest.find(['%', '\\']) {
            let (before, marked) = rest.split_at(at);
            plain.push_str(before);
            let taken = if let Some(named) = marked.strip_prefix("%{") {
                let (name, _) = named.split_once('}').ok_or("\"%{\" has no \"}\"")?;
                let variable = VARIABLES.into_iter().find(|known| *known == name).ok_or_else(unknown)?;
                pieces.push(Piece::Text(std::mem::take(&mut plain)));
                pieces.push(Piece::Variable(variable));
                name.len() + 3
            } else {
                let (c, length) = match marked.as_bytes() {
                    [b'%', b'%', ..] => ('%', 2),
                    [b'\\', b'n', ..] => ('\n', 2),
                    [b'\\', b'r', ..] => ('\r', 2),
                    [b'\\', b't', ..] => ('\t', 2),
                    [b'\\', b'\\', ..] => ('\\', 2),
                    [first, ..] => (char::from(*first), 1),
                    [] => break,
                };
                plain.push(c);
                length
            };
            rest = &marked[taken..];
        }
        plain.push_str(rest);
        pieces.push(Piece::Text(plain));
        Ok(Self(pieces))
    }
}

fn unknown() -> String {
    let names: Vec<_> = VARIABLES.iter().map(|name| format!("%{{{name}}}")).collect();
    format!("unknown variable; expected one of {}", names.join(", "))
}

impl Format {
    /// Returns the text for the transfer of `input`.
    pub(super) fn text(&self, input: &[u8], seen: &Seen) -> String {
        self.0
            .iter()
            .map(|piece| match piece {
                Piece::Text(text) => text.clone(),
                Piece::Variable(variable) => seen.value(variable, input),
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts() {
        let seen = Seen {
            url: "http://h/b".into(),
            hops: 1,
            status: Some(404),
            version: Some("1.1".into()),
            redirect: None,
            content_type: Some("text/html".into()),
            octets: 12,
            time: Duration::from_millis(1500),
            exit: 1,
            address: Some(([127, 0, 0, 1], 80).into()),
            ..Seen::default()
        };
        for (format, expected) in [
            ("", ""),
            ("%{http_code}\\n", "404\n"),
            ("%{response_code} %{http_version} %{redirect_url}", "404 1.1 "),
            ("%{url} %{url_effective} %{num_redirects}", "http://h/a http://h/b 1"),
            ("%{size_download}\\t%{content_type}\\\\", "12\ttext/html\\"),
            ("100%% %{remote_ip} %{time_total} %{exitcode} \\q%", "100% 127.0.0.1 1.500000 1 \\q%"),
        ] {
            let text = format.parse::<Format>().unwrap().text(b"http://h/a", &seen);
            assert_eq!(text, expected, "{format}");
        }
        assert!("%{nothing}".parse::<Format>().unwrap_err().ends_with("%{url}, %{url_effective}"));
        assert!("%{url".parse::<Format>().is_err());
    }
}

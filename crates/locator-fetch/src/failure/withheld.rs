//! What is not sent after a redirect to another origin.

use std::fmt::{self, Display, Formatter};

/// The login and the headers that were not sent to the origin that a redirect leads to, because they
/// belong to the origin of the URL that was given.
#[non_exhaustive]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Withheld {
    /// The origin that they were not sent to: `http://www.example.org`.
    pub origin: String,
    /// Whether there is a login that was not sent.
    pub login: bool,
    /// The names of the headers, as they were given.
    pub headers: Vec<String>,
}

/// Writes a sentence: `the login and the header Cookie were not sent to http://www.example.org, which
/// is another origin`.
impl Display for Withheld {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { origin, login, headers } = self;
        if *login {
            f.write_str("the login")?;
        }
        if let [others @ .., last] = &**headers {
            f.write_str(if *login { " and the header" } else { "the header" })?;
            f.write_str(if others.is_empty() { " " } else { "s " })?;
            if !others.is_empty() {
                write!(f, "{} and ", others.join(", "))?;
            }
            f.write_str(last)?;
        }
        let was = if usize::from(*login) + headers.len() > 1 { "were" } else { "was" };
        write!(f, " {was} not sent to {origin}, which is another origin")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence() {
        for (login, headers, expected) in [
            (true, &[][..], "the login was"),
            (true, &["Cookie"], "the login and the header Cookie were"),
            (true, &["Cookie", "X-A"], "the login and the headers Cookie and X-A were"),
            (false, &["Cookie"], "the header Cookie was"),
            (false, &["A", "B", "C"], "the headers A, B and C were"),
        ] {
            let headers = headers.iter().map(|name| (*name).to_owned()).collect();
            let withheld = Withheld { origin: "http://b".into(), login, headers };
            let expected = format!("{expected} not sent to http://b, which is another origin");
            assert_eq!(withheld.to_string(), expected);
        }
    }
}

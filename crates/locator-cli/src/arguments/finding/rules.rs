//! Which files `find` reads beyond those that are named, and how: words of the command line in, the verb's values out.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use encoding_rs::Encoding;

/// Which files are read, how and in which order.
#[derive(Args, Debug)]
pub(crate) struct Rules {
    /// Read the files and directories that FILE lists, too, one a line, or each
    /// with NUL after it; "-" is standard input; may be given several times
    #[arg(long, value_name = "FILE")]
    pub(crate) files_from: Vec<PathBuf>,
    /// Add a glob to a type, or name a new type, as "web:*.{html,css}"; files
    /// that a glob adds to a format are read as that format
    #[arg(long, value_name = "TYPE:GLOB")]
    pub(crate) type_add: Vec<String>,
    /// A further file with rules as in .gitignore, relative to the working
    /// directory; may be given several times
    #[arg(long, value_name = "FILE")]
    pub(crate) ignore_file: Vec<PathBuf>,
    /// Pass over files in directories that are larger: 500, 50K, 80M, 2G
    #[arg(long, value_name = "NUM", value_parser = read_size)]
    pub(crate) max_filesize: Option<u64>,
    /// Read files as text of that encoding, such as latin1 or utf-16le, unless
    /// they have a byte order mark; offsets and columns count the octets of the
    /// text in UTF-8 then. Mail names its encodings itself
    #[arg(short = 'E', long, value_name = "NAME", value_parser = read_encoding)]
    #[arg(default_value = "auto", hide_default_value = true)]
    encoding: Charset,
    /// In which order files have their answers: as they are done with, by path,
    /// or by the time of their last change; the last two need one thread
    #[arg(long, value_name = "HOW", value_enum, default_value = "none")]
    #[arg(overrides_with_all = ["sort", "sortr"])]
    sort: SortWord,
    /// The same, the other way round
    #[arg(long, value_name = "HOW", value_enum, hide_possible_values = true)]
    #[arg(overrides_with_all = ["sort", "sortr"])]
    sortr: Option<SortWord>,
}

/// How the order of files is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SortWord {
    /// As they are done with
    None,
    /// By path
    Path,
    /// By the time of their last change
    Modified,
}

/// The order of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Order {
    /// What they are ordered by.
    pub(crate) by: SortWord,
    /// Whether the last is the first.
    pub(crate) is_reversed: bool,
}

/// The encoding that files have; none if each says so itself.
#[derive(Clone, Copy, Debug)]
struct Charset(Option<&'static Encoding>);

impl Rules {
    /// The order of files.
    pub(crate) const fn order(&self) -> Order {
        match self.sortr {
            Some(by) => Order { by, is_reversed: true },
            None => Order { by: self.sort, is_reversed: false },
        }
    }

    /// The encoding that all files have.
    pub(crate) const fn encoding(&self) -> Option<&'static Encoding> {
        self.encoding.0
    }
}

/// The names of the Encoding standard, and "auto".
fn read_encoding(word: &str) -> Result<Charset, String> {
    if word.eq_ignore_ascii_case("auto") {
        return Ok(Charset(None));
    }
    match Encoding::for_label_no_replacement(word.as_bytes()) {
        Some(encoding) => Ok(Charset(Some(encoding))),
        None => Err("this is no name of an encoding, such as utf-8, latin1, windows-1252, utf-16le, \
            shift_jis, gb18030 (https://encoding.spec.whatwg.org/#names-and-labels)"
            .into()),
    }
}

/// Octets, or with K, M or G 1024 of them, 1024 of those and so on.
fn read_size(word: &str) -> Result<u64, String> {
    let (digits, unit) = match word.as_bytes().last() {
        Some(b'K' | b'k') => (&word[..word.len() - 1], 1 << 10),
        Some(b'M' | b'm') => (&word[..word.len() - 1], 1 << 20),
        Some(b'G' | b'g') => (&word[..word.len() - 1], 1 << 30),
        _ => (word, 1_u64),
    };
    let is_number = !digits.is_empty() && digits.bytes().all(|octet| octet.is_ascii_digit());
    let size = digits.parse::<u64>().ok().filter(|_| is_number).and_then(|number| number.checked_mul(unit));
    size.ok_or_else(|| "a size is a number of octets, or one with K, M or G after it".into())
}

#[cfg(test)]
mod tests {
    use super::read_size;

    #[test]
    fn a_size_may_have_a_unit() {
        assert_eq!(
            ["7", "50K", "80m", "2G"].map(|word| read_size(word).ok()),
            [Some(7), Some(50 << 10), Some(80 << 20), Some(2 << 30)]
        );
        for word in ["", "K", "+1", "1.5M", "5T", "99999999999G"] {
            assert!(read_size(word).is_err(), "{word}");
        }
    }
}

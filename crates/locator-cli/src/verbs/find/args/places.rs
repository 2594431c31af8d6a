//! The options of `find` that select files, their formats and their order.

use std::path::PathBuf;

use clap::builder::{StringValueParser, TypedValueParser};
use clap::{Args, ValueEnum};
use encoding_rs::Encoding;
use ignore::types::TypesBuilder;
use locator_find::Format;

use super::super::ebcdic::CodePage;
use crate::arguments::Suggested;

/// Where it looks.
#[derive(Args, Debug)]
#[command(next_help_heading = "Which files")]
pub(in crate::verbs) struct Places {
    /// Files and directories to search; "-" is standard input. Without PATH, standard
    /// input is searched if it is a file or a pipe, else the working directory
    #[arg(value_name = "PATH", help_heading = None)]
    pub(in crate::verbs) paths: Vec<PathBuf>,
    /// Search only files of TYPE, such as html or rust; --type-list lists the types
    ///
    /// A type is a format that is read here or one of ripgrep's types. Standard input
    /// is read as the format.
    #[arg(short = 't', long = "type", value_name = "TYPE", hide_possible_values = true)]
    #[arg(value_parser = Suggested::new(StringValueParser::new(), types))]
    pub(in crate::verbs) types: Vec<String>,
    /// Do not search files of TYPE
    #[arg(short = 'T', long, value_name = "TYPE", hide_possible_values = true)]
    #[arg(value_parser = Suggested::new(StringValueParser::new(), types))]
    pub(in crate::verbs) type_not: Vec<String>,
    /// Print all types with their globs
    #[arg(long, conflicts_with = "paths")]
    pub(in crate::verbs) type_list: bool,
    /// Read all input as FORMAT, whatever its name and content
    #[arg(long = "as", value_name = "FORMAT", hide_possible_values = true)]
    #[arg(value_parser = Suggested::new(StringValueParser::new().try_map(|word| read_format(&word)), formats))]
    pub(in crate::verbs) format: Option<Format>,
    /// Split CSV and TSV at CHAR, or at "tab"
    ///
    /// The default is a tab for TSV, and for CSV the one in the first line: "," ";"
    /// "|" or a tab.
    #[arg(long, value_name = "CHAR", value_parser = read_separator)]
    pub(in crate::verbs) separator: Option<u8>,
    /// Search only files that match GLOB, or exclude them with '!GLOB', as in
    /// .gitignore
    #[arg(short, long, value_name = "GLOB")]
    pub(in crate::verbs) glob: Vec<String>,
    /// Search hidden files and directories
    #[arg(short = '.', long)]
    pub(in crate::verbs) hidden: bool,
    /// Do not use .gitignore, .ignore and similar files
    #[arg(long)]
    pub(in crate::verbs) no_ignore: bool,
    /// Search binary files as if they were text
    #[arg(short = 'a', long)]
    pub(in crate::verbs) text: bool,
    /// Search in compressed files and zip archives
    ///
    /// gzip, bzip2, xz, zstd and zip (also .docx, .odt and .epub) are recognised by
    /// their first bytes. The name of a file in an archive follows "!/".
    #[arg(short = 'z', long)]
    pub(in crate::verbs) search_zip: bool,
    /// Follow symbolic links
    #[arg(short = 'L', long)]
    pub(in crate::verbs) follow: bool,
    /// Descend at most NUM levels into directories
    #[arg(short = 'd', long, value_name = "NUM")]
    pub(in crate::verbs) max_depth: Option<usize>,
    /// Use NUM threads, at most 1024; 0, the default, is the number of processors
    #[arg(short = 'j', long, value_name = "NUM", default_value_t = 0, hide_default_value = true)]
    #[arg(value_parser = clap::value_parser!(u16).range(..=1024))]
    pub(in crate::verbs) threads: u16,
    #[command(flatten)]
    pub(in crate::verbs) rules: Rules,
}

/// Which files are read, how and in which order.
#[derive(Args, Debug)]
pub(in crate::verbs) struct Rules {
    /// Search the paths that are listed in FILE, one per line or each ended by NUL;
    /// "-" is standard input
    #[arg(long, value_name = "FILE")]
    pub(in crate::verbs) files_from: Vec<PathBuf>,
    /// Add a glob to a type or define a type, as 'web:*.{html,css}'
    ///
    /// Files that are added to a format, as by 'html:*.vm', are read as that format.
    #[arg(long, value_name = "TYPE:GLOB")]
    pub(in crate::verbs) type_add: Vec<String>,
    /// Read further ignore rules from FILE, in the syntax of .gitignore; globs in it
    /// are relative to the working directory
    #[arg(long, value_name = "FILE")]
    pub(in crate::verbs) ignore_file: Vec<PathBuf>,
    /// Ignore files in directories that are larger than NUM bytes: 500, 50K, 2G
    #[arg(long, value_name = "NUM", value_parser = read_size)]
    pub(in crate::verbs) max_filesize: Option<u64>,
    /// Read files in the encoding NAME, such as latin1 or cp037; "none" decodes
    /// nothing, "auto" is the default
    ///
    /// A byte order mark takes precedence, and mail declares its own encodings.
    /// Offsets and columns count bytes of the text in UTF-8.
    #[arg(short = 'E', long, value_name = "NAME", value_parser = read_encoding)]
    #[arg(default_value = "auto", hide_default_value = true)]
    encoding: Charset,
    /// Sort the files; with path and modified one thread searches
    #[arg(long, value_name = "HOW", value_enum, default_value = "none")]
    #[arg(overrides_with_all = ["sort", "sortr"])]
    sort: SortWord,
    /// Sort the files in reverse order
    #[arg(long, value_name = "HOW", value_enum, hide_possible_values = true)]
    #[arg(overrides_with_all = ["sort", "sortr"])]
    sortr: Option<SortWord>,
}

/// How the order of files is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::verbs) enum SortWord {
    /// Unsorted: as files are finished
    None,
    /// By path
    Path,
    /// By the time of the last change
    Modified,
}

/// The order of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::verbs) struct Order {
    /// What they are ordered by.
    pub(in crate::verbs) by: SortWord,
    /// Whether the last is the first.
    pub(in crate::verbs) is_reversed: bool,
}

/// The encoding that files have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::verbs) enum Charset {
    /// Each file declares its own.
    Declared,
    /// Bytes are read as they are, whatever files declare.
    Raw,
    /// All files have this one.
    Given(&'static Encoding),
    /// All files have this code page.
    Ebcdic(&'static CodePage),
}

impl Rules {
    /// The order of files.
    pub(in crate::verbs) const fn order(&self) -> Order {
        match self.sortr {
            Some(by) => Order { by, is_reversed: true },
            None => Order { by: self.sort, is_reversed: false },
        }
    }

    /// The encoding that all files have.
    pub(in crate::verbs) const fn encoding(&self) -> Charset {
        self.encoding
    }
}

/// The names of the Encoding standard, those of EBCDIC, "auto" and "none".
fn read_encoding(word: &str) -> Result<Charset, String> {
    match Encoding::for_label_no_replacement(word.as_bytes()) {
        _ if word.eq_ignore_ascii_case("auto") => Ok(Charset::Declared),
        _ if word.eq_ignore_ascii_case("none") => Ok(Charset::Raw),
        Some(encoding) => Ok(Charset::Given(encoding)),
        None => CodePage::of_name(word).map(Charset::Ebcdic).ok_or_else(|| {
            "unknown encoding; examples are utf-8, latin1, windows-1252, utf-16le, shift_jis, gb18030, \
            and cp037, cp500 and cp1047 of EBCDIC (https://encoding.spec.whatwg.org/#names-and-labels)"
                .into()
        }),
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
    size.ok_or_else(|| "expected a number of bytes, optionally with K, M or G".into())
}

/// The formats, for completions.
fn formats() -> Vec<String> {
    Format::ALL.map(|format| format.name().to_owned()).to_vec()
}

/// The formats and ripgrep's types, for completions.
fn types() -> Vec<String> {
    let others = TypesBuilder::new().add_defaults().definitions();
    let others = others.iter().map(|definition| definition.name().to_owned());
    formats().into_iter().chain(others.filter(|name| Format::from_name(name).is_none())).collect()
}

fn read_format(word: &str) -> Result<Format, String> {
    let names = || Format::ALL.map(Format::name).join(", ");
    Format::from_name(word).ok_or_else(|| format!("unknown format; the formats are {}", names()))
}

fn read_separator(word: &str) -> Result<u8, String> {
    match word.as_bytes() {
        b"tab" | b"\\t" => Ok(b'\t'),
        [octet] if octet.is_ascii() && !octet.is_ascii_alphanumeric() && !b"\"\r\n".contains(octet) => {
            Ok(*octet)
        }
        _ => {
            Err("expected \"tab\" or one ASCII character that is not a letter, digit, quote or line end"
                .into())
        }
    }
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

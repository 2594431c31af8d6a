//! What some verbs are asked besides: the base and how to resolve, the level of a normal form, what
//! to convert to, the two that are compared. Words of the command line in, the library's values out.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use locator::edition::{Empty, Leftover};
use locator::scheme::file::Platform;
use locator::{AddressReader, Ladder, Level, ResolveOptions};

use super::By;

/// What references are resolved against, and how.
#[derive(Args, Debug)]
pub(crate) struct Ground {
    /// The absolute URL of the document that the references stand in
    #[arg(short, long, value_name = "URL")]
    pub(crate) base: OsString,
    /// What becomes of ".." that leads above the root; if not given, the
    /// edition's own answer: "remove" by rfc3986 and rfc3987, "keep" by the others
    #[arg(long, value_name = "HOW", value_enum)]
    leftover: Option<LeftoverWord>,
    /// What an empty reference or "#s" means; if not given, the edition's own
    /// answer: "base" by rfc3986 and rfc3987, "document" by the others
    #[arg(long, value_name = "WHAT", value_enum)]
    empty: Option<EmptyWord>,
    /// A scheme that is the base's own counts for nothing, so that "http:g" is
    /// relative: for old documents
    #[arg(long)]
    same_scheme: bool,
}

impl Ground {
    /// The choices as the library has them.
    pub(crate) fn options(&self) -> ResolveOptions {
        let mut options = ResolveOptions::new().same_scheme_is_relative(self.same_scheme);
        if let Some(word) = self.leftover {
            options = options.leftover(match word {
                LeftoverWord::Keep => Leftover::Keep,
                LeftoverWord::Remove => Leftover::Remove,
                LeftoverWord::Refuse => Leftover::Refuse,
            });
        }
        match self.empty {
            None => options,
            Some(EmptyWord::Base) => options.empty(Empty::Base),
            Some(EmptyWord::Document) => options.empty(Empty::CurrentDocument),
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum LeftoverWord {
    /// It stays: http://a/../g
    Keep,
    /// It goes: http://a/g
    Remove,
    /// The reference is in error
    Refuse,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum EmptyWord {
    /// The base, as for a form's action
    Base,
    /// The current document, which need not be the base
    Document,
}

/// What references are relative to, and how.
#[derive(Args, Debug)]
pub(crate) struct Relation {
    #[command(flatten)]
    pub(crate) ground: Ground,
    /// Print a relative path (../d, not /d) where the URL has the base's scheme and
    /// host, also if it is longer
    #[arg(long)]
    path_relative: bool,
}

impl Relation {
    /// The choices as the library has them.
    pub(crate) fn options(&self) -> ResolveOptions {
        self.ground.options().path_relative(self.path_relative)
    }
}

/// Which normal form, and of what.
#[derive(Args, Debug)]
pub(crate) struct Normal {
    /// How much is known of the URLs
    #[arg(short, long, value_name = "LEVEL", value_enum, default_value = "scheme")]
    level: LevelWord,
    /// Print only the URLs that are not in normal form, as they are
    #[arg(short, long, conflicts_with = "repair")]
    pub(crate) check: bool,
    /// Print each normal form once
    #[arg(short, long, conflicts_with = "check")]
    pub(crate) unique: bool,
    #[command(flatten)]
    pub(crate) repair: RepairAsked,
}

/// Whether what is not valid is repaired first.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct RepairAsked {
    /// Escape what no URL may hold, as browsers do: a space, "|", é; standard error
    /// tells what was read
    #[arg(long)]
    pub(crate) repair: bool,
}

impl Normal {
    /// The level as the library has it.
    pub(crate) const fn level(&self) -> Level {
        match self.level {
            LevelWord::Syntax => Level::Syntax,
            LevelWord::Scheme => Level::Scheme,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum LevelWord {
    /// The edition: case, escapes, dot segments (RFC 3986, 6.2.2)
    Syntax,
    /// The scheme too: its default port, its empty path (6.2.3)
    Scheme,
}

/// Which paths are made URIs of.
#[derive(Args, Debug)]
pub(crate) struct FileAsked {
    #[command(flatten)]
    pub(crate) platform: PlatformAsked,
    /// The paths are those of directories, so that each URL ends with "/"
    #[arg(short, long)]
    pub(crate) directory: bool,
}

/// Whose paths are meant.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct PlatformAsked {
    /// Whose paths are meant; if not given, those of this machine
    #[arg(short, long, value_name = "PLATFORM", value_enum)]
    platform: Option<PlatformWord>,
}

impl PlatformAsked {
    /// The platform as the library has it, if one is named.
    pub(crate) fn named(self) -> Option<Platform> {
        self.platform.map(|word| match word {
            PlatformWord::Posix => Platform::Posix,
            PlatformWord::Windows => Platform::Windows,
        })
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum PlatformWord {
    /// /home/jan/a.txt
    Posix,
    /// C:\Users\jan\a.txt, \\server\share\a.txt
    Windows,
}

/// What IRIs and URIs are converted to.
#[derive(Args, Debug)]
pub(crate) struct Conversion {
    /// The other way round: undo the escapes of what an IRI may have as it is
    #[arg(long)]
    pub(crate) to_iri: bool,
    /// Hosts are domain names: write them in ASCII (xn--…), not as escapes
    #[arg(long, conflicts_with = "to_iri")]
    pub(crate) idna: bool,
}

/// The two that are compared, and how.
#[derive(Args, Debug)]
pub(crate) struct Compared {
    /// The first URL; with --lists, a file of URLs, one a line
    #[arg(value_name = "A")]
    pub(crate) first: OsString,
    /// The second URL; with --lists, a file of URLs, one a line
    #[arg(value_name = "B")]
    pub(crate) second: OsString,
    #[command(flatten)]
    pub(crate) by: By,
    /// A redirect that was seen, from one URL to another; may be given several
    /// times
    #[arg(short, long, num_args = 2, value_names = ["FROM", "TO"])]
    pub(crate) redirect: Vec<OsString>,
    /// A file of redirects that were seen, one a line: two URLs with white space
    /// between them; "-" is standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) redirects: Vec<PathBuf>,
    /// Fragments take no part
    #[arg(long)]
    pub(crate) ignore_fragment: bool,
    /// Hosts are domain names: one in letters and its ASCII form (xn--…) are the
    /// same
    #[arg(long)]
    pub(crate) idna: bool,
    /// Hosts that READER takes for IPv4 addresses, such as 0177.0.0.1, are compared
    /// as addresses
    #[arg(long, value_name = "READER", value_enum)]
    addresses: Option<ReaderWord>,
    /// A and B are files of URLs: print the URLs that only one of them has; "-" is
    /// standard input
    #[arg(long, conflicts_with_all = ["redirect", "redirects"])]
    pub(crate) lists: bool,
    /// One JSON object, for programs
    #[arg(long)]
    pub(crate) json: bool,
    /// Say nothing; the exit status tells
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

impl Compared {
    /// How the two are compared, but for redirects.
    pub(crate) fn ladder(&self) -> Ladder<'static> {
        let mut ladder = Ladder::new();
        if self.ignore_fragment {
            ladder = ladder.without_fragments();
        }
        if self.idna {
            ladder = ladder.with_domain_names();
        }
        match self.addresses {
            None => ladder,
            Some(ReaderWord::InetAton) => ladder.with_addresses(AddressReader::InetAton),
            Some(ReaderWord::Url) => ladder.with_addresses(AddressReader::Url),
            Some(ReaderWord::Decimal) => ladder.with_addresses(AddressReader::Decimal),
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ReaderWord {
    /// The C library, curl, wget: octal, hexadecimal, one to four numbers
    InetAton,
    /// Browsers and Node: the same, and a dot at the end
    Url,
    /// Java: decimal with leading zeros, one to four numbers
    Decimal,
}

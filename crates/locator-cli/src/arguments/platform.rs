//! The platform whose paths are meant: a word of the command line in, the library's value out.

use clap::{Args, ValueEnum};
use locator::scheme::file::Platform;

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

//! The argument `--platform`, converted to the library's type.

use clap::{Args, ValueEnum};
use locator::scheme::file::Platform;

/// The option `--platform`.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct PlatformArgs {
    /// Use paths of PLATFORM; the default is the current platform
    #[arg(short, long, value_name = "PLATFORM", value_enum)]
    platform: Option<PlatformWord>,
}

impl PlatformArgs {
    /// Returns the platform, if one is given.
    pub(crate) fn named(self) -> Option<Platform> {
        self.platform.map(|word| match word {
            PlatformWord::Posix => Platform::Posix,
            PlatformWord::Windows => Platform::Windows,
            PlatformWord::Vms => Platform::Vms,
        })
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum PlatformWord {
    /// /home/jan/a.txt
    Posix,
    /// C:\Users\jan\a.txt, \\server\share\a.txt
    Windows,
    /// DISK$USER:[MY.NOTES]A.TXT
    Vms,
}

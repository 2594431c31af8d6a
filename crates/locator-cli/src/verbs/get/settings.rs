//! The options of connections: time limits, IP versions and certificates; and those of what is on this
//! machine.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use locator_fetch::blocking::Fetcher;
use locator_fetch::{Family, Trust};

use super::connect::ConnectArgs;
use super::mailer::Mailer;
use super::person::Person;
use crate::arguments::size;
use crate::exit::CliError;

/// The options of connections.
#[derive(Args, Debug)]
pub(super) struct SettingArgs {
    /// Fail if a transfer takes longer than SECONDS
    #[arg(short, long, value_name = "SECONDS", value_parser = seconds)]
    max_time: Option<Duration>,
    /// Fail if connecting takes longer than SECONDS; the default is 30
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    connect_timeout: Option<Duration>,
    /// Fail if nothing is received for SECONDS; the default is 60
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    idle_timeout: Option<Duration>,
    /// Fail if a file is larger than SIZE bytes (suffix K, M or G)
    #[arg(long, value_name = "SIZE", value_parser = size)]
    max_filesize: Option<usize>,
    /// Limit the transfer speed to SIZE bytes per second (suffix K, M or G)
    #[arg(long, value_name = "SIZE", value_parser = size)]
    limit_rate: Option<usize>,
    /// Fail if a transfer is slower than SIZE bytes per second for --speed-time
    #[arg(short = 'Y', long, value_name = "SIZE", value_parser = size)]
    speed_limit: Option<usize>,
    /// Allow a transfer to be slower than --speed-limit for SECONDS; the default is 30
    #[arg(short = 'y', long, value_name = "SECONDS", value_parser = seconds)]
    speed_time: Option<Duration>,
    /// Use IPv4 addresses only
    #[arg(short = '4', long, overrides_with = "ipv6")]
    ipv4: bool,
    /// Use IPv6 addresses only
    #[arg(short = '6', long)]
    ipv6: bool,
    /// Do not verify the server's certificate; anybody may then read and change what is
    /// sent
    #[arg(short = 'k', long, conflicts_with = "cacert")]
    insecure: bool,
    /// Verify servers with the CA certificates in FILE (PEM) instead of the system's
    #[arg(long, value_name = "FILE")]
    cacert: Option<PathBuf>,
    #[command(flatten)]
    connect: ConnectArgs,
    /// Look up mid: and cid: messages, and news: articles before asking a server, in FILE, an mbox or
    /// a single message
    #[arg(long, value_name = "FILE")]
    messages: Vec<OsString>,
    /// Open the draft of a mailto: URL in the mail program, xdg-email or that of --program
    /// mailto=COMMAND; only you can send it
    #[arg(long, conflicts_with_all = ["destination", "json", "plan"])]
    open: bool,
}

impl SettingArgs {
    /// Returns the fetcher with these settings; a user's own URLs have no other limits.
    pub(super) fn fetcher(&self, fetcher: Fetcher) -> Result<Fetcher, CliError> {
        let mut fetcher = fetcher.timeout(Duration::MAX).max_size(u64::MAX).min_speed(0, Duration::ZERO);
        if let Some(time) = self.connect_timeout {
            fetcher = fetcher.connect_timeout(time);
        }
        if let Some(time) = self.idle_timeout {
            fetcher = fetcher.read_timeout(time);
        }
        if let Some(time) = self.max_time {
            fetcher = fetcher.timeout(time);
        }
        if let Some(size) = self.max_filesize() {
            fetcher = fetcher.max_size(size);
        }
        // As in curl, a time without a speed means one byte a second.
        if let Some(speed) = self.speed_limit.or(self.speed_time.and(Some(1))) {
            let time = self.speed_time.unwrap_or(Duration::from_secs(30));
            fetcher = fetcher.min_speed(speed as u64, time);
        }
        let family = match (self.ipv4, self.ipv6) {
            (true, _) => Family::Ipv4,
            (_, true) => Family::Ipv6,
            _ => Family::Any,
        };
        let trust = match &self.cacert {
            _ if self.insecure => Trust::Anything,
            Some(file) => Trust::File(file.clone()),
            None => Trust::System,
        };
        self.connect.fetcher(fetcher.family(family).trust(trust))
    }

    /// Returns the options of connections.
    pub(super) const fn connect(&self) -> &ConnectArgs {
        &self.connect
    }

    /// Returns whether certificates of servers are verified.
    pub(super) const fn verifies(&self) -> bool {
        !self.insecure
    }

    /// Returns the largest size of a file.
    pub(super) fn max_filesize(&self) -> Option<u64> {
        self.max_filesize.map(|size| size as u64)
    }

    /// Returns the user: a terminal, messages, and a mail program, which may be chosen.
    pub(super) fn person(&self, mail_program: Option<Vec<String>>) -> Person {
        Person::new(self.messages.clone(), self.open.then(|| Mailer::new(mail_program)))
    }

    /// Returns how many bytes are read per second.
    pub(super) const fn rate(&self) -> Option<usize> {
        self.limit_rate
    }
}

pub(crate) fn seconds(word: &str) -> Result<Duration, String> {
    let wrong = || "expected a number of seconds: 30 or 0.5".to_owned();
    let number: f64 = word.parse().map_err(|_| wrong())?;
    Duration::try_from_secs_f64(number).ok().filter(|time| !time.is_zero()).ok_or_else(wrong)
}

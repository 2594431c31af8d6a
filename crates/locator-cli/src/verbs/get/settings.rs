//! The settings of a fetch: limits, versions of IP, trust, and what the user has.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use locator_fetch::blocking::Fetcher;
use locator_fetch::run::Limits;
use locator_fetch::{Family, Trust};

use super::person::Person;
use crate::arguments::size;

/// How a server is contacted.
#[derive(Args, Debug)]
pub(super) struct SettingArgs {
    /// End each fetch with an error after SECONDS
    #[arg(short, long, value_name = "SECONDS", value_parser = seconds)]
    max_time: Option<Duration>,
    /// Wait SECONDS for a connection; the default is 30
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    connect_timeout: Option<Duration>,
    /// Wait SECONDS for the server while nothing happens; the default is 60
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    idle_timeout: Option<Duration>,
    /// Read at most SIZE bytes a second (suffix K, M or G)
    #[arg(long, value_name = "SIZE", value_parser = size)]
    limit_rate: Option<usize>,
    /// Connect by IPv4 only
    #[arg(short = '4', long, conflicts_with = "ipv6")]
    ipv4: bool,
    /// Connect by IPv6 only
    #[arg(short = '6', long)]
    ipv6: bool,
    /// Accept any certificate: the connection is then secret, but not its other end
    #[arg(short = 'k', long, conflicts_with = "cacert")]
    insecure: bool,
    /// Trust the certificates in FILE, in PEM, instead of those of the system
    #[arg(long, value_name = "FILE")]
    cacert: Option<PathBuf>,
    /// Look for what mid and cid URLs identify in FILE: an mbox, or one message
    #[arg(long, value_name = "FILE")]
    messages: Vec<OsString>,
}

impl SettingArgs {
    /// Returns the fetcher with these settings.
    pub(super) fn fetcher<'o>(&self, fetcher: Fetcher<'o>) -> Fetcher<'o> {
        let defaults = Limits::default();
        let limits = Limits {
            connect: self.connect_timeout.map_or(defaults.connect, milliseconds),
            idle: self.idle_timeout.map_or(defaults.idle, milliseconds),
            whole: self.max_time.map(milliseconds),
            ..defaults
        };
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
        fetcher.limits(limits).family(family).trust(trust)
    }

    /// Returns what the user has: a terminal, and messages.
    pub(super) fn person(&self) -> Person {
        Person::new(self.messages.clone())
    }

    /// Returns how many bytes a second are read.
    pub(super) const fn rate(&self) -> Option<usize> {
        self.limit_rate
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX).max(1)
}

fn seconds(word: &str) -> Result<Duration, String> {
    let wrong = || "expected a number of seconds: 30 or 0.5".to_owned();
    let number: f64 = word.parse().map_err(|_| wrong())?;
    Duration::try_from_secs_f64(number).ok().filter(|time| !time.is_zero()).ok_or_else(wrong)
}

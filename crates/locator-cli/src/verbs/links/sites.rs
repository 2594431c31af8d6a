//! The options of sites, whose pages are all read.

use clap::Args;
use locator_links::{Limits, Unread};

use crate::exit::say;
use crate::output::progress::grouped;
use crate::report::plural;

/// Which pages of sites are read.
#[derive(Args, Debug)]
#[command(next_help_heading = "Which links")]
pub(super) struct Sites {
    /// Check all pages of the site of each URL
    ///
    /// The site has the pages with the scheme, host and port of URL that links of its pages
    /// lead to. Those that robots.txt disallows for "locator" or "*" are not fetched
    /// (RFC 9309).
    #[arg(short, long, conflicts_with_all = ["offline", "since"])]
    pub(super) recursive: bool,
    /// With -r, read at most NUMBER pages
    #[arg(long, value_name = "NUMBER", default_value_t = Limits::default().pages, requires = "recursive")]
    max_pages: u64,
    /// With -r, read at most NUMBER pages that differ only in what follows the "?"
    #[arg(long, value_name = "NUMBER", default_value_t = Limits::default().per_path, requires = "recursive")]
    max_per_path: u64,
    /// With -r, also fetch pages that robots.txt disallows
    #[arg(long, requires = "recursive")]
    pub(super) ignore_robots: bool,
}

impl Sites {
    pub(super) fn limits(&self) -> Limits {
        Limits { pages: self.max_pages, per_path: self.max_per_path }
    }

    /// Says how many pages were not read, and why.
    pub(super) fn say_unread(&self, unread: Unread) {
        let Unread { pages, per_path, unreadable } = unread;
        let were =
            |number| format!("{} {}", plural(number, "page"), if number == 1 { "was" } else { "were" });
        if pages > 0 {
            let limit = grouped(self.max_pages);
            say(&format!("{} not read, since --max-pages is {limit}", were(pages)));
        }
        if per_path > 0 {
            let limit = grouped(self.max_per_path);
            say(&format!("{} not read, since --max-per-path is {limit}", were(per_path)));
        }
        if unreadable > 0 {
            say(&format!(
                "{} not read: larger than 16 MiB, compressed, or only shown with a cookie",
                were(unreadable)
            ));
        }
    }
}

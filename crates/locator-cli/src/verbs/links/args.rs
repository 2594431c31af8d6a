//! The options of `links`.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use locator_links::pace::Pace;
use locator_links::{Code, Filter, Outcome, Rules, Settings};
use regex::Regex;

use super::answer::{Answer, Chosen, Mend};
use super::format::Format;
use super::lychee::Lychee;
use super::servers::Servers;
use super::sites::Sites;
use crate::arguments::{daily, long_help, short_help};
use crate::exit::{CliError, say, wrong};
use crate::output::{self, Output};
use crate::terminal::visible;
use crate::verbs::find::Places;

/// Check that the links of files and sites lead somewhere
///
/// Reads each document by its format (HTML, Markdown, mail, …) and looks at the files, headings and
/// servers that its links lead to. A link is broken only if it is certainly dead; what may be alive is
/// unknown. Common options: --offline asks no server, --json is for programs.
#[derive(Args, Debug)]
#[command(after_help = short_help(EXAMPLES, 4), after_long_help = long_help(DETAILS, EXAMPLES))]
#[command(mut_arg("paths", |paths| paths.help(PATHS)))]
#[command(mut_args(|option| daily(option, DAILY)))]
pub(crate) struct LinksArgs {
    #[command(flatten)]
    pub(super) places: Places,
    #[command(flatten)]
    pub(super) links: Which,
    #[command(flatten)]
    pub(super) sites: Sites,
    #[command(flatten)]
    pub(super) servers: Servers,
    #[command(flatten)]
    pub(super) answer: Answer,
    /// Read this configuration of lychee 0.24 instead of lychee.toml in the working directory
    ///
    /// It may leave out links and files, and slow the run. Keys that send headers or secrets,
    /// start programs or reach private addresses are not used; those are named. Options on the
    /// command line take precedence. The patterns of .lycheeignore are read, too. The numbers
    /// say how many links and files they leave out.
    #[arg(long, value_name = "FILE", conflicts_with = "list", help_heading = "Which links")]
    config: Option<PathBuf>,
    /// Read no configuration that is beside the documents: lychee.toml, .lycheeignore, and
    /// those of generators of sites such as book.toml
    #[arg(long, conflicts_with = "config", help_heading = "Which links")]
    pub(super) no_config: bool,
    /// What the configuration says.
    #[arg(skip)]
    pub(super) lychee: Arc<Lychee>,
    #[command(flatten)]
    pub(super) mend: Mend,
    /// List all codes: outcome, name and meaning
    #[arg(long, conflicts_with = "paths", help_heading = "Output")]
    pub(super) list: bool,
}

/// The options that `-h` prints.
const DAILY: &str = "recursive type glob offline private root-dir exclude since show fail-on baseline json \
    format fix diff";

const PATHS: &str = "Files, directories and URLs of pages to check; \"-\" is standard input. Without PATH, standard \
    input is read if it is a file or a pipe, else the working directory";

/// After the options: examples and exit status.
const EXAMPLES: &str = "\
Examples:
  locator links .
  locator links --offline docs/ README.md
  locator links -r http://localhost:8000/
  locator links --root-dir public public/
  locator links --json docs/ | jq -r 'select(.outcome==\"broken\").url'
  git ls-files '*.md' | locator links --files-from -
  locator links --diff . | git apply
  locator links --since origin/main .
  locator links --format github --format \"markdown=$GITHUB_STEP_SUMMARY\" .
  locator links --json . > known.json
  locator links --baseline known.json .
  locator links --baseline ci/broken.json --grace 3d .
  locator links --cache=.links-cache .

Exit status:
  0    no link is broken
  1    a link is broken, or has another outcome of --fail-on
  2    wrong usage, no network, or a file could not be read or written
  130  interrupted";

/// Before the examples in `--help`: input and output.
const DETAILS: &str = "\
Input:
  Documents are found and read as by 'locator find', of directories only HTML,
  Markdown and what else people read, not source code and data; -t names other
  types (-t all: every known one), and PATH any file. What is a link depends on
  the format: in HTML and Markdown links, images and what else is loaded, in
  plain text what is certainly a URL. Relative links are resolved against the
  base that the document declares, else against the document itself.

Outcomes:
  broken      certainly dead: a missing file, a missing heading or id in a file
              whose names are all known, a reference that no browser can repair
  refused     the policy forbids where the link leads
  unknown     it cannot be known now: a fragment that a script may read, a page
              that is made from a file that exists
  redirected  alive, at another URL
  skipped     not checked: templates, code, reserved names, mailto: and others
  ok          the target is there

  'locator links --list' prints the codes, which say why.

Output:
  One line for each link that is broken, refused or unknown:
    FILE:LINE:COLUMN: error: URL: what happened; did you mean \"…\"?
  Those of a file are together, the broken ones first. Names that scripts make,
  such as #L10, are only counted. --show chooses the outcomes. The numbers are
  printed on standard error.

Formats:
  --format junit has a suite for each file with links, --format sarif is for
  code scanning, --format markdown is a table. They have the links that the
  text has. --format github has at most ten annotations, one for each URL.

Mending:
  --fix replaces a link if its redirects are all permanent (301, 308) and
  end at a page (200) that is certainly the same one; or if a file or
  heading that does not exist differs by its case, or by one letter, from a
  single one that does. Doubtful links are kept: --show redirected,broken
  says why. A file is replaced at once, and not if it has changed meanwhile.
  The exit status is that of the mended files; that of --diff is that of the
  files as they are.

JSON:
  With --json one object for each link, in the order of the files:
    {\"file\":…,\"line\":…,\"column\":…,\"offset\":…,\"length\":…,\"url\":…,\"absolute\":…,
     \"outcome\":…,\"code\":…,\"status\":…,\"reason\":…,
     \"hops\":[{\"status\":…,\"url\":…},…],\"final\":…,\"seen\":…,
     \"broken_since\":…,\"suggestion\":…,\"fixed\":…,\"not_fixed\":…}
  \"offset\" and \"length\" count bytes of the file from 0; \"broken_since\" is for
  URLs within --grace. Keys without a value are left out. If lychee.toml,
  .lycheeignore or comments leave links or files out, a last line
  {\"left_out\":…} has their numbers.";

/// Which links are checked.
#[derive(Args, Debug)]
#[command(next_help_heading = "Which links")]
pub(super) struct Which {
    /// Ask no server; check only files and their headings and ids
    #[arg(long)]
    pub(super) offline: bool,
    /// Also check private addresses, such as http://localhost:8000/, and file: URLs
    #[arg(long)]
    pub(super) private: bool,
    /// Also check URLs in code
    #[arg(long)]
    pub(super) include_verbatim: bool,
    /// Look up links that begin with "/" in DIR
    #[arg(long, value_name = "DIR")]
    pub(super) root_dir: Option<PathBuf>,
    /// Resolve relative links against URL, where the documents are published
    ///
    /// With --root-dir, links to URL are looked up in DIR, and not asked for.
    #[arg(long, value_name = "URL")]
    pub(super) base_url: Option<String>,
    /// Check only links that match REGEX
    ///
    /// REGEX is matched against the absolute URL.
    #[arg(long, value_name = "REGEX")]
    include: Vec<Regex>,
    /// Do not check links that match REGEX
    #[arg(long, value_name = "REGEX")]
    exclude: Vec<Regex>,
    /// Check only links that a change since the git revision REF may have broken
    ///
    /// These are links on lines that were added or changed, and links to files, headings and
    /// ids that were removed or renamed. What has changed is what differs from the last commit
    /// that REF and HEAD have in common.
    #[arg(long, value_name = "REF")]
    pub(super) since: Option<String>,
}

/// The pause between two requests to one server.
const INTERVAL: Duration = Duration::from_millis(50);

impl LinksArgs {
    /// Reads the configuration. What it turns on, the command line need not.
    pub(super) fn configure(&mut self) -> Result<(), CliError> {
        let mut lychee = match self.no_config {
            true => Lychee::default(),
            false => Lychee::read(self.config.as_deref())?,
        };
        if !self.answer.quiet && !self.answer.no_messages {
            lychee.unused.iter().for_each(|why| say(why));
        }
        let Self { places, links, .. } = self;
        // What the user asks for is nothing that a file leaves out.
        lychee.is_offline &= !links.offline;
        links.offline |= lychee.is_offline;
        links.include_verbatim |= lychee.includes_code;
        places.hidden |= lychee.is_hidden;
        places.no_ignore |= lychee.no_ignore;
        if links.root_dir.is_none() {
            links.root_dir.clone_from(&lychee.root_dir);
        }
        if let Some(threads) = lychee.threads.filter(|_| places.threads == 0) {
            places.threads = threads;
        }
        self.lychee = Arc::new(lychee);
        Ok(())
    }

    /// Returns how long an answer is waited for.
    pub(super) fn timeout(&self) -> Duration {
        self.servers.timeout.or(self.lychee.timeout).unwrap_or(Duration::from_secs(20))
    }

    /// Returns where the documents are published.
    pub(super) fn base_url(&self) -> Option<&String> {
        self.links.base_url.as_ref().or(self.lychee.base_url.as_ref())
    }

    /// Returns how servers are asked.
    pub(super) fn settings(&self) -> Settings {
        let Servers { max_wait, per_host, interval, at_once, .. } = self.servers;
        let lychee = &self.lychee;
        let pace = Pace {
            at_once: per_host.or(lychee.per_host).unwrap_or(10).into(),
            interval: match interval {
                // No server is asked.
                _ if self.links.offline => Duration::ZERO,
                Some(interval) => interval,
                None => lychee.interval.map_or(INTERVAL, |own| own.max(INTERVAL)),
            },
            max_wait,
        };
        let at_once = at_once.or(lychee.at_once).unwrap_or(100).into();
        Settings { pace, at_once, is_private: self.links.private }
    }

    /// Returns the rules for links.
    pub(super) fn rules(&self, paths: &[PathBuf]) -> Result<Rules, CliError> {
        let Which { offline, private, include_verbatim, root_dir, .. } = &self.links;
        let absolute = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
        if let Some(root) = root_dir.as_ref().filter(|root| !root.is_dir()) {
            let name = visible(&root.to_string_lossy()).to_string();
            return Err(wrong(&format!("--root-dir \"{name}\" is not a directory")));
        }
        Ok(Rules {
            root: root_dir.as_ref().map(absolute),
            published: self.base_url().cloned().filter(|_| root_dir.is_some()),
            includes_code: *include_verbatim,
            is_private: *private,
            keeps_all: self.keeps_all(),
            // What the cache has is known.
            is_offline: *offline && self.servers.cache.is_none(),
            reads_configurations: !self.no_config,
            named: paths.iter().map(absolute).collect(),
        })
    }

    /// Returns the files that this program writes and reads, whose URLs are no links.
    pub(super) fn own_files(&self) -> impl Iterator<Item = &Path> {
        let written = self.answer.reports.iter().filter_map(|target| target.file.as_deref());
        let cache = self.servers.cache.iter().flatten().map(PathBuf::as_path);
        self.answer.baseline.iter().map(Path::new).chain(written).chain(cache)
    }

    /// Returns whether links are needed that are certainly good.
    fn keeps_all(&self) -> bool {
        let Answer { show, json, reports, .. } = &self.answer;
        let json = *json || reports.iter().any(|target| target.format == Format::Json);
        let is_shown = |outcome| Chosen::have(show, outcome);
        // Only links on lines that have changed are counted.
        self.links.since.is_some()
            || json && show.is_empty()
            || is_shown(Outcome::Ok)
            || is_shown(Outcome::Skipped)
    }

    /// Returns what decides by its text whether a URL is checked.
    pub(super) fn filter(&self) -> Option<Filter> {
        let (include, exclude) = (self.links.include.clone(), self.links.exclude.clone());
        let lychee = Arc::clone(&self.lychee);
        if include.is_empty() && exclude.is_empty() && lychee.wants_all() {
            return None;
        }
        Some(Box::new(move |url: &str| {
            let is_wanted = (include.is_empty() || include.iter().any(|regex| regex.is_match(url)))
                && !exclude.iter().any(|regex| regex.is_match(url));
            match () {
                () if !is_wanted => Some(Code::Excluded),
                () if !lychee.wants(url) => Some(Code::ExcludedByFile),
                () => None,
            }
        }))
    }
}

/// Writes all codes.
pub(super) fn list(out: &mut Output) -> io::Result<()> {
    Code::ALL.iter().try_for_each(|code| {
        output::line(out, &format!("{:<11} {:<27} {}", code.outcome().name(), code.name(), code.meaning()))
    })
}

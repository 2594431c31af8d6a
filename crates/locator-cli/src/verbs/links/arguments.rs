//! The options of `links`, and what follows from them: the rules for links, how servers are asked, what is printed and where
//! to, what counts as a failure, and what is mended.

use std::ffi::OsString;
use std::fs::DirBuilder;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use locator_links::mend::RedirectScope;
use locator_links::pace::Pace;
use locator_links::{
    Cache, Code, CrawlLimits, GITHUB_API, LinkRules, Outcome, OwnHeader, OwnLogin, Settings, UnreadPages,
    UrlFilter, origin_of,
};
use locator_web::report::quantity::grouped;
use regex::Regex;

use super::lychee::Lychee;
use super::sites::{ChosenSites, GeneratorOptions, sections_here};
use crate::arguments::netrc::{self, Login};
use crate::arguments::{daily, long_help, short_help};
use crate::exit::{CliError, say, wrong};
use crate::input::files::Named;
use crate::output::{self, Output};
use crate::report::plural;
use crate::terminal::visible;
use crate::verbs::find::{self, FileArgs};

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
    pub(super) places: FileArgs,
    #[command(flatten)]
    pub(super) links: LinkOptions,
    #[command(flatten)]
    pub(super) sites: SiteOptions,
    #[command(flatten)]
    generators: GeneratorOptions,
    /// What the options and the configuration say of generators.
    #[arg(skip)]
    chosen_sites: ChosenSites,
    #[command(flatten)]
    pub(super) servers: ServerOptions,
    #[command(flatten)]
    pub(super) answer: OutputOptions,
    /// Read this configuration of lychee 0.24 instead of lychee.toml in the working directory
    ///
    /// It may leave out links and files, and slow the run. Keys that send headers or secrets,
    /// start programs or reach private addresses are not used; those are named. Options on the
    /// command line take precedence. The patterns of .lycheeignore are read, too. The numbers
    /// say how many links and files they leave out.
    #[arg(long, value_name = "FILE", conflicts_with = "list", help_heading = "Which links")]
    config: Option<PathBuf>,
    /// Read no configuration that is beside the documents: locator.toml, lychee.toml,
    /// .lycheeignore, and those of generators of sites such as book.toml
    #[arg(long, conflicts_with = "config", help_heading = "Which links")]
    no_config: bool,
    /// What the configuration says.
    #[arg(skip)]
    pub(super) lychee: Arc<Lychee>,
    #[command(flatten)]
    pub(super) mend: MendOptions,
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
  locator links --offline --site hugo=docs .
  locator links --offline --built docs=docs/public docs
  locator links --offline --explain docs/guide.md:12

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

Sites:
  Documents of a generator (Docusaurus, MkDocs, mdBook, Hugo, Jekyll, Sphinx
  and others) are published as pages, whose links are looked up in a map of
  the site that its configuration and the names of its files make. What only
  a plugin or a build knows is unknown. docs/links.md has what is known of
  each generator.

Outcomes:
  broken      certainly dead: a missing file, a page that a site does not have,
              a missing heading or id in a file whose names are all known, a
              reference that no browser can repair
  refused     the policy forbids where the link leads
  unknown     it cannot be known now: a fragment that a script may read, a page
              that a build may make, data of tests
  redirected  alive, at another URL
  skipped     not checked: templates, code, reserved names, mailto: and others
  ok          the target is there

  'locator links --list' prints the codes, which say why.

Output:
  One line for each link that is broken or refused, or unknown because of its
  server:
    FILE:LINE:COLUMN: error: URL: what happened; did you mean \"…\"?
  Those of a file are together, the broken ones first. What only a script or a
  build could tell is counted by its code. --show chooses the outcomes. The
  numbers, the sites that were found and the reasons why links are unknown or
  skipped are printed on standard error. --explain FILE:LINE says how the links
  of a line were judged.

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
    {\"file\":…,\"line\":…,\"column\":…,\"offset\":…,\"length\":…,\"url\":…,\"written\":…,
     \"absolute\":…,\"outcome\":…,\"code\":…,\"status\":…,\"reason\":…,
     \"hops\":[{\"status\":…,\"url\":…},…],\"final\":…,\"seen\":…,
     \"broken_since\":…,\"suggestion\":…,\"fixed\":…,\"not_fixed\":…}
  \"offset\" and \"length\" count bytes of the file from 0; \"broken_since\" is for
  URLs within --grace. Keys without a value are left out. If lychee.toml,
  .lycheeignore or comments leave links or files out, a last line
  {\"left_out\":…} has their numbers.";

/// Which links are checked.
#[derive(Args, Debug)]
#[command(next_help_heading = "Which links")]
pub(super) struct LinkOptions {
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
        let mut sections = if self.no_config { Vec::new() } else { sections_here()? };
        sections.append(&mut lychee.sites);
        self.chosen_sites = self.generators.chosen(sections)?;
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
        let ServerOptions { max_wait, per_host, interval, at_once, .. } = self.servers;
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
    pub(super) fn rules(&self, inputs: &Inputs) -> Result<LinkRules, CliError> {
        let LinkOptions { offline, private, include_verbatim, root_dir, .. } = &self.links;
        let absolute = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
        if let Some(root) = root_dir.as_ref().filter(|root| !root.is_dir()) {
            let name = visible(&root.to_string_lossy()).to_string();
            return Err(wrong(&format!("--root-dir \"{name}\" is not a directory")));
        }
        Ok(LinkRules {
            root: root_dir.as_ref().map(absolute),
            published: self.base_url().cloned().filter(|_| root_dir.is_some()),
            includes_code: *include_verbatim,
            is_private: *private,
            keeps_all: self.keeps_all(),
            // What the cache has is known.
            is_offline: *offline && self.servers.cache.is_none(),
            reads_configurations: !self.no_config,
            named: inputs.named.iter().map(absolute).collect(),
            sites: self.chosen_sites.sites.clone(),
            built: self.chosen_sites.built.clone(),
            is_site_only: self.chosen_sites.is_only,
            explains: self.answer.explain.is_some(),
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
        let OutputOptions { show, json, reports, .. } = &self.answer;
        let json = *json || reports.iter().any(|target| target.format == Format::Json);
        let is_shown = |outcome| ChosenOutcomes::have(show, outcome);
        // Only links on lines that have changed are counted.
        self.links.since.is_some()
            || self.answer.explain.is_some()
            || json && show.is_empty()
            || is_shown(Outcome::Ok)
            || is_shown(Outcome::Skipped)
    }

    /// Returns what decides by its text whether a URL is checked.
    pub(super) fn filter(&self) -> Option<UrlFilter> {
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
pub(super) fn list_codes(out: &mut Output) -> io::Result<()> {
    Code::ALL.iter().try_for_each(|code| {
        output::line(out, &format!("{:<11} {:<27} {}", code.outcome().name(), code.name(), code.meaning()))
    })
}

/// Which links are mended.
#[derive(Args, Debug)]
#[command(next_help_heading = "Mending")]
pub(super) struct MendOptions {
    /// Replace links in their files: moved pages by their new URLs, misspelled files and
    /// headings by the only one that can be meant
    ///
    /// Pages count as moved if all redirects are permanent and end on the same registrable
    /// domain ("domain"), or with "any" on any domain. Nothing else in the files changes.
    #[arg(long, value_name = "SCOPE", num_args = 0..=1, require_equals = true)]
    #[arg(value_parser = scope, default_missing_value = "domain")]
    pub(super) fix: Option<RedirectScope>,
    /// Print what --fix would change, as a patch for 'git apply', and change nothing
    #[arg(long, conflicts_with_all = ["json", "reports", "show", "quiet"])]
    pub(super) diff: bool,
}

/// What is printed.
#[derive(Args, Debug)]
#[command(next_help_heading = "Output")]
pub(super) struct OutputOptions {
    /// Print the links of these outcomes, separated by ","; "all" are all of them
    ///
    /// Without it, links are printed that are broken, refused or unknown, or that --fail-on
    /// names; with --json all are.
    #[arg(long, value_name = "OUTCOME", value_delimiter = ',', value_parser = outcomes)]
    pub(super) show: Vec<ChosenOutcomes>,
    /// Exit with status 1 if a link has one of these outcomes, separated by ","
    #[arg(long, value_name = "OUTCOME", value_delimiter = ',', value_parser = outcomes)]
    #[arg(default_value = "broken")]
    pub(super) fail_on: Vec<ChosenOutcomes>,
    /// Exit with status 1 if there is no link at all
    #[arg(long)]
    pub(super) fail_on_empty: bool,
    /// Do not report links that are in FILE, the --json output of an earlier run
    ///
    /// A link is in it if it has the same file, URL and outcome there, on whatever line.
    #[arg(long, value_name = "FILE")]
    pub(super) baseline: Option<OsString>,
    /// A broken URL of a server fails only after this TIME, as in 3d or 12h; --baseline
    /// FILE records since when it has been broken
    ///
    /// Each run writes to FILE when it has first seen that a URL is broken, and removes URLs
    /// that are not any more. FILE need not exist. Missing files and headings fail at once.
    #[arg(long, value_name = "TIME", requires = "baseline", value_parser = grace)]
    pub(super) grace: Option<Duration>,
    /// Print one JSON object per line, for each link
    #[arg(long)]
    pub(super) json: bool,
    /// Print the links as text, json, junit, sarif, markdown (a table for the summary of a
    /// job), html or github (text and annotations)
    ///
    /// With =FILE, they are written to FILE, which is replaced. Can be repeated, once without
    /// FILE.
    #[arg(long = "format", value_name = "FORMAT[=FILE]", value_parser = target)]
    pub(super) reports: Vec<ReportTarget>,
    /// Print how the links of line LINE of FILE were judged, step by step; or what a code means
    ///
    /// Without PATH, only FILE is checked.
    #[arg(long, value_name = "FILE:LINE", value_parser = ExplainedLine::parse)]
    #[arg(conflicts_with_all = ["json", "reports", "show", "quiet", "fix", "diff", "baseline"])]
    pub(super) explain: Option<ExplainedLine>,
    /// Print nothing; only set the exit status
    #[arg(short, long, conflicts_with_all = ["json", "reports", "show"])]
    pub(super) quiet: bool,
    /// Print no numbers and no progress on standard error
    #[arg(short = 's', long)]
    pub(super) no_messages: bool,
}

impl OutputOptions {
    /// Returns whether standard output has JSON.
    pub(super) fn is_json(&self) -> bool {
        let is_json = |target: &ReportTarget| target.file.is_none() && target.format == Format::Json;
        self.json || self.reports.iter().any(is_json)
    }

    /// Returns the formats, and where they are written to.
    pub(super) fn targets(&self) -> Result<Vec<ReportTarget>, CliError> {
        let json = self.json.then_some(ReportTarget { format: Format::Json, file: None });
        let mut targets: Vec<_> = self.reports.iter().cloned().chain(json).collect();
        let mut printed = targets.iter().filter(|target| target.file.is_none());
        match (printed.next(), printed.next()) {
            (Some(one), Some(other)) => {
                let (one, other) = (one.format.name(), other.format.name());
                let what = format!("{one} and {other} cannot both go to standard output");
                Err(wrong(&format!("{what}; --format {other}=FILE writes to FILE")))
            }
            (Some(_), None) => Ok(targets),
            (None, _) => {
                targets.push(ReportTarget { format: Format::Text, file: None });
                Ok(targets)
            }
        }
    }
}

/// The outcomes that a word names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ChosenOutcomes {
    All,
    One(Outcome),
}

impl ChosenOutcomes {
    /// Returns whether an outcome is among these.
    pub(super) fn have(chosen: &[Self], outcome: Outcome) -> bool {
        chosen.iter().any(|one| matches!(one, Self::All) || *one == Self::One(outcome))
    }
}

fn outcomes(word: &str) -> Result<ChosenOutcomes, String> {
    match Outcome::from_name(word) {
        Some(outcome) => Ok(ChosenOutcomes::One(outcome)),
        None if word == "all" => Ok(ChosenOutcomes::All),
        None => {
            let names = Outcome::ALL.map(|outcome| outcome.name()).join(", ");
            Err(format!("the outcomes are {names} and all"))
        }
    }
}

fn scope(word: &str) -> Result<RedirectScope, String> {
    match word {
        "domain" => Ok(RedirectScope::Domain),
        "any" => Ok(RedirectScope::Any),
        _ => Err("expected domain or any".to_owned()),
    }
}

/// How results are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// Lines for people.
    Text,
    /// An object for each link.
    Json,
    /// A suite for each document, as test runners write it.
    Junit,
    /// A log of code scanning.
    Sarif,
    /// A table.
    Markdown,
    /// A page for browsers.
    Html,
    /// Lines for people, and annotations of a pull request.
    Github,
}

impl Format {
    const ALL: [Self; 7] =
        [Self::Text, Self::Json, Self::Junit, Self::Sarif, Self::Markdown, Self::Html, Self::Github];

    /// Returns the name of this format.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Json => "json",
            Self::Junit => "junit",
            Self::Sarif => "sarif",
            Self::Markdown => "markdown",
            Self::Html => "html",
            Self::Github => "github",
        }
    }
}

/// A format, and the file that it is written to; `None` for standard output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ReportTarget {
    pub(super) format: Format,
    pub(super) file: Option<PathBuf>,
}

/// Parses `FORMAT` or `FORMAT=FILE`.
pub(super) fn target(word: &str) -> Result<ReportTarget, String> {
    let (name, file) = word.split_once('=').map_or((word, None), |(name, file)| (name, Some(file)));
    let format = Format::ALL.into_iter().find(|format| format.name() == name);
    let names = || format!("the formats are {}", Format::ALL.map(Format::name).join(", "));
    let format = format.ok_or_else(names)?;
    match file {
        Some("") => Err("a file is missing after \"=\"; is a variable empty?".to_owned()),
        file => Ok(ReportTarget { format, file: file.map(PathBuf::from) }),
    }
}

/// How servers are asked.
#[derive(Args, Debug)]
#[command(next_help_heading = "Servers")]
pub(super) struct ServerOptions {
    /// Wait at most SECONDS for an answer [default: 20]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(super) timeout: Option<Duration>,
    /// Wait at most SECONDS if a server asks to wait; links to it are unknown if it asks
    /// for more
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = time)]
    pub(super) max_wait: Duration,
    /// Send at most NUMBER requests to one server at the same time [default: 10]
    #[arg(long, value_name = "NUMBER")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(super) per_host: Option<u16>,
    /// Wait SECONDS between two requests to one server [default: 0.05]
    #[arg(long, value_name = "SECONDS", value_parser = time)]
    pub(super) interval: Option<Duration>,
    /// Send at most NUMBER requests at the same time to all servers together [default: 100]
    #[arg(long, value_name = "NUMBER")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(super) at_once: Option<u16>,
    /// Keep answers of servers in FILE, and do not ask again for what it has
    /// [default: ~/.cache/locator/links]
    ///
    /// Kept are pages that are there, redirects, 404 and 410, each at once, so a run that was
    /// killed is continued. Several runs can use FILE at the same time. With --offline, what
    /// FILE has is checked. --fix asks for redirects again.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    pub(super) cache: Option<Option<PathBuf>>,
    /// Ask again for what --cache has had for longer than TIME, as in 3d or 12h
    #[arg(long, value_name = "TIME", requires = "cache", value_parser = grace)]
    #[arg(default_value = "1d")]
    cache_age: Duration,
    /// Send the header NAME: VALUE to the server of URL, and to no other:
    /// 'https://example.com/ Authorization: Bearer x'
    #[arg(long, value_name = "URL NAME: VALUE", value_parser = header)]
    pub(super) header: Vec<OwnHeader>,
    /// Send the user and password of the host from .netrc in the home directory, or from the
    /// file that the environment variable NETRC names, if the host asks for them
    ///
    /// They are sent by https, and by http to this machine. The entry "default" is not used: it
    /// is for any host, and documents name any host.
    #[arg(short = 'n', long)]
    netrc: bool,
    /// Ask the API of GitHub with TOKEN where github.com says 404, 429 or 500 and more
    ///
    /// TOKEN is sent to api.github.com only. The default is that of the environment variable
    /// GITHUB_TOKEN, which other users of this machine cannot see.
    #[arg(long, value_name = "TOKEN")]
    github_token: Option<String>,
    /// Ask this server instead of the API of GitHub
    #[arg(long, value_name = "URL", hide = true, default_value = GITHUB_API)]
    pub(super) github_api: String,
    /// Use this proxy: http://host:port, https://host:port or socks5h://host:port
    ///
    /// The proxy looks names up, so it alone decides whether an address is private. Proxies of
    /// the environment are not used.
    #[arg(short = 'x', long, value_name = "URL")]
    pub(super) proxy: Option<String>,
    /// Do not use --proxy for these hosts: names, domains, addresses and networks, separated
    /// by commas, or "*" for all; the default is that of no_proxy
    #[arg(long, value_name = "HOSTS", requires = "proxy")]
    pub(super) noproxy: Option<String>,
}

impl ServerOptions {
    /// Returns the logins of hosts.
    pub(super) fn logins(&self) -> Result<Vec<OwnLogin>, CliError> {
        let all = if self.netrc { netrc::read()? } else { Vec::new() };
        let own = |(host, Login { user, password }): netrc::Entry| {
            let host = host.filter(|_| !user.is_empty())?;
            Some(OwnLogin { host, user, password })
        };
        Ok(all.into_iter().filter_map(own).collect())
    }

    /// Returns the token for the API of GitHub.
    pub(super) fn github_token(&self) -> Option<String> {
        let token = self.github_token.clone().or_else(|| std::env::var("GITHUB_TOKEN").ok());
        token.map(|token| token.trim().to_owned()).filter(|token| !token.is_empty())
    }
}

fn seconds(word: &str) -> Result<Duration, String> {
    time(word).and_then(|time| match time.is_zero() {
        true => Err("expected a number of seconds above 0: 30 or 0.5".to_owned()),
        false => Ok(time),
    })
}

fn time(word: &str) -> Result<Duration, String> {
    let wrong = || "expected a number of seconds: 30 or 0.5".to_owned();
    Duration::try_from_secs_f64(word.parse().map_err(|_| wrong())?).map_err(|_| wrong())
}

fn header(word: &str) -> Result<OwnHeader, String> {
    let wrong = || "expected a URL and a header: 'https://example.com/ Accept: text/html'".to_owned();
    let (url, field) = word.trim().split_once(' ').ok_or_else(wrong)?;
    let (name, value) = field.split_once(':').ok_or_else(wrong)?;
    let origin = origin_of(url).ok_or_else(wrong)?;
    Ok(OwnHeader { origin, name: name.trim().to_owned(), value: value.trim().to_owned() })
}

/// Parses `3d`, `12h`, `90m`, `30s` or `2w`.
pub(super) fn grace(word: &str) -> Result<Duration, String> {
    let wrong = || "expected a number and a unit (s, m, h, d or w): 3d or 12h".to_owned();
    let unit = word.chars().next_back().ok_or_else(wrong)?;
    let seconds = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3_600,
        'd' => 86_400,
        'w' => 7 * 86_400,
        _ => return Err(wrong()),
    };
    let number = word.strip_suffix(unit).unwrap_or_default();
    let number: u64 = number.parse().map_err(|_| wrong())?;
    number.checked_mul(seconds).map(Duration::from_secs).ok_or_else(wrong)
}

/// Which pages of sites are read.
#[derive(Args, Debug)]
#[command(next_help_heading = "Which links")]
pub(super) struct SiteOptions {
    /// Check all pages of the site of each URL
    ///
    /// The site has the pages with the scheme, host and port of URL that links of its pages
    /// lead to. Those that robots.txt disallows for "locator" or "*" are not fetched
    /// (RFC 9309).
    #[arg(short, long, conflicts_with_all = ["offline", "since"])]
    pub(super) recursive: bool,
    /// With -r, read at most NUMBER pages
    #[arg(long, value_name = "NUMBER", default_value_t = CrawlLimits::default().pages, requires = "recursive")]
    max_pages: u64,
    /// With -r, read at most NUMBER pages that differ only in what follows the "?"
    #[arg(long, value_name = "NUMBER", default_value_t = CrawlLimits::default().per_path, requires = "recursive")]
    max_per_path: u64,
    /// With -r, also fetch pages that robots.txt disallows
    #[arg(long, requires = "recursive")]
    pub(super) ignore_robots: bool,
}

impl SiteOptions {
    pub(super) fn limits(&self) -> CrawlLimits {
        CrawlLimits { pages: self.max_pages, per_path: self.max_per_path }
    }

    /// Says how many pages were not read, and why.
    pub(super) fn say_unread(&self, unread: UnreadPages) {
        let UnreadPages { pages, per_path, unreadable } = unread;
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

/// What is checked.
pub(super) struct Inputs {
    /// Files and directories.
    pub(super) paths: Vec<PathBuf>,
    /// The files and directories that are named: not those of lists, which are parts of the working directory.
    pub(super) named: Vec<PathBuf>,
    /// Pages of servers.
    pub(super) urls: Vec<String>,
}

impl Inputs {
    pub(super) fn new(asked: &LinksArgs) -> Result<Self, CliError> {
        let is_url = |path: &Path| path.to_str().is_some_and(|text| text.contains("://"));
        let places = &asked.places;
        let explained = asked.answer.explain.as_ref().and_then(ExplainedLine::file);
        // The file of a line is checked as a part of the working directory.
        let alone = explained.filter(|_| places.paths.is_empty() && places.rules.files_from.is_empty());
        let paths = match alone {
            Some(file) => vec![file.to_owned()],
            None => find::paths(places)?,
        };
        let (urls, paths) = paths.into_iter().partition::<Vec<_>, _>(|path| is_url(path));
        let urls = urls.into_iter().map(|url| url.to_string_lossy().into_owned()).collect();
        let is_list = alone.is_some() || !places.rules.files_from.is_empty();
        let here = PathBuf::from(".");
        let is_inside = |path: &PathBuf| !path.is_absolute() && !path.starts_with("..");
        let mut named = paths.clone();
        if is_list {
            named.retain(|path| !is_inside(path) || places.paths.contains(path));
            named.push(here);
        }
        Ok(Self { paths, named, urls })
    }

    /// Returns the origins that the user named.
    pub(super) fn own(&self, asked: &LinksArgs) -> Vec<String> {
        self.urls.iter().chain(&asked.links.base_url).filter_map(|url| origin_of(url)).collect()
    }
}

/// Opens the cache, if one is asked for.
pub(super) fn open_cache(asked: &LinksArgs) -> Result<Option<Arc<Cache>>, CliError> {
    let Some(named) = &asked.servers.cache else { return Ok(None) };
    let path = match named {
        Some(path) => path.clone(),
        None => usual_cache()?,
    };
    let directory = path.parent().filter(|directory| !directory.as_os_str().is_empty());
    if directory.is_some_and(|directory| !directory.is_dir()) {
        return Err(unusable_cache(&path, &io::Error::other("its directory does not exist")));
    }
    let cache =
        Cache::open(path.clone(), asked.servers.cache_age).map_err(|error| unusable_cache(&path, &error))?;
    // A link is only mended by what a server says now.
    let is_mended = asked.mend.diff || asked.mend.fix.is_some();
    Ok(Some(Arc::new(if is_mended { cache.without_redirects() } else { cache })))
}

/// Returns `~/.cache/locator/links`, or the equivalent of the platform, in a directory that exists.
fn usual_cache() -> Result<PathBuf, CliError> {
    let Some(directory) = dirs::cache_dir() else {
        return Err(wrong("--cache: this user has no directory for caches; use --cache=FILE"));
    };
    let directory = directory.join("locator");
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(&directory).map_err(|error| unusable_cache(&directory, &error))?;
    Ok(directory.join("links"))
}

fn unusable_cache(path: &Path, error: &io::Error) -> CliError {
    wrong(&format!("--cache: {} cannot be used: {error}", Named(path.as_os_str()).shown()))
}

/// What `--explain` names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ExplainedLine {
    /// A line of a file.
    Line {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: u32,
    },
    /// A code.
    Code(Code),
}

impl ExplainedLine {
    /// Parses `FILE:LINE`, `FILE:LINE:COLUMN`, or the name of a code.
    pub(super) fn parse(word: &str) -> Result<Self, String> {
        if let Some(code) = Code::from_name(word) {
            return Ok(Self::Code(code));
        }
        let wrong = || "expected FILE:LINE, such as docs/guide.md:12, or a code of --list".to_owned();
        let split = |text: &str| {
            let (before, number) = text.rsplit_once(':')?;
            Some((before.to_owned(), number.parse::<u32>().ok().filter(|number| *number > 0)?))
        };
        let (before, last) = split(word).ok_or_else(wrong)?;
        // What reports print has a column, too.
        let (file, line) = split(&before).unwrap_or((before, last));
        if file.is_empty() {
            return Err(wrong());
        }
        Ok(Self::Line { file: file.into(), line })
    }

    /// Returns the file whose line is explained.
    pub(super) fn file(&self) -> Option<&Path> {
        match self {
            Self::Line { file, .. } => Some(file),
            Self::Code(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_a_unit() {
        for (word, expected) in
            [("3d", 259_200), ("12h", 43_200), ("90m", 5_400), ("5s", 5), ("2w", 1_209_600), ("0d", 0)]
        {
            assert_eq!(grace(word), Ok(Duration::from_secs(expected)));
        }
        for word in
            ["", "3", "d", "3 d", "-3d", "3days", "3é", "99999999999999999999d", "18446744073709551615w"]
        {
            assert!(grace(word).is_err(), "{word}");
        }
    }

    #[test]
    fn what_can_be_explained() {
        let line = |file: &str, line| Ok(ExplainedLine::Line { file: file.into(), line });
        assert_eq!(ExplainedLine::parse("docs/a.md:12"), line("docs/a.md", 12));
        assert_eq!(ExplainedLine::parse("docs/a.md:12:7"), line("docs/a.md", 12));
        assert_eq!(ExplainedLine::parse("C:\\a.md:12"), line("C:\\a.md", 12));
        assert_eq!(ExplainedLine::parse("test-data"), Ok(ExplainedLine::Code(Code::TestData)));
        for word in ["a.md", "a.md:", "a.md:0", ":3", "a.md:x"] {
            assert!(ExplainedLine::parse(word).is_err(), "{word}");
        }
    }
}

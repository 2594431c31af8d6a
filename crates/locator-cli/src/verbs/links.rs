//! The verb `links`: checks whether what the links of documents lead to is there.
//!
//! Threads read the documents ([`read`]), then the files and servers that their links lead to are looked at
//! by `locator_links`. [`formats`] writes the results, a document after the other, in the formats that are asked for.

mod arguments;
mod changed;
mod checked;
mod explain;
mod formats;
mod history;
mod lychee;
mod mend;
mod read;
mod report;
mod sites;

use std::io::{self, Write as _};
use std::sync::Arc;

use locator_fetch::http::Proxies;
use locator_find::Finder;
use locator_links::{Cache, Checker, Code, FileChecker, Network, Page, Receiver, RunEnd, Site, Verdict};
use tokio::runtime::Runtime;

pub(crate) use self::arguments::LinksArgs;
use self::arguments::{ExplainedLine, Format, Inputs, ReportTarget, list_codes, open_cache};
use self::changed::ChangedLinks;
use self::explain::Explanation;
use self::formats::Writer;
use self::history::History;
use self::mend::{MendedPage, Mender};
use self::read::{Documents, FetchedPages, read_all};
use self::report::Report;
use crate::exit::{CliError, Status, say, wrong};
use crate::input::Origin;
use crate::output::{self, Output};
use crate::run::interrupt::Turn;
use crate::since::Since;
use crate::verbs::get::no_proxy;

/// Checks the links of all documents.
pub(crate) fn run(mut asked: LinksArgs, out: &mut Output) -> Result<Status, CliError> {
    if asked.list {
        list_codes(out)?;
        out.flush()?;
        return Ok(Status::Valid);
    }
    if let Some(ExplainedLine::Code(code)) = asked.answer.explain {
        output::line(out, &format!("{code} ({}): {}", code.outcome(), code.meaning()))?;
        out.flush()?;
        return Ok(Status::Valid);
    }
    asked.configure()?;
    let asked = &asked;
    let inputs = Inputs::new(asked)?;
    let known = History::read(asked.answer.baseline.as_deref(), asked.answer.grace)?;
    let targets = asked.answer.targets()?;
    let since = asked.links.since.as_deref().map(Since::at_merge_base).transpose()?;
    let site = Site::new(asked.rules(&inputs)?, asked.filter());
    let finder = finder();
    let cache = open_cache(asked)?;
    let network = Arc::new(network(asked, cache.clone())?);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut documents = read_all(asked, &site, &finder, &inputs)?;
    let fetched = FetchedPages::new(asked, &inputs, &site, &finder, &runtime, &network, &mut documents)?;
    let mut changed = since.map(|since| ChangedLinks::new(since, &site, &finder));
    if let Some(changed) = &mut changed {
        documents.pages.iter_mut().for_each(|(read, _)| changed.retain(&mut read.page));
    }
    let is_text = |target: &ReportTarget| matches!(target.format, Format::Text | Format::Github);
    // A patch is data.
    if !asked.mend.diff && targets.iter().any(|target| target.file.is_none() && is_text(target)) {
        out.begin_text();
    }
    let writers = targets.iter().map(|target| Writer::new(target, out)).collect::<Result<Vec<_>, _>>()?;
    note_proxy(asked, &site);
    let setup = Setup { asked, inputs, site: &site, finder: &finder, runtime, network, cache };
    setup.check(documents, fetched, changed, known, writers, out)
}

fn finder() -> Finder {
    let text = locator::text::Finder::new();
    Finder::new().text(text.patterns(true))
}

/// What a run needs.
struct Setup<'a> {
    asked: &'a LinksArgs,
    inputs: Inputs,
    site: &'a Site,
    finder: &'a Finder,
    runtime: Runtime,
    network: Arc<Network>,
    cache: Option<Arc<Cache>>,
}

impl Setup<'_> {
    /// Judges all links, and writes what is known of them.
    fn check(
        self,
        documents: Documents,
        fetched: FetchedPages,
        changed: Option<ChangedLinks<'_>>,
        known: History,
        writers: Vec<Writer>,
        out: &mut Output,
    ) -> Result<Status, CliError> {
        let Self { asked, inputs, site, finder, runtime, network, cache } = self;
        let Documents { pages, has_failed, left_out } = documents;
        let mut file_checker = FileChecker::new(site, finder);
        let (mut read, mut originals) = (Vec::with_capacity(pages.len()), Vec::with_capacity(pages.len()));
        for (one, original) in pages {
            file_checker.add(&one.page, one.anchors);
            read.push(one.page);
            originals.push(original);
        }
        let mender = Mender::new(asked, finder, originals);
        let checker = Checker::new(&mut file_checker, asked.settings(), network.clone(), inputs.own(asked));
        let mut checker = fetched.told(checker);
        let mut report = Report::new(asked, known, writers, out, !site.urls.is_empty());
        report.explanation = Explanation::new(asked.answer.explain.as_ref());
        report.files_left_out = left_out;
        report.unchanged = changed.as_ref().map(ChangedLinks::left_out);
        let mut run = Run { site, changed, mender, report, turn: Turn::begin(Origin::Link) };
        let end = runtime.block_on(checker.run(&read, &mut run))?;
        let Run { mut report, turn, mender, .. } = run;
        report.from_cache = checker.cache_use();
        if let Some(Err(error)) = cache.map(|cache| cache.finish()).filter(|_| !asked.answer.quiet) {
            say(&format!("the cache could not be written: {error}"));
        }
        let has_failed = has_failed || mender.is_some_and(|mender| mender.has_failed);
        if end == RunEnd::Complete {
            report.write_known()?;
        }
        let status = report.end(site, !inputs.paths.is_empty())?;
        if !(asked.answer.quiet || asked.answer.no_messages) {
            asked.sites.say_unread(checker.crawl().unread());
        }
        if network.refuses_github_token() && !asked.answer.quiet {
            say("GitHub does not accept the token of --github-token or GITHUB_TOKEN");
        }
        if end == RunEnd::Interrupted {
            turn.report();
            return Err(CliError::Interrupted);
        }
        if end == RunEnd::NoNetwork {
            return Err(wrong("no network: no server could be asked; --offline checks only files"));
        }
        if read.is_empty() && !has_failed && !asked.answer.quiet {
            say("no file was searched; -t, -g, hidden files and .gitignore decide which are");
        }
        if has_failed { Err(CliError::Reported) } else { Ok(status) }
    }
}

/// Prints a note if a proxy is configured for other programs: it is not used.
fn note_proxy(asked: &LinksArgs, site: &Site) {
    // HTTP_PROXY is none: a program that a web server starts has it of a request's header.
    const NAMES: [&str; 5] = ["https_proxy", "HTTPS_PROXY", "http_proxy", "all_proxy", "ALL_PROXY"];
    let is_set = |name: &&&str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_silent = asked.links.offline
        || asked.servers.proxy.is_some()
        || asked.answer.no_messages
        || asked.answer.quiet;
    if let Some(name) = NAMES.iter().find(is_set).filter(|_| !is_silent && !site.urls.is_empty()) {
        say(&format!("{name} is set and not used; --proxy uses a proxy"));
    }
}

/// Returns what asks servers.
fn network(asked: &LinksArgs, cache: Option<Arc<Cache>>) -> Result<Network, CliError> {
    let servers = &asked.servers;
    let proxies = match &servers.proxy {
        Some(proxy) => {
            let proxies = Proxies::none().all(proxy).map_err(|error| wrong(&format!("--proxy: {error}")))?;
            Some(proxies.except(&servers.noproxy.clone().or_else(no_proxy).unwrap_or_default()))
        }
        None => None,
    };
    let mut network = Network::new(asked.timeout(), proxies, servers.header.clone())
        .map_err(|error| wrong(&format!("--header: {error}")))?
        .with_logins(servers.logins()?)
        .with_max_wait(servers.max_wait);
    if let Some(cache) = cache {
        network = network.with_cache(cache);
    }
    if asked.links.offline {
        network = network.offline();
    }
    match servers.github_token() {
        None => Ok(network),
        Some(token) => network
            .with_github(&servers.github_api, &token)
            .map_err(|error| wrong(&format!("--github-token: {error}"))),
    }
}

/// Receives the results of a run that Ctrl-C may end.
struct Run<'r, 'o> {
    site: &'r Site,
    changed: Option<ChangedLinks<'r>>,
    mender: Option<Mender<'r>>,
    report: Report<'o>,
    turn: Turn,
}

impl Receiver for Run<'_, '_> {
    fn page(&mut self, page: &Page, verdicts: &[Verdict]) -> io::Result<()> {
        let explained = self.changed.as_ref().map(|changed| changed.explained(page, verdicts));
        let explained = explained.as_deref().unwrap_or(verdicts);
        let mender = self.mender.as_mut();
        let mended =
            mender.map_or_else(MendedPage::default, |mender| mender.page(self.site, page, explained));
        self.report.page(self.site, page, explained, &mended)?;
        let missed = verdicts.iter().filter(|verdict| verdict.code == Code::Interrupted).count();
        self.turn.add(Origin::Link, page.len() - missed as u64);
        Ok(())
    }

    fn progress(&mut self, done: usize, all: usize, waiting: &dyn Fn() -> Vec<String>) {
        self.report.progress(done, all, waiting);
    }

    fn is_over(&self) -> bool {
        Turn::is_over()
    }
}

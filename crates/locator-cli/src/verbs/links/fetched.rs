//! The pages of servers that the user names.

use locator_find::Finder;
use locator_links::anchors::Anchors;
use locator_links::mend::Kept;
use locator_links::{Checker, Crawl, Network, Robots, Site};
use tokio::runtime::Runtime;

use super::args::LinksArgs;
use super::inputs::Inputs;
use super::read::{self, Documents};
use super::sites::Sites;
use crate::exit::{CliError, say, say_error, wrong};
use crate::terminal::secrets;

/// The pages that were fetched, and the sites that are read.
#[derive(Default)]
pub(super) struct Fetched {
    crawl: Crawl,
    pages: Vec<(String, Anchors)>,
}

impl Fetched {
    /// Fetches the pages that the user names, and adds them to the documents.
    pub(super) fn new(
        (asked, inputs): (&LinksArgs, &Inputs),
        (site, finder): (&Site, &Finder),
        (runtime, network): (&Runtime, &Network),
        documents: &mut Documents,
    ) -> Result<Self, CliError> {
        let sites = &asked.sites;
        if sites.recursive && inputs.urls.is_empty() {
            return Err(wrong("-r needs the URL of a site; of a directory everything is checked without it"));
        }
        if let Some(url) = inputs.urls.first().filter(|_| asked.links.offline) {
            let url = secrets::redacted(url).to_string();
            return Err(wrong(&format!("--offline asks no server, so {url} cannot be checked")));
        }
        let mut fetched = Self { crawl: Crawl::new(sites.limits()), pages: Vec::new() };
        for url in &inputs.urls {
            let page = match runtime.block_on(network.page(url)) {
                Ok(page) => page,
                Err(error) => {
                    documents.has_failed = true;
                    say_error(&format!("{error:#}"));
                    continue;
                }
            };
            if sites.recursive {
                let robots = fetched.robots(&page.url, sites, (runtime, network), documents);
                fetched.crawl.add(&page.url, robots);
            }
            let from = page.url.clone();
            let read = read::page(page, site, finder)?;
            fetched.pages.push((from, read.anchors.clone()));
            documents.pages.push((read, Err(Kept::NoFile)));
        }
        Ok(fetched)
    }

    /// Returns what the site of a page allows.
    fn robots(
        &self,
        url: &str,
        sites: &Sites,
        (runtime, network): (&Runtime, &Network),
        documents: &mut Documents,
    ) -> Robots {
        if sites.ignore_robots || self.crawl.has(url) {
            return Robots::allow_all();
        }
        runtime.block_on(network.robots(url)).unwrap_or_else(|error| {
            documents.has_failed = true;
            let url = secrets::redacted(url).to_string();
            say_error(&format!("{error:#}"));
            say(&format!("without its robots.txt no other page of the site of {url} is fetched; --ignore-robots fetches them"));
            Robots::allow_none()
        })
    }

    /// Tells a checker what is known.
    pub(super) fn told<'c, 's>(self, mut checker: Checker<'c, 's>) -> Checker<'c, 's> {
        for (url, anchors) in self.pages {
            checker.add_fetched(&url, anchors);
        }
        checker.with_crawl(self.crawl)
    }
}

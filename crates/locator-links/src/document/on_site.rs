//! Links that the site of their document resolves ([`SiteTarget`]): which references of a document are put to the site, and in
//! which form.
//!
//! ```text
//! let on_site = DocumentSite::of(site, path, format);
//! let target = on_site.and_then(|on_site| on_site.target(link));
//! ```

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use locator::BaseSource;
use locator_find::{Context, Format, Link};

use crate::sites::model::{DoubtForm, LinkForm};
use crate::sites::resolve::{State, decoded};
use crate::sites::{OnSite, SiteTree};

/// Where a link leads on the site of its document.
///
/// ```
/// use locator_links::{FileChecker, Page, PageLink, SiteTarget, Verdict};
///
/// fn judge(checker: &mut FileChecker<'_>, page: &Page, link: &PageLink, target: &SiteTarget) -> Verdict {
///     checker.site_verdict(page, link, target)
/// }
/// ```
#[derive(Clone)]
pub struct SiteTarget {
    pub(crate) tree: Arc<SiteTree>,
    pub(crate) found: OnSite,
}

/// Without the sites of the repository.
impl fmt::Debug for SiteTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SiteTarget").field("judgement", &self.found.judgement).finish_non_exhaustive()
    }
}

impl SiteTarget {
    /// Returns the file of the tree that the link leads to.
    #[must_use]
    pub fn file(&self) -> Option<PathBuf> {
        match self.state() {
            State::Source { file, .. } | State::Place(file) => {
                Some(self.tree.path_in(file.split('#').next().unwrap_or_default()))
            }
            _ => None,
        }
    }

    /// Returns what is known of the link.
    pub(crate) fn state(&self) -> &State {
        &self.found.judgement.state
    }

    /// Returns whether redirects of the site lead to it.
    pub(crate) fn is_redirected(&self) -> bool {
        !self.found.judgement.redirects.is_empty()
    }

    /// Returns the form of the link.
    pub(crate) fn form(&self) -> DoubtForm {
        self.found.judgement.form
    }
}

/// The sites of a document.
pub(crate) struct DocumentSite {
    tree: Arc<SiteTree>,
    path: PathBuf,
    format: Format,
    /// Whether absolute URLs of the sites are looked up in their maps, since no server is asked.
    judges_urls: bool,
}

impl DocumentSite {
    /// Returns the sites of a document in the tree that it is in.
    pub(crate) fn new(tree: Arc<SiteTree>, path: &Path, format: Format, judges_urls: bool) -> Self {
        tree.visit(path);
        Self { tree, path: path.to_owned(), format, judges_urls }
    }

    /// Returns where a link leads on its site; `None` if the site has no say in it.
    pub(crate) fn target(&self, link: &Link<'_>) -> Option<SiteTarget> {
        let form = self.form(link)?;
        // What `<base>` declares is not of the page.
        if link.bases().layers().any(|base| base.source() == BaseSource::Embedded) {
            return None;
        }
        let found = self.tree.judge(&self.path, link.url(), form)?;
        Some(SiteTarget { tree: Arc::clone(&self.tree), found })
    }

    /// Returns whether a workflow copies the document to elsewhere.
    pub(crate) fn is_copied(&self, document: &Path) -> bool {
        self.tree.is_copied(document)
    }

    /// Returns the directory of the repository in which a path leads to a file.
    pub(crate) fn directory_with(&self, path: &str) -> Option<String> {
        self.tree.directory_with(&decoded(path))
    }

    /// Returns the file with the same name in a directory beside that of a path.
    pub(crate) fn beside(&self, path: &Path) -> Option<&str> {
        self.tree.beside(path)
    }

    /// Returns the source of a page elsewhere in the repository, by the name of the page.
    pub(crate) fn source_elsewhere(&self, page: &str) -> Option<&str> {
        self.tree.source_elsewhere(page)
    }

    /// Returns where an absolute URL of a site of the repository leads; `None` if it is of none.
    pub(crate) fn target_of_url(&self, link: &Link<'_>) -> Option<SiteTarget> {
        let form = self.form(link).filter(|_| self.judges_urls)?;
        let found = self.tree.judge_url(&self.path, link.url(), form)?;
        Some(SiteTarget { tree: Arc::clone(&self.tree), found })
    }

    /// Returns where a template leads, if that is a form of the generator: `{{< ref "a" >}}`.
    pub(crate) fn target_of_template(&self, link: &Link<'_>) -> Option<SiteTarget> {
        let target = self.target(link)?;
        let is_known =
            target.form() == DoubtForm::Special || !link.url().is_empty() && target.found.judgement.is_meant;
        (is_known && *target.state() != State::Template).then_some(target)
    }

    /// Returns how a link is written; `None` if it is not in a place that a generator reads.
    fn form<'l>(&self, link: &Link<'l>) -> Option<LinkForm<'l>> {
        match link.context() {
            Context::Markdown => Some(LinkForm::Markup),
            Context::Attribute { element, .. }
                if self.format.is_markdown()
                    && element.starts_with(|first: char| first.is_ascii_uppercase()) =>
            {
                Some(LinkForm::Component { element })
            }
            Context::Attribute { element, attribute } => Some(LinkForm::Html { element, attribute }),
            Context::Style => Some(LinkForm::Html { element: "style", attribute: "" }),
            Context::Hyperlink => Some(LinkForm::Markup),
            Context::Directive(name) | Context::Role(name) => Some(LinkForm::Role(name)),
            Context::Macro(name) if self.format == Format::AsciiDoc => Some(LinkForm::Role(name)),
            _ => None,
        }
    }
}

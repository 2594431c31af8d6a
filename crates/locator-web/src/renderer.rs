//! The entry point: settings, and a method for each fragment.

use locator::plan::Options;
use locator::{Edition, edition};
use maud::{Markup, html};

use crate::html::Html;
use crate::subject::Subject;
use crate::{comparison, components, errors, findings, found, hosts, normal, page, plan, programs, resolved};

/// Makes HTML of URLs.
///
/// ```
/// use locator::edition::RFC1738;
/// use locator_web::Renderer;
///
/// let renderer = Renderer::new().edition(&RFC1738).links("/read?url=");
/// let html = renderer.plan("ftp://h/%2Fetc/motd");
/// assert!(html.as_str().contains("CWD /etc"));
/// assert!(renderer.found("See ftp://h/a.").as_str().contains("href=\"/read?url=ftp%3A%2F%2Fh%2Fa\""));
/// ```
#[derive(Clone, Debug)]
pub struct Renderer<'a> {
    edition: &'static Edition,
    links: Option<&'a str>,
    options: Options<'a>,
    shows_secrets: bool,
}

impl Default for Renderer<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'a> Renderer<'a> {
    /// Follows RFC 3986, links to nothing, and hides passwords.
    #[must_use]
    pub fn new() -> Self {
        Self { edition: edition::DEFAULT, links: None, options: Options::new(), shows_secrets: false }
    }

    /// Sets the edition of findings, errors, plans and normal forms. Components are always shown by all.
    #[must_use]
    pub const fn edition(self, edition: &'static Edition) -> Self {
        Self { edition, ..self }
    }

    /// Links each URL to its own readings: to this text with the URL percent-encoded after it.
    #[must_use]
    pub const fn links(self, start: &'a str) -> Self {
        Self { links: Some(start), ..self }
    }

    /// Sets the options of plans, such as the server for news.
    #[must_use]
    pub const fn plan_options(self, options: Options<'a>) -> Self {
        Self { options, ..self }
    }

    /// Shows passwords and other secrets.
    #[must_use]
    pub const fn show_secrets(self) -> Self {
        Self { shows_secrets: true, ..self }
    }

    /// Returns all sections about a URL, valid or not: who is contacted, what is dangerous, errors,
    /// components, programs, the plan, normal forms.
    #[must_use]
    pub fn url(&self, text: &str) -> Html {
        let subject = self.subject(text);
        Html::new(html! {
            (hosts::section(&subject))
            (findings::section(&subject))
            (errors::section(&subject))
            (components::section(&subject))
            (programs::section(&subject))
            (plan::section(&subject, &self.options))
            (normal::section(&subject))
        })
    }

    /// Returns the URL that a reference identifies in a document at a base URL, and all sections about
    /// it. If the base or the reference is not valid, or the base has no scheme, it says so, with all
    /// sections about the reference alone.
    ///
    /// ```
    /// use locator_web::Renderer;
    ///
    /// let html = Renderer::new().resolved("https://example.com/docs/", "../img/a.png");
    /// assert!(html.as_str().contains("https://example.com/img/a.png"));
    /// ```
    #[must_use]
    pub fn resolved(&self, base: &str, reference: &str) -> Html {
        let resolved = resolved::Resolved::new(base, reference, self.edition);
        let url = resolved.url().unwrap_or(reference);
        Html::new(html! {
            (resolved::section(&resolved, self.shows_secrets))
            (self.url(url))
        })
    }

    /// Returns which hosts programs contact for a URL.
    #[must_use]
    pub fn hosts(&self, text: &str) -> Html {
        self.part(text, hosts::section)
    }

    /// Returns what is dangerous in a URL, with advice.
    #[must_use]
    pub fn findings(&self, text: &str) -> Html {
        self.part(text, findings::section)
    }

    /// Returns the errors of a URL, each with a caret; empty if every edition accepts it.
    #[must_use]
    pub fn errors(&self, text: &str) -> Html {
        self.part(text, errors::section)
    }

    /// Returns the components of a URL by every edition, with the differences marked.
    #[must_use]
    pub fn components(&self, text: &str) -> Html {
        self.part(text, components::section)
    }

    /// Returns what each program returns and contacts for a URL.
    #[must_use]
    pub fn programs(&self, text: &str) -> Html {
        self.part(text, programs::section)
    }

    /// Returns the plan to fetch a URL, as a dialogue with the server.
    #[must_use]
    pub fn plan(&self, text: &str) -> Html {
        Html::new(plan::section(&self.subject(text), &self.options))
    }

    /// Returns the normal forms of a URL, with the reasons of each change.
    #[must_use]
    pub fn normal_forms(&self, text: &str) -> Html {
        self.part(text, normal::section)
    }

    /// Returns whether two URLs are equivalent, and how they differ.
    #[must_use]
    pub fn comparison(&self, first: &str, second: &str) -> Html {
        Html::new(comparison::section(&self.subject(first), &self.subject(second)))
    }

    /// Returns the URLs in a text, each with its line and column.
    #[must_use]
    pub fn found(&self, text: &str) -> Html {
        Html::new(found::section(text, self.edition, self.links, self.shows_secrets))
    }

    /// Returns a whole document with a title, in English, and this as its main part. `style` is the
    /// address of [`STYLE`](crate::STYLE).
    #[must_use]
    pub fn page(title: &str, style: &str, main: &Html) -> Html {
        Html::new(page::document(title, style, main))
    }

    fn part(&self, text: &str, section: impl FnOnce(&Subject<'_>) -> Markup) -> Html {
        Html::new(section(&self.subject(text)))
    }

    fn subject<'t>(&self, text: &'t str) -> Subject<'t> {
        Subject::new(text, self.edition, self.shows_secrets)
    }
}

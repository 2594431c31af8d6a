//! The judge of links on a site: what a reference of a document means by the rules of its generator, and whether the site
//! has that.
//!
//! Takes a [`SiteModel`] and a [`SiteLink`], and returns a [`Judgement`], with the steps by which it was reached. A reference is looked
//! up in the form that only the generator has, then as a path of a source, then as a URL. Only what a closed map does not have
//! is [`State::Dead`]; whether that is reported as broken depends on the files of the tree and on the other links of its form
//! (`doubt`).
//!
//! ```text
//! let judgement = judge(&site, &SiteLink { document: "docs/a.md", tree: &tree, written: "../b/", form: LinkForm::Markup });
//! assert_eq!(judgement.map(|judgement| judgement.state), Some(State::Source { file: "docs/b.md".into(), fragment: None }));
//! ```

use std::borrow::Cow;

use super::model::{
    BaseUse, DoubtForm, LinkForm, LinkRule, Lookup, Origin, Output, RedirectKind, RelativeTo, SiteLink,
    SiteModel, SiteRedirect, SourceStep,
};
use super::tree::{parent, path_below, resolved, split_ending};

/// What is known of a link on a site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Judgement {
    pub(crate) state: State,
    /// The links that are understood together with this one.
    pub(crate) form: DoubtForm,
    /// Whether the reference stands for another one, which was looked up in its place.
    pub(crate) is_meant: bool,
    /// The redirects of the site that lead to the end, in order, each with the path that it leads to, or an absolute URL.
    pub(crate) redirects: Vec<SiteRedirect>,
    /// The path with the base that the first of them is at.
    pub(crate) redirected_from: String,
    /// How the link was read, a line for each step.
    pub(crate) route: Vec<String>,
}

/// Where a link leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// To a file of the tree: its fragment is looked up there.
    Source {
        file: String,
        /// The fragment, if it is not the one at the end of the reference as it is written.
        fragment: Option<String>,
    },
    /// To a place in a file of the tree that is known to be there.
    Place(String),
    /// To what the generator makes.
    Made,
    /// To nothing.
    Dead(DeadLink),
    /// It is not known, for this reason.
    Unknown(String),
    /// Out of the site.
    Outside,
    /// It is a template.
    Template,
}

/// A link that leads to nothing on its site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DeadLink {
    /// The URL that the site does not have, or the name.
    pub(crate) wanted: String,
    /// Whether the path names a file of the tree, so that the link is alive where the files are shown.
    pub(crate) names_file: bool,
    /// Whether the reference is a path of a document, as it is where the files are shown: `../a.md`.
    pub(crate) is_file_path: bool,
    /// The path in the tree that the reference has where files are shown, if it is relative.
    pub(crate) path: Option<String>,
    /// Why, if the path does not say all.
    pub(crate) reason: String,
    /// What was probably meant.
    pub(crate) suggestion: Option<String>,
    /// Whether nothing else can have been meant.
    pub(crate) is_sure: bool,
    /// Whether it is an absolute URL, which the server may know although the sources do not.
    pub(crate) is_absolute: bool,
    /// Whether the redirects of the site lead in a circle.
    pub(crate) is_loop: bool,
}

/// How many references may stand for another one.
const MOST_MEANINGS: usize = 8;

/// In how many directories a build may have made a file.
const MOST_ROOTS: usize = 4;

/// How many redirects are followed, as browsers do.
const MOST_REDIRECTS: usize = 20;

/// Judges a link of a document of a site; `None` if the site has no say in it: a URL with a scheme, a reference to the same
/// document, or a document that is shown as a file.
pub(crate) fn judge(site: &SiteModel, link: &SiteLink<'_>) -> Option<Judgement> {
    let mut steps = Steps::new(site, link);
    let mut meant: Cow<'_, str> = Cow::Borrowed(link.written);
    for _ in 0..MOST_MEANINGS {
        let link = SiteLink { written: &meant, ..*link };
        match (site.generator.special)(site, &link) {
            Some(Lookup::NotOfSite) => return None,
            Some(Lookup::Means(other)) => {
                steps.add(format!("{} means {other} to {}", link.written, site.generator.title));
                meant = Cow::Owned(other.into());
            }
            Some(found) => {
                let state = steps.of_special(found, &link);
                return Some(steps.finish(state, DoubtForm::Special));
            }
            None => {
                let mut judged = steps.ordinary(&link)?;
                judged.is_meant = matches!(meant, Cow::Owned(_));
                // The fragment of what is meant is not that of what is written.
                if let (State::Source { fragment, .. }, Cow::Owned(meant)) = (&mut judged.state, &meant) {
                    *fragment = Some(meant.split_once('#').map_or("", |(_, fragment)| fragment).to_owned());
                }
                return Some(judged);
            }
        }
    }
    None
}

/// Looks up a path as one of a URL of a site, from its root: `/base/a`.
pub(crate) fn look_up_rooted(site: &SiteModel, link: &SiteLink<'_>) -> Option<Judgement> {
    let mut steps = Steps::new(site, link);
    let path = decoded(link.path());
    let rule = rule_of(site, link.form);
    (path.starts_with('/') && !path.starts_with("//")).then_some(())?;
    let state = steps.rooted(rule, &path, link);
    Some(steps.finish(state, DoubtForm::Rooted))
}

/// Looks up an absolute URL of the site, whose path below the root is `inside`: "/a" of `https://h/base/a`.
pub(crate) fn look_up_url(site: &SiteModel, link: &SiteLink<'_>, inside: &str) -> Judgement {
    let mut steps = Steps::new(site, link);
    let full = without_dots(&format!("{}{}", site.base, decoded(inside)));
    steps.add(format!("URL of the site: {full}"));
    let inside = within(&full, &site.base).filter(|inside| !inside.is_empty()).unwrap_or("/");
    // What a build makes is relative to the root of the site.
    let rooted = SiteLink { written: inside, ..*link };
    let state = match steps.found(&full) {
        Some(found) => found,
        None => match site
            .routes
            .openness(inside)
            .map(str::to_owned)
            .or_else(|| steps.made_by_build(inside, &rooted))
        {
            Some(reason) => {
                steps.add(format!("unknown: {full}; {reason}"));
                State::Unknown(reason)
            }
            None => steps.dead(DeadLink { is_absolute: true, ..DeadLink::new(&full) }),
        },
    };
    steps.finish(state, DoubtForm::Absolute)
}

/// Returns how links of a form are read.
fn rule_of<'s>(site: &'s SiteModel, form: LinkForm<'_>) -> &'s LinkRule {
    match form {
        LinkForm::Markup | LinkForm::Role(_) => &site.markdown,
        LinkForm::Html { .. } => &site.html,
        LinkForm::Component { .. } => &site.component,
    }
}

/// Judges a link, and notes how.
struct Steps<'s> {
    site: &'s SiteModel,
    lines: Vec<String>,
    redirects: Vec<SiteRedirect>,
    redirected_from: String,
}

impl<'s> Steps<'s> {
    fn new(site: &'s SiteModel, link: &SiteLink<'_>) -> Self {
        let configuration = match &*site.configuration {
            "" => site.directory.clone(),
            path => path.to_owned(),
        };
        let base =
            if site.base.is_empty() { String::new() } else { format!(", published at {}/", site.base) };
        let mut lines = vec![format!("site: {}, by {configuration}{base}", site.generator.title)];
        if let Some(url) = site.routes.url_of(link.document) {
            lines.push(format!("page: {}{url}", site.base));
        }
        Self { site, lines, redirects: Vec::new(), redirected_from: String::new() }
    }

    fn add(&mut self, line: String) {
        self.lines.push(line);
    }

    fn finish(self, state: State, form: DoubtForm) -> Judgement {
        let Self { lines: route, redirects, redirected_from, .. } = self;
        Judgement { state, form, is_meant: false, redirects, redirected_from, route }
    }

    /// Finishes a link, which may be rewritten if it leads nowhere.
    fn finish_with(mut self, rule: &LinkRule, state: State, form: DoubtForm) -> Judgement {
        match (rule.doubt, state) {
            (Some(doubt), State::Dead(_)) => {
                self.add(format!("unknown: {doubt}"));
                self.finish(State::Unknown(doubt.to_owned()), form)
            }
            (_, state) => self.finish(state, form),
        }
    }

    /// Returns what a look-up of the generator's own means.
    fn of_special(&mut self, found: Lookup, link: &SiteLink<'_>) -> State {
        match found {
            Lookup::Source(file) => match file.split_once('#') {
                Some((file, fragment)) => {
                    self.add(format!("file: {file}"));
                    State::Source { file: file.to_owned(), fragment: Some(fragment.to_owned()) }
                }
                None => self.source(&file, "file"),
            },
            Lookup::NotPublished(reason) => {
                let dead =
                    DeadLink { reason: reason.into(), names_file: true, ..DeadLink::new(link.written) };
                self.dead(dead)
            }
            Lookup::Place(file) => {
                self.add(format!("place: {file}"));
                State::Place(file.into())
            }
            Lookup::Made => State::Made,
            Lookup::Redirect(to) => {
                self.add(format!("redirect: {} to {to}", link.path()));
                self.redirects.push(SiteRedirect { to, kind: RedirectKind::Permanent });
                State::Made
            }
            Lookup::Dead(reason) => {
                let dead = DeadLink { reason: reason.into(), ..DeadLink::new(link.written) };
                self.dead(dead)
            }
            Lookup::Unknown(reason) => {
                self.add(format!("unknown: {reason}"));
                State::Unknown(reason.into())
            }
            Lookup::Outside | Lookup::NotOfSite | Lookup::Means(_) => State::Outside,
            Lookup::Template => State::Template,
        }
    }

    fn source(&mut self, file: &str, what: &str) -> State {
        // Of a site that was built, the page itself is read.
        let file = self.site.page_of(file).unwrap_or(file);
        self.add(format!("{what}: {file}"));
        State::Source { file: file.to_owned(), fragment: None }
    }

    fn dead(&mut self, dead: DeadLink) -> State {
        self.add(match &*dead.reason {
            "" => format!("not on the site: {}", dead.wanted),
            reason => format!("not on the site: {}; {reason}", dead.wanted),
        });
        State::Dead(dead)
    }

    /// Judges a path or a URL.
    fn ordinary(mut self, link: &SiteLink<'_>) -> Option<Judgement> {
        let path = decoded(link.path());
        if path.is_empty() || has_scheme(&path) || path.starts_with("//") {
            return None;
        }
        let rule = rule_of(self.site, link.form);
        if let Some(file) = rule.sources.iter().find_map(|step| self.as_source(step, &path, link)) {
            let state = self.source(&file, "file");
            return Some(self.finish(state, DoubtForm::PageRelative));
        }
        if path.starts_with('/') {
            let state = self.rooted(rule, &path, link);
            return Some(self.finish_with(rule, state, DoubtForm::Rooted));
        }
        let page = match rule.relative_to {
            RelativeTo::Page => self.site.routes.url_of(link.document),
            RelativeTo::Root => Some("/"),
        };
        let Some(page) = page else {
            return self.not_on_a_page(link, &path);
        };
        let page = format!("{}{page}", self.site.base);
        let state = self.relative(rule, &path, &page, link);
        Some(self.finish_with(rule, state, DoubtForm::PageRelative))
    }

    /// Judges a relative link of a document that is no page: a part of others is checked with them.
    fn not_on_a_page(mut self, link: &SiteLink<'_>, path: &str) -> Option<Judgement> {
        if names_file(link, path) {
            return None;
        }
        if let Some(state) = self.by_path(link, path) {
            return Some(self.finish(state, DoubtForm::PageRelative));
        }
        let is_part = link
            .document
            .split('/')
            .any(|name| name.starts_with('_') || matches!(name, "partials" | "snippets"));
        if !is_part {
            return None;
        }
        let reason = "the document is a part of pages, or no page of the site";
        self.add(format!("unknown: {reason}"));
        Some(self.finish(State::Unknown(reason.to_owned()), DoubtForm::PageRelative))
    }

    /// Looks up a relative link of a document of which a program may make a page at its own path, or at that of its directory;
    /// `None` if the site has nothing there.
    fn by_path(&mut self, link: &SiteLink<'_>, path: &str) -> Option<State> {
        let site = self.site;
        let root = site.root_of(link.document)?;
        let page = split_ending(link.document).0;
        for directory in [link.directory(), page] {
            let Some(named) = resolved(directory, path) else { continue };
            let Some(below) = path_below(&named, &root.directory) else { continue };
            let url = format!("/{}", super::tree::joined(root.url.trim_matches('/'), below));
            let stem = url.strip_suffix(".mdx").or_else(|| url.strip_suffix(".md")).unwrap_or(&url);
            let stem = stem.strip_suffix("/README").or_else(|| stem.strip_suffix("/index")).unwrap_or(stem);
            for url in [&*url, stem, &format!("{stem}/")] {
                if let Some(found) =
                    self.found(&format!("{}{url}", site.base)).or_else(|| self.by_pattern(url))
                {
                    return Some(found);
                }
                if let Some(reason) = site.routes.openness_of_part(url) {
                    self.add(format!("unknown: {url}; {reason}"));
                    return Some(State::Unknown(reason.to_owned()));
                }
            }
        }
        None
    }

    /// Returns the file that a path names as one of a source.
    fn as_source(&self, step: &SourceStep, path: &str, link: &SiteLink<'_>) -> Option<String> {
        if !step.endings.is_empty() && !step.endings.iter().any(|end| path.ends_with(end)) {
            return None;
        }
        let (site, is_rooted) = (self.site, path.starts_with('/'));
        let root = || site.root_of(link.document);
        let directory: &str = match step.from {
            Origin::Document if !is_rooted => link.directory(),
            Origin::RootedContent if is_rooted => &root()?.directory,
            Origin::Content => &root()?.directory,
            _ => return None,
        };
        let candidate = resolved(directory, path)?;
        let is_there = |path: &str| match step.any_file {
            true => link.tree.has_file(path),
            false => site.routes.is_published(path),
        };
        let found_at = |candidate: &str| {
            step.added
                .iter()
                .map(|added| format!("{candidate}{added}"))
                .find(|path| is_there(path.trim_start_matches('/')))
        };
        found_at(&candidate).map(|path| path.trim_start_matches('/').to_owned()).or_else(|| {
            // A translation, whose original has the file.
            let root = root()?;
            let inside = path_below(&candidate, &root.directory)?;
            root.fallbacks.iter().find_map(|original| found_at(&super::tree::joined(original, inside)))
        })
    }

    /// Judges a path that begins with "/".
    fn rooted(&mut self, rule: &LinkRule, path: &str, link: &SiteLink<'_>) -> State {
        let path = rewritten(rule, path);
        let site = self.site;
        let base = &*site.base;
        let has_base = within(&path, base).is_some();
        let full = match rule.base {
            BaseUse::Written => path.into_owned(),
            BaseUse::AddedOnce if has_base => path.into_owned(),
            BaseUse::Added | BaseUse::AddedOnce => format!("{base}{path}"),
        };
        let full = without_dots(&full);
        if within(&full, base).is_some() {
            return match self.at_url(&full, link) {
                State::Dead(_) if self.may_be_below(&full, link) => {
                    let reason = "the configuration does not say below which path the site is published";
                    self.add(format!("unknown: {reason}"));
                    State::Unknown(reason.to_owned())
                }
                state => state,
            };
        }
        // Another site may be beside this one, unless the path is one of this site.
        let with_base = format!("{base}{full}");
        if self.found(&with_base).is_some() {
            self.redirects.clear();
            let dead = DeadLink {
                reason: format!("the site is at {base}/"),
                suggestion: Some(with_base),
                is_sure: true,
                ..DeadLink::new(&full)
            };
            return self.dead(dead);
        }
        self.add(format!("outside of the site: {full}"));
        State::Outside
    }

    /// Returns whether a path is one of the site if it is published below the first name of the path, which is that of no
    /// directory of its sources.
    fn may_be_below(&self, full: &str, link: &SiteLink<'_>) -> bool {
        const SOURCES: [&str; 8] = ["docs", "doc", "src", "static", "public", "content", "source", "assets"];
        let Some((first, rest)) = full.trim_start_matches('/').split_once('/') else { return false };
        let site = self.site;
        let is_source = SOURCES.contains(&first)
            || link.tree.has_directory(&super::tree::joined(&site.directory, first))
            || site
                .content
                .iter()
                .any(|root| link.tree.has_directory(&super::tree::joined(&root.directory, first)));
        !site.has_known_base && !is_source && site.routes.served(&format!("/{rest}"), site.serving).is_some()
    }

    /// Judges a path that is relative to the URL of a page.
    fn relative(&mut self, rule: &LinkRule, path: &str, page: &str, link: &SiteLink<'_>) -> State {
        let target = resolve_url(page, &rewritten(rule, path));
        if target.is_above || within(&target.path, &self.site.base).is_none() {
            return self.above(&target, path, link);
        }
        self.at_url(&target.path, link)
    }

    /// Judges a relative path that leads above the root of the site.
    fn above(&mut self, target: &ResolvedPath, path: &str, link: &SiteLink<'_>) -> State {
        if let Some(found) = self.found(&target.path) {
            return found;
        }
        let is_document = matches!(split_ending(path).1, "md" | "mdx" | "markdown");
        // Where another book is published beside this one, there is no such directory.
        let named = resolved(link.directory(), path);
        if is_document && named.is_some_and(|named| link.tree.has_directory(parent(&named))) {
            let (names_file, path) = (names_file(link, path), resolved(link.directory(), path));
            return self.dead(DeadLink {
                names_file,
                is_file_path: true,
                path,
                ..DeadLink::new(&target.path)
            });
        }
        self.add(format!("outside of the site: {}", target.path));
        State::Outside
    }

    /// Judges a path of a URL of the site, with its base.
    fn at_url(&mut self, full: &str, link: &SiteLink<'_>) -> State {
        if let Some(found) = self.found(full) {
            return found;
        }
        let Some(inside) = within(full, &self.site.base) else { return State::Outside };
        let inside = if inside.is_empty() { "/" } else { inside };
        if let Some(state) = self.by_pattern(inside) {
            return state;
        }
        if let Some(reason) = self.site.routes.openness(inside) {
            self.add(format!("unknown: {full}; {reason}"));
            return State::Unknown(reason.to_owned());
        }
        if let Some(reason) = self.made_by_build(inside, link).or_else(|| self.made_of_source(inside, link)) {
            self.add(format!("unknown: {full}; {reason}"));
            return State::Unknown(reason);
        }
        let path = decoded(link.path());
        // Where the files are shown, "/" is the root of the repository.
        if path.starts_with('/') && self.site.routes.url_of(link.document).is_none() {
            let shown = resolved("", &path).filter(|shown| link.tree.has_file(shown));
            if let Some(file) = shown {
                return self.source(&file, "file");
            }
        }
        let names_file = !path.starts_with('/') && names_file(link, &path);
        let is_file_path = !path.starts_with('/') && is_file_path(&path);
        let meant = self.meant_source(&path, link);
        let is_sure = meant.is_some() && !names_file;
        let suggestion = meant.or_else(|| self.nearby(inside, link));
        let named = if path.starts_with('/') { None } else { resolved(link.directory(), &path) };
        let dead =
            DeadLink { names_file, is_file_path, path: named, suggestion, is_sure, ..DeadLink::new(full) };
        self.dead(dead)
    }

    /// Returns what the site has at a URL, with its base, or where its redirects lead.
    fn found(&mut self, full: &str) -> Option<State> {
        let mut path = full.to_owned();
        self.redirects.clear();
        full.clone_into(&mut self.redirected_from);
        for _ in 0..MOST_REDIRECTS {
            let inside = within(&path, &self.site.base)?;
            match self.site.routes.served(inside, self.site.serving)? {
                Output::Source(file) => {
                    let file = file.clone();
                    self.add(format!("found: {path}, made from {file}"));
                    return Some(State::Source { file: file.into(), fragment: None });
                }
                Output::Made => {
                    self.add(format!("found: {path}, which {} makes", self.site.generator.title));
                    return Some(State::Made);
                }
                Output::Redirect(redirect) => {
                    let SiteRedirect { to, kind } = &**redirect;
                    let next = self.after_redirect(&path, to);
                    self.add(format!("redirect: {path} to {}", next.as_deref().unwrap_or(to)));
                    // A page that is shown at another URL is there.
                    if *kind != RedirectKind::Rewrite && !to.is_empty() {
                        let to = next.as_deref().unwrap_or(to).into();
                        self.redirects.push(SiteRedirect { to, kind: *kind });
                    }
                    let Some(next) = next else { return Some(State::Made) };
                    match self.ended(full, &next, *kind) {
                        Some(end) => return Some(end),
                        None => path = next,
                    }
                }
            }
        }
        Some(State::Made)
    }

    /// Returns the path with the base that a redirect leads to; `None` if it leads out of the site.
    fn after_redirect(&self, from: &str, to: &str) -> Option<String> {
        let to = &*decoded(to.split(['?', '#']).next().unwrap_or_default());
        if let Some((_, rest)) = to.split_once("://") {
            let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            let inside = self.site.inside_of_url(authority, path)?;
            return Some(format!("{}{inside}", self.site.base));
        }
        if has_scheme(to) || to.is_empty() || to.starts_with("//") {
            return None;
        }
        // Some configurations name the source of the page.
        const ENDINGS: [&str; 3] = ["", ".md", ".rst"];
        let of_source = self.site.content.iter().find_map(|root| {
            let source = resolved(&root.directory, to)?;
            ENDINGS.iter().find_map(|ending| self.site.routes.url_of(&format!("{source}{ending}")))
        });
        let is_served = |full: &str| {
            within(full, &self.site.base)
                .is_some_and(|inside| self.site.routes.served(inside, self.site.serving).is_some())
        };
        let next = match to.starts_with('/') {
            true if within(to, &self.site.base).is_some() => to.to_owned(),
            true => format!("{}{to}", self.site.base),
            false => {
                let target = resolve_url(from, to);
                if target.is_above {
                    return None;
                }
                target.path
            }
        };
        match of_source {
            Some(url) if !is_served(&next) => Some(format!("{}{url}", self.site.base)),
            _ => within(&next, &self.site.base).map(|_| next.clone()),
        }
    }

    /// Returns what is known of a link whose redirects lead to a path of the site, if they end there: in a circle, or where
    /// nothing is.
    fn ended(&mut self, start: &str, next: &str, kind: RedirectKind) -> Option<State> {
        let earlier = self.redirects.len().saturating_sub(1);
        let is_loop = kind != RedirectKind::Rewrite
            && (next == start || self.redirects.iter().take(earlier).any(|one| *one.to == *next));
        if is_loop {
            let reason = "its redirects lead in a circle".to_owned();
            return Some(self.dead(DeadLink { reason, is_loop: true, ..DeadLink::new(start) }));
        }
        let inside = within(next, &self.site.base)?;
        let routes = &self.site.routes;
        if routes.served(inside, self.site.serving).is_some() {
            return None;
        }
        // A host may have more than the site.
        if kind != RedirectKind::Page || routes.openness(inside).is_some() {
            return Some(State::Made);
        }
        let reason = format!("it redirects to {next}, which is not there");
        Some(self.dead(DeadLink { reason, ..DeadLink::new(start) }))
    }

    /// Follows the redirects of a pattern; `None` if they lead to nothing, as if there were none.
    fn by_pattern(&mut self, inside: &str) -> Option<State> {
        let mut path = inside.to_owned();
        for _ in 0..MOST_REDIRECTS {
            let to = self.site.routes.redirected(&path)?;
            self.add(format!("redirect: {path} to {to}"));
            let target = to.split(['?', '#']).next().unwrap_or_default();
            // Functions of hosts are not files.
            if has_scheme(target) || target.starts_with("//") || target.starts_with("/.") {
                return Some(State::Made);
            }
            let target =
                target.strip_prefix(&*self.site.base).filter(|rest| rest.starts_with('/')).unwrap_or(target);
            if let Some(found) = self.found(&format!("{}{target}", self.site.base)) {
                return Some(found);
            }
            if let Some(reason) = self.site.routes.openness(target) {
                return Some(State::Unknown(reason.to_owned()));
            }
            if target == path {
                return None;
            }
            path = target.to_owned();
        }
        None
    }

    /// Returns why a page may be made of a document that is not known to be one: the configuration of some generators does
    /// not tell all.
    fn made_of_source(&self, inside: &str, link: &SiteLink<'_>) -> Option<String> {
        const UNSURE: [&str; 7] = ["sphinx", "docfx", "next", "nextra", "gatsby", "eleventy", "astro"];
        const ENDINGS: [&str; 7] = ["md", "ipynb", "rst", "mdx", "adoc", "org", "markdown"];
        if self.site.is_built || !UNSURE.contains(&self.site.generator.name) {
            return None;
        }
        self.sources_of(inside, link).iter().find_map(|path| {
            let stem = path.strip_suffix(".html")?;
            let mut sources = ENDINGS.iter().map(|ending| format!("{stem}.{ending}"));
            let source = sources.find(|source| link.tree.has_file(source))?;
            self.site
                .routes
                .url_of(&source)
                .is_none()
                .then(|| format!("{source} is there, of which it may be made"))
        })
    }

    /// Returns why a URL that the map does not have may be made by a build, which would write its file somewhere.
    fn made_by_build(&self, inside: &str, link: &SiteLink<'_>) -> Option<String> {
        if self.site.is_built {
            return None;
        }
        self.sources_of(inside, link).iter().find_map(|path| {
            let is_below = |unread: &&str| path == unread || path_below(path, unread).is_some();
            match link.tree.unread().find(is_below) {
                Some(unread) => Some(format!("{unread} is not read")),
                None => link.tree.build_reason(path).map(|reason| format!("{path}: {reason}")),
            }
        })
    }

    /// Returns the paths of the tree that a link may name.
    fn sources_of(&self, inside: &str, link: &SiteLink<'_>) -> Vec<String> {
        let path = decoded(link.path());
        let mut candidates = Vec::new();
        if !path.starts_with('/') {
            candidates.extend(resolved(link.directory(), &path));
        }
        let url = inside.trim_matches('/');
        let roots = self.site.content.iter().map(|root| (&*root.directory, root.url.trim_matches('/')));
        let mut around: Vec<_> = roots.chain(self.site.routes.directories()).collect();
        around.retain(|(_, start)| path_below(url, start).is_some());
        around.sort_by_key(|(_, start)| std::cmp::Reverse(start.len()));
        for (directory, start) in around.into_iter().take(MOST_ROOTS) {
            candidates.extend(path_below(url, start).map(|below| super::tree::joined(directory, below)));
        }
        candidates
    }

    /// Returns the reference that the generator reads as the page of a source, if a relative path that is dead names that
    /// with another ending, or as the page of a directory: `configure.html` and `configure/` for `configure.md`.
    fn meant_source(&self, path: &str, link: &SiteLink<'_>) -> Option<String> {
        const ADDED: [&str; 6] = ["", ".md", ".mdx", "/index.md", "/README.md", "/_index.md"];
        if path.starts_with('/') {
            return None;
        }
        let (site, rest) = (self.site, link.written.get(link.path().len()..).unwrap_or_default());
        let stem = path.trim_end_matches('/');
        let stem = stem.strip_suffix(".html").or_else(|| stem.strip_suffix(".md")).unwrap_or(stem);
        let candidate = resolved(link.directory(), stem)?;
        let (source, url) = ADDED.iter().find_map(|added| {
            let source = format!("{candidate}{added}");
            let url = site.routes.url_of(&source)?;
            Some((source, url))
        })?;
        let rule = rule_of(site, link.form);
        if rule.sources.is_empty() && rule.rewrites.is_empty() {
            let page = site.routes.url_of(link.document)?;
            return Some(format!("{}{rest}", relative_url(page, url)));
        }
        let (_, added) = source.split_at(candidate.len());
        let is_known = !stem.is_empty() && !stem.ends_with("..");
        is_known.then(|| format!("{stem}{added}{rest}"))
    }

    /// Returns the reference that is probably meant by one that is dead.
    fn nearby(&self, inside: &str, link: &SiteLink<'_>) -> Option<String> {
        let (written, site) = (decoded(link.path()), self.site);
        let rest = link.written.get(link.path().len()..).unwrap_or_default();
        let is_served = |path: &str| site.routes.served(path, site.serving).is_some();
        if written.starts_with('/') {
            let slashed = format!("{}/", inside.trim_end_matches('/'));
            let stem = inside.trim_end_matches('/');
            let others = [
                slashed,
                stem.to_owned(),
                stem.strip_suffix(".md")
                    .or_else(|| stem.strip_suffix(".html"))
                    .map(|stem| format!("{stem}/"))
                    .unwrap_or_default(),
                format!("{stem}.html"),
                stem.strip_suffix(".html").unwrap_or_default().to_owned(),
            ];
            let has_base = within(&written, &site.base).is_some() && !site.base.is_empty();
            let base = if has_base { &*site.base } else { "" };
            let found = others.iter().find(|path| !path.is_empty() && **path != inside && is_served(path));
            return found.map(|path| format!("{base}{path}{rest}"));
        }
        None
    }
}

impl DeadLink {
    fn new(wanted: &str) -> Self {
        Self {
            wanted: wanted.to_owned(),
            names_file: false,
            is_file_path: false,
            path: None,
            reason: String::new(),
            suggestion: None,
            is_sure: false,
            is_absolute: false,
            is_loop: false,
        }
    }
}

/// Returns whether a relative path names a file or a directory of the tree, as a forge reads it.
fn names_file(link: &SiteLink<'_>, path: &str) -> bool {
    let named = resolved(link.directory(), path);
    named.is_some_and(|named| link.tree.has_file(&named) || link.tree.has_directory(&named))
}

/// Returns whether a path is one of a file, as it is where the files are shown, not of a page: it has an ending, other than that
/// of a page.
fn is_file_path(path: &str) -> bool {
    super::model::has_file_ending(path) && !matches!(split_ending(path).1, "html" | "htm" | "xhtml")
}

/// Returns a path in which the ending is replaced that the generator replaces.
fn rewritten<'p>(rule: &LinkRule, path: &'p str) -> Cow<'p, str> {
    let replaced =
        rule.rewrites.iter().find_map(|(old, new)| Some(format!("{}{new}", path.strip_suffix(old)?)));
    replaced.map_or(Cow::Borrowed(path), Cow::Owned)
}

/// Returns what is left of a path below a base: "/a" of "/base/a", "" of "/base".
pub(crate) fn within<'p>(path: &'p str, base: &str) -> Option<&'p str> {
    let rest = path.strip_prefix(base)?;
    (rest.is_empty() || rest.starts_with('/')).then_some(rest)
}

/// The path that a reference leads to.
struct ResolvedPath {
    path: String,
    /// Whether it goes up from the root.
    is_above: bool,
}

/// Resolves a relative path against the path of a URL (RFC 3986, 5.2.3 and 5.2.4).
fn resolve_url(page: &str, relative: &str) -> ResolvedPath {
    let directory = page.rfind('/').map_or("", |at| page.get(..at).unwrap_or_default());
    let mut names: Vec<&str> = directory.split('/').skip(1).collect();
    let (mut is_above, mut is_directory) = (false, false);
    for name in relative.split('/') {
        is_directory = matches!(name, "" | "." | "..");
        match name {
            // An empty segment is kept by servers, and means the same to most.
            "" | "." => {}
            ".." => is_above |= names.pop().is_none(),
            name => names.push(name),
        }
    }
    let mut path = format!("/{}", names.join("/"));
    if is_directory && !path.ends_with('/') {
        path.push('/');
    }
    ResolvedPath { path, is_above }
}

/// Returns the relative reference that leads from one page to another.
pub(crate) fn relative_url(page: &str, target: &str) -> String {
    let directory = page.rfind('/').map_or("", |at| page.get(..=at).unwrap_or_default());
    let common = directory.bytes().zip(target.bytes()).take_while(|(one, other)| one == other).count();
    let common = directory.get(..common).and_then(|start| start.rfind('/')).map_or(0, |at| at + 1);
    let up = directory.get(common..).unwrap_or_default().matches('/').count();
    let reference = format!("{}{}", "../".repeat(up), target.get(common..).unwrap_or_default());
    if reference.is_empty() { "./".to_owned() } else { reference }
}

/// Returns a path without "." and ".." and empty segments.
fn without_dots(path: &str) -> String {
    resolve_url("/", path).path
}

/// Returns a path with its escapes decoded once; what is not in UTF-8 is replaced.
pub(crate) fn decoded(path: &str) -> Cow<'_, str> {
    if !path.contains('%') {
        return Cow::Borrowed(path);
    }
    let digit = |byte: Option<&u8>| byte.and_then(|byte| char::from(*byte).to_digit(16));
    let (bytes, mut result, mut at) = (path.as_bytes(), Vec::with_capacity(path.len()), 0);
    while let Some(&byte) = bytes.get(at) {
        match (digit(bytes.get(at + 1)), digit(bytes.get(at + 2))) {
            (Some(high), Some(low)) if byte == b'%' => {
                result.push((high * 16 + low) as u8);
                at += 3;
            }
            _ => {
                result.push(byte);
                at += 1;
            }
        }
    }
    Cow::Owned(String::from_utf8_lossy(&result).into_owned())
}

/// Returns whether a reference begins with a scheme.
pub(crate) fn has_scheme(reference: &str) -> bool {
    let Some((scheme, _)) = reference.split_once(':') else { return false };
    scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.bytes().all(|octet| octet.is_ascii_alphanumeric() || b"+-.".contains(&octet))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_urls() {
        for (page, relative, expected, is_above) in [
            ("/a/b/", "../c/", "/a/c/", false),
            ("/a/b", "../c", "/c", false),
            ("/a/b", "c", "/a/c", false),
            ("/a/", "..", "/", false),
            ("/a/", "../../c", "/c", true),
            ("/", "c//d/.", "/c/d/", false),
            ("/a/b/", ".", "/a/b/", false),
        ] {
            let ResolvedPath { path, is_above: above } = resolve_url(page, relative);
            assert_eq!((&*path, above), (expected, is_above), "{page} and {relative}");
        }
        for (page, target, expected) in [
            ("/a/b/", "/a/c/", "../c/"),
            ("/a/b", "/a/c", "c"),
            ("/a/b/", "/a/b/c", "c"),
            ("/a/", "/", "../"),
            ("/a/", "/a/", "./"),
            ("/ab/c/", "/ad/", "../../ad/"),
        ] {
            assert_eq!(relative_url(page, target), expected, "{page} to {target}");
        }
        assert_eq!(within("/base/a", "/base"), Some("/a"));
        assert_eq!(within("/basement", "/base"), None);
        assert_eq!(decoded("a%20%C3%BC%zz%"), "a ü%zz%");
    }
}

//! Hexo: pages of `source` at their paths, `a.md` at `/a.html`, posts of `_posts` at their `permalink`. Links are left as they
//! are; `{% post_link name %}` names a post.

use locator_find::HeadingIds;

use super::configuration::Value;
use super::front_matter::FrontMatter;
use super::glob::Globs;
use super::model::{
    BaseUse, ContentRoot, Found, Generator, Headings, LinkForm, LinkRule, Lookup, SiteLink, SiteModel,
};
use super::program::package;
use super::redirects;
use super::tree::{joined, name_of, parent, path_below, resolved, split_ending};

/// The generator.
pub(crate) static HEXO: Generator = Generator {
    name: "hexo",
    title: "Hexo",
    configurations: &["_config.yml", "_config.yaml", "_config.json"],
    read,
    special,
};

/// The endings of documents and templates, and what becomes of them.
const RENDERED: [(&str, &str); 16] = [
    ("md", "html"),
    ("markdown", "html"),
    ("mkd", "html"),
    ("mkdn", "html"),
    ("mdwn", "html"),
    ("mdown", "html"),
    ("html", "html"),
    ("htm", "html"),
    ("ejs", "html"),
    ("njk", "html"),
    ("pug", "html"),
    ("swig", "html"),
    ("styl", "css"),
    ("yml", "json"),
    ("yaml", "json"),
    ("json", "json"),
];

/// The default permalink of posts.
const PERMALINK: &str = ":year/:month/:day/:title/";

fn read(found: &Found<'_>) -> Option<SiteModel> {
    let package = package(found.tree, found.directory);
    let configuration = Value::yaml(&found.text());
    let is_hexo =
        package.contains("\"hexo\"") || package.contains("hexo-cli") || found.configuration.is_none();
    let has_source = found
        .tree
        .has_directory(&joined(found.directory, configuration.get("source_dir").text().unwrap_or("source")));
    if !is_hexo || !has_source {
        return None;
    }
    let mut site = SiteModel::new(&HEXO, found);
    let source = resolved(found.directory, configuration.get("source_dir").text().unwrap_or("source"))?;
    let base = configuration.get("root").text().or(configuration.get("url").text()).unwrap_or("/");
    site.set_base(base);
    site.set_published(configuration.get("url").text().unwrap_or_default());
    site.content.push(ContentRoot::new(&source, "/"));
    let has_own_renderer = ["renderer-marked", "renderer-kramed", "renderer-markdown-it", "renderer-pandoc"]
        .iter()
        .filter(|name| package.contains(*name));
    let is_marked = package.contains("hexo-renderer-marked") && has_own_renderer.count() == 1;
    let options = ["modifyAnchors", "headerIds", "anchorAlias", "smartypants", "quotes"];
    let is_changed = !is_marked || options.iter().any(|key| configuration.get("marked").get(key).is_there());
    site.headings = Headings { ids: HeadingIds::Hexo, is_changed, ..Headings::default() };
    site.markdown = LinkRule { base: BaseUse::AddedOnce, ..LinkRule::default() };

    let skipped = Globs::new(configuration.get("skip_render").texts());
    let (included, excluded) = (configuration.get("include").texts(), configuration.get("exclude").texts());
    let (included, excluded) = (Globs::new(included), Globs::new(excluded));
    let posts = Posts::of(found, &configuration, &source);
    for path in found.tree.below(&source) {
        let Some(inside) = path_below(path, &source) else { continue };
        if inside.starts_with("_posts/") {
            posts.add(&mut site, path);
            continue;
        }
        if inside.starts_with("_drafts/") && configuration.get("render_drafts").bool() == Some(true) {
            site.routes.open("/", "drafts are rendered");
        }
        let is_hidden =
            inside.split('/').any(|name| name.starts_with(['_', '.', '#']) || name.ends_with('~'));
        if is_hidden && !included.has(inside) || excluded.has(inside) {
            continue;
        }
        let (stem, ending) = split_ending(inside);
        let made = RENDERED.iter().find(|(own, _)| *own == ending);
        let Some((_, made)) = made.filter(|_| !skipped.has(inside)) else {
            site.routes.add_file(path, inside);
            continue;
        };
        let is_page = *made == "html";
        let front = if is_page { found.tree.front_matter(path) } else { FrontMatter::default() };
        if front.get("published").bool() == Some(false) {
            continue;
        }
        let url = match front.text("permalink") {
            Some(permalink) => format!("/{}", permalink.trim_start_matches('/')),
            None => format!("/{stem}.{made}"),
        };
        let url = url
            .strip_suffix("index.html")
            .filter(|url| url.ends_with('/'))
            .map_or(url.clone(), str::to_owned);
        match is_page {
            true => site.routes.add_page(path, &url),
            false => site.routes.add_file(path, &format!("{stem}.{made}")),
        }
        redirects_of(&mut site, &front);
    }
    add_of_generators(&mut site, found, &configuration, &package);
    add_of_theme(&mut site, found, &configuration);
    Some(site)
}

/// Adds what `hexo-generator-alias` and the like redirect.
fn redirects_of(site: &mut SiteModel, front: &FrontMatter) {
    for key in ["alias", "aliases", "redirect_from"] {
        for from in front.get(key).texts() {
            redirects::add(site, from, "");
        }
    }
}

/// How posts are published.
struct Posts<'t> {
    found: &'t Found<'t>,
    directory: String,
    permalink: String,
    has_assets: bool,
    default_category: String,
    /// The language of a name: `:lang/:title.md`.
    has_new_name: bool,
}

impl<'t> Posts<'t> {
    fn of(found: &'t Found<'t>, configuration: &Value, source: &str) -> Self {
        let text = |key: &str, default: &str| configuration.get(key).text().unwrap_or(default).to_owned();
        Self {
            found,
            directory: joined(source, "_posts"),
            permalink: text("permalink", PERMALINK),
            has_assets: configuration.get("post_asset_folder").bool() == Some(true),
            default_category: text("default_category", "uncategorized"),
            has_new_name: !matches!(&*text("new_post_name", ":title.md"), ":title.md"),
        }
    }

    /// Adds a post, or the picture of one.
    fn add(&self, site: &mut SiteModel, path: &str) {
        let (stem, ending) = split_ending(path);
        let is_post = RENDERED.iter().any(|(own, made)| *own == ending && *made == "html");
        if !is_post {
            return;
        }
        let front = self.found.tree.front_matter(path);
        if front.get("published").bool() == Some(false) {
            return;
        }
        let slug = path_below(stem, &self.directory).unwrap_or(stem);
        let Some(url) = self.url_of(slug, &front) else {
            site.routes.open("/", "permalinks have dates and names that the files do not state");
            return;
        };
        site.routes.add_page(path, &url);
        let name = name_of(slug);
        for key in [slug, name] {
            site.names.entry(("post", key.into())).or_insert_with(|| path.into());
        }
        if let Some(title) = front.text("title") {
            site.names.entry(("post", title.into())).or_insert_with(|| path.into());
        }
        if self.has_assets {
            site.routes.add_directory(self.found.tree, stem, url.trim_end_matches(".html"));
        }
        redirects_of(site, &front);
    }

    /// Returns the URL of a post; `None` if the files do not say it.
    fn url_of(&self, slug: &str, front: &FrontMatter) -> Option<String> {
        if let Some(own) = front.text("permalink") {
            let url = format!("/{}", own.trim_start_matches('/'));
            return Some(url);
        }
        let name = name_of(slug);
        let dated = date_of(name);
        // A name with a date may be the pattern of new posts, which is taken apart.
        let (title, own_date) = match dated.filter(|_| self.has_new_name) {
            Some(date) => (joined(parent(slug), name.get(11..).unwrap_or(name)), Some(date)),
            None => (slug.to_owned(), None),
        };
        let date = front.text("date").and_then(date_of).or(own_date);
        let mut url = String::from("/");
        let mut rest = self.permalink.trim_start_matches('/');
        while let Some(at) = rest.find(':') {
            let (before, after) = rest.split_at(at);
            url.push_str(before);
            let end = after[1..]
                .find(|one: char| !one.is_ascii_alphanumeric() && one != '_')
                .map_or(after.len(), |end| end + 1);
            let (key, next) = after.split_at(end);
            rest = next;
            match key {
                ":year" => url.push_str(date?.get(..4)?),
                ":month" => url.push_str(date?.get(5..7)?),
                ":day" => url.push_str(date?.get(8..10)?),
                ":i_month" => url.push_str(date?.get(5..7)?.trim_start_matches('0')),
                ":i_day" => url.push_str(date?.get(8..10)?.trim_start_matches('0')),
                ":title" => url.push_str(&title),
                ":name" => url.push_str(name_of(&title)),
                ":post_title" => url.push_str(&HeadingIds::Hexo.id_of(front.text("title")?).to_lowercase()),
                ":category" => url.push_str(&self.category_of(front)),
                _ => url.push_str(front.text(key.get(1..)?)?),
            }
        }
        url.push_str(rest);
        Some(url)
    }

    fn category_of(&self, front: &FrontMatter) -> String {
        let list = match front.get("categories") {
            Value::Null => front.get("category").texts(),
            value => value.texts(),
        };
        if list.is_empty() {
            return self.default_category.clone();
        }
        list.iter().map(|name| HeadingIds::Hexo.id_of(name)).collect::<Vec<_>>().join("/")
    }
}

/// Returns the date at the beginning of a text: `2020-01-02`.
fn date_of(text: &str) -> Option<&str> {
    let date = text.get(..10)?;
    let is_date = date.bytes().enumerate().all(|(at, one)| match at {
        4 | 7 => one == b'-' || one == b'/',
        _ => one.is_ascii_digit(),
    });
    is_date.then_some(date)
}

/// Adds what the generators of `package.json` make.
fn add_of_generators(site: &mut SiteModel, found: &Found<'_>, configuration: &Value, package: &str) {
    let directory = |key: &str, default: &str| {
        format!("/{}/", configuration.get(key).text().unwrap_or(default).trim_matches('/'))
    };
    for (name, prefix) in [
        ("archive", directory("archive_dir", "archives")),
        ("tag", directory("tag_dir", "tags")),
        ("category", directory("category_dir", "categories")),
        ("index", format!("/{}/", configuration.get("pagination_dir").text().unwrap_or("page"))),
    ] {
        if package.contains(&format!("hexo-generator-{name}")) {
            site.routes.open(&prefix, format!("hexo-generator-{name} makes it"));
        }
    }
    if package.contains("hexo-generator-index") {
        site.routes.add_made("/");
    }
    for made in [
        "/atom.xml",
        "/rss2.xml",
        "/rss.xml",
        "/sitemap.xml",
        "/baidusitemap.xml",
        "/search.xml",
        "/search.json",
    ] {
        if package.contains("feed") || package.contains("sitemap") || package.contains("search") {
            site.routes.add_made(made);
        }
    }
    let known = [
        "archive",
        "tag",
        "category",
        "index",
        "feed",
        "sitemap",
        "searchdb",
        "search",
        "baidu-sitemap",
        "cname",
        "robotstxt",
        "alias",
    ];
    let others = package.split('"').filter_map(|word| word.strip_prefix("hexo-generator-"));
    if let Some(other) = others.into_iter().find(|name| !known.contains(name)) {
        site.routes.open("/", format!("hexo-generator-{other} can make pages"));
    }
    let mut scripts =
        found.tree.below(&joined(found.directory, "scripts")).filter(|path| path.ends_with(".js"));
    if scripts.any(|path| found.tree.read(path).unwrap_or_default().contains("generator")) {
        site.routes.open("/", "scripts make pages");
    }
}

/// Adds the files of the theme.
fn add_of_theme(site: &mut SiteModel, found: &Found<'_>, configuration: &Value) {
    let theme = configuration.get("theme").text().unwrap_or("landscape").to_owned();
    let directory = joined(found.directory, &format!("themes/{theme}"));
    if found.tree.has_directory(&directory) {
        let source = joined(&directory, "source");
        site.routes.add_directory(found.tree, &source, "/");
        for path in found.tree.below(&source) {
            if let Some(stem) = path_below(path, &source).and_then(|inside| inside.strip_suffix(".styl")) {
                site.routes.add_made(&format!("/{stem}.css"));
            }
        }
        let mut scripts =
            found.tree.below(&joined(&directory, "scripts")).filter(|path| path.ends_with(".js"));
        if scripts.any(|path| found.tree.read(path).unwrap_or_default().contains("generator")) {
            site.routes.open("/", "the theme makes pages");
        }
    } else {
        for prefix in ["/css/", "/js/", "/lib/", "/images/", "/img/", "/fonts/", "/assets/"] {
            site.routes.open(prefix, format!("the theme {theme} is not in the tree"));
        }
    }
}

/// Looks up the tags of Hexo that name posts and files.
fn special(site: &SiteModel, link: &SiteLink<'_>) -> Option<Lookup> {
    let tag = match link.form {
        LinkForm::Role(name) => (name, link.written),
        _ => {
            let inner = link.written.trim().strip_prefix("{%")?.strip_suffix("%}")?.trim();
            inner.split_once(char::is_whitespace)?
        }
    };
    let target = tag.1.trim().trim_matches(['"', '\'']);
    match tag.0 {
        "post_link" | "post_path" => {
            let name = target.split(['#', ' ']).next().unwrap_or_default();
            let post = |name: &str| site.names.get(&("post", Box::<str>::from(name)));
            Some(match post(target).or_else(|| post(name)) {
                Some(path) => Lookup::Source(path.clone()),
                None if site.routes.open_prefixes().iter().any(|open| &*open.prefix == "/") => {
                    Lookup::Unknown("posts are not all known".into())
                }
                None => Lookup::Dead("there is no such post".into()),
            })
        }
        "asset_link" | "asset_path" | "asset_img" => {
            let name = target.split_whitespace().next().unwrap_or_default();
            let path = joined(split_ending(link.document).0, name);
            Some(match link.tree.has_file(&path) {
                true => Lookup::Place(path.into()),
                false => Lookup::Dead("the directory of the post has no such file".into()),
            })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tree::Tree;
    use super::*;

    #[test]
    fn permalinks() {
        let tree = Tree::default();
        let found = Found { tree: &tree, directory: "", configuration: None };
        let front =
            FrontMatter::read("---\ntitle: A Post\ndate: 2020-03-04 10:00:00\ncategories: [C D]\n---\n");
        for (pattern, expected) in [
            (PERMALINK, "/2020/03/04/sub/name/"),
            (":year/:i_month/:name.html", "/2020/3/name.html"),
            ("blog/:category/:post_title/", "/blog/C-D/a-post/"),
        ] {
            let configuration = Value::yaml(&format!("permalink: {pattern:?}"));
            let posts = Posts::of(&found, &configuration, "source");
            assert_eq!(posts.url_of("sub/name", &front).as_deref(), Some(expected), "{pattern}");
        }
        let posts = Posts::of(&found, &Value::Null, "source");
        assert_eq!(posts.url_of("name", &FrontMatter::default()), None);
    }
}

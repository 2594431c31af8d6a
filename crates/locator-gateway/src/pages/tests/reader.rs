//! Reads a page as a browser does, as far as our templates and those of `ammonia` go.

/// The elements and attributes that our templates write.
pub(super) const ELEMENTS: &str = "a bdi blockquote body button caption code details div fieldset form h1 h2 head html img \
    input kbd label legend li link main mark meta nav ol option p pre script section select span strong style summary table tbody td \
    textarea th thead title tr ul";
pub(super) const ATTRIBUTES: &str = "action alt aria-current aria-describedby aria-label aria-labelledby autocapitalize \
    autocomplete charset checked class content defer for hidden href id inputmode lang method name rel required role rows \
    rowspan scope spellcheck src tabindex title type value";
/// Elements without content.
const EMPTY: &str = "br col hr img input link meta wbr";

/// The tags of a page.
#[derive(Debug, Default)]
pub(super) struct Page {
    /// The text between the tags, with references resolved.
    pub(super) text: String,
    /// The names of elements, with their attributes.
    pub(super) tags: Vec<(String, Vec<(String, String)>)>,
}

impl Page {
    /// Reads a page. Panics if tags are not nested, or if a value is not quoted.
    pub(super) fn read(html: &str) -> Self {
        let mut rest = html.strip_prefix("<!DOCTYPE html>").expect("a document type");
        let (mut page, mut open) = (Self::default(), Vec::new());
        while let Some(at) = rest.find('<') {
            page.add(&rest[..at]);
            rest = &rest[at + 1..];
            if let Some(after) = rest.strip_prefix('/') {
                let (name, after) = after.split_once('>').expect("a tag ends");
                assert_eq!(open.pop().as_deref(), Some(name), "{html}");
                rest = after;
                continue;
            }
            let end = rest.find([' ', '>']).expect("a tag ends");
            let name = rest[..end].to_owned();
            let attributes;
            (attributes, rest) = self::attributes(&rest[end..]);
            if name == "style" {
                // Its content is ours.
                rest = rest.split_once("</style>").expect("a style sheet ends").1;
            } else if !EMPTY.split(' ').any(|empty| empty == name) {
                open.push(name.clone());
            }
            page.tags.push((name, attributes));
        }
        page.add(rest);
        assert!(open.is_empty(), "{open:?} in {html}");
        page
    }

    fn add(&mut self, text: &str) {
        assert!(!text.contains('>'), "{text}");
        self.text.push_str(&resolved(text));
    }

    /// Panics if there is an element or an attribute that is not one of these, or an address that does not
    /// lead where it may.
    pub(super) fn has_only(&self, elements: &str, attributes: &str, leads: fn(&str) -> bool) {
        for (name, values) in &self.tags {
            assert!(elements.split_whitespace().any(|one| one == name), "<{name}>");
            for (attribute, value) in values {
                assert!(attributes.split_whitespace().any(|one| one == attribute), "{attribute} of <{name}>");
                let is_ours = !matches!(&**attribute, "href" | "src" | "action") || leads(value);
                assert!(is_ours, "{attribute}={value}");
            }
        }
    }

    /// Returns the values of an attribute.
    pub(super) fn values(&self, attribute: &str) -> Vec<&str> {
        let all = self.tags.iter().flat_map(|(_, values)| values);
        all.filter(|(name, _)| name == attribute).map(|(_, value)| &**value).collect()
    }
}

/// Returns whether an address leads to the gateway, to the web, or to a place in the page.
pub(super) fn leads_through_gateway(address: &str) -> bool {
    let starts = ["/", "#", "http://", "https://", "mailto:", "telnet:", "rlogin:", "tn3270:"];
    starts.iter().any(|start| address.starts_with(start)) && !address.starts_with("//")
}

/// Returns whether an address is a URL that a server may link to, or one of a local directory.
pub(super) fn is_native(address: &str) -> bool {
    let scheme = address.split(':').next().unwrap_or_default();
    scheme == "file" || super::super::schemes::is_shown(scheme)
}

/// Reads ` name="value"` and ` name` up to the end of a tag; returns what follows it.
fn attributes(text: &str) -> (Vec<(String, String)>, &str) {
    let (mut found, mut rest) = (Vec::new(), text);
    loop {
        rest = rest.trim_start_matches(' ');
        if let Some(after) = rest.strip_prefix('>') {
            return (found, after);
        }
        let end = rest.find(['=', ' ', '>']).expect("a tag ends");
        let name = rest[..end].to_owned();
        rest = &rest[end..];
        let mut value = String::new();
        if let Some(after) = rest.strip_prefix("=\"") {
            let quoted;
            (quoted, rest) = after.split_once('"').expect("a value ends");
            assert!(!quoted.contains('<'), "{quoted}");
            value = resolved(quoted);
        }
        found.push((name, value));
    }
}

/// Resolves the references that templates write. Panics if there is another one.
fn resolved(text: &str) -> String {
    for piece in text.split('&').skip(1) {
        assert!(
            ["amp;", "lt;", "gt;", "quot;", "nbsp;"].iter().any(|name| piece.starts_with(name)),
            "&{piece}"
        );
    }
    let text =
        text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&nbsp;", "\u{A0}");
    text.replace("&amp;", "&")
}

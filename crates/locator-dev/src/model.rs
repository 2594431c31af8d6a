//! Resolves a reference against a base by the text of the documents, step by step on strings.
//!
//! The code is slow and simple on purpose, and shares nothing with the library that it tests. The
//! code after a quoted step does exactly that step. A comment marks each reading that
//! `spec/editions.md` adds to the documents.
//!
//! Dot segments are removed from a path by the text of each document. The result is `None` if an
//! excess ".." remains and the choices refuse it.

use std::ops::Range;

/// A document that defines how a reference is resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Document {
    /// The draft of July 1993, "Partial form".
    Url1993,
    /// The draft of May 1997, 5.2.
    Url1997,
    /// RFC 2396, 5.2.
    Rfc2396,
    /// The draft of March 2003, 5.2.
    Uri2003,
    /// RFC 3986, 5.2.
    Rfc3986,
}

/// The result of resolving.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A URI.
    Target(String),
    /// "(current document)", with the fragment.
    CurrentDocument(Option<String>),
    /// The base is opaque and the reference a relative path.
    Opaque,
    /// An excess ".." remains, and the choices refuse it.
    Refused,
}

impl Document {
    /// Returns the choices of the document itself.
    pub fn choices(self) -> Choices {
        let is_last = self == Self::Rfc3986;
        let leftover = if is_last { Leftover::Remove } else { Leftover::Keep };
        Choices { leftover, ignores_same_scheme: false, empty_is_base: is_last }
    }

    fn knows_opaque(self) -> bool {
        matches!(self, Self::Rfc2396 | Self::Uri2003)
    }
}

/// The five components of appendix B.
#[derive(Clone, Debug, Default)]
struct Cut {
    scheme: Option<String>,
    authority: Option<String>,
    path: String,
    query: Option<String>,
    fragment: Option<String>,
}

/// `^(([^:/?#]+):)?(//([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?`
fn cut(text: &str) -> Cut {
    let mut cut = Cut::default();
    let mut rest = text.to_string();
    if let Some((before, fragment)) = text.split_once('#') {
        cut.fragment = Some(fragment.to_string());
        rest = before.to_string();
    }
    if let Some((before, query)) = rest.clone().split_once('?') {
        cut.query = Some(query.to_string());
        rest = before.to_string();
    }
    if let Some((scheme, after)) = rest.clone().split_once(':')
        && !scheme.is_empty()
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
    {
        cut.scheme = Some(scheme.to_string());
        rest = after.to_string();
    }
    if let Some(after) = rest.clone().strip_prefix("//") {
        let end = after.find('/').unwrap_or(after.len());
        cut.authority = Some(after[..end].to_string());
        rest = after[end..].to_string();
    }
    cut.path = rest;
    cut
}

/// Resolves a reference by the steps of a document.
pub fn resolve(document: Document, base: &str, reference: &str, choices: Choices) -> Outcome {
    let (base, mut r) = (cut(base), cut(reference));
    // hier-part = [ net-path / abs-path ] [ "?" query ]
    let empty = document == Document::Uri2003 && base.path.is_empty();
    let hierarchical = base.authority.is_some() || base.path.starts_with('/') || empty;
    let opaque = document.knows_opaque() && !hierarchical;
    let same_scheme = match (&base.scheme, &r.scheme) {
        (Some(base), Some(own)) => base.to_lowercase() == own.to_lowercase(),
        _ => false,
    };
    // Reading: an opaque base, and a remainder that cannot be a path, keep their scheme.
    if choices.ignores_same_scheme && same_scheme && !opaque && !reference.contains(['[', ']']) {
        r.scheme = None;
    }
    match document {
        Document::Url1993 => partial_form(&base, r, choices),
        Document::Url1997 => steps(&base, r, opaque, choices, true),
        Document::Rfc2396 => steps(&base, r, opaque, choices, false),
        Document::Uri2003 => pseudocode_2003(&base, r, opaque, choices),
        Document::Rfc3986 => pseudocode_2005(&base, r, choices),
    }
}

/// 1993, "Partial form".
fn partial_form(base: &Cut, mut r: Cut, choices: Choices) -> Outcome {
    // "a full form must have a colon and that colon must occur before any slash characters"
    if r.scheme.is_some() {
        return compose(r);
    }
    r.scheme = base.scheme.clone();
    if r.authority.is_some() {
        return compose(r);
    }
    // Reading: an empty reference is the current document.
    if r.path.is_empty() && r.query.is_none() {
        return same_document(base, r, choices);
    }
    r.authority = base.authority.clone();
    // "If a leading slash is present, the path is absolute."
    if r.path.starts_with('/') {
        return compose(r);
    }
    // Reading: two empty paths make an empty path.
    if base.path.is_empty() && r.path.is_empty() {
        return compose(r);
    }
    // "The last part of the path of the context locator (anything following the rightmost slash) is
    // removed, and the given partial URL appended in its place."
    match remove_1993(directory(base) + &r.path, choices.leftover) {
        Some(path) => compose(Cut { path, ..r }),
        None => Outcome::Refused,
    }
}

/// 1997 and RFC 2396, 5.2; `with_query` enables step 6c, which only 1997 has.
fn steps(base: &Cut, mut r: Cut, opaque: bool, choices: Choices, with_query: bool) -> Outcome {
    // 2) If the path component is empty and the scheme, site, and query components are undefined,
    // then it is a reference to the current document and we are done.
    if r.path.is_empty() && r.scheme.is_none() && r.authority.is_none() && r.query.is_none() {
        return same_document(base, r, choices);
    }
    // 3) If the scheme component is defined, then the reference is interpreted as an absolute URL
    //    and
    // we are done. Otherwise, the reference URL's scheme is inherited from the base URL's scheme.
    if r.scheme.is_some() {
        return compose(r);
    }
    r.scheme = base.scheme.clone();
    // 4) If the site component is defined, then we skip to step 7. Otherwise, inherited.
    if r.authority.is_some() {
        return compose(r);
    }
    r.authority = base.authority.clone();
    // 5) If the path component begins with a slash character ("/"), then we skip to step 7.
    if r.path.starts_with('/') {
        return compose(r);
    }
    // 6) ... a relative-path reference.
    if opaque {
        return Outcome::Opaque;
    }
    // Reading: two empty paths make an empty path, and the query stays as it is.
    if base.path.is_empty() && r.path.is_empty() {
        return compose(r);
    }
    let mut buffer = directory(base) + &r.path;
    if with_query && let Some(query) = r.query.take() {
        buffer = buffer + "?" + &query;
    }
    let Some(buffer) = remove_1997(buffer, choices.leftover) else { return Outcome::Refused };
    r.path = buffer.clone();
    // h) If the buffer string contains a question-mark "?" character, then the reference URL's
    // query component is the substring after the first (left-most) question-mark.
    if with_query && let Some((path, query)) = buffer.split_once('?') {
        r.path = path.to_string();
        r.query = Some(query.to_string());
    }
    compose(r)
}

/// 2003, 5.2.
fn pseudocode_2003(base: &Cut, r: Cut, opaque: bool, choices: Choices) -> Outcome {
    let mut t = Cut { fragment: r.fragment.clone(), ..Cut::default() };
    if r.scheme.is_some() {
        return compose(r);
    }
    if r.authority.is_some() {
        (t.authority, t.path, t.query) = (r.authority, r.path, r.query);
    } else {
        if r.path.is_empty() {
            if r.query.is_none() {
                return same_document(base, r, choices);
            }
            if opaque {
                return Outcome::Opaque;
            }
            t.path = base.path.clone();
        } else if r.path.starts_with('/') {
            t.path = r.path;
        } else if opaque {
            return Outcome::Opaque;
        } else {
            // "If the base URI's path component is the empty string, then a single slash character
            // ("/") is copied to the buffer."
            let buffer = if base.path.is_empty() { "/".to_string() } else { directory(base) };
            match remove_1997(buffer + &r.path, choices.leftover) {
                Some(path) => t.path = path,
                None => return Outcome::Refused,
            }
        }
        t.query = r.query;
        t.authority = base.authority.clone();
    }
    t.scheme = base.scheme.clone();
    compose(t)
}

/// RFC 3986, 5.2.2.
fn pseudocode_2005(base: &Cut, r: Cut, choices: Choices) -> Outcome {
    let mut t = Cut { fragment: r.fragment.clone(), ..Cut::default() };
    let remove = |path: String| remove_2005(path, choices.leftover);
    let path;
    if r.scheme.is_some() {
        (t.scheme, t.authority, t.query) = (r.scheme, r.authority, r.query);
        path = remove(r.path);
    } else {
        if r.authority.is_some() {
            (t.authority, t.query) = (r.authority, r.query);
            path = remove(r.path);
        } else {
            if r.path.is_empty() {
                // Reading: 4.4, if the caller asks for it.
                if r.query.is_none() && !choices.empty_is_base {
                    return same_document(base, r, choices);
                }
                path = Some(base.path.clone());
                t.query = if r.query.is_some() { r.query } else { base.query.clone() };
            } else {
                path =
                    if r.path.starts_with('/') { remove(r.path) } else { remove(directory(base) + &r.path) };
                t.query = r.query;
            }
            t.authority = base.authority.clone();
        }
        t.scheme = base.scheme.clone();
    }
    path.map_or(Outcome::Refused, |path| compose(Cut { path, ..t }))
}

/// Returns all but the last segment of the base's path.
fn directory(base: &Cut) -> String {
    // Reading: every document uses the rule of RFC 3986 here.
    if base.path.is_empty() && base.authority.is_some() {
        return "/".to_string();
    }
    let mut path = base.path.clone();
    while !path.is_empty() && !path.ends_with('/') {
        path.pop();
    }
    path
}

fn same_document(base: &Cut, r: Cut, choices: Choices) -> Outcome {
    if choices.empty_is_base {
        return compose(Cut { fragment: r.fragment, ..base.clone() });
    }
    Outcome::CurrentDocument(r.fragment)
}

/// 1997, 5.2, step 7; RFC 3986, 5.3.
fn compose(t: Cut) -> Outcome {
    let mut result = String::new();
    if let Some(scheme) = t.scheme {
        result = result + &scheme + ":";
    }
    if let Some(authority) = &t.authority {
        result = result + "//" + authority;
    }
    // Reading: a path must not become an authority.
    if t.authority.is_none() && t.path.starts_with("//") {
        result += "/.";
    }
    result += &t.path;
    if let Some(query) = t.query {
        result = result + "?" + &query;
    }
    if let Some(fragment) = t.fragment {
        result = result + "#" + &fragment;
    }
    Outcome::Target(result)
}

/// 1993: "all occurrences of "/xxx/.." or "/." are recursively removed, where xxx, ".." and "." are
/// complete path elements", and xxx is not itself "..".
fn remove_1993(mut path: String, leftover: Leftover) -> Option<String> {
    while let Some((at, pattern)) = find_1993(&path) {
        path.replace_range(at..at + pattern.len(), "");
    }
    while let Some(at) = find_element(&path, "/..") {
        match leftover {
            Leftover::Keep => break,
            Leftover::Remove => path.replace_range(at..at + 3, ""),
            Leftover::Refuse => return None,
        }
    }
    Some(path)
}

/// Returns the first "/.", else the first "/xxx/..".
fn find_1993(path: &str) -> Option<(usize, String)> {
    if let Some(at) = find_element(path, "/.") {
        return Some((at, "/.".to_string()));
    }
    (0..path.len()).filter(|at| path[*at..].starts_with('/')).find_map(|at| {
        let xxx = path[at + 1..].split('/').next()?;
        let pattern = format!("/{xxx}/..");
        let whole = is_whole(path, at, &pattern);
        (xxx != ".." && whole).then_some((at, pattern))
    })
}

/// Returns the position of a pattern that begins with "/" and whose last element is complete.
fn find_element(path: &str, pattern: &str) -> Option<usize> {
    (0..path.len()).find(|at| is_whole(path, *at, pattern))
}

fn is_whole(path: &str, at: usize, pattern: &str) -> bool {
    path[at..].strip_prefix(pattern).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// 1997, 5.2, steps 6d to 6g; RFC 2396, steps 6c to 6g; 2003, merge, steps 3 to 7. Reading: a "/"
/// at the start of the buffer, also after a removal, is the root, and no segment precedes it.
fn remove_1997(mut buffer: String, leftover: Leftover) -> Option<String> {
    // d) All occurrences of "./", where "." is a complete path segment, are removed.
    while let Some(at) = starts_of_segments(&buffer).into_iter().find(|at| buffer[*at..].starts_with("./")) {
        buffer.replace_range(at..at + 2, "");
    }
    // e) If the buffer string ends with "." as a complete path segment, that "." is removed.
    if buffer == "." || buffer.ends_with("/.") {
        buffer.pop();
    }
    // f) All occurrences of "<segment>/../", where <segment> is a complete path segment not equal
    // to "..", are removed iteratively, removing the leftmost matching pattern on each iteration.
    // Reading: if (7) removes ".." at the start of the buffer, it is removed before what follows
    // it.
    loop {
        if leftover == Leftover::Remove && buffer.starts_with("../") {
            buffer.replace_range(..3, "");
        } else if let Some(range) = leftmost_pair(&buffer) {
            buffer.replace_range(range, "");
        } else {
            break;
        }
    }
    // g) If the buffer string ends with "<segment>/..", that "<segment>/.." is removed.
    if let Some(before) = buffer.strip_suffix("/..").filter(|before| !before.is_empty()) {
        let at = before.rfind('/').map_or(0, |slash| slash + 1);
        if &before[at..] != ".." {
            buffer.truncate(at);
        }
    }
    let (root, mut buffer) = match buffer.strip_prefix('/') {
        Some(rest) => ("/", rest.to_string()),
        None => ("", buffer),
    };
    // 7) If the resulting buffer string still begins with one or more complete path segments of
    //    ".."
    while buffer == ".." || buffer.starts_with("../") {
        match leftover {
            Leftover::Keep => break,
            Leftover::Remove => buffer.replace_range(..buffer.len().min(3), ""),
            Leftover::Refuse => return None,
        }
    }
    Some(root.to_string() + &buffer)
}

/// Returns where the leftmost "<segment>/../" is.
fn leftmost_pair(buffer: &str) -> Option<Range<usize>> {
    starts_of_segments(buffer).into_iter().find_map(|at| {
        let segment = buffer[at..].split('/').next()?;
        let is_before_root = at == 0 && segment.is_empty();
        let matches = !is_before_root && segment != ".." && buffer[at + segment.len()..].starts_with("/../");
        matches.then_some(at..at + segment.len() + 4)
    })
}

fn starts_of_segments(buffer: &str) -> Vec<usize> {
    (0..buffer.len()).filter(|at| *at == 0 || buffer.as_bytes()[at - 1] == b'/').collect()
}

/// RFC 3986, 5.2.4, with two buffers.
fn remove_2005(mut input: String, leftover: Leftover) -> Option<String> {
    let mut output = String::new();
    while !input.is_empty() {
        if input.starts_with("./") {
            input.replace_range(..2, ""); // A
        } else if input.starts_with("../") {
            // A, or what an implementation that keeps or refuses ".." does instead.
            match leftover {
                Leftover::Keep => step_e(&mut input, &mut output),
                Leftover::Remove => input.replace_range(..3, ""),
                Leftover::Refuse => return None,
            }
        } else if input.starts_with("/./") || input == "/." {
            input.replace_range(..input.len().min(3), "/"); // B
        } else if input.starts_with("/../") || input == "/.." {
            let above = output.rfind('/').map_or(output.as_str(), |slash| &output[slash + 1..]);
            if output.is_empty() || above == ".." {
                match leftover {
                    Leftover::Keep => {
                        step_e(&mut input, &mut output);
                        continue;
                    }
                    Leftover::Remove => {}
                    Leftover::Refuse => return None,
                }
            }
            input.replace_range(..input.len().min(4), "/"); // C
            output.truncate(output.rfind('/').unwrap_or(0));
        } else if input == "." {
            input.clear(); // D
        } else if input == ".." {
            match leftover {
                Leftover::Keep => step_e(&mut input, &mut output),
                Leftover::Remove => input.clear(), // D
                Leftover::Refuse => return None,
            }
        } else {
            step_e(&mut input, &mut output);
        }
    }
    Some(output)
}

/// E: the first path segment goes from the input to the output, with the initial "/" if any.
fn step_e(input: &mut String, output: &mut String) {
    let from = usize::from(input.starts_with('/'));
    let end = input[from..].find('/').map_or(input.len(), |slash| from + slash);
    output.push_str(&input[..end]);
    input.replace_range(..end, "");
}

/// The treatment of an excess ".." at the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leftover {
    /// It is kept.
    Keep,
    /// It is removed.
    Remove,
    /// The reference is refused.
    Refuse,
}

/// The choices that the documents leave to the implementation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choices {
    /// The treatment of an excess "..".
    pub leftover: Leftover,
    /// Whether a reference with the base's scheme is treated as relative.
    pub ignores_same_scheme: bool,
    /// Whether an empty reference is the base rather than the current document.
    pub empty_is_base: bool,
}

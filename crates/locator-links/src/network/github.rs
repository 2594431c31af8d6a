//! What the API of GitHub is asked instead of github.com, which answers programs with 404 for private
//! repositories and with 429 if they ask much: whether a repository, a file, an issue and the like exists
//! ("GitHub REST API documentation").

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use locator::UriRef;
use locator_fetch::Fetcher;

use super::request::Request;
use crate::judge::{Method, Reply, ReplyKind, Response};
use crate::site::repository::{FileAtRevision, FileUrl};

/// The URL of the API.
pub const API: &str = "https://api.github.com";

/// The API of GitHub, with a token.
#[derive(Clone)]
pub(super) struct GitHub {
    api: Arc<str>,
    fetcher: Fetcher,
    /// Whether the API does not know the token.
    refuses_token: Arc<AtomicBool>,
}

impl GitHub {
    /// Takes the URL of the API, without a final slash, and what sends the token to it.
    pub(super) fn new(api: Arc<str>, fetcher: Fetcher) -> Self {
        Self { api, fetcher, refuses_token: Arc::default() }
    }

    /// Returns whether the API was asked and does not know the token.
    pub(super) fn refuses_token(&self) -> bool {
        self.refuses_token.load(Ordering::Relaxed)
    }

    /// Returns the reply of the API if it knows the page, else that of github.com.
    pub(super) async fn instead_of(&self, reply: Reply, request: &Request) -> Reply {
        if !is_doubtful(request.method, &reply) {
            return reply;
        }
        let Some(path) = path_of(&request.url) else { return reply };
        let sent = self.fetcher.request(format!("{}{path}", self.api)).method("HEAD").send().await;
        let status = match &sent {
            Ok(response) => response.head().map(|head| head.status),
            Err(error) => error.head().map(|head| head.status),
        };
        match status {
            Some(200..=299) => {
                let reason = "found by the API of GitHub".to_owned();
                let response = Response { status: 200, reason, ..Response::default() };
                Reply { kind: ReplyKind::Response(response), is_public: true, ..Reply::default() }
            }
            Some(401) => {
                self.refuses_token.store(true, Ordering::Relaxed);
                reply
            }
            _ => reply,
        }
    }
}

/// Returns whether an answer of github.com says so little that the API is asked.
const fn is_doubtful(method: Method, reply: &Reply) -> bool {
    let ReplyKind::Response(response) = &reply.kind else { return false };
    match response.status {
        // HEAD is not believed, GET is asked first.
        404 => !matches!(method, Method::Head),
        429 | 500..=599 => true,
        _ => false,
    }
}

/// Returns whether the API is asked after an answer.
pub(crate) fn decides(url: &str, method: Method, reply: &Reply) -> bool {
    is_doubtful(method, reply) && path_of(url).is_some()
}

/// Returns the path of the API that exists if a page of github.com does.
pub(crate) fn path_of(url: &str) -> Option<String> {
    let url = UriRef::parse(url).ok()?;
    let host = url.host()?.as_str().to_ascii_lowercase();
    if !url.is_web() || !matches!(&*host, "github.com" | "www.github.com") {
        return None;
    }
    if let Some(path) = FileUrl::of(&url).and_then(|file| contents_path(&file)) {
        return Some(path);
    }
    let segments: Vec<_> = url.path().as_str().split('/').filter(|segment| !segment.is_empty()).collect();
    if segments.iter().any(|segment| is_dots(segment)) {
        return None;
    }
    match segments[..] {
        [owner] => Some(format!("/users/{owner}")),
        [owner, name] => Some(format!("/repos/{owner}/{}", name.strip_suffix(".git").unwrap_or(name))),
        [owner, name, "issues" | "pulls" | "releases" | "tags" | "branches"] => {
            Some(format!("/repos/{owner}/{name}"))
        }
        [owner, name, "issues", number] => Some(format!("/repos/{owner}/{name}/issues/{number}")),
        [owner, name, "pull", number] => Some(format!("/repos/{owner}/{name}/pulls/{number}")),
        [owner, name, "commit", id] => Some(format!("/repos/{owner}/{name}/commits/{id}")),
        [owner, name, "releases", "tag", tag] => Some(format!("/repos/{owner}/{name}/releases/tags/{tag}")),
        _ => None,
    }
}

/// Returns the path of a file. Its revision is one segment, as a branch with slashes is not recognised.
fn contents_path(file: &FileUrl<'_>) -> Option<String> {
    let FileAtRevision { project, revision, path } = file.at_revision()?;
    let has_dots = [project, revision, path].iter().any(|part| part.split('/').any(is_dots));
    (!has_dots && !revision.contains('&')).then(|| format!("/repos/{project}/contents/{path}?ref={revision}"))
}

/// Returns whether a segment leads to another path of the API.
fn is_dots(segment: &str) -> bool {
    matches!(&*segment.to_ascii_lowercase().replace("%2e", "."), "." | "..")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths() {
        for (url, expected) in [
            ("https://github.com/o", Some("/users/o")),
            ("https://github.com/o/r", Some("/repos/o/r")),
            ("https://www.GitHub.com/o/r.git/", Some("/repos/o/r")),
            ("http://github.com/o/r/blob/v1/a/b.md?plain=1", Some("/repos/o/r/contents/a/b.md?ref=v1")),
            ("https://github.com/o/r/tree/refs/heads/main/a", Some("/repos/o/r/contents/a?ref=main")),
            ("https://github.com/o/r/tree/main", Some("/repos/o/r/contents/?ref=main")),
            ("https://github.com/o/r/issues/1", Some("/repos/o/r/issues/1")),
            ("https://github.com/o/r/pull/1", Some("/repos/o/r/pulls/1")),
            ("https://github.com/o/r/commit/ab", Some("/repos/o/r/commits/ab")),
            ("https://github.com/o/r/releases/tag/v1", Some("/repos/o/r/releases/tags/v1")),
            ("https://github.com/o/r/releases", Some("/repos/o/r")),
            ("https://github.com/o/r/wiki/A", None),
            ("https://github.com/o/%2E./", None),
            ("https://github.com/o/r/blob/main/%2e%2e/%2e%2e/x", None),
            ("https://github.com/", None),
            ("https://gist.github.com/o/r", None),
            ("https://github.com.example/o/r", None),
            ("https://h.example/o/r", None),
            ("https://raw.githubusercontent.com/o/r/main/a", None),
        ] {
            assert_eq!(path_of(url).as_deref(), expected, "{url}");
        }
    }
}

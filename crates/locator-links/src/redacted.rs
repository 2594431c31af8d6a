//! `Debug` of what contains URLs: takes a value, shows it as [`locator_audit::redacted`] does, without passwords
//! and tokens. Verdicts, requests and caches are logged by programs that use this crate, and a link of a document
//! may have a secret.
//!
//! [`debug_redacted`] writes the implementation for a struct: its ordinary fields, and those with URLs.

use std::fmt::{self, Debug, Formatter};
use std::sync::Arc;

/// A text, or several, that may contain URLs.
pub(crate) struct Redacted<'a, T: ?Sized>(pub(crate) &'a T);

/// What can be shown without its secrets.
pub(crate) trait MayContainUrls {
    fn fmt_redacted(&self, f: &mut Formatter<'_>) -> fmt::Result;
}

impl MayContainUrls for str {
    fn fmt_redacted(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Debug::fmt(&locator_audit::redacted(self).to_string(), f)
    }
}

impl MayContainUrls for String {
    fn fmt_redacted(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.as_str().fmt_redacted(f)
    }
}

impl MayContainUrls for Arc<str> {
    fn fmt_redacted(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.as_ref().fmt_redacted(f)
    }
}

/// The octets of a document: only how many there are.
impl MayContainUrls for Vec<u8> {
    fn fmt_redacted(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "({} bytes)", self.len())
    }
}

impl MayContainUrls for Vec<String> {
    fn fmt_redacted(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter().map(Redacted)).finish()
    }
}

impl<T: MayContainUrls> MayContainUrls for Option<T> {
    fn fmt_redacted(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.as_ref().map(Redacted).fmt(f)
    }
}

impl<T: MayContainUrls + ?Sized> Debug for Redacted<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.fmt_redacted(f)
    }
}

/// Implements `Debug` for a struct: the fields after the semicolon may contain URLs.
macro_rules! debug_redacted {
    ($type:ident { $($plain:ident),* ; $($url:ident),+ $(,)? }) => {
        impl std::fmt::Debug for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct(stringify!($type))
                    $(.field(stringify!($plain), &self.$plain))*
                    $(.field(stringify!($url), &crate::redacted::Redacted(&self.$url)))+
                    .finish()
            }
        }
    };
}

pub(crate) use debug_redacted;

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::time::Duration;

    use locator::BaseStack;
    use locator_find::Format;

    use crate::judge::{FetchedPage, Method, NextStep, Reply, RequestFailure, Response};
    use crate::mend::{LinkChange, MendedDocument, Replacement};
    use crate::{Cache, Code, Hop, OwnHeader, Page, Request, UrlUse, Urls, Verdict};

    const PASSWORD: &str = "c4n4ryPassw0rd";
    const TOKEN: &str = "7c1e9a44d2b84f03aa16";

    /// No `Debug` shows the secrets of a URL.
    #[test]
    fn no_debug_shows_a_secret() {
        let url = format!("https://joe:{PASSWORD}@h.example/a?access_token={TOKEN}");
        let urls = Urls::default();
        let id = urls.find(&url, UrlUse::default());
        let mut verdict = Verdict::new(Code::Redirected).because(format!("see {url}"));
        verdict.hops.push(Hop { status: 301, to: url.clone() });
        verdict.suggestion = Some(url.clone());
        let fetched = FetchedPage {
            url: url.clone(),
            bases: BaseStack::default(),
            format: Format::Html,
            octets: url.clone().into(),
        };
        let request = Request {
            url: url.as_str().into(),
            method: Method::Get,
            is_for_public: true,
            wants_anchors: false,
            wants_text: false,
            wants_page: false,
            sends_headers: false,
            sends_login: false,
            jar: None,
        };
        let response = Response { location: Some(url.clone()), reason: url.clone(), ..Response::default() };
        let header =
            OwnHeader { origin: "https://h".into(), name: "Authorization".into(), value: TOKEN.into() };
        let page = Page { text: url.clone(), ..Page::default() };
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(PathBuf::from(folder.path()).join("cache"), Duration::MAX).unwrap();
        for shown in [
            format!("{:?} {urls:?} {:?}", verdict, urls.wanted(id)),
            format!("{fetched:?} {request:?} {response:?} {header:?} {page:?} {cache:?}"),
            format!("{:?}", Reply { refresh: Some(url.clone()), ..Reply::default() }),
            format!("{:?}", RequestFailure { code: Code::Tls, text: format!("at {url}") }),
            format!("{:?} {:?}", NextStep::Redirect(url.clone()), Replacement::Url(url.clone())),
            format!("{:?}", Replacement::Reference(url.clone())),
            format!(
                "{:?}",
                LinkChange { offset: 0, length: 1, old: url.clone(), new: Replacement::Url(url.clone()) }
            ),
            format!("{:?}", MendedDocument { octets: url.into(), edits: Vec::new() }),
        ] {
            assert!(!shown.contains(PASSWORD) && !shown.contains(TOKEN), "{shown}");
        }
    }
}

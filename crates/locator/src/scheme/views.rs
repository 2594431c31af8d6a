//! The list of the typed views, and how a reference becomes one: `TryFrom`, the same for every
//! view.

use super::file::FileUrl;
use super::{
    AfsUrl, DataUrl, FtpUrl, GopherUrl, HttpUrl, MailtoUrl, MidUrl, NewsUrl, NntpUrl, ProsperoUrl,
    SessionUrl, UrnName, WaisUrl, WhoisUrl, Z3950Url,
};
use crate::form::SyntaxError;
use crate::reference::{Uri, UriBuf, UriCow, UriRef, UriRefBuf, UriRefCow};

/// Calls a macro with the name of every view. The list is written once: the tests of the views'
/// laws use it too. Those of URLs without "//" are first, because `form_error` is asked about them.
#[doc(hidden)]
#[macro_export]
macro_rules! __for_each_view {
    ($then:ident) => {
        $then! {
            MailtoUrl,
            DataUrl,
            UrnName,
            NewsUrl,
            MidUrl,
            FileUrl,
            AfsUrl,
            FtpUrl,
            GopherUrl,
            HttpUrl,
            NntpUrl,
            ProsperoUrl,
            SessionUrl,
            WaisUrl,
            WhoisUrl,
            Z3950Url
        }
    };
}

/// Returns why a reference does not have the form that its scheme defines, if a view knows the scheme.
///
/// Unlike [`fields`](super::fields), this links no plan.
pub fn form_error(reference: UriRef<'_>) -> Option<SyntaxError> {
    macro_rules! asked {
        ($($view:ident),+) => {$(
            match $view::of(reference) {
                Err(SyntaxError::OtherScheme) => {}
                read => return read.err(),
            }
        )+};
    }
    __for_each_view!(asked);
    None
}

macro_rules! views {
    ($($view:ident),+) => {$(
        views! { $view from UriRef<'a>, Uri<'a>, &'a UriRefBuf, &'a UriBuf, &'a UriRefCow<'a>, &'a UriCow<'a> }
    )+};
    ($view:ident from $($reference:ty),+) => {$(
        impl<'a> TryFrom<$reference> for $view<'a> {
            type Error = SyntaxError;

            fn try_from(reference: $reference) -> Result<Self, SyntaxError> {
                Self::of(UriRef::from(reference))
            }
        }
    )+};
}

__for_each_view!(views);

#[cfg(all(test, feature = "plan", feature = "text"))]
mod tests {
    use super::*;
    use crate::edition;
    use crate::scheme::fields;

    #[test]
    fn a_view_accepts_what_its_scheme_divides() {
        let begins = [
            "afs:",
            "cid:",
            "data:",
            "file:",
            "ftp:",
            "ftps:",
            "gopher:",
            "http:",
            "https:",
            "mailto:",
            "mid:",
            "news:",
            "nfs:",
            "nntp:",
            "prospero:",
            "rlogin:",
            "snews:",
            "telnet:",
            "tn3270:",
            "urn:",
            "wais:",
            "whois:",
            "ws:",
            "wss:",
            "x-mine:",
            "x500:",
            "z39.50r:",
            "z39.50s:",
            "mine:",
            "",
        ];
        let rests = [
            "",
            "a",
            "a@h",
            "a:b",
            "a,b",
            "/a",
            "//h",
            "//h/",
            "//h/a",
            "//u@h/a",
            "//h/a/1",
            "//h/a;b",
            "//h/a;b=c",
            "//h/a?b",
            "<a@h>",
            "*",
            "a/b",
            "//h/1a%09b",
        ];
        for edition in edition::ALL {
            for text in begins.iter().flat_map(|begin| rests.map(|rest| [*begin, rest].concat())) {
                let Ok(reference) = UriRef::parse_with(&text, edition) else { continue };
                let divided = !matches!(fields(reference), Some(Err(_)));
                assert_eq!(form_error(reference).is_none(), divided, "{text} by {edition}");
            }
        }
    }
}

//! The list of the typed views, and how a reference becomes one: `TryFrom`, the same for every view.

use super::file::FileUrl;
use super::{
    AfsUrl, DataUrl, FtpUrl, GopherUrl, HttpUrl, MailtoUrl, MidUrl, NewsUrl, NntpUrl, ProsperoUrl,
    SessionUrl, UrnName, WaisUrl, WhoisUrl,
};
use crate::form::SyntaxError;
use crate::reference::{Uri, UriBuf, UriCow, UriRef, UriRefBuf, UriRefCow};

/// Calls a macro with the name of every view. The list is written once: the tests of the views'
/// laws use it too.
#[doc(hidden)]
#[macro_export]
macro_rules! __for_each_view {
    ($then:ident) => {
        $then! {
            AfsUrl,
            DataUrl,
            FileUrl,
            FtpUrl,
            GopherUrl,
            HttpUrl,
            MailtoUrl,
            MidUrl,
            NewsUrl,
            NntpUrl,
            ProsperoUrl,
            SessionUrl,
            UrnName,
            WaisUrl,
            WhoisUrl
        }
    };
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

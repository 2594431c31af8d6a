//! How a reference becomes the typed view of its scheme: `TryFrom`, the same for every view.

use super::file::FileUrl;
use super::{
    AfsUrl, DataUrl, FtpUrl, GopherUrl, HttpUrl, MailtoUrl, MidUrl, NewsUrl, NntpUrl, ProsperoUrl,
    SessionUrl, UrnName, WaisUrl, WhoisUrl,
};
use crate::form::SyntaxError;
use crate::reference::{Uri, UriBuf, UriRef, UriRefBuf, UriRefCow};

macro_rules! views {
    ($($view:ident),+ $(,)?) => {$(
        views! { $view from UriRef<'a>, Uri<'a>, &'a UriRefBuf, &'a UriBuf, &'a UriRefCow<'a> }
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

views![
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
    WhoisUrl,
];

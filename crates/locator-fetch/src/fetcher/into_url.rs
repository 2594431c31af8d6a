//! What a fetcher takes as a URL: a text, or a reference that was read before.

use locator::{Edition, ParseError, Uri, UriBuf, UriRef, UriRefBuf};

/// What a fetcher can fetch: a text, which it parses, or a reference that was parsed before, borrowed or
/// owned.
///
/// A text is read by RFC 3986, or by the [edition](crate::RequestBuilder::edition) of the request. If it is
/// not a URL, the fetch fails with [`FetchErrorKind::InvalidUrl`](crate::FetchErrorKind::InvalidUrl).
///
/// ```
/// use locator_fetch::blocking::Fetcher;
///
/// let fetcher = Fetcher::for_user_input();
/// assert_eq!(fetcher.fetch("data:,text")?.text()?, "text");
/// assert_eq!(fetcher.fetch(locator::uri!("data:,borrowed"))?.text()?, "borrowed");
/// assert_eq!(
///     fetcher.fetch(&locator::UriBuf::parse("data:,owned")?)?.text()?,
///     "owned"
/// );
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
pub trait IntoUrl: sealed::Sealed {}

mod sealed {
    pub trait Sealed {
        fn into_given(self) -> super::Given;
    }
}

/// A URL as it was given.
pub enum Given {
    /// A text, which is not parsed yet.
    Text(String),
    /// A reference, in its own edition.
    Url(UriRefBuf),
}

impl Given {
    pub(crate) fn new(url: impl IntoUrl) -> Self {
        url.into_given()
    }

    /// Parses a text by an edition; the text is returned with the error.
    pub(crate) fn parse(self, edition: &'static Edition) -> Result<UriRefBuf, (String, ParseError)> {
        match self {
            Self::Url(url) => Ok(url),
            Self::Text(text) => match UriRef::parse_with(&text, edition) {
                Ok(url) => Ok(url.to_owned()),
                Err(error) => Err((text, error)),
            },
        }
    }
}

macro_rules! into_url {
    ($($type:ty: $url:ident => $given:expr;)*) => {$(
        impl IntoUrl for $type {}

        impl sealed::Sealed for $type {
            fn into_given(self) -> Given {
                let $url = self;
                $given
            }
        }
    )*};
}

into_url! {
    &str: text => Given::Text(text.to_owned());
    &String: text => Given::Text(text.clone());
    String: text => Given::Text(text);
    UriRef<'_>: url => Given::Url(url.to_owned());
    &UriRef<'_>: url => Given::Url((*url).to_owned());
    Uri<'_>: url => Given::Url(UriRef::from(url).to_owned());
    &Uri<'_>: url => Given::Url(UriRef::from(*url).to_owned());
    UriRefBuf: url => Given::Url(url);
    &UriRefBuf: url => Given::Url(url.clone());
    UriBuf: url => Given::Url(url.into());
    &UriBuf: url => Given::Url(url.clone().into());
    Given: given => given;
}

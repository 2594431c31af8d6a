//! Changed copies of references: each takes a reference and a value for a component, and returns the
//! reference with that value. All other bytes stay.

use alloc::borrow::Cow;

use super::authority::Login;
use super::{BuildError, ComponentValue, Edit, OptionalValue, SpaceEncoding, Value};
use crate::reference::{Iri, IriBuf, Uri, UriBuf, UriCow, UriRef, UriRefBuf, UriRefCow};
use crate::span::Component;

/// The methods that return a changed copy; what differs is whether it keeps a scheme.
macro_rules! changed {
    ($($type:ty => $owned:ident by $finish:ident;)*) => {$(
        /// # Changed copies
        impl $type {
            /// Returns a copy with another scheme.
            ///
            /// ```
            /// let uri = locator::uri!("http://example.com/a");
            /// assert_eq!(uri.with_scheme("https")?, "https://example.com/a");
            /// # Ok::<_, locator::BuildError>(())
            /// ```
            ///
            /// # Errors
            ///
            /// Returns an error if the edition does not allow such a scheme.
            pub fn with_scheme<'v>(&self, scheme: impl Into<Value<'v>>) -> Result<$owned, BuildError> {
                self.changed(|edit| edit.set_scheme(scheme).map(drop))
            }

            /// Returns a copy with another host: a name or an address.
            ///
            /// ```
            /// let uri = locator::uri!("http://example.com:8080/a");
            /// assert_eq!(uri.with_host("example.org")?, "http://example.org:8080/a");
            /// # Ok::<_, locator::BuildError>(())
            /// ```
            ///
            /// # Errors
            ///
            /// Returns an error if the edition does not allow such a host.
            pub fn with_host<'v>(&self, host: impl OptionalValue<'v>) -> Result<$owned, BuildError> {
                self.changed(|edit| edit.set_host(host).map(drop))
            }

            /// Returns a copy with another port, or without one.
            ///
            /// ```
            /// let uri = locator::uri!("http://example.com:8080/a");
            /// assert_eq!(uri.with_port(8081)?, "http://example.com:8081/a");
            /// assert_eq!(uri.with_port(None)?, "http://example.com/a");
            /// # Ok::<_, locator::BuildError>(())
            /// ```
            ///
            /// # Errors
            ///
            /// Returns an error if there is no host.
            pub fn with_port(&self, port: impl Into<Option<u16>>) -> Result<$owned, BuildError> {
                self.changed(|edit| edit.set_port(port).map(drop))
            }

            /// Returns a copy with another user, or without user and password.
            ///
            /// ```
            /// let uri = locator::uri!("ftp://jan:s3cret@example.com/");
            /// assert_eq!(uri.with_user("a b")?, "ftp://a%20b:s3cret@example.com/");
            /// assert_eq!(uri.with_user(None)?, "ftp://example.com/");
            /// # Ok::<_, locator::BuildError>(())
            /// ```
            ///
            /// # Errors
            ///
            /// Returns an error if there is no host, or if the value does not fit.
            pub fn with_user<'v>(&self, user: impl OptionalValue<'v>) -> Result<$owned, BuildError> {
                self.changed(|edit| edit.set_user(user).map(drop))
            }

            /// Returns a copy with another password, or without one.
            ///
            /// ```
            /// let uri = locator::uri!("ftp://jan:s3cret@example.com/");
            /// assert_eq!(uri.with_password(None)?, "ftp://jan@example.com/");
            /// # Ok::<_, locator::BuildError>(())
            /// ```
            ///
            /// # Errors
            ///
            /// Returns an error if there is no user, or if the value does not fit.
            pub fn with_password<'v>(&self, password: impl OptionalValue<'v>) -> Result<$owned, BuildError> {
                self.changed(|edit| edit.set_password(password).map(drop))
            }

            /// Returns a copy with another path. Its escapes stay; what a path does not allow is escaped.
            ///
            /// ```
            /// let uri = locator::uri!("https://example.com/a?b#c");
            /// assert_eq!(uri.with_path("/new path")?, "https://example.com/new%20path?b#c");
            /// # Ok::<_, locator::BuildError>(())
            /// ```
            ///
            /// # Errors
            ///
            /// Returns an error for a percent-encoded value that is not a path.
            pub fn with_path<'v>(&self, path: impl ComponentValue<'v>) -> Result<$owned, BuildError> {
                self.changed(|edit| edit.set_path(path).map(drop))
            }

            /// Returns a copy with one more segment, in which "/" is escaped.
            ///
            /// ```
            /// const API: locator::Uri = locator::uri!("https://api.example/v1");
            ///
            /// let user = API.with_segment("users")?.with_segment(7)?;
            /// assert_eq!(user, "https://api.example/v1/users/7");
            /// # Ok::<_, locator::BuildError>(())
            /// ```
            ///
            /// # Errors
            ///
            /// Returns an error for ".", "..", or a value that does not fit.
            pub fn with_segment<'v>(&self, segment: impl Into<Value<'v>>) -> Result<$owned, BuildError> {
                self.changed(|edit| edit.append_segment(segment).map(drop))
            }

            /// Returns a copy with another query, or without one. Its escapes stay; what a query does not
            /// allow is escaped.
            ///
            /// ```
            /// let uri = locator::uri!("https://example.com/a?b#c");
            /// assert_eq!(uri.with_query("q=1")?, "https://example.com/a?q=1#c");
            /// assert_eq!(uri.with_query(None)?, "https://example.com/a#c");
            /// # Ok::<_, locator::BuildError>(())
            /// ```
            ///
            /// # Errors
            ///
            /// Returns an error for a percent-encoded value that is not a query.
            pub fn with_query<'v>(&self, query: impl ComponentValue<'v>) -> Result<$owned, BuildError> {
                self.changed(|edit| edit.set_query(query).map(drop))
            }

            /// Returns a copy with one more pair in its query.
            ///
            /// ```
            /// let uri = locator::uri!("https://example.com/search?q=1");
            /// assert_eq!(uri.with_pair("page", 2)?, "https://example.com/search?q=1&page=2");
            /// # Ok::<_, locator::BuildError>(())
            /// ```
            ///
            /// # Errors
            ///
            /// Returns an error if the value does not fit.
            pub fn with_pair<'n, 'v>(
                &self,
                name: impl Into<Value<'n>>,
                value: impl Into<Value<'v>>,
            ) -> Result<$owned, BuildError> {
                self.changed(|edit| edit.append_pair(name, value).map(drop))
            }

            /// Returns a copy whose query has these pairs, written as those of a form: a space is "+".
            /// Without pairs it has no query.
            ///
            /// ```
            /// // Without what follows a visitor.
            /// let uri = locator::uri!("https://example.com/?utm_source=x&id=7");
            /// let kept = uri.query_pairs().filter(|(name, _)| !name.starts_with("utm_"));
            /// assert_eq!(uri.with_query_pairs(kept)?, "https://example.com/?id=7");
            /// # Ok::<_, locator::BuildError>(())
            /// ```
            ///
            /// # Errors
            ///
            /// Returns an error if a value does not fit.
            pub fn with_query_pairs<'n, 'v>(
                &self,
                pairs: impl IntoIterator<Item = (impl Into<Value<'n>>, impl Into<Value<'v>>)>,
            ) -> Result<$owned, BuildError> {
                self.changed(|edit| {
                    edit.remove(Component::Query)?.spaces(SpaceEncoding::Plus);
                    for (name, value) in pairs {
                        edit.append_pair(name, value)?;
                    }
                    Ok(())
                })
            }

            /// Returns a copy with another fragment, or without one. Its escapes stay; what a fragment does
            /// not allow is escaped.
            ///
            /// ```
            /// let uri = locator::uri!("https://example.com/a");
            /// assert_eq!(uri.with_fragment("top")?, "https://example.com/a#top");
            /// # Ok::<_, locator::BuildError>(())
            /// ```
            ///
            /// # Errors
            ///
            /// Returns an error for a percent-encoded value that is not a fragment.
            pub fn with_fragment<'v>(&self, fragment: impl ComponentValue<'v>) -> Result<$owned, BuildError> {
                self.changed(|edit| edit.set_fragment(fragment).map(drop))
            }

            fn changed(
                &self,
                change: impl FnOnce(&mut Edit<'_>) -> Result<(), BuildError>,
            ) -> Result<$owned, BuildError> {
                let mut edit = Edit::of(self);
                change(&mut edit)?;
                edit.$finish()
            }
        }
    )*};
}

changed! {
    UriRef<'_> => UriRefBuf by finish;
    UriRefBuf => UriRefBuf by finish;
    UriRefCow<'_> => UriRefBuf by finish;
    Uri<'_> => UriBuf by finish_uri;
    UriBuf => UriBuf by finish_uri;
    UriCow<'_> => UriBuf by finish_uri;
    Iri<'_> => IriBuf by finish_iri;
    IriBuf => IriBuf by finish_iri;
}

/// The pairs of the query of a [`UriBuf`] or a [`UriRefBuf`], to be changed in place: what
/// [`query_pairs_mut`](UriBuf::query_pairs_mut) returns. They are written as those of a form: a space is "+".
///
/// ```
/// use locator::UriBuf;
///
/// let mut uri: UriBuf = "https://example.com/search?old=1".parse().unwrap();
/// uri.query_pairs_mut().clear().append_pair("q", "a b&c").append_pair("page", 2);
/// assert_eq!(uri, "https://example.com/search?q=a+b%26c&page=2");
/// ```
///
/// The changes are made when this is dropped, all or none. In RFC 3986 all of them are possible; a query of
/// some older editions has no pairs, and stays as it is. [`finish`](Self::finish) returns that error.
#[derive(Debug)]
pub struct QueryPairsMut<'u, U: Editable>(Pending<'u, U>);

/// The segments of the path of a [`UriBuf`] or a [`UriRefBuf`], to be changed in place: what
/// [`path_segments_mut`](UriBuf::path_segments_mut) returns.
///
/// ```
/// use locator::UriBuf;
///
/// let mut uri: UriBuf = "https://example.com/a/b".parse().unwrap();
/// uri.path_segments_mut().unwrap().pop().push("c d").push("e/f");
/// assert_eq!(uri, "https://example.com/a/c%20d/e%2Ff");
/// ```
///
/// The changes are made when this is dropped, all or none: a segment "." or ".." cannot be data, so with one
/// of them the path stays as it is. [`finish`](Self::finish) returns that error:
///
/// ```
/// # let mut uri: locator::UriBuf = "https://example.com/a".parse().unwrap();
/// let mut segments = uri.path_segments_mut().unwrap();
/// segments.push("..");
/// assert!(segments.finish().is_err());
/// assert_eq!(uri, "https://example.com/a");
/// ```
#[derive(Debug)]
pub struct PathSegmentsMut<'u, U: Editable>(Pending<'u, U>);

/// A reference that owns its text, as the target of [`QueryPairsMut`] and [`PathSegmentsMut`]. No type of
/// another crate can be one.
pub trait Editable: sealed::Sealed {}

mod sealed {
    use super::{BuildError, Edit};

    pub trait Sealed: Sized {
        fn edit_static(&self) -> Edit<'static>;
        fn built(edit: &Edit<'_>) -> Result<Self, BuildError>;
    }
}

/// The changes of a reference that are not made yet, and the error of the first one that cannot be.
#[derive(Debug)]
struct Pending<'u, U: Editable> {
    target: &'u mut U,
    edit: Edit<'static>,
    error: Option<BuildError>,
}

impl<'u, U: Editable> Pending<'u, U> {
    fn new(target: &'u mut U) -> Self {
        let edit = target.edit_static();
        Self { target, edit, error: None }
    }

    fn change(&mut self, change: impl FnOnce(&mut Edit<'static>) -> Result<(), BuildError>) {
        if self.error.is_none() {
            self.error = change(&mut self.edit).err();
        }
    }

    fn apply(&mut self) -> Result<(), BuildError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        *self.target = U::built(&self.edit)?;
        Ok(())
    }
}

impl<U: Editable> Drop for Pending<'_, U> {
    fn drop(&mut self) {
        // `finish` is for callers who ask for the error; nothing changes with one.
        let _ = self.apply();
    }
}

impl<U: Editable> QueryPairsMut<'_, U> {
    /// Removes all pairs, and the query.
    pub fn clear(&mut self) -> &mut Self {
        self.0.change(|edit| edit.remove(Component::Query).map(drop));
        self
    }

    /// Appends a pair.
    pub fn append_pair<'n, 'v>(
        &mut self,
        name: impl Into<Value<'n>>,
        value: impl Into<Value<'v>>,
    ) -> &mut Self {
        self.0.change(|edit| edit.append_pair(name, value).map(drop));
        self
    }

    /// Appends a name without "=" and value.
    pub fn append_key_only<'n>(&mut self, name: impl Into<Value<'n>>) -> &mut Self {
        self.0.change(|edit| edit.append_flag(name).map(drop));
        self
    }

    /// Appends pairs.
    ///
    /// ```
    /// let mut uri: locator::UriBuf = "https://example.com/".parse().unwrap();
    /// uri.query_pairs_mut().extend_pairs([("a", "1"), ("b", "2")]);
    /// assert_eq!(uri, "https://example.com/?a=1&b=2");
    /// ```
    pub fn extend_pairs<'n, 'v>(
        &mut self,
        pairs: impl IntoIterator<Item = (impl Into<Value<'n>>, impl Into<Value<'v>>)>,
    ) -> &mut Self {
        for (name, value) in pairs {
            self.append_pair(name, value);
        }
        self
    }

    /// Makes the changes now.
    ///
    /// # Errors
    ///
    /// Returns the error of the first change that is not possible; then nothing has changed.
    pub fn finish(mut self) -> Result<(), BuildError> {
        self.0.apply()
    }
}

impl<U: Editable> PathSegmentsMut<'_, U> {
    /// Removes all segments; the path is "/" then.
    pub fn clear(&mut self) -> &mut Self {
        self.0.change(|edit| edit.set_path("/").map(drop));
        self
    }

    /// Removes the last segment; does nothing without one.
    pub fn pop(&mut self) -> &mut Self {
        self.0.change(|edit| match edit.segments().count().checked_sub(1) {
            Some(last) => edit.remove_segment(last).map(drop),
            None => Ok(()),
        });
        self
    }

    /// Removes the last segment if it is empty: the "/" at the end of a path.
    pub fn pop_if_empty(&mut self) -> &mut Self {
        let is_empty = self.0.edit.segments().next_back().is_some_and(|last| last.as_str().is_empty());
        if is_empty { self.pop() } else { self }
    }

    /// Appends a segment, in which "/" is escaped. It replaces an empty segment at the end.
    pub fn push<'v>(&mut self, segment: impl Into<Value<'v>>) -> &mut Self {
        self.0.change(|edit| edit.append_segment(segment).map(drop));
        self
    }

    /// Appends segments.
    ///
    /// ```
    /// let mut uri: locator::UriBuf = "https://api.example/v1/".parse().unwrap();
    /// uri.path_segments_mut().unwrap().extend(["users", "a/b"]);
    /// assert_eq!(uri, "https://api.example/v1/users/a%2Fb");
    /// ```
    pub fn extend<'v>(&mut self, segments: impl IntoIterator<Item = impl Into<Value<'v>>>) -> &mut Self {
        for segment in segments {
            self.push(segment);
        }
        self
    }

    /// Makes the changes now.
    ///
    /// # Errors
    ///
    /// Returns the error of the first change that is not possible; then nothing has changed.
    pub fn finish(mut self) -> Result<(), BuildError> {
        self.0.apply()
    }
}

macro_rules! editable {
    ($($type:ident by $finish:ident),*) => {$(
        impl Editable for $type {}

        impl sealed::Sealed for $type {
            fn edit_static(&self) -> Edit<'static> {
                Edit::of(self.as_uri_ref()).into_owned()
            }

            fn built(edit: &Edit<'_>) -> Result<Self, BuildError> {
                edit.$finish()
            }
        }

        impl $type {
            /// Returns the pairs of the query, to be changed in place. They are written as those of a form:
            /// a space is "+".
            ///
            /// ```
            /// let mut uri: locator::UriBuf = "https://example.com/search".parse().unwrap();
            /// uri.query_pairs_mut().append_pair("q", "a b&c").append_pair("page", 2);
            /// assert_eq!(uri, "https://example.com/search?q=a+b%26c&page=2");
            /// ```
            ///
            /// [`change`](Self::change) makes any changes, and returns their errors.
            pub fn query_pairs_mut(&mut self) -> QueryPairsMut<'_, Self> {
                let mut pending = Pending::new(self);
                pending.edit.spaces(SpaceEncoding::Plus);
                QueryPairsMut(pending)
            }

            /// Returns the segments of the path, to be changed in place.
            ///
            /// ```
            /// let mut uri: locator::UriBuf = "https://example.com/a/b".parse().unwrap();
            /// uri.path_segments_mut()?.pop().push("c d");
            /// assert_eq!(uri, "https://example.com/a/c%20d");
            /// # Ok::<_, locator::BuildError>(())
            /// ```
            ///
            /// [`change`](Self::change) makes any changes, and returns their errors.
            ///
            /// # Errors
            ///
            /// Returns an error if the path has no hierarchy: `jan@example.com` of
            /// `mailto:jan@example.com`.
            pub fn path_segments_mut(&mut self) -> Result<PathSegmentsMut<'_, Self>, BuildError> {
                let pending = Pending::new(self);
                pending.edit.check_root()?;
                Ok(PathSegmentsMut(pending))
            }
        }
    )*};
}

editable!(UriRefBuf by finish, UriBuf by finish_uri, IriBuf by finish_iri);

impl Edit<'_> {
    /// Returns an editor that owns what it borrows.
    fn into_owned(self) -> Edit<'static> {
        let owned = |text: Option<Cow<'_, str>>| text.map(|text| Cow::Owned(text.into_owned()));
        Edit {
            edition: self.edition,
            prefix: owned(self.prefix),
            scheme: owned(self.scheme),
            login: self.login.map(Login::into_owned),
            path: Cow::Owned(self.path.into_owned()),
            rootless: self.rootless,
            query: owned(self.query),
            fragment: owned(self.fragment),
            space: self.space,
            escaped: self.escaped,
        }
    }

    /// Rejects a path without hierarchy: that of a scheme without "/" after it.
    fn check_root(&self) -> Result<(), BuildError> {
        if self.rootless { Err(BuildError::NoHierarchy { edition: self.edition }) } else { Ok(()) }
    }
}

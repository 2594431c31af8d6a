//! Changes to references that own their text: each is made as a whole, or not at all.

use super::{BuildError, ComponentValue, Edit, OptionalValue, Value};
use crate::reference::{IriBuf, UriBuf, UriRefBuf, delegate};
use crate::span::Component;

delegate! {
    "Editing":
    /// Returns an editor of a copy of this reference.
    #[must_use]
    fn edit() -> (Edit<'_>) {
        //! ```
        //! let mut edit = locator::uri!("https://example.com/a?utm_source=x&q=1").edit();
        //! edit.remove_pairs("utm_*");
        //! assert_eq!(edit.append_segment("b")?.finish_uri()?, "https://example.com/a/b?q=1");
        //! # Ok::<_, locator::BuildError>(())
        //! ```
    }
}

/// The methods that change an owned reference; what differs is whether it keeps a scheme.
macro_rules! changes {
    ($($type:ident by $finish:ident),*) => {$(
        impl $type {
            /// Makes the changes of the closure; after an error, nothing has changed.
            ///
            /// ```
            /// use locator::{Component, UriBuf, Value};
            ///
            /// let mut uri = UriBuf::parse("http://h/a").unwrap();
            /// uri.change(|edit| edit.append_segment("b")?.append_pair("q", "1").map(drop))?;
            /// assert_eq!(uri, "http://h/a/b?q=1");
            /// let port = Value::Text("x");
            /// assert!(
            ///     uri.change(|edit| edit
            ///         .append_segment("c")?
            ///         .set(Component::Port, port)
            ///         .map(drop))
            ///         .is_err()
            /// );
            /// assert_eq!(uri, "http://h/a/b?q=1");
            /// # Ok::<_, locator::BuildError>(())
            /// ```
            ///
            /// # Errors
            ///
            /// Returns the error of the closure, or that of a result that its edition does not
            /// allow.
            pub fn change(
                &mut self,
                change: impl FnOnce(&mut Edit<'_>) -> Result<(), BuildError>,
            ) -> Result<(), BuildError> {
                self.try_change(change)
            }

            /// Makes several changes as [`change`](Self::change) does, with an error of the caller,
            /// and returns what the closure returns.
            ///
            /// A method of its own, because `change` could not infer the type of its error.
            ///
            /// ```
            /// use std::error::Error;
            ///
            /// use locator::UriBuf;
            ///
            /// let mut uri = UriBuf::parse("http://h/").unwrap();
            /// let count = uri.try_change(|edit| {
            ///     let page: u32 = "7".parse()?;
            ///     edit.append_pair("page", &page.to_string())?;
            ///     Ok::<_, Box<dyn Error>>(edit.pairs().count())
            /// })?;
            /// assert_eq!((count, uri.as_str()), (1, "http://h/?page=7"));
            /// # Ok::<_, Box<dyn Error>>(())
            /// ```
            ///
            /// # Errors
            ///
            /// Returns the error of the closure, or that of a result that its edition does not
            /// allow.
            pub fn try_change<T, E: From<BuildError>>(
                &mut self,
                change: impl FnOnce(&mut Edit<'_>) -> Result<T, E>,
            ) -> Result<T, E> {
                let mut edit = self.edit();
                let returned = change(&mut edit)?;
                *self = edit.$finish()?;
                Ok(returned)
            }

            /// Sets the scheme.
            ///
            /// ```
            /// # use locator::UriBuf;
            /// let mut uri = UriBuf::parse("http://h/a").unwrap();
            /// assert_eq!(uri.set_scheme("https")?, "https://h/a");
            /// # Ok::<_, locator::BuildError>(())
            /// ```
            ///
            /// # Errors
            ///
            /// Returns an error and changes nothing if the value does not fit.
            pub fn set_scheme<'v>(&mut self, scheme: impl Into<Value<'v>>) -> Result<&mut Self, BuildError> {
                self.set(Component::Scheme, scheme.into())
            }

            /// Sets the host: a name or an address. Adds an authority if there was none. `None` removes
            /// the host.
            ///
            /// ```
            /// # use locator::UriBuf;
            /// let mut uri = UriBuf::parse("http://h:80/a").unwrap();
            /// assert_eq!(uri.set_host("::1")?, "http://[::1]:80/a");
            /// # Ok::<_, locator::BuildError>(())
            /// ```
            ///
            /// # Errors
            ///
            /// Returns an error and changes nothing if the value does not fit.
            pub fn set_host<'v>(&mut self, host: impl OptionalValue<'v>) -> Result<&mut Self, BuildError> {
                self.change(|edit| edit.set_host(host).map(drop))?;
                Ok(self)
            }

            /// Sets or removes the port.
            ///
            /// ```
            /// # use locator::UriBuf;
            /// let mut uri = UriBuf::parse("http://h/a").unwrap();
            /// assert_eq!(uri.set_port(8080)?, "http://h:8080/a");
            /// assert_eq!(uri.set_port(None)?, "http://h/a");
            /// # Ok::<_, locator::BuildError>(())
            /// ```
            ///
            /// # Errors
            ///
            /// Returns an error and changes nothing if there is no host.
            pub fn set_port(&mut self, port: impl Into<Option<u16>>) -> Result<&mut Self, BuildError> {
                self.change(|edit| edit.set_port(port).map(drop))?;
                Ok(self)
            }

            /// Sets the user and keeps the password. `None` removes the user and the password.
            ///
            /// ```
            /// # use locator::UriBuf;
            /// let mut uri = UriBuf::parse("ftp://h/").unwrap();
            /// assert_eq!(uri.set_user("jan")?.set_password("p@ss")?, "ftp://jan:p%40ss@h/");
            /// assert_eq!(uri.set_password(None)?, "ftp://jan@h/");
            /// assert_eq!(uri.set_user(None)?, "ftp://h/");
            /// # Ok::<_, locator::BuildError>(())
            /// ```
            ///
            /// # Errors
            ///
            /// Returns an error and changes nothing if there is no host, or if the value does not
            /// fit.
            #[doc(alias = "set_username")]
            pub fn set_user<'v>(&mut self, user: impl OptionalValue<'v>) -> Result<&mut Self, BuildError> {
                self.change(|edit| edit.set_user(user).map(drop))?;
                Ok(self)
            }

            /// Sets the password of the existing user. `None` removes the password, if there is one,
            /// and keeps the user.
            ///
            /// # Errors
            ///
            /// Returns an error and changes nothing if there is no user, or if the value does not
            /// fit.
            pub fn set_password<'v>(
                &mut self,
                password: impl OptionalValue<'v>,
            ) -> Result<&mut Self, BuildError> {
                self.change(|edit| edit.set_password(password).map(drop))?;
                Ok(self)
            }

            /// Sets the path, in which "/" divides segments.
            ///
            /// ```
            /// # use locator::{UriBuf, Value, uri};
            /// let mut uri = UriBuf::parse("http://h/a").unwrap();
            /// assert_eq!(uri.set_path("/a b")?, "http://h/a%20b");
            /// assert_eq!(uri.set_path(uri!("ftp://h/50%25").path())?, "http://h/50%25");
            /// assert_eq!(
            ///     uri.set_path(Value::Text("/50% of/it?"))?,
            ///     "http://h/50%25%20of/it%3F"
            /// );
            /// # Ok::<_, locator::BuildError>(())
            /// ```
            ///
            /// # Errors
            ///
            /// Returns an error and changes nothing if the value does not fit.
            pub fn set_path<'v>(&mut self, path: impl ComponentValue<'v>) -> Result<&mut Self, BuildError> {
                self.set(Component::Path, path)
            }

            /// Sets or removes the query. For its pairs see [`Edit::append_pair`].
            ///
            /// ```
            /// # use locator::{UriBuf, Value};
            /// let mut uri = UriBuf::parse("http://h/a").unwrap();
            /// assert_eq!(uri.set_query("a=b c&d=50%25")?, "http://h/a?a=b%20c&d=50%25");
            /// assert_eq!(uri.set_query(Value::Text("50%25"))?, "http://h/a?50%2525");
            /// assert_eq!(uri.set_query(None)?, "http://h/a");
            /// # Ok::<_, locator::BuildError>(())
            /// ```
            ///
            /// # Errors
            ///
            /// Returns an error and changes nothing if the value does not fit.
            pub fn set_query<'v>(
                &mut self,
                query: impl ComponentValue<'v>,
            ) -> Result<&mut Self, BuildError> {
                self.set(Component::Query, query)
            }

            /// Sets or removes the fragment.
            ///
            /// ```
            /// # use locator::UriBuf;
            /// let mut uri = UriBuf::parse("http://h/a").unwrap();
            /// assert_eq!(uri.set_fragment("top")?, "http://h/a#top");
            /// assert_eq!(uri.set_fragment(None)?, "http://h/a");
            /// # Ok::<_, locator::BuildError>(())
            /// ```
            ///
            /// # Errors
            ///
            /// Returns an error and changes nothing if the value does not fit.
            pub fn set_fragment<'v>(
                &mut self,
                fragment: impl ComponentValue<'v>,
            ) -> Result<&mut Self, BuildError> {
                self.set(Component::Fragment, fragment)
            }

            /// Appends a segment to the path, in which "/" is escaped.
            ///
            /// ```
            /// # use locator::UriBuf;
            /// let mut uri = UriBuf::parse("https://api.example/users").unwrap();
            /// uri.append_segment(7)?.append_segment("a/b")?;
            /// assert_eq!(uri, "https://api.example/users/7/a%2Fb");
            /// # Ok::<_, locator::BuildError>(())
            /// ```
            ///
            /// # Errors
            ///
            /// Returns an error and changes nothing for ".", "..", or a value that does not fit.
            pub fn append_segment<'v>(
                &mut self,
                segment: impl Into<Value<'v>>,
            ) -> Result<&mut Self, BuildError> {
                self.change(|edit| edit.append_segment(segment).map(drop))?;
                Ok(self)
            }

            /// Appends a pair to the query, in which "&", "=" and "+" are escaped.
            ///
            /// ```
            /// # use locator::UriBuf;
            /// let mut uri = UriBuf::parse("https://example.com/search").unwrap();
            /// uri.append_pair("q", "x&y")?.append_pair("page", 2)?;
            /// assert_eq!(uri, "https://example.com/search?q=x%26y&page=2");
            /// # Ok::<_, locator::BuildError>(())
            /// ```
            ///
            /// # Errors
            ///
            /// Returns an error and changes nothing if the value does not fit.
            pub fn append_pair<'n, 'v>(
                &mut self,
                name: impl Into<Value<'n>>,
                value: impl Into<Value<'v>>,
            ) -> Result<&mut Self, BuildError> {
                self.change(|edit| edit.append_pair(name, value).map(drop))?;
                Ok(self)
            }

            fn set<'v>(
                &mut self,
                component: Component,
                value: impl ComponentValue<'v>,
            ) -> Result<&mut Self, BuildError> {
                self.change(|edit| edit.set(component, value).map(drop))?;
                Ok(self)
            }
        }
    )*};
}

changes!(UriRefBuf by finish, UriBuf by finish_uri, IriBuf by finish_iri);

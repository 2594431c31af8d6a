//! Changes to references that own their text: each is made as a whole, or not at all.

use alloc::string::ToString;

use super::{BuildError, Edit, Value};
use crate::reference::{UriBuf, UriRefBuf, delegate};
use crate::span::Component;

delegate! {
    /// Returns an editor of a copy of this reference.
    fn edit() -> Edit<'_>;
}

/// The methods that change an owned reference; what differs is whether it keeps a scheme.
macro_rules! changes {
    ($($type:ident by $finish:ident),*) => {$(
        impl $type {
            /// Makes several changes: all of what the closure does, or nothing.
            ///
            /// ```
            /// use locator::{Component, UriBuf};
            ///
            /// let mut uri = UriBuf::parse("http://h/a").unwrap();
            /// uri.change(|edit| edit.append_segment("b")?.append_pair("q", "1").map(drop))?;
            /// assert_eq!(uri, "http://h/a/b?q=1");
            /// assert!(uri.change(|edit| edit.append_segment("c")?.set(Component::Port, "x").map(drop)).is_err());
            /// assert_eq!(uri, "http://h/a/b?q=1");
            /// # Ok::<_, locator::BuildError>(())
            /// ```
            ///
            /// # Errors
            ///
            /// Returns the error of the closure, or that of a result that its edition does not allow.
            pub fn change(
                &mut self,
                change: impl FnOnce(&mut Edit<'_>) -> Result<(), BuildError>,
            ) -> Result<(), BuildError> {
                let mut edit = self.edit();
                change(&mut edit)?;
                *self = edit.$finish()?;
                Ok(())
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
                self.set(Component::Scheme, Some(scheme.into()))
            }

            /// Sets the host: a name or an address. `None` removes the authority, if it has no user and no port.
            ///
            /// ```
            /// # use locator::UriBuf;
            /// let mut uri = UriBuf::parse("http://h:80/a").unwrap();
            /// assert_eq!(uri.set_host(Some("::1"))?, "http://[::1]:80/a");
            /// # Ok::<_, locator::BuildError>(())
            /// ```
            ///
            /// # Errors
            ///
            /// Returns an error and changes nothing if the value does not fit.
            pub fn set_host(&mut self, host: Option<&str>) -> Result<&mut Self, BuildError> {
                self.set(Component::Host, host.map(Value::from))
            }

            /// Sets or removes the port.
            ///
            /// ```
            /// # use locator::UriBuf;
            /// let mut uri = UriBuf::parse("http://h/a").unwrap();
            /// assert_eq!(uri.set_port(Some(8080))?, "http://h:8080/a");
            /// assert_eq!(uri.set_port(None)?, "http://h/a");
            /// # Ok::<_, locator::BuildError>(())
            /// ```
            ///
            /// # Errors
            ///
            /// Returns an error and changes nothing if there is no host.
            pub fn set_port(&mut self, port: Option<u16>) -> Result<&mut Self, BuildError> {
                self.set(Component::Port, port.map(|port| port.to_string()).as_deref().map(Value::from))
            }

            /// Sets the path: "/" divides segments, and what a path cannot contain is percent-encoded.
            ///
            /// ```
            /// # use locator::UriBuf;
            /// let mut uri = UriBuf::parse("http://h/a").unwrap();
            /// assert_eq!(uri.set_path("/50% of/it?")?, "http://h/50%25%20of/it%3F");
            /// # Ok::<_, locator::BuildError>(())
            /// ```
            ///
            /// # Errors
            ///
            /// Returns an error and changes nothing if the value does not fit.
            pub fn set_path<'v>(&mut self, path: impl Into<Value<'v>>) -> Result<&mut Self, BuildError> {
                self.set(Component::Path, Some(path.into()))
            }

            /// Sets or removes the query; what it cannot contain is percent-encoded. For pairs see
            /// [`Edit::append_pair`].
            ///
            /// ```
            /// # use locator::UriBuf;
            /// let mut uri = UriBuf::parse("http://h/a").unwrap();
            /// assert_eq!(uri.set_query(Some("a b"))?, "http://h/a?a%20b");
            /// assert_eq!(uri.set_query(None)?, "http://h/a");
            /// # Ok::<_, locator::BuildError>(())
            /// ```
            ///
            /// # Errors
            ///
            /// Returns an error and changes nothing if the value does not fit.
            pub fn set_query(&mut self, query: Option<&str>) -> Result<&mut Self, BuildError> {
                self.set(Component::Query, query.map(Value::from))
            }

            /// Sets or removes the fragment; what it cannot contain is percent-encoded.
            ///
            /// ```
            /// # use locator::UriBuf;
            /// let mut uri = UriBuf::parse("http://h/a").unwrap();
            /// assert_eq!(uri.set_fragment(Some("top"))?, "http://h/a#top");
            /// # Ok::<_, locator::BuildError>(())
            /// ```
            ///
            /// # Errors
            ///
            /// Returns an error and changes nothing if the value does not fit.
            pub fn set_fragment(&mut self, fragment: Option<&str>) -> Result<&mut Self, BuildError> {
                self.set(Component::Fragment, fragment.map(Value::from))
            }

            fn set(&mut self, component: Component, value: Option<Value<'_>>) -> Result<&mut Self, BuildError> {
                self.change(|edit| match value {
                    Some(value) => edit.set(component, value).map(drop),
                    None => edit.remove(component).map(drop),
                })?;
                Ok(self)
            }
        }
    )*};
}

changes!(UriRefBuf by finish, UriBuf by finish_uri);

//! Sets the components of a reference by name. Takes a value for one component and returns the
//! editor, so that the calls chain. [`Edit::set`] does the same for a component that is a value.

use alloc::string::ToString;

use super::{BuildError, ComponentValue, Edit, Value};
use crate::span::Component;

impl Edit<'_> {
    /// Sets the scheme, without ":".
    ///
    /// ```
    /// assert_eq!(
    ///     locator::uri_ref!("//h/a").edit().set_scheme("http")?.finish()?,
    ///     "http://h/a"
    /// );
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the edition does not allow such a scheme.
    pub fn set_scheme<'v>(&mut self, scheme: impl Into<Value<'v>>) -> Result<&mut Self, BuildError> {
        self.set(Component::Scheme, scheme.into())
    }

    /// Sets the host, and adds an authority if there was none. Text is a name, an IPv4 address, or
    /// an IPv6 address with or without brackets.
    ///
    /// ```
    /// let other = locator::uri!("http://%C3%A9/").host().unwrap();
    /// let mut edit = locator::uri!("http://h:80/").edit();
    /// assert_eq!(edit.set_host("::1")?.finish()?, "http://[::1]:80/");
    /// assert_eq!(edit.set_host(other)?.finish()?, "http://%C3%A9:80/");
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the edition does not allow such a host, or if the authority is a
    /// registered name.
    pub fn set_host<'v>(&mut self, host: impl Into<Value<'v>>) -> Result<&mut Self, BuildError> {
        self.set(Component::Host, host.into())
    }

    /// Sets or removes the port.
    ///
    /// ```
    /// let mut edit = locator::uri!("http://h/").edit();
    /// assert_eq!(edit.set_port(Some(8080))?.finish()?, "http://h:8080/");
    /// assert_eq!(edit.set_port(None)?.finish()?, "http://h/");
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if there is no host, or if the authority is a registered name.
    pub fn set_port(&mut self, port: Option<u16>) -> Result<&mut Self, BuildError> {
        match port {
            Some(port) => self.set(Component::Port, Value::Encoded(&port.to_string())),
            None => self.remove(Component::Port),
        }
    }

    /// Sets the path, in which "/" divides segments. `None` leaves an empty path.
    ///
    /// ```
    /// use locator::{Value, uri};
    ///
    /// let mut edit = uri!("http://h/a").edit();
    /// assert_eq!(
    ///     edit.set_path(Value::Text("/50% of/it?"))?.finish()?,
    ///     "http://h/50%25%20of/it%3F"
    /// );
    /// assert_eq!(
    ///     edit.set_path(uri!("ftp://h/50%25").path())?.finish()?,
    ///     "http://h/50%25"
    /// );
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error for a percent-encoded value that is not a path.
    pub fn set_path<'v>(&mut self, path: impl ComponentValue<'v>) -> Result<&mut Self, BuildError> {
        self.set(Component::Path, path)
    }

    /// Sets or removes the query. To set its pairs see [`append_pair`](Self::append_pair).
    ///
    /// ```
    /// use locator::{Value, uri};
    ///
    /// let mut edit = uri!("http://h/").edit();
    /// assert_eq!(
    ///     edit.set_query(Value::Text("50% of it"))?.finish()?,
    ///     "http://h/?50%25%20of%20it"
    /// );
    /// assert_eq!(
    ///     edit.set_query(uri!("ftp://h/?50%25").query())?.finish()?,
    ///     "http://h/?50%25"
    /// );
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error for a percent-encoded value that is not a query.
    pub fn set_query<'v>(&mut self, query: impl ComponentValue<'v>) -> Result<&mut Self, BuildError> {
        self.set(Component::Query, query)
    }

    /// Sets or removes the fragment.
    ///
    /// ```
    /// use locator::{Value, uri};
    ///
    /// let mut edit = uri!("http://h/").edit();
    /// assert_eq!(edit.set_fragment(Value::Text("50%"))?.finish()?, "http://h/#50%25");
    /// assert_eq!(edit.set_fragment(None)?.finish()?, "http://h/");
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error for a percent-encoded value that is not a fragment.
    pub fn set_fragment<'v>(&mut self, fragment: impl ComponentValue<'v>) -> Result<&mut Self, BuildError> {
        self.set(Component::Fragment, fragment)
    }
}

//! References that own their text, edited in place: a change enters, all of it is made or none.

use super::{BuildError, Edit};
use crate::reference::{UriBuf, UriRefBuf};

impl UriRefBuf {
    /// Begins to edit a copy.
    pub fn edit(&self) -> Edit<'_> {
        self.as_uri_ref().edit()
    }

    /// Changes it: all of what the closure does, or nothing.
    ///
    /// ```
    /// use locator::{Part, UriRefBuf};
    ///
    /// let mut reference: UriRefBuf = "http://h/a".parse().unwrap();
    /// reference.change(|edit| edit.append_segment("b")?.append_pair("q", "1").map(drop))?;
    /// assert_eq!(reference, "http://h/a/b?q=1");
    /// assert!(reference.change(|edit| edit.append_segment("c")?.set(Part::Port, "x").map(drop)).is_err());
    /// assert_eq!(reference, "http://h/a/b?q=1");
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// What the closure or [`Edit::finish`] says.
    pub fn change(
        &mut self,
        change: impl FnOnce(&mut Edit<'_>) -> Result<(), BuildError>,
    ) -> Result<(), BuildError> {
        let mut edit = self.edit();
        change(&mut edit)?;
        *self = edit.finish()?;
        Ok(())
    }
}

impl UriBuf {
    /// Begins to edit a copy.
    pub fn edit(&self) -> Edit<'_> {
        self.as_uri().edit()
    }

    /// Changes it: all of what the closure does, or nothing. It keeps a scheme.
    ///
    /// ```
    /// use locator::{Part, UriBuf};
    ///
    /// let mut uri: UriBuf = "http://h/a".parse().unwrap();
    /// uri.change(|edit| edit.set(Part::Scheme, "https").map(drop))?;
    /// assert_eq!(uri, "https://h/a");
    /// assert!(uri.change(|edit| edit.remove(Part::Scheme).map(drop)).is_err());
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// What the closure or [`Edit::finish_uri`] says.
    pub fn change(
        &mut self,
        change: impl FnOnce(&mut Edit<'_>) -> Result<(), BuildError>,
    ) -> Result<(), BuildError> {
        let mut edit = self.edit();
        change(&mut edit)?;
        *self = edit.finish_uri()?;
        Ok(())
    }
}

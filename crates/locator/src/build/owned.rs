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
            /// use locator::{Part, UriBuf};
            ///
            /// let mut uri = UriBuf::parse("http://h/a").unwrap();
            /// uri.change(|edit| edit.append_segment("b")?.append_pair("q", "1").map(drop))?;
            /// assert_eq!(uri, "http://h/a/b?q=1");
            /// assert!(uri.change(|edit| edit.append_segment("c")?.set(Part::Port, "x").map(drop)).is_err());
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

            fn set(&mut self, component: Part, value: Option<Value<'_>>) -> Result<&mut Self, BuildError> {
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

//! Writes the typed builder of a scheme's URLs, such as [`FtpParts`](crate::scheme::FtpParts): a
//! method for each part by its name in the table of the scheme ([`Divide::parts`]), `build`, `build_with`
//! and `parts` of the view.
//!
//! [`Divide::parts`]: crate::scheme::Divide::parts

/// Declares a builder, the view that it is made from, and the schemes whose URLs it builds. A
/// setter is one of these: `login` for the server, `one` for a part with one value, `each` and
/// `pair` for one more value of a part with several, and `number`. `prepare` is a function that
/// takes the parts before they are written, for what depends on the edition.
macro_rules! builder {
    (
        $(#[$doc:meta])*
        $name:ident of $view:ident, by [$($scheme:expr),+] $(, prepare $prepare:path)?;
        $($setters:tt)*
    ) => {
        $(#[$doc])*
        #[must_use = "it builds nothing before `build`"]
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name<'v>($crate::scheme::parts::Parts<'v>);

        impl<'v> $name<'v> {
            $crate::scheme::parts::setters! { $($setters)* }

            /// Returns the parts without the named one; [`part_names`](crate::scheme::part_names)
            /// lists the names.
            pub fn without(mut self, part: &str) -> Self {
                self.0.remove(part);
                self
            }

            /// Builds the URL by RFC 3986, as [`build_with`](Self::build_with) does by any edition.
            ///
            /// # Errors
            ///
            /// Returns the errors of `build_with`.
            pub fn build(&self) -> Result<$crate::reference::UriBuf, $crate::build::BuildError> {
                self.build_with($crate::edition::DEFAULT)
            }

            /// Writes the URL and parses it by the edition and by its rule for the scheme.
            ///
            /// # Errors
            ///
            /// A value that is not allowed in a URL of the edition, or that would be read as
            /// something else; a segment "." or ".." as data, which other programs would take for a
            /// step.
            pub fn build_with(
                &self,
                edition: &'static $crate::edition::Edition,
            ) -> Result<$crate::reference::UriBuf, $crate::build::BuildError> {
                let parts = self.0.clone();
                $(let parts = $prepare(parts, edition)?;)?
                parts.build(&[$(&$scheme),+], edition)
            }
        }

        impl<'a> $view<'a> {
            /// Returns the parts of this URL; building them by its edition returns the identical
            /// URL.
            pub fn parts(&self) -> $name<'a> {
                $name($crate::scheme::parts::Parts::of(self.url, &[$(&$scheme),+]))
            }
        }
    };
}

/// Writes the setters of a builder.
macro_rules! setters {
    () => {};
    ($(#[$doc:meta])* login; $($rest:tt)*) => {
        $(#[$doc])*
        pub fn login(mut self, login: impl Into<$crate::scheme::LoginParts<'v>>) -> Self {
            self.0.login = Some(login.into());
            self
        }
        $crate::scheme::parts::setters! { $($rest)* }
    };
    ($(#[$doc:meta])* one $method:ident: $part:literal; $($rest:tt)*) => {
        $(#[$doc])*
        pub fn $method(mut self, value: impl Into<$crate::build::Value<'v>>) -> Self {
            self.0.set($part, $crate::scheme::parts::Piece::One(value.into()));
            self
        }
        $crate::scheme::parts::setters! { $($rest)* }
    };
    ($(#[$doc:meta])* each $method:ident: $part:literal; $($rest:tt)*) => {
        $(#[$doc])*
        pub fn $method(mut self, value: impl Into<$crate::build::Value<'v>>) -> Self {
            self.0.push($part, $crate::scheme::parts::Piece::One(value.into()));
            self
        }
        $crate::scheme::parts::setters! { $($rest)* }
    };
    ($(#[$doc:meta])* pair $method:ident: $part:literal; $($rest:tt)*) => {
        $(#[$doc])*
        pub fn $method(
            mut self,
            name: impl Into<$crate::build::Value<'v>>,
            value: impl Into<$crate::build::Value<'v>>,
        ) -> Self {
            self.0.push($part, $crate::scheme::parts::Piece::Pair(name.into(), value.into()));
            self
        }
        $crate::scheme::parts::setters! { $($rest)* }
    };
    ($(#[$doc:meta])* number $method:ident: $part:literal; $($rest:tt)*) => {
        $(#[$doc])*
        pub fn $method(mut self, number: u64) -> Self {
            let digits = alloc::string::ToString::to_string(&number);
            self.0.set($part, $crate::scheme::parts::Piece::Text(digits));
            self
        }
        $crate::scheme::parts::setters! { $($rest)* }
    };
}

pub(crate) use {builder, setters};

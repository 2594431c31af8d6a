//! The rungs of the ladder of comparison (RFC 3986, section 6.2).

use crate::edition::Edition;

crate::as_text::named! {
    /// A rung of the comparison ladder. Each costs more than the one before it and misses fewer
    /// equivalent references.
    ///
    /// ```
    /// use locator::{Ladder, Rung, compare, uri};
    ///
    /// let rung = |other| compare(uri!("http://h/~a"), other).map(|found| found.rung);
    /// assert_eq!(rung(uri!("http://h/~a"))?, Some(Rung::Simple));
    /// assert_eq!(rung(uri!("http://H/%7Ea"))?, Some(Rung::Syntax));
    /// assert_eq!(rung(uri!("http://h:80/~a"))?, Some(Rung::Scheme));
    /// assert_eq!(rung(uri!("http://h/~b"))?, None);
    /// assert!(Rung::Simple < Rung::Protocol);
    /// # Ok::<_, locator::CompareError>(())
    /// ```
    #[non_exhaustive]
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Rung {
        /// Identical texts (RFC 3986, section 6.2.1).
        Simple = "simple",
        /// Identical normal forms by the edition (section 6.2.2).
        Syntax = "syntax",
        /// Identical normal forms by the scheme, or another equivalence that it defines (section
        /// 6.2.3).
        Scheme = "scheme",
        /// Identical domain names, in letters or in ASCII form, if the caller asks for it (RFC
        /// 3987, section 5.3.3).
        Idn = "idn",
        /// Identical IPv4 addresses to a kind of program, if the caller asks for it (RFC 3986,
        /// section 7.4).
        Number = "number",
        /// One reference was seen to redirect to the other (section 6.2.4).
        Protocol = "protocol",
    }

    /// Returns the name of the rung in JSON.
    pub const fn name;
}

impl Rung {
    /// Returns the document and section that define the rung.
    ///
    /// It is that of the edition, or RFC 3986 where the edition does not define comparison.
    /// [`Scheme::equivalence`](crate::scheme::Scheme::equivalence) returns the document of the
    /// scheme's own equivalences.
    ///
    /// ```
    /// use locator::{Rung, edition};
    ///
    /// assert_eq!(Rung::Syntax.citation(&edition::RFC3986), "RFC 3986, 6.2.2");
    /// assert_eq!(Rung::Syntax.citation(&edition::RFC3987), "RFC 3987, 5.3.2");
    /// ```
    #[must_use]
    pub const fn citation(self, edition: &Edition) -> &'static str {
        let ladder = edition.ladder;
        match self {
            Self::Simple => ladder.simple,
            Self::Syntax => ladder.syntax,
            Self::Scheme => ladder.scheme,
            Self::Idn => "RFC 3987, 5.3.3",
            Self::Number => "RFC 3986, 7.4",
            Self::Protocol => ladder.protocol,
        }
    }
}

//! Characters beyond ASCII, as data: which of them an edition lets stand as they are, and where.

use super::Edition;
use crate::octet::Class;

/// The characters beyond ASCII that an edition knows. Each list is of ranges, both ends in it.
#[derive(Debug)]
pub(crate) struct Characters {
    /// What may stand for itself as data, wherever a name may.
    pub(crate) data: &'static [(char, char)],
    /// What may stand in a query besides: its meaning is private.
    pub(crate) in_query: &'static [(char, char)],
    /// What is not to be made of an escape or of data, though it may stand as it is.
    pub(crate) stay_escaped: &'static [(char, char)],
}

impl Edition {
    /// Whether the character may stand in a component of the class as it is.
    pub(crate) const fn holds(&self, class: Class, c: char) -> bool {
        if c.is_ascii() {
            return self.table.holds(class, c as u8);
        }
        let Some(characters) = self.characters else { return false };
        match class {
            Class::Userinfo | Class::Host | Class::Registry | Class::Path | Class::Fragment => {
                is_in(characters.data, c)
            }
            Class::Query => is_in(characters.data, c) || is_in(characters.in_query, c),
            // Schemes, ports and what divides components are ASCII in every document.
            _ => false,
        }
    }

    /// Whether the character may stand in a component of the class, and no harm comes from writing it there.
    pub(crate) const fn writes(&self, class: Class, c: char) -> bool {
        let stays_escaped = match self.characters {
            Some(characters) => is_in(characters.stay_escaped, c),
            None => false,
        };
        self.holds(class, c) && !stays_escaped
    }

    /// Whether it knows characters beyond ASCII.
    pub(crate) const fn is_international(&self) -> bool {
        self.characters.is_some()
    }
}

const fn is_in(ranges: &[(char, char)], c: char) -> bool {
    let mut i = 0;
    while i < ranges.len() {
        if ranges[i].0 <= c && c <= ranges[i].1 {
            return true;
        }
        i += 1;
    }
    false
}

//! Logins and hosts: the cursor at "//" or at a host enters, the cursor behind it leaves. What a
//! user, a host and a port are is the edition's, and judged where the generic level judges it;
//! what is here is where a scheme's login ends.

use core::ops::Range;

use super::Reader;
use crate::edition::Rule;
use crate::error::{Error, ErrorKind};
use crate::parse;
use crate::part::{HostKind, Part};

impl Reader<'_> {
    /// Reads `"//" [ user [ ":" password ] "@" ] hostport`.
    ///
    /// # Errors
    ///
    /// The first octet from the left that is wrong in it.
    pub fn take_login(&mut self) -> Result<(), Error> {
        self.expect("//")?;
        let slash = self.find(b"/");
        // A "?" may be data in a user of RFC 1738, never in a hostport.
        let mut host = *self;
        host.at = self.find(b"@/").min(slash);
        self.read_login(host.find(b"?/"))
    }

    /// Reads `"//" [ user "@" ] hostport`.
    ///
    /// # Errors
    ///
    /// The first octet from the left that is wrong in it; there is no password.
    pub fn take_login_without_password(&mut self) -> Result<(), Error> {
        let mut user = *self;
        user.expect("//")?;
        let (colon, at) = (user.find(b":"), user.find(b"@/"));
        let login = self.take_login();
        let told = login.is_err_and(|error| error.span().start as usize <= colon);
        if colon < at && user.octet(at) == Some(b'@') && !told {
            return Err(user.error_in(Part::Userinfo, ErrorKind::NotAllowed, colon..at, user.form));
        }
        login
    }

    /// Reads `"//" hostport`.
    ///
    /// # Errors
    ///
    /// The first octet from the left that is wrong in it; there is no user.
    pub fn take_hostport(&mut self) -> Result<(), Error> {
        self.expect("//")?;
        let (start, end) = (self.at, self.find(b"@/?"));
        if self.octet(end) == Some(b'@') {
            return Err(self.error_in(Part::Userinfo, ErrorKind::NotAllowed, start..end + 1, self.form));
        }
        self.read_login(end)
    }

    /// Reads a host that ends at an offset.
    ///
    /// # Errors
    ///
    /// The first octet from the left that is wrong in it.
    pub fn take_host(&mut self, end: usize) -> Result<HostKind, Error> {
        let read = parse::read_host(self.text, self.edition, self.parts, (self.at, end));
        let kind = read.map_err(|error| self.error(error.kind(), error.span().range(), error.rule()))?;
        self.at = end;
        Ok(kind)
    }

    /// Reads a host that ends at an offset and is no number.
    ///
    /// # Errors
    ///
    /// The first octet from the left that is wrong in it, by this rule.
    pub fn take_hostname(&mut self, end: usize, rule: &'static Rule) -> Result<(), Error> {
        let start = self.at;
        match self.take_host(end) {
            Ok(HostKind::Ipv4) => Err(self.error(ErrorKind::HostName, start..end, rule)),
            Ok(_) => Ok(()),
            Err(error) => Err(self.error(error.kind(), error.span().range(), rule)),
        }
    }

    /// The login from after "//" to an offset.
    fn read_login(&mut self, end: usize) -> Result<(), Error> {
        self.parts = parse::read_login(self.text, self.edition, self.parts, end)?;
        self.at = end;
        Ok(())
    }

    /// What stands at an offset before the end.
    fn octet(&self, offset: usize) -> Option<u8> {
        self.rest().get(offset.checked_sub(self.at)?).copied()
    }

    /// An error whose component the generic level may call otherwise.
    fn error_in(&self, part: Part, kind: ErrorKind, span: Range<usize>, rule: &'static Rule) -> Error {
        Error::new(self.text.as_bytes(), self.edition, kind, part, (span.start, span.end), rule)
    }
}

#[cfg(test)]
mod tests {
    use crate::edition::{Edition, RFC1738, URL_1993};
    use crate::part::Part;
    use crate::reference::UriRef;
    use crate::scheme::check;

    fn place(text: &str, edition: &'static Edition) -> Option<(Part, u32)> {
        let reference = UriRef::parse_by(text, edition).expect(text);
        check(reference)?.err().map(|error| (error.part(), error.span().start))
    }

    #[test]
    fn a_question_mark_in_a_user_is_no_query() {
        assert_eq!(place("telnet://a?b@h/", &RFC1738), None);
        assert_eq!(place("telnet://a?b@-h/", &RFC1738), Some((Part::Host, 13)));
        assert_eq!(place("telnet://a?b@h?c", &RFC1738), Some((Part::Authority, 14)));
        assert_eq!(place("telnet://a?b:c:d@h", &RFC1738), Some((Part::Userinfo, 14)));
    }

    #[test]
    fn the_first_error_from_the_left_is_told() {
        assert_eq!(place("telnet://a+b:c@h", &URL_1993), Some((Part::Userinfo, 10)));
        assert_eq!(place("telnet://ab:c@-h", &URL_1993), Some((Part::Userinfo, 11)));
        assert_eq!(place("telnet://a@-h/", &URL_1993), Some((Part::Host, 11)));
    }
}

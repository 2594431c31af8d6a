//! The plan of an ftp URL: takes a URL, returns the commands that fetch a file or list a directory.
//! Follows RFC 1738, section 3.2; the commands are those of RFC 959, RFC 2428 (EPSV) and RFC 4217
//! (TLS). What real servers reply is in `spec/editions.md`, section 7.

use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

use super::commands::{IAC, change_directory, done, has_iac, type_line};
use super::listing::{self, followed};
use super::protocol::{FTP, or_without};
use super::{Ftp, FtpType, FtpUrl, resumption, suffix, upload};
use crate::component::SpannedStr;
use crate::form::ValueError;
use crate::plan::{
    Exchange, Framing, Line, Listing, Meaning, Note, Object, ObjectKind, On, Options, Plan, PlanError,
    Prompt, Resumption, Step, Then, Tls, Transfer, TransferMode, Transport, check_count,
};

/// The most directories of a plan.
const MOST_DIRECTORIES: usize = 1_000;

impl FtpUrl<'_> {
    pub(super) fn plan(&self, scheme: &Ftp, options: &Options<'_>) -> Result<Plan, PlanError> {
        let plan = Plan::with_session(self.session(scheme, options)?);
        if let Some(upload) = options.upload {
            return Ok(plan.then_all(upload::steps(self, upload, options)?));
        }
        let mut plan = plan.then_all(self.change_directories()?);
        match self.transfer_type(options)? {
            FtpType::Directory if options.head => {
                let changed = if self.name.is_empty() { None } else { Some(change_directory(self.name)?) };
                Ok(plan.then_all(changed.map(Step::from)).then_all(listing::head_of_directory()))
            }
            FtpType::Directory if self.name.is_empty() => Ok(plan.then(listing::present(options.listing))),
            FtpType::Directory if options.literal_listing && options.listing == Listing::Names => {
                plan.notes.extend(note_on(self.name));
                let line = Line::new(&FTP, "NLST ").excerpt("the argument of NLST", self.name)?;
                Ok(plan.then(listing::names(line, Then::Fail)))
            }
            FtpType::Directory => Ok(plan.then_all(self.list(options.listing)?)),
            // "Perform a TYPE command with <typecode> as the argument, and then access the file
            // whose name is <name>."
            _ if self.name.is_empty() => {
                let (span, expects) = (self.name.place(), "the name of a file before \";type=\"");
                Err(PlanError::Value(ValueError::Unexpected { span, expects, citation: "RFC 1738, 3.2.2" }))
            }
            transfer if options.head => {
                let plan = plan.then(done(type_line(transfer)?));
                Ok(plan.then_all(listing::head_of(self.name, change_directory(self.name)?)?))
            }
            transfer => {
                let plan = plan.then(done(type_line(transfer)?));
                let kind = match transfer {
                    FtpType::Ascii(_) => ObjectKind::Text,
                    _ => ObjectKind::Binary,
                };
                if let Some(range) = options.range {
                    return Ok(plan.then(resumption::range(self.retrieve(kind, None)?, range)?));
                }
                // In another type the octets of a transfer are not those of the file.
                let counts = matches!(transfer, FtpType::Image);
                let resumption = if counts { options.resumption } else { Resumption::Off };
                let whole = self.retrieve(kind, Some(options.listing))?;
                Ok(plan.then_all(resumption::retrieve(self.name, whole, resumption)?))
            }
        }
    }

    /// Connects and logs in.
    fn session(&self, scheme: &Ftp, options: &Options<'_>) -> Result<Vec<Step>, PlanError> {
        let transport = if scheme.is_secured { Transport::Tls } else { Transport::Tcp };
        let to = self.login.connection(scheme.port, transport, &FTP)?;
        let host = to.host.clone();
        let mut steps =
            vec![Step::Connect(to), Exchange::greeting().next(On::Code(220), Meaning::Ready).into()];
        let login = self.log_in(options)?;
        let auth = Exchange::new(Line::new(&FTP, "AUTH TLS").end());
        match options.ftp_tls {
            _ if scheme.is_secured => {
                steps.push(login.into());
                steps.extend(secured_data());
            }
            Tls::Off => steps.push(login.into()),
            // A server without TLS refuses AUTH by 431, 500, 502, 504 or 534 (RFC 4217, 4), and some by
            // 530, since nobody is logged in.
            Tls::Try => {
                let mut secured = vec![Step::Secure { host }];
                secured.extend(secured_data_if_possible());
                let auth = auth.first(On::Code(234), Meaning::Done, secured);
                steps.push(or_without(auth, Meaning::NoTls).into());
                steps.push(login.into());
            }
            Tls::Required => {
                let auth = auth.next(On::Code(234), Meaning::Done);
                let auth = auth.on(On::Class(5), Meaning::NoTls, Then::Fail);
                steps.extend([auth.into(), Step::Secure { host }, login.into()]);
                steps.extend(secured_data());
            }
        }
        Ok(steps)
    }

    /// "If no user name or password is supplied […] the conventions for "anonymous" FTP are to be
    /// used […] The user name "anonymous" is supplied. The password is supplied as the Internet
    /// e-mail address of the end user accessing the resource. If the URL supplies a user name but
    /// no password, and the remote server requests a password, the program interpreting the FTP URL
    /// should request one from the user."
    fn log_in(&self, options: &Options<'_>) -> Result<Exchange, PlanError> {
        let (user, pass) = (Line::new(&FTP, "USER "), Line::new(&FTP, "PASS "));
        let (user, pass) = match (self.login.user, self.login.password, options.email) {
            (None, _, None) => (user.word("anonymous"), pass.answer(Prompt::Email)),
            (None, _, Some(email)) => (user.word("anonymous"), pass.option("email", email)?),
            (Some(name), None, _) => {
                let question = Prompt::Password { user: name.decode().into_owned() };
                (user.excerpt("the user", name)?, pass.answer(question))
            }
            (Some(name), Some(password), _) => {
                (user.excerpt("the user", name)?, pass.secret("the password", password)?)
            }
        };
        let account = Exchange::new(Line::new(&FTP, "ACCT ").answer(Prompt::Account).end());
        let account = logged_in(account);
        let pass = logged_in(Exchange::new(pass.end()));
        let pass = pass.first(On::Code(332), Meaning::NeedAccount, vec![account.clone().into()]);
        let user = Exchange::new(user.end()).next(On::Code(230), Meaning::LoggedIn);
        let user = user.first(On::Code(331), Meaning::NeedPassword, vec![pass.into()]);
        let user = user.first(On::Code(332), Meaning::NeedAccount, vec![account.into()]);
        Ok(user)
    }

    /// "Each of the `<cwd>` elements is to be supplied, sequentially, as the argument to a CWD
    /// command."
    fn change_directories(&self) -> Result<Vec<Step>, PlanError> {
        self.each_directory(change_directory)
    }

    /// Returns what changes to each directory.
    pub(super) fn each_directory<'u>(
        &'u self,
        change: impl Fn(SpannedStr<'u>) -> Result<Exchange, PlanError>,
    ) -> Result<Vec<Step>, PlanError> {
        check_count(self.cwds(), "directories", MOST_DIRECTORIES)?;
        self.cwds().map(|cwd| change(cwd).map(Step::from)).collect()
    }

    /// Returns the type of the transfer. "Final segment is suitable as the directory argument to
    /// NLIST" (draft of 1994): nothing can be retrieved that has no name.
    pub(super) fn transfer_type(&self, options: &Options<'_>) -> Result<FtpType<'_>, PlanError> {
        Ok(match self.transfer()? {
            None if self.name.is_empty() => FtpType::Directory,
            None => match options.representation {
                TransferMode::Text => FtpType::Ascii(None),
                TransferMode::Guessed if suffix::is_text(&self.name.decode()) => FtpType::Ascii(None),
                TransferMode::Image | TransferMode::Guessed => FtpType::Image,
            },
            Some(transfer) => transfer,
        })
    }

    /// Retrieves the file, of this kind. Without a type code the name may be that of a directory, which `RETR`
    /// refuses; it is listed in this form, if it is to be listed.
    fn retrieve(&self, kind: ObjectKind, listing: Option<Listing>) -> Result<Transfer, PlanError> {
        let place = "the argument of RETR";
        let has_iac = has_iac(self.name, place)?;
        let object = || Object::new(kind, "the file", Framing::DataConnection);
        let line = || Line::new(&FTP, "RETR ");
        let once = followed(Exchange::new(line().excerpt(place, self.name)?.end()));
        let listing = listing.filter(|_| self.code.is_none());
        let listed = listing.map(|listing| self.list(listing)).transpose()?;
        let or_list = |retrieved: Exchange, listed: Option<Vec<Step>>| match listed {
            Some(steps) => retrieved.on(On::Code(550), Meaning::Missing, Then::Attempt(steps)),
            None => retrieved,
        };
        if !has_iac {
            return Ok(Transfer::new(or_list(once, listed), object()));
        }
        let twice = followed(Exchange::new(line().doubled(place, self.name, IAC)?.end()));
        let twice = Transfer::new(or_list(twice, listed), object());
        let once = once.on(On::Code(550), Meaning::Missing, Then::Instead(vec![twice.into()]));
        Ok(Transfer::new(once, object()))
    }

    /// Lists the directory of the name: `CWD` proves that it exists, and servers take the argument
    /// of `NLST` for options and patterns.
    fn list(&self, listing: Listing) -> Result<Vec<Step>, PlanError> {
        let change = change_directory(self.name)?;
        Ok(vec![change.into(), listing::present(listing).into()])
    }
}

/// Adds the replies to the last command of a login.
fn logged_in(exchange: Exchange) -> Exchange {
    exchange.next(On::Code(230), Meaning::LoggedIn).next(On::Code(202), Meaning::NotNeeded)
}

/// "PBSZ" and "PROT P": data is secured like commands (RFC 4217, 9).
fn secured_data() -> [Step; 3] {
    [buffer_size().into(), done(Line::new(&FTP, "PROT P")).into(), Step::SecureData]
}

/// Like `secured_data`, but the data is sent unencrypted if the server does not secure it.
fn secured_data_if_possible() -> [Step; 2] {
    let protection = Exchange::new(Line::new(&FTP, "PROT P").end());
    let protection = protection.first(On::Code(200), Meaning::Done, vec![Step::SecureData]);
    [buffer_size().into(), or_without(protection, Meaning::NotSupported).into()]
}

/// "PBSZ" means nothing under TLS; what counts is the reply to "PROT".
fn buffer_size() -> Exchange {
    or_without(done(Line::new(&FTP, "PBSZ 0")), Meaning::NotSupported)
}

/// Returns a note on a name that servers pass to `ls` or to shell patterns: some servers do so with
/// `NLST -l` and `NLST *.txt`.
fn note_on(name: SpannedStr<'_>) -> Option<Note> {
    let octets = name.decode();
    let is_option = octets.first() == Some(&b'-');
    let is_pattern = octets.first() == Some(&b'~') || octets.iter().any(|octet| b"*?[{".contains(octet));
    let taken_for = match (is_option, is_pattern) {
        (true, _) => "options of a listing",
        (false, true) => "a pattern",
        (false, false) => return None,
    };
    let text = format!(
        "some servers take this argument of NLST for {taken_for}: CWD to it and NLST without one are exact"
    );
    Some(Note::new("listing-argument", text).field("taken_for", taken_for))
}

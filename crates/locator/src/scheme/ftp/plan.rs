//! The plan of an ftp URL: takes a URL, returns the commands that fetch a file or list a directory.
//! Follows RFC 1738, section 3.2; the commands are those of RFC 959, RFC 2428 (EPSV) and RFC 4217
//! (TLS). What real servers reply is in `spec/editions.md`, section 7.
//!
//! Commands that several plans of ftp have: takes names and types, returns the exchanges. Follows RFC 959,
//! 4.1.1 (CWD) and 4.1.2 (TYPE).
//!
//! Lists a directory, and asks what is known of a file or a directory: takes a name, returns the
//! transfers and commands. Follows RFC 959, 4.1.3 (NLST, LIST), and RFC 3659, 3, 4 and 7 (SIZE, MDTM,
//! MLST, MLSD).
//!
//! The protocol of ftp URLs: how its lines end, and what its replies mean.
//!
//! Resumes the transfer of a file: takes the transfer of the whole file, returns the steps that leave
//! out the octets that were fetched, if the file has not changed. Follows RFC 3659, sections 3 to 5.
//!
//! The transfer type that the suffix of a name suggests: takes the name of a file, returns whether it
//! is one of a text.
//!
//! "The data content type of a file can only, in the general FTP case, be deduced from the name,
//! normally the suffix of the name. This is not standardized. […] A suitable FTP transfer type (for
//! example binary "I" or text "A") must in turn be deduced from the data content type" (draft of
//! 1994; that of 1993 says so, too). RFC 1738, 3.2.3, leaves the guess to the client.
//!
//! Sends a file to a server: takes a URL, returns the commands that change to its directory and store the
//! file under its name. Follows RFC 959, 4.1.3 (STOR, APPE, MKD), and RFC 1738, 3.2.2.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use alloc::{format, vec};

use super::{FormCode, Ftp, FtpType, FtpUrl};
use crate::component::SpannedStr;
use crate::form::ValueError;
use crate::plan::{
    Direction, Exchange, Framing, Line, Listing, Meaning, Note, Object, ObjectKind, On, Options, Plan,
    PlanError, Prompt, Protocol, ReplyFraming, Restart, Resumption, Step, Then, Tls, Transfer, TransferMode,
    Transport, Upload, check_count,
};
use crate::simd::AsciiSet;

/// The most directories of a plan.
const MOST_DIRECTORIES: usize = 1_000;

impl FtpUrl<'_> {
    pub(super) fn plan(&self, scheme: &Ftp, options: &Options<'_>) -> Result<Plan, PlanError> {
        let plan = Plan::with_session(self.session(scheme, options)?);
        if let Some(upload) = options.upload {
            return Ok(plan.then_all(steps(self, upload, options)?));
        }
        let mut plan = plan.then_all(self.change_directories()?);
        match self.transfer_type(options)? {
            FtpType::Directory if options.head => {
                let changed = if self.name.is_empty() { None } else { Some(change_directory(self.name)?) };
                Ok(plan.then_all(changed.map(Step::from)).then_all(head_of_directory()))
            }
            FtpType::Directory if self.name.is_empty() => Ok(plan.then(present(options.listing))),
            FtpType::Directory if options.literal_listing && options.listing == Listing::Names => {
                plan.notes.extend(note_on(self.name));
                let line = Line::new(&FTP, "NLST ").excerpt("the argument of NLST", self.name)?;
                Ok(plan.then(names(line, Then::Fail)))
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
                Ok(plan.then_all(head_of(self.name, change_directory(self.name)?)?))
            }
            transfer => {
                let plan = plan.then(done(type_line(transfer)?));
                let kind = match transfer {
                    FtpType::Ascii(_) => ObjectKind::Text,
                    _ => ObjectKind::Binary,
                };
                if let Some(range) = options.range {
                    return Ok(plan.then(part_of(self.retrieve(kind, None)?, range)?));
                }
                // In another type the octets of a transfer are not those of the file.
                let counts = matches!(transfer, FtpType::Image);
                let resumption = if counts { options.resumption } else { Resumption::Off };
                let whole = self.retrieve(kind, Some(options.listing))?;
                Ok(plan.then_all(retrieve(self.name, whole, resumption)?))
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
    fn each_directory<'u>(
        &'u self,
        change: impl Fn(SpannedStr<'u>) -> Result<Exchange, PlanError>,
    ) -> Result<Vec<Step>, PlanError> {
        check_count(self.cwds(), "directories", MOST_DIRECTORIES)?;
        self.cwds().map(|cwd| change(cwd).map(Step::from)).collect()
    }

    /// Returns the type of the transfer. "Final segment is suitable as the directory argument to
    /// NLIST" (draft of 1994): nothing can be retrieved that has no name.
    fn transfer_type(&self, options: &Options<'_>) -> Result<FtpType<'_>, PlanError> {
        Ok(match self.transfer()? {
            None if self.name.is_empty() => FtpType::Directory,
            None => match options.representation {
                TransferMode::Text => FtpType::Ascii(None),
                TransferMode::Guessed if is_text(&self.name.decode()) => FtpType::Ascii(None),
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
        Ok(vec![change.into(), present(listing).into()])
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

/// Changes to a directory. Servers that follow RFC 959 to the letter read FF as the beginning of a
/// telnet command, and as data only if it is doubled; others read it as it is.
fn change_directory(cwd: SpannedStr<'_>) -> Result<Exchange, PlanError> {
    let place = "the argument of CWD";
    let changed = |line: Line| {
        let exchange = Exchange::new(line.end()).next(On::Code(250), Meaning::Done);
        exchange.next(On::Code(200), Meaning::Done)
    };
    let once = changed(Line::new(&FTP, "CWD ").excerpt(place, cwd)?);
    if !has_iac(cwd, place)? {
        return Ok(once);
    }
    let twice = changed(Line::new(&FTP, "CWD ").doubled(place, cwd, IAC)?);
    Ok(once.first(On::Code(550), Meaning::Missing, vec![twice.into()]))
}

/// The octet that begins a telnet command (RFC 854).
const IAC: u8 = 0xFF;

/// Returns whether a name contains IAC.
///
/// # Errors
///
/// What follows it would be a telnet command.
fn has_iac(name: SpannedStr<'_>, place: &'static str) -> Result<bool, PlanError> {
    let octets: Vec<_> = name.octets().collect();
    let command = octets
        .iter()
        .zip(octets.iter().skip(1))
        .find(|(first, second)| first.0 == IAC && (0xEC..0xFF).contains(&second.0));
    match command {
        Some((&(byte, span), _)) => {
            Err(PlanError::Byte { byte, span, place, protocol: FTP.name, citation: "RFC 959, 5.3; RFC 854" })
        }
        None => Ok(octets.iter().any(|octet| octet.0 == IAC)),
    }
}

pub(super) fn done(line: Line) -> Exchange {
    Exchange::new(line.end()).next(On::Code(200), Meaning::Done)
}

/// "The type code is in the format defined in RFC959 except that THE SPACE IS OMITTED FROM THE
/// URL."
fn type_line(transfer: FtpType<'_>) -> Result<Line, PlanError> {
    let line = Line::new(&FTP, "TYPE ");
    let (line, form) = match transfer {
        FtpType::Ascii(form) => (line.word("A"), form),
        FtpType::Ebcdic(form) => (line.word("E"), form),
        FtpType::Local(bits) => return line.word("L ").excerpt("the argument of TYPE", bits),
        FtpType::Image | FtpType::Directory => (line.word("I"), None),
    };
    Ok(match form {
        None => line,
        Some(FormCode::NonPrint) => line.word(" N"),
        Some(FormCode::Telnet) => line.word(" T"),
        Some(FormCode::CarriageControl) => line.word(" C"),
    })
}

/// Lists the present directory.
fn present(listing: Listing) -> Transfer {
    match listing {
        Listing::Names => names(Line::new(&FTP, "NLST"), Then::Nothing),
        // A server that does not know the command, or does not allow it here, lists names.
        Listing::Facts => {
            let others = || Then::Instead(vec![present(Listing::Names).into()]);
            let command = followed(Exchange::new(Line::new(&FTP, "MLSD").end()));
            let command = command.on(On::Class(5), Meaning::NotSupported, others());
            Transfer::new(command, object(ObjectKind::Facts, "the facts and names (one a line)"))
        }
        Listing::Long => {
            let command = or_empty(followed(Exchange::new(Line::new(&FTP, "LIST").end())), Then::Nothing);
            Transfer::new(command, object(ObjectKind::Long, "the listing for people"))
        }
    }
}

/// Lists names. Several servers answer 450 or 550 for an empty directory.
pub(super) fn names(line: Line, empty: Then) -> Transfer {
    let command = or_empty(followed(Exchange::new(line.end())), empty);
    Transfer::new(command, object(ObjectKind::Names, "the names (one a line)"))
}

fn object(kind: ObjectKind, name: &'static str) -> Object {
    Object::new(kind, name, Framing::DataConnection)
}

fn or_empty(command: Exchange, empty: Then) -> Exchange {
    let means = if empty == Then::Nothing { Meaning::Empty } else { Meaning::Missing };
    command.on(On::Code(550), means, empty.clone()).on(On::Code(450), means, empty)
}

/// Adds the replies after which the object follows.
pub(super) fn followed(command: Exchange) -> Exchange {
    command.next(On::Code(150), Meaning::Follows).next(On::Code(125), Meaning::Follows)
}

/// Asks what is known of the present directory.
fn head_of_directory() -> Vec<Step> {
    let facts = Exchange::new(Line::new(&FTP, "MLST").end()).next(On::Code(250), Meaning::Facts);
    vec![or_without(facts, Meaning::NotSupported).into(), description(ObjectKind::Names, "the directory")]
}

/// Asks what is known of a name: by `MLST`, which also says what it is, else by `SIZE` and `MDTM`.
/// `SIZE` refuses a directory, to which `change` changes then.
fn head_of(name: SpannedStr<'_>, change: Exchange) -> Result<Vec<Step>, PlanError> {
    let file = || description(ObjectKind::Binary, "the file");
    let facts = ask("MLST ", name)?.on(On::Code(250), Meaning::Facts, Then::Instead(vec![file()]));
    let facts = [500, 501, 502, 504]
        .into_iter()
        .fold(facts, |facts, code| facts.next(On::Code(code), Meaning::NotSupported));
    let directory = vec![change.into(), description(ObjectKind::Names, "the directory")];
    let length = ask("SIZE ", name)?.next(On::Code(213), Meaning::Length);
    let length = or_without(length, Meaning::NotSupported);
    let length = length.on(On::Code(550), Meaning::Missing, Then::Attempt(directory));
    let modified = ask("MDTM ", name)?.next(On::Code(213), Meaning::Modified);
    Ok(vec![facts.into(), length.into(), or_without(modified, Meaning::NotSupported).into(), file()])
}

fn description(kind: ObjectKind, name: &'static str) -> Step {
    Object::new(kind, name, Framing::Nothing).into()
}

/// A command has one argument, so no octet divides arguments; every line refuses CR, LF and NUL.
/// The meanings are those of RFC 959, 4.2.2.
pub(super) static FTP: Protocol = Protocol {
    name: "FTP",
    delimiters: AsciiSet::EMPTY,
    line_end: b"\r\n",
    citation: "RFC 959, 5.3; RFC 1738, 6",
    replies: ReplyFraming::Lines,
    meanings: &[
        (On::Class(1), Meaning::Wait),
        (On::Code(421), Meaning::Busy),
        (On::Code(425), Meaning::Broken),
        (On::Code(426), Meaning::Broken),
        (On::Code(430), Meaning::WrongLogin),
        (On::Code(451), Meaning::Broken),
        (On::Code(500), Meaning::NotSupported),
        (On::Code(501), Meaning::NotSupported),
        (On::Code(502), Meaning::NotSupported),
        (On::Code(503), Meaning::Unexpected),
        (On::Code(504), Meaning::NotSupported),
        (On::Code(530), Meaning::WrongLogin),
        (On::Code(532), Meaning::NeedAccount),
        (On::Code(550), Meaning::Missing),
    ],
};

/// Adds the replies of a server that does not do what it is asked for, where the transfer can do without
/// it. After 421 the server closes the connection, so nothing can follow.
fn or_without(exchange: Exchange, means: Meaning) -> Exchange {
    let refused = exchange.next(On::Class(4), means).next(On::Class(5), means);
    refused.on(On::Code(421), Meaning::Busy, Then::Fail)
}

/// Returns the steps that retrieve a file, which `whole` transfers from its beginning on.
pub(super) fn retrieve(
    name: SpannedStr<'_>,
    whole: Transfer,
    resumption: Resumption<'_>,
) -> Result<Vec<Step>, PlanError> {
    let (length, modified) = (ask("SIZE ", name)?, ask("MDTM ", name)?);
    Ok(match resumption {
        Resumption::Off => vec![whole.into()],
        Resumption::From { start, length: known, modified: time } if 0 < start && start <= known => {
            let restart = Line::new(&FTP, "REST ").option("the number of octets", &start.to_string())?;
            let restart = Restart { start, exchange: Exchange::new(restart.end()) };
            from(restart, [(length, known.to_string()), (modified, time.to_string())], whole)
        }
        _ => anew(&[(length, Meaning::Length), (modified, Meaning::Modified)], whole),
    })
}

/// Returns the transfer of a range of a file, whose whole `whole` transfers: the offset of the first octet,
/// and the number of octets, if not all that follow are wanted.
fn part_of(whole: Transfer, (start, count): (u64, Option<u64>)) -> Result<Transfer, PlanError> {
    let transfer = count.into_iter().fold(whole, Transfer::length);
    if start == 0 {
        return Ok(transfer);
    }
    let restart = Line::new(&FTP, "REST ").option("the number of octets", &start.to_string())?;
    let exchange = Exchange::new(restart.end()).next(On::Code(350), Meaning::Done);
    Ok(transfer.restart(Restart { start, exchange }))
}

/// "SIZE" is the number of octets of the transfer in the present type, "MDTM" the time of the file.
pub(super) fn ask(command: &'static str, name: SpannedStr<'_>) -> Result<Exchange, PlanError> {
    let line = Line::new(&FTP, command).excerpt("the name of the file", name)?;
    Ok(Exchange::new(line.end()))
}

/// Retrieves all of it, after what makes going on possible. Servers need not know the commands.
fn anew(questions: &[(Exchange, Meaning)], whole: Transfer) -> Vec<Step> {
    let asked = questions.iter().map(|(question, means)| {
        let question = question.clone().next(On::Code(213), *means);
        or_without(question, Meaning::NotSupported).into()
    });
    asked.chain([whole.into()]).collect()
}

/// Resumes if length and time are equal, and starts over if they are not.
fn from(restart: Restart, known: [(Exchange, String); 2], whole: Transfer) -> Vec<Step> {
    let [(length, octets), (modified, time)] = known;
    let all = || vec![Step::from(whole.clone())];
    // After 4xx what is there stays: it may be possible to go on later.
    let refused = |exchange: Exchange| exchange.on(On::Class(5), Meaning::NotSupported, Then::Instead(all()));
    let compared = |question: Exchange, means, equal: String, otherwise| {
        let question = question.next(On::Word(213, equal.into()), means);
        Step::from(refused(question.on(On::Code(213), means, Then::Instead(otherwise))))
    };
    let changed = anew(&[(modified.clone(), Meaning::Modified)], whole.clone());
    let exchange = refused(restart.exchange.next(On::Code(350), Meaning::Done));
    vec![
        compared(length, Meaning::Length, octets, changed),
        compared(modified, Meaning::Modified, time, all()),
        whole.clone().restart(Restart { exchange, ..restart }).into(),
    ]
}

/// Suffixes of files that are lines of text on every system, in order. A page or a program that
/// declares its character encoding is among them, because type A changes line ends only.
const TEXTS: [&str; 46] = [
    "asc", "bat", "bib", "c", "cc", "cfg", "conf", "cpp", "css", "csv", "diff", "el", "f", "faq", "for", "h",
    "hpp", "htm", "html", "idx", "ini", "java", "js", "json", "log", "lsm", "m3u", "mak", "md", "pas",
    "patch", "pl", "pm", "ps", "py", "rb", "readme", "rs", "sgml", "sh", "tex", "texi", "toml", "tsv", "txt",
    "xml",
];

/// Names without a suffix that texts of public archives have, in lower case.
const NAMES: [&str; 12] = [
    "changelog",
    "changes",
    "copying",
    "faq",
    "index",
    "install",
    "license",
    "ls-lr",
    "makefile",
    "news",
    "readme",
    "todo",
];

/// Returns whether a name is that of a text.
pub(super) fn is_text(name: &[u8]) -> bool {
    let name = name.rsplit(|&octet| octet == b'/').next().unwrap_or_default();
    let is_one_of =
        |names: &[&str], own: &[u8]| names.iter().any(|known| own.eq_ignore_ascii_case(known.as_bytes()));
    match name.iter().rposition(|&octet| octet == b'.') {
        Some(dot) if dot > 0 => is_one_of(&TEXTS, name.get(dot + 1..).unwrap_or_default()),
        _ => is_one_of(&NAMES, name),
    }
}

/// Returns the steps after the login.
pub(super) fn steps(url: &FtpUrl<'_>, upload: Upload, options: &Options<'_>) -> Result<Vec<Step>, PlanError> {
    let mut steps = match options.create_directories {
        true => url.each_directory(change_or_create)?,
        false => url.each_directory(change_directory)?,
    };
    let transfer = match url.transfer_type(options)? {
        // A directory has no name as a file, and only a name can be stored.
        FtpType::Directory => return Err(no_file(url)),
        _ if url.name.is_empty() => return Err(no_file(url)),
        transfer => transfer,
    };
    let command = match upload {
        Upload::Store => "STOR ",
        Upload::Append => "APPE ",
    };
    let kind = match transfer {
        FtpType::Ascii(_) => ObjectKind::Text,
        _ => ObjectKind::Binary,
    };
    steps.push(done(type_line(transfer)?).into());
    let line = Line::new(&FTP, command).excerpt("the name of the file", url.name)?;
    let object = Object::new(kind, "the file", Framing::DataConnection);
    let transfer = Transfer::new(allowed(followed(Exchange::new(line.end()))), object);
    steps.push(transfer.direction(Direction::Upload).into());
    Ok(steps)
}

/// "Requested action not taken. File unavailable (e.g., file not found, no access)" (RFC 959, 4.2.2): what
/// is created need not be there, so 550 is about the access.
fn allowed(creates: Exchange) -> Exchange {
    creates.on(On::Code(550), Meaning::Refused, Then::Fail)
}

fn no_file(url: &FtpUrl<'_>) -> PlanError {
    let (place, expects) = match url.code.filter(|_| !url.name.is_empty()) {
        Some(code) => (code, "the type of a file: \"a\" or \"i\""),
        None => (url.name, "the name that the file gets on the server"),
    };
    PlanError::Value(ValueError::Unexpected { span: place.place(), expects, citation: "RFC 1738, 3.2.2" })
}

/// Changes to a directory, and creates it if it does not exist. "521 […] directory already exists" (RFC
/// 959, appendix II): another client was faster.
fn change_or_create(cwd: SpannedStr<'_>) -> Result<Exchange, PlanError> {
    let change = change_directory(cwd)?;
    if cwd.is_empty() {
        return Ok(change);
    }
    let create = Line::new(&FTP, "MKD ").excerpt("the argument of MKD", cwd)?;
    let create = Exchange::new(create.end()).next(On::Code(257), Meaning::Done);
    let create = create.next(On::Code(250), Meaning::Done).next(On::Code(521), Meaning::Done);
    Ok(change.on(On::Code(550), Meaning::Missing, Then::Retry(vec![allowed(create).into()])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suffixes() {
        for text in ["a.txt", "A.TXT", "README", "pub/a.b.html", "ls-lR", "x.tar.txt"] {
            assert!(is_text(text.as_bytes()), "{text}");
        }
        for other in ["a.tar.gz", "txt", ".txt", "a.", "", "a.txt.Z", "README.gz", "ls-lR.Z", "a.txt/b"] {
            assert!(!is_text(other.as_bytes()), "{other}");
        }
    }
}

//! Commands that several plans of ftp have: takes names and types, returns the exchanges. Follows RFC 959,
//! 4.1.1 (CWD) and 4.1.2 (TYPE).

use alloc::vec;
use alloc::vec::Vec;

use super::protocol::FTP;
use super::{FormCode, FtpType};
use crate::component::SpannedStr;
use crate::plan::{Exchange, Line, Meaning, On, PlanError};

/// Changes to a directory. Servers that follow RFC 959 to the letter read FF as the beginning of a
/// telnet command, and as data only if it is doubled; others read it as it is.
pub(super) fn change_directory(cwd: SpannedStr<'_>) -> Result<Exchange, PlanError> {
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
pub(super) const IAC: u8 = 0xFF;

/// Returns whether a name contains IAC.
///
/// # Errors
///
/// What follows it would be a telnet command.
pub(super) fn has_iac(name: SpannedStr<'_>, place: &'static str) -> Result<bool, PlanError> {
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
pub(super) fn type_line(transfer: FtpType<'_>) -> Result<Line, PlanError> {
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

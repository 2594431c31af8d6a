//! Sends a file to a server: takes a URL, returns the commands that change to its directory and store the
//! file under its name. Follows RFC 959, 4.1.3 (STOR, APPE, MKD), and RFC 1738, 3.2.2.

use alloc::vec;
use alloc::vec::Vec;

use super::commands::{change_directory, done, type_line};
use super::listing::followed;
use super::protocol::FTP;
use super::{FtpType, FtpUrl};
use crate::component::SpannedStr;
use crate::form::ValueError;
use crate::plan::{
    Direction, Exchange, Framing, Line, Meaning, Object, ObjectKind, On, Options, PlanError, Step, Then,
    Transfer, Upload,
};

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

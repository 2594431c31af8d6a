//! Lists a directory, and asks what is known of a file or a directory: takes a name, returns the
//! transfers and commands. Follows RFC 959, 4.1.3 (NLST, LIST), and RFC 3659, 3, 4 and 7 (SIZE, MDTM,
//! MLST, MLSD).

use alloc::vec;
use alloc::vec::Vec;

use super::protocol::{FTP, or_without};
use super::resumption::ask;
use crate::component::SpannedStr;
use crate::plan::{
    Exchange, Framing, Line, Listing, Meaning, Object, ObjectKind, On, PlanError, Step, Then, Transfer,
};

/// Lists the present directory.
pub(super) fn present(listing: Listing) -> Transfer {
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
pub(super) fn head_of_directory() -> Vec<Step> {
    let facts = Exchange::new(Line::new(&FTP, "MLST").end()).next(On::Code(250), Meaning::Facts);
    vec![or_without(facts, Meaning::NotSupported).into(), description(ObjectKind::Names, "the directory")]
}

/// Asks what is known of a name: by `MLST`, which also says what it is, else by `SIZE` and `MDTM`.
/// `SIZE` refuses a directory, to which `change` changes then.
pub(super) fn head_of(name: SpannedStr<'_>, change: Exchange) -> Result<Vec<Step>, PlanError> {
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

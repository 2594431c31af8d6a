//! Resumes the transfer of a file: takes the transfer of the whole file, returns the steps that leave
//! out the octets that were fetched, if the file has not changed. Follows RFC 3659, sections 3 to 5.

use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::protocol::{FTP, or_without};
use crate::component::SpannedStr;
use crate::plan::{Exchange, Line, Meaning, On, PlanError, Restart, Resumption, Step, Then, Transfer};

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
pub(super) fn range(whole: Transfer, (start, count): (u64, Option<u64>)) -> Result<Transfer, PlanError> {
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

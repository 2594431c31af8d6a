//! What a plan may send: all of its messages, those of the usual course, and the largest number of
//! them. The depth of the tree is that of the program that made it; it does not depend on a URL.

use alloc::boxed::Box;
use alloc::vec;

use super::message::Message;
use super::reply::Meaning;
use super::step::{Case, Exchange, Slices, Step, Then, Transfer};

/// Returns the steps and those of their cases, in the order of their printing.
pub(super) fn all(steps: &[Step]) -> impl Iterator<Item = &Step> {
    let mut stack = vec![steps.iter()];
    core::iter::from_fn(move || {
        loop {
            let Some(step) = stack.last_mut()?.next() else {
                stack.pop();
                continue;
            };
            if let Step::Transfer(transfer) = step {
                stack.extend(transfer.done.iter().rev().map(|case| case.then.steps().iter()));
            }
            if let Step::GoOn(next) = step {
                let ways: [_; 2] = next.steps();
                stack.extend(ways.into_iter().rev().map(<[Step]>::iter));
            }
            let cases = step.exchange().into_iter().flat_map(|exchange| exchange.cases.iter().rev());
            stack.extend(cases.map(|case| case.then.steps().iter()));
            if let Step::Transfer(Transfer { restart: Some(restart), .. }) = step {
                stack.extend(restart.exchange.cases.iter().rev().map(|case| case.then.steps().iter()));
            }
            return Some(step);
        }
    })
}

/// Returns the messages that are sent if every reply is the first of its exchange that leads on,
/// directly or by steps that come first.
pub(super) fn usual<'p>(
    steps: impl Iterator<Item = &'p Step> + 'p,
) -> Box<dyn Iterator<Item = &'p Message> + 'p> {
    Box::new(steps.flat_map(|step| {
        let first = step.exchange().map_or(&[][..], steps_after);
        step.messages().chain(usual(first.iter()))
    }))
}

/// Returns the steps that come first after a usual reply: those of a login with a password, and of a
/// connection that the server can secure.
fn steps_after(exchange: &Exchange) -> &[Step] {
    let is_usual = |case: &&Case| {
        matches!(case.then, Then::First(_)) && matches!(case.means, Meaning::NeedPassword | Meaning::Done)
    };
    let first = exchange.cases.iter().filter(is_usual);
    first.map(|case| case.then.steps()).next().unwrap_or_default()
}

/// Returns the largest number of messages of steps.
pub(super) fn most(steps: &[Step]) -> u64 {
    let mut rest = 0_u64;
    for step in steps.iter().rev() {
        rest = most_of(step, rest);
    }
    rest
}

/// Returns the largest number of messages of a step and of what follows it, which sends `rest`.
fn most_of(step: &Step, rest: u64) -> u64 {
    match step {
        Step::Exchange(exchange) => most_of_exchange(exchange, 0, rest),
        Step::Transfer(transfer) => {
            let after = transfer.done.iter().map(|case| after(&case.then, rest)).max().unwrap_or(rest);
            let ports = transfer.ports.len() as u64;
            match &transfer.restart {
                None => most_of_exchange(&transfer.command, ports, after.max(rest)),
                Some(restart) => {
                    let transferred = most_of_exchange(&transfer.command, 0, after.max(rest));
                    most_of_exchange(&restart.exchange, ports, transferred)
                }
            }
        }
        Step::Slices(slices) => {
            // One of them may be shorter, because it ends where the URL says that the document does; and
            // one because the server sends less than it has said.
            let least = slices.slice.clamp(1, Slices::LEAST);
            rest.saturating_add(Slices::MOST_OCTETS.div_ceil(least)).saturating_add(2)
        }
        Step::Request(_) => rest.saturating_add(1),
        // Where there are no contents, a directory is listed.
        Step::GoOn(next) => next.steps().into_iter().map(most).fold(0, u64::saturating_add),
        _ => rest,
    }
}

/// Returns the largest number of messages of an exchange and of what follows it; `before` are sent before
/// it each time.
fn most_of_exchange(exchange: &Exchange, before: u64, rest: u64) -> u64 {
    let own = before.saturating_add(u64::from(!exchange.send.is_empty()));
    let others = exchange.cases.iter().filter(|case| !matches!(case.then, Then::Retry(_)));
    let once = others.map(|case| after(&case.then, rest)).max().unwrap_or(rest);
    let retries = exchange.cases.iter().filter(|case| matches!(case.then, Then::Retry(_)));
    // Each retry can be taken once.
    let again = retries.map(|case| most(case.then.steps()).saturating_add(own)).fold(0, u64::saturating_add);
    own.saturating_add(once).saturating_add(again)
}

/// Returns the largest number of messages after a reply.
fn after(then: &Then, rest: u64) -> u64 {
    match then {
        Then::Next | Then::Retry(_) => rest,
        Then::First(steps) => most(steps).saturating_add(rest),
        Then::Instead(steps) | Then::Attempt(steps) => most(steps),
        Then::Nothing | Then::Fail => 0,
    }
}

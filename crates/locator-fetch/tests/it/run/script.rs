//! Scripts of servers: takes the lines of a case, returns what the server does, in order.

use locator_dev::cases::octets;

/// What a server does next.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Act {
    /// Accepts a control connection, or does not.
    Dial(Result<(), Refusal>),
    /// Expects octets on the control connection.
    Expect(Vec<u8>),
    /// Sends octets on a connection.
    Send(Side, Vec<u8>),
    /// Ends a connection.
    End(Side, End),
    /// Expects a data connection to this port, and accepts it or does not.
    Data(u16, Result<(), Refusal>),
    /// Expects that a connection is secured.
    Secure(Side, Result<(), Refusal>),
    /// Waits, in milliseconds.
    Wait(u64),
}

/// A connection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Side {
    Control,
    Data,
}

/// How a connection ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum End {
    Fin,
    Notified,
    Reset,
    /// The server says nothing more, and time passes.
    Silence,
}

/// How a connection is not made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Refusal {
    Refused,
    Silent,
    Unknown,
    Forbidden,
}

/// Reads a script: see `testdata/README.md`.
pub(crate) fn script(text: &str) -> Vec<Act> {
    text.lines().filter(|line| !line.is_empty()).map(act).collect()
}

fn act(line: &str) -> Act {
    let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
    let words: Vec<_> = rest.split(' ').filter(|word| !word.is_empty()).collect();
    match (verb, words.as_slice()) {
        ("C", _) => Act::Expect([octets(rest), b"\r\n".to_vec()].concat()),
        ("E", _) => Act::Expect(octets(rest)),
        ("S", _) => Act::Send(Side::Control, [octets(rest), b"\r\n".to_vec()].concat()),
        ("O", _) => Act::Send(Side::Control, octets(rest)),
        ("D", _) => Act::Send(Side::Data, octets(rest)),
        ("dial", answer) => Act::Dial(refusal(answer)),
        ("data", [port, answer @ ..]) => Act::Data(port.parse().unwrap(), refusal(answer)),
        ("tls", ["data", answer @ ..]) => Act::Secure(Side::Data, refusal(answer)),
        ("tls", answer) => Act::Secure(Side::Control, refusal(answer)),
        ("end", ["data", how]) => Act::End(Side::Data, end(how)),
        ("end", [how]) => Act::End(Side::Control, end(how)),
        ("wait", [time]) => Act::Wait(time.parse().unwrap()),
        _ => panic!("{line:?}"),
    }
}

fn refusal(answer: &[&str]) -> Result<(), Refusal> {
    match answer {
        [] => Ok(()),
        ["refused"] => Err(Refusal::Refused),
        ["silent"] => Err(Refusal::Silent),
        ["unknown"] => Err(Refusal::Unknown),
        ["forbidden"] => Err(Refusal::Forbidden),
        _ => panic!("{answer:?}"),
    }
}

fn end(how: &str) -> End {
    match how {
        "fin" => End::Fin,
        "notified" => End::Notified,
        "reset" => End::Reset,
        "silence" => End::Silence,
        _ => panic!("{how:?}"),
    }
}

/// Returns how many octets a script sends.
pub(crate) fn sent(acts: &[Act]) -> usize {
    acts.iter()
        .map(|act| match act {
            Act::Send(_, octets) => octets.len(),
            _ => 0,
        })
        .sum()
}

/// Returns a script that ends all connections after this number of sent octets.
pub(crate) fn cut(acts: &[Act], mut offset: usize, how: End) -> Vec<Act> {
    let mut kept = Vec::new();
    for act in acts {
        match act {
            Act::Send(side, octets) if octets.len() > offset => {
                kept.push(Act::Send(*side, octets[..offset].to_vec()));
                break;
            }
            Act::Send(_, octets) => offset -= octets.len(),
            _ => {}
        }
        kept.push(act.clone());
    }
    kept.extend([Act::End(Side::Control, how), Act::End(Side::Data, how)]);
    kept
}

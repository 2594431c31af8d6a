//! Scripts of servers: takes the lines of a case, returns what the server does, in order.

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

/// Returns the octets of a text with `\r`, `\n`, `\t`, `\\` and `\xE9`.
pub(crate) fn octets(text: &str) -> Vec<u8> {
    let mut octets = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let (octet, length) = match (first, tail) {
            (b'\\', [b'r', ..]) => (b'\r', 1),
            (b'\\', [b'n', ..]) => (b'\n', 1),
            (b'\\', [b't', ..]) => (b'\t', 1),
            (b'\\', [b'\\', ..]) => (b'\\', 1),
            (b'\\', [b'x', digits @ ..]) => {
                let digits = std::str::from_utf8(&digits[..2]).unwrap();
                (u8::from_str_radix(digits, 16).unwrap(), 3)
            }
            (b'\\', _) => panic!("{text:?}"),
            _ => (*first, 0),
        };
        octets.push(octet);
        rest = &tail[length..];
    }
    octets
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

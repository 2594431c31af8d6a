//! Any octets as the answers of a server: in whatever pieces they come, the run is the same, and each hit
//! has a URL that can be read, or a reason. The fuzz target `wais` checks the same.

use locator::UriRef;
use locator::plan::ObjectKind;
use locator_fetch::entries::entries;
use locator_fetch::run::{Ending, Limits, Outcome};

use super::talk::{Wire, plan_of};

const SEARCH: &str = "wais://h/db?apple";
const DOCUMENTS: [&str; 2] = ["wais://h/db/TEXT/%03%02id", "wais://h/db/TEXT/5/3=id;"];

/// An accepted Init.
const ACCEPTED: &[u8] = b"0000000009z2wais        0\0\x07\x15\x01\x06\x03\x01\x86\xA0";

/// Checks octets. The first says what is fetched and what is put around the others, the second where they
/// are cut.
pub(crate) fn check(octets: &[u8]) {
    let [how, piece, octets @ ..] = octets else { return };
    let url = [SEARCH, SEARCH, DOCUMENTS[0], DOCUMENTS[1]][usize::from(how & 3)];
    let around = match how >> 2 & 3 {
        0 => octets.to_vec(),
        1 => [ACCEPTED, octets].concat(),
        // Only the fields are any octets.
        _ => {
            let counted = b"\0\x0B\x17\0\0\0\0\0\0\x01\0\0\0";
            let header = format!("{:010}z2wais        0", counted.len() + octets.len());
            [ACCEPTED, header.as_bytes(), counted, octets].concat()
        }
    };
    let talk = |piece, most, ending| {
        let mut answers = Some(around.clone()).into_iter();
        let limits = Limits::new().body(64).reply(128);
        let limits = if url == SEARCH { Limits::new().reply(128) } else { limits };
        Wire { limits, piece, most, ending }.talk(plan_of(url), |_| answers.next().unwrap_or_default())
    };
    let whole = talk(usize::MAX, usize::MAX, Ending::Fin);
    assert_eq!(talk(1, usize::MAX, Ending::Fin), whole);
    assert_eq!(talk(1 + usize::from(*piece), usize::MAX, Ending::Fin), whole);
    let cut = talk(usize::MAX, around.len() * usize::from(*piece) / 256, Ending::Reset);
    assert!(whole.body.starts_with(&cut.body));
    assert!(cut.outcome == whole.outcome || matches!(cut.outcome, Outcome::Failed(_)));
    for entry in entries(ObjectKind::Hits, UriRef::parse(SEARCH).unwrap(), octets)
        .unwrap()
        .chain(entries(ObjectKind::Hits, UriRef::parse(SEARCH).unwrap(), &whole.body).unwrap())
    {
        if let Ok(url) = entry.url {
            assert!(UriRef::parse(url.as_str()).is_ok());
        }
    }
}

//! Servers that are wrong: lengths that lie, slices that repeat, answers that are out of step, and answers
//! at random.

use std::sync::atomic::{AtomicUsize, Ordering};

use locator::plan::{ObjectKind, Step};
use locator_fetch::entries::entries;
use locator_fetch::run::{Limits, Outcome, Whole};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::wais::packets::{self, Request, accepted, diagnostic, field, found, hit, packet, slice};
use crate::wais::talk::{Talk, Wire, failure, plan_of};

const SEARCH: &str = "wais://h/db?apple";
const DOCUMENT: &str = "wais://h/db/TEXT/%03%02id";

/// Carries out the plan of a search with this answer.
fn search(answer: &[u8]) -> Talk {
    let mut answers = [accepted(100_000), answer.to_vec()].into_iter();
    Wire::default().talk(plan_of(SEARCH), |_| answers.next().unwrap())
}

/// Fetches a document from a server that answers to the number and the offsets of a slice.
fn fetch(url: &str, largest: u32, mut answer: impl FnMut(&str, usize, usize) -> Vec<u8>) -> Talk {
    Wire::default().talk(plan_of(url), |request| match Request::of(request).slice() {
        Some((number, start, end)) => answer(&number, start, end),
        None => accepted(largest),
    })
}

/// Answers as a server that has a document.
fn part_of(document: &[u8]) -> impl Fn(&str, usize, usize) -> Vec<u8> {
    move |number, start, end| {
        let last = end.min(document.len());
        let text = slice(&document[start.min(last)..last]);
        let rest = if end > document.len() { diagnostic("SF", "Request out of range") } else { Vec::new() };
        found(Some(number), &[text, rest].concat())
    }
}

fn document(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i * 31 % 251) as u8).collect()
}

fn is_whole(talk: &Talk, document: &[u8]) {
    let outcome = Outcome::Got { whole: Whole::Framed, octets: document.len() as u64 };
    assert_eq!(talk.outcome, outcome);
    assert!(talk.body == document);
}

#[test]
fn a_length_that_lies() {
    let (kind, message) = failure(&search(b"0010000000z2wais        0\0"));
    assert_eq!(kind, "too-much");
    assert_eq!(
        message,
        "limit exceeded: more than 100000 bytes in a response, while reading the list of documents found"
    );
    // The limit of the server, if that is less than ours.
    let mut answers = [accepted(2_000), b"0000002001z2wais        0".to_vec()].into_iter();
    let talk = Wire::default().talk(plan_of(SEARCH), |_| answers.next().unwrap());
    assert!(failure(&talk).1.starts_with("limit exceeded: more than 2000 bytes in a response"));
    // Longer and shorter than the packet.
    assert_eq!(failure(&search(b"0000000100z2wais        0\0\x0B\x17")).0, "cut-off");
    assert_eq!(failure(&search(b"0000000001z2wais        0\0\x0B\x17")).0, "garbled");
    assert_eq!(failure(&search(b"0000000003z2wais        0\xFF\xFF\x17")).0, "garbled");
}

#[test]
fn headlines_of_ten_megabytes() {
    let answer = found(None, &hit(b"id", &[b'x'; 10_000_000]));
    assert_eq!(failure(&search(&answer)).0, "too-much");
    // A length in the answer that is not that of the headline.
    let record = [&b"\x81\x16\x10\x74\x02id\x7B\x84\xE2\xAD\x00"[..], &[b'x'; 50]].concat();
    assert_eq!(failure(&search(&found(None, &record))).0, "garbled");
}

#[test]
fn padded_integers() {
    let padding = [0x80; 1000];
    let headline = [&padding[..], b"\x7B", &padding, b"\x05apple"].concat();
    let identifier = [&padding[..], b"\x74", &padding, b"\x02id"].concat();
    let group = [&identifier[..], &headline].concat();
    let talk = search(&found(None, &field(150, &group)));
    let url = locator::uri_ref!("wais://h/db?apple");
    let entries: Vec<_> = entries(ObjectKind::Hits, url, &talk.body).unwrap().collect();
    assert_eq!(entries[0].name, b"apple");
    assert_eq!(entries[0].url.as_ref().unwrap(), "wais://h/db/TEXT/id");
}

#[test]
fn octets_before_an_answer() {
    let answer = found(None, &hit(b"id", b"apple"));
    let before = |count| [vec![b'x'; count], answer.clone()].concat();
    assert_eq!(search(&before(1024)).body, search(&answer).body);
    assert_eq!(failure(&search(&before(1025))).0, "garbled");
    assert_eq!(failure(&search(b"HTTP/1.0 400 Bad Request\r\n\r\n")).0, "garbled");
}

#[test]
fn answers_that_are_out_of_step() {
    let document = document(25_000);
    let right = part_of(&document);
    let (kind, message) = failure(&fetch(DOCUMENT, 100_000, |number, start, end| match start {
        10_000 => right("0000000001", 0, 10_000),
        _ => right(number, start, end),
    }));
    assert_eq!(kind, "unexpected");
    assert!(message.ends_with("(response to request 0000000001), while reading the document"), "{message}");
    assert_eq!(failure(&search(&found(Some("1"), &hit(b"id", b"apple")))).0, "unexpected");
    // The response to Init once more.
    assert_eq!(failure(&search(&accepted(1))).0, "garbled");
    // A server that does not repeat the number.
    is_whole(
        &fetch(DOCUMENT, 100_000, |_, start, end| {
            let last = end.min(document.len());
            found(None, &slice(&document[start.min(last)..last]))
        }),
        &document,
    );
}

#[test]
fn a_slice_that_repeats() {
    let talk = fetch(DOCUMENT, 100_000, |_, start, end| found(None, &slice(&document(end - start))));
    assert_eq!(
        failure(&talk),
        (
            "no-progress",
            "the server sends the same part again and again, while reading the document".to_owned()
        )
    );
    assert!(talk.sent.len() < 260);
    // A document may repeat itself, in answers that repeat the numbers of their requests or up to the
    // length that the URL says.
    let zeros = vec![0; 3_000_000];
    is_whole(&fetch(DOCUMENT, 100_000, part_of(&zeros)), &zeros);
    let without_number = |_: &str, start: usize, end: usize| {
        let last = end.min(zeros.len());
        found(None, &slice(&zeros[start.min(last)..last]))
    };
    is_whole(&fetch("wais://h/db/TEXT/3000000/3=id;", 100_000, without_number), &zeros);
    assert_eq!(failure(&fetch(DOCUMENT, 100_000, without_number)).0, "no-progress");
}

/// The server says which document a slice is of. The lengths of its fields may be padded.
#[test]
fn a_slice_of_another_document() {
    let of = |records: &[u8]| fetch(DOCUMENT, 100_000, |number, _, _| found(Some(number), records));
    let (kind, message) = failure(&of(&packets::part_of(b"\x03\x02ib", b"x")));
    assert_eq!(kind, "unexpected");
    assert!(message.contains("(a part of another document)"), "{message}");
    assert_eq!(failure(&of(&packets::part_of(b"id", b"x"))).0, "unexpected");
    is_whole(&of(&packets::part_of(b"\x03\x80\x02id", b"x")), b"x");
    is_whole(&of(&packets::part_of(b"", b"x")), b"x");
    // Of two slices nobody knows which one was asked for.
    assert_eq!(failure(&of(&[slice(b"x"), slice(b"y")].concat())).0, "garbled");
}

#[test]
fn slices_and_lengths() {
    for length in [0, 1, 999, 1_000, 9_999, 10_000, 10_001, 20_000, 104_228] {
        let document = document(length);
        // The length in the URL is missing, right, too small, too large.
        for claimed in
            [None, Some(length), Some(length / 2), Some(length + 1), Some(2 * length + 500), Some(99_999_999)]
        {
            let url = match claimed {
                None | Some(0) => DOCUMENT.to_owned(),
                Some(claimed) => format!("wais://h/db/TEXT/{claimed}/3=id;"),
            };
            for largest in [0, 1_500, 100_000, 16_000_000] {
                let talk = fetch(&url, largest, |number, start, end| {
                    assert!(end - start <= 100_000 && end > start);
                    let answer = part_of(&document)(number, start, end);
                    assert!(
                        largest == 0 || answer.len() <= largest as usize + 25,
                        "{largest} {}",
                        answer.len()
                    );
                    answer
                });
                is_whole(&talk, &document);
            }
        }
        // A server that says nothing of the range.
        let talk = fetch(DOCUMENT, 100_000, |number, start, end| {
            let last = end.min(document.len());
            found(Some(number), &slice(&document[start.min(last)..last]))
        });
        is_whole(&talk, &document);
    }
}

#[test]
fn slices_that_are_not_what_was_asked_for() {
    let of = |records: &[u8]| fetch(DOCUMENT, 100_000, |number, _, _| found(Some(number), records));
    assert_eq!(failure(&of(&slice(&[b'x'; 10_001]))).0, "garbled");
    assert_eq!(failure(&of(b"")).0, "garbled");
    assert_eq!(failure(&of(&hit(b"id", b"apple"))).0, "garbled");
    assert_eq!(failure(&of(&diagnostic("SF", "Missing DocID in request"))).0, "missing");
    assert_eq!(failure(&of(&diagnostic("SH", ""))).0, "refused");
    assert_eq!(failure(&of(&[slice(b"x"), diagnostic("S2", "")].concat())).0, "busy");
    is_whole(&of(&diagnostic("SF", "Request out of range")), b"");
    is_whole(&of(&[slice(b"x"), diagnostic("SF", "")].concat()), b"x");
    // Messages that cannot carry the smallest slice.
    let (kind, message) = failure(&fetch(DOCUMENT, 1_000, |_, _, _| Vec::new()));
    assert_eq!(kind, "not-supported-here");
    assert_eq!(message, "a server with responses this short is not supported");
}

#[test]
fn diagnostics_in_place_of_hits() {
    let text = "The following database is not available: /srv/nodb";
    let (kind, message) = failure(&search(&found(None, &diagnostic("S1", text))));
    assert_eq!(kind, "refused");
    assert_eq!(
        message,
        format!("the server refused the request (S1 {text}), while reading the list of documents found")
    );
    let talk = search(&found(None, &[hit(b"id", b"apple"), diagnostic("SD", "")].concat()));
    let url = locator::uri_ref!("wais://h/db?apple");
    let entries: Vec<_> = entries(ObjectKind::Hits, url, &talk.body).unwrap().collect();
    let names: Vec<_> = entries.iter().map(|entry| (entry.kind.name(), entry.name.as_slice())).collect();
    assert_eq!(names, [("text", &b"apple"[..]), ("error", b"SD too many records were found")]);
    let refused = packet(b"\x15\0", b"");
    let talk = Wire::default().talk(plan_of(SEARCH), |_| refused.clone());
    assert_eq!(failure(&talk).0, "refused");
    assert_eq!(talk.sent.len(), 1);
}

/// A plan may read an answer and drop it. Each answer must be one, and only the last is the object.
#[test]
fn an_answer_that_is_dropped() {
    let mut plan = plan_of(SEARCH);
    let mut before = plan.work.clone();
    for step in &mut before {
        if let Step::Receive(object) = step {
            object.kind = ObjectKind::Dropped;
        }
    }
    plan.work.splice(0..0, before);
    let with = |first: Vec<u8>| {
        let mut answers = [accepted(100_000), first, found(None, &hit(b"2", b"second"))].into_iter();
        Wire::default().talk(plan.clone(), |_| answers.next().unwrap())
    };
    let talk = with(found(None, &hit(b"1", b"first")));
    let url = locator::UriRef::parse(SEARCH).unwrap();
    let names: Vec<_> = entries(ObjectKind::Hits, url, &talk.body).unwrap().map(|entry| entry.name).collect();
    assert_eq!(names, [b"second"]);
    assert_eq!(talk.outcome, Outcome::Got { whole: Whole::Framed, octets: talk.body.len() as u64 });
    assert_eq!(failure(&with(found(None, &diagnostic("S1", "no")))).0, "refused");
}

#[test]
fn a_limit_of_octets() {
    let document = document(25_000);
    let limits = Limits::new().body(12_000);
    let talk = Wire { limits, ..Wire::default() }.talk(plan_of(DOCUMENT), |request| {
        match Request::of(request).slice() {
            Some((number, start, end)) => part_of(&document)(&number, start, end),
            None => accepted(100_000),
        }
    });
    assert_eq!(failure(&talk).0, "too-much");
    assert!(talk.body == document[..12_000]);
}

/// A record of an answer.
fn record() -> impl Strategy<Value = Vec<u8>> {
    let text = prop_oneof![
        4 => Just(usize::MAX),
        1 => 0_usize..12_000,
    ];
    prop_oneof![
        // A slice as long as it was asked for is written when that is known.
        6 => text.prop_map(|length| if length == usize::MAX { Vec::new() } else { slice(&document(length)) }),
        1 => (vec(any::<u8>(), 0..9), vec(any::<u8>(), 0..9)).prop_map(|(id, headline)| hit(&id, &headline)),
        1 => prop_oneof![Just("SF"), Just("S1"), Just("??")].prop_map(|code| diagnostic(code, "x")),
        1 => (0_u32..400, vec(any::<u8>(), 0..9)).prop_map(|(tag, value)| if tag == 28 { Vec::new() } else { field(tag, &value) }),
    ]
}

static WHOLE: AtomicUsize = AtomicUsize::new(0);

proptest! {
    /// Answers that are well-formed: a run ends, asks for no more than the plan allows, and what it reads
    /// is within its limit.
    #[test]
    fn answers_at_random(
        url in prop_oneof![Just(SEARCH), Just(DOCUMENT), Just("wais://h/db/TEXT/12000/3=id;")],
        largest in prop_oneof![Just(0), Just(1_500), 0_u32..16_000_000],
        answers in vec(vec(record(), 0..3), 1..20),
    ) {
        let mut answers = answers.into_iter().cycle();
        let limits = Limits::new().body(200_000);
        let wire = Wire { limits, ..Wire::default() };
        let talk = wire.talk(plan_of(url), |request| {
            let request = Request::of(request);
            if request.fixed == [20] {
                return accepted(largest);
            }
            let records = answers.next().unwrap();
            match request.slice() {
                Some((number, start, end)) => {
                    let full = slice(&vec![b'x'; end - start]);
                    let records = records.iter().map(|record| if record.is_empty() { &full } else { record });
                    found(Some(&number), &records.cloned().collect::<Vec<_>>().concat())
                }
                None => found(None, &records.concat()),
            }
        });
        prop_assert!(talk.body.len() <= 200_000);
        WHOLE.fetch_add(usize::from(matches!(talk.outcome, Outcome::Got { .. })), Ordering::Relaxed);
    }
}

/// Returns the numbers of octets that are asked for of a document, one after the other.
fn sizes(url: &str, largest: u32, answer: impl Fn(&str, usize, usize) -> Vec<u8>) -> (Talk, Vec<usize>) {
    let sizes = std::cell::RefCell::new(Vec::new());
    let talk = fetch(url, largest, |number, start, end| {
        sizes.borrow_mut().push(end - start);
        answer(number, start, end)
    });
    (talk, sizes.into_inner())
}

/// After the first slice, which is that of the reference client, each is as large as the server has said
/// that its answers may be.
#[test]
fn slices_as_large_as_the_server_allows() {
    let long = document(3_800_000);
    let (talk, of_long) = sizes(DOCUMENT, 100_000, part_of(&long));
    is_whole(&talk, &long);
    assert_eq!((of_long.len(), of_long[0]), (40, 10_000));
    assert!(of_long[1] > 99_000 && of_long[1..].iter().all(|size| *size == of_long[1]));
    // The URL says the length, after which a small request finds the end.
    let (talk, to_length) = sizes("wais://h/db/TEXT/3800000/3=id;", 100_000, part_of(&long));
    is_whole(&talk, &long);
    assert_eq!((to_length.len(), to_length.last()), (41, Some(&10_000)));
    // A server that does not say how large its answers may be.
    let (talk, of_silent) = sizes(DOCUMENT, 0, part_of(&document(100_000)));
    is_whole(&talk, &document(100_000));
    assert!(of_silent.iter().all(|size| *size == 10_000));
}

/// A server that sends less at once than it has said: its document is not taken for a short one.
#[test]
fn a_server_that_cuts_large_slices() {
    let document = document(200_000);
    let without_diagnostic = |number: &str, start: usize, end: usize| {
        let last = end.min(document.len()).min(start + 30_000);
        found(Some(number), &slice(&document[start.min(last)..last]))
    };
    let (talk, of_slices) = sizes(DOCUMENT, 100_000, without_diagnostic);
    is_whole(&talk, &document);
    assert!(of_slices[1] > 99_000 && of_slices[2..].iter().all(|size| *size == 10_000), "{of_slices:?}");
}

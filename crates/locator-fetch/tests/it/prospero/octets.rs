//! Any octets as an answer of Prospero. The fuzz target `prospero` checks the same.

use locator::UriRef;
use locator::plan::{ObjectKind, Options, plan};
use locator_fetch::ardp::{Call, CallEvent, CallLimits, CallWant};
use locator_fetch::entries::entries;
use locator_fetch::prospero::{Record, attributes, contents, failure, records};

/// Checks what must be the case for every answer.
pub(crate) fn check(octets: &[u8]) {
    cut(octets);
    // A failure and the contents are those of one of the records.
    let all: Vec<_> = records(octets).collect();
    let is_failed = |record: &Record| matches!(record, Record::Failed(_));
    assert_eq!(failure(octets).is_some(), all.iter().any(is_failed));
    assert!(attributes(octets).is_err() || contents(octets).is_none_or(|found| found.len() <= octets.len()));
    // Every entry has a URL that can be read, and that has a plan or is refused, or a reason.
    let url = UriRef::parse("prospero://h:1600/AFTP/pub").expect("it is one");
    let list = entries(ObjectKind::Links, url, octets).expect("links are a list");
    let links = all.iter().filter(|record| matches!(record, Record::Link(_))).count();
    let mut count = 0;
    for entry in list {
        count += 1;
        for url in entry.url.iter().chain(&entry.access) {
            let read = UriRef::parse(url.as_str()).expect("the URL of an entry is one");
            assert!(read.as_str().bytes().all(|octet| octet.is_ascii_graphic()), "{read}");
            let _ = plan(read, &Options::new());
        }
    }
    assert_eq!(count, links);
}

/// In whatever packets an answer comes, and in whatever order, it is the same.
fn cut(octets: &[u8]) {
    let size = 1 + usize::from(octets.first().copied().unwrap_or(0));
    let packets: Vec<_> = octets.chunks(size).collect();
    let Ok(total) = u16::try_from(packets.len().max(1)) else { return };
    let mut call = Call::new(b"a", 0x0102, CallLimits::default());
    call.handle(CallEvent::Time, 0);
    call.handle(CallEvent::Sent, 0);
    let datagram = |index: usize, data: &[u8]| {
        let fields = [0x0102, index as u16 + 1, total, 1].map(u16::to_be_bytes);
        [&[9][..], fields.as_flattened(), data].concat()
    };
    let mut datagrams: Vec<_> =
        packets.iter().enumerate().map(|(index, data)| datagram(index, data)).collect();
    if datagrams.is_empty() {
        datagrams.push(datagram(0, b""));
    }
    datagrams.chunks_mut(64).for_each(<[_]>::reverse);
    datagrams.iter().for_each(|datagram| call.handle(CallEvent::Datagram(datagram), 0));
    assert_eq!((call.want(), call.answer()), (CallWant::Done(Ok(())), octets));
}

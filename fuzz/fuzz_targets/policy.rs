//! What a policy allows, no current program reads as another host, port or scheme, and its address is
//! public. What is allowed is read alike again.
#![no_main]

use std::net::{Ipv4Addr, Ipv6Addr};
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use locator::audit::{Host, Policy, Reach, RefusalReason, Severity, readings};
use locator::{AddressReader, Uri};

static PUBLIC: LazyLock<Policy> = LazyLock::new(Policy::public_web);
static ANY: LazyLock<Policy> = LazyLock::new(|| {
    let any = Policy::public_web().reach(Reach::Reserved).refuse(Severity::High);
    any.ports(1..=65535).schemes(["http", "https", "ftp", "ws", "wss"])
});

fuzz_target!(|text: &str| {
    for policy in [&*PUBLIC, &*ANY] {
        let Ok(target) = policy.check(text) else { continue };
        let url = Uri::parse(target.as_str()).expect("a target is a URI");
        assert_eq!(url.host().unwrap().as_str(), target.host());
        assert!(url.userinfo().is_none() && url.fragment().is_none() && target.as_str().is_ascii());
        for contacted in readings(text).contacts().iter().filter(|contacted| contacted.is_current()) {
            let contact = contacted.contact;
            assert_eq!((contact.scheme(), contact.port()), (target.scheme(), Some(target.port())), "{text:?}");
            match contact.host() {
                Host::Name(name) => assert_eq!(name, target.host(), "{text:?}"),
                Host::Address(address) => {
                    assert_eq!(Some(*address), target.address().map(|own| own.to_canonical()), "{text:?}");
                }
                _ => panic!("{text:?}"),
            }
        }
        assert!(AddressReader::ALL.iter().all(|reader| reader.read(target.host()).map(Into::into) == target.address())
            || target.address().is_some_and(|address| address.is_ipv6()));
        // In ASCII, a name may look like a credential.
        match policy.check(target.as_str()) {
            Ok(again) => assert_eq!(again, target),
            Err(refusal) => assert_eq!(*refusal.reason(), RefusalReason::Findings, "{text:?}"),
        }
    }
    if let Ok(target) = PUBLIC.check(text) {
        assert!(matches!(target.port(), 80 | 443) && matches!(target.scheme(), "http" | "https"));
        assert!(target.address().is_none_or(|address| Reach::of(address) == Reach::Public));
        assert!(target.address().is_some() || target.host().contains('.'));
        assert!(target.permit(Ipv4Addr::LOCALHOST).is_err() && target.permit(Ipv6Addr::LOCALHOST).is_err());
    }
});

//! What a policy allows, no current program reads as another host, port or scheme, and its address is
//! public. What is allowed is read alike again. What the answer of a public server names is public.
#![no_main]

use std::net::{Ipv4Addr, Ipv6Addr};
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use locator_audit::{Host, Policy, Reach, RefusalReason, Severity, Target, readings};
use locator::{AddressReader, Uri};

static PUBLIC: LazyLock<Policy> = LazyLock::new(Policy::public_web);
static ANY: LazyLock<Policy> = LazyLock::new(|| {
    let any = Policy::public_web().reach(Reach::Reserved).refuse(Severity::High);
    any.ports(1..=65535).schemes(["http", "https", "ftp", "ws", "wss"])
});

static TYPED: LazyLock<Policy> = LazyLock::new(Policy::typed);
static FIRST: LazyLock<Target> = LazyLock::new(|| TYPED.check("http://www.example.com/").unwrap());

/// What a public server names is on the web and public, and so is every address that it has.
fn follow(text: &str) {
    let peer = FIRST.peer(Ipv4Addr::new(93, 184, 215, 14)).unwrap();
    let named = [
        TYPED.follow(&peer, text),
        TYPED.alternative(&peer, text, 443),
        TYPED.alternative(&peer, text, 8080),
    ];
    for target in named.into_iter().flatten() {
        assert!(matches!(target.scheme(), "http" | "https"), "{text:?}");
        let is_own = target.port() == if target.scheme() == "http" { 80 } else { 443 };
        assert!(is_own || target.port() >= 1024, "{text:?}");
        assert!(target.address().is_none_or(|address| Reach::of(address) == Reach::Public), "{text:?}");
        assert!(
            target.permit(Ipv4Addr::LOCALHOST).is_err() && target.permit(Ipv4Addr::new(10, 0, 0, 1)).is_err()
        );
        let name = target.name_to_look_up();
        assert!(target.address().is_some() || name.trim_end_matches('.').contains('.'), "{text:?}");
    }
    if let Ok(target) = TYPED.check(text) {
        assert!(AddressReader::ALL.iter().all(|reader| {
            reader.read(target.host()).map(Into::into) == target.address().filter(|address| address.is_ipv4())
        }));
    }
}

fuzz_target!(|text: &str| {
    follow(text);
    for policy in [&*PUBLIC, &*ANY] {
        let Ok(target) = policy.check(text) else { continue };
        let url = Uri::parse(target.as_str()).expect("a target is a URI");
        assert_eq!(url.host().unwrap().as_str(), target.host());
        assert!(url.userinfo().is_none() && url.fragment().is_none() && target.as_str().is_ascii());
        for contacted in readings(text).contacts().iter().filter(|contacted| contacted.is_current()) {
            let contact = contacted.contact;
            assert_eq!(
                (contact.scheme(), contact.port()),
                (target.scheme(), Some(target.port())),
                "{text:?}"
            );
            match contact.host() {
                Host::Name(name) => assert_eq!(name, target.host(), "{text:?}"),
                Host::Address(address) => {
                    assert_eq!(Some(*address), target.address().map(|own| own.to_canonical()), "{text:?}");
                }
                _ => panic!("{text:?}"),
            }
        }
        assert!(
            AddressReader::ALL
                .iter()
                .all(|reader| reader.read(target.host()).map(Into::into) == target.address())
                || target.address().is_some_and(|address| address.is_ipv6())
        );
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

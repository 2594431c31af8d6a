//! `rfc3986` agrees with fluent-uri and iri-string: the same texts are valid, with the same
//! components.
#![no_main]

use fluent_uri::UriRef as FluentRef;
use iri_string::types::UriReferenceStr;
use libfuzzer_sys::fuzz_target;
use locator::{Component, UriRef};

fuzz_target!(|text: &str| {
    let ours = UriRef::parse(text);
    let fluent = FluentRef::parse(text);
    let iri = UriReferenceStr::new(text);
    assert_eq!(ours.is_ok(), fluent.is_ok(), "fluent-uri on {text:?}");
    assert_eq!(ours.is_ok(), iri.is_ok(), "iri-string on {text:?}");
    let (Ok(ours), Ok(fluent), Ok(iri)) = (ours, fluent, iri) else { return };

    assert_eq!(ours.component(Component::Scheme), fluent.scheme().map(|scheme| scheme.as_str()));
    assert_eq!(ours.component(Component::Authority), fluent.authority().map(|authority| authority.as_str()));
    assert_eq!(ours.path().as_str(), fluent.path().as_str());
    assert_eq!(ours.component(Component::Query), fluent.query().map(|query| query.as_str()));
    assert_eq!(ours.component(Component::Fragment), fluent.fragment().map(|fragment| fragment.as_str()));
    if let Some(authority) = fluent.authority() {
        assert_eq!(ours.component(Component::Userinfo), authority.userinfo().map(|userinfo| userinfo.as_str()));
        assert_eq!(ours.component(Component::Host), Some(authority.host()));
        assert_eq!(ours.component(Component::Port), authority.port().map(|port| port.as_str()));
        let host = ours.authority().map(|authority| authority.host());
        match authority.host_parsed() {
            fluent_uri::component::Host::Ipv4(address) => {
                assert_eq!(host.and_then(|host| host.ipv4()), Some(address))
            }
            fluent_uri::component::Host::Ipv6(address) => {
                assert_eq!(host.and_then(|host| host.ipv6()), Some(address))
            }
            _ => {}
        }
    }

    assert_eq!(ours.component(Component::Scheme), iri.scheme_str());
    assert_eq!(ours.component(Component::Authority), iri.authority_str());
    assert_eq!(ours.path().as_str(), iri.path_str());
    assert_eq!(ours.component(Component::Query), iri.query_str());
    assert_eq!(ours.component(Component::Fragment), iri.fragment().map(|fragment| fragment.as_str()));
});

//! The schemes of a program's own against the servers of Debian's packages, dictd and fingerd, which
//! `scripts/servers` starts: no line of the library knows these schemes.

use std::sync::Arc;

use locator::UriRef;
use locator::plan::{Meaning, Prompt};
use locator_fetch::run::{FailureKind, Whole};
use locator_fetch::{FetchError, Prompter, blocking};

/// Starts a server; its port, or `None` if no servers are wanted.
fn port(server: &str) -> Option<u64> {
    Some(crate::real::started::start(&[server])?["servers"][server]["port"].as_u64().unwrap())
}

/// Looks for iron.
struct Smith;

impl Prompter for Smith {
    fn answer(&self, prompt: &Prompt, _: &[u8]) -> Option<Vec<u8>> {
        (*prompt == Prompt::Search).then(|| b"iron".into())
    }
}

fn get(url: &str) -> Result<(String, Whole), FetchError> {
    let registry = super::registry();
    let fetcher =
        blocking::Fetcher::for_user_input().registry(Box::leak(registry.into())).prompter(Arc::new(Smith));
    let mut fetched = fetcher.fetch(UriRef::parse(url).unwrap())?;
    let mut octets = Vec::new();
    while let Some(chunk) = fetched.chunk()? {
        octets.extend_from_slice(&chunk);
    }
    Ok((String::from_utf8(octets).unwrap(), fetched.body().finish()?))
}

#[test]
fn dict_is_fetched_from_dictd() {
    let Some(port) = port("dictd") else { return };
    let get = |path: &str| get(&format!("dict://127.0.0.1:{port}/{path}"));
    let framed = |text: &str| (text.to_owned(), Whole::Framed);
    assert_eq!(get("d:a.:few").unwrap(), framed("a.\r\n.\r\nb\r\n"));
    assert_eq!(get("d:say%20%22hi%22:few").unwrap(), framed("say \"hi\"\r\n"));
    assert_eq!(get("d:caf%C3%A9").unwrap(), framed("caf\u{e9}\r\n"));
    assert_eq!(get("d:iron:few:1").unwrap(), framed("iron\r\n  not an ion\r\n"));
    assert_eq!(get("d:iron:*:2").unwrap(), framed("iron\r\n  not an ion\r\n"));
    assert_eq!(get("d::few").unwrap(), framed("iron\r\n  not an ion\r\n"));
    // Both dictionaries have it.
    let (iron, _) = get("d:iron:*").unwrap();
    assert!(iron.contains("Symbol: Fe\r\n") && iron.ends_with("not an ion\r\n"), "{iron}");

    assert_eq!(
        get("m:ir:*:prefix").unwrap(),
        framed("elements \"iridium\"\r\nelements \"iron\"\r\nfew \"iron\"\r\n")
    );
    assert_eq!(get("m:on:few:suffix").unwrap(), framed("few \"iron\"\r\n"));

    let (databases, _) = get("show:db").unwrap();
    assert!(databases.ends_with("few \"A few words\"\r\n"), "{databases}");
    assert!(get("show:strat").unwrap().0.contains("prefix \"Match prefixes\"\r\n"));
    assert!(get("show:info:elements").unwrap().0.contains("public domain"));
    assert!(get("show:server").unwrap().0.starts_with("dictd 1."));

    for missing in [
        "d:nothing:few",
        "d:iron:*:3",
        "m:nothing:few:exact",
        "d:iron:none",
        "m:iron:few:none",
        "show:info:none",
    ] {
        let error = get(missing).unwrap_err();
        assert_eq!(error.failure().unwrap().kind, FailureKind::Said(Meaning::Missing), "{missing}: {error}");
    }
}

#[test]
fn finger_is_fetched_from_fingerd() {
    let Some(port) = port("fingerd") else { return };
    let get = |path: &str| get(&format!("finger://127.0.0.1:{port}/{path}")).unwrap();
    let (joe, whole) = get("joe");
    assert!(joe.contains("Login: joe ") && joe.ends_with("Plan:\r\nNo plan.\r\n"), "{joe}");
    assert_eq!(whole, Whole::Unverified);
    assert!(get("%2FW%20joe").0.contains("Login: joe "));
    assert!(get("nobody%20joe").0.contains("Login: nobody "));
    assert_eq!(get("unknown").0, "");
    // Without a name, it lists the users that are logged in.
    assert!(get("").0.contains("No one logged on."));
}

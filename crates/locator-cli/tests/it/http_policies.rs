//! Policies of `get` with HTTP: proxies of every source, and the base of a policy; and what curl's users
//! type first.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::path::Path;

use crate::http::{Server, done, get, ok, run};

/// Nobody looks a name up that a policy must judge: no proxy of any source, for no scheme.
#[test]
fn proxies_that_a_policy_does_not_allow() {
    let proxy = Server::new(|_| ok("by proxy\n"));
    let by = format!("http://{}", proxy.address);
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let typed = file("typed.toml", "preset = \"typed\"\n");
    let checked = file("checked.toml", "preset = \"public_network\"\nproxy_checks = true\n");
    let config = file("config.toml", &format!("proxy = \"{}\"\n", proxy.address));
    let urls = [
        "http://www.example.com/",
        "gopher://www.example.com/",
        "ftp://www.example.com/a",
        "wais://www.example.com/a",
        "https://www.example.com/",
    ];
    for url in urls {
        for policy in [&["--public-only"][..], &["--policy", &typed]] {
            for (source, variables) in
                [(&["-x", &*by][..], &[][..]), (&["--config", &config], &[]), (&[], &[("all_proxy", &*by)])]
            {
                // The environment has proxies for http and https only.
                if source.is_empty() && !url.starts_with("http") {
                    continue;
                }
                let arguments = [source, policy, &["--max-time", "5", url]].concat();
                let (printed, status, errors) = run(Path::new("."), &arguments, variables, "");
                assert_eq!((&*printed, status), ("", 2), "{arguments:?}: {errors}");
                assert!(errors.contains("the proxy 127.0.0.1 is refused"), "{arguments:?}: {errors}");
                assert!(errors.contains("proxy_checks = true"), "{errors}");
                assert!(errors.contains("--policy FILE") && errors.contains("--noproxy"), "{errors}");
            }
        }
    }
    assert!(proxy.lines().is_empty());
    for url in &urls[..4] {
        assert_eq!(get(&["-x", &by, "--policy", &checked, url]), done("by proxy\n"), "{url}");
    }
}

#[test]
fn the_base_of_a_policy() {
    let server = Server::new(|request| ok(&format!("{}\n", request.line)));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("policy.toml");
    std::fs::write(&path, format!("base = \"{}\"\n", server.url("/a/b"))).unwrap();
    let policy = path.to_str().unwrap();
    for (reference, target) in [("/c", "/c"), ("c?d", "/a/c?d"), ("../c", "/c"), ("", "/a/b")] {
        assert_eq!(get(&["--policy", policy, reference]), done(&format!("GET {target}\n")), "{reference}");
    }
    assert_eq!(get(&["--policy", policy, &server.url("/d")]), done("GET /d\n"));
    let (_, status, errors) = get(&["--policy", policy, "//www.example.com/"]);
    assert_eq!((status, errors.contains("does not allow the host")), (2, true), "{errors}");
}

#[test]
fn hosts_beyond_ascii() {
    let (_, status, errors) = get(&["http://b\u{fc}cher.example/"]);
    assert_eq!((status, errors.contains("(--edition rfc3987; ")), (2, true), "{errors}");
    let (_, status, errors) = get(&["http://[fe80::1%25eth0]/"]);
    assert_eq!((status, errors.contains("use --edition rfc3986+zones")), (2, true), "{errors}");
}

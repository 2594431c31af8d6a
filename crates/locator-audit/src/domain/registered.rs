//! Which labels of a host were registered by somebody, and which belong to a registry or to a service that gives names
//! away: takes a name in lower case, returns how many of its last labels are no choice of its owner.
//!
//! The Public Suffix List answers this exactly (`locator-domain`), but it is too large for a page of the web, and what is
//! found must not depend on features. So this knows the second-level domains that registries of countries use, and the
//! free hosts that are abused most, from the documentation of these services (November 2026).
//!
//! ```text
//! assert_eq!(suffix_labels("www.example.co.uk"), 2);
//! assert_eq!(suffix_labels("anna.github.io"), 2);
//! assert_eq!(suffix_labels("example.com"), 1);
//! ```

use crate::domain::special::is_within;

/// Returns how many labels at the end of a name are of a registry or of a free host; 0 for a name of one label.
pub(crate) fn suffix_labels(name: &str) -> usize {
    let count = name.split('.').count();
    let hosting = HOSTING.iter().find(|host| is_within(name, host) && name.len() > host.len());
    if let Some(host) = hosting {
        return host.split('.').count();
    }
    let mut from_end = name.rsplit('.');
    let (top, second) = (from_end.next().unwrap_or_default(), from_end.next().unwrap_or_default());
    match count {
        1 => 0,
        3.. if top.len() == 2 && SECOND_LEVEL.contains(&second) => 2,
        _ => 1,
    }
}

/// Returns whether a suffix is that of a service that gives names to anybody.
pub(crate) fn is_free_host(suffix: &str) -> bool {
    HOSTING.contains(&suffix)
}

/// Second-level domains in which the registries of countries register names.
static SECOND_LEVEL: [&str; 25] = [
    "ac", "asso", "co", "com", "edu", "firm", "gen", "go", "gob", "gouv", "gov", "govt", "gv", "id", "ind",
    "info", "me", "mil", "ne", "net", "nom", "or", "org", "plc", "web",
];

/// Services that give names in their domain to anybody, with a page below it.
#[rustfmt::skip]
static HOSTING: [&str; 62] = [
    // Pages and applications.
    "github.io", "gitlab.io", "codeberg.page", "pages.dev", "workers.dev", "r2.dev", "web.app", "firebaseapp.com",
    "appspot.com", "run.app", "vercel.app", "now.sh", "netlify.app", "onrender.com", "herokuapp.com", "fly.dev",
    "railway.app", "up.railway.app", "surge.sh", "glitch.me", "repl.co", "replit.app", "replit.dev", "deno.dev",
    "azurewebsites.net", "azurestaticapps.net", "z13.web.core.windows.net", "blob.core.windows.net", "cloudfront.net",
    "amplifyapp.com", "s3.amazonaws.com", "ondigitalocean.app", "framer.app", "framer.website", "lovable.app",
    // Builders of sites.
    "weebly.com", "weeblysite.com", "wixsite.com", "wixstudio.com", "webflow.io", "godaddysites.com", "squarespace.com",
    "square.site", "strikingly.com", "jimdosite.com", "jimdofree.com", "yolasite.com", "webnode.page", "carrd.co",
    "wordpress.com", "blogspot.com", "tumblr.com", "myshopify.com", "gitbook.io", "000webhostapp.com", "notion.site",
    // Names for machines at home, and tunnels.
    "duckdns.org", "ddns.net", "ngrok.io", "ngrok-free.app", "trycloudflare.com", "loca.lt",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suffixes() {
        for (name, expected) in [
            ("localhost", 0),
            ("example.com", 1),
            ("www.example.com", 1),
            ("example.co.uk", 2),
            ("co.uk", 1),
            ("com.example.de", 1),
            ("anna.github.io", 2),
            ("a.anna.github.io", 2),
            ("github.io", 1),
            ("a.up.railway.app", 2),
            ("", 0),
        ] {
            assert_eq!(suffix_labels(name), expected, "{name}");
        }
    }
}

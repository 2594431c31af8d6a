//! Which parameters hold a secret, by their names: the only such table, for [`Redacted`](crate::Redacted),
//! for the audit and for the headers of HTTP. [`scan`] finds the values in a text, also those that only
//! look random.
//!
//! ```
//! let uri = locator::uri!("https://example.com/?access_token=a1b2c3d4e5f6&page=2");
//! assert_eq!(uri.redacted().to_string(), "https://example.com/?access_token=(hidden)&page=2");
//! ```
//!
//! RFC 3986, 7.5: "a URI might be displayed by a browser, stored in clear text bookmarks, logged by user
//! agent history and intermediary applications". The names are those of the documents of OAuth 2.0, OpenID
//! Connect, SAML, of signed URLs of storage services, of session identifiers of servers, and of the lists of
//! programs that remove secrets from logs.
//!
//! A name is compared without regard to case, and without "-", "_", ".", brackets and digits at its end:
//! `access_token`, `accessToken`, `Access-Token[]` and `access_token2` are one. Of `user[pass]` the last
//! part is looked up, too. An entry that begins with "*" is the end of a name.

pub mod scan;

/// When the value of a parameter is hidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SecretRule {
    Always,
    /// Always, except a value such as `true` or `1`: `show_password=1`.
    UnlessFlag,
    /// If it is a number of 6 to 8 digits, or looks random.
    OneTime,
    /// If it looks random and has at least so many letters and digits.
    IfRandom(usize),
}

/// Names that end like one of the others, but have values that are no secrets: pages of results, keys of
/// tables, keys that are public.
static ORDINARY: [&str; 32] = [
    "*pagetoken",
    "*nexttoken",
    "*prevtoken",
    "*previoustoken",
    "*continuationtoken",
    "*skiptoken",
    "*synctoken",
    "*deltatoken",
    "*pagingtoken",
    "*paginationtoken",
    "*startingtoken",
    "*publickey",
    "*publishablekey",
    "*sitekey",
    "*sortkey",
    "*cachekey",
    "*partitionkey",
    "*primarykey",
    "*foreignkey",
    "*categorykey",
    "*objectkey",
    "*lookupkey",
    "*orderkey",
    "*groupkey",
    "*rowkey",
    "*itemkey",
    "*issuekey",
    "*projectkey",
    "*productkey",
    "*translationkey",
    "*hotkey",
    "*storekey",
];

/// Names whose values are always hidden.
static ALWAYS: [&str; 113] = [
    // Passwords.
    "*password",
    "*passwd",
    "*passwrd",
    "*passphrase",
    "*passcode",
    "*passwort",
    "*kennwort",
    "*motdepasse",
    "*contrasena",
    "*pwd",
    "*pswd",
    "pass",
    "passw",
    "psw",
    "pw",
    "*userpass",
    "*loginpass",
    "*dbpass",
    "*newpass",
    "*oldpass",
    "*passwordconfirmation",
    "*passwordconfirm",
    "*passwordagain",
    "*passwordrepeat",
    "*passwordverify",
    "*passwordnew",
    "*passwordold",
    "*passwordcurrent",
    "*passwordhash",
    "cvv",
    // Secrets and keys.
    "*secret",
    "*secrethash",
    "*secretkey",
    "*apikey",
    "*privatekey",
    "*accesskey",
    "*accountkey",
    "*adminkey",
    "*applicationkey",
    "*authkey",
    "*encryptionkey",
    "*functionskey",
    "*hmackey",
    "*hostkey",
    "*masterkey",
    "*servicekey",
    "*sessionkey",
    "*sharedkey",
    "*signingkey",
    "*sshkey",
    "*storagekey",
    "*subscriptionkey",
    "*sesskey",
    "*connectionstring",
    "sharedaccesssignature",
    "*credentials",
    // Tokens.
    "*accesstoken",
    "*activationtoken",
    "*apitoken",
    "*apptoken",
    "*authenticationtoken",
    "*authenticitytoken",
    "*authorizationtoken",
    "*authtoken",
    "*bearertoken",
    "*bottoken",
    "*confirmationtoken",
    "*csrfmiddlewaretoken",
    "*csrftoken",
    "*deploytoken",
    "*idtoken",
    "*idtokenhint",
    "*invitationtoken",
    "*invitetoken",
    "*jobtoken",
    "*jwttoken",
    "*logintoken",
    "*magictoken",
    "*onetimetoken",
    "*passwordtoken",
    "*personaltoken",
    "*privatetoken",
    "*refreshtoken",
    "*remembertoken",
    "*resettoken",
    "*secrettoken",
    "*securitytoken",
    "*sessiontoken",
    "*ssotoken",
    "*usertoken",
    "*verificationtoken",
    "*xsrftoken",
    "*cftoken",
    "*jwt",
    "bearer",
    "*authorization",
    // Sessions.
    "*sessionid",
    "*sessionidsso",
    "*sessid",
    "connectsid",
    "oscsid",
    "aspxauth",
    // SAML, OAuth 2.0, WS-Federation.
    "samlart",
    "*samlrequest",
    "*samlresponse",
    "wresult",
    "*assertion",
    "*codeverifier",
    "*devicecode",
    "*oauthverifier",
    "oobcode",
    // Signed URLs of storage services.
    "*amzsignature",
    "*googsignature",
];

/// Names of codes that are valid once, and are often numbers.
static ONE_TIME: [&str; 12] = [
    "otp",
    "totp",
    "hotp",
    "*otpcode",
    "*mfacode",
    "*2facode",
    "*smscode",
    "*onetimecode",
    "*logincode",
    "*recoverycode",
    "*securitycode",
    "*verificationcode",
];

/// Names whose values are hidden if they look random and have 8 letters and digits or more.
static IF_RANDOM: [&str; 46] = [
    "*token",
    "tok",
    "sid",
    "gsid",
    "ssid",
    "usid",
    "vsid",
    "sess",
    "*session",
    "*sessionhash",
    "sig",
    "*apisig",
    "*signature",
    "*hmac",
    "*authcode",
    "*authorizationcode",
    "*activationcode",
    "*confirmationcode",
    "*confirmcode",
    "*resetcode",
    "*verifycode",
    "*csrf",
    "*xsrf",
    "*credential",
    "*cookie",
    "*magic",
    "*magiclink",
    "activate",
    "activation",
    "confirm",
    "confirmation",
    "invitation",
    "invite",
    "reset",
    "unlock",
    "verification",
    "verifier",
    "verify",
    "challenge",
    "grant",
    "jti",
    "onetime",
    "pat",
    "remember",
    "sso",
    "secretid",
];

/// Names that often have short codes and names as values: hidden if these look random and have 12 letters
/// and digits or more.
static IF_LONG: [&str; 21] = [
    "*auth",
    "authhash",
    "authstate",
    "*accesscode",
    "*invitationcode",
    "*invitecode",
    "*usercode",
    "code",
    "codechallenge",
    "digest",
    "hash",
    "loginhash",
    "oauthstate",
    "userhash",
    "*key",
    "*nonce",
    "relaystate",
    "salt",
    "sign",
    "state",
    "*ticket",
];

/// The lists, the first that has a name decides.
static LISTS: [(&[&str], Option<SecretRule>); 5] = [
    (&ORDINARY, None),
    (&ALWAYS, Some(SecretRule::Always)),
    (&ONE_TIME, Some(SecretRule::OneTime)),
    (&IF_RANDOM, Some(SecretRule::IfRandom(8))),
    (&IF_LONG, Some(SecretRule::IfRandom(12))),
];

/// Returns the rule of a name in lower case, without separators.
fn rule(name: &[u8]) -> Option<SecretRule> {
    if !is_end(name) {
        return None;
    }
    let is_name = |entry: &&&str| match entry.strip_prefix('*') {
        Some(end) => name.ends_with(end.as_bytes()),
        None => name == entry.as_bytes(),
    };
    let found = LISTS.iter().find_map(|(list, rule)| list.iter().find(is_name).map(|entry| (entry, rule)));
    match found? {
        (entry, Some(SecretRule::Always)) if entry.starts_with('*') && entry.len() <= name.len() => {
            Some(SecretRule::UnlessFlag)
        }
        (_, rule) => *rule,
    }
}

/// A name as it is compared.
pub(crate) struct SecretName {
    octets: [u8; Self::ROOM],
    len: usize,
    /// Where its last part begins: after a bracket or a dot.
    part: usize,
    /// Whether the next letter begins a part.
    begins_part: bool,
}

impl SecretName {
    const ROOM: usize = 64;

    pub(crate) const fn new() -> Self {
        Self { octets: [0; Self::ROOM], len: 0, part: 0, begins_part: false }
    }

    pub(crate) const fn clear(&mut self) {
        (self.len, self.part, self.begins_part) = (0, 0, false);
    }

    /// Adds an octet; returns whether it may be of a name.
    pub(crate) fn push(&mut self, octet: u8) -> bool {
        match octet {
            b'-' | b'_' => {}
            b'.' | b'[' | b']' => self.begins_part = true,
            _ if octet.is_ascii_alphanumeric() => self.push_alphanumeric(octet.to_ascii_lowercase()),
            _ => return false,
        }
        true
    }

    fn push_alphanumeric(&mut self, octet: u8) {
        if self.len == Self::ROOM {
            // Only the end matters.
            self.octets.copy_within(Self::ROOM / 2.., 0);
            self.len = Self::ROOM / 2;
            self.part = self.part.saturating_sub(Self::ROOM / 2).max(1);
        }
        // A digit is the index of an array: `token[0]`.
        if self.begins_part && octet.is_ascii_alphabetic() {
            (self.part, self.begins_part) = (self.len, false);
        }
        self.octets[self.len] = octet;
        self.len += 1;
    }

    /// Returns when the value of the name is hidden.
    pub(crate) fn rule(&self) -> Option<SecretRule> {
        let name = self.octets.get(..self.len)?;
        let is_digit = |octet: &u8| octet.is_ascii_digit();
        let digits = name.iter().rev().take_while(|octet| is_digit(octet)).count();
        let name = name.get(..name.len() - digits)?;
        rule(name).or_else(|| rule(name.get(self.part..).filter(|_| self.part > 0)?))
    }
}

/// A bit for each three letters that a name in the lists ends with. Names of two letters have any letter
/// before them.
static ENDS: [u64; 512] = {
    let (mut bits, mut i) = ([0; 512], 1);
    while i < LISTS.len() {
        let mut j = 0;
        while j < LISTS[i].0.len() {
            let name = LISTS[i].0[j].as_bytes();
            let (last, before) = (name[name.len() - 1], name[name.len() - 2]);
            let mut first = 0;
            while first < 32 {
                if name.len() == 2 || name[name.len() - 3] & 31 == first {
                    let at = end(first, before, last);
                    bits[at / 64] |= 1 << (at % 64);
                }
                first += 1;
            }
            j += 1;
        }
        i += 1;
    }
    bits
};

/// Returns the place of three letters in [`ENDS`].
const fn end(first: u8, second: u8, third: u8) -> usize {
    ((first & 31) as usize) << 10 | ((second & 31) as usize) << 5 | (third & 31) as usize
}

/// Returns whether a name may be in the lists, by its end. Nearly no other name is asked about further.
fn is_end(name: &[u8]) -> bool {
    let at = match *name {
        [.., first, second, third] => end(first, second, third),
        [first, second] => end(0, first, second),
        _ => return false,
    };
    ENDS[at / 64] >> (at % 64) & 1 == 1
}

/// Returns whether the text ends with the name of a parameter whose value may be hidden.
///
/// `text` is what is before a "=", without escapes.
#[inline]
fn ends_with_name(text: &[u8]) -> bool {
    // Nearly every name has another end: its last three letters are looked up first.
    let letters = text.iter().rev().filter(|octet| !b"-_.[]".contains(octet));
    let mut letters = letters.skip_while(|octet| octet.is_ascii_digit());
    let mut next = || letters.next().copied().filter(u8::is_ascii_alphanumeric).unwrap_or(0);
    let (third, second, first) = (next(), next(), next());
    let at = end(first, second, third);
    third != 0 && ENDS[at / 64] >> (at % 64) & 1 == 1 && name_of(text).rule().is_some()
}

/// Returns the name that a text ends with.
#[inline(never)]
fn name_of(text: &[u8]) -> SecretName {
    let is_of_name = |octet: &u8| octet.is_ascii_alphanumeric() || b"-_.[]".contains(octet);
    let length = text.iter().rev().take_while(|octet| is_of_name(octet)).count();
    let mut name = SecretName::new();
    for &octet in text.get(text.len() - length..).unwrap_or_default() {
        name.push(octet);
    }
    name
}

/// Returns whether the value of a header of HTTP is a secret, by its name.
fn is_header(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let has_part = HEADERS.iter().any(|part| lower.contains(part));
    // A challenge is for everybody, and a cache names its entries.
    let is_public = ["-authenticate", "cache-key", "surrogate-key"].iter().any(|end| lower.ends_with(end));
    let is_named = |rule| matches!(rule, SecretRule::Always | SecretRule::UnlessFlag);
    !is_public && (has_part || name_of(name.as_bytes()).rule().is_some_and(is_named))
}

/// Parts of the names of headers whose values are hidden.
static HEADERS: [&str; 11] = [
    "auth",
    "cookie",
    "token",
    "key",
    "secret",
    "password",
    "csrf",
    "xsrf",
    "session",
    "signature",
    "credential",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn rule_of(name: &str) -> Option<SecretRule> {
        name_of(name.as_bytes()).rule()
    }

    #[test]
    fn names_are_compared_without_separators_and_case() {
        for name in [
            "password",
            "PASSWORD",
            "pass",
            "user[pass]",
            "user[password]",
            "password[]",
            "data[pw][0]",
            "PHPSESSID",
            "ASP.NET_SessionId",
            "x-api-key",
            "X-Amz-Signature",
            "client_secret",
            "clientSecret",
            "access_token2",
            "newPassword1",
            "user.password",
            "pw",
            "_pwd",
            "ctl00$password",
        ] {
            assert!(matches!(rule_of(name), Some(SecretRule::Always | SecretRule::UnlessFlag)), "{name}");
            assert!(ends_with_name(name.as_bytes()), "{name}");
        }
        for name in [
            "",
            "a",
            "id",
            "page",
            "newsid",
            "compass",
            "bypass",
            "keyword",
            "monkeys",
            "pageToken",
            "date",
            "mode",
            "zipcode",
            "estate",
            "update",
            "w",
            "xpw",
            "tokens_per_page",
            "password_length",
            "secretary",
        ] {
            assert_eq!(rule_of(name), None, "{name}");
            assert!(!ends_with_name(name.as_bytes()), "{name}");
        }
        assert_eq!(rule_of("show_password"), Some(SecretRule::UnlessFlag));
        assert_eq!(rule_of("s.id"), rule_of("sid"));
        assert_eq!(rule_of(&("x".repeat(500) + "access_token")), Some(SecretRule::UnlessFlag));
        assert_eq!(rule_of(&("x".repeat(500) + "sid")), None);
    }

    #[test]
    fn every_name_is_found_by_its_end_in_its_list() {
        for (list, rule) in LISTS {
            for entry in list {
                let name = entry.trim_start_matches('*');
                assert_eq!(rule_of(name), rule, "{entry}");
                assert_eq!(ends_with_name(name.as_bytes()), rule.is_some(), "{entry}");
            }
        }
    }

    #[test]
    fn headers() {
        for name in
            ["Authorization", "X-Auth-Token", "Set-Cookie", "x-api-key", "X-Amz-Security-Token", "X-Pwd"]
        {
            assert!(is_header(name), "{name}");
        }
        for name in ["WWW-Authenticate", "Content-Type", "Surrogate-Key", "X-Cache-Key", "ETag", "Keep-Alive"]
        {
            assert!(!is_header(name), "{name}");
        }
    }
}

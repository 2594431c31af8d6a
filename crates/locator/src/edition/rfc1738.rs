//! RFC 1738, December 1994. This file defines the syntax that all URLs share: `genericurl`, which a
//! URL of a scheme that the document does not define must match. The syntax of each scheme is in
//! `scheme/`.

use super::classes::Sets;
use super::{
    ALPHANUM, Charset, ESCAPE, Edition, Equivalence, GopherSearch, Ladder, LastDot, Name, RegName, Rule,
    Rules, SchemeForms, Server, Terminology, WaisLength, url_1993, url_1994,
};
use crate::simd::AsciiSet;

/// RFC 1738, "Uniform Resource Locators (URL)", December 1994.
pub static RFC1738: Edition = Edition {
    name: "rfc1738",
    document: "RFC 1738",
    title: "Uniform Resource Locators (URL)",
    date: "December 1994",
    words: WORDS,
    rules: RULES,
    update: None,
    table: SETS.table(),
    characters: None,
    charset: Charset::Utf8,
    unreserved: UNRESERVED,
    prefix: None,
    relative: false,
    colon_in_first_segment: false,
    // schemepart = *xchar / ip-schemepart
    empty_after_scheme: true,
    opaque: false,
    query_is_words: false,
    // login = [ user [ ":" password ] "@" ] hostport
    server: Server {
        may_be_empty: false,
        host_may_be_empty: false,
        user_may_be_empty: true,
        // user = *( uchar / ";" / "?" / "&" / "=" )
        user_may_contain_question_mark: true,
        // port = digits
        port_may_be_empty: false,
        // hostname = *( domainlabel "." ) toplabel
        // domainlabel = alphadigit / alphadigit *( alphadigit / "-" ) alphadigit
        // toplabel = ALPHA / ALPHA *( alphadigit / "-" ) alphadigit
        name: Some(Name {
            first_begins_with_letter: false,
            last_begins_with_letter: true,
            labels_end_alphanumeric: true,
            longest_label: usize::MAX,
            last_dot: LastDot::Refused,
        }),
        // hostnumber = digits "." digits "." digits "." digits
        numbers_are_octets: false,
        literals: None,
    },
    // otherurl: any xchar
    registry: RegName::AfterScheme,
    parameters: false,
    // "Within the <path> and <searchpart> components, "/", ";", "?" are reserved" (3.3); so it is
    // in ftp (3.2.2)
    divides_segment: AsciiSet::of(b";"),
    // "Within the <path> and <searchpart> components, "/", ";", "?" are reserved." (3.3)
    reserved_in_query: AsciiSet::of(b"/;?"),
    password: true,
    // The document does not define resolution.
    resolution: None,
    // "Usually a URL has the same interpretation when an octet is represented by a character and
    // when it encoded. However, this is not true for reserved characters"; a "+" may be a space in
    // a search
    equivalence: Equivalence {
        unescapes: UNRESERVED,
        unescapes_in_query: UNRESERVED.difference(AsciiSet::of(b"+")),
        // "The characters ";", "/", "?", ":", "@", "=" and "&" are the characters which may be
        // reserved for special meaning within a scheme" (2.2)
        scheme_reserves: true,
        dots: false,
        void_fragment: false,
    },
    forms: SchemeForms {
        // ftpurl = "ftp://" login [ "/" fpath [ ";type=" ftptype ] ]
        ftp_path_is_optional: true,
        ftp_type: true,
        // telneturl = "telnet://" login [ "/" ]
        session_slash: true,
        // gopherurl = "gopher://" hostport [ "/" [ gtype [ selector [ "%09" gsearch [ "%09"
        // gopherplus ] ] ] ] ]
        gopher_search: GopherSearch::Tab,
        // search = *( uchar / ";" / ":" / "@" / "&" / "=" )
        wais_search_is_words: false,
        // waisdoc = "wais://" hostport "/" database "/" wtype "/" wpath
        wais_length: WaisLength::Absent,
        // wpath = *uchar
        wais_fields: false,
        // prosperourl = "prospero://" hostport "/" ppath *fieldspec; fieldspec = ";" fieldname "="
        // fieldvalue
        prospero_nuls: false,
    },
    ladder: &Ladder { syntax: "RFC 1738, 2.1 and 2.2", scheme: "RFC 1738, 3.1", ..Ladder::RFC3986 },
};

pub(super) const WORDS: Terminology = Terminology { fragment: "fragment", ..url_1993::WORDS };

pub(super) const SETS: Sets = Sets {
    scheme_start: SCHEME,
    scheme: SCHEME,
    userinfo: USER,
    host: ALPHANUM.union(AsciiSet::of(b"-.")),
    // An authority ends at "/"; a "?" in an authority is part of its user.
    registry: XCHAR.difference(AsciiSet::of(b"/")),
    path: XCHAR.difference(AsciiSet::of(b"?")),
    query: XCHAR,
    fragment: XCHAR,
    opaque: XCHAR,
    label: ALPHANUM.union(AsciiSet::of(b"-")),
};

// scheme = 1*( ALPHA / DIGIT / "+" / "-" / "." )
const SCHEME: AsciiSet = ALPHANUM.union(AsciiSet::of(b"+-."));
// unreserved = ALPHA / DIGIT / safe / extra; safe = "$" / "-" / "_" / "." / "+"
// extra = "!" / "*" / "'" / "(" / ")" / ","; "@", "&" and DQUOTE were in these in 1994
pub(super) const UNRESERVED: AsciiSet = url_1994::XALPHA.difference(ESCAPE).difference(AsciiSet::of(b"@&\""));
// uchar = unreserved / escape
pub(crate) const UCHAR: AsciiSet = UNRESERVED.union(ESCAPE);
// user = *( uchar / ";" / "?" / "&" / "=" ); password the same
pub(crate) const USER: AsciiSet = UCHAR.union(AsciiSet::of(b";?&="));
// reserved = ";" / "/" / "?" / ":" / "@" / "&" / "="
// xchar = unreserved / reserved / escape
pub(crate) const XCHAR: AsciiSet = UCHAR.union(AsciiSet::of(b";/?:@&="));

pub(super) const RULES: Rules = Rules {
    reference: &Rule::new("genericurl", "5", "a scheme, \":\" and the scheme's part"),
    scheme: &Rule::new("scheme", "5", "letters, digits, \"+\", \"-\" or \".\""),
    authority: &Rule::new("login", "3.1", "letters, digits, escapes or any of $-_.+!*'(),;:@&="),
    userinfo: &Rule::new("user", "3.1", "letters, digits, escapes or any of $-_.+!*'(),;?&="),
    password: &Rule::new("password", "3.1", "letters, digits, escapes or any of $-_.+!*'(),;?&="),
    host: &Rule::new("host", "3.1", "a domain name or four decimal numbers"),
    port: &Rule { section: "3.1", ..*url_1994::RULES.port },
    path: &Rule::new("xchar", "5", "letters, digits, escapes or any of $-_.+!*'(),;/:@&="),
    first_segment: &Rule { section: "2.1", ..*url_1994::RULES.first_segment },
    segment: &Rule { name: "urlpath", section: "3.1", ..*url_1994::RULES.segment },
    query: &Rule::new("xchar", "5", "letters, digits, escapes or any of $-_.+!*'(),;/?:@&="),
    fragment: &Rule::new("xchar", "2.2", "letters, digits, escapes or any of $-_.+!*'(),;/?:@&="),
    escape: &Rule { section: "2.2", ..*url_1994::RULES.escape },
    scheme_and_colon: &Rule { name: "genericurl", section: "5", ..*url_1994::RULES.scheme_and_colon },
    ..url_1994::RULES
};

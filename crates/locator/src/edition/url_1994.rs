//! The URI working group's draft of March 1994. Rule names are restored; see `spec/editions.md`.

use super::classes::Sets;
use super::{
    ALPHANUM, Charset, ESCAPE, Edition, Equivalence, GopherSearch, Ladder, LastDot, Name, RegName, Rule,
    Rules, SchemeForms, Server, WaisLength, url_1993,
};
use crate::simd::AsciiSet;

/// The URI working group's draft "Uniform Resource Locators (URL)", March 1994.
pub static URL_1994: Edition = Edition {
    name: "url-1994",
    document: "URL draft of March 1994",
    title: "Uniform Resource Locators (URL)",
    date: "March 1994",
    words: url_1993::WORDS,
    rules: RULES,
    update: None,
    table: SETS.table(),
    characters: None,
    charset: Charset::Utf8,
    unreserved: XALPHA.difference(ESCAPE),
    // prefixed-known = "URL:" known-url; prefixed-other = "URL:" otheraddress
    prefix: Some("URL:"),
    relative: false,
    colon_in_first_segment: false,
    // otheraddress = scheme ":" *( xpalpha / "/" / ";" / "=" / ":" / "?" )
    empty_after_scheme: true,
    opaque: false,
    query_is_words: false,
    // login = [ user [ ":" password ] "@" ] hostport
    server: Server {
        may_be_empty: false,
        host_may_be_empty: false,
        // user = 1*alphanum2; password = 1*alphanum2
        user_may_be_empty: false,
        user_may_contain_question_mark: false,
        // port = digits
        port_may_be_empty: false,
        // hostname = ialpha-host *( "." label ) [ "." ]
        // ialpha-host = ALPHA *( ALPHA / DIGIT / "-" / "_" )
        // label = ( ALPHA / DIGIT ) *( ALPHA / DIGIT / "-" / "_" )
        name: Some(Name {
            first_begins_with_letter: true,
            last_begins_with_letter: false,
            labels_end_alphanumeric: false,
            longest_label: usize::MAX,
            last_dot: LastDot::Allowed,
        }),
        // hostnumber = digits "." digits "." digits "." digits
        numbers_are_octets: false,
        literals: None,
    },
    registry: RegName::AfterScheme,
    parameters: false,
    // "= ; / # ? :" are reserved, and no scheme allows them in segments
    divides_segment: AsciiSet::of(b"=;:"),
    reserved_in_query: AsciiSet::EMPTY,
    password: true,
    // The document does not define resolution.
    resolution: None,
    // "% signs can be selectively and reversibly expanded. The reserved characters shall however
    // never be arbitrarly encoded and decoded."; search = 1*xalpha *( "+" 1*xalpha )
    equivalence: Equivalence {
        unescapes: XALPHA.difference(ESCAPE),
        unescapes_in_query: XALPHA.difference(ESCAPE).difference(AsciiSet::of(b"+")),
        scheme_reserves: false,
        dots: false,
        void_fragment: false,
    },
    forms: SchemeForms {
        // ftpaddress = "ftp://" login "/" path [ ";type=" ftptype ]
        ftp_path_is_optional: false,
        ftp_type: true,
        // telnetaddress = ( "telnet" / "rlogin" / "tn3270" ) "://" login
        session_slash: false,
        // gcommand = path, in which "%09" divides
        gopher_search: GopherSearch::Tab,
        // search = 1*xalpha *( "+" 1*xalpha )
        wais_search_is_words: true,
        // waisdoc = "wais://" hostport "/" database "/" wtype "/" wpath
        wais_length: WaisLength::Absent,
        // wpath = 1*( digits "=" path ";" )
        wais_fields: true,
        // prosperoaddress = "prospero://" hostport "/" hsoname [ "%00" digits *( "%00" attribute )
        // ]
        prospero_nuls: true,
    },
    ladder: &Ladder { syntax: "URL draft of March 1994", ..Ladder::RFC3986 },
};

// Changes since 1993: the alphabets, and the delimiters of every scheme are allowed everywhere.
const SETS: Sets = Sets {
    scheme: ALPHANUM.union(AsciiSet::of(b"-.+")),
    userinfo: ALPHANUM2,
    registry: OTHER.difference(AsciiSet::of(b"/?")),
    path: OTHER.difference(AsciiSet::of(b"?")),
    query: OTHER,
    fragment: XALPHA,
    opaque: OTHER,
    ..url_1993::SETS
};

// alphanum2 = ALPHA / DIGIT / "-" / "_" / "." / "+"
pub(crate) const ALPHANUM2: AsciiSet = ALPHANUM.union(AsciiSet::of(b"-_.+"));
// xalpha = ALPHA / DIGIT / safe / extra / escape; safe = "$" / "-" / "_" / "@" / "." / "&" / "+"
// extra = "!" / "*" / DQUOTE / "'" / "(" / ")" / ","
pub(crate) const XALPHA: AsciiSet =
    url_1993::XALPHA.union(AsciiSet::of(b"+")).difference(AsciiSet::of(b":;"));
// otheraddress = scheme ":" *( xpalpha / "/" / ";" / "=" / ":" / "?" ); xpalpha = xalpha / "+"
const OTHER: AsciiSet = XALPHA.union(AsciiSet::of(b"/;=:?"));

// user = 1*alphanum2; password = 1*alphanum2
const ALPHANUM2_RULE: &Rule = &Rule::new(
    "alphanum2",
    "BNF for specific URL schemes",
    "letters, digits, \"-\", \"_\", \".\" or \"+\", at least one",
);

pub(super) const RULES: Rules = Rules {
    reference: &Rule::new(
        "url",
        "BNF for specific URL schemes",
        "[ \"URL:\" ] a scheme, \":\" and the scheme's part",
    ),
    scheme: &Rule::new(
        "scheme",
        "BNF for specific URL schemes",
        "a letter, then letters, digits, \"-\", \".\" or \"+\"",
    ),
    authority: &Rule::new(
        "login",
        "BNF for specific URL schemes",
        "letters, digits, escapes or any of $-_@.&+!*\"'(),;=:",
    ),
    userinfo: ALPHANUM2_RULE,
    password: ALPHANUM2_RULE,
    host: &Rule { section: "BNF for specific URL schemes", ..*url_1993::RULES.host },
    port: &Rule { section: "BNF for specific URL schemes", ..*url_1993::RULES.port },
    path: &Rule::new(
        "xpalpha",
        "BNF for specific URL schemes",
        "letters, digits, escapes or any of $-_@.&+!*\"'(),/;=:",
    ),
    first_segment: &Rule::new("scheme", "BNF for specific URL schemes", "a scheme before the \":\""),
    segment: &Rule { name: "segment", section: "BNF for specific URL schemes", ..*url_1993::RULES.segment },
    dot_segment: None,
    query: &Rule::new(
        "search",
        "BNF for specific URL schemes",
        "letters, digits, escapes or any of $-_@.&+!*\"'(),/;=:?",
    ),
    fragment: &Rule::new(
        "fragmentid",
        "BNF for specific URL schemes",
        "letters, digits, escapes or any of $-_@.&+!*\"'(),",
    ),
    escape: &Rule { section: "BNF for specific URL schemes", ..*url_1993::RULES.escape },
    scheme_and_colon: &Rule { section: "BNF for specific URL schemes", ..*url_1993::RULES.scheme_and_colon },
    ..url_1993::RULES
};

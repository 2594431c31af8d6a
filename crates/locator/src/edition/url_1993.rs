//! The Internet Draft "Uniform Resource Locators" of 14 July 1993. The readings of its BNF
//! are marked in `spec/grammar/url-1993.abnf`.

use super::classes::Sets;
use super::{
    ALPHANUM, Charset, DotsIn, ESCAPE, Edition, Equivalence, GopherSearch, Ladder, LastDot, Name,
    PathUnderflow, RegName, Resolution, Rule, Rules, SameDocument, SchemeForms, Sections, Server, Slash,
    Terminology, WaisLength,
};
use crate::simd::AsciiSet;

/// The Internet Draft "Uniform Resource Locators", 14 July 1993.
pub static URL_1993: Edition = Edition {
    name: "url-1993",
    document: "URL draft of July 1993",
    title: "Uniform Resource Locators",
    date: "July 1993",
    words: WORDS,
    rules: RULES,
    update: None,
    table: SETS.table(),
    characters: None,
    // "two hexadecimal digits (0-9, A-F) giving the ISO Latin 1 code for that character"
    charset: Charset::Latin1,
    unreserved: XALPHA.difference(ESCAPE),
    prefix: None,
    // "Partial form"
    relative: true,
    // "a full form must have a colon and that colon must occur before any slash characters"
    colon_in_first_segment: false,
    // path = void | xpalphas [ / path ]
    empty_after_scheme: true,
    opaque: false,
    // search = xalphas [ + search ]
    query_is_words: true,
    // [ user [ ":" user ] "@" ] hostport
    server: Server {
        may_be_empty: false,
        host_may_be_empty: false,
        // user = 1*xalpha-user
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
        // hostnumber = digits . digits . digits . digits
        numbers_are_octets: false,
        literals: None,
    },
    // generic = scheme ":" path [ "?" search ], and a path may begin with "//"
    registry: RegName::AfterScheme,
    parameters: false,
    divides_segment: AsciiSet::EMPTY,
    reserved_in_query: AsciiSet::EMPTY,
    password: true,
    // "Partial form": "The last part of the path of the context locator (anything following the
    // rightmost slash) is removed, and the given partial URL appended in its place. Within the
    // result, all occurrences of "/xxx/.." or "/." are recursively removed"
    resolution: Some(Resolution {
        slash: Slash::Before,
        dots: DotsIn::Merged,
        query_before_dots: false,
        empty_base_is_root: false,
        stays_rootless: false,
        query_keeps_path: false,
        // "/xxx/..", and nothing else, is removed.
        leftover: PathUnderflow::Keep,
        // Reading: the document is silent, and what came after it agrees.
        empty: SameDocument::CurrentDocument,
        empty_is_requested: false,
        // "Within a object whose URL is well defined"
        relative_base: false,
        // "generally within a certain application"
        default_base: true,
        sections: Sections {
            absolute: "Partial form",
            hierarchy: "Partial form",
            leftover: "Partial form",
            dots: "Partial form",
        },
    }),
    // "a URL may be made safer simply by encoding any characters considered unsafe"; "+" is data in
    // a path, but divides the words of a search, and may not be the type of a gopher item. Dot
    // segments are described for the partial form only.
    equivalence: Equivalence {
        unescapes: XALPHA.difference(ESCAPE),
        unescapes_in_query: XALPHA.difference(ESCAPE),
        scheme_reserves: false,
        dots: false,
        // "A void fragment-id with or without the hash sign means that the URL refers to the whole
        // object."
        void_fragment: true,
    },
    forms: SchemeForms {
        // ftpaddress = "ftp://" login "/" path
        ftp_path_is_optional: false,
        ftp_type: false,
        // telnetaddress = "telnet://" [ user "@" ] hostport
        session_slash: false,
        // gopheraddress = "gopher://" hostport [ "/" [ gtype [ selector ] ] ] [ "?" search ]
        gopher_search: GopherSearch::QuestionMark,
        // search = xalphas [ + search ]
        wais_search_is_words: true,
        // waisdoc = "wais://" hostport "/" database "/" wtype "/" digits "/" path
        wais_length: WaisLength::Required,
        wais_fields: false,
        // prosperoaddress = "prospero://" hostport "/" hsoname [ "%00" digits *( "%00" attribute ) /
        // "%00" 1*( "%00" attribute ) ]
        prospero_nuls: true,
    },
    ladder: &Ladder { syntax: "URL draft of July 1993", ..Ladder::RFC3986 },
};

pub(super) const WORDS: Terminology = Terminology {
    absolute: "URL",
    reference: "URL",
    authority: "login",
    userinfo: "user",
    query: "search",
    fragment: "fragmentid",
};

pub(super) const SETS: Sets = Sets {
    scheme_start: AsciiSet::ALPHA,
    // scheme-char = ALPHA / DIGIT / "$" / "-" / "_" / "@" / "." / "&" / extra without ":" / escape
    scheme: ALPHANUM.union(AsciiSet::of(b"$-_@.&!*\"'();,")).union(ESCAPE),
    userinfo: USER,
    host: ALPHANUM.union(AsciiSet::of(b"-_.")),
    registry: XPALPHA,
    path: XPALPHA.union(AsciiSet::of(b"/")),
    query: XPALPHA,
    fragment: XALPHA,
    opaque: XPALPHA,
    label: ALPHANUM.union(AsciiSet::of(b"-_")),
};

// user, with "@" and ":" being delimiters within a login
pub(crate) const USER: AsciiSet = ALPHANUM.union(AsciiSet::of(b"$-_.&!*\"'();,")).union(ESCAPE);
// xalpha = alpha | digit | safe | extra | escape; safe = $ | - | _ | @ | . | &
// extra = ! | * | " | ' | ( | ) | : | ; | ,
pub(crate) const XALPHA: AsciiSet = USER.union(AsciiSet::of(b"@:"));
// xpalpha = xalpha | +
pub(crate) const XPALPHA: AsciiSet = XALPHA.union(AsciiSet::of(b"+"));

const USER_RULE: &Rule =
    &Rule::new("user", "BNF syntax", "letters, digits, escapes or any of $-_.&!*\"'();,, at least one");

pub(super) const RULES: Rules = Rules {
    reference: &Rule::new("url", "BNF syntax", "a scheme, \":\" and a path, or a partial form"),
    scheme: &Rule::new(
        "scheme",
        "BNF syntax",
        "a letter, then letters, digits, escapes or any of $-_@.&!*\"'();,",
    ),
    authority: &Rule::new("xpalpha", "BNF syntax", "letters, digits, escapes or any of $-_@.&!*\"'():;,+"),
    userinfo: USER_RULE,
    // The grammar has no password; the prose on FTP has, and the characters are those of a user.
    password: USER_RULE,
    host: &Rule::new(
        "host",
        "BNF syntax",
        "a domain name whose first label begins with a letter and the others with a letter or digit, \
                  or four decimal numbers",
    ),
    port: &Rule::new("port", "BNF syntax", "one decimal digit or more"),
    path: &Rule::new(
        "xpalpha",
        "BNF syntax",
        "letters, digits, escapes or any of $-_@.&!*\"'():;,+ and \"/\"",
    ),
    opaque: None,
    first_segment: &Rule::new("scheme", "Partial form", "a scheme before the \":\", or a slash before it"),
    segment: &Rule::new("path", "BNF syntax", "the text between two \"/\" of a path"),
    // "certain path elements ("..", ".") have a significance reserved for representing a
    // hierarchical space"
    dot_segment: Some(&Rule::new("path", "Partial form", "a name other than \".\" and \"..\"")),
    query: &Rule::new(
        "search",
        "BNF syntax",
        "words of letters, digits, escapes or any of $-_@.&!*\"'():;, joined by \"+\"",
    ),
    fragment: &Rule::new("fragmentid", "BNF syntax", "letters, digits, escapes or any of $-_@.&!*\"'():;,"),
    escape: &Rule::new("escape", "BNF syntax", "\"%\" and two hex digits"),
    scheme_and_colon: &Rule::new("url", "BNF syntax", "a scheme and \":\""),
};

//! draft-fielding-url-syntax-05, 2 May 1997: the generic syntax, separated from the schemes.

use super::classes::Sets;
use super::{
    Charset, DotsIn, ESCAPE, Edition, Equivalence, Ladder, LastDot, Name, PathUnderflow, RegName, Resolution,
    Rule, Rules, SameDocument, SchemeForms, Sections, Server, Slash, Terminology, rfc1738,
};
use crate::simd::AsciiSet;

/// draft-fielding-url-syntax-05, "Uniform Resource Locators (URL): Generic Syntax and Semantics",
/// May 1997.
pub static URL_1997: Edition = Edition {
    name: "url-1997",
    document: "draft-fielding-url-syntax-05",
    title: "Uniform Resource Locators (URL): Generic Syntax and Semantics",
    date: "May 1997",
    words: WORDS,
    rules: RULES,
    update: None,
    table: SETS.table(),
    characters: None,
    charset: Charset::Utf8,
    unreserved: UNRESERVED,
    prefix: None,
    // URL-reference = [ absoluteURL / relativeURL ] [ "#" fragment ]
    relative: true,
    // pchar = unreserved / escaped / ":" / "@" / "&" / "=" / "+", in the first segment too
    colon_in_first_segment: true,
    // opaque-URL = scheme ":" *urlc
    empty_after_scheme: true,
    // "A reference is parsed as if it is a generic-URL, even though it might be considered opaque
    // by later processes" (4.4), and generic-URL derives whatever opaque-URL does.
    opaque: false,
    query_is_words: false,
    // site = [ [ user [ ":" password ] "@" ] hostport ]; port = *DIGIT
    server: Server {
        may_be_empty: true,
        host_may_be_empty: false,
        // "an empty user name or password is different than no user name or password"
        user_may_be_empty: true,
        user_may_contain_question_mark: false,
        port_may_be_empty: true,
        // hostname = *( domainlabel "." ) toplabel
        // domainlabel = alphanum / alphanum *( alphanum / "-" ) alphanum
        // toplabel = ALPHA / ALPHA *( alphanum / "-" ) alphanum
        name: Some(Name {
            first_begins_with_letter: false,
            last_begins_with_letter: true,
            labels_end_alphanumeric: true,
            longest_label: usize::MAX,
            last_dot: LastDot::Refused,
        }),
        // hostnumber = 1*DIGIT "." 1*DIGIT "." 1*DIGIT "." 1*DIGIT
        numbers_are_octets: false,
        literals: None,
    },
    // opaque-URL = scheme ":" *urlc, and abs-path = "/" rel-path whose first segment may be empty
    registry: RegName::Always,
    parameters: true,
    // segment = *pchar *( ";" param )
    divides_segment: AsciiSet::of(b";"),
    // "Within a query component, the characters "/", "&", "=", and "+" are reserved."
    reserved_in_query: AsciiSet::of(b"/"),
    password: true,
    // 5.2, steps 1 to 7
    resolution: Some(Resolution {
        // "All occurrences of "./", where "." is a complete path segment, are removed"
        slash: Slash::After,
        // "these path components are only considered special when resolving a relative-path
        // reference"
        dots: DotsIn::Merged,
        // "If the reference's query component is defined, then a "?" character is appended to the
        // buffer string, followed by the query component."
        query_before_dots: true,
        empty_base_is_root: false,
        // "All occurrences of "<segment>/../" [...] are removed"
        stays_rootless: true,
        // ?y = http://a/b/c/?y
        query_keeps_path: false,
        // ../../../g = http://a/../g
        leftover: PathUnderflow::Keep,
        // "it is a reference to the current document and we are done"
        empty: SameDocument::CurrentDocument,
        // "an empty URL reference represents the URL of the current document and should be replaced by
        // that URL when transformed into a request" (3)
        empty_is_requested: true,
        // Content-Base = "Content-Base" ":" absoluteURL; "The "HREF" attribute must be an absolute
        // URL" (D)
        relative_base: false,
        // "the base URL is considered to be the empty string" (5.1.4)
        default_base: false,
        sections: Sections { absolute: "5.2", hierarchy: "5", leftover: "C.2", dots: "5.2, 6" },
    }),
    // "It is safe to unescape these within the body of a URL."
    // "these path components are only considered special when resolving a relative-path reference"
    equivalence: Equivalence {
        unescapes: UNRESERVED,
        unescapes_in_query: UNRESERVED,
        scheme_reserves: false,
        dots: false,
        void_fragment: false,
    },
    forms: SchemeForms::OF_OTHER_DOCUMENTS,
    ladder: &Ladder {
        syntax: "draft-fielding-url-syntax-05, 6",
        scheme: "draft-fielding-url-syntax-05, 6",
        ..Ladder::RFC3986
    },
};

pub(super) const WORDS: Terminology = Terminology {
    absolute: "absoluteURL",
    reference: "URL-reference",
    authority: "site",
    query: "query",
    ..rfc1738::WORDS
};

// What changed since RFC 1738: a user has no "?", each set has "~", and an authority may contain
// what a segment may.
pub(super) const SETS: Sets = Sets {
    userinfo: USER,
    registry: PCHAR.union(AsciiSet::of(b";")),
    path: PCHAR.union(AsciiSet::of(b";/")),
    query: URLC,
    fragment: URLC,
    opaque: URLC,
    // scheme = 1*( ALPHA / DIGIT / "+" / "-" / "." )
    ..rfc1738::SETS
};

// unreserved = ALPHA / DIGIT / mark
// mark = "$" / "-" / "_" / "." / "!" / "~" / "*" / "'" / "(" / ")" / ","
pub(super) const UNRESERVED: AsciiSet =
    rfc1738::UNRESERVED.union(AsciiSet::of(b"~")).difference(AsciiSet::of(b"+"));
// user = *( unreserved / escaped / ";" / "&" / "=" / "+" ); password the same
pub(super) const USER: AsciiSet = UNRESERVED.union(ESCAPE).union(AsciiSet::of(b";&=+"));
// pchar = unreserved / escaped / ":" / "@" / "&" / "=" / "+"
const PCHAR: AsciiSet = UNRESERVED.union(ESCAPE).union(AsciiSet::of(b":@&=+"));
// urlc = reserved / unreserved / escaped
// reserved = ";" / "/" / "?" / ":" / "@" / "&" / "=" / "+"
const URLC: AsciiSet = UNRESERVED.union(ESCAPE).union(AsciiSet::of(b";/?:@&=+"));

pub(super) const RULES: Rules = Rules {
    reference: &Rule::new("URL-reference", "3", "an absolute URL or a relative one"),
    scheme: &Rule { section: "4.1", ..*rfc1738::RULES.scheme },
    authority: &Rule::new(
        "site",
        "4.3.1",
        "[ user [ \":\" password ] \"@\" ] host [ \":\" port ], or what a path may hold",
    ),
    userinfo: &Rule::new("user", "4.3.1", "letters, digits, escapes or any of $-_.!~*'(),;&=+"),
    password: &Rule::new("password", "4.3.1", "letters, digits, escapes or any of $-_.!~*'(),;&=+"),
    host: &Rule { section: "4.3.1", ..*rfc1738::RULES.host },
    port: &Rule::new("port", "4.3.1", "decimal digits"),
    path: &Rule::new(
        "pchar",
        "4.3.2",
        "letters, digits, escapes or any of $-_.!~*'(),:@&=+ and \";\" and \"/\"",
    ),
    first_segment: &Rule::new("segment", "4.3.2", "a path segment"),
    segment: &Rule { name: "segment", section: "4.3.2", ..*rfc1738::RULES.segment },
    // "the complete path segments "." and ".." have special meanings"
    dot_segment: Some(&Rule::new("rel_path", "5", "a name other than \".\" and \"..\"")),
    query: &Rule::new("urlc", "4.3.3", "letters, digits, escapes or any of $-_.!~*'(),;/?:@&=+"),
    fragment: &Rule::new("urlc", "3", "letters, digits, escapes or any of $-_.!~*'(),;/?:@&=+"),
    escape: &Rule { name: "escaped", section: "2.4.1", ..*rfc1738::RULES.escape },
    scheme_and_colon: &Rule { name: "absoluteURL", section: "4.2", ..*rfc1738::RULES.scheme_and_colon },
    ..rfc1738::RULES
};

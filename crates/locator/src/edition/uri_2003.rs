//! draft-fielding-uri-rfc2396bis-01, 3 March 2003: between RFC 2396 and RFC 3986. It has brackets
//! and IPv6, allows registered names besides servers, and still calls a URI that is not
//! hierarchical opaque.

use super::classes::Sets;
use super::{
    ALPHANUM, Charset, DotsIn, Edition, Equivalence, IpLiterals, Ladder, LastDot, Name, PathUnderflow,
    RegName, Resolution, Rule, Rules, SameDocument, SchemeForms, Sections, Server, Slash, Terminology,
    rfc2396,
};
use crate::simd::AsciiSet;

/// draft-fielding-uri-rfc2396bis-01, "Uniform Resource Identifier (URI): Generic Syntax", March
/// 2003.
pub static URI_2003: Edition = Edition {
    name: "uri-2003",
    document: "draft-fielding-uri-rfc2396bis-01",
    title: "Uniform Resource Identifier (URI): Generic Syntax",
    date: "March 2003",
    words: WORDS,
    rules: RULES,
    update: None,
    table: SETS.table(),
    characters: None,
    charset: Charset::Utf8,
    unreserved: UNRESERVED,
    prefix: None,
    // URI-reference = [ absolute-URI / relative-URI ] [ "#" fragment ]
    relative: true,
    // rel-segment = 1*( unreserved / escaped / ";" / "@" / "&" / "=" / "+" / "$" / "," )
    colon_in_first_segment: false,
    // hier-part = [ net-path / abs-path ] [ "?" query ]
    empty_after_scheme: true,
    // absolute-URI = scheme ":" ( hier-part / opaque-part )
    opaque: true,
    query_is_words: false,
    // server = [ [ userinfo "@" ] hostport ]; hostport = host [ ":" port ]; port = *DIGIT
    server: Server {
        may_be_empty: true,
        host_may_be_empty: false,
        user_may_be_empty: true,
        user_may_contain_question_mark: false,
        port_may_be_empty: true,
        // hostname = domainlabel qualified
        // qualified = *( "." domainlabel ) [ "." toplabel "." ]
        // domainlabel = alphanum [ *61( alphanum / "-" ) alphanum ]
        name: Some(Name {
            first_begins_with_letter: false,
            last_begins_with_letter: false,
            labels_end_alphanumeric: true,
            longest_label: 63,
            last_dot: LastDot::AfterTopLabel,
        }),
        // dec-octet, 0-255
        numbers_are_octets: true,
        // IPv6reference = "[" IPv6address "]"
        literals: Some(IpLiterals {
            rule: &Rule::new("IPv6reference", "3.2.2", "an IPv6 address between \"[\" and \"]\""),
            future: false,
            zones: None,
        }),
    },
    // authority = server / reg-name
    registry: RegName::Always,
    parameters: true,
    divides_segment: AsciiSet::of(b";"),
    // "Within a query component, the characters ";", "/", "?", ":", "@", "&", "=", "+", ",", and
    // "$" are reserved."
    reserved_in_query: AsciiSet::of(b";/?:@,$"),
    password: false,
    // 5.2, the pseudocode and the merge routine
    resolution: Some(Resolution {
        // "All occurrences of "./", where "." is a complete path segment, are removed"
        slash: Slash::After,
        // "these path components are only considered special when resolving a relative-path
        // reference"
        dots: DotsIn::Merged,
        query_before_dots: false,
        // "If the base URI's path component is the empty string, then a single slash character
        // ("/") is copied to the buffer."
        empty_base_is_root: true,
        stays_rootless: true,
        // if defined(R.query) then T.path = Base.path; T.query = R.query;
        query_keeps_path: true,
        // ../../../g = http://a/../g
        leftover: PathUnderflow::Keep,
        // return (current-document, fragment);
        empty: SameDocument::CurrentDocument,
        // "an empty URI reference represents the base URI of the current document" (4.2)
        empty_is_requested: true,
        // "The "HREF" attribute must be an absolute URI." (D)
        relative_base: false,
        // "the base URI is defined by the context of the application" (5.1.4)
        default_base: true,
        sections: Sections { absolute: "5.2", hierarchy: "5", leftover: "5.2", dots: "5.2" },
    }),
    // "may unescape sequences in the ranges of ALPHA, DIGIT, underscore (%5F), or tilde (%7E)
    // without fear of creating a conflict, but unescaping the other mark characters is usually
    // counterproductive" "." and ".." "can be removed [...] in accordance with the relative URI
    // processing algorithm"
    equivalence: Equivalence {
        unescapes: ALPHANUM.union(AsciiSet::of(b"_~")),
        unescapes_in_query: ALPHANUM.union(AsciiSet::of(b"_~")),
        scheme_reserves: false,
        dots: true,
        void_fragment: false,
    },
    forms: SchemeForms::OF_OTHER_DOCUMENTS,
    ladder: &Ladder {
        relative: "draft-fielding-uri-rfc2396bis-01, 6.1",
        simple: "draft-fielding-uri-rfc2396bis-01, 6.2.1",
        syntax: "draft-fielding-uri-rfc2396bis-01, 6.2.2",
        scheme: "draft-fielding-uri-rfc2396bis-01, 6.2.3",
        protocol: "draft-fielding-uri-rfc2396bis-01, 6.2.4",
    },
};

pub(super) const WORDS: Terminology = Terminology { absolute: "absolute-URI", ..rfc2396::WORDS };

// Changes since RFC 2396: an opaque part may contain brackets. ";" is now a pchar, which changes no
// set.
//
// pchar = unreserved / escaped / ";" / ":" / "@" / "&" / "=" / "+" / "$" / ","
// query = *( pchar / "/" / "?" ); fragment = *( pchar / "/" / "?" )
// userinfo = *( unreserved / escaped / ";" / ":" / "&" / "=" / "+" / "$" / "," )
// reg-name = 1*( unreserved / escaped / ";" / ":" / "@" / "&" / "=" / "+" / "$" / "," )
pub(super) const SETS: Sets = Sets { opaque: URIC, ..rfc2396::SETS };

// unreserved = ALPHA / DIGIT / mark; mark = "-" / "_" / "." / "!" / "~" / "*" / "'" / "(" / ")"
pub(super) const UNRESERVED: AsciiSet = rfc2396::UNRESERVED;
// reserved = "[" / "]" / ";" / "/" / "?" / ":" / "@" / "&" / "=" / "+" / "$" / ","
// uric = reserved / unreserved / escaped
const URIC: AsciiSet = rfc2396::SETS.opaque.union(AsciiSet::of(b"[]"));

pub(super) const RULES: Rules = Rules {
    reference: &Rule::new("URI-reference", "4", "an absolute URI or a relative reference"),
    authority: &Rule::new(
        "authority",
        "3.2",
        "a server or a registered name: letters, digits, escapes or any of -_.!~*'();:@&=+$,",
    ),
    host: &Rule::new("host", "3.2.2", "a host name, four decimal numbers or an IPv6 address in brackets"),
    path: &Rule::new("pchar", "3.3", "letters, digits, escapes or any of -_.!~*'();:@&=+$, and \"/\""),
    opaque: Some(&Rule::new("uric", "3", "letters, digits, escapes or any of -_.!~*'()[];/?:@&=+$,")),
    first_segment: &Rule { name: "rel-segment", ..*rfc2396::RULES.first_segment },
    // "the complete path segments "." and ".." have special meanings"
    dot_segment: Some(&Rule::new("rel-path", "5", "a name other than \".\" and \"..\"")),
    query: &Rule::new("query", "3.4", "letters, digits, escapes or any of -_.!~*'();:@&=+$,/?"),
    fragment: &Rule::new("fragment", "4.1", "letters, digits, escapes or any of -_.!~*'();:@&=+$,/?"),
    scheme_and_colon: &Rule { name: "absolute-URI", ..*rfc2396::RULES.scheme_and_colon },
    ..rfc2396::RULES
};

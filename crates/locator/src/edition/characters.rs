//! Tables of the non-ASCII characters that an edition allows unescaped, by component class.

/// The non-ASCII characters of an edition, as lists of ranges that include both ends.
#[derive(Debug)]
pub(crate) struct Characters {
    /// The characters allowed as data in every component that allows names.
    pub(crate) data: &'static [(char, char)],
    /// The private-use characters that are also allowed in a query.
    pub(crate) in_query: &'static [(char, char)],
    /// The characters that are allowed but never produced by decoding or encoding. Private-use
    /// characters are not produced either.
    pub(crate) stay_escaped: &'static [(char, char)],
}

/// Returns whether the character is in one of the sorted ranges.
#[inline(never)]
pub(crate) const fn is_in(ranges: &[(char, char)], c: char) -> bool {
    let (mut first, mut end) = (0, ranges.len());
    while first < end {
        let middle = first + (end - first) / 2;
        if ranges[middle].1 < c {
            first = middle + 1;
        } else {
            end = middle;
        }
    }
    first < ranges.len() && ranges[first].0 <= c
}

/// The characters that end a URL in running text and are therefore escaped in the normal form of an
/// IRI.
///
/// After "。" and "，" the next word follows without a space; the same is true of brackets and quotes
/// in every script. U+2019 is not included because it is also an apostrophe. The en dash is not
/// included because it occurs in titles of articles.
pub(crate) const URL_ENDS: &[(char, char)] = &[
    ('\u{80}', '\u{A0}'),
    ('\u{AB}', '\u{AB}'),
    ('\u{BB}', '\u{BB}'),
    ('\u{61C}', '\u{61C}'),
    ('\u{964}', '\u{965}'),
    ('\u{F3A}', '\u{F3D}'),
    ('\u{1680}', '\u{1680}'),
    ('\u{169B}', '\u{169C}'),
    ('\u{2000}', '\u{200B}'),
    ('\u{200E}', '\u{200F}'),
    ('\u{2014}', '\u{2015}'),
    ('\u{2018}', '\u{2018}'),
    ('\u{201A}', '\u{201F}'),
    ('\u{2028}', '\u{202F}'),
    ('\u{2039}', '\u{203A}'),
    ('\u{2045}', '\u{2046}'),
    ('\u{205F}', '\u{206F}'),
    ('\u{207D}', '\u{207E}'),
    ('\u{208D}', '\u{208E}'),
    ('\u{2308}', '\u{230B}'),
    ('\u{2329}', '\u{232A}'),
    ('\u{2768}', '\u{2775}'),
    ('\u{27C5}', '\u{27C6}'),
    ('\u{27E6}', '\u{27EF}'),
    ('\u{2983}', '\u{2998}'),
    ('\u{29D8}', '\u{29DB}'),
    ('\u{29FC}', '\u{29FD}'),
    ('\u{2E22}', '\u{2E29}'),
    ('\u{2E55}', '\u{2E5C}'),
    ('\u{3000}', '\u{3002}'),
    ('\u{3008}', '\u{3011}'),
    ('\u{3014}', '\u{301F}'),
    ('\u{FD3E}', '\u{FD3F}'),
    ('\u{FE10}', '\u{FE19}'),
    ('\u{FE30}', '\u{FE6B}'),
    ('\u{FEFF}', '\u{FEFF}'),
    ('\u{FF01}', '\u{FF02}'),
    ('\u{FF07}', '\u{FF09}'),
    ('\u{FF0C}', '\u{FF0C}'),
    ('\u{FF1A}', '\u{FF1B}'),
    ('\u{FF1F}', '\u{FF1F}'),
    ('\u{FF3B}', '\u{FF3B}'),
    ('\u{FF3D}', '\u{FF3D}'),
    ('\u{FF5B}', '\u{FF65}'),
    ('\u{FFF0}', '\u{FFFF}'),
];

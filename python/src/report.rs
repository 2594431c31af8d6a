//! The drawing of an error for users of Python: takes that of the library, and names the surrogates of
//! a `str`.

use locator::ParseError;

use crate::error::{surrogate, surrogate_message};
use crate::input::Input;

/// What the drawing shows for a surrogate, which is in no UTF-8.
const REPLACED: &str = "<U+FFFD>";

/// Returns the drawing of an error of these bytes, which are those of the input.
pub(crate) fn in_python(error: &ParseError, drawn: &str, bytes: &[u8], input: &Input<'_>) -> String {
    let mut lines = drawn.split('\n').map(str::to_owned).collect::<Vec<_>>();
    if let [message, text, caret, ..] = &mut lines[..] {
        name_surrogates(text, bytes, input);
        if let Some(name) = surrogate(bytes, input, error.span().start) {
            *message = surrogate_message(&name);
            *caret = caret.replacen("^ ", &format!("{} ", "^".repeat(REPLACED.len())), 1);
            lines.push(format!("  {}", surrogate_advice(&name)));
        }
    }
    lines.join("\n")
}

/// Returns where the surrogate probably comes from. "Any non-decodable bytes are decoded into U+DC80 to
/// U+DCFF" (PEP 383).
fn surrogate_advice(name: &str) -> &'static str {
    if ("U+DC80"..="U+DCFF").contains(&name) {
        "it is a byte that was decoded with errors=\"surrogateescape\"; pass the bytes"
    } else {
        "it is half of a pair of UTF-16; decode the text as UTF-16"
    }
}

/// Replaces what the drawing shows by the names of the surrogates, if it shows all of them.
fn name_surrogates(text: &mut String, bytes: &[u8], input: &Input<'_>) {
    let name = |at: usize| match bytes[at..] {
        [0xEF, 0xBF, 0xBD, ..] => Some("U+FFFD".to_owned()),
        _ => surrogate(bytes, input, at),
    };
    let names = (0..bytes.len()).filter_map(name).collect::<Vec<_>>();
    let pieces = text.split(REPLACED).collect::<Vec<_>>();
    if pieces.len() == names.len() + 1 {
        let shown = pieces[1..].iter().zip(names).map(|(piece, name)| format!("<{name}>{piece}"));
        *text = pieces[0].to_owned() + &shown.collect::<String>();
    }
}

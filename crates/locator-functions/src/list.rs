//! The list of functions: those of the table, and `uri_part`, which returns what they do by the names of
//! parts.

use crate::function::{ArgumentValue, Call, Function, ParameterKind};
use crate::part_values::named_part;
use crate::table::{LIST, needed, not_a_column, of_url};

/// All functions, in the order of their documentation.
pub static FUNCTIONS: &[Function] = &ALL;

const ALL: [Function; LIST.len() + 1] = {
    let mut all = [PART; LIST.len() + 1];
    let mut place = 0;
    while place < LIST.len() {
        all[place + 1] = LIST[place];
        place += 1;
    }
    all
};

const PART: Function = of_url(
    "uri_part",
    "the part with this name, such as 'host', 'query:page' or 'segment:-1', as text",
    Call::Text(|row, given| named_part(row, given.first()?.text())),
    "http://h/a/b?page=2",
    "\"b\"",
)
.of_texts("text")
.parsed()
.with(&[needed("part", ParameterKind::Part)], &[ArgumentValue::Text("segment:-1")])
.absent_in(&[not_a_column("locator read --columns segment:-1")]);

/// Returns the function with a name; `None` if there is none.
///
/// ```
/// assert!(locator_functions::function("uri_host").is_some());
/// ```
#[must_use]
pub fn function(name: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|function| function.name == name)
}

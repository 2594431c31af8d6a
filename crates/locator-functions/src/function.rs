//! What a function is: its name, parameters, result and the Rust function that computes it for a row.

use std::borrow::Cow;
use std::fmt;

use locator::scheme;
use locator::{Component, Edition, Redacted, UriRef};

use crate::parts::Selection;

/// A function of a table's column of URLs.
///
/// ```
/// let host = locator_functions::function("uri_host").unwrap();
/// assert_eq!(host.parameters().len(), 0);
/// assert_eq!(host.result(), locator_functions::ResultType::Text);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Function {
    pub(crate) name: &'static str,
    pub(crate) first: &'static str,
    pub(crate) parameters: &'static [Parameter],
    pub(crate) summary: &'static str,
    pub(crate) example: Example,
    pub(crate) call: Call,
    pub(crate) needs: Needs,
    pub(crate) has_edition: bool,
    pub(crate) absent: &'static [Absence],
}

/// An example of a function: what it is given, and what it returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// The value of the column.
    pub input: &'static str,
    /// The other arguments, as in SQL: `'gclid'` or `2`.
    pub arguments: &'static [ArgumentValue<'static>],
    /// The result as JSON; `null` if there is none.
    pub result: &'static str,
}

/// A parameter of a function, after the column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The name.
    pub name: &'static str,
    /// Which values it takes.
    pub kind: ParameterKind,
    /// The value if it is not given; `None` if it must be given.
    pub default: Option<ArgumentValue<'static>>,
}

/// Which values a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParameterKind {
    /// Any text, from a column or a constant.
    Text,
    /// An integer, from a column or a constant.
    Int,
    /// One of these words, a constant.
    Choice(&'static [&'static str]),
    /// Names of these words with commas between them, a constant.
    Choices(&'static [&'static str]),
    /// Names of parameters of a query with commas between them, a constant; `*` is any text.
    Patterns,
    /// The name of a scheme whose URLs have a host, or nothing; a constant.
    Scheme,
    /// The name of a part, such as `host` or `segment:-1`; a constant.
    Part,
}

/// An argument of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentValue<'a> {
    /// A text.
    Text(&'a str),
    /// An integer.
    Int(i64),
}

/// A field of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name.
    pub name: &'static str,
    /// Whether it is an integer; else it is a text.
    pub is_int: bool,
}

/// The type of a result. Every result can be NULL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ResultType {
    /// A text in UTF-8.
    Text,
    /// An integer with 32 bits.
    Int,
    /// An integer with 64 bits.
    BigInt,
    /// True or false.
    Bool,
    /// 16 octets.
    Hash,
    /// A list of texts.
    Texts,
    /// A record.
    Record(&'static [Field]),
    /// A list of records.
    Records(&'static [Field]),
}

/// A value in a record or a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// No value.
    Null,
    /// A text.
    Text(Cow<'a, str>),
    /// An integer.
    Int(i32),
}

/// What a row must be given to a function as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// The function is of references: what is not a valid one gives NULL.
    Reference,
    /// The function is of texts, whether they are valid references or not, and does not look whether
    /// they are: [`Row::unparsed`] is enough.
    Text,
    /// The function is of texts, and looks whether they are valid references.
    TextAndReference,
}

/// An engine that lacks a function, and what to use instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Absence {
    /// The name of the engine.
    pub engine: &'static str,
    /// What to use there instead.
    pub instead: &'static str,
}

/// The Rust function that computes a result for a row; `None` is NULL. By the type of the result.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Call {
    /// A piece of the input, which needs no copy.
    Slice(for<'a> fn(&Row<'a>, &[ArgumentValue<'_>]) -> Option<&'a str>),
    /// A text.
    Text(for<'a> fn(&Row<'a>, &[ArgumentValue<'_>]) -> Option<Cow<'a, str>>),
    /// An integer.
    Int(fn(&Row<'_>, &[ArgumentValue<'_>]) -> Option<i32>),
    /// True or false.
    Bool(fn(&Row<'_>, &[ArgumentValue<'_>]) -> Option<bool>),
    /// A hash.
    Hash(fn(&Row<'_>, &[ArgumentValue<'_>]) -> Option<[u8; 16]>),
    /// A list of texts, which are appended.
    Texts(for<'a> fn(&Row<'a>, &[ArgumentValue<'_>], &mut Vec<Value<'a>>) -> Option<()>),
    /// A record, whose fields are appended.
    Record(&'static [Field], for<'a> fn(&Row<'a>, &[ArgumentValue<'_>], &mut Vec<Value<'a>>) -> Option<()>),
    /// A list of records, whose fields are appended.
    Records(&'static [Field], for<'a> fn(&Row<'a>, &[ArgumentValue<'_>], &mut Vec<Value<'a>>) -> Option<()>),
    /// A constant, of no column.
    Constant(fn() -> &'static str),
    /// The number of different values of a column, NULL apart: an aggregate.
    Distinct,
}

/// A value of a column of URLs. Its `Debug` hides passwords.
///
/// ```
/// use locator::edition::RFC3986;
/// use locator_functions::Row;
///
/// let row = Row::new("http://jan:secret@h/", &RFC3986);
/// assert!(row.reference().is_some() && !format!("{row:?}").contains("secret"));
/// ```
#[derive(Clone, Copy)]
pub struct Row<'a> {
    octets: &'a [u8],
    /// The octets, if they are UTF-8.
    text: Option<&'a str>,
    edition: &'static Edition,
    reference: Option<UriRef<'a>>,
}

/// An error of the arguments of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentError {
    message: String,
}

impl<'a> Row<'a> {
    /// Parses a value by an edition.
    #[must_use]
    pub fn new(text: &'a str, edition: &'static Edition) -> Self {
        Self { reference: UriRef::parse_with(text, edition).ok(), ..Self::unparsed(text, edition) }
    }

    /// Parses a value of bytes by an edition. What is not UTF-8 is not valid.
    ///
    /// ```
    /// use locator::edition::RFC3986;
    /// use locator_functions::{Answer, Row, function};
    ///
    /// let is_valid = function("uri_is_valid").unwrap();
    /// let row = Row::from_bytes(b"http://h/\xFF", &RFC3986);
    /// assert_eq!(is_valid.answer(&row, &[]), Answer::Bool(false));
    /// ```
    #[must_use]
    pub fn from_bytes(octets: &'a [u8], edition: &'static Edition) -> Self {
        match str::from_utf8(octets) {
            Ok(text) => Self::new(text, edition),
            Err(_) => Self { octets, text: None, edition, reference: None },
        }
    }

    /// Returns a row of a reference that is parsed already.
    #[must_use]
    pub const fn of(reference: UriRef<'a>) -> Self {
        Self { reference: Some(reference), ..Self::unparsed(reference.as_str(), reference.edition()) }
    }

    /// Returns a row for the functions that need only its text ([`Needs::Text`]).
    #[must_use]
    pub const fn unparsed(text: &'a str, edition: &'static Edition) -> Self {
        Self { octets: text.as_bytes(), text: Some(text), edition, reference: None }
    }

    /// Returns a row of bytes for the functions that need only its text ([`Needs::Text`]).
    #[must_use]
    pub fn unparsed_bytes(octets: &'a [u8], edition: &'static Edition) -> Self {
        Self { octets, text: str::from_utf8(octets).ok(), edition, reference: None }
    }

    /// Returns the text as it is given; `None` if it is not UTF-8.
    #[must_use]
    pub const fn text(&self) -> Option<&'a str> {
        self.text
    }

    /// Returns the text with U+FFFD in place of what is not UTF-8.
    #[must_use]
    pub fn text_lossy(&self) -> Cow<'a, str> {
        self.text.map_or_else(|| String::from_utf8_lossy(self.octets), Cow::Borrowed)
    }

    /// Returns the bytes of the text.
    #[must_use]
    pub const fn bytes(&self) -> &'a [u8] {
        self.octets
    }

    /// Returns the edition that the text is parsed by.
    #[must_use]
    pub const fn edition(&self) -> &'static Edition {
        self.edition
    }

    /// Returns the reference; `None` if the text is not valid.
    #[must_use]
    pub const fn reference(&self) -> Option<UriRef<'a>> {
        self.reference
    }
}

impl Function {
    /// Returns the name, such as "uri_host".
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the name of the first argument, the column: "url", "text" or "base"; "" if there is none.
    #[must_use]
    pub const fn first(&self) -> &'static str {
        self.first
    }

    /// Returns the parameters after the column.
    #[must_use]
    pub const fn parameters(&self) -> &'static [Parameter] {
        self.parameters
    }

    /// Returns a sentence that says what the function returns.
    #[must_use]
    pub const fn summary(&self) -> &'static str {
        self.summary
    }

    /// Returns an example.
    #[must_use]
    pub const fn example(&self) -> Example {
        self.example
    }

    /// Returns the function that computes a result.
    #[must_use]
    pub const fn call(&self) -> Call {
        self.call
    }

    /// Returns what a row must be given as.
    #[must_use]
    pub const fn needs(&self) -> Needs {
        self.needs
    }

    /// Returns whether a result depends on the edition.
    #[must_use]
    pub const fn has_edition(&self) -> bool {
        self.has_edition
    }

    /// Returns the engines that lack the function.
    #[must_use]
    pub const fn absent(&self) -> &'static [Absence] {
        self.absent
    }

    /// Returns the type of the result.
    #[must_use]
    pub const fn result(&self) -> ResultType {
        match self.call {
            Call::Slice(_) | Call::Text(_) | Call::Constant(_) => ResultType::Text,
            Call::Int(_) => ResultType::Int,
            Call::Distinct => ResultType::BigInt,
            Call::Bool(_) => ResultType::Bool,
            Call::Hash(_) => ResultType::Hash,
            Call::Texts(_) => ResultType::Texts,
            Call::Record(fields, _) => ResultType::Record(fields),
            Call::Records(fields, _) => ResultType::Records(fields),
        }
    }

    /// Checks the arguments after the column, and adds the defaults of those that are not given.
    ///
    /// # Errors
    ///
    /// An error if there are too many or too few, or one has a value that the parameter does not take.
    pub fn arguments<'g>(
        &self,
        given: &[ArgumentValue<'g>],
    ) -> Result<Vec<ArgumentValue<'g>>, ArgumentError> {
        if given.len() > self.parameters.len() {
            let (most, count) = (self.parameters.len() + 1, given.len() + 1);
            let plural = if most == 1 { "" } else { "s" };
            return Err(self.error(format_args!("takes at most {most} argument{plural}, not {count}")));
        }
        let defaults = self.parameters.iter().map(|parameter| parameter.default);
        let arguments = defaults.enumerate().map(|(place, default)| {
            let parameter = &self.parameters[place];
            let missing = || self.error(format_args!("needs the argument \"{}\"", parameter.name));
            let argument = given.get(place).copied().or(default).ok_or_else(missing)?;
            parameter.check(argument).map_err(|why| self.error(why))?;
            Ok(argument)
        });
        arguments.collect()
    }

    fn error(&self, why: impl fmt::Display) -> ArgumentError {
        ArgumentError { message: format!("{} {why}", self.name) }
    }
}

impl Parameter {
    /// Returns whether the argument may differ from row to row.
    #[must_use]
    pub const fn can_be_column(&self) -> bool {
        matches!(self.kind, ParameterKind::Text | ParameterKind::Int)
    }

    fn check(&self, argument: ArgumentValue<'_>) -> Result<(), String> {
        let name = self.name;
        match (self.kind, argument) {
            (ParameterKind::Int, ArgumentValue::Int(_))
            | (ParameterKind::Text | ParameterKind::Patterns, ArgumentValue::Text(_)) => Ok(()),
            (ParameterKind::Choice(words), ArgumentValue::Text(word)) => {
                words.contains(&word).then_some(()).ok_or_else(|| one_of(name, words, word))
            }
            (ParameterKind::Choices(words), ArgumentValue::Text(list)) => {
                let wrong = list.split(',').map(str::trim).find(|word| !words.contains(word));
                wrong.map_or(Ok(()), |word| Err(one_of(name, words, word)))
            }
            (ParameterKind::Scheme, ArgumentValue::Text(scheme)) => {
                let is_scheme = scheme.is_empty()
                    || UriRef::parse(&format!("{scheme}:"))
                        .is_ok_and(|parsed| parsed.span(Component::Scheme) == Some(0..scheme.len()));
                let has_hosts = scheme::lookup(scheme).is_none_or(|scheme| scheme.is_hierarchical());
                let wrong = || format!("takes a scheme whose URLs have a host as \"{name}\", not '{scheme}'");
                (is_scheme && has_hosts).then_some(()).ok_or_else(wrong)
            }
            (ParameterKind::Part, ArgumentValue::Text(part)) => Selection::parse(part)
                .map(drop)
                .map_err(|error| format!("takes a part as \"{name}\": {error}")),
            (ParameterKind::Int, ArgumentValue::Text(_)) => Err(format!("takes an integer as \"{name}\"")),
            (_, ArgumentValue::Int(_)) => Err(format!("takes a text as \"{name}\"")),
        }
    }
}

fn one_of(name: &str, words: &[&str], word: &str) -> String {
    format!("takes as \"{name}\" {}, not '{word}'", words.join(", "))
}

impl<'a> ArgumentValue<'a> {
    /// Returns the text; an integer is an empty one, which the check of arguments has excluded.
    pub(crate) const fn text(self) -> &'a str {
        match self {
            Self::Text(text) => text,
            Self::Int(_) => "",
        }
    }

    /// Returns the integer; a text is 0, which the check of arguments has excluded.
    pub(crate) const fn int(self) -> i64 {
        match self {
            Self::Text(_) => 0,
            Self::Int(int) => int,
        }
    }
}

impl fmt::Debug for Row<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (text, edition) = (Redacted::new(&self.text_lossy()).to_string(), self.edition.name);
        f.debug_struct("Row").field("text", &text).field("edition", &edition).finish_non_exhaustive()
    }
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Call")
    }
}

impl fmt::Display for ArgumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ArgumentError {}

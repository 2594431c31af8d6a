//! A value of a configuration ([`Value`]): what YAML, TOML, JSON and the literals of programs have in common.
//!
//! ```text
//! let plugins = configuration.get("plugins").texts();
//! let is_computed = configuration.get("base") == &Value::Computed;
//! ```

/// A value of a configuration.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Value {
    /// Nothing is there.
    #[default]
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A text, and a number or a date as it is written.
    Text(String),
    /// A list.
    List(Vec<Value>),
    /// A map, in the order of the file.
    Map(Vec<(String, Value)>),
    /// A call of a function with its arguments, of JavaScript: `starlight({ title: "x" })`; a value of YAML with a tag of
    /// Python: `!!python/name:a.b`.
    Call(String, Vec<Value>),
    /// What only the program knows.
    Computed,
}

/// What is at a place where nothing is.
static NULL: Value = Value::Null;

impl Value {
    /// Returns the value at a path of keys: `output.html.redirect`. It is [`Value::Null`] if there is none, and
    /// [`Value::Computed`] if only a program knows.
    pub(crate) fn get(&self, path: &str) -> &Self {
        let mut value = self;
        for key in path.split('.') {
            value = value.member(key);
        }
        value
    }

    /// Returns the value of a key, which may have ".".
    pub(crate) fn member(&self, key: &str) -> &Self {
        match self {
            Self::Map(entries) => match entries.iter().rev().find(|(own, _)| own == key) {
                Some((_, value)) => value,
                // `{ ...other }`
                None if entries.iter().any(|(own, value)| own == "..." && *value == Self::Computed) => {
                    &Self::Computed
                }
                None => &NULL,
            },
            Self::Computed => &Self::Computed,
            _ => &NULL,
        }
    }

    /// Returns the text.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the truth value.
    pub(crate) fn bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            Self::Text(text) if text == "true" => Some(true),
            Self::Text(text) if text == "false" => Some(false),
            _ => None,
        }
    }

    /// Returns the elements of a list, none if it is not one.
    pub(crate) fn list(&self) -> &[Self] {
        match self {
            Self::List(list) => list,
            _ => &[],
        }
    }

    /// Returns the texts of a list, or the text itself.
    pub(crate) fn texts(&self) -> Vec<&str> {
        match self {
            Self::Text(text) => vec![text],
            _ => self.list().iter().filter_map(Self::text).collect(),
        }
    }

    /// Returns the keys and values of a map, none if it is not one.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (&str, &Self)> {
        let entries: &[(String, Self)] = match self {
            Self::Map(entries) => entries,
            _ => &[],
        };
        entries.iter().map(|(key, value)| (&**key, value))
    }

    /// Returns whether nothing is there.
    pub(crate) fn is_null(&self) -> bool {
        *self == Self::Null
    }

    /// Returns whether there is a value, of any kind.
    pub(crate) fn is_there(&self) -> bool {
        !self.is_null()
    }

    /// Returns whether it, or a part of it, is only known to a program.
    pub(crate) fn has_computed(&self) -> bool {
        let mut open = vec![self];
        while let Some(value) = open.pop() {
            match value {
                Self::Computed => return true,
                Self::List(list) | Self::Call(_, list) => open.extend(list),
                Self::Map(entries) => open.extend(entries.iter().map(|(_, value)| value)),
                _ => {}
            }
        }
        false
    }

    /// Returns the object that a call around it is about: `{…}` of `defineConfig({…})`.
    pub(crate) fn unwrapped(&self) -> &Self {
        let mut value = self;
        while let Self::Call(_, arguments) = value {
            let is_object = |one: &&Self| matches!(one, Self::Map(_) | Self::Call(..));
            value = arguments.iter().find(is_object).unwrap_or(&Self::Computed);
        }
        value
    }

    /// Returns the value with all keys in lower case, for a program to which they are the same.
    #[must_use]
    pub(crate) fn with_lower_keys(self) -> Self {
        match self {
            Self::Map(entries) => Self::Map(
                entries
                    .into_iter()
                    .map(|(key, value)| (key.to_lowercase(), value.with_lower_keys()))
                    .collect(),
            ),
            Self::List(list) => Self::List(list.into_iter().map(Self::with_lower_keys).collect()),
            other => other,
        }
    }
}

//! The engines that the functions are registered in: how a function is called in each, and which
//! functions it lacks.
//!
//! One list, so that a query with positional arguments means the same in every engine that takes it.

use crate::function::{Absence, Function};

/// An engine that the functions are registered in.
///
/// ```
/// use locator_functions::{Engine, function};
///
/// let duckdb = Engine::from_name("duckdb").unwrap();
/// assert!(duckdb.absence(function("uri_host").unwrap()).is_none());
/// let absence = duckdb.absence(function("uri_uniq").unwrap()).unwrap();
/// assert_eq!(absence.instead, "count(distinct uri_hash128(text))");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Engine {
    /// The name, as in [`Absence::engine`].
    pub name: &'static str,
    /// What its users call it.
    pub title: &'static str,
    /// How arguments are given.
    pub arguments: Arguments,
}

/// How an engine takes the arguments of a call, and the edition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Arguments {
    /// By name: optional ones, and the edition, are given by theirs.
    Named,
    /// By position: optional ones are left out at the end. The edition is the last argument of the
    /// [second name](Function::second_name), after those of the first that are given.
    Positional,
    /// By position, and each name has one number of arguments: the first name takes only those that
    /// must be given, the second name takes all and then the edition.
    Fixed,
}

/// The engines.
pub static ENGINES: &[Engine] = &[
    Engine { name: "command", title: "`locator read --columns`", arguments: Arguments::Named },
    Engine { name: "arrow", title: "Rust, `locator-arrow`", arguments: Arguments::Named },
    Engine { name: "python", title: "Python, `locator_uri.arrow`", arguments: Arguments::Named },
    Engine { name: "polars", title: "Polars", arguments: Arguments::Named },
    Engine { name: "pandas", title: "pandas", arguments: Arguments::Named },
    Engine { name: "duckdb", title: "DuckDB", arguments: Arguments::Fixed },
    Engine { name: "datafusion", title: "DataFusion, from Python", arguments: Arguments::Fixed },
    Engine { name: "sql", title: "`locator sql`", arguments: Arguments::Positional },
    Engine { name: "spark", title: "Spark", arguments: Arguments::Positional },
];

impl Engine {
    /// Returns the engine with a name; `None` if there is none.
    #[must_use]
    pub fn from_name(name: &str) -> Option<&'static Self> {
        ENGINES.iter().find(|engine| engine.name == name)
    }

    /// Returns what to use instead of a function that this engine lacks; `None` if it has the function.
    #[must_use]
    pub fn absence<'a>(&self, function: &'a Function) -> Option<&'a Absence> {
        function.absent().iter().find(|absence| absence.engine == self.name)
    }
}

impl Function {
    /// Returns the name under which the edition is the last argument, in engines that take arguments
    /// by position: the name with `_by`. It is `None` if no result depends on the edition.
    ///
    /// ```
    /// use locator_functions::function;
    ///
    /// let second = |name| function(name).unwrap().second_name();
    /// assert_eq!(second("uri_host").as_deref(), Some("uri_host_by"));
    /// assert_eq!(second("uri_hash128"), None);
    /// ```
    #[must_use]
    pub fn second_name(&self) -> Option<String> {
        self.has_edition().then(|| format!("{}_by", self.name()))
    }
}

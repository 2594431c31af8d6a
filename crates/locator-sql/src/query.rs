//! Runs a query: parses it, opens its tables, plans it, and passes the result on, batch by batch.

use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::thread;

use arrow::datatypes::{Field, Schema, SchemaRef};
use datafusion::common::TableReference;
use datafusion::dataframe::DataFrame;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::context::{SQLOptions, SessionContext};
use datafusion::execution::memory_pool::FairSpillPool;
use datafusion::execution::registry::FunctionRegistry;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::logical_expr::{AggregateUDF, LogicalPlan};
use datafusion::physical_plan::execute_stream;
use datafusion::prelude::SessionConfig;
use datafusion::sql::parser::{DFParserBuilder, Statement};
use datafusion::sql::sqlparser::ast::Statement as SqlStatement;
use futures::StreamExt;
use locator_sql::UriUniq;

use crate::arguments::{Arguments, OutputFormat};
use crate::failure::{Context, Failure};
use crate::interrupt::Temporary;
use crate::output::{self, Output};
use crate::progress::Progress;
use crate::tables::Tables;

/// Runs the query of the command line.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let format = output::format(arguments)?;
    let statement = parse(&arguments.query)?;
    let temporary = Temporary::folder().map_err(|error| {
        Failure::new(format!(
            "no temporary folder can be created in {}: {error}",
            std::env::temp_dir().display()
        ))
    })?;
    let available = || thread::available_parallelism().map_or(1, usize::from);
    let threads = arguments.threads.map_or_else(available, usize::from);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(threads).enable_all().build();
    let runtime = runtime.map_err(|error| Failure::new(format!("no threads can be started: {error}")))?;
    let session = session(arguments, threads, &temporary).map_err(|error| Failure::new(error.message()))?;
    let result = runtime.block_on(Query { arguments, session, format }.run(statement, &temporary));
    // Threads that still read a file do not keep the program.
    runtime.shutdown_background();
    result
}

/// Parses a query, and refuses what is not one.
fn parse(query: &str) -> Result<Statement, Failure> {
    let parsed = DFParserBuilder::new(query).build().and_then(|mut parser| parser.parse_statements());
    let mut statements = parsed.map_err(|error| Context::NOTHING.failure(&error))?;
    match (statements.pop_front(), statements.len()) {
        (Some(statement), 0) if reads_only(&statement) => Ok(statement),
        (Some(_), 0) => Err(Failure::new(
            "only queries are allowed: SELECT, WITH, VALUES, EXPLAIN, DESCRIBE; use -o FILE to write a result",
        )),
        (Some(_), _) => Err(Failure::new("only one query at a time is allowed")),
        (None, _) => Err(Failure::new("the query is empty; see 'locator sql --help'")),
    }
}

fn reads_only(statement: &Statement) -> bool {
    match statement {
        Statement::Statement(statement) => {
            matches!(**statement, SqlStatement::Query(_) | SqlStatement::ExplainTable { .. })
        }
        Statement::Explain(explain) => match explain.statement.as_ref() {
            Statement::Statement(statement) => matches!(**statement, SqlStatement::Query(_)),
            _ => false,
        },
        _ => false,
    }
}

/// Creates a session with our functions, its limits, and a folder for temporary files.
fn session(arguments: &Arguments, threads: usize, temporary: &Temporary) -> Result<SessionContext> {
    let config = SessionConfig::new().with_target_partitions(threads);
    // What the engine does not count, such as the buffers of a file that is read, needs memory as well.
    let counted = arguments.memory / 4 * 3;
    let runtime = RuntimeEnvBuilder::new()
        .with_memory_pool(Arc::new(FairSpillPool::new(counted)))
        .with_temp_file_path(temporary.path())
        .with_max_temp_directory_size(u64::MAX)
        .build_arc()?;
    let mut session = SessionContext::new_with_config_rt(config, runtime);
    locator_sql::register_all(&mut session)?;
    FunctionRegistry::register_udaf(
        &mut session,
        Arc::new(AggregateUDF::from(UriUniq::with_limit(arguments.memory))),
    )?;
    Ok(session)
}

/// A query that is run.
struct Query<'a> {
    arguments: &'a Arguments,
    session: SessionContext,
    format: OutputFormat,
}

impl Query<'_> {
    async fn run(&self, statement: Statement, temporary: &Temporary) -> Result<(), Failure> {
        let functions = self.functions();
        let has_uniq = self.arguments.query.to_ascii_lowercase().contains("uri_uniq");
        let context = Context { functions: &functions, memory: self.arguments.memory, has_uniq };
        let of_engine = |error: DataFusionError| context.failure(&error);
        let names = self.session.state().resolve_table_references(&statement).map_err(of_engine)?;
        let names = self.open(names, temporary).await?;
        let plan = self.session.state().statement_to_plan(statement).await.map_err(of_engine)?;
        let options =
            SQLOptions::new().with_allow_ddl(false).with_allow_dml(false).with_allow_statements(false);
        options.verify_plan(&plan).map_err(of_engine)?;
        let frame = self.limited(plan).await.map_err(of_engine)?;
        let schema = named(frame.schema().as_arrow(), &names);
        let session = frame.task_ctx();
        let plan = frame.create_physical_plan().await.map_err(of_engine)?;
        let mut progress = Some(Progress::begin(&plan, !self.arguments.no_messages));
        let is_shown = self.arguments.output.is_none() && io::stdout().is_terminal();
        let mut stream = execute_stream(plan, Arc::new(session)).map_err(of_engine)?;
        let open = || Output::open(self.arguments, self.format, &schema);
        // Opened when there is a result: an error comes without the names of columns before it.
        let mut output = None;
        while let Some(batch) = stream.next().await {
            let batch = batch.map_err(of_engine)?;
            if is_shown {
                progress = None;
            }
            let output = match &mut output {
                Some(output) => output,
                none => none.insert(open()?),
            };
            output.write(&batch)?;
        }
        drop(progress);
        output.map_or_else(open, Ok)?.finish()
    }

    /// Opens the files that are named as tables; returns their names.
    async fn open(&self, names: Vec<TableReference>, temporary: &Temporary) -> Result<Vec<String>, Failure> {
        let state = self.session.state();
        let mut tables = Tables::new(self.arguments, &state, temporary);
        let mut opened = Vec::new();
        for name in names {
            let TableReference::Bare { table } = &name else {
                return Err(Failure::new(format!(
                    "no table {name}; a file is named in quotes: from '{name}'"
                )));
            };
            let is_known = opened.iter().any(|known| known == table.as_ref());
            if is_known || state.table_functions().contains_key(table.as_ref()) {
                continue;
            }
            let provider = tables.open(table).await?;
            opened.push(table.to_string());
            self.session.register_table(name, provider).map_err(|error| Failure::new(error.message()))?;
        }
        Ok(opened)
    }

    /// Limits the rows of a table for people.
    async fn limited(&self, plan: LogicalPlan) -> Result<DataFrame> {
        let is_limited = self.format == OutputFormat::Table
            && !matches!(
                plan,
                LogicalPlan::Explain(_) | LogicalPlan::Analyze(_) | LogicalPlan::DescribeTable(_)
            );
        let frame = self.session.execute_logical_plan(plan).await?;
        if is_limited { frame.limit(0, Some(output::TABLE_ROWS + 1)) } else { Ok(frame) }
    }

    fn functions(&self) -> Vec<String> {
        let state = self.session.state();
        let mut names: Vec<_> = state.scalar_functions().keys().cloned().collect();
        names.extend(state.aggregate_functions().keys().cloned());
        names.extend(state.window_functions().keys().cloned());
        names.sort();
        names
    }
}

/// Returns the schema of a result with names as they are in the query: the engine writes the name of the
/// table before each column, and the type before each constant.
fn named(schema: &Schema, tables: &[String]) -> SchemaRef {
    let names: Vec<_> = schema.fields().iter().map(|field| short(field.name(), tables)).collect();
    let is_ambiguous = (1..names.len()).any(|place| names[..place].contains(&names[place]));
    if is_ambiguous {
        return Arc::new(schema.clone());
    }
    let fields = schema.fields().iter().zip(names);
    let fields = fields.map(|(field, name)| Arc::new(Field::clone(field).with_name(name)));
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

fn short(name: &str, tables: &[String]) -> String {
    let name = tables.iter().fold(name.to_owned(), |name, table| name.replace(&format!("{table}."), ""));
    let name =
        ["Utf8View(\"", "Utf8(\""].iter().fold(name, |name, before| unwrapped(&name, before, "\")", "'"));
    ["Int64(", "Float64(", "Boolean("].iter().fold(name, |name, before| unwrapped(&name, before, ")", ""))
}

/// Replaces what is before and after each constant of a type.
fn unwrapped(name: &str, before: &str, after: &str, quote: &str) -> String {
    let (mut short, mut rest) = (String::new(), name);
    while let Some((first, others)) = rest.split_once(before)
        && let Some((constant, others)) = others.split_once(after)
    {
        short.extend([first, quote, constant, quote]);
        rest = others;
    }
    short + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_query() {
        let tables = ["a.parquet".to_owned()];
        for (name, wanted) in [
            ("uri_host(a.parquet.url)", "uri_host(url)"),
            ("uri_query_param(a.parquet.url,Utf8(\"q\"))", "uri_query_param(url,'q')"),
            ("Int64(1) + Int64(2)", "1 + 2"),
            ("url", "url"),
            ("Utf8(\"", "Utf8(\""),
        ] {
            assert_eq!(short(name, &tables), wanted);
        }
    }

    #[test]
    fn only_queries_are_allowed() {
        for query in [
            "create table t (a int)",
            "insert into t values (1)",
            "copy t to 'x.csv'",
            "create external table t stored as csv location 'x'",
            "drop table t",
            "set a = 1",
            "explain copy t to 'x.csv'",
            "select 1; select 2",
            "",
            ";",
        ] {
            assert!(parse(query).is_err(), "{query}");
        }
        for query in [
            "select 1;",
            "values (1)",
            "with a as (select 1) select * from a",
            "explain select 1",
            "describe 'a'",
        ] {
            assert!(parse(query).is_ok(), "{query}");
        }
    }
}

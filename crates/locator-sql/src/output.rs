//! Writes the result of a query, in one of four formats.

mod cells;
mod csv;
mod error;
mod table;

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use arrow::json::LineDelimitedWriter;
use arrow::json::writer::{LineDelimited, WriterBuilder};
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::parquet::basic::{Compression, ZstdLevel};
use datafusion::parquet::file::properties::WriterProperties;

use self::error::WriteError;
use crate::arguments::{Arguments, OutputFormat};
use crate::failure::Failure;
use crate::interrupt::Temporary;

pub(crate) use table::ROWS as TABLE_ROWS;

/// Returns the format of the result: as it is given, by the name of the file, or by where it goes.
pub(crate) fn format(arguments: &Arguments) -> Result<OutputFormat, Failure> {
    let is_terminal = arguments.output.is_none() && io::stdout().is_terminal();
    let of_name = || {
        let extension = arguments.output.as_ref()?.extension()?.to_str()?;
        match extension.to_ascii_lowercase().as_str() {
            "csv" => Some(OutputFormat::Csv),
            "ndjson" | "jsonl" => Some(OutputFormat::Ndjson),
            "parquet" => Some(OutputFormat::Parquet),
            _ => None,
        }
    };
    let default = if is_terminal { OutputFormat::Table } else { OutputFormat::Csv };
    match arguments.format.or_else(of_name).unwrap_or(default) {
        OutputFormat::Parquet if is_terminal => {
            Err(Failure::new("Parquet is not written to a terminal; use -o FILE"))
        }
        format => Ok(format),
    }
}

/// The output of a run.
pub(crate) struct Output<'a> {
    schema: SchemaRef,
    writer: Writer,
    /// The file that is written, and the name that it is given at the end.
    file: Option<(Temporary, &'a Path)>,
    shows_notes: bool,
}

type Sink = BufWriter<Box<dyn Write + Send>>;

enum Writer {
    Table(table::Table, Sink),
    Csv(csv::Csv<Sink>),
    Ndjson(LineDelimitedWriter<Sink>),
    Parquet(Box<ArrowWriter<Sink>>),
}

impl<'a> Output<'a> {
    /// Opens the output for a result with these columns.
    pub(crate) fn open(
        arguments: &'a Arguments,
        format: OutputFormat,
        schema: &SchemaRef,
    ) -> Result<Self, Failure> {
        let (sink, file): (Box<dyn Write + Send>, _) = match &arguments.output {
            None => (Box::new(io::stdout()), None),
            Some(path) => {
                let opened = Temporary::beside(path);
                let (temporary, file): (_, File) =
                    opened.map_err(|error| Failure::writing(&path.display().to_string(), &error))?;
                (Box::new(file), Some((temporary, path.as_path())))
            }
        };
        let sink = BufWriter::with_capacity(64 * 1024, sink);
        let writer = Writer::new(format, sink, schema).map_err(|error| failure(&file, error))?;
        Ok(Self { schema: schema.clone(), writer, file, shows_notes: !arguments.no_messages })
    }

    /// Writes rows.
    pub(crate) fn write(&mut self, batch: &RecordBatch) -> Result<(), Failure> {
        // The columns have the names of the query, and those of the engine before.
        let batch = RecordBatch::try_new(self.schema.clone(), batch.columns().to_vec());
        let batch = batch.map_err(|error| failure(&self.file, error.into()))?;
        let written = match &mut self.writer {
            Writer::Table(table, _) => table.add(&batch).map_err(WriteError::from),
            Writer::Csv(csv) => csv.write(&batch),
            Writer::Ndjson(ndjson) => ndjson.write(&batch).map_err(WriteError::from),
            Writer::Parquet(parquet) => parquet.write(&batch).map_err(WriteError::from),
        };
        written.map_err(|error| failure(&self.file, error))
    }

    /// Writes what is left, and gives the file its name.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        let Self { writer, file, shows_notes, .. } = self;
        writer.finish(shows_notes).map_err(|error| failure(&file, error))?;
        match file {
            Some((temporary, path)) => {
                let renamed = temporary.rename(path);
                renamed.map_err(|error| Failure::writing(&path.display().to_string(), &error))
            }
            None => Ok(()),
        }
    }
}

fn failure(file: &Option<(Temporary, &Path)>, error: WriteError) -> Failure {
    let what = match file {
        Some((_, path)) => path.display().to_string(),
        None => "standard output".to_owned(),
    };
    match error {
        WriteError::Io(error) => Failure::writing(&what, &error),
        WriteError::Other(error) => Failure::new(format!("{what} cannot be written: {error}")),
    }
}

impl Writer {
    fn new(format: OutputFormat, sink: Sink, schema: &SchemaRef) -> Result<Self, WriteError> {
        Ok(match format {
            OutputFormat::Table => Self::Table(table::Table::new(schema), sink),
            OutputFormat::Csv => Self::Csv(csv::Csv::new(sink, schema)?),
            OutputFormat::Ndjson => {
                Self::Ndjson(WriterBuilder::new().with_explicit_nulls(true).build::<_, LineDelimited>(sink))
            }
            OutputFormat::Parquet => {
                let zstd = ZstdLevel::try_new(3).map(Compression::ZSTD)?;
                let properties = WriterProperties::builder().set_compression(zstd).build();
                Self::Parquet(Box::new(ArrowWriter::try_new(sink, schema.clone(), Some(properties))?))
            }
        })
    }

    fn finish(self, shows_notes: bool) -> Result<(), WriteError> {
        match self {
            Self::Table(table, mut sink) => {
                table.write(&mut sink, shows_notes)?;
                sink.flush()?;
            }
            Self::Csv(csv) => csv.finish()?,
            Self::Ndjson(mut ndjson) => {
                ndjson.finish()?;
                ndjson.into_inner().flush()?;
            }
            Self::Parquet(parquet) => parquet.into_inner()?.flush()?,
        }
        Ok(())
    }
}

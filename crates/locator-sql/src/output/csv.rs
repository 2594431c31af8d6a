//! CSV (RFC 4180) with LF as line end. NULL is nothing and an empty text is `""`.

use std::io::{self, Write};

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;

use super::cells::{Cells, json_options};
use super::error::WriteError;

/// A writer of CSV.
pub(super) struct Csv<W> {
    sink: W,
}

impl<W: Write> Csv<W> {
    /// Writes the line of names.
    pub(super) fn new(mut sink: W, schema: &SchemaRef) -> io::Result<Self> {
        for (place, field) in schema.fields().iter().enumerate() {
            separate(&mut sink, place)?;
            write_field(&mut sink, field.name())?;
        }
        sink.write_all(b"\n")?;
        Ok(Self { sink })
    }

    pub(super) fn write(&mut self, batch: &RecordBatch) -> Result<(), WriteError> {
        let (options, schema) = (json_options(), batch.schema());
        let columns = schema.fields().iter().zip(batch.columns());
        let mut columns = columns
            .map(|(field, array)| Cells::new(field, array, &options))
            .collect::<Result<Vec<_>, _>>()?;
        let mut text = String::new();
        for row in 0..batch.num_rows() {
            for (place, column) in columns.iter_mut().enumerate() {
                separate(&mut self.sink, place)?;
                text.clear();
                if column.write(row, &mut text)? {
                    write_field(&mut self.sink, &text)?;
                }
            }
            self.sink.write_all(b"\n")?;
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> io::Result<()> {
        self.sink.flush()
    }
}

fn separate(sink: &mut impl Write, place: usize) -> io::Result<()> {
    if place > 0 { sink.write_all(b",") } else { Ok(()) }
}

/// Writes a value, in quotes if it needs them.
fn write_field(sink: &mut impl Write, text: &str) -> io::Result<()> {
    if !text.is_empty() && !text.contains([',', '"', '\n', '\r']) {
        return sink.write_all(text.as_bytes());
    }
    write!(sink, "\"{}\"", text.replace('"', "\"\""))
}

//! A table for people: columns with spaces between them. Control characters are shown by their codes.

use std::io::{self, Write};

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use arrow::error::ArrowError;
use unicode_width::UnicodeWidthStr;

use super::cells::{Cells, is_number, json_options};
use crate::failure::{note, visible};
use crate::progress::grouped;

/// The number of rows that are shown.
pub(crate) const ROWS: usize = 1000;

/// The rows of a table. They are written at the end, when the widths of columns are known.
pub(super) struct Table {
    /// The name of each column, and whether it has numbers.
    head: Vec<(String, bool)>,
    /// The lines of each cell.
    rows: Vec<Vec<Vec<String>>>,
    has_more: bool,
}

impl Table {
    pub(super) fn new(schema: &SchemaRef) -> Self {
        let head = schema.fields().iter().map(|field| (visible(field.name()), is_number(field.data_type())));
        Self { head: head.collect(), rows: Vec::new(), has_more: false }
    }

    pub(super) fn add(&mut self, batch: &RecordBatch) -> Result<(), ArrowError> {
        let (options, schema) = (json_options(), batch.schema());
        let columns = schema.fields().iter().zip(batch.columns());
        let mut columns = columns
            .map(|(field, array)| Cells::new(field, array, &options))
            .collect::<Result<Vec<_>, _>>()?;
        for row in 0..batch.num_rows() {
            if self.rows.len() == ROWS {
                self.has_more = true;
                return Ok(());
            }
            let cells = columns.iter_mut().map(|column| {
                let mut text = String::new();
                let is_value = column.write(row, &mut text)?;
                Ok(if is_value { text.lines().map(visible).collect() } else { vec!["NULL".to_owned()] })
            });
            self.rows.push(cells.collect::<Result<_, ArrowError>>()?);
        }
        Ok(())
    }

    /// Writes the table.
    pub(super) fn write(self, sink: &mut impl Write, shows_notes: bool) -> io::Result<()> {
        let widths: Vec<_> = (0..self.head.len()).map(|column| self.width(column)).collect();
        let head: Vec<_> = self.head.iter().map(|(name, _)| name.as_str()).collect();
        self.write_line(sink, &widths, &head)?;
        let rules: Vec<_> = widths.iter().map(|&width| "-".repeat(width)).collect();
        self.write_line(sink, &widths, &rules.iter().map(String::as_str).collect::<Vec<_>>())?;
        for row in &self.rows {
            let lines = row.iter().map(Vec::len).max().unwrap_or(0).max(1);
            for line in 0..lines {
                let cells: Vec<_> =
                    row.iter().map(|cell| cell.get(line).map_or("", String::as_str)).collect();
                self.write_line(sink, &widths, &cells)?;
            }
        }
        if shows_notes && self.has_more {
            sink.flush()?;
            note(&format!("there are more than {} rows; --format csv writes all", grouped(ROWS)));
        }
        Ok(())
    }

    fn width(&self, column: usize) -> usize {
        let cells = self.rows.iter().filter_map(|row| row.get(column)).flatten().map(|line| line.width());
        cells.chain([self.head[column].0.width()]).max().unwrap_or(0)
    }

    fn write_line(&self, sink: &mut impl Write, widths: &[usize], cells: &[&str]) -> io::Result<()> {
        let mut line = String::new();
        for (column, (cell, &width)) in cells.iter().zip(widths).enumerate() {
            let spaces = " ".repeat(width - cell.width().min(width));
            let is_right = self.head[column].1;
            let parts = if is_right { [&spaces, *cell] } else { [*cell, &spaces] };
            line.extend(parts);
            line.push_str("  ");
        }
        writeln!(sink, "{}", line.trim_end())
    }
}

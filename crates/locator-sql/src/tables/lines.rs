//! Text files as tables: each line is a row of one column, `url`.
//!
//! A line ends with LF or CR LF. Invalid UTF-8 is replaced by U+FFFD, so the row is not a valid URL.
//! Large files are read in pieces, one for each thread; a line belongs to the piece in which it begins.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, RecordBatch, StringViewBuilder};
use arrow::buffer::Buffer;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::catalog::TableProvider;
use datafusion::catalog::streaming::StreamingTable;
use datafusion::error::DataFusionError;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_plan::stream::RecordBatchReceiverStream;
use datafusion::physical_plan::streaming::PartitionStream;

use super::files::{Compression, Files};
use crate::progress::count_rows;

/// The number of bytes that are read at once; their rows are one batch.
const BLOCK: usize = 512 * 1024;

/// The length of the longest line.
const LONGEST: usize = 16 * 1024 * 1024;

/// The length from which a file is read in pieces.
const LARGE: u64 = 4 * 1024 * 1024;

/// Opens text files as a table.
pub(super) fn table(files: &Files, partitions: usize) -> io::Result<Arc<dyn TableProvider>> {
    let schema = Arc::new(Schema::new(vec![Field::new("url", DataType::Utf8View, false)]));
    let mut pieces = Vec::new();
    for (path, &compression) in files.paths.iter().zip(&files.compressions) {
        let (name, length) = (files.of_user(path), path.metadata()?.len());
        // Opened to report now that it cannot be read.
        File::open(path)?;
        let count = match compression {
            Compression::None if length >= LARGE => partitions as u64,
            _ => 1,
        };
        pieces.extend((0..count).map(|place| {
            let range = length * place / count..length * (place + 1) / count;
            Piece { path: path.clone(), name: name.clone(), compression, range }
        }));
    }
    let streams = shared(pieces, partitions.max(1))
        .into_iter()
        .map(|pieces| Arc::new(Pieces { schema: Arc::clone(&schema), pieces }) as Arc<dyn PartitionStream>);
    let table = StreamingTable::try_new(Arc::clone(&schema), streams.collect());
    table.map(|table| Arc::new(table) as Arc<dyn TableProvider>).map_err(io::Error::other)
}

/// A part of a file; all of it if it is compressed.
#[derive(Clone, Debug)]
struct Piece {
    path: PathBuf,
    /// The name in messages.
    name: String,
    compression: Compression,
    range: Range<u64>,
}

/// Distributes pieces over partitions, in their order, so that each has about as many bytes.
fn shared(pieces: Vec<Piece>, partitions: usize) -> Vec<Vec<Piece>> {
    let total: u64 = pieces.iter().map(|piece| piece.range.end - piece.range.start).sum();
    let mut shares = vec![Vec::new(); partitions];
    let mut before = 0;
    for piece in pieces {
        let place = (u128::from(before) * partitions as u128 / u128::from(total.max(1))) as usize;
        before += piece.range.end - piece.range.start;
        shares[place.min(partitions - 1)].push(piece);
    }
    shares
}

/// The pieces that a thread reads one after the other.
#[derive(Debug)]
struct Pieces {
    schema: SchemaRef,
    pieces: Vec<Piece>,
}

impl PartitionStream for Pieces {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn execute(&self, _context: Arc<TaskContext>) -> SendableRecordBatchStream {
        let mut stream = RecordBatchReceiverStream::builder(Arc::clone(&self.schema), 2);
        let (sender, schema, pieces) = (stream.tx(), Arc::clone(&self.schema), self.pieces.clone());
        stream.spawn_blocking(move || {
            for piece in pieces {
                let send = |urls: ArrayRef| {
                    count_rows(urls.len());
                    let batch =
                        RecordBatch::try_new(Arc::clone(&schema), vec![urls]).map_err(io::Error::other)?;
                    // Nobody receives more than the query needs: `limit`.
                    Ok(sender.blocking_send(Ok(batch)).is_ok())
                };
                match read(&piece, send) {
                    Ok(true) => {}
                    Ok(false) => break,
                    Err(error) => {
                        let message = format!("{} cannot be read: {error}", piece.name);
                        return Err(DataFusionError::Execution(message));
                    }
                }
            }
            Ok(())
        });
        stream.build()
    }
}

/// Passes the lines of a piece on; returns whether more are wanted.
fn read(piece: &Piece, mut send: impl FnMut(ArrayRef) -> io::Result<bool>) -> io::Result<bool> {
    let mut file = File::open(&piece.path)?;
    let (reader, mut left): (Box<dyn Read>, u64) = match piece.compression {
        Compression::None => {
            let start = skip_line(&mut file, piece.range.start)?;
            (Box::new(file), piece.range.end.saturating_sub(start))
        }
        compressed => {
            let reader = compressed.of_engine().convert_read(file).map_err(io::Error::other)?;
            (Box::new(reader), u64::MAX)
        }
    };
    let mut blocks = Blocks { reader, rest: Vec::new() };
    let mut is_first = piece.range.start == 0;
    while left > 0
        && let Some(mut block) = blocks.next()?
    {
        // A line that begins in this piece ends here, wherever it ends.
        if let Some(before) = usize::try_from(left).ok().filter(|&left| left < block.len()) {
            let end = memchr::memchr(b'\n', &block[before - 1..]).map_or(block.len(), |end| before + end);
            block.truncate(end);
        }
        left = left.saturating_sub(block.len() as u64);
        if std::mem::take(&mut is_first) && block.starts_with(b"\xEF\xBB\xBF") {
            block.drain(..3);
        }
        if !block.is_empty() && !send(rows(block)?)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Moves to the first line that begins at an offset or after it; returns where that is.
fn skip_line(file: &mut File, offset: u64) -> io::Result<u64> {
    let Some(before) = offset.checked_sub(1) else { return Ok(0) };
    file.seek(SeekFrom::Start(before))?;
    let mut reader = BufReader::new(&*file);
    let skipped = reader.skip_until(b'\n')? as u64;
    drop(reader);
    file.seek(SeekFrom::Start(before + skipped))
}

/// Reads blocks of whole lines.
struct Blocks {
    reader: Box<dyn Read>,
    /// The beginning of a line whose end is not read yet.
    rest: Vec<u8>,
}

impl Blocks {
    fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut block = std::mem::take(&mut self.rest);
        loop {
            let known = block.len();
            let count = self.reader.by_ref().take(BLOCK as u64).read_to_end(&mut block)?;
            if count == 0 {
                return Ok((!block.is_empty()).then_some(block));
            }
            if let Some(end) = memchr::memrchr(b'\n', &block[known..]) {
                self.rest = block.split_off(known + end + 1);
                return Ok(Some(block));
            }
            if block.len() > LONGEST {
                return Err(io::Error::other("a line has more than 16 MiB; is it a text file?"));
            }
        }
    }
}

/// Returns the lines of a block as a column, which has the block as its buffer.
fn rows(block: Vec<u8>) -> io::Result<ArrayRef> {
    let buffer = Buffer::from_vec(block);
    let mut urls = StringViewBuilder::new();
    let number = urls.append_block(buffer.clone());
    let mut start = 0;
    let bytes = buffer.as_slice();
    while start < bytes.len() {
        let end = memchr::memchr(b'\n', &bytes[start..]).map_or(bytes.len(), |end| start + end);
        let line = &bytes[start..end];
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        // A block has a line of 16 MiB at most.
        let (offset, length) = (start as u32, line.len() as u32);
        if urls.try_append_view(number, offset, length).is_err() {
            urls.try_append_value(String::from_utf8_lossy(line)).map_err(io::Error::other)?;
        }
        start = end + 1;
    }
    Ok(Arc::new(urls.finish()))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use arrow::array::AsArray;

    use super::*;

    fn lines(piece: &Piece) -> Vec<String> {
        let mut lines = Vec::new();
        let of_batch = |urls: ArrayRef| {
            lines.extend(urls.as_string_view().iter().map(|url| url.unwrap().to_owned()));
            Ok(true)
        };
        assert!(read(piece, of_batch).unwrap());
        lines
    }

    /// Wherever a file is divided, each line is read once.
    #[test]
    fn pieces_have_all_lines() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        let text = "\u{FEFF}http://a/\r\n\nb\nlonger than twelve bytes\r\n\r\n\nx\ny";
        file.write_all(text.as_bytes()).unwrap();
        let wanted = ["http://a/", "", "b", "longer than twelve bytes", "", "", "x", "y"];
        let piece = |range: Range<usize>| Piece {
            path: file.path().to_owned(),
            name: String::new(),
            compression: Compression::None,
            range: range.start as u64..range.end as u64,
        };
        for first in 0..=text.len() {
            for second in first..=text.len() {
                let ranges = [0..first, first..second, second..text.len()];
                let found: Vec<_> = ranges.into_iter().flat_map(|range| lines(&piece(range))).collect();
                assert_eq!(found, wanted, "{first} {second}");
            }
        }
    }

    #[test]
    fn invalid_text_is_replaced() {
        let urls = rows(b"http://a/\xFF and more\nhttp://b/\n".to_vec()).unwrap();
        assert_eq!(urls.as_string_view().value(0), "http://a/\u{FFFD} and more");
        assert_eq!(urls.as_string_view().value(1), "http://b/");
    }

    #[test]
    fn shares_are_about_equal() {
        let piece = |length| Piece {
            path: PathBuf::new(),
            name: String::new(),
            compression: Compression::None,
            range: 0..length,
        };
        let lengths = |pieces: &[u64], partitions| {
            let shares = shared(pieces.iter().copied().map(piece).collect(), partitions);
            shares.iter().map(|share| share.iter().map(|piece| piece.range.end).sum()).collect::<Vec<u64>>()
        };
        assert_eq!(lengths(&[1, 1, 1, 1], 2), [2, 2]);
        assert_eq!(lengths(&[100, 1], 2), [100, 1]);
        assert_eq!(lengths(&[0, 0], 2), [0, 0]);
        assert_eq!(lengths(&[], 3), [0, 0, 0]);
    }
}

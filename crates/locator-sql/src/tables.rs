//! Opens the files that a query names as tables.
//!
//! A name is that of a file, a folder, a pattern with `*` and `?`, or `-`. [`files`] finds the files and
//! their format; those of text are read by [`lines`], others by the engine.

mod files;
mod lines;

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::catalog::TableProvider;
use datafusion::datasource::file_format::FileFormat;
use datafusion::datasource::file_format::csv::CsvFormat;
use datafusion::datasource::file_format::file_compression_type::FileCompressionType;
use datafusion::datasource::file_format::json::JsonFormat;
use datafusion::datasource::file_format::parquet::ParquetFormat;
use datafusion::datasource::listing::{ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl};
use datafusion::error::Result;
use datafusion::execution::context::SessionState;
use datafusion::object_store::{ObjectMeta, ObjectStore, ObjectStoreExt};

use self::files::{Compression, Files};
use crate::arguments::{Arguments, InputFormat};
use crate::failure::{Context, Failure};
use crate::interrupt::Temporary;

/// What opens tables.
pub(crate) struct Tables<'a> {
    arguments: &'a Arguments,
    state: &'a SessionState,
    temporary: &'a Temporary,
    /// How many streams are copied to files.
    copied: usize,
}

impl<'a> Tables<'a> {
    pub(crate) const fn new(
        arguments: &'a Arguments,
        state: &'a SessionState,
        temporary: &'a Temporary,
    ) -> Self {
        Self { arguments, state, temporary, copied: 0 }
    }

    /// Opens a table.
    pub(crate) async fn open(&mut self, name: &str) -> Result<Arc<dyn TableProvider>, Failure> {
        let files = match name {
            "-" => self.copied("standard input", &mut io::stdin().lock())?,
            _ => self.find(name)?,
        };
        match files.format {
            InputFormat::Txt => {
                let partitions = self.state.config().target_partitions();
                lines::table(&files, partitions).map_err(|error| unreadable(&files.name, &error))
            }
            _ => self.listing(&files).await,
        }
    }

    fn find(&mut self, name: &str) -> Result<Files, Failure> {
        let path = Path::new(name);
        let is_stream = path.metadata().is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir());
        if is_stream {
            let mut stream = File::open(path).map_err(|error| unreadable(name, &error))?;
            return self.copied(name, &mut stream);
        }
        files::find(name, self.arguments.input_format)
    }

    /// Copies what can be read only once to a temporary file.
    fn copied(&mut self, name: &str, stream: &mut dyn Read) -> Result<Files, Failure> {
        let path = self.temporary.path().join(format!("input-{}", self.copied));
        self.copied += 1;
        let format = self.arguments.input_format.unwrap_or(InputFormat::Txt);
        let copy = || {
            let mut file = File::options().read(true).write(true).create_new(true).open(&path)?;
            io::copy(stream, &mut file)?;
            Compression::of_content(&mut file)
        };
        let compression = { copy }().map_err(|error| unreadable(name, &error))?;
        let files =
            Files { name: name.to_owned(), paths: vec![path], format, compressions: vec![compression] };
        Ok(files)
    }

    /// Opens a table of files whose format the engine reads.
    async fn listing(&self, files: &Files) -> Result<Arc<dyn TableProvider>, Failure> {
        let format = self.format(files)?;
        if files.format == InputFormat::Parquet {
            files.paths.iter().try_for_each(|path| check_parquet(path, &files.of_user(path)))?;
        }
        let schema = self.schema(files, &format).await?;
        let engine = |error| Context::NOTHING.failure(&error);
        let urls = files.paths.iter().map(|path| url(path)).collect::<Result<Vec<_>, _>>()?;
        let options = ListingOptions::new(format).with_file_extension("");
        let config = ListingTableConfig::new_with_multi_paths(urls).with_listing_options(options);
        Ok(Arc::new(ListingTable::try_new(config.with_schema(schema)).map_err(engine)?))
    }

    fn format(&self, files: &Files) -> Result<Arc<dyn FileFormat>, Failure> {
        let compression = files.compression()?;
        let separated = |delimiter| {
            // A line end in quotes is part of a value; so files are not read in pieces.
            CsvFormat::default()
                .with_has_header(!self.arguments.no_header)
                .with_delimiter(delimiter)
                .with_newlines_in_values(true)
                .with_file_compression_type(compression)
        };
        Ok(match files.format {
            InputFormat::Parquet if compression != FileCompressionType::UNCOMPRESSED => {
                return Err(Failure::new(format!(
                    "{}: Parquet is not read compressed; decompress it first",
                    files.name
                )));
            }
            InputFormat::Parquet => Arc::new(ParquetFormat::default()),
            InputFormat::Csv => Arc::new(separated(b',')),
            InputFormat::Tsv => Arc::new(separated(b'\t')),
            InputFormat::Ndjson | InputFormat::Txt => {
                Arc::new(JsonFormat::default().with_file_compression_type(compression))
            }
        })
    }

    /// Returns the columns of all files together.
    async fn schema(&self, files: &Files, format: &Arc<dyn FileFormat>) -> Result<SchemaRef, Failure> {
        let of_file = |path: &Path, error: &dyn std::fmt::Display| unreadable(&files.of_user(path), error);
        let first = files.paths.first().ok_or_else(|| Failure::new(format!("{}: no files", files.name)))?;
        let store = url(first)?.object_store();
        let store: Arc<dyn ObjectStore> =
            self.state.runtime_env().object_store(store).map_err(|error| of_file(first, &error.message()))?;
        let mut metas: Vec<ObjectMeta> = Vec::new();
        for path in &files.paths {
            metas.push(store.head(url(path)?.prefix()).await.map_err(|error| of_file(path, &error))?);
        }
        let schema = match format.infer_schema(self.state, &store, &metas).await {
            Ok(schema) => schema,
            Err(error) => {
                // The message does not name the file.
                for (path, meta) in files.paths.iter().zip(&metas) {
                    if let Err(error) =
                        format.infer_schema(self.state, &store, std::slice::from_ref(meta)).await
                    {
                        return Err(of_file(path, &sentence(&error)));
                    }
                }
                return Err(Failure::new(format!(
                    "{}: the files have different columns: {}",
                    files.name,
                    sentence(&error)
                )));
            }
        };
        let is_separated = matches!(files.format, InputFormat::Csv | InputFormat::Tsv);
        if schema.fields().is_empty() {
            return Err(Failure::new(format!("{}: there are no columns; is the file empty?", files.name)));
        }
        Ok(if is_separated && self.arguments.all_text { of_texts(&schema) } else { schema })
    }
}

fn sentence(error: &datafusion::error::DataFusionError) -> String {
    match Context::NOTHING.failure(error) {
        Failure::Message(message) => message,
        Failure::ClosedPipe => String::new(),
    }
}

fn of_texts(schema: &Schema) -> SchemaRef {
    let fields = schema.fields().iter();
    Arc::new(Schema::new(
        fields.map(|field| Field::new(field.name(), DataType::Utf8View, true)).collect::<Vec<_>>(),
    ))
}

fn unreadable(name: &str, error: &(impl std::fmt::Display + ?Sized)) -> Failure {
    Failure::new(format!("{name} cannot be read: {error}"))
}

/// Returns the URL of a file. Its characters stand for themselves, also `*`.
fn url(path: &Path) -> Result<ListingTableUrl, Failure> {
    let wrong = |why: &dyn std::fmt::Display| unreadable(&path.display().to_string(), why);
    let absolute = std::path::absolute(path).map_err(|error| wrong(&error))?;
    let url = url::Url::from_file_path(&absolute).map_err(|()| wrong(&"its path is not absolute"))?;
    ListingTableUrl::try_new(url, None).map_err(|error| wrong(&error.message()))
}

/// Checks that a Parquet file has its end, which a file that is still written lacks: the length of the
/// metadata before it, and a mark.
fn check_parquet(path: &Path, name: &str) -> Result<(), Failure> {
    const MAGIC: &[u8] = b"PAR1";
    /// The mark at the beginning, the length and the mark at the end.
    const LEAST: u64 = 12;
    let ends = || -> io::Result<([u8; 4], [u8; 8], u64)> {
        let (mut first, mut last) = ([0; 4], [0; 8]);
        let mut file = File::open(path)?;
        file.read_exact(&mut first)?;
        let length = file.seek(SeekFrom::End(-8))? + 8;
        file.read_exact(&mut last)?;
        Ok((first, last, length))
    };
    let (first, last, length) = match ends() {
        Ok(ends) => ends,
        Err(error) if matches!(error.kind(), io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidInput) => {
            return Err(Failure::new(format!("{name} is not a Parquet file: it is too short")));
        }
        Err(error) => return Err(unreadable(name, &error)),
    };
    let ([a, b, c, d, ..], is_complete) = (last, last.ends_with(MAGIC));
    let metadata = u64::from(u32::from_le_bytes([a, b, c, d]));
    match first == MAGIC {
        false => Err(Failure::new(format!("{name} is not a Parquet file: it does not begin with PAR1"))),
        true if !is_complete => Err(Failure::new(format!(
            "{name} is not complete: it does not end with PAR1; wait until it is completely written"
        ))),
        true if metadata + LEAST > length => {
            Err(Failure::new(format!("{name} is damaged: its metadata would be longer than the file")))
        }
        true => Ok(()),
    }
}

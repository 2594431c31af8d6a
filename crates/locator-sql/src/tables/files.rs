//! Which files a name is, and which format they have.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};

use datafusion::datasource::file_format::file_compression_type::FileCompressionType;
use walkdir::WalkDir;

use crate::arguments::InputFormat;
use crate::failure::Failure;
use crate::names::nearest;

/// The files of a table, of one format.
pub(super) struct Files {
    /// The name in the query.
    pub(super) name: String,
    pub(super) paths: Vec<PathBuf>,
    pub(super) format: InputFormat,
    /// That of each file.
    pub(super) compressions: Vec<Compression>,
}

/// How a file is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compression {
    None,
    Gzip,
    Zstd,
}

impl Compression {
    /// Returns the compression by the first bytes of a file.
    pub(super) fn of_content(file: &mut File) -> io::Result<Self> {
        let mut first = Vec::new();
        file.rewind()?;
        file.take(4).read_to_end(&mut first)?;
        Ok(match first.as_slice() {
            [0x1F, 0x8B, ..] => Self::Gzip,
            [0x28, 0xB5, 0x2F, 0xFD] => Self::Zstd,
            _ => Self::None,
        })
    }

    pub(super) const fn of_engine(self) -> FileCompressionType {
        match self {
            Self::None => FileCompressionType::UNCOMPRESSED,
            Self::Gzip => FileCompressionType::GZIP,
            Self::Zstd => FileCompressionType::ZSTD,
        }
    }
}

impl Files {
    /// Returns the compression of all files; an error if they differ.
    pub(super) fn compression(&self) -> Result<FileCompressionType, Failure> {
        let first = self.compressions.first().copied().unwrap_or(Compression::None);
        match self.compressions.iter().all(|&compression| compression == first) {
            true => Ok(first.of_engine()),
            false => Err(Failure::new(format!(
                "{}: some files are compressed and others are not; name them one by one, with union all",
                self.name
            ))),
        }
    }

    /// Returns the name of a file in messages: that of a stream is not the temporary file's.
    pub(super) fn of_user(&self, path: &Path) -> String {
        match self.paths.len() {
            1 => self.name.clone(),
            _ => path.display().to_string(),
        }
    }
}

/// Finds the files of a name.
pub(super) fn find(name: &str, input_format: Option<InputFormat>) -> Result<Files, Failure> {
    let path = Path::new(name);
    let paths = match path.metadata() {
        Ok(metadata) if metadata.is_dir() => of_folder(path)?,
        Ok(_) => vec![path.to_owned()],
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(Failure::new(format!("{name} cannot be read: {error}")));
        }
        Err(_) if name.contains(['*', '?', '[']) => of_pattern(name)?,
        Err(_) => return Err(no_file(path)),
    };
    let kinds = paths.iter().map(|path| kind(path, input_format)).collect::<Result<Vec<_>, _>>()?;
    let Some((format, _)) = kinds.first().copied() else {
        return Err(Failure::new(format!("{name}: no file in it has a format that is known")));
    };
    if let Some(place) = kinds.iter().position(|(other, _)| *other != format) {
        return Err(Failure::new(format!(
            "{name}: the files have different formats: {}, {}",
            paths[0].display(),
            paths[place].display()
        )));
    }
    let compressions = kinds.into_iter().map(|(_, compression)| compression).collect();
    Ok(Files { name: name.to_owned(), paths, format, compressions })
}

/// Returns the files of a folder and of its folders that have a known format, in the order of their names.
fn of_folder(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let is_hidden = |name: &str| name.starts_with(['.', '_']);
    let mut paths = Vec::new();
    let entries = WalkDir::new(folder).follow_links(true).sort_by_file_name().into_iter();
    let entries =
        entries.filter_entry(|entry| entry.depth() == 0 || !is_hidden(&entry.file_name().to_string_lossy()));
    for entry in entries {
        let entry =
            entry.map_err(|error| Failure::new(format!("{} cannot be read: {error}", folder.display())))?;
        if entry.file_type().is_file() && kind(entry.path(), None).is_ok() {
            paths.push(entry.into_path());
        }
    }
    Ok(paths)
}

/// Returns the files that a pattern matches.
fn of_pattern(pattern: &str) -> Result<Vec<PathBuf>, Failure> {
    let options = glob::MatchOptions {
        require_literal_separator: true,
        require_literal_leading_dot: true,
        ..Default::default()
    };
    let found = glob::glob_with(pattern, options);
    let found = found.map_err(|error| Failure::new(format!("{pattern} is not a pattern: {error}")))?;
    let mut paths = Vec::new();
    for path in found {
        let path = path.map_err(|error| Failure::new(error.to_string()))?;
        if path.is_file() {
            paths.push(path);
        }
    }
    match paths.is_empty() {
        true => Err(Failure::new(format!("no file matches {pattern}"))),
        false => Ok(paths),
    }
}

/// Returns the format and the compression of a file, by its name.
fn kind(path: &Path, input_format: Option<InputFormat>) -> Result<(InputFormat, Compression), Failure> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let compressions = [(".gz", Compression::Gzip), (".zst", Compression::Zstd)];
    let compressed =
        compressions.into_iter().find_map(|(end, compression)| Some((name.strip_suffix(end)?, compression)));
    let (name, compression) = compressed.unwrap_or((&name, Compression::None));
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let format = match extension {
        "parquet" => InputFormat::Parquet,
        "csv" => InputFormat::Csv,
        "tsv" => InputFormat::Tsv,
        "ndjson" | "jsonl" => InputFormat::Ndjson,
        "txt" => InputFormat::Txt,
        _ => match input_format {
            Some(format) => format,
            None => {
                let path = path.display();
                return Err(Failure::new(format!(
                    "{path}: its name does not tell its format; use --input-format parquet, csv, tsv, ndjson or txt"
                )));
            }
        },
    };
    Ok((format, compression))
}

/// Returns the error for a file that does not exist, with the name of a similar one.
fn no_file(path: &Path) -> Failure {
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let names = folder.unwrap_or_else(|| Path::new(".")).read_dir().into_iter().flatten().flatten();
    let names: Vec<_> = names.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    let wanted = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let known = || names.iter().map(String::as_str);
    let begins = known().filter(|name| name.strip_prefix(&*wanted).is_some_and(|rest| rest.starts_with('.')));
    let near = begins.min().or_else(|| nearest(&wanted, known()));
    let hint = near.map(|near| path.with_file_name(near));
    let hint = hint.map_or_else(String::new, |near| format!("; did you mean '{}'?", near.display()));
    Failure::new(format!("no file '{}'{hint}", path.display()))
}

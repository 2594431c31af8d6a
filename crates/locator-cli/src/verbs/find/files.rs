//! Finds the files to search: those given as arguments, those in lists and those in directories.
//!
//! Types are the formats that `find` reads, recognised by name or first bytes, and ripgrep's types,
//! recognised by name only.
//!
//! The rules about ignored files are limited: the crate `ignore` reads each `.gitignore` as a whole and
//! needs up to two hundred times its length, so a directory with too many rules is not searched.

use std::collections::HashMap;
use std::error::Error;
use std::fs::{self, File, FileType};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::mem;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Builder};

use ignore::overrides::OverrideBuilder;
use ignore::types::{self, TypesBuilder};
use ignore::{DirEntry, WalkBuilder, WalkState};
use locator_find::Format;

use crate::exit::{CliError, say_error};
use crate::input::paths;
use crate::terminal::visible;
use crate::verbs::find::arguments::{FileArgs, Order, SortWord};

/// A file found in the walk, or an error.
pub(in crate::verbs) type WalkEntry = Result<DirEntry, ignore::Error>;

/// Processes the files that one thread finds, until it breaks.
pub(in crate::verbs) trait FileVisitor: Send {
    fn visit(&mut self, step: WalkEntry) -> ControlFlow<()>;
}

/// Walks through all paths; each thread has its own visitor.
pub(in crate::verbs) fn walk<V: FileVisitor>(
    places: &FileArgs,
    paths: &[impl AsRef<Path>],
    visitor: impl Fn() -> V + Sync,
) -> Result<(), CliError> {
    let rules = Arc::new(IgnoreLimits::default());
    let is_allowed = |path: &&Path| places.no_ignore || rules.allow_root(path);
    let paths: Vec<_> = paths.iter().map(AsRef::as_ref).filter(is_allowed).collect();
    if !paths.is_empty() {
        let mut builder = builder(places, &paths)?;
        if !places.no_ignore {
            rules.limit(&mut builder);
        }
        walk_all(places, &paths, &builder, &visitor)?;
    }
    let mut visitor = visitor();
    let _ = rules.refused().into_iter().try_for_each(|error| visitor.visit(Err(error)));
    Ok(())
}

fn walk_all<V: FileVisitor>(
    places: &FileArgs,
    paths: &[&Path],
    builder: &WalkBuilder,
    visitor: &(impl Fn() -> V + Sync),
) -> Result<(), CliError> {
    let order = places.rules.order();
    let is_sorted = order.by != SortWord::None;
    let is_one = paths.len() == 1 && !paths[0].is_dir();
    if is_sorted || is_one || places.threads == 1 {
        let mut visitor = visitor();
        if order.by == SortWord::Modified || is_sorted && order.is_reversed {
            let _ = ordered(builder.build(), order).into_iter().try_for_each(|step| visitor.visit(step));
            return Ok(());
        }
        let _ = builder.build().try_for_each(|step| visitor.visit(step));
        return Ok(());
    }
    check_threads(places.threads.into())?;
    builder.build_parallel().run(|| {
        let mut visitor = visitor();
        Box::new(move |step| match visitor.visit(step) {
            ControlFlow::Continue(()) => WalkState::Continue,
            ControlFlow::Break(()) => WalkState::Quit,
        })
    });
    Ok(())
}

/// Sees that so many threads can be started at all: where one cannot, the walk would end the
/// program.
fn check_threads(threads: usize) -> Result<(), CliError> {
    let gate = Mutex::new(());
    let closed = gate.lock();
    let started = thread::scope(|scope| {
        let start = |_| Builder::new().spawn_scoped(scope, || drop(gate.lock())).map(drop);
        let started = (0..threads).try_for_each(start);
        drop(closed);
        started
    });
    started.map_err(|error| {
        say_error(&format!("-j {threads}: cannot start that many threads: {error}"));
        CliError::Reported
    })
}

/// All steps in the order of their paths or of the times of the last change; what cannot be read
/// comes first.
fn ordered(walk: ignore::Walk, Order { by, is_reversed }: Order) -> Vec<WalkEntry> {
    let changed = |entry: &DirEntry| match by {
        SortWord::Modified => entry.path().metadata().and_then(|of| of.modified()).ok(),
        _ => None,
    };
    let mut keyed: Vec<_> = walk.map(|step| (step.as_ref().ok().and_then(changed), step)).collect();
    // The walk is in the order of paths, which a stable sort keeps for equal keys.
    keyed.sort_by(|(a, of_a), (b, of_b)| of_a.is_ok().cmp(&of_b.is_ok()).then(a.cmp(b)));
    if is_reversed {
        let first = keyed.iter().take_while(|(_, step)| step.is_err()).count();
        keyed[first..].reverse();
    }
    keyed.into_iter().map(|(_, step)| step).collect()
}

fn builder(places: &FileArgs, paths: &[&Path]) -> Result<WalkBuilder, CliError> {
    let mut globs = OverrideBuilder::new(std::env::current_dir().unwrap_or_default());
    for glob in &places.glob {
        globs.add(glob).map_err(|error| refused(glob, &error))?;
    }
    let globs = globs.build().map_err(|error| refused("", &error))?;
    let mut builder = WalkBuilder::from_iter(paths);
    let heeds = !places.no_ignore;
    builder
        .hidden(!places.hidden)
        .ignore(heeds)
        .git_ignore(heeds)
        .git_global(heeds)
        .git_exclude(heeds)
        .parents(heeds)
        .follow_links(places.follow)
        .max_depth(places.max_depth)
        .max_filesize(places.rules.max_filesize)
        .threads(places.threads.into())
        .overrides(globs)
        // Do not search the file that the results are written to.
        .skip_stdout(true);
    for file in &places.rules.ignore_file {
        // A file given with --ignore-file applies even with --no-ignore.
        if let Some(error) = check_given(file).err().or_else(|| builder.add_ignore(file)) {
            say_error(&format!("--ignore-file {}", reason(&error)));
            return Err(CliError::Reported);
        }
    }
    if places.rules.order().by != SortWord::None {
        builder.sort_by_file_path(Path::cmp);
    }
    Ok(builder)
}

fn refused(glob: &str, error: &ignore::Error) -> CliError {
    say_error(&format!("--glob \"{}\": {}", visible(glob), visible(&error.to_string())));
    CliError::Reported
}

/// Returns why a file cannot be searched.
pub(in crate::verbs) fn reason(error: &ignore::Error) -> String {
    let (mut path, mut error) = (None, error);
    loop {
        match error {
            ignore::Error::WithPath { path: of, err } => (path, error) = (Some(of.as_path()), &**err),
            ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => error = err,
            _ => break,
        }
    }
    let why = match error {
        ignore::Error::Io(error) => first(error),
        ignore::Error::Loop { ancestor, child } => {
            path = Some(child);
            format!("it is a symbolic link to \"{}\", which contains it", ancestor.to_string_lossy())
        }
        error => error.to_string(),
    };
    let name = path.map(|path| path.to_string_lossy());
    let is_url = name.as_ref().is_some_and(|name| name.contains("://"));
    let hint = if is_url {
        "; find reads files: to search a page, use 'locator get URL | locator find'"
    } else {
        ""
    };
    let what = name.map(|name| format!("\"{}\" ", visible(&name)));
    format!("{}cannot be read: {}{hint}", what.unwrap_or_default(), visible(&why))
}

/// Returns the system's message, without context added by libraries.
fn first(error: &io::Error) -> String {
    error.source().map_or_else(|| error.to_string(), ToString::to_string)
}

/// How long a list of files may be.
const LONGEST_LIST: u64 = 64 << 20;

/// The paths in all of the lists: one a line or, where there is a NUL, each with NUL after it, as
/// `find -print0` writes. A name in a list is always that of a file: "-" is one, too.
pub(in crate::verbs) fn paths_in_lists(lists: &[PathBuf]) -> Result<Vec<PathBuf>, CliError> {
    let mut paths = Vec::new();
    for list in lists {
        let octets = octets_of(list).map_err(|error| CliError::Reading {
            what: match is_stdin(list) {
                true => "standard input".to_owned(),
                false => format!("--files-from \"{}\"", visible(&list.to_string_lossy())),
            },
            error,
        })?;
        let end = if octets.contains(&0) { 0 } else { b'\n' };
        let names = octets.split(|octet| *octet == end).filter(|name| !name.is_empty());
        paths.extend(names.filter_map(path_of));
    }
    Ok(paths)
}

fn is_stdin(list: &Path) -> bool {
    list == Path::new("-")
}

fn octets_of(list: &Path) -> io::Result<Vec<u8>> {
    let mut octets = Vec::new();
    match is_stdin(list) {
        true => io::stdin().lock().take(LONGEST_LIST + 1).read_to_end(&mut octets)?,
        false => File::open(list)?.take(LONGEST_LIST + 1).read_to_end(&mut octets)?,
    };
    match octets.len() as u64 > LONGEST_LIST {
        true => Err(io::Error::new(io::ErrorKind::InvalidData, "it is longer than 64 MiB")),
        false => Ok(octets),
    }
}

fn path_of(name: &[u8]) -> Option<PathBuf> {
    if name == b"-" {
        return Some("./-".into());
    }
    let name = name.strip_suffix(b"\r").filter(|_| cfg!(windows)).unwrap_or(name);
    paths::native(name).map(PathBuf::from)
}

/// The types of files that are searched.
pub(in crate::verbs) struct Types {
    wanted: TypeFilter,
    unwanted: TypeFilter,
    /// Formats that globs were added to, and the globs.
    added: Vec<(Format, types::Types)>,
}

/// The types of a `-t` or `-T` option.
struct TypeFilter {
    formats: Vec<Format>,
    by_name: types::Types,
}

impl Types {
    /// Those that the command line names.
    pub(in crate::verbs) fn new(places: &FileArgs) -> Result<Self, CliError> {
        let added = &places.rules.type_add;
        Ok(Self {
            wanted: TypeFilter::new(&places.types, added)?,
            unwanted: TypeFilter::new(&places.type_not, added)?,
            added: formats(added)?,
        })
    }

    /// Returns the format by file name, including added globs.
    pub(in crate::verbs) fn format_of_path(&self, path: &Path) -> Option<Format> {
        self.added_format(path).or_else(|| Format::of_path(path))
    }

    /// The format of a file that begins so; none if it is binary.
    pub(in crate::verbs) fn format_of(&self, path: &Path, first: &[u8]) -> Option<Format> {
        let format = Format::of(path, first)?;
        Some(self.added_format(path).unwrap_or(format))
    }

    fn added_format(&self, path: &Path) -> Option<Format> {
        let has = |globs: &types::Types| globs.matched(path, false).is_whitelist();
        self.added.iter().find(|(_, globs)| has(globs)).map(|(format, _)| *format)
    }

    /// Returns whether a file is searched; `None` if that depends on its format.
    pub(in crate::verbs) fn wants(&self, path: &Path, format: Option<Format>) -> Option<bool> {
        match (self.unwanted.has(path, format), self.wanted.is_empty()) {
            (Some(true), _) => Some(false),
            (unwanted, true) => unwanted.map(|unwanted| !unwanted),
            (unwanted, false) => match self.wanted.has(path, format) {
                Some(true) => unwanted.map(|_| true),
                wanted => wanted,
            },
        }
    }

    /// The format that is wanted, if it is one.
    pub(in crate::verbs) fn format(&self) -> Option<Format> {
        match self.wanted.formats[..] {
            [format] if self.wanted.by_name.is_empty() => Some(format),
            _ => None,
        }
    }
}

impl TypeFilter {
    fn new(names: &[String], added: &[String]) -> Result<Self, CliError> {
        let mut builder = types_builder(added)?;
        let mut formats = Vec::new();
        for name in names {
            match Format::from_name(name) {
                Some(format) => formats.push(format),
                None => drop(builder.select(name)),
            }
        }
        let by_name = builder.build().map_err(|error| no_type(&error))?;
        Ok(Self { formats, by_name })
    }

    fn is_empty(&self) -> bool {
        self.formats.is_empty() && self.by_name.is_empty()
    }

    fn has(&self, path: &Path, format: Option<Format>) -> Option<bool> {
        if self.by_name.matched(path, false).is_whitelist() {
            return Some(true);
        }
        if self.formats.is_empty() {
            return Some(false);
        }
        format.map(|format| self.formats.contains(&format))
    }
}

/// ripgrep's types, and those that are added to them.
fn types_builder(added: &[String]) -> Result<TypesBuilder, CliError> {
    let mut builder = TypesBuilder::new();
    builder.add_defaults();
    for one in added {
        builder.add_def(one).map_err(|_| {
            let how =
                "expected TYPE:GLOB or TYPE:include:TYPE,TYPE, with only letters and digits in type names";
            say_error(&format!("--type-add \"{}\": {how}", visible(one)));
            CliError::Reported
        })?;
    }
    Ok(builder)
}

/// The formats that globs are added to.
fn formats(added: &[String]) -> Result<Vec<(Format, types::Types)>, CliError> {
    let mut formats = Vec::new();
    for one in added {
        let name = one.split(':').next().unwrap_or_default();
        let Some(format) = Format::from_name(name) else { continue };
        let mut globs = TypesBuilder::new();
        // What it includes must be there.
        if one.contains(":include:") {
            globs.add_defaults();
            globs.clear(name);
        }
        let _ = globs.add_def(one);
        globs.select(name);
        formats.push((format, globs.build().map_err(|error| no_type(&error))?));
    }
    Ok(formats)
}

fn no_type(error: &ignore::Error) -> CliError {
    match error {
        ignore::Error::UnrecognizedFileType(name) => {
            say_error(&format!("unknown type \"{}\"; see 'locator find --type-list'", visible(name)));
        }
        error => say_error(&error.to_string()),
    }
    CliError::Reported
}

/// Writes all types: the formats first.
pub(in crate::verbs) fn list_types(added: &[String], out: &mut impl Write) -> Result<(), CliError> {
    let of_format = |name: &str, one: &&String| one.split_once(':').is_some_and(|(of, _)| of == name);
    for format in Format::ALL {
        let endings = format.extensions().iter().chain(format.sections());
        let added = added.iter().filter(|one| of_format(format.name(), one));
        let added = added.filter_map(|one| one.split_once(':')).map(|(_, glob)| glob.to_owned());
        let names: Vec<_> = endings.map(|one| format!("*.{one}")).chain(added).collect();
        let content = if format.is_detected_by_content() { ", and by content" } else { "" };
        writeln!(out, "{}: {}{content}", format.name(), names.join(", "))?;
    }
    let of_ripgrep = types_builder(added)?.definitions();
    for definition in of_ripgrep.iter().filter(|definition| Format::from_name(definition.name()).is_none()) {
        writeln!(out, "{}: {}", definition.name(), definition.globs().join(", "))?;
    }
    Ok(())
}

/// The maximum length of the rules that apply to a directory: its own and those of the directories
/// around it.
const LONGEST_RULES: u64 = 512 << 10;

/// The length of the rules of directories, and the directories that have too many.
#[derive(Debug, Default)]
struct IgnoreLimits {
    /// The length of the rules that apply in a directory, if it has any.
    lengths: Mutex<HashMap<PathBuf, u64>>,
    refused: Mutex<Vec<ignore::Error>>,
}

impl IgnoreLimits {
    /// Sets that a walk does not enter directories with too many rules.
    fn limit(self: &Arc<Self>, builder: &mut WalkBuilder) {
        let rules = Arc::clone(self);
        builder.filter_entry(move |entry: &DirEntry| {
            !entry.file_type().is_some_and(|of| of.is_dir()) || rules.allow(entry.path())
        });
    }

    /// Returns whether a named directory can be searched, and notes it if not.
    fn allow_root(&self, path: &Path) -> bool {
        if !path.is_dir() {
            return true;
        }
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let around =
            absolute.ancestors().skip(1).fold(0, |sum, path| Rules::of(path).length.saturating_add(sum));
        self.allow_within(path, around)
    }

    fn allow(&self, path: &Path) -> bool {
        let around = path.parent().and_then(|parent| locked(&self.lengths).get(parent).copied());
        self.allow_within(path, around.unwrap_or_default())
    }

    fn allow_within(&self, path: &Path, around: u64) -> bool {
        let Rules { last, length } = Rules::of(path);
        let length = length.saturating_add(around);
        if length > LONGEST_RULES {
            let file = last.unwrap_or_else(|| path.to_owned());
            locked(&self.refused).push(too_long(&file, "; its directory is not searched (see --no-ignore)"));
            return false;
        }
        if length > 0 {
            locked(&self.lengths).insert(path.to_owned(), length);
        }
        true
    }

    /// Returns the errors of the directories that were not entered.
    fn refused(&self) -> Vec<ignore::Error> {
        mem::take(&mut *locked(&self.refused))
    }
}

/// Returns an error if a file given with `--ignore-file` is too long. A pipe is read as it is.
fn check_given(path: &Path) -> Result<(), ignore::Error> {
    let is_pipe = fs::metadata(path).is_ok_and(|of| is_pipe(of.file_type()));
    if is_pipe || length_of(path) <= LONGEST_RULES { Ok(()) } else { Err(too_long(path, "")) }
}

fn too_long(path: &Path, what: &str) -> ignore::Error {
    let why = format!("the ignore rules are longer than {} KiB{what}", LONGEST_RULES >> 10);
    let error = io::Error::new(io::ErrorKind::InvalidData, why);
    ignore::Error::WithPath { path: path.to_owned(), err: Box::new(ignore::Error::Io(error)) }
}

/// The ignore rules of a directory itself.
#[derive(Default)]
struct Rules {
    /// The last file that has some.
    last: Option<PathBuf>,
    /// The length of all.
    length: u64,
}

impl Rules {
    fn of(directory: &Path) -> Self {
        let git = directory.join(".git");
        let of_git = match git.symlink_metadata() {
            Ok(_) if git.is_dir() => vec![git.join("info/exclude")],
            Ok(_) => of_git_file(git),
            Err(_) => Vec::new(),
        };
        let files = [directory.join(".ignore"), directory.join(".gitignore")].into_iter().chain(of_git);
        files.fold(Self::default(), |rules, file| match length_of(&file) {
            0 => rules,
            length => Self { last: Some(file), length: length.saturating_add(rules.length) },
        })
    }
}

/// Returns the files that are read for a `.git` that names another directory.
fn of_git_file(file: PathBuf) -> Vec<PathBuf> {
    let first = |path: &Path| {
        let mut line = String::new();
        let most = (length_of(path) <= LONGEST_RULES).then_some(LONGEST_RULES)?;
        BufReader::new(File::open(path).ok()?.take(most)).read_line(&mut line).ok()?;
        Some(line.trim_end_matches(['\r', '\n']).to_owned())
    };
    let directory = first(&file).and_then(|line| Some(PathBuf::from(line.strip_prefix("gitdir: ")?)));
    let Some(directory) = directory else { return vec![file] };
    let common = directory.join("commondir");
    let exclude = first(&common).map(|line| directory.join(line).join("info/exclude"));
    [file, common].into_iter().chain(exclude).collect()
}

/// Returns the length of a file: 0 if it does not exist, and the maximum for what has no length.
fn length_of(path: &Path) -> u64 {
    match fs::metadata(path) {
        Ok(of) if of.is_file() => of.len(),
        Ok(of) if of.is_dir() => 0,
        Ok(_) if fs::canonicalize(path).is_ok_and(|path| path == Path::new("/dev/null")) => 0,
        Ok(_) => u64::MAX,
        Err(_) => 0,
    }
}

#[cfg(unix)]
fn is_pipe(of: FileType) -> bool {
    use std::os::unix::fs::FileTypeExt;
    of.is_fifo()
}

#[cfg(not(unix))]
fn is_pipe(_: FileType) -> bool {
    false
}

fn locked<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

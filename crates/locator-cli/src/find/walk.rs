//! Files and directories in, every file that is to be looked into out, in the threads that look.

use std::error::Error;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;
use std::thread::{self, Builder};

use ignore::overrides::OverrideBuilder;
use ignore::{DirEntry, WalkBuilder, WalkState};

use crate::arguments::{Places, SortWord};
use crate::exit::{Trouble, say};
use crate::show::visible;

/// What is found on the way: a file, or why there is none.
pub(super) type Step = Result<DirEntry, ignore::Error>;

/// Takes the files that one thread comes upon, until it has enough.
pub(super) trait Visit: Send {
    fn visit(&mut self, step: Step) -> ControlFlow<()>;
}

/// Walks through all that is named; each thread has a visitor of its own.
pub(super) fn walk<V: Visit>(
    places: &Places,
    paths: &[impl AsRef<Path>],
    visitor: impl Fn() -> V + Sync,
) -> Result<(), Trouble> {
    let builder = builder(places, paths)?;
    let is_sorted = places.sort == SortWord::Path;
    let is_one = paths.len() == 1 && !paths[0].as_ref().is_dir();
    if is_sorted || is_one || places.threads == 1 {
        let mut visitor = visitor();
        let _ = builder.build().try_for_each(|step| visitor.visit(step));
        return Ok(());
    }
    check_threads(places.threads)?;
    builder.build_parallel().run(|| {
        let mut visitor = visitor();
        Box::new(move |step| match visitor.visit(step) {
            ControlFlow::Continue(()) => WalkState::Continue,
            ControlFlow::Break(()) => WalkState::Quit,
        })
    });
    Ok(())
}

/// Sees that so many threads can be started at all: where one cannot, the walk would end the program.
fn check_threads(threads: usize) -> Result<(), Trouble> {
    let gate = Mutex::new(());
    let closed = gate.lock();
    let started = thread::scope(|scope| {
        let start = |_| Builder::new().spawn_scoped(scope, || drop(gate.lock())).map(drop);
        let started = (0..threads).try_for_each(start);
        drop(closed);
        started
    });
    started.map_err(|error| {
        say(&format!("-j {threads}: so many threads cannot be started: {error}"));
        Trouble::Told
    })
}

fn builder(places: &Places, paths: &[impl AsRef<Path>]) -> Result<WalkBuilder, Trouble> {
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
        .threads(places.threads)
        .overrides(globs)
        // Who writes the answers into the directory that is searched does not want them found.
        .skip_stdout(true);
    if places.sort == SortWord::Path {
        builder.sort_by_file_path(Path::cmp);
    }
    Ok(builder)
}

fn refused(glob: &str, error: &ignore::Error) -> Trouble {
    say(&format!("--glob \"{}\": {}", visible(glob), visible(&error.to_string())));
    Trouble::Told
}

/// Says why something cannot be looked into.
pub(super) fn reason(error: &ignore::Error) -> String {
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
            format!("it is a link to \"{}\", which it is in", ancestor.to_string_lossy())
        }
        error => error.to_string(),
    };
    let what = path.map(|path| format!("\"{}\" ", visible(&path.to_string_lossy())));
    format!("{}cannot be read: {}", what.unwrap_or_default(), visible(&why))
}

/// What the system said, without the words of those who passed it on.
fn first(error: &io::Error) -> String {
    error.source().map_or_else(|| error.to_string(), ToString::to_string)
}

//! Files and directories in, every file that is to be looked into out, in the threads that look.

use std::error::Error;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;
use std::thread::{self, Builder};

use ignore::overrides::OverrideBuilder;
use ignore::{DirEntry, WalkBuilder, WalkState};

use crate::arguments::{Order, Places, SortWord};
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
    let order = places.rules.order();
    let is_sorted = order.by != SortWord::None;
    let is_one = paths.len() == 1 && !paths[0].as_ref().is_dir();
    if is_sorted || is_one || places.threads == 1 {
        let mut visitor = visitor();
        if order.by == SortWord::Modified || is_sorted && order.is_reversed {
            let _ = ordered(builder.build(), order).into_iter().try_for_each(|step| visitor.visit(step));
            return Ok(());
        }
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

/// All steps in the order of their paths or of the times of the last change; what cannot be read comes first.
fn ordered(walk: ignore::Walk, Order { by, is_reversed }: Order) -> Vec<Step> {
    let changed = |entry: &DirEntry| match by {
        SortWord::Modified => entry.path().metadata().and_then(|of| of.modified()).ok(),
        _ => None,
    };
    let mut keyed: Vec<_> = walk.map(|step| (step.as_ref().ok().and_then(changed), step)).collect();
    // The walk is in the order of paths, which the last word is left to.
    keyed.sort_by(|(a, of_a), (b, of_b)| of_a.is_ok().cmp(&of_b.is_ok()).then(a.cmp(b)));
    if is_reversed {
        let first = keyed.iter().take_while(|(_, step)| step.is_err()).count();
        keyed[first..].reverse();
    }
    keyed.into_iter().map(|(_, step)| step).collect()
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
        .max_filesize(places.rules.max_filesize)
        .threads(places.threads)
        .overrides(globs)
        // Who writes the answers into the directory that is searched does not want them found.
        .skip_stdout(true);
    for file in &places.rules.ignore_file {
        // What is named by hand counts where other rules do not.
        if let Some(error) = builder.add_ignore(file) {
            say(&format!("--ignore-file {}", reason(&error)));
            return Err(Trouble::Told);
        }
    }
    if places.rules.order().by != SortWord::None {
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
    let name = path.map(|path| path.to_string_lossy());
    let is_url = name.as_ref().is_some_and(|name| name.contains("://"));
    let hint = if is_url { ": files are read here, and --base takes a URL" } else { "" };
    let what = name.map(|name| format!("\"{}\" ", visible(&name)));
    format!("{}cannot be read: {}{hint}", what.unwrap_or_default(), visible(&why))
}

/// What the system said, without the words of those who passed it on.
fn first(error: &io::Error) -> String {
    error.source().map_or_else(|| error.to_string(), ToString::to_string)
}

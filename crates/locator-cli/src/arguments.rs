//! The command line in, what is asked for out. What people read about it is in [`help`].

mod choices;
mod edits;
mod finding;
mod inputs;
mod wishes;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand};
use clap_complete::Shell;

use crate::help;
pub(crate) use choices::{
    Compared, Conversion, FileAsked, Ground, Normal, PlatformAsked, Relation, RepairAsked,
};
pub(crate) use edits::Edits;
pub(crate) use finding::{Around, CountByWord, Form, Order, Places, SortWord, Sought, WhenWord};
pub(crate) use inputs::{Asked, AskedByOne, By, Checks, Inputs};
pub(crate) use wishes::{ServerWord, Wishes, check_program, read_server};

/// Reads, checks and explains URLs by every edition of the standard.
#[derive(Debug, Parser)]
#[command(name = "locator", version, after_help = help::LOCATOR)]
#[command(arg_required_else_help = true, max_term_width = 80)]
#[command(subcommand_value_name = "VERB", subcommand_help_heading = "Verbs")]
pub(crate) struct Arguments {
    /// When to use colour; auto is on a terminal, unless NO_COLOR says otherwise
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    #[arg(display_order = 100)]
    pub(crate) color: ColorChoice,
    /// Show passwords, which messages and what people read hide otherwise
    #[arg(long, global = true, display_order = 101)]
    pub(crate) show_secrets: bool,
    /// What to do.
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

/// One job each.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Cut each URL into its components and show them
    #[command(after_help = help::READ, after_long_help = help::long(help::READ_LONG, help::READ))]
    Read {
        #[command(flatten)]
        asked: Asked,
    },
    /// Say what is wrong with each URL that is not valid, and nothing else
    #[command(after_help = help::CHECK, after_long_help = help::long(help::CHECK_LONG, help::CHECK))]
    Check {
        #[command(flatten)]
        asked: Asked,
        #[command(flatten)]
        checks: Checks,
    },
    /// Print the absolute form of each reference that stands in a document
    #[command(after_help = help::RESOLVE, after_long_help = help::long(help::RESOLVE_LONG, help::RESOLVE))]
    #[command(mut_arg("urls", |urls| urls.value_name("REF").help(help::REFERENCES)))]
    #[command(mut_arg("quiet", |quiet| quiet.help(help::QUIET)))]
    Resolve {
        #[command(flatten)]
        ground: Ground,
        #[command(flatten)]
        asked: AskedByOne,
    },
    /// Print the shortest reference that resolves to each URL
    #[command(after_help = help::RELATIVE, after_long_help = help::long(help::RELATIVE_LONG, help::RELATIVE))]
    #[command(mut_arg("quiet", |quiet| quiet.help(help::QUIET)))]
    Relative {
        #[command(flatten)]
        relation: Relation,
        #[command(flatten)]
        asked: AskedByOne,
    },
    /// Print the normal form of each URL
    #[command(after_help = help::NORMALIZE, after_long_help = help::long(help::NORMALIZE_LONG, help::NORMALIZE))]
    Normalize {
        #[command(flatten)]
        normal: Normal,
        #[command(flatten)]
        asked: AskedByOne,
    },
    /// Print the URI of each IRI, or the IRI of each URI
    #[command(after_help = help::CONVERT, after_long_help = help::long(help::CONVERT_LONG, help::CONVERT))]
    #[command(mut_arg("edition", |edition| edition.default_value("rfc3987")))]
    #[command(mut_arg("urls", |urls| urls.value_name("IRI").help(help::IRIS)))]
    #[command(mut_arg("quiet", |quiet| quiet.help(help::QUIET)))]
    Convert {
        #[command(flatten)]
        conversion: Conversion,
        #[command(flatten)]
        asked: AskedByOne,
    },
    /// Tell whether two URLs are equivalent, and what differs
    #[command(after_help = help::COMPARE, after_long_help = help::long(help::COMPARE_LONG, help::COMPARE))]
    Compare {
        #[command(flatten)]
        asked: Compared,
    },
    /// Change parts of each URL, or print what a format names
    #[command(after_help = help::EDIT, after_long_help = help::long(help::EDIT_LONG, help::EDIT))]
    #[command(mut_arg("no_messages", |silent| silent.short(None)))]
    #[command(mut_arg("file", |file| file.visible_alias("url-file").conflicts_with("url")))]
    #[command(mut_arg("quiet", |quiet| quiet.help(help::QUIET)))]
    Edit {
        #[command(flatten)]
        edits: Box<Edits>,
        #[command(flatten)]
        asked: AskedByOne,
    },
    /// Print the file URI of each path
    #[command(after_help = help::FILE, after_long_help = help::long(help::FILE_LONG, help::FILE))]
    #[command(mut_arg("urls", |urls| urls.value_name("PATH").help(help::PATHS)))]
    #[command(mut_arg("null", |null| null.help(help::NULL_URLS)))]
    #[command(mut_arg("quiet", |quiet| quiet.help(help::QUIET)))]
    File {
        #[command(flatten)]
        asked: FileAsked,
        #[command(flatten)]
        inputs: Inputs,
    },
    /// Print the path of the file that each URL names
    #[command(after_help = help::PATH, after_long_help = help::long(help::PATH_LONG, help::PATH))]
    #[command(mut_arg("null", |null| null.help(help::NULL_BOTH)))]
    #[command(mut_arg("quiet", |quiet| quiet.help(help::QUIET)))]
    Path {
        #[command(flatten)]
        of: PlatformAsked,
        #[command(flatten)]
        asked: AskedByOne,
    },
    /// Print every URL in files, directories or standard input, with its place
    #[command(after_help = help::FIND, after_long_help = help::long(help::FIND_LONG, help::FIND))]
    Find {
        #[command(flatten)]
        sought: Box<Sought>,
    },
    /// Print what would be sent and read to fetch each URL
    #[command(after_help = help::PLAN, after_long_help = help::long(help::PLAN_LONG, help::PLAN))]
    #[command(mut_arg("quiet", |quiet| quiet.help(help::QUIET)))]
    Plan {
        #[command(flatten)]
        wishes: Wishes,
        #[command(flatten)]
        asked: AskedByOne,
    },
    /// List the schemes, their ports and what their URLs identify
    #[command(after_help = help::SCHEMES)]
    Schemes {
        /// Names of schemes, known here or not; without any, all that are known
        #[arg(value_name = "NAME")]
        names: Vec<String>,
        /// One JSON object a line
        #[arg(long)]
        json: bool,
    },
    /// List the editions of the standard and what each calls things
    #[command(after_help = help::EDITIONS)]
    Editions {
        /// One JSON object a line
        #[arg(long)]
        json: bool,
    },
    /// Print a completion script for a shell
    #[command(after_help = help::COMPLETIONS)]
    Completions {
        /// The shell it is for
        shell: Shell,
    },
    /// Print the manual page, or that of a verb
    #[command(after_help = help::MAN)]
    Man {
        /// The verb it is about
        verb: Option<String>,
    },
}

/// Reads the command line.
pub(crate) fn read() -> Result<Arguments, clap::Error> {
    let mut command = Arguments::command();
    let matches = command.try_get_matches_from_mut(std::env::args_os()).map_err(with_tip)?;
    Arguments::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

/// Who forgets the verb is told how to go on.
fn with_tip(mut error: clap::Error) -> clap::Error {
    if error.kind() == ErrorKind::InvalidSubcommand
        && let Some(ContextValue::String(given)) = error.get(ContextKind::InvalidSubcommand)
        && given.contains([':', '/', '.'])
    {
        let tip = format!("to read a URL: 'locator read {given}'");
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}

//! The verb `get`: fetches what each URL identifies.
//!
//! `locator-fetch` carries out the plan; this module says what is wanted ([`settings`], [`login`]), has
//! the person asked ([`person`]), and puts the object where it belongs: standard output ([`show`],
//! [`list`]) or a file ([`name`], [`part`]). [`dialogue`] shows what goes over the wire.

mod deliver;
mod dialogue;
mod json;
mod list;
mod login;
mod messages;
mod name;
mod part;
mod person;
mod record;
mod settings;
mod show;
mod trouble;

use std::io::{self, Write as _};
use std::sync::Arc;

use clap::Args;
use locator::plan::{Local, Options, Plan, Resumption, Step};
use locator::scheme::Registry;
use locator::{Edition, UriRef, UriRefBuf};
use locator_fetch::blocking::{Fetched, Fetcher};
use locator_fetch::{FetchError, Hop, Resume};

use self::deliver::{Delivery, Destination};
use self::dialogue::Dialogue;
use self::login::LoginArgs;
use self::part::Part;
use self::person::Person;
use self::settings::SettingArgs;
use self::trouble::Trouble;
use crate::arguments::{PlanOptionArgs, VerbArgsOfOneEdition, long_help};
use crate::config::ServerWord;
use crate::exit::{CliError, Status, say};
use crate::failure::Failure;
use crate::input::Input;
use crate::interrupt;
use crate::output::Output;
use crate::policy::ContactArgs;
use crate::reading;
use crate::run::{self, Answer};
use crate::show::{Reports, json as objects};
use crate::terminal::visible::legible;
use crate::verbs::plan::print;

/// Fetch files, directories, menus and articles
///
/// Prints the object, or a line for each entry of a menu or a directory: its URL, a tab and its name.
/// Common options: -o FILE and -O write a file, -v shows the dialogue with the server, --plan only
/// what would be sent.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, after_long_help = long_help(DETAILS, EXAMPLES))]
#[command(mut_arg("quiet", |quiet| quiet.help(QUIET)))]
#[command(mut_arg("json", |json| json.help(JSON)))]
pub(crate) struct GetArgs {
    #[command(flatten)]
    to: Destination,
    /// Show the dialogue with the server on standard error
    #[arg(short, long)]
    verbose: bool,
    /// Print the plan, as 'locator plan' does, and send nothing
    #[arg(long, conflicts_with_all = ["json", "verbose"])]
    plan: bool,
    #[command(flatten)]
    login: LoginArgs,
    #[command(flatten)]
    settings: SettingArgs,
    #[command(flatten)]
    contact: ContactArgs,
    #[command(flatten)]
    options: PlanOptionArgs,
    #[command(flatten)]
    asked: VerbArgsOfOneEdition,
}

/// The help of `-q` and `--json`.
const QUIET: &str = "Print nothing; only set the exit status, and stop at the first URL that fails";
const JSON: &str = "Print one JSON object per line, with the entries of lists and the kinds of errors";

/// After the options: examples and exit status.
const EXAMPLES: &str = "\
Examples:
  locator get gopher://gopher.example/
  locator get gopher://gopher.example/ | locator find
  locator get -O ftp://ftp.example/pub/README
  locator get -C - -O ftp://ftp.example/pub/large.iso
  locator get -o list.txt --urls ftp://ftp.example/pub/
  locator get --ssl-reqd -u joe ftp://ftp.example/%2Fetc/motd
  locator get --news-server news.example.com 'news:*'
  locator get -v nntp://news.example/comp.lang.rust/42
  locator get file:///etc/

Exit status:
  0    every object was fetched whole
  1    a server said no
  2    an object could not be fetched, or wrong usage
  130  interrupted";

/// Before the examples in `--help`.
const DETAILS: &str = "\
Output:
  The octets of the object. A directory, a menu, newsgroups, the articles of a
  group and what a search finds are printed as lines: the absolute URL of an
  entry, a tab, and its name, in which controls are written by code, <U+001B>.
  A line without a URL is text of a menu. --raw prints what the server sent.

  On a terminal the controls of a text are written by code, and a binary object
  is an error; '-o -' prints it anyway.

Files:
  -O takes the name from the URL that was given. A name with \"/\", \"\\\", a
  control, or a \".\" at its beginning, and the name of a device are errors.
  What is fetched goes to FILE.part, which must not exist, and gets its name
  when it is whole. A file that exists is left as it is, unless --clobber is
  given. FILE.part.json records what proves that the object is the same later;
  with -C - a fetch that was cut off goes on by it, and else begins anew.

Schemes:
  ftp, ftps, gopher, news, nntp, snews, wais, whois, file and data are fetched;
  mailto prints a draft; telnet, rlogin and tn3270 start the program of
  --program on a terminal. mid and cid are looked for in --messages. HTTP and
  prospero are not fetched yet.

  With --json one object per line: {\"input\":…,\"edition\":…,\"url\":…,\"kind\":…,
  \"media_type\":…,\"whole\":…,\"octets\":…} with \"entries\", \"text\", \"base64\" or
  \"file\", or {\"input\":…,\"edition\":…,\"error\":{\"kind\":…,\"message\":…}}.";

/// Fetches every input.
pub(crate) fn run(args: &GetArgs, out: &mut Output) -> Result<Status, CliError> {
    let (config, asked) = (args.options.config()?, &args.asked);
    let login = args.login.read()?;
    let person = Arc::new(args.settings.person());
    let dialogue = args.verbose.then(|| Arc::new(Dialogue::new(out.errors())));
    let policy = args.contact.policy()?;
    let news_server = args.options.news_server(&config);
    interrupt::at_once();
    args.options.with_options(&config, |options| {
        let registry = args.options.registry(&config);
        let fetcher = args.settings.fetcher(Fetcher::typed()).policy(policy);
        let mut fetcher = fetcher.registry(&registry).options(*options);
        fetcher = fetcher.prompter(person.clone()).handler(person.clone());
        if let Some(dialogue) = &dialogue {
            fetcher = fetcher.watcher(dialogue.clone());
        }
        let mut getter = Getter {
            args,
            edition: asked.by.edition,
            registry: &registry,
            options,
            fetcher,
            login,
            person: &person,
            dialogue: dialogue.as_deref(),
            news_server,
            could_not: false,
            errors: out.errors(),
            reports: Reports::new(&asked.inputs),
        };
        let status = run::run(&asked.inputs, &mut getter, out)?;
        // What could not be done is worse than a server that said no.
        if getter.could_not { Err(CliError::Reported) } else { Ok(status) }
    })
}

struct Getter<'a> {
    args: &'a GetArgs,
    edition: &'static Edition,
    registry: &'a Registry<'a>,
    options: &'a Options<'a>,
    fetcher: Fetcher<'a>,
    login: login::Logins,
    person: &'a Person,
    dialogue: Option<&'a Dialogue>,
    news_server: Option<ServerWord>,
    /// Whether an object could not be fetched for another reason than that a server said no.
    could_not: bool,
    errors: Output,
    reports: Reports,
}

impl Getter<'_> {
    /// Fetches an input, or prints its plan.
    fn get(&mut self, input: Input<'_>, out: &mut Output, is_quiet: bool) -> Result<(), Trouble> {
        let given = reading::read(input.octets, self.edition).map_err(Failure::from)?.reference;
        let with_login = self.login.add(given)?;
        let url = with_login.as_ref().map_or(given, UriRefBuf::as_uri_ref);
        let inputs = &self.args.asked.inputs;
        let delivery = Delivery {
            to: &self.args.to,
            rate: self.args.settings.rate(),
            news_server: self.news_server.as_ref(),
            is_silent: is_quiet || inputs.no_messages || self.dialogue.is_some(),
        };
        let name = if is_quiet { None } else { delivery.name(given)? };
        let resume = delivery.resume(name.as_deref(), given);
        let plan = self.plan(url, name.is_some(), resume.as_ref())?;
        if self.args.plan {
            if input.number > 1 {
                writeln!(out)?;
            }
            return Ok(print::write(out, &plan)?);
        }
        // Nobody is asked for what could not be written.
        let mut part = name.as_ref().map(|name| delivery.file(name)).transpose()?;
        let fetcher = self.fetcher(name.is_some(), resume);
        let fetched = match self.fetch(&fetcher, given, url, &plan) {
            Ok(fetched) => fetched,
            Err(error) => {
                part.into_iter().for_each(Part::discard);
                return Err(error.into());
            }
        };
        if let Some(part) = &mut part {
            delivery.begin(part, given, &fetched)?;
        }
        if is_quiet {
            return delivery.drain(fetched);
        }
        remark_on_draft(&plan);
        if inputs.json {
            let object = delivery.object(input, self.edition.name, fetched, part)?;
            return Ok(objects::line(out, &object)?);
        }
        delivery.put(fetched, part, out)
    }

    /// Plans a URL; what is written to a file can be gone on with later.
    fn plan(&self, url: UriRef<'_>, has_file: bool, resume: Option<&Resume>) -> Result<Plan, Failure> {
        let resumption = match resume {
            Some(resume) => resume.resumption(),
            None if has_file => Resumption::Prepared,
            None => Resumption::Off,
        };
        self.registry.plan(url, &self.options.resumption(resumption)).map_err(Failure::from)
    }

    /// Returns the fetcher that carries out such a plan.
    fn fetcher(&self, has_file: bool, resume: Option<Resume>) -> Fetcher<'_> {
        match resume {
            Some(resume) => self.fetcher.clone().resume(resume),
            None if has_file => self.fetcher.clone().options(self.options.resumption(Resumption::Prepared)),
            None => self.fetcher.clone(),
        }
    }

    /// Fetches a URL, to which a login may have been added.
    fn fetch(
        &self,
        fetcher: &Fetcher<'_>,
        given: UriRef<'_>,
        url: UriRef<'_>,
        plan: &Plan,
    ) -> Result<Fetched, FetchError> {
        self.person.allow_programs(starts_program(plan));
        if let Some(dialogue) = self.dialogue {
            dialogue.begin(plan);
        }
        // A login that was added is not repeated: neither in the URLs of entries nor in what led to them.
        let plain = |at: &mut String, hops: &mut [Hop]| {
            let first = hops.first_mut().map_or(at, |hop| &mut hop.url);
            given.as_str().clone_into(first);
        };
        match fetcher.fetch(url) {
            Ok(mut fetched) => {
                plain(&mut fetched.url, &mut fetched.hops);
                Ok(fetched)
            }
            Err(mut error) => {
                plain(&mut error.url, &mut error.hops);
                Err(error)
            }
        }
    }

    /// Counts a failure; returns the status of its input.
    fn status(&mut self, result: &Result<(), Trouble>) -> Status {
        if let Err(Trouble::Failed(failed)) = result {
            self.could_not |= !failed.is_said;
        }
        Status::of(result.is_ok())
    }
}

/// Says which fields of a draft could do harm, and are left out.
fn remark_on_draft(plan: &Plan) {
    for step in plan.steps() {
        let Step::Local(Local::Draft(draft)) = step else { continue };
        for name in &draft.dropped {
            say(&format!(
                "{} is left out of the draft: it could do harm",
                legible(&String::from_utf8_lossy(name))
            ));
        }
    }
}

/// Returns whether a plan starts a program for an interactive session.
fn starts_program(plan: &Plan) -> bool {
    plan.steps().any(|step| matches!(step, Step::Local(Local::Start(_))))
}

impl Answer for Getter<'_> {
    fn answer(&mut self, input: Input<'_>, out: &mut Output) -> io::Result<Status> {
        let result = self.get(input, out, false);
        let status = self.status(&result);
        match result {
            Ok(()) => {}
            Err(Trouble::Writing(error)) => return Err(error),
            Err(Trouble::Failed(failed)) if self.args.asked.inputs.json => {
                objects::line(out, &json::failed(input.octets, self.edition, &failed))?;
            }
            Err(Trouble::Failed(failed)) => {
                // On a terminal, keep results and errors in the order of the input.
                out.flush()?;
                self.reports.report(&mut self.errors, input, &failed.why);
            }
        }
        Ok(status)
    }

    fn judge(&mut self, input: Input<'_>) -> Status {
        let mut out = self.errors.errors();
        let result = self.get(input, &mut out, true);
        self.status(&result)
    }

    fn reports(&self) -> Option<&Reports> {
        Some(&self.reports)
    }
}

//! The verb `get`: fetches what each URL identifies.
//!
//! `locator-fetch` carries out the plan; this module says what is wanted ([`http`], [`data`], [`proxy`],
//! [`settings`], [`login`]) and has the person asked ([`person`]). [`getter`] fetches one input, and again where that
//! may help ([`retry`]); the object goes where it belongs ([`deliver`]): standard output ([`show`],
//! [`list`]) or a file ([`name`], [`part`]), if it may be one ([`fileable`]), after its [`heads`] if they
//! are wanted. [`parallel`] fetches several at the same time, [`verdict`]
//! and [`written`] come after each. [`dialogue`] shows what goes over the wire.

mod data;
mod deliver;
mod destination;
mod dialogue;
mod fetching;
mod fileable;
mod getter;
mod heads;
mod http;
mod json;
mod list;
mod login;
mod mailer;
mod messages;
mod name;
mod parallel;
mod part;
mod person;
mod printing;
mod proxy;
mod queue;
mod record;
mod retry;
mod settings;
mod show;
mod trouble;
mod verdict;
mod written;

use std::ffi::OsStr;
use std::io::{self, Write as _};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::Args;
use locator_fetch::blocking::Fetcher;

use self::destination::Destination;
use self::dialogue::{Dialogue, Warnings};
use self::getter::Getter;
use self::http::HttpArgs;
use self::login::LoginArgs;
use self::parallel::ParallelArgs;
use self::proxy::ProxyArgs;
use self::retry::RetryArgs;
use self::settings::SettingArgs;
use self::verdict::Verdict;
use self::written::{Format, Seen};
use crate::arguments::{PlanOptionArgs, VerbArgsOfOneEdition, long_help};
use crate::exit::{CliError, Status, say};
use crate::input::Input;
use crate::interrupt;
use crate::lines::check_stdin_once;
use crate::output::Output;
use crate::policy::ContactArgs;
use crate::progress::Progress;
use crate::run::{self, Answer};
use crate::seen::Seen as NamesSeen;
use crate::show::Reports;
use crate::terminal::secrets;

/// Fetch pages, files, directories, menus and articles
///
/// Prints the object, or a line for each entry of a menu or a directory: its URL, a tab and its name.
/// Common options: -o FILE and -O write a file, -Z fetches several URLs at the same time, -v shows the
/// dialogue with the server, --plan only what would be sent.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, after_long_help = long_help(DETAILS, EXAMPLES))]
#[command(mut_arg("quiet", |quiet| quiet.help(QUIET)))]
#[command(mut_arg("json", |json| json.help(JSON)))]
#[command(mut_arg("edition", |edition| edition.short(None)))]
#[command(mut_arg("file", |file| file.short(None).help(FILE)))]
pub(crate) struct GetArgs {
    #[command(flatten)]
    to: Destination,
    /// Show the dialogue with the server on standard error
    #[arg(short, long)]
    verbose: bool,
    /// Print the plan, as 'locator plan' does, and send nothing
    #[arg(long, conflicts_with_all = ["json", "verbose"])]
    plan: bool,
    /// Write TEXT on standard output after each object, with the fields of a fetch:
    /// %{http_code}, %{url_effective} and others; see below
    #[arg(short, long, value_name = "TEXT", conflicts_with_all = ["json", "plan"])]
    write_out: Option<Format>,
    /// Write what has come at once; this is done without it, too
    #[arg(short = 'N', long)]
    no_buffer: bool,
    /// Print errors in spite of -s, which then hides progress and remarks only
    #[arg(short = 'S', long)]
    show_error: bool,
    #[command(flatten, next_help_heading = "HTTP")]
    http: HttpArgs,
    #[command(flatten, next_help_heading = "Login")]
    login: LoginArgs,
    #[command(flatten, next_help_heading = "Several URLs, further tries")]
    parallel: ParallelArgs,
    #[command(flatten)]
    retry: RetryArgs,
    #[command(flatten, next_help_heading = "Connections")]
    settings: SettingArgs,
    #[command(flatten)]
    proxy: ProxyArgs,
    #[command(flatten, next_help_heading = "What may be contacted")]
    contact: ContactArgs,
    #[command(flatten, next_help_heading = "Schemes")]
    options: PlanOptionArgs,
    #[command(flatten, next_help_heading = "Input and messages")]
    asked: VerbArgsOfOneEdition,
}

/// The help of `--file`, `-q` and `--json`.
const FILE: &str = "Read the URLs from FILE, one per line; blank lines and those that begin with \"#\" are \
    skipped; \"-\" is standard input";
const QUIET: &str = "Print nothing; only set the exit status, and stop at the first URL that fails";
const JSON: &str = "Print one JSON object per line, with the entries of lists and the kinds of errors";

/// After the options: examples and exit status.
const EXAMPLES: &str = "\
Examples:
  locator get https://www.example.com/
  locator get -O https://www.example.com/list.txt
  locator get -fsSL --retry 3 -o list.txt https://www.example.com/list
  locator get -I -w '%{http_code} %{url_effective}\\n' http://www.example.com/
  locator find -I -N page.html | locator get -Z -O
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
  1    a server said no, in HTTP by a status of 400 or more; or the
       edition cannot write the URL of an entry of a list
  2    an object could not be fetched, or wrong usage
  130  interrupted
  143  terminated (SIGTERM)";

/// Before the examples in `--help`.
const DETAILS: &str = "\
Output:
  The octets of the object. A directory, a menu, newsgroups, the articles of a
  group and what a search finds are printed as lines: the absolute URL of an
  entry, a tab, and its name, in which controls are written by code, <U+001B>.
  A line without a URL is text of a menu. --raw prints what the server sent.

  On a terminal the controls of a text are written by code, and a binary object
  is an error; '-o -' prints it anyway.

  The page of a server that said no is printed, unless -f is given; it is never
  written to a file.

  The fields of --write-out are %{content_type}, %{exitcode}, %{http_code},
  %{http_version}, %{num_redirects}, %{redirect_url}, %{remote_ip},
  %{response_code}, %{size_download}, %{time_total}, %{url} and
  %{url_effective}; \\n is a line end.

Files:
  -O takes the name from the URL that was given. A name with \"/\", \"\\\", a
  control, or a \".\" at its beginning, and the name of a device are errors.
  What is fetched goes to FILE.part, which must not exist, and gets its name
  when it is whole. A file that exists is left as it is, unless --clobber is
  given. FILE.part.json records what proves that the object is the same later;
  with -C - a fetch that was cut off goes on by it, and else begins anew.

HTTP:
  Options have curl's names; docs/get-as-curl.md compares them one by one.
  Redirects are followed. Login, headers and data go to the origin of the given
  URL, and to port 443 of https if it is port 80 of http on the same host. Any
  other origin is sent Accept, Accept-Language, Accept-Encoding, User-Agent,
  Range, If-* and Cache-Control alone; a redirect that repeats the data there
  (307, 308; of PUT and PATCH also 301, 302), or a method with an effect, such
  as DELETE, is an error. --redirect-body repeats them there,
  --location-trusted sends everything. -v shows what was not sent.
  Nothing follows from https to http. Proxies of the environment are used.

  A further try continues where the one before was cut off, if the server
  proves that the object is the same, and else fails: nothing is printed twice.

  With -Z each object is printed whole, and in the order of the URLs.

Schemes:
  http, https, ftp, ftps, gopher, news, nntp, snews, wais, prospero, whois,
  file and data are fetched; mailto prints a draft, or shows it by --open.
  telnet, rlogin and tn3270 start the program of --program on a terminal. mid
  and cid are looked for in --messages.

  With --json one object per line: {\"input\":…,\"edition\":…,\"url\":…,\"kind\":…,
  \"media_type\":…,\"whole\":…,\"octets\":…} with \"entries\", \"text\", \"base64\" or
  \"file\"; of HTTP also \"status\", \"fields\" and \"encoding\"; or
  {\"input\":…,\"edition\":…,\"error\":{\"kind\":…,\"message\":…}}.";

/// Fetches every input.
pub(crate) fn run(args: &GetArgs, out: &mut Output) -> Result<Status, CliError> {
    match fetch(args, out) {
        // What nobody reads was not delivered. The reader knows that, so nothing is said.
        Err(CliError::Writing(error)) if error.kind() == io::ErrorKind::BrokenPipe => Err(CliError::Reported),
        result => result,
    }
}

fn fetch(args: &GetArgs, out: &mut Output) -> Result<Status, CliError> {
    let config = args.options.config()?;
    let inputs = &args.asked.inputs;
    if let Some(data) = inputs.urls.iter().find(|url| inputs.json && is_data(url)) {
        return Err(wrong_json(data));
    }
    let list = inputs.urls.is_empty().then(|| inputs.file.as_deref().unwrap_or(OsStr::new("-")));
    check_stdin_once(args.http.files().chain(list), "two of --data, --header and the list of URLs name it")?;
    interrupt::at_once();
    let proxy = args.proxy.choose(&config)?;
    args.options.with_options(&config, proxy.server.as_ref(), |options| {
        let registry = args.options.registry(&config);
        let person = Arc::new(args.settings.person(args.options.program("mailto", &config)));
        let dialogue = args.verbose.then(|| Arc::new(Dialogue::new(out.errors())));
        let data = args.http.data()?;
        let http = args.http.http(&data, proxy.proxies, args.prints_errors())?;
        let policy = args.contact.policy()?.web_to_ftp(args.http.redirects_to_ftp());
        let base = policy.base().map(|base| base.to_owned());
        let mut fetcher = args.settings.fetcher(Fetcher::for_user_input()).policy(policy).http(http);
        fetcher = fetcher.prompter(person.clone()).handler(person.clone());
        if args.http.max_redirs() > 0 {
            fetcher = fetcher.max_redirects(args.http.max_redirs());
        }
        if let Some(dialogue) = &dialogue {
            fetcher = fetcher.watcher(dialogue.clone());
        } else if !args.asked.inputs.no_messages {
            fetcher = fetcher.watcher(Arc::new(Warnings));
        }
        let getter = Getter {
            inputs: &args.asked.inputs,
            edition: args.asked.by.edition,
            base,
            registry: &registry,
            options,
            fetcher,
            has_proxy_of_http: proxy.is_for_http_only,
            to: &args.to,
            http: &args.http,
            data,
            retry: &args.retry,
            rate: args.settings.rate(),
            max_filesize: args.settings.max_filesize(),
            login: args.login.read()?,
            person,
            dialogue: dialogue.as_deref(),
            news_server: args.options.news_server(&config),
            only_plans: args.plan,
            has_plan: AtomicBool::new(false),
            files: NamesSeen::default(),
            progress: args.parallel.at_once().map(|_| Progress::of_objects(args.shows_progress())),
        };
        args.get(&getter, out)
    })
}

/// Returns whether an argument is the data of curl's `--json` and no URL.
fn is_data(argument: &OsStr) -> bool {
    matches!(argument.as_encoded_bytes().first(), Some(b'{' | b'[' | b'"' | b'@'))
}

fn wrong_json(data: &OsStr) -> CliError {
    let shown = secrets::masked(&data.to_string_lossy().chars().take(40).collect::<String>());
    say(&format!(
        "--json prints JSON and takes no data; to send {shown}, use -H 'Content-Type: application/json' \
         -H 'Accept: application/json' -d DATA"
    ));
    CliError::Reported
}

impl GetArgs {
    fn get(&self, getter: &Getter<'_>, out: &mut Output) -> Result<Status, CliError> {
        let inputs = &self.asked.inputs;
        let mut verdict = Verdict::new(inputs, getter.edition, self.write_out.as_ref(), out.errors());
        if self.show_error {
            verdict.reports.speak();
        }
        match self.parallel.at_once() {
            Some(at_once) => parallel::run(getter, verdict, at_once, out),
            None => {
                let mut one = OneByOne { getter, verdict };
                run::run(inputs, &mut one, out)?;
                one.verdict.end()
            }
        }
    }

    /// Returns whether the page of a server that said no is printed.
    fn prints_errors(&self) -> bool {
        !self.asked.inputs.json && self.to.prints_errors()
    }

    fn shows_progress(&self) -> bool {
        !self.asked.inputs.quiet && !self.asked.inputs.no_messages
    }
}

/// Fetches one input after the other.
struct OneByOne<'a> {
    getter: &'a Getter<'a>,
    verdict: Verdict<'a>,
}

impl Answer for OneByOne<'_> {
    // `-f` is that of curl.
    fn option_of_files(&self) -> &'static str {
        "--file"
    }

    fn refuses_names_of_files(&self) -> bool {
        self.getter.base.is_none()
    }

    fn skips_comments(&self) -> bool {
        true
    }

    fn answer(&mut self, input: Input<'_>, out: &mut Output) -> io::Result<Status> {
        let unwrapped = self.getter.unwrapped(input, false);
        let input = Input { octets: unwrapped.as_deref().map_or(input.octets, str::as_bytes), ..input };
        let mut seen = Seen::default();
        let result = self.getter.get(&self.getter.fetcher, input, out, false, &mut seen);
        let status = self.verdict.report(input, result, seen, out)?;
        // The next object may take its time.
        out.flush()?;
        Ok(status)
    }

    fn judge(&mut self, input: Input<'_>) -> Status {
        let unwrapped = self.getter.unwrapped(input, true);
        let input = Input { octets: unwrapped.as_deref().map_or(input.octets, str::as_bytes), ..input };
        let mut out = self.verdict.errors();
        let result = self.getter.get(&self.getter.fetcher, input, &mut out, true, &mut Seen::default());
        self.verdict.judge(&result)
    }

    fn reports(&self) -> Option<&Reports> {
        Some(&self.verdict.reports)
    }
}

//! The verb `get`: fetches URLs. Its options have curl's names (`docs/get-as-curl.md`).
//!
//! ```console
//! $ locator get -fsSL --retry 3 -o list.txt https://www.example.com/list
//! ```
//!
//! `locator-fetch` carries out the plan of a URL, and has the rules of saving. This module has the options ([`http`],
//! [`data`], [`form`], [`settings`], [`login`], [`time`], and [`curl`]) and asks the user ([`user`]). [`urls`] takes
//! the URLs of the inputs, whose patterns [`glob`] expands. [`getter`] fetches one URL ([`fetching`]), with retries
//! ([`retry`]), and [`delivery`] writes the response: to standard output ([`print`], [`json`]) or to a file
//! ([`destination`], [`download`]); with `-i` after its headers ([`response_heads`]). [`walk`] fetches a directory
//! with everything below it, [`parallel`] several URLs at the same time. [`error`] reports errors and has the exit
//! status, [`write_out`] has the output of `-w`, and [`dialogue`] shows what is sent and received.

mod curl;
mod data;
mod delivery;
mod destination;
mod dialogue;
mod download;
mod error;
mod fetching;
mod form;
mod getter;
mod glob;
mod headlines;
mod http;
mod json;
mod login;
mod parallel;
mod print;
mod queue;
mod response_heads;
mod retry;
mod settings;
mod time;
mod urls;
mod user;
mod verdict;
mod walk;
mod write_out;

use std::ffi::{OsStr, OsString};
use std::io::{self, Write as _};
use std::sync::Arc;

use clap::{ArgGroup, Args};
use locator_fetch::Reuse;
use locator_fetch::blocking::Fetcher;

use self::curl::AcceptedArgs;
use self::curl::LineArgs;
use self::destination::Destination;
use self::dialogue::{Dialogue, UnsentLogins, Warnings};
use self::download::Report;
use self::getter::{Getter, Transferred};
use self::glob::Globs;
use self::headlines::Headlines;
use self::http::HttpArgs;
use self::login::LoginArgs;
use self::parallel::ParallelArgs;
use self::response_heads::HeaderFile;
use self::retry::RetryArgs;
use self::settings::ProxyArgs;
use self::settings::SettingArgs;
#[cfg(feature = "links")]
pub(in crate::verbs) use self::settings::no_proxy;
#[cfg(feature = "serve")]
pub(crate) use self::settings::seconds;
use self::time::TimeArgs;
use self::urls::Urls;
use self::verdict::Verdict;
use self::walk::{WalkArgs, Walking};
use self::write_out::Format;
use crate::arguments::curl::is_json;
use crate::arguments::policy::ContactArgs;
use crate::arguments::{PlanOptionArgs, VerbArgsOfOneEdition, daily, long_help, short_help};
use crate::exit::{CliError, Status, say, say_error};
use crate::input::files::check_stdin_once;
use crate::input::{Input, stdin_has_content};
use crate::output::Output;
use crate::output::progress::{self, Progress};
use crate::pasted;
use crate::report::Reports;
use crate::report::reports::plural;
use crate::run::Seen as NamesSeen;
use crate::run::interrupt;
use crate::run::{self, Answer};
use crate::terminal::{secrets, visible};
use crate::verbs::plan::{OutputForm, Plans};

/// Fetch pages, files, directories, menus and news articles
///
/// Prints the response body; of a directory or a menu, a line for each entry: its URL, a tab and its
/// name. Common options: -o FILE and -O save to a file, -Z fetches URLs in parallel, -v shows requests
/// and replies, --plan shows what would be sent.
#[derive(Args, Debug)]
#[command(after_help = short_help(EXAMPLES, 5), after_long_help = long_help(DETAILS, EXAMPLES))]
#[command(mut_arg("quiet", |quiet| quiet.help(QUIET)))]
#[command(mut_arg("json", |json| json.help(JSON)))]
#[command(mut_arg("no_messages", |silent| silent.help(SILENT).visible_alias("silent")))]
#[command(mut_arg("edition", |edition| edition.help(EDITION)))]
#[command(mut_arg("file", |file| file.short(None).help(FILE)))]
#[command(mut_args(|option| daily(option, DAILY)))]
// As in curl, the last one counts.
#[command(args_override_self = true)]
#[command(group = ArgGroup::new("saves").args(SAVES).multiple(true))]
pub(crate) struct GetArgs {
    #[command(flatten)]
    to: Destination,
    #[command(flatten)]
    walk: WalkArgs,
    /// Show requests and replies on standard error
    #[arg(short, long)]
    verbose: bool,
    /// Print the plan, the steps of the fetch, and send nothing; see 'locator plan'
    #[arg(long, conflicts_with = "verbose")]
    plan: bool,
    /// Print TEXT after each transfer, with variables such as %{http_code} and
    /// %{url_effective}; see below
    #[arg(short, long, value_name = "TEXT", conflicts_with_all = ["json", "plan"])]
    write_out: Option<Format>,
    /// Disable buffering of the output; this is the default
    #[arg(short = 'N', long)]
    no_buffer: bool,
    /// Show errors even with -s, which then hides only progress and notes
    #[arg(short = 'S', long)]
    show_error: bool,
    #[command(flatten, next_help_heading = "HTTP")]
    http: HttpArgs,
    #[command(flatten)]
    time: TimeArgs,
    #[command(flatten, next_help_heading = "Command lines of curl")]
    line: LineArgs,
    #[command(flatten, next_help_heading = "Login")]
    login: LoginArgs,
    #[command(flatten, next_help_heading = "Parallel transfers and retries")]
    parallel: ParallelArgs,
    #[command(flatten)]
    retry: RetryArgs,
    #[command(flatten, next_help_heading = "Connections")]
    settings: SettingArgs,
    #[command(flatten)]
    proxy: ProxyArgs,
    #[command(flatten, next_help_heading = "Accepted from curl")]
    accepted: AcceptedArgs,
    #[command(flatten, next_help_heading = "Policy")]
    contact: ContactArgs,
    #[command(flatten, next_help_heading = "Other schemes")]
    options: PlanOptionArgs,
    #[command(flatten, next_help_heading = "Input and messages")]
    asked: VerbArgsOfOneEdition,
}

/// The options that save to files.
const SAVES: [&str; 4] = ["output", "remote_name", "remote_name_all", "recursive"];

/// The help of options that all verbs have.
const EDITION: &str = "Parse URLs by this edition of the URL standard; -e URL is --referer";
const FILE: &str = "Read URLs from FILE, one per line; blank lines and lines that begin with \"#\" are skipped; \
    \"-\" is standard input";
const QUIET: &str = "Print nothing; only set the exit status, and stop at the first URL that fails";
const JSON: &str = "Print one JSON object per URL and line, with the entries of listings and the kinds of errors; --json \
     DATA is --data-json";
const SILENT: &str = "Silent mode: show no progress, errors or notes; the exit status still reports errors";

/// The options that `-h` prints.
const DAILY: &str =
    "output remote-name recursive continue-at verbose plan include head fail header user parallel insecure";

/// After the options: examples and exit status.
const EXAMPLES: &str = "\
Examples:
  locator get https://www.example.com/
  locator get -O https://www.example.com/list.txt
  locator get -fsSL --retry 3 -o list.txt https://www.example.com/list
  locator get -I -w '%{http_code} %{url_effective}\\n' http://example.com/
  locator find page.html | locator get -Z -O
  locator get gopher://gopher.example/
  locator get -O ftp://ftp.example/pub/README
  locator get -C - -O ftp://ftp.example/pub/large.iso
  locator get -o list.txt --urls ftp://ftp.example/pub/
  locator get -r --accept '*.iso' --newer ftp://ftp.example/pub/
  locator get --ssl-reqd -u joe ftp://ftp.example/%2Fetc/motd
  locator get --news-server news.example.com 'news:*'
  locator get -v nntp://news.example/comp.lang.rust/42
  locator get file:///etc/

Exit status:
  0    every URL was fetched completely
  1    a server refused a request (in HTTP a status of 400 or more), or an
       entry of a listing has no URL in the edition
  2    a URL could not be fetched, or wrong usage
  130  interrupted
  143  terminated (SIGTERM)";

/// Before the examples in `--help`.
const DETAILS: &str = "\
Output:
  The response body is written to standard output. A directory, a gopher menu,
  a newsgroup and the result of a search are written as one line per entry: its
  absolute URL, a tab and its name, in which control characters are shown as
  codes, <U+001B>. A line of a menu that is only text has no URL. With --urls
  you can pipe the URLs back in. --raw prints what the server sent.

  At a terminal control characters are shown as codes, and binary data is an
  error; '-o -' prints it anyway.

  The body of an error response is printed unless -f is given; it is never
  saved to a file.

  The variables of --write-out have curl's names: %{http_code},
  %{url_effective}, %{redirect_url}, %{content_type}, %{http_version},
  %{scheme}, %{method}, %{remote_ip}, %{remote_port}, %{filename_effective},
  %{num_redirects}, %{num_headers}, %{num_connects}, %{size_download},
  %{size_upload}, %{size_header}, %{speed_download}, %{speed_upload},
  %{ssl_verify_result}, %{url}, %{urlnum}, %{exitcode} and %{errormsg}; the
  seconds %{time_namelookup}, %{time_connect}, %{time_appconnect} (TLS),
  %{time_pretransfer}, %{time_starttransfer}, %{time_redirect} and
  %{time_total}. %header{NAME} is a header of the response, %{json} is an
  object with all variables and %{header_json} one with all headers. %{stderr}
  and %{stdout} choose where what follows is written, and %{onerror} writes it
  after an error only. \\n is a newline, and TEXT may be @FILE.

Files:
  The nth -o or -O is for the nth URL; if only -O is given, it is for all.
  -O takes the file name from the given URL, not from a redirect. A name with
  \"/\", \"\\\" or a control character is refused, and so is the name of a device;
  a leading \".\" or \"-\" is escaped. A download is written to FILE.part and
  renamed once it is complete. An existing file is not overwritten, unless
  --clobber is given.
  FILE.part.json records the ETag or the date of the file on the server: with
  -C - a download that ended early resumes if they are the same, and starts
  over if not. With -C - an existing file is not an error if it has the length
  of the file on the server: it is complete. With -z FILE -o FILE a newer file
  replaces FILE.

Directories:
  -r fetches an FTP directory, a gopher menu, a local directory, or an http
  page of links, with everything below it, into the folder of -o, or into one
  with its name. Links out of it are not followed, nor are symbolic links to
  directories, and redirects to other servers. What is skipped is printed with
  the reason, except for --accept and --reject, and at the end how many files
  were saved. Run it again to fetch what is missing: complete files are kept,
  and .part files are resumed. Files get the server's time. With --urls, the
  URLs of the files are printed, and nothing is saved. An http page that is not
  a generated listing is saved as index.html. -r RANGE, such as -r 0-99, is
  --range, as in curl.

HTTP:
  The options have curl's names, but --file reads a list of URLs, -e NAME is
  the edition, and --json without data prints results as JSON;
  docs/get-as-curl.md lists the differences. Redirects are followed.
  Login, headers and data are sent to the origin of the given URL, and to port
  443 of https if that is port 80 of http on the same host. Any other origin
  gets only Accept, Accept-Language, Accept-Encoding, User-Agent, Range, If-*
  and Cache-Control. If a redirect would repeat the data there (307, 308; for
  PUT and PATCH also 301, 302), or a method such as DELETE, that is an error;
  --redirect-body repeats them, --location-trusted sends everything. -v shows
  what was not sent. No redirect leads from https to http.

  A retry resumes where the transfer ended early, if the server proves that the
  file is unchanged; otherwise the transfer fails, so nothing is printed twice.

  With -Z the output is in the order of the URLs, one response after the other.

Schemes:
  http, https, ftp, ftps, gopher, news, nntp, snews, wais, prospero, whois,
  file and data are fetched. mailto prints a draft; --open shows it in the mail
  program. telnet, rlogin, tn3270, z39.50s and z39.50r start the command of
  --program at a terminal. mid and cid are looked up in --messages, and news
  articles there first.

  An edition is a version of the URL standard, by which URLs are parsed: from
  the draft of 1993 to RFC 3986, which is the default. A plan lists the steps
  of a fetch: the server, what is sent, and the replies that are expected.

  With --json, one object per line: {\"input\":…,\"edition\":…,\"url\":…,\"kind\":…,
  \"media_type\":…,\"whole\":…,\"octets\":…} with \"entries\", \"text\", \"base64\" or
  \"file\"; for HTTP also \"status\", \"fields\" (the headers) and \"encoding\"; or
  {\"input\":…,\"edition\":…,\"error\":{\"kind\":…,\"message\":…}}.";

/// Fetches every input.
pub(crate) fn run(args: &mut GetArgs, out: &mut Output) -> Result<Status, CliError> {
    match fetch(args, out) {
        // The reader has closed the pipe, so it needs no message.
        Err(CliError::Writing(error)) if error.kind() == io::ErrorKind::BrokenPipe => Err(CliError::Reported),
        result => result,
    }
}

impl GetArgs {
    /// Returns the files that are read, "-" for standard input: those of the options and the list of the URLs.
    fn files(&self) -> Vec<OsString> {
        let inputs = &self.asked.inputs;
        let stdin = OsStr::new("-");
        let list = match (inputs.urls.is_empty(), inputs.names_stdin()) {
            (true, _) => inputs.file.as_deref().or(Some(stdin)),
            (false, true) => Some(stdin),
            (false, false) => None,
        };
        let options = self.http.files();
        let files = options.iter().chain(self.line.files()).map(OsString::as_os_str).chain(list);
        files.map(OsStr::to_owned).collect()
    }

    /// Returns whether standard input is read.
    pub(crate) fn reads_stdin(&self) -> bool {
        self.files().iter().any(|file| file == "-")
    }
}

fn fetch(args: &mut GetArgs, out: &mut Output) -> Result<Status, CliError> {
    if let Some(why) = args.to.excess(args.asked.inputs.count()) {
        say_error(&why);
        return Err(CliError::Reported);
    }
    let globs = args.expand()?;
    fetch_expanded(args, globs, out)
}

fn fetch_expanded(args: &GetArgs, globs: Globs, out: &mut Output) -> Result<Status, CliError> {
    let config = args.options.config()?;
    let inputs = &args.asked.inputs;
    args.check_quiet()?;
    if inputs.urls.is_empty() && inputs.file.is_none() && !stdin_has_content() {
        args.check_url_of_option()?;
    }
    if let Some(data) = inputs.urls.iter().find(|url| inputs.json && is_json(url.as_encoded_bytes())) {
        return Err(wrong_json(data));
    }
    if inputs.json && args.to.prints_headers() {
        say_error("-D -: the headers would be among the results of --json, which have them as \"fields\"");
        return Err(CliError::Reported);
    }
    if !inputs.no_messages && !inputs.quiet {
        args.notes().for_each(say);
    }
    check_stdin_once(
        args.files().iter().map(OsString::as_os_str),
        "two of --cookie, --data, --form, --header, --upload-file, -K and the list of URLs use it",
    )?;
    if args.http.is_upload() && args.walk.is_wanted() {
        say_error("--upload-file: a directory cannot be uploaded with -r");
        return Err(CliError::Reported);
    }
    if args.http.is_upload() && inputs.count() != Some(1) {
        say_error("--upload-file: expected one URL to upload the file to");
        return Err(CliError::Reported);
    }
    interrupt::at_once(download::report);
    let proxy = args.proxy.choose(&config, args.settings.connect().has_socket())?;
    args.options.with_options(&config, proxy.server.as_ref(), |options| {
        let registry = args.options.registry(&config);
        let user = Arc::new(args.settings.user(args.options.program("mailto", &config)));
        let logins = UnsentLogins::new(args.login.may_be_sent_at_once(), inputs.quiet || inputs.no_messages);
        let dialogue = args.verbose.then(|| Arc::new(Dialogue::new(out.errors(), logins.clone())));
        let data = args.http.data()?;
        let http = args.http.http(&data, proxy.proxies.clone(), args.prints_errors())?;
        let login = args.login.read(inputs.quiet || inputs.no_messages)?;
        let mut http = login.add_hosts_to(args.login.add_to(args.proxy.add_to(http)));
        let jar = args.http.cookies().jar(args.asked.inputs.no_messages)?;
        if let Some(jar) = &jar {
            http = http.cookies(jar);
        }
        let condition =
            args.time.condition(|name| args.saves_as(name), inputs.quiet || inputs.no_messages)?;
        // A redirect to ftp would contact the server itself, and not by the proxy or the socket.
        let only_http =
            proxy.server.is_some() || proxy.is_for_http_only || args.settings.connect().has_socket();
        let http = match args.http.redirect_schemes(args.accepted.schemes()) {
            Some(schemes) => {
                let schemes = schemes.iter().map(String::as_str);
                http.redirects_to(schemes.filter(|scheme| !only_http || matches!(*scheme, "http" | "https")))
            }
            None => http,
        };
        let http = condition.iter().try_fold(http, |http, condition| condition.add_to(http))?;
        let policy = args.contact.policy()?.web_to_ftp(args.http.redirects_to_ftp());
        let base = policy.base().map(|base| base.to_owned());
        let unfollowing = http.clone().follow(false);
        let mut fetcher = args.settings.fetcher(Fetcher::with_policy(policy))?.http(http);
        fetcher = fetcher.prompter(user.clone()).handler(user.clone());
        fetcher = fetcher.reuse(args.reuse()).max_per_host(args.parallel.per_host().number);
        if args.http.max_redirs() > 0 {
            fetcher = fetcher.max_redirects(args.http.max_redirs());
        }
        if let Some(dialogue) = &dialogue {
            fetcher = fetcher.watcher(dialogue.clone());
        } else if !args.asked.inputs.no_messages {
            fetcher = fetcher.watcher(Arc::new(Warnings(logins)));
        }
        let getter = Getter {
            inputs: &args.asked.inputs,
            edition: args.asked.by.edition,
            base,
            registry: &registry,
            options,
            fetcher,
            unfollowing,
            has_proxy_of_http: proxy.is_for_http_only,
            connect_to: args.settings.connect().servers(),
            proxies: proxy.proxies,
            to: &args.to,
            http: &args.http,
            data,
            retry: &args.retry,
            rate: args.settings.rate(),
            condition,
            keeps_time: args.time.keeps_time(),
            schemes: args.accepted.schemes(),
            hides_progress: args.accepted.hides_progress(),
            writes_out: args.write_out.is_some(),
            is_verified: args.settings.verifies(),
            max_filesize: args.settings.max_filesize(),
            login,
            login_of_http: args.login.only_http(),
            user,
            dialogue: dialogue.as_deref(),
            news_server: args.options.news_server(&config),
            files: NamesSeen::default(),
            headlines: Headlines::default(),
            has_socket: args.settings.connect().has_socket(),
            globs,
            expands: args.line.expands(),
            headers: if args.plan { None } else { args.header_file()? },
            progress: args.progress(out),
        };
        let result = args.get(&getter, out);
        match &jar {
            Some(jar) if !args.plan => args.http.cookies().write(jar, out).and(result),
            _ => result,
        }
    })
}

impl GetArgs {
    /// Refuses `-q` with what is to be printed or saved: nothing would be, and nothing said.
    fn check_quiet(&self) -> Result<(), CliError> {
        let given = [
            (self.to.is_named_or_saved(), "-o or -O"),
            (self.to.prints_headers(), "-D -"),
            (self.write_out.is_some(), "-w"),
        ];
        let given = given.into_iter().find_map(|(is_given, option)| is_given.then_some(option));
        let Some(option) = given.filter(|_| self.asked.inputs.quiet) else { return Ok(()) };
        say_error(&format!(
            "-q prints and saves nothing, so it cannot be used with {option}; use -s instead of -q, which hides \
             progress, notes and errors"
        ));
        Err(CliError::Reported)
    }

    /// Refuses a line without a URL to fetch whose only URL is the value of an option.
    fn check_url_of_option(&self) -> Result<(), CliError> {
        let proxy = self.proxy.given().map(|url| ("the proxy of -x", url));
        let Some((what, url)) = proxy.or_else(|| Some(("the Referer of -e", self.http.referer()?))) else {
            return Ok(());
        };
        let shown = visible(&secrets::redacted(url).to_string()).to_string();
        let word = pasted::shell_word(&shown);
        say_error(&format!(
            "no URL to fetch: {shown} is {what}, as in curl; to fetch it, type: locator get {word}"
        ));
        Err(CliError::Reported)
    }

    /// Returns notes on options that do not do what the line seems to want.
    fn notes(&self) -> impl Iterator<Item = &'static str> {
        let is_alone = !self.http.is_usual_in_curl() && !self.to.is_named_or_saved();
        [
            (
                self.http.has_auto_referrer(),
                "--referer: \";auto\" has no effect: after a redirect no Referer is sent, because a URL may contain a secret",
            ),
            (
                self.no_buffer && is_alone,
                "-N is --no-buffer, as in curl, and the default; to save a file if it is newer, as wget does, use \
                 -R -z FILE --clobber -o FILE",
            ),
            (
                self.show_error && is_alone,
                "-S is --show-error, as in curl, and has no effect without -s; to print the response headers, as \
                 wget does, use -i",
            ),
            (
                self.walk.is_wanted() && !self.settings.verifies(),
                "-k does not verify certificates, as in curl; links in saved pages are not changed, as wget's -k does",
            ),
        ]
        .into_iter()
        .filter_map(|(is_said, note)| is_said.then_some(note))
    }
}

fn wrong_json(data: &OsStr) -> CliError {
    let shown = secrets::masked(&data.to_string_lossy().chars().take(40).collect::<String>());
    say_error(&format!(
        "--json without data prints results as JSON; to send {shown}, put it after --json, or use --data-json"
    ));
    CliError::Reported
}

impl GetArgs {
    /// Returns whether a file of this name is one that a response is saved to, as far as the arguments say.
    fn saves_as(&self, name: &OsStr) -> bool {
        let last = |url: &OsString| {
            let url = url.to_string_lossy();
            let path = url.split(['?', '#']).next().unwrap_or_default();
            OsString::from(path.rsplit('/').next().unwrap_or_default())
        };
        self.to.saves_as(name, self.asked.inputs.urls.iter().map(last))
    }

    fn get(&self, getter: &Getter<'_>, out: &mut Output) -> Result<Status, CliError> {
        if self.plan {
            return self.print_plans(getter, out);
        }
        let inputs = &self.asked.inputs;
        if !inputs.no_messages {
            let all = inputs.count().map(|count| count as u64);
            let has_summary = self.to.is_file() && !inputs.quiet && !inputs.json;
            let is_walk = self.walk.is_wanted() && !self.to.only_urls;
            download::will_report(Report { all, has_summary, is_walk });
        }
        let mut verdict = Verdict::new(inputs, getter.edition, self.write_out.as_ref(), out.errors());
        if self.show_error {
            verdict.reports.speak();
        }
        if self.walk.is_wanted() {
            return self.walk(getter, verdict, out);
        }
        let mut verdict = match self.parallel.at_once() {
            Some(at_once) => parallel::run(getter, verdict, at_once, self.parallel.per_host(), out)?,
            None => {
                let mut one = Urls { getter, inner: OneByOne { getter, verdict } };
                run::run(inputs, &mut one, out)?;
                one.inner.verdict
            }
        };
        progress::end_line();
        if verdict.is_empty() && inputs.urls.is_empty() && inputs.file.is_none() {
            self.check_url_of_option()?;
        }
        verdict.summarize(self.to.is_file());
        verdict.end()
    }

    /// Fetches directories with everything below them.
    fn walk(&self, getter: &Getter<'_>, verdict: Verdict<'_>, out: &mut Output) -> Result<Status, CliError> {
        let fetcher = getter.fetcher.clone().http(getter.unfollowing.clone());
        let at_once = self.parallel.at_once().unwrap_or(1);
        let walking = Walking { getter, args: &self.walk, fetcher: &fetcher, at_once };
        let verdict = walk::run(walking, verdict, out)?;
        progress::end_line();
        verdict.end()
    }

    /// Prints the plans, with the requests that are sent.
    fn print_plans(&self, getter: &Getter<'_>, out: &mut Output) -> Result<Status, CliError> {
        let inputs = &self.asked.inputs;
        let form = if inputs.json { OutputForm::Json } else { OutputForm::Dialogue };
        let plans = Plans::new(inputs, getter.edition, form, |octets: &[u8]| getter.plan(octets), out);
        let status = run::run(inputs, &mut Urls { getter, inner: plans }, out)?;
        if let Some(body) = getter.data.body()
            && !inputs.quiet
            && !inputs.no_messages
        {
            let length = body.content_length();
            let size = length.map(|length| format!(" of {}", plural(length, "byte"))).unwrap_or_default();
            let (what, place) = match self.http.is_upload() {
                true => ("the file", ""),
                false => ("the request body", ", which follows the headers,"),
            };
            say(&format!("{what}{size}{place} is not shown"));
        }
        Ok(status)
    }

    /// Expands the patterns in URLs.
    fn expand(&mut self) -> Result<Globs, CliError> {
        if !self.line.expands() {
            return Ok(Globs::default());
        }
        Globs::expand(&mut self.asked.inputs, self.asked.by.edition).map_err(|why| {
            say_error(&why.to_string());
            CliError::Reported
        })
    }

    /// Creates the file of `-D`.
    fn header_file(&self) -> Result<Option<HeaderFile>, CliError> {
        self.to.headers().map_err(|why| {
            say_error(&why.to_string());
            CliError::Reported
        })
    }

    /// Returns whether connections are used again: not for one URL, unless that is a directory with everything
    /// below it.
    fn reuse(&self) -> Reuse {
        let has_one = self.asked.inputs.count() == Some(1) && !self.walk.is_wanted();
        if has_one { Reuse::Never } else { Reuse::Expected }
    }

    /// Returns whether the body of an error response is printed.
    fn prints_errors(&self) -> bool {
        !self.asked.inputs.json && !self.walk.is_wanted() && self.to.prints_errors()
    }

    /// Returns the progress of parallel transfers.
    fn progress(&self, out: &Output) -> Option<Progress> {
        let inputs = &self.asked.inputs;
        let is_silent = inputs.quiet || inputs.no_messages || self.accepted.hides_progress();
        let is_walk = self.walk.is_wanted();
        let saves = self.to.is_file() || is_walk && !self.to.only_urls;
        let is_shown = !is_silent && (saves || !out.is_terminal);
        // How many files a walk finds is not known.
        let count = inputs.count().map(|count| count as u64).filter(|_| !is_walk);
        let has_several = self.parallel.at_once().is_some() || is_walk;
        has_several.then(|| Progress::of_transfers(is_shown, count))
    }
}

/// Fetches one input after the other.
struct OneByOne<'a> {
    getter: &'a Getter<'a>,
    verdict: Verdict<'a>,
}

impl Answer for OneByOne<'_> {
    fn answer(&mut self, input: Input<'_>, out: &mut Output) -> io::Result<Status> {
        let Transferred { result, seen } = self.getter.get(&self.getter.fetcher, input, out, false);
        let status = self.verdict.report(input, result, seen, out)?;
        // The next transfer may take long.
        out.flush()?;
        Ok(status)
    }

    fn judge(&mut self, input: Input<'_>) -> Status {
        let mut out = self.verdict.errors();
        let transferred = self.getter.get(&self.getter.fetcher, input, &mut out, true);
        self.verdict.judge(&transferred.result)
    }

    fn reports(&self) -> Option<&Reports> {
        self.verdict.counted()
    }
}

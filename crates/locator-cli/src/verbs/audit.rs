//! The verb `audit`: reports what is dangerous in each URL, valid or not.
//!
//! [`located`](crate::input::located) takes an input apart: a URL, a URL after its location, or an object
//! that `find --json` has printed. [`choice`] decides which findings are reported.
//! [`report`] writes them and lists what can be found, [`readings`] has what programs contact, [`documents`] the links of
//! `--documents`.

mod choice;
mod documents;
mod readings;
mod report;

use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal as _, Write as _};
use std::path::Path;

use clap::Args;
use locator::{Edition, Redacted, Uri, UriRef, edition};
use locator_audit::{self as audit, Auditor, Code, Contact, Finding, Policy, Protected, Severity};

use self::choice::{Choice, ChoiceArgs};
use self::documents::DocumentArgs;
use self::readings::Audited;
use self::report::{PropertiesObject, Report};
use crate::arguments::policy::PolicyArgs;
use crate::arguments::{TableArgs, VerbArgsOfOneEdition, daily, long_help, short_help};
use crate::exit::{CliError, Status, say, say_error};
use crate::input::files::Named;
use crate::input::located::Located;
use crate::input::{Input, STDIN};
use crate::output::Output;
use crate::pasted;
use crate::report::sarif::Sarif;
use crate::run::table;
use crate::run::{self, Answer, Skips};
use crate::terminal::secrets;
use crate::terminal::visible;
#[cfg(feature = "serve")]
use crate::verbs::open;

/// Report what is dangerous in each URL, valid or not
///
/// Prints nothing for a URL without findings; for others it marks what is dangerous, and says why
/// and what to do. Common options: --fail-on SEVERITY decides about the exit status, --json and
/// --sarif are for programs, --explain CODE describes a finding.
#[derive(Args, Debug)]
#[command(after_help = short_help(EXAMPLES, 6), after_long_help = long_help(DETAILS, EXAMPLES))]
#[command(mut_arg("quiet", |quiet| quiet.help(QUIET)))]
#[command(mut_arg("brief", |brief| brief.help(BRIEF)))]
#[command(mut_arg("no_messages", |silent| silent.help(SILENT)))]
#[command(mut_arg("json", |json| json.help(JSON)))]
#[command(mut_arg("policy", |policy| policy.help(POLICY)))]
#[command(mut_args(|option| daily(option, DAILY)))]
pub(crate) struct AuditArgs {
    #[command(flatten)]
    asked: VerbArgsOfOneEdition,
    #[command(flatten)]
    choice: ChoiceArgs,
    #[command(flatten)]
    protect: ProtectArgs,
    #[command(flatten)]
    policy: PolicyArgs,
    #[command(flatten)]
    forms: Forms,
    #[command(flatten)]
    table: TableArgs,
    #[command(flatten)]
    documents: DocumentArgs,
}

/// What is printed instead of findings for people, and how the input is read.
#[derive(Args, Debug)]
struct Forms {
    /// Print a SARIF 2.1.0 log, for code scanning
    #[arg(long, conflicts_with_all = ["json", "quiet"])]
    sarif: bool,
    /// Expect FILE:LINE:COLUMN: before each URL, as 'locator find -n' prints it
    #[arg(long)]
    places: bool,
    /// Print for each URL which host browsers, curl, Java and others contact
    #[arg(long, conflicts_with_all = ["sarif", "quiet"])]
    readings: bool,
    /// Resolve relative references against URL, and report every URL that leads to
    /// another server (leaves-base, medium)
    ///
    /// Without it the base has no name, and that is not reported.
    #[arg(long, value_name = "URL")]
    base: Option<OsString>,
    /// Also show the URL in the browser: which host each program contacts, what is dangerous, every
    /// component
    ///
    /// The page is one of the gateway of 'locator serve' on this machine, which is started in the
    /// background if it does not run; nothing is fetched. Without a display, the address is printed.
    #[cfg(feature = "serve")]
    #[arg(long, requires = "urls", conflicts_with_all = ["file", "json", "sarif", "quiet"])]
    open: bool,
    /// List all findings: code, severity and title
    #[arg(long, conflicts_with_all = ["urls", "file", "sarif", "explain", "readings"])]
    list: bool,
    /// Describe the finding CODE, with an example and what to do
    #[arg(long, value_name = "CODE", conflicts_with_all = ["urls", "file", "sarif", "readings"])]
    #[arg(value_parser = choice::CodeParser, hide_possible_values = true)]
    explain: Option<&'static Code>,
}

/// The help of `-q`, `--brief`, `-s`, `--json` and `--policy`.
const QUIET: &str =
    "Print nothing; only set the exit status, and stop at the first URL that reaches --fail-on";
const BRIEF: &str = "Print each finding on one line; by default only those after the tenth are";
const SILENT: &str = "Print no summary on standard error";
const JSON: &str = "Print one JSON object per line, for each URL with findings";

const POLICY: &str = "Report URLs that the policy in FILE refuses, as findings 'refused' (high)";

/// The options that `-h` prints.
const DAILY: &str =
    "file json quiet min-severity fail-on ignore protect policy sarif places readings explain";

/// After the options: examples and exit status.
const EXAMPLES: &str = "\
Examples:
  locator audit 'http://www.example.com&story=news@10.0.0.1/'
  locator audit --min-severity medium < urls.txt
  locator audit --fail-on low --ignore 'password:*@h.example/*' < urls.txt
  locator find -n docs/ | locator audit --places --brief
  locator find --json docs/ | locator audit --sarif > audit.sarif
  locator audit --json < urls.txt > known.json
  locator audit --baseline known.json < urls.txt
  locator audit --protect our-names.txt < mail-links.txt
  locator find --json . | locator audit --since HEAD~1
  locator audit --policy policy.toml < urls.txt
  if locator audit -q --policy policy.toml -- \"$url\"; then echo allowed; fi
  locator audit --readings 'http://evil.example\\@good.example/'
  locator audit --documents mail.eml site/
  locator audit --base https://www.example.com/ --fail-on medium -- \"$next\"
  locator audit --explain userinfo-like-host

Exit status:
  0    no finding reaches --fail-on
  1    at least one finding does
  2    wrong usage, or a file cannot be read
  130  interrupted";

/// Before the examples in `--help`: input and output.
const DETAILS: &str = "\
Input:
  A URL need not be valid: dangerous ones often are not. A line may also be a
  JSON object that 'locator find --json' has printed; then the output has the
  URL's file, line and column. With --places these precede the URL, as 'locator
  find -n' prints them.

  With --documents the arguments are files and directories, read as 'locator
  find' reads them; without arguments, and for \"-\", standard input is. The text
  of a link is compared with where it leads (misleading-text), as it is of the
  objects of 'locator find --json', which have \"text\".

  With --csv, --tsv or --ndjson the URLs are in the column of --column of a
  table, in files or standard input; findings have the place of the cell.

Severity:
  high    current programs contact different hosts, an address is disguised,
          code is run, or a credential is exposed
  medium  can deceive a person or a list of allowed hosts
  low     risky but common: a password, an internal address, an unusual port
  info    a matter of style

  A finding that reaches --fail-on is reported even if it is below
  --min-severity.

Output:
  The first ten findings show the URL and mark its bytes; the
  others have one line each. The number of findings is printed on standard
  error.

  With --readings each URL is followed by its readings: what programs and
  editions of the standard, current and historical, make of it:
    contacts URL                    the program contacts this server
    returns HOST, contacts nothing  a library returns this host, which no
                                    name server knows, but which a check
                                    would compare
    rejects                         an error, or no host to contact

  A URL without a scheme has two readings. As the argument of a program it is
  often a host: curl fetches example.com. In an href it is relative to --base,
  or without that to a base that has no name here. With --base a URL that
  leads to another server (scheme, host or port) is a finding of severity
  medium, leaves-base: an open redirect.

  Internal addresses such as http://127.0.0.1/ have severity low. To decide
  whether a program may fetch the URL of a stranger, use --policy, and not
  --fail-on.

  Passwords, tokens and other credentials are shown as (hidden), in JSON and
  SARIF too, unless --show-secrets is given.

  With --json one object for each URL with findings:
    {\"input\":…,\"file\":…,\"line\":…,\"column\":…,\"redacted\":true,
     \"secret_hash\":…,\"findings\":[
     {\"code\":…,\"severity\":…,\"precision\":…,\"offset\":…,\"length\":…,
      \"component\":…,\"message\":…,\"advice\":…,\"see\":…},…],
     \"hosts\":[…],\"contacts\":[{\"scheme\":…,\"host\":…,\"port\":…,\"readers\":[…]},…],
     \"returned\":[{\"host\":…,\"readers\":[…]},…]}
  \"offset\" and \"length\" count bytes of the URL as it was given. \"redacted\" is
  there if something is hidden in \"input\", with four digits (16 bits) by which
  --baseline distinguishes secrets. Without a file, \"line\", \"argument\" or
  \"item\" (with -0) counts the inputs from 1. \"contacts\" is what readers
  contact, first that of the edition; \"returned\" are hosts that they return
  and cannot contact, if there are any. With --readings, URLs without findings
  have an object, too.

  With --baseline FILE, findings of an earlier run with --json are not reported
  again: those with the same code, URL and file, on whatever line. Another
  password in the same URL is a new finding.

  With --since REF, only findings in lines that were added or changed since the
  git revision REF are reported. The files are those of the working tree. In
  CI, fetch the history. To report what a branch has changed:
    locator audit --since \"$(git merge-base origin/main HEAD)\"
  A URL without a file is always new.

  With --policy FILE, a URL that the policy refuses has a finding 'refused',
  which says why. The file has lines such as
    preset = \"public_web\"            # or \"same_origin\" with base, \"typed\"
    hosts = [\"example.com\", \"*.example.com\"]
    ports = [80, 443, 8080]
    severities = { password = \"high\" }
    deny = { hosts = [\"old.example.com\"] }
  docs/policy.md describes all keys. A host that is a name is not looked up.

  With --sarif a file of URLs, or the files that 'find' has searched, are named
  relative to the working directory, which should be the root of the sources.
  At most 25,000 findings are written, the most severe first.";

/// Audits every input, or describes what can be found.
pub(crate) fn run(args: &AuditArgs, out: &mut Output) -> Result<Status, CliError> {
    let AuditArgs { asked, choice, protect, policy, forms, table, documents } = args;
    if forms.list || forms.explain.is_some() {
        match forms.explain {
            Some(code) => report::explain(out, code, asked.inputs.json)?,
            None => report::list(out, asked.inputs.json)?,
        }
        out.flush()?;
        return Ok(Status::Valid);
    }
    #[cfg(feature = "serve")]
    let opened = if forms.open { Some(only_url(&asked.inputs.urls)?) } else { None };
    let (protected, table) = (protect.read()?, table.input()?);
    let list = asked.inputs.file.as_deref().filter(|list| *list != "-");
    let base = forms.base.as_deref().map(|base| contact_of(base, out)).transpose()?;
    let auditor = Auditor::new().edition(asked.by.edition);
    let secrets: Vec<_> = audit::codes().filter(|code| code.is_secret()).map(Code::name).collect();
    let mut verb = Audit {
        secrets: auditor.only(&secrets),
        auditor: base.as_ref().map_or(auditor, |base| auditor.base(base)),
        base: base.as_ref(),
        edition: asked.by.edition,
        places: forms.places,
        list: list.map(|list| list.as_encoded_bytes().to_vec()),
        is_table: table.is_some(),
        readings: forms.readings,
        policy: policy.read()?,
        choice: Choice::new(choice, asked.by.edition)?,
        form: match (forms.sarif, asked.inputs.json) {
            (true, _) => Form::Sarif(Box::new(report::sarif_log())),
            (_, true) => Form::Json,
            _ => Form::People(Report::new(asked.inputs.brief, forms.readings)),
        },
        count: 0,
        all_relative: None,
    };
    if matches!(verb.form, Form::People(_)) {
        out.begin_text();
    }
    // Secrets are hidden where findings of low severity are.
    let least = if asked.inputs.quiet {
        verb.choice.least_for_status()
    } else {
        verb.choice.least().min(Severity::Low)
    };
    verb.auditor = verb.auditor.least(least);
    if let Some(protected) = &protected {
        verb.auditor = verb.auditor.protect(protected);
    }
    let status = match table {
        _ if documents.documents => documents::each(documents, &asked.inputs, verb.edition, &mut verb, out)?,
        Some(table) => table::each(table, &asked.inputs, &mut verb, out)?,
        None => run::run(&asked.inputs, &mut verb, out)?,
    };
    let is_silent = asked.inputs.is_silent();
    if let Form::Sarif(log) = verb.form {
        log.write(out, is_silent)?;
    }
    if !is_silent && !asked.inputs.json {
        let is_seen = out.is_terminal && io::stderr().is_terminal();
        verb.choice.say_summary(verb.count, is_seen);
        if verb.all_relative == Some(true) && verb.base.is_none() {
            say(&all_relative(verb.count));
            if let Some(document) = asked.inputs.urls.iter().find(|name| is_name_of_document(name)) {
                let name = visible(&document.to_string_lossy()).to_string();
                say(&format!(
                    "there is no file \"{name}\"; 'locator audit --documents FILE' audits the links of a file"
                ));
            }
        }
    }
    #[cfg(feature = "serve")]
    if let Some(url) = opened {
        open::show_readings(url, out)?;
    }
    Ok(status)
}

/// Returns the URL of `--open`.
#[cfg(feature = "serve")]
fn only_url(urls: &[OsString]) -> Result<&str, CliError> {
    let wrong = |why: &str| {
        say_error(&format!("--open: {why}"));
        CliError::Reported
    };
    match urls {
        [url] if url != "-" => url.to_str().ok_or_else(|| wrong("the URL is not UTF-8")),
        [_] => Err(wrong("the URL is an argument, as in 'locator audit --open URL'")),
        _ => Err(wrong("the page shows one URL; give one, as in 'locator audit --open URL'")),
    }
}

/// Returns the note about texts that have no findings because they name no server.
fn all_relative(count: u64) -> String {
    let what = match count {
        1 => "this is a relative reference, which contacts no server by itself",
        _ => "all of them are relative references, which contact no server by themselves",
    };
    format!("{what}; use --base URL to report those that lead to another server")
}

/// Returns whether a relative reference is rather the name of a document, which was not found.
fn is_name_of_document(name: &OsStr) -> bool {
    const NAMES: [&str; 8] = ["eml", "html", "htm", "md", "mbox", "msg", "pdf", "txt"];
    let extension = Path::new(name).extension().unwrap_or_default();
    NAMES.iter().any(|known| extension.eq_ignore_ascii_case(known)) && !Path::new(name).exists()
}

/// Returns what references without a scheme and a host contact.
fn contact_of(base: &OsStr, out: &mut Output) -> Result<Contact, CliError> {
    let base = run::read_base(base.as_encoded_bytes(), edition::DEFAULT, &mut out.errors())?;
    let contact = Uri::parse(base.as_str()).ok().and_then(Contact::from_uri);
    contact.ok_or_else(|| {
        say_error("--base: a URL with a host is needed, such as https://www.example.com/");
        CliError::Reported
    })
}

/// How findings are written.
enum Form {
    People(Report),
    Json,
    Sarif(Box<Sarif<PropertiesObject>>),
}

struct Audit<'a> {
    auditor: Auditor<'a>,
    /// What finds secrets alone.
    secrets: Auditor<'a>,
    /// What texts without a scheme refer to, if `--base` says so.
    base: Option<&'a Contact>,
    edition: &'static Edition,
    places: bool,
    /// The file that URLs are read from, one per line.
    list: Option<Vec<u8>>,
    /// Whether URLs are in tables, each of which has a name.
    is_table: bool,
    /// Whether URLs without findings are written, too.
    readings: bool,
    policy: Option<Policy>,
    choice: Choice,
    form: Form,
    /// How many URLs were audited.
    count: u64,
    /// Whether every text so far was a relative reference without findings; `None` before the first.
    all_relative: Option<bool>,
}

impl Answer for Audit<'_> {
    fn answer(&mut self, input: Input<'_>, out: &mut Output) -> io::Result<Status> {
        self.audit(input, |form, audited| match form {
            Form::People(people) => people.write(out, audited),
            Form::Json => report::write_json(out, audited),
            Form::Sarif(log) => {
                report::add_to_log(log, audited);
                Ok(())
            }
        })
    }

    fn judge(&mut self, input: Input<'_>) -> Status {
        self.audit(input, |_, _| Ok(())).unwrap_or(Status::NotValid)
    }

    fn refuses_names_of_files(&self) -> Option<&'static str> {
        (self.base.is_none() && self.policy.is_none()).then_some("audit")
    }

    fn option_of_documents(&self) -> Option<&'static str> {
        Some("--documents")
    }

    /// Line breaks in a URL are dangerous, some programs take "URL:" off and others do not, and with a policy
    /// or a base the exact text is judged.
    fn unwrapped(&self, argument: &[u8]) -> Option<String> {
        let text = argument.trim_ascii();
        let is_judged = self.base.is_some() || self.policy.is_some() || text.contains(&b'\n');
        let is_marked = text.get(..4).is_some_and(|start| start.eq_ignore_ascii_case(b"url:"));
        if is_judged || is_marked || text.contains(&b'\r') {
            None
        } else {
            pasted::unwrapped(argument, self.edition)
        }
    }

    fn skips(&self) -> Skips {
        Skips::Blank
    }

    fn explains_places(&self) -> bool {
        self.places
    }
}

impl Audit<'_> {
    /// Returns the findings of a URL, with a policy its refusal, and of a link what is wrong with its text.
    fn findings(&self, located: &Located<'_>) -> Vec<Finding> {
        let text = located.text();
        let mut findings = match &self.policy {
            Some(policy) => policy.audit(&self.auditor, text),
            None => self.auditor.audit(text),
        };
        if let Some(finding) = self.misleading_text(located) {
            let at = findings.partition_point(|other| other.span().start <= finding.span().start);
            findings.insert(at, finding);
        }
        findings
    }

    /// Returns what is wrong with the text of a link, which may be relative to the base of its document.
    fn misleading_text(&self, located: &Located<'_>) -> Option<Finding> {
        let shown = located.link_text.as_ref()?;
        let absolute = located.absolute.as_deref().and_then(|url| Uri::parse(url).ok());
        let base = absolute.and_then(Contact::from_uri);
        match &base {
            Some(base) => self.auditor.base(base).misleading_text(located.text(), shown),
            None => self.auditor.misleading_text(located.text(), shown),
        }
    }

    /// Audits an input and writes the findings that are chosen, if there are any.
    fn audit(
        &mut self,
        input: Input<'_>,
        write: impl FnOnce(&mut Form, &Audited<'_>) -> io::Result<()>,
    ) -> io::Result<Status> {
        let Some(located) = Located::read(input, self.places) else { return Ok(Status::Valid) };
        self.count += 1;
        let text = located.text();
        let mut findings = self.findings(&located);
        let is_relative =
            self.all_relative != Some(false) && findings.is_empty() && is_relative(text, self.edition);
        self.all_relative = Some(is_relative);
        if findings.is_empty() && !self.readings {
            return Ok(Status::Valid);
        }
        // A secret is hidden even if the policy makes its finding one that is not reported.
        let secrets = self.policy.is_some().then(|| self.secrets.audit(text));
        let hidden = secrets::hidden_by(secrets.as_ref().unwrap_or(&findings), text, self.edition);
        let table = input.list.filter(|name| self.is_table && *name != STDIN).map(str::as_bytes);
        let place = located.place_in(table.or(self.list.as_deref()));
        let place = place.as_ref();
        self.choice.retain(&located, place, &hidden, &mut findings);
        if findings.is_empty() && !self.readings {
            return Ok(Status::Valid);
        }
        let exact = secrets::are_shown().then(|| Redacted::exact(text));
        let shown = exact.as_ref().unwrap_or(&hidden);
        let audited = Audited {
            located: &located,
            place,
            edition: self.edition,
            base: self.base,
            findings: &findings,
            hidden: &hidden,
            shown,
        };
        write(&mut self.form, &audited)?;
        Ok(Status::of(!self.choice.fails(&findings)))
    }
}

/// Returns whether a text is a reference without a scheme and a host.
fn is_relative(text: &str, edition: &'static Edition) -> bool {
    UriRef::parse_with(text, edition).is_ok_and(|text| !text.has_scheme() && text.authority().is_none())
}

/// Returns the error about a file of `--protect` that does not exist and has a domain as its name: that is to be protected.
fn no_list(path: &OsStr) -> Option<String> {
    let name = path.to_str().filter(|name| !name.contains('/') && !Path::new(name).exists())?;
    locator_domain::registered_domain(name, locator_domain::Rules::Icann)?;
    let name = visible(name);
    Some(format!(
        "--protect takes a file with one name per line, and there is no file \"{name}\"; to protect this name: \
         echo {name} | locator audit --protect - URL"
    ))
}

/// The options `--protect` and `--brands`: names that hosts must not imitate.
#[derive(Args, Debug)]
struct ProtectArgs {
    /// Report hosts that imitate a name in FILE, such as examp1e.com
    ///
    /// FILE has one name per line; "#" begins a comment. List all names that are yours.
    /// Also reported are hosts that contain a name before another domain, such as
    /// example.com.evil.test, or have it under another top-level domain. Can be
    /// repeated.
    #[arg(long, value_name = "FILE")]
    protect: Vec<OsString>,
    /// Report hosts that imitate a company on the built-in list, such as netf1ix.com
    ///
    /// Without it only letters of other scripts and with marks are compared with that
    /// list.
    #[arg(long)]
    brands: bool,
}

impl ProtectArgs {
    /// Reads the files; `None` without an option.
    fn read(&self) -> Result<Option<Protected>, CliError> {
        if self.protect.is_empty() && !self.brands {
            return Ok(None);
        }
        let mut names = Protected::new();
        for path in &self.protect {
            let file = Named(path);
            if let Some(error) = no_list(path) {
                say_error(&error);
                return Err(CliError::Reported);
            }
            let list = String::from_utf8(file.read()?).map_err(|_| io::Error::other("it is not UTF-8"));
            let added = list.and_then(|list| {
                names
                    .add_lines(&list)
                    .map_err(|error| io::Error::other(visible(&error.to_string()).to_string()))
            });
            added.map_err(|error| file.unreadable(error))?;
        }
        if self.brands {
            names.add_brands();
        }
        Ok(Some(names))
    }
}

//! What is sent, by options with curl's names: data by POST, or with `-G` as the query of the URL; and files:
//! `-T`, those of forms and of `--data-binary`. A file is read while it is sent, so it may have any length.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::path::Path;

use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};
use locator::plan::{Options, Upload};
use locator::scheme::FtpUrl;
use locator::{AsciiSet, Edit, PctString, UriRef, UriRefBuf, Value};
use locator_fetch::http::RequestBody;

use crate::exit::CliError;
use crate::field::Refused;
use crate::input::files::Named;
use crate::report::failure::Failure;

/// The options of data.
#[derive(Clone, Debug, Default)]
pub(super) struct DataArgs {
    /// The data, in the order of the options.
    given: Vec<(Kind, String)>,
    /// Whether it is added to the query of the URL.
    in_query: bool,
}

/// An option of data.
type Kind = &'static Form;

/// An option of data: its name, its help, and how its value is read.
#[derive(Debug)]
struct Form {
    name: &'static str,
    short: Option<char>,
    /// The name of the value in the help.
    value: &'static str,
    help: &'static str,
    read: fn(&str) -> Result<Vec<u8>, CliError>,
    /// Returns the file that a value names.
    file: fn(&str) -> Option<&str>,
}

const FORMS: [Form; 5] = [
    Form {
        name: "data",
        short: Some('d'),
        value: "DATA",
        help: "Send DATA in a POST request; @FILE reads a file and removes its line ends, \"@-\" reads \
               standard input; several are joined with \"&\"",
        read: without_line_ends,
        file: |text| text.strip_prefix('@'),
    },
    Form {
        name: "data-raw",
        short: None,
        value: "DATA",
        help: "Send DATA in a POST request; \"@\" has no special meaning",
        read: |text| Ok(text.into()),
        file: |_| None,
    },
    Form {
        name: BINARY,
        short: None,
        value: "DATA",
        help: "Send DATA in a POST request; @FILE sends a file unchanged, however long it is",
        read: |text| text.strip_prefix('@').map_or_else(|| Ok(text.into()), read_data),
        file: |text| text.strip_prefix('@'),
    },
    Form {
        name: "data-urlencode",
        short: None,
        value: "DATA",
        help: "Percent-encode DATA and send it in a POST request: TEXT, NAME=TEXT, @FILE or NAME@FILE",
        read: url_encoded,
        file: |text| name_and_content(text).and_then(|(_, data)| data.strip_prefix('@')),
    },
    Form {
        name: JSON,
        short: None,
        value: "DATA",
        help: "Send DATA or @FILE as JSON in a POST request, with the headers Content-Type and Accept for \
               it; several are joined. This is curl's --json DATA, which is accepted if DATA begins with \
               \"{\", \"[\", a quotation mark or \"@\"",
        read: |text| text.strip_prefix('@').map_or_else(|| Ok(text.into()), read_data),
        file: |text| text.strip_prefix('@'),
    },
];

/// The option whose data are JSON.
const JSON: &str = "data-json";

/// The option whose files are sent unchanged.
const BINARY: &str = "data-binary";

/// The media type of JSON.
pub(super) const TYPE_OF_JSON: &str = "application/json";

/// The option that adds data to the query.
const GET: &str = "get";

impl Args for DataArgs {
    fn augment_args(command: Command) -> Command {
        let one = |form: &Form| {
            let arg = Arg::new(form.name).long(form.name).value_name(form.value).help(form.help);
            let arg = arg.action(ArgAction::Append).allow_hyphen_values(true);
            let arg = if form.name == "data" { arg.visible_alias("data-ascii") } else { arg };
            form.short.into_iter().fold(arg, Arg::short)
        };
        let get = Arg::new(GET).short('G').long(GET).action(ArgAction::SetTrue);
        let get = get.help("Append the data to the query of the URL, and use GET");
        command.args(FORMS.iter().map(one)).arg(get)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for DataArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut args = Self::default();
        args.update_from_arg_matches(matches)?;
        Ok(args)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        let given = in_order(matches, FORMS.iter().map(|form| form.name));
        self.given = given.into_iter().map(|(index, value)| (&FORMS[index], value)).collect();
        self.in_query = matches.get_flag(GET);
        Ok(())
    }
}

impl DataArgs {
    /// Returns the first option of data that was given.
    pub(super) fn option(&self) -> Option<&'static str> {
        self.given.first().map(|(form, _)| form.name)
    }

    /// Returns whether there is data to be sent as the body of the request.
    pub(super) fn has_body(&self) -> bool {
        !self.given.is_empty() && !self.in_query
    }

    /// Returns whether the data is JSON.
    pub(super) fn is_json(&self) -> bool {
        self.given.iter().any(|(form, _)| form.name == JSON)
    }

    /// Returns the files that the data is read from.
    pub(super) fn files(&self) -> impl Iterator<Item = &str> {
        self.given.iter().filter_map(|(form, text)| (form.file)(text))
    }

    /// Reads the data. Files and standard input are read once.
    pub(super) fn read(&self) -> Result<Data, CliError> {
        if self.given.is_empty() {
            return Ok(Data::None);
        }
        if self.in_query {
            let pieces = self.given.iter().map(|(form, text)| (form.read)(text));
            return Ok(Data::Query(pieces.collect::<Result<Vec<_>, _>>()?.join(&b'&')));
        }
        let mut body = RequestBody::default();
        for (index, (form, text)) in self.given.iter().enumerate() {
            if index > 0 && form.name != JSON {
                body = body.then("&");
            }
            body = body.then(form.body(text)?);
        }
        let media_type = if self.is_json() { TYPE_OF_JSON } else { "application/x-www-form-urlencoded" };
        let media_type = Some(media_type.into());
        Ok(Data::Body { body, media_type })
    }
}

impl Form {
    /// Returns a value as a body. A file that is sent unchanged is read while it is sent.
    fn body(&self, text: &str) -> Result<RequestBody, CliError> {
        let file = (self.file)(text).filter(|_| matches!(self.name, BINARY | JSON));
        let body = file.map(|file| body_of_regular(OsStr::new(file))).transpose()?.flatten();
        body.map_or_else(|| (self.read)(text).map(Into::into), Ok)
    }
}

/// The data of all requests.
pub(super) enum Data {
    None,
    /// The body, and its media type.
    Body {
        body: RequestBody,
        media_type: Option<String>,
    },
    /// A file that is uploaded.
    Upload {
        body: RequestBody,
        file: OsString,
    },
    Query(Vec<u8>),
}

impl Data {
    /// Returns the body of the requests.
    pub(super) const fn body(&self) -> Option<&RequestBody> {
        match self {
            Self::Body { body, .. } | Self::Upload { body, .. } => Some(body),
            Self::None | Self::Query(_) => None,
        }
    }

    /// Returns the number of bytes of the body of a request, if it is known.
    pub(super) fn length(&self) -> u64 {
        self.body().and_then(RequestBody::content_length).unwrap_or_default()
    }

    /// Adds the data to the query of a URL, or the name of the file to its path; `None` if there is nothing to
    /// add.
    pub(super) fn add(&self, url: UriRef<'_>) -> Result<Option<UriRefBuf>, Failure> {
        let data = match self {
            Self::Query(data) => data,
            Self::Upload { file, .. } => return destination(url, file),
            Self::None | Self::Body { .. } => return Ok(None),
        };
        let refused = |why| Failure::not_edited("--get", Refused::from(why));
        let data = String::from_utf8_lossy(data);
        let query = match url.query().map(|query| query.as_str()).filter(|query| !query.is_empty()) {
            Some(query) => format!("{query}&{data}"),
            None => data.into_owned(),
        };
        let mut edit = Edit::of(url);
        edit.set_query(Value::Encoded(&query)).map_err(refused)?;
        edit.finish().map(Some).map_err(refused)
    }
}

/// Reads data from a file, or from standard input.
fn read_data(path: &str) -> Result<Vec<u8>, CliError> {
    Named(path.as_ref()).read_at_most(MOST)
}

/// The most bytes of data.
const MOST: usize = 256 << 20;

fn without_line_ends(text: &str) -> Result<Vec<u8>, CliError> {
    let Some(path) = text.strip_prefix('@') else { return Ok(text.into()) };
    let mut octets = read_data(path)?;
    octets.retain(|octet| !matches!(octet, b'\r' | b'\n' | 0));
    Ok(octets)
}

/// Encodes the text or the file after the first "=" or "@" as forms do. The name before it is not
/// encoded.
fn url_encoded(text: &str) -> Result<Vec<u8>, CliError> {
    let (name, data) = name_and_content(text).unwrap_or(("", text));
    let data = match (data.strip_prefix('@'), data.strip_prefix('=')) {
        (Some(path), _) => Named(path.as_ref()).read()?,
        (None, without_sign) => without_sign.unwrap_or(data).into(),
    };
    let value = PctString::encode(data, AsciiSet::UNRESERVED).as_str().replace("%20", "+");
    Ok(if name.is_empty() { value } else { format!("{name}={value}") }.into_bytes())
}

/// Divides data before the first "=" or "@", if there is one.
fn name_and_content(text: &str) -> Option<(&str, &str)> {
    text.find(['=', '@']).map(|at| text.split_at(at))
}

/// The option of an upload.
#[derive(Args, Debug)]
pub(super) struct UploadArgs {
    /// Upload FILE: with PUT to an http URL, with STOR to an ftp URL; a URL that ends with "/" gets its
    /// name; "-" is standard input
    #[arg(short = 'T', long, value_name = "FILE")]
    upload_file: Option<OsString>,
    /// Append the data of --upload-file to the file on the FTP server, instead of replacing it
    #[arg(short = 'a', long, requires = "upload_file")]
    append: bool,
    /// Create the directories of an FTP upload that do not exist
    #[arg(long, requires = "upload_file")]
    ftp_create_dirs: bool,
}

impl UploadArgs {
    /// Returns the file.
    pub(super) fn file(&self) -> Option<&OsStr> {
        self.upload_file.as_deref()
    }

    /// Returns whether the file can be sent twice, as far as its name says: not to append it.
    pub(super) fn may_be_repeated(&self) -> bool {
        !self.append && self.file().is_none_or(|file| !Named(file).is_stdin())
    }

    /// Returns the options of plans of ftp with the upload.
    pub(super) fn ftp_options<'o>(&self, mut options: Options<'o>) -> Options<'o> {
        let upload = if self.append { Upload::Append } else { Upload::Store };
        options.upload = self.file().map(|_| upload);
        options.create_directories(self.ftp_create_dirs)
    }

    /// Returns a given option that only FTP has.
    pub(super) fn only_ftp(&self) -> Option<&'static str> {
        let given = [(self.append, "append"), (self.ftp_create_dirs, "ftp-create-dirs")];
        given.into_iter().find_map(|(is_given, name)| is_given.then_some(name))
    }
}

/// Opens a file, or standard input, to send it.
pub(super) fn body(file: &OsStr) -> Result<RequestBody, CliError> {
    if Named(file).is_stdin() {
        return Ok(RequestBody::reader(io::stdin()));
    }
    open_file(file).map(Into::into).map_err(|error| Named(file).unreadable(error))
}

/// Opens a file that is no directory.
fn open_file(file: &OsStr) -> io::Result<File> {
    let opened = File::open(file)?;
    match opened.metadata()?.is_dir() {
        true => Err(io::ErrorKind::IsADirectory.into()),
        false => Ok(opened),
    }
}

/// Opens a regular file to send it; `None` for what must be read to know its length: standard input, a pipe
/// or a file of `/proc`.
fn body_of_regular(file: &OsStr) -> Result<Option<RequestBody>, CliError> {
    if Named(file).is_stdin() {
        return Ok(None);
    }
    let unreadable = |error| Named(file).unreadable(error);
    // Opening a pipe twice would lose what its writer sends.
    let metadata = std::fs::metadata(file).map_err(unreadable)?;
    match metadata.is_file() && metadata.len() > 0 {
        true => open_file(file).map(|file| Some(file.into())).map_err(unreadable),
        false => Ok(None),
    }
}

/// Returns the URL that a file is uploaded to, if it is another one than the given: as curl does, the name
/// of the file is appended to a path that ends with "/".
pub(super) fn destination(url: UriRef<'_>, file: &OsStr) -> Result<Option<UriRefBuf>, Failure> {
    let name = Path::new(file).file_name().filter(|_| !Named(file).is_stdin());
    // The type of an ftp URL is not part of the name.
    let path = url.path().as_str();
    let (path, code) = match FtpUrl::of(url) {
        Ok(_) => path.rfind(";type=").map_or((path, ""), |at| path.split_at(at)),
        Err(_) => (path, ""),
    };
    let is_folder = path.is_empty() || path.ends_with('/');
    let Some(name) = name.filter(|_| is_folder && url.query().is_none()) else { return Ok(None) };
    let refused = |why| Failure::not_edited("--upload-file", Refused::from(why));
    let name = PctString::encode(name.as_encoded_bytes(), AsciiSet::UNRESERVED);
    let path = if path.is_empty() { "/" } else { path };
    let path = format!("{path}{}{code}", name.as_str());
    let mut edit = Edit::of(url);
    edit.set_path(Value::Encoded(&path)).map_err(refused)?;
    edit.finish().map(Some).map_err(refused)
}

/// Returns the values of the options with these names in the order in which they were given, each with the
/// index of its name.
pub(super) fn in_order<'n>(
    matches: &ArgMatches,
    names: impl IntoIterator<Item = &'n str>,
) -> Vec<(usize, String)> {
    let mut given = Vec::new();
    for (index, name) in names.into_iter().enumerate() {
        let places = matches.indices_of(name).into_iter().flatten();
        let values = matches.get_many::<String>(name).into_iter().flatten();
        given.extend(places.zip(values).map(|(place, value)| (place, index, value.clone())));
    }
    given.sort_by_key(|&(place, ..)| place);
    given.into_iter().map(|(_, index, value)| (index, value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoded_as_forms_do() {
        for (text, expected) in [
            ("e=f g&\u{fc}~*!", "e=f+g%26%C3%BC~%2A%21"),
            ("=x=y", "x%3Dy"),
            ("a b", "a+b"),
            ("a+b=c+d%20", "a+b=c%2Bd%2520"),
            ("", ""),
            ("a=", "a="),
        ] {
            assert_eq!(url_encoded(text).ok().as_deref(), Some(expected.as_bytes()), "{text}");
        }
    }

    #[test]
    fn data_in_a_query() {
        let with = |url, data: &str| {
            let added = Data::Query(data.into()).add(UriRef::parse(url).unwrap());
            added.ok().flatten().map(|url| url.to_string())
        };
        assert_eq!(with("http://h/", "a=b&c").as_deref(), Some("http://h/?a=b&c"));
        assert_eq!(with("http://h/p?q=1#f", "a").as_deref(), Some("http://h/p?q=1&a#f"));
        assert_eq!(with("http://h?", "a").as_deref(), Some("http://h?a"));
        assert_eq!(with("http://h/", "a b"), None);
        assert_eq!(with("http://h/", "50%"), None);
    }

    #[test]
    fn names_of_uploads() {
        let to = |url, file: &str| {
            let url = destination(UriRef::parse(url).unwrap(), OsStr::new(file)).ok().flatten();
            url.map(|url| url.to_string())
        };
        assert_eq!(to("http://h/a/", "dir/b c").as_deref(), Some("http://h/a/b%20c"));
        assert_eq!(to("ftp://h/a/;type=a", "b;c").as_deref(), Some("ftp://h/a/b%3Bc;type=a"));
        assert_eq!(to("http://h", "b#?.txt").as_deref(), Some("http://h/b%23%3F.txt"));
        for (url, file) in [
            ("http://h/a", "b"),
            ("http://h/?q", "b"),
            ("http://h/", "-"),
            ("http://h/", ".."),
            ("ftp://h/a;type=i", "b"),
        ] {
            assert_eq!(to(url, file), None, "{url} {file}");
        }
    }
}

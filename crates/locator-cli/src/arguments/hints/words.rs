//! What other programs call a verb or an option of this one: the words of curl, wget, trurl, lychee, xurls, jq, grep, aria2,
//! httpie, and of the libraries of Perl and Python.
//!
//! A word is the same as what is here ([`VerbWord::is_same`]), and then works; or it is near, and the error names the
//! command. What it is may depend on the arguments that follow it ([`Operand`]).
//!
//! In `here`, `%` is the value of an option, `%-1` a number that counts one less, and `%1` the first argument of the user,
//! which it replaces; `%origin` is the origin of the first argument, `%old` and `%new` are the texts of a replacement,
//! `%fields` the fields of a form, `%part` a part. `@VERB` replaces the verb. An option of [`ONCE`] that the line has already
//! is not repeated. What follows "|" or ">" is for the shell, after the arguments of the user.
//!
//! Options of `get` that are the same are replaced before its line is parsed (`arguments/curl.rs`), so that their values
//! may be anything. What a letter means that curl and wget read differently is in `arguments/wget.rs`.

use std::ffi::OsStr;

/// A word for a verb.
pub(super) struct VerbWord {
    /// The words, with blanks between them.
    pub(super) words: &'static str,
    /// What they are here.
    pub(super) here: &'static str,
    /// What they are here before some arguments; the first that matches counts.
    pub(super) before: &'static [(Operand, &'static str)],
    /// Whether what is here does exactly that.
    pub(super) is_same: bool,
}

/// What the arguments after a verb begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operand {
    /// A file or a directory.
    File,
    /// A file or a directory that is no list of URLs.
    Document,
    /// A URL with a scheme.
    Url,
    /// One of these words, which is replaced.
    Word(&'static str),
    /// The name of a check of the audit.
    Code,
    /// The name of a part that can be set, before other arguments.
    Part,
    /// Another name before other arguments: neither a URL nor a file.
    Name,
    /// The name of a host with letters beyond ASCII or their ASCII form, without a scheme.
    Host,
    /// A URL, then fields of a form, such as `a=1`, which are replaced by `%fields`.
    Fields,
    /// A query without its URL, such as `a=1&b=2`.
    Query,
    /// Two hosts before other arguments, or `s/HOST/HOST/`, which are replaced by `%old` and `%new`.
    Replacement,
}

const fn same(words: &'static str, here: &'static str) -> VerbWord {
    VerbWord { words, here, before: &[], is_same: true }
}

const fn near(words: &'static str, here: &'static str) -> VerbWord {
    VerbWord { words, here, before: &[], is_same: false }
}

const fn by_argument(
    words: &'static str,
    here: &'static str,
    before: &'static [(Operand, &'static str)],
) -> VerbWord {
    VerbWord { words, here, before, is_same: false }
}

/// The words for what tracks.
const TRACKING: Operand =
    Operand::Word("utm utms utm_ tracking trackers tracker tracking-params tracking-parameters");

/// The words for hosts.
const HOSTS: Operand = Operand::Word("host hosts hostname hostnames domain domains");

/// The words for verbs. Of two rows with a word the first counts.
pub(super) const VERBS: &[VerbWord] = &[
    // Look.
    same("validate valid verify is-valid isvalid is_valid assert is-url is_url isurl is-uri is_uri", "check"),
    same("lint", "check --lint"),
    near("test", "check"),
    same("parse split urlparse urlsplit uri_split info inspect show print view describe components", "read"),
    same("parts analyze analyse dissect breakdown explode deconstruct", "read"),
    same("diff cmp equal equals eq same equivalent equivalence ==", "compare"),
    by_argument("match matches", "compare", &[(Operand::File, "find --include %1")]),
    by_argument("scan", "audit", &[(Operand::File, "find")]),
    by_argument("explain", "audit", &[(Operand::Code, "audit --explain")]),
    near("security secure safe safety is-safe danger dangers risk risks threats", "audit"),
    near("phishing phish homograph ssrf secrets suspicious analyze-security is-private private", "audit"),
    near("json to-json tojson as-json jsonify", "read --json"),
    by_argument("jq", "read --json | jq .", &[(Operand::Name, "read --json | jq %1")]),
    near("csv to-csv tocsv as-csv", "read --csv --columns scheme,host,port,path,query"),
    near("tsv to-tsv totsv table columns", "read --columns scheme,host,port,path,query"),
    near("ndjson jsonl to-ndjson", "read --ndjson --columns scheme,host,port,path,query"),
    same("readings readers", "audit --readings"),
    near("canparse can-parse can_parse", "check -e whatwg"),
    near("href", "normalize -e whatwg"),
    // Change.
    same("canonicalize canonicalise canonical canon normalise norm canonify", "normalize"),
    near("simplify cleanup tidy", "normalize"),
    near("join urljoin resolve-url combine concat rebase", "resolve --base %1"),
    same("absolute absolutize absolutise abs make-absolute", "resolve"),
    near("relativize relativise relpath make-relative rel", "relative --base %1"),
    near("shorten", "relative --base %origin"),
    by_argument(
        "strip trim clean untrack detrack sanitize sanitise privacy strip-tracking remove-tracking strip-utm",
        "edit --qtrim utm_*",
        &[
            (TRACKING, "edit --qtrim utm_*"),
            (Operand::Word("params parameters"), "edit --unset query"),
            (Operand::Part, "edit --unset %1"),
            (Operand::Name, "edit --qtrim %1"),
        ],
    ),
    same("trurl", "edit"),
    same("set", "edit --set %1"),
    same("append", "edit --append %1"),
    same("unset", "edit --unset %1"),
    by_argument(
        "remove delete-part drop rm",
        "edit --unset %1",
        &[
            (TRACKING, "edit --qtrim utm_*"),
            (Operand::Part, "edit --unset %1"),
            (Operand::Url, "edit --qtrim utm_*"),
            (Operand::Name, "edit --qtrim %1"),
        ],
    ),
    by_argument(
        "replace change update modify with rewrite substitute sed",
        "edit -s %1",
        &[
            (Operand::Replacement, "edit --in --where host=%old -s host=%new"),
            (Operand::Url, "edit"),
            (Operand::File, "edit --in"),
        ],
    ),
    near("qtrim", "edit --qtrim %1"),
    near("sort-query", "edit --sort-query"),
    near("repair autocorrect", "normalize --repair"),
    by_argument("fix", "normalize --repair", &[(Operand::File, "links --fix")]),
    VerbWord {
        before: &[(Operand::Host, "convert --idna //%1")],
        ..same("punycode idna to-ascii toascii idna-encode to-punycode", "convert --idna")
    },
    by_argument(
        "idn to-unicode tounicode unicode idna-decode unpunycode punycode-decode from-punycode",
        "edit --as-idn",
        &[(Operand::Host, "edit -g {idn:host} //%1")],
    ),
    same("iri2uri iri-to-uri iritouri to-uri", "convert"),
    same("uri2iri uri-to-iri to-iri", "convert --to-iri"),
    same("file2url file-to-url path2url path-to-url path-to-uri pathname2url fileurl as_uri", "file"),
    same("url2path url-to-path file-to-path url2pathname uri-to-path from_uri", "path"),
    // Parts.
    near("host hostname", "edit -g {host}"),
    by_argument("cut awk field part", "edit -g {host}", &[(Operand::Part, "edit -g {%1}")]),
    by_argument("hosts hostnames", "edit -g {host}", &[(Operand::File, "uniq --count --by host")]),
    near("domain registered-domain registrable-domain etld1 etld+1 sld", "edit -g {registered_domain}"),
    near("netloc authority", "edit -g {authority}"),
    near("port", "edit -g {port}"),
    near("pathname", "edit -g {path}"),
    by_argument(
        "query search-params searchparams params param querystring query-string qs parse_qs parse_qsl parse-qs \
         parse-query decode-query query-param get-param",
        "edit -g {query}",
        &[(Operand::Query, "decode --form"), (Operand::Name, "edit -g {query:%1}")],
    ),
    near("fragment anchor hash", "edit -g {fragment}"),
    near("scheme protocol", "edit -g {scheme}"),
    near("user username userinfo", "edit -g {user}"),
    near("password", "edit -g {password}"),
    near("origin base-url", "edit -g {origin}"),
    near("filename basename file-name", "edit -g {path:-1}"),
    near("surt", "edit -g {surt}"),
    // Encode and decode.
    same(
        "escape quote urlencode percent-encode pctencode uri_escape encodeuricomponent url-encode",
        "encode",
    ),
    same("unescape unquote urldecode percent-decode pctdecode uri_unescape url-decode", "decode"),
    near("quote_plus form-encode", "encode --form"),
    near("unquote_plus form-decode", "decode --form"),
    same("neuter fang-off", "defang"),
    same("unfang reactivate", "refang"),
    same("uritemplate uri-template template expand-template", "expand"),
    // Find.
    VerbWord {
        before: &[(HOSTS, "find --count-by host"), (Operand::Part, "edit -g {%1}")],
        ..same("extract search harvest scrape xurls urls find-urls extract-urls collect", "find")
    },
    same("hrefs extract-links find-links list-links get-links", "find"),
    by_argument("grep rg ripgrep egrep filter select", "find --include %1", &[(Operand::File, "find")]),
    near("list ls", "find"),
    near("stats statistics", "find --stats"),
    same("dead deadlinks dead-links linkcheck link-check linkchecker checklinks check-links lychee", "links"),
    same("muffet broken-link-checker blc link linkinator", "links"),
    near("broken brokenlinks broken-links", "links"),
    near("crawl spider", "links -r"),
    same("dedupe dedup unique distinct deduplicate", "uniq"),
    near("merge union", "uniq"),
    by_argument(
        "count wc",
        "uniq --count",
        &[(Operand::Document, "find --count"), (HOSTS, "uniq --count --by host")],
    ),
    by_argument(
        "top most-common frequency freq histogram",
        "uniq --count | sort -rn",
        &[(HOSTS, "uniq --count --by host | sort -rn")],
    ),
    by_argument("sort", "normalize | sort", &[(Operand::File, "normalize -f %1 | sort")]),
    // Fetch.
    same("fetch curl cat retrieve request http https httpie xh", "get"),
    same("download wget dl save aria2 aria2c grab", "get -O"),
    same("head headers", "get -I"),
    near("ping status alive up probe exists http-status", "get -I"),
    by_argument("post", "get -X POST", &[(Operand::Fields, "get %fields")]),
    by_argument("put", "get -X PUT", &[(Operand::Fields, "get -X PUT %fields")]),
    near("delete", "get -X DELETE"),
    by_argument("patch", "get -X PATCH", &[(Operand::Fields, "get -X PATCH %fields")]),
    near("upload", "get -T %1"),
    near("mirror clone", "get -r --newer"),
    near("unshorten follow redirects trace expand-url", "get -I -L"),
    same("dry-run dryrun steps simulate", "plan"),
    same("browse browser launch visit start xdg-open", "open"),
    same("gateway server web daemon", "serve"),
    // The rest.
    same("versions standards rfcs documents", "editions"),
    same("protocols ports registry", "schemes"),
    same("manual manpage docs", "man"),
    same("completion complete autocomplete", "completions"),
    same("version", "--version"),
    same("commands verbs subcommands usage", "help all"),
    same("query-sql duckdb", "sql"),
];

/// Verbs before the name of a part, as in `get-host` and `set-port`, and what they are here.
pub(super) const PART_VERBS: &[(&str, &str)] = &[
    ("get print show extract read only parse", "edit -g {%part}"),
    ("set with replace change", "edit -s %part=%1"),
    ("remove unset strip drop delete without no clear", "edit --unset %part"),
    ("count top uniq unique by group", "uniq --count --by %part"),
];

/// A word for an option.
pub(super) struct OptionWord {
    /// The verbs, with blanks between them; "*" are all, "-" is none.
    pub(super) verbs: &'static str,
    /// The options, with blanks between them; with "=VALUE" only with that value.
    pub(super) options: &'static str,
    /// Whether they take a value.
    pub(super) has_value: bool,
    /// Whether the value is a name, so that a URL after the option is not its value.
    pub(super) takes_name: bool,
    /// What they are here.
    pub(super) here: &'static str,
    /// Whether what is here does exactly that.
    pub(super) is_same: bool,
    /// What is good to know; empty if the command says all.
    pub(super) why: &'static str,
}

const fn flag(verbs: &'static str, options: &'static str, here: &'static str) -> OptionWord {
    OptionWord { verbs, options, has_value: false, takes_name: false, here, is_same: false, why: "" }
}

const fn value(verbs: &'static str, options: &'static str, here: &'static str) -> OptionWord {
    OptionWord { has_value: true, ..flag(verbs, options, here) }
}

/// An option with the name of a part or of a pair.
const fn name(verbs: &'static str, options: &'static str, here: &'static str) -> OptionWord {
    OptionWord { takes_name: true, ..value(verbs, options, here) }
}

impl OptionWord {
    const fn same(self) -> Self {
        Self { is_same: true, ..self }
    }

    const fn why(self, why: &'static str) -> Self {
        Self { why, ..self }
    }

    /// Returns whether this is the row of an option with a value.
    pub(super) fn is(&self, option: &str, value: Option<&OsStr>) -> bool {
        self.options.split_whitespace().any(|known| match known.split_once('=') {
            Some((name, needed)) => name == option && value.is_some_and(|value| value == needed),
            None => known == option,
        })
    }
}

/// The verbs that take URLs as arguments, or one per line from `-f FILE`.
const URLS: &str =
    "read check audit edit normalize resolve relative convert file path plan encode decode defang refang";

/// The words for options. Of two rows with a word the first counts.
pub(super) const OPTIONS: &[OptionWord] = &[
    // What only get does.
    flag("read check audit plan edit", "--insecure -k", "@get --insecure"),
    name("- read", "-a", "@edit -a %"),
    flag("- read", "-a", "@check -a"),
    value("- read", "-b", "@resolve -b %"),
    flag("- read", "-c --count", "@uniq -c"),
    value("-", "-w", "@get -w %"),
    flag("-", "-r", "@get -r"),
    value("- read", "--field --part --component --print-part", "@edit -g %"),
    value("- read", "--only --fields --parts --components", "@read --columns %"),
    flag("- read", "--hosts --domains", "@edit -g {host}"),
    flag("- read", "-I", "@get -I"),
    flag("- read", "-O", "@get -O"),
    flag("- read", "-L", "@get -L"),
    flag("- read", "-k", "@get -k"),
    flag("- read", "-i", "@get -i"),
    value("-", "-o", "@get -o %"),
    value("-", "-X", "@get -X %"),
    value("-", "-d", "@get -d %"),
    value("-", "-H", "@get -H %"),
    value("-", "-u", "@get -u %"),
    value("-", "-T", "@get -T %"),
    value("-", "-F", "@get -F %"),
    // Rewriting documents, and what only some verbs that take URLs have.
    value("edit", "--from --old --old-host --from-host", "--where host=%"),
    value("edit", "--to --new --new-host --to-host", "-s host=%"),
    value("edit", "-i", "-i").why("there is no backup; --dry-run prints the patch first"),
    flag("edit", "--backup -b", "").why("there is no backup; --dry-run prints the patch first"),
    value("relative resolve", "--from --against --relative-to", "--base %").same(),
    value("relative resolve", "--to --target", "%").same(),
    value("expand", "--var --variable --define --set --param -d -D -v", "%"),
    // What is read.
    flag("*", "--stdin --read-stdin --from-stdin", "-").same(),
    value(URLS, "--input --input-file --url-file --urls --url-list --list-file --from-file --from --infile -i", "-f %").same(),
    value("get", "--input --input-file --url-file --url-list --list-file --from-file --from", "--file=%").same(),
    value("find uniq links", "--input --input-file --url-file --file --from-file --infile -f", "%"),
    value(URLS, "--url --uri --iri", "%").same(),
    value("find links uniq", "--url --path", "%"),
    flag("*", "--zero --zero-terminated --null-data --null-terminated --nul --print0 -print0 --read0 -z", "-0").same(),
    // What is printed.
    flag("*", "--json-lines --jsonl --jsonlines --json-output --as-json --to-json --ndjson -j", "--json").same(),
    value(
        "*",
        "--format=json --output-format=json --output=json -o=json --format=jsonl --output=jsonl --format=ndjson -F=json",
        "--json",
    )
    .same(),
    value("audit", "--format=sarif --output=sarif -o=sarif --output-format=sarif", "--sarif").same(),
    value("read", "--format=csv --output=csv -o=csv --output-format=csv", "--csv --columns scheme,host,port,path,query"),
    value("read", "--format=tsv --output=tsv -o=tsv --output-format=tsv", "--columns scheme,host,port,path,query"),
    value("links", "--output -o", "--format text=%"),
    value("read edit", "--format --template --print", "@edit -g %"),
    value("*", "--output -o --out --output-file --outfile", "> %"),
    flag("*", "--silent --no-output", "--quiet").same(),
    flag("*", "--no-color --no-colour --monochrome --nocolor --plain -M", "--color never").same(),
    value("*", "--colour", "--color %").same(),
    flag("-", "--no-color --no-colour", "@read --color never").same(),
    flag("*", "--version -V", "@--version").same(),
    flag("*", "--usage --help-all --helpfull -?", "--help").same(),
    flag("*", "--pretty --pretty-print --indent", "--json | jq ."),
    flag("*", "--compact-output --compact", "--json"),
    flag("check", "--verbose -v", "@read").why("check prints nothing for valid URLs; read prints every URL"),
    flag("read", "--verbose -v", "--edition all"),
    flag("- read check normalize resolve relative compare edit", "--whatwg --browser --url-standard", "--edition whatwg").same(),
    flag("audit", "--verbose -v", "--min-severity info"),
    flag("links", "--verbose -v -vv", "--show all"),
    flag("normalize resolve relative convert edit file path uniq find", "--verbose", ""),
    flag("read", "--raw-output --raw -r", "@edit -g {url}"),
    flag("*", "--strict", "@check --lint"),
    // Parts.
    value("edit", "--remove --delete --drop --rm --clear", "--unset %").same(),
    name("edit", "--remove-query --remove-param --remove-params --delete-param --strip-query --strip", "--qtrim %"),
    flag("edit", "--count -c --uniq --unique", "| sort | uniq -c"),
    flag("edit", "--no-query --strip-query --remove-query", "--unset query"),
    flag("edit", "--no-fragment --strip-fragment --remove-fragment --no-hash", "--unset fragment"),
    flag("edit", "--no-userinfo --strip-userinfo --no-auth --strip-auth", "--unset userinfo"),
    flag("edit", "--sort --sort-params --query-sort", "--sort-query").same(),
    flag("edit", "--strip-tracking --no-tracking --clean --untrack", "--qtrim utm_*"),
    value("edit", "--add --query-append --qadd --add-query --query-add", "--append query=%"),
    value("edit", "--qget --get-query --query-get", "-g query:%"),
    value("convert", "--to=iri --to=unicode", "--to-iri"),
    value("convert", "--to=uri --to=ascii --to=punycode", "--idna"),
    flag("convert", "--punycode --puny --ascii", "--idna"),
    flag("convert", "--as-idn --idn --unicode", "@edit --as-idn"),
    flag("find", "--host --hosts --by-host --domains", "--count-by host"),
    value("edit", "--param --query-param", "--append query=%"),
    flag("edit read check normalize", "--accept-space --fix --auto-fix", "--repair"),
    flag("normalize", "--sort-query --sort", "@edit --sort-query"),
    flag("edit", "--normalize", "@normalize"),
    flag("edit", "--decode --unescape --unquote --urldecode", "@decode"),
    flag("edit", "--encode --escape --quote --urlencode", "@encode"),
    flag("* -", "--decode --unescape --unquote --urldecode", "@decode"),
    flag("* -", "--encode --escape --quote --urlencode", "@encode"),
    flag("- read", "--verify --validate --check", "@check").same(),
    flag("check read", "--no-private --public-only --ssrf --only-private --private", "@audit"),
    flag("audit", "--ssrf --only-private --private --no-private", "")
        .why("addresses of private networks are among the findings; --policy refuses them"),
    flag("-", "--accept-space", "@read --repair").same(),
    flag("- read", "--dump --extract", "@find").same(),
    value("- read", "-g", "@edit -g %"),
    flag("convert edit", "--to-ascii --ascii --idn --to-idn", "@convert --idna"),
    flag("convert edit", "--to-unicode --unicode", "@edit --as-idn"),
    flag("check", "--allow-relative --relative-ok", "--relative").same(),
    flag("check", "--warnings --warn --warnings-as-errors --pedantic", "--lint").same(),
    value("audit", "--severity --level --min --threshold", "--min-severity %").same(),
    value("audit", "--disable --skip --exclude", "--ignore %").same(),
    // Lists.
    flag("normalize", "--uniq --dedupe --dedup --distinct -u", "--unique").same(),
    value("normalize", "--by --key -k", "@edit -g '{%} {url}' | sort | cut -d ' ' -f 2-"),
    flag("find", "--uniq --dedupe --dedup --distinct", "--unique").same(),
    flag("uniq", "--duplicates --dupes", "--repeated").same(),
    value("uniq", "--key", "--by %"),
    value("uniq", "-k", "--by %"),
    flag("uniq", "--host --hosts --by-host --domain --domains", "--by host"),
    flag("uniq", "--ignore-case -i", "--by normal"),
    // Find.
    flag("find", "--recursive -r -R --dereference-recursive", "").same(),
    value("find", "--regexp --regex --pattern --match --grep", "--include %").same(),
    value("find", "--invert-match -v", "--exclude %"),
    flag("find", "--ignore-case -i", "").why("the case of letters counts; in a REGEX write (?i)"),
    flag("find", "--email --emails --mail --include-mail --include-emails -relaxed", "--relaxed")
        .why("--relaxed also prints addresses such as joe@example.com, and names such as www.example.com"),
    flag("find", "--domains --hosts", "--count-by host"),
    value("find", "--by --group-by", "--count-by %"),
    value("find", "--schemes", "--only-scheme %"),
    flag("find", "--sort-urls", "| sort"),
    flag("find", "--no-decode --raw", "--as-written"),
    flag("find", "--resolve", "--absolute"),
    value("find", "--base-url", "--absolute --base %"),
    flag("find", "--html", "--as html"),
    flag("find", "--markdown --md", "--as markdown"),
    flag("find", "--only-links --links --hrefs --all-links --urls", "").same(),
    value("find", "--max-depth=0", ""),
    value("find", "--extension --ext", "-g *.%"),
    value("find links", "--exclude-path --exclude-dir --ignore", "-g !%"),
    value("find", "--format=html --format=markdown --format=csv", "--as %"),
    value("find", "--input-format", "--as %"),
    flag("find", "--ioc --indicators --extract-iocs --observables", "--iocs").same(),
    // Links.
    flag("links", "--internal-only --internal --local --local-only --no-external", "--offline"),
    flag("links", "--external-only --external --only-external", "--include ^https?:"),
    flag("links", "--check", "").same(),
    flag("links", "--dump --dump-inputs", "@find").same(),
    flag("links", "--insecure -k -i --no-check-certificate", "--exclude ^https:")
        .why("certificates are always verified; --exclude leaves links out"),
    flag("links", "--no-progress --progress", "").same(),
    value("links", "--max-concurrency --concurrency --max-connections", "--at-once %").same(),
    value("links", "--base", "--base-url %").same(),
    value("links", "--max-cache-age", "--cache --cache-age %").same(),
    value("links", "--user-agent -A -u", "").why("links has a user agent of its own"),
    flag("links", "--exclude-all-private --exclude-private --exclude-loopback --exclude-link-local", "").same(),
    flag("links", "--include-fragments --fragments --check-fragments --anchors", "").same(),
    flag("links", "--include-mail --mail --email", ""),
    flag("links", "--exclude-mail", "--exclude ^mailto:").same(),
    value("links", "--scheme -s", "--include ^%:"),
    flag("links", "--skip-missing", ""),
    value("links", "--accept -a", "--fail-on broken"),
    value("links", "--max-retries --max-redirects --retry-wait-time", ""),
    value("links", "--extensions", "-g *.{%}"),
    value("links", "--depth --level", "-r"),
    flag("links", "--dry-run", "--diff"),
    // Get: options of wget that have another name. Of each URL, "--remote-name-all" is left out with -r.
    flag("get", "-nH -nc -np", "").same(),
    flag("get", "-nv --no-verbose", "--no-progress-meter").same(),
    flag("get", "-O-", "-o -").same(),
    flag("get", "-qO-", "-s -o -").same(),
    flag("get", "--ask-password --disable --ftp-pasv --keep-session-cookies --no-clobber --no-config", "").same(),
    flag("get", "--no-cookies --no-host-directories --no-hsts --no-keepalive --no-parent --no-sessionid", "").same(),
    flag("get", "--show-progress --tcp-nodelay", "").same(),
    value("get", "--keepalive-time --progress", "").same(),
    value("get", "--body-data --post-data", "--data-raw=%").same(),
    value("get", "--body-file --post-file", "--data-binary=@%").same(),
    value("get", "--ca-certificate", "--cacert=%").same(),
    value("get", "--certificate", "--cert=%").same(),
    value("get", "--private-key", "--key=%").same(),
    value("get", "--compression=none", "").same(),
    value("get", "--compression", "--compressed").same(),
    flag("get", "--content-disposition", "-O -J").same(),
    flag("get", "--continue", "--remote-name-all -C -").same(),
    flag("get", "--debug", "-v").same(),
    flag("get", "--delete-after", "-o /dev/null").same(),
    value("get", "-P --directory-prefix", "--remote-name-all --create-dirs --output-dir=%").same(),
    // `get` reads no robots.txt.
    value("get", "--execute=robots=off --execute=robots=on", "").same(),
    value("get", "--ftp-password --http-password", "--password=%").same(),
    value("get", "--ftp-user --http-user", "--user=%").same(),
    flag("get", "--https-only", "--proto==https").same(),
    flag("get", "--inet4-only", "-4").same(),
    flag("get", "--inet6-only", "-6").same(),
    value("get", "--load-cookies", "--cookie=%").same(),
    value("get", "--save-cookies", "--cookie-jar=%").same(),
    value("get", "--max-redirect", "--max-redirs=%").same(),
    value("get", "--method", "--request=%").same(),
    flag("get", "--mirror", "-r --newer").same(),
    flag("get", "--no-cache", "'--header=Cache-Control: no-cache'").same(),
    flag("get", "--no-certificate-check --no-check-certificate", "-k").same(),
    flag("get", "--no-proxy", "--noproxy=*").same(),
    value("get", "--oauth2-bearer", "'--header=Authorization: Bearer %'").same(),
    value("get", "--output-document", "--output=%").same(),
    flag("get", "--spider", "-I").same(),
    value("get", "--start-pos", "--range=%-").same(),
    value("get", "--timeout=0", "").same(),
    value("get", "--timeout", "--connect-timeout=% --idle-timeout=%").same(),
    // wget counts tries, and 0 is no limit; `get` counts retries.
    value("get", "--tries=0 --tries=inf -t=0 -t=inf", "--retry=4294967295").same(),
    value("get", "-t --tries", "--retry=%-1").same(),
    value("get", "--waitretry", "--retry-delay=%").same(),
    // Get: options of curl, wget and httpie that it does not have.
    value("get", "--accept-regex", "--accept %").why("use --accept PATTERNS, such as '*.iso'"),
    value("get", "--reject-regex", "--reject %").why("use --reject PATTERNS, such as '*.html'"),
    flag("get", "--adjust-extension", "").why("files have the names of the server; use -o FILE"),
    flag("get", "--convert-links", "")
        .why("links in saved pages are not changed; use 'locator find --absolute' to list them"),
    flag("get", "--page-requisites -p", "")
        .why("use: locator get URL | locator find --as html --absolute --base URL | locator get -Z -O"),
    flag("get", "--timestamping", "-r --newer").why("wget's -N is -R -z FILE --clobber, and with -r --newer"),
    flag("get", "--server-response", "-i").why("wget's -S is -i, or -v"),
    flag("get", "--no-directories", "-O").why("wget's -nd: -O saves each URL in the working directory"),
    flag("get", "--force-directories", "-O").why("use -o FILE with --create-dirs"),
    flag("get", "--trust-server-names", "-O -J")
        .why("-O takes the name from the given URL; use -OJ for the name that the server suggests"),
    flag("get", "--background", "&").why("use the shell: locator get … &"),
    flag("get", "--span-hosts", "").why("-r stays on the host of the URL and below its directory"),
    value("get", "--domains", "").why("-r stays on the host of the URL and below its directory"),
    value("get", "--cut-dirs", "").why("use -o FOLDER, or --output-dir DIR, to name the folder of -r"),
    value("get", "--quota -Q", "--max-filesize %").why("use --max-filesize SIZE for each file"),
    value("get", "--wait", "").why("URLs are fetched one after the other; use --limit-rate to limit the speed"),
    flag("get", "--random-wait", "").why("URLs are fetched one after the other; use --limit-rate to limit the speed"),
    flag("get", "--skip-existing", "-C - -O").why("use -C -: a file that is complete is kept"),
    flag("get", "--remove-on-error", "")
        .why("what was received stays in FILE.part, for -C -; --clobber starts over"),
    value("get", "--capath", "--cacert %").why("use --cacert FILE"),
    value("get", "--base -B", "").why("use: locator resolve --base URL --file FILE | locator get -O"),
    value("get", "--request-target", "").why("the path of the URL is sent as it is given; write it into the URL"),
    value("get", "--ciphers", "").why("the ciphers of rustls are used; -k does not verify the certificate"),
    flag("get", "--http1.0", "--http1.1").why("use --http1.1"),
    flag("get", "--http2-prior-knowledge", "--http2").why("use --http2, with an https URL"),
    flag("get", "--http3", "--http2").why("use --http2"),
    value("get", "--interface", "")
        .why("the system chooses the interface; -4 and -6 choose the IP version"),
    flag("get", "--no-location", "--max-redirs 0")
        .why("redirects are followed; --max-redirs 0 prints the redirect"),
    flag("get", "--post301 --post302 --post303", "").why("after 301, 302 and 303 a POST becomes a GET"),
    flag("get", "--ntlm --negotiate --ntlm-wb --proxy-ntlm --proxy-negotiate", "--anyauth")
        .why("the schemes that are supported are --basic and --digest"),
    value("get", "--aws-sigv4", "").why("the schemes that are supported are --basic and --digest"),
    value("get", "--proto-default", "").why("write the scheme before the URL"),
    value("get", "--proxy-cacert", "--cacert %").why("-k and --cacert are for the proxy, too"),
    flag("get", "--proxy-insecure", "-k").why("-k and --cacert are for the proxy, too"),
    value("get", "--stderr", "2> %").why("use the shell: 2> FILE"),
    value("get", "--trace --trace-ascii", "-v").why("use -v"),
    flag("get", "--trace-time", "-v").why("use -v"),
    value("get", "--url-query", "-G --data-urlencode %").why("use -G --data-urlencode NAME=VALUE"),
    value("get", "--auth", "-u %").why("httpie's --auth is -u USER:PASSWORD"),
    flag("get", "--download", "-O").why("httpie's --download is -O"),
    value("get", "--verify=no --verify=false", "-k").why("httpie's --verify=no is -k"),
    flag("get", "--follow", "-L"),
    flag("get", "--check-status", "-f"),
    flag("get", "--headers", "-I"),
    value("get", "--print=h --print=H", "-I"),
    value("get", "--bearer --token", "-H 'Authorization: Bearer %'"),
    value("get", "--dir", "--output-dir % --create-dirs -O"),
    value("get", "--max-concurrent-downloads --jobs", "--parallel --parallel-max %"),
    value("get", "--max-connection-per-server --split", "").why("a file is fetched by one connection"),
    flag("get", "--dry-run --offline", "--plan").same(),
    value("serve", "--port -p", "--listen %"),
    value("serve", "--host --bind --address", "--listen %:1738"),
];

/// The names of parts, as options: `--port` prints it, `--port 81` sets it.
pub(super) const PARTS: &[(&str, &str)] = &[
    ("authority", "authority"),
    ("domain", "registered_domain"),
    ("fragment", "fragment"),
    ("hash", "fragment"),
    ("host", "host"),
    ("hostname", "host"),
    ("netloc", "authority"),
    ("origin", "origin"),
    ("password", "password"),
    ("path", "path"),
    ("pathname", "path"),
    ("port", "port"),
    ("protocol", "scheme"),
    ("query", "query"),
    ("registered-domain", "registered_domain"),
    ("scheme", "scheme"),
    ("user", "user"),
    ("userinfo", "userinfo"),
    ("username", "user"),
];

/// The options that a line may have once.
pub(super) const ONCE: [&str; 8] =
    ["--absolute", "--base", "--by", "--columns", "--count", "--json", "--offline", "--unique"];

/// Which verb is meant by an option that several have, those first that change nothing and contact nobody.
pub(super) const BY_LIKELIHOOD: [&str; 17] = [
    "read",
    "check",
    "edit",
    "audit",
    "find",
    "normalize",
    "get",
    "links",
    "uniq",
    "compare",
    "resolve",
    "relative",
    "convert",
    "plan",
    "encode",
    "decode",
    "open",
];

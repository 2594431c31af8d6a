//! What is fetched by Prospero: files by FTP, contents, directories, files of this machine.

use locator::UriRef;
use locator::plan::{Meaning, ObjectKind};
use locator_audit::Policy;
use locator_dev::prospero::{Directory, Faults, Node, Options, start};
use locator_dev::servers::ftp::{Command, FtpServer, Reply};
use locator_fetch::entries::{EntryKind, entries};
use locator_fetch::run::{FailureKind, Whole};
use locator_fetch::{FetchError, Fetcher, Response};

pub(crate) async fn fetch(url: &str) -> Result<Response, FetchError> {
    Fetcher::for_user_input().fetch(UriRef::parse(url).unwrap()).await
}

pub(crate) async fn read(fetched: &mut Response) -> Vec<u8> {
    let mut octets = Vec::new();
    while let Some(chunk) = fetched.chunk().await.unwrap() {
        octets.extend_from_slice(&chunk);
    }
    octets
}

/// A server of FTP that has one file, under any name.
fn ftp() -> FtpServer {
    FtpServer::start(|_| {
        |command: &Command| match &*command.name {
            "USER" => Some(Reply::Line("331 password".into())),
            "CWD" => Some(Reply::Line("250 done".into())),
            "RETR" => Some(Reply::Data(b"by ftp".to_vec())),
            _ => None,
        }
    })
}

/// A directory with `pub/a b`, a directory and a file with a quote.
pub(crate) fn offered(port: u16, ftp: u16) -> Directory {
    let files = vec![
        Node::file("a b", b"hello\n\0'quoted'"),
        Node::directory("sub", Vec::new()),
        Node::file("it's", b""),
    ];
    Directory {
        ftp: format!("127.0.0.1({ftp})"),
        aftp: vec![Node::directory("pub", files)],
        ..Directory::new(&format!("127.0.0.1({port})"))
    }
}

/// Starts a server that sends its answers in packets of ten octets: more than forty.
fn in_pieces(faults: Faults, directory: impl FnOnce(u16) -> Directory) -> u16 {
    start(Options { packet: 10, faults, ..Options::default() }, directory).unwrap()
}

#[tokio::test]
async fn a_file_by_ftp_through_forty_packets() {
    let faults = [
        Faults::default(),
        Faults { lost: vec![7], ..Faults::default() },
        Faults { doubled: vec![1, 7, 16], late: vec![2, 17], ..Faults::default() },
        Faults { are_reversed: true, lost: vec![3, 20], ..Faults::default() },
    ];
    for faults in faults {
        let server = ftp();
        let ftp = server.address().port();
        let port = in_pieces(faults, |port| offered(port, ftp));
        let url = format!("prospero://127.0.0.1:{port}/AFTP/pub/a%20b");
        let mut fetched = fetch(&url).await.unwrap();
        assert_eq!(fetched.url(), format!("ftp://127.0.0.1:{ftp}/pub/a%20b;type=i"));
        assert_eq!((fetched.hops().len(), fetched.hops()[0].url.as_str()), (1, url.as_str()));
        assert_eq!(fetched.hops()[0].address, Some(format!("127.0.0.1:{port}").parse().unwrap()));
        assert_eq!(read(&mut fetched).await, b"by ftp");
        assert_eq!(fetched.body().finish().await.unwrap(), Whole::Confirmed);
    }
}

#[tokio::test]
async fn the_numbers_in_the_other_byte_order() {
    let server = ftp();
    let ftp = server.address().port();
    let options = Options { packet: 50, swaps_numbers: true, ..Options::default() };
    let port = start(options, |port| offered(port, ftp)).unwrap();
    let mut fetched = fetch(&format!("prospero://127.0.0.1:{port}/AFTP/pub/a%20b")).await.unwrap();
    assert_eq!(read(&mut fetched).await, b"by ftp");
}

/// A request in 20 packets, which needs an acknowledgement.
#[tokio::test]
async fn a_long_name() {
    let port = start(Options::default(), |port| offered(port, 1)).unwrap();
    let name = "a".repeat(1250 * 19);
    let error = fetch(&format!("prospero://127.0.0.1:{port}/AFTP/{name}")).await.unwrap_err();
    assert_eq!(error.failure().unwrap().kind, FailureKind::Said(Meaning::Missing));
}

#[tokio::test]
async fn the_contents_are_an_attribute() {
    for packet in [1, 3, 7, 1250] {
        let options = Options { packet, ..Options::default() };
        let directory = |port| Directory { only_contents: true, ..offered(port, 1) };
        let port = start(options, directory).unwrap();
        let mut fetched = fetch(&format!("prospero://127.0.0.1:{port}/AFTP/pub/a%20b")).await.unwrap();
        assert_eq!(read(&mut fetched).await, b"hello\n\0'quoted'");
        assert!(fetched.hops().is_empty());
        assert_eq!(fetched.body().finish().await.unwrap(), Whole::Framed);
        let empty = fetch(&format!("prospero://127.0.0.1:{port}/AFTP/pub/it's")).await.unwrap();
        assert_eq!(empty.body().finish().await.unwrap(), Whole::Framed);
    }
}

#[tokio::test]
async fn a_directory_is_a_list_of_urls() {
    let port = in_pieces(Faults::default(), |port| offered(port, 2121));
    let url = format!("prospero://127.0.0.1:{port}/AFTP/pub");
    let mut fetched = fetch(&url).await.unwrap();
    assert_eq!(fetched.kind(), ObjectKind::Links);
    let body = read(&mut fetched).await;
    let list: Vec<_> = entries(ObjectKind::Links, UriRef::parse(&url).unwrap(), &body).unwrap().collect();
    let shown: Vec<_> =
        list.iter().map(|entry| (entry.url.as_ref().unwrap().as_str(), entry.kind, entry.size)).collect();
    let base = format!("prospero://127.0.0.1:{port}/AFTP/pub");
    assert_eq!(
        shown,
        [
            (&*format!("{base}/a%20b"), EntryKind::File, Some(15)),
            (&*format!("{base}/sub"), EntryKind::Directory, None),
            (&*format!("{base}/it's"), EntryKind::File, Some(0)),
        ]
    );
    assert_eq!(list[0].access.as_ref().unwrap(), "ftp://127.0.0.1:2121/pub/a%20b;type=i");
    assert_eq!(list[1].access, None);
    // An empty one.
    let fetched = fetch(&format!("{base}/sub")).await.unwrap();
    assert_eq!(fetched.kind(), ObjectKind::Links);
}

/// A directory of the server itself, as `testdata/captures/prospero/directories.toml` has it.
#[tokio::test]
async fn a_directory_of_the_server_itself() {
    let link = "LINK  L EXTERNAL a' text' INTERNET-D 127.0.0.1'(7070)' ASCII '/a text' 0\n\
        ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE GOPHER '' '' '' '' TEXT\n";
    let port = in_pieces(Faults::default(), |port| Directory {
        root: "/srv/tree".into(),
        tree: vec![Node::directory("pub", vec![Node::file("hello.txt", b"hello\n")])],
        links: vec![("pub".into(), link.into())],
        ..offered(port, 1)
    });
    let base = format!("prospero://127.0.0.1:{port}//srv/tree");
    for (name, urls) in [
        ("/pub", vec!["gopher://127.0.0.1:7070/0/a%20text".into(), format!("{base}/pub/hello.txt")]),
        ("/pub/", vec!["gopher://127.0.0.1:7070/0/a%20text".into(), format!("{base}/pub/hello.txt")]),
        ("", vec![format!("{base}/pub")]),
    ] {
        let url = format!("{base}{name}");
        let mut fetched = fetch(&url).await.unwrap();
        assert_eq!(fetched.kind(), ObjectKind::Links, "{name}");
        let body = read(&mut fetched).await;
        let list = entries(ObjectKind::Links, UriRef::parse(&url).unwrap(), &body).unwrap();
        let found: Vec<_> = list.map(|entry| entry.url.unwrap().to_string()).collect();
        assert_eq!(found, urls, "{name}");
    }
    let mut fetched = fetch(&format!("{base}/pub/hello.txt")).await.unwrap();
    assert_eq!(read(&mut fetched).await, b"hello\n");
}

#[tokio::test]
async fn what_a_server_refuses() {
    let port =
        start(Options::default(), |port| Directory { root: "/srv".into(), ..offered(port, 1) }).unwrap();
    for (name, means, reply) in [
        ("AFTP/none", Meaning::Missing, "FAILURE NOT-FOUND"),
        ("AFTP/pub/sub/none", Meaning::Missing, "FAILURE NOT-FOUND"),
        ("/etc/passwd", Meaning::Refused, "FAILURE NOT-AUTHORIZED"),
    ] {
        let error = fetch(&format!("prospero://127.0.0.1:{port}/{name}")).await.unwrap_err();
        assert_eq!(error.failure().unwrap().kind, FailureKind::Said(means), "{name}");
        assert_eq!(error.failure().unwrap().reply.as_ref().unwrap().to_string(), reply);
    }
}

/// "These fields serve to identify the target of the URL" (RFC 1738, 3.11).
#[tokio::test]
async fn fields_must_be_those_of_the_object() {
    let port =
        start(Options::default(), |port| Directory { only_contents: true, ..offered(port, 1) }).unwrap();
    let url = |fields| format!("prospero://127.0.0.1:{port}/AFTP/pub/a%20b{fields}");
    for fields in [";size=15%20bytes", ";SIZE=15%20bytes;NATIVE-OWNER=root", ";OBJECT-VERSION=0"] {
        // With the size the contents come with all other attributes, of which they are one.
        fetch(&url(fields)).await.unwrap();
    }
    let error = fetch(&url(";SIZE=16%20bytes")).await.unwrap_err();
    assert_eq!(error.failure().unwrap().kind, FailureKind::Said(Meaning::Missing));
    assert_eq!(
        error.failure().unwrap().to_string(),
        "not found (SIZE is 15 bytes), while comparing the attribute SIZE with that of the URL"
    );
    let error = fetch(&url(";ID=1")).await.unwrap_err();
    assert_eq!(
        error.failure().unwrap().to_string(),
        "not found, while comparing the attribute ID with that of the URL"
    );
}

/// Starts a server that says the same of every object.
fn fixed(lines: &'static str) -> u16 {
    start(Options::default(), |port| Directory { fixed: Some(lines.into()), ..offered(port, 1) }).unwrap()
}

#[tokio::test]
async fn files_of_this_machine() {
    let path = std::env::temp_dir().join(format!("locator-prospero-{}", std::process::id()));
    std::fs::write(&path, "here").unwrap();
    let port = fixed("ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE LOCAL '' '' '' ''\n");
    let url = format!("prospero://127.0.0.1:{port}/{}", path.display());
    let mut fetched = fetch(&url).await.unwrap();
    assert_eq!((read(&mut fetched).await, fetched.hops().len()), (b"here".to_vec(), 1));
    assert_eq!(fetched.url(), format!("file://{}", path.display()));
    // Not if the policy denies files.
    let policy = Policy::typed().deny_schemes(["file"]);
    let error = Fetcher::with_policy(policy).fetch(UriRef::parse(&url).unwrap()).await.unwrap_err();
    assert!(matches!(&error.failure().unwrap().kind, FailureKind::NoMethod(_)), "{error}");
    std::fs::remove_file(&path).unwrap();
}

/// A server of this machine to which another one forwards was not typed.
#[tokio::test]
async fn files_of_this_machine_after_a_redirect() {
    let file = fixed("ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE LOCAL '' '' '' ''\n");
    let forward = Some(format!("127.0.0.1({file})"));
    let port = start(Options::default(), |port| Directory { forward, ..offered(port, 1) }).unwrap();
    let error = fetch(&format!("prospero://127.0.0.1:{port}//etc/passwd")).await.unwrap_err();
    assert_eq!(
        error.failure().unwrap().kind.to_string(),
        "no usable access method: LOCAL: file:///etc/passwd: only a URL given by the user leads to \
         local files"
    );
    assert_eq!(error.hops().len(), 1);
}

/// What cannot be used is named, in the order in which it was tried.
#[tokio::test]
async fn no_method_can_be_used() {
    let port = fixed(
        "ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE TELNET INTERNET-D h ASCII ''\n\
         ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE RCP INTERNET-D h ASCII a\n\
         ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE AFTP INTERNET-D 'h(25)' ASCII a BINARY\n",
    );
    let error = fetch(&format!("prospero://127.0.0.1:{port}/a")).await.unwrap_err();
    let FailureKind::NoMethod(refused) = &error.failure().unwrap().kind else { panic!("{error}") };
    let methods: Vec<_> = refused.iter().map(|one| &*one.method).collect();
    assert_eq!(methods, ["AFTP", "TELNET", "RCP"], "{error}");
}

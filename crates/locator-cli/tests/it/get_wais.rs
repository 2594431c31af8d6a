//! `get` of WAIS: a search prints its hits, and each of them is fetched by its URL, as the server of
//! `locator-dev` has it.

use locator_dev::servers::TcpServer;
use locator_dev::wais::{Document, Server, fruit};
use serde_json::Value;

use crate::runner;

/// Starts a server of the database "fruit"; returns the beginning of its URLs.
fn server() -> String {
    let port = Server::new(vec![fruit()]).start(0).expect("a port is free");
    format!("wais://127.0.0.1:{port}")
}

/// Returns what is printed, the exit status, and what is said.
fn get(arguments: &[&str]) -> (Vec<u8>, i32, String) {
    let arguments = [&["get"], arguments].concat();
    let output = runner::run(&mut runner::locator(&arguments), Vec::new());
    let said = String::from_utf8(output.stderr).expect("the command prints UTF-8");
    (output.stdout, output.status.code().unwrap_or(-1), said)
}

fn lines(arguments: &[&str]) -> Vec<String> {
    let (printed, status, said) = get(arguments);
    assert_eq!((status, said.as_str()), (0, ""));
    String::from_utf8(printed).expect("lists are UTF-8").lines().map(str::to_owned).collect()
}

/// The documents that a search for "apple" finds, the best first.
fn documents() -> Vec<Document> {
    let mut documents = fruit().documents;
    documents.sort_by_key(|document| std::cmp::Reverse(document.score));
    documents
}

#[test]
fn each_hit_of_a_search_gives_its_text() {
    let server = server();
    let hits = lines(&[&format!("{server}/fruit?apple")]);
    let documents = documents();
    assert_eq!(hits.len(), documents.len());
    assert!(documents.iter().any(|document| document.contents[0].1.len() > 100_000));
    for (line, document) in hits.iter().zip(&documents) {
        let (url, headline) = line.split_once('\t').expect("a line is a URL, a tab and a headline");
        let shown =
            String::from_utf8_lossy(&document.headline).replace('\t', "<U+0009>").replace('\n', "<U+000A>");
        assert_eq!(headline, shown);
        assert!(url.starts_with(&format!(
            "{server}/fruit/TEXT/%01%0Dlocalhost%3A210%02%0F%2Fsrv%2Fwais%2Ffruit%03"
        )));
        let (text, status, said) = get(&[url]);
        assert_eq!((status, said.as_str()), (0, ""), "{url}");
        assert!(text == document.contents[0].1, "{url}");
    }
    let urls = lines(&["--urls", &format!("{server}/fruit?apple")]);
    assert!(urls.iter().zip(&hits).all(|(url, line)| line.starts_with(&format!("{url}\t"))));
}

#[test]
fn a_document_that_was_cut_off_begins_anew() {
    // No server of WAIS proves that a document is still the same.
    let folder = tempfile::tempdir().expect("there is a place for temporary files");
    let url = format!(
        "{}/fruit/TEXT/1=localhost%3A210;2=/srv/wais/fruit;3=0%200%20/fruit/empty;4=localhost%3A210;5=/srv/wais/fruit;6=0%200%20/fruit/empty;7=%00;",
        server()
    );
    std::fs::write(folder.path().join("x.part"), "what is left").expect("it is writable");
    let arguments = ["get", "-C", "-", "-o", "x", &url];
    let output = runner::run(runner::locator(&arguments).current_dir(folder.path()), Vec::new());
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), said.contains("starting over")), (Some(0), true), "{said}");
    assert_eq!(std::fs::read(folder.path().join("x")).expect("it is there"), b"");
    assert!(!folder.path().join("x.part").exists());
}

/// `-O` names the documents of a list after their headlines, and those of URLs alone after the names that
/// the server has for them.
#[test]
fn names_of_hits() {
    let folder = tempfile::tempdir().expect("there is a place for temporary files");
    let list = get(&[&format!("{}/fruit?picture", server())]).0;
    let url = list.split(|&octet| octet == b'\t').next().expect("a line has a URL").to_vec();
    for (list, name) in [(list, "A picture of an apple.txt"), (url, "picture.txt")] {
        let output = runner::run(runner::locator(&["get", "-O"]).current_dir(folder.path()), list);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        let names = std::fs::read_dir(folder.path()).expect("it is there");
        let names: Vec<_> = names.map(|entry| entry.expect("it is there").file_name()).collect();
        assert!(names.iter().any(|found| found == name), "{name}: {names:?}");
    }
}

#[test]
fn hits_in_json() {
    let server = server();
    let (printed, status, _) = get(&["--json", &format!("{server}/fruit?picture")]);
    assert_eq!(status, 0);
    let object: Value = serde_json::from_slice(&printed).expect("a line is JSON");
    assert_eq!((&object["kind"], &object["whole"]), (&"hits".into(), &"framed".into()));
    let entries = object["entries"].as_array().expect("hits are entries");
    assert_eq!(entries.len(), 1);
    let hit = &entries[0];
    for (key, value) in [
        ("name", Value::from("A picture of an apple")),
        ("type", "text".into()),
        ("media_type", "text/plain".into()),
        ("size", 25.into()),
        ("score", 300.into()),
        ("lines", 1.into()),
        ("types", vec!["TEXT", "GIF"].into()),
        ("date", "950131".into()),
        ("source", "/srv/wais/fruit".into()),
    ] {
        assert_eq!(hit[key], value, "{key}");
    }
    // The same document as another type.
    let url = hit["other_urls"][0].as_str().expect("there is a second type");
    assert_eq!(url, hit["url"].as_str().expect("a hit has a URL").replace("/TEXT/", "/GIF/"));
    assert!(get(&[url]).0.starts_with(b"GIF89a\x01\0"));
}

#[test]
fn the_headers_of_a_dialogue_are_shown() {
    let (_, status, said) = get(&[
        "-v",
        &format!(
            "{}/fruit/TEXT/1=localhost%3A210;2=/srv/wais/fruit;3=0%200%20/fruit/empty;4=localhost%3A210;5=/srv/wais/fruit;6=0%200%20/fruit/empty;7=%00;",
            server()
        ),
    ]);
    assert_eq!(status, 0, "{said}");
    let lines: Vec<_> = said.lines().skip(1).map(|line| line.get(..7).unwrap_or_default()).collect();
    assert_eq!(lines, ["  C: 00", "  S: 00", "  S: ac", "  C: 00", "  S: 00", "  S: 0 ", "  S: SF"]);
    assert!(said.contains("\n  S: 0000000171z2wais        0\n"), "{said}");
}

#[test]
fn a_database_alone_and_what_there_is_not() {
    let server = server();
    let found = lines(&[&format!("{server}/fruit")]);
    let headlines: Vec<_> = found.iter().filter_map(|line| line.split('\t').nth(1)).collect();
    assert_eq!(headlines, ["Information on database: fruit", "Catalog for database: fruit"]);
    let (printed, status, said) = get(&[&format!("{server}/trees?apple")]);
    assert_eq!((printed.len(), status), (0, 1));
    assert!(said.contains("(S1 The following database is not available: trees)"), "{said}");
    let (printed, status, said) = get(&[&format!("{server}/fruit/TEXT/1=h;3=0%20;7=%00;")]);
    assert_eq!((printed.len(), status), (0, 1));
    assert!(said.contains("not found (SF Missing DocID in request)"), "{said}");
}

#[test]
fn a_search_has_a_limit() {
    let url = format!("{}/fruit?apple", server());
    let (printed, status, said) = get(&["--max-hits", "2", &url]);
    assert_eq!((printed.iter().filter(|&&octet| octet == b'\n').count(), status), (2, 0));
    assert_eq!(said, "note: the search is limited to 2 results; use --max-hits N for more\n");
    let (_, status, said) = get(&["--max-hits", "1000", &url]);
    assert_eq!((status, &*said), (0, ""));
    let (_, status, said) = get(&["-s", "--max-hits", "2", &url]);
    assert_eq!((status, &*said), (0, ""));
    let (printed, ..) = get(&["--urls", "--max-hits", "2", &url]);
    assert_eq!(printed.iter().filter(|&&octet| octet == b'\n').count(), 2);
}

/// Packets of a server: the response to Init, and one hit with a diagnostic beside it.
const TOO_MANY: &[u8] = b"0000000004z2wais        0\0\x02\x15\x01\
    0000000044z2wais        0\0\x0B\x17\0\0\0\0\0\0\x01\0\0\0\
    \x63\x1D\x81\x16\x0B\x74\x02id\x7B\x05apple\x1C\0\x0BSDToo many\0\x1D";

#[test]
fn what_a_server_says_beside_hits() {
    let server = TcpServer::answering(TOO_MANY);
    let url = format!("wais://{}/db?apple", server.address());
    let (printed, status, said) = get(&[&url]);
    let line = format!("{}/db/TEXT/id\tapple\n", url.trim_end_matches("/db?apple"));
    assert_eq!((String::from_utf8_lossy(&printed), status), (line.into(), 1), "{said}");
    assert!(said.starts_with("error: the server said: SD Too many\n"), "{said}");
    let (printed, status, said) = get(&["--json", &url]);
    let object: Value = serde_json::from_slice(&printed).expect("a line is JSON");
    let of = |key: &str| [&object["entries"][0][key], &object["entries"][1][key]].map(Clone::clone);
    assert_eq!((of("name"), status), (["apple", "SD Too many"].map(Value::from), 1), "{object}");
    assert_eq!(of("type")[1], "error");
    assert!(said.starts_with("error: the server said: SD Too many\n"), "{said}");
    let folder = tempfile::tempdir().expect("there is a place for temporary files");
    let file = folder.path().join("hits");
    let (_, status, said) = get(&["-o", file.to_str().expect("it is UTF-8"), &url]);
    assert!(status == 1 && said.contains("SD Too many"), "{status} {said}");
    assert!(std::fs::read_to_string(file).expect("it is there").ends_with("/db/TEXT/id\tapple\n"));
    let (printed, status, said) = get(&["-v", "--raw", &url]);
    assert!(status == 0 && TOO_MANY.ends_with(&printed) && printed.len() == 44, "{status}");
    for line in ["  S: accepted\n", "  S: results: 1\n", "  S: SD Too many\n"] {
        assert!(said.contains(line), "{said}");
    }
}

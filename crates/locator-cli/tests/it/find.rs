//! Tests `find` on inputs that a file of cases cannot contain: streams, names that are not UTF-8,
//! symbolic links, a great many URLs.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
#[cfg(unix)]
use std::process::Stdio;
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

use crate::runner;

const MILLION: usize = 1_000_000;

fn folder() -> TempDir {
    tempfile::tempdir().expect("there is a place for temporary files")
}

/// What it prints in a folder, with locations and in the order of paths; the exit status with it.
fn found(folder: &TempDir, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = runner::locator(&[&["find", "-n", "--sort", "path"], arguments].concat());
    let output = runner::run(command.current_dir(folder.path()), Vec::new());
    let text = |octets: Vec<u8>| String::from_utf8(octets).expect("it prints text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn files_are_sorted_by_the_time_of_their_last_change() {
    let folder = folder();
    for (name, seconds) in [("b.txt", 1), ("c.txt", 3), ("a.txt", 2), ("d.txt", 2)] {
        let path = folder.path().join(name);
        fs::write(&path, format!("http://{name}/\n")).expect("a file can be written");
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        fs::File::options()
            .write(true)
            .open(path)
            .and_then(|file| file.set_modified(time))
            .expect("it has a time");
    }
    let names = |arguments: &[&str]| found(&folder, &[arguments, &["-l", "."]].concat()).1;
    assert_eq!(names(&["--sort", "modified"]), "./b.txt\n./a.txt\n./d.txt\n./c.txt\n");
    assert_eq!(names(&["--sortr", "modified"]), "./c.txt\n./d.txt\n./a.txt\n./b.txt\n");
    assert_eq!(names(&["--sortr", "path"]), "./d.txt\n./c.txt\n./b.txt\n./a.txt\n");
}

#[test]
fn a_pipe_gets_urls_alone() {
    let folder = folder();
    for name in ["a.txt", "b.txt"] {
        fs::write(folder.path().join(name), format!("http://{name}/\n")).expect("a file can be written");
    }
    let piped = |arguments: &[&str]| {
        let mut command = runner::locator(&[&["find", "--sort", "path"], arguments].concat());
        let output = runner::run(command.current_dir(folder.path()), Vec::new());
        String::from_utf8(output.stdout).expect("it prints text")
    };
    assert_eq!(piped(&["."]), "http://a.txt/\nhttp://b.txt/\n");
    assert_eq!(piped(&["-H", "a.txt"]), "a.txt:http://a.txt/\n");
    assert_eq!(piped(&["-n", "a.txt"]), "1:1:http://a.txt/\n");
    assert_eq!(piped(&["-n", "a.txt", "b.txt"]), "a.txt:1:1:http://a.txt/\nb.txt:1:1:http://b.txt/\n");
    assert_eq!(piped(&["-b", "a.txt", "b.txt"]), "a.txt:0:http://a.txt/\nb.txt:0:http://b.txt/\n");
    assert_eq!(piped(&["-0", "."]), "http://a.txt/\0http://b.txt/\0");
    assert_eq!(piped(&["-c", "."]), "./a.txt:1\n./b.txt:1\n");
}

#[cfg(unix)]
#[test]
fn a_device_as_input_is_no_input() {
    let folder = folder();
    fs::write(folder.path().join("a.txt"), "http://h/\n").expect("a file can be written");
    let mut command = runner::locator(&["find", "-l"]);
    let output = command.current_dir(folder.path()).stdin(Stdio::null()).output();
    assert_eq!(output.expect("the command is built").stdout, b"a.txt\n");
    let file = fs::File::open(folder.path().join("a.txt")).expect("it is there");
    let output = command.stdin(file).output().expect("the command is built");
    assert_eq!(output.stdout, b"<stdin>\n");
}

#[test]
fn what_was_read_is_counted() {
    let folder = folder();
    fs::write(folder.path().join("a.txt"), "http://a/ http://b/\n").expect("a file can be written");
    fs::write(folder.path().join("b.txt"), "http://c/{d}\n").expect("a file can be written");
    let (code, stdout, _) = found(&folder, &["-q", "--stats", "."]);
    let counts = "\n2 links\n1 templates\n1 files contained links\n2 files searched\n33 bytes searched\n";
    let time = stdout.strip_prefix(counts).expect("it begins so");
    assert!(code == Some(0) && time.ends_with(" seconds\n"), "{stdout}");
    let (_, stdout, _) = found(&folder, &["--json", "--stats", "."]);
    let last = stdout.lines().last().expect("there are some");
    assert!(last.starts_with(
        r#"{"stats":{"links":2,"templates":1,"files_with_links":1,"files":2,"octets":33,"seconds":"#
    ));
}

#[test]
fn an_endless_list_ends_with_a_message() {
    if !Path::new("/dev/zero").exists() {
        return;
    }
    let (code, _, stderr) = found(&folder(), &["--files-from", "/dev/zero"]);
    assert_eq!(code, Some(2));
    assert_eq!(stderr, "error: --files-from \"/dev/zero\" cannot be read: it is longer than 64 MiB\n");
}

#[test]
fn an_endless_stream_gets_its_answers_as_it_goes() {
    let (mut child, mut stdin) = runner::start(&["find"]);
    let mut answers = runner::answers(&mut child);
    for number in 0..100 {
        writeln!(stdin, "Look at http://host/{number}, it is new.").expect("it reads on");
        let mut line = String::new();
        answers.read_line(&mut line).expect("an answer is text");
        assert_eq!(line, format!("http://host/{number}\n"));
    }
    drop(stdin);
    assert_eq!(runner::exit(child), Some(0));
}

#[test]
fn an_endless_page_gets_its_answers_as_it_goes() {
    let (mut child, mut stdin) = runner::start(&["find", "-t", "html"]);
    let mut answers = runner::answers(&mut child);
    // The declaration of the encoding may be anywhere in the first 1024 bytes.
    writeln!(stdin, "<!doctype html>{}", " ".repeat(1024)).expect("it reads on");
    for number in 0..100 {
        writeln!(stdin, "<a href={number}>new</a>").expect("it reads on");
        let mut line = String::new();
        answers.read_line(&mut line).expect("an answer is text");
        assert_eq!(line, format!("{number}\n"));
    }
    drop(stdin);
    assert_eq!(runner::exit(child), Some(0));
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_says_how_far_it_came() {
    let mut child = runner::locator(&["find"]).spawn().expect("the command is built");
    let mut stdin = child.stdin.take().expect("it was asked for as a pipe");
    let mut answers = BufReader::new(child.stdout.take().expect("it was asked for as a pipe"));
    for _ in 0..12 {
        writeln!(stdin, "http://host/ and on").expect("it reads on");
        answers.read_line(&mut String::new()).expect("an answer is text");
    }
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.expect("there is a kill").success());
    let output = child.wait_with_output().expect("a child can be waited for");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "note: interrupted after 12 links\n");
    assert_eq!(runner::signal(output.status), Some(2));
    drop(stdin);
}

#[test]
fn a_closed_pipe_ends_it_quietly() {
    runner::ends_quietly(&["find"], "http://and/on\n");
}

#[test]
fn quietly_the_first_link_ends_it() {
    let mut child = runner::locator(&["find", "-q"]).spawn().expect("the command is built");
    let mut stdin = child.stdin.take().expect("it was asked for as a pipe");
    stdin.write_all(b"http://a/ and\n").expect("it reads");
    // Standard input is open, and would be for ever.
    assert_eq!(runner::exit(child), Some(0));
    drop(stdin);
}

#[test]
fn a_million_links_of_a_file_are_printed_together() {
    let folder = folder();
    for file in ["a.txt", "b.txt"] {
        let lines: String = (0..MILLION).map(|number| format!("http://{file}/{number}\n")).collect();
        fs::write(folder.path().join(file), lines).expect("a file can be written");
    }
    let mut command = runner::locator(&["find", "-H", "-j2", "."]);
    let output = runner::run(command.current_dir(folder.path()), Vec::new());
    let text = String::from_utf8(output.stdout).expect("it prints text");
    let files: Vec<_> = text.lines().map(|line| line.split(':').next().unwrap_or_default()).collect();
    assert_eq!(files.len(), 2 * MILLION);
    let changes = files.windows(2).filter(|pair| pair[0] != pair[1]).count();
    assert_eq!(changes, 1);
}

#[test]
fn each_url_is_printed_once_whatever_the_threads_do() {
    let folder = folder();
    for file in 0..50 {
        let lines: String = (0..200).map(|number| format!("http://h/{}\n", (number + file) % 200)).collect();
        fs::write(folder.path().join(format!("{file}.txt")), lines).expect("a file can be written");
    }
    let mut command = runner::locator(&["find", "-uIN", "-j4", "."]);
    let output = runner::run(command.current_dir(folder.path()), Vec::new());
    let text = String::from_utf8(output.stdout).expect("it prints text");
    let mut urls: Vec<_> = text.lines().collect();
    urls.sort_unstable();
    urls.dedup();
    assert_eq!((text.lines().count(), urls.len()), (200, 200));
}

#[test]
fn a_text_in_utf_16_is_none_of_the_binary_files() {
    let folder = folder();
    let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
    fs::write(folder.path().join("wide.txt"), wide("\u{FEFF}See http://h/.")).expect("a file can be written");
    fs::write(folder.path().join("binary"), wide("See http://h/.")).expect("a file can be written");
    assert_eq!(found(&folder, &["."]), (Some(0), "./wide.txt:1:11:http://h/\n".into(), String::new()));
}

#[test]
fn what_is_packed_is_unpacked() {
    let packed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/find/packed");
    let find = |name: &str| {
        let mut command = runner::locator(&["find", "-n", "-z", name]);
        let output = runner::run(command.current_dir(&packed), Vec::new());
        assert_eq!((output.status.code(), &*output.stderr), (Some(0), &b""[..]), "{name}");
        String::from_utf8(output.stdout).expect("it prints text")
    };
    for name in ["a.txt.gz", "a.txt.bz2", "a.txt.xz", "a.txt.zst"] {
        assert_eq!(find(name), "1:5:http://a.example/\n2:1:http://b.example/c\n", "{name}");
    }
    assert_eq!(find("twice.txt.zst").lines().count(), 4);
    assert_eq!(find("a.zip"), "a.zip!/a/text.txt:1:5:http://a.example/\na.zip!/a/page.html:1:10:../b\n");
    assert_eq!(
        find("a.docx"),
        "a.docx!/word/_rels/document.xml.rels:1:223:http://a.example/?b&c\na.docx!/word/document.xml:1:124:http://b.example/d\n"
    );
    assert_eq!(
        find("a.epub"),
        "a.epub!/OEBPS/ch1.xhtml:1:59:ch2.xhtml#x\na.epub!/OEBPS/ch1.xhtml:1:86:http://c.example/\n"
    );
    assert_eq!(find("a.odt"), "a.odt!/content.xml:1:221:http://d.example/\n");
    let mut command = runner::locator(&["find", "-z", "--absolute", "-IN", "a.epub"]);
    let output = runner::run(command.current_dir(&packed), Vec::new());
    let text = String::from_utf8(output.stdout).expect("it prints text");
    assert!(text.starts_with("jar:file:///") && text.contains("/a.epub!/OEBPS/ch2.xhtml#x\n"), "{text}");
}

#[test]
fn members_that_are_not_searched_are_reported() {
    let packed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/find/packed");
    let mut command = runner::locator(&["find", "-n", "-z", "members.zip"]);
    let output = runner::run(command.current_dir(&packed), Vec::new());
    let text = |octets| String::from_utf8(octets).expect("it prints text");
    assert_eq!(
        text(output.stdout),
        "members.zip!/a.txt:1:1:http://two.example/\nmembers.zip!/b.txt:1:1:http://b.example/\n"
    );
    assert_eq!(
        text(output.stderr),
        "error: \"members.zip!/a.txt\" is not searched: the archive has several files of this name, \
         and only the last is searched\n\
         error: \"members.zip!/inner.zip\" is not searched: an archive (zip) in an archive\n\
         error: \"members.zip!/x.gz\" is not searched: a compressed file (gzip) in an archive\n"
    );
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn limits_are_reported_and_the_rest_is_found() {
    let folder = folder();
    let long_base = format!("<base href='http://h/{}/'><a href=a>", "b".repeat(9000));
    let parts =
        "Content-Type: multipart/mixed; boundary=b\n\n".to_owned() + &"--b\n\nhttp://a/\n".repeat(10_500);
    let sentences = "[a](b) *c* `d`\n\n".repeat(100_000);
    let folded = format!("ATTACH:data:,{}\r\nURL:http://h/\r\n", "aa\r\n ".repeat(600_000));
    for (name, text, count, message) in [
        ("a.xml", "<a>".repeat(2000) + "http://a/", "1", "more than 1000 others"),
        ("b.eml", parts, "10000", "more than 10000 parts"),
        ("c.md", "[".repeat(600_000) + "\n\n[a](b)\n", "1", "too long to be read as a whole"),
        ("d.html", long_base, "2", "longer than 8 KiB"),
        ("e.md", sentences, "100000", ""),
        ("f.ics", folded, "1", "more than half a million escapes or folded lines"),
    ] {
        fs::write(folder.path().join(name), text).expect("a file can be written");
        let (exit, answers, errors) = found(&folder, &["-c", "--absolute", name]);
        assert_eq!(answers, format!("{count}\n"), "{name} {errors}");
        let status = if message.is_empty() { 0 } else { 2 };
        assert!(exit == Some(status) && errors.contains(message), "{name} {exit:?} {errors}");
    }
}

#[test]
fn what_is_packed_and_not_unpacked_is_named() {
    let packed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/find/packed");
    let mut command = runner::locator(&["find", "a.txt.gz"]);
    let output = runner::run(command.current_dir(&packed), Vec::new());
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(message, "note: \"a.txt.gz\" is compressed (gzip); use -z to search its contents\n");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn what_is_packed_and_broken_is_message() {
    let folder = folder();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/find/packed");
    for name in ["a.txt.gz", "a.txt.bz2", "a.txt.xz", "a.txt.zst", "a.zip"] {
        let octets = fs::read(path.join(name)).expect("it is there");
        fs::write(folder.path().join(name), &octets[..octets.len() / 2]).expect("a file can be written");
        let (exit, _, message) = found(&folder, &["-z", name]);
        assert_eq!(exit, Some(2), "{name}");
        assert!(message.starts_with(&format!("error: \"{name}\" cannot be read: ")), "{message}");
    }
}

#[test]
fn what_follows_packed_data_is_reported_and_the_data_is_searched() {
    let folder = folder();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/find/packed");
    for name in ["a.txt.gz", "a.txt.bz2", "a.txt.xz", "a.txt.zst"] {
        let octets = fs::read(path.join(name)).expect("it is there");
        fs::write(folder.path().join(name), [&*octets, b"junk"].concat()).expect("a file can be written");
        let (exit, answers, message) = found(&folder, &["-zN", name]);
        assert_eq!((exit, &*answers), (Some(2), "http://a.example/\nhttp://b.example/c\n"), "{name}");
        assert!(message.starts_with(&format!("error: \"{name}\" cannot be read: ")), "{message}");
    }
    for name in ["a.txt.gz", "a.txt.bz2"] {
        let octets = fs::read(path.join(name)).expect("it is there");
        fs::write(folder.path().join(name), [&*octets, &[0; 9000]].concat()).expect("a file can be written");
        let (exit, answers, message) = found(&folder, &["-zN", name]);
        assert_eq!((exit, &*answers, &*message), (Some(0), "http://a.example/\nhttp://b.example/c\n", ""));
    }
}

#[test]
fn a_directory_with_too_many_ignore_rules_is_not_searched() {
    let folder = folder();
    let rules = "*.a\n".repeat(100_000);
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("it has one")).expect("a directory can be made");
        fs::write(path, text).expect("a file can be written");
    };
    for name in ["a.txt", "b/a.txt", "b/c/a.txt", "d/a.txt"] {
        write(name, "http://h/\n");
    }
    write("b/.ignore", &rules);
    write("b/c/.gitignore", &rules);
    let why = "cannot be read: the ignore rules are longer than 512 KiB; its directory is not searched (see --no-ignore)";
    // Each alone would be allowed.
    let message = format!("error: \"./b/c/.gitignore\" {why}\n");
    assert_eq!(found(&folder, &["-l", "."]), (Some(2), "./a.txt\n./b/a.txt\n./d/a.txt\n".into(), message));
    let message = format!("error: \"b/c/.gitignore\" {why}\n");
    assert_eq!(found(&folder, &["-l", "b/c"]), (Some(2), String::new(), message));
    let all = "./a.txt\n./b/a.txt\n./b/c/a.txt\n./d/a.txt\n";
    assert_eq!(found(&folder, &["-l", "--no-ignore", "."]), (Some(0), all.into(), String::new()));
    write("rules", &rules.repeat(2));
    let (exit, _, message) = found(&folder, &["--ignore-file", "rules", "d"]);
    let why = "cannot be read: the ignore rules are longer than 512 KiB\n";
    assert_eq!((exit, message), (Some(2), format!("error: --ignore-file \"rules\" {why}")));
}

#[cfg(unix)]
#[test]
fn ignore_rules_without_an_end_are_not_read() {
    let folder = folder();
    for (name, target) in [("a", "/dev/zero"), ("b", "/dev/null")] {
        fs::create_dir(folder.path().join(name)).expect("a directory can be made");
        fs::write(folder.path().join(name).join("a.txt"), "http://h/\n").expect("a file can be written");
        std::os::unix::fs::symlink(target, folder.path().join(name).join(".gitignore"))
            .expect("a link can be made");
    }
    for threads in ["1", "2"] {
        let mut command = runner::locator(&["find", "-l", "-j", threads, "."]);
        let output = runner::run(command.current_dir(folder.path()), Vec::new());
        assert_eq!((output.status.code(), &*output.stdout), (Some(2), &b"./b/a.txt\n"[..]));
        assert!(output.stderr.starts_with(b"error: \"./a/.gitignore\" cannot be read: "));
    }
    let (exit, ..) = found(&folder, &["--ignore-file", "/dev/zero", "b"]);
    assert_eq!(exit, Some(2));
    let (exit, ..) = found(&folder, &["--ignore-file", "/dev/null", "b"]);
    assert_eq!(exit, Some(0));
}

#[test]
fn what_is_too_long_is_skipped_and_reported() {
    let folder = folder();
    let long = "A".repeat(17 << 20);
    let text = format!("See data:,{long}?http://a/ and http://b/.\n");
    let page = format!("<a href=a>\n<img src='data:,{long}'><a href=b>");
    fs::write(folder.path().join("a.txt"), text).expect("a file can be written");
    fs::write(folder.path().join("b.html"), page).expect("a file can be written");
    let (exit, answers, message) = found(&folder, &["-N", "-H", "."]);
    assert_eq!((exit, &*answers), (Some(2), "./a.txt:http://b/\n./b.html:a\n./b.html:b\n"));
    let places: Vec<_> = message.lines().map(|line| line.split(" this").next().unwrap_or_default()).collect();
    assert_eq!(places, ["error: ./a.txt:1:5:", "error: ./b.html:2:1:"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_name_that_is_no_text_is_printed_as_it_is() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = folder();
    fs::write(folder.path().join(OsStr::from_bytes(b"\xFF.txt")), "http://h/\n").expect("Linux takes it");
    let mut command = runner::locator(&["find", "-n", "."]);
    let output = runner::run(command.current_dir(folder.path()), Vec::new());
    assert_eq!(output.stdout, b"./\xFF.txt:1:1:http://h/\n");
    let (exit, object, _) = found(&folder, &["--json", "."]);
    assert_eq!(exit, Some(0));
    assert!(
        object.starts_with("{\"file\":\"./\u{FFFD}.txt\",\"file_base64\":\"Li//LnR4dA==\",\"line\":1,"),
        "{object}"
    );
}

#[cfg(unix)]
#[test]
fn links_are_followed_when_they_are_to_be() {
    use std::os::unix::fs::symlink;
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("d")).expect("a folder can be made");
    fs::write(path("d/a.txt"), "http://h/\n").expect("a file can be written");
    symlink("d/a.txt", path("link")).expect("a link can be made");
    assert_eq!(found(&folder, &["."]).1, "./d/a.txt:1:1:http://h/\n");
    assert_eq!(found(&folder, &["-L", "."]).1, "./d/a.txt:1:1:http://h/\n./link:1:1:http://h/\n");
    assert_eq!(found(&folder, &["link"]).1, "1:1:http://h/\n");

    symlink("..", path("d/up")).expect("a link can be made");
    let (exit, out, message) = found(&folder, &["-L", "-l", "."]);
    assert_eq!((exit, out.as_str()), (Some(2), "./d/a.txt\n./link\n"));
    assert_eq!(
        message,
        "error: \"./d/up\" cannot be read: it is a symbolic link to \".\", which contains it\n"
    );
}

#[cfg(unix)]
#[test]
fn where_the_answers_go_nothing_is_found() {
    let folder = folder();
    fs::write(folder.path().join("a.txt"), "http://h/\n").expect("a file can be written");
    let answers = folder.path().join("answers.txt");
    let out = fs::File::create(&answers).expect("a file can be written");
    let mut command = runner::locator(&["find", "--files", "--sort", "path", "."]);
    let status = command.current_dir(folder.path()).stdout(out).status().expect("the command is built");
    assert!(status.success());
    assert_eq!(fs::read_to_string(answers).expect("it can be read"), "./a.txt\n");
}

#[test]
fn a_directory_has_the_base_and_its_files_their_own() {
    let folder = folder();
    fs::create_dir(folder.path().join("s p")).expect("a folder can be made");
    fs::write(folder.path().join("s p/a?.txt"), "http://h/\n").expect("a file can be written");
    let (_, object, _) = found(&folder, &["--json", "--absolute", "--base", "http://b/d/", "."]);
    assert!(object.contains("\"uri\":\"http://b/d/s%20p/a%3F.txt\""), "{object}");
    let (_, object, _) = found(&folder, &["--json", "--absolute", "--base", "http://b/d/", "s p/a?.txt"]);
    assert!(object.contains("\"uri\":\"http://b/d/\""), "{object}");
}

#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_written_is_message() {
    let full = fs::File::create("/dev/full").expect("Linux has it");
    let mut command = runner::locator(&["find", "-"]);
    let mut child = command.stdout(full).spawn().expect("the command is built");
    child.stdin.take().expect("it is a pipe").write_all(b"http://h/\n").expect("it reads");
    let output = child.wait_with_output().expect("a child can be waited for");
    assert!(
        String::from_utf8_lossy(&output.stderr).starts_with("error: standard output cannot be written: ")
    );
    assert_eq!(output.status.code(), Some(2));
}

use std::process::Stdio;

use super::*;

#[test]
fn hunks_are_counted() {
    let diff = b"diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1 +1,2 @@ a\n-- b\n+++ b/y\n+@@ -1 +9 @@\n\
        \\ No newline at end of file\n@@ -7,2 +8,0 @@\n-a\n-b\n@@ -20,0 +19,3 @@\n+a\n+b\n+c\n\
        diff --git a/z b/z\ndeleted file mode 100644\n--- a/z\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n\
        --- \"a/\\303\\251\"\n+++ \"b/\\303\\251\\t\"\n@@ -1 +1 @@\n-a\n+b\n@@ -5 +5 @@\n-a\n+b\n--- a/c d\t\n+++ b/c d\t\n@@ -0,0 +1 @@\n+a\n@@ -2,0 +4 @@\n+a\n";
    let found = diff::read(&mut &diff[..]).expect("it is all there");
    let added: [(&[u8], Lines); 3] =
        [(b"x", vec![1..3, 19..22]), ("é\t".as_bytes(), vec![1..2, 5..6]), (b"c d", vec![1..2, 4..5])];
    let removed: [(&[u8], Lines); 3] = [
        (b"x", vec![1..2, 7..9]),
        (b"z", std::iter::once(1..2).collect()),
        ("é".as_bytes(), vec![1..2, 5..6]),
    ];
    let named = |(file, lines): (&[u8], Lines)| (file.to_vec(), lines);
    assert_eq!(found.added, added.map(named).into());
    assert_eq!(found.removed, removed.map(named).into());
}

#[test]
fn a_rename_has_two_names() {
    let diff = b":100644 000000 9daeafb 0000000 D\ta b\n:100644 100644 9daeafb 0000000 R097\tc\t\"d\\ne\"\n\
        :100644 100644 9daeafb 0000000 M\tsame\n:000000 100644 0000000 0000000 A\tnew\n\n--- a/x\n+++ b/x\n\
        @@ -1 +0,0 @@\n-a\n";
    let found = diff::read(&mut &diff[..]).expect("it is all there");
    let expected: [(&[u8], Option<&[u8]>); 2] = [(b"a b", None), (b"c", Some(b"d\ne"))];
    let named = |(before, after): (&[u8], Option<&[u8]>)| (before.to_vec(), after.map(<[u8]>::to_vec));
    assert_eq!(found.moved, expected.map(named).into());
    assert_eq!(found.removed.len(), 1);
}

#[test]
fn lines_outside_of_the_hunks_are_old() {
    assert!(Since::default().tracked_name(b"no/such/file").is_none());
    let place = |line| Place { file: Some(b"x".to_vec()), line, column: Some(1) };
    let added = [(b"x".to_vec(), vec![1..3, 19..22])].into();
    let mut since = Since {
        differences: Differences { added, ..Differences::default() },
        last: (b"x".to_vec(), Some(b"x".to_vec())),
        ..Since::default()
    };
    let new: Vec<_> = (0..25).filter(|&line| !since.is_old(&place(line))).collect();
    assert_eq!(new, [1, 2, 19, 20, 21]);
    assert!(!since.is_old(&Place { file: None, line: 5, column: Some(1) }), "it is in no file");
}

/// A repository in a temporary directory.
struct Repository(tempfile::TempDir);

impl Repository {
    /// A repository without commits, on the branch "main".
    fn new() -> Self {
        let new = Self(tempfile::tempdir().expect("there is a place for temporary files"));
        new.git(&["init", "-q", "-b", "main"]);
        // The name and the address of an author.
        new.git(&["config", "user.name", "a"]);
        new.git(&["config", "user.email", "a@host.example"]);
        new
    }

    fn git(&self, arguments: &[&str]) {
        let mut git = std::process::Command::new("git");
        git.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
        let status = git.args(arguments).current_dir(&self.0).stdout(Stdio::null()).status();
        assert!(status.expect("git is installed").success(), "{arguments:?}");
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.0.path().join(name);
        fs::create_dir_all(path.parent().expect("it is in a directory")).expect("a directory can be made");
        fs::write(path, text).expect("a file can be written");
    }

    fn commit(&self) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", "x"]);
    }

    fn path(&self, name: &str) -> Vec<u8> {
        self.0.path().join(name).into_os_string().into_encoded_bytes()
    }

    fn since(&self, revision: &str) -> Result<Since, String> {
        let directory = self.0.path();
        Since::read(directory, revision, |git, commit| merge_base(git, directory, commit))
    }
}

/// A repository in which a branch has removed, renamed and changed files, and so has "main" later.
fn branched() -> Repository {
    let repository = Repository::new();
    for name in ["gone.md", "moved.md", "old/a.md", "old/b c.md", "same.md", "later.md"] {
        repository.write(name, &format!("# {name}\n\none\n\n## Two\n\nthree\n"));
    }
    repository.commit();
    repository.git(&["checkout", "-q", "-b", "branch"]);
    fs::remove_file(repository.0.path().join("gone.md")).expect("it is there");
    repository.git(&["mv", "moved.md", "to é.md"]);
    repository.git(&["rm", "-q", "-r", "old"]);
    repository.commit();
    repository.git(&["checkout", "-q", "main"]);
    repository.write("later.md", "on main only\n");
    repository.commit();
    repository.git(&["checkout", "-q", "branch"]);
    // In the working tree alone.
    repository.write("same.md", "# same.md\n\none\n\n## Second\n\nthree\n");
    repository
}

#[test]
fn what_a_branch_has_removed_is_known() {
    let repository = branched();
    let since = repository.since("main").expect("both are known");
    let removed = |name| since.removed(&repository.path(name));
    let root = fs::canonicalize(repository.0.path()).expect("it is there");
    let now = Some(root.join("to é.md"));
    assert_eq!(removed("gone.md"), Some(Removed::File { now: None }));
    assert_eq!(removed("moved.md"), Some(Removed::File { now }));
    assert_eq!(removed("same.md"), Some(Removed::Lines(std::slice::from_ref(&(5..6)))));
    for there_no_more in ["old/a.md", "old/b c.md", "old", "old/", "x/../old/./a.md"] {
        assert_eq!(removed(there_no_more), Some(Removed::File { now: None }), "{there_no_more}");
    }
    for other in ["later.md", "to é.md", "never.md", "old/never.md", ".", "../gone.md"] {
        assert_eq!(removed(other), None, "{other}");
    }
    // With the commit itself, what "main" has changed would be different, too.
    let place = Place { file: Some(repository.path("later.md")), line: 1, column: None };
    assert!({ since }.is_old(&place));
}

#[test]
fn neither_the_directory_nor_the_configuration_matters() {
    let repository = branched();
    repository.write("sub/x.md", "x\n");
    for (name, value) in [("diff.relative", "true"), ("core.quotePath", "true"), ("diff.noprefix", "true")] {
        repository.git(&["config", name, value]);
    }
    let below = repository.0.path().join("sub");
    let since =
        Since::read(&below, "main", |git, commit| merge_base(git, &below, commit)).expect("both are known");
    for name in ["gone.md", "moved.md", "same.md", "old/b c.md"] {
        assert!(since.removed(&repository.path(name)).is_some(), "{name}");
    }
    assert!(since.content(&repository.path("gone.md")).is_ok());
}

#[test]
fn a_renamed_file_is_known_by_its_new_name() {
    let repository = branched();
    let since = repository.since("main").expect("both are known");
    let was_renamed = |name| since.was_renamed(&repository.path(name));
    assert!(was_renamed("to é.md"));
    assert!(!was_renamed("same.md") && !was_renamed("moved.md") && !was_renamed("never.md"));
}

#[test]
fn the_file_as_it_was_can_be_read() {
    let repository = branched();
    let since = repository.since("main").expect("both are known");
    let content = |name| since.content(&repository.path(name)).map(|text| text.starts_with(b"# "));
    for name in ["gone.md", "moved.md", "old/b c.md", "same.md"] {
        assert_eq!(content(name), Ok(true), "{name}");
    }
    assert!(content("never.md").is_err() && content("old").is_err() && content("../x").is_err());
}

#[test]
fn without_a_common_commit_there_is_an_error() {
    let repository = branched();
    repository.git(&["checkout", "-q", "--orphan", "other"]);
    repository.commit();
    let error = |revision| repository.since(revision).err().unwrap_or_default();
    assert!(error("main").starts_with("it has no commit in common with HEAD"), "{}", error("main"));
    assert!(error("no-such").starts_with("git does not know this revision"), "{}", error("no-such"));
    assert!(error("--all").starts_with("expected a revision"), "{}", error("--all"));
    assert!(error("main..branch").starts_with("git does not know"), "{}", error("main..branch"));
}

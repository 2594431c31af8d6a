//! Completions and manual pages, which are made from the description of the command line.

use std::process::Command;

use crate::runner;

fn printed(arguments: &[&str]) -> String {
    let output = runner::run(&mut runner::locator(arguments), Vec::new());
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stdout).expect("it prints text")
}

/// What bash offers after these words, and whether a blank follows it.
fn offered(script: &str, words: &str) -> String {
    let run = format!(
        "{script}\ncompopt() {{ echo nospace; }}\nCOMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))\n\
         _locator_values locator \"${{COMP_WORDS[COMP_CWORD]}}\" \"${{COMP_WORDS[COMP_CWORD-1]}}\"\n\
         echo \"${{COMPREPLY[*]}}\""
    );
    let output = Command::new("bash").args(["--norc", "-c", &run]).output().expect("there is a bash");
    String::from_utf8(output.stdout).expect("it prints text")
}

#[cfg(unix)]
#[test]
fn bash_offers_parts_types_and_editions() {
    let script = printed(&["completions", "bash"]);
    for (words, stated) in [
        ("locator edit -s ho", "host= hostname=\n"),
        ("locator edit --set hostn", "nospace\nhostname=\n"),
        ("locator edit --unset usern", "username\n"),
        ("locator find -t htm", "html\n"),
        ("locator find -t rus", "rust\n"),
        ("locator find --as markd", "markdown\n"),
        ("locator find -e rfc17", "rfc1738\n"),
        ("locator read -e al", "all\n"),
        ("locator man fi", "find file\n"),
    ] {
        let sorted = |text: &str| {
            let mut words: Vec<_> = text.split_whitespace().map(str::to_owned).collect();
            words.sort();
            words
        };
        assert_eq!(sorted(&offered(&script, words)), sorted(stated), "{words}");
    }
}

#[test]
fn other_shells_offer_them_too() {
    let zsh = printed(&["completions", "zsh"]);
    assert!(zsh.contains(":PART=DATA:{compadd -S \"\" - prefix= scheme= "), "{zsh}");
    let fish = printed(&["completions", "fish"]);
    assert!(fish.contains("host=\\t''"), "{fish}");
}

#[test]
fn a_manual_page_begins_with_the_usage() {
    let page = printed(&["man", "find"]);
    let (_, rest) = page.split_once(".SH SYNOPSIS\n").expect("it has one");
    assert_eq!(rest.lines().next(), Some("\\fBlocator find \\fR[OPTIONS] [PATH]..."));
    // What `-h` leaves out is described, too.
    assert!(page.contains("Follow symbolic links"), "{page}");
    let all = printed(&["man"]);
    assert!(all.contains(".SH \"LOOK AT URLS\"\n.TP\n\\fBlocator\\-read(1)\\fR\n"), "{all}");
}

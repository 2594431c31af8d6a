//! Rows that somebody else wrote: whatever is in them, a program that reads the table by the names of
//! its columns sees none of it in a column that was added.

use serde_json::Value;

use crate::runner;

/// Returns texts made of pieces, always the same ones.
fn texts(pieces: &[&str], count: usize) -> Vec<String> {
    let mut state = 1_u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    let text = |_| (0..random() % 10).map(|_| pieces[random() % pieces.len()]).collect();
    (0..count).map(text).collect()
}

fn columns_added(arguments: &[&str], table: &str) -> String {
    let arguments = [&["read", "--column", "url", "--columns", "host,query"], arguments].concat();
    let output = runner::run(&mut runner::locator(&arguments), table.into());
    String::from_utf8(output.stdout).expect("it is UTF-8, as the table is")
}

#[test]
fn no_row_of_csv_has_a_value_of_its_own_in_a_column_that_is_added() {
    let pieces = ["trusted", "trusted", ",", ",", "\"", "\r", "\0", "http://h/?trusted", " ", "\r\n"];
    for row in texts(&pieces, 400) {
        let table = format!("id,url,x\n{row}\n1,http://h/,trusted\n");
        let written = columns_added(&["--csv"], &table);
        // It ends a row at CR, LF and CR LF.
        let mut reader = csv::ReaderBuilder::new();
        let mut reader = reader.flexible(true).from_reader(written.as_bytes());
        for record in reader.records() {
            let record = record.expect("it is UTF-8");
            assert!(record.len() <= 5, "{row:?}: {written:?}");
            assert!(matches!(record.get(3), None | Some("" | "h")), "{row:?}: {written:?}");
        }
    }
}

#[test]
fn no_row_of_tsv_has_a_value_of_its_own_in_a_column_that_is_added() {
    let pieces = ["trusted", "\t", "\t", "\"", "\r", "\0", "http://h/", " ", "\\t"];
    for row in texts(&pieces, 400) {
        let written = columns_added(&["--tsv"], &format!("id\turl\n{row}\n1\thttp://h/\n"));
        for line in written.split(['\n', '\r']).skip(1) {
            let host = line.split('\t').nth(2);
            assert!(matches!(host, None | Some("" | "h")), "{row:?}: {written:?}");
        }
    }
}

#[test]
fn no_object_has_a_value_of_its_own_under_a_name_that_is_added() {
    let pieces = [
        "\"url\":\"http://h/\",",
        "\"host\":\"trusted\",",
        "\"Host\":\"trusted\",",
        "\"h\\u006fst\":\"trusted\",",
        "\"x\":[1],",
        "\"x\":",
        "{",
        "}",
        "\r",
        "\r",
        "\"y\":1",
    ];
    for row in texts(&pieces, 400) {
        let written = columns_added(&["--ndjson"], &format!("{{\"url\":\"http://h/\"}}\n{{{row}}}\n"));
        for line in written.split(['\n', '\r']) {
            let Ok(Value::Object(object)) = serde_json::from_str(line) else { continue };
            for (key, value) in object.iter().filter(|(key, _)| key.eq_ignore_ascii_case("host")) {
                assert!(*value == "h" || value.is_null(), "{row:?}: {key}: {written:?}");
            }
            assert!(object.contains_key("host"), "{row:?}: {written:?}");
        }
    }
}

//! The colours of the style sheet have a contrast of 4.5 to 1 (WCAG 2.2, 1.4.3), and it loads nothing.

use std::collections::BTreeMap;

use locator_web::STYLE;

/// The colours of a block: `--name: #rrggbb`.
fn colours(block: &str) -> BTreeMap<&str, f64> {
    let declared = block.split(';').filter_map(|one| one.split_once(": #"));
    declared
        .filter_map(|(before, hex)| Some((before.rsplit("--").next()?, luminance(hex.get(..6)?))))
        .collect()
}

/// The relative luminance of a colour.
fn luminance(hex: &str) -> f64 {
    let part = |at: usize| {
        let value = f64::from(u8::from_str_radix(&hex[at..at + 2], 16).unwrap()) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * part(0) + 0.7152 * part(2) + 0.0722 * part(4)
}

fn contrast(one: f64, other: f64) -> f64 {
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

#[test]
fn text_has_contrast_on_light_and_on_dark() {
    let blocks: Vec<_> = STYLE.split(":root {").skip(1).filter_map(|rest| rest.split('}').next()).collect();
    assert_eq!(blocks.len(), 2);
    for block in blocks {
        let colours = colours(block);
        for back in ["back", "surface"] {
            for front in ["text", "muted", "link", "good", "bad", "warn", "low"] {
                let found = contrast(colours[front], colours[back]);
                assert!(found >= 4.5, "{front} on {back}: {found:.2}");
            }
        }
        for host in ["host-a", "host-b", "host-c", "host-d", "host-e", "host-f"] {
            let found = contrast(colours["text"], colours[host]);
            assert!(found >= 4.5, "text on {host}: {found:.2}");
        }
    }
}

#[test]
fn the_style_sheet_loads_nothing() {
    assert!(!STYLE.contains("url(") && !STYLE.contains("@import"));
}

//! A name in running text in, whether it is a domain's out: by the public suffix list, as it was when this was built.

/// Whether a name is one under which something is or can be registered: it ends in a public suffix that is known,
/// and has a label before it. `example.co.uk` is, `co.uk` and `main.c` are not.
pub(super) fn is_domain(name: &str) -> bool {
    // The list is in small letters.
    let name = name.strip_suffix('.').unwrap_or(name).to_lowercase();
    psl::domain(name.as_bytes()).is_some_and(|domain| domain.suffix().is_known())
}

#[cfg(test)]
mod tests {
    use super::is_domain;

    #[test]
    fn a_domain_has_a_label_before_a_suffix_that_is_known() {
        for name in ["example.co.uk", "EXAMPLE.Org.", "a.b.example.com", "bücher.de", "例え.みんな"] {
            assert!(is_domain(name), "{name}");
        }
        for name in ["co.uk", "org", "main.c", "a.localhost", "1.2", ""] {
            assert!(!is_domain(name), "{name}");
        }
    }
}

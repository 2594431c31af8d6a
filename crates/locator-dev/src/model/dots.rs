//! Removes dot segments from a path, by the text of each document. The result is `None` if an
//! excess ".." remains and the choices refuse it.

/// 1993: "all occurrences of "/xxx/.." or "/." are recursively removed, where xxx, ".." and "." are
/// complete path elements", and xxx is not itself "..".
pub(super) fn remove_1993(mut path: String, leftover: Leftover) -> Option<String> {
    while let Some((at, pattern)) = find_1993(&path) {
        path.replace_range(at..at + pattern.len(), "");
    }
    while let Some(at) = find_element(&path, "/..") {
        match leftover {
            Leftover::Keep => break,
            Leftover::Remove => path.replace_range(at..at + 3, ""),
            Leftover::Refuse => return None,
        }
    }
    Some(path)
}

/// Returns the first "/.", else the first "/xxx/..".
fn find_1993(path: &str) -> Option<(usize, String)> {
    if let Some(at) = find_element(path, "/.") {
        return Some((at, "/.".to_string()));
    }
    (0..path.len()).filter(|at| path[*at..].starts_with('/')).find_map(|at| {
        let xxx = path[at + 1..].split('/').next()?;
        let pattern = format!("/{xxx}/..");
        let whole = is_whole(path, at, &pattern);
        (xxx != ".." && whole).then_some((at, pattern))
    })
}

/// Returns the position of a pattern that begins with "/" and whose last element is complete.
fn find_element(path: &str, pattern: &str) -> Option<usize> {
    (0..path.len()).find(|at| is_whole(path, *at, pattern))
}

fn is_whole(path: &str, at: usize, pattern: &str) -> bool {
    path[at..].strip_prefix(pattern).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// 1997, 5.2, steps 6d to 6g; RFC 2396, steps 6c to 6g; 2003, merge, steps 3 to 7. Reading: a "/"
/// at the start of the buffer, also after a removal, is the root, and no segment precedes it.
pub(super) fn remove_1997(mut buffer: String, leftover: Leftover) -> Option<String> {
    // d) All occurrences of "./", where "." is a complete path segment, are removed.
    while let Some(at) = starts_of_segments(&buffer).into_iter().find(|at| buffer[*at..].starts_with("./")) {
        buffer.replace_range(at..at + 2, "");
    }
    // e) If the buffer string ends with "." as a complete path segment, that "." is removed.
    if buffer == "." || buffer.ends_with("/.") {
        buffer.pop();
    }
    // f) All occurrences of "<segment>/../", where <segment> is a complete path segment not equal
    // to "..", are removed iteratively, removing the leftmost matching pattern on each iteration.
    // Reading: if (7) removes ".." at the start of the buffer, it is removed before what follows
    // it.
    loop {
        if leftover == Leftover::Remove && buffer.starts_with("../") {
            buffer.replace_range(..3, "");
        } else if let Some((at, length)) = leftmost(&buffer) {
            buffer.replace_range(at..at + length, "");
        } else {
            break;
        }
    }
    // g) If the buffer string ends with "<segment>/..", that "<segment>/.." is removed.
    if let Some(before) = buffer.strip_suffix("/..").filter(|before| !before.is_empty()) {
        let at = before.rfind('/').map_or(0, |slash| slash + 1);
        if &before[at..] != ".." {
            buffer.truncate(at);
        }
    }
    let (root, mut buffer) = match buffer.strip_prefix('/') {
        Some(rest) => ("/", rest.to_string()),
        None => ("", buffer),
    };
    // 7) If the resulting buffer string still begins with one or more complete path segments of
    //    ".."
    while buffer == ".." || buffer.starts_with("../") {
        match leftover {
            Leftover::Keep => break,
            Leftover::Remove => buffer.replace_range(..buffer.len().min(3), ""),
            Leftover::Refuse => return None,
        }
    }
    Some(root.to_string() + &buffer)
}

fn leftmost(buffer: &str) -> Option<(usize, usize)> {
    starts_of_segments(buffer).into_iter().find_map(|at| {
        let segment = buffer[at..].split('/').next()?;
        let is_before_root = at == 0 && segment.is_empty();
        let matches = !is_before_root && segment != ".." && buffer[at + segment.len()..].starts_with("/../");
        matches.then_some((at, segment.len() + 4))
    })
}

fn starts_of_segments(buffer: &str) -> Vec<usize> {
    (0..buffer.len()).filter(|at| *at == 0 || buffer.as_bytes()[at - 1] == b'/').collect()
}

/// RFC 3986, 5.2.4, with two buffers.
pub(super) fn remove_2005(mut input: String, leftover: Leftover) -> Option<String> {
    let mut output = String::new();
    while !input.is_empty() {
        if input.starts_with("./") {
            input.replace_range(..2, ""); // A
        } else if input.starts_with("../") {
            // A, or what an implementation that keeps or refuses ".." does instead.
            match leftover {
                Leftover::Keep => step_e(&mut input, &mut output),
                Leftover::Remove => input.replace_range(..3, ""),
                Leftover::Refuse => return None,
            }
        } else if input.starts_with("/./") || input == "/." {
            input.replace_range(..input.len().min(3), "/"); // B
        } else if input.starts_with("/../") || input == "/.." {
            let above = output.rfind('/').map_or(output.as_str(), |slash| &output[slash + 1..]);
            if output.is_empty() || above == ".." {
                match leftover {
                    Leftover::Keep => {
                        step_e(&mut input, &mut output);
                        continue;
                    }
                    Leftover::Remove => {}
                    Leftover::Refuse => return None,
                }
            }
            input.replace_range(..input.len().min(4), "/"); // C
            output.truncate(output.rfind('/').unwrap_or(0));
        } else if input == "." {
            input.clear(); // D
        } else if input == ".." {
            match leftover {
                Leftover::Keep => step_e(&mut input, &mut output),
                Leftover::Remove => input.clear(), // D
                Leftover::Refuse => return None,
            }
        } else {
            step_e(&mut input, &mut output);
        }
    }
    Some(output)
}

/// E: the first path segment goes from the input to the output, with the initial "/" if any.
fn step_e(input: &mut String, output: &mut String) {
    let from = usize::from(input.starts_with('/'));
    let end = input[from..].find('/').map_or(input.len(), |slash| from + slash);
    output.push_str(&input[..end]);
    input.replace_range(..end, "");
}

/// The treatment of an excess ".." at the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leftover {
    /// It is kept.
    Keep,
    /// It is removed.
    Remove,
    /// The reference is refused.
    Refuse,
}

/// The choices that the documents leave to the implementation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choices {
    /// The treatment of an excess "..".
    pub leftover: Leftover,
    /// Whether a reference with the base's scheme is treated as relative.
    pub ignores_same_scheme: bool,
    /// Whether an empty reference is the base rather than the current document.
    pub empty_is_base: bool,
}

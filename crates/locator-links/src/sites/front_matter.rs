//! The front matter of a document ([`FrontMatter`]): the metadata before its text, in YAML between `---`, in TOML between
//! `+++`, or in JSON as an object.
//!
//! ```text
//! let front = FrontMatter::read("---\nslug: /a\n---\ntext");
//! assert_eq!(front.text("slug"), Some("/a"));
//! ```

use super::configuration::Value;

/// The front matter of a document.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct FrontMatter {
    /// The keys and values, [`Value::Null`] if there are none.
    pub(crate) values: Value,
    /// Whether there is front matter, be it empty.
    pub(crate) is_there: bool,
    /// How many bytes of the text it has.
    pub(crate) length: usize,
}

impl FrontMatter {
    /// Reads the front matter at the beginning of a text.
    pub(crate) fn read(text: &str) -> Self {
        let body = text.trim_start_matches('\u{feff}');
        let skipped = text.len() - body.len();
        let fenced = |fence: &str| {
            let first = body.lines().next()?;
            if first.trim_end() != fence {
                return None;
            }
            let start = first.len() + 1 + usize::from(body.as_bytes().get(first.len()) == Some(&b'\r'));
            let mut at = start;
            for line in body.get(start..)?.split_inclusive('\n') {
                let is_end = line.trim_end() == fence || fence == "---" && line.trim_end() == "...";
                if is_end {
                    return Some((body.get(start..at)?, skipped + at + line.len()));
                }
                at += line.len();
            }
            None
        };
        if let Some((inside, length)) = fenced("---") {
            return Self { values: Value::yaml(inside), is_there: true, length };
        }
        if let Some((inside, length)) = fenced("+++") {
            return Self { values: Value::toml(inside), is_there: true, length };
        }
        if body.starts_with('{')
            && body.get(1..).is_some_and(|rest| rest.trim_start().starts_with(['"', '}']))
        {
            let mut objects = serde_json::Deserializer::from_str(body).into_iter::<serde_json::Value>();
            if let Some(Ok(_)) = objects.next() {
                let length = objects.byte_offset();
                let values = Value::json(body.get(..length).unwrap_or_default());
                return Self { values, is_there: true, length: skipped + length };
            }
        }
        Self::default()
    }

    /// Returns a value by the path of its keys.
    pub(crate) fn get(&self, path: &str) -> &Value {
        self.values.get(path)
    }

    /// Returns a text by the path of its keys.
    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        self.get(path).text()
    }

    /// Returns the texts of a list, or the words of a text: `tags: [a, b c]`, `tags: a b`.
    pub(crate) fn words(&self, key: &str) -> Vec<String> {
        match self.get(key) {
            Value::Text(text) => text.split_whitespace().map(str::to_owned).collect(),
            other => other.texts().into_iter().map(str::to_owned).collect(),
        }
    }

    /// Returns the date of a key.
    pub(crate) fn date(&self, key: &str) -> Option<Date> {
        Date::at_start(self.text(key)?).map(|(date, _)| date)
    }

    /// Returns whether a key is `true`.
    pub(crate) fn is(&self, path: &str) -> bool {
        self.get(path).bool() == Some(true)
    }
}

/// A date, as it is written in names of files and in URLs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Date {
    /// Four digits.
    pub(crate) year: String,
    /// Two digits.
    pub(crate) month: String,
    /// Two digits.
    pub(crate) day: String,
}

impl Date {
    /// Reads a date at the beginning of a text, with "-" or "/" between its parts, and returns what follows:
    /// `2020-01-02-name`, `2020-1-2 10:00`.
    pub(crate) fn at_start(text: &str) -> Option<(Self, &str)> {
        let number = |text: &str, most: usize| {
            let digits = text.bytes().take(most).take_while(u8::is_ascii_digit).count();
            (digits > 0).then_some(digits)
        };
        let year = number(text, 4).filter(|digits| *digits == 4)?;
        let (year, rest) = text.split_at(year);
        let rest = rest.strip_prefix(['-', '/'])?;
        let (month, rest) = rest.split_at(number(rest, 2)?);
        let rest = rest.strip_prefix(['-', '/'])?;
        let (day, rest) = rest.split_at(number(rest, 2)?);
        let padded = |part: &str| format!("{part:0>2}");
        let date = Self { year: year.to_owned(), month: padded(month), day: padded(day) };
        let in_range =
            |part: &str, most: u32| part.parse::<u32>().is_ok_and(|part| (1..=most).contains(&part));
        (in_range(month, 12) && in_range(day, 31)).then_some((date, rest))
    }

    /// Returns the number of the day in its year, with three digits.
    pub(crate) fn day_of_year(&self) -> String {
        let number = |part: &str| part.parse::<usize>().unwrap_or(1);
        let (year, month, day) = (number(&self.year), number(&self.month), number(&self.day));
        let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let february = if is_leap { 29 } else { 28 };
        let lengths = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        let before: usize = lengths.iter().take(month - 1).sum();
        format!("{:03}", before + day)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        let (date, rest) = Date::at_start("2020-3-02-name").unwrap();
        assert_eq!((&*date.year, &*date.month, &*date.day, rest), ("2020", "03", "02", "-name"));
        assert_eq!(date.day_of_year(), "062");
        for text in ["2020-13-01", "20-01-01", "2020-01", "2020-00-01", ""] {
            assert_eq!(Date::at_start(text), None, "{text}");
        }
    }

    #[test]
    fn three_formats() {
        for (text, length) in [
            ("---\na: b\n---\ntext\n", 13),
            ("---\r\na: b\r\n---\r\ntext\n", 16),
            ("\u{feff}--- \na: b\n...\n", 17),
            ("+++\na = \"b\"\n+++", 15),
            ("{\"a\": \"b\"}\ntext {", 10),
        ] {
            let front = FrontMatter::read(text);
            assert_eq!((front.text("a"), front.length, front.is_there), (Some("b"), length, true), "{text}");
        }
        assert!(FrontMatter::read("---\n---\n").is_there);
        for text in ["", "---", "---\na: b\n", "text\n---\na: b\n---\n", "{% a %}", "{{ a }}"] {
            assert_eq!(FrontMatter::read(text), FrontMatter::default(), "{text}");
        }
    }
}

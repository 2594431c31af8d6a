//! Answers: takes a request of the directory protocol, returns what a server of 1994 answers.

use super::directory::{Contents, Kind, Node};
use super::quoting::{lines, quoted};

const SOFTWARE: &str = "P53.17May94b";

/// What a server offers.
#[derive(Clone, Debug)]
pub struct Directory {
    /// The name of the server in its links: `LOCALHOST`, `127.0.0.1(20111)`.
    pub host: String,
    /// The FTP server that has the files of `aftp`.
    pub ftp: String,
    /// The path of `tree` on its machine, by which its objects are named.
    pub root: String,
    /// Files and directories named by their paths.
    pub tree: Vec<Node>,
    /// Links that are stored in directories of `tree`: the path of the directory below `root`, and the
    /// lines of an answer.
    pub links: Vec<(String, String)>,
    /// Files and directories of anonymous FTP, named `AFTP/…`.
    pub aftp: Vec<Node>,
    /// When the server began, as it says.
    pub started: String,
    /// Where the objects are instead, if they are elsewhere.
    pub forward: Option<String>,
    /// What every object has, in place of its own attributes: lines of an answer.
    pub fixed: Option<String>,
    /// Whether files are offered by the attribute CONTENTS alone.
    pub only_contents: bool,
}

/// What a name leads to.
enum Found<'d> {
    Node(&'d Node),
    /// The top of a tree.
    Top(&'d [Node]),
}

/// The state of a request: the directory that was named last.
#[derive(Default)]
struct State<'d> {
    directory: Option<(Vec<u8>, &'d [Node])>,
}

impl Directory {
    /// Creates what a server with this name offers: nothing yet.
    #[must_use]
    pub fn new(host: &str) -> Self {
        Self {
            host: host.into(),
            ftp: host.into(),
            root: "/".into(),
            tree: Vec::new(),
            links: Vec::new(),
            aftp: Vec::new(),
            started: "17-May-94 00:00:00 UTC".into(),
            forward: None,
            fixed: None,
            only_contents: false,
        }
    }

    /// Answers the `count`th request since the server began.
    #[must_use]
    pub fn answer(&self, request: &[u8], count: u64) -> Vec<u8> {
        let mut answer = Vec::new();
        let mut state = State::default();
        for words in lines(request) {
            let words: Vec<_> = words.iter().map(Vec::as_slice).collect();
            // After a command that fails the rest is not answered.
            if let Err(failure) = self.command(&words, count, &mut state, &mut answer) {
                answer.extend(failure);
                break;
            }
        }
        answer
    }

    fn command<'d>(
        &'d self,
        words: &[&[u8]],
        count: u64,
        state: &mut State<'d>,
        answer: &mut Vec<u8>,
    ) -> Result<(), Vec<u8>> {
        match words {
            [b"VERSION"] => answer.extend(format!("VERSION 5 {SOFTWARE}\n").bytes()),
            [b"VERSION", b"1" | b"2" | b"3" | b"4" | b"5", ..] | [b"AUTHENTICATE", ..] => {}
            [b"VERSION", ..] => return Err(b"VERSION-NOT-SUPPORTED TRY 1-5".into()),
            [b"STATUS"] => answer.extend(self.status(count).bytes()),
            [b"DIRECTORY", b"ASCII", name] => state.directory = Some(self.directory(name)?),
            [b"LIST", options, b"COMPONENTS", names @ ..] => {
                let (path, nodes) = state.directory.as_ref().ok_or_else(|| failure("NOT-FOUND"))?;
                // The captured server sent attributes of the files of anonymous FTP only.
                let has_attributes = options.starts_with(b"ATTRIBUTES") && aftp(path).is_some();
                answer.extend(self.list(path, nodes, names, has_attributes));
            }
            [b"GET-OBJECT-INFO", attributes, b"ASCII", name, ..] => {
                answer.extend(self.object_info(attributes, name)?);
            }
            [first, ..] => return Err([b"ERROR Unknown message: ", *first, b"\n"].concat()),
            [] => {}
        }
        Ok(())
    }

    fn status(&self, count: u64) -> String {
        format!(
            "Prospero server (PreAlpha.5.3 17 May 94, patchlevel b) {}\n\
             Requests since startup {count} (0 V1) (0+0+0 0+0+0 0 0+0+0 0 0 1)\n\
             Started: {}\n  Files: 0(0)open, 0 waits, 0 secs\n    DNS: 1(2) caching 1(300)\n \
             Memory: 0(0)vlink 0(0)pattrib 7(7)acl 0(0)pfile 2(2)rreq 4(4)ptext\n \
             Memory: 24(24)string 4(4)token 0(0)pauth 0(0)filter 0(0)p_object\n \
             Memory: 1(2)dnscache\n   Root: {}\n   AFTP: {}\n",
            self.host,
            self.started,
            self.root,
            self.root.replace("/tree", "/ftp")
        )
    }

    /// Returns what a name leads to.
    fn find(&self, name: &[u8]) -> Result<Found<'_>, Vec<u8>> {
        if let Some(path) = aftp(name) {
            return found(&self.aftp, path);
        }
        let path = name.strip_prefix(self.root.as_bytes()).ok_or_else(|| failure("NOT-AUTHORIZED"))?;
        found(&self.tree, path)
    }

    fn directory(&self, name: &[u8]) -> Result<(Vec<u8>, &[Node]), Vec<u8>> {
        let path = name.strip_suffix(b"/").unwrap_or(name);
        match self.find(name)? {
            Found::Top(nodes) => Ok((path.into(), nodes)),
            Found::Node(Node { kind: Kind::Directory(nodes), .. }) => Ok((path.into(), nodes)),
            Found::Node(_) => Err(failure("NOT-A-DIRECTORY")),
        }
    }

    fn list(&self, path: &[u8], nodes: &[Node], names: &[&[u8]], has_attributes: bool) -> Vec<u8> {
        let is_asked = |node: &&Node| names.is_empty() || names.contains(&node.name.as_slice());
        let below = path.strip_prefix(self.root.as_bytes()).filter(|_| aftp(path).is_none());
        let stored = self.links.iter().filter(|(directory, _)| {
            names.is_empty() && below.is_some_and(|below| is_path(below, directory.as_bytes()))
        });
        let mut answer: Vec<u8> = stored.flat_map(|(_, lines)| lines.bytes()).collect();
        for node in nodes.iter().filter(is_asked) {
            let object = [path, b"/", &node.name].concat();
            answer.extend(self.link(node, &object));
            if has_attributes {
                answer.extend(self.attributes(node, &object, &|_| true));
            }
        }
        if answer.is_empty() { b"NONE-FOUND\n".into() } else { answer }
    }

    fn link(&self, node: &Node, object: &[u8]) -> Vec<u8> {
        let target: &[u8] = if matches!(node.kind, Kind::Directory(_)) { b"DIRECTORY" } else { b"FILE" };
        let (name, host, object) = (quoted(&node.name), quoted(self.host.as_bytes()), quoted(object));
        [b"LINK  L ", target, b" ", &name, b" INTERNET-D ", &host, b" ASCII ", &object, b" 0\n"].concat()
    }

    /// Writes the attributes that are wanted.
    fn attributes(&self, node: &Node, object: &[u8], wants: &dyn Fn(&[u8]) -> bool) -> Vec<u8> {
        let modes: &[u8] =
            if matches!(node.kind, Kind::Directory(_)) { b"drwxr-xr-x" } else { b"-rw-r--r--" };
        let size = match &node.kind {
            Kind::File(size, _) => *size,
            Kind::Directory(_) => DIRECTORY_SIZE,
        };
        let known = [
            (&b"SIZE"[..], Some(format!("{size} bytes").into_bytes())),
            (b"NATIVE-OWNER", Some(b"root".to_vec())),
            (b"NATIVE-GROUP", Some(b"root".to_vec())),
            (b"LAST-MODIFIED", Some(node.modified.clone().into_bytes())),
            (b"UNIX-MODES", Some(modes.to_vec())),
        ];
        let mut answer = Vec::new();
        for (name, value) in known {
            answer.extend(
                value.filter(|_| wants(name)).map(|value| attribute(name, &[&value])).unwrap_or_default(),
            );
        }
        // That it is a directory the server sees only if it looks at the modes.
        let is_file = matches!(node.kind, Kind::File(..));
        if wants(b"ACCESS-METHOD") && (is_file || !wants(b"UNIX-MODES")) {
            answer.extend(self.methods(object));
        }
        if let Kind::File(_, contents) = &node.kind {
            answer.extend(
                contents_of(contents).filter(|_| wants(b"CONTENTS") && !wants(b"SIZE")).unwrap_or_default(),
            );
        }
        answer
    }

    fn methods(&self, object: &[u8]) -> Vec<u8> {
        let link: [&[u8]; 4] = [b""; 4];
        let mut answer = attribute(b"ACCESS-METHOD", &[&[&b"PROSPERO-CONTENTS"[..]], &link[..]].concat());
        if self.only_contents {
            return answer;
        }
        answer.extend(attribute(b"ACCESS-METHOD", &[&[&b"LOCAL"[..]], &link[..]].concat()));
        if let Some(path) = aftp(object) {
            let values: [&[u8]; 6] = [b"AFTP", b"INTERNET-D", self.ftp.as_bytes(), b"ASCII", path, b"BINARY"];
            answer.extend(attribute(b"ACCESS-METHOD", &values));
        }
        answer
    }

    fn object_info(&self, attributes: &[u8], name: &[u8]) -> Result<Vec<u8>, Vec<u8>> {
        if let Some(host) = &self.forward {
            let (host, name) = (quoted(host.as_bytes()), quoted(name));
            return Ok([b"FORWARDED INTERNET-D ", &host[..], b" ASCII ", &name, b" 0\n"].concat());
        }
        if let Some(lines) = &self.fixed {
            return Ok(lines.clone().into_bytes());
        }
        let asked: Vec<_> = attributes.split(|&octet| octet == b'+').collect();
        let is_all = asked.contains(&&b"#ALL"[..]) || asked.contains(&&b"#INTERESTING"[..]);
        let top = Node::directory("", Vec::new());
        let node = match self.find(name)? {
            Found::Node(node) => node,
            Found::Top(_) => &top,
        };
        // The server examines a file only for these.
        let examines = [&b"SIZE"[..], b"NATIVE-OWNER", b"LAST-MODIFIED", b"UNIX-MODES", b"CONTENTS"];
        if !is_all && !asked.iter().any(|one| examines.contains(one)) {
            return Err(failure("NOT-FOUND"));
        }
        let answer = self.attributes(node, name, &|one| is_all || asked.contains(&one));
        Ok(if answer.is_empty() { b"NONE-FOUND\n".into() } else { answer })
    }
}

/// The number of octets of a directory, as file systems count them.
const DIRECTORY_SIZE: u64 = 4096;

/// Returns whether two paths are equal but for "/" around them.
fn is_path(one: &[u8], other: &[u8]) -> bool {
    let names = |path| <[u8]>::split(path, |&octet| octet == b'/').filter(|name| !name.is_empty());
    names(one).eq(names(other))
}

/// Returns the path of a name of anonymous FTP, with the "/" at its beginning.
fn aftp(name: &[u8]) -> Option<&[u8]> {
    name.strip_prefix(b"AFTP").filter(|path| path.is_empty() || path.starts_with(b"/"))
}

fn found<'d>(nodes: &'d [Node], path: &[u8]) -> Result<Found<'d>, Vec<u8>> {
    if path.iter().all(|&octet| octet == b'/') {
        return Ok(Found::Top(nodes));
    }
    Node::find(nodes, path).map(Found::Node).ok_or_else(|| failure("NOT-FOUND"))
}

fn failure(reason: &str) -> Vec<u8> {
    format!("FAILURE {reason}\n").into_bytes()
}

fn attribute(name: &[u8], values: &[&[u8]]) -> Vec<u8> {
    let mut line = [b"ATTRIBUTE OBJECT INTRINSIC ", name, b" SEQUENCE"].concat();
    for value in values {
        line.push(b' ');
        line.extend(quoted(value));
    }
    line.push(b'\n');
    line
}

fn contents_of(contents: &Contents) -> Option<Vec<u8>> {
    Some(attribute(b"CONTENTS", &[b"DATA", &contents.read()]))
}

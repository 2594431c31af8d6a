//! Steps that need no network.

use alloc::string::String;
use alloc::vec::Vec;

use super::secret::Secret;
use super::text::Text;

/// A step that needs no network.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Local {
    /// Read a file of this machine, or list a directory; its name is in octets.
    File {
        /// The name of the file.
        file: Vec<u8>,
    },
    /// Use the data that the URL itself contains.
    Data {
        /// The media type that the URL declares.
        media_type: Text,
        /// The data.
        data: Vec<u8>,
    },
    /// Find a message, or a part of one, among those of the caller.
    LookUp(LookUp),
    /// Show an unsent message to its sender.
    Draft(Draft),
    /// Start an interactive program.
    Start(Session),
}

/// The identifiers of a message, or of a part of one, that the caller may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LookUp {
    /// The identifier of the message, without "<" and ">"; `None` matches any message.
    pub message_id: Option<Vec<u8>>,
    /// The identifier of the part, without "<" and ">"; `None` for the whole message.
    pub content_id: Option<Vec<u8>>,
}

/// A message that has not been sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    /// The addresses of the recipients.
    pub to: Vec<Vec<u8>>,
    /// The other header fields, names and values.
    pub fields: Vec<(Vec<u8>, Vec<u8>)>,
    /// The text of the message.
    pub body: Vec<u8>,
    /// The names of the header fields that were dropped because they could do harm.
    pub dropped: Vec<Vec<u8>>,
}

/// A program for an interactive session. Its arguments are passed without a shell, and no argument
/// from the URL begins with "-".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// The program and its arguments.
    pub words: Vec<String>,
    /// The user name that the URL suggests, for display.
    pub user: Option<Vec<u8>>,
    /// The password that the URL suggests, for display.
    pub password: Option<Secret>,
}

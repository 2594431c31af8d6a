//! What servers of FTP reply, as octets: where a reply ends. NNTP has replies of the same form.

pub(crate) mod reply;

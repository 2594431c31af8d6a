//! The command as a black box: its own cases, those of the library, streams.

#![allow(clippy::disallowed_types, reason = "tests have servers of their own")]

mod audit;
#[cfg(all(unix, feature = "get", feature = "links"))]
mod coming_from;
mod command;
mod corpora;
mod corpus;
#[cfg(all(unix, feature = "get"))]
mod curl_options;
#[cfg(all(target_os = "linux", feature = "get"))]
mod draft;
mod edit;
mod edit_documents;
mod find;
#[cfg(feature = "get")]
#[cfg(feature = "get")]
mod ftp_uploads;
#[cfg(feature = "get")]
mod get;
#[cfg(feature = "get")]
mod get_editions;
#[cfg(feature = "get")]
mod get_files;
#[cfg(feature = "get")]
mod get_logins;
#[cfg(feature = "get")]
mod get_prospero;
#[cfg(all(target_os = "linux", feature = "get"))]
mod get_terminal;
#[cfg(feature = "get")]
mod get_wais;
#[cfg(all(unix, feature = "get", feature = "links", feature = "serve"))]
mod guesses;
mod help;
mod here;
mod hostile;
#[cfg(feature = "get")]
mod http;
#[cfg(feature = "get")]
mod http_cookies;
#[cfg(feature = "get")]
mod http_policies;
#[cfg(feature = "get")]
mod http_redirects;
#[cfg(feature = "get")]
mod http_uploads;
#[cfg(all(unix, feature = "get"))]
mod interrupted;
#[cfg(feature = "links")]
mod links;
#[cfg(all(unix, feature = "links"))]
mod links_action;
#[cfg(feature = "links")]
mod links_archives;
#[cfg(feature = "links")]
mod links_cache;
#[cfg(feature = "links")]
mod links_ci;
#[cfg(feature = "links")]
mod links_connections;
#[cfg(feature = "links")]
mod links_fix;
#[cfg(all(unix, feature = "links"))]
mod links_logins;
#[cfg(all(unix, feature = "links"))]
mod links_report;
#[cfg(feature = "links")]
mod links_sites;
#[cfg(feature = "links")]
mod lychee;
mod parts;
mod recipes;
mod resolve;
#[cfg(feature = "get")]
mod resume;
mod runner;
#[cfg(all(target_os = "linux", feature = "get"))]
mod screen;
mod secrets;
mod serve;
#[cfg(all(target_os = "linux", feature = "get"))]
mod session;
mod since;
mod sql;
#[cfg(all(target_os = "linux", feature = "get"))]
#[path = "../../../locator-fetch/tests/it/real/started.rs"]
mod started;
mod streams;
mod tables;
#[cfg(all(target_os = "linux", feature = "get"))]
mod terminal;
mod uniq;
#[cfg(feature = "get")]
mod walk;
mod wrong;

//! The command as a black box: cases, the corpus of the editions, streams.

mod command;
mod corpus;
mod edit;
mod resolve;
mod runner;
mod streams;

//! The search for links: cases of `testdata`, laws that hold for every document, and hostile documents.

mod documents;
mod headings;
mod hostile;
mod large;
mod laws;

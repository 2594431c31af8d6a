//! The functions in DataFusion, and the program.

mod functions;
mod program;
mod rows;

//! The kernels for columns, compared with the library row by row.

mod kernels;
mod large;

//! The module of the page: its script writes URLs into the memory of the module, calls a function, and
//! reads HTML from the memory.
//!
//! [`input`] returns where to write, and makes everything earlier invalid. Then one of the others is
//! called; [`output_len`] returns the length of what it returned. The types are those of WebAssembly, so
//! that no generated code is needed between the two.
#![allow(unsafe_code, reason = "what WebAssembly exports and imports, and an allocator")]
#![no_std]

extern crate alloc;

mod memory;

use alloc::string::String;
use core::panic::PanicInfo;
use core::{slice, str};

use locator_web::Renderer;

/// What links to the readings of a URL begin with.
const LINKS: &str = "#u=";

/// Reserves memory for an input, and releases all that earlier calls have used.
#[unsafe(no_mangle)]
pub extern "C" fn input(len: usize) -> *mut u8 {
    memory::reset();
    alloc::vec![0; len].leak().as_mut_ptr()
}

/// Returns the readings of a URL.
#[unsafe(no_mangle)]
pub extern "C" fn read(text: *const u8, len: usize) -> *const u8 {
    output(Renderer::new().links(LINKS).url(at(text, len)).into_string())
}

/// Returns the readings of the URL that a reference identifies in a document at a base. The reference has so
/// many bytes, and the base follows it.
#[unsafe(no_mangle)]
pub extern "C" fn resolve(text: *const u8, len: usize, reference: usize) -> *const u8 {
    let (reference, base) = at(text, len).split_at_checked(reference).unwrap_or_default();
    output(Renderer::new().links(LINKS).resolved(base, reference).into_string())
}

/// Returns the comparison of two URLs, the first of which has so many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn compare(text: *const u8, len: usize, first: usize) -> *const u8 {
    let (first, second) = at(text, len).split_at_checked(first).unwrap_or_default();
    output(Renderer::new().comparison(first, second).into_string())
}

/// Returns the URLs in a text.
#[unsafe(no_mangle)]
pub extern "C" fn find(text: *const u8, len: usize) -> *const u8 {
    output(Renderer::new().links(LINKS).found(at(text, len)).into_string())
}

/// Returns how many secrets, such as passwords, are in the URLs of a text.
#[unsafe(no_mangle)]
pub extern "C" fn secrets(text: *const u8, len: usize) -> usize {
    at(text, len).split_whitespace().map(|word| locator_audit::redacted(word).hidden().len()).sum()
}

/// Returns the length of the last output.
#[unsafe(no_mangle)]
pub extern "C" fn output_len() -> usize {
    memory::output_len()
}

/// Returns the text that the script has written; empty if it is not UTF-8.
fn at<'a>(text: *const u8, len: usize) -> &'a str {
    // SAFETY: `input` reserved these bytes for this call, and the script passes what it returned.
    str::from_utf8(unsafe { slice::from_raw_parts(text, len) }).unwrap_or_default()
}

fn output(html: String) -> *const u8 {
    memory::set_output_len(html.len());
    html.leak().as_ptr()
}

/// Stops the module; the script starts another one.
#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}

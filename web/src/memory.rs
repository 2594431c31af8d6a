//! The memory of the module: each call begins with an empty one, so nothing is freed within a call.
//!
//! No value may outlive a call. The libraries have no static with memory of its own, because they work
//! without `std`, and the module has a single thread.

use core::alloc::{GlobalAlloc, Layout};
use core::arch::wasm32::{memory_grow, memory_size};
use core::cell::Cell;

/// The size of a page of WebAssembly, in bytes.
const PAGE: usize = 65536;

struct Arena {
    /// Where the free memory began at the start; 0 before the first allocation.
    start: Cell<usize>,
    /// Where it begins now.
    top: Cell<usize>,
    output_len: Cell<usize>,
}

// SAFETY: the module has a single thread.
unsafe impl Sync for Arena {}

#[global_allocator]
static ARENA: Arena = Arena { start: Cell::new(0), top: Cell::new(0), output_len: Cell::new(0) };

/// Releases everything. Values from before must not be used any more.
pub(crate) fn reset() {
    ARENA.top.set(ARENA.start.get());
}

pub(crate) fn set_output_len(len: usize) {
    ARENA.output_len.set(len);
}

pub(crate) fn output_len() -> usize {
    ARENA.output_len.get()
}

impl Arena {
    /// Moves the top to an address; returns whether there is so much memory.
    fn extend_to(&self, end: usize) -> bool {
        let missing = end.saturating_sub(memory_size(0) * PAGE).div_ceil(PAGE);
        let fits = missing == 0 || memory_grow(0, missing) != usize::MAX;
        if fits {
            self.top.set(end);
        }
        fits
    }
}

// SAFETY: every allocation is within the memory, aligned, and after all others since the last reset.
unsafe impl GlobalAlloc for Arena {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if self.start.get() == 0 {
            // What the compiler has placed is below; the memory grows above.
            self.start.set(memory_size(0) * PAGE);
            self.top.set(self.start.get());
        }
        let at = self.top.get().next_multiple_of(layout.align());
        let fits = at.checked_add(layout.size()).is_some_and(|end| self.extend_to(end));
        if fits { at as *mut u8 } else { core::ptr::null_mut() }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // The last one can be used again at once.
        if at as usize + layout.size() == self.top.get() {
            self.top.set(at as usize);
        }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // The last one grows where it is, as a string does to which HTML is appended.
        if at as usize + layout.size() == self.top.get()
            && (at as usize).checked_add(size).is_some_and(|end| self.extend_to(end))
        {
            return at;
        }
        // SAFETY: the alignment is valid, and `Layout` checked that the size does not overflow.
        let new = unsafe { self.alloc(Layout::from_size_align_unchecked(size, layout.align())) };
        if !new.is_null() {
            // SAFETY: both are allocations of at least so many bytes, and they do not overlap.
            unsafe { core::ptr::copy_nonoverlapping(at, new, layout.size().min(size)) };
        }
        new
    }
}

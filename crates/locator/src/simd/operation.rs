//! Operations that are compiled for each backend.

use super::backend::Backend;
use super::plain::Plain;

/// An operation that is generic over the backend.
pub trait WithBackend {
    /// The result of the operation.
    type Output;

    /// Whether it uses what AVX-512 VBMI has beyond AVX-512: [`Backend::eights`],
    /// [`Backend::write_bitmaps`] or [`Backend::write_places`]. Other operations are compiled for
    /// AVX-512 once.
    const USES_VBMI: bool = false;

    /// Whether it is compiled for AVX-512 and NEON only. The other backends use
    /// [`run_plain`](Self::run_plain), which can call the selected backend for parts of the work.
    const WIDEST_ONLY: bool = false;

    /// Runs the operation on a backend. It must be `#[inline(always)]`, down to the backend's own
    /// methods, so that all of it is compiled for that backend.
    fn run<M: Backend>(self, backend: M) -> Self::Output;

    /// Runs the operation on the plain backend. Its code is the only one that would be inlined into
    /// the caller. Operations that are called in a loop make this `#[inline(never)]`; otherwise the
    /// loop reserves registers for code that it never runs.
    #[inline(always)]
    fn run_plain(self) -> Self::Output
    where
        Self: Sized,
    {
        self.run(Plain)
    }
}

//! Selection of the SIMD backend, once, when the first text is parsed.
//!
//! With the feature `std` the processor is queried at run time; without it, the compilation target
//! decides. A target without SSE2 or NEON (kernels and firmware that keep floating-point registers
//! untouched) has only the plain backend.

use core::sync::atomic::{AtomicU8, Ordering};

use super::WithBackend;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use super::{avx2, avx512, ssse3, vbmi};

/// A SIMD backend of the parser. All backends return the same results.
///
/// ```
/// use locator::SimdBackend;
///
/// assert!(SimdBackend::Plain.is_available());
/// let available =
///     SimdBackend::ALL.into_iter().filter(|backend| backend.is_available());
/// assert!(available.count() >= 1);
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum SimdBackend {
    /// Safe Rust, available on every processor.
    Plain = 1,
    /// x86-64 with SSSE3.
    Ssse3,
    /// x86-64 with AVX2.
    Avx2,
    /// x86-64 with AVX-512 F and BW.
    Avx512,
    /// x86-64 with AVX-512 VBMI and VBMI2, and GFNI: rows are parsed eight at a time.
    Avx512Vbmi,
    /// AArch64 with NEON.
    Neon,
}

/// Returns whether the processor has a feature: queried at run time or, without `std`, known at
/// compile time.
macro_rules! has {
    ($feature:tt) => {{
        #[cfg(all(feature = "std", target_arch = "x86_64"))]
        let has = std::arch::is_x86_feature_detected!($feature);
        #[cfg(not(all(feature = "std", target_arch = "x86_64")))]
        let has = cfg!(target_feature = $feature);
        has
    }};
}

/// The selected backend; 0 until one is selected.
static CHOSEN: AtomicU8 = AtomicU8::new(0);

impl SimdBackend {
    /// All backends, from slowest to fastest.
    pub const ALL: [Self; 6] =
        [Self::Plain, Self::Ssse3, Self::Avx2, Self::Avx512, Self::Avx512Vbmi, Self::Neon];

    /// Returns the name of the backend: `avx2`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Ssse3 => "ssse3",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
            Self::Avx512Vbmi => "avx512vbmi",
            Self::Neon => "neon",
        }
    }

    /// Returns whether this processor supports the backend.
    #[must_use]
    pub fn is_available(self) -> bool {
        match self {
            Self::Neon => cfg!(all(target_arch = "aarch64", target_feature = "neon")),
            _ => self as u8 <= Self::fastest_of_x86() as u8,
        }
    }

    /// Returns the fastest backend of this processor, of those of x86-64: each needs all features
    /// of those before it. Not inlined, because each feature is much code.
    #[inline(never)]
    fn fastest_of_x86() -> Self {
        if !(has!("ssse3") && has!("popcnt")) {
            return Self::Plain;
        }
        if !(has!("avx2") && has!("bmi1") && has!("bmi2")) {
            return Self::Ssse3;
        }
        if !(has!("avx512f") && has!("avx512bw")) {
            return Self::Avx2;
        }
        let has_all = has!("avx512cd")
            && has!("avx512dq")
            && has!("avx512vbmi")
            && has!("avx512vbmi2")
            && has!("gfni")
            && has!("lzcnt");
        if has_all { Self::Avx512Vbmi } else { Self::Avx512 }
    }

    /// Returns the selected backend.
    #[must_use]
    pub fn current() -> Self {
        let chosen = CHOSEN.load(Ordering::Relaxed);
        Self::ALL.into_iter().find(|kind| *kind as u8 == chosen).unwrap_or_else(Self::choose)
    }

    /// Selects this backend for the whole program, for tests and benchmarks; returns `false` if the
    /// processor does not support it.
    #[cfg(any(feature = "force-backend", test))]
    pub fn force(self) -> bool {
        self.choose_if_there()
    }

    fn choose_if_there(self) -> bool {
        let there = self.is_available();
        if there {
            CHOSEN.store(self as u8, Ordering::Relaxed);
        }
        there
    }

    #[cold]
    fn choose() -> Self {
        let mut there = Self::ALL.into_iter().rev().filter(|kind| kind.is_available());
        let chosen = named_by_environment().or_else(|| there.next()).unwrap_or(Self::Plain);
        chosen.choose_if_there();
        chosen
    }

    /// Runs the operation on this backend.
    #[cfg(test)]
    pub(super) fn run<W: WithBackend>(self, work: W) -> W::Output {
        assert!(self.is_available());
        // SAFETY: the assertion checks that it is available.
        unsafe { run_on(self as u8, work) }
    }
}

/// Returns the backend that `LOCATOR_BACKEND` names; panics if it is not available.
fn named_by_environment() -> Option<SimdBackend> {
    #[cfg(feature = "force-backend")]
    if let Ok(name) = std::env::var("LOCATOR_BACKEND") {
        let named = SimdBackend::ALL.into_iter().find(|kind| kind.name() == name && kind.is_available());
        assert!(named.is_some(), "LOCATOR_BACKEND={name}: this processor has no such backend");
        return named;
    }
    None
}

/// Runs the operation on the selected backend.
#[inline(always)]
pub fn dispatch<W: WithBackend>(work: W) -> W::Output {
    let chosen = match CHOSEN.load(Ordering::Relaxed) {
        0 => SimdBackend::choose() as u8,
        chosen => chosen,
    };
    // SAFETY: only `choose_if_there` writes to `CHOSEN`, and only backends that are available.
    unsafe { run_on(chosen, work) }
}

/// Runs the operation on the backend with this number.
///
/// # Safety
///
/// The backend must be available.
#[inline(always)]
unsafe fn run_on<W: WithBackend>(kind: u8, work: W) -> W::Output {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    {
        const SSSE3: u8 = SimdBackend::Ssse3 as u8;
        const AVX2: u8 = SimdBackend::Avx2 as u8;
        const AVX512: u8 = SimdBackend::Avx512 as u8;
        const VBMI: u8 = SimdBackend::Avx512Vbmi as u8;
        // A backend that cannot be selected is not compiled: without `std` the target decides.
        let may_be =
            |backend: u8, is_in_target: bool| kind == backend && (cfg!(feature = "std") || is_in_target);
        let is_vbmi = may_be(VBMI, cfg!(target_feature = "avx512vbmi"));
        // SAFETY: guaranteed by the caller; a processor with VBMI has AVX-512.
        unsafe {
            if is_vbmi && W::USES_VBMI {
                return vbmi::run(work);
            }
            if is_vbmi || may_be(AVX512, cfg!(target_feature = "avx512bw")) {
                return avx512::run(work);
            }
            if W::WIDEST_ONLY {
                return work.run_plain();
            }
            if may_be(AVX2, cfg!(target_feature = "avx2")) {
                return avx2::run(work);
            }
            if may_be(SSSE3, cfg!(target_feature = "ssse3")) {
                return ssse3::run(work);
            }
        }
    }
    #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
    if kind == SimdBackend::Neon as u8 {
        return super::neon::run(work);
    }
    // With only one backend the number is not used.
    let _ = kind;
    work.run_plain()
}

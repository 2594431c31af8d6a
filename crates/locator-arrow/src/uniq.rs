//! Counts the different values of columns by their hashes, as `uri_uniq` does: 16 bytes for each
//! different value, and no texts.

use arrow_array::Array;
use arrow_array::cast::AsArray;
use locator_functions::hash128;

use crate::column::{Column, keys};
use crate::error::KernelError;

/// A set of the different values of columns, for counting them: of each the hash of
/// [`hash128`], which is also that of `uri_hash128`.
///
/// Sets of parts of a table, from several threads or machines, are merged. NULL is not counted.
///
/// ```
/// use arrow_array::StringArray;
/// use locator_arrow::Uniq;
///
/// let mut uniq = Uniq::new();
/// uniq.add(&StringArray::from(vec![Some("a"), None, Some("b"), Some("a")]))?;
/// let mut other = Uniq::new();
/// other.add(&StringArray::from(vec!["b", "c"]))?;
/// uniq.merge(other);
/// assert_eq!(uniq.count(), 3);
/// # Ok::<_, locator_arrow::KernelError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Uniq {
    /// By the highest octet of the hash: a part and its queue fit in a cache, the whole set does not.
    parts: Vec<Part>,
}

/// The hashes with the same highest octet.
#[derive(Clone, Debug, Default)]
struct Part {
    /// Hashes that are not in the table yet, some of them more than once.
    queue: Vec<u128>,
    /// A hash is at the place of its lowest bits or the next one that was empty; 0 is empty.
    table: Vec<u128>,
    len: usize,
    has_zero: bool,
}

const PARTS: usize = 256;

/// The length of a queue: so many hashes go into a table one after the other, while it is in the cache.
const QUEUE: usize = 512;

impl Default for Uniq {
    fn default() -> Self {
        Self::new()
    }
}

impl Uniq {
    /// Creates an empty set.
    #[must_use]
    pub fn new() -> Self {
        Self { parts: vec![Part::default(); PARTS] }
    }

    /// Adds the values of a column of texts or bytes.
    ///
    /// # Errors
    ///
    /// An error if the column is of another type.
    pub fn add(&mut self, column: &dyn Array) -> Result<(), KernelError> {
        let not_texts =
            || KernelError::ColumnType { function: "uri_uniq", found: column.data_type().clone() };
        let Some(dictionary) = column.as_any_dictionary_opt() else {
            let texts = Column::new(column).ok_or_else(not_texts)?;
            (0..texts.len()).filter_map(|row| texts.get(row)).for_each(|value| self.add_bytes(value));
            return Ok(());
        };
        let values = Column::new(dictionary.values().as_ref()).ok_or_else(not_texts)?;
        let mut is_used = vec![false; values.len()];
        for key in keys(dictionary).unwrap_or_default().into_iter().flatten() {
            if let Some(is_used) = is_used.get_mut(key) {
                *is_used = true;
            }
        }
        let used = (0..values.len()).filter(|&key| is_used[key]);
        used.filter_map(|key| values.get(key)).for_each(|value| self.add_bytes(value));
        Ok(())
    }

    #[inline]
    fn add_bytes(&mut self, value: &[u8]) {
        self.add_hash(hash128(value));
    }

    /// Adds a hash, as [`Uniq::into_hashes`] of another set returns it.
    #[inline]
    pub fn add_hash(&mut self, hash: [u8; 16]) {
        self.parts[usize::from(hash[0])].queue(u128::from_be_bytes(hash));
    }

    /// Adds the values of another set.
    pub fn merge(&mut self, other: Self) {
        for (part, mut other) in self.parts.iter_mut().zip(other.parts) {
            part.settle();
            other.settle();
            if part.len < other.len {
                std::mem::swap(part, &mut other);
            }
            part.has_zero |= other.has_zero;
            part.grow(other.len);
            other.table.into_iter().filter(|&hash| hash != 0).for_each(|hash| part.insert(hash));
        }
    }

    /// Returns the number of different values.
    pub fn count(&mut self) -> u64 {
        self.parts.iter_mut().map(Part::count).sum()
    }

    /// Returns the memory of the set, in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        size_of_val(self) + self.parts.iter().map(Part::size).sum::<usize>()
    }

    /// Returns the hashes, in no particular order, for example to send them to another machine.
    pub fn into_hashes(self) -> impl Iterator<Item = [u8; 16]> {
        self.parts.into_iter().flat_map(|mut part| {
            part.settle();
            let zero = part.has_zero.then_some(0);
            let others = part.table.into_iter().filter(|&hash| hash != 0);
            zero.into_iter().chain(others).map(u128::to_be_bytes)
        })
    }
}

impl Part {
    #[inline]
    fn queue(&mut self, hash: u128) {
        self.queue.push(hash);
        if self.queue.len() >= QUEUE {
            self.settle();
        }
    }

    /// Moves the queue into the table.
    fn settle(&mut self) {
        self.grow(self.queue.len());
        let queue = std::mem::take(&mut self.queue);
        queue.iter().for_each(|&hash| self.insert(hash));
        self.queue = queue;
        self.queue.clear();
    }

    /// Makes space for more hashes: a third of the table at least stays empty.
    fn grow(&mut self, more: usize) {
        let needed = self.len + more;
        if self.table.len() * 2 >= needed * 3 {
            return;
        }
        let size = (2 * needed).next_power_of_two();
        let old = std::mem::replace(&mut self.table, vec![0; size]);
        self.len = 0;
        old.into_iter().filter(|&hash| hash != 0).for_each(|hash| self.insert(hash));
    }

    /// Adds a hash; the table has space for it.
    #[inline]
    fn insert(&mut self, hash: u128) {
        if hash == 0 {
            self.has_zero = true;
            return;
        }
        let mask = self.table.len() - 1;
        let mut place = hash as usize & mask;
        loop {
            match self.table[place] {
                0 => break,
                known if known == hash => return,
                _ => place = (place + 1) & mask,
            }
        }
        self.table[place] = hash;
        self.len += 1;
    }

    const fn size(&self) -> usize {
        size_of::<Self>() + (self.queue.capacity() + self.table.capacity()) * size_of::<u128>()
    }

    fn count(&mut self) -> u64 {
        self.settle();
        self.len as u64 + u64::from(self.has_zero)
    }
}

//! The aggregate `uri_uniq`: counts the different values of a column by their hashes.
//!
//! The state of a part of the input is its hashes, 16 bytes each, as one binary value; parts are
//! merged. A group of few values has a short list, because a set of `locator-arrow` begins with 16 KB.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::datatypes::{DataType, Field, FieldRef};
use datafusion_common::{
    DataFusionError, Result, ScalarValue, exec_err, internal_err, plan_err, resources_err,
};
use datafusion_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion_expr::utils::format_state_name;
use datafusion_expr::{Accumulator, AggregateUDFImpl, Signature, Volatility};
use locator::edition::DEFAULT;
use locator_arrow::{KernelError, Uniq, evaluate};
use locator_functions::function;

/// The aggregate `uri_uniq`.
///
/// It keeps 16 bytes for each different value in memory, and ends with an error if that exceeds a limit.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct UriUniq {
    limit: usize,
    signature: Signature,
}

impl Default for UriUniq {
    fn default() -> Self {
        Self::new()
    }
}

impl UriUniq {
    /// Creates it with a limit of 1 GiB for each set, which is enough for 30 million values.
    #[must_use]
    pub fn new() -> Self {
        Self::with_limit(1 << 30)
    }

    /// Creates it with a limit of so many bytes for each set: one for each group and partition.
    #[must_use]
    pub fn with_limit(limit: usize) -> Self {
        Self { limit, signature: Signature::user_defined(Volatility::Immutable) }
    }
}

impl AggregateUDFImpl for UriUniq {
    fn name(&self) -> &'static str {
        "uri_uniq"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        let [found] = types else {
            return plan_err!("uri_uniq takes one argument, not {}", types.len());
        };
        let plain = if let DataType::Dictionary(_, values) = found { values } else { found };
        match plain.is_string() || plain.is_binary() || plain.is_null() {
            true if plain.is_null() => Ok(vec![DataType::Utf8View]),
            true => Ok(vec![found.clone()]),
            false => plan_err!("uri_uniq needs texts, not {found}; cast them: text::text"),
        }
    }

    fn return_type(&self, _types: &[DataType]) -> Result<DataType> {
        Ok(DataType::Int64)
    }

    fn is_nullable(&self) -> bool {
        false
    }

    fn default_value(&self, _data_type: &DataType) -> Result<ScalarValue> {
        Ok(ScalarValue::Int64(Some(0)))
    }

    fn accumulator(&self, _arguments: AccumulatorArgs<'_>) -> Result<Box<dyn Accumulator>> {
        Ok(Box::new(Different { limit: self.limit, hashes: Hashes::Few(Vec::new()) }))
    }

    fn state_fields(&self, arguments: StateFieldsArgs<'_>) -> Result<Vec<FieldRef>> {
        let name = format_state_name(arguments.name, "hashes");
        Ok(vec![Arc::new(Field::new(name, DataType::Binary, true))])
    }
}

/// The different values of a group.
#[derive(Debug)]
struct Different {
    limit: usize,
    hashes: Hashes,
}

#[derive(Debug)]
enum Hashes {
    /// Hashes, of which some may occur more than once.
    Few(Vec<[u8; 16]>),
    Many(Box<Uniq>),
}

impl Hashes {
    /// How many different hashes are in a list.
    const FEW: usize = 512;

    fn add(&mut self, column: &dyn Array) -> Result<()> {
        match self {
            Self::Many(many) => many.add(column).map_err(of_user),
            Self::Few(_) => self.add_few(column),
        }
    }

    fn add_few(&mut self, column: &dyn Array) -> Result<()> {
        let hash = function("uri_hash128").filter(|_| !is_binary(column.data_type()));
        let Some(hash) = hash else {
            let mut batch = Uniq::new();
            batch.add(column).map_err(of_user)?;
            batch.into_hashes().for_each(|hash| self.add_hash(hash));
            return Ok(());
        };
        let hashes = evaluate(hash, column, &[], DEFAULT).map_err(of_user)?;
        let hashes = hashes.as_fixed_size_binary().iter().flatten();
        hashes.filter_map(|hash| hash.try_into().ok()).for_each(|hash| self.add_hash(hash));
        Ok(())
    }

    fn add_hash(&mut self, hash: [u8; 16]) {
        match self {
            Self::Few(few) => {
                few.push(hash);
                if few.len() >= 2 * Self::FEW {
                    self.settle();
                }
            }
            Self::Many(many) => many.add_hash(hash),
        }
    }

    /// Removes what occurs again from a list, and makes it a set if it stays long.
    fn settle(&mut self) {
        let Self::Few(few) = self else { return };
        few.sort_unstable();
        few.dedup();
        if few.len() > Self::FEW {
            let mut many = Uniq::new();
            few.iter().for_each(|&hash| many.add_hash(hash));
            *self = Self::Many(Box::new(many));
        }
    }

    fn count(&mut self) -> u64 {
        self.settle();
        match self {
            Self::Few(few) => few.len() as u64,
            Self::Many(many) => many.count(),
        }
    }

    fn size(&self) -> usize {
        match self {
            Self::Few(few) => few.capacity() * 16,
            Self::Many(many) => many.size(),
        }
    }
}

fn of_user(error: KernelError) -> DataFusionError {
    DataFusionError::Execution(error.to_string())
}

fn is_binary(data_type: &DataType) -> bool {
    match data_type {
        DataType::Dictionary(_, values) => values.is_binary(),
        other => other.is_binary(),
    }
}

impl Different {
    fn check(&self) -> Result<()> {
        if self.hashes.size() <= self.limit {
            return Ok(());
        }
        resources_err!(
            "uri_uniq needs more than {} bytes of memory; this can write to disk: select count(*) from \
             (select distinct …)",
            self.limit
        )
    }
}

impl Accumulator for Different {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let [column] = values else { return exec_err!("uri_uniq takes one argument, not {}", values.len()) };
        self.hashes.add(column.as_ref())?;
        self.check()
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        Ok(ScalarValue::Int64(i64::try_from(self.hashes.count()).ok()))
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.hashes.size()
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        self.hashes.settle();
        let hashes = std::mem::replace(&mut self.hashes, Hashes::Few(Vec::new()));
        let bytes = match hashes {
            Hashes::Few(few) => few.concat(),
            Hashes::Many(many) => many.into_hashes().flatten().collect(),
        };
        Ok(vec![ScalarValue::Binary(Some(bytes))])
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        let Some(states) = states.first().and_then(|states| states.as_binary_opt::<i32>()) else {
            return internal_err!("the state of uri_uniq is not binary");
        };
        for state in states.iter().flatten() {
            let (hashes, _) = state.as_chunks();
            hashes.iter().for_each(|&hash| self.hashes.add_hash(hash));
            self.check()?;
        }
        Ok(())
    }
}

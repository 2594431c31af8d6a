//! Computes a function for each row of a column.

use std::borrow::Cow;
use std::sync::Arc;

use arrow_array::builder::{BooleanBuilder, Int32Builder};
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, FixedSizeBinaryArray};
use arrow_buffer::NullBufferBuilder;
use arrow_schema::DataType;
use locator::Edition;
use locator_functions::{ArgumentValue, Call, Field, Function, Needs, Row, Value};

use crate::argument::{Argument, Arguments};
use crate::builder::{ListBuilder, RecordBuilder, TextBuilder};
use crate::column::{Column, Views};
use crate::dictionary;
use crate::error::KernelError;
use crate::parts;
use crate::rows;
use crate::types::{Family, type_of};
use crate::views::PartBuilder;

/// Computes a function for each row of a column.
///
/// The result has as many rows as the column; its type is that of [`result_type`]. See the
/// [crate](crate) for the types of columns.
///
/// ```
/// use arrow_array::StringArray;
/// use arrow_array::cast::AsArray;
/// use locator_arrow::{Argument, evaluate};
///
/// let bases = StringArray::from(vec!["http://a.example/b/", "http://c.example/"]);
/// let references = StringArray::from(vec![Some("d"), None]);
/// let resolve = locator_functions::function("uri_resolve").unwrap();
/// let argument = Argument::Array(&references);
/// let targets =
///     evaluate(resolve, &bases, &[argument], locator::edition::DEFAULT)?;
/// assert_eq!(
///     targets.as_string::<i32>(),
///     &StringArray::from(vec![Some("http://a.example/b/d"), None])
/// );
/// # Ok::<_, locator_arrow::KernelError>(())
/// ```
///
/// # Errors
///
/// An error if the column or an argument is of a wrong type or length, if the function is an aggregate,
/// or if the result is too long for its type.
pub fn evaluate(
    function: &Function,
    column: &dyn Array,
    arguments: &[Argument<'_>],
    edition: &'static Edition,
) -> Result<ArrayRef, KernelError> {
    let arguments = Arguments::new(function, arguments, column.len())?;
    if let Some(dictionary) = column.as_any_dictionary_opt()
        && arguments.are_constant()
        && !is_constant(function)
    {
        let not_texts = || KernelError::column_type(function, column.data_type());
        let values = Column::new(dictionary.values().as_ref()).ok_or_else(not_texts)?;
        let values = of_rows(function, &values, &arguments, edition)?;
        return dictionary::with_keys_of(dictionary, values);
    }
    of_rows(function, &texts_of(function, column)?, &arguments, edition)
}

/// Returns the type of the result of [`evaluate`], for a column of a type and constant arguments.
///
/// With an array as an argument, the result for a dictionary is a plain array as well.
///
/// ```
/// use arrow_schema::DataType;
/// use locator_arrow::result_type;
///
/// let host = locator_functions::function("uri_host").unwrap();
/// assert_eq!(result_type(host, &DataType::Utf8View)?, DataType::Utf8View);
/// # Ok::<_, locator_arrow::KernelError>(())
/// ```
///
/// # Errors
///
/// An error if the column is not one of texts, or the function is an aggregate.
pub fn result_type(function: &Function, column: &DataType) -> Result<DataType, KernelError> {
    if matches!(function.call(), Call::Distinct) {
        return Err(KernelError::Aggregate { function: function.name() });
    }
    let family = Family::of(column).ok_or_else(|| KernelError::column_type(function, column))?;
    let unsupported = || KernelError::Unsupported { function: function.name() };
    let plain = type_of(function.result(), family).ok_or_else(unsupported)?;
    Ok(match column {
        DataType::Dictionary(key, _) if plain == family.data_type() && !is_constant(function) => {
            DataType::Dictionary(key.clone(), Box::new(plain))
        }
        _ => plain,
    })
}

/// Returns whether a function has the same result for each row, also for those that are NULL.
const fn is_constant(function: &Function) -> bool {
    matches!(function.call(), Call::Constant(_))
}

/// Reads a column of texts.
fn texts_of<'a>(function: &Function, column: &'a dyn Array) -> Result<Column<'a>, KernelError> {
    Column::new(column).ok_or_else(|| KernelError::column_type(function, column.data_type()))
}

/// Computes a function for each row of texts that are read already.
fn of_rows<'a>(
    function: &Function,
    column: &Column<'a>,
    arguments: &Arguments<'a>,
    edition: &'static Edition,
) -> Result<ArrayRef, KernelError> {
    let nothing = Column::nothing(column.len(), column.family());
    let column = if arguments.have_null() { &nothing } else { column };
    if let Some(result) = parts::evaluate(function, column, edition) {
        return result;
    }
    let rows = Rows { column, arguments, edition, needs: function.needs() };
    match function.call() {
        Call::Slice(call) => match column.views() {
            Some(views) => rows.views(views, call),
            None => rows.texts(|row, given| call(row, given).map(Cow::Borrowed)),
        },
        Call::Text(call) => rows.texts(call),
        Call::Int(call) => rows.ints(call),
        Call::Bool(call) => rows.bools(call),
        Call::Hash(call) => rows.hashes(call),
        Call::Texts(call) => rows.lists_of_texts(call),
        Call::Record(fields, call) => rows.records(fields, call),
        Call::Records(fields, call) => rows.lists_of_records(fields, call),
        Call::Constant(call) => rows.constants(call()),
        Call::Distinct => Err(KernelError::Aggregate { function: function.name() }),
        _ => Err(KernelError::Unsupported { function: function.name() }),
    }
}

/// The rows of a call.
struct Rows<'r, 'a> {
    column: &'r Column<'a>,
    arguments: &'r Arguments<'a>,
    edition: &'static Edition,
    needs: Needs,
}

/// A function that appends values to a list, as the table has it.
type Append = for<'a> fn(&Row<'a>, &[ArgumentValue<'_>], &mut Vec<Value<'a>>) -> Option<()>;

impl<'a> Rows<'_, 'a> {
    /// Calls a function for each row; rows that give NULL whatever the function is are `None`.
    #[inline]
    fn each(
        &self,
        mut function: impl FnMut(Option<(&Row<'a>, &[ArgumentValue<'a>])>) -> Result<(), KernelError>,
    ) -> Result<(), KernelError> {
        let mut given = self.arguments.given();
        rows::each(self.column, self.needs, self.edition, |place, row| match row {
            Some(row) if self.arguments.set_row(place, &mut given) => function(Some((row, &given))),
            _ => function(None),
        })
    }

    #[inline]
    fn texts(
        &self,
        call: impl Fn(&Row<'a>, &[ArgumentValue<'_>]) -> Option<Cow<'a, str>>,
    ) -> Result<ArrayRef, KernelError> {
        let mut builder = self.text_builder();
        self.each(|row| builder.push(row.and_then(|(row, given)| call(row, given)).as_deref()))?;
        Ok(builder.finish())
    }

    fn views(
        &self,
        views: Views<'a>,
        call: impl Fn(&Row<'a>, &[ArgumentValue<'_>]) -> Option<&'a str>,
    ) -> Result<ArrayRef, KernelError> {
        let mut builder = PartBuilder::new(views, self.column.len());
        let mut place = 0;
        self.each(|row| {
            let part = row.and_then(|(row, given)| call(row, given));
            let pushed = builder.push(place, part);
            place += 1;
            pushed.ok_or(KernelError::TooLong { data_type: DataType::Utf8View })
        })?;
        Ok(builder.finish())
    }

    fn ints(&self, call: fn(&Row<'_>, &[ArgumentValue<'_>]) -> Option<i32>) -> Result<ArrayRef, KernelError> {
        let mut builder = Int32Builder::with_capacity(self.column.len());
        self.each(|row| {
            builder.append_option(row.and_then(|(row, given)| call(row, given)));
            Ok(())
        })?;
        Ok(Arc::new(builder.finish()))
    }

    fn bools(
        &self,
        call: fn(&Row<'_>, &[ArgumentValue<'_>]) -> Option<bool>,
    ) -> Result<ArrayRef, KernelError> {
        let mut builder = BooleanBuilder::with_capacity(self.column.len());
        self.each(|row| {
            builder.append_option(row.and_then(|(row, given)| call(row, given)));
            Ok(())
        })?;
        Ok(Arc::new(builder.finish()))
    }

    fn hashes(
        &self,
        call: fn(&Row<'_>, &[ArgumentValue<'_>]) -> Option<[u8; 16]>,
    ) -> Result<ArrayRef, KernelError> {
        let mut bytes = Vec::with_capacity(16 * self.column.len());
        let mut nulls = NullBufferBuilder::new(self.column.len());
        self.each(|row| {
            let hash = row.and_then(|(row, given)| call(row, given));
            nulls.append(hash.is_some());
            bytes.extend_from_slice(&hash.unwrap_or_default());
            Ok(())
        })?;
        Ok(Arc::new(FixedSizeBinaryArray::new(16, bytes.into(), nulls.finish())))
    }

    fn lists_of_texts(&self, call: Append) -> Result<ArrayRef, KernelError> {
        let (mut lists, mut items) = (ListBuilder::new(self.column.len()), self.text_builder());
        let mut values = Vec::new();
        self.each(|row| {
            values.clear();
            let list = row.and_then(|(row, given)| call(row, given, &mut values));
            lists.push(list.map(|()| values.len()))?;
            // What is appended before NULL is not in the list.
            let texts = list.map_or(&[][..], |()| &values).iter().map(|value| match value {
                Value::Text(text) => Some(text.as_ref()),
                _ => None,
            });
            texts.into_iter().try_for_each(|text| items.push(text))
        })?;
        Ok(lists.finish(items.finish()))
    }

    fn records(&self, fields: &'static [Field], call: Append) -> Result<ArrayRef, KernelError> {
        let mut records = RecordBuilder::new(fields, self.column.family(), self.column.len());
        let mut values = Vec::new();
        self.each(|row| {
            values.clear();
            let record = row.and_then(|(row, given)| call(row, given, &mut values));
            records.push(record.map(|()| &values[..]))
        })?;
        Ok(records.finish())
    }

    fn lists_of_records(&self, fields: &'static [Field], call: Append) -> Result<ArrayRef, KernelError> {
        let mut lists = ListBuilder::new(self.column.len());
        let mut records = RecordBuilder::new(fields, self.column.family(), self.column.len());
        let mut values = Vec::new();
        self.each(|row| {
            values.clear();
            let list = row.and_then(|(row, given)| call(row, given, &mut values));
            let items = values.chunks_exact(fields.len().max(1));
            lists.push(list.map(|()| items.len()))?;
            items.take_while(|_| list.is_some()).try_for_each(|record| records.push(Some(record)))
        })?;
        Ok(lists.finish(records.finish()))
    }

    fn constants(&self, text: &str) -> Result<ArrayRef, KernelError> {
        let mut builder = self.text_builder();
        (0..self.column.len()).try_for_each(|_| builder.push(Some(text)))?;
        Ok(builder.finish())
    }

    /// Returns a builder with a first guess of the length of the texts.
    fn text_builder(&self) -> TextBuilder {
        const GUESS: usize = 16;
        TextBuilder::new(self.column.family(), self.column.len(), GUESS * self.column.len())
    }
}

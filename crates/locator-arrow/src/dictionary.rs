//! Gives the results for the values of a dictionary to the rows that have their keys.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{
    AnyDictionaryArray, Array, ArrayRef, BooleanArray, FixedSizeBinaryArray, Int32Array, ListArray,
    StructArray,
};
use arrow_buffer::{NullBufferBuilder, OffsetBuffer};
use arrow_schema::DataType;

use crate::builder::TextBuilder;
use crate::column::keys;
use crate::error::KernelError;
use crate::types::{Family, item};

/// Returns the results of the rows: a dictionary with the same keys for texts, else a plain array.
pub(crate) fn with_keys_of(
    dictionary: &dyn AnyDictionaryArray,
    values: ArrayRef,
) -> Result<ArrayRef, KernelError> {
    if Family::of(values.data_type()).is_some() {
        return Ok(dictionary.with_values(values));
    }
    gather(&values, &keys(dictionary).unwrap_or_default())
}

/// Returns the rows at these places; NULL where there is no place.
fn gather(values: &ArrayRef, places: &[Option<usize>]) -> Result<ArrayRef, KernelError> {
    let places = || places.iter().map(|place| place.filter(|&place| !values.is_null(place)));
    Ok(match values.data_type() {
        DataType::Int32 => {
            let ints = values.as_primitive::<Int32Type>();
            Arc::new(places().map(|place| Some(ints.value(place?))).collect::<Int32Array>())
        }
        DataType::Boolean => {
            let bools = values.as_boolean();
            Arc::new(places().map(|place| Some(bools.value(place?))).collect::<BooleanArray>())
        }
        DataType::FixedSizeBinary(_) => Arc::new(hashes(values.as_fixed_size_binary(), places())),
        DataType::Struct(_) => Arc::new(records(values.as_struct(), places())?),
        DataType::List(_) => Arc::new(lists(values.as_list(), places())?),
        _ => texts(values, places())?,
    })
}

fn hashes(
    values: &FixedSizeBinaryArray,
    places: impl Iterator<Item = Option<usize>>,
) -> FixedSizeBinaryArray {
    let (mut bytes, mut nulls) = (Vec::new(), NullBufferBuilder::new(0));
    for place in places {
        bytes.extend_from_slice(place.map_or(&[0; 16], |place| values.value(place)));
        nulls.append(place.is_some());
    }
    FixedSizeBinaryArray::new(16, bytes.into(), nulls.finish())
}

fn records(
    values: &StructArray,
    places: impl Iterator<Item = Option<usize>>,
) -> Result<StructArray, KernelError> {
    let places: Vec<_> = places.collect();
    let columns = values.columns().iter().map(|column| gather(column, &places));
    let nulls = places.iter().map(Option::is_some).collect();
    Ok(StructArray::new(values.fields().clone(), columns.collect::<Result<_, _>>()?, Some(nulls)))
}

fn lists(values: &ListArray, places: impl Iterator<Item = Option<usize>>) -> Result<ListArray, KernelError> {
    let (mut lengths, mut items, mut nulls) = (Vec::new(), Vec::new(), NullBufferBuilder::new(0));
    for place in places {
        let range = place
            .map(|place| values.value_offsets()[place] as usize..values.value_offsets()[place + 1] as usize);
        nulls.append(range.is_some());
        let range = range.unwrap_or_default();
        lengths.push(range.len());
        items.extend(range.map(Some));
    }
    if items.len() > i32::MAX as usize {
        return Err(KernelError::TooLong { data_type: values.data_type().clone() });
    }
    let items = gather(values.values(), &items)?;
    let field = item(items.data_type().clone());
    Ok(ListArray::new(field, OffsetBuffer::from_lengths(lengths), items, nulls.finish()))
}

fn texts(values: &ArrayRef, places: impl Iterator<Item = Option<usize>>) -> Result<ArrayRef, KernelError> {
    let Some(family) = Family::of(values.data_type()) else { return Ok(Arc::clone(values)) };
    let mut builder = TextBuilder::new(family, 0, 0);
    for place in places {
        builder.push(place.map(|place| match family {
            Family::Utf8 => values.as_string::<i32>().value(place),
            Family::LargeUtf8 => values.as_string::<i64>().value(place),
            Family::Utf8View => values.as_string_view().value(place),
        }))?;
    }
    Ok(builder.finish())
}

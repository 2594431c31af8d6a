//! Options whose order counts: takes what was given, returns the values of several options in their order.

use clap::ArgMatches;

/// Returns the values of the options with these names in the order in which they were given, each with the
/// index of its name.
pub(super) fn in_order<'n>(
    matches: &ArgMatches,
    names: impl IntoIterator<Item = &'n str>,
) -> Vec<(usize, String)> {
    let mut given = Vec::new();
    for (index, name) in names.into_iter().enumerate() {
        let places = matches.indices_of(name).into_iter().flatten();
        let values = matches.get_many::<String>(name).into_iter().flatten();
        given.extend(places.zip(values).map(|(place, value)| (place, index, value.clone())));
    }
    given.sort_by_key(|&(place, ..)| place);
    given.into_iter().map(|(_, index, value)| (index, value)).collect()
}

//! The objects of SARIF, key by key in their order.

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::input::region::Region;
use crate::report::address::Address;

/// A log (3.13).
#[derive(Serialize)]
#[serde(bound(serialize = "P: Serialize"))]
pub(super) struct Log<'a, P> {
    #[serde(rename = "$schema")]
    pub(super) schema: &'a str,
    pub(super) version: &'a str,
    pub(super) runs: [Run<'a, P>; 1],
}

/// A run (3.14).
#[derive(Serialize)]
#[serde(rename_all = "camelCase", bound(serialize = "P: Serialize"))]
pub(super) struct Run<'a, P> {
    pub(super) tool: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) invocations: Option<Value>,
    pub(super) column_kind: &'a str,
    pub(super) results: Vec<&'a ResultObject<P>>,
}

/// A result (3.27).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ResultObject<P> {
    pub(super) rule_id: &'static str,
    pub(super) rule_index: usize,
    pub(super) level: &'static str,
    pub(super) message: MessageObject,
    pub(super) locations: [LocationObject; 1],
    pub(super) partial_fingerprints: FingerprintsObject,
    pub(super) properties: P,
}

#[derive(Serialize)]
pub(super) struct MessageObject {
    text: String,
}

impl From<String> for MessageObject {
    fn from(text: String) -> Self {
        Self { text }
    }
}

/// Two fingerprints, which are the same: code scanning compares the first.
pub(super) struct FingerprintsObject {
    pub(super) name: &'static str,
    pub(super) fingerprint: String,
}

impl Serialize for FingerprintsObject {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("primaryLocationLineHash", &self.fingerprint)?;
        map.serialize_entry(self.name, &self.fingerprint)?;
        map.end()
    }
}

/// A location (3.28).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LocationObject {
    physical_location: PhysicalObject,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalObject {
    artifact_location: ArtifactObject,
    region: RegionObject,
}

impl LocationObject {
    pub(super) const fn new(artifact_location: ArtifactObject, region: RegionObject) -> Self {
        Self { physical_location: PhysicalObject { artifact_location, region } }
    }
}

/// A file (3.4).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ArtifactObject {
    uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri_base_id: Option<&'static str>,
}

impl ArtifactObject {
    pub(super) fn of(Address { uri, is_relative }: Address) -> Self {
        Self { uri, uri_base_id: is_relative.then_some("%SRCROOT%") }
    }

    pub(super) fn named(name: &str) -> Self {
        Self { uri: name.to_owned(), uri_base_id: None }
    }
}

/// A region (3.30).
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RegionObject {
    start_line: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_column: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_column: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    byte_offset: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    byte_length: Option<u64>,
}

impl RegionObject {
    pub(super) fn of_line(start_line: u64) -> Self {
        Self { start_line, ..Self::default() }
    }

    pub(super) fn new(region: &Region) -> Self {
        let (columns, octets) = (region.columns.as_ref(), region.octets.as_ref());
        Self {
            start_line: region.line,
            start_column: columns.map(|columns| columns.start),
            end_column: columns.map(|columns| columns.end),
            byte_offset: octets.map(|octets| octets.start),
            byte_length: octets.map(|octets| octets.end - octets.start),
        }
    }
}

//! Packets and fields: reads those of requests, writes those of responses.

use std::io::{self, Read};

/// The number of octets of a header.
const HEADER: usize = 25;

/// The largest request that is read.
const LARGEST_REQUEST: usize = 1 << 20;

/// Reads the APDU of the next packet; `None` at the end of the connection.
pub(super) fn read_packet(from: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut header = [0; HEADER];
    if from.read(&mut header[..1])? == 0 {
        return Ok(None);
    }
    from.read_exact(&mut header[1..])?;
    let wrong = || io::Error::new(io::ErrorKind::InvalidData, "this is no header of WAIS");
    let length = std::str::from_utf8(&header[..10]).ok().and_then(|digits| digits.parse().ok());
    let length: usize = length.filter(|&length| length <= LARGEST_REQUEST).ok_or_else(wrong)?;
    if !header[10..].starts_with(b"z2") || header[22..] != *b"  0" {
        return Err(wrong());
    }
    let mut apdu = vec![0; length];
    from.read_exact(&mut apdu)?;
    Ok(Some(apdu))
}

/// Returns a packet: the header, the length of what is counted, what is counted, the user information.
pub(super) fn packet(counted: &[u8], user: &[u8]) -> Vec<u8> {
    let length = u16::try_from(counted.len()).unwrap_or(u16::MAX).to_be_bytes();
    let apdu = [&length, counted, user].concat();
    let mut packet = format!("{:010}z2wais        0", apdu.len()).into_bytes();
    packet.extend(apdu);
    packet
}

/// Divides an APDU into what is counted and the user information.
pub(super) fn divide(apdu: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = apdu.split_at_checked(2)?;
    rest.split_at_checked(256 * usize::from(length[0]) + usize::from(length[1]))
}

/// A field: its tag and its value.
type Field<'a> = (u32, &'a [u8]);

/// Returns the fields of some octets; those after a wrong one are left out.
pub(super) fn fields(mut octets: &[u8]) -> Vec<Field<'_>> {
    let mut fields = Vec::new();
    while let Some((field, rest)) = field(octets) {
        fields.push(field);
        octets = rest;
    }
    fields
}

fn field(octets: &[u8]) -> Option<(Field<'_>, &[u8])> {
    let (tag, octets) = integer(octets)?;
    let (length, octets) = integer(octets)?;
    let (value, rest) = octets.split_at_checked(length as usize)?;
    Some(((tag, value), rest))
}

fn integer(octets: &[u8]) -> Option<(u32, &[u8])> {
    let end = octets.iter().position(|octet| octet & 0x80 == 0)? + 1;
    let value = octets[..end].iter().fold(0_u32, |value, octet| value << 7 | u32::from(octet & 0x7F));
    Some((value, &octets[end..]))
}

/// Returns the value of the first field with a tag.
pub(super) fn value<'a>(fields: &[Field<'a>], tag: u32) -> Option<&'a [u8]> {
    fields.iter().find(|field| field.0 == tag).map(|field| field.1)
}

/// Appends a field.
pub(super) fn push(to: &mut Vec<u8>, tag: u32, value: &[u8]) {
    push_integer(to, tag as usize);
    push_integer(to, value.len());
    to.extend_from_slice(value);
}

/// Appends a field whose value is a number, in as few octets as it needs.
pub(super) fn push_number(to: &mut Vec<u8>, tag: u32, number: u64) {
    let octets = number.to_be_bytes();
    let start = octets.iter().position(|&octet| octet != 0).unwrap_or(octets.len() - 1);
    push(to, tag, &octets[start..]);
}

fn push_integer(to: &mut Vec<u8>, value: usize) {
    let mut groups = vec![(value & 0x7F) as u8];
    let mut rest = value >> 7;
    while rest > 0 {
        groups.push((rest & 0x7F) as u8 | 0x80);
        rest >>= 7;
    }
    to.extend(groups.into_iter().rev());
}

/// Appends a diagnostic, whose length has two octets: a code, a text and a flag, and an end.
pub(super) fn push_diagnostic(to: &mut Vec<u8>, code: &[u8; 2], text: &[u8], flag: u8) {
    to.push(28);
    to.extend(u16::try_from(text.len() + 3).unwrap_or(u16::MAX).to_be_bytes());
    to.extend_from_slice(code);
    to.extend_from_slice(text);
    to.extend([flag, 0x1D]);
}

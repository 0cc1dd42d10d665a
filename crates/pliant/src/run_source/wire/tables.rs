//! Columns of what was measured, in bytes: how many there are, then for each one its name, its length, and its values in
//! 64-bit numbers. They may be no numbers where nothing could be measured.

use super::bytes::{Malformed, Reader, add_text};
use crate::run_source::Tables;

/// The bytes of tables.
pub(crate) fn encode(tables: &Tables) -> Vec<u8> {
    let mut bytes = (tables.len() as u32).to_le_bytes().to_vec();
    for (name, values) in tables {
        add_text(&mut bytes, name);
        bytes.extend((values.len() as u32).to_le_bytes());
        bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    }
    bytes
}

/// The tables that bytes are.
///
/// # Errors
/// If they are none.
pub(crate) fn decode(bytes: &[u8]) -> Result<Tables, Malformed> {
    let mut reader = Reader::of(bytes);
    let count: u32 = reader.number("number of columns")?;
    let mut tables = Tables::new();
    for _ in 0..count {
        let name = reader.text("name of a column")?;
        let length: u32 = reader.number("length of a column")?;
        let values: Vec<[f64; 1]> = reader.column(length as usize, "columns")?;
        tables.push((name, values.into_iter().flatten().collect()));
    }
    reader.end()?;
    Ok(tables)
}

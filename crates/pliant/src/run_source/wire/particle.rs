//! A particle, in bytes: 0 if the frame does not have it, or else 1, its body, its position in 32-bit numbers, and its
//! quantities: how many, then for each one name, unit and value in 64 bits.

use super::bytes::{Malformed, Reader, add_text};
use crate::run_source::Particle;

/// The bytes of a particle, or of there being none.
pub(crate) fn encode(particle: Option<&Particle>) -> Vec<u8> {
    let mut bytes = u32::from(particle.is_some()).to_le_bytes().to_vec();
    let Some(particle) = particle else {
        return bytes;
    };
    add_text(&mut bytes, &particle.body);
    bytes.extend(particle.position.into_iter().flat_map(f32::to_le_bytes));
    bytes.extend((particle.quantities.len() as u32).to_le_bytes());
    for (name, unit, value) in &particle.quantities {
        add_text(&mut bytes, name);
        add_text(&mut bytes, unit);
        bytes.extend(value.to_le_bytes());
    }
    bytes
}

/// The particle that bytes are.
///
/// # Errors
/// If they are none.
pub(crate) fn decode(bytes: &[u8]) -> Result<Option<Particle>, Malformed> {
    let mut reader = Reader::of(bytes);
    let is_there: u32 = reader.number("particle")?;
    if is_there == 0 {
        reader.end()?;
        return Ok(None);
    }
    let mut read = Particle {
        body: reader.text("body")?,
        position: reader.finite_column(1, "position")?[0],
        quantities: Vec::new(),
    };
    let count: u32 = reader.number("number of quantities")?;
    for _ in 0..count {
        let (name, unit) = (reader.text("quantity")?, reader.text("quantity")?);
        read.quantities
            .push((name, unit, reader.number("quantity")?));
    }
    reader.end()?;
    Ok(Some(read))
}

//! To which piece of a body a point belongs.

use pliant_math::DVec3;

use super::near::Near;

/// The particles of a body and the pieces they belong to.
#[derive(Debug)]
pub(super) struct Parts<'a> {
    /// Where they are at rest.
    pub near: Near<'a>,
    /// The piece of each, [`GONE`] for those that have left.
    pub piece: &'a [u32],
}

/// The piece of particles that are not there.
pub(super) const GONE: u32 = u32::MAX;

/// Shares of the pieces around a point, which add up to 1; empty where there is nothing around.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Shares(Vec<(u32, f64)>);

impl Parts<'_> {
    /// The shares at a point [m] of the rest shape.
    pub fn shares(&self, x: DVec3) -> Shares {
        let mut shares: Vec<(u32, f64)> = Vec::new();
        self.near.for_each(x, |particle, weight| {
            let piece = self.piece[particle as usize];
            match shares.iter_mut().find(|(of, _)| *of == piece) {
                _ if piece == GONE => {}
                Some((_, share)) => *share += weight,
                None => shares.push((piece, weight)),
            }
        });
        let total: f64 = shares.iter().map(|(_, share)| share).sum();
        for (_, share) in &mut shares {
            *share /= total;
        }
        Shares(shares)
    }
}

impl Shares {
    /// True if there is nothing around.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The pieces around.
    pub fn pieces(&self) -> impl Iterator<Item = u32> {
        self.0.iter().map(|(piece, _)| *piece)
    }

    /// How much more there is of a piece than of any other, from -1 to 1: zero half way between two.
    pub fn lead(&self, piece: u32) -> f64 {
        let (mut own, mut most) = (0.0, 0.0);
        for &(of, share) in &self.0 {
            if of == piece {
                own = share;
            } else {
                most = f64::max(most, share);
            }
        }
        own - most
    }
}

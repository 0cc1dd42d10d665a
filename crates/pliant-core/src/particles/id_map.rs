//! The map from stable ids to places in the columns, which are sorted in every substep.

use std::ops::Range;

const ABSENT: u32 = u32::MAX;

/// The place of each particle whose id is in a range.
#[derive(Clone, Debug, Default)]
pub struct IdMap {
    first: u32,
    place_of_id: Vec<u32>,
}

impl IdMap {
    /// Room for some ids, none of which is there.
    pub fn new(ids: Range<u32>) -> Self {
        Self {
            first: ids.start,
            place_of_id: vec![ABSENT; ids.len()],
        }
    }

    /// The places of those with some ids.
    ///
    /// * `present` — the ids of all there are, increasing
    pub fn within(ids: Range<u32>, present: &[u32]) -> Self {
        let skipped = present.partition_point(|&id| id < ids.start);
        let end = present.partition_point(|&id| id < ids.end);
        let mut map = Self::new(ids);
        for (place, &id) in (skipped as u32..).zip(&present[skipped..end]) {
            map.place_of_id[(id - map.first) as usize] = place;
        }
        map
    }

    /// Looks where the particles are now.
    ///
    /// * `present` — the ids of all there are, by place
    pub fn update(&mut self, present: &[u32]) {
        if self.place_of_id.is_empty() {
            return;
        }
        self.place_of_id.fill(ABSENT);
        for (place, &id) in (0..).zip(present) {
            let number = id.wrapping_sub(self.first) as usize;
            if let Some(entry) = self.place_of_id.get_mut(number) {
                *entry = place;
            }
        }
    }

    /// Where a particle is, `None` if it has left the world.
    pub fn of(&self, id: u32) -> Option<usize> {
        let number = id.checked_sub(self.first)? as usize;
        let place = *self.place_of_id.get(number)?;
        (place != ABSENT).then_some(place as usize)
    }

    /// Where particles of a body are, if none of them has left.
    ///
    /// * `first_id` — id of the first particle of the body
    /// * `numbers` — theirs in the body
    pub fn of_body<const N: usize>(&self, first_id: u32, numbers: [u32; N]) -> Option<[u32; N]> {
        let mut places = numbers;
        for place in &mut places {
            *place = self.of(first_id + *place)? as u32;
        }
        Some(places)
    }

    /// The places of the ids from one of its range on, `u32::MAX` for those that have left.
    pub fn from(&self, id: u32) -> &[u32] {
        &self.place_of_id[(id - self.first) as usize..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_have_the_places_where_they_stand() {
        let mut map = IdMap::new(4..10);
        map.update(&[9, 4, 7, 5]);
        assert_eq!(
            [3, 4, 6, 7, 9, 10].map(|id| map.of(id)),
            [None, Some(1), None, Some(2), Some(0), None]
        );
        assert_eq!(map.of_body(4, [0, 3, 5]), Some([1, 2, 0]));
        assert_eq!(map.of_body(4, [0, 2]), None);
        assert_eq!(map.from(7), [2, u32::MAX, 0]);
        map.update(&[7, 3]);
        assert_eq!([3, 4, 7].map(|id| map.of(id)), [None, None, Some(0)]);
    }

    #[test]
    fn a_part_of_increasing_ids_has_its_places_among_all() {
        let map = IdMap::within(4..8, &[1, 2, 5, 7, 8]);
        assert_eq!(
            [2, 4, 5, 7, 8].map(|id| map.of(id)),
            [None, None, Some(2), Some(3), None]
        );
        assert_eq!(IdMap::within(9..12, &[]).of(9), None);
    }
}

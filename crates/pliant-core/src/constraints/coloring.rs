//! Constraints by colour: no two of a colour share a particle.

/// Numbers of constraints by colour: the smallest colour that no constraint before has at any of a
/// constraint's particles, so that the result depends on their order alone.
///
/// * `points` — particles of each constraint, each less than `count`
pub fn colors<'a>(points: impl Iterator<Item = &'a [u32]>, count: usize) -> Vec<Vec<u32>> {
    let mut colors: Vec<Vec<u32>> = Vec::new();
    let mut taken = TakenColors::default();
    taken.clear(count);
    for (number, of_constraint) in points.enumerate() {
        let color = taken.take(of_constraint);
        if colors.len() <= color {
            colors.resize_with(color + 1, Vec::new);
        }
        colors[color].push(number as u32);
    }
    colors
}

/// The colours that are taken at each particle; kept by who colours often, so that its buffers are
/// reused.
#[derive(Clone, Debug, Default)]
pub struct TakenColors {
    /// Words of 64 colours each.
    words: Vec<Vec<u64>>,
}

impl TakenColors {
    /// Frees all colours at so many particles.
    pub fn clear(&mut self, count: usize) {
        self.words.iter_mut().for_each(Vec::clear);
        self.words.resize(count, Vec::new());
    }

    /// Takes the smallest colour that is free at all particles of a constraint.
    pub fn take(&mut self, points: &[u32]) -> usize {
        let color = self.first_free(points);
        for &point in points {
            let words = &mut self.words[point as usize];
            if words.len() <= color / 64 {
                words.resize(color / 64 + 1, 0);
            }
            words[color / 64] |= 1 << (color % 64);
        }
        color
    }

    fn first_free(&self, points: &[u32]) -> usize {
        let mut word = 0;
        loop {
            let of_point = |&p: &u32| self.words[p as usize].get(word).copied().unwrap_or(0);
            let all = points.iter().map(of_point).fold(0, |all, bits| all | bits);
            if all != u64::MAX {
                return 64 * word + all.trailing_ones() as usize;
            }
            word += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_constraints_of_a_colour_share_a_particle() {
        let side = 20;
        let cell = |x: u32, y: u32| [0, 1, side, side + 1].map(|step| y * side + x + step);
        let cells = (0..side - 1).flat_map(|y| (0..side - 1).map(move |x| cell(x, y)));
        let points: Vec<Vec<u32>> = cells.map(|c| c.to_vec()).collect();
        assert_eq!(check(&points, (side * side) as usize), 4);
    }

    #[test]
    fn constraints_may_have_different_numbers_of_particles() {
        let points: Vec<Vec<u32>> = (0..60).map(|k| (k..k + 1 + k % 7).collect()).collect();
        assert!(check(&points, 66) <= 13);
    }

    #[test]
    fn more_constraints_than_a_word_has_bits_may_meet_in_a_particle() {
        let star: Vec<Vec<u32>> = (1..100).map(|k| vec![0, k]).collect();
        assert_eq!(check(&star, 100), 99);
    }

    fn check(points: &[Vec<u32>], count: usize) -> usize {
        let colors = colors(points.iter().map(Vec::as_slice), count);
        let mut seen = 0;
        for color in &colors {
            let mut particles: Vec<u32> = Vec::new();
            particles.extend(color.iter().flat_map(|&c| &points[c as usize]));
            let total = particles.len();
            particles.sort_unstable();
            particles.dedup();
            assert_eq!(particles.len(), total);
            seen += color.len();
        }
        assert_eq!(seen, points.len());
        colors.len()
    }
}

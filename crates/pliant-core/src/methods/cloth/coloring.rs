//! Constraints by colour: no two of a colour share a particle.

/// Numbers of constraints by colour: the smallest colour that no constraint before has at any of a
/// constraint's particles, so that the result depends on their order alone.
///
/// * `points` — particles of each constraint, each less than `count`
pub fn colors<const N: usize>(points: &[[u32; N]], count: usize) -> Vec<Vec<u32>> {
    let mut colors: Vec<Vec<u32>> = Vec::new();
    // Words of 64 colours each that are taken at each particle.
    let mut taken: Vec<Vec<u64>> = vec![Vec::new(); count];
    for (number, of_constraint) in points.iter().enumerate() {
        let color = first_free(of_constraint.map(|p| taken[p as usize].as_slice()));
        for &point in of_constraint {
            let words = &mut taken[point as usize];
            if words.len() <= color / 64 {
                words.resize(color / 64 + 1, 0);
            }
            words[color / 64] |= 1 << (color % 64);
        }
        if colors.len() <= color {
            colors.resize_with(color + 1, Vec::new);
        }
        colors[color].push(number as u32);
    }
    colors
}

fn first_free<const N: usize>(taken: [&[u64]; N]) -> usize {
    let mut word = 0;
    loop {
        let of_word = taken.map(|words| words.get(word).copied().unwrap_or(0));
        let all = of_word.iter().fold(0, |all, bits| all | bits);
        if all != u64::MAX {
            return 64 * word + all.trailing_ones() as usize;
        }
        word += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::methods::cloth::samples::grid;

    #[test]
    fn no_two_constraints_of_a_colour_share_a_particle() {
        let fabric = grid([20, 20], 0.1);
        let edges: Vec<[u32; 4]> = fabric.shared_edges().iter().map(|e| e.points).collect();
        check(&fabric.triangles, 400, 12);
        check(&edges, 400, 24);
    }

    #[test]
    fn more_constraints_than_a_word_has_bits_may_meet_in_a_particle() {
        let star: Vec<[u32; 2]> = (1..100).map(|k| [0, k]).collect();
        assert_eq!(check(&star, 100, 99), 99);
    }

    fn check<const N: usize>(points: &[[u32; N]], count: usize, most: usize) -> usize {
        let colors = colors(points, count);
        let mut seen = 0;
        for color in &colors {
            let mut particles: Vec<u32> = Vec::new();
            particles.extend(color.iter().flat_map(|&c| points[c as usize]));
            let total = particles.len();
            particles.sort_unstable();
            particles.dedup();
            assert_eq!(particles.len(), total);
            seen += color.len();
        }
        assert_eq!(seen, points.len());
        assert!(colors.len() <= most, "{} colours", colors.len());
        colors.len()
    }
}

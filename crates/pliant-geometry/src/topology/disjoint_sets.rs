//! Disjoint sets of points, joined one link at a time.

/// Disjoint sets of numbered points.
#[derive(Clone, Debug, Default)]
pub struct DisjointSets(Vec<u32>);

impl DisjointSets {
    /// So many points, each in a set of its own.
    pub fn new(count: usize) -> Self {
        Self((0..count as u32).collect())
    }

    /// Starts again with so many points, each in a set of its own.
    pub fn reset(&mut self, count: usize) {
        self.0.clear();
        self.0.extend(0..count as u32);
    }

    /// The points of a graph, joined by its edges.
    pub fn of_edges(count: usize, edges: &[[u32; 2]]) -> Self {
        let mut sets = Self::new(count);
        for &[a, b] in edges {
            sets.join(a, b);
        }
        sets
    }

    /// The first point of the set of a point.
    pub fn root(&mut self, mut point: u32) -> u32 {
        while self.0[point as usize] != point {
            let above = self.0[point as usize];
            // The way up is halved for those who come later.
            self.0[point as usize] = self.0[above as usize];
            point = above;
        }
        point
    }

    /// Makes one set of those of two points; false if they are one already.
    pub fn join(&mut self, a: u32, b: u32) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b) as usize] = a.min(b);
        a != b
    }

    /// The points of each set, both in order.
    pub fn members(mut self) -> impl Iterator<Item = Vec<u32>> {
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); self.0.len()];
        for point in 0..self.0.len() as u32 {
            members[self.root(point) as usize].push(point);
        }
        members.into_iter().filter(|set| !set.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_points_have_the_first_of_them_as_root() {
        let mut sets = DisjointSets::of_edges(7, &[[5, 6], [2, 4], [4, 6], [0, 3]]);
        let roots: Vec<u32> = (0..7).map(|point| sets.root(point)).collect();
        assert_eq!(roots, [0, 1, 2, 0, 2, 2, 2]);
        assert!(!sets.join(2, 6) && sets.clone().join(1, 6));
        let members: Vec<Vec<u32>> = sets.members().collect();
        assert_eq!(members, [vec![0, 3], vec![1], vec![2, 4, 5, 6]]);
    }
}

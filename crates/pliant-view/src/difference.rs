//! What two moments differ in, as colours.

use std::collections::HashMap;

use pliant_render::{ColorMap, Legend};

use crate::Snapshot;

/// The colour of what the other moment does not have.
const ALONE: [u8; 3] = [120, 120, 120];

impl Snapshot {
    /// This moment, coloured by how far everything is from where it is in another one: particles by their ids, corners
    /// of triangles by their places if both have as many. What the other moment does not have is grey.
    pub fn compared_with(&self, other: &Self) -> Self {
        let color_map = ColorMap::Ember;
        let spheres = self.sphere_distances(other);
        let corners = self.corner_distances(other);
        let all = spheres.iter().chain(&corners).flatten();
        let most = all.fold(0.0_f32, |most, &distance| most.max(distance));
        let color = |distance: &Option<f32>| match *distance {
            Some(distance) if most > 0.0 => color_map.srgb(distance / most),
            Some(_) => color_map.srgb(0.0),
            None => ALONE,
        };
        let mut compared = self.clone();
        for (paint, distance) in compared.sphere_colors.iter_mut().zip(&spheres) {
            let [r, g, b] = color(distance);
            *paint = [r, g, b, paint[3]];
        }
        for (paint, distance) in compared.vertex_colors.iter_mut().zip(&corners) {
            let [r, g, b] = color(distance);
            *paint = [r, g, b, paint[3]];
        }
        compared.legend = Some(Legend {
            title: "distance between the runs".to_owned(),
            unit: "m".to_owned(),
            range: [0.0, most],
            color_map,
        });
        compared
    }

    /// How far each loose particle is from the one of its id [m].
    fn sphere_distances(&self, other: &Self) -> Vec<Option<f32>> {
        let ids = other.sphere_ids.iter().zip(&other.spheres);
        let places: HashMap<u32, [f32; 3]> =
            ids.map(|(&id, &[x, y, z, _])| (id, [x, y, z])).collect();
        let own = self.sphere_ids.iter().zip(&self.spheres);
        own.map(|(id, &[x, y, z, _])| Some(distance([x, y, z], *places.get(id)?)))
            .collect()
    }

    /// How far each corner is from the one at its place [m].
    fn corner_distances(&self, other: &Self) -> Vec<Option<f32>> {
        if self.triangles != other.triangles {
            return vec![None; self.vertices.len()];
        }
        let pairs = self.vertices.iter().zip(&other.vertices);
        pairs.map(|(a, b)| Some(distance(*a, *b))).collect()
    }
}

fn distance(a: [f32; 3], b: [f32; 3]) -> f32 {
    let squares = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b));
    squares.sum::<f32>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(spheres: Vec<[f32; 4]>, sphere_ids: Vec<u32>) -> Snapshot {
        Snapshot {
            sphere_colors: vec![[1, 2, 3, 255]; spheres.len()],
            spheres,
            sphere_ids,
            vertices: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
            vertex_colors: vec![[1, 2, 3, 100]; 3],
            triangles: vec![[0, 1, 2]],
            ..Snapshot::default()
        }
    }

    #[test]
    fn colors_tell_how_far_things_are_apart() {
        let one = moment(
            vec![
                [0.0, 0.0, 0.0, 0.1],
                [1.0, 0.0, 0.0, 0.1],
                [2.0, 0.0, 0.0, 0.1],
            ],
            vec![3, 4, 9],
        );
        let mut other = moment(vec![[1.0, 0.0, 2.0, 0.1], [0.0, 0.0, 0.0, 0.1]], vec![4, 3]);
        other.vertices[1] = [2.0, 0.0, 0.0];
        let compared = one.compared_with(&other);
        let legend = compared.legend.as_ref().expect("a legend");
        assert_eq!((legend.range, legend.unit.as_str()), ([0.0, 2.0], "m"));
        let map = legend.color_map;
        let opaque = |[r, g, b]: [u8; 3], opacity| [r, g, b, opacity];
        let expected = [map.srgb(0.0), map.srgb(1.0), ALONE].map(|color| opaque(color, 255));
        assert_eq!(compared.sphere_colors, expected);
        let corners = [0.0, 0.5, 0.0].map(|t| opaque(map.srgb(t), 100));
        assert_eq!(compared.vertex_colors, corners);
        // Nothing is divided by nothing where both are the same, and other triangles have no corner in common.
        let same = one.compared_with(&one);
        assert!(
            same.sphere_colors
                .iter()
                .all(|&c| c == opaque(map.srgb(0.0), 255))
        );
        other.triangles.clear();
        let grey = one.compared_with(&other).vertex_colors;
        assert!(grey.iter().all(|&color| color == opaque(ALONE, 100)));
    }
}

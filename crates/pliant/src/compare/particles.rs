//! The particles of one moment in two runs, matched by id.

use pliant_io::export::ParticleFrame;
use pliant_math::DVec3;

/// A frame of two runs, compared.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameDifference {
    /// Number of the frame.
    pub number: u32,
    /// Its simulated time in each run [s].
    pub times: [f64; 2],
    /// Particles of each run.
    pub counts: [usize; 2],
    /// Particles that both have.
    pub shared: usize,
    /// Particles that belong to another body or material.
    pub regrouped: usize,
    /// What both runs tell of particles, compared over those that both have.
    pub attributes: Vec<AttributeDifference>,
    /// What only one run tells of its particles.
    pub only_in: [Vec<String>; 2],
}

/// How an attribute differs among the particles that two runs share.
#[derive(Clone, Debug, PartialEq)]
pub struct AttributeDifference {
    /// Its name: `position`, `velocity`, `det_F`, ...
    pub name: String,
    /// Its unit, empty for none.
    pub unit: String,
    /// True if all values are the same, bit by bit.
    pub is_identical: bool,
    /// Root mean square of the differences; vectors differ by the length of their difference.
    pub rms: f64,
    /// The greatest difference.
    pub greatest: Greatest,
    /// What differences are compared with: the greatest value of either run, for positions the
    /// diagonal of the box around all particles.
    pub scale: f64,
}

/// A greatest difference, and where it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Greatest {
    /// The difference, infinite if only one value is a number.
    pub size: f64,
    /// Id of the particle.
    pub id: u32,
    /// Where the particle is in the first run [m].
    pub place: DVec3,
}

/// Places of the same particle in the columns of two frames.
type PlacePair = [usize; 2];

impl FrameDifference {
    pub(super) fn of(one: &ParticleFrame, two: &ParticleFrame) -> Self {
        let pairs = pairs(&one.id, &two.id);
        let names = |frame: &ParticleFrame, other: &ParticleFrame| {
            let has = |name: &str| other.quantities.iter().any(|q| q.name == name);
            let own = frame.quantities.iter().map(|q| q.name);
            own.filter(|name| !has(name)).map(String::from).collect()
        };
        Self {
            number: one.number,
            times: [one.time, two.time],
            counts: [one.id.len(), two.id.len()],
            shared: pairs.len(),
            regrouped: pairs.iter().filter(|&&p| is_regrouped(one, two, p)).count(),
            attributes: attributes(one, two, &pairs),
            only_in: [names(one, two), names(two, one)],
        }
    }

    /// True if both runs have the same particles, bit by bit, at the same time.
    pub fn is_identical(&self) -> bool {
        let [one, two] = self.times.map(f64::to_bits);
        one == two && self.has_same_particles() && self.attributes.iter().all(|a| a.is_identical)
    }

    /// True if both runs have the particles of the same ids, bodies and materials.
    pub fn has_same_particles(&self) -> bool {
        self.counts == [self.shared; 2] && self.regrouped == 0
    }

    pub(super) fn greatest_relative(&self) -> f64 {
        if !self.has_same_particles() {
            return f64::INFINITY;
        }
        let [one, two] = self.times;
        let time = relative((one - two).abs(), one.abs().max(two.abs()));
        let attributes = self.attributes.iter().map(AttributeDifference::relative);
        attributes.fold(time, f64::max)
    }
}

impl AttributeDifference {
    /// The greatest difference in shares of the scale.
    pub fn relative(&self) -> f64 {
        relative(self.greatest.size, self.scale)
    }

    /// Compares vectors or numbers, each as three components.
    fn of(
        (name, unit): (&str, &str),
        (one, two): (&dyn Fn(usize) -> DVec3, &dyn Fn(usize) -> DVec3),
        frame: &ParticleFrame,
        pairs: &[PlacePair],
    ) -> Self {
        let mut found = Self {
            name: name.to_owned(),
            unit: unit.to_owned(),
            is_identical: true,
            rms: 0.0,
            greatest: Greatest::default(),
            scale: 0.0,
        };
        let mut squares = 0.0;
        for &[i, j] in pairs {
            let (a, b) = (one(i), two(j));
            found.scale = [a, b]
                .map(DVec3::length)
                .into_iter()
                .fold(found.scale, f64::max);
            if a.to_array().map(f64::to_bits) == b.to_array().map(f64::to_bits) {
                continue;
            }
            found.is_identical = false;
            let size = match (a - b).length() {
                size if size.is_nan() => f64::INFINITY,
                size => size,
            };
            squares += size * size;
            if size > found.greatest.size {
                let (id, place) = (frame.id[i], frame.position[i]);
                found.greatest = Greatest { size, id, place };
            }
        }
        found.rms = (squares / pairs.len().max(1) as f64).sqrt();
        found
    }
}

/// A difference in shares of a scale; none is none.
pub(super) fn relative(difference: f64, scale: f64) -> f64 {
    if difference == 0.0 {
        0.0
    } else {
        difference / scale
    }
}

fn attributes(
    one: &ParticleFrame,
    two: &ParticleFrame,
    pairs: &[PlacePair],
) -> Vec<AttributeDifference> {
    let of = |what: (&str, &str), a: &dyn Fn(usize) -> DVec3, b: &dyn Fn(usize) -> DVec3| {
        AttributeDifference::of(what, (a, b), one, pairs)
    };
    let mut position = of(("position", "m"), &|i| one.position[i], &|j| {
        two.position[j]
    });
    position.scale = diagonal(one).max(diagonal(two));
    let vector = |v: [f32; 3]| DVec3::from_array(v.map(f64::from));
    let number = |v: f32| DVec3::new(f64::from(v), 0.0, 0.0);
    let velocity = |frame: &ParticleFrame, i: usize| vector(frame.velocity[i]);
    let mut found = vec![
        position,
        of(("velocity", "m/s"), &|i| velocity(one, i), &|j| {
            velocity(two, j)
        }),
        of(("radius", "m"), &|i| number(one.radius[i]), &|j| {
            number(two.radius[j])
        }),
    ];
    for quantity in &one.quantities {
        let Some(other) = two.quantities.iter().find(|q| q.name == quantity.name) else {
            continue;
        };
        found.push(of(
            (quantity.name, quantity.unit),
            &|i| number(quantity.values[i]),
            &|j| number(other.values[j]),
        ));
    }
    found
}

/// Diagonal of the box around all particles [m].
fn diagonal(frame: &ParticleFrame) -> f64 {
    let first = frame.position.first().copied().unwrap_or_default();
    let bounds = frame.position.iter();
    let (low, high) = bounds.fold((first, first), |(low, high), x| (low.min(*x), high.max(*x)));
    low.distance(high)
}

fn is_regrouped(one: &ParticleFrame, two: &ParticleFrame, [i, j]: PlacePair) -> bool {
    let body =
        |frame: &ParticleFrame, i: usize| frame.body_names.get(frame.body[i] as usize).cloned();
    let material = |frame: &ParticleFrame, i: usize| {
        frame
            .material_names
            .get(frame.material[i] as usize)
            .cloned()
    };
    body(one, i) != body(two, j) || material(one, i) != material(two, j)
}

/// Places of the ids that both lists have, ids increasing.
fn pairs(one: &[u32], two: &[u32]) -> Vec<PlacePair> {
    let sorted = |ids: &[u32]| {
        let mut places: Vec<usize> = (0..ids.len()).collect();
        places.sort_by_key(|&place| ids[place]);
        places
    };
    let (first, second) = (sorted(one), sorted(two));
    let (mut i, mut j) = (0, 0);
    let mut found = Vec::with_capacity(one.len().min(two.len()));
    while let (Some(&a), Some(&b)) = (first.get(i), second.get(j)) {
        match one[a].cmp(&two[b]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                found.push([a, b]);
                (i, j) = (i + 1, j + 1);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(ids: &[u32], heights: &[f64]) -> ParticleFrame {
        let count = ids.len();
        ParticleFrame {
            number: 3,
            time: 0.5,
            position: heights.iter().map(|y| DVec3::new(0.0, *y, 0.0)).collect(),
            velocity: vec![[1.0, 0.0, 0.0]; count],
            id: ids.to_vec(),
            body: vec![0; count],
            material: vec![0; count],
            radius: vec![0.1; count],
            quantities: Vec::new(),
            triangles: Vec::new(),
            uv: Vec::new(),
            inside: Vec::new(),
            body_names: vec!["a".into()],
            material_names: vec!["sand".into()],
        }
    }

    #[test]
    fn particles_are_matched_by_id_whatever_their_order() {
        let one = frame(&[0, 1, 2], &[0.0, 1.0, 2.0]);
        let two = frame(&[2, 0, 1], &[2.0, 0.0, 1.0]);
        let difference = FrameDifference::of(&one, &two);
        assert!(difference.is_identical(), "{difference:?}");
        assert_eq!(difference.greatest_relative(), 0.0);
    }

    #[test]
    fn greatest_difference_has_its_particle_and_its_place() {
        let one = frame(&[0, 1, 7], &[0.0, 1.0, 2.0]);
        let two = frame(&[0, 1, 7], &[0.0, 1.3, 2.4]);
        let difference = FrameDifference::of(&one, &two);
        let position = &difference.attributes[0];
        assert!((position.rms - (0.25f64 / 3.0).sqrt()).abs() < 1e-12);
        assert!((position.greatest.size - 0.4).abs() < 1e-12);
        assert_eq!((position.greatest.id, position.greatest.place.y), (7, 2.0));
        assert!((position.relative() - 0.4 / 2.4).abs() < 1e-12);
        assert!(difference.attributes[1].is_identical);
    }

    #[test]
    fn particles_of_one_run_only_are_counted_and_differ_infinitely() {
        let difference =
            FrameDifference::of(&frame(&[0, 1], &[0.0; 2]), &frame(&[1, 2, 3], &[0.0; 3]));
        assert_eq!((difference.counts, difference.shared), ([2, 3], 1));
        assert_eq!(difference.greatest_relative(), f64::INFINITY);
        let mut regrouped = frame(&[0], &[0.0]);
        regrouped.material_names = vec!["clay".into()];
        assert_eq!(
            FrameDifference::of(&regrouped, &frame(&[0], &[0.0])).regrouped,
            1
        );
    }

    #[test]
    fn a_number_differs_infinitely_from_nan_and_nan_does_not_differ_from_nan() {
        let one = frame(&[0], &[f64::NAN]);
        let apart = FrameDifference::of(&one, &frame(&[0], &[1.0]));
        assert_eq!(apart.attributes[0].greatest.size, f64::INFINITY);
        assert!(FrameDifference::of(&one, &one).is_identical());
    }
}

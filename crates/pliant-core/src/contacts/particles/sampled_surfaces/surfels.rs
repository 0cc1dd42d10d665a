//! The surfaces of bodies at rest.

use pliant_math::{DMat3, DVec3};

use crate::parallel;

/// A particle with fewer neighbours than this part of those inside is on the surface: none of a lattice
/// and few of jittered ones are missed (0 and 0 of a thousand at 1.8 spacings).
pub const SURFACE_SHARE: f64 = 0.75;

/// Particles of a surface around a surfel are known within so many spacings at rest: those within 1.5
/// of whatever is nearest to it.
const AROUND: f64 = 2.3;

/// Normals of one face have at least this cosine between them.
const SAME_FACE: f64 = 0.3;

/// Normals beside each other on a convex body, edges included, have at least this cosine.
const BESIDE: f64 = -0.1;

/// How far below a surfel its neighbours lie, as the mean sine: below the first it is flat, as round
/// bodies of three particles across are, and above the second it is an edge (0.43 for a right angle).
const FLAT: f64 = 0.25;
const EDGE: f64 = 0.38;

/// Eigenvalues of second moments below this part of their sum count as none.
const CUT: f64 = 1e-4;

/// In place of the number of a particle that is not there.
pub const NOTHING: u32 = u32::MAX;

/// The surfaces of all bodies of a method: a surfel for each particle on them.
#[derive(Debug, Default)]
pub struct Surfels {
    /// The surfel of each particle, or [`NOTHING`].
    of_place: Vec<u32>,
    surfels: Vec<Surfel>,
    neighbors: Vec<Neighbor>,
}

/// A body at rest whose neighbours stay the same.
pub struct RestBody<'a> {
    /// Where its particles are at rest [m].
    pub position: &'a [DVec3],
    /// Distance of neighbouring particles [m].
    pub spacing: f64,
    /// Neighbours are closer than this at rest [m].
    pub support_radius: f64,
    /// Adds the neighbours that a particle has, those that have left too.
    pub neighbors: &'a (dyn Fn(usize, &mut Vec<u32>) + Sync),
    /// Place of each particle, [`u32::MAX`] for those that have left.
    pub places: &'a [u32],
}

/// A particle on the surface.
#[derive(Clone, Copy, Debug)]
pub struct Surfel {
    /// Its place.
    pub place: u32,
    /// Distance of neighbours [m].
    pub spacing: f64,
    /// 1 where the surface is flat or round, 0 at edges.
    pub flatness: f64,
    /// True if it is of a single layer, with two sides.
    pub is_sheet: bool,
    /// The normal at rest by the two tangents that its neighbours tell, and the cross product of these.
    pub normal: [f64; 3],
    /// Place of the neighbour that lies deepest below it, or [`NOTHING`].
    pub below: u32,
    start: u32,
    end: u32,
}

/// A particle on the surface near another one.
#[derive(Clone, Copy, Debug)]
pub struct Neighbor {
    /// Its surfel.
    pub surfel: u32,
    /// What the way to it counts in the two tangents [1/m].
    pub along: [f64; 2],
}

/// Where a particle faces at rest.
#[derive(Clone, Copy, Debug)]
struct Outside {
    normal: DVec3,
    is_sheet: bool,
}

/// What ways along the surface count in two tangents [1/m], and the normal by these.
type Frame = (Vec<[f64; 2]>, [f64; 3]);

/// A surfel before the surfels of others have numbers.
struct NewFacet {
    surfel: Surfel,
    around: Vec<(u32, [f64; 2])>,
}

impl Surfels {
    /// Number of surfels.
    pub fn len(&self) -> usize {
        self.surfels.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.surfels.is_empty()
    }

    /// Number of particles, on the surface or not.
    pub fn places(&self) -> usize {
        self.of_place.len()
    }

    /// The surfel of the particle at a place.
    #[inline]
    pub fn of_place(&self, place: usize) -> Option<u32> {
        let surfel = self.of_place.get(place).copied()?;
        (surfel != NOTHING).then_some(surfel)
    }

    /// A surfel.
    #[inline]
    pub fn surfel(&self, number: usize) -> &Surfel {
        &self.surfels[number]
    }

    /// The particles of the surface around a surfel, the nearest at rest first.
    #[inline]
    pub fn neighbors(&self, number: usize) -> &[Neighbor] {
        let surfel = &self.surfels[number];
        &self.neighbors[surfel.start as usize..surfel.end as usize]
    }

    /// Forgets all, and makes room for so many particles.
    pub fn clear(&mut self, places: usize) {
        self.surfels.clear();
        self.neighbors.clear();
        self.of_place.clear();
        self.of_place.resize(places, NOTHING);
    }

    /// Adds the surface of a body.
    pub fn add(&mut self, body: &RestBody<'_>) {
        let mut outsides: Vec<Option<Outside>> = vec![None; body.position.len()];
        parallel::for_chunks(&mut outsides, |first, outsides| {
            let mut near = Vec::new();
            for (k, outside) in outsides.iter_mut().enumerate() {
                *outside = body.outside(first + k, &mut near);
            }
        });
        let is_outside = |&particle: &u32| outsides[particle as usize].is_some();
        let particles: Vec<u32> = (0..outsides.len() as u32).filter(is_outside).collect();
        let mut new: Vec<Option<NewFacet>> = Vec::new();
        new.resize_with(particles.len(), || None);
        parallel::for_chunks(&mut new, |first, new| {
            for (k, new) in new.iter_mut().enumerate() {
                *new = body.surfel(particles[first + k] as usize, &outsides);
            }
        });
        let numbers = self.surfels.len() as u32..;
        for (number, new) in numbers.zip(new.iter().flatten()) {
            self.of_place[new.surfel.place as usize] = number;
        }
        for NewFacet { mut surfel, around } in new.into_iter().flatten() {
            surfel.start = self.neighbors.len() as u32;
            let of_place = &self.of_place;
            self.neighbors
                .extend(around.into_iter().map(|(particle, along)| {
                    let surfel = of_place[body.places[particle as usize] as usize];
                    Neighbor { surfel, along }
                }));
            surfel.end = self.neighbors.len() as u32;
            self.surfels.push(surfel);
        }
    }
}

impl RestBody<'_> {
    /// Replaces a list by the neighbours that a particle has.
    fn list(&self, particle: usize, near: &mut Vec<u32>) {
        near.clear();
        (self.neighbors)(particle, near);
        near.retain(|&other| self.places[other as usize] != NOTHING);
    }

    fn way(&self, from: usize, to: u32) -> DVec3 {
        self.position[to as usize] - self.position[from]
    }

    /// Where a particle faces, if it is on the surface: away from its neighbours, or across a sheet.
    fn outside(&self, particle: usize, near: &mut Vec<u32>) -> Option<Outside> {
        if self.places[particle] == NOTHING {
            return None;
        }
        self.list(particle, near);
        let ratio = self.support_radius / self.spacing;
        let inside = 4.0 / 3.0 * std::f64::consts::PI * ratio.powi(3) - 1.0;
        if near.len() as f64 >= SURFACE_SHARE * inside {
            return None;
        }
        let ways = near.iter().map(|&other| self.way(particle, other));
        let outer = |x: DVec3| DMat3::from_cols(x * x.x, x * x.y, x * x.z);
        let moment = ways.clone().fold(DMat3::ZERO, |sum, x| sum + outer(x));
        let trace = moment.x_axis.x + moment.y_axis.y + moment.z_axis.z;
        let (a, b, c) = (moment.x_axis, moment.y_axis, moment.z_axis);
        let across = [b.cross(c), c.cross(a), a.cross(b)];
        if moment.determinant() > CUT * trace.powi(3) {
            let normal = -ways.sum::<DVec3>();
            return Some(Outside {
                normal: normal.try_normalize()?,
                is_sheet: false,
            });
        }
        let longest = |a: DVec3, b: DVec3| if b.length() > a.length() { b } else { a };
        let normal = across.into_iter().fold(DVec3::ZERO, longest);
        // Particles in a line face nowhere.
        (normal.length() > CUT * trace * trace).then(|| Outside {
            normal: normal.normalize(),
            is_sheet: true,
        })
    }

    /// The surfel of a particle on the surface.
    fn surfel(&self, particle: usize, outsides: &[Option<Outside>]) -> Option<NewFacet> {
        let Outside { normal, is_sheet } = outsides[particle]?;
        let mut near = Vec::new();
        self.list(particle, &mut near);
        let depth = |other: u32| normal.dot(self.way(particle, other).normalize());
        let deepest = near.iter().copied();
        let deepest = deepest.min_by(|&a, &b| depth(a).total_cmp(&depth(b)));
        let below = deepest.filter(|_| !is_sheet);
        let around = self.around(particle, &near, outsides);
        let frame = self.frame(particle, normal, &around);
        let flatness = self.flatness(particle, &near, outsides);
        let (along, normal) = frame.unwrap_or((vec![[0.0; 2]; around.len()], [0.0; 3]));
        Some(NewFacet {
            surfel: Surfel {
                place: self.places[particle],
                spacing: self.spacing,
                // Particles in a line face nowhere.
                flatness: if normal == [0.0; 3] { 0.0 } else { flatness },
                is_sheet,
                normal,
                below: below.map_or(NOTHING, |other| self.places[other as usize]),
                start: 0,
                end: 0,
            },
            around: around.into_iter().zip(along).collect(),
        })
    }

    /// What the ways to those around a particle count in F T, T two tangents, by least squares, and the
    /// normal by what these tangents seem to be at rest; `None` if all lie in a line.
    fn frame(&self, particle: usize, normal: DVec3, around: &[u32]) -> Option<Frame> {
        let tangents = tangents(normal);
        let ways = around.iter().map(|&other| self.way(particle, other));
        let flat = |way: DVec3| tangents.map(|tangent| way.dot(tangent));
        let weight = |way: DVec3| {
            let inside = 1.0 - way.length_squared() / (AROUND * self.spacing).powi(2);
            // Those at the very end count a little, so that three always tell.
            inside.max(0.0).powi(2) + 1e-3
        };
        let (mut aa, mut ab, mut bb) = (0.0, 0.0, 0.0);
        for way in ways.clone() {
            let ([a, b], weight) = (flat(way), weight(way));
            aa += weight * a * a;
            ab += weight * a * b;
            bb += weight * b * b;
        }
        let determinant = aa * bb - ab * ab;
        if determinant <= CUT * (aa + bb).powi(2) {
            return None;
        }
        let along = ways.clone().map(|way| {
            let ([a, b], weight) = (flat(way), weight(way));
            [bb * a - ab * b, aa * b - ab * a].map(|c| c * weight / determinant)
        });
        let along: Vec<[f64; 2]> = along.collect();
        let mut at_rebuild = [DVec3::ZERO; 2];
        for (way, [a, b]) in ways.zip(&along) {
            at_rebuild[0] += way * *a;
            at_rebuild[1] += way * *b;
        }
        let frame = DMat3::from_cols(
            at_rebuild[0],
            at_rebuild[1],
            at_rebuild[0].cross(at_rebuild[1]),
        );
        Some((along, (frame.inverse() * normal).to_array()))
    }

    /// The particles on the same face near one, the nearest first.
    fn around(&self, particle: usize, near: &[u32], outsides: &[Option<Outside>]) -> Vec<u32> {
        let own = outsides[particle];
        let is_of_face = |other: u32| {
            let cosine = cosine(own, outsides[other as usize]);
            cosine.is_some_and(|cosine| cosine >= SAME_FACE)
        };
        let mut around: Vec<u32> = near.iter().copied().filter(|&o| is_of_face(o)).collect();
        let mut beyond = Vec::new();
        for k in 0..around.len() {
            self.list(around[k] as usize, &mut beyond);
            around.extend(beyond.iter().copied().filter(|&o| is_of_face(o)));
        }
        let distance = |other: u32| self.way(particle, other).length_squared();
        let most = (AROUND * self.spacing).powi(2);
        around.retain(|&other| other as usize != particle && distance(other) <= most);
        around.sort_unstable_by(|&a, &b| distance(a).total_cmp(&distance(b)).then(a.cmp(&b)));
        around.dedup();
        around
    }

    /// 1 where the neighbours on the surface lie beside a particle, 0 where they lie far below it.
    fn flatness(&self, particle: usize, near: &[u32], outsides: &[Option<Outside>]) -> f64 {
        let own = outsides[particle];
        let (mut sum, mut count) = (0.0, 0.0);
        for &other in near {
            let cosine = cosine(own, outsides[other as usize]);
            if let (Some(own), true) = (own, cosine.is_some_and(|cosine| cosine >= BESIDE)) {
                sum -= own.normal.dot(self.way(particle, other).normalize());
                count += 1.0;
            }
        }
        if own.is_none_or(|own| own.is_sheet) || count == 0.0 {
            return 1.0;
        }
        ((EDGE - sum / count) / (EDGE - FLAT)).clamp(0.0, 1.0)
    }
}

/// The cosine between normals; that of the nearer side for sheets.
fn cosine(one: Option<Outside>, other: Option<Outside>) -> Option<f64> {
    let (one, other) = (one?, other?);
    let cosine = one.normal.dot(other.normal);
    Some(if one.is_sheet || other.is_sheet {
        cosine.abs()
    } else {
        cosine
    })
}

/// Two unit vectors whose cross product is a normal.
fn tangents(normal: DVec3) -> [DVec3; 2] {
    let one = normal.any_orthonormal_vector();
    [one, normal.cross(one)]
}

//! A surface whose cuts are mended in places.

use pliant_math::{DMat3, DVec3};

use super::super::near::Near;
use super::RestSurface;

/// A vertex is carried by what is so near at rest [spacings].
const REACH: f64 = 1.0;

/// Both sides of a cut have moved along each other by so much [spacings] at most.
const SLIDE: f64 = 0.35;

/// What is so near to triangles that cross [spacings] is mended as much as they are.
const PLATEAU: f64 = 0.5;

/// What is so much farther [spacings] is mended not at all.
const MARGIN: f64 = 1.0;

/// By how much more of the way vertices of triangles that cross go at a time.
const STEP: f64 = 0.25;

/// Vertices between where particles on their side of the cuts carry them, and where those on all sides do.
pub(super) struct Mended<'a> {
    surface: &'a RestSurface<'a>,
    near: Near<'a>,
    around: Near<'a>,
    /// Where those of their side carry them [m], and F.
    own: Vec<(DVec3, DMat3)>,
    /// Where all around do [m], of those that are mended.
    common: Vec<Option<DVec3>>,
    /// How far they are from the one to the other, from 0 to 1.
    share: Vec<f64>,
}

impl<'a> Mended<'a> {
    /// Of vertices [m] that particles on their sides carry.
    pub fn new(surface: &'a RestSurface<'a>, own: &[DVec3]) -> Self {
        let own = own.iter().zip(surface.gradients);
        let own: Vec<_> = own.map(|(place, gradient)| (*place, *gradient)).collect();
        let reach = REACH * surface.spacing;
        Self {
            near: Near::new(surface.vertices, reach),
            around: Near::new(surface.vertices, (PLATEAU + MARGIN) * surface.spacing),
            common: vec![None; own.len()],
            share: vec![0.0; own.len()],
            own,
            surface,
        }
    }

    /// Mends what is around some triangles more. Returns false if all of that is mended as much as can be.
    pub fn mend(&mut self, triangles: &[u32], vertices: &mut [DVec3]) -> bool {
        let mut corners: Vec<u32> = triangles
            .iter()
            .flat_map(|&t| self.surface.triangles[t as usize])
            .collect();
        corners.sort_unstable();
        corners.dedup();
        let mut share = self.share.clone();
        for &corner in &corners {
            let next = (self.share[corner as usize] + STEP).min(1.0);
            let place = self.surface.vertices[corner as usize];
            self.around.for_each(place, |vertex, _| {
                let distance = place.distance(self.surface.vertices[vertex as usize]);
                let beyond = distance / self.surface.spacing - PLATEAU;
                let part = (1.0 - (beyond / MARGIN).max(0.0).powi(2)).max(0.0);
                let share = &mut share[vertex as usize];
                *share = share.max(next * part * part);
            });
        }
        let mut is_changed = false;
        for (vertex, share) in share.into_iter().enumerate() {
            if share > self.share[vertex] {
                is_changed = true;
                self.share[vertex] = share;
                let common = self.common[vertex].unwrap_or_else(|| self.common(vertex));
                self.common[vertex] = Some(common);
                vertices[vertex] = self.own[vertex].0.lerp(common, share);
            }
        }
        is_changed
    }

    /// Where a vertex is by what is around it on all sides [m].
    fn common(&self, vertex: usize) -> DVec3 {
        let (place, (own, _)) = (self.surface.vertices[vertex], self.own[vertex]);
        let slide = SLIDE * self.surface.spacing;
        let (mut sum, mut total) = (DVec3::ZERO, 0.0);
        self.near.for_each(place, |other, weight| {
            let other = other as usize;
            let (there, gradient) = self.own[other];
            let there = there + gradient * (place - self.surface.vertices[other]);
            let slid = (there.distance_squared(own) / (slide * slide)).min(1.0);
            let weight = weight * (1.0 - slid) * (1.0 - slid);
            sum += (there - own) * weight;
            total += weight;
        });
        own + sum / total
    }
}

//! Which outer particles of solids make a patch, and which patches a region.

use std::ops::Range;

use pliant_math::DVec3;

use super::super::active_set::{ContactMaterial, SearchMargin};
use super::super::solids::MethodSolids;
use super::patches::MOST;

/// Particles of a patch lie within so many of their radii of its first one at rest.
const WIDTH: f64 = 10.0;

/// Patches a region.
pub const PATCHES: usize = 16;

/// The outer particles, patch after patch.
#[derive(Debug, Default)]
pub struct Layout {
    /// Their places.
    pub places: Vec<u32>,
    /// Whom each of them meets, and how.
    pub material: Vec<ContactMaterial>,
    /// The patches.
    pub patches: Vec<Plan>,
    laid_for: LaidFor,
}

/// Which particles a patch has.
#[derive(Debug)]
pub struct Plan {
    /// Their numbers among the outer particles.
    pub outer: Range<usize>,
    /// Where the first one is at rest [m].
    pub rest: DVec3,
    body: u32,
    /// Number of its method among those that offer solids.
    method: usize,
    /// Squared distance [m2] from there at rest that the others keep.
    limit: f64,
}

/// What a layout follows from, besides what never changes of a particle.
#[derive(Debug, Default)]
struct LaidFor {
    methods: Vec<LaidForMethod>,
    beside: f64,
}

#[derive(Debug, Default)]
struct LaidForMethod {
    first: usize,
    ids: Vec<u32>,
    is_outer: Vec<bool>,
    cut_pairs: Vec<[u32; 2]>,
}

impl Layout {
    /// Shares the outer particles out among patches, unless they are as they were; returns whether they
    /// are not.
    pub fn update(&mut self, reach: SearchMargin<'_>) -> bool {
        if self.laid_for.is(reach) {
            return false;
        }
        self.laid_for.set(reach);
        self.plan(reach);
        true
    }

    /// Number of regions.
    pub fn regions(&self) -> usize {
        self.patches.len().div_ceil(PATCHES)
    }

    /// The patches of a region.
    pub fn of_region(&self, region: usize) -> Range<usize> {
        region * PATCHES..((region + 1) * PATCHES).min(self.patches.len())
    }

    /// Particles come in an order that follows from their places at rest, so that one patch ends where
    /// the next one starts.
    fn plan(&mut self, reach: SearchMargin<'_>) {
        let Self {
            places,
            material: companies,
            patches,
            ..
        } = self;
        places.clear();
        companies.clear();
        patches.clear();
        for (method, solids) in reach.search.solids.by_method().enumerate() {
            reach.for_each(solids.range.clone(), |i, material| {
                let rest = solids.rest_position[i - solids.range.start];
                let body = reach.particles.body[i];
                let at = places.len();
                places.push(i as u32);
                companies.push(material);
                match patches.last_mut() {
                    Some(plan) if plan.takes(body, rest) => plan.outer.end = at + 1,
                    _ => patches.push(Plan {
                        outer: at..at + 1,
                        rest,
                        body,
                        method,
                        limit: (WIDTH * f64::from(reach.particles.radius[i])).powi(2),
                    }),
                }
            });
        }
    }
}

impl Plan {
    /// The particles of its method.
    pub fn solids<'a>(&self, reach: SearchMargin<'a>) -> &'a MethodSolids<'a> {
        let mut methods = reach.search.solids.by_method();
        methods.nth(self.method).expect("its method")
    }

    /// True if a particle goes with those that there are.
    fn takes(&self, body: u32, rest: DVec3) -> bool {
        self.outer.len() < MOST
            && self.body == body
            && self.rest.distance_squared(rest) <= self.limit
    }
}

impl LaidFor {
    fn is(&self, reach: SearchMargin<'_>) -> bool {
        let mut both = self.methods.iter().zip(reach.search.solids.by_method());
        self.methods.len() == reach.search.solids.by_method().count()
            && both.all(|(laid, solids)| laid.is(solids, &reach.particles.id))
            && self.beside == reach.beside_of_solids()
    }

    fn set(&mut self, reach: SearchMargin<'_>) {
        let solids = &reach.search.solids;
        self.methods
            .resize_with(solids.by_method().count(), Default::default);
        for (laid, solids) in self.methods.iter_mut().zip(solids.by_method()) {
            laid.set(solids, &reach.particles.id);
        }
        self.beside = reach.beside_of_solids();
    }
}

impl LaidForMethod {
    fn is(&self, solids: &MethodSolids<'_>, ids: &[u32]) -> bool {
        self.first == solids.range.start
            && self.ids == ids[solids.range.clone()]
            && self.is_outer == solids.is_outer
            && self.cut_pairs == solids.cut_pairs
    }

    fn set(&mut self, solids: &MethodSolids<'_>, ids: &[u32]) {
        self.first = solids.range.start;
        ids[solids.range.clone()].clone_into(&mut self.ids);
        solids.is_outer.clone_into(&mut self.is_outer);
        solids.cut_pairs.clone_into(&mut self.cut_pairs);
    }
}

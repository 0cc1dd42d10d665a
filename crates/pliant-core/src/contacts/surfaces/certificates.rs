//! Which patches of a surface surely cannot meet within a substep: those of a part that is certified.
//!
//! Parts of several sizes are laid out once, over a plane (`planar`) or, where there is none, by an affine map
//! (`affine`), and asked in every search whether they hold now. What is left out because of them would have
//! been found too far apart one by one, so results do not depend on where and when parts were laid out.

use std::ops::Range;

use pliant_math::simd::Pack;
use pliant_math::{DVec3, Real};

use super::affine::{AffineRegion, MOST_TRIANGLES};
use super::patches::Patches;
use super::planar::{Region, duals};
use super::reference::ReferenceShape;
use super::swept::Record;
use crate::contacts::broad::Certificate;
use crate::parallel;

/// Triangles of regions, from the largest; the last are single patches. Each covers the patches around it
/// as well.
const LEVELS: [usize; 4] = [2048, 256, 32, 0];

/// Searches in which a region is left alone that does not hold: 2 to this power at most, less one.
const MOST_FAILURES: u32 = 3;

/// A region of a patch that has none.
const NONE: u32 = u32::MAX;

/// A part of the surface, and how it is known that it cannot meet itself.
#[derive(Clone, Debug)]
enum Part {
    /// Over a plane.
    Planar(Region),
    /// By an affine map.
    Affine(AffineRegion),
}

impl Part {
    fn lay_out(reference: &ReferenceShape, all: &Patches, patches: Range<u32>) -> Option<Self> {
        let planar = reference.region(all, patches.clone());
        let is_small = all.tree.items_of(patches.clone()).len() <= MOST_TRIANGLES;
        let affine = || {
            is_small
                .then(|| AffineRegion::new(reference, all, patches))
                .flatten()
        };
        planar
            .map(Self::Planar)
            .or_else(|| affine().map(Self::Affine))
    }

    /// The patches, and these and those around them.
    fn patches(&self) -> (&Range<u32>, &[u32]) {
        match self {
            Self::Planar(region) => (&region.patches, &region.near),
            Self::Affine(region) => (&region.patches, &region.near),
        }
    }

    /// Whether it cannot meet itself.
    ///
    /// * `duals` — of all triangles
    fn is_valid(&self, duals: &[[Real; 8]], motion: Motion<'_>, apart: Separation) -> bool {
        match self {
            Self::Planar(region) => region.is_valid(duals, motion, apart),
            Self::Affine(region) => region.is_valid(motion.records, apart),
        }
    }
}

/// What must be known of simplices that are left out.
#[derive(Clone, Copy, Debug)]
pub struct Separation {
    /// They are beyond the reach of contacts, for which what does not move is at most so far away [m].
    pub still: f64,
    /// [`Trajectories::impact`](crate::contacts::ccd::Trajectories::impact) for this share of the distance finds none, ...
    pub share: f64,
    /// ... also where each corner's displacement is changed by so much [m].
    pub room: f64,
}

/// The shape of a surface now and what it does in a substep.
#[derive(Clone, Copy)]
pub struct Motion<'a> {
    /// Where each corner is [m].
    pub position: &'a [DVec3],
    /// The corners with their displacements.
    pub records: &'a [Record],
}

/// All regions of a surface and which of them are known not to meet themselves now.
#[derive(Debug, Default)]
pub struct Certificates {
    /// Where regions are laid out, when they are first asked for.
    reference: Option<ReferenceShape>,
    /// By level.
    levels: Vec<Vec<Slot>>,
    /// Dual vectors of two sides of each triangle on the ground [1/m].
    duals: Vec<[Real; 8]>,
    /// Level and number of the region that holds for each patch.
    certified_by: Vec<(u32, u32)>,
}

/// A place for a region.
#[derive(Clone, Debug)]
struct Slot {
    patches: Range<u32>,
    /// What was laid out there, which may be nothing; `None`: not yet.
    laid: Option<Option<Box<Part>>>,
    is_valid: bool,
    /// How often it has failed to hold since it last did, up to [`MOST_FAILURES`].
    failures: u32,
    /// Searches until it is tried again.
    wait: u32,
}

impl Slot {
    /// Whether a region is to be tried whose patches are held by none or by another one: one that fails
    /// again and again is tried less and less often.
    fn is_due(&mut self, is_free: bool) -> bool {
        let is_due = is_free && self.wait == 0;
        self.wait = self.wait.saturating_sub(1);
        is_due
    }

    /// Counts how it went.
    fn has_tried(&mut self) {
        if self.is_valid {
            self.failures = 0;
        } else {
            self.wait = (1 << self.failures) - 1;
            self.failures = (self.failures + 1).min(MOST_FAILURES);
        }
    }
}

impl Certificates {
    /// For triangles on the ground.
    pub fn new(reference: ReferenceShape, patches: &Patches) -> Self {
        let slot = |patches| Slot {
            patches,
            laid: None,
            is_valid: false,
            failures: 0,
            wait: 0,
        };
        let level = |&most: &usize| {
            let parts = patches.tree.parts(most).into_iter();
            parts.map(slot).collect()
        };
        let dual = |&[a, b, c]: &[u32; 3]| {
            let [a, b, c] = [a, b, c].map(|corner| reference.position[corner as usize]);
            duals(b - a, c - a)
        };
        Self {
            levels: LEVELS.iter().map(level).collect(),
            duals: reference.triangles.iter().map(dual).collect(),
            reference: Some(reference),
            ..Self::default()
        }
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.reference.is_none()
    }

    /// Finds those that cannot meet themselves in a substep.
    pub fn validate(&mut self, patches: &Patches, motion: Motion<'_>, apart: Separation) {
        self.certified_by.clear();
        self.certified_by.resize(patches.count(), (NONE, NONE));
        let Some(reference) = &self.reference else {
            return;
        };
        let certified_by = &mut self.certified_by;
        let duals = &self.duals[..];
        for (number, slots) in self.levels.iter_mut().enumerate() {
            parallel::for_items(slots, |_, slot| {
                slot.is_valid = slot.is_due(certified_by[slot.patches.start as usize].0 == NONE);
                if slot.is_valid {
                    let range = slot.patches.clone();
                    let lay_out = || Part::lay_out(reference, patches, range).map(Box::new);
                    let part = slot.laid.get_or_insert_with(lay_out).as_deref();
                    slot.is_valid = part.is_some_and(|part| part.is_valid(duals, motion, apart));
                    slot.has_tried();
                }
            });
            for (k, slot) in slots.iter().enumerate().filter(|(_, slot)| slot.is_valid) {
                let range = slot.patches.start as usize..slot.patches.end as usize;
                certified_by[range].fill((number as u32, k as u32));
            }
        }
    }

    /// Forgets those of regions that have to do with some patches, whose corners move otherwise than they did.
    pub fn forget(&mut self, has_strayed: &[bool]) {
        for slot in self
            .levels
            .iter_mut()
            .flatten()
            .filter(|slot| slot.is_valid)
        {
            let part = slot.laid.as_ref().and_then(Option::as_deref);
            let has_strayed = part.is_some_and(|part| {
                let (patches, near) = part.patches();
                let mut all = patches.clone().chain(near.iter().copied());
                all.any(|patch| has_strayed[patch as usize])
            });
            if has_strayed {
                slot.is_valid = false;
                let range = slot.patches.start as usize..slot.patches.end as usize;
                self.certified_by[range].fill((NONE, NONE));
            }
        }
    }

    fn of(&self, patch: u32) -> Option<&Part> {
        let &(level, number) = self.certified_by.get(patch as usize)?;
        let slot = self.levels.get(level as usize)?.get(number as usize)?;
        slot.laid.as_ref()?.as_deref()
    }
}

impl Certificate for Certificates {
    fn apart(&self, patch: u32) -> Range<u32> {
        self.of(patch).map_or(0..0, |part| part.patches().0.clone())
    }

    #[inline(always)]
    fn are_apart<P: Pack>(&self, one: u32, other: u32) -> bool {
        let covers = |patch: u32, other: u32| {
            let near = |part: &Part| {
                let (patches, near) = part.patches();
                patches.contains(&other) || near.binary_search(&other).is_ok()
            };
            self.of(patch).is_some_and(near)
        };
        covers(one, other) || covers(other, one)
    }
}

//! The flank of a heap as a profile of heights over radii.
//!
//! A surface of grains is rough, and a heap between walls has grains on the walls and may have a crater
//! at its top. So its height at a radius is the median over sectors all around, which single grains do
//! not move, and its slope the median over pairs of radii (Theil 1950, Sen 1968), which single radii do
//! not move. The summit of a heap is rounded and its front thin: the flank lies between them by height,
//! as angles of repose are read off pictures of heaps.

use std::collections::BTreeMap;

use super::{Axis, Selection};
use crate::world::World;

/// Rings, and sectors in them, are this many spacings wide: narrower ones catch gaps between grains.
const RING_WIDTH: f64 = 1.5;
/// Heights of the flank in shares of that of the summit above the foot.
const FLANK: [f64; 2] = [0.2, 0.8];
/// Parts of a turn whose slopes are compared; fewer than the least of them say nothing.
const PARTS: usize = 8;
const LEAST_PARTS: usize = 3;
/// Grains that a summit stands above the foot at least: what is lower is an uneven layer.
const LEAST_HEIGHT: f64 = 2.0;

/// What is measured of a heap.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Heap {
    /// Slope of its flank [rad], 0 without one.
    pub slope: f64,
    /// Standard deviation of the slopes of eight parts around [rad].
    pub scatter: f64,
    /// Height of the summit above the foot over the radius of the foot.
    pub height_over_reach: f64,
}

/// A grain as a heap sees it.
#[derive(Clone, Copy, Debug)]
struct Grain {
    /// Distance from the axis [m].
    distance: f64,
    /// Direction from the axis as a part of a turn, in [0, 1).
    turn: f64,
    /// Height of its top [m].
    top: f64,
}

/// (middle radius, height of the surface) of rings [m], from the axis outwards.
type Profile = Vec<(f64, f64)>;

/// Measures the heap of some particles about an axis.
pub fn measure(world: &World, selection: Selection, axis: Axis) -> Heap {
    let p = &world.state.particles;
    let places = selection.particles(world);
    let sizes = places.iter().map(|&i| 2.0 * f64::from(p.radius[i]));
    let size = sizes.fold(0.0, f64::max);
    let grain = |&i: &usize| Grain {
        distance: axis.radius(p.position[i]),
        turn: axis.turn(p.position[i]),
        top: axis.height(p.position[i]) + f64::from(p.radius[i]),
    };
    let grains: Vec<Grain> = places.iter().map(grain).collect();
    of_grains(&grains, size)
}

/// The heap of grains of which the greatest has a diameter [m].
fn of_grains(grains: &[Grain], size: f64) -> Heap {
    let width = RING_WIDTH * size;
    let tops = tops(grains, width);
    let profile = profile(&tops, width, None);
    let least = LEAST_HEIGHT * size;
    let Some(span) = Span::of(&profile).filter(|s| s.summit - s.foot >= least) else {
        return Heap::default();
    };
    let slope = |profile: &Profile| span.flank(profile).map(|f| libm::atan(median_descent(&f)));
    let parts: Vec<f64> = (0..PARTS)
        .filter_map(|part| slope(&self::profile(&tops, width, Some(part))))
        .collect();
    Heap {
        slope: slope(&profile).unwrap_or(0.0),
        scatter: match parts.len() >= LEAST_PARTS {
            true => deviation(&parts),
            false => 0.0,
        },
        // The grains of the foot stand on the ground.
        height_over_reach: (span.summit - span.foot + size) / (span.reach + 0.5 * width),
    }
}

/// Where a heap's flank is.
#[derive(Clone, Copy, Debug)]
struct Span {
    /// Radius of the highest ring, which surrounds the crater if a jet has made one [m].
    ridge: f64,
    /// Height of that ring [m].
    summit: f64,
    /// Height of the lowest ring outside of the ridge [m].
    foot: f64,
    /// Radius of the outermost ring [m].
    reach: f64,
}

impl Span {
    /// `None` without a heap.
    fn of(profile: &Profile) -> Option<Self> {
        let highest = |a: (f64, f64), &b: &(f64, f64)| if b.1 > a.1 { b } else { a };
        let (ridge, summit) = profile.iter().fold(*profile.first()?, highest);
        let outside = profile.iter().filter(|ring| ring.0 >= ridge);
        let lowest = outside.map(|ring| ring.1).fold(f64::INFINITY, f64::min);
        Some(Self {
            ridge,
            summit,
            foot: lowest,
            reach: profile.last()?.0,
        })
    }

    /// The part of a profile between the heights of the flank, with the points where it passes them:
    /// from the ridge outwards to where it first falls below. `None` for fewer than two points.
    fn flank(&self, profile: &Profile) -> Option<Profile> {
        let height = self.summit - self.foot;
        let [low, high] = FLANK.map(|share| self.foot + share * height);
        let outside = profile.iter().filter(|ring| ring.0 >= self.ridge);
        let mut flank = Profile::new();
        let mut before: Option<(f64, f64)> = None;
        for &(radius, top) in outside {
            if let Some((inner, above)) = before {
                let passes = [high, low].into_iter().filter(|h| above > *h && top < *h);
                flank.extend(passes.map(|h| {
                    let share = (above - h) / (above - top);
                    (inner + share * (radius - inner), h)
                }));
            }
            if top < low {
                break;
            }
            if top <= high {
                flank.push((radius, top));
            }
            before = Some((radius, top));
        }
        (flank.len() >= 2).then_some(flank)
    }
}

/// The highest top in each sector of each ring.
fn tops(grains: &[Grain], width: f64) -> BTreeMap<usize, BTreeMap<usize, f64>> {
    let mut tops: BTreeMap<usize, BTreeMap<usize, f64>> = BTreeMap::new();
    for grain in grains {
        let ring = (grain.distance / width) as usize;
        let sector = (grain.turn * sector_count(ring) as f64) as usize;
        let highest = tops.entry(ring).or_default().entry(sector);
        highest
            .and_modify(|h| *h = h.max(grain.top))
            .or_insert(grain.top);
    }
    tops
}

/// The rings that have a surface, all around or in one of the parts of a turn.
fn profile(
    tops: &BTreeMap<usize, BTreeMap<usize, f64>>,
    width: f64,
    part: Option<usize>,
) -> Profile {
    let surface_of = |(&ring, tops): (&usize, &BTreeMap<usize, f64>)| {
        let count = sector_count(ring);
        let is_in_part = |sector: usize| part.is_none_or(|part| sector * PARTS / count == part);
        let sectors = (0..count).filter(|&sector| is_in_part(sector)).count();
        let inside = tops.iter().filter(|(sector, _)| is_in_part(**sector));
        let heights: Vec<f64> = inside.map(|(_, top)| *top).collect();
        Some(((ring as f64 + 0.5) * width, surface(heights, sectors)?))
    };
    tops.iter().filter_map(surface_of).collect()
}

/// Sectors of a ring about as long as it is wide.
fn sector_count(ring: usize) -> usize {
    (2.0 * std::f64::consts::PI * (ring as f64 + 0.5)).ceil() as usize
}

/// Median of the heights in all sectors, of which those without grains are lowest; `None` if it is one
/// of these.
fn surface(mut tops: Vec<f64>, sectors: usize) -> Option<f64> {
    tops.sort_unstable_by(|a, b| b.total_cmp(a));
    tops.get(sectors / 2).copied()
}

/// How steeply the line through points falls: the median over all pairs, 0 for fewer than two points.
fn median_descent(points: &[(f64, f64)]) -> f64 {
    let pairs = (0..points.len()).flat_map(|i| (0..i).map(move |j| (points[j], points[i])));
    let mut descents: Vec<f64> = pairs
        .filter(|(inner, outer)| outer.0 > inner.0)
        .map(|(inner, outer)| (inner.1 - outer.1) / (outer.0 - inner.0))
        .collect();
    descents.sort_unstable_by(f64::total_cmp);
    let middle = |k: usize| descents.get(k).copied().unwrap_or(0.0);
    let count = descents.len();
    0.5 * (middle(count / 2) + middle(count.saturating_sub(1) / 2))
}

/// Standard deviation of some numbers about their mean, at least two.
fn deviation(numbers: &[f64]) -> f64 {
    let count = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    let squares = numbers.iter().map(|x| (x - mean) * (x - mean));
    libm::sqrt(squares.sum::<f64>() / (count - 1.0))
}

#[cfg(test)]
mod tests;

//! `placements.usdc`: where colliders and rigid bodies are, as keyframes. Programs interpolate between these, so that
//! bodies move and turn between frames and are blurred; values of clips would be held until the next frame.

use std::collections::BTreeMap;
use std::path::Path;

use super::super::placement::Placement;
use super::super::rows::first_of_bodies;
use super::super::{Moment, PlacedBy};
use super::beside::world;
use super::stage::{Kind, ORIENT, Stage, TRANSLATE, Thing, VISIBILITY};
use super::track::Track;
use crate::mesh::{Keyframes, Told, keyframes};
use crate::read_bytes;
use crate::usdc::{Attribute, AttributeKind, Held, Layer, Prim, Value};

/// What is seen, and what is not.
const SEEN: &str = "inherited";
const UNSEEN: &str = "invisible";

/// The placements in all frames so far, by names of prims.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Placements {
    courses: BTreeMap<String, Course>,
}

/// That of one prim.
#[derive(Clone, Debug, Default, PartialEq)]
struct Course {
    placement: Track<Placement>,
    is_there: Track<bool>,
}

impl Placements {
    /// Reads them from a file; `None` if it is missing, or was not written here.
    pub fn read(path: &Path) -> Option<Self> {
        let told = keyframes(&read_bytes(path).ok()?).ok()?;
        let mut courses: BTreeMap<String, Course> = BTreeMap::new();
        for one in &told {
            let course = courses.entry(one.prim.clone()).or_default();
            match one.attribute.as_str() {
                TRANSLATE => {
                    let mut others = told.iter().filter(|other| other.prim == one.prim);
                    let rotations = others.find(|other| other.attribute == ORIENT)?;
                    course.placement = Track::new(placements(one, rotations)?);
                }
                VISIBILITY => course.is_there = Track::new(visibilities(one)?),
                _ => {}
            }
        }
        Some(Self { courses })
    }

    /// Forgets what comes after a frame.
    pub fn cut(&mut self, last: u32) {
        for course in self.courses.values_mut() {
            course.placement.cut(last);
            course.is_there.cut(last);
        }
    }

    /// Takes in a frame; returns whether it changed a keyframe.
    ///
    /// * `known` — the first frame and the last that were taken in before
    pub fn add(&mut self, moment: &Moment, stage: &Stage, known: Option<[u32; 2]>) -> bool {
        let number = moment.frame.number;
        let first = first_of_bodies(moment.frame);
        let mut has_changed = false;
        for (thing, placed_by) in placed(moment, stage) {
            let course = self.courses.entry(thing.name.clone()).or_default();
            let particle_of = |body: u32| first.get(body as usize).copied().flatten();
            let placement = Placement::of(placed_by, moment.frame, particle_of);
            if let Some(placement) = placement {
                has_changed |= course.placement.set(number, placement, known);
            }
            if let PlacedBy::Body { .. } = placed_by {
                // What came later was not there before.
                if let Some([first, _]) = known.filter(|_| course.is_there.is_empty()) {
                    has_changed |= course.is_there.set(first, false, None);
                }
                has_changed |= course.is_there.set(number, placement.is_some(), known);
            }
        }
        has_changed
    }

    /// The layer that tells them.
    pub fn layer(&self, moment: &Moment, stage: &Stage) -> Layer<'static> {
        let prim = |(thing, placed_by): (&Thing, PlacedBy)| {
            let course = self.courses.get(&thing.name).cloned().unwrap_or_default();
            Prim {
                name: thing.name.clone(),
                type_name: None,
                attributes: course.attributes(placed_by),
                children: Vec::new(),
            }
        };
        Layer {
            time_codes_per_second: Some(moment.scene.frame_rate),
            ..world(None, placed(moment, stage).map(prim).collect())
        }
    }
}

/// The prims that are placed, with what tells where they are.
fn placed<'a>(
    moment: &'a Moment<'_>,
    stage: &'a Stage,
) -> impl Iterator<Item = (&'a Thing, PlacedBy)> {
    stage.things.iter().filter_map(|thing| match thing.kind {
        Kind::Collider { index } => Some((thing, moment.scene.colliders[index].placed_by)),
        _ => None,
    })
}

impl Course {
    fn attributes(&self, placed_by: PlacedBy) -> Vec<Attribute<'static>> {
        let placements = self.placement.keys();
        let mut attributes = vec![
            told(TRANSLATE, "double3", placements, |placement| {
                Value::Double3(placement.translation)
            }),
            told(ORIENT, "quatf", placements, |placement| {
                Value::Quaternion(placement.rotation)
            }),
        ];
        if let PlacedBy::Body { .. } = placed_by {
            let is_there = self.is_there.keys();
            attributes.push(told(VISIBILITY, "token", is_there, |is_there| {
                Value::Token(if *is_there { SEEN } else { UNSEEN })
            }));
        }
        attributes
    }
}

/// An attribute with values at frames.
fn told<T>(
    name: &str,
    kind: &'static str,
    keys: &[(u32, T)],
    value: impl Fn(&T) -> Value<'static>,
) -> Attribute<'static> {
    let keyframes = keys.iter();
    let keyframes = keyframes.map(|(frame, told)| (f64::from(*frame), value(told)));
    Attribute {
        name: name.to_owned(),
        kind: AttributeKind::varying(kind),
        value: match keys.is_empty() {
            true => Held::Never,
            false => Held::Keyframes(keyframes.collect()),
        },
    }
}

fn placements(translations: &Keyframes, rotations: &Keyframes) -> Option<Vec<(u32, Placement)>> {
    if translations.values.len() != rotations.values.len() {
        return None;
    }
    let both = translations.values.iter().zip(&rotations.values);
    let placement = |((time, translation), (_, rotation)): (&(f64, Told), &(f64, Told))| {
        let (Told::Numbers(translation), Told::Numbers(rotation)) = (translation, rotation) else {
            return None;
        };
        let &[w, x, y, z] = rotation.as_slice() else {
            return None;
        };
        let placement = Placement {
            translation: translation.as_slice().try_into().ok()?,
            rotation: [x, y, z, w].map(|component| component as f32),
        };
        Some((*time as u32, placement))
    };
    both.map(placement).collect()
}

fn visibilities(told: &Keyframes) -> Option<Vec<(u32, bool)>> {
    let is_there = |(time, told): &(f64, Told)| match told {
        Told::Name(name) => Some((*time as u32, name == SEEN)),
        Told::Numbers(_) => None,
    };
    told.values.iter().map(is_there).collect()
}

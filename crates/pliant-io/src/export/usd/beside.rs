//! The files beside the frames: what varies, the shapes of colliders, where these are, and the scene.

use pliant_core::measure::{Frame, Quantity};
use pliant_math::DVec3;

use super::super::{CollectionError, IndexKind, Moment, PlacedBy, SeriesIndex, SeriesPlace};
use super::EXPORTER;
use super::placements::Placements;
use super::shape;
use super::stage::{CENTER, Kind, ORDER, ORIENT, Stage, TRANSLATE, Thing, WORLD};
use super::top::{Frames, text};
use crate::usdc::{self, Attribute, AttributeKind, Layer, Prim, Value};
use crate::{FileError, read_text, write_bytes, write_file};

pub(super) const INDEX: IndexKind = IndexKind {
    names: |_| {
        [SCENE, MANIFEST, COLLIDERS, PLACEMENTS]
            .map(String::from)
            .to_vec()
    },
    open,
};

const SCENE: &str = "scene.usda";
const MANIFEST: &str = "manifest.usdc";
const COLLIDERS: &str = "colliders.usdc";
const PLACEMENTS: &str = "placements.usdc";

/// The scene that the frames are in.
#[derive(Debug)]
struct SceneFile {
    place: SeriesPlace,
    /// The first frame and the last that `scene.usda` names, if there is one.
    named: Option<[u32; 2]>,
    /// Where colliders and rigid bodies are in these.
    placements: Placements,
    /// What `manifest.usdc` and `colliders.usdc` were written for.
    stage: Option<Stage>,
}

fn open(place: &SeriesPlace, after: f64) -> Result<Box<dyn SeriesIndex>, CollectionError> {
    let path = INDEX.path(place);
    let named = match path.is_file() {
        true => named_frames(&read_text(&path)?, after),
        false => None,
    };
    // Without the placements the scene is put together anew from the frames.
    let known = named.and_then(|[first, last]| {
        let mut placements = Placements::read(&place.folder.join(PLACEMENTS))?;
        placements.cut(last);
        Some(([first, last], placements))
    });
    let (named, placements) = known.unzip();
    Ok(Box::new(SceneFile {
        place: place.clone(),
        named,
        placements: placements.unwrap_or_default(),
        stage: None,
    }))
}

/// The first frame and the last that a scene names, up to a time [s]. One that cannot be understood
/// names none, and is written anew.
fn named_frames(scene: &str, after: f64) -> Option<[u32; 2]> {
    let value = |key: &str| {
        let mut lines = scene.lines();
        let found = lines.find_map(|line| line.trim().strip_prefix(key)?.strip_prefix(" = "));
        found.and_then(|value| value.parse::<f64>().ok())
    };
    let [first, last] = [value("startTimeCode")?, value("endTimeCode")?];
    let up_to = (after * value("timeCodesPerSecond")?).round() + 1.0;
    let last = last.min(up_to);
    (first >= 1.0 && last >= first).then_some([first as u32, last as u32])
}

impl SeriesIndex for SceneFile {
    fn has(&self, file: &str) -> bool {
        let files = self.place.files(&EXPORTER);
        let named = self.named.map(|[first, last]| first..=last);
        named.is_some_and(|mut frames| frames.any(|number| files.name(number) == file))
    }

    fn append(&mut self, moment: &Moment, _file: &str) -> Result<(), CollectionError> {
        let quantities = names_of_quantities(moment);
        let frame = with_all_bodies(moment, &quantities);
        // What is beside the frames knows all bodies, and of quantities the names alone.
        let whole = &Moment {
            frame: &frame,
            ..*moment
        };
        let stage = Stage::of(whole);
        let is_new = self.stage.as_ref() != Some(&stage);
        if is_new {
            self.write(COLLIDERS, &colliders(whole, &stage))?;
            self.write(MANIFEST, &manifest(whole, &stage))?;
        }
        let has_moved = self.placements.add(moment, &stage, self.named);
        if has_moved || is_new {
            self.write(PLACEMENTS, &self.placements.layer(whole, &stage))?;
        }
        let number = moment.frame.number;
        let [first, last] = self.named.unwrap_or([number; 2]);
        let [first, last] = [first.min(number), last.max(number)];
        let frames = Frames {
            first,
            last,
            stem: self.place.stem,
            manifest: MANIFEST,
            colliders: COLLIDERS,
            placements: PLACEMENTS,
        };
        let text = text(whole, &stage, &frames);
        write_bytes(&self.place.folder.join(SCENE), text.as_bytes())?;
        (self.named, self.stage) = (Some([first, last]), Some(stage));
        Ok(())
    }
}

impl SceneFile {
    fn write(&self, name: &str, layer: &Layer) -> Result<(), FileError> {
        let path = self.place.folder.join(name);
        write_file(&path, |out| usdc::write(layer, out))
    }
}

/// The quantities of all frames, without values.
fn names_of_quantities(moment: &Moment) -> Vec<Quantity> {
    let of_frame = moment.frame.quantities.iter().map(|quantity| quantity.name);
    let mut names: Vec<&'static str> = of_frame.collect();
    for name in &moment.scene.later_quantities {
        if !names.contains(name) {
            names.push(name);
        }
    }
    let quantity = |name| Quantity {
        name,
        ..Quantity::default()
    };
    names.into_iter().map(quantity).collect()
}

/// A frame with the bodies that come later too: what is beside the frames is about all of them.
fn with_all_bodies<'a>(moment: &Moment<'a>, quantities: &'a [Quantity]) -> Frame<'a> {
    let (known, all) = (moment.frame.bodies, moment.scene.bodies.as_slice());
    Frame {
        bodies: if all.len() > known.len() { all } else { known },
        quantities,
        ..*moment.frame
    }
}

/// The layer that tells which attributes the frames have values of.
fn manifest(moment: &Moment, stage: &Stage) -> Layer<'static> {
    let attributes = |thing: &Thing| {
        let in_clips = thing.in_clips(moment).into_iter();
        in_clips.map(|varying| varying.declared()).collect()
    };
    let prims = stage.things.iter().map(|thing| Prim {
        name: thing.name.clone(),
        type_name: None,
        attributes: attributes(thing),
        children: match thing.kind {
            Kind::Collider { index } => shape::declared(&moment.scene.colliders[index]),
            _ => Vec::new(),
        },
    });
    world(None, prims.collect())
}

/// The layer with what never changes of colliders and rigid bodies.
fn colliders(moment: &Moment, stage: &Stage) -> Layer<'static> {
    let prims = stage.things.iter().filter_map(|thing| match thing.kind {
        Kind::Collider { index } => Some(collider(moment, thing, index)),
        _ => None,
    });
    world(Some("Xform"), prims.collect())
}

fn collider(moment: &Moment, thing: &Thing, index: usize) -> Prim<'static> {
    let collider = &moment.scene.colliders[index];
    let center = match collider.placed_by {
        PlacedBy::Collider(_) => DVec3::ZERO,
        PlacedBy::Body { center, .. } => center,
    };
    let place = Value::Double3((-center).to_array());
    let order = Value::Tokens(vec![TRANSLATE, ORIENT, CENTER]);
    Prim {
        name: thing.name.clone(),
        type_name: Some("Xform"),
        attributes: vec![
            Attribute::always(CENTER, AttributeKind::varying("double3"), place),
            Attribute::always(ORDER, AttributeKind::uniform("token[]"), order),
        ],
        children: vec![shape::unvarying(collider)],
    }
}

/// A layer in which everything is below the world.
pub(super) fn world(
    type_name: Option<&'static str>,
    children: Vec<Prim<'static>>,
) -> Layer<'static> {
    Layer {
        default_prim: WORLD,
        time_codes_per_second: None,
        prims: vec![Prim {
            name: WORLD.to_owned(),
            type_name,
            attributes: Vec::new(),
            children,
        }],
    }
}

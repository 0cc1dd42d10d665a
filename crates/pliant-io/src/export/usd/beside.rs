//! The files beside the frames: what varies, the shapes of colliders, and the scene.

use pliant_core::measure::{Frame, Quantity};
use pliant_math::DVec3;

use super::super::{CollectionError, IndexKind, Moment, PlacedBy, SeriesIndex, SeriesPlace};
use super::EXPORTER;
use super::shape;
use super::stage::{CENTER, Kind, ORDER, ORIENT, Stage, TRANSLATE, Thing, VISIBILITY, WORLD};
use super::top::{Frames, text};
use crate::usdc::{self, Attribute, AttributeKind, Layer, Prim, Value};
use crate::{read_text, write_bytes, write_file};

pub(super) const INDEX: IndexKind = IndexKind {
    names: |_| [SCENE, MANIFEST, COLLIDERS].map(String::from).to_vec(),
    open,
};

const SCENE: &str = "scene.usda";
const MANIFEST: &str = "manifest.usdc";
const COLLIDERS: &str = "colliders.usdc";

/// The scene that the frames are in.
#[derive(Debug)]
struct SceneFile {
    place: SeriesPlace,
    /// The first frame and the last that `scene.usda` names, if there is one.
    named: Option<[u32; 2]>,
    /// What `manifest.usdc` and `colliders.usdc` were written for.
    stage: Option<Stage>,
}

fn open(place: &SeriesPlace, after: f64) -> Result<Box<dyn SeriesIndex>, CollectionError> {
    let path = INDEX.path(place);
    let named = match path.is_file() {
        true => named_frames(&read_text(&path)?, after),
        false => None,
    };
    Ok(Box::new(SceneFile {
        place: place.clone(),
        named,
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
        let moment = &Moment {
            frame: &frame,
            ..*moment
        };
        let stage = Stage::of(moment);
        let folder = &self.place.folder;
        if self.stage.as_ref() != Some(&stage) {
            let layers = [
                (COLLIDERS, colliders(moment, &stage)),
                (MANIFEST, manifest(moment, &stage)),
            ];
            for (name, layer) in layers {
                write_file(&folder.join(name), |out| usdc::write(&layer, out))?;
            }
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
        };
        let text = text(moment, &stage, &frames);
        write_bytes(&folder.join(SCENE), text.as_bytes())?;
        (self.named, self.stage) = (Some([first, last]), Some(stage));
        Ok(())
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

/// The layer that tells which attributes the frames have values of. What comes later is not seen before.
fn manifest(moment: &Moment, stage: &Stage) -> Layer<'static> {
    let attributes = |thing: &Thing| {
        let varying = thing.varying(moment).into_iter();
        let declared = varying.map(|varying| match varying.name.as_str() {
            VISIBILITY => Attribute::always(VISIBILITY, varying.kind, Value::Token("invisible")),
            _ => varying.declared(),
        });
        declared.collect()
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
fn world(type_name: Option<&'static str>, children: Vec<Prim<'static>>) -> Layer<'static> {
    Layer {
        default_prim: WORLD,
        prims: vec![Prim {
            name: WORLD.to_owned(),
            type_name,
            attributes: Vec::new(),
            children,
        }],
    }
}

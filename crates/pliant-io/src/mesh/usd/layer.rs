//! What a layer says: prims with attributes, and what they take from elsewhere.

use std::rc::Rc;

use super::MeshProblem;
use super::binary::Stored;
use super::clips::{FromClips, SetOrder, ToldSet};
use super::relationships::Relationships;

/// A layer: what one file says.
#[derive(Clone, Debug, Default)]
pub(super) struct Layer {
    pub(super) head: Head,
    /// Layers that say what this one leaves open, the first above all others.
    pub(super) sublayers: Vec<String>,
    pub(super) prims: Vec<Prim>,
}

/// What a layer says of itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Head {
    pub(super) default_prim: Option<String>,
    pub(super) meters_per_unit: Option<f64>,
    pub(super) up_axis: Option<String>,
    pub(super) time_codes_per_second: Option<f64>,
    pub(super) frames_per_second: Option<f64>,
    pub(super) start: Option<f64>,
    pub(super) end: Option<f64>,
}

/// A prim: a named node of the tree.
#[derive(Clone, Debug, Default)]
pub(super) struct Prim {
    pub(super) name: String,
    pub(super) specifier: Specifier,
    pub(super) type_name: Option<String>,
    pub(super) is_active: Option<bool>,
    pub(super) references: Vec<Arc>,
    pub(super) payloads: Vec<Arc>,
    pub(super) inherits: Vec<Arc>,
    pub(super) specializes: Vec<Arc>,
    /// Which variant of a set is taken.
    pub(super) selections: Vec<(String, String)>,
    pub(super) variant_sets: Vec<VariantSet>,
    pub(super) attributes: Vec<(String, Attribute)>,
    /// Whether prims below it are as where it takes them from, whatever its own layer says of them.
    pub(super) is_instanceable: Option<bool>,
    /// Which prims it leads to: those that a point instancer shows, skeletons, blend shapes.
    pub(super) relationships: Relationships,
    /// Instances of a point instancer that are switched off.
    pub(super) inactive_ids: Vec<f64>,
    /// Sets of value clips by their names, until they are spread over the attributes; then those that do not name their
    /// files.
    pub(super) clips: Vec<(String, ToldSet)>,
    /// Which of them are stronger.
    pub(super) clip_order: Option<SetOrder>,
    pub(super) children: Vec<Prim>,
}

/// Whether a prim is there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Specifier {
    /// Only if another layer has it.
    #[default]
    Over,
    /// It is.
    Def,
    /// For others to take from.
    Class,
}

/// A set of variants, of which one is taken.
#[derive(Clone, Debug, Default)]
pub(super) struct VariantSet {
    pub(super) name: String,
    /// What each says, by its name.
    pub(super) variants: Vec<Prim>,
}

/// Where something is taken from.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Arc {
    /// The file; the layer itself if there is none.
    pub(super) file: Option<String>,
    /// Path of the prim; the default prim if there is none.
    pub(super) prim: Option<String>,
    /// How times of the other file become times of this one.
    pub(super) time: TimeShift,
}

/// `time = scale other + offset`
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TimeShift {
    pub(super) offset: f64,
    pub(super) scale: f64,
}

impl TimeShift {
    /// The time of this layer, from that of the other one.
    pub(super) fn apply(self, time: f64) -> f64 {
        self.scale * time + self.offset
    }

    /// The time of the other layer, from that of this one.
    pub(super) fn undo(self, time: f64) -> f64 {
        (time - self.offset) / self.scale
    }

    /// This one and then another one.
    pub(super) fn then(self, after: Self) -> Self {
        Self {
            offset: after.apply(self.offset),
            scale: after.scale * self.scale,
        }
    }
}

impl Default for TimeShift {
    fn default() -> Self {
        Self {
            offset: 0.0,
            scale: 1.0,
        }
    }
}

/// An attribute.
#[derive(Clone, Debug, Default)]
pub(super) struct Attribute {
    /// Its value at all times.
    pub(super) default: Option<Held>,
    /// Its values at times, which rise.
    pub(super) samples: Vec<(f64, Held)>,
    /// Clips that hold the samples: of these only those around the time that is looked at are there.
    pub(super) clips: Option<FromClips>,
    /// Whether it never changes with time.
    pub(super) is_uniform: bool,
    /// How many values there are for what, as `interpolation` tells.
    pub(super) interpolation: Option<String>,
    /// How many values belong together, as `elementSize` tells.
    pub(super) element_size: Option<f64>,
    /// The weight at which a blend shape has it, as `weight` tells of an in-between.
    pub(super) weight: Option<f64>,
}

impl Attribute {
    /// Whether nothing is said of its value.
    pub(super) fn is_open(&self) -> bool {
        self.default.is_none() && self.samples.is_empty() && self.clips.is_none()
    }

    /// What a weaker layer says of what is left open.
    fn take_from(&mut self, weaker: Self) {
        if self.is_open() {
            self.default = weaker.default;
            self.samples = weaker.samples;
            self.clips = weaker.clips;
        }
        self.interpolation = self.interpolation.take().or(weaker.interpolation);
        self.element_size = self.element_size.or(weaker.element_size);
        self.weight = self.weight.or(weaker.weight);
    }
}

/// A value, or where it is.
#[derive(Clone, Debug)]
pub(super) enum Held {
    Here(Rc<Value>),
    Stored(Stored),
    /// Between two, so far from the first one to the second.
    Between(Rc<(Self, Self, f64)>),
}

/// A value, of which only is kept what meshes are made of.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// Numbers, vectors, matrices and arrays of them, one after the other. Of quaternions the real part is first.
    Numbers(Vec<f64>),
    /// Texts.
    Texts(Vec<String>),
    /// What another layer says does not count.
    Blocked,
    /// Something else.
    Other,
}

impl Held {
    pub(super) fn of(value: Value) -> Self {
        Self::Here(Rc::new(value))
    }

    /// The value, read from its file if it is there; between two, the first.
    ///
    /// # Errors
    /// If the file is damaged there.
    pub(super) fn value(&self) -> Result<Rc<Value>, MeshProblem> {
        match self {
            Self::Here(value) => Ok(value.clone()),
            Self::Stored(stored) => Ok(Rc::new(stored.value()?)),
            Self::Between(pair) => pair.0.value(),
        }
    }
}

impl Head {
    /// Whether a key is of those that are kept.
    pub(super) fn has(key: &str) -> bool {
        const KEYS: [&str; 7] = [
            "defaultPrim",
            "metersPerUnit",
            "upAxis",
            "timeCodesPerSecond",
            "framesPerSecond",
            "startTimeCode",
            "endTimeCode",
        ];
        KEYS.contains(&key)
    }

    /// Keeps the value of a key.
    pub(super) fn tell(&mut self, key: &str, value: &Value) {
        let text = match value {
            Value::Texts(texts) => texts.first().cloned(),
            _ => None,
        };
        let number = match value {
            Value::Numbers(numbers) => numbers.first().copied(),
            _ => None,
        };
        match key {
            "defaultPrim" => self.default_prim = text,
            "metersPerUnit" => self.meters_per_unit = number,
            "upAxis" => self.up_axis = text,
            "timeCodesPerSecond" => self.time_codes_per_second = number,
            "framesPerSecond" => self.frames_per_second = number,
            "startTimeCode" => self.start = number,
            "endTimeCode" => self.end = number,
            _ => {}
        }
    }

    /// What a weaker layer says of what is left open.
    pub(super) fn or(self, weaker: Self) -> Self {
        Self {
            default_prim: self.default_prim.or(weaker.default_prim),
            meters_per_unit: self.meters_per_unit.or(weaker.meters_per_unit),
            up_axis: self.up_axis.or(weaker.up_axis),
            time_codes_per_second: self.time_codes_per_second.or(weaker.time_codes_per_second),
            frames_per_second: self.frames_per_second.or(weaker.frames_per_second),
            start: self.start.or(weaker.start),
            end: self.end.or(weaker.end),
        }
    }

    /// Time codes in a second.
    pub(super) fn time_codes_per_second(&self) -> f64 {
        /// What files mean that do not say it (OpenUSD, `SdfSchema`).
        const USUAL: f64 = 24.0;
        let told = self.time_codes_per_second.or(self.frames_per_second);
        told.filter(|rate| rate.is_finite() && *rate > 0.0)
            .unwrap_or(USUAL)
    }
}

impl Prim {
    /// The prim below at a path of names.
    pub(super) fn below<'p>(prims: &'p [Self], path: &str) -> Option<&'p Self> {
        Self::along(prims, path)?.pop()
    }

    /// The same after all those above it, the first one first.
    pub(super) fn along<'p>(prims: &'p [Self], path: &str) -> Option<Vec<&'p Self>> {
        let mut below = prims;
        let names = path.split('/').filter(|name| !name.is_empty());
        let step = |name| {
            let prim = below.iter().find(|prim| prim.name == name)?;
            below = &prim.children;
            Some(prim)
        };
        names.map(step).collect()
    }

    /// What a weaker prim says of what is left open.
    pub(super) fn take_from(&mut self, weaker: Self) {
        if self.specifier == Specifier::Over {
            self.specifier = weaker.specifier;
        }
        self.type_name = self.type_name.take().or(weaker.type_name);
        self.is_active = self.is_active.or(weaker.is_active);
        self.is_instanceable = self.is_instanceable.or(weaker.is_instanceable);
        self.relationships.take_from(weaker.relationships);
        if self.inactive_ids.is_empty() {
            self.inactive_ids = weaker.inactive_ids;
        }
        self.references.extend(weaker.references);
        self.payloads.extend(weaker.payloads);
        self.inherits.extend(weaker.inherits);
        self.specializes.extend(weaker.specializes);
        self.selections.extend(weaker.selections);
        self.clips.extend(weaker.clips);
        for set in weaker.variant_sets {
            match self.variant_sets.iter_mut().find(|s| s.name == set.name) {
                Some(own) => join(&mut own.variants, set.variants),
                None => self.variant_sets.push(set),
            }
        }
        for (name, attribute) in weaker.attributes {
            match self.attributes.iter_mut().find(|(own, _)| *own == name) {
                Some((_, own)) => own.take_from(attribute),
                None => self.attributes.push((name, attribute)),
            }
        }
        join(&mut self.children, weaker.children);
    }

    /// The attribute of a name, which is made if it is not there.
    pub(super) fn attribute_mut(&mut self, name: &str) -> &mut Attribute {
        let known = self.attributes.iter().position(|(own, _)| own == name);
        let place = known.unwrap_or_else(|| {
            let new = (name.to_owned(), Attribute::default());
            self.attributes.push(new);
            self.attributes.len() - 1
        });
        &mut self.attributes[place].1
    }

    pub(super) fn attribute(&self, name: &str) -> Option<&Attribute> {
        let own = self.attributes.iter().find(|(own, _)| own == name);
        own.map(|(_, attribute)| attribute)
    }

    /// Whether it takes anything from elsewhere.
    pub(super) fn has_arcs(&self) -> bool {
        let arcs = [
            &self.references,
            &self.payloads,
            &self.inherits,
            &self.specializes,
        ];
        arcs.iter().any(|arcs| !arcs.is_empty())
    }

    /// Makes paths of prims below one lead to what is below another one.
    pub(super) fn redirect(&mut self, from: &str, to: &str) {
        self.relationships.redirect(from, to);
        for child in &mut self.children {
            child.redirect(from, to);
        }
    }

    /// Shifts the times of everything that it says.
    pub(super) fn shift_times(&mut self, shift: TimeShift) {
        for (_, attribute) in &mut self.attributes {
            for (time, _) in &mut attribute.samples {
                *time = shift.apply(*time);
            }
            if let Some(clips) = &mut attribute.clips {
                clips.shift = clips.shift.then(shift);
            }
        }
        for child in &mut self.children {
            child.shift_times(shift);
        }
    }
}

/// Joins prims with weaker ones of the same names.
pub(super) fn join(prims: &mut Vec<Prim>, weaker: Vec<Prim>) {
    for other in weaker {
        match prims.iter_mut().find(|prim| prim.name == other.name) {
            Some(prim) => prim.take_from(other),
            None => prims.push(other),
        }
    }
}

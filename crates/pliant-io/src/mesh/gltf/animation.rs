//! Animations: nodes and weights of morph targets over time.

use gltf::Document;
use gltf::animation::{Interpolation, Property};
use pliant_math::{DQuat, DVec3};

use super::accessors::read_numbers;
use super::malformed;
use super::pose::{Parts, Place, Pose};
use crate::mesh::MeshProblem;

/// An animation of a file.
pub(super) struct Animation {
    channels: Vec<Channel>,
}

/// What becomes of one property of a node.
struct Channel {
    node: usize,
    property: Property,
    interpolation: Interpolation,
    /// Of its keyframes, at least one [s].
    times: Vec<f64>,
    /// Of each keyframe so many numbers, and with tangents three times as many.
    values: Vec<f64>,
    width: usize,
}

impl Animation {
    /// The animation of a name, or the first.
    pub(super) fn read(
        file: &Document,
        buffers: &[Vec<u8>],
        name: Option<&str>,
    ) -> Result<Self, MeshProblem> {
        let mut all = file.animations();
        let found = match name {
            None => all.next(),
            Some(name) => all.find(|animation| animation.name() == Some(name)),
        };
        let found = found.ok_or_else(|| {
            let names = file.animations().filter_map(|animation| animation.name());
            let names: Vec<&str> = names.collect();
            malformed(match name {
                None => "it has no animation".to_owned(),
                Some(name) => format!("it has no animation `{name}`, but {}", listed(&names)),
            })
        })?;
        let channels = found
            .channels()
            .map(|channel| Channel::read(&channel, buffers));
        let channels: Vec<Channel> = channels.collect::<Result<_, _>>()?;
        let animation = Self { channels };
        let duration = animation.duration();
        if duration.is_finite() && duration > 0.0 {
            Ok(animation)
        } else {
            Err(malformed("its animation takes no time"))
        }
    }

    /// Time of its first keyframe [s].
    pub(super) fn start(&self) -> f64 {
        let firsts = self.channels.iter().map(|channel| channel.times[0]);
        firsts.fold(f64::INFINITY, f64::min)
    }

    /// From its first keyframe to its last [s].
    pub(super) fn duration(&self) -> f64 {
        let lasts = self
            .channels
            .iter()
            .filter_map(|channel| channel.times.last());
        lasts.copied().fold(f64::NEG_INFINITY, f64::max) - self.start()
    }

    /// The pose at a time [s]; what it does not say is as at rest.
    pub(super) fn pose(&self, rest: &Pose, time: f64) -> Pose {
        let mut pose = rest.clone();
        for channel in &self.channels {
            let node = &mut pose.nodes[channel.node];
            let value = channel.at(time);
            if channel.property == Property::MorphTargetWeights {
                node.weights = value;
            } else if let Place::Parts(parts) = &mut node.place {
                channel.set(parts, &value);
            }
        }
        pose
    }
}

impl Channel {
    fn read(channel: &gltf::animation::Channel, buffers: &[Vec<u8>]) -> Result<Self, MeshProblem> {
        let sampler = channel.sampler();
        let times = read_numbers(&sampler.input(), buffers)?;
        let values = read_numbers(&sampler.output(), buffers)?;
        let property = channel.target().property();
        let interpolation = sampler.interpolation();
        let width = match property {
            Property::Translation | Property::Scale => 3,
            Property::Rotation => 4,
            Property::MorphTargetWeights => values.len() / (times.len() * vectors(interpolation)),
        };
        let is_ascending = times.is_sorted() && times.iter().all(|time| time.is_finite());
        let is_whole = values.len() == times.len() * width * vectors(interpolation);
        if !is_ascending || !is_whole {
            return Err(malformed("the keyframes of its animation are damaged"));
        }
        Ok(Self {
            node: channel.target().node().index(),
            property,
            interpolation,
            times,
            values,
            width,
        })
    }

    /// Its numbers at a time [s].
    fn at(&self, time: f64) -> Vec<f64> {
        let after = self.times.partition_point(|&t| t <= time);
        let before = after.saturating_sub(1);
        if after == 0 || after == self.times.len() {
            return self.value(before).to_vec();
        }
        let way = self.times[after] - self.times[before];
        let share = (time - self.times[before]) / way;
        let (from, to) = (self.value(before), self.value(after));
        let pairs = from.iter().zip(to);
        match self.interpolation {
            Interpolation::Step => from.to_vec(),
            Interpolation::Linear if self.property == Property::Rotation => {
                let [from, to] = [from, to].map(|q| DQuat::from_slice(q).normalize());
                from.slerp(to, share).to_array().to_vec()
            }
            Interpolation::Linear => pairs.map(|(a, b)| a + (b - a) * share).collect(),
            Interpolation::CubicSpline => {
                let (leaving, arriving) = (self.vector(before, 2), self.vector(after, 0));
                let tangents = leaving.iter().zip(arriving);
                let (square, cube) = (share * share, share * share * share);
                let weights = [
                    2.0 * cube - 3.0 * square + 1.0,
                    3.0 * square - 2.0 * cube,
                    way * (cube - 2.0 * square + share),
                    way * (cube - square),
                ];
                let sum = |((a, b), (m, n)): ((&f64, &f64), (&f64, &f64))| {
                    weights[0] * a + weights[1] * b + weights[2] * m + weights[3] * n
                };
                pairs.zip(tangents).map(sum).collect()
            }
        }
    }

    /// The numbers of a keyframe.
    fn value(&self, keyframe: usize) -> &[f64] {
        self.vector(keyframe, vectors(self.interpolation) / 2)
    }

    /// One of the vectors of a keyframe.
    fn vector(&self, keyframe: usize, number: usize) -> &[f64] {
        let first = (keyframe * vectors(self.interpolation) + number) * self.width;
        &self.values[first..first + self.width]
    }

    fn set(&self, parts: &mut Parts, value: &[f64]) {
        match self.property {
            Property::Translation => parts.translation = DVec3::from_slice(value),
            Property::Scale => parts.scale = DVec3::from_slice(value),
            Property::Rotation => parts.rotation = DQuat::from_slice(value).normalize(),
            Property::MorphTargetWeights => {}
        }
    }
}

/// Vectors of a keyframe: its value, or the tangent before, the value, and the tangent behind.
fn vectors(interpolation: Interpolation) -> usize {
    match interpolation {
        Interpolation::CubicSpline => 3,
        Interpolation::Linear | Interpolation::Step => 1,
    }
}

fn listed(names: &[&str]) -> String {
    match names.is_empty() {
        true => "none with a name".to_owned(),
        false => names.join(", "),
    }
}

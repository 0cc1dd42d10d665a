//! The surfaces that are asked for, made frame after frame.

use pliant_core::measure::{Frame, FrameBody, FrameColumns};
use pliant_core::method::DrawnAs;
use pliant_io::export::{PlacedBy, SceneFacts};
use pliant_scene::Surface;
use pliant_surface::{SurfaceError, SurfaceSettings};

use super::columns::{add, empty_columns};
use super::group::groups;

/// A surface that is asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct SurfaceRequest {
    /// Around which particles.
    pub of: SurfaceOf,
    /// Edge of the cubes, in spacings of the particles.
    pub cube_size: f64,
    /// Passes of smoothing.
    pub smoothing_passes: u32,
}

/// Around which particles a surface is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum SurfaceOf {
    /// Of all bodies that are shown as particles.
    #[default]
    All,
    /// Of one body, by its name.
    Body(String),
    /// Of a material, by its name.
    Material(String),
}

/// A surface that cannot be: there is nothing that it could be around.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnknownSurface {
    /// Nothing has that name.
    #[error("there is no {what} `{name}` that is shown as particles; there are {known}")]
    Name {
        /// "body" or "material".
        what: &'static str,
        /// What was asked for.
        name: String,
        /// The names that would do.
        known: String,
    },
    /// All bodies have a surface already.
    #[error("no body of this scene is shown as particles: all have triangles or a surface already")]
    Nothing,
}

/// Why a frame has no surface.
#[derive(Debug, thiserror::Error)]
#[error("frame {frame}, material `{material}`: {error}")]
pub struct NoSurface {
    /// Number of the frame.
    pub frame: u32,
    /// Material of the particles.
    pub material: String,
    /// What is wrong.
    pub error: SurfaceError,
}

/// Makes surfaces of frames.
#[derive(Debug)]
pub struct SurfaceMaker {
    requests: Vec<(SurfaceRequest, Chosen)>,
    /// As files show them.
    bodies: Vec<FrameBody>,
}

/// Which particles a surface is around.
#[derive(Debug)]
struct Chosen {
    /// By the number of the body.
    bodies: Vec<bool>,
    /// The material; all if missing.
    material: Option<u32>,
}

impl Default for SurfaceRequest {
    fn default() -> Self {
        let usual = SurfaceSettings::of_spacing(1.0);
        Self {
            of: SurfaceOf::All,
            cube_size: usual.cube_size,
            smoothing_passes: usual.smoothing_passes,
        }
    }
}

impl SurfaceRequest {
    /// Those that a scene asks for.
    pub fn of_scene(surfaces: Vec<Surface>) -> Vec<Self> {
        let request = |surface: Surface| Self {
            of: match (surface.body, surface.material) {
                (Some(name), _) => SurfaceOf::Body(name),
                (None, Some(name)) => SurfaceOf::Material(name),
                (None, None) => SurfaceOf::All,
            },
            cube_size: surface.cube_size,
            smoothing_passes: surface.smoothing,
        };
        surfaces.into_iter().map(request).collect()
    }
}

impl SurfaceMaker {
    /// For frames of a scene.
    ///
    /// * `frame` — one with all bodies; others may lack the last ones
    ///
    /// # Errors
    /// The place of the first request for which there is nothing, and why.
    pub fn new(
        requests: Vec<SurfaceRequest>,
        frame: &Frame<'_>,
        scene: &SceneFacts,
    ) -> Result<Self, (usize, UnknownSurface)> {
        let mut chosen = Vec::new();
        for (place, request) in requests.into_iter().enumerate() {
            let of = Chosen::of(&request.of, frame, scene).map_err(|why| (place, why))?;
            chosen.push((request, of));
        }
        let is_shown = |body: usize| chosen.iter().any(|(_, chosen)| chosen.bodies[body]);
        let shown = frame.bodies.iter().enumerate();
        let shown = shown.map(|(number, body)| FrameBody {
            drawn_as: match is_shown(number) {
                true => DrawnAs::Triangles,
                false => DrawnAs::Collider,
            },
            ..body.clone()
        });
        Ok(Self {
            bodies: shown.collect(),
            requests: chosen,
        })
    }

    /// The scene without what is in other files. Rigid bodies go too: the particles that place them do.
    pub fn facts(&self, mut scene: SceneFacts) -> SceneFacts {
        let is_shown = |number: &u32| {
            let body = &self.bodies[*number as usize];
            body.drawn_as == DrawnAs::Triangles
        };
        scene.with_triangles = (0..self.bodies.len() as u32).filter(is_shown).collect();
        scene.with_surface.clear();
        scene.bodies.clone_from(&self.bodies);
        let is_collider = |placed_by: &PlacedBy| matches!(placed_by, PlacedBy::Collider(_));
        scene.colliders.retain(|c| is_collider(&c.placed_by));
        scene
    }

    /// The surfaces of a frame, whose vertices stand in place of particles and have the velocities of those around.
    ///
    /// # Errors
    /// If no surface can be made of the particles.
    pub fn make(&self, frame: &Frame<'_>) -> Result<FrameColumns, NoSurface> {
        let mut all = empty_columns();
        for (place, (request, chosen)) in self.requests.iter().enumerate() {
            let earlier = &self.requests[..place];
            let is_left = |i: usize| !earlier.iter().any(|(_, other)| other.has(frame, i));
            for group in groups(frame, |i| chosen.has(frame, i) && is_left(i)) {
                add(&mut all, frame, &group, request).map_err(|error| {
                    let name = frame.material_names.get(group.material as usize);
                    NoSurface {
                        frame: frame.number,
                        material: name.cloned().unwrap_or_default(),
                        error,
                    }
                })?;
            }
        }
        Ok(all)
    }

    /// The surfaces of a frame as a frame.
    pub fn show<'a>(&'a self, columns: &'a FrameColumns, frame: &Frame<'a>) -> Frame<'a> {
        Frame {
            bodies: &self.bodies[..frame.bodies.len()],
            ..columns.shown_in(frame)
        }
    }
}

impl Chosen {
    fn of(of: &SurfaceOf, frame: &Frame<'_>, scene: &SceneFacts) -> Result<Self, UnknownSurface> {
        let is_loose = |(index, body): (u32, &FrameBody)| {
            body.drawn_as == DrawnAs::Particles
                && !scene.with_triangles.contains(&index)
                && !scene.with_surface.contains(&index)
        };
        let mut bodies: Vec<bool> = (0..).zip(frame.bodies).map(is_loose).collect();
        if !bodies.contains(&true) {
            return Err(UnknownSurface::Nothing);
        }
        let mut material = None;
        match of {
            // Materials stand with the particles, as bodies may be born later.
            SurfaceOf::All => {}
            SurfaceOf::Material(name) => {
                let names = frame.material_names.iter().map(String::as_str);
                let place = frame.material_names.iter().position(|known| known == name);
                let place = place.ok_or_else(|| unknown("material", name, names))?;
                material = Some(place as u32);
            }
            SurfaceOf::Body(name) => {
                let loose = bodies.iter().zip(frame.bodies).filter(|(is, _)| **is);
                let names: Vec<&str> = loose.map(|(_, body)| body.name.as_str()).collect();
                if !names.contains(&name.as_str()) {
                    return Err(unknown("body", name, names.into_iter()));
                }
                for (is_chosen, body) in bodies.iter_mut().zip(frame.bodies) {
                    *is_chosen &= body.name == *name;
                }
            }
        }
        Ok(Self { bodies, material })
    }

    /// Whether it is around a particle of a frame.
    fn has(&self, frame: &Frame<'_>, place: usize) -> bool {
        let material = self.material;
        self.bodies[frame.body[place] as usize]
            && material.is_none_or(|wanted| frame.material[place] == wanted)
    }
}

fn unknown<'a>(
    what: &'static str,
    name: &str,
    known: impl Iterator<Item = &'a str>,
) -> UnknownSurface {
    let known: Vec<&str> = known.collect();
    UnknownSurface::Name {
        what,
        name: name.to_owned(),
        known: match known.is_empty() {
            true => "none".to_owned(),
            false => known.join(", "),
        },
    }
}

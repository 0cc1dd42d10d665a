//! Skinning: meshes that follow the joints of a skeleton and are moved by blend shapes (OpenUSD, `UsdSkel`).
//!
//! A mesh below a SkelRoot is bound to a Skeleton by what it, or a prim above it, says. Its points are moved by blend
//! shapes, taken to where they were as the mesh was bound, and then to where its joints take them, seen from the skeleton.
//! Where the mesh itself is does not count. Joints are where the animation of the skeleton has them, or else at rest.
//!
//! | what | where |
//! | --- | --- |
//! | what binds a mesh | `binding` |
//! | joints | `skeleton` |
//! | where they are | `animation` |
//! | which joints points follow | `influences` |
//! | shapes that move points | `blend_shapes` |
//! | joints blended as dual quaternions | `dual_quaternion` |
//! | values of all of these | `values` |

mod animation;
mod binding;
mod blend_shapes;
mod dual_quaternion;
mod influences;
mod skeleton;
mod values;

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use pliant_math::DVec3;

use super::layer::{Prim, Value};
use super::moment::{Between, Moment, texts};
use super::place::{Origin, of_rows, world};
use super::{MeshProblem, Transform};
use crate::mesh::skinning::Blend;
use animation::Animation;
use binding::{GEOM_BIND, INDICES, METHOD};
use dual_quaternion::JointMotion;
use influences::Influences;
use skeleton::Skeleton;

pub(super) use animation::ATTRIBUTES;
pub(super) use binding::Binding;
pub(super) use values::Subject;

/// How the names of values that a mesh is skinned by begin, which may change with time.
pub(super) const PRIMVAR: &str = "primvars:skel:";

/// The skeletons of a stage at a moment.
pub(super) struct Skinning<'s> {
    prims: &'s [Prim],
    /// Where the stage is.
    whole: Transform,
    moment: Moment,
    /// Those that meshes follow, by their paths.
    posed: HashMap<String, Rc<Posed>>,
}

/// A skeleton in its pose.
struct Posed {
    /// Paths of its joints.
    joints: Vec<String>,
    /// What each does to points that are bound to it.
    transforms: Vec<Transform>,
    /// Weights of blend shapes by their names.
    weights: HashMap<String, f64>,
}

/// The points of a mesh.
pub(super) struct Deformed {
    pub(super) points: Vec<DVec3>,
    /// Where they are.
    pub(super) transform: Transform,
    /// Whether its triangles are turned inside out.
    pub(super) is_mirrored: bool,
}

impl<'s> Skinning<'s> {
    /// * `whole` — where the stage is
    pub(super) fn new(prims: &'s [Prim], whole: Transform, moment: Moment) -> Self {
        Self {
            prims,
            whole,
            moment,
            posed: HashMap::new(),
        }
    }

    /// The points of a mesh as its skeleton and its blend shapes have them; of one that is not bound as they are.
    ///
    /// * `at` — where the mesh is, and where the walk to it began
    ///
    /// # Errors
    /// If what it is bound by is not there, or does not fit.
    pub(super) fn deformed(
        &mut self,
        mesh: &Subject<'_>,
        binding: &Binding<'_>,
        at: (Transform, Origin<'_>),
        points: &[[f64; 3]],
    ) -> Result<Deformed, MeshProblem> {
        let (transform, origin) = at;
        let mut deformed = Deformed {
            points: points.iter().copied().map(DVec3::from_array).collect(),
            transform,
            is_mirrored: transform.is_mirrored(),
        };
        let Some(path) = &binding.skeleton else {
            return match binding.indices.or(binding.weights) {
                None => Ok(deformed),
                Some(_) => Err(mesh.wrong(
                    INDICES,
                    "is of no use, as neither the mesh nor a prim above it, up to the SkelRoot, has `skel:skeleton`; bind it \
                     to a Skeleton, or export it without joints",
                )),
            };
        };
        let posed = self.posed(mesh, path)?;
        blend_shapes::apply(mesh, self.prims, &posed.weights, &mut deformed.points)?;
        let influences = Influences::read(mesh, binding, &posed.joints, points.len())?;
        if let Some(influences) = influences {
            let geom_bind = geom_bind(mesh, binding)?;
            for point in &mut deformed.points {
                *point = geom_bind.place(*point);
            }
            follow(mesh, binding, (&posed, &influences), &mut deformed.points)?;
            let seen = (self.whole, origin);
            let world = world(self.prims, path, seen, self.moment)?;
            deformed.transform = world.unwrap_or(transform);
            deformed.is_mirrored = deformed.transform.after(geom_bind).is_mirrored();
        }
        Ok(deformed)
    }

    /// The skeleton of a path, which a mesh is bound to.
    fn posed(&mut self, mesh: &Subject<'_>, path: &str) -> Result<Rc<Posed>, MeshProblem> {
        if let Some(posed) = self.posed.get(path) {
            return Ok(posed.clone());
        }
        let from = format!("`skel:skeleton` of the Mesh {}", mesh.path);
        let subject = Subject::of_type(self.prims, path, ("Skeleton", &from), self.moment)?;
        let skeleton = Skeleton::read(&subject)?;
        let animation = match binding::animation_of(self.prims, path)? {
            None => None,
            Some(of) => {
                let from = format!("`skel:animationSource` of the Skeleton {path}");
                let kind = ("SkelAnimation", &from[..]);
                let subject = Subject::of_type(self.prims, &of, kind, self.moment)?;
                Some(Animation::read(&subject)?)
            }
        };
        let posed = Rc::new(Posed {
            transforms: skeleton.posed(&subject, animation.as_ref())?,
            joints: skeleton.joints,
            weights: animation.map_or_else(HashMap::new, |animation| animation.weights),
        });
        self.posed.insert(path.to_owned(), posed.clone());
        Ok(posed)
    }
}

/// From the points of a mesh to where they were when it was bound.
fn geom_bind(mesh: &Subject<'_>, binding: &Binding<'_>) -> Result<Transform, MeshProblem> {
    let numbers = mesh.numbers_of(binding.geom_bind, GEOM_BIND, Between::Even)?;
    let Some(numbers) = numbers else {
        return Ok(Transform::IDENTITY);
    };
    match numbers.as_chunks::<4>() {
        (&[x, y, z, offset], []) => Ok(of_rows([x, y, z, offset])),
        _ => Err(mesh.wrong_count(GEOM_BIND, numbers.len(), (16, "those of a matrix"))),
    }
}

/// Takes bound points to where their joints take them.
fn follow(
    mesh: &Subject<'_>,
    binding: &Binding<'_>,
    (posed, influences): (&Posed, &Influences),
    points: &mut [DVec3],
) -> Result<(), MeshProblem> {
    let method = texts(binding.method, mesh.moment)?;
    let method = match method.as_deref() {
        Some(Value::Texts(texts)) => texts.first().map(String::as_str),
        _ => None,
    };
    match method {
        None | Some("classicLinear") => {
            for (number, point) in points.iter_mut().enumerate() {
                let mut blend = Blend::default();
                for own in influences.of(number) {
                    blend.add(&posed.transforms[own.joint], *point, own.weight);
                }
                *point = blend.sum();
            }
            Ok(())
        }
        Some("dualQuaternion") => {
            let motions: Vec<_> = posed.transforms.iter().map(JointMotion::of).collect();
            for (number, point) in points.iter_mut().enumerate() {
                let placed = dual_quaternion::placed(&motions, *point, influences.of(number));
                *point = placed.map_err(|joint| {
                    let what = format!(
                        "is dualQuaternion, which knows nothing of joints without a size, as `{}` is; write classicLinear",
                        posed.joints[joint]
                    );
                    mesh.wrong(METHOD, &what)
                })?;
            }
            Ok(())
        }
        Some(other) => {
            let what =
                format!("is `{other}`, where `classicLinear` or `dualQuaternion` would be right");
            Err(mesh.wrong(METHOD, &what))
        }
    }
}

/// Paths of the animations that meshes follow.
pub(super) fn animations(prims: &[Prim]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for prim in prims {
        let path = format!("/{}", prim.name);
        add_animations(prims, (prim, &path), &Binding::default(), &mut found);
    }
    found
}

/// Adds those that a prim and those below it follow. What is wrong with them is told when they are shown.
fn add_animations<'s>(
    prims: &[Prim],
    (prim, path): (&'s Prim, &str),
    above: &Binding<'s>,
    found: &mut BTreeSet<String>,
) {
    let Ok(binding) = above.below(prim, path) else {
        return;
    };
    let skeleton = binding.skeleton.as_ref();
    if let (Some("Mesh"), Some(skeleton)) = (prim.type_name.as_deref(), skeleton) {
        let animation = binding::animation_of(prims, skeleton).ok().flatten();
        found.extend(animation);
    }
    for child in &prim.children {
        let path = format!("{path}/{}", child.name);
        add_animations(prims, (child, &path), &binding, found);
    }
}

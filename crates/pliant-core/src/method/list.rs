//! The methods of a world, in a list.

use std::any::Any;

use super::{Counts, Method, MethodStates};
use crate::contacts::{FeelsWalls, KeptContacts, NO_SPHERES, Offers, SampledSurfaces, Solids};

/// All methods of a world but the rigid bodies, which are colliders to all others.
#[derive(Debug)]
pub struct Methods {
    list: Vec<Box<dyn Method>>,
    /// Number of the method of each body, if it is in the list.
    of_body: Vec<Option<u32>>,
    /// Group of each body, numbered over all methods.
    group_of_body: Vec<u32>,
    group_count: u32,
}

impl Methods {
    /// Those of a list, for so many bodies.
    pub fn new(list: Vec<Box<dyn Method>>, bodies: usize) -> Self {
        let mut methods = Self {
            of_body: vec![None; bodies],
            group_of_body: vec![NO_SPHERES; bodies],
            group_count: 0,
            list: Vec::new(),
        };
        for (number, method) in list.iter().enumerate() {
            for body in (0..bodies as u32).filter(|&body| method.has_body(body)) {
                methods.of_body[body as usize] = Some(number as u32);
                let group = method.group_of(body);
                methods.group_of_body[body as usize] =
                    group.map_or(NO_SPHERES, |group| methods.group_count + group);
            }
            methods.group_count += method.group_count();
        }
        methods.list = list;
        methods
    }

    /// All of them, in the order of the list.
    pub fn iter(&self) -> impl Iterator<Item = &dyn Method> {
        self.list.iter().map(|method| &**method)
    }

    /// All of them, to be asked for a stage.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut (dyn Method + 'static)> {
        self.list.iter_mut().map(|method| &mut **method)
    }

    /// How many there are.
    #[expect(clippy::len_without_is_empty, reason = "there is always one")]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// One of them.
    pub fn get(&self, number: usize) -> &dyn Method {
        &*self.list[number]
    }

    /// One of them, to be asked for a stage.
    pub fn get_mut(&mut self, number: usize) -> &mut dyn Method {
        &mut *self.list[number]
    }

    /// That of a body; `None` for rigid ones.
    pub fn of_body(&self, body: u32) -> Option<&dyn Method> {
        let number = self.of_body[body as usize]?;
        Some(&*self.list[number as usize])
    }

    /// That of a type, if it is in the list.
    pub fn find<M: Method>(&self) -> Option<&M> {
        self.iter()
            .find_map(|method| (method as &dyn Any).downcast_ref())
    }

    /// Groups of bodies whose particles are no contacts of each other.
    pub fn group_count(&self) -> u32 {
        self.group_count
    }

    /// The group of a body, numbered over all methods.
    pub fn group_of(&self, body: u32) -> u32 {
        self.group_of_body[body as usize]
    }

    /// Friction between particles of a body; `None` if they are no contacts of each other.
    pub fn inner_friction(&self, body: u32) -> Option<f64> {
        self.of_body(body)?.inner_friction(body)
    }

    /// What contacts inside of groups did in the last substep; `None` if none go on from there.
    pub fn kept_contacts<'a>(&self, states: &'a MethodStates) -> Option<&'a KeptContacts> {
        self.iter().find_map(|method| method.kept_contacts(states))
    }

    /// Where that is kept.
    pub fn contacts_to_keep<'a>(
        &self,
        states: &'a mut MethodStates,
    ) -> Option<&'a mut KeptContacts> {
        let keeps = |method: &&dyn Method| method.kept_contacts(states).is_some();
        self.iter().find(keeps)?.contacts_to_keep(states)
    }

    /// Surfaces by which others are met.
    pub fn sampled_surfaces(&self) -> SampledSurfaces<'_> {
        self.offers()
            .filter_map(|offers| offers.sampled_surface)
            .collect()
    }

    /// Particles that know where they are at rest.
    pub fn solids(&self) -> Solids<'_> {
        self.offers().filter_map(|offers| offers.solids).collect()
    }

    /// What each of them offers.
    pub fn offers(&self) -> impl Iterator<Item = Offers<'_>> {
        self.iter().map(Method::offers)
    }

    /// What the substep had to look at.
    pub fn counts(&self) -> Counts {
        let add = |a: Counts, b: Counts| Counts {
            neighbors: a.neighbors + b.neighbors,
            particles: a.particles + b.particles,
        };
        self.iter().map(Method::counts).fold(Counts::default(), add)
    }
}

impl FeelsWalls for Methods {
    fn reach(&self, body: u32) -> f64 {
        self.of_body(body)
            .map_or(0.0, |method| method.wall_reach(body))
    }

    fn drag(&self, body: u32, distance: f64) -> f64 {
        let method = self.of_body(body);
        method.map_or(0.0, |method| method.wall_drag(body, distance))
    }
}

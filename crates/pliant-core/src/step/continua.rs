//! Which bodies are one continuum: particles of one are no contacts of each other.

use crate::contacts::NO_SPHERES;
use crate::methods::Method;
use crate::methods::fluid::Fluid;
use crate::methods::granules::Granules;
use crate::methods::xpbi::Xpbi;
use crate::world::Setup;

/// The continuum of each body, numbered over all methods, and how many there are.
pub fn continua(setup: &Setup, xpbi: &Xpbi, fluid: &Fluid, granules: &Granules) -> (Vec<u32>, u32) {
    let first_pool = xpbi.continua.len() as u32;
    let first_grains = first_pool + fluid.pools.len() as u32;
    let first_solid = first_grains + granules.continuum_count();
    let is_solid = |&body: &u32| setup.bodies[body as usize].method == Method::StrainEnergy;
    let solids: Vec<u32> = (0..setup.bodies.len() as u32).filter(is_solid).collect();
    let first_network = first_solid + solids.len() as u32;
    let springs = setup.springs();
    let of_springs = |body| {
        let number = springs.bodies.iter().position(|b| b.body == body)?;
        let is_surface = springs.bodies[number].is_surface();
        Some(if is_surface {
            NO_SPHERES
        } else {
            first_network + number as u32
        })
    };
    let of_body = |body| match setup.bodies[body as usize].method {
        Method::Xpbi => xpbi.continuum_of(body),
        Method::Fluid => fluid.pool_of(body).map(|pool| first_pool + pool),
        Method::Granules => granules.continuum_of(body).map(|n| first_grains + n),
        Method::Cloth | Method::Rigid => Some(NO_SPHERES),
        Method::Springs => of_springs(body),
        Method::StrainEnergy => Some(first_solid + solids.iter().position(|&b| b == body)? as u32),
    };
    let bodies = 0..setup.bodies.len() as u32;
    let numbers: Vec<u32> = bodies.filter_map(of_body).collect();
    (numbers, first_network + springs.bodies.len() as u32)
}

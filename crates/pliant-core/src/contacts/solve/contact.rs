//! A contact whose relative velocity is linear in the velocities of particles, and lists of such.
//!
//!   v = sum_k c_k v_k,   1/M = sum_k c_k^2 w_k,   v_k += c_k w_k M dv
//!
//! with the weights c_k of the points that touch, the inverse masses w_k, and the change dv that the
//! rule of [`friction`](super::friction) asks for. The weights of each contact sum to zero, so
//! that momentum is kept. Two balls have the weights 1 and -1; a ball and a sampled surface 1 and those of
//! an interpolation; a point and a triangle 1 and barycentric coordinates; two edges those of their
//! nearest points.

use std::cmp::Ordering;

use pliant_math::{DVec3, Real, Vec3, to_double};

use super::extrapolation::Extrapolation;
use super::friction::{ContactMultiplier, ContactRule, Grain};
use crate::parallel::View;

/// A particle of a contact and its weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Term {
    /// Place of the particle.
    pub place: u32,
    /// Its weight.
    pub weight: Real,
}

/// What a contact asks for, frozen at the start of the substep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinearRule {
    /// Unit, towards the particles with positive weights.
    pub normal: Vec3,
    /// Least normal velocity [m/s].
    pub target: Real,
    /// Coulomb's coefficient, >= 0.
    pub friction: Real,
    /// Where friction is another along an axis.
    pub grain: Option<Grain>,
}

/// A contact and what it has done; its terms stand in its list.
#[derive(Clone, Copy, Debug)]
struct LinearContact {
    normal: Vec3,
    /// [`ContactMultiplier::tangential`].
    tangential: Vec3,
    target: Real,
    friction: Real,
    /// [`ContactMultiplier::normal`].
    pressed: Real,
    /// Number of its terms, which follow those of the contacts before it.
    count: u32,
    /// Where in its list its grain stands; [`NO_GRAIN`] without.
    grain: u32,
}

/// In the place of a grain's number. Few contacts have one, so that they stand apart.
const NO_GRAIN: u32 = u32::MAX;

/// A contact that is extrapolated.
#[derive(Clone, Copy, Debug)]
struct Previous {
    contact: u32,
    first_term: u32,
    /// What it was when it was last extrapolated.
    multiplier: ContactMultiplier,
}

/// A contact of a list, by numbers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place {
    contact: u32,
    first_term: u32,
}

/// Contacts that are projected one after the other.
#[derive(Debug, Default)]
pub struct ContactList {
    contacts: Vec<LinearContact>,
    terms: Vec<Term>,
    grains: Vec<Grain>,
    pressed: usize,
    previous: Vec<Previous>,
}

impl LinearContact {
    #[inline(always)]
    fn rule(&self, grains: &[Grain]) -> ContactRule {
        ContactRule {
            normal: self.normal,
            target: self.target,
            friction: self.friction,
            is_held: false,
            sticks: false,
            drag: 0.0,
            grain: grains.get(self.grain as usize).copied(),
        }
    }

    #[inline(always)]
    fn multiplier(&self) -> ContactMultiplier {
        ContactMultiplier {
            normal: self.pressed,
            tangential: self.tangential,
        }
    }

    #[inline(always)]
    fn set(&mut self, multiplier: ContactMultiplier) {
        self.pressed = multiplier.normal;
        self.tangential = multiplier.tangential;
    }

    /// Projects it once: non-penetration, then friction. Of so few terms as most contacts have, the
    /// loops are unrolled.
    #[inline(always)]
    fn project(
        &mut self,
        (terms, grains): (&[Term], &[Grain]),
        velocity: &mut View<'_, Vec3>,
        inverse_mass: &[Real],
    ) {
        let rule = self.rule(grains);
        match *terms {
            [a, b] => self.project_terms(&[a, b], &rule, velocity, inverse_mass),
            [a, b, c, d] => self.project_terms(&[a, b, c, d], &rule, velocity, inverse_mass),
            _ => self.project_terms(terms, &rule, velocity, inverse_mass),
        }
    }

    #[inline(always)]
    fn project_terms(
        &mut self,
        terms: &[Term],
        rule: &ContactRule,
        velocity: &mut View<'_, Vec3>,
        inverse_mass: &[Real],
    ) {
        let mut relative = Vec3::ZERO;
        for term in terms {
            relative += velocity.get(term.place as usize) * term.weight;
        }
        let mut multiplier = self.multiplier();
        let change = multiplier.project(relative, rule);
        self.set(multiplier);
        push(change, terms, velocity, inverse_mass);
    }
}

/// Changes the relative velocity of a contact [m/s].
#[inline(always)]
fn push(change: Vec3, terms: &[Term], velocity: &mut View<'_, Vec3>, inverse_mass: &[Real]) {
    let inverse = inverse_mass_of(terms, inverse_mass);
    if inverse == 0.0 {
        return;
    }
    let impulse = change / inverse;
    for term in terms {
        let i = term.place as usize;
        let gain = impulse * (term.weight * inverse_mass[i]);
        velocity.set(i, velocity.get(i) + gain);
    }
}

/// Inverse mass of the relative motion [1/kg].
#[inline(always)]
fn inverse_mass_of(terms: &[Term], inverse_mass: &[Real]) -> Real {
    let mut inverse = 0.0;
    for term in terms {
        inverse += inverse_mass[term.place as usize] * term.weight * term.weight;
    }
    inverse
}

impl ContactList {
    /// Without contacts.
    pub fn clear(&mut self) {
        self.contacts.clear();
        self.terms.clear();
        self.grains.clear();
        self.previous.clear();
        self.pressed = 0;
    }

    /// True without contacts.
    pub fn is_empty(&self) -> bool {
        self.contacts.is_empty()
    }

    /// Adds a contact.
    #[inline]
    pub fn add(&mut self, rule: LinearRule, terms: impl IntoIterator<Item = Term>) {
        let before = self.terms.len();
        self.terms.extend(terms);
        self.contacts.push(LinearContact {
            normal: rule.normal,
            tangential: Vec3::ZERO,
            target: rule.target,
            friction: rule.friction,
            pressed: 0.0,
            count: (self.terms.len() - before) as u32,
            grain: NO_GRAIN,
        });
        self.set_grain(rule.grain);
    }

    /// Lets the last contact begin with what it has done before.
    pub fn start_last_with(&mut self, multiplier: ContactMultiplier) {
        if let Some(contact) = self.contacts.last_mut() {
            let rule = contact.rule(&self.grains);
            contact.set(multiplier.inside_cone(&rule));
        }
    }

    /// Applies what contacts begin with.
    pub fn start_warm(&self, velocity: &mut View<'_, Vec3>, inverse_mass: &[Real]) {
        let mut rest = &self.terms[..];
        for contact in &self.contacts {
            let (terms, later) = rest.split_at(contact.count as usize);
            rest = later;
            if contact.pressed > 0.0 {
                let change = contact.multiplier().change(&contact.rule(&self.grains));
                push(change, terms, velocity, inverse_mass);
            }
        }
    }

    /// The terms of each contact, and what it has done.
    pub fn done(&self) -> impl Iterator<Item = (&[Term], ContactMultiplier)> {
        let done = |place: Place| self.contacts[place.contact as usize].multiplier();
        self.places()
            .map(move |place| (self.terms_of(place), done(place)))
    }

    /// Gives the last contact its grain.
    fn set_grain(&mut self, grain: Option<Grain>) {
        let last = self.contacts.last_mut();
        if let (Some(contact), Some(grain)) = (last, grain) {
            contact.grain = self.grains.len() as u32;
            self.grains.push(grain);
        }
    }

    /// Adds a contact of another list.
    pub fn copy(&mut self, other: &Self, place: Place) {
        let contact = other.contacts[place.contact as usize];
        self.contacts.push(LinearContact {
            grain: NO_GRAIN,
            ..contact
        });
        self.set_grain(other.grains.get(contact.grain as usize).copied());
        self.terms.extend_from_slice(other.terms_of(place));
    }

    /// Where its contacts are.
    pub fn places(&self) -> impl Iterator<Item = Place> {
        let mut first_term = 0;
        (0..).zip(&self.contacts).map(move |(contact, of)| {
            let place = Place {
                contact,
                first_term,
            };
            first_term += of.count;
            place
        })
    }

    /// The terms of a contact.
    #[inline]
    pub fn terms_of(&self, place: Place) -> &[Term] {
        let first = place.first_term as usize;
        let count = self.contacts[place.contact as usize].count as usize;
        &self.terms[first..first + count]
    }

    /// What each contact asks for.
    #[cfg(test)]
    pub fn rules(&self) -> impl Iterator<Item = LinearRule> {
        self.contacts.iter().map(|contact| LinearRule {
            normal: contact.normal,
            target: contact.target,
            friction: contact.friction,
            grain: self.grains.get(contact.grain as usize).copied(),
        })
    }

    /// The terms of each contact.
    pub fn terms(&self) -> impl Iterator<Item = &[Term]> {
        self.places().map(|place| self.terms_of(place))
    }

    /// Projects every contact once.
    pub fn project(&mut self, velocity: &mut View<'_, Vec3>, inverse_mass: &[Real]) {
        let mut rest = &self.terms[..];
        let mut pressed = 0;
        for contact in &mut self.contacts {
            let (terms, later) = rest.split_at(contact.count as usize);
            rest = later;
            contact.project((terms, &self.grains), velocity, inverse_mass);
            pressed += usize::from(contact.pressed > 0.0);
        }
        self.pressed = pressed;
    }

    /// Extrapolates the contacts of certain particles.
    pub fn extrapolate(
        &mut self,
        velocity: &mut View<'_, Vec3>,
        inverse_mass: &[Real],
        extrapolation: &Extrapolation,
    ) {
        if extrapolation.turn == 0 {
            self.start_extrapolation(extrapolation);
        }
        for previous in &mut self.previous {
            let contact = &mut self.contacts[previous.contact as usize];
            let first = previous.first_term as usize;
            let terms = &self.terms[first..first + contact.count as usize];
            let mut multiplier = contact.multiplier();
            let (share, rule) = (extrapolation.momentum(), contact.rule(&self.grains));
            let change = multiplier.extrapolate(&mut previous.multiplier, share, &rule);
            contact.set(multiplier);
            push(change, terms, velocity, inverse_mass);
        }
    }

    fn start_extrapolation(&mut self, extrapolation: &Extrapolation) {
        let mut previous = std::mem::take(&mut self.previous);
        previous.clear();
        for place in self.places() {
            let terms = self.terms_of(place);
            if terms.iter().any(|term| extrapolation.concerns(term.place)) {
                previous.push(Previous {
                    contact: place.contact,
                    first_term: place.first_term,
                    multiplier: self.contacts[place.contact as usize].multiplier(),
                });
            }
        }
        self.previous = previous;
    }

    /// Adds the impulse [N s] of each contact in this substep to its particles.
    pub fn add_impulses(&self, inverse_mass: &[Real], impulses: &mut [DVec3]) {
        for place in self.places() {
            let terms = self.terms_of(place);
            let inverse = inverse_mass_of(terms, inverse_mass);
            if inverse > 0.0 {
                let contact = &self.contacts[place.contact as usize];
                let change = to_double(contact.multiplier().change(&contact.rule(&self.grains)));
                let impulse = change / f64::from(inverse);
                for term in terms {
                    impulses[term.place as usize] += impulse * f64::from(term.weight);
                }
            }
        }
    }

    /// How many pressed when they were projected last.
    pub fn pressed_count(&self) -> usize {
        self.pressed
    }
}

/// An order of contacts that does not depend on who found them: by particles, then by weights.
pub fn order(one: &[Term], other: &[Term]) -> Ordering {
    let places = other.iter().map(|term| term.place);
    let by_places = one.iter().map(|term| term.place).cmp(places);
    by_places.then_with(|| {
        let pairs = one.iter().zip(other);
        let mut orders = pairs.map(|(a, b)| a.weight.total_cmp(&b.weight));
        orders
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal)
    })
}

//! What the solver of contacts promises.

use pliant_math::{DVec3, RandomStream, Real, Vec3, to_double, to_real};

use super::{ContactList, ContactMultiplier, LinearContacts, LinearRule, Term};
use crate::parallel::Pool;

/// Particles at random places of a cube of 1 m, and contacts of two, four and six that lie near each
/// other, one in fifty all over the cube.
struct Cloud {
    position: Vec<DVec3>,
    velocity: Vec<Vec3>,
    inverse_mass: Vec<Real>,
    contacts: Vec<(LinearRule, Vec<Term>)>,
}

impl Cloud {
    fn new(count: u32) -> Self {
        let random = RandomStream::new(3, 7);
        let vector = |key: u64| {
            let along = |axis| random.unit(3 * key + axis);
            DVec3::new(along(0), along(1), along(2))
        };
        let position: Vec<DVec3> = (0..u64::from(count)).map(vector).collect();
        let speed = |i: u32| to_real(vector(100_000 + u64::from(i)) * 2.0 - DVec3::ONE);
        let mut contacts = Vec::new();
        for i in 0..count {
            let reach = if i % 50 == 0 { 2.0 } else { 0.15 };
            let is_near = |j: &u32| position[i as usize].distance(position[*j as usize]) < reach;
            let others = (1..count).map(|k| (i + k) % count).filter(is_near);
            let others: Vec<u32> = others.take([1, 3, 5][i as usize % 3]).collect();
            if others.is_empty() {
                continue;
            }
            let share = -1.0 / others.len() as Real;
            let own = Term {
                place: i,
                weight: 1.0,
            };
            let of_others = others.iter().map(|&place| Term {
                place,
                weight: share,
            });
            let rule = LinearRule {
                normal: speed(i + count).normalize(),
                target: 0.1,
                friction: 0.3,
                grain: None,
            };
            contacts.push((rule, std::iter::once(own).chain(of_others).collect()));
        }
        Self {
            velocity: (0..count).map(speed).collect(),
            inverse_mass: (0..count).map(|i| (i % 7) as Real).collect(),
            position,
            contacts,
        }
    }

    /// Velocities after two passes, and what the contacts did.
    fn solved<'a>(
        &'a self,
        lists: impl Iterator<Item = &'a [(LinearRule, Vec<Term>)]>,
        threads: usize,
    ) -> (Vec<Vec3>, LinearContacts) {
        let mut lists: Vec<ContactList> = lists
            .map(|contacts| {
                let mut list = ContactList::default();
                for (rule, terms) in contacts {
                    list.add(*rule, terms.iter().copied());
                }
                list
            })
            .collect();
        let mut velocity = self.velocity.clone();
        let mut contacts = LinearContacts::default();
        Pool::new(threads).expect("threads").run(|| {
            contacts.start();
            contacts.add_loose(lists.iter_mut());
            contacts.share_out(&self.position);
            for _ in 0..2 {
                contacts.project(&mut velocity, &self.inverse_mass);
            }
        });
        (velocity, contacts)
    }
}

#[test]
fn velocities_depend_neither_on_threads_nor_on_who_found_the_contacts() {
    let cloud = Cloud::new(2000);
    assert!(cloud.contacts.len() > 1500);
    let (one, contacts) = cloud.solved(cloud.contacts.chunks(100), 1);
    assert!(contacts.pressed_count() > 300);
    assert_eq!(
        contacts
            .lists()
            .map(|list| list.terms().count())
            .sum::<usize>(),
        cloud.contacts.len()
    );
    assert!((2..=4).all(|threads| cloud.solved(cloud.contacts.chunks(100), threads).0 == one));
    let backwards = cloud.contacts.chunks(17).rev();
    assert!(cloud.solved(backwards, 2).0 == one);
}

#[test]
fn impulses_are_what_changes_velocities_and_sum_to_zero() {
    let cloud = Cloud::new(1000);
    let (velocity, contacts) = cloud.solved(cloud.contacts.chunks(64), 2);
    let mut impulses = vec![DVec3::ZERO; velocity.len()];
    contacts.add_impulses(&cloud.inverse_mass, &mut impulses);
    let size: f64 = impulses.iter().map(|j| j.length()).sum();
    // Weights sum to zero but for rounding.
    let rounding = f64::from(Real::EPSILON);
    assert!(impulses.iter().sum::<DVec3>().length() < rounding * size);
    for (i, (&after, &before)) in velocity.iter().zip(&cloud.velocity).enumerate() {
        let change = to_double(after) - to_double(before);
        let given = impulses[i] * f64::from(cloud.inverse_mass[i]);
        assert!((change - given).length() < 100.0 * rounding, "{i}");
    }
}

#[test]
fn what_contacts_did_is_collected_in_their_order_and_applied_again_at_a_warm_start() {
    let cloud = Cloud::new(1000);
    let first = |terms: &[Term], did: ContactMultiplier| {
        (did.normal > 0.0).then_some((terms[0].place, did.normal))
    };
    let collected = |threads| {
        let (_, mut contacts) = cloud.solved(cloud.contacts.chunks(64), threads);
        let mut column = vec![(0, 0.0); 7];
        let pool = Pool::new(threads).expect("threads");
        pool.run(|| contacts.collect(first, &mut column));
        (column, contacts)
    };
    let (column, mut contacts) = collected(1);
    let one_by_one = contacts.lists().flat_map(ContactList::done);
    let one_by_one = one_by_one.filter_map(|(terms, did)| first(terms, did));
    assert!(column.len() > 100 && column == one_by_one.collect::<Vec<_>>());
    assert!(collected(3).0 == column);
    let mut impulses = vec![DVec3::ZERO; cloud.velocity.len()];
    contacts.add_impulses(&cloud.inverse_mass, &mut impulses);
    let mut velocity = cloud.velocity.clone();
    contacts.start_warm(&mut velocity, &cloud.inverse_mass);
    for (i, (&after, &before)) in velocity.iter().zip(&cloud.velocity).enumerate() {
        let change = to_double(after) - to_double(before);
        let given = impulses[i] * f64::from(cloud.inverse_mass[i]);
        assert!(
            (change - given).length() < 100.0 * f64::from(Real::EPSILON),
            "{i}"
        );
    }
}

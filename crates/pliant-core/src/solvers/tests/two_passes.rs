//! A stiffness whose products sum over neighbours twice.

use super::*;

/// The square of a stiffness, whose products first sum over the neighbours of each particle.
struct Squared {
    links: Links,
    once: Vec<[Real; 4]>,
}

struct Once<'a> {
    of: &'a mut Squared,
    field: VectorField<'a>,
}

impl Job for Once<'_> {
    type Output = ();

    fn run<P: Pack>(self) {
        let Self { of, field } = self;
        for (row, once) in of.once.chunks_mut(LANES).enumerate() {
            let own = field.own::<P>((0, row));
            let product = of.links.plus_product(Vector3::ZERO, (0, row), own, field);
            let mut rows = [Row::ZERO; 3];
            product.store(&mut rows);
            for (lane_of, record) in once.iter_mut().enumerate() {
                let [x, y, z] = lane(&rows, lane_of);
                *record = [x, y, z, 0.0];
            }
        }
    }
}

impl Stiffness for Squared {
    fn prepare(&mut self, field: VectorField<'_>, instructions: Instructions) {
        instructions.run(Once { of: self, field });
    }

    #[inline(always)]
    fn plus_product<P: Pack>(
        &self,
        mut sum: Vector3<P>,
        (_, row): (usize, usize),
        _: Vector3<P>,
        _: VectorField<'_>,
    ) -> Vector3<P> {
        let at = |places: &Places| {
            let [x, y, z, _] = crate::parallel::gather::<P>(&self.once, places);
            Vector3::new(x, y, z)
        };
        let last = self.once.len() - 1;
        let own = at(&Places::from_fn(|lane| {
            (row * LANES + lane).min(last) as u32
        }));
        for slot in &self.links.rows[row] {
            sum = sum + SymMat3::load(&slot.block) * (own - at(&slot.neighbors));
        }
        sum
    }
}

#[test]
fn products_may_take_two_passes_over_neighbours() {
    let mut links = Links::random(30, 20, 0.5, 4);
    let mut solver = links.solver(&[line(30)]);
    links.start(&mut solver);
    let right = links.right[0].clone();
    let mut squared = Squared {
        once: vec![[0.0; 4]; links.mass.len()],
        links,
    };
    solver.solve(&mut squared, Until::Tolerance(1e-5));
    // M y + K K y = b, with K y taken for a velocity of its own.
    let place = |k: usize| DVec3::from_array(solution(&solver, k));
    let times = |v: &dyn Fn(usize) -> DVec3| {
        let mut product = vec![DVec3::ZERO; 30];
        for &([a, b], block) in &squared.links.links {
            let difference = v(a as usize) - v(b as usize);
            let rows = block
                .rows()
                .map(|row| DVec3::from_array(row.map(f64::from)));
            let force = DVec3::from_array(rows.map(|row| row.dot(difference)));
            product[a as usize] += force;
            product[b as usize] -= force;
        }
        product
    };
    let once = times(&place);
    let twice = times(&|k| once[k]);
    for k in 0..30 {
        let left = place(k) * f64::from(squared.links.mass[k]) + twice[k];
        let expected = DVec3::from_array(lane(&right[k / LANES], k % LANES).map(f64::from));
        assert!((left - expected).length() < 1e-4, "{k}: {left} {expected}");
    }
}

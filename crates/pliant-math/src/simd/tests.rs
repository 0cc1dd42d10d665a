use super::*;
use crate::{RandomStream, Real};

/// Some operations on all lanes: everything that `Number` and `Pack` can do.
struct Everything<'a> {
    a: &'a Row,
    b: &'a Row,
    records: &'a mut [[Real; 4]],
    places: &'a Places,
}

impl Job for Everything<'_> {
    type Output = Vec<u64>;

    #[inline(always)]
    fn run<P: Pack>(self) -> Vec<u64> {
        let (a, b) = (P::load(self.a), P::load(self.b));
        assert!(P::are_below(self.places, self.records.len()));
        assert!(!P::are_below(self.places, self.places.get(3)));
        // SAFETY: checked above.
        #[allow(unsafe_code)]
        let gathered = unsafe { P::gather(self.records.as_ptr(), self.places) };
        let eight: &[[Real; 8]] = self.records.as_flattened().as_chunks().0;
        let halves = Places::from_fn(|lane| self.places.get(lane) as u32 / 2);
        // SAFETY: checked above.
        #[allow(unsafe_code)]
        let eight = unsafe { P::gather_eight(eight.as_ptr(), &halves) };
        let less = a.less(b);
        let (mantissa, exponent) = a.abs().max(P::splat(1e-9)).split();
        let results = [
            a + b,
            a - b,
            a * b,
            a / b,
            -a,
            a.abs().sqrt(),
            a.min(b),
            a.max(b),
            a.or_where_not(less, b),
            a.or_where_not(!less & a.at_most(P::splat(0.5)), b),
            a.or_where_not(P::Mask::from_bits(0b1010_0000_1111_0001) | less, P::ZERO),
            P::from_lanes({
                let mut lanes = a.lanes();
                lanes.swap(5, 11);
                lanes
            }),
            gathered[0] * gathered[1] + gathered[2] - gathered[3],
            eight[0] - eight[1] * eight[2],
            eight[3] - eight[4] * eight[5],
            eight[6] - eight[7],
            mantissa,
            exponent,
            (exponent + exponent).power_of_two(),
        ];
        let [x, y, z, w] = gathered;
        // SAFETY: checked above.
        #[allow(unsafe_code)]
        unsafe {
            P::scatter(self.records.as_mut_ptr(), self.places, [w + a, z, y * b, x])
        };
        let mut bits: Vec<u64> = Vec::new();
        for result in results {
            let mut row = Row::ZERO;
            result.store(&mut row);
            bits.extend(row.0.map(|x| f64::from(x).to_bits()));
        }
        bits.extend(
            self.records
                .as_flattened()
                .iter()
                .map(|&x| f64::from(x).to_bits()),
        );
        bits.push(u64::from(less.bits()));
        bits.push(u64::from(
            P::is_beyond(self.places, &Places::from_fn(|_| 8)).bits(),
        ));
        bits
    }
}

/// Rows that are read, scaled by what they gather, put through masks and lanes, and written again, in
/// both precisions.
struct Rows<'a> {
    rows: &'a mut [Row],
    halves: &'a mut [HalfRow],
    records: &'a mut [[Real; 4]],
    places: &'a Places,
}

impl RowJob for Rows<'_> {
    #[inline(always)]
    fn rows(&self) -> usize {
        self.rows.len()
    }

    #[inline(always)]
    fn row<P: Pack>(&mut self, row: usize) {
        let x = P::load(&self.rows[row]);
        assert!(P::are_below(self.places, self.records.len()));
        // SAFETY: checked above.
        #[allow(unsafe_code)]
        let [a, b, c, d]: [P; 4] = unsafe { P::gather(self.records.as_ptr(), self.places) };
        let is_beyond = P::is_beyond(self.places, &Places::from_fn(|_| 8));
        let lanes = P::from_lanes((x * a + b).lanes());
        let mask = P::Mask::from_bits((is_beyond | x.less(c)).bits() ^ 0b0110_0011_1100_0101);
        let y = lanes.or_where_not(mask, c - d);
        y.store(&mut self.rows[row]);
        let half = &mut self.halves[row];
        (y + P::load_half(half) - P::load_finite_half(half) * x).store_half(half);
        // SAFETY: checked above.
        #[allow(unsafe_code)]
        unsafe {
            P::scatter(self.records.as_mut_ptr(), self.places, [b, y, d, a])
        };
    }
}

#[test]
fn rows_in_parts_have_the_bits_of_whole_rows() {
    let places = Places::from_fn(|lane| (lane as u32 * 7) % 19);
    let all = Instructions::available().into_iter().map(|instructions| {
        let mut rows = [row(1), row(2), row(3)];
        let mut halves = [HalfRow::default(); 3];
        let mut records: Vec<[Real; 4]> = numbers(9, 80).as_chunks().0.to_vec();
        let job = Rows {
            rows: &mut rows,
            halves: &mut halves,
            records: &mut records,
            places: &places,
        };
        instructions.run_rows(LANES, job);
        let halves = halves.map(|half| [0, 5, 9, 15].map(|lane: usize| half.get(lane).to_bits()));
        (rows, halves, records)
    });
    let all: Vec<_> = all.collect();
    assert!(all.iter().all(|one| one == &all[0]));
}

struct Search<'a>(Near<'a>);

impl Job for Search<'_> {
    type Output = Vec<u32>;

    #[inline(always)]
    fn run<P: Pack>(self) -> Vec<u32> {
        let mut kept = vec![7; self.0.runs.points() + LANES + 2];
        let count = P::keep_near(self.0, &mut kept, 2);
        kept.truncate(count);
        kept
    }
}

pub(super) fn numbers(stream: u64, count: usize) -> Vec<Real> {
    let random = RandomStream::new(3, stream);
    (0..count as u64)
        .map(|k| (2.0 * random.unit(k) - 1.0) as Real)
        .collect()
}

fn row(stream: u64) -> Row {
    let mut row = Row::ZERO;
    row.0.copy_from_slice(&numbers(stream, LANES));
    row.0[2] = -0.0;
    row
}

#[test]
fn every_instruction_set_gives_the_same_bits() {
    let places = Places::from_fn(|lane| (lane as u32 * 7) % 19);
    let all = Instructions::available().into_iter().map(|instructions| {
        let mut records: Vec<[Real; 4]> = numbers(9, 80).as_chunks().0.to_vec();
        instructions.run(Everything {
            a: &row(1),
            b: &row(2),
            records: &mut records,
            places: &places,
        })
    });
    let all: Vec<_> = all.collect();
    assert!(all.iter().all(|bits| bits == &all[0]));
}

/// Some operations on the first lanes.
struct First<'a>(&'a mut [[Real; 4]], &'a Places);

impl Job for First<'_> {
    type Output = Vec<u64>;

    #[inline(always)]
    fn run<P: Pack>(self) -> Vec<u64> {
        let (a, b) = (P::load(&row(1)), P::load(&row(2)));
        assert!(P::are_below(self.1, self.0.len()));
        // SAFETY: checked above.
        #[allow(unsafe_code)]
        let [x, y, z, w] = unsafe { P::gather(self.0.as_ptr(), self.1) };
        let less = a.less(b) & !y.at_most(z) | P::is_beyond(self.1, &Places::from_fn(|_| 8));
        let chosen = (x / y - z.abs().sqrt() * -w).or_where_not(less, a.min(b).max(x));
        // SAFETY: checked above.
        #[allow(unsafe_code)]
        unsafe {
            P::scatter(self.0.as_mut_ptr(), self.1, [chosen, x, w, a + y])
        };
        let flat = self.0.as_flattened().iter();
        let mut bits: Vec<u64> = flat.map(|&x| f64::from(x).to_bits()).collect();
        let chosen = P::from_lanes(chosen.lanes()).lanes();
        bits.extend(chosen[..4].iter().map(|&x| f64::from(x).to_bits()));
        bits.push(u64::from(less.bits() & 0b1111));
        bits
    }
}

#[test]
fn packs_of_fewer_lanes_compute_the_same_in_them() {
    let places = Places::from_fn(|lane| lane as u32);
    for instructions in Instructions::available() {
        for lanes in [1, 4, 5, 8] {
            let mut wide: Vec<[Real; 4]> = numbers(9, 64).as_chunks().0.to_vec();
            let mut narrow = wide.clone();
            let expected = instructions.run(First(&mut wide, &places));
            let found = instructions.run_lanes(lanes, First(&mut narrow, &places));
            assert_eq!(wide[..lanes], narrow[..lanes]);
            assert_eq!(expected[64..], found[64..]);
        }
    }
}

#[test]
fn lanes_compute_what_single_numbers_do() {
    struct Sum<'a>(&'a Row, &'a Row);
    impl Job for Sum<'_> {
        type Output = Row;
        #[inline(always)]
        fn run<P: Pack>(self) -> Row {
            let mut row = Row::ZERO;
            formula(P::load(self.0), P::load(self.1)).store(&mut row);
            row
        }
    }
    #[inline(always)]
    fn formula<N: Number>(a: N, b: N) -> N {
        let larger = (a * b - a.abs().sqrt() / b).max(a);
        larger.or_where_not(a.less(b), N::splat(0.25) + larger)
    }
    for instructions in Instructions::available() {
        let result = instructions.run(Sum(&row(4), &row(5)));
        for lane in 0..LANES {
            assert_eq!(result.0[lane], formula(row(4).0[lane], row(5).0[lane]));
        }
    }
}

#[test]
fn search_keeps_the_points_in_the_sphere_in_order() {
    let columns = [11, 12, 13].map(|stream| numbers(stream, 200));
    for count in [0, 1, 7, 8, 15, 16, 17, 53] {
        let tested = || (100..100 + count).chain(3..20);
        let mut runs = Runs::default();
        runs.add(100..100 + count);
        runs.add(3..20);
        for own in [9, 100, 116, 199] {
            let near = Near {
                points: [&columns[0], &columns[1], &columns[2]],
                runs: &runs,
                own,
                limit: 0.6,
            };
            let is_near = |&k: &u32| {
                let square =
                    |column: &Vec<Real>| (column[k as usize] - column[own as usize]).powi(2);
                let [x, y, z] = [0, 1, 2].map(|axis: usize| square(&columns[axis]));
                k != own && x + y + z < near.limit
            };
            let expected: Vec<u32> = tested().filter(is_near).collect();
            for instructions in Instructions::available() {
                let kept = instructions.run(Search(near));
                assert_eq!(kept[2..], expected, "{} {count}", instructions.name());
            }
        }
    }
}

#[test]
fn points_are_shifted_and_copied_by_axis() {
    struct Shift<'a>(&'a [[Real; 8]]);
    impl Job for Shift<'_> {
        type Output = (Vec<[Real; 8]>, [Vec<Real>; 3]);
        #[inline(always)]
        fn run<P: Pack>(self) -> Self::Output {
            let room = self.0.len() + LANES;
            let mut columns = [(); 3].map(|()| vec![0.0; room]);
            let mut copies = vec![[0.0; 8]; room];
            let by_axis = columns.each_mut().map(Vec::as_mut_slice);
            P::shift(self.0, [1.0, -2.0, 0.5], by_axis, &mut copies);
            copies.truncate(self.0.len());
            (copies, columns.map(|c| c[..self.0.len()].to_vec()))
        }
    }
    for count in [0, 1, 2, 3, 15, 16, 17, 40] {
        let mut points: Vec<[Real; 8]> = numbers(21, 8 * count).as_chunks().0.to_vec();
        for (k, point) in points.iter_mut().enumerate() {
            point[3] = place_to_real(70_000 + k as u32);
        }
        let shift = |p: &[Real; 8]| {
            let [x, y, z, rest @ ..] = p;
            let mut shifted = *p;
            shifted[3..].copy_from_slice(rest);
            [shifted[0], shifted[1], shifted[2]] = [x + 1.0, y - 2.0, z + 0.5];
            shifted
        };
        let expected: Vec<_> = points.iter().map(shift).collect();
        let bits = |p: &[Real; 8]| p.map(Real::to_bits);
        for instructions in Instructions::available() {
            let (copies, columns) = instructions.run(Shift(&points));
            assert!(copies.iter().map(bits).eq(expected.iter().map(bits)));
            for (axis, column) in columns.iter().enumerate() {
                assert!(column.iter().eq(expected.iter().map(|p| &p[axis])));
            }
        }
    }
}

#[test]
fn lists_are_put_side_by_side() {
    struct SideBySide<'a>(&'a [u32], &'a [List; LANES]);
    impl Job for SideBySide<'_> {
        type Output = [[Places; LANES]; 3];
        #[inline(always)]
        fn run<P: Pack>(self) -> Self::Output {
            [0, 16, 32].map(|first: usize| {
                let mut rows = [Places::default(); LANES];
                P::interleave(self.0, self.1, first, &mut rows);
                rows
            })
        }
    }
    let numbers: Vec<u32> = (0..400).map(|k| k * k + 3).collect();
    let lists = std::array::from_fn(|lane| List {
        start: 17 * lane as u32,
        count: (lane * lane * 7 % 40) as u32,
        filler: 1000 + lane as u32,
    });
    for instructions in Instructions::available() {
        let rows = instructions.run(SideBySide(&numbers, &lists));
        for (k, row) in rows.as_flattened().iter().enumerate() {
            for (lane, list) in lists.iter().enumerate() {
                let place = list.start as usize + k;
                let is_there = k < list.count as usize;
                let expected = if is_there {
                    numbers[place]
                } else {
                    list.filler
                };
                let found = row.get(lane);
                assert_eq!(
                    found,
                    expected as usize,
                    "{} {k} {lane}",
                    instructions.name()
                );
            }
        }
    }
}

#[test]
fn places_hidden_in_numbers_come_back() {
    struct Hidden(Row);
    impl Job for Hidden {
        type Output = Places;
        #[inline(always)]
        fn run<P: Pack>(self) -> Places {
            P::load(&self.0).to_places()
        }
    }
    let greatest = Places::LIMIT as u32 - 1;
    let places = [0, 1, 65_537, greatest / 3, greatest - 1, greatest];
    let places = Places::from_fn(|lane| places[lane % places.len()]);
    let hidden = Row(std::array::from_fn(|lane| {
        place_to_real(places.get(lane) as u32)
    }));
    assert!((0..LANES).all(|lane| hidden.0[lane].to_bits() == places.hidden().0[lane].to_bits()));
    for instructions in Instructions::available() {
        assert_eq!(instructions.run(Hidden(hidden)), places);
    }
}

#[test]
fn places_of_other_lanes_stay() {
    struct Merged(Row, Places);
    impl Job for Merged {
        type Output = (Places, usize);
        #[inline(always)]
        fn run<P: Pack>(self) -> (Places, usize) {
            let mask = P::Mask::from_bits(0b0101_1010_0011_0110);
            let merged = P::load(&self.0).to_places_or_where_not(mask, &self.1);
            (merged, P::COUNT)
        }
    }
    let (found, others) = (
        Places::from_fn(|k| 70 + k as u32),
        Places::from_fn(|k| k as u32),
    );
    for instructions in Instructions::available() {
        for lanes in [1, 4, 5, 8, LANES] {
            let (merged, count) = instructions.run_lanes(lanes, Merged(found.hidden(), others));
            for lane in 0..LANES {
                let is_found = lane < count && 0b0101_1010_0011_0110 >> lane & 1 == 1;
                let expected = if is_found { &found } else { &others };
                assert_eq!(merged.get(lane), expected.get(lane), "{lanes} {lane}");
            }
        }
    }
}

#[test]
fn masks_keep_their_bits() {
    struct Bits(u32);
    impl Job for Bits {
        type Output = [u32; 3];
        #[inline(always)]
        fn run<P: Pack>(self) -> [u32; 3] {
            let mask = P::Mask::from_bits(self.0);
            [mask.bits(), (!mask).bits(), u32::from(mask.any())]
        }
    }
    for instructions in Instructions::available() {
        for bits in [0, 1, 0x8000, 0xffff, 0x5a31] {
            let expected = [bits, !bits & 0xffff, u32::from(bits != 0)];
            assert_eq!(instructions.run(Bits(bits)), expected);
        }
    }
}

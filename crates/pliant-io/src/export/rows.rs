//! Which particles and triangles of a frame belong to a body, and arrays of their values.

use std::io::{self, Write};
use std::ops::Range;
use std::sync::Arc;

use pliant_core::measure::Frame;

use crate::usdc::{Array, Element, Value};

/// Particles that are turned into bytes at a time.
const BLOCK: usize = 8192;

/// The particles and triangles of each body.
#[derive(Debug)]
pub(super) struct Bodies {
    rows: Vec<Arc<Rows>>,
    triangles: Vec<Arc<Triangles>>,
}

/// The triangles of a body.
#[derive(Clone, Debug, Default)]
pub(super) struct Triangles {
    /// Their corners, numbered among its particles.
    pub corners: Vec<[u32; 3]>,
    /// Their places in the frame.
    pub places: Vec<u32>,
}

/// Places of particles in a frame, increasing.
#[derive(Clone, Debug)]
pub(super) enum Rows {
    /// All from one to another.
    Range(Range<usize>),
    /// Some.
    List(Vec<u32>),
}

impl Bodies {
    /// Those of a frame.
    pub fn of(frame: &Frame) -> Self {
        let rows: Vec<Arc<Rows>> = rows_of(frame).into_iter().map(Arc::new).collect();
        let mut triangles = vec![Triangles::default(); rows.len()];
        for (place, &corners) in (0..).zip(frame.triangles) {
            let body = frame.body[corners[0] as usize] as usize;
            let [a, b, c] = corners.map(|corner| rows[body].number_of(corner));
            if let (Some(a), Some(b), Some(c)) = (a, b, c) {
                triangles[body].corners.push([a, b, c]);
                triangles[body].places.push(place);
            }
        }
        Self {
            rows,
            triangles: triangles.into_iter().map(Arc::new).collect(),
        }
    }

    /// Those of a body.
    pub fn rows(&self, body: u32) -> &Arc<Rows> {
        &self.rows[body as usize]
    }

    /// The place of the first particle of a body; none if it has none, or comes later.
    pub fn first(&self, body: u32) -> Option<usize> {
        self.rows.get(body as usize)?.first()
    }

    /// The triangles of a body.
    pub fn triangles(&self, body: u32) -> &Arc<Triangles> {
        &self.triangles[body as usize]
    }
}

/// The place of the first particle of each body in a frame, none if it has none, for those who ask for no more.
pub(super) fn first_of_bodies(frame: &Frame) -> Vec<Option<usize>> {
    let mut first = vec![None; frame.bodies.len()];
    for (place, &body) in frame.body.iter().enumerate().rev() {
        first[body as usize] = Some(place);
    }
    first
}

fn rows_of(frame: &Frame) -> Vec<Rows> {
    let mut counts = vec![0_usize; frame.bodies.len()];
    for &body in frame.body {
        counts[body as usize] += 1;
    }
    if frame.body.is_sorted() {
        let mut end = 0;
        let range = |count: usize| {
            end += count;
            Rows::Range(end - count..end)
        };
        return counts.into_iter().map(range).collect();
    }
    let mut lists: Vec<Vec<u32>> = counts.into_iter().map(Vec::with_capacity).collect();
    for (place, &body) in (0..).zip(frame.body) {
        lists[body as usize].push(place);
    }
    lists.into_iter().map(Rows::List).collect()
}

impl Rows {
    pub fn count(&self) -> usize {
        match self {
            Self::Range(range) => range.len(),
            Self::List(list) => list.len(),
        }
    }

    /// The first, if there is one.
    pub fn first(&self) -> Option<usize> {
        match self {
            Self::Range(range) => Some(range.start).filter(|_| !range.is_empty()),
            Self::List(list) => list.first().map(|&place| place as usize),
        }
    }

    pub fn for_each(&self, mut each: impl FnMut(usize)) {
        match self {
            Self::Range(range) => range.clone().for_each(&mut each),
            Self::List(list) => list.iter().for_each(|&place| each(place as usize)),
        }
    }

    /// The number of a place among them.
    pub fn number_of(&self, place: u32) -> Option<u32> {
        match self {
            Self::Range(range) => range
                .contains(&(place as usize))
                .then(|| place - range.start as u32),
            Self::List(list) => list.binary_search(&place).ok().map(|number| number as u32),
        }
    }

    /// The array of what each has, by its place: so many words of four bytes.
    pub fn array<'a, const WORDS: usize>(
        self: &Arc<Self>,
        element: Element,
        words: impl Fn(usize) -> [u32; WORDS] + 'a,
    ) -> Value<'a> {
        let rows = self.clone();
        Value::Array(Array {
            element,
            count: self.count(),
            write: Box::new(move |out| rows.write(&words, out)),
        })
    }

    fn write<const WORDS: usize>(
        &self,
        words: &impl Fn(usize) -> [u32; WORDS],
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let mut block = vec![[[0_u8; 4]; WORDS]; BLOCK.min(self.count())];
        for start in (0..self.count()).step_by(BLOCK) {
            let count = BLOCK.min(self.count() - start);
            let block = &mut block[..count];
            let put = |(bytes, place): (&mut [[u8; 4]; WORDS], usize)| {
                *bytes = words(place).map(u32::to_le_bytes);
            };
            match self {
                Self::Range(range) => block.iter_mut().zip(range.start + start..).for_each(put),
                Self::List(list) => {
                    let places = list[start..].iter().map(|&place| place as usize);
                    block.iter_mut().zip(places).for_each(put);
                }
            }
            out.write_all(block.as_flattened().as_flattened())?;
        }
        Ok(())
    }
}

//! Arrays with a row a particle, to which each frame is appended.

use pliant_core::measure::{Frame, Quantity};
use rust_hdf5::{H5Dataset, H5Group, H5Type, Result};

use crate::CHUNK;

/// An array of rows of so many numbers.
pub(crate) struct AppendedArray(H5Dataset);

impl AppendedArray {
    /// An empty one; `width` is 1 for single numbers.
    pub fn new<T: H5Type>(group: &H5Group, name: &str, width: usize) -> Result<Self> {
        let array = group.new_dataset::<T>();
        let array = match width {
            1 => array.shape([0]).chunk(&[CHUNK]).max_shape(&[None]),
            _ => array
                .shape([0, width])
                .chunk(&[CHUNK, width])
                .max_shape(&[None, Some(width)]),
        };
        array.create(name).map(Self)
    }

    /// Adds rows.
    pub fn add<T: H5Type>(&self, values: &[T]) -> Result<()> {
        match values {
            [] => Ok(()),
            values => self.0.append(values),
        }
    }
}

/// Positions and everything that is known of each particle.
pub(crate) struct Columns {
    position: AppendedArray,
    velocity: AppendedArray,
    radius: AppendedArray,
    /// Ids, bodies, materials.
    numbers: [AppendedArray; 3],
    /// By name; those of the first frame, then those that it lacks.
    quantities: Vec<(&'static str, AppendedArray)>,
}

impl Columns {
    /// Empty ones for the quantities of a frame, and for some that it may lack.
    pub fn new(root: &H5Group, quantities: &[Quantity], later: &[&'static str]) -> Result<Self> {
        let group = root.create_group("PointData")?;
        let single = |name: &'static str| AppendedArray::new::<f32>(&group, name, 1);
        let number = |name: &str| AppendedArray::new::<u32>(&group, name, 1);
        let first = quantities.iter().map(|quantity| quantity.name);
        let lacks = |name: &&'static str| !quantities.iter().any(|known| known.name == *name);
        let names = first.chain(later.iter().copied().filter(lacks));
        let named = names.map(|name| Ok((name, single(name)?)));
        Ok(Self {
            position: AppendedArray::new::<f32>(root, "Points", 3)?,
            velocity: AppendedArray::new::<f32>(&group, "velocity", 3)?,
            radius: single("radius")?,
            numbers: [number("id")?, number("body")?, number("material")?],
            quantities: named.collect::<Result<_>>()?,
        })
    }

    /// Names of all but the positions.
    pub fn names(&self) -> Vec<&'static str> {
        let named = self.quantities.iter().map(|(name, _)| *name);
        let first = ["velocity", "radius", "id", "body", "material"];
        first.into_iter().chain(named).collect()
    }

    /// Adds a frame.
    pub fn add(&self, frame: &Frame<'_>) -> Result<()> {
        let positions = frame.position.iter().flat_map(|x| x.to_array());
        let positions: Vec<f32> = positions.map(|x| x as f32).collect();
        self.position.add(&positions)?;
        self.velocity.add(frame.velocity.as_flattened())?;
        self.radius.add(frame.radius)?;
        let numbers = [frame.id, frame.body, frame.material];
        for (column, values) in self.numbers.iter().zip(numbers) {
            column.add(values)?;
        }
        for (name, column) in &self.quantities {
            match frame.quantities.iter().find(|q| q.name == *name) {
                Some(quantity) => column.add(&quantity.values)?,
                None => column.add(&vec![f32::NAN; frame.particle_count()])?,
            }
        }
        Ok(())
    }
}

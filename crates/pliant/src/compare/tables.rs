//! The tables of two runs, column by column.

use std::path::PathBuf;

use pliant_io::{Table, TableError};

use super::particles::relative;

/// Columns that are no results: which row it is, and wall times.
const NO_RESULTS: &[&str] = &["frame", "wall"];

/// A table of two runs, compared.
#[derive(Clone, Debug, PartialEq)]
pub struct TableDifference {
    /// Name of the file.
    pub name: &'static str,
    /// Rows of each run.
    pub rows: [usize; 2],
    /// The columns that both have, without wall times, compared over the rows that both have.
    pub columns: Vec<ColumnDifference>,
    /// Columns of one run alone.
    pub only_in: [Vec<String>; 2],
}

/// How a column differs.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnDifference {
    /// Its name.
    pub name: String,
    /// The greatest difference, infinite if only one value is a number.
    pub greatest: f64,
    /// The values there.
    pub values: [f64; 2],
    /// The greatest size that a value of either run has.
    pub scale: f64,
    /// Simulated time of the greatest difference [s].
    pub time: f64,
    /// True if all values are the same.
    pub is_identical: bool,
}

impl TableDifference {
    pub(super) fn read(name: &'static str, paths: &[PathBuf; 2]) -> Result<Self, TableError> {
        let [one, two] = [Table::read(&paths[0])?, Table::read(&paths[1])?];
        Ok(Self::of(name, &one, &two))
    }

    fn of(name: &'static str, one: &Table, two: &Table) -> Self {
        let alone = |table: &Table, other: &Table| {
            let own = table.columns().iter();
            own.filter(|c| !other.columns().contains(c))
                .cloned()
                .collect()
        };
        let (time, shared) = (one.column("time").unwrap_or_default(), one.columns().iter());
        let columns = shared.filter(|name| is_result(name)).filter_map(|name| {
            let values = (one.column(name).ok()?, two.column(name).ok()?);
            Some(ColumnDifference::of(name, &time, (&values.0, &values.1)))
        });
        Self {
            name,
            rows: [one.rows().len(), two.rows().len()],
            columns: columns.collect(),
            only_in: [alone(one, two), alone(two, one)],
        }
    }

    /// True if both runs have the same rows, as far as they have the same columns.
    pub fn is_identical(&self) -> bool {
        self.rows[0] == self.rows[1] && self.columns.iter().all(|c| c.is_identical)
    }

    pub(super) fn greatest_relative(&self) -> f64 {
        if self.rows[0] != self.rows[1] {
            return f64::INFINITY;
        }
        let columns = self.columns.iter().map(ColumnDifference::relative);
        columns.fold(0.0, f64::max)
    }
}

impl ColumnDifference {
    fn of(name: &str, time: &[f64], (one, two): (&[f64], &[f64])) -> Self {
        let mut found = Self {
            name: name.to_owned(),
            greatest: 0.0,
            values: [0.0; 2],
            scale: 0.0,
            time: 0.0,
            is_identical: true,
        };
        for (row, (&a, &b)) in one.iter().zip(two).enumerate() {
            found.scale = [a, b].map(f64::abs).into_iter().fold(found.scale, f64::max);
            // Numbers are printed so that they read back with the same bits; of numbers that are
            // none there is one kind.
            if a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()) {
                continue;
            }
            found.is_identical = false;
            let size = match (a - b).abs() {
                size if size.is_nan() => f64::INFINITY,
                size => size,
            };
            if size > found.greatest {
                found.greatest = size;
                found.values = [a, b];
                found.time = time.get(row).copied().unwrap_or(f64::NAN);
            }
        }
        found
    }

    /// The greatest difference in shares of the greatest size.
    pub fn relative(&self) -> f64 {
        relative(self.greatest, self.scale)
    }
}

fn is_result(column: &str) -> bool {
    !NO_RESULTS.contains(&column) && !column.starts_with("wall_")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> Table {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.csv");
        std::fs::write(&path, text).unwrap();
        Table::read(&path).unwrap()
    }

    #[test]
    fn greatest_difference_of_a_column_has_its_time() {
        let one = table("frame,time,wall,a,b\n1,0,9,1,2\n2,0.5,9,4,2\n3,1,9,2,2\n");
        let two = table("frame,time,wall,a,c\n1,0,7,1,2\n2,0.5,7,3,2\n3,1,7,2.5,2\n");
        let found = TableDifference::of("t", &one, &two);
        assert_eq!(found.only_in, [["b"], ["c"]]);
        let names: Vec<&str> = found.columns.iter().map(|c| c.name.as_str()).collect();
        assert_eq!(names, ["time", "a"]);
        let a = &found.columns[1];
        assert_eq!((a.greatest, a.time, a.values), (1.0, 0.5, [4.0, 3.0]));
        assert_eq!(found.greatest_relative(), 0.25);
    }

    #[test]
    fn wall_times_are_no_results_and_missing_rows_are() {
        let one = table("frame,time,wall,wall_find\n1,0,3,3\n2,1,3,3\n");
        let two = table("frame,time,wall,wall_find\n1,0,4,4\n2,1,4,4\n");
        assert!(TableDifference::of("t", &one, &two).is_identical());
        let shorter = table("frame,time,wall,wall_find\n1,0,4,4\n");
        let found = TableDifference::of("t", &one, &shorter);
        assert!(!found.is_identical() && found.greatest_relative() == f64::INFINITY);
    }

    #[test]
    fn nan_equals_nan_only() {
        let one = table("time,a\n0,NaN\n1,NaN\n");
        let two = table("time,a\n0,NaN\n1,3\n");
        assert!(TableDifference::of("t", &one, &one).is_identical());
        let found = TableDifference::of("t", &one, &two);
        assert_eq!(found.greatest_relative(), f64::INFINITY);
    }
}

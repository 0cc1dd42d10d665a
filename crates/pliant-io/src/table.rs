//! Tables of numbers with named columns that grow by a row a frame: `stats.csv`, `probes.csv`.
//!
//! The file is small, so every row rewrites it: it is never partial under its name. Numbers are
//! printed with as many digits as it takes to read the same bits back.

use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::{FileError, csv_text, read_text, write_bytes};

/// A table and its file.
#[derive(Clone, Debug)]
pub struct Table {
    path: PathBuf,
    columns: Vec<String>,
    rows: Vec<Vec<f64>>,
    /// The file's content, kept so that a row costs one write.
    text: String,
}

/// A table that cannot be read or written.
#[derive(Debug, Error)]
pub enum TableError {
    /// The file itself.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file has other columns than those expected.
    #[error("`{}` has the columns [{found}], expected [{expected}]; it was written by another scene", path.display())]
    OtherColumns {
        /// The file.
        path: PathBuf,
        /// Columns in the file.
        found: String,
        /// Columns of this run.
        expected: String,
    },
    /// A line is no row of the table.
    #[error("`{}`, line {line}: {reason}", path.display())]
    BadLine {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// A row has the wrong number of values.
    #[error("`{}` has {expected} columns, the row {found} values", path.display())]
    WrongLength {
        /// The file.
        path: PathBuf,
        /// Number of columns.
        expected: usize,
        /// Number of values.
        found: usize,
    },
    /// There is no such column.
    #[error("`{}` has no column `{column}`; it has [{found}]", path.display())]
    NoColumn {
        /// The file.
        path: PathBuf,
        /// The column asked for.
        column: String,
        /// Columns in the file.
        found: String,
    },
}

impl Table {
    /// Starts a table, replacing an older file. Column names hold no line break.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn create(path: &Path, columns: &[String]) -> Result<Self, TableError> {
        let table = Self::with_rows(path, columns.to_vec(), Vec::new());
        table.write()?;
        Ok(table)
    }

    /// Reads a table. A torn last line, one without its line break, is left out.
    ///
    /// # Errors
    /// If the file cannot be read or a line is no row.
    pub fn read(path: &Path) -> Result<Self, TableError> {
        let text = read_text(path)?;
        // What follows the last line break was torn off while it was written.
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        let mut reader = csv::ReaderBuilder::new()
            .flexible(true)
            .trim(csv::Trim::Fields)
            .from_reader(whole.as_bytes());
        let bad_line = |line: u64, reason: String| TableError::BadLine {
            path: path.to_owned(),
            line: line as usize,
            reason,
        };
        // A text read from memory is UTF-8 and rows may have any length: only the cells can be wrong.
        let unreadable = |error: csv::Error| bad_line(1, error.to_string());
        let header = reader.headers().map_err(unreadable)?;
        let columns: Vec<String> = header.iter().map(str::to_owned).collect();
        let mut rows = Vec::new();
        for record in reader.records() {
            let record = record.map_err(unreadable)?;
            let line = record.position().map_or(0, csv::Position::line);
            let row = parse_row(&record, columns.len()).map_err(|reason| bad_line(line, reason))?;
            rows.push(row);
        }
        Ok(Self::with_rows(path, columns, rows))
    }

    /// Opens a table to go on with: keeps the rows up to the first whose value in `column` is
    /// greater than `last` (or not a number), and rewrites the file without the others.
    ///
    /// # Errors
    /// If the file cannot be read or written, has other columns, or a line is no row.
    pub fn resume(
        path: &Path,
        columns: &[String],
        column: &str,
        last: f64,
    ) -> Result<Self, TableError> {
        let mut table = Self::read(path)?;
        if table.columns != columns {
            return Err(TableError::OtherColumns {
                path: path.to_owned(),
                found: table.columns.join(", "),
                expected: columns.join(", "),
            });
        }
        let index = table.column_index(column)?;
        let kept = table
            .rows
            .iter()
            .take_while(|row| row[index] <= last)
            .count();
        table.rows.truncate(kept);
        let table = Self::with_rows(path, table.columns, table.rows);
        table.write()?;
        Ok(table)
    }

    /// Adds a row and writes the file.
    ///
    /// # Errors
    /// If the number of values is not that of the columns, or the file cannot be written.
    pub fn append(&mut self, row: &[f64]) -> Result<(), TableError> {
        if row.len() != self.columns.len() {
            return Err(TableError::WrongLength {
                path: self.path.clone(),
                expected: self.columns.len(),
                found: row.len(),
            });
        }
        self.text += &csv_text([row.iter().map(printed)]);
        self.rows.push(row.to_vec());
        self.write()
    }

    /// Column names.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The rows, each as long as [`columns`](Self::columns).
    pub fn rows(&self) -> &[Vec<f64>] {
        &self.rows
    }

    /// The values of a column, one a row.
    ///
    /// # Errors
    /// If there is no such column.
    pub fn column(&self, name: &str) -> Result<Vec<f64>, TableError> {
        let index = self.column_index(name)?;
        Ok(self.rows.iter().map(|row| row[index]).collect())
    }

    fn with_rows(path: &Path, columns: Vec<String>, rows: Vec<Vec<f64>>) -> Self {
        let mut text = csv_text([&columns]);
        text += &csv_text(rows.iter().map(|row| row.iter().map(printed)));
        Self {
            path: path.to_owned(),
            columns,
            rows,
            text,
        }
    }

    fn column_index(&self, name: &str) -> Result<usize, TableError> {
        let index = self.columns.iter().position(|column| column == name);
        index.ok_or_else(|| TableError::NoColumn {
            path: self.path.clone(),
            column: name.to_owned(),
            found: self.columns.join(", "),
        })
    }

    fn write(&self) -> Result<(), TableError> {
        Ok(write_bytes(&self.path, self.text.as_bytes())?)
    }
}

/// The numbers of a line, or what is wrong with it.
fn parse_row(record: &csv::StringRecord, width: usize) -> Result<Vec<f64>, String> {
    if record.len() != width {
        let found = record.len();
        return Err(format!(
            "{found} values where the header names {width} columns"
        ));
    }
    let number = |field: &str| {
        let value = field.parse::<f64>();
        value.map_err(|_| format!("`{field}` is not a number"))
    };
    record.iter().map(number).collect()
}

/// Whole numbers as such, others in the shortest form that reads back the same.
fn printed(value: &f64) -> String {
    match value.trunc() == *value && value.abs() < 1e15 {
        true => value.to_string(),
        false => format!("{value:?}"),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn names(columns: &[&str]) -> Vec<String> {
        columns.iter().map(|c| (*c).to_owned()).collect()
    }

    fn small_table(path: &Path) -> Table {
        let mut table = Table::create(path, &names(&["frame", "time"])).unwrap();
        for frame in 1..=4 {
            table
                .append(&[f64::from(frame), f64::from(frame) / 24.0])
                .unwrap();
        }
        table
    }

    #[test]
    fn every_row_is_in_the_file_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("stats.csv");
        let mut table = Table::create(&path, &names(&["frame", "energy"])).unwrap();
        table.append(&[1.0, 2.5e-7]).unwrap();
        assert_eq!(read_text(&path).unwrap(), "frame,energy\n1,2.5e-7\n");
        table.append(&[2.0, f64::NAN]).unwrap();
        assert_eq!(read_text(&path).unwrap(), "frame,energy\n1,2.5e-7\n2,NaN\n");
    }

    #[test]
    fn resume_cuts_later_rows_from_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("stats.csv");
        let columns = small_table(&path).columns().to_vec();
        let mut table = Table::resume(&path, &columns, "time", 2.0 / 24.0).unwrap();
        assert_eq!(table.column("frame").unwrap(), [1.0, 2.0]);
        assert_eq!(Table::read(&path).unwrap().rows().len(), 2);
        table.append(&[3.0, 0.125]).unwrap();
        assert_eq!(
            Table::read(&path).unwrap().column("frame").unwrap(),
            [1.0, 2.0, 3.0]
        );
    }

    #[test]
    fn torn_last_line_is_dropped_wherever_it_was_torn() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("stats.csv");
        small_table(&path);
        let whole = read_text(&path).unwrap();
        let last_line = whole.trim_end().rfind('\n').unwrap() + 1;
        for end in last_line..whole.len() {
            write_bytes(&path, &whole.as_bytes()[..end]).unwrap();
            let table = Table::resume(&path, &names(&["frame", "time"]), "frame", 9.0).unwrap();
            assert_eq!(table.rows().len(), 3);
            assert_eq!(read_text(&path).unwrap(), whole[..last_line]);
        }
    }

    #[test]
    fn bad_line_in_the_middle_is_an_error_with_its_number() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("stats.csv");
        for bad in ["1", "1,2,3", "1,x", "1,"] {
            write_bytes(&path, format!("frame,time\n0,0\n{bad}\n2,1\n").as_bytes()).unwrap();
            let error = Table::read(&path).unwrap_err();
            assert!(
                matches!(error, TableError::BadLine { line: 3, .. }),
                "{error}"
            );
        }
    }

    #[test]
    fn other_columns_unknown_columns_and_wrong_rows_are_errors() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("stats.csv");
        let mut table = small_table(&path);
        let error = Table::resume(&path, &names(&["frame", "mass"]), "frame", 1.0).unwrap_err();
        assert!(error.to_string().contains("frame, mass"));
        assert!(matches!(
            table.column("mass"),
            Err(TableError::NoColumn { .. })
        ));
        assert!(matches!(
            table.append(&[1.0]),
            Err(TableError::WrongLength { .. })
        ));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn numbers_read_back_with_the_same_bits(
            rows in prop::collection::vec(prop::array::uniform2(prop::num::f64::ANY), 0..4)
        ) {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("t.csv");
            let mut table = Table::create(&path, &names(&["a", "b"])).unwrap();
            for row in &rows {
                table.append(row).unwrap();
            }
            let read = Table::read(&path).unwrap();
            prop_assert_eq!(read.rows().len(), rows.len());
            for (found, row) in read.rows().iter().zip(&rows) {
                for (a, b) in found.iter().zip(row) {
                    prop_assert!(a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()));
                }
            }
        }
    }
}

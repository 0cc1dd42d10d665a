//! Comma-separated values as text.

/// Rows of cells as comma-separated values (RFC 4180, with plain line breaks): a cell is quoted where it has
/// to be.
pub fn csv_text<R, C>(rows: impl IntoIterator<Item = R>) -> String
where
    R: IntoIterator<Item = C>,
    C: AsRef<[u8]>,
{
    let mut writer = csv::WriterBuilder::new()
        .flexible(true)
        .from_writer(Vec::new());
    for row in rows {
        // Nothing fails in memory, and rows may have any length.
        let _ = writer.write_record(row);
    }
    let bytes = writer.into_inner().unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_with_commas_and_quotation_marks_stay_cells() {
        let rows = [vec!["a", "[1, 2]", "\"x\""], vec!["b"]];
        assert_eq!(csv_text(rows), "a,\"[1, 2]\",\"\"\"x\"\"\"\nb\n");
    }
}

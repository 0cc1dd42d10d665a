//! Numbers as people read them.

/// A count with its thousands apart: `12,345,678`.
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A time span [s]: `0.8 s`, `12 s`, `3 min 05 s`, `2 h 10 min`.
pub fn duration(seconds: f64) -> String {
    let whole = seconds.max(0.0).round() as u64;
    match whole {
        _ if seconds < 9.95 => format!("{seconds:.1} s"),
        0..60 => format!("{whole} s"),
        60..3600 => format!("{} min {:02} s", whole / 60, whole % 60),
        _ => format!("{} h {:02} min", whole / 3600, whole % 3600 / 60),
    }
}

/// `8.0 GB`.
pub fn bytes(count: u64) -> String {
    let mut size = count as f64;
    for unit in ["bytes", "kB", "MB", "GB"] {
        if size < 1000.0 {
            return if unit == "bytes" {
                format!("{size} {unit}")
            } else {
                format!("{size:.1} {unit}")
            };
        }
        size /= 1000.0;
    }
    format!("{size:.1} TB")
}

/// A value with at most four digits (more before the point).
pub fn number(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    if !(1e-3..1e6).contains(&size) {
        let text = format!("{value:.3e}");
        let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
        return format!("{}e{power}", trimmed(digits));
    }
    let decimals = (3.0 - size.log10().floor()).clamp(0.0, 6.0) as usize;
    trimmed(&format!("{value:.decimals$}")).to_owned()
}

/// A table with columns as wide as their widest cell; columns of `right` are set to the right.
pub fn table(rows: &[Vec<String>], right: &[usize]) -> String {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |c: usize| {
        let cells = rows.iter().filter_map(|row| row.get(c));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..count).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().enumerate().map(|(c, cell)| {
            let space = widths[c];
            if right.contains(&c) {
                format!("{cell:>space$}")
            } else {
                format!("{cell:<space$}")
            }
        });
        let line = cells.collect::<Vec<_>>().join("  ");
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// A decimal number without zeros at its end.
fn trimmed(text: &str) -> &str {
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(grouped(12), "12");
        assert_eq!(duration(0.82), "0.8 s");
        assert_eq!(duration(185.0), "3 min 05 s");
        assert_eq!(duration(7800.0), "2 h 10 min");
        assert_eq!(bytes(512), "512 bytes");
        assert_eq!(bytes(8_040_000_000), "8.0 GB");
        assert_eq!(number(0.168_04), "0.168");
        assert_eq!(number(-12_345.6), "-12346");
        assert_eq!(number(1e-9), "1e-9");
    }

    #[test]
    fn tables_line_up() {
        let rows = [["a", "1"], ["bbb", "22"]].map(|row| row.map(String::from).to_vec());
        assert_eq!(table(&rows, &[1]), "a     1\nbbb  22\n");
    }
}

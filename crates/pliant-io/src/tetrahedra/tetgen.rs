//! Tetrahedra in the files of TetGen: `.ele`, with the points in the file of the same name that ends with `.node`.
//! Points are numbered from 0 or from 1, as the first of them says.

use pliant_math::DVec3;

use super::{Raw, TetrahedraFormat, TetrahedraProblem};
use crate::beside::Beside;
use crate::formats::without_mark;

pub(super) const FORMAT: TetrahedraFormat = TetrahedraFormat {
    name: "TetGen",
    extension: "ele",
    read,
};

fn read(bytes: &[u8], beside: &Beside<'_>) -> Result<Raw, TetrahedraProblem> {
    let points = beside.path.with_extension("node");
    let name = points.file_name().unwrap_or_default().to_string_lossy();
    let points = beside.read(&name).map_err(|error| {
        TetrahedraProblem::Malformed(format!("its points stand in a file beside it: {error}"))
    })?;
    let (first, points) = read_points(&points).map_err(|reason| in_file(&name, &reason))?;
    let tetrahedra = read_corners(bytes, first).map_err(TetrahedraProblem::Malformed)?;
    Ok((points, tetrahedra))
}

fn in_file(name: &str, reason: &str) -> TetrahedraProblem {
    TetrahedraProblem::Malformed(format!("in `{name}` beside it: {reason}"))
}

/// A line with something on it: its number from 1 on, and its words.
type Line<'t> = (usize, Vec<&'t str>);

/// The lines without comments and empty ones.
fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let numbered = (1..).zip(text.lines());
    numbered
        .map(|(number, line)| {
            (
                number,
                uncommented(line).split_whitespace().collect::<Vec<_>>(),
            )
        })
        .filter(|(_, words)| !words.is_empty())
}

fn uncommented(line: &str) -> &str {
    line.split('#').next().unwrap_or_default()
}

/// The number of the first point, 0 or 1, and the points.
fn read_points(bytes: &[u8]) -> Result<(u64, Vec<DVec3>), String> {
    let text = String::from_utf8_lossy(without_mark(bytes));
    let mut lines = lines(&text);
    let wanted = "the number of points, 3, and the numbers of attributes and of markers";
    let [count, dimension] = header(lines.next(), wanted)?;
    if dimension != 3 {
        return Err(format!("its points have {dimension} coordinates, not 3"));
    }
    let (mut first, mut points) = (0, Vec::new());
    for (at, words) in lines.by_ref().take(count) {
        let [number, x, y, z] = leading(at, &words, "the number of a point and 3 coordinates")?;
        let number: u64 = parsed(at, number)?;
        if points.is_empty() {
            first = number;
        }
        if first > 1 || number != first + points.len() as u64 {
            let expected = if points.is_empty() {
                "0 or 1".to_owned()
            } else {
                (first + points.len() as u64).to_string()
            };
            return Err(format!(
                "line {at}: point {number} stands where {expected} would be"
            ));
        }
        points.push(DVec3::new(parsed(at, x)?, parsed(at, y)?, parsed(at, z)?));
    }
    complete(points.len(), count, "points")?;
    Ok((first, points))
}

/// The corners of the tetrahedra, counted from 0.
fn read_corners(bytes: &[u8], first: u64) -> Result<Vec<[u32; 4]>, String> {
    let text = String::from_utf8_lossy(without_mark(bytes));
    let mut lines = lines(&text);
    let wanted = "the number of tetrahedra, 4, and the number of attributes";
    let [count, corners] = header(lines.next(), wanted)?;
    if corners != 4 {
        return Err(format!(
            "its tetrahedra have {corners} points; only those of four are read as solids (run TetGen without -o2)"
        ));
    }
    let mut tetrahedra = Vec::new();
    for (at, words) in lines.by_ref().take(count) {
        let [_, a, b, c, d] = leading(at, &words, "the number of a tetrahedron and 4 points")?;
        let mut corners = [0; 4];
        for (corner, word) in corners.iter_mut().zip([a, b, c, d]) {
            let number: u64 = parsed(at, word)?;
            let index = number.checked_sub(first).ok_or_else(|| {
                format!("line {at}: point {number}, and the first point is {first}")
            })?;
            // A number too large for 32 bits is that of no point either.
            *corner = u32::try_from(index).unwrap_or(u32::MAX);
        }
        tetrahedra.push(corners);
    }
    complete(tetrahedra.len(), count, "tetrahedra")?;
    Ok(tetrahedra)
}

/// The first two numbers of the first line.
fn header(line: Option<Line<'_>>, wanted: &str) -> Result<[usize; 2], String> {
    let (at, words) = line.ok_or_else(|| format!("it is empty; it starts with {wanted}"))?;
    let [a, b] = leading(at, &words, wanted)?;
    Ok([parsed(at, a)?, parsed(at, b)?])
}

fn leading<'t, const N: usize>(
    at: usize,
    words: &[&'t str],
    wanted: &str,
) -> Result<[&'t str; N], String> {
    let leading = words.get(..N).and_then(|w| w.try_into().ok());
    leading.ok_or_else(|| format!("line {at} has not what belongs there: {wanted}"))
}

fn parsed<T: std::str::FromStr>(at: usize, word: &str) -> Result<T, String> {
    let number = word.parse();
    number.map_err(|_| format!("line {at}: `{word}` is not the number that belongs there"))
}

fn complete(found: usize, count: usize, what: &str) -> Result<(), String> {
    if found == count {
        Ok(())
    } else {
        Err(format!(
            "it announces {count} {what} and has {found}; is it cut off?"
        ))
    }
}

//! Files of clips by a template: `name.###.usd`, or `name.##.##.usd` for times that are not whole.

use super::super::{MeshProblem, malformed};
use super::told::ToldSet;

/// Files beyond which a template is taken to be damaged.
const MOST_FILES: f64 = 100_000.0;

/// Times are counted in as many parts of a time code, as OpenUSD does: strides such as 0.1 meet the end.
const PARTS: f64 = 10_000.0;

/// The files of a template, and when they are.
pub(super) struct Expanded {
    pub(super) files: Vec<String>,
    pub(super) active: Vec<[f64; 2]>,
    pub(super) times: Vec<[f64; 2]>,
}

/// The files of a set that has a template. Each is active from its own time on, or from that with the offset.
///
/// * `of` — the set, for people
///
/// # Errors
/// If the template has no place for a number, or the times make no range.
pub(super) fn expanded(of: &str, told: &ToldSet, template: &str) -> Result<Expanded, MeshProblem> {
    let range = (told.start, told.end, told.stride);
    let (Some(start), Some(end), Some(stride)) = range else {
        return Err(malformed(format!(
            "{of} has the template `{template}` without templateStartTime, templateEndTime or templateStride; write all \
             three"
        )));
    };
    let count = ((end - start) * PARTS / (stride * PARTS) + 1e-9).floor() + 1.0;
    if !(stride > 0.0 && start <= end && count <= MOST_FILES) {
        return Err(malformed(format!(
            "{of} has templateStartTime {start}, templateEndTime {end} and templateStride {stride}: the stride must be \
             greater than 0, the end not before the start, and at most {MOST_FILES} files"
        )));
    }
    if told
        .active_offset
        .is_some_and(|offset| offset.abs() > stride)
    {
        return Err(malformed(format!(
            "{of} has a templateActiveOffset beyond its templateStride of {stride}; write one from {} to {stride}",
            -stride
        )));
    }
    let name = Name::of(template).ok_or_else(|| {
        malformed(format!(
            "{of} has the templateAssetPath `{template}`; write one such as `name.####.usd`, or `name.##.##.usd` for \
             times that are not whole, the part with # between dots"
        ))
    })?;
    let time = |number: u32| (start * PARTS + f64::from(number) * stride * PARTS) / PARTS;
    let own: Vec<f64> = (0..count as u32).map(time).collect();
    let offset = told.active_offset.unwrap_or(0.0);
    let mut times: Vec<[f64; 2]> = own.iter().map(|&time| [time, time]).collect();
    if told.active_offset.is_some() {
        // So that times before the first file and after the last one are those of the files.
        let (before, after) = (start - offset.abs(), end + offset.abs());
        times.insert(0, [before, before]);
        times.push([after, after]);
    }
    let numbered = (0..).zip(&own);
    Ok(Expanded {
        files: own.iter().map(|&time| name.at(time)).collect(),
        active: numbered
            .map(|(number, time)| [time + offset, f64::from(number)])
            .collect(),
        times,
    })
}

/// A template taken apart.
struct Name<'t> {
    before: &'t str,
    after: &'t str,
    /// How many digits the whole part has at least.
    whole: usize,
    /// How many digits follow the point.
    decimals: usize,
}

impl<'t> Name<'t> {
    fn of(template: &'t str) -> Option<Self> {
        let name = template.rfind('/').map_or(0, |slash| slash + 1);
        let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte == b'#');
        let (mut at, mut groups) = (name, Vec::new());
        for part in template[name..].split('.') {
            if is_digits(part) {
                groups.push(at..at + part.len());
            }
            at += part.len() + 1;
        }
        let (first, last) = (groups.first()?, groups.last()?);
        let follow = first.end + 1 == last.start;
        let decimals = match groups.len() {
            1 => 0,
            2 if follow => last.len(),
            _ => return None,
        };
        Some(Self {
            before: &template[..first.start],
            after: &template[last.end..],
            whole: first.len(),
            decimals,
        })
    }

    fn at(&self, time: f64) -> String {
        let Self { before, after, .. } = self;
        if self.decimals == 0 {
            let width = self.whole;
            return format!("{before}{:0width$}{after}", time.trunc() as i64);
        }
        let width = self.whole + 1 + self.decimals;
        let decimals = self.decimals;
        format!("{before}{time:0width$.decimals$}{after}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_as_many_digits_as_the_template_asks_for() {
        let at = |template, time| Name::of(template).unwrap().at(time);
        // As OpenUSD 26.11 looks for them.
        assert_eq!(at("./u.###.usda", 2.0), "./u.002.usda");
        assert_eq!(at("b.#.usda", 11.0), "b.11.usda");
        assert_eq!(at("v.#.usda", 1.5), "v.1.usda");
        assert_eq!(at("n.##.usda", -2.0), "n.-2.usda");
        assert_eq!(at("w.#.##.usda", 1.5), "w.1.50.usda");
        assert_eq!(at("e.#.###.usda", 2.0 / 3.0), "e.0.667.usda");
        assert_eq!(at("a.#/b.##.usda", 1.0), "a.#/b.01.usda");
        for none in ["a.usda", "a.#.b.#.usda", "a.#.#.#.usda", "a#.usda"] {
            assert!(Name::of(none).is_none(), "{none}");
        }
    }
}

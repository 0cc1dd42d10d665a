//! Distances between blocks, for points beyond the band.

use pliant_math::DVec3;

/// For each block the distance from its middle to the middle of the nearest block of the band, in
/// block widths; blocks in order of x, then y, then z.
pub(super) fn block_distances(counts: [usize; 3], is_in_band: impl Fn(usize) -> bool) -> Vec<f32> {
    let far = counts.iter().map(|n| n * n).sum::<usize>() as f32;
    let total = counts[0] * counts[1] * counts[2];
    let mut squares: Vec<f32> = (0..total)
        .map(|block| if is_in_band(block) { 0.0 } else { far })
        .collect();
    let strides = [1, counts[0], counts[0] * counts[1]];
    for axis in 0..3 {
        let mut line = vec![0.0; counts[axis]];
        let mut hull = Vec::new();
        for start in (0..total).filter(|block| (block / strides[axis]).is_multiple_of(counts[axis]))
        {
            for (i, value) in line.iter_mut().enumerate() {
                *value = squares[start + i * strides[axis]];
            }
            lower_parabolas(&line, &mut hull);
            let mut current = 0;
            for i in 0..counts[axis] {
                while current + 1 < hull.len() && hull[current + 1].1 < i as f32 {
                    current += 1;
                }
                let (vertex, _) = hull[current];
                let offset = i as f32 - vertex as f32;
                squares[start + i * strides[axis]] = offset * offset + line[vertex];
            }
        }
    }
    squares.into_iter().map(f32::sqrt).collect()
}

/// The lower envelope of the parabolas (i - v)^2 + line[v]: their vertices and where each begins
/// (Felzenszwalb and Huttenlocher, Distance Transforms of Sampled Functions, 2012).
fn lower_parabolas(line: &[f32], hull: &mut Vec<(usize, f32)>) {
    hull.clear();
    for v in 0..line.len() {
        let height = |v: usize| line[v] + (v * v) as f32;
        let mut begin = f32::NEG_INFINITY;
        while let Some(&(top, top_begin)) = hull.last() {
            begin = (height(v) - height(top)) / (2 * (v - top)) as f32;
            if begin > top_begin {
                break;
            }
            hull.pop();
            begin = f32::NEG_INFINITY;
        }
        hull.push((v, begin));
    }
}

/// Interpolates values given at the middles of blocks at a place in block widths.
pub(super) fn interpolate(values: &[f32], counts: [usize; 3], place: DVec3) -> f64 {
    let last = DVec3::from(counts.map(|n| (n - 1) as f64));
    let shifted = (place - DVec3::splat(0.5)).clamp(DVec3::ZERO, last);
    let low = shifted.floor().min((last - DVec3::ONE).max(DVec3::ZERO));
    let part = shifted - low;
    let base = low.to_array().map(|x| x as usize);
    (0..8)
        .map(|corner| {
            let bits: [usize; 3] = std::array::from_fn(|axis| corner >> axis & 1);
            let block: [usize; 3] =
                std::array::from_fn(|axis| (base[axis] + bits[axis]).min(counts[axis] - 1));
            let weight: f64 = (0..3)
                .map(|axis| {
                    if bits[axis] == 1 {
                        part[axis]
                    } else {
                        1.0 - part[axis]
                    }
                })
                .product();
            let index = (block[2] * counts[1] + block[1]) * counts[0] + block[0];
            weight * f64::from(values[index])
        })
        .sum()
}

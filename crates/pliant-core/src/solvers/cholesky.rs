//! Small dense systems that are symmetric and positive, by Cholesky's method.

use pliant_math::simd::{Job, Pack};

/// A matrix, of which the upper triangle counts, into U with U^T U = A; false if it is not positive.
pub struct Factor<'a> {
    /// Row by row.
    pub matrix: &'a mut [f64],
    /// Number of rows.
    pub size: usize,
}

impl Job for Factor<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<P: Pack>(self) -> bool {
        let Self { matrix, size } = self;
        for k in 0..size {
            let (above, below) = matrix.split_at_mut((k + 1) * size);
            let pivot = &mut above[k * size + k..];
            if pivot[0].is_nan() || pivot[0] <= 0.0 {
                return false;
            }
            let scale = 1.0 / pivot[0].sqrt();
            for value in pivot.iter_mut() {
                *value *= scale;
            }
            let pivot = &*pivot;
            for (i, row) in below.chunks_exact_mut(size).enumerate() {
                let share = pivot[i + 1];
                if share != 0.0 {
                    for (value, of_pivot) in row[k + 1 + i..].iter_mut().zip(&pivot[i + 1..]) {
                        *value -= share * of_pivot;
                    }
                }
            }
        }
        true
    }
}

/// Solves U^T U x = b in place; the output is b times x.
pub struct Solve<'a> {
    /// U, row by row.
    pub factor: &'a [f64],
    /// b, then x.
    pub values: &'a mut [f64],
}

impl Job for Solve<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<P: Pack>(self) -> f64 {
        let Self { factor, values } = self;
        let size = values.len();
        let mut squared = 0.0;
        for k in 0..size {
            let row = &factor[k * size..(k + 1) * size];
            let (head, tail) = values.split_at_mut(k + 1);
            head[k] /= row[k];
            let value = head[k];
            squared += value * value;
            for (rest, of_row) in tail.iter_mut().zip(&row[k + 1..]) {
                *rest -= value * of_row;
            }
        }
        for k in (0..size).rev() {
            let row = &factor[k * size..(k + 1) * size];
            let (head, tail) = values.split_at_mut(k + 1);
            head[k] = (head[k] - dot(&row[k + 1..], tail)) / row[k];
        }
        squared
    }
}

/// In eight sums, which do not wait for each other.
#[inline(always)]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (a, rest_a) = a.as_chunks::<8>();
    let (b, rest_b) = b.as_chunks::<8>();
    for (a, b) in a.iter().zip(b) {
        for k in 0..8 {
            sums[k] += a[k] * b[k];
        }
    }
    let mut total = 0.0;
    for sum in sums {
        total += sum;
    }
    for (a, b) in rest_a.iter().zip(rest_b) {
        total += a * b;
    }
    total
}

#[cfg(test)]
mod tests {
    use pliant_math::simd::Instructions;

    use super::*;

    #[test]
    fn the_factors_solve_the_original_system() {
        let size = 7;
        let random = |k: usize| ((k * 2654435761) % 1000) as f64 / 1000.0 - 0.5;
        // B^T B + 1.
        let entry = |i: usize, j: usize| {
            let sum: f64 = (0..size)
                .map(|k| random(k * size + i) * random(k * size + j))
                .sum();
            sum + f64::from(i == j)
        };
        let matrix: Vec<f64> = (0..size * size)
            .map(|k| entry(k / size, k % size))
            .collect();
        let right: Vec<f64> = (0..size).map(|k| random(1000 + k)).collect();
        let (mut factored, mut values) = (matrix.clone(), right.clone());
        let best = Instructions::best();
        assert!(best.run(Factor {
            matrix: &mut factored,
            size
        }));
        let squared = best.run(Solve {
            factor: &factored,
            values: &mut values,
        });
        for row in 0..size {
            let product: f64 = (0..size).map(|k| matrix[row * size + k] * values[k]).sum();
            assert!((product - right[row]).abs() < 1e-12);
        }
        let expected: f64 = right.iter().zip(&values).map(|(b, x)| b * x).sum();
        assert!((squared - expected).abs() < 1e-12);
        let mut negative = matrix;
        negative[0] = -1.0;
        assert!(!best.run(Factor {
            matrix: &mut negative,
            size
        }));
    }
}

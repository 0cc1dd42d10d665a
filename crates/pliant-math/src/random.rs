//! Random numbers as a pure function of a key.
//!
//! A number depends on (seed, stream, index) only, never on how many were drawn before, so results
//! do not depend on the order or the number of threads that ask. The mixing function is SplitMix64
//! (Steele, Lea and Flood 2014).

/// A stream of random numbers, addressed by index.
#[derive(Clone, Copy, Debug)]
pub struct RandomStream {
    key: u64,
}

impl RandomStream {
    /// A stream for a scene's `seed` and a `stream` number (one for each use).
    pub fn new(seed: u64, stream: u64) -> Self {
        Self {
            key: mix(seed ^ mix(stream.wrapping_add(0x632b_e59b_d9b4_e019))),
        }
    }

    /// The 64 random bits at `index`.
    #[inline]
    pub fn bits(&self, index: u64) -> u64 {
        mix(self.key ^ mix(index))
    }

    /// A number uniform in [0, 1) at `index`.
    #[inline]
    pub fn unit(&self, index: u64) -> f64 {
        (self.bits(index) >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }
}

fn mix(key: u64) -> u64 {
    let mut z = key.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_and_variance_are_those_of_a_uniform_distribution() {
        let stream = RandomStream::new(7, 3);
        let n = 100_000;
        let values: Vec<f64> = (0..n).map(|i| stream.unit(i)).collect();
        let mean = values.iter().sum::<f64>() / n as f64;
        let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n as f64;
        assert!((mean - 0.5).abs() < 5e-3, "mean {mean}");
        assert!((variance - 1.0 / 12.0).abs() < 2e-3, "variance {variance}");
    }

    #[test]
    fn streams_and_seeds_are_independent() {
        let a = RandomStream::new(1, 1);
        let b = RandomStream::new(1, 2);
        let c = RandomStream::new(2, 1);
        assert_ne!(a.bits(0), b.bits(0));
        assert_ne!(a.bits(0), c.bits(0));
    }
}

//! The way from a triangle to a point.

use pliant_math::DVec3;

/// A triangle with what its distance queries need more than once.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Triangle {
    corners: [DVec3; 3],
    ab: DVec3,
    ac: DVec3,
}

/// What of a triangle is nearest to a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Feature {
    /// One of its corners.
    Corner(usize),
    /// The edge that starts at a corner, going round.
    Edge(usize),
    /// Its inside.
    Face,
}

impl Triangle {
    pub(crate) fn new(corners: [DVec3; 3]) -> Self {
        let [a, b, c] = corners;
        Self {
            corners,
            ab: b - a,
            ac: c - a,
        }
    }

    /// Its corners.
    pub(crate) fn corners(&self) -> [DVec3; 3] {
        self.corners
    }

    /// Unit axes: along the first edge, across it, and along the normal; those of the world without area.
    pub(crate) fn axes(&self) -> [DVec3; 3] {
        let normal = self.normal();
        if normal == DVec3::ZERO {
            return DVec3::AXES;
        }
        let along = self.ab.normalize();
        [along, normal.cross(along), normal]
    }

    /// Weights of the corners, with the sum 1, at the point of the triangle that a point of its plane is; at the
    /// first corner without area.
    pub(crate) fn weights(&self, point: DVec3) -> [f64; 3] {
        let ap = point - self.corners[0];
        let (bb, bc, cc) = (
            self.ab.length_squared(),
            self.ab.dot(self.ac),
            self.ac.length_squared(),
        );
        let (pb, pc) = (ap.dot(self.ab), ap.dot(self.ac));
        let area = bb * cc - bc * bc;
        if area <= 0.0 {
            return [1.0, 0.0, 0.0];
        }
        let (b, c) = ((cc * pb - bc * pc) / area, (bb * pc - bc * pb) / area);
        [1.0 - b - c, b, c]
    }

    /// Squared distance [m2] of a point.
    #[inline]
    pub(crate) fn distance_squared(&self, point: DVec3) -> f64 {
        self.offset(point).length_squared()
    }

    /// Unit normal, zero without area.
    pub(crate) fn normal(&self) -> DVec3 {
        self.ab.cross(self.ac).normalize_or_zero()
    }

    /// From the nearest point to a point [m].
    #[inline]
    pub(crate) fn offset(&self, point: DVec3) -> DVec3 {
        self.nearest(point).0
    }

    /// From the nearest point to a point [m], and what that is a point of (Ericson, Real-Time Collision
    /// Detection, 2005, section 5.1.5: the region of the triangle that the point projects to is read
    /// off six scalar products).
    #[inline]
    pub(crate) fn nearest(&self, point: DVec3) -> (DVec3, Feature) {
        let [a, b, c] = self.corners;
        let (ap, bp, cp) = (point - a, point - b, point - c);
        let (d1, d2) = (self.ab.dot(ap), self.ac.dot(ap));
        if d1 <= 0.0 && d2 <= 0.0 {
            return (ap, Feature::Corner(0));
        }
        let (d3, d4) = (self.ab.dot(bp), self.ac.dot(bp));
        if d3 >= 0.0 && d4 <= d3 {
            return (bp, Feature::Corner(1));
        }
        let (d5, d6) = (self.ab.dot(cp), self.ac.dot(cp));
        if d6 >= 0.0 && d5 <= d6 {
            return (cp, Feature::Corner(2));
        }
        let vc = d1 * d4 - d3 * d2;
        if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
            return (ap - self.ab * ratio(d1, d1 - d3), Feature::Edge(0));
        }
        let vb = d5 * d2 - d1 * d6;
        if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
            return (ap - self.ac * ratio(d2, d2 - d6), Feature::Edge(2));
        }
        let va = d3 * d6 - d5 * d4;
        if va <= 0.0 && d4 >= d3 && d5 >= d6 {
            let along = ratio(d4 - d3, (d4 - d3) + (d5 - d6));
            return (bp - (c - b) * along, Feature::Edge(1));
        }
        let sum = va + vb + vc;
        let offset = ap - self.ab * (vb / sum) - self.ac * (vc / sum);
        (offset, Feature::Face)
    }
}

/// A quotient in [0, 1], 0 for an edge without length.
fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

//! Tearing: triangles whose warp or weft is stretched too far are removed.

use super::readings::in_plane_gradient;
use super::{Cloth, ClothColumns, Vertices};
use crate::particles::IdMap;

impl Cloth {
    /// Tears what the positions at the end of a substep stretch too far. Returns how many triangles.
    pub fn tear(&self, vertices: Vertices<'_>, columns: &mut ClothColumns) -> usize {
        let mut count = 0;
        for (first, sheet) in self.setup.numbered() {
            let Some(limit) = sheet.law.tear_strain else {
                continue;
            };
            let places = IdMap::within(sheet.ids(), vertices.id);
            for (number, &corners) in sheet.fabric.triangles.iter().enumerate() {
                let is_torn = &mut columns.is_torn[first + number];
                let Some(points) = places
                    .of_body(sheet.first_id, corners)
                    .filter(|_| !*is_torn)
                else {
                    continue;
                };
                let corners = points.map(|place| vertices.position[place as usize]);
                let gradient = in_plane_gradient(&sheet.fabric.rest_triangles()[number], corners);
                if gradient.iter().any(|column| column.length() - 1.0 > limit) {
                    *is_torn = true;
                    count += 1;
                }
            }
        }
        count
    }
}

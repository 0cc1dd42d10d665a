//! The methods, with the materials of their cases and their required limits.

use std::fmt::Write;

/// How the body of a method stands under a load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A block on a floor.
    Block,
    /// It fills a tank.
    Filling,
    /// Water in a tank.
    Pool,
    /// A sheet that is held along its edges.
    Sheet,
    /// A rigid box.
    Box,
}

/// A method with what its cases need.
#[derive(Clone, Copy, Debug)]
pub struct Method {
    /// Name in tables and on the command line.
    pub name: &'static str,
    /// How its body stands under a load.
    pub form: Form,
    /// Density [kg/m3], of sheets the mass of an area [kg/m2].
    pub density: f64,
    /// Lines of its material without stiffness and Poisson's ratio.
    pub material: &'static str,
    /// Lines of its body that the material does not imply.
    pub body: &'static str,
    /// Keys of its stiffness or viscosity, which get the same value.
    pub stiffness_keys: &'static [&'static str],
    /// Unit of that.
    pub stiffness_unit: &'static str,
    /// Its value where nothing else is asked.
    pub stiffness: f64,
    /// Lower values, downwards, and higher ones, upwards.
    pub softer: &'static [f64],
    /// See `softer`.
    pub stiffer: &'static [f64],
    /// Poisson's ratios, upwards, the first where nothing else is asked; none if its law has none.
    pub poissons_ratios: &'static [f64],
    /// What it must hold at least.
    pub least: Least,
}

/// What a method must hold at least. Methods may hold more; holding less is a defect.
#[derive(Clone, Copy, Debug)]
pub struct Least {
    /// Mass of a load over that of the body, at least so great...
    pub heaviest: f64,
    /// ...and at least so small.
    pub lightest: f64,
    /// Stiffness or viscosity, at least so small and so great.
    pub stiffness: Option<[f64; 2]>,
    /// Poisson's ratio.
    pub poissons_ratio: Option<f64>,
    /// Speed of a body that is thrown at a plate [m/s].
    pub speed: f64,
    /// Substeps that a second takes at most: a body at its own stiffness, thrown at 1 m/s.
    pub substeps: f64,
}

/// Ratios of the mass of a load to that of the body, upwards from one.
pub const HEAVIER: &[f64] = &[1.0, 10.0, 100.0, 1000.0, 10_000.0];
/// Ratios downwards.
pub const LIGHTER: &[f64] = &[0.1, 0.01, 0.001];
/// Speeds [m/s].
pub const SPEEDS: &[f64] = &[1.0, 10.0, 100.0];

const YOUNGS_MODULUS: &[&str] = &["youngs_modulus"];
const SOFTER: &[f64] = &[1e4];
const STIFFER: &[f64] = &[1e5, 1e6, 1e7, 1e8, 1e9];
const SOFTER_SHEETS: &[f64] = &[1e2, 1e1];
const STIFFER_SHEETS: &[f64] = &[1e3, 1e4, 1e5, 1e6];
const POISSONS_RATIOS: &[f64] = &[0.3, 0.4, 0.45, 0.49, 0.499];

/// The methods, a row of the table each.
pub const METHODS: &[Method] = &[
    Method {
        name: "xpbi sand",
        form: Form::Filling,
        density: 1600.0,
        material: "law = \"drucker-prager\"\ndensity = 1600.0\nfriction_angle = 30.0\n",
        body: "",
        stiffness_keys: YOUNGS_MODULUS,
        stiffness_unit: "Pa",
        stiffness: 1e6,
        softer: SOFTER,
        stiffer: STIFFER,
        poissons_ratios: POISSONS_RATIOS,
        least: Least {
            heaviest: 1000.0,
            lightest: 0.001,
            stiffness: Some([1e4, 1e8]),
            poissons_ratio: Some(0.499),
            speed: 100.0,
            substeps: 1800.0,
        },
    },
    Method {
        name: "xpbi goo",
        form: Form::Filling,
        density: 1000.0,
        material: "law = \"herschel-bulkley\"\ndensity = 1000.0\nyield_stress = 100.0\n\
                   flow_index = 0.5\nconsistency = 20.0\n",
        body: "",
        stiffness_keys: YOUNGS_MODULUS,
        stiffness_unit: "Pa",
        stiffness: 1e6,
        softer: SOFTER,
        stiffer: STIFFER,
        poissons_ratios: POISSONS_RATIOS,
        least: Least {
            heaviest: 1000.0,
            lightest: 0.001,
            stiffness: Some([1e4, 1e8]),
            poissons_ratio: Some(0.499),
            speed: 100.0,
            substeps: 2280.0,
        },
    },
    Method {
        name: "xpbi elastic",
        form: Form::Block,
        density: 1000.0,
        material: "law = \"elastic\"\ndensity = 1000.0\n",
        body: "",
        stiffness_keys: YOUNGS_MODULUS,
        stiffness_unit: "Pa",
        stiffness: 1e6,
        softer: SOFTER,
        stiffer: STIFFER,
        poissons_ratios: POISSONS_RATIOS,
        least: Least {
            heaviest: 1000.0,
            lightest: 0.001,
            stiffness: Some([1e4, 1e8]),
            poissons_ratio: Some(0.499),
            speed: 100.0,
            substeps: 1752.0,
        },
    },
    Method {
        name: "fluid",
        form: Form::Pool,
        density: 1000.0,
        material: "law = \"newtonian\"\ndensity = 1000.0\n",
        body: "",
        stiffness_keys: &["viscosity"],
        stiffness_unit: "Pa s",
        stiffness: 1e-3,
        softer: &[1e-2, 1e-3, 0.0],
        stiffer: &[1e-1, 1e0, 1e1, 1e2, 1e3],
        poissons_ratios: &[],
        least: Least {
            heaviest: 10_000.0,
            lightest: 0.001,
            stiffness: Some([0.0, 1e3]),
            poissons_ratio: None,
            speed: 100.0,
            substeps: 504.0,
        },
    },
    Method {
        name: "strain-energy",
        form: Form::Block,
        density: 1000.0,
        material: "law = \"neo-hookean\"\ndensity = 1000.0\n",
        body: "",
        stiffness_keys: YOUNGS_MODULUS,
        stiffness_unit: "Pa",
        stiffness: 1e6,
        softer: SOFTER,
        stiffer: STIFFER,
        poissons_ratios: POISSONS_RATIOS,
        least: Least {
            heaviest: 10_000.0,
            lightest: 0.001,
            stiffness: Some([1e4, 1e9]),
            poissons_ratio: Some(0.499),
            speed: 100.0,
            substeps: 936.0,
        },
    },
    Method {
        name: "shape-groups",
        form: Form::Block,
        density: 1000.0,
        material: "law = \"polynomial-neo-hookean\"\ndensity = 1000.0\n",
        body: "",
        stiffness_keys: YOUNGS_MODULUS,
        stiffness_unit: "Pa",
        stiffness: 1e6,
        softer: SOFTER,
        stiffer: STIFFER,
        poissons_ratios: POISSONS_RATIOS,
        least: Least {
            heaviest: 10_000.0,
            lightest: 0.001,
            stiffness: Some([1e4, 1e9]),
            poissons_ratio: Some(0.499),
            speed: 100.0,
            substeps: 936.0,
        },
    },
    Method {
        name: "muscle",
        form: Form::Block,
        density: 1000.0,
        material: "law = \"stable-neo-hookean\"\ndensity = 1000.0\n",
        body: "method = \"muscle\"\n",
        stiffness_keys: YOUNGS_MODULUS,
        stiffness_unit: "Pa",
        stiffness: 1e6,
        softer: SOFTER,
        stiffer: STIFFER,
        poissons_ratios: POISSONS_RATIOS,
        least: Least {
            heaviest: 10_000.0,
            lightest: 0.001,
            stiffness: Some([1e4, 1e9]),
            poissons_ratio: Some(0.499),
            speed: 100.0,
            substeps: 264.0,
        },
    },
    Method {
        name: "granules",
        form: Form::Filling,
        density: 1600.0,
        material: "law = \"contact-friction\"\ndensity = 1600.0\nfriction = 0.5\n",
        body: "",
        stiffness_keys: &[],
        stiffness_unit: "",
        stiffness: 0.0,
        softer: &[],
        stiffer: &[],
        poissons_ratios: &[],
        least: Least {
            heaviest: 10_000.0,
            lightest: 0.001,
            stiffness: None,
            poissons_ratio: None,
            speed: 100.0,
            substeps: 504.0,
        },
    },
    Method {
        name: "cloth",
        form: Form::Sheet,
        density: 0.16,
        material: "law = \"cloth\"\ndensity = 400.0\nthickness = 4e-4\n",
        body: "",
        stiffness_keys: &["warp_stiffness", "weft_stiffness"],
        stiffness_unit: "N/m",
        stiffness: 4000.0,
        softer: SOFTER_SHEETS,
        stiffer: STIFFER_SHEETS,
        poissons_ratios: &[],
        least: Least {
            heaviest: 1000.0,
            lightest: 0.001,
            stiffness: Some([1e1, 1e4]),
            poissons_ratio: None,
            speed: 100.0,
            substeps: 5520.0,
        },
    },
    Method {
        name: "springs",
        form: Form::Sheet,
        density: 1.0,
        material: "law = \"spring-cubic\"\ndensity = 1000.0\nthickness = 1e-3\n",
        body: "",
        stiffness_keys: &["stiffness"],
        stiffness_unit: "N/m",
        stiffness: 4000.0,
        softer: SOFTER_SHEETS,
        stiffer: STIFFER_SHEETS,
        poissons_ratios: &[],
        least: Least {
            heaviest: 100.0,
            lightest: 0.001,
            stiffness: Some([10.0, 1e5]),
            poissons_ratio: None,
            speed: 100.0,
            substeps: 3888.0,
        },
    },
    Method {
        name: "rigid",
        form: Form::Box,
        density: 1000.0,
        material: "law = \"rigid\"\ndensity = 1000.0\n",
        body: "",
        stiffness_keys: &[],
        stiffness_unit: "",
        stiffness: 0.0,
        softer: &[],
        stiffer: &[],
        poissons_ratios: &[],
        least: Least {
            heaviest: 10_000.0,
            lightest: 0.001,
            stiffness: None,
            poissons_ratio: None,
            speed: 100.0,
            substeps: 216.0,
        },
    },
];

impl Method {
    /// The lines of its material.
    ///
    /// * `stiffness` — or viscosity; if missing, its own
    /// * `poissons_ratio` — if missing, its own, where its law has one
    pub fn material_lines(&self, stiffness: Option<f64>, poissons_ratio: Option<f64>) -> String {
        let mut lines = self.material.to_owned();
        let stiffness = stiffness.unwrap_or(self.stiffness);
        // Writing to a string cannot fail.
        for key in self.stiffness_keys {
            let _ = writeln!(lines, "{key} = {stiffness:e}");
        }
        if let Some(poissons_ratio) = poissons_ratio.or(self.poissons_ratios.first().copied()) {
            let _ = writeln!(lines, "poissons_ratio = {poissons_ratio}");
        }
        lines
    }
}

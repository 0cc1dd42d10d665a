//! Materials with numbers already in them.

/// A material that a scene names instead of writing its numbers.
#[derive(Clone, Copy, Debug)]
pub struct MaterialPreset {
    /// Name in scene files, kebab case.
    pub name: &'static str,
    /// What it is, in a few words.
    pub doc: &'static str,
    /// Where the numbers come from, and which of them were chosen.
    pub source: &'static str,
    /// Name of the law.
    pub law: &'static str,
    /// The density and what the law takes, by key; what is missing has the law's default.
    pub values: &'static [(&'static str, f64)],
}

/// The presets, in order of their names' kinds: grains, snow, solids, pastes, liquids, cloth.
pub const PRESETS: &[MaterialPreset] = &[
    DRY_SAND,
    WET_SAND,
    FRESH_SNOW,
    PACKED_SNOW,
    CLAY,
    ALUMINIUM,
    RUBBER,
    SILICONE,
    DOUGH,
    PAINT,
    MUD,
    WHIPPED_CREAM,
    WATER,
    OIL,
    GLYCERIN,
    COTTON,
    SILK,
];

/// Keys that say the same in two ways, of which a material has one.
pub const ALTERNATIVES: &[(&str, &str)] = &[
    ("yield_stress", "yield_deviator"),
    ("cohesion", "cohesion_strain"),
    ("consistency", "consistency_deviator"),
];

/// The names of the presets.
pub const PRESET_NAMES: &[&str] = &{
    let mut names = [""; PRESETS.len()];
    let mut k = 0;
    while k < names.len() {
        names[k] = PRESETS[k].name;
        k += 1;
    }
    names
};

impl MaterialPreset {
    /// The preset of a name.
    pub fn named(name: &str) -> Option<&'static Self> {
        PRESETS.iter().find(|preset| preset.name == name)
    }
}

const WATER: MaterialPreset = MaterialPreset {
    name: "water",
    doc: "water at 20 degrees Celsius",
    source: "White 2011, table A.3",
    law: "newtonian",
    values: &[("density", 998.0), ("viscosity", 1e-3)],
};

const OIL: MaterialPreset = MaterialPreset {
    name: "oil",
    doc: "motor oil (SAE 30) at 20 degrees Celsius",
    source: "White 2011, table A.3",
    law: "newtonian",
    values: &[("density", 891.0), ("viscosity", 0.29)],
};

const GLYCERIN: MaterialPreset = MaterialPreset {
    name: "glycerin",
    doc: "glycerin at 20 degrees Celsius, a thick syrup",
    source: "White 2011, table A.3",
    law: "newtonian",
    values: &[("density", 1260.0), ("viscosity", 1.49)],
};

const DRY_SAND: MaterialPreset = MaterialPreset {
    name: "dry-sand",
    doc: "loose dry quartz sand",
    source: "moduli of the hourglass in Yu et al. 2024, table 2, far softer than quartz to allow longer steps; density and friction angle of loose sand in Lambe and Whitman 1969",
    law: "drucker-prager",
    values: &[
        ("density", 1600.0),
        ("youngs_modulus", 3.537e5),
        ("poissons_ratio", 0.3),
        ("friction_angle", 30.0),
    ],
};

const WET_SAND: MaterialPreset = MaterialPreset {
    name: "wet-sand",
    doc: "moist sand that holds a castle",
    source: "cohesion of moist sand in shear, about 600 Pa (Richefeu et al. 2006), over the tangent of the friction angle; density and friction angle in Lambe and Whitman 1969; moduli as dry sand",
    law: "drucker-prager",
    values: &[
        ("density", 1900.0),
        ("youngs_modulus", 3.537e5),
        ("poissons_ratio", 0.3),
        ("friction_angle", 33.0),
        ("cohesion", 900.0),
    ],
};

const FRESH_SNOW: MaterialPreset = MaterialPreset {
    name: "fresh-snow",
    doc: "light snow that has just fallen",
    source: "density of damp new snow in Cuffey and Paterson 2010; the lower stiffness, hardening and critical stretches of the variations in Stomakhin et al. 2013",
    law: "snow",
    values: &[
        ("density", 150.0),
        ("youngs_modulus", 4.8e4),
        ("poissons_ratio", 0.2),
        ("critical_compression", 0.019),
        ("critical_stretch", 0.005),
        ("hardening", 5.0),
    ],
};

const PACKED_SNOW: MaterialPreset = MaterialPreset {
    name: "packed-snow",
    doc: "snow as in a snowball",
    source: "the reference parameters of Stomakhin et al. 2013, table 2",
    law: "snow",
    values: &[
        ("density", 400.0),
        ("youngs_modulus", 1.4e5),
        ("poissons_ratio", 0.2),
        ("critical_compression", 0.025),
        ("critical_stretch", 0.0075),
        ("hardening", 10.0),
    ],
};

const CLAY: MaterialPreset = MaterialPreset {
    name: "clay",
    doc: "soft wet clay that a hand can shape",
    source: "unconfined strength of soft clay, 25 to 50 kPa, in Terzaghi and Peck 1967; Young's modulus of 300 undrained shear strengths in Duncan and Buchignani 1976; density of saturated clay in Lambe and Whitman 1969",
    law: "von-mises",
    values: &[
        ("density", 1900.0),
        ("youngs_modulus", 6e6),
        ("poissons_ratio", 0.45),
        ("yield_stress", 4e4),
    ],
};

const ALUMINIUM: MaterialPreset = MaterialPreset {
    name: "aluminium",
    doc: "the alloy 6061-T6",
    source: "ASM Handbook, volume 2, 1990",
    law: "von-mises",
    values: &[
        ("density", 2700.0),
        ("youngs_modulus", 6.89e10),
        ("poissons_ratio", 0.33),
        ("yield_stress", 2.76e8),
    ],
};

const RUBBER: MaterialPreset = MaterialPreset {
    name: "rubber",
    doc: "natural rubber, vulcanised, without fillers",
    source: "Treloar 1975: a shear modulus of 0.39 MPa; chosen: a Poisson's ratio of 0.49, where its compressibility is that of water",
    law: "neo-hookean",
    values: &[
        ("density", 950.0),
        ("youngs_modulus", 1.16e6),
        ("poissons_ratio", 0.49),
    ],
};

const SILICONE: MaterialPreset = MaterialPreset {
    name: "silicone",
    doc: "soft silicone rubber of Shore hardness 00-30, as cast for soft robots",
    source: "Smooth-On Ecoflex 00-30, technical bulletin: 69 kPa at twice the length, which is 1.75 shear moduli; chosen: a Poisson's ratio of 0.49",
    law: "neo-hookean",
    values: &[
        ("density", 1070.0),
        ("youngs_modulus", 1.18e5),
        ("poissons_ratio", 0.49),
    ],
};

const DOUGH: MaterialPreset = MaterialPreset {
    name: "dough",
    doc: "dough of wheat flour and water",
    source: "flow index and consistency in Sharma et al. 1993; chosen: a shear modulus of 10 kPa, and a yield stress below the stress of slow creep",
    law: "herschel-bulkley",
    values: &[
        ("density", 1200.0),
        ("youngs_modulus", 3e4),
        ("poissons_ratio", 0.45),
        ("yield_stress", 200.0),
        ("flow_index", 0.34),
        ("consistency", 2395.0),
    ],
};

const PAINT: MaterialPreset = MaterialPreset {
    name: "paint",
    doc: "thick paint that keeps its brush marks",
    source: "the viscoplastic paint of Yu et al. 2024, table 2; chosen: the density of emulsion paint instead of the 100 kg/m3 there",
    law: "herschel-bulkley",
    values: &[
        ("density", 1300.0),
        ("youngs_modulus", 14754.0),
        ("poissons_ratio", 0.475),
        ("yield_deviator", 50.0),
        ("flow_index", 1.0),
        ("consistency_deviator", 10.0),
    ],
};

const MUD: MaterialPreset = MaterialPreset {
    name: "mud",
    doc: "mud of silt and clay in water",
    source: "flow index of a third, and a yield stress of three consistencies, in the range of Coussot 1997; chosen: a yield stress of 60 Pa in shear, and the moduli",
    law: "herschel-bulkley",
    values: &[
        ("density", 1500.0),
        ("youngs_modulus", 2e4),
        ("poissons_ratio", 0.45),
        ("yield_stress", 104.0),
        ("flow_index", 0.333),
        ("consistency", 20.0),
    ],
};

const WHIPPED_CREAM: MaterialPreset = MaterialPreset {
    name: "whipped-cream",
    doc: "cream whipped to twice its volume",
    source: "chosen in the manner of the foams of Yue et al. 2015: density of cream at 100 % overrun, a flow index well below 1, a yield stress that carries a peak of some centimetres",
    law: "herschel-bulkley",
    values: &[
        ("density", 500.0),
        ("youngs_modulus", 5e3),
        ("poissons_ratio", 0.45),
        ("yield_stress", 100.0),
        ("flow_index", 0.4),
        ("consistency", 15.0),
    ],
};

const COTTON: MaterialPreset = MaterialPreset {
    name: "cotton",
    doc: "plain-woven cotton, as of a shirt or a sheet",
    source: "chosen: 160 g/m2, and stiffnesses of the order that the instruments of Kawabata 1980 measure on plain cotton weaves",
    law: "cloth",
    values: &[
        ("density", 400.0),
        ("thickness", 4e-4),
        ("warp_stiffness", 4000.0),
        ("weft_stiffness", 2000.0),
        ("shear_stiffness", 50.0),
        ("bending_stiffness", 1e-5),
    ],
};

const SILK: MaterialPreset = MaterialPreset {
    name: "silk",
    doc: "thin silk, as of a scarf",
    source: "chosen: 60 g/m2, and stiffnesses of the order that the instruments of Kawabata 1980 measure on thin silk",
    law: "cloth",
    values: &[
        ("density", 400.0),
        ("thickness", 1.5e-4),
        ("warp_stiffness", 3000.0),
        ("weft_stiffness", 2000.0),
        ("shear_stiffness", 20.0),
        ("bending_stiffness", 2e-6),
    ],
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Law;
    use pliant_parameters::{Kind, Preset, Value, Values};

    #[test]
    fn every_preset_is_a_material_that_its_law_takes() {
        for preset in PRESETS {
            let kind = Law::all().find(|k| k.name == preset.law);
            let kind = kind.unwrap_or_else(|| panic!("{} has no law", preset.name));
            let mut values = Values::default();
            for field in kind.fields {
                match field.default {
                    Preset::Number(x) => values.insert(field.name, Value::Number(x)),
                    Preset::Flag(b) => values.insert(field.name, Value::Flag(b)),
                    _ => {}
                }
            }
            for (key, number) in preset.values.iter().filter(|(key, _)| *key != "density") {
                let field = kind.fields.iter().find(|f| f.name == *key);
                let Some(Kind::Number(range)) = field.map(|f| f.kind) else {
                    panic!("{}: {} does not take {key}", preset.name, preset.law);
                };
                assert!(range.contains(*number), "{}: {key}", preset.name);
                values.insert(*key, Value::Number(*number));
            }
            let law = Law::build(preset.law, &values);
            assert!(matches!(law, Some(Ok(_))), "{}", preset.name);
            assert!(
                preset
                    .values
                    .iter()
                    .any(|(key, x)| *key == "density" && *x > 0.0)
            );
            assert!(!preset.source.is_empty() && !preset.doc.is_empty());
        }
    }

    #[test]
    fn names_are_found_and_unique() {
        for (k, name) in PRESET_NAMES.iter().enumerate() {
            assert_eq!(MaterialPreset::named(name).map(|p| p.name), Some(*name));
            assert!(!PRESET_NAMES[..k].contains(name));
        }
        assert!(MaterialPreset::named("sand").is_none());
    }
}

"""Materials: a class for each law, and `Preset`.

Written by `tools/python/scene_classes.py` from the schema of scenes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, Union

from pliant._table import Numbers, Table


@dataclass(kw_only=True)
class Elastic(Table):
    """Hencky (logarithmic) StVK elasticity. For rubber under large tension use `strain-energy`."""

    _tag: ClassVar[tuple[str, str] | None] = ("law", "elastic")

    density: float
    """Density at rest [kg/m3]."""
    youngs_modulus: float
    """Young's modulus: stiffness in tension and compression [Pa]."""
    poissons_ratio: float | None = None
    """Poisson's ratio: contraction across for axial extension. Default: 0.3."""
    preset: (
        Literal[
            "dry-sand",
            "wet-sand",
            "fresh-snow",
            "packed-snow",
            "clay",
            "aluminium",
            "rubber",
            "silicone",
            "dough",
            "paint",
            "mud",
            "whipped-cream",
            "water",
            "oil",
            "glycerin",
            "cotton",
            "silk",
        ]
        | None
    ) = None
    """A preset of the list below, with law, density and parameters as defaults."""


@dataclass(kw_only=True)
class VonMises(Table):
    """Hencky elasticity with a yield stress in shear and no hardening: metal, dough, clay. Exactly one of
    `yield_stress` and `yield_deviator` is given.
    """

    _tag: ClassVar[tuple[str, str] | None] = ("law", "von-mises")

    density: float
    """Density at rest [kg/m3]."""
    youngs_modulus: float
    """Young's modulus: stiffness in tension and compression [Pa]."""
    poissons_ratio: float | None = None
    """Poisson's ratio: contraction across for axial extension. Default: 0.3."""
    preset: (
        Literal[
            "dry-sand",
            "wet-sand",
            "fresh-snow",
            "packed-snow",
            "clay",
            "aluminium",
            "rubber",
            "silicone",
            "dough",
            "paint",
            "mud",
            "whipped-cream",
            "water",
            "oil",
            "glycerin",
            "cotton",
            "silk",
        ]
        | None
    ) = None
    """A preset of the list below, with law, density and parameters as defaults."""
    yield_deviator: float | None = None
    """Frobenius norm of the stress deviator at which the material flows, the number in papers [Pa]."""
    yield_stress: float | None = None
    """Yield stress of a bar under tension; sqrt(3/2) times `yield_deviator` [Pa]."""


@dataclass(kw_only=True)
class DruckerPrager(Table):
    """Hencky elasticity with dry friction, optional cohesion and volume correction: sand, soil. At most one of
    `cohesion` and `cohesion_strain` is given; without either there is none.
    """

    _tag: ClassVar[tuple[str, str] | None] = ("law", "drucker-prager")

    density: float
    """Density at rest [kg/m3]."""
    friction_angle: float
    """Angle of internal friction: about 30 for dry sand; 0 carries no shear at all [degrees]."""
    youngs_modulus: float
    """Young's modulus: stiffness in tension and compression [Pa]."""
    cohesion: float | None = None
    """Tension that the material carries equally in all directions: the tip of the cone lies at pressure -cohesion
    [Pa].
    """
    cohesion_strain: float | None = None
    """Logarithmic strain of each axis at the tip of the cone, the c0 of papers; cohesion / (3 K) with the bulk
    modulus K.
    """
    poissons_ratio: float | None = None
    """Poisson's ratio: contraction across for axial extension. Default: 0.3."""
    preset: (
        Literal[
            "dry-sand",
            "wet-sand",
            "fresh-snow",
            "packed-snow",
            "clay",
            "aluminium",
            "rubber",
            "silicone",
            "dough",
            "paint",
            "mud",
            "whipped-cream",
            "water",
            "oil",
            "glycerin",
            "cotton",
            "silk",
        ]
        | None
    ) = None
    """A preset of the list below, with law, density and parameters as defaults."""
    volume_correction: bool | None = None
    """Whether volume gained in free flight must be recovered before the material carries pressure again; at most 0.2
    of logarithmic strain is stored. Default: true.
    """
    yield_surface: Literal["drucker-prager", "matsuoka-nakai", "mohr-coulomb"] | None = None
    """Yield surface. All three agree in triaxial compression, where `friction_angle` is measured. `drucker-prager`
    does not depend on the intermediate stress: sand of 30 degrees shears at 34.7. `matsuoka-nakai` also agrees in
    triaxial extension: it shears at 29.0. `mohr-coulomb` also agrees in plane strain, within a degree up to 40: it
    shears at atan(sin 30) = 26.6. Default: "drucker-prager".
    """


@dataclass(kw_only=True)
class HerschelBulkley(Table):
    """Hencky elasticity with a yield stress and viscous flow beyond it, the stress that exceeds it being a power of
    the rate: paint, foam, mud, cream. Exactly one of `yield_stress` and `yield_deviator`, and one of `consistency`
    and `consistency_deviator`, is given.
    """

    _tag: ClassVar[tuple[str, str] | None] = ("law", "herschel-bulkley")

    density: float
    """Density at rest [kg/m3]."""
    youngs_modulus: float
    """Young's modulus: stiffness in tension and compression [Pa]."""
    consistency: float | None = None
    """Viscosity as measured by rheometers: the shear stress beyond yield at a shear rate of 1/s [Pa s^flow_index]."""
    consistency_deviator: float | None = None
    """Viscosity between Frobenius norms of the deviators of stress and rate, the eta of papers; 2^((1 +
    flow_index)/2) times `consistency` [Pa s^flow_index].
    """
    flow_index: float | None = None
    """Exponent h of the rate in the stress: shear thinning below 1 (paint, cream), shear thickening above. Default:
    1.0.
    """
    poissons_ratio: float | None = None
    """Poisson's ratio: contraction across for axial extension. Default: 0.3."""
    preset: (
        Literal[
            "dry-sand",
            "wet-sand",
            "fresh-snow",
            "packed-snow",
            "clay",
            "aluminium",
            "rubber",
            "silicone",
            "dough",
            "paint",
            "mud",
            "whipped-cream",
            "water",
            "oil",
            "glycerin",
            "cotton",
            "silk",
        ]
        | None
    ) = None
    """A preset of the list below, with law, density and parameters as defaults."""
    yield_deviator: float | None = None
    """Frobenius norm of the stress deviator at which the material flows, the number in papers [Pa]."""
    yield_stress: float | None = None
    """Yield stress of a bar under tension; sqrt(3/2) times `yield_deviator` [Pa]."""


@dataclass(kw_only=True)
class CamClay(Table):
    """Hencky elasticity with non-associated Cam-Clay plasticity, which hardens under pressure and softens when it is
    torn: snow, soil, brittle candy.
    """

    _tag: ClassVar[tuple[str, str] | None] = ("law", "cam-clay")

    critical_state_slope: float
    """Slope M of the critical state line; 6 sin(phi)/(3 - sin(phi)) for the friction angle phi: 1.2 for 30 degrees,
    1.85 for 45.
    """
    density: float
    """Density at rest [kg/m3]."""
    youngs_modulus: float
    """Young's modulus: stiffness in tension and compression [Pa]."""
    cohesion_ratio: float | None = None
    """Strength in tension over strength in compression, the beta of papers; 0 carries no tension. Default: 0.5."""
    hardening: float | None = None
    """Growth of strength with plastic compression, the xi of papers: the strength in compression is K (1e-5 +
    sinh(-hardening times the logarithm of the plastic volume change)) with the bulk modulus K. Default: 1.0.
    """
    initial_volume_strain: float | None = None
    """Logarithm of the plastic volume change at the start, the alpha0 of papers: the further below 0, the stronger;
    at 0 it has hardly any strength. Default: -0.01.
    """
    poissons_ratio: float | None = None
    """Poisson's ratio: contraction across for axial extension. Default: 0.3."""
    preset: (
        Literal[
            "dry-sand",
            "wet-sand",
            "fresh-snow",
            "packed-snow",
            "clay",
            "aluminium",
            "rubber",
            "silicone",
            "dough",
            "paint",
            "mud",
            "whipped-cream",
            "water",
            "oil",
            "glycerin",
            "cotton",
            "silk",
        ]
        | None
    ) = None
    """A preset of the list below, with law, density and parameters as defaults."""


@dataclass(kw_only=True)
class Snow(Table):
    """Hencky elasticity whose principal stretches are limited, and whose moduli grow as it is packed: snow as
    Stomakhin et al. 2013 have it.
    """

    _tag: ClassVar[tuple[str, str] | None] = ("law", "snow")

    density: float
    """Density at rest [kg/m3]."""
    youngs_modulus: float
    """Young's modulus: stiffness in tension and compression [Pa]."""
    critical_compression: float | None = None
    """Greatest principal compression before snow compacts: smaller for powder, greater for wet snow. Default: 0.025."""
    critical_stretch: float | None = None
    """Greatest principal extension before snow breaks. Default: 0.0075."""
    hardening: float | None = None
    """Hardening by compaction: the logarithm of the moduli grows by this times the plastic loss of volume, up to 4.
    Default: 10.0.
    """
    poissons_ratio: float | None = None
    """Poisson's ratio: contraction across for axial extension. Default: 0.3."""
    preset: (
        Literal[
            "dry-sand",
            "wet-sand",
            "fresh-snow",
            "packed-snow",
            "clay",
            "aluminium",
            "rubber",
            "silicone",
            "dough",
            "paint",
            "mud",
            "whipped-cream",
            "water",
            "oil",
            "glycerin",
            "cotton",
            "silk",
        ]
        | None
    ) = None
    """A preset of the list below, with law, density and parameters as defaults."""


@dataclass(kw_only=True)
class Newtonian(Table):
    """An incompressible fluid: water, oil, honey. Pressure comes from its density."""

    _tag: ClassVar[tuple[str, str] | None] = ("law", "newtonian")

    density: float
    """Density at rest [kg/m3]."""
    preset: (
        Literal[
            "dry-sand",
            "wet-sand",
            "fresh-snow",
            "packed-snow",
            "clay",
            "aluminium",
            "rubber",
            "silicone",
            "dough",
            "paint",
            "mud",
            "whipped-cream",
            "water",
            "oil",
            "glycerin",
            "cotton",
            "silk",
        ]
        | None
    ) = None
    """A preset of the list below, with law, density and parameters as defaults."""
    viscosity: float | None = None
    """Dynamic viscosity: water has 0.001, oil 0.1, honey 10. XSPH (`solver.xsph_rate`) acts in addition [Pa s].
    Default: 0.0.
    """


@dataclass(kw_only=True)
class ContactFriction(Table):
    """Grains as balls of one spacing across that touch and rub, without stress or a continuum: plain position-based
    granules, to compare with.
    """

    _tag: ClassVar[tuple[str, str] | None] = ("law", "contact-friction")

    density: float
    """Density at rest [kg/m3]."""
    friction: float
    """Coefficient of Coulomb friction between grains."""
    preset: (
        Literal[
            "dry-sand",
            "wet-sand",
            "fresh-snow",
            "packed-snow",
            "clay",
            "aluminium",
            "rubber",
            "silicone",
            "dough",
            "paint",
            "mud",
            "whipped-cream",
            "water",
            "oil",
            "glycerin",
            "cotton",
            "silk",
        ]
        | None
    ) = None
    """A preset of the list below, with law, density and parameters as defaults."""


@dataclass(kw_only=True)
class Cloth(Table):
    """Woven cloth: stretch along warp and weft, shear between them, and bending. The defaults are of the order that
    Kawabata's (1980) instruments measure on plain cotton weaves.
    """

    _tag: ClassVar[tuple[str, str] | None] = ("law", "cloth")

    density: float
    """Density at rest [kg/m3]."""
    bending_stiffness: float | None = None
    """Bending moment per width over curvature [N m]. Default: 1e-05."""
    contact_thickness: float | None = None
    """Distance that surfaces of this cloth keep from each other; other bodies keep half of it. If missing, the
    thickness, but at least a quarter of the body's spacing [m].
    """
    preset: (
        Literal[
            "dry-sand",
            "wet-sand",
            "fresh-snow",
            "packed-snow",
            "clay",
            "aluminium",
            "rubber",
            "silicone",
            "dough",
            "paint",
            "mud",
            "whipped-cream",
            "water",
            "oil",
            "glycerin",
            "cotton",
            "silk",
        ]
        | None
    ) = None
    """A preset of the list below, with law, density and parameters as defaults."""
    shear_stiffness: float | None = None
    """Shear force per width over shear angle, in radians [N/m]. Default: 50.0."""
    tear_strain: float | None = None
    """Strain of warp or weft at which a triangle tears. If missing, nothing tears."""
    thickness: float | None = None
    """Thickness: the mass of an area is the density times it [m]. Default: 0.0004."""
    warp_stiffness: float | None = None
    """Force per width over strain along the warp: along x of a sheet [N/m]. Default: 4000.0."""
    weft_stiffness: float | None = None
    """Force per width over strain along the weft: along z of a sheet [N/m]. Default: 2000.0."""


@dataclass(kw_only=True)
class Fibers(Table):
    """See the scene reference."""

    stiffness: float
    """Stiffness beta: small strains along the fibres add twice this to Young's modulus [Pa]."""
    around: Numbers | None = None
    """In place of `direction`: the axis of circular fibres, through `point`."""
    direction: Numbers | None = None
    """Direction of the fibres at rest, of any length."""
    point: Numbers | None = None
    """In place of `direction`, without `around`: the centre of radial fibres. In the coordinates of the body; for
    `around` the origin if missing [m].
    """


@dataclass(kw_only=True)
class NeoHookean(Table):
    """Rubber under large strain: neo-Hookean energy with the logarithm of the volume."""

    _tag: ClassVar[tuple[str, str] | None] = ("law", "neo-hookean")

    density: float
    """Density at rest [kg/m3]."""
    youngs_modulus: float
    """Young's modulus: stiffness in tension and compression [Pa]."""
    fibers: Sequence[Fibers] | None = None
    """Up to three families of fibres that stiffen the solid. If missing, it is isotropic."""
    flow_rate: float | None = None
    """Rate at which elastic strain beyond yield turns plastic: loads slower than its inverse are limited to the yield
    stress, faster ones exceed it [1/s]. Default: 600.0.
    """
    max_plastic_strain: float | None = None
    """Greatest Frobenius norm of the plastic strain: 0.5 is a bar at 1.5 times its length. Beyond it the material is
    elastic again. Default: 0.5.
    """
    poissons_ratio: float | None = None
    """Poisson's ratio: contraction across for axial extension. Default: 0.3."""
    preset: (
        Literal[
            "dry-sand",
            "wet-sand",
            "fresh-snow",
            "packed-snow",
            "clay",
            "aluminium",
            "rubber",
            "silicone",
            "dough",
            "paint",
            "mud",
            "whipped-cream",
            "water",
            "oil",
            "glycerin",
            "cotton",
            "silk",
        ]
        | None
    ) = None
    """A preset of the list below, with law, density and parameters as defaults."""
    tear_strain: float | None = None
    """Strain of the bond between two neighbours at which it breaks; of a group of `shape-groups`, its greatest
    strain, at which it is taken away. If missing, nothing tears.
    """
    yield_deviator: float | None = None
    """Frobenius norm of the stress deviator at which the material flows, the number in papers [Pa]."""
    yield_stress: float | None = None
    """Yield stress of a bar under tension; sqrt(3/2) times `yield_deviator` [Pa]."""


@dataclass(kw_only=True)
class StableNeoHookean(Table):
    """Flesh, nearly incompressible: neo-Hookean energy without a logarithm of the volume, which stands inverted
    material.
    """

    _tag: ClassVar[tuple[str, str] | None] = ("law", "stable-neo-hookean")

    density: float
    """Density at rest [kg/m3]."""
    youngs_modulus: float
    """Young's modulus: stiffness in tension and compression [Pa]."""
    fibers: Sequence[Fibers] | None = None
    """Up to three families of fibres that stiffen the solid. If missing, it is isotropic."""
    flow_rate: float | None = None
    """Rate at which elastic strain beyond yield turns plastic: loads slower than its inverse are limited to the yield
    stress, faster ones exceed it [1/s]. Default: 600.0.
    """
    max_plastic_strain: float | None = None
    """Greatest Frobenius norm of the plastic strain: 0.5 is a bar at 1.5 times its length. Beyond it the material is
    elastic again. Default: 0.5.
    """
    poissons_ratio: float | None = None
    """Poisson's ratio: contraction across for axial extension. Default: 0.3."""
    preset: (
        Literal[
            "dry-sand",
            "wet-sand",
            "fresh-snow",
            "packed-snow",
            "clay",
            "aluminium",
            "rubber",
            "silicone",
            "dough",
            "paint",
            "mud",
            "whipped-cream",
            "water",
            "oil",
            "glycerin",
            "cotton",
            "silk",
        ]
        | None
    ) = None
    """A preset of the list below, with law, density and parameters as defaults."""
    tear_strain: float | None = None
    """Strain of the bond between two neighbours at which it breaks; of a group of `shape-groups`, its greatest
    strain, at which it is taken away. If missing, nothing tears.
    """
    yield_deviator: float | None = None
    """Frobenius norm of the stress deviator at which the material flows, the number in papers [Pa]."""
    yield_stress: float | None = None
    """Yield stress of a bar under tension; sqrt(3/2) times `yield_deviator` [Pa]."""


@dataclass(kw_only=True)
class PolynomialNeoHookean(Table):
    """Rubber and flesh: neo-Hookean energy as a polynomial, which stands inverted and collapsed material. The law of
    `shape-groups`.
    """

    _tag: ClassVar[tuple[str, str] | None] = ("law", "polynomial-neo-hookean")

    density: float
    """Density at rest [kg/m3]."""
    youngs_modulus: float
    """Young's modulus: stiffness in tension and compression [Pa]."""
    fibers: Sequence[Fibers] | None = None
    """Up to three families of fibres that stiffen the solid. If missing, it is isotropic."""
    flow_rate: float | None = None
    """Rate at which elastic strain beyond yield turns plastic: loads slower than its inverse are limited to the yield
    stress, faster ones exceed it [1/s]. Default: 600.0.
    """
    max_plastic_strain: float | None = None
    """Greatest Frobenius norm of the plastic strain: 0.5 is a bar at 1.5 times its length. Beyond it the material is
    elastic again. Default: 0.5.
    """
    poissons_ratio: float | None = None
    """Poisson's ratio: contraction across for axial extension. Default: 0.3."""
    preset: (
        Literal[
            "dry-sand",
            "wet-sand",
            "fresh-snow",
            "packed-snow",
            "clay",
            "aluminium",
            "rubber",
            "silicone",
            "dough",
            "paint",
            "mud",
            "whipped-cream",
            "water",
            "oil",
            "glycerin",
            "cotton",
            "silk",
        ]
        | None
    ) = None
    """A preset of the list below, with law, density and parameters as defaults."""
    tear_strain: float | None = None
    """Strain of the bond between two neighbours at which it breaks; of a group of `shape-groups`, its greatest
    strain, at which it is taken away. If missing, nothing tears.
    """
    yield_deviator: float | None = None
    """Frobenius norm of the stress deviator at which the material flows, the number in papers [Pa]."""
    yield_stress: float | None = None
    """Yield stress of a bar under tension; sqrt(3/2) times `yield_deviator` [Pa]."""


@dataclass(kw_only=True)
class Corotated(Table):
    """Corotated elasticity: Hooke's law in a frame that turns along. Stands inverted material."""

    _tag: ClassVar[tuple[str, str] | None] = ("law", "corotated")

    density: float
    """Density at rest [kg/m3]."""
    youngs_modulus: float
    """Young's modulus: stiffness in tension and compression [Pa]."""
    fibers: Sequence[Fibers] | None = None
    """Up to three families of fibres that stiffen the solid. If missing, it is isotropic."""
    flow_rate: float | None = None
    """Rate at which elastic strain beyond yield turns plastic: loads slower than its inverse are limited to the yield
    stress, faster ones exceed it [1/s]. Default: 600.0.
    """
    max_plastic_strain: float | None = None
    """Greatest Frobenius norm of the plastic strain: 0.5 is a bar at 1.5 times its length. Beyond it the material is
    elastic again. Default: 0.5.
    """
    poissons_ratio: float | None = None
    """Poisson's ratio: contraction across for axial extension. Default: 0.3."""
    preset: (
        Literal[
            "dry-sand",
            "wet-sand",
            "fresh-snow",
            "packed-snow",
            "clay",
            "aluminium",
            "rubber",
            "silicone",
            "dough",
            "paint",
            "mud",
            "whipped-cream",
            "water",
            "oil",
            "glycerin",
            "cotton",
            "silk",
        ]
        | None
    ) = None
    """A preset of the list below, with law, density and parameters as defaults."""
    tear_strain: float | None = None
    """Strain of the bond between two neighbours at which it breaks; of a group of `shape-groups`, its greatest
    strain, at which it is taken away. If missing, nothing tears.
    """
    yield_deviator: float | None = None
    """Frobenius norm of the stress deviator at which the material flows, the number in papers [Pa]."""
    yield_stress: float | None = None
    """Yield stress of a bar under tension; sqrt(3/2) times `yield_deviator` [Pa]."""


@dataclass(kw_only=True)
class Stvk(Table):
    """St. Venant-Kirchhoff elasticity: quadratic in the Green strain, stiff in tension and soft under strong
    compression.
    """

    _tag: ClassVar[tuple[str, str] | None] = ("law", "stvk")

    density: float
    """Density at rest [kg/m3]."""
    youngs_modulus: float
    """Young's modulus: stiffness in tension and compression [Pa]."""
    fibers: Sequence[Fibers] | None = None
    """Up to three families of fibres that stiffen the solid. If missing, it is isotropic."""
    flow_rate: float | None = None
    """Rate at which elastic strain beyond yield turns plastic: loads slower than its inverse are limited to the yield
    stress, faster ones exceed it [1/s]. Default: 600.0.
    """
    max_plastic_strain: float | None = None
    """Greatest Frobenius norm of the plastic strain: 0.5 is a bar at 1.5 times its length. Beyond it the material is
    elastic again. Default: 0.5.
    """
    plastic_split: Literal["multiplicative", "additive"] | None = None
    """Split of a deformation into elastic and plastic: `multiplicative` keeps volume under any flow; `additive`
    subtracts Green strains, as papers do, and loses 5 % of the volume at a plastic stretch of 1.18. Default:
    "multiplicative".
    """
    poissons_ratio: float | None = None
    """Poisson's ratio: contraction across for axial extension. Default: 0.3."""
    preset: (
        Literal[
            "dry-sand",
            "wet-sand",
            "fresh-snow",
            "packed-snow",
            "clay",
            "aluminium",
            "rubber",
            "silicone",
            "dough",
            "paint",
            "mud",
            "whipped-cream",
            "water",
            "oil",
            "glycerin",
            "cotton",
            "silk",
        ]
        | None
    ) = None
    """A preset of the list below, with law, density and parameters as defaults."""
    tear_strain: float | None = None
    """Strain of the bond between two neighbours at which it breaks; of a group of `shape-groups`, its greatest
    strain, at which it is taken away. If missing, nothing tears.
    """
    yield_deviator: float | None = None
    """Frobenius norm of the stress deviator at which the material flows, the number in papers [Pa]."""
    yield_stress: float | None = None
    """Yield stress of a bar under tension; sqrt(3/2) times `yield_deviator` [Pa]."""


@dataclass(kw_only=True)
class SpringCubic(Table):
    """Full cubic springs: their stiffness at rest, stretched and compressed is given (Vogiannou et al. 2010), so that
    they resist collapse and great stretch.
    """

    _tag: ClassVar[tuple[str, str] | None] = ("law", "spring-cubic")

    density: float
    """Density at rest [kg/m3]."""
    stiffness: float
    """K: force of a spring over its change of length, at rest [N/m]."""
    bending: float | None = None
    """Stiffness of springs to the neighbour after next, or in meshes across an edge or a face, over that of those
    along edges. 0 leaves them out. Default: 0.0.
    """
    compressed_length: float | None = None
    """a2: length at which the stiffness is `compressed_stiffness` [rest lengths]. Default: 0.9."""
    compressed_stiffness: float | None = None
    """K2: slope of the force at `compressed_length`. If missing, 2 times `stiffness` [N/m]."""
    contact_thickness: float | None = None
    """Distance that surfaces of sheets and meshes keep from each other; other bodies keep half of it. If missing, the
    thickness, but at least a quarter of the body's spacing [m].
    """
    damping: float | None = None
    """Damping of each spring along itself: force over the rate at which its length changes [N s/m]. Default: 0.0."""
    preset: (
        Literal[
            "dry-sand",
            "wet-sand",
            "fresh-snow",
            "packed-snow",
            "clay",
            "aluminium",
            "rubber",
            "silicone",
            "dough",
            "paint",
            "mud",
            "whipped-cream",
            "water",
            "oil",
            "glycerin",
            "cotton",
            "silk",
        ]
        | None
    ) = None
    """A preset of the list below, with law, density and parameters as defaults."""
    shear: float | None = None
    """Stiffness of springs across the cells of sheets and lattices over that of those along them. 0 leaves them out.
    Default: 0.5.
    """
    stretched_length: float | None = None
    """a1: length at which the stiffness is `stretched_stiffness` [rest lengths]. Default: 1.1."""
    stretched_stiffness: float | None = None
    """K1: slope of the force at `stretched_length`. If missing, 6 times `stiffness` [N/m]."""
    thickness: float | None = None
    """Thickness of sheets and meshes: the mass of an area is the density times it [m]. Default: 0.001."""


@dataclass(kw_only=True)
class SpringLinear(Table):
    """Springs of one stiffness."""

    _tag: ClassVar[tuple[str, str] | None] = ("law", "spring-linear")

    density: float
    """Density at rest [kg/m3]."""
    stiffness: float
    """K: force of a spring over its change of length, at rest [N/m]."""
    bending: float | None = None
    """Stiffness of springs to the neighbour after next, or in meshes across an edge or a face, over that of those
    along edges. 0 leaves them out. Default: 0.0.
    """
    contact_thickness: float | None = None
    """Distance that surfaces of sheets and meshes keep from each other; other bodies keep half of it. If missing, the
    thickness, but at least a quarter of the body's spacing [m].
    """
    damping: float | None = None
    """Damping of each spring along itself: force over the rate at which its length changes [N s/m]. Default: 0.0."""
    preset: (
        Literal[
            "dry-sand",
            "wet-sand",
            "fresh-snow",
            "packed-snow",
            "clay",
            "aluminium",
            "rubber",
            "silicone",
            "dough",
            "paint",
            "mud",
            "whipped-cream",
            "water",
            "oil",
            "glycerin",
            "cotton",
            "silk",
        ]
        | None
    ) = None
    """A preset of the list below, with law, density and parameters as defaults."""
    shear: float | None = None
    """Stiffness of springs across the cells of sheets and lattices over that of those along them. 0 leaves them out.
    Default: 0.5.
    """
    thickness: float | None = None
    """Thickness of sheets and meshes: the mass of an area is the density times it [m]. Default: 0.001."""


@dataclass(kw_only=True)
class SpringStvk(Table):
    """Two-term springs, K r^3/(2 L^2) - K r/2, of a St. Venant-Kirchhoff energy: they give way where they are much
    compressed.
    """

    _tag: ClassVar[tuple[str, str] | None] = ("law", "spring-stvk")

    density: float
    """Density at rest [kg/m3]."""
    stiffness: float
    """K: force of a spring over its change of length, at rest [N/m]."""
    bending: float | None = None
    """Stiffness of springs to the neighbour after next, or in meshes across an edge or a face, over that of those
    along edges. 0 leaves them out. Default: 0.0.
    """
    contact_thickness: float | None = None
    """Distance that surfaces of sheets and meshes keep from each other; other bodies keep half of it. If missing, the
    thickness, but at least a quarter of the body's spacing [m].
    """
    damping: float | None = None
    """Damping of each spring along itself: force over the rate at which its length changes [N s/m]. Default: 0.0."""
    preset: (
        Literal[
            "dry-sand",
            "wet-sand",
            "fresh-snow",
            "packed-snow",
            "clay",
            "aluminium",
            "rubber",
            "silicone",
            "dough",
            "paint",
            "mud",
            "whipped-cream",
            "water",
            "oil",
            "glycerin",
            "cotton",
            "silk",
        ]
        | None
    ) = None
    """A preset of the list below, with law, density and parameters as defaults."""
    shear: float | None = None
    """Stiffness of springs across the cells of sheets and lattices over that of those along them. 0 leaves them out.
    Default: 0.5.
    """
    thickness: float | None = None
    """Thickness of sheets and meshes: the mass of an area is the density times it [m]. Default: 0.001."""


@dataclass(kw_only=True)
class TriangleStvk(Table):
    """Triangles of St. Venant-Kirchhoff material (Volino et al. 2009), for sheets and meshes: springs are compared
    with it.
    """

    _tag: ClassVar[tuple[str, str] | None] = ("law", "triangle-stvk")

    density: float
    """Density at rest [kg/m3]."""
    stiffness: float
    """K: force of a spring over its change of length, at rest [N/m]."""
    contact_thickness: float | None = None
    """Distance that surfaces of sheets and meshes keep from each other; other bodies keep half of it. If missing, the
    thickness, but at least a quarter of the body's spacing [m].
    """
    damping: float | None = None
    """Damping of each spring along itself: force over the rate at which its length changes [N s/m]. Default: 0.0."""
    poissons_ratio: float | None = None
    """Poisson's ratio: contraction across for axial extension. Default: 0.3."""
    preset: (
        Literal[
            "dry-sand",
            "wet-sand",
            "fresh-snow",
            "packed-snow",
            "clay",
            "aluminium",
            "rubber",
            "silicone",
            "dough",
            "paint",
            "mud",
            "whipped-cream",
            "water",
            "oil",
            "glycerin",
            "cotton",
            "silk",
        ]
        | None
    ) = None
    """A preset of the list below, with law, density and parameters as defaults."""
    thickness: float | None = None
    """Thickness of sheets and meshes: the mass of an area is the density times it [m]. Default: 0.001."""


@dataclass(kw_only=True)
class Rigid(Table):
    """Does not deform: a body of it moves and turns as a whole."""

    _tag: ClassVar[tuple[str, str] | None] = ("law", "rigid")

    density: float
    """Density at rest [kg/m3]."""
    preset: (
        Literal[
            "dry-sand",
            "wet-sand",
            "fresh-snow",
            "packed-snow",
            "clay",
            "aluminium",
            "rubber",
            "silicone",
            "dough",
            "paint",
            "mud",
            "whipped-cream",
            "water",
            "oil",
            "glycerin",
            "cotton",
            "silk",
        ]
        | None
    ) = None
    """A preset of the list below, with law, density and parameters as defaults."""


@dataclass(kw_only=True)
class Preset(Table):
    """A preset, any of whose values may be replaced."""

    preset: Literal[
        "dry-sand",
        "wet-sand",
        "fresh-snow",
        "packed-snow",
        "clay",
        "aluminium",
        "rubber",
        "silicone",
        "dough",
        "paint",
        "mud",
        "whipped-cream",
        "water",
        "oil",
        "glycerin",
        "cotton",
        "silk",
    ]
    """A preset of the list below, with law, density and parameters as defaults."""
    bending: float | None = None
    """Stiffness of springs to the neighbour after next, or in meshes across an edge or a face, over that of those
    along edges. 0 leaves them out. Default: 0.0.
    """
    bending_stiffness: float | None = None
    """Bending moment per width over curvature [N m]. Default: 1e-05."""
    cohesion: float | None = None
    """Tension that the material carries equally in all directions: the tip of the cone lies at pressure -cohesion
    [Pa].
    """
    cohesion_ratio: float | None = None
    """Strength in tension over strength in compression, the beta of papers; 0 carries no tension. Default: 0.5."""
    cohesion_strain: float | None = None
    """Logarithmic strain of each axis at the tip of the cone, the c0 of papers; cohesion / (3 K) with the bulk
    modulus K.
    """
    compressed_length: float | None = None
    """a2: length at which the stiffness is `compressed_stiffness` [rest lengths]. Default: 0.9."""
    compressed_stiffness: float | None = None
    """K2: slope of the force at `compressed_length`. If missing, 2 times `stiffness` [N/m]."""
    consistency: float | None = None
    """Viscosity as measured by rheometers: the shear stress beyond yield at a shear rate of 1/s [Pa s^flow_index]."""
    consistency_deviator: float | None = None
    """Viscosity between Frobenius norms of the deviators of stress and rate, the eta of papers; 2^((1 +
    flow_index)/2) times `consistency` [Pa s^flow_index].
    """
    contact_thickness: float | None = None
    """Distance that surfaces of this cloth keep from each other; other bodies keep half of it. If missing, the
    thickness, but at least a quarter of the body's spacing [m].
    """
    critical_compression: float | None = None
    """Greatest principal compression before snow compacts: smaller for powder, greater for wet snow. Default: 0.025."""
    critical_state_slope: float | None = None
    """Slope M of the critical state line; 6 sin(phi)/(3 - sin(phi)) for the friction angle phi: 1.2 for 30 degrees,
    1.85 for 45.
    """
    critical_stretch: float | None = None
    """Greatest principal extension before snow breaks. Default: 0.0075."""
    damping: float | None = None
    """Damping of each spring along itself: force over the rate at which its length changes [N s/m]. Default: 0.0."""
    density: float | None = None
    """Density at rest [kg/m3]."""
    fibers: Sequence[Fibers] | None = None
    """Up to three families of fibres that stiffen the solid. If missing, it is isotropic."""
    flow_index: float | None = None
    """Exponent h of the rate in the stress: shear thinning below 1 (paint, cream), shear thickening above. Default:
    1.0.
    """
    flow_rate: float | None = None
    """Rate at which elastic strain beyond yield turns plastic: loads slower than its inverse are limited to the yield
    stress, faster ones exceed it [1/s]. Default: 600.0.
    """
    friction: float | None = None
    """Coefficient of Coulomb friction between grains."""
    friction_angle: float | None = None
    """Angle of internal friction: about 30 for dry sand; 0 carries no shear at all [degrees]."""
    hardening: float | None = None
    """Growth of strength with plastic compression, the xi of papers: the strength in compression is K (1e-5 +
    sinh(-hardening times the logarithm of the plastic volume change)) with the bulk modulus K. Default: 1.0.
    """
    initial_volume_strain: float | None = None
    """Logarithm of the plastic volume change at the start, the alpha0 of papers: the further below 0, the stronger;
    at 0 it has hardly any strength. Default: -0.01.
    """
    law: (
        Literal[
            "elastic",
            "von-mises",
            "drucker-prager",
            "herschel-bulkley",
            "cam-clay",
            "snow",
            "newtonian",
            "contact-friction",
            "cloth",
            "neo-hookean",
            "stable-neo-hookean",
            "polynomial-neo-hookean",
            "corotated",
            "stvk",
            "spring-cubic",
            "spring-linear",
            "spring-stvk",
            "triangle-stvk",
            "rigid",
        ]
        | None
    ) = None
    """See the scene reference."""
    max_plastic_strain: float | None = None
    """Greatest Frobenius norm of the plastic strain: 0.5 is a bar at 1.5 times its length. Beyond it the material is
    elastic again. Default: 0.5.
    """
    plastic_split: Literal["multiplicative", "additive"] | None = None
    """Split of a deformation into elastic and plastic: `multiplicative` keeps volume under any flow; `additive`
    subtracts Green strains, as papers do, and loses 5 % of the volume at a plastic stretch of 1.18. Default:
    "multiplicative".
    """
    poissons_ratio: float | None = None
    """Poisson's ratio: contraction across for axial extension. Default: 0.3."""
    shear: float | None = None
    """Stiffness of springs across the cells of sheets and lattices over that of those along them. 0 leaves them out.
    Default: 0.5.
    """
    shear_stiffness: float | None = None
    """Shear force per width over shear angle, in radians [N/m]. Default: 50.0."""
    stiffness: float | None = None
    """K: force of a spring over its change of length, at rest [N/m]."""
    stretched_length: float | None = None
    """a1: length at which the stiffness is `stretched_stiffness` [rest lengths]. Default: 1.1."""
    stretched_stiffness: float | None = None
    """K1: slope of the force at `stretched_length`. If missing, 6 times `stiffness` [N/m]."""
    tear_strain: float | None = None
    """Strain of warp or weft at which a triangle tears. If missing, nothing tears."""
    thickness: float | None = None
    """Thickness: the mass of an area is the density times it [m]. Default: 0.0004."""
    viscosity: float | None = None
    """Dynamic viscosity: water has 0.001, oil 0.1, honey 10. XSPH (`solver.xsph_rate`) acts in addition [Pa s].
    Default: 0.0.
    """
    volume_correction: bool | None = None
    """Whether volume gained in free flight must be recovered before the material carries pressure again; at most 0.2
    of logarithmic strain is stored. Default: true.
    """
    warp_stiffness: float | None = None
    """Force per width over strain along the warp: along x of a sheet [N/m]. Default: 4000.0."""
    weft_stiffness: float | None = None
    """Force per width over strain along the weft: along z of a sheet [N/m]. Default: 2000.0."""
    yield_deviator: float | None = None
    """Frobenius norm of the stress deviator at which the material flows, the number in papers [Pa]."""
    yield_stress: float | None = None
    """Yield stress of a bar under tension; sqrt(3/2) times `yield_deviator` [Pa]."""
    yield_surface: Literal["drucker-prager", "matsuoka-nakai", "mohr-coulomb"] | None = None
    """Yield surface. All three agree in triaxial compression, where `friction_angle` is measured. `drucker-prager`
    does not depend on the intermediate stress: sand of 30 degrees shears at 34.7. `matsuoka-nakai` also agrees in
    triaxial extension: it shears at 29.0. `mohr-coulomb` also agrees in plane strain, within a degree up to 40: it
    shears at atan(sin 30) = 26.6. Default: "drucker-prager".
    """
    youngs_modulus: float | None = None
    """Young's modulus: stiffness in tension and compression [Pa]."""


#: Any of them.
Law = Union[
    Elastic,
    VonMises,
    DruckerPrager,
    HerschelBulkley,
    CamClay,
    Snow,
    Newtonian,
    ContactFriction,
    Cloth,
    NeoHookean,
    StableNeoHookean,
    PolynomialNeoHookean,
    Corotated,
    Stvk,
    SpringCubic,
    SpringLinear,
    SpringStvk,
    TriangleStvk,
    Rigid,
]

#: Any material.
Material = Union[Law, Preset]
